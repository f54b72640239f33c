"""Regular expressions that are compiled when they are first used.

For modules that every run imports: no run uses all of theirs.
"""

from __future__ import annotations

import re
from typing import Any, cast


class _Waiting:
    """Becomes what ``re.compile`` makes, a method at a time."""

    def __init__(self, text: str, flags: int) -> None:
        self._made_of = text, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(*self._made_of), name)
        setattr(self, name, found)
        return found


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """What ``re.compile`` gives, as far as its methods go."""
    return cast("re.Pattern[str]", _Waiting(text, flags))
