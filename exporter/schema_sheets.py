"""The shape of print jobs (``sheets/*.yaml``) and of ``templates/sheets/papers.yaml``."""

# ruff: noqa: RUF012  (pydantic copies each default)

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

    preset: str | None = None
    paper: str | None = None
    size: Size | None = None
    grid: tuple[Count, Count] | None = None
    gap: Gap | None = None
    bleed: Distance | None = None
    cut: Literal["marks", "lines", "none"] | None = None
    backs: Literal["none", "interleaved", "separate"] | None = None
    edge: Literal["long", "short"] | None = None
    offset: Pair | None = None
    overlap: Distance | None = None


class PaperShape(Shape):
    """A paper: width and height in millimetres."""

    size: Size = Field(examples=[[210, 297]])


class PresetShape(LayoutShape):
    """A preset: a layout with the margins of its printer, and what to say afterwards."""

    name: Word
    margin: Sides = (0, 0, 0, 0)
    hint: str = ""


class StationeryShape(Shape):
    """The file of papers and presets."""

    papers: dict[Id, PaperShape]
    presets: dict[Id, PresetShape]


class GroundShape(Shape):
    """The template that draws a face's bleed."""

    template: Word
    takes: list[Word] = []


class ColumnShape(Shape):
    """A column of a list."""

    title: str
    field: Word
    width: Distance = 0


class SheetShape(LayoutShape):
    """A file of sheets/: one print job."""

    id: Id
    name: Naming
    lay: Literal["cards", "mechs", "boards", "face", "pawns", "dial", "box", "document"]
    decks: bool = False
    cards: SelectionShape | None = None
    ground: GroundShape | None = None
    face: str = ""
    back: str = ""
    boards: list[str] = []
    document: str = ""
    columns: list[ColumnShape] = []
    by: list[Word] = []
    words: dict[str, str] = {}
    notes: list[Word] = []
    icons: str = ""
    values: dict[str, Free] = {}
