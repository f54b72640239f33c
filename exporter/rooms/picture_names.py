"""The pictures of a game as files of their own: all that its rooms show, and their names.

=========================  ===================================================================
``cards/ID``               a card as it is without a deck, tokens too
``decks/DECK/ID``          a card of a deck that looks otherwise: ``ID-VARIANT`` of some variants
``backs/…``                by deck, or the style of cards in none; of several with a card's id
``boards/ID``              boards, joints, and what rooms put together of them
``sheets/…`` ``pawns/…``   what shows a mech, a folder a style: code, variant, team and number
``mats/…`` ``pieces/…``    by the names that they have on the table
``dice/NAME/SIDE``         the sides of dice
``tiles/…`` ``tables/…``   raised squares, and the tables themselves by room
=========================  ===================================================================

Where several pictures have one name, all but the first are numbered.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from exporter.core import grouped
from exporter.core.file_writer import IN_NO_NAME
from exporter.faces.board_faces import board_face
from exporter.faces.card_faces import (
    Face,
    card_back,
    card_front,
)
from exporter.model import (
    DeckCard,
    Game,
)
from exporter.model.tabletop import (
    Room,
    pictures,
)

Named: TypeAlias = tuple[tuple[str, ...], Face]

# Folders whose files are named by ids, which are not changed.
_OF_IDS = ("cards", "decks", "boards")

_LONGEST = 60


def named_faces(game: Game, rooms: Iterable[Room[Face]]) -> list[Named]:
    """Return every picture of a game and of its ``rooms``, with the folders and the name of its
    file."""
    laid = dict.fromkeys(face for room in rooms for face in pictures(room))
    found = list(_cards(game, laid))
    done = {face for _name, face in found}
    others = [board_face(game, board.face, board) for board in game.boards.values()]
    found += [(face.name, face) for face in dict.fromkeys([*others, *laid]) if face not in done]
    return list(_numbered(found))


def _cards(game: Game, laid: dict[Face, None]) -> Iterator[Named]:
    """Yield fronts and backs of all cards, in the looks that they may have in play."""
    known = [(entry, card) for entry in game.decks if (card := game.card(entry.card))]
    entries = grouped((entry.of(card) for entry, card in known), lambda entry: entry.card.id)
    as_it_is = {card.id for entry, card in known if not entry.fields}
    backs: dict[Face, str] = {}
    fronts: list[Named] = []
    for card in game.cards.values():
        kind = game.kinds[card.kind]
        if not kind.front:
            continue
        alone, looks = DeckCard(card=card), entries.get(card.id, [])
        if not looks or card.id in as_it_is or card_front(game, alone) in laid:
            looks = [alone, *looks]
        shown = dict.fromkeys(card_front(game, each) for each in looks)
        fronts += [(face.name, face) for face in shown]
        for each in looks if kind.back else ():
            backs.setdefault(card_back(game, each), card.id)
    yield from fronts
    alike = Counter(face.name for face in backs)
    for face, card_id in backs.items():
        *folders, name = face.name
        yield (*folders, f"{name}-{card_id}" if alike[face.name] > 1 else name), face


def _numbered(found: list[Named]) -> Iterator[Named]:
    """Yield names as files may have them, each once."""
    times: Counter[tuple[str, ...]] = Counter()
    for name, face in found:
        if name[0] not in _OF_IDS:
            # As a file may be called on any system.
            plain = (re.sub(f"[{IN_NO_NAME}]", "_", text) for text in name)
            name = tuple(text[:_LONGEST].strip(". ") or "_" for text in plain)
        times[name] += 1
        number = times[name]
        yield (*name[:-1], f"{name[-1]}-{number}" if number > 1 else name[-1]), face
