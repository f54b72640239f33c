"""What the heading of a column says that it holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias, get_args

from msgspec import Struct

from exporter.faces.face_texts import folded

Role: TypeAlias = Literal[
    "id", "name", "copies", "deck", "type", "cost", "power", "suit", "text", "flavour", "art",
    "focus", "back", "colour", "note", "figure", "more",
]  # fmt: skip
"""What a column is for; ``figure`` and ``more`` are told by its cells alone."""

_SIGNS = ("#", "×", "x", "X", "＃")
"""Signs that head a column of copies."""

_LAST: tuple[Role, ...] = ("text", "art", "flavour", "cost", "name", "copies", "type")
"""Roles that the last of several words may tell, as in ``Card Text``."""


_AT_END: tuple[Role, ...] = ("text", "art", "flavour", "note", "cost")
"""Roles that the end of such a heading may tell."""

_UNPARTED = 0x3040
"""The first letter of Japanese and Chinese, which have no blanks between words."""

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""Between the words of ``effectText``."""

_WEAK = frozenset(("num", "count", "amount", "cards"))
"""Last words that mean copies after one of ``_OF_CARDS`` alone: ``color_num`` is none."""

_OF_CARDS = frozenset(("card", "cards", "deck", "print", "copy", "copies"))


class Headings(Struct, frozen=True):
    """The role of each known heading, folded."""

    roles: Mapping[str, Role]

    def plainly(self, heading: str) -> Role | None:
        """What a heading itself says that its column is for."""
        plain = heading.strip()
        if plain in _SIGNS:
            return "copies"
        for part in (plain, *(plain.partition(sign)[0] for sign in "(（:：/[【" if sign in plain)):
            if (word := folded(part)) in self.roles:
                return self.roles[word]
        return None

    def role_of(self, heading: str) -> Role | None:
        """What a heading says that its column is for, if it, or the last of its words, says so."""
        if (role := self.plainly(heading)) is not None:
            return role
        plain = heading.strip()
        if (role := self._at_its_end(plain)) is not None:
            return role
        words = plain.replace("_", " ").replace("-", " ").split()
        last = self.roles.get(folded(words[-1])) if len(words) > 1 else None
        if last == "copies" and folded(words[-1]) in _WEAK and folded(words[0]) not in _OF_CARDS:
            return None
        if last is None and len(humps := _HUMP.sub(" ", plain).split()) > 1:
            last = self.roles.get(folded(humps[-1]))
            return last if last in ("text", "art", "flavour", "name") else None
        return last if last in _LAST else None

    def _at_its_end(self, heading: str) -> Role | None:
        """What the end of a heading says in a language that does not part its words: 調整メモ."""
        ends = (heading[at:] for at in range(1, len(heading) - 1))
        found = (self.roles.get(folded(end)) for end in ends if ord(end[0]) >= _UNPARTED)
        return next((role for role in found if role in _AT_END), None)


def headings_of(words: Mapping[str, Any]) -> Headings:
    """The headings that a mapping from roles to words, or to lists of them, lists."""
    known = get_args(Role)
    roles = {folded(word): role for role in known for word in _flat(words.get(role, ()))}
    return Headings(roles)


def _flat(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    else:
        for inner in value:
            yield from _flat(inner)
