"""How sorts of faces look: a template, its size, and the values that the template says it takes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field

from exporter.schema.shape import Doc, Free, Record, Size, Wording

TakeType: TypeAlias = Literal[
    "text", "number", "measure", "flag", "colour", "slot", "field", "cards", "area", "given",
    "words", "keys", "list", "map", "row",
]  # fmt: skip

Side: TypeAlias = Literal["", "front", "back"]


class Take(Struct, frozen=True, kw_only=True):
    """A value that a template takes: its type, its limits, and ``says``, what it is for.

    ``slot`` names a field, or is a word that stands there as it is; ``field`` names a field, and
    ``cards`` one that lists other cards; an ``area`` is ``[x, y, width, height]`` within the thing
    that is drawn; what is ``given`` comes from the program alone. ``words`` are all that may stand
    there, of a ``colour`` all besides ``#rrggbb``. ``keys``, ``row`` and ``each`` (of a ``list``,
    or of a ``map`` by free keys) are the values within; ``short`` is the key whose value may stand
    for all of them. ``least`` and ``most`` bound a number, or how many there are.

    ``side`` is the one side of a card that shows it; ``shows`` the field that an empty slot shows.
    A value with ``unless`` is taken only where none of those has one.
    """

    type: TakeType
    says: Wording = Wording()
    words: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    keys: Mapping[str, Take] = field(default_factory=dict)
    row: tuple[Take, ...] = ()
    each: Take | None = None
    short: str = ""
    side: Side = ""
    shows: str = ""
    unless: tuple[str, ...] = ()

    @property
    def names_fields(self) -> bool:
        """Whether it is the name of a field, or holds some."""
        inner = (*self.keys.values(), *self.row, *((self.each,) if self.each else ()))
        return self.type in ("slot", "field", "cards") or any(one.names_fields for one in inner)


class Declaration(Struct, frozen=True, kw_only=True, dict=True):
    """What a template says of itself: ``says`` what it draws, which values it ``takes``.

    ``marks`` are those that it draws as icons, such as ``[bomb]``.
    """

    says: Wording = Wording()
    takes: Mapping[str, Take]
    marks: tuple[str, ...] = ()

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
