"""How anything says what is wrong, where, and how to mend it.

Readers, rules, faces and the zip checker all *yield* problems; nobody prints or logs.
``InvalidSource`` is the only exception that crosses a module's door, and it carries them all.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import force_setattr

from exporter.core.messages import (
    ENGLISH,
    Sentence,
    Translated,
    sentence,
)
from exporter.core.names import (
    MOST_COMPARED,
    Names,
)

T = TypeVar("T")
R = TypeVar("R")


def printable(text: str) -> str:
    """Return a text as one line that steers no terminal: what has no shape of its own is an
    escape."""
    if text.isprintable():
        return text
    wide = "\u3000\xa0"
    return "".join(c if c.isprintable() or c in wide else ascii(c)[1:-1] for c in text)


def encodable(text: str) -> str:
    """Return a path as text that UTF-8 has: bytes that are no letter become an escape."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def quoted(text: str, most: int = 60) -> str:
    """Return what somebody wrote, in quotes and short enough for a message."""
    return repr(text if len(text) <= most else text[: most - 1] + "…")


def some(words: Sequence[str], most: int = 12) -> str:
    """Return the first of some words, and whether there are more."""
    between = "; " if any("," in word for word in words) else ", "
    return between.join(words[:most]) + (" …" if len(words) > most else "")


def listed(words: Iterable[str], most: int = 12) -> str:
    """Return what is allowed, as far as a message can hold it."""
    return some([word[:20] for word in words], most)


class SourceLocation(Struct, frozen=True, order=True, gc=False):
    """A place in a source file. Lines and columns count from 1; 0 means unknown.

    In a spreadsheet they are row and column of the ``cell``, which is named ``Sheet1!C12``. Below
    cells of several lines ``opened_as`` is what a spreadsheet program calls a cell of CSV: ``C12``.
    """

    file: str = ""
    line: int = 0
    column: int = 0
    cell: str = ""
    opened_as: str = ""

    def __post_init__(self) -> None:
        # A path need not be valid text; a place goes into reports, caches and other processes.
        if not self.file.isascii():
            force_setattr(self, "file", encodable(self.file))

    def __str__(self) -> str:
        if self.cell:
            return printable(f"{self.file}:{self.cell}")
        parts = [self.file] + [str(number) for number in (self.line, self.column) if number]
        return printable(":".join(parts) + (f" ({self.opened_as})" if self.opened_as else ""))


# Stands for a text that could not be read; nobody is blamed for naming it.
UNREADABLE = "0-unreadable"

# The place of a fault in an order, such as a room that no game has.
COMMAND_LINE = SourceLocation("command line")

# The place of what stands on every sheet.
MARGIN = SourceLocation("margin of a sheet")

_NO_FILES = (COMMAND_LINE.file, MARGIN.file)


class Severity(StrEnum):
    """How much a problem weighs: only an error stops the work."""

    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"


class Problem(Struct, frozen=True):
    """One fault: a ``sentence`` that says what was found, what is allowed and what to do.

    ``rule`` is the permanent id of the rule or check that spoke; ``cites`` are keys of
    ``sources.yaml``, ``sources`` what people call these; ``times`` is how many faults it stands
    for. Problems are in the order of their places and ids, whatever language they are reported in.
    """

    where: SourceLocation
    rule: str
    sentence: Sentence
    severity: Severity = Severity.ERROR
    cites: tuple[str, ...] = ()
    sources: tuple[Translated, ...] = ()
    times: int = 1

    @property
    def message(self) -> str:
        """What was found and what is allowed, in English."""
        return self.sentence.both(ENGLISH)[0]

    @property
    def hint(self) -> str:
        """What to do, in English; empty where that is plain."""
        return self.sentence.both(ENGLISH)[1]

    @property
    def values(self) -> dict[str, Any]:
        """What the blanks of the sentence are filled with, by name, in English."""
        return self.sentence.plain_values(ENGLISH)

    def in_language(self, language: str) -> str:
        """Return all of it in one line."""
        message, hint = self.sentence.both(language)
        place = str(self.where)
        if self.where.file in _NO_FILES:
            place = Sentence("place", place.replace(" ", "-")).in_language(language)
        text = f"{place}: " if self.where.file else ""
        text += f"{Sentence('severity', str(self.severity)).in_language(language)} "
        text += f"{self.rule} {message}"
        if hint:
            text += hint if text.endswith("。") else f" {hint}"
        if self.cites:
            titles = [source.in_language(language) for source in self.sources] or self.cites
            text += f" [{', '.join(titles)}]"
        return printable(text)

    def __str__(self) -> str:
        return self.in_language(ENGLISH)

    def __lt__(self, other: Problem) -> bool:
        if self.where != other.where:
            return self.where < other.where
        one, two = (
            (problem.rule, text.of, text.key, repr(text.values), problem.severity)
            for problem, text in ((self, self.sentence), (other, other.sentence))
        )
        return one < two


