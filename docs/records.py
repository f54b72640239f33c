"""What a game folder's files may hold, for the pages and for tests: every record, and the schema of
each file."""

from __future__ import annotations

from typing import get_args

from msgspec import Struct
from msgspec.structs import fields

from exporter.model import rule_records
from exporter.model.json_schemas import FILES
from exporter.model.shape import Inner


def records() -> dict[str, type[Struct]]:
    """Return every record that a file may hold, by its name; rules are read one by one."""
    found: dict[str, type[Struct]] = {}
    annotations = [*(held for _, held in FILES.values()), rule_records.WrittenRule]
    for annotation in annotations:  # which grow
        if isinstance(annotation, type) and issubclass(annotation, Struct):
            if annotation.__name__ not in found:
                found[annotation.__name__] = annotation
                annotations += [field.type for field in fields(annotation)]
        elif not any(isinstance(each, Inner) for each in get_args(annotation)):
            annotations += get_args(annotation)
    return found


def kind_of(relative: str) -> str:
    """Return the schema for a file by its path in a game's folder, or nothing."""
    folder, slash, _ = relative.rpartition("/")
    place = f"{folder}/*.yaml" if slash else relative
    return next((key for key, (file, _) in FILES.items() if file == place), "")
