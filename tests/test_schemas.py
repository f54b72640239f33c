"""JSON Schemas: what editors are told about a file is what the program reads."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from editor import Editor
from jsonschema import Draft202012Validator

from exporter.cli.main import exporter
from exporter.loader.game_folders import game_folders
from exporter.model.json_schemas import FILES, kind_of, schema_files, schema_of, with_comment
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
    ran = CliRunner().invoke(exporter, ["schema", str(tmp_path / "schemas")])
    assert ran.exit_code == 0
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
        assert text == with_comment(name, text), "run: python docs/pages.py"
        schema = text.partition("\n")[0].partition("=")[2]
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


def test_papers_and_presets_name_their_schema() -> None:
    path = ROOT / "templates" / "sheets" / "papers.yaml"
    text = path.read_text(encoding="utf-8")
    schema = text.partition("\n")[0].partition("$schema=")[2]
    assert (path.parent / schema).resolve() == GAMES / "schemas" / "papers.json"
    assert not faults("papers", text)


def test_a_comment_is_put_on_top_once() -> None:
    once = with_comment("boards/a.yaml", "id: a\n")
    assert once == "# yaml-language-server: $schema=../../schemas/board.json\nid: a\n"
    assert with_comment("boards/a.yaml", once) == once
