"""Rooms, single mechs and pictures: what a game's data become for the client.

``room_files``, ``loose_files`` and ``picture_files`` plan what one game is to become, faces still;
the functions that save make it of every game, in the one way of ``exporter.app.make_files``.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import DecodeError, Struct, msgpack
from msgspec.structs import replace

from exporter.app.games import (
    NameOrPath,
    Several,
    folder_of,
    folders_of,
    open_to_make,
)
from exporter.app.make_files import (
    Builds,
    Made,
    Outline,
    Outlines,
    Result,
    make,
    one_build,
    read_build_files,
)
from exporter.core import __version__
from exporter.core.cache import DiskCache, cache_folder
from exporter.core.file_writer import IN_NO_NAME, live_folder
from exporter.core.messages import (
    Translated,
    sentence,
)
from exporter.core.problems import (
    COMMAND_LINE,
    Faults,
    Problem,
    each_of,
    error_at,
    errors,
    problem_at,
    stop_for,
)
from exporter.core.shipped_files import template_folders
from exporter.core.worker_process import Progress
from exporter.faces.card_faces import Face, OwnPicture, client_address
from exporter.model import (
    Build,
    Game,
    Loadout,
)
from exporter.model.game_names import (
    resolve_any,
    resolve_name,
)
from exporter.model.tabletop import (
    Image,
    ImageFile,
    Room,
    pictures,
    with_images,
)
from exporter.rooms.loose_things import (
    brought_decks,
    loose_pieces,
    named_things,
    pieces_called,
)
from exporter.rooms.picture_names import named_faces
from exporter.rooms.room_orders import (
    RoomOrder,
    left_rooms,
    order_text,
    plan_order,
    rooms_of_order,
    seated,
)
from exporter.rooms.seats import chosen_loadouts
from exporter.rules.project import Project

if TYPE_CHECKING:
    from exporter.render.painter import Painted

# The layout of what is dropped into a running room.
LOOSE = "loose"

# What leads out of a folder, or is no name for one of the systems people use.
_NO_FILE_NAME = re.compile(
    rf"[{IN_NO_NAME}]|^\.|^$|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE
)


class PlannedFile(Struct, frozen=True, dict=True):
    """A file before its pictures are painted: what it is to hold, with faces for pictures.

    A room and what is dropped into one become zips; of a picture alone it is the file.
    With an error among its ``problems`` it is not made. A room remembers its ``order``.
    """

    content: Any
    cards: int = 0
    problems: tuple[Problem, ...] = ()
    order: str = ""
    images_at: str = ""

    @cached_property
    def faces(self) -> tuple[Face, ...]:
        """Its distinct pictures, in the order they are met."""
        return tuple(dict.fromkeys(pictures(self.content)))


PlannedFiles: TypeAlias = Sequence[tuple[Path, PlannedFile]]


def plan_rooms(
    game: NameOrPath, order: RoomOrder | None = None, *, source: NameOrPath | None = None
) -> dict[str, Room[Face]]:
    """Return what lies where in each room that is ordered (by default in all), by the room's id.

    Nothing is painted yet. Raises ``InvalidSource``.
    """
    order = order or RoomOrder()
    project = open_to_make(folder_of(game, source))
    builds = read_build_files(project, order.mechs.values())
    project = project.with_samples(wanted=project.game.samples)
    files = room_files(project, order, Path(), builds)
    stop_for(errors(problem for _path, planned in files for problem in planned.problems))
    return {path.stem: planned.content for path, planned in files}


def room_zip(
    game: NameOrPath, room: Room[Face], *, source: NameOrPath | None = None
) -> tuple[bytes, tuple[Problem, ...]]:
    """Return the zip of a planned room of a game, for who writes or sends it, and warnings of its
    faces.

    Raises ``InvalidSource`` for faces that cannot be drawn.
    """
    path = Path("room.zip")
    plans = {folder_of(game, source): Outline([(path, PlannedFile(room))])}
    result = paint_files(plans)
    return result.made[0].files[path], result.problems


def save_rooms(
    games: Several,
    out: NameOrPath = "output",
    order: RoomOrder | None = None,
    *,
    source: NameOrPath | None = None,
    progress: Progress | None = None,
) -> Result:
    """Write ``out/<game>/<room>.zip`` for every room that is ordered, by default for all.

    Raises ``InvalidSource``.
    """
    ordered = order or RoomOrder()
    plan = partial(room_outline, order=ordered, out=Path(out))
    paint = partial(paint_files, progress=progress)
    return make(folders_of(games, source), ordered.mechs.values(), plan, paint)


def room_outline(
    project: Project, builds: Builds, *, order: RoomOrder, out: Path
) -> Outline[PlannedFile]:
    """Plan the zips of the rooms of an order, and say which were left out."""
    found = outline(room_files(project, order, out, builds))
    notices = (*project.game.undated, *found.notices)
    return Outline(found.files, notices, left_out(project, order))


def save_loose(
    games: Several,
    things: Iterable[str],
    out: NameOrPath = "output",
    *,
    called: str = "",
    samples: bool = True,
    source: NameOrPath | None = None,
    progress: Progress | None = None,
) -> Result:
    """Write ``out/<game>/loose/<thing>.zip``: what is dropped into a running room.

    A thing is a mech, ``CODE`` or ``CODE:VARIANT``, the path of a file with one build, or the name
    of a card, of a deck or of a piece in a room. A mech and its file are ``called`` by a name of
    its own, if it is given one. Without ``samples`` nothing is one of them.
    Raises ``InvalidSource``.
    """
    names = tuple(things)

    def plan(project: Project, builds: Builds) -> Outline[PlannedFile]:
        project = project.with_samples(wanted=samples)
        found = outline(loose_files(project, names, Path(out), builds, called))
        heaps = [(path, planned.content) for path, planned in found.files if planned.content[1:]]
        return replace(found, remarks=tuple(_drop_order(path, heap) for path, heap in heaps))

    paint = partial(paint_files, progress=progress)
    return make(folders_of(games, source), names, plan, paint)


def save_pictures(
    games: Several,
    out: NameOrPath,
    *,
    as_png: bool = False,
    samples: bool = True,
    source: NameOrPath | None = None,
    progress: Progress | None = None,
) -> Result:
    """Write the pictures of all rooms, ``out/<game>/…``: WebP where that is smaller, or PNG alone.

    Without ``samples`` theirs are left out. Raises ``InvalidSource``.
    """

    def plan(project: Project, _builds: Builds) -> Outline[PlannedFile]:
        return outline(picture_files(project.with_samples(wanted=samples), Path(out)))

    paint = partial(paint_files, progress=progress, as_png=as_png)
    return make(folders_of(games, source), (), plan, paint)


def zip_pictures(
    folder: Path, out: Path, *, as_png: bool = False, progress: Progress | None = None
) -> Result:
    """Write ``out/<game>_pictures.zip``: what ``save_pictures`` writes, in one file.

    Raises ``InvalidSource``.
    """
    from exporter.udonarium.archive import pack

    with live_folder() as beside:
        found = save_pictures(str(folder), beside, as_png=as_png, progress=progress)
    files = {path: made for one in found.made for path, made in one.files.items()}
    data = pack((path.relative_to(beside).as_posix(), made) for path, made in files.items())
    path = out / f"{folder.name}_pictures.zip"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    made = Made(path, {path: data}, ((len(files), "picture"),))
    return replace(found, made=(made,))


def outline(files: PlannedFiles) -> Outline[PlannedFile]:
    """Leave out files with errors; their problems, and those of others, are notices."""
    problems = {problem for _path, planned in files for problem in planned.problems}
    sound = [(path, planned) for path, planned in files if not errors(planned.problems)]
    return Outline(sound, tuple(sorted(problems)))


def paint_files(
    plans: Outlines[PlannedFile], progress: Progress | None = None, *, as_png: bool = False
) -> Result:
    """Make the files of all games, their distinct faces painted or taken from the cache.

    Pictures have the form that takes the fewest bytes, unless they are wanted ``as_png``.
    """
    from exporter.render.painter import paint
    from exporter.render.pixels import all_as_png

    faults = Faults()
    made: list[Made] = []
    problems: list[Problem] = []
    count = 0
    for folder, outline in plans.items():
        faces = [face for _path, planned in outline.files for face in planned.faces]
        shifted = partial(_shifted, progress, count) if progress else None
        with faults.collect():
            found = paint(faces, template_folders("faces"), folder, cache_folder(), shifted)
            count += found.new
            if as_png:
                found = replace(found, images=all_as_png(found.images))
            made += [_packed_file(path, planned, found) for path, planned in outline.files]
            problems += found.problems
    faults.stop_if_any()
    return Result(tuple(made), tuple(problems), painted=count)


def _shifted(progress: Progress, before: int, done: int, total: int) -> None:
    progress(before + done, before + total)


def _packed_file(path: Path, planned: PlannedFile, painted: Painted) -> Made:
    from exporter.udonarium.write import write_loose, zipped

    shown = [face for face in planned.faces if not client_address(face)]
    files = [painted.images[face] for face in shown]
    if isinstance(planned.content, Image):
        path = path.with_suffix(f".{files[0].extension}")
        return Made(path, {path: files[0].data}, ((1, "picture"),))
    images = {file.identifier: file for file in files}
    names = {one: f"{one}.{file.extension}" for one, file in images.items()}
    at, folder = planned.images_at, path.parent / "images"
    beside = {folder / names[one]: file.data for one, file in images.items() if at}

    def named(face: Face) -> str:
        if address := client_address(face):
            return address
        one = painted.images[face].identifier
        return f"{at}{names[one]}" if at else one

    content = with_images(planned.content, named)
    cards = ((planned.cards, "card"),) if planned.cards else ()
    if isinstance(content, Room):
        inside = {} if at else images
        data = zipped(_room_documents(content, inside, planned.order), inside)
    else:
        data = write_loose(content, images)
    return Made(path, {path: data, **beside}, (*cards, (len(images), "picture")))


def _room_documents(room: Room[str], images: Mapping[str, ImageFile], order: str) -> dict[str, str]:
    """Return the XML of a room, which takes most of the time of a build that paints nothing."""
    from exporter.render.template_files import program_digest
    from exporter.udonarium.write import room_documents

    kept = DiskCache(cache_folder())
    sizes = [(name, file.identifier, len(file.data)) for name, file in sorted(images.items())]
    everything = msgpack.encode((program_digest(), room, sizes, order))
    key = f"room-{hashlib.sha256(everything).hexdigest()}"
    with suppress(DecodeError, zlib.error):
        if data := kept.get(key):
            return msgpack.decode(zlib.decompress(data), type=dict[str, str])
    documents = room_documents(room, images, order, __version__)
    kept.put(key, zlib.compress(msgpack.encode(documents)))
    return documents


def left_out(project: Project, order: RoomOrder) -> tuple[Translated, ...]:
    """Return what to say of rooms that nobody named and that are not made."""
    rooms = left_rooms(project.with_samples(wanted=order.samples).game, order)
    causes = [f"--boxes {','.join(order.boxes)}"] if order.boxes else []
    causes += [] if order.samples and project.game.samples else ["--without-samples"]
    left = sentence("printed", "rooms-left-out", by=" ".join(causes), rooms=", ".join(rooms))
    return (left,) if rooms else ()


def _pictures(
    mechs: Mapping[str, str | Build], asked: Mapping[str, str | OwnPicture]
) -> dict[str, OwnPicture]:
    """Return the pictures for seats: those of the builds in them, unless others are asked for."""
    of_builds = {
        seat: (build.picture, build.places.get("picture", build.where))
        for seat, build in mechs.items()
        if isinstance(build, Build) and build.picture
    }
    if not (of_builds or asked):
        return {}
    from exporter.render.own_pictures import brought_picture

    found = {seat: one for seat, one in asked.items() if isinstance(one, OwnPicture)}
    named = of_builds | {
        seat: (one, COMMAND_LINE) for seat, one in asked.items() if isinstance(one, str)
    }
    brought = each_of(lambda one: brought_picture(Path(one[0]), one[1]), named.values())
    return dict(zip(named, brought, strict=True)) | found


def room_files(project: Project, order: RoomOrder, out: Path, builds: Builds) -> PlannedFiles:
    """Plan ``out/<game>/<room>.zip`` for every room asked for, with players' ``builds`` in its
    seats.

    Raises ``InvalidSource``.
    """
    order = seated(project.game, order)
    mechs = {seat: one_build(word, builds) for seat, word in order.mechs.items()}
    order = replace(order, mechs=mechs)
    with_pictures = replace(order, pictures=_pictures(mechs, order.pictures))
    game = project.with_samples(wanted=order.samples).played
    return [
        (
            out / project.game.id / f"{name}.zip",
            PlannedFile(
                planned.room,
                len(planned.room.cards),
                planned.problems,
                order_text(project.game, name, order),
                order.images_at,
            ),
        )
        for name, planned in plan_order(game, with_pictures).items()
    ]


def marked_zip(project: Project, order: RoomOrder) -> tuple[bytes, tuple[Problem, ...]]:
    """Make the zip of one room of an open game, and warnings of its faces.

    Raises ``InvalidSource``.
    """
    files = room_files(project, order, Path(), {})
    stop_for(errors(problem for _path, planned in files for problem in planned.problems))
    result = paint_files({project.folder: outline(files)})
    (made,) = result.made
    return made.files[made.path], result.problems


def loose_files(
    project: Project, words: Sequence[str], out: Path, builds: Builds, called: str = ""
) -> PlannedFiles:
    """Return ``out/<game>/loose/<word>.zip`` for each word: what it adds to a running room.

    A word is a mech with its variant, a file with a build, or the name of a card, of a printed deck
    or of a piece that lies in one of the game's rooms. A mech and its file are ``called`` by a
    name of their own, so that a second one can be told from the first. Raises ``InvalidSource``.
    """
    game = project.played

    def planned(word: str) -> tuple[Path, PlannedFile]:
        build = one_build(word, builds)
        stem = Path(word).stem if isinstance(build, Build) else word
        name = re.sub(f"[{IN_NO_NAME}]", "-", called or stem)
        if called and _NO_FILE_NAME.search(name):
            raise error_at(COMMAND_LINE, "FILE-NAME", "cannot-files-name", name=name)
        things = _loose_things(game, build, called)
        return out / game.id / LOOSE / f"{name}.zip", PlannedFile(things)

    return each_of(planned, dict.fromkeys(words))


def _drop_order(path: Path, things: Sequence[Any]) -> Translated:
    """Return what to say of things that the client drops on one spot."""
    names = " → ".join(dict.fromkeys(thing.name for thing in reversed(things)))
    return sentence("printed", "heap", file=path.name, names=names)


def _loose_things(game: Game, word: str | Build, called: str) -> Sequence[Any]:
    """Return the things that a word names, each on the spot where the client drops them."""
    if isinstance(word, Build) and not word.has_parts:
        return brought_decks(game, _with_name(chosen_loadouts(game, word)[0], called))
    word = word if isinstance(word, Build) else resolve_any(game, word, ("card", "mech", "deck"))
    code = "" if isinstance(word, Build) else resolve_name(game, "mech", word.partition(":")[0])
    samples = [name for names in game.left_out.items() for name in names]
    if isinstance(word, Build) or code in game.mechs or code in samples:
        layout = game.layouts.get(LOOSE)
        if layout is None:
            raise error_at(game.where, "LOOSE", "no-layout-says", game=game.id, loose=LOOSE)
        chosen, other = chosen_loadouts(game, word)
        return loose_pieces(
            game, layout, _with_name(chosen, called), other and _with_name(other, called)
        )
    if called:
        raise error_at(COMMAND_LINE, "LOOSE", "name-of-no-mech", word=word, name=called)
    return named_things(game, word) or pieces_called(game, word, rooms_of_order(game, RoomOrder()))


def _with_name(loadout: Loadout, name: str) -> Loadout:
    """Return a loadout by a name of its own, if it is given one."""
    return replace(loadout, name=name) if name else loadout


def picture_files(
    project: Project, folder: Path, rooms: Sequence[Room[Face]] | None = None
) -> PlannedFiles:
    """Return ``folder/<game>/…``: every picture of the game's rooms (see ``rooms.picture_names``).

    ``rooms`` are all of the game's where they are planned already. Raises ``InvalidSource`` for ids
    that cannot be names of files.
    """
    game = project.played
    if rooms is None:
        rooms = tuple(rooms_of_order(game, RoomOrder()).values()) if game.rooms else ()
    faces = named_faces(game, rooms)
    problems = [
        problem_at(face.where, "FILE-NAME", "cannot-files-name" if name else "no-name", name=name)
        for names, face in faces
        for name in names
        if _NO_FILE_NAME.search(name)
    ]
    if not faces:
        problems.append(problem_at(COMMAND_LINE, "IMAGES", "no-pictures", game=game.id))
    stop_for(problems)
    return [
        # What nearly all become: the place is looked at before anything is painted.
        (folder.joinpath(game.id, *inside, f"{name}.webp"), PlannedFile(Image(picture=face)))
        for (*inside, name), face in faces
    ]
