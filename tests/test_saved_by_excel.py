"""What a spreadsheet's saving makes of the shipped tables is told, and never built into cards."""

from __future__ import annotations

import codecs
import csv
import io
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from exporter.core.problems import InvalidSource, Problem
from exporter.loader.game_folders import game_folders
from exporter.loader.game_reader import read_game

ROOT = Path(__file__).parent.parent
GAMES = game_folders([ROOT / "source_data"])
NEW = ROOT / "templates" / "new"

Spoil = Callable[[str], str]


def in_cp932(cell: str) -> str:
    """Excel's "CSV (comma separated)" in Japan: what its encoding lacks is a question mark."""
    return cell.encode("cp932", "replace").decode("cp932")


def as_a_date(cell: str) -> str:
    """A month and a day is a date to Excel."""
    found = re.fullmatch(r"(1[0-2]|[1-9])[/-](3[01]|[12][0-9]|[1-9])", cell)
    return f"{found[1]}月{found[2]}日" if found else cell


def saved_anew(folder: Path, target: Path, spoil: Spoil, encoding: str) -> set[tuple[str, int]]:
    """The game's folder with its tables saved by a spreadsheet; file and line of each cell that
    then holds something else and shows it by a ? or a date."""
    shutil.copytree(folder, target)
    changed = set()
    for path in sorted(target.rglob("*.csv")):
        rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"))))
        saved = [[spoil(cell) for cell in row] for row in rows]
        for line, (row, cells) in enumerate(zip(rows, saved, strict=True), 1):
            if any(a != b and re.search("[?月]", b) for a, b in zip(row, cells, strict=True)):
                changed.add((f"{folder.name}/{path.relative_to(target)}", line))
        out = io.StringIO()
        csv.writer(out, lineterminator="\r\n").writerows(saved)
        path.write_bytes(out.getvalue().encode(encoding))
    return changed


def problems(folder: Path) -> tuple[Problem, ...]:
    try:
        read_game(folder)
    except InvalidSource as invalid:
        return invalid.problems
    return ()


@pytest.mark.parametrize(
    ("spoil", "encoding"),
    [(in_cp932, "cp932"), (as_a_date, "utf-8-sig")],
    ids=["signs that cp932 lacks", "dates"],
)
@pytest.mark.parametrize(
    "folder",
    [
        pytest.param(folder, marks=[] if folder.name == "embryo_machine" else pytest.mark.slow)
        for folder in GAMES
    ],
    ids=lambda folder: folder.name,
)
def test_every_cell_that_was_spoilt_is_told(
    folder: Path, tmp_path: Path, spoil: Spoil, encoding: str
) -> None:
    changed = saved_anew(folder, tmp_path / folder.name, spoil, encoding)
    found = problems(tmp_path / folder.name)
    # SRC-VALUE where a style takes one of a few signs, and a lost one is none of them.
    assert {problem.rule for problem in found} <= {"SRC-CELL", "SRC-VALUE"}
    assert {(problem.where.file, problem.where.line) for problem in found} == changed
    assert changed or folder.name != "embryo_machine"


@pytest.mark.parametrize("folder", [*GAMES, NEW], ids=lambda folder: folder.name)
def test_excel_knows_the_encoding_of_every_shipped_table(folder: Path) -> None:
    tables = sorted(folder.rglob("*.csv"))
    assert tables
    assert [path for path in tables if not path.read_bytes().startswith(codecs.BOM_UTF8)] == []
