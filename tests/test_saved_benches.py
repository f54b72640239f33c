"""A mech put together at the table: the saved room is read as a file of builds is."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import shipped
from commands import output_of, run
from msgspec.structs import replace
from workbench import OWN, opened, post

from exporter.core.problems import InvalidSource
from exporter.faces.card_faces import Face
from exporter.loader import is_build_file
from exporter.loader.player_files import read_builds
from exporter.model import Build, Game
from exporter.model.tabletop import (
    CardStack,
    Character,
    Data,
    Room,
    TableCard,
    Terrain,
    with_images,
)
from exporter.rooms.room_orders import RoomOrder, rooms_of_order
from exporter.rooms.saved_benches import assemble_benches, benches_of
from exporter.rules.errata import corrected
from exporter.rules.loadouts import with_decks
from exporter.udonarium.write import write_room

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent.parent / "source_data" / "embryo_machine"
FIRST, SECOND = "組立台1", "組立台2"


@pytest.fixture(scope="module")
def game() -> Game:
    return with_decks(corrected(shipped.printed()))


@pytest.fixture(scope="module")
def armoury(game: Game) -> Room[str]:
    """The armoury of all boxes as it is built, without pictures."""
    return built(game, "armoury_gifted")


def built(game: Game, name: str) -> Room[str]:
    room: Room[Face] = rooms_of_order(game, RoomOrder(rooms=(name,)))[name]
    bare: Room[str] = with_images(room, lambda face: None)
    return bare


class Table:
    """An armoury at which somebody works: cards are laid into zones, as many pixels away."""

    def __init__(self, game: Game, room: Room[str]) -> None:
        self.game, self.room = game, room
        self.benches = {bench.title: bench for bench in benches_of(game, room)}

    def card(self, name: str) -> TableCard[str]:
        stacks = (piece for piece in self.room.pieces if isinstance(piece, CardStack))
        return next(card for stack in stacks for card in stack.cards if card.name == name)

    def lay(self, things: Iterable[Any], bench: str, zone: str, right: float = 10) -> None:
        _for, place = self.benches[bench].zones[zone]
        laid = [replace(one, x=place.x + right, y=place.y + 10) for one in things]
        self.room = replace(self.room, pieces=(*self.room.pieces, *laid))

    def lay_mech(self, build: Build, bench: str) -> None:
        for part, names in build.mounted.items():
            for index, name in enumerate(names):
                card = self.game.card(name)
                assert card is not None
                self.lay([self.card(card.name)], bench, part, 10 + 105 * index)
        self.lay([self.card("・".join(build.frame.values()))], bench, "機体タイプ")

    def fill_in(self, bench: str, label: str, value: str) -> None:
        def filled(data: Data[str]) -> Data[str]:
            if data.name == label:
                return replace(data, value=value)
            return replace(data, children=tuple(map(filled, data.children)))

        pieces = [
            replace(piece, detail=tuple(map(filled, piece.detail)))
            if isinstance(piece, Character) and dict(piece.extra).get("seat") == bench
            else piece
            for piece in self.room.pieces
        ]
        self.room = replace(self.room, pieces=tuple(pieces))

    def moved(self, bench: str, by: float, turned: float = 0) -> None:
        """The mat is moved, with what will lie on it."""
        (table,) = self.room.tables
        objects = [
            replace(thing, x=thing.x + by, y=thing.y + by, rotate=turned)
            if isinstance(thing, Terrain) and dict(thing.extra).get("seat") == bench
            else thing
            for thing in table.objects
        ]
        self.room = replace(self.room, tables=(replace(table, objects=tuple(objects)),))
        self.benches = {each.title: each for each in benches_of(self.game, self.room)}

    def builds(self) -> dict[str, Build]:
        entries, _problems = assemble_benches(self.game, self.room, "room.zip")
        return {entry.where.file.partition("#")[2]: entry for entry in entries}

    def unread(self, bench: str) -> list[str]:
        entries, _problems = assemble_benches(self.game, self.room, "room.zip")
        (entry,) = [one for one in entries if one.where.file == f"room.zip#{bench}"]
        return [str(problem.sentence.key) for problem in entry.unread]

    def save(self, path: Path) -> Path:
        path.write_bytes(write_room(self.room, {}))
        return path


@pytest.fixture
def table(game: Game, armoury: Room[str]) -> Table:
    return Table(game, armoury)


def ids(game: Game, build: Build) -> dict[str, tuple[str, ...]]:
    cards = {part: [game.card(name) for name in names] for part, names in build.mounted.items()}
    return {part: tuple(card.id for card in found if card) for part, found in cards.items()}


@pytest.mark.parametrize(
    ("room", "code", "variant", "bench"),
    [("armoury_gifted", "AG", "basic", FIRST), ("armoury", "HO", "kai", "組立台4")],
)
def test_what_lies_on_a_bench_is_a_build(
    game: Game, room: str, code: str, variant: str, bench: str
) -> None:
    table = Table(game, built(game, room))
    printed = game.mechs[code].loadouts[variant]
    table.lay_mech(printed, bench)
    (found,) = table.builds().values()
    assert (found.frame, found.mounted) == (printed.frame, ids(game, printed))
    assert found.name == bench


def test_cards_in_a_stack_count_face_down_too(table: Table) -> None:
    table.lay_mech(Build(name="x", frame={"": "軽・SS・単座"}, mounted={}), FIRST)
    lance = replace(table.card("ランス"), face_down=True)
    table.lay([CardStack(name="山札", cards=(lance, lance))], FIRST, "右腕")
    assert len(table.builds()[FIRST].mounted["右腕"]) == 2
    assert table.unread(FIRST) == []


def test_name_pilots_and_skills_come_from_the_bench(game: Game, table: Table) -> None:
    table.lay_mech(game.mechs["AG"].loadouts["basic"], FIRST)
    table.fill_in(FIRST, "機体の名前", "赤い試作機")
    table.fill_in(FIRST, "パイロット1", "ハヤテ")
    table.lay([table.card("遮蔽Ⅰ")], FIRST, "パイロット1")
    table.lay([table.card("部位狙い")], FIRST, "パイロット2")
    found = table.builds()[FIRST]
    assert found.name == "赤い試作機"
    assert [(one.name, one.skills) for one in found.pilots] == [
        ("ハヤテ", ("K04",)),
        ("パイロット2", ("K01",)),
    ]


@pytest.mark.parametrize(
    ("zone", "right", "key"),
    [("頭", 175, "on-border"), ("右腕", 285, "on-border"), ("頭", 150, ""), ("頭", -300, "")],
)
def test_nothing_on_a_border_is_guessed(table: Table, zone: str, right: float, key: str) -> None:
    table.lay_mech(Build(name="x", frame={"": "軽・SS・単座"}, mounted={}), FIRST)
    table.lay([table.card("バルカン")], FIRST, zone, right)
    assert table.unread(FIRST) == ([key] if key else [])


def test_what_lies_outside_all_zones_or_on_two_benches_is_told(table: Table) -> None:
    mat = table.benches[FIRST].place
    for name, x, y in (("バルカン", mat.x + 20, mat.y - 60), ("シールド", mat.x + 60, mat.y + 505)):
        card = replace(table.card(name), x=x, y=y)
        table.room = replace(table.room, pieces=(*table.room.pieces, card))
    assert set(table.unread(FIRST)) == {"no-zone", "two-benches", "no-frame"}
    assert set(table.unread(SECOND)) == {"two-benches", "no-frame"}


def test_a_build_without_a_frame_is_not_judged(table: Table) -> None:
    table.lay([table.card("ランス")], FIRST, "右腕")
    assert table.unread(FIRST) == ["no-frame"]
    table.lay([table.card("軽・S・単座"), table.card("重・S・単座")], FIRST, "機体タイプ")
    assert table.unread(FIRST) == ["several-frames"]


@pytest.mark.parametrize("turned", [0, 90, 180])
def test_a_bench_is_found_where_it_was_moved(game: Game, table: Table, turned: float) -> None:
    table.moved(FIRST, 3000, turned)
    table.lay_mech(
        Build(name="x", frame={"": "軽・SS・単座"}, mounted={"頭": ("バルカン",)}), FIRST
    )
    assert ids(game, table.builds()[FIRST]) == {"頭": (game.cards_by_name["バルカン"].id,)}


def test_careless_drops_are_a_mech(game: Game, table: Table) -> None:
    """Whoever drops cards by hand is off by up to 40 pixels, and lays them over one another."""
    printed = game.mechs["AG"].loadouts["basic"]
    shelf = set(map(id, table.room.pieces))
    table.lay_mech(printed, FIRST)
    off = itertools.cycle([(-38, 31), (24, -27), (12, 40), (-19, -15), (33, 18)])
    pieces = tuple(
        one if id(one) in shelf else replace(one, x=one.x + x, y=one.y + 45 + y)
        for one, (x, y) in zip(table.room.pieces, off, strict=False)
    )
    table.room = replace(table.room, pieces=pieces)
    assert table.unread(FIRST) == []
    assert table.builds()[FIRST].mounted == ids(game, printed)


def test_check_judges_a_saved_room_and_writes_its_builds(
    game: Game, table: Table, tmp_path: Path
) -> None:
    table.lay_mech(game.mechs["AG"].loadouts["basic"], FIRST)
    table.fill_in(FIRST, "機体の名前", "試作機")
    table.lay([table.card("シールド")], SECOND, "右腕")
    saved, written = table.save(tmp_path / "saved.zip"), tmp_path / "builds.yaml"
    result = run("check", saved, "--to", written)
    assert result.exit_code == 1
    assert "試作機  medium M single-seater  construct@1  legal" in result.output
    assert "saved.zip#組立台2: error BENCH There is no frame card on this bench" in result.output
    assert written.read_text(encoding="utf-8").count("name:") == 1
    assert "legal" in output_of("check", written)


def test_one_bench_of_a_saved_room_is_seated(game: Game, table: Table, tmp_path: Path) -> None:
    printed = game.mechs["AG"].loadouts["basic"]
    table.lay_mech(printed, FIRST)
    table.lay([table.card("シールド")], SECOND, "右腕")
    saved = table.save(tmp_path / "saved.zip")
    wish = f"{saved}#組立台１"
    assert is_build_file(wish)
    (entry,) = read_builds(Path(wish), game)
    assert ids(game, entry) == ids(game, printed)
    for bench in ("#組立台2", "#組立台3", "#なし", ""):
        with pytest.raises(InvalidSource):
            read_builds(Path(f"{saved}{bench}"), game)


def test_the_workbench_finds_what_lies_on_benches(table: Table, game: Game, tmp_path: Path) -> None:
    table.lay_mech(game.mechs["AG"].loadouts["basic"], FIRST)
    data = table.save(tmp_path / "saved.zip").read_bytes()
    with opened(FOLDER) as client:
        found = client.post("/api/verify?lang=en&name=saved.zip", content=data, headers=OWN).json()
        (build,) = found["builds"]
        assert (found["game"], build["bench"], build["legal"]) == ("embryo_machine", FIRST, True)
        judged = post(client, "/api/embryo_machine/judge", {"draft": build["draft"]}).json()
        assert judged["legal"]
