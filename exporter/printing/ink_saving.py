"""Save ink: redraw pages in greys, with outlines in place of large filled areas.

Works on the operators of a finished page, for any template. Light objects on a dark area that
becomes white are made dark, so that they stay readable.
"""

from __future__ import annotations

import math
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
    matrix: Matrix = Matrix()
    fill: float | None = 0.0
    stroke: float | None = 0.0


class Walk(Struct):
    """Where operators of a page are: state, path, areas painted, and place of the text."""

    state: _State = field(default_factory=_State)
    kept: list[_State] = field(default_factory=list)
    points: list[tuple[float, float]] = field(default_factory=list)
    areas: list[_InkArea] = field(default_factory=list)
    text: Matrix = Matrix()


def _light(operands: list[Any]) -> float | None:
    """Return the luminance of a grey or RGB colour, from 0 to 1; ``None`` for a pattern."""
    try:
        parts = [round(float(part) * 255) for part in operands]
    except (TypeError, ValueError):
        return None
    if len(parts) == 1:
        parts *= 3
    return luminance((parts[0], parts[1], parts[2])) if len(parts) == 3 else None


def _grey(light: float) -> float:
    """Convert a luminance to an sRGB grey, both from 0 to 1."""
    return float(12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055)


def _holds(box: tuple[float, float, float, float], place: tuple[float, float]) -> bool:
    left, bottom, right, top = box
    return left <= place[0] <= right and bottom <= place[1] <= top


def _shown(walk: Walk, light: float | None, x: float, y: float) -> float:
    """Return the luminance to paint with at a point: dark where a dark ground became white."""
    here = 0.4 if light is None else light
    for area in reversed(walk.areas):
        if _holds(area.box, (x, y)):
            if area.lost and here > area.was:
                stood_out = (here + 0.05) / (area.was + 0.05) >= FAINT
                return 0.0 if stood_out else 0.7
            break
    return here


def save_ink(pdf: Any, drawn: Any, greys: dict[tuple[int, int], Any]) -> Any:
    """Redraw a page with little ink, or return such a copy of a form, with images in grey.

    ``greys`` caches converted images by object number, for further pages.
    """
    walk, text_size = Walk(), 0.0
    made: list[Any] = []

    def put(operator: str, *operands: Any) -> None:
        made.append(pikepdf.ContentStreamInstruction(list(operands), pikepdf.Operator(operator)))

    for instruction in pikepdf.parse_content_stream(drawn):
        operator = str(instruction.operator)
        follow(walk, operator, list(instruction.operands))
        if operator == "Tf":
            text_size = float(instruction.operands[1])
        if operator in ("cs", "CS", "scn", "sc", "rg", "g", "SCN", "SC", "RG", "G", "sh"):
            continue
        if operator in ("f", "F", "f*", "B", "B*", "b", "b*", "S", "s"):
            _paint(walk, operator, put)
            walk.points = []
            continue
        if operator in ("Tj", "TJ"):
            placed = walk.text @ walk.state.matrix
            height = text_size * math.hypot(placed.c, placed.d)
            if height > LARGE_SIGN:
                put("g", 1)
                put("G", OUTLINE_GREY)
                put("w", OUTLINE * text_size / height)
                put("Tr", 2)
                made.append(instruction)
                put("Tr", 0)
                continue
            # A letter's middle is a little right of and above its origin.
            place = walk.text.transform((2, 2))
            put("g", round(_grey(_shown(walk, walk.state.fill, *place)), 4))
            put("G", round(_grey(_shown(walk, walk.state.stroke, *place)), 4))
        if operator == "n":
            walk.points = []
        made.append(instruction)
    return rewritten(pdf, drawn, made, _in_greys(pdf, shown_by(drawn), greys))


def follow(walk: Walk, operator: str, operands: list[Any]) -> None:
    """Update matrix, colours, path and text position by an operator."""
    match operator:
        case "q":
            walk.kept.append(walk.state)
        case "Q":
            walk.state = walk.kept.pop() if walk.kept else _State()
        case "cm":
            matrix = Matrix(*map(float, operands)) @ walk.state.matrix
            walk.state = replace(walk.state, matrix=matrix)
        case "scn" | "sc" | "rg" | "g":
            walk.state = replace(walk.state, fill=_light(operands))
        case "SCN" | "SC" | "RG" | "G":
            walk.state = replace(walk.state, stroke=_light(operands))
        case "m" | "l":
            x, y = map(float, operands)
            walk.points.append(walk.state.matrix.transform((x, y)))
        case "c":
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
    xs, ys = [x for x, _ in walk.points], [y for _, y in walk.points]
    box = min(xs), min(ys), max(xs), max(ys)
    middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    if operator in ("S", "s"):
        put("G", round(_grey(_shown(walk, walk.state.stroke, *middle)), 4))
        put(operator)
        return
    fill = walk.state.fill
    size = (box[2] - box[0]) * (box[3] - box[1]) / POINTS**2
    was = 0.4 if fill is None else fill
    below = next((area for area in reversed(walk.areas) if _holds(area.box, middle)), None)
    if size >= LARGE and (was <= PALE or (below is not None and below.lost)):
        put("g", 1)
        put("G", OUTLINE_GREY)
        put("w", OUTLINE)
        put("B*" if operator.endswith("*") else "B")
        walk.areas.append(_InkArea(box, was, 1))
        return
    now = 1.0 if size >= LARGE else _shown(walk, fill, *middle)
    walk.areas.append(_InkArea(box, was, now))
    put("g", round(_grey(now), 4))
    if operator.lower().startswith("b"):
        put("G", round(_grey(_shown(walk, walk.state.stroke, *middle)), 4))
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
