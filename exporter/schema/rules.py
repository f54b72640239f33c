"""The shape of a game's rules, regulations and cases, and of the builds that players hand in."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, field

from exporter.model.fields import MOST, MOST_REPEATED
from exporter.model.mechs import Pilot as PilotShape
from exporter.schema.shape import (
    Certainty,
    Count,
    Date,
    Free,
    Id,
    NameShape,
    Naming,
    Shape,
    Spelled,
    Text,
    TextShape,
    Whole,
    Word,
)

Expression: TypeAlias = Annotated[str, Meta(min_length=1, max_length=400)]
Number: TypeAlias = Annotated[int, Meta(ge=-MOST, le=MOST)]
RuleId: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[A-Z0-9][A-Z0-9-]{0,31}$",
        examples=["AB-C01"],
        extra={"allowed": "at most 32 of A–Z, 0–9 and -, the first a letter or digit"},
    ),
]
Span: TypeAlias = tuple[Whole, Whole]


class PlacementShape(Shape):
    """A mount pattern."""

    parts: Annotated[list[Word], Meta(description="where it may lie")] = []
    sets: Annotated[
        list[dict[str, Count]],
        Meta(description="part → copies, sets that its copies fill whole"),
    ] = []
    at_least: Annotated[list[Word], Meta(description="one copy lies on one of these")] = []
    at_most: Annotated[Whole, Meta(description="copies on any one part")] = 0
    frame: Annotated[str, Meta(description="a condition on the frame")] = ""


class RuleShape(Shape):
    """A rule; ``parameters`` have the shape that belongs to its kind."""

    id: Annotated[
        RuleId, Meta(description="permanent; reports, waivers, rulings and cases name it")
    ]
    title: Annotated[Naming, Meta(description="the sentence as players say it")]
    status: Annotated[
        Literal["checked", "by-hand", "not-yet"],
        Meta(description="`checked` has a `kind`; `by-hand` and `not-yet` have a `reason`"),
    ]
    cites: Annotated[list[Word], Meta(description="keys of `sources.yaml`")] = []
    certainty: Annotated[Certainty, Meta(description="how well the rule is known")] = "stated"
    kind: Annotated[str, Meta(description="how it is checked; see [rules.md](rules.md)")] = ""
    parameters: Annotated[dict[str, Any], Meta(description="what its kind needs")] = {}
    assumed: Annotated[list[Word], Meta(description="parameters that no source states")] = []
    text: Annotated[Text, Meta(description="what explains it further")] = field(
        default_factory=TextShape
    )
    reason: Annotated[Text, Meta(description="why it is not checked")] = field(
        default_factory=TextShape
    )


class RulesShape(Shape):
    """rules.yaml; the rules are read one by one."""

    placements: Annotated[
        dict[str, PlacementShape], Meta(description="a word of a card → where such cards may lie")
    ] = {}
    rules: Annotated[list[Any], Meta(description="the rules")] = []


class RegulationShape(Shape):
    """A file of regulations/: one version of an event's limits."""

    id: Annotated[Id, Meta(description="of the regulation; its versions share it")]
    version: Annotated[Word, Meta(description="of the regulation")]
    title: Annotated[Naming, Meta(description="as players say it")]
    date: Annotated[Date, Meta(description="the day since which it holds, or `unknown`")] = (
        "unknown"
    )
    default: Annotated[bool, Meta(description="it holds where nobody names any")] = False
    predecessor: Annotated[str, Meta(description="the version before this one")] = ""
    certainty: Annotated[Certainty, Meta(description="how well it is known")] = "stated"
    cites: Annotated[list[Word], Meta(description="keys of `sources.yaml`")] = []
    without: Annotated[list[Word], Meta(description="rules that do not hold under it")] = []
    parameters: Annotated[
        dict[str, dict[str, Any]], Meta(description="rule → parameters that it sets")
    ] = {}
    not_yet: Annotated[list[Naming], Meta(description="clauses that are not checked")] = []
    note: Annotated[Text, Meta(description="remarks")] = field(default_factory=TextShape)


class WaiverShape(Shape):
    """A rule that is overlooked, and why."""

    rule: Annotated[Word, Meta(description="its id")]
    reason: Annotated[Word, Meta(description="why it is overlooked")]


