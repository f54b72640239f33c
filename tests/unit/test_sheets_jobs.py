"""Print jobs as files say them: what each needs, and what is told where it has not got it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from small_game import GAME, write_small_game

from exporter.core.problems import InvalidSource
from exporter.loader.game_reader import read_game
from exporter.loader.print_job_files import read_jobs, read_stationery

TEMPLATES = Path(__file__).parents[2] / "templates"


def told(folder: Path, job: str) -> list[str]:
    """What is said of a job that is the only one of a small game."""
    write_small_game(folder)
    root = folder / GAME
    (root / "sheets").mkdir()
    (root / "sheets" / "job.yaml").write_text(f"id: job\nname: A\n{job}", encoding="utf-8")
    stationery = read_stationery([TEMPLATES / "sheets"])
    try:
        read_jobs(root, read_game(root), stationery)
    except InvalidSource as error:
        return [str(problem) for problem in error.problems]
    return []


@pytest.mark.parametrize("document", ["''", "document", "marks", "/tmp/list.typ", "../list"])
def test_a_document_is_one_of_those_that_are_shipped(tmp_path: Path, document: str) -> None:
    (problem,) = told(tmp_path, f"lay: document\ndocument: {document}\n")
    assert "job.yaml:4:11: error SRC-VALUE document: found" in problem
    assert "allowed: one of list, rulings, leaflet, forms, calibration." in problem


@pytest.mark.parametrize(
    ("job", "missing"),
    [
        ("lay: document\n", ["document"]),
        ("lay: document\ndocument: leaflet\n", ["notes"]),
        ("lay: document\ndocument: list\n", ["cards", "columns"]),
        ("lay: document\ndocument: forms\n", ["columns", "values"]),
        ("lay: cards\n", ["cards"]),
        ("lay: dial\n", ["face"]),
    ],
)
def test_a_job_without_what_it_lays_is_a_problem(
    tmp_path: Path, job: str, missing: list[str]
) -> None:
    problems = told(tmp_path, job)
    assert [problem.rpartition("Add ")[2] for problem in problems] == [f"`{m}:`." for m in missing]


def test_forms_say_what_is_to_be_filled_in(tmp_path: Path) -> None:
    columns = "columns: [{title: A, field: name}]\n"
    job = f"lay: document\ndocument: forms\n{columns}values: {{count: 3}}\n"
    (problem,) = told(tmp_path, job)
    assert "also needs heading, fields, lines in its values" in problem


@pytest.mark.parametrize("count", ["0", "100", "999999999", "two", "1.5", "[1]"])
def test_forms_are_made_a_bounded_number_of_times(tmp_path: Path, count: str) -> None:
    columns = "columns: [{title: A, field: name}]\ncards: {kind: weapon}\n"
    values = f"{{heading: a, fields: [], lines: [], count: {count}}}"
    job = f"lay: document\ndocument: forms\n{columns}values: {values}\n"
    (problem,) = told(tmp_path, job)
    assert "job.yaml:7:52: error SRC-VALUE count: found" in problem
    assert re.search("allowed: (a whole number|at least 1|at most 99)", problem)


@pytest.mark.parametrize(
    ("values", "wrong"),
    [
        ("heading: [a], fields: [], lines: []", "heading"),
        ("heading: a, fields: {number: text}, lines: []", "fields"),
        ("heading: a, fields: [[a], b], lines: []", "fields"),
        ("heading: a, fields: [], lines: 3", "lines"),
        ("heading: a, fields: [], lines: [], mystery: 1", "mystery"),
    ],
)
def test_forms_take_a_heading_and_lists_of_texts(tmp_path: Path, values: str, wrong: str) -> None:
    columns = "columns: [{title: A, field: name}]\ncards: {kind: weapon}\n"
    job = f"lay: document\ndocument: forms\n{columns}values: {{{values}, count: 3}}\n"
    (problem,) = told(tmp_path, job)
    assert problem.startswith("small/sheets/job.yaml:7:")
    assert wrong in problem


@pytest.mark.parametrize(
    "job", ["lay: cards\ndecks: true\n", "lay: boards\n", "lay: document\ndocument: rulings\n"]
)
def test_a_job_with_what_it_lays_is_sound(tmp_path: Path, job: str) -> None:
    assert told(tmp_path, job) == []
