"""Why something is as it is: rules, cards, mechs, builds and figures, with terms and sources.

An explanation is a heading with sections of lines, for a terminal or for JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct, to_builtins

from exporter.core import sum_by_key
from exporter.core.messages import (
    LANGUAGES,
    Translated,
    sentence,
    words,
)
from exporter.core.names import (
    Named,
    Names,
    index,
    normalized,
)
from exporter.core.problems import (
    COMMAND_LINE,
    InvalidSource,
    ambiguous_name,
    as_written,
    error_at,
    near_names,
    quoted,
)
from exporter.model import (
    Build,
    Card,
    DeckEntry,
    Erratum,
    Figure,
    Game,
    Mech,
    Ruling,
)
from exporter.model.fields import whole_number
from exporter.model.forms import Findings, fields_of
from exporter.model.game_names import (
    headings,
    name_index,
    resolve_mech,
    resolve_name,
    unknown,
)
from exporter.model.rule_records import (
    Case,
    Placement,
    Regulation,
)
from exporter.rules.expressions import as_in_formulas
from exporter.rules.figures import (
    Total,
    amounts,
)
from exporter.rules.kind import (
    Rule,
    RuleKind,
)
from exporter.rules.kinds.build_kinds import Together
from exporter.rules.kinds.card_kinds import Copies
from exporter.rules.kinds.deck_kinds import PrintedCopies
from exporter.rules.kinds.play_kinds import (
    DamageTerms,
    Range,
)
from exporter.rules.loadouts import find_mech
from exporter.rules.play_rules import (
    OF_CARDS,
    OF_DISTANCE,
    OfPlay,
    Situation,
    outcome_text,
    words_of_play,
)
from exporter.rules.project import Project
from exporter.rules.rulebook import Rulebook, newest
from exporter.rules.subjects import cards_of, totals_of
from exporter.rules.written_builds import card_written


class Section(Struct, frozen=True):
    """A heading and its lines."""

    title: str
    lines: tuple[str, ...]


class Explanation(Struct, frozen=True):
    """What there is to say about one thing."""

    heading: str
    sections: tuple[Section, ...]


class GameTexts(Struct, frozen=True):
    """What explanations say of an open game, in one language."""

    project: Project
    language: str

    @property
    def game(self) -> Game:
        """The game with its errata."""
        return self.project.corrected

    @property
    def book(self) -> Rulebook:
        """Its rules."""
        return self.project.book

    def word(self, key: str, **values: object) -> str:
        """Give a word of the explanations themselves."""
        return sentence("explanation", key, **values).in_language(self.language)

    def named(self, name: Translated) -> str:
        """Give a name or text in the language of the explanation."""
        return name.in_language(self.language)

    def label(self, text: str) -> str:
        """Give a text of the data in the language of the explanation."""
        return self.game.label(text, self.language)

    def cites(self, keys: Iterable[str]) -> list[str]:
        """List sources with their titles and editions."""
        found = []
        for key in dict.fromkeys(keys):
            source = self.game.sources.get(key)
            edition = f" ({source.edition})" if source and source.edition else ""
            found.append(f"{source.in_language(self.language)}{edition}" if source else key)
        return found

    def explanation(self, heading: str, *sections: tuple[str, Iterable[str]]) -> Explanation:
        """Make an explanation of titles, or keys of words for these, with lines; empty lines, and
        sections without a line, are left out."""
        titles = words("explanation", self.language)
        found = [Section(titles.get(key, key), tuple(filter(None, each))) for key, each in sections]
        return Explanation(heading, tuple(section for section in found if section.lines))

    def titles(self, keys: Iterable[str]) -> str:
        """List sources by their titles, in one line."""
        known = self.game.sources
        return ", ".join(known[key].in_language(self.language) for key in keys if key in known)


def labelled(texts: GameTexts, found: Explanation) -> Explanation:
    """Give the same with the words of the game's data in the language of the explanation."""
    sections = (
        Section(texts.label(one.title), tuple(map(texts.label, one.lines)))
        for one in found.sections
    )
    return Explanation(texts.label(found.heading), tuple(sections))


