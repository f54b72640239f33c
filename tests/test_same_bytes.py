"""The same input gives the same bytes, wherever, whenever and however it is built."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from exporter.app.make_files import make
from exporter.app.print_files import print_sheets
from exporter.app.room_files import paint_files, room_outline
from exporter.model.print_jobs import PrintOrder
from exporter.rooms.room_orders import RoomOrder

ROOT = Path(__file__).parent.parent
GAME = ROOT / "source_data" / "embryo_machine"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "room"), [("wrath_of_god", "p2"), ("embryo_machine", "duel")])
def test_another_folder_process_locale_clock_and_no_cache_give_the_same_bytes(
    name: str, room: str, pictures: Path, tmp_path: Path
) -> None:
    order, home = RoomOrder(rooms=(room,)), ROOT / "source_data" / name
    make(
        [home],
        (),
        partial(room_outline, order=order, out=tmp_path / "here"),
        partial(paint_files, cache=pictures),
    )
    shutil.copytree(home, tmp_path / "source_data" / name)
    elsewhere = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHONHASHSEED": "4711",
        "TZ": "Pacific/Kiritimati",
        "LANG": "ja_JP.SJIS",
        "LC_ALL": "C",
        "HOME": str(tmp_path),
    }
    words = ["-m", "exporter", "build", name, "--room", room, "--no-cache"]
    subprocess.run(
        [sys.executable, *words],
        cwd=tmp_path, env=elsewhere, umask=0o077, check=True, capture_output=True,
    )  # fmt: skip
    here, there = (tmp_path / out / name / f"{room}.zip" for out in ("here", "output"))
    assert here.read_bytes() == there.read_bytes()


@pytest.mark.slow
def test_sheets_that_share_a_face_between_pages_are_the_same_each_time(tmp_path: Path) -> None:
    def printed(name: str) -> bytes:
        (made,) = print_sheets(GAME, tmp_path / name, PrintOrder(sheets=("blank",))).made
        return made.files[made.path]

    assert printed("one") == printed("other")
