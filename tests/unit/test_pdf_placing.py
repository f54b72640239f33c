"""Many faces seen once are drawn in their pages' contents: a smaller file that looks the same."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from PIL import ImageChops

from exporter.faces.card_faces import Face
from exporter.model.paper import Paper
from exporter.printing.imposition import (
    Piece,
    Setting,
    piece_pages,
)
from exporter.printing.pdf import (
    PdfInfo,
    assembled,
    face_forms,
)
from exporter.printing.pdf.form_objects import Sources
from exporter.printing.pdf.pdf_assembly import (
    faces_of,
    marks_of,
)

TEMPLATES = Path(__file__).parent.parent.parent / "templates"
PAPER = Paper(id="a4", size=(210, 297), margin=(5, 5, 5, 5))


def card(number: int) -> Face:
    """A card with a gradient; every second one has its fonts in another order."""
    style = "portrait" if number % 2 else "card"
    values = {
        "name": f"札{number}",
        "cost": str(number),
        "effect": "となりの人の手札を1枚見る。" * 3,
        "slots": {"title": "name", "corner": "cost", "text": "effect"},
        "width": 63,
        "height": 88,
    }
    text = json.dumps(values, ensure_ascii=False, sort_keys=True)
    return Face(f"plain/{style}.typ", text, 63, 88, 4)


def sheet(faces: list[Face], many: int, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Faces nine to a page; ``many`` of them are drawn in place."""
    monkeypatch.setattr("exporter.printing.pdf.face_placement.MANY", many)
    setting = Setting(paper=PAPER, backs="none")
    pages = piece_pages(setting, [Piece(front=face) for face in faces], "cards")
    sources = Sources((TEMPLATES / "faces",), None, None, TEMPLATES)
    pdf, forms, _ = face_forms([*faces_of(pages), *marks_of(pages)], sources)
    return assembled(pdf, pages, forms, PdfInfo("cards"))


def forms_in(pdf: bytes) -> list[Any]:
    document = pikepdf.open(io.BytesIO(pdf))
    streams = (each for each in document.objects if isinstance(each, pikepdf.Stream))
    return [each for each in streams if each.get("/Subtype") == "/Form"]


def words(pdf: bytes) -> list[str]:
    return [
        re.sub(r"\s", "", page.get_textpage().get_text_range())
        for page in pypdfium2.PdfDocument(pdf)
    ]


def test_many_faces_seen_once_take_half_the_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    faces = [card(number) for number in range(36)]
    apart = sheet(faces, 1000, monkeypatch)
    together = sheet(faces, 36, monkeypatch)
    assert len(forms_in(apart)) >= 36
    assert len(forms_in(together)) <= 4
    fonts = 30_000
    assert len(together) - fonts < (len(apart) - fonts) / 2


def test_in_place_faces_look_and_read_as_forms_do(monkeypatch: pytest.MonkeyPatch) -> None:
    faces = [card(number) for number in range(12)]
    apart = sheet(faces, 1000, monkeypatch)
    together = sheet(faces, 1, monkeypatch)
    assert words(together) == words(apart)
    for page, same in zip(
        pypdfium2.PdfDocument(together), pypdfium2.PdfDocument(apart), strict=True
    ):
        one, other = (each.render(scale=2).to_pil().convert("RGB") for each in (page, same))
        darkest = max(ImageChops.difference(one, other).tobytes())
        assert darkest <= 1  # of 255: a renderer rounds sums in another order


def test_a_face_that_is_laid_twice_is_held_once(monkeypatch: pytest.MonkeyPatch) -> None:
    faces = [card(2), *(card(number) for number in range(12))]
    pdf = pikepdf.open(io.BytesIO(sheet(faces, 1, monkeypatch)))
    first = pdf.pages[0].obj
    (name,) = [name for name, form in first.Resources.XObject.items() if form.BBox[2] < 200]
    assert first.Contents.read_bytes().count(f"{name} Do".encode()) == 2


def test_few_faces_stay_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(forms_in(sheet([card(1), card(2)], 250, monkeypatch))) >= 2
