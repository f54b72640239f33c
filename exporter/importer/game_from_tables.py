"""A game written from tables and pictures: read, shaped, tried out until every text fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

import yaml as pyyaml
from msgspec.structs import replace

from exporter.core.file_types import SPREADSHEETS
from exporter.core.problems import (
    COMMAND_LINE,
    InvalidSource,
    Problem,
    SourceLocation,
    error_at,
)
from exporter.core.reading_limits import (
    GAME,
    LimitExceeded,
    ReadingLimits,
)
from exporter.core.source_files import (
    Unreadable,
    decode,
    read_bytes,
)
from exporter.faces.face_texts import folded
from exporter.importer.column_roles import (
    Headings,
    headings_of,
)
from exporter.importer.kinds_from_sheets import (
    COLOURS,
    BroughtKind,
    fields_of,
)
from exporter.importer.sheet_layout import (
    Cells,
    Sheet,
    lies_on_its_side,
    looked_at,
)
from exporter.loader.card_tables import ids_for
from exporter.loader.picture_files import PICTURE_TYPES
from exporter.loader.picture_matching import (
    BACKS,
    Matched,
    counted,
    matched,
)
from exporter.loader.tables import text_records

MAX_PICTURE = 64 * 1024 * 1024
MAX_PICTURES = 1000

_DECKS = 12
"""Different words of a column that names decks."""


def known_headings(templates: Path) -> Headings:
    """The words that headings are known by; ``templates`` is templates/new."""
    text = (templates / "from" / "headings.yaml").read_text(encoding="utf-8")
    return headings_of(pyyaml.load(text, Loader=pyyaml.BaseLoader))


def read_cells(path: Path, data: bytes, sheet: str) -> Iterator[Cells]:
    """The sheets of a table, or the named one. Raises ``Unreadable`` and ``LimitExceeded``."""
    budget = ReadingLimits(GAME)
    name = path.name
    if path.suffix.lower() not in SPREADSHEETS:
        records = text_records(decode(data, name), name, budget)
        found: list[tuple[int, tuple[str, ...]]] = []
        for record in records:
            if isinstance(record, Problem):
                raise Unreadable(record)
            found.append((record[1][0].line, tuple(record[0])))
        yield Cells(name, "", found)
        return
    from exporter.loader.spreadsheets import (
        sheet_names,
        spreadsheet_records,
    )

    for each in [sheet] if sheet else sheet_names(data, name):
        known, flaws = spreadsheet_records(data, name, budget, each)
        rows = [(places[0].line, tuple(cells)) for cells, places in known]
        at = {(f.problem.where.line, f.problem.where.column - 1): f for f in flaws}
        days = frozenset(place for place, flaw in at.items() if flaw.day)
        flawed = {
            place: flaw.problem.where.cell
            for place, flaw in at.items()
            if not (flaw.day or flaw.is_read)
        }
        yield Cells(name, each, rows, days, flawed)


def card_sheets(
    path: Path, data: bytes, sheet: str, words: Headings
) -> tuple[list[Sheet], list[str]]:
    """The sheets that hold cards, and the names of the others.

    Where some have a heading for names, only these do. Raises ``InvalidSource``.
    """
    try:
        cells = list(read_cells(path, data, sheet))
    except Unreadable as unreadable:
        raise InvalidSource([replace(unreadable.problem, where=_at(path))]) from None
    except LimitExceeded as spent:
        raise error_at(_at(path), "FROM", "too-much", found=spent) from None
    found = [(each, looked_at(each, words)) for each in cells]
    sheets = [sheet for _cells, sheet in found if sheet is not None]
    named = [sheet for sheet in sheets if not sheet.named_by and _has_names(sheet, words)]
    kept = named or [sheet for sheet in sheets if not sheet.named_by][:1] or sheets[:1]
    others = [each.sheet for each in cells if each.sheet not in {s.cells.sheet for s in kept}]
    if not kept:
        raise error_at(_at(path), "FROM", "no-cards")
    for each in kept:
        name = each.column("name")
        if name is not None and (name.heading, "twice", "") in each.ignored:
            where = replace(_at(path), cell=each.cells.sheet)
            raise error_at(where, "FROM", "name-twice", heading=name.heading)
        if lies_on_its_side(each, words):
            where = replace(_at(path), cell=each.cells.sheet)
            raise error_at(where, "FROM", "on-its-side", names=", ".join(each.names[:4]))
    return kept, others


def _has_names(sheet: Sheet, words: Headings) -> bool:
    """Check that a heading says names, or that the first column holds some, such as `Event`.

    A column of numbers alone beside it makes a list of rates, not cards.
    """
    name = sheet.column("name")
    if name is None:
        return False
    first = next(each for each in sheet.columns if each.role != "id")
    tells = any(each.role not in ("id", "name", "figure") for each in sheet.columns)
    return words.role_of(name.heading) == "name" or (name == first and tells)


def _at(path: Path) -> SourceLocation:
    return SourceLocation(str(path))


def shaped_kinds(
    sheets: Sequence[Sheet], relative: str, reserved: Sequence[str]
) -> list[BroughtKind]:
    """A kind for each sheet, or for each deck that a sheet's column names."""
    kinds: list[BroughtKind] = []
    taken: set[str] = set()
    for sheet in sheets:
        name = sheet.cells.sheet
        is_plain = not name or name.lower().startswith(("sheet", "シート")) or len(sheets) == 1
        title = PurePosixPath(relative).stem if is_plain else name
        fields = fields_of(sheet, reserved)
        deck = sheet.column("deck")
        words = list(dict.fromkeys(deck.values)) if deck else []
        parts: list[tuple[str, tuple[str, str] | None, tuple[int, ...]]] = [
            (title, None, tuple(range(sheet.count)))
        ]
        if deck is not None and 1 < len(words) <= _DECKS and all(words):
            parts = [
                (
                    word,
                    (deck.heading, word),
                    tuple(i for i, w in enumerate(deck.values) if w == word),
                )
                for word in words
            ]
        for part, only, rows in parts:
            kinds.append(
                BroughtKind(
                    id=_kind_id(part, taken),
                    title=part[:60],
                    sheet=sheet,
                    file=relative,
                    sheet_name=name if len(sheets) > 1 or not _is_first(sheet) else "",
                    only=only,
                    colour=COLOURS[len(kinds) % len(COLOURS)],
                    rows=rows,
                    fields_of=fields,
                )
            )
    return _with_ids(kinds)


