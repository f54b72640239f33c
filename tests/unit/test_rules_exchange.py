"""Cards mounted in exchange for one card of a weapon, held against every choice there is."""

from __future__ import annotations

import csv
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path

import pytest
import shipped

from exporter.model import Build, Game
from exporter.rules.build_changes import BuildRepairs
from exporter.rules.errata import corrected
from exporter.rules.repair import mend
from exporter.rules.report.verdicts import CheckOptions, judge
from exporter.rules.rulebook import Rulebook, choose_regulation

SOURCE = Path(__file__).parent.parent.parent / "source_data" / "embryo_machine"
PARTS = ("頭", "胴", "右腕", "左腕", "右脚", "左脚")

Row = dict[str, str]
Mounted = list[tuple[str, str]]
"""Parts and names of weapons."""


@cache
def game_and_rules() -> tuple[Game, Rulebook]:
    opened = shipped.opened()
    return corrected(opened.game), opened.book.under(choose_regulation(opened.book, "construct"))


def rows(name: str) -> list[Row]:
    with (SOURCE / name).open(encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


@cache
def weapons() -> dict[str, Row]:
    found = {row["name"]: row for row in rows("cards/weapons.csv")}
    found["アンカー"]["bombs"] = ""  # the erratum EM-E01
    return found


@cache
def frames() -> dict[tuple[str, str], Row]:
    return {(row["armour"], row["size"]): row for row in rows("frames.csv")}


# ---- A second opinion, from the tables alone -----------------------------------------------------

FITS: dict[str, Callable[[str, Row], bool]] = {
    "ドリルミサイル弾薬": lambda name, row: "ミサイル" in name,
    "硫酸ロケット弾薬": lambda name, row: "ロケット" in name,
    "マーキングバレット弾薬": lambda name, row: int(row["bombs"] or 0) > 0,
    "圧縮エネルギー弾薬": lambda name, row: row["energy"] == "1",
}
AMMUNITION = list(FITS)


def lies_well(mount: str, here: Counter[str], frame: tuple[str, str, str]) -> bool:
    """The words at the bottom of a card, one by one."""
    armour, _, seats = frame
    arms, legs = here["右腕"] + here["左腕"], here["右脚"] + here["左脚"]
    everything = here.total()
    both_arms, both_legs = here["右腕"] == here["左腕"], here["右脚"] == here["左脚"]
    one_an_arm = everything == arms and here["右腕"] <= 1 and here["左腕"] <= 1
    return {
        "全部位": True,
        "頭": everything == here["頭"],
        "胴": everything == here["胴"],
        "腕": everything == arms,
        "脚": everything == legs,
        "腕・脚": everything == arms + legs,
        "頭×": here["頭"] == 0,
        "脚×": legs == 0,
        "腕各1": both_arms and everything == arms,
        "脚各1": both_legs and everything == legs,
        "胴2 or 脚各1": both_legs and here["胴"] % 2 == 0 and everything == legs + here["胴"],
        "頭1＆胴1": here["頭"] == here["胴"] and everything == 2 * here["頭"],
        "頭1＆胴2": 2 * here["頭"] == here["胴"] and everything == 3 * here["頭"],
        "頭1 or 胴1": max(here.values()) <= 1 and everything == here["頭"] + here["胴"],
        "胴1のみ": everything == here["胴"] <= 1,
        "腕各1まで": one_an_arm,
        "腕各1のみ（ロケットパンチ）": one_an_arm,
        "胴1＋全部位": here["胴"] >= 1,
        "腕＋全部位": arms >= 1,
        "軽装甲×＆全部位": armour != "軽",
        "軽装甲×＆胴1のみ": armour != "軽" and everything == here["胴"] <= 1,
        "複座ｘ＆胴": seats != "複座" and everything == here["胴"],
    }[mount]


def holds(mounted: Mounted, frame: tuple[str, str, str]) -> bool:
    """Slots, placement, needed together, copies in the boxes, one rocket punch an arm."""
    row, two_seats = frames()[frame[:2]], frame[2] == "複座"
    held = Counter(part for part, _ in mounted)
    binders = sum(name == "ダブルバインダー" for _, name in mounted)
    for part in PARTS:
        more = two_seats * (part in ("頭", "胴")) + 2 * binders * (part == "胴")
        if held[part] > int(row[part]) + more:
            return False
    punches = Counter(part for part, name in mounted if name.endswith("ロケットパンチ"))
    tubes = {part for part, name in mounted if name == "バレットチューブ"}
    for name in {name for _, name in mounted}:
        card, here = weapons()[name], Counter(part for part, other in mounted if other == name)
        together = [here.total()] if card["may_split"] or tubes & here.keys() else here.values()
        if min(together) < int(card["min_count"]) or here.total() > int(card["copies_in_box"]):
            return False
        if not lies_well(card["mount"], here, frame):
            return False
    return max(punches.values(), default=0) <= 1


def before_exchanges(mounted: Mounted) -> Iterator[Mounted]:
    """The build with a weapon in the place of each card of ammunition, in every possible way."""
    still_there = sorted({name for _, name in mounted} - {*AMMUNITION})
    choices = []
    for _, name in mounted:
        if name not in AMMUNITION:
            choices.append([name])
            continue
        fitting = [weapon for weapon in still_there if weapon in fitting_weapons(name)]
        welcome = "バレットブレード" in still_there and weapons()[name]["bombs"]
        choices.append(fitting + [name] * bool(welcome))
    for choice in product(*choices):
        yield [(part, name) for (part, _), name in zip(mounted, choice, strict=True)]


def is_legal(mounted: Mounted, frame: tuple[str, str, str]) -> bool:
    """Whether any way to put weapons back makes a legal build; ammunition has its own copies."""
    copies = Counter(name for _, name in mounted if name in AMMUNITION)
    enough = all(copies[name] <= int(weapons()[name]["copies_in_box"]) for name in copies)
    return enough and any(holds(before, frame) for before in before_exchanges(mounted))


@cache
def fitting_weapons(ammunition: str) -> list[str]:
    fits = FITS[ammunition]
    return [one for one, row in weapons().items() if one not in AMMUNITION and fits(one, row)]


class Mounting:
    """A build that is made up by chance, of the slots that are still free."""

    def __init__(self, chance: random.Random, armour: str, size: str) -> None:
        self.chance = chance
        self.free = [p for p in PARTS for _slot in range(int(frames()[armour, size][p]))]
        self.mounted: Mounted = []

    def mount(self, name: str, part: str) -> None:
        if self.chance.random() < 0.1:
            part = self.chance.choice(PARTS)
        if part in self.free or self.chance.random() < 0.03:
            self.mounted.append((part, name))
        if part in self.free:
            self.free.remove(part)

    def mount_ammunition(self, name: str) -> None:
        """It, beside a weapon that it fits or with copies of one, at times too few."""
        chance, fitting = self.chance, fitting_weapons(name)
        there = [(part, one) for part, one in self.mounted if one in fitting]
        part, weapon = chance.choice(PARTS[1:4] + PARTS[2:]), chance.choice(fitting)
        needed = int(weapons()[weapon]["min_count"])
        if there and chance.random() < 0.5:
            part, weapon = chance.choice(there)
        else:
            for _copy in range(chance.choice([needed - 1, needed - 1, needed, 1])):
                self.mount(weapon, part)
        self.mount(name, part)
        if chance.random() < 0.05:
            self.mount(name, part)


def random_build(chance: random.Random) -> tuple[Mounted, tuple[str, str, str]]:
    """Some ammunition with weapons that it fits, now whole, now short of a card, and some more."""
    armour, size = chance.choice([*frames()])
    frame = (armour, size, chance.choice(["単座", "複座"]))
    found = Mounting(chance, armour, size)
    for name in chance.sample(AMMUNITION, chance.choice([1, 1, 2, 2, 3, 4])):
        found.mount_ammunition(name)
    for name, likely in (("バレットチューブ", 0.15), ("バレットブレード", 0.15)):
        if chance.random() < likely:
            found.mount(name, chance.choice(PARTS))
    if chance.random() < 0.2:
        found.mount(chance.choice([*weapons()]), chance.choice(PARTS))
    return found.mounted, frame


def as_build(mounted: Mounted, frame: tuple[str, str, str]) -> Build:
    names = {part: tuple(name for where, name in mounted if where == part) for part in PARTS}
    return Build(
        name="b", frame=dict(zip(("armour", "size", "seats"), frame, strict=True)), mounted=names
    )


@pytest.mark.slow
def test_a_brute_force_over_all_exchanges_agrees_on_2000_builds_with_ammunition() -> None:
    game, book = game_and_rules()
    regulation = choose_regulation(shipped.opened().book, "construct")
    chance = random.Random(11)
    differences, legal = [], 0
    for _build in range(2000):
        mounted, frame = random_build(chance)
        verdict = judge(game, book, as_build(mounted, frame), regulation.id, CheckOptions())
        legal += verdict.legal is True
        if verdict.legal != is_legal(mounted, frame):
            differences.append((frame, mounted, [str(one) for one in verdict.problems]))
    assert not differences[:3]
    assert 400 < legal < 1600  # enough of both for the sample to mean something


@pytest.mark.slow
def test_what_is_suggested_for_builds_with_ammunition_is_legal_by_brute_force() -> None:
    game, book = game_and_rules()
    chance = random.Random(3)
    mended = 0
    while mended < 12:
        mounted, frame = random_build(chance)
        if len(mounted) <= 4 and not is_legal(mounted, frame):
            mending = mend(BuildRepairs(game, book, as_build(mounted, frame)))[0]
            names = mending.build.mounted.items()
            assert is_legal([(part, name) for part, held in names for name in held], frame)
            mended += 1


def test_a_build_short_of_one_card_beside_its_ammunition_is_mended_by_moving_that() -> None:
    game, book = game_and_rules()
    apart = [("右腕", "短距離ミサイル"), ("左腕", "ドリルミサイル弾薬")]
    mending = mend(BuildRepairs(game, book, as_build(apart, ("中", "M", "単座"))))[0]
    assert [change.action for change in mending.changes or ()] == ["move"]
