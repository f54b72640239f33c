"""``setup``: what lies in a room for so many players."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Annotated, TypeAlias

from msgspec import Meta

from exporter.core.problems import (
    Problem,
    SourceLocation,
    problem_at,
)
from exporter.model.shape import (
    Doc,
    Shape,
    Whole,
    Word,
)
from exporter.rules.kind import (
    Fault,
    Rule,
    RuleKind,
    SeatedRoom,
)

Span: TypeAlias = tuple[Whole, Whole]


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
                "{players}人で{what}は{found}。決まりでは{allowed}。",
                "{allowed}にしてください。",
            ),
        },
        "en": {
            "setup": (
                "{players} players: {what} is {found}; by the rules {allowed}.",
                "Make it so.",
            )
        },
    }

    def looks(self, subject: SeatedRoom, rule: Rule) -> bool:
        return any(True for _ in chain(self._counting(subject), self._values(subject)))

    def faults(self, subject: SeatedRoom, rule: Rule) -> Iterator[Fault]:
        game, plan = subject.game, subject.plan
        for what, (fewest, highest) in self._counting(subject):
            if what == "boards":
                found = sum(not game.boards[name].joint for name in plan.boards)
            else:
                found = sum(seat.team == what for seat in plan.seats)
            if not fewest <= found <= highest:
                values = {
                    "players": len(plan.seats),
                    "what": str(game.teams[what]) if what in game.teams else what,
                    "found": found,
                    "allowed": str(fewest) if fewest == highest else f"{fewest}–{highest}",
                }
                yield Fault(plan.where, "setup", values)
        for word, allowed in self._values(subject):
            text = plan.values.get(word, "—")
            if text != allowed:
                values = {"players": len(plan.seats), "what": word, "found": text}
                where = plan.place("values", word)
                yield Fault(where, "setup", values | {"allowed": allowed})

    def _values(self, subject: SeatedRoom) -> Iterator[tuple[str, str]]:
        """Find what the table says of a room's values: a word and its text."""
        for row in self._rows(subject):
            yield from row.values.items()

    def _counting(self, subject: SeatedRoom) -> Iterator[tuple[str, Span]]:
        """Find what the table says of a room: a thing, the least and the most of it."""
        teams = _teams(subject)
        for row in self._rows(subject) if subject.plan.boards else ():
            for what, span in row.holds.items():
                if teams or what not in subject.game.teams:
                    yield what, span

    def _rows(self, subject: SeatedRoom) -> Iterator[SetupRow]:
        """Find the rows for as many players and teams as a room has."""
        for row in self.table:
            least, most = row.players
            if row.teams in (0, len(_teams(subject))) and least <= len(subject.plan.seats) <= most:
                yield row

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        for index, row in enumerate(self.table):
            if not row.holds and not row.values:
                yield problem_at(at("table", index), "SRC-KEY", "setup-of-nothing")


def _teams(subject: SeatedRoom) -> set[str]:
    return {seat.team for seat in subject.plan.seats if seat.team}
