"""The changes that may repair a player's decks: cards taken out, put in, or exchanged; and what
they take after them at the least."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias

from msgspec.structs import replace

from exporter.model import (
    Build,
    Card,
    DeckEntry,
    Game,
)
from exporter.rules.repair import (
    Judged,
    RepairChange,
    Repairs,
    RepairStep,
    Steps,
)
from exporter.rules.rulebook import (
    Found,
)
from exporter.rules.subjects import (
    Deck,
    lay_out_brought,
)
from exporter.rules.written_builds import card_written

# Copies of each card, by its id, in each deck.
Copies: TypeAlias = Mapping[str, Counter[str]]

# In a deck, copies of one card taken out, of another put in, or of both in exchange.
_Difference: TypeAlias = tuple[str, str, str, int]


class DeckRepairs(Repairs[Copies]):
    """Repairs of a player's decks."""

    most_judged: int = 600  # most of a second on a slow machine

    def start(self) -> Copies:
        """All decks, those too that should be there and are not."""
        asked_for = lay_out_brought(self.game, self.build, self.boxes, self.on).rows
        return {deck: self.build.copies_in(deck) for deck in asked_for}

    def key(self, state: Copies) -> Hashable:
        """How many there are of which card, in any order."""
        return tuple((deck, tuple(sorted(cards.items()))) for deck, cards in state.items())

    def judge(self, state: Copies) -> Judged:
        deck = lay_out_brought(self.game, self.mended(state), self.boxes, self.on)
        return self.judge_subject(deck)

    def at_least(self, faults: Sequence[Found]) -> tuple[int, int]:
        """How many changes faults take at the least, and how many of them take out a card.

        Removals of what shares nothing add up, and none of them makes a deck larger; one card that
        is put in may be what several faults lack.
        """
        taken: set[tuple[str, str]] = set()
        removals, most, smaller = 0, 0, 0
        larger: dict[str, int] = {}
        for _, fault in sorted(faults, key=lambda found: -found[1].off):
            most = max(most, fault.off)
            larger[fault.part] = max(larger.get(fault.part, 0), fault.net)
            smaller = max(smaller, -fault.net)
            touched = {(spot.part, spot.card.id) for spot in fault.touches}
            if touched and not (fault.lack or fault.net or touched & taken):
                taken |= touched
                removals += fault.off
        removals = max(removals, smaller)
        whole = larger.pop("", 0)
        return max(removals + max(sum(larger.values()), whole), most), removals

    def estimate(self, faults: Sequence[Found]) -> int:
        """Between the least and what all say together."""
        return (self.at_least(faults)[0] + sum(fault.off for _, fault in faults)) // 2

    def changes(
        self, judged: Judged, state: Copies, made: Steps, in_haste: bool
    ) -> Iterator[RepairChange[Copies]]:
        """What is alike in exchange, and what is in the decks already, comes first."""
        least, removals = self.at_least(judged.faults)
        rule, fault = min(judged.faults, key=_choice)
        kind, deck, game = rule.kind, judged.subject, self.game
        assert kind is not None, "only a kind finds fault"
        cards = _candidates(deck)

        def change(part: str, out: str, into: str) -> RepairChange[Copies]:
            after = {**state, part: state[part] - Counter([out] * bool(out))}
            after[part] += Counter([into] * bool(into))
            lost = bool(out)
            step = RepairStep("exchange", out, part, into, why=rule.id)
            return RepairChange(after, lost, (least - 1, max(0, removals - lost)), step)

        for part, card_id in dict.fromkeys((one.part, one.card.id) for one in fault.touches):
            if kind.bears(deck, rule, fault, game.cards[card_id]):
                yield change(part, card_id, "")
                unlike = unlikeness(game, card_id)
                for card in sorted(cards, key=lambda one: unlike[one.id]):
                    if card.id != card_id:
                        yield change(part, card_id, card.id)
        wanted = [card for card in cards if fault.lack and kind.bears(deck, rule, fault, card)]
        for part in [fault.part] if fault.part in state else list(state):
            for card in wanted:
                yield change(part, "", card.id)
                for other, _ in state[part].most_common():
                    if other != card.id:
                        yield change(part, other, card.id)

    def steps(self, state: Copies, made: Steps) -> Steps:
        """What is to be done, in few words, each with the rule that it is for."""
        whys = {(one.source, one.what): one.why for one in reversed(made)}
        each = self._differences(state)
        return tuple(self._step(*one, whys.get(one[:2], "")) for one in each)

    def _differences(self, state: Copies) -> Iterator[_Difference]:
        """Exchanges of what is most alike, then the rest."""
        before = self.start()
        for deck in state:
            out, into = before[deck] - state[deck], state[deck] - before[deck]
            pairs = [(gone, come) for gone in out for come in into]
            for gone, come in sorted(pairs, key=lambda one: unlikeness(self.game, one[0])[one[1]]):
                copies = min(out[gone], into[come])
                if copies:
                    out[gone] -= copies
                    into[come] -= copies
                    yield deck, gone, come, copies
            yield from ((deck, one, "", copies) for one, copies in out.items() if copies)
            yield from ((deck, "", one, copies) for one, copies in into.items() if copies)

    def _step(self, deck: str, out: str, into: str, copies: int, why: str) -> RepairStep:
        gone, come = (card_written(self.game, one) for one in (out, into))
        if not gone:
            return RepairStep("put", come, "", deck, copies, why)
        return RepairStep("exchange" if come else "take", gone, deck, come, copies, why)

    def mended(self, state: Copies) -> Build:
        """The build with these cards in its decks."""
        build = self.build
        rows = {(deck, row.card): row for deck, rows in build.decks.items() for row in rows}
        decks = {}
        for deck, cards in state.items():
            new = DeckEntry(deck=deck, card="", mark="", copies=0, where=build.where)
            each = ((rows.get((deck, card), new).fields, card, n) for card, n in cards.items())
            decks[deck] = tuple(replace(new, card=c, copies=n, fields=f) for f, c, n in each)
        return replace(build, decks=decks)

    def rank(self, state: Copies, made: Sequence[RepairStep]) -> tuple[Any, ...]:
        """The fewer changes, then cards lost, then what is minded least, then the fewer sorts of
        changes, what comes like what goes, and cards that are not new to the decks."""
        each = list(self._differences(state))
        mild = sorted(n for _, out, into, copies in each for n in [_dislike(out, into)] * copies)
        lost = sum(copies for _, out, _, copies in each if out)
        pairs = [one for one in each if one[1] and one[2]]
        odd = sum(n * unlikeness(self.game, out)[into] for _, out, into, n in pairs)
        here = {card for cards in self.start().values() for card in cards}
        new = {into for _, _, into, _ in each if into} - here
        return len(mild), lost, mild, len(each), odd, len(new)


def _dislike(out: str, into: str) -> int:
    """How much players mind an exchange, a card put in, a card taken out."""
    return 0 if out and into else 1 if into else 2


def _choice(found: Found) -> tuple[bool, int]:
    """How many different cards a fault leaves to choose from: the fewer, the sooner mended."""
    fault = found[1]
    return fault.lack, len({spot.card.id for spot in fault.touches})


def _candidates(deck: Deck) -> Sequence[Card]:
    """Cards that may be put in: those that are there already first."""
    here = [spots[0].card for spots in deck.by_card.values()]
    kinds = {card.kind for card in here} or {card.kind for card in deck.game.cards.values()}
    others = (card for card in deck.game.cards.values() if card.kind in kinds)
    return list({card.id: card for card in chain(here, others)}.values())


def unlikeness(game: Game, card_id: str) -> Mapping[str, int]:
    """In how many fields each card of a game differs from one, a kind of its own counted as one."""

    def work() -> Mapping[str, int]:
        own = game.cards[card_id]
        return {
            card.id: (card.kind != own.kind)
            + sum(card.get(name) != own.get(name) for name in {*card.fields, *own.fields})
            for card in game.cards.values()
        }

    return game.cached(("unlikeness", card_id), work)
