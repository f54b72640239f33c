"""Compute contrast and colour difference, also for colour vision deficiencies.

Colours are red, green and blue from 0 to 255 in sRGB. Contrast is that of WCAG 2.1; difference is
CIE76, where about 2.3 is just noticeable; colour vision deficiencies are simulated with the
matrices of Machado, Oliveira and Fernandes (2009), full severity, on linear light.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TypeAlias

Colour: TypeAlias = tuple[int, int, int]
_Matrix: TypeAlias = tuple[tuple[float, float, float], ...]

_GREY = (0.2126, 0.7152, 0.0722)
_XYZ: _Matrix = ((0.4124, 0.3576, 0.1805), _GREY, (0.0193, 0.1192, 0.9505))
_WHITE = (0.9505, 1.0, 1.089)

# Kinds of colour vision: 3 × 3 matrices on linear RGB, by name.
VISIONS: Mapping[str, _Matrix] = {
    "full colour": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "greyscale": (_GREY, _GREY, _GREY),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def _times(matrix: _Matrix, light: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(sum(a * b for a, b in zip(row, light, strict=True)) for row in matrix)


@cache
def _linear(value: int) -> float:
    part = value / 255
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _light(colour: Colour) -> tuple[float, ...]:
    return tuple(_linear(part) for part in colour)


def luminance(colour: Colour) -> float:
    """Return the relative luminance of a colour, from 0 to 1."""
    return sum(weight * part for weight, part in zip(_GREY, _light(colour), strict=True))


def contrast(one: Colour, other: Colour) -> float:
    """Return the WCAG contrast ratio of two colours, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@cache
def lab(colour: Colour, vision: str = "full colour") -> tuple[float, float, float]:
    """Convert a colour to CIELAB, as seen with one of ``VISIONS``."""
    seen = tuple(min(max(part, 0), 1) for part in _times(VISIONS[vision], _light(colour)))

    def bent(part: float) -> float:
        return part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116

    x, y, z = (bent(part / white) for part, white in zip(_times(_XYZ, seen), _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def lab_distance(one: Colour, other: Colour, vision: str = "full colour") -> float:
    """Return the CIE76 difference of two colours, as seen with one of ``VISIONS``."""
    pairs = zip(lab(one, vision), lab(other, vision), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)
