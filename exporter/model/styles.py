"""How sorts of faces look: a template, its size, and the values that the template says it takes, as
records, as forms that read them and as JSON Schema.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from exporter.core.messages import Joined, Sentence, asks, sentence
from exporter.model.documents import Path, Spot
from exporter.model.forms import (
    BoolForm,
    ChoiceForm,
    Findings,
    Form,
    FormFault,
    ListForm,
    MapForm,
    NumberForm,
    RowForm,
    ShortForm,
    TextForm,
    WrappingForm,
)
from exporter.model.shape import (
    MOST,
    TEXT,
    Doc,
    Free,
    Inner,
    Record,
    Short,
    Size,
    Text,
    Wording,
    under,
)

TakeType: TypeAlias = Literal[
    "text", "number", "measure", "flag", "colour", "slot", "field", "cards", "given",
    "words", "keys", "list", "map", "row",
]  # fmt: skip

Side: TypeAlias = Literal["", "front", "back"]

Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]

Bound: TypeAlias = Annotated[float, Meta(ge=-MOST, le=MOST)]


Colour: TypeAlias = Annotated[
    str, Meta(pattern="^(#[0-9a-fA-F]{6})?$", extra={"allowed": "a colour, `#rrggbb`"})
]


class Take(Struct, frozen=True, kw_only=True, dict=True):
    """A value that a template takes; a mere type may stand for it.

    ``slot`` names a field, or is a word that stands there as it is; ``field`` names a field, and
    ``cards`` one that lists other cards; what is ``given`` comes from the program alone. A
    ``colour`` may be one of its ``words`` besides ``#rrggbb``.
    """

    type: Annotated[
        Literal["text", "number", "measure", "flag", "colour", "slot", "field", "cards", "given"]
        | None,
        Doc("what it is, where it holds nothing", "中に値がないときの型"),
    ] = None
    says: Annotated[Text, Doc("what it is for, in a sentence", "何のためのものか、一文で")] = (
        Wording()
    )
    words: Annotated[tuple[str, ...], Doc("all that may stand there", "書ける語のすべて")] = ()
    least: Annotated[Bound | None, Doc("how little, or how few", "下限")] = None
    most: Annotated[Bound | None, Doc("how much, or how many", "上限")] = None
    keys: Annotated[
        Mapping[str, WrittenTake], Doc("key → the value within", "キー → その中の値")
    ] = {}
    row: Annotated[
        tuple[WrittenTake, ...],
        Doc("of a list, the values within one by one", "リストの中の値を順に"),
    ] = ()
    map: Annotated[
        WrittenTake | None,
        Doc("of keys that are free, each value within", "キーが自由なとき、その中の値"),
    ] = None
    list: Annotated[WrittenTake | None, Doc("of a list, each value within", "リストの中の値")] = (
        None
    )
    short: Annotated[
        str, Doc("the key whose value may stand for all keys", "その値だけを書けば済むキー")
    ] = ""
    side: Annotated[
        Literal["front", "back"] | None,
        Doc("the only side of a card that shows it", "カードのこの面にだけ出る"),
    ] = None
    shows: Annotated[
        str,
        Doc(
            "the field that a slot shows when left out; of `shows`, what the program chooses",
            "書かなければ slot が出す欄。値 `shows` では、プログラムが選ぶもの",
        ),
    ] = ""
    unless: Annotated[
        tuple[str, ...],
        Doc(
            "values in whose place it is taken, where they have none",
            "これらの値がないときだけ受け取る",
        ),
    ] = ()

    @cached_property
    def sort(self) -> TakeType:
        """Its type, or that of what it holds."""
        holding: tuple[TakeType, ...] = ("words", "keys", "list", "map", "row")
        of = next((one for one in holding if getattr(self, one)), None)
        return self.type or of or "given"

    @property
    def each(self) -> Take | None:
        """Each value within a list or map."""
        return self.list or self.map

    @property
    def within(self) -> Iterator[tuple[Path, Take]]:
        """The values within, each with the path to it."""
        yield from ((("keys", name), take) for name, take in self.keys.items())
        yield from ((("row", index), take) for index, take in enumerate(self.row))
        yield from (((key,), take) for key in ("map", "list") if (take := getattr(self, key)))

    @property
    def names_fields(self) -> bool:
        """Whether it is the name of a field, or holds some."""
        own = self.sort in ("slot", "field", "cards")
        return own or any(take.names_fields for _path, take in self.within)


WrittenTake: TypeAlias = Annotated[Take, Short(under("type"), TEXT)]


class Declaration(Struct, frozen=True, kw_only=True, dict=True):
    """What stands in the first lines of a template: ``says`` what it draws."""

    says: Annotated[Wording, Inner()] = Wording()
    like: Annotated[
        str,
        Doc(
            "a template, `looks/card.typ`: what that takes, this takes besides",
            "テンプレート（`looks/card.typ`）。それが受け取る値は、これも受け取る",
        ),
    ] = ""
    takes: Annotated[
        Mapping[str, WrittenTake],
        Doc("value → its type, limits and sentence", "値 → 型、範囲、説明"),
    ] = {}
    band: Annotated[
        tuple[Share, Share],
        Doc(
            "where its picture is, as shares of the height: `print --looks` compares this band",
            "絵のある帯。高さに対する割合で。`print --looks` がくらべる",
        ),
    ] = (0.1, 0.9)
    marks: Annotated[
        tuple[str, ...], Doc("what it draws for `[word]`", "`[語]` の代わりに描く語")
    ] = ()

    @cached_property
    def naming(self) -> Mapping[str, Take]:
        """Of what it takes, what holds names of fields at any depth."""
        return {name: take for name, take in self.takes.items() if take.names_fields}


class Look(Record, frozen=True, kw_only=True):
    """A family of looks, and what of it is the game's own."""

    family: Annotated[
        Literal["fantasy", "modern", "science-fiction", "tarot", "playing"],
        Doc("of looks that belong together", "合わせて作られた見た目の一そろい"),
    ]
    ground: Annotated[Colour, Doc("the colour of grounds", "地の色")] = ""
    paper: Annotated[Colour, Doc("the colour below texts", "文の下の紙の色")] = ""
    ink: Annotated[Colour, Doc("the colour of letters and lines", "文字と線の色")] = ""
    accent: Annotated[Colour, Doc("of rims, figures and ornament", "縁と数字と飾りの色")] = ""
    second: Annotated[
        Colour, Doc("another, for what is to differ", "もう1つの色。違いを見せる所に")
    ] = ""
    display: Annotated[
        str,
        Doc(
            "the typeface of titles: `Reggae One`, `BIZ UDPMincho`, `BIZ UDPGothic`, `Vollkorn`, "
            "`Cabin`, or one whose file lies in `templates/faces/fonts`",
            "題の書体：`Reggae One`、`BIZ UDPMincho`、`BIZ UDPGothic`、`Vollkorn`、`Cabin`、または "
            "`templates/faces/fonts` に置いたファイルの書体",
        ),
    ] = ""

    @property
    def values(self) -> dict[str, str]:
        """What templates get of it."""
        names = ("family", "ground", "paper", "ink", "accent", "second", "display")
        return {name: getattr(self, name) for name in names if getattr(self, name)}