def problem_at(
    where: SourceLocation,
    rule: str,
    key: str,
    /,
    severity: Severity = Severity.ERROR,
    **values: object,
) -> Problem:
    """Return a problem whose sentence is that of a ``key`` under its rule's id in ``messages/``.

    ``values`` fill its blanks.
    """
    return Problem(where, rule, sentence(rule, key, **values), severity)


def notice_at(where: SourceLocation, rule: str, key: str, /, **values: object) -> Problem:
    """Return the same, as what is only good to know."""
    return problem_at(where, rule, key, Severity.NOTICE, **values)


def warning_at(where: SourceLocation, rule: str, key: str, /, **values: object) -> Problem:
    """Return the same, as what does not stop the work."""
    return problem_at(where, rule, key, Severity.WARNING, **values)


class InvalidSource(Exception):
    """The data cannot be used. ``problems`` holds every independent fault, sorted."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


def error_at(where: SourceLocation, rule: str, key: str, /, **values: object) -> InvalidSource:
    """Return the one problem that ``problem_at`` makes, to be raised."""
    return InvalidSource([Problem(where, rule, sentence(rule, key, **values))])


class Faults:
    """Gathers problems of steps that do not depend on each other, to raise them all at once."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    @contextmanager
    def collect(self) -> Iterator[None]:
        """What a step inside raises is kept, and the step left; the next steps still run."""
        try:
            yield
        except InvalidSource as error:
            self.problems += error.problems

    def stop_if_any(self) -> None:
        """Raise ``InvalidSource`` with everything gathered, if there is anything."""
        stop_for(self.problems)


def each_of(step: Callable[[T], R], things: Iterable[T]) -> list[R]:
    """Return what a step makes of each thing. Raises ``InvalidSource`` with the problems of all."""
    faults, made = Faults(), list[R]()
    for thing in things:
        with faults.collect():
            made.append(step(thing))
    faults.stop_if_any()
    return made


def stop_for(problems: Iterable[Problem]) -> None:
    """Raise ``InvalidSource`` with problems, if there are any."""
    found = tuple(problems)
    if found:
        raise InvalidSource(found)


def stop_for_errors(problems: Iterable[Problem]) -> None:
    """Raise ``InvalidSource`` with all of the problems, if any of them is an error."""
    found = tuple(problems)
    if errors(found):
        raise InvalidSource(found)


