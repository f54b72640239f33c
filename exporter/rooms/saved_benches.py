"""Mechs that people have put together in a saved room: what lies on its benches, and where.

A bench is a mat with zones for parts. Nothing is guessed: what lies on a border, in no zone or on
two benches is told, and a build with any of that is not read whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from exporter.core.problems import (
    Problem,
    Severity,
    SourceLocation,
    problem_at,
)
from exporter.faces.card_faces import style_of
from exporter.faces.data_version import version_text
from exporter.faces.face_texts import plain
from exporter.model import (
    Build,
    Game,
    Item,
    Pilot,
)
from exporter.model.tabletop import (
    UNIT,
    CardStack,
    Character,
    Data,
    Room,
    TableCard,
    Terrain,
)
from exporter.rooms import provenance
from exporter.rooms.footprints import (
    EMPTY_STACK,
    Rectangle,
)
from exporter.rooms.laying import ASKED
from exporter.rooms.stacks import frame_words

SLACK = UNIT / 4
"""Pixels that a card may stand out of its zone: half a step of the client's grid."""

_CARD = 1.4
"""How high a card of no known look is for its width."""


class Bench(NamedTuple):
    """A mat on which a mech is put together."""

    title: str
    item: Item
    layout: str
    place: Rectangle
    zones: Mapping[str, tuple[str, Rectangle]]
    """Name → what it is for and where it lies, in pixels."""


class PutTogether(NamedTuple):
    """What lies on a bench as a build, and what keeps it from being read whole."""

    build: Build
    unread: tuple[Problem, ...]


class Lying(NamedTuple):
    """A card or a stack on the table: what it covers, and its cards with their records."""

    name: str
    place: Rectangle
    cards: tuple[tuple[str, str], ...]


def game_of(room: Room[str]) -> str:
    """The id of the game that a room was made of; empty where it does not say."""
    return next(filter(None, (provenance.read(t.extra, provenance.GAME) for t in room.tables)), "")


def benches_of(game: Game, room: Room[str]) -> list[Bench]:
    """The benches of a room, by what their mats say, or by their names where they say nothing."""
    tables = [table for table in room.tables if table.selected] or list(room.tables)
    found = []
    for thing in tables[0].objects if tables else ():
        if isinstance(thing, Terrain):
            item, layout, title = _bench_of(game, thing)
            if item is not None:
                found.append(_bench(game, thing, item, layout, title))
    return found


def _is_bench(item: Item) -> bool:
    return item.lay == "mat" and any(zone.serves == "part" for zone in item.zones.values())


def _bench_of(game: Game, mat: Terrain[str]) -> tuple[Item | None, str, str]:
    """The item that laid a mat, with its layout and the seat's name; no item for other mats."""
    sort, rest = provenance.split(provenance.read(mat.extra))
    layout, _, number = rest.rpartition(" ")
    if sort == "layout" and layout in game.layouts and number.isdecimal():
        items = game.layouts[layout].items[int(number) :][:1]
        if items and _is_bench(items[0]):
            seat = provenance.read(mat.extra, provenance.SEAT)
            return items[0], layout, seat or mat.name
    for plan in game.rooms.values():
        for seat_ in plan.seats:
            for item in game.layouts[seat_.layout].items if seat_.layout in game.layouts else ():
                if _is_bench(item) and item.name.replace("${seat}", seat_.name) == mat.name:
                    return item, seat_.layout, seat_.name
    return None, "", ""


def _bench(game: Game, mat: Terrain[str], item: Item, layout: str, title: str) -> Bench:
    size = (mat.width * UNIT, mat.depth * UNIT)
    place = Rectangle(mat.x, mat.y, *size)
    zones = {}
    for name, zone in item.zones.items():
        left, top, *extent = (length * UNIT for length in zone.at)
        inner = Rectangle(mat.x + left, mat.y + top, *extent)
        zones[name] = (zone.serves, inner.turned(mat.rotate, place.centre))
    return Bench(title, item, layout, place.turned(mat.rotate, place.centre), zones)


# -- what lies there ------------------------------------------------------------------------------


