"""The commands about rules as somebody meets them: files in, lines and exit codes out."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from commands import run

GAME = Path(__file__).parent.parent.parent / "source_data" / "embryo_machine"

RAIDER = """\
game: embryo_machine
name: レイダー
frame: {armour: 中, size: M, seats: 単座}
mounted:
  頭: []
  胴: [B22, B22]
  右腕: [ミドルレーザー, B02]
pilots: [{name: 甲, skills: [高速反応Ⅰ]}]
regulation: tournament
"""


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the game that a test may spoil."""
    return Path(shutil.copytree(GAME, tmp_path / "embryo_machine"))


def written(folder: Path, text: str, name: str = "a.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def edited(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.slow
def test_the_game_passes_and_counts_what_it_checks() -> None:
    result = run("check", GAME, "--lang", "en")
    assert result.exit_code == 0
    assert "42 printed loadouts: 42 legal" in result.stdout
    assert re.search(
        r"Rules: \d+ checked, \d+ left to the players, \d+ not yet supported", result.stdout
    )
    assert not re.search(r" (error|warning) ", result.stderr)


@pytest.mark.slow
def test_a_case_that_does_not_hold_is_an_error_in_its_place(copied: Path) -> None:
    before = run("check", copied, "--cases", "--lang", "en").stdout
    held = int(re.findall(r"(\d+) of \1 cases as expected", before)[0])
    play = copied / "cases" / "play.yaml"
    line = len(play.read_text(encoding="utf-8").splitlines()) + 1
    with play.open("a", encoding="utf-8") as file:
        file.write("- {name: 槍を頭に, about: [EM-C05], build: {frame: {armour: 中, size: M, "
                   "seats: 単座}, mounted: {頭: [ランス, ランス]}}}\n")  # fmt: skip
    result = run("check", copied, "--cases", "--lang", "en")
    assert result.exit_code == 1
    assert f"{held} of {held + 1} cases as expected" in result.stdout
    assert f"cases/play.yaml:{line}:10: error CASE The case '槍を頭に' should not break EM-C05" in (
        result.stderr
    )
    assert "'ランス' cannot be mounted on 'head'" in result.stderr


@pytest.mark.slow
def test_a_case_that_names_a_missing_card_is_an_error(copied: Path) -> None:
    play = copied / "cases" / "play.yaml"
    line = len(play.read_text(encoding="utf-8").splitlines()) + 1
    with play.open("a", encoding="utf-8") as file:
        file.write("- {name: a, build: {frame: {armour: 中, size: M, seats: 単座}, "
                   "mounted: {右腕: [シールト], 右足: []}}}\n"
                   "- {name: b, mech: AG, deck: [{card: Z1}]}\n"
                   "- {name: c, room: {boards: [ZZ], seats: []}}\n")  # fmt: skip
    result = run("check", copied, "--cases", "--lang", "en")
    found = re.findall(r"play\.yaml:(\d+):\d+: error SRC-REF .*?'(.*?)'", result.stderr)
    assert [(int(at) - line, name) for at, name in found] == [
        (0, "シールト"), (0, "右足"), (1, "Z1"), (2, "ZZ")
    ]  # fmt: skip


WRONG = "- {name: a, play: WG-4, given: {盤1: 5}, claim: false}\n"
UNREAD = "- {name: b, play: WG-44, given: {盤1: 5}, claim: true}\n"
UNASKED = "- {name: c, play: WG-2, given: {盤1: 5}, claim: true}\n"


@pytest.mark.parametrize(
    ("cases", "more", "said"),
    [
        (WRONG, 1, "{held} of {all} cases as expected · "),
        (UNREAD, 1, "{held} of {all} cases as expected, 1 not run · "),
        (WRONG + UNREAD + UNASKED, 3, "{held} of {all} cases as expected, 2 not run · "),
        (UNREAD + UNREAD, 2, "{held} of {all} cases as expected, 2 not run · "),
        ("- {name: [}\n", 0, "0 of 1 case as expected, 1 not run · "),
    ],
)
def test_cases_that_were_not_run_are_not_among_those_that_hold(
    tmp_path: Path, cases: str, more: int, said: str
) -> None:
    folder = Path(shutil.copytree(GAME.parent / "wrath_of_god", tmp_path / "wrath_of_god"))
    (file,) = (folder / "cases").iterdir()
    shipped = file.read_text(encoding="utf-8").count("\n- {name:")
    with file.open("a", encoding="utf-8") as stream:
        stream.write(cases)
    result = run("check", folder, "--cases", "--lang", "en")
    assert result.exit_code == 1
    assert said.format(held=shipped, all=shipped + more) in result.stdout, result.output
    assert "No case" not in result.stderr, "an unread case may have shown what seems to be missing"


def test_no_case_of_a_faulty_game_is_run_and_none_is_said_to_hold(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(GAME.parent / "wrath_of_god", tmp_path / "wrath_of_god"))
    edited(folder / "rules.yaml", "kind: formula", "kind: formulas")
    result = run("check", folder, "--cases", "--lang", "ja")
    assert result.exit_code == 1
    assert re.search(r"例(\d+)件: 期待どおり0・試せない\1 · ", result.stdout)
    (game,) = json.loads(run("check", folder, "--cases", "--format", "json").stdout)["games"]
    counts = game["cases"]
    assert (counts["held"], counts["not_run"]) == (0, counts["count"])


@pytest.mark.slow
def test_a_case_of_a_deck_is_judged_by_rules_of_decks_alone(copied: Path) -> None:
    edited(copied / "rules.yaml", "total: 192", "total: 193")
    result = run("check", copied, "--cases", "--lang", "en")
    assert result.exit_code == 1
    assert "should not break" not in result.stderr


@pytest.mark.slow
def test_a_checked_rule_that_no_case_shows_is_noticed(copied: Path) -> None:
    (copied / "cases" / "setup.yaml").unlink()
    (copied / "cases" / "decks.yaml").unlink()
    result = run("check", copied, "--cases", "--lang", "en")
    assert result.exit_code == 0
    assert "notice CASE No case breaks the rule EM-D02" in result.stderr
    assert "notice CASE No case breaks the rule EM-S" in result.stderr
    assert "notice CASE No case keeps the rule EM-S" in result.stderr


@pytest.mark.slow
def test_the_published_deck_is_found_wrong_and_both_single_repairs_are_named(copied: Path) -> None:
    edited(copied / "decks" / "mechs.csv", "ZB,バルカン,◆,1", "ZB,バルカン,●,1")
    result = run("check", copied, "--lang", "ja")
    assert result.exit_code == 1
    lines = [line for line in result.stderr.splitlines() if "エラー EM-S7" in line]
    found = sorted(
        re.findall(r"印(.)は(\d+)枚ですが、.*武装は(\d+)スロットに(\d+)枚", line)[0]
        for line in lines
    )
    assert found == [("◆", "21", "9", "8"), ("●", "23", "9", "10")]
    for line in lines:
        assert re.findall(r"([^\s。]+): ● → ◆", line) == ["バルカン", "ブレード"]
    assert {*re.findall("エラー (EM-\\S+)", result.stderr)} == {"EM-S7"}


@pytest.mark.slow
def test_a_build_is_told_its_figures_with_their_terms(tmp_path: Path) -> None:
    path = written(tmp_path, RAIDER)
    result = run("check", path, "-v", "--source", GAME.parent, "--lang", "ja")
    assert result.exit_code == 0
    assert "耐久値 21 = 移動値 5 + スロット 11 + プレート 3 + 突撃 1 + 照準 1" in result.stdout
    assert "tournament@3" in result.stdout


TEN = """\
game: embryo_machine
name: 乱
frame: {armour: 中, size: M, seats: 単座}
mounted:
  頭: [ランス]
  胴: [シールド, シールド, スモールレーザー]
  右腕: [マシンガン, ラソス]
  左腕: [追加装甲]
pilots: [{name: 甲, skills: [集中力, 集中力Ⅱ]}, {name: 乙, skills: []}]
waivers: [{rule: EM-C99, reason: よい}]
colour: red
"""


@pytest.mark.slow
def test_ten_faults_of_a_build_and_a_game_are_ten_problems_in_their_places(
    copied: Path, tmp_path: Path
) -> None:
    weapons = copied / "cards" / "weapons.csv"
    text = weapons.read_text(encoding="utf-8")
    weapons.write_text(re.sub(r"(B51,.*?,2,1,)2(,gifted)", r"\1二\2", text), encoding="utf-8")
    edited(copied / "rules.yaml", "kind: pilots\n", "kind: pilotes\n")
    edited(copied / "figures.yaml", "value: 機体イニシアチブ", "value: 機体イニシアチプ")
    build = written(tmp_path, TEN)
    result = run("check", copied, build, "--lang", "en")
    assert result.exit_code == 1
    found = re.findall(r"(?m)^(\S+?):(\d+):(\d+): error (\S+)", result.stderr)
    assert sorted((Path(f).name, int(line), int(c), rule) for f, line, c, rule in found) == [
        ("a.yaml", 5, 7, "EM-C05"),
        ("a.yaml", 6, 3, "EM-C03"),
        ("a.yaml", 7, 15, "SRC-REF"),
        ("a.yaml", 8, 8, "EM-C05"),
        ("a.yaml", 9, 34, "EM-P02"),
        ("a.yaml", 10, 18, "WAIVER"),
        ("a.yaml", 11, 1, "SRC-KEY"),
        ("figures.yaml", 25, 26, "EXPRESSION"),
        ("rules.yaml", 135, 11, "SRC-VALUE"),
        ("weapons.csv", 122, 44, "SRC-VALUE"),
    ], result.stderr


@pytest.mark.slow
def test_a_waiver_is_shown_with_its_reason(tmp_path: Path) -> None:
    text = RAIDER.replace("[B22, B22]", "[B22, B22, B21]")
    text += "waivers: [{rule: EM-C03, reason: 主催者の許可}]\n"
    result = run("check", written(tmp_path, text), "--source", GAME.parent, "--lang", "ja")
    assert result.exit_code == 0
    assert "免除 EM-C03: 主催者の許可" in result.stdout


@pytest.mark.slow
def test_a_waiver_without_a_reason_waives_nothing(tmp_path: Path) -> None:
    text = RAIDER.replace("[B22, B22]", "[B22, B22, B21]") + "waivers: [{rule: EM-C03}]\n"
    found = run("check", written(tmp_path, text), "--source", GAME.parent, "--lang", "ja").output
    assert "エラー EM-C03" in found
    assert "unreadable" not in found


@pytest.mark.slow
def test_an_unknown_date_is_reported_and_not_guessed() -> None:
    result = run("check", GAME, "--on", "2020-01-01", "--regulation", "open", "--lang", "en")
    assert "No version of 'open' was in force on 2020-01-01" in result.stderr
    result = run("check", GAME, "--on", "2020-01-01", "--regulation", "tournament")
    assert "tournament@3 has no date" in result.stderr
    result = run("check", GAME, "--on", "2026-12-01", "--regulation", "open", "--lang", "en")
    assert result.exit_code == 0
    assert "EM-E14" in result.stderr


@pytest.mark.slow
def test_boxes_that_are_not_owned_forbid_their_weapons(tmp_path: Path) -> None:
    path = written(tmp_path, RAIDER)
    result = run("check", path, "--source", GAME.parent, "--boxes", "base", "--lang", "en")
    assert result.exit_code == 1
    assert "'高速反応Ⅰ' comes in the box 'Gifted'" in result.stderr
    result = run("check", path, "--source", GAME.parent, "--boxes", "base,trone", "--lang", "en")
    assert "Did you mean 'throne'?" in result.stderr


@pytest.mark.slow
def test_a_page_is_one_file_without_network_and_escapes_what_it_shows(tmp_path: Path) -> None:
    path = written(tmp_path, RAIDER.replace("レイダー", "'<script>alert(1)</script>'"))
    page = tmp_path / "report.html"
    run("check", path, "--source", GAME.parent, "--report", page)
    text = page.read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)" in text
    assert "<script" not in text
    assert "http" not in text
    assert "durability 21" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("EM-C05",), "both_sets: true (assumed)"),
        (("アンカー",), "bombs: printed 1"),
        (("AG", "耐久値"), "durability 21 = movement 5"),
        (("耐久値",), "EM-F08"),
        (("スナイパーライフル", "ダメージ"), "distance"),
        (("EM-Q02",), "EM-R16"),
        (("EM-E12",), "'yellow' → 'orange'"),
        (("tournament",), "clauses whose text is not known"),
        (("IGUANA",), "not published"),
    ],
)
def test_explain(words: tuple[str, ...], said: str) -> None:
    result = run("explain", GAME, *words, "--lang", "en")
    assert result.exit_code == 0, result.stderr
    assert said in result.stdout


