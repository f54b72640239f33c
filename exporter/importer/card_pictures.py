"""A folder of pictures: which show which cards, and those that are finished faces themselves."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from exporter.core.problems import (
    COMMAND_LINE,
    Faults,
    error_at,
)
from exporter.core.source_files import (
    Unreadable,
    read_bytes,
)
from exporter.faces.face_texts import folded
from exporter.importer.card_kinds import CardKind
from exporter.loader.card_tables import ids_for
from exporter.loader.picture_files import (
    BACKS,
    PICTURE_TYPES,
    Matched,
    counted,
    matched,
)

_MOST_BYTES = 64 * 1024 * 1024
_MOST_PICTURES = 1000


def find_pictures(folder: Path) -> dict[str, Path]:
    """Find the pictures of a folder and of those in it, by their paths there.

    Raises ``InvalidSource``.
    """
    if not folder.is_dir():
        raise error_at(COMMAND_LINE, "FROM", "no-folder", path=folder)
    found = {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.suffix.lower() in PICTURE_TYPES
        and not any(part.startswith((".", "~")) for part in path.relative_to(folder).parts)
        and path.is_file()
    }
    if not found:
        names = ", ".join(PICTURE_TYPES)
        raise error_at(COMMAND_LINE, "FROM", "no-pictures", path=folder, names=names)
    if len(found) > _MOST_PICTURES:
        values = {"path": folder, "count": len(found), "most": _MOST_PICTURES}
        raise error_at(COMMAND_LINE, "FROM", "many-pictures", **values)
    return found


def read_pictures(paths: Mapping[str, Path]) -> dict[str, bytes]:
    """Read pictures by the names they get. Raises ``InvalidSource``."""
    faults, found = Faults(), {}
    for name, path in paths.items():
        try:
            found[name] = read_bytes(path, str(path), _MOST_BYTES)
        except Unreadable as unreadable:
            faults.problems.append(unreadable.problem)
    faults.stop_if_any()
    return found


def find_back(files: Iterable[str]) -> str:
    """Find the picture that is the back of all cards; empty where there is none."""
    return next((name for name in files if folded(PurePosixPath(name).stem) in BACKS), "")


def match_pictures(
    kinds: Sequence[CardKind], fronts: Sequence[str]
) -> tuple[list[CardKind], Matched]:
    """Give kinds a window where some of the pictures are theirs; tell which these are."""
    found = []
    used: dict[str, str] = {}
    missing: list[str] = []
    for kind in kinds:
        cells = kind.column("art")
        best = matched(zip([""] * len(kind.ids), kind.ids, kind.names, strict=True), fronts)
        is_by_id = True
        if cells is not None:
            by_cell = matched(zip(cells.values, kind.ids, kind.names, strict=True), fronts)
            is_by_id = len(by_cell.files) < len(best.files)
            best = best if is_by_id else by_cell
        if best.files:
            used |= best.files
            missing += best.missing
            kind = replace(kind, has_art=True, art_by_id=is_by_id)
        if (backs := kind.column("back")) is not None:
            used |= matched(((cell, "", "") for cell in backs.filled), fronts).files
        found.append(kind)
    others = tuple(file for file in fronts if file not in used)
    return found, Matched(used, tuple(missing), others)


def finished_cards(paths: Mapping[str, Path]) -> tuple[bytes, dict[str, Path], str]:
    """Name the cards of finished faces; tell where each picture is to lie, and which is the back.

    The names stand in a table, with the copies of ``slime x3.png``.
    """
    back = find_back(paths)
    cards = [counted(PurePosixPath(name).stem) for name in paths if name != back]
    ids, _renamed = ids_for([name for name, _count in cards], [])
    fronts = [path for name, path in paths.items() if name != back]
    files = {
        f"finished/cards/{id_}{path.suffix.lower()}": path
        for id_, path in zip(ids, fronts, strict=True)
    }
    if back:
        files[f"finished/backs/cards{paths[back].suffix.lower()}"] = paths[back]
    return table_bytes([("name", "copies"), *cards]), files, back


def table_bytes(rows: Iterable[Sequence[object]]) -> bytes:
    """Write rows as a table that spreadsheets open."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue().encode("utf-8-sig")
