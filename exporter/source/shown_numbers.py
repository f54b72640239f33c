"""Numbers as a spreadsheet shows them, where that says something else than what it holds.

A cell that shows ``25%`` holds 0.25, one that shows ``007`` holds 7. What is seen is read: the
percent, the fraction, the zeros before, the sign, the number as it was rounded. Words and currency
beside a number are left out of it, and that is told.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

BUILT_IN = {
    9: "0%", 10: "0.00%", 12: "# ?/?", 13: "# ??/??", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00",
    37: "#,##0;-#,##0", 38: "#,##0;-#,##0", 39: "#,##0.00;-#,##0.00", 40: "#,##0.00;-#,##0.00",
}  # fmt: skip
"""The formats of an .xlsx that it names by a number alone; of those that are left out, dates and
currencies differ by country."""

_TOKEN = re.compile(r'"([^"]*)"|\\(.)|_.|\*.|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|(.)', re.DOTALL)
_DIGITS = "0#?"
_NUMBER = f"{_DIGITS}.,%/E"
MOST_SIGNS = 255
"""Of a format: a spreadsheet allows no more."""

_MOST_DECIMALS, _MOST_PERCENTS = 15, 4
_GENERAL = "0." + "#" * _MOST_DECIMALS


class Seen(NamedTuple):
    """What is read of a number; ``whole`` is all that the cell shows, where that says more."""

    text: str
    whole: str = ""


def of_format(value: float, code: str) -> Seen | None:
    """A number as a format of an .xlsx shows it; nothing where that is the number itself."""
    held = f"{value:.15g}"
    sections = _sections(code.replace("General", _GENERAL))
    index = 0 if value > 0 else 1 if value < 0 else 2
    section = sections[index] if index < len(sections) else sections[0]
    number = "".join(text for text, is_word in section if not is_word)
    if not section and index < len(sections):
        return Seen(held, '""')  # hidden, as zeros are
    if "E" in number or ("@", True) in section:
        return None
    shown = _shown(abs(Decimal(held)), number) if number else ""
    if shown is None:
        return None
    first, last = _around(section)
    read = f"{'-' if value < 0 else '+' if '+' in first else ''}{shown}"
    if not shown or number.endswith(",") or not _says_else(read, value):
        read = held
    if not (first + last).strip(" +-()"):
        return Seen(read)
    minus = "-" if value < 0 and shown and "-" not in first else ""
    whole, point, rest = shown.partition(".")
    parted = re.sub(r"\B(?=(\d{3})+(?!\d))", ",", whole) if "," in number else whole
    return Seen(read, f"{minus}{first}{parted}{point}{rest}{last}".strip())


def of_text(value: float, shown: str) -> Seen | None:
    """A number as an .ods says that it is shown; nothing where that is the number itself."""
    seen = shown.replace("\xa0", " ").replace("\u202f", " ").strip()
    if not seen:
        return None
    percent = re.fullmatch(r"([+-]?[\d.,]*\d) ?%", seen)
    if percent:
        return Seen(f"{percent[1].replace(',', '.')}%")
    if re.fullmatch(r"-?(\d+ +)?\d+/\d+", seen):
        return Seen(" ".join(seen.split()))
    if re.fullmatch(r"[+-]?\d+([.,]\d+)?", seen):
        if _as_number(re.sub("[.,]", "", seen)) == value:
            seen = re.sub("[.,]", "", seen)  # parted by thousands
        read = seen.replace(",", ".")
        return Seen(read) if _says_else(read, value) else None
    if _as_number(re.sub(r"[ ,]|(?<=\d)\.(?=\d{3}\b)", "", seen)) is not None:
        return None
    return Seen(f"{value:.15g}", seen)


def _says_else(read: str, value: float) -> bool:
    """Whether a text is another number, or one with a sign or zeros before it that numbers lack."""
    number = _as_number(read)
    if number is None or read.startswith("+") or re.match(r"-?0\d", read):
        return True
    return abs(number - value) > 1e-9 * max(abs(value), 1)


def _as_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


@lru_cache(maxsize=64)
def _sections(code: str) -> list[list[tuple[str, bool]]]:
    """The parts of a format, for numbers above, below and at zero: what they show, piece by piece,
    and whether that is a word rather than the number."""
    sections: list[list[tuple[str, bool]]] = [[]]
    for token in _TOKEN.finditer(code):
        quoted, escaped, currency, plain = token.groups()
        if plain == ";":
            sections.append([])
        elif plain is not None:
            eighths = plain.isdigit() and ("/", False) in sections[-1]
            sections[-1].append((plain, plain not in _NUMBER and not eighths))
        else:
            word = quoted or escaped or currency or ""
            sections[-1] += [(word, True)]
    return sections


def _around(section: list[tuple[str, bool]]) -> tuple[str, str]:
    """The words before and after the number."""
    at = [index for index, (_text, is_word) in enumerate(section) if not is_word] or [len(section)]
    before, after = section[: at[0]], section[at[-1] + 1 :]
    return "".join(text for text, _ in before), "".join(text for text, _ in after)


def _shown(value: Decimal, number: str) -> str | None:
    """The digits that such a format shows; nothing for one that is not known here."""
    if "/" in number:
        return _fraction(value, number)
    percents = number.count("%")
    digits = number.replace("%", "")
    scaled = len(digits) - len(digits.rstrip(","))
    whole, _, decimals = digits.partition(".")
    places = sum(decimals.count(sign) for sign in _DIGITS)
    if places > _MOST_DECIMALS or "." in decimals or max(percents, scaled) > _MOST_PERCENTS:
        return None
    exact = value * 100**percents / 1000**scaled
    shown = exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, Context(60))
    digits, _, rest = f"{shown:f}".partition(".")
    rest = rest[: decimals.count("0")] + rest[decimals.count("0") :].rstrip("0")
    return digits.zfill(whole.count("0")) + (f".{rest}" if rest else "") + "%" * percents


def _fraction(value: Decimal, number: str) -> str | None:
    """``1 1/2`` for 1.5, of denominators that have as many digits as the format asks for."""
    top, _, bottom = number.partition("/")
    if not bottom:
        return None
    if bottom.isdigit() and int(bottom):  # eighths, say
        parts, of = int((value * int(bottom)).to_integral_value(ROUND_HALF_UP)), int(bottom)
    else:
        near = Fraction(value).limit_denominator(10 ** min(len(bottom), 4) - 1)
        parts, of = near.numerator, near.denominator
    whole, parts = divmod(parts, of) if len(top) > len(bottom) or "#" in top else (0, parts)
    part = f"{parts}/{of}" if parts else ""
    return " ".join(each for each in (str(whole) if whole or not part else "", part) if each)
