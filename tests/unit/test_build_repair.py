"""Ways to mend a build: the fewest changes, more cards kept, and what players mind least."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache

import pytest
import shipped
from msgspec.structs import replace

from exporter.model import Build, Pilot
from exporter.rules.build_changes import BuildRepairs, changes_of, lost_cards
from exporter.rules.project import Project
from exporter.rules.repair import Judged, Mending, mend
from exporter.rules.rulebook import choose_regulation
from exporter.rules.subjects import FrameChoice


@cache
def opened() -> Project:
    """The game with the rules that hold where nobody names a regulation."""
    found = shipped.opened()
    return replace(found, book=found.book.under(choose_regulation(found.book, "")))


@cache
def repairs() -> BuildRepairs:
    return BuildRepairs(opened().game, opened().book, random_build(0))


def judged(build: Build) -> Judged:
    return repairs().judge(build)


def mendings(build: Build) -> list[Mending]:
    return mend(replace(repairs(), build=build))


def random_build(seed: int) -> Build:
    """A printed loadout with one to three cards moved, added, exchanged or left out."""
    dice, game = random.Random(seed), opened().game
    weapons = [card.name for card in game.cards.values() if card.kind == "weapon"]
    base = dice.choice([one for mech in game.mechs.values() for one in mech.loadouts.values()])
    mounted = {part: list(cards) for part, cards in base.mounted.items()}
    for _ in range(dice.choice([1, 1, 1, 2, 2, 3])):
        part = dice.choice([part for part, cards in mounted.items() if cards])
        slot = dice.randrange(len(mounted[part]))
        match dice.choice(["move", "add", "exchange", "leave out"]):
            case "move":
                mounted.setdefault(dice.choice(game.parts), []).append(mounted[part].pop(slot))
            case "add":
                mounted.setdefault(dice.choice(game.parts), []).append(dice.choice(weapons))
            case "exchange":
                mounted[part][slot] = dice.choice(weapons)
            case _:
                mounted[part].pop(slot)
    return replace(base, mounted={part: tuple(cards) for part, cards in mounted.items()}, places={})


def illegal(seeds: range) -> list[Build]:
    return [build for build in map(random_build, seeds) if judged(build).faults]


def changed(start: Judged) -> Mapping[object, Build]:
    """Every build that any single change of any fault leads to, by what tells builds apart."""
    each = (one.build for fault in start.faults for one in changes_of(start.subject, fault))
    known = (one for one in each if not FrameChoice(opened().game, one).unknown)
    return {repairs().key(one): one for one in known}


def by_one_change(build: Build) -> list[Build]:
    """Brute force: every legal build that is one change away."""
    return [one for one in changed(judged(build)).values() if not judged(one).faults]


def by_two_changes(build: Build) -> list[Build]:
    """Brute force: every legal build that is two changes away, whatever fault each is made for."""
    after_one = [judged(one) for one in changed(judged(build)).values()]
    twice: dict[object, Build] = {}
    for one in after_one:
        twice |= changed(one)
    return [one for one in twice.values() if not judged(one).faults]


def holds(build: Build) -> None:
    first, *others = mendings(build)
    legal = by_one_change(build)
    assert first.changes, "each of these can be mended"
    assert not judged(first.build).faults
    assert (len(first.changes) == 1) == bool(legal)
    if legal:
        assert lost_cards(build, first.build) == min(lost_cards(build, one) for one in legal)
    asked = replace(repairs(), build=build)
    ranks = [asked.rank(one.build, one.changes or ()) for one in (first, *others)]
    assert ranks == sorted(ranks)
    for one in others:
        assert not judged(one.build).faults


@pytest.mark.parametrize("seed", range(0, 24, 2))
def test_the_first_way_has_the_fewest_changes_and_keeps_the_most(seed: int) -> None:
    for build in illegal(range(seed, seed + 1)):
        holds(build)


def holds_of_two(build: Build) -> None:
    """No answer of two changes loses more cards than it must, none of three could be of two."""
    first = mendings(build)[0]
    legal = by_two_changes(build)
    assert (len(first.changes or ()) == 2) == bool(legal)
    if legal:
        assert lost_cards(build, first.build) == min(lost_cards(build, one) for one in legal)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [103, 128, 367])
def test_the_first_way_of_two_changes_keeps_the_most_and_three_are_as_few_as_it_takes(
    seed: int,
) -> None:
    assert not by_one_change(random_build(seed))
    holds_of_two(random_build(seed))


MANY = 370
SHARDS = 10


@pytest.mark.slow
@pytest.mark.parametrize("shard", range(SHARDS))
def test_the_same_of_very_many_builds(shard: int) -> None:
    builds = illegal(range(100, 560))[:MANY][shard::SHARDS]
    assert len(builds) == MANY // SHARDS
    for build in builds:
        holds(build)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "changes", "lost"),
    [
        (220, 3, 3), (417, 3, 2), (271, 3, 0), (129, 3, 1), (432, 3, 0), (301, 3, 1), (207, 3, 1),
        (410, 3, 1), (483, 3, 2), (251, 4, 2), (370, 4, 3),
    ],
)  # fmt: skip
def test_ways_of_three_and_four_changes_are_found_that_keep_much(
    seed: int, changes: int, lost: int
) -> None:
    build = random_build(seed)
    first = mendings(build)[0]
    assert (len(first.changes or ()), lost_cards(build, first.build)) == (changes, lost)


def test_a_weapon_is_completed_by_ammunition_in_its_place() -> None:
    build = random_build(219)
    (change,) = mendings(build)[0].changes or ()
    assert (change.action, change.target) == ("replace", "圧縮エネルギー弾薬")


FRAME = {"armour": "中", "size": "M", "seats": "単座"}


def test_a_move_comes_before_a_change_of_the_seat_and_that_before_leaving_out() -> None:
    build = Build(
        name="b", frame=FRAME, mounted={"胴": ("短距離ミサイル", "短距離ミサイル", "シールド")}
    )
    found = [[change.action for change in one.changes or ()] for one in mendings(build)]
    assert found[0] == ["move"]
    assert found[-2:] == [["frame"], ["remove"]]


def test_two_cards_change_places_where_both_lie_wrong() -> None:
    build = Build(
        name="b",
        frame=FRAME,
        mounted={
            "頭": ("ランス",),
            "右腕": ("スモールレーザー", "ランス"),
            "左腕": ("マシンガン", "マシンガン"),
        },
    )
    first = mendings(build)[0]
    assert [change.action for change in first.changes or ()] == ["swap"]
    assert lost_cards(build, first.build) == 0


def test_each_pilot_that_may_leave_is_a_way_of_its_own() -> None:
    pilots = (Pilot(name="甲", skills=("K01",)), Pilot(name="乙", skills=("K03",)))
    build = Build(name="b", frame=FRAME, mounted={"頭": ("スモールレーザー",)}, pilots=pilots)
    left = {
        change.what
        for one in mendings(build)
        for change in one.changes or ()
        if change.action == "remove-pilot"
    }
    assert left == {"甲", "乙"}


def test_a_legal_build_needs_nothing() -> None:
    build = Build(name="b", frame=FRAME, mounted={"頭": ("スモールレーザー",)})
    (only,) = mendings(build)
    assert only.changes == ()


def test_where_no_way_is_found_in_time_that_is_said() -> None:
    pilots = tuple(Pilot(name=name) for name in "甲乙丙")
    crowded = Build(name="b", frame=FRAME, mounted={"頭": ("スモールレーザー",)}, pilots=pilots)
    (only,) = mend(replace(repairs(), build=crowded, most_judged=1))
    assert (only.changes, only.searched_all) == (None, False)
