"""Face styles: what their templates say of themselves, and the values that a game gives them.

A template declares what it takes as YAML in the comments of its first lines, from ``// takes:`` on:
so it is known without running anything, also of a stranger's template.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from exporter.core.messages import Sentence
from exporter.core.problems import (
    InvalidSource,
    Problem,
    Severity,
    SourceLocation,
    nearest,
    notice_at,
    problem_at,
    word_of,
)
from exporter.core.shipped_files import template_folders
from exporter.core.source_files import inside, open_plain
from exporter.faces.card_faces import (
    CARD_ITSELF,
    LOADOUT_NAMES,
    names_shown,
)
from exporter.faces.icons import colour_names, is_colour
from exporter.faces.style_values import PLAIN_STYLES, declarations, styles_of
from exporter.loader.load_context import LoadContext
from exporter.model import (
    Card,
    DeckEntry,
    Declaration,
    FaceStyle,
    FieldType,
    Game,
    Head,
    Item,
    Kind,
    Take,
    TakeType,
    Value,
    WrittenStyle,
)
from exporter.model.documents import (
    Document,
    Path,
    Quoted,
    Spot,
    Table,
    place,
)
from exporter.model.forms import (
    Findings,
    problem_of,
)
from exporter.model.layouts import STYLES
from exporter.model.shape import (
    Record,
)
from exporter.model.styles import (
    named_fields,
    take_form,
    values_form,
)
from exporter.render.typesetter import load_fonts


class Styles(Struct):
    """The styles of a game by id, and the values of each as they are spelled."""

    faces: dict[str, FaceStyle]
    spelled: dict[str, Table] = field(default_factory=dict)


def read_styles(reading: LoadContext, head: Head) -> Styles:
    """Read the game's styles, and the plain ones for what it gives none of its own."""
    found = Styles(styles_of(head.look))
    for key, style in head.faces.items():
        _add_style(reading, key, style, found)
    templates = dict.fromkeys(style.template for style in found.faces.values())
    declared, problems = declarations(templates)
    reading.problems += problems
    for key, style in found.faces.items():
        declaration = declared.get(style.template)
        values = style.values
        if declaration is not None and key in found.spelled:
            own = head.faces[key].values
            values = {**values, **_style_values(reading, found.spelled[key], own, declaration)}
        found.faces[key] = replace(style, declaration=declaration, values=values)
        if key in head.faces and declaration is not None and "family" in declaration.takes:
            _check_files(reading, head.faces[key].values, head.faces[key], "values")
    if head.look is not None:
        _check_files(reading, head.look.values, head, "family")
    return found


def _check_files(reading: LoadContext, values: Mapping[str, Any], thing: Record, key: str) -> None:
    """Note a frame that is not there, and a typeface of titles that no font has."""
    frame, display = (str(values.get(name, "")) for name in ("frame", "display"))
    path = inside(reading.root, frame)
    try:
        if path is not None:
            open_plain(path, reading.label(frame), sys.maxsize, thing.place(key, "frame")).close()
    except InvalidSource as error:
        reading.problems += error.problems
    folders = [str(folder / "fonts") for folder in template_folders("faces")]
    known = load_fonts(folders).families() if display else []
    if display and display.casefold() not in map(str.casefold, known):
        reading.fault(thing.place(key, "display"), "FACE-TEMPLATE", "no-typeface", name=display)


def _add_style(reading: LoadContext, key: str, style: WrittenStyle, found: Styles) -> None:
    """Add a style with what it has of the one that it is like, which stands before it."""
    like = found.faces.get(style.like)
    whole = Spot(style.spot.document, style.spot.path[:1])
    if style.like and like is None and whole.is_sound():
        reading.fault(
            style.place("like"),
            "SRC-REF",
            "no-style-before",
            like=style.like,
            nearest=nearest(style.like, found.faces),
        )
    if like is None:
        for name in ("template", "size", "scale"):
            if not getattr(style, name) and not style.like and style.is_sound():
                reading.fault(style.where, "SRC-KEY", "missing", name=name)
        like = PLAIN_STYLES["card"]
    own = values_at(style.spot, "values") or Table(style.where)
    like_values = found.spelled.get(style.like)
    found.spelled[key] = like_values.with_keys(own) if like_values else own
    found.faces[key] = FaceStyle(
        id=key,
        template=style.template or like.template,
        size=style.size or like.size,
        scale=style.scale or like.scale,
        values={**(like.values if style.like else {}), **style.values},
        per_unit=0 if style.size else like.per_unit,
        spot=style.spot,
    )


