"""Boards, layouts and rooms: what lies on the table, and where."""

from __future__ import annotations

from typing import Any

from exporter import schema
from exporter.model import Board, Cell, Item, Layout, RoomPlan, Seat, Selection, Tab
from exporter.problems import nearest
from exporter.source import checks
from exporter.source.reading import Reading
from exporter.source.shapes import UNREADABLE, Shaped
from exporter.source.things import check_players, lists, name_of, refer_each, refer_keys

HOLE = "none"
"""The terrain of a cell that does not exist."""

MAX_COLUMNS = 100
_ELEVATIONS = {"-": -1, "0": 0, "1": 1, "2": 2}


def _row(reading: Reading, board: Shaped[schema.BoardShape], index: int, text: str) -> list[Cell]:
    """The cells of one line, each a letter of the legend and an elevation."""
    legend, where = board.shape.legend, board.at("rows", index)
    words = text.split()
    if len(words) > MAX_COLUMNS:
        message = f"Row {index + 1} has {len(words)} cells; allowed: at most {MAX_COLUMNS}."
        reading.fault(where, checks.VALUE, message, "Make several boards of it.")
        return []
    cells = []
    for column, word in enumerate(words):
        if len(word) != 2 or word[0] not in legend or word[1] not in _ELEVATIONS:
            message = f"Cell {column + 1} of row {index + 1} is {checks.quoted(word)}; allowed: "
            message += f"one of {checks.listed(legend)}, then one of {' '.join(_ELEVATIONS)}."
            reading.fault(where, checks.VALUE, message)
            cells.append(Cell(column=column, row=index, terrain=HOLE))
            continue
        terrain, elevation = legend[word[0]], _ELEVATIONS[word[1]]
        cells.append(Cell(column=column, row=index, terrain=terrain, elevation=elevation))
    return cells


def _squares(
    reading: Reading,
    board: Shaped[schema.BoardShape],
    group: str,
    cells: dict[tuple[int, int], Cell] | None,
) -> dict[str, tuple[tuple[int, int], ...]]:
    """Squares by side, counted from 0; starts are on the board, notches are holes in it."""
    sides = getattr(board.shape, group)
    for side, squares in sides.items():
        for index, (column, row) in enumerate(squares):
            if cells is None or not board.is_sound(group, side, index):
                continue
            cell = cells.get((column - 1, row - 1))
            where = board.at(group, side, index)
            if group == "starts" and (cell is None or cell.terrain == HOLE):
                message = f"There is no square in column {column}, row {row}."
                reading.fault(where, checks.VALUE, message, "Columns and rows count from 1.")
            elif group == "notches" and (cell is None or cell.terrain != HOLE):
                message = f"Column {column}, row {row} is no hole within the board."
                hint = f"A notch is where the legend says {HOLE}; count from 1."
                reading.fault(where, checks.VALUE, message, hint)
    return {
        str(side): tuple((column - 1, row - 1) for column, row in squares)
        for side, squares in sides.items()
    }


def read_boards(reading: Reading) -> dict[str, Board]:
    """The boards and joints of boards/ by id."""
    found = []
    for file in reading.each(schema.BoardShape, "boards", "board"):
        shape = file.shape
        cells: dict[tuple[int, int], Cell] | None = None
        rows: list[list[Cell]] = []
        if file.is_sound("legend") and file.is_sound("rows"):
            faults = len(reading.problems)
            rows = [_row(reading, file, index, row) for index, row in enumerate(shape.rows)]
            for index, row in enumerate(rows):
                if len(row) != len(rows[0]):
                    message = f"Row {index + 1} has {len(row)} cells; the first has {len(rows[0])}."
                    hint = "Separate cells by one space; a hole is a cell too."
                    reading.fault(file.at("rows", index), checks.VALUE, message, hint)
            if len(reading.problems) == faults:
                cells = {(cell.column, cell.row): cell for row in rows for cell in row}
        board = Board(
            id=shape.id,
            name=name_of(shape.name),
            columns=len(rows[0]) if rows else 0,
            rows=len(rows),
            cells=tuple(cell for row in rows for cell in row if cell.terrain != HOLE),
            starts=_squares(reading, file, "starts", cells),
            notches=_squares(reading, file, "notches", cells),
            joint=shape.joint,
            square_mm=shape.square_mm,
            certainty=shape.certainty,
            where=file.where,
        )
        found.append((board.id, file.at("id"), board))
    return reading.unique("board", found)


