"""Builds that somebody asks about: a printed mech, a file, standard input, a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from exporter.app.project import (
    Opened,
    game_folder,
    open_entries,
    open_game,
)
from exporter.core.names import index
from exporter.core.problems import (
    COMMAND_LINE,
    InvalidSource,
    error_at,
    near_names,
    quoted,
)
from exporter.loader import is_build_file
from exporter.loader.game_folders import chosen_games
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
from exporter.model.player_builds import Submission
from exporter.rules.errata import corrected
from exporter.rules.loadouts import (
    built_loadout,
    find_mech,
    find_variant,
    printed_loadout,
    published,
    with_decks,
)
from exporter.rules.report.verdicts import check_frame


class Constructed(Struct, frozen=True):
    """A build and the game it is for; a printed mech by its ``code``, with its ``variant``."""

    opened: Opened
    entry: Submission
    code: str = ""
    variant: str = ""

    @property
    def build(self) -> Build:
        """What is constructed."""
        return self.entry.build

    @property
    def title(self) -> str:
        """As people tell it from others."""
        return f"{self.code}:{self.variant} {self.build.name}" if self.code else self.build.name


def constructed(things: Iterable[str], game: str, source: Path | None) -> list[Constructed]:
    """The builds that words name: mechs, ``CODE`` or ``CODE:VARIANT``, and what gives builds.

    Raises ``InvalidSource`` for faults of games, and of builds that cannot be read whole.
    """
    opened: dict[Path, Opened] = {}
    found: list[Constructed] = []
    for thing in things:
        if not is_build_file(thing):
            found.append(_printed(thing, _games(game, source, opened)))
            continue
        path = Path(thing)
        one = _opened(game_folder(path, game, source), opened)
        entries, wrong = open_entries(one, path)
        if wrong:
            raise InvalidSource(wrong)
        found += [Constructed(one, entry) for entry in entries]
    return found


def _opened(folder: Path, known: dict[Path, Opened]) -> Opened:
    """A game without faults, opened once. Raises ``InvalidSource``."""
    if folder not in known:
        known[folder] = open_game(folder)
    if known[folder].problems:
        raise InvalidSource(known[folder].problems)
    return known[folder]


def _games(game: str, source: Path | None, known: dict[Path, Opened]) -> list[Opened]:
    """The game that is named or the only one that others named, else all there are."""
    if not game and len(known) == 1:
        return list(known.values())
    return [_opened(folder, known) for folder in chosen_games([game] if game else [], source)]


def _printed(thing: str, games: list[Opened]) -> Constructed:
    """A printed mech with its loadout. Raises ``InvalidSource``."""
    for opened in games:
        code, _, variant = mech_meant(opened.game, thing).partition(":")
        if code in opened.game.mechs:
            mech, chosen = find_mech(opened.game, code), find_variant(opened.game, variant)
            build = published(opened.game, mech, chosen)
            return Constructed(opened, Submission(build=build), mech.code, chosen.id)
    mechs = index(
        one for opened in games for one in name_index(opened.game, "mech").things.values()
    )
    near = near_names(mechs, thing)
    raise error_at(COMMAND_LINE, "MECH", "no-thing", name=quoted(thing), nearest=near)


def only_one(thing: str, game: str, source: Path | None) -> Constructed:
    """The one build of a thing. Raises ``InvalidSource`` for several."""
    found = constructed([thing], game, source)
    if len(found) != 1:
        raise error_at(COMMAND_LINE, "BUILD", "not-one", thing=thing, count=len(found))
    return found[0]


class OfDeck(Struct, frozen=True):
    """A deck by its name, the game it is of, and the figures of whoever has it."""

    game: Game
    name: str
    deck: tuple[DeckCard, ...]
    figures: Mapping[str, int]


def deck_of(thing: str, game: str, source: Path | None) -> OfDeck:
    """The deck of a mech or build, or a printed deck. Raises ``InvalidSource``."""
    if not is_build_file(thing):
        folders = chosen_games([game] if game else [], source)
        for folder in folders:
            own = with_decks(corrected(_opened(folder, {}).game))
            name = resolve_name(own, "deck", thing)
            if own.deck_cards(name) and name not in own.mechs:
                return OfDeck(own, name, own.deck_cards(name), {})
    found = only_one(thing, game, source)
    own = with_decks(corrected(found.opened.game))
    loadout = loadout_of(own, found)
    return OfDeck(own, found.title, loadout.deck, loadout.figures)


def loadout_of(game: Game, one: Constructed) -> Loadout:
    """What a build plays with, in a game with its errata and decks. Raises ``InvalidSource``."""
    if one.code:
        return printed_loadout(game, one.code, one.variant)
    check_frame(game, one.opened.book, one.build)
    return built_loadout(game, one.build)
