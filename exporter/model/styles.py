"""How sorts of faces look: a template, its size, and the values that the template says it takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from exporter.model.document_places import Path
from exporter.model.shape import (
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
from exporter.model.spelling import MOST

TakeType: TypeAlias = Literal[
    "text", "number", "measure", "flag", "colour", "slot", "field", "cards", "area", "given",
    "words", "keys", "list", "map", "row",
]  # fmt: skip

Side: TypeAlias = Literal["", "front", "back"]

Bound: TypeAlias = Annotated[float, Meta(ge=-MOST, le=MOST)]


class Take(Struct, frozen=True, kw_only=True, dict=True):
    """A value that a template takes; a mere type may stand for it.

    ``slot`` names a field, or is a word that stands there as it is; ``field`` names a field, and
    ``cards`` one that lists other cards; an ``area`` is ``[x, y, width, height]`` within the thing
    that is drawn; what is ``given`` comes from the program alone. A ``colour`` may be one of its
    ``words`` besides ``#rrggbb``.
    """

    type: Annotated[
        Literal[
            "text", "number", "measure", "flag", "colour", "slot", "field", "cards", "area", "given"
        ]
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
        str, Doc("the field that a slot shows when left out", "書かなければ slot が出す欄")
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
        held = next((one for one in holding if getattr(self, one)), None)
        return self.type or held or "given"

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
    takes: Annotated[
        Mapping[str, WrittenTake],
        Doc("value → its type, limits and sentence", "値 → 型、範囲、説明"),
    ] = {}
    marks: Annotated[
        tuple[str, ...], Doc("what it draws for `[word]`", "`[語]` の代わりに描く語")
    ] = ()

    @cached_property
    def naming(self) -> Mapping[str, Take]:
        """Of what it takes, what holds names of fields at any depth."""
        return {name: take for name, take in self.takes.items() if take.names_fields}


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
