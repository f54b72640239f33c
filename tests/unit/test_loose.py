"""What ``--loose`` brings to a running room, by whatever name it is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from small_game import change

from exporter.app.games import open_to_make
from exporter.app.room_files import loose_files, save_loose
from exporter.core.problems import InvalidSource
from exporter.model.tabletop import CardStack, TableCard

OUT = Path("output")
MECHS = Path(__file__).parents[2] / "source_data" / "embryo_machine"
STACK = (
    'name: "${mech}", face_down: true, draws_to: table, cards: {deck: true}}\n    - {lay: pawn',
    "name: 山, face_down: true, draws_to: table, cards: {deck: true}}\n    - {lay: pawn",
)
"""A change that calls the stack of a seat 山."""


def things(small: Path, wish: str) -> Iterable[Any]:
    ((_path, file),) = loose_files(open_to_make(small), [wish], OUT, {})
    content: Iterable[Any] = file.content
    return content


def brought(small: Path, wish: str) -> list[tuple[str, int]]:
    """Names, and how many cards each is or holds."""
    return [(thing.name, len(getattr(thing, "cards", (thing,)))) for thing in things(small, wish)]


def told(small: Path, wish: str) -> str:
    with pytest.raises(InvalidSource) as found:
        brought(small, wish)
    (problem,) = found.value.problems
    assert problem.rule == "LOOSE"
    return f"{problem.message} {problem.hint}"


@pytest.mark.slow
def test_a_mech_brings_the_tokens_that_its_cards_name() -> None:
    names = {thing.name for thing in things(MECHS, "AR") if isinstance(thing, CardStack)}
    assert names >= {
        "アラクネ 山札",
        "陸上機雷トークン（全20枚）",
        "陸上機雷ダミートークン（全20枚）",
    }
    mines = {thing.name for thing in things(MECHS, "AG") if "機雷" in thing.name}
    assert not mines


@pytest.mark.parametrize("wish", ["W1", "Laser"])
def test_a_card_comes_by_its_id_or_its_name(small: Path, wish: str) -> None:
    assert brought(small, wish) == [("Laser", 1)]


@pytest.mark.slow
def test_a_token_is_a_card_too() -> None:
    (token,) = things(MECHS, "陸上機雷トークン")
    assert isinstance(token, TableCard)
    assert not token.face_down


def test_a_printed_deck_comes_as_a_stack_that_says_how_to_shuffle_it(small: Path) -> None:
    text = "deck,card,mark,copies\nspare,Net,,3\nspare,Sword,,1\n"
    (small / "decks/more.csv").write_text(text, encoding="utf-8")
    (stack,) = things(small, "spare")
    assert (stack.name, [card.name for card in stack.cards]) == (
        "spare（全4枚）",
        ["Net", "Net", "Net", "Sword"],
    )
    assert all(card.face_down for card in stack.cards)
    assert "「シャッフル」→「すべて正位置にする」" in str(stack.detail)


def test_a_deck_and_a_card_of_one_name_come_together(small: Path) -> None:
    text = "deck,card,mark,copies\nNet,Net,,3\n"
    (small / "decks/more.csv").write_text(text, encoding="utf-8")
    assert brought(small, "Net") == [("Net", 1), ("Net（全3枚）", 3)]


def test_a_piece_of_a_room_comes_by_the_name_it_has_there(small: Path) -> None:
    change(small / "layouts.yaml", *STACK)
    (stack,) = things(small, "山")
    assert (stack.x, stack.y, len(stack.cards)) == (0, 0, 3)
    assert {(card.x, card.y) for card in stack.cards} == {(0, 0)}
    assert brought(small, "はじめに") == [("はじめに", 1)]


def test_where_rooms_differ_the_room_is_to_be_named(small: Path) -> None:
    text = (small / "rooms/table.yaml").read_text(encoding="utf-8")
    more = text.replace("id: table", "id: other").replace("variant: basic", "variant: kai")
    (small / "rooms/other.yaml").write_text(more, encoding="utf-8")
    change(small / "layouts.yaml", *STACK)
    assert told(small, "山") == (
        "'山' is not the same in the rooms other, table. Name the room too: --loose 'other/山'."
    )
    assert brought(small, "table/山") == [("山", 3)]
    assert brought(small, "other/山") == [("山", 1)]


def test_a_name_that_nothing_has_is_told_with_the_nearest(small: Path) -> None:
    assert told(small, "Lasr") == (
        "'small' has no mech, card, deck or piece 'Lasr'. Did you mean 'Laser'?"
    )


def test_every_wish_names_a_file_that_every_system_can_hold(small: Path) -> None:
    change(small / "layouts.yaml", "title: はじめに", "title: 'は/じ*め?に'")
    ((path, _file),) = loose_files(open_to_make(small), ["は/じ*め?に"], OUT, {})
    assert path == OUT / "small/loose/は-じ-め-に.zip"


def test_a_second_one_of_a_mech_goes_by_a_name_of_its_own() -> None:
    ((path, file),) = loose_files(open_to_make(MECHS), ["HO"], OUT, {}, "2号/機")
    content: Iterable[Any] = file.content
    names = {thing.name for thing in content}
    assert path == OUT / "embryo_machine" / "loose" / "2号-機.zip"
    assert names >= {"2号/機", "2号/機 山札", "2号/機 機体シート", "2号/機 向き（裏は戦闘不能）"}
    assert not [name for name in names if "フォルニッセ" in name]


def test_only_mechs_are_called_otherwise(small: Path) -> None:
    with pytest.raises(InvalidSource) as found:
        loose_files(open_to_make(small), ["W1"], OUT, {}, "もう1枚")
    (problem,) = found.value.problems
    assert problem.rule == "LOOSE"
    assert "'W1' is not a mech" in problem.message


@pytest.mark.slow
def test_a_heap_is_said_from_its_top_as_the_client_drops_it(tmp_path: Path) -> None:
    """The sheet is the largest: on top it would hide all that is to be taken off."""
    found = save_loose("embryo_machine", ["AG"], tmp_path)
    (line,) = (said.in_language("en") for said in found.remarks)
    assert line == (
        "Everything in AG.zip lands on the spot where you drop it. From the top: "
        "アルギュロス → 照準トークン（全9枚） → アルギュロス 向き（裏は戦闘不能） → "
        "アルギュロス 補助 → アルギュロス 山札 → アルギュロス 機体シート."
    )
    heap = [thing for thing in things(MECHS, "AG") if isinstance(thing, (CardStack, TableCard))]
    assert [thing.zindex for thing in heap] == sorted({thing.zindex for thing in heap})
    assert heap[0].name == "アルギュロス 機体シート"
