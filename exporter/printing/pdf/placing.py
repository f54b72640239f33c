"""Pages written from forms at their places: what is seen once is drawn in the page's contents.

A form is a stream of its own, packed by itself: the frame that a thousand cards share would be in
the file a thousand times. Side by side in one page's contents, packing finds the frame of one card
in the next, and the operators between their letters too.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from exporter.printing.paper import PageBox
from exporter.printing.pdf.contents import POINTS, UNMOVED, Matrix, matrix_of, times

if TYPE_CHECKING:
    from pikepdf import Pdf

MANY = 250
"""Forms seen once that make a file large: with fewer it has some hundred kilobytes at most."""

_SHADING = 2
"""The type of a pattern that is a gradient."""

_Shown: TypeAlias = dict[str, tuple[str, Any]]
"""What a stream shows by its names: the category of each, and the object."""


class PlacedForm(Struct, frozen=True):
    """A form on a page: the matrix that leads there, and what of it is seen."""

    form: Any
    matrix: Matrix
    clip: PageBox | None = None


def number(value: float) -> str:
    """As a PDF writes it: no more digits than a printer needs."""
    text = f"{value:.5f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _numbers(*values: float) -> str:
    return " ".join(map(number, values))


def drawn_in_place(pages: Iterable[Iterable[PlacedForm]]) -> set[tuple[int, int]]:
    """The forms, by their objects' numbers, that are drawn in the contents of their page.

    They are seen at one place of all pages. Few of them stay forms: a renderer then reckons their
    coordinates in another order, and the grey of a pixel here and there differs by a shade.
    """
    counts = Counter(placed.form.objgen for page in pages for placed in page)
    once = {form for form, count in counts.items() if count == 1}
    return once if len(once) >= MANY else set()


class _Contents:
    """The operators of one page, and its resources by their names."""

    def __init__(self, height: float) -> None:
        self.height = height
        self.parts: list[bytes] = []
        self.shown: _Shown = {}
        self.names: dict[tuple[str, str], str] = {}

    def named(self, name: str, category: str, shown: Any) -> str:
        """The name of an object on this page: its own, unless something else has that already."""
        key = category, shown.unparse()
        if key not in self.names:
            others = (f"{name[:2]}{number}" for number in itertools.count())
            free = next(each for each in itertools.chain([name], others) if each not in self.shown)
            self.shown[free] = category, shown
            self.names[key] = free
        return self.names[key]

    def draw(self, placed: PlacedForm, operators: bytes) -> None:
        """Operators at their place."""
        clip = ""
        if placed.clip is not None:
            box = placed.clip
            sides = (box.x, self.height - box.bottom, box.width, box.height)
            clip = f"{_numbers(*(side * POINTS for side in sides))} re W n "
        start = f"q {clip}{_numbers(*placed.matrix)} cm ".encode()
        self.parts.append(start + operators + b" Q")


def _shown_by(form: Any) -> _Shown | None:
    """What a form's operators name; nothing where a name has two meanings."""
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
    """A form's operators for a page's contents; nothing for what must be drawn as a whole."""
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
        # A name stands before a blank. Letters are numbers of two bytes, of a font that has no
        # more than are used: none are so large that they could be read as a name.
        names = re.compile(rb"(?:%s)(?=\s)" % b"|".join(map(re.escape, changed)))
        operators = names.sub(lambda found: changed[found[0]], operators)
    left, bottom, right, top = map(float, form.BBox)
    return f"{_numbers(left, bottom, right - left, top - bottom)} re W n\n".encode() + operators


def _moved(pattern: Any, matrix: Matrix) -> Any:
    """A gradient for another place: it lies where its stream does, whatever is moved within."""
    import pikepdf

    moved = pikepdf.Dictionary(pattern)
    moved.Matrix = [
        round(part, 6) for part in times(matrix_of(pattern.get("/Matrix", UNMOVED)), matrix)
    ]
    return moved


def write_contents(
    pdf: Pdf, page: Any, placed: Sequence[PlacedForm], alone: set[tuple[int, int]], height: float
) -> None:
    """Give a page of ``height`` millimetres its contents; forms in ``alone`` are used up."""
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
