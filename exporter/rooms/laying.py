"""Items of a layout become the client's objects: stacks, cards, sheets, pawns, notes, mats.

One small function for each thing that ``Item.lay`` can say makes the objects; ``lay_all`` chooses
among them and gives each its place. Positions in data are units from the layout's corner, those of
the objects pixels on the table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from exporter.core import grouped
from exporter.core.problems import (
    Faults,
    error_at,
    nearest,
)
from exporter.faces.board_faces import board_face, find_boards, tile_faces
from exporter.faces.card_faces import (
    Face,
    brought_face,
    loadout_face,
    picture_face,
    style_of,
    styled_face,
)
from exporter.faces.face_texts import (
    fill,
    fill_parts,
    plain,
)
from exporter.faces.style_values import filled
from exporter.model import (
    MAT_SIZE,
    Card,
    Game,
    Item,
    Loadout,
)
from exporter.model.fields import whole_number
from exporter.model.layouts import RoomTable
from exporter.model.shape import MOST
from exporter.model.tabletop import (
    PICTURE_FIELDS,
    UNIT,
    Attributes,
    CardStack,
    Character,
    ChatPalette,
    Data,
    DiceFace,
    DiceSymbol,
    Placed,
    TableCard,
    TableMask,
    Terrain,
    TextNote,
    group,
    note,
    resource,
    text,
)
from exporter.rooms.area import (
    Area,
    Ground,
    laid_out,
    nth_place,
)
from exporter.rooms.footprints import Thing, turn
from exporter.rooms.laid_cards import (
    back_of_deck,
    card_names,
    lay_blank,
    lay_cards,
    lay_frames,
    lay_pile,
    lay_stack,
    lay_stacks,
    pilots_of_all,
    selected,
    text_detail,
)
from exporter.rooms.room_notes import (
    lay_note,
    lay_notes,
    lay_rulings,
)
from exporter.rules.figures import skills_of
from exporter.udonarium import marks

T = TypeVar("T", bound=Thing)


def _lay_mat(area: Area, item: Item) -> Iterator[Thing]:
    width, depth = item.size or MAT_SIZE
    per_unit = style_of(area.game, item.style, item.where).per_unit
    size = (width * per_unit, depth * per_unit) if per_unit else None
    zones = {
        area.fill(name, item.where): {
            "at": zone.at,
            "for": zone.serves,
            **({"text": area.fill(zone.text, item.where)} if zone.text else {}),
        }
        for name, zone in item.zones.items()
    }
    values = {"units": [width, depth], "zones": zones}
    yield Terrain(
        name=area.fill(item.name, item.where),
        floor=_item_face(area, item, item.style, values, size),
        width=width,
        depth=depth,
        height=0,
        shows_wall=False,
    )


def _lay_mask(area: Area, item: Item) -> Iterator[Thing]:
    width, height = item.size or MAT_SIZE
    picture = _item_face(area, item, item.face) if item.face else None
    name = area.fill(item.name, item.where)
    yield TableMask(name=name, picture=picture, width=width, height=height)


# Where the picture of what is laid would lie, as a file of its own.
_FOLDERS = {"mat": "mats", "mask": "mats", "piece": "pieces", "dice": "dice"}


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
    values = filled(style_of(area.game, style, item.where), item.values, names, item.spot)
    team = area.seat.team if area.seat else ""
    more = {"team": team, **values, **(extra or {})}
    of_all = fill(item.name, {**names, "index": ""}, item.where)
    name = (_FOLDERS[item.lay], " ".join(of_all.split()), *words)
    return styled_face(area.game, style, more, where=item.where, name=name, size=size)


def _needed_loadout(area: Area, item: Item) -> Loadout:
    if area.loadout is not None:
        return area.loadout
    raise error_at(item.where, "NO-MECH", "needs-mech-layout", lay=item.lay)


def _seat_values(area: Area) -> dict[str, Any]:
    """Return the team and number of a seat that has them; else a style's own values hold."""
    own = {"team": area.seat.team, "number": area.seat.number} if area.seat else {}
    return {name: value for name, value in own.items() if value}


