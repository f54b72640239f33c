"""What playing the rooms with the mouse showed: places take what players lay, and hide nothing."""

from __future__ import annotations

import pytest
from test_dealing import SOURCE, game_of, room_of

from exporter.model.tabletop import UNIT, CardStack, Terrain
from exporter.rooms.footprints import EMPTY_STACK, Rectangle, footprint
from exporter.rooms.room_orders import RoomOrder, plan_order


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


def test_attack_and_answer_lie_beside_one_another() -> None:
    """On one place the second card would hide the first, and be opened instead of it."""
    zones = game_of("macelandia").layouts["seat"].items[0].zones
    attack, answer = (Rectangle(*zones[name].at) for name in ("攻めの札", "守りの札"))
    assert not attack.meets(answer)
    assert min(attack.width, answer.width) >= 1.5


def test_what_goes_under_the_deck_has_a_pile_of_its_own() -> None:
    """A card that is dropped on a stack lies on its top."""
    room = room_of("quest_for_the_new_world", "empire_2", shuffle="")
    (under,) = [one for one in room.pieces if isinstance(one, CardStack) and not one.cards]
    (mat,) = [one for one in room.tables[0].objects if one.name == "中央"]
    assert isinstance(mat, Terrain)
    x, y, width, height = (
        game_of("quest_for_the_new_world").layouts["middle"].items[0].zones["山の下"].at
    )
    zone = Rectangle(mat.x + x * UNIT, mat.y + y * UNIT, width * UNIT, height * UNIT)
    assert zone.holds(footprint(under))


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


def test_each_spire_has_a_row_for_its_upgrades_and_a_number_for_the_board() -> None:
    game = game_of("cloudspire")
    mat = game.layouts["seat"].items[0]
    rows = [zone.at for name, zone in mat.zones.items() if name[-1].isdigit()]
    limits = [int(plan.values["limit"]) for plan in game.rooms.values() if "limit" in plan.values]
    assert len(rows) == max(limits)
    spires = [card for card in game.cards.values() if card.kind == "spire"]
    most = max(int(card.text("capacity")) for card in spires)
    number = next(item for item in game.layouts["seat"].items if item.count == len(rows))
    assert not isinstance(number.at, str)
    across = rows[0][0] + rows[0][2] - number.at[0]
    assert across >= 1 + most  # the number makes room for the spire, and its upgrades follow
    room = room_of("cloudspire", "p2", shuffle="")
    names = [piece.name for piece in room.pieces if "スパイア" in piece.name]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("room", ["errands_2", "errands_3", "errands_4"])
def test_the_mats_of_players_lie_below_the_board_they_play_on(room: str) -> None:
    """Beside the notes they were out of sight, and half of the table was empty."""
    game = game_of("gimmick_lab")
    found = plan_order(game, RoomOrder(rooms=(room,)))[room]
    assert not found.problems
    laid = [one for one in found.room.tables[0].objects if isinstance(one, Terrain)]
    (board,) = [one for one in laid if one.name == game.boards["jobs"].name.ja]
    mats = [one for one in laid if one.name in ("赤", "青", "緑", "黄")]
    assert len(mats) == game.rooms[room].players[0]
    assert all(mat.y >= board.y + board.depth * UNIT for mat in mats)


def test_the_note_on_the_round_says_that_deck_and_discards_change_places() -> None:
    """Discards dropped onto the emptied deck leave no pile for the next: the two are swapped."""
    note = game_of("embryo_machine").notes["round"]
    assert any("捨札と場所を入れ替え" in str(line) for line in note.lines)


@pytest.mark.slow
def test_boards_in_two_rows_say_how_they_are_seen() -> None:
    order = RoomOrder(rooms=("duel",), boards=("A", "/B"))
    planned = plan_order(game_of("embryo_machine"), order)["duel"]
    hints = {problem.hint for problem in planned.problems if problem.rule == "UNSEEN"}
    assert hints == {
        "With the boards in one row (`A+B`, not `A/B`), they can be seen. It can be played as it "
        "is, too: after opening, zoom out with the wheel or drag the table."
    }
