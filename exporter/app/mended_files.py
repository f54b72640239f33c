"""Players' files as they are after suggestions: in place, or as a document beside."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from exporter.loader.player_files import resolve_word
from exporter.model.player_builds import Submission
from exporter.rules.report.suggesting import Suggestion
from exporter.rules.rewriting import (
    documents,
    rewritten,
)
from exporter.rules.written_builds import entry_text


def is_mended(one: Suggestion) -> bool:
    """Whether there is anything to write: changes after which it is legal."""
    return bool(one.legal and one.mending.changes)


def after(one: Suggestion) -> Submission:
    """An entry as it is after its first way."""
    if not is_mended(one):
        return one.entry
    return replace(one.entry, build=one.mending.build, loose=())


def mended_document(text: str, found: Sequence[Suggestion]) -> str | None:
    """The YAML of some builds; nothing where it is not the text of just these."""
    each = documents(text)
    if len(each) != len(found):
        return None
    first = 1
    for number, (document, one) in enumerate(zip(each, found, strict=True)):
        if is_mended(one):
            game = one.verdict.brought[0].game
            known = partial(resolve_word, game)
            each[number] = rewritten(document, first, game, one.entry, after(one), known)
        first += document.count("\n")
    return "".join(each)


def as_document(found: Sequence[Suggestion]) -> str:
    """All builds of a file as YAML."""
    each = (entry_text(one.verdict.brought[0].game, after(one)) for one in found)
    return "---\n".join(each)
