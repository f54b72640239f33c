"""What is to be read in a room: notes on the table, errata and rulings, and the chat."""

from __future__ import annotations

import calendar
import math
from collections.abc import Iterator, Sequence
from itertools import product

from exporter.core.problems import (
    error_at,
    nearest,
)
from exporter.faces.card_faces import Face
from exporter.faces.face_texts import (
    fill,
    fill_lines,
    plain,
    shuffle_words,
)
from exporter.model import (
    Card,
    Erratum,
    Game,
    Item,
    Note,
    RoomPlan,
)
from exporter.model.game import CHANGES
from exporter.model.layouts import CONTROLS, note_on_client
from exporter.model.tabletop import (
    UNIT,
    ChatMessage,
    ChatTab,
    TextNote,
)
from exporter.rooms.area import Area
from exporter.rooms.footprints import Rectangle
from exporter.rooms.opening_view import WINDOWS, Goal, View, ground_bounds
from exporter.udonarium import marks

# Lines of generated text that a note takes before the next note begins.
LINES_A_NOTE = 22


def errata_lines(game: Game, card: Card, deck: str) -> Iterator[tuple[Erratum, str]]:
    """Yield each erratum of a card with what it says: the field, the printed and the corrected
    value."""
    for erratum in game.errata_of(card, deck):
        for change in erratum.changes:
            if change.card in (card.id, card.name):
                was, now = (
                    plain(value, game.marks) or game.says("nothing")
                    for value in (change.was, change.now)
                )
                label = game.kinds[card.kind].label_of(change.field)
                yield erratum, game.says("erratum", label=label, was=was, now=now)


def _text_note(item: Item, title: str, body: str) -> TextNote[Face]:
    width, height = item.size or (6, 4)
    return TextNote(
        name=title, title=title, text=body, width=width, height=height, fontsize=item.fontsize
    )


def lay_note(area: Area, item: Item) -> Iterator[TextNote[Face]]:
    """Yield the item's own title and text."""
    names = area.names
    title, body = fill(item.title, names, item.where), fill_lines(item.text, names, item.where)
    yield _text_note(item, title, plain(body, area.game.marks))


def lay_notes(area: Area, item: Item) -> Iterator[TextNote[Face]]:
    """Yield notes of the game by their ids."""
    notes = {**area.game.notes, CONTROLS: note_on_client(area.game.language)}
    for name in item.notes:
        if name not in notes:
            raise error_at(item.where, "NOTE", "no-note", name=name, nearest=nearest(name, notes))
        note = notes[name]
        if not note.text:
            file = note.where.file
            raise error_at(item.where, "NOTE", "note-no-line-2", note=repr(note.id), file=file)
        body = plain(fill_lines(note.text, area.names, note.where), area.game.marks)
        yield _text_note(item, note.title, body)


def lay_rulings(area: Area, item: Item) -> Iterator[TextNote[Face]]:
    """Yield notes with the errata and rulings that bear on the cards laid so far."""
    game = area.game

    def line(id: str, name: str, text: str) -> str:
        return f"{id} {game.says('line', name=name, text=text)}"

    lines = [
        line(erratum.id, plain(entry.card.name, game.marks), text)
        for (_card_id, deck), entry in sorted(area.used.items())
        for erratum, text in errata_lines(game, entry.card, deck)
    ]
    laid = {ruling.id for entry in area.used.values() for ruling in game.rulings_of(entry.card)}
    lines += [
        line(ruling.id, ruling.topic, plain(ruling.ruling, game.marks))
        for ruling in game.rulings
        if ruling.id in laid or not ruling.cards
    ]
    width = (item.size or (6, 4))[0]
    letters = max(10, int(width * UNIT / (item.fontsize + 9)))
    pages: list[list[str]] = []
    left = 0
    for text in dict.fromkeys(lines):
        rows = math.ceil(len(text) / letters)
        if rows > left:
            pages.append([])
            left = LINES_A_NOTE
        pages[-1].append(text)
        left -= rows
    for number, page in enumerate(pages, 1):
        title = f"{area.fill(item.title, item.where)} {number}/{len(pages)}"
        yield _text_note(item, title, "\n".join(page))