@pytest.mark.slow
def test_explain_names_the_nearest_of_what_it_does_not_know() -> None:
    result = run("explain", GAME, "耐久地")
    assert result.exit_code == 1
    assert "Did you mean '耐久値'?" in result.stderr


@pytest.mark.slow
def test_explain_does_not_take_one_loadout_for_another() -> None:
    result = run("explain", GAME, "AG:tpyo", "耐久値")
    assert result.exit_code == 1
    assert "Allowed: AG:basic, AG:kai." in result.stderr


def test_explain_says_what_keeps_a_file_from_being_explained(tmp_path: Path) -> None:
    result = run("explain", tmp_path / "none.yaml")
    assert "There is no file" in result.stderr
    nameless = written(tmp_path, RAIDER.replace("game: embryo_machine\n", ""))
    assert "a.yaml:1:1: error SRC-KEY The file does not say which game" in (
        run("explain", nameless).stderr
    )
    text = RAIDER.replace("game: embryo_machine", "game: [embryo_machine]")
    listed = written(tmp_path, text, "listed.yaml")
    assert "listed.yaml:1:7: error SRC-KEY The file does not say" in run("check", listed).stderr
    assert run("explain", GAME, nameless, "--source", GAME.parent).exit_code == 0


@pytest.mark.slow
def test_a_name_that_several_games_have_lists_them(copied: Path) -> None:
    twin = copied.parent / "twin"
    shutil.copytree(GAME, twin)
    edited(twin / "game.yaml", "id: embryo_machine", "id: twin")
    result = run("explain", "耐久値", "--source", copied.parent, "--lang", "en")
    assert result.exit_code == 1
    assert "'耐久値' is in several games: embryo_machine, twin." in result.stderr


