"""Texts of the data, made ready for people: ``${…}`` filled in, marks and ruby made plain."""

from __future__ import annotations

import re
from collections.abc import Mapping

from exporter.problems import InvalidSource, Problem, Where, nearest

_PLACE = re.compile(r"\$\{([^{}]+)\}")
_RUBY = re.compile(r"\{([^{}|]*)\|[^{}|]*\}")


def fill(text: str, values: Mapping[str, str], where: Where) -> str:
    """``text`` with every ``${name}`` replaced. Raises ``InvalidSource`` for unknown names."""
    unknown = dict.fromkeys(name for name in _PLACE.findall(text) if name not in values)
    if unknown:
        raise InvalidSource(
            Problem(where, "TEXT", f"${{{name}}} stands for nothing here.", nearest(name, values))
            for name in unknown
        )
    return _PLACE.sub(lambda match: values[match[1]], text)


def plain(text: str, marks: Mapping[str, str]) -> str:
    """``text`` without mark-up: ``[energy]`` as the character in ``marks``, ruby left out."""
    for name, character in marks.items():
        text = text.replace(f"[{name}]", character)
    return _RUBY.sub(r"\1", text)
