"""Read and rewrite content streams of forms: matrices, and copies without some operators."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

Matrix: TypeAlias = tuple[float, float, float, float, float, float]

POINTS = 72 / 25.4
"""Points per millimetre."""

UNMOVED: Matrix = (1, 0, 0, 1, 0, 0)


def times(one: Matrix, other: Matrix) -> Matrix:
    """Multiply two matrices: apply ``one`` first, then ``other``."""
    a, b, c, d, e, f = one
    m, n, o, p, q, r = other
    return (
        a * m + b * o,
        a * n + b * p,
        c * m + d * o,
        c * n + d * p,
        e * m + f * o + q,
        e * n + f * p + r,
    )


def at(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """Transform a point by a matrix."""
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def matrix_of(operands: Iterable[Any]) -> Matrix:
    """Convert the six operands of a matrix to floats."""
    a, b, c, d, e, f = (float(part) for part in operands)
    return a, b, c, d, e, f


def rewritten(pdf: Any, form: Any, instructions: list[Any]) -> Any:
    """Return a copy of a form, its resources included, with other ``instructions``."""
    import pikepdf

    stream = pdf.make_stream(pikepdf.unparse_content_stream(instructions))
    for key in ("/Type", "/Subtype", "/BBox", "/Matrix", "/Resources", "/Group"):
        if key in form:
            stream[key] = form[key]
    return stream


def without_text(pdf: Any, form: Any) -> Any:
    """Return a copy of a form without its texts, so that a search finds these once."""
    import pikepdf

    kept = []
    inside = False
    for instruction in pikepdf.parse_content_stream(form):
        operator = str(instruction.operator)
        inside = inside or operator == "BT"
        if not inside:
            kept.append(instruction)
        inside = inside and operator != "ET"
    return rewritten(pdf, form, kept)
