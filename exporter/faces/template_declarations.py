"""What a template declares that it takes, in YAML in its first comment."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from exporter.core.messages import asks
from exporter.core.problems import (
    Problem,
)
from exporter.core.shipped_files import template_folders
from exporter.core.source_files import Unreadable
from exporter.model import (
    Declaration,
    Take,
)
from exporter.model.document_places import (
    Document,
    Spot,
)
from exporter.model.document_places import Path as KeyPath
from exporter.model.forms import (
    FormFault,
    problem_of,
    shaped,
)
from exporter.model.shape import (
    told_in_both,
)

_BEGIN = "takes:"


_MOST = 64 * 1024
"""Bytes of a template in which its first comment ends."""


def declarations(
    templates: Iterable[str], folders: Sequence[Path] | None = None
) -> tuple[dict[str, Declaration], list[Problem]]:
    """What each template declares that declares anything, and what is wrong with that.

    ``folders`` are those of face templates, by default the usual ones; the first that has a file
    wins.
    """
    shelf = template_folders("faces") if folders is None else folders
    paths = {name: path for name in templates if (path := _found(name, shelf))}
    return declared_in(paths)


def _found(template: str, folders: Sequence[Path]) -> str:
    """Where a template lies; nowhere is told when it is to draw something."""
    steps = PurePosixPath(template)
    if steps.is_absolute() or ".." in steps.parts or "\0" in template:
        return ""
    paths = (os.path.join(folder, template) for folder in folders)
    return next((path for path in paths if os.path.isfile(path)), "")


def declared_in(
    paths: Mapping[str, str | Path],
) -> tuple[dict[str, Declaration], list[Problem]]:
    """What the files of templates declare, by the templates' names."""
    declared: dict[str, Declaration] = {}
    problems: list[Problem] = []
    for name, path in paths.items():
        # What cannot be read is told when it is to be drawn.
        with contextlib.suppress(OSError), open(path, "rb") as file:
            text = file.read(_MOST).decode(errors="replace")
            declaration, wrong = read_declaration(text, str(path))
            problems += wrong
            if declaration is not None:
                declared[name] = declaration
    return declared, problems


def read_declaration(text: str, file: str) -> tuple[Declaration | None, list[Problem]]:
    """What the first lines of a template declare, and all that is wrong with it."""
    from exporter.model.yaml_documents import read_document

    comment = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        comment.append(line[2:])
    begin = next((n for n, line in enumerate(comment) if line.strip().startswith(_BEGIN)), None)
    if begin is None:
        return None, []
    # Blanks in the place of what is left out: so lines and columns are those of the file.
    block = "\n" * begin + "\n".join("  " + line for line in comment[begin:])
    try:
        value, where, problems = read_document(block, file)
    except Unreadable as unreadable:
        return None, [unreadable.problem]
    document = Document(where, value)
    found, wrong, _ = shaped(Declaration, document)
    problems += wrong
    if found is None:
        return None, problems
    says = told_in_both("\n".join(line.strip() for line in comment[:begin]))
    if not wrong:
        each = [(("takes", name), take) for name, take in found.takes.items()]
        problems += (problem_of(fault, document) for fault in _of_no_type(Spot(document), each))
    return replace(found, says=says), problems


def _of_no_type(spot: Spot, each: Iterable[tuple[KeyPath, Take]]) -> Iterator[FormFault]:
    """A fault for each value below a spot that says no type, or several."""
    for path, take in each:
        at = spot.at(*path)
        given = [key for key in _SORTS if getattr(take, key)]
        if len(given) != 1 and given != ["type", "words"]:
            yield FormFault(path=at.path, found=at.spelled(), allowed=_ONE_OF)
        yield from _of_no_type(at, take.within)


_SORTS = ("type", "words", "keys", "list", "map", "row")


_ONE_OF = asks("one-of", words=", ".join(_SORTS))
