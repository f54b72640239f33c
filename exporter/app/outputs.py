"""Rooms, pictures and sheets: planned as values, or written to files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from exporter.app.arguments import (
    Named,
    Several,
    day,
    folder_of,
    folders_of,
    stationery,
)

if TYPE_CHECKING:
    from exporter.app.make_files import (
        Gathered,
        Result,
        Tell,
    )
    from exporter.app.room_files import Plan
    from exporter.core.problems import Problem
    from exporter.faces.card_faces import Face
    from exporter.model import Build
    from exporter.model.print_jobs import PrintOrder
    from exporter.model.tabletop import Room
    from exporter.rooms.room_orders import Order


def plan_rooms(
    game: Named, order: Order | None = None, *, source: Named | None = None
) -> dict[str, Room[Face]]:
    """What lies where in each room that is ordered (by default in all), by the room's id.

    Nothing is painted yet. Raises ``InvalidSource``.
    """
    from exporter.app.make_files import gathered
    from exporter.app.room_files import rooms_of
    from exporter.rooms.room_orders import Order

    order = order or Order()
    return rooms_of(gathered(folder_of(game, source), _files_in(order.mechs.values())), order)


def room_zip(
    game: Named, room: Room[Face], *, source: Named | None = None, use_cache: bool = True
) -> tuple[bytes, tuple[Problem, ...]]:
    """The zip of a planned room of a game, for who writes or sends it, and warnings of its faces.

    Raises ``InvalidSource`` for faces that cannot be drawn.
    """
    from exporter.app.room_files import room_bytes

    return room_bytes(room, folder_of(game, source), _cache(use_cache))


def save_rooms(
    games: Several,
    out: Named = "output",
    order: Order | None = None,
    *,
    source: Named | None = None,
    use_cache: bool = True,
    tell: Tell | None = None,
) -> Result:
    """Write ``out/<game>/<room>.zip`` for every room that is ordered, by default for all.

    Raises ``InvalidSource``.
    """
    from exporter.app.room_files import (
        build_files,
        left_out,
        room_files,
    )
    from exporter.rooms.room_orders import Order

    order = order or Order()

    def plan(found: Gathered) -> Plan:
        return room_files(found, order, Path(out))

    folders, files = folders_of(games, source), _files_in(order.mechs.values())
    return build_files(
        folders, plan, _cache(use_cache), tell, files, said=lambda found: left_out(found, order)
    )


def save_loose(
    games: Several,
    things: Iterable[str],
    out: Named = "output",
    *,
    called: str = "",
    samples: bool = True,
    source: Named | None = None,
    use_cache: bool = True,
    tell: Tell | None = None,
) -> Result:
    """Write ``out/<game>/loose/<thing>.zip``: what is dropped into a running room.

    A thing is a mech, ``CODE`` or ``CODE:VARIANT``, the path of a file with one build, or the name
    of a card, of a deck or of a piece in a room. A mech and its file are ``called`` by a name of
    its own, if it is given one. Without ``samples`` nothing is one of them.
    Raises ``InvalidSource``.
    """
    from exporter.app.room_files import (
        build_files,
        loose_files,
    )

    wishes = tuple(things)

    def plan(found: Gathered) -> Plan:
        return loose_files(found.with_samples(wanted=samples), wishes, Path(out), called)

    return build_files(folders_of(games, source), plan, _cache(use_cache), tell, wishes)


def save_pictures(
    games: Several,
    out: Named,
    *,
    as_png: bool = False,
    samples: bool = True,
    source: Named | None = None,
    use_cache: bool = True,
    tell: Tell | None = None,
) -> Result:
    """Write the pictures of all rooms, ``out/<game>/…``: WebP where that is smaller, or PNG alone.

    Without ``samples`` theirs are left out. Raises ``InvalidSource``.
    """
    from exporter.app.room_files import (
        build_files,
        picture_files,
    )

    def plan(found: Gathered) -> Plan:
        return picture_files(found.with_samples(wanted=samples), Path(out))

    folders = folders_of(games, source)
    return build_files(folders, plan, _cache(use_cache), tell, as_png=as_png)


def print_sheets(
    games: Several,
    out: Named = "output",
    order: PrintOrder | None = None,
    *,
    source: Named | None = None,
    is_optional: bool = False,
    tell: Tell | None = None,
) -> Result:
    """Write ``out/<game>/<sheet>.pdf``, or a folder with a PNG a page, for every sheet ordered.

    By default every sheet there is; where it ``is_optional``, a game without any is passed over.
    Raises ``InvalidSource``; ``ValueError`` for such paper as no printer has.
    """
    from exporter.app.make_files import make
    from exporter.app.print_files import (
        set_sheets,
        sheet_files,
        usual_workroom,
    )

    order, papers, room = _for_paper(order), stationery(), usual_workroom()
    return make(
        folders_of(games, source),
        _files_in(order.builds),
        lambda found: sheet_files(found, papers, order, Path(out), is_optional=is_optional),
        lambda outlines: set_sheets(outlines, order, room, tell),
    )


def print_calibration(
    games: Several,
    out: Named = "output",
    order: PrintOrder | None = None,
    *,
    source: Named | None = None,
    tell: Tell | None = None,
) -> Result:
    """Write ``out/<game>/calibration.pdf``, a sheet that shows by how far a printer is off.

    Raises ``InvalidSource``; ``ValueError`` for such paper as no printer has.
    """
    from exporter.app.make_files import make
    from exporter.app.print_files import (
        calibration_files,
        set_sheets,
        usual_workroom,
    )

    order, papers, room = _for_paper(order), stationery(), usual_workroom()
    return make(
        folders_of(games, source),
        _files_in(order.builds),
        lambda found: calibration_files(found, papers, order, Path(out)),
        lambda outlines: set_sheets(outlines, order, room, tell),
    )


def look_at_sheets(
    games: Several,
    order: PrintOrder | None = None,
    *,
    source: Named | None = None,
    is_optional: bool = False,
) -> Result:
    """Say what on printed faces is hard to read, or to tell apart: ``problems``; nothing is made.

    ``read`` counts the faces that were looked at. Raises ``InvalidSource``;
    ``ValueError`` for such paper as no printer has.
    """
    from exporter.app.make_files import make
    from exporter.app.print_files import (
        look,
        sheet_files,
        usual_workroom,
    )

    order, papers, room = _for_paper(order), stationery(), usual_workroom()
    return make(
        folders_of(games, source),
        _files_in(order.builds),
        lambda found: sheet_files(found, papers, order, Path(), is_optional=is_optional),
        lambda outlines: look(outlines, room),
        writes=False,
    )


def _files_in(wishes: Iterable[str | Build]) -> tuple[str, ...]:
    """The wishes for builds that may name files."""
    return tuple(wish for wish in wishes if isinstance(wish, str))


def _for_paper(order: PrintOrder | None) -> PrintOrder:
    """An order that the command would take. Raises ``ValueError``."""
    from msgspec import convert

    from exporter.model.print_jobs import (
        PaperLayout,
        PrintOrder,
    )

    order = order or PrintOrder()
    convert(order.layout.said, PaperLayout)
    if order.form not in ("pdf", "png"):
        raise ValueError(f"Found the form {order.form!r}; allowed: 'pdf', 'png'.")
    if not 36 <= order.dpi <= 1200:
        raise ValueError(f"Found {order.dpi} dpi; allowed: 36 to 1200.")
    return replace(order, changed_since=day(order.changed_since))


def _cache(is_used: bool) -> Path | None:
    from exporter.core.cache import cache_folder

    return cache_folder() if is_used else None
