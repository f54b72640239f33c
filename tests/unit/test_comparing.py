"""Builds side by side, held against what `explain` says of each single card."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from exporter.app.queries import compare, explain, open_game
from exporter.core.problems import InvalidSource
from exporter.rules.report.comparing import Comparison

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
