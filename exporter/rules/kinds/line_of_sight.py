"""``line_of_sight``: whether a higher cell is in between."""

import re
from fractions import Fraction

from exporter.core.messages import sentence
from exporter.rules.kind import Rule
from exporter.rules.play_rules import (
    OfPlay,
    Outcome,
    Situation,
)

_CELL = re.compile(r"\S([0-9]+|-)")


class LineOfSight(OfPlay):
    """The line between two centres meets no cell higher than the higher of its ends: `rows` as a
    board's, `from` and `to` as column and row, from 1.

    ja: 2つの中心を結ぶ線の上に、両端の高いほうより高いマスがない。`rows` は地図のとおり、
    `from` と `to` は1からの列と行。
    """

    def outcome(self, asked: Situation, rule: Rule) -> Outcome:
        asked.allow({"rows", "from", "to"})
        heights, one, other = _heights(asked), asked.square("from"), asked.square("to")
        for name, end in (("from", one), ("to", other)):
            if end not in heights:
                raise asked.refused(name, sentence("allowed", "cell-of-rows"))
        top = max(heights[one], heights[other])
        between = (
            height
            for cell, height in heights.items()
            if cell not in (one, other) and _crosses(one, other, cell)
        )
        return Outcome(all(height <= top for height in between))


def _crosses(start: tuple[int, int], end: tuple[int, int], cell: tuple[int, int]) -> bool:
    """Say whether the line between two cells' centres runs through a cell, not only past its
    edge."""
    enter, leave = Fraction(0), Fraction(1)
    for axis in (0, 1):
        origin = start[axis] + Fraction(1, 2)
        along = end[axis] - start[axis]
        if along == 0:
            if cell[axis] != start[axis]:
                return False
            continue
        edges = sorted(((cell[axis] - origin) / along, (cell[axis] + 1 - origin) / along))
        enter, leave = max(enter, edges[0]), min(leave, edges[1])
    return enter < leave


def _heights(asked: Situation) -> dict[tuple[int, int], int]:
    """Find the height of each cell by column and row, from 1."""
    heights = {}
    for row, line in enumerate(asked.entries("rows", str, "list-of-rows"), 1):
        for column, cell in enumerate(line.split(), 1):
            height = _CELL.fullmatch(cell)
            if height is None:
                raise asked.refused("rows", sentence("allowed", "list-of-rows"))
            heights[column, row] = -1 if height[1] == "-" else int(height[1])
    return heights
