"""Check faces as printed: contrast, text sizes, and values that must look different.

Letters are read from the PDF with their colour, size and position; the ground under them is the
same page rendered without its letters. Findings are warnings that name template and field.
"""

from __future__ import annotations

import ctypes
import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import combinations, groupby, product
from math import floor
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from PIL import ImageChops, ImageFilter
from pypdfium2 import raw

from exporter.core import first_by, grouped
from exporter.core.messages import Sentence, sentence
from exporter.core.problems import (
    Problem,
    warning_at,
)
from exporter.faces.card_faces import Face, canonical
from exporter.faces.style_values import declarations
from exporter.printing.colours import (
    VISIONS,
    Colour,
    contrast,
    lab_distance,
)
from exporter.printing.pdf_sheets import (
    Sources,
    lone_pages,
    set_pages,
)
from exporter.printing.sheet_pages import POINTS, Page, pdf_pages

CONTRAST = "LOOK-CONTRAST"
SIZE = "LOOK-SIZE"
ALIKE = "LOOK-ALIKE"
APART = "LOOK-APART"

# Contrast ratio of WCAG 2.1, level AA, for text.
LEAST_CONTRAST = 4.5

LEAST_CONTRAST_LARGE = 3.0
# Height in mm from which text counts as large: 14 points, bold.
LARGE = 4.9

# The least em on paper, in mm: 4.8 points.
SMALLEST = 1.7

# Fields whose values must look different on a face in every kind of colour vision.
TELLING = ("rank", "team")

# The least CIE76 difference; 2.3 is just noticeable side by side, but cards lie apart.
DIFFERENT = 10.0

# The least share of a face's pixels that must look different.
LEAST_SHARE = 0.01

# Pixels per mm for rendering the ground under letters.
SHARP = 6.0

# Cards are compared so many pixels wide, blurred by so many; a pixel differs by such a share.
SMALL, BLUR, CHANGED = 100, 1.5, 0.12

# The least share of changed pixels: of any two cards of a kind, and in the median of all.
LEAST_NEAREST, LEAST_MEDIAN = 0.06, 0.10

# The band of a face whose template declares none.
WHOLE = (0.1, 0.9)

# Pixels per mm for comparing whole faces.
COARSE = 1.0


class Letter(Struct, frozen=True):
    """A letter on a face: its colour, size in mm, and the colour of the ground under it."""

    character: str
    colour: Colour
    ground: Colour
    size: float


def _set(faces: Sequence[Face], sources: Sources, *, bare: bool = False) -> Iterator[Any]:
    """Set a page of a PDF for each face; ``bare`` leaves out the letters."""
    data, _ = set_pages(lone_pages(faces), sources, "looks", bare=bare)
    return pdf_pages(data)


def _letters(page: Any, ground: Any, height: float, printed: float) -> Iterator[Letter]:
    with closing(page.get_textpage()) as text:
        for index in range(text.count_chars()):
            character = chr(raw.FPDFText_GetUnicode(text, index))
            is_icon = unicodedata.category(character) in ("Co", "Cs")
            parts = [ctypes.c_uint() for _ in range(4)]
            has_colour = raw.FPDFText_GetFillColor(text, index, *parts)
            if is_icon or not character.strip() or not has_colour:
                continue
            matrix = raw.FS_MATRIX()
            raw.FPDFText_GetMatrix(text, index, matrix)
            scale = (abs(matrix.a * matrix.d - matrix.b * matrix.c)) ** 0.5
            size = raw.FPDFText_GetFontSize(text, index) * scale / POINTS * printed
            left, bottom, right, top = (side / POINTS for side in text.get_charbox(index))
            under = _under(ground, (left, height - top, right, height - bottom))
            if under is not None:
                red, green, blue = (int(part.value) for part in parts[:3])
                yield Letter(character, (red, green, blue), under, size)


