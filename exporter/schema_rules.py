"""The shape of a game's rules, regulations and cases, and of the builds that players hand in."""

# ruff: noqa: RUF012  (pydantic copies each default)

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from exporter.schema import (
    Certainty,
    Free,
    Id,
    NameShape,
    Naming,
    PilotShape,
    Shape,
    Whole,
    Word,
    _ja,
)
from exporter.schema import TextShape as _TextShape

Text: TypeAlias = Annotated[_TextShape, BeforeValidator(_ja)]
Expression: TypeAlias = Annotated[str, Field(min_length=1, max_length=400)]
Number: TypeAlias = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]
RuleId: TypeAlias = Annotated[str, Field(pattern=r"^[A-Z0-9][A-Z0-9-]{0,31}$", examples=["AB-C01"])]
Span: TypeAlias = tuple[Whole, Whole]
Date: TypeAlias = Annotated[
    str, Field(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2}|unknown)$", examples=["2026-01-31"])
]


class PlacementShape(Shape):
    """A mount pattern."""

    parts: list[Word] = []
    sets: list[dict[str, Annotated[int, Field(ge=1, le=100)]]] = []
    at_least: list[Word] = []
    at_most: Whole = 0
    frame: str = ""


class RuleShape(Shape):
    """A rule; ``parameters`` have the shape that belongs to its kind."""

    id: RuleId
    title: Naming
    status: Literal["checked", "by-hand", "not-yet"]
    cites: list[Word] = []
    certainty: Certainty = "stated"
    kind: str = ""
    parameters: dict[str, Any] = {}
    assumed: list[Word] = []
    text: Text = _TextShape()
    reason: Text = _TextShape()


class RulesShape(Shape):
    """rules.yaml; the rules are read one by one."""

    placements: dict[str, PlacementShape] = {}
    rules: list[Any] = []


class RegulationShape(Shape):
    """A file of regulations/: one version of an event's limits."""

    id: Id
    version: Word
    title: Naming
    date: Date = "unknown"
    default: bool = False
    predecessor: str = ""
    certainty: Certainty = "stated"
    cites: list[Word] = []
    without: list[Word] = []
    parameters: dict[str, dict[str, Any]] = {}
    not_yet: list[Naming] = []
    note: Text = _TextShape()


class WaiverShape(Shape):
    """A rule that is overlooked, and why."""

    rule: Word
    reason: Word


class BuildShape(Shape):
    """A construction."""

    name: str = ""
    frame: dict[str, Word] = {}
    mounted: dict[str, list[Word]] = {}
    pilots: list[PilotShape] = []


class EntryShape(BuildShape):
    """A document of a build file."""

    game: str = ""
    regulation: str = ""
    waivers: list[WaiverShape] = []
    weapons: list[Word] = []


class DeckRowShape(Shape):
    """A changed row of a mech's printed deck."""

    card: Word
    mark: str = ""
    copies: Whole | None = None


class SeatOfCaseShape(Shape):
    """A seat of a made-up room."""

    team: str = ""
    start: tuple[Word, Whole] | None = None


class RoomOfCaseShape(Shape):
    """A made-up room."""

    boards: list[Word] = []
    seats: list[SeatOfCaseShape] = []


class CaseShape(Shape):
    """An entry of a file of cases/."""

    name: Word
    about: list[Word] = []
    raises: list[Word] = []
    notices: list[Word] | None = None
    build: BuildShape | None = None
    claims: dict[str, Number] = {}
    mech: str = ""
    deck: list[DeckRowShape] = []
    room: RoomOfCaseShape | None = None
    play: str = ""
    given: dict[str, Free] = {}
    claim: Free = None
    cards: list[dict[str, Word]] = []
    regulation: str = ""
    boxes: list[Word] = []
    parameters: dict[str, dict[str, Any]] = {}


class _Term(Shape):
    label: Word
    value: Expression


class _Nothing(Shape):
    """A kind without parameters."""


class _EmptySlots(Shape):
    figure: Word


class _Placement(Shape):
    both_sets: bool = True


class _Together(Shape):
    splits: str = ""
    exchange: str = ""


class _Exchange(Shape):
    field: Word
    welcomes: str = ""


class _Requires(Shape):
    cards: Expression
    needs: Expression
    named: Word


class _Excludes(Shape):
    cards: Expression
    within: Literal["part", "build"] = "build"


class _WrongKind(Shape):
    mounted: list[Word]
    skills: list[Word] = []


class _Copies(Shape):
    field: str = ""
    most: Whole | None = None


class _Limits(Shape):
    cards: dict[str, Whole] = {}


class _Boxes(Shape):
    skills_in: str = ""


class _Budget(Shape):
    figure: Word
    limit: Number


class _Pilots(Shape):
    option: Word
    seats: dict[str, Whole]


class _Most(Shape):
    most: Whole


class _SameName(Shape):
    endings: list[Word]


class _Figures(Shape):
    figures: list[Word]


class _Expression(Shape):
    holds: Expression
    each: str = ""


class _DeckSize(Shape):
    figure: str = ""
    cards: Whole | None = None
    named: str = ""
    decks: list[Word] = []


class _Variant(Shape):
    variant: Word


class _Field(Shape):
    field: Word


class _SetupRow(Shape):
    players: Span
    holds: dict[str, Span]


class _Setup(Shape):
    table: list[_SetupRow]


class _Formula(Shape):
    given: dict[str, Free] = {}
    value: Expression | None = None
    terms: list[_Term] = []
    counts: dict[str, Expression] = {}
    minimum: Number | None = None


class _Labels(Shape):
    damage: Word
    distance: Word


class _Shown(Shape):
    label: Word
    given: dict[str, Free] = {}


class _Range(Shape):
    classes: dict[str, Whole | Literal["none"]]
    labels: _Labels
    miss: Word
    result: NameShape
    metric: Literal["manhattan", "chebyshev"] = "manhattan"
    shown: list[_Shown] = []


class _DamageTerms(Shape):
    given: dict[str, Free] = {}
    terms: list[_Term]


class _Order(Shape):
    by: list[Word]


PARAMETERS: Mapping[str, type[Shape]] = {
    "frame": _Nothing,
    "slots": _Nothing,
    "empty_slots": _EmptySlots,
    "placement": _Placement,
    "together": _Together,
    "exchange": _Exchange,
    "requires": _Requires,
    "excludes": _Excludes,
    "wrong_kind": _WrongKind,
    "copies": _Copies,
    "limits": _Limits,
    "boxes": _Boxes,
    "budget": _Budget,
    "pilots": _Pilots,
    "skills": _Most,
    "same_name": _SameName,
    "figure": _Figures,
    "printed_only": _Nothing,
    "expression": _Expression,
    "deck_size": _DeckSize,
    "deck_basics": _Nothing,
    "deck_loadout": _Variant,
    "printed_copies": _Field,
    "setup": _Setup,
    "starts": _Nothing,
    "formula": _Formula,
    "range": _Range,
    "damage_terms": _DamageTerms,
    "order": _Order,
    "line_of_sight": _Nothing,
}
"""The shape of each kind's parameters."""
