"""Read the functions that templates call: their signatures, and what is wrong with a call."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from posixpath import normpath

from msgspec import Struct

from exporter.core.messages import (
    Sentence,
    sentence,
)
from exporter.core.problems import (
    SourceLocation,
    nearest,
)
from exporter.core.shipped_files import template_folders
from exporter.model.shape import (
    Wording,
    in_both_languages,
)
from exporter.render.typesetter import TypstFault

_LET = re.compile(r"^((?:///.*\n)*)#let ([\w-]+)(\(?)", re.MULTILINE)
_IMPORT = re.compile(r'^#import "([^"@]+)"', re.MULTILINE)
_NAME = re.compile(r"[\w-]+(?:\.[\w-]+)*")
_CALLED = re.compile(r"([\w-]+(?:\.[\w-]+)*)$")
_CLOSED = {"(": ")", "[": "]", "{": "}"}
_SKIPPED = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|`[^`]*`', re.DOTALL)

_UNEXPECTED = re.compile(r"unexpected argument(?:: (.+))?")
_MISSING = re.compile(r"missing argument: (.+)")
_UNKNOWN = re.compile(r"unknown variable: (.+)")
# How ``needs`` in lib.typ says that an argument is none.
_OTHER_TYPE = re.compile(r"assertion failed: @(\S+) takes (.+), found (.+)")


class Helper(Struct, frozen=True):
    """A function, or a value without ``arguments``, and what its remark says of it."""

    name: str
    arguments: tuple[str, ...] | None
    says: Wording = Wording()

    @property
    def signature(self) -> str:
        return self.name if self.arguments is None else f"{self.name}({', '.join(self.arguments)})"

    @property
    def names(self) -> list[str]:
        """The names of its arguments."""
        return [each.partition(":")[0].strip() for each in self.arguments or ()]


def helpers_in(text: str) -> dict[str, Helper]:
    """Find what a template file defines on its outermost level, by name."""
    found = {}
    for each in _LET.finditer(text):
        says = in_both_languages("\n".join(line[3:].strip() for line in each[1].splitlines()))
        arguments = tuple(_arguments(text[each.end() :])) if each[3] else None
        found[each[2]] = Helper(each[2], arguments, says)
    return found


def _arguments(text: str) -> Iterator[str]:
    """Yield what stands between commas up to the bracket that closes, in one line each."""
    depth, written = 0, ""
    for at, sign in _brackets(text):
        if sign in _CLOSED:
            depth += 1
        elif sign in _CLOSED.values():
            depth -= 1
        if depth < 0 or (depth == 0 and sign == ","):
            whole = " ".join(_without_remarks(text[len(written) : at]).split())
            if whole:
                yield whole
            written = text[: at + 1]
        if depth < 0:
            return


def _without_remarks(text: str) -> str:
    return _SKIPPED.sub(lambda found: "" if found[0].startswith("/") else found[0], text)


def _brackets(text: str) -> Iterator[tuple[int, str]]:
    """Yield brackets and commas outside of strings and remarks, with their offsets."""
    at = 0
    while at < len(text):
        skipped = _SKIPPED.match(text, at)
        if skipped:
            at = skipped.end()
            continue
        if text[at] in "()[]{},":
            yield at, text[at]
        at += 1


def _function_around(text: str) -> str:
    """Return the function in whose call a text ends; empty outside of calls."""
    opened: list[tuple[str, int]] = []
    for at, sign in _brackets(text):
        if sign in _CLOSED:
            opened.append((sign, at))
        elif sign != "," and opened and _CLOSED[opened[-1][0]] == sign:
            opened.pop()
    while opened:
        sign, at = opened.pop()
        found = _CALLED.search(text[:at])
        if sign == "(" and found:
            return found[1]
    return ""


def explain_fault(fault: TypstFault) -> Sentence | None:
    """Explain what is wrong with a call in a template, naming function and argument."""
    text = _text(Path(fault.where.file))
    known = _known(Path(fault.where.file), text)
    if found := _UNKNOWN.fullmatch(fault.message):
        hint = nearest(found[1], known)
        return sentence("FACE-TEMPLATE", "no-such-name", name=found[1], nearest=hint)
    at = _offset(text, fault.where)
    if at is None:
        return None
    named = _NAME.match(text, at)
    unexpected = _UNEXPECTED.fullmatch(fault.message)
    called = _function_around(text[:at]) if unexpected else named[0] if named else ""
    helper = known.get(called, Helper(called, None))
    if not called or (helper.arguments is None and not unexpected):
        return None
    return _call_sentence(fault.message, helper)


def _call_sentence(message: str, helper: Helper) -> Sentence:
    """Put a message of Typst about a call into words, with the function's signature."""
    takes = sentence("FACE-TEMPLATE", "it-takes", signature=helper.signature)
    if helper.arguments is None:
        takes = sentence("FACE-TEMPLATE", "typst-takes")
    say = partial(sentence, "FACE-TEMPLATE", function=helper.name, it_takes=takes)
    if found := _UNEXPECTED.fullmatch(message):
        if not found[1]:
            return say("argument-too-many")
        near = nearest(found[1], helper.names) if helper.names else ""
        return say("argument-unexpected", argument=found[1], nearest=near)
    if found := _MISSING.fullmatch(message):
        return say("argument-missing", argument=found[1])
    if found := _OTHER_TYPE.fullmatch(message):
        return say("argument-other", argument=found[1], type=found[2], found=found[3])
    return say("call-fails", said=message)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def _offset(text: str, where: SourceLocation) -> int | None:
    """Return the offset of a location in a text; of an unknown one there is none."""
    lines = text.split("\n")
    if not 0 < where.line <= len(lines):
        return None
    return sum(len(line) + 1 for line in lines[: where.line - 1]) + where.column - 1


def _known(path: Path, text: str) -> Mapping[str, Helper]:
    """Find what a template may call: what it and the files that it imports define."""
    found: dict[str, Helper] = {}
    shelf = template_folders("faces")
    waiting = [(_name_on(path, shelf), text)]
    seen: set[str] = set()
    while waiting:
        name, text = waiting.pop()
        seen.add(name)
        found = {**helpers_in(text), **found}
        for target in _IMPORT.findall(text):
            other = normpath(PurePosixPath("/" + name).parent / target).lstrip("/")
            paths = [folder / other for folder in shelf if (folder / other).is_file()]
            if paths and other not in seen:
                waiting.append((other, _text(paths[0])))
    return found


def _name_on(path: Path, shelf: tuple[Path, ...]) -> str:
    """Return a template's path below the folder of templates in which it lies."""
    whole = path.resolve()
    folders = [folder.resolve() for folder in shelf]
    inside = [folder for folder in folders if whole.is_relative_to(folder)]
    return whole.relative_to(inside[0]).as_posix() if inside else path.name
