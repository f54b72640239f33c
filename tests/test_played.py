"""Rooms as they are played: opening hands lie on their zones, places take what players lay with
the mouse, and hide nothing.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import shipped
from msgspec.structs import replace

from exporter.core.problems import InvalidSource
from exporter.faces.card_faces import Face
from exporter.model import Deal, Game
from exporter.model.tabletop import UNIT, CardStack, Room, TableCard, Terrain
from exporter.rooms.footprints import EMPTY_STACK, Rectangle, footprint
from exporter.rooms.room_orders import RoomOrder, plan_order, rooms_of_order
from exporter.rules.errata import corrected
from exporter.rules.loadouts import with_decks

SOURCE = Path(__file__).parent.parent / "source_data"


@cache
def game_of(name: str) -> Game:
    return with_decks(corrected(shipped.printed(name)))


def room_of(name: str, room: str, shuffle: str = "a") -> Room[Face]:
    return rooms_of_order(game_of(name), RoomOrder(rooms=(room,), shuffle=shuffle))[room]


def dealt(room: Room[Face], game: Game, kind: str) -> list[TableCard[Face]]:
    """Cards of a kind that lie alone, in some seat."""
    found = []
    for piece in room.pieces:
        said = dict(piece.extra)
        card = game.cards.get(said["record"].removeprefix("card "))
        if isinstance(piece, TableCard) and "seat" in said and card and card.kind == kind:
            found.append(piece)
    return found


def by_seat(cards: list[TableCard[Face]]) -> Counter[str]:
    return Counter(dict(card.extra)["seat"] for card in cards)


@pytest.mark.parametrize("players", range(4, 9))
def test_hands_are_dealt_by_the_camp_that_a_seat_was_dealt(players: int) -> None:
    game = game_of("macelandia")
    room = room_of("macelandia", f"p{players}")
    table = game.cards[f"T{players}"]
    camps, hands = dealt(room, game, "camp"), dealt(room, game, "hand")
    assert all(card.face_down for card in (*camps, *hands))
    assert by_seat(camps) == Counter(dict.fromkeys(by_seat(camps), 1))
    assert len(camps) == players
    held = by_seat(hands)
    for camp in camps:
        side = "light" if camp.name.startswith("光") else "dark"
        role = "castle" if camp.name.endswith("城") else "fort"
        seat = dict(camp.extra)["seat"]
        assert str(held[seat]) == table.text(f"{side}_{role}_hand"), camp.name
        sides = {card.name for card in hands if dict(card.extra)["seat"] == seat}
        colour = game.cards[dict(camp.extra)["record"].removeprefix("card ")].text("side")
        own = {card.name for card in game.cards.values() if card.text("side") == colour}
        assert sides <= own
    (left,) = [p for p in room.pieces if isinstance(p, CardStack) and p.name == "箱へ戻す札"]
    unseen = [table.text(f"{side}_left") for side in ("light", "dark")]
    assert len(left.cards) == sum(map(int, unseen))
    assert all(card.face_down for card in left.cards)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "room", "kind", "each"),
    [
        ("unmatched_vol1", "p4_marmoreal", "action", 5),
        ("wrath_of_god", "p3", "tower", 5),
        ("quest_for_the_new_world", "original", "territory", 1),
    ],
)
def test_every_seat_gets_its_opening_hand(name: str, room: str, kind: str, each: int) -> None:
    game = game_of(name)
    held = by_seat(dealt(room_of(name, room), game, kind))
    assert held
    assert set(held.values()) == {each}
    assert not dealt(room_of(name, room, shuffle=""), game, kind)


def test_a_mech_is_dealt_as_many_as_its_evasion_says_and_they_lie_in_the_hand() -> None:
    room = room_of("embryo_machine", "duel")
    hands = [piece for piece in room.pieces if isinstance(piece, TableCard) and piece.face_down]
    assert by_seat(hands) == {"赤1": 6, "青2": 10}
    mats = {
        dict(thing.extra)["seat"]: thing
        for thing in room.tables[0].objects
        if isinstance(thing, Terrain) and "seat" in dict(thing.extra)
    }
    x, y, width, height = game_of("embryo_machine").layouts["seat"].items[0].zones["手札"].at
    for card in hands:
        mat = mats[dict(card.extra)["seat"]]
        zone = Rectangle(mat.x + x * UNIT, mat.y + y * UNIT, width * UNIT, height * UNIT)
        assert zone.holds(footprint(card)), card.name


@pytest.mark.parametrize(
    ("deal", "key"),
    [
        (Deal(each="31"), "too-few"),
        (Deal(each="many"), "no-number"),
        (Deal(each="5", to="手"), "no-zone"),
    ],
)
def test_what_cannot_be_dealt_is_told(deal: Deal, key: str) -> None:
    game = game_of("unmatched_vol1")
    layout = game.layouts["arthur"]
    items = tuple(replace(item, deal=(deal,)) if item.deal else item for item in layout.items)
    layouts = {**game.layouts, "arthur": replace(layout, items=items)}
    with pytest.raises(InvalidSource) as caught:
        rooms_of_order(
            replace(game, layouts=layouts), RoomOrder(rooms=("arthur_alice",), shuffle="a")
        )
    (problem,) = caught.value.problems
    assert (problem.rule, problem.sentence.key) == ("DEAL", key)


def test_a_deal_of_no_cards_leaves_them_in_the_stack() -> None:
    game = game_of("unmatched_vol1")
    layout = game.layouts["arthur"]
    none = (Deal(each="0"),)
    items = tuple(replace(item, deal=none) if item.deal else item for item in layout.items)
    layouts = {**game.layouts, "arthur": replace(layout, items=items)}
    order = RoomOrder(rooms=("arthur_alice",), shuffle="a")
    room = rooms_of_order(replace(game, layouts=layouts), order)["arthur_alice"]
    (seat,) = by_seat(dealt(room, game, "action"))
    assert "アーサー" not in seat


@pytest.mark.parametrize("room", ["p2", "p3", "p4"])
def test_each_tower_of_the_city_is_a_pile_that_counts_its_cards(room: str) -> None:
    board = game_of("wrath_of_god").boards["heaven"]
    laid = room_of("wrath_of_god", room, shuffle="")
    (map_,) = [one for one in laid.tables[0].objects if one.name == board.name.ja]
    piles = {one.name: one for one in laid.pieces if isinstance(one, CardStack) and not one.cards}
    for space in board.spaces:
        middle = board.middle(space.id)
        assert middle is not None
        x, y = (map_.x + middle[0] * 75, map_.y + middle[1] * 75)
        spot = Rectangle(x - 75, y - 75, 150, 150)
        assert spot.holds(footprint(piles[f"{space.id}の塔"])), space.id


@pytest.mark.parametrize("name", sorted(path.parent.name for path in SOURCE.glob("*/game.yaml")))
def test_an_area_dragged_around_a_hand_does_not_catch_the_discards(name: str) -> None:
    """Whoever drags an area at the edge of a hand is half a unit off now and then."""
    for layout in game_of(name).layouts.values():
        hands = [
            Rectangle(item.at[0] + zone.at[0], item.at[1] + zone.at[1], *zone.at[2:]).grown(0.5)
            for item in layout.items
            for zone in item.zones.values()
            if zone.serves == "hand" and not isinstance(item.at, str)
        ]
        piles = [
            Rectangle(*item.at, EMPTY_STACK, EMPTY_STACK)
            for item in layout.items
            if item.lay == "pile" and item.on is None and not isinstance(item.at, str)
        ]
        assert not [pile for pile in piles for hand in hands if hand.meets(pile)], layout.id


@pytest.mark.slow
@pytest.mark.parametrize("box", ["base", "throne"])
def test_the_rack_of_whatever_boxes_somebody_owns_is_seen_on_opening(box: str) -> None:
    """Few mechs make a short rack, which lay in the middle of a wide table, out of sight."""
    order = RoomOrder(rooms=("box",), boxes=(box,))
    planned = plan_order(game_of("embryo_machine"), order)["box"]
    assert not [problem for problem in planned.problems if problem.rule == "UNSEEN"]


@pytest.mark.slow
def test_boards_in_two_rows_say_how_they_are_seen() -> None:
    order = RoomOrder(rooms=("duel",), boards=("A", "/B"))
    planned = plan_order(game_of("embryo_machine"), order)["duel"]
    hints = {problem.hint for problem in planned.problems if problem.rule == "UNSEEN"}
    assert hints == {
        "With the boards in one row (`A+B`, not `A/B`), they can be seen. It can be played as it "
        "is, too: after opening, zoom out with the wheel or drag the table."
    }