def _record(game: Game, card: TableCard[str]) -> tuple[str, str]:
    """Sort and id of what a card is: by its record, or by its name where it has none."""
    sort, rest = provenance.split(provenance.read(card.extra))
    if sort:
        return ("card", rest) if sort == "card" and rest in game.cards else (sort, rest)
    if (card_id := _by_name(game).get(card.name)) is not None:
        return "card", card_id
    for _frame, words in frame_words(game):
        if "・".join(words.values()) == card.name:
            return "frame", "/".join(words.values())
    return "", ""


def _by_name(game: Game) -> Mapping[str, str]:
    """The ids of cards by the names that rooms show, where only one has it."""

    def work() -> Mapping[str, str]:
        names = [(plain(card.name, game.marks), card.id) for card in game.cards.values()]
        counts = Counter(name for name, _ in names)
        return {name: card_id for name, card_id in names if counts[name] == 1}

    return game.once(_by_name, work)


def _height(game: Game, card: TableCard[str], sort: str, which: str) -> float:
    """How high a card is for its width, by the style in which the game shows it."""
    if sort == "card" and which in game.cards:
        kind = game.kinds[game.cards[which].kind]
        width, height = style_of(game, kind.front, kind.where).size
        return height / width
    return _CARD


def _lying(game: Game, room: Room[str]) -> Iterator[Lying]:
    """The cards on the table, those in stacks together."""
    for piece in room.pieces:
        if not isinstance(piece, TableCard | CardStack) or piece.location != "table":
            continue
        cards = (piece,) if isinstance(piece, TableCard) else piece.cards
        if not cards:
            continue
        found = tuple(_record(game, card) for card in cards)
        if not any(sort in ("", "card", "frame") for sort, _which in found):
            continue
        width = (cards[0].size or EMPTY_STACK) * UNIT
        height = width * _height(game, cards[0], *found[0])
        place = Rectangle(piece.x, piece.y, width, height)
        rotate = piece.rotate
        if isinstance(piece, CardStack):
            rotate += cards[0].rotate
        yield Lying(piece.name, place.turned(rotate, place.centre), found)


def _told(where: SourceLocation, key: str, **values: Any) -> Problem:
    return problem_at(where, "BENCH", key, **values)


def put_together(game: Game, room: Room[str], file: str) -> tuple[list[PutTogether], list[Problem]]:
    """The builds on the benches of a saved room, each with what keeps it from being read whole.

    A bench on which nothing lies is passed over. The problems besides are of the room as a whole.
    """
    problems: list[Problem] = []
    benches = benches_of(game, room)
    if not benches:
        return [], [_told(SourceLocation(file), "no-bench")]
    made = next(iter(room.tables)).extra
    said = provenance.read(made, provenance.VERSION)
    if said and said != version_text(game):
        known = {"said": said, "now": version_text(game)}
        problems.append(
            _told(SourceLocation(file), "other-version", severity=Severity.WARNING, **known)
        )
    on = {id(bench): list[Lying]() for bench in benches}
    both = {id(bench): list[Problem]() for bench in benches}
    for one in _lying(game, room):
        inner = one.place.grown(-SLACK)
        met = [bench for bench in benches if bench.place.meets(inner)]
        if len(met) == 1:
            on[id(met[0])].append(one)
        for bench in met if len(met) > 1 else ():
            titles = "、".join(each.title for each in met)
            place = _where(file, bench)
            both[id(bench)].append(_told(place, "two-benches", name=one.name, benches=titles))
    found = []
    for bench in benches:
        if on[id(bench)] or both[id(bench)]:
            found.append(_read(game, room, bench, on[id(bench)], both[id(bench)], file))
    return found, problems


def _where(file: str, bench: Bench) -> SourceLocation:
    return SourceLocation(f"{file}#{bench.title}")