def _style_values(
    reading: LoadContext, spelled: Table, own: Collection[str], declaration: Declaration
) -> dict[str, Any]:
    """Return a style's values as its template takes them; the style that it is like may have
    others."""
    known = {
        name: value for name, value in spelled.items() if name in own or name in declaration.takes
    }
    findings = Findings()
    read = values_form(declaration.takes).read(known, (), findings)
    document = Document(spelled.where, spelled)
    reading.problems += [
        problem_of(fault, document)
        for fault in findings.faults
        if fault.path[0] in own or fault.sort != "unknown"
    ]
    return read


def read_values(
    reading: LoadContext,
    thing: Record,
    guessed: Mapping[str, Any],
    declaration: Declaration | None,
    *,
    besides: Mapping[str, Take] = MappingProxyType({}),
) -> Mapping[str, Any]:
    """Read the ``values`` of a thing as a template takes them, or else as ``guessed``.

    ``besides`` are what the thing takes itself.
    """
    spelled = values_at(thing.spot, "values")
    if not spelled or declaration is None:
        return guessed
    findings = Findings()
    read = values_form({**besides, **declaration.takes}, filled=True).read(spelled, (), findings)
    reading.problems += [
        problem_of(fault, Document(spelled.where, spelled)) for fault in findings.faults
    ]
    return read


def values_at(spot: Spot, *path: int | str) -> Table | None:
    """Return the keys and values at ``path`` as they are spelled; nothing where there are none."""
    value = spot.spelled(*path)
    return value if isinstance(value, Table) else None


def item_styles(item: Item) -> tuple[str, ...]:
    """Return the ids of the styles in which an item is shown, but for those of cards and boards."""
    if item.lay not in STYLES:
        return ()
    has_back = item.back and item.lay in ("sheet", "blank")
    return (item.style, item.back) if has_back else (item.style,)


# The types of columns that may hold what a template takes.
_COLUMNS: Mapping[TakeType, tuple[FieldType, ...]] = {
    "text": ("text", "number"),
    "colour": ("text",),
    "words": ("text",),
    "number": ("number",),
    "measure": ("number",),
    "flag": ("flag",),
    "list": ("list",),
}


# How alike a word and a field are, at which a word is taken for a misspelt field.
_NEAR = 0.8


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


def check_card_faces(reading: LoadContext, game: Game, styles: Styles) -> None:
    """Note what cards would show wrongly: slots without their field, cells of a wrong sort."""
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
            reading.problems += _slot_problems(shown)
            reading.problems += _column_problems(shown)
            for problem in _colour_problems(shown) if side == "front" else ():
                reading.add(problem)


def _colour_problems(shown: _Side) -> Iterator[Problem]:
    """Yield what stands for a colour and is none, and words of ``colours`` that no card has; of
    a column of colours the first."""
    by, colours = shown.style.values.get("colour_by"), shown.style.values.get("colours")
    cards = shown.game.cards_of(shown.kind.id)
    words = {card.text(str(by)) for card in cards}
    for word, colour in colours.items() if by and isinstance(colours, Mapping) else ():
        at = ("colours", word)
        if not is_colour(str(colour)):
            yield problem_at(
                place(shown.spelled, at, shown.style.where),
                "SRC-VALUE",
                "no-colour",
                found=str(colour),
                near=nearest(str(colour), colour_names()),
            )
        if cards and word not in words:
            where = place(shown.spelled, at, shown.style.where, key=True)
            key, near, weight = "colour-of-none", nearest(word, words), Severity.NOTICE
            yield problem_at(where, "SRC-VALUE", key, weight, found=word, near=near)
    is_read = "colour" in shown.kind.front_fields and "colour" in shown.declaration.takes
    cells = [(card.text("colour"), card.at("colour")) for card in cards] if is_read else []
    for word, where in [each for each in cells if each[0] and not is_colour(each[0])][:1]:
        yield notice_at(where, "SRC-VALUE", "no-colour-cell", found=word)


