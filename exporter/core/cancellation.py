"""Cancelling long work between two of its steps, when the request it answers was closed."""

from __future__ import annotations

import threading
from contextvars import ContextVar

# Set when the request was closed; None for work that is always finished.
CANCELLED: ContextVar[threading.Event | None] = ContextVar("CANCELLED", default=None)


class Cancelled(BaseException):
    """The request was closed. A BaseException, so that no handler of errors swallows it."""


def check_cancelled() -> None:
    """Raise ``Cancelled`` if the request was closed."""
    gone = CANCELLED.get()
    if gone is not None and gone.is_set():
        raise Cancelled
