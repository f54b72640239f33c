"""A check's report as text, as plain values for JSON, and as the values of an HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from exporter.checking.report import Report, Verdict
from exporter.problems import Problem, counts, problem_values
from exporter.rules.book import Rule
from exporter.rules.totals import Total

WORDS: dict[str, dict[str, str]] = {
    "ja": {
        "legal": "合法",
        "illegal": "違反{count}件",
        "waived": "免除",
        "printed": "印刷された構成{count}: 合法{legal}",
        "handed-in": "自作の機体{count}: 合法{legal}",
        "cases": "例{count}件: 期待どおり{held}",
        "counts": "規則: 検査{checked}・人が見る{by-hand}・未対応{not-yet}",
        "unchecked": "検査していないもの",
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
        "waived": "waived",
        "printed": "{count} printed loadout{s}: {legal} legal",
        "handed-in": "{count} build{s}: {legal} legal",
        "cases": "{held} of {count} case{s} hold",
        "counts": "Rules: {checked} checked, {by-hand} by hand, {not-yet} not yet",
        "unchecked": "Not checked",
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


def verdict_values(verdict: Verdict) -> dict[str, Any]:
    """A build's verdict as plain values."""
    return {
        "name": verdict.build.name,
        "printed": verdict.printed,
        "frame": dict(verdict.build.frame),
        "regulation": str(verdict.regulation),
        "legal": verdict.legal,
        "problems": [problem_values(problem) for problem in verdict.problems],
        "notices": [problem_values(problem) for problem in verdict.notices],
        "waived": [
            {**problem_values(problem), "reason": waiver.reason}
            for problem, waiver in verdict.waived
        ],
        "figures": {name: total_values(total) for name, total in (verdict.totals or {}).items()},
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
                "cases": {"count": report.cases[0], "held": report.cases[1]},
                "not_checked": [_rule_values(rule, report.language) for rule in report.not_checked],
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
    """Legal, or how much is against it."""
    words, count = WORDS[language], len(verdict.problems)
    return (
        words["legal"] if verdict.legal else words["illegal"].format(count=count, s=plural(count))
    )


def _verdict_lines(verdict: Verdict, language: str) -> Iterator[str]:
    frame = " ".join(verdict.build.frame.values())
    yield f"{verdict.build.name}  {frame}  {verdict.regulation}  {verdict_word(verdict, language)}"
    for problem, waiver in verdict.waived:
        yield f"  {WORDS[language]['waived']} {problem.rule}: {waiver.reason} — {problem.message}"
    if not verdict.printed:
        yield from (f"  {total}" for total in (verdict.totals or {}).values())


def _tally(report: Report, printed: bool) -> str:
    words = WORDS[report.language]
    chosen = [verdict for verdict in report.builds if verdict.printed is printed]
    legal = sum(verdict.legal for verdict in chosen)
    key = "printed" if printed else "handed-in"
    count = len(chosen)
    return words[key].format(count=count, s=plural(count), legal=legal) if chosen else ""


def _counts(report: Report) -> str:
    counts = {str(status): count for status, count in report.counts.items()}
    return WORDS[report.language]["counts"].format(**counts)


def report_lines(report: Report) -> Iterator[str]:
    """The results of a check; its problems are told apart from these."""
    words, language = WORDS[report.language], report.language
    for verdict in report.builds:
        yield from _verdict_lines(verdict, language)
    for one in report.regulations:
        if one.id:
            yield f"{words['regulation']}: {one} {one.title.in_language(language)}"
    yield from filter(None, (_tally(report, printed) for printed in (True, False)))
    if report.cases[0]:
        count, held = report.cases
        yield words["cases"].format(count=count, s=plural(count), held=held)
    yield _counts(report)
    if report.not_checked or report.clauses:
        yield f"{words['unchecked']}:"
    for rule in report.not_checked:
        reason = rule.reason.in_language(language)
        yield f"  {rule.id} {rule.title.in_language(language)} ({words[rule.status]}: {reason})"
    for clause in report.clauses:
        yield f"  {words['clause']} {clause.in_language(language)} ({words['not-yet']})"


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
                "frame": " ".join(verdict.build.frame.values()),
                "regulation": str(verdict.regulation),
                "legal": verdict.legal,
                "verdict": verdict_word(verdict, language),
                "problems": [str(problem) for problem in verdict.problems],
                "notices": [problem.message for problem in verdict.notices],
                "waived": [
                    f"{problem.rule} {problem.message} — {waiver.reason}"
                    for problem, waiver in verdict.waived
                ],
                "figures": [str(total) for total in (verdict.totals or {}).values()],
                "pilots": [
                    f"{pilot.name}: {'・'.join(pilot.skills)}" for pilot in verdict.build.pilots
                ],
                "mounted": [
                    f"{part}: {'・'.join(cards) or '—'}"
                    for part, cards in verdict.build.mounted.items()
                ],
            }
            for verdict in report.builds
        ],
        "counts": _counts(report),
        "not_checked": [
            f"{rule.id} {rule.title.in_language(language)} — {rule.reason.in_language(language)}"
            for rule in report.not_checked
        ],
        "clauses": [clause.in_language(language) for clause in report.clauses],
    }
