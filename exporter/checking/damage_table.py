"""A weapon's damage at every distance, in the situations that a game's range rule shows."""

from __future__ import annotations

from exporter.checking.explanations import Explanation, Library, rule_lines, ruling_line, sections
from exporter.model import Card
from exporter.problems import InvalidSource, Problem
from exporter.rules.book import Rule
from exporter.rules.play import damage, reaches, shown

FURTHEST = 16
"""How many distances a damage table shows at most."""


def explain_damage(lib: Library, card: Card, ruler: Rule) -> Explanation:
    """A weapon's damage by distance, and by the situations that the range rule shows."""
    tables = []
    book = lib.book
    for mode, reach in enumerate(reaches(card, ruler.parameters["classes"])):
        outside = reach.damage // reach.loss if reach.loss else 0
        last = (reach.furthest if reach.furthest is not None else reach.nearest) + outside + 1
        last = min(last, FURTHEST)
        shapes = [(shape["label"], shape.get("given", {})) for shape in ruler.parameters["shown"]]
        labels = [label for label, _ in shapes]
        lines = [f"{lib.word('distance')}\t" + "\t".join(labels)]
        for distance in range(0 if reach.nearest == 0 else 1, last + 1):
            cells = []
            for _, shape in shapes:
                given = {**shape, "card": card.id, "mode": mode, "distance": distance}
                cells.append(shown(damage(lib.game, book, ruler, given, ruler.where).value))
            lines.append(f"{distance}\t" + "\t".join(cells))
        if reach.furthest is None:
            lines.append(lib.word("unlimited"))
        ranges, classes = card.text("range").split("/"), card.text("range_class").split("/")
        title = f"{reach.timing} {ranges[mode]} ({classes[mode]}) {reach.damage}"
        tables.append((title, lines))
    if not tables:
        message = f"{card.name} has no damage that could be reckoned by distance."
        hint = "Its range or its damage is no number; explain the card itself."
        raise InvalidSource([Problem(card.where, "EXPLAIN", message, hint)])
    terms = [rule for rule in book.rules.values() if rule.kind in ("range", "damage_terms")]
    cites = [key for rule in terms for key in rule.cites]
    rulings = [ruling_line(one) for one in lib.game.rulings_of(card)]
    result = ruler.parameters["result"]
    name = result["en"] if lib.language == "en" and result.get("en") else result["ja"]
    return Explanation(
        f"{card.id} {card.name} {name}",
        sections(
            *tables,
            (lib.word("rules"), rule_lines(lib, terms)),
            (lib.word("sources"), lib.cites(cites)),
            (lib.word("rulings"), rulings),
        ),
    )
