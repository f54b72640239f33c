"""Write the contents of pages: forms that are placed once are inlined in large files.

A form is a stream, compressed by itself: the frame that a thousand cards share would be in the file
a thousand times. In one page's contents, compression finds what a card shares with the one before.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from exporter.model.paper import PageBox
from exporter.printing.pdf.pdf_contents import (
    POINTS,
    UNMOVED,
    Matrix,
    matrix_of,
    times,
)

if TYPE_CHECKING:
    from pikepdf import Pdf

MANY = 250
"""Number of forms placed once from which they are inlined; smaller files are a few 100 kB."""

_SHADING = 2
"""The ``PatternType`` of gradients."""

_Shown: TypeAlias = dict[str, tuple[str, Any]]
"""A stream's resources: category and object by name."""


class PlacedForm(Struct, frozen=True):
    """A form on a page: its matrix in points, and its clip in mm, if any."""

    form: Any
    matrix: Matrix
    clip: PageBox | None = None


def number(value: float) -> str:
    """Format a number for a PDF with at most five decimals."""
    text = f"{value:.5f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _numbers(*values: float) -> str:
    return " ".join(map(number, values))


def drawn_in_place(pages: Iterable[Iterable[PlacedForm]]) -> set[tuple[int, int]]:
    """Return the object numbers of the forms to inline: those placed once, if there are ``MANY``.

    Fewer stay forms and keep their bytes: inlined, renderers round coordinates differently and
    single pixels differ by a shade.
    """
    counts = Counter(placed.form.objgen for page in pages for placed in page)
    once = {form for form, count in counts.items() if count == 1}
    return once if len(once) >= MANY else set()


class _Contents:
    """The operators of one page, and its resources by name."""

    def __init__(self, height: float) -> None:
        self.height = height
        self.parts: list[bytes] = []
        self.shown: _Shown = {}
        self.names: dict[tuple[str, str], str] = {}

    def named(self, name: str, category: str, shown: Any) -> str:
        """Add an object to the page's resources and return its name: ``name``, or a free one."""
        key = category, shown.unparse()
        if key not in self.names:
            others = (f"{name[:2]}{number}" for number in itertools.count())
            free = next(each for each in itertools.chain([name], others) if each not in self.shown)
            self.shown[free] = category, shown
            self.names[key] = free
        return self.names[key]

    def draw(self, placed: PlacedForm, operators: bytes) -> None:
        """Add operators with the matrix and clip of ``placed``."""
        clip = ""
        if placed.clip is not None:
            box = placed.clip
            sides = (box.x, self.height - box.bottom, box.width, box.height)
            clip = f"{_numbers(*(side * POINTS for side in sides))} re W n "
        start = f"q {clip}{_numbers(*placed.matrix)} cm ".encode()
        self.parts.append(start + operators + b" Q")


def _shown_by(form: Any) -> _Shown | None:
    """Return a form's resources; ``None`` where one name stands for two objects."""
    found: _Shown = {}
    for category, names in form.get("/Resources", {}).items():
        if category == "/ProcSet":
            continue
        for name, shown in names.items():
            if name in found:
                return None
            found[name] = category, shown
    return found


def _in_place(contents: _Contents, placed: PlacedForm) -> bytes | None:
    """Return a form's operators for a page's contents; ``None`` for a form that has to stay one."""
    form = placed.form
    shown = _shown_by(form)
    if shown is None or "/Group" in form or "/Matrix" in form:
        return None
    for name, (category, pattern) in shown.items():
        if category == "/Pattern":
            if pattern.PatternType != _SHADING:
                return None
            shown[name] = category, _moved(pattern, placed.matrix)
    operators: bytes = form.read_bytes()
    new = {name: contents.named(name, *what) for name, what in shown.items()}
    changed = {name.encode(): to.encode() for name, to in new.items() if name != to}
    if changed:
        # A name ends at a blank. Letters are codes of two bytes, of fonts that have only the
        # letters in use: no code is so large that a string of them reads as a name.
        names = re.compile(rb"(?:%s)(?=\s)" % b"|".join(map(re.escape, changed)))
        operators = names.sub(lambda found: changed[found[0]], operators)
    left, bottom, right, top = map(float, form.BBox)
    return f"{_numbers(left, bottom, right - left, top - bottom)} re W n\n".encode() + operators


def _moved(pattern: Any, matrix: Matrix) -> Any:
    """Return a copy of a gradient moved by ``matrix``, as ``cm`` does not move patterns."""
    import pikepdf

    moved = pikepdf.Dictionary(pattern)
    moved.Matrix = [
        round(part, 6) for part in times(matrix_of(pattern.get("/Matrix", UNMOVED)), matrix)
    ]
    return moved


def write_contents(
    pdf: Pdf, page: Any, placed: Sequence[PlacedForm], alone: set[tuple[int, int]], height: float
) -> None:
    """Write contents and resources of a page of ``height`` mm, with forms in ``alone`` inlined."""
    import pikepdf

    contents = _Contents(height)
    for each in placed:
        operators = _in_place(contents, each) if each.form.objgen in alone else None
        if operators is None:
            operators = f"{contents.named('/F0', '/XObject', each.form)} Do".encode()
        contents.draw(each, operators)
    resources: dict[str, dict[str, Any]] = {}
    for name, (category, shown) in contents.shown.items():
        resources.setdefault(category, {})[name] = shown
    page.Resources = pikepdf.Dictionary(resources)
    page.Contents = pdf.make_stream(b"\n".join(contents.parts))
