"""Numbers as a spreadsheet shows them, where that says something else than what it holds.

A cell that shows ``25%`` holds 0.25, one that shows ``007`` holds 7. What is seen is read: the
percent, the fraction, the zeros before, the sign, the number as it was rounded. Words and currency
beside a number are left out of it, and that is told.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
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
_CONDITION = re.compile(r"\[(<=|>=|<>|=|<|>)(-?[0-9]+(?:\.[0-9]+)?)\]")
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt, ">": operator.gt, "<=": operator.le,
    ">=": operator.ge, "=": operator.eq, "<>": operator.ne,
}  # fmt: skip
_MOST_SECTIONS = 4
"""For numbers above, below and at zero, or by condition, and for texts."""

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
    if "[DBNum" in code:
        return Seen(held, code)  # in kanji
    sections = _sections(code.replace("General", _GENERAL))
    index = _index(value, _conditions(code), len(sections))
    if index is None:
        return Seen(held, "####")
    section = sections[index]
    number = "".join(text for text, is_word in section if not is_word)
    if not any(text for text, _is_word in section):
        return Seen(held, '""')  # hidden, as zeros are
    if "E" in number or ("@", True) in section:
        return None
    if (parted := _parted(section, value)) is not None:
        return Seen(parted)
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


def of_words(text: str, code: str) -> Seen | None:
    """A text as a format of an .xlsx shows it; nothing where that is the text itself."""
    sections = _sections(code)
    if len(sections) > _MOST_SECTIONS - 1:
        section = sections[_MOST_SECTIONS - 1]
    else:
        section = next((each for each in sections if ("@", True) in each), [("@", True)])
    shown = "".join(text if word == "@" else word for word, _is_word in section).strip()
    return None if shown == text.strip() else Seen(text, shown or '""')


def of_text(value: float, shown: str) -> Seen | None:
    """A number as an .ods says that it is shown; nothing where that is the number itself."""
    seen = shown.replace("\xa0", " ").replace("\u202f", " ").strip()
    if not seen:
        return Seen(f"{value:.15g}", '""')
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


def _conditions(code: str) -> list[tuple[str, float] | None]:
    """The condition of each section of a format, such as ``[>=5]``, where it has one."""
    plain = re.sub(r'"[^"]*"|\\.', "", code)
    found = (_CONDITION.search(section) for section in plain.split(";"))
    return [(each[1], float(each[2])) if each else None for each in found]


def _index(value: float, conditions: Sequence[tuple[str, float] | None], count: int) -> int | None:
    """Which section of a format shows a number; nothing where none does."""
    if not any(conditions):
        index = 0 if value > 0 else 1 if value < 0 else 2
        return index if index < count else 0
    for index, condition in enumerate(conditions[: _MOST_SECTIONS - 1]):
        if condition is None:
            if index == len(conditions) - 1 or index == _MOST_SECTIONS - 2 or value < 0:
                return index
        elif _COMPARE[condition[0]](value, condition[1]):
            return index
    return 0 if count == 1 else None


def _parted(section: list[tuple[str, bool]], value: float) -> str | None:
    """A number whose digits stand among words, as ``12-34`` of ``00-00``; else nothing."""
    signs = [at for at, (sign, is_word) in enumerate(section) if not is_word]
    inner = section[signs[0] : signs[-1] + 1] if signs else []
    places = [text for text, is_word in inner if not is_word]
    words = "".join(text for text, is_word in inner if is_word)
    if not words.strip() or not {*places} <= {"0", "#"} or value < 0:
        return None
    digits = f"{value:.0f}"
    rest = list(digits.zfill(places.count("0")))
    shown: list[str] = []
    for sign, is_word in reversed(inner):
        if is_word:
            shown.append(sign)
        elif rest:
            shown.append(rest.pop())
    first, last = _around(section)
    text = "".join(reversed([*shown, *reversed(rest)]))
    return f"{first}{text}{last}".strip()


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
