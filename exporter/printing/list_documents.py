"""Collect the values of a document's template: rows of lists, errata, rulings, notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exporter.core.problems import error_at
from exporter.faces.face_texts import (
    ON_PAPER,
    fill_lines,
    words_in_texts,
)
from exporter.faces.style_values import replaced_within
from exporter.model import (
    Card,
    Change,
    Erratum,
    Game,
)
from exporter.model.print_jobs import SheetJob
from exporter.printing.print_selection import (
    Printable,
    selected_cards,
)
from exporter.printing.printables import UNKNOWN


def document_values(stock: Printable, job: SheetJob) -> dict[str, Any]:
    """Return the values of a job's document. Raises ``InvalidSource`` for notes without a text."""
    game = stock.printed
    words = {key: str(edition.name) for key, edition in game.editions.items()} | dict(job.words)
    values: dict[str, Any] = {
        "title": job.name.ja,
        "game": game.name.ja,
        "notice": game.notice.ja,
        "credits": list(game.credits),
        "icons": job.icons,
        "values": dict(job.values),
    }
    if job.columns:
        columns = [{"title": c.title, "width": c.width, "field": c.field} for c in job.columns]
        values |= {"columns": columns, "groups": _groups(stock, job, words)}
    if job.notes:
        values["notes"] = [_note(game, name, job) for name in job.notes]
    if job.document == "rulings":
        values["errata"] = [_erratum(game, erratum, words) for erratum in game.errata]
        values["rulings"] = [
            {"id": r.id, "topic": r.topic, "text": r.ruling, "cards": list(r.cards)}
            for r in game.rulings
        ]
    if job.icons:
        return values
    # Without icons, marks such as [fire] become their texts, as in the client's notes.
    found: dict[str, Any] = replaced_within(values, words_in_texts(tuple(game.marks.items())))
    return found


def _note(game: Game, name: str, job: SheetJob) -> dict[str, Any]:
    note = game.notes.get(name)
    if note is None:  # the note on the client, which is no note of the game
        raise error_at(job.where, "NOTE", "note-of-client", note=repr(name))
    if not note.paper:
        raise error_at(job.where, "NOTE", "note-no-line", note=repr(note.id), file=note.where.file)
    return {"title": note.title, "text": fill_lines(note.paper, ON_PAPER, note.where)}


def _erratum(game: Game, erratum: Erratum, words: Mapping[str, str]) -> dict[str, Any]:
    return {
        "id": erratum.id,
        "set": words.get(erratum.edition, erratum.edition),
        "medium": words.get(erratum.medium, erratum.medium),
        "date": "" if erratum.date == UNKNOWN else erratum.date,
        "note": erratum.note,
        "changes": [
            {
                "target": " ".join(_named(game, name, words) for name in change.target.values()),
                "field": words.get(change.field) or _field(game, change),
                "was": change.was or "なし",
                "now": change.now or "なし",
            }
            for change in erratum.changes
        ],
    }


def _field(game: Game, change: Change) -> str:
    card = game.card(change.card)
    return game.kinds[card.kind].label_of(change.field) if card else change.field


def _named(game: Game, name: str, words: Mapping[str, str]) -> str:
    card, mech = game.cards.get(name), game.mechs.get(name)
    if card or mech:
        return f"{name} {card.name if card else mech.name if mech else ''}"
    return " ".join(words.get(part, part) for part in name.split(" "))


def _groups(stock: Printable, job: SheetJob, words: Mapping[str, str]) -> list[dict[str, Any]]:
    groups: dict[tuple[str, ...], list[list[str]]] = {}
    for entry in selected_cards(stock, job):
        card = entry.card
        key = tuple(_shown(card, name, words) for name in job.by)
        row = [_cell(card, column.field, words) for column in job.columns]
        groups.setdefault(key, []).append(row)
    return [{"heading": list(key), "rows": rows} for key, rows in groups.items()]


def _cell(card: Card, fields: str, words: Mapping[str, str]) -> str:
    """Join the fields named in ``fields`` (``a+b``); ``words`` may rename ``field=value``."""
    return "".join(_shown(card, name, words) for name in fields.split("+"))


def _shown(card: Card, name: str, words: Mapping[str, str]) -> str:
    text = card.text(name)
    return words.get(f"{name}={text}", words.get(text, text) if text else "")
