"""Rule kinds about printed decks: their size, their cards, all of them together.

A printed deck belongs to a mech with figures and loadouts, or stands for itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from exporter.model import Card, DeckEntry, Game, Mech, Name, Variant
from exporter.rules.bench import Bench
from exporter.rules.book import Rule
from exporter.rules.expressions import whole
from exporter.rules.faults import Fault


class Deck(Struct, frozen=True):
    """A printed deck, with its mech's builds laid out by variant where it has one."""

    game: Game
    id: str
    entries: tuple[DeckEntry, ...]
    mech: Mech | None
    benches: dict[str, Bench]

    @property
    def name(self) -> str:
        """As people call it."""
        return self.mech.name if self.mech else self.id

    def marked(self, variant: Variant | None) -> list[tuple[DeckEntry, Card]]:
        """The entries that carry a variant's mark; all of them where there are no variants."""
        found = []
        for entry in self.entries:
            card = self.game.card(entry.card)
            if card is not None and (variant is None or variant.mark in entry.mark):
                found.append((entry, card))
        return found

    def variants(self) -> list[Variant | None]:
        """The variants that are printed, or one nameless one."""
        return [self.game.variants[name] for name in self.benches] or [None]


def _is_basic(game: Game, card: Card) -> bool:
    return bool(game.kinds[card.kind].deck_copies)


def _size(deck: Deck, variant: Variant | None, changed: DeckEntry | None = None) -> int:
    size = 0
    for entry in deck.entries:
        if changed is not None and entry.where == changed.where:
            entry = changed
        if deck.game.card(entry.card) and (variant is None or variant.mark in entry.mark):
            size += entry.copies
    return size


def wanted_size(deck: Deck, variant: Variant | None, rule: Rule) -> tuple[str, int] | None:
    """The size that a deck is to have: a number, or a figure of its mech."""
    if "cards" in rule.parameters:
        return "", int(rule.parameters["cards"])
    figure = str(rule.parameters["figure"])
    if variant is None or figure not in deck.benches[variant.id].totals:
        return None
    return figure, deck.benches[variant.id].totals[figure].value


def _gap(deck: Deck, variant: Variant) -> tuple[Counter[str], Counter[str]]:
    """The weapons that carry a variant's mark and are not mounted, and those of which the other
    way round is true."""
    marked: Counter[str] = Counter()
    for entry, card in deck.marked(variant):
        if not _is_basic(deck.game, card):
            marked[card.name] += entry.copies
    mounted = Counter(spot.card.name for spot in deck.benches[variant.id].spots)
    return marked - mounted, mounted - marked


def _counted(cards: Counter[str]) -> str:
    return " ".join(f"{card}×{count}" for card, count in cards.items())


def _gap_text(deck: Deck, variant: Variant) -> Name:
    """What is marked and not mounted, and the other way round, as a sentence or two."""
    idle, bare = _gap(deck, variant)
    ja = [f"印があるのに積んでいない: {_counted(idle)}。"] if idle else []
    en = [f"Marked but not mounted: {_counted(idle)}."] if idle else []
    ja += [f"積んでいるのに印がない: {_counted(bare)}。"] if bare else []
    en += [f"Mounted but not marked: {_counted(bare)}."] if bare else []
    return Name("".join(ja), " ".join(en))


def _repairs(deck: Deck, rule: Rule) -> list[str]:
    """Every single change of a mark after which all variants have their size.

    Where the weapons are not those that are mounted, the basic cards are left alone.
    """
    marks = [variant.mark for variant in deck.game.variants.values()]
    choices = [*marks, "".join(marks)] if len(marks) > 1 else marks
    only_weapons = any(any(_gap(deck, variant)) for variant in deck.variants() if variant)
    found = []
    for entry in deck.entries:
        card = deck.game.card(entry.card)
        if only_weapons and card is not None and _is_basic(deck.game, card):
            continue
        for mark in choices:
            changed = DeckEntry(
                deck=entry.deck, card=entry.card, mark=mark, copies=entry.copies, where=entry.where
            )
            sizes = [
                (wanted_size(deck, variant, rule), _size(deck, variant, changed))
                for variant in deck.variants()
            ]
            if mark != entry.mark and all(want and want[1] == size for want, size in sizes):
                found.append(f"{entry.card}: {entry.mark} → {mark} ({entry.where})")
    return found


