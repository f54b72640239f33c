"""What still fits on a build, asked under a regulation and with the boxes owned, and told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from exporter.core.messages import sentence
from exporter.core.problems import (
    COMMAND_LINE,
    InvalidSource,
    problem_values,
)
from exporter.model import (
    Build,
    Card,
    Game,
)
from exporter.model.game_names import (
    resolve_name,
    unknown,
)
from exporter.rules.errata import corrected
from exporter.rules.fitting import (
    Fit,
    Place,
    fitting,
    sorted_fits,
    why_not,
)
from exporter.rules.kind import fault_problem
from exporter.rules.report.check_report import (
    layers_on,
    regulation_of,
)
from exporter.rules.report.verdicts import (
    CheckOptions,
    check_frame,
)
from exporter.rules.rulebook import Rulebook

BY = ("rank", "kinds", "range")
"""What cards are usually sorted by, where they have it."""


class Fits(Struct, frozen=True):
    """What fits on a ``build`` into some ``parts``, and what does not: the cards in order."""

    game: Game
    build: Build
    parts: tuple[str, ...]
    fits: tuple[Fit, ...]


def fits_of(
    game: Game,
    book: Rulebook,
    entry: Build,
    parts: Sequence[str],
    by: Sequence[str],
    options: CheckOptions,
) -> Fits:
    """Every card that can be mounted, those that fit first.

    Raises ``InvalidSource`` for parts, fields, regulations and frames that there are not.
    """
    game = corrected(game, layers_on(game, options.on)[0])
    known = [resolve_name(game, "part", part) for part in parts]
    wrong = [
        unknown(game, "part", part, COMMAND_LINE, "FITS")
        for part in known
        if part not in game.parts
    ]
    regulation, unclear = regulation_of(book, entry, options)
    if wrong or unclear:
        raise InvalidSource([*wrong, *unclear])
    check_frame(game, book, entry)
    rules = book.under(regulation)
    found = fitting(game, rules, entry, known, options.boxes)
    return Fits(game, entry, tuple(known), tuple(sorted_fits(found, by)))


def _shown(card: Card) -> str:
    return "\t".join([card.id, card.name, *(card.text(field) or "—" for field in BY)])


def _place_shown(place: Place) -> str:
    return "＋".join(
        part if copies == 1 else f"{part}×{copies}" for part, copies in place.copies.items()
    )


def fits_lines(found: Fits, language: str) -> Iterator[str]:
    """What fits, with the parts where it does, then what does not, and why; columns by tabs."""
    count = sum(fit.fits for fit in found.fits)
    yield _say(language, "count", name=found.build.name, count=count, all=len(found.fits))
    for fit in found.fits:
        if fit.fits:
            yield f"  {_shown(fit.card)}\t{'・'.join(map(_place_shown, fit.places))}"
    for fit in found.fits:
        reasons = [
            fault_problem(fault, rule).sentence.in_language(language)
            for rule, fault in why_not(fit).values()
        ]
        if reasons:
            yield f"  {_shown(fit.card)}\t× {' '.join(reasons)}"


def _say(language: str, key: str, **values: object) -> str:
    return sentence("fits", key, **values).in_language(language)


def fits_values(found: Fits, language: str) -> dict[str, Any]:
    """Give the same as plain values."""
    return {
        "name": found.build.name,
        "cards": [
            {
                "id": fit.card.id,
                "name": fit.card.name,
                "fits": fit.fits,
                "places": [dict(place.copies) for place in fit.places],
                "against": [
                    problem_values(fault_problem(fault, rule), language)
                    for rule, fault in why_not(fit).values()
                ],
            }
            for fit in found.fits
        ],
    }
