"""Suggestions for builds, and how they are said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.messages import say
from exporter.core.problems import (
    as_written,
    problem_values,
)
from exporter.model import (
    Build,
    Game,
)
from exporter.rules.build_changes import BuildRepairs
from exporter.rules.deck_changes import DeckRepairs
from exporter.rules.project import Project
from exporter.rules.repair import (
    Mending,
    RepairStep,
    mend,
)
from exporter.rules.report.report_formats import deck_name, verdict_word
from exporter.rules.report.verdicts import (
    CheckOptions,
    Verdict,
    judge,
    judge_build,
)
from exporter.rules.rulebook import choose_regulation
from exporter.rules.subjects import lay_out_brought, totals_of
from exporter.rules.written_builds import card_written


class Suggestion(Struct, frozen=True):
    """What was found for one build; ``verdict`` is what the rules say of the outcome.

    ``ways`` are those to mend it, best first, or one that says that there is none; ``figures`` what
    becomes of each figure that a way changes, before and after, by way.
    """

    build: Build
    ways: tuple[Mending, ...]
    verdict: Verdict
    figures: tuple[Mapping[str, tuple[int, int]], ...] = ()

    @property
    def mending(self) -> Mending:
        """The best way."""
        return self.ways[0]

    @property
    def legal(self) -> bool | None:
        """Whether the build is legal, or would be after the changes; nothing where nobody can
        tell."""
        return self.verdict.legal and self.mending.changes is not None


def suggestions(
    project: Project, builds: Sequence[Build], options: CheckOptions
) -> list[Suggestion]:
    """Find a suggestion for each build; none for what could not be read whole.

    Raises ``InvalidSource`` where the options name an unknown regulation.
    """
    if options.regulation:
        choose_regulation(project.book, options.regulation, options.on)
    return [_suggestion(project.on(options.on), project, build, options) for build in builds]


def _suggestion(game: Game, project: Project, build: Build, options: CheckOptions) -> Suggestion:
    verdict = judge_build(project, build, options)
    if verdict.reasons:
        return Suggestion(build, (Mending(build, None, 0, False),), verdict)
    boxes, book = frozenset(options.boxes), verdict.book
    waived = frozenset(waiver.rule for waiver in build.waivers)
    if not verdict.brought:  # an unknown frame
        found = [Mending(build, None, 0, True)]
    elif build.has_parts:
        found = mend(BuildRepairs(game, book, build, boxes, waived))
    else:
        found = mend(DeckRepairs(game, book, build, boxes, waived, options.on))
    ways = tuple(_in_order(game, one) for one in found)
    after = judge(game, book, replace(ways[0].build, unread=()), verdict.regulation, options)
    return Suggestion(build, ways, after, tuple(_changed_figures(game, build, one) for one in ways))


def _in_order(game: Game, mending: Mending) -> Mending:
    """A way whose build has all parts, in the order of the game."""
    parts = (*game.parts, *mending.build.mounted)
    ordered = {part: mending.build.mounted.get(part, ()) for part in parts}
    return replace(mending, build=replace(mending.build, mounted=ordered))


def _changed_figures(game: Game, before: Build, mending: Mending) -> Mapping[str, tuple[int, int]]:
    """Figures that are not what they were; of decks their sizes as well, by the deck's id."""
    if not mending.changes:
        return {}
    was, now = _figures(game, before), _figures(game, mending.build)
    return {name: (was[name], now[name]) for name in now if was.get(name, now[name]) != now[name]}


def _figures(game: Game, build: Build) -> dict[str, int]:
    decks = {} if build.has_parts else lay_out_brought(game, build).rows
    sizes = {kind: sum(row.copies for row in rows) for kind, rows in decks.items()}
    return sizes | {name: total.value for name, total in totals_of(game, build).items()}


_say = partial(say, "suggestion")


def step_text(game: Game, step: RepairStep, language: str) -> str:
    """A step of mending in a language, with decks by their names."""
    source, target = step.source, step.target
    if step.is_of_decks:
        source, target = (deck_name(game, key, language) for key in (source, target))
    values = {"what": step.what, "source": source, "target": target}
    return game.label(_say(language, step.action, **values, copies=step.copies), language)


