"""Mutants tried: what each is, what the program says of it, and what it may never do.

A mutant is repeated by its sort, its seed and its number. Nothing here knows what is right in
detail; what is looked at holds of any input: an end, no traceback, a place for each fault,
nothing half-written, and nothing refused later that ``check`` found fine.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import pypdfium2
import yaml
from click.testing import CliRunner, Result
from command_lines import command_line
from mutations import FOLDER, LEADS_OUT, Files, Mutator, picture, pool_of
from small_game import FILES as SMALL

from exporter.app.games import open_to_make
from exporter.app.make_files import Builds, Outline, plan_games
from exporter.app.print_files import sheet_files
from exporter.app.room_files import LOOSE, loose_files, picture_files, room_files
from exporter.cli.main import exporter
from exporter.core.problems import Faults, InvalidSource, Problem
from exporter.model import Game
from exporter.model.print_jobs import PrintOrder
from exporter.rooms.room_orders import RoomOrder
from exporter.rules.project import Project
from exporter.udonarium.verify import verify_zip

ROOT = Path(__file__).parents[2]
SORTS = ("folders", "cases", "builds", "options")

HANGING = 20
"""Seconds of processor time after which a process is ended that does not paint."""
PAINTING = 120
"""The same of one that paints."""


PASSES = "check passes"


@dataclass
class Trial:
    """What came of a mutant; ``told`` says how it differs from what is sound."""

    sort: str
    number: int
    told: str = ""
    violations: list[str] = field(default_factory=list)
    passed: bool = False
    made: bool = False

    @property
    def broken_promises(self) -> list[str]:
        """What ``check`` passed and something else refused."""
        return [one for one in self.violations if one.startswith(PASSES)]

    @property
    def wrong(self) -> list[str]:
        """Every other violation."""
        return [one for one in self.violations if not one.startswith(PASSES)]

    def report(self, seed: int) -> str:
        """What was violated, and how to meet it again."""
        again = f"--sort {self.sort} --seed {seed} --first {self.number} --count 1"
        lines = [f"{again}: {self.told}", *(f"    {one}" for one in self.violations)]
        return "\n".join(lines).encode(errors="backslashreplace").decode()


def sound_games() -> dict[str, Files]:
    """The games that come with the program, and the small one of the tests, with a picture."""
    games = {
        folder.parent.name: {
            path.relative_to(folder.parent).as_posix(): path.read_bytes()
            for path in sorted(folder.parent.rglob("*"))
            if path.is_file()
        }
        for folder in sorted((ROOT / "source_data").glob("*/game.yaml"))
    }
    home = "source_data/small/"
    small = {
        name.removeprefix(home): text.encode()
        for name, text in SMALL.items()
        if name.startswith(home)
    }
    small["sheets/weapons.yaml"] = (
        "id: weapons\nname: 武器\nlay: cards\ncards: {kind: weapon}\n".encode()
    )
    small["sheets/boards.yaml"] = "id: boards\nname: 盤\nlay: boards\n".encode()
    for word in ("W1", "AA", "field"):
        small[f"pictures/{word}.png"] = picture()
    return {**games, "small": small}


def build_text(game: Game, count: int) -> str:
    """A file of builds: the first loadouts that are printed of a game."""
    builds = [build for mech in game.mechs.values() for build in mech.loadouts.values()]
    documents = [
        {
            "game": game.id,
            "name": f"build {number}",
            "frame": dict(build.frame),
            "mounted": {part: list(cards) for part, cards in build.mounted.items()},
            "pilots": [{"name": pilot.name, "skills": [*pilot.skills]} for pilot in build.pilots],
        }
        for number, build in enumerate(builds[:count])
    ]
    return yaml.safe_dump_all(documents, allow_unicode=True, sort_keys=False)


def build_table(game: Game) -> str:
    """The first of these builds as a table."""
    build = next(build for mech in game.mechs.values() for build in mech.loadouts.values())
    rows = [["build", *build.frame, "part", "card", "copies", "regulation", "game"]]
    for part, cards in build.mounted.items():
        for card in cards:
            rows.append(["one", *build.frame.values(), part, card, "1", "", game.id])
    return "".join(",".join(row) + "\n" for row in rows)


class Bench:
    """A folder to try mutants in; kept for many of them, as starting takes longer than trying."""

    def __init__(self, folder: Path, seed: int, cache: Path | None = None) -> None:
        self.folder, self.seed = folder, seed
        self.games = sound_games()
        self.pool = pool_of(self.games.values())
        os.environ["XDG_CACHE_HOME"] = str(cache or folder / "cache")

    @cached_property
    def builds(self) -> dict[str, Files]:
        """Files of builds, of the games that have mechs."""
        found: dict[str, Files] = {}
        for name, files in self.games.items():
            if any(path.startswith("mechs/") for path in files):
                with self.stand(name, files, -1):
                    game = open_to_make(Path("source_data", name)).game
                found[name] = {
                    "one.yaml": build_text(game, 1).encode(),
                    "builds.yaml": build_text(game, 3).encode(),
                    "builds.csv": build_table(game).encode(),
                }
        return found

    def trial(self, sort: str, number: int) -> Trial:
        """Try one mutant."""
        chance = Random(f"{sort} {self.seed} {number}")
        trial = Trial(sort, number)
        getattr(self, f"_{sort}")(trial, chance)
        signal.setitimer(signal.ITIMER_PROF, 0)
        return trial

    def stand(self, name: str, files: Files, number: int) -> Stand:
        return Stand(self.folder / f"{os.getpid()}-{number}", name, files)

    def _folders(self, trial: Trial, chance: Random) -> None:
        name = chance.choice(sorted(self.games))
        files = dict(self.games[name])
        mutator = Mutator(self.pool, chance)
        times = chance.choice([1, 1, 1, 1, 2, 3])
        trial.told = "; ".join(f"{name}/{mutator.mutate(files)}" for _ in range(times))
        with self.stand(name, files, trial.number) as stand:
            stand.check(trial, [f"source_data/{name}"])
            if trial.passed:
                _plan(trial, Path("source_data", name), [])
            if trial.number % (7 if trial.passed else 20) == 0:
                trial.made = stand.make(trial, ["build", name])
                trial.made &= stand.make(trial, ["print", name])

    def _cases(self, trial: Trial, chance: Random) -> None:
        name = chance.choice([name for name, files in self.games.items() if _cases_of(files)])
        files = dict(self.games[name])
        mutator = Mutator(self.pool, chance)
        trial.told = f"{name}/{mutator.mutate(files, _cases_of(files))}"
        with self.stand(name, files, trial.number) as stand:
            stand.check(trial, [f"source_data/{name}", "--cases"])

    def _builds(self, trial: Trial, chance: Random) -> None:
        name = chance.choice(sorted(self.builds))
        path = chance.choice(sorted(self.builds[name]))
        files = dict(self.builds[name])
        trial.told = f"{name}: {Mutator(self.pool, chance).mutate(files, [path])}"
        files = {path: data for path, data in files.items() if data not in (FOLDER, LEADS_OUT)}
        with self.stand(name, self.games[name], trial.number) as stand:
            for file, data in files.items():
                Path(file).parent.mkdir(parents=True, exist_ok=True)
                Path(file).write_bytes(data)
            stand.check(trial, [path])
            for command in ("suggest", "explain"):
                _no_traceback(trial, command, CliRunner().invoke(exporter, [command, path]))
            if trial.passed:
                _plan(trial, Path("source_data", name), [path])
            loose = b"loose:" in self.games[name]["layouts.yaml"]
            if path == "one.yaml" and loose and trial.number % 8 == 0:
                trial.made = stand.make(trial, ["build", name, "--loose", path])

    def _options(self, trial: Trial, chance: Random) -> None:
        words = command_line(exporter, chance, self.games)
        trial.told = " ".join(words)[:300]
        builds = self.builds["small"]
        with self.stand("small", self.games["small"], trial.number) as stand:
            for file, data in builds.items():
                Path(file).write_bytes(data)
            trial.made = stand.make(trial, words)


def _cases_of(files: Files) -> list[str]:
    return [path for path in files if path.startswith("cases/")]


def _plan(trial: Trial, folder: Path, files: Sequence[str]) -> None:
    """All that could be built and printed is planned, of a game or of builds in files."""
    try:
        plan_games([folder], files, _all_plans)
    except InvalidSource as error:
        refused = [problem for problem in error.problems if problem.rule not in NOTHING_THERE]
        if refused:
            told = " | ".join(map(str, refused[:2]))
            trial.violations.append(f"{PASSES}, planning refuses: {told}")
    except Exception as error:
        trial.violations.append(f"planning: traceback {_place(error)}")


def _all_plans(project: Project, builds: Builds) -> Outline[Any]:
    game, files, faults, out = project.played, list[tuple[Path, Any]](), Faults(), Path("out")
    wishes = [*builds] or [
        f"{mech.code}:{variant}"
        for mech in game.mechs.values()
        if not mech.unknown
        for variant in mech.loadouts
    ]
    if game.rooms:
        with faults.collect():
            files += room_files(project, RoomOrder(), out, builds)
    if LOOSE in game.layouts and wishes:
        with faults.collect():
            files += loose_files(project, wishes, out, builds)
    with faults.collect():
        files += picture_files(project, out / "pictures")
    with faults.collect():
        order = PrintOrder(builds=tuple(builds))
        files += sheet_files(project, order, out, builds, is_optional=True).files
    faults.stop_if_any()
    return Outline(files)


NOTHING_THERE = {"IMAGES", "OPTION", "SEAT"}
"""What is said where a game has nothing of what is asked for, or a file has several builds."""


def _place(error: BaseException) -> str:
    """An exception with the last place of the program that it came through."""
    line, trace = "", error.__traceback__
    while trace is not None:
        if "exporter" in trace.tb_frame.f_code.co_filename:
            line = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(error).__name__}: {str(error)[:200]} at {line}"


def _no_traceback(trial: Trial, command: str, result: Result) -> bool:
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        trial.violations.append(f"{command}: traceback {_place(result.exception)}")
        return False
    if "Traceback (most recent" in result.stderr or result.exit_code not in (0, 1, 2):
        trial.violations.append(f"{command}: {result.exit_code} {result.stderr[-300:]}")
        return False
    return True


class Stand:
    """A folder with one game, which a process stands in while it is open."""

    def __init__(self, folder: Path, name: str, files: Files) -> None:
        self.folder, self.name, self.files = folder, name, files

    def __enter__(self) -> Stand:
        self.folder.mkdir(parents=True)
        for path, text in SMALL.items():
            if self.name == "small" and path.startswith("templates/"):
                _write(self.folder / path, text.encode())
        for path, data in sorted(self.files.items()):
            _write(self.folder / "source_data" / self.name / path, data)
        os.chdir(self.folder)
        return self

    def __exit__(self, *_error: object) -> None:
        os.chdir(self.folder.parent)
        shutil.rmtree(self.folder)

    def tree(self) -> list[str]:
        return sorted(str(path) for path in Path().rglob("*"))

    def check(self, trial: Trial, words: list[str]) -> None:
        """``check``: its places; the trial has passed if it finds no error."""
        command = ["check", *words, "--format", "json"]
        before = self.tree()
        signal.setitimer(signal.ITIMER_PROF, HANGING)
        result = CliRunner().invoke(exporter, command)
        if self.tree() != before:
            trial.violations.append("check leaves files")
        if not _no_traceback(trial, "check", result):
            return
        trial.passed = result.exit_code == 0
        problems = json.loads(result.stdout)["problems"]
        errors = [problem for problem in problems if problem["severity"] == "error"]
        if bool(errors) == trial.passed:
            trial.violations.append(f"check: exit {result.exit_code} with {len(errors)} errors")
        trial.violations += [
            f"no place: {problem['file']}: {problem['rule']} {problem['message']}"
            for problem in errors
            if not self.is_placed(problem)
        ]

    def is_placed(self, problem: dict[str, object]) -> bool:
        """Whether a fault names a line that is there, or a whole file, for a fault of the whole."""
        file, line = str(problem["file"]), problem["line"]
        path = Path("source_data", file) if file.startswith(f"{self.name}/") else Path(file)
        if line is None:
            is_whole = problem["rule"] in WHOLE or path.suffix == ".png"
            return bool(file) and (is_whole or not path.is_file())
        if not path.is_file():
            return False
        lines = path.read_bytes().replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
        return isinstance(line, int) and line <= lines

    def make(self, trial: Trial, words: list[str]) -> bool:
        """Any command: all of what it makes or nothing of it, and each file whole.

        Says whether it was done.
        """
        before = self.tree()
        signal.setitimer(signal.ITIMER_PROF, PAINTING)
        out = ["--out", "out"] if words[0] in ("build", "print") and "--out" not in words else []
        result = CliRunner().invoke(exporter, [*words, *out])
        if not _no_traceback(trial, words[0], result):
            return False
        new = [Path(path) for path in sorted({*self.tree()} - {*before})]
        reports = words[0] == "check" and "--report" in " ".join(words)
        if result.exit_code and trial.passed:
            trial.violations.append(f"{PASSES}, {words[0]} refuses: {result.stderr[-400:]}")
        if result.exit_code and new and not reports:
            trial.violations.append(f"{words[0]} refuses and leaves {', '.join(map(str, new))}")
        trial.violations += [f"{words[0]} leaves {fault}" for p in new for fault in _faults_of(p)]
        return result.exit_code == 0


WHOLE = {"SRC-FILE", "SRC-TEXT"}
"""Faults of a file as a whole: it is missing, of a wrong kind, too large, cannot be decoded."""


def _faults_of(path: Path) -> Iterator[str]:
    """What is wrong with a file that was made."""
    if "exporter-" in path.name:
        yield f"{path}"
    elif path.suffix == ".zip":
        yield from (f"{problem}" for problem in verify_zip(path) if _is_error(problem))
    elif path.suffix == ".pdf":
        try:
            document = pypdfium2.PdfDocument(path)
            if not len(document):
                yield f"{path} without a page"
            document.close()
        except pypdfium2.PdfiumError as error:
            yield f"{path}: {error}"


def _is_error(problem: Problem) -> bool:
    return str(problem.severity) == "error"


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        return
    if data == FOLDER:
        path.mkdir()
    elif data == LEADS_OUT:
        path.symlink_to("/etc/passwd")
    else:
        path.write_bytes(data)
