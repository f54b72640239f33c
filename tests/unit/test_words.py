"""One catalogue: every sentence in both languages, none in the code, blanks that are filled."""

from __future__ import annotations

import ast
import json
import re
import string
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from japanese import english_in

import exporter
from exporter.cli.main import exporter as commands
from exporter.core.messages import LANGUAGES, Joined, sentence
from exporter.core.problems import SourceLocation, problem_at, problem_values
from exporter.core.shipped_files import template_folders
from exporter.loader.print_job_files import read_stationery
from exporter.rules.kinds import KINDS

PROGRAM = Path(exporter.__file__).parent
FILES = [path for path in sorted(PROGRAM.rglob("*.py")) if "_data" not in path.parts]
CATALOGUE: dict[str, dict[str, dict[str, Any]]] = {
    language: json.loads(
        (PROGRAM / "core" / "messages" / f"{language}.json").read_text(encoding="utf-8")
    )
    for language in LANGUAGES
}
ENGLISH = CATALOGUE["en"]
OF_KINDS = {name: kind.sentences["en"] for name, kind in KINDS.items() if kind.sentences}
MAKERS = (
    "problem_at",
    "notice_at",
    "warning_at",
    "error_at",
    "fault",
    "sentence",
    "Sentence",
    "zip_problem",
    "finding",
    "say",
)


def texts(entry: str | Sequence[str]) -> Sequence[str]:
    return [entry] if isinstance(entry, str) else entry


def blanks(entry: str | Sequence[str]) -> set[str]:
    parsed = (part for text in texts(entry) for part in string.Formatter().parse(text))
    return {name for _, name, _, _ in parsed if name is not None}


def entries(language: str) -> Iterator[tuple[str, str, Any]]:
    for of, table in CATALOGUE[language].items():
        for key, entry in table.items():
            yield of, key, entry


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def named() -> tuple[tuple[str, str, str, ast.Call], ...]:
    """Place, id and key of each sentence that the code names by both, and the call that does."""
    return tuple(
        (f"{path.relative_to(PROGRAM)}:{node.lineno}", of, key, node)
        for path in FILES
        if path.name != "__main__.py"
        for of, key, node in _named(path)
    )


def called(node: ast.Call) -> str:
    """The last word of what is called."""
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _named(path: Path) -> Iterator[tuple[str, str, ast.Call]]:
    module = ".".join(path.relative_to(PROGRAM.parent).with_suffix("").parts)
    constants = vars(import_module(module.removesuffix(".__init__")))
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and called(node) in MAKERS:
            for of, key in zip(node.args, node.args[1:], strict=False):
                if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
                    continue
                try:
                    value = eval(ast.unparse(of), dict(constants))
                except Exception:
                    continue
                if isinstance(value, str) and value in {*ENGLISH, *OF_KINDS}:
                    yield value, key.value, node
            if len(node.args) >= 3 and isinstance(first := node.args[0], ast.Constant):
                key = node.args[2]
                if first.value in ENGLISH and isinstance(key, ast.Constant):
                    yield str(first.value), str(key.value), node


def test_every_language_has_every_sentence_and_says_what_to_do_where_english_does() -> None:
    """A third language may lack some: they are told in English."""
    english = {(of, key): len(texts(entry)) for of, key, entry in entries("en")}
    for language in LANGUAGES:
        found = {(of, key): len(texts(entry)) for of, key, entry in entries(language)}
        assert found.items() <= english.items(), language
        assert language != "ja" or found == english


def test_no_language_has_a_blank_that_nobody_fills() -> None:
    for language in LANGUAGES:
        for of, key, entry in entries(language):
            known = blanks(ENGLISH[of][key])
            known |= {f"{name}_remedy" for name in known}
            # Of these, a number and a kind are told in Japanese alone.
            if (of, key) not in {("report", "not-read"), ("boxes", "box")}:
                assert blanks(entry) <= known, (language, of, key)


@pytest.mark.slow
def test_what_the_code_names_is_in_the_catalogue() -> None:
    unknown = [
        (place, of, key)
        for place, of, key, _node in named()
        if key not in ENGLISH.get(of, {})
        and key not in (KINDS[of].sentences["en"] if of in KINDS else {})
    ]
    assert not unknown


def test_what_a_report_names_is_in_the_catalogue() -> None:
    page = (PROGRAM.parent / "templates/reports/check.html.j2").read_text(encoding="utf-8")
    named = set(re.findall(r"\bwords(?:\.|\[')([\w-]+)", page))
    assert len(named) > 10
    assert named <= set(ENGLISH["report"])


def given(node: ast.Call) -> set[str] | None:
    """The names of what a call fills blanks with; nothing where only the program knows."""
    names = {word.arg for word in node.keywords}
    names |= {"object"} if called(node) == "finding" else set()
    return None if None in names else {str(name) for name in names}


