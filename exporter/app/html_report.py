"""The HTML page of a check: one file, no network, one row a build, fit for printing."""

from __future__ import annotations

from collections.abc import Sequence

from exporter.core.messages import words
from exporter.core.problems import Problem
from exporter.core.shipped_files import shipped
from exporter.rules.report.check_report import Report
from exporter.rules.report.report_formats import page_values


def report_page(reports: Sequence[Report], problems: Sequence[Problem], language: str) -> str:
    """The page of ``templates/reports/check.html.j2`` for these reports."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        # The shipped one alone: a template is code, and a folder may come from a stranger.
        loader=FileSystemLoader(shipped("templates") / "reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("check.html.j2").render(
        language=language,
        words=words("report", language),
        reports=[page_values(report, language) for report in reports],
        problems=[problem.in_language(language) for problem in problems],
    )
