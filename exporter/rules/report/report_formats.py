"""A check's report as text, as plain values for JSON, and as the values of an HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from exporter.core.messages import say, words
from exporter.core.problems import (
    UNREADABLE,
    Problem,
    counts,
    problem_values,
)
from exporter.core.shipped_files import shipped
from exporter.model import (
    Build,
    DeckEntry,
    Game,
)
from exporter.rules.figures import (
    Total,
    slots_by_part,
)
from exporter.rules.kind import Rule
from exporter.rules.play_rules import OfPlay
from exporter.rules.report.check_report import Report
from exporter.rules.report.verdicts import Verdict

if TYPE_CHECKING:
    from jinja2 import Environment

_say = partial(say, "report")


def total_values(total: Total) -> dict[str, Any]:
    """Give a figure with its terms."""
    return {
        "value": total.value,
        "terms": [
            {"label": term.label, "value": term.value, "cites": list(term.cites)}
            for term in total.terms
        ],
    }


def _figures(verdict: Verdict) -> Mapping[str, Total]:
    """Find the figures of a build; none where it was not read whole, as they may be others."""
    return {} if verdict.reasons else verdict.totals or {}


def verdict_values(verdict: Verdict, language: str) -> dict[str, Any]:
    """Give a build's verdict as plain values."""
    return {
        "name": verdict.build.name,
        "printed": verdict.printed,
        "frame": {
            key: None if word == UNREADABLE else word for key, word in verdict.build.frame.items()
        },
        "decks": {
            deck: [{"card": row.card, "copies": row.copies} for row in rows]
            for deck, rows in verdict.build.decks.items()
        },
        "regulation": verdict.regulation,
        "legal": verdict.legal,
        "reasons": [problem_values(problem, language) for problem in verdict.reasons],
        "problems": [problem_values(problem, language) for problem in verdict.problems],
        "notices": [problem_values(problem, language) for problem in verdict.notices],
        "waived": [
            {**problem_values(problem, language), "reason": waiver.reason}
            for problem, waiver in verdict.waived
        ],
        "figures": {name: total_values(total) for name, total in _figures(verdict).items()},
    }


def _rule_values(rule: Rule, language: str) -> dict[str, Any]:
    return {
        "id": rule.id,
        "title": rule.title.in_language(language),
        "status": rule.status,
        "reason": rule.reason.in_language(language),
        "cites": list(rule.cites),
    }


def reports_values(
    reports: Sequence[Report], problems: Sequence[Problem], language: str
) -> dict[str, Any]:
    """Give whole reports as one document of plain values; ``problems`` are all that were found."""
    return {
        "games": [
            {
                "game": report.game.id,
                "regulations": [str(one) for one in report.regulations],
                "rules": dict(report.counts),
                "cases": to_builtins(report.cases),
                "not_checked": [_rule_values(rule, language) for rule in report.not_checked],
                "nothing_to_check": [_rule_values(rule, language) for rule in report.idle],
                "clauses_not_read": [clause.in_language(language) for clause in report.clauses],
            }
            for report in reports
        ],
        "builds": [
            {"game": report.game.id, **verdict_values(verdict, language)}
            for report in reports
            for verdict in report.builds
        ],
        "problems": [problem_values(problem, language) for problem in problems],
        "summary": counts(problems),
    }


def verdict_word(verdict: Verdict, language: str) -> str:
    """Say legal, or how much is against it, or that nobody can tell."""
    if verdict.legal is None:
        return _say(language, "not-judged")
    if verdict.legal:
        return _say(language, "legal")
    unread = _say(language, "not-read", count=len(verdict.reasons)) if verdict.reasons else ""
    return _say(language, "illegal", count=len(verdict.problems)) + unread


def _shown(words: Iterable[str]) -> list[str]:
    """Write words of a build, with a question mark for what could not be read."""
    return ["?" if word == UNREADABLE else word for word in words]


def _frame(build: Build) -> str:
    return " ".join(_shown(build.frame.values()))


def deck_name(game: Game, deck: str, language: str) -> str:
    """A kind of deck by its name; whatever else as it is."""
    kind = game.deck_kinds.get(deck)
    return kind.name.in_language(language) if kind else deck