def _rule_lines(texts: GameTexts, rules: Iterable[Rule]) -> list[str]:
    return [f"{rule.id} {texts.named(rule.title)}" for rule in rules]


def _ruling_lines(texts: GameTexts, rulings: Iterable[Ruling]) -> list[str]:
    return [f"{one.id} {texts.label(one.topic)}: {texts.label(one.ruling)}" for one in rulings]


def _erratum_lines(texts: GameTexts, errata: Iterable[Erratum]) -> Iterator[str]:
    for erratum in errata:
        date = texts.word("unknown") if erratum.date == "unknown" else erratum.date
        yield f"{erratum.id} ({texts.word('date')}: {date}) {texts.label(erratum.note)}".rstrip()
        for change in erratum.changes:
            target = " ".join(f"{key} {name}" for key, name in change.target.items())
            field, was, now = map(texts.label, (change.field, change.was, change.now))
            yield f"  {target} {field}: {was!r} → {now!r}"


def _case_lines(texts: GameTexts, cases: Iterable[Case], rule: str) -> Iterator[str]:
    """List the cases of a rule by name, each with whether it breaks it."""
    for case in cases:
        word = texts.word("breaks" if rule in case.broken else "keeps")
        yield f"{word}: {texts.label(case.name)}"


def _parameter_lines(texts: GameTexts, rule: Rule, kind: RuleKind[Any]) -> Iterator[str]:
    """List the kind of a rule and its parameters as rules.yaml has them; records a line each."""
    yield kind.name
    for name, value in to_builtins(kind).items():
        if value in (None, "", [], {}) and name not in rule.assumed:
            continue
        mark = f" ({texts.word('assumed')})" if name in rule.assumed else ""
        if isinstance(value, list) and any(isinstance(one, Mapping) for one in value):
            yield f"{name}:{mark}"
            yield from (f"  - {as_written(one)}" for one in value)
        else:
            yield f"{name}: {as_written(value)}{mark}"


def explain_rule(texts: GameTexts, rule: Rule) -> Explanation:
    """Explain a rule: sentence, status, parameters, sources, rulings, cases."""
    status = texts.word(rule.status)
    if rule.certainty != "stated":
        status += f" · {texts.word('certainty')}: {rule.certainty}"
    elsewhere = []
    for one in texts.book.regulations:
        if rule.id in one.without:
            elsewhere.append(f"{one}: {texts.word('not-held')}")
        elif rule.id in one.parameters:
            elsewhere.append(f"{one}: {as_written(to_builtins(one.parameters[rule.id]))}")
    cases = [case for case in texts.book.cases if rule.id in {*case.broken, *case.about, case.play}]
    rulings = [one for one in texts.game.rulings if rule.id in one.rules]
    return texts.explanation(
        f"{rule.id} {texts.named(rule.title)}",
        ("", [texts.named(rule.text)]),
        ("status", [status]),
        ("reason", [texts.named(rule.reason)]),
        ("parameters", _parameter_lines(texts, rule, rule.kind) if rule.kind else []),
        ("sources", texts.cites(rule.cites)),
        ("regulations", elsewhere),
        ("rulings", _ruling_lines(texts, rulings)),
        ("cases", _case_lines(texts, cases, rule.id)),
    )


def _placement_lines(texts: GameTexts, placement: Placement) -> Iterator[str]:
    parts = "・".join(placement.parts) or texts.word("any")
    yield f"{placement.id}: {parts}"
    if placement.sets:
        sets = ("＋".join(f"{part}{n}" for part, n in one.items()) for one in placement.sets)
        yield f"  {texts.word('sets')}: {' / '.join(sets)}"
    if placement.at_least:
        yield f"  {texts.word('at_least')}: {'・'.join(placement.at_least)}"
    if placement.at_most:
        yield f"  {texts.word('at_most', count=placement.at_most)}"
    if placement.frame:
        yield f"  {texts.word('frame')}: {placement.frame}"


