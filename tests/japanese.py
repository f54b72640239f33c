"""Whether what was told in Japanese is Japanese alone, by its alphabet."""

from __future__ import annotations

import re

# At least three words of small letters in a row, outside of what is quoted.
PROSE = re.compile(r"\b[A-Za-z]?[a-z]{2,}(?:[,;:]? [a-z]{2,}){2,}\b")
QUOTED = re.compile(
    r"（原文: .*?）(?=。|$|\s|）)|「[^」]*」|`[^`]*`|'[^']*'|\"[^\"]*\"|\[[^\]]*\]"
    r"|[\w./~-]*/[\w./-]*|exporter(?: [\w-]+)+",
    re.MULTILINE | re.DOTALL,
)


def english_in(told: str) -> list[str]:
    """English prose besides quotations, lists of words, and lines of options in a usage."""
    return [found[0] for found in PROSE.finditer(QUOTED.sub("", told)) if ", " not in found[0]]
