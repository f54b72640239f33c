"""The same input gives the same bytes, wherever, whenever and however it is built."""

from __future__ import annotations

import csv
import json
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
from exporter.faces.card_faces import Face
from exporter.loader.game_reader import read_game
from exporter.model.print_jobs import PrintOrder
from exporter.model.tabletop import pictures as shown
from exporter.rooms.room_orders import RoomOrder, rooms_of_order
from exporter.rules.errata import corrected

ROOT = Path(__file__).parent.parent
GAME = ROOT / "source_data" / "embryo_machine"
DUEL = RoomOrder(rooms=("duel",))


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
def test_pictures_from_the_cache_give_the_same_bytes(
    duel: Path, pictures: Path, tmp_path: Path
) -> None:
    result = make(
        [GAME],
        (),
        partial(room_outline, order=DUEL, out=tmp_path),
        partial(paint_files, cache=pictures),
    )
    assert result.painted == 0
    assert result.made[0].path.read_bytes() == duel.read_bytes()


@pytest.mark.slow
def test_a_changed_text_paints_exactly_the_faces_that_show_it(
    duel: Path, pictures: Path, tmp_path: Path
) -> None:
    def faces(folder: Path) -> set[Face]:
        return set(shown(rooms_of_order(corrected(read_game(folder)), DUEL)["duel"]))

    copy = tmp_path / GAME.name
    shutil.copytree(GAME, copy)
    with (copy / "cards/weapons.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["effect"] += "１個。" if row["name"] == "スモールレーザー" else ""
    with (copy / "cards/weapons.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, rows[0])
        table.writeheader()
        table.writerows(rows)
    changed = faces(copy) - faces(GAME)
    assert {json.loads(face.values)["name"] for face in changed} == {"スモールレーザー"}
    result = make(
        [copy],
        (),
        partial(room_outline, order=DUEL, out=tmp_path),
        partial(paint_files, cache=pictures),
    )
    assert result.painted == len(changed)


@pytest.mark.slow
def test_sheets_that_share_a_face_between_pages_are_the_same_each_time(tmp_path: Path) -> None:
    def printed(name: str) -> bytes:
        (made,) = print_sheets(GAME, tmp_path / name, PrintOrder(sheets=("blank",))).made
        return made.files[made.path]

    assert printed("one") == printed("other")
