"""The columns of a newer table: which are new, which stand under other headings; game.yaml told."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml as pyyaml

from exporter.beginning.from_tables import known_headings, read_cells
from exporter.bringing.looking import is_hidden, looked_at
from exporter.bringing.renaming import renamed
from exporter.bringing.saying import listed
from exporter.bringing.shaping import written_type, yaml
from exporter.faces import CARD_ITSELF
from exporter.model import Kind
from exporter.problems import InvalidSource, Where, refusal
from exporter.reading_budget import Spent
from exporter.source.files import Unreadable
from exporter.words import Translated, sentence


def with_columns(
    head: str, kinds: Sequence[Kind], there: Path, path: Path, data: bytes, templates: Path
) -> tuple[str, list[Translated]]:
    """game.yaml with the columns of a newer table, and what is to be said of them.

    ``there`` is the table as the game has it. Raises ``InvalidSource``.
    """
    said: list[Translated] = []
    for kind in kinds:
        moved = _renamed_columns(kind, there, path, data)
        for new, old in moved.items():
            head = with_renamed(head, kind, old, new)
        if moved:
            names = listed([f"{old} → {new}" for new, old in moved.items()])
            said.append(sentence("again", "renamed-columns", kind=kind.id, names=names))
        added = dict(_new_columns(kind, path, data, templates, moved))
        for heading, sort in added.items():
            head = with_field(head, kind.id, heading, sort)
        if added:
            said.append(sentence("again", "new-columns", kind=kind.id, names=listed(list(added))))
    return head, said


def _new_columns(
    kind: Kind, path: Path, data: bytes, templates: Path, moved: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Headings that the kind does not know yet, and their types; ``moved`` it knows by others."""
    words = known_headings(templates)
    known = {*CARD_ITSELF, *kind.fields, *kind.columns, *kind.ignore, *kind.only, *moved}
    for cells in read_cells(path, data, ""):
        if cells.sheet and kind.sheet and cells.sheet not in kind.sheet:
            continue
        sheet = looked_at(cells, words)
        for column in sheet.columns if sheet else ():
            if column.heading not in known and not is_hidden(column.heading):
                known.add(column.heading)
                sort = "text" if column.role == "copies" else written_type(column)
                yield column.heading, sort
        if not kind.sheet:
            return


def _renamed_columns(kind: Kind, there: Path, path: Path, data: bytes) -> dict[str, str]:
    """New heading → the old one, where a column that the kind reads is called otherwise."""
    if not there.is_file():
        return {}
    old, new = _below(kind, there, there.read_bytes()), _below(kind, path, data)
    before, after = ({name for row in rows[:1] for name in row} for rows in (old, new))
    known = {*CARD_ITSELF, *kind.fields, *kind.columns, *kind.ignore, *kind.only, *kind.named_by}
    gone = [name for rows in old[:1] for name in rows if name in known - after]
    came = [name for rows in new[:1] for name in rows if name not in known | before]
    return renamed(old, new, gone, came)


def _below(kind: Kind, path: Path, data: bytes) -> list[dict[str, str]]:
    """The rows of a kind's table by their headings. Raises ``InvalidSource``."""
    try:
        cells = next(read_cells(path, data, kind.sheet[0] if kind.sheet else ""), None)
    except Unreadable as unreadable:
        raise InvalidSource([unreadable.problem]) from None
    except Spent as spent:
        raise refusal(Where(str(path)), "FROM", "too-much", found=spent) from None
    rows = [row for line, row in cells.rows if line >= kind.heading] if cells else []
    return [
        {heading: cell for heading, cell in zip(rows[0], row, strict=False) if heading}
        for row in rows[1:]
    ]


def with_renamed(text: str, kind: Kind, old: str, new: str) -> str:
    """game.yaml with a heading of a kind's table called otherwise; all else stays as it is."""
    root: Any = pyyaml.compose(text, Loader=pyyaml.BaseLoader)
    entry = _value(_value(root, "kinds"), kind.id)
    headings = [
        part if key in ("ignore", "named_by") else part[0]
        for key in ("columns", "only", "ignore", "named_by")
        for found in [_value(entry, key)]
        if found is not None and not isinstance(found, pyyaml.ScalarNode)
        for part in found.value
    ]
    for node in sorted(headings, key=lambda node: -node.start_mark.index):
        if node.value == old:
            text = text[: node.start_mark.index] + yaml(new) + text[node.end_mark.index :]
    if old in kind.columns or (old not in kind.fields and old not in CARD_ITSELF):
        return text
    root = pyyaml.compose(text, Loader=pyyaml.BaseLoader)
    entry = _value(_value(root, "kinds"), kind.id)
    if (columns := _value(entry, "columns")) is not None:
        return _with_entry(text, columns, f"{yaml(new)}: {yaml(old)}")
    return _with_entry(text, entry, f"columns: {{{yaml(new)}: {yaml(old)}}}")


def with_field(text: str, kind: str, name: str, sort: str) -> str:
    """game.yaml with one more field of a kind, shown in its detail; all else stays as it is."""
    for key, value in (("fields", sort), ("detail", yaml(name))):
        node: Any = pyyaml.compose(text, Loader=pyyaml.BaseLoader)
        found = _value(_value(_value(node, "kinds"), kind), key)
        if isinstance(found, pyyaml.MappingNode):
            text = _with_entry(text, found, f"{yaml(name)}: {value}")
    return text


def _value(node: Any, key: str) -> Any:
    pairs = node.value if isinstance(node, pyyaml.MappingNode) else ()
    return next((value for name, value in pairs if name.value == key), None)


def _with_entry(text: str, node: Any, entry: str) -> str:
    if node.flow_style:
        end = node.end_mark.index - 1
        comma = ", " if node.value else ""
        return text[:end].rstrip() + comma + entry + text[end:]
    _key, last = node.value[-1]
    line_end = text.find("\n", last.end_mark.index - (last.end_mark.column == 0))
    end = len(text) if line_end < 0 else line_end
    return f"{text[:end]}\n{' ' * node.value[0][0].start_mark.column}{entry}{text[end:]}"
