"""The new columns of a newer table, and game.yaml with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml as pyyaml

from exporter.core.messages import (
    Translated,
    sentence,
)
from exporter.faces.card_faces import CARD_ITSELF
from exporter.importer.game_from_tables import (
    known_headings,
    read_cells,
)
from exporter.importer.import_report import listed
from exporter.importer.kinds_from_sheets import (
    written_type,
    yaml,
)
from exporter.importer.sheet_layout import (
    is_hidden,
    looked_at,
)
from exporter.model import Kind


def with_columns(
    head: str, kinds: Sequence[Kind], path: Path, data: bytes, templates: Path
) -> tuple[str, list[Translated]]:
    """game.yaml with the columns of a newer table, and what is to be said of them.

    Raises ``InvalidSource``.
    """
    said: list[Translated] = []
    for kind in kinds:
        added = dict(_new_columns(kind, path, data, templates))
        for heading, sort in added.items():
            head = with_field(head, kind.id, heading, sort)
        if added:
            said.append(sentence("again", "new-columns", kind=kind.id, names=listed(list(added))))
    return head, said


def _new_columns(kind: Kind, path: Path, data: bytes, templates: Path) -> Iterator[tuple[str, str]]:
    """Headings that the kind does not know yet, and their types."""
    words = known_headings(templates)
    known = {*CARD_ITSELF, *kind.fields, *kind.columns, *kind.ignore, *kind.only}
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
