"""YAML as plain values that know their places.

Built from the parser's events, not with PyYAML's own composer: that one recurses in C, so deep
nesting ends the process, and it guesses types. Here every scalar stays as it is spelled
(``on``, ``1:30``, ``2019-01-02`` are texts) and the schema says what it is to be.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml
from yaml import events

from exporter.problems import Problem, Where
from exporter.schema.places import Items, Quoted, Table
from exporter.source import checks
from exporter.source.files import UNPRINTABLE, Unreadable, control

MAX_DEPTH = 40
MAX_VALUES = 50_000
"""Values of one file, each alias counted with all that it stands for."""

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_COLLECTION_TAGS = ("!", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")
_SCALAR_TAGS = ("!", "tag:yaml.org,2002:str")


def _syntax_problem(error: yaml.YAMLError, text: str, file: str) -> Problem:
    line = column = 0
    said = str(error)
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        if mark is not None:
            line, column = mark.line + 1, mark.column + 1
        said = error.problem or error.context or said
    elif isinstance(error, yaml.reader.ReaderError):
        said = f"{error.reason}"
        position = error.position if isinstance(error.position, int) else 0
        before = text[:position]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    lines = text.split("\n")
    shown = lines[line - 1] if 0 < line <= len(lines) else ""
    hint = "Put texts with special characters in quotes, and indent alike what belongs together."
    if "\t" in shown[: max(column, 1)]:
        column = shown.index("\t") + 1
        said, hint = "a tab stands where spaces are needed", "Indent with spaces."
    elif "mapping values are not allowed" in said:
        said = "a second ': ' stands in one line"
        hint = "Put the text in quotes, or the second key in a line of its own."
    elif "could not find expected ':'" in said:
        line, column = _begin(error) or (line, column)
        said, hint = "a ':' is missing after a key", "Write `key: value`."
    elif "unexpected end of stream" in said:
        line, column = _begin(error) or (line, column)
        said, hint = "a quotation mark is never closed", "Close it."
    elif "expected ',' or" in said:
        line, column = _begin(error) or (line, column)
        said, hint = "a bracket is never closed, or a comma is missing", "Close it."
    told = text.rstrip().split("\n")
    if line > len(told):
        line, column = len(told), len(told[-1]) + 1
        said, hint = "it ends in the middle of something", "Finish it, or copy the file anew."
    return Problem(Where(file, line, column), checks.YAML, f"This is no YAML: {said}.", hint)


def _begin(error: yaml.YAMLError) -> tuple[int, int] | None:
    """Where the thing begins that is never finished."""
    mark = error.context_mark if isinstance(error, yaml.MarkedYAMLError) else None
    return (mark.line + 1, mark.column + 1) if mark is not None else None


def _refuse(where: Where, message: str, hint: str) -> Unreadable:
    return Unreadable(Problem(where, checks.YAML, message, hint))


class _Builder:
    """Puts one file's events together; ``problems`` are faults that do not stop the reading."""

    def __init__(self, file: str, *, has_escapes: bool) -> None:
        self.file = file
        self.has_escapes = has_escapes
        self.problems: list[Problem] = []
        self.open: list[Table | Items] = []
        self.keys: list[tuple[str | None, Where] | None] = []
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.named: list[str | None] = []
        self.values = 0
        self.root: Any = None

    def where(self, event: Any) -> Where:
        mark = event.start_mark
        return Where(self.file, mark.line + 1, mark.column + 1)

    def feed(self, event: Any) -> None:
        """Takes the next event of the document. Raises ``Unreadable`` past the limits."""
        kind = type(event)
        if kind is events.ScalarEvent:
            self._scalar(event)
        elif kind is events.MappingStartEvent or kind is events.SequenceStartEvent:
            self._start(event, Table if kind is events.MappingStartEvent else Items)
        elif kind is events.MappingEndEvent or kind is events.SequenceEndEvent:
            self._end()
        elif kind is events.AliasEvent:
            self._alias(event)

    def _count(self, number: int, where: Where) -> None:
        self.values += number
        if self.values > MAX_VALUES:
            message = f"This file holds more than {MAX_VALUES} values, aliases counted in full."
            raise _refuse(where, message, "Use fewer aliases (*name), or split the file.")

    def _tag(self, event: Any, allowed: tuple[str, ...]) -> None:
        if event.tag not in allowed:
            message = f"The tag {checks.quoted(event.tag)} is not used in data."
            self.problems.append(
                Problem(self.where(event), checks.YAML, message, "Delete the tag.")
            )

    def _scalar(self, event: Any) -> None:
        mark = event.start_mark
        where = Where(self.file, mark.line + 1, mark.column + 1)
        self._count(1, where)
        if event.tag is not None:
            self._tag(event, _SCALAR_TAGS)
        value: str | None = event.value
        if self.has_escapes and (wrong := UNPRINTABLE.search(event.value)):
            message = f"There is {control(wrong[0])} in this text, which nothing can show."
            self.problems.append(Problem(where, checks.TEXT, message, "Delete it."))
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
            raise _refuse(where, f"This is nested deeper than {MAX_DEPTH} levels.", "Flatten it.")
        self.open.append(sort(where))
        self.keys.append(None)
        self.named.append(event.anchor)

    def _end(self) -> None:
        done = self.open.pop()
        self.keys.pop()
        anchor = self.named.pop()
        if anchor:
            self.anchors[anchor] = (done, done.size)
        self._put(done, done.where)

    def _alias(self, event: events.AliasEvent) -> None:
        where = self.where(event)
        if event.anchor not in self.anchors:
            raise _refuse(where, f"*{str(event.anchor)[:40]} names nothing above.", "Write it out.")
        value, size = self.anchors[event.anchor]
        self._count(size, where)
        self._put(value, where)

    def _put(self, value: Any, where: Where) -> None:
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
            self.keys[-1] = (value if type(value) is str else self._key(value, where), where)
            return
        self.keys[-1] = None
        name, key_where = key
        if name is None:
            return
        if name in inner:
            first = inner.keys_at[name]
            message = f"The key {checks.quoted(name)} stands here a second time; "
            message += f"first in line {first.line}."
            hint = "Delete one of the two."
            self.problems.append(Problem(key_where, checks.KEY, message, hint))
            return
        inner[name] = value
        inner.keys_at[name] = key_where
        inner.values_at[name] = where

    def _key(self, value: Any, where: Where) -> str | None:
        if isinstance(value, str):
            return str(value)
        found = "a list or mapping" if isinstance(value, Table | Items) else "nothing"
        message = f"A key is a word; found {found}."
        self.problems.append(Problem(where, checks.KEY, message, "Write `key: value`."))
        return None


def read_documents(text: str, file: str) -> Iterator[tuple[Any, Where, list[Problem]]]:
    """Each document of a file: its value (nothing if empty), where it begins, its small faults.

    Raises ``Unreadable`` at the first fault that leaves the rest without sense.
    """
    has_escapes = "\\" in text  # what nothing can show stands in a file as an escape alone
    builder = _Builder(file, has_escapes=has_escapes)
    start = Where(file, 1, 1)
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
        raise Unreadable(_syntax_problem(error, text, file)) from None
    except (UnicodeError, ValueError, OverflowError) as error:
        message = f"This is no YAML: {error}."
        raise Unreadable(Problem(start, checks.YAML, message, "Save it as plain text.")) from None


def read_document(text: str, file: str) -> tuple[Any, Where, list[Problem]]:
    """The one document of a file; a second one is a problem. Raises ``Unreadable``."""
    value: Any = None
    where, problems = Where(file, 1, 1), list[Problem]()
    for number, (root, start, found) in enumerate(read_documents(text, file)):
        if number == 0:
            value, where, problems = root, start, found
            continue
        message = "A second document begins here (---); this file has only one."
        problems.append(Problem(start, checks.YAML, message, "Delete the line with ---."))
        break
    return value, where, problems
