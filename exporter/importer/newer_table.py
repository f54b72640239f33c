"""A newer table and pictures for a game that is there: all else in it stays as it was edited."""

from __future__ import annotations

import ipaddress
import shutil
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Collection, Iterator, Mapping, Sequence
from http.client import HTTPException, IncompleteRead
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import yaml
from msgspec import Struct

from exporter.app.games import (
    NameOrPath,
    folder_of,
)
from exporter.core.file_writer import live_folder, write_whole
from exporter.core.messages import (
    Joined,
    Translated,
    sentence,
)
from exporter.core.problems import (
    COMMAND_LINE,
    error_at,
)
from exporter.core.source_files import (
    MAX_BYTES,
    decode,
)
from exporter.faces.card_faces import CARD_ITSELF, picture_called
from exporter.importer.card_kinds import (
    find_pictures,
    inline_yaml,
    read_pictures,
    short_type,
    table_bytes,
)
from exporter.importer.card_sheets import (
    CardSheet,
    SheetCells,
    card_sheet,
    card_sheets,
    read_sheets,
)
from exporter.importer.column_roles import known_headings
from exporter.loader.game_reader import read_game
from exporter.loader.picture_files import (
    matched,
)
from exporter.model import (
    Card,
    Game,
    Kind,
)


class Changes(Struct, frozen=True):
    """The files that change, by their paths in the game's folder, the table first; and a report.

    Of so many ``cards`` before some are ``gone``.
    """

    files: Mapping[str, bytes]
    report: tuple[Translated, ...]
    cards: int
    gone: int


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
    if sheet:
        read_sheets(path, data, sheet)
        _check_sheet(kinds, cells, sheet)
    head = decode((folder / "game.yaml").read_bytes(), "game.yaml")
    if PurePosixPath(relative).name.casefold() != path.name.casefold():
        _check_headings(kinds, cells, path.name, relative)
    text, report = _with_news(head, kinds, cells, before)
    named, _others = card_sheets(path, data, sheet, known_headings())
    unread = [each.name for each in named if each.name and each.name not in _read_by(kinds, cells)]
    if unread and not sheet:
        report.append(sentence("newer-table", "unread-sheets", names=listed(unread)))
    files = {relative: data} | ({"game.yaml": text.encode()} if text != head else {})
    after = _read_with(folder, files)
    paths = _pictures_for(after, kinds, pictures) if pictures else {}
    there = {name: path.read_bytes() for name in paths if (path := folder / name).is_file()}
    art = {name: d for name, d in read_pictures(paths).items() if d != there.get(name)}
    gone_art = sorted({*before.art.values()} - paths.keys()) if pictures else []
    if art:
        files |= art
        after = _read_with(folder, files)
    old, new = (
        {key: c for key, c in game.cards.items() if c.kind in {k.id for k in kinds}}
        for game in (before, after)
    )
    report += _changed_cards(old, new)
    for kind in kinds:
        report += _empty_columns(after.kinds[kind.id], old, new)
        if kind.ids:
            own = [(card.id, card.name) for card in new.values() if card.kind == kind.id]
            files[kind.ids] = table_bytes([("id", "name"), *own])
    for key, changed in (("pictures", [*art]), ("pictures-stay", gone_art)):
        if changed:
            names = listed([PurePosixPath(each).name for each in changed])
            report.append(sentence("newer-table", key, names=names))
    report += [each for each in after.notices if each not in before.notices]
    report = report or [sentence("newer-table", "nothing")]
    kept = (folder / relative).read_bytes()
    if kept != data:
        files[f"{relative}.before"] = kept
        report.append(sentence("newer-table", "before", file=f"{relative}.before"))
    return Changes(files, tuple(report), len(old), len(old.keys() - new.keys()))


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
        values = {"name": path.name, "names": ", ".join(every)}
        raise error_at(COMMAND_LINE, "FROM", "which-table", **values)
    (relative, *_) = same or every
    if PurePosixPath(relative).suffix.lower() != path.suffix.lower():
        raise error_at(COMMAND_LINE, "FROM", "other-type", name=path.name, file=relative)
    return [kind for kind in game.kinds.values() if relative in tables[kind.id]], relative


