"""Drawing, making small, keeping and writing go on side by side."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from exporter.core.file_writer import write_whole
from exporter.core.problems import SourceLocation
from exporter.faces.card_faces import (
    Face,
    face,
)

SHIPPED = Path(__file__).parents[2] / "templates" / "faces"
SECONDS = 20
"""After which a thread gives up waiting for the other one."""


def card(number: int) -> Face:
    values = {"name": f"札{number}", "slots": {"title": "name"}}
    return face(
        "plain/card.typ", values, (10, 14), scale=2, where=SourceLocation("cards.csv", number)
    )


def back() -> Face:
    return face("plain/back.typ", {"deck": "山"}, (10, 14), scale=2)


def test_many_files_are_flushed_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    both = threading.Barrier(2)
    monkeypatch.setattr("exporter.core.file_writer.os.fsync", lambda _handle: both.wait(SECONDS))
    files = {tmp_path / f"{number}.txt": b"%d" % number for number in range(20)}
    assert len(write_whole(files).new) == 20
    assert [path.read_bytes() for path in files] == list(files.values())
