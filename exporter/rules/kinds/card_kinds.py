"""What holds of cards that somebody brings, in a build or in a deck."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from math import ceil
from typing import Annotated, Any, Literal, TypeAlias

from exporter.core import first_by, grouped, sum_by_key
from exporter.core.messages import sentence
from exporter.core.problems import Problem, SourceLocation, as_written, problem_at
from exporter.model import Card, Game, Name
from exporter.model.shape import (
    TEXT,
    Day,
    Doc,
    Ref,
    Shape,
    Short,
    Text,
    Whole,
    Word,
    Wording,
    under,
)
from exporter.rules.expressions import Known, as_in_formulas, asks_only, difference, holds, names_in
from exporter.rules.figures import TermValue, names_about, terms_text
from exporter.rules.kind import (
    AllowedNames,
    CardPool,
    CardSpot,
    Expression,
    Fault,
    FigureId,
    MountedBuild,
    Number,
    OfDecks,
    OfEachCard,
    OwnCards,
    Rule,
    RuleKind,
    Skill,
    fault_at,
)


class Copies(OfDecks[CardPool], OfEachCard[CardPool]):
    """No card is brought more often than a field of it says, or a number for all.

    ja: どのカードも、欄に書いてある枚数か、共通の枚数を超えて持ち寄らない。
    """

    field: Annotated[str, Ref("field"), Doc("of the card: how often", "カードの欄。何枚まで")] = ""
    most: Annotated[
        Whole | None,
        Doc("instead of a field: how often any card", "欄の代わりに：どのカードも何枚まで"),
    ] = None
    by: Annotated[
        Literal["id", "name"],
        Doc(
            "what is one card: by `name`, a reprint counts too",
            "何を1種類と数えるか。`name` なら再録も同じ",
        ),
    ] = "id"
    cards: Annotated[
        Expression | None, Doc("of the cards that are limited", "制限するカードの条件")
    ] = None

    examples = ("{field: copies_in_box}", "{most: 3, by: name, cards: not basic, decks: [main]}")
    sentences = {
        "ja": {
            "copies": (
                "「{card}」が{found}枚あります（上限{allowed}枚）。",
                "{over}枚外してください。",
            )
        },
        "en": {
            "copies": ("{card!r}: {found:copy|copies}; the limit is {allowed}.", "Remove {over}.")
        },
    }

    def applies(self, subject: CardPool, rule: Rule) -> bool:
        each = subject.fitting(self.cards, rule.where)
        return any(self._allowed(spots[0]) is not None for spots in each)

    def groups(self, subject: CardPool, rule: Rule) -> Iterable[Sequence[CardSpot]]:
        spots = chain(*subject.fitting(self.cards, rule.where))
        return grouped(spots, lambda spot: str(spot.card.get(self.by))).values()

    def of_copies(self, subject: CardPool, spots: Sequence[CardSpot]) -> Iterator[Fault]:
        allowed, found = self._allowed(spots[0]), len(spots)
        if allowed is not None and found > allowed:
            card = spots[0].card.name
            yield _too_many("copies", spots, allowed, card=card, found=found, allowed=allowed)

    def _allowed(self, spot: CardSpot) -> int | None:
        if self.most is not None:
            return self.most
        value = spot.card.get(self.field)
        return value if isinstance(value, int) else None


def _too_many(text: str, spots: Sequence[CardSpot], most: int, /, **values: Any) -> Fault:
    """Say that so many of some cards must go."""
    where, over = spots[most].where, len(spots) - most
    return fault_at(where, text, **values, over=over, touches=spots, off=over, steadfast=True)


CardName: TypeAlias = Annotated[str, Ref("card")]


class Limit(Shape, omit_defaults=True):
    """How many copies of a card are allowed, since when and why."""

    copies: Annotated[Whole, Doc("0 bans it", "0なら禁止")]
    since: Annotated[Day | None, Doc("the first day", "最初の日")] = None
    until: Annotated[Day | None, Doc("the last day", "最後の日")] = None
    reason: Annotated[Text, Doc("why", "理由")] = Wording()

    def holds_on(self, day: str) -> bool:
        """Say whether it holds on a day; where none is asked about, whether it does for good."""
        if not day:
            return self.until is None
        return (self.since or "") <= day <= (self.until or day)

    @property
    def why(self) -> Name:
        """Since when and why, in brackets, as far as that is known."""
        ja = "：".join(filter(None, [self.since and f"{self.since}から", self.reason.ja]))
        reason = self.reason.in_language("en")
        en = ": ".join(filter(None, [self.since and f"since {self.since}", reason]))
        return Name(f"（{ja}）" if ja else "", f" ({en})" if en else "")


class Limits(OfDecks[CardPool]):
    """A list of cards and skills with how many copies of each are allowed; 0 bans. A name stands
    for all cards that have it, so that reprints count; an id for one.

    ja: カードと技能ごとの枚数の上限。0 は禁止。名前なら同じ名前のカードすべて（再録も）、ID なら
    その1種類。
    """

    cards: Annotated[
        dict[CardName, Annotated[Limit, Short(under("copies", (str, int)), {"type": "integer"})]],
        Doc(
            "card or skill → copies, or `{copies: 0, since: 2026-04-01, reason: …}`; "
            "`until` ends it",
            "カードか技能 → 枚数、または `{copies: 0, since: 2026-04-01, reason: …}`"
            "。`until` で終わる",
        ),
    ] = {}

    examples = (
        "{cards: {竜: 0, 城: 2}}",
        "{cards: {竜: {copies: 0, since: 2026-04-01, reason: 強すぎる}}, decks: [main, side], "
        "together: true}",
    )
    sentences = {
        "ja": {
            "copies": (
                "「{card}」が{found}枚あります。上限は{allowed}枚です{why}。",
                "{over}枚外してください。",
            ),
            "limits-ban": ("「{card}」はこの大会で使えません{why}。", "外してください。"),
        },
        "en": {
            "copies": (
                "{card!r}: {found:copy|copies}; the limit is {allowed}{why}.",
                "Remove {over}.",
            ),
            "limits-ban": ("{card!r} is banned here{why}.", "Remove it."),
        },
    }

    def applies(self, subject: CardPool, rule: Rule) -> bool:
        return bool(self.cards) and bool(subject.spots or subject.skills)

    def faults(self, subject: CardPool, rule: Rule) -> Iterator[Fault]:
        for name, limit in self.cards.items():
            if not limit.holds_on(subject.on):
                continue
            own, allowed = subject.game.cards.get(name), limit.copies
            cards = [own] if own else subject.game.cards_named.get(name, ())
            spots = [spot for card in cards for spot in subject.by_card.get(card.id, ())]
            skills = [skill for skill in subject.skills if skill.card in cards]
            where = [*(spot.where for spot in spots), *(skill.where for skill in skills)]
            over = len(where) - allowed
            if over <= 0:
                continue
            card, why = cards[0].name, limit.why
            if allowed:
                yield fault_at(
                    where[allowed],
                    "copies",
                    card=card,
                    why=why,
                    found=len(where),
                    allowed=allowed,
                    over=over,
                    touches=spots,
                    off=over,
                    steadfast=True,
                )
                continue
            # The copies of one row of a deck are one and the same spot.
            for same in grouped(spots, id).values():
                yield _too_many("limits-ban", same, 0, card=card, why=why)
            for skill in skills:
                yield fault_at(skill.where, "limits-ban", card=card, why=why, steadfast=True)

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        for name, limit in self.cards.items():
            if limit.since and limit.until and limit.since > limit.until:
                where = at("cards", name, "until")
                yield problem_at(where, "SRC-VALUE", "limit-ends", name=name, until=limit.until)


class Boxes(RuleKind[CardPool]):
    """Cards of an `edition` need its box; so do skills, which are all in one.

    ja: `edition` のあるカードには、その箱が必要。技能も、すべて入っている1つの箱が要る。
    """

    skills_in: Annotated[
        str, Ref("edition"), Doc("the box of all skills", "技能の入っている箱")
    ] = ""

    examples = ("{skills_in: box2}",)
    sentences = {
        "ja": {
            "box": (
                "「{card}」は「{box}」の{kind}です（持っている箱: {owned}）。",
                "箱を足すか、外してください。",
            )
        },
        "en": {
            "box": (
                "{card!r} comes in the box {box!r}; you own: {owned}.",
                "Add the box, or remove it.",
            )
        },
    }

    def applies(self, subject: CardPool, rule: Rule) -> bool:
        editions = {spot.card.text("edition") for spot in subject.spots}
        skilled = bool(subject.skills and self.skills_in)
        return skilled or not editions.isdisjoint(subject.game.editions)

    def faults(self, subject: CardPool, rule: Rule) -> Iterator[Fault]:
        editions, kinds = subject.game.editions, subject.game.kinds
        owned = "・".join(str(editions[name].name) for name in editions if name in subject.boxes)
        things: list[tuple[CardSpot | Skill, str]] = [
            *((one, one.card.text("edition")) for one in subject.spots),
            *((one, self.skills_in) for one in subject.skills),
        ]
        for one, edition in first_by(things, lambda thing: thing[0].card.id).values():
            if edition in editions and edition not in subject.boxes:
                box, kind = editions[edition].name, kinds[one.card.kind].name
                touches = (one,) if isinstance(one, CardSpot) else ()
                yield fault_at(
                    one.where,
                    "box",
                    card=one.card.name,
                    box=box,
                    owned=owned,
                    kind=kind,
                    touches=touches,
                    steadfast=True,
                )


class Only(OfDecks[CardPool]):
    """Only cards that meet an expression are brought.

    ja: 持ち寄るのは、式に当てはまるカードだけ。
    """

    cards: Annotated[Expression, Doc("of the cards that may be brought", "持ち寄れるカードの条件")]

    examples = ("{cards: side == 'light', decks: [light]}",)
    sentences = {
        "ja": {
            "only": (
                "規則「{title}」により、「{card}」は{owner}に入れられません。",
                "外してください。",
            )
        },
        "en": {"only": ("{card!r} may not be in {owner}: {title}.", "Remove it.")},
    }

    def applies(self, subject: CardPool, rule: Rule) -> bool:
        return bool(subject.spots)

    def faults(self, subject: CardPool, rule: Rule) -> Iterator[Fault]:
        for spots in subject.by_card.values():
            if not subject.fits(spots[0].card, self.cards, rule.where):
                card = _described(subject.game, spots[0].card, self.cards)
                owner = subject.called
                yield _too_many("only", spots, 0, card=card, owner=owner, title=rule.title)


def _described(game: Game, card: Card, condition: str) -> str:
    """Name a card with what a condition asks of it: labels and values, or the value alone of a
    text that has no label; what is shown nowhere is left out."""
    labels, asked = _labels(game, card), names_in(condition)
    found = [game.kinds[card.kind].name.ja] if "kind" in asked else []
    for name in card.fields:
        text = card.text(name) if as_in_formulas(name) in asked else ""
        if text and (name in labels or isinstance(card.get(name), str)):
            found.append(f"{labels[name]} {text}" if name in labels else text)
    return f"{card.name}（{'・'.join(found)}）" if found else card.name


_SIGNS = {"==": "=", "<=": "≤", ">=": "≥", "!=": "≠"}


def _worded(condition: str, labels: Mapping[str, str]) -> str:
    """Write a condition with the labels and signs that players read."""
    words = {**labels, **_SIGNS}
    return re.sub(r"\w+|[=<>!]=", lambda found: words.get(found[0], found[0]), condition)[:120]


def _labels(game: Game, card: Card) -> Mapping[str, str]:
    """Map the fields of a card to what players read."""
    return {field: label for label, field in game.kinds[card.kind].detail.items()}


class Requires(OfDecks[CardPool]):
    """Beside a card that meets one expression there is another one that meets a second, or one that
    a field of the card names.

    ja: ある式に当てはまるカードがあれば、もう1つの式に当てはまるカードか、カードの欄が名指すカー
    ドもある。
    """

    cards: Annotated[
        Expression | None,
        Doc("of the cards that need another", "ほかのカードを必要とするカードの条件"),
    ] = None
    needs: Annotated[
        Expression | None, Doc("of those that they need", "必要とされるカードの条件")
    ] = None
    named: Annotated[str, Doc("what is needed, in a message", "必要なものの、文での呼び名")] = ""
    field: Annotated[
        str,
        Ref("field"),
        Doc(
            "instead: the field that names cards, of which one is needed",
            "代わりに：カードを名指す欄。そのどれか1枚が必要",
        ),
    ] = ""

    examples = (
        "{cards: name == '弾倉', needs: family == 'gun', named: 銃}",
        "{field: grows_from, decks: [main]}",
    )
    by_moving = True
    sentences = {
        "ja": {
            "requires": (
                "「{card}」には「{needs}」が必要です。",
                "「{needs}」を加えるか、「{card}」を外してください。",
            )
        },
        "en": {"requires": ("{card!r} requires {needs}.", "Add one, or remove {card!r}.")},
    }

    def applies(self, subject: CardPool, rule: Rule) -> bool:
        if self.field:
            return any(spots[0].card.get(self.field) for spots in subject.by_card.values())
        return self.cards is not None and any(subject.fitting(self.cards, rule.where))

    def faults(self, subject: CardPool, rule: Rule) -> Iterator[Fault]:
        each = subject.by_card.values()
        names = {name for one in each for name in (one[0].card.id, one[0].card.name)}
        for spots in each if self.field else ():
            needed = self._named_by(spots[0].card)
            if needed and names.isdisjoint(needed):
                yield self._fault(spots, "／".join(needed))
        if not self.cards or not self.needs:
            return
        helpers = [one for one in subject.spots if subject.fits(one.card, self.needs, rule.where)]
        for spot in subject.spots if len(helpers) < 2 else ():
            if helpers in ([], [spot]) and subject.fits(spot.card, self.cards, rule.where):
                yield self._fault([spot], self.named)

    def _named_by(self, card: Card) -> Sequence[str]:
        value = card.get(self.field)
        return list(filter(None, value if isinstance(value, tuple) else [str(value)]))

    @staticmethod
    def _fault(spots: Sequence[CardSpot], needed: str) -> Fault:
        return fault_at(
            spots[0].where,
            "requires",
            card=spots[0].card.name,
            needs=needed,
            touches=spots,
            lack=True,
        )

    def bears(self, subject: CardPool, rule: Rule, fault: Fault, card: Card) -> bool:
        if any(spot.card.id == card.id for spot in fault.touches):
            return True
        if self.field:
            return bool({card.id, card.name} & set(str(fault.values["needs"]).split("／")))
        return self.needs is not None and subject.fits(card, self.needs, rule.where)

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        given = {bool(one) for one in (self.cards, self.needs, self.named)}
        if given != {not self.field}:
            yield problem_at(at(), "SRC-KEY", "needs-or-field")


class Excludes(OfDecks[CardPool]):
    """Of the cards that meet an expression there is one at most.

    ja: 式に当てはまるカードは1枚だけ。
    """

    cards: Annotated[
        Expression, Doc("of the cards that exclude one another", "互いに排除しあうカードの条件")
    ]
    within: Annotated[
        Literal["part", "build"],
        Doc("one in each part of a build, or one in all", "機体の部位ごとに1枚か、全体で1枚か"),
    ] = "build"
    by: Annotated[
        Literal["card", "name"],
        Doc(
            "each copy excludes the others, or cards of different names do",
            "1枚1枚が排除しあうか、名前の違うカードだけが排除しあうか",
        ),
    ] = "card"

    examples = (
        "{cards: family == 'punch', within: part}",
        "{cards: \"name in ('光の王', '闇の王')\", by: name, decks: [main]}",
    )
    by_moving = True
    before_exchange = True
    sentences = {
        "ja": {
            "excludes": (
                "{cards}は一緒に使えません（{within}）。",
                "どれか1枚だけにしてください。",
            ),
            "repeats": ("「{within}」に「{card}」が{count}枚あります。", "1枚だけにしてください。"),
        },
        "en": {
            "excludes": ("{cards} cannot be used together ({within}).", "Keep one of them."),
            "repeats": ("{within!r} has {count} copies of {card!r}.", "Keep one of them."),
        },
    }

    def about(self, subject: CardPool) -> Sequence[CardPool]:
        if self.within == "part" and not isinstance(subject, MountedBuild):
            return ()
        return super().about(subject)

    def applies(self, subject: CardPool, rule: Rule) -> bool:
        return any(subject.fitting(self.cards, rule.where))

    def faults(self, subject: CardPool, rule: Rule) -> Iterator[Fault]:
        concerned = [s for s in subject.spots if subject.fits(s.card, self.cards, rule.where)]
        groups = grouped(concerned, lambda s: s.part if self.within == "part" else subject.name)
        for within, spots in groups.items():
            each = [spot.card.name for spot in spots]
            if self.by == "name":
                each = list(dict.fromkeys(each))
            if len(each) > 1:
                key = "excludes" if len(set(each)) > 1 else "repeats"
                yield fault_at(
                    spots[-1].where,
                    key,
                    cards="・".join(each),
                    within=within,
                    card=each[0],
                    count=len(each),
                    touches=spots,
                )


# Terms of a sum that a message lists; of more, those that weigh most.
MOST_TERMS = 8


class Budget(OfDecks[CardPool]):
    """A figure has a limit. What weighs how much stands in its terms.

    ja: 数値に上限がある。何がどれだけかは、その項に書く。
    """

    figure: Annotated[FigureId, Doc("what is limited", "上限のある数値")]
    limit: Annotated[
        Number | FigureId,
        Doc("the most that it may be, or the figure that says so", "上限。または上限を言う数値"),
    ]

    examples = ("{figure: 点数, limit: 100}", "{figure: 重さ, limit: 積載量}")
    by_skills = True
    sentences = {
        "ja": {
            "budget": (
                "{figure}が{found}です（上限{allowed}）。内訳: {terms}。",
                "{over}減らしてください。",
            ),
        },
        "en": {
            "budget": (
                "{figure} is {found}; the limit is {allowed}. It is made up of {terms}.",
                "Reduce it by {over}.",
            ),
        },
    }

    def applies(self, subject: CardPool, rule: Rule) -> bool:
        return self.figure in subject.totals and self._allowed(subject) is not None

    def faults(self, subject: CardPool, rule: Rule) -> Iterator[Fault]:
        total, allowed = subject.totals.get(self.figure), self._allowed(subject)
        if total is None or allowed is None or total.value <= allowed:
            return
        over, terms = total.value - allowed, total.terms
        each = sum_by_key((term.card, term.value) for term in terms)
        touches = tuple(spot for spot in subject.spots if spot.card.id in each)
        copies = Counter(spot.card.id for spot in touches)
        weights = sorted((-(-each[name] // n) for name, n in copies.items() for _ in range(n)))
        saved = list(accumulate(reversed(weights)))
        off = next((number for number, sum in enumerate(saved, 1) if sum >= over), 1)
        yield fault_at(
            subject.where,
            "budget",
            figure=total.figure.id,
            found=total.value,
            allowed=allowed,
            over=over,
            terms=_weightiest(terms),
            touches=touches,
            off=off,
        )

    def _allowed(self, subject: CardPool) -> int | None:
        """Find the limit, as far as it is known."""
        if isinstance(self.limit, int):
            return self.limit
        total = subject.totals.get(self.limit)
        return total.value if total else None


def _weightiest(terms: Sequence[TermValue]) -> str:
    """Write a sum, or the terms that weigh most and how many others there are."""
    if len(terms) <= MOST_TERMS:
        return terms_text(terms)
    most = sorted(terms, key=lambda term: -term.value)[: MOST_TERMS - 2]
    return f"{terms_text(most)} + … ({len(terms) - len(most)})"


# Cards that are named as those that count most.
HEAVIEST = 3


class Tally(Shape, omit_defaults=True):
    """What is counted over the cards: a sum, or different values of a field."""

    sum: Annotated[
        Expression | None,
        Doc(
            "over a card's fields: what each copy adds; true is 1",
            "カードの欄についての式。1枚が足す数。真なら1",
        ),
    ] = None
    different: Annotated[
        str,
        Ref("column"),
        Doc("how many different values of a field there are", "欄の値が何種類あるか"),
    ] = ""
    where: Annotated[Expression | None, Doc("of the cards that count", "数えるカードの条件")] = None


Counts: TypeAlias = dict[Word, Annotated[Tally, Short(under("sum"), TEXT)]]


class Holds(OfDecks[CardPool | OwnCards]):
    """An expression is true of the figures, the frame and the cards of what anybody brings, or of
    the fields of every card of a kind.

    ja: 持ち寄ったものの数値・機体タイプ・カード、または1つの種類のカードそれぞれの欄について、式
    が成り立つ。
    """

    name = "expression"

    holds: Annotated[Expression, Doc("what is true", "成り立つこと")]
    each: Annotated[
        str, Doc("the kind of the cards of which it is true", "成り立つカードの種類")
    ] = ""
    counts: Annotated[
        Counts,
        Doc(
            "name → what is counted over the cards: a condition, or a field to add up, "
            "or `{different: name}`; `where` says of which cards",
            "名前 → カードについて数えるもの：条件、足し合わせる欄、`{different: name}"
            "`（違うものの数）。`where` で対象を絞る",
        ),
    ] = {}

    examples = (
        "{holds: 2 <= 速さ <= 7}",
        "{each: number, holds: value > 0}",
        "{counts: {竜: family == '竜', 種: {different: family}}, holds: 竜 <= 4 and 種 >= 2}",
    )
    sentences = {
        "ja": {
            "expression": (
                "{what}は規則「{title}」に合っていません。",
                "必要な条件：{condition}。{found}{off}",
            ),
            "found": "今の値：{values}",
            "off": "（差は{off}）",
        },
        "en": {
            "expression": (
                "{what} breaks this rule: {title}.",
                "Required: {condition}. {found} {off}",
            ),
            "found": "Found: {values}",
            "off": "(off by {off})",
        },
    }

    def applies(self, subject: CardPool | OwnCards, rule: Rule) -> bool:
        if isinstance(subject, OwnCards):
            return any(card.kind == self.each for card in subject.cards)
        if self.each:
            return False
        if self.counts:
            return asks_only(self.holds, (*subject.names, *self.counts))
        return subject.asks_itself(self.holds)

    def faults(self, subject: CardPool | OwnCards, rule: Rule) -> Iterator[Fault]:
        where = rule.where
        if isinstance(subject, OwnCards):
            for card in [card for card in subject.cards if card.kind == self.each]:
                names = names_about(self.holds, card, {})
                if not holds(self.holds, names, where):
                    values = self._values(names, Name(card.name), rule, _labels(subject.game, card))
                    yield Fault(card.where, "expression", values)
        else:
            adds = {name: _added(subject, one, where) for name, one in self.counts.items()}
            names = {**subject.names, **{name: one.total() for name, one in adds.items()}}
            if not holds(self.holds, names, where):
                values = self._values(names, subject.called, rule, {}, adds)
                yield self._fault(subject, names, values, rule)

    def _values(
        self,
        names: Mapping[str, Known],
        what: Name,
        rule: Rule,
        labels: Mapping[str, str],
        adds: Mapping[str, Counter[str]] = {},
    ) -> Mapping[str, object]:
        """Find what a message says: what was asked for, and by how much it does not hold."""
        asked = sorted(names_in(self.holds) & names.keys())
        off = difference(self.holds, names, rule.where)
        each = {name: as_written(names[name]) for name in asked}
        heaviest = {name: _heaviest(adds.get(name, Counter())) for name in asked}
        each_shown = {n: text if len(text) <= 24 else f"{text[:24]}…" for n, text in each.items()}
        shown = " ".join(f"{labels.get(n, n)}={each_shown[n]}{heaviest[n]}" for n in asked)
        return {
            **each,
            "what": what,
            "title": rule.title,
            "condition": _worded(self.holds, labels),
            "found": sentence("expression", "found", values=shown) if shown else "",
            "off": sentence("expression", "off", off=off) if off else "",
            "gap": str(off or ""),
        }

    def _fault(
        self,
        subject: CardPool,
        names: Mapping[str, Known],
        values: Mapping[str, object],
        rule: Rule,
    ) -> Fault:
        """Say what would mend it: cards that go where a count is too large, else more of some."""
        if not self.counts:
            return Fault(subject.where, "expression", values)
        more, fewer = (self._nearer(names, by, rule.where) for by in (1, -1))
        counts = [self.counts[name] for name in fewer]
        touches = tuple(
            spot
            for spot in subject.spots
            if any(_counts(subject, one, spot.card, rule.where) for one in counts)
        )
        off, lack, least = difference(self.holds, names, rule.where), bool(more) or not fewer, 1
        if off and len(counts) == 1 and not lack:
            least = _fewest(subject, counts[0], touches, ceil(off), rule.where)
        return Fault(subject.where, "expression", values, touches=touches, off=least, lack=lack)

    def _nearer(self, names: Mapping[str, Known], by: int, where: SourceLocation) -> list[str]:
        """Find the counts of which one more, or one less, would bring it nearer to what holds."""
        found = []
        off = difference(self.holds, names, where)
        for name in self.counts:
            value = names[name]
            changed = {**names, name: value + by} if isinstance(value, int) else names
            gap = difference(self.holds, changed, where)
            if holds(self.holds, changed, where) or (off and gap and gap < off):
                found.append(name)
        return found

    def bears(self, subject: CardPool, rule: Rule, fault: Fault, card: Card) -> bool:
        asked = names_in(self.holds)
        counts = [tally for name, tally in self.counts.items() if as_in_formulas(name) in asked]
        return not counts or any(_counts(subject, tally, card, rule.where) for tally in counts)

    def expressions(self, names: AllowedNames) -> Iterator[tuple[str, Collection[str] | None]]:
        own = {*names.build, *self.counts}
        yield self.holds, names.of_cards(self.each) if self.each else own
        texts = [text for tally in self.counts.values() for text in (tally.sum, tally.where)]
        yield from ((text, names.of_pool_cards) for text in texts if text is not None)

    def blanks(self) -> Collection[str]:
        return {*super().blanks(), "gap", *names_in(self.holds)}

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        if self.each and self.counts:
            yield problem_at(at("counts"), "SRC-KEY", "each-and-counts")
        for name, tally in self.counts.items():
            if (tally.sum is None) == (not tally.different):
                yield problem_at(at("counts", name), "SRC-KEY", "sum-or-different", name=name)


def _fewest(
    subject: CardPool, tally: Tally, spots: Sequence[CardSpot], off: int, where: SourceLocation
) -> int:
    """Count how many cards must go at the least for a count to be so much smaller."""
    if tally.different:
        copies = Counter(spot.card.text(tally.different) for spot in spots)
        return sum(sorted(copies.values())[:off])
    worth = (abs(subject.worth(spot.card, tally.sum or "", where)) or 1 for spot in spots)
    return ceil(off / max(worth))


def _counts(subject: CardPool, tally: Tally, card: Card, where: SourceLocation) -> bool:
    """Say whether a card adds anything to a count."""
    if tally.where is not None and not subject.fits(card, tally.where, where):
        return False
    return bool(tally.different) or bool(tally.sum and subject.worth(card, tally.sum, where))


def _added(subject: CardPool, tally: Tally, where: SourceLocation) -> Counter[str]:
    """Find what each card, by its name, adds to a count; of different values each adds 1."""
    found: Counter[str] = Counter()
    for spots in subject.fitting(tally.where, where):
        card = spots[0].card
        if tally.different:
            found[card.text(tally.different)] = 1
        elif tally.sum is not None:
            found[card.name] += subject.worth(card, tally.sum, where) * len(spots)
    return found


def _heaviest(adds: Counter[str]) -> str:
    """Find the cards that add most to a count, where several do."""
    most = [(card, value) for card, value in adds.most_common() if value > 1]
    if len(most) < 2:
        return ""
    more = "…" if len(most) > HEAVIEST else ""
    return f"（{'・'.join(f'{card} {value}' for card, value in most[:HEAVIEST])}{more}）"
