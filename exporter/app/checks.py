"""Check games and players' builds against the rules, and find changes that mend builds."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from exporter.app.games import NameOrPath, Several, day, names, open_folder, path_of, stationery
from exporter.core.file_writer import write_whole
from exporter.core.problems import Faults, Problem, SourceLocation, error_at, errors
from exporter.core.source_files import PLAYERS_FILES
from exporter.loader import is_build_file
from exporter.loader.game_folders import find_game, source_folders
from exporter.loader.player_files import find_named_game, named_game, read_players_builds
from exporter.model import Build, Game
from exporter.model.game_names import resolve_name
from exporter.rooms.seats import owned_editions
from exporter.rules.project import Project
from exporter.rules.report import check_report
from exporter.rules.report.suggesting import Suggestion, suggestions
from exporter.rules.report.verdicts import CheckOptions
from exporter.rules.written_builds import build_text, called_in_codes

if TYPE_CHECKING:
    from exporter.app.dry_run import DryRun


class Checked(Struct, frozen=True):
    """A check of games and builds: a report a game, what planning met, and every problem once.

    The ``problems`` are sorted, with warnings and notices among them.
    """

    reports: tuple[check_report.Report, ...]
    dry_runs: tuple[DryRun, ...]
    problems: tuple[Problem, ...]
    submitted: tuple[tuple[Game, Build], ...] = ()

    @property
    def passed(self) -> bool:
        """Whether there is no error; what could not be judged is one."""
        return not errors(self.problems)

    @property
    def texts(self) -> tuple[str, ...]:
        """The builds that could be read whole, each as a document of a file of builds."""
        return tuple(build_text(game, one) for game, one in self.submitted if not one.unread)


class Suggested(Struct, frozen=True):
    """A suggestion for each build that could be read, and what is wrong with the files."""

    suggestions: tuple[Suggestion, ...]
    problems: tuple[Problem, ...]

    @property
    def all_legal(self) -> bool:
        """Whether every build is legal, or would be once its suggestion is followed."""
        return not self.problems and all(one.legal for one in self.suggestions)


class Mended(Struct, frozen=True):
    """The ``file`` that was written, where any was, and the builds and decks that changed."""

    file: Path
    builds: tuple[Build, ...]


class _OpenedGame(Struct):
    """A game to check, as a ``whole``, and files of builds for it."""

    project: Project
    whole: bool
    files: list[Path] = []

    @property
    def names(self) -> tuple[str, str]:
        """What files of builds and lines call it."""
        return self.project.game.id, called_in_codes(self.project.game)

    def builds(self, problems: list[Problem]) -> list[Build]:
        """Read the builds as far as they can be; the faults of their files go to ``problems``."""
        found = [read_players_builds(self.project, path) for path in self.files]
        problems += [problem for _, wrong in found for problem in wrong]
        return [build for builds, _ in found for build in builds]


def _open_games(
    things: Several, source: NameOrPath | None, faults: Faults, *, with_cases: bool = False
) -> list[_OpenedGame]:
    """Open what is named: games by name or folder, and files of builds by their path.

    A file that names no game belongs to the only one that is named. What cannot be found or read
    is left out, and its problems go to ``faults``.
    """
    folders = source_folders(path_of(source))
    whole: list[Path] = []
    games: dict[Path, _OpenedGame] = {}
    for thing in names(things):
        with faults.collect():
            if not is_build_file(thing):
                whole.append(find_game(thing, folders))
                games[whole[-1]] = _OpenedGame(open_folder(whole[-1], with_cases=with_cases), True)
    for path in map(Path, filter(is_build_file, names(things))):
        with faults.collect():
            named = named_game(path)
            game = "" if isinstance(named, Problem) else named[0]
            home = next((one for one, found in games.items() if game in found.names), None)
            if home is None and not game and len(whole) == 1:
                home = whole[0]
            if home is None:
                home = find_named_game(named, folders)
            if home not in games:
                games[home] = _OpenedGame(open_folder(home), False)
            games[home].files.append(path)
    return list(games.values())


def check(
    things: Several,
    options: CheckOptions | None = None,
    *,
    source: NameOrPath | None = None,
    with_cases: bool = False,
    looks: bool = False,
    together: bool = False,
) -> Checked:
    """Hold games and players' builds against the rules, and plan all rooms and sheets.

    A thing is a game, or the path of a file of builds, ``.yaml`` or ``.csv``. With cases, what the
    games' own examples claim is tried; with ``looks``, also what on paper is hard to read;
    ``together``, that the boxes owned lack cards for all these builds at one table.
    Nothing is raised for faults of data or options: they are ``problems`` of the value.
    """
    from exporter.app.dry_run import with_dry_runs

    faults, papers = Faults(), stationery()
    reports: list[check_report.Report] = []
    dry_runs: list[DryRun] = []
    submitted: list[tuple[Game, Build]] = []
    for one in _open_games(things, source, faults, with_cases=with_cases):
        project, builds = one.project, one.builds(faults.problems)
        faults.problems += project.problems
        submitted += [(project.game, build) for build in builds]
        with faults.collect():
            own = options_for(project.game, options)
            report = check_report.check(
                project, builds, own, own_data=one.whole, with_cases=with_cases
            )
            if project.sound:
                report, more = with_dry_runs(report, project, papers, whole=one.whole, looks=looks)
                dry_runs += more
            reports.append(report)
            faults.problems += report.all_problems
            if together and project.sound:
                loadouts = check_report.loadouts_of(project.game, builds)
                faults.problems += check_report.missing_cards(
                    project.game, project.book, loadouts, own.boxes
                )
    problems = tuple(sorted(set(faults.problems)))
    return Checked(tuple(reports), tuple(dry_runs), problems, tuple(submitted))


def suggest(
    things: Several, options: CheckOptions | None = None, *, source: NameOrPath | None = None
) -> Suggested:
    """Find the smallest changes that make each build legal, moves before removals.

    A thing is a file of builds, or the game of those files that name none. Raises ``InvalidSource``
    for faults of games and options; those of files are ``problems`` of the value.
    """
    faults = Faults()
    found = _open_games(things, source, faults)
    faults.problems += (problem for one in found for problem in one.project.problems)
    faults.stop_if_any()
    suggested: list[Suggestion] = []
    problems: list[Problem] = []
    for one in found:
        builds = one.builds(problems)
        with faults.collect():
            own = options_for(one.project.game, options)
            suggested += suggestions(one.project, builds, own)
    faults.stop_if_any()
    return Suggested(tuple(suggested), tuple(sorted(problems)))


def options_for(game: Game, options: CheckOptions | None) -> CheckOptions:
    """Return options with the boxes as a game writes them, by default those for all boxes.

    Raises ``ValueError`` for a day that is none, and ``InvalidSource`` for boxes that are unknown,
    or need others.
    """
    options = options or CheckOptions()
    owned_editions(game, options.boxes)
    boxes = tuple(resolve_name(game, "edition", box) for box in options.boxes)
    return replace(options, on=day(options.on), boxes=boxes)


def write_mended(file: NameOrPath, suggestions: Iterable[Suggestion]) -> Mended:
    """Write the first way of each suggestion into ``NAME_mended.yaml`` beside a file of builds, a
    table or a list, which stays as it is.

    The suggestions are those of this file, in its order. Raises ``InvalidSource``, also for files
    of other sorts, where the file beside exists, and where not all of a file could be read.
    """
    path = Path(file)
    where, beside = SourceLocation(str(path)), path.with_name(f"{path.stem}_mended.yaml")
    if path.suffix.lower() not in PLAYERS_FILES:
        raise error_at(where, "SUGGEST", "not-in-place", thing=str(path))
    found = list(suggestions)
    builds = tuple(one.mending.build for one in found if _is_mended(one))
    if not builds:
        return Mended(path, builds)
    if any(one.verdict.reasons for one in found):
        raise error_at(where, "SUGGEST", "not-read-whole")
    if beside.exists():
        raise error_at(where, "SUGGEST", "copy-exists", copy=str(beside))
    after = ((one, one.mending.build if _is_mended(one) else one.build) for one in found)
    each = (build_text(one.verdict.brought[0].game, build) for one, build in after)
    write_whole({beside: "---\n".join(each).encode()})
    return Mended(beside, builds)


def _is_mended(one: Suggestion) -> bool:
    """Return whether there is anything to write: changes after which it is legal."""
    return bool(one.legal and one.mending.changes)
