"""The files of a game that is made of a table, filled in from templates/new/from."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from exporter.importer.card_kinds import CardKind
from exporter.importer.card_pictures import table_bytes
from exporter.importer.fill_templates import fill_template
from exporter.importer.starter import (
    Facts,
    fact_values,
)

_PLAIN = re.compile(r"[A-Za-z_\u3040-\u30ff\u4e00-\u9fff][A-Za-z0-9_\u3040-\u30ff\u4e00-\u9fff]*")
_YAML_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n", "~"}


def inline_yaml(value: Any) -> str:
    """Write a value in one line of YAML, with quotation marks only where it needs them."""
    match value:
        case str():
            is_plain = _PLAIN.fullmatch(value) and value.lower() not in _YAML_WORDS
            return value if is_plain else json.dumps(value, ensure_ascii=False)
        case Mapping():
            pairs = (f"{inline_yaml(key)}: {inline_yaml(each)}" for key, each in value.items())
            return "{" + ", ".join(pairs) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(inline_yaml, value)) + "]"
    return str(value)


class GameParts(Struct, frozen=True):
    """What a game is made of: its kinds of cards, its table and pictures by their paths in it.

    ``back`` is the name of the picture of all backs, if there is one; ``marks`` tell how signs and
    words in brackets read.
    """

    kinds: tuple[CardKind, ...]
    table: Mapping[str, bytes]
    pictures: Mapping[str, bytes] = {}
    back: str = ""
    marks: Mapping[str, str] = {}


def game_files(facts: Facts, parts: GameParts, language: str) -> dict[str, bytes]:
    """Write all files of a game by their paths in its folder, the table and pictures too."""
    values: dict[str, Any] = fact_values(facts) | {
        "yaml": inline_yaml,
        "files": ", ".join(PurePosixPath(name).name for name in parts.table),
        "kinds": parts.kinds,
        "marks": parts.marks,
        "pictures": parts.pictures,
        "back": PurePosixPath(parts.back).name,
        "supply": _supply(parts.kinds),
    }
    files = {**parts.table, **parts.pictures}
    for name in ("game.yaml", "layouts.yaml", "rooms/players.yaml"):
        files[name] = fill_template(f"from/{name}", name, language, **values)
    for number, kind in enumerate(parts.kinds, 1):
        id_ = "cards" if number == 1 else f"cards{number}"
        own = {**values, "id": id_, "kind": kind}
        path = f"sheets/{id_}.yaml"
        files[path] = fill_template("from/sheets/cards.yaml", path, language, **own)
        if kind.ids_file:
            rows = zip(kind.ids, kind.names, strict=True)
            files[kind.ids_file] = table_bytes([("id", "name"), *rows])
    return files


def _supply(kinds: Sequence[CardKind]) -> dict[str, Any]:
    """Place the stacks beside one another, each left of where Udonarium puts what is drawn."""
    stacks, zones = [], {}
    per_row = min(3 if len(kinds) > 4 else 2, len(kinds))
    tall = max(kind.look.size[1] / kind.look.size[0] * 2 for kind in kinds) + 2
    for number, kind in enumerate(kinds):
        x, y = 0.4 + number % per_row * 6, 0.8 + number // per_row * (tall + 0.3)
        name = kind.title if kind.title not in zones else f"{kind.title} {number + 1}"
        drawn = "引いた札" if len(kinds) == 1 else f"引いた札 {number + 1}"
        zones[name] = [round(x, 2), round(y, 2), 2.6, round(tall, 2)]
        zones[drawn] = [round(x + 2.7, 2), round(y, 2), 3.1, round(tall, 2)]
        at = [round(x + 0.5, 2), round(y + 0.5, 2)]
        stacks.append({"name": name, "kind": kind, "at": at, "drawn": drawn})
    rows = -(-len(kinds) // per_row)
    size = [round(0.6 + per_row * 6, 2), round(1 + rows * (tall + 0.3), 2)]
    return {"size": size, "zones": zones, "stacks": stacks}
