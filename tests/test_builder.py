"""The commands of a builder, as people call them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from spreadsheet_files import xlsx

from exporter.cli.main import exporter

EXAMPLES = str(Path(__file__).parent.parent / "docs" / "examples")
BUILD = """\
game: embryo_machine
name: 私の機体
frame: {armour: 中, size: M, seats: 単座}
mounted:
  頭: [スモールレーザー]
  胴: [短距離ミサイル, 短距離ミサイル, シールド]
  右腕: [ランス, ランス]
"""


def run(*words: str) -> Result:
    return CliRunner().invoke(exporter, words)


@pytest.fixture
def mine(tmp_path: Path, shared_cache: None) -> str:
    path = tmp_path / "mine.yaml"
    path.write_text(BUILD, encoding="utf-8")
    return str(path)


@pytest.mark.slow
def test_a_line_is_taken_wherever_a_file_is(mine: str, tmp_path: Path) -> None:
    line = run("share", mine).stdout.strip()
    assert line.startswith("em:1.")
    of_file, of_line = (run("check", thing, "--lang", "ja") for thing in (mine, line))
    assert of_file.exit_code == of_line.exit_code == 1
    assert "EM-C03" in of_line.stderr
    assert "durability 21" in run("explain", line, "耐久値").stdout
    assert "move シールド" in run("suggest", line, "--lang", "en").stdout
    room = ("build", "embryo_machine", "--room", "duel", "--out", str(tmp_path / "out"))
    assert run(*room, "--mech", f"red1={line}").exit_code == 0


@pytest.mark.slow
def test_a_line_and_a_file_turn_into_each_other(mine: str, tmp_path: Path) -> None:
    line = run("share", mine).stdout.strip()
    again = tmp_path / "again.yaml"
    run("check", line, "--to", str(again))
    assert again.read_text(encoding="utf-8") == BUILD
    assert run("share", str(again)).stdout.strip() == line
    assert run("share", "embryo_machine", "アルギュロス：改").stdout.startswith("em:1.")


@pytest.mark.slow
def test_what_fits_is_told_by_part_with_reasons(mine: str) -> None:
    told = run("fits", mine, "左手", "--lang", "ja").stdout.splitlines()
    assert "153種のうち" in told[0]
    (lance,) = (line for line in told if " ランス " in line)
    assert "× 「ランス」が3枚あります（上限2枚）。" in lance
    wrong = run("fits", mine, "尻尾", "--lang", "ja")
    assert wrong.exit_code == 1
    assert "「尻尾」" in wrong.stderr or "'尻尾'" in wrong.stderr


OTHER = """\
game: embryo_machine
name: 相手
frame: {armour: 中, size: M, seats: 単座}
mounted: {右腕: [ランス, ランス], 左腕: [バルカン]}
"""


@pytest.mark.slow
def test_builds_at_one_table_may_need_more_cards_than_the_boxes_hold(
    mine: str, tmp_path: Path
) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(OTHER, encoding="utf-8")
    alone = run("check", mine, str(other), "--lang", "en")
    both = run("check", mine, str(other), "--together", "--lang", "en")
    assert "Together these builds" not in alone.stderr
    (told,) = (line for line in both.stderr.splitlines() if "Together these builds" in line)
    assert "EM-D02" in told
    assert "need 4 'ランス' (私の機体 2・相手 2), but your boxes have 2." in told


@pytest.mark.slow
def test_a_room_that_needs_more_cards_than_the_boxes_hold_says_so(tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(OTHER, encoding="utf-8")
    room = ("build", "embryo_machine", "--room", "duel", "--out", str(tmp_path / "out"))
    seated = run(*room, "--mech", f"red1={other}", "--mech", "blue1=AG", "--lang", "en")
    assert seated.exit_code == 0
    assert "need 4 'ランス'" in seated.stderr
    twice = run(*room, "--mech", "red1=AG", "--mech", "blue1=AG", "--lang", "en")
    assert "アルギュロス 2・アルギュロス 2" in twice.stderr


NOTED = """\
# 大会用
game: embryo_machine
name: 一号   # 仮の名
frame: {armour: 中, size: M, seats: 単座}
mounted:
  # 頭は軽く
  ヘッド: [スモールレーザー]
  胴: [短距離ミサイル, 短距離ミサイル, シールド]   # 重い
