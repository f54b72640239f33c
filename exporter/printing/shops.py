"""Lay cards on the pages of a print shop: a page a side, cut and bleed as the shop has it."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from exporter.core import grouped
from exporter.core.file_writer import IN_NO_NAME
from exporter.model.print_jobs import PageBox, Shop
from exporter.printing.imposition import Piece, Setting, piece_pages
from exporter.printing.sheet_pages import POINTS, FaceSpot, Page, page_outline, pdf_pages

# How far a card's sides may be off those of a shop's, as a share; it is scaled to them.
NEAR = 0.04

# Distance in mm from the edge of a face up to which something counts as its ground.
EDGE = 0.1


class PieceCopies(Struct, frozen=True):
    """A card of a shop's file: its name, how often it is printed, and how many pages it has."""

    name: str
    count: int
    pages: int


def is_of_size(piece: Piece, shop: Shop) -> bool:
    """Return whether a card has a shop's size, or nearly so."""
    sides = zip(sorted((piece.front.width, piece.front.height)), sorted(shop.trim), strict=True)
    return all(abs(own / wanted - 1) <= NEAR for own, wanted in sides)


def shop_setting(setting: Setting, shop: Shop) -> Setting:
    """Return a job's layout on a shop's page."""
    return replace(
        setting,
        paper=shop.paper,
        size=shop.trim,
        scale_to_fit=True,
        grid=(1, 1),
        gap=(0, 0),
        bleed=shop.length(shop.bleed),
        cut="none",
        backs="interleaved",
        offset=(0, 0),
    )


def shop_decks(
    pieces: Sequence[Piece], setting: Setting, shop: Shop
) -> Iterator[tuple[str, list[Page], list[PieceCopies]]]:
    """Yield each deck with the pages of its distinct cards, and how often each is printed."""
    for deck, cards in grouped(pieces, lambda piece: piece.deck).items():
        pages: list[Page] = []
        copies: list[PieceCopies] = []
        used = Counter[str]()
        for piece, count in Counter(cards).items():
            own = setting if piece.back else replace(setting, backs="none")
            sides = piece_pages(own, [piece], "")
            pages += reversed(sides) if shop.order == "back-first" else sides
            name = re.sub(rf"[{IN_NO_NAME}\s]+", "_", piece.name)
            used[name] += 1
            name = name if used[name] == 1 else f"{name}-{used[name]}"
            copies.append(PieceCopies(name, count, len(sides)))
        yield deck, pages, copies


def page_order(pages: Sequence[Page], copies: Sequence[PieceCopies], shop: Shop) -> list[int]:
    """Return the numbers of a file's pages among the different ones: a deck's cards have one back.

    The pages of a card come as often as it is printed, where the shop counts pages.
    """
    numbers = {page: number for number, page in enumerate(dict.fromkeys(pages))}
    order, rest = list[int](), iter(pages)
    for card in copies:
        own = [numbers[page] for page in islice(rest, card.pages)]
        order += own * (card.count if shop.repeats and shop.form == "pdf" else 1)
    return order


def with_proof(page: Page, shop: Shop) -> Page:
    """Draw the lines of bleed, cut and safe margin over a page."""
    trim = page.spots[0].trim
    safe = -shop.length(shop.safe)
    inset = trim.grown(safe, safe, safe, safe)
    boxes = {"fold": PageBox(0, 0, page.width, page.height), "cut": trim, "guide": inset}
    lines = chain.from_iterable(page_outline(box, kind) for kind, box in boxes.items())
    return replace(page, lines=tuple(lines))


def without_bleed(page: Page) -> Page:
    """Return a page with its faces alone, to be measured."""
    spots = (replace(spot, ground=None, bleed=spot.box) for spot in page.spots)
    return replace(page, spots=tuple(spots))


def within_safe(pages: Sequence[Page], pdf: bytes, shop: Shop) -> list[Page]:
    """Make the faces of pages smaller, all alike, until nothing on them is outside the safe margin
    but what reaches their edges. ``pdf`` has the pages ``without_bleed``.

    Of a face that draws its own bleed only texts count: what is in its picture may be cut."""
    scale, safe = 1.0, shop.length(shop.safe)
    for page, drawn in zip(pages, pdf_pages(pdf), strict=True):
        for near, half in _nearest(page.spots[0], page.height, drawn):
            scale = min(scale, (half - safe) / (half - near))
    if scale > 1 - 1e-4:
        return list(pages)
    return [
        replace(page, spots=tuple(_smaller(spot, scale) for spot in page.spots)) for page in pages
    ]


def _nearest(spot: FaceSpot, height: float, drawn: Any) -> Iterator[tuple[float, float]]:
    """Yield the distance in mm of each side of each object of a page from the cut beside it, and of
    the cut from the middle."""
    from pypdfium2.raw import FPDF_PAGEOBJ_TEXT

    trim, face = spot.trim, spot.box
    own = spot.ground is not None and spot.ground.template == spot.face.template
    for item in drawn.get_objects([FPDF_PAGEOBJ_TEXT] if own else None, max_depth=1):
        left, bottom, right, top = (side / POINTS for side in item.get_bounds())
        for side, cut, edge, half in (
            (left, trim.x, face.x, trim.width / 2),
            (-right, -trim.right, -face.right, trim.width / 2),
            (height - top, trim.y, face.y, trim.height / 2),
            (bottom - height, -trim.bottom, -face.bottom, trim.height / 2),
        ):
            if edge + EDGE < side < cut + half:
                yield side - cut, half


def _smaller(spot: FaceSpot, scale: float) -> FaceSpot:
    across, down = (side * (scale - 1) / 2 for side in (spot.box.width, spot.box.height))
    return replace(spot, box=spot.box.grown(across, down, across, down))


def quantities(copies: Sequence[PieceCopies]) -> bytes:
    """Return a table of cards, by the names of their files, and how often each is printed."""
    table = io.StringIO()
    rows = [("card", "copies"), *((card.name, card.count) for card in copies)]
    csv.writer(table).writerows(rows)
    return b"\xef\xbb\xbf" + table.getvalue().encode()


def picture_names(copies: Sequence[PieceCopies], shop: Shop) -> Iterator[str]:
    """Yield the name of the picture of each page: ``B02_ミドルレーザー_x2-front.png``."""
    for card in copies:
        sides = ["front", "back"][: card.pages]
        for side in reversed(sides) if shop.order == "back-first" else sides:
            yield f"{card.name}_x{card.count}-{side}.png"
