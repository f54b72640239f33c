"""What a table and pictures were taken for, told to their author."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

from exporter.core.messages import (
    Joined,
    Sentence,
    Translated,
    sentence,
)
from exporter.importer.column_roles import Role
from exporter.importer.kinds_from_sheets import (
    POKER,
    BroughtKind,
    Look,
)
from exporter.importer.sheet_layout import Sheet
from exporter.loader.picture_matching import Matched

_LISTED = 6

_IN_DETAIL = ("power", "note", "figure", "more")
_TOLD: frozenset[Role] = frozenset(get_args(Role)) - {*_IN_DETAIL}
"""Roles that are told column by column."""

_ALWAYS_TOLD = ("copies", "id", "deck", "back")


def listed(names: Sequence[str | Translated]) -> Translated:
    """The first of some names, and how many there are beyond."""
    shown = Joined(tuple(names[:_LISTED]), ", ")
    more = len(names) - _LISTED
    return sentence("brought", "and-more", names=shown, count=more) if more > 0 else shown


def doubled_said(sheets: Sequence[Sheet]) -> Iterator[Sentence]:
    """The sheets whose cards nearly all stand in another one too."""
    names = {each.cells.sheet: {*each.names} for each in sheets}
    for number, (sheet, own) in enumerate(names.items()):
        others = [
            other
            for at, (other, known) in enumerate(names.items())
            if at != number and len(own & known) >= 0.8 * len(own) and (known > own or at < number)
        ]
        if others:
            yield sentence("brought", "doubled", sheet=sheet, other=others[0])


def kind_said(kind: BroughtKind, look: Look) -> Translated:
    """What a kind was made of, and below it what its columns were taken for."""
    return Joined((_made_of(kind), *_columns(kind, look), *_size(look), *_rows(kind)), "\n  ")


def _made_of(kind: BroughtKind) -> Sentence:
    sheet = f"#{kind.sheet.cells.sheet}" if kind.sheet.cells.sheet else ""
    file, count = f"{kind.sheet.cells.file}{sheet}", len(kind.rows)
    if kind.only is None:
        return sentence("brought", "kind", kind=kind.id, count=count, file=file)
    only = {"heading": kind.only[0], "word": kind.only[1]}
    return sentence("brought", "kind-of-rows", kind=kind.id, count=count, file=file, **only)


def _columns(kind: BroughtKind, look: Look) -> Iterator[Sentence]:
    if kind.sheet.heading > 1:
        yield sentence("brought", "heading-row", row=kind.sheet.heading)
    shown = {*kind.shown, "name"} - ({kind.slots.get("text", "")} if not look.text_shown else set())
    boxes: list[str] = []
    more: list[str] = []
    for column in kind.sheet.columns:
        heading, is_shown = column.heading, kind.fields_of[column.heading] in shown
        if column.role == "name" and kind.sheet.named_by:
            yield sentence("brought", "named-by", headings=" + ".join(kind.sheet.named_by))
        elif column.role in _TOLD and (is_shown or column.role in _ALWAYS_TOLD):
            role = sentence("brought-role", column.role)
            yield sentence("brought", "column", heading=heading, role=role)
        elif column.role == "art":
            yield sentence("brought", "art-not-given", heading=heading)
        else:
            (boxes if is_shown else more).append(heading)
    if boxes:
        yield sentence("brought", "figures", headings=", ".join(boxes))
    if more:
        yield sentence("brought", "detail", headings=", ".join(more))


def _size(look: Look) -> Iterator[Sentence]:
    if not look.text_shown:
        yield sentence("brought", "text-in-detail")
    elif look.size != POKER:
        width, height = (f"{side:g}" for side in look.size)
        yield sentence("brought", "large-cards", width=width, height=height)


def _rows(kind: BroughtKind) -> Iterator[Sentence]:
    """What is not read, and what was made up."""
    if kind.sheet.ignored:
        unread = [
            sentence("unread", why, heading=name, cell=cell)
            for name, why, cell in kind.sheet.ignored
        ]
        yield sentence("brought", "not-read", headings=listed(unread))
    if kind.sheet.no_cards:
        rows = [word or sentence("brought", "nameless-rows") for word in kind.sheet.no_cards]
        yield sentence("brought", "no-cards", rows=listed(rows))
    if kind.column("id") is None:
        yield sentence("brought", "made-ids", kind=kind.id)
    if left := kind.left_out():
        yield sentence("brought", "no-copies", names=listed(left))
    elif kind.column("copies") is not None and kind.copies == "1":
        yield sentence("brought", "all-none")


def pictures_said(matched: Matched, back: str) -> Translated:
    """How many pictures were taken, and below it what lacks one and what shows no card."""
    key = "pictures-and-back" if back else "pictures"
    lines = [sentence("brought", key, count=len(matched.files), back=back)]
    if matched.missing:
        lines.append(sentence("brought", "without-picture", names=listed(matched.missing)))
    if matched.others:
        lines.append(sentence("brought", "left-out", names=listed(matched.others)))
    return Joined(tuple(lines), "\n  ")