---
game: embryo_machine
name: 二号
frame: {armour: 中, size: M, seats: 複座}   # 二人まで
mounted: {右腕: [ランス, ランス]}
パイロット:   # 三人いる
  - {name: 甲, skills: [高速反応Ⅰ]}   # 主
  - name: 乙
    skills: [集中力Ⅰ]   # 副
  - {name: 丙}   # 見習い
"""


@pytest.mark.slow
def test_a_file_stays_and_what_is_mended_lies_beside(tmp_path: Path) -> None:
    path, mended = tmp_path / "mine.yaml", tmp_path / "mine_mended.yaml"
    path.write_text(NOTED, encoding="utf-8")
    told = run("suggest", str(path), "--write", "--lang", "ja")
    assert told.exit_code == 0
    assert "シールドを胴から右腕へ移す [EM-C03]" in told.stdout
    assert "または" in told.stdout
    assert "スロット 11→13" in told.stdout, "what another seat changes"
    assert told.stdout.endswith("mine_mended.yaml  2機\n")
    assert path.read_text(encoding="utf-8") == NOTED
    assert "  右腕: [シールド]\n" in mended.read_text(encoding="utf-8")
    assert "name: 二号\n" in mended.read_text(encoding="utf-8")
    assert "降ろすパイロットは選べます" in told.stdout
    written = mended.read_text(encoding="utf-8")
    assert [name for name in "甲乙丙" if f"name: {name}" in written] == ["甲", "乙"]
    assert run("check", str(mended), "--lang", "en").exit_code == 0


DECKED = """\
# 大会用
game: duel60
name: 火
decks:
  main:   # 主
    火の子: 4   # 初手
    火の竜: 5   # 切り札
    時の輪: 2   # 禁止された
    火の地: 49
  side: {水の子: 3, 火の玉: 4, 砂の盗賊: 9}   # 控え
"""


@pytest.mark.slow
def test_a_mended_deck_is_called_by_its_name(tmp_path: Path) -> None:
    path, mended = tmp_path / "deck.yaml", tmp_path / "deck_mended.yaml"
    path.write_text(DECKED, encoding="utf-8")
    told = run("suggest", str(path), "--source", EXAMPLES, "--write", "--lang", "ja")
    assert told.stdout.startswith("火: 8か所を変えると合法になります。")
    assert "メインデッキの「時の輪」1枚を「雷の矢」に替える" in told.stdout
    assert "サイドデッキから「砂の盗賊」を4枚外す" in told.stdout
    assert told.stdout.endswith("deck_mended.yaml  デッキ1個\n")
    assert "砂の盗賊: 4, 森の番人: 1" in mended.read_text(encoding="utf-8")
    again = ("suggest", str(mended), "--source", EXAMPLES, "--write", "--lang")
    assert run(*again, "ja").stdout.endswith("deck_mended.yaml  何も書き込んでいません\n")
    assert run(*again, "en").stdout.endswith("deck_mended.yaml  nothing was written\n")


PASTED = """\
game: duel60
// 仲間
4 火の子
火の竜 ×4
水の子 ４枚
5 火の玉 (SET) 12      // 主力
29 火の地
4枚 森の番人
6 雷の矢
4 旅の袋
合計 60枚

サイド
２枚 砂の盗賊  # 早い
１枚 時の輪
"""


DECK_TABLE = """\
ゲーム,名前,デッキ,カード,枚数
duel60,火,main,火の子,4枚
,,main,火の竜,５
,,main,火の地,51
,,side,砂の盗賊,3
duel60,水,main,時の輪,2
,,main,水の子,4
,,main,火の子,4
,,main,火の地,50
"""
BUILD_TABLE = """\
game;build;armour;size;seats;part;card;copies
embryo_machine;一号;中;M;単座;頭;スモールレーザー;
;;;;;胴;短距離ミサイル;2
;;;;;胴;シールド;1
embryo_machine;二号;中;M;単座;頭;ランス;1
;;;;;右腕;ランス;1
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("deck.txt", PASTED.encode()),
        ("decks.csv", DECK_TABLE.replace("\n", "\r\n").encode("cp932")),
        pytest.param("builds.csv", BUILD_TABLE.encode(), marks=pytest.mark.slow),
        ("decks.xlsx", xlsx([[*line.split(",")] for line in DECK_TABLE.splitlines()])),
    ],
)
def test_lists_and_tables_stay_and_what_is_mended_lies_beside(
    name: str, before: bytes, tmp_path: Path
) -> None:
    path, mended = tmp_path / name, tmp_path / f"{name.partition('.')[0]}_mended.yaml"
    path.write_bytes(before)
    suggest = ("suggest", str(path), "--source", EXAMPLES, "--write", "--lang", "en")
    assert f"{mended.name}  " in run(*suggest).stdout.splitlines()[-1]
    assert path.read_bytes() == before
    written = mended.read_bytes()
    legal = run("check", str(mended), "--source", EXAMPLES, "--lang", "en")
    assert legal.exit_code == 0, legal.stdout
    again = run(*suggest)
    assert (again.exit_code, mended.read_bytes()) == (1, written)
    assert f"{mended.name}, but that file exists already" in again.stderr


