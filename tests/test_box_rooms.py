"""Rooms that are the box: a tray for every mech, empty seats, and a table for each map."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable
from itertools import product
from typing import TypeAlias

import pytest
import shipped

from exporter.core.problems import SourceLocation
from exporter.faces.board_faces import compose, find_boards
from exporter.faces.card_faces import Face
from exporter.model import Game
from exporter.model.tabletop import (
    UNIT,
    CardStack,
    Character,
    GameTable,
    Room,
    TableCard,
    Terrain,
    pictures,
)
from exporter.rooms.footprints import Rectangle, footprint
from exporter.rooms.room_orders import RoomOrder, plan_order, rooms_of_order
from exporter.rules.errata import corrected
from exporter.rules.loadouts import printed_loadout, with_decks

BOXES = {
    "box_base": {"base"},
    "box_throne": {"base", "throne"},
    "box_gifted": {"base", "throne", "gifted"},
}


@pytest.fixture(scope="module")
def game() -> Game:
    return with_decks(corrected(shipped.printed()))


@pytest.fixture(scope="module")
def rooms(game: Game) -> dict[str, Room[Face]]:
    return rooms_of_order(game, RoomOrder(rooms=tuple(BOXES)))


def stacks(room: Room[Face], name: str) -> list[CardStack[Face]]:
    return [p for p in room.pieces if isinstance(p, CardStack) and p.name == name]


def names(stacks: list[CardStack[Face]]) -> Counter[str]:
    return Counter(card.name for stack in stacks for card in stack.cards)


@pytest.mark.slow
@pytest.mark.parametrize("name", BOXES)
@pytest.mark.parametrize("variant", ["basic", "kai"])
def test_both_decks_of_every_mech_of_a_box_lie_in_it_whole(
    game: Game, rooms: dict[str, Room[Face]], name: str, variant: str
) -> None:
    """Nothing has to be merged: what both sides play lies in both decks."""
    word = game.variants[variant].name.ja
    for mech in game.mechs.values():
        if mech.edition in BOXES[name] and variant in mech.loadouts:
            deck = printed_loadout(game, mech.code, variant).deck
            played = [one for one in deck if one.card.text("initial_zone") != "support"]
            wanted = Counter({one.card.name: 0 for one in played})
            for one in played:
                wanted[one.card.name] += one.copies
            assert names(stacks(rooms[name], f"{mech.code} {word}の山札")) == wanted, mech.code


# Three turns of the wheel, in pixels.
AWAY = 900
SIN_TILT, SIN_TURN = math.sin(math.radians(50)), math.sin(math.radians(10))
COS_TILT, COS_TURN = math.cos(math.radians(50)), math.cos(math.radians(10))

Spot: TypeAlias = tuple[float, float]


def in_window(table: GameTable[Face], spot: Spot, looked_at: Spot) -> Spot:
    """Where the client shows a spot of the ground, from the middle of what it was dragged to."""

    def turned(at: Spot) -> Spot:
        across, down = at[0] - table.width * UNIT / 2, at[1] - table.height * UNIT / 2
        return across * COS_TURN - down * SIN_TURN, across * SIN_TURN + down * COS_TURN

    (right, along), (middle, _) = turned(spot), turned(looked_at)
    scale = 1000 / (1000 + AWAY - along * SIN_TILT)
    return (right - middle) * scale, along * COS_TILT * scale


def box_of(spots: Iterable[Spot]) -> Rectangle:
    across, down = zip(*spots, strict=True)
    return Rectangle(min(across), min(down), max(across) - min(across), max(down) - min(down))


def corners(area: Rectangle) -> Iterable[Spot]:
    return product((area.x, area.x + area.width), (area.y, area.y + area.height))


@pytest.mark.parametrize("name", BOXES)
def test_a_selection_inside_a_tray_takes_its_own_things_and_nothing_else(
    game: Game, rooms: dict[str, Room[Face]], name: str
) -> None:
    """By the client's rule: an upright box that touches. Three were played, one of the last row."""
    room = rooms[name]
    table = room.tables[0]
    trays = [one for one in floors(table) if one.name.endswith("の箱")]
    assert len(trays) == sum(
        bool(mech.loadouts) for mech in game.mechs.values() if mech.edition in BOXES[name]
    )
    for tray in trays:
        place = footprint(tray)
        inner = box_of(in_window(table, one, place.centre) for one in corners(place.grown(-55)))
        # It lies askew: from the middle of its left edge to that of its right.
        drawn = inner._replace(x=inner.x + inner.width * 0.07, width=inner.width * 0.86)
        own = {id(piece) for piece in room.pieces if place.holds(footprint(piece))}
        taken = {
            id(piece)
            for piece in room.pieces
            if abs(piece.x - place.x) < 2000
            and box_of(
                in_window(table, one, place.centre) for one in corners(footprint(piece))
            ).meets(drawn)
        }
        assert taken == own, tray.name


