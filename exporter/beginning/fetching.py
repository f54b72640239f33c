"""A published sheet fetched from the web: only when asked for, within a time and a size."""

from __future__ import annotations

import urllib.error
import urllib.request
from http.client import HTTPException

from exporter.problems import COMMAND_LINE, refusal
from exporter.source.files import MAX_BYTES

SECONDS = 20
"""Until a server has to answer."""

_SCHEMES = ("https://", "http://")


class _NoOtherPlaces(urllib.request.HTTPRedirectHandler):
    """Follows to addresses of the web, and never to files."""

    def redirect_request(  # type: ignore[no-untyped-def]
        self, req, fp, code, msg, headers, newurl
    ) -> urllib.request.Request | None:
        if not newurl.startswith(_SCHEMES):
            return None
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def fetched(address: str, seconds: float = SECONDS) -> bytes:
    """What an address gives. Raises ``InvalidSource``."""
    if not address.startswith(_SCHEMES):
        raise refusal(COMMAND_LINE, "FROM", "no-web-address", address=address)
    most = MAX_BYTES[".csv"]
    opener = urllib.request.build_opener(_NoOtherPlaces)
    try:
        with opener.open(address, timeout=seconds) as answer:
            data: bytes = answer.read(most + 1)
            sort = answer.headers.get_content_type()
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise refusal(COMMAND_LINE, "FROM", "not-fetched", address=address, reason=reason) from None
    if len(data) > most:
        size = f"{most // 1024 // 1024} MiB"
        raise refusal(COMMAND_LINE, "FROM", "large-csv", address=address, most=size)
    if sort == "text/html" or data.lstrip()[:1] == b"<":
        raise refusal(COMMAND_LINE, "FROM", "is-page", address=address)
    return data
