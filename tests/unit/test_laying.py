"""What each item of a layout becomes on the table, what is said of those that cannot, and what
their name plates hide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from small_game import change

from exporter.core.problems import InvalidSource
from exporter.faces.card_faces import Face
from exporter.loader.game_reader import read_game
from exporter.model.tabletop import (
    UNIT,
    CardStack,
    Character,
    DiceSymbol,
    Room,
    TableCard,
    Terrain,
    TextNote,
)
from exporter.rooms.footprints import Rectangle, turn
from exporter.rooms.loose_things import loose_pieces
from exporter.rooms.room_orders import RoomOrder, plan_order, rooms_of_order
from exporter.rooms.room_planner import PlannedRoom
from exporter.rooms.seats import chosen_loadouts
from exporter.rooms.zones import figure_height, name_plate
from exporter.rules.errata import corrected
from exporter.rules.loadouts import printed_loadout

PAWN = '{lay: pawn, at: start, name: "${mech}", face: sheet}'
CARDS = "{lay: cards, at: [0, 0], cards: {kind: weapon, copies: copies}}"
NOTE = '{lay: note, at: [0, 2], title: はじめに, text: "${game}であそぶ。"}'


def laid(small: Path, *changes: tuple[str, str], **order: Any) -> Room[Face]:
    """The small game's table after changes of its layouts."""
    for old, new in changes:
        change(small / "layouts.yaml", old, new)
    return rooms_of_order(corrected(read_game(small)), RoomOrder(rooms=("table",), **order))[
        "table"
    ]


def things(room: Room[Face], sort: type) -> list[Any]:
    return [piece for piece in room.pieces if isinstance(piece, sort)]


def names(cards: Any) -> list[str]:
    return [card.name for card in cards]


def test_a_stack_holds_the_deck_in_its_stated_order_face_down(small: Path) -> None:
    (stack,) = things(laid(small), CardStack)
    assert stack.name == "Alpha"
    assert names(stack.cards) == ["Laser", "Laser", "Sword"]
    assert all(card.face_down for card in stack.cards)


def test_a_shuffled_order_is_repeatable_and_keeps_every_card(small: Path) -> None:
    change(small / "decks/mechs.csv", "AA,Laser,●,2,", "AA,Laser,●,9,")
    orders = {
        seed: names(things(laid(small, shuffle=seed), CardStack)[0].cards)
        for seed in ("", "a", "b", "c")
    }
    assert orders["a"] == names(things(laid(small, shuffle="a"), CardStack)[0].cards)
    assert len({tuple(order) for order in orders.values()}) > 1
    assert all(Counter(order) == Counter(orders[""]) for order in orders.values())


def test_two_stacks_are_never_shuffled_alike(small: Path) -> None:
    """Neither those of one item, nor two with one name."""
    rows = "".join(f"X{n},{n % 10}番,{'甲乙丙'[n // 10]},1,base\n" for n in range(30))
    with (small / "cards/weapons.csv").open("a", encoding="utf-8") as file:
        file.write(rows)
    of_one = CARDS.replace("lay: cards", "lay: stacks, by: [text], step: [1, 0], face_down: true")
    once = "{lay: stack, at: [0, 2], face_down: true, cards: {kind: weapon, only: {text: [甲]}}}"
    room = laid(small, (CARDS, of_one), (NOTE, once), shuffle="a")
    orders = [tuple(names(stack.cards)) for stack in things(room, CardStack)]
    orders = [order for order in orders if len(order) == 10]
    assert len(set(orders)) == len(orders) == 4


def test_open_cards_are_never_shuffled(small: Path) -> None:
    expected = ["Laser", "Laser", "Sword", "Net"]
    for seed in ("a", "b", "c"):
        assert names(things(laid(small, shuffle=seed), TableCard)) == expected


def test_cards_lie_step_by_step_in_rows(small: Path) -> None:
    more = CARDS.replace("at: [0, 0]", "at: [0, 0], step: [2, 3], per_row: 3")
    cards = things(laid(small, (CARDS, more)), TableCard)
    first = cards[0]
    places = [((c.x - first.x) / UNIT, (c.y - first.y) / UNIT) for c in cards]
    assert places == [(0, 0), (2, 0), (4, 0), (0, 3)]


def test_stacks_are_one_for_each_value(small: Path) -> None:
    stacks = CARDS.replace("lay: cards", 'lay: stacks, by: [edition], name: "${edition} ${count}"')
    room = laid(small, (CARDS, stacks))
    assert names(things(room, CardStack)) == ["Alpha", "base 3", "more 1"]


def test_only_cards_of_the_boxes_that_are_owned(small: Path) -> None:
    assert names(things(laid(small, boxes=("base",)), TableCard)) == ["Laser", "Laser", "Sword"]


