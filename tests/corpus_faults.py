"""The corpus: one sound room, broken in one way each."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable

from corpus_rooms import (
    BACK,
    BOARD,
    FRONT,
    PAWN,
    Fault,
    Files,
    added,
    changed,
    edited,
    picture,
    reshaped,
    sound_zip,
    with_picture,
    without,
    zipped,
)
from lxml import etree
from PIL import Image as Pixels

from exporter.model.tabletop import ImageFile

ROOM_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
STACK_ROOT = '<node name="cardRoot">'


def _encrypted() -> bytes:
    data = bytearray(sound_zip())
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as archive:
        start = archive.start_dir
    data[start + 8] |= 1  # The flag of the first entry in the list of entries.
    return bytes(data)


def _damaged() -> bytes:
    data = sound_zip()
    start = data.index(FRONT.data)
    return data[: start + 30] + b"\0\0\0\0\0\0" + data[start + 36 :]


def _bomb() -> bytes:
    return zipped([("data.xml", ROOM_HEAD.encode() + b"<room>" + b" " * 40_000_000 + b"</room>")])


def _overlapping() -> bytes:
    """A second entry in the list of entries over the bytes of the first."""
    data = sound_zip()
    end = data.rindex(b"PK\5\6")
    (start,) = struct.unpack_from("<L", data, end + 16)
    name = struct.unpack_from("<H", data, start + 28)[0]
    first = data[start : start + 46 + name]
    entries, size = struct.unpack_from("<HL", data, end + 10)
    told = struct.pack("<2HL", entries + 1, entries + 1, size + len(first))
    return data[:end] + first + data[end : end + 8] + told + data[end + 16 :]


def _said_to_be_small() -> bytes:
    """The list of entries says that the chat has ten bytes."""
    data = bytearray(sound_zip())
    at = data.rindex(b"chat.xml") - 46
    struct.pack_into("<L", data, at + 24, 10)
    return bytes(data)


def _many_pixels(files: Files) -> Files:
    """Four pictures of 16 megapixels each, mentioned in the chat."""
    large = []
    for white in range(4):
        buffer = io.BytesIO()
        Pixels.new("L", (4000, 4000), white).save(buffer, "png")
        large.append(ImageFile(buffer.getvalue(), "png"))
    names = " ".join(file.identifier for file in large)
    told = [(name, data.replace("ようこそ".encode(), names.encode())) for name, data in files]
    return [*told, *((f"{file.identifier}.png", file.data) for file in large)]


def _twice() -> bytes:
    buffer = io.BytesIO(sound_zip())
    with zipfile.ZipFile(buffer, "a") as archive:
        info = zipfile.ZipInfo(f"{FRONT.identifier}.png")
        archive.fp.seek(archive.start_dir)  # type: ignore[union-attr]
        archive.NameToInfo.clear()  # Without its memory, zipfile does not warn.
        archive.writestr(info, FRONT.data)
    return buffer.getvalue()


def _padded(size: int) -> ImageFile:
    return ImageFile(BOARD.data + bytes(size - len(BOARD.data)), "png")


def _cut() -> ImageFile:
    buffer = io.BytesIO()
    Pixels.radial_gradient("L").save(buffer, "jpeg")
    return ImageFile(buffer.getvalue()[:-1000], "jpeg")


def _one(root: etree._Element, path: str) -> etree._Element:
    found = root.find(path)
    assert found is not None, path
    return found


def _moved(path: str, to: str) -> Callable[[], bytes]:
    """The element at ``path`` as the last child of the element at ``to``."""
    return reshaped(lambda root: _one(root, to).append(_one(root, path)))


def _moved_first(path: str, to: str) -> Callable[[], bytes]:
    return reshaped(lambda root: _one(root, to).insert(0, _one(root, path)))


def _shadowing_detail() -> Callable[[], bytes]:
    def change(root: etree._Element) -> None:
        detail = _one(root, "character/data/data[@name='detail']")
        _one(detail, "data[@name='情報']").set("name", "common")
        _one(root, "character/data").insert(0, detail)

    return reshaped(change)


def _without_children(path: str) -> Callable[[], bytes]:
    """The element keeps its attributes and loses what is in it."""

    def change(root: etree._Element) -> None:
        element = _one(root, path)
        for child in list(element):
            element.remove(child)
        element.text = None

    return reshaped(change)


def _unrooted(root: etree._Element) -> None:
    """Cards directly in their stack, and no cardRoot."""
    stack, cards = _one(root, "card-stack"), _one(root, "card-stack/node")
    stack.extend(list(cards))
    stack.remove(cards)


def _without_tables(files: Files) -> Files:
    root = etree.fromstring(dict(files)["data.xml"])
    root.remove(_one(root, "game-table"))
    rest = [file for file in files[1:] if not file[0].startswith(BOARD.identifier)]
    return [("data.xml", etree.tostring(root, encoding="UTF-8")), *rest]


def _die(files: Files) -> tuple[str, bytes]:
    root = etree.fromstring(dict(files)["data.xml"])
    return "die.xml", etree.tostring(_one(root, "dice-symbol"))


def _board_in_a_zip(files: Files) -> Files:
    name = f"{BOARD.identifier}.png"
    return [("more.zip", zipped([file])) if file[0] == name else file for file in files]


def _board_repainted(files: Files) -> Files:
    return [
        (name, picture(99).data if name.startswith(BOARD.identifier) else data)
        for name, data in files
    ]


def _partly_cp932(files: Files) -> Files:
    text = "1点与える。"
    return [(name, data.replace(text.encode(), text.encode("cp932"))) for name, data in files]


def _board(text: str) -> Callable[[], bytes]:
    """The board shows another picture."""
    return edited(f' imageIdentifier="{BOARD.identifier}"', f' imageIdentifier="{text}"')


def _named(name: str) -> Callable[[], bytes]:
    return with_picture(BOARD, name)


def _in_detail(entry: str) -> Callable[[], bytes]:
    return edited(MORE_DETAIL, MORE_DETAIL + entry)


def _word(check: str, name: str, old: str) -> Callable[[str], Fault]:
    """Faults that put a word where a number or boolean should be."""
    return lambda word: Fault(check, f"{name} {word!r}", edited(old, f'{name}="{word}"'))


EMPTY_BACKGROUND = 'backgroundImageIdentifier="imageIdentifier"'
FRONT_ENTRY = f'<data name="front" type="image">{FRONT.identifier}</data>'
PAWN_ENTRY = f'<data name="imageIdentifier" type="image">{PAWN.identifier}</data>'
CARD_SIZE = '<data name="size">2</data>'
MORE_DETAIL = '<data name="情報">'

FAULTS = (
    # The zip.
    Fault("UD-ZIP-NOT", "plain text", lambda: b"<room></room>"),
    Fault("UD-ZIP-EMPTY", "an empty file", lambda: b""),
    Fault("UD-ZIP-EMPTY", "no entries", lambda: zipped([])),
    Fault("UD-ZIP-TRUNCATED", "cut in the middle", lambda: sound_zip()[: len(sound_zip()) // 2]),
    Fault("UD-ZIP-ENCRYPTED", "a password", _encrypted),
    Fault("UD-ZIP-BOMB", "40 MB of spaces", _bomb),
    Fault("UD-ZIP-BOMB", "entries over one another", _overlapping),
    Fault("UD-ROOM-LARGE", "5,001 pieces", edited("</room>", "<card/>" * 5001 + "</room>")),
    Fault("UD-ROOM-LARGE", "100,001 elements", edited("</room>", "<a/>" * 100_001 + "</room>")),
    Fault("UD-ROOM-LARGE", "300,001 attributes", edited("1点", "=" * 300_001)),
    Fault("UD-ROOM-LARGE", "100,001 references", edited("{筋力}", "{筋力}" * 100_001)),
    Fault(
        "UD-ROOM-LARGE",
        "201 attributes of one piece",
        edited("<card ", "<card " + "".join(f'a{i}="" ' for i in range(201))),
    ),
    Fault(
        "UD-ROOM-LARGE",
        "entities of elements",
        edited("<room>", f'<!DOCTYPE room [<!ENTITY a "{"<a/>" * 25_000}">]><room>'),
    ),
    Fault("UD-ENTRY-DAMAGED", "a wrong checksum", _damaged),
    Fault("UD-ENTRY-SIZE", "ten bytes", _said_to_be_small),
    Fault("UD-ENTRY-METHOD", "LZMA", lambda: zipped([("data.xml", b"<room/>")], zipfile.ZIP_LZMA)),
    Fault("UD-ENTRY-DIRECTORY", "a folder", added("images/", b"")),
    Fault("UD-ENTRY-ZIP", "a zip inside", changed(_board_in_a_zip)),
    Fault("UD-ENTRY-OTHER", "JSON", added("room.json", "{}")),
    Fault("UD-ENTRY-OTHER", "text", added("readme.txt", "read me")),
    Fault("UD-ENTRY-OTHER", "no extension", added("LICENSE", "MIT")),
    Fault("UD-ENTRY-MARKUP", "HTML", added("index.html", "<p>Hello<br>")),
    Fault("UD-ENTRY-MARKUP", "YAML", added("room.yaml", "name: room")),
    Fault("UD-ENTRY-VIDEO", "video", added("film.mp4", b"film")),
    Fault("UD-AUDIO-SIZE", "long music", added("song.mp3", bytes(10 * 1024 * 1024 + 1))),
    Fault("UD-AUDIO-NOT-SAVED", "music", added("song.ogg", b"song")),
    *(
        Fault("UD-NAME-UNSAFE", repr(folder), _named(f"{folder}{BOARD.identifier}.png"))
        for folder in ("../", "a/../../", "/etc/", "C:/", "a\\")
    ),
    Fault("UD-NAME-TWICE", "an image twice", _twice),
    # XML.
    Fault("UD-XML-BROKEN", "not closed", edited("</room>", "")),
    Fault("UD-XML-BROKEN", "unescaped", edited("ようこそ", "a < b", "chat.xml")),
    Fault("UD-XML-BROKEN", "deep", added("deep.xml", "<a>" * 150 + "</a>" * 150)),
    Fault("UD-XML-ENTITY", "&nbsp;", edited("ようこそ", "a&nbsp;b", "chat.xml")),
    Fault("UD-XML-ENCODING", "cp932", changed(_partly_cp932)),
    Fault("UD-ROOM-NONE", "chat only", changed(lambda files: [files[1]])),
    Fault("UD-ROOM-TWICE", "two rooms", changed(lambda f: [*f, ("more.xml", f[0][1])])),
    Fault(
        "UD-SETTINGS-TWICE", "two settings", added("zz.xml", "<summary-setting></summary-setting>")
    ),
    Fault("UD-LOOSE-LOST", "a die before the room", changed(lambda files: [_die(files), *files])),
    Fault("UD-LOOSE-BESIDE", "a die after the room", changed(lambda files: [*files, _die(files)])),
    Fault("UD-ROOT-UNKNOWN", "unknown root", added("x.xml", "<rooms></rooms>")),
    Fault("UD-ROOT-UNKNOWN", "a lone entry", added("x.xml", '<data name="a">b</data>')),
    Fault("UD-SINGLETON", "a jukebox file", added("x.xml", "<jukebox></jukebox>")),
    Fault("UD-SINGLETON", "a dice bot inside", edited("</room>", "<dice-bot/></room>")),
    Fault("UD-FORK", "a fork's file", added("config.xml", "<config></config>")),
    Fault("UD-FORK", "a fork's element", edited("</room>", "<cut-in/></room>")),
    Fault("UD-TAG-UNKNOWN", "a typo", edited("</room>", "<charakter/></room>")),
    Fault("UD-TAG-PLACE", "a tab in the room", edited("</room>", "<chat-tab/></room>")),
    # Attributes.
    *map(
        _word("UD-NUMBER", "rotate", 'rotate="0"'),
        ("", "010", "+5", ".5", "5.", "NaN", "10px", "１", "0x10", "True"),
    ),
    *map(_word("UD-BOOLEAN", "isLocked", 'isLocked="true"'), ("True", "TRUE", "", "yes")),
    Fault("UD-NULL", "null", edited('posZ="0"', 'posZ="null"')),
    Fault("UD-VALUE-KIND", "1 for true", edited('isLocked="true"', 'isLocked="1"')),
    Fault("UD-VALUE-KIND", "true for 1", edited('rotate="0"', 'rotate="true"')),
    Fault(
        "UD-FORK-VALUE",
        "a fork's boolean",
        edited("<character ", '<character isDropShadow="True" '),
    ),
    Fault("UD-ATTRIBUTE-BREAK", "as a reference", edited('name="卓"', 'name="大きな&#10;卓"')),
    Fault("UD-ENTITY-TWICE", "&lt; escaped once", edited('name="卓"', 'name="&amp;lt;卓&amp;gt;"')),
    # Texts.
    Fault("UD-LEAF-MIXED", "text in a group", edited(MORE_DETAIL, MORE_DETAIL + "基本")),
    Fault("UD-TEXT-CONTROL", "a bell", edited("1点", "1\a点")),
    Fault("UD-TEXT-CONTROL", "U+FFFD", edited("1点", "1\ufffd点")),
    # Images.
    Fault("UD-IMAGE-SIZE", "one byte too many", with_picture(_padded(2 * 1024 * 1024 + 1))),
    Fault("UD-IMAGE-RATIO", "600 × 1", with_picture(picture(10, (600, 1)))),
    Fault("UD-IMAGE-RATIO", "2 × 514", with_picture(picture(10, (2, 514)))),
    Fault("UD-IMAGE-BROKEN", "no image", with_picture(ImageFile(b"picture", "png"))),
    Fault("UD-IMAGE-BROKEN", "empty", with_picture(ImageFile(b"", "png"))),
    Fault("UD-IMAGE-BROKEN", "no SVG", with_picture(ImageFile(b"<svg", "svg"))),
    Fault("UD-IMAGE-TRUNCATED", "cut off", with_picture(_cut())),
    Fault("UD-IMAGE-HUGE", "5000 × 4000", with_picture(picture(10, (5000, 4000)))),
    Fault("UD-IMAGE-UNSEEN", "64 megapixels", changed(_many_pixels)),
    Fault(
        "UD-IMAGE-EXTENSION",
        "WebP called png",
        with_picture(ImageFile(picture(10, kind="webp").data, "png")),
    ),
    Fault("UD-IMAGE-NAME", "a free name", with_picture(BOARD, "board.png")),
    Fault("UD-IMAGE-NAME", "in upper case", with_picture(BOARD, f"{BOARD.identifier.upper()}.png")),
    Fault("UD-IMAGE-CHANGED", "edited afterwards", changed(_board_repainted)),
    Fault("UD-IMAGE-TWICE", "in a folder too", added(f"old/{BOARD.identifier}.png", BOARD.data)),
    Fault(
        "UD-IMAGE-UNUSED", "shown nowhere", added(f"{picture(9).identifier}.png", picture(9).data)
    ),
    # References.
    Fault("UD-REF-DEAD", "a missing image", without(f"{BOARD.identifier}.png")),
    Fault("UD-REF-DEAD", "an unknown identifier", _board("0" * 64)),
    Fault("UD-REF-DEAD", "a name", edited(PAWN.identifier + "</data>", "pawn</data>")),
    Fault("UD-REF-CASE", "upper case", _board(BOARD.identifier.upper())),
    Fault("UD-REF-EXTENSION", "with .png", _board(f"{BOARD.identifier}.png")),
    Fault(
        "UD-REF-SPACE", "a line break", edited(f">{FRONT.identifier}<", f">\n{FRONT.identifier}\n<")
    ),
    Fault(
        "UD-REF-TYPE",
        "type left out",
        edited(FRONT_ENTRY, FRONT_ENTRY.replace(' type="image"', "")),
    ),
    Fault(
        "UD-REF-TYPE",
        "a picture in detail",
        _in_detail(f'<data name="地図">{BOARD.identifier}</data>'),
    ),
    Fault(
        "UD-REF-BACKGROUND",
        "an address",
        edited(EMPTY_BACKGROUND, 'backgroundImageIdentifier="./assets/images/trump/s01.gif"'),
    ),
    Fault("UD-REF-WEB", "an address", _board("https://example.org/a.png")),
    # Sheets.
    Fault(
        "UD-GROUP-NAME",
        "another tag's name",
        edited('<data name="character">', '<data name="card">'),
    ),
    Fault("UD-GROUP-MISSING", "no detail", edited('<data name="detail"></data>', "")),
    Fault("UD-GROUP-MISSING", "no sheet", edited("</room>", "<text-note/></room>")),
    Fault(
        "UD-GROUP-ORDER",
        "detail first",
        _moved_first("character/data/data[@name='detail']", "character/data"),
    ),
    Fault(
        "UD-GROUP-TWICE",
        "two details",
        edited('<data name="detail"></data>', '<data name="detail"></data>' * 2),
    ),
    Fault(
        "UD-GROUP-EMPTY",
        "a bare section",
        edited(MORE_DETAIL, f'<data name="装備"></data>{MORE_DETAIL}'),
    ),
    Fault("UD-NAME-SHADOWED", "detail first, with a section called common", _shadowing_detail()),
    Fault(
        "UD-NAME-SHADOWED",
        "a face called common",
        edited('<data name="吉" type="image">', '<data name="common" type="image">'),
    ),
    Fault(
        "UD-NAME-SHADOWED",
        "a size inside a group",
        edited(CARD_SIZE, f'<data name="大きさ">{CARD_SIZE}</data>{CARD_SIZE}'),
    ),
    Fault("UD-FIELD-NUMBER", "a word", edited(CARD_SIZE, '<data name="size">large</data>')),
    Fault("UD-FIELD-NUMBER", "blank", edited(CARD_SIZE, '<data name="size"> </data>')),
    Fault("UD-RESOURCE", "a dash", edited('currentValue="12"', 'currentValue="-"')),
    Fault("UD-RESOURCE", "no maximum", edited('currentValue="12">30<', 'currentValue="12"><')),
    Fault(
        "UD-ICON",
        "a slider called ICON",
        _in_detail('<data name="ICON" type="numberResource" currentValue="0">1</data>'),
    ),
    # Tables.
    Fault("UD-TABLE-NONE", "no table", changed(_without_tables)),
    Fault("UD-TABLE-UNSELECTED", "none selected", edited('selected="true"', 'selected="false"')),
    Fault(
        "UD-TABLE-SELECTED-TWICE",
        "two selected",
        edited(
            "</game-table>", '</game-table><game-table name="控え" selected="true"></game-table>'
        ),
    ),
    Fault("UD-TABLE-SIZE", "300 wide", edited('width="20"', 'width="300"')),
    Fault("UD-GRID-TYPE", "3", edited('gridType="0"', 'gridType="3"')),
    Fault("UD-GRID-SIZE", "60", edited('gridSize="50"', 'gridSize="60"')),
    Fault("UD-GRID-COLOR", "a name", edited('gridColor="#000000e6"', 'gridColor="black"')),
    Fault("UD-FILTER", "grey", edited('backgroundFilterType=""', 'backgroundFilterType="grey"')),
    Fault("UD-FAR-AWAY", "cells for pixels", edited('location.x="250"', 'location.x="12500"')),
    Fault(
        "UD-LOCATION",
        "somebody's own",
        edited('<character location.name="table"', '<character location.name="x3F"'),
    ),
    Fault(
        "UD-LOCATION-HIDDEN",
        "a stack in the inventory",
        edited('<card-stack location.name="table"', '<card-stack location.name="common"'),
    ),
    Fault("UD-TERRAIN-OUTSIDE", "under the room", _moved("game-table/terrain", ".")),
    Fault("UD-TERRAIN-UNLOCKED", "false", edited('isLocked="true"', 'isLocked="false"')),
    Fault("UD-TERRAIN-UNLOCKED", "left out", edited(' isLocked="true"', "")),
    Fault("UD-TERRAIN-MODE", "0", edited('mode="3"', 'mode="0"')),
    Fault("UD-LOCK-NAME", "terrain", edited('isLocked="true"', 'isLock="true"')),
    Fault("UD-LOCK-NAME", "mask", edited('isLock="true"', 'isLocked="true"')),
    Fault("UD-OPACITY", "blank", edited('currentValue="60"', 'currentValue=""')),
    # Cards and dice.
    Fault("UD-CARD-STATE", "2", edited('state="0"', 'state="2"')),
    Fault("UD-CARD-SIDE", "no front", edited(FRONT_ENTRY, "")),
    Fault("UD-CARD-SIDE", "an empty back", edited(f">{BACK.identifier}</data>", "></data>")),
    Fault("UD-CARD-OUTSIDE", "no cardRoot", reshaped(_unrooted)),
    Fault("UD-CARD-OUTSIDE", "beside the cardRoot", _moved("card-stack/node/card", "card-stack")),
    Fault("UD-STACK-ROOT", "another name", edited(STACK_ROOT, '<node name="cards">')),
    Fault("UD-STACK-STATE", "one open", edited('state="1"', 'state="0"')),
    Fault("UD-OWNER", "a hand card", edited('owner=""', 'owner="x3F"')),
    Fault("UD-DICE-NO-FACES", "none", _without_children("dice-symbol/data/data[@name='image']")),
    Fault("UD-DICE-FACE", "not among them", edited('face="凶"', 'face="大吉"')),
    Fault(
        "UD-DICE-EXTRA",
        "imageIdentifier",
        edited('<data name="吉"', f'{PAWN_ENTRY}<data name="吉"'),
    ),
    Fault("UD-DICE-FACE-TWICE", "two 凶", edited('<data name="吉"', '<data name="凶"')),
    # Chat.
    Fault("UD-CHAT-NO-TAB", "an empty list", reshaped(lambda tabs: tabs.clear(), "chat.xml")),
    Fault("UD-CHAT-PRIVATE", "to one", edited("<chat ", '<chat to="x3F" ', "chat.xml")),
    Fault(
        "UD-PALETTE-PLACE",
        "in the sheet",
        edited("</data>\n<chat-palette", "<chat-palette>1d6</chat-palette></data>\n<chat-palette"),
    ),
    Fault(
        "UD-PALETTE-TWICE",
        "a second",
        edited("</chat-palette>", "</chat-palette><chat-palette>1d6</chat-palette>"),
    ),
    Fault("UD-PALETTE-NAME", "unknown", edited("{筋力}", "{体力}")),
    Fault("UD-PALETTE-NAME", "a group", edited("{HP}", "{リソース}")),
    Fault("UD-PALETTE-NAME", "a space", edited("{HP}", "{ HP }")),
    Fault("UD-PALETTE-SPACE", "// 敏捷=3", edited("//筋力=3", "//筋力=3\n// 敏捷=3")),
    Fault("UD-PALETTE-END", "a last line break", edited("//筋力=3", "//筋力=3\n")),
    Fault("UD-SUMMARY-ORDER", "asc", edited('"ASC"', '"asc"', "summary.xml")),
)
