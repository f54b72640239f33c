"""Mutants tried: what each is, what the program says of it, and what it may never do.

A mutant is repeated by its sort, its seed and its number. Nothing here knows what is right in
detail; what is looked at holds of any input: no traceback, a place for each fault, nothing
half-written, and nothing refused later that ``check`` found fine.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import pypdfium2
import yaml
from click.testing import CliRunner, Result
from mutations import FOLDER, LEADS_OUT, Files, Mutator, Pool, picture
from small_game import FILES as SMALL
from small_game import GAME as SMALL_HOME

from exporter.app.games import open_to_make
from exporter.app.make_files import Builds, Outline, plan_games
from exporter.app.print_files import sheet_files
from exporter.app.room_files import LOOSE, loose_files, picture_files, room_files
from exporter.cli.main import exporter
from exporter.core.problems import Faults, InvalidSource
from exporter.model import Game
from exporter.model.print_jobs import PrintOrder
from exporter.rooms.room_orders import RoomOrder
from exporter.rules.project import Project
from exporter.udonarium.verify import verify_zip

SOURCE = Path(__file__).parents[2] / "source_data"
SORTS = ("folders", "cases", "builds")

PASSES = "check passes"
WHOLE = {"SRC-FILE", "SRC-TEXT"}
"""Faults of a file as a whole: it is missing, of a wrong kind, too large, cannot be decoded."""
NOTHING_THERE = {"IMAGES", "OPTION", "SEAT"}
"""What is said where a game has nothing of what is asked for, or a file has several builds."""


@dataclass
class Trial:
    """What came of a mutant; ``told`` says how it differs from what is sound."""

    sort: str
    number: int
    told: str = ""
    violations: list[str] = field(default_factory=list)
    passed: bool = False
    made: bool = False

    def report(self, seed: int) -> str:
        """What was violated, and how to meet it again."""
        again = f"--sort {self.sort} --seed {seed} --first {self.number} --count 1"
        lines = [f"{again}: {self.told}", *(f"    {one}" for one in self.violations)]
        return "\n".join(lines).encode(errors="backslashreplace").decode()

    def ended(self, command: str, result: Result) -> bool:
        """Whether a command came to an end of its own."""
        error = result.exception
        if error is not None and not isinstance(error, SystemExit):
            self.violations.append(f"{command}: traceback {_place(error)}")
        elif "Traceback (most recent" in result.stderr or result.exit_code not in (0, 1, 2):
            self.violations.append(f"{command}: {result.exit_code} {result.stderr[-300:]}")
        else:
            return True
        return False


def _place(error: BaseException) -> str:
    """An exception with the last place of the program that it came through."""
    line, trace = "", error.__traceback__
    while trace is not None:
        if "exporter" in trace.tb_frame.f_code.co_filename:
            line = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(error).__name__}: {str(error)[:200]} at {line}"


def sound_games() -> dict[str, Files]:
    """The games that come with the program, and the small one of the tests, with a picture."""
    games = {
        head.parent.name: {
            path.relative_to(head.parent).as_posix(): path.read_bytes()
            for path in sorted(head.parent.rglob("*"))
            if path.is_file()
        }
        for head in sorted(SOURCE.glob("*/game.yaml"))
    }
    small = {
        name.removeprefix(SMALL_HOME): text.encode()
        for name, text in SMALL.items()
        if name.startswith(SMALL_HOME)
    }
    small["sheets/weapons.yaml"] = b"id: weapons\nname: W\nlay: cards\ncards: {kind: weapon}\n"
    small["sheets/boards.yaml"] = b"id: boards\nname: B\nlay: boards\n"
    small |= {f"pictures/{word}.png": picture() for word in ("W1", "AA", "field")}
    return {**games, "small": small}


def build_files(game: Game) -> Files:
    """The first loadouts that are printed of a game, as players would write them."""
    builds = [build for mech in game.mechs.values() for build in mech.loadouts.values()][:3]
    written = [
        {
            "game": game.id,
            "name": f"build {number}",
            "frame": dict(build.frame),
            "mounted": {part: list(cards) for part, cards in build.mounted.items()},
            "pilots": [{"name": pilot.name, "skills": [*pilot.skills]} for pilot in build.pilots],
        }
        for number, build in enumerate(builds)
    ]
    rows = [["build", *builds[0].frame, "part", "card", "copies", "game"]]
    for part, cards in builds[0].mounted.items():
        rows += [["one", *builds[0].frame.values(), part, card, "1", game.id] for card in cards]
    return {
        "one.yaml": yaml.safe_dump(written[0], allow_unicode=True).encode(),
        "builds.yaml": yaml.safe_dump_all(written, allow_unicode=True).encode(),
        "builds.csv": "".join(",".join(row) + "\n" for row in rows).encode(),
    }


@contextmanager
def standing_in(folder: Path, name: str, files: Files) -> Iterator[None]:
    """Work in a folder with one game until all is done; it is gone afterwards."""
    for path, text in SMALL.items():
        if name == "small" and path.startswith("templates/"):
            _write(folder / path, text.encode())
    for path, data in sorted(files.items()):
        _write(folder / "source_data" / name / path, data)
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
        shutil.rmtree(folder)


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


def tree() -> set[str]:
    """All that lies where a trial stands."""
    return {str(path) for path in Path().rglob("*")}


class Bench:
    """A folder to try mutants in, one after another."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.seed = folder, seed
        self.games = sound_games()
        self.pool = Pool(self.games.values())

    @cached_property
    def builds(self) -> dict[str, Files]:
        """Files of builds, of the games that have mechs."""
        found = {}
        for name, files in self.games.items():
            if any(path.startswith("mechs/") for path in files):
                with standing_in(self.folder / "builds", name, files):
                    found[name] = build_files(open_to_make(Path("source_data", name)).game)
        return found

    def trial(self, sort: str, number: int) -> Trial:
        """Try one mutant."""
        chance = Random(f"{sort} {self.seed} {number}")
        trial = Trial(sort, number)
        getattr(self, f"_{sort}")(trial, chance)
        return trial

    def _folders(self, trial: Trial, chance: Random) -> None:
        name = chance.choice(sorted(self.games))
        files = dict(self.games[name])
        mutator = Mutator(self.pool, chance)
        times = chance.choice([1, 1, 1, 1, 2, 3])
        trial.told = "; ".join(f"{name}/{mutator.mutate(files)}" for _ in range(times))
        with standing_in(self.folder / "trial", name, files):
            check(trial, name, [f"source_data/{name}"])
            if trial.passed:
                plan_all(trial, Path("source_data", name), [])
            if trial.number % (7 if trial.passed else 20) == 0:
                trial.made = make(trial, ["build", name])
                trial.made &= make(trial, ["print", name])

    def _cases(self, trial: Trial, chance: Random) -> None:
        cases = {
            name: [path for path in files if path.startswith("cases/")]
            for name, files in self.games.items()
        }
        name = chance.choice([name for name in cases if cases[name]])
        files = dict(self.games[name])
        trial.told = f"{name}/{Mutator(self.pool, chance).mutate(files, cases[name])}"
        with standing_in(self.folder / "trial", name, files):
            check(trial, name, [f"source_data/{name}", "--cases"])

    def _builds(self, trial: Trial, chance: Random) -> None:
        name = chance.choice(sorted(self.builds))
        path = chance.choice(sorted(self.builds[name]))
        files = dict(self.builds[name])
        trial.told = f"{name}: {Mutator(self.pool, chance).mutate(files, [path])}"
        with standing_in(self.folder / "trial", name, self.games[name]):
            for file, data in files.items():
                if data not in (FOLDER, LEADS_OUT):
                    _write(Path(file), data)
            check(trial, name, [path])
            for command in ("suggest", "explain"):
                trial.ended(command, CliRunner().invoke(exporter, [command, path]))
            if trial.passed:
                plan_all(trial, Path("source_data", name), [path])
            loose = b"loose:" in self.games[name]["layouts.yaml"]
            if path == "one.yaml" and loose and trial.number % 8 == 0:
                trial.made = make(trial, ["build", name, "--loose", path])


