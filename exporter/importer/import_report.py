"""What a table and pictures were taken for, as their author reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from exporter.core.messages import (
    Joined,
    Sentence,
    Translated,
    sentence,
)
from exporter.importer.card_kinds import (
    POKER,
    CardKind,
)
from exporter.importer.card_sheets import CardSheet
from exporter.loader.picture_matching import Matched

_LISTED = 6

_IN_DETAIL = ("power", "note", "figure", "more")
"""Roles that are listed together."""

_ALWAYS_LISTED = ("copies", "id", "deck", "back")
"""Roles that are no part of a card's front and yet are of use."""


def listed(names: Sequence[str | Translated]) -> Translated:
    """List the first of some names, and how many there are beyond."""
    shown = Joined(tuple(names[:_LISTED]), ", ")
    more = len(names) - _LISTED
    return sentence("brought", "and-more", names=shown, count=more) if more > 0 else shown


def doubled_lines(sheets: Sequence[CardSheet], file: str) -> Iterator[Translated]:
    """Name the sheets whose cards nearly all stand in another one too."""
    lines = []
    for at, sheet in enumerate(sheets):
        own = {*sheet.names}
        for other_at, other in enumerate(sheets):
            known = {*other.names}
            is_larger = known > own or other_at < at
            if other_at != at and is_larger and len(own & known) >= 0.8 * len(own):
                lines.append(sentence("brought", "doubled", sheet=sheet.name, other=other.name))
                break
    if lines:
        alone = sentence("brought", "one-sheet", file=file, sheet=sheets[0].name)
        yield Joined((*lines, alone), "\n  ")


def kind_lines(kind: CardKind) -> Translated:
    """Tell what a kind was made of, and below it what its columns were taken for."""
    sheet = f"#{kind.sheet.name}" if kind.sheet.name else ""
    made = {"kind": kind.id, "count": len(kind.ids), "file": f"{kind.sheet.file}{sheet}"}
    first = sentence("brought", "kind", **made)
    for heading, word in kind.only.items():
        first = sentence("brought", "kind-of-rows", **made, heading=heading, word=word)
    return Joined((first, *_columns(kind), *_size(kind), *_rows(kind)), "\n  ")


def _columns(kind: CardKind) -> Iterator[Sentence]:
    if kind.sheet.heading > 1:
        yield sentence("brought", "heading-row", row=kind.sheet.heading)
    shown = {*kind.shown, "name"}
    boxes: list[str] = []
    more: list[str] = []
    for column in kind.columns:
        heading, is_shown = column.heading, column.field in shown
        if column.role == "name" and kind.sheet.named_by:
            yield sentence("brought", "named-by", headings=" + ".join(kind.sheet.named_by))
        elif column.role not in _IN_DETAIL and (is_shown or column.role in _ALWAYS_LISTED):
            role = sentence("brought-role", column.role)
            yield sentence("brought", "column", heading=heading, role=role)
        elif column.role == "art":
            yield sentence("brought", "art-not-given", heading=heading)
        else:
            (boxes if is_shown else more).append(heading)
    for key, headings in (("figures", boxes), ("detail", more)):
        if headings:
            yield sentence("brought", key, headings=", ".join(headings))


def _size(kind: CardKind) -> Iterator[Sentence]:
    if not kind.look.text_shown:
        yield sentence("brought", "text-in-detail")
    elif kind.look.size != POKER:
        width, height = (f"{side:g}" for side in kind.look.size)
        yield sentence("brought", "large-cards", width=width, height=height)


def _rows(kind: CardKind) -> Iterator[Sentence]:
    """Tell what is not read, and what was made up."""
    unread = [
        sentence("unread", why, heading=name, cell=cell) for name, why, cell in kind.sheet.ignored
    ]
    if unread:
        yield sentence("brought", "not-read", headings=listed(unread))
    if kind.sheet.no_cards:
        rows = [word or sentence("brought", "nameless-rows") for word in kind.sheet.no_cards]
        yield sentence("brought", "no-cards", rows=listed(rows))
    if kind.ids_file:
        yield sentence("brought", "made-ids", kind=kind.id)
    if kind.without_copies:
        yield sentence("brought", "no-copies", names=listed(kind.without_copies))
    elif kind.field("copies") and kind.copies == "1":
        yield sentence("brought", "all-none")


def picture_lines(found: Matched, back: str) -> Translated:
    """Tell how many pictures were taken, and below it what lacks one and what shows no card."""
    key = "pictures-and-back" if back else "pictures"
    lines = [sentence("brought", key, count=len(found.files), back=back)]
    if found.missing:
        lines.append(sentence("brought", "without-picture", names=listed(found.missing)))
    if found.others:
        lines.append(sentence("brought", "left-out", names=listed(found.others)))
    return Joined(tuple(lines), "\n  ")
