"""One sound room with a bit of everything, and zips made from it with faults put in by hand."""

from __future__ import annotations

import functools
import io
import zipfile
from collections.abc import Callable
from dataclasses import dataclass

from lxml import etree
from PIL import Image as Pixels

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
    Inventory,
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
from exporter.udonarium.write import write_room


@functools.cache
def picture(red: int, size: tuple[int, int] = (8, 12), kind: str = "png") -> ImageFile:
    """A small picture; another ``red``, another picture."""
    buffer = io.BytesIO()
    Pixels.new("RGB", size, (red, 80, 120)).save(buffer, kind)
    return ImageFile(buffer.getvalue(), kind)


FRONT, BACK, BOARD, PAWN = (picture(red) for red in (10, 20, 30, 40))
IMAGES = {file.identifier: file for file in (FRONT, BACK, BOARD, PAWN)}


def card(name: str, *, face_down: bool = False, **more: object) -> TableCard[str]:
    """A card with both sides."""
    return TableCard(
        name=name,
        front=FRONT.identifier,
        back=BACK.identifier,
        face_down=face_down,
        **more,  # type: ignore[arg-type]
    )


def sound_room() -> Room[str]:
    """A room that nothing is wrong with."""
    rock = Terrain(name="岩", floor=BOARD.identifier, wall=BOARD.identifier, x=100, y=100)
    fog = TableMask(name="霧", picture=PAWN.identifier, opacity=60, x=200, y=50)
    pawn = Character(
        name="勇者",
        picture=PAWN.identifier,
        x=250,
        y=400,
        detail=(
            group("リソース", resource("HP", 12, 30)),
            group("情報", text("職業", "戦士"), note("説明", "一行目\n　二行目")),
        ),
        palette=ChatPalette(text="2d6+{筋力} 攻撃！ 残り{HP}\n//筋力=3"),
    )
    die = DiceSymbol(
        name="運",
        faces=(
            DiceFace(name="吉", picture=FRONT.identifier),
            DiceFace(name="凶", picture=BACK.identifier),
        ),
        face="凶",
        x=500,
    )
    return Room(
        tables=(
            GameTable(name="卓", picture=BOARD.identifier, selected=True, objects=(rock, fog)),
        ),
        pieces=(
            pawn,
            TextNote(name="手順", title="手順", text="山札を切る。\n  引く。", x=600, y=600),
            CardStack(
                name="山札",
                x=450,
                y=400,
                cards=(card("壱", face_down=True), card("弐", face_down=True)),
            ),
            card("場札", x=300, y=300, detail=(group("効果", note("本文", "1点与える。")),)),
            die,
        ),
        chat=(
            ChatTab(
                name="メイン",
                messages=(
                    ChatMessage(speaker="案内", text="ようこそ", timestamp="1700000000000"),
                    ChatMessage(speaker="案内", text="始めます", timestamp="1700000001000"),
                ),
            ),
        ),
        inventory=Inventory(columns=("HP", "職業")),
    )


Files = list[tuple[str, bytes]]
"""Names and contents of a zip's entries, in order."""


@functools.cache
def sound_zip() -> bytes:
    return write_room(sound_room(), IMAGES)


def files_of(data: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(info.filename, archive.read(info)) for info in archive.infolist()]


def zipped(files: Files, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return buffer.getvalue()


@dataclass(frozen=True)
class Fault:
    """A zip with one thing wrong, and the id of the check that must say so."""

    rule: str
    name: str
    make: Callable[[], bytes]

    def __str__(self) -> str:
        return f"{self.rule}: {self.name}"


def changed(change: Callable[[Files], Files]) -> Callable[[], bytes]:
    """The sound zip with its files changed."""
    return lambda: zipped(change(files_of(sound_zip())))


def edited(old: str, new: str, entry: str = "data.xml") -> Callable[[], bytes]:
    """The sound zip with the first ``old`` in an XML file replaced."""

    def change(files: Files) -> Files:
        contents = dict(files)
        source = contents[entry].decode()
        assert old in source, f"{old!r} is not in {entry}"
        contents[entry] = source.replace(old, new, 1).encode()
        return list(contents.items())

    return changed(change)


def reshaped(
    change: Callable[[etree._Element], object], entry: str = "data.xml"
) -> Callable[[], bytes]:
    """The sound zip with the tree of one XML file changed."""

    def edit(files: Files) -> Files:
        contents = dict(files)
        root = etree.fromstring(contents[entry])
        change(root)
        contents[entry] = etree.tostring(root, encoding="UTF-8")
        return list(contents.items())

    return changed(edit)


def added(name: str, data: bytes | str) -> Callable[[], bytes]:
    """The sound zip with one more entry at its end."""
    content = data if isinstance(data, bytes) else data.encode()
    return changed(lambda files: [*files, (name, content)])


def without(name: str) -> Callable[[], bytes]:
    """The sound zip without one entry."""
    return changed(lambda files: [file for file in files if file[0] != name])


def with_picture(file: ImageFile, name: str = "") -> Callable[[], bytes]:
    """The sound zip with the board's picture replaced by another, wherever it is shown."""
    old = BOARD.identifier

    def change(files: Files) -> Files:
        entry = name or f"{file.identifier}.{file.extension}"
        return [
            (entry, file.data)
            if found == f"{old}.png"
            else (found, data.replace(old.encode(), file.identifier.encode()))
            for found, data in files
        ]

    return changed(change)
