"""What the rows of tables put on faces, held against what the styles of their kinds take."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct

from exporter.core.problems import (
    Problem,
    SourceLocation,
    nearest,
    problem_at,
)
from exporter.faces.card_faces import (
    CARD_ITSELF,
    LOADOUT_NAMES,
    names_shown,
)
from exporter.loader.layout_files import item_styles
from exporter.loader.load_context import LoadContext
from exporter.loader.style_files import (
    Styles,
    values_at,
)
from exporter.model import (
    Card,
    DeckEntry,
    Declaration,
    FaceStyle,
    FieldType,
    Game,
    Head,
    Kind,
    Take,
    TakeType,
    Value,
)
from exporter.model.document_places import (
    Document,
    Path,
    Quoted,
    Table,
    place,
)
from exporter.model.record_forms import problem_of
from exporter.model.template_values import (
    Reader,
    allowed_of,
    named_fields,
)

_COLUMNS: Mapping[TakeType, tuple[FieldType, ...]] = {
    "text": ("text", "number"),
    "colour": ("text",),
    "words": ("text",),
    "number": ("number",),
    "measure": ("number",),
    "flag": ("flag",),
    "list": ("list",),
}
"""The types of columns that may hold what a template takes."""

_NEAR = 0.8
"""How alike a word and a field are, so that somebody will have meant the field."""


class _Side(Struct):
    """One side of a kind's cards, and the style that it has, with its values as they are spelled.

    ``gets`` are the names of all there is to show.
    """

    game: Game
    kind: Kind
    side: Literal["front", "back"]
    style: FaceStyle
    declaration: Declaration
    spelled: Table
    gets: set[str]


def check_faces(reading: LoadContext, head: Head, game: Game, styles: Styles) -> None:
    """Notes what cards would show wrongly: slots without their field, cells of a wrong sort."""
    sides: tuple[Literal["front", "back"], ...] = ("front", "back")
    for kind in game.kinds.values():
        for side in sides:
            style = game.faces.get(kind.front if side == "front" else kind.back)
            known = f"field of {kind.id}" not in reading.incomplete
            if style is None or style.declaration is None or not known:
                continue
            spelled = styles.spelled.get(style.id, Table(style.where))
            gets = {*names_shown(kind, side), *style.values}
            shown = _Side(game, kind, side, style, style.declaration, spelled, gets)
            reading.problems += _slots(shown, head)
            reading.problems += _columns(shown, head)


def _slots(shown: _Side, head: Head) -> Iterator[Problem]:
    """Slots that name what this side does not get: their own word would be set instead."""
    kind, side = shown.kind, shown.side
    own = {*CARD_ITSELF, *kind.fields}
    others = {name for other in shown.game.kinds.values() for name in other.fields}
    takes, values = shown.declaration.takes, shown.style.values
    for path, take, word in named_fields(takes, values, side):
        words: dict[str, Any] = {"slot": ".".join(map(str, path)), "style": shown.style.id}
        words |= {"word": word, "kind": kind.id, "side": side}
        if take.sort == "cards":
            if side == "back" or word not in kind.front_lists:
                near = nearest(word, kind.front_lists)
                yield problem_at(
                    _at(shown, path),
                    "SRC-SLOT",
                    "none-front-lists" if near else "no-front-list",
                    near=near,
                    **words,
                )
        elif word in shown.gets:
            continue
        elif word in own:
            yield problem_at(_at_fields(shown, head), "SRC-SLOT", "side-does-not-get", **words)
        elif take.sort == "field" or word in others or _is_slip(shown, path, word):
            yield problem_at(
                _at(shown, path),
                "SRC-SLOT",
                "no-field" if take.sort == "field" or word in others else "no-field-or-word",
                near=nearest(word, shown.gets),
                **words,
            )


def _at(shown: _Side, path: Path) -> SourceLocation:
    """Where a slot's word stands."""
    return place(shown.spelled, path, shown.style.where)


def _at_fields(shown: _Side, head: Head) -> SourceLocation:
    """Where a kind says what a side shows, or which style it has."""
    key = f"{shown.side}_fields"
    given = values_at(shown.kind.spot)
    return shown.kind.place(key if given and key in given else shown.side)


