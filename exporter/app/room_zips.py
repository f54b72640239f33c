"""Room zips that somebody has: looked into, made smaller, and brought to today's data.

For `exporter update` the room is planned again from the order that its tables remember. Then each
field of each thing is looked at three times: as it was written, as it is saved, as it would be
written today. What data changed and players did not is taken over; what both changed is a conflict,
and the players' stays. Nothing is moved. The saved XML itself is edited, so that what other
programs wrote in it stays.
"""

from __future__ import annotations

import hashlib
import io
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import product
from pathlib import Path
from typing import Any

from msgspec import Struct
from PIL import Image

from exporter.app.compare_data import Difference, difference_lines, errata_of, rebuild_room
from exporter.app.games import NameOrPath
from exporter.core import __version__, grouped
from exporter.core.file_writer import file_bytes
from exporter.core.problems import (
    InvalidSource,
    Problem,
    SourceLocation,
    error_at,
)
from exporter.model import Game
from exporter.model.tabletop import (
    PIECE_ORDER,
    UNIT,
    GameTable,
    Room,
    TableMask,
    Terrain,
)
from exporter.rooms.footprints import Rectangle
from exporter.rooms.saved_benches import game_of_benches
from exporter.udonarium import marks
from exporter.udonarium.document import Xml, attribute, element_children, tag_of
from exporter.udonarium.format import IDENTIFIER, PIECES
from exporter.udonarium.read import open_to_edit, picture_widths, read_zip
from exporter.udonarium.verify import verify_zip

# How many times as wide as it lies on the table anybody sees a picture.
ZOOMED = 6

# Pixels that a picture keeps in any case: the client shows it so wide under the pointer.
LEAST = 540

# Pixels that a side of a WebP picture may have.
_MOST = 16383


class OpenedZip(Struct, frozen=True):
    """What a zip holds.

    ``pictures`` are the names of their files by the identifiers that the room has for them;
    ``counts`` says how many of each sort there are, cards in stacks too; ``game`` is the id of the
    game that it was made of, where it says so. What is to be dropped into a running room lies on a
    table of its own. There is no room where none can be read.
    """

    problems: tuple[Problem, ...]
    room: Room[str] | None = None
    pictures: Mapping[str, str] = {}
    counts: Mapping[str, int] = {}
    size: int = 0
    game: str = ""


def open_room_zip(path: Path, pictures: Path) -> OpenedZip:
    """Look into a zip, whoever made it; its pictures are written into the folder ``pictures``.

    Nothing is raised for what the zip holds.
    """
    data = path.read_bytes()
    problems = verify_zip(data, path.name)
    try:
        found = read_zip(data, path.name)
    except InvalidSource as error:
        return OpenedZip(problems or error.problems, size=len(data))
    pictures.mkdir(parents=True)
    names = {}
    for identifier, image in found.images.items():
        names[identifier] = f"{identifier}.{image.extension}"
        (pictures / names[identifier]).write_bytes(image.data)
    room = found.room or _laid(found.loose)
    blocks = [one for table in room.tables for one in table.objects if isinstance(one, Terrain)]
    counts = {
        "picture": len(names),
        "table": len(room.tables),
        "piece": len(room.pieces),
        "card": len(room.cards),
        "block": len(blocks),
    }
    return OpenedZip(problems, room, names, counts, len(data), game_of_benches(room))


def _laid(loose: tuple[Any, ...]) -> Room[str]:
    """Return loose things on an empty table."""
    blocks = tuple(one for one in loose if isinstance(one, Terrain | TableMask))
    tables = tuple(one for one in loose if isinstance(one, GameTable))
    return Room(
        tables=tables or (GameTable(name="", selected=True, objects=blocks),),
        pieces=tuple(one for one in loose if isinstance(one, PIECE_ORDER)),
    )


class Slimmed(Struct, frozen=True):
    """A zip made smaller: its bytes, how many it had, and how many pictures were changed how."""

    data: bytes
    before: int
    unused: int
    doubles: int
    scaled: int
    packed: int