def _read(
    game: Game,
    room: Room[str],
    bench: Bench,
    lying: list[Lying],
    wrong: list[Problem],
    file: str,
) -> PutTogether:
    where = _where(file, bench)
    lies, outside = _in_zones(bench, lying, where)
    unread = [*wrong, *outside]
    mounted: dict[str, tuple[str, ...]] = {}
    skills: dict[str, tuple[str, ...]] = {}
    frames: list[str] = []
    for name, cards in lies.items():
        serves = bench.zones[name][0]
        if serves == "place":
            continue
        wanted = "frame" if serves == "frame" else "card"
        for sort, which in cards:
            if sort != wanted or (sort == "card" and which not in game.cards):
                card = which or "?"
                unread.append(_told(where, f"not-{wanted}", name=card, zone=name))
        own = tuple(which for sort, which in cards if sort == wanted)
        if serves == "part":
            mounted[name] = tuple(which for which in own if which in game.cards)
        elif serves == "pilot":
            skills[name] = tuple(which for which in own if which in game.cards)
        elif serves == "frame":
            frames += own
    frame, of_frame = _frame(game, frames, where)
    unread += of_frame
    title, pilots = _asked(game, room, bench, skills)
    build = Build(
        name=title or bench.title,
        frame=frame,
        mounted={part: mounted.get(part, ()) for part in game.parts if mounted.get(part)},
        pilots=pilots,
        where=where,
    )
    return PutTogether(build, tuple(unread))


def _in_zones(
    bench: Bench, lying: Iterable[Lying], where: SourceLocation
) -> tuple[dict[str, list[tuple[str, str]]], list[Problem]]:
    """What lies in each zone, and a problem for each thing that lies in none or on a border."""
    lies: dict[str, list[tuple[str, str]]] = {name: [] for name in bench.zones}
    outside = []
    for one in sorted(lying, key=lambda each: (each.place.x, each.place.y, each.name)):
        inner = one.place.grown(-SLACK)
        met = [name for name, (_for, place) in bench.zones.items() if place.meets(inner)]
        inside = [name for name in met if bench.zones[name][1].holds(inner)]
        if len(met) == 1 and inside:
            lies[met[0]] += one.cards
        elif met:
            outside.append(_told(where, "on-border", name=one.name, zones="、".join(met)))
        else:
            outside.append(_told(where, "no-zone", name=one.name, bench=bench.title))
    return lies, outside


def _frame(
    game: Game, frames: Iterable[str], where: SourceLocation
) -> tuple[dict[str, str], Iterator[Problem]]:
    """The words of the one frame that lies there, and what is wrong where it is not one."""
    found = list(dict.fromkeys(frames))
    known = {"/".join(words.values()): words for _frame, words in frame_words(game)}
    if len(found) == 1 and found[0] in known:
        return dict(known[found[0]]), iter(())
    if not found:
        return {}, iter([_told(where, "no-frame")])
    names = "、".join(one.replace("/", "・") for one in found)
    return {}, iter([_told(where, "several-frames", names=names)])


def _asked(
    game: Game, room: Room[str], bench: Bench, skills: Mapping[str, tuple[str, ...]]
) -> tuple[str, tuple[Pilot, ...]]:
    """Name and pilots, as people have filled them in on the bench's piece."""
    fields: dict[str, str] = {}
    asks: dict[str, str] = {}
    for index, item in enumerate(game.layouts[bench.layout].items):
        if item.asks:
            asks.update(item.asks)
            fields |= _filled_in(room, f"layout {bench.layout} {index}", bench.title)
    name = next((fields.get(label, "") for label, what in asks.items() if what == "name"), "")
    pilots = tuple(
        Pilot(name=fields.get(zone) or zone, skills=ids)
        for zone, ids in skills.items()
        if ids or fields.get(zone)
    )
    return name, pilots


def _filled_in(room: Room[str], record: str, seat: str) -> dict[str, str]:
    for piece in room.pieces:
        if not isinstance(piece, Character) or provenance.read(piece.extra) != record:
            continue
        if provenance.read(piece.extra, provenance.SEAT) == seat:
            groups = [data for data in piece.detail if data.name == ASKED]
            return {each.name: _text(each) for one in groups for each in one.children}
    return {}


def _text(data: Data[str]) -> str:
    return data.value.strip() if isinstance(data.value, str) else ""
