"""A game that was read without a word is known again, until anything of it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import shipped
from msgspec import Struct
from small_game import GAME, write_small_game

from exporter.cache import Cache, cache_folder
from exporter.checking import opened
from exporter.checking.opened import Opened, open_kept
from exporter.model import Game
from exporter.problems import Severity
from exporter.schema.shape import Record
from exporter.source import documents as source_documents
from exporter.source import read_game
from exporter.source.game import read_what_can_be
from exporter.source.kept import Kept, kept
from exporter.source.packed import Unpackable, packed, unpacked


def records(value: Any) -> Iterator[Record]:
    if isinstance(value, Record):
        yield value
    if isinstance(value, Struct):
        value = [getattr(value, name) for name in value.__struct_fields__ if name != "spot"]
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, Struct | dict | list | tuple):
            yield from records(inner)


def test_all_of_a_game_comes_back_with_its_places() -> None:
    found = shipped.opened("wrath_of_god")
    game, book = found.game, found.book
    data = packed((game, book))
    again, rules = unpacked(data)
    assert packed((again, rules)) == data
    pairs = [*zip(records(game), records(again), strict=True)]
    pairs += zip(records(book), records(rules), strict=True)
    assert len(pairs) > 100
    for one, other in pairs:
        assert (type(one), one.where) == (type(other), other.where)
    room, same = next(iter(game.rooms.values())), next(iter(again.rooms.values()))
    for key in ("id", "arrange", "seats"):
        assert room.place(key, key=True) == same.place(key, key=True)
    card, alike = next(iter(game.cards.values())), next(iter(again.cards.values()))
    assert (card.fields, {**card.cells}) == (alike.fields, {**alike.cells})


@pytest.mark.parametrize("value", [{1, 2}, object(), Path("x"), [print], {"a": b"bytes"}])
def test_only_what_a_game_holds_can_be_packed(value: Any) -> None:
    with pytest.raises(Unpackable):
        packed(value)


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x90", b"\x94\x90\x90\x91\xa7os:path\x91\x0c"])
def test_other_bytes_make_nothing(data: bytes) -> None:
    with pytest.raises(Unpackable):
        unpacked(data)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a small game, in a place with a cache of its own."""
    write_small_game(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / GAME


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders that were read, and not known."""
    folders: list[Path] = []
    read_it = opened.open_game

    def counted(folder: Path, **more: Any) -> Opened:
        folders.append(folder)
        return read_it(folder, **more)

    monkeypatch.setattr(opened, "open_game", counted)
    return folders


def text_of(game: Game) -> str:
    return game.cards["W1"].text("text")


def test_a_game_is_read_once_and_again_where_it_changed(small: Path, read: list[Path]) -> None:
    first, second = open_kept(small), open_kept(small)
    assert (len(read), text_of(second.game), second.problems) == (1, "もやす", ())
    assert first.known == second.known != ""
    table = small / "cards/weapons.csv"
    table.write_text(
        table.read_text(encoding="utf-8").replace("もやす", "こがす"), encoding="utf-8"
    )
    assert text_of(open_kept(small).game) == "こがす"
    changes: list[Callable[[], object]] = [
        (small / "pictures").mkdir,
        (small / "pictures/W1.png").touch,
        (small / "pictures/W1.png").unlink,
        lambda: (small / "sources.yaml").write_text("a: {title: 本}\n", encoding="utf-8"),
    ]
    for number, change in enumerate(changes, 3):
        change()
        assert open_kept(small).problems == open_kept(small).problems == ()
        assert len(read) == number


def test_what_a_template_takes_is_asked_each_time(small: Path, read: list[Path]) -> None:
    before = open_kept(small)
    template = Path("templates/faces/small/text.typ")
    takes = "// takes:\n//   text: {type: text}\n"
    template.write_text(takes + template.read_text(encoding="utf-8"), encoding="utf-8")
    after = open_kept(small)
    declared = after.game.faces["card"].declaration
    assert declared is not None
    assert list(declared.takes) == ["text"]
    assert (len(read), before.known == after.known) == (2, False)


def test_faults_are_found_each_time(small: Path, read: list[Path]) -> None:
    with (small / "cards/weapons.csv").open("a", encoding="utf-8") as file:
        file.write("W4,,,1,base\n")
    problems = open_kept(small).problems
    assert [(each.rule, each.where.line, each.where.column) for each in problems] == [
        ("SRC-VALUE", 5, 4)
    ]
    assert open_kept(small).problems == problems
    assert len(read) == 2


def test_a_folder_with_a_link_is_read_each_time(small: Path, read: list[Path]) -> None:
    elsewhere = small / "cards/elsewhere.csv"
    (small / "cards/weapons.csv").rename(elsewhere)
    (small / "cards/weapons.csv").symlink_to(elsewhere)
    assert text_of(open_kept(small).game) == text_of(open_kept(small).game) == "もやす"
    assert len(read) == 2


def test_an_entry_that_holds_no_game_is_none(small: Path, read: list[Path]) -> None:
    open_kept(small)
    cache = Cache(cache_folder())
    for name, tables in (("rules False", True), ("documents", False)):
        place: Kept = kept(small, name, cache, tables=tables)
        assert place.get() is not None
        for junk in (b"", b"junk", packed((None, None)), packed(3)):
            cache.put(place.name, place.seen.encode() + junk)
            assert text_of(open_kept(small).game) == "もやす"
    assert len(read) == 1 + 4


@pytest.fixture
def documents(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The YAML files that were read, and not known."""
    files: list[str] = []
    read_it = source_documents.read_document

    def counted(text: str, file: str) -> Any:
        files.append(file)
        return read_it(text, file)

    monkeypatch.setattr(source_documents, "read_document", counted)
    return files


def test_who_changes_a_row_reads_no_yaml(small: Path, documents: list[str]) -> None:
    game, table = read_game(small), small / "cards/weapons.csv"
    rows = table.read_text(encoding="utf-8")
    documents.clear()
    table.write_text(rows.replace("もやす", "こがす"), encoding="utf-8")
    again = read_game(small)
    assert (documents, text_of(again)) == ([], "こがす")
    pairs = list(zip(records(game), records(again), strict=True))
    assert len(pairs) > 10
    assert all((type(one), one.where) == (type(other), other.where) for one, other in pairs)
    with (small / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("version: {number: 1, day: 2019-03-02}\n")
    assert read_game(small).version is not None
    assert any(file.endswith("game.yaml") for file in documents)


def test_faults_of_rows_are_those_of_a_game_nobody_knew(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_game(small)
    with (small / "cards/weapons.csv").open("a", encoding="utf-8") as file:
        file.write("W1,ほのお,,x,nothing\n")
    problems = read_what_can_be(small)[1].problems
    monkeypatch.setenv("XDG_CACHE_HOME", str(small / "other"))
    assert list(problems) == list(read_what_can_be(small)[1].problems) != []


def test_a_warning_of_yaml_stops_nothing_and_is_told_each_time(small: Path) -> None:
    head = small / "game.yaml"
    head.write_text(head.read_text(encoding="utf-8") + "credits:\n- Game #27\n", encoding="utf-8")
    for _ in range(2):
        game = read_game(small)
        assert [(each.rule, each.severity) for each in game.notices] == [
            ("SRC-YAML", Severity.WARNING)
        ]
