"""docs/rules.md says what is so."""

from __future__ import annotations

import re
import shutil
import textwrap
from pathlib import Path

import pytest
import shipped

from exporter.app.games import open_folder
from exporter.model.documents import Document, Spot, read_document
from exporter.model.forms import fields_of, shaped
from exporter.rules.errata import corrected
from exporter.rules.expressions import fault_of
from exporter.rules.kind import AllowedNames
from exporter.rules.kinds import KINDS
from exporter.rules.play_rules import OfPlay
from exporter.rules.report.check_report import not_shown, run_cases
from exporter.rules.rulebook import everything_in, used_rules

ROOT = Path(__file__).parent.parent.parent
NAMES = AllowedNames(frozenset(), {})
TEXT = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")


def test_the_counts_are_those_of_the_data() -> None:
    opened = shipped.opened()
    subjects = everything_in(opened.game, opened.book.placements)
    counts = opened.book.counts(used_rules(subjects, opened.book.rules.values()))
    said = f"{counts['checked']} rules checked, {counts['by-hand']} by hand, "
    said += f"{counts['not-yet']} not yet, {counts['nothing-to-check']} with nothing to check"
    assert said in TEXT


def test_every_kind_of_rule_says_all_of_itself() -> None:
    for name, kind in KINDS.items():
        assert kind.name == name
        assert kind.__doc__, name
        assert issubclass(kind, OfPlay) or kind.subjects, name
        keys = fields_of(kind).keys
        assert all(key.doc.en for key in keys.values()), name
        assert bool(kind.examples) == bool(keys), name


@pytest.mark.slow
def test_the_example_of_a_new_rule_touches_two_files_and_holds(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(ROOT / "source_data" / "embryo_machine", tmp_path / "em"))
    rule, case = re.findall(r"```yaml\n# ((?:rules|cases/\w+)\.yaml)\n(.*?)```", TEXT, re.DOTALL)
    for (name, text), indent in ((rule, "  "), (case, "")):
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write("\n" + textwrap.indent(text, indent))
    opened = open_folder(folder, with_cases=True)
    assert opened.problems == ()
    game = corrected(opened.game)
    assert run_cases(game, opened.book)[1] == []
    assert list(not_shown(opened.book)) == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_examples_of_a_kind_have_its_shape(kind: str) -> None:
    for example in KINDS[kind].examples:
        value, where, _ = read_document(example, "docs/rules.md")
        document = Document(where, value)
        found, problems, _ = shaped(KINDS[kind], document)
        assert found is not None
        assert [*problems, *found.parameter_problems(Spot(document).place)] == []
        for text, _ in found.expressions(NAMES):
            assert fault_of(text) is None


def test_a_table_of_the_wrong_shape_is_told_by_an_example() -> None:
    value, where, _ = read_document("{table: {3: 4}}", "rules.yaml")
    (problem,) = shaped(KINDS["setup"], Document(where, value))[1]
    assert "Example: [{players: [2, 2], holds: {boards: [1, 1]}}]." in problem.hint
