"""A room zip, whoever made it, becomes a game's folder that builds the same room.

Cards become rows, equal ones once, stacks decks, pictures files of their own; all else that lies
there becomes items of a layout. The room is then planned from these files and held against the zip:
what is not as it was is reported, and lies in ``kept.xml`` as it was.
"""

from __future__ import annotations

import io
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import chain, groupby
from pathlib import Path
from typing import Any, Final

import yaml
from lxml import etree
from msgspec import Struct, field
from msgspec.structs import fields as fields_of
from PIL import Image

from exporter.app.games import NameOrPath, open_to_make
from exporter.core.file_writer import file_bytes, live_folder, write_below
from exporter.core.messages import Joined, Translated, sentence
from exporter.core.problems import SourceLocation, error_at
from exporter.core.reading_limits import MOST_PIXELS
from exporter.faces.card_faces import (
    CARD_ITSELF,
    CLIENT,
    FINISHED,
    Face,
    client_address,
    whole_file,
)
from exporter.faces.face_texts import folded, plain
from exporter.faces.style_values import MARK, PLAIN_STYLES
from exporter.importer import PLAYERS
from exporter.importer.kinds_from_sheets import table_bytes
from exporter.importer.starter import (
    Facts,
    NewGame,
    check_new,
    fact_values,
    fill_template,
    write_game,
)
from exporter.loader.card_tables import id_of
from exporter.model.tabletop import (
    PICTURE_FIELDS,
    PIECE_ORDER,
    UNIT,
    Attributes,
    CardStack,
    Character,
    ChatTab,
    Data,
    DiceSymbol,
    GameTable,
    Inventory,
    Room,
    TableCard,
    TableMask,
    Terrain,
    TextNote,
)
from exporter.render.own_pictures import check_picture, pixel_size
from exporter.rooms.room_orders import RoomOrder, rooms_of_order
from exporter.rooms.room_planner import GRIDS
from exporter.udonarium import marks
from exporter.udonarium.document import (
    Xml,
    attribute,
    data_children,
    element_children,
    group_of,
    tag_of,
)
from exporter.udonarium.format import BY_TYPE, CHILDREN, ELEMENTS, IDENTIFIER, ON_TABLE, PIECES
from exporter.udonarium.read import ZipContents, open_to_edit, read_object
from exporter.udonarium.verify import PICTURE_FORMATS

# Attributes that say of which data a room was made: the new one is made of others.
_MARKS = {
    marks.RECORD, marks.SEAT, marks.GAME, marks.VERSION, marks.ROOM,
    marks.PLACE, marks.WRITTEN, marks.ORDER, marks.MADE, marks.PROGRAM,
}  # fmt: skip

# Fields that an item's own keys hold, or that nobody keeps; besides name, place and detail.
_IN_ITEMS: Final[Mapping[type, tuple[str, ...]]] = {
    TableCard: ("front", "back", "size", "face_down", "owner"),
    CardStack: ("cards", "rotate", "owner"),
    Character: ("size", "rotate", "palette"),
    DiceSymbol: ("faces", "face", "size", "rotate", "owner"),
    TextNote: ("title", "width", "height", "fontsize", "rotate"),
    Terrain: ("rotate", "floor"),
    TableMask: ("width", "height"),
    GameTable: ("width", "height", "grid_type", "objects", "selected"),
}

# What items lay where nothing is said, other than what the client takes.
_LAID: Final[Mapping[type, dict[str, object]]] = {Terrain: {"height": 0, "shows_wall": False}}

# Pictures that a style draws where nothing is said.
_DRAWN: Final[Mapping[type, str]] = {Character: "picture", Terrain: "floor"}

# Millimetres on paper of a unit of width: a card of two units is one of poker.
_PER_UNIT = 31.5

_FORMATS = {"PNG": "png", "JPEG": "jpg", "WEBP": "webp"}
# Units that an item may be wide.
_THINNEST, _LARGEST = 0.01, 10_000

_MOST_COPIES = 99
_LONGEST = 200


