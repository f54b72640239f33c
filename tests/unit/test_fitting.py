"""What still fits on a build: as judging each build with one card more would say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from random import Random

import pytest
import shipped
from msgspec.structs import replace

from exporter.core.problems import Severity
from exporter.model import Build, Card
from exporter.rules.project import Project
from exporter.rules.report.fits import Fit, all_fits, fit_order, mountable
from exporter.rules.rulebook import apply_rules, choose_regulation
from exporter.rules.subjects import lay_out


@cache
def opened() -> Project:
    """The game with the rules that hold where nobody names a regulation."""
    found = shipped.opened()
    return replace(found, book=found.book.under(choose_regulation(found.book, "")))


FRAMES = {
    "armour": ("軽", "中", "重"),
    "size": ("SS", "S", "M", "L", "LL"),
    "seats": ("単座", "複座"),
}
FRAME = {"armour": "中", "size": "M", "seats": "単座"}
BUILD = Build(
    name="b",
    frame=FRAME,
    mounted={
        "頭": ("スモールレーザー",),
        "胴": ("短距離ミサイル", "短距離ミサイル"),
        "右腕": ("ランス", "ランス"),
    },
)
EXCHANGED = Build(
    name="x",
    frame=FRAME,
    mounted={
        "胴": ("短距離ミサイル", "ドリルミサイル弾薬"),
        "右腕": ("ミドルレーザー",),
        "左腕": ("ミドルレーザー",),
    },
)


def errors(build: Build) -> set[str]:
    found, *_ = apply_rules(
        lay_out(opened().game, build, opened().book.placements), opened().book.rules.values()
    )
    return {rule.id for rule, fault in found if fault.severity is Severity.ERROR}


def named(fits: list[Fit]) -> dict[str, Fit]:
    return {fit.card.name: fit for fit in fits}


def places(fit: Fit) -> list[dict[str, int]]:
    return [dict(place.copies) for place in fit.places]


def with_more(build: Build, card: Card, copies: Mapping[str, int]) -> Build:
    now = {part: (*build.mounted.get(part, ()), *(card.id,) * n) for part, n in copies.items()}
    return replace(build, mounted={**build.mounted, **now})


def some_legal_builds(count: int) -> Iterator[tuple[Build, list[Card]]]:
    """Builds of any frame, from a few cards to full, each with some of the cards."""
    random, game = Random(30), opened().game
    cards = mountable(game, opened().book)
    for _ in range(count):
        frame = {key: random.choice(words) for key, words in FRAMES.items()}
        build, most = Build(name="b", frame=frame, mounted={}), random.choice((6, 9, 16))
        for _ in range(30):
            card, copies = random.choice(cards), random.choice((1, 2, 2, 3))
            more = with_more(build, card, Counter(random.choices(game.parts, k=copies)))
            if sum(map(len, more.mounted.values())) <= most and not errors(more):
                build = more
        yield build, random.sample(cards, 6)


def every_way(build: Build, card: Card) -> Iterator[dict[str, int]]:
    """Up to four copies in free slots, and in two more where the card itself may bring some."""
    game = opened().game
    slots = lay_out(game, build, opened().book.placements).slots
    more = 2 if card.get("modifies") else 0
    free = [slots[part] - len(build.mounted.get(part, ())) + more for part in game.parts]
    for counts in product(*(range(number + 1) for number in free)):
        if 0 < sum(counts) <= 4:
            yield {part: n for part, n in zip(game.parts, counts, strict=True) if n}


@pytest.mark.slow
def test_what_fits_is_what_trying_every_way_finds() -> None:
    game, book = opened().game, opened().book
    seen: Counter[str] = Counter()
    for build, cards in some_legal_builds(16):
        for fit in all_fits(game, book, build, cards=cards):
            about = fit.card.name, build
            broken = [
                (way, errors(with_more(build, fit.card, way))) for way in every_way(build, fit.card)
            ]
            good = [way for way, rules in broken if not rules]
            assert all(place in good for place in places(fit)), about
            assert set().union(*places(fit)) == set().union(*good), about
            if not good:
                reasons = {rule.id for rule, _ in fit.nearest.against}
                there = errors(with_more(build, fit.card, fit.nearest.copies))
                assert reasons, about
                assert reasons <= there, about
                assert not any(rules < reasons for _, rules in broken), about
            alone = any(len(place) == 1 for place in places(fit))
            seen["alone" if alone else "spread" if good else "nowhere"] += 1
    assert min(seen[one] for one in ("alone", "spread", "nowhere")) >= 3, seen


@pytest.mark.slow
@pytest.mark.parametrize("build", [BUILD, EXCHANGED], ids=["plain", "with a card in exchange"])
def test_what_fits_on_a_part_is_what_trying_every_way_with_it_finds(build: Build) -> None:
    for fit in all_fits(opened().game, opened().book, build, ("右脚",))[::5]:
        good = [
            way
            for way in every_way(build, fit.card)
            if "右脚" in way and not errors(with_more(build, fit.card, way))
        ]
        assert fit.fits == bool(good), fit.card.name
        assert all(place in good for place in places(fit))


@pytest.mark.slow
def test_what_is_broken_already_is_not_held_against_a_card() -> None:
    build = with_more(BUILD, opened().game.cards["B01"], {"頭": 1})
    assert errors(build) == {"EM-C03"}, "the head is too full"
    fits = named(all_fits(opened().game, opened().book, build))
    assert places(fits["ホイール"]) == [{"右脚": 1, "左脚": 1}]


@pytest.mark.slow
def test_cards_that_are_mounted_together_fit_together() -> None:
    fits = named(all_fits(opened().game, opened().book, BUILD))
    assert places(fits["ミドルレーザー"]) == [{"左腕": 2}, {"右脚": 2}, {"左脚": 2}]
    assert places(fits["スモールレーザー"]) == [{"左腕": 1}, {"右脚": 1}, {"左脚": 1}]


@pytest.mark.slow
def test_cards_of_several_parts_fit_over_them() -> None:
    game, book = opened().game, opened().book
    legs = [{"右脚": 1, "左脚": 1}]
    assert places(named(all_fits(game, book, BUILD))["ホイール"]) == legs
    assert places(named(all_fits(game, book, BUILD, ("右脚",)))["ホイール"]) == legs
    empty = replace(BUILD, mounted={})
    assert places(named(all_fits(game, book, empty))["ムーブセンサー"]) == [{"頭": 1, "胴": 1}]
    assert places(named(all_fits(game, book, empty))["バーニア"]) == [{"胴": 2}, *legs]


def test_a_card_that_brings_slots_fits_where_none_is_free() -> None:
    full = replace(BUILD, mounted={"胴": ("短距離ミサイル", "短距離ミサイル")})
    assert places(named(all_fits(opened().game, opened().book, full))["ダブルバインダー"]) == [
        {"胴": 1}
    ]


@pytest.mark.slow
def test_why_a_card_fits_nowhere_is_told() -> None:
    game, book = opened().game, opened().book
    fits = named(all_fits(game, book, BUILD, ("頭",)))
    assert set(fits["スモールレーザー"].why_not) == {"EM-C03"}
    assert set(fits["ヒートソード"].why_not) == {"EM-C03"}, "no copy more would help"
    assert set(fits["アクス"].why_not) == {"EM-C05"}, "an axe is no head's"
    fits = named(all_fits(game, book, BUILD, ("左腕",), boxes=("base",)))
    assert "EM-C08" in fits["ドリルランス"].why_not
    assert set(fits["ランス"].why_not) == {"EM-C07"}, "the boxes hold no third"


def test_what_fits_comes_first_and_is_sorted_by_fields() -> None:
    found = all_fits(opened().game, opened().book, BUILD, ("左腕",))
    found.sort(key=lambda fit: fit_order(fit, ("rank", "id")))
    assert [fit.fits for fit in found] == sorted((fit.fits for fit in found), reverse=True)
    ranks = [(fit.card.text("rank"), fit.card.id) for fit in found if fit.fits]
    assert ranks == sorted(ranks)