def slim(room: NameOrPath) -> Slimmed:
    """Leave out pictures that nothing shows and doubles, and pack the others as small as can be.

    Pictures much larger than where they are seen are scaled down; all else loses no pixel.
    Raises ``InvalidSource`` where it is no zip.
    """
    path = Path(room)
    contents = open_to_edit(path)
    pictures = contents.pictures
    used = contents.used_pictures
    unused = {name for name in pictures if IDENTIFIER.fullmatch(name) and name not in used}
    widths = {} if contents.room is None else picture_widths(contents.room, UNIT)
    pixels = {name: _pixels(data) for name, data in pictures.items() if name not in unused}
    alike = grouped(filter(pixels.get, pixels), lambda name: pixels[name])
    names: dict[str, str] = {}
    files: dict[str, bytes] = {}
    scaled = 0
    for first, *doubles in alike.values():
        width = max(widths.get(name, 0) for name in (first, *doubles))
        data, smaller = _packed(pictures[first], max(LEAST, ZOOMED * width) if width else 0)
        kept = first
        if len(data) < len(pictures[first]):
            kept = hashlib.sha256(data).hexdigest()
            names[first] = kept
            files[f"{kept}.webp"] = data
            scaled += smaller
        names |= dict.fromkeys(doubles, kept)
    contents.rename_pictures(names)
    data = contents.packed({*unused, *names}, files.items())
    count = sum(len(group) - 1 for group in alike.values())
    return Slimmed(data, path.stat().st_size, len(unused), count, scaled, len(files) - scaled)


def _packed(data: bytes, most: float) -> tuple[bytes, bool]:
    """Pack a picture as WebP; whether it was wider than ``most``, if not 0, and so scaled down."""
    picture = _read(data)
    assert picture is not None, "it was read before"
    smaller = 0 < most < picture.width
    if smaller:
        height = max(1, round(picture.height * most / picture.width))
        picture = picture.resize((int(most), height))
    quality = 92 if smaller else 100
    return file_bytes(picture, "WEBP", lossless=not smaller, quality=quality, method=6), smaller


def _pixels(data: bytes) -> object:
    """Return what two equal pictures have in common; nothing of one that is left as it is."""
    picture = _read(data)
    return picture and (picture.size, hashlib.sha256(picture.tobytes()).digest())


def _read(data: bytes) -> Image.Image | None:
    """Read the pixels of a still picture that can be packed without loss; of others nothing."""
    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "WEBP", "BMP")) as picture:
            if getattr(picture, "n_frames", 1) > 1:
                return None
            return picture.convert("RGBA") if max(picture.size) <= _MOST else None
    except (OSError, ValueError, Image.DecompressionBombError):
        return None


_NOTE_PLACE = "update/note"


class Updated(Struct, frozen=True):
    """A room brought up to date: the new zip, and what is different in it."""

    data: bytes
    changes: tuple[Difference, ...]
    problems: tuple[Problem, ...] = ()


def update(
    saved: NameOrPath,
    game: NameOrPath = "",
    *,
    take_new: bool = False,
    remove: bool = False,
    repaint: bool = False,
    source: NameOrPath | None = None,
) -> Updated:
    """Bring a saved room to the data of its game, which is found by the id that the room states.

    ``take_new`` decides conflicts for the data, ``remove`` takes away what these no longer have,
    ``repaint`` also exchanges pictures that another version of this program drew.
    Raises ``InvalidSource``: no room, another game, no marks, or an order that cannot be read.
    """
    path = Path(saved)
    again = rebuild_room(path, game, source)
    new = open_to_edit(again.data)
    assert new.room is not None, "a room was made"
    try:
        laid = marks.laid(again.table)
    except ValueError:
        raise error_at(SourceLocation(str(path)), "UPDATE", "broken-order") from None
    same_program = attribute(again.table, marks.PROGRAM) == __version__
    merge = RoomMerge(
        game=again.project.game,
        laid=laid,
        own_pictures=again.own_pictures,
        take_new=take_new,
        remove=remove,
        keep_pictures=not (same_program or repaint),
    )
    before = again.contents.used_pictures
    merge.merge_room(again.room, new.room)
    after = again.contents.used_pictures
    lacking = after - set(again.contents.pictures)
    more = [(one.name, one.data) for one in new.entries if one.stem in lacking and one.data]
    data = again.contents.packed(before - after, more)
    return Updated(data, tuple(merge.changes), again.problems)


