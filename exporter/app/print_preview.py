"""Sheets of a held game: what can be printed, what lies on which page, a page as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from exporter.core.messages import Translated
from exporter.core.problems import (
    Problem,
    SourceLocation,
)
from exporter.model.paper import PageBox
from exporter.model.print_jobs import PaperLayout as PaperLayout
from exporter.model.print_jobs import PrintOrder as PrintOrder
from exporter.model.print_jobs import (
    SheetJob,
    Stationery,
)

if TYPE_CHECKING:
    from exporter.app.open_project import Held
    from exporter.printing.sheet_pages import Page


class PrintChoices(Struct, frozen=True):
    """The print jobs of a game, in their order, and papers and presets that all games share."""

    jobs: tuple[SheetJob, ...]
    stationery: Stationery


def printable(held: Held) -> PrintChoices:
    """What there is to print of a game. Raises ``InvalidSource``."""
    from exporter.app.arguments import stationery
    from exporter.loader.print_job_files import read_jobs

    papers = stationery()
    jobs = read_jobs(held.folder, held.gathered.printed, papers)
    return PrintChoices(tuple(jobs.values()), papers)


class OnPage(Struct, frozen=True):
    """A face on a page: its corner and size in millimetres, and ``where`` its row stands."""

    box: PageBox
    where: SourceLocation


class PagedSheet(Struct, frozen=True):
    """A file to be: the size of each page in millimetres, with what lies on it.

    A list or a note is set when it is made: it has no pages yet.
    """

    name: str
    title: str
    pages: tuple[tuple[tuple[float, float], tuple[OnPage, ...]], ...]


class PagedSheets(Struct, frozen=True):
    """The files that an order makes, notices, and what is said of it."""

    sheets: tuple[PagedSheet, ...]
    problems: tuple[Problem, ...]
    said: tuple[Translated, ...]


def sheets_of_held(held: Held, order: PrintOrder) -> PagedSheets:
    """Which pages the sheets that are ordered have. Raises ``InvalidSource``."""
    from exporter.app.arguments import stationery
    from exporter.app.print_files import sheet_files

    found = sheet_files(held.gathered, stationery(), order, Path(), is_optional=False)
    sheets = (
        PagedSheet(plan.name, plan.title, tuple(map(_page, plan.pages)))
        for _path, plan in found.files
    )
    return PagedSheets(tuple(sheets), found.notices, found.said)


def _page(page: Page) -> tuple[tuple[float, float], tuple[OnPage, ...]]:
    spots = tuple(OnPage(spot.trim, spot.face.where) for spot in page.spots)
    return (page.width, page.height), spots


def page_picture(pdf: Path, number: int, dpi: int) -> bytes:
    """A page of a PDF as PNG, the first is 1; nothing where it has no such page."""
    from exporter.printing.pdf.page_pictures import png_page

    return png_page(pdf.read_bytes(), number, dpi)
