"""What a kind of rule is, and all that the files of ``exporter.rules.kinds`` need to say of one.

A kind is one class. Its fields are the parameters that a rule gives it, its docstring is its
sentence in the docs; an instance is what one rule asks.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from string import Formatter
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeAlias, TypeVar, get_args

from msgspec import Meta, Struct, field

from exporter.core.cancellation import check_cancelled
from exporter.core.messages import (
    Sentence,
    Sentences,
    bring,
    filled,
    sentence,
)
from exporter.core.problems import (
    Problem,
    SourceLocation,
    problem_at,
)
from exporter.model import (
    Card,
    Game,
    Name,
    Source,
)
from exporter.model.fields import MOST
from exporter.model.rule_records import WrittenRule
from exporter.model.shape import (
    Doc,
    Ref,
    Shape,
    Word,
)
from exporter.rules.deck_subjects import Deck as Deck
from exporter.rules.expressions import (
    as_asked,
    names_in,
)
from exporter.rules.figures import (
    CARD_NAMES,
)
from exporter.rules.subjects import AllDecks as AllDecks
from exporter.rules.subjects import Bench as Bench
from exporter.rules.subjects import Box as Box
from exporter.rules.subjects import Brought as Brought
from exporter.rules.subjects import CardSpot as CardSpot
from exporter.rules.subjects import Fault as Fault
from exporter.rules.subjects import FrameChoice as FrameChoice
from exporter.rules.subjects import OwnCards as OwnCards
from exporter.rules.subjects import SeatedRoom as SeatedRoom
from exporter.rules.subjects import Skill as Skill

MOST_SETS = 1000
"""Numbers of which a rule asks for cards."""

S = TypeVar("S")
B = TypeVar("B", bound=Brought)

Expression: TypeAlias = Annotated[str, Meta(min_length=1, max_length=400)]
Number: TypeAlias = Annotated[int, Meta(ge=-MOST, le=MOST)]
FigureId: TypeAlias = Annotated[Word, Ref("figure")]
FieldId: TypeAlias = Annotated[Word, Ref("field")]
DeckId: TypeAlias = Annotated[Word, Ref("deck")]
CardKind: TypeAlias = Annotated[Word, Ref("kind")]
Standing: TypeAlias = Literal["checked", "by-hand", "not-yet", "nothing-to-check"]


class AllowedNames(Struct, frozen=True):
    """The names that expressions may ask for: those of a ``build``, and ``fields`` by card kind."""

    build: frozenset[str]
    fields: Mapping[str, frozenset[str]]

    def of_cards(self, kind: str) -> Collection[str]:
        """Those of cards of one kind."""
        return self.fields.get(kind, frozenset()) | set(CARD_NAMES)

    @property
    def of_any_card(self) -> Collection[str]:
        """Those of cards of any kind, whoever brings them."""
        return frozenset(CARD_NAMES).union(*self.fields.values())

    @property
    def of_cards_brought(self) -> Collection[str]:
        """Those of any cards that somebody brings, in a build with figures."""
        return self.build.union(CARD_NAMES, *self.fields.values())


class Rule(WrittenRule, frozen=True, kw_only=True, dict=True):
    """A sentence of the rulebook: a ``kind``, with its parameters, where the program checks it."""

    sources: tuple[Source, ...] = ()
    kind: "RuleKind[Any] | None" = field(default=None, name="asked")

    def standing(self, looked: Set[str]) -> Standing:
        """Its status, or that it had nothing to check: it is none of the ``looked``, by id."""
        if self.status == "checked" and self.id not in looked:
            return "nothing-to-check"
        return self.status


class RuleKind(Shape, Generic[S]):
    """A kind of rule: ``RuleKind[Deck]`` looks at decks (of types in ``exporter.rules.subjects``).

    ``kind:`` in rules.yaml says its ``name``, by default that of its file; ``examples`` are
    parameters there.
    ``suggest`` mends a fault by leaving out a card that it touches, or a skill where it touches
    none; with ``by_moving`` by moving such a card too, with ``by_skills`` by a skill in any case.
    ``repeats`` is the field of cards by which it repeats something. With ``before_exchange`` the
    build is held to it as it was before cards were exchanged, too.
    """

    name: ClassVar[str] = ""
    examples: ClassVar[tuple[str, ...]] = ()
    subjects: ClassVar[tuple[type, ...]] = ()
    sentences: ClassVar[Sentences] = {}
    by_moving: ClassVar[bool] = False
    by_skills: ClassVar[bool] = False
    before_exchange: ClassVar[bool] = False
    repeats: ClassVar[str] = ""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "name" not in vars(cls):
            cls.name = cls.__module__.rpartition(".")[2]
        if cls.sentences:
            bring(cls.name, cls.sentences)
        for base in vars(cls).get("__orig_bases__", ()):
            for subject in get_args(base):
                one_of = get_args(subject) or (subject,)
                cls.subjects = tuple(one for one in one_of if isinstance(one, type))

    def faults(self, subject: S, rule: Rule) -> Iterator[Fault]:
        """What a subject has against a rule of this kind. Raises ``InvalidSource``."""
        return iter(())

    def about(self, subject: S) -> Sequence[S]:
        """What of this one among its subjects it asks anything of: all of it, parts, nothing."""
        return (subject,)

    def looks(self, subject: S, rule: Rule) -> bool:
        """Whether a subject has anything for the rule to look at. Raises ``InvalidSource``."""
        return True

    def expressions(self, names: AllowedNames) -> Iterator[tuple[str, Collection[str] | None]]:
        """Its parameters that are expressions, each with the names it may ask for, if known."""
        return iter(())

    def expression_fields(self) -> tuple[str, ...]:
        """The fields of cards that hold expressions about other cards."""
        return ()

    def reaching_fields(self) -> tuple[str, ...]:
        """The fields by which a card changes what holds of others."""
        return self.expression_fields()

    def wrong(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        """What its parameters together do wrong; ``at`` gives the place of one by its path."""
        return iter(())

    def by_fewer(self) -> bool:
        """Whether a fault is mended by fewer cards in a part alone, whichever they are."""
        return False

    def loosens(self, bench: Bench) -> Collection[str]:
        """What mounted cards change for others: their ``place``, the ``number`` they need."""
        return ()

    def bears(self, subject: Brought, rule: Rule, fault: Fault, card: Card) -> bool:
        """Whether more or fewer copies of a card could mend a fault of somebody's decks."""
        return True

    def relations(self, game: Game, card: Card, rule: Rule) -> Iterator[tuple[str, Sequence[Card]]]:
        """How a card stands to others, for ``explain``: a key of the sentences, and those."""
        return iter(())

    def blanks(self) -> Collection[str]:
        """What a rule's own sentence may have blanks for."""
        said = self.sentences.get("en", {}).values()
        return blanks_of(*(one if isinstance(one, str) else "".join(one) for one in said))


