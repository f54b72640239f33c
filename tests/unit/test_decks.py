"""Decks of loadouts: the rows of decks/, and what follows from a loadout where there are none."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from commands import output_of
from msgspec.structs import replace
from pypdfium2 import PdfDocument
from small_game import change

from exporter.model import Game
from exporter.model.tabletop import CardStack
from exporter.rules.loadouts import with_decks
from exporter.rules.project import without_samples
from exporter.udonarium.read import read_zip
from exporter.udonarium.verify import verify_zip

SHEET = "id: cards\nname: cards\nlay: cards\ndecks: true\nbacks: none\ngrid: [1, 1]\n"
ROWS = "mech,card,mark,copies,note\nAA,Laser,●,2,\nAA,Sword,●◆,1,\n"
NONE = "mech,card,mark,copies,note\n"
ONLY_KAI = "mech,card,mark,copies,note\nAA,Sword,◆,1,\n"


def counted(game: Game) -> Counter[tuple[str, str, str]]:
    found: Counter[tuple[str, str, str]] = Counter()
    for row in game.decks:
        card = game.card(row.card)
        assert card is not None
        found[row.deck, card.id, row.mark] += row.copies
    return found


def test_what_follows_from_the_nine_mechs_loadouts_is_what_their_decks_hold(game: Game) -> None:
    printed = without_samples(game)  # the decks of samples are nowhere printed
    assert counted(with_decks(replace(printed, decks=()))) == counted(printed)
    assert with_decks(printed) is printed


def stacked(path: Path) -> list[tuple[str, list[str]]]:
    """The stacks of a room zip: their names and the names of their cards."""
    assert verify_zip(path.read_bytes()) == ()
    file = read_zip(path)
    pieces = file.room.pieces if file.room else file.loose
    stacks = (piece for piece in pieces if isinstance(piece, CardStack))
    return [(stack.name, [card.name for card in stack.cards]) for stack in stacks]


@pytest.mark.parametrize("rows", [ROWS, NONE, ONLY_KAI])
def test_a_room_seats_no_mech_without_its_deck(small: Path, rows: str) -> None:
    """Whether decks/ has its rows, or none, or only those of its other loadout."""
    (small / "decks" / "mechs.csv").write_text(rows, encoding="utf-8")
    output_of("build", "small", "--room", "table", "--mech", "red1=AA")
    assert stacked(Path("output/small/table.zip")) == [("Alpha", ["Laser", "Laser", "Sword"])]
    output_of("build", "small", "--room", "table", "--mech", "red1=AA:kai")
    assert stacked(Path("output/small/table.zip")) == [("Alpha", ["Sword"])]


def test_loose_mechs_pictures_and_sheets_have_the_deck_too(small: Path) -> None:
    """The same cards with the same marks as if they were written down."""
    (small / "sheets").mkdir()
    (small / "sheets" / "cards.yaml").write_text(SHEET, encoding="utf-8")
    pages, pictures = [], []
    for rows in (ROWS, NONE):
        (small / "decks" / "mechs.csv").write_text(rows, encoding="utf-8")
        output_of("build", "small", "--loose", "AA:kai")
        assert stacked(Path("output/small/loose/AA-kai.zip")) == [("Alpha", ["Sword"])]
        output_of("build", "small", "--images", "pictures")
        pictures.append({path.stem for path in Path("pictures/small/decks/AA").iterdir()})
        output_of("print", "small", "--only", "AA")
        pages.append(len(PdfDocument("output/small/cards.pdf")))
    assert pages == [3, 3]
    assert pictures == [{"W1-basic", "W2-basic-kai"}] * 2


def test_a_layout_may_name_a_deck_that_follows_from_loadouts(small: Path) -> None:
    (small / "decks" / "mechs.csv").unlink()
    layouts = small / "layouts.yaml"
    text = layouts.read_text(encoding="utf-8").replace("deck: true", "deck: AA")
    layouts.write_text(text, encoding="utf-8")
    output_of("build", "small", "--room", "table")
    assert stacked(Path("output/small/table.zip")) == [("Alpha", ["Laser", "Laser", "Sword"])]


def test_check_says_which_deck_follows_from_its_loadout(small: Path) -> None:
    assert "DECK-ROWS" not in output_of("check", "small", "--lang", "en")
    change(small / "decks" / "mechs.csv", "●◆", "●")
    told = output_of("check", "small", "--lang", "en")
    assert "mechs/AA.yaml" in told
    assert "notice DECK-ROWS decks/ has no rows for 'Alpha' (改), so its deck is derived" in told
    assert "「Alpha」（改）の行が decks/ にないため" in output_of("check", "small", "--lang", "ja")


def test_a_mech_without_any_rows_needs_none(small: Path) -> None:
    """A loadout is enough: its deck follows from it."""
    (small / "decks" / "mechs.csv").unlink()
    assert "DECK-ROWS" not in output_of("check", "small")


def test_a_game_that_lays_no_decks_is_told_nothing(small: Path) -> None:
    change(small / "decks" / "mechs.csv", "●◆", "●")
    layouts = small / "layouts.yaml"
    text = layouts.read_text(encoding="utf-8").replace("deck: true", "kind: weapon")
    layouts.write_text(text, encoding="utf-8")
    (small / "decks" / "mechs.csv").unlink()
    assert "DECK-ROWS" not in output_of("check", "small")
