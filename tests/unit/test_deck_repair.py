"""What to change in a deck: the fewest cards, held against all that could be changed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from made_up_games import copied
from msgspec.structs import replace

from exporter.app.games import open_folder
from exporter.core.problems import Severity
from exporter.loader.player_files import read_players_builds
from exporter.model import Build, DeckEntry, Game
from exporter.rules.deck_changes import DeckRepairs
from exporter.rules.project import Project
from exporter.rules.repair import Mending, mend
from exporter.rules.rulebook import Rulebook, apply_rules, choose_regulation
from exporter.rules.subjects import lay_out_brought


@pytest.fixture(scope="module")
def five(tmp_path_factory: pytest.TempPathFactory) -> Project:
    opened = open_folder(copied("five", tmp_path_factory.mktemp("games")))
    assert opened.problems == ()
    return opened


def mended(game: Game, book: Rulebook, build: Build) -> Mending:
    """The best way to mend decks."""
    return mend(DeckRepairs(game, book, build))[0]


Held = tuple[str, str]
"""The cards of the main deck and of the side deck, sorted, a letter each."""


def brought(held: Held) -> Build:
    decks = {
        deck: tuple(
            DeckEntry(deck=deck, card=card, mark="", copies=copies)
            for card, copies in Counter(cards).items()
        )
        for deck, cards in zip(("main", "side"), held, strict=True)
    }
    return Build(name="d", frame={}, mounted={}, decks=decks)


def test_what_nothing_mends_is_said_to_have_been_looked_through(five: Project) -> None:
    rules = five.book.having({"F-4": {"holds": "費用 < 0"}})
    (mending,) = mend(DeckRepairs(five.game, rules, brought(("AABB", ""))))
    assert mending.changes is None
    assert mending.searched_all


def told(mending: Mending) -> list[tuple[str, str, str, str]]:
    return [(one.action, one.what, one.target, one.why) for one in mending.changes or ()]


def test_several_ways_are_told_those_that_keep_more_and_what_is_alike_first(five: Project) -> None:
    ways = mend(DeckRepairs(five.game, five.book, brought(("AABBB", ""))))
    assert [told(one) for one in ways] == [
        [("exchange", "い", "え", "F-1")],
        [("exchange", "い", "う", "F-1")],
        [("take", "い", "", "F-1")],
    ]
    ways = mend(DeckRepairs(five.game, five.book, brought(("AAB", ""))))
    assert [told(one) for one in ways] == [
        [("put", "い", "main", "DECK-MAIN-SIZE")],
        [("put", "う", "main", "DECK-MAIN-SIZE")],
    ], "what is in the deck already comes first, and of one sort there are two"


EXAMPLES = Path(__file__).parent.parent.parent / "docs" / "examples"
GAMES = ("duel60", "army", "tricks", "heroes")


@cache
def example(name: str) -> tuple[Project, Build]:
    """One of the example games under its regulation, and a legal deck for it."""
    folder = EXAMPLES / name
    opened = open_folder(folder)
    (entry, *_), wrong = read_players_builds(opened, folder / "players" / "good.yaml")
    assert not opened.problems
    assert not wrong
    book = opened.book.under(choose_regulation(opened.book, ""))
    return replace(opened, book=book), entry


Cards = Mapping[str, Counter[str]]
"""Copies of cards by deck."""


def cards_of(build: Build) -> Cards:
    found: dict[str, Counter[str]] = {deck: Counter() for deck in build.decks}
    for deck, rows in build.decks.items():
        for row in rows:
            found[deck][row.card] += row.copies
    return found


def with_cards(build: Build, held: Cards) -> Build:
    decks = {
        deck: tuple(
            DeckEntry(deck=deck, card=card, mark="", copies=copies)
            for card, copies in cards.items()
        )
        for deck, cards in held.items()
    }
    return replace(build, decks=decks)


def is_legal(opened: Project, build: Build) -> bool:
    found, problems, _ = apply_rules(
        lay_out_brought(opened.game, build), opened.book.rules.values()
    )
    assert not problems
    return not any(fault.severity is Severity.ERROR for _, fault in found)


def spoilt(name: str, seed: int) -> tuple[Build, int]:
    """The legal deck with one to three cards taken out, put in or exchanged, and how many."""
    dice, (opened, build) = random.Random(seed), example(name)
    held, changes = dict(cards_of(build)), dice.choice([1, 1, 2, 2, 3])
    for _ in range(changes):
        deck = dice.choice(list(held))
        action = dice.choice(["take", "put", "exchange"])
        if action != "put" and held[deck]:
            held[deck] -= Counter([dice.choice(sorted(held[deck].elements()))])
        if action != "take":
            held[deck] += Counter([dice.choice(list(opened.game.cards))])
    return with_cards(build, held), changes


def one_change_away(opened: Project, build: Build) -> Iterator[tuple[Build, int]]:
    """All decks that differ in one card, and how many cards of the first each has lost."""
    held = cards_of(build)
    for deck, cards in held.items():
        for out in ["", *cards]:
            less = cards - Counter([out] if out else [])
            for into in ["", *opened.game.cards]:
                more = less + Counter([into] if into else [])
                if more != cards:
                    yield with_cards(build, {**held, deck: more}), bool(out)


def holds(name: str, seed: int) -> None:
    opened, _ = example(name)
    build, changes = spoilt(name, seed)
    mending = mended(opened.game, opened.book, build)
    assert is_legal(opened, mending.build)
    assert mending.changes is not None
    taken = sum(change.copies for change in mending.changes)
    assert taken <= changes, "what was spoilt by so many changes is mended by so many"
    if taken > 1:
        assert not any(is_legal(opened, one) for one, _ in one_change_away(opened, build))
    if taken == 1:
        each = (lost for one, lost in one_change_away(opened, build) if is_legal(opened, one))
        lost = sum((cards_of(build)[d] - cards_of(mending.build)[d]).total() for d in build.decks)
        assert lost == min(each)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_random_decks_of_the_examples_are_mended_by_the_fewest_changes(name: str) -> None:
    opened, _ = example(name)
    seeds = [one for one in range(100) if not is_legal(opened, spoilt(name, one)[0])][:25]
    assert len(seeds) == 25
    for seed in seeds:
        holds(name, seed)


@pytest.mark.slow
def test_a_host_of_two_sides_is_mended_by_leaving_the_smaller_one() -> None:
    opened, build = example("army")
    held = {"army": cards_of(build)["army"] - Counter(["H1"]) + Counter(["T3", "T3", "H3"])}
    mending = mended(opened.game, opened.book, with_cards(build, held))
    assert mending.changes is not None
    assert sum(change.copies for change in mending.changes) == 3


@cache
def too_much() -> tuple[Project, Build]:
    """A host that breaks nearly every rule at once."""
    opened, _ = example("army")
    (entry, *_), _ = read_players_builds(opened, EXAMPLES / "army" / "players" / "bad.yaml")
    return opened, entry


@pytest.mark.slow
def test_where_too_much_is_wrong_a_way_is_told_that_may_not_be_the_shortest() -> None:
    opened, build = too_much()
    mending = mended(opened.game, opened.book, build)
    assert is_legal(opened, mending.build)
    assert mending.changes
    assert not mending.searched_all
