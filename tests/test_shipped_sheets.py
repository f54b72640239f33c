"""Every sheet of every game, read again by another program than the one that wrote it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from click.testing import CliRunner

from exporter.cli.main import exporter

ROOT = Path(__file__).parent.parent
GAMES = sorted(path.parent.name for path in (ROOT / "source_data").glob("*/game.yaml"))
POINT = 0.01


def holds(outer: Any, inner: Any) -> bool:
    """Whether a box, as left, bottom, right and top, lies within another."""
    left, bottom, right, top = outer
    return bool(
        inner[0] >= left - POINT
        and inner[1] >= bottom - POINT
        and inner[2] <= right + POINT
        and inner[3] <= top + POINT
    )


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_letter_lies_on_its_page_and_every_cut_in_its_bleed(
    game: str, tmp_path: Path, pictures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("XDG_CACHE_HOME", str(pictures))
    result = CliRunner().invoke(exporter, ["print", game, "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    files = sorted((tmp_path / game).iterdir())
    assert files
    for path in files:
        for number, page in enumerate(pypdfium2.PdfDocument(path), 1):
            assert holds(page.get_mediabox(), page.get_bleedbox()), path.name
            assert holds(page.get_bleedbox(), page.get_trimbox()), path.name
            text = page.get_textpage()
            for index in range(text.count_rects()):
                box = text.get_rect(index)
                said = text.get_text_bounded(*box)
                assert holds(page.get_mediabox(), box), (path.name, number, said)