class _ImportedKind(Struct):
    """Cards of one size, form and labels: the section of their sheet, the size of a picture in
    millimetres, and rows of id, name, front, back and texts."""

    size: float
    title: str
    labels: tuple[str, ...]
    form: tuple[float, float, float]
    rows: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)


def import_room(
    room: NameOrPath, name: str, out: NameOrPath = "source_data", *, ja: str = "", en: str = "",
    language: str = "en",
) -> NewGame:  # fmt: skip
    """Write ``out/<name>``, a game that builds the room of a zip; its ``report`` tells what of it
    is not as it was.

    Raises ``InvalidSource``: no room, or a folder that cannot become this game.
    """
    path, folder = Path(room), Path(out) / name
    facts = Facts(name, ja or name, en or name, PLAYERS, "none")
    check_new(folder, name, (facts.ja, facts.en))
    contents = open_to_edit(path)
    if contents.room is None:
        raise error_at(SourceLocation(str(path)), "UPDATE", "no-room")
    found = RoomImport(contents)
    files = found.files(facts, language)
    with live_folder() as temporary:
        write_below(temporary / name, files)
        made = rooms_of_order(open_to_make(temporary / name).game, RoomOrder())["room"]
    report = list(found.report(found.compare(made)))
    if len(found.kept):
        files["kept.xml"] = etree.tostring(
            found.kept, encoding="UTF-8", xml_declaration=True, pretty_print=True
        )
    return write_game(folder, files, language, report)


