"""What somebody asks about, found: games, files of builds, the game that has a thing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from exporter.app.project import (
    Opened,
    game_folder,
    open_entries,
    open_game,
    why_no_game,
)
from exporter.core.names import index
from exporter.core.problems import (
    COMMAND_LINE,
    Faults,
    InvalidSource,
    Problem,
    near_names,
    problem_at,
)
from exporter.loader import (
    find_game_said,
    game_of_builds,
    is_build_file,
)
from exporter.loader.game_folders import (
    chosen_games,
    find_game,
    source_folders,
)
from exporter.model.player_builds import Submission
from exporter.rules.build_codes import called_in_codes
from exporter.rules.report.build_explained import explain_build
from exporter.rules.report.explaining import explain_figure_of_build
from exporter.rules.report.explanations import (
    Explanation,
    Library,
    library,
)
from exporter.rules.report.named_things import (
    explain,
    explain_situation,
    knows,
    names_of,
)


class Asked(Struct, frozen=True):
    """The games that are named, or that the named files of builds are for, by their folders.

    ``whole`` are those that are named themselves, ``files`` the files of builds of each game,
    ``problems`` what kept the others from being found or read.
    """

    games: Mapping[Path, Opened]
    whole: tuple[Path, ...]
    files: Mapping[Path, Sequence[Path]]
    problems: tuple[Problem, ...]

    def entries(self, folder: Path) -> tuple[list[Submission], list[Problem]]:
        """The builds for a game as far as they can be read, and the faults of their files."""
        entries: list[Submission] = []
        problems: list[Problem] = []
        for path in self.files.get(folder, ()):
            found, wrong = open_entries(self.games[folder], path)
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
    games: dict[Path, Opened] = {}
    files: dict[Path, list[Path]] = {}
    faults = Faults()
    for thing in things:
        if not is_build_file(thing):
            with faults.gathered():
                whole.append(find_game(thing, folders))
    for folder in whole:
        with faults.gathered():
            games[folder] = open_game(folder, with_cases=with_cases)
    for path in map(Path, filter(is_build_file, things)):
        with faults.gathered():
            game = game_of_builds(path)
            known = {
                one: (found.game.id, called_in_codes(found.game)) for one, found in games.items()
            }
            home = next((one for one, names in known.items() if game in names), None)
            if home is None and not game:
                if len(whole) != 1:
                    raise InvalidSource([why_no_game(path)])
                home = whole[0]
            if home is None:
                home = find_game_said(path, game, folders)
                if home not in games:
                    games[home] = open_game(home)
            files.setdefault(home, []).append(path)
    return Asked(games, tuple(whole), files, tuple(faults.problems))


def explained(
    thing: str,
    figure: str,
    game: str,
    source: Path | None,
    language: str,
    given: Mapping[str, str] = {},
) -> tuple[Explanation, ...]:
    """What there is to say about a thing of a game, or about each build of a file.

    Raises ``InvalidSource`` where no game has it, several have it, or a file has faults.
    """
    if given:
        lib = _having(_libraries(game, source, language), thing)
        return (explain_situation(lib, thing, given),)
    if not is_build_file(thing):
        return (explain(_having(_libraries(game, source, language), thing), thing, figure),)
    path = Path(thing)
    opened = open_game(game_folder(path, game, source))
    entries, wrong = open_entries(opened, path)
    if opened.problems or wrong:
        raise InvalidSource([*opened.problems, *wrong])
    lib = library(opened.game, opened.book, language)
    return tuple(
        explain_figure_of_build(lib, entry.build, figure, entry.build.name)
        if figure
        else explain_build(lib, entry.build)
        for entry in entries
    )


def _libraries(game: str, source: Path | None, language: str) -> list[Library]:
    """The game in which to look; where none is named, all that can be read."""
    folders = chosen_games([game] if game else [], source)
    found = []
    for folder in folders:
        try:
            opened = open_game(folder, with_cases=True)
        except InvalidSource:
            if len(folders) == 1:
                raise
            continue
        if opened.problems and len(folders) == 1:
            raise InvalidSource(opened.problems)
        found.append(library(opened.game, opened.book, language))
    return found


def _having(libraries: Sequence[Library], thing: str) -> Library:
    """The one game that has a thing. Raises ``InvalidSource`` where none or several have it."""
    if len(libraries) == 1:
        return libraries[0]
    having = [library for library in libraries if knows(library, thing)]
    if len(having) == 1:
        return having[0]
    names = ", ".join(library.game.id for library in having or libraries)
    if having:
        first = having[0].game.id
        problem = problem_at(
            COMMAND_LINE, "EXPLAIN", "several", thing=thing, names=names, first=first
        )
    else:
        each = (thing for library in libraries for thing in names_of(library).things.values())
        near = near_names(index(each), thing)
        problem = problem_at(
            COMMAND_LINE, "EXPLAIN", "nowhere", thing=thing, names=names, nearest=near
        )
    raise InvalidSource([problem])
