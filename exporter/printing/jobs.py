"""What is to be printed: jobs as a game folder describes them, papers and presets as shared data.

Frozen values, like the game's own; ``exporter.source.sheets`` reads them, ``docs/print.md``
explains every key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct, field

from exporter.model import Declaration, Name, Selection
from exporter.printing.paper import Paper
from exporter.printing.sheets import Backs, Cut, Edge
from exporter.problems import Where

Lay: TypeAlias = Literal["cards", "mechs", "face", "boards", "pawns", "dial", "box", "document"]


class Ground(Struct, frozen=True, kw_only=True):
    """A template that draws a face's ground out into the bleed, and what it takes of the face."""

    template: str
    declaration: Declaration | None = None


class Column(Struct, frozen=True, kw_only=True):
    """A column of a list: its heading, the field it shows, its width in millimetres or 0."""

    title: str
    field: str
    width: float = 0


class Layout(Struct, frozen=True, kw_only=True):
    """How a job lies on paper. What is ``None`` is left to the preset, then to the program."""

    preset: str | None = None
    paper: str | None = None
    size: tuple[float, float] | None = None
    grid: tuple[int, int] | None = None
    gap: tuple[float, float] | None = None
    bleed: float | None = None
    cut: Cut | None = None
    backs: Backs | None = None
    edge: Edge | None = None
    offset: tuple[float, float] | None = None
    overlap: float | None = None


class Preset(Struct, frozen=True, kw_only=True):
    """Settings for one place to print or one stock of paper; ``hint`` is shown afterwards."""

    id: str
    name: str
    layout: Layout
    margin: tuple[float, float, float, float] = (0, 0, 0, 0)
    hint: str = ""
    where: Where = Where()


class Stationery(Struct, frozen=True, kw_only=True):
    """The papers by id, without margins, and the presets."""

    papers: Mapping[str, Paper]
    presets: Mapping[str, Preset]


class SheetJob(Struct, frozen=True, kw_only=True):
    """One print job. ``lay`` says what is laid; the other fields hold what that needs.

    ``decks`` lays the printed decks, ``cards`` cards of the game; ``face`` and ``back`` name face
    styles; ``document`` a template of ``templates/sheets``. ``icons`` is the style's file below
    ``templates/faces`` that draws the marks in texts. ``blanks`` are the places of texts among
    ``values`` that hold ``${…}``.
    """

    id: str
    name: Name
    lay: Lay
    layout: Layout = Layout()
    decks: bool = False
    cards: Selection | None = None
    ground: Ground | None = None
    face: str = ""
    back: str = ""
    boards: tuple[tuple[str, ...], ...] = ()
    document: str = ""
    columns: tuple[Column, ...] = ()
    by: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    icons: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    blanks: Mapping[tuple[int | str, ...], Where] = field(default_factory=dict)
    where: Where = Where()
