"""A check's report as text, as plain values for JSON, and as the values of an HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import to_builtins

from exporter.checking.report import Report
from exporter.checking.verdicts import Verdict
from exporter.model import Build
from exporter.problems import UNREADABLE, Problem, counts, problem_values
from exporter.rules.book import Rule
from exporter.rules.play import OfPlay
from exporter.rules.totals import Total

WORDS: dict[str, dict[str, str]] = {
    "ja": {
        "legal": "合法",
        "illegal": "違反{count}件",
        "not-judged": "判定できない",
        "not-read": "・読めないところ{count}件",
        "waived": "免除",
        "printed": "印刷された構成{count}: 合法{legal}",
        "handed-in": "自作の機体{count}: 合法{legal}",
        "of-them-not-judged": "・判定できない{count}",
        "cases": "例{count}件: 期待どおり{held}",
        "of-them-not-run": "・試せない{count}",
        "counts": "規則: 検査{checked}・人が見る{by-hand}・未対応{not-yet}"
        "・検査対象なし{nothing-to-check}",
        "unchecked": "検査していないもの",
        "idle": "検査対象なし",
        "in-cases": "例の中だけで使う",
        "by-hand": "人が見る",
        "not-yet": "未対応",
        "clause": "条項",
        "assumed": "仮定",
        "regulation": "レギュレーション",
        "problems": "問題{count}件",
        "none": "問題なし",
        "title": "検査の結果",
        "name": "名前",
        "frame": "機体タイプ",
        "verdict": "判定",
        "what": "内容",
        "pilots": "パイロット",
        "details": "内訳",
    },
    "en": {
        "legal": "legal",
        "illegal": "{count} fault{s}",
        "not-judged": "not judged",
        "not-read": ", not read whole",
        "waived": "waived",
        "printed": "{count} printed loadout{s}: {legal} legal",
        "handed-in": "{count} build{s}: {legal} legal",
        "of-them-not-judged": ", {count} not judged",
        "cases": "{held} of {count} case{s} hold",
        "of-them-not-run": ", {count} could not be run",
        "counts": "Rules: {checked} checked, {by-hand} by hand, {not-yet} not yet, "
        "{nothing-to-check} with nothing to check",
        "unchecked": "Not checked",
        "idle": "Nothing to check",
        "in-cases": "used in examples alone",
        "by-hand": "by hand",
        "not-yet": "not yet",
        "clause": "clause",
        "assumed": "assumed",
        "regulation": "regulation",
        "problems": "Problems: {count}",
        "none": "no problems",
        "title": "Result of the check",
        "name": "name",
        "frame": "frame",
        "verdict": "verdict",
        "what": "what",
        "pilots": "pilots",
        "details": "details",
    },
}


def plural(count: int) -> str:
    """The ending of an English noun after a number."""
    return "" if count == 1 else "s"


def total_values(total: Total) -> dict[str, Any]:
    """A figure with its terms."""
    return {
        "value": total.value,
        "terms": [
            {"label": term.label, "value": term.value, "cites": list(term.cites)}
            for term in total.terms
        ],
    }


def _figures(verdict: Verdict) -> Mapping[str, Total]:
    """The figures of a build; none where it was not read whole, as they may be others."""
    return {} if verdict.reasons else verdict.totals or {}


def verdict_values(verdict: Verdict) -> dict[str, Any]:
    """A build's verdict as plain values."""
    return {
        "name": verdict.build.name,
        "printed": verdict.printed,
        "frame": {
            key: None if word == UNREADABLE else word for key, word in verdict.build.frame.items()
        },
        "regulation": verdict.regulation,
        "legal": verdict.legal,
        "reasons": [problem_values(problem) for problem in verdict.reasons],
        "problems": [problem_values(problem) for problem in verdict.problems],
        "notices": [problem_values(problem) for problem in verdict.notices],
        "waived": [
            {**problem_values(problem), "reason": waiver.reason}
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


def reports_values(reports: Sequence[Report], problems: Sequence[Problem]) -> dict[str, Any]:
    """Whole reports as one document of plain values; ``problems`` are all that were found."""
    return {
        "games": [
            {
                "game": report.game.id,
                "regulations": [str(one) for one in report.regulations],
                "rules": dict(report.counts),
                "cases": to_builtins(report.cases),
                "not_checked": [_rule_values(rule, report.language) for rule in report.not_checked],
                "nothing_to_check": [_rule_values(rule, report.language) for rule in report.idle],
                "clauses_not_read": [
                    clause.in_language(report.language) for clause in report.clauses
                ],
            }
            for report in reports
        ],
        "builds": [
            {"game": report.game.id, **verdict_values(verdict)}
            for report in reports
            for verdict in report.builds
        ],
        "problems": [problem_values(problem) for problem in problems],
        "summary": counts(problems),
    }


def verdict_word(verdict: Verdict, language: str) -> str:
    """Legal, or how much is against it, or that nobody can tell."""
    words, count = WORDS[language], len(verdict.problems)
    if verdict.legal is None:
        return words["not-judged"]
    if verdict.legal:
        return words["legal"]
    unread = words["not-read"].format(count=len(verdict.reasons)) if verdict.reasons else ""
    return words["illegal"].format(count=count, s=plural(count)) + unread


def _shown(words: Iterable[str]) -> list[str]:
    """Words of a build, with a question mark for what could not be read."""
    return ["?" if word == UNREADABLE else word for word in words]


def _frame(build: Build) -> str:
    return " ".join(_shown(build.frame.values()))


def _verdict_lines(verdict: Verdict, language: str) -> Iterator[str]:
    head = (verdict.build.name, _frame(verdict.build), verdict.regulation)
    yield "  ".join([*head, verdict_word(verdict, language)])
    yield from (f"  {reason}" for reason in verdict.reasons)
    for problem, waiver in verdict.waived:
        yield f"  {WORDS[language]['waived']} {problem.rule}: {waiver.reason} — {problem.message}"
    if not verdict.printed:
        yield from (f"  {total}" for total in _figures(verdict).values())


def _tally(report: Report, printed: bool) -> str:
    words = WORDS[report.language]
    chosen = [verdict for verdict in report.builds if verdict.printed is printed]
    legal = sum(verdict.legal is True for verdict in chosen)
    unknown = sum(verdict.legal is None for verdict in chosen)
    key, count = "printed" if printed else "handed-in", len(chosen)
    text = words[key].format(count=count, s=plural(count), legal=legal) if chosen else ""
    return text + (words["of-them-not-judged"].format(count=unknown) if unknown else "")


def _counts(report: Report) -> str:
    counts = {str(standing): count for standing, count in report.counts.items()}
    return WORDS[report.language]["counts"].format(**counts)


def _cases(report: Report) -> str:
    """How many cases hold, of all; nothing where none were asked for, or there are none."""
    words, cases = WORDS[report.language], report.cases
    if not cases.count:
        return ""
    text = words["cases"].format(count=cases.count, s=plural(cases.count), held=cases.held)
    return text + (words["of-them-not-run"].format(count=cases.not_run) if cases.not_run else "")


def _idle_lines(report: Report) -> list[str]:
    """The rules that had nothing to look at, by name; those of play are used by cases alone."""
    words, language = WORDS[report.language], report.language
    return [
        f"{rule.id} {rule.title.in_language(language)}"
        + (f" ({words['in-cases']})" if isinstance(rule.kind, OfPlay) else "")
        for rule in report.idle
    ]


def report_lines(report: Report) -> Iterator[str]:
    """The results of a check; its problems are told apart from these."""
    words, language = WORDS[report.language], report.language
    for verdict in report.builds:
        yield from _verdict_lines(verdict, language)
    for one in report.regulations:
        if one.id:
            yield f"{words['regulation']}: {one} {one.title.in_language(language)}"
    yield from filter(None, (_tally(report, True), _tally(report, False), _cases(report)))
    yield _counts(report)
    if report.not_checked or report.clauses:
        yield f"{words['unchecked']}:"
    for rule in report.not_checked:
        reason = rule.reason.in_language(language)
        yield f"  {rule.id} {rule.title.in_language(language)} ({words[rule.status]}: {reason})"
    for clause in report.clauses:
        yield f"  {words['clause']} {clause.in_language(language)} ({words['not-yet']})"
    if report.idle:
        yield f"{words['idle']}:"
    yield from (f"  {line}" for line in _idle_lines(report))


def table_lines(reports: Sequence[Report]) -> Iterator[str]:
    """Several games in short: the counts of each one's rules, and whether it passed."""
    for report in reports:
        verdict = "ok" if report.passed else "✗"
        yield f"{report.game.id:<28}{verdict:<4}{_counts(report)}"


def page_values(report: Report) -> dict[str, Any]:
    """What the HTML page shows: one row for each build, then each build's figures and faults."""
    language = report.language
    return {
        "language": language,
        "words": WORDS[language],
        "game": report.game.name.in_language(language),
        "notice": report.game.notice.in_language(language),
        "regulation": " / ".join(
            f"{one} {one.title.in_language(language)}" for one in report.regulations
        ),
        "rows": [
            {
                "name": verdict.build.name,
                "frame": _frame(verdict.build),
                "regulation": verdict.regulation,
                "class": {True: "legal", False: "illegal", None: "unknown"}[verdict.legal],
                "verdict": verdict_word(verdict, language),
                "reasons": [str(reason) for reason in verdict.reasons],
                "problems": [str(problem) for problem in verdict.problems],
                "notices": [problem.message for problem in verdict.notices],
                "waived": [
                    f"{problem.rule} {problem.message} — {waiver.reason}"
                    for problem, waiver in verdict.waived
                ],
                "figures": [str(total) for total in _figures(verdict).values()],
                "pilots": [
                    f"{pilot.name}: {'・'.join(_shown(pilot.skills))}"
                    for pilot in verdict.build.pilots
                ],
                "mounted": [
                    f"{part}: {'・'.join(_shown(cards)) or '—'}"
                    for part, cards in verdict.build.mounted.items()
                ],
            }
            for verdict in report.builds
        ],
        "tally": list(filter(None, (_tally(report, True), _tally(report, False)))),
        "cases": _cases(report),
        "counts": _counts(report),
        "idle": _idle_lines(report),
        "not_checked": [
            f"{rule.id} {rule.title.in_language(language)} — {rule.reason.in_language(language)}"
            for rule in report.not_checked
        ],
        "clauses": [clause.in_language(language) for clause in report.clauses],
    }
