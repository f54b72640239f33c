"""Whatever became of the cache, what is made holds the right bytes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from small_game import write_small_game

from exporter.cli.main import exporter
from exporter.core.cache import Cache

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
    # Its template is painted in this process, which is quicker.
    patch.setattr("exporter.render.compiler.is_shipped", lambda _path: True)


Entries = Sequence[Path]


def of_others(entries: Entries) -> None:
    found = [entry.read_bytes() for entry in entries]
    for entry, data in zip(entries, found[1:] + found[:1], strict=True):
        entry.write_bytes(data)


def sealed_for_others(entries: Entries) -> None:
    for entry in entries:
        Cache(entry.parents[1]).put("another", b"another")
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
    "links to a device": instead(lambda entry: entry.symlink_to("/dev/zero")),
    "files for folders": in_files,
    "never put in place": left_over,
    "the whole a file": the_folder(Path.touch),
    "the whole a link to itself": the_folder(lambda folder: folder.symlink_to(folder)),
}


LINKS = pytest.mark.skipif(os.name == "nt", reason="Windows lets few people make links")


@pytest.mark.parametrize(
    "state", [pytest.param(name, marks=[LINKS] if "link" in name else []) for name in STATES]
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
