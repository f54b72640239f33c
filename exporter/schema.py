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

    ja: Word
    en: str = ""


Naming: TypeAlias = Annotated[NameShape, BeforeValidator(_ja)]


class TextShape(Shape):
    """A text in Japanese and English, which may be empty."""

    ja: str = ""
    en: str = ""


class FrameRulesShape(Shape):
    """Which columns of frames.csv choose a frame, their names in expressions, further choices."""

    key: list[Word] = []
    names: dict[str, Word] = {}
    options: dict[str, list[Word]] = {}


class EditionShape(Shape):
    """A box."""

    name: Naming
    requires: list[Word] = []


class VariantShape(Shape):
    """An alternative loadout and the mark of its cards."""

    name: Naming
    mark: Word


class FaceStyleShape(Shape):
    """How a sort of face looks: template below templates/faces, size in mm, pixels to a mm.

    What is left out is that of the style that it is ``like``.
    """

    like: str = ""
    template: str = ""
    size: Size | None = Field(default=None, examples=[[63, 88]])
    scale: Annotated[float, Field(gt=0, le=50, allow_inf_nan=False)] | None = None
    values: dict[str, Free] = {}
    takes: list[Word] = []


class KindShape(Shape):
    """A kind of card: its table, its fields, its two faces."""

    name: Naming
    file: Word = Field(examples=["cards/weapons.csv"])
    fields: dict[str, FieldType] = {}
    front: str = ""
    front_fields: list[Word] = []
    back: str = ""
    back_fields: list[Word] = []
    front_lists: dict[str, list[Word]] = {}
    listed_fields: list[Word] = []
    size: Length = 2
    detail: dict[str, Word] = {}
    deck_copies: str = ""


class GameShape(Shape):
    """game.yaml"""

    id: Id = Field(examples=["my_game"])
    name: Naming
    players: tuple[Ordinal, Ordinal] = Field(examples=[[2, 4]])
    notice: Annotated[TextShape, BeforeValidator(_ja)] = TextShape()
    credits: list[str] = []
    marks: dict[str, str] = {}
    parts: list[Word] = []
    frame: FrameRulesShape = FrameRulesShape()
    teams: dict[str, Naming] = {}
    editions: dict[str, EditionShape] = {}
    variants: dict[Id, VariantShape] = {}
    faces: dict[str, FaceStyleShape] = {}
    kinds: dict[str, KindShape] = {}


class SourceShape(Shape):
    """An entry of sources.yaml."""

    title: Word
    kind: str = ""
    edition: str = ""
    date: str = ""
    where: str = ""


class TermShape(Shape):
    """A summand of a figure."""

    label: Word
    value: Word
    each: str = ""
    cites: list[Word] = []


class FigureShape(Shape):
    """An entry of figures.yaml."""

    name: Word
    en: str = ""
    unit: str = ""
    minimum: Annotated[int, Field(ge=-1_000_000, le=1_000_000)] | None = None
    part: str = ""
    terms: list[TermShape] = Field(min_length=1)


class PilotShape(Shape):
    """Who sits in a seat."""

    name: Word
    skills: list[Word] = []


class LoadoutShape(Shape):
    """One of a mech's loadouts: card ids or names by part."""

    certainty: Certainty = "stated"
    mounted: dict[str, list[Word]] = Field(default={}, examples=[{"body": ["W01"]}])
    pilots: list[PilotShape] = []


class MechShape(Shape):
    """A file of mechs/."""

    code: Id
    name: Word
    edition: str = ""
    frame: dict[str, Word] = {}
    printed: dict[str, Whole] = {}
    loadouts: dict[str, LoadoutShape] = {}
    silhouette: str = ""
    unknown: list[Word] = []
    known: dict[str, Free] = {}
    note: str = ""
    sources: list[Word] = []


class ChangeShape(Shape):
    """What an erratum changes; the first five keys say where."""

    card: str = ""
    deck: str = ""
    mech: str = ""
    list: str = ""
    page: str = ""
    field: Word
    was: Spelled
    now: Spelled


class ErratumShape(Shape):
    """An entry of errata.yaml."""

    id: Word
    set: str = ""
    medium: Literal["card", "sheet", "list", "rulebook"]
    changes: list[ChangeShape] = Field(min_length=1)
    source: Word
    date: str = "unknown"
    note: str = ""


class RulingShape(Shape):
    """An entry of rulings.yaml."""

    id: Word
    topic: Word
    ruling: str = Field(min_length=1)
    cards: list[Word] = []
    rules: list[Word] = []
    source: str = ""


class NoteShape(Shape):
    """An entry of a file of notes/."""

    id: Id
    title: Word
    text: str


class SelectionShape(Shape):
    """Which cards an item lays."""

    deck: Annotated[str, BeforeValidator(_own_deck)] = ""
    kind: str = ""
    only: dict[str, list[str]] = {}
    ids: list[Word] = []
    listed: Annotated[list[Word], Field(max_length=2)] = []
    copies: Word = "1"
    used_by: str = ""
