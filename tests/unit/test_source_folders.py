"""A game is found by its name in folders of games, or as a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from source_specimen import write

from exporter.core.problems import InvalidSource, Problem
from exporter.loader.game_folders import find_game, game_folders

HEAD = {"game.yaml": "id: a\n"}


def fault(name: str, *sources: Path) -> Problem:
    with pytest.raises(InvalidSource) as caught:
        find_game(name, sources)
    (problem,) = caught.value.problems
    return problem


def test_the_first_source_that_has_a_game_wins(tmp_path: Path) -> None:
    for source, game in [("one", "chess"), ("two", "chess"), ("two", "go")]:
        write(tmp_path / source / game, HEAD)
    one, two = tmp_path / "one", tmp_path / "two"
    assert game_folders([one, two]) == [one / "chess", two / "go"]
    assert find_game("chess", [two, one]) == two / "chess"
    assert find_game("go", [one, two]) == two / "go"


def test_a_folder_is_taken_as_it_is(tmp_path: Path) -> None:
    folder = write(tmp_path / "mine", HEAD)
    assert find_game(str(folder), []) == folder


def test_an_unknown_name_hints_at_the_nearest(tmp_path: Path) -> None:
    write(tmp_path / "chess", HEAD)
    assert fault("ches", tmp_path).hint == "Did you mean 'chess'?"


def test_missing_sources_hold_no_games(tmp_path: Path) -> None:
    assert game_folders([tmp_path / "nowhere"]) == []
    assert "no games were found" in fault("chess", tmp_path / "nowhere").message


def test_a_folder_without_a_game_and_a_file_say_so(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "x.yaml").write_text("")
    assert "has no game.yaml" in fault(str(tmp_path / "empty")).message
    assert "a file" in fault(str(tmp_path / "x.yaml")).message


@pytest.mark.parametrize("name", ["", "a\0b", "x" * 5000, "../..", "~"])
def test_no_name_is_too_strange(name: str) -> None:
    assert fault(name).rule == "SRC-FILE"
