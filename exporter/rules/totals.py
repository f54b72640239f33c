"""Figures of a build: each the sum of its terms, so that sum and explanation are one thing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from exporter.model import Build, Card, Figure, Frame, Game
from exporter.problems import InvalidSource, Problem, nearest
from exporter.rules.expressions import Known, whole


@dataclass(frozen=True)
class TermValue:
    """A term that has been worked out, with its sources."""

    label: str
    value: int
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class Total:
    """A figure that has been worked out; terms of nothing are left out."""

    figure: Figure
    terms: tuple[TermValue, ...]

    @property
    def sum(self) -> int:
        """The terms together, before the figure's minimum holds."""
        return sum(term.value for term in self.terms)

    @property
    def value(self) -> int:
        """The figure itself."""
        least = self.figure.minimum
        return self.sum if least is None else max(self.sum, least)

    def __str__(self) -> str:
        text = f"{self.figure.id} {self.value}"
        if len(self.terms) > 1:
            text += " = " + " + ".join(f"{term.label} {term.value}" for term in self.terms)
            text = text.replace("+ -", "− ").replace(" -", " −")
        if self.sum != self.value:
            text += f" → {self.value}"
        return text


def frame_of(game: Game, build: Build) -> Frame:
    """The frame that a build names. Raises ``InvalidSource`` where there is none."""
    for frame in game.frames:
        if all(build.frame.get(key) == value for key, value in frame.key.items()):
            return frame
    wanted = " ".join(
        build.frame.get(key, "?") for key in (game.frames[0].key if game.frames else ())
    )
    allowed = [" ".join(frame.key.values()) for frame in game.frames]
    where = build.places.get("frame", build.where)
    raise InvalidSource(
        [Problem(where, "FRAME", f"There is no frame {wanted!r}.", nearest(wanted, allowed))]
    )


def mounted_cards(game: Game, build: Build) -> Iterator[tuple[str, Card]]:
    """Every known card of a build with its part; unknown names are the reader's to report."""
    for part, names in build.mounted.items():
        for name in names:
            card = game.card(name)
            if card is not None:
                yield part, card


def modifications(card: Card) -> Mapping[str, int]:
    """What a mounted card adds to figures, from its ``modifies`` field: ``回避値=+1;プレート=-2``.

    Raises ``InvalidSource`` for a text of another form.
    """
    found: dict[str, int] = {}
    for part in str(card.get("modifies")).split(";"):
        if not part.strip():
            continue
        figure, _, amount = part.partition("=")
        try:
            found[figure.strip()] = int(amount)
        except ValueError:
            message = f"{card.name} modifies {part!r}; a figure, '=' and a whole number are needed."
            hint = "Write for instance 回避値=+1."
            raise InvalidSource([Problem(card.at("modifies"), "MODIFIES", message, hint)]) from None
    return found


def _start(game: Game, build: Build, frame: Frame) -> dict[str, Known]:
    values: dict[str, Known] = {**build.frame, **frame.figures, **frame.slots}
    return {game.frame_names.get(name, name): value for name, value in values.items()}


def totals(game: Game, build: Build) -> dict[str, Total]:
    """All figures of a build by id, in the order of the game's list.

    Raises ``InvalidSource`` for an unknown frame, a wrong expression or a wrong modification.
    """
    names = _start(game, build, frame_of(game, build))
    added: dict[str, list[TermValue]] = {}
    once: set[tuple[str, str]] = set()
    for _part, card in mounted_cards(game, build):
        for name, amount in modifications(card).items():
            added.setdefault(name, []).append(TermValue(card.name, amount))
    problems: list[Problem] = []
    results: dict[str, Total] = {}
    for figure in game.figures:
        terms: list[TermValue] = []
        for term in figure.terms:
            try:
                terms.append(
                    TermValue(term.label, whole(term.value, names, term.where), term.cites)
                )
            except InvalidSource as error:
                problems.extend(error.problems)
        kept = tuple(term for term in [*terms, *added.pop(figure.id, ())] if term.value)
        results[figure.id] = Total(figure, kept)
        names[figure.id] = results[figure.id].value
    for _part, card in mounted_cards(game, build):
        for unknown in modifications(card).keys() & added.keys():
            if (card.id, unknown) not in once:
                once.add((card.id, unknown))
                message = f"{card.name} modifies {unknown!r}, which is no figure."
                hint = nearest(unknown, results)
                problems.append(Problem(card.at("modifies"), "MODIFIES", message, hint))
    if problems:
        raise InvalidSource(problems)
    return results


def slots_by_part(results: Mapping[str, Total]) -> dict[str, int]:
    """The number of slots of each part, from the figures that say so."""
    found: Iterable[Total] = (total for total in results.values() if total.figure.part)
    return {total.figure.part: total.value for total in found}
