"""Which cards are mounted in exchange for which: what the conditions that they carry come to."""

from __future__ import annotations

from collections.abc import Iterator

from exporter.checking.explanations import Library, rule_lines
from exporter.model import Card
from exporter.problems import InvalidSource, Where
from exporter.rules.book import Rule
from exporter.rules.expressions import holds
from exporter.rules.totals import names_about


def exchange_lines(lib: Library, card: Card) -> Iterator[str]:
    """By rule: the weapons whose place a card may take and those that welcome it; or the cards
    that may take a weapon's place and those that it welcomes."""
    for rule in lib.book.rules.values():
        if rule.kind == "exchange":
            lists = {word: names for word, names in _lists(lib, rule, card) if names}
            if lists:
                yield from rule_lines(lib, [rule])
                yield from (f"  {lib.word(word)}: {names}" for word, names in lists.items())


def _lists(lib: Library, rule: Rule, card: Card) -> Iterator[tuple[str, str]]:
    """Words and the names that go with them."""
    field, welcomes = str(rule.parameters["field"]), str(rule.parameters.get("welcomes", ""))
    others = [one for one in lib.game.cards.values() if one.kind == card.kind and one != card]
    substitutes = [one for one in others if one.get(field)]

    def may_replace(substitute: Card, weapon: Card) -> bool:
        replaced = str(rule.parameters.get("replaced", ""))
        condition = str(substitute.get(field))
        return _may_hold(condition, weapon, substitute.at(field)) and _may_hold(
            replaced, weapon, rule.where
        )

    def may_welcome(weapon: Card, substitute: Card) -> bool:
        condition = str(weapon.get(welcomes)) if welcomes else ""
        return bool(condition) and _may_hold(condition, substitute, weapon.at(welcomes))

    if card.get(field):
        yield "may-replace", _names(one for one in others if may_replace(card, one))
        yield "welcomed-by", _names(one for one in others if may_welcome(one, card))
        return
    yield "replaced-by", _names(one for one in substitutes if may_replace(one, card))
    yield "welcomes", _names(one for one in substitutes if may_welcome(card, one))


def _names(cards: Iterator[Card]) -> str:
    return "・".join(card.name for card in cards)


def _may_hold(condition: str, card: Card, where: Where) -> bool:
    """Whether a condition holds of a card; one that asks for a build's figures may."""
    try:
        return holds(condition, names_about(condition, card, {}), where)
    except InvalidSource:
        return True
