"""A green check means that it builds and prints: whatever these refuse, ``check`` tells before."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from commands import Run, runner
from PIL import Image
from small_game import GAME, change, write_sheets, write_small_game

SHEETS = {
    "cards": "lay: cards\ndecks: true\ncards: {kind: weapon, copies: copies}\n",
    "boards": "lay: boards\nboards: [field]\n",
    "mechs": "lay: mechs\nface: sheet\n",
    "boxes": "lay: box\nvalues: {thickness: 0.3}\n",
    "leaflet": "lay: document\ndocument: leaflet\nnotes: [start]\n",
}
GAME_YAML, LAYOUTS, TABLE, WEAPONS = (
    GAME + name for name in ("game.yaml", "layouts.yaml", "rooms/table.yaml", "cards/weapons.csv")
)
CARDS, BOARDS = (GAME + f"sheets/{name}.yaml" for name in ("cards", "boards"))
MECHS, NOTES = GAME + "sheets/mechs.yaml", GAME + "notes/start.yaml"
FIELD, TEMPLATE = GAME + "boards/field.yaml", "templates/faces/small/text.typ"


def rules(lines: Iterable[str]) -> set[str]:
    """The ids of the problems that are told."""
    return {line.partition(" error ")[2].partition(" ")[0] for line in lines}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Run:
    """Runs the program where the small game is, with sheets of most sorts."""
    write_small_game(tmp_path)
    write_sheets(tmp_path, **SHEETS)
    (tmp_path / NOTES).parent.mkdir()
    (tmp_path / NOTES).write_text("- {id: start, title: A, text: 引く。}\n", encoding="utf-8")
    board = (tmp_path / GAME / "boards/field.yaml").read_text(encoding="utf-8")
    wide = board.replace("id: field", "id: wide") + "square_mm: 20\n"
    (tmp_path / GAME / "boards/wide.yaml").write_text(wide, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return runner(capsys)


def test_a_sound_game_passes_and_check_says_what_it_planned(run: Run) -> None:
    ran = run("check", "small", "--lang", "en")
    assert (ran.code, ran.err) == (0, "")
    assert "small can be made: 2 rooms, 2 zips to add, 4 sheets, 19 faces\n" in ran.out
    document = json.loads(run("check", "small", "--format", "json").out)
    assert document["planned"] == [
        {"game": "small", "rooms": 2, "loose": 2, "sheets": 4, "faces": 19}
    ]


REFUSED = [
    (LAYOUTS, "at: start", "at: start, on: [field, x1]", "error SPACE"),
    (LAYOUTS, "at: start", 'at: [0, 0], on: ["${code}", x1]', "error ON"),
    (LAYOUTS, "title: はじめに", "title: \"${nobody}\"", "error TEXT"),
    (LAYOUTS, "copies: copies", "copies: '999'", "error COPIES"),
    (LAYOUTS, "copies: copies", "ids: [\"${game}\"]", "error CARD"),
    (LAYOUTS, "{kind: weapon, copies: copies}", "{deck: \"${game}\"}", "error DECK"),
    (LAYOUTS, "at: [0, 2]", "at: [0, 900]", "error FAR-OFF"),
    (LAYOUTS, "name: \"${mech}\", face: sheet", "name: A, face: sheet, sliders: {HP: x}",
     "error SLIDER"),
    (TABLE, "boards: [field]", "boards: [field]\nsquare: 9999", "error TABLE-SIZE"),
    (GAME_YAML, "    front: card\n", "", "error FACE"),
    (GAME_YAML, "small/text.typ, size: [10, 5]", "small/txt.typ, size: [10, 5]",
     "error FACE-TEMPLATE There is no face template"),
    (GAME_YAML, "size: [20, 30], scale: 2", "size: [200, 300], scale: 50", "error FACE-SIZE"),
    (WEAPONS, "もやす", "もやす🐱", "error FACE-GLYPH"),
    (WEAPONS, "きる", "きる" * 300, "error FACE-OVERFLOW"),
    (CARDS, "lay: cards\n", "lay: cards\ngrid: [20, 20]\n", "error GRID"),
    (CARDS, "lay: cards\n", "lay: cards\nbleed: 9\n", "error BLEED"),
    (CARDS, "name: cards", "name: カード🐱", "error FACE-GLYPH"),
    (CARDS, "copies: copies", "copies: text", "error COPIES"),
    (BOARDS, "[field]", "[field+wide]", "error BOARD-JOIN"),
    (FIELD, "id: field\n", "id: field\nsquare_mm: 4000\n", "error TILES"),
    (MECHS, "lay: mechs\n", "lay: mechs\nsize: [900, 900]\n", "error PAPER"),
    (NOTES, "引く。", "引く🐱。", "error FACE-GLYPH"),
    (TEMPLATE, "fitted(20mm", "fited(20mm", "error FACE-TEMPLATE"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        *REFUSED[::6],
        *(pytest.param(*one, marks=pytest.mark.slow) for one in REFUSED if one not in REFUSED[::6]),
    ],
)
def test_whatever_build_or_print_refuses_check_tells(
    run: Run, tmp_path: Path, file: str, old: str, new: str, told: str
) -> None:
    change(tmp_path / file, old, new)
    checked = run("check", "small")
    refused = {*run("build", "small").errors, *run("print", "small").errors}
    refused |= {*run("build", "small", "--loose", "AA:kai").errors}
    refused |= {*run("build", "small", "--images", "pictures").errors}
    assert any(told in line for line in refused), refused
    assert rules(refused) <= rules(checked.errors)
    assert checked.code == 1


def png(size: tuple[int, int], seed: int = 0) -> bytes:
    """A picture of noise, which no format makes small."""
    stream = io.BytesIO()
    noise = random.Random(seed).randbytes(size[0] * size[1] * 3)
    Image.frombytes("RGB", size, noise).save(stream, "PNG")
    return stream.getvalue()


@pytest.mark.slow
def test_a_picture_whose_name_promises_another_format_is_checked_and_built(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / GAME / "pictures").mkdir()
    (tmp_path / GAME / "pictures" / "AA.jpg").write_bytes(png((40, 60)))
    assert [run(what, "small").code for what in ("check", "build", "print")] == [0, 0, 0]


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (WEAPONS, "きる", "きる" * 300, "weapons.csv:3: error FACE-OVERFLOW"),
        (CARDS, "lay: cards\n", "lay: cards\nbleed: 9\n", "error BLEED"),
        (NOTES, "引く。", "引く🐱。", "error FACE-GLYPH"),
        (TEMPLATE, "fitted(20mm", "fited(20mm", "error FACE-TEMPLATE"),
    ],
)
def test_a_plan_that_was_kept_hides_nothing(
    run: Run, tmp_path: Path, file: str, old: str, new: str, told: str
) -> None:
    assert run("check", "small").code == 0
    change(tmp_path / file, old, new)
    for _ in range(2):
        assert any(told in line for line in run("check", "small").errors)
    for path in (tmp_path / "cache/exporter").rglob("*"):
        if path.is_file():
            path.write_bytes(b"")
    assert any(told in line for line in run("check", "small").errors), "whatever is damaged"


def test_what_is_told_of_a_kept_plan_has_its_place_as_it_is_now(run: Run, tmp_path: Path) -> None:
    run("check", "small")
    path = tmp_path / WEAPONS
    rows = path.read_text(encoding="utf-8").split("\n", 1)
    path.write_text(rows[0] + "\n\n\n" + rows[1], encoding="utf-8")
    change(tmp_path / TEMPLATE, "10mm, 3mm", "0.1mm, 3mm")
    ran = run("check", "small")
    assert "can be made" not in ran.out
    (of_cards,) = (line for line in ran.errors if "weapons.csv:" in line)
    assert "weapons.csv:4: error FACE-OVERFLOW" in of_cards
    assert "on 3 cards (lines 4, 5, 6)" in of_cards


@pytest.mark.slow
def test_a_room_that_fits_on_no_table_is_that_rooms_problem_alone(run: Run, tmp_path: Path) -> None:
    with (tmp_path / LAYOUTS).open("a", encoding="utf-8") as layouts:
        items = "[{lay: sheet, name: A, face: sheet, at: [0, 0]}]"
        layouts.write(f"rack:\n  size: [201, 4]\n  items: {items}\n")
    room = "id: rack\nname: Rack\nplayers: [1, 1]\nbays: {layout: rack}\n"
    (tmp_path / GAME / "rooms/rack.yaml").write_text(f"{room}arrange: {{centre: [bays]}}\n")
    (tmp_path / "mine.yaml").write_text(BUILD.format(name="Mine", card="Net"), encoding="utf-8")
    built = run("build", "small")
    (error,) = built.errors
    assert error.startswith(
        "small/rooms/rack.yaml:1:1: error TABLE-SIZE The room 'rack' needs a table of 203×6 "
    )
    assert "bays show AA:" in error
    made = sorted(path.name for path in (tmp_path / "output/small").iterdir())
    assert (built.code, made) == (1, ["box.zip", "table.zip"])
    assert run("check", "small").errors == built.errors
    assert run("build", "small", "--room", "rack", "--room", "box").errors == built.errors
    assert run("build", "small", "--images", "pictures").code == 0
    assert run("check", "mine.yaml").err == ""


@pytest.mark.slow
def test_cards_in_no_room_and_on_no_sheet_are_one_notice(run: Run, tmp_path: Path) -> None:
    weapons = tmp_path / WEAPONS
    rows = "W4,Axe,わる,1,more\nW5,Bow,いる,2,more\n"
    weapons.write_text(weapons.read_text(encoding="utf-8") + rows, encoding="utf-8")
    assert run("check", "small").err == ""
    here = "kind: weapon, only: {edition: [base]}, copies: copies"
    change(tmp_path / LAYOUTS, "kind: weapon, copies: copies", here)
    change(tmp_path / CARDS, "kind: weapon, copies: copies", here)
    for _ in range(2):  # also of a plan that was kept
        checked = run("check", "small")
        assert checked.code == 0
        assert checked.err == (
            "small/cards/weapons.csv:4: notice NOWHERE Cards in no room and on no sheet: "
            "3 (Net, Axe, Bow). Add them to a layout or a sheet; with `except` instead of `only`, "
            "cards you add later are included.\n"
        )
    change(tmp_path / CARDS, "only: {edition: [base]}", "except: {edition: [base]}")
    assert run("check", "small").err == ""


def test_a_game_without_rooms_is_refused_by_check_as_by_build(run: Run, tmp_path: Path) -> None:
    for path in (tmp_path / GAME / "rooms").iterdir():
        path.unlink()
    built, checked = run("build", "small"), run("check", "small")
    assert built.errors == checked.errors
    assert "ROOM 'small' has no rooms to build. Add a plan" in built.errors[0]
    assert (built.code, checked.code) == (1, 1)


@pytest.mark.slow
def test_a_sheet_that_lays_nothing_is_told(run: Run, tmp_path: Path) -> None:
    change(tmp_path / CARDS, "decks: true\ncards: {kind: weapon, copies: copies}",
           "cards: {kind: weapon, only: {edition: [less]}}")  # fmt: skip
    assert run("print", "small").code == 0
    assert run("print", "small", "--sheet", "cards").code == 1
    assert "cards.yaml:1:1: error SHEET The sheet cards is empty" in run("check", "small").err


BUILD = "game: small\nname: {name}\nframe: {{size: S}}\nmounted: {{arm: [{card}]}}\n"


def test_of_builds_only_what_they_touch_is_planned(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(BUILD.format(name="Mine", card="Net"), encoding="utf-8")
    change(tmp_path / MECHS, "lay: mechs", "lay: mechs\nsize: [900, 900]")
    change(tmp_path / BOARDS, "[field]", "[field+wide]")
    change(tmp_path / WEAPONS, "もやす", "もやす🐱")  # of no card in the build
    change(
        tmp_path / LAYOUTS,
        "{kind: weapon, copies: copies}",
        "{kind: weapon, only: {text: [とめる]}}",
    )
    whole, own = run("check", "small").errors, run("check", "mine.yaml").errors
    assert rules(whole) == {"BOARD-JOIN", "PAPER", "FACE-GLYPH"}
    assert rules(own) == {"PAPER"}


@pytest.mark.slow
def test_a_build_that_cannot_be_shown_is_told(run: Run, tmp_path: Path) -> None:
    sheet = '{template: small/text.typ, size: [30, 20], scale: 2, values: {text: ""}}'
    change(tmp_path / GAME_YAML, "sheet: {template: small/text.typ, size: [30, 20], scale: 2}",
           f"sheet: {sheet}")  # fmt: skip
    change(
        tmp_path / GAME / "sheets/mechs.yaml",
        "face: sheet",
        'face: sheet\nvalues: {text: "${mech}"}',
    )
    for name, code in (("Mine", 0), ("機" * 300, 1)):
        room_files = BUILD.format(name=name, card="Net")
        (tmp_path / "mine.yaml").write_text(room_files, encoding="utf-8")
        assert run("check", "mine.yaml").code == code
        assert run("print", "small", "--mech", "mine.yaml").code == code


def test_of_many_builds_the_rules_alone_are_asked_and_check_says_so(
    run: Run, tmp_path: Path
) -> None:
    builds = [BUILD.format(name=f"B{number}", card="Net") for number in range(51)]
    (tmp_path / "field.yaml").write_text("---\n".join(builds), encoding="utf-8")
    ran = run("check", "field.yaml", "--lang", "en")
    assert ran.code == 0
    assert ran.err == (
        "command line: notice BUILDS The rules of 51 builds were checked, but not whether they can"
        " be built and printed. Give at most 50 at once.\n"
    )
    assert "PlannedFile" not in ran.out


def test_looks_add_what_is_hard_to_read(run: Run, tmp_path: Path) -> None:
    change(tmp_path / TEMPLATE, 'field: "text"', 'field: "text", fill: luma(80%)')
    assert not run("check", "small").err
    ran = run("check", "small", "--looks")
    assert ran.code == 0
    assert "warning LOOK-CONTRAST small/text.typ: the contrast of text is" in ran.err


@pytest.mark.slow
def test_what_is_wrong_is_told_each_time_and_once_it_is_mended_no_more(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / GAME / "pictures").mkdir()
    picture = tmp_path / GAME / "pictures/W1.png"
    picture.write_bytes(png((40, 60), 3)[:-400])
    change(tmp_path / WEAPONS, "きる", "きる🐱")
    for _ in range(2):
        found = run("check", "small").err
        assert "FACE-GLYPH" in found
        assert "W1.png: error FACE-PICTURE The picture file is damaged" in found
    picture.write_bytes(png((40, 60), 3))
    change(tmp_path / WEAPONS, "きる🐱", "きる")
    for _ in range(2):
        assert run("check", "small").code == 0
