"""Pages: a frame of HTML with its words; what is in it the page's own script asks for."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

from exporter.core.messages import words
from exporter.core.shipped_files import shipped

FIELDS = {
    "backs": "print_backs",
    "bleed": "print_bleed",
    "board": "boards",
    "boxes": "boxes",
    "cut": "print_cut",
    "deck": "page_deck",
    "gap": "print_gap",
    "hand": "odds_hand",
    "mech": "print_mechs",
    "only": "print_only",
    "paper": "print_paper",
    "preset": "print_preset",
    "regulation": "regulation",
    "saving": "print_saving",
    "sheet": "sheets",
    "turn": "odds_turn",
}
"""Options of commands, with the word of a page that stands where the same is chosen there."""

_OPTION = re.compile(r"\s*[(（]--[^()（）]*[)）]|--([a-z]+)( ?)")


def without_options(text: str, language: str) -> str:
    """A sentence as a page says it: options by what they are called there, those that were added
    in brackets not at all."""
    known, (opening, closing) = words("workbench", language), "「」" if language == "ja" else "“”"

    def named(found: re.Match[str]) -> str:
        if found[1] in FIELDS:
            space = "" if language == "ja" else found[2]
            return f"{opening}{known[FIELDS[found[1]]]}{closing}{space}"
        return found[0] if found[1] else ""

    return _OPTION.sub(named, text)


@cache
def _environment() -> Environment:
    # The shipped ones alone: a template is code, and a folder may come from a stranger.
    return Environment(
        loader=FileSystemLoader(shipped("templates") / "web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def page(name: str, language: str, path: str, **values: Any) -> Response:
    """A page in a language; ``path`` is its address behind that. Scripts find ``facts`` in it."""
    known = words("workbench", language)
    facts = {"language": language, "words": known, **values.pop("facts", {})}
    html = (
        _environment()
        .get_template(f"{name}.html.j2")
        .render(
            page=name,
            language=language,
            other="en" if language == "ja" else "ja",
            path=path,
            words=known,
            facts=msgspec.json.encode(facts).decode(),
            **values,
        )
    )
    return HTMLResponse(html)
