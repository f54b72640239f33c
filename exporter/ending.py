"""Long work that ends between two of its steps, once nobody waits for what it finds."""

from __future__ import annotations

import threading
from contextvars import ContextVar

GONE: ContextVar[threading.Event | None] = ContextVar("GONE", default=None)
"""Set as soon as whoever asked is gone; nothing where somebody always waits."""


class Ended(BaseException):
    """Nobody waits any more. No error of the work: nothing that catches those is to catch it."""


def go_on() -> None:
    """Raise ``Ended`` where nobody waits any more."""
    gone = GONE.get()
    if gone is not None and gone.is_set():
        raise Ended