def _changed_fields(texts: GameTexts, card: Card) -> Iterator[str]:
    printed = texts.project.game.cards[card.id]
    for name in card.fields:
        if printed.fields.get(name) != card.fields.get(name):
            yield f"{name}: {texts.word('printed')} {texts.label(printed.text(name)) or '—'}"
            yield f"{name}: {texts.word('now')} {texts.label(card.text(name)) or '—'}"


def _construction_lines(texts: GameTexts, card: Card) -> Iterator[str]:
    """Count how many copies of a card are mounted together, and how many there are, each by its
    rules."""
    boxes: dict[int, list[str]] = {}
    for rule in texts.book.rules.values():
        if isinstance(rule.kind, Together) and (needed := card.get("min_count")) not in ("", 0, 1):
            key = "together-split" if card.get("may_split") else "together"
            yield texts.word(key, count=needed, rule=rule.id)
        field = rule.kind.field if isinstance(rule.kind, PrintedCopies | Copies) else ""
        copies = card.get(field) if field else ""
        if isinstance(copies, int) and copies:
            boxes.setdefault(copies, []).append(rule.id)
    box = texts.game.editions.get(card.text("edition"))
    name = box.name if box else "—"
    for copies, rules in boxes.items():
        yield texts.word("in-box", count=copies, box=name, rule="・".join(rules))


def explain_card(texts: GameTexts, card: Card) -> Explanation:
    """Explain a card: its fields, printed and corrected, its placement, errata, rulings, cases."""
    kind = texts.game.kinds[card.kind]
    shown = ((label, card.text(name)) for label, name in kind.detail.items())
    fields = [f"{label}: {texts.label(text)}" for label, text in shown if text]
    placement = texts.book.placements.get(str(card.get("mount")))
    return texts.explanation(
        f"{card.id} {card.name} ({texts.named(kind.name)})",
        ("fields", [*fields, card.text("note")]),
        ("placement", _placement_lines(texts, placement) if placement else []),
        ("construction", _construction_lines(texts, card)),
        (
            "modifies",
            [f"{name}={amount:+d}" for name, amount in amounts(card, "modifies").items()],
        ),
        (
            "errata",
            [*_erratum_lines(texts, texts.game.errata_of(card)), *_changed_fields(texts, card)],
        ),
        ("rulings", _ruling_lines(texts, texts.game.rulings_of(card))),
    )


def explain_damage(
    texts: GameTexts, card: Card, rule: Rule, kind: Range, figure: str
) -> Explanation:
    """Explain the damage of a card by distance. Raises ``InvalidSource`` where it does none."""
    asked = Situation(texts.game, texts.book.rules, {}, rule.where)
    tables = []
    for table in kind.tables(asked, card, rule):
        rows = [(texts.word("distance"), table.columns), *table.lines]
        lines = [f"{first}\t" + "\t".join(cells) for first, cells in rows]
        tables.append((table.title, lines if table.ends else [*lines, texts.word("unlimited")]))
    if not tables:
        raise error_at(card.where, "EXPLAIN", "no-damage-could", card=card.name)
    rules = texts.book.rules.values()
    terms = [one for one in rules if one is rule or isinstance(one.kind, DamageTerms)]
    return texts.explanation(
        f"{card.id} {card.name} {figure}",
        *tables,
        ("rules", _rule_lines(texts, terms)),
        ("sources", texts.cites(key for one in terms for key in one.cites)),
        ("rulings", _ruling_lines(texts, texts.game.rulings_of(card))),
    )


def _rules_about(texts: GameTexts, figure: Figure) -> list[Rule]:
    """Find the rules whose parameters name a figure."""
    found = []
    for rule in texts.book.rules.values():
        findings = Findings()
        if rule.kind is not None:
            fields_of(type(rule.kind)).read(to_builtins(rule.kind), (), findings)
        if any(one[:2] == ("figure", figure.id) for one in findings.references):
            found.append(rule)
    return found


