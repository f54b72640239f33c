"""Boards in tiles and things that fold, by values."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from exporter.core.problems import InvalidSource, SourceLocation
from exporter.faces.card_faces import face
from exporter.model.print_jobs import Paper
from exporter.printing.assembly import (
    FOOT,
    GLUE,
    board_pages,
    box_page,
    dial_page,
    pawn_pages,
    tiles,
)
from exporter.printing.imposition import Piece, Setting, mirrored, packed, piece_pages, shared_sheet
from exporter.printing.sheet_pages import LABEL, Page

A4 = Paper(id="a4", size=(210, 297), margin=(5, 5, 5, 5))
A2 = Paper(id="a2", size=(420, 594), margin=(5, 5, 5, 5))
BOARD = face("style/board.typ", {"name": "map"}, (210, 330), scale=1)
LARGE = face("style/board.typ", {"name": "map"}, (210, 500), scale=1)


@pytest.mark.parametrize("size", [(210, 330), (450, 330), (95, 400.5), (30, 90)])
def test_tiles_cover_the_board_and_overlap_by_what_was_asked(size: tuple[float, float]) -> None:
    parts = tiles(size, A4, 10)
    for axis in (0, 1):
        spans = sorted({(t.window[axis], t.window[axis] + t.window[axis + 2]) for t in parts})
        assert spans[0][0] == 0
        assert spans[-1][1] == pytest.approx(size[axis])
        for (_, end), (start, _) in pairwise(spans):
            assert end - start == pytest.approx(10)


def test_a_board_larger_than_the_paper_gets_a_map_and_its_tiles() -> None:
    pages = board_pages(LARGE, A4, 10, "map")
    assert [len(page.spots) for page in pages] == [0, 1, 1, 1]
    assert {label.text for label in pages[0].labels} >= {"A1", "A2", "A3"}
    assert any("→" in label.text or "↓" in label.text for label in pages[1].labels)


@pytest.mark.parametrize(
    ("name", "said"), [("map", "glue with 10 mm overlap"), ("地図", "10 mm重ねて貼る")]
)
def test_a_board_of_two_tiles_says_on_them_how_to_join_them(name: str, said: str) -> None:
    pages = board_pages(BOARD, A4, 10, name)
    assert [len(page.spots) for page in pages] == [1, 1]
    for page, other in zip(pages, ("↓ A2", "↑ A1"), strict=True):
        assert {other} < {label.text for label in page.labels}
        assert any(said in label.text for label in page.labels)


def test_tiles_show_the_board_at_true_scale() -> None:
    for page in board_pages(BOARD, A4, 10, "map"):
        assert (page.spots[0].box.width, page.spots[0].box.height) == (210, 330)


def test_nothing_beside_a_tile_lies_on_it_or_off_the_printable_paper() -> None:
    for page in board_pages(BOARD, A4, 10, "map"):
        (spot,) = page.spots
        assert spot.window is not None
        for line in page.lines:
            middle = ((line.x1 + line.x2) / 2, (line.y1 + line.y2) / 2)
            inside = spot.window.x < middle[0] < spot.window.right
            assert not (inside and spot.window.y < middle[1] < spot.window.bottom)
            assert 5 <= min(line.x1, line.x2) <= max(line.x1, line.x2) <= page.width - 5


@pytest.mark.parametrize("size", [(210, 330), (60, 60), (210, 500), (450, 330)])
def test_titles_and_names_of_tiles_have_their_room_on_the_paper(size: tuple[float, float]) -> None:
    board = face("style/board.typ", {}, size, scale=1)
    for page in board_pages(board, A4, 10, "とても長い名前" * 20):
        for label in page.labels:
            if label.turn:
                continue
            start = label.x - label.width * (0.5 if label.align == "centre" else 0)
            assert start >= 5
            assert start + label.width <= page.width - 5 + 1e-6
            assert label.y >= 5
            assert label.y + max(label.height, label.size) <= page.height - 5 + 1e-6


def test_a_title_ends_before_the_name_of_the_tile_below() -> None:
    title, *names = board_pages(BOARD, A4, 10, "map")[0].labels
    (below,) = (label for label in names if label.text.startswith("↓"))
    assert title.x + title.width <= below.x - below.width / 2


def test_paper_too_small_for_the_map_of_a_board_is_a_problem() -> None:
    slip = Paper(id="slip", size=(50, 45))
    with pytest.raises(InvalidSource, match="of 88 tiles does not fit on the paper 'slip'"):
        board_pages(BOARD, slip, 10, "map")


@pytest.mark.parametrize(
    ("sizes", "pages"),
    [
        ([(60, 40)] * 8, [8]),  # three in a row
        ([(180, 30), (150, 30), (90, 180)], [3]),
        ([(90, 200), (150, 200)], [1, 1]),
        ([(60, 40), (260, 60), (260, 60)], [1, 2]),  # the paper is turned for the wide ones
    ],
)
def test_boards_share_pages_without_touching(
    sizes: list[tuple[float, float]], pages: list[int]
) -> None:
    boards = [(f"b{n}", face("style/board.typ", {}, size, scale=1)) for n, size in enumerate(sizes)]
    single = [tuple(board_pages(board, A4, 10, name)) for name, board in boards]
    made = [shared_sheet(blocks, "long")[0] for blocks in packed(single, A4)]
    assert [len(page.spots) for page in made] == pages
    named = {label.text for page in made for label in page.labels}
    assert named == {name for name, _ in boards}
    for page in made:
        # The crop marks of a board end 3.7 mm beside it.
        boxes = [spot.trim.grown(3.7, 3.7, 3.7, 3.7) for spot in page.spots]
        for one, other in combinations(boxes, 2):
            apart = one.right <= other.x or other.right <= one.x
            assert apart or one.bottom <= other.y or other.bottom <= one.y
        for box in boxes:
            assert round(box.x, 6) >= 5
            assert round(box.right, 6) <= page.width - 5
            assert round(box.y, 6) >= 5
            assert round(box.bottom, 6) <= page.height - 5
        for label in page.labels:
            assert label.x + label.width <= page.width - 5
    if pages[0] == 1:
        (alone,) = made[0].spots
        assert alone.trim.x + alone.trim.width / 2 == pytest.approx(made[0].width / 2, abs=0.1)


def test_a_poster_is_one_page_or_a_problem() -> None:
    assert len(board_pages(BOARD, A2, 10, "map", whole=True)) == 1
    with pytest.raises(InvalidSource, match=r"at most 190×277 mm can be printed"):
        board_pages(BOARD, A4, 10, "map", whole=True)


def test_an_overlap_as_large_as_the_paper_is_a_problem() -> None:
    with pytest.raises(InvalidSource, match="overlap of 300 mm"):
        board_pages(BOARD, A4, 300, "map")


def test_a_folded_pawn_shows_its_face_on_both_sides_the_right_way_up() -> None:
    pawn = face("style/pawn.typ", {}, (30, 40), scale=1)
    (page,) = pawn_pages([pawn], A4, "pawns")
    behind, before = page.spots
    assert (behind.turn, before.turn) == (180, 0)
    assert behind.box.bottom == pytest.approx(before.box.y)
    folds = sorted(line.y1 for line in page.lines if line.kind == "fold")
    assert folds == pytest.approx([5 + FOOT, 5 + FOOT + 40, 5 + FOOT + 80])


def test_a_pawn_that_fills_the_paper_to_the_last_millimetre_has_room() -> None:
    high = (297 - 10 - 2 * LABEL) / 2 - FOOT
    assert len(pawn_pages([face("style/pawn.typ", {}, (200, high), scale=1)], A4, "p")) == 1
    for size in ((200.1, high), (200, high + 0.1)):
        with pytest.raises(InvalidSource, match=r"A pawn of .* does not fit within .* paper 'a4'"):
            pawn_pages([face("style/pawn.typ", {}, size, scale=1)], A4, "p")


@pytest.mark.parametrize("turned", [False, True])
def test_the_net_of_a_box_may_fill_the_paper_upright_or_turned_and_no_more(turned: bool) -> None:
    """20 cards of 63×88 and 0.32 mm: sides of 65 and 8.5, 89 high with two lids and tongues."""
    net = (GLUE + 2 * (65 + 8.5), 89 + 2 * (8.5 + 8.5))

    def paper(across: float, down: float) -> Paper:
        return Paper(id="sheet", size=(down, across) if turned else (across, down))

    page = box_page(20, (63, 88), 0.32, "deck", paper(*net), SourceLocation())
    assert (page.width, page.height) == net
    for less in ((0.1, 0), (0, 0.1)):
        smaller = paper(net[0] - less[0], net[1] - less[1])
        with pytest.raises(InvalidSource, match=r"does not fit within .* paper 'sheet'"):
            box_page(20, (63, 88), 0.32, "deck", smaller, SourceLocation())


def test_a_box_grows_with_the_number_of_cards() -> None:
    def width(cards: int) -> float:
        page = box_page(cards, (63, 88), 0.32, "deck", A4, SourceLocation())
        return max(line.x2 for line in page.lines) - min(line.x1 for line in page.lines)

    assert width(40) - width(20) == pytest.approx(2 * 20 * 0.32, abs=1.01)


def test_what_stands_on_a_box_has_room_within_its_sides() -> None:
    page = box_page(20, (63, 88), 0.32, "とても長い名前" * 9, A4, SourceLocation())
    width = 63 + 2
    for label in page.labels:
        assert label.width <= (88 if label.turn else width)


def test_the_window_of_a_dial_lies_over_one_chamber() -> None:
    dial = face("style/dial.typ", {}, (60, 60), scale=1)
    page = dial_page(dial, A4, 10, 0.34, 0.11, ("upper", "lower"))
    window = min(page.rings, key=lambda ring: abs(ring.radius - 6.6))
    disc = max((ring for ring in page.rings if ring.x == window.x), key=lambda ring: ring.y)
    assert disc.y - window.y == pytest.approx(0.34 * 60)


@pytest.mark.parametrize("size", [60, 123.5])
def test_a_dial_with_its_labels_stays_on_the_printable_part(size: float) -> None:
    disc = face("style/dial.typ", {}, (size, size), scale=1)
    page = dial_page(disc, A4, 10, 0.34, 0.11, ("above", "below"))
    room = A4.printable
    for ring in page.rings:
        assert ring.y - ring.radius >= room.y
        assert ring.y + ring.radius <= room.bottom
    for label in page.labels:
        assert label.y + label.size <= room.bottom


def test_a_dial_without_room_for_its_labels_is_a_problem() -> None:
    disc = face("style/dial.typ", {}, (130, 130), scale=1)
    with pytest.raises(InvalidSource, match="both together do not fit on one page of a4"):
        dial_page(disc, A4, 10, 0.34, 0.11, ("above", "below"))


@pytest.mark.parametrize("size", [(8000, 300), (300, 8000), (50_000, 70_000)])
def test_a_board_of_more_tiles_than_letters_is_a_problem(size: tuple[float, float]) -> None:
    huge = face("style/board.typ", {}, size, scale=1)
    with pytest.raises(InvalidSource, match="the limit is 26×26"):
        board_pages(huge, A4, 10, "map")


def test_what_shares_a_sheet_keeps_its_back_behind_it() -> None:
    def sheet(size: tuple[float, float], count: int) -> tuple[Page, ...]:
        card = face("style/card.typ", {}, size, scale=1)
        setting = Setting(paper=A4, cut="lines")
        return tuple(piece_pages(setting, [Piece(front=card, back=card)] * count, "cards"))

    ((first, second),) = packed([sheet((63, 88), 2), sheet((25, 25), 5)], A4)
    front, back = shared_sheet([first, second], "long")
    assert len(front.spots) == len(back.spots) == 7
    for one, other in zip(front.spots, back.spots, strict=True):
        assert other.trim == pytest.approx(mirrored(one.trim, A4, "long"))
    assert {label.text for label in front.labels} == {"cards 1/1 front"}
