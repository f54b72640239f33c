"""What rules look at: the cards that somebody brings, a card itself, a room, a choice of frame;
and what one may have against a rule.

Somebody brings cards mounted in a build's parts (``Bench``), or in a deck (``Deck``).
What holds of cards wherever they are asks for ``CardPool``, and so for either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct, field

from exporter.core.problems import (
    Problem,
    Severity,
    SourceLocation,
)
from exporter.model import (
    Build,
    Card,
    DeckEntry,
    Game,
    Name,
    Pilot,
    RoomPlan,
)
from exporter.model.rule_records import Placement
from exporter.rules.expressions import (
    Known,
    as_asked,
    holds,
    names_in,
    whole,
)
from exporter.rules.figures import (
    FigureResults,
    Total,
    names_about,
    slots_by_part,
    work_out,
)


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


ANY_NUMBER = 1_000_000_000
"""More cards than anybody brings."""


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
    put_back: tuple[CardSpot, ...] = ()

    @property
    def called(self) -> Name:
        """As a message calls it."""
        return Name(self.name)

    @cached_property
    def by_card(self) -> Mapping[str, list[CardSpot]]:
        """Cards by their id, in the order in which they first appear."""
        found: dict[str, list[CardSpot]] = {}
        for spot in self.spots:
            found.setdefault(spot.card.id, []).append(spot)
        return found

    @cached_property
    def before(self) -> Mapping[str, list[CardSpot]]:
        """Cards by their id, those mounted now and those put back."""
        found = {card_id: list(spots) for card_id, spots in self.by_card.items()}
        for spot in self.put_back:
            found.setdefault(spot.card.id, []).append(spot)
        return found

    def asks_itself(self, condition: str) -> bool:
        """Say whether a condition on figures is for it to answer."""
        return True

    def fits(self, card: Card, condition: str, where: SourceLocation) -> bool:
        """Say whether a condition over a card's fields holds; it may ask for figures, too."""
        return holds(condition, names_about(condition, card, self.names), where)

    def fitting(
        self, each: Iterable[Sequence[CardSpot]], condition: str, where: SourceLocation
    ) -> list[Sequence[CardSpot]]:
        """Choose of copies of several cards those of whose card a condition holds."""
        return [spots for spots in each if self.fits(spots[0].card, condition, where)]

    def worth(self, card: Card, text: str, where: SourceLocation) -> int:
        """Find what an expression over a card's fields comes to; nothing where it asks for fields
        that this card has not. Raises ``InvalidSource``."""
        known = names_about(text, card, self.names)
        return whole(text, known, where) if names_in(text) <= set(map(as_asked, known)) else 0

    def weight(self, each: Iterable[Sequence[CardSpot]], text: str, where: SourceLocation) -> int:
        """Find what that comes to over all copies of several cards."""
        return sum(len(spots) * self.worth(spots[0].card, text, where) for spots in each)

    def any_fits(self, condition: str, where: SourceLocation) -> bool:
        """Say whether a condition holds of any card."""
        return bool(self.fitting(self.by_card.values(), condition, where))


class Bench(CardPool, frozen=True, kw_only=True):
    """A build laid out: its cards by part, skills and figures.

    ``claims`` are the figures that somebody prints or states. ``substitutes`` are, by weapon (card
    id), the cards that may be mounted in exchange for it, ``put_back`` the weapons whose place they
    took, each in its substitute's slot; ``unexchanged``, by rule, the faults of those that took
    none's. ``ways`` were looked at for that.
    """

    build: Build
    placements: Mapping[str, Placement]
    claims: Mapping[str, int]
    substitutes: Mapping[str, tuple[CardSpot, ...]] = field(default_factory=dict)
    unexchanged: tuple[tuple[str, Fault], ...] = ()
    ways: int = 0

    @cached_property
    def slots(self) -> Mapping[str, int]:
        """The number of slots by part."""
        return slots_by_part(self.totals)

    @cached_property
    def by_part(self) -> Mapping[str, list[CardSpot]]:
        """Mounted cards by part."""
        found: dict[str, list[CardSpot]] = {part: [] for part in self.game.parts}
        for spot in self.spots:
            found.setdefault(spot.part, []).append(spot)
        return found

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
        options = {
            key: chosen.get(key, "?")
            for key, allowed in game.frame.options.items()
            if chosen.get(key) not in allowed
        }
        if words in known and not options:
            return None
        allowed = get_close_matches(words, known, n=3, cutoff=0.3) or known
        if words in known:
            allowed = [word for key in options for word in game.frame.options[key]]
        return " ".join(dict.fromkeys([words, *options.values()])), allowed


Subject: TypeAlias = CardPool | AllDecks | Box | OwnCards | SeatedRoom | FrameChoice


def lay_out(
    game: Game,
    build: Build,
    placements: Mapping[str, Placement],
    boxes: Iterable[str] = (),
    claims: Mapping[str, int] | None = None,
    on: str = "",
    worked: FigureResults | None = None,
) -> Bench:
    """Lay out a build as rules look at it; ``worked`` are its figures, where they are known
    already.

    Raises ``InvalidSource`` for an unknown frame.
    """
    spots = [
        CardSpot(part, slot, card, where)
        for part, slot, name, where in build.cards()
        if (card := game.card(name)) is not None
    ]
    skills = [
        Skill(pilot, card, where)
        for pilot, name, where in build.skills()
        if (card := game.card(name)) is not None
    ]
    worked = worked or work_out(game, build)
    written = sum(len(cards) for cards in build.mounted.values())
    written += sum(len(pilot.skills) for pilot in build.pilots)
    return Bench(
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
        unread=written - len(spots) - len(skills)
        if build.mounted.keys() <= set(game.parts)
        else ANY_NUMBER,
        problems=tuple(worked.problems),
    )


def counted(spots: Sequence[CardSpot]) -> str:
    """Write spots as people say it: ``a2・b1``."""
    counts = Counter(spot.part for spot in spots)
    return "・".join(f"{part}{count}" for part, count in counts.items())
