"""Each fault of a game is one problem at its place, whichever of its files it is in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from made_up_games import copied, write
from small_game import GAMES, change

from exporter.core.problems import InvalidSource
from exporter.core.shipped_files import template_folders
from exporter.loader.game_reader import read_game
from exporter.loader.print_job_files import read_jobs, read_stationery
from exporter.rooms.room_orders import RoomOrder, rooms_of_order


def faults_of(game: str) -> Iterator[tuple[str, ...]]:
    """The game, the file, what is exchanged in it, and the place, rule and words of the problem."""
    table = yaml.safe_load((GAMES / f"{game}.yaml").read_text("utf-8"))
    return ((game, file, *fault) for file, faults in table.items() for fault in faults)


GAMES_WITH_FAULTS = ("tiny", "inn", "garden", "small")
FAULTS = [fault for game in GAMES_WITH_FAULTS for fault in faults_of(game)]
LONG = ("tiny", "game.yaml", "[2, 4]", f"[2, {'9' * 9999}]", "game.yaml:3:14", "SRC-VALUE", "'999")


def read_whole(folder: Path) -> None:
    """Read a game and its print jobs, and plan its rooms."""
    found = read_game(folder)
    read_jobs(folder, found, read_stationery(template_folders("sheets")))
    rooms_of_order(found, RoomOrder())


@pytest.mark.parametrize(
    ("game", "file", "old", "new", "place", "rule", "said"),
    [pytest.param(*fault, id=f"{fault[0]} {fault[4]} {fault[6]}") for fault in [*FAULTS, LONG]],
)
def test_one_fault_is_one_problem_at_its_place(
    tmp_path: Path,
    small: Path,
    game: str,
    file: str,
    old: str,
    new: str,
    place: str,
    rule: str,
    said: str,
) -> None:
    folder = small if game == "small" else copied(game, tmp_path)
    if old:
        change(folder / file, old, new)
    else:
        write(folder, {file: new})
    with pytest.raises(InvalidSource) as caught:
        read_whole(folder)
    (problem,) = map(str, caught.value.problems)
    assert problem.startswith(f"{game}/{place}: error {rule} ")
    assert said in problem
