"""Players' builds from YAML documents and from a table, with every fault at its place."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from source_specimen import spoilt
from spreadsheet_files import ods, xlsx

from exporter.core.problems import InvalidSource, SourceLocation
from exporter.loader.game_reader import read_game
from exporter.loader.player_files import named_game, read_builds
from exporter.model import Game

SOUND = """\
game: tiny
name: Raider
frame: {size: S, seats: one}
mounted:
  head: [Laser]
  arm: []
pilots: [{name: Kim, skills: [W2]}]
regulation: open
waivers: [{rule: T1, reason: The host agrees.}]
---
name: Bare
frame: {size: L, seats: two}
"""

TABLE = """\
build,size,seats,part,card,copies,pilot,skill,regulation
Raider,S,one,head,Laser,,,,open
Raider,,,arm,Sword,2,,,
Raider,,,,,,Kim,W2,
Bare,L,two,head,W1,,,,
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return read_game(spoilt(tmp_path))


def problems(path: Path, game: Game) -> list[str]:
    with pytest.raises(InvalidSource) as caught:
        read_builds(path, game)
    return [str(problem).replace(str(path), "f") for problem in caught.value.problems]


def write(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def test_a_file_holds_one_build_a_document(tmp_path: Path, game: Game) -> None:
    path = write(tmp_path, "a.yaml", SOUND)
    raider, bare = read_builds(path, game)
    assert raider.mounted == {"head": ("Laser",), "arm": ()}
    assert raider.places["head.1"] == SourceLocation(str(path), 5, 10)
    assert raider.pilots[0].skills == ("W2",)
    assert (raider.regulation, raider.waivers[0].rule) == ("open", "T1")
    assert (bare.name, bare.frame["size"]) == ("Bare", "L")
    named = named_game(path)
    assert isinstance(named, tuple)
    assert named[0] == "tiny"


def test_a_table_holds_one_weapon_a_row(tmp_path: Path, game: Game) -> None:
    path = write(tmp_path, "a.csv", TABLE)
    raider, bare = read_builds(path, game)
    assert raider.mounted == {"head": ("Laser",), "arm": ("Sword", "Sword")}
    assert raider.places["arm.2"] == SourceLocation(str(path), 3, 14)
    assert raider.frame == {"size": "S", "seats": "one"}
    assert (raider.pilots[0].name, raider.pilots[0].skills) == ("Kim", ("W2",))
    assert (raider.regulation, bare.mounted) == ("open", {"head": ("W1",)})


FAULTS = yaml.safe_load((Path(__file__).parent / "build_faults.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "old", "new", "where", "said"), FAULTS)
def test_a_fault_is_told_once_at_its_place(
    tmp_path: Path, game: Game, name: str, old: str, new: str, where: str, said: str
) -> None:
    text = SOUND if name == "a.yaml" else TABLE
    assert text.count(old) == 1
    (found,) = problems(write(tmp_path, name, text.replace(old, new)), game)
    assert found.startswith(f"{where}: ")
    assert said in found


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("frame: {size: L", "frame: {size: L: M", "f:12:8: error SRC-YAML"),
        ("name: Bare", "[{name: Bare}]\n---\nname: Bare", "f:11:1: "),
    ],
)
def test_a_document_that_is_no_build_is_told_first(
    tmp_path: Path, game: Game, old: str, new: str, where: str
) -> None:
    found = problems(write(tmp_path, "a.yaml", SOUND.replace(old, new)), game)
    assert any(text.startswith(where) for text in found)


def test_a_missing_and_an_empty_file_are_problems(tmp_path: Path, game: Game) -> None:
    assert "There is no file" in problems(tmp_path / "x.yaml", game)[0]
    assert (
        "There is no build or deck in this file" in problems(write(tmp_path, "a.yaml", ""), game)[0]
    )
    assert "There is no file" in str(named_game(tmp_path / "x.yaml"))


def table(suffix: str) -> bytes:
    """A build as players write tables: Japanese headings, blanks that mean the cell above."""
    rows: list[list[str | float]] = [
        ["ゲーム", "機体", "size", "ＳＥＡＴＳ", "部位", "カード", "枚数"],
        ["tiny", "Raider", "S", "one", "HEAD", "ｌａｓｅｒ", "1"],
        ["", "", "", "", "arm", "sw ord", "２枚"],
        ["", "Bare", "l", "two", "head", "w1", ""],
        ["", "", "", "", "arm", "Laser", ""],
    ]
    if suffix in ("xlsx", "ods"):
        return (xlsx if suffix == "xlsx" else ods)(rows)
    separator = "\t" if suffix == "tsv" else ","
    return "\n".join(separator.join(map(str, row)) for row in rows).encode()


@pytest.mark.parametrize("suffix", ["csv", "tsv", "xlsx", "ods"])
def test_a_table_may_be_of_any_sort_and_leave_out_what_stands_above(
    tmp_path: Path, game: Game, suffix: str
) -> None:
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(table(suffix))
    raider, bare = read_builds(path, game)
    assert raider.frame == {"size": "S", "seats": "one"}
    assert raider.mounted == {"head": ("Laser",), "arm": ("Sword", "Sword")}
    assert bare.mounted == {"head": ("W1",), "arm": ("Laser",)}
    assert bare.frame == {"size": "L", "seats": "two"}
    named = named_game(path)
    assert isinstance(named, tuple)
    assert (raider.game, bare.game, named[0]) == ("tiny", "tiny", "tiny")


def test_keys_and_names_of_a_document_may_be_spelled_as_people_type_them(
    tmp_path: Path, game: Game
) -> None:
    text = """\
ゲーム: tiny
名前: Raider
機体: {ｓｉｚｅ: s, Seats: ＯＮＥ}
部位: {ＨＥＡＤ: [laser], arm: [Ｓｗｏｒｄ]}
パイロット: [{名前: Kim, スキル: [ｗ２]}]
レギュレーション: open
免除: [{ルール: T1, 理由: The host agrees.}]
---
機体: Bare
フレーム: {size: L, seats: two}
"""
    raider, bare = read_builds(write(tmp_path, "a.yaml", text), game)
    assert raider.mounted == {"head": ("Laser",), "arm": ("Sword",)}
    assert raider.frame == {"size": "S", "seats": "one"}
    assert raider.pilots[0].skills == ("W2",)
    assert (raider.regulation, raider.waivers[0].rule) == ("open", "T1")
    assert raider.places["head.1"].line == 4
    assert (bare.name, bare.frame["size"]) == ("Bare", "L")


def test_a_spreadsheet_that_is_none_is_told_as_such(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(b"no spreadsheet")
    assert any("SRC-" in text for text in problems(path, game))
