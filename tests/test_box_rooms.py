"""Rooms that are the box: a tray for every mech, empty seats, and a table for each map."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
import shipped

from exporter.core.problems import SourceLocation
from exporter.faces.board_faces import (
    compose,
    find_boards,
)
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
from exporter.rooms.room_orders import (
    RoomOrder,
    planned_rooms,
    rooms_with_problems,
)
from exporter.rules.errata import corrected
from exporter.rules.loadouts import (
    printed_loadout,
    with_decks,
)

FOLDER = Path(__file__).parent.parent / "source_data" / "embryo_machine"
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
    return planned_rooms(game, RoomOrder(rooms=tuple(BOXES)))


def stacks(room: Room[Face], name: str) -> list[CardStack[Face]]:
    return [p for p in room.pieces if isinstance(p, CardStack) and p.name == name]


def names(stacks: list[CardStack[Face]]) -> Counter[str]:
    return Counter(card.name for stack in stacks for card in stack.cards)


@pytest.mark.parametrize("name", BOXES)
def test_every_card_of_the_decks_of_a_box_lies_in_it_as_often_as_the_data_say(
    game: Game, rooms: dict[str, Room[Face]], name: str
) -> None:
    codes = [mech.code for mech in game.mechs.values() if mech.edition in BOXES[name]]
    wanted: Counter[str] = Counter()
    for entry in game.decks:
        card = game.card(entry.card)
        if entry.deck in codes and card is not None:
            wanted[card.name] += entry.copies
    kinds = {"basic", "weapon"}
    lying = Counter(
        card.name
        for piece in rooms[name].pieces
        if isinstance(piece, CardStack)
        for card in piece.cards
        if (known := game.card(card.name)) is not None and known.kind in kinds
    )
    assert wanted.total() >= 239
    assert lying == wanted


@pytest.mark.parametrize("variant", ["basic", "kai"])
def test_dropping_one_stack_on_another_makes_the_deck_of_a_side(
    game: Game, rooms: dict[str, Room[Face]], variant: str
) -> None:
    both, basic, kai = stacks(rooms["box_base"], "HOの札")
    support = stacks(rooms["box_base"], "HOの補助")
    side = basic if variant == "basic" else kai
    mark = game.variants[variant].mark
    deck = printed_loadout(game, "HO", variant).deck
    whole = Counter({entry.card.name: entry.copies for entry in deck})
    assert names([both, side]) <= whole
    assert whole - names([both, side]) <= names(support)
    assert mark in "●◆"


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
        assert pawn.picture == stacks(room, f"{code}の札")[0].cards[0].back
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
        assert mats == [f"{number}番 プレイマット" for number in range(1, count + 1)]
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


def test_chits_are_drawn_face_down_and_each_lies_once(
    game: Game, rooms: dict[str, Room[Face]]
) -> None:
    (lottery,) = stacks(rooms["box_base"], "チーム抽選（伏せて引く）")
    team = [card.name for card in game.cards.values() if card.text("group") == "team"]
    assert [card.name for card in lottery.cards] == team
    assert all(card.face_down for card in lottery.cards)


@pytest.mark.parametrize(
    ("name", "most"), [("box_base", 250), ("box_throne", 399), ("box_gifted", 399)]
)
def test_no_box_has_more_pictures_than_load_in_good_time(
    rooms: dict[str, Room[Face]], name: str, most: int
) -> None:
    assert len(set(pictures(rooms[name]))) <= most


def test_cards_of_samples_share_their_pictures_and_say_whose_they_are(
    rooms: dict[str, Room[Face]],
) -> None:
    both = [stacks(rooms["box_gifted"], f"{code}の札") for code in ("CA", "DH")]
    backs = {card.back for piles in both for pile in piles for card in pile.cards}
    assert len(backs) == 1
    said = {
        data.value
        for piles in both
        for pile in piles
        for card in pile.cards
        for group in card.detail
        for data in group.children
        if data.name == "デッキ"
    }
    assert {"CA ●◆", "CA ●", "CA ◆", "DH ●◆"} <= said


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
    room = planned_rooms(game, RoomOrder(rooms=("box",), boxes=boxes))["box"]
    piles = [p for p in room.pieces if isinstance(p, CardStack) and p.name.endswith("番の札")]
    assert len({pile.name for pile in piles}) == seats

    def trays(of: Room[Face]) -> Counter[str]:
        weapons = {card.name for card in game.cards.values() if card.kind in ("weapon", "basic")}
        stacks = (p for p in of.pieces if isinstance(p, CardStack))
        return Counter(card.name for p in stacks for card in p.cards if card.name in weapons)

    assert trays(room) == trays(rooms[like])


def test_the_room_of_what_is_owned_is_built_where_it_is_named(game: Game) -> None:
    assert "box" in game.rooms
    assert "box" not in planned_rooms(game, RoomOrder())


def test_mechs_that_want_another_box_have_no_tray_and_are_told(game: Game) -> None:
    planned = rooms_with_problems(game, RoomOrder(rooms=("box",), boxes=("throne",)))["box"]
    told = [problem.message for problem in planned.problems if problem.rule == "BOXES"]
    assert told == [
        "box goes without カストルム、ドルンヘッケ、ドゥエランテ、トリヴェッラ、ヴァイトジヒト: "
        "their cards are in the boxes base."
    ]
    assert stacks(planned.room, "EPの札")
    assert not stacks(planned.room, "CAの札")
