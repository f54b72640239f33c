"""Rules that looked at nothing are not called checked: said by name, and counted apart; what is
said of printed decks.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import yaml
from commands import run
from made_up_games import write
from small_game import change

from exporter.app.games import open_folder
from exporter.core.problems import Problem
from exporter.rules.project import Project
from exporter.rules.report.check_report import check

SOURCE = Path(__file__).parent.parent.parent / "source_data"


@pytest.fixture
def small(small: Path) -> Path:
    """The small game with two loadouts, each with a deck."""
    figure = "- {name: arms, part: arm, terms: [{label: frame, value: arm}]}\n"
    (small / "figures.yaml").write_text(figure, encoding="utf-8")
    more = "edition: text, min_count: number, mount: text, host: text}"
    change(small / "game.yaml", "edition: text}", more)
    return small


def one_rule(folder: Path, kind: str, parameters: str) -> None:
    text = f"rules: [{{id: R-1, title: 決まり, status: checked, kind: {kind}"
    text += f", parameters: {{{parameters}}}}}]\n"
    (folder / "rules.yaml").write_text(text, encoding="utf-8")


ALONE: dict[str, list[list[str]]] = yaml.safe_load(
    (Path(__file__).parent / "lone_rules.yaml").read_text(encoding="utf-8")
)
COUNTS = "{} checked, 0 left to the players, 0 not yet supported, {} not applicable"


@pytest.mark.parametrize(("kind", "parameters"), ALONE["looks"])
def test_a_rule_that_looked_at_something_is_checked(
    small: Path, kind: str, parameters: str
) -> None:
    one_rule(small, kind, parameters)
    opened = open_folder(small)
    assert opened.problems == ()
    report = check(opened)
    assert report.idle == ()
    assert report.counts["checked"] == 1


@pytest.mark.parametrize(("kind", "parameters"), ALONE["idle"])
def test_a_rule_that_looked_at_nothing_is_told_by_name(
    small: Path, kind: str, parameters: str
) -> None:
    one_rule(small, kind, parameters)
    change(small / "game.yaml", "min_count: number", "min_count: text")
    result = run("check", "-v", small, "--lang", "en")
    assert result.exit_code == 0, result.output
    idle = result.stdout.partition("\nNot applicable:\n")[2]
    assert idle.startswith("  R-1 決まり"), result.output
    assert COUNTS.format(0, 1) in result.stdout


FIGURES = """\
- {name: 札, terms: [{label: 札, each: weapon, value: copies}]}
- {name: 光, terms: [{label: 光, each: weapon, value: "copies if name == 'Laser' else 0"}]}
"""


@pytest.fixture
def decks(small: Path) -> Path:
    """The small game with its decks alone."""
    shutil.rmtree(small / "mechs")
    (small / "rooms" / "table.yaml").unlink()
    (small / "frames.csv").unlink()
    (small / "figures.yaml").unlink()
    text = (small / "decks" / "mechs.csv").read_text(encoding="utf-8")
    text = text.replace("mech,", "deck,").replace("●◆", "").replace("●", "")
    (small / "decks" / "mechs.csv").write_text(text + "BB,Sword,,1,\n", encoding="utf-8")
    (small / "figures.yaml").write_text(FIGURES, encoding="utf-8")
    return small


@pytest.mark.parametrize(("kind", "parameters"), ALONE["kept"])
def test_what_holds_of_cards_holds_of_a_deck_that_no_mech_brings(
    decks: Path, kind: str, parameters: str
) -> None:
    one_rule(decks, kind, parameters)
    result = run("check", decks, "--lang", "en")
    assert result.exit_code == 0, result.output
    assert COUNTS.format(1, 0) in result.stdout


@pytest.mark.parametrize(("kind", "parameters", "said"), ALONE["broken"])
def test_a_deck_that_no_mech_brings_can_break_it(
    decks: Path, kind: str, parameters: str, said: str
) -> None:
    if "by: name" in parameters:
        with (decks / "cards" / "weapons.csv").open("a", encoding="utf-8") as cards:
            cards.write("W4,Laser,もやす,2,base\n")
        change(decks / "decks" / "mechs.csv", "AA,Laser,,2,", "AA,W1,,2,\nAA,W4,,1,")
    one_rule(decks, kind, parameters)
    result = run("check", decks, "--lang", "en")
    assert result.exit_code == 1
    assert f"error R-1 {said}" in result.stderr


@pytest.mark.parametrize(("kind", "parameters", "said"), ALONE["wrong"])
def test_a_rule_about_decks_that_says_nothing_is_told_before_any_is_looked_at(
    decks: Path, kind: str, parameters: str, said: str
) -> None:
    one_rule(decks, kind, parameters)
    assert said in run("check", decks, "--lang", "en").stderr


def test_one_in_each_part_says_nothing_of_a_deck_which_has_no_parts(decks: Path) -> None:
    one_rule(decks, "excludes", "cards: name == 'Laser', within: part")
    result = run("check", decks, "--lang", "en")
    assert result.exit_code == 0, result.output
    assert COUNTS.format(0, 1) in result.stdout


def test_rules_about_mounted_cards_have_nothing_in_a_game_of_decks(decks: Path) -> None:
    rules = """\