def _slot_problems(shown: _Side) -> Iterator[Problem]:
    """Yield slots that name what this side does not get: their own word would be set instead."""
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
                    place(shown.spelled, path, shown.style.where),
                    "SRC-SLOT",
                    "none-front-lists" if near else "no-front-list",
                    near=near,
                    **words,
                )
        elif word in shown.gets:
            continue
        elif word in own:
            yield problem_at(_fields_place(shown), "SRC-SLOT", "side-does-not-get", **words)
        elif take.sort == "field" or word in others or _is_misspelt_field(shown, path, word):
            yield problem_at(
                place(shown.spelled, path, shown.style.where),
                "SRC-SLOT",
                "no-field" if take.sort == "field" or word in others else "no-field-or-word",
                near=_nearest_field(shown, word),
                **words,
            )


def _nearest_field(shown: _Side, word: str) -> Sentence | str:
    """Return a sentence that names the field, or other thing to show, that a word is nearest to, or
    all fields."""
    own = ("name", *shown.kind.fields)
    near = nearest(word, {*shown.gets, *own})
    return near if word_of(near) else nearest(word, own)


def _fields_place(shown: _Side) -> SourceLocation:
    """Return where a kind says what a side shows, or which style it has."""
    key = f"{shown.side}_fields"
    given = values_at(shown.kind.spot)
    return shown.kind.place(key if given and key in given else shown.side)


def _is_misspelt_field(shown: _Side, path: Path, word: str) -> bool:
    """Return whether a word of no field is so near to one that it is taken for that."""
    spelled = Spot(Document(value=shown.spelled)).spelled(*path)
    if spelled is None or isinstance(spelled, Quoted) or not word.isidentifier():
        return False
    # Of two letters of a Japanese word, one is half of it.
    cutoff = _NEAR if word.isascii() else 0.5 if len(word) < 4 else 0.65
    return bool(difflib.get_close_matches(word, shown.gets, n=1, cutoff=cutoff))


def check_slots(
    game: Game,
    style: FaceStyle | None,
    values: Mapping[str, Any],
    gets: Iterable[str],
    where: SourceLocation,
) -> Iterator[Problem]:
    """Check a face that is no card: its slots name no field that it does
    not get.

    ``values`` are its own, ``gets`` the names of what it shows besides.
    """
    if style is None or style.declaration is None:
        return
    every = {*style.values, *values, *gets}
    fields = {*CARD_ITSELF, *game.field_names}
    for path, take, word in named_fields(style.declaration.takes, {**style.values, **values}):
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
    """Note the slots of mats, pieces, dice, sheets and pawns that show nothing."""
    for layout in game.layouts.values():
        for item in layout.items:
            for style in item_styles(item):
                gets = LOADOUT_NAMES if item.lay in ("sheet", "pawn") else _ITEM_NAMES
                found = check_slots(game, game.faces.get(style), item.values, gets, item.where)
                reading.problems += found


def check_pictures(reading: LoadContext, game: Game) -> None:
    """Note a problem for each picture of a card whose style shows none."""
    for name, path in game.pictures.items():
        kind = game.kinds.get(game.cards[name].kind) if name in game.cards else None
        style = game.faces.get(kind.front) if kind else None
        if style and style.declaration and "picture" not in style.declaration.takes:
            reading.fault(
                SourceLocation(reading.label(path)),
                "SRC-FILE",
                "picture-not-shown",
                template=style.template,
                kind=game.cards[name].kind,
            )


_ITEM_NAMES = ("team", "value", "units")


def _column_problems(shown: _Side) -> Iterator[Problem]:
    """Yield columns and cells that hold another sort of value than the style takes."""
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
            allowed=take_form(take).allowed,
            types=", ".join(_COLUMNS[take.sort]),
        )
    sound: dict[str, set[Value]] = {name: {"", 0, ()} for name in takes}
    rows: list[Card | DeckEntry] = [*shown.game.cards_of(kind.id)]
    rows += [row for row, _card in shown.game.rows_of(kind.id)]
    for row in rows:
        for name, take in takes.items():
            value = row.fields.get(name, "")
            if value not in sound[name]:
                findings = Findings()
                take_form(take).read(value, (name,), findings)
                where = row.at(name) if isinstance(row, Card) else row.where
                yield from (problem_of(fault, Document(where, value)) for fault in findings.faults)
                if not findings.faults:
                    sound[name].add(value)
