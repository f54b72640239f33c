"""The corpus: one sound room, broken in one way each."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import yaml
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


def _in_a_second_root(root: etree._Element) -> None:
    stack = _one(root, "card-stack")
    etree.SubElement(stack, "node", name="cardRoot").append(_one(root, "card-stack/node/card"))


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


def _word(check: str, name: str, old: str) -> Callable[[str], Fault]:
    """Faults that put a word where a number or boolean should be."""
    return lambda word: Fault(check, f"{name} {word!r}", edited(old, f'{name}="{word}"'))


OTHERS = (
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
    Fault("UD-XML-BROKEN", "deep", added("deep.xml", "<a>" * 150 + "</a>" * 150)),
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
    Fault("UD-FORK", "a fork's file", added("config.xml", "<config></config>")),
    # Attributes.
    *map(
        _word("UD-NUMBER", "rotate", 'rotate="0"'),
        ("", "010", "+5", ".5", "5.", "NaN", "10px", "１", "0x10", "True"),
    ),
    *map(_word("UD-BOOLEAN", "isLocked", 'isLocked="true"'), ("True", "TRUE", "", "yes")),
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
    Fault("UD-REF-CASE", "upper case", _board(BOARD.identifier.upper())),
    # Sheets.
    Fault(
        "UD-GROUP-ORDER",
        "detail first",
        _moved_first("character/data/data[@name='detail']", "character/data"),
    ),
    Fault("UD-NAME-SHADOWED", "detail first, with a section called common", _shadowing_detail()),
    # Tables.
    Fault("UD-TABLE-NONE", "no table", changed(_without_tables)),
    Fault("UD-TERRAIN-OUTSIDE", "under the room", _moved("game-table/terrain", ".")),
    # Cards and dice.
    Fault("UD-CARD-OUTSIDE", "in a second cardRoot", reshaped(_in_a_second_root)),
    Fault("UD-CARD-OUTSIDE", "no cardRoot", reshaped(_unrooted)),
    Fault("UD-CARD-OUTSIDE", "beside the cardRoot", _moved("card-stack/node/card", "card-stack")),
    Fault("UD-DICE-NO-FACES", "none", _without_children("dice-symbol/data/data[@name='image']")),
    # Chat.
    Fault("UD-CHAT-NO-TAB", "an empty list", reshaped(lambda tabs: tabs.clear(), "chat.xml")),
)


def _edits() -> Iterator[Fault]:
    """The faults of ``edited_faults.yaml``."""
    identifiers = {
        "FRONT": FRONT.identifier,
        "BACK": BACK.identifier,
        "BOARD": BOARD.identifier,
        "PAWN": PAWN.identifier,
    }
    table = yaml.safe_load((Path(__file__).parent / "edited_faults.yaml").read_text("utf-8"))
    for check, faults in table.items():
        for name, (old, new, *entry) in faults.items():
            for word, identifier in identifiers.items():
                old, new = old.replace(word, identifier), new.replace(word, identifier)
            yield Fault(check, name, edited(old, new, *entry))


FAULTS = (*OTHERS, *_edits())
