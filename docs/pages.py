"""Writes the pages of docs/ that are made from the program: ``python docs/pages.py``."""

from __future__ import annotations

from pathlib import Path

from exporter.udonarium import CHECKS

DOCS = Path(__file__).parent

_VERIFY = """\
# What `verify` looks for

`exporter verify ROOM.zip …` reads any Udonarium zip, whoever made it, and holds it against what the
client does with one. The client is silent: it drops what it cannot use and says nothing. Every
fault is told with its place, what you would see, and how to mend it.

- **error**: the client breaks, drops or hides something; the exit status is 1.
- **warning**: hardly what anybody wants.
- **notice**: good to know.

With `--format json` the same comes as one document: a list of `problems`, each with `severity`,
`rule`, `file`, `line`, `column`, `message`, `hint` and `cites`, and a `summary` that counts them.
Lines and columns count from 1; ids are permanent. `docs/pages.py` writes this page.

| id | | what should be | otherwise | remedy |
|---|---|---|---|---|
"""


def _cell(text: str) -> str:
    for character, written in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("|", "\\|")):
        text = text.replace(character, written)
    return text


def verify_page() -> str:
    """docs/verify.md: every check with its sentence."""
    rows = [
        (f"`{name}`", str(check.severity), check.sentence, check.effect, check.remedy)
        for name, check in CHECKS.items()
    ]
    lines = ["| " + " | ".join([row[0], *map(_cell, row[1:])]) + " |" for row in rows]
    return _VERIFY + "\n".join(lines) + "\n"


PAGES = {"verify.md": verify_page}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
