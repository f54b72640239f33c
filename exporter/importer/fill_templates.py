"""The files of templates/new filled in."""

from __future__ import annotations

from jinja2 import Environment, StrictUndefined

from exporter.core.shipped_files import shipped
from exporter.model.json_schemas import comment

_ENVIRONMENT = Environment(
    undefined=StrictUndefined, keep_trailing_newline=True, trim_blocks=True, lstrip_blocks=True
)


def fill_template(template: str, path: str, language: str, **values: object) -> bytes:
    """Fill in a file of templates/new that is to lie at ``path`` in a game's folder.

    It may call ``schema(kind)`` for the line by which editors know its keys, and
    ``say(english, japanese)`` for a comment in the ``language``.
    """
    source = (shipped("templates") / "new" / template).read_text(encoding="utf-8")
    up = "../" * (path.count("/") + 1)

    def say(en: str, ja: str, **words: str) -> str:
        text = ja if language == "ja" else en
        return text.format_map(words) if words else text

    filled = _ENVIRONMENT.from_string(source).render(
        schema=lambda kind: comment(f"{up}schemas", kind), say=say, **values
    )
    return filled.encode()
