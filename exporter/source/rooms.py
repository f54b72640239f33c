"""Layouts and rooms: what lies on the table, and where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from exporter.model import (
    MAT_SIZE,
    OWN_DECK,
    FaceStyle,
    Item,
    Layout,
    RoomPlan,
    Seat,
    Selection,
    Tab,
)
from exporter.model.fields import MOST_EVER_REPEATED, whole_number
from exporter.problems import nearest, told
from exporter.schema.places import Table
from exporter.schema.rooms import ItemShape, LayoutShape, RoomShape
from exporter.schema.things import SelectionShape
from exporter.source import checks
from exporter.source.reading import Reading
from exporter.source.shapes import UNREADABLE, Shaped, described
from exporter.source.styles import OwnValues, read_values
from exporter.source.things import check_players, lists, name_of, refer_each, refer_keys


def _figures_shown(reading: Reading, item: Shaped[Any], path: tuple[int | str, ...]) -> None:
    for group in ("sliders", "shows"):
        shown = getattr(item.shape.items[path[1]], group)
        for label, figure in shown.items():
            if "$" not in figure and "/" not in figure and not figure.isdecimal():
                reading.refer("figure", figure, item.at(*path, group, label))


def fields_of(shape: SelectionShape | None) -> str:
    """What a field of the selected cards is called where it is referred to."""
    return f"field of {shape.kind}" if shape is not None and shape.kind else "field"


def read_selection(
    reading: Reading,
    shape: SelectionShape,
    layout: Shaped[Any],
    path: tuple[int | str, ...],
) -> Selection:
    reading.refer("kind", shape.kind, layout.at(*path, "kind"))
    named = shape.deck != OWN_DECK and "$" not in shape.deck
    reading.refer("deck", shape.deck if named else "", layout.at(*path, "deck"))
    fields = fields_of(shape)
    refer_keys(reading, fields, shape.only, layout, *path, "only")
    number = whole_number(shape.copies)
    if number is None and "$" not in shape.copies:
        reading.refer(fields, shape.copies, layout.at(*path, "copies"))
    elif number is not None and not 0 <= number <= MOST_EVER_REPEATED:
        sentence = "copies: found {found}; allowed: 0 to {most}."
        found = checks.quoted(shape.copies)
        problem = told(
            layout.at(*path, "copies"), checks.VALUE, sentence, found=found, most=MOST_EVER_REPEATED
        )
        reading.problems.append(problem)
    reading.refer(fields, shape.used_by, layout.at(*path, "used_by"))
    for index, name in enumerate(shape.ids):
        reading.refer("card", "" if "$" in name else name, layout.at(*path, "ids", index))
    if len(shape.listed) == 1:
        message = "listed: found one word; it names a card and its field that lists others."
        reading.fault(layout.at(*path, "listed"), checks.VALUE, message)
    return Selection(
        deck=shape.deck,
        kind=shape.kind,
        only=lists(shape.only),
        ids=tuple(shape.ids),
        listed=tuple(shape.listed),
        copies=shape.copies,
        used_by=shape.used_by,
    )


_STYLES = {"mat": "mat", "piece": "pawn", "dice": "die", "sheet": "sheet", "pawn": "pawn"}
"""The style of a thing that names none."""

_WITH_VALUES = ("mat", "piece", "dice")


def item_styles(item: ItemShape | Item) -> tuple[str, ...]:
    """The ids of the styles in which an item is shown, but for those of cards and boards."""
    if item.lay not in _STYLES:
        return ()
    front = item.face or _STYLES[item.lay]
    return (front, item.back) if item.lay == "sheet" and item.back else (front,)


def _values(
    reading: Reading,
    layout: Shaped[LayoutShape],
    path: tuple[int | str, ...],
    faces: Mapping[str, FaceStyle],
) -> OwnValues:
    """The values of an item, as the template of its style takes them."""
    shape = layout.shape.items[int(path[1])]
    if shape.values and shape.lay not in _WITH_VALUES:
        message = f"A thing that is `lay: {shape.lay}` has no values of its own."
        hint = "Delete them, or give them to its face style in game.yaml."
        reading.fault(layout.at(*path, "values", key=True), checks.KEY, message, hint)
        return OwnValues({})
    style = next((faces.get(name) for name in item_styles(shape)), None)
    declaration = style.declaration if style else None
    where, within = (*path, "values"), shape.size or MAT_SIZE
    return read_values(reading, layout, where, shape.values, declaration, within=within)


def _item(
    reading: Reading,
    layout: Shaped[LayoutShape],
    index: int,
    faces: Mapping[str, FaceStyle],
) -> Item:
    shape = layout.shape.items[index]
    path = ("items", index)
    for side in ("face", "back"):
        reading.refer("face", getattr(shape, side), layout.at(*path, side))
    refer_each(reading, "note", shape.notes, layout, *path, "notes")
    for name, where in ((shape.board, "board"), (shape.on[0] if shape.on else "", "on")):
        if "$" not in name:
            reading.refer("board", name, layout.at(*path, where))
    _figures_shown(reading, layout, path)
    refer_each(reading, fields_of(shape.cards), shape.by, layout, *path, "by")
    cards = None
    if shape.cards is not None:
        cards = read_selection(reading, shape.cards, layout, (*path, "cards"))
    values = _values(reading, layout, path, faces)
    lists_and_cards = ("cards", "by", "notes", "sides", "values", "card_lines")
    plain: dict[str, Any] = {
        name: getattr(shape, name)
        for name in ItemShape.__struct_fields__
        if name not in lists_and_cards
    }
    return Item(
        **plain,
        cards=cards,
        by=tuple(shape.by),
        sides=tuple(shape.sides),
        card_lines=tuple(shape.card_lines),
        notes=tuple(shape.notes),
        values=values.values,
        blanks=values.blanks,
        where=layout.at(*path),
    )


def read_layouts(reading: Reading, faces: Mapping[str, FaceStyle]) -> dict[str, Layout]:
    """The layouts by id."""
    return {
        key: Layout(
            id=key,
            size=entry.shape.size,
            items=tuple(
                _item(reading, entry, index, faces) for index in range(len(entry.shape.items))
            ),
            where=entry.where,
        )
        for key, entry in reading.table(LayoutShape, "layouts.yaml", "layout").items()
    }


def _seat(reading: Reading, room: Shaped[RoomShape], key: str) -> Seat:
    shape = room.shape.seats[key]
    for sort in ("layout", "team", "mech", "variant"):
        reading.refer(sort, getattr(shape, sort), room.at("seats", key, sort))
    return Seat(
        id=key,
        name=shape.name,
        layout=shape.layout,
        team=shape.team,
        mech=shape.mech,
        variant=shape.variant,
        start=shape.start if room.is_sound("seats", key, "start") else None,
        number=shape.number,
        rotate=shape.rotate,
        values=shape.values,
        where=room.at("seats", key),
        places={name: room.at("seats", key, name) for name in ("mech", "variant", "start")},
    )


def _check_arranged(
    reading: Reading, room: Shaped[RoomShape], layouts: set[str], is_variant: bool
) -> None:
    """What is arranged exists, and every seat is; a variant may leave seats empty."""
    known = {"board", *room.shape.seats, *layouts}
    seen = set()
    for side, names in room.shape.arrange.items():
        for index, name in enumerate(names):
            where = room.at("arrange", side, index)
            if name in seen:
                message = f"{name!r} is arranged a second time."
                reading.fault(where, checks.ID, message, "Delete one of the two.")
            elif name not in known and name != UNREADABLE and "layout" not in reading.incomplete:
                message = f"There is no seat or layout {name!r}."
                reading.fault(where, checks.REF, message, nearest(name, known))
            seen.add(name)
    if is_variant or not room.is_sound("arrange") or not seen <= known:
        return
    for seat in room.shape.seats:
        if seat not in seen:
            message = f"The seat {seat!r} is not arranged, so it would not be laid."
            where = room.at("seats", seat, key=True)
            reading.fault(where, checks.REF, message, "Name it under `arrange`.")


def _rooms(reading: Reading) -> Iterator[tuple[Shaped[RoomShape], bool]]:
    """The rooms of every file of rooms/, with whether they are variants of the file's room.

    A variant's keys are put in place of the file's before anything is held against the shape, so
    that a problem is shown where its value stands.
    """
    for name in reading.files("rooms", "room"):
        found = reading.table_of(name, "room")
        if found is None:
            continue
        value, where = found
        variants = value.get("variants")
        if not isinstance(variants, Table):
            rooms = [(value, where)]
        else:
            rooms = [
                (value.with_keys(changes, id=key), variants.values_at[key])
                for key, changes in variants.items()
                if isinstance(changes, Table)
            ]
            for key, changes in variants.items():
                if not isinstance(changes, Table):
                    message = f"Found {described(changes)}; allowed: keys of a room with values."
                    reading.fault(variants.values_at[key], checks.VALUE, message)
        for room, at in rooms:
            shaped = reading.shape(RoomShape, room, at, "room")
            if shaped is not None:
                yield shaped, room is not value


def read_rooms(reading: Reading, layouts: set[str]) -> dict[str, RoomPlan]:
    """The rooms of rooms/ by id."""
    found = []
    for file, is_variant in _rooms(reading):
        shape = file.shape
        refer_each(reading, "board", shape.boards, file, "boards")
        reading.refer("face", shape.surface, file.at("surface"))
        check_players(reading, file)
        _check_arranged(reading, file, layouts, is_variant)
        arranged = {name for names in shape.arrange.values() for name in names}
        if not is_variant:
            arranged |= shape.seats.keys()
        room = RoomPlan(
            id=shape.id,
            name=name_of(shape.name),
            players=shape.players,
            seats=tuple(_seat(reading, file, key) for key in shape.seats if key in arranged),
            boards=tuple(shape.boards),
            arrange=lists(shape.arrange),
            gap=shape.gap,
            square=shape.square,
            level=shape.level,
            table=shape.table,
            surface=shape.surface,
            grid=shape.grid,
            values=shape.values,
            chat=tuple(Tab(name=tab.name, messages=tuple(tab.messages)) for tab in shape.chat),
            inventory=tuple(shape.inventory),
            certainty=shape.certainty,
            where=file.where,
        )
        found.append((room.id, file.at("id"), room))
    return reading.unique("room", found)
