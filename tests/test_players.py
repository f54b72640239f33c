"""What docs/players.md shows, in both languages: its files and commands, and what they print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from exporter.cli.main import exporter

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "docs" / "players.md", ROOT / "docs" / "players.ja.md"]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_page_for_players_shows_what_people_meet(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared_cache: None
) -> None:
    text = page.read_text(encoding="utf-8")
    files = re.findall(r"`([a-z]+\.(?:yaml|txt))`\n\n```\w+\n(.*?)```", text, flags=re.DOTALL)
    assert [name for name, _ in files] == ["mine.yaml", "fire.txt"]
    for name, held in files:
        (tmp_path / name).write_text(held, encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "examples").symlink_to(ROOT / "docs" / "examples")
    monkeypatch.chdir(tmp_path)
    shown = re.findall(r"```console\n\$ exporter ([^\n]*)\n(.*?)```", text, flags=re.DOTALL)
    assert len(shown) == 9
    for words, expected in shown:
        told = CliRunner().invoke(exporter, words.split()).stdout
        for line in expected.splitlines():
            assert line in told, words
