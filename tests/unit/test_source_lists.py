"""Players' decks: YAML, tables, plain text as it is pasted; each fault at its place."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from made_up_games import copied
from spreadsheet_files import TEXT, ods, xlsx

from exporter.app.games import open_folder
from exporter.core.problems import InvalidSource
from exporter.loader.game_reader import read_game
from exporter.loader.player_decks import game_of_text
from exporter.loader.player_files import named_game, read_builds, read_players_builds
from exporter.model import Build, Game
from exporter.rules.report.check_report import check
from exporter.rules.report.report_formats import report_lines
from exporter.rules.report.verdicts import CheckOptions


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return read_game(copied("duel", tmp_path))


def read(folder: Path, game: Game, text: str | bytes, name: str = "a.txt") -> Build:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    (entry,) = read_builds(path, game)
    return entry


def decks(build: Build) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for deck, rows in build.decks.items():
        counts = found.setdefault(deck, {})
        for row in rows:
            counts[row.card] = counts.get(row.card, 0) + row.copies
    return found


def problems(folder: Path, game: Game, text: str, name: str = "a.txt") -> list[str]:
    with pytest.raises(InvalidSource) as caught:
        read(folder, game, text, name)
    return [str(problem).replace(f"{folder}/", "") for problem in caught.value.problems]


EACH = {"main": {"U1": 4, "U2": 4}, "side": {"U3": 1}}

YAML = "game: duel\nname: 赤\ndecks: {メイン: {火の玉: 4, U2: 4}, side: {移動 7: 1}}\n"
ROWS: list[list[TEXT]] = [
    ["game", "name", "deck", "card", "copies"],
    ["duel", "赤", "", "火の玉", "4"],
    ["", "", "main", "水の玉", "3"],
    ["", "", "main", "水の玉", ""],
    ["", "", "控え", "U3", "1"],
]


@pytest.mark.parametrize("name", ["a.yaml", "a.csv", "a.tsv", "a.xlsx", "a.ods"])
def test_a_deck_is_the_same_in_every_form(tmp_path: Path, game: Game, name: str) -> None:
    made: dict[str, str | bytes] = {
        "a.yaml": YAML,
        "a.csv": "\n".join(",".join(map(str, row)) for row in ROWS),
        "a.tsv": "\n".join("\t".join(map(str, row)) for row in ROWS),
        "a.xlsx": xlsx(ROWS),
        "a.ods": ods(ROWS),
    }
    build = read(tmp_path, game, made[name], name)
    assert (build.name, decks(build)) == ("赤", EACH)


@pytest.mark.parametrize(
    "text",
    [
        "4 火の玉\n4 水の玉\nサイド\n1 移動 7",
        "// Mainboard\n4x 火の玉\n4 × 水の玉\n//Sideboard\n移動 7 x1",
        "#main\nU1\nU1\nU1\nU1\n水の玉 4枚\n!side\nU3",
        "なまえ：下手\n火の玉　４まい\n水の玉4\nさいど\n移動 7",
        "Deck\n4 火の玉 (XYZ) 12\n4枚 水の玉\n\nSideboard (1)\n・１枚　移動 7",
        "ユニット: 8\n4 火の玉 # 主力\n4 水の玉　※強い\n合計 8枚\n# 控え\n1 [U3]",
        "【デッキ１】\n火の玉 4枚\n④ 水の玉\nサイド\n1枚 移動 7",
        "deck: main\n火の玉\t4\n水の玉：4\n\n【サイドデッキ】\n移動 7　1",
        "4火の玉\n水の玉x4\nサイド\n移動 7ｘ１枚",
    ],
)
def test_plain_text_is_read_as_people_paste_it(tmp_path: Path, game: Game, text: str) -> None:
    assert decks(read(tmp_path, game, text)) == EACH


def test_a_text_without_a_name_is_called_as_its_file(tmp_path: Path, game: Game) -> None:
    assert read(tmp_path, game, "8 火の玉", "赤単.txt").name == "赤単"


def test_what_stands_on_top_of_a_text_is_understood_in_japanese(tmp_path: Path, game: Game) -> None:
    text = "ゲーム：duel\n名前: 赤単\n8 火の玉"
    assert read(tmp_path, game, text).name == "赤単"
    assert game_of_text(text) == "duel"


def test_a_name_that_fits_one_card_of_the_deck_means_that_one(tmp_path: Path, game: Game) -> None:
    assert decks(read(tmp_path, game, "8 竜")) == {"main": {"U4": 8}}
    (said,) = problems(tmp_path, game, "8 火の玉\nサイド\n1 竜")
    assert said == (
        "a.txt:3:3: error SRC-REF There are several cards called '竜': U4, T1. "
        "Write the id instead of the name."
    )


FAULTS = yaml.safe_load((Path(__file__).parent / "deck_faults.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "text", "said"), FAULTS)
def test_a_fault_is_told_once_with_its_place(
    tmp_path: Path, game: Game, name: str, text: str, said: str
) -> None:
    (found,) = problems(tmp_path, game, text, name)
    assert found.startswith(said)


def test_a_game_of_mechs_says_where_cards_are_to_be_written(
    tmp_path: Path, printed_game: Game
) -> None:
    text = "name: A\ncards: {ランス: 2}\n"
    (said,) = problems(tmp_path, printed_game, text, "a.yaml")
    assert "a.yaml:2:1: error SRC-KEY In 'embryo_machine', cards are mounted on a mech" in said
    assert said.endswith("`mounted:`.")


def test_decks_of_a_game_are_held_against_one_another(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "duel" / "game.yaml"
    text = path.read_text(encoding="utf-8")
    text = text.replace("size: [8, 10]", "size: [10, 8]").replace("beside: main", "beside: side")
    path.write_text(text, encoding="utf-8")
    said = [problem.message for problem in open_folder(path.parent).problems]
    assert said == [
        "size: found [10, 8]; the smaller number must come first.",
        "The deck 'side' cannot go beside 'side': that deck goes beside one too, or is the same.",
    ]


TWO = "name,card,copies\n赤,水の玉,8\n青,火の玉,8\n青,水の玉,8\n"


def legal(folder: Path) -> dict[str, bool | None]:
    """What a check says of each deck of a table, in the game of a folder as it is now."""
    path, opened = folder / "a.csv", open_folder(folder / "duel")
    entries, _ = read_players_builds(opened, path)
    report = check(opened, entries, CheckOptions(), own_data=False)
    return {verdict.build.name: verdict.legal for verdict in report.builds}


def test_a_wrong_name_in_one_deck_of_a_table_says_nothing_of_the_others(
    tmp_path: Path, game: Game
) -> None:
    (tmp_path / "a.csv").write_text(TWO.replace("火の玉", "火の王"), encoding="utf-8")
    assert legal(tmp_path) == {"赤": True, "青": None}


def test_a_deck_with_a_card_whose_own_row_cannot_be_read_is_not_called_legal(
    tmp_path: Path, game: Game
) -> None:
    (tmp_path / "a.csv").write_text(TWO.replace("火の玉", "移動 7"), encoding="utf-8")
    cards = tmp_path / "duel" / "cards" / "u.csv"
    cards.write_text(cards.read_text(encoding="utf-8").replace("移動 7,2", "移動 7,x"), "utf-8")
    assert legal(tmp_path) == {"赤": True, "青": None}


@pytest.mark.parametrize("line", ["水の玉 ×-1", "水の玉 -1枚", "水の玉-1"])
def test_copies_below_nothing_are_none(tmp_path: Path, game: Game, line: str) -> None:
    (told,) = problems(tmp_path, game, f"8 火の玉\n{line}\n")
    assert told.startswith("a.txt:2:1: ")


def test_a_quotation_mark_before_the_game_is_told_as_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('game,name,card\nheroes,"a,鏡\n,,鏡\n', encoding="utf-8")
    assert "quotation mark" in str(named_game(path))


HEROES = Path(__file__).parent.parent.parent / "docs" / "examples" / "heroes"


@pytest.mark.parametrize(
    ("name", "text", "where"),
    [
        ("a.txt", "game: heroes\n\n火の術 3\n鏡 3\n", "a.txt:3:1"),
        ("a.txt", "game: heroes\n\n魔女デキ\n火の術 3\n鏡 3\n", "a.txt:3:1"),
        ("a.csv", "game,name,card,copies\nheroes,a,火の術,3\n,,鏡,3\n", "a.csv:2:10"),
        ("a.yaml", "game: heroes\nname: a\ndekc: witch\ncards: {鏡: 3, 火の術: 3}\n", "a.yaml:3:1"),
    ],
)
def test_a_deck_that_is_not_named_or_misspelt_is_told_once(
    tmp_path: Path, name: str, text: str, where: str
) -> None:
    (told,) = problems(tmp_path, read_game(HEROES), text, name)
    assert told.startswith(f"{where}: ")


def test_people_group_their_cards_by_words_of_fields(tmp_path: Path) -> None:
    duel60 = read_game(Path(__file__).parent.parent.parent / "docs" / "examples" / "duel60")
    text = "■仲間 (6枚)\n火の子 4\n水の子 2\n【術】\n火の玉 4\n地:\n火の地 50\n"
    assert decks(read(tmp_path, duel60, text)) == {
        "main": {"A01": 4, "A03": 2, "A11": 4, "A31": 50}
    }
    (told,) = problems(tmp_path, duel60, text + "地 4\n")
    assert "a.txt:8:1" in told, "that could be four copies of something"


def test_a_row_that_ends_before_its_card_is_told(tmp_path: Path, game: Game) -> None:
    text = "game\tname\tdeck\tcard\tcopies\nduel\ta\tmain\t火の玉\t4\nduel\n"
    told = problems(tmp_path, game, text, "a.tsv")  # and no traceback
    assert any("a.tsv:3:" in one for one in told)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "game: duel\nname: A\ncards: {}\n"),
        ("a.yaml", "game: duel\nname: A\ncards:\n"),
        ("a.yaml", "game: duel\nname: A\n"),
        ("a.yaml", "game: duel\nname: A\ndeck: side\n"),
        ("a.yaml", "game: duel\nname: A\ndecks: {main: {}, side: {}}\n"),
        ("A.txt", ""),
        ("a.txt", "// nothing\nname: A\n"),
    ],
)
def test_an_empty_deck_is_a_deck_and_not_judged(
    tmp_path: Path, game: Game, name: str, text: str
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    opened = open_folder(tmp_path / "duel")
    entries, problems = read_players_builds(opened, path)
    report = check(opened, entries, CheckOptions(), own_data=False)
    (verdict,) = report.builds
    assert (verdict.build.name, verdict.legal, verdict.problems) == ("A", None, ())
    assert [reason.message for reason in verdict.reasons] == ["The deck 'A' has no cards."]
    assert report_lines(report, "en")[-1].startswith("1 deck: 0 legal, 1 not judged · ")
    at_a_terminal = report_lines(report, "en", verdicts_last=True)
    assert at_a_terminal[-1].endswith("  not judged")
    assert problems == []
    assert not report.passed


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("{火の玉: 4}", ["DECK-MAIN-SIZE"]),
        ("{火の玉: 4, 水の王: 1}", []),  # how many it is meant to be is not known either
        ("{火の玉: 4, 水の王: 4}", []),
        ("{火の玉: 4, 水の王: x}", []),
        ("{竜: 4, T1: 1, 水の王: 1}", ["DECK-MAIN-CARDS"]),
    ],
)
def test_beside_a_misspelt_card_none_is_called_missing(
    tmp_path: Path, game: Game, cards: str, told: list[str]
) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(f"game: duel\nname: A\ncards: {cards}\n", encoding="utf-8")
    opened = open_folder(tmp_path / "duel")
    entries, _ = read_players_builds(opened, path)
    (verdict,) = check(opened, entries, CheckOptions(), own_data=False).builds
    assert [problem.rule for problem in verdict.problems] == told
