"""Find where lines of Japanese may end: between its phrases, as BudouX knows them.

Typst breaks Japanese between any two letters, in the middle of a word too. ``lib.typ`` breaks a
line of text where the phrases found here meet, as far as a line has room for them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING

from exporter.core.messages import JAPANESE
from exporter.faces.face_texts import texts_within

if TYPE_CHECKING:
    from budoux import Parser

# What stands between two phrases: a space without width, where a line may end anyway.
BETWEEN = "\u200b"

# Letters of a line that is worth a look.
_LEAST = 6

_TOKEN = re.compile(
    r"(?P<mark>\[=?[^\[\]]+\])|\{(?P<base>[^{}|]+)\|[^{}|]+\}"
    r"|(?P<open>\{#[^ {}|]+ )|(?P<close>\})|(?P<look>\*\*|__)|(?P<letter>.)"
)
_MARKED_UP = re.compile(r"[\[{}*_]")
_NEVER_FIRST = set(
    "、。，．・：；？！」』）］｝】〕〉》ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々…‥%％"
)
_NEVER_LAST = set("「『（［｛【〔〈《")
# What a line may end after, whatever phrase it stands in.
_AFTER = set(" 　・、。")


@lru_cache(maxsize=1)
def phrases_version() -> str:
    """Return which model finds phrases."""
    return version("budoux")


def phrases(values: Iterable[str]) -> dict[str, str]:
    """Map each line of Japanese within ``values``, which are JSON, to it with its phrases apart."""
    lines = {
        line
        for value in values
        for text in texts_within(json.loads(value))
        for line in _lines(text)
    }
    found = {line: phrased(line) for line in sorted(lines)}
    return {line: parted for line, parted in found.items() if parted != line}


def _lines(text: str) -> Iterator[str]:
    """Yield lines as ``paragraphs`` of lib.typ has them."""
    if len(text) >= _LEAST and JAPANESE.search(text):
        for line in text.replace("\\n", "\n").split("\n"):
            yield line.replace("\t", " ").strip(" ")


@lru_cache(maxsize=1 << 16)
def phrased(line: str) -> str:
    """Put ``BETWEEN`` between the phrases of a line; marks and readings stay whole."""
    if not JAPANESE.search(line):
        return line
    plain, starts = _plain(line)
    ends = [0]
    for phrase in _parser().parse(plain):
        ends.append(ends[-1] + len(phrase))
    # 1枚につき is one word, and a pause follows it.
    ends += [found.end() for found in re.finditer("につき", plain)]
    wanted = {*ends, *(at for at in range(1, len(plain)) if plain[at - 1] in _AFTER)}
    cuts = [at for at in sorted(wanted) if 0 < at < len(plain) and _may_part(plain, at)]
    if cuts and _letters(plain[cuts[-1] :]) < 2:
        cuts.pop()
    places = [place for at in cuts if (place := starts[at]) is not None]
    parts = zip([0, *places], [*places, len(line)], strict=True)
    return BETWEEN.join(line[start:end] for start, end in parts)


def _plain(line: str) -> tuple[str, list[int | None]]:
    """A line without mark-up, and where each letter, with what opens before it, begins in it;
    nowhere within a base that has a reading."""
    if not _MARKED_UP.search(line):
        return line, list(range(len(line)))
    plain, starts = "", list[int | None]()
    opened: int | None = None
    within: set[str] = set()
    for found in _TOKEN.finditer(line):
        look = found["look"]
        if found["open"] or (look and look not in within):
            opened = found.start() if opened is None else opened
        within ^= {look} if look else set()
        shown = found["base"] or found["letter"] or ("口" if found["mark"] else "")
        if shown:
            plain += shown
            first = found.start() if opened is None else opened
            starts += [first, *(None for _ in shown[1:])]
            opened = None
    return plain, starts


def _may_part(plain: str, at: int) -> bool:
    before, after = plain[at - 1], plain[at]
    if before in _NEVER_LAST or after in _NEVER_FIRST or after in " 　":
        return False
    is_within_word = before.isascii() and after.isascii() and before != " "
    return not (is_within_word or plain.startswith("につき", at - 1))


def _letters(text: str) -> int:
    return sum(letter not in _NEVER_FIRST for letter in text)


@lru_cache(maxsize=1)
def _parser() -> Parser:
    # Takes 15 ms: nothing imports it that has no text to set.
    import budoux

    return budoux.load_default_japanese_parser()
