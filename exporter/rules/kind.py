"""What a kind of rule is, and all that the files of ``exporter.rules.kinds`` need to say of one.

A kind is one class. Its fields are the parameters that a rule gives it, its docstring is its
sentence in the docs; an instance is what one rule asks.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from string import Formatter
from typing import (
    Annotated,
    Any,
    ClassVar,
    Generic,
    Literal,
    TypeAlias,
    TypeVar,
    get_args,
    get_type_hints,
)

from msgspec import Meta, Struct, field

from exporter.core.messages import (
    Sentence,
    Sentences,
    add_sentences,
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
from exporter.model.rule_records import WrittenRule
from exporter.model.shape import (
    MOST,
    Doc,
    Ref,
    Shape,
    Word,
)
from exporter.rules.figures import (
    CARD_NAMES,
)
from exporter.rules.subjects import (
    AllDecks,
    Box,
    CardPool,
    CardSpot,
    Deck,
    Fault,
    FrameChoice,
    MountedBuild,
    OwnCards,
    SeatedRoom,
    Skill,
    fault_at,
)

# All that a file of ``exporter.rules.kinds`` needs, from here.
__all__ = (
    "AllDecks", "AllowedNames", "Box", "CardKind", "CardPool", "CardSpot", "Deck", "DeckId",
    "Expression", "Fault", "FieldId", "FigureId", "FrameChoice", "MountedBuild", "Number",
    "OfDecks", "OfEachCard", "OwnCards", "Rule", "RuleKind", "RuleStatus", "SeatedRoom", "Skill",
    "blanks_of", "fault_at", "fault_problem", "listed_values", "rules_about", "wrong_numbers",
)  # fmt: skip

# Numbers of which a rule asks for cards.
MOST_SETS = 1000

S = TypeVar("S")
B = TypeVar("B", bound=CardPool)

_LIMITS = Meta(min_length=1, max_length=400)
Expression: TypeAlias = Annotated[str, _LIMITS]
Number: TypeAlias = Annotated[int, Meta(ge=-MOST, le=MOST)]
FigureId: TypeAlias = Annotated[Word, Ref("figure")]
FieldId: TypeAlias = Annotated[Word, Ref("field")]
DeckId: TypeAlias = Annotated[Word, Ref("deck")]
CardKind: TypeAlias = Annotated[Word, Ref("kind")]
RuleStatus: TypeAlias = Literal["checked", "by-hand", "not-yet", "nothing-to-check"]


class AllowedNames(Struct, frozen=True):
    """The names that expressions may ask for: those of a ``build``, and ``fields`` by card kind."""

    build: frozenset[str]
    fields: Mapping[str, frozenset[str]]

    def of_cards(self, kind: str) -> Collection[str]:
        """List the names of cards of one kind."""
        return self.fields.get(kind, frozenset()) | set(CARD_NAMES)

    @property
    def of_any_card(self) -> Collection[str]:
        """Those of cards of any kind, whoever brings them."""
        return frozenset(CARD_NAMES).union(*self.fields.values())

    @property
    def of_pool_cards(self) -> Collection[str]:
        """Those of any cards that somebody brings, in a build with figures."""
        return self.build.union(CARD_NAMES, *self.fields.values())


class Rule(WrittenRule, frozen=True, kw_only=True, dict=True):
    """A sentence of the rulebook: a ``kind``, with its parameters, where the program checks it."""

    sources: tuple[Source, ...] = ()
    kind: "RuleKind[Any] | None" = field(default=None, name="asked")

    def status_after(self, looked: Set[str]) -> RuleStatus:
        """Tell its status, or that it had nothing to check: it is none of the ``looked`` by id."""
        if self.status == "checked" and self.id not in looked:
            return "nothing-to-check"
        return self.status


class RuleKind(Shape, Generic[S]):
    """A kind of rule: ``RuleKind[Deck]`` looks at decks (of types in ``exporter.rules.subjects``).

    ``kind:`` in rules.yaml says its ``name``, by default that of the class: ``deck_size`` is
    ``DeckSize``. ``examples`` are parameters there.
    ``suggest`` mends a fault by leaving out a card that it touches, or a skill where it touches
    none; with ``by_moving`` by moving such a card too, with ``by_skills`` by a skill in any case.
    ``repeats`` is the field of cards by which it repeats something. One ``before_exchange`` looks
    at a build with the cards besides whose place others took. Of the parameters ``one_of`` a rule
    gives at least one.
    """

    name: ClassVar[str] = ""
    examples: ClassVar[tuple[str, ...]] = ()
    subjects: ClassVar[tuple[type, ...]] = ()
    sentences: ClassVar[Sentences] = {}
    by_moving: ClassVar[bool] = False
    by_skills: ClassVar[bool] = False
    before_exchange: ClassVar[bool] = False
    repeats: ClassVar[str] = ""
    one_of: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "name" not in vars(cls):
            cls.name = re.sub(r"(?<!^)([A-Z])", r"_\1", cls.__name__).lower()
        if cls.sentences:
            add_sentences(cls.name, cls.sentences)
        for base in vars(cls).get("__orig_bases__", ()):
            for subject in get_args(base):
                one_of = get_args(subject) or (subject,)
                cls.subjects = tuple(one for one in one_of if isinstance(one, type))

    def faults(self, subject: S, rule: Rule) -> Iterator[Fault]:
        """Find what a subject has against a rule of this kind. Raises ``InvalidSource``."""
        return iter(())

    def about(self, subject: S) -> Sequence[S]:
        """Choose what of a subject it looks at: all of it, parts, nothing."""
        return (subject,)

    def applies(self, subject: S, rule: Rule) -> bool:
        """Say whether a subject has anything for the rule to look at. Raises ``InvalidSource``."""
        return True

    def expressions(self, names: AllowedNames) -> Iterator[tuple[str, Collection[str] | None]]:
        """List the parameters that are expressions, each with the names allowed, if known: by
        default all declared as such, which are about cards."""
        known = names.of_any_card if Box in self.subjects else names.of_pool_cards
        for name, hint in get_type_hints(type(self), include_extras=True).items():
            if getattr(self, name) and _asks(hint):
                yield getattr(self, name), known

    def expression_fields(self) -> tuple[str, ...]:
        """Name the fields of cards that hold expressions about other cards."""
        return ()

    def reaching_fields(self) -> tuple[str, ...]:
        """Name the fields by which a card changes what holds of others."""
        return self.expression_fields()

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        """Find what is wrong with its parameters together; ``at`` places one by its path."""
        given = [getattr(self, name) for name in self.one_of]
        if given and not any(value or value == 0 for value in given):
            names = ", ".join(f"`{name}`" for name in self.one_of)
            yield problem_at(at(), "SRC-KEY", "kind-without", kind=self.name, names=names)

    def by_fewer(self) -> bool:
        """Say whether a fault is mended by fewer cards in a part alone, whichever they are."""
        return False

    def bears(self, subject: CardPool, rule: Rule, fault: Fault, card: Card) -> bool:
        """Say whether more or fewer copies of a card could mend a fault of a deck."""
        return True

    def blanks(self) -> Collection[str]:
        """Name what a rule's own sentence may have blanks for."""
        texts = self.sentences.get("en", {}).values()
        return blanks_of(*(one if isinstance(one, str) else "".join(one) for one in texts))


