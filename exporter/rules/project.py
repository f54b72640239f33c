"""An open game: its folder, its data and rules, and what is wrong with its files."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.problems import (
    InvalidSource,
    Problem,
    errors,
)
from exporter.model import Game
from exporter.rules.errata import corrected
from exporter.rules.loadouts import with_decks
from exporter.rules.rulebook import Rulebook
from exporter.rules.samples import without_samples


class Project(Struct, frozen=True, kw_only=True, dict=True):
    """An open game and its rules, as far as its files can be read. It does not change.

    ``game`` is as printed; cards of faulty rows are left out. ``problems`` are all faults of its
    files, ``data_problems`` those of all files but the rules and cases. It is ``sound`` where
    nothing is wrong but cases. ``doubts`` are some of the faults on which every build rests.
    Of the sorts in ``incomplete`` some things could not be read, ``excluded`` are names of others,
    by sort: who refers to these is not at fault.
    """

    folder: Path
    game: Game
    book: Rulebook
    problems: tuple[Problem, ...] = ()
    data_problems: tuple[Problem, ...] = ()
    doubts: tuple[Problem, ...] = ()
    sound: bool = True
    incomplete: frozenset[str] = frozenset()
    excluded: frozenset[tuple[str, str]] = frozenset()

    @cached_property
    def corrected(self) -> Game:
        """The game with its errata laid over it."""
        return corrected(self.game)

    @cached_property
    def played(self) -> Game:
        """The game with its errata, and with a deck for every loadout."""
        return with_decks(self.corrected)

    def with_samples(self, *, wanted: bool) -> Project:
        """Return the same, or the game without its samples."""
        return self if wanted else replace(self, game=without_samples(self.game))

    def without_problems(self) -> Project:
        """Return the same. Raises ``InvalidSource`` for errors in any of its files."""
        if errors(self.problems):
            raise InvalidSource(self.problems)
        return self