def _lay_sheet(area: Area, item: Item) -> Iterator[Thing]:
    """Yield a card that shows the mech, such as its sheet; on the back its other loadout."""
    loadout = _needed_loadout(area, item)
    other, own = area.seating.other or loadout, area.seating.picture
    more, face = _seat_values(area), item.style
    front = loadout_face(area.game, face, loadout, more, item.where)
    if own is not None and item.at == "start":  # the piece that moves
        art = loadout_face(area.game, face, loadout, {**more, "art": own.name}, item.where)
        drawn = replace(art, brought={own.name: own.data}) if own.name in art.pictures else None
        front = drawn or brought_face(area.game, face, own, item.where, ("pawns", area.owner))
    body = area.fill(item.text, item.where)
    yield TableCard(
        name=area.fill(item.name, item.where),
        front=front,
        back=loadout_face(area.game, item.back or face, other, more, item.where),
        size=(item.size or (6, 4))[0],
        detail=(*mech_detail(area.game, loadout), *text_detail(area.game, body)),
        extra=marks.of_loadout(loadout),
    )


def _slider(area: Area, item: Item, name: str, value: str) -> Data[Any]:
    """Return a slider from a figure, or from ``current/maximum`` written out."""
    figures = area.loadout.figures if area.loadout else {}
    value = area.fill(value, item.where)
    if value in figures:
        return resource(name, figures[value], figures[value])
    match [whole_number(one) for one in value.split("/")]:
        case [int(now), int(most)] if 0 <= min(now, most) <= max(now, most) <= MOST:
            return resource(name, now, most)
    raise error_at(
        item.where,
        "SLIDER",
        "slider-show-no",
        name=name,
        value=value,
        most=MOST,
        nearest=nearest(value, figures),
    )


def _palette(area: Area, item: Item, names: Mapping[str, str]) -> ChatPalette | None:
    cards = [entry.card for entry in selected(area, item)] if item.card_lines else []
    skills = pilots_of_all(area.game, area.sides(item)) if item.skill_lines else []

    def filled_for(lines: tuple[str, ...], card: Card, **more: str) -> str:
        return fill_parts(lines, {**names, **card_names(area.game, card), **more}, item.where)

    lines = [
        *([fill(item.palette, names, item.where)] if item.palette else []),
        *(filled_for(item.card_lines, card) for card in cards),
        *(filled_for(item.skill_lines, card, pilot=pilot.name) for pilot, card in skills),
    ]
    return ChatPalette(text="\n".join(filter(None, lines))) if lines else None


def _lay_pawn(area: Area, item: Item) -> Iterator[Thing]:
    """Yield the standing piece of a mech. It never turns: seen from the side it would be a line."""
    loadout = _needed_loadout(area, item)
    face, more = item.style, _seat_values(area)
    picture = _own_picture(area, item, face) or back_of_deck(area.game, loadout, face)
    picture = picture or loadout_face(area.game, face, loadout, more, item.where)
    crew = crew_detail(area.game, loadout)
    made = _character(area, item, picture, area.names, tuple(crew))
    yield replace(made, extra=marks.of_loadout(loadout))


def _own_picture(area: Area, item: Item, style: str) -> Face | None:
    """Return the picture that whoever sits here brought for their pawn, on that."""
    picture = area.seating.picture
    if picture is None or item != area.pawn:
        return None
    return brought_face(area.game, style, picture, item.where, ("pawns", area.owner))


def _lay_piece(area: Area, item: Item) -> Iterator[Thing]:
    for names in area.each(item):
        picture = _own_picture(area, item, item.style)
        picture = picture or _item_face(area, item, item.style, names=names)
        yield _character(area, item, picture, names)


def _lay_dice(area: Area, item: Item) -> Iterator[Thing]:
    """Yield dice with a face for each of ``sides``, drawn from its ``value``."""
    if not item.sides:
        raise error_at(item.where, "DIE", "die-no-sides")
    sides = [area.fill(side, item.where) for side in item.sides]
    up = area.fill(item.up, item.where) or sides[0]
    if up not in sides:
        raise error_at(item.where, "DIE", "die-shows-none", up=up, nearest=nearest(up, sides))
    faces = []
    for side in sides:
        # The client tells sides apart by their names, so that of two alike one ends with a space.
        values: dict[str, Any] = {"value": side.strip()}
        if side in item.pictures:
            values["slots"] = {"art": item.pictures[side]}
        picture = _item_face(area, item, item.style, values, words=(side.strip(),))
        faces.append(DiceFace(name=side, picture=picture))
    for names in area.each(item):
        name = fill(item.name, names, item.where)
        yield DiceSymbol(name=name, faces=tuple(faces), face=up, size=(item.size or (1, 1))[0])


