"""How many cards a deck has and which: one that somebody brings, or a printed one."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain
from typing import Annotated

from msgspec.structs import replace

from exporter.core import grouped, sum_by_key
from exporter.core.messages import Joined, sentence
from exporter.core.problems import Problem, SourceLocation
from exporter.model import Card, Variant
from exporter.model.shape import Count, Doc, Ref, Whole, Word
from exporter.rules.expressions import whole
from exporter.rules.kind import (
    AllDecks,
    CardPool,
    CardSpot,
    Deck,
    Expression,
    Fault,
    FieldId,
    OfDecks,
    Rule,
    RuleKind,
    blanks_of,
    fault_at,
    listed_values,
    wrong_numbers,
)
from exporter.rules.subjects import cards_of


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

    one_of = ("figure", "cards", "least", "most")
    examples = (
        "{figure: 枚数の合計}",
        "{cards: 13, decks: [light, dark]}",
        "{least: 40, most: 60}",
        "{most: 12, weight: slots, decks: [army]}",
    )
    sentences = {
        "ja": {
            "deck-size": (
                "{deck}の印{mark}は{found}枚ですが、{figure}と同じ{value}枚のはずです。"
                "武装は{slots}スロットに{weapons}枚。{gap}",
                "{repairs}",
            ),
            "deck-number": (
                "デッキ「{deck}」のカードは合計{found}枚です（正しくは{value}枚）。",
                "枚数を直してください。",
            ),
            "deck-few": (
                "デッキ「{deck}」のカードが合計{found}枚しかありません（{least}枚以上必要です）。",
                "{short}枚加えてください。",
            ),
            "deck-many": (
                "デッキ「{deck}」のカードが合計{found}枚あります（上限{most}枚）。",
                "{over}枚外してください。",
            ),
            "deck-light": (
                "デッキ「{deck}」の{weight}の合計が{found}です（{least}以上必要です）。",
                "{short}加えてください。",
            ),
            "deck-heavy": (
                "デッキ「{deck}」の{weight}の合計が{found}です（上限{most}）。",
                "{over}減らしてください。",
            ),
            "idle": "印があるのに積んでいません: {cards}。",
            "bare": "積んでいるのに印がありません: {cards}。",
        },
        "en": {
            "deck-size": (
                "{deck} has {found:card|cards} marked {mark}, but {figure} is {value}; they must "
                "be equal. There are {weapons:weapon|weapons} for {slots:slot|slots}. {gap}",
                "{repairs}",
            ),
            "deck-number": (
                "{deck} has {found:card|cards}; the rules say {value}.",
                "Correct the copies.",
            ),
            "deck-few": (
                "{deck} has {found:card|cards}; it needs at least {least}.",
                "Add {short}.",
            ),
            "deck-many": ("{deck} has {found:card|cards}; the limit is {most}.", "Remove {over}."),
            "deck-light": (
                "The total {weight} of {deck} is {found}; it must be at least {least}.",
                "Add {short}.",
            ),
            "deck-heavy": (
                "The total {weight} of {deck} is {found}; the limit is {most}.",
                "Reduce it by {over}.",
            ),
            "idle": "Marked but not mounted: {cards}.",
            "bare": "Mounted but not marked: {cards}.",
        },
    }

    def applies(self, subject: Deck, rule: Rule) -> bool:
        bounds = (self._wanted(subject, subject.variant), self.least, self.most)
        return any(bound is not None for bound in bounds)

    def faults(self, subject: Deck, rule: Rule) -> Iterator[Fault]:
        found, wanted = len(subject.spots), self._wanted(subject, subject.variant)
        if self.weight is not None:
            each = (subject.worth(spot.card, self.weight, rule.where) for spot in subject.spots)
            found = sum(each)
        if wanted is not None and found != wanted:
            marked = subject.variant and self.cards is None
            yield (
                self._unlike_mech(subject, found, wanted)
                if marked
                else self._fault(subject, "deck-number", found, wanted)
            )
        few, many = (
            ("deck-few", "deck-many") if self.weight is None else ("deck-light", "deck-heavy")
        )
        if self.least is not None and found < self.least:
            yield self._fault(subject, few, found, self.least)
        if self.most is not None and found > self.most:
            yield self._fault(subject, many, found, self.most, steadfast=True)

    def _fault(
        self, deck: Deck, text: str, found: int, bound: int, *, steadfast: bool = False
    ) -> Fault:
        """Say that a deck has not as many cards as it must have, or may have."""
        net, lack = bound - found, found < bound
        values = {"deck": deck.called, "found": found, "weight": self.weight, "value": bound}
        values |= {"least": bound, "most": bound, "short": net, "over": -net}
        asked = blanks_of(*self.sentences["en"][text])
        values = {name: value for name, value in values.items() if name in asked}
        net = net if self.weight is None else 0
        return Fault(
            deck.where,
            text,
            values,
            touches=() if lack else deck.spots,
            off=abs(net) or 1,
            net=net,
            lack=lack,
            steadfast=steadfast,
        )

    def _unlike_mech(self, deck: Deck, found: int, wanted: int) -> Fault:
        """Say that a mech's deck has not the size that is wanted, with what would mend it."""
        variant, mounted_build = deck.variant, deck.mounted_build
        assert variant is not None
        assert mounted_build is not None
        gaps = zip(("idle", "bare"), deck.unlike_mounted(variant), strict=True)
        texts = [sentence("deck_size", key, cards=_listed(cards)) for key, cards in gaps if cards]
        return fault_at(
            deck.where,
            "deck-size",
            deck=deck.title,
            mark=variant.mark,
            found=found,
            figure=self.figure,
            value=wanted,
            weapons=sum(not deck.is_basic(spot.card) for spot in deck.spots),
            slots=sum(mounted_build.slots.values()),
            gap=Joined(tuple(texts)),
            repairs=" / ".join(self._repairs(deck)),
        )

    def _wanted(self, deck: Deck, variant: Variant | None) -> int | None:
        """Find the size that a deck is to have, as far as it is known."""
        if self.cards is not None:
            return self.cards
        totals = deck.mounted_builds[variant.id].totals if variant else deck.totals
        total = totals.get(self.figure)
        return total.value if total else None

    def _repairs(self, deck: Deck) -> Iterator[str]:
        """Find every single change of a mark after which all variants have their size.

        Where the weapons are not those that are mounted, the basic cards are left alone.
        """
        game, entries = deck.game, deck.entries
        marks = [variant.mark for variant in game.variants.values()]
        choices = dict.fromkeys([*marks, "".join(marks)])
        variants = [game.variants[name] for name in deck.mounted_builds]
        only_weapons = any(any(deck.unlike_mounted(variant)) for variant in variants)
        for index, entry in enumerate(entries):
            card = game.card(entry.card)
            if only_weapons and card is not None and deck.is_basic(card):
                continue
            for mark in choices:
                changed = (*entries[:index], replace(entry, mark=mark), *entries[index + 1 :])
                sizes = [
                    sum(row.copies for row, _ in cards_of(game, changed, one)) for one in variants
                ]
                if mark != entry.mark and sizes == [self._wanted(deck, one) for one in variants]:
                    yield f"{entry.card}: {entry.mark} → {mark} ({entry.where})"


