"""The shape of each YAML file of a game folder, as pydantic models.

Values arrive as they are spelled (see ``exporter.source.documents``); the types here say what each
is to be. Shapes know nothing of other files: references are checked once everything is read.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from exporter.model import FieldType

Id: TypeAlias = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")]
"""A permanent id that also names files."""

Word: TypeAlias = Annotated[str, Field(min_length=1, max_length=200)]
Whole: TypeAlias = Annotated[int, Field(ge=0, le=1_000_000)]
Length: TypeAlias = Annotated[float, Field(gt=0, le=10_000, allow_inf_nan=False)]
Offset: TypeAlias = Annotated[float, Field(ge=-10_000, le=10_000, allow_inf_nan=False)]
Ordinal: TypeAlias = Annotated[int, Field(ge=1, le=1000)]
Certainty: TypeAlias = Literal[
    "stated", "derived", "assumed", "invented", "sample", "chosen", "unknown"
]


def _ja(value: Any) -> Any:
    return {"ja": value} if isinstance(value, str) else value


def _guess(value: Any) -> Any:
    """What a value without a declared type means: YAML's true, false, numbers; else a text."""
    if isinstance(value, dict):
        return {str(key): _guess(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_guess(inner) for inner in value]
    if type(value) is not str:  # nothing, or quoted and so a text
        return value if value is None else str(value)
    if value in ("true", "false"):
        return value == "true"
    if len(value) <= 20 and value.isascii():
        for number in (int, float):
            try:
                guessed = number(value)
            except ValueError:
                continue
            if "_" not in value and -1e15 < guessed < 1e15:
                return guessed
    return value


def _own_deck(value: Any) -> Any:
    return {"true": "own", "false": ""}.get(value, value) if isinstance(value, str) else value


def _joined(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return "/".join(value)
    return value


Free: TypeAlias = Annotated[Any, BeforeValidator(_guess)]
Pair: TypeAlias = tuple[Offset, Offset]
Size: TypeAlias = tuple[Length, Length]
Spelled: TypeAlias = Annotated[str, BeforeValidator(_joined)]
"""A field's value as a table's cell has it; a list may stand for words joined by ``/``."""


class Shape(BaseModel):
    """What all shapes share: no unknown keys, and a key without a value is as good as none."""

    model_config = ConfigDict(extra="forbid", defer_build=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _without_empty(cls, value: Any) -> Any:
        if isinstance(value, dict) and None in value.values():
            return {key: inner for key, inner in value.items() if inner is not None}
        return value


class NameShape(Shape):
    """A name in Japanese and English."""

    ja: Word = Field(description="in Japanese")
    en: str = Field("", description="in English")


Naming: TypeAlias = Annotated[NameShape, BeforeValidator(_ja)]


class TextShape(Shape):
    """A text in Japanese and English, which may be empty."""

    ja: str = Field("", description="in Japanese")
    en: str = Field("", description="in English")


class FrameRulesShape(Shape):
    """Which columns of frames.csv choose a frame, their names in expressions, further choices."""

    key: list[Word] = Field(
        [], description="the columns of `frames.csv` that choose a row: `[armour, size]`"
    )
    names: dict[str, Word] = Field(
        {}, description="column or key → what it is called in expressions"
    )
    options: dict[str, list[Word]] = Field(
        {}, description="what a build chooses besides: `{seats: [単座, 複座]}`"
    )


class EditionShape(Shape):
    """A box."""

    name: Naming = Field(description="of the box")
    requires: list[Word] = Field([], description="boxes that one must own too")


class VariantShape(Shape):
    """An alternative loadout and the mark of its cards."""

    name: Naming = Field(description="of the variant")
    mark: Word = Field(description="what is printed on a card that the variant uses")


class FaceStyleShape(Shape):
    """How a sort of face looks: template below templates/faces, size in mm, pixels to a mm.

    What is left out is that of the style that it is ``like``.
    """

    like: str = Field(
        "", description="the style whose template, size and so on hold where they are left out"
    )
    template: str = Field("", description="path below `templates/faces`: `plain/card.typ`")
    size: Size | None = Field(
        default=None, examples=[[63, 88]], description="millimetres: `[63, 88]`"
    )
    scale: Annotated[float, Field(gt=0, le=50, allow_inf_nan=False)] | None = Field(
        None, description="pixels of the screen picture to a millimetre"
    )
    values: dict[str, Free] = Field(
        {}, description="what the template gets besides, such as `slots` or `colour`"
    )
    takes: list[Word] = Field([], description="of a mech's values, only these")


class KindShape(Shape):
    """A kind of card: its table, its fields, its two faces."""

    name: Naming = Field(description="of the kind")
    file: Word = Field(
        examples=["cards/weapons.csv"],
        description="its table: `cards/weapons.csv`, or `.tsv`, `.xlsx`, `.ods`",
    )
    fields: dict[str, FieldType] = Field(
        {},
        description="column → `text`, `number`, `flag` (`1` or nothing), `list` (joined by `/`)",
    )
    front: str = Field("", description="face style; without one the kind is never laid on a table")
    front_fields: list[Word] = Field([], description="what the front shows")
    back: str = Field("", description="face style")
    back_fields: list[Word] = Field(
        [], description="what the back shows; two cards whose `back_fields` agree have one back"
    )
    front_lists: dict[str, list[Word]] = Field(
        {}, description="a list field that names other cards → what the front shows of those"
    )
    listed_fields: list[Word] = Field([], description="what a mech sheet shows of it")
    size: Length = Field(2, description="its width on the table")
    detail: dict[str, Word] = Field(
        {}, description="label → field, for the sheet that the client shows beside a card"
    )
    deck_copies: str = Field(
        "",
        description="the field with an expression over figures: how many every built deck gets",
    )


class GameShape(Shape):
    """game.yaml"""

    id: Id = Field(examples=["my_game"], description="of the game; builds name it")
    name: Naming = Field(description="of the game")
    players: tuple[Ordinal, Ordinal] = Field(
        examples=[[2, 4]], description="least and most: `[2, 4]`"
    )
    notice: Annotated[TextShape, BeforeValidator(_ja)] = Field(
        TextShape(),
        description="that the data is unofficial, for whom it is; rooms post it to the chat",
    )
    credits: list[str] = Field([], description="who made what, a line each")
    marks: dict[str, str] = Field(
        {}, description="how `[word]` reads where no icon can be drawn: `{energy: ⚡}`"
    )
    parts: list[Word] = Field([], description="the parts of a mech, in order")
    frame: FrameRulesShape = Field(FrameRulesShape(), description="how frames are chosen")
    teams: dict[str, Naming] = Field({}, description="id → name")
    editions: dict[str, EditionShape] = Field({}, description="id → box")
    variants: dict[Id, VariantShape] = Field({}, description="id → alternative loadout")
    faces: dict[str, FaceStyleShape] = Field({}, description="id → face style")
    kinds: dict[str, KindShape] = Field({}, description="id → kind of card")


class SourceShape(Shape):
    """An entry of sources.yaml."""

    title: Word = Field(description="of the source")
    kind: str = Field("", description="what it is, such as `rules`")
    edition: str = Field("", description="which printing")
    date: str = Field("", description="when it appeared")
    where: str = Field("", description="where it is to be found")


class TermShape(Shape):
    """A summand of a figure."""

    label: Word = Field(description="what the summand is called")
    value: Word = Field(
        description="an expression over the frame's names and the figures above: `基本 + 3`"
    )
    each: str = Field(
        "",
        description="a kind: one summand for every different mounted card of it, over its fields",
    )
    cites: list[Word] = Field([], description="keys of `sources.yaml`")


class FigureShape(Shape):
    """An entry of figures.yaml."""

    name: Word = Field(description="of the figure; also its name in expressions")
    en: str = Field("", description="its name in English")
    unit: str = Field("", description="what it counts")
    minimum: Annotated[int, Field(ge=-1_000_000, le=1_000_000)] | None = Field(
        None, description="it is never below"
    )
    part: str = Field("", description="it is the number of slots of this part")
    terms: list[TermShape] = Field(min_length=1, description="its summands")


class PilotShape(Shape):
    """Who sits in a seat."""

    name: Word = Field(description="of the pilot")
    skills: list[Word] = Field([], description="ids or names of their skills")


class LoadoutShape(Shape):
    """One of a mech's loadouts: card ids or names by part."""

    certainty: Certainty = Field("stated", description="of the placement")
    mounted: dict[str, list[Word]] = Field(
        default={},
        examples=[{"body": ["sword"]}],
        description="part → card ids or names, in slot order",
    )
    pilots: list[PilotShape] = Field([], description="who sits in it")


class MechShape(Shape):
    """A file of mechs/."""

    code: Id = Field(description="permanent; `--mech` takes it")
    name: Word = Field(description="of the mech")
    edition: str = Field("", description="its box")
    frame: dict[str, Word] = Field({}, description="the words that choose its frame")
    printed: dict[str, Whole] = Field(
        {}, description="figures as printed, to hold the computed ones against"
    )
    loadouts: dict[str, LoadoutShape] = Field({}, description="variant → loadout")
    silhouette: str = Field("", description="the drawing that stands for it")
    unknown: list[Word] = Field(
        [], description="fields that nobody published: such a mech makes no room, and says why"
    )
    known: dict[str, Free] = Field({}, description="what else is public of it, in any form")
    note: str = Field("", description="remarks")
    sources: list[Word] = Field([], description="keys of `sources.yaml`")


class ChangeShape(Shape):
    """What an erratum changes; the first five keys say where."""

    card: str = Field("", description="the card that is corrected; with `deck`, a card in one deck")
    deck: str = Field("", description="the mech whose deck is corrected")
    mech: str = Field("", description="the mech that is corrected")
    list: str = Field("", description="the printed list that is corrected")
    page: str = Field("", description="the page that is corrected")
    field: Word = Field(
        description="of a card; of a deck's row; of a mech by a path, `frame.armour`"
    )
    was: Spelled = Field(description="the printed value, which must be what the data hold")
    now: Spelled = Field(description="the corrected value")


class ErratumShape(Shape):
    """An entry of errata.yaml."""

    id: Word = Field(description="permanent")
    set: str = Field("", description="the box")
    medium: Literal["card", "sheet", "list", "rulebook"] = Field(description="where it was printed")
    changes: list[ChangeShape] = Field(min_length=1, description="what it changes, one or more")
    source: Word = Field(description="a key of `sources.yaml`")
    date: str = Field("unknown", description="`unknown` where none is given")
    note: str = Field("", description="what it means")


class RulingShape(Shape):
    """An entry of rulings.yaml."""

    id: Word = Field(description="permanent")
    topic: Word = Field(description="what it is about")
    ruling: str = Field(min_length=1, description="the answer, in the project's words")
    cards: list[Word] = Field([], description="the cards it is shown with")
    rules: list[Word] = Field([], description="the rules it bears on")
    source: str = Field("", description="a key of `sources.yaml`")


class NoteShape(Shape):
    """An entry of a file of notes/."""

    id: Id = Field(description="by which layouts and sheets name it")
    title: Word = Field(description="of the note")
    text: str = Field(description="up to 12 lines of 26 characters can be read on the table")


class SelectionShape(Shape):
    """Which cards an item lays."""

    deck: Annotated[str, BeforeValidator(_own_deck)] = Field(
        "", description="the deck of the mech in the seat (`true`), or a printed deck by its name"
    )
    kind: str = Field("", description="a kind of card")
    only: dict[str, list[str]] = Field({}, description="field → values of which it must have one")
    ids: list[Word] = Field([], description="single cards by id or name")
    listed: Annotated[list[Word], Field(max_length=2)] = Field(
        [], description="`[card, field]`: the cards that a field of a card lists"
    )
    copies: Word = Field("1", description="a number, or the field that holds it")
    used_by: str = Field(
        "", description="the field that lists other cards: only what a card in the room has need of"
    )
