"""The chat of a room: its tabs, and the messages that stand in them when it is opened."""

from __future__ import annotations

from exporter.dates import noon
from exporter.faces import Face
from exporter.model import Game, RoomPlan
from exporter.rooms.area import shuffle_words
from exporter.tabletop import ChatMessage, ChatTab
from exporter.texts import fill


def chat_tabs(game: Game, plan: RoomPlan, shuffle: str) -> tuple[ChatTab[Face], ...] | None:
    """The plan's tabs, their messages of the day of the data; one that says nothing is left out.

    ``shuffle`` is the seed of the stacks, if any. Raises ``InvalidSource`` for unknown words.
    """
    if not plan.chat:
        return None
    names = {**shuffle_words(shuffle), **plan.values}
    names |= {"game": game.name.ja, "room": plan.name.ja, "notice": game.notice.ja}
    begin, tabs = noon(game), []
    for tab in plan.chat:
        texts = [fill(message, names, plan.where) for message in tab.messages]
        messages = (
            ChatMessage[Face](speaker=game.name.ja, text=text, timestamp=str(begin + index))
            for index, text in enumerate(filter(None, texts))
        )
        tabs.append(ChatTab(name=tab.name, messages=tuple(messages)))
    return tuple(tabs)
