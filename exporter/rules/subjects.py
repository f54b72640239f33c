"""What rules look at: the cards that somebody brings, a card itself, a room, a choice of frame;
and what one may have against a rule.

Somebody brings cards mounted in a build's parts (``MountedBuild``), or in a deck (``Deck``).
What holds of cards wherever they are asks for ``CardPool``, and so for either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from itertools import chain
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from exporter.core import grouped, sum_by_key
from exporter.core.problems import Problem, Severity, SourceLocation
from exporter.model import (
    Build,
    Card,
    DeckEntry,
    DeckKind,
    Game,
    Mech,
    Name,
    Pilot,
    RoomPlan,
    Variant,
)
from exporter.model.rule_records import Placement
from exporter.rules.expressions import Known, asks_only, holds, whole
from exporter.rules.figures import (
    Total,
    all_figures,
    figures_of_cards,
    meets,
    names_about,
    slots_by_part,
    work_out,
)

# More cards than anybody brings.
ANY_NUMBER = 1_000_000_000


class CardSpot(Struct, frozen=True):
    """A card that somebody brings: its part and slot (from 0), where the source says so.

    Those of a deck have its id for a part.
    """

    part: str
    slot: int
    card: Card
    where: SourceLocation


class Skill(Struct, frozen=True):
    """A skill of a pilot, and where the source says so."""

    pilot: Pilot
    card: Card
    where: SourceLocation


class Fault(Struct, frozen=True):
    """One thing against a rule; ``text`` is a key of its kind's sentences, ``values`` fill them.

    Whatever mends it moves or removes one of ``touches`` or adds ``missing``; it takes ``off``
    changes at the least, in the deck ``part`` where it is that one's, of which ``net`` make it
    larger. With ``lack``,
    something absent would mend it: cards with names that cannot be read are not blamed for it. A
    ``steadfast`` one stands whatever else is brought; others rest on what is absent, or on figures.
    """

    where: SourceLocation
    text: str
    values: Mapping[str, object] = field(default_factory=dict)
    severity: Severity = Severity.ERROR
    touches: tuple[CardSpot, ...] = ()
    part: str = ""
    off: int = 1
    net: int = 0
    missing: Card | None = None
    lack: bool = False
    steadfast: bool = False


def fault_at(
    where: SourceLocation,
    text: str,
    /,
    *,
    severity: Severity = Severity.ERROR,
    touches: Iterable[CardSpot] = (),
    off: int = 1,
    missing: Card | None = None,
    lack: bool = False,
    steadfast: bool = False,
    **values: object,
) -> Fault:
    """Make a fault whose ``values`` fill the blanks of its sentence."""
    return Fault(
        where,
        text,
        values,
        severity,
        tuple(touches),
        off=off,
        missing=missing,
        lack=lack,
        steadfast=steadfast,
    )


class CardPool(Struct, frozen=True, dict=True, kw_only=True):
    """The cards that somebody brings, by ``name`` as people call them together.

    ``names`` are what expressions may ask for besides a card's fields. ``unread``: how many cards
    could not be read, ``ANY_NUMBER`` where nobody can tell, or where what some cards took the place
    of could not be found. ``problems``: faults of figures, and of that search. ``boxes`` are the
    editions owned, ``on`` is the day that is asked about, if any.
    """

    game: Game
    name: str
    where: SourceLocation
    spots: tuple[CardSpot, ...]
    boxes: frozenset[str]
    on: str = ""
    skills: tuple[Skill, ...] = ()
    totals: Mapping[str, Total]
    names: Mapping[str, Known]
    unread: int = 0
    problems: tuple[Problem, ...] = ()

    @property
    def called(self) -> Name:
        """As a message calls it."""
        return Name(self.name)

    @cached_property
    def by_card(self) -> Mapping[str, list[CardSpot]]:
        """Cards by their id, in the order in which they first appear."""
        return grouped(self.spots, lambda spot: spot.card.id)

    def asks_itself(self, condition: str) -> bool:
        """Say whether a condition on figures is for it to answer."""
        return True

    def fits(self, card: Card, condition: str, where: SourceLocation) -> bool:
        """Say whether a condition over a card's fields holds; it may ask for figures, too."""
        return holds(condition, names_about(condition, card, self.names), where)

    def fitting(self, condition: str | None, where: SourceLocation) -> Iterator[Sequence[CardSpot]]:
        """Choose the copies of each card of which a condition holds; all without one."""
        for spots in self.by_card.values():
            if not condition or self.fits(spots[0].card, condition, where):
                yield spots

    def worth(self, card: Card, text: str, where: SourceLocation) -> int:
        """Find what an expression over a card's fields comes to; nothing where it asks for fields
        that this card has not. Raises ``InvalidSource``."""
        known = names_about(text, card, self.names)
        return whole(text, known, where) if asks_only(text, known) else 0


