"""One way from game folders to files: gather, judge, plan, paint, write.

What is planned and how it is painted is up to ``exporter.app.room_files`` for rooms and to
``exporter.app.print_files`` for paper; what comes before and after is the same for both. Whoever
only wants to know whether it goes stops at the plans.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from exporter.app.games import open_to_make
from exporter.core.file_writer import (
    Written,
    write_whole,
)
from exporter.core.messages import Translated
from exporter.core.problems import (
    COMMAND_LINE,
    Faults,
    InvalidSource,
    Problem,
    Severity,
    each_of,
    error_at,
    errors,
    problem_at,
)
from exporter.loader import (
    is_build_file,
)
from exporter.loader.player_files import read_builds
from exporter.model import (
    Build,
    Loadout,
)
from exporter.rooms.seats import chosen_loadouts
from exporter.rules.project import Project
from exporter.rules.report.check_report import (
    check,
    missing_cards,
)

T = TypeVar("T")

_PAGE = re.compile(r"[0-9]{3,}\.png")


# The builds in players' files, by the words that name these.
Builds: TypeAlias = Mapping[str, tuple[Build, ...]]


class Outline(Struct, Generic[T], frozen=True):
    """What a game is to become: files by their places, still unpainted; notices; lines to say."""

    files: Sequence[tuple[Path, T]] = ()
    notices: tuple[Problem, ...] = ()
    remarks: tuple[Translated, ...] = ()


# What several games are to become, by their folders.
Outlines: TypeAlias = Mapping[Path, Outline[T]]


class Made(Struct, frozen=True):
    """A file, or a folder of pages, with how much is in it: ``(57, "card")``, ``(2, "page")``."""

    path: Path
    files: Mapping[Path, bytes]
    counts: tuple[tuple[int, str], ...]

    @property
    def size(self) -> int:
        """In bytes."""
        return sum(map(len, self.files.values()))


class Result(Struct, frozen=True):
    """Everything of one run: what was made, what stopped nothing, what to say.

    ``painted`` counts the pictures that no cache held, ``read`` the faces that were only looked
    at, ``found`` what was found on them.
    """

    made: tuple[Made, ...] = ()
    problems: tuple[Problem, ...] = ()
    remarks: tuple[Translated, ...] = ()
    painted: int = 0
    read: int = 0
    found: int = 0
    written: Written = Written()


def make(
    folders: Iterable[Path],
    words: Iterable[str | Build],
    plan: Callable[[Project, Builds], Outline[T]],
    paint: Callable[[Outlines[T]], Result],
) -> Result:
    """Make what ``plan`` says of the game in each folder, and write it: all of it or nothing.

    ``words`` name mechs and files of builds; what the rules say of these is a warning. Raises
    ``InvalidSource`` with the faults of all games: of their data and orders, then of what ``paint``
    meets, and of the places where files go.
    An error of one file alone, which leaves nothing else to make, is raised; else it is reported.
    """
    named = [word for word in words if isinstance(word, str)]
    plans, verdicts = plan_games(folders, named, plan)
    notices = [problem for each in plans.values() for problem in each.notices]
    places = [path for each in plans.values() for path, _file in each.files]
    if errors(notices) and not places:
        raise InvalidSource(notices)
    result = paint(plans)
    files = {path: data for made in result.made for path, data in made.files.items()}
    written = write_whole(files)
    for made in result.made:
        _remove_old_pages(made)
    remarks = [line for each in plans.values() for line in each.remarks]
    return replace(
        result,
        problems=(*sorted({*notices, *result.problems}), *verdicts),
        remarks=tuple(dict.fromkeys((*remarks, *result.remarks))),
        written=written,
    )


# What of cells is well as it was read: it is told when a table is brought, and by ``check``.
_WELL_READ = ("merged", "day-as-range", "shown-otherwise", "shown-otherwise-ods")


def plan_games(
    folders: Iterable[Path],
    words: Sequence[str],
    plan: Callable[[Project, Builds], Outline[T]],
) -> tuple[dict[Path, Outline[T]], list[Problem]]:
    """Plan each game, and judge the builds in the files among ``words``.

    Raises ``InvalidSource``.
    """
    faults = Faults()
    plans: dict[Path, Outline[T]] = {}
    verdicts: list[Problem] = []
    for folder in folders:
        with faults.collect():
            project = open_to_make(folder)
            builds = read_build_files(project, words)
            outline = plan(project.with_samples(wanted=project.game.samples), builds)
            notices = (n for n in project.game.notices if n.sentence.key not in _WELL_READ)
            plans[folder] = replace(outline, notices=(*outline.notices, *notices))
            verdicts += build_warnings(project, words, builds)
    faults.problems += repeated_paths(
        {folder: [path for path, _file in each.files] for folder, each in plans.items()}
    )
    faults.stop_if_any()
    return plans, verdicts


def read_build_files(project: Project, words: Iterable[str | Build]) -> Builds:
    """Read the files of builds among ``words``. Raises ``InvalidSource``."""
    files = [file for file in words if isinstance(file, str) and is_build_file(file)]
    builds = each_of(lambda file: read_builds(Path(file), project.game), files)
    return dict(zip(files, builds, strict=True))


def one_build(word: str | Build, builds: Builds) -> str | Build:
    """Return the one build of a file, or what names a mech.

    Raises ``InvalidSource`` for a file of several.
    """
    found = builds.get(word, (word,)) if isinstance(word, str) else (word,)
    if len(found) != 1:
        raise error_at(COMMAND_LINE, "SEAT", "holds-builds-seat", word=word, count=len(found))
    return found[0]


def build_warnings(project: Project, words: Sequence[str], builds: Builds) -> tuple[Problem, ...]:
    """Say as warnings what the rules say of the players' ``builds`` among ``words``.

    A table may play with them all the same; but nobody shall be surprised, and what could not be
    judged is called so. So are cards that the boxes lack for all of an order at once.
    """
    read = [build for word in words for build in builds.get(word, ())]
    if not read and len(set(words)) == len(words):
        return ()
    try:
        report = check(project, read, own_data=False)
    except InvalidSource as error:
        found, unknown = list(error.problems), read
    else:
        found = list(errors(report.all_problems))
        unknown = [verdict.build for verdict in report.builds if verdict.legal is None]
    for build in unknown:
        found.append(problem_at(build.where, "NOT-JUDGED", "nobody-can-tell", name=build.name))
    loadouts: list[Loadout] = []
    for one in (one for word in words for one in builds.get(word, (word,))):
        with suppress(InvalidSource):  # which is reported as a fault of the order
            loadouts.append(chosen_loadouts(project.game, one)[0])
    if len(words) > 1 and len(loadouts) > 1:
        found += errors(missing_cards(project.game, project.book, loadouts))
    return tuple(replace(problem, severity=Severity.WARNING) for problem in sorted(set(found)))


def repeated_paths(plans: Mapping[Path, Iterable[Path]]) -> list[Problem]:
    """Return files of one name, where large and small letters are the same; of two games reported
    once."""
    first: dict[str, tuple[Path, Path]] = {}
    problems = {}
    for folder, paths in plans.items():
        for path in paths:
            other, same = first.setdefault(str(path).casefold(), (folder, path))
            if other != folder:
                problems[str(folder)] = problem_at(
                    COMMAND_LINE, "SAME-FILE", "hold-games-one", folder=folder, other=other
                )
            elif same is not path:
                problems[str(path)] = problem_at(
                    COMMAND_LINE, "SAME-FILE", "written-over", path=path, same=same
                )
    return list(problems.values())


def _remove_old_pages(made: Made) -> None:
    """Pages of an earlier print of the same sheet, which had more of them."""
    if made.path not in made.files:
        for path in made.path.iterdir():
            if _PAGE.fullmatch(path.name) and path not in made.files:
                path.unlink()
