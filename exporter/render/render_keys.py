"""By which hashes faces are known: everything that something of a face depends on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Hashable, Iterable
from typing import Any

from exporter.faces.face import Face


def keyed(
    faces: Iterable[Face], like: Callable[[Face], Hashable], digests: Callable[[Face], Any]
) -> dict[Face, str]:
    """For each face a hash of its values, of what it is ``like`` and of ``digests`` behind that.

    Faces that are like one another have the same digests: these are asked for once.
    """
    heads: dict[Hashable, str] = {}
    keys = {}
    for face in faces:
        own = like(face)
        if own not in heads:
            heads[own] = json.dumps((*digests(face), own))
        keys[face] = hashlib.sha256(f"{heads[own]}\n{face.values}".encode()).hexdigest()
    return keys