def _board_of(area: Area, item: Item) -> Ground:
    name = area.fill(item.board, item.where)
    across, down = item.lies_at
    corner = (area.corner[0] + across, area.corner[1] + down)
    (board,) = find_boards(area.game.boards, [name], item.where)
    return laid_out(board, corner, item.square)


def _lay_board(area: Area, item: Item) -> Iterator[Thing]:
    name, ground = area.fill(item.name, item.where), _board_of(area, item)
    if not item.loose:
        yield from terrain(area.game, ground, item.square / 4, name)
        return
    picture = board_face(area.game, ground.board.face, ground.board)
    x, y = ground.corner
    yield TableCard(
        name=name or area.game.named(ground.board.name),
        front=picture,
        back=picture,
        size=ground.size[0],
        extra=marks.of("board", ground.board.id),
        x=x * UNIT,
        y=y * UNIT,
    )


def _character(
    area: Area,
    item: Item,
    picture: Face,
    names: Mapping[str, str],
    more: tuple[Data[Any], ...] = (),
) -> Character[Face]:
    sliders = [_slider(area, item, name, value) for name, value in item.sliders.items()]
    shows = [
        text(name, names[value] if value in names else fill(value, names, item.where))
        for name, value in item.shows.items()
    ]
    asked = [text(label, "") for label in item.asks]
    return Character(
        name=fill(item.name, names, item.where),
        picture=picture,
        size=(item.size or (1, 1))[0],
        detail=(
            *([group(area.game.says("to-fill-in"), *asked)] if asked else []),
            *([group(area.game.says("abilities"), *sliders, *shows)] if sliders or shows else []),
            *more,
        ),
        palette=_palette(area, item, names),
    )


_LAY: Mapping[str, Callable[[Area, Item], Iterator[Thing]]] = {
    "stack": lay_stack,
    "stacks": lay_stacks,
    "pile": lay_pile,
    "frames": lay_frames,
    "blank": lay_blank,
    "cards": lay_cards,
    "mat": _lay_mat,
    "board": _lay_board,
    "sheet": _lay_sheet,
    "pawn": _lay_pawn,
    "piece": _lay_piece,
    "dice": _lay_dice,
    "mask": _lay_mask,
    "note": lay_note,
    "notes": lay_notes,
    "rulings": lay_rulings,
}


def _extent(area: Area, item: Item) -> tuple[float, float]:
    """Return width and height in units of what an item lays, for standing it in the middle of a
    space."""
    if item.lay in ("stack", "stacks", "cards"):
        for entry in selected(area, item):
            kind = area.game.kinds[entry.card.kind]
            width, height = style_of(area.game, kind.front, item.where).size
            return kind.size, kind.size * height / width
    return item.size or (1, 1)


class LaidItem(Struct, frozen=True):
    """An item with what it became, and the area in which it was laid."""

    area: Area
    item: Item
    things: tuple[Thing, ...]


def _depends_on_others(item: Item) -> bool:
    """Return whether what an item lays depends on the cards that other items have laid."""
    return item.lay == "rulings" or bool(item.cards and item.cards.used_by)


def lay_all(areas: Sequence[Area], faults: Faults) -> list[LaidItem]:
    """Return what each item becomes: boards are known first, and what depends on the cards that
    others lay comes last."""
    items = [(area, item) for area in areas for item in area.layout.items]
    for area, item in items:
        if item.lay == "board" and not item.loose:
            with faults.collect():
                ground = _board_of(area, item)
                area.grounds[area.owner, ground.board.id] = ground
    items.sort(key=lambda each: _depends_on_others(each[1]))
    laid = []
    for area, item in items:
        with faults.collect():
            laid.append(LaidItem(area, item, tuple(_laid(area, item))))
    return laid