def _rulings_about(texts: GameTexts, rules: Iterable[Rule]) -> list[str]:
    ids = {rule.id for rule in rules}
    return _ruling_lines(texts, (one for one in texts.game.rulings if ids & set(one.rules)))


def explain_total(texts: GameTexts, name: str, total: Total) -> Explanation:
    """Explain a figure of a mech or build: its terms with their sources, rules, errata, cases."""
    figure = total.figure
    rules = _rules_about(texts, figure)
    cites = [key for term in figure.terms for key in term.cites]
    cites += [key for rule in rules for key in rule.cites]
    errata = [
        one for one in texts.game.errata if any(change.field == figure.id for change in one.changes)
    ]
    return texts.explanation(
        f"{name} {total}",
        ("terms", list(_total_lines(texts, total))[1:]),
        ("formula", _formulas(texts, figure)),
        ("rules", _rule_lines(texts, rules)),
        ("sources", texts.cites(cites)),
        ("errata", _erratum_lines(texts, errata)),
        ("rulings", _rulings_about(texts, rules)),
    )


def _total_lines(texts: GameTexts, total: Total) -> Iterator[str]:
    """Write a figure and its terms, with their sources."""
    yield str(total)
    for term in total.terms:
        cited = f" [{texts.titles(term.cites)}]" if term.cites else ""
        yield f"  {term.label} {term.value}{cited}"


def _formulas(texts: GameTexts, figure: Figure) -> Iterator[str]:
    for term in figure.terms:
        each = f" ({term.each})" if term.each else ""
        yield f"{term.label}{each}: {term.value}"
    if figure.minimum is not None:
        yield f"{texts.word('minimum')} {figure.minimum}"


def explain_figure(texts: GameTexts, figure: Figure) -> Explanation:
    """Explain a figure of any build: its formulas, which cards change it, its rules and sources."""
    rules = _rules_about(texts, figure)
    changing = [
        f"{card.id} {card.name}: {card.get('modifies')}"
        for card in texts.game.cards.values()
        if figure.id in amounts(card, "modifies")
    ]
    return texts.explanation(
        f"{texts.named(figure.name)}",
        ("formula", _formulas(texts, figure)),
        ("modified-by", changing),
        ("rules", _rule_lines(texts, rules)),
        ("sources", texts.cites(key for term in figure.terms for key in term.cites)),
        ("rulings", _rulings_about(texts, rules)),
    )


def explain_build(texts: GameTexts, build: Build, figure: str = "") -> Explanation:
    """Explain a build: what it mounts, the cards of its decks, and all its figures; or a
    ``figure`` alone.

    Raises ``InvalidSource``.
    """
    if figure:
        return explain_figure_of_build(texts, build, figure, build.name)
    game = texts.game
    mounted = [
        f"{part}: {'・'.join(card_written(game, card) for card in cards) or '—'}"
        for part, cards in build.mounted.items()
    ]
    decks = []
    for deck, rows in build.decks.items():
        named = ((row, game.card(row.card)) for row in rows)
        lines = [
            f"{row.copies} {card.name} ({card.id})" if card else f"{row.copies} {row.card}"
            for row, card in named
        ]
        decks.append((_deck_title(texts, deck, rows), lines))
    figures = totals_of(game, build).values()
    frame = f" ({' '.join(build.frame.values())})" if build.frame else ""
    return texts.explanation(
        f"{build.name}{frame}",
        ("mounted", mounted),
        *decks,
        ("figures", (line for total in figures for line in _total_lines(texts, total))),
    )


def _deck_title(texts: GameTexts, deck: str, rows: Sequence[DeckEntry]) -> str:
    """Find what a deck is called, how many cards it has, and how many of each kind of card."""
    kind = texts.game.kind_of_deck(deck)
    cards = cards_of(texts.game, rows, None)
    kinds = ((texts.game.kinds[card.kind].name, row.copies) for row, card in cards)
    counts = sum_by_key((texts.named(name), copies) for name, copies in kinds)
    each = "・".join(f"{name} {count}" for name, count in counts.items())
    name = texts.named(kind.name) if kind else deck or texts.word("deck")
    return f"{name} {counts.total()} ({each})" if len(counts) > 1 else f"{name} {counts.total()}"


