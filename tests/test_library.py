"""The door for programs: what ``import exporter`` offers, and the page that explains it; the
installed command.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import os
import re
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from commands import run
from small_game import GAME, change, write_small_game

import exporter
from exporter import CheckOptions, InvalidSource, PrintOrder, RoomOrder
from exporter.udonarium import marks
from exporter.udonarium.read import open_to_edit

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "library.md"
EXAMPLES = re.findall(
    r"^```python\n(.*?)^```\n(?:\n^```text\n(.*?)^```)?",
    PAGE.read_text(encoding="utf-8"),
    re.DOTALL | re.MULTILINE,
)


def offered() -> list[str]:
    return list(exporter._HOMES)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the small game is, with nothing known of it."""
    write_small_game(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


# ---- the page


@pytest.mark.slow
def test_the_examples_print_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared_cache: None
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    assert len(EXAMPLES) == 5
    for code, printed in EXAMPLES:
        with contextlib.redirect_stdout(io.StringIO()) as said:
            exec(code, names)
        assert said.getvalue() == printed


def test_every_function_stands_on_the_page_and_five_lines_lead_to_a_zip() -> None:
    functions = {name for name in offered() if inspect.isfunction(getattr(exporter, name))}
    rows = re.findall(r"^\| `(\w+)\(", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert functions == set(rows)
    code, printed = EXAMPLES[0]
    assert ".zip" in printed
    assert len([line for line in code.splitlines() if line]) <= 5


# ---- what is offered


def test_what_is_offered_is_there_and_says_what_it_is() -> None:
    for name in offered():
        assert inspect.getdoc(getattr(exporter, name)), name
        assert name in dir(exporter)
    assert not hasattr(exporter, "save_everything")


def test_to_import_it_loads_nothing_of_it() -> None:
    code = "import sys, exporter; print([m for m in sys.modules if m.startswith('exporter.')])"
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert ran.stdout == "[]\n"


# ---- values


def test_several_games_are_written_all_or_none(small: Path) -> None:
    change(small / GAME / "game.yaml", "id: small", "id: other")
    (small / GAME).rename(small / "source_data/other")
    write_small_game(small)
    change(small / GAME / "rooms/box.yaml", "centre: [supply]", "centre: [suply]")
    with pytest.raises(InvalidSource, match="suply"):
        exporter.save_rooms(["other", small / GAME], "output")
    assert not (small / "output").exists()


def test_no_game_makes_nothing_rather_than_all(small: Path) -> None:
    assert not exporter.save_rooms([], "output").made
    assert not exporter.list_games([]).games


def test_a_planned_room_becomes_the_zip_that_is_saved(small: Path) -> None:
    rooms = exporter.plan_rooms("small", RoomOrder(mechs={"red1": "AA:kai"}))
    assert set(rooms) == {"table", "box"}
    (made,) = exporter.save_rooms(
        "small", order=RoomOrder(rooms=("table",), mechs={"red1": "AA:kai"})
    ).made
    data, warnings = exporter.room_zip("small", rooms["table"])
    assert not warnings
    planned, saved = open_to_edit(data), open_to_edit(made.files[made.path])
    assert planned.pictures == saved.pictures
    assert planned.room is not None
    assert saved.room is not None
    planned_fields, saved_fields = (
        [marks.fields(thing) for thing in marks.things(room)] for room in (planned.room, saved.room)
    )
    assert planned_fields == saved_fields


def test_a_game_with_faults_is_not_opened_but_listed(small: Path) -> None:
    change(small / GAME / "rooms/box.yaml", "centre: [supply]", "centre: [suply]")
    with pytest.raises(InvalidSource) as raised:
        exporter.open_game("small")
    listed = exporter.list_games("small")
    assert raised.value.problems == listed.problems
    assert [game["id"] for game in listed.games] == ["small"]


def test_wishes_that_no_command_takes_are_refused(small: Path) -> None:
    with pytest.raises(ValueError, match="yesterday"):
        exporter.check("small", CheckOptions(on="yesterday"))
    with pytest.raises(ValueError, match="fr"):
        exporter.explain("W1", language="fr")


@pytest.mark.parametrize(
    "order",
    [
        PrintOrder(bleed=30),
        PrintOrder(grid=(0, 3)),
        PrintOrder(size=(float("nan"), 88)),
        PrintOrder(form="svg"),  # type: ignore[arg-type]
        PrintOrder(dpi=1),
        PrintOrder(changed_since="yesterday"),
    ],
)
def test_paper_that_no_command_takes_is_refused(small: Path, order: PrintOrder) -> None:
    with pytest.raises(ValueError, match=r"Expected|Invalid enum|isoformat"):
        exporter.print_sheets("small", "output", order)


def test_an_unknown_box_is_told_of_each_game_beside_all_else(small: Path) -> None:
    change(small / GAME / "cards/weapons.csv", "W1,Laser", "W1,Lasser")
    checked = exporter.check("small", CheckOptions(boxes=("much",)))
    assert not checked.passed
    rules = {problem.rule for problem in checked.problems}
    assert "BOXES" in rules
    assert any(rule.startswith("SRC-") for rule in rules)


def test_paper_of_a_game_without_sheets_is_a_fault_unless_it_is_optional(small: Path) -> None:
    with pytest.raises(InvalidSource, match="no sheets"):
        exporter.print_sheets("small", "output", PrintOrder())
    assert not exporter.print_sheets("small", "output", is_optional=True).made


@pytest.mark.slow
def test_a_new_game_is_begun_or_refused_as_the_command_does(small: Path) -> None:
    begun = exporter.new_game("mine", "games", players=(1, 2), board="hex")
    assert set(begun.files) == {
        path.relative_to("games/mine").as_posix() for path in Path("games/mine").rglob("*.*")
    }
    assert exporter.save_rooms(begun.folder).made
    for players, board in (((3, 2), ""), ((1, 99), ""), ((1, 2), "cube")):
        with pytest.raises(ValueError, match=r"players|cube"):
            exporter.new_game("other", "games", players=players, board=board)
    assert not Path("games/other").exists()


# ---- the command line in front of it


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("print small --calibrate --looks", "--calibrate and --looks cannot be used together."),
        ("explain mine.yaml hp more", "mine.yaml is not a game; give GAME THING FIGURE."),
        ("build small --name x", "--name names one mech: give exactly one --loose, and a name."),
    ],
)
def test_a_word_that_nothing_would_heed_is_refused(small: Path, words: str, answer: str) -> None:
    ran = run(*words.split())
    assert ran.exit_code == 2
    assert answer in ran.output


# ---- the installed command, far from the checkout

COMMAND = Path(sys.executable).with_name("exporter" + (".exe" if os.name == "nt" else ""))
INSTALLED = pytest.mark.skipif(
    not COMMAND.exists(), reason="the program is not installed here: pip install '.[test]'"
)


@INSTALLED
@pytest.mark.slow
def test_the_installed_command_builds_in_an_empty_folder(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    for words in (["list"], ["build", "embryo_machine", "--loose", "AG"]):
        subprocess.run([COMMAND, *words], cwd=tmp_path, env=environment, check=True)
    with zipfile.ZipFile(tmp_path / "output/embryo_machine/loose/AG.zip") as archive:
        assert archive.testzip() is None


@INSTALLED
@pytest.mark.slow
def test_templates_games_and_the_fonts_licences_travel_with_it() -> None:
    names = {str(path) for path in metadata.files("udonarium-exporter") or ()}
    if "exporter/__init__.py" not in names:
        pytest.skip("installed as a link to the checkout")
    assert "exporter/py.typed" in names
    for folder in ("templates", "source_data"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert f"exporter/_data/{path.relative_to(ROOT).as_posix()}" in names
    assert any("OFL" in name and "licenses" in name for name in names)
