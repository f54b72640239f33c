"""``players``: how many play the game."""

from collections.abc import Callable, Iterator
from typing import Annotated

from exporter.core.problems import (
    Problem,
    SourceLocation,
)
from exporter.model.shape import (
    Doc,
    Whole,
)
from exporter.rules.kind import (
    Box,
    Fault,
    Rule,
    RuleKind,
    wrong_numbers,
)


class Players(RuleKind[Box]):
    """So many play the game, by the `players` of game.yaml.

    ja: game.yaml の `players` は、決まった人数である。
    """

    least: Annotated[Whole, Doc("the fewest players", "下限の人数")]
    most: Annotated[Whole, Doc("the most players", "上限の人数")]

    examples = ("{least: 2, most: 4}",)
    sentences = {
        "ja": {
            "players": ("{game}を遊ぶ人数は{found}人。決まりでは{wanted}人。", "直してください。")
        },
        "en": {
            "players": ("{game} is for {found} players; by the rules for {wanted}.", "Correct it.")
        },
    }

    def faults(self, subject: Box, rule: Rule) -> Iterator[Fault]:
        game, wanted = subject.game, (self.least, self.most)
        if game.players != wanted:
            values = {"game": game.name, "found": _span(game.players), "wanted": _span(wanted)}
            yield Fault(game.place("players"), "players", values)

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        yield from wrong_numbers(at, self.least, self.most)


def _span(players: tuple[int, int]) -> str:
    least, most = players
    return str(least) if least == most else f"{least}–{most}"