def explain_mech(texts: GameTexts, mech: Mech, variant: str = "") -> Explanation:
    """Explain a printed mech: loadouts, figures, errata and sources, and what nobody published."""
    parts: list[tuple[str, Iterable[str]]] = [("missing", mech.unknown)]
    for name in [variant] if variant else mech.loadouts:
        title = texts.named(texts.game.variants[name].name)
        inner = explain_build(texts, mech.loadouts[name])
        parts += [(f"{title}: {one.title}", one.lines) for one in inner.sections]
    errata = [
        one for one in texts.game.errata if any(mech.code in (c.mech, c.deck) for c in one.changes)
    ]
    return texts.explanation(
        f"{mech.code} {mech.name} ({' '.join(mech.frame.values())})",
        *parts,
        ("printed", [f"{figure} {value}" for figure, value in mech.printed.items()]),
        ("errata", _erratum_lines(texts, errata)),
        ("sources", texts.cites(mech.sources)),
        ("", [mech.note]),
    )


def explain_regulation(texts: GameTexts, regulation: Regulation) -> Explanation:
    """Explain a regulation: its date, what it sets, what of it could not be read."""
    date = regulation.date if regulation.date != "unknown" else texts.word("unknown")
    changed = [
        f"{rule}: {as_written(to_builtins(values))}"
        for rule, values in regulation.parameters.items()
    ]
    return texts.explanation(
        f"{regulation} {texts.named(regulation.title)}",
        ("", [texts.named(regulation.note)]),
        ("date", [date]),
        ("status", [f"{texts.word('certainty')}: {regulation.certainty}"]),
        ("parameters", changed),
        ("without", [", ".join(sorted(regulation.without))]),
        ("clauses", [texts.named(one) for one in regulation.not_yet]),
        ("sources", texts.cites(regulation.cites)),
    )


def explain_erratum(texts: GameTexts, erratum: Erratum) -> Explanation:
    """Explain a published correction: printed value, corrected value, date and source."""
    heading, *lines = _erratum_lines(texts, [erratum])
    sources = texts.cites([erratum.source])
    return texts.explanation(heading, ("errata", lines), ("sources", sources))


def explain_ruling(texts: GameTexts, ruling: Ruling) -> Explanation:
    """Explain an answer of the publisher, with the rules and cards that it bears on."""
    rules = [texts.book.rules[key] for key in ruling.rules if key in texts.book.rules]
    return texts.explanation(
        f"{ruling.id} {texts.label(ruling.topic)}",
        ("", [ruling.ruling]),
        ("rules", _rule_lines(texts, rules)),
        ("fields", ruling.cards),
        ("sources", texts.cites([ruling.source] if ruling.source else [])),
    )


def explain_figure_of_build(texts: GameTexts, build: Build, figure: str, name: str) -> Explanation:
    """Explain one figure of a build, by its id or English name. Raises ``InvalidSource``."""
    results = totals_of(texts.game, build)
    key = resolve_name(texts.game, "figure", figure)
    if key in results:
        return explain_total(texts, name, results[key])
    raise InvalidSource([unknown(texts.game, "figure", figure, COMMAND_LINE, "EXPLAIN")])


def _regulations(book: Rulebook) -> Iterable[Named]:
    """Name each version by its own name; the newest by that of all."""
    for one in book.regulations:
        versions = [other for other in book.regulations if other.id == one.id]
        yield Named(str(one), (one.id, *one.title.words) if one is newest(versions) else ())


# Things of a sort by id, what they are called, and how one of them is explained.
_Sort: TypeAlias = tuple[Mapping[str, Any], Names, Callable[["GameTexts", Any], Explanation]]


