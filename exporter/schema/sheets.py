"""The shape of print jobs (``sheets/*.yaml``) and of ``templates/sheets/papers.yaml``."""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta

from exporter.schema.shape import NUMBERS, Count, Free, Id, Naming, Shape, Short, Size, Word
from exporter.schema.things import SelectionShape

Distance: TypeAlias = Annotated[float, Meta(ge=0, le=1000)]
Cut: TypeAlias = Annotated[float, Meta(ge=1, le=1000)]
Shift: TypeAlias = Annotated[float, Meta(ge=-1000, le=1000)]


def _sides(value: Any) -> Any:
    """One number for all sides, two for height and width, or four: top, right, bottom, left."""
    if isinstance(value, list):
        return value * 2 if len(value) == 2 else value
    return [value] * 4


def _both(value: Any) -> Any:
    return value if isinstance(value, list) else [value] * 2


Sides: TypeAlias = Annotated[
    tuple[Distance, Distance, Distance, Distance],
    Short(_sides, {"anyOf": [{"type": "number"}, NUMBERS]}),
    Meta(examples=[[5, 4, 5, 4]]),
]
Gap: TypeAlias = Annotated[tuple[Distance, Distance], Short(_both, {"type": "number"})]


class LayoutShape(Shape):
    """How pieces lie on paper; every key may be left out."""

    preset: Annotated[str | None, Meta(description="a printer or a stock of paper")] = None
    paper: Annotated[str | None, Meta(description="`a4`, `a3`, `letter` …")] = None
    size: Annotated[
        tuple[Cut, Cut] | None, Meta(description="of the cut cards, in millimetres")
    ] = None
    grid: Annotated[
        tuple[Count, Count] | None, Meta(description="columns and rows; otherwise as many as fit")
    ] = None
    gap: Annotated[
        Gap | None,
        Meta(description="between the cards, in millimetres; two numbers for across and down"),
    ] = None
    bleed: Annotated[
        Annotated[float, Meta(ge=0, le=20)] | None,
        Meta(description="how far the ground reaches beyond the cut, in millimetres"),
    ] = None
    cut: Annotated[
        Literal["marks", "lines", "none"] | None, Meta(description="lines to cut along")
    ] = None
    backs: Annotated[
        Literal["none", "interleaved", "separate"] | None,
        Meta(
            description="where the backs come: after each front, in a file of their own, or nowhere"
        ),
    ] = None
    edge: Annotated[
        Literal["long", "short"] | None, Meta(description="the edge that the paper is turned on")
    ] = None
    offset: Annotated[
        tuple[Shift, Shift] | None, Meta(description="shifts the backs, in millimetres")
    ] = None
    overlap: Annotated[
        Annotated[float, Meta(ge=0, le=50)] | None,
        Meta(description="of the tiles of a board, in millimetres"),
    ] = None


class PaperShape(Shape):
    """A paper: width and height in millimetres."""

    size: Annotated[
        Size, Meta(examples=[[210, 297]], description="width and height in millimetres")
    ]


class PresetShape(LayoutShape, kw_only=True):
    """A preset: a layout with the margins of its printer, and what to say afterwards."""

    name: Annotated[Word, Meta(description="as the help has it")]
    margin: Annotated[Sides, Meta(description="what the printer leaves white, in millimetres")] = (
        0,
        0,
        0,
        0,
    )
    hint: Annotated[str, Meta(description="what is said afterwards")] = ""


class StationeryShape(Shape):
    """The file of papers and presets."""

    papers: Annotated[dict[Id, PaperShape], Meta(description="id → paper")] = {}
    presets: Annotated[dict[Id, PresetShape], Meta(description="id → preset")] = {}


class ColumnShape(Shape):
    """A column of a list."""

    title: Annotated[str, Meta(description="its heading")]
    field: Annotated[Word, Meta(description="its field; several joined by `+`")]
    width: Annotated[Distance, Meta(description="in millimetres, or none")] = 0


class SheetShape(LayoutShape, kw_only=True):
    """A file of sheets/: one print job."""

    id: Annotated[Id, Meta(description="of the job; it names the file")]
    name: Annotated[Naming, Meta(description="stands on the margin and is the file's title")]
    lay: Annotated[
        Literal["cards", "mechs", "boards", "face", "pawns", "dial", "box", "document"],
        Meta(description="what is laid"),
    ]
    decks: Annotated[
        bool, Meta(description="every card of the printed decks, as often as they hold it")
    ] = False
    cards: Annotated[SelectionShape | None, Meta(description="which cards")] = None
    ground: Annotated[
        str,
        Meta(
            examples=["plain/ground.typ"],
            description="the template below `templates/faces` that draws a face's bleed",
        ),
    ] = ""
    face: Annotated[str, Meta(description="face style, for what has no kind of card")] = ""
    back: Annotated[str, Meta(description="face style of the other side")] = ""
    boards: Annotated[
        list[str],
        Meta(description="boards, or compositions such as `A+J2+B`; otherwise all, one by one"),
    ] = []
    document: Annotated[
        Literal["list", "rulings", "leaflet", "forms", "calibration"] | None,
        Meta(
            description="`list`, `rulings`, `leaflet`, `forms`, `calibration` of `templates/sheets`"
        ),
    ] = None
    columns: Annotated[list[ColumnShape], Meta(description="of a list")] = []
    by: Annotated[list[Word], Meta(description="the fields that a list is grouped by")] = []
    words: Annotated[
        dict[str, str],
        Meta(description="how values read in lists: `rank=B: Bランク`, or `card: カード` anywhere"),
    ] = {}
    notes: Annotated[list[Word], Meta(description="notes of the game, for a `leaflet`")] = []
    icons: Annotated[
        str, Meta(description="the style's file that draws the marks in texts: `mine/icons.typ`")
    ] = ""
    values: Annotated[
        dict[str, Free],
        Meta(description="what the face or document needs besides; `${…}` is a figure of the mech"),
    ] = {}
