"""What a stranger's folder or zip holds steers neither the program nor the terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from commands import run
from small_game import write_sheets, write_small_game

from exporter.core.problems import SourceLocation, problem_at


@pytest.fixture(autouse=True)
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stranger's folder, with a small game in it."""
    write_small_game(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def test_a_template_of_reports_beside_the_game_is_not_run(somewhere: Path) -> None:
    template = somewhere / "templates/reports/check.html.j2"
    template.parent.mkdir(parents=True)
    template.write_text("{{ self.__init__.__globals__ }}", encoding="utf-8")
    run("check", "small", "--report", "report.html")
    page = (somewhere / "report.html").read_text(encoding="utf-8")
    assert "__builtins__" not in page
    assert page.startswith("<!doctype html>")


@pytest.mark.parametrize("command", ["build", "print"])
@pytest.mark.parametrize("template", ["small/text.typ", "small/unused.typ", "lib.typ"])
def test_a_template_that_reaches_out_is_refused_before_it_is_run(
    somewhere: Path, template: str, command: str
) -> None:
    write_sheets(somewhere, weapons="lay: cards\ncards: {kind: weapon}\n")
    (somewhere / "templates/faces" / template).write_text(
        '\n#import "@preview/cetz:0.3.0": canvas\n', encoding="utf-8"
    )
    told = run(command, "small")
    assert told.exit_code == 1
    assert f"{template}:2:2: error FACE-SEALED" in told.stderr.replace("\\", "/")
    assert not (somewhere / "output").exists()


@pytest.mark.parametrize(
    "name", ["a\x1b]0;title\x07\x1b[2J", "a\n0 problems.", "a\u202eb", "a\x9b2J"]
)
def test_the_name_of_an_entry_stays_one_line_and_steers_no_terminal(
    somewhere: Path, name: str
) -> None:
    with zipfile.ZipFile(somewhere / "room.zip", "w") as archive:
        archive.writestr(name, b"")
    told = run("verify", "room.zip").stderr
    assert all(line.isprintable() for line in told.splitlines())
    assert all(line.startswith(("room.zip/a", "room.zip: ")) for line in told.splitlines())
    found = json.loads(run("verify", "room.zip", "--format", "json").stdout)["problems"]
    assert f"room.zip/{name}" in [problem["file"] for problem in found]


def test_the_name_of_a_file_of_a_game_steers_no_terminal(somewhere: Path) -> None:
    (somewhere / "source_data/small/rooms/a\x9b2J.yaml").write_text("id: 1\n", encoding="utf-8")
    told = run("check", "small").stderr
    assert "small/rooms/a\\x9b2J.yaml:1:1: error" in told
    assert "\x9b" not in told


def test_spaces_of_a_japanese_text_are_told_as_they_are() -> None:
    where = SourceLocation("名\u3000札.csv")
    assert str(problem_at(where, "SRC-MARK", "no-text-at-all", mark="全角\u3000の空白")).startswith(
        "名\u3000札.csv: error SRC-MARK [全角\u3000の空白] counts as an icon, "
    )


def test_a_name_in_a_build_steers_no_terminal(somewhere: Path) -> None:
    build = 'game: small\nname: "N\\e]0;x\\a"\nframe: {size: S}\nmounted: {arm: []}\n'
    (somewhere / "build.yaml").write_text(build, encoding="utf-8")
    assert "N\\x1b]0;x\\x07" in run("check", "build.yaml").stdout


def test_a_name_in_the_data_steers_no_terminal_in_a_list(somewhere: Path) -> None:
    data = somewhere / "source_data/small/game.yaml"
    text = data.read_text(encoding="utf-8").replace("小さなゲーム", '"小さな\\e]0;x\\aゲーム"')
    data.write_text(text, encoding="utf-8")
    assert "小さな\\x1b]0;x\\x07ゲーム" in run("list", "small", "--lang", "ja").stdout


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="Elsewhere every path is a text")
@pytest.mark.parametrize("is_wrong", [pytest.param(False, marks=pytest.mark.slow), True])
def test_a_folder_whose_path_is_no_text_is_like_any_other(somewhere: Path, is_wrong: bool) -> None:
    game = Path(os.fsdecode(os.fsencode(somewhere / "source_data") + b"/ga\xffme"))
    write_sheets(somewhere, cards="lay: cards\ncards: {kind: weapon, copies: 2}\n")
    (somewhere / "source_data/small").rename(game)
    mine = Path(os.fsdecode(b"mi\xffne.yaml"))
    mine.write_text("game: small\nname: X\nframe: {size: S}\nmounted: {arm: [Laser]}\n", "utf-8")
    if is_wrong:
        with (game / "game.yaml").open("a", encoding="utf-8") as file:
            file.write("nonsense: 1\n")
    out = os.fsdecode(b"ou\xfft")
    commands = (
        ("build", game, "--out", out),
        ("print", game, "--out", out),
        ("check", game, mine),
        ("check", game, mine, "--report", "report.html"),
        ("check", game, mine, "--format", "json"),
        ("list", game, "--format", "json"),
        ("new-mech", game, "ZZ", "--edition", "base"),
    )
    for words in commands:
        ended = subprocess.run(
            [sys.executable, "-m", "exporter", *map(str, words)], capture_output=True, check=False
        )
        told = (ended.stdout + ended.stderr).decode("utf-8")
        assert "Traceback" not in told, told
        assert ended.returncode == is_wrong, told
        assert ("nonsense" in told) is is_wrong
        if "json" in words:
            shown = json.dumps(json.loads(ended.stdout), ensure_ascii=False)
            shown.encode("utf-8")  # no half of a pair, which other programs refuse
            assert ("ga\\\\udcffme/game.yaml" in shown) is is_wrong
    assert (somewhere / out / "small/table.zip").exists() is not is_wrong
    assert (somewhere / out / "small/cards.pdf").exists() is not is_wrong
