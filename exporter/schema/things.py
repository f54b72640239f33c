"""The shape of each YAML file of a game folder, but rooms, rules and sheets.

Values arrive as they are spelled (see ``exporter.source.documents``); the types here say what each
is to be. Shapes know nothing of other files: references are checked once everything is read.
"""

from typing import Annotated, Any, Literal, TypeAlias, get_args

from msgspec import Meta, field

from exporter.model import OWN_DECK, FieldType
from exporter.model.fields import MOST
from exporter.schema.shape import (
    TEXT,
    Certainty,
    Count,
    Date,
    Day,
    Free,
    Id,
    Length,
    Naming,
    Shape,
    Short,
    Size,
    Spelled,
    Text,
    TextShape,
    Whole,
    Word,
)


class VersionShape(Shape):
    """Which data these are."""

    number: Annotated[Word, Meta(examples=["1"], description="of the data, in any form")]
    day: Annotated[Day, Meta(description="of their last change; chat messages have it")]


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


class EditionShape(Shape):
    """A box."""

    name: Annotated[Naming, Meta(description="of the box")]
    requires: Annotated[list[Word], Meta(description="boxes that one must own too")] = []


class VariantShape(Shape):
    """An alternative loadout and the mark of its cards."""

    name: Annotated[Naming, Meta(description="of the variant")]
    mark: Annotated[Word, Meta(description="what is printed on a card that the variant uses")]


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
        VersionShape | None,
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
    editions: Annotated[dict[str, EditionShape], Meta(description="id → box")] = {}
    variants: Annotated[dict[Id, VariantShape], Meta(description="id → alternative loadout")] = {}
    faces: Annotated[dict[str, FaceStyleShape], Meta(description="id → face style")] = {}
    kinds: Annotated[dict[str, KindShape], Meta(description="id → kind of card")] = {}


class SourceShape(Shape):
    """An entry of sources.yaml."""

    title: Annotated[Word, Meta(description="of the source")]
    kind: Annotated[str, Meta(description="what it is, such as `rules`")] = ""
    edition: Annotated[str, Meta(description="which printing")] = ""
    date: Annotated[str, Meta(description="when it appeared")] = ""
    where: Annotated[str, Meta(description="where it is to be found")] = ""


class TermShape(Shape):
    """A summand of a figure."""

    label: Annotated[Word, Meta(description="what the summand is called")]
    value: Annotated[
        Word,
        Meta(description="an expression over the frame's names and the figures above: `基本 + 3`"),
    ]
    each: Annotated[
        str,
        Meta(
            description="a kind: a summand for each different mounted card of it, over its fields"
        ),
    ] = ""
    cites: Annotated[list[Word], Meta(description="keys of `sources.yaml`")] = []


class FigureShape(Shape, kw_only=True):
    """An entry of figures.yaml."""

    name: Annotated[Word, Meta(description="of the figure; also its name in expressions")]
    en: Annotated[str, Meta(description="its name in English")] = ""
    unit: Annotated[str, Meta(description="what it counts")] = ""
    minimum: Annotated[
        Annotated[int, Meta(ge=-MOST, le=MOST)] | None,
        Meta(description="it is never below"),
    ] = None
    part: Annotated[str, Meta(description="it is the number of slots of this part")] = ""
    terms: Annotated[list[TermShape], Meta(min_length=1, description="its summands")]


class PilotShape(Shape):
    """Who sits in a seat."""

    name: Annotated[Word, Meta(description="of the pilot")]
    skills: Annotated[list[Word], Meta(description="ids or names of their skills")] = []


class LoadoutShape(Shape):
    """One of a mech's loadouts: card ids or names by part."""

    certainty: Annotated[Certainty, Meta(description="of the placement")] = "stated"
    mounted: Annotated[
        dict[str, list[Word]],
        Meta(examples=[{"body": ["sword"]}], description="part → card ids or names, in slot order"),
    ] = {}
    pilots: Annotated[list[PilotShape], Meta(description="who sits in it")] = []


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


class ChangeShape(Shape, kw_only=True):
    """What an erratum changes; the first five keys say where."""

    card: Annotated[
        str, Meta(description="the card that is corrected; with `deck`, a card in one deck")
    ] = ""
    deck: Annotated[str, Meta(description="the mech whose deck is corrected")] = ""
    mech: Annotated[str, Meta(description="the mech that is corrected")] = ""
    list: Annotated[str, Meta(description="the printed list that is corrected")] = ""
    page: Annotated[str, Meta(description="the page that is corrected")] = ""
    field: Annotated[
        Word, Meta(description="of a card; of a deck's row; of a mech by a path, `frame.armour`")
    ]
    was: Annotated[Spelled, Meta(description="the printed value, which must be what the data hold")]
    now: Annotated[Spelled, Meta(description="the corrected value")]


class ErratumShape(Shape, kw_only=True):
    """An entry of errata.yaml."""

    id: Annotated[Word, Meta(description="permanent")]
    set: Annotated[str, Meta(description="the box")] = ""
    medium: Annotated[
        Literal["card", "sheet", "list", "rulebook"], Meta(description="where it was printed")
    ]
    changes: Annotated[
        list[ChangeShape], Meta(min_length=1, description="what it changes, one or more")
    ]
    source: Annotated[Word, Meta(description="a key of `sources.yaml`")]
    date: Annotated[Date, Meta(description="the day, or `unknown`")] = "unknown"
    note: Annotated[str, Meta(description="what it means")] = ""


class RulingShape(Shape):
    """An entry of rulings.yaml."""

    id: Annotated[Word, Meta(description="permanent")]
    topic: Annotated[Word, Meta(description="what it is about")]
    ruling: Annotated[str, Meta(min_length=1, description="the answer, in the project's words")]
    cards: Annotated[list[Word], Meta(description="the cards it is shown with")] = []
    rules: Annotated[list[Word], Meta(description="the rules it bears on")] = []
    source: Annotated[str, Meta(description="a key of `sources.yaml`")] = ""


class LineShape(Shape):
    """Lines of a note that are not the same on the table and on paper."""

    table: Annotated[str, Meta(description="for the notes of rooms, where people click")] = ""
    paper: Annotated[str, Meta(description="for leaflets, where they have cards in hand")] = ""


def _one_part(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


class NoteShape(Shape):
    """An entry of a file of notes/."""

    id: Annotated[Id, Meta(description="by which layouts and sheets name it")]
    title: Annotated[Word, Meta(description="of the note")]
    text: Annotated[
        Annotated[list[str | LineShape], Short(_one_part, TEXT)],
        Meta(
            description="up to 12 lines of 26 characters can be read on the table; a text, or a "
            "list whose entries are for table and paper alike, or `{table: …, paper: …}`",
            examples=["[山札は24枚。, {table: 右クリックで混ぜる。, paper: よく混ぜる。}]"],
        ),
    ]


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
