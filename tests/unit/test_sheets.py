"""Pieces on paper, by values: what fits, where backs lie, where marks may stand; print jobs as
files say them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_up_games import write
from msgspec.structs import replace

from exporter.core.problems import InvalidSource
from exporter.faces.card_faces import Face, face
from exporter.loader.game_reader import read_game
from exporter.loader.print_job_files import read_jobs, read_stationery
from exporter.model.print_jobs import PageBox, Paper
from exporter.printing.imposition import Piece, Setting, chosen_grid, piece_pages
from exporter.printing.sheet_pages import MARK, MARK_GAP, Label, Page, PageLine, crop_marks

A4 = Paper(id="a4", size=(210, 297), margin=(5, 5, 5, 5))
A5 = Paper(id="a5", size=(148, 210), margin=(5, 5, 5, 5))


def card(name: str, width: float = 63, height: float = 88) -> Face:
    return face("style/card.typ", {"name": name}, (width, height), scale=1)


def pieces(count: int, width: float = 63, height: float = 88) -> list[Piece]:
    return [
        Piece(front=card(f"front {n}", width, height), back=card(f"back {n % 2}", width, height))
        for n in range(count)
    ]


def laid(setting: Setting, count: int, **size: float) -> list[Page]:
    return piece_pages(setting, pieces(count, **size), "cards")


def rules(setting: Setting, here: list[Piece]) -> set[str]:
    with pytest.raises(InvalidSource) as caught:
        piece_pages(setting, here, "cards")
    return {problem.rule for problem in caught.value.problems}


def said(setting: Setting, here: list[Piece]) -> str:
    with pytest.raises(InvalidSource) as caught:
        piece_pages(setting, here, "cards")
    return str(caught.value)


def test_nine_poker_cards_fit_on_a4() -> None:
    pages = laid(Setting(paper=A4), 20)
    assert [len(page.spots) for page in pages] == [9, 9, 9, 9, 2, 2]
    assert [page.side for page in pages] == ["front", "back"] * 3


def test_the_paper_is_laid_on_its_side_where_more_cards_fit_so() -> None:
    (page,) = laid(Setting(paper=A5, backs="none"), 4, width=95, height=60)
    assert (page.width, page.height) == (210, 148)


def test_every_card_keeps_its_size_and_none_lies_over_another() -> None:
    (page,) = laid(Setting(paper=A4, gap=(2, 3), grid=(2, 2), backs="none"), 4)
    trims = [spot.trim for spot in page.spots]
    assert {(box.width, box.height) for box in trims} == {(63, 88)}
    columns, rows = sorted({box.x for box in trims}), sorted({box.y for box in trims})
    assert columns[1] - columns[0] == pytest.approx(63 + 2)
    assert rows[1] - rows[0] == pytest.approx(88 + 3)


@pytest.mark.parametrize("edge", ["long", "short"])
@pytest.mark.parametrize("grid", [(3, 3), (4, 2)], ids=["upright", "on its side"])
@pytest.mark.parametrize("count", [9, 4], ids=["full", "not full"])
def test_backs_meet_their_fronts_when_the_paper_is_turned(
    edge: str, grid: tuple[int, int], count: int
) -> None:
    setting = Setting(paper=A4, edge=edge, grid=grid, gap=(1, 2), bleed=1)  # type: ignore[arg-type]
    paper, _ = chosen_grid(setting, (63, 88))
    assert (paper.height > paper.width) == (grid == (3, 3))
    front, back = laid(setting, count)[:2]
    turned_left_to_right = (edge == "long") == (paper.height > paper.width)
    for n, (above, below) in enumerate(zip(front.spots, back.spots, strict=True)):
        box = below.trim
        if turned_left_to_right:
            seen = PageBox(paper.width - box.right, box.y, box.width, box.height)
        else:
            seen = PageBox(box.x, paper.height - box.bottom, box.width, box.height)
        assert seen == pytest.approx(above.trim, abs=0.01)
        assert below.face == card(f"back {n % 2}")
        assert below.turn == (0 if turned_left_to_right else 180)


def test_an_offset_shifts_backs_and_nothing_else() -> None:
    plain = laid(Setting(paper=A4), 1)
    shifted = laid(Setting(paper=A4, offset=(0.8, -0.5)), 1)
    assert shifted[0] == plain[0]
    moved, was = shifted[1].spots[0].trim, plain[1].spots[0].trim
    assert (moved.x - was.x, moved.y - was.y) == pytest.approx((0.8, -0.5))


def crosses(line: PageLine, box: PageBox) -> bool:
    return (
        min(line.x1, line.x2) < box.right - 1e-9
        and max(line.x1, line.x2) > box.x + 1e-9
        and min(line.y1, line.y2) < box.bottom - 1e-9
        and max(line.y1, line.y2) > box.y + 1e-9
    )


@pytest.mark.parametrize("count", [9, 5, 1])
@pytest.mark.parametrize("bleed", [0, 2])
def test_crop_marks_touch_no_card_and_stay_where_a_printer_reaches(
    count: int, bleed: float
) -> None:
    setting = Setting(paper=A4, grid=(2, 2), gap=(4, 4), bleed=bleed)
    for page in laid(setting, count):
        assert page.lines
        for line in page.lines:
            assert not any(crosses(line, spot.bleed) for spot in page.spots)
            for x, y in ((line.x1, line.y1), (line.x2, line.y2)):
                assert 5 <= x <= 205
                assert 5 <= y <= 292


@pytest.mark.parametrize(("room", "drawn"), [(1.01, True), (1.0, True), (0.99, False)])
def test_a_crop_mark_shorter_than_a_millimetre_is_none(room: float, drawn: bool) -> None:
    """``room`` is what a printer reaches beyond the bleed and the gap, at the left alone."""
    trim = PageBox(10, 10, 63, 88)
    within = PageBox(10 - 2 - MARK_GAP - room, 0, 200, 200)
    marks = crop_marks([trim], 2, within)
    assert any(line.x2 < trim.x for line in marks) is drawn
    assert {line.x1 - line.x2 for line in marks if line.x1 > trim.right} == {-MARK}


@pytest.mark.parametrize(("gap", "count"), [((0, 0), 4 + 4), ((3, 0), 4 * 3 + 6), ((3, 3), 4 * 9)])
def test_cut_lines_run_along_every_edge_once(gap: tuple[float, float], count: int) -> None:
    """Those of pieces that touch are one line: three rows of three have four across."""
    page = laid(Setting(paper=A4, cut="lines", backs="none", gap=gap), 9)[0]
    lines = [line for line in page.lines if line.kind == "cut"]
    assert len(lines) == len(set(lines)) == count
    drawn = {(line.x1, line.x2) for line in lines if line.y1 == line.y2}
    trims = [spot.trim for spot in page.spots]
    assert all(any(x1 <= t.x and x2 >= t.right for x1, x2 in drawn) for t in trims)


def test_bleeds_of_neighbours_meet_in_the_middle_of_the_gap() -> None:
    page = laid(Setting(paper=A4, grid=(2, 1), gap=(3, 3), bleed=2, backs="none"), 2)[0]
    left, right = (spot.bleed for spot in page.spots)
    assert left.right == pytest.approx(right.x)
    assert left.x == pytest.approx(page.spots[0].trim.x - 2)


def test_a_card_of_another_size_is_scaled_and_turned_to_fit() -> None:
    spot = laid(Setting(paper=A4, size=(91, 55), backs="none"), 1)[0].spots[0]
    assert (spot.trim.width, spot.trim.height) == (91, 55)
    assert spot.turn == 90
    assert spot.box.height == pytest.approx(55)
    assert spot.box.width / spot.box.height == pytest.approx(88 / 63)


def test_margins_that_leave_no_room_are_a_problem() -> None:
    paper = replace(A4, margin=(150, 5, 150, 5))
    assert rules(Setting(paper=paper), pieces(1)) == {"PAPER"}
    assert "margins, bleed and offset leave 200×0 mm" in said(Setting(paper=paper), pieces(1))


@pytest.mark.parametrize(
    ("wishes", "left"),
    [
        ({"bleed": 5}, "59×84"),
        ({"bleed": 3, "offset": (0.5, 0)}, "62×88"),
        ({"offset": (0, -4)}, "69×86"),
    ],
    ids=str,
)
def test_a_bleed_or_a_back_that_leaves_the_paper_is_a_problem(
    wishes: dict[str, Any], left: str
) -> None:
    paper = Paper(id="proof", size=(69, 94))
    here = Setting(paper=paper, grid=(1, 1), **wishes)
    assert rules(here, pieces(1)) == {"PAPER"}
    assert f"63×88 mm does not fit on proof: its margins, bleed and offset leave {left} mm" in said(
        here, pieces(1)
    )


def test_fewer_pieces_are_laid_where_their_bleeds_would_leave_the_paper() -> None:
    paper = Paper(id="full", size=(63 * 3 + 2 * 6, 88 * 3 + 2 * 6))
    (page,) = laid(Setting(paper=paper, gap=(6, 6), backs="none"), 9)
    pages = laid(Setting(paper=paper, gap=(6, 6), bleed=3, backs="none"), 9)
    assert len(page.spots) == 9
    assert len(pages[0].spots) == 8  # on its side
    for page in pages:
        whole = PageBox(0, 0, page.width, page.height)
        assert all(whole.holds(spot.bleed) for spot in page.spots)


def span(label: Label) -> tuple[float, float]:
    """Where the place of an upright label begins and ends."""
    start = label.x - label.width * {"left": 0, "centre": 0.5, "right": 1}[label.align]
    return start, start + label.width


def test_small_print_has_the_room_beside_it_and_ends_with_pieces_at_the_right() -> None:
    front, back = piece_pages(Setting(paper=A4), pieces(1, 20, 20), "とても長い題" * 20)
    (above,), (below,) = front.labels, back.labels
    assert (above.align, below.align) == ("left", "right")
    assert below.x == back.spots[0].bleed.right
    for label in (above, below):
        assert span(label)[0] >= A4.printable.x
        assert span(label)[1] <= A4.printable.right
        assert label.y + label.height <= A4.printable.bottom


def test_small_print_names_as_much_as_its_margin_holds_and_counts_the_rest() -> None:
    many = [replace(piece, note=f"E{n} 名前の長いカード{n}") for n, piece in enumerate(pieces(9))]
    label = laid_label(many)
    assert all(piece.note in label.text for piece in many)
    crowd = [
        replace(piece, note=f"E{n} 名前のとてもとてもとても長いカード{n}")
        for n, piece in enumerate(pieces(152, 15, 21))
    ]
    told = laid_label(crowd)
    named = sum(f"{piece.note} " in told.text for piece in crowd)
    assert 0 < named < 152
    assert told.text.endswith(f"ほか{152 - named}件")


def laid_label(here: list[Piece]) -> Label:
    page = piece_pages(Setting(paper=A4, backs="none"), here, "cards")[0]
    return page.labels[0]


def test_independent_faults_come_together() -> None:
    bare = [Piece(front=card("large", 300, 400))]
    assert rules(Setting(paper=A4, bleed=1), bare) == {"BACK", "BLEED", "PAPER"}


# ---- print jobs as files say them

TEMPLATES = Path(__file__).parents[2] / "templates"


@pytest.mark.parametrize(
    "job", ["lay: cards\ndecks: true\n", "lay: boards\n", "lay: document\ndocument: rulings\n"]
)
def test_a_job_with_what_it_lays_is_sound(small: Path, job: str) -> None:
    write(small, {"sheets/job.yaml": f"id: job\nname: A\n{job}"})
    assert read_jobs(small, read_game(small), read_stationery([TEMPLATES / "sheets"])).keys() == {
        "job"
    }