def test_a_pawn_shows_figures_as_sliders_and_its_cards_in_the_palette(small: Path) -> None:
    more = "sliders: {HP: 2/3}, palette: '//team=${seat}', card_lines: '${name}！'"
    changed = PAWN.replace("face: sheet", f"face: sheet, cards: {{deck: true}}, {more}")
    (pawn,) = things(laid(small, (PAWN, changed)), Character)
    (slider,) = pawn.detail[0].children
    assert (slider.name, slider.current, slider.value) == ("HP", "2", "3")
    assert pawn.palette.text == "//team=赤1\nLaser！\nSword！"


def test_a_note_is_placed_by_the_middle_of_its_lower_edge(small: Path) -> None:
    room = laid(small, (NOTE, NOTE.replace("at: [0, 2]", "at: [0, 0], size: [4, 3]")))
    (note,) = things(room, TextNote)
    corner = things(room, TableCard)[0]
    assert ((note.x - corner.x) / UNIT, (note.y - corner.y) / UNIT) == (2, 3)
    assert note.text == "小さなゲームであそぶ。"


def test_errata_and_rulings_of_the_cards_on_the_table_fill_notes(small: Path) -> None:
    (small / "rulings.yaml").write_text(
        "".join(
            f"- {{id: Q{n}, topic: {card}, ruling: {'あ' * 200}, cards: [{card}]}}\n"
            for n, card in enumerate(["Sword", "Laser", "Net"] * 8)
        ),
        encoding="utf-8",
    )
    rulings = "{lay: rulings, at: [0, 2], step: [0.5, 0], title: 裁定}"
    notes = things(laid(small, (NOTE, rulings)), TextNote)
    assert len(notes) > 1
    assert names(notes)[0] == f"裁定 1/{len(notes)}"
    lines = [line.split()[0] for note in notes for line in note.text.splitlines()]
    assert lines == [f"Q{n}" for n in range(24)]


def test_a_mech_of_a_game_without_mechs_is_told_once(small: Path) -> None:
    game = replace(read_game(small), mechs={}, variants={})
    with pytest.raises(InvalidSource) as found:
        chosen_loadouts(game, "AA")
    assert [str(problem) for problem in found.value.problems] == [
        "command line: error MECH The game 'small' has no mechs. Remove AA from the command."
    ]


def test_sheets_and_pawns_have_a_plain_face_unless_the_data_say_otherwise(small: Path) -> None:
    (pawn,) = things(laid(small, (PAWN, PAWN.replace(", face: sheet", ""))), Character)
    assert pawn.picture.template == "plain/pawn.typ"


@pytest.mark.parametrize("lay", ["piece", "dice, sides: ['1']"])
def test_several_things_of_an_item_are_counted_in_their_names(small: Path, lay: str) -> None:
    more = f"{{lay: {lay}, name: 'ハーピー${{index}}', count: 3}}"
    found = [piece.name for piece in laid(small, (NOTE, more)).pieces]
    assert [name for name in found if "ハーピー" in name] == ["ハーピー1", "ハーピー2", "ハーピー3"]


def test_sides_of_a_die_that_differ_in_a_space_look_alike(small: Path) -> None:
    more = "{lay: dice, at: [0, 0], name: 賽, sides: ['1', '1 ', '2']}"
    (die,) = things(laid(small, (NOTE, more)), DiceSymbol)
    one, again, two = (side.picture for side in die.faces)
    assert one == again != two
    assert [side.name for side in die.faces] == ["1", "1 ", "2"]


def test_pieces_that_are_counted_have_their_own_pictures(small: Path) -> None:
    more = "{lay: piece, name: 'ハーピー${index}', count: 2, values: {name: 'ハーピー${index}'}}"
    room = laid(small, (NOTE, more))
    pictures = [piece.picture for piece in things(room, Character) if "ハーピー" in piece.name]
    assert len(set(pictures)) == 2


def test_a_board_of_an_item_may_have_a_name_of_its_own(small: Path) -> None:
    board = "{lay: board, board: field, at: [0, 2], name: '${game}の盤'}"
    names_of = {thing.name for thing in laid(small, (NOTE, board)).tables[0].objects}
    assert {"野", "小さなゲームの盤"} <= names_of


def test_only_stacks_that_were_shuffled_say_so(small: Path) -> None:
    """Those that lie open keep their order, whatever the seed."""
    stack = CARDS.replace("lay: cards", "lay: stack, name: 山, text: '${shuffle}'")
    down = stack.replace("name: 山", "name: 伏せた山, face_down: true")
    room = laid(small, (CARDS, f"{stack}\n    - {down}"), shuffle="a")
    said = {stack.name: str(stack.detail) for stack in things(room, CardStack)}
    assert "右クリック→「シャッフル」" in said["山"]
    assert "シャッフルずみ" in said["伏せた山"]


