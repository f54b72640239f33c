"""docs/rules.md says what is so."""

from __future__ import annotations

import re
from pathlib import Path

from exporter.opened import open_game
from exporter.rules.kinds import KINDS
from exporter.schema_rules import PARAMETERS

ROOT = Path(__file__).parent.parent.parent
TEXT = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")


def test_the_counts_are_those_of_the_data() -> None:
    counts = open_game(ROOT / "source_data" / "embryo_machine").book.counts()
    said = f"{counts['checked']} rules checked, {counts['by-hand']} by hand, "
    assert said + f"{counts['not-yet']} not yet" in TEXT


def test_every_kind_of_rule_is_explained_and_has_a_shape() -> None:
    named = set(re.findall(r"`([a-z_]+)`", TEXT))
    assert named >= KINDS
    assert set(PARAMETERS) == KINDS
