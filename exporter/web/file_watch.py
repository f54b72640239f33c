"""Waiting for files to be saved, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from watchfiles import watch

DEBOUNCE = 150
"""Milliseconds in which several saved files count as one time."""


TIMEOUT = 200
"""Milliseconds of one look."""


def saves(places: Iterable[Path]) -> Iterator[None]:
    """Once now, and again each time that something in one of the places was saved, until Ctrl+C."""
    changes = watch(
        *places, debounce=DEBOUNCE, step=40, rust_timeout=TIMEOUT, yield_on_timeout=True
    )
    try:
        next(changes)  # from here on nothing that is saved is missed
        yield
        for found in changes:
            if found:
                yield
    except KeyboardInterrupt:
        return
