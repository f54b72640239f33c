"""``build`` and ``print`` without their work: all is planned, every face set, nothing painted.

What this finds nothing wrong with neither of them refuses, the machine's own troubles aside.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import DecodeError, Struct, field, msgpack
from msgspec.structs import asdict, astuple, replace

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
from exporter.printing.sheet_pages import faces_of
from exporter.printing.text_pages import text_problems
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


class _Planned(Struct, kw_only=True):
    """What could be planned of a game or of builds, and what is wrong with all of it."""

    project: Project
    papers: Stationery
    faults: Faults = field(default_factory=Faults)
    jobs: Mapping[str, SheetJob] = {}
    rooms: list[tuple[Path, PlannedFile]] = field(default_factory=list)
    loose: list[tuple[Path, PlannedFile]] = field(default_factory=list)
    pictures: list[tuple[Path, PlannedFile]] = field(default_factory=list)
    sheets: Plans = Plans(())


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
    asked: list[list[Build]] = [[]] if whole else []
    if len(own) > MOST_BUILDS:
        count = {"count": len(own), "most": MOST_BUILDS}
        notices.append(notice_at(COMMAND_LINE, "BUILDS", "too-many", **count))
    elif builds:
        asked.append(builds)
    found = [_dry_run(project, papers, each, looks=looks) for each in asked]
    met = {problem for each in found for problem in each.problems}
    serious = set(errors(met))
    report = replace(
        report,
        problems=tuple(sorted({*report.problems, *serious})),
        notices=(*notices, *sorted(met - serious)),
    )
    return report, found


def _dry_run(project: Project, papers: Stationery, builds: list[Build], *, looks: bool) -> DryRun:
    """Plan and try what is made of builds, or of a whole game without any.

    What was found good before, and has not changed, is not planned again.
    """
    game, done = project.game, _Planned(project=project, papers=papers)
    with done.faults.collect():
        done.jobs = read_jobs(project.folder, game, papers)
    cache = DiskCache(cache_folder())
    key = hashlib.sha256(program_digest().encode())
    key.update(msgpack.encode((game, builds, done.jobs, papers), enc_hook=encode_quoted))
    name = f"plan-{key.hexdigest()}"
    data = None if looks or done.faults.problems else cache.get(name)
    with suppress(DecodeError):
        known = msgpack.decode(data, type=_CachedPlan) if data else None
        if known and _is_known(known, project):
            return DryRun(game.id, tuple(map(_problem, known.notices)), *known.counts)
    if builds:
        _plan_builds(done, builds)
    else:
        _plan_game(done)
    files = (*done.rooms, *done.loose, *done.pictures)
    on_screen = dict.fromkeys(pictures([one.content for _path, one in files]))
    pages = [page for plan in done.sheets.files for page in plan.pages]
    job = _render_job(project, (*on_screen, *faces_of(pages)))
    screen = tuple(dict.fromkeys(job.sized.get(face, face) for face in on_screen))
    problems = _problems(done, files, job, screen, looks=looks)
    sheets = len({plan.name for plan in done.sheets.files})
    counts = len(done.rooms), len(done.loose), sheets, len(job.faces)
    if all(map(_is_simple_notice, problems)):
        plan = _CachedPlan(
            counts,
            tuple(astuple(face)[:6] for face in job.faces),
            len(screen),
            tuple((one.document, dict(one.values)) for one in done.sheets.files if one.document),
            tuple(map(_notice, problems)),
        )
        cache.put(name, msgpack.encode(plan))
    return DryRun(game.id, problems, *counts)


def _render_job(project: Project, faces: Iterable[Face]) -> RenderJob:
    """Return how faces are drawn."""
    templates, root = template_folders("faces"), project.folder
    return prepare_render_job(faces, templates, root, cache_folder())


def _plan_game(done: _Planned) -> None:
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
        done.faults.problems += _unused_cards(done)


def _unused_cards(done: _Planned) -> Iterator[Problem]:
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


def _plan_builds(done: _Planned, builds: list[Build]) -> None:
    """Plan what builds touch: a seat of each sort, what is dropped of them, their sheets."""
    project = done.project
    for game, order in _rooms_for(project.played, builds):
        with done.faults.collect():
            for content in rooms_of_order(game, order).values():
                done.rooms.append((_OUT / "rooms" / str(len(done.rooms)), PlannedFile(content)))
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


def _problems(
    done: _Planned,
    files: Sequence[tuple[Path, PlannedFile]],
    job: RenderJob,
    screen: Sequence[Face],
    *,
    looks: bool,
) -> tuple[Problem, ...]:
    """Find what is wrong with what was planned: its faces are set where nothing is known of them,
    and its documents.

    The faces on ``screen`` are to become pictures.
    """
    from exporter.udonarium.write import inexpressible  # its templates take a while

    folder, sheets = done.project.folder, done.sheets.files
    problems = [*done.faults.problems, *done.sheets.notices]
    paths = [*(path for path, _planned in files), *(_OUT / plan.name for plan in sheets)]
    problems += repeated_paths({folder: paths})
    problems += [warning for _path, planned in files for warning in planned.problems]
    for left in done.sheets.left:
        problems.append(problem_at(left.where, "SHEET", "sheet-lays-nothing", sheet=left.id))
    problems += face_problems(job, screen)
    problems += inexpressible([planned.content for _path, planned in files])
    for plan in sheets:
        if plan.document:
            problems += text_problems(plan.document, plan.values, plan.where)
    if looks and not errors(problems):
        from exporter.app.print_files import sources_of
        from exporter.printing.print_checks import check_looks, printed_scales

        scales = printed_scales(page for plan in sheets for page in plan.pages)
        problems += check_looks(scales, sources_of(folder))
    return tuple(sorted(set(problems)))


# -- plans that are kept -------------------------------------------------------------------------

# A plan is reckoned from values alone: the game as it was read, its jobs, the papers. Where nothing
# was wrong with it, only its faces, documents and notices are of interest, and these are kept under
# those values.

# A face without its place. A whole number stays one: it has a picture's key to itself.
_Shown: TypeAlias = tuple[str, str, int | float, int | float, int | float, tuple[str, ...]]

# Where a notice is, its rule and key, how much it weighs, and what fills its blanks.
_Notice: TypeAlias = tuple[SourceLocation, str, str, Severity, dict[str, str | int | float]]


class _CachedPlan(Struct, frozen=True, array_like=True):
    """A plan with nothing wrong: the ``counts`` of a ``DryRun``, and all that its files will show.

    Of the ``faces`` the first are to become pictures, as many as are on ``screen``.
    """

    counts: tuple[int, int, int, int]
    faces: tuple[_Shown, ...]
    screen: int
    documents: tuple[tuple[str, dict[str, Any]], ...]
    notices: tuple[_Notice, ...]


def _notice(problem: Problem) -> _Notice:
    text = problem.sentence
    return problem.where, problem.rule, text.key, problem.severity, dict(text.values)


def _problem(notice: _Notice) -> Problem:
    where, rule, key, severity, values = notice
    return problem_at(where, rule, key, severity, **values)


def _is_simple_notice(problem: Problem) -> bool:
    """Return whether a problem stops nothing, holds as long as the data, and plain values make it
    again: that a text's size is another than the last time is told once."""
    return (
        problem.severity != Severity.ERROR
        and problem.rule != "TEXT-SIZE"
        and all(isinstance(value, str | int | float) for _name, value in problem.sentence.values)
        and problem == _problem(_notice(problem))
    )


def _is_known(plan: _CachedPlan, project: Project) -> bool:
    """Return whether every face and document of a plan is known to be drawn well."""
    faces = [Face(*one) for one in plan.faces]
    return are_known(_render_job(project, faces), faces[: plan.screen]) and not any(
        text_problems(document, values, SourceLocation()) for document, values in plan.documents
    )
