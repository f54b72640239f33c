"""What people type is understood; what nobody can understand is answered with what is near."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

import pytest
import shipped
from hypothesis import given
from hypothesis import strategies as st

from exporter.core.names import Named, index, normalized, sound
from exporter.core.problems import COMMAND_LINE, ambiguous_name
from exporter.model import Game
from exporter.model.game_names import (
    headings,
    name_index,
    resolve_any,
    resolve_mech,
    resolve_name,
    unknown,
)


@cache
def mechs() -> Game:
    return shipped.printed()


def nfd(text: str) -> str:
    """As a Mac writes it into names of files, and programs into what was copied from them."""
    return unicodedata.normalize("NFD", text)


UNDERSTOOD = [
    # width and case
    ("card", "ﾗﾝｽ", "ランス"),
    ("card", "ｽﾓｰﾙﾚｰｻﾞｰ", "スモールレーザー"),
    ("card", "ﾊﾟｲﾙﾊﾞﾝｶｰ", "パイルバンカー"),
    ("card", "Ｂ１４", "B14"),
    ("card", "b14", "B14"),
    ("card", "ｂ０１", "B01"),
    ("mech", "ag", "AG"),
    ("mech", "ＡＧ", "AG"),
    ("mech", "ＬＯ", "LO"),
    ("board", "ａ", "A"),
    ("board", "j２", "J2"),
    ("seat", "ＲＥＤ１", "red1"),
    ("seat", "Blue2", "blue2"),
    # kana
    ("card", "らんす", "ランス"),
    ("card", "すもーるれーざー", "スモールレーザー"),
    ("card", "ろけっとぱんち", "ロケットパンチ"),
    ("card", "ばるかん", "バルカン"),
    ("card", "ホーミングれーざー", "ホーミングレーザー"),
    ("mech", "あるぎゅろす", "AG"),
    ("mech", "いぐあな練習機", "IGUANA"),
    # signs in two (NFD), drawn-out vowels
    ("card", nfd("バルカン"), "バルカン"),
    ("card", nfd("ガトリングガン"), "ガトリングガン"),
    ("card", nfd("ぱいるばんかー"), "パイルバンカー"),
    ("mech", nfd("ヴィスナー・グローム"), "BG"),
    ("card", "バ－ニア", "バーニア"),
    ("card", "バ-ニア", "バーニア"),
    ("card", "シ―ルド", "シールド"),
    # numerals
    ("card", "高速反応Ⅰ", "高速反応Ⅰ"),
    ("card", "高速反応I", "高速反応Ⅰ"),
    ("card", "高速反応１", "高速反応Ⅰ"),
    ("card", "高速反応1", "高速反応Ⅰ"),
    ("card", "高速反応 ii", "高速反応Ⅱ"),
    ("card", "ワイドレンジ：短距離ⅲ", "ワイドレンジ:短距離Ⅲ"),
    ("card", "ワイドレンジ:長距離③", "ワイドレンジ:長距離Ⅲ"),
    ("card", "移動３", "移動3"),
    ("mech", "1B3ヒストリクス2", "HY2"),
    ("mech", "１Ｂ３ヒストリクスＩＩ", "HY2"),
    # spaces and middle dots
    ("mech", "ヴィスナーグローム", "BG"),
    ("mech", "ルー ガルー", "LG"),
    ("mech", "ル－・ガル－", "LG"),
    ("mech", "リュミエール　デ　オラージュ", "LO"),
    ("mech", "ｽﾞｨﾏｰ･ﾌﾞｰﾘｱ", "ZB"),
    ("board", "連結路 小", "J1"),
    # nicknames and readings
    ("card", "短ミサ", "短距離ミサイル"),
    ("card", "たんきょりミサイル", "短距離ミサイル"),
    ("card", "ガト", "ガトリングガン"),
    ("card", "地雷", "陸上機雷"),
    ("card", "予備弾", "予備弾薬"),
    ("card", "フルバースト", "全弾発射"),
    ("card", "きょうせんし2", "狂戦士Ⅱ"),
    ("mech", "アルギュ", "AG"),
    # by sound, as `readings` of game.yaml has it
    ("card", "いどう3", "移動3"),
    ("card", "ｲﾄﾞｳ７", "移動7"),
    ("card", "いどうⅢ", "移動3"),
    ("card", "しょうじゅん", "照準"),
    ("card", "とつげき", "突撃"),
    ("card", "こうかんどきらい", "高感度機雷"),
    ("card", "かえんほうしゃき", "火炎放射器"),
    ("card", "ちょうきょりみさいる", "長距離ミサイル"),
    ("card", "ちょうきょりﾐｻｲﾙ", "長距離ミサイル"),
    ("card", "ぜんだんはっしゃ", "全弾発射"),
    ("card", "げんかいしゅつりょくⅡ", "限界出力Ⅱ"),
    ("card", "陸上きらい", "陸上機雷"),
    ("card", "追加そうこう", "追加装甲"),
    ("card", "光学めいさい", "光学迷彩"),
    ("card", "高速はんのう1", "高速反応Ⅰ"),
    # partly by sound, partly as it is written
    ("card", "きほん3", "移動3"),
    ("card", "基本3", "移動3"),
    ("card", "基3", "移動3"),
    ("card", "B1", "スモールレーザー"),
    ("card", "B14 ランス", "ランス"),
    ("card", "高速はんのう一", "高速反応Ⅰ"),
    ("card", "移動三", "移動3"),
    ("part", "右うで", "右腕"),
    ("board", "れんけつろ小", "J1"),
    ("figure", "たいきゅうち", "耐久値"),
    ("figure", "カイヒチ", "回避値"),
    ("figure", "耐久", "耐久値"),
    ("part", "どうたい", "胴"),
    ("part", "あたま", "頭"),
    ("part", "ﾎﾞﾃﾞｨ", "胴"),
    ("part", "右手", "右腕"),
    ("part", "Left Arm", "左腕"),
    ("variant", "改", "kai"),
    ("variant", "カイ", "kai"),
    ("edition", "玉座と辺境", "throne"),
    ("edition", "Base Set", "base"),
    ("board", "ravine", "A"),
    ("seat", "赤1", "red1"),
    ("frame with armour", "ちゅう", "中"),
    ("frame with size", "ｌｌ", "LL"),
    ("frame with seats", "二人乗り", "複座"),
    ("figure", "Durability", "耐久値"),
    ("room", "ＤＵＥＬ", "duel"),
]
HEADINGS = [
    ("機体", "build"), ("カード名", "card"), ("武装", "card"), ("部位", "part"),
    ("枚数", "copies"), ("ﾊﾟｲﾛｯﾄ", "pilot"), ("スキル", "skill"), ("レギュ", "regulation"),
    ("装甲", "armour"), ("サイズ", "size"), ("座席", "seats"), ("ＣＡＲＤ", "card"),
    ("ゲーム", "game"),
]  # fmt: skip


@pytest.mark.parametrize(("sort", "typed", "name"), UNDERSTOOD)
def test_what_a_player_types_is_understood(sort: str, typed: str, name: str) -> None:
    assert resolve_name(mechs(), sort, typed) == name


@pytest.mark.parametrize(("typed", "column"), HEADINGS)
def test_a_heading_in_japanese_is_understood(typed: str, column: str) -> None:
    columns = ("build", "part", "card", "copies", "pilot", "skill", "regulation", "game")
    own = name_index(mechs(), "key of a frame").things.values()
    assert headings(columns, own).matches(typed) == [column]


HOPELESS = [
    ("card", "ヴァルカン", ["バルカン"]),
    ("card", "シルド", ["シールド"]),
    ("card", "ランズ", ["ランス"]),
    ("card", "スモールレイザー", ["スモールレーザー"]),
    ("card", "ミサイル", ["短距離ミサイル", "長距離ミサイル"]),
    ("card", "はいるばんかー", ["パイルバンカー"]),
    ("card", "ガトリン", ["ガトリングガン", "ガトリングカノン"]),
    ("card", "高速反応", ["高速反応Ⅰ", "高速反応Ⅱ"]),
    ("card", "高速反応Ⅳ", ["高速反応Ⅰ", "高速反応Ⅱ"]),
    ("card", "短距離ミサイル改", ["短距離ミサイル"]),
    ("card", "B140", ["B14"]),
    ("card", "xyz", ["基01 移動1"]),
    ("card", "刀", ["基01 移動1"]),
    ("part", "腕", ["右腕", "左腕"]),
    ("part", "尻尾", ["頭", "左脚"]),
    ("mech", "ヴィスナ", ["ヴィスナー・グローム"]),
    ("mech", "ガンタンク", ["AG アルギュロス"]),
    ("board", "K", ["A", "J2"]),
    ("edition", "拡張", ["base", "gifted"]),
    ("frame with size", "XL", ["L", "LL"]),
    ("frame with armour", "超重", ["重"]),
]


@pytest.mark.parametrize(("sort", "typed", "offered"), HOPELESS)
def test_what_nobody_can_understand_is_answered_with_the_nearest_few(
    sort: str, typed: str, offered: list[str]
) -> None:
    assert resolve_name(mechs(), sort, typed) == typed
    problem = unknown(mechs(), sort, typed, COMMAND_LINE, "REF")
    assert all(name in problem.hint for name in offered), problem.hint
    assert problem.hint.count(",") <= 5, "a few, and not all there are"
    told = " ".join(problem.sentence.both("ja"))
    assert typed in told
    assert "はありません。" in told
    assert all(name in told for name in offered)
    assert any(word in told for word in ("もしかして", "近い", "使えるのは"))
    assert not re.search("[a-z]{4,} [a-z]", told), "all of it in Japanese"


def test_two_that_fit_equally_well_are_both_told() -> None:
    names = index([Named("A", ("剣",), ("けん",)), Named("B", ("拳",), ("けん",))])
    assert names.matches("ケン") == ["A", "B"]
    assert names.matches("剣") == ["A"]
    told = str(ambiguous_name(COMMAND_LINE, "REF", names, "けん"))
    assert "2 things equally well: A 剣, B 拳" in told
    assert index([Named("1"), Named("2", ("1",))]).matches("1") == ["1"], (
        "an id comes before a name"
    )
    assert index([Named("1", ("ア",)), Named("2", (), ("ア",))]).matches("あ") == ["1"]


def test_a_card_is_found_in_every_language_it_has() -> None:
    heroes = shipped.printed("unmatched_vol1")
    assert resolve_name(heroes, "card", "king  arthur") == "アーサー王"
    assert resolve_name(heroes, "card", "ＧａｚｅofStone") == "石の視線"


def test_a_mech_is_named_with_its_loadout_and_anything_by_its_name() -> None:
    assert resolve_mech(mechs(), "アルギュ：改") == "AG:kai"
    assert resolve_mech(mechs(), "ＡＧ改") == "AG:kai"
    assert resolve_mech(mechs(), "あるぎゅろすかい") == "AG:kai"
    assert resolve_mech(mechs(), "ガンタンク改") == "ガンタンク改"
    assert resolve_any(mechs(), "あるぎゅろす:改") == "AG:kai"
    assert resolve_any(mechs(), "らんす") == "ランス"
    assert resolve_any(mechs(), "nothing") == "nothing"


PARTLY_SAID = [
    ("cloudspire", "はたて", "旗手"),
    ("gimmick_lab", "やりへい", "槍兵"),
    ("gimmick_lab", "まるばつRPG", "○×RPG"),
    ("ice_cream_turret", "アイス一", "アイス1"),
    ("macelandia", "こっきし", "黒騎士"),
    ("mech_arena_2013", "ねるう゛ぁ", "ネルヴァ"),
    ("mech_arena_2013", "AC1", "ボディチェック"),
    ("unmatched_vol1", "2の矢", "二の矢"),
    ("unmatched_vol1", "私を食べて", "わたしを食べて"),
    ("unmatched_vol1", "遅刻だ！遅刻だ！", "遅刻だ遅刻だ"),
]


@pytest.mark.parametrize(("game", "typed", "name"), PARTLY_SAID)
def test_a_name_is_found_where_a_part_of_it_is_written_as_it_is_said(
    game: str, typed: str, name: str
) -> None:
    found = shipped.printed(game)
    card = found.card(resolve_name(found, "card", typed))
    assert card is not None
    assert card.name == name


HALF_SAID = [
    ("embryo_machine", "追加装こう", "追加装甲"),
    ("cloudspire", "槌へい", "槌兵"),
    ("gimmick_lab", "入れ替え", "入替"),
    ("macelandia", "黒きし", "黒騎士"),
    ("unmatched_vol1", "小ぜりあい", "小競り合い"),
]


@pytest.mark.parametrize(("game", "typed", "name"), HALF_SAID)
def test_a_name_that_is_half_written_as_it_is_said_is_offered(
    game: str, typed: str, name: str
) -> None:
    assert resolve_name(shipped.printed(game), "card", typed) == typed
    assert name in name_index(shipped.printed(game), "card").near(typed)


@pytest.mark.parametrize("typed", ["塔", "番人", "装甲", "RPG", "3", "移動", "gun", "B", "B014x"])
def test_half_a_name_is_not_taken_for_the_whole(typed: str) -> None:
    for game in ("embryo_machine", "cloudspire", "wrath_of_god", "gimmick_lab"):
        assert resolve_name(shipped.printed(game), "card", typed) == typed


_SIGNS = "アがヴァーッ-－・ 　１1ⅠIivX:Bb刀中゙"


@given(st.text(_SIGNS, max_size=12))
def test_folding_is_done_at_once(word: str) -> None:
    assert normalized(normalized(word)) == normalized(word)
    assert sound(normalized(word)) == sound(word)
    assert normalized(unicodedata.normalize("NFD", word)) == normalized(
        unicodedata.normalize("NFC", word)
    )


@pytest.mark.parametrize(
    "apart", [("バルカン", "ヴァルカン"), ("シルド", "シールド"), ("A1", "A11")]
)
def test_what_is_another_name_stays_one(apart: tuple[str, str]) -> None:
    assert normalized(apart[0]) != normalized(apart[1])
