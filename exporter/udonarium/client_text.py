"""Text as the client reads it (format section 3): what it drops, and what it decodes twice."""

from __future__ import annotations

import json
import math
import re

# Characters the client removes from any XML before it reads it.
DROPPED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffd\ufffe\uffff\ud800-\udfff]")

_ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'"}
_ENTITY = re.compile("|".join(_ENTITIES))
_LOOKS_LIKE_ENTITY = re.compile(r"&(?=(?:amp|lt|gt|quot|apos);)")
_DECODED_BY_CHANCE = re.compile(r"&(?:lt|gt|quot|apos|amp(?!;(?:amp|lt|gt|quot|apos);));")

JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
# Whole numbers up to here are exact in JavaScript.
LARGEST_EXACT = 2**53


def decoded(text: str) -> str:
    """Return the client's own decoding, once: five entities and nothing else."""
    return _ENTITY.sub(lambda match: _ENTITIES[match[0]], text) if "&" in text else text


def twice_decodable(text: str) -> str:
    """Return an attribute's text made safe for being decoded by the XML parser *and* by the client.

    The one place where the second escape happens; only text that looks like an entity needs it.
    """
    return _LOOKS_LIKE_ENTITY.sub("&amp;", text) if "&" in text else text


def decodes_by_chance(text: str) -> bool:
    """Return whether an attribute's parsed text holds an entity that nobody escaped a second
    time."""
    return bool(_DECODED_BY_CHANCE.search(text))


def plain_lines(text: str) -> str:
    """Return line ends as every XML reader makes them: LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def number_text(number: float) -> str:
    """Return a finite number as JSON and JavaScript write it: ``250``, ``0.5``."""
    if float(number).is_integer() and abs(number) <= LARGEST_EXACT:
        return str(int(number))
    return repr(float(number))


def json_number(text: str) -> float:
    """Return a number attribute, after ``JSON.parse``. Raises ``ValueError`` for anything else."""
    if not JSON_NUMBER.fullmatch(text.strip(" \t\n\r")):
        raise ValueError(text)
    return _finite(text)


def json_boolean(text: str) -> bool:
    """Return a boolean attribute. The client also takes numbers. Raises ``ValueError``."""
    word = text.strip(" \t\n\r")
    if word in ("true", "false"):
        return word == "true"
    return json_number(word) != 0


def is_json(text: str) -> bool:
    """Return whether ``JSON.parse`` would take it at all; if not, the client stops loading."""
    try:
        json.loads(text, parse_constant=int)  # which refuses NaN and Infinity
    except (ValueError, RecursionError):
        return False
    return True


def loose_number(text: str) -> float:
    """Return a number in a sheet, after JavaScript's ``Number``: blank is 0. Raises
    ``ValueError``."""
    word = text.strip()
    if not word:
        return 0
    if re.fullmatch(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", word):
        return _finite(word)
    if re.fullmatch(r"0[xX][0-9a-fA-F]{1,12}", word):
        return int(word, 16)
    raise ValueError(text)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return int(number) if number.is_integer() and abs(number) <= LARGEST_EXACT else number
