"""Any room becomes a game that builds the same room: cards as rows, stacks as decks, all else as
items; what cannot be said is listed and kept."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import yaml
from lxml import etree
from msgspec.structs import replace
from PIL import Image

from exporter.app.room_files import save_rooms
from exporter.core.problems import InvalidSource
from exporter.importer.room_import import import_room
from exporter.model.tabletop import (
    CardStack,
    Character,
    ChatMessage,
    ChatPalette,
    ChatTab,
    DiceFace,
    DiceSymbol,
    GameTable,
    ImageFile,
    Room,
    TableCard,
    TableMask,
    Terrain,
    TextNote,
    group,
    note,
    resource,
    text,
)
from exporter.udonarium.read import read_zip
from exporter.udonarium.write import write_room


def picture(colour: str, form: str = "PNG", size: tuple[int, int] = (60, 84)) -> ImageFile:
    stream = io.BytesIO()
    Image.new("RGB", size, colour).save(stream, form)
    return ImageFile(stream.getvalue(), {"PNG": "png", "JPEG": "jpg", "GIF": "gif"}[form])


FIRE, WATER, BACK = picture("red"), picture("blue", "JPEG"), picture("black")
BOARD, MOVING = picture("green", size=(300, 200)), picture("white", "GIF")
IMAGES = {file.identifier: file for file in (FIRE, WATER, BACK, BOARD, MOVING)}


def card(name: str, front: ImageFile, **more: Any) -> TableCard[str]:
    return TableCard(name=name, front=front.identifier, back=BACK.identifier, **more)


FIRE_CARD = card("火の玉", FIRE, face_down=True)
WATER_CARD = card(
    "水",
    WATER,
    face_down=True,
    detail=(group("呪文", text("費用", "2"), text("効果", "[炎]か[A]")),),
)
ROOM: Room[str] = Room(
    tables=(
        GameTable(
            name="荒野",
            width=30,
            height=24.5,
            grid_type=1,
            grid_color="#dddddde6",
            picture=BOARD.identifier,
            selected=True,
            objects=(
                Terrain(
                    name="丘", floor=BOARD.identifier, wall=FIRE.identifier, width=3, depth=2,
                    height=1.5, x=125, y=333.3, locked=False, shows_wall=True, rotate=30,
                ),
                TableMask(name="霧", picture=None, opacity=40, x=50, y=60, width=2, height=7),
            ),
        ),
        GameTable(name="町"),
    ),
    pieces=(
        Character(
            name="勇者", picture=WATER.identifier, size=2, x=-75, y=20, z=30, roll=15,
            location="graveyard",
            palette=ChatPalette(text="2d6+{力} 攻撃\n${力}円\n//力=3", dicebot="SwordWorld2.5"),
            detail=(
                group("能力", resource("HP", 12, 30), text("武器", "剣"), note("覚え書き", "a\nb")),
                group("所持品", group("袋", text("薬草", "3"))),
            ),
            extra=(("isLock", "true"), ("record", "layout old 1")),
        ),
        TextNote(
            name="規則", title="規則", text="--- **大事** ---\n  次の行 ${x}", x=500, y=410,
            width=6, height=4.5, fontsize=7, zindex=3, picture=BOARD.identifier,
        ),
        CardStack(name="山札", x=100, y=200, cards=(FIRE_CARD, FIRE_CARD, WATER_CARD, FIRE_CARD)),
        CardStack(name="山札", x=300, y=200, rotate=90, cards=(WATER_CARD,), shows_total=False),
        CardStack(name="捨て札", x=400, y=200),
        card("水", WATER, detail=WATER_CARD.detail, x=10, y=20, rotate=180),
        DiceSymbol(
            name="d2", x=600, y=20, face="裏",
            faces=(
                DiceFace(name="表", picture="./assets/images/dice/2_dice/2_dice[1].png"),
                DiceFace(name="裏", picture=FIRE.identifier),
            ),
        ),
    ),
    chat=(ChatTab(name="案内", messages=(ChatMessage(speaker="案内", text="ようこそ"),)),),
)  # fmt: skip


def zipped(folder: Path, room: Room[str] = ROOM) -> Path:
    path = folder / "room.zip"
    path.write_bytes(write_room(room, IMAGES))
    return path


def built_again(folder: Path, room: Path) -> tuple[Room[str], list[str]]:
    """The room of the game that a zip becomes, without marks, and the report."""
    made = import_room(room, "brought", folder)
    save_rooms(["brought"], folder / "output", source=folder)
    found = read_zip(folder / "output" / "brought" / "room.zip").room
    assert found is not None
    return found, [line.in_language("en") for line in made.report]


def unmarked(thing: Any) -> Any:
    """A thing as it lies, without what only says where it is from; places to a hundredth."""
    marks = ("record", "at", "wrote", "seat")
    extra = tuple(pair for pair in thing.extra if pair[0] not in marks)
    thing = replace(thing, extra=extra, x=round(thing.x, 2), y=round(thing.y, 2))
    if isinstance(thing, CardStack):
        cards = (replace(unmarked(each), x=0, y=0) for each in thing.cards)
        return replace(thing, cards=tuple(cards))
    return thing


def test_a_room_is_built_again_as_it_was(tmp_path: Path) -> None:
    found, report = built_again(tmp_path, zipped(tmp_path))
    assert [unmarked(piece) for piece in found.pieces] == [unmarked(piece) for piece in ROOM.pieces]
    for table, was in zip(found.tables, ROOM.tables, strict=True):
        assert [unmarked(thing) for thing in table.objects] == [*map(unmarked, was.objects)]
        assert replace(table, objects=(), extra=()) == replace(was, objects=(), extra=())
    assert found.chat is not None
    assert found.chat[0].messages[0].text == "ようこそ"
    assert report == [
        "6 cards, 2 of them different, with 4 pictures: cards/, decks/, pictures/",
        "items in layouts.yaml: piece ×1, note ×1, stack ×3, card ×1, die ×1, table ×2, "
        "scenery ×1, mask ×1",
    ]


def test_equal_cards_are_one_row_and_pictures_stand_once(tmp_path: Path) -> None:
    import_room(zipped(tmp_path), "brought", tmp_path)
    folder = tmp_path / "brought"
    tables = sorted((folder / "cards").iterdir())
    rows = [path.read_text(encoding="utf-8-sig").splitlines() for path in tables]
    assert rows == [
        ["id,name,front,back", "火の玉,火の玉,火の玉.png,火の玉 back.png"],
        ["id,name,front,back,費用,効果", "水,水,勇者.jpg,火の玉 back.png,2,[炎]か[A]"],
    ]
    decks = (folder / "decks/decks.csv").read_text(encoding="utf-8-sig").splitlines()
    assert decks == ["deck,card,copies", "山札,水,1"]
    layouts = yaml.safe_load((folder / "layouts.yaml").read_text(encoding="utf-8"))
    stacks = [item["cards"] for item in layouts["things"]["items"] if item["lay"] == "stack"]
    # Equal cards that lie apart are named one by one, as a deck counts them together.
    assert stacks == [{"ids": ["火の玉", "火の玉", "水", "火の玉"]}, {"deck": "山札"}]
    files = {path.name: path.read_bytes() for path in (folder / "pictures").iterdir()}
    assert sorted(files.values()) == sorted(each.data for each in (FIRE, WATER, BACK, BOARD))
    game = yaml.safe_load((folder / "game.yaml").read_text(encoding="utf-8"))
    assert [kind["size"] for kind in game["kinds"].values()] == [2, 2]


def test_what_no_file_can_say_is_listed_and_kept(tmp_path: Path) -> None:
    """A turned card in a stack, a hand, a fork's element, talk, a picture that is not there."""
    talk = ChatTab[str](name="雑談", messages=(ChatMessage(speaker="客", text="!", sender="x1"),))
    stack = CardStack(name="山", cards=(FIRE_CARD, replace(FIRE_CARD, rotate=180)))
    held = card("水", WATER, owner="player")
    path = zipped(tmp_path, replace(ROOM, pieces=(stack, held), chat=(talk,)))
    with ZipFile(path) as old:
        files = {name: old.read(name) for name in old.namelist()}
    range_ = b'<range location.x="3"><data name="range"/></range>'
    files["data.xml"] = files["data.xml"].replace(b"</room>", range_ + b"</room>")
    image = b'<data name="image">'
    icon = b'<data name="faceIcon" type="image">./a.png</data>'
    files["data.xml"] = files["data.xml"].replace(image, image + icon, 1)
    del files[f"{WATER.identifier}.jpg"]
    with ZipFile(path, "w") as new:
        for name, data in files.items():
            new.writestr(name, data)
    found, report = built_again(tmp_path, path)
    assert report[2:4] == [
        "kept in kept.xml, because the data cannot describe them: range ×1, terrain faceIcon ×1, "
        "chat-tab ×1",
        "not exactly as in the room, so also kept in kept.xml: card rotate ×1, card owner ×1",
    ]
    assert "1 picture is not in the zip, or cannot be read" in report
    kept = etree.parse(tmp_path / "brought" / "kept.xml").getroot()
    assert [child.tag for child in kept] == ["range", "terrain", "chat-tab", "card-stack", "card"]
    assert found.chat is not None
    assert not [m for tab in found.chat for m in tab.messages if m.speaker == "客"]


