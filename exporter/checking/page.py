"""The HTML page of a check: one file, no network, one row a build, fit for printing."""

from __future__ import annotations

from collections.abc import Sequence

from exporter.checking.report import Report
from exporter.checking.reporting import WORDS, page_values
from exporter.places import shipped
from exporter.problems import Problem


def report_page(reports: Sequence[Report], problems: Sequence[Problem]) -> str:
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
    language = reports[0].language if reports else "en"
    return environment.get_template("check.html.j2").render(
        language=language,
        words=WORDS[language],
        reports=[page_values(report) for report in reports],
        problems=[str(problem) for problem in problems],
    )
