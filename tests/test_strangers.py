"""What a stranger's folder or zip holds steers neither the program nor the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from small_game import write_small_game

from exporter.cli import exporter


@pytest.fixture(autouse=True)
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stranger's folder, with a small game in it."""
    write_small_game(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(exporter, words)


def test_a_template_of_reports_beside_the_game_is_not_run(somewhere: Path) -> None:
    template = somewhere / "templates/reports/check.html.j2"
    template.parent.mkdir(parents=True)
    template.write_text("{{ self.__init__.__globals__ }}", encoding="utf-8")
    run("check", "small", "--report", "report.html")
    page = (somewhere / "report.html").read_text(encoding="utf-8")
    assert "__builtins__" not in page
    assert page.startswith("<!doctype html>")
