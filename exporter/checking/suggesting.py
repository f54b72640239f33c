"""Suggestions for builds, and how they are said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from exporter.checking.report import judge_entry, layers_on
from exporter.checking.reporting import verdict_word
from exporter.checking.verdicts import Verdict, Wish, judge
from exporter.model import Game
from exporter.problems import problem_values
from exporter.rules.book import Entry, Rulebook, choose_regulation
from exporter.rules.deck_repair import mend_decks
from exporter.rules.errata import corrected
from exporter.rules.repair import Change, Mending, mend, place_loose
from exporter.words import sentence


class Suggestion(Struct, frozen=True):
    """What was found for one entry; ``verdict`` is what the rules say of the outcome."""

    entry: Entry
    mending: Mending
    verdict: Verdict

    @property
    def legal(self) -> bool | None:
        """Whether the build is legal, or would be after the changes; nothing where nobody can
        tell."""
        return self.verdict.legal and self.mending.changes is not None


def suggestions(
    game: Game, book: Rulebook, entries: Sequence[Entry], wish: Wish
) -> list[Suggestion]:
    """A suggestion for each entry; none for what could not be read whole.

    Raises ``InvalidSource`` where the wish names an unknown regulation.
    """
    if wish.regulation:
        choose_regulation(book, wish.regulation, wish.on)
    game = corrected(game, layers_on(game, wish.on)[0])
    found = []
    for entry in entries:
        verdict, _, held = judge_entry(game, book, entry, wish)
        if verdict.reasons:
            found.append(Suggestion(entry, Mending(entry.build, None, 0, False), verdict))
            continue
        boxes = frozenset(wish.boxes)
        waived = frozenset(waiver.rule for waiver in entry.waivers)
        if not entry.build.has_parts:
            mending = mend_decks(game, held, entry.build, boxes, waived, wish.on)
        elif entry.loose:
            mending = place_loose(game, held, entry.build, entry.loose, boxes, waived)
        else:
            mending = mend(game, held, entry.build, boxes, waived)
        parts = (*game.parts, *mending.build.mounted)
        ordered = {part: mending.build.mounted.get(part, ()) for part in parts}
        mending = replace(mending, build=replace(mending.build, mounted=ordered))
        after = Entry(build=mending.build, waivers=entry.waivers)
        after_all = judge(game, held, after, verdict.regulation, wish)
        found.append(Suggestion(entry, mending, after_all))
    return found


def _say(language: str, key: str, **values: object) -> str:
    return sentence("suggestion", key, **values).in_language(language)


def _change_text(change: Change, language: str) -> str:
    values = {"what": change.what, "source": change.source, "target": change.target}
    return _say(language, change.action, **values, copies=change.copies)


def suggestion_lines(suggestion: Suggestion, language: str) -> Iterator[str]:
    """A suggestion for a terminal: its changes, and the build as it would be."""
    mending = suggestion.mending
    name = suggestion.entry.build.name
    if suggestion.verdict.reasons:
        yield f"{name}: {verdict_word(suggestion.verdict, language)}"
        yield from (f"  {reason.in_language(language)}" for reason in suggestion.verdict.reasons)
        yield from (f"  {problem.in_language(language)}" for problem in suggestion.verdict.problems)
        return
    if mending.changes is None or not suggestion.legal:
        key = "none" if mending.searched_all else "cut-short"
        yield _say(language, key, name=name, judged=mending.judged)
        yield from (f"  {problem.in_language(language)}" for problem in suggestion.verdict.problems)
        return
    key = "placed" if suggestion.entry.loose else "found" if mending.changes else "legal"
    count = sum(change.copies for change in mending.changes)
    yield _say(language, key, name=name, count=count)
    yield from (f"  {_change_text(change, language)}" for change in mending.changes)
    if mending.changes and not mending.build.has_parts:
        yield "  decks:"
        for deck, rows in mending.build.decks.items():
            listed = ", ".join(f"{_called(suggestion, row.card)}: {row.copies}" for row in rows)
            yield f"    {deck or 'deck'}: {{{listed}}}"
    elif mending.changes:
        yield "  mounted:"
        for part, cards in mending.build.mounted.items():
            yield f"    {part}: [{', '.join(cards)}]"


def _called(suggestion: Suggestion, card_id: str) -> str:
    """A card by its name, or by its id where others have that name."""
    game = suggestion.verdict.brought[0].game
    name = game.cards[card_id].name
    return name if game.cards_by_name[name].id == card_id else card_id


def suggestion_values(suggestion: Suggestion, language: str) -> dict[str, Any]:
    """A suggestion as plain values; no ``changes`` where none was found."""
    mending = suggestion.mending
    changes = mending.changes
    return {
        "name": suggestion.entry.build.name,
        "legal": suggestion.legal,
        "reasons": [problem_values(reason, language) for reason in suggestion.verdict.reasons],
        "problems": [problem_values(problem, language) for problem in suggestion.verdict.problems],
        "searched_all": mending.searched_all,
        "changes": None
        if changes is None
        else [
            {
                "action": c.action,
                "what": c.what,
                "from": c.source,
                "to": c.target,
                **({"copies": c.copies} if c.action in ("exchange", "take", "put") else {}),
            }
            for c in changes
        ],
        "mounted": {part: list(cards) for part, cards in mending.build.mounted.items()},
        "decks": {
            deck: {row.card: row.copies for row in rows}
            for deck, rows in mending.build.decks.items()
        },
    }
