"""YAML as plain values that know their places, and places in them by paths of keys.

Built from the parser's events, not with PyYAML's own composer: that one recurses in C, so deep
nesting ends the process, and it guesses types. Here every scalar stays as it is spelled
(``on``, ``1:30``, ``2019-01-02`` are texts) and the schema says what it is to be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

import yaml
from msgspec import Struct, field
from yaml import events

from exporter.core.problems import (
    InvalidSource,
    Problem,
    SourceLocation,
    error_at,
    problem_at,
    quoted,
)
from exporter.core.source_files import UNPRINTABLE, character_name

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


def size_of(value: Any) -> int:
    """Return how many values a value is, with all those within it."""
    if isinstance(value, Table):
        return 1 + len(value) + sum(map(size_of, value.values()))
    return 1 + sum(map(size_of, value)) if isinstance(value, Items) else 1


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


MAX_DEPTH = 40
# Values of one file, each alias counted with all that it stands for.
MAX_VALUES = 50_000

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_TAGS = (None, "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:str")


class _Builder:
    """Puts one document's events together; ``problems`` are faults that do not stop the reading.

    All of it raises ``InvalidSource`` past the limits.
    """

    def __init__(self, file: str, parsed: Iterator[Any], *, has_escapes: bool) -> None:
        self.file = file
        self.parsed = parsed
        self.has_escapes = has_escapes
        self.problems: list[Problem] = []
        self.anchors: dict[str, Any] = {}
        self.values = 0

    def where(self, event: Any) -> SourceLocation:
        mark = event.start_mark
        return SourceLocation(self.file, mark.line + 1, mark.column + 1)

    def value(self, event: Any, depth: int = 0) -> Any:
        """Return the value that an event begins, or that an alias stands for."""
        where, kind = self.where(event), type(event)
        if kind is events.AliasEvent:
            if event.anchor not in self.anchors:
                raise error_at(where, "SRC-YAML", "no-anchor", name=str(event.anchor)[:40])
            self._count(size_of(self.anchors[event.anchor]), where)
            return self.anchors[event.anchor]
        self._count(1, where)
        if event.tag not in _TAGS:
            self.problems.append(
                problem_at(where, "SRC-YAML", "tag-not-used", found=quoted(event.tag))
            )
        if kind is events.ScalarEvent:
            value: Any = self._scalar(event, where)
        elif depth >= MAX_DEPTH:
            raise error_at(where, "SRC-YAML", "too-deep", most=MAX_DEPTH)
        elif kind is events.MappingStartEvent:
            value = self._table(where, depth + 1)
        else:
            value = self._items(where, depth + 1)
        if event.anchor:
            self.anchors[event.anchor] = value
        return value

    def _count(self, number: int, where: SourceLocation) -> None:
        self.values += number
        if self.values > MAX_VALUES:
            raise error_at(where, "SRC-YAML", "too-many-values", most=MAX_VALUES)

    def _scalar(self, event: Any, where: SourceLocation) -> str | None:
        if self.has_escapes and (wrong := UNPRINTABLE.search(event.value)):
            self.problems.append(
                problem_at(
                    where,
                    "SRC-TEXT",
                    "text-nothing-can",
                    control=character_name(wrong[0]),
                    escape=f"\\u{ord(wrong[0]):04x}",
                )
            )
        if event.style:
            return Quoted(event.value)
        return None if event.value in ("", "~") else str(event.value)

    def _items(self, where: SourceLocation, depth: int) -> Items:
        items = Items(where)
        while type(event := next(self.parsed)) is not events.SequenceEndEvent:
            items.append(self.value(event, depth))
            items.values_at.append(self.where(event))
        return items

    def _table(self, where: SourceLocation, depth: int) -> Table:
        table = Table(where)
        while type(event := next(self.parsed)) is not events.MappingEndEvent:
            key, key_where = self.value(event, depth), self.where(event)
            inner = next(self.parsed)
            value = self.value(inner, depth)
            if not isinstance(key, str):
                wrong = "key-is-nothing" if key is None else "key-is-collection"
                self.problems.append(problem_at(key_where, "SRC-KEY", wrong))
            elif key in table:
                self.problems.append(
                    problem_at(
                        key_where,
                        "SRC-KEY",
                        "key-stands-second",
                        found=quoted(key),
                        line=table.keys_at[key].line,
                    )
                )
            else:
                table[str(key)] = value
                table.keys_at[str(key)] = key_where
                table.values_at[str(key)] = self.where(inner)
        return table


def read_documents(text: str, file: str) -> Iterator[tuple[Any, SourceLocation, list[Problem]]]:
    """Yield each document of a file: its value (nothing if empty), where it begins, its small
    faults.

    Raises ``InvalidSource`` at the first fault that leaves the rest without sense.
    """
    has_escapes = "\\" in text  # what nothing can show stands in a file as an escape alone
    start = SourceLocation(file, 1, 1)
    try:
        parsed = yaml.parse(text, Loader=_LOADER)
        for event in parsed:
            if type(event) is events.DocumentStartEvent:
                builder = _Builder(file, parsed, has_escapes=has_escapes)
                start = builder.where(event)
                root = builder.value(next(parsed))
                where = root.where if isinstance(root, Table | Items) else start
                yield root, where, builder.problems
    except yaml.YAMLError as error:
        raise InvalidSource([broken(error, text, file)]) from None
    except (UnicodeError, ValueError, OverflowError) as error:
        raise error_at(start, "SRC-YAML", "no-yaml", error=error) from None


def read_document(text: str, file: str) -> tuple[Any, SourceLocation, list[Problem]]:
    """Return the one document of a file; a second one is a problem. Raises ``InvalidSource``."""
    documents = read_documents(text, file)
    value, where, problems = next(documents, (None, SourceLocation(file, 1, 1), list[Problem]()))
    for _, start, _ in islice(documents, 1):
        problems.append(problem_at(start, "SRC-YAML", "second-document-begins"))
    return value, where, problems


# What PyYAML says of a thing that is not finished; it is reported where the thing begins.
_UNFINISHED = {
    "could not find expected ':'": "no-colon",
    "unexpected end of stream": "open-quotation",
    "expected ',' or": "open-bracket",
}


# A value without quotes that begins with a sign of YAML's own.
_SIGN_OF_YAML = re.compile(
    r"(?P<before>\s*(?:(?:- +)*[\w.-]+: +|(?:- +)+(?!-)))(?P<text>[\[{*&!%@`\"'>|?-].+)"
)


def broken(error: yaml.YAMLError, text: str, file: str) -> Problem:
    """Return the fault at which reading stopped, where it stands."""
    at, message = _stop(error, text)
    mark = error.context_mark if isinstance(error, yaml.MarkedYAMLError) else None
    # Where the thing begins that is never finished.
    begin = at if mark is None else (mark.line + 1, mark.column + 1)
    lines = dict(enumerate(text.split("\n"), 1))
    for number in (begin[0], at[0]):
        if problem := _wide_sign_in_line(lines.get(number, ""), number, file):
            return problem
    line, last = lines.get(at[0], ""), text.rstrip().split("\n")
    values: dict[str, Any] = {"quote": message}
    if "nesting depth" in message:  # beyond what the parser itself looks at
        key, values = "too-deep", {"most": MAX_DEPTH}
    elif "\t" in line[: max(at[1], 1)]:
        at, key = (at[0], line.index("\t") + 1), "tab"
    elif "mapping values are not allowed" in message:
        key = "second-colon" if len(re.findall(r":(?= |$)", line)) > 1 else "not-aligned"
    elif unfinished := [key for part, key in _UNFINISHED.items() if part in message]:
        at, key = begin, unfinished[0]
    elif sign := _SIGN_OF_YAML.fullmatch(line.rstrip()):
        quote = '"' if "'" in sign["text"] else "'"
        right = f"{sign['before'].strip()} {quote}{sign['text']}{quote}".strip()
        at, key = (at[0], sign.start("text") + 1), "text-sign"
        values = {"sign": sign["text"][0], "right": right[:80]}
    elif "did not find expected" in message or "expected <block end>" in message:
        key = "not-aligned"
    else:
        key = "unreadable"
    if at[0] > len(last):
        at, key = (len(last), len(last[-1]) + 1), "ends-early"
    return problem_at(SourceLocation(file, *at), "SRC-YAML", key, **values)


def _stop(error: yaml.YAMLError, text: str) -> tuple[tuple[int, int], str]:
    """Return the line and column where reading stopped, and what PyYAML says."""
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        at = (0, 0) if mark is None else (mark.line + 1, mark.column + 1)
        return at, error.problem or error.context or str(error)
    if isinstance(error, yaml.reader.ReaderError):
        before = text[: error.position if isinstance(error.position, int) else 0]
        return (before.count("\n") + 1, len(before) - before.rfind("\n")), f"{error.reason}"
    return (0, 0), str(error)


# Full-width signs where YAML wants half-width ones.
_WIDE_SIGNS = {"：": "colon", "\u3000": "space", "［": "bracket", "｛": "bracket", "、": "comma"}
_HALF_WIDTH = str.maketrans(
    {"［": "[", "］": "]", "｛": "{", "｝": "}", "：": ": ", "、": ", ", "\u3000": " "}
)

# Where YAML looks for signs of its own: in an indentation, after a key, before a value.
_FOR_YAML = re.compile(
    r" *(?:- +)*(?:-?\u3000|[［｛]|(?:[\w.-]+|'[^']*'|\"[^\"]*\")(?:：|: *[\u3000［｛]))"
)


def _wide_sign_in_line(line: str, number: int, file: str) -> Problem | None:
    """Return such a sign in a line that is no YAML, where it stands for one of YAML's own."""
    found = _FOR_YAML.match(line)
    at = SourceLocation(file, number, found.end() if found else 0)
    return _wide_sign_problem(at, found[0][-1], line) if found else None


def wide_sign(text: str, at: SourceLocation, signs: str = "".join(_WIDE_SIGNS)) -> Problem | None:
    """Return the first of some signs in a text that is to be keys, a list or a name."""
    start = next((index for index, sign in enumerate(text) if sign in signs), None)
    if start is None:
        return None
    if at.column and not at.cell:
        at = SourceLocation(at.file, at.line, at.column + start)
    return _wide_sign_problem(at, text[start], f"[{text}]" if text[start] == "、" else text)


def _wide_sign_problem(at: SourceLocation, sign: str, text: str) -> Problem:
    right = re.sub(r" +", " ", text.translate(_HALF_WIDTH)).strip()
    return problem_at(at, "SRC-YAML", f"full-width-{_WIDE_SIGNS[sign]}", right=right[:60])
