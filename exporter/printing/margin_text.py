"""Lay out the small print in a page's margin: as much as fits under the pieces."""

from __future__ import annotations

import math
from collections.abc import Sequence

from exporter.model.paper import TOLERANCE, Paper, around
from exporter.printing.sheet_pages import LABEL, LEAST_LABEL, MARK, MARK_GAP, FaceSpot, Label

LINE = 1.4
"""Line pitch, as a multiple of the text's height."""

UNBROKEN = 6
"""Full-width characters that a line may lose to line breaking."""


def small_print(
    paper: Paper,
    spots: Sequence[FaceSpot],
    heading: str,
    groups: Sequence[str],
    notes: Sequence[str],
) -> tuple[Label, ...]:
    """Return a label below the pieces and crop marks, or none where the margin is too low.

    It has the heading, the groups and the notes, shortened to what fits.
    """
    room = paper.printable
    block = around([spot.bleed for spot in spots]) if spots else room
    y = block.bottom + MARK_GAP + MARK + 0.5
    height = room.bottom - y
    if height < LABEL - TOLERANCE:
        return ()
    # Below pieces at the right edge, such as backs of a part of a page, align right.
    at_right = block.x + block.right > paper.width + TOLERANCE
    x = min(block.right, room.right) if at_right else max(block.x, room.x)
    width = x - room.x if at_right else room.right - x
    lines = int(height / (LEAST_LABEL * LINE))
    letters = int(width / LEAST_LABEL) - UNBROKEN
    most = letters * (lines // 2 if notes else lines) - len(heading)
    text = f"{heading} {_shortened(groups, ' ', most)}".strip()
    left = lines - math.ceil(len(text) / max(letters, 1))
    text = f"{text}\n{_shortened(notes, ' · ', letters * left)}".strip()
    return (Label(text, x, y, width, height=height, align="right" if at_right else "left"),)


def _shortened(parts: Sequence[str], between: str, most: int) -> str:
    """Join as many ``parts`` as fit in ``most`` full-width characters, and count the others."""
    text = between.join(parts)
    if len(text) <= most or not parts:
        return text
    kept: list[str] = []
    used = len(f"ほか{len(parts)}件")
    if used > most:
        return ""
    for part in parts:
        used += len(part) + len(between)
        if used > most:
            break
        kept.append(part)
    return between.join([*kept, f"ほか{len(parts) - len(kept)}件"])
