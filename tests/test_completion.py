"""What editors offer and mark as wrong is what the program takes, by template and by thing."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
import yaml
from click.testing import CliRunner
from editor import Editor
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from exporter.cli.main import exporter
from exporter.importer.starter import offered
from exporter.loader import read_game
from exporter.loader.game_folders import game_folders
from exporter.loader.game_reader import read_what_can_be
from exporter.model import (
    Item,
    Take,
)
from exporter.model.forms import Findings, Schemas
from exporter.model.json_schemas import (
    kind_of,
    schema_of,
)
from exporter.model.layouts import LAYS_WITH
from exporter.model.styles import values_form
from exporter.rules.kinds import KINDS

GAMES = game_folders([Path(__file__).parent.parent / "source_data"])
ANY = offered()
LAYS: tuple[str, ...] = get_args(get_args(get_type_hints(Item, include_extras=True)["lay"])[0])

HEAD = """\
id: mine
name: Mine
players: [1, 2]
faces:
"""


@functools.cache
def validator(kind: str) -> Draft202012Validator:
    return Draft202012Validator(schema_of(kind, ANY, KINDS))


def marked(kind: str, text: str) -> set[str]:
    """The keys that an editor marks in a file."""
    found = set()
    for error in validator(kind).iter_errors(yaml.load(text, Loader=Editor)):
        found |= (
            set(re.findall(r"'([^']+)'", error.message)) if "nexpected" in error.message else {""}
        )
    return found


_WORDS = st.sampled_from(
    ["", "word", "[1]", "#2f6f8f", "#2f6", "2f6f8f", "cover", "none", "${team}"]
)
_VALUES: st.SearchStrategy[Any] = st.one_of(
    _WORDS, st.integers(-5, 200), st.booleans(), st.just([]), st.just({})
)


def _value_of(take: Take) -> st.SearchStrategy[Any]:
    """Values for a key, of which some are what the template takes."""
    if take.sort == "keys":
        return st.one_of(_values(take.keys), _VALUES)
    if take.sort == "words":
        return st.one_of(st.sampled_from(take.words), _VALUES)
    if take.each is not None:
        many = st.lists(_value_of(take.each), max_size=3)
        keyed = st.dictionaries(st.sampled_from(["木", "a"]), _value_of(take.each))
        return st.one_of(keyed if take.sort == "map" else many, _VALUES)
    if take.row:
        return st.one_of(st.tuples(*map(_value_of, take.row)).map(list), _VALUES)
    return _VALUES


@st.composite
def _values(draw: st.DrawFn, takes: Mapping[str, Take]) -> dict[str, Any]:
    names = draw(st.lists(st.sampled_from([*takes, "colur", "slot", "picture"]), max_size=4))
    return {name: draw(_value_of(takes[name]) if name in takes else _VALUES) for name in names}


_MADE = st.sampled_from(sorted(ANY.takes)).flatmap(
    lambda template: st.tuples(st.just(template), _values(ANY.takes[template]))
)


@settings(max_examples=150, deadline=None)
@given(_MADE)
@pytest.mark.slow
def test_an_editor_and_the_program_take_the_same_values(made: tuple[str, dict[str, Any]]) -> None:
    template, values = made
    takes = ANY.takes[template]
    form, findings = values_form(takes), Findings()
    form.read(values, (), findings)
    found = list(Draft202012Validator(form.schema(Schemas())).iter_errors(values))
    assert bool(findings.faults) == bool(found), (findings.faults, [one.message for one in found])


@pytest.mark.parametrize("template", sorted(ANY.takes))
def test_a_style_has_the_keys_of_its_template(template: str) -> None:
    takes = {name: take for name, take in ANY.takes[template].items() if take.sort != "given"}
    shown = validator("game").schema["$defs"]["values of " + template.replace("/", ":")]
    assert set(shown["properties"]) == set(takes)
    for name, take in takes.items():
        assert shown["properties"][name].get("description") in (take.says, None)
    of_style = (
        HEAD + f"  x: {{template: {template}, size: [10, 10], scale: 5, values: {{colur: a}}}}\n"
    )
    assert marked("game", of_style) == {"colur"}


@pytest.mark.parametrize(
    ("faces", "wrong"),
    [
        ("  x: {like: card, values: {colur: red}}\n", {"colur"}),
        ("  x: {like: card, values: {slots: {titel: name}}}\n", {"titel"}),
        ("  x: {like: card_back, values: {shape: disc}}\n", {"shape"}),
        ("  x: {like: card, values: {emblem: a}}\n", {"emblem"}),
        ("  x: {like: sheet, template: plain/portrait.typ, values: {table: {}}}\n", {"table"}),
        ("  x: {like: sheet, template: plain/portrait.typ, values: {figure: crown}}\n", set()),
        # What `card` is here nobody knows but who reads the template.
        ("  card: {template: mine.typ}\n  x: {like: card, values: {anything: 1}}\n", set()),
        ("  card: {like: card, values: {shape: disc}}\n  x: {like: card, values: {a: 1}}\n", {"a"}),
        ("  card: {like: sheet}\n  x: {like: card, values: {table: {}}}\n", set()),
    ],
)
def test_a_style_has_the_values_of_what_it_is_like(faces: str, wrong: set[str]) -> None:
    assert marked("game", HEAD + faces) == wrong


def test_a_thing_of_a_layout_has_the_keys_of_what_it_lays(tmp_path: Path) -> None:
    """Every key that only some things have, at every thing: refused by both or by neither."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "game.yaml").write_text("id: mine\nname: Mine\nplayers: [1, 2]\n", "utf-8")
    samples = {
        "zones": "{a: [0, 0, 1, 1]}", "face": "sheet", "back": "sheet", "values": "{}",
        "face_down": "true", "draws_to": "table", "store": "true", "deal": "[{each: 2}]",
        "leftover": "a", "by": "[name]", "sliders": "{}", "shows": "{}", "asks": "{}",
        "palette": "a", "card_lines": "[]", "skill_lines": "[]", "board": "a", "square": "1",
        "loose": "true", "sides": "[a]", "up": "a", "count": "2", "notes": "[]", "title": "a",
        "text": "a", "fontsize": "7", "cards": "{}", "step": "[1, 1]", "per_row": "2",
    }  # fmt: skip
    assert set(samples) == set(LAYS_WITH)
    for key, sample in samples.items():
        written = [f"  - {{lay: {lay}, {key}: {sample}}}\n" for lay in LAYS]
        text = "seat:\n  size: [18, 9]\n  items:\n" + "".join(written)
        (folder / "layouts.yaml").write_text(text, "utf-8")
        _game, reading = read_what_can_be(folder)
        told = {problem.where.line for problem in reading.problems if problem.rule == "SRC-KEY"}
        errors = validator("layouts").iter_errors(yaml.load(text, Loader=Editor))
        assert {LAYS[error.absolute_path[2]] for error in errors} == {LAYS[n - 4] for n in told}
        assert {LAYS[n - 4] for n in told} == set(LAYS) - set(LAYS_WITH[key]), key


