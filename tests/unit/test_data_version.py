"""What a room says of the data that it was made of: other data, another version; and no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from small_game import GAME, change, write_small_game

from exporter.faces.data_version import version_text
from exporter.loader.game_reader import read_game

GAME_YAML, WEAPONS, LAYOUTS = "game.yaml", "cards/weapons.csv", "layouts.yaml"
ERRATUM = (
    "- {id: E1, medium: card, source: s, date: DAY,\n"
    "   changes: [{card: W1, field: copies, was: 2, now: 3}]}\n"
)
RULING = "- {id: Q1, topic: Net, ruling: 1枚だけ。, cards: [W3], date: DAY}\n"
IN_ANOTHER_ORDER = ("W1,Laser,もやす,2,base\nW2,Sword,きる,1,base\n",
                    "W2,Sword,きる,1,base\nW1,Laser,もやす,2,base\n")  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_small_game(tmp_path)
    home = tmp_path / GAME
    change(home / GAME_YAML, "parts:", "version: {number: 3, day: 2026-02-28}\nparts:")
    (home / "sources.yaml").write_text("s: {title: S}\n", encoding="utf-8")
    (home / "pictures").mkdir()
    (home / "pictures/W1.png").write_bytes(b"\x89PNG" + bytes(99))
    return home


def stated(folder: Path) -> str:
    return version_text(read_game(folder))


def test_a_version_has_number_day_and_digest(folder: Path) -> None:
    assert re.fullmatch(r"3 \(2026-02-28 · [0-9a-f]{6}\)", stated(folder))


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (WEAPONS, "もやす", "もえる"),
        (WEAPONS, *IN_ANOTHER_ORDER),
        (LAYOUTS, "at: [0, 2]", "at: [0, 3]"),
        (LAYOUTS, "title: はじめに", 'title: "はじめ"'),
        (GAME_YAML, "number: 3", "number: 4"),
        ("mechs/AA.yaml", "Alpha", "Alfa"),
        ("rooms/table.yaml", "name: {ja: 卓, en: Table}", "name: 卓"),
        ("frames.csv", "S,3", "S,4"),
        ("errata.yaml", "", ERRATUM.replace("DAY", "unknown")),
        ("rulings.yaml", "", RULING.replace("DAY", "unknown")),
        ("boards/other.yaml", "", "id: other\nname: O\nlegend: {\".\": plain}\nrows: [\".0\"]\n"),
    ],
)  # fmt: skip
def test_other_data_state_another_version(folder: Path, file: str, old: str, new: str) -> None:
    before = stated(folder)
    if old:
        change(folder / file, old, new)
    else:
        (folder / file).write_text(new, encoding="utf-8")
    assert stated(folder) != before


@pytest.mark.parametrize("data", [b"\x89PNG" + bytes(98) + b"1", b"\x89PNG" + bytes(98)])
def test_so_does_another_picture(folder: Path, data: bytes) -> None:
    before = stated(folder)
    (folder / "pictures/W1.png").write_bytes(data)
    assert stated(folder) != before


def test_how_files_are_written_and_where_they_lie_changes_nothing(folder: Path) -> None:
    before = stated(folder)
    for path in sorted(folder.rglob("*.yaml")):
        text = "# A remark.\n" + path.read_text(encoding="utf-8")
        path.write_bytes(text.replace("\n", "\r\n").encode())
    for path in sorted(folder.rglob("*.csv")):
        path.write_bytes(path.read_text(encoding="utf-8").replace("\n", "\r\n").encode("utf-8-sig"))
    drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'>\n</svg>\n"
    assert stated(folder.rename(folder.with_name("elsewhere"))) == before
    home = folder.with_name("elsewhere")
    (home / "pictures/W2.svg").write_bytes(drawing.encode())
    with_drawing = stated(home)
    (home / "pictures/W2.svg").write_bytes(drawing.replace("\n", "\r\n").encode())
    assert stated(home) == with_drawing != before


@pytest.mark.parametrize(("file", "text"), [("errata.yaml", ERRATUM), ("rulings.yaml", RULING)])
@pytest.mark.parametrize(
    ("day", "shown"), [("2026-11-22", "2026-11-22"), ("2020-01-01", "2026-02-28")]
)
def test_the_day_is_that_of_the_latest_change(
    folder: Path, file: str, text: str, day: str, shown: str
) -> None:
    (folder / file).write_text(text.replace("DAY", day), encoding="utf-8")
    assert f"3 ({shown} · " in stated(folder)
