"""A newer table and pictures for a game that is there, from a file or from where it is published:
all else in the game stays as it was edited."""

from __future__ import annotations

import ipaddress
import shutil
import socket
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from http.client import HTTPException, IncompleteRead
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import yaml
from msgspec import Struct
from msgspec.structs import replace

from exporter.app.games import NameOrPath, folder_of
from exporter.core.file_writer import live_folder, write_below, write_whole
from exporter.core.messages import (
    Joined,
    Translated,
    sentence,
)
from exporter.core.problems import (
    COMMAND_LINE,
    as_written,
    error_at,
)
from exporter.core.source_files import MAX_BYTES, decode
from exporter.faces.card_faces import CARD_ITSELF, picture_called
from exporter.importer.card_sheets import (
    CardSheet,
    SheetCells,
    card_sheet,
    card_sheets,
    read_sheets,
)
from exporter.importer.column_roles import Column, known_headings
from exporter.importer.kinds_from_sheets import (
    find_pictures,
    read_picture_files,
    short_type,
    table_bytes,
)
from exporter.importer.starter import node_at, with_value
from exporter.loader.game_reader import read_game
from exporter.loader.picture_files import (
    matched,
)
from exporter.model import (
    Card,
    Game,
    Kind,
)
from exporter.model.fields import whole_number

# For the whole answer, from the first look for the server to the last byte.
SECONDS = 30

_SCHEMES = ("https://", "http://")


class Changes(Struct, frozen=True):
    """The files that change, by their paths in the game's folder, the table first; and a report.

    Of so many ``cards`` before some are ``gone``.
    """

    files: Mapping[str, bytes]
    report: tuple[Translated, ...]
    cards: int
    gone: int


# The sheets that each kind reads.
_Sheets: TypeAlias = Mapping[str, Sequence[CardSheet]]


def find_changes(
    folder: Path, path: Path, data: bytes, pictures: str = "", sheet: str = ""
) -> Changes:
    """Find what a newer table and a folder of pictures change in a game; nothing is written.

    Raises ``InvalidSource``, also where the game could not be read with them, and where no kind of
    its cards reads the ``sheet`` that is asked for.
    """
    before = read_game(folder)
    kinds, relative = _kinds_of(before, path)
    cells = read_sheets(path, data)
    read = _read_by(kinds, cells)
    if sheet and sheet not in read:
        words = {"sheet": sheet, "kind": kinds[0].id, "names": ", ".join(sorted(read))}
        raise error_at(COMMAND_LINE, "FROM", "unread-sheet", **words)
    sheets = {kind.id: _sheets_of(kind, cells) for kind in kinds}
    head = decode((folder / "game.yaml").read_bytes(), "game.yaml")
    if PurePosixPath(relative).name.casefold() != path.name.casefold():
        _check_headings(kinds, sheets, path.name, relative)
    kept = (folder / relative).read_bytes()
    was = read_sheets(folder / relative, kept)
    text, report = _with_news(
        head, kinds, sheets, {k.id: _sheets_of(k, was) for k in kinds}, before
    )
    named, _others = card_sheets(path, data, sheet, known_headings())
    unread = [each.name for each in named if each.name and each.name not in read]
    if unread and not sheet:
        report.append(sentence("newer-table", "unread-sheets", names=first_few(unread)))
    files = {relative: data} | ({"game.yaml": text.encode()} if text != head else {})
    # What the cards are called now: another column may be the name since the file was written.
    files |= {kind.ids: _ids_file(before, kind) for kind in kinds if kind.ids}
    after = _read_with(folder, files)
    paths = _pictures_for(after, kinds, pictures) if pictures else {}
    there = {name: path.read_bytes() for name in paths if (path := folder / name).is_file()}
    art = {name: d for name, d in read_picture_files(paths).items() if d != there.get(name)}
    gone_art = sorted({*before.art.values()} - paths.keys()) if pictures else []
    if art:
        files |= art
        after = _read_with(folder, files)
    old, new = (
        {key: c for key, c in game.cards.items() if c.kind in {k.id for k in kinds}}
        for game in (before, after)
    )
    report += _changed_cards(old, new, after)
    for kind in kinds:
        report += _empty_columns(after.kinds[kind.id], old, new)
        report += _without_copies(after.kinds[kind.id], old, new)
        if kind.ids:
            files[kind.ids] = _ids_file(after, kind)
    for key, changed in (("pictures", [*art]), ("pictures-stay", gone_art)):
        if changed:
            names = first_few([PurePosixPath(each).name for each in changed])
            report.append(sentence("newer-table", key, names=names))
    report += [each for each in after.notices if each not in before.notices]
    report = report or [sentence("newer-table", "nothing")]
    if kept != data:
        files[f"{relative}.before"] = kept
        report.append(sentence("newer-table", "before", file=f"{relative}.before"))
    return Changes(files, tuple(report), len(old), len(old.keys() - new.keys()))