class RoomMerge(Struct, kw_only=True):
    """Brings one room to what another says, and lists the differences."""

    game: Game
    laid: Counter[str]
    own_pictures: frozenset[str]
    take_new: bool
    remove: bool
    keep_pictures: bool
    changes: list[Difference] = []

    def merge_room(self, saved: Xml, new: Xml) -> None:
        """Change the saved room where data changed; nothing that lies there is moved."""
        here, plan = _by_place(saved), _by_place(new)
        for place, things in here.items():
            numbered = {marks.place_of(thing): thing for thing in plan[place]}
            copies = [
                thing for thing in plan[place] if attribute(thing, marks.RECORD).startswith("card ")
            ]
            for thing in things:
                now = numbered.get(marks.place_of(thing), copies[0] if copies else None)
                if now is not None and tag_of(now) == tag_of(thing):
                    self._merge_thing(thing, now)
        for thing in list(self._gone(here, plan)):
            self._list("gone" if self.remove else "stays", thing)
            if self.remove:
                _remove(thing)
        tables = {marks.place_of(table): table for table in new.iterchildren("game-table")}
        for table in saved.iterchildren("game-table"):
            if (now := tables.get(marks.place_of(table))) is not None:
                self._merge_thing(table, now)
        self._lay_new(saved, new, here, plan)
        if self.changes:
            taken = [change for change in self.changes if change.sort != "conflict"]
            lines = difference_lines(taken, self.game.language)
            body = "\n".join((self.game.data_line, *lines))
            _lay_note(saved, self.game.says("changes"), body)

    def _merge_thing(self, saved: Xml, now: Xml) -> None:
        """Decide each field of a thing, and mark what the data say of it from now on."""
        before, after, was = marks.fields(saved), marks.fields(now), marks.was_written(saved)
        written = marks.digests(now)
        for field in {**before, **after}:
            name = marks.short_digest(field)
            old, new = (
                marks.mark_digest(texts[field]) if field in texts else ""
                for texts in (before, after)
            )
            if self._keeps(field, saved):
                written[name] = was.get(name, old)
            elif new not in (was.get(name, ""), old):
                both = old != was.get(name, "") and not self.take_new
                sort = "conflict" if both else "changed"
                self._list(sort, now, field, before.get(field, ""), after.get(field, ""))
                if not both:
                    marks.take_field(saved, now, field)
        for attribute_name in _REFRESHED:
            if (text := now.get(attribute_name)) is not None:
                saved.set(attribute_name, text)
        saved.set(marks.WRITTEN, marks.digests_text(written))

    def _keeps(self, field: str, saved: Xml) -> bool:
        """Say whether a picture stays: another program's, or one that a player brought."""
        if not field.startswith("image/") and not field.endswith("mageIdentifier"):
            return False
        seat = marks.place_of(saved)[0].partition("/")[0]
        return self.keep_pictures or seat in self.own_pictures

    def _gone(
        self, here: Mapping[str, Sequence[Xml]], plan: Mapping[str, Sequence[Xml]]
    ) -> Iterator[Xml]:
        """Find what data no longer have, of copies as many as there are too many."""
        for place, things in here.items():
            kept = len(plan.get(place, ()))
            if kept < self.laid[place]:
                yield from things[kept:]

    def _lay_new(
        self,
        saved: Xml,
        new: Xml,
        here: Mapping[str, Sequence[Xml]],
        plan: Mapping[str, Sequence[Xml]],
    ) -> None:
        """Lay what is new in the data: scenery at its place, what is played with beside its own."""
        fresh: list[Xml] = []
        for place, things in plan.items():
            fresh += things[max(self.laid[place], len(here.get(place, ()))) :]
        for thing in marks.things(new):
            if thing not in fresh:
                continue
            self._list("added", thing)
            copied, parent = deepcopy(thing), thing.getparent()
            assert parent is not None, "it lies in a room"
            if tag_of(parent) == "game-table":
                for table in saved.iterchildren("game-table"):
                    if marks.place_of(table) == marks.place_of(parent):
                        table.append(copied)
                continue
            if (stack := parent.getparent()) in fresh:  # with which it is laid
                continue
            if stack is not None and tag_of(parent) == "node":
                for axis in ("location.x", "location.y"):
                    copied.set(axis, stack.get(axis, "0"))
            _lay_beside(saved, copied)

    def _list(self, sort: str, thing: Xml, field: str = "", old: str = "", new: str = "") -> None:
        """Add to the list of differences."""
        record, which = marks.split(attribute(thing, marks.RECORD))
        which = which if record == "card" else which.partition(" ")[0]
        errata = errata_of(self.game, record, which) if field else ()
        texts = marks.fields(thing)
        name = texts.get("common/title") or texts.get("common/name") or attribute(thing, "name")
        self.changes.append(Difference(sort, tag_of(thing), name, field, old, new, errata))


