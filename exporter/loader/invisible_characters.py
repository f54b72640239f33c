"""Cells of a table as they are seen: without characters that have no shape, with plain blanks.

Web pages, chats and phones leave such characters. Within an id, a heading or a word that something
is chosen by they make it another one that looks the same.
"""

from __future__ import annotations

from typing import NamedTuple

from exporter.core.patterns import pattern

BLANKS = " \t\r\n\f\v\xa0\u3000\u200b\ufeff"
"""What is taken off both ends of a cell."""

_SHAPELESS = (
    "[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb]"
)
"""Joiners and signs that choose a shape are none of these: they make an emoji another one."""

_BLANKS_WITHIN = "[\xa0\u1680\u2000-\u200a\u202f\u205f\u2800\u3164\uffa0]"
_LINE_ENDS = "\r\n?|[\x85\u2028\u2029]"
_ODD = pattern(f"{_SHAPELESS}|{_BLANKS_WITHIN}|{_LINE_ENDS}")
_UNSEEN, _BLANK, _LINE_END = pattern(_SHAPELESS), pattern(_BLANKS_WITHIN), pattern(_LINE_ENDS)


class Cell(NamedTuple):
    """A cell as it is seen, and the first character that is left out of it as nobody sees it."""

    text: str
    unseen: str = ""


def is_odd(text: str) -> bool:
    """Whether a text holds more that cells are to be freed of than plain blanks around them."""
    return _ODD.search(text) is not None


def cell_as_seen(text: str) -> Cell:
    """A cell without what has no shape, without blanks around it, its lines ended alike."""
    if not is_odd(text):
        return Cell(text.strip(BLANKS))
    unseen = _UNSEEN.search(text)
    if unseen:
        text = _UNSEEN.sub("", text)
    text = _LINE_END.sub("\n", _BLANK.sub(" ", text)).strip(BLANKS)
    return Cell(text, unseen[0][0] if unseen else "")
