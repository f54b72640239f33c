"""The shape of a game's rules, regulations and cases, and of the builds that players hand in."""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta

from exporter.model import Pilot
from exporter.model.fields import MOST, MOST_EVER_REPEATED, MOST_REPEATED
from exporter.schema.shape import (
    Certainty,
    Count,
    Date,
    Day,
    Free,
    Id,
    Naming,
    Shape,
    Spelled,
    Text,
    Whole,
    Word,
    Wording,
)

MOST_OF_A_CARD = MOST_EVER_REPEATED
"""Copies of a card in a player's deck."""

Number: TypeAlias = Annotated[int, Meta(ge=-MOST, le=MOST)]
RuleId: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[A-Z0-9][A-Z0-9-]{0,31}$",
        examples=["AB-C01"],
        extra={"allowed": "rule-id"},
    ),
]


CardList: TypeAlias = dict[Word, Annotated[int, Meta(ge=1, le=MOST_OF_A_CARD)]]
"""How many copies of which card."""


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
    text: Annotated[Text, Meta(description="what explains it further")] = Wording()
    says: Annotated[
        Text,
        Meta(
            description="what is told where it is broken, instead of its kind's own sentence; "
            "`{…}` are the blanks of that one"
        ),
    ] = Wording()
    reason: Annotated[Text, Meta(description="why it is not checked")] = Wording()


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
    note: Annotated[Text, Meta(description="remarks")] = Wording()


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
    pilots: Annotated[list[Pilot], Meta(description="who sits in it")] = []


class EntryShape(BuildShape):
    """A document of a build file."""

    game: Annotated[str, Meta(description="the game it is for")] = ""
    picture: Annotated[
        str, Meta(description="a file beside this one: the picture of its pawn, `chara.png`")
    ] = ""
    regulation: Annotated[str, Meta(description="the regulation it is held to")] = ""
    waivers: Annotated[list[WaiverShape], Meta(description="rules that are overlooked")] = []
    weapons: Annotated[
        list[Word], Meta(description="cards without a part yet; `suggest` finds places")
    ] = []
    deck: Annotated[
        str, Meta(description="which of the game's decks `cards` are, where there are several")
    ] = ""
    cards: Annotated[CardList, Meta(description="a deck: card id or name → copies")] = {}
    decks: Annotated[
        dict[Word, CardList], Meta(description="several decks: which one → card → copies")
    ] = {}


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
    decks: Annotated[
        dict[Word, CardList],
        Meta(description="a player's decks that are checked, as in their file"),
    ] = {}
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
    on: Annotated[Day | None, Meta(description="the day that is asked about")] = None
    parameters: Annotated[
        dict[str, dict[str, Any]], Meta(description="rule → parameters for this case")
    ] = {}
