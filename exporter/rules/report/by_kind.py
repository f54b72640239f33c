"""What kinds of rules have to say of a card: how it stands to others, what is worked out of it."""

from __future__ import annotations

from collections.abc import Iterator

from exporter.core.messages import (
    sentence,
    words,
)
from exporter.core.problems import error_at
from exporter.model import Card
from exporter.rules.kind import Rule
from exporter.rules.kinds.copies import Copies
from exporter.rules.kinds.printed_decks import PrintedCopies
from exporter.rules.kinds.range import DamageTerms, Range
from exporter.rules.kinds.together import Together
from exporter.rules.report.explanations import (
    Explanation,
    Library,
    rule_lines,
    ruling_line,
    sections,
)
from exporter.rules.situations import Situation


def relation_lines(lib: Library, card: Card) -> Iterator[str]:
    """How a card stands to others, by rule."""
    for rule in lib.book.rules.values():
        kind = rule.kind
        found = {} if kind is None else dict(kind.relations(lib.game, card, rule))
        lines = [
            f"  {words(kind.name, lib.language)[key]}: {'・'.join(one.name for one in cards)}"
            for key, cards in found.items()
            if kind is not None and cards
        ]
        yield from [*rule_lines(lib, [rule]), *lines] if lines else ()


def construction_lines(lib: Library, card: Card) -> Iterator[str]:
    """How many copies are mounted together, and how many there are, each with its rules."""
    boxes: dict[int, list[str]] = {}
    for rule in lib.book.rules.values():
        if isinstance(rule.kind, Together) and (needed := card.get("min_count")) not in ("", 0, 1):
            key = "together-split" if card.get("may_split") else "together"
            yield sentence("explanation", key, count=needed, rule=rule.id).in_language(lib.language)
        field = rule.kind.field if isinstance(rule.kind, PrintedCopies | Copies) else ""
        copies = card.get(field) if field else ""
        if isinstance(copies, int) and copies:
            boxes.setdefault(copies, []).append(rule.id)
    box = lib.game.editions.get(card.text("edition"))
    name = box.name if box else "—"
    for copies, rules in boxes.items():
        each = "・".join(rules)
        said = sentence("explanation", "in-box", count=copies, box=name, rule=each)
        yield said.in_language(lib.language)


def explain_result(lib: Library, card: Card, rule: Rule, kind: Range, figure: str) -> Explanation:
    """What a rule of play works out of a card, such as its damage by distance."""
    asked = Situation(lib.game, lib.book.rules, {}, rule.where)
    tables = []
    for table in kind.tables(asked, card, rule):
        rows = [(lib.word("distance"), table.columns), *table.lines]
        lines = [f"{first}\t" + "\t".join(cells) for first, cells in rows]
        tables.append((table.title, lines if table.ends else [*lines, lib.word("unlimited")]))
    if not tables:
        raise error_at(card.where, "EXPLAIN", "no-damage-could", card=card.name)
    terms = [
        one for one in lib.book.rules.values() if one is rule or isinstance(one.kind, DamageTerms)
    ]
    cites = [key for one in terms for key in one.cites]
    return Explanation(
        f"{card.id} {card.name} {figure}",
        sections(
            *tables,
            (lib.word("rules"), rule_lines(lib, terms)),
            (lib.word("sources"), lib.cites(cites)),
            (lib.word("rulings"), [ruling_line(one) for one in lib.game.rulings_of(card)]),
        ),
    )