@pytest.mark.slow
def test_suggest_moves_before_it_removes(tmp_path: Path) -> None:
    text = RAIDER.replace("[B22, B22]", "[B22, B22, B21]")
    result = run("suggest", written(tmp_path, text), "--source", GAME.parent, "--lang", "en")
    assert result.exit_code == 0
    assert "legal after 1 change." in result.stdout
    assert "move シールド from body" in result.stdout


@pytest.mark.slow
def test_suggest_calls_nothing_legal_that_check_does_not(tmp_path: Path) -> None:
    path = written(tmp_path, RAIDER + "waivers: [{rule: EM-C99, reason: よい}]\n")
    assert "1 fault\n" in run("check", path, "--source", GAME.parent, "--lang", "en").stdout
    result = run("suggest", path, "--source", GAME.parent, "--lang", "en")
    assert result.exit_code == 1
    assert "legal" not in result.stdout.splitlines()[0].replace("makes it legal", "")
    assert "There is no rule 'EM-C99' to waive." in result.stdout
    result = run("suggest", path, "--source", GAME.parent, "--format", "json")
    (values,) = json.loads(result.stdout)["suggestions"]
    assert (values["legal"], values["problems"][0]["rule"]) == (False, "WAIVER")


HEAD = "game: embryo_machine\nname: b\nframe: {armour: 中, size: M, seats: 単座}\n"
LARGE_BUILDS = {
    "a huge name": "mounted: {右腕: [" + "B" * 100_000 + "]}",
    "thousands of cards": "mounted: {右腕: ["
    + ", ".join(["B05", "A61", "A80", "B08", "A81", "B02"] * 1000)
    + "]}",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE_BUILDS)
def test_builds_of_any_size_are_problems_of_a_readable_length(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, HEAD + LARGE_BUILDS[name] + "\n")
    result = run("check", path, "--source", GAME.parent, "--lang", "en")
    assert result.exit_code == 1
    assert "a.yaml:" in result.stderr
    assert max(map(len, result.stderr.splitlines())) < 500


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        ("{armour: 中}", "機体タイプのサイズ・座席が書かれていません"),
        ("{armour: 中, size: M}", "機体タイプの座席が書かれていません"),
        ("{size: M, seats: 単座}", "機体タイプの装甲が書かれていません"),
    ],
)
def test_a_frame_that_leaves_something_out_is_told_what(
    tmp_path: Path, frame: str, said: str
) -> None:
    text = f"game: embryo_machine\nname: b\nframe: {frame}\n"
    result = run("check", written(tmp_path, text), "--source", GAME.parent, "--lang", "ja")
    assert (result.exit_code, "判定できません" in result.stdout) == (1, True)
    assert said in result.stderr
    assert "?" not in result.stderr