def test_nothing_of_a_table_is_written_where_a_row_could_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "decks.csv"
    path.write_text(DECK_TABLE.replace("水の子,4", "水の児,4"), encoding="utf-8")
    told = run("suggest", str(path), "--source", EXAMPLES, "--write", "--lang", "en")
    assert told.exit_code == 1
    assert "correct the file first." in told.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["decks.csv"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("thing", "said", "never"),
    [
        ("EM-R4 ます=2 地形=もり", ["EM-R4 1マス入るのに要る移動力: 3\n"], ""),
        (
            "em-r4 マス=2 地形＝forest 高さ=１",
            ["EM-R4 1マス入るのに要る移動力: 4\n", "高低差 +1", "公式ページ"],
            "official-page",
        ),
        ("EM-R4 地形=杜", ["forest (森)"], ""),
        ("ランス 距離=4", ["EM-A01 射程とダメージ: 外れ\n"], ""),
        ("EM-A01 card=スモールレーザー distance=2 照準=1", [": 3\n"], ""),
        ("EM-C03 マス=2", ["EM-C03には、状況を指定できません。"], ""),
        (
            "B02",
            [
                "合わせて2枚積む。部位は分けてもよい（EM-C06）",
                "箱「基本セット」に13枚（EM-C07・EM-D02）",
            ],
            "",
        ),
    ],
)
def test_a_situation_or_a_card_is_told_in_the_words_of_players(
    thing: str, said: list[str], never: str
) -> None:
    told = run("explain", "embryo_machine", *thing.split(), "--lang", "ja").output
    assert not [one for one in said if one not in told], told
    assert not never or never not in told


@pytest.mark.slow
@pytest.mark.parametrize("name", ["エムブリオマシン　ボードゲーム", "えむぶりおましん", "em"])
def test_a_game_goes_by_its_name_and_its_code(mine: str, name: str) -> None:
    path = Path(mine)
    text = path.read_text("utf-8")
    path.write_text(text.replace("game: embryo_machine", f"ゲーム: {name}"), "utf-8")
    assert run("explain", mine, "耐久値").exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("command", ["fits", "odds", "compare"])
def test_a_frame_that_there_is_not_is_told_where_it_stands(mine: str, command: str) -> None:
    """Without its frame a mech has no figures; nobody else is to be blamed for that."""
    path = Path(mine)
    path.write_text(BUILD.replace(", seats: 単座", ""), encoding="utf-8")
    told = run(command, "embryo_machine", mine, "--lang", "en")
    assert told.exit_code == 1
    assert "mine.yaml:3:8: error EM-C01 The frame needs its seats." in told.stderr
    assert told.stderr.endswith("1 error.\n")


def test_a_card_of_sets_is_told_into_which_parts_its_sets_go(mine: str) -> None:
    path = Path(mine)
    path.write_text(BUILD.replace("頭: [スモールレーザー]", "頭: [バーニア]"), encoding="utf-8")
    told = run("check", mine, "--lang", "en").stderr
    assert "EM-C05 'バーニア' cannot be mounted on 'head'" in told
    assert "Move it to body, right leg, left leg, or remove it." in told


@pytest.mark.parametrize("command", ["check", "suggest", "explain", "share"])
def test_a_game_that_is_none_is_told_at_its_place_in_the_file(command: str, tmp_path: Path) -> None:
    path = tmp_path / "deck.yaml"
    path.write_text("name: a\ngame: nope\ncards: {火の子: 4}\n", encoding="utf-8")
    told = run(command, str(path), "--lang", "ja").stderr
    assert f"{path}:2:7: エラー SRC-FILE ゲーム「nope」はありません。" in told
