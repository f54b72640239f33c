"""Faces one by one, for who shows them: by which key each is known, and its picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from exporter.app.drafts import Draft, build_of
from exporter.app.room_files import LOOSE
from exporter.core.cache import (
    DiskCache,
    cache_folder,
)
from exporter.core.problems import (
    Faults,
    InvalidSource,
    Problem,
)
from exporter.core.shipped_files import template_folders
from exporter.faces.card_faces import Face, SizeGroup, card_back
from exporter.faces.card_faces import card_front as drawn_front
from exporter.model import (
    Card,
    DeckCard,
)
from exporter.model.tabletop import TableCard
from exporter.render.painter import prepare_render_job
from exporter.rooms.loose_things import loose_pieces
from exporter.rules.loadouts import built_loadout
from exporter.rules.project import Project
from exporter.rules.report.verdicts import refuse_unknown_frame


class Pictured(Struct, frozen=True):
    """Pictures of those faces that could be painted, and what is wrong with the others."""

    images: Mapping[Face, bytes]
    problems: tuple[Problem, ...]


class CardFaces(Struct, frozen=True):
    """A card with its faces as it is without a deck; nothing for a side that it does not have."""

    card: Card
    front: Face | None
    back: Face | None


def card_faces(project: Project) -> tuple[tuple[CardFaces, ...], tuple[Problem, ...]]:
    """Return all cards of a game in the order of its tables, and why some have no face."""
    game = project.corrected
    found, faults = list[CardFaces](), Faults()
    for card in game.cards.values():
        kind, entry = game.kinds[card.kind], DeckCard(card=card)
        front = back = None
        with faults.collect():
            front = drawn_front(game, entry) if kind.front else None
            back = card_back(game, entry) if kind.back else None
        found.append(CardFaces(card, front, back))
    return tuple(found), tuple(sorted(set(faults.problems)))


def drawn_card_front(project: Project, card: Card) -> Face | None:
    """Return a card's face as it is without a deck; nothing for one that has none."""
    if not project.corrected.kinds[card.kind].front:
        return None
    try:
        return drawn_front(project.corrected, DeckCard(card=card))
    except InvalidSource:
        return None


def build_sheet(project: Project, draft: Draft) -> Face | None:
    """Return what lies in front of who plays a mech built like this; nothing in a game that has no
    such.

    Raises ``InvalidSource``, for a frame that there is not, too.
    """
    game, build = project.without_problems().played, build_of(draft)
    layout = game.layouts.get(LOOSE)
    if layout is None or not build.has_parts:
        return None
    refuse_unknown_frame(game, project.book, build)
    laid = loose_pieces(game, layout, built_loadout(game, build), None)
    return next((thing.front for thing in laid if isinstance(thing, TableCard)), None)


class Paintable(NamedTuple):
    """A face with all that its kind decided for it, as plain values: another process may paint it.

    ``key`` is a hash of everything that its picture depends on: with the data, a template or a
    picture it changes, and two faces of one key have one picture.
    """

    key: str
    face: Face


def paintable(
    folder: Path, faces: Iterable[Face]
) -> tuple[Mapping[Face, Paintable], tuple[SizeGroup, ...]]:
    """Return what to hand to ``paint_faces`` for each face that can be painted, and the groups
    whose texts may have another size by now: once ``size_texts`` has set these, ask again.
    """
    asked = tuple(faces)
    found = prepare_render_job(
        asked, template_folders("faces"), folder, cache_folder(), setting=False
    )
    sized = {face: found.sized.get(face, face) for face in asked}
    ready = {
        face: Paintable(found.keys[own], replace(own, size_group=None))
        for face, own in sized.items()
        if own in found.keys
    }
    return ready, tuple(map(_plain_group, found.unsure))


def _plain_group(group: SizeGroup) -> SizeGroup:
    """Return a group as a plain value, its faces with it."""
    faces = tuple(replace(face, size_group=None) for face in group.faces())
    return SizeGroup(group.name, partial(tuple, faces))


def size_texts(folder: Path, groups: Iterable[SizeGroup]) -> tuple[Problem, ...]:
    """Find the sizes that the texts of groups have; return notices of those that are new."""
    faces = [replace(next(iter(one.faces())), size_group=one) for one in groups]
    found = prepare_render_job(faces, template_folders("faces"), folder, cache_folder())
    return tuple(problem for problem in found.problems if problem.rule == "TEXT-SIZE")


def cached_picture(key: str) -> bytes | None:
    """Return the picture that the cache has under a key; nothing where it has none."""
    return DiskCache(cache_folder()).get(key)


def paint_faces(folder: Path, faces: Iterable[Face]) -> Pictured:
    """Paint faces of the game in a folder, each as far as it can be. Nothing is raised."""
    from exporter.render.painter import paint

    templates, cache = template_folders("faces"), cache_folder()
    wanted = list(dict.fromkeys(faces))
    try:
        done = paint(wanted, templates, folder, cache)
    except InvalidSource as error:
        if len(wanted) == 1:
            return Pictured({}, error.problems)
    else:
        return Pictured({face: one.data for face, one in done.images.items()}, done.problems)
    alone = [paint_faces(folder, [face]) for face in wanted]
    images = {face: data for each in alone for face, data in each.images.items()}
    return Pictured(images, tuple(sorted({p for each in alone for p in each.problems})))
