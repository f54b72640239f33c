"""``deck_size``: how many cards a deck has."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from exporter.model import DeckEntry, Name, Variant
from exporter.problems import Problem, Where, told
from exporter.rules.kind import Deck, Fault, Rule, RuleKind
from exporter.rules.subjects import cards_of, unlike_mounted
from exporter.schema.references import Ref
from exporter.schema.shape import Whole, Word


class DeckSize(RuleKind[Deck]):
    """A deck has as many cards as a figure of its mech says, or as a number says; of several
    variants those count that carry its mark."""

    figure: Annotated[str, Ref("figure"), Meta(description="of the mech: how many")] = ""
    cards: Annotated[Whole | None, Meta(description="how many, instead of a figure")] = None
    decks: Annotated[
        list[Annotated[Word, Ref("deck")]], Meta(description="those it is about; by default all")
    ] = []

    examples = ("{figure: 枚数の合計}", "{cards: 13, decks: [light, dark]}")
    sentences = {
        "ja": {
            "deck-size": (
                "{deck}の印{mark}は{found}枚、{figure}は{value}。"
                "武装は{slots}スロットに{weapons}枚。{gap}",
                "{repairs}",
            ),
            "deck-number": ("{deck}は{found}枚。決まりでは{value}枚。", "枚数を直す。"),
        },
        "en": {
            "deck-size": (
                "{deck} has {found} cards marked {mark}, {figure} is {value}: "
                "{weapons} weapons in {slots} slots. {gap}",
                "{repairs}",
            ),
            "deck-number": (
                "{deck} has {found} cards; by the rules {value}.",
                "Correct the copies.",
            ),
        },
    }

    def looks(self, subject: Deck, rule: Rule) -> bool:
        return self._is_about(subject) and self._wanted(subject, subject.variant) is not None

    def faults(self, subject: Deck, rule: Rule) -> Iterator[Fault]:
        wanted, found = self._wanted(subject, subject.variant), len(subject.spots)
        if not self._is_about(subject) or wanted is None or found == wanted:
            return
        variant, bench = subject.variant, subject.bench
        if self.cards is not None or variant is None or bench is None:
            values: dict[str, object] = {"deck": subject.name, "found": found, "value": wanted}
            yield Fault(subject.where, "deck-number", values)
            return
        values = {
            "deck": subject.title,
            "mark": variant.mark,
            "found": found,
            "figure": self.figure,
            "value": wanted,
            "weapons": sum(not subject.is_basic(spot.card) for spot in subject.spots),
            "slots": sum(bench.slots.values()),
            "gap": _gap_text(subject, variant),
            "repairs": " / ".join(self._repairs(subject)),
        }
        yield Fault(subject.where, "deck-size", values)

    def wrong(self, at: Callable[..., Where]) -> Iterator[Problem]:
        if not self.figure and self.cards is None:
            sentence = "A deck_size without `figure` or `cards` checks nothing."
            yield told(at(), "SRC-KEY", sentence, "Add `cards: 30`.")

    def _is_about(self, deck: Deck) -> bool:
        return not self.decks or deck.id in self.decks

    def _wanted(self, deck: Deck, variant: Variant | None) -> int | None:
        """The size that a deck is to have, as far as it is known."""
        if self.cards is not None:
            return self.cards
        total = deck.benches[variant.id].totals.get(self.figure) if variant else None
        return total.value if total else None

    def _repairs(self, deck: Deck) -> Iterator[str]:
        """Every single change of a mark after which all variants have their size.

        Where the weapons are not those that are mounted, the basic cards are left alone.
        """
        marks = [variant.mark for variant in deck.game.variants.values()]
        choices = [*marks, "".join(marks)] if len(marks) > 1 else marks
        variants = [deck.game.variants[name] for name in deck.benches]
        only_weapons = any(any(unlike_mounted(deck, variant)) for variant in variants)
        for entry in deck.entries:
            card = deck.game.card(entry.card)
            if only_weapons and card is not None and deck.is_basic(card):
                continue
            for mark in choices:
                changed = replace(entry, mark=mark)
                fitting = (
                    self._wanted(deck, variant) == _size(deck, variant, entry, changed)
                    for variant in variants
                )
                if mark != entry.mark and all(fitting):
                    yield f"{entry.card}: {entry.mark} → {mark} ({entry.where})"


def _size(deck: Deck, variant: Variant, old: DeckEntry, new: DeckEntry) -> int:
    """The size in a variant, with one row changed."""
    rows = [new if row is old else row for row in deck.entries]
    return sum(row.copies for row, _ in cards_of(deck.game, rows, variant))


def _gap_text(deck: Deck, variant: Variant) -> Name:
    """What is marked and not mounted, and the other way round, as a sentence or two."""
    idle, bare = unlike_mounted(deck, variant)
    ja = [f"印があるのに積んでいない: {_counted(idle)}。"] if idle else []
    en = [f"Marked but not mounted: {_counted(idle)}."] if idle else []
    ja += [f"積んでいるのに印がない: {_counted(bare)}。"] if bare else []
    en += [f"Mounted but not marked: {_counted(bare)}."] if bare else []
    return Name("".join(ja), " ".join(en))


def _counted(cards: Counter[str]) -> str:
    return " ".join(f"{card}×{count}" for card, count in cards.items())
