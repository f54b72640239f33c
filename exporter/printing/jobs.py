"""What is to be printed: jobs as a game folder describes them, papers and presets as shared data.

Frozen values, like the game's own; ``exporter.source.sheets`` reads them, ``docs/print.md``
explains every key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from exporter.model import Name, Selection
from exporter.printing.paper import Paper
from exporter.printing.sheets import Backs, Cut, Edge
from exporter.problems import Where

Lay: TypeAlias = Literal["cards", "mechs", "face", "boards", "pawns", "dial", "box", "document"]


@dataclass(frozen=True, kw_only=True)
class Ground:
    """A template that draws a face's ground out into the bleed, and the values it needs of it."""

    template: str
    takes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column of a list: its heading, the field it shows, its width in millimetres or 0."""

    title: str
    field: str
    width: float = 0


@dataclass(frozen=True, kw_only=True)
class Layout:
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


@dataclass(frozen=True, kw_only=True)
class Preset:
    """Settings for one place to print or one stock of paper; ``hint`` is shown afterwards."""

    id: str
    name: str
    layout: Layout
    margin: tuple[float, float, float, float] = (0, 0, 0, 0)
    hint: str = ""
    where: Where = Where()


@dataclass(frozen=True, kw_only=True)
class Stationery:
    """The papers by id, without margins, and the presets."""

    papers: Mapping[str, Paper]
    presets: Mapping[str, Preset]


@dataclass(frozen=True, kw_only=True)
class SheetJob:
    """One print job. ``lay`` says what is laid; the other fields hold what that needs.

    ``decks`` lays the printed decks, ``cards`` cards of the game; ``face`` and ``back`` name face
    styles; ``document`` a template of ``templates/sheets``. ``icons`` is the style's file below
    ``templates/faces`` that draws the marks in texts.
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
    where: Where = Where()