def _check_sheet(kinds: Sequence[Kind], cells: Sequence[SheetCells], sheet: str) -> None:
    """Raise ``InvalidSource`` for a sheet of a table that no kind reads: it would be ignored."""
    read = _read_by(kinds, cells)
    if sheet not in read:
        values = {"sheet": sheet, "kind": kinds[0].id, "names": ", ".join(sorted(read))}
        raise error_at(COMMAND_LINE, "FROM", "unread-sheet", **values)


def _read_by(kinds: Sequence[Kind], cells: Sequence[SheetCells]) -> set[str]:
    """Tell which sheets of a table kinds read."""
    read = {name for kind in kinds for name in kind.sheet or (cells[0].sheet,)}
    return read | {name.partition("#")[2] for kind in kinds for name in kind.files if "#" in name}


def _check_headings(
    kinds: Sequence[Kind], cells: Sequence[SheetCells], name: str, file: str
) -> None:
    """Raise ``InvalidSource`` where most headings of a file are not those of the game's table."""
    known = {word for kind in kinds for word in (*kind.columns, *kind.fields, *kind.ignore)}
    sheets = [sheet for kind in kinds for sheet in _sheets_of(kind, cells)]
    found = {column.heading for sheet in sheets for column in sheet.columns}
    if len(found & {*known, *CARD_ITSELF}) * 2 < len(found):
        names = listed(sorted(found - known))
        raise error_at(COMMAND_LINE, "FROM", "another-table", name=name, file=file, names=names)


def _with_news(
    text: str, kinds: Sequence[Kind], cells: Sequence[SheetCells], before: Game
) -> tuple[str, list[Translated]]:
    """Add to game.yaml what its tables have new: headings, columns, rows that are no cards."""
    report: list[Translated] = []
    for kind in kinds:
        renamed = _renamed_columns(kind, cells, before)
        for heading, name in renamed.items():
            text = _with_column(text, kind.id, heading, name)
            words = {"kind": kind.id, "heading": heading, "field": name}
            report.append(sentence("newer-table", "renamed-column", **words))
        for name in _gone_numbers(kind, cells):
            if name not in renamed.values():
                text = _with_type(text, kind.id, name, {"type": "text", "pattern": "number"})
        added = {k: v for k, v in _new_columns(kind, cells).items() if k not in renamed}
        for name, type_ in added.items():
            text = _with_field(text, kind.id, name, type_)
        if added:
            names = listed(list(added))
            report.append(sentence("newer-table", "new-columns", kind=kind.id, names=names))
        if rows := _new_remarks(kind, cells):
            text = _with_no_cards(text, kind.id, rows)
            report.append(sentence("import", "no-cards", names=listed(rows)))
    return text, report


def _sheets_of(kind: Kind, cells: Sequence[SheetCells]) -> Iterator[CardSheet]:
    """Find the cards of the sheets that a kind reads."""
    words = known_headings()
    own = [each for each in cells if each.sheet in kind.sheet] if kind.sheet else cells[:1]
    yield from filter(None, (card_sheet(each, words) for each in own))


def _new_remarks(kind: Kind, cells: Sequence[SheetCells]) -> list[str]:
    """Find rows with a name that are no cards, and that a kind does not know yet."""
    rows = (name for sheet in _sheets_of(kind, cells) for name in sheet.no_cards)
    return [name for name in dict.fromkeys(rows) if name and name not in kind.no_cards]


def _new_columns(kind: Kind, cells: Sequence[SheetCells]) -> dict[str, str]:
    """Find headings that a kind does not know yet, and their types."""
    known = {*CARD_ITSELF, *kind.fields, *kind.columns, *kind.ignore, *kind.only}
    added: dict[str, str] = {}
    for sheet in _sheets_of(kind, cells):
        for column in sheet.columns:
            if column.heading not in known:
                type_ = "text" if column.role == "copies" else inline_yaml(short_type(column))
                added.setdefault(column.heading, type_)
    return added


