"""Items of a layout become the client's objects: stacks, cards, sheets, pawns, notes, mats.

One small function for each thing that ``Item.lay`` can say; ``lay_item`` chooses among them.
Positions in data are units from the layout's corner, those of the objects pixels on the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from exporter.faces import Face, card_back, card_front, loadout_face, style_of, styled_face
from exporter.model import MAT_SIZE, Card, DeckCard, Game, Item, Loadout
from exporter.model.fields import MOST, whole_number
from exporter.problems import nearest, refusal
from exporter.rooms.area import Area, nth_place, selected, single_cards
from exporter.rooms.crew import crew_detail, skill_lines
from exporter.rooms.ground import Ground, ground, terrain
from exporter.rooms.notes import errata_lines, lay_note, lay_notes, lay_rulings
from exporter.styles import filled
from exporter.tabletop import Card as TableCard
from exporter.tabletop import CardStack as TableStack
from exporter.tabletop import (
    Character,
    ChatPalette,
    Data,
    DiceFace,
    DiceSymbol,
    Terrain,
    TextNote,
    group,
    note,
    resource,
    text,
)
from exporter.texts import UNSHUFFLED, fill, fill_lines, fill_parts, plain

Laid: TypeAlias = (
    TableCard[Face]
    | TableStack[Face]
    | Character[Face]
    | DiceSymbol[Face]
    | TextNote[Face]
    | Terrain[Face]
)


def _card_detail(game: Game, entry: DeckCard) -> tuple[Data[Any], ...]:
    """The sheet beside a card: the errata and rulings that bear on it, and its text.

    The client cuts off what is long. The face says the text too, but nothing of the former.
    """
    key = ("detail", entry.deck)
    return game.once(key, lambda: tuple(_detail_groups(game, entry)), of=entry.card)


def _detail_groups(game: Game, entry: DeckCard) -> Iterator[Data[Any]]:
    card, kind = entry.card, game.kinds[entry.card.kind]
    fields = []
    for label, name in kind.detail.items():
        value = plain(card.text(name), game.marks)
        if value:
            fields.append(note(label, value) if len(value) > 12 else text(label, value))
    notes = [note(erratum.id, line) for erratum, line in errata_lines(game, card, entry.deck)]
    notes += [note(r.id, plain(r.ruling, game.marks)) for r in game.rulings_of(card)]
    if notes:
        yield group("エラッタ・Q&A", *notes)
    if fields:
        yield group(kind.name.ja, *fields)


def _table_card(
    area: Area, entry: DeckCard, face_down: bool, at: tuple[float, float]
) -> TableCard[Face]:
    game = area.game
    x, y = area.place(at)
    return TableCard(
        name=plain(entry.card.name, game.marks),
        front=card_front(game, entry),
        back=card_back(game, entry),
        size=game.kinds[entry.card.kind].size,
        face_down=face_down,
        detail=_card_detail(game, entry),
        x=x,
        y=y,
    )


def _stack(
    area: Area, item: Item, name: str, at: tuple[float, float], entries: Sequence[DeckCard]
) -> Iterator[Laid]:
    x, y = area.place(at)
    singles = single_cards(area, item, name, at, entries)
    # Copies are one value, so that whoever walks the room may do its work once for all of them.
    known = {id(entry): _table_card(area, entry, item.face_down, at) for entry in entries}
    cards = tuple(known[id(entry)] for entry in singles)
    if cards:
        words = {} if item.face_down else UNSHUFFLED  # open cards keep their order
        said = fill_lines(item.text, {**area.names, **words}, item.where)
        detail = (group("説明", note("内容", said)),) if said else ()
        yield TableStack(name=name, cards=cards, detail=detail, x=x, y=y)


def _lay_stack(area: Area, item: Item, at: tuple[float, float]) -> Iterator[Laid]:
    yield from _stack(area, item, fill(item.name, area.names, item.where), at, selected(area, item))


def _lay_stacks(area: Area, item: Item, at: tuple[float, float]) -> Iterator[Laid]:
    groups: dict[tuple[str, ...], list[DeckCard]] = {}
    for entry in selected(area, item):
        groups.setdefault(tuple(entry.card.text(name) for name in item.by), []).append(entry)
    for index, entries in enumerate(groups.values()):
        card = entries[0].card
        count = str(sum(entry.copies for entry in entries))
        names = {**area.names, **_card_names(area, card)}
        name = fill(item.name, {**names, "count": count}, item.where)
        yield from _stack(area, item, name, nth_place(item, at, index), entries)


def _card_names(area: Area, card: Card) -> Mapping[str, str]:
    """What ``${…}`` may name of a card."""
    game, fields = area.game, ("id", "name", *card.fields)
    return game.once(
        "names", lambda: {name: plain(card.text(name), game.marks) for name in fields}, of=card
    )


def _lay_cards(area: Area, item: Item, at: tuple[float, float]) -> Iterator[Laid]:
    entries = single_cards(area, item, "", at, selected(area, item))
    for index, entry in enumerate(entries):
        yield _table_card(area, entry, item.face_down, nth_place(item, at, index))


def _lay_mat(area: Area, item: Item, at: tuple[float, float]) -> Iterator[Laid]:
    width, depth = item.size or MAT_SIZE
    per_unit = style_of(area.game, item.face or "mat", item.where).per_unit
    size = (width * per_unit, depth * per_unit) if per_unit else None
    x, y = area.place(at)
    yield Terrain(
        name=fill(item.name, area.names, item.where),
        floor=_item_face(area, item, item.face or "mat", {"units": [width, depth]}, size),
        width=width,
        depth=depth,
        height=0,
        shows_wall=False,
        rotate=item.rotate,
        x=x,
        y=y,
    )


_FOLDERS = {"mat": "mats", "piece": "pieces", "dice": "dice"}
"""Where the picture of what is laid would lie, as a file of its own."""


def _item_face(
    area: Area,
    item: Item,
    style: str,
    extra: Mapping[str, Any] | None = None,
    size: tuple[float, float] | None = None,
    words: tuple[str, ...] = (),
    names: Mapping[str, str] | None = None,
) -> Face:
    names = area.names if names is None else names
    found = style_of(area.game, style, item.where)
    within = item.size or MAT_SIZE
    values = filled(found, item.values, names, item.spot, within)
    team = area.seating.seat.team if area.seating else ""
    more = {"team": team, **values, **(extra or {})}
    of_all = fill(item.name, {**names, "index": ""}, item.where)
    name = (_FOLDERS[item.lay], " ".join(of_all.split()), *words)
    return styled_face(area.game, style, more, where=item.where, name=name, size=size)


def _needed_loadout(area: Area, item: Item) -> Loadout:
    if area.seating is not None and area.seating.loadout is not None:
        return area.seating.loadout
    raise refusal(item.where, "NO-MECH", "needs-mech-layout", lay=item.lay)


def _seat_values(area: Area) -> dict[str, Any]:
    seat = area.seating.seat if area.seating else None
    return {"team": seat.team if seat else "", "number": seat.number or "" if seat else ""}


def _lay_sheet(area: Area, item: Item, at: tuple[float, float]) -> Iterator[Laid]:
    """A card that shows the mech, such as its sheet; on the back its other loadout."""
    loadout = _needed_loadout(area, item)
    other = (area.seating.other if area.seating else None) or loadout
    more, face = _seat_values(area), item.face or "sheet"
    x, y, z, rotate = _standing(area, item, at)
    yield TableCard(
        name=fill(item.name, area.names, item.where),
        front=loadout_face(area.game, face, loadout, more, item.where),
        back=loadout_face(area.game, item.back or face, other, more, item.where),
        size=(item.size or (6, 4))[0],
        detail=_sheet_detail(area, item, loadout),
        x=x,
        y=y,
        z=z,
        rotate=rotate,
    )


def _standing(area: Area, item: Item, at: tuple[float, float]) -> tuple[float, float, float, float]:
    """Pixels x, y, z and the direction: of the start square where ``at`` says so."""
    if item.at == "start" and area.start is not None:
        width = (item.size or (1, 1))[0]
        return (*area.start.centred(width), area.start.z, area.start.rotate)
    return (*area.place(at), 0, item.rotate)


def _sheet_detail(area: Area, item: Item, loadout: Loadout) -> tuple[Data[Any], ...]:
    """What is mounted where, and what the item has to say besides."""
    game, lines = area.game, []
    for part in game.parts:
        cards = [game.card(name) for name in loadout.build.mounted.get(part, ())]
        shown = "、".join(plain(card.name, game.marks) for card in cards if card)
        lines.append(f"{part}：{shown}")
    found = [group("搭載", note("部位", "\n".join(lines))), *crew_detail(game, loadout)]
    if loadout.text:
        found.append(group("機体", note("特徴", plain(loadout.text, game.marks))))
    if item.text:
        found.append(group("説明", note("内容", fill(item.text, area.names, item.where))))
    return tuple(found)


def _slider(area: Area, item: Item, name: str, value: str) -> Data[Any]:
    """A slider from a figure, or from ``current/maximum`` written out."""
    figures = area.seating.loadout.figures if area.seating and area.seating.loadout else {}
    value = fill(value, area.names, item.where)
    if value in figures:
        return resource(name, figures[value], figures[value])
    current, slash, maximum = value.partition("/")
    now, most = whole_number(current), whole_number(maximum)
    if slash and now is not None and most is not None:
        if min(now, most) >= 0 and max(now, most) <= MOST:
            return resource(name, now, most)
        raise refusal(
            item.where, "SLIDER", "slider-show-allowed", name=name, value=value, most=MOST
        )
    raise refusal(
        item.where,
        "SLIDER",
        "slider-show-no",
        name=name,
        value=value,
        nearest=nearest(value, figures),
    )


def _palette(area: Area, item: Item, names: Mapping[str, str]) -> ChatPalette | None:
    lines = [fill(item.palette, names, item.where)] if item.palette else []
    if item.card_lines:
        for entry in selected(area, item):
            of_card = {**names, **_card_names(area, entry.card)}
            lines.append(fill_parts(item.card_lines, of_card, item.where))
    if item.skill_lines:
        lines += skill_lines(area.game, item, _needed_loadout(area, item), names)
    return ChatPalette(text="\n".join(filter(None, lines))) if lines else None


def _lay_pawn(area: Area, item: Item, at: tuple[float, float]) -> Iterator[Laid]:
    """The standing piece of a mech. It never turns: seen from the side it would be a line."""
    loadout = _needed_loadout(area, item)
    face, more = item.face or "pawn", _seat_values(area)
    picture = loadout_face(area.game, face, loadout, more, item.where)
    crew = crew_detail(area.game, loadout)
    yield _character(area, item, at, picture, area.names, tuple(crew))


def _each(area: Area, item: Item) -> Iterator[tuple[int, dict[str, str]]]:
    """Each of the ``count`` things of an item from 0, with what ``${…}`` stands for in it."""
    names = area.names
    for index in range(item.count):
        yield index, {**names, "index": str(index + 1)}


def _lay_piece(area: Area, item: Item, at: tuple[float, float]) -> Iterator[Laid]:
    for index, names in _each(area, item):
        picture = _item_face(area, item, item.face or "pawn", names=names)
        yield _character(area, item, nth_place(item, at, index), picture, names)


def _lay_dice(area: Area, item: Item, at: tuple[float, float]) -> Iterator[Laid]:
    """Dice with a face for each of ``sides``, drawn from its ``value``."""
    if not item.sides:
        raise refusal(item.where, "DIE", "die-no-sides")
    sides = [fill(side, area.names, item.where) for side in item.sides]
    up = fill(item.up, area.names, item.where) or sides[0]
    if up not in sides:
        raise refusal(item.where, "DIE", "die-shows-none", up=up, nearest=nearest(up, sides))
    style = item.face or "die"
    # The client tells sides apart by their names, so that of two alike one ends with a space.
    shown = ((side, side.strip()) for side in sides)
    faces = tuple(
        DiceFace(name=side, picture=_item_face(area, item, style, {"value": text}, words=(text,)))
        for side, text in shown
    )
    for index, names in _each(area, item):
        x, y = area.place(nth_place(item, at, index))
        yield DiceSymbol(
            name=fill(item.name, names, item.where),
            faces=faces,
            face=up,
            size=(item.size or (1, 1))[0],
            rotate=item.rotate,
            x=x,
            y=y,
        )


def _board_of(area: Area, item: Item) -> Ground:
    name = fill(item.board, area.names, item.where)
    at = (0.0, 0.0) if isinstance(item.at, str) else item.at
    corner = (area.corner[0] + at[0], area.corner[1] + at[1])
    return ground(area.game, name, corner, item.square, item.where)


def note_board(area: Area, item: Item) -> None:
    """Makes a board that an item lays known to all the room, so that things can stand on it."""
    if item.lay == "board":
        found = _board_of(area, item)
        area.grounds[area.owner, found.board.id] = found


def _lay_board(area: Area, item: Item, at: tuple[float, float]) -> Iterator[Laid]:
    name = fill(item.name, area.names, item.where)
    yield from terrain(area.game, _board_of(area, item), item.square / 4, name)


def _character(
    area: Area,
    item: Item,
    at: tuple[float, float],
    picture: Face,
    names: Mapping[str, str],
    more: tuple[Data[Any], ...] = (),
) -> Character[Face]:
    x, y, z, _rotate = _standing(area, item, at)
    sliders = [_slider(area, item, name, value) for name, value in item.sliders.items()]
    shows = [
        text(name, names[value] if value in names else fill(value, names, item.where))
        for name, value in item.shows.items()
    ]
    return Character(
        name=fill(item.name, names, item.where),
        picture=picture,
        size=(item.size or (1, 1))[0],
        rotate=item.rotate,
        detail=(*([group("能力", *sliders, *shows)] if sliders or shows else []), *more),
        palette=_palette(area, item, names),
        x=x,
        y=y,
        z=z,
    )


_LAY: Mapping[str, Callable[[Area, Item, tuple[float, float]], Iterator[Laid]]] = {
    "stack": _lay_stack,
    "stacks": _lay_stacks,
    "cards": _lay_cards,
    "mat": _lay_mat,
    "board": _lay_board,
    "sheet": _lay_sheet,
    "pawn": _lay_pawn,
    "piece": _lay_piece,
    "dice": _lay_dice,
    "note": lay_note,
    "notes": lay_notes,
    "rulings": lay_rulings,
}


def depends_on_others(item: Item) -> bool:
    """Whether what an item lays depends on the cards that other items have laid."""
    return item.lay == "rulings" or bool(item.cards and item.cards.used_by)


def _extent(area: Area, item: Item) -> tuple[float, float]:
    """Width and height in units of what an item lays, for standing it in the middle of a space."""
    if item.lay in ("stack", "stacks", "cards"):
        for entry in selected(area, item):
            kind = area.game.kinds[entry.card.kind]
            width, height = style_of(area.game, kind.front, item.where).size
            return kind.size, kind.size * height / width
    return item.size or (1, 1)


def lay_item(area: Area, item: Item) -> tuple[Laid, ...]:
    """The objects that an item becomes. Raises ``InvalidSource`` for what the data get wrong."""
    at = (0.0, 0.0) if isinstance(item.at, str) else item.at
    if item.on is not None:
        board, space = (fill(word, area.names, item.where) for word in item.on)
        middle = area.ground(board, item.where).middle(space, item.where)
        size = _extent(area, item)
        at = (
            at[0] + middle[0] - size[0] / 2 - area.corner[0],
            at[1] + middle[1] - size[1] / 2 - area.corner[1],
        )
    return tuple(_LAY[item.lay](area, item, at))