class RoomImport:
    """What was found in a zip, by the files that it is to become."""

    def __init__(self, contents: ZipContents) -> None:
        self.images = contents.pictures
        self.names: dict[str, str] = {}
        self.pictures: dict[str, bytes] = {}
        self.kinds: dict[Any, _ImportedKind] = {}
        self.taken: dict[str, set[str]] = defaultdict(set)
        self.decks: list[tuple[str, str, int]] = []
        self.layouts: dict[str, list[Any]] = {"things": []}
        self.tables: dict[str, Any] = {}
        self.laid: dict[str, list[tuple[Xml, Any]]] = defaultdict(list)
        self.kept = etree.Element("kept")
        self.unknown: Counter[str] = Counter()
        self.lost: set[str] = set()
        self.chat: list[dict[str, Any]] = []
        self.columns: tuple[str, ...] = ()
        for root in contents.roots.values():
            if root is contents.room:
                self._read(root)
            elif tag_of(root) == "chat-tab-list":
                self._read_chat(root)
            elif tag_of(root) == "summary-setting":
                inventory: Inventory = read_object(root)
                self.columns = inventory.columns
            else:
                self._keep(root)

    def _read(self, room: Xml) -> None:
        for child in element_children(room):  # first, so that pictures are called like cards
            if tag_of(child) != "game-table":
                self._lay(child, self.layouts["things"], "things", PIECES)
        tables = [child for child in element_children(room) if tag_of(child) == "game-table"]
        tables.sort(key=lambda table: table.get("selected") != "true")
        for number, xml in enumerate(tables, 1):
            table: GameTable[str] = read_object(xml)
            key = self._free("table", table.name or "テーブル")
            grids = {grid: word for word, grid in GRIDS.items() if word != "square"}
            entry: dict[str, Any] = {"size": [_plain(table.width), _plain(table.height)]}
            if grid := grids.get(table.grid_type):
                entry["grid"] = grid
            layout = self.layouts[f"table{number}"] = []
            entry |= {"layouts": [f"table{number}"], **self._also(table, key)}
            self.tables[key] = entry
            self.laid["tables"].append((xml, table))
            for child in element_children(xml):
                self._lay(child, layout, f"table{number}", ON_TABLE)
        self.tables = self.tables or {"テーブル": {"size": [20, 20]}}

    def _lay(self, xml: Xml, layout: list[Any], name: str, tags: frozenset[str]) -> None:
        """Add a thing to a layout, or keep what no item can be."""
        tag = tag_of(xml)
        thing = read_object(xml) if tag in tags else None
        if thing is None or not _is_usual(thing):
            self._keep(xml)
            return
        for child in element_children(xml):
            if tag_of(child) not in CHILDREN[tag]:
                self._keep(child)
        if unread := list(_unread(xml)):
            self.unknown.update(f"{tag} {name}" for name in unread)
            self.kept.append(deepcopy(xml))
        self.laid[name].append((xml, thing))
        layout.append(self._item(thing))

    def _keep(self, xml: Xml) -> None:
        self.unknown[tag_of(xml)] += 1
        self.kept.append(deepcopy(xml))

    def _read_chat(self, xml: Xml) -> None:
        """Take tabs, with the messages that the room's maker wrote; talk is kept aside."""
        for child in (one for one in element_children(xml) if tag_of(one) == "chat-tab"):
            tab: ChatTab[str] = read_object(child)
            if any(message.sender != "System" for message in tab.messages):
                self._keep(child)
                tab = ChatTab(name=tab.name)
            if not any(one["name"] == tab.name for one in self.chat):
                texts = [_escaped(message.text) for message in tab.messages]
                self.chat.append({"name": tab.name or "タブ", "messages": texts})

    # -- what lies there --------------------------------------------------------------------------

    def _item(self, thing: Any) -> dict[str, Any]:
        """Return a thing as an item of a layout."""
        x, y = thing.x / UNIT, thing.y / UNIT
        named: dict[str, Any] = {"name": _escaped(thing.name)}
        if isinstance(thing, TextNote):
            x, y = x - thing.width / 2, y - thing.height
        at = {"at": [_plain(x), _plain(y)]}
        rotate = {"rotate": _plain(thing.rotate)} if getattr(thing, "rotate", 0) else {}
        match thing:
            case TableCard():
                item: dict[str, Any] = {"lay": "cards", "cards": {"ids": [self._card(thing)]}, **at}
                item |= {"face_down": True} if thing.face_down else {}
                return item | self._also(thing)
            case CardStack(cards=()):
                item = {"lay": "pile", **named, **at}
            case CardStack():
                item = {"lay": "stack", **named, "cards": self._deck(thing), **at}
                down = sum(card.face_down for card in thing.cards)
                item |= {"face_down": True} if down * 2 > len(thing.cards) else {}
            case Character():
                item = {"lay": "piece", **named, **at, "size": [_plain(thing.size)] * 2}
                if thing.palette and thing.palette.text:
                    item["palette"] = _escaped(thing.palette.text)
            case DiceSymbol():
                sides = {side.name: side.picture for side in thing.faces}
                names = {
                    side: self._picture(p, f"{thing.name} {side}") for side, p in sides.items()
                }
                item = {"lay": "dice", **named, **at, "size": [_plain(thing.size)] * 2}
                item |= {"sides": list(sides), "up": thing.face, "face": "picture"}
                item["pictures"] = {side: picture for side, picture in names.items() if picture}
            case TextNote():
                item = {"lay": "note", "title": _escaped(thing.title), **at}
                item |= {"size": [_plain(thing.width), _plain(thing.height)]}
                item |= {"fontsize": _plain(thing.fontsize)}
                if _is_unmarked(thing.text):
                    item["text"] = _escaped(thing.text)
            case _:
                lay = "mask" if isinstance(thing, TableMask) else "mat"
                height = thing.height if isinstance(thing, TableMask) else thing.depth
                size = [_plain(max(_THINNEST, side)) for side in (thing.width, height)]
                item = {"lay": lay, **named, **at, "size": size}
        detail = _entries(thing.detail)
        return item | rotate | ({"detail": detail} if detail else {}) | self._also(thing)

    def _also(self, thing: Any, key: str = "") -> dict[str, Any]:
        """Return what no key of an item says of a thing, where it is not as it would be anyway."""
        kind = type(thing)
        skip = {"x", "y", "detail", "extra", *PICTURE_FIELDS, *_IN_ITEMS[kind]}
        usual = {one.name: one.default for one in fields_of(kind)} | {"name": key or thing.name}
        usual |= _LAID.get(kind, {})
        if kind is TextNote:
            usual |= {"name": thing.title, "text": thing.text if _is_unmarked(thing.text) else ""}
        if kind is Terrain:
            usual |= {name: max(_THINNEST, getattr(thing, name)) for name in ("width", "depth")}
        if kind is TableCard:
            usual["name"] = plain(thing.name, {})
        if kind is CardStack and all(card.size <= 1 for card in thing.cards):
            usual["shows_total"] = not thing.cards
        more: dict[str, Any] = {
            name: _plain(getattr(thing, name))
            for name in kind.__struct_fields__
            if name not in skip and getattr(thing, name) != usual[name]
        }
        for name in () if kind is TableCard else sorted(PICTURE_FIELDS.intersection(usual)):
            picture = self._picture(getattr(thing, name), thing.name)
            # A piece without a picture is not to get one of a style.
            if picture or name == _DRAWN.get(kind):
                more[name] = picture
        palette = thing.palette if kind is Character else None
        if palette and (palette.dicebot or not palette.text):
            more["dicebot"] = palette.dicebot
        if extra := _own_attributes(thing.extra):
            more["extra"] = extra
        return {"also": more} if more else {}

    def _deck(self, stack: CardStack[str]) -> dict[str, Any]:
        """Select a stack's cards in their order: as a deck, or where equal ones lie apart, one by
        one, as rows of a deck are of different cards."""
        cards = [(card, len(list(copies))) for card, copies in groupby(stack.cards, self._card)]
        if len(dict(cards)) < len(cards) or max(count for _card, count in cards) > _MOST_COPIES:
            return {"ids": [card for card, count in cards for _copy in range(count)]}
        name = self._free("deck", stack.name or "山札")
        self.decks += ((name, card, count) for card, count in cards)
        return {"deck": name}

    def _card(self, card: TableCard[str]) -> str:
        """Return the id of a card: that of the first that is equal to it."""
        title = next((group.name for group in card.detail if group.children), "")
        texts = dict(_texts(card.detail, title))
        front = self._picture(card.front, card.name)
        back = self._picture(card.back, f"{card.name} back")
        form = self._form(card)
        key = card.size, title, tuple(texts), round(form[1] / form[0], 1)
        kind = self.kinds.setdefault(key, _ImportedKind(card.size, title, tuple(texts), form))
        same = card.name, front, back, *texts.values()
        if same not in kind.rows:
            name = " ".join(card.name.split()) or "無名"
            kind.rows[same] = self._free("card", _id_of(name) or "card"), name, *same[1:]
        return kind.rows[same][0]

    def _form(self, card: TableCard[str]) -> tuple[float, float, float]:
        """Return width and height in millimetres of a card, and pixels to one of them."""
        width = round(max(card.size, 0.2) * _PER_UNIT, 1)
        data = self.pictures.get(self.names.get(card.front or "", ""), b"")
        across, down = pixel_size(data) if data else (63, 88)
        return width, round(width * down / across, 1), round(across / width, 3) if data else 6.35

    def _free(self, sort: str, name: str) -> str:
        """Return a name that nothing else of a sort has: with a number where it is taken."""
        name, taken = name[: _LONGEST - 10], self.taken[sort]
        numbered = (f"{name}-{number}" for number in range(2, len(taken) + 3))
        found = next(one for one in chain([name], numbered) if folded(one) not in taken)
        taken.add(folded(found))
        return found

    def _picture(self, identifier: str | None, shown: str) -> str:
        """Return the name of a picture's file, made after what shows it first; empty for none."""
        if not identifier:
            return ""
        if identifier not in self.names:
            self.names[identifier] = self._add_picture(identifier, shown)
        return self.names[identifier]

    def _add_picture(self, identifier: str, shown: str) -> str:
        if identifier not in self.images:
            if not IDENTIFIER.fullmatch(identifier):
                return f"{CLIENT}{identifier}"
            self.lost.add(identifier)
            return ""
        data, form = _usual_picture(self.images[identifier])
        if not data or any(check_picture(data, None, f"it.{form}", whole=False)):
            self.lost.add(identifier)
            return ""
        name = f"{self._free('picture', _id_of(shown) or 'picture')}.{form}"
        self.pictures[name] = data
        return name

    # -- files ------------------------------------------------------------------------------------

    def files(self, facts: Facts, language: str) -> dict[str, bytes]:
        """Return all files of the game, by their paths in its folder."""
        kinds = {
            "cards" + (str(n) if n > 1 else ""): k for n, k in enumerate(self.kinds.values(), 1)
        }
        faces = {
            f"{key}_{side}": {
                "template": FINISHED,
                "size": list(kind.form[:2]),
                "scale": kind.form[2],
                "values": {"slots": {"art": side}},
            }
            for key, kind in kinds.items()
            for side in ("front", "back")
        }
        card = PLAIN_STYLES["card"]
        faces["picture"] = {"template": FINISHED, "size": list(card.size), "scale": card.scale}
        entries, files = {}, {}
        for key, kind in kinds.items():
            columns = _columns(kind.labels)
            entries[key] = {
                "name": kind.title or "カード",
                "file": f"cards/{key}.csv",
                "fields": dict.fromkeys(("front", "back", *columns.values()), "text"),
                "front": f"{key}_front",
                "front_fields": ["front"],
                "back": f"{key}_back",
                "back_fields": ["back"],
                "size": _plain(kind.size),
                **({"detail": columns} if columns else {}),
            }
            heads = ("id", "name", "front", "back", *columns.values())
            files[f"cards/{key}.csv"] = table_bytes([heads, *kind.rows.values()])
            sheet: dict[str, Any] = {"id": key, "name": kind.title or "カード", "lay": "cards"}
            sheet |= {"cards": {"kind": key}, "preset": "home-a4", "size": list(kind.form[:2])}
            files[f"sheets/{key}.yaml"] = _yaml(sheet)
        values = fact_values(facts) | {"faces": _text({"faces": faces})}
        values["kinds"] = _text({"kinds": entries}) if entries else ""
        rows = chain(*(kind.rows.values() for kind in self.kinds.values()))
        texts = (text for row in rows for text in (row[1], *row[4:]))
        signs = dict.fromkeys(sign for text in texts for sign in MARK.findall(text))
        values["marks"] = _text({"marks": {sign: f"[{sign}]" for sign in signs}}) if signs else ""
        files["game.yaml"] = fill_template("room/game.yaml", "game.yaml", language, **values)
        if self.decks:
            files["decks/decks.csv"] = table_bytes([("deck", "card", "copies"), *self.decks])
        size = [max(table["size"][axis] for table in self.tables.values()) for axis in (0, 1)]
        layouts = {name: {"size": size, "items": items} for name, items in self.layouts.items()}
        files["layouts.yaml"] = _yaml(layouts)
        room: dict[str, Any] = {"id": "room", "name": {"ja": facts.ja, "en": facts.en}}
        room |= {"players": list(facts.players), "tables": self.tables}
        room |= {"arrange": {"centre": ["things"]}, "values": {"dollar": "$"}}
        room |= {"chat": self.chat} if self.chat else {}
        room |= {"inventory": list(self.columns)} if self.columns else {}
        files["rooms/room.yaml"] = _yaml(room)
        return files | {f"pictures/{name}": data for name, data in self.pictures.items()}

    # -- what became of it ------------------------------------------------------------------------

    def compare(self, made: Room[Face]) -> Counter[tuple[str, str]]:
        """Count what is not as it was, by element and field; such things are kept as they were."""
        unlike: Counter[tuple[str, str]] = Counter()
        things = sorted(self.laid["things"], key=lambda pair: PIECE_ORDER.index(type(pair[1])))
        pairs: list[tuple[tuple[Xml, Any], Any]] = list(zip(things, made.pieces, strict=True))
        for number, table in enumerate(made.tables, 1):
            pairs += zip(self.laid[f"table{number}"], table.objects, strict=True)
        pairs += zip(self.laid["tables"], made.tables, strict=False)
        for (xml, was), now in pairs:
            found = dict.fromkeys(self._unlike(was, now, tag_of(xml), ""))
            unlike.update(found.keys())
            if found and tag_of(xml) != "game-table":
                self.kept.append(deepcopy(xml))
        return unlike

    def _unlike(self, was: Any, now: Any, tag: str, name: str) -> Iterator[tuple[str, str]]:
        """Yield each field in which a thing or a part of it is not what it was."""
        if name in PICTURE_FIELDS:
            was, now = self._picture(was, ""), _picture_name(now)
        if isinstance(was, Struct) and isinstance(now, type(was)):
            tag = BY_TYPE[type(was)].tag if type(was) in BY_TYPE and name != "detail" else tag
            within = ("x", "y", "z", "zindex", "location", "extra") if name == "cards" else ()
            for one in was.__struct_fields__:
                if one not in (*within, "objects"):
                    inner = name if name == "detail" else one
                    yield from self._unlike(getattr(was, one), getattr(now, one), tag, inner)
        elif name != "extra" and isinstance(was, tuple) and len(was) == len(now):
            for one, other in zip(was, now, strict=True):
                yield from self._unlike(one, other, tag, name)
        elif not _is_like(was, now, name):
            yield tag, name

    def report(self, unlike: Mapping[tuple[str, str], int]) -> Iterator[Translated]:
        """Tell what was brought in, what is kept aside, and what is not as it was."""
        things = [thing for laid in self.laid.values() for _xml, thing in laid]
        count = Counter(BY_TYPE[type(thing)].tag for thing in things)
        cards = sum(len(one.cards) for one in things if isinstance(one, CardStack)) + count["card"]
        rows = sum(len(kind.rows) for kind in self.kinds.values())
        yield sentence("import", "room-cards", cards=cards, rows=rows, pictures=len(self.pictures))
        names = [sentence("import", "times", name=_what(tag), count=n) for tag, n in count.items()]
        yield sentence("import", "room-things", names=Joined(tuple(names), ", "))
        if self.unknown:
            kept = [f"{tag} ×{n}" for tag, n in self.unknown.items()]
            yield sentence("import", "room-kept", names=", ".join(kept))
        if unlike:
            other = [Joined((_what(tag), f"{name} ×{n}"), " ") for (tag, name), n in unlike.items()]
            yield sentence("import", "room-unlike", names=Joined(tuple(other), ", "))
        if self.lost:
            yield sentence("import", "room-lost", count=len(self.lost))


