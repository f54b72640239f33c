"""Figures of a build: each the sum of its terms, so that sum and explanation are one thing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from exporter.core.problems import (
    Faults,
    Problem,
    SourceLocation,
    error_at,
    nearest,
    problem_at,
    quoted,
    stop_for,
)
from exporter.model import (
    Build,
    Card,
    DeckKind,
    Figure,
    Frame,
    Game,
    Pilot,
    Term,
)
from exporter.model.fields import whole_number
from exporter.model.shape import MOST, MOST_REPEATED
from exporter.rules.expressions import (
    Known,
    as_in_formulas,
    asks_only,
    holds,
    names_in,
    whole,
)

# What every card has besides the fields of its kind, in expressions about it.
CARD_NAMES = ("id", "kind", "name", "copies")


class TermValue(Struct, frozen=True):
    """A term that has been worked out, with its sources, and the id of a ``card`` that adds it."""

    label: str
    value: int
    cites: tuple[str, ...] = ()
    card: str = ""


class Total(Struct, frozen=True, dict=True):
    """A figure that has been worked out; terms of nothing are left out."""

    figure: Figure
    terms: tuple[TermValue, ...]

    @property
    def sum(self) -> int:
        """The terms together, before the figure's minimum holds."""
        return sum(term.value for term in self.terms)

    @cached_property
    def value(self) -> int:
        """The figure itself."""
        least = self.figure.minimum
        return self.sum if least is None else max(self.sum, least)

    def __str__(self) -> str:
        text = f"{self.figure.id} {self.value}"
        if len(self.terms) > 1:
            text += f" = {terms_text(self.terms)}"
        if self.sum != self.value:
            text += f" → {self.value}"
        return text


def terms_text(terms: Iterable[TermValue]) -> str:
    """Write terms as people write a sum: ``slots 11 + plates 3 − binder 2``."""
    text = ""
    for term in terms:
        sign = "" if not text and term.value >= 0 else ("− " if term.value < 0 else "+ ")
        text += f"{' ' if text else ''}{sign}{term.label} {abs(term.value)}"
    return text


def frame_of(game: Game, build: Build) -> Frame:
    """Find the frame that a build names. Raises ``InvalidSource`` where there is none."""
    for frame in game.frames:
        if all(build.frame.get(key) == value for key, value in frame.key.items()):
            return frame
    wanted = " ".join(
        build.frame.get(key, "?") for key in (game.frames[0].key if game.frames else ())
    )
    allowed = [" ".join(frame.key.values()) for frame in game.frames]
    where = build.places.get("frame", build.where)
    raise error_at(where, "FRAME", "no-frame", wanted=wanted, nearest=nearest(wanted, allowed))


def mounted_cards(game: Game, build: Build) -> list[Card]:
    """Find every known card of a build; unknown names are the reader's to report."""
    found = (game.card(name) for names in build.mounted.values() for name in names)
    return [card for card in found if card is not None]


def skills_of(game: Game, build: Build) -> list[tuple[Pilot, Card]]:
    """Find every known skill of a build's pilots, each with who has it."""
    found = ((pilot, game.card(name)) for pilot in build.pilots for name in pilot.skills)
    return [(pilot, card) for pilot, card in found if card is not None]


def amounts(card: Card, field: str) -> Mapping[str, int]:
    """Read a field such as ``slots=+2;plates=-2`` as whole numbers by name: by ``modifies`` a
    mounted card adds to figures.

    Raises ``InvalidSource`` for a text of another form.
    """
    found: dict[str, int] = {}
    for part in str(card.get(field)).split(";"):
        if not part.strip():
            continue
        figure, _, amount = part.partition("=")
        number = whole_number(amount)
        if number is None or abs(number) > MOST:
            raise error_at(
                card.at(field),
                "MODIFIES",
                "name-whole-number",
                name=card.name,
                field=field,
                found=quoted(part),
                most=MOST,
            )
        found[figure.strip()] = number
    return found


def card_value(card: Card, name: str, copies: int = 1) -> Known:
    """Find what a name in an expression about a card stands for: a field, ``copies`` of it there
    are.

    A text of digits, such as a printed damage, counts as a number; lists are joined by ``/``.
    """
    if name == "copies":
        return copies
    value = card.get(name)
    if isinstance(value, tuple):
        return "/".join(value)
    if isinstance(value, str) and value.isdecimal() and len(value) < 10:
        return int(value)
    return value


def names_about(
    text: str, card: Card, names: Mapping[str, Known], copies: int = 1
) -> dict[str, Known]:
    """Find what an expression about a card asks for. A field comes before a figure of the same
    name.

    Raises ``InvalidSource`` for a field that is unknown.
    """
    own = card.fields.keys()
    asked = names_in(text)
    if any(name not in own and name not in CARD_NAMES and name not in names for name in asked):
        asked = frozenset(
            name for name in (*names, *own, *CARD_NAMES) if as_in_formulas(name) in asked
        )
    return {
        name: card_value(card, name, copies) if name in own or name in CARD_NAMES else names[name]
        for name in asked
    }


def meets(
    card: Card, condition: str, where: SourceLocation, names: Mapping[str, Known] = {}
) -> bool:
    """Say whether a condition holds of a card; it does not where it asks for what that lacks.

    Raises ``InvalidSource``.
    """
    known = names_about(condition, card, names)
    return asks_only(condition, known) and holds(condition, known, where)


def may_lie(kind: DeckKind | None, card: Card) -> bool:
    """Say whether the game lets a card lie in a kind of deck. Raises ``InvalidSource``."""
    return kind is None or kind.cards is None or meets(card, kind.cards, kind.place("cards"))


