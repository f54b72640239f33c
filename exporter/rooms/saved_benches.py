"""Mechs that people have put together in a saved room: what lies on its benches, and where.

A bench is a mat with zones for parts. The zone that holds a card's centre counts. Nothing is
guessed: what lies between two zones, in none or on two benches is a problem, and a build with any
of that is not read whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from exporter.core.problems import (
    Problem,
    Severity,
    SourceLocation,
    problem_at,
)
from exporter.faces.card_faces import style_of
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
    Room,
    TableCard,
    Terrain,
)
from exporter.rooms.footprints import (
    EMPTY_STACK,
    Rectangle,
    zone_places,
)
from exporter.rooms.laid_cards import frame_choices
from exporter.udonarium import marks

# Pixels by which the middle of a card must be off a border: half a step of the client's grid.
SLACK = UNIT / 4

# How high a card of no known look is for its width.
_CARD = 1.4


class SavedBench(NamedTuple):
    """A mat on which a mech is put together; ``zones`` lead from the name of each to what it is
    for and where it lies, in pixels."""

    title: str
    layout: str
    place: Rectangle
    zones: Mapping[str, tuple[str, Rectangle]]


class Lying(NamedTuple):
    """A card or a stack on the table: what it covers, and its cards with their records."""

    name: str
    place: Rectangle
    cards: tuple[tuple[str, str], ...]

    @property
    def middle(self) -> Rectangle:
        """Its centre, and as much around it as hands are off."""
        x, y = self.place.centre
        return Rectangle(x, y, 0, 0).grown(SLACK)


def game_of_benches(room: Room[str]) -> str:
    """Return the id of the game that a room was made of; empty where it does not say."""
    return next(filter(None, (marks.read_marks(t.extra, marks.GAME) for t in room.tables)), "")


def benches_of(game: Game, room: Room[str]) -> list[SavedBench]:
    """Return the benches of a room, by the item that laid them, and the seat, as their mats say."""
    tables = [table for table in room.tables if table.selected] or list(room.tables)
    found = []
    for mat in tables[0].objects if tables else ():
        sort, which = marks.split(marks.read_marks(mat.extra))
        layout, _, number = which.rpartition(" ")
        if not isinstance(mat, Terrain) or sort != "layout" or layout not in game.layouts:
            continue
        for item in game.layouts[layout].items[int(number) :][:1] if number.isdecimal() else ():
            if item.lay == "mat" and any(zone.serves == "part" for zone in item.zones.values()):
                title = marks.read_marks(mat.extra, marks.SEAT) or mat.name
                found.append(_bench(mat, item, layout, title))
    return found


def _bench(mat: Terrain[str], item: Item, layout: str, title: str) -> SavedBench:
    place = Rectangle(mat.x, mat.y, mat.width * UNIT, mat.depth * UNIT)
    each = zone_places(item, place, mat.rotate)
    zones = {name: (use, inner) for name, use, inner in each}
    return SavedBench(title, layout, place.turned(mat.rotate, place.centre), zones)


# -- what lies there ------------------------------------------------------------------------------


def _lying(game: Game, room: Room[str]) -> Iterator[Lying]:
    """Yield the cards on the table, those in stacks together."""
    for piece in room.pieces:
        if not isinstance(piece, TableCard | CardStack) or piece.location != "table":
            continue
        cards = (piece,) if isinstance(piece, TableCard) else piece.cards
        found = tuple(marks.split(marks.read_marks(card.extra)) for card in cards)
        if not any(sort in ("", "card", "frame") for sort, _which in found):
            continue
        (sort, which), first = found[0], cards[0]
        width, height = (first.size or EMPTY_STACK) * UNIT, _CARD
        if sort == "card" and which in game.cards:
            kind = game.kinds[game.cards[which].kind]
            across, down = style_of(game, kind.front, kind.where).size
            height = down / across
        place = Rectangle(piece.x, piece.y, width, width * height)
        rotate = piece.rotate + (first.rotate if isinstance(piece, CardStack) else 0)
        yield Lying(piece.name, place.turned(rotate, place.centre), found)


def _bench_problem(where: SourceLocation, key: str, **values: Any) -> Problem:
    return problem_at(where, "BENCH", key, **values)


def assemble_benches(game: Game, room: Room[str], file: str) -> tuple[list[Build], list[Problem]]:
    """Return the builds on the benches of a saved room, each with what keeps it from being read
    whole.

    A bench on which nothing lies is passed over. The problems besides are of the room as a whole.
    """
    problems: list[Problem] = []
    benches = benches_of(game, room)
    if not benches:
        return [], [_bench_problem(SourceLocation(file), "no-bench")]
    made = next(iter(room.tables)).extra
    version = marks.read_marks(made, marks.VERSION)
    if version and version != game.version_text:
        known = {"said": version, "now": game.version_text}
        problems.append(
            _bench_problem(
                SourceLocation(file), "other-version", severity=Severity.WARNING, **known
            )
        )
    lying: list[list[Lying]] = [[] for _bench in benches]
    wrong: list[list[Problem]] = [[] for _bench in benches]
    for one in _lying(game, room):
        inner = one.place.grown(-SLACK)
        met = [at for at, bench in enumerate(benches) if bench.place.meets(inner)]
        on = [at for at in met if benches[at].place.meets(one.middle)]
        if len(on) == 1 or len(met) == 1:
            lying[(on or met)[0]].append(one)
            continue
        titles = ", ".join(benches[at].title for at in met)
        for at in met:
            place = SourceLocation(f"{file}#{benches[at].title}")
            wrong[at].append(_bench_problem(place, "two-benches", name=one.name, benches=titles))
    found = [
        _read(game, room, bench, on, unclear, file)
        for bench, on, unclear in zip(benches, lying, wrong, strict=True)
        if on or unclear
    ]
    for build in found:
        parts = "／".join(
            f"{part}：{'、'.join(plain(game.cards[name].name, game.marks) for name in names)}"
            for part, names in build.mounted.items()
        )
        if parts:
            severity = Severity.NOTICE
            problems.append(_bench_problem(build.where, "read", severity=severity, parts=parts))
    return found, problems


def _read(
    game: Game,
    room: Room[str],
    bench: SavedBench,
    lying: list[Lying],
    wrong: list[Problem],
    file: str,
) -> Build:
    where = SourceLocation(f"{file}#{bench.title}")
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
                unread.append(_bench_problem(where, f"not-{wanted}", name=card, zone=name))
        own = tuple(which for sort, which in cards if sort == wanted)
        if serves == "frame":
            frames += own
        elif serves in ("part", "pilot"):
            of_sort = mounted if serves == "part" else skills
            of_sort[name] = tuple(which for which in own if which in game.cards)
    known = {"/".join(words.values()): words for _frame, words in frame_choices(game)}
    frames = list(dict.fromkeys(frames))
    frame = known.get(frames[0], {}) if len(frames) == 1 else {}
    if not frame:
        names = ", ".join(one.replace("/", "・") for one in frames)
        key = "several-frames" if frames else "no-frame"
        unread.append(_bench_problem(where, key, **({"names": names} if frames else {})))
    title, pilots = _title_and_pilots(game, room, bench, skills)
    return Build(
        name=title or bench.title,
        game=game.id,
        frame=frame,
        mounted={part: mounted.get(part, ()) for part in game.parts if mounted.get(part)},
        pilots=pilots,
        where=where,
        unread=tuple(unread),
    )


def _in_zones(
    bench: SavedBench, lying: Iterable[Lying], where: SourceLocation
) -> tuple[dict[str, list[tuple[str, str]]], list[Problem]]:
    """Return what lies in each zone, by its middle; a problem for what lies in none or between
    two."""
    lies: dict[str, list[tuple[str, str]]] = {name: [] for name in bench.zones}
    outside = []
    for one in sorted(lying, key=lambda each: (each.place.x, each.place.y, each.name)):
        met = [name for name, (_for, place) in bench.zones.items() if place.meets(one.middle)]
        if len(met) == 1:
            lies[met[0]] += one.cards
        elif met:
            outside.append(_bench_problem(where, "on-border", name=one.name, zones=", ".join(met)))
        else:
            outside.append(_bench_problem(where, "no-zone", name=one.name, bench=bench.title))
    return lies, outside


def _title_and_pilots(
    game: Game, room: Room[str], bench: SavedBench, skills: Mapping[str, tuple[str, ...]]
) -> tuple[str, tuple[Pilot, ...]]:
    """Name and pilots, as people have filled them in on the bench's piece."""
    fields: dict[str, str] = {}
    asks: dict[str, str] = {}
    for index, item in enumerate(game.layouts[bench.layout].items):
        if item.asks:
            asks.update(item.asks)
            said = {marks.RECORD: f"layout {bench.layout} {index}"}
            said[marks.SEAT] = bench.title
            for piece in room.pieces:
                if isinstance(piece, Character) and said.items() <= dict(piece.extra).items():
                    groups = [data for data in piece.detail if data.name == game.says("to-fill-in")]
                    each = [one for group in groups for one in group.children]
                    fields |= {one.name: str(one.value).strip() for one in each}
    name = next((fields.get(label, "") for label, what in asks.items() if what == "name"), "")
    pilots = tuple(
        Pilot(name=fields.get(zone) or zone, skills=ids)
        for zone, ids in skills.items()
        if ids or fields.get(zone)
    )
    return name, pilots
