"""Players' files as they are after suggestions: in place, or as a document beside."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from exporter.checking.suggesting import Suggestion
from exporter.rules.rewriting import documents, rewritten
from exporter.rules.submissions import Submission
from exporter.rules.written import entry_text
from exporter.source.meant import word_meant
from exporter.source.pasted_mended import mended_text
from exporter.source.table_mended import mended_table


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
            known = partial(word_meant, game)
            each[number] = rewritten(document, first, game, one.entry, after(one), known)
        first += document.count("\n")
    return "".join(each)


def mended_list(text: str, found: Sequence[Suggestion]) -> str | None:
    """The pasted text of one deck."""
    if len(found) != 1:
        return None
    game = found[0].verdict.brought[0].game
    return mended_text(text, game, found[0].entry.build, after(found[0]).build)


def mended_rows(text: str, file: str, found: Sequence[Suggestion]) -> str | None:
    """A table of builds or decks; nothing where some of its changes have no row."""
    changed = [one for one in found if is_mended(one)]
    if any(one.entry.loose for one in changed):
        return None
    game = found[0].verdict.brought[0].game
    each = ((one.entry.build, one.mending.build) for one in changed)
    return mended_table(text, file, game, each)


def as_document(found: Sequence[Suggestion]) -> str:
    """All builds of a file as YAML."""
    each = (entry_text(one.verdict.brought[0].game, after(one)) for one in found)
    return "---\n".join(each)
