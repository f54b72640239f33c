"""Plain values that know where they stand in a file, and places in them by paths of keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct, field

from exporter.core.problems import SourceLocation

Path: TypeAlias = tuple[int | str, ...]


class Quoted(str):
    """A scalar that was written in quotes or as a block: a text, whatever it looks like."""

    __slots__ = ()


class Table(dict[str, Any]):
    """A mapping; ``keys_at`` and ``values_at`` hold where each key and value stands."""

    where: SourceLocation

    def __init__(self, where: SourceLocation) -> None:
        super().__init__()
        self.where = where
        self.keys_at: dict[str, SourceLocation] = {}
        self.values_at: dict[str, SourceLocation] = {}
        self.size = 1

    def with_keys(self, changes: Table, **more: str) -> Table:
        """Return the same mapping with the keys of ``changes`` in place of its own, and
        ``more``."""
        changed = Table(self.where)
        for table in (self, changes):
            changed.update(table)
            changed.keys_at |= table.keys_at
            changed.values_at |= table.values_at
        for key, value in more.items():
            changed[key] = value
            changed.keys_at[key] = changed.values_at[key] = changes.where
        return changed


class Items(list[Any]):
    """A sequence; ``values_at`` holds where each value stands."""

    where: SourceLocation

    def __init__(self, where: SourceLocation) -> None:
        super().__init__()
        self.where = where
        self.values_at: list[SourceLocation] = []
        self.size = 1


def size_of(value: Any) -> int:
    """Return how many values a value is, with all those within it."""
    return value.size if isinstance(value, Table | Items) else 1


def place(
    value: Any, path: Sequence[str | int], where: SourceLocation, *, key: bool = False
) -> SourceLocation:
    """Return where the value at ``path`` stands, or the nearest thing around it that has a place.

    ``where`` is the place of ``value`` itself; with ``key`` the last step's key is meant.
    """
    for index, step in enumerate(path):
        last = index == len(path) - 1
        if isinstance(value, Table) and step in value:
            places = value.keys_at if key and last else value.values_at
            where, value = places[str(step)], value[str(step)]
        elif isinstance(value, Items) and isinstance(step, int) and step < len(value):
            where, value = value.values_at[step], value[step]
        else:
            break
    return where


class Document(Struct, eq=False):
    """A value that is read, where it stands, and its ``key`` if it is one of many in a file.

    ``repaired`` are the paths that hold stand-ins, known when all of it is read.
    """

    where: SourceLocation = SourceLocation()
    value: Any = None
    key: str = ""
    repaired: frozenset[Path] = frozenset()


# What nobody has read.
NOWHERE = Document()


class Spot(Struct, frozen=True):
    """A place in a document, from which paths lead on."""

    document: Document = field(default_factory=lambda: NOWHERE)
    path: Path = ()

    @property
    def key(self) -> str:
        """The key under which the value here stands."""
        return str(self.path[-1]) if self.path else self.document.key

    def at(self, *path: int | str) -> Spot:
        """Return the spot at the end of a path from here."""
        return Spot(self.document, (*self.path, *path))

    def place(self, *path: int | str, key: bool = False) -> SourceLocation:
        """Return where the value at ``path`` from here stands, or its key."""
        document = self.document
        return place(document.value, (*self.path, *path), document.where, key=key)

    def spelled(self, *path: int | str) -> Any:
        """Return the value at ``path`` from here as it is spelled; nothing where there is none."""
        value = self.document.value
        for step in (*self.path, *path):
            try:
                value = value[step]
            except (KeyError, IndexError, TypeError):
                return None
        return value

    def is_sound(self, *path: int | str) -> bool:
        """Return whether nothing at, above or below ``path`` had to be repaired."""
        path = (*self.path, *path)
        return not any(
            done[: len(path)] == path or path[: len(done)] == done
            for done in self.document.repaired
        )


def standing(where: SourceLocation) -> Spot:
    """Return the spot of what has nothing but a place."""
    return Spot(Document(where))


class Reference(NamedTuple):
    """Somebody names something: a ``sort`` of thing, its id or name, and where this is said."""

    sort: str
    name: str
    where: SourceLocation