def suggestion_lines(suggestion: Suggestion, language: str) -> Iterator[str]:
    """A suggestion for a terminal: its changes, and the build as it would be."""
    mending = suggestion.mending
    name = suggestion.build.name
    if suggestion.verdict.reasons:
        yield f"{name}: {verdict_word(suggestion.verdict, language)}"
        yield from (f"  {reason.in_language(language)}" for reason in suggestion.verdict.reasons)
        yield from (f"  {problem.in_language(language)}" for problem in suggestion.verdict.problems)
        return
    if mending.changes is None or not suggestion.legal:
        key = "none" if mending.searched_all else "cut-short"
        yield _say(language, key, name=name, judged=mending.judged)
        yield from (f"  {problem.in_language(language)}" for problem in suggestion.verdict.problems)
        return
    key = "found" if mending.changes else "legal"
    yield _say(language, key, name=name, count=sum(change.copies for change in mending.changes))
    yield from _way_lines(suggestion, 0, language)
    if mending.changes and not mending.searched_all:
        yield "  " + _say(language, "in-haste", judged=mending.judged)
    game = suggestion.verdict.brought[0].game
    if mending.changes and not mending.build.has_parts:
        yield "  decks:"
        for deck, rows in mending.build.decks.items():
            listed = ", ".join(f"{card_written(game, row.card)}: {row.copies}" for row in rows)
            yield f"    {deck or 'deck'}: {{{listed}}}"
    elif mending.changes:
        if mending.build.frame != suggestion.build.frame:
            words = {key: game.label(one, language) for key, one in mending.build.frame.items()}
            yield f"  frame: {as_written(words)}"
        yield "  mounted:"
        for part, cards in mending.build.mounted.items():
            yield f"    {game.label(part, language)}: [{', '.join(cards)}]"
    yield from _other_lines(suggestion, language)


def _way_lines(suggestion: Suggestion, number: int, language: str) -> Iterator[str]:
    """The changes of one way, each with its rule, and the figures that they change."""
    mending = suggestion.ways[number]
    game = suggestion.verdict.brought[0].game
    for change in mending.changes or ():
        why = f" [{change.why}]" if change.why else ""
        yield f"  {step_text(game, change, language)}{why}"
    figures = suggestion.figures[number] if number < len(suggestion.figures) else {}
    if figures:
        each = (
            f"{deck_name(game, name, language)} {was}→{now}"
            for name, (was, now) in sorted(figures.items())
        )
        yield game.label(f"    {'・'.join(each)}", language)


def _other_lines(suggestion: Suggestion, language: str) -> Iterator[str]:
    pilots = {
        change.what
        for mending in suggestion.ways
        for change in mending.changes or ()
        if change.action == "remove-pilot"
    }
    if len(pilots) > 1:
        yield "  " + _say(language, "which-pilot", pilots="・".join(sorted(pilots)))
    for number in range(1, len(suggestion.ways)):
        yield "  " + _say(language, "or", number=number + 1)
        yield from (f"  {line}" for line in _way_lines(suggestion, number, language))


def suggestion_values(suggestion: Suggestion, language: str) -> dict[str, Any]:
    """A suggestion as plain values; no ``changes`` where none was found."""
    mending = suggestion.mending
    return {
        "name": suggestion.build.name,
        "legal": suggestion.legal,
        "reasons": [problem_values(reason, language) for reason in suggestion.verdict.reasons],
        "problems": [problem_values(problem, language) for problem in suggestion.verdict.problems],
        "searched_all": mending.searched_all,
        "changes": _changes_values(mending),
        "others": [
            {
                "changes": _changes_values(one),
                **_outcome_values(one.build),
            }
            for one in suggestion.ways[1:]
        ],
        "figures": [
            {name: {"before": was, "after": now} for name, (was, now) in one.items()}
            for one in suggestion.figures
        ],
        **_outcome_values(mending.build),
    }


def _outcome_values(build: Build) -> dict[str, Any]:
    """What is mounted on a build, and the copies of cards in its decks."""
    return {
        "mounted": {part: list(cards) for part, cards in build.mounted.items()},
        "decks": {
            deck: {row.card: row.copies for row in rows} for deck, rows in build.decks.items()
        },
    }


def _changes_values(mending: Mending) -> list[dict[str, Any]] | None:
    if mending.changes is None:
        return None
    return [
        {
            "action": c.action,
            "what": c.what,
            "from": c.source,
            "to": c.target,
            **({"rule": c.why} if c.why else {}),
            **({"copies": c.copies} if c.is_of_decks else {}),
        }
        for c in mending.changes
    ]