def _asks(hint: Any) -> bool:
    """Say whether a parameter is declared as an ``Expression``, or one or nothing."""
    inner = get_args(hint)
    return hint == Expression or (_LIMITS in inner) or any(map(_asks, inner))


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

    before_exchange = True

    def faults(self, subject: B, rule: Rule) -> Iterator[Fault]:
        for spots in self.groups(subject, rule):
            yield from self.of_copies(subject, spots)

    def groups(self, subject: B, rule: Rule) -> Iterable[Sequence[CardSpot]]:
        """Group the copies of each card."""
        return subject.by_card.values()

    def of_copies(self, subject: B, spots: Sequence[CardSpot]) -> Iterator[Fault]:
        """Find what is wrong with all copies of one card."""
        return iter(())


def rules_about(
    subject: object, rules: Iterable[Rule]
) -> Iterator[tuple[Rule, RuleKind[Any], Any]]:
    """Pair the rules about a subject with their kinds, and with what of it they look at."""
    for rule in rules:
        kind = rule.kind
        if kind is not None and isinstance(subject, kind.subjects):
            for part in kind.about(subject):
                is_before = kind.before_exchange and isinstance(part, MountedBuild)
                yield rule, kind, part.before if is_before else part


def fault_problem(game: Game, fault: Fault, rule: Rule) -> Problem:
    """Make a problem of a fault, with its rule and the game's words in both languages."""
    assert rule.kind is not None, "only a kind finds fault"
    values = {name: game.in_both(value) for name, value in fault.values.items()}
    text = sentence(rule.kind.name, fault.text, **values)
    if rule.says.ja and blanks_of(rule.says.ja, rule.says.en) <= fault.values.keys():
        text = OwnSentence(text.of, text.key, text.values, rule.says)
    return Problem(fault.where, rule.id, text, fault.severity, rule.cites, rule.sources)


class OwnSentence(Sentence, frozen=True):
    """A rule's own sentence; what to do is its kind's."""

    says: Name = Name("")

    def both(self, language: str) -> tuple[str, str]:
        message = filled(self.says.in_language(language), self.plain_values(language))
        return message, Sentence(self.of, self.key, self.values).both(language)[1]


def blanks_of(*texts: str) -> set[str]:
    """Find the names of the blanks in texts. Raises ``ValueError`` for a stray brace."""
    each = (name for text in texts for _, name, _, _ in Formatter().parse(text))
    return {name for name in each if name is not None}


def listed_values(values: Sequence[str], least: int | None, most: int | None) -> Sequence[str]:
    """List the values of which there are to be cards: some, or the numbers of a row."""
    if values or least is None or most is None:
        return values
    return [str(number) for number in range(least, most + 1)]


def wrong_numbers(
    at: Callable[..., SourceLocation], least: int | None, most: int | None
) -> Iterator[Problem]:
    """Check the ends of a row of numbers of which there are to be cards."""
    if least is None or most is None:
        if least is not most:
            yield problem_at(at(), "SRC-KEY", "set-numbers-both")
    elif not least <= most < least + MOST_SETS:
        highest = MOST_SETS
        yield problem_at(
            at(), "SRC-VALUE", "no-numbers-or", least=least, most=most, highest=highest
        )