def _listed(cards: Counter[str]) -> str:
    return " ".join(f"{card}×{count}" for card, count in cards.items())


class Sets(OfDecks[Deck]):
    """Of the cards that meet an expression, a deck has so many for each value of a field: for
    each that is listed, for each number from one to another, or for each that any card of the
    game has. So `{field: id, copies: 2}` asks for every card twice.

    ja: 式に当てはまるカードが、欄の値ごとに決まった枚数ある。値は、挙げたもの、数の範囲、ゲームの
    どれかのカードにあるもの。`{field: id, copies: 2}` ならどのカードも2枚ずつ。
    """

    field: Annotated[
        Word,
        Ref("column"),
        Doc("whose values count; `id` and `name` too", "値を数える欄。`id` と `name` も"),
    ]
    cards: Annotated[Expression | None, Doc("of the cards that count", "数えるカードの条件")] = None
    values: Annotated[list[Word], Doc("the values", "値")] = []
    least: Annotated[Whole | None, Doc("the smallest number", "いちばん小さい数")] = None
    most: Annotated[Whole | None, Doc("the largest number", "いちばん大きい数")] = None
    copies: Annotated[Count, Doc("how many there are of each", "それぞれ何枚")] = 1

    examples = ("{field: number, least: 1, most: 11}", "{field: id, cards: kind == 'tower'}")
    sentences = {
        "ja": {
            "sets": (
                "{deck}に{field}が{value}の札は{found}枚あります（正しくは{copies}枚）。",
                "枚数を直してください。",
            ),
            "sets-card": (
                "{deck}に{value}は{found}枚あります（正しくは{copies}枚）。",
                "枚数を直してください。",
            ),
            "sets-none": (
                "{deck}に{value}が{found}枚あります（入らない札です）。",
                "抜いてください。",
            ),
        },
        "en": {
            "sets": (
                "{deck} has {found:card|cards} with {field} {value}; the rules say {copies}.",
                "Correct the copies.",
            ),
            "sets-card": (
                "{deck} has {found:copy|copies} of {value}; the rules say {copies}.",
                "Correct the copies.",
            ),
            "sets-none": (
                "{deck} has {found:copy|copies} of {value}, which the rules leave out.",
                "Take them out.",
            ),
        },
    }

    def applies(self, subject: Deck, rule: Rule) -> bool:
        return bool(self._wanted(subject, rule))

    def faults(self, subject: Deck, rule: Rule) -> Iterator[Fault]:
        wanted = self._wanted(subject, rule)
        groups: dict[str, list[CardSpot]] = {value: [] for value in wanted}
        fitting = chain(*subject.fitting(self.cards, rule.where))
        groups |= grouped(fitting, lambda spot: spot.card.text(self.field))
        for value, spots in groups.items():
            copies, found = self.copies if value in wanted else 0, len(spots)
            if found != copies:
                where, few = spots[-1].where if spots else subject.where, found < copies
                off, touches = abs(found - copies), tuple(spots)
                text = "sets-card" if copies else "sets-none"
                text = text if self.field == "id" else "sets"
                yield fault_at(
                    where,
                    text,
                    deck=subject.called,
                    field=self.field,
                    found=found,
                    value=self._called(subject, value),
                    copies=copies,
                    touches=touches,
                    off=off,
                    lack=few,
                )

    def bears(self, subject: CardPool, rule: Rule, fault: Fault, card: Card) -> bool:
        return self._called(subject, card.text(self.field)) == fault.values["value"]

    def _called(self, subject: CardPool, value: str) -> str:
        """Write a value as people read it: a card by its name, with the id where others have
        that."""
        if self.field != "id" or value not in subject.game.cards:
            return value or "—"
        card = subject.game.cards[value]
        return f"{card.name} ({value})" if subject.game.word(card) == value else card.name

    def _wanted(self, deck: Deck, rule: Rule) -> Collection[str]:
        """Find the values of which there are to be cards."""
        if listed := listed_values(self.values, self.least, self.most):
            return listed
        cards: Iterable[Card] = deck.game.cards.values()
        if self.cards is not None:
            cards = [card for card in cards if deck.fits(card, self.cards, rule.where)]
        return dict.fromkeys(text for card in cards if (text := card.text(self.field)))

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        return wrong_numbers(at, self.least, self.most)


