"""Questions about builds: builds as lines, what still fits, what to expect of decks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from exporter.app.arguments import (
    Named,
    Several,
    names,
    path_of,
)
from exporter.app.project import (
    game_folder,
    open_game,
)
from exporter.app.queries import of_boxes
from exporter.core.file_types import (
    DOCUMENTS,
    PLAYERS_FILES,
)
from exporter.core.file_writer import write_whole
from exporter.core.names import index
from exporter.core.problems import (
    COMMAND_LINE,
    InvalidSource,
    SourceLocation,
    error_at,
    near_names,
    quoted,
)
from exporter.core.source_files import (
    MAX_PLAYERS,
    decode,
    read_bytes,
)
from exporter.loader import is_build_file
from exporter.loader.game_folders import chosen_games
from exporter.loader.player_files import (
    read_entries,
    resolve_word,
)
from exporter.model import (
    DeckCard,
    Game,
    Loadout,
)
from exporter.model.called import (
    mech_meant,
    name_index,
    resolve_name,
)
from exporter.model.mech import Build
from exporter.rules.build_codes import (
    write_line,
)
from exporter.rules.loadouts import (
    built_loadout,
    find_mech,
    find_variant,
    printed_loadout,
    published,
)
from exporter.rules.project import Project
from exporter.rules.report import (
    chances,
    comparing,
)
from exporter.rules.report.fits import (
    Fits,
    fits_of,
)
from exporter.rules.report.suggesting import Suggestion
from exporter.rules.report.verdicts import (
    CheckOptions,
    check_frame,
)
from exporter.rules.rewriting import (
    documents,
    rewritten,
)
from exporter.rules.written_builds import entry_text


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


class Constructed(Struct, frozen=True):
    """A build and the game it is for; a printed mech by its ``code``, with its ``variant``."""

    project: Project
    build: Build
    code: str = ""
    variant: str = ""

    @property
    def title(self) -> str:
        """As people tell it from others."""
        return f"{self.code}:{self.variant} {self.build.name}" if self.code else self.build.name


def constructed(things: Iterable[str], game: str, source: Path | None) -> list[Constructed]:
    """The builds that words name: mechs, ``CODE`` or ``CODE:VARIANT``, and what gives builds.

    Raises ``InvalidSource`` for faults of games, and of builds that cannot be read whole.
    """
    known: dict[Path, Project] = {}
    found: list[Constructed] = []
    for thing in things:
        if not is_build_file(thing):
            found.append(_printed(thing, _games(game, source, known)))
            continue
        path = Path(thing)
        one = _opened(game_folder(path, game, source), known)
        entries, wrong = read_entries(one, path)
        if wrong:
            raise InvalidSource(wrong)
        found += [Constructed(one, entry) for entry in entries]
    return found


def _opened(folder: Path, known: dict[Path, Project]) -> Project:
    """A game without faults, opened once. Raises ``InvalidSource``."""
    if folder not in known:
        known[folder] = open_game(folder)
    if known[folder].problems:
        raise InvalidSource(known[folder].problems)
    return known[folder]


def _games(game: str, source: Path | None, known: dict[Path, Project]) -> list[Project]:
    """The game that is named or the only one that others named, else all there are."""
    if not game and len(known) == 1:
        return list(known.values())
    return [_opened(folder, known) for folder in chosen_games([game] if game else [], source)]


def _printed(thing: str, games: list[Project]) -> Constructed:
    """A printed mech with its loadout. Raises ``InvalidSource``."""
    for project in games:
        code, _, variant = mech_meant(project.game, thing).partition(":")
        if code in project.game.mechs:
            mech, chosen = find_mech(project.game, code), find_variant(project.game, variant)
            build = published(project.game, mech, chosen)
            return Constructed(project, build, mech.code, chosen.id)
    mechs = index(
        one for project in games for one in name_index(project.game, "mech").things.values()
    )
    near = near_names(mechs, thing)
    raise error_at(COMMAND_LINE, "MECH", "no-thing", name=quoted(thing), nearest=near)


def only_one(thing: str, game: str, source: Path | None) -> Constructed:
    """The one build of a thing. Raises ``InvalidSource`` for several."""
    found = constructed([thing], game, source)
    if len(found) != 1:
        raise error_at(COMMAND_LINE, "BUILD", "not-one", thing=thing, count=len(found))
    return found[0]


def _deck_of(
    thing: str, game: str, source: Path | None
) -> tuple[Game, str, tuple[DeckCard, ...], Mapping[str, int]]:
    """The deck of a mech or build, or a printed deck: its game, its name, its cards, and the
    figures of whoever has it. Raises ``InvalidSource``."""
    if not is_build_file(thing):
        for folder in chosen_games([game] if game else [], source):
            played = _opened(folder, {}).played
            name = resolve_name(played, "deck", thing)
            if played.deck_cards(name) and name not in played.mechs:
                return played, name, played.deck_cards(name), {}
    found = only_one(thing, game, source)
    loadout = _loadout_of(found)
    return found.project.played, found.title, loadout.deck, loadout.figures


def _loadout_of(one: Constructed) -> Loadout:
    """What a build plays with. Raises ``InvalidSource``."""
    played = one.project.played
    if one.code:
        return printed_loadout(played, one.code, one.variant)
    check_frame(played, one.project.book, one.build)
    return built_loadout(played, one.build)


def share(things: Several, *, game: Named = "", source: Named | None = None) -> tuple[Shared, ...]:
    """Builds as lines of at most 300 letters, and as files of builds have them.

    A thing is a mech, ``CODE`` or ``CODE:VARIANT``, the path of a file of builds, ``-`` for
    standard input, or such a line. Raises ``InvalidSource``.
    """
    found = constructed(names(things), os.fspath(game), path_of(source))
    return tuple(
        Shared(
            one.build.name,
            write_line(one.project.game, one.build),
            entry_text(one.project.game, one.build),
            one.build.has_parts,
        )
        for one in found
    )


def fits(
    thing: Named,
    parts: Several = (),
    options: CheckOptions | None = None,
    *,
    by: Several = ("rank", "kinds", "range"),
    game: Named = "",
    source: Named | None = None,
) -> Fits:
    """What can still be mounted on a build, in some parts or in all, and why the rest cannot.

    What is broken already is not held against a card. ``by`` are fields of cards to sort by. Raises
    ``InvalidSource``, also where the thing is several builds.
    """
    one = only_one(os.fspath(thing), os.fspath(game), path_of(source))
    options = of_boxes(one.project.game, options)
    return fits_of(one.project.game, one.project.book, one.build, names(parts), names(by), options)


def odds(
    thing: Named,
    cards: Several = (),
    *,
    hand: int | None = None,
    turn: int | None = None,
    game: Named = "",
    source: Named | None = None,
) -> chances.DeckOdds:
    """Chances to hold cards of a build's or mech's deck, or of a printed deck, by draw; exact.

    Without ``cards`` of all. ``hand`` and ``turn`` are how many are drawn, by default what the game
    says. Raises ``InvalidSource``.
    """
    played, name, deck, figures = _deck_of(os.fspath(thing), os.fspath(game), path_of(source))
    return chances.deck_odds(played, name, deck, dict(figures), names(cards), hand, turn)


def compare(
    things: Several, *, game: Named = "", source: Named | None = None, language: str = "ja"
) -> comparing.Comparison:
    """Builds of one game side by side: figures, damage by distance of all mounted, decks by kind.

    Raises ``InvalidSource``.
    """
    found = constructed(names(things), os.fspath(game), path_of(source))
    games = dict.fromkeys(one.project.game.id for one in found)
    if len(games) != 1:
        raise error_at(COMMAND_LINE, "COMPARE", "several-games", games=", ".join(games))
    project = found[0].project
    loadouts, titles = [_loadout_of(one) for one in found], [one.title for one in found]
    return comparing.compare(project.played, project.book, titles, loadouts, language)


def write_mended(file: Named, suggestions: Iterable[Suggestion]) -> Mended:
    """Write the first way of each suggestion: into a YAML file, what stays keeps its lines and
    remarks; of a table or a list into ``NAME_mended.yaml`` beside it.

    The suggestions are those of this file, in its order. Raises ``InvalidSource``, also for files
    of other sorts, where the file beside exists, and where not all of a file could be read.
    """
    path, ending = Path(file), Path(file).suffix.lower()
    where = SourceLocation(str(path))
    if ending not in PLAYERS_FILES:
        raise error_at(where, "SUGGEST", "not-in-place", thing=str(path))
    found = list(suggestions)
    builds = tuple(one.mending.build for one in found if _is_mended(one))
    if not builds:
        return Mended(path, builds)
    if ending in DOCUMENTS:
        before = decode(read_bytes(path, str(path), MAX_PLAYERS), str(path))
        text = _mended_document(before, found)
        if text is None:
            raise error_at(where, "SUGGEST", "not-read-whole")
        write_whole({path: text.encode()})
        return Mended(path, builds)
    beside = path.with_name(f"{path.stem}_mended.yaml")
    if any(one.verdict.reasons for one in found):
        raise error_at(where, "SUGGEST", "not-read-whole")
    if beside.exists():
        raise error_at(where, "SUGGEST", "copy-exists", copy=str(beside))
    write_whole({beside: _as_document(found).encode()})
    return Mended(beside, builds)


def _is_mended(one: Suggestion) -> bool:
    """Whether there is anything to write: changes after which it is legal."""
    return bool(one.legal and one.mending.changes)


def _after(one: Suggestion) -> Build:
    """An entry as it is after its first way."""
    if not _is_mended(one):
        return one.entry
    return replace(one.mending.build, loose=())


def _mended_document(text: str, found: Sequence[Suggestion]) -> str | None:
    """The YAML of some builds; nothing where it is not the text of just these."""
    each = documents(text)
    if len(each) != len(found):
        return None
    first = 1
    for number, (document, one) in enumerate(zip(each, found, strict=True)):
        if _is_mended(one):
            game = one.verdict.brought[0].game
            known = partial(resolve_word, game)
            each[number] = rewritten(document, first, game, one.entry, _after(one), known)
        first += document.count("\n")
    return "".join(each)


def _as_document(found: Sequence[Suggestion]) -> str:
    """All builds of a file as YAML."""
    each = (entry_text(one.verdict.brought[0].game, _after(one)) for one in found)
    return "---\n".join(each)
