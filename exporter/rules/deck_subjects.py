"""Decks as rules look at them: printed ones, and those that players bring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, repeat

from msgspec import field

from exporter.core.problems import SourceLocation
from exporter.model import (
    Build,
    Card,
    DeckEntry,
    DeckKind,
    Game,
    Mech,
    Name,
    Variant,
)
from exporter.rules.expressions import (
    as_asked,
    names_in,
)
from exporter.rules.figures import (
    FigureResults,
    figures_of_cards,
    meets,
)
from exporter.rules.subjects import (
    Bench,
    CardPool,
    CardSpot,
)


class Deck(CardPool, frozen=True, kw_only=True):
    """A deck of the game or of somebody's own, by its ``id``: the cards of its ``entries``.

    One of a mech holds those that carry the mark of a ``variant``; ``benches`` are its loadouts by
    variant, and answer for its figures. ``runs`` are its rows, each with its copies. A player's
    decks are one, of all ``rows`` by the kind of deck, of which ``about`` gives parts.
    """

    id: str
    entries: tuple[DeckEntry, ...]
    variant: Variant | None = None
    mech: Mech | None = None
    benches: Mapping[str, Bench] = field(default_factory=dict)
    kind: DeckKind | None = None
    runs: tuple[tuple[CardSpot, int], ...] = ()
    rows: Mapping[str, tuple[DeckEntry, ...]] = field(default_factory=dict)
    places: Mapping[str, SourceLocation] = field(default_factory=dict)
    parts: dict[tuple[tuple[str, ...], bool], Sequence[Deck]] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """As people call it, whatever the variant."""
        return self.mech.name if self.mech else self.id

    @property
    def called(self) -> Name:
        if self.kind is None or not self.rows:
            return super().called
        return Name(
            f"{self.name}（{self.kind.name.ja}）",
            f"{self.name} ({self.kind.name.in_language('en')})",
        )

    @property
    def bench(self) -> Bench | None:
        """The loadout that it belongs to."""
        return self.benches[self.variant.id] if self.variant else None

    def about(self, decks: tuple[str, ...], together: bool) -> Sequence[Deck]:
        """Find what of it a rule looks at that is about some ``decks`` alone: each, or all as
        one."""
        found = self.parts.get((decks, together))
        if found is None:
            found = self.parts[decks, together] = self._about(decks, together)
        return found

    def _about(self, decks: tuple[str, ...], together: bool) -> Sequence[Deck]:
        if not self.rows:
            is_one = self.id in decks or (self.kind is not None and self.kind.id in decks)
            return (self,) if is_one else ()
        found = tuple([kind for kind in dict.fromkeys(decks) if kind in self.rows])
        if len(found) > 1 and not together:
            return tuple([one for kind in found for one in self.about((kind,), False)])
        return (self._of(found),) if found else ()

    def _of(self, kinds: tuple[str, ...]) -> Deck:
        """Find the cards of some of a player's decks."""
        if len(kinds) == len(self.rows):
            return self
        rows = {kind: self.rows[kind] for kind in kinds}
        runs = tuple([run for run in self.runs if run[0].part in kinds])
        return _brought_deck(
            self.game, self.name, rows, runs, self.boxes, self.on, self.where, self.places
        )

    @cached_property
    def by_card(self) -> Mapping[str, list[CardSpot]]:
        found: dict[str, list[CardSpot]] = {}
        for spot, copies in self.runs:
            card = spot.card.id
            if card in found:
                found[card] += [spot] * copies
            else:
                found[card] = [spot] * copies
        return found

    @property
    def before(self) -> Mapping[str, list[CardSpot]]:
        return self.by_card

    def is_basic(self, card: Card) -> bool:
        """Say whether a card is in every deck, as often as the figures say."""
        return bool(self.game.kinds[card.kind].deck_copies)

    def asks_itself(self, condition: str) -> bool:
        return self.bench is None and names_in(condition) <= set(map(as_asked, self.names))

    def fits(self, card: Card, condition: str, where: SourceLocation) -> bool:
        """Decide as of any cards; what asks for what this card, or a deck, does not have does
        not hold."""

        return meets(card, condition, where, self.names)


