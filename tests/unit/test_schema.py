"""Shapes give plain values, and their faults are said in plain words."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Struct

from exporter.model import Edition, Layout, Seat
from exporter.problems import Where
from exporter.rules.kinds import KINDS
from exporter.schema.files import records
from exporter.source.documents import read_document
from exporter.source.shapes import Shaped, shaped

RECORDS = {**records(), **{f"parameters of {kind}": found for kind, found in KINDS.items()}}


def read(shape: type[Struct], text: str) -> tuple[Shaped[Any] | None, list[str]]:
    value, where, _ = read_document(text, "f.yaml")
    result, problems = shaped(shape, value, where)
    return result, [str(problem) for problem in problems]


@pytest.mark.parametrize("name", records())
def test_each_record_says_what_it_is(name: str) -> None:
    assert vars(RECORDS[name])["__doc__"]


@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize("text", ["", "a", "[]", "{}", "{x: 1}", "[a, {b: c}]"])
def test_nothing_breaks_a_record(name: str, text: str) -> None:
    result, problems = read(RECORDS[name], text)
    assert result is not None
    assert problems or text in ("", "{}")


def test_a_name_may_be_one_text() -> None:
    result, problems = read(Edition, "name: 基本")
    assert not problems
    assert result is not None
    assert result.shape.name.ja == "基本"


def test_a_key_without_a_value_is_as_good_as_none() -> None:
    result, problems = read(Layout, "size: [1, 2]\nitems:")
    assert not problems
    assert result is not None
    assert result.shape.items == ()


def test_a_faulty_value_is_replaced_and_the_rest_is_kept() -> None:
    result, problems = read(Seat, "name: 赤\nlayout: [x]\nnumber: one\nteam: red")
    assert len(problems) == 2
    assert result is not None
    assert (result.shape.name, result.shape.team) == ("赤", "red")
    assert not result.is_sound("layout")
    assert result.is_sound("team")


def test_a_misspelt_key_is_not_missed_as_well() -> None:
    assert read(Edition, "nmae: 基本")[1] == [
        "f.yaml:1:1: error SRC-KEY The key 'nmae' is unknown here. Did you mean 'name'?"
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


def test_the_place_of_a_value_is_found_by_its_path() -> None:
    result, _ = read(Layout, "size: [1, 2]\nitems:\n  - {lay: mat, at: [0, 1]}\n")
    assert result is not None
    assert result.at("items", 0, "at", 1) == Where("f.yaml", 3, 24)
