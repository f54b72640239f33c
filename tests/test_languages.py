"""Both languages, seen from outside: nothing but quotations is left in English, no byte differs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from corpus_faults import FAULTS
from japanese import english_in
from small_game import write_sheets, write_small_game

from exporter.cli.main import exporter
from exporter.udonarium.verify import verify_zip

pytestmark = pytest.mark.slow

PROGRAM = Path(__file__).parent.parent / "exporter"


def ran(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if k not in ("LANG", "LC_ALL", "LC_MESSAGES")}
    environment = {**kept, "PYTHONUTF8": "1", **more}
    return subprocess.run(
        [sys.executable, "-m", "exporter", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_small_game(tmp_path)
    return tmp_path


def broken(folder: Path) -> Iterator[str]:
    """The small game with one file spoilt at a time; its fault in Japanese."""
    game = folder / "source_data" / "small"
    for path in sorted(game.rglob("*")):
        if path.suffix not in (".yaml", ".csv"):
            continue
        sound = path.read_text(encoding="utf-8")
        for spoilt in (
            sound.replace(": ", "：", 1),
            sound.replace("\n", "\n\t", 2),
            sound + "\nnonsense: [",
            sound.replace("1", "many", 1),
            sound.replace("a", "", 3),
        ):
            if spoilt != sound:
                path.write_text(spoilt, encoding="utf-8")
                yield ran(folder, "--lang", "ja", "check", "small").stderr
        path.write_text(sound, encoding="utf-8")


def test_faults_of_files_are_told_in_japanese_alone(folder: Path) -> None:
    told = [line for text in broken(folder) for line in text.splitlines()]
    assert len(told) > 40
    assert not [line for line in told if english_in(line)]


def test_every_fault_of_a_zip_is_told_in_japanese_alone() -> None:
    told = [
        problem.in_language("ja")
        for fault in FAULTS
        for problem in verify_zip(fault.make(), "a.zip")
    ]
    assert len(told) >= len(FAULTS)
    assert not [line for line in told if english_in(line)]


@pytest.mark.parametrize(
    "words",
    [
        *([name, "--help"] for name in sorted(exporter.commands)),
        ["--help"],
        ["build", "--nope"],
        ["build", "small", "--loose", "x", "--name"],
        ["print", "small", "--offset-x"],
        ["nope"],
        ["list", "--lang", "xx"],
        ["--lang"],
        ["print", "small", "--dpi", "3"],
        ["print", "small", "--size", "63"],
        ["verify"],
        ["verify", "nowhere.zip"],
        ["build", "nowhere"],
        ["build", "small", "--room", "nowhere", "--mech", "red1=XX"],
        ["build", "small"],
        ["print", "small"],
        ["print", "small", "--only", "nothing"],
        ["list"],
        ["list", "small"],
        ["check", "small", "--cases"],
        ["explain", "nothing"],
        ["suggest", "small"],
        ["new", "other"],
        ["new", "a b"],
        ["new", "other", "--players", "4-2"],
        ["new", "other", "--from", "source_data/small/cards/weapons.csv", "--players", "4-2"],
        ["new", "other", "--from", "nowhere.csv"],
        ["new", "other", "--from", "source_data"],
        ["new-mech", "small", "XX"],
        ["pull", "small"],
        ["serve", "nowhere"],
        ["serve", "--port", "0"],
        ["share", "nowhere.yaml"],
        ["odds", "small", "nothing"],
        ["compare", "small", "nothing"],
        ["fits", "nowhere.yaml"],
    ],
    ids=" ".join,
)
def test_a_command_answers_in_japanese_alone(folder: Path, words: list[str]) -> None:
    done = ran(folder, "--lang", "ja", *words)
    assert "Traceback" not in done.stderr
    told = [line for line in (done.stdout + done.stderr).splitlines() if "schema=" not in line]
    assert not [line for line in told if english_in(line)]


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({}, "error"),
        ({"LANG": "C.UTF-8"}, "error"),
        ({"LANG": "ja_JP.UTF-8"}, "エラー"),
        ({"LANG": "ja_JP.UTF-8", "LC_ALL": "C"}, "error"),
        ({"LC_MESSAGES": "ja_JP.UTF-8", "LANG": "de_DE.UTF-8"}, "エラー"),
        ({"EXPORTER_LANG": "ja", "LC_ALL": "en_US.UTF-8"}, "エラー"),
        ({"LANG": "xx"}, "error"),
    ],
    ids=str,
)
def test_the_language_is_that_of_the_surroundings(
    tmp_path: Path, environment: dict[str, str], said: str
) -> None:
    assert f": {said} SRC-FILE" in ran(tmp_path, "build", "nowhere", **environment).stderr


@pytest.mark.parametrize("words", [["--lang", "en", "build"], ["build", "--lang=en"]], ids=" ".join)
def test_an_option_before_or_after_the_command_outweighs_all(
    tmp_path: Path, words: list[str]
) -> None:
    told = ran(tmp_path, *words, "nowhere", EXPORTER_LANG="ja", LANG="ja_JP.UTF-8").stderr
    assert ": error SRC-FILE" in told


def test_rooms_and_sheets_are_the_same_in_both_languages(folder: Path) -> None:
    write_sheets(folder, cards="lay: cards\ncards: {kind: weapon, copies: copies}\n")
    made = []
    for language in ("ja", "en"):
        for command in (["build", "small"], ["print", "small"]):
            done = ran(folder, "--lang", language, *command, "--out", language)
            assert done.returncode == 0, done.stderr
        files = sorted((folder / language).rglob("*.*"))
        made.append({path.relative_to(folder / language): path.read_bytes() for path in files})
    assert made[0] == made[1]
    assert {path.suffix for path in made[0]} >= {".zip", ".pdf"}


@pytest.mark.parametrize(
    ("text", "place", "sort", "right"),
    [
        ("- id: a\n  name：値\n", "2:7", "colon", "name: 値"),
        ("- id: a\n  name:　値\n", "2:8", "space", "name: 値"),
        ("- id: a\n  rules: ［x、y］\n", "2:10", "bracket", "[x, y]"),
        ("- id: a\n  cards: [W1、W2]\n", "2:13", "comma", "[W1, W2]"),
    ],
)
def test_full_width_signs_are_told_with_the_right_one_at_their_place(
    folder: Path, text: str, place: str, sort: str, right: str
) -> None:
    (folder / "source_data/small/rulings.yaml").write_text(text, encoding="utf-8")
    told = ran(folder, "check", "small", "--format", "json").stdout
    japanese = ran(folder, "--lang", "ja", "check", "small").stderr
    assert f'"id": "SRC-YAML.full-width-{sort}"' in told
    assert f"small/rulings.yaml:{place}: エラー SRC-YAML" in japanese
    assert f"`{right}`" in japanese
