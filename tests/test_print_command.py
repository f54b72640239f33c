"""The command ``print`` as people use it, with a small game of its own."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from small_game import GAME, write_small_game

from exporter.cli import exporter

Print = Callable[..., Result]

SHEETS = {
    "cards": "lay: cards\ncards: {kind: weapon, copies: copies}\n",
    "boards": "lay: boards\n",
    "mechs": "lay: mechs\nface: sheet\n",
    "errata": "lay: document\ndocument: rulings\n",
}


@pytest.fixture
def sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Print:
    """Prints from a folder that holds the small game with some sheets."""
    write_small_game(tmp_path)
    (tmp_path / GAME / "sheets").mkdir()
    for name, text in SHEETS.items():
        path = tmp_path / GAME / "sheets" / f"{name}.yaml"
        path.write_text(f"id: {name}\nname: {name}\n{text}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Result:
        result = CliRunner().invoke(exporter, ["print", "small", *arguments])
        assert result.exception is None or isinstance(result.exception, SystemExit)
        return result

    return run


def test_a_look_says_how_many_faces_were_read_and_that_nothing_was_found(sheet: Print) -> None:
    result = sheet("--sheet", "cards", "--looks")
    assert (result.output, result.exit_code) == ("Read 4 faces: no findings.\n", 0)


def test_a_look_at_a_sheet_without_faces_finds_nothing(sheet: Print) -> None:
    assert sheet("--sheet", "errata", "--looks").output == "Read 0 faces: no findings.\n"


def test_pictures_of_pages_are_told_once_a_sheet(sheet: Print) -> None:
    told = sheet("--sheet", "cards", "--format", "png", "--dpi", "36").output.splitlines()
    assert len(told) == 2
    assert told[0].endswith("2 pages, 4 faces")


def test_a_folder_of_pages_holds_those_of_the_last_print_and_what_others_put_there(
    sheet: Print,
) -> None:
    folder = Path("output/small/cards")
    sheet("--sheet", "cards", "--grid", "1x1", "--format", "png", "--dpi", "36")
    assert len(list(folder.iterdir())) == 8
    (folder / "mine.png").touch()
    sheet("--sheet", "cards", "--format", "png", "--dpi", "36")
    assert sorted(path.name for path in folder.iterdir()) == ["001.png", "002.png", "mine.png"]


def test_two_games_of_one_id_do_not_write_over_one_another(sheet: Print) -> None:
    shutil.copytree(GAME, "other")
    result = sheet("other", "--sheet", "cards")
    assert result.exit_code == 1
    assert "error SAME-FILE other and source_data/small hold games of one id" in result.output
    assert not Path("output").exists()


def test_an_illegal_build_is_printed_with_a_warning(sheet: Print, tmp_path: Path) -> None:
    rule = "id: A-1, title: 箱まで, status: checked, kind: copies, parameters: {field: copies}"
    (tmp_path / GAME / "rules.yaml").write_text(f"rules: [{{{rule}}}]\n", encoding="utf-8")
    build = "game: small\nname: Mine\nframe: {size: S}\nmounted: {arm: [Laser, Laser, Laser]}\n"
    Path("mine.yml").write_text(build, encoding="utf-8")
    result = sheet("--mech", "mine.yml")
    assert result.exit_code == 0, result.output
    assert "mine.yml:4:31: warning A-1" in result.output
    assert "mechs.pdf" in result.output
