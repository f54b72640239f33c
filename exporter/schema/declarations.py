"""The shape in which a face template says what it takes."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta

from exporter.model import Declaration, Take
from exporter.model.fields import MOST
from exporter.schema.annotations import fields_of
from exporter.schema.findings import Findings, FormFault
from exporter.schema.places import Path
from exporter.schema.shape import Doc, Shape, Text, Wording
from exporter.words import asks


def _typed(value: Any) -> Any:
    return {"type": value} if isinstance(value, str) else value


_Bound: TypeAlias = Annotated[float, Meta(ge=-MOST, le=MOST)]


class TakeShape(Shape):
    """A value that a template takes; a mere type may stand for it."""

    type: Annotated[
        Literal[
            "text", "number", "measure", "flag", "colour", "slot", "field", "cards", "area", "given"
        ]
        | None,
        Doc("what it is", "値の型"),
    ] = None
    words: Annotated[list[str], Doc("all that may stand there", "書ける語のすべて")] = []
    keys: Annotated[dict[str, Any], Doc("key → the value within", "キー → その中の値")] = {}
    row: Annotated[
        list[Any], Doc("of a list, the values within one by one", "リストの中の値を順に")
    ] = []
    short: Annotated[
        str, Doc("the key whose value may stand for all keys", "その値だけを書けば済むキー")
    ] = ""
    shows: Annotated[
        str, Doc("the field that a slot shows when left out", "書かなければ slot が出す欄")
    ] = ""
    unless: Annotated[
        list[str],
        Doc(
            "values in whose place it is taken, where they have none",
            "これらの値がないときだけ受け取る",
        ),
    ] = []
    least: Annotated[_Bound | None, Doc("how little, or how few", "下限")] = None
    most: Annotated[_Bound | None, Doc("how much, or how many", "上限")] = None
    side: Annotated[
        Literal["front", "back"] | None,
        Doc("the only side of a card that shows it", "カードのこの面にだけ出る"),
    ] = None
    says: Annotated[Text, Doc("what it is for, in a sentence", "何のためのものか、一文で")] = (
        Wording()
    )
    map: Annotated[
        Any, Doc("of keys that are free, each value within", "キーが自由なとき、その中の値")
    ] = None
    list: Annotated[Any, Doc("of a list, each value within", "リストの中の値")] = None


class DeclarationShape(Shape):
    """What stands in the first lines of a template."""

    takes: Annotated[
        dict[str, Any], Doc("value → its type, limits and sentence", "値 → 型、範囲、説明")
    ] = {}
    marks: Annotated[list[str], Doc("what it draws for `[word]`", "`[語]` の代わりに描く語")] = []


_SORTS = ("type", "words", "keys", "list", "map", "row")
_ONE_OF = asks("one-of", words=", ".join(_SORTS))


def declaration_of(shape: DeclarationShape, says: Wording, faults: list[FormFault]) -> Declaration:
    """What a template takes; what is wrong with its values is noted, and they are left out."""
    takes = _takes(shape.takes, ("takes",), faults)
    return Declaration(says=says, takes=takes, marks=tuple(shape.marks))


def _takes(values: Mapping[str, Any], path: Path, faults: list[FormFault]) -> dict[str, Take]:
    return {name: _take(value, (*path, name), faults) for name, value in values.items()}


def _take(value: Any, path: Path, faults: list[FormFault]) -> Take:
    before = len(faults)
    shape: TakeShape = fields_of(TakeShape).read(_typed(value), path, Findings(faults=faults))
    given = [name for name in _SORTS if getattr(shape, name)]
    if given not in ([name] for name in _SORTS) and given != ["type", "words"]:
        if len(faults) == before:
            faults.append(FormFault(path=path, found=value, allowed=_ONE_OF))
        return Take(type="given")
    inner = next((name for name in ("list", "map") if name in given), "")
    return Take(
        type=shape.type or given[0],  # type: ignore[arg-type]
        says=shape.says,
        words=tuple(shape.words),
        least=shape.least,
        most=shape.most,
        keys=_takes(shape.keys, (*path, "keys"), faults),
        row=tuple(
            _take(each, (*path, "row", index), faults) for index, each in enumerate(shape.row)
        ),
        each=_take(getattr(shape, inner), (*path, inner), faults) if inner else None,
        short=shape.short,
        side=shape.side or "",
        shows=shape.shows,
        unless=tuple(shape.unless),
    )
