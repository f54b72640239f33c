"""The example games of docs/rules.md: they build, and tell good decks from bad ones in any form."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import output_of, run

from exporter import RoomOrder, check, save_rooms
from exporter.core.problems import Problem, Severity

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parent.parent / "docs" / "examples"

BAD = {
    "duel60": {
        "DECK-MAIN-SIZE", "DECK-MAIN-CARDS", "DU-1", "DU-2", "DU-3", "DU-4", "DU-5",
    },
    "army": {"AR-1", "AR-2", "AR-4", "AR-5", "AR-6", "AR-7", "AR-8", "AR-9"},
    "mechs": {"ME-2", "ME-3", "ME-4", "ME-7"},
    "tricks": {"TR-1"},
    "heroes": {"DECK-WITCH-SIZE", "DECK-WITCH-CARDS", "HE-1", "HE-2", "HE-3"},
}  # fmt: skip
"""The rules that what is bad of each game breaks."""

FORMS = {game: ("yaml", "csv", "tsv" if game == "mechs" else "txt") for game in BAD}
EACH_FORM = [(game, form) for game, forms in FORMS.items() for form in forms]


def found(*things: Path | str) -> list[Problem]:
    result = check([str(thing) for thing in things], source=EXAMPLES)
    return [problem for problem in result.problems if problem.severity is Severity.ERROR]


@pytest.mark.parametrize("game", BAD)
def test_an_example_is_sound_and_its_cases_hold(game: str, shared_cache: None) -> None:
    result = check(game, source=EXAMPLES, with_cases=True)
    assert result.problems == ()


@pytest.mark.parametrize(("game", "form"), EACH_FORM)
def test_good_and_bad_decks_are_told_apart_in_every_form(
    game: str, form: str, shared_cache: None
) -> None:
    folder = EXAMPLES / game / "players"
    assert found(folder / f"good.{form}") == []
    assert {problem.rule for problem in found(folder / f"bad.{form}")} == BAD[game]


def test_a_deck_is_laid_in_its_seat_and_printed(tmp_path: Path, shared_cache: None) -> None:
    deck = EXAMPLES / "duel60" / "players" / "good.txt"
    order = RoomOrder(mechs={"p1": str(deck)})
    result = save_rooms("duel60", tmp_path, order, source=EXAMPLES)
    assert result.made[0].counts[0] == (60 + 60 + 6, "card")  # and the printed deck of the other
    output_of("print", "duel60", "--deck", deck, "--source", EXAMPLES, "--out", tmp_path)
    assert (tmp_path / "duel60" / "cards.pdf").stat().st_size > 10_000


def test_a_deck_that_a_seat_does_not_lay_is_refused(tmp_path: Path) -> None:
    words = ("build", "duel60", "--source", EXAMPLES, "--out", tmp_path, "--deck")
    result = run(*words, f"p3={EXAMPLES / 'duel60' / 'players' / 'good.yaml'}")
    assert (result.exit_code, "has a seat 'p3'" in result.output) == (1, True)
    result = run(*words, "p1=starter")
    assert (result.exit_code, "starter is not a deck file" in result.output) == (2, True)


def test_the_decks_of_a_game_are_listed_so_that_they_can_be_pasted(tmp_path: Path) -> None:
    text = output_of("list", "duel60", "--decks", "--source", EXAMPLES)
    assert text.startswith(
        "main  main deck · 60 cards\nside  side deck · 0–15 cards · used with main"
    )
    path = tmp_path / "starter.txt"
    path.write_text(text.partition("\n\n")[2], encoding="utf-8")
    assert found(path) == []
