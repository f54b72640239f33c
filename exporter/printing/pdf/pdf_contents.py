"""Read and rewrite the contents of pages and forms: matrices, operators, what they show."""

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


def rewritten(pdf: Any, drawn: Any, instructions: list[Any], shown: dict[str, Any]) -> Any:
    """Give a page other ``instructions`` and ``shown`` forms and images; return a form's copy."""
    import pikepdf

    stream = pdf.make_stream(pikepdf.unparse_content_stream(instructions))
    resources = pikepdf.Dictionary(drawn.get("/Resources", {}))
    if shown:
        resources.XObject = pikepdf.Dictionary(shown)
    if drawn.get("/Type") == "/Page":
        drawn.Contents, drawn.Resources = stream, resources
        return drawn
    for key in ("/Type", "/Subtype", "/BBox", "/Matrix", "/Group"):
        if key in drawn:
            stream[key] = drawn[key]
    stream.Resources = resources
    return stream


def shown_by(drawn: Any) -> dict[str, Any]:
    """Return the forms and images of a page or form by name."""
    return dict(drawn.get("/Resources", {}).get("/XObject", {}))