def _ids_file(game: Game, kind: Kind) -> bytes:
    return table_bytes([("id", "name"), *((c.id, c.name) for c in game.cards_of(kind.id))])


def _kinds_of(game: Game, path: Path) -> tuple[list[Kind], str]:
    """Find the kinds that a table is for, or all where there is but one; and its path in the game.

    Raises ``InvalidSource``.
    """
    tables = {
        kind.id: [kind.file, *(name.partition("#")[0] for name in kind.files)]
        for kind in game.kinds.values()
    }
    every = sorted({name for names in tables.values() for name in names})
    same = [n for n in every if PurePosixPath(n).name.casefold() == path.name.casefold()]
    if not same and len(every) != 1:
        raise error_at(COMMAND_LINE, "FROM", "which-table", name=path.name, names=", ".join(every))
    (relative, *_) = same or every
    if PurePosixPath(relative).suffix.lower() != path.suffix.lower():
        raise error_at(COMMAND_LINE, "FROM", "other-type", name=path.name, file=relative)
    return [kind for kind in game.kinds.values() if relative in tables[kind.id]], relative


def _read_by(kinds: Sequence[Kind], cells: Sequence[SheetCells]) -> set[str]:
    """Tell which sheets of a table kinds read."""
    read = {name for kind in kinds for name in kind.sheet or (cells[0].sheet,)}
    return read | {name.partition("#")[2] for kind in kinds for name in kind.files if "#" in name}


def _check_headings(kinds: Sequence[Kind], sheets: _Sheets, name: str, file: str) -> None:
    """Raise ``InvalidSource`` where most headings of a file are not those of the game's table."""
    known = {word for kind in kinds for word in (*kind.columns, *kind.fields, *kind.ignore)}
    columns = [column for some in sheets.values() for sheet in some for column in sheet.columns]
    found = {column.heading for column in columns}
    if len(found & {*known, *CARD_ITSELF}) * 2 < len(found):
        raise error_at(
            COMMAND_LINE,
            "FROM",
            "another-table",
            name=name,
            file=file,
            names=first_few(sorted(found - known)),
        )


def _with_news(
    text: str, kinds: Sequence[Kind], sheets: _Sheets, was: _Sheets, before: Game
) -> tuple[str, list[Translated]]:
    """Add to game.yaml what its tables have new: headings, columns, rows that are no cards.

    A column that could not be read in the tables as they were is new.
    """
    report: list[Translated] = []
    for kind in kinds:
        own = sheets[kind.id]
        ignore = _still_ignored(kind, own, was[kind.id])
        if len(ignore) < len(kind.ignore):
            text = with_value(text, ignore, "kinds", kind.id, "ignore")
            kind = replace(kind, ignore=tuple(ignore))
        renamed = _renamed_columns(kind, own, before)
        for heading, name in renamed.items():
            text = _with_column(text, kind.id, heading, name)
            report.append(
                sentence("newer-table", "renamed-column", kind=kind.id, heading=heading, field=name)
            )
        text, words_now = _with_types(text, kind, own, renamed.values())
        report += words_now
        added = {k: v for k, v in _new_columns(kind, own).items() if k not in renamed}
        for name, column in added.items():
            type_ = "text" if column.role == "copies" else as_written(short_type(column))
            text = _with_field(text, kind.id, name, type_)
        report += _added_columns(kind, added, before)
        remarks = dict.fromkeys(name for sheet in own for name in sheet.no_cards if name)
        if rows := [name for name in remarks if name not in kind.no_cards]:
            text = _with_key(text, [*kind.no_cards, *rows], "kinds", kind.id, "no_cards")
            report.append(sentence("import", "no-cards", names=first_few(rows)))
        bare = {name for sheet in own for _row, name in sheet.bare}
        if left := [n for s in own for n in s.names if n in kind.no_cards and n not in bare]:
            report.append(sentence("newer-table", "no-cards", names=first_few(left)))
    return text, report


