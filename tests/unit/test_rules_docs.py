"""docs/rules.md says what is so."""

from __future__ import annotations

import re
import shutil
import textwrap
from pathlib import Path

from exporter.checking.cases import not_shown, run_case
from exporter.checking.opened import open_game
from exporter.rules.errata import corrected
from exporter.rules.kinds import KINDS
from exporter.rules.subjects import in_all
from exporter.schema.rules import PARAMETERS
from exporter.source.documents import read_document
from exporter.source.shapes import shaped

ROOT = Path(__file__).parent.parent.parent
TEXT = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")


def test_the_counts_are_those_of_the_data() -> None:
    opened = open_game(ROOT / "source_data" / "embryo_machine")
    counts = opened.book.counts(in_all(opened.game, opened.book))
    said = f"{counts['checked']} rules checked, {counts['by-hand']} by hand, "
    said += f"{counts['not-yet']} not yet, {counts['nothing-to-check']} with nothing to check"
    assert said in TEXT


def test_every_kind_of_rule_is_explained_and_has_a_shape() -> None:
    named = set(re.findall(r"`([a-z_]+)`", TEXT))
    assert named >= KINDS
    assert set(PARAMETERS) == KINDS


def test_the_example_of_a_new_rule_touches_two_files_and_holds(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(ROOT / "source_data" / "embryo_machine", tmp_path / "em"))
    rule, case = re.findall(r"```yaml\n# ((?:rules|cases/\w+)\.yaml)\n(.*?)```", TEXT, re.DOTALL)
    for (name, text), indent in ((rule, "  "), (case, "")):
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write("\n" + textwrap.indent(text, indent))
    opened = open_game(folder, with_cases=True)
    assert opened.problems == ()
    game = corrected(opened.game)
    assert [
        problem for one in opened.book.cases for problem in run_case(game, opened.book, one)
    ] == []
    assert list(not_shown(opened.book)) == []


def test_the_example_of_every_kind_has_its_shape() -> None:
    for kind, examples in re.findall(r"^\| `([a-z_]+)` \|.*\| (.*) \|$", TEXT, re.MULTILINE):
        for example in re.findall(r"`(\{.*?\})`(?: or |$)", examples):
            value, where, _ = read_document(example, "docs/rules.md")
            assert shaped(PARAMETERS[kind], value, where)[1] == [], kind


def test_a_table_of_the_wrong_shape_is_told_by_an_example() -> None:
    value, where, _ = read_document("{table: {3: 4}}", "rules.yaml")
    (problem,) = shaped(PARAMETERS["setup"], value, where)[1]
    assert "Example: [{players: [2, 2], holds: {boards: [1, 1]}}]." in problem.hint
