"""A pasted deck as it is after changes: lines that stay as they are stay, with all remarks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from exporter.model import Build, Game
from exporter.rules.rewriting import deck_edits
from exporter.rules.written import card_written
from exporter.source.pasted import PastedLine, lines_of
from exporter.source.typed import cards_called

_WIDE = str.maketrans("0123456789", "０１２３４５６７８９")


def mended_text(text: str, game: Game, before: Build, after: Build) -> str | None:
    """The text of a deck with its cards as they are after changes; nothing for one that is no list.

    A card that comes stands in a line of its own, written as the last one of its deck; cards of a
    deck that had none stand below its name at the end.
    """
    ending = "\r\n" if "\r\n" in text else "\n"
    tail = ending if text.endswith(("\n", "\r")) else ""
    lines = text.splitlines()
    said = [*lines_of(text, game, _is_card(game))]
    by_place = {(one.line, one.column): one for one in said if one.name}
    alone = not any(one.digits[1] for one in by_place.values())
    for edit in deck_edits(before, after):
        line = by_place.get((edit.row.where.line, edit.row.where.column))
        if line is None:
            return None
        raw = lines[line.line - 1]
        own = [raw] if edit.copies else []
        if edit.copies != edit.row.copies and edit.copies:
            own = [raw] * edit.copies if alone else [_with_copies(raw, line, edit.copies)]
        lead = raw[: line.within[0]]
        new = [
            one
            for card, copies in edit.more.items()
            for one in (
                [f"{lead}{card}"] * copies if alone else [_new_line(game, raw, line, card, copies)]
            )
        ]
        lines[line.line - 1 : line.line] = [*own, *new]
    for deck, rows in after.decks.items():
        if rows and not before.decks.get(deck):
            kind = game.deck_kinds.get(deck)
            lines += ["", kind.name.ja if kind else deck]
            lines += [f"{row.copies} {card_written(game, row.card)}" for row in rows]
    return _with_totals(ending.join(lines) + tail, game)


def _is_card(game: Game) -> Callable[[str], bool]:
    return lambda name: bool(cards_called(game, name))


def _with_copies(raw: str, line: PastedLine, copies: int) -> str:
    """The line with another number, written as the one there."""
    start, end = line.digits
    if not end:
        return f"{raw[: line.column - 1]}{copies} {raw[line.column - 1 :]}"
    number = str(copies)
    return raw[:start] + (number if raw[start].isascii() else number.translate(_WIDE)) + raw[end:]


def _new_lines(game: Game, raw: str, line: PastedLine, card: str, copies: int) -> Iterator[str]:
    """Ways to write a card that comes, as a line of the same deck and as plainly as can be."""
    name = card if line.name in game.cards else card_written(game, card)
    start, end = line.column - 1, line.column - 1 + len(line.name)
    number = _with_copies(raw, line, copies)
    longer = len(number) - len(raw)
    if line.digits[1] <= start:  # the number first; behind the name stands what is of that card
        yield f"{number[: start + longer]}{name}"
    elif not set("([（［【") & set(raw[end : line.digits[0]]):
        yield f"{raw[:start]}{name}{number[end : line.within[1] + longer]}"
    lead = raw[: line.within[0]]
    yield f"{lead}{copies} {name}"
    yield f"{lead}{copies} {card}"


def _new_line(game: Game, raw: str, line: PastedLine, card: str, copies: int) -> str:
    """The first of these ways that is read as what it says."""
    each = list(_new_lines(game, raw, line, card, copies))
    return next((one for one in each if _reads_as(game, one, card, copies)), each[-1])


def _reads_as(game: Game, text: str, card: str, copies: int) -> bool:
    found = [(one.name, one.copies) for one in lines_of(text, game, _is_card(game))]
    return len(found) == 1 and found[0][1] == copies and _is_meant(game, found[0][0], card)


def _is_meant(game: Game, name: str, card: str) -> bool:
    return [one.id for one in cards_called(game, name)] == [card]


def _with_totals(text: str, game: Game) -> str:
    """The text whose lines with the number of all cards above them say the right one."""
    lines = text.splitlines(keepends=True)
    cards = 0
    for one in lines_of(text, game, _is_card(game)):
        cards += one.copies
        if one.total:
            start, end = one.digits
            raw = lines[one.line - 1]
            lines[one.line - 1] = f"{raw[:start]}{cards}{raw[end:]}"
    return "".join(lines)
