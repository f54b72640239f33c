from typing import Any

import pytest
from msgspec.structs import replace

from exporter.core.problems import InvalidSource, SourceLocation
from exporter.faces.board_faces import compose, find_boards, put_together
from exporter.model import Board, Cell, Name


def board(name: str, columns: int = 3, rows: int = 3, joint: bool = False) -> Board:
    """A board with a notch in the middle of both sides, or a joint without."""
    notches = {} if joint else {"left": ((0, 1),), "right": ((columns - 1, 1),)}
    holes = {square for squares in notches.values() for square in squares}
    cells = tuple(
        Cell(column=column, row=row, terrain=name)
        for row in range(rows)
        for column in range(columns)
        if (column, row) not in holes
    )
    starts = {"joint" if joint else "north": ((0, 0),)}
    return Board(
        id=name, name=Name(name), columns=columns, rows=rows, cells=cells,
        starts=starts, notches=notches, joint=joint,
    )  # fmt: skip


def picture(composed: Board) -> list[str]:
    """The board as text, a letter a square."""
    terrain = {(cell.column, cell.row): cell.terrain for cell in composed.cells}
    return [
        "".join(terrain.get((column, row), ".") for column in range(composed.columns))
        for row in range(composed.rows)
    ]


def test_boards_stand_side_by_side_and_keep_their_holes() -> None:
    assert picture(compose([board("A"), board("B")])) == ["AAABBB", ".A..B.", "AAABBB"]


def test_a_joint_of_two_columns_fills_the_hole_between_two_boards() -> None:
    composed = compose([board("A"), board("j", 2, 1, joint=True), board("B")])
    assert picture(composed) == ["AAABBB", ".AjjB.", "AAABBB"]


def test_a_joint_of_one_column_fills_an_outer_notch_on_either_side() -> None:
    joint = board("j", 1, 1, joint=True)
    assert picture(compose([joint, board("A")])) == ["AAA", "jA.", "AAA"]
    assert picture(compose([board("A"), joint])) == ["AAA", ".Aj", "AAA"]


def test_a_joint_shorter_than_the_notch_leaves_a_hole() -> None:
    deep = replace(board("A", 4), notches={"left": ((0, 1), (1, 1))})
    cells = tuple(cell for cell in deep.cells if (cell.column, cell.row) != (1, 1))
    short = board("j", 1, 1, joint=True)
    assert picture(compose([short, replace(deep, cells=cells)])) == ["AAAA", "j.A.", "AAAA"]


@pytest.mark.parametrize("ids", [["A", "j"], ["j", "A"], ["A", "j", "/B"], ["A", "/j"]])
def test_a_joint_that_leads_nowhere_is_told(ids: list[str]) -> None:
    boards = {"A": board("A"), "B": board("B"), "j": board("j", 2, 1, joint=True)}
    with pytest.raises(InvalidSource, match=r"'j' sticks out by [12] columns?"):
        put_together(boards, ids, SourceLocation("x"))


def test_start_squares_move_with_their_part() -> None:
    composed = compose([board("A"), board("j", 2, 1, joint=True), board("B")])
    assert composed.starts == {"north": ((0, 0), (3, 0)), "joint": ((2, 1),)}


def test_texts_move_with_their_part_and_colours_and_face_stay() -> None:
    """What stands in a hole of a board is gone with the hole."""
    first = replace(board("A"), texts={(0, 0): "入口", (2, 1): "穴"}, colours={"A": "#ff0000"})
    second = replace(board("B"), texts={(1, 1): "塔"}, colours={"A": "#000000", "B": "#0000ff"})
    joint = board("j", 2, 1, joint=True)
    parts = [replace(part, face="map") for part in (first, joint, second)]
    composed = compose(parts)
    assert composed.texts == {(0, 0): "入口", (4, 1): "塔"}
    assert composed.colours == {"A": "#ff0000", "B": "#0000ff"}
    assert composed.face == "map"