class BuildShape(Shape):
    """A construction."""

    name: Annotated[str, Meta(description="of the build")] = ""
    frame: Annotated[dict[str, Word], Meta(description="the words that choose its frame")] = {}
    mounted: Annotated[
        dict[str, list[Word]], Meta(description="part → card ids or names, in slot order")
    ] = {}
    pilots: Annotated[list[PilotShape], Meta(description="who sits in it")] = []


class EntryShape(BuildShape):
    """A document of a build file."""

    game: Annotated[str, Meta(description="the game it is for")] = ""
    regulation: Annotated[str, Meta(description="the regulation it is held to")] = ""
    waivers: Annotated[list[WaiverShape], Meta(description="rules that are overlooked")] = []
    weapons: Annotated[
        list[Word], Meta(description="cards without a part yet; `suggest` finds places")
    ] = []


class DeckRowShape(Shape):
    """A changed row of a mech's printed deck."""

    card: Annotated[Word, Meta(description="id or name")]
    mark: Annotated[str, Meta(description="of the row, where several have this card")] = ""
    copies: Annotated[
        Annotated[int, Meta(ge=0, le=MOST_REPEATED)] | None,
        Meta(description="instead of those printed"),
    ] = None


class SeatOfCaseShape(Shape):
    """A seat of a made-up room."""

    team: Annotated[str, Meta(description="of the player")] = ""
    start: Annotated[
        tuple[Word, Whole] | None, Meta(description="`[side, number]`: the start square")
    ] = None


class RoomOfCaseShape(Shape):
    """A made-up room."""

    boards: Annotated[list[Word], Meta(description="ids from left to right")] = []
    seats: Annotated[list[SeatOfCaseShape], Meta(description="one for every player")] = []


class CaseShape(Shape):
    """An entry of a file of cases/."""

    name: Annotated[Word, Meta(description="what it shows, as a sentence")]
    about: Annotated[list[Word], Meta(description="rules that it shows kept")] = []
    raises: Annotated[list[Word], Meta(description="exactly the rules that find fault")] = []
    notices: Annotated[
        list[Word] | None, Meta(description="rules that give notice, where those matter")
    ] = None
    build: Annotated[BuildShape | None, Meta(description="a build that is checked")] = None
    claims: Annotated[
        dict[str, Number], Meta(description="figure → the value the build is to have")
    ] = {}
    mech: Annotated[str, Meta(description="a mech whose printed deck is checked")] = ""
    deck: Annotated[list[DeckRowShape], Meta(description="changed rows of that deck")] = []
    room: Annotated[RoomOfCaseShape | None, Meta(description="a made-up room")] = None
    play: Annotated[str, Meta(description="the rule that is asked")] = ""
    given: Annotated[dict[str, Free], Meta(description="what is so in the situation of play")] = {}
    claim: Annotated[Free, Meta(description="the answer the rule is to give")] = None
    cards: Annotated[
        list[dict[str, Spelled]],
        Meta(description="cards made up for the case: `id`, `kind`, `name` and fields"),
    ] = []
    regulation: Annotated[str, Meta(description="the regulation it is held to")] = ""
    boxes: Annotated[list[Word], Meta(description="the boxes owned")] = []
    parameters: Annotated[
        dict[str, dict[str, Any]], Meta(description="rule → parameters for this case")
    ] = {}


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


class _Exchange(Shape):
    field: Word
    welcomes: str = ""
    replaced: str = ""
    remains: Literal["same", "fitting"] = "same"


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
    decks: list[Word] = []


class _Variant(Shape):
    variant: Word


class _Field(Shape):
    field: Word


class _SetupRow(Shape):
    players: Span
    holds: dict[str, Span]


class _Setup(Shape):
    table: Annotated[
        list[_SetupRow], Meta(examples=[[{"players": [2, 2], "holds": {"boards": [1, 1]}}]])
    ]


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


class _DamageTerms(Shape, kw_only=True):
    given: dict[str, Free] = {}
    terms: list[_Term]


class _Order(Shape):
    by: list[Word]
    ranks: dict[str, list[Word]] = {}


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
