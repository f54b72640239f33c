"""What a game's rules say, once read: rules, mount patterns, regulations, cases, entries.

Frozen values like those of ``exporter.model``; they are read only by commands that check or
explain, so that building a room never pays for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from exporter.model import Build, Card, Name, Source
from exporter.problems import COMMAND_LINE, Problem, Where, nearest, refusal

if TYPE_CHECKING:
    from exporter.rules.kind import RuleKind

Status: TypeAlias = Literal["checked", "by-hand", "not-yet"]

_UNNAMED = Name("")

Standing: TypeAlias = Literal["checked", "by-hand", "not-yet", "nothing-to-check"]

STANDINGS: tuple[Standing, ...] = ("checked", "by-hand", "not-yet", "nothing-to-check")


class Rule(Struct, frozen=True, kw_only=True):
    """A sentence of the rulebook: a ``kind``, with its parameters, where the program checks it.

    ``says`` is what is told instead of its kind's sentence, with the same blanks;
    ``reason`` says why a rule is left to people; ``assumed`` names parameters that no source
    states.
    """

    id: str
    title: Name
    status: Status
    cites: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    certainty: str = "stated"
    kind: RuleKind[Any] | None = None
    assumed: tuple[str, ...] = ()
    text: Name = _UNNAMED
    says: Name = _UNNAMED
    reason: Name = _UNNAMED
    where: Where = Where()


def standing(rule: Rule, looked: Set[str]) -> Standing:
    """A rule's status, or that it had nothing to check: it is none of the ``looked``, by id."""
    if rule.status == "checked" and rule.id not in looked:
        return "nothing-to-check"
    return rule.status


class Placement(Struct, frozen=True, kw_only=True):
    """A mount pattern. What is empty sets no bounds.

    ``sets``: the copies fill whole sets, each so many in each of its parts (sets share no part).
    ``at_least``: one copy or more in one of these parts. ``at_most``: copies in any one part.
    ``frame``: a condition over the frame's names.
    """

    id: str
    parts: tuple[str, ...] = ()
    sets: tuple[Mapping[str, int], ...] = ()
    at_least: tuple[str, ...] = ()
    at_most: int = 0
    frame: str = ""
    where: Where = Where()


class Regulation(Struct, frozen=True, kw_only=True):
    """One dated version of an event's limits.

    ``without`` are the rules that do not hold here, ``parameters``, by rule and field of its kind,
    what it sets of those that do;
    ``not_yet`` the clauses that nobody could read. ``date`` is ISO, or ``unknown``. The ``default``
    one holds where nobody names one.
    """

    id: str
    version: str
    title: Name
    date: str
    default: bool = False
    predecessor: str = ""
    certainty: str = "stated"
    cites: tuple[str, ...] = ()
    without: frozenset[str] = frozenset()
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    not_yet: tuple[Name, ...] = ()
    note: Name = _UNNAMED
    where: Where = Where()

    def __str__(self) -> str:
        return f"{self.id}@{self.version}" if self.id else ""


class Waiver(Struct, frozen=True, kw_only=True):
    """A rule that somebody agreed to overlook, and why."""

    rule: str
    reason: str
    where: Where = Where()


class Submission(Struct, frozen=True, kw_only=True):
    """A player's own construction as handed in.

    ``loose`` are cards without a part, which ``suggest`` finds places for. ``unread`` are the
    faults of its file that keep it from being read whole.
    """

    build: Build
    game: str = ""
    regulation: str = ""
    waivers: tuple[Waiver, ...] = ()
    loose: tuple[str, ...] = ()
    unread: tuple[Problem, ...] = ()


class Case(Struct, frozen=True, kw_only=True):
    """An example of what the rules say: exactly the rules in ``raises`` are broken in it.

    One of: ``build`` with ``claims`` about its figures, or with decks; ``mech`` with changed marks
    of its deck and changed printed figures, or a printed deck without a mech; ``room``; ``play``, a
    rule of play that is ``given`` a situation, with a ``claim`` about what comes of it; or only
    ``cards``, made up for the case. ``on`` is the day that is asked about, if any.
    ``about`` are rules that it shows kept.
    """

    name: str
    raises: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    notices: tuple[str, ...] | None = None
    build: Build | None = None
    claims: Mapping[str, int] = field(default_factory=dict)
    mech: str = ""
    deck: tuple[Mapping[str, Any], ...] = ()
    room: Mapping[str, Any] | None = None
    play: str = ""
    given: Mapping[str, Any] = field(default_factory=dict)
    claim: Any = None
    cards: tuple[Card, ...] = ()
    regulation: str = ""
    boxes: tuple[str, ...] = ()
    on: str = ""
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    where: Where = Where()


