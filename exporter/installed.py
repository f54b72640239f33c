"""What comes with the program: its games and templates."""

from __future__ import annotations

from pathlib import Path

_PROGRAM = Path(__file__).resolve().parent


def shipped(name: str) -> Path:
    """The copy inside the installed package; in a checkout, the folder beside the program."""
    installed = _PROGRAM / "_data" / name
    return installed if installed.is_dir() else _PROGRAM.parent / name


def is_shipped(path: Path) -> bool:
    """Whether a template came with the program, and so is trusted."""
    real = path.resolve()
    return real.is_relative_to(_PROGRAM) or real.is_relative_to(shipped("templates"))
