"""A builder's questions: builds as lines, what still fits, who has enough cards, what to expect."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from exporter.app.arguments import (
    Named,
    Several,
    names,
    path_of,
)
from exporter.app.queries import of_boxes

if TYPE_CHECKING:
    from pathlib import Path

    from exporter.model import (
        Build,
        Game,
    )
    from exporter.model.player_builds import Submission
    from exporter.rules.report.chances import DeckOdds
    from exporter.rules.report.comparing import Comparison
    from exporter.rules.report.fits import Fits
    from exporter.rules.report.suggesting import Suggestion
    from exporter.rules.report.verdicts import Wish


class Shared(Struct, frozen=True):
    """A build by its ``name``: as one ``line``, and as the ``text`` of a file.

    ``has_parts``: it is more than decks.
    """

    name: str
    line: str
    text: str
    has_parts: bool = True


class Mended(Struct, frozen=True):
    """The ``file`` that was written, where any was, and the builds and decks that changed."""

    file: Path
    builds: tuple[Build, ...]


def share(things: Several, *, game: Named = "", source: Named | None = None) -> tuple[Shared, ...]:
    """Builds as lines of at most 300 letters, and as files of builds have them.

    A thing is a mech, ``CODE`` or ``CODE:VARIANT``, the path of a file of builds, ``-`` for
    standard input, or such a line. Raises ``InvalidSource``.
    """
    from exporter.app.build_lookup import constructed
    from exporter.rules.build_codes import code_of
    from exporter.rules.written_builds import entry_text

    found = constructed(names(things), os.fspath(game), path_of(source))
    return tuple(
        Shared(
            one.build.name,
            code_of(one.opened.game, one.entry),
            entry_text(one.opened.game, one.entry),
            one.build.has_parts,
        )
        for one in found
    )


def write_line(game: Game, entry: Submission) -> str:
    """A build as one line, ``em:…``. Raises ``InvalidSource`` for one of more than 300 letters."""
    from exporter.rules.build_codes import code_of

    return code_of(game, entry)


def read_line(game: Game, line: str) -> Submission:
    """The build of a line, with ids that the game may not have.

    Raises ``InvalidSource`` for a line that was cut off or mistyped, or is for another game.
    """
    from exporter.core.problems import COMMAND_LINE
    from exporter.rules.build_codes import entry_of

    return entry_of(game, line, COMMAND_LINE)


def fits(
    thing: Named,
    parts: Several = (),
    wish: Wish | None = None,
    *,
    by: Several = ("rank", "kinds", "range"),
    game: Named = "",
    source: Named | None = None,
) -> Fits:
    """What can still be mounted on a build, in some parts or in all, and why the rest cannot.

    What is broken already is not held against a card. ``by`` are fields of cards to sort by. Raises
    ``InvalidSource``, also where the thing is several builds.
    """
    from exporter.app.build_lookup import only_one
    from exporter.rules.report.fits import fits_of

    one = only_one(os.fspath(thing), os.fspath(game), path_of(source))
    asked_for = of_boxes(one.opened.game, wish)
    return fits_of(one.opened.game, one.opened.book, one.entry, names(parts), names(by), asked_for)


def odds(
    thing: Named,
    cards: Several = (),
    *,
    hand: int | None = None,
    turn: int | None = None,
    game: Named = "",
    source: Named | None = None,
) -> DeckOdds:
    """Chances to hold cards of a build's or mech's deck, or of a printed deck, by draw; exact.

    Without ``cards`` of all. ``hand`` and ``turn`` are how many are drawn, by default what the game
    says. Raises ``InvalidSource``.
    """
    from exporter.app.build_lookup import deck_of
    from exporter.rules.report.chances import deck_odds

    one = deck_of(os.fspath(thing), os.fspath(game), path_of(source))
    return deck_odds(one.game, one.name, one.deck, dict(one.figures), names(cards), hand, turn)


def compare(
    things: Several, *, game: Named = "", source: Named | None = None, language: str = "ja"
) -> Comparison:
    """Builds of one game side by side: figures, damage by distance of all mounted, decks by kind.

    Raises ``InvalidSource``.
    """
    from exporter.app.build_lookup import (
        constructed,
        loadout_of,
    )
    from exporter.core.problems import (
        COMMAND_LINE,
        error_at,
    )
    from exporter.rules.errata import corrected
    from exporter.rules.loadouts import with_decks
    from exporter.rules.report.comparing import compare as compared

    found = constructed(names(things), os.fspath(game), path_of(source))
    games = dict.fromkeys(one.opened.game.id for one in found)
    if len(games) != 1:
        raise error_at(COMMAND_LINE, "COMPARE", "several-games", games=", ".join(games))
    own = with_decks(corrected(found[0].opened.game))
    loadouts = [loadout_of(own, one) for one in found]
    return compared(own, found[0].opened.book, [one.title for one in found], loadouts, language)


def write_mended(file: Named, suggestions: Iterable[Suggestion]) -> Mended:
    """Write the first way of each suggestion: into a YAML file, what stays keeps its lines and
    remarks; of a table or a list into ``NAME_mended.yaml`` beside it.

    The suggestions are those of this file, in its order. Raises ``InvalidSource``, also for files
    of other sorts, where the file beside exists, and where not all of a file could be read.
    """
    from pathlib import Path

    from exporter.app import mended_files
    from exporter.core.file_types import (
        DOCUMENTS,
        PLAYERS_FILES,
    )
    from exporter.core.file_writer import write_whole
    from exporter.core.problems import (
        SourceLocation,
        error_at,
    )
    from exporter.core.source_files import (
        MAX_PLAYERS,
        decode,
        read_bytes,
    )

    path, ending = Path(file), Path(file).suffix.lower()
    where = SourceLocation(str(path))
    if ending not in PLAYERS_FILES:
        raise error_at(where, "SUGGEST", "not-in-place", thing=str(path))
    found = list(suggestions)
    builds = tuple(one.mending.build for one in found if mended_files.is_mended(one))
    if not builds:
        return Mended(path, builds)
    if ending in DOCUMENTS:
        before = decode(read_bytes(path, str(path), MAX_PLAYERS), str(path))
        text = mended_files.mended_document(before, found)
        if text is None:
            raise error_at(where, "SUGGEST", "not-read-whole")
        write_whole({path: text.encode()})
        return Mended(path, builds)
    beside = path.with_name(f"{path.stem}_mended.yaml")
    if any(one.verdict.reasons for one in found):
        raise error_at(where, "SUGGEST", "not-read-whole")
    if beside.exists():
        raise error_at(where, "SUGGEST", "copy-exists", copy=str(beside))
    write_whole({beside: mended_files.as_document(found).encode()})
    return Mended(beside, builds)