def chat_tabs(game: Game, plan: RoomPlan, shuffle: str) -> tuple[ChatTab[Face], ...] | None:
    """Return the plan's tabs, their messages of the day of the data; one that says nothing is left
    out.

    The notes that stand on the table are a tab too, as from most places they are too far off to be
    read, and how the client is used comes last. ``shuffle`` is the seed of the stacks, if any.
    Raises ``InvalidSource`` for unknown words.
    """
    if not plan.chat:
        return None
    data = game.data_line
    names = {
        "data": data,
        **shuffle_words(game.language, "shuffled" if shuffle else "unshuffled"),
        **plan.values,
        "game": game.named(game.name),
        "room": game.named(plan.name),
        "notice": game.named(game.notice),
    }
    messages = {
        tab.name: [fill(message, names, plan.where) for message in tab.messages]
        for tab in plan.chat
    }
    notes = notes_of(game, plan)
    pages = [
        f"【{note.title}】\n{plain(fill_lines(note.text, names, note.where), game.marks)}"
        for note in ((*notes, note_on_client(game.language)) if notes else ())
    ]
    if pages:
        first, *others = messages.items()
        messages = dict([first, (game.says("how-to-play"), pages), *others])
    elif messages:
        next(iter(messages.values())).append(data)
    # The noon of the day of the data, by UTC, so that clients show this day nearly everywhere.
    year, month, date = map(int, game.day.split("-"))
    begin = calendar.timegm((year, month, date, 12, 0, 0)) * 1000
    return tuple(
        ChatTab(
            name=name,
            messages=tuple(
                ChatMessage[Face](
                    speaker=game.named(game.name), text=text, timestamp=str(begin + index)
                )
                for index, text in enumerate(filter(None, texts))
            ),
        )
        for name, texts in messages.items()
    )


def notes_of(game: Game, plan: RoomPlan) -> tuple[Note, ...]:
    """Return the notes that stand on the table of a plan, in the order of the game's own; and what
    the latest version changed."""
    arranged = (name for names in plan.arrange.values() for name in names)
    seats = plan.seats_by_id
    layouts = (game.layouts.get(seats[n].layout if n in seats else n) for n in arranged)
    ids = {note for layout in layouts if layout for item in layout.items for note in item.notes}
    return tuple(n for n in game.notes.values() if n.id in {*ids, CHANGES} and n.text)


# Of the note that a room opens with: pixels of a letter, of a line and of the title.
NOTE_FONT = 6
_LETTER, _LINE, _TITLE = NOTE_FONT + 9, 23, 24

_WIDEST = 460


def opening_note(
    game: Game,
    plan: RoomPlan,
    goals: Sequence[Goal],
    size: tuple[int, int],
    lying: Sequence[Rectangle],
    mats: Sequence[Rectangle],
    has_rules: bool,
) -> TextNote[Face] | None:
    """Return the note that is read first, standing where both windows show all of it.

    It stands as near as can be to the right of what the room opens on, before nothing that is
    ``lying``, and if possible on no mat. Nothing where there is no such place, or nothing to say.
    """
    words = plan.opening_note or f"{game.says('how-to-play')}\n{game.says('where-to-read')}"
    title, _, body = words.partition("\n")
    if not goals or not (has_rules or plan.opening_note):
        return None
    lines = body.splitlines()
    width = min(_WIDEST, max(map(len, [title, *lines])) * _LETTER + 16)
    rows = sum(-(-len(line) * _LETTER // (width - 8)) or 1 for line in lines)
    height = _TITLE + rows * _LINE
    views = [View(window, size[0] * UNIT, size[1] * UNIT) for window in WINDOWS]

    def is_seen(x: float, y: float) -> bool:
        corners = ((x + across, y, up) for across in (-width / 2, width / 2) for up in (0, height))
        points = ((view, view.project(*corner)) for corner in corners for view in views)
        return all(point and view.shows(point, beside_panels=True) for view, point in points)

    right = (goals[0].area.x + goals[0].area.width, goals[0].area.centre[1])
    # A pixel before the edges that things begin at, so that it stands on none of them.
    grounds = [*map(ground_bounds, views)]
    left, top = max(one.x for one in grounds) + width / 2, max(one.y for one in grounds)
    end = min(one.x + one.width for one in grounds) - width / 2
    bottom = min(one.y + one.height for one in grounds)
    across = [x for x in range(0, size[0] * UNIT, UNIT // 2) if left <= x <= end]
    down = [y for y in range(-1, size[1] * UNIT, UNIT // 2) if top <= y <= bottom]
    on_a_mat = None
    for x, y in sorted(product(across, down), key=lambda spot: math.dist(spot, right)):
        # What stands hides about as much of the ground behind it.
        area = Rectangle(x - width / 2, y - height, width, height + 1)
        if is_seen(x, y) and not any(map(area.meets, lying)):
            if not any(map(area.meets, mats)):
                break
            on_a_mat = on_a_mat or (x, y)
    else:
        if not on_a_mat:
            return None
        x, y = on_a_mat
    return TextNote(
        name=title,
        title=title,
        text=body,
        width=width / UNIT,
        height=height / UNIT,
        fontsize=NOTE_FONT,
        extra=marks.of("note", "opening"),
        x=x,
        y=y,
    )
