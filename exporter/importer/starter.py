"""A new game's folder, from the starter files of templates/new or like another game."""

from __future__ import annotations

import codecs
import csv
import errno
import io
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, StrictUndefined
from msgspec import Struct

from exporter.core.file_writer import (
    made_folders,
    make_folder,
)
from exporter.core.problems import (
    COMMAND_LINE,
    InvalidSource,
    SourceLocation,
    error_at,
    problem_at,
)
from exporter.core.source_files import (
    Unreadable,
    decode,
    label,
    read_bytes,
)
from exporter.core.temporary import live_folder
from exporter.importer.blank_tables import (
    TableColumn,
    workbook,
)
from exporter.model import Game
from exporter.model.json_schemas import comment
from exporter.model.shape import FILE_ID
from exporter.render.own_pictures import MAX_BYTES

_COLOURS = (
    "#b4482f", "#2f6f8f", "#4f7d3a", "#b98620", "#a23b63", "#3d56a6",
    "#2d7a72", "#8a5a3a", "#5b6472", "#6a4f9e", "#8a7a20", "#3b3a36",
)  # fmt: skip
_MOST_CARDS = 5
_DECK = 20
_COPIED = (
    ".yaml", ".csv", ".tsv", ".xlsx", ".ods", ".png", ".jpg", ".jpeg", ".webp",
)  # fmt: skip


class Facts(Struct, frozen=True):
    """What is known of a new game: its id, its names, how many play, and on what."""

    id: str
    ja: str
    en: str
    players: tuple[int, int]
    board: str = "square"


def check_new(folder: Path, facts: Facts) -> None:
    """Raises ``InvalidSource`` where a folder cannot become this game."""
    where = SourceLocation(str(folder))
    problems = []
    if not re.fullmatch(FILE_ID, facts.id):
        problems.append(problem_at(COMMAND_LINE, "NEW", "cannot-name-game", facts=facts.id[:40]))
    elif os.path.lexists(folder):
        problems.append(problem_at(where, "NEW", "something-name-already"))
    for name in (facts.ja, facts.en):
        if len(name) > 200 or not name.isprintable():
            problems.append(problem_at(COMMAND_LINE, "NEW", "cannot-name-game-2", name=name[:40]))
    if problems:
        raise InvalidSource(problems)


def starter_files(templates: Path, facts: Facts, language: str) -> dict[str, bytes]:
    """The files of a new game by their path in its folder, with comments in a ``language``;
    ``templates`` is templates/new."""
    files: dict[str, bytes] = {}
    texts = {
        path.relative_to(templates / "game").as_posix(): path.read_text(encoding="utf-8")
        for path in sorted((templates / "game").rglob("*.*"))
    }
    if facts.board == "none":
        del texts["sheets/boards.yaml"]
    else:
        board = templates / "boards" / f"{facts.board}.yaml"
        texts["boards/board.yaml"] = board.read_text(encoding="utf-8")
    environment = Environment(
        undefined=StrictUndefined, keep_trailing_newline=True, trim_blocks=True
    )
    for name, text in sorted(texts.items()):
        up = "../" * (name.count("/") + 1)
        written = environment.from_string(text).render(
            schema=lambda kind, up=up: comment(f"{up}schemas", kind),
            say=lambda en, ja: ja if language == "ja" else en,
            **_words(facts),
        )
        files[name] = written.encode()
    return files


def _words(facts: Facts) -> dict[str, object]:
    """What the starter files are filled with; texts are quoted as YAML and JSON both read them."""
    least, most = facts.players
    return {
        "id": facts.id,
        "ja": json.dumps(facts.ja, ensure_ascii=False),
        "en": json.dumps(facts.en, ensure_ascii=False),
        "least": least,
        "most": most,
        "board": facts.board,
        **rooms_and_seats(facts.players),
    }


