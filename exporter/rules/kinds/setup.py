"""``setup``: what lies in a room for so many players."""

from collections.abc import Iterator
from typing import Annotated, TypeAlias

from msgspec import Meta

from exporter.rules.kind import Fault, Rule, RuleKind, SeatedRoom
from exporter.schema.shape import Shape, Whole

Span: TypeAlias = tuple[Whole, Whole]


class SetupRow(Shape):
    """For so many players, what there is."""

    players: Annotated[Span, Meta(description="`[least, most]`")]
    holds: Annotated[
        dict[str, Span], Meta(description="`boards`, or a team whose seats count → `[least, most]`")
    ]
    teams: Annotated[
        Whole, Meta(description="only where so many teams play; by default for any number")
    ] = 0


class Setup(RuleKind[SeatedRoom]):
    """By the number of players, a room has so many boards, or seats of a team. A room without a
    board is no game that is set up, and one without teams has none to count."""

    table: Annotated[
        list[SetupRow],
        Meta(
            description="rows of `players` and what a room `holds` for them",
            examples=[[{"players": [2, 2], "holds": {"boards": [1, 1]}}]],
        ),
    ]

    examples = ("{table: [{players: [2, 2], holds: {red: [1, 1], boards: [1, 2]}}]}",)
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
        return any(True for _ in self._counting(subject))

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

    def _counting(self, subject: SeatedRoom) -> Iterator[tuple[str, Span]]:
        """What the table says of a room: a thing, the least and the most of it."""
        plan = subject.plan
        teams = {seat.team for seat in plan.seats if seat.team}
        for row in self.table:
            least, most = row.players
            is_for = row.teams in (0, len(teams))
            if plan.boards and is_for and least <= len(plan.seats) <= most:
                for what, span in row.holds.items():
                    if teams or what not in subject.game.teams:
                        yield what, span
