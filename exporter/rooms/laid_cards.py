"""Cards on the table: which ones an item asks for, alone, in stacks, blank, and empty stacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from msgspec.structs import replace

from exporter.core import grouped
from exporter.core.problems import (
    SourceLocation,
    each_of,
    error_at,
    nearest,
)
from exporter.faces.card_faces import (
    Face,
    card_back,
    card_front,
    style_of,
    styled_face,
)
from exporter.faces.face_texts import (
    fill,
    fill_lines,
    plain,
    shuffle_words,
)
from exporter.faces.style_values import filled
from exporter.model import (
    OWN_DECK,
    Card,
    DeckCard,
    Frame,
    Game,
    Item,
    Loadout,
    Pilot,
    Selection,
)
from exporter.model.fields import whole_number
from exporter.model.tabletop import (
    CardStack,
    Data,
    TableCard,
    group,
    note,
    text,
)
from exporter.rooms.area import Area
from exporter.rooms.room_notes import errata_lines
from exporter.rules.figures import skills_of
from exporter.udonarium import marks

# Cards that one item may lay: more than any box holds, and few enough for a browser.
MOST_CARDS = 1000


def _number_of_copies(area: Area, selection: Selection, card: Card, where: SourceLocation) -> int:
    copies = area.fill(selection.copies, where)
    number = whole_number(copies)
    if number is not None and number >= 0:
        return number
    value = card.get(copies)
    if isinstance(value, int):
        return int(value)
    raise error_at(where, "COPIES", "copies-no-number", copies=copies, card=card.name)


def player_deck(area: Area, name: str) -> Sequence[DeckCard] | None:
    """Return what a player brings in the place of a deck of the game; nothing where it is the
    game's own.

    Beside a deck that is brought, those that belong to it and are not there are empty.
    """
    decks = area.loadout.decks if area.loadout else {}
    if not decks:
        return None
    kind = area.game.kind_of_deck(name)
    if kind is None:
        printed = any(row.deck == name for row in area.game.decks)
        return decks.get(name, decks.get("") if printed else None)
    if kind.id in decks or kind.beside in decks:
        return decks.get(kind.id, ())
    return decks.get(name, decks.get(""))


def _deck(area: Area, selection: Selection, where: SourceLocation) -> Sequence[DeckCard]:
    if selection.deck == OWN_DECK:
        loadout = area.loadout
        if loadout is None:
            return ()
        if selection.marks and loadout.code:
            printed = area.game.deck_cards(loadout.code)
            return [entry for entry in printed if entry.mark in selection.marks]
        return loadout.deck
    name = area.fill(selection.deck, where)
    own = player_deck(area, name)
    if own is not None:
        return own
    decks = area.game.printed_decks
    if name in area.game.deck_kinds and name not in decks:
        return ()  # which nobody brings
    if name not in decks:
        raise error_at(where, "DECK", "no-printed-deck", name=name, nearest=nearest(name, decks))
    return area.game.deck_cards(name)


def _named_card(area: Area, name: str, where: SourceLocation) -> Card:
    """Return the card with an id or a name. Raises ``InvalidSource``."""
    name = area.fill(name, where)
    card = area.game.card(name)
    if card is None:
        raise error_at(where, "CARD", "no-card", name=name, nearest=nearest(name, area.game.cards))
    return card


def _listed(area: Area, selection: Selection, where: SourceLocation) -> list[Card]:
    """Return the cards that a field of a card lists."""
    name, field_name = selection.listed
    words = _named_card(area, name, where).get(area.fill(field_name, where))
    cards = [area.game.card(word) for word in words] if isinstance(words, tuple) else []
    return [card for card in cards if card is not None]


def selected(area: Area, item: Item) -> list[DeckCard]:
    """Return the cards that an item asks for, in the order of the deck or of the files."""
    game, selection, where = area.game, item.cards or Selection(), item.where
    left_out = game.editions.keys() - area.editions if area.editions else ()

    def in_words(asked: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
        return {
            name: tuple(area.fill(word, where) for word in words) for name, words in asked.items()
        }

    only, unless = in_words(selection.only), in_words(selection.unless)
    filled = replace(selection, only=only, unless=unless)

    def is_chosen(card: Card) -> bool:
        return (
            filled.suits(card)
            and not (left_out and card.text("edition") in left_out)
            and not (selection.used_by and not area.needs(card, selection.used_by))
        )

    if selection.deck:
        found = [entry for entry in _deck(area, selection, where) if is_chosen(entry.card)]
    elif selection.pilots or selection.listed:
        cards: Iterable[Card] = (
            [card for _pilot, card in pilots_of_all(game, area.sides(item))]
            if selection.pilots
            else _listed(area, selection, where)
        )
        found = [DeckCard(card=card) for card in cards if is_chosen(card)]
    else:
        cards = game.cards.values()
        if selection.ids:
            cards = each_of(lambda name: _named_card(area, name, where), selection.ids)
        found = [
            DeckCard(card=card, copies=_number_of_copies(area, selection, card, where))
            for card in cards
            if is_chosen(card)
        ]
    for entry in found:
        area.used.setdefault((entry.card.id, entry.deck), entry)
    return found


def pilots_of_all(game: Game, loadouts: Iterable[Loadout]) -> list[tuple[Pilot, Card]]:
    """Return each pilot with each of their skills: who sits in several loadouts is there once."""
    found = [each for loadout in loadouts for each in skills_of(game, loadout.build)]
    return list({(pilot.name, card.id): (pilot, card) for pilot, card in found}.values())


# Units: on cards of this width the count of a stack would hide what they show.
SMALL = 1


def _card_detail(game: Game, entry: DeckCard) -> Iterator[Data[Any]]:
    """Yield the sheet beside a card: the errata and rulings that bear on it, and its text.

    The client cuts off what is long. The face says the text too, but nothing of the former.
    """
    card, kind = entry.card, game.kinds[entry.card.kind]
    sections: dict[str, list[Data[Any]]] = {}
    for label, name in kind.detail.items():
        value = plain(card.text(name), game.marks)
        section, _, own = label.rpartition("/")
        if value:
            line = note(own, value) if len(value) > 12 else text(own, value)
            sections.setdefault(section or game.named(kind.name), []).append(line)
    notes = [note(erratum.id, line) for erratum, line in errata_lines(game, card, entry.deck)]
    notes += [note(r.id, plain(r.ruling, game.marks)) for r in game.rulings_of(card)]
    if entry.deck in game.mechs:
        whose = text(game.says("deck"), f"{entry.deck} {entry.mark}".strip())
        sections.setdefault(game.named(kind.name), []).append(whose)
    if notes:
        yield group(game.says("errata"), *notes)
    yield from (group(section, *entries) for section, entries in sections.items())


def text_detail(game: Game, body: str) -> tuple[Data[Any], ...]:
    """Return the text on the sheet of a thing; nothing for an empty one."""
    return (group(game.says("explanation"), note(game.says("content"), body)),) if body else ()


def back_of_deck(game: Game, loadout: Loadout, style: str) -> Face | None:
    """Return what those cards of a mech that have ``style`` as their backs show there, in any
    room."""
    found = (entry for entry in loadout.deck if game.kinds[entry.card.kind].back == style)
    return next((card_back(game, entry) for entry in found), None)


def _single_cards(area: Area, item: Item, entries: Sequence[DeckCard]) -> Iterator[TableCard[Face]]:
    """Yield every single card, in the stated order."""
    count = sum(entry.copies for entry in entries)
    if count > MOST_CARDS:
        raise error_at(
            item.where, "COPIES", "cards-lie-allowed", count=count, most_cards=MOST_CARDS
        )
    for entry in entries:
        yield from [_table_card(area.game, entry, item.face_down)] * entry.copies


def _table_card(game: Game, entry: DeckCard, face_down: bool) -> TableCard[Face]:
    # Samples share their pictures, as a room takes as long to load as it has pictures; which
    # deck a card is of stands in its detail.
    mech = game.mechs.get(entry.deck)
    front = replace(entry, mark="") if mech is not None and mech.sample else entry
    return TableCard(
        name=plain(entry.card.name, game.marks),
        front=card_front(game, front),
        back=card_back(game, entry),
        size=game.kinds[entry.card.kind].size,
        face_down=face_down,
        detail=tuple(_card_detail(game, entry)),
        extra=marks.of("card", entry.card.id),
    )


def _stack(
    area: Area, item: Item, name: str, entries: Sequence[DeckCard]
) -> Iterator[CardStack[Face]]:
    cards = tuple(_single_cards(area, item, entries))
    if cards:
        game = area.game
        # Open cards keep their order.
        words = {} if item.face_down else shuffle_words(game.language, "unshuffled")
        body = fill_lines(item.text, {**area.names, **words}, item.where)
        body = "\n".join(filter(None, (body, game.says("taking-out") if item.store else "")))
        detail = text_detail(game, body)
        # The count covers the middle of what is no larger than itself.
        large = any(card.size > SMALL for card in cards)
        yield CardStack(name=name, cards=cards, detail=detail, shows_total=large)


def lay_stack(area: Area, item: Item) -> Iterator[CardStack[Face]]:
    yield from _stack(area, item, area.fill(item.name, item.where), selected(area, item))


def lay_stacks(area: Area, item: Item) -> Iterator[CardStack[Face]]:
    groups = grouped(
        selected(area, item), lambda entry: tuple(entry.card.text(name) for name in item.by)
    )
    for entries in groups.values():
        card = entries[0].card
        count = str(sum(entry.copies for entry in entries))
        names = {**area.names, **card_names(area.game, card)}
        name = fill(item.name, {**names, "count": count}, item.where)
        yield from _stack(area, item, name, entries)


def card_names(game: Game, card: Card) -> Mapping[str, str]:
    """Return what ``${…}`` may name of a card."""
    return {name: plain(card.text(name), game.marks) for name in ("id", "name", *card.fields)}


def lay_pile(area: Area, item: Item) -> Iterator[CardStack[Face]]:
    """Yield an empty stack: it takes whatever is dropped on it, and counts it."""
    yield CardStack(
        name=area.fill(item.name, item.where),
        detail=text_detail(area.game, fill_lines(item.text, area.names, item.where)),
    )


def lay_cards(area: Area, item: Item) -> Iterator[TableCard[Face]]:
    yield from _single_cards(area, item, selected(area, item))


# Units of a card that says none.
SIZE = (2.0, 2.8)


def frame_choices(game: Game) -> Iterator[tuple[Frame, dict[str, str]]]:
    """Yield each frame with each choice that a build has besides: what chooses it, by key."""
    options = tuple(game.frame.options.values())
    for words in product(*options):
        for frame in game.frames:
            chosen = dict(zip(game.frame.options, words, strict=True))
            whole = {**frame.key, **chosen}
            keys = (*game.frame.key, *game.frame.options)
            yield frame, {key: whole[key] for key in keys}


def lay_frames(area: Area, item: Item) -> Iterator[CardStack[Face]]:
    """Yield a stack of ``count`` cards for every frame, each with its figures and slots."""
    game, style = area.game, item.style
    for frame, words in frame_choices(game):
        title = "・".join(words.values())
        values = {
            **item.values,
            "name": title,
            "frame": words,
            "figures": dict(frame.figures),
            "slots": dict(frame.slots),
        }
        picture = styled_face(game, style, values, where=item.where, name=(f"{style}s", title))
        parts = [text(part, str(slots)) for part, slots in frame.slots.items()]
        card = TableCard(
            name=title,
            front=picture,
            back=picture,
            size=(item.size or SIZE)[0],
            detail=(group(game.says("parts"), *parts),) if parts else (),
            extra=marks.of("frame", "/".join(words.values())),
        )
        names = {**area.names, "name": title, "count": str(item.count)}
        detail = text_detail(game, game.says("taking-out") if item.store else "")
        name = fill(item.name or "${name}", names, item.where)
        yield CardStack(name=name, cards=(card,) * item.count, detail=detail)


def lay_blank(area: Area, item: Item) -> Iterator[TableCard[Face]]:
    """Yield flat cards that show a style of their ``values`` alone, ``count`` of them."""
    game = area.game
    for names in area.each(item):
        sides = []
        for side in (item.style, item.back or item.style):
            values = filled(style_of(game, side, item.where), item.values, names, item.spot)
            name = (f"{side}s", " ".join(fill(item.name, names, item.where).split()))
            sides.append(styled_face(game, side, values, where=item.where, name=name))
        yield TableCard(
            name=fill(item.name, names, item.where),
            front=sides[0],
            back=sides[1],
            size=(item.size or SIZE)[0],
        )
