"""``deck_size``: how many cards a deck has."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from typing import Annotated

from msgspec.structs import replace

from exporter.core.messages import (
    Joined,
    sentence,
)
from exporter.core.problems import (
    Problem,
    SourceLocation,
    problem_at,
)
from exporter.model import (
    DeckEntry,
    Variant,
)
from exporter.model.shape import (
    Doc,
    Ref,
    Whole,
)
from exporter.rules.deck_subjects import (
    cards_of,
    unlike_mounted,
)
from exporter.rules.kind import (
    AllowedNames,
    Deck,
    Expression,
    Fault,
    OfDecks,
    Rule,
)


class DeckSize(OfDecks[Deck]):
    """A deck has as many cards as a number says, or a figure of its mech or its own; or it has so
    many at least, or at most. Of several variants the cards count that carry its mark.

    ja: デッキの枚数が、数か、機体またはデッキの数値と同じ。または下限・上限のうちにある。基本と改
    があれば、その印のあるカードを数える。
    """

    figure: Annotated[str, Ref("figure"), Doc("says how many", "枚数を言う数値")] = ""
    cards: Annotated[Whole | None, Doc("how many, instead of a figure", "数値の代わりに、枚数")] = (
        None
    )
    least: Annotated[Whole | None, Doc("how many at least", "少なくとも何枚")] = None
    most: Annotated[Whole | None, Doc("how many at most", "多くても何枚")] = None
    weight: Annotated[
        Expression | None,
        Doc(
            "over a card's fields: as how many cards it counts, by default as one",
            "カードの欄についての式。何枚分に数えるか。なければ1枚分",
        ),
    ] = None

    examples = (
        "{figure: 枚数の合計}",
        "{cards: 13, decks: [light, dark]}",
        "{least: 40, most: 60}",
        "{most: 12, weight: slots, decks: [army]}",
    )
    sentences = {
        "ja": {
            "deck-size": (
                "{deck}の印{mark}は{found}枚、{figure}は{value}。"
                "武装は{slots}スロットに{weapons}枚。{gap}",
                "{repairs}",
            ),
            "deck-number": ("{deck}は{found}枚。決まりでは{value}枚。", "枚数を直してください。"),
            "deck-few": ("{deck}は{found}枚。{least}枚以上。", "{short}枚加えてください。"),
            "deck-many": ("{deck}は{found}枚。{most}枚まで。", "{over}枚を外してください。"),
            "deck-light": (
                "{deck}の{weight}は合わせて{found}。{least}以上。",
                "{short}加えてください。",
            ),
            "deck-heavy": (
                "{deck}の{weight}は合わせて{found}。{most}まで。",
                "{over}減らしてください。",
            ),
            "idle": "印があるのに積んでいません: {cards}。",
            "bare": "積んでいるのに印がありません: {cards}。",
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
            "deck-few": ("{deck} has {found} cards; {least} at least.", "Add {short}."),
            "deck-many": ("{deck} has {found} cards; {most} at most.", "Remove {over}."),
            "deck-light": (
                "The {weight} of {deck} come to {found}; {least} at least.",
                "Add {short}.",
            ),
            "deck-heavy": (
                "The {weight} of {deck} come to {found}; {most} at most.",
                "Save {over}.",
            ),
            "idle": "Marked but not mounted: {cards}.",
            "bare": "Mounted but not marked: {cards}.",
        },
    }

    def looks(self, subject: Deck, rule: Rule) -> bool:
        bounds = (self._wanted(subject, subject.variant), self.least, self.most)
        return any(bound is not None for bound in bounds)

    def faults(self, subject: Deck, rule: Rule) -> Iterator[Fault]:
        found, wanted = self._found(subject, rule), self._wanted(subject, subject.variant)
        if wanted is not None and found != wanted:
            yield self._unlike(subject, found, wanted)
        if self.least is not None or self.most is not None:
            yield from self._bounded(subject, found)

    def _bounded(self, subject: Deck, found: int) -> Iterator[Fault]:
        """Say that there are fewer cards than the least, or more than the most."""
        values: dict[str, object] = {"deck": subject.called, "found": found, "weight": self.weight}
        few, many = (
            ("deck-few", "deck-many") if self.weight is None else ("deck-light", "deck-heavy")
        )
        if self.least is not None and found < self.least:
            short = self.least - found
            values |= {"least": self.least, "short": short}
            off = short if self.weight is None else 1
            net = short if self.weight is None else 0
            yield Fault(subject.where, few, values, off=off, net=net, lack=True)
        if self.most is not None and found > self.most:
            over = found - self.most
            values |= {"most": self.most, "over": over}
            off = over if self.weight is None else 1
            yield Fault(
                subject.where,
                many,
                values,
                touches=subject.spots,
                off=off,
                net=-over if self.weight is None else 0,
                steadfast=True,
            )

    def _found(self, deck: Deck, rule: Rule) -> int:
        """Count how many cards there are, each by its weight."""
        if self.weight is None:
            return len(deck.spots)
        return deck.weight(deck.by_card.values(), self.weight, rule.where)

    def expressions(self, names: AllowedNames) -> Iterator[tuple[str, Collection[str] | None]]:
        if self.weight is not None:
            yield self.weight, names.of_pool_cards

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        if not self.figure and (self.cards, self.least, self.most) == (None, None, None):
            yield problem_at(at(), "SRC-KEY", "deck-size-without")

    def _unlike(self, deck: Deck, found: int, wanted: int) -> Fault:
        """Say that a deck has not the size that is wanted, with what would mend it in a mech's."""
        variant, bench = deck.variant, deck.bench
        if self.cards is not None or variant is None or bench is None:
            number = {"deck": deck.called, "found": found, "value": wanted}
            few, touches = found < wanted, deck.spots if found > wanted else ()
            net = wanted - found if self.weight is None else 0
            off = abs(net) or 1
            return Fault(
                deck.where, "deck-number", number, touches=touches, off=off, net=net, lack=few
            )
        values = {
            "deck": deck.title,
            "mark": variant.mark,
            "found": found,
            "figure": self.figure,
            "value": wanted,
            "weapons": sum(not deck.is_basic(spot.card) for spot in deck.spots),
            "slots": sum(bench.slots.values()),
            "gap": _gap(deck, variant),
            "repairs": " / ".join(self._repairs(deck)),
        }
        return Fault(deck.where, "deck-size", values)

    def _wanted(self, deck: Deck, variant: Variant | None) -> int | None:
        """Find the size that a deck is to have, as far as it is known."""
        if self.cards is not None:
            return self.cards
        totals = deck.benches[variant.id].totals if variant else deck.totals
        total = totals.get(self.figure)
        return total.value if total else None

    def _repairs(self, deck: Deck) -> Iterator[str]:
        """Find every single change of a mark after which all variants have their size.

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
    """Find the size in a variant, with one row changed."""
    rows = [new if row is old else row for row in deck.entries]
    return sum(row.copies for row, _ in cards_of(deck.game, rows, variant))


def _gap(deck: Deck, variant: Variant) -> Joined:
    """Find what is marked and not mounted, and the other way round, as a sentence or two."""
    gaps = zip(("idle", "bare"), unlike_mounted(deck, variant), strict=True)
    texts = (sentence("deck_size", key, cards=_counted(cards)) for key, cards in gaps if cards)
    return Joined(tuple(texts))


def _counted(cards: Counter[str]) -> str:
    return " ".join(f"{card}×{count}" for card, count in cards.items())
