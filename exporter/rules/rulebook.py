"""The rules of a game, read: which there are, which hold under which regulation, and what they find
fault with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from exporter.core import grouped
from exporter.core.problems import (
    COMMAND_LINE,
    InvalidSource,
    Problem,
    SourceLocation,
    error_at,
    nearest,
)
from exporter.model import (
    Game,
    Name,
)
from exporter.model.rule_records import (
    Case,
    Placement,
    Regulation,
)
from exporter.rules.kind import (
    Fault,
    Rule,
    RuleStatus,
    rules_about,
)
from exporter.rules.kinds.exchange import before_exchange
from exporter.rules.subjects import (
    AllDecks,
    Box,
    CardPool,
    Deck,
    FrameChoice,
    MountedBuild,
    OwnCards,
    SeatedRoom,
    Subject,
    lay_out,
    lay_out_decks,
)

STANDINGS: tuple[RuleStatus, ...] = ("checked", "by-hand", "not-yet", "nothing-to-check")


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
        """Find the rules that hold under a regulation, with its parameters."""
        if regulation is None:
            return self
        kept = [rule for rule in self.rules.values() if rule.id not in regulation.without]
        return replace(self, rules=_with_parameters(kept, regulation.parameters))

    def under_any(self) -> Rulebook:
        """Find the rules for whom no regulation is known: those that any of them changes ask
        nothing."""
        changed = {key for one in self.regulations for key in (*one.without, *one.parameters)}
        rules = {
            key: replace(rule, kind=None) if key in changed else rule
            for key, rule in self.rules.items()
        }
        return replace(self, rules=rules)

    def having(self, parameters: Mapping[str, Mapping[str, Any]]) -> Rulebook:
        """Set some parameters of the rules otherwise."""
        return replace(self, rules=_with_parameters(self.rules.values(), parameters))

    def counts(self, looked: Set[str]) -> dict[RuleStatus, int]:
        """Count how many rules are checked, by hand, not yet, and how many of those to be checked
        had nothing to look at: all but the ``looked``."""
        found = Counter(rule.status_after(looked) for rule in self.rules.values())
        return {one: found[one] for one in STANDINGS}


def _with_parameters(
    rules: Iterable[Rule], parameters: Mapping[str, Mapping[str, Any]]
) -> dict[str, Rule]:
    return {
        rule.id: replace(rule, kind=replace(rule.kind, **parameters[rule.id]))
        if rule.kind is not None and rule.id in parameters
        else rule
        for rule in rules
    }


def unreplaced(versions: Iterable[Regulation]) -> list[Regulation]:
    """Find the versions that no other one calls its predecessor; of sound ones there is one."""
    found = list(versions)
    replaced = {regulation.predecessor for regulation in found}
    return [one for one in found if one.version not in replaced]


def newest(versions: list[Regulation]) -> Regulation:
    """Find the version that no other one calls its predecessor."""
    return (unreplaced(versions) or versions)[-1]


def choose_regulation(
    book: Rulebook, asked: str, on: str = "", where: SourceLocation = COMMAND_LINE
) -> Regulation:
    """Choose by name: ``name`` is the newest version, ``name@3`` one version, ``on`` the one in
    force that day.

    No name is the game's default; a game without regulations has one that sets nothing.

    Raises ``InvalidSource`` for unknown ones, and where an unknown date leaves the answer open.
    """
    asked = asked or next((one.id for one in book.regulations if one.default), "")
    names = dict.fromkeys(one.id for one in book.regulations)
    if not asked and not names:
        return Regulation(id="", version="", title=Name(""), date="unknown")
    if not asked:
        raise error_at(where, "REGULATION", "none-games-regulations", listed=", ".join(names))
    name, _, version = asked.partition("@")
    versions = {one.version: one for one in book.regulations if one.id == name}
    if not versions:
        near = nearest(name, names)
        raise error_at(where, "REGULATION", "no-regulation", name=name, nearest=near)
    if not version:
        every = list(versions.values())
        return _in_force(name, every, on, where) if on else newest(every)
    if version not in versions:
        values = {"name": name, "version": version, "nearest": nearest(version, versions)}
        raise error_at(where, "REGULATION", "regulation-no-version", **values)
    return versions[version]


def _in_force(name: str, versions: list[Regulation], on: str, where: SourceLocation) -> Regulation:
    """Find the version in force on a day. Raises ``InvalidSource``."""
    undated = [str(one) for one in versions if one.date == "unknown"]
    if undated:
        raise error_at(
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
        raise error_at(
            where,
            "REGULATION",
            "no-version-force",
            name=name,
            on=on,
            first=first,
            date=first.date,
        )
    return past[-1]


Found: TypeAlias = tuple[Rule, Fault]


class Judgement(NamedTuple):
    """What rules say of a subject: everything against it, what is wrong with the rules themselves,
    and the ids of those rules that had anything to look at.

    A rule that looked at nothing found no fault either, and is not to be called checked for that;
    nor is one that cannot be asked.
    """

    faults: list[Found]
    problems: list[Problem]
    looked: set[str]


def apply_rules(subject: Subject, rules: Iterable[Rule]) -> Judgement:
    """Hold a subject against rules, in their order."""
    rules = tuple(rules)
    if isinstance(subject, MountedBuild):
        subject = before_exchange(subject, rules)
    problems, unread = (
        (subject.problems, subject.unread) if isinstance(subject, CardPool) else ((), 0)
    )
    found = Judgement([], list(problems), set())
    for rule, kind, part in rules_about(subject, rules):
        try:
            if not kind.applies(part, rule):
                continue
            found.looked.add(rule.id)
            faults = list(kind.faults(part, rule))
        except InvalidSource as error:
            found.problems.extend(error.problems)
            continue
        if isinstance(part, Deck) and part.kind is not None:
            faults = [replace(fault, part=part.id) for fault in faults]
        kept = (fault for fault in faults if not (fault.lack and fault.off <= unread))
        found.faults.extend((rule, fault) for fault in kept)
    return found


def used_rules(subjects: Iterable[Subject], rules: Iterable[Rule]) -> set[str]:
    """Find the ids of the rules that have anything to look at in any of some subjects."""
    rules = tuple(rules)
    return set().union(*(apply_rules(subject, rules).looked for subject in subjects))


def subjects_of(game: Game, placements: Mapping[str, Placement]) -> Iterator[Subject]:
    """Find what a game itself has for rules to look at, besides the loadouts of its mechs: its
    rooms, cards and decks. Raises ``InvalidSource`` at the decks of a mech that cannot be laid
    out."""
    yield from (SeatedRoom(game, plan) for plan in game.rooms.values())
    yield Box(game)
    yield OwnCards(game, tuple(game.cards.values()))
    if game.decks:
        yield AllDecks(game, game.decks)
    for deck_id, entries in grouped(game.decks, lambda entry: entry.deck).items():
        yield from lay_out_decks(game, deck_id, entries, game.mechs.get(deck_id), placements)


def everything_in(game: Game, placements: Mapping[str, Placement]) -> Iterator[Subject]:
    """Lay out the same, and the loadouts, as far as they can be laid out."""
    with suppress(InvalidSource):
        yield from subjects_of(game, placements)
    for mech in game.mechs.values():
        for build in mech.loadouts.values():
            yield FrameChoice(game, build)
            with suppress(InvalidSource):
                yield lay_out(game, build, placements, claims=mech.printed)
