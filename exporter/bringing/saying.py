"""What a table and pictures were taken for, as lines for their author."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from exporter.bringing.pictures import Matched
from exporter.bringing.shaping import BroughtKind, Look

_LISTED = 6


def listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_LISTED])
    return f"{shown} and {len(names) - _LISTED} more" if len(names) > _LISTED else shown


_ROLES = {
    "name": "its name", "id": "its id", "copies": "how many there are", "deck": "its deck",
    "type": "a word on the card that chooses its colour", "cost": "the figure in its corner",
    "power": "a figure", "suit": "its sign", "text": "what it does", "flavour": "a text apart",
    "art": "its picture", "focus": "the point of the picture to be seen", "back": "its back",
    "colour": "its colour",
}  # fmt: skip


def kind_said(kind: BroughtKind, look: Look) -> Iterable[str]:
    """What the columns of a kind were taken for."""
    sheet = f"#{kind.sheet.cells.sheet}" if kind.sheet.cells.sheet else ""
    only = f", {kind.only[0]} {kind.only[1]}" if kind.only else ""
    yield f"{kind.id}: {len(kind.rows)} cards of {kind.sheet.cells.file}{sheet}{only}"
    if kind.sheet.heading > 1:
        yield f"  the headings stand in row {kind.sheet.heading}"
    shown = (
        {*kind.shown, "name"}
        if look.text_shown
        else {*kind.shown, "name"} - {kind.slots.get("text", "")}
    )
    boxes, more = [], []
    for column in kind.sheet.columns:
        field = kind.fields_of[column.heading]
        if (
            column.role in _ROLES
            and column.role != "power"
            and (field in shown or column.role in ("copies", "id", "deck", "back"))
        ):
            yield f"  {column.heading} → {_ROLES[column.role]}"
        elif column.role == "art":
            yield f"  {column.heading} → the names of pictures, of which none was given"
        elif field in shown:
            boxes.append(column.heading)
        else:
            more.append(column.heading)
    if boxes:
        yield f"  {', '.join(boxes)} → figures on the card"
    if more:
        yield f"  {', '.join(more)} → shown in the card's detail"
    if not look.text_shown:
        yield "  its longest text fits no card of a usual size: it is shown in the detail alone"
    elif look.size != (63.0, 88.0):
        yield f"  its longest text needs cards of {look.size[0]:g} × {look.size[1]:g} mm"
    ignored = [f"{heading or 'columns without a heading'} ({why})"
               for heading, why in kind.sheet.ignored]  # fmt: skip
    if ignored:
        yield f"  not read: {listed(ignored)}"
    if kind.sheet.no_cards:
        words = [word or "rows without a name" for word in kind.sheet.no_cards]
        yield f"  no cards: {listed(words)}"
    if kind.column("id") is None:
        yield f"  ids were made from names, and are written down in cards/{kind.id}.ids.csv"
    if left := kind.left_out():
        yield f"  no copies, so in no deck: {listed(left)}"
    elif kind.column("copies") is not None and kind.copies == "1":
        yield "  all copies are 0: the deck has one of each"


def pictures_said(matched: Matched, back: str) -> Iterable[str]:
    yield f"{len(matched.files)} pictures are in pictures/" + (
        f", {back} is the back" if back else ""
    )
    if matched.missing:
        yield f"  without a picture: {listed(matched.missing)}"
    if matched.others:
        yield f"  these show no card and were left out: {listed(matched.others)}"
