"""Where a user keeps tables outside of a game's folder: a setting of theirs, not of the game.

So a stranger's folder never reads outside itself: it only says that a table may be linked, and
only the user's own settings say where it lies.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

_FILE = "links.json"


def settings_folder() -> Path:
    """Return where the user's settings of this program lie."""
    if chosen := os.environ.get("XDG_CONFIG_HOME"):
        return Path(chosen) / "exporter"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "exporter"
    if sys.platform == "win32" and (local := os.environ.get("APPDATA")):
        return Path(local) / "exporter"
    return Path.home() / ".config" / "exporter"


def linked_path(root: Path, relative: str) -> Path | None:
    """Return where the user keeps a table of a game, if they said so."""
    found = _links().get(_key(root), {}).get(relative)
    return Path(found) if isinstance(found, str) else None


def links_with(root: Path, relative: str, path: Path) -> tuple[Path, bytes]:
    """Return the file of settings, and what it holds with one more link."""
    links = _links()
    links.setdefault(_key(root), {})[relative] = str(path.resolve())
    text = json.dumps(links, ensure_ascii=False, indent=2, sort_keys=True)
    return settings_folder() / _FILE, f"{text}\n".encode()


def _key(root: Path) -> str:
    return str(root.resolve())


def _links() -> dict[str, dict[str, Any]]:
    try:
        found = json.loads((settings_folder() / _FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):  # none yet, or not ours
        return {}
    if not isinstance(found, dict):
        return {}
    return {key: value for key, value in found.items() if isinstance(value, dict)}