def _under(ground: Any, box: tuple[float, float, float, float]) -> Colour | None:
    """Return the most frequent colour of a ground within a box in mm."""
    left, top, right, bottom = (round(side * SHARP) for side in box)
    within = (max(left, 0), max(top, 0), min(right, ground.width), min(bottom, ground.height))
    if within[0] >= within[2] or within[1] >= within[3]:
        return None
    colours = ground.crop(within).getcolors((right - left) * (bottom - top))
    red, green, blue = max(colours)[1]
    return red, green, blue


def _field(values: dict[str, Any], text: str) -> str:
    """Return the field with the shortest value that contains ``text``, or an empty string."""
    found = {}
    for name, value in values.items():
        whole = "".join(json.dumps(value, ensure_ascii=False).split())
        if name not in ("key", "picture", "side") and text in whole:
            found[name] = len(whole)
    return min(found, key=lambda name: found[name], default="")


def _shortcomings(letter: Letter) -> Iterator[tuple[str, str, float, float]]:
    """Yield rule and key of what is wrong with a letter, what was found, and the least allowed."""
    seen = contrast(letter.colour, letter.ground)
    least = LEAST_CONTRAST_LARGE if letter.size >= LARGE else LEAST_CONTRAST
    # Letters in the colour of their ground are outlines of other letters, not text.
    if 1.05 < seen < least:
        yield CONTRAST, "faint", seen, least
    if letter.size < SMALLEST:
        yield SIZE, "small", letter.size, SMALLEST


def printed_scales(pages: Iterable[Page]) -> dict[Face, float]:
    """Map every distinct face and ground of the pages to its smallest printed scale."""
    found: dict[Face, float] = {}
    for page in pages:
        for spot in page.spots:
            width = spot.box.height if spot.turn % 180 else spot.box.width
            scale = width / spot.face.width
            found[spot.face] = min(scale, found.get(spot.face, scale))
            if spot.ground is not None:
                found.setdefault(spot.ground, 1)
    return found


def check_texts(scales: Mapping[Face, float], sources: Sources) -> list[Problem]:
    """Warn of letters with too little contrast to their ground, and of letters too small."""
    faces = list(scales)
    worst = _worst(scales, _set(faces, sources), _set(faces, sources, bare=True))
    return [
        warning_at(
            face.where,
            rule,
            key,
            template=template,
            field=field or sentence("LOOK", "own-text"),
            value=value,
            character=letter.character,
            least=least,
            size=letter.size,
            colour=f"#{bytes(letter.colour).hex()}",
            ground=f"#{bytes(letter.ground).hex()}",
        )
        for (rule, key, template, field), (value, least, face, letter) in sorted(
            worst.items(), key=lambda item: item[0]
        )
    ]


def _worst(
    scales: Mapping[Face, float], whole: Iterable[Any], bare: Iterable[Any]
) -> dict[tuple[str, str, str, str], tuple[float, float, Face, Letter]]:
    """Return the worst letter below the limit, by rule, key, template and field."""
    worst: dict[tuple[str, str, str, str], tuple[float, float, Face, Letter]] = {}
    for (face, printed), page, under in zip(scales.items(), whole, bare, strict=True):
        ground = under.render(scale=SHARP / POINTS).to_pil().convert("RGB")
        values = json.loads(face.values)
        letters = _letters(page, ground, face.height, printed)
        # Letters of equal colour and size are a word, or a line.
        for _, alike in groupby(letters, lambda each: (each.colour, round(each.size, 2))):
            run, field = list(alike), ""
            for letter in run:
                for rule, key, value, least in _shortcomings(letter):
                    field = field or _field(values, "".join(each.character for each in run))
                    kind = rule, key, face.template, field
                    if value < worst.get(kind, (1e9,))[0]:
                        worst[kind] = value, least, face, letter
    return worst


