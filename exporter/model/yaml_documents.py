"""YAML as plain values that know their places.

Built from the parser's events, not with PyYAML's own composer: that one recurses in C, so deep
nesting ends the process, and it guesses types. Here every scalar stays as it is spelled
(``on``, ``1:30``, ``2019-01-02`` are texts) and the schema says what it is to be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml
from yaml import events

from exporter.core.problems import (
    InvalidSource,
    Problem,
    SourceLocation,
    error_at,
    problem_at,
    quoted,
)
from exporter.core.source_files import (
    UNPRINTABLE,
    character_name,
)
from exporter.model import lookalikes
from exporter.model.document_places import (
    Items,
    Quoted,
    Table,
)

MAX_DEPTH = 40
# Values of one file, each alias counted with all that it stands for.
MAX_VALUES = 50_000

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_COLLECTION_TAGS = ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")
_SCALAR_TAGS = ("tag:yaml.org,2002:str",)


class _Builder:
    """Puts one file's events together; ``problems`` are faults that do not stop the reading."""

    def __init__(self, file: str, *, has_escapes: bool) -> None:
        self.file = file
        self.has_escapes = has_escapes
        self.problems: list[Problem] = []
        self.open: list[Table | Items] = []
        self.keys: list[tuple[str | None, SourceLocation] | None] = []
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.named: list[str | None] = []
        self.values = 0
        self.root: Any = None

    def where(self, event: Any) -> SourceLocation:
        mark = event.start_mark
        return SourceLocation(self.file, mark.line + 1, mark.column + 1)

    def feed(self, event: Any) -> None:
        """Takes the next event of the document. Raises ``InvalidSource`` past the limits."""
        kind = type(event)
        if kind is events.ScalarEvent:
            self._scalar(event)
        elif kind is events.MappingStartEvent or kind is events.SequenceStartEvent:
            self._start(event, Table if kind is events.MappingStartEvent else Items)
        elif kind is events.MappingEndEvent or kind is events.SequenceEndEvent:
            done, _key, anchor = self.open.pop(), self.keys.pop(), self.named.pop()
            if anchor:
                self.anchors[anchor] = (done, done.size)
            self._put(done, done.where)
        elif kind is events.AliasEvent:
            self._alias(event)

    def _count(self, number: int, where: SourceLocation) -> None:
        self.values += number
        if self.values > MAX_VALUES:
            raise error_at(where, "SRC-YAML", "too-many-values", most=MAX_VALUES)

    def _tag(self, event: Any, allowed: tuple[str, ...]) -> None:
        if event.tag not in allowed:
            self.problems.append(
                problem_at(self.where(event), "SRC-YAML", "tag-not-used", found=quoted(event.tag))
            )

    def _scalar(self, event: Any) -> None:
        where = self.where(event)
        self._count(1, where)
        if event.tag is not None:
            self._tag(event, _SCALAR_TAGS)
        value: str | None = event.value
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
            value = Quoted(value)
        elif value in ("", "~"):
            value = None
        if event.anchor:
            self.anchors[event.anchor] = (value, 1)
        self._put(value, where)

    def _start(self, event: Any, sort: type[Table] | type[Items]) -> None:
        where = self.where(event)
        self._count(1, where)
        if event.tag is not None:
            self._tag(event, _COLLECTION_TAGS)
        if len(self.open) >= MAX_DEPTH:
            raise error_at(where, "SRC-YAML", "too-deep", most=MAX_DEPTH)
        self.open.append(sort(where))
        self.keys.append(None)
        self.named.append(event.anchor)

    def _alias(self, event: events.AliasEvent) -> None:
        where = self.where(event)
        if event.anchor not in self.anchors:
            raise error_at(where, "SRC-YAML", "no-anchor", name=str(event.anchor)[:40])
        value, size = self.anchors[event.anchor]
        self._count(size, where)
        self._put(value, where)

    def _put(self, value: Any, where: SourceLocation) -> None:
        if not self.open:
            self.root = value
            return
        inner = self.open[-1]
        inner.size += value.size if isinstance(value, Table | Items) else 1
        if isinstance(inner, Items):
            inner.append(value)
            inner.values_at.append(where)
            return
        key = self.keys[-1]
        if key is None:
            if not isinstance(value, str):
                wrong = (
                    "key-is-collection" if isinstance(value, Table | Items) else "key-is-nothing"
                )
                self.problems.append(problem_at(where, "SRC-KEY", wrong))
            self.keys[-1] = (str(value) if isinstance(value, str) else None, where)
            return
        self.keys[-1] = None
        name, key_where = key
        if name is None:
            return
        if name in inner:
            first = inner.keys_at[name]
            self.problems.append(
                problem_at(
                    key_where,
                    "SRC-KEY",
                    "key-stands-second",
                    found=quoted(name),
                    line=first.line,
                )
            )
            return
        inner[name] = value
        inner.keys_at[name] = key_where
        inner.values_at[name] = where


def read_documents(text: str, file: str) -> Iterator[tuple[Any, SourceLocation, list[Problem]]]:
    """Yield each document of a file: its value (nothing if empty), where it begins, its small
    faults.

    Raises ``InvalidSource`` at the first fault that leaves the rest without sense.
    """
    has_escapes = "\\" in text  # what nothing can show stands in a file as an escape alone
    builder = _Builder(file, has_escapes=has_escapes)
    start = SourceLocation(file, 1, 1)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            if type(event) is events.DocumentStartEvent:
                builder = _Builder(file, has_escapes=has_escapes)
                start = builder.where(event)
            elif type(event) is events.DocumentEndEvent:
                root = builder.root
                where = root.where if isinstance(root, Table | Items) else start
                yield root, where, builder.problems
            else:
                builder.feed(event)
    except yaml.YAMLError as error:
        raise InvalidSource([broken(error, text, file)]) from None
    except (UnicodeError, ValueError, OverflowError) as error:
        raise error_at(start, "SRC-YAML", "no-yaml", error=error) from None


def read_document(text: str, file: str) -> tuple[Any, SourceLocation, list[Problem]]:
    """Return the one document of a file; a second one is a problem. Raises ``InvalidSource``."""
    value: Any = None
    where, problems = SourceLocation(file, 1, 1), list[Problem]()
    for number, (root, start, found) in enumerate(read_documents(text, file)):
        if number == 0:
            value, where, problems = root, start, found
            continue
        problems.append(problem_at(start, "SRC-YAML", "second-document-begins"))
        break
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
        if problem := lookalikes.in_line(lines.get(number, ""), number, file):
            return problem
    line, last = lines.get(at[0], ""), text.rstrip().split("\n")
    values: dict[str, Any] = {"said": message}
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
