"""Templates from elsewhere reach nothing outside, and are stopped where they take too much, by the
process that they run in.
"""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from exporter.core.problems import InvalidSource, Problem, SourceLocation
from exporter.core.shipped_files import is_shipped
from exporter.core.worker_process import WorkerLimits
from exporter.faces.card_faces import face
from exporter.render.painter import paint
from exporter.render.typesetter import ALLOWED, Compiler, open_compiler

SHIPPED = Path(__file__).parents[2] / "templates" / "faces"
ROW = SourceLocation("cards.csv", 2)


def painted(
    folder: Path, text: str, limits: WorkerLimits = WorkerLimits(), count: int = 1
) -> bytes:
    """The first picture of a template of somebody's own."""
    template = folder / "own" / "card.typ"
    template.parent.mkdir(exist_ok=True)
    template.write_text(text, encoding="utf-8")
    faces = [face("own/card.typ", {"n": n}, (10, 10), scale=10, where=ROW) for n in range(count)]
    before = ALLOWED.set(limits)
    try:
        return paint(faces, (folder, SHIPPED), None, None).images[faces[0]].data
    finally:
        ALLOWED.reset(before)


def refused(
    folder: Path, text: str, limits: WorkerLimits = WorkerLimits(), count: int = 1
) -> Problem:
    with pytest.raises(InvalidSource) as error:
        painted(folder, text, limits, count)
    (problem,) = error.value.problems
    return problem


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            '#import "@preview/cetz:0.3.0"',
            "import can only read a .typ file in the style's own folder",
        ),
        ('#import "@local/mine:0.1.0": x', "import can only read"),
        ('#import "\\u{40}preview/cetz:0.3.0"', "import can only read"),
        ('#import ("@pre" + "view/cetz:0.3.0")', "import can only read"),
        ('#import "a.typ".replace("a.typ", "@preview/cetz:0.3.0")', "import can only read"),
        ('#let x = "@preview/cetz:0.3.0"\n#import x', "import can only read"),
        ("#import/**/ x", "import can only read"),
        ('#include "notes.txt"', "include can only read"),
        ('#include("@pre" + "view/cetz:0.3.0")', "include can only read"),
        ('#eval("1")', "eval runs a text as code"),
        ("#let run = eval", "eval runs a text as code"),
        ('#plugin("a.wasm")', "plugin runs a program"),
        ("#datetime.today().display()", "the picture would change"),
        ('#dictionary(std).at("ev" + "al")', "std gives access to everything"),
    ],
)
def test_what_could_reach_out_of_its_folder_is_refused_at_its_place(
    tmp_path: Path, line: str, said: str
) -> None:
    problem = refused(tmp_path, f"#let face(values) = []\n{line}\n")
    assert problem.rule == "FACE-SEALED"
    assert said in problem.message
    word = said.partition(" ")[0].replace("the", "today")
    before = f"#let face(values) = []\n{line}".partition(word)[0]
    assert str(problem.where).endswith(
        f"own/card.typ:{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"
    )


def test_words_that_only_look_alike_are_no_fault(tmp_path: Path) -> None:
    text = """\
#import "inks.typ": blue
#import "/inks.typ": blue as ink
#let retrieval = std.text(size: 4pt, "std-plugin-evaluate, importance, todays")
#let face(values) = { rect(fill: blue); retrieval }
"""
    (tmp_path / "inks.typ").write_text("#let blue = rgb(0, 0, 255)\n", encoding="utf-8")
    (tmp_path / "own").mkdir()
    (tmp_path / "own/inks.typ").write_text("#let blue = rgb(0, 0, 255)\n", encoding="utf-8")
    assert painted(tmp_path, text)


LOOP = "#let face(values) = for a in range(100000) { for b in range(100000) { a = b } }\n"
GROW = '#let face(values) = { let s = "a"; while s.len() > 0 { s = s + s }; s }\n'
DEEP = "#let deep(n) = if n > 0 { deep(n - 1) } else { [] }\n#let face(values) = deep(100000)\n"


@pytest.mark.slow
def test_a_template_that_never_ends_is_stopped_and_named(tmp_path: Path) -> None:
    begun = time.monotonic()
    problem = refused(tmp_path, LOOP, WorkerLimits(seconds=1), count=3)
    assert problem.rule == "FACE-COST"
    assert problem.message == "own/card.typ needs more than 1 s for 3 faces."
    assert problem.where.file.endswith("own/card.typ")
    assert time.monotonic() - begun < 10


@pytest.mark.slow
def test_what_ends_the_layout_engine_is_told_in_a_sentence_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tile = "tiling(size: (0.0001mm, 0.0001mm))[#circle(radius: 1mm)]"
    text = f"#let face(values) = box(width: 10mm, height: 10mm, fill: {tile})"
    assert "crashed the layout engine" in refused(tmp_path, text).message
    assert painted(tmp_path, "#let face(values) = []"), "the next one is painted"
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_a_template_that_fills_the_memory_is_stopped_and_names_the_row(tmp_path: Path) -> None:
    problem = refused(tmp_path, GROW, WorkerLimits(seconds=60, megabytes=200))
    assert problem.rule == "FACE-COST"
    assert problem.where == ROW
    assert "own/card.typ needs more than 200 MB for 1 face." in problem.message


def test_a_template_that_calls_itself_without_end_is_a_fault_of_the_template(
    tmp_path: Path,
) -> None:
    assert (
        "recursion" in refused(tmp_path, DEEP).message
        or "call depth" in refused(tmp_path, DEEP).message
    )


def test_copies_of_what_came_with_the_program_are_trusted_like_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who installs from a checkout and works in it: no limit stops the program's own templates."""
    monkeypatch.chdir(tmp_path)
    copy = tmp_path / "templates" / "faces"
    shutil.copytree(SHIPPED / "plain", copy / "plain")
    shutil.copy(SHIPPED / "lib.typ", copy)
    assert is_shipped(copy / "lib.typ")
    assert is_shipped(Path("templates/faces/plain/card.typ"))
    with open_compiler({"plain/card.typ": copy / "plain" / "card.typ"}, {}, ()) as ready:
        assert isinstance(ready, Compiler)
    (copy / "plain" / "card.typ").write_text("#let face(values) = []\n", encoding="utf-8")
    assert not is_shipped(copy / "plain" / "card.typ")
    assert not is_shipped(copy / "plain" / "new.typ")
    with open_compiler({"plain/card.typ": copy / "plain" / "card.typ"}, {}, ()) as ready:
        assert not isinstance(ready, Compiler)
