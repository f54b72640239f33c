"""The shape of each YAML file of a game folder, but rooms, rules and sheets.

Values arrive as they are spelled (see ``exporter.source.documents``); the types here say what each
is to be. Shapes know nothing of other files: references are checked once everything is read.
"""

from typing import Annotated, Any, Literal, TypeAlias, get_args

from msgspec import Meta, field

from exporter.model import OWN_DECK, Edition, FieldType, Pilot, Variant, Version
from exporter.schema.shape import (
    Certainty,
    Count,
    Free,
    Id,
    Length,
    Naming,
    Shape,
    Short,
    Size,
    Text,
    TextShape,
    Whole,
    Word,
)


class FrameRulesShape(Shape):
    """Which columns of frames.csv choose a frame, their names in expressions, further choices."""

    key: Annotated[
        list[Word],
        Meta(description="the columns of `frames.csv` that choose a row: `[armour, size]`"),
    ] = []
    names: Annotated[
        dict[str, Word], Meta(description="column or key → what it is called in expressions")
    ] = {}
    options: Annotated[
        dict[str, list[Word]],
        Meta(description="what a build chooses besides: `{seats: [単座, 複座]}`"),
    ] = {}


class FaceStyleShape(Shape):
    """How a sort of face looks: template below templates/faces, size in mm, pixels to a mm.

    What is left out is that of the style that it is ``like``.
    """

    like: Annotated[
        str,
        Meta(description="the style whose template, size and so on hold where they are left out"),
    ] = ""
    template: Annotated[str, Meta(description="path below `templates/faces`: `plain/card.typ`")] = (
        ""
    )
    size: Annotated[
        Size | None, Meta(examples=[[63, 88]], description="millimetres: `[63, 88]`")
    ] = None
    scale: Annotated[
        Annotated[float, Meta(ge=0.01, le=50)] | None,
        Meta(description="pixels of the screen picture to a millimetre"),
    ] = None
    values: Annotated[
        dict[str, Free],
        Meta(description="what the template gets besides, such as `slots` or `colour`"),
    ] = {}


Bound: TypeAlias = Annotated[int, Meta(ge=-999_999_999, le=999_999_999)]


class FieldShape(Shape):
    """A field of a kind of card; its type alone may stand for it."""

    type: Annotated[
        FieldType, Meta(description="`text`, `number`, `flag` (yes or no), `list` (joined by `/`)")
    ] = "text"
    pattern: Annotated[
        Literal["range"] | None,
        Meta(
            description="what a text, or each word of a list, looks like: a `range` is a number, "
            "sign or word (`2`, `⑤`, `∞`, `X`), or from–to (`1～3`), several joined by `/`; a date "
            "that a spreadsheet made of one is a problem"
        ),
    ] = None
    least: Annotated[Bound | None, Meta(description="of a number; by default 0")] = None
    most: Annotated[
        Bound | None,
        Meta(
            description="of a number; by default 99999, and 99 where something is repeated or "
            "sized by it"
        ),
    ] = None


def _typed(value: Any) -> Any:
    return {"type": value} if isinstance(value, str) else value


class KindShape(Shape):
    """A kind of card: its table, its fields, its two faces."""

    name: Annotated[Naming, Meta(description="of the kind")]
    file: Annotated[
        Word,
        Meta(
            examples=["cards/weapons.csv"],
            description="its table: `cards/weapons.csv`, or `.tsv`, `.xlsx`, `.ods`",
        ),
    ]
    fields: Annotated[
        dict[str, Annotated[FieldShape, Short(_typed, {"enum": list(get_args(FieldType))})]],
        Meta(
            description="column → `text`, `number`, `flag` (`1` or nothing), `list` (joined by "
            "`/`), or more about it: `{type: number, most: 99}`"
        ),
    ] = {}
    front: Annotated[
        str, Meta(description="face style; without one the kind is never laid on a table")
    ] = ""
    front_fields: Annotated[list[Word], Meta(description="what the front shows")] = []
    back: Annotated[str, Meta(description="face style")] = ""
    back_fields: Annotated[
        list[Word],
        Meta(description="what the back shows; two cards whose `back_fields` agree have one back"),
    ] = []
    front_lists: Annotated[
        dict[str, list[Word]],
        Meta(description="a list field that names other cards → what the front shows of those"),
    ] = {}
    listed_fields: Annotated[list[Word], Meta(description="what a mech sheet shows of it")] = []
    size: Annotated[Length, Meta(description="its width on the table")] = 2
    detail: Annotated[
        dict[str, Word],
        Meta(description="label → field, for the sheet that the client shows beside a card"),
    ] = {}
    deck_copies: Annotated[
        str,
        Meta(
            description="the field with an expression over figures: how many every built deck gets"
        ),
    ] = ""


