"""Pictures in a PDF: photographs packed as such, drawn ones as they are, each in the file once."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageChops

from exporter.core.shipped_files import template_folders
from exporter.faces.card_faces import Face, face
from exporter.printing.pdf_sheets import Sources, lone_pages, set_pages
from exporter.render.painter import paint

SIDE = 320


def photograph(turned: int = 0) -> Image.Image:
    """As many colours as a photograph has, and edges as soft."""
    bands = [Image.linear_gradient("L"), Image.radial_gradient("L"), Image.linear_gradient("L")]
    bands[2] = bands[2].rotate(90)
    grain = Image.frombytes("L", (SIDE, SIDE), bytes(Random(7).choices(range(120, 137), k=SIDE**2)))
    image = Image.merge("RGB", [band.resize((SIDE, SIDE)) for band in bands]).rotate(turned)
    return ImageChops.add(image, Image.merge("RGB", [grain] * 3), offset=-128)


def drawn() -> Image.Image:
    image = Image.new("RGB", (SIDE, SIDE), "#b4482f")
    image.paste("#fbf7ea", (40, 40, 200, 280))
    return image


def seen_through() -> Image.Image:
    image = photograph(90).convert("RGBA")
    image.putalpha(Image.radial_gradient("L").resize((SIDE, SIDE)))
    return image


PICTURES = {"a": photograph(), "b": drawn(), "c": seen_through(), "d": photograph(180)}


def png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def shown(name: str, side: str) -> Face:
    picture = f"pictures/{name}.png"
    values = {"picture": picture, "side": side}
    return face("plain/finished.typ", values, (30, 30), scale=4, pictures=(picture,))


class Printed(NamedTuple):
    """A file that shows each picture on two faces, its images' colours and their masks."""

    data: bytes
    pdf: pikepdf.Pdf
    colours: Sequence[pikepdf.Stream]
    masks: Sequence[pikepdf.Stream]


def printed(folder: Path) -> Printed:
    (folder / "pictures").mkdir()
    for name, image in PICTURES.items():
        (folder / "pictures" / f"{name}.png").write_bytes(png(image))
    faces = [shown(name, side) for side in ("front", "") for name in PICTURES]
    sources = Sources(template_folders("faces"), folder, None)
    data, problems = set_pages(lone_pages(faces), sources, "pictures")
    assert not problems
    again = pikepdf.open(io.BytesIO(data))
    streams = (item for item in again.objects if isinstance(item, pikepdf.Stream))
    images = [item for item in streams if item.get("/Subtype") == "/Image"]
    colours, masks = (
        [each for each in images if (each.ColorSpace == "/DeviceGray") == is_mask]
        for is_mask in (False, True)
    )
    return Printed(data, again, colours, masks)


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> Printed:
    return printed(tmp_path_factory.mktemp("game"))


def test_photographs_are_jpeg_and_what_is_drawn_keeps_each_pixel(sheet: Printed) -> None:
    assert Counter(str(each.Filter) for each in sheet.colours) == {
        "/DCTDecode": 3,
        "/FlateDecode": 1,
    }
    (kept,) = (each for each in sheet.colours if each.Filter == "/FlateDecode")
    assert kept.read_bytes() == PICTURES["b"].tobytes()
    assert [each.Filter for each in sheet.masks] == ["/FlateDecode"]
    assert sheet.masks[0].read_bytes() == PICTURES["c"].getchannel("A").tobytes()


def test_a_packed_photograph_looks_as_it_did_in_half_the_bytes(sheet: Printed) -> None:
    with pypdfium2.PdfDocument(sheet.data) as document:
        page = document[0].render(scale=SIDE / 86).to_pil().convert("RGB")
    middle = (60, 60, SIDE - 60, SIDE - 60)
    there = PICTURES["a"].resize(page.size).crop(middle)
    far = ImageChops.difference(page.crop(middle), there).convert("L").histogram()
    assert sum(far[16:]) < 0.01 * sum(far)
    assert len(sheet.data) < sum(len(png(image)) for image in PICTURES.values()) / 2


def test_a_picture_is_in_the_file_once(sheet: Printed) -> None:
    assert (len(sheet.colours), len(sheet.masks)) == (len(PICTURES), 1)


def test_colours_of_a_press_are_the_same_in_the_room_and_on_paper(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    picture = "pictures/ink.jpg"
    Image.new("CMYK", (SIDE, SIDE), (200, 180, 160, 150)).save(tmp_path / picture, "JPEG")
    card = face("plain/finished.typ", {"picture": picture}, (30, 30), scale=4, pictures=(picture,))
    templates = template_folders("faces")
    seen = paint([card], templates, tmp_path, None).images[card].data
    room = Image.open(io.BytesIO(seen)).convert("RGB").getpixel((60, 60))
    sources = Sources(templates, tmp_path, None)
    data, problems = set_pages(lone_pages([card]), sources, "ink")
    assert not problems
    sheet = pikepdf.open(io.BytesIO(data))
    streams = (each for each in sheet.objects if isinstance(each, pikepdf.Stream))
    (image,) = (each for each in streams if each.get("/Subtype") == "/Image")
    paper = pikepdf.PdfImage(image).as_pil_image()
    assert paper.mode == "RGB"
    assert paper.getpixel((60, 60)) == room == pytest.approx((23, 32, 39), abs=2)
