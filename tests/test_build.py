"""The rooms as they come out: what is in them, what they weigh; the same input, the same bytes."""

from __future__ import annotations

import csv
import io
import os
import shutil
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import shipped
from PIL import Image, ImageChops

from exporter.app.make_files import make
from exporter.app.print_files import print_sheets
from exporter.app.room_files import paint_files, room_outline
from exporter.core.problems import Severity
from exporter.faces.card_faces import face
from exporter.model.print_jobs import PrintOrder
from exporter.model.tabletop import Terrain
from exporter.model.tabletop import pictures as shown
from exporter.render.painter import paint
from exporter.rooms.room_orders import RoomOrder
from exporter.udonarium.read import read_zip
from exporter.udonarium.verify import verify_zip
from exporter.udonarium.write import write_room

pytestmark = pytest.mark.slow

GAME = Path(__file__).parent.parent / "source_data" / "embryo_machine"
ROOMS = sorted(name for name, plan in shipped.printed().rooms.items() if not plan.on_request)
MEGABYTE = MEGAPIXEL = 1_000_000


def test_every_room_is_built(rooms: Path) -> None:
    assert [path.name for path in sorted(rooms.iterdir())] == [f"{name}.zip" for name in ROOMS]
    assert ROOMS == [
        "armoury", "armoury_gifted", "box_base", "box_gifted", "box_throne", "duel", "free3",
        "free5", "free9", "gifted4", "hangar", "hangar_gifted", "hangar_throne", "team2x3", "team4",
        "team6", "throne6",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ROOMS)
def test_nothing_is_wrong_with_a_room_and_it_reads_back_equal(rooms: Path, name: str) -> None:
    data = (rooms / f"{name}.zip").read_bytes()
    problems = verify_zip(data)
    # Of a box with many pictures some are looked at by their headers alone.
    assert [one for one in problems if one.rule != "UD-IMAGE-UNSEEN"] == []
    assert not any(one.severity != Severity.NOTICE for one in problems)
    found = read_zip(data)
    assert found.room is not None
    assert write_room(found.room, found.images) == data


def test_a_duel_loads_quickly(rooms: Path) -> None:
    """At most 120 pictures, none but the boards above half a megapixel, under 4 MB in all."""
    path = rooms / "duel.zip"
    found = read_zip(path)
    assert found.room is not None
    assert path.stat().st_size < 4 * MEGABYTE
    assert len(found.images) <= 120
    flat = [thing for table in found.room.tables for thing in table.objects]
    boards = {thing.floor for thing in flat if isinstance(thing, Terrain) and thing.width >= 7}
    for identifier, file in found.images.items():
        width, height = Image.open(io.BytesIO(file.data)).size
        assert identifier in boards or width * height <= MEGAPIXEL / 2
    assert set(shown(found.room)) == set(found.images)


def test_a_hex_shows_its_height_and_a_start_beside_its_text() -> None:
    def painted(**shown: Any) -> Image.Image:
        cell = {"terrain": "plain", "elevation": 0, "start": ""} | shown
        values = {"kind": "hex", "columns": 1, "rows": 1, "square": 30, "cells": [[cell]]}
        hexagon = face("plain/board.typ", values, (40, 45), scale=4)
        (file,) = paint([hexagon], GAME.parents[1] / "templates/faces", None, None).images.values()
        return Image.open(io.BytesIO(file.data)).convert("RGB").crop((40, 60, 120, 180))

    def differ(one: Image.Image, other: Image.Image) -> tuple[int, int]:
        """First and last line of the hex where two pictures differ."""
        box = ImageChops.difference(one, other).point(lambda value: 255 * (value > 60)).getbbox()
        assert box is not None
        return box[1], box[3]

    text = painted(text="入口")
    first, last = differ(text, painted())
    assert differ(text, painted(text="入口", start="1"))[1] < first
    assert differ(text, painted(text="入口", elevation=1))[0] > last


def card_names(path: Path) -> Iterator[str]:
    """The names of all cards of a room, read from its XML without any of this program's code."""
    with zipfile.ZipFile(path) as archive:
        root = ElementTree.fromstring(archive.read("data.xml"))
    for card in root.iter("card"):
        name = card.find("data[@name='card']/data[@name='common']/data[@name='name']")
        assert name is not None
        yield name.text or ""


def test_a_duel_holds_21_and_17_cards_and_no_card_of_the_other_loadouts(tmp_path: Path) -> None:
    order = RoomOrder(rooms=("duel",), mechs={"red1": "AG", "blue1": "HO:kai"})
    make([GAME], (), partial(room_outline, order=order, out=tmp_path), paint_files)
    printed = set()
    for table in ("weapons.csv", "basic.csv"):
        with (GAME / "cards" / table).open(encoding="utf-8-sig", newline="") as file:
            printed |= {row["name"] for row in csv.DictReader(file)}
    with (GAME / "decks/mechs.csv").open(encoding="utf-8-sig", newline="") as file:
        decks = Counter[str]()
        for row in csv.DictReader(file):
            if (row["mech"], "●" in row["mark"]) == ("AG", True) or (
                row["mech"] == "HO" and "◆" in row["mark"]
            ):
                decks[row["card"]] += int(row["copies"])
    found = Counter(
        name for name in card_names(tmp_path / "embryo_machine/duel.zip") if name in printed
    )
    assert found.total() == 21 + 17
    assert found == decks


# ---- the same input, the same bytes

ROOT = Path(__file__).parent.parent
EMBRYO = ROOT / "source_data" / "embryo_machine"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "room"), [("wrath_of_god", "p2"), ("embryo_machine", "duel")])
def test_another_folder_process_locale_clock_and_no_cache_give_the_same_bytes(
    name: str, room: str, tmp_path: Path
) -> None:
    order, home = RoomOrder(rooms=(room,)), ROOT / "source_data" / name
    make([home], (), partial(room_outline, order=order, out=tmp_path / "here"), paint_files)
    shutil.copytree(home, tmp_path / "source_data" / name)
    elsewhere = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHONHASHSEED": "4711",
        "TZ": "Pacific/Kiritimati",
        "LANG": "ja_JP.SJIS",
        "LC_ALL": "C",
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    words = ["-m", "exporter", "build", name, "--room", room]
    subprocess.run(
        [sys.executable, *words],
        cwd=tmp_path, env=elsewhere, umask=0o077, check=True, capture_output=True,
    )  # fmt: skip
    here, there = (tmp_path / out / name / f"{room}.zip" for out in ("here", "output"))
    assert here.read_bytes() == there.read_bytes()


@pytest.mark.slow
def test_sheets_that_share_a_face_between_pages_are_the_same_each_time(tmp_path: Path) -> None:
    def printed(name: str) -> bytes:
        (made,) = print_sheets(EMBRYO, tmp_path / name, PrintOrder(sheets=("blank",))).made
        return made.files[made.path]

    assert printed("one") == printed("other")