def _figures_shown(reading: Reading, item: Shaped[Any], path: tuple[int | str, ...]) -> None:
    for group in ("sliders", "shows"):
        shown = getattr(item.shape.items[path[1]], group)
        for label, figure in shown.items():
            if "$" not in figure and not figure.isdecimal():
                reading.refer("figure", figure, item.at(*path, group, label))


def read_selection(
    reading: Reading,
    shape: schema.SelectionShape,
    layout: Shaped[Any],
    path: tuple[int | str, ...],
) -> Selection:
    reading.refer("kind", shape.kind, layout.at(*path, "kind"))
    fields = f"field of {shape.kind}" if shape.kind else "field"
    refer_keys(reading, fields, shape.only, layout, *path, "only")
    if not shape.copies.isdecimal():
        reading.refer(fields, shape.copies, layout.at(*path, "copies"))
    reading.refer(fields, shape.used_by, layout.at(*path, "used_by"))
    refer_each(reading, "card", shape.ids, layout, *path, "ids")
    return Selection(
        deck=shape.deck,
        kind=shape.kind,
        only=lists(shape.only),
        ids=tuple(shape.ids),
        copies=shape.copies,
        used_by=shape.used_by,
    )


def _item(reading: Reading, layout: Shaped[schema.LayoutShape], index: int) -> Item:
    shape = layout.shape.items[index]
    path = ("items", index)
    for side in ("face", "back"):
        reading.refer("face", getattr(shape, side), layout.at(*path, side))
    refer_each(reading, "note", shape.notes, layout, *path, "notes")
    _figures_shown(reading, layout, path)
    cards = None
    if shape.cards is not None:
        cards = read_selection(reading, shape.cards, layout, (*path, "cards"))
    lists_and_cards = ("cards", "by", "notes")
    plain: dict[str, Any] = {
        name: getattr(shape, name)
        for name in schema.ItemShape.model_fields
        if name not in lists_and_cards
    }
    return Item(
        **plain,
        cards=cards,
        by=tuple(shape.by),
        notes=tuple(shape.notes),
        where=layout.at(*path),
    )


def read_layouts(reading: Reading) -> dict[str, Layout]:
    """The layouts by id."""
    return {
        key: Layout(
            id=key,
            size=entry.shape.size,
            items=tuple(_item(reading, entry, index) for index in range(len(entry.shape.items))),
            where=entry.where,
        )
        for key, entry in reading.table(schema.LayoutShape, "layouts.yaml", "layout").items()
    }


def _seat(reading: Reading, room: Shaped[schema.RoomShape], key: str) -> Seat:
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
        where=room.at("seats", key),
        places={name: room.at("seats", key, name) for name in ("mech", "variant", "start")},
    )


def _check_arranged(reading: Reading, room: Shaped[schema.RoomShape], layouts: set[str]) -> None:
    """What is arranged exists, and every seat is."""
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
    if not room.is_sound("arrange") or not seen <= known:
        return
    for seat in room.shape.seats:
        if seat not in seen:
            message = f"The seat {seat!r} is not arranged, so it would not be laid."
            where = room.at("seats", seat, key=True)
            reading.fault(where, checks.REF, message, "Name it under `arrange`.")


def read_rooms(reading: Reading, layouts: set[str]) -> dict[str, RoomPlan]:
    """The rooms of rooms/ by id."""
    found = []
    for file in reading.each(schema.RoomShape, "rooms", "room"):
        shape = file.shape
        refer_each(reading, "board", shape.boards, file, "boards")
        check_players(reading, file)
        _check_arranged(reading, file, layouts)
        room = RoomPlan(
            id=shape.id,
            name=name_of(shape.name),
            players=shape.players,
            seats=tuple(_seat(reading, file, key) for key in shape.seats),
            boards=tuple(shape.boards),
            arrange=lists(shape.arrange),
            gap=shape.gap,
            square=shape.square,
            level=shape.level,
            table=shape.table,
            surface=shape.surface,
            chat=tuple(Tab(name=tab.name, messages=tuple(tab.messages)) for tab in shape.chat),
            inventory=tuple(shape.inventory),
            certainty=shape.certainty,
            where=file.where,
        )
        found.append((room.id, file.at("id"), room))
    return reading.unique("room", found)