class GameShape(Shape):
    """game.yaml"""

    id: Annotated[Id, Meta(examples=["my_game"], description="of the game; builds name it")]
    name: Annotated[Naming, Meta(description="of the game")]
    players: Annotated[
        tuple[Count, Count], Meta(examples=[[2, 4]], description="least and most: `[2, 4]`")
    ]
    version: Annotated[
        Version | None,
        Meta(description="number and day of the data; without it messages have a day of old"),
    ] = None
    notice: Annotated[
        Text,
        Meta(description="that the data is unofficial, for whom it is; rooms post it to the chat"),
    ] = field(default_factory=TextShape)
    credits: Annotated[list[str], Meta(description="who made what, a line each")] = []
    marks: Annotated[
        dict[str, str],
        Meta(description="how `[word]` reads where no icon can be drawn: `{energy: ⚡}`"),
    ] = {}
    parts: Annotated[list[Word], Meta(description="the parts of a mech, in order")] = []
    frame: Annotated[FrameRulesShape, Meta(description="how frames are chosen")] = field(
        default_factory=FrameRulesShape
    )
    teams: Annotated[dict[str, Naming], Meta(description="id → name")] = {}
    editions: Annotated[dict[str, Edition], Meta(description="id → box")] = {}
    variants: Annotated[dict[Id, Variant], Meta(description="id → alternative loadout")] = {}
    faces: Annotated[dict[str, FaceStyleShape], Meta(description="id → face style")] = {}
    kinds: Annotated[dict[str, KindShape], Meta(description="id → kind of card")] = {}


class LoadoutShape(Shape):
    """One of a mech's loadouts: card ids or names by part."""

    certainty: Annotated[Certainty, Meta(description="of the placement")] = "stated"
    mounted: Annotated[
        dict[str, list[Word]],
        Meta(examples=[{"body": ["sword"]}], description="part → card ids or names, in slot order"),
    ] = {}
    pilots: Annotated[list[Pilot], Meta(description="who sits in it")] = []


class MechShape(Shape):
    """A file of mechs/."""

    code: Annotated[Id, Meta(description="permanent; `--mech` takes it")]
    name: Annotated[Word, Meta(description="of the mech")]
    edition: Annotated[str, Meta(description="its box")] = ""
    frame: Annotated[dict[str, Word], Meta(description="the words that choose its frame")] = {}
    printed: Annotated[
        dict[str, Whole], Meta(description="figures as printed, to hold the computed ones against")
    ] = {}
    loadouts: Annotated[dict[str, LoadoutShape], Meta(description="variant → loadout")] = {}
    silhouette: Annotated[str, Meta(description="the drawing that stands for it")] = ""
    unknown: Annotated[
        list[Word],
        Meta(description="fields that nobody published: such a mech makes no room, and says why"),
    ] = []
    known: Annotated[
        dict[str, Free], Meta(description="what else is public of it, in any form")
    ] = {}
    note: Annotated[str, Meta(description="remarks")] = ""
    sources: Annotated[list[Word], Meta(description="keys of `sources.yaml`")] = []


def _own_deck(value: Any) -> Any:
    return {"true": OWN_DECK, "false": ""}.get(value, value) if isinstance(value, str) else value


class SelectionShape(Shape):
    """Which cards an item lays."""

    deck: Annotated[
        Annotated[str, Short(_own_deck, {"type": "boolean"})],
        Meta(
            description="the deck of the mech in the seat (`true`), or a printed deck by its name"
        ),
    ] = ""
    kind: Annotated[str, Meta(description="a kind of card")] = ""
    only: Annotated[
        dict[str, list[str]], Meta(description="field → values of which it must have one")
    ] = {}
    ids: Annotated[list[Word], Meta(description="single cards by id or name")] = []
    listed: Annotated[
        list[Word],
        Meta(max_length=2, description="`[card, field]`: the cards that a field of a card lists"),
    ] = []
    copies: Annotated[Word, Meta(description="a number, or the field that holds it")] = "1"
    used_by: Annotated[
        str,
        Meta(
            description="the field that lists other cards: only what a card in the room has need of"
        ),
    ] = ""