class DeckBasics(RuleKind[Deck]):
    """A mech's deck holds as many of each card with `deck_copies` as its figures ask for.

    ja: 機体のデッキに、`deck_copies` のあるカードが数値どおりの枚数ある。
    """

    sentences = {
        "ja": {
            "deck-cards": (
                "{deck}の印{mark}に「{card}」が{found}枚あります（正しくは{allowed}枚）。",
                "枚数か印を直してください。",
            )
        },
        "en": {
            "deck-cards": (
                "{deck} has {found} {card!r} marked {mark}; the rules say {allowed}.",
                "Correct the copies or the mark.",
            )
        },
    }

    def applies(self, subject: Deck, rule: Rule) -> bool:
        return bool(subject.mounted_build) and any(
            map(subject.is_basic, subject.game.cards.values())
        )

    def faults(self, subject: Deck, rule: Rule) -> Iterator[Fault]:
        game, variant, mounted_build = subject.game, subject.variant, subject.mounted_build
        if variant is None or mounted_build is None:
            return
        for card in filter(subject.is_basic, game.cards.values()):
            field, spots = game.kinds[card.kind].deck_copies, subject.by_card.get(card.id, [])
            allowed = whole(str(card.get(field)) or "0", mounted_build.names, card.at(field))
            if len(spots) != max(allowed, 0):
                yield fault_at(
                    spots[0].where if spots else subject.where,
                    "deck-cards",
                    deck=subject.title,
                    mark=variant.mark,
                    card=card.name,
                    found=len(spots),
                    allowed=allowed,
                )