# Attributes that say of which data a thing is.
_REFRESHED = (
    marks.RECORD, marks.VERSION, marks.ORDER, marks.MADE, marks.PROGRAM,
)  # fmt: skip

# Pixels from one place to the next, and to the farthest, where a free one is looked for.
_STEP, _FAR = 25, 1000


def _by_place(room: Xml) -> Mapping[str, list[Xml]]:
    found: dict[str, list[Xml]] = defaultdict(list)
    for thing in marks.things(room):
        if place := marks.place_of(thing)[0]:
            found[place].append(thing)
    return found


def _remove(thing: Xml) -> None:
    """Take a thing off the table, and its stack with the last card."""
    parent = thing.getparent()
    if parent is not None:
        parent.remove(thing)
        stack = parent.getparent()
        if tag_of(parent) == "node" and not len(parent) and stack is not None:
            _remove(stack)


def _box(thing: Xml) -> Rectangle:
    """Return about what a thing covers, a card by the usual shape of one."""
    x, y = (_number(attribute(thing, axis)) for axis in ("location.x", "location.y"))
    top = thing.find("node/card")
    texts = marks.fields(thing if top is None else top)
    if tag_of(thing) == "text-note":
        width = _number(texts.get("common/width", "")) * UNIT
        return Rectangle(x - width / 2, y, width, UNIT)
    size = _number(texts.get("common/size", "2")) * UNIT
    is_card = top is not None or tag_of(thing) == "card"
    return Rectangle(x, y, size, size * 1.5 if is_card else size)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0


def _lay_beside(room: Xml, thing: Xml) -> None:
    """Lay a thing at the place nearest to its own where it lies on no other."""
    own = _box(thing)
    taken = [_box(one).grown(_STEP) for one in element_children(room) if tag_of(one) in PIECES]
    steps = range(-_FAR, _FAR + _STEP, _STEP)
    nearest = sorted(product(steps, steps), key=lambda step: step[0] ** 2 + step[1] ** 2)
    for across, down in nearest:
        box = own._replace(x=own.x + across, y=own.y + down)
        if not any(box.meets(one) for one in taken):
            for axis, step in (("location.x", across), ("location.y", down)):
                thing.set(axis, f"{_number(attribute(thing, axis)) + step:g}")
            break
    room.append(thing)


def _lay_note(room: Xml, title: str, text: str) -> None:
    """Write what was changed on a note: the one that an earlier update laid, or one like others."""
    notes = list(room.iterchildren("text-note"))
    note = next((one for one in notes if marks.place_of(one)[0] == _NOTE_PLACE), None)
    if note is None and notes:
        note = deepcopy(notes[0])
        note.set(marks.PLACE, f"{_NOTE_PLACE} 1")
        for name in (marks.RECORD, marks.SEAT, marks.WRITTEN):
            note.attrib.pop(name, "")
        _lay_beside(room, note)
    for leaf in () if note is None else note.iter("data"):
        if leaf.get("name") in ("title", "name"):
            leaf.text = title
        elif leaf.get("name") == "text":
            leaf.text = text