def _sorts(texts: GameTexts) -> Mapping[str, _Sort]:
    """Find what can be explained, by sort, in the order in which a word is looked up."""
    game, rules = texts.game, texts.book.rules
    errata = {one.id: one for one in game.errata}
    rulings = {one.id: one for one in game.rulings}
    figures = {one.id: one for one in game.figures}
    regulations = {str(one): one for one in texts.book.regulations}
    titles = (Named(one.id, one.title.words) for one in rules.values())
    topics = (Named(one.id, (one.topic,)) for one in game.rulings)
    return {
        "rule": (rules, index(titles), explain_rule),
        "erratum": (errata, index(map(Named, errata)), explain_erratum),
        "ruling": (rulings, index(topics), explain_ruling),
        "mech": (game.mechs, name_index(game, "mech"), explain_mech),
        "card": (game.cards, name_index(game, "card"), explain_card),
        "figure": (figures, name_index(game, "figure"), explain_figure),
        "regulation": (regulations, index(_regulations(texts.book)), explain_regulation),
    }


def _find(texts: GameTexts, sorts: Mapping[str, _Sort], word: str) -> tuple[str, Sequence[str]]:
    """Find the sort of things that a word names, and which; what is written so comes first."""
    for exactly in (True, False):
        for sort, (_, names, _) in sorts.items():
            if (not exactly or names.holds(word)) and (found := names.matches(word)):
                return sort, found
    code, colon, variant = resolve_mech(texts.game, word).partition(":")
    mech = texts.game.mechs.get(code)
    if colon and mech is not None and variant in mech.loadouts:
        return "mech", (f"{code}:{variant}",)
    return "", ()


def knows(texts: GameTexts, thing: str) -> bool:
    """Say whether a game has anything of this id or name."""
    return bool(_find(texts, _sorts(texts), thing)[1])


def names_of(texts: GameTexts) -> Names:
    """Find everything that can be explained, by what people call it."""
    sorts = _sorts(texts).values()
    return index(thing for _, names, _ in sorts for thing in names.things.values())


def explain(texts: GameTexts, thing: str, figure: str = "") -> Explanation:
    """Explain a thing by its id or name; with ``figure``, that figure of a mech or weapon.

    Raises ``InvalidSource`` for what the game does not have, or has several of.
    """
    sorts = _sorts(texts)
    sort, found = _find(texts, sorts, thing)
    if len(found) > 1:
        _, names, _ = sorts[sort]
        raise InvalidSource([ambiguous_name(COMMAND_LINE, "EXPLAIN", names, thing)])
    if figure:
        return _explain_figure_of(texts, thing, sort, figure)
    if sort == "mech":
        code, _, variant = found[0].partition(":")
        return explain_mech(texts, texts.game.mechs[code], variant)
    if found:
        things, _, explain_one = sorts[sort]
        return explain_one(texts, things[found[0]])
    raise _unknown(texts, thing, names_of(texts))


def _unknown(texts: GameTexts, thing: str, names: Names) -> InvalidSource:
    near = near_names(names, thing)
    return error_at(COMMAND_LINE, "EXPLAIN", "no", game=texts.game.id, thing=thing, nearest=near)


def _explain_figure_of(texts: GameTexts, thing: str, sort: str, figure: str) -> Explanation:
    """Explain a figure of a mech, or the damage of a card."""
    game = texts.game
    code, _, variant = resolve_mech(game, thing).partition(":")
    if sort == "mech" or code in game.mechs:
        mech = find_mech(game, code)
        if not mech.loadouts:
            raise error_at(mech.where, "EXPLAIN", "no-figures-nobody", mech=mech.name)
        if variant and variant not in mech.loadouts:
            raise _unknown(texts, thing, index(Named(f"{code}:{name}") for name in mech.loadouts))
        build = mech.loadouts[variant or next(iter(mech.loadouts))]
        return explain_figure_of_build(texts, build, figure, f"{mech.code} {mech.name}")
    card = game.card(resolve_name(game, "card", thing))
    if card is None:
        raise _unknown(texts, thing, names_of(texts))
    for rule in texts.book.rules.values():
        if isinstance(rule.kind, Range) and rule.kind.is_result(figure):
            return explain_damage(texts, card, rule, rule.kind, figure)
    raise _unknown(texts, f"{card.name} {figure}", index(map(Named, card.fields)))


