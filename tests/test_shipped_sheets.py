"""Every sheet of every game, read again by another program than the one that wrote it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from commands import output_of

ROOT = Path(__file__).parent.parent
GAMES = sorted(path.parent.name for path in (ROOT / "source_data").glob("*/game.yaml"))
POINT = 0.01


def holds(outer: Any, inner: Any) -> bool:
    """Whether a box, as left, bottom, right and top, lies within another."""
    left, bottom, right, top = outer
    return bool(
        inner[0] >= left - POINT
        and inner[1] >= bottom - POINT
        and inner[2] <= right + POINT
        and inner[3] <= top + POINT
    )


Line = tuple[str, float, float, float, float]
"""A text with its left, lower and right edge and the height of its letters."""


def lines_of(page: pypdfium2.PdfPage) -> list[Line]:
    """The lines of a page; what stands beside one another without a gap is one of them."""
    text = page.get_textpage()
    lines: list[Line] = []
    for at in range(text.count_chars()):
        letter = text.get_text_range(at, 1)
        if not letter.strip():
            continue
        left, bottom, right, top = text.get_charbox(at, loose=True)
        said, start, edge, end, height = lines[-1] if lines else ("", 0.0, -99.0, 0.0, 0.0)
        goes_on = abs(edge - bottom) < 1 and -0.6 * height < left - end < 1.2 * height
        if goes_on and abs(height - (top - bottom)) < 0.3:
            lines[-1] = (said + letter, start, edge, max(end, right), height)
        else:
            lines.append((letter, left, bottom, right, top - bottom))
    return lines


def left_alone(lines: list[Line]) -> Iterator[tuple[str, str]]:
    """Lines of one letter below another of the same text. Digits are cells of their own."""
    for said, left, edge, right, height in lines:
        letters = said.rstrip("、。，．」』）！？…")
        if len(letters) > 1 or letters.isdigit() or letters in ("", "—"):
            continue
        for above, start, upper, end, size in lines:
            below = 0.9 * size < upper - edge < 1.5 * size and abs(size - height) < 0.3
            under = abs(start - left) < 1.2 or abs(start + end - left - right) < 2.4
            if below and under and len(above) > 3:
                yield above, said


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_letter_lies_on_its_page_none_in_a_last_line_alone_and_every_cut_in_its_bleed(
    game: str, tmp_path: Path, pictures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("XDG_CACHE_HOME", str(pictures))
    output_of("print", game, "--out", tmp_path)
    files = sorted((tmp_path / game).iterdir())
    assert files
    for path in files:
        inside: set[str] = set()
        outside: set[str] = set()
        for number, page in enumerate(pypdfium2.PdfDocument(path), 1):
            assert holds(page.get_mediabox(), page.get_bleedbox()), path.name
            assert holds(page.get_bleedbox(), page.get_trimbox()), path.name
            assert not [*left_alone(lines_of(page))], (path.name, number)
            text = page.get_textpage()
            for index in range(text.count_rects()):
                box = text.get_rect(index)
                said = text.get_text_bounded(*box).strip()
                (inside if holds(page.get_mediabox(), box) else outside).add(said)
        # A board of several sheets is drawn whole on each of them, and cut to its part.
        assert outside <= inside, path.name


@pytest.mark.slow
def test_rulings_fill_both_halves_of_their_last_page(tmp_path: Path) -> None:
    output_of("print", "embryo_machine", "--sheet", "errata", "--out", tmp_path)
    with pypdfium2.PdfDocument(tmp_path / "embryo_machine" / "errata.pdf") as pdf:
        page = pdf[len(pdf) - 1]
        text, middle = page.get_textpage(), page.get_width() / 2
        right = [text.get_charbox(at)[0] > middle for at in range(text.count_chars())]
    assert 0.35 < sum(right) / len(right) < 0.65
