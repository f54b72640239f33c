"""Faces painted: what a player sees, what a designer is told, and what the cache saves."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageFilter, ImageStat

from exporter.core.cache import cache_folder
from exporter.core.problems import InvalidSource, Problem, Severity, SourceLocation
from exporter.faces.card_faces import Face, face
from exporter.model.tabletop import ImageFile
from exporter.printing.pdf_sheets import Sources, lone_pages, set_pages
from exporter.render.painter import Painted, paint
from exporter.render.pixels import check_bytes, smallest

SHIPPED = Path(__file__).parents[2] / "templates" / "faces"

CARD = """\
#import "../lib.typ": fitted, marked
#let icon = box(width: 1em, height: 1em, fill: red)
#let face(values) = {
  place(dx: 5mm, rect(width: 5mm, height: 10mm, fill: rgb(values.at("colour", default: "#0000ff"))))
  if values.at("suit", default: "") == "⚡" { icon }
  fitted(8mm, 6mm, 3mm, values.at("text", default: ""), field: "text", marks: (bomb: icon))
  h(values.at("gap", default: 0) * 1mm)
}
"""

SHOW = """\
#let face(values) = image("/" + values.picture, width: 10mm, height: 10mm, fit: "cover")
"""

Studio = Callable[..., Painted]


@pytest.fixture
def templates(tmp_path: Path) -> Path:
    folder = tmp_path / "faces"
    for name, text in {
        "plain/card.typ": CARD,
        "plain/show.typ": SHOW,
        "other/note.typ": CARD,
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def studio(templates: Path, tmp_path: Path) -> Studio:
    """Paints faces with a game folder ``game`` and a cache ``cache`` beside the templates."""

    def painted(*faces: Face, cache: Path | None = tmp_path / "cache", **more: Any) -> Painted:
        return paint(faces, [templates, SHIPPED], tmp_path / "game", cache, **more)

    return painted


def card(line: int = 1, template: str = "plain/card.typ", scale: float = 4, **values: Any) -> Face:
    where = SourceLocation("cards.csv", line)
    return face(template, values, (10, 10), scale=scale, where=where)


def showing(picture: str, line: int = 1) -> Face:
    where = SourceLocation("cards.csv", line)
    values = {"picture": picture}
    return face("plain/show.typ", values, (10, 10), scale=4, pictures=(picture,), where=where)


def own_picture(folder: Path, name: str, size: tuple[int, int], colour: str = "red") -> None:
    (folder / "game" / "pictures").mkdir(parents=True, exist_ok=True)
    Image.new("RGB", size, colour).save(folder / "game" / "pictures" / name)


def pixels(file: ImageFile) -> Image.Image:
    return Image.open(io.BytesIO(file.data)).convert("RGBA")


def problems_of(studio: Studio, *faces: Face) -> list[Problem]:
    with pytest.raises(InvalidSource) as caught:
        studio(*faces)
    return list(caught.value.problems)


def test_a_picture_has_the_face_s_pixels_and_is_transparent_where_nothing_is_drawn(
    studio: Studio,
) -> None:
    blue, green = card(colour="#0000ff"), card(colour="#00ff00")
    images = studio(blue, green).images
    assert pixels(images[blue]).size == (40, 40)
    assert pixels(images[blue]).getpixel((30, 20)) == (0, 0, 255, 255)
    assert pixels(images[green]).getpixel((30, 20)) == (0, 255, 0, 255)
    assert pixels(images[green]).getpixel((10, 20)) == (0, 0, 0, 0)


def test_equal_faces_of_different_rows_are_painted_once(studio: Studio) -> None:
    assert studio(card(line=1), card(line=2)).new == 1


def test_the_bytes_are_the_same_alone_among_others_and_from_the_cache(studio: Studio) -> None:
    faces = [card(text=f"効果{number}") for number in range(5)]
    first = studio(*faces)
    again = studio(*reversed(faces))
    assert (first.new, again.new) == (5, 0)
    assert again.images == first.images
    assert studio(faces[3], cache=None).images[faces[3]] == first.images[faces[3]]


def test_only_what_changed_is_painted_anew(studio: Studio, templates: Path, tmp_path: Path) -> None:
    own_picture(tmp_path, "a.png", (40, 40))
    faces = [
        card(text="甲"),
        card(text="乙"),
        card(template="other/note.typ"),
        showing("pictures/a.png"),
    ]
    studio(*faces)
    assert studio(card(text="丙"), *faces[1:]).new == 1
    own_picture(tmp_path, "a.png", (40, 40), "blue")
    assert studio(*faces).new == 1
    (templates / "other" / "note.typ").write_text(CARD + "// changed\n", encoding="utf-8")
    assert studio(*faces).new == 1


def test_a_cache_that_is_damaged_or_takes_nothing_does_no_harm(
    studio: Studio, tmp_path: Path
) -> None:
    right = studio(card()).images
    for entry in (tmp_path / "cache").rglob("*"):
        if entry.is_file():
            entry.write_bytes(entry.read_bytes()[:-1] + b"?")
    assert studio(card()).images == right
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the folder should be")
    assert studio(card(), cache=blocked).images == right


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have folders of their own")
def test_the_cache_lies_where_the_system_keeps_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/caches")
    assert cache_folder() == Path("/var/caches/exporter")
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    monkeypatch.setenv("HOME", "/home/someone")
    assert cache_folder() == Path("/home/someone/.cache/exporter")


def test_progress_counts_the_new_pictures(studio: Studio) -> None:
    told: list[tuple[int, int]] = []
    studio(
        card(text="甲"), card(text="乙"), progress=lambda done, total: told.append((done, total))
    )
    assert (told[0], told[-1]) == ((0, 2), (2, 2))
    told.clear()
    studio(card(text="甲"), progress=lambda done, total: told.append((done, total)))
    assert told == []


def test_every_faulty_row_is_reported_at_once(studio: Studio) -> None:
    found = problems_of(
        studio,
        card(line=2, text="善い"),
        card(line=3, gap="wide"),
        card(line=4, text="あ" * 200),
        card(line=5, text="⚡で進む"),
    )
    assert [(problem.where.line, problem.rule) for problem in found] == [
        (3, "FACE-TEMPLATE"),
        (4, "FACE-OVERFLOW"),
        (5, "FACE-GLYPH"),
    ]
    assert "plain/card.typ:7:" in found[0].message
    assert "text (200 characters)" in found[1].message
    assert "'⚡' (U+26A1) in text" in found[2].message


def test_sound_rows_beside_a_faulty_one_are_kept_for_the_next_run(studio: Studio) -> None:
    problems_of(studio, card(text="善い"), card(gap="wide"))
    assert studio(card(text="善い")).new == 0


def test_a_character_that_the_template_draws_is_no_missing_glyph(studio: Studio) -> None:
    assert studio(card(suit="⚡", text="[bomb]を置く")).problems == ()


def test_a_character_that_the_template_writes_itself_is_the_template_s_fault(
    studio: Studio, templates: Path
) -> None:
    (templates / "plain" / "card.typ").write_text(
        "// ✚ in a comment\n#let face(values) = [⚡]\n", encoding="utf-8"
    )
    (problem,) = problems_of(studio, card(text="甲"), card(text="乙"))
    assert problem.where.file == str(templates / "plain" / "card.typ")
    assert "'⚡' (U+26A1), which is written in plain/card.typ" in problem.message


def test_a_fault_of_the_template_is_said_once_with_its_line(
    studio: Studio, templates: Path
) -> None:
    (templates / "plain" / "card.typ").write_text("#let face(values) = {\n  let = 3\n}\n")
    (problem,) = problems_of(studio, card(line=1), card(line=2, text="乙"))
    where = problem.where
    assert (where.file, where.line) == (str(templates / "plain" / "card.typ"), 2)
    assert "expected pattern" in problem.message


def test_what_fails_for_every_face_is_the_template_s_fault(studio: Studio) -> None:
    faces = [
        face("plain/card.typ", {"text": text, "gap": "?"}, (10, 10), scale=4) for text in "甲乙"
    ]
    (problem,) = problems_of(studio, *faces)
    assert problem.where.file.endswith("plain/card.typ")
    assert problem.where.line == 7


def test_a_word_wider_than_its_place_does_not_fit(studio: Studio) -> None:
    (problem,) = problems_of(studio, card(text="Waffenwerkstatt"))
    assert problem.rule == "FACE-OVERFLOW"
    assert studio(card(text="武器の工場")).problems == ()


@pytest.mark.slow
def test_a_card_without_a_text_is_not_left_empty(studio: Studio, tmp_path: Path) -> None:
    values = {"name": "火", "sort": "術", "slots": {"title": "name", "tag": "sort"}}
    bare = face("plain/card.typ", values, (63, 88), scale=4, where=SourceLocation("cards.csv", 2))
    shown = pixels(paint([bare], [SHIPPED], tmp_path, None).images[bare])
    assert len(shown.crop((80, 160, 172, 280)).getcolors(9999) or ()) > 2


def test_a_face_of_two_pages_is_a_fault_in_rooms_and_on_paper(
    studio: Studio, templates: Path
) -> None:
    (templates / "plain" / "card.typ").write_text("#let face(values) = [甲#footnote[乙]]\n")
    (problem,) = problems_of(studio, card(text="甲"))
    assert "more than one page" in problem.message
    pages, sources = lone_pages([card(text="甲")]), Sources((templates, SHIPPED), None, None)
    with pytest.raises(InvalidSource) as caught:
        set_pages(pages, sources, "cards")
    assert "more than one page" in str(caught.value)


def test_variants_of_a_character_are_no_missing_glyph(studio: Studio) -> None:
    assert studio(card(text="辻\U000e0100")).problems == ()


def test_a_missing_template_names_the_nearest(studio: Studio) -> None:
    (problem,) = problems_of(studio, card(template="plain/crad.typ"))
    assert problem.hint == "Did you mean 'plain/card.typ'?"


def test_files_of_templates_that_are_too_large_are_not_read(
    studio: Studio, templates: Path
) -> None:
    (templates / "plain" / "huge.bin").touch()
    os.truncate(templates / "plain" / "huge.bin", 20_000_000_000)
    (problem,) = problems_of(studio, card())
    assert problem.where.file.endswith("huge.bin")
    assert "larger than 128 MiB" in problem.message


def test_a_font_that_is_not_shipped_is_a_warning_every_time(
    studio: Studio, templates: Path
) -> None:
    (templates / "plain" / "card.typ").write_text('#let face(values) = text(font: "Arial")[a]\n')
    for _ in range(2):
        (problem,) = studio(card()).problems
        assert (problem.severity, problem.where.line) == (Severity.WARNING, 1)
        assert "arial" in problem.message


def test_an_own_picture_is_shown(studio: Studio, tmp_path: Path) -> None:
    own_picture(tmp_path, "a.jpg", (60, 50), "lime")
    shown = showing("pictures/a.jpg")
    colour = pixels(studio(shown).images[shown]).getpixel((20, 20))
    assert colour == pytest.approx((0, 255, 0, 255), abs=2)


def test_what_is_shaded_only_looks_the_same_and_flat_drawings_lose_nothing(
    studio: Studio, tmp_path: Path
) -> None:
    grain = Image.frombytes("RGB", (256, 256), Random(1).randbytes(256 * 256 * 3))
    brought = {
        "photograph.png": grain.filter(ImageFilter.GaussianBlur(2)),
        "drawn.png": grain.filter(ImageFilter.ModeFilter(9)).point(
            lambda level: level // 128 * 255
        ),
    }
    different = {}
    for name, picture in brought.items():
        own_picture(tmp_path, name, (1, 1))
        picture.save(tmp_path / "game" / "pictures" / name)
        shown = replace(showing(f"pictures/{name}"), scale=25.6)
        found = pixels(studio(shown).images[shown]).convert("RGB")
        different[name] = ImageStat.Stat(ImageChops.difference(found, picture)).mean
    assert different["drawn.png"] == [0, 0, 0]
    assert 0 < max(different["photograph.png"]) < 3

    png, exact = io.BytesIO(), io.BytesIO()
    brought["photograph.png"].save(png, "PNG")
    brought["photograph.png"].save(exact, "WEBP", lossless=True)
    assert len(smallest(png.getvalue()).data) < len(exact.getvalue()) / 2


@pytest.mark.slow
def test_a_picture_with_more_pixels_than_a_face_shows_is_scaled_down_with_a_notice(
    studio: Studio, tmp_path: Path
) -> None:
    own_picture(tmp_path, "large.png", (3000, 3000), "lime")
    shown = showing("pictures/large.png")
    done = studio(shown)
    (notice,) = done.problems
    assert "large.png" in notice.message
    assert pixels(done.images[shown]).getpixel((20, 20)) == (0, 255, 0, 255)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["large.webp", "large.jpg", "large.png", "small.webp", "small.png"]
)
@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_a_picture_is_shown_whatever_format_its_name_promises(
    studio: Studio, tmp_path: Path, name: str, form: str
) -> None:
    """The layout engine goes by the name, people save from the web; large ones are scaled."""
    side = 1600 if name.startswith("large") else 40
    folder = tmp_path / "game" / "pictures"
    folder.mkdir(parents=True)
    Image.new("RGB", (side, side), "#2f6f8f").save(folder / name, form)
    shown = showing(f"pictures/{name}")
    painted = pixels(studio(shown).images[shown]).convert("RGB")
    drawn = Image.new("RGB", painted.size, "#2f6f8f")
    x, y = painted.width // 2, painted.height // 2
    inside = ImageChops.difference(painted, drawn).crop((x, y, x + 2, y + 2))
    assert max(inside.tobytes()) <= 3


@pytest.mark.parametrize(
    ("inside", "why"),
    [
        ('width="-5" height="5"/>', "or has no size"),
        ('width="0" height="5"/>', "or has no size"),
        ('width="5" height="5"><feTurbulence numOctaves="99999"/></svg>', "filter feTurbulence"),
        ('width="5" height="5"><image href="data:image/svg+xml,x"/></svg>', "outside itself"),
        ('width="5" height="5"><rect fill="URL(http://x/#a)"/></svg>', "outside itself"),
    ],
)
def test_a_drawing_that_cannot_be_drawn_is_blamed_itself(
    studio: Studio, tmp_path: Path, inside: str, why: str
) -> None:
    path = tmp_path / "game" / "pictures" / "none.svg"
    path.parent.mkdir(parents=True)
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" {inside}', encoding="utf-8")
    (problem,) = problems_of(studio, showing("pictures/none.svg"))
    assert problem.where.file.endswith("none.svg")
    assert why in problem.message


def test_own_pictures_that_cannot_be_shown_are_all_named(studio: Studio, tmp_path: Path) -> None:
    own_picture(tmp_path, "huge.png", (4001, 10))
    own_picture(tmp_path, "narrow.png", (600, 2))
    own_picture(tmp_path, "wide.png", (300, 100))
    own_picture(tmp_path, "whole.png", (300, 300))
    pictures = tmp_path / "game" / "pictures"
    (pictures / "text.png").write_text("no picture")
    (pictures / "cut.png").write_bytes((pictures / "whole.png").read_bytes()[:150])
    names = ["huge", "narrow", "wide", "text", "cut", "absent"]
    faces = [showing(f"pictures/{name}.png", line) for line, name in enumerate(names)]
    found = problems_of(studio, *faces, showing("../faces/plain/card.typ", 9))
    said = {(problem.where.file, problem.where.line): problem.message for problem in found}
    assert {problem.rule for problem in found} == {"FACE-PICTURE"}
    assert "4001 × 10 pixels" in said["game/pictures/huge.png", 0]
    assert "600 × 2 pixels" in said["game/pictures/narrow.png", 0]
    assert "3.00 times as wide as high" in said["cards.csv", 2]
    assert "This cannot be read as a picture." in said["game/pictures/text.png", 0]
    assert "damaged or incomplete" in said["game/pictures/cut.png", 0]
    assert "no file" in said["game/pictures/absent.png", 0]
    assert "outside" in said["cards.csv", 9]


@pytest.mark.parametrize(
    "template", ["../faces/plain/card.typ", "/etc/x.typ", "card.typ", "plain", ""]
)
def test_a_template_is_found_below_the_templates_only(studio: Studio, template: str) -> None:
    (problem,) = problems_of(studio, card(template=template))
    assert problem.message == (
        f"There is no face template {template!r}, which a style in game.yaml uses."
    )


@pytest.mark.parametrize(
    ("size", "scale", "said"),
    [
        ((500, 10), 10, "5000 × 100 pixels; a side may have at most 4000"),
        ((300, 1), 1, "300 × 1 pixels; the long side may be at most 256 times the short one"),
        ((0, 10), 4, "has no pixels"),
        ((10, float("inf")), 4, "has no pixels"),
        ((10, 10), float("nan"), "has no pixels"),
    ],
)
def test_a_size_that_the_client_cannot_bear_is_reported(
    studio: Studio, size: tuple[float, float], scale: float, said: str
) -> None:
    (problem,) = problems_of(studio, face("plain/card.typ", {}, size, scale=scale))
    assert said in problem.message


def test_a_large_picture_is_a_warning_unless_it_is_a_board(studio: Studio) -> None:
    (problem,) = studio(card(scale=80)).problems
    assert problem.severity is Severity.WARNING
    assert "800 × 800 pixels" in problem.message
    assert studio(card(scale=80, cells=[])).problems == ()


def test_a_picture_above_two_mebibytes_is_reported() -> None:
    limit = 2 * 1024 * 1024
    assert not list(check_bytes(card(), ImageFile(bytes(limit), "png")))
    assert list(check_bytes(card(), ImageFile(bytes(limit + 1), "png")))
