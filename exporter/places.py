"""Where templates are looked for."""

from __future__ import annotations

from pathlib import Path

from exporter.installed import shipped


def template_folders(name: str) -> tuple[Path, ...]:
    """Folders of templates, the first that has a file wins: ``./templates``, then the shipped."""
    here = Path("templates") / name
    return (*([here] if here.is_dir() else []), shipped("templates") / name)
