"""Every printed deck of every game is a player's deck too: legal, laid and printed the same."""

from __future__ import annotations

import re
from contextlib import closing
from functools import cache
from pathlib import Path

import pypdfium2
import pytest
import shipped
from commands import run
from shipped import SOURCE

from exporter import RoomOrder, save_rooms
from exporter.loader.game_reader import read_game
from exporter.model import Game
from exporter.udonarium.marks import ORDER
from exporter.udonarium.read import open_to_edit

EXAMPLES = Path(__file__).parent.parent / "docs" / "examples"

GAMES = {
    path.parent.name: path.parent
    for source in (SOURCE, EXAMPLES)
    for path in sorted(source.glob("*/game.yaml"))
}


@cache
def game_of(name: str) -> Game:
    return read_game(GAMES[name]) if EXAMPLES in GAMES[name].parents else shipped.printed(name)


DECKS = [
    (name, deck)
    for name in GAMES
    for deck in dict.fromkeys(row.deck for row in game_of(name).decks)
    if game_of(name).takes_decks
]


def written(folder: Path, game: str, deck: str) -> Path:
    """The file that ``list`` makes of a printed deck."""
    source = GAMES[game].parent
    words = ("list", game, "--deck", deck, "--format", "yaml", "--source", source)
    result = run(*words, "--lang", "en")
    assert result.exit_code == 0, result.output
    path = folder / f"{deck}.yaml"
    path.write_text(result.output, encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize(("game", "deck"), DECKS)
def test_a_printed_deck_is_a_legal_file(
    game: str, deck: str, tmp_path: Path, shared_cache: None
) -> None:
    path = written(tmp_path, game, deck)
    result = run("check", path, "--source", GAMES[game].parent, "--lang", "en")
    assert result.exit_code == 0
    assert result.stderr == ""
    verdict, counts = result.stdout.splitlines()
    assert verdict.endswith("  legal")
    assert counts.startswith("1 deck: 1 legal · Rules: ")


def _seats(game: Game, deck: str) -> list[tuple[str, str]]:
    """A seat of each room that lays a printed deck: its layout names it, or a word of the seat."""
    found = {}
    for room in game.rooms.values():
        for seat in room.seats:
            layout = game.layouts.get(seat.layout)
            words = {**room.values, **seat.values}
            for item in layout.items if layout else ():
                name = item.cards.deck if item.cards else ""
                name = words.get(name[2:-1], "") if name.startswith("${") else name
                if name == deck:
                    found[room.id] = seat.id
    return list(found.items())


SEATED = [(game, deck) for game, deck in DECKS if _seats(game_of(game), deck)]


def test_the_decks_of_the_games_with_seats_for_them_are_laid() -> None:
    assert {game for game, _ in SEATED} == {"unmatched_vol1", "gimmick_lab", "duel60", "heroes"}


def without_order(path: Path) -> bytes:
    """A zip as it would be if its tables did not say to which order they were made."""
    contents = open_to_edit(path)
    assert contents.room is not None
    for table in contents.room.iter("game-table"):
        assert table.attrib.pop(ORDER)
    return contents.packed()


@pytest.mark.slow
@pytest.mark.parametrize(("game", "deck"), SEATED)
def test_a_room_with_the_file_is_that_with_the_printed_deck(
    game: str, deck: str, tmp_path: Path, shared_cache: None
) -> None:
    path = written(tmp_path, game, deck)
    for room, seat in _seats(game_of(game), deck):
        for name, mechs in (("own", {seat: str(path)}), ("printed", {})):
            order = RoomOrder(rooms=(room,), mechs=mechs)
            save_rooms(game, tmp_path / name, order, source=GAMES[game].parent)
        own, printed = (
            without_order(tmp_path / name / game / f"{room}.zip") for name in ("own", "printed")
        )
        assert own == printed, room


PRINTED = [
    (game, deck, sheet)
    for game, deck in DECKS
    for sheet in {"unmatched_vol1": ["decks"], "gimmick_lab": ["armies"], "duel60": ["cards"]}.get(
        game, ()
    )
]
"""The sheets that lay decks."""


def faces_on(path: Path, deck: str) -> list[str]:
    """The words on each page, without the name of the deck in its margin."""
    with closing(pypdfium2.PdfDocument(path)) as pdf:
        texts = [page.get_textpage().get_text_range() for page in pdf]
    return [re.sub(f"(表|裏) {deck}.*", "", text) for text in texts]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "deck", "sheet"), PRINTED)
def test_a_sheet_of_the_file_is_that_of_the_printed_deck(
    game: str, deck: str, sheet: str, tmp_path: Path, shared_cache: None
) -> None:
    path = written(tmp_path, game, deck)
    words = ("print", game, "--sheet", sheet, "--source", GAMES[game].parent, "--out")
    assert run(*words, tmp_path / "own", "--deck", path).exit_code == 0
    assert run(*words, tmp_path / "printed", "--only", deck).exit_code == 0
    own, printed = (
        faces_on(tmp_path / name / game / f"{sheet}.pdf", deck) for name in ("own", "printed")
    )
    assert own == printed
