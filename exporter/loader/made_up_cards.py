"""The cards that a case makes up, read as a row of their kind's table would be."""

from __future__ import annotations

from collections.abc import Iterator

from exporter.core.problems import (
    Problem,
    nearest,
    quoted,
)
from exporter.loader.load_context import LoadContext
from exporter.model import (
    Card,
    Game,
    Kind,
    Value,
)
from exporter.model.fields import (
    EMPTY,
    TEXT,
    read_value,
)
from exporter.model.record_forms import UNREADABLE
from exporter.model.rule_records import Case

_OF_ANY_CARD = ("id", "kind", "name")


def made_up_cards(reading: LoadContext, game: Game, case: Case) -> Iterator[Card]:
    """The cards of ``case.made_up`` whose kind is known; what is wrong with them is noted.

    Fields that are left out are empty.
    """
    for index, row in enumerate(case.made_up):
        path = ("cards", index)
        for name in ("id", "kind"):
            if not row.get(name):
                reading.fault(case.place(*path), "SRC-KEY", "made-up-card", name=name)
        kind = game.kinds.get(row.get("kind", ""))
        reading.refer("kind", row.get("kind", ""), case.place(*path, "kind"))
        if kind is not None and row.get("id"):
            yield _card(reading, kind, case, index)


def _card(reading: LoadContext, kind: Kind, case: Case, index: int) -> Card:
    row = case.made_up[index]
    cells = {name: case.place("cards", index, name) for name in row}
    fields: dict[str, Value] = {name: EMPTY[field.type] for name, field in kind.fields.items()}
    for name, text in row.items():
        field = TEXT if name in _OF_ANY_CARD else kind.fields.get(name)
        if field is None:
            if f"field of {kind.id}" not in reading.incomplete:
                reading.fault(
                    case.place("cards", index, name, key=True),
                    "SRC-KEY",
                    "card-kind-no",
                    kind=kind.id,
                    name=quoted(name),
                    nearest=nearest(name, kind.fields),
                )
            continue
        value = read_value(text, field, cells[name], name) if text != UNREADABLE else ""
        if isinstance(value, Problem):
            reading.problems.append(value)
        elif name in fields:
            fields[name] = value
    return Card(
        id=row["id"],
        kind=kind.id,
        name=row.get("name", "") or row["id"],
        fields=fields,
        where=case.place("cards", index),
        cells=cells,
    )