def _sheets_of(kind: Kind, cells: Sequence[SheetCells]) -> list[CardSheet]:
    """Find the cards of the sheets that a kind reads."""
    words = known_headings()
    own = [each for each in cells if each.sheet in kind.sheet] if kind.sheet else cells[:1]
    return [*filter(None, (card_sheet(each, words) for each in own))]


def _added_columns(kind: Kind, added: Mapping[str, Column], game: Game) -> Iterator[Translated]:
    """Tell of new columns, and how each comes onto the card where its style has a place for it."""
    declaration = game.faces[kind.front].declaration if kind.front in game.faces else None
    places: dict[str, list[str]] = {}
    for name, column in added.items():
        place = _PLACES.get(column.role, "texts")
        is_shown = declaration is None or place in declaration.takes
        is_look = column.back is not None or column.role == "colour"
        places.setdefault("look" if is_look else place if is_shown else "", []).append(name)
    for place, names in places.items():
        first = as_written(names[0])
        line = f"art: {first}" if place == "slots" else f"[{first}, {first}]"
        yield sentence(
            "newer-table",
            {"look": "new-look", "": "new-details"}.get(place, "new-columns"),
            names=first_few(names),
            kind=kind.id,
            first=first,
            line=line,
            place=place,
        )


# Where a style shows a column of a role; others are texts.
_PLACES = {
    "art": "slots",
    **dict.fromkeys(("cost", "power", "figure", "copies"), "figures"),
}


def _new_columns(kind: Kind, sheets: Sequence[CardSheet]) -> dict[str, Column]:
    """Find headings that a kind does not know yet, and their columns."""
    known = {*CARD_ITSELF, *kind.fields, *kind.columns, *kind.ignore, *kind.only}
    columns = (each for sheet in reversed(sheets) for each in reversed(sheet.columns))
    added = {each.heading: each for each in columns if each.heading not in known}
    return dict(reversed(added.items()))


def _still_ignored(kind: Kind, sheets: Sequence[CardSheet], was: Sequence[CardSheet]) -> list[str]:
    """List the headings that a kind ignores, but those that can be read only now."""
    before, now = (
        {column.heading for sheet in each for column in sheet.columns} for each in (was, sheets)
    )
    return [heading for heading in kind.ignore if heading in before or heading not in now]


def _field_of(kind: Kind, column: Column) -> str:
    return kind.columns.get(column.heading, column.heading)


def _gone_numbers(kind: Kind, sheets: Sequence[CardSheet]) -> list[str]:
    """Find fields of numbers in which nothing stands any more: a blank is 0 to them."""
    columns = [column for sheet in sheets for column in sheet.columns]
    there = {_field_of(kind, each) for each in columns if each.filled}
    return [name for name, of in kind.fields.items() if of.type == "number" and name not in there]


def _with_types(
    text: str, kind: Kind, sheets: Sequence[CardSheet], renamed: Collection[str]
) -> tuple[str, list[Translated]]:
    """Have game.yaml read fields of numbers as texts where these are gone, or words now."""
    gone = [name for name in _gone_numbers(kind, sheets) if name not in renamed]
    words = _now_texts(kind, sheets)
    number: object = {"type": "text", "pattern": "number"}
    for name, type_ in (dict.fromkeys(gone, number) | dict.fromkeys(words, "text")).items():
        text = with_value(text, type_, "kinds", kind.id, "fields", name)
    said = ({"kind": kind.id, "heading": heading, "field": name} for name, heading in words.items())
    return text, [sentence("newer-table", "now-text", **each) for each in said]


