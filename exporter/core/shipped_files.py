"""What comes with the program, its games and templates, and where templates are looked for."""

from __future__ import annotations

import os
from pathlib import Path

_PROGRAM = Path(__file__).resolve().parent.parent


def shipped(name: str) -> Path:
    """Return the copy inside the installed package; in a checkout, the folder beside the
    program."""
    installed = _PROGRAM / "_data" / name
    return installed if installed.is_dir() else _PROGRAM.parent / name


def is_shipped(path: Path) -> bool:
    """Return whether a template came with the program, and so is trusted."""
    return os.path.realpath(path).startswith(_OURS)


_OURS = tuple(f"{folder}{os.sep}" for folder in (_PROGRAM, shipped("templates")))


def template_folders(name: str) -> tuple[Path, ...]:
    """Return folders of templates, the first that has a file wins: ``./templates``, then the
    shipped."""
    here = Path("templates") / name
    return (*([here] if here.is_dir() else []), shipped("templates") / name)