class Rulebook(Struct, frozen=True, kw_only=True):
    """All rules of a game, in the order of its file.

    ``unread_cases`` says how many cases there are besides that could not be read.
    """

    rules: Mapping[str, Rule] = field(default_factory=dict)
    placements: Mapping[str, Placement] = field(default_factory=dict)
    regulations: tuple[Regulation, ...] = ()
    cases: tuple[Case, ...] = ()
    unread_cases: int = 0

    def under(self, regulation: Regulation | None) -> Rulebook:
        """The rules that hold under a regulation, with its parameters."""
        if regulation is None or not (regulation.without or regulation.parameters):
            return self
        return replace(self, rules=in_force(self.rules, regulation))

    def under_any(self) -> Rulebook:
        """The rules for whom no regulation is known: those that any of them changes ask nothing."""
        changed = {key for one in self.regulations for key in (*one.without, *one.parameters)}
        rules = {
            key: replace(rule, kind=None) if key in changed else rule
            for key, rule in self.rules.items()
        }
        return replace(self, rules=rules)

    def having(self, parameters: Mapping[str, Mapping[str, Any]]) -> Rulebook:
        """The same rules with some parameters set otherwise."""
        if not parameters:
            return self
        return replace(self, rules=_with_parameters(self.rules.values(), parameters))

    def counts(self, looked: Set[str]) -> dict[Standing, int]:
        """How many rules are checked, by hand, not yet, and how many of those to be checked had
        nothing to look at: all but the ``looked``."""
        standings = [standing(rule, looked) for rule in self.rules.values()]
        return {one: standings.count(one) for one in STANDINGS}


def _with_parameters(
    rules: Iterable[Rule], parameters: Mapping[str, Mapping[str, Any]]
) -> dict[str, Rule]:
    return {
        rule.id: replace(rule, kind=replace(rule.kind, **parameters[rule.id]))
        if rule.kind is not None and rule.id in parameters
        else rule
        for rule in rules
    }


def in_force(rules: Mapping[str, Rule], regulation: Regulation) -> dict[str, Rule]:
    """The rules that hold under a regulation."""
    kept = [rule for rule in rules.values() if rule.id not in regulation.without]
    return _with_parameters(kept, regulation.parameters)


def unreplaced(versions: Iterable[Regulation]) -> list[Regulation]:
    """The versions that no other one calls its predecessor; of sound ones there is one."""
    found = list(versions)
    replaced = {regulation.predecessor for regulation in found}
    return [one for one in found if one.version not in replaced]


def newest(versions: list[Regulation]) -> Regulation:
    """The version that no other one calls its predecessor."""
    return (unreplaced(versions) or versions)[-1]


def choose_regulation(
    book: Rulebook, wish: str, on: str = "", where: Where = COMMAND_LINE
) -> Regulation:
    """``name`` is the newest version, ``name@3`` one version, ``on`` the one in force that day.

    No name is the game's default; a game without regulations has one that sets nothing.

    Raises ``InvalidSource`` for unknown ones, and where an unknown date leaves the answer open.
    """
    if not wish:
        wish = next((one.id for one in book.regulations if one.default), "")
    if not wish and not book.regulations:
        return Regulation(id="", version="", title=_UNNAMED, date="unknown")
    if not wish:
        listed = ", ".join(dict.fromkeys(one.id for one in book.regulations))
        raise refusal(where, "REGULATION", "none-games-regulations", listed=listed)
    name, _, version = wish.partition("@")
    versions = [one for one in book.regulations if one.id == name]
    if not versions:
        names = dict.fromkeys(one.id for one in book.regulations)
        raise refusal(where, "REGULATION", "no-regulation", name=name, nearest=nearest(name, names))
    if version:
        for one in versions:
            if one.version == version:
                return one
        raise refusal(
            where,
            "REGULATION",
            "regulation-no-version",
            name=name,
            version=version,
            nearest=nearest(version, [one.version for one in versions]),
        )
    return _in_force(name, versions, on, where) if on else newest(versions)


def _in_force(name: str, versions: list[Regulation], on: str, where: Where) -> Regulation:
    """The version in force on a day. Raises ``InvalidSource``."""
    undated = [str(one) for one in versions if one.date == "unknown"]
    if undated:
        raise refusal(
            where,
            "REGULATION",
            "force-unknown-no",
            name=name,
            on=on,
            names=", ".join(undated),
            newest=newest(versions),
        )
    past = sorted((one for one in versions if one.date <= on), key=lambda one: one.date)
    if not past:
        first = min(versions, key=lambda one: one.date)
        raise refusal(
            where,
            "REGULATION",
            "no-version-force",
            name=name,
            on=on,
            first=first,
            date=first.date,
        )
    return past[-1]
