"""Pictures that players bring for their pawns."""

from __future__ import annotations

import io
import os
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from commands import run
from PIL import Image

from exporter import verify
from exporter.app.games import open_to_make
from exporter.app.make_files import Builds, read_build_files
from exporter.app.room_files import room_files
from exporter.core.problems import InvalidSource
from exporter.core.shipped_files import template_folders
from exporter.faces.card_faces import Face
from exporter.model.tabletop import Character, Room, TableCard
from exporter.render.own_pictures import check_picture
from exporter.render.painter import paint
from exporter.rooms.room_orders import RoomOrder

EMBRYO = Path("source_data/embryo_machine")
RED = (0xC0, 0x30, 0x20)
TURNED = 6
"""EXIF: the camera was held upright."""


def picture(path: Path, size: tuple[int, int], **more: Any) -> str:
    Image.new("RGB", size, "#c03020").save(path, **more)
    return str(path)


def planned_duel(order: RoomOrder, builds: Builds = MappingProxyType({})) -> Room[Face]:
    ((_path, planned),) = room_files(open_to_make(EMBRYO), order, Path(), builds)
    room: Room[Face] = planned.content
    return room


def pawns(order: RoomOrder, builds: Builds = MappingProxyType({})) -> dict[str, Face]:
    pieces = (one for one in planned_duel(order, builds).pieces if isinstance(one, Character))
    return {piece.name: piece.picture for piece in pieces if piece.picture is not None}


def test_a_large_photo_is_taken_also_after_a_zip_was_verified(tmp_path: Path) -> None:
    verify(str(tmp_path / "none.zip"))
    photo = tmp_path / "photo.jpg"
    Image.new("L", (11000, 9500)).save(photo)
    assert not [*check_picture(photo.read_bytes(), None, "photo.jpg", larger=True, whole=False)]


def colours(face: Face, *points: tuple[float, float]) -> list[Any]:
    """What a face shows at shares of its width and height."""
    done = paint([face], template_folders("faces"), EMBRYO, None).images[face]
    image = Image.open(io.BytesIO(done.data)).convert("RGB")
    return [image.getpixel((round(image.width * x), round(image.height * y))) for x, y in points]


@pytest.mark.slow
def test_a_picture_is_the_pawn_of_one_seat(tmp_path: Path) -> None:
    own = picture(tmp_path / "chara.png", (40, 80))
    before = pawns(RoomOrder(rooms=("duel",)))
    after = pawns(RoomOrder(rooms=("duel",), pictures={"red1": own}))
    (face,) = (after[name] for name in before if before[name] != after[name])
    assert face.height == 2 * face.width
    assert colours(face, (0.5, 0.05)) == [RED]


@pytest.mark.slow
def test_the_piece_that_moves_on_the_map_shows_the_picture(tmp_path: Path) -> None:
    own = picture(tmp_path / "chara.png", (40, 80))
    orders = (RoomOrder(rooms=("duel",), pictures=each) for each in ({}, {"red1": own}))
    rooms = [planned_duel(order) for order in orders]
    chits = [
        {card.name: card.front for card in room.pieces if isinstance(card, TableCard)}
        for room in rooms
    ]
    (name,) = (name for name, front in chits[0].items() if front != chits[1][name])
    assert name.startswith("赤1 ")
    before, after = (each[name] for each in chits)
    assert before is not None
    assert after is not None
    assert (after.width, after.height) == (before.width, before.height)
    seen = [colours(face, (0.5, 0.54), (0.5, 0.12)) for face in (before, after)]
    assert seen[1][0] == RED != seen[0][0]  # in the middle
    assert seen[1][1] == pytest.approx(seen[0][1], abs=4)  # at the nose that points ahead


@pytest.mark.parametrize(
    ("name", "more"), [("phone.jpg", {"exif": {0x0112: TURNED}}), ("drawing.svg", {})]
)
def test_a_photograph_stands_upright_and_a_drawing_will_do(
    tmp_path: Path, name: str, more: dict[str, dict[int, int]]
) -> None:
    path = tmp_path / name
    if name.endswith(".svg"):
        path.write_text(
            '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="80" viewBox="0 0 40 80">'
            '<path d="M0 0h40v80z"/></svg>',
            encoding="utf-8",
        )
    else:
        exif = Image.Exif()
        exif.update(more["exif"])
        picture(path, (80, 40), exif=exif)
    order = RoomOrder(rooms=("duel",), pictures={"red1": str(path)})
    shown = [face for face in pawns(order).values() if face.brought]
    assert [(face.width, face.height) for face in shown] == [(30, 60)]


@pytest.mark.slow
def test_a_build_names_the_picture_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture(tmp_path / "chara.png", (40, 80))
    (tmp_path / "mine.yaml").write_text(
        "game: embryo_machine\nname: 私の機体\nframe: {armour: 中, size: M, seats: 単座}\n"
        "mounted: {右腕: [ランス]}\npicture: chara.png\n",
        encoding="utf-8",
    )
    wish = str(tmp_path / "mine.yaml")
    project = open_to_make(EMBRYO)
    order = RoomOrder(rooms=("duel",), mechs={"red1": wish})
    shown = pawns(order, read_build_files(project, [wish]))
    assert len([face for face in shown.values() if face.brought]) == 1
    os.rename(tmp_path / "chara.png", tmp_path / "chars.png")
    with pytest.raises(InvalidSource, match=r"mine.yaml:5:10.*'chara.png'.*'chars.png'"):
        read_build_files(project, [wish])


@pytest.mark.slow
def test_what_is_no_picture_or_no_seat_is_told(tmp_path: Path) -> None:
    text = tmp_path / "no.png"
    text.write_text("nothing", encoding="utf-8")
    for wish in (f"red1={text}", f"red1={tmp_path / 'none.png'}", f"red9={text}", "red1"):
        told = run("build", EMBRYO, "--room", "duel", "--picture", wish, "--out", tmp_path)
        assert told.exit_code in (1, 2), told.output
        assert not list(tmp_path.rglob("*.zip"))
