"""Interrupts, full memory, files in use, a corrupt cache: nothing is left behind, what is said is
true, and what is made holds the right bytes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from small_game import write_small_game

from exporter.cli.main import exporter
from exporter.core.cache import DiskCache
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


def test_an_interrupted_new_game_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole({tmp_path / "mine/game.yaml": b""})
    assert not list(tmp_path.iterdir())


# ---- a corrupt cache

COMMANDS = (["build", "small", "--room", "table"], ["print", "small", "--sheet", "weapons"])
JOB = "id: weapons\nname: 武器\nlay: cards\ncards: {kind: weapon}\n"


def make() -> dict[str, bytes]:
    """A room and a sheet of the game that stands here, made anew."""
    shutil.rmtree("output", ignore_errors=True)
    for command in COMMANDS:
        result = CliRunner().invoke(exporter, command)
        assert (result.exit_code, result.stderr) == (0, "")
    return {str(path): path.read_bytes() for path in Path("output").rglob("*.*")}


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    """A cache with all that the game needs, and what is made with it."""
    folder = tmp_path_factory.mktemp("warm")
    write_small_game(folder)
    (folder / "source_data/small/sheets").mkdir()
    (folder / "source_data/small/sheets/weapons.yaml").write_text(JOB, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        _stand(patch, folder)
        return folder, make()


def _stand(patch: pytest.MonkeyPatch, folder: Path) -> None:
    patch.chdir(folder)
    patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))


Entries = Sequence[Path]


def of_others(entries: Entries) -> None:
    found = [entry.read_bytes() for entry in entries]
    for entry, data in zip(entries, found[1:] + found[:1], strict=True):
        entry.write_bytes(data)


def sealed_for_others(entries: Entries) -> None:
    for entry in entries:
        DiskCache(entry.parents[1]).put("another", b"another")
        shutil.copy(entry.parents[1] / "an/another", entry)


def each(change: Callable[[Path], object]) -> Callable[[Entries], None]:
    def change_all(entries: Entries) -> None:
        for entry in entries:
            change(entry)

    return change_all


def instead(make: Callable[[Path], object]) -> Callable[[Entries], None]:
    """Something else in each entry's place."""

    def replace(entry: Path) -> None:
        entry.unlink()
        make(entry)

    return each(replace)


def the_folder(make: Callable[[Path], object]) -> Callable[[Entries], None]:
    """Something else in the whole folder's place."""

    def replace(entries: Entries) -> None:
        folder = entries[0].parents[1]
        shutil.rmtree(folder)
        make(folder)

    return replace


def in_files(entries: Entries) -> None:
    for folder in {entry.parent for entry in entries}:
        shutil.rmtree(folder)
        folder.write_bytes(b"a file")


def left_over(entries: Entries) -> None:
    folder = entries[0].parents[1]
    for number, entry in enumerate(entries):
        entry.rename(folder / f".exporter-left{number:04}")


STATES: dict[str, Callable[[Entries], None]] = {
    "other bytes": each(lambda entry: entry.write_bytes(b"damaged")),
    "one other byte": each(lambda entry: entry.write_bytes(entry.read_bytes()[:-1] + b"?")),
    "cut": each(lambda entry: os.truncate(entry, entry.stat().st_size // 2)),
    "a seal and nothing": each(lambda entry: os.truncate(entry, 65)),
    "empty": each(lambda entry: os.truncate(entry, 0)),
    "longer": each(lambda entry: entry.write_bytes(entry.read_bytes() + b"\0")),
    "each the next one's": of_others,
    "each of another key": sealed_for_others,
    "folders": instead(Path.mkdir),
    "pipes": instead(lambda entry: os.mkfifo(entry)),
    "links to a device": instead(lambda entry: entry.symlink_to("/dev/zero")),
    "files for folders": in_files,
    "never put in place": left_over,
    "the whole a file": the_folder(Path.touch),
    "the whole a link to itself": the_folder(lambda folder: folder.symlink_to(folder)),
}


LINKS = pytest.mark.skipif(os.name == "nt", reason="Windows lets few people make links")


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(name, marks=[LINKS] if "link" in name or name == "pipes" else [])
        for name in STATES
    ],
)
@pytest.mark.slow
def test_a_corrupt_cache_changes_nothing_but_the_time(
    state: str, warm: tuple[Path, dict[str, bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, right = warm
    here = shutil.copytree(folder, tmp_path / "here")
    _stand(monkeypatch, here)
    entries = sorted(path for path in Path("cache/exporter").rglob("*") if path.is_file())
    assert len(entries) > 11
    STATES[state]([entry.absolute() for entry in entries])
    assert make() == right
