"""Mechs that people have put together in a saved room: what lies on its benches, and where.

A bench is a mat with zones for parts. The zone that holds a card's centre counts. Nothing is
guessed: what lies between two zones, in none or on two benches is a problem, and a build with any
of that is not read whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from exporter.core.problems import (
    Problem,
    SourceLocation,
    notice_at,
    problem_at,
    warning_at,
)
from exporter.faces.card_faces import style_of
from exporter.faces.face_texts import plain
from exporter.model import (
    Build,
    Game,
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


class SavedBench(Struct):
    """A mat on which a mech is put together; ``zones`` lead from the name of each to what it is
    for and where it lies, in pixels.

    ``lying`` is what lies on it alone, ``unread`` what keeps the mech from being read whole.
    """

    title: str
    layout: str
    place: Rectangle
    zones: Mapping[str, tuple[str, Rectangle]]
    lying: list[Lying] = field(default_factory=list)
    unread: list[Problem] = field(default_factory=list)


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
                place = Rectangle(mat.x, mat.y, mat.width * UNIT, mat.depth * UNIT)
                each = zone_places(item, place, mat.rotate)
                zones = {name: (serves, inner) for name, serves, inner in each}
                turned = place.turned(mat.rotate, place.centre)
                found.append(SavedBench(title, layout, turned, zones))
    return found


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


def assemble_benches(game: Game, room: Room[str], file: str) -> tuple[list[Build], list[Problem]]:
    """Return the builds on the benches of a saved room, each with what keeps it from being read
    whole.

    A bench on which nothing lies is passed over. The problems besides are of the room as a whole.
    """
    benches, whole = benches_of(game, room), SourceLocation(file)
    if not benches:
        return [], [problem_at(whole, "BENCH", "no-bench")]
    problems: list[Problem] = []
    version = marks.read_marks(room.tables[0].extra, marks.VERSION)
    if version and version != game.version_text:
        problems.append(
            warning_at(
                whole,
                "BENCH",
                "other-version",
                quote=version,
                now=game.version_text,
            )
        )
    for one in _lying(game, room):
        inner = one.place.grown(-SLACK)
        met = [bench for bench in benches if bench.place.meets(inner)]
        on = [bench for bench in met if bench.place.meets(one.middle)]
        if len(on) == 1 or len(met) == 1:
            (on or met)[0].lying.append(one)
            continue
        titles = ", ".join(bench.title for bench in met)
        for bench in met:
            where = SourceLocation(f"{file}#{bench.title}")
            bench.unread.append(
                problem_at(where, "BENCH", "two-benches", name=one.name, benches=titles)
            )
    used = [bench for bench in benches if bench.lying or bench.unread]
    found = [_read(game, room, one, SourceLocation(f"{file}#{one.title}")) for one in used]
    for build in found:
        parts = "／".join(
            f"{part}：{'、'.join(plain(game.cards[name].name, game.marks) for name in names)}"
            for part, names in build.mounted.items()
        )
        if parts:
            problems.append(notice_at(build.where, "BENCH", "read", parts=parts))
    return found, problems


def _read(game: Game, room: Room[str], bench: SavedBench, where: SourceLocation) -> Build:
    """Return the build on a bench, by the zones in which its cards lie."""
    unread, frames = bench.unread, dict[str, None]()
    mounted: dict[str, list[str]] = {}
    skills: dict[str, list[str]] = {}
    for zone, cards in _by_zone(bench, where).items():
        serves = bench.zones[zone][0]
        wanted = "frame" if serves == "frame" else "card"
        ids: list[str] = {"part": mounted, "pilot": skills}.get(serves, {}).setdefault(zone, [])
        for sort, which in cards if serves != "place" else ():
            if sort != wanted or (sort == "card" and which not in game.cards):
                name = which or "?"
                unread.append(problem_at(where, "BENCH", f"not-{wanted}", name=name, zone=zone))
            elif sort == "frame":
                frames[which] = None
            else:
                ids.append(which)
    known = {"/".join(words.values()): words for _frame, words in frame_choices(game)}
    frame = known.get(next(iter(frames)), {}) if len(frames) == 1 else {}
    if not frame:
        names = ", ".join(one.replace("/", "・") for one in frames)
        unread.append(
            problem_at(where, "BENCH", "several-frames", names=names)
            if frames
            else problem_at(where, "BENCH", "no-frame")
        )
    title, pilots = _title_and_pilots(game, room, bench, skills)
    return Build(
        name=title or bench.title,
        game=game.id,
        frame=frame,
        mounted={part: tuple(mounted[part]) for part in game.parts if mounted.get(part)},
        pilots=pilots,
        where=where,
        unread=tuple(unread),
    )


def _by_zone(bench: SavedBench, where: SourceLocation) -> dict[str, list[tuple[str, str]]]:
    """Return the cards that lie in each zone, by their middles; what lies in none or between
    two goes to what is unread."""
    found: dict[str, list[tuple[str, str]]] = {name: [] for name in bench.zones}
    for one in sorted(bench.lying, key=lambda each: (each.place.x, each.place.y, each.name)):
        met = [name for name, (_for, place) in bench.zones.items() if place.meets(one.middle)]
        if len(met) == 1:
            found[met[0]] += one.cards
        else:
            zones = ", ".join(met)
            bench.unread.append(
                problem_at(where, "BENCH", "on-border", name=one.name, zones=zones)
                if met
                else problem_at(where, "BENCH", "no-zone", name=one.name, bench=bench.title)
            )
    return found


def _title_and_pilots(
    game: Game, room: Room[str], bench: SavedBench, skills: Mapping[str, Sequence[str]]
) -> tuple[str, tuple[Pilot, ...]]:
    """Name and pilots, as people have filled them in on the bench's piece."""
    fields: dict[str, str] = {}
    asks: dict[str, str] = {}
    for index, item in enumerate(game.layouts[bench.layout].items):
        asks.update(item.asks)
        marked = {marks.RECORD: f"layout {bench.layout} {index}", marks.SEAT: bench.title}
        for piece in room.pieces if item.asks else ():
            if isinstance(piece, Character) and marked.items() <= dict(piece.extra).items():
                groups = [data for data in piece.detail if data.name == game.says("to-fill-in")]
                each = [one for group in groups for one in group.children]
                fields |= {one.name: str(one.value).strip() for one in each}
    name = next((fields.get(label, "") for label, what in asks.items() if what == "name"), "")
    pilots = tuple(
        Pilot(name=fields.get(zone) or zone, skills=tuple(ids))
        for zone, ids in skills.items()
        if ids or fields.get(zone)
    )
    return name, pilots