def test_notes_of_the_game_are_filled_in_too(small: Path) -> None:
    (small / "notes").mkdir()
    text = '- {id: n, title: 準備, text: "★山札は${shuffle}\\n${shuffle_all}"}\n'
    (small / "notes/n.yaml").write_text(text, encoding="utf-8")
    room = laid(small, (NOTE, "{lay: notes, notes: [n], at: [0, 2]}"), shuffle="a")
    assert [note.text for note in things(room, TextNote)] == ["★山札はシャッフルずみ。"]
    (note,) = things(laid(small), TextNote)
    assert "★山札は右クリック→「シャッフル」→「すべて正位置にする」" in note.text
    assert "Shift＋ドラッグ" in note.text


def test_loose_things_are_laid_like_those_of_a_room(small: Path) -> None:
    """Rulings come after the cards they are about, boards are there to stand on."""
    (small / "rulings.yaml").write_text("- {id: Q1, topic: t, ruling: r, cards: [Laser]}\n")
    text = (small / "layouts.yaml").read_text(encoding="utf-8")
    before, after = text.split("loose:\n  size: [8, 8]\n  items:\n")
    more = "    - {lay: rulings, title: 裁定}\n    - {lay: piece, on: [field, '1,1']}\n"
    more += "    - {lay: board, board: field}\n"
    text = f"{before}loose:\n  size: [8, 8]\n  items:\n{more}{after}"
    (small / "layouts.yaml").write_text(text, encoding="utf-8")
    game = corrected(read_game(small))
    mech = printed_loadout(game, "AA")
    pieces = loose_pieces(game, game.layouts["loose"], mech, None)
    assert [type(piece) for piece in pieces] == [CardStack, Character, Terrain, Terrain, TextNote]
    text = text.replace("1,1", "9,9").replace("deck: true", 'ids: ["${none}"]')
    (small / "layouts.yaml").write_text(text, encoding="utf-8")
    game = corrected(read_game(small))
    with pytest.raises(InvalidSource) as found:
        loose_pieces(game, game.layouts["loose"], mech, None)
    assert len(found.value.problems) == 2


@pytest.mark.parametrize(
    ("x", "y", "meet"),
    [(2, 0, False), (-2, 0, False), (0, 2, False), (0, -2, False), (1, 1, True), (-1, -1, True)],
)
def test_what_has_an_edge_in_common_alone_does_not_meet(x: int, y: int, meet: bool) -> None:
    assert Rectangle(0, 0, 2, 2).meets(Rectangle(x, y, 2, 2)) is meet


def test_what_is_turned_past_a_whole_turn_begins_anew() -> None:
    thing: Terrain[Face] = Terrain(name="a", floor=None, width=1, depth=1, height=0, rotate=270)
    assert turn(thing, 180, (0, 0)).rotate == 90


# ---- name plates

ROOM = "id: plates\nname: 名札\nplayers: [1, 1]\narrange: {centre: [plates]}\n"
FRONT = "    - {lay: piece, name: 手前の長い名前, at: [5, 7], size: [1, 1]}\n"


def planned(small: Path, *items: str) -> PlannedRoom:
    (small / "rooms/plates.yaml").write_text(ROOM, encoding="utf-8")
    with (small / "layouts.yaml").open("a", encoding="utf-8") as file:
        file.write("plates:\n  size: [12, 12]\n  items:\n" + "".join(items))
    game = corrected(read_game(small))
    return plan_order(game, RoomOrder(rooms=("plates",)))["plates"]


def plates(found: PlannedRoom) -> Iterator[str]:
    return (problem.message for problem in found.problems if problem.rule == "PLATE")


def test_a_plate_hangs_over_the_picture_and_hides_the_ground_behind(small: Path) -> None:
    """Measured in the client: 30 pixels over the picture, 15 a letter, seen from 50 degrees."""
    (piece,) = planned(small, FRONT).room.pieces
    assert isinstance(piece, Character)
    plate = name_plate(piece)
    assert plate.width == 7 * 15 + 18
    behind = piece.y + 25 - (plate.y + plate.height)
    assert behind == pytest.approx((figure_height(piece) + 4) * 1.174, abs=1)


@pytest.mark.parametrize(
    ("behind", "is_hidden"),
    [
        ("{lay: piece, name: 奥, at: [5, 5.84], size: [1, 1]}", True),  # 58 pixels
        ("{lay: piece, name: 奥, at: [5, 4.6], size: [1, 1]}", False),  # 120 pixels
        ("{lay: piece, name: 横, at: [7, 5.84], size: [1, 1]}", False),
        ("{lay: dice, name: 奥, face: sheet, sides: [a], at: [5, 5.2], size: [1, 1]}", True),
        ("{lay: piece, name: 手, at: [5, 9.4], size: [1, 1]}", False),
    ],
)
def test_what_stands_too_near_behind_is_told(small: Path, behind: str, is_hidden: bool) -> None:
    found = list(plates(planned(small, FRONT, f"    - {behind}\n")))
    assert ["the name plate of '手前の長い名前' covers" in one for one in found] == (
        [True] if is_hidden else []
    )