def explain_situation(texts: GameTexts, thing: str, given: Mapping[str, str]) -> Explanation:
    """Explain what comes of a situation, as people type it, by a rule of play or for a weapon.

    Raises ``InvalidSource`` where that is no such rule, or is not asked so.
    """
    sorts = _sorts(texts)
    sort, found = _find(texts, sorts, thing)
    rules = texts.book.rules
    if sort == "card" and len(found) == 1:
        rule = next((one for one in rules.values() if isinstance(one.kind, Range)), None)
        given = {texts.word("typed-card"): thing, **given}
    else:
        rule = rules.get(found[0]) if sort == "rule" and len(found) == 1 else None
    if rule is None:
        raise _unknown(texts, thing, sorts["rule"][1])
    if not isinstance(rule.kind, OfPlay):
        raise error_at(COMMAND_LINE, "EXPLAIN", "no-play", asked=rule.id)
    names = {typed: _resolve_key(texts, typed, text) for typed, text in given.items()}
    values = {names[typed]: _read_value(texts, names[typed], given[typed]) for typed in given}
    outcome = rule.kind.outcome(Situation(texts.game, rules, values, COMMAND_LINE), rule)
    return texts.explanation(
        f"{rule.id} {texts.named(rule.title)}: {outcome_text(outcome.value)}",
        ("given", [f"{key} = {text}" for key, text in given.items()]),
        ("terms", [f"{term.label} {term.value:+d}" for term in outcome.terms]),
        ("", [texts.named(rule.text)]),
        ("sources", texts.cites(rule.cites)),
    )


def _resolve_key(texts: GameTexts, name: str, text: str) -> str:
    """Find the name of a thing of a situation that somebody spells so."""
    known = {*OF_CARDS, *OF_DISTANCE, *words_of_play(texts.book.rules.values())}
    distance = {words("explanation", language)["typed-distance"]: None for language in LANGUAGES}
    found = headings(sorted(known), [Named("distance", tuple(distance))]).matches(name)
    if {"card", "cards"} <= set(found):
        return "cards" if any(sign in text for sign in ",、，") else "card"
    return found[0] if len(found) == 1 else name


def _read_value(texts: GameTexts, name: str, text: str) -> Any:
    """Read a value of a situation: a number, a text, a card, a list of cards, a square."""
    parts = [part.strip() for part in text.replace("、", ",").replace("，", ",").split(",")]
    if name in ("cards", "with"):
        return [resolve_name(texts.game, "card", part) for part in parts if part]
    if name == "card":
        return resolve_name(texts.game, "card", text)
    numbers = [whole_number(normalized(part)) for part in parts]
    if name in ("from", "to"):
        return [
            part if number is None else number for part, number in zip(parts, numbers, strict=True)
        ]
    if numbers[0] is None or parts[1:]:
        return _read_word(texts, name, text)
    return numbers[0]


def _read_word(texts: GameTexts, name: str, text: str) -> str:
    """Find the word of the rules that somebody calls so, such as a kind of ground; a text as it is
    where no formula asks what its name stands for.

    Raises ``InvalidSource`` for one that no formula compares with.
    """
    words, aliases = words_of_play(texts.book.rules.values()), texts.game.aliases
    each = (Named(one, (), aliases.get(one, ())) for one in sorted(set().union(*words.values())))
    found = index(each).matches(text)
    if len(found) == 1:
        return found[0]
    if own := sorted(words.get(as_in_formulas(name), ())):
        shown = [f"{one} ({aliases[one][0]})" if aliases.get(one) else one for one in own]
        values = {"name": name, "found": quoted(text), "allowed": ", ".join(shown)}
        raise error_at(COMMAND_LINE, "CASE", "given", **values, nearest="")
    return text
