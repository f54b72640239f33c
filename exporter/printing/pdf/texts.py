"""Typst documents of ``templates/sheets``: lists, pages of text, the small print of sheets."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from exporter.problems import InvalidSource, Problem, Severity, Where

OVERFLOW = "SHEET-OVERFLOW"
TEMPLATE = "SHEET-TEMPLATE"


def sheet_template(templates: Path, name: str, where: Where = Where()) -> Path:
    """``templates``/sheets/``name``.typ. Raises ``InvalidSource`` where there is none."""
    path = templates / "sheets" / f"{name}.typ"
    if not path.is_file():
        message = f"There is no sheet template {name!r}."
        raise InvalidSource([Problem(where, TEMPLATE, message, f"Looked for {path}.")])
    return path


def typeset(
    templates: Path, name: str, values: Mapping[str, Any], where: Where = Where()
) -> tuple[bytes, tuple[Problem, ...]]:
    """The PDF of ``templates``/sheets/``name``.typ with ``values``, and what does not fit in it.

    A template that finds a text too long for its place says so by ``metadata`` labelled
    ``<overflow>``. Raises ``InvalidSource`` for a template that cannot be set.
    """
    import typst

    path = sheet_template(templates, name, where)
    fonts = typst.Fonts(
        include_system_fonts=False,
        include_embedded_fonts=False,
        font_paths=[str(templates / "faces" / "fonts")],
    )
    compiler = typst.Compiler(
        str(path),
        root=str(templates),
        font_paths=fonts,
        ignore_system_fonts=True,
        sys_inputs={"values": json.dumps(values, ensure_ascii=False, sort_keys=True)},
    )
    try:
        data = compiler.compile(format="pdf", timestamp=0)
        found = json.loads(compiler.query("<overflow>", field="value"))
    except typst.TypstError as error:
        said = re.sub(r"^error: ", "", error.diagnostic).partition("\n")[0]
        message = f"The template cannot be used: {said}."
        raise InvalidSource([Problem(Where(str(path)), TEMPLATE, message)]) from None
    assert isinstance(data, bytes)
    problems = (
        Problem(
            where,
            OVERFLOW,
            f"A text does not fit its place on {name}: {what}.",
            "Shorten it.",
            Severity.WARNING,
        )
        for what in dict.fromkeys(str(entry) for entry in found)
    )
    return data, tuple(problems)
