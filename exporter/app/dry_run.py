"""``build`` and ``print`` without their work: all is planned, every face set, nothing painted.

What this finds nothing wrong with neither of them refuses, the machine's own troubles aside.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import DecodeError, Struct, field, msgpack
from msgspec.structs import asdict, replace

from exporter.app.make_files import (
    Builds,
    repeated_paths,
)
from exporter.app.room_files import (
    LOOSE,
    PlannedFile,
    loose_files,
    picture_files,
    room_files,
)
from exporter.core.cache import DiskCache, cache_folder
from exporter.core.messages import say
from exporter.core.problems import (
    COMMAND_LINE,
    Faults,
    Problem,
    Severity,
    SourceLocation,
    errors,
    notice_at,
    problem_at,
    some,
)
from exporter.core.shipped_files import template_folders
from exporter.faces.card_faces import Face
from exporter.loader.load_context import encode_quoted
from exporter.loader.print_job_files import read_jobs
from exporter.model import (
    Build,
    Game,
    RoomPlan,
)
from exporter.model.print_jobs import (
    PrintOrder,
    SheetJob,
    Stationery,
)
from exporter.model.tabletop import (
    CardStack,
    pictures,
)
from exporter.printing.print_plans import (
    Plans,
    plans,
)
from exporter.printing.print_selection import (
    chosen_cards,
    follows,
    is_deck,
    stocked,
)
from exporter.printing.sheet_pages import faces_of, marks_of
from exporter.printing.text_pages import margin_templates, text_problems
from exporter.render.painter import (
    RenderJob,
    are_known,
    face_problems,
    prepare_render_job,
)
from exporter.render.template_files import program_digest
from exporter.rooms.room_orders import RoomOrder, rooms_of_order
from exporter.rooms.seats import not_laid
from exporter.rules.project import Project, without_seats
from exporter.rules.report.check_report import Report
from exporter.udonarium import marks

# Builds that are planned in one run.
MOST_BUILDS = 50

_OUT = Path("output")


class DryRun(Struct, frozen=True):
    """What would stop or disturb building and printing, and how much was looked at."""

    game: str
    problems: tuple[Problem, ...]
    rooms: int
    loose: int
    sheets: int
    faces: int

    @property
    def values(self) -> dict[str, str | int]:
        """How much was looked at, of which game."""
        return {name: value for name, value in asdict(self).items() if name != "problems"}

    def line(self, language: str) -> str:
        """Say how much was looked at."""
        return say("dry-run", language, "planned-loose" if self.loose else "planned", **self.values)


class _PlannedGame(Struct, kw_only=True, dict=True):
    """What could be planned of a game or of builds, and the faults of all else."""

    project: Project
    papers: Stationery
    faults: Faults = field(default_factory=Faults)
    notices: list[Problem] = field(default_factory=list)
    jobs: Mapping[str, SheetJob] = {}
    rooms: list[tuple[Path, PlannedFile]] = field(default_factory=list)
    loose: list[tuple[Path, PlannedFile]] = field(default_factory=list)
    pictures: list[tuple[Path, PlannedFile]] = field(default_factory=list)
    sheets: Plans = Plans(())
    sized: Mapping[Face, Face] = {}

    @cached_property
    def contents(self) -> list[Any]:
        """What all files hold, which share much."""
        return [one.content for _path, one in (*self.rooms, *self.loose, *self.pictures)]

    @cached_property
    def screen(self) -> dict[Face, None]:
        """The distinct faces that are to become pictures."""
        return dict.fromkeys(pictures(self.contents))

    @cached_property
    def paper(self) -> dict[Face, None]:
        """The distinct faces that are to become parts of pages."""
        pages = [plan.pages for plan in self.sheets.files]
        return dict.fromkeys(face for each in pages for face in (*faces_of(each), *marks_of(each)))

    def render_jobs(self, faces: Iterable[Face]) -> RenderJob:
        """Return how faces are drawn."""
        folder, cache = self.project.folder, cache_folder()
        return prepare_render_job(
            faces, template_folders("faces"), folder, cache, margin_templates()
        )


def with_dry_runs(
    report: Report,
    project: Project,
    papers: Stationery,
    *,
    whole: bool,
    looks: bool = False,
) -> tuple[Report, list[DryRun]]:
    """Return a report with what building and printing would meet: of the ``whole`` game, of its
    builds.

    Of the builds those that are legal, and no more than ``MOST_BUILDS``: then it says so. With
    ``looks``, also what on paper cannot be read, or not be told apart.
    """
    own = [verdict for verdict in report.builds if not verdict.printed]
    legal = [verdict for verdict in own if verdict.legal]
    builds = [replace(verdict.build, regulation=verdict.regulation) for verdict in legal]
    notices = list(report.notices)
    asked: list[list[Build] | None] = [None] if whole else []
    if len(own) > MOST_BUILDS:
        count = {"count": len(own), "most": MOST_BUILDS}
        notices.append(notice_at(COMMAND_LINE, "BUILDS", "too-many", **count))
    elif builds:
        asked.append(builds)
    found = [
        _dry_run(_PlannedGame(project=project, papers=papers), each, looks=looks) for each in asked
    ]
    met = {problem for each in found for problem in each.problems}
    serious = set(errors(met))
    report = replace(
        report,
        problems=tuple(sorted({*report.problems, *serious})),
        notices=(*notices, *sorted(met - serious)),
    )
    return report, found


def _dry_run(done: _PlannedGame, builds: list[Build] | None, *, looks: bool) -> DryRun:
    """Return what is planned of a game or of builds, tried; or known, as it was found good
    before."""
    game = done.project.game
    with done.faults.collect():
        done.jobs = read_jobs(done.project.folder, game, done.papers)
    cache = DiskCache(cache_folder())
    key = hashlib.sha256(program_digest().encode())
    key.update(msgpack.encode((game, builds, done.jobs, done.papers), enc_hook=encode_quoted))
    name = f"plan-{key.hexdigest()}"
    data = None if looks or done.faults.problems else cache.get(name)
    with suppress(DecodeError):
        known = None if data is None else msgpack.decode(data, type=_CachedPlan)
        if known and _is_known(known, done):
            faces = len({*known.screen, *known.paper})
            notices = tuple(
                problem_at(where, rule, key, severity, **values)
                for where, rule, key, severity, values in known.notices
            )
            return DryRun(game.id, notices, known.rooms, known.loose, known.sheets, faces)
    if builds is None:
        _plan_game(done)
    else:
        _plan_builds(done, builds)
    result = _checked(done, looks)
    if all(map(_is_simple_notice, result.problems)):
        cache.put(name, msgpack.encode(_cached_plan(done, result.problems)))
    return result


def _plan_game(done: _PlannedGame) -> None:
    """Plan every room, every loose mech, every picture and every sheet of a game."""
    project = done.project
    game = project.played
    with done.faults.collect():
        done.rooms += room_files(project, RoomOrder(), _OUT, {})
    if LOOSE in game.layouts:
        loadouts = [f"{mech.code}:{v}" for mech in game.mechs.values() for v in mech.loadouts]
        with done.faults.collect():
            done.loose += loose_files(project, loadouts, _OUT, {})
    if game.boards or any(kind.front for kind in game.kinds.values()):
        with done.faults.collect():
            rooms = [planned.content for _path, planned in done.rooms]
            done.pictures += picture_files(project, _OUT, rooms or None)
    on_request = tuple(plan.id for plan in project.game.rooms.values() if plan.on_request)
    if on_request:
        with done.faults.collect():
            done.rooms += room_files(project, RoomOrder(rooms=on_request), _OUT, {})
    if done.jobs:
        with done.faults.collect():
            done.sheets = plans(project.game, done.jobs, done.papers, PrintOrder())
    if not done.faults.problems and (done.rooms or done.jobs):
        done.notices += _unused_cards(done)


def _unused_cards(done: _PlannedGame) -> Iterator[Problem]:
    """Yield how many cards lie in no room and on no sheet of cards, such as those of a new
    edition."""
    game = done.project.game
    stock = stocked(game, PrintOrder())
    printed = (
        each
        for job in done.jobs.values()
        if job.lay == "cards"
        for each in chosen_cards(stock, job)
    )
    laid = {entry.card.id for entry, _kit in printed}
    for _path, planned in done.rooms:
        for thing in planned.content.pieces:
            cards = thing.cards if isinstance(thing, CardStack) else (thing,)
            laid |= {marks.split(marks.read_marks(card.extra))[1] for card in cards}
    missing = [card for card in game.cards.values() if card.id not in laid]
    if missing and not game.deck_kinds:  # or players bring them
        names = some([card.name for card in missing])
        yield notice_at(missing[0].where, "NOWHERE", "cards", count=len(missing), names=names)


def _plan_builds(done: _PlannedGame, builds: list[Build]) -> None:
    """Plan what builds touch: a seat of each sort, what is dropped of them, their sheets."""
    project = done.project
    for game, order in _rooms_for(project.played, builds):
        with done.faults.collect():
            for content in rooms_of_order(game, order).values():
                done.rooms.append((_OUT / str(len(done.rooms)), PlannedFile(content)))
    if LOOSE in project.game.layouts:
        files: Builds = {str(number): (build,) for number, build in enumerate(builds)}
        with done.faults.collect():
            done.loose += loose_files(project, list(files), _OUT, files)
    with done.faults.collect():
        options = {"--deck" if is_deck(build) else "--mech" for build in builds}
        jobs = done.jobs.items()
        theirs = {key: job for key, job in jobs if any(follows(job, one) for one in options)}
        if theirs:
            sheets = plans(project.game, theirs, done.papers, PrintOrder(builds=tuple(builds)))
            done.sheets = replace(sheets, left=())  # which have other things of the game to lay


def _rooms_for(game: Game, builds: Sequence[Build]) -> Iterator[tuple[Game, RoomOrder]]:
    """Yield rooms in which all builds sit, once in a seat of each layout, and nobody else does.

    A mech sits where one does; who brings a deck alone, where the layout lays that one.
    """
    rooms: dict[str, RoomPlan] = {}
    for plan in sorted(game.rooms.values(), key=lambda plan: len(plan.seats)):
        for seat in plan.seats:
            rooms.setdefault(seat.layout, plan)
    decks = [build for build in builds if not build.has_parts]
    yield from _in_seats(game, rooms, [build for build in builds if build.has_parts], "mech")
    for name in dict.fromkeys(tuple(build.decks) for build in decks):
        yield from _in_seats(game, rooms, [b for b in decks if tuple(b.decks) == name], "deck")


def _in_seats(
    game: Game, rooms: Mapping[str, RoomPlan], builds: Sequence[Build], wants: str
) -> Iterator[tuple[Game, RoomOrder]]:
    for layout, plan in rooms.items():
        seats = [
            seat
            for seat in plan.seats
            if seat.layout == layout
            and builds
            and (seat.mech if wants == "mech" else not any(not_laid(game, plan, seat, builds[0])))
        ]
        for start in range(0, len(builds) if seats else 0, len(seats) or 1):
            taken = dict(zip((seat.id for seat in seats), builds[start:], strict=False))
            others = {seat.id for seat in plan.seats} - taken.keys()
            alone = replace(without_seats(plan, others), surface="")  # on the plain table
            yield replace(game, rooms={plan.id: alone}), RoomOrder(rooms=(plan.id,), mechs=taken)


def _checked(done: _PlannedGame, looks: bool) -> DryRun:
    """Return the faces of all that was planned, set where nothing is known of them; and its
    texts."""
    from exporter.udonarium.write import inexpressible  # its templates take a while

    folder, sheets = done.project.folder, done.sheets.files
    problems = [*done.faults.problems, *done.notices, *done.sheets.notices]
    problems += repeated_paths({folder: [_OUT / plan.name for plan in sheets]})
    for files in (done.rooms, done.loose, done.pictures):
        problems += repeated_paths({folder: [path for path, _planned in files]})
    problems += [warning for _path, planned in done.rooms for warning in planned.problems]
    for left in done.sheets.left:
        problems.append(problem_at(left.where, "SHEET", "sheet-lays-nothing", sheet=left.id))
    job = done.render_jobs((*done.screen, *done.paper))
    problems += face_problems(job, [job.sized.get(face, face) for face in done.screen])
    done.sized = job.sized
    problems += inexpressible(done.contents)
    for plan in sheets:
        if plan.document:
            problems += text_problems(plan.document, plan.values, plan.where)
    if looks and not errors(problems):
        from exporter.app.print_files import sources_of
        from exporter.printing.print_checks import check_looks, printed_scales

        scales = printed_scales(page for plan in sheets for page in plan.pages)
        problems += check_looks(scales, sources_of(folder))
    return DryRun(
        done.project.game.id,
        tuple(sorted(set(problems))),
        len(done.rooms),
        len(done.loose),
        len({plan.name for plan in sheets}),
        len(job.faces),
    )


# -- plans that are kept -------------------------------------------------------------------------

# A plan is reckoned from values alone: the game as it was read, its jobs, the papers. Where nothing
# was wrong with it, only its faces, documents and notices are of interest, and these are kept under
# those values.

# A face without its place. A whole number stays one: it has a picture's key to itself.
_Shown: TypeAlias = tuple[str, str, int | float, int | float, int | float, tuple[str, ...]]


# Where a notice is, its rule and key, how much it weighs, and what fills its blanks.
_Notice: TypeAlias = tuple[SourceLocation, str, str, Severity, dict[str, str | int | float]]


class _CachedPlan(Struct, frozen=True, array_like=True):
    """A plan with nothing wrong: files of each sort, and what these will show.

    The faces on ``screen`` are to become pictures, those on ``paper`` parts of a page.
    """

    rooms: int
    loose: int
    sheets: int
    screen: tuple[_Shown, ...]
    paper: tuple[_Shown, ...]
    documents: tuple[tuple[str, dict[str, Any]], ...]
    notices: tuple[_Notice, ...]


def _is_simple_notice(problem: Problem) -> bool:
    """Return whether a problem stops nothing, holds as long as the data, and plain values make it
    again: that a text's size is another than the last time is told once."""
    values = dict(problem.sentence.values)
    return (
        problem.severity != Severity.ERROR
        and problem.rule != "TEXT-SIZE"
        and all(isinstance(value, str | int | float) for value in values.values())
        and problem
        == problem_at(problem.where, problem.rule, problem.sentence.key, problem.severity, **values)
    )


def _cached_plan(done: _PlannedGame, notices: Iterable[Problem]) -> _CachedPlan:
    files = done.sheets.files
    screen, paper = (
        tuple(
            (f.template, f.values, f.width, f.height, f.scale, f.pictures)
            for f in (done.sized.get(face, face) for face in faces)
        )
        for faces in (done.screen, done.paper)
    )
    documents = tuple((plan.document, dict(plan.values)) for plan in files if plan.document)
    sheets = len({plan.name for plan in files})
    kept = tuple(
        (one.where, one.rule, one.sentence.key, one.severity, dict(one.sentence.values))
        for one in notices
    )
    return _CachedPlan(len(done.rooms), len(done.loose), sheets, screen, paper, documents, kept)


def _is_known(plan: _CachedPlan, done: _PlannedGame) -> bool:
    """Return whether every face and document of a plan is known to be drawn well."""
    screen, paper = ([Face(*one) for one in faces] for faces in (plan.screen, plan.paper))
    return are_known(done.render_jobs((*screen, *paper)), screen) and not any(
        text_problems(document, values, SourceLocation()) for document, values in plan.documents
    )
