"""Published sheets fetched into a game's tables: only when asked for, within a time and a size."""

from __future__ import annotations

import ipaddress
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException, IncompleteRead
from pathlib import Path
from urllib.parse import urlsplit

from exporter.app.games import (
    Named,
    folder_of,
)
from exporter.core.file_writer import write_whole
from exporter.core.messages import (
    Joined,
    Translated,
    sentence,
)
from exporter.core.problems import (
    COMMAND_LINE,
    error_at,
)
from exporter.core.source_files import MAX_BYTES
from exporter.importer.newer_table import find_changes
from exporter.loader import read_game

SECONDS = 30
"""For the whole answer, from the first look for the server to the last byte."""

_SCHEMES = ("https://", "http://")


def pull(
    game: str, *, accept: bool = False, source: Named | None = None, seconds: float = SECONDS
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
    files = {folder / name: data for name, data in changes.files.items()}
    report = list(changes.report)
    before = (folder / file).read_bytes()
    if before != tables[file]:
        kept = f"{file}.before"
        files = {folder / kept: before, **files}
        report.append(sentence("newer-table", "before", file=kept))
    write_whole(files)
    return [Joined((file, line), ": ") for line in report]


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
    found: list[bytes | Exception] = []

    def read() -> None:
        try:
            found.append(_read_answer(address, seconds, accept))
        except Exception as error:  # raised below, where somebody waits
            found.append(error)

    # Beside, as nothing else bounds how long a name is looked for and a head comes in bits.
    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    thread.join(seconds)
    if not found:
        raise error_at(COMMAND_LINE, "FROM", "slow-address", address=address, seconds=seconds)
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]


def _read_answer(address: str, seconds: float, accept: bool) -> bytes:
    most = MAX_BYTES[".csv"]
    opener = urllib.request.build_opener(_PublicPlaces)
    try:
        with opener.open(address, timeout=seconds) as answer:
            announced = answer.headers.get("Content-Length", "")
            content_type = answer.headers.get_content_type()
            try:
                data: bytes = answer.read(most + 1)
                is_whole = not announced.isdecimal() or len(data) >= min(int(announced), most)
            except IncompleteRead as error:
                data, is_whole = error.partial, False
    except (OSError, HTTPException, ValueError) as error:
        if isinstance(error, urllib.error.HTTPError):
            error.close()
        reason = getattr(error, "reason", None) or error
        raise error_at(
            COMMAND_LINE, "FROM", "not-fetched", address=address, reason=reason
        ) from None
    if len(data) > most:
        size = f"{most // 1024 // 1024} MiB"
        raise error_at(COMMAND_LINE, "FROM", "large-csv", address=address, most=size)
    if content_type == "text/html" or data.lstrip()[:1] == b"<":
        raise error_at(COMMAND_LINE, "FROM", "is-page", address=address)
    if not (is_whole or accept):
        raise error_at(COMMAND_LINE, "FROM", "cut-short", address=address, size=len(data))
    return data
