"""What a word or a typed situation names in a game, and the explanation of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from exporter.core.messages import (
    LANGUAGES,
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
    error_at,
    near_names,
    several,
)
from exporter.model.called import (
    mech_meant,
    name_index,
    resolve_name,
)
from exporter.model.headings import headings
from exporter.model.spelling import whole_number
from exporter.rules.expressions import as_asked
from exporter.rules.kinds.range import Range
from exporter.rules.loadouts import find_mech
from exporter.rules.play_rules import (
    OF_CARDS,
    OF_DISTANCE,
    OfPlay,
    Situation,
    names_of_play,
    shown,
    words_of_play,
)
from exporter.rules.report.explanations import (
    Explanation,
    Library,
    explain_card,
    explain_damage,
    explain_erratum,
    explain_figure,
    explain_figure_of_build,
    explain_mech,
    explain_regulation,
    explain_rule,
    explain_ruling,
    explanation,
)
from exporter.rules.rulebook import Rulebook, newest


def _regulations(book: Rulebook) -> Iterable[Named]:
    """Name each version by its own name; the newest by that of all."""
    for one in book.regulations:
        versions = [other for other in book.regulations if other.id == one.id]
        names = (one.id, one.title.ja, one.title.en) if one is newest(versions) else ()
        yield Named(str(one), tuple(filter(None, names)))


def _names_by_sort(lib: Library) -> Mapping[str, Names]:
    """Find what can be explained, by sort, in the order in which a word is looked up."""
    game, book = lib.game, lib.book
    titles = ((rule.id, rule.title) for rule in book.rules.values())
    return {
        "rule": index(Named(key, tuple(filter(None, (one.ja, one.en)))) for key, one in titles),
        "erratum": index(Named(one.id) for one in game.errata),
        "ruling": index(Named(one.id, (one.topic,)) for one in game.rulings),
        "mech": name_index(game, "mech"),
        "card": name_index(game, "card"),
        "figure": name_index(game, "figure"),
        "regulation": index(_regulations(book)),
    }


_EXPLAIN: Mapping[str, Callable[[Library, str], Explanation]] = {
    "rule": lambda lib, key: explain_rule(lib, lib.book.rules[key]),
    "erratum": lambda lib, key: explain_erratum(
        lib, next(one for one in lib.game.errata if one.id == key)
    ),
    "ruling": lambda lib, key: explain_ruling(
        lib, next(one for one in lib.game.rulings if one.id == key)
    ),
    "mech": lambda lib, key: explain_mech(
        lib, lib.game.mechs[key.partition(":")[0]], key.partition(":")[2]
    ),
    "card": lambda lib, key: explain_card(lib, lib.game.cards[key]),
    "figure": lambda lib, key: explain_figure(
        lib, next(one for one in lib.game.figures if one.id == key)
    ),
    "regulation": lambda lib, key: explain_regulation(
        lib, next(one for one in lib.book.regulations if str(one) == key)
    ),
}


def _find(lib: Library, word: str) -> tuple[str, tuple[str, ...]]:
    """Find the sort of things that a word names, and which; what is written so comes first."""
    sorts = _names_by_sort(lib)
    for exactly in (True, False):
        for sort, names in sorts.items():
            if not exactly or names.holds(word):
                found = names.meant(word)
                if found:
                    return sort, tuple(found)
    code, colon, variant = mech_meant(lib.game, word).partition(":")
    mech = lib.game.mechs.get(code)
    if colon and mech is not None and variant in mech.loadouts:
        return "mech", (f"{code}:{variant}",)
    return "", ()


def knows(lib: Library, thing: str) -> bool:
    """Say whether a game has anything of this id or name."""
    return bool(_find(lib, thing)[1])


def names_of(lib: Library) -> Names:
    """Find everything that can be explained, by what people call it."""
    sorts = _names_by_sort(lib).values()
    return index(thing for names in sorts for thing in names.things.values())


def explain(lib: Library, thing: str, figure: str = "") -> Explanation:
    """Explain a thing by its id or name; with ``figure``, that figure of a mech or weapon.

    Raises ``InvalidSource`` for what the game does not have, or has several of.
    """
    sort, found = _find(lib, thing)
    if len(found) > 1:
        raise InvalidSource([several(COMMAND_LINE, "EXPLAIN", _names_by_sort(lib)[sort], thing)])
    if figure:
        return _explain_figure_of(lib, thing, sort, figure)
    if found:
        return _EXPLAIN[sort](lib, found[0])
    raise _unknown(lib, thing, names_of(lib))


def _unknown(lib: Library, thing: str, names: Names) -> InvalidSource:
    near = near_names(names, thing)
    return error_at(COMMAND_LINE, "EXPLAIN", "no", game=lib.game.id, thing=thing, nearest=near)


def _explain_figure_of(lib: Library, thing: str, sort: str, figure: str) -> Explanation:
    """Explain a figure of a mech, or the damage of a card."""
    game = lib.game
    code, _, variant = mech_meant(game, thing).partition(":")
    if sort == "mech" or code in game.mechs:
        mech = find_mech(game, code)
        if not mech.loadouts:
            raise error_at(mech.where, "EXPLAIN", "no-figures-nobody", mech=mech.name)
        if variant and variant not in mech.loadouts:
            raise _unknown(lib, thing, index(Named(f"{code}:{name}") for name in mech.loadouts))
        build = mech.loadouts[variant or next(iter(mech.loadouts))]
        return explain_figure_of_build(lib, build, figure, f"{mech.code} {mech.name}")
    card = game.card(resolve_name(game, "card", thing))
    if card is None:
        raise _unknown(lib, thing, names_of(lib))
    for rule in lib.book.rules.values():
        if isinstance(rule.kind, Range) and rule.kind.is_result(figure):
            return explain_damage(lib, card, rule, rule.kind, figure)
    raise _unknown(lib, f"{card.name} {figure}", index(map(Named, card.fields)))


def explain_situation(lib: Library, thing: str, given: Mapping[str, str]) -> Explanation:
    """Explain what comes of a situation, as people type it, by a rule of play or for a weapon.

    Raises ``InvalidSource`` where that is no such rule, or is not asked so.
    """
    sort, found = _find(lib, thing)
    rules = lib.book.rules
    if sort == "card" and len(found) == 1:
        rule = next((one for one in rules.values() if isinstance(one.kind, Range)), None)
        given = {lib.word("typed-card"): thing, **given}
    else:
        rule = rules.get(found[0]) if sort == "rule" and len(found) == 1 else None
    if rule is None:
        raise _unknown(lib, thing, _names_by_sort(lib)["rule"])
    if not isinstance(rule.kind, OfPlay):
        raise error_at(COMMAND_LINE, "EXPLAIN", "no-play", asked=rule.id)
    names = {typed: _resolve_key(lib, typed, text) for typed, text in given.items()}
    values = {names[typed]: _read_value(lib, names[typed], given[typed]) for typed in given}
    outcome = rule.kind.outcome(Situation(lib.game, rules, values, COMMAND_LINE), rule)
    strange = _strange_words(lib, values)
    situation = [f"{key} = {text}{strange.get(names[key], '')}" for key, text in given.items()]
    return explanation(
        f"{rule.id} {rule.title.in_language(lib.language)}: {shown(outcome.value)}",
        (lib.word("given"), situation),
        (lib.word("terms"), [f"{term.label} {term.value:+d}" for term in outcome.terms]),
        ("", filter(None, [rule.text.in_language(lib.language)])),
        (lib.word("sources"), lib.cites(rule.cites)),
    )


def _resolve_key(lib: Library, name: str, text: str) -> str:
    """Find the name of a thing of a situation that somebody spells so."""
    play = [rule for rule in lib.book.rules.values() if isinstance(rule.kind, OfPlay)]
    each = (names_of_play(rule) for rule in play)
    distance = {words("explanation", language)["typed-distance"]: None for language in LANGUAGES}
    known = sorted({*OF_CARDS, *OF_DISTANCE}.union(*each))
    found = headings(known, [Named("distance", tuple(distance))]).meant(name)
    if {"card", "cards"} <= set(found):
        return "cards" if any(sign in text for sign in ",、，") else "card"
    return found[0] if len(found) == 1 else name


def _read_value(lib: Library, name: str, text: str) -> Any:
    """Read a value of a situation: a number, a text, a card, a list of cards, a square."""
    parts = [part.strip() for part in text.replace("、", ",").replace("，", ",").split(",")]
    if name in ("cards", "with"):
        return [resolve_name(lib.game, "card", part) for part in parts if part]
    if name == "card":
        return resolve_name(lib.game, "card", text)
    numbers = [whole_number(normalized(part)) for part in parts]
    if name in ("from", "to"):
        return [
            part if number is None else number for part, number in zip(parts, numbers, strict=True)
        ]
    if numbers[0] is None or parts[1:]:
        return _resolve_word(lib, text)
    return numbers[0]


def _strange_words(lib: Library, given: Mapping[str, object]) -> dict[str, str]:
    """Give behind each text that no formula compares with, the texts that its name is compared
    with."""
    words = words_of_play(lib.book.rules.values())
    known = set().union(*words.values())
    found = {}
    for name, value in given.items():
        own = sorted(words.get(as_asked(name), ()))
        if isinstance(value, str) and own and value not in known:
            aliases = lib.game.aliases
            each = [f"{one} ({aliases[one][0]})" if aliases.get(one) else one for one in own]
            found[name] = lib.word("strange-word", words=", ".join(each))
    return found


def _resolve_word(lib: Library, text: str) -> str:
    """Find the word of the rules that somebody calls so, such as a kind of ground; else the
    text."""
    words = set().union(*words_of_play(lib.book.rules.values()).values())
    each = (Named(one, (), lib.game.aliases.get(one, ())) for one in sorted(words))
    found = index(each).meant(text)
    return found[0] if len(found) == 1 else text