class WrittenStyle(Record, frozen=True, kw_only=True):
    """How a sort of face looks: template below templates/faces, size in mm, pixels to a mm.

    What is left out is that of the style that it is ``like``.
    """

    like: Annotated[
        str,
        Doc(
            "the style whose template, size and so on hold where they are left out",
            "書かなかったテンプレートや大きさなどを、このスタイルから引きつぐ",
        ),
    ] = ""
    template: Annotated[
        str,
        Doc(
            "path below `templates/faces`: `plain/card.typ`",
            "`templates/faces` からのパス：`plain/card.typ`",
        ),
    ] = ""
    size: Annotated[
        Size | None, Doc("millimetres: `[63, 88]`", "大きさ（mm）：`[63, 88]`", [63, 88])
    ] = None
    scale: Annotated[
        Annotated[float, Meta(ge=0.01, le=50)] | None,
        Doc("pixels of the screen picture to a millimetre", "画面の絵の、1 mm あたりのピクセル数"),
    ] = None
    values: Annotated[
        Mapping[str, Free],
        Doc(
            "what the template gets besides, such as `slots` or `colour`",
            "テンプレートに渡す値。`slots` や `colour` など",
        ),
    ] = {}


class FaceStyle(WrittenStyle, frozen=True, kw_only=True):
    """A style with all that it has of others: its template and its size in millimetres.

    ``values`` go to the template, with those of the thing it shows; what it does not take is left
    out, unless it has no ``declaration``. With ``per_unit`` the ``size`` of a mat is not used: it
    has so many millimetres to each of its units on the table.
    """

    id: str
    size: tuple[float, float]
    scale: float
    per_unit: float = 0
    declaration: Declaration | None = None


