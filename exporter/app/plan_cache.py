"""What planning a whole game came to, kept for as long as nothing that it depends on changes.

A plan is reckoned from values alone: the game as it was read, its jobs, the
papers. Where it gave nothing to tell, only its faces and documents are of interest, and
these are kept under those values. Nothing is ever told of a plan that was kept: where there is
anything to tell, it is planned anew.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import DecodeError, Struct, msgpack

from exporter.core.cache import Cache
from exporter.faces.card_faces import Face
from exporter.model.document_places import Quoted
from exporter.render.template_files import digest

Shown: TypeAlias = tuple[str, str, int | float, int | float, int | float, tuple[str, ...]]
"""A face without its place. A whole number stays one: it has a picture's key to itself."""


class CachedPlan(Struct, frozen=True, array_like=True):
    """A plan of which there is nothing to tell: files of each sort, and what these will show.

    The faces on ``screen`` are to become pictures, those on ``paper`` parts of a page.
    """

    rooms: int
    loose: int
    sheets: int
    screen: tuple[Shown, ...]
    paper: tuple[Shown, ...]
    documents: tuple[tuple[str, dict[str, Any]], ...]

    @property
    def faces(self) -> tuple[list[Face], list[Face]]:
        """Those on screen, those on paper."""
        return [Face(*one) for one in self.screen], [Face(*one) for one in self.paper]


def shown(faces: Iterable[Face]) -> tuple[Shown, ...]:
    """Faces as a plan keeps them."""
    return tuple((f.template, f.values, f.width, f.height, f.scale, f.pictures) for f in faces)


@lru_cache(maxsize=1)
def program_digest() -> str:
    """A hash of the program's own modules, which do not change while it runs."""
    modules = (
        os.path.join(folder, name)
        for folder, _folders, names in os.walk(Path(__file__).parents[1])
        for name in names
        if name.endswith(".py")
    )
    return digest({path: Path(path) for path in sorted(modules)})


def plan_key(values: Any) -> str:
    """Says all that a plan depends on: these values, and the program that reckons with them."""
    found = hashlib.sha256(program_digest().encode())
    found.update(msgpack.encode(values, enc_hook=_plain))
    return f"plan-{found.hexdigest()}"


def kept_plan(key: str, cache: Cache) -> CachedPlan | None:
    """The plan that was kept under ``key``, if there is one."""
    data = cache.get(key)
    try:
        return None if data is None else msgpack.decode(data, type=CachedPlan)
    except DecodeError:
        return None


def keep_plan(key: str, plan: CachedPlan, cache: Cache) -> None:
    """Keep a plan under its ``key``."""
    cache.put(key, msgpack.encode(plan))


def _plain(value: Any) -> Any:
    """What stands for a value of which msgpack knows nothing."""
    if isinstance(value, Quoted):
        return "quoted", str(value)
    raise NotImplementedError(type(value).__name__)
