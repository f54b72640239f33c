"""Faces set on a sheet's own page look and read as they do alone, however they are placed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageChops

from exporter.faces.card_faces import Face
from exporter.model.print_jobs import PageBox
from exporter.printing.pdf_sheets import Sources, lone_pages, set_pages
from exporter.printing.sheet_pages import FaceSpot, Page

TEMPLATES = Path(__file__).parent.parent.parent / "templates"
SOURCES = Sources((TEMPLATES / "faces",), None, None)
WHITE = (255, 255, 255)
SCALE = 2.0
"""Pixels a point."""


def card(number: int) -> Face:
    """A card with a gradient; every second one has its fonts in another order."""
    values = {
        "name": f"札{number}",
        "cost": str(number),
        "effect": "となりの人の手札を1枚見る。" * 3,
        "slots": {"title": "name", "corner": "cost", "text": "effect"},
        "width": 63,
        "height": 88,
    }
    text = json.dumps(values, ensure_ascii=False, sort_keys=True)
    return Face(f"plain/{'portrait' if number % 2 else 'card'}.typ", text, 63, 88, 4)


def shown(pages: list[Page], scale: float = SCALE) -> tuple[list[Image.Image], str]:
    """Pictures of the pages, with ``scale`` pixels a point, and all letters on them."""
    data, problems = set_pages(pages, SOURCES, "cards")
    assert not problems
    with pypdfium2.PdfDocument(data) as pdf:
        pictures = [page.render(scale=scale).to_pil().convert("RGB") for page in pdf]
        texts = [page.get_textpage().get_text_range() for page in pdf]
    return pictures, re.sub(r"\s", "", "".join(texts))


def spot(face: Face, box: PageBox, turn: int = 0, bleed: float = 0) -> FaceSpot:
    grown = box.grown(bleed, bleed, bleed, bleed)
    return FaceSpot(face=face, box=box, trim=box, bleed=grown, turn=turn)


def crop(page: Image.Image, box: PageBox, scale: float = SCALE) -> Image.Image:
    left, top, right, bottom = (
        round(side * scale * 72 / 25.4) for side in (box.x, box.y, box.right, box.bottom)
    )
    return page.crop((left, top, right, bottom))


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_face_on_a_sheet_looks_and_reads_as_it_does_alone(turn: int) -> None:
    face = card(1)
    lying = turn % 180 == 90
    half = PageBox(10, 20, *((44, 31.5) if lying else (31.5, 44)))
    page = Page(width=80, height=90, spots=(spot(face, half, turn),))
    (sheet,), letters = shown([page], 2 * SCALE)
    (alone,), same = shown(lone_pages([face]))
    assert sorted(letters) == sorted(same)  # turned, they are found in another order
    there = crop(sheet, half, 2 * SCALE).rotate(turn, expand=True)
    # Coarse, as a turned face has its edges half a pixel off.
    one, other = (each.resize((63, 88), Image.Resampling.BOX) for each in (there, alone))
    far = ImageChops.difference(one, other).convert("L").histogram()
    assert sum(far[40:]) < 0.01 * sum(far)


def test_a_bleed_draws_out_the_edges_of_a_face_and_none_of_its_letters() -> None:
    face, box = card(2), PageBox(10, 10, 63, 88)
    (bled,), letters = shown([Page(width=90, height=110, spots=(spot(face, box, bleed=4),))])
    (bare,), same = shown([Page(width=90, height=110, spots=(spot(face, box),))])
    assert letters == same
    inner = PageBox(14, 14, 55, 80)
    assert crop(bled, inner).tobytes() == crop(bare, inner).tobytes()
    for side in (PageBox(6.5, 14, 3, 80), PageBox(73.5, 14, 3, 80), PageBox(6.5, 6.5, 3, 3)):
        colours = [
            {colour for _, colour in crop(p, side).getcolors(9999) or ()} for p in (bare, bled)
        ]
        assert colours[0] == {WHITE}
        assert WHITE not in colours[1]
