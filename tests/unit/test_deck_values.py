"""What decks/ says of cards beside their copies, in decks that players bring."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_up_games import copied

from exporter.app.games import open_folder
from exporter.app.listing import deck_text
from exporter.core.problems import InvalidSource
from exporter.loader.player_files import read_players_builds
from exporter.rules.loadouts import built_loadout
from exporter.rules.project import Project
from exporter.rules.report.check_report import check
from exporter.rules.report.suggesting import suggestions
from exporter.rules.report.verdicts import CheckOptions, Verdict
from exporter.rules.written_builds import build_text, write_line


@pytest.fixture
def opened(tmp_path: Path) -> Project:
    found = open_folder(copied("heroes", tmp_path))
    assert found.problems == ()
    return found


def judged(opened: Project, tmp_path: Path, text: str, name: str = "a.yaml") -> Verdict:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    entries, _ = read_players_builds(opened, path)
    return check(opened, entries, CheckOptions(), own_data=False).builds[0]


def against(verdict: Verdict) -> list[str]:
    return [f"{problem.rule} {problem.where.line}" for problem in verdict.problems]


HEAD = "game: heroes\nname: A\n"

VERDICTS = {
    "the printed deck's own values": ("deck: red\ncards: {F: 2, E: 1}", True, []),
    "they are added up": ("deck: red\ncards: {F: 3, E: 2}", False, ["R-2 4"]),
    "a card of the other deck alone": ("deck: red\ncards:\n  F: 2\n  G: 1", False, ["R-1 6"]),
    "all agree": ("cards: {E: 2, G: 1}", True, []),
    "decks differ": ("cards: {F: 2}", None, []),
    "what is sure is told": ("cards: {F: 4}", False, ["R-3 3"]),
    "the file says it": ("cards: {F: {copies: 2, boost: 2}}", True, []),
    "the file says too much": ("cards: {F: {枚数: 2枚, boost: 2}, E: 2}", False, ["R-2 3"]),
    "nobody prints that": ("cards: {F: {copies: 2, boost: 4}}", None, []),
    "red prints another": ("deck: red\ncards: {F: {copies: 2, boost: 2}}", None, []),
    "no field of decks": ("cards: {F: {copies: 2, name: 2}}", None, []),
    "in no printed deck": ("cards: {N: 2}", True, []),
}


@pytest.mark.parametrize("case", VERDICTS)
def test_values_are_as_the_printed_decks_have_them(
    opened: Project, tmp_path: Path, case: str
) -> None:
    text, legal, problems = VERDICTS[case]
    verdict = judged(opened, tmp_path, HEAD + text)
    assert (verdict.legal, against(verdict)) == (legal, problems)


def test_a_rule_that_cannot_be_judged_says_what_to_write(opened: Project, tmp_path: Path) -> None:
    verdict = judged(opened, tmp_path, HEAD + "cards: {F: 2}")
    (reason,) = verdict.reasons
    assert str(reason).replace(f"{tmp_path}/", "") == (
        "a.yaml:3:9: error DECK-VALUE The printed decks (red, blue) give '見せかけ' different "
        "values of boost (1 / 2), wild (true / false). "
        "This deck does not say which. Write your own values, such as F: {copies: 2, boost: 1, "
        "wild: true}; or write `deck:` with the name of the printed deck that it is: red, blue."
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "game,name,deck,card,copies,boost\nheroes,A,,F,2,2\n,,,E,1,\n"),
        ("a.tsv", "名前\tカード\t枚数\tboost\nA\t見せかけ\t2\t2\n\t剣\t1\t\n"),
    ],
)
def test_a_table_has_them_as_columns(opened: Project, tmp_path: Path, name: str, text: str) -> None:
    verdict = judged(opened, tmp_path, text, name)
    assert verdict.legal
    assert [str(total) for total in (verdict.totals or {}).values()] == [
        "力 7 = 見せかけ×2 4 + 剣 3"
    ]


def test_what_a_file_says_goes_along(opened: Project, tmp_path: Path) -> None:
    text = HEAD + "cards: {見せかけ: {copies: 2, boost: 2, wild: false}, 剣: 1}\n"
    path = tmp_path / "a.yaml"
    path.write_text(text, encoding="utf-8")
    ((entry,), _) = read_players_builds(opened, path)
    assert build_text(opened.game, entry) == text
    ((again,), problems) = read_players_builds(opened, Path(write_line(opened.game, entry)))
    assert (build_text(opened.game, again), problems) == (text, [])
    cards = built_loadout(opened.game, entry).deck
    assert [(one.card.get("boost"), one.card.get("hero")) for one in cards] == [
        (2, "全員"),
        (3, "赤"),
    ]


def test_a_suggestion_keeps_it(opened: Project, tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(HEAD + "cards: {F: {copies: 4, boost: 1}}", encoding="utf-8")
    entries, _ = read_players_builds(opened, path)
    (found,) = suggestions(opened, entries, CheckOptions())
    assert found.legal
    assert found.mending.build.decks[""][0].fields == {"boost": 1}


def test_a_card_is_not_drawn_without_them(opened: Project, tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(HEAD + "cards: {F: 2}", encoding="utf-8")
    ((entry,), _) = read_players_builds(opened, path)
    (drawn,) = built_loadout(opened.game, entry).deck
    with pytest.raises(InvalidSource, match="DECK-VALUE"):
        drawn.card.get("boost")


def test_a_printed_deck_of_a_kind_says_what_the_kind_does_not_tell(tmp_path: Path) -> None:
    folder = copied("heroes", tmp_path, ("rules.yaml", "[red]", "[main]"))
    with (folder / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("decks:\n  main: {name: 主, printed: [red, blue]}\n")
    assert deck_text("heroes", "red", source=tmp_path) == (
        "game: heroes\nname: red\ndeck: main\n"
        "cards: {見せかけ: {copies: 2, boost: 1, wild: true}, 剣: 1}\n"
    )
    opened = open_folder(folder)
    text = deck_text("heroes", "red", source=tmp_path).replace("main", "red")
    verdict = judged(opened, tmp_path, text)  # by the printed deck's name, too
    assert (verdict.legal, tuple(verdict.build.decks)) == (True, ("main",))


def test_a_blank_deck_of_a_table_is_the_first_where_the_game_names_none(
    opened: Project, tmp_path: Path
) -> None:
    text = "game,name,deck,card,copies\nheroes,A,red,F,2\n,,,G,1\n,B,blue,F,2\n,,,G,1\n"
    path = tmp_path / "a.csv"
    path.write_text(text, encoding="utf-8")
    entries, _ = read_players_builds(opened, path)
    assert [list(entry.decks) for entry in entries] == [["red"], ["blue"]]
    first = check(opened, entries, CheckOptions(), own_data=False).builds[0]
    assert against(first) == ["R-1 3"]


def test_a_verdict_shows_values_in_the_words_of_the_game(opened: Project, tmp_path: Path) -> None:
    (problem,) = judged(opened, tmp_path, HEAD + "deck: red\ncards: {F: 2, G: 1}").problems
    assert problem.in_language("ja").endswith(
        "R-1 規則「使える札」により、「一瞥（青）」はAに入れられません。外してください。"
    )
    assert "(" not in problem.in_language("ja")
