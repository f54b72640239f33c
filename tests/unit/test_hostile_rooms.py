"""A zip that cannot be read whole is refused with the place of what cannot, and nothing is made
of the rest; what is odd but readable is brought over or kept."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZIP_LZMA, ZipFile

import pytest
from click.testing import CliRunner
from small_game import change

from exporter.app.compare_data import Difference, diff, difference_lines, write_changes
from exporter.app.room_zips import slim, update
from exporter.cli.main import exporter
from exporter.core.problems import InvalidSource
from exporter.importer.room_import import import_room
from exporter.loader.game_reader import read_game
from exporter.udonarium.read import open_to_edit

ROOM = '<room><game-table name="t" width="20" height="20" selected="true">{}</game-table></room>'
CARD = (
    '<card location.name="table" location.x="50" location.y="50">'
    '<data name="card"><data name="image"><data name="front" type="image"/></data>'
    '<data name="common"><data name="name">{name}</data><data name="size">{size}</data></data>'
    '<data name="detail"><data name="{name}"><data name="{name}">x</data></data></data>'
    "</data></card>"
)


def zipped(folder: Path, *files: tuple[str, str]) -> Path:
    path = folder / "room.zip"
    with ZipFile(path, "w") as made, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, text in files:
            made.writestr(name, text)
    return path


def damaged(folder: Path) -> Path:
    """A zip in which a byte of a file is another."""
    path = zipped(folder, ("data.xml", ROOM), ("chat.xml", "<chat-tab-list/>"))
    path.write_bytes(path.read_bytes().replace(b"<chat-", b"<chit-"))
    return path


def packed_oddly(folder: Path) -> Path:
    path = folder / "room.zip"
    with ZipFile(path, "w", ZIP_LZMA) as made:
        made.writestr("data.xml", ROOM)
    return path


@pytest.mark.parametrize(
    ("make", "place"),
    [
        (lambda folder: zipped(folder, ("data.xml", "<room>")), "data.xml:1:7"),
        (lambda folder: zipped(folder, ("data.xml", ROOM), ("chat.xml", "<a")), "chat.xml:1:3"),
        (lambda folder: zipped(folder, ("data.xml", "")), "data.xml:1:1"),
        (damaged, "chat.xml"),
        (packed_oddly, "data.xml"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_and_nothing_is_made(
    tmp_path: Path, make: Callable[[Path], Path], place: str
) -> None:
    path = make(tmp_path)
    works: list[Callable[[], Any]] = [
        lambda: import_room(path, "brought", tmp_path),
        lambda: update(path),
        lambda: slim(path),
        lambda: diff(str(path), str(path)),
    ]
    for work in works:
        with pytest.raises(InvalidSource) as error:
            work()
        assert [str(one.where) for one in error.value.problems] == [f"{path}/{place}"]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "size"),
    [("a\u200b\u202eb", "2"), ("a [b/c]", "2"), ("a", "1e308"), ("a", "-1"), ("a", "NaN")],
)
def test_odd_names_and_sizes_become_a_game(tmp_path: Path, name: str, size: str) -> None:
    room = ROOM.format("").replace("</room>", f"{CARD.format(name=name, size=size)}</room>")
    made = import_room(zipped(tmp_path, ("data.xml", room)), "brought", tmp_path)
    assert (made.folder / "game.yaml").is_file()


def test_of_two_files_of_one_name_the_last_is_kept(tmp_path: Path) -> None:
    path = zipped(tmp_path, ("data.xml", "<room/>"), ("data.xml", ROOM.format("")))
    (entry,) = open_to_edit(open_to_edit(path).packed()).entries
    assert entry.data is not None
    assert b"game-table" in entry.data


def test_what_nobody_knows_or_sees_is_listed_on_its_line() -> None:
    found = [Difference("gone", "range", "r"), Difference("changed", "card", "c", "common/odd")]
    found.append(Difference("gone", "card", "a\n\x9b2Jb"))
    lines = ["- range r", "~ card c: odd", r"- card a\n\x9b2Jb"]
    assert difference_lines(found, "en") == lines


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
@pytest.mark.parametrize(
    ("line", "code", "problem"),
    [
        ("slim {link}", 1, "UD-FILE"),
        ("update {link}", 1, "UD-FILE"),
        ("slim {room} --out {link}", 1, "WRITE"),
        ("slim {room} --out {room}", 2, "--out"),
        ("new game --from {link} --in {folder}", 1, "FROM"),
        ("print ice_cream_turret --proof", 2, "--shop"),
    ],
)
def test_a_place_that_cannot_be_read_or_written_is_a_problem(
    tmp_path: Path, line: str, code: int, problem: str
) -> None:
    link = tmp_path / "link"
    link.symlink_to(link)
    room = zipped(tmp_path, ("data.xml", ROOM.format("")))
    words = line.format(link=link, room=room, folder=tmp_path).split()
    result = CliRunner().invoke(exporter, words)
    assert (result.exit_code, problem in result.output) == (code, True), result.output
    assert sorted(tmp_path.iterdir()) == [link, room]


def test_a_list_of_changes_shows_values_that_look_like_blanks(small: Path) -> None:
    change(small / "game.yaml", "parts:", "version: {number: 3, day: 2026-02-28}\nparts:")
    write_changes(small, [Difference("changed", "card", "c", "text", "${hp}", "{{x}} #f()")])
    (line,) = read_game(small).notes["changes"].lines
    assert str(line).endswith("text ＄{hp} → {{x}} #f()")
