"""Cards on the table: alone, in stacks, blank ones, and the places where stacks will lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from msgspec.structs import replace

from exporter.faces.card_faces import (
    Face,
    card_back,
    card_front,
    style_of,
    styled_face,
)
from exporter.faces.face_texts import (
    TAKING_OUT,
    UNSHUFFLED,
    fill,
    fill_lines,
    plain,
)
from exporter.faces.style_values import filled
from exporter.model import (
    SAMPLE,
    Card,
    DeckCard,
    Frame,
    Game,
    Item,
    Loadout,
)
from exporter.model.tabletop import (
    CardStack,
    Data,
    TableCard,
    group,
    note,
    text,
)
from exporter.model.tabletop import CardStack as TableStack
from exporter.model.tabletop import text as text_entry
from exporter.rooms import provenance
from exporter.rooms.area import (
    Area,
    nth_place,
    selected,
    single_cards,
)
from exporter.rooms.room_notes import errata_lines

SMALL = 1
"""Units: on cards of this width the count of a stack would hide what they show."""


def _card_detail(game: Game, entry: DeckCard) -> tuple[Data[Any], ...]:
    """The sheet beside a card: the errata and rulings that bear on it, and its text.

    The client cuts off what is long. The face says the text too, but nothing of the former.
    """
    key = ("detail", entry.deck, entry.mark)
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
    if entry.deck in game.mechs:
        fields.append(text("デッキ", f"{entry.deck} {entry.mark}".strip()))
    if notes:
        yield group("エラッタ・Q&A", *notes)
    if fields:
        yield group(kind.name.ja, *fields)


def described(said: str) -> tuple[Data[Any], ...]:
    """What the sheet of a thing says of it; nothing where nothing is said."""
    return (group("説明", note("内容", said)),) if said else ()


def _is_sample(game: Game, entry: DeckCard) -> bool:
    mech = game.mechs.get(entry.deck)
    return mech is not None and mech.sample


def _back(game: Game, entry: DeckCard) -> Face:
    return card_back(game, replace(entry, deck=SAMPLE) if _is_sample(game, entry) else entry)


def back_of_deck(game: Game, loadout: Loadout, style: str) -> Face | None:
    """What those cards of a mech that have ``style`` as their backs show there, in any room."""
    found = (entry for entry in loadout.deck if game.kinds[entry.card.kind].back == style)
    return next((_back(game, entry) for entry in found), None)


def _table_card(
    area: Area, entry: DeckCard, face_down: bool, at: tuple[float, float]
) -> TableCard[Face]:
    game = area.game
    x, y = area.place(at)
    # Samples share their pictures, as a room takes as long to load as it has pictures; which
    # deck a card is of stands in its detail.
    front = replace(entry, mark="") if _is_sample(game, entry) else entry
    return TableCard(
        name=plain(entry.card.name, game.marks),
        front=card_front(game, front),
        back=_back(game, entry),
        size=game.kinds[entry.card.kind].size,
        face_down=face_down,
        detail=_card_detail(game, entry),
        extra=provenance.of("card", entry.card.id),
        x=x,
        y=y,
    )


def _stack(
    area: Area, item: Item, name: str, at: tuple[float, float], entries: Sequence[DeckCard]
) -> Iterator[TableStack[Face]]:
    x, y = area.place(at)
    singles = single_cards(area, item, name, at, entries)
    # Copies are one value, so that whoever walks the room may do its work once for all of them.
    known = {id(entry): _table_card(area, entry, item.face_down, at) for entry in entries}
    cards = tuple(known[id(entry)] for entry in singles)
    if cards:
        words = {} if item.face_down else UNSHUFFLED  # open cards keep their order
        said = fill_lines(item.text, {**area.names, **words}, item.where)
        said = "\n".join(filter(None, (said, TAKING_OUT if item.store else "")))
        detail = described(said)
        # The count covers the middle of what is no larger than itself.
        large = any(card.size > SMALL for card in cards)
        yield TableStack(
            name=name, cards=cards, detail=detail, shows_total=large, rotate=item.rotate, x=x, y=y
        )


def lay_stack(area: Area, item: Item, at: tuple[float, float]) -> Iterator[TableStack[Face]]:
    yield from _stack(area, item, fill(item.name, area.names, item.where), at, selected(area, item))


def lay_stacks(area: Area, item: Item, at: tuple[float, float]) -> Iterator[TableStack[Face]]:
    groups: dict[tuple[str, ...], list[DeckCard]] = {}
    for entry in selected(area, item):
        groups.setdefault(tuple(entry.card.text(name) for name in item.by), []).append(entry)
    for index, entries in enumerate(groups.values()):
        card = entries[0].card
        count = str(sum(entry.copies for entry in entries))
        names = {**area.names, **card_names(area, card)}
        name = fill(item.name, {**names, "count": count}, item.where)
        yield from _stack(area, item, name, nth_place(item, at, index), entries)


def card_names(area: Area, card: Card) -> Mapping[str, str]:
    """What ``${…}`` may name of a card."""
    game, fields = area.game, ("id", "name", *card.fields)
    return game.once(
        "names", lambda: {name: plain(card.text(name), game.marks) for name in fields}, of=card
    )


def lay_pile(area: Area, item: Item, at: tuple[float, float]) -> Iterator[TableStack[Face]]:
    """An empty stack: it takes whatever is dropped on it, and counts it."""
    x, y = area.place(at)
    yield TableStack(
        name=fill(item.name, area.names, item.where),
        detail=described(fill_lines(item.text, area.names, item.where)),
        x=x,
        y=y,
    )


def lay_cards(area: Area, item: Item, at: tuple[float, float]) -> Iterator[TableCard[Face]]:
    entries = single_cards(area, item, "", at, selected(area, item))
    for index, entry in enumerate(entries):
        yield _table_card(area, entry, item.face_down, nth_place(item, at, index))


SIZE = (2.0, 2.8)
"""Units of a card that says none."""


def frame_words(game: Game) -> Iterator[tuple[Frame, dict[str, str]]]:
    """Each frame with each choice that a build has besides: what chooses it, by key."""
    options = tuple(game.frame.options.values())
    for words in product(*options):
        for frame in game.frames:
            chosen = dict(zip(game.frame.options, words, strict=True))
            whole = {**frame.key, **chosen}
            keys = (*game.frame.key, *game.frame.options)
            yield frame, {key: whole[key] for key in keys}


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
            extra=provenance.of("frame", "/".join(words.values())),
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