def _now_texts(kind: Kind, sheets: Sequence[CardSheet]) -> dict[str, str]:
    """Find fields of numbers in which most cells are words now, such as £3, and their headings."""
    return {
        name: column.heading
        for sheet in sheets
        for column in sheet.columns
        for name in [_field_of(kind, column)]
        if name in kind.fields and kind.fields[name].type == "number" and column.role != "copies"
        if 2 * sum(whole_number(cell) is None for cell in column.filled) > len(column.filled)
    }


def _renamed_columns(kind: Kind, sheets: Sequence[CardSheet], before: Game) -> dict[str, str]:
    """Find new headings below which most cards say what they said in a field that is gone."""
    headings = {column.heading for sheet in sheets for column in sheet.columns}
    of = {field: heading for heading, field in kind.columns.items()}
    gone = [field for field in kind.fields if of.get(field, field) not in headings]
    cards = {card.name: card for card in before.cards_of(kind.id)}
    found: dict[str, str] = {}
    for heading in _new_columns(kind, sheets):
        columns = ((s.names, c.values) for s in sheets for c in s.columns if c.heading == heading)
        rows = [row for each in columns for row in zip(*each, strict=True) if row[0] in cards]
        said = [(cards[name], value) for name, value in rows if value]
        for field in gone:
            if 2 * sum(card.text(field) == value for card, value in said) > len(said):
                found[heading] = field
                gone.remove(field)
                break
    return found


def _with_column(text: str, kind: str, heading: str, field: str) -> str:
    """Have game.yaml read a field of a kind below another heading; all else stays as it is."""
    node = node_at(text, "kinds", kind, "columns")
    if not isinstance(node, yaml.MappingNode):
        return _with_key(text, {heading: field}, "kinds", kind, "columns")
    for key, value in node.value:
        if value.value == field:
            start, end = key.start_mark.index, key.end_mark.index
            return f"{text[:start]}{as_written(heading)}{text[end:]}"
    return _with_entry(text, node, f"{as_written(heading)}: {as_written(field)}")


def _with_field(text: str, kind: str, name: str, type_: str) -> str:
    """Add a field of a kind to game.yaml, shown in its detail; all else stays as it is."""
    label = name.replace("/", "／")  # a slash parts sections
    for key, to, value in (("fields", name, type_), ("detail", label, as_written(name))):
        node = node_at(text, "kinds", kind, key)
        if isinstance(node, yaml.MappingNode):
            text = _with_entry(text, node, f"{as_written(to)}: {value}")
    return text


def _with_key(text: str, value: object, *keys: str) -> str:
    """Give a key within keys of game.yaml a value; all else stays as it is."""
    if node_at(text, *keys) is not None:
        return with_value(text, value, *keys)
    return _with_entry(text, node_at(text, *keys[:-1]), f"{keys[-1]}: {as_written(value)}")


def _with_entry(text: str, node: Any, entry: str) -> str:
    if node.flow_style:
        end = node.end_mark.index - 1
        return f"{text[:end].rstrip()}{', ' if node.value else ''}{entry}{text[end:]}"
    _key, last = node.value[-1]
    line_end = text.find("\n", last.end_mark.index - (last.end_mark.column == 0))
    end = len(text) if line_end < 0 else line_end
    return f"{text[:end]}\n{' ' * node.value[0][0].start_mark.column}{entry}{text[end:]}"


def _read_with(folder: Path, files: Mapping[str, bytes]) -> Game:
    """Read the game as it will be. Raises ``InvalidSource``, and then nothing was written."""
    with live_folder() as temporary:
        whole = temporary / folder.resolve().name
        shutil.copytree(folder, whole, symlinks=True)
        write_below(whole, files)
        return read_game(whole)


