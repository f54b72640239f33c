"""What is dropped into a running room: a mech with all it needs, or things by their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from exporter.core.names import normalized
from exporter.core.problems import (
    COMMAND_LINE,
    Faults,
    SourceLocation,
    error_at,
    nearest,
)
from exporter.faces.card_faces import Face
from exporter.model import (
    OWN_DECK,
    Game,
    Item,
    Layout,
    Loadout,
    Seat,
    Selection,
)
from exporter.model.documents import standing
from exporter.model.tabletop import (
    CardStack,
    Room,
    TableCard,
)
from exporter.rooms.area import (
    Area,
    Seating,
)
from exporter.rooms.footprints import Thing
from exporter.rooms.laying import lay_all


def loose_pieces(
    game: Game, layout: Layout, loadout: Loadout, other: Loadout | None
) -> tuple[Thing, ...]:
    """Return what is dropped into a running room for one mech: the items of ``layout``, without a
    seat.

    Raises ``InvalidSource`` with every fault found.
    """
    seat = Seat(id="loose", name=loadout.name, layout=layout.id)
    return _laid(game, layout, Seating(seat, loadout, other))


def brought_decks(game: Game, loadout: Loadout) -> tuple[Thing, ...]:
    """Return the decks that a player brings, each as a stack. Raises ``InvalidSource``."""
    items = tuple(
        _stack(
            game.says("deck-of", name=loadout.name, count=sum(one.copies for one in cards)),
            kind or OWN_DECK,
            loadout.build.where,
        )
        for kind, cards in loadout.decks.items()
    )
    layout = Layout(id=loadout.name, size=(1, 1), items=items)
    return _laid(game, layout, Seating(Seat(id="loose", name=loadout.name, layout=""), loadout))


def _stack(name: str, deck: str, where: SourceLocation) -> Item:
    """Return a deck as a stack."""
    return Item(
        lay="stack",
        name=name,
        text="${shuffle}",
        face_down=True,
        cards=Selection(deck=deck),
        spot=standing(where),
    )


def named_things(game: Game, name: str) -> tuple[Thing, ...]:
    """Return the card with this id, or the cards with this name, and the printed deck called so, if
    any.

    Raises ``InvalidSource`` for cards that have no face.
    """
    cards = [game.cards[name]] if name in game.cards else []
    cards = cards or [card for card in game.cards.values() if card.name == name]
    items = [
        Item(lay="cards", cards=Selection(ids=(card.id,)), spot=standing(card.where))
        for card in cards
    ]
    deck = [entry for entry in game.decks if entry.deck == name]
    if deck:
        items.append(
            _stack(
                game.says("deck-of", name=name, count=sum(row.copies for row in deck)),
                name,
                deck[0].where,
            )
        )
    return _laid(game, Layout(id=name, size=(1, 1), items=tuple(items)), Seating())


def pieces_called(game: Game, name: str, rooms: Mapping[str, Room[Face]]) -> tuple[Thing, ...]:
    """Return the pieces of a room that are called ``name``, or ``room/name`` where rooms differ in
    them.

    Raises ``InvalidSource`` where no room has any, or several have different ones.
    """
    room, slash, rest = name.partition("/")
    name, chosen = (rest, [room]) if slash and room in rooms else (name, list(rooms))
    plain = normalized(name)
    found = {
        key: pieces
        for key in chosen
        if (pieces := _heap([p for p in rooms[key].pieces if normalized(p.name) == plain]))
    }
    if not found:
        names = {*game.mechs, *game.cards, *game.cards_by_name, *game.printed_decks}
        names |= {piece.name for key in chosen for piece in rooms[key].pieces}
        raise error_at(
            COMMAND_LINE,
            "LOOSE",
            "no-mech-card",
            game=game.id,
            name=name,
            near=nearest(name, names),
        )
    first, *others = found
    if any(found[key] != found[first] for key in others):
        raise error_at(
            COMMAND_LINE,
            "LOOSE",
            "what-called-differs",
            name=name,
            rooms=", ".join(found),
            first=first,
        )
    return found[first]


def _laid(game: Game, layout: Layout, seating: Seating) -> tuple[Thing, ...]:
    faults = Faults()
    laid = lay_all([Area(game, layout, seating=seating)], faults)
    faults.stop_if_any()
    return _heap([thing for one in laid for thing in one.things])


def _heap(things: Sequence[Thing]) -> tuple[Thing, ...]:
    """Return things on one spot, where the client drops them, the lowest first: what is larger lies
    lower.

    Of those as large as one another, the first lies lowest; what stands comes last.
    """
    heaped: list[Thing] = []
    for index, thing in enumerate(sorted(things, key=_width, reverse=True)):
        if isinstance(thing, TableCard | CardStack):
            thing = replace(thing, zindex=index)
        if isinstance(thing, CardStack):
            thing = replace(thing, cards=tuple(replace(card, x=0, y=0) for card in thing.cards))
        heaped.append(replace(thing, x=0, y=0))
    return tuple(heaped)


def _width(thing: Thing) -> float:
    """Return the width of a card, or of a stack of them, in units; 0 of other things."""
    card = thing.cards[0] if isinstance(thing, CardStack) else thing
    return card.size if isinstance(card, TableCard) else 0