def _laid(area: Area, item: Item) -> Iterator[Thing]:
    """Yield the objects that an item becomes. Raises ``InvalidSource`` for what the data get
    wrong."""
    at, board = item.lies_at, ""
    if item.on is not None:
        board, space = (area.fill(word, item.where) for word in item.on)
        middle = area.ground(board, item.where).middle(space, item.where)
        size = _extent(area, item)
        at = (
            at[0] + middle[0] - size[0] / 2 - area.corner[0],
            at[1] + middle[1] - size[1] / 2 - area.corner[1],
        )
    # What belongs to all does not turn with the seat, nor does what lies on it.
    is_turned = area.degrees and item.at != "start" and ("", board) not in area.grounds
    things: Iterable[Thing] = _LAY[item.lay](area, item)
    if item.lay == "cards":
        things = _shuffled(area, item, at, "", tuple(things))
    for index, thing in enumerate(things):
        if item.lay != "board":
            thing = _placed(thing, area, item, nth_place(item, at, index))
        thing = marks.recorded(thing, area.layout, item, area.seat)
        thing = replace(thing, extra=thing.extra + _fork_attributes(thing, area, item))
        thing = with_more(area.game, thing, item)
        yield turn(thing, area.degrees, area.centre) if is_turned else thing


def _shuffled(
    area: Area, item: Item, at: tuple[float, float], name: str, cards: tuple[T, ...]
) -> tuple[T, ...]:
    """Return cards in the order that a shuffle seed gives, if there is one.

    Two piles of one room have two orders: the seed goes with ``name`` and with where they lie.
    """
    if not (area.shuffle and item.face_down):
        return cards
    pile = f"{area.shuffle}/{area.place(at)}/{name}"
    keys = [hashlib.sha256(f"{pile}/{number}".encode()).digest() for number in range(len(cards))]
    return tuple(cards[number] for number in sorted(range(len(cards)), key=keys.__getitem__))


def _placed(thing: T, area: Area, item: Item, at: tuple[float, float]) -> T:
    """Return a thing with its place on the table in pixels; a stack is shuffled for it."""
    if isinstance(thing, TextNote):  # the client places it by the middle of its lower edge
        at = (at[0] + thing.width / 2, at[1] + thing.height)
    x, y = area.place(at)
    if isinstance(thing, CardStack):
        cards = _shuffled(area, item, at, thing.name, thing.cards)
        thing = replace(thing, cards=tuple(replace(card, x=x, y=y) for card in cards))
    if isinstance(thing, TableMask):
        return replace(thing, x=x, y=y)
    if area.start is None or item.at != "start":
        return replace(thing, x=x, y=y, rotate=item.rotate)
    # In the middle of the square.
    margin = (area.start.side - (item.size or (1, 1))[0]) / 2 * UNIT
    x, y, z = area.start.x + margin, area.start.y + margin, area.start.z
    rotate = area.start.rotate if isinstance(thing, TableCard) else item.rotate
    return replace(thing, x=x, y=y, z=z, rotate=rotate)


M = TypeVar("M", bound=Struct)


def with_more(game: Game, thing: M, data: Item | RoomTable) -> M:
    """Return a thing or a table with what the data say it is ``also``, and with an item's
    ``detail``.

    Raises ``InvalidSource`` for what the client does not know of it.
    """
    changes: dict[str, Any] = {}
    if isinstance(data, Item) and data.detail and isinstance(thing, Placed):
        changes["detail"] = (*thing.detail, *sheet_entries(data.detail))
    for name, value in data.also.items():
        old = getattr(thing, name, None)
        if name == "dicebot" and isinstance(thing, Character):
            palette = thing.palette or ChatPalette(text="")
            changes["palette"] = replace(palette, dicebot=str(value))
        elif name == "extra" and isinstance(old, tuple) and isinstance(value, Mapping):
            more = {key: _word(one) for key, one in value.items()}
            changes[name] = tuple({**dict(old), **more}.items())
        elif name in PICTURE_FIELDS and name in thing.__struct_fields__:
            changes[name] = picture_face(game, str(value or ""), data.place("also", name))
        elif isinstance(old, str):
            changes[name] = _word(value)
        elif isinstance(old, bool) == isinstance(value, bool) and isinstance(old, int | float):
            if not isinstance(value, int | float):
                raise error_at(data.place("also", name), "ALSO", "no-number", name=name)
            changes[name] = value
        else:
            known = [key for key in thing.__struct_fields__ if key not in ("detail", "objects")]
            where, near = data.place("also", name), nearest(name, [*known, "dicebot"])
            raise error_at(where, "ALSO", "not-known", name=name, nearest=near)
    return replace(thing, **changes) if changes else thing


