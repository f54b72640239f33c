"""``starts``: who starts where."""

from collections.abc import Iterator
from typing import TypeAlias

from exporter.model import Seat
from exporter.rules.kind import (
    Fault,
    Rule,
    RuleKind,
    SeatedRoom,
)

Square: TypeAlias = tuple[int, float, float]
"""A board by its place among those of a room, and the square on it."""


class Starts(RuleKind[SeatedRoom]):
    """Every seat that names a start has a start square of its own, side by side with its team.

    ja: 開始マスを言う席には、チームごとに並んだ、自分だけの開始マスがある。
    """

    sentences = {
        "ja": {
            "starts-none": (
                "{seat}の開始マスがありません: {found}。",
                "地図にある開始マスを選んでください。",
            ),
            "starts-same": (
                "{seat}の開始マスには{other}もいます。",
                "別の開始マスを選んでください。",
            ),
            "starts-apart": (
                "{team}の{seat}は味方と隣り合っていません。",
                "味方の隣の開始マスにしてください。",
            ),
        },
        "en": {
            "starts-none": ("{seat} has no start square: {found}.", "Choose one of the board's."),
            "starts-same": ("{seat} and {other} start on the same square.", "Choose another one."),
            "starts-apart": ("{seat} of {team} is not next to its team.", "Start beside the team."),
        },
    }

    def looks(self, subject: SeatedRoom, rule: Rule) -> bool:
        return any(seat.start is not None for seat in subject.plan.seats)

    def faults(self, subject: SeatedRoom, rule: Rule) -> Iterator[Fault]:
        seats = [seat for seat in subject.plan.seats if seat.start is not None]
        taken: dict[Square, Seat] = {}
        for seat in seats:
            square = _square(subject, seat)
            if square is None:
                found = "・".join(map(str, seat.start or ()))
                yield Fault(seat.where, "starts-none", {"seat": seat.name, "found": found})
            elif square in taken:
                values = {"seat": seat.name, "other": taken[square].name}
                yield Fault(seat.where, "starts-same", values)
            else:
                taken[square] = seat
        for team in dict.fromkeys(seat.team for seat in taken.values() if seat.team):
            squares = {square: seat for square, seat in taken.items() if seat.team == team}
            reached = [next(iter(squares))]
            for square in reached:
                reached += [
                    other for other in squares if other not in reached and _adjacent(square, other)
                ]
            for square, seat in squares.items():
                if square not in reached:
                    name = str(subject.game.teams.get(team, team))
                    yield Fault(seat.where, "starts-apart", {"seat": seat.name, "team": name})


def _square(room: SeatedRoom, seat: Seat) -> Square | None:
    """Find a seat's start square; those of a side are numbered on from board to board."""
    if seat.start is None:
        return None
    side, number = seat.start
    boards = room.game.boards
    squares = [
        (index, *square)
        for index, name in enumerate(room.plan.boards)
        if name in boards
        for square in boards[name].starts.get(side, ())
    ]
    return squares[number - 1] if 0 < number <= len(squares) else None


def _adjacent(one: Square, other: Square) -> bool:
    return one[0] == other[0] and abs(one[1] - other[1]) + abs(one[2] - other[2]) == 1