def _pictures_for(game: Game, kinds: Sequence[Kind], pictures: str) -> dict[str, Path]:
    """Find the pictures of a folder that the game has or its cards ask for, by their paths in it.

    Raises ``InvalidSource``.
    """
    files = {PurePosixPath(name).name: path for name, path in find_pictures(Path(pictures)).items()}
    asked = matched(_wanted_pictures(game, {kind.id for kind in kinds}), list(files)).files
    found = {}
    for file, path in files.items():
        name = asked.get(file, file)
        if (there := picture_called(game, name)) or file in asked:
            found[there or f"pictures/{name}"] = path
    return found


def _wanted_pictures(game: Game, kinds: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Tell what cards ask for: what their table names as picture and as back, id and name."""
    for card in game.cards.values():
        if card.kind in kinds:
            fields = game.kinds[card.kind].fields
            front, back = (card.text(n) if n in fields else "" for n in ("image", "back_image"))
            yield front, card.id, card.name
            if back:
                yield back, "", ""


def _changed_cards(
    old: Mapping[str, Card], new: Mapping[str, Card], game: Game
) -> Iterator[Translated]:
    """Tell which cards are new, renamed, changed and gone; columns by their headings."""
    headings = {
        (kind.id, field): heading
        for kind in game.kinds.values()
        for heading, field in kind.columns.items()
    }
    lists: dict[str, list[str]] = {"new": [], "renamed": [], "changed": [], "gone": []}
    changed: list[tuple[str, list[str]]] = []
    for key, card in new.items():
        if key not in old:
            lists["new"].append(card.name)
            continue
        was = old[key]
        fields = [
            headings.get((card.kind, name), name)
            for name in was.fields
            if was.text(name) != card.text(name)
        ]
        if was.name != card.name:
            also = f" ({', '.join(fields)})" if fields else ""
            lists["renamed"].append(f"{was.name} → {card.name}{also}")
        elif fields:
            changed.append((card.name, fields))
    # What changed on every card, such as running numbers, would hide the rest.
    times = Counter(field for _name, fields in changed for field in fields)
    changed.sort(key=lambda each: min(times[field] for field in each[1]))
    lists["changed"] = [f"{name} ({', '.join(fields)})" for name, fields in changed]
    lists["gone"] = [card.name for key, card in old.items() if key not in new]
    for word, names in lists.items():
        if names:
            yield sentence("newer-table", word, count=len(names), names=first_few(names))


def _empty_columns(
    kind: Kind, old: Mapping[str, Card], new: Mapping[str, Card]
) -> Iterator[Translated]:
    """Name the fields of a kind in which nothing stands any more."""
    before, after = (
        {
            name
            for card in cards.values()
            if card.kind == kind.id
            for name in kind.fields
            if card.text(name)
        }
        for cards in (old, new)
    )
    if gone := [name for name in kind.fields if name in before - after]:
        yield sentence("newer-table", "empty-columns", kind=kind.id, names=first_few(gone))


def _without_copies(
    kind: Kind, old: Mapping[str, Card], new: Mapping[str, Card]
) -> Iterator[Translated]:
    """Name the cards of a kind that are in no deck now, and were in one or are new."""
    cards = {key: c for key, c in new.items() if c.kind == kind.id and not c.get("copies")}
    known = {key for key, card in old.items() if not card.get("copies")}
    names = [card.name for key, card in cards.items() if key not in known]
    if names and "copies" in kind.fields:
        yield sentence("import", "no-copies", names=first_few(names))


_LISTED = 6


def first_few(names: Sequence[str | Translated], most: int = _LISTED) -> Translated:
    """List the first of some names, and how many there are beyond."""
    shown = Joined(tuple(names[:most]), ", ")
    more = len(names) - most
    return sentence("import", "and-more", names=shown, count=more) if more > 0 else shown


# -- from the net ---------------------------------------------------------------------------------


def pull(
    game: str, *, accept: bool = False, source: NameOrPath | None = None, seconds: float = SECONDS
) -> tuple[Translated, ...]:
    """Fetch every table of a game that has an ``address`` into its file; what changed by it.

    A table that came shorter than announced, or without more than half of its cards, is refused
    unless you ``accept`` it. The table before stays beside the new one.

    Raises ``InvalidSource``; then nothing was written.
    """
    folder = folder_of(game, source)
    kinds = [kind for kind in read_game(folder).kinds.values() if kind.address]
    if not kinds:
        raise error_at(COMMAND_LINE, "FROM", "no-address", game=game)
    for kind in kinds:
        if not kind.file.lower().endswith(".csv"):
            raise error_at(COMMAND_LINE, "FROM", "no-pull-csv", file=kind.file)
    tables = {kind.file: fetch(kind.address, seconds, accept=accept) for kind in kinds}
    for file, data in tables.items():  # nothing is written before all can be
        changes = find_changes(folder, folder / file, data)
        if changes.gone * 2 > changes.cards and not accept:
            raise error_at(
                COMMAND_LINE,
                "FROM",
                "half-gone",
                file=file,
                count=changes.gone,
                total=changes.cards,
            )
    report: list[Translated] = []
    for file, data in tables.items():
        changes = find_changes(folder, folder / file, data)
        write_whole({folder / name: data for name, data in changes.files.items()})
        report += [Joined((file, line), ": ") for line in changes.report]
    return tuple(report)


class _PublicPlaces(urllib.request.HTTPRedirectHandler):
    """Follow to public addresses of the web: never to files, this machine or its network."""

    def redirect_request(  # type: ignore[no-untyped-def]
        self, req, fp, code, msg, headers, newurl
    ) -> urllib.request.Request | None:
        if not (newurl.startswith(_SCHEMES) and _is_public(newurl)):
            fp.close()
            raise error_at(COMMAND_LINE, "FROM", "redirected", address=req.full_url, found=newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _is_public(address: str) -> bool:
    """Tell whether an address leads to other places than this machine and its network, if it leads
    anywhere: behind a proxy no name may be known here."""
    try:
        found = socket.getaddrinfo(urlsplit(address).hostname, None)
    except OSError:
        return True
    return all(ipaddress.ip_address(str(each[4][0])).is_global for each in found)


def fetch(address: str, seconds: float = SECONDS, *, accept: bool = False) -> bytes:
    """Fetch what an address gives; less than the server announced only to who ``accept``s that.

    Raises ``InvalidSource``.
    """
    if not address.startswith(_SCHEMES):
        raise error_at(COMMAND_LINE, "FROM", "no-web-address", address=address)
    data, most, end = b"", MAX_BYTES[".csv"], time.monotonic() + seconds
    is_cut = False
    try:
        opener = urllib.request.build_opener(_PublicPlaces)
        with opener.open(address, timeout=seconds) as answer:
            headers = answer.headers
            while len(data) <= most and (piece := answer.read1(1 << 16)):
                data += piece
                if time.monotonic() > end:
                    raise error_at(
                        COMMAND_LINE, "FROM", "slow-address", address=address, seconds=seconds
                    )
    except IncompleteRead:
        is_cut = True
    except (OSError, HTTPException, ValueError) as error:
        if isinstance(error, urllib.error.HTTPError):
            error.close()
        raise error_at(
            COMMAND_LINE,
            "FROM",
            "not-fetched",
            address=address,
            reason=getattr(error, "reason", None) or error,
        ) from None
    if len(data) > most:
        raise error_at(
            COMMAND_LINE, "FROM", "large-csv", address=address, most=f"{most // 1024 // 1024} MiB"
        )
    if headers.get_content_type() == "text/html" or data.lstrip()[:1] == b"<":
        raise error_at(COMMAND_LINE, "FROM", "is-page", address=address)
    announced = headers.get("Content-Length", "")
    is_cut = is_cut or (announced.isdecimal() and len(data) < int(announced))
    if is_cut and not accept:
        raise error_at(COMMAND_LINE, "FROM", "cut-short", address=address, size=len(data))
    return data