def _what(tag: str) -> Translated:
    return sentence("diff", f"what-{tag}")


def _is_usual(thing: Any) -> bool:
    """Tell whether a thing has names, sizes and a place that items can have."""
    sizes = [getattr(thing, "size", 1)]
    if isinstance(thing, TextNote | TableMask):
        sizes += thing.width, thing.height
    cards = thing.cards if isinstance(thing, CardStack) else ()
    sides = [side.name for side in thing.faces] if isinstance(thing, DiceSymbol) else []
    return (
        all(_THINNEST <= size <= _LARGEST for size in sizes)
        and (not isinstance(thing, Terrain) or max(thing.width, thing.depth) <= _LARGEST)
        and max(abs(thing.x), abs(thing.y)) <= 9_000 * UNIT
        and len(thing.name) <= _LONGEST
        and len(cards) <= 1000
        and all(_THINNEST <= card.size <= _LARGEST for card in cards)
        and (not isinstance(thing, DiceSymbol) or (thing.face in sides and all(sides)))
        and len(set(sides)) == len(sides)
        and (not isinstance(thing, TextNote) or 0.1 <= thing.fontsize <= 100)
        and abs(getattr(thing, "rotate", 0)) <= 360
    )


def _unread(xml: Xml) -> Iterator[str]:
    """Yield entries of forks that say or show something of a thing, such as further pictures."""
    element = ELEMENTS[tag_of(xml)]
    met: Counter[str] = Counter()
    known = {"imageIdentifier", *(one.name for one in element.entries)}
    known |= element.slots.keys()
    for name in ("common",) if element.tag == "dice-symbol" else ("common", "image"):
        group = group_of(xml, name)
        for entry in [] if group is None else data_children(group):
            called, value = attribute(entry, "name"), "".join(map(str, entry.itertext()))
            met[called] += 1
            if (called not in known or met[called] > 1) and value.strip() not in ("", "0"):
                yield called


