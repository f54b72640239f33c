"""Interrupts, full memory, files in use, a corrupt cache: nothing is left behind, what is said is
true, and what is made holds the right bytes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import run
from small_game import write_sheets, write_small_game

from exporter.core.file_writer import Written, write_whole
from exporter.core.problems import InvalidSource

_TERMINATED = """\
import os, signal
from exporter.cli import main as cli
from exporter.__main__ import main
from exporter.render.typesetter import working_folder
def work():
    with working_folder({"page.typ": b""}) as folder:
        print(folder, flush=True)
        os.kill(os.getpid(), signal.SIGTERM)
        print("still here")
cli.main = work
main()
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
        " It was not changed; 2 of 3 files were written. Close it in other programs, or free some disk space, then try again."  # noqa: E501
    )
    assert [path.read_bytes() for path in sorted(tmp_path.iterdir())] == [b"new", b"old", b"new"]


def test_what_a_killed_run_left_is_removed_a_day_later(tmp_path: Path) -> None:
    for name, age in ((".exporter-old", 2), (".exporter-new", 0), ("exporter-pictures", 2)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "1.part").touch()
        os.utime(folder, (time.time() - age * 86400,) * 2)
    write_whole({tmp_path / "a.txt": b"a"})
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [".exporter-new", "a.txt", "exporter-pictures"]


def test_equal_files_are_left_alone(tmp_path: Path) -> None:
    old, new = tmp_path / "old.zip", tmp_path / "new.zip"
    old.write_bytes(b"same")
    os.utime(old, (1, 1))
    assert write_whole({old: b"same", new: b"other"}) == Written((new,), 1)
    assert old.stat().st_mtime == 1
    assert write_whole({old: b"Same", new: b"other"}) == Written((old,), 1)
    assert old.read_bytes() == b"Same"


def test_what_cannot_be_written_is_refused_and_leaves_no_folder(tmp_path: Path) -> None:
    (tmp_path / "folder.zip").mkdir()
    (tmp_path / "file").touch()
    paths = [tmp_path / name for name in ("folder.zip", "file/room.zip", "a/b/room.zip")]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.zip")
        (tmp_path / "link.zip").symlink_to("elsewhere.zip")
        paths += [tmp_path / "pipe.zip", tmp_path / "link.zip"]
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(InvalidSource) as error:
        write_whole(dict.fromkeys(paths, b"new"))
    found = [problem.message for problem in error.value.problems]
    assert all(message.startswith("Something other than a file") for message in found)
    assert len(found) == len(paths) - 2
    with pytest.raises(InvalidSource) as error:
        write_whole({paths[1]: b"new"})
    assert "Files cannot be written here: a part of this path is a file" in str(error.value)
    assert sorted(tmp_path.rglob("*")) == before


# ---- a corrupt cache

COMMANDS = ("build small --room table", "print small --sheet weapons")


def make() -> dict[str, bytes]:
    """A room and a sheet of the game that stands here, made anew."""
    shutil.rmtree("output", ignore_errors=True)
    for command in COMMANDS:
        assert run(*command.split()).exit_code == 0
    return {str(path): path.read_bytes() for path in Path("output").rglob("*.*")}


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    """A folder with a cache of all that the game needs, and what is made with it."""
    folder = tmp_path_factory.mktemp("warm")
    write_small_game(folder)
    write_sheets(folder, weapons="lay: cards\ncards: {kind: weapon}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        return folder, make()


def exchange(entries: list[Path]) -> None:
    """Each entry has the bytes of the next of its sort."""
    found = {path: path.read_bytes() for path in entries}
    for path, other in zip(entries, [*entries[1:], entries[0]], strict=True):
        path.write_bytes(found[other])


def each(change: Callable[[Path], object], *, anew: bool = False) -> Callable[[list[Path]], None]:
    """A change of every entry; ``anew`` takes it away before."""

    def change_all(entries: list[Path]) -> None:
        for entry in entries:
            if anew:
                entry.unlink()
            change(entry)

    return change_all


STATES: dict[str, Callable[[list[Path]], None]] = {
    "one other byte": each(lambda entry: entry.write_bytes(entry.read_bytes()[:-1] + b"?")),
    "cut": each(lambda entry: os.truncate(entry, entry.stat().st_size // 2)),
    "empty": each(lambda entry: os.truncate(entry, 0)),
    "each the next one's": exchange,
    "folders": each(Path.mkdir, anew=True),
    "links to a device": each(lambda entry: entry.symlink_to("/dev/zero"), anew=True),
    "never put in place": each(lambda entry: entry.rename(entry.with_name(f".{entry.name}"))),
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows lets few people make links, and has no pipes")
def test_a_corrupt_cache_changes_nothing_but_the_time(
    state: str, warm: tuple[Path, dict[str, bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, right = warm
    monkeypatch.chdir(shutil.copytree(folder, tmp_path / "here"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "here/cache"))
    entries = sorted(path for path in Path("cache/exporter").rglob("*") if path.is_file())
    assert len(entries) > 11
    STATES[state]([entry.absolute() for entry in entries])
    assert make() == right
