"""Files that show results: the page of a check, and the damage of builds drawn."""

from __future__ import annotations

from collections.abc import Sequence

from exporter.core.messages import words
from exporter.core.problems import Problem
from exporter.core.shipped_files import shipped
from exporter.rules.report.check_report import Report
from exporter.rules.report.comparing import (
    Comparison,
    plot_values,
)
from exporter.rules.report.report_formats import page_values


def report_page(reports: Sequence[Report], problems: Sequence[Problem], language: str) -> str:
    """Make the page of a check: one file, no network, one row a build, fit for printing."""
    return _filled(
        "check.html.j2",
        language=language,
        words=words("report", language),
        reports=[page_values(report, language) for report in reports],
        problems=[problem.in_language(language) for problem in problems],
    )


def damage_plot(found: Comparison, language: str) -> str:
    """Draw the damage of builds by distance as an SVG."""
    return _filled("damage.svg.j2", words=words("comparison", language), **plot_values(found))


def _filled(template: str, **values: object) -> str:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        # The shipped ones alone: a template is code, and a folder may come from a stranger.
        loader=FileSystemLoader(shipped("templates") / "reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=template.endswith(".svg.j2"),
    )
    return environment.get_template(template).render(**values)