class OfDecks(RuleKind[S], kw_only=True):
    """A kind that may be about some decks alone."""

    decks: Annotated[
        tuple[DeckId, ...],
        Doc(
            "the decks it is about; by default all that anybody brings",
            "調べるデッキ。なければ持ち寄ったもの全部",
        ),
    ] = ()
    together: Annotated[
        bool,
        Doc(
            "those of `decks` that a player brings count as one",
            "`decks` のうち持ち寄ったものを1つとして数える",
        ),
    ] = False

    def about(self, subject: S) -> Sequence[S]:
        if not self.decks:
            return (subject,)
        found: Sequence[Any] = ()
        if isinstance(subject, Deck):
            found = subject.about(self.decks, self.together)
        return found


class OfEachCard(RuleKind[B]):
    """A kind that looks at the copies of one card at a time, those before an exchange included."""

    def faults(self, subject: B, rule: Rule) -> Iterator[Fault]:
        for spots in self.groups(subject, rule):
            yield from self.of_copies(subject, spots)

    def groups(self, subject: B, rule: Rule) -> Iterable[Sequence[CardSpot]]:
        """The copies of each card."""
        return subject.before.values()

    def of_copies(self, subject: B, spots: Sequence[CardSpot]) -> Iterator[Fault]:
        """What is wrong with all copies of one card."""
        return iter(())


def asked(subject: object, rules: Iterable[Rule]) -> Iterator[tuple[Rule, RuleKind[Any], Any]]:
    """The rules that are about a subject, with their kinds, and what of it they are about."""
    for rule in rules:
        kind = rule.kind
        if kind is not None and isinstance(subject, kind.subjects):
            for part in kind.about(subject):
                check_cancelled()
                yield rule, kind, part


def said(fault: Fault, rule: Rule) -> Problem:
    """A fault as a problem, stamped with its rule."""
    assert rule.kind is not None, "only a kind finds fault"
    text = sentence(rule.kind.name, fault.text, **fault.values)
    if rule.says.ja and blanks_of(rule.says.ja, rule.says.en) <= fault.values.keys():
        text = Own(text.of, text.key, text.values, rule.says)
    return Problem(fault.where, rule.id, text, fault.severity, rule.cites, rule.sources)


class Own(Sentence, frozen=True):
    """What a rule says in words of its own; what to do is its kind's."""

    says: Name = Name("")

    def both(self, language: str) -> tuple[str, str]:
        message = filled(self.says.in_language(language), self.plain_values(language))
        return message, Sentence(self.of, self.key, self.values).both(language)[1]


def blanks_of(*texts: str) -> set[str]:
    """The names of the blanks in some texts. Raises ``ValueError`` for a stray brace."""
    each = (name for text in texts for _, name, _, _ in Formatter().parse(text))
    return {name for name in each if name is not None}


def wrong_numbers(
    at: Callable[..., SourceLocation], least: int | None, most: int | None
) -> Iterator[Problem]:
    """What is wrong with numbers from one to another of which there are to be cards."""
    if least is None or most is None:
        if least is not most:
            yield problem_at(at(), "SRC-KEY", "set-numbers-both")
    elif not least <= most < least + MOST_SETS:
        highest = MOST_SETS
        yield problem_at(
            at(), "SRC-VALUE", "no-numbers-or", least=least, most=most, highest=highest
        )


def labels_of(game: Game, card: Card) -> Mapping[str, str]:
    """What the fields of a card are called where players read them."""
    return {field: label for label, field in game.kinds[card.kind].detail.items()}


def card_shown(game: Game, card: Card, condition: str) -> Name:
    """A card with what a condition asks of it: labels and values, or the value alone of a text
    that has no label; what is shown nowhere is left out."""
    labels, asked = labels_of(game, card), names_in(condition)
    kinds = [game.kinds[card.kind].name] if "kind" in asked else []
    found = []
    for name in card.fields:
        text = card.text(name) if as_asked(name) in asked else ""
        if text and (name in labels or isinstance(card.get(name), str)):
            found.append(f"{labels[name]} {text}" if name in labels else text)
    each = {key: "・".join([*(n.in_language(key) for n in kinds), *found]) for key in ("ja", "en")}
    if not each["ja"]:
        return Name(card.name)
    return Name(f"{card.name}（{each['ja']}）", f"{card.name} ({each['en']})")