_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_BARE_COLOUR = re.compile(r"(?=.*[0-9])[0-9a-fA-F]{6}")
_SIMPLE = ("number", "measure", "flag", "colour", "words")
_ALLOWED = {
    "text": "text",
    "slot": "slot",
    "field": "field",
    "cards": "front-list",
}


class TakeForm(WrappingForm, frozen=True):
    """What a template takes where a text with ``${…}``, still to be filled, may stand for
    anything."""

    def read(self, value: Any, path: Path, findings: Findings) -> Any:
        if isinstance(value, str) and "${" in value:
            return str(value)
        return self.form.read(value, path, findings)


class ValuesForm(Form, frozen=True):
    """Values by name; those that the template does not take are left out."""

    keys: Mapping[str, Form]

    @property
    def allowed(self) -> Sentence:
        return asks("these-keys", words=", ".join(self.keys))

    def read(self, value: Any, path: Path, findings: Findings) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            return dict(self.refuse(value, path, findings))
        read: dict[str, Any] = {}
        for name, inner in value.items():
            if name in self.keys:
                read[name] = self.keys[name].read(inner, (*path, name), findings)
            else:
                unknown = FormFault(path=(*path, name), sort="unknown", words=tuple(self.keys))
                findings.faults.append(unknown)
        return read

    def stand_in(self, spot: Spot) -> dict[str, Any]:
        return {}


class _AnyText(Form, frozen=True):
    """A text, or what YAML or a table's column takes for a number or a truth."""

    allowed: Sentence
    most: int | None = None

    def read(self, value: Any, path: Path, findings: Findings) -> Any:
        if value is None or isinstance(value, dict | list | tuple):
            return self.refuse(value, path, findings)
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if self.most is not None and len(text) > self.most:
            return self.refuse(
                text, path, findings, allowed=asks("most-characters", most=self.most)
            )
        return text

    def stand_in(self, spot: Spot) -> str:
        return ""


class _ColourForm(Form, frozen=True):
    """A colour; besides, one of some words, or where there are none, any word."""

    words: tuple[str, ...]

    @property
    def allowed(self) -> Sentence:
        words = ", ".join(word for word in self.words if word)
        key = "colour-or" if words else "colour-alone" if self.words else "colour"
        return asks(key, words=words)

    def read(self, value: Any, path: Path, findings: Findings) -> Any:
        if isinstance(value, str):
            looks_like_one = value.startswith("#") or _BARE_COLOUR.fullmatch(value)
            is_word = value in self.words if self.words else not looks_like_one
            if is_word or not value or _COLOUR.fullmatch(value):
                return str(value)
        # YAML takes a colour without quotes for a remark.
        example = sentence("example", "quoted-colour", name=path[-1]) if value is None else ""
        return self.refuse(value, path, findings, example=example)


