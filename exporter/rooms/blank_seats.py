"""What lies ready for mechs that are not built yet: blank sheets and discs, cards of frames."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from exporter.faces.card_faces import (
    Face,
    style_of,
    styled_face,
)
from exporter.faces.face_texts import (
    TAKING_OUT,
    fill,
)
from exporter.faces.style_values import filled
from exporter.model import (
    Frame,
    Game,
    Item,
)
from exporter.model.tabletop import (
    CardStack,
    TableCard,
    group,
)
from exporter.model.tabletop import text as text_entry
from exporter.rooms.area import (
    Area,
    nth_place,
)
from exporter.rooms.provenance import (
    frame_keys,
    of_frame,
)
from exporter.rooms.stacks import described

SIZE = (2.0, 2.8)
"""Units of a card that says none."""


def frame_words(game: Game) -> Iterator[tuple[Frame, dict[str, str]]]:
    """Each frame with each choice that a build has besides: what chooses it, by key."""
    options = tuple(game.frame.options.values())
    for words in product(*options):
        for frame in game.frames:
            chosen = dict(zip(game.frame.options, words, strict=True))
            whole = {**frame.key, **chosen}
            yield frame, {key: whole[key] for key in frame_keys(game)}


def lay_frames(area: Area, item: Item, at: tuple[float, float]) -> Iterator[CardStack[Face]]:
    """A stack of ``count`` cards for every frame, each with its figures and slots."""
    game, style = area.game, item.face or "frame"
    for index, (frame, words) in enumerate(frame_words(game)):
        title = "・".join(words.values())
        values = {
            **item.values,
            "name": title,
            "frame": words,
            "figures": dict(frame.figures),
            "slots": dict(frame.slots),
        }
        picture = styled_face(game, style, values, where=item.where, name=(f"{style}s", title))
        x, y = area.place(nth_place(item, at, index))
        parts = [text_entry(part, str(slots)) for part, slots in frame.slots.items()]
        card = TableCard(
            name=title,
            front=picture,
            back=picture,
            size=(item.size or SIZE)[0],
            detail=(group("部位", *parts),) if parts else (),
            extra=of_frame(words.values()),
            x=x,
            y=y,
        )
        names = {**area.names, "name": title, "count": str(item.count)}
        detail = described(TAKING_OUT if item.store else "")
        name = fill(item.name or "${name}", names, item.where)
        yield CardStack(name=name, cards=(card,) * item.count, detail=detail, x=x, y=y)


def lay_blank(area: Area, item: Item, at: tuple[float, float]) -> Iterator[TableCard[Face]]:
    """Flat cards that show a style of their ``values`` alone, ``count`` of them."""
    game = area.game
    for index, names in area.each(item):
        sides = []
        for side in (item.face or "sheet", item.back or item.face or "sheet"):
            style = style_of(game, side, item.where)
            values = filled(style, item.values, names, item.spot)
            name = (f"{side}s", " ".join(fill(item.name, names, item.where).split()))
            sides.append(styled_face(game, side, values, where=item.where, name=name))
        x, y = area.place(nth_place(item, at, index))
        yield TableCard(
            name=fill(item.name, names, item.where),
            front=sides[0],
            back=sides[1],
            size=(item.size or SIZE)[0],
            rotate=item.rotate,
            x=x,
            y=y,
        )
