"""What people may call the things of a game, by sort, in any spelling (see ``core.names``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from exporter.core import grouped
from exporter.core.messages import sentence
from exporter.core.names import (
    Named,
    Names,
    index,
    normalized,
)
from exporter.core.problems import OF_A_FRAME as OF_A_FRAME
from exporter.core.problems import (
    Problem,
    SourceLocation,
    ambiguous_name,
    near_names,
    quoted,
    sort_called,
)
from exporter.model.boards import Board
from exporter.model.cards import Card, Edition
from exporter.model.game import Game
from exporter.model.layouts import RoomPlan
from exporter.model.mech import Figure, Variant

# Key or column → what it is called in Japanese. No file has all, so a word may be of several.
HEADINGS: Mapping[str, tuple[str, ...]] = {
    "game": ("ゲーム", "ゲーム名", "対象ゲーム"),
    "name": ("名前", "なまえ", "名称", "機体", "機体名", "デッキ名"),
    "build": ("機体", "機体名", "ビルド", "構築", "名前", "なまえ", "build name"),
    "deck": ("デッキ", "山札", "デッキの種類"),
    "decks": ("デッキ", "山札"),
    "frame": ("機体", "機体タイプ", "フレーム", "シャーシ", "機種"),
    "mounted": ("搭載", "搭載武装", "装備", "部位"),
    "part": ("部位", "場所", "搭載部位", "搭載箇所", "パーツ"),
    "card": ("カード", "カード名", "武装", "武装名", "装備"),
    "cards": ("カード", "カード一覧", "内容"),
    "copies": ("枚数", "まいすう", "数", "個数", "枚"),
    "pilot": ("パイロット", "操縦者", "パイロット名"),
    "pilots": ("パイロット", "操縦者", "搭乗者"),
    "skill": ("技能", "スキル", "パイロット技能"),
    "skills": ("技能", "スキル", "パイロット技能"),
    "regulation": ("レギュレーション", "レギュ", "大会規定"),
    "waivers": ("免除", "免除する規則", "ハウスルール"),
    "rule": ("規則", "ルール"),
    "reason": ("理由", "わけ"),
    "from": ("始点", "自分のマス"),
    "to": ("終点", "相手のマス"),
    "mode": ("使い方", "モード"),
    "with": ("併用", "使用中"),
}


def headings(keys: Iterable[str], more: Iterable[Named] = ()) -> Names:
    """Return keys or columns of one sort of file by what players call them, and ``more`` of a
    game."""
    return index([*(Named(key, (), HEADINGS.get(key, ())) for key in keys), *more])


FRAME_KEY = "key of a frame"


def name_index(game: Game, sort: str) -> Names:
    """Return the things of a sort by what people call them; of a sort that nobody names, none."""

    def work() -> Names:
        readings = {word: tuple(spoken.split("/")) for word, spoken in game.readings.items()}
        if sort.startswith(OF_A_FRAME):
            words = frame_words(game).get(sort.removeprefix(OF_A_FRAME), ())
            return index([_named(game, word) for word in words], readings)
        return index(_SORTS[sort](game) if sort in _SORTS else (), readings)

    return game.cached(("called", sort), work)


def resolve_name(game: Game, sort: str, word: str) -> str:
    """Return the name that a word stands for as the game writes it; a word that fits nothing, or
    several things equally well, stays as it is.

    A card is its id where that was meant, or other cards have its name too, else its name.
    """
    if not word or (sort == "card" and game.card(word) is not None):
        return word
    names = name_index(game, sort)
    found = names.matches(word)
    if len(found) != 1:
        return word
    if sort != "card" or normalized(word) == normalized(found[0]):
        return found[0]
    name = game.cards[found[0]].name
    return name if names.matches(name) == found else found[0]


# The sorts of things that have names of their own, in the order in which a word is looked up.
ANY = ("card", "mech", "deck", "edition", "board", "room")


def resolve_any(game: Game, word: str, sorts: Sequence[str] = ANY) -> str:
    """Return the name that a word stands for among several sorts; a mech may have its
    ``:VARIANT``."""
    if any(name_index(game, sort).holds(word) for sort in sorts):
        return word
    for sort in sorts:
        found = resolve_mech(game, word) if sort == "mech" else resolve_name(game, sort, word)
        if found != word:
            return found
    return word


def resolve_mech(game: Game, typed: str) -> str:
    """Return the name of a mech, ``CODE`` or ``CODE:VARIANT``, as the game writes it."""
    code, colon, variant = typed.replace("：", ":").partition(":")
    found = resolve_name(game, "mech", code)
    if not colon and found not in game.mechs:
        code, variant = _without_variant(game, typed)
        found = resolve_name(game, "mech", code)
    if variant and found in game.mechs:
        return f"{found}:{resolve_name(game, 'variant', variant)}"
    return found if colon or found in game.mechs else typed


def _without_variant(game: Game, typed: str) -> tuple[str, str]:
    """Split a name such as ``AG改`` into mech and variant, if it ends in the name of one."""
    for thing in name_index(game, "variant").things.values():
        for word in sorted(thing.words, key=len, reverse=True):
            if normalized(typed[-len(word) :]) == normalized(word):
                return typed[: -len(word)], word
    return typed, ""


def unknown(game: Game, sort: str, word: str, where: SourceLocation, check: str) -> Problem:
    """Say that a word is no name of a sort of things, or of several of them alike."""
    names = name_index(game, sort)
    if names.matches(word):
        return ambiguous_name(where, check, names, word)
    return Problem(
        where,
        check,
        sentence(
            "names",
            "not-here",
            game=game.id,
            sort=sort_called(sort),
            name=quoted(word),
            nearest=near_names(names, word),
        ),
    )


def frame_words(game: Game) -> dict[str, list[str]]:
    """Return what may stand under each key of a frame."""
    words: dict[str, dict[str, None]] = {}
    for frame in game.frames:
        for key, word in frame.key.items():
            words.setdefault(key, {})[word] = None
    for key, options in game.frame.options.items():
        words.setdefault(key, {}).update(dict.fromkeys(options))
    return {key: list(found) for key, found in words.items()}


def _named(game: Game, key: str, *names: str) -> Named:
    known = tuple(name for name in names if name)
    aliases = [alias for word in (key, *known) for alias in game.aliases.get(word, ())]
    aliases += [game.english[word] for word in (key, *known) if word in game.english]
    return Named(key, known, tuple(aliases))


def _by_id(
    game: Game, things: Iterable[Edition | Figure | Board | RoomPlan | Variant]
) -> Iterator[Named]:
    for one in things:
        yield _named(game, one.id, one.name.ja, one.name.en)


def _card(game: Game, card: Card) -> Named:
    others = [card.text(field) for field in game.kinds[card.kind].called if field != "aliases"]
    names = tuple(filter(None, (card.name, *others)))
    aliases = card.get("aliases")
    words = aliases if isinstance(aliases, tuple) else (str(aliases),)
    return Named(card.id, names, tuple(filter(None, words)))


def _seats(game: Game) -> Iterator[Named]:
    """Yield seats by their id; rooms may call one of an id differently."""
    every = (seat for room in game.rooms.values() for seat in room.seats)
    for key, seats in grouped(every, lambda seat: seat.id).items():
        yield _named(game, key, *dict.fromkeys(seat.name for seat in seats))


_SORTS: Mapping[str, Callable[[Game], Iterable[Named]]] = {
    "card": lambda game: [_card(game, card) for card in game.cards.values()],
    "mech": lambda game: [_named(game, one.code, one.name) for one in game.mechs.values()],
    "part": lambda game: [_named(game, part) for part in game.parts],
    "board": lambda game: _by_id(game, game.boards.values()),
    "terrain": lambda game: [
        _named(game, kind)
        for kind in {cell.terrain: 0 for one in game.boards.values() for cell in one.cells}
    ],
    "room": lambda game: _by_id(game, game.rooms.values()),
    "seat": _seats,
    "edition": lambda game: _by_id(game, game.editions.values()),
    "variant": lambda game: _by_id(game, game.variants.values()),
    "figure": lambda game: _by_id(game, game.figures),
    "deck": lambda game: [_named(game, deck) for deck in game.printed_decks],
    FRAME_KEY: lambda game: [
        _named(game, key, game.frame.names.get(key, "")) for key in frame_words(game)
    ],
}


def sorts(game: Game) -> list[str]:
    """Return all sorts of things of a game that players may call by name."""
    return [*_SORTS, *(OF_A_FRAME + key for key in frame_words(game))]