def _is_first(sheet: Sheet) -> bool:
    return not sheet.cells.sheet


def _kind_id(title: str, taken: set[str]) -> str:
    plain = "".join(c if c.isascii() and c.isalnum() else "_" for c in title.lower()).strip("_")
    while "__" in plain:
        plain = plain.replace("__", "_")
    wanted = plain[:40] if plain[:1].isalpha() else "cards"
    found, number = wanted, 1
    while found in taken:
        number += 1
        found = f"{wanted}{number}"
    taken.add(found)
    return found


def _with_ids(kinds: Sequence[BroughtKind]) -> list[BroughtKind]:
    """Kinds whose cards all have different ids: of the table, or made from names."""
    found = []
    taken: set[str] = set()
    for kind in kinds:
        column = kind.column("id")
        own = kind.values(column) if column is not None else []
        if own and all(own) and len({*own}) == len(own) and taken.isdisjoint(own):
            taken |= set(own)
            found.append(replace(kind, ids=tuple(own)))
            continue
        if column is not None:
            kind = _without_ids(kind)
        ids = []
        for made in ids_for(kind.names, [])[0]:
            key, number = made, 1
            while key in taken:
                number += 1
                key = f"{made[:58]}-{number}"
            taken.add(key)
            ids.append(key)
        found.append(replace(kind, ids=tuple(ids)))
    return found


def _without_ids(kind: BroughtKind) -> BroughtKind:
    """A kind whose column of ids is a column like others."""
    columns = tuple(
        replace(each, role="figure") if each.role == "id" else each for each in kind.sheet.columns
    )
    sheet = replace(kind.sheet, columns=columns)
    fields = {
        each.heading: f"{each.heading}_" if name == "id" else name
        for each in columns
        for name in [kind.fields_of[each.heading]]
    }
    return replace(kind, sheet=sheet, fields_of=fields)


def with_art(
    kinds: Sequence[BroughtKind], files: Sequence[str]
) -> tuple[list[BroughtKind], Matched, str]:
    """Kinds with a window where some of the pictures are theirs; which these are; the back."""
    back = next((f for f in files if folded(PurePosixPath(f).stem) in BACKS), "")
    fronts = [file for file in files if file != back]
    found = []
    used: dict[str, str] = {}
    missing: list[str] = []
    for kind in kinds:
        column = kind.column("art")
        cells = kind.values(column) if column is not None else []
        by_id = matched(((("", *own) for own in zip(kind.ids, kind.names, strict=True))), fronts)
        named = matched(zip(cells, kind.ids, kind.names, strict=True), fronts) if cells else by_id
        is_named = bool(cells) and len(named.files) >= len(by_id.files)
        best = named if is_named else by_id
        if best.files:
            used |= best.files
            missing += best.missing
            kind = replace(kind, has_art=True, art_by_id=not is_named)
        if (backs := kind.column("back")) is not None:
            used |= matched(((cell, "", "") for cell in kind.values(backs) if cell), fronts).files
        found.append(kind)
    others = tuple(file for file in fronts if file not in used)
    return found, Matched(used, tuple(missing), others), back


def read_pictures(folder: Path) -> dict[str, Path]:
    """The pictures of a folder and of those in it, by their paths there.

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
    if len(found) > MAX_PICTURES:
        words = {"path": folder, "count": len(found), "most": MAX_PICTURES}
        raise error_at(COMMAND_LINE, "FROM", "many-pictures", **words)
    return found


def picture_bytes(paths: Mapping[str, Path]) -> dict[str, bytes]:
    """The pictures by the names they get. Raises ``InvalidSource``."""
    problems, found = [], {}
    for name, path in paths.items():
        try:
            found[name] = read_bytes(path, str(path), MAX_PICTURE)
        except Unreadable as error:
            problems.append(error.problem)
    if problems:
        raise InvalidSource(problems)
    return found


def finished_game(
    folder: Path, paths: Mapping[str, Path]
) -> tuple[list[tuple[str, int]], dict[str, Path], str]:
    """Names and copies of finished faces, where each is to lie, and the picture of the back."""
    back = next((name for name in paths if folded(PurePosixPath(name).stem) in BACKS), "")
    cards: dict[str, int] = {}
    files: dict[str, Path] = {}
    for name, path in paths.items():
        if name == back:
            continue
        card, count = counted(PurePosixPath(name).stem)
        key, number = card, 1
        while key in cards:
            number += 1
            key = f"{card}-{number}"
        cards[key] = count
        (made,) = ids_for([key], [])[0]
        files[f"finished/cards/{made}{path.suffix.lower()}"] = path
    if back:
        files[f"finished/backs/cards{paths[back].suffix.lower()}"] = paths[back]
    return list(cards.items()), files, back
