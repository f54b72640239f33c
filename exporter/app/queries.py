"""Questions about games, files of builds and zips, and their answers as values."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from exporter.app import project as projects
from exporter.app.arguments import (
    Named,
    Several,
    day,
    folder_of,
    folders_of,
    names,
    path_of,
    stationery,
)
from exporter.app.project import (
    game_folder,
)
from exporter.core.messages import LANGUAGES
from exporter.core.names import index
from exporter.core.problems import (
    COMMAND_LINE,
    Faults,
    InvalidSource,
    Problem,
    errors,
    near_names,
    problem_at,
)
from exporter.loader import (
    is_build_file,
)
from exporter.loader.game_folders import (
    chosen_games,
    find_game,
    source_folders,
)
from exporter.loader.player_files import find_named_game, named_game, read_entries
from exporter.model import Game
from exporter.model.called import resolve_name
from exporter.model.mech import Build
from exporter.rooms.room_orders import owned_editions
from exporter.rules.build_codes import called_in_codes
from exporter.rules.project import Project
from exporter.rules.report import (
    check_report,
    named_things,
)
from exporter.rules.report.explanations import (
    Explanation,
    Library,
    explain_build,
    explain_figure_of_build,
)
from exporter.rules.report.one_table import (
    loadouts_of,
    missing_cards,
)
from exporter.rules.report.suggesting import (
    Suggestion,
    suggestions,
)
from exporter.rules.report.verdicts import CheckOptions
from exporter.rules.written_builds import (
    entry_text,
    printed_deck,
)

if TYPE_CHECKING:
    from exporter.app.dry_run import DryRun


class Checked(Struct, frozen=True):
    """A check of games and builds: a report a game, what planning met, and every problem once.

    The ``problems`` are sorted, with warnings and notices among them.
    """

    reports: tuple[check_report.Report, ...]
    rehearsals: tuple[DryRun, ...]
    problems: tuple[Problem, ...]
    submitted: tuple[tuple[Game, Build], ...] = ()

    @property
    def passed(self) -> bool:
        """Whether there is no error; what could not be judged is one."""
        return not errors(self.problems)

    @property
    def texts(self) -> tuple[str, ...]:
        """The builds that could be read whole, each as a document of a file of builds."""
        return tuple(entry_text(game, one) for game, one in self.submitted if not one.unread)


class Suggested(Struct, frozen=True):
    """A suggestion for each build that could be read, and what is wrong with the files."""

    suggestions: tuple[Suggestion, ...]
    problems: tuple[Problem, ...]

    @property
    def all_legal(self) -> bool:
        """Whether every build is legal, or would be once its suggestion is followed."""
        return not self.problems and all(one.legal for one in self.suggestions)


class Listed(Struct, frozen=True):
    """Games as plain values, those that ``exporter list --format json`` shows, and their faults."""

    games: tuple[dict[str, Any], ...]
    problems: tuple[Problem, ...]


class Asked(Struct, frozen=True):
    """The games that are named, or that the named files of builds are for, by their folders.

    ``whole`` are those that are named themselves, ``files`` the files of builds of each game,
    ``problems`` what kept the others from being found or read.
    """

    games: Mapping[Path, Project]
    whole: tuple[Path, ...]
    files: Mapping[Path, Sequence[Path]]
    problems: tuple[Problem, ...]

    def entries(self, folder: Path) -> tuple[list[Build], list[Problem]]:
        """The builds for a game as far as they can be read, and the faults of their files."""
        entries: list[Build] = []
        problems: list[Problem] = []
        for path in self.files.get(folder, ()):
            found, wrong = read_entries(self.games[folder], path)
            entries += found
            problems += wrong
        return entries, problems


def asked(things: Iterable[str], source: Path | None, *, with_cases: bool = False) -> Asked:
    """What is named: games by name or folder, and files of builds by their path.

    A file that names no game belongs to the only one that is named.
    """
    folders = source_folders(source)
    things = tuple(things)
    whole: list[Path] = []
    games: dict[Path, Project] = {}
    files: dict[Path, list[Path]] = {}
    faults = Faults()
    for thing in things:
        if not is_build_file(thing):
            with faults.gathered():
                whole.append(find_game(thing, folders))
    for folder in whole:
        with faults.gathered():
            games[folder] = projects.open_game(folder, with_cases=with_cases)
    for path in map(Path, filter(is_build_file, things)):
        with faults.gathered():
            named = named_game(path)
            game = named[0] if isinstance(named, tuple) else ""
            known = {
                one: (found.game.id, called_in_codes(found.game)) for one, found in games.items()
            }
            home = next((one for one, names in known.items() if game in names), None)
            if home is None and not game and len(whole) == 1:
                home = whole[0]
            if home is None:
                home = find_named_game(path, folders)
                if home not in games:
                    games[home] = projects.open_game(home)
            files.setdefault(home, []).append(path)
    return Asked(games, tuple(whole), files, tuple(faults.problems))


def open_game(game: Named, *, source: Named | None = None) -> Project:
    """A game with its rules and cases, as printed: ``game`` holds its cards, ``book`` its rules.

    Raises ``InvalidSource`` with every fault of every file.
    """
    found = projects.open_game(folder_of(game, source), with_cases=True)
    if found.problems:
        raise InvalidSource(found.problems)
    return found


def list_games(games: Several, *, source: Named | None = None) -> Listed:
    """What games have: rooms, seats, mechs, boards, sheets, rules and samples, by their ids.

    Raises ``InvalidSource`` for what is no game; of one with faults, what can be read is listed.
    """
    from exporter.app.listing import game_listing
    from exporter.loader.print_job_files import read_jobs

    papers = stationery()
    faults = Faults()
    listings = []
    for folder in folders_of(games, source):
        with faults.gathered():
            project = projects.open_game(folder)
            faults.problems += project.problems
            jobs = read_jobs(folder, project.game, papers).values()
            listings.append(game_listing(project, jobs))
    return Listed(tuple(listings), tuple(faults.problems))


def deck_text(game: Named, deck: str, *, source: Named | None = None) -> str:
    """A printed deck as the file of a player who brings it. Raises ``InvalidSource``."""
    found = projects.open_game(folder_of(game, source)).corrected
    return entry_text(found, printed_deck(found, deck))


def check(
    things: Several,
    options: CheckOptions | None = None,
    *,
    source: Named | None = None,
    with_cases: bool = False,
    looks: bool = False,
    together: bool = False,
) -> Checked:
    """Hold games and players' builds against the rules, and plan all rooms and sheets.

    A thing is a game, or the path of a file of builds, ``.yaml`` or ``.csv``. With cases, what the
    games' own examples claim is tried; with ``looks``, what on paper is hard to read is told too;
    ``together``, that the boxes owned lack cards for all these builds at one table.
    Nothing is raised for faults of data or options: they are ``problems`` of the value.
    """
    from exporter.app.dry_run import with_rehearsal
    from exporter.app.print_files import usual_workroom

    options = _checked(options)
    found = asked(names(things), path_of(source), with_cases=with_cases)
    papers, room = stationery(), usual_workroom()
    faults = Faults()
    faults.problems += found.problems
    reports: list[check_report.Report] = []
    rehearsals: list[DryRun] = []
    submitted: list[tuple[Game, Build]] = []
    for folder, project in found.games.items():
        entries, wrong = found.entries(folder)
        faults.problems += (*project.problems, *wrong)
        submitted += [(project.game, entry) for entry in entries]
        whole = folder in found.whole
        with faults.gathered():
            own = of_boxes(project.game, options)
            report = check_report.check(
                project, entries, own, own_data=whole, with_cases=with_cases
            )
            if project.sound:
                report, more = with_rehearsal(
                    report, project, papers, room, whole=whole, looks=looks
                )
                rehearsals += more
            reports.append(report)
            faults.problems += report.all_problems
            if together and project.sound:
                loadouts = loadouts_of(project.game, entries)
                faults.problems += missing_cards(project.game, project.book, loadouts, own.boxes)
    problems = tuple(sorted(set(faults.problems)))
    return Checked(tuple(reports), tuple(rehearsals), problems, tuple(submitted))


def explain(
    thing: Named,
    figure: str = "",
    *,
    given: Mapping[str, str] | None = None,
    game: Named = "",
    source: Named | None = None,
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
    thing, game, folders = os.fspath(thing), os.fspath(game), path_of(source)
    if given:
        lib = _having(_libraries(game, folders, language), thing)
        return (named_things.explain_situation(lib, thing, given),)
    if not is_build_file(thing):
        lib = _having(_libraries(game, folders, language), thing)
        return (named_things.explain(lib, thing, figure),)
    path = Path(thing)
    project = projects.open_game(game_folder(path, game, folders))
    entries, wrong = read_entries(project, path)
    if project.problems or wrong:
        raise InvalidSource([*project.problems, *wrong])
    lib = Library(project, language)
    return tuple(
        explain_figure_of_build(lib, entry, figure, entry.name)
        if figure
        else explain_build(lib, entry)
        for entry in entries
    )


def _libraries(game: str, source: Path | None, language: str) -> list[Library]:
    """The game in which to look; where none is named, all that can be read."""
    folders = chosen_games([game] if game else [], source)
    found = []
    for folder in folders:
        try:
            project = projects.open_game(folder, with_cases=True)
        except InvalidSource:
            if len(folders) == 1:
                raise
            continue
        if project.problems and len(folders) == 1:
            raise InvalidSource(project.problems)
        found.append(Library(project, language))
    return found


def _having(libraries: Sequence[Library], thing: str) -> Library:
    """The one game that has a thing. Raises ``InvalidSource`` where none or several have it."""
    if len(libraries) == 1:
        return libraries[0]
    having = [library for library in libraries if named_things.knows(library, thing)]
    if len(having) == 1:
        return having[0]
    names = ", ".join(library.project.game.id for library in having or libraries)
    if having:
        first = having[0].project.game.id
        problem = problem_at(
            COMMAND_LINE, "EXPLAIN", "several", thing=thing, names=names, first=first
        )
    else:
        each = (
            thing
            for library in libraries
            for thing in named_things.names_of(library).things.values()
        )
        near = near_names(index(each), thing)
        problem = problem_at(
            COMMAND_LINE, "EXPLAIN", "nowhere", thing=thing, names=names, nearest=near
        )
    raise InvalidSource([problem])


def suggest(
    things: Several, options: CheckOptions | None = None, *, source: Named | None = None
) -> Suggested:
    """Find the smallest changes that make each build legal, moves before removals.

    A thing is a file of builds, or the game of those files that name none. Raises ``InvalidSource``
    for faults of games and options; those of files are ``problems`` of the value.
    """
    options = _checked(options)
    found = asked(names(things), path_of(source))
    faults = Faults()
    faults.problems += found.problems
    for project in found.games.values():
        faults.problems += project.problems
    faults.stop_if_any()
    suggested: list[Suggestion] = []
    problems: list[Problem] = []
    for folder, project in found.games.items():
        entries, wrong = found.entries(folder)
        problems += wrong
        with faults.gathered():
            own = of_boxes(project.game, options)
            suggested += suggestions(project.game, project.book, entries, own)
    faults.stop_if_any()
    return Suggested(tuple(suggested), tuple(sorted(problems)))


def verify(zip: bytes | Named, name: str = "") -> tuple[Problem, ...]:
    """What Udonarium would drop, hide or stumble over in a room zip, by whomever, sorted by place.

    Places are ``name/entry:line:column``; ``name`` is the path unless given. Nothing is raised for
    what the zip holds.
    """
    from exporter.udonarium.verify import verify_zip

    return verify_zip(zip if isinstance(zip, bytes) else Path(zip), name)


def _checked(options: CheckOptions | None) -> CheckOptions:
    """Options whose day is one. Raises ``ValueError``."""
    options = options or CheckOptions()
    return replace(options, on=day(options.on))


def of_boxes(game: Game, options: CheckOptions | None) -> CheckOptions:
    """Options whose day is one, with the boxes as the game writes them. Raises ``ValueError``.

    Raises ``InvalidSource`` for boxes that are unknown, or need others.
    """
    options = _checked(options)
    owned_editions(game, options.boxes)
    return replace(
        options, boxes=tuple(resolve_name(game, "edition", box) for box in options.boxes)
    )