@pytest.mark.parametrize("name", BOXES)
def test_a_tray_is_arranged_as_the_left_of_a_seat(
    game: Game, rooms: dict[str, Room[Face]], name: str
) -> None:
    """What is carried to a seat lies within its block, and drawn cards fall into the hand."""
    tray, seat = game.layouts["tray"], game.layouts["place"]
    block, *_others = seat.items[0].zones.values()
    hand = Rectangle(*seat.items[0].zones["手札"].at).grown(0.25)
    (mat,) = [one for one in floors(rooms[name].tables[0]) if one.name == "HO フォルニッセの箱"]
    for piece in rooms[name].pieces:
        lies = footprint(piece)
        x, y = (lies.x - mat.x) / UNIT, (lies.y - mat.y) / UNIT
        if footprint(mat).holds(lies):
            inner = Rectangle(x, y, lies.width / UNIT, lies.height / UNIT)
            assert Rectangle(*block.at).grown(0.25).holds(inner), piece.name
        if footprint(mat).holds(lies) and isinstance(piece, CardStack) and "山札" in piece.name:
            for right, down in product((2, 3), (0.5, 1.5)):
                assert hand.holds(Rectangle(x + right, y + down, 2, 2.8)), piece.name
    piles = [item.lies_at for item in seat.items if item.lay == "pile"]
    laid = [item.lies_at for item in tray.items if item.lay != "mat"]
    assert not [pile for pile in piles for spot in laid if math.dist(pile, spot) < 1.2]


def discs(room: Room[Face]) -> list[TableCard[Face]]:
    return [p for p in room.pieces if isinstance(p, TableCard) and " 向き（" in p.name]


@pytest.mark.parametrize("name", ["box_base", "box_throne"])
def test_a_disc_is_red_on_one_side_and_blue_on_the_other(
    rooms: dict[str, Room[Face]], name: str
) -> None:
    def shown(face: Face | None) -> tuple[str, str]:
        values = json.loads(face.values if face else "{}")
        return values["code"], values["team"]

    found = [(shown(disc.front), shown(disc.back)) for disc in discs(rooms[name])]
    codes = [disc.name.partition(" ")[0] for disc in discs(rooms[name])]
    assert found == [((code, "red"), (code, "blue")) for code in codes]


def test_the_pawn_of_a_tray_shows_the_backs_of_its_deck_and_stands_behind_the_disc(
    rooms: dict[str, Room[Face]],
) -> None:
    room = rooms["box_base"]
    for disc in discs(room):
        code = disc.name.partition(" ")[0]
        (pawn,) = [p for p in room.pieces if isinstance(p, Character) and p.name.startswith(code)]
        assert pawn.picture == stacks(room, f"{code} 基本の山札")[0].cards[0].back
        assert pawn.y + pawn.size * UNIT <= disc.y


def test_no_mech_sits_anywhere_and_there_are_as_many_seats_as_players(
    rooms: dict[str, Room[Face]],
) -> None:
    for name, count in (("box_base", 6), ("box_throne", 9), ("box_gifted", 9)):
        mats = [
            thing.name
            for thing in rooms[name].tables[0].objects
            if isinstance(thing, Terrain) and thing.name.endswith("プレイマット")
        ]
        assert sorted(mats) == [f"{number}番 プレイマット" for number in range(1, count + 1)]
        for seat in range(1, count + 1):
            assert [len(stack.cards) for stack in stacks(rooms[name], f"{seat}番の札")] == [0, 0]


