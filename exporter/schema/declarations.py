"""The shape in which a face template says what it takes."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta

from exporter.model import Declaration, Take
from exporter.model.fields import MOST
from exporter.schema.annotations import fields_of
from exporter.schema.findings import Findings, FormFault
from exporter.schema.places import Path
from exporter.schema.shape import Shape
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
        Meta(description="what it is"),
    ] = None
    words: Annotated[list[str], Meta(description="all that may stand there")] = []
    keys: Annotated[dict[str, Any], Meta(description="key → the value within")] = {}
    row: Annotated[list[Any], Meta(description="of a list, the values within one by one")] = []
    short: Annotated[str, Meta(description="the key whose value may stand for all keys")] = ""
    shows: Annotated[str, Meta(description="the field that a slot shows when left out")] = ""
    unless: Annotated[
        list[str], Meta(description="values in whose place it is taken, where they have none")
    ] = []
    least: Annotated[_Bound | None, Meta(description="how little, or how few")] = None
    most: Annotated[_Bound | None, Meta(description="how much, or how many")] = None
    side: Annotated[
        Literal["front", "back"] | None, Meta(description="the only side of a card that shows it")
    ] = None
    says: Annotated[str, Meta(description="what it is for, in a sentence")] = ""
    map: Annotated[Any, Meta(description="of keys that are free, each value within")] = None
    list: Annotated[Any, Meta(description="of a list, each value within")] = None


class DeclarationShape(Shape):
    """What stands in the first lines of a template."""

    takes: Annotated[dict[str, Any], Meta(description="value → its type, limits and sentence")] = {}
    marks: Annotated[list[str], Meta(description="what it draws for `[word]`")] = []


_SORTS = ("type", "words", "keys", "list", "map", "row")
_ONE_OF = asks("one-of", words=", ".join(_SORTS))


def declaration_of(shape: DeclarationShape, says: str, faults: list[FormFault]) -> Declaration:
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
