"""The installed command, far from the checkout: README's first line must work for everybody."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

COMMAND = Path(sys.executable).with_name("exporter" + (".exe" if os.name == "nt" else ""))

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not COMMAND.exists(), reason="the program is not installed here: pip install '.[test]'"
    ),
]


def run(folder: Path, *words: str) -> str:
    """What the installed command prints in an empty folder."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["XDG_CACHE_HOME"] = str(folder / "cache")
    ran = subprocess.run(
        [COMMAND, *words], cwd=folder, env=environment, check=True, capture_output=True
    )
    return ran.stdout.decode()


def test_the_installed_command_builds_in_an_empty_folder(tmp_path: Path) -> None:
    assert "embryo_machine" in run(tmp_path, "list")
    run(tmp_path, "build", "embryo_machine", "--loose", "AG")
    with zipfile.ZipFile(tmp_path / "output/embryo_machine/loose/AG.zip") as archive:
        assert archive.testzip() is None


def test_templates_games_and_the_fonts_licences_travel_with_it() -> None:
    names = {str(path) for path in metadata.files("udonarium-exporter") or ()}
    if "exporter/__init__.py" not in names:
        pytest.skip("installed as a link to the checkout")
    assert "exporter/py.typed" in names
    root = Path(__file__).parent.parent
    for folder in ("templates", "source_data"):
        for path in (root / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert f"exporter/_data/{path.relative_to(root).as_posix()}" in names
    assert any("OFL" in name and "licenses" in name for name in names)