def _gone_numbers(kind: Kind, cells: Sequence[SheetCells]) -> list[str]:
    """Find fields of numbers in which nothing stands any more: a blank is 0 to them."""
    columns = [column for sheet in _sheets_of(kind, cells) for column in sheet.columns]
    there = {kind.columns.get(each.heading, each.heading) for each in columns if each.filled}
    return [name for name, of in kind.fields.items() if of.type == "number" and name not in there]


def _renamed_columns(kind: Kind, cells: Sequence[SheetCells], before: Game) -> dict[str, str]:
    """Find new headings below which most cards say what they said in a field that is gone."""
    sheets = list(_sheets_of(kind, cells))
    headings = {column.heading for sheet in sheets for column in sheet.columns}
    of = {field: heading for heading, field in kind.columns.items()}
    gone = [field for field in kind.fields if of.get(field, field) not in headings]
    cards = {card.name: card for card in before.cards.values() if card.kind == kind.id}
    found: dict[str, str] = {}
    for heading in _new_columns(kind, cells):
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
    node = _node_at(text, "kinds", kind, "columns")
    if not isinstance(node, yaml.MappingNode):
        entry = f"columns: {inline_yaml({heading: field})}"
        return _with_entry(text, _node_at(text, "kinds", kind), entry)
    for key, value in node.value:
        if value.value == field:
            start, end = key.start_mark.index, key.end_mark.index
            return f"{text[:start]}{inline_yaml(heading)}{text[end:]}"
    return _with_entry(text, node, f"{inline_yaml(heading)}: {inline_yaml(field)}")


def _with_field(text: str, kind: str, name: str, type_: str) -> str:
    """Add a field of a kind to game.yaml, shown in its detail; all else stays as it is."""
    for key, value in (("fields", type_), ("detail", inline_yaml(name))):
        node = _node_at(text, "kinds", kind, key)
        if isinstance(node, yaml.MappingNode):
            text = _with_entry(text, node, f"{inline_yaml(name)}: {value}")
    return text


def _with_type(text: str, kind: str, name: str, type_: object) -> str:
    """Change the type of a field of a kind in game.yaml; all else stays as it is."""
    node = _node_at(text, "kinds", kind, "fields", name)
    end = len(text[: node.end_mark.index].rstrip())
    return f"{text[: node.start_mark.index]}{inline_yaml(type_)}{text[end:]}"


def _with_no_cards(text: str, kind: str, rows: Sequence[str]) -> str:
    """Add names of rows that are no cards to a kind of game.yaml; all else stays as it is."""
    node = _node_at(text, "kinds", kind, "no_cards")
    if node is None:
        entry = f"no_cards: {inline_yaml(rows)}"
        return _with_entry(text, _node_at(text, "kinds", kind), entry)
    if not isinstance(node, yaml.SequenceNode) or not node.flow_style:
        return text
    return _with_entry(text, node, ", ".join(map(inline_yaml, rows)))


def _node_at(text: str, *keys: str) -> Any:
    """Find what stands at keys within keys of a text of YAML, if there is anything."""
    node: Any = yaml.compose(text, Loader=yaml.BaseLoader)
    for key in keys:
        pairs = node.value if isinstance(node, yaml.MappingNode) else ()
        node = next((inner for word, inner in pairs if word.value == key), None)
    return node


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
        for name, data in files.items():
            path = whole / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)  # it may be a link, and what that leads to stays
            path.write_bytes(data)
        return read_game(whole)


def _pictures_for(game: Game, kinds: Sequence[Kind], pictures: str) -> dict[str, Path]:
    """Find the pictures of a folder that the game has or its cards ask for, by their paths in it.

    Raises ``InvalidSource``.
    """
    files = {PurePosixPath(name).name: path for name, path in find_pictures(Path(pictures)).items()}
    asked = matched(_asked(game, {kind.id for kind in kinds}), list(files)).files
    found = {}
    for file, path in files.items():
        name = asked.get(file, file)
        if (there := picture_called(game, name)) or file in asked:
            found[there or f"pictures/{name}"] = path
    return found