def test_a_picture_that_games_do_not_have_becomes_png(tmp_path: Path) -> None:
    piece = Character[str](name="旗", picture=MOVING.identifier)
    found, _report = built_again(tmp_path, zipped(tmp_path, replace(ROOM, pieces=(piece,))))
    assert isinstance(found.pieces[0], Character)
    made = (tmp_path / "brought/pictures/旗.png").read_bytes()
    assert found.pieces[0].picture == ImageFile(made, "png").identifier


PROGRAM = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n{} loop\n"


@pytest.mark.parametrize("data", [FIRE.data[:-9], PROGRAM], ids=["cut short", "a program"])
def test_a_picture_that_nobody_can_read_is_left_out(tmp_path: Path, data: bytes) -> None:
    path = zipped(tmp_path, replace(ROOM, pieces=(card("火の玉", FIRE),)))
    with ZipFile(path) as old:
        files = {name: old.read(name) for name in old.namelist()}
    files[f"{FIRE.identifier}.png"] = data
    with ZipFile(path, "w") as new:
        for name, data in files.items():
            new.writestr(name, data)
    _found, report = built_again(tmp_path, path)
    assert report[-1] == "1 picture is not in the zip, or cannot be read"


def test_an_imported_room_imported_again_is_the_same_game(tmp_path: Path) -> None:
    built_again(tmp_path, zipped(tmp_path))
    again = tmp_path / "again"
    import_room(tmp_path / "output" / "brought" / "room.zip", "brought", again)
    for name in ("layouts.yaml", "decks/decks.csv", "cards/cards.csv"):
        assert (again / "brought" / name).read_bytes() == (tmp_path / "brought" / name).read_bytes()


def test_what_is_no_room_becomes_no_game(tmp_path: Path) -> None:
    path = tmp_path / "card.zip"
    with ZipFile(path, "w") as made:
        made.writestr("card.xml", "<card/>")
    with pytest.raises(InvalidSource):
        import_room(path, "brought", tmp_path)
    assert not (tmp_path / "brought").exists()