def check_apart(faces: Sequence[Face], sources: Sources) -> list[Problem]:
    """Warn of values of the fields in ``TELLING`` that look alike in some kind of colour vision.

    One face of each template is rendered with each value of the field, all else equal.
    """
    problems = []
    for template, alike in grouped(faces, lambda face: face.template).items():
        for field in TELLING:
            values = ((json.loads(face.values).get(field), face) for face in alike)
            named = (each for each in values if each[0] and isinstance(each[0], str))
            shown = first_by(named, lambda each: str(each[0]))
            if len(shown) < 2:
                continue
            _value, first = next(iter(shown.values()))
            rest = json.loads(first.values)
            drawn = [replace(first, values=canonical(rest | {field: value})) for value in shown]
            pages = _set(drawn, sources)
            pictures = dict(zip(shown, map(_colours, pages), strict=True))
            for (one, other), vision in product(combinations(pictures, 2), VISIONS):
                share, most = _apart(pictures[one], pictures[other], vision)
                if share < LEAST_SHARE:
                    problem = warning_at(
                        first.where,
                        APART,
                        "alike",
                        template=template,
                        field=field,
                        one=one,
                        other=other,
                        vision=sentence("vision", vision.replace(" ", "-")),
                        share=share,
                        most=most,
                    )
                    problems.append(problem)
    return problems


def _colours(page: Any) -> list[Colour]:
    data = page.render(scale=COARSE / POINTS).to_pil().convert("RGB").tobytes()
    return list(zip(data[::3], data[1::3], data[2::3], strict=True))


def _apart(one: Sequence[Colour], other: Sequence[Colour], vision: str) -> tuple[float, float]:
    """Return the share of pixels that look different, and the largest CIE76 difference."""
    found = [lab_distance(a, b, vision) if a != b else 0.0 for a, b in zip(one, other, strict=True)]
    return sum(value >= DIFFERENT for value in found) / len(found), max(found)


def check_small(faces: Iterable[Face], sources: Sources) -> tuple[list[Problem], list[Sentence]]:
    """Compare the cards of each kind, 100 pixels wide, grey and blurred, in their picture's band.

    Warn of kinds whose cards look alike, and say of each kind how much of the picture differs: for
    the nearest two, and for two in the middle. Left out are series, and kinds of a single card.
    """
    kinds: dict[str, list[Face]] = {}
    for face in faces:
        if face.size_group is not None and not face.size_group.is_series:
            kinds.setdefault(face.size_group.name.partition(" ")[0], []).append(face)
    problems: list[Problem] = []
    remarks: list[Sentence] = []
    for kind, alike in kinds.items():
        bands, _ = declarations({face.template for face in alike})
        small = []
        for face, page in zip(alike, _set(alike, sources), strict=True):
            scale = SMALL / face.width / POINTS
            grey = page.render(scale=scale).to_pil().convert("L")
            top, bottom = bands[face.template].band if face.template in bands else WHOLE
            box = (0, round(top * grey.height), grey.width, round(bottom * grey.height))
            small.append(grey.filter(ImageFilter.GaussianBlur(BLUR)).crop(box))
        shares = []
        for (one, a), (other, b) in combinations(zip(alike, small, strict=True), 2):
            if one.where != other.where:  # or it is one card, as rows of decks change it
                counts = ImageChops.difference(a, b.resize(a.size)).histogram()
                shares.append((sum(counts[round(CHANGED * 255) + 1 :]) / sum(counts), one, other))
        if not shares:
            continue
        shares.sort(key=lambda each: each[0])
        nearest, *pair = shares[0]
        median = shares[len(shares) // 2][0]
        remarks.append(sentence("printed", "small", kind=kind, nearest=nearest, median=median))
        one, other = (json.loads(face.values).get("name", "".join(face.name[-1:])) for face in pair)
        words = {"kind": kind, "one": one, "other": other}
        for key, share, least in (
            ("alike", nearest, LEAST_NEAREST),
            ("dull", median, LEAST_MEDIAN),
        ):
            if share < least:
                words["share"] = floor(share * 1000) / 1000  # 5.96% is not said to be 6.0%
                problems.append(warning_at(pair[1].where, ALIKE, key, least=least, **words))
    return problems, remarks


def check_looks(scales: Mapping[Face, float], sources: Sources) -> tuple[Problem, ...]:
    """Warn of everything hard to read or to distinguish on faces printed at these scales.

    Raises ``InvalidSource`` for faces that cannot be set.
    """
    if not scales:
        return ()
    return (*check_texts(scales, sources), *check_apart(list(scales), sources))