class MountedBuild(CardPool, frozen=True, kw_only=True):
    """A build laid out: its cards by part, skills and figures.

    ``claims`` are the figures that somebody prints or states. ``substitutes`` are, by weapon (card
    id), the cards that may be mounted in exchange for it, ``put_back`` the weapons whose place they
    took, each in its substitute's slot; ``unexchanged``, by rule, the faults of those that took
    none's.
    """

    build: Build
    placements: Mapping[str, Placement]
    claims: Mapping[str, int]
    substitutes: Mapping[str, tuple[CardSpot, ...]] = field(default_factory=dict)
    put_back: tuple[CardSpot, ...] = ()
    unexchanged: tuple[tuple[str, Fault], ...] = ()

    @cached_property
    def before(self) -> MountedBuild:
        """The same with what was put back beside what is mounted."""
        return replace(self, spots=(*self.spots, *self.put_back)) if self.put_back else self

    @cached_property
    def slots(self) -> Mapping[str, int]:
        """The number of slots by part."""
        return slots_by_part(self.totals)

    @cached_property
    def by_part(self) -> Mapping[str, list[CardSpot]]:
        """Mounted cards by part."""
        return {part: [] for part in self.game.parts} | grouped(self.spots, lambda spot: spot.part)

    @property
    def by_pilot(self) -> Iterator[tuple[Pilot, list[Skill]]]:
        """The pilots with their skills."""
        for pilot in self.build.pilots:
            yield pilot, [skill for skill in self.skills if skill.pilot is pilot]

    def placement(self, card: Card) -> Placement | None:
        """Find the mount pattern of a card, if it has one."""
        return self.placements.get(str(card.get("mount")))

    def parts_for(self, card: Card) -> tuple[str, ...]:
        """Find the parts that a card's pattern leaves open to it."""
        placement = self.placement(card)
        return (placement.parts if placement else ()) or self.game.parts


class Deck(CardPool, frozen=True, kw_only=True):
    """A deck of the game or of somebody's own, by its ``id``: the cards of its ``entries``.

    One of a mech holds those that carry the mark of a ``variant``; ``mounted_builds`` are its
    loadouts by variant, and answer for its figures. A player's decks are one, of all ``rows`` by
    the kind of deck, of which ``about`` gives parts.
    """

    id: str
    entries: tuple[DeckEntry, ...]
    variant: Variant | None = None
    mech: Mech | None = None
    mounted_builds: Mapping[str, MountedBuild] = field(default_factory=dict)
    kind: DeckKind | None = None
    rows: Mapping[str, tuple[DeckEntry, ...]] = field(default_factory=dict)
    places: Mapping[str, SourceLocation] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """As people call it, whatever the variant."""
        return self.mech.name if self.mech else self.id

    @property
    def called(self) -> Name:
        if self.kind is None or not self.rows:
            return super().called
        ja, en = self.kind.name.ja, self.kind.name.in_language("en")
        return Name(f"{self.name}（{ja}）", f"{self.name} ({en})")

    @property
    def mounted_build(self) -> MountedBuild | None:
        """The loadout that it belongs to."""
        return self.mounted_builds[self.variant.id] if self.variant else None

    def about(self, decks: tuple[str, ...], together: bool) -> Sequence[Deck]:
        """Find what of it a rule looks at that is about some ``decks`` alone: each, or all as
        one."""
        if not self.rows:
            is_one = self.id in decks or (self.kind is not None and self.kind.id in decks)
            return (self,) if is_one else ()
        found = [kind for kind in dict.fromkeys(decks) if kind in self.rows]
        if together and found:
            return [self._of(found)]
        return [self.each[kind] for kind in found]

    @cached_property
    def each(self) -> Mapping[str, Deck]:
        """A player's decks, each by itself: what most rules look at."""
        return {kind: self._of([kind]) for kind in self.rows}

    def _of(self, kinds: Sequence[str]) -> Deck:
        """Find the cards of some of a player's decks."""
        if len(kinds) == len(self.rows):
            return self
        rows = {kind: self.rows[kind] for kind in kinds}
        return _brought(self, rows, [spot for spot in self.spots if spot.part in kinds])

    def is_basic(self, card: Card) -> bool:
        """Say whether a card is in every deck, as often as the figures say."""
        return bool(self.game.kinds[card.kind].deck_copies)

    def asks_itself(self, condition: str) -> bool:
        return self.mounted_build is None and asks_only(condition, self.names)

    def fits(self, card: Card, condition: str, where: SourceLocation) -> bool:
        """Decide as of any cards; what asks for what this card, or a deck, does not have does
        not hold."""
        return meets(card, condition, where, self.names)

    def unlike_mounted(self, variant: Variant) -> tuple[Counter[str], Counter[str]]:
        """Find the weapons that carry a variant's mark and are not mounted, and those of which the
        other way round is true, by name."""
        rows = cards_of(self.game, self.entries, variant)
        marked = sum_by_key(
            (card.name, row.copies) for row, card in rows if not self.is_basic(card)
        )
        mounted = Counter(spot.card.name for spot in self.mounted_builds[variant.id].spots)
        return marked - mounted, mounted - marked