def errors(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the problems that stop the work, without warnings and notices."""
    return tuple(problem for problem in problems if problem.severity is Severity.ERROR)


def counts(problems: Iterable[Problem]) -> dict[str, int]:
    """Return how many faults there are of each severity."""
    found = {str(severity): 0 for severity in Severity}
    for problem in problems:
        found[str(problem.severity)] += problem.times
    return found


def problem_values(problem: Problem, language: str = ENGLISH) -> dict[str, Any]:
    """Return a problem as the JSON reports have it; lines and columns count from 1.

    ``id`` and ``values`` are the same in every language, ``message`` and ``hint`` their words.
    """
    where, text = problem.where, problem.sentence
    message, hint = text.both(language)
    return {
        "severity": str(problem.severity),
        "rule": problem.rule,
        "id": f"{text.of}.{text.key}",
        "file": where.file,
        "line": where.line or None,
        "column": where.column or None,
        **({"cell": where.cell} if where.cell else {}),
        "message": message,
        "hint": hint,
        "cites": list(problem.cites),
        "values": text.plain_values(language),
        **({"times": problem.times} if problem.times > 1 else {}),
    }


# What parts the words of a key or name.
_PARTS = re.compile("[-_ ]")


def nearest(word: str, allowed: Iterable[str]) -> Sentence | str:
    """Return a sentence that names the most similar allowed word, or lists them when none is near.

    Capitals count as small letters. Where there are very many words, none is looked for.
    """
    words = sorted(allowed)
    plain = {one.casefold(): one for one in reversed(words)}
    small = word.casefold()
    comparable = len(word) * sum(map(len, words)) <= MOST_COMPARED
    # In a short word one letter is much; where there are few words, all are listed instead.
    short = len(word) < 4 and (len(words) > _FEW_ENOUGH or not word.isascii())
    cutoff = 0.5 if short else 0.6 if "_" in word else 0.65
    close = difflib.get_close_matches(small, plain, cutoff=cutoff) if comparable else []
    # `face_up` is rather `face_down` than `face`, `sci-fi` is `science-fiction`.
    close.sort(key=lambda one: "_" in small and "_" not in one)
    parts = _PARTS.split(small)
    if len(parts) > 1:
        close += [one for one in plain if all(map(str.startswith, _PARTS.split(one), parts))]
    if close:
        return sentence("nearest", "one", word=plain[close[0]])
    return sentence("nearest", "all", words=some(words)) if words else ""


def word_of(near: Sentence | str) -> tuple[str, ...]:
    """Return the one word that was found nearest, if any was."""
    if isinstance(near, Sentence) and near.key == "one":
        return (str(dict(near.values)["word"]),)
    return ()


def near_names(names: Names, word: str) -> Sentence | str:
    """Return a sentence that names the few things that players may have meant, or says how to name
    one."""
    near = names.near(word)
    each = ", ".join(map(quoted, near))
    if near:
        return sentence("nearest", "few" if len(near) > 1 else "one-name", words=each)
    things = list(names.things.values())
    if len(things) <= _FEW_ENOUGH:
        return (
            sentence("nearest", "all", words=some([one.title for one in things])) if things else ""
        )
    return sentence("nearest", "none", count=len(things), example=things[0].title)


def ambiguous_name(where: SourceLocation, rule: str, names: Names, word: str) -> Problem:
    """Say that a word fits several things equally well, and which."""
    each = [names.things[key].title for key in names.matches(word)]
    text = sentence("names", "several", name=quoted(word), count=len(each), several=", ".join(each))
    return Problem(where, rule, text)


# The sort of the words under one key of a frame begins so.
OF_A_FRAME = "frame with "


def unknown_name(
    where: SourceLocation, rule: str, sort: str, word: str, near: Sentence | str
) -> Problem:
    """Say that nothing of a sort is called so."""
    text = sentence("names", "none", sort=sort_called(sort), name=quoted(word), nearest=near)
    return Problem(where, rule, text)


def sort_called(sort: str) -> Sentence:
    """Return what things of a sort are: ``card``, ``field of weapon``, ``frame with size``."""
    for words in ("field of ", OF_A_FRAME):
        if sort.startswith(words):
            return sentence("sort", words.strip().replace(" ", "-"), name=sort.removeprefix(words))
    return sentence("sort", sort.replace(" ", "-"))


# So many things are reported one by one.
_FEW_ENOUGH = 12

# Texts that YAML would read as something else without quotation marks.
_AMBIGUOUS = re.compile(r"[][{},#:&*!|>'\"%@`?]|^\s|\s$|^-\s|^(true|false|~|[0-9.+-]*)$")


def as_written(value: object, *, quoted: bool = False) -> str:
    """Return a value as people write it in a line of YAML; with ``quoted`` every text is in
    quotes."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case str() if not value.isprintable():  # such as one of several lines
            return json.dumps(value, ensure_ascii=False)
        case str() if quoted or _AMBIGUOUS.search(value):
            return "'" + value.replace("'", "''") + "'"
        case Mapping():
            inner = (f"{as_written(key)}: {as_written(one)}" for key, one in value.items())
            return f"{{{', '.join(inner)}}}"
        case list() | tuple():
            return f"[{', '.join(map(as_written, value))}]"
    return str(value)