@pytest.mark.parametrize(("key", "value"), [("face", "map"), ("square_mm", 25)])
def test_boards_that_are_drawn_otherwise_are_not_put_together(key: str, value: Any) -> None:
    with pytest.raises(
        InvalidSource, match=f"'A' and 'B' are to be joined, .*{key}.* that of the other {value}"
    ):
        compose([board("A"), replace(board("B"), **{key: value})])


def test_a_joint_that_covers_a_square_is_a_problem() -> None:
    with pytest.raises(InvalidSource, match="'j' overlaps a square of 'A'"):
        compose([board("A"), board("j", 2, 3, joint=True), board("B")])


def test_every_unknown_board_is_named_with_the_nearest() -> None:
    with pytest.raises(InvalidSource) as caught:
        find_boards({"ravine": board("A")}, ["ravin", "sea"], SourceLocation("room.yaml", 3))
    assert [problem.message for problem in caught.value.problems] == [
        "There is no board 'ravin'.",
        "There is no board 'sea'.",
    ]
    assert "ravine" in caught.value.problems[0].hint


def test_very_many_boards_are_refused_before_they_are_put_together() -> None:
    with pytest.raises(InvalidSource, match="1,000 boards were given; at most 99"):
        put_together({"A": board("A")}, ["A"] * 1000, SourceLocation("room.yaml", 3))


def test_a_turned_board_takes_its_squares_notches_and_texts_along() -> None:
    cells = tuple(
        Cell(column=index % 3, row=index // 3, terrain=letter)
        for index, letter in enumerate("abcdefghi")
    )
    plain = replace(board("A"), cells=cells, notches={"left": ((0, 1),)}, texts={(0, 0): "x"})
    for turn, rows, side, corner in (
        ("90", ["gda", "heb", "ifc"], "top", (2, 0)),
        ("180", ["ihg", "fed", "cba"], "right", (2, 2)),
        ("270", ["cfi", "beh", "adg"], "bottom", (0, 2)),
    ):
        (found,) = find_boards({"A": plain}, [f"A@{turn}"], SourceLocation("x"))
        assert picture(found) == rows
        assert list(found.notches) == [side]
        assert found.texts == {corner: "x"}
        assert found.starts == {"north": (corner,)}


def test_sides_that_change_places_keep_their_names() -> None:
    plain = replace(board("A"), starts={"north": ((0, 0), (1, 0)), "south": ((1, 2), (2, 2))})
    (found,) = find_boards({"A": plain}, ["A@180"], SourceLocation("x"))
    assert found.starts == plain.starts


def test_a_joint_fits_the_notch_that_a_turned_board_has_there() -> None:
    left = replace(board("A"), notches={"left": ((0, 1),)})
    boards = {"A": left, "j": board("j", 1, 1, joint=True)}
    assert picture(put_together(boards, ["A@180", "j"], SourceLocation("x"))) == [
        "AAA",
        ".Aj",
        "AAA",
    ]


def test_a_row_begins_below_the_one_before() -> None:
    boards = {name: board(name) for name in "ABC"}
    composed = put_together(boards, ["A", "B", "/C"], SourceLocation("x"))
    assert picture(composed) == ["AAABBB", ".A..B.", "AAABBB", "CCC...", ".C....", "CCC..."]
    assert composed.id == "A+B/C"
    assert composed.starts == {"north": ((0, 0), (3, 0), (0, 3))}


def test_every_board_that_cannot_be_turned_so_is_told() -> None:
    boards = {"A": board("A"), "L": board("L", 3, 2), "H": replace(board("H"), kind="hex")}
    with pytest.raises(InvalidSource) as found:
        find_boards(boards, ["A@45", "A@", "L@90", "L@180", "H@180", "Z@90"], SourceLocation("x"))
    assert [problem.rule for problem in found.value.problems] == ["BOARD"] + ["BOARD-TURN"] * 4
    assert any("L@90: a board" in problem.message for problem in found.value.problems)
