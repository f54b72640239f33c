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
from exporter.render.painter import paint
from exporter.render.typesetter import (
    Compiler,
    Pages,
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


def test_pictures_are_made_small_and_kept_while_others_are_drawn(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    done = threading.Event()
    set_pages = Compiler.set_pages

    def waiting(press: Compiler, template: str, faces: list[Face], **more: str) -> Pages:
        if len(faces) > 1:  # the back is set already: it is in the cache before these are
            assert done.wait(SECONDS)
        return set_pages(press, template, faces, **more)  # type: ignore[arg-type]

    def kept(_cache: object, _key: str, _data: bytes) -> None:
        done.set()

    monkeypatch.setattr(Compiler, "set_pages", waiting)
    monkeypatch.setattr("exporter.core.cache.Cache.put", kept)
    paint([*(card(number) for number in range(3)), back()], SHIPPED, None, tmp_path)


def test_many_files_are_flushed_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    both = threading.Barrier(2)
    monkeypatch.setattr("exporter.core.file_writer.os.fsync", lambda _handle: both.wait(SECONDS))
    files = {tmp_path / f"{number}.txt": b"%d" % number for number in range(20)}
    assert len(write_whole(files).new) == 20
    assert [path.read_bytes() for path in files] == list(files.values())
