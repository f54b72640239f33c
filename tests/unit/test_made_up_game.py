"""A made-up game without mechs or a look of its own: all boards, decks, dice and variants."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_up_games import copied
from small_game import change

from exporter.faces.board_faces import bends, ring_places, track_places
from exporter.faces.card_faces import Face, card_back, card_front
from exporter.loader.game_reader import read_game
from exporter.model import DeckCard, Link
from exporter.model.tabletop import UNIT, CardStack, Character, DiceSymbol, Room, Terrain
from exporter.rooms.room_orders import RoomOrder, rooms_of_order


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copied("garden", tmp_path)


def room(folder: Path, name: str = "two") -> Room[Face]:
    return rooms_of_order(read_game(folder), RoomOrder(rooms=(name,)))[name]


def things(found: Room[Face], sort: type) -> dict[str, Any]:
    return {piece.name: piece for piece in found.pieces if isinstance(piece, sort)}


def ground(found: Room[Face], name: str) -> Terrain[Face]:
    (flat,) = {thing for thing in found.tables[0].objects if thing.name == name}
    assert isinstance(flat, Terrain)
    return flat


def test_variants_are_rooms_of_their_own_and_leave_seats_empty(folder: Path) -> None:
    game = read_game(folder)
    assert list(game.rooms) == ["two", "one"]
    assert [seat.id for seat in game.rooms["one"].seats] == ["girl"]
    assert game.rooms["one"].players == (1, 1)


def test_words_of_a_variant_reach_its_layouts(folder: Path) -> None:
    assert len(things(room(folder), CardStack)["種"].cards) == 12
    assert len(things(room(folder, "one"), CardStack)["種"].cards) == 6


def test_a_deck_changes_what_its_own_copies_show(folder: Path) -> None:
    stacks = things(room(folder), CardStack)
    girl = [(card.name, card.front.values) for card in stacks["少女の山"].cards]
    assert [name for name, _values in girl] == ["ばら", "ばら", "ゆり"]
    assert '"value":1' in girl[0][1]
    assert '"value":9' in girl[2][1]
    assert '"owner":"少女"' in girl[2][1]
    assert '"value":5' in stacks["少年の山"].cards[0].front.values


def test_a_front_shows_the_cards_that_a_field_lists(folder: Path) -> None:
    front = things(room(folder), CardStack)["種"].cards[0].front
    assert '"friends":[{"name":"ゆり","value":2},{"name":"きく","value":3}]' in front.values


def test_hexes_lie_on_those_of_the_clients_grid(folder: Path) -> None:
    table = room(folder).tables[0]
    girl = things(room(folder), Character)["少女"]
    boy = things(room(folder), Character)["少年"]
    assert table.grid_type == 1
    assert girl.x % (2 * UNIT) == 0  # an even column, which the client draws half a cell lower
    assert girl.y % UNIT == UNIT / 2
    assert (boy.x - girl.x, boy.y - girl.y) == (UNIT, -UNIT / 2)


def test_every_seat_has_its_own_copy_of_a_board_to_stand_on(folder: Path) -> None:
    pieces = things(room(folder), Character)
    one, other = pieces["少女の日"], pieces["少年の日"]
    assert one.x == other.x
    assert one.y != other.y
    assert one.x % UNIT == 0


def test_a_seat_without_a_mech_has_sliders_and_a_palette(folder: Path) -> None:
    girl = things(room(folder), Character)["少女"]
    (health,) = girl.detail[0].children
    assert (health.name, health.current, health.value) == ("元気", "7", "7")
    assert girl.palette.text == "//花=2\n{花}B6>=4 水やり\nゆりは2\nきくは3"


def test_dice_have_a_face_for_each_side(folder: Path) -> None:
    dice = [piece for piece in room(folder).pieces if isinstance(piece, DiceSymbol)]
    assert len(dice) == 2
    assert [side.name for side in dice[0].faces] == ["晴", "雨", "雪"]
    assert dice[0].face == "雨"


def test_a_mat_without_a_style_is_as_large_as_it_lies(folder: Path) -> None:
    floor = ground(room(folder), "物置").floor
    assert floor is not None
    assert floor.width / floor.height == 6 / 4


def test_parallel_lines_bend_apart_whichever_way_they_are_given(folder: Path) -> None:
    links = read_game(folder).boards["paths"].links
    assert bends(links) == [-0.5, -0.5]  # each seen from its own end
    alike = [Link(between=("a", "b"))] * 3
    assert bends(alike) == [-1, 0, 1]


def test_spaces_of_rings_and_tracks_find_their_places() -> None:
    assert ring_places(4, (6, 4)) == [(3, 0.75), (5.25, 2), (3, 3.25), (0.75, 2)]
    assert track_places(5, 3) == (
        (3, 2),
        [(0.5, 0.5), (1.5, 0.5), (2.5, 0.5), (0.5, 1.5), (1.5, 1.5)],
    )


def test_cards_of_one_kind_share_their_back(folder: Path) -> None:
    rows = "".join(f"G{number},草{number},{number},誰でも,\n" for number in range(100))
    change(folder / "cards/flowers.csv", "F1,", f"{rows}F1,")
    game = read_game(folder)
    backs = [card_back(game, DeckCard(card=card)) for card in game.cards.values()]
    fronts = [card_front(game, DeckCard(card=card)) for card in game.cards.values()]
    assert len(set(backs)) == 1
    assert len(set(fronts)) == 103