def _is_slip(shown: _Side, path: Path, word: str) -> bool:
    """Whether a word of no field is so near to one that somebody will have meant that."""
    spelled: Any = shown.spelled
    for step in path:
        try:
            spelled = spelled[step]
        except (KeyError, IndexError, TypeError):
            return False
    if isinstance(spelled, Quoted) or not (word.isascii() and word.isidentifier()):
        return False
    return bool(difflib.get_close_matches(word, shown.gets, n=1, cutoff=_NEAR))


def check_shown(
    game: Game,
    style: FaceStyle | None,
    values: Mapping[str, Any],
    gets: Iterable[str],
    where: SourceLocation,
) -> Iterator[Problem]:
    """The same of a face that is no card: fields that its slots name, and that it does not get.

    ``values`` are its own, ``gets`` the names of what it shows besides.
    """
    if style is None or style.declaration is None:
        return
    every = {*style.values, *values, *gets}
    fields = {*CARD_ITSELF, *(name for kind in game.kinds.values() for name in kind.fields)}
    whole = {**style.values, **values}
    for path, take, word in named_fields(style.declaration.takes, whole):
        if word not in every and (word in fields or take.sort != "slot"):
            yield problem_at(
                where,
                "SRC-SLOT",
                "show-field-not",
                slot=".".join(map(str, path)),
                style=style.id,
                word=word,
            )


def check_items(reading: LoadContext, game: Game) -> None:
    """Notes the slots of mats, pieces, dice, sheets and pawns that show nothing."""
    for layout in game.layouts.values():
        for item in layout.items:
            for style in item_styles(item):
                gets = LOADOUT_NAMES if item.lay in ("sheet", "pawn") else _ITEM_NAMES
                found = check_shown(game, game.faces.get(style), item.values, gets, item.where)
                reading.problems += found


def check_pictures(reading: LoadContext, game: Game) -> None:
    """Notes a problem for each picture of a card whose style shows none."""
    for name, path in game.pictures.items():
        kind = game.kinds.get(game.cards[name].kind) if name in game.cards else None
        style = game.faces.get(kind.front) if kind else None
        if style and style.declaration and "picture" not in style.declaration.takes:
            reading.problems.append(
                problem_at(
                    SourceLocation(reading.label(path)),
                    "SRC-FILE",
                    "picture-not-shown",
                    template=style.template,
                    kind=game.cards[name].kind,
                )
            )


_ITEM_NAMES = ("team", "value", "units")


def _columns(shown: _Side, head: Head) -> Iterator[Problem]:
    """Columns and cells that hold another sort of value than the style takes."""
    kind = shown.kind
    takes: dict[str, Take] = {}
    for name in kind.front_fields if shown.side == "front" else kind.back_fields:
        take, field = shown.declaration.takes.get(name), kind.fields.get(name)
        if take is None or field is None or take.sort not in _COLUMNS:
            continue
        if take.side and take.side != shown.side:
            continue
        if field.type in _COLUMNS[take.sort]:
            takes[name] = take
            continue
        yield problem_at(
            kind.place("fields", name),
            "SRC-VALUE",
            "found-column-type",
            name=name,
            sort=field.type,
            template=shown.style.template,
            allowed=allowed_of(take),
            types=", ".join(_COLUMNS[take.sort]),
        )
    sound: dict[str, set[Value]] = {name: {"", 0, ()} for name in takes}
    for row in _rows(shown.game, kind):
        for name, take in takes.items():
            value = row.fields.get(name, "")
            if value not in sound[name]:
                reader = Reader()
                reader.value(take, value, (name,))
                where = row.at(name) if isinstance(row, Card) else row.where
                yield from (problem_of(fault, Document(where, value)) for fault in reader.faults)
                if not reader.faults:
                    sound[name].add(value)


def _rows(game: Game, kind: Kind) -> Iterator[Card | DeckEntry]:
    """The cards of a kind, and the entries of decks that give some of them other fields."""
    yield from (card for card in game.cards.values() if card.kind == kind.id)
    for entry in game.decks:
        card = game.card(entry.card) if entry.fields else None
        if card is not None and card.kind == kind.id:
            yield entry
