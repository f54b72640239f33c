"""Numbers as a spreadsheet shows them, where that says something else than what it holds.

A cell that shows ``25%`` holds 0.25, one that shows ``007`` holds 7. What people see daily is read
as it is shown: percent, zeros and a sign before, rounded places. Of every other format what the
cell holds is read, with a notice; so are words and currency beside a number.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from typing import NamedTuple

BUILT_IN = {
    9: "0%", 10: "0.00%", 12: "# ?/?", 13: "# ??/??", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00",
    37: "#,##0;-#,##0", 38: "#,##0;-#,##0", 39: "#,##0.00;-#,##0.00", 40: "#,##0.00;-#,##0.00",
}  # fmt: skip
"""The formats of an .xlsx that it names by a number alone; of those that are left out, dates and
currencies differ by country."""


MOST_SIGNS = 255
"""Of a format: a spreadsheet allows no more."""


_BLANK = re.compile(r"_.|\*.|\[(?:[A-Za-z]+\d*|\$-[^\]]*)\]", re.DOTALL)
"""Room for a sign, a sign that fills the cell, a colour, a country."""


_WORD = re.compile(r'"[^"]*"|\\.|\[\$[^-\]][^\]]*\]', re.DOTALL)


_SIGN = re.compile(r'"([-+() ]*)"|\\([-+() ])')


_DAILY = re.compile(
    r"(?P<before>[^0#?.,%/E@\[]*)(?P<whole>[0#?,]*[0#?])(?P<point>\.(?P<places>[0#?]{1,15}))?"
    r"(?P<percent>%?)(?P<after>[^0#?.,%/E@\[]*)"
)


class Seen(NamedTuple):
    """What is read of a cell; ``whole`` is its format, or all that it shows, where that may say
    more."""

    text: str
    whole: str = ""


def of_format(value: float, code: str) -> Seen | None:
    """Return a number as a format of an .xlsx shows it; nothing where that is the number itself."""
    held = f"{value:.15g}"
    if "[DBNum" in code:  # in kanji
        return Seen(held, code)
    sections = _sections(code)
    index = 0 if value > 0 else 1 if value < 0 else 2
    index = index if index < len(sections) else 0
    section = sections[index]
    if section.strip() in ("General", "@", "-") or "E+" in section:
        return None  # a dash is the zero of accounts
    found = _DAILY.fullmatch(section.replace("General", "0.###############"))
    if found is None:
        return Seen(held, code)
    number = abs(Decimal(held)) * (100 if found["percent"] else 1)
    places = found["places"] or ""
    shown = f"{number.quantize(Decimal(1).scaleb(-len(places)), ROUND_HALF_UP, Context(60)):f}"
    whole, _, rest = shown.partition(".")
    rest = rest[: places.count("0")] + rest[places.count("0") :].rstrip("0")
    sign = "-" if value < 0 else "+" if "+" in found["before"] else ""
    point = f".{rest}" if rest else ""
    read = f"{sign}{whole.zfill(found['whole'].count('0'))}{point}{found['percent']}"
    hides_minus = value < 0 and index == 1 and not {"-", "("} & {*found["before"]}
    says_more = hides_minus or (found["before"] + found["after"]).strip(" +-()")
    return Seen(read if _says_else(read, value) else held, code if says_more else "")


def of_words(text: str, code: str) -> Seen | None:
    """Return a text as a format of an .xlsx shows it; nothing where that is the text itself."""
    sections = _sections(code)
    section = sections[3] if len(sections) > 3 else next((s for s in sections if "@" in s), "@")
    return None if section.strip() == "@" else Seen(text, code)


def of_text(value: float, shown: str) -> Seen | None:
    """Return a number as an .ods says that it is shown; nothing where that is the number itself."""
    seen = shown.replace("\xa0", " ").replace("\u202f", " ").strip()
    if percent := re.fullmatch(r"([+-]?[\d.,]*\d) ?%", seen):
        return Seen(f"{percent[1].replace(',', '.')}%")
    if re.fullmatch(r"[+-]?\d+([.,]\d+)?", seen):
        if _as_number(re.sub("[.,]", "", seen)) == value:
            seen = re.sub("[.,]", "", seen)  # parted by thousands
        read = seen.replace(",", ".")
        return Seen(read) if _says_else(read, value) else None
    if _as_number(re.sub(r"[ ,]|(?<=\d)\.(?=\d{3}\b)", "", seen)) is not None:
        return None
    return Seen(f"{value:.15g}", seen or '""')


@lru_cache(maxsize=64)
def _sections(code: str) -> list[str]:
    """Return the parts of a format, for numbers above, below and at zero and for texts, in which
    ``w`` stands for a word, and nothing for what shows nothing."""
    signs = _SIGN.sub(lambda found: found[1] or found[2] or "", code)
    return _BLANK.sub("", _WORD.sub("w", signs)).split(";")


def _says_else(read: str, value: float) -> bool:
    """Return whether a text is another number, or one with a sign or zeros before it that numbers
    lack."""
    number = _as_number(read)
    if number is None or read.startswith("+") or re.match(r"-?0\d", read):
        return True
    return abs(number - value) > 1e-9 * max(abs(value), 1)


def _as_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