def rooms_and_seats(players: tuple[int, int]) -> dict[str, object]:
    """A seat for every player, and a room for every number of players."""
    least, most = players
    seats = [
        {"id": f"p{number}", "name": f"{number}番", "colour": _COLOURS[number - 1]}
        for number in range(1, most + 1)
    ]
    rooms = []
    for count in range(least, most + 1):
        names = [f"p{number}" for number in range(1, count + 1)]
        rooms.append(
            {
                "players": count,
                "cards": min(_MOST_CARDS, _DECK // count),
                "left": ", ".join(names[::2]),
                "right": ", ".join(names[1::2]),
            }
        )
    return {"seats": seats, "rooms": rooms}


def with_spreadsheets(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of a starter with its cards in a spreadsheet in the place of CSV."""
    found = dict(files)
    for name in [name for name in files if name.startswith("cards/") and name.endswith(".csv")]:
        rows = list(csv.reader(io.StringIO(decode(found.pop(name), name))))
        columns = [TableColumn(heading) for heading in rows[0]]
        other = f"{name.removesuffix('.csv')}.xlsx"
        found[other] = workbook(columns, rows[1:])
        head = found["game.yaml"].decode().replace(f"file: {name} #", f"file: {other} #")
        found["game.yaml"] = head.encode()
    return found


def files_like(game: Game, folder: Path, facts: Facts) -> dict[str, bytes]:
    """Another game's files under a new id and names, all else as it is.

    Tables in UTF-8 get the mark by which Excel knows it.
    Raises ``InvalidSource`` where some cannot be read.
    """
    files = {}
    problems = []
    root = folder.resolve()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        hidden = any(part.startswith(".") for part in name.split("/"))
        inside = path.resolve().is_relative_to(root)
        if path.suffix.lower() in _COPIED and not hidden and inside and path.is_file():
            try:
                files[name] = _marked(name, read_bytes(path, label(folder, name), MAX_BYTES))
            except Unreadable as error:
                problems.append(error.problem)
    if problems:
        raise InvalidSource(problems)
    head = decode(files["game.yaml"], "game.yaml")
    names = f"{{ja: {json.dumps(facts.ja, ensure_ascii=False)}, en: "
    names += f"{json.dumps(facts.en, ensure_ascii=False)}}}"
    changes = {"id": facts.id, "name": names}
    if facts.players != game.players:
        changes["players"] = f"[{facts.players[0]}, {facts.players[1]}]"
    files["game.yaml"] = _with_values(head, changes).encode()
    return files


def _marked(name: str, data: bytes) -> bytes:
    """A file's bytes; those of a CSV in UTF-8 begin with a byte order mark."""
    if not name.lower().endswith(".csv") or data.startswith(codecs.BOM_UTF8):
        return data
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:  # cp932, or something else that is copied as it is
        return data
    return codecs.BOM_UTF8 + data


def _with_values(text: str, changes: Mapping[str, str]) -> str:
    """A YAML mapping with other values for some of its keys; comments and all else stay."""
    node: Any = yaml.compose(text, Loader=yaml.BaseLoader)
    spans = [
        (value.start_mark.index, _end(value), changes[key.value])
        for key, value in node.value
        if key.value in changes
    ]
    for start, end, new in sorted(spans, reverse=True):
        ending = "\n" if text[start:end].endswith("\n") else ""
        text = text[:start] + new + ending + text[end:]
    return text


def _end(node: Any) -> int:
    """Where a value's own text ends; YAML counts the comments below an indented one to it."""
    if isinstance(node, yaml.ScalarNode) or node.flow_style:
        end: int = node.end_mark.index
        return end
    last = node.value[-1]
    return _end(last[1] if isinstance(last, tuple) else last)


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a new folder whole or not at all. Raises ``InvalidSource``."""
    try:
        with made_folders() as made:
            make_folder(folder.parent, made)
            with live_folder(folder.parent) as part:
                whole = part / "whole"
                for name, data in files.items():
                    path = whole / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(data)
                if os.path.lexists(folder):
                    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
                whole.rename(folder)
            made.clear()
    except OSError as error:
        raise error_at(
            SourceLocation(str(folder)),
            "WRITE",
            "folder-cannot-written",
            strerror=error.strerror or error,
        ) from None