def values_form(takes: Mapping[str, Take], *, filled: bool = False) -> ValuesForm:
    """Return the form of values that a template takes; where they are to be ``filled``, a text with
    ``${…}`` may stand for anything."""
    known = ((name, take) for name, take in takes.items() if take.sort != "given")
    return ValuesForm({name: take_form(take, filled=filled) for name, take in known})


def take_form(take: Take, *, filled: bool = False) -> Form:
    """Return the form of one value that a template takes."""
    inner = partial(take_form, filled=filled)
    least, most = int(take.least or 0), MOST if take.most is None else int(take.most)
    match take.sort:
        case "keys":
            form: Form = values_form(take.keys, filled=filled)
            if take.short:
                form = ShortForm(form, Short(_under(take.short)))
        case "row":
            row = tuple(map(inner, take.row))
            allowed = asks("list-of", each=Joined(tuple(one.allowed for one in row), ", "))
            form = RowForm(row, None if take.least is None else least, allowed)
        case "list" if take.list is not None:
            allowed = asks("some-list" if take.most is None else "most-list", most=most)
            form = ListForm(each=inner(take.list), least=least, most=most, allowed=allowed)
        case "map" if take.map is not None:
            allowed = asks("some-keys" if take.most is None else "most-keys", most=most)
            form = MapForm(TextForm(), inner(take.map), least=least, most=most, allowed=allowed)
        case _:
            form = _simple_form(take)
    return TakeForm(form) if filled and take.sort in _SIMPLE else form


def _simple_form(take: Take) -> Form:
    """Return the form of what holds no other."""
    match take.sort:
        case "number" | "measure":
            return _number_form(take)
        case "flag":
            return BoolForm()
        case "colour":
            return _ColourForm(take.words)
        case "words":
            return ChoiceForm(take.words, or_none=True)
        case "given":
            return Form()
    return _AnyText(asks(_ALLOWED[take.sort]), None if take.most is None else int(take.most))


def _number_form(take: Take) -> NumberForm:
    is_whole = take.sort == "number"
    least, most = -MOST if take.least is None else take.least, take.most
    most = MOST if most is None else most
    if (take.least, take.most) == (None, None):
        wanted = asks("whole-number" if is_whole else "measure")
    else:
        key = "whole-number-between" if is_whole else "number-between"
        wanted = asks(key, least=least, most=most)
    if is_whole:
        least, most = int(least), int(most)
    return NumberForm(is_whole, least, most, wanted)


def _under(key: str) -> Any:
    return lambda value: value if value is None or isinstance(value, dict) else {key: value}


def named_fields(
    takes: Mapping[str, Take], values: Mapping[str, Any], side: Side = ""
) -> Iterator[tuple[Path, Take, str]]:
    """Yield each place that shows a field, with the word there: of a slot the field, or itself."""
    for name, take in takes.items():
        if not (take.side and side and take.side != side):
            yield from _named(take, values.get(name), (name,), side)


def _named(take: Take, value: Any, path: Path, side: Side) -> Iterator[tuple[Path, Take, str]]:
    if take.sort in ("slot", "field", "cards"):
        word = value if isinstance(value, str) and value else take.shows
        if word:
            yield path, take, word
    elif take.sort == "keys":
        inner = value if isinstance(value, Mapping) else {}
        for found, each, word in named_fields(take.keys, inner, side):
            yield (*path, *found), each, word
    elif isinstance(value, list | tuple):
        entries = take.row if take.each is None else (take.each,) * len(value)
        for at, (within, inner) in enumerate(zip(entries, value, strict=False)):
            yield from _named(within, inner, (*path, at), side)
    elif isinstance(value, Mapping) and take.each is not None:
        for key, inner in value.items():
            yield from _named(take.each, inner, (*path, key), side)
