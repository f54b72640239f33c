"""Tables that are published at an address, fetched into the place of those that a game has."""

from __future__ import annotations

import ipaddress
import socket
import time
import urllib.error
import urllib.request
from http.client import HTTPException, IncompleteRead
from urllib.parse import urlsplit

from exporter.app.games import NameOrPath, folder_of
from exporter.core.file_writer import write_whole
from exporter.core.messages import Joined, Translated
from exporter.core.problems import COMMAND_LINE, error_at
from exporter.core.source_files import MAX_BYTES
from exporter.importer.newer_table import find_changes
from exporter.loader.game_reader import read_game

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
