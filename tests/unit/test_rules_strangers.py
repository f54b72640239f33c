"""A stranger's kind of rule: one file, and one rule with its cases."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from small_game import change, write_small_game

ROOT = Path(__file__).parent.parent.parent
PROGRAM = ROOT / "exporter"

STRANGE = '''\
"""``no_crowd``: of some cards there are so many in one place at most."""

from collections.abc import Iterator
from typing import Annotated

from exporter.rules.kind import MountedBuild, Expression, Fault, Rule, RuleKind, fault_at
from exporter.model.shape import Doc, Whole


class NoCrowd(RuleKind[MountedBuild]):
    """Of the cards that meet an expression, so many lie in one part at most.

    ja: 式に当てはまるカードは、1つの部位にこの枚数まで。
    """

    cards: Annotated[Expression, Doc("of the cards that count", "数えるカードの式")]
    most: Annotated[Whole, Doc("how many of them", "何枚まで")]

    examples = ("{cards: family == 'gun', most: 1}",)
    by_moving = True
    sentences = {
        "ja": {"crowd": ("{part}に{found}枚も固まっている。", "{most}枚までにする。")},
        "en": {"crowd": ("{found} of them crowd {part}.", "Leave {most} there.")},
    }

    def applies(self, subject: MountedBuild, rule: Rule) -> bool:
        return any(subject.fitting(self.cards, rule.where))

    def faults(self, subject: MountedBuild, rule: Rule) -> Iterator[Fault]:
        for part, spots in subject.by_part.items():
            crowd = [spot for spot in spots if subject.fits(spot.card, self.cards, rule.where)]
            if len(crowd) > self.most:
                where, found, most = crowd[-1].where, len(crowd), self.most
                yield fault_at(where, "crowd", part=part, found=found, most=most, touches=crowd)
'''

RULES = """\
rules:
- id: R-1
  title: 固まらない
  status: checked
  kind: no_crowd
  parameters: {cards: "CARDS", most: 1}
"""

CASES = """\
- {name: 固まる, build: {frame: {size: S}, mounted: {arm: [Sword, Sword]}}, raises: [R-1]}
- {name: 散らす, about: [R-1], build: {frame: {size: S}, mounted: {arm: [Sword], leg: [Sword]}}}
"""

BUILD = "game: small\nname: b\nframe: {size: S}\nmounted: {arm: [Sword, Sword]}\n"


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The program of a folder, in that folder."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
    environment["PYTHONIOENCODING"] = "utf-8"
    command = [sys.executable, "-m", "exporter", *words]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program with the kind, beside a small game with a rule of that kind."""
    folder = tmp_path_factory.mktemp("strange")
    shutil.copytree(PROGRAM, folder / "exporter", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "templates", folder / "templates")
    (folder / "exporter/rules/kinds/no_crowd.py").write_text(STRANGE, encoding="utf-8")
    write_small_game(folder)
    game = folder / "source_data" / "small"
    change(game / "game.yaml", "parts: [arm]", "parts: [arm, leg]")
    (game / "frames.csv").write_text("size,arm,leg\nS,3,3\n", encoding="utf-8")
    write_rule(folder, "name == 'Sword'")
    (game / "cases").mkdir()
    (game / "cases" / "crowd.yaml").write_text(CASES, encoding="utf-8")
    (folder / "build.yaml").write_text(BUILD, encoding="utf-8")
    return folder


def write_rule(folder: Path, cards: str) -> None:
    rules = RULES.replace("CARDS", cards)
    (folder / "source_data/small/rules.yaml").write_text(rules, encoding="utf-8")


@pytest.mark.slow
def test_its_rule_is_checked_and_its_cases_hold(folder: Path) -> None:
    checked = run(folder, "check", "small", "--cases", "--lang", "en")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "2 of 2 cases as expected" in checked.stdout
    assert "Rules: 1 checked" in checked.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("ja", "R-1 armに2枚も固まっている。1枚までにする。"),
        ("en", "R-1 2 of them crowd arm. Leave 1 there."),
    ],
)
def test_it_speaks_both_languages(folder: Path, language: str, said: str) -> None:
    assert said in run(folder, "check", "build.yaml", "--lang", language).stderr


@pytest.mark.slow
def test_suggest_mends_it_by_moving(folder: Path) -> None:
    mended = run(folder, "suggest", "build.yaml", "--lang", "en")
    assert mended.returncode == 0
    assert "move Sword from arm to leg" in mended.stdout


@pytest.mark.slow
def test_its_expressions_are_looked_at_before_anybody_brings_a_card(folder: Path) -> None:
    write_rule(folder, "nmae == 'Sword'")
    try:
        found = run(folder, "check", "small", "--lang", "en").stderr
    finally:
        write_rule(folder, "name == 'Sword'")
    assert "there is no 'nmae' here. Did you mean 'name'?" in found


@pytest.mark.slow
def test_editors_complete_it(folder: Path) -> None:
    for language, says, asks in (
        ("en", "how many of them", "Of the cards that meet"),
        ("ja", "何枚まで", "式に当てはまるカードは"),
    ):
        run(folder, "schema", "schemas", "--lang", language)
        schema = json.loads((folder / "schemas/rules.json").read_text(encoding="utf-8"))
        rule = schema["properties"]["rules"]["items"]
        assert "no_crowd" in rule["properties"]["kind"]["enum"]
        then = rule["allOf"][rule["properties"]["kind"]["enum"].index("no_crowd") - 1]["then"]
        parameters = then["properties"]["parameters"]
        assert parameters["description"].startswith(asks)
        assert parameters["properties"]["most"]["description"] == says