def frame_values(game: Game, build: Build, frame: Frame) -> dict[str, Known]:
    """Find what a build's frame says, by the names that expressions know it under."""
    values: dict[str, Known] = {**build.frame, **frame.figures, **frame.slots}
    return {game.frame.names.get(name, name): value for name, value in values.items()}


def frame_names(game: Game) -> set[str]:
    """Find the names that expressions may use for what a frame says and what a build chooses."""
    frame = game.frames[0] if game.frames else None
    words = [*frame.key, *frame.figures, *frame.slots] if frame else []
    return {game.frame.names.get(word, word) for word in [*words, *game.frame.options]}


def _term_values(counts: _Counts, term: Term, names: Mapping[str, Known]) -> Iterator[TermValue]:
    """Work out a term, or what each of the cards that it is about adds with all its copies."""
    where = term.place("value")
    if not term.each:
        yield TermValue(term.label, whole(term.value, names, where), term.cites)
        return
    for card, copies in counts.values():
        if card.kind == term.each:
            about = names_about(term.value, card, names, copies)
            label = f"{card.name}×{copies}" if copies > 1 else card.name
            yield TermValue(label, whole(term.value, about, where), term.cites, card.id)


# Cards with their copies, by the id and, of cards of decks, by what differs there.
_Counts: TypeAlias = Mapping[Hashable, tuple[Card, int]]


def _counted(game: Game, cards: Iterable[Card]) -> _Counts:
    if not game.deck_fields:
        return {key: (game.cards[key], n) for key, n in Counter(card.id for card in cards).items()}
    found: dict[Hashable, tuple[Card, int]] = {}
    for card in cards:
        differing = (card.fields.get(name) for name in game.deck_fields)
        key = (card.id, *differing, *card.unknown)
        found[key] = card, found.get(key, (card, 0))[1] + 1
    return found


class FigureResults(NamedTuple):
    """All figures that can be had, by id in the order of the game's list, and what is wrong;
    ``names`` are what expressions about whoever has them may ask for."""

    totals: dict[str, Total]
    names: dict[str, Known]
    problems: list[Problem]


def work_out(game: Game, build: Build) -> FigureResults:
    """Work out the figures of a build.

    A figure that asks for a faulty one is left out without a word. Raises ``InvalidSource`` for an
    unknown frame.
    """
    frame = frame_of(game, build) if game.frames else None
    names = frame_values(game, build, frame) if frame else {}
    mounted = mounted_cards(game, build)
    skills = [card for _pilot, card in skills_of(game, build)]
    return _worked_out(game, mounted, [*mounted, *skills], names, set())


def figures_of_cards(game: Game, cards: Sequence[Card]) -> FigureResults:
    """Work out the figures that follow from cards alone, as from a deck; what rests on a frame
    is left out."""
    return _worked_out(game, cards, cards, {}, set(map(as_in_formulas, frame_names(game))))


def _worked_out(
    game: Game,
    mounted: Sequence[Card],
    counted: Iterable[Card],
    names: dict[str, Known],
    faulty: set[str],
) -> FigureResults:
    """Work out figures over ``names``, which grow by them; what asks for ``faulty`` ones is
    left out."""
    faults, counts = Faults(), _counted(game, counted)
    added: dict[str, list[TermValue]] = {}
    bringers: dict[str, Card] = {}
    for card in mounted:
        if card.unknown or card.fields.get("modifies"):
            with faults.collect():
                for name, amount in amounts(card, "modifies").items():
                    added.setdefault(name, []).append(TermValue(card.name, amount, card=card.id))
                    bringers.setdefault(name, card)
    results: dict[str, Total] = {}
    for figure in game.figures:
        added_terms, total = added.pop(figure.id, []), None
        with faults.collect():
            total = _total(counts, figure, names, faulty, added_terms)
        if total is None:
            faulty.add(as_in_formulas(figure.id))
        else:
            results[figure.id] = total
            names[figure.id] = total.value
    for unknown in added:
        card = bringers[unknown]
        faults.problems.append(
            problem_at(
                card.at("modifies"),
                "MODIFIES",
                "modifies-no-figure",
                card=card.name,
                unknown=unknown,
                nearest=nearest(unknown, results),
            )
        )
    return FigureResults(results, names, faults.problems)


def _total(
    counts: _Counts,
    figure: Figure,
    names: Mapping[str, Known],
    faulty: set[str],
    added_terms: Sequence[TermValue],
) -> Total | None:
    """Work out a figure with what cards add to it; nothing where one of its terms asks for a
    faulty one. Raises ``InvalidSource``."""
    if not faulty.isdisjoint(name for term in figure.terms for name in names_in(term.value)):
        return None
    terms = [value for term in figure.terms for value in _term_values(counts, term, names)]
    total = Total(figure, tuple(term for term in [*terms, *added_terms] if term.value))
    if figure.part and total.value > MOST_REPEATED:  # a sheet draws every slot
        raise error_at(
            figure.where,
            "SLOTS",
            "comes-most-slots",
            figure=figure.id,
            value=total.value,
            part=figure.part,
            most=MOST_REPEATED,
        )
    return total


def all_figures(game: Game, build: Build) -> FigureResults:
    """Work out all figures of a build.

    Raises ``InvalidSource`` for an unknown frame, a wrong expression or a wrong modification.
    """
    worked = work_out(game, build)
    stop_for(worked.problems)
    return worked


def slots_by_part(results: Mapping[str, Total]) -> dict[str, int]:
    """Find the number of slots of each part, from the figures that say so."""
    return {one.figure.part: one.value for one in results.values() if one.figure.part}