def _picture_name(face: Face | None) -> str:
    """Return the name of the picture that a face is, as data have it."""
    if face is None:
        return ""
    address = client_address(face)
    return f"{CLIENT}{address}" if address else whole_file(face).removeprefix("pictures/")


def _is_like(was: Any, now: Any, name: str) -> bool:
    """Tell whether two values are the same to people: what helps in forks may be added."""
    if name == "selected":
        return True  # the first table is seen, whichever was
    if name == "extra":
        return _own_attributes(was).items() <= dict(now).items()
    if isinstance(was, int | float) and isinstance(now, int | float):
        return abs(was - now) <= 0.01
    return bool(was == now)


def _own_attributes(pairs: Attributes) -> dict[str, str]:
    """Leave out the marks of this program."""
    return {name: text for name, text in pairs if name not in _MARKS}


def _usual_picture(data: bytes) -> tuple[bytes, str]:
    """Return a picture with its ending: as it is, or as PNG where games have no such files; or
    nothing."""
    if data.lstrip()[:1] == b"<":
        return data, "svg"
    try:
        with Image.open(io.BytesIO(data), formats=PICTURE_FORMATS) as picture:
            if str(picture.format) in _FORMATS:
                return data, _FORMATS[str(picture.format)]
            if picture.width * picture.height > MOST_PIXELS:
                return b"", ""
            return file_bytes(picture.convert("RGBA"), "PNG"), "png"
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return b"", ""


