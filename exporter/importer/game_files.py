"""The files of a game that is made from tables and pictures, by their paths in its folder."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from jinja2 import Environment, StrictUndefined
from msgspec import Struct

from exporter.importer.kinds_from_sheets import (
    BroughtKind,
    Look,
    yaml,
)
from exporter.importer.starter import (
    Facts,
    rooms_and_seats,
)
from exporter.model.json_schemas import comment


class BroughtGame(Struct, frozen=True):
    """What a game is to be made of; ``said`` is what was taken for what."""

    kinds: tuple[BroughtKind, ...]
    files: Mapping[str, bytes]
    pictures: Mapping[str, bytes]
    back: str
    said: tuple[str, ...]
    looks: Mapping[str, Look]
    marks: Mapping[str, str]


def written(brought: BroughtGame, templates: Path, facts: Facts, language: str) -> dict[str, bytes]:
    """All files of the game by their paths in its folder; ``templates`` is templates/new."""
    environment = Environment(
        undefined=StrictUndefined, keep_trailing_newline=True, trim_blocks=True
    )

    def say(en: str, ja: str, **words: str) -> str:
        return (ja if language == "ja" else en).format_map(words)

    kinds = [_values(kind, brought) for kind in brought.kinds]
    least, most = facts.players
    words: dict[str, Any] = {
        "say": say,
        "yaml": yaml,
        "id": facts.id,
        "ja": json.dumps(facts.ja, ensure_ascii=False),
        "en": json.dumps(facts.en, ensure_ascii=False),
        "least": least,
        "most": most,
        "files": ", ".join(sorted(PurePosixPath(name).name for name in brought.files)),
        "marks": brought.marks,
        "kinds": kinds,
        "supply": _supply(kinds),
        **rooms_and_seats(facts.players),
    }

    def rendered(template: str, path: str, **more: object) -> None:
        text = (templates / "from" / template).read_text(encoding="utf-8")
        up = "../" * (path.count("/") + 1)
        schema: Callable[[str], str] = lambda kind: comment(f"{up}schemas", kind)  # noqa: E731
        found = environment.from_string(text).render(schema=schema, **words, **more)
        files[path] = found.encode()

    files: dict[str, bytes] = {**brought.files, **brought.pictures}
    for name in ("game.yaml", "layouts.yaml", "rooms/players.yaml"):
        rendered(name, name)
    for number, kind in enumerate(kinds):
        name = "cards" if number == 0 else f"cards{number + 1}"
        sheet = {"id": name, "title": kind["title"], "kind": kind["id"]}
        sheet |= {"copies": kind["copies"], "size": kind["look"].size}
        rendered("sheets/cards.yaml", f"sheets/{name}.yaml", sheet=sheet)
    for each in brought.kinds:
        if each.column("id") is None:
            files[ids_file(each)] = ids_table(zip(each.ids, each.names, strict=True))
    return files


def ids_file(kind: BroughtKind) -> str:
    """Where the ids are written down that were made for a kind."""
    return f"cards/{kind.id}.ids.csv"


def ids_table(pairs: Any) -> bytes:
    """Ids and names as a table that spreadsheets open."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["id", "name"])
    writer.writerows(pairs)
    return stream.getvalue().encode("utf-8-sig")


def _values(kind: BroughtKind, brought: BroughtGame) -> dict[str, Any]:
    """A kind as the templates take it."""
    look = brought.looks[kind.id]
    kind_slots, shown = dict(kind.slots), list(kind.shown)
    if not look.text_shown and "text" in kind_slots:
        shown.remove(kind_slots.pop("text"))
    type_column = kind.column("type")
    back = kind.column("back")
    return {
        "id": kind.id,
        "title": kind.title,
        "file": kind.file,
        "sheet_name": kind.sheet_name,
        "heading": kind.sheet.heading,
        "only": dict([kind.only]) if kind.only else {},
        "linked": kind.linked,
        "address": kind.address,
        "named_by": kind.sheet.named_by,
        "ids_file": "" if kind.column("id") else ids_file(kind),
        "columns": kind.columns,
        "ignore": kind.ignore,
        "no_cards": list(kind.sheet.no_cards),
        "fields": kind.fields,
        "slots": kind_slots,
        "shown": shown,
        "figures": _labelled(kind),
        "contain": kind.art_is_cut_out,
        "detail": kind.detail,
        "colours": kind.colours,
        "colour_by": kind.fields_of[type_column.heading] if type_column else "",
        "has_colours": kind.column("colour") is not None,
        "colour": kind.colour,
        "look": look,
        "emblem": kind.title[:1].upper(),
        "back_field": back is not None and bool(brought.pictures),
        "back_picture": PurePosixPath(brought.back).name if brought.back else "",
        "copies": kind.copies,
    }  # fmt: skip


def _labelled(kind: BroughtKind) -> list[list[str]]:
    """The figures with their labels: headings, cut where they stay different."""
    headings = [each.heading.replace("\n", " ") for each in kind.figures]
    short = [heading[:12] for heading in headings]
    labels = short if len({*short}) == len(short) else [heading[:24] for heading in headings]
    fields = [kind.fields_of[each.heading] for each in kind.figures]
    return [list(pair) for pair in zip(labels, fields, strict=True)]


def _supply(kinds: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Where the stacks lie: some beside one another, each left of the place where Udonarium puts
    what is drawn from it."""
    stacks, zones = [], {}
    per_row = min(3 if len(kinds) > 4 else 2, len(kinds))
    tall = max(kind["look"].size[1] / kind["look"].size[0] * 2 for kind in kinds) + 2
    for number, kind in enumerate(kinds):
        x, y = 0.4 + number % per_row * 6, 0.8 + number // per_row * (tall + 0.3)
        name = kind["title"] if kind["title"] not in zones else f"{kind['title']} {number + 1}"
        drawn = "引いた札" if len(kinds) == 1 else f"引いた札 {number + 1}"
        zones[name] = [round(x, 2), round(y, 2), 2.6, round(tall, 2)]
        zones[drawn] = [round(x + 2.7, 2), round(y, 2), 3.1, round(tall, 2)]
        at = [round(x + 0.5, 2), round(y + 0.5, 2)]
        stack = {"name": name, "kind": kind["id"], "copies": kind["copies"]}
        stacks.append({**stack, "at": at, "drawn": drawn})
    rows = -(-len(kinds) // per_row)
    size = [round(0.6 + per_row * 6, 2), round(1 + rows * (tall + 0.3), 2)]
    return {"size": size, "zones": zones, "stacks": stacks}
