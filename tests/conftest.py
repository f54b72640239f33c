"""What several tests share: the games of this repository, read once."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import shipped
from small_game import GAME, write_small_game

from exporter.app.make_files import make
from exporter.app.room_files import paint_files, room_outline
from exporter.model import Game
from exporter.rooms.room_orders import RoomOrder
from exporter.rules.errata import corrected

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def printed_game() -> Game:
    """Embryo Machine as printed."""
    return shipped.printed()


@pytest.fixture(scope="session")
def game(printed_game: Game) -> Game:
    """Embryo Machine with its errata."""
    return corrected(printed_game)


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of pictures for this run of the tests, shared by all its processes."""
    return _of_all_processes(tmp_path_factory) / "cache" / "exporter"


@pytest.fixture(autouse=True, scope="session")
def shared_cache(pictures: Path) -> Iterator[None]:
    """Commands find the pictures of the other tests, and what was found of them.

    A test that wants a cache of its own says so; none touches that of whoever runs the tests.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(pictures.parent))
        yield


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small game's folder where it is worked on, to be changed."""
    write_small_game(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path / GAME


@pytest.fixture(scope="session")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with every room of Embryo Machine, built once for all processes."""
    return _built_once(_of_all_processes(tmp_path_factory) / "rooms", RoomOrder())


@pytest.fixture(scope="session")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The room zip of a duel in Embryo Machine, built once for all processes."""
    folder = _of_all_processes(tmp_path_factory) / "duel"
    return _built_once(folder, RoomOrder(rooms=("duel",))) / "duel.zip"


def _built_once(folder: Path, order: RoomOrder) -> Path:
    try:
        folder.mkdir()
    except FileExistsError:
        while not (folder / "done").exists():
            time.sleep(0.1)
    else:
        try:
            games = [ROOT / "source_data" / "embryo_machine"]
            make(games, (), partial(room_outline, order=order, out=folder), paint_files)
        finally:
            (folder / "done").touch()
    return folder / "embryo_machine"


def _of_all_processes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
