"""Cut a page to its clips: drop what is painted wholly outside, so that a search finds no more.

Relies on what Typst writes: each painted object is a block (q … Q), each string has a matrix.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from exporter.printing.pdf.pdf_contents import (
    UNMOVED,
    Matrix,
    at,
    matrix_of,
    rewritten,
    shown_by,
    times,
)

Bounds: TypeAlias = tuple[float, float, float, float]
"""Left, bottom, right and top in points."""

RISE, FALL = 1.0, 0.25
"""How far letters extend above and below the baseline, in ems."""

MITRE = 2
"""How far a stroke extends beyond its path, in stroke widths."""


EVERYWHERE: Bounds = (-math.inf, -math.inf, math.inf, math.inf)


class _State(Struct, frozen=True):
    matrix: Matrix = UNMOVED
    stroke: float = 1
    clip: Bounds = EVERYWHERE


def cut_to_clips(pdf: Any, page: Any) -> None:
    """Drop what is wholly outside its clip, also of forms on the page; it looks the same."""
    _cut(pdf, page, _State())


def _cut(pdf: Any, drawn: Any, state: _State) -> Any:
    """Return what ``rewritten`` does, cut; ``state`` is that in which ``drawn`` is painted."""
    import pikepdf

    cut = _Cut(pdf, drawn, state)
    for instruction in pikepdf.parse_content_stream(drawn):
        cut.follow(instruction)
    return rewritten(pdf, drawn, cut.blocks[0], cut.shown)


class _Cut:
    """Interpreter of a form's operators; ``blocks`` has what is kept of each open block."""

    def __init__(self, pdf: Any, drawn: Any, state: _State) -> None:
        self.pdf, self.state, self.shown = pdf, state, shown_by(drawn)
        self.fonts = drawn.get("/Resources", {}).get("/Font", {})
        self.blocks: list[list[Any]] = [[]]
        self.painted = [False]
        self.states: list[_State] = []
        self.path: list[Any] = []
        self.points: list[tuple[float, float]] = []
        self.text = UNMOVED
        self.widths: Mapping[int, float] = {}
        self.size = 0.0

    def follow(self, instruction: Any) -> None:
        """Process one operator: update the state, and keep or drop it."""
        operator, operands = str(instruction.operator), list(instruction.operands)
        match operator:
            case "q":
                self.states.append(self.state)
                self.blocks.append([instruction])
                self.painted.append(False)
            case "Q":
                self.state = self.states.pop()
                block = self.blocks.pop()
                if self.painted.pop():
                    self._keep(*block, instruction)
            case "m" | "l" | "c" | "re" | "h" | "W" | "W*":
                self.path.append(instruction)
                self.points += [at(self.state.matrix, *end) for end in _ends(operator, operands)]
            case "f" | "f*" | "S" | "s" | "B" | "B*" | "b" | "b*" | "n":
                self._paint(instruction)
            case "Tj" | "TJ":
                self._write(operands if operator == "Tj" else operands[0])
            case "Do":
                self._show(instruction, str(operands[0]))
            case "sh" | "INLINE IMAGE":
                self._keep(instruction)
            case _:
                self._set(operator, operands)
                self.blocks[-1].append(instruction)

    def _keep(self, *instructions: Any) -> None:
        self.blocks[-1] += instructions
        self.painted[-1] = True

    def _touches(self, points: Iterable[tuple[float, float]], reach: float = 0) -> bool:
        xs, ys = zip(*points, strict=True)
        left, bottom, right, top = self.state.clip
        return bool(
            min(xs) - reach < right
            and max(xs) + reach > left
            and min(ys) - reach < top
            and max(ys) + reach > bottom
        )

    def _set(self, operator: str, operands: list[Any]) -> None:
        match operator:
            case "cm":
                matrix = times(matrix_of(operands), self.state.matrix)
                self.state = replace(self.state, matrix=matrix)
            case "w":
                self.state = replace(self.state, stroke=float(operands[0]))
            case "Tm":
                self.text = times(matrix_of(operands), self.state.matrix)
            case "Tf":
                self.widths = _widths(self.fonts[operands[0]])
                self.size = float(operands[1])

    def _paint(self, instruction: Any) -> None:
        a, b, c, d, _, _ = self.state.matrix
        reach = MITRE * self.state.stroke * max(abs(a) + abs(c), abs(b) + abs(d))
        clips = any(str(part.operator) in ("W", "W*") for part in self.path)
        if clips:
            self.blocks[-1] += [*self.path, instruction]
            self._clip()
        elif self.points and self._touches(self.points, reach):
            self._keep(*self.path, instruction)
        self.path, self.points = [], []

    def _clip(self) -> None:
        """Narrow the clip to the box of the current path."""
        left, bottom, right, top = self.state.clip
        xs, ys = zip(*self.points, strict=True)
        low, high = (
            (max(left, min(xs)), max(bottom, min(ys))),
            (min(right, max(xs)), min(top, max(ys))),
        )
        self.state = replace(self.state, clip=(*low, *high))

    def _write(self, parts: Iterable[Any]) -> None:
        import pikepdf

        kept = list(self._letters(parts))
        if any(isinstance(part, pikepdf.String) for part in kept):
            operands = [pikepdf.Array(kept)]
            self._keep(pikepdf.ContentStreamInstruction(operands, pikepdf.Operator("TJ")))

    def _letters(self, parts: Iterable[Any]) -> Iterator[Any]:
        """Yield the strings of the visible letters, each preceded by its displacement."""
        import pikepdf

        x = moved = 0.0
        letters = b""
        for part in parts:
            codes = bytes(part) if isinstance(part, pikepdf.String) else b""
            if not codes:
                moved += float(part)
                x -= float(part) * self.size / 1000
            for code in (codes[start : start + 2] for start in range(0, len(codes), 2)):
                width = self.widths.get(int.from_bytes(code, "big"), 0)
                ends = [(x, 0.0), (x + width * self.size / 1000, 0.0)]
                corners = [(x, up * self.size) for x, _ in ends for up in (RISE, -FALL)]
                if self._touches([at(self.text, *corner) for corner in corners]):
                    if moved:
                        if letters:
                            yield pikepdf.String(letters)
                        yield round(moved, 3)
                        letters, moved = b"", 0.0
                    letters += code
                else:
                    moved -= width
                x += width * self.size / 1000
        if letters:
            yield pikepdf.String(letters)

    def _show(self, instruction: Any, name: str) -> None:
        inner = self.shown[name]
        is_form = inner.get("/Subtype") == "/Form"
        matrix = self.state.matrix
        if is_form:
            matrix = times(matrix_of(inner.get("/Matrix", UNMOVED)), matrix)
        left, bottom, right, top = map(float, inner.BBox if is_form else (0, 0, 1, 1))
        ends = ((left, bottom), (left, top), (right, bottom), (right, top))
        if self._touches([at(matrix, *end) for end in ends]):
            if is_form:
                self.shown[name] = _cut(self.pdf, inner, replace(self.state, matrix=matrix))
            self._keep(instruction)


def _ends(operator: str, operands: list[Any]) -> Iterator[tuple[float, float]]:
    """Yield the points of one operator of a path."""
    numbers = [float(part) for part in operands]
    if operator == "re":
        x, y, width, height = numbers
        numbers += [x + width, y + height, x + width, y, x, y + height]
        del numbers[2:4]
    yield from zip(numbers[::2], numbers[1::2], strict=True)


def _widths(font: Any) -> dict[int, float]:
    """Return a font's widths by two-byte code, in thousandths of an em."""
    found: dict[int, float] = {}
    parts = list(font.DescendantFonts[0].W)
    while parts:
        first, second = int(parts.pop(0)), parts.pop(0)
        if isinstance(second, int):
            found |= dict.fromkeys(range(first, second + 1), float(parts.pop(0)))
        else:
            found |= {first + number: float(width) for number, width in enumerate(second)}
    return found
