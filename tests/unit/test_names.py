"""What people type is understood; what nobody can understand is answered with what is near."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import shipped
import yaml
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


TYPED: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parent / "typed_names.yaml").read_text(encoding="utf-8")
)


def rows(table: str) -> list[tuple[str, str, Any]]:
    """Rows of ``typed_names.yaml``: what it is about, what is typed, what is meant by it."""
    return [
        (about, typed, meant)
        for about, of_it in TYPED[table].items()
        for typed, meant in of_it.items()
    ]


IN_PIECES = [(sort, nfd(typed), name) for sort, typed, name in rows("in_pieces")]


@pytest.mark.parametrize(("sort", "typed", "name"), rows("understood") + IN_PIECES)
def test_what_a_player_types_is_understood(sort: str, typed: str, name: str) -> None:
    assert resolve_name(mechs(), sort, typed) == name


@pytest.mark.parametrize(("typed", "column"), TYPED["headings"].items())
def test_a_heading_in_japanese_is_understood(typed: str, column: str) -> None:
    columns = ("build", "part", "card", "copies", "pilot", "skill", "regulation", "game")
    own = name_index(mechs(), "key of a frame").things.values()
    assert headings(columns, own).matches(typed) == [column]


@pytest.mark.parametrize(("sort", "typed", "offered"), rows("hopeless"))
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


@pytest.mark.parametrize(("game", "typed", "name"), rows("partly_said"))
def test_a_name_is_found_where_a_part_of_it_is_written_as_it_is_said(
    game: str, typed: str, name: str
) -> None:
    found = shipped.printed(game)
    card = found.card(resolve_name(found, "card", typed))
    assert card is not None
    assert card.name == name


@pytest.mark.parametrize(("game", "typed", "name"), rows("half_said"))
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