@pytest.mark.slow
def test_every_blank_of_what_the_code_names_is_filled() -> None:
    unfilled = []
    for place, of, key, node in named():
        entry = ENGLISH.get(of, {}).get(key) or OF_KINDS.get(of, {}).get(key)
        values = given(node)
        if entry is not None and values is not None:
            filled = values | {f"{name}_remedy" for name in values}
            unfilled += [(place, of, key, name) for name in blanks(entry) - filled]
    assert not unfilled


def said_by_the_code() -> tuple[set[str], list[re.Pattern[str]]]:
    """Every word that stands in the code or in a page, and the patterns of those put together."""
    words: set[str] = set()
    patterns = []
    for path in FILES:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words |= {node.value, node.value.strip().replace(" ", "-")}
                words |= set(re.findall(r"\w+", node.value)) if "|" in node.value else set()
            elif isinstance(node, ast.JoinedStr):
                parts = [str(p.value) if isinstance(p, ast.Constant) else "" for p in node.values]
                if re.search("[a-z]{2}", "".join(parts)):
                    patterns.append(".+".join(map(re.escape, parts)))
    for path in (PROGRAM.parent / "templates").rglob("*.j*"):
        text = path.read_text(encoding="utf-8")
        words |= set(re.findall(r"[\w-]+", text))
        patterns += [f"{begin}.+" for begin in re.findall(r'(\w+_)(?:\$\{|" ~)', text)]
    return words, [re.compile(pattern.replace(" ", "-")) for pattern in patterns]


@pytest.mark.slow
def test_every_sentence_is_used() -> None:
    words, patterns = said_by_the_code()
    options = {*commands.commands} | {
        f"{name}.{parameter.name}"
        for name, command in commands.commands.items()
        for parameter in command.params
    }
    unused = [
        (of, key)
        for of, key, _entry in entries("en")
        if of not in ("unshuffled", "shuffled", "on-paper")  # the data ask for these
        and key not in words | options | {"means", "effect", "remedy"}
        and not any(pattern.fullmatch(key) for pattern in patterns)
    ]
    assert not unused


def test_japanese_is_polite_and_says_it_shortly() -> None:
    said = [
        (of, key, text)
        for of, key, entry in entries("ja")
        for text in texts(entry)
        if key != "means"
    ]
    said += [
        (name, key, text)
        for name, kind in KINDS.items()
        for key, entry in kind.sentences["ja"].items()
        for text in ((entry,) if isinstance(entry, str) else entry)
    ]
    assert not [one for one in said if "ことができ" in one[2]]
    plain = re.compile(r"(?:ない|ある|いる|する|直す|外す|書く|消す|だ|(?<![まで])した)。")
    assert not [one for one in said if plain.search(one[2])]


def test_a_process_shows_both_languages_and_orders_by_neither() -> None:
    where = SourceLocation("small/game.yaml", 3, 5)
    problems = [problem_at(where, "SRC-REF", "no-space", name=name, nearest="") for name in "ba"]
    first, second = sorted(problems)
    assert str(first) == "small/game.yaml:3:5: error SRC-REF There is no space 'a'."
    assert second.in_language("ja") == "small/game.yaml:3:5: エラー SRC-REF マス「b」はありません。"
    assert len({*problems, problem_at(where, "SRC-REF", "no-space", name="a", nearest="")}) == 2


def test_values_and_id_are_the_same_in_every_language() -> None:
    problem = problem_at(SourceLocation("a.csv", 2), "SRC-REF", "no-space", name="x", nearest="")
    english, japanese = (problem_values(problem, language) for language in ("en", "ja"))
    assert english["id"] == japanese["id"] == "SRC-REF.no-space"
    assert english["values"] == japanese["values"] == {"name": "x", "nearest": ""}
    assert english["message"] != japanese["message"]


def test_what_a_language_lacks_is_told_in_english() -> None:
    assert sentence("nearest", "one", word="x").in_language("xx") == "Did you mean 'x'?"


def test_one_thing_is_told_in_the_singular() -> None:
    assert [sentence("counted", "file", count=count).in_language("en") for count in (1, 2000)] == [
        "1 file",
        "2,000 files",
    ]


def test_sentences_follow_one_another_as_their_language_has_it() -> None:
    both = Joined(tuple(sentence("nearest", "all", words=word) for word in "ab"))
    assert both.in_language("en") == "Allowed: a. Allowed: b."
    assert both.in_language("ja") == "使えるのは: a。使えるのは: b。"


def test_presets_are_told_in_the_language_that_is_chosen() -> None:
    for preset in read_stationery(template_folders("sheets")).presets.values():
        for text in filter(str, (preset.name, preset.hint)):
            assert not english_in(text.in_language("ja")), preset.id
            assert text.en != text.ja, preset.id
            assert not re.search("[ぁ-ん]", re.sub("「.*?」", "", text.in_language("en"))), (
                preset.id
            )