rules:
- {id: R-1, title: 積む札, status: checked, kind: wrong_kind, parameters: {mounted: [weapon]}}
- {id: R-2, title: スロット, status: checked, kind: slots}
- {id: R-3, title: 2人まで, status: checked, kind: skills, parameters: {most: 2}}
- {id: R-4, title: 3枚, status: checked, kind: deck_size, parameters: {most: 3}}
- {id: R-5, title: 卓で見る, status: by-hand, reason: 見えない}
"""
    (decks / "rules.yaml").write_text(rules, encoding="utf-8")
    result = run("check", "-v", decks, "--lang", "ja")
    assert result.exit_code == 0, result.output
    assert "規則: 検査1・卓で確認する1・未対応0・該当なし3" in result.stdout
    named = "該当なし:\n  R-1 積む札\n  R-2 スロット\n  R-3 2人まで\nsmall：作れる"
    assert named in result.stdout
    (game,) = json.loads(run("check", "-v", decks, "--format", "json").stdout)["games"]
    assert game["rules"] == {"checked": 1, "by-hand": 1, "not-yet": 0, "nothing-to-check": 3}
    assert [rule["id"] for rule in game["nothing_to_check"]] == ["R-1", "R-2", "R-3"]
    listed = run("list", decks, "--format", "json").stdout
    assert json.loads(listed)["games"][0]["rules"] == game["rules"]
    assert (
        "rules: 1 checked, 1 left to the players, 0 not yet supported, 3 not applicable"
        in run("list", decks).stdout
    )


def test_rules_of_play_are_used_by_examples_alone_even_when_those_are_run(small: Path) -> None:
    one_rule(small, "formula", "given: {枚数: 0}, value: 枚数 <= 7")
    cases = "- {name: 7枚, play: R-1, given: {枚数: 7}, claim: true}\n"
    cases += "- {name: 8枚, play: R-1, given: {枚数: 8}, claim: true, raises: [R-1]}\n"
    write(small, {"cases/play.yaml": cases})
    result = run("check", "-v", small, "--cases", "--lang", "ja")
    assert "例2件: 期待どおり2 · " in result.stdout
    assert "  R-1 決まり (例の中だけで使う)\n" in result.stdout


@pytest.mark.slow
def test_a_build_alone_leaves_the_rules_on_decks_and_rooms_with_nothing(tmp_path: Path) -> None:
    build = tmp_path / "mine.yaml"
    text = "game: embryo_machine\nname: b\nframe: {armour: 中, size: M, seats: 単座}\n"
    build.write_text(text + "mounted: {右腕: [ブレード]}\n", encoding="utf-8")
    found = json.loads(run("check", build, "--source", SOURCE, "--format", "json").stdout)
    idle = {rule["id"] for rule in found["games"][0]["nothing_to_check"]}
    assert {"EM-S7", "EM-D02", "EM-S2", "EM-S5", "EM-A01", "EM-P01"} <= idle
    assert not idle & {"EM-C01", "EM-C02", "EM-C03", "EM-C04", "EM-C05", "EM-C07", "EM-C08"}


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("rules.yaml", "kind: formula", "kind: formulas"),
        ("notes/rules.yaml", "id:", "ido:"),
        ("sheets/cards.yaml", "lay: cards", "lay: card"),
        ("cases/play.yaml", "play: WG-4", "play: WG-44"),
    ],
)
@pytest.mark.slow
def test_a_game_with_faults_in_its_files_is_not_called_ok(
    tmp_path: Path, file: str, old: str, new: str
) -> None:
    folder = Path(shutil.copytree(SOURCE / "wrath_of_god", tmp_path / "wrath_of_god"))
    text = (folder / file).read_text(encoding="utf-8")
    write(folder, {file: text.replace(old, new, 1)})
    result = run("check", folder, SOURCE / "macelandia", "--cases", "--lang", "en")
    assert result.exit_code == 1
    wrath, other = result.stdout.splitlines()[-2:]
    assert wrath.split()[:2] == ["wrath_of_god", "✗"]
    assert other.split()[:2] == ["macelandia", "ok"]


def opened(folder: Path, name: str, edits: dict[str, tuple[str, str]]) -> Project:
    game = Path(shutil.copytree(SOURCE / name, folder / name))
    for file, (old, new) in edits.items():
        change(game / file, old, new)
    return open_folder(game)


def found(one: Project) -> list[Problem]:
    assert one.problems == ()
    report = check(one)
    return [problem for problem in report.all_problems if problem.severity == "error"]


def test_a_row_of_no_copies_is_no_card_of_the_deck(tmp_path: Path) -> None:
    edits = {"decks/decks.csv": ("dark_16,D01,1", "dark_16,D01,0")}
    wrong = found(opened(tmp_path, "macelandia", edits))
    assert [problem.rule for problem in wrong] == ["ML-D14", "ML-D2"]


def test_a_replaced_weapon_that_is_still_marked_is_named(tmp_path: Path) -> None:
    edits = {
        "mechs/AG.yaml": ("頭: [スモールレーザー]", "頭: [ブレード]"),
        "decks/mechs.csv": ("AG,ランス,●,2", "AG,ランス,●,2,\nAG,ブレード,●,1"),
    }
    one = opened(tmp_path, "embryo_machine", edits)
    said = [problem for problem in found(one) if problem.rule == "EM-S7"]
    assert [problem.message for problem in said] == [
        "アルギュロス has 22 cards marked ●, but durability is 21; they must be equal. "
        "There are 12 weapons for 11 slots. Marked but not mounted: スモールレーザー×1."
    ]
    assert "移動" not in said[0].hint
    (ja,) = [problem for problem in found(one) if problem.rule == "EM-S7"]
    assert "11スロットに12枚。印があるのに積んでいません: スモールレーザー×1。" in ja.in_language(
        "ja"
    )


def test_a_deck_that_no_rule_looked_at_is_not_called_legal(tmp_path: Path) -> None:
    deck = tmp_path / "mine.yaml"
    deck.write_text("game: macelandia\nname: A\ncards: {L01: 30}\n", encoding="utf-8")
    result = run("check", deck, "--lang", "en")
    assert result.exit_code == 1
    assert "0 legal, 1 not judged" in result.output
    assert "the rules about decks are for light_13, dark_13" in result.output