def floors(table: GameTable[Face]) -> list[Terrain[Face]]:
    return [thing for thing in table.objects if isinstance(thing, Terrain)]


def test_the_map_is_chosen_by_table_and_all_tables_have_the_same_mats(
    game: Game, rooms: dict[str, Room[Face]]
) -> None:
    tables = rooms["box_base"].tables
    maps = game.rooms["box_base"].maps
    assert [table.name for table in tables] == list(maps)
    assert [table.selected for table in tables] == [True] + [False] * (len(maps) - 1)
    mats = [[one for one in floors(table) if "マット" in one.name] for table in tables]
    assert all(one == mats[0] for one in mats)
    for table, boards in zip(tables, maps.values(), strict=True):
        board = compose(find_boards(game.boards, boards, SourceLocation()))
        assert floors(table)[0].width == board.extent[0] * 2


@pytest.mark.parametrize("name", BOXES)
def test_every_board_lies_once_as_a_flat_piece_for_joining_freely(
    game: Game, rooms: dict[str, Room[Face]], name: str
) -> None:
    boards = {board.name.ja: board for board in game.boards.values()}
    pieces = [p for p in rooms[name].pieces if isinstance(p, TableCard) and p.name in boards]
    assert Counter(piece.name for piece in pieces) == Counter(list(boards))
    for piece in pieces:
        assert piece.size == boards[piece.name].extent[0] * 2


@pytest.mark.parametrize(
    ("name", "most"), [("box_base", 255), ("box_throne", 420), ("box_gifted", 420)]
)
def test_no_box_has_more_pictures_than_load_in_good_time(
    rooms: dict[str, Room[Face]], name: str, most: int
) -> None:
    assert len(set(pictures(rooms[name]))) <= most


def test_each_sample_has_a_back_of_its_own_that_says_so(rooms: dict[str, Room[Face]]) -> None:
    for code in ("CA", "DH"):
        deck = stacks(rooms["box_gifted"], f"{code} 基本の山札")[0]
        shown = {card.back.values for card in deck.cards if card.back}
        assert [json.loads(values)["deck"] for values in shown] == [code]
        assert [json.loads(values)["name"] for values in shown] == ["見本"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("boxes", "seats", "like"),
    [
        (("base",), 6, "box_base"),
        (("base", "throne"), 9, "box_throne"),
        (("base", "throne", "gifted"), 9, "box_gifted"),
    ],
)
def test_one_box_room_holds_what_is_owned(
    game: Game, rooms: dict[str, Room[Face]], boxes: tuple[str, ...], seats: int, like: str
) -> None:
    assert "box" not in rooms_of_order(game, RoomOrder())
    room = rooms_of_order(game, RoomOrder(rooms=("box",), boxes=boxes))["box"]
    piles = [p for p in room.pieces if isinstance(p, CardStack) and p.name.endswith("番の札")]
    assert len({pile.name for pile in piles}) == seats

    def trays(of: Room[Face]) -> Counter[str]:
        weapons = {card.name for card in game.cards.values() if card.kind in ("weapon", "basic")}
        stacks = (p for p in of.pieces if isinstance(p, CardStack))
        return Counter(card.name for p in stacks for card in p.cards if card.name in weapons)

    assert trays(room) == trays(rooms[like])


def test_mechs_that_want_another_box_have_no_tray_and_are_told(game: Game) -> None:
    planned = plan_order(game, RoomOrder(rooms=("box",), boxes=("throne",)))["box"]
    told = [problem.message for problem in planned.problems if problem.rule == "BOXES"]
    assert told == [
        "'box' leaves out カストルム, ドルンヘッケ, ドゥエランテ, トリヴェッラ, ヴァイトジヒト: "
        "their cards come in boxes that you do not own (base)."
    ]
    assert stacks(planned.room, "EP 基本の山札")
    assert not stacks(planned.room, "CA 基本の山札")