class AllDecks(Struct, frozen=True):
    """Every row of the game's decks together."""

    game: Game
    entries: tuple[DeckEntry, ...]


class Box(Struct, frozen=True):
    """All that a game consists of, to be counted."""

    game: Game


class OwnCards(Struct, frozen=True):
    """Cards of the game as they are, whoever brings them."""

    game: Game
    cards: Sequence[Card]


class SeatedRoom(Struct, frozen=True):
    """What lies in a room, and who sits where."""

    game: Game
    plan: RoomPlan


class FrameChoice(Struct, frozen=True):
    """The words by which a build chooses its frame, before anything else of it can be asked."""

    game: Game
    build: Build

    @property
    def missing(self) -> Mapping[str, Sequence[str]]:
        """What the build does not say of its frame, with the words that go with what it says."""
        game, chosen = self.game, self.build.frame
        rows = [frame.key for frame in game.frames]
        found: dict[str, Sequence[str]] = {}
        for key in rows[0] if rows else ():
            if key not in chosen:
                fitting = [
                    row for row in rows if all(chosen.get(k, w) == w for k, w in row.items())
                ]
                found[key] = list(dict.fromkeys(row[key] for row in fitting or rows))
        options = game.frame.options if rows else {}
        return found | {key: words for key, words in options.items() if key not in chosen}

    @property
    def unknown(self) -> tuple[str, list[str]] | None:
        """The words that are no frame, and those that are; nothing where the frame is known."""
        game, chosen = self.game, self.build.frame
        if not game.frames:
            return None
        known = [" ".join(frame.key.values()) for frame in game.frames]
        words = " ".join(chosen.get(key, "?") for key in game.frames[0].key)
        choices = game.frame.options.items()
        options = {key: each for key, each in choices if chosen.get(key) not in each}
        if words in known and not options:
            return None
        allowed = get_close_matches(words, known, n=3, cutoff=0.3) or known
        if words in known:
            allowed = list(chain(*options.values()))
        return " ".join(dict.fromkeys([words, *(chosen.get(k, "?") for k in options)])), allowed


Subject: TypeAlias = CardPool | AllDecks | Box | OwnCards | SeatedRoom | FrameChoice


def lay_out(
    game: Game,
    build: Build,
    placements: Mapping[str, Placement],
    boxes: Iterable[str] = (),
    claims: Mapping[str, int] | None = None,
    on: str = "",
) -> MountedBuild:
    """Lay out a build as rules look at it.

    Raises ``InvalidSource`` for an unknown frame.
    """
    mounted, skilled = list(build.cards()), list(build.skills())
    spots = [
        CardSpot(part, slot, card, where)
        for part, slot, name, where in mounted
        if (card := game.card(name)) is not None
    ]
    skills = [
        Skill(pilot, card, where)
        for pilot, name, where in skilled
        if (card := game.card(name)) is not None
    ]
    worked = work_out(game, build)
    unread = len(mounted) + len(skilled) - len(spots) - len(skills)
    return MountedBuild(
        game=game,
        name=build.name,
        where=build.where,
        build=build,
        placements=placements,
        boxes=frozenset(boxes or game.editions),
        on=on,
        spots=tuple(spots),
        skills=tuple(skills),
        totals=worked.totals,
        names=worked.names,
        claims=claims or {},
        unread=unread if build.mounted.keys() <= set(game.parts) else ANY_NUMBER,
        problems=tuple(worked.problems),
    )


