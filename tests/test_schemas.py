"""JSON Schemas: what editors are told about a file is what the program reads; records are read
from plain values, and their faults are said in plain words.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import pytest
import yaml
from commands import output_of
from editor import Editor
from jsonschema import Draft202012Validator
from msgspec import Struct, field
from records import kind_of, records

from exporter.core.problems import UNREADABLE, SourceLocation
from exporter.loader.game_folders import game_folders
from exporter.model import Edition, Seat
from exporter.model.documents import Document, Reference, read_document
from exporter.model.forms import fields_of, shaped
from exporter.model.json_schemas import (
    FILES,
    comment,
    schema_files,
    schema_of,
)
from exporter.model.shape import Doc, Inner, OwnKey, Record, Ref, Whole, Word
from exporter.rules.kinds import KINDS

ROOT = Path(__file__).parent.parent
GAMES = ROOT / "source_data"
SHIPPED = {
    folder.name: {
        name: path
        for path in sorted(folder.rglob("*.yaml"))
        if kind_of(name := path.relative_to(folder).as_posix())
    }
    for folder in game_folders([GAMES])
}


def faults(kind: str, text: str) -> list[str]:
    """What an editor marks in a file."""
    value = yaml.load(text, Loader=Editor)
    return [error.message for error in validator(kind).iter_errors(value)]


@functools.cache
def validator(kind: str) -> Draft202012Validator:
    return Draft202012Validator(schema(kind))


@functools.cache
def schema(kind: str) -> dict[str, Any]:
    return schema_of(kind, KINDS)


@pytest.mark.slow
def test_every_schema_is_sound() -> None:
    for written in schema_files(KINDS).values():
        Draft202012Validator.check_schema(json.loads(written))


def test_the_command_writes_a_schema_for_every_kind_of_file(tmp_path: Path) -> None:
    output_of("schema", tmp_path / "schemas")
    written = {path.name: path.read_text("utf-8") for path in (tmp_path / "schemas").iterdir()}
    assert written == schema_files(KINDS)


def test_every_key_of_every_file_is_described() -> None:
    without = [
        f"{kind}: {name}.{key}"
        for kind in FILES
        for name, made in [*schema(kind).get("$defs", {}).items(), (kind, schema(kind))]
        if not name.startswith(("parameters of", "_"))
        for key, value in made.get("properties", {}).items()
        if not value.get("description")
    ]
    assert not without


@pytest.mark.parametrize("game", SHIPPED)
@pytest.mark.slow
def test_editors_find_nothing_wrong_in_shipped_files(game: str) -> None:
    marked = {
        name: found
        for name, path in SHIPPED[game].items()
        if (found := faults(kind_of(name), path.read_text(encoding="utf-8")))
    }
    assert not marked


@pytest.mark.parametrize("game", SHIPPED)
def test_every_shipped_file_names_its_schema(game: str) -> None:
    for name, path in SHIPPED[game].items():
        text = path.read_text(encoding="utf-8")
        first = text.partition("\n")[0]
        up = "../" * (name.count("/") + 1)
        assert first == comment(f"{up}schemas", kind_of(name)), "run: python docs/pages.py"
        schema = first.partition("=")[2]
        assert (path.parent / schema).resolve() == GAMES / "schemas" / f"{kind_of(name)}.json"


def test_shipped_schemas_are_as_the_program_is_now() -> None:
    shipped = {path.name: path.read_text("utf-8") for path in (GAMES / "schemas").iterdir()}
    assert shipped == schema_files(KINDS), "run: python docs/pages.py"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("board", "id: a\nname: A\nkind: hexagon\n"),
        ("board", "id: a\nname: A\nkindd: hex\n"),
        ("game", "id: a\nname: A\n"),
        ("game", "id: a\nname: A\nplayers: [two, 4]\n"),
        ("room", "id: a\nname: A\nplayers: [2, 2]\ngrid: round\n"),
        ("rules", "rules:\n- {id: A, title: a, status: maybe}\n"),
        ("rules", "rules:\n- {id: A, title: a, status: checked, kind: budgets}\n"),
        ("rules", "rules:\n- {id: A, title: a, status: checked, kind: pilots, parameters: {}}\n"),
        ("sheet", "id: a\nname: A\nlay: carpets\n"),
    ],
)
def test_what_the_program_refuses_an_editor_marks(kind: str, text: str) -> None:
    assert faults(kind, text)


def test_papers_and_presets_are_as_their_schema_says() -> None:
    assert not faults("papers", (ROOT / "templates/sheets/papers.yaml").read_text("utf-8"))


RECORDS = {**records(), **{f"parameters of {kind}": found for kind, found in KINDS.items()}}


def read(shape: type[Struct], text: str) -> tuple[Any, list[str]]:
    value, where, _ = read_document(text, "f.yaml")
    result, problems, _ = shaped(shape, Document(where, value))
    return result, [str(problem) for problem in problems]


@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize("text", ["", "a", "[]", "{}", "{x: 1}", "[a, {b: c}]"])
def test_nothing_breaks_a_record(name: str, text: str) -> None:
    result, problems = read(RECORDS[name], text)
    assert result is not None
    assert problems or text in ("", "{}")


def test_a_faulty_value_is_replaced_and_the_rest_is_kept() -> None:
    result, problems = read(Seat, "name: 赤\nlayout: [x]\nnumber: one\nteam: red")
    assert len(problems) == 2
    assert result is not None
    assert (result.name, result.team) == ("赤", "red")
    assert not result.is_sound("layout")
    assert result.is_sound("team")


def test_a_misspelt_key_is_not_missed_as_well() -> None:
    assert read(Edition, "nmae: 基本")[1] == [
        "f.yaml:1:1: error SRC-KEY The key 'nmae' cannot be used here. Did you mean 'name'?"
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name: a\nlayout: b\nrotate: north", "rotate: found 'north'; allowed: a number"),
        ("name: a\nlayout: b\nrotate: 1e999", "rotate: found '1e999'; allowed:"),
        ("name: a\nlayout: b\nrotate: 400", "rotate: found '400'; allowed: at most 360"),
        ("name: a\nlayout: b\nnumber: 1.5", "number: found '1.5'; allowed: a whole number"),
        ("name: a\nlayout: b\nnumber: [1]", "number: found a list of 1; allowed: a whole number"),
        ("name: a\nlayout: b\nstart: south", "start: found 'south'; allowed: a list"),
        ("name: a\nlayout: {b: c}", "layout: found keys with values (b); allowed: a text"),
        ("name: ''\nlayout: b", "name: found ''; allowed: a text that is not empty"),
    ],
)
def test_a_wrong_value_says_what_was_found_and_what_is_allowed(text: str, said: str) -> None:
    found = read(Seat, text)[1]
    assert len(found) == 1
    assert said in found[0]


class Helper(Struct, frozen=True):
    """A part of the record below."""

    name: Annotated[Word, Ref("pilot"), Doc("of the helper")]


class Specimen(Record, frozen=True, kw_only=True):
    """A record as somebody might add it."""

    id: OwnKey
    cards: Annotated[tuple[Annotated[Word, Ref("card")], ...], Doc("cards", ["sword"])] = ()
    printed: Annotated[Mapping[Annotated[str, Ref("figure")], Whole], Doc("figures")] = {}
    helper: Annotated[Helper | None, Doc("who helps")] = None
    found: Annotated[str, Doc("where it is")] = field(default="", name="where")
    seen: Annotated[int, Inner()] = 0

    def refers(self) -> Iterator[Reference]:
        yield Reference("field", self.found, self.place("where"))


SPECIMEN = "{cards: [axe, sword], printed: {speed: 3}, helper: {name: Bob}, where: box}"


def test_a_key_is_declared_once_and_read_with_its_place_and_what_it_names() -> None:
    value, where, _ = read_document(SPECIMEN, "f.yaml")
    record, problems, references = shaped(Specimen, Document(where, value))
    assert not problems
    assert record is not None
    assert (record.cards, record.printed, record.found) == (("axe", "sword"), {"speed": 3}, "box")
    assert record.place("cards", 1) == SourceLocation("f.yaml", 1, 15)
    assert {(one.sort, one.name, one.where.column) for one in references} == {
        ("card", "axe", 10),
        ("card", "sword", 15),
        ("figure", "speed", 33),  # of a key, where the key stands
        ("pilot", "Bob", 59),
        ("field", "box", 72),
    }


def test_what_the_program_fills_in_is_no_key() -> None:
    assert read(Specimen, "{seen: 1}")[1][0].startswith(
        "f.yaml:1:2: error SRC-KEY The key 'seen' cannot be used here."
    )
    assert [*fields_of(Specimen).keys] == ["cards", "printed", "helper", "where"]


def test_a_stand_in_stands_where_the_value_should_and_refers_to_nothing() -> None:
    value, where, _ = read_document("{cards: [[]], helper: 3}", "f.yaml")
    result, problems, references = shaped(Specimen, Document(where, value))
    assert len(problems) == 2
    assert [one for one in references if one.name not in ("", UNREADABLE)] == []
    assert not result.is_sound("cards", 0)
    assert result.is_sound("printed")
