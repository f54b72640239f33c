"""What people write in cells: whole numbers, yes and no, sums, remarks; how large numbers are."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from unicodedata import normalize

# The most of what is only shown, added or compared.
MOST = 99_999

# The most of what something is repeated or sized by.
MOST_REPEATED = 99

# As far as a game may widen that.
MOST_EVER_REPEATED = 999

YES = ("1", "true", "yes", "on", "はい")
NO = ("0", "false", "no", "off", "いいえ")

_WHOLE = re.compile(r"([+-]?)([0-9]+)(?:\.0*)?")
_HALF_WIDTH = str.maketrans("０１２３４５６７８９＋－．", "0123456789+-.")


def half_width(text: str) -> str:
    """Return digits and signs of numbers as a Japanese keyboard writes them, made plain."""
    return text.translate(_HALF_WIDTH)


def whole_number(text: str) -> int | None:
    """``3``, ``-3`` and ``３``, and ``3.0`` as spreadsheets may write it; nothing for another text.

    Digits without end are a number beyond every bound.
    """
    found = _WHOLE.fullmatch(half_width(text).replace("−", "-").strip())
    return None if found is None else int(found[1] + (found[2].lstrip("0")[:16] or "0"))


# What stands in the place of a name where a row sums others up, or where there is none.
SUMS = frozenset((
    "合計", "計", "小計", "総計", "集計", "平均", "total", "totals", "grand total", "sum",
    "subtotal", "average", "avg", "summe", "gesamt", "mittelwert", "(blank)", "(空白)",
))  # fmt: skip

_COPIES = re.compile(
    r"(?:[x×✕*] ?)?([0-9]+(?:\.0*)?) ?"
    r"(?:[x×✕]|枚|まい|部|個|张|매|cop(?:y|ies)|cards?)?",
    re.IGNORECASE,
)


def number_of_copies(text: str) -> int | None:
    """``4``, ``4枚``, ``④``, ``×4``, ``4x``, ``4 copies``; nothing for another text."""
    found = _COPIES.fullmatch(normalize("NFKC", text).strip())
    return whole_number(text if found is None else found[1])


def truth(text: str) -> bool | None:
    """Return whether a word means yes or no; nothing for another one."""
    word = text.strip().lower()
    number = whole_number(word)
    word = word if number is None else str(number)
    return True if word in YES else False if word in NO else None


_REMARK = re.compile(
    r"(?:[※■□◆◇▼▽▲△]|//|[#＃*＊]\s).*|【.*】|[-=_─━―－＝ー*~]{2,}(?:.*[-=_─━―－＝ー*~]{2,})?"
)


# Cells that say that nothing belongs there, not even what is written above.
DASHES = frozenset(("-", "–", "—", "―", "－", "ー"))

# Cells that stand for what is written above them.
_DITTO = frozenset(("〃", "″", "同上", "ditto"))


def with_dittos(cells: Sequence[str], above: Sequence[str]) -> list[str]:
    """The cells of a row, what stands ``above`` in the place of ``〃`` and ``同上``."""
    return [
        above[at] if cell in _DITTO and at < len(above) else cell for at, cell in enumerate(cells)
    ]


def is_sum(name: str) -> bool:
    """Return whether a row of this name sums others up."""
    return name.rstrip(":：").casefold() in SUMS


def is_hidden(heading: str) -> bool:
    """Return whether a heading says itself that its column is not to be read: ``#idea``."""
    return heading.startswith("#") and bool(heading[1:2].strip())


def is_remark(name: str, cells: Collection[str]) -> bool:
    """Return whether a row holds nothing but a remark, a heading or a line across."""
    filled = {cell for cell in cells if cell}
    return len(filled) == 1 < len(cells) and _REMARK.fullmatch(name) is not None


def repeats(cells: Sequence[str], header: Sequence[str]) -> bool:
    """Return whether a row says the headings once more."""
    same = [name for name, cell in zip(header, cells, strict=False) if name and name == cell]
    return len(same) > 1 and len(same) == sum(map(bool, cells))