def lay_out_decks(
    game: Game,
    deck_id: str,
    entries: Iterable[DeckEntry],
    mech: Mech | None,
    placements: Mapping[str, Placement],
    boxes: Iterable[str] = (),
) -> list[Deck]:
    """Lay out a printed deck in each variant of its mech; without one there is one.

    Raises ``InvalidSource``.
    """
    rows = tuple(entries)
    builds = mech.loadouts if mech else {}
    printed = mech.printed if mech else {}
    mounted_builds = {
        variant: lay_out(game, build, placements, boxes, printed)
        for variant, build in builds.items()
    }
    found = []
    variants: list[Variant | None] = [game.variants[name] for name in mounted_builds]
    for variant in variants or [None]:
        spots = _spots(cards_of(game, rows, variant))
        worked = figures_of_cards(game, [spot.card for spot in spots])
        title = mech.name if mech else deck_id
        deck = Deck(
            game=game,
            id=deck_id,
            name=f"{title} {variant.mark}" if variant else title,
            where=rows[0].where,
            boxes=frozenset(boxes or game.editions),
            spots=spots,
            totals={} if variant else worked.totals,
            names=dict(mounted_builds[variant.id].names) if variant else worked.names,
            problems=() if variant else tuple(worked.problems),
            entries=rows,
            variant=variant,
            mech=mech,
            mounted_builds=mounted_builds,
            kind=game.kind_of_deck(deck_id),
        )
        found.append(deck)
    return found


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
    found = ((row, game.brought_card(row)) for part in ordered.values() for row in part)
    spots = _spots((row, card) for row, card in found if card is not None)
    whole = Deck(
        game=game,
        id=build.name,
        name=build.name,
        where=build.where,
        boxes=frozenset(boxes or game.editions),
        on=on,
        spots=(),
        totals={},
        names={},
        entries=(),
        places=build.places,
    )
    return _brought(whole, ordered, spots)


def totals_of(game: Game, build: Build) -> Mapping[str, Total]:
    """Work out the figures of a build; those of decks alone follow from their cards.

    Raises ``InvalidSource``.
    """
    return (all_figures(game, build) if build.has_parts else lay_out_brought(game, build)).totals


def _brought(
    whole: Deck, rows: Mapping[str, tuple[DeckEntry, ...]], spots: Sequence[CardSpot]
) -> Deck:
    """Find a player's decks with these rows and cards alone."""
    entries = tuple(chain(*rows.values()))
    worked = figures_of_cards(whole.game, [spot.card for spot in spots])
    kind = next(iter(rows), "") if len(rows) == 1 else ""
    return replace(
        whole,
        id=kind or whole.name,
        where=whole.places.get(f"deck {kind}", whole.where),
        spots=tuple(spots),
        totals=worked.totals,
        names=worked.names,
        # The number of copies of what could not be read may be wrong too.
        unread=ANY_NUMBER if sum(entry.copies for entry in entries) > len(spots) else 0,
        problems=tuple(worked.problems),
        entries=entries,
        kind=whole.game.kind_of_deck(kind),
        rows=rows,
    )


def _spots(rows: Iterable[tuple[DeckEntry, Card]]) -> tuple[CardSpot, ...]:
    """Make a spot for each row, which its copies are all."""
    each = ([CardSpot(row.deck, 0, card, row.where)] * row.copies for row, card in rows)
    return tuple(chain(*each))


def cards_of(
    game: Game, entries: Iterable[DeckEntry], variant: Variant | None
) -> Iterator[tuple[DeckEntry, Card]]:
    """Find the rows that carry a variant's mark, with their cards; all where there are no
    variants."""
    for entry in entries:
        card = game.card(entry.card)
        if card is not None and (variant is None or variant.mark in entry.mark):
            yield entry, entry.of(card).card if entry.fields else card