class DeckLoadout(RuleKind[Deck]):
    """The other cards that carry a variant's mark are those mounted in that loadout. A deck of the
    wrong size is left to that fault alone.

    ja: 改などの印のあるほかのカードは、その搭載で積んだもの。枚数の違うデッキは、枚数の違反だけを
    言う。
    """

    variant: Annotated[Word, Ref("variant"), Doc("the loadout that is compared", "比べる搭載")]

    examples = ("{variant: basic}",)
    sentences = {
        "ja": {
            "deck-loadout": (
                "{deck}の印{mark}と{variant}の搭載が違います: {difference}",
                "どちらかを直してください。",
            )
        },
        "en": {
            "deck-loadout": (
                "{deck}, mark {mark}: the deck and the {variant} loadout differ: {difference}",
                "Correct one of the two.",
            )
        },
    }

    def applies(self, subject: Deck, rule: Rule) -> bool:
        return subject.variant is not None and subject.variant.id == self.variant

    def faults(self, subject: Deck, rule: Rule) -> Iterator[Fault]:
        variant, mounted_build = subject.variant, subject.mounted_build
        if variant is None or mounted_build is None or variant.id != self.variant:
            return
        idle, bare = subject.unlike_mounted(variant)
        if idle and idle.total() == bare.total():
            gap = [f"＋{card}×{count}" for card, count in idle.items()]
            gap += [f"−{card}×{count}" for card, count in bare.items()]
            yield fault_at(
                mounted_build.where,
                "deck-loadout",
                deck=subject.title,
                mark=variant.mark,
                variant=variant.name,
                difference=" ".join(gap),
            )


class PrintedCopies(RuleKind[AllDecks]):
    """All decks of the game together hold no more of a card than a field of it says there are.

    ja: ゲームのデッキ全部を合わせても、カードの枚数は欄の値を超えない。
    """

    field: Annotated[FieldId, Doc("of the card: how many there are", "カードの欄。何枚あるか")]

    examples = ("{field: copies_in_box}",)
    sentences = {
        "ja": {
            "printed-copies": (
                "全デッキを合わせると「{card}」が{found}枚ですが、箱には{allowed}枚しかありません。",
                "上限か枚数を直してください。",
            )
        },
        "en": {
            "printed-copies": (
                "All printed decks together have {found} {card!r}, but the boxes have {allowed}.",
                "Correct the limit or the decks.",
            )
        },
    }

    def applies(self, subject: AllDecks, rule: Rule) -> bool:
        cards = (card for _, card in cards_of(subject.game, subject.entries, None))
        return any(isinstance(card.get(self.field), int) for card in cards)

    def faults(self, subject: AllDecks, rule: Rule) -> Iterator[Fault]:
        each = cards_of(subject.game, subject.entries, None)
        for card_id, found in sum_by_key((card.id, row.copies) for row, card in each).items():
            card = subject.game.cards[card_id]
            allowed = card.get(self.field)
            if isinstance(allowed, int) and found > allowed:
                yield fault_at(
                    card.at(self.field),
                    "printed-copies",
                    card=card.name,
                    found=found,
                    allowed=allowed,
                )