def check(trial: Trial, name: str, words: list[str]) -> None:
    """``check``: its places; the trial has passed if it finds no error."""
    before = tree()
    result = CliRunner().invoke(exporter, ["check", *words, "--format", "json"])
    if tree() != before:
        trial.violations.append("check leaves files")
    if not trial.ended("check", result):
        return
    trial.passed = result.exit_code == 0
    problems = json.loads(result.stdout)["problems"]
    errors = [problem for problem in problems if problem["severity"] == "error"]
    if bool(errors) == trial.passed:
        trial.violations.append(f"check: exit {result.exit_code} with {len(errors)} errors")
    trial.violations += [
        f"no place: {problem['file']}: {problem['rule']} {problem['message']}"
        for problem in errors
        if not is_placed(problem, name)
    ]


def is_placed(problem: dict[str, Any], name: str) -> bool:
    """Whether a fault names a line that is there, or a whole file, for a fault of the whole."""
    file, line = str(problem["file"]), problem["line"]
    path = Path("source_data", file) if file.startswith(f"{name}/") else Path(file)
    if line is None:
        is_whole = problem["rule"] in WHOLE or path.suffix == ".png"
        return bool(file) and (is_whole or not path.is_file())
    return path.is_file() and line <= len(path.read_bytes().splitlines()) + 1


def plan_all(trial: Trial, folder: Path, files: Sequence[str]) -> None:
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
        files += sheet_files(project, builds, order=order, out=out, is_optional=True).files
    faults.stop_if_any()
    return Outline(files)


def make(trial: Trial, words: list[str]) -> bool:
    """Whether a command made all of what it makes; else it leaves nothing of it."""
    before = tree()
    result = CliRunner().invoke(exporter, [*words, "--out", "out"])
    if not trial.ended(words[0], result):
        return False
    new = [Path(path) for path in sorted(tree() - before)]
    if result.exit_code and trial.passed:
        trial.violations.append(f"{PASSES}, {words[0]} refuses: {result.stderr[-400:]}")
    if result.exit_code and new:
        trial.violations.append(f"{words[0]} refuses and leaves {', '.join(map(str, new))}")
    trial.violations += [f"{words[0]} leaves {fault}" for p in new for fault in _faults_of(p)]
    return result.exit_code == 0


def _faults_of(path: Path) -> Iterator[str]:
    """What is wrong with a file that was made."""
    if "exporter-" in path.name:
        yield f"{path}"
    elif path.suffix == ".zip":
        yield from (str(each) for each in verify_zip(path) if str(each.severity) == "error")
    elif path.suffix == ".pdf":
        try:
            pypdfium2.PdfDocument(path).close()
        except pypdfium2.PdfiumError as error:
            yield f"{path}: {error}"
