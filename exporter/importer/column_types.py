"""What sort of thing the cells of a column are: numbers, ranges, texts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from exporter.model.spelling import whole_number

RANGE = re.compile(r"[+−-]?[0-9]{1,5} ?[～〜~–−-] ?[+−-]?[0-9]{1,5}")
DECIMAL = re.compile(r"[+−-]?[0-9]{1,9}(?:\.[0-9]{1,6})?")


def is_numeric(word: str) -> bool:
    """Whether a word is digits with a letter at most, such as ½, 3+ and d6."""
    letters = sum(letter.isalpha() and not letter.isnumeric() for letter in word)
    return letters < 2 and any(map(str.isnumeric, word))


def sort_of(values: Sequence[str], *, days: bool) -> tuple[str, str, int, int]:
    """Type, pattern, least and most of a column's cells."""
    filled = [value for value in values if value]
    whole = [whole_number(value) for value in filled]
    numbers = [number for number in whole if number is not None]
    bounds = (min(numbers, default=0), max(numbers, default=0))
    if days or (filled and any(map(RANGE.fullmatch, filled)) and all(len(v) <= 12 for v in filled)):
        short = all(
            RANGE.fullmatch(v) or DECIMAL.fullmatch(v) or v.isalnum() or v in "∞-–—" for v in filled
        )
        if short:
            return "text", "range", *bounds
    if filled and len(numbers) == len(filled) and max(map(abs, bounds)) < 10**8:
        return ("number", "whole", *bounds) if len(filled) == len(values) else (
            "text", "number", *bounds,
        )  # fmt: skip
    if filled and all(map(DECIMAL.fullmatch, filled)):
        return "text", "number", *bounds
    return "text", "", *bounds