def _asked(game: Game, kinds: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Tell what cards ask for: what their table names as picture and as back, id and name."""
    for card in game.cards.values():
        if card.kind in kinds:
            fields = game.kinds[card.kind].fields
            front, back = (card.text(n) if n in fields else "" for n in ("image", "back_image"))
            yield front, card.id, card.name
            if back:
                yield back, "", ""


def _changed_cards(old: Mapping[str, Card], new: Mapping[str, Card]) -> Iterator[Translated]:
    """Tell which cards are new, renamed, changed and gone."""
    lists: dict[str, list[str]] = {"new": [], "renamed": [], "changed": [], "gone": []}
    for key, card in new.items():
        if key not in old:
            lists["new"].append(card.name)
            continue
        was = old[key]
        fields = [name for name in was.fields if was.text(name) != card.text(name)]
        if was.name != card.name:
            lists["renamed"].append(f"{was.name} → {card.name}")
        elif fields:
            lists["changed"].append(f"{card.name} ({', '.join(fields)})")
    lists["gone"] = [card.name for key, card in old.items() if key not in new]
    for word, names in lists.items():
        if names:
            yield sentence("newer-table", word, count=len(names), names=listed(names))


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
        yield sentence("newer-table", "empty-columns", kind=kind.id, names=listed(gone))


# For the whole answer, from the first look for the server to the last byte.
SECONDS = 30

_SCHEMES = ("https://", "http://")


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
            values = {"file": file, "count": changes.gone, "total": changes.cards}
            raise error_at(COMMAND_LINE, "FROM", "half-gone", **values)
    return tuple(line for file in tables for line in _replace_table(folder, file, tables))


def _replace_table(folder: Path, file: str, tables: Mapping[str, bytes]) -> list[Translated]:
    """Write a table that was fetched, and the one before beside it; tell what changed."""
    changes = find_changes(folder, folder / file, tables[file])
    write_whole({folder / name: data for name, data in changes.files.items()})
    return [Joined((file, line), ": ") for line in changes.report]


class _PublicPlaces(urllib.request.HTTPRedirectHandler):
    """Follow to public addresses of the web: never to files, this machine or its network."""

    def redirect_request(  # type: ignore[no-untyped-def]
        self, req, fp, code, msg, headers, newurl
    ) -> urllib.request.Request | None:
        if not (newurl.startswith(_SCHEMES) and _is_public(newurl)):
            fp.close()
            address = req.full_url
            raise error_at(COMMAND_LINE, "FROM", "redirected", address=address, found=newurl)
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
                    words = {"address": address, "seconds": seconds}
                    raise error_at(COMMAND_LINE, "FROM", "slow-address", **words)
    except IncompleteRead:
        is_cut = True
    except (OSError, HTTPException, ValueError) as error:
        if isinstance(error, urllib.error.HTTPError):
            error.close()
        words = {"address": address, "reason": getattr(error, "reason", None) or error}
        raise error_at(COMMAND_LINE, "FROM", "not-fetched", **words) from None
    if len(data) > most:
        size = f"{most // 1024 // 1024} MiB"
        raise error_at(COMMAND_LINE, "FROM", "large-csv", address=address, most=size)
    if headers.get_content_type() == "text/html" or data.lstrip()[:1] == b"<":
        raise error_at(COMMAND_LINE, "FROM", "is-page", address=address)
    announced = headers.get("Content-Length", "")
    is_cut = is_cut or (announced.isdecimal() and len(data) < int(announced))
    if is_cut and not accept:
        raise error_at(COMMAND_LINE, "FROM", "cut-short", address=address, size=len(data))
    return data


_LISTED = 6


def listed(names: Sequence[str | Translated], most: int = _LISTED) -> Translated:
    """List the first of some names, and how many there are beyond."""
    shown = Joined(tuple(names[:most]), ", ")
    more = len(names) - most
    return sentence("import", "and-more", names=shown, count=more) if more > 0 else shown
