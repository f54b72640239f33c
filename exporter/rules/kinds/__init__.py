"""The kinds of rules: what ``kind:`` in rules.yaml may say. Each file of this folder offers those
that share a subject; a stranger's is a file more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

from exporter.rules.kind import RuleKind


def _kinds() -> Iterator[type[RuleKind[Any]]]:
    for file in iter_modules(__path__, f"{__name__}."):
        for one in vars(import_module(file.name)).values():
            if isinstance(one, type) and issubclass(one, RuleKind) and one.__module__ == file.name:
                yield one


KINDS: Final[Mapping[str, type[RuleKind[Any]]]] = {
    kind.name: kind for kind in sorted(_kinds(), key=lambda kind: kind.name)
}
