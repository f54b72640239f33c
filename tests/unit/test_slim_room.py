"""A room zip made smaller: the same picture twice is one file, as large as it is seen anywhere."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from exporter.app.room_zips import slim
from exporter.model.tabletop import GameTable, ImageFile, Room, TableCard
from exporter.udonarium.edit import open_to_edit
from exporter.udonarium.write import write_room


def picture(compression: int) -> ImageFile:
    """The same pixels in other bytes."""
    found = io.BytesIO()
    Image.radial_gradient("L").resize((2400, 2400)).save(found, "PNG", compress_level=compression)
    return ImageFile(found.getvalue(), "png")


@pytest.mark.slow
def test_a_picture_twice_is_kept_once_as_large_as_its_largest_card(tmp_path: Path) -> None:
    one, other, unused = picture(1), picture(9), ImageFile(b"nothing shows this", "png")
    cards = (
        TableCard(name="small", front=one.identifier, back=None, size=2),
        TableCard(name="large", front=other.identifier, back=None, size=6),
    )
    room = Room(tables=(GameTable(name="table", selected=True),), pieces=cards)
    path = tmp_path / "room.zip"
    path.write_bytes(write_room(room, {file.identifier: file for file in (one, other, unused)}))
    made = slim(path)
    assert (made.unused, made.doubles, made.scaled, made.packed) == (1, 1, 1, 0)
    assert len(made.data) < made.before
    (kept,) = open_to_edit(made.data).pictures.values()
    assert Image.open(io.BytesIO(kept)).width == 6 * 50 * 6


def test_a_picture_that_is_too_long_to_be_packed_stays(tmp_path: Path) -> None:
    stream = io.BytesIO()
    Image.new("RGB", (1, 17_000)).save(stream, "PNG")
    image = ImageFile(stream.getvalue(), "png")
    card = TableCard(name="long", front=image.identifier, back=None)
    path = tmp_path / "room.zip"
    path.write_bytes(write_room(Room(pieces=(card,)), {image.identifier: image}))
    assert open_to_edit(slim(path).data).pictures == {image.identifier: image.data}
