"""Chances of a deck, exact; builds side by side, held against what `explain` says of each card."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache

import pytest

from exporter.app.queries import compare, explain, odds, open_game
from exporter.core.problems import InvalidSource
from exporter.rules.report.chances import chance_of, turns_through
from exporter.rules.report.comparing import Comparison


def test_chances_are_exact() -> None:
    assert chance_of([(1, 1)], 40, 5) == Fraction(1, 8)
    assert chance_of([(1, 4)], 60, 7) == 1 - Fraction(
        56 * 55 * 54 * 53 * 52 * 51 * 50, 60 * 59 * 58 * 57 * 56 * 55 * 54
    )
    assert chance_of([(1, 2)], 10, 10) == 1
    assert chance_of([(1, 2)], 10, 0) == 0
    assert chance_of([(1, 2)], 10, 99) == 1, "no more than all are drawn"


@pytest.mark.parametrize(
    ("cards", "hand", "turn", "turns"),
    [(19, 6, 6, 3), (18, 6, 6, 2), (5, 6, 1, 0), (5, 0, 0, None)],
)
def test_the_turn_in_which_the_deck_is_through(
    cards: int, hand: int, turn: int, turns: int | None
) -> None:
    assert turns_through(cards, hand, turn) == turns


@pytest.mark.slow
def test_the_game_says_how_many_are_drawn_of_which_cards() -> None:
    found = odds("AG", ("らんす", "移動1"), game="embryo_machine")
    assert (found.cards, found.hand, found.turn, found.turns) == (19, 6, 6, 4)
    assert [(one.name, one.copies) for one in found.odds] == [("ランス", 2), ("移動1", 1)]
    assert found.odds[0].by_draw[6] == chance_of([(1, 2)], 19, 6)
    assert found.together[6] == chance_of([(1, 2), (1, 1)], 19, 6)
    own = odds("AG", hand=3, turn=1, game="embryo_machine")
    assert (own.draws[:2], own.hands[:2], own.turns) == ([3, 4], [3, 1], 17)
    with pytest.raises(InvalidSource, match="not in the deck"):
        odds("AG", ("ヘルメット",), game="embryo_machine")


def test_where_a_hand_is_discarded_chances_are_those_of_a_round_and_of_all_up_to_it() -> None:
    found = odds("AG", ("ランス",), game="embryo_machine")
    assert found.discards
    assert (found.hands, found.draws) == ([6, 6, 6, 6], [6, 12, 18, 19])
    (lance,) = found.odds
    assert [lance.by_draw[drawn] for drawn in found.hands] == [chance_of([(1, 2)], 19, 6)] * 4
    assert lance.by_draw[found.draws[-1]] == 1


def test_where_a_hand_is_kept_all_that_was_drawn_is_in_it() -> None:
    found = odds("medusa", hand=5, turn=2, game="unmatched_vol1")
    assert not found.discards
    assert found.hands == found.draws


def test_a_printed_deck_has_chances_where_somebody_says_how_many_are_drawn() -> None:
    with pytest.raises(InvalidSource, match="Give --hand"):
        odds("medusa", game="unmatched_vol1")
    found = odds("medusa", hand=5, turn=2, game="unmatched_vol1")
    assert found.cards > 20


# ---- builds side by side

GAME = "embryo_machine"


@cache
def found() -> Comparison:
    return compare(("AG", "HO:kai"), game=GAME, language="ja")


def explained(name: str) -> dict[str, dict[int, int]]:
    """A card's damage by situation and distance as `explain` prints it, by its best way."""
    try:
        (told,) = explain(name, "ダメージ", game=GAME, language="ja")
    except InvalidSource:
        return {}
    damage: dict[str, dict[int, int]] = {}
    for section in told.sections:
        heads = section.lines[0].split("\t")
        for line in section.lines[1:] if heads[0] == "距離（マス）" else ():
            distance, *cells = line.split("\t")
            for situation, cell in zip(heads[1:], cells, strict=False):
                of_one = damage.setdefault(situation, {})
                value = int(cell) if cell.isdecimal() else 0
                of_one[int(distance)] = max(of_one.get(int(distance), 0), value)
    return damage


@pytest.mark.slow
def test_damage_is_at_every_distance_the_sum_of_what_explain_says() -> None:
    loadouts = [
        open_game(GAME).game.mechs[code].loadouts[variant]
        for code, variant in (("AG", "basic"), ("HO", "kai"))
    ]
    for build, loadout in enumerate(loadouts):
        mounted = Counter(name for cards in loadout.mounted.values() for name in cards)
        tables = {name: explained(name) for name in mounted}
        for one in found().damage:
            for distance, total in enumerate(one.sums[build]):
                each = [
                    copies * tables[name].get(one.situation, {}).get(distance, 0)
                    for name, copies in mounted.items()
                ]
                assert total == sum(each), (build, one.situation, distance)


@pytest.mark.slow
def test_damage_is_told_with_and_without_aim() -> None:
    plain, aimed = found().damage
    assert (plain.situation, aimed.situation) == ("平地", "照準")
    assert (plain.sums[0][3], aimed.sums[0][3]) == (20, 25)
    assert plain.hits[0][3] == 7


@pytest.mark.slow
def test_figures_and_decks_stand_side_by_side() -> None:
    assert found().names == ("AG:basic アルギュロス", "HO:kai フォルニッセ")
    assert found().figures["移動値"] == (5, 7)
    assert found().decks["射撃"] == (7, 2)
    with pytest.raises(InvalidSource, match="no mech"):
        compare(("AG", "ガンタンク"), game=GAME)
