"""Rule kinds about a room: what lies there for so many players, and who starts where."""

from __future__ import annotations

from collections.abc import Iterator

from exporter.model import Game, RoomPlan, Seat
from exporter.rules.book import Rule
from exporter.rules.faults import Fault

Square = tuple[int, float, float]


def _counted(game: Game, plan: RoomPlan, what: str) -> int:
    if what == "boards":
        return sum(1 for name in plan.boards if not game.boards[name].joint)
    return sum(1 for seat in plan.seats if seat.team == what)


def things_to_count(
    game: Game, plan: RoomPlan, rule: Rule
) -> Iterator[tuple[str, tuple[int, int]]]:
    """What the table of a rule says of a room: a thing, the least and the most of it."""
    teams = {seat.team for seat in plan.seats if seat.team}
    for row in rule.parameters["table"]:
        least, most = row["players"]
        if plan.boards and least <= len(plan.seats) <= most:
            for what, span in row["holds"].items():
                if what not in game.teams or teams:
                    yield what, span


def setup(game: Game, plan: RoomPlan, rule: Rule) -> Iterator[Fault]:
    """``table`` says by number of players how many ``boards``, or seats of a team, there are.

    Each row: ``players`` [least, most], and pairs of what and [least, most]. A room without a board
    is no game that is set up, and one without teams has none to count.
    """
    for what, (fewest, highest) in things_to_count(game, plan, rule):
        found = _counted(game, plan, what)
        if not fewest <= found <= highest:
            allowed = str(fewest) if fewest == highest else f"{fewest}–{highest}"
            name = str(game.teams[what]) if what in game.teams else what
            values = {"players": len(plan.seats), "what": name, "found": found, "allowed": allowed}
            yield Fault(plan.where, "setup", values)


def _square(game: Game, plan: RoomPlan, seat: Seat) -> Square | None:
    """A seat's start square; those of a side are numbered on from board to board."""
    if seat.start is None:
        return None
    side, number = seat.start
    squares = [
        (index, *square)
        for index, name in enumerate(plan.boards)
        if name in game.boards
        for square in game.boards[name].starts.get(side, ())
    ]
    return squares[number - 1] if 0 < number <= len(squares) else None


def _adjacent(one: Square, other: Square) -> bool:
    return one[0] == other[0] and abs(one[1] - other[1]) + abs(one[2] - other[2]) == 1


def starts(game: Game, plan: RoomPlan, rule: Rule) -> Iterator[Fault]:
    """Every seat that names a start has a start square of its own, side by side with its team."""
    seats = [seat for seat in plan.seats if seat.start is not None]
    taken: dict[Square, Seat] = {}
    for seat in seats:
        square = _square(game, plan, seat)
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
                name = str(game.teams.get(team, team))
                yield Fault(seat.where, "starts-apart", {"seat": seat.name, "team": name})
