"""Where cards fall that are drawn, told before anybody sits down; and seats that are turned."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_game import change

from exporter.core.problems import InvalidSource, Problem, Severity
from exporter.faces.card_faces import Face
from exporter.loader.game_reader import read_game
from exporter.model.tabletop import UNIT, CardStack, Room, Terrain
from exporter.rooms.room_orders import RoomOrder, plan_order, rooms_of_order
from exporter.rules.errata import corrected

MAT = """
    - lay: mat
      face: sheet
      name: 場
      at: [0, 0]
      size: [10, 7]
      zones:
        山札: {at: [0.5, 1, 2.4, 5], for: draw}
        手札: {at: [3, 1, 6, 5], for: hand}
"""
DECK = """
    - lay: stack
      name: 山
      at: [0.8, 1.4]
      face_down: true
      cards: {kind: weapon, copies: copies}
"""
LAYOUT = "hands:\n  size: [10, 7]\n  items:"
ROOM = """\
id: hands
name: 手
players: [1, 2]
seats:
  me: {name: 私, layout: hands}
arrange: {centre: [me]}
"""


@pytest.fixture
def folder(small: Path) -> Path:
    """The small game with a room of one mat, whose deck lies left of the hand."""
    (small / "rooms/hands.yaml").write_text(ROOM, encoding="utf-8")
    add(small, LAYOUT + MAT + DECK + "      draws_to: 手札\n")
    return small


def add(folder: Path, items: str) -> None:
    with (folder / "layouts.yaml").open("a", encoding="utf-8") as file:
        file.write(items)


def warnings(folder: Path) -> list[Problem]:
    game = corrected(read_game(folder))
    return list(plan_order(game, RoomOrder(rooms=("hands",)))["hands"].problems)


def refused(folder: Path) -> str:
    with pytest.raises(InvalidSource) as found:
        read_game(folder)
    (problem,) = found.value.problems
    return f"{problem.message} {problem.hint}"


def room_of(folder: Path) -> Room[Face]:
    return rooms_of_order(corrected(read_game(folder)), RoomOrder(rooms=("hands",)))["hands"]


AT, PILE = "at: [0.8, 1.4]", "    - {{lay: pile, name: 捨札, at: {}}}\n"
ON_TABLE, IN_STORE = ("draws_to: 手札", "draws_to: table"), ("draws_to: 手札", "store: true")


@pytest.mark.parametrize(
    ("changes", "more", "told"),
    [
        ([], "", []),
        ([(AT, "at: [7, 1.4]")], "", ["A card drawn from '山' lands partly outside '手札'."]),
        (
            [],
            "    - {lay: cards, at: [4.5, 2], cards: {ids: [W3]}}\n" + PILE.format("[2.9, 2]"),
            [
                "A card drawn from '山' lands on 捨札.",
                "The empty stack '捨札' sticks out of 手札.",
            ],
        ),
        # the client shows an empty stack two units wide, however small its cards will be
        ([], PILE.format("[7.2, 4]"), ["The empty stack '捨札' sticks out of 手札."]),
        ([], PILE.format("[7, 4]"), []),
        # bare table is no mat and has no edge
        ([ON_TABLE], "", ["A card drawn from '山' lands on 手札, 場."]),
        ([ON_TABLE, (AT, "at: [8, 8]")], "", ["A card drawn from '山' lands off the table."]),
        # a stack that says nothing is asked
        (
            [("      draws_to: 手札\n", ""), ("for: hand", "for: place")],
            "",
            ["This stack is face down, but nothing says what it is for."],
        ),
        ([IN_STORE, ("for: hand", "for: place")], "", []),
        ([IN_STORE], "", ["A card taken out of '山' lands on 手札."]),
        (
            [IN_STORE, (AT, "at: [6.5, 4]")],
            "",
            ["'山' overlaps 手札.", "A card taken out of '山' lands on 手札."],
        ),
    ],
)
def test_where_a_drawn_card_falls_is_told(
    folder: Path, changes: list[tuple[str, str]], more: str, told: list[str]
) -> None:
    for old, new in changes:
        change(folder / "layouts.yaml", old, new)
    add(folder, more)
    found = warnings(folder)
    assert [problem.message for problem in found] == told
    assert all(problem.where.file == "small/layouts.yaml" for problem in found)
    assert all(problem.severity is Severity.WARNING for problem in found)


def test_the_sheet_of_storage_says_how_a_card_is_taken_out(folder: Path) -> None:
    change(folder / "layouts.yaml", "draws_to: 手札", "store: true")
    (stack,) = (piece for piece in room_of(folder).pieces if isinstance(piece, CardStack))
    assert "「山札から出す」" in str(stack.detail)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("draws_to: 手札", "draws_to: 手礼", "no zone '手礼'. Did you mean '手札'?"),
        ("[3, 1, 6, 5]", "[3, 1, 8, 5]", "手札 ends at 11, 6, beyond the mat of 10 × 7"),
        ("for: hand", "for: hnad", "Did you mean 'hand'?"),
        ("draws_to: 手札", "draws_to: 手札\n      store: true", "Delete one of the two."),
        (
            "face: sheet\n      name: 場",
            "face: sheet\n      draws_to: 手札\n      name: 場",
            "`draws_to` cannot be used with",
        ),
        ("lay: mat", "lay: sheet", "`zones` cannot be used with `lay: sheet`, only with mat."),
    ],
)
def test_what_cannot_be_is_refused(folder: Path, old: str, new: str, words: str) -> None:
    change(folder / "layouts.yaml", old, new)
    assert words in refused(folder)


def test_a_turned_seat_is_laid_turned_and_its_cards_still_fall_to_the_right(folder: Path) -> None:
    upright = room_of(folder)
    change(folder / "rooms/hands.yaml", "layout: hands", "layout: hands, rotate: 180")
    turned = room_of(folder)
    for before, after in zip(upright.pieces, turned.pieces, strict=True):
        assert isinstance(before, CardStack)
        assert isinstance(after, CardStack)
        height = 2 * UNIT * 30 / 20
        assert after.x + before.x == (1 + 10 + 1) * UNIT - 2 * UNIT
        assert after.y + before.y == (1 + 7 + 1) * UNIT - height
        assert after.rotate == 180
    (problem,) = warnings(folder)
    assert "lands on" in problem.message  # the client knows no seats: to the table's right


def test_a_seat_turned_by_a_quarter_takes_its_room_so(folder: Path) -> None:
    change(folder / "rooms/hands.yaml", "layout: hands", "layout: hands, rotate: 90")
    (table,) = room_of(folder).tables
    (mat,) = table.objects
    assert isinstance(mat, Terrain)
    assert (table.width, table.height) == (1 + 7 + 1, 1 + 10 + 1)
    assert (mat.rotate, mat.x, mat.y) == (90, (1 - 1.5) * UNIT, (1 + 1.5) * UNIT)