def test_an_editor_offers_no_truths_for_names() -> None:
    """`true` and `false` were offered for every text, `like` and `preset` among them."""
    style = validator("game").schema["$defs"]["WrittenStyle"]["properties"]
    assert {"card", "sheet"} <= set(style["like"]["examples"])
    assert "plain/card.typ" in style["template"]["examples"]
    preset = validator("sheet").schema["properties"]["preset"]
    assert {"home-a4", "shop"} <= set(preset["examples"])
    for each in (style["like"], style["template"], preset):
        assert not {"type", "enum", "default"} & each.keys()


@pytest.mark.slow
@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_the_schemas_of_a_game_find_nothing_wrong_in_it(folder: Path) -> None:
    known = offered(read_game(folder))
    for path in (folder / "game.yaml", folder / "layouts.yaml"):
        schema = schema_of(kind_of(path.name), known, KINDS)
        value = yaml.load(path.read_text("utf-8"), Loader=Editor)
        found = Draft202012Validator(schema).iter_errors(value)
        assert not [error.message for error in found]


@pytest.mark.slow
def test_the_schemas_of_a_game_know_its_styles_and_names(tmp_path: Path) -> None:
    folder = tmp_path / "source_data" / "mine"
    folder.mkdir(parents=True)
    (folder / "game.yaml").write_text(
        HEAD + "  hero: {like: sheet, template: plain/portrait.typ}\n", "utf-8"
    )
    (folder / "layouts.yaml").write_text("seat:\n  size: [18, 9]\n", "utf-8")
    schemas = tmp_path / "schemas"
    words = ["schema", str(schemas), "--game", str(folder)]
    assert CliRunner().invoke(exporter, words).exit_code == 0
    layouts = Draft202012Validator(yaml.safe_load((schemas / "layouts.json").read_text("utf-8")))

    def wrong(item: str) -> bool:
        return not layouts.is_valid({"seat": {"size": [18, 9], "items": [yaml.safe_load(item)]}})

    assert wrong("{lay: piece, values: {figre: crown}}")
    assert not wrong("{lay: piece, values: {figure: '${team}'}}")
    assert wrong("{lay: piece, face: hero, values: {pose: flat}}")
    assert not wrong("{lay: piece, face: hero, values: {figure: crown}}")
    of_face = layouts.schema["$defs"]["lay: piece"]["properties"]["face"]
    assert "hero" in of_face["examples"]
    rooms = yaml.safe_load((schemas / "room.json").read_text("utf-8"))
    assert rooms["$defs"]["Seat"]["properties"]["layout"]["examples"] == ["seat"]
    game = Draft202012Validator(yaml.safe_load((schemas / "game.json").read_text("utf-8")))
    of_hero = {"like": "hero", "values": {"texture": "dots"}}
    head = {"id": "a", "name": "A", "players": [1, 2]}
    assert not game.is_valid({**head, "faces": {"x": of_hero}})
