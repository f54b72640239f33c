"""Set the Typst documents of ``templates/sheets``: lists and pages of text."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import typst

from exporter.core.cache import DiskCache, cache_folder
from exporter.core.problems import (
    InvalidSource,
    Problem,
    SourceLocation,
    error_at,
    problem_at,
    stop_for,
)
from exporter.core.shipped_files import shipped
from exporter.faces.face_texts import texts_within
from exporter.faces.style_values import leads_inside
from exporter.model.print_jobs import TOLERANCE
from exporter.printing.sheet_pages import pdf_pages
from exporter.render.template_files import (
    Templates,
    covered,
    digest,
    uncovered,
)
from exporter.render.typesetter import (
    forget,
    load_fonts,
    style_name,
)

OVERFLOW = "SHEET-OVERFLOW"
TEMPLATE = "SHEET-TEMPLATE"


def _sheet(name: str) -> Path:
    return shipped("templates") / "sheets" / f"{name}.typ"


def typeset(
    name: str, values: Mapping[str, Any], where: SourceLocation
) -> tuple[bytes, tuple[Problem, ...]]:
    """Set the sheet ``name`` with ``values``: the PDF, and texts that do not fit.

    Templates report a text too long for its place by ``metadata`` labelled ``<overflow>``; texts
    that run off the page are found in the PDF. Raises ``InvalidSource`` for a template that cannot
    be set, and for characters that no font has.
    """
    path = _sheet(name)
    stop_for(_without_glyph(values, where))
    forget()
    templates = shipped("templates")
    try:
        compiler = typst.Compiler(
            str(path),
            root=str(templates),
            font_paths=load_fonts([str(templates / "faces" / "fonts")]),
            ignore_system_fonts=True,
            sys_inputs={"values": json.dumps(values, ensure_ascii=False, sort_keys=True)},
        )
        data = compiler.compile(format="pdf", timestamp=0)
        found = json.loads(compiler.query("<overflow>", field="value"))
    except typst.TypstError as error:
        message = re.sub(r"^error: ", "", error.diagnostic).partition("\n")[0]
        raise error_at(
            SourceLocation(str(path)), TEMPLATE, "template-cannot-used", quote=message
        ) from None
    assert isinstance(data, bytes)
    named = [str(entry["field"] if isinstance(entry, dict) else entry) for entry in found]
    without_room = named or list(_off_page(data))
    problems = (
        problem_at(where, OVERFLOW, "text-not-fit", sheet=name, text=text)
        for text in dict.fromkeys(without_room)
    )
    return data, tuple(problems)


def _off_page(data: bytes) -> Iterator[str]:
    """Yield the lines of text that run over an edge of their page."""
    for page in pdf_pages(data):
        width, height = page.get_size()
        for line, (left, bottom, right, top) in text_lines(page):
            if min(left, bottom, width - right, height - top) < -TOLERANCE:
                yield line


def text_lines(page: Any) -> Iterator[tuple[str, tuple[float, float, float, float]]]:
    """Yield each line of a page with its left, lower, right and upper edge in points."""
    with closing(page.get_textpage()) as texts:
        for number in range(texts.count_rects()):
            box = texts.get_rect(number)
            yield " ".join(texts.get_text_bounded(*box).split()), box


def text_problems(
    name: str, values: Mapping[str, Any], where: SourceLocation
) -> tuple[Problem, ...]:
    """Return the problems of a document; a document once set without problems is not set again."""
    kept, shelf = DiskCache(cache_folder()), _templates()
    icons = str(values.get("icons", ""))
    files = dict(shelf.style(style_name(icons) if leads_inside(icons) else "").files)
    files |= {path.name: path for path in sorted(_sheet(name).parent.glob("*.typ"))}
    fonts = shelf.fonts_digest
    everything = (typst.__version__, name, values, digest(files), fonts)  # type: ignore[attr-defined]
    text = json.dumps(everything, ensure_ascii=False, sort_keys=True)
    key = f"document-{hashlib.sha256(text.encode()).hexdigest()}"
    if kept.get(key) is not None:
        return ()
    try:
        _pdf, problems = typeset(name, values, where)
    except InvalidSource as error:
        return error.problems
    if not problems:
        kept.put(key, b"")
    return problems


@cache
def _templates() -> Templates:
    """Return the shipped ones, whose fonts stay as they are while a program runs."""
    return Templates((shipped("templates") / "faces",))


def _without_glyph(values: Mapping[str, Any], where: SourceLocation) -> Iterator[Problem]:
    """Yield a problem for each character that no font has; Typst would draw an empty box."""
    shelf = _templates()
    known = covered(tuple(shelf.fonts().values()), shelf.fonts_digest)
    texts = list(dict.fromkeys(texts_within(values)))
    for character in uncovered(texts, known):
        text = next(text for text in texts if character in text)
        text, found = text[:40], f"{character!r} (U+{ord(character):04X})"
        yield problem_at(where, "FACE-GLYPH", "character-none-fonts", found=found, text=text)
