"""Save ink: redraw pages in greys, with outlines in place of large filled areas.

Works on the operators of a finished page, for any template. Light objects on a dark area that
becomes white are made dark, so that they stay readable.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import pikepdf
from msgspec import Struct, field
from msgspec.structs import replace
from pikepdf import Matrix

from exporter.core.file_writer import file_bytes
from exporter.printing.colours import luminance
from exporter.printing.sheet_pages import POINTS

# Area in mm² from which a filled shape is left white.
LARGE = 25.0

# Size in points above which a sign is a picture, and is left white like a large area.
LARGE_SIGN = 40.0

# Luminance above which an area counts as white.
PALE = 0.82

# Luminance below which an area counts as a dark ground.
DARK = 0.45

# Contrast below which something on a dark area counts as a pattern.
FAINT = 1.6

# Width of the outlines in points; ``OUTLINE_GREY`` is their colour.
OUTLINE = 0.45

OUTLINE_GREY = 0.35

# JPEG quality of photographs in grey.
QUALITY = 90

# The luminance that a pattern is taken for.
_UNKNOWN = 0.4

# Operators that choose a colour, and those that paint a path.
COLOURS = {"cs", "CS", "scn", "sc", "rg", "g", "SCN", "SC", "RG", "G", "sh"}
PAINTS_PATH = {"f", "F", "f*", "B", "B*", "b", "b*", "S", "s"}


class _InkArea(NamedTuple):
    """A painted area: its box in points, its luminance before and now."""

    box: tuple[float, float, float, float]
    was: float
    now: float

    @property
    def lost(self) -> bool:
        """Return whether the area was dark and is white now."""
        return self.now > PALE and self.was < DARK


class _State(Struct, frozen=True):
    """What an operator may change for those after it; ``mode`` is how letters are painted."""

    matrix: Matrix = Matrix()
    fill: float | None = 0.0
    stroke: float | None = 0.0
    text_size: float = 0.0
    mode: int = 0


class Walk(Struct):
    """Where operators of a page are: state, path, areas painted, and place of the text."""

    state: _State = field(default_factory=_State)
    kept: list[_State] = field(default_factory=list)
    points: list[tuple[float, float]] = field(default_factory=list)
    areas: list[_InkArea] = field(default_factory=list)
    text: Matrix = Matrix()

    def area_at(self, x: float, y: float) -> _InkArea | None:
        """Return the topmost area at a point."""
        for area in reversed(self.areas):
            left, bottom, right, top = area.box
            if left <= x <= right and bottom <= y <= top:
                return area
        return None


def walked(drawn: Any) -> Iterator[tuple[str, Any, Walk]]:
    """Yield the operators of a page or form, each as a word and whole, and where they have led."""
    walk = Walk()
    for instruction in pikepdf.parse_content_stream(drawn):
        operator = str(instruction.operator)
        _follow(walk, operator, list(instruction.operands))
        yield operator, instruction, walk


def _light(operands: list[Any]) -> float | None:
    """Return the luminance of a grey or RGB colour, from 0 to 1; ``None`` for a pattern."""
    try:
        parts = [round(float(part) * 255) for part in operands]
    except (TypeError, ValueError):
        return None
    if len(parts) == 1:
        parts *= 3
    return luminance((parts[0], parts[1], parts[2])) if len(parts) == 3 else None


# What operators change of the state, by their operands.
_CHANGES: Mapping[str, Callable[[list[Any]], dict[str, Any]]] = {
    **dict.fromkeys(("scn", "sc", "rg", "g"), lambda colour: {"fill": _light(colour)}),
    **dict.fromkeys(("SCN", "SC", "RG", "G"), lambda colour: {"stroke": _light(colour)}),
    "Tf": lambda font: {"text_size": float(font[1])},
    "Tr": lambda mode: {"mode": int(mode[0])},
}


def _grey(light: float) -> float:
    """Convert a luminance to an sRGB grey, both from 0 to 1."""
    grey = 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
    return round(float(grey), 4)


def _grey_at(walk: Walk, light: float | None, x: float, y: float) -> float:
    """Return the grey to paint with at a point: dark where a dark ground became white."""
    return _grey(_shown(walk, light, x, y))


def _shown(walk: Walk, light: float | None, x: float, y: float) -> float:
    here, area = _UNKNOWN if light is None else light, walk.area_at(x, y)
    if area is None or not area.lost or here <= area.was:
        return here
    stood_out = (here + 0.05) / (area.was + 0.05) >= FAINT
    return 0.0 if stood_out else 0.7


def save_ink(pdf: Any, drawn: Any, greys: dict[tuple[int, int], Any]) -> Any:
    """Redraw a page with little ink, or return such a copy of a form, with images in grey.

    ``greys`` caches converted images by object number, for further pages.
    """
    made: list[Any] = []

    def put(operator: str, *operands: Any) -> None:
        made.append(pikepdf.ContentStreamInstruction(list(operands), pikepdf.Operator(operator)))

    for operator, instruction, walk in walked(drawn):
        if operator in COLOURS:
            continue
        if operator in PAINTS_PATH:
            _paint(walk, operator, put)
            walk.points = []
            continue
        if operator in ("Tj", "TJ"):
            state = walk.state
            placed = walk.text @ state.matrix
            height = state.text_size * math.hypot(placed.c, placed.d)
            if height > LARGE_SIGN:
                _put_outline(put, OUTLINE * state.text_size / height)
                put("Tr", 2)
                made.append(instruction)
                put("Tr", 0)
                continue
            # A letter's middle is a little right of and above its origin.
            place = walk.text.transform((2, 2))
            put("g", _grey_at(walk, state.fill, *place))
            put("G", _grey_at(walk, state.stroke, *place))
        if operator == "n":
            walk.points = []
        made.append(instruction)
    return rewritten(pdf, drawn, made, _in_greys(pdf, shown_by(drawn), greys))


def _put_outline(put: Any, width: float) -> None:
    put("g", 1)
    put("G", OUTLINE_GREY)
    put("w", width)


def _follow(walk: Walk, operator: str, operands: list[Any]) -> None:
    """Update state, path and text position by an operator."""
    if operator in _CHANGES:
        walk.state = replace(walk.state, **_CHANGES[operator](operands))
    match operator:
        case "q":
            walk.kept.append(walk.state)
        case "Q":
            walk.state = walk.kept.pop() if walk.kept else _State()
        case "cm":
            matrix = Matrix(*map(float, operands)) @ walk.state.matrix
            walk.state = replace(walk.state, matrix=matrix)
        case "m" | "l" | "c":
            numbers = [float(part) for part in operands]
            pairs = zip(numbers[::2], numbers[1::2], strict=True)
            walk.points += map(walk.state.matrix.transform, pairs)
        case "re":
            x, y, width, height = (float(part) for part in operands)
            corners = ((x, y), (x + width, y + height))
            walk.points += map(walk.state.matrix.transform, corners)
        case "Tm":
            walk.text = Matrix(*map(float, operands)) @ walk.state.matrix


def _paint(walk: Walk, operator: str, put: Any) -> None:
    """Paint the current path in grey, or as an outline where it is large."""
    if not walk.points:
        put("n")
        return
    xs, ys = zip(*walk.points, strict=True)
    box = min(xs), min(ys), max(xs), max(ys)
    middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    fill, stroke = walk.state.fill, walk.state.stroke
    if operator in ("S", "s"):
        put("G", _grey_at(walk, stroke, *middle))
        put(operator)
        return
    is_large = (box[2] - box[0]) * (box[3] - box[1]) / POINTS**2 >= LARGE
    was, below = _UNKNOWN if fill is None else fill, walk.area_at(*middle)
    if is_large and (was <= PALE or (below is not None and below.lost)):
        _put_outline(put, OUTLINE)
        put("B*" if operator.endswith("*") else "B")
        walk.areas.append(_InkArea(box, was, 1))
        return
    now = 1.0 if is_large else _shown(walk, fill, *middle)
    walk.areas.append(_InkArea(box, was, now))
    put("g", _grey(now))
    if operator.lower().startswith("b"):
        put("G", _grey_at(walk, stroke, *middle))
    put(operator)


def _in_greys(pdf: Any, shown: dict[str, Any], greys: dict[tuple[int, int], Any]) -> dict[str, Any]:
    """Return ink-saving copies of forms and images."""
    made = {}
    for name, item in shown.items():
        if item.get("/Subtype") == "/Form":
            made[name] = save_ink(pdf, item, greys)
        else:
            if item.objgen not in greys:
                greys[item.objgen] = _in_grey(pdf, item)
            made[name] = greys[item.objgen]
    return made


def _in_grey(pdf: Any, image: Any) -> Any:
    """Return an image in grey, with its compression and transparency mask."""
    grey = pikepdf.PdfImage(image).as_pil_image().convert("L")
    data, packed = grey.tobytes(), {}
    if image.get("/Filter") == "/DCTDecode":
        data = file_bytes(grey, "JPEG", quality=QUALITY)
        packed = {"Filter": pikepdf.Name.DCTDecode}
    made = image_stream(pdf, grey, data, ColorSpace=pikepdf.Name.DeviceGray, **packed)
    for key in ("/SMask", "/Interpolate"):
        if key in image:
            made[key] = image[key]
    return made


def image_stream(pdf: Any, image: Any, data: bytes, **packed: Any) -> Any:
    """Return an image of a PDF, with its ``data`` as they are ``packed``."""
    return pdf.make_stream(
        data,
        Type=pikepdf.Name.XObject,
        Subtype=pikepdf.Name.Image,
        Width=image.width,
        Height=image.height,
        BitsPerComponent=8,
        **packed,
    )


def rewritten(pdf: Any, drawn: Any, instructions: list[Any], shown: dict[str, Any]) -> Any:
    """Give a page other ``instructions`` and ``shown`` forms and images; return a form's copy."""
    stream = pdf.make_stream(pikepdf.unparse_content_stream(instructions))
    resources = pikepdf.Dictionary(drawn.get("/Resources", {}))
    if shown:
        resources.XObject = pikepdf.Dictionary(shown)
    if drawn.get("/Type") == "/Page":
        drawn.Contents, drawn.Resources = stream, resources
        return drawn
    for key in ("/Type", "/Subtype", "/BBox", "/Matrix", "/Group"):
        if key in drawn:
            stream[key] = drawn[key]
    stream.Resources = resources
    return stream


def shown_by(drawn: Any) -> dict[str, Any]:
    """Return the forms and images of a page or form by name."""
    return dict(drawn.get("/Resources", {}).get("/XObject", {}))
