"""Refuse what would let a template from elsewhere reach out of its folder.

Typst loads packages from the net and the home directory, runs plug-ins, and knows the clock. Names
for these can be put together while a template runs, so whatever could do that is refused as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from exporter.core.messages import sentence
from exporter.core.problems import (
    Problem,
    SourceLocation,
    problem_at,
)
from exporter.core.shipped_files import is_shipped

_WORD = re.compile(r"(?<![\w-])(eval|plugin|today|std(?!\.[a-z]))(?![\w-])")
_IMPORT = re.compile(r"(?<![\w-])(import|include)(?![\w-])")
_OWN_FILE = re.compile(r'\s*"(?!@)[^"\\]*\.typ"(?!\s*[.+*])')


def sandbox_problems(files: Mapping[str, Path]) -> Iterator[Problem]:
    """Yield a problem for each place that could reach out, in templates from elsewhere."""
    for name, path in files.items():
        if name.endswith(".typ") and not is_shipped(path):
            yield from _problems_in(path, path.read_text(encoding="utf-8", errors="replace"))


def _problems_in(path: Path, text: str) -> Iterator[Problem]:
    for found in _WORD.finditer(text):
        yield problem_at(
            _place(path, text, found.start()),
            "FACE-SEALED",
            "cannot-used-template",
            word=found[1],
            why=sentence("FACE-SEALED", found[1]),
        )
    for found in _IMPORT.finditer(text):
        if not _OWN_FILE.match(text, found.end()):
            yield problem_at(
                _place(path, text, found.start()), "FACE-SEALED", "takes-file-styles", word=found[1]
            )


def _place(path: Path, text: str, offset: int) -> SourceLocation:
    before = text[:offset]
    return SourceLocation(str(path), before.count("\n") + 1, offset - before.rfind("\n"))
