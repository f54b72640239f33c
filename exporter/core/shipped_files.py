"""What comes with the program, its games and templates, and where templates are looked for."""

from __future__ import annotations

import filecmp
import os
from pathlib import Path

_PROGRAM = Path(__file__).resolve().parent.parent


def shipped(name: str) -> Path:
    """Return the copy inside the installed package; in a checkout, the folder beside the
    program."""
    installed = _PROGRAM / "_data" / name
    return installed if installed.is_dir() else _PROGRAM.parent / name


def is_shipped(path: Path) -> bool:
    """Return whether a template came with the program, and so is trusted; or is the same as one
    that did.

    Who installed the program from a checkout and works in that has a copy of each beside them.
    """
    name = os.path.relpath(path, "templates")
    ours = shipped("templates") / name
    return os.path.realpath(path).startswith(_OURS) or (
        not name.startswith(os.pardir)
        and os.path.isfile(path)
        and ours.is_file()
        and filecmp.cmp(path, ours, shallow=False)
    )


_OURS = tuple(f"{folder}{os.sep}" for folder in (_PROGRAM, shipped("templates")))


def template_folders(name: str) -> tuple[Path, ...]:
    """Return folders of templates, the first that has a file wins: ``./templates``, then the
    shipped."""
    here = Path("templates") / name
    return (*([here] if here.is_dir() else []), shipped("templates") / name)
