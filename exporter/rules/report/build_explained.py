"""What somebody brings, explained: what is mounted, what lies in the decks, all figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from exporter.model import (
    Build,
    DeckEntry,
)
from exporter.rules.deck_subjects import lay_out_brought
from exporter.rules.figures import (
    Total,
    totals,
)
from exporter.rules.report.explanations import (
    Explanation,
    Library,
    sections,
)
from exporter.rules.written_builds import card_written


def total_lines(lib: Library, total: Total) -> Iterator[str]:
    """A figure and its terms, with their sources."""
    yield str(total)
    for term in total.terms:
        cited = f" [{lib.titles(term.cites)}]" if term.cites else ""
        yield f"  {term.label} {term.value}{cited}"


def explain_build(lib: Library, build: Build) -> Explanation:
    """A build: what it mounts, the cards of its decks, and all its figures. Raises
    ``InvalidSource``."""
    mounted = [
        f"{part}: {'・'.join(card_written(lib.game, card) for card in cards) or '—'}"
        for part, cards in build.mounted.items()
    ]
    lines = [line for total in totals_of(lib, build).values() for line in total_lines(lib, total)]
    decks = [
        (_deck_title(lib, deck, rows), [f"{row.copies} {_called(lib, row.card)}" for row in rows])
        for deck, rows in build.decks.items()
    ]
    frame = f" ({' '.join(build.frame.values())})" if build.frame else ""
    return Explanation(
        f"{build.name}{frame}",
        sections((lib.word("mounted"), mounted), *decks, (lib.word("figures"), lines)),
    )


def totals_of(lib: Library, build: Build) -> Mapping[str, Total]:
    """The figures of a build; those of decks alone follow from their cards."""
    return totals(lib.game, build) if build.has_parts else lay_out_brought(lib.game, build).totals


def _called(lib: Library, card_id: str) -> str:
    card = lib.game.card(card_id)
    return f"{card.name} ({card.id})" if card else card_id


def _deck_title(lib: Library, deck: str, rows: Sequence[DeckEntry]) -> str:
    """What a deck is called, how many cards it has, and how many of each kind of card."""
    kind = lib.game.kind_of_deck(deck)
    counts: Counter[str] = Counter()
    for row in rows:
        if (card := lib.game.card(row.card)) is not None:
            counts[lib.game.kinds[card.kind].name.in_language(lib.language)] += row.copies
    each = "・".join(f"{name} {count}" for name, count in counts.items())
    name = kind.name.in_language(lib.language) if kind else deck or lib.word("deck")
    return f"{name} {counts.total()} ({each})" if len(counts) > 1 else f"{name} {counts.total()}"
