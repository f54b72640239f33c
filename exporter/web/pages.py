"""Pages: a frame of HTML with its words; what is in it the page's own script asks for."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

from exporter.installed import shipped
from exporter.words import words


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