def _word(value: Any) -> str:
    """Return a value as an attribute or a text has it."""
    return (
        str(value).lower() if isinstance(value, bool) else str(value if value is not None else "")
    )


def sheet_entries(entries: Mapping[str, Any]) -> Iterator[Data[Any]]:
    """Yield what a sheet says: texts, ``[text]`` of several lines, ``[now, most]``, sections of
    these."""
    for label, value in entries.items():
        match value:
            case Mapping():
                yield group(label, *sheet_entries(value))
            case [now, most]:
                yield Data(name=label, value=_word(most), type="numberResource", current=_word(now))
            case [several]:
                yield note(label, _word(several))
            case _:
                yield text(label, _word(value))


# Units from which a card is a sheet to read from.
WIDE = 4


# Pixels instead of 270, which are too few for a sheet of 8 units.
SHOWN_WIDE: Attributes = (("overViewWidth", "560"),)


# One name is Lily's, one With Fly's; Lily draws a lock on the picture unless told not to.
LOCKED: Attributes = (("isLock", "true"), ("isLocked", "true"), ("dispLockMark", "false"))


FLAT: Attributes = (("isUpright", "false"),)


def _fork_attributes(thing: Thing, area: Area, item: Item) -> Attributes:
    """Return what helps in the forks."""
    if isinstance(thing, TableCard) and thing.size >= WIDE:
        sits = area.seat is not None and not area.seat.bay
        return SHOWN_WIDE + (LOCKED if sits and item.lay == "sheet" else ())
    return FLAT if isinstance(thing, TextNote) and item.lay == "notes" else ()


def crew_detail(game: Game, loadout: Loadout) -> Iterator[Data[Any]]:
    """Yield what the sheet of a mech says of its pilots; nothing where they have no skills."""

    def line(card: Card) -> str:
        texts = (plain(card.text(one), game.marks) for one in game.kinds[card.kind].detail.values())
        text = game.says("between-skills").join(filter(None, texts))
        return game.says("line", name=plain(card.name, game.marks), text=text)

    pilots = grouped(skills_of(game, loadout.build), lambda each: each[0].name)
    notes = [
        note(name, "\n".join(line(card) for _pilot, card in each)) for name, each in pilots.items()
    ]
    if notes:
        yield group(game.says("pilots"), *notes)


def mech_detail(game: Game, loadout: Loadout) -> Iterator[Data[Any]]:
    """Yield what the sheet of a mech says: what is mounted where, its pilots, what it is like."""
    lines = []
    for part in game.parts:
        cards = [game.card(name) for name in loadout.build.mounted.get(part, ())]
        mounted = game.says("between-cards").join(
            plain(card.name, game.marks) for card in cards if card
        )
        lines.append(game.says("line", name=part, text=mounted))
    yield group(game.says("mounted"), note(game.says("parts"), "\n".join(lines)))
    yield from crew_detail(game, loadout)
    if loadout.text:
        yield group(game.says("mech"), note(game.says("traits"), plain(loadout.text, game.marks)))


def terrain(game: Game, ground: Ground, level: float, name: str = "") -> Iterator[Terrain[Face]]:
    """Yield the board as a flat picture, and a block of ``level`` units a step on every raised
    cell."""
    board, (x, y), square = ground.board, ground.corner, ground.square
    width, depth = ground.size
    yield Terrain(
        name=name or game.named(board.name),
        floor=board_face(game, board.face, board),
        width=round(width, 4),
        depth=round(depth, 4),
        height=0,
        shows_wall=False,
        x=round(x * UNIT, 4),
        y=round(y * UNIT, 4),
        extra=marks.of("board", board.id),
    )
    for cell in board.cells:
        if cell.elevation > 0 and board.kind == "square":
            top, side = tile_faces(game, "tile", "wall", board, cell)
            yield Terrain(
                name=game.says(
                    "raised", levels=cell.elevation, column=cell.column + 1, row=cell.row + 1
                ),
                floor=top,
                wall=side,
                width=square,
                depth=square,
                height=cell.elevation * level,
                x=(x + cell.column * square) * UNIT,
                y=(y + cell.row * square) * UNIT,
                extra=marks.of("board", board.id),
            )
