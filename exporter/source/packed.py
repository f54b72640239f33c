"""Records as bytes and back, with the places they were read from.

Only what a game that was read holds can be packed: records of this program, places, and plain
values. Nothing that is unpacked runs; the same object comes back as one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any, TypeAlias

from msgspec import MsgspecError, Struct, field, msgpack
from msgspec.structs import replace

from exporter.problems import Where
from exporter.schema.places import NOWHERE, Document, Items, Quoted, Table
from exporter.source.tables import CellPlaces, Places

(
    _REPEATED, _LIST, _TUPLE, _SET, _PAIRS, _QUOTED, _WHERE, _DOCUMENT, _TABLE, _ITEMS, _ROW,
    _CELLS, _RECORD,
) = range(13)  # fmt: skip
"""What a list in the bytes begins with; from the last on, the number of a class of records."""

_PLAIN = (str, int, float, bool, type(None))


class Unpackable(Exception):
    """A value of which nothing here knows, or bytes that are none of these."""


def packed(value: Any) -> bytes:
    """A value as bytes. Raises ``Unpackable``."""
    packing = _Packing()
    tree = packing.of(value)
    classes = [f"{one.__module__}:{one.__name__}" for one in packing.classes]
    headers = [dict(each) for each in packing.headers]
    return msgpack.encode((list(packing.files), headers, classes, tree))


def unpacked(data: bytes) -> Any:
    """The value that was packed. Raises ``Unpackable``."""
    try:
        files, headers, classes, tree = msgpack.decode(data, type=_Packed)
        return _Unpacking(files, headers, [_record(name) for name in classes]).of(tree)
    except _WRONG as error:
        raise Unpackable(str(error)) from None


_WRONG = (
    MsgspecError, ImportError, LookupError, TypeError, ValueError, AttributeError, RecursionError,
)  # fmt: skip
"""What comes of bytes that nobody here wrote."""


_Packed: TypeAlias = tuple[list[str], list[dict[str, int]], list[str], Any]


def _record(name: str) -> tuple[type[Struct], tuple[str, ...]]:
    """A class of records of this program, and its fields."""
    module, _, word = name.partition(":")
    if not module.startswith("exporter."):
        raise Unpackable(name)
    found = getattr(sys.modules.get(module) or import_module(module), word)
    if not (isinstance(found, type) and issubclass(found, Struct)):
        raise Unpackable(name)
    return found, found.__struct_fields__


class _Packing(Struct):
    """Values as lists; what was met before is named by its number."""

    files: dict[str, int] = field(default_factory=dict)
    headers: dict[tuple[tuple[str, int], ...], int] = field(default_factory=dict)
    classes: dict[type[Struct], int] = field(default_factory=dict)
    known: dict[int, tuple[int, Any]] = field(default_factory=dict)

    def of(self, value: Any) -> Any:
        sort = type(value)
        if sort in _PLAIN:
            return value
        if sort is dict:
            if not {*map(type, value)} <= {str}:
                return [_PAIRS, *map(self.of, value.items())]
            return {key: self.of(inner) for key, inner in value.items()}
        if value is NOWHERE:
            return [_DOCUMENT]
        if not value and sort in _EMPTY:
            return [_EMPTY[sort]]
        if sort is Quoted:
            return [_QUOTED, str(value)]
        if sort is Where:
            return [_WHERE, self._file(value.file), value.line, value.column, value.cell]
        if id(value) in self.known:
            return [_REPEATED, self.known[id(value)][0]]
        made = self._new(value)
        self.known[id(value)] = len(self.known), value  # held: its id is its own while it lives
        return made

    def _new(self, value: Any) -> list[Any]:
        match value:
            case Table():
                return self._table(value)
            case Items():
                at = self._at(value.where, value.values_at)
                return [_ITEMS, value.size, at, *map(self.of, value)]
            case tuple() | list():
                return [_EMPTY[type(value)], *map(self.of, value)]
            case Document(repaired=repaired) if not repaired:
                inner = replace(self, known={})
                tree = msgpack.encode(inner.of(value.whole))
                return [_DOCUMENT, self.of(value.where), value.key, tree]
            case Places():
                return [_ROW, value.raw, self._file(value.file), value.line, value.separator]
            case CellPlaces():
                columns = tuple(value.indexes.items())
                header = self.headers.setdefault(columns, len(self.headers))
                return [_CELLS, header, self.of(value.places)]
            case Struct():
                number = self.classes.setdefault(type(value), len(self.classes))
                each = (getattr(value, name) for name in value.__struct_fields__)
                return [_RECORD + number, *map(self.of, each)]
        raise Unpackable(repr(value))

    def _table(self, value: Table) -> list[Any]:
        keys = list(value)
        if not keys == list(value.keys_at) == list(value.values_at):
            raise Unpackable(repr(value))
        keys_at = self._at(value.where, value.keys_at.values())
        values_at = self._at(value.where, value.values_at.values())
        return [_TABLE, value.size, keys_at, values_at, keys, *map(self.of, value.values())]

    def _at(self, where: Where, each: Iterable[Where]) -> tuple[int, list[int], list[int]]:
        """Places in one file: that of something, and those of all that is in it."""
        found = (where, *each)
        if any(one.file != where.file or one.cell for one in found):
            raise Unpackable(str(where))
        return self._file(where.file), [one.line for one in found], [one.column for one in found]

    def _file(self, name: str) -> int:
        return self.files.setdefault(name, len(self.files))


class _Unpacking:
    """The way back."""

    def __init__(
        self,
        files: Sequence[str],
        headers: Sequence[dict[str, int]],
        records: Sequence[tuple[type[Struct], tuple[str, ...]]],
    ) -> None:
        self.files, self.headers, self.records = files, headers, records
        self.known: list[Any] = []

    def of(self, tree: Any) -> Any:
        sort = type(tree)
        if sort is dict:
            return {key: self.of(v) if type(v) in _NESTED else v for key, v in tree.items()}
        if sort is not list:
            return tree
        what = tree[0]
        if what >= _RECORD:
            record, names = self.records[what - _RECORD]
            found: Any = record(**dict(zip(names, self._each(tree, 1), strict=True)))
        elif what == _REPEATED:
            return self.known[tree[1]]
        elif len(tree) == 1:
            return _KINDS[what]()
        elif what == _PAIRS:
            return dict(self._each(tree, 1))
        elif what == _QUOTED:
            return Quoted(tree[1])
        elif what == _WHERE:
            return Where(self.files[tree[1]], *tree[2:])
        else:
            found = self._made(what, tree)
        self.known.append(found)
        return found

    def _each(self, tree: list[Any], start: int) -> list[Any]:
        return [self.of(v) if type(v) in _NESTED else v for v in tree[start:]]

    def _made(self, what: int, tree: list[Any]) -> Any:
        if what == _TABLE:
            _, size, keys_at, values_at, keys, *_rest = tree
            where, *of_keys = self._at(keys_at)
            table = Table(where)
            table.size = size
            table.update(zip(keys, self._each(tree, 5), strict=True))
            table.keys_at = dict(zip(keys, of_keys, strict=True))
            table.values_at = dict(zip(keys, self._at(values_at)[1:], strict=True))
            return table
        if what == _ITEMS:
            where, *of_values = self._at(tree[2])
            items = Items(where)
            items.size, items.values_at = tree[1], of_values
            items += self._each(tree, 3)
            return items
        if what == _DOCUMENT:
            later = partial(self._later, tree[3])
            return Document(self.of(tree[1]), key=tree[2], unpack=later)
        if what == _ROW:
            return Places(tree[1], self.files[tree[2]], tree[3], tree[4])
        if what == _CELLS:
            return CellPlaces(self.headers[tree[1]], self.of(tree[2]))
        return _KINDS[what](self._each(tree, 1))

    def _later(self, data: bytes) -> Any:
        """The value of a document, which shares nothing with others."""
        return _Unpacking(self.files, self.headers, self.records).of(msgpack.decode(data))

    def _at(self, places: Sequence[Any]) -> list[Where]:
        file = self.files[places[0]]
        return [Where(file, line, column) for line, column in zip(*places[1:], strict=True)]


_EMPTY: Mapping[type, int] = {list: _LIST, tuple: _TUPLE, frozenset: _SET}
_KINDS: Mapping[int, Callable[..., Any]] = {
    **{number: sort for sort, number in _EMPTY.items()},
    _DOCUMENT: lambda: NOWHERE,
}
_NESTED = (dict, list)
