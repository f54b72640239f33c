"""The shape of print jobs (``sheets/*.yaml``) and of ``templates/sheets/papers.yaml``."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from exporter.schema import Free, Id, Naming, Pair, SelectionShape, Shape, Size, Word

Distance: TypeAlias = Annotated[float, Field(ge=0, le=1000, allow_inf_nan=False)]
Count: TypeAlias = Annotated[int, Field(ge=1, le=100)]


def _sides(value: Any) -> Any:
    """One number for all sides, two for height and width, or four: top, right, bottom, left."""
    if isinstance(value, list) and len(value) in (2, 4):
        return value * 2 if len(value) == 2 else value
    if isinstance(value, list):
        raise PydanticCustomError("sides", "allowed: one number, two or four, such as [5, 4, 5, 4]")
    return [value] * 4


def _both(value: Any) -> Any:
    return value if isinstance(value, list) else [value] * 2


Sides: TypeAlias = Annotated[tuple[Distance, Distance, Distance, Distance], BeforeValidator(_sides)]
Gap: TypeAlias = Annotated[tuple[Distance, Distance], BeforeValidator(_both)]


class LayoutShape(Shape):
    """How pieces lie on paper; every key may be left out."""

    preset: str | None = Field(None, description="a printer or a stock of paper")
    paper: str | None = Field(None, description="`a4`, `a3`, `letter` …")
    size: Size | None = Field(None, description="of the cut cards, in millimetres")
    grid: tuple[Count, Count] | None = Field(
        None, description="columns and rows; otherwise as many as fit"
    )
    gap: Gap | None = Field(
        None, description="between the cards, in millimetres; two numbers for across and down"
    )
    bleed: Distance | None = Field(
        None, description="how far the ground reaches beyond the cut, in millimetres"
    )
    cut: Literal["marks", "lines", "none"] | None = Field(None, description="lines to cut along")
    backs: Literal["none", "interleaved", "separate"] | None = Field(
        None,
        description="where the backs come: after each front, in a file of their own, or nowhere",
    )
    edge: Literal["long", "short"] | None = Field(
        None, description="the edge that the paper is turned on"
    )
    offset: Pair | None = Field(None, description="shifts the backs, in millimetres")
    overlap: Distance | None = Field(None, description="of the tiles of a board, in millimetres")


class PaperShape(Shape):
    """A paper: width and height in millimetres."""

    size: Size = Field(examples=[[210, 297]], description="width and height in millimetres")


class PresetShape(LayoutShape):
    """A preset: a layout with the margins of its printer, and what to say afterwards."""

    name: Word = Field(description="as the help has it")
    margin: Sides = Field((0, 0, 0, 0), description="what the printer leaves white, in millimetres")
    hint: str = Field("", description="what is said afterwards")


class StationeryShape(Shape):
    """The file of papers and presets."""

    papers: dict[Id, PaperShape] = Field(description="id → paper")
    presets: dict[Id, PresetShape] = Field(description="id → preset")


class GroundShape(Shape):
    """The template that draws a face's bleed."""

    template: Word = Field(description="below `templates/faces`; it draws the bleed")
    takes: list[Word] = Field([], description="the values that it takes of the face")


class ColumnShape(Shape):
    """A column of a list."""

    title: str = Field(description="its heading")
    field: Word = Field(description="its field; several joined by `+`")
    width: Distance = Field(0, description="in millimetres, or none")


class SheetShape(LayoutShape):
    """A file of sheets/: one print job."""

    id: Id = Field(description="of the job; it names the file")
    name: Naming = Field(description="stands on the margin and is the file's title")
    lay: Literal["cards", "mechs", "boards", "face", "pawns", "dial", "box", "document"] = Field(
        description="what is laid"
    )
    decks: bool = Field(
        False, description="every card of the printed decks, as often as they hold it"
    )
    cards: SelectionShape | None = Field(None, description="which cards")
    ground: GroundShape | None = Field(None, description="what draws the bleed")
    face: str = Field("", description="face style, for what has no kind of card")
    back: str = Field("", description="face style of the other side")
    boards: list[str] = Field(
        [], description="boards, or compositions such as `A+J2+B`; otherwise all, one by one"
    )
    document: str = Field(
        "",
        description="of `templates/sheets`: `list`, `rulings`, `leaflet`, `forms`, `calibration`",
    )
    columns: list[ColumnShape] = Field([], description="of a list")
    by: list[Word] = Field([], description="the fields that a list is grouped by")
    words: dict[str, str] = Field(
        {},
        description="how values read in lists: `rank=B: Bランク`, or `card: カード` anywhere",
    )
    notes: list[Word] = Field([], description="notes of the game, for a `leaflet`")
    icons: str = Field(
        "", description="the style's file that draws the marks in texts: `mine/icons.typ`"
    )
    values: dict[str, Free] = Field(
        {},
        description="whatever the face or document needs besides; `${…}` is a figure of the mech",
    )
