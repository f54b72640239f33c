"""The cards that a case makes up, read as a row of their kind's table would be."""

from __future__ import annotations

from collections.abc import Iterator

from exporter.model import Card, Game, Kind, Value
from exporter.model.fields import EMPTY, TEXT, read_value
from exporter.problems import Problem, nearest, quoted, told
from exporter.schema.rules import CaseShape
from exporter.source.reading import Reading
from exporter.source.shapes import UNREADABLE, Shaped

_OF_ANY_CARD = ("id", "kind", "name")


def made_up_cards(reading: Reading, game: Game, case: Shaped[CaseShape]) -> Iterator[Card]:
    """The cards of ``case.cards`` whose kind is known; what is wrong with them is noted.

    Fields that are left out are empty.
    """
    for index, row in enumerate(case.shape.cards):
        path = ("cards", index)
        for name in ("id", "kind"):
            if not row.get(name):
                problem = told(case.at(*path), "SRC-KEY", "made-up-card", name=name)
                reading.problems.append(problem)
        kind = game.kinds.get(row.get("kind", ""))
        reading.refer("kind", row.get("kind", ""), case.at(*path, "kind"))
        if kind is not None and row.get("id"):
            yield _card(reading, kind, case, index)


def _card(reading: Reading, kind: Kind, case: Shaped[CaseShape], index: int) -> Card:
    row = case.shape.cards[index]
    cells = {name: case.at("cards", index, name) for name in row}
    fields: dict[str, Value] = {name: EMPTY[field.type] for name, field in kind.fields.items()}
    for name, text in row.items():
        field = TEXT if name in _OF_ANY_CARD else kind.fields.get(name)
        if field is None:
            if f"field of {kind.id}" not in reading.incomplete:
                where = case.at("cards", index, name, key=True)
                shown = quoted(name)
                problem = told(
                    where,
                    "SRC-KEY",
                    "card-kind-no",
                    kind=kind.id,
                    name=shown,
                    nearest=nearest(name, kind.fields),
                )
                reading.problems.append(problem)
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
        where=case.at("cards", index),
        cells=cells,
    )