def _summary(verdict: Verdict, game: Game, language: str) -> str:
    """Write the words of the frame, and the slots of one that mounts nothing; of decks, how
    many cards each has."""
    if verdict.build.has_parts:
        slots = sum(slots_by_part(_figures(verdict)).values())
        is_bare = slots and not any(verdict.build.mounted.values())
        free = [_say(language, "free", count=slots)] if is_bare else []
        return " ".join([game.label(_frame(verdict.build), language), *free])
    decks = verdict.build.decks.items()
    each = ((deck, sum(row.copies for row in rows)) for deck, rows in decks)
    return " ".join(f"{deck_name(game, deck, language)} {cards}".strip() for deck, cards in each)


def _verdict_lines(verdict: Verdict, game: Game, language: str, *, verbose: bool) -> Iterator[str]:
    name = game.label(verdict.build.name, language) if verdict.printed else verdict.build.name
    head = (name, _summary(verdict, game, language), verdict.regulation)
    yield "  ".join([*head, verdict_word(verdict, language)])
    if verbose:
        yield from (f"  {reason.in_language(language)}" for reason in verdict.reasons)
    for problem, waiver in verdict.waived:
        message = problem.sentence.in_language(language)
        yield f"  {_say(language, 'waived')} {problem.rule}: {waiver.reason} — {message}"
    if verbose and not verdict.printed:
        each = map(str, _figures(verdict).values())
        yield from (f"  {game.label(total, language)}" for total in each)


def _tallies(report: Report, language: str) -> list[str]:
    """Count how many are legal of what is printed, of players' builds, and of their decks."""
    found: dict[str, list[Verdict]] = {"printed": [], "handed-in": [], "decks": []}
    for verdict in report.builds:
        own = "handed-in" if verdict.build.has_parts else "decks"
        found["printed" if verdict.printed else own].append(verdict)
    return [_tally(language, key, chosen) for key, chosen in found.items() if chosen]


def _tally(language: str, key: str, chosen: Sequence[Verdict]) -> str:
    legal = sum(verdict.legal is True for verdict in chosen)
    unknown = sum(verdict.legal is None for verdict in chosen)
    text = _say(language, key, count=len(chosen), legal=legal)
    return text + (_say(language, "of-them-not-judged", count=unknown) if unknown else "")


def _counts(report: Report, language: str) -> str:
    counts = {name.replace("-", "_"): count for name, count in report.counts.items()}
    return _say(language, "counts", **counts) if any(counts.values()) else ""


def _cases(report: Report, language: str) -> str:
    """Count how many cases hold, of all; nothing where none were asked for, or there are none."""
    cases = report.cases
    if not cases.count:
        return ""
    text = _say(language, "cases", count=cases.count, passed=cases.held)
    return text + (_say(language, "of-them-not-run", count=cases.not_run) if cases.not_run else "")


def _idle_lines(report: Report, language: str) -> list[str]:
    """Find the rules that had nothing to look at, by name; those of play are used by cases
    alone."""
    return [
        f"{rule.id} {rule.title.in_language(language)}"
        + (f" ({_say(language, 'in-cases')})" if isinstance(rule.kind, OfPlay) else "")
        for rule in report.idle
    ]


def verdict_lines(report: Report, language: str, *, verbose: bool = False) -> Iterator[str]:
    """Write the verdicts of a check, one a build, with what is waived; without ``verbose`` of
    the game's own builds those alone that are not legal."""
    for verdict in report.builds:
        if verbose or not (verdict.printed and verdict.legal):
            yield from _verdict_lines(verdict, report.game, language, verbose=verbose)


def counts_line(report: Report, language: str) -> str:
    """Count how many builds are legal, cases hold and rules were looked at."""
    found = (*_tallies(report, language), _cases(report, language), _counts(report, language))
    return " · ".join(filter(None, found))


def unchecked_lines(report: Report, language: str) -> Iterator[str]:
    """Write the regulations of a check, and the rules that it could not look at."""
    for one in report.regulations:
        if one.id:
            yield f"{_say(language, 'regulation')}: {one} {one.title.in_language(language)}"
    if report.not_checked or report.clauses:
        yield f"{_say(language, 'unchecked')}:"
    for rule in report.not_checked:
        why = f"{_say(language, rule.status)}: {rule.reason.in_language(language)}"
        yield f"  {rule.id} {rule.title.in_language(language)} ({why})"
    for clause in report.clauses:
        text = clause.in_language(language)
        yield f"  {_say(language, 'clause')} {text} ({_say(language, 'not-yet')})"
    if report.idle:
        yield f"{_say(language, 'idle')}:"
    yield from (f"  {line}" for line in _idle_lines(report, language))