def _id_of(name: str) -> str:
    """Return a name as an id, without what cells of a table leave out or read as a mark."""
    return id_of("".join(one for one in name if one.isprintable() and one not in "[]"))


def _is_unmarked(text: str) -> bool:
    """Tell whether nothing in a text reads as mark-up of this program."""
    return plain(text, {}) == text


def _escaped(text: str) -> str:
    """Return a text in which nothing is filled in."""
    return text.replace("${", "${dollar}{")


def _plain(value: Any) -> Any:
    """Return a number as people write it; all else as it is."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return int(value) if float(value).is_integer() else round(value, 4)


def _entries(data: Sequence[Data[Any]]) -> dict[str, Any]:
    """Return what a sheet says, as an item has it; what that cannot hold is left out."""
    found: dict[str, Any] = {}
    for one in data:
        value: Any = one.value
        if one.children:
            value = _entries(one.children)
        elif one.type == "numberResource":
            value = [_number(one.current), _number(str(one.value))]
        elif one.type == "note":
            value = [one.value]
        if one.name and one.name not in found and not isinstance(one.value, Struct):
            found[one.name[:_LONGEST]] = value
    return found


def _number(text: str) -> Any:
    return int(text) if text.isascii() and text.isdecimal() and str(int(text)) == text else text


def _texts(data: Sequence[Data[Any]], title: str, section: str = "") -> Iterator[tuple[str, str]]:
    """Yield the labels and texts of a card's sheet; those of sections but the first, ``title``,
    with their own."""
    for one in data:
        name = one.name.replace("/", "／")
        if one.children:
            yield from _texts(one.children, title, "" if name == title else f"{name}/")
        elif name and isinstance(one.value, str) and one.value:
            yield f"{section}{name}", one.value


def _columns(labels: Sequence[str]) -> dict[str, str]:
    """Name the column of each label: called like it, unless that has another meaning."""
    taken = {*CARD_ITSELF, "front", "back", "copies", "edition"}
    found: dict[str, str] = {}
    for number, label in enumerate(labels, 1):
        name = _id_of(label)
        free = bool(name) and name.casefold() not in taken
        found[label] = name if free else f"text{number}"
        taken.add(found[label].casefold())
    return found


class _Dumper(yaml.SafeDumper):
    """Writes several lines as several lines, and nothing by reference."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _lines(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _lines)


def _text(value: Any) -> str:
    return yaml.dump(
        value,
        Dumper=_Dumper,
        allow_unicode=True,
        sort_keys=False,
        default_flow_style=None,
        width=100,
    )


def _yaml(value: Any) -> bytes:
    return _text(value).encode()
