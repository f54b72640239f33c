"""What lies in a room, and who starts where."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Annotated, TypeAlias

from msgspec import Meta

from exporter.core.problems import Problem, SourceLocation, problem_at
from exporter.model import Seat
from exporter.model.shape import Doc, Shape, Whole, Word
from exporter.rules.kind import Fault, Rule, RuleKind, SeatedRoom

Span: TypeAlias = tuple[Whole, Whole]
# A thing, what there is of it and should be, whether that is right, and where it stands.
_Compared: TypeAlias = tuple[str, int | str, str, bool, SourceLocation]


class SetupRow(Shape, omit_defaults=True):
    """For so many players, what there is."""

    players: Annotated[Span, Doc("`[least, most]`", "`[下限, 上限]`")]
    holds: Annotated[
        dict[str, Span],
        Doc(
            "`boards`, or a team whose seats count → `[least, most]`",
            "`boards` か、席を数えるチーム → `[下限, 上限]`",
        ),
    ] = {}
    values: Annotated[
        dict[Word, Word],
        Doc("word of the room's `values` → what it says", "ルームの `values` の語 → その値"),
    ] = {}
    teams: Annotated[
        Whole,
        Doc(
            "only where so many teams play; by default for any number",
            "この数のチームで遊ぶときだけ。なければいつでも",
        ),
    ] = 0


class Setup(RuleKind[SeatedRoom]):
    """By the number of players, a room has so many boards, or seats of a team, and values that
    say so. A room without a board is no game that is set up, and one without teams has none to
    count.

    ja: 人数ごとに、ルームの地図の数、チームの席の数、`values` の値が決まっている。地図のないルー
    ムは準備のできたゲームではなく、チームのないルームには数えるものがない。
    """

    table: Annotated[
        list[SetupRow],
        Meta(examples=[[{"players": [2, 2], "holds": {"boards": [1, 1]}}]]),
        Doc(
            "rows of `players` and what a room `holds` for them",
            "`players` と、その人数のルームにあるもの `holds` の行",
        ),
    ]

    examples = (
        "{table: [{players: [2, 2], holds: {red: [1, 1], boards: [1, 2]}}]}",
        "{table: [{players: [4, 4], values: {hand: '6'}}]}",
    )
    sentences = {
        "ja": {
            "setup": (
                "{players}人のとき、{what}は{found}です（正しくは{allowed}）。",
                "{allowed}にしてください。",
            ),
        },
        "en": {
            "setup": (
                "With {players} players, {what} is {found}; the rules say {allowed}.",
                "Change it to that.",
            )
        },
    }

    def looks(self, subject: SeatedRoom, rule: Rule) -> bool:
        return any(True for _ in self._compared(subject))

    def faults(self, subject: SeatedRoom, rule: Rule) -> Iterator[Fault]:
        for what, found, allowed, is_right, where in self._compared(subject):
            if not is_right:
                values = {"players": len(subject.plan.seats), "what": what, "found": found}
                yield Fault(where, "setup", {**values, "allowed": allowed})

    def _compared(self, subject: SeatedRoom) -> Iterator[_Compared]:
        """Find what the table says of a room."""
        game, plan = subject.game, subject.plan
        teams = Counter(seat.team for seat in plan.seats if seat.team)
        rows = [row for row in self.table if row.teams in (0, len(teams))]
        rows = [row for row in rows if row.players[0] <= len(plan.seats) <= row.players[1]]
        boards = sum(not game.boards[name].joint for name in plan.boards)
        for row in rows if plan.boards else ():
            for what, (fewest, highest) in row.holds.items():
                found = boards if what == "boards" else teams[what]
                allowed = str(fewest) if fewest == highest else f"{fewest}–{highest}"
                if teams or what not in game.teams:
                    name, is_right = str(game.teams.get(what, what)), fewest <= found <= highest
                    yield name, found, allowed, is_right, plan.where
        for row in rows:
            for word, text in row.values.items():
                value = plan.values.get(word, "—")
                yield word, value, text, value == text, plan.place("values", word)

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        for index, row in enumerate(self.table):
            if not row.holds and not row.values:
                yield problem_at(at("table", index), "SRC-KEY", "setup-of-nothing")


# A board by its place among those of a room, and the square on it.
Square: TypeAlias = tuple[int, float, float]


class Starts(RuleKind[SeatedRoom]):
    """Every seat that names a start has a start square of its own, side by side with its team.

    ja: 開始マスを言う席には、チームごとに並んだ、自分だけの開始マスがある。
    """

    sentences = {
        "ja": {
            "starts-none": (
                "{seat}の開始マスがありません: {found}。",
                "マップにある開始マスを選んでください。",
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
        taken: dict[Square, Seat] = {}
        for seat in subject.plan.seats:
            square = _square(subject, seat) if seat.start else None
            if seat.start and square is None:
                found = "・".join(map(str, seat.start))
                yield Fault(seat.where, "starts-none", {"seat": seat.name, "found": found})
            elif square in taken:
                values = {"seat": seat.name, "other": taken[square].name}
                yield Fault(seat.where, "starts-same", values)
            elif square:
                taken[square] = seat
        for team in dict.fromkeys(seat.team for seat in taken.values() if seat.team):
            squares = [square for square, seat in taken.items() if seat.team == team]
            reached = squares[:1]
            for square in reached:
                near = [other for other in squares if _adjacent(square, other)]
                reached += [other for other in near if other not in reached]
            for square in squares:
                if square not in reached:
                    name = str(subject.game.teams.get(team, team))
                    values = {"seat": taken[square].name, "team": name}
                    yield Fault(taken[square].where, "starts-apart", values)


def _square(room: SeatedRoom, seat: Seat) -> Square | None:
    """Find a seat's start square; those of a side are numbered on from board to board."""
    side, number = seat.start or ("", 0)
    boards = [room.game.boards.get(name) for name in room.plan.boards]
    each = ((index, board) for index, board in enumerate(boards) if board)
    squares = [(index, *square) for index, board in each for square in board.starts.get(side, ())]
    return squares[number - 1] if 0 < number <= len(squares) else None


def _adjacent(one: Square, other: Square) -> bool:
    return one[0] == other[0] and abs(one[1] - other[1]) + abs(one[2] - other[2]) == 1