def deck_size(deck: Deck, rule: Rule) -> Iterator[Fault]:
    """As many cards carry a variant's mark as ``figure`` says, or as ``cards`` says.

    ``decks`` are those it is about; without them it is about all.
    """
    only = rule.parameters.get("decks")
    repairs: list[str] | None = None
    for variant in deck.variants() if not only or deck.id in only else ():
        wanted = wanted_size(deck, variant, rule)
        found = _size(deck, variant)
        if wanted is None or found == wanted[1]:
            continue
        where = deck.entries[0].where
        if variant is None or not wanted[0]:
            name = f"{deck.name} {variant.mark}" if variant else deck.name
            values: dict[str, object] = {"deck": name, "found": found, "value": wanted[1]}
            yield Fault(where, "deck-number", values)
            continue
        if repairs is None:
            repairs = _repairs(deck, rule)
        weapons = sum(
            entry.copies for entry, card in deck.marked(variant) if not _is_basic(deck.game, card)
        )
        values = {
            "deck": deck.name,
            "mark": variant.mark,
            "found": found,
            "figure": wanted[0],
            "value": wanted[1],
            "weapons": weapons,
            "slots": sum(deck.benches[variant.id].slots.values()),
            "gap": _gap_text(deck, variant),
            "repairs": " / ".join(repairs),
        }
        yield Fault(where, "deck-size", values)


def deck_basics(deck: Deck, rule: Rule) -> Iterator[Fault]:
    """A printed deck holds as many of each basic card as the figures of its mech ask for."""
    game = deck.game
    for variant in deck.variants():
        if variant is None:
            continue
        bench = deck.benches[variant.id]
        marked = deck.marked(variant)
        for card in game.cards.values():
            if not _is_basic(game, card):
                continue
            field = game.kinds[card.kind].deck_copies
            allowed = whole(str(card.get(field)) or "0", bench.names, card.at(field))
            entries = [entry for entry, other in marked if other is card]
            found = sum(entry.copies for entry in entries)
            if found != max(allowed, 0):
                values = {
                    "deck": deck.name,
                    "mark": variant.mark,
                    "card": card.name,
                    "found": found,
                    "allowed": allowed,
                }
                where = entries[0].where if entries else deck.entries[0].where
                yield Fault(where, "deck-cards", values)


def deck_loadout(deck: Deck, rule: Rule) -> Iterator[Fault]:
    """The other cards that carry the mark of ``variant`` are those mounted in that loadout.

    A deck of the wrong size is left to that fault alone.
    """
    name = str(rule.parameters["variant"])
    bench, variant = deck.benches.get(name), deck.game.variants.get(name)
    if bench is None or variant is None:
        return
    idle, bare = _gap(deck, variant)
    if idle.total() != bare.total() or not idle:
        return
    gap = [f"＋{card}×{count}" for card, count in idle.items()]
    gap += [f"−{card}×{count}" for card, count in bare.items()]
    values = {
        "deck": deck.name,
        "mark": variant.mark,
        "variant": variant.name,
        "difference": " ".join(gap),
    }
    yield Fault(bench.build.where, "deck-loadout", values)


def printed_copies(decks: list[Deck], rule: Rule) -> Iterator[Fault]:
    """All printed decks together hold no more of a card than ``field`` says there are."""
    field = str(rule.parameters["field"])
    counts: Counter[str] = Counter()
    for deck in decks:
        for entry in deck.entries:
            card = deck.game.card(entry.card)
            if card is not None:
                counts[card.id] += entry.copies
    for card_id, found in counts.items():
        card = decks[0].game.cards[card_id]
        allowed = card.get(field)
        if isinstance(allowed, int) and field in card.fields and found > allowed:
            values = {"card": card.name, "found": found, "allowed": allowed}
            yield Fault(card.at(field), "printed-copies", values)
