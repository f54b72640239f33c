"""A published sheet fetched from the web: only when asked for, within a time and a size."""

from __future__ import annotations

import ipaddress
import socket
import threading
import urllib.error
import urllib.request
from http.client import HTTPException, IncompleteRead
from urllib.parse import urlsplit

from exporter.core.problems import (
    COMMAND_LINE,
    error_at,
)
from exporter.core.source_files import MAX_BYTES

SECONDS = 30
"""For the whole answer, from the first look for the server to the last byte."""

_SCHEMES = ("https://", "http://")


class _PublicPlaces(urllib.request.HTTPRedirectHandler):
    """Follows to public addresses of the web: never to files, this machine or its network."""

    def redirect_request(  # type: ignore[no-untyped-def]
        self, req, fp, code, msg, headers, newurl
    ) -> urllib.request.Request | None:
        if not (newurl.startswith(_SCHEMES) and _is_public(newurl)):
            fp.close()
            address = req.full_url
            raise error_at(COMMAND_LINE, "FROM", "redirected", address=address, found=newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _is_public(address: str) -> bool:
    """Whether an address leads to other places than this machine and its network, if it leads
    anywhere: behind a proxy no name may be known here."""
    try:
        found = socket.getaddrinfo(urlsplit(address).hostname, None)
    except OSError:
        return True
    return all(ipaddress.ip_address(str(each[4][0])).is_global for each in found)


def fetched(address: str, seconds: float = SECONDS, *, accept: bool = False) -> bytes:
    """What an address gives; less than the server announced only to who ``accept``s that.

    Raises ``InvalidSource``.
    """
    if not address.startswith(_SCHEMES):
        raise error_at(COMMAND_LINE, "FROM", "no-web-address", address=address)
    found: list[bytes | Exception] = []

    def fetch() -> None:
        try:
            found.append(_answered(address, seconds, accept))
        except Exception as error:  # raised below, where somebody waits
            found.append(error)

    # Beside, as nothing else bounds how long a name is looked for and a head comes in bits.
    fetching = threading.Thread(target=fetch, daemon=True)
    fetching.start()
    fetching.join(seconds)
    if not found:
        raise error_at(COMMAND_LINE, "FROM", "slow-address", address=address, seconds=seconds)
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]


def _answered(address: str, seconds: float, accept: bool) -> bytes:
    most = MAX_BYTES[".csv"]
    opener = urllib.request.build_opener(_PublicPlaces)
    try:
        with opener.open(address, timeout=seconds) as answer:
            announced = answer.headers.get("Content-Length", "")
            sort = answer.headers.get_content_type()
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
    if sort == "text/html" or data.lstrip()[:1] == b"<":
        raise error_at(COMMAND_LINE, "FROM", "is-page", address=address)
    if not (is_whole or accept):
        raise error_at(COMMAND_LINE, "FROM", "cut-short", address=address, size=len(data))
    return data
