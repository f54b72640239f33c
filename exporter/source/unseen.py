"""Cells of a table as they are seen: without characters that have no shape, with plain blanks.

Web pages, chats and phones leave such characters. Within an id, a heading or a word that something
is chosen by they make it another one that looks the same.
"""

from __future__ import annotations

from typing import NamedTuple

from exporter.patterns import pattern

BLANKS = " \t\r\n\f\v\xa0\u3000\u200b\ufeff"
"""What is taken off both ends of a cell."""

_JOINED = "\u0600-\u109f\u1780-\u18af\u2190-\u2bff\ufe0f\U0001f000-\U0001faff"
"""Scripts and signs that a joiner changes."""

_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
"""Scripts that run from right to left, among which marks of direction mean something."""

_UNSEEN = pattern(
    "[\u00ad\u034f\u115f\u1160\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0001]"
    rf"|(?<![{_TO_LEFT}])[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069](?![{_TO_LEFT}])"
    rf"|(?<![{_JOINED}])[\u200c\u200d]|[\u200c\u200d](?![{_JOINED}])"
    # A shape is chosen of kanji and signs alone, and of digits on a key.
    "|(?<![^\x00-\x7f\u3000\u3041-\u30ff])[\ufe00-\ufe0f\U000e0100-\U000e01ef](?!\u20e3)"
    # Tags spell a region after a flag.
    "|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]+"
)
_BLANK = pattern("[\xa0\u1680\u2000-\u200a\u202f\u205f\u2800\u3164\uffa0]")
_LINE_END = pattern("\r\n?|[\x85\u2028\u2029]")

_ODD = pattern(
    "[\r\x85\xa0\u00ad\u034f\u061c\u115f\u1160\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0001-\U000e01ef]"
)
"""What any of them may begin with."""


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
