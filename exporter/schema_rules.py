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

    parts: list[Word] = Field([], description="where it may lie")
    sets: list[dict[str, Annotated[int, Field(ge=1, le=100)]]] = Field(
        [], description="part → copies, sets that its copies fill whole"
    )
    at_least: list[Word] = Field([], description="one copy lies on one of these")
    at_most: Whole = Field(0, description="copies on any one part")
    frame: str = Field("", description="a condition on the frame")


class RuleShape(Shape):
    """A rule; ``parameters`` have the shape that belongs to its kind."""

    id: RuleId = Field(description="permanent; reports, waivers, rulings and cases name it")
    title: Naming = Field(description="the sentence as players say it")
    status: Literal["checked", "by-hand", "not-yet"] = Field(
        description="`checked` has a `kind`; `by-hand` and `not-yet` have a `reason`"
    )
    cites: list[Word] = Field([], description="keys of `sources.yaml`")
    certainty: Certainty = Field("stated", description="how well the rule is known")
    kind: str = Field("", description="how it is checked; see [rules.md](rules.md)")
    parameters: dict[str, Any] = Field({}, description="what its kind needs")
    assumed: list[Word] = Field([], description="parameters that no source states")
    text: Text = Field(_TextShape(), description="what explains it further")
    reason: Text = Field(_TextShape(), description="why it is not checked")


class RulesShape(Shape):
    """rules.yaml; the rules are read one by one."""

    placements: dict[str, PlacementShape] = Field(
        {}, description="a word of a card → where such cards may lie"
    )
    rules: list[Any] = Field([], description="the rules")


class RegulationShape(Shape):
    """A file of regulations/: one version of an event's limits."""

    id: Id = Field(description="of the regulation; its versions share it")
    version: Word = Field(description="of the regulation")
    title: Naming = Field(description="as players say it")
    date: Date = Field("unknown", description="the day since which it holds, or `unknown`")
    default: bool = Field(False, description="it holds where nobody names any")
    predecessor: str = Field("", description="the version before this one")
    certainty: Certainty = Field("stated", description="how well it is known")
    cites: list[Word] = Field([], description="keys of `sources.yaml`")
    without: list[Word] = Field([], description="rules that do not hold under it")
    parameters: dict[str, dict[str, Any]] = Field({}, description="rule → parameters that it sets")
    not_yet: list[Naming] = Field([], description="clauses that are not checked")
    note: Text = Field(_TextShape(), description="remarks")


class WaiverShape(Shape):
    """A rule that is overlooked, and why."""

    rule: Word = Field(description="its id")
    reason: Word = Field(description="why it is overlooked")


class BuildShape(Shape):
    """A construction."""

    name: str = Field("", description="of the build")
    frame: dict[str, Word] = Field({}, description="the words that choose its frame")
    mounted: dict[str, list[Word]] = Field(
        {}, description="part → card ids or names, in slot order"
    )
    pilots: list[PilotShape] = Field([], description="who sits in it")


class EntryShape(BuildShape):
    """A document of a build file."""

    game: str = Field("", description="the game it is for")
    regulation: str = Field("", description="the regulation it is held to")
    waivers: list[WaiverShape] = Field([], description="rules that are overlooked")
    weapons: list[Word] = Field([], description="cards without a part yet; `suggest` finds places")


class DeckRowShape(Shape):
    """A changed row of a mech's printed deck."""

    card: Word = Field(description="id or name")
    mark: str = Field("", description="of the row, where several have this card")
    copies: Whole | None = Field(None, description="instead of those printed")


class SeatOfCaseShape(Shape):
    """A seat of a made-up room."""

    team: str = Field("", description="of the player")
    start: tuple[Word, Whole] | None = Field(None, description="`[side, number]`: the start square")


class RoomOfCaseShape(Shape):
    """A made-up room."""

    boards: list[Word] = Field([], description="ids from left to right")
    seats: list[SeatOfCaseShape] = Field([], description="one for every player")


class CaseShape(Shape):
    """An entry of a file of cases/."""

    name: Word = Field(description="what it shows, as a sentence")
    about: list[Word] = Field([], description="rules that it shows kept")
    raises: list[Word] = Field([], description="exactly the rules that find fault")
    notices: list[Word] | None = Field(
        None, description="rules that give notice, where those matter"
    )
    build: BuildShape | None = Field(None, description="a build that is checked")
    claims: dict[str, Number] = Field({}, description="figure → the value the build is to have")
    mech: str = Field("", description="a mech whose printed deck is checked")
    deck: list[DeckRowShape] = Field([], description="changed rows of that deck")
    room: RoomOfCaseShape | None = Field(None, description="a made-up room")
    play: str = Field("", description="the rule that is asked")
    given: dict[str, Free] = Field({}, description="what is so in the situation of play")
    claim: Free = Field(None, description="the answer the rule is to give")
    cards: list[dict[str, Word]] = Field([], description="cards made up for the case")
    regulation: str = Field("", description="the regulation it is held to")
    boxes: list[Word] = Field([], description="the boxes owned")
    parameters: dict[str, dict[str, Any]] = Field({}, description="rule → parameters for this case")


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
