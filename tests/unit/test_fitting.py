"""What still fits on a build: as judging each build with one card more would say."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import shipped
from msgspec.structs import replace

from exporter.checking.opened import Opened
from exporter.model import Build
from exporter.problems import Severity
from exporter.rules.fitting import Fit, fitting, sorted_fits, why_not
from exporter.rules.judging import faults_of
from exporter.rules.regulations import choose_regulation
from exporter.rules.subjects import lay_out

SHIPPED = Path(__file__).parent.parent.parent / "source_data"


@cache
def opened() -> Opened:
    """The game with the rules that hold where nobody names a regulation."""
    found = shipped.opened()
    return replace(found, book=found.book.under(choose_regulation(found.book, "")))


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
    found, _ = faults_of(
        lay_out(opened().game, build, opened().book.placements), opened().book.rules.values()
    )
    return {rule.id for rule, fault in found if fault.severity is Severity.ERROR}


def named(fits: list[Fit]) -> dict[str, Fit]:
    return {fit.card.name: fit for fit in fits}


@pytest.mark.parametrize("build", [BUILD, EXCHANGED], ids=["plain", "with a card in exchange"])
def test_what_fits_is_what_a_whole_judgement_finds_nothing_new_in(build: Build) -> None:
    game, book = opened().game, opened().book
    before = errors(build)
    for fit in fitting(game, book, build, ("左腕", "右脚"))[::3]:
        for place in fit.places:
            there = (*build.mounted.get(place.part, ()), *(fit.card.id,) * place.copies)
            after = errors(replace(build, mounted={**build.mounted, place.part: there}))
            assert place.fits == (after <= before), (fit.card.name, place.part, after)
            if not place.fits:
                assert {rule.id for rule, _ in place.against} <= after


def test_cards_that_are_mounted_together_fit_together() -> None:
    fits = named(fitting(opened().game, opened().book, BUILD))
    assert {one.part: one.copies for one in fits["ミドルレーザー"].places if one.fits} == {
        "左腕": 2, "右脚": 2, "左脚": 2,
    }  # fmt: skip
    assert [one.part for one in fits["スモールレーザー"].places if one.fits] == [
        "左腕",
        "右脚",
        "左脚",
    ]


def test_why_a_card_fits_nowhere_is_told() -> None:
    game, book = opened().game, opened().book
    fits = named(fitting(game, book, BUILD, ("頭",)))
    assert set(why_not(fits["スモールレーザー"])) == {"EM-C03"}
    fits = named(fitting(game, book, BUILD, ("左腕",), boxes=("base",)))
    assert "EM-C08" in why_not(fits["ドリルランス"])
    assert set(why_not(fits["ランス"])) == {"EM-C07"}, "the boxes hold no third"


def test_what_fits_comes_first_and_is_sorted_by_fields() -> None:
    found = sorted_fits(fitting(opened().game, opened().book, BUILD, ("左腕",)), ("rank", "id"))
    assert [fit.fits for fit in found] == sorted((fit.fits for fit in found), reverse=True)
    ranks = [(fit.card.text("rank"), fit.card.id) for fit in found if fit.fits]
    assert ranks == sorted(ranks)