def report_lines(
    report: Report, language: str, *, verbose: bool = False, verdicts_last: bool = False
) -> list[str]:
    """Write the results of a check; its problems are printed apart from these."""
    verdicts = list(verdict_lines(report, language, verbose=verbose))
    more = list(unchecked_lines(report, language)) if verbose else []
    counts = [*filter(None, [counts_line(report, language)])]
    return [*more, *counts, *verdicts] if verdicts_last else [*verdicts, *counts, *more]


def table_lines(reports: Sequence[Report], language: str) -> Iterator[str]:
    """Write several games in short: the counts of each one's rules, and whether it passed."""
    for report in reports:
        verdict = "ok" if report.passed else "✗"
        yield f"{report.game.id:<28}{verdict:<4}{_counts(report, language)}".rstrip()


def _row_text(report: Report, row: DeckEntry) -> str:
    card = report.game.card(row.card)
    return f"{card.name if card else row.card}×{row.copies}"


def page_values(report: Report, language: str) -> dict[str, Any]:
    """Find what the HTML page shows: one row for each build, then each build's figures and
    faults."""
    return {
        "language": language,
        "words": words("report", language),
        "game": report.game.name.in_language(language),
        "notice": report.game.notice.in_language(language),
        "regulation": " / ".join(
            f"{one} {one.title.in_language(language)}" for one in report.regulations
        ),
        "rows": [
            {
                "name": verdict.build.name,
                "frame": _summary(verdict, report.game, language),
                "regulation": verdict.regulation,
                "class": {True: "legal", False: "illegal", None: "unknown"}[verdict.legal],
                "verdict": verdict_word(verdict, language),
                "reasons": [reason.in_language(language) for reason in verdict.reasons],
                "problems": [problem.in_language(language) for problem in verdict.problems],
                "notices": [each.sentence.in_language(language) for each in verdict.notices],
                "waived": [
                    f"{problem.rule} {problem.sentence.in_language(language)} — {waiver.reason}"
                    for problem, waiver in verdict.waived
                ],
                "figures": [
                    report.game.label(str(total), language) for total in _figures(verdict).values()
                ],
                "pilots": [
                    f"{pilot.name}: {'・'.join(_shown(pilot.skills))}"
                    for pilot in verdict.build.pilots
                ],
                "mounted": [
                    report.game.label(f"{part}: {'・'.join(_shown(cards)) or '—'}", language)
                    for part, cards in verdict.build.mounted.items()
                ]
                + [
                    f"{deck_name(report.game, deck, language)}: "
                    + "・".join(_row_text(report, row) for row in rows)
                    for deck, rows in verdict.build.decks.items()
                ],
            }
            for verdict in report.builds
        ],
        "tally": _tallies(report, language),
        "cases": _cases(report, language),
        "counts": _counts(report, language),
        "idle": _idle_lines(report, language),
        "not_checked": [
            f"{rule.id} {rule.title.in_language(language)} — {rule.reason.in_language(language)}"
            for rule in report.not_checked
        ],
        "clauses": [clause.in_language(language) for clause in report.clauses],
    }


def report_page(reports: Sequence[Report], problems: Sequence[Problem], language: str) -> str:
    """Make the page of a check: one file, no network, one row a build, fit for printing."""
    return filled_template(
        "reports",
        "check.html.j2",
        language=language,
        words=words("report", language),
        reports=[page_values(report, language) for report in reports],
        problems=[problem.in_language(language) for problem in problems],
    )


@cache
def _environment(folder: str) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

    return Environment(
        # The shipped ones alone: a template is code, and a folder may come from a stranger.
        loader=FileSystemLoader(shipped("templates") / folder),
        autoescape=select_autoescape(disabled_extensions=["txt.j2"], default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def filled_template(folder: str, template: str, **values: object) -> str:
    """Fill a template of a ``folder`` of ``templates``."""
    return _environment(folder).get_template(template).render(**values)
