"""The chat of a room: its tabs, and the messages that stand in them when it is opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from exporter.faces.card_faces import Face
from exporter.faces.data_version import (
    data_line,
    noon,
)
from exporter.faces.face_texts import (
    HOW_TO_PLAY,
    fill,
    fill_lines,
    plain,
)
from exporter.model import (
    Game,
    Note,
    RoomPlan,
)
from exporter.model.layouts import CONTROLS
from exporter.model.tabletop import (
    ChatMessage,
    ChatTab,
)
from exporter.rooms.area import shuffle_words


def chat_tabs(game: Game, plan: RoomPlan, shuffle: str) -> tuple[ChatTab[Face], ...] | None:
    """The plan's tabs, their messages of the day of the data; one that says nothing is left out.

    The notes that stand on the table are a tab too, as from most places they are too far off to be
    read, and how the client is used comes last. ``shuffle`` is the seed of the stacks, if any.
    Raises ``InvalidSource`` for unknown words.
    """
    if not plan.chat:
        return None
    data = data_line(game)
    names = {"data": data, **shuffle_words(shuffle), **plan.values}
    names |= {"game": game.name.ja, "room": plan.name.ja, "notice": game.notice.ja}
    said = {
        tab.name: [fill(message, names, plan.where) for message in tab.messages]
        for tab in plan.chat
    }
    pages = list(_pages(game, plan, names))
    if pages:
        first, *others = said.items()
        said = dict([first, (HOW_TO_PLAY, pages), *others])
    elif said:
        next(iter(said.values())).append(data)
    begin = noon(game)
    return tuple(
        ChatTab(
            name=name,
            messages=tuple(
                ChatMessage[Face](speaker=game.name.ja, text=text, timestamp=str(begin + index))
                for index, text in enumerate(filter(None, texts))
            ),
        )
        for name, texts in said.items()
    )


def notes_of(game: Game, plan: RoomPlan) -> tuple[Note, ...]:
    """The notes that stand on the table of a plan, in the order of the game's own."""
    arranged = (name for names in plan.arrange.values() for name in names)
    seats = plan.seats_by_id
    layouts = (game.layouts.get(seats[n].layout if n in seats else n) for n in arranged)
    ids = {note for layout in layouts if layout for item in layout.items for note in item.notes}
    return tuple(note for note in game.notes.values() if note.id in ids and note.text)


def _pages(game: Game, plan: RoomPlan, names: Mapping[str, str]) -> Iterator[str]:
    notes = notes_of(game, plan)
    for note in (*notes, CONTROLS) if notes else ():
        body = plain(fill_lines(note.text, names, note.where), game.marks)
        yield f"【{note.title}】\n{body}"
