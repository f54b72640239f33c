"""A game held open, for who asks much of it: a page, a notebook. It is as it was when it was read.

Reading a game takes a tenth of a second or more; judging a build of one that is held, some
thousandths.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from exporter.app.arguments import (
    Named,
    folder_of,
)
from exporter.core.problems import (
    InvalidSource,
    Problem,
    errors,
)

if TYPE_CHECKING:
    from exporter.app.make_files import Gathered
    from exporter.app.project import Opened
    from exporter.model import (
        Board,
        Game,
        Seat,
    )
    from exporter.model.player_builds import Submission
    from exporter.rooms.room_orders import Order
    from exporter.rooms.room_planner import PlannedRoom
    from exporter.rules.repair import RepairStep
    from exporter.rules.report.explanations import (
        Explanation,
        Library,
    )
    from exporter.rules.report.suggesting import Suggestion
    from exporter.rules.report.verdicts import (
        Verdict,
        Wish,
    )


class Held(Struct, frozen=True, dict=True):
    """A game as it was read from its folder, with its rules; ``problems`` are all its faults.

    Of one with faults, what can be read is there.
    """

    folder: Path
    opened: Opened

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The faults of its files."""
        return self.opened.problems

    @cached_property
    def game(self) -> Game:
        """The game with its errata."""
        from exporter.rules.errata import corrected

        return corrected(self.opened.game)

    @cached_property
    def gathered(self) -> Gathered:
        """The game as rooms and sheets are planned from it. Raises ``InvalidSource``."""
        from exporter.app.make_files import Gathered

        if errors(self.problems):
            raise InvalidSource(self.problems)
        return Gathered(self.folder, self.opened.game)

    @cached_property
    def _libraries(self) -> dict[str, Library]:
        return {}

    def library(self, language: str) -> Library:
        """What explanations draw on, in a language."""
        from exporter.rules.report.explanations import library

        if language not in self._libraries:
            self._libraries[language] = library(self.opened.game, self.opened.book, language)
        return self._libraries[language]


def hold_game(game: Named, *, source: Named | None = None) -> Held:
    """A game and its rules. Raises ``InvalidSource`` where not even game.yaml can be read."""
    from exporter.app.project import open_game

    folder = folder_of(game, source)
    return Held(folder, open_game(folder, with_cases=True))


def hold_again(held: Held, *, templates_alone: bool) -> Held:
    """The game after something was saved; the same one where only templates were, and none of them
    declares anything else now. Raises ``InvalidSource`` as ``hold_game`` does."""
    from exporter.app.project import open_game
    from exporter.loader.style_files import declares_the_same

    if templates_alone and not held.problems and declares_the_same(held.opened.game.faces):
        return held
    return Held(held.folder, open_game(held.folder, with_cases=True))


def judge_build(held: Held, entry: Submission, wish: Wish | None = None) -> Verdict:
    """What the rules say of one build; places in it are those that it came with."""
    from exporter.rules.errata import corrected
    from exporter.rules.report.check_report import (
        judge_entry,
        layers_on,
    )
    from exporter.rules.report.verdicts import Wish

    wish = wish or Wish()
    game = held.game
    if wish.on:
        game = corrected(held.opened.game, layers_on(held.opened.game, wish.on)[0])
    return judge_entry(game, held.opened.book, entry, wish, held.opened.doubts)[0]


def suggest_build(held: Held, entry: Submission, wish: Wish | None = None) -> Suggestion:
    """The smallest changes that make one build legal. Raises ``InvalidSource`` for the wish."""
    from exporter.rules.report.suggesting import suggestions
    from exporter.rules.report.verdicts import Wish

    (found,) = suggestions(held.opened.game, held.opened.book, [entry], wish or Wish())
    return found


def mended_said(held: Held, step: RepairStep, language: str) -> str:
    """A step of mending in a language."""
    from exporter.rules.report.suggesting import step_text

    return step_text(held.opened.game, step, language)


def explain_thing(held: Held, thing: str, figure: str = "", *, language: str = "ja") -> Explanation:
    """Say why, of a game that is held; see ``explain``. Raises ``InvalidSource``."""
    from exporter.rules.report.named_things import explain

    return explain(held.library(language), thing, figure)


def has_pawn(game: Game, seat: Seat) -> bool:
    """Whether there is something in a seat for a picture of a player's own."""
    from exporter.rooms import room_orders as orders

    return orders.has_pawn(game, seat)


def turns_of(board: Board) -> tuple[str, ...]:
    """By how many degrees a board can be turned on the table."""
    from exporter.faces import board_codes as boards

    return boards.turns_of(board)


def rooms_of_held(held: Held, order: Order) -> dict[str, PlannedRoom]:
    """What lies where in the rooms that are ordered, with warnings. Raises ``InvalidSource``."""
    from exporter.rooms.room_orders import rooms_with_problems

    return rooms_with_problems(held.gathered.game, order)