def lay_out_deck(
    game: Game,
    deck_id: str,
    entries: Sequence[DeckEntry],
    boxes: Iterable[str] = (),
    mech: Mech | None = None,
    benches: Mapping[str, Bench] | None = None,
    variant: Variant | None = None,
) -> Deck:
    """Lay out a printed deck; one of a ``mech`` in a ``variant`` of which it has a
    bench."""
    runs = _runs(cards_of(game, entries, variant))
    spots = _spots(runs)
    bench = benches[variant.id] if benches and variant else None
    worked = FigureResults({}, dict(bench.names), []) if bench else _figures(game, spots)
    title = mech.name if mech else deck_id
    return Deck(
        game=game,
        id=deck_id,
        name=f"{title} {variant.mark}" if variant else title,
        where=entries[0].where,
        boxes=frozenset(boxes or game.editions),
        spots=spots,
        runs=runs,
        totals=worked.totals,
        names=worked.names,
        problems=tuple(worked.problems),
        entries=tuple(entries),
        variant=variant,
        mech=mech,
        benches=benches or {},
        kind=game.kind_of_deck(deck_id),
    )


def lay_out_brought(game: Game, build: Build, boxes: Iterable[str] = (), on: str = "") -> Deck:
    """Lay out the decks that a player brings, as one: those too that the game asks for and that
    are not there, without a card."""
    rows = dict(build.decks)
    kinds = game.deck_kinds
    first = next((kinds[kind].beside or kind for kind in rows if kind in kinds), "")
    for kind in kinds.values():
        asked_for = kind.id == first or (kind.beside == first and kind.size and kind.size[0])
        if first and asked_for:
            rows.setdefault(kind.id, ())
    ordered = {kind: rows[kind] for kind in (*kinds, *rows) if kind in rows}
    owned = frozenset(boxes or game.editions)
    found = ((row, game.brought_card(row)) for part in ordered.values() for row in part)
    runs = _runs((row, card) for row, card in found if card is not None)
    return _brought_deck(game, build.name, ordered, runs, owned, on, build.where, build.places)


def _brought_deck(
    game: Game,
    name: str,
    rows: Mapping[str, tuple[DeckEntry, ...]],
    runs: tuple[tuple[CardSpot, int], ...],
    boxes: frozenset[str],
    on: str,
    where: SourceLocation,
    places: Mapping[str, SourceLocation],
) -> Deck:
    entries = tuple(chain.from_iterable(rows.values()))
    spots = _spots(runs)
    worked = _figures(game, spots)
    kind = next(iter(rows), "") if len(rows) == 1 else ""
    return Deck(
        game=game,
        id=kind or name,
        name=name,
        where=places.get(f"deck {kind}", where),
        boxes=boxes,
        on=on,
        spots=spots,
        runs=runs,
        totals=worked.totals,
        names=worked.names,
        unread=sum([entry.copies for entry in entries]) - len(spots),
        problems=tuple(worked.problems),
        entries=entries,
        kind=game.kind_of_deck(kind),
        rows=rows,
        places=places,
    )


def _runs(rows: Iterable[tuple[DeckEntry, Card]]) -> tuple[tuple[CardSpot, int], ...]:
    """Make a spot for each row that has any, and its copies, which are one and the same."""
    return tuple(
        [
            (CardSpot(entry.deck, 0, card, entry.where), entry.copies)
            for entry, card in rows
            if entry.copies
        ]
    )


def _spots(runs: Iterable[tuple[CardSpot, int]]) -> tuple[CardSpot, ...]:
    return tuple(chain.from_iterable([repeat(spot, copies) for spot, copies in runs]))


def _figures(game: Game, spots: Iterable[CardSpot]) -> FigureResults:
    if not game.figures:
        return FigureResults({}, {}, [])
    return figures_of_cards(game, [spot.card for spot in spots])


def cards_of(
    game: Game, entries: Iterable[DeckEntry], variant: Variant | None
) -> Iterator[tuple[DeckEntry, Card]]:
    """Find the rows that carry a variant's mark, with their cards; all where there are no
    variants."""
    for entry in entries:
        card = game.card(entry.card)
        if card is not None and (variant is None or variant.mark in entry.mark):
            yield entry, entry.of(card).card if entry.fields else card


def unlike_mounted(deck: Deck, variant: Variant) -> tuple[Counter[str], Counter[str]]:
    """Find the weapons that carry a variant's mark and are not mounted, and those of which the
    other way round is true, by name."""
    marked: Counter[str] = Counter()
    for entry, card in cards_of(deck.game, deck.entries, variant):
        if not deck.is_basic(card):
            marked[card.name] += entry.copies
    mounted = Counter(spot.card.name for spot in deck.benches[variant.id].spots)
    return marked - mounted, mounted - marked
