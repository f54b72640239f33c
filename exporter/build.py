"""From a game folder to files: read, correct, plan, paint, write. Each function is one command."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.faces import Face, board_face, card_front
from exporter.model import Build, DeckCard, Game
from exporter.orders import COMMAND_LINE, Order, chosen_loadouts, planned_rooms
from exporter.places import templates_folder, write_whole
from exporter.problems import Faults, InvalidSource, Problem
from exporter.room import BOARD, loose_pieces
from exporter.rules.errata import corrected
from exporter.tabletop import Card, CardStack, ImageFile, Room, pictures, with_pictures

if TYPE_CHECKING:
    from exporter.paint import Painted, Progress

LOOSE = "loose"
"""The layout of what is dropped into a running room."""


@dataclass(frozen=True)
class Made:
    """A file that was written, and what is in it."""

    path: Path
    size: int
    cards: int = 0
    images: int = 0


@dataclass(frozen=True)
class Result:
    """All files of one run; ``painted`` counts the pictures that no cache held."""

    made: tuple[Made, ...]
    painted: int
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class Workshop:
    """Where pictures come from and are kept: the game's folder, the cache, who watches."""

    folder: Path
    cache: Path | None
    progress: Progress | None = None

    def paint(self, faces: Iterable[Face]) -> Painted:
        """Every distinct face as a picture, from the cache or painted now."""
        from exporter.paint import paint

        templates = templates_folder() / "faces"
        return paint(dict.fromkeys(faces), templates, self.folder, self.cache, self.progress)


def _images(painted: Painted, planned: object) -> dict[str, ImageFile]:
    files = [painted.images[face] for face in dict.fromkeys(pictures(planned))]
    return {file.identifier: file for file in files}


def _count_cards(room: Room[str]) -> int:
    """Cards of a room, those in stacks included."""
    single = sum(isinstance(piece, Card) for piece in room.pieces)
    return single + sum(len(p.cards) for p in room.pieces if isinstance(p, CardStack))


def build_rooms(game: Game, order: Order, workshop: Workshop, out: Path) -> Result:
    """Write ``out/<game>/<room>.zip`` for every room asked for; all of them or none.

    Raises ``InvalidSource`` with every fault of data, order, faces and places.
    """
    from exporter.udonarium import write_room

    rooms = planned_rooms(corrected(game), order)
    painted = workshop.paint(face for room in rooms.values() for face in pictures(room))
    files: dict[Path, bytes] = {}
    made = []
    for name, planned in rooms.items():
        room: Room[str] = with_pictures(planned, lambda face: painted.images[face].identifier)
        images = _images(painted, planned)
        path = out / game.id / f"{name}.zip"
        files[path] = write_room(room, images)
        made.append(Made(path, len(files[path]), _count_cards(room), len(images)))
    write_whole(files)
    return Result(tuple(made), painted.new, painted.problems)


def build_loose(
    game: Game, wishes: Mapping[str, str | Build], workshop: Workshop, out: Path
) -> Result:
    """Write ``out/<game>/loose/<name>.zip`` for each wish: one mech to drop into a running room."""
    from exporter.udonarium import write_loose

    layer = corrected(game)
    layout = layer.layouts.get(LOOSE)
    if layout is None:
        message = f"{game.id} has no layout {LOOSE!r}, which says what is dropped into a room."
        raise InvalidSource([Problem(game.where, "LOOSE", message, "Add it to layouts.yaml.")])
    faults = Faults()
    planned = {}
    for name, wish in wishes.items():
        with faults.gathered():
            planned[name] = loose_pieces(layer, layout, *chosen_loadouts(layer, wish))
    faults.stop_if_any()
    painted = workshop.paint(face for things in planned.values() for face in pictures(things))
    files = {}
    made = []
    for name, things in planned.items():
        images = _images(painted, things)
        named = with_pictures(things, lambda face: painted.images[face].identifier)
        path = out / game.id / LOOSE / f"{name.replace(':', '-')}.zip"
        files[path] = write_loose(named, images)
        made.append(Made(path, len(files[path]), images=len(images)))
    write_whole(files)
    return Result(tuple(made), painted.new, painted.problems)


def write_images(game: Game, workshop: Workshop, folder: Path) -> Result:
    """Write the pictures alone: every card, with each deck's mark, and every board and joint."""
    layer = corrected(game)
    faces: dict[str, Face] = {}
    for card in layer.cards.values():
        if layer.kinds[card.kind].front:
            faces[f"cards/{card.id}"] = card_front(layer, DeckCard(card=card, copies=1))
    for entry in layer.decks:
        held = layer.card(entry.card)
        if held is not None:
            deck_card = DeckCard(card=held, copies=1, deck=entry.deck, mark=entry.mark)
            marks = "".join(v.id[0] for v in layer.variants.values() if v.mark in entry.mark)
            faces[f"decks/{entry.deck}/{held.id}-{marks}"] = card_front(layer, deck_card)
    for board in layer.boards.values():
        faces[f"boards/{board.id}"] = board_face(layer, BOARD, board)
    if not faces:
        raise InvalidSource([Problem(COMMAND_LINE, "IMAGES", f"{game.id} has no pictures.")])
    painted = workshop.paint(faces.values())
    files = {
        folder / f"{name}.{painted.images[face].extension}": painted.images[face].data
        for name, face in faces.items()
    }
    write_whole(files)
    made = tuple(Made(path, len(data), images=1) for path, data in files.items())
    return Result(made, painted.new, painted.problems)
