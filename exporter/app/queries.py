"""Queries about games, builds, decks and zips: explain, share, fits, odds, compare, verify."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from exporter.app import games
from exporter.app.checks import options_for
from exporter.app.games import NameOrPath, Several, folder_of, game_folder, names, path_of
from exporter.core.messages import LANGUAGES
from exporter.core.names import index
from exporter.core.problems import (
    COMMAND_LINE,
    Faults,
    Problem,
    error_at,
    near_names,
    quoted,
    stop_for_errors,
)
from exporter.loader import is_build_file
from exporter.loader.game_folders import chosen_games
from exporter.loader.player_files import read_players_builds
from exporter.model import Build, Loadout
from exporter.model.game_names import name_index, resolve_mech, resolve_name
from exporter.rules.loadouts import (
    built_loadout,
    find_mech,
    find_variant,
    printed_loadout,
    published,
)
from exporter.rules.project import Project
from exporter.rules.report import chances, comparing, explanations
from exporter.rules.report.explanations import Explanation, GameTexts, labelled
from exporter.rules.report.fits import Fits, fits_of
from exporter.rules.report.verdicts import CheckOptions, refuse_unknown_frame
from exporter.rules.written_builds import build_text, write_line


class Shared(Struct, frozen=True):
    """A build by its ``name``: as one ``line``, and as the ``text`` of a file."""

    name: str
    line: str
    text: str


class _FoundBuild(Struct, frozen=True):
    """A build and the game it is for; a printed mech by its ``code``, with its ``variant``."""

    project: Project
    build: Build
    code: str = ""
    variant: str = ""

    @property
    def title(self) -> str:
        """As people tell it from others."""
        return f"{self.code}:{self.variant} {self.build.name}" if self.code else self.build.name

    def loadout(self) -> Loadout:
        """Return what it plays with. Raises ``InvalidSource``."""
        played = self.project.played
        if self.code:
            return printed_loadout(played, self.code, self.variant)
        refuse_unknown_frame(played, self.project.book, self.build)
        return built_loadout(played, self.build)


class _BuildFinder:
    """Finds the builds that words name; a ``game`` is opened once. All raise ``InvalidSource``."""

    def __init__(self, game: NameOrPath, source: NameOrPath | None) -> None:
        self.game, self.source = os.fspath(game), path_of(source)
        self.known: dict[Path, Project] = {}

    def named(self, things: Iterable[str]) -> list[_FoundBuild]:
        """Find mechs, ``CODE`` or ``CODE:VARIANT``, and the builds of files and lines."""
        found: list[_FoundBuild] = []
        for thing in things:
            if not is_build_file(thing):
                found.append(self._printed(thing))
                continue
            one = self._opened(game_folder(Path(thing), self.game, self.source))
            builds, wrong = read_players_builds(one, Path(thing))
            stop_for_errors(wrong)
            found += [_FoundBuild(one, build) for build in builds]
        return found

    def only(self, thing: NameOrPath) -> _FoundBuild:
        """Find the one build of a thing, which several are not."""
        found = self.named([os.fspath(thing)])
        if len(found) != 1:
            raise error_at(COMMAND_LINE, "BUILD", "not-one", thing=thing, count=len(found))
        return found[0]

    def games(self) -> Iterator[Project]:
        """Open the game that is named or the only one that others named, else all there are."""
        folders: Iterable[Path] = self.known
        if self.game or len(self.known) != 1:
            folders = chosen_games([self.game] if self.game else [], self.source)
        yield from map(self._opened, list(folders))

    def _opened(self, folder: Path) -> Project:
        if folder not in self.known:
            self.known[folder] = games.open_folder(folder)
        return self.known[folder].without_problems()

    def _printed(self, thing: str) -> _FoundBuild:
        projects = list(self.games())
        for project in projects:
            code, _, variant = resolve_mech(project.game, thing).partition(":")
            if code in project.game.mechs:
                mech, chosen = find_mech(project.game, code), find_variant(project.game, variant)
                build = published(project.game, mech, chosen)
                return _FoundBuild(project, build, mech.code, chosen.id)
        each = (name_index(project.game, "mech").things.values() for project in projects)
        near = near_names(index(one for mechs in each for one in mechs), thing)
        raise error_at(COMMAND_LINE, "MECH", "no-thing", name=quoted(thing), nearest=near)


def open_game(game: NameOrPath, *, source: NameOrPath | None = None) -> Project:
    """Return a game with its rules and cases, as printed: ``game`` holds its cards, ``book`` its
    rules.

    Raises ``InvalidSource`` with every fault of every file.
    """
    return games.open_folder(folder_of(game, source), with_cases=True).without_problems()


def explain(
    thing: NameOrPath,
    figure: str = "",
    *,
    given: Mapping[str, str] | None = None,
    game: NameOrPath = "",
    source: NameOrPath | None = None,
    language: str = "ja",
) -> tuple[Explanation, ...]:
    """Say why: a rule, card, mech, figure, erratum, ruling or regulation, or each build of a file.

    What is ``given`` is a situation, such as ``{"枚数": "3"}``, for a rule of play to say what
    comes of it. With a ``figure``, its terms for a mech or a build; for a card, its damage by
    distance. Where no ``game`` is named, it is looked for in all. Raises ``InvalidSource`` for
    what is nowhere, or in several games. ``language`` is ``ja`` or ``en``.
    """
    if language not in LANGUAGES:
        raise ValueError(f"Found the language {language!r}; allowed: {LANGUAGES}.")
    thing = os.fspath(thing)
    if is_build_file(thing) and not given:
        found = []
        for one in _BuildFinder(game, source).named([thing]):
            texts = GameTexts(one.project, language)
            found.append(labelled(texts, explanations.explain_build(texts, one.build, figure)))
        return tuple(found)
    texts = _texts_with(_texts_of_games(os.fspath(game), path_of(source), language), thing)
    if given:
        return (labelled(texts, explanations.explain_situation(texts, thing, given)),)
    return (labelled(texts, explanations.explain(texts, thing, figure)),)


def _texts_of_games(game: str, source: Path | None, language: str) -> list[GameTexts]:
    """Open the game in which to look; where none is named, all that can be read."""
    folders, faults = chosen_games([game] if game else [], source), Faults()
    found = []
    for folder in folders:
        with faults.collect():
            project = games.open_folder(folder, with_cases=True)
            faults.problems += project.problems
            found.append(GameTexts(project, language))
    if len(folders) == 1:
        faults.stop_if_any()
    return found


def _texts_with(many: list[GameTexts], thing: str) -> GameTexts:
    """Return the one game with a thing. Raises ``InvalidSource`` where none or several have it."""
    having = [one for one in many if len(many) == 1 or explanations.knows(one, thing)]
    if len(having) == 1:
        return having[0]
    ids = [one.project.game.id for one in having or many]
    found = {"thing": thing, "names": ", ".join(ids)}
    if thing in ids:
        raise error_at(COMMAND_LINE, "EXPLAIN", "is-game", game=thing)
    if having:
        raise error_at(COMMAND_LINE, "EXPLAIN", "several", **found, first=ids[0])
    each = (explanations.names_of(one).things.values() for one in many)
    near = near_names(index(one for things in each for one in things), thing)
    raise error_at(COMMAND_LINE, "EXPLAIN", "nowhere", **found, nearest=near)


def share(
    things: Several, *, game: NameOrPath = "", source: NameOrPath | None = None
) -> tuple[Shared, ...]:
    """Return builds as lines of at most 300 letters, and as files of builds have them.

    A thing is a mech, ``CODE`` or ``CODE:VARIANT``, the path of a file of builds, or such a
    line. Raises ``InvalidSource``.
    """
    found = (
        (one.project.game, one.build) for one in _BuildFinder(game, source).named(names(things))
    )
    return tuple(
        Shared(build.name, write_line(game, build), build_text(game, build))
        for game, build in found
    )


def fits(
    thing: NameOrPath,
    parts: Several = (),
    options: CheckOptions | None = None,
    *,
    by: Several = ("rank", "kinds", "range"),
    game: NameOrPath = "",
    source: NameOrPath | None = None,
) -> Fits:
    """Return what can still be mounted on a build, in some parts or in all, and why the rest
    cannot.

    What is broken already is not held against a card. ``by`` are fields of cards to sort by. Raises
    ``InvalidSource``, also where the thing is several builds.
    """
    one = _BuildFinder(game, source).only(thing)
    options = options_for(one.project.game, options)
    return fits_of(one.project, one.build, names(parts), names(by), options)


def odds(
    thing: NameOrPath,
    cards: Several = (),
    *,
    hand: int | None = None,
    turn: int | None = None,
    game: NameOrPath = "",
    source: NameOrPath | None = None,
) -> chances.DeckOdds:
    """Return chances to hold cards of a build's or mech's deck, or of a printed deck, by draw;
    exact.

    Without ``cards`` of all. ``hand`` and ``turn`` are how many are drawn, by default what the game
    says. Raises ``InvalidSource``.
    """
    builds = _BuildFinder(game, source)
    for project in [] if is_build_file(os.fspath(thing)) else builds.games():
        played = project.played
        name = resolve_name(played, "deck", os.fspath(thing))
        if played.deck_cards(name) and name not in played.mechs:
            deck = played.deck_cards(name)
            return chances.deck_odds(played, name, deck, {}, names(cards), hand, turn)
    found = builds.only(thing)
    played, loadout = found.project.played, found.loadout()
    figures = dict(loadout.figures)
    return chances.deck_odds(played, found.title, loadout.deck, figures, names(cards), hand, turn)


def compare(
    things: Several,
    *,
    game: NameOrPath = "",
    source: NameOrPath | None = None,
    language: str = "ja",
) -> comparing.Comparison:
    """Return builds of one game side by side: figures, damage by distance of all mounted, decks by
    kind.

    Raises ``InvalidSource``.
    """
    found = _BuildFinder(game, source).named(names(things))
    ids = dict.fromkeys(one.project.game.id for one in found)
    if len(ids) != 1:
        raise error_at(COMMAND_LINE, "COMPARE", "several-games", games=", ".join(ids))
    project = found[0].project
    loadouts, titles = [one.loadout() for one in found], [one.title for one in found]
    return comparing.compare(project.played, project.book, titles, loadouts, language)


def verify(zip: bytes | NameOrPath, name: str = "") -> tuple[Problem, ...]:
    """Return what Udonarium would drop, hide or stumble over in a room zip, by whomever, sorted by
    place.

    Places are ``name/entry:line:column``; ``name`` is the path unless given. Nothing is raised for
    what the zip holds.
    """
    from exporter.udonarium.verify import verify_zip

    return verify_zip(zip if isinstance(zip, bytes) else Path(zip), name)
