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
from exporter.loader.picture_files import Matched

_LISTED = 6

_IN_DETAIL = ("power", "note", "figure", "more")
"""Roles that are listed together."""

_ALWAYS_LISTED = ("copies", "id", "deck", "back")
"""Roles that are no part of a card's front and yet are of use."""


def listed(names: Sequence[str | Translated]) -> Translated:
    """List the first of some names, and how many there are beyond."""
    shown = Joined(tuple(names[:_LISTED]), ", ")
    more = len(names) - _LISTED
    return sentence("import", "and-more", names=shown, count=more) if more > 0 else shown


def kind_lines(kind: CardKind) -> Translated:
    """Tell what a kind was made of, and below it what its columns were taken for."""
    sheet = f"#{kind.sheet.name}" if kind.sheet.name else ""
    made = {"kind": kind.id, "count": len(kind.ids), "file": f"{kind.sheet.file}{sheet}"}
    first = sentence("import", "kind", **made)
    for heading, word in kind.only.items():
        first = sentence("import", "kind-of-rows", **made, heading=heading, word=word)
    return Joined((first, *_columns(kind), *_rows(kind)), "\n  ")


def _columns(kind: CardKind) -> Iterator[Sentence]:
    """Tell where each column stands on a card, and how large that has to be."""
    if kind.sheet.heading > 1:
        yield sentence("import", "heading-row", row=kind.sheet.heading)
    shown = {*kind.shown, "name"}
    together: dict[str, list[str]] = {"figures": [], "detail": []}
    for column in kind.columns:
        is_shown = column.field in shown
        if column.role == "name" and kind.sheet.named_by:
            yield sentence("import", "named-by", headings=" + ".join(kind.sheet.named_by))
        elif column.role not in _IN_DETAIL and (is_shown or column.role in _ALWAYS_LISTED):
            role = sentence("column-role", column.role)
            yield sentence("import", "column", heading=column.heading, role=role)
        elif column.role == "art":
            yield sentence("import", "art-not-given", heading=column.heading)
        else:
            together["figures" if is_shown else "detail"].append(column.heading)
    for key, headings in together.items():
        if headings:
            yield sentence("import", key, headings=", ".join(headings))
    width, height = (f"{side:g}" for side in kind.look.size)
    if not kind.look.text_shown:
        yield sentence("import", "text-in-detail")
    elif kind.look.size != POKER:
        yield sentence("import", "large-cards", width=width, height=height)


def _rows(kind: CardKind) -> Iterator[Sentence]:
    """Tell what is not read, and what was made up."""
    ignored = kind.sheet.ignored
    unread = [sentence("unread", why, heading=name, cell=cell) for name, why, cell in ignored]
    rows = [word or sentence("import", "nameless-rows") for word in kind.sheet.no_cards]
    if unread:
        yield sentence("import", "not-read", headings=listed(unread))
    if rows:
        yield sentence("import", "no-cards", rows=listed(rows))
    if kind.ids_file:
        yield sentence("import", "made-ids", kind=kind.id)
    if kind.without_copies:
        yield sentence("import", "no-copies", names=listed(kind.without_copies))


def picture_lines(found: Matched, back: str) -> Translated:
    """Tell how many pictures were taken, and below it what lacks one and what shows no card."""
    key = "pictures-and-back" if back else "pictures"
    lines = [sentence("import", key, count=len(found.files), back=back)]
    if found.missing:
        lines.append(sentence("import", "without-picture", names=listed(found.missing)))
    if found.others:
        lines.append(sentence("import", "left-out", names=listed(found.others)))
    return Joined(tuple(lines), "\n  ")
