"""Full-width signs where YAML wants half-width ones: ``：``, ``［ ］``, ``、``, a wide space."""

from __future__ import annotations

import re

from exporter.core.problems import Problem, SourceLocation, problem_at

_SORTS = {"：": "colon", "\u3000": "space", "［": "bracket", "｛": "bracket", "、": "comma"}
_HALF_WIDTH = str.maketrans(
    {"［": "[", "］": "]", "｛": "{", "｝": "}", "：": ": ", "、": ", ", "\u3000": " "}
)

# Where YAML looks for signs of its own: in an indentation, after a key, before a value.
_IN_LINE = re.compile(
    r" *(?:- +)*(?:-?\u3000|[［｛]|(?:[\w.-]+|'[^']*'|\"[^\"]*\")(?:：|: *[\u3000［｛]))"
)


def in_line(line: str, number: int, file: str) -> Problem | None:
    """Return such a sign in a line that is no YAML, where it stands for one of YAML's own."""
    found = _IN_LINE.match(line)
    at = SourceLocation(file, number, found.end() if found else 0)
    return _problem(at, found[0][-1], line) if found else None


def in_text(text: str, at: SourceLocation, signs: str = "".join(_SORTS)) -> Problem | None:
    """Return the first of some signs in a text that is to be keys, a list or a name."""
    start = next((index for index, sign in enumerate(text) if sign in signs), None)
    if start is None:
        return None
    if at.column and not at.cell:
        at = SourceLocation(at.file, at.line, at.column + start)
    return _problem(at, text[start], f"[{text}]" if text[start] == "、" else text)


def _problem(at: SourceLocation, sign: str, text: str) -> Problem:
    right = re.sub(r" +", " ", text.translate(_HALF_WIDTH)).strip()
    return problem_at(at, "SRC-YAML", f"full-width-{_SORTS[sign]}", right=right[:60])
