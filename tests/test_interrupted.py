"""Interrupts, full memory and files in use: nothing is left behind, and what is said is true."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from exporter import starter
from exporter.paint import typesetting
from exporter.places import write_whole
from exporter.problems import InvalidSource

_TERMINATED = """\
import os, signal
from exporter import console
from exporter.paint.typesetting import _folder
console.prepare()
with _folder({"page.typ": b""}) as folder:
    print(folder, flush=True)
    os.kill(os.getpid(), signal.SIGTERM)
    print("still here")
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows ends a process without asking it")
def test_a_program_that_is_told_to_end_removes_its_temporary_folder() -> None:
    program = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    program.pop("TMPDIR", None)
    ended = subprocess.run(
        [sys.executable, "-c", _TERMINATED],
        capture_output=True,
        text=True,
        env=program,
        check=False,
    )
    (folder,) = ended.stdout.splitlines()
    assert "exporter-" in folder
    assert not Path(folder).exists()
    assert (ended.returncode, ended.stderr) == (143, "")


def test_where_memory_is_full_the_disk_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, memory = Path.write_bytes, tmp_path / "memory"
    memory.mkdir()

    def full(path: Path, data: bytes) -> int:
        if path.is_relative_to(memory.resolve()):
            raise OSError(28, os.strerror(28))
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    monkeypatch.setattr(typesetting, "_SHARED_MEMORY", str(memory))
    monkeypatch.delenv("TMPDIR", raising=False)
    with typesetting._folder({"style/page.typ": b"text"}) as folder:
        assert (folder / "style/page.typ").read_bytes() == b"text"
        assert not list(memory.iterdir())
    assert not folder.exists()


def test_a_file_in_use_is_named_and_what_was_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [tmp_path / name for name in ("a.pdf", "b.pdf", "c.pdf")]
    for path in paths:
        path.write_bytes(b"old")
    replace = Path.replace

    def refused(part: Path, path: Path) -> Path:
        if path.name == "b.pdf":
            raise PermissionError(13, "Permission denied")
        return replace(part, path)

    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(InvalidSource) as error:
        write_whole(dict.fromkeys(paths, b"new"))
    assert str(error.value) == (
        f"{paths[1]}: error WRITE The file cannot be replaced: Permission denied."
        " It is as it was; 2 of 3 files were written. Close it in other programs, then try again."
    )
    assert [path.read_bytes() for path in sorted(tmp_path.iterdir())] == [b"new", b"old", b"new"]


def test_an_interrupted_new_game_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        starter.write_folder(tmp_path / "mine", {"game.yaml": b""})
    assert not list(tmp_path.iterdir())
