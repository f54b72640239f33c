"""From game folders to files: read, correct, plan, paint, write.

``room_files``, ``loose_files`` and ``picture_files`` plan what one game is to become, faces still;
``build_files`` makes it of every game and writes all of it, or with any fault nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from exporter.faces import Face, board_face, card_front
from exporter.model import Build, DeckCard, Game
from exporter.places import template_folders
from exporter.problems import COMMAND_LINE, Faults, InvalidSource, Problem, Severity
from exporter.rooms.orders import Order, chosen_loadouts, planned_rooms
from exporter.rooms.room import loose_pieces
from exporter.rules.errata import corrected
from exporter.source import is_build_file, read_builds, read_game
from exporter.tabletop import Card, CardStack, Image, ImageFile, Room, pictures, with_pictures
from exporter.writing import Written, refuse_places, write_whole

if TYPE_CHECKING:
    from exporter.paint import Painted, Progress

LOOSE = "loose"
"""The layout of what is dropped into a running room."""

_NO_FILE_NAME = re.compile(
    r'[/\\:*?"<>|\x00-\x1f]|^\.|^$|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)', re.IGNORECASE
)
"""What leads out of a folder, or is no name for one of the systems people use."""


class Planned(Struct, frozen=True):
    """A file before its pictures are painted: what it is to hold, with faces for pictures.

    ``pack`` makes the file of ``content`` with image ids in the faces' place, and of the images by
    those ids. Without it the file is the content's one picture, and gets that one's extension.
    """

    content: Any
    pack: Callable[[Any, Mapping[str, ImageFile]], bytes] | None = None
    cards: int = 0


Plan: TypeAlias = Sequence[tuple[Path, Planned]]


class Made(Struct, frozen=True):
    """A file, and how much is in it."""

    path: Path
    data: bytes
    cards: int
    pictures: int


class Result(Struct, frozen=True):
    """All files of one run; ``painted`` counts the pictures that no cache held."""

    made: tuple[Made, ...]
    painted: int
    problems: tuple[Problem, ...] = ()
    written: Written = Written()


def build_files(
    folders: Iterable[Path],
    plan: Callable[[Game], Plan],
    cache: Path | None,
    progress: Progress | None = None,
    judge: Callable[[Path], Iterable[Problem]] = lambda _folder: (),
) -> Result:
    """Make what ``plan`` says of the game in each folder, and write it: all of it or nothing.

    What ``judge`` says of a folder is told and stops nothing. Raises ``InvalidSource`` with the
    faults of all games: of their data and orders or, where these have none, of their faces; then
    of the places where the files go.
    """
    faults = Faults()
    plans: dict[Path, Plan] = {}
    verdicts: list[Problem] = []
    for folder in folders:
        with faults.gathered():
            plans[folder] = plan(corrected(read_game(folder)))
        with faults.gathered():
            verdicts += judge(folder)
    faults.problems += written_twice(
        {folder: [path for path, _file in planned] for folder, planned in plans.items()}
    )
    with faults.gathered():
        refuse_places(path for planned in plans.values() for path, _file in planned)
    faults.stop_if_any()
    results = []
    for folder, planned in plans.items():
        with faults.gathered():
            results.append(_made(planned, folder, cache, progress))
    faults.stop_if_any()
    made = tuple(file for result in results for file in result.made)
    written = write_whole({file.path: file.data for file in made})
    return Result(
        made,
        sum(result.painted for result in results),
        (*(problem for result in results for problem in result.problems), *verdicts),
        written,
    )


def written_twice(plans: Mapping[Path, Iterable[Path]]) -> list[Problem]:
    """Files of one name, where large and small letters are the same; of two games told once."""
    first: dict[str, tuple[Path, Path]] = {}
    problems = {}
    hint = "Take one at a time, each with its own --out."
    for folder, planned in plans.items():
        for path in planned:
            other, same = first.setdefault(str(path).casefold(), (folder, path))
            if other != folder:
                message = f"{folder} and {other} hold games of one id, and make the same files."
                problems[str(folder)] = Problem(COMMAND_LINE, "SAME-FILE", message, hint)
            elif same is not path:
                message = f"{path} would be written over {same}."
                problems[str(path)] = Problem(COMMAND_LINE, "SAME-FILE", message, hint)
    return list(problems.values())


def _made(plan: Plan, folder: Path, cache: Path | None, progress: Progress | None) -> Result:
    """The files of one game, its distinct faces painted or taken from the cache."""
    from exporter.paint import paint

    faces = [face for _path, planned in plan for face in pictures(planned.content)]
    painted = paint(dict.fromkeys(faces), template_folders("faces"), folder, cache, progress)
    made = tuple(_packed(path, planned, painted) for path, planned in plan)
    return Result(made, painted.new, painted.problems)


def _packed(path: Path, planned: Planned, painted: Painted) -> Made:
    files = [painted.images[face] for face in dict.fromkeys(pictures(planned.content))]
    images = {file.identifier: file for file in files}
    if planned.pack is None:
        (file,) = files
        return Made(path.with_name(f"{path.name}.{file.extension}"), file.data, 0, 1)
    content = with_pictures(planned.content, lambda face: painted.images[face].identifier)
    return Made(path, planned.pack(content, images), planned.cards, len(images))


def room_files(game: Game, order: Order, out: Path) -> Plan:
    """``out/<game>/<room>.zip`` for every room asked for. Raises ``InvalidSource``."""
    from exporter.udonarium.write import write_room

    mechs = {seat: _own_build(game, wish) for seat, wish in order.mechs.items()}
    rooms = planned_rooms(game, replace(order, mechs=mechs))
    return [
        (out / game.id / f"{name}.zip", Planned(room, write_room, _count_cards(room)))
        for name, room in rooms.items()
    ]


def _own_build(game: Game, wish: str | Build) -> str | Build:
    """A wish that names a file is the one build in it."""
    if isinstance(wish, Build) or not is_build_file(wish):
        return wish
    entries = read_builds(Path(wish), game)
    if len(entries) != 1:
        message = f"{wish} holds {len(entries)} builds; a seat takes one."
        hint = "Put the build in a file of its own."
        raise InvalidSource([Problem(COMMAND_LINE, "SEAT", message, hint)])
    return replace(entries[0].build, regulation=entries[0].regulation)


def judged(folder: Path, wishes: Iterable[str | Build]) -> tuple[Problem, ...]:
    """What the rules say of the players' builds that are in files, as warnings.

    A table may play with them all the same; but nobody shall be surprised.
    """
    files = [wish for wish in wishes if isinstance(wish, str) and is_build_file(wish)]
    if not files:
        return ()
    from exporter.checking.opened import open_entries, open_game
    from exporter.checking.report import Wish, check

    opened = open_game(folder)
    entries = [entry for file in files for entry in open_entries(opened, Path(file))[0]]
    report = check(opened.game, opened.book, entries, Wish(), own_data=False)
    return tuple(
        replace(problem, severity=Severity.WARNING)
        for problem in report.all_problems
        if problem.severity is Severity.ERROR
    )


def _count_cards(room: Room[Face]) -> int:
    """Cards of a room, those in stacks included."""
    single = sum(isinstance(piece, Card) for piece in room.pieces)
    return single + sum(len(p.cards) for p in room.pieces if isinstance(p, CardStack))


def loose_files(game: Game, wishes: Sequence[str], out: Path) -> Plan:
    """``out/<game>/loose/<mech>.zip`` for each wish: what one mech adds to a running room."""
    from exporter.udonarium.write import write_loose

    layout = game.layouts.get(LOOSE)
    if layout is None:
        message = f"{game.id} has no layout {LOOSE!r}, which says what is dropped into a room."
        raise InvalidSource([Problem(game.where, "LOOSE", message, "Add it to layouts.yaml.")])
    faults = Faults()
    plan = []
    for wish in dict.fromkeys(wishes):
        with faults.gathered():
            build = _own_build(game, wish)
            name = Path(wish).stem if isinstance(build, Build) else wish.replace(":", "-")
            things = loose_pieces(game, layout, *chosen_loadouts(game, build))
            plan.append((out / game.id / LOOSE / f"{name}.zip", Planned(things, write_loose)))
    faults.stop_if_any()
    return plan


def picture_files(game: Game, folder: Path) -> Plan:
    """``folder/<game>/…``: every card, with each deck's mark, and every board and joint.

    Cards of a deck that differ in nothing but their fields are numbered. Raises ``InvalidSource``
    for ids that cannot be names of files.
    """
    faces: list[tuple[tuple[str, ...], Face]] = [
        (("cards", card.id), card_front(game, DeckCard(card=card, copies=1)))
        for card in game.cards.values()
        if game.kinds[card.kind].front
    ]
    decks: dict[tuple[str, str], dict[Face, None]] = {}
    for entry in game.decks:
        held = game.card(entry.card)
        if held is not None and game.kinds[held.kind].front:
            marks = [v.id for v in game.variants.values() if v.mark in entry.mark]
            alike = decks.setdefault((entry.deck, "-".join([held.id, *marks])), {})
            alike[card_front(game, entry.of(held))] = None
    for (deck, name), alike in decks.items():
        for number, face in enumerate(alike, 1):
            faces.append((("decks", deck, f"{name}-{number}" if number > 1 else name), face))
    for board in game.boards.values():
        faces.append((("boards", board.id), board_face(game, board.face, board)))
    problems = [
        Problem(face.where, "FILE-NAME", f"{name!r} cannot be a file's name.", "Change the id.")
        for names, face in faces
        for name in names
        if _NO_FILE_NAME.search(name)
    ]
    if not faces:
        problems.append(Problem(COMMAND_LINE, "IMAGES", f"{game.id} has no pictures."))
    if problems:
        raise InvalidSource(problems)
    return [
        (folder.joinpath(game.id, *names), Planned(Image(picture=face))) for names, face in faces
    ]
