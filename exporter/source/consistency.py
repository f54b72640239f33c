"""What can be said only of a whole game: whether its files agree with one another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from exporter.model import Board, Build, Change, Game, Mech, RoomPlan, Seat
from exporter.problems import Problem, Where, nearest
from exporter.source import checks


def check_frame(game: Game, build: Build) -> Iterator[Problem]:
    """The words that choose a build's frame are complete, and there is such a row."""
    rows = [tuple(frame.key.items()) for frame in game.frames]
    if not rows:
        return
    where = build.places.get("frame", build.where)
    wanted = [key for key, _ in rows[0]]
    missing = [key for key in wanted if key not in build.frame]
    if missing:
        message = f"frame: {', '.join(missing)} is missing."
        yield Problem(where, checks.KEY, message, "Choose one of the rows of frames.csv.")
        return
    chosen = tuple((key, build.frame[key]) for key in wanted)
    each_known = all(any(pair in row for row in rows) for pair in chosen)
    if each_known and chosen not in rows:
        words = " ".join(value for _, value in chosen)
        yield Problem(where, checks.REF, f"There is no frame {words} in frames.csv.")


def check_frames(game: Game) -> Iterator[Problem]:
    """Each mech's frame is one of the frames; its single words are known already."""
    for mech in game.mechs.values():
        for build in list(mech.loadouts.values())[:1]:  # all loadouts share the frame
            yield from check_frame(game, build)


class IsSound(Protocol):
    """Whether nothing is wrong so far with a line, or with a whole file."""

    def __call__(self, where: Where, *, file: bool = False) -> bool: ...


def _targets(game: Game, change: Change) -> Iterator[tuple[Where, bool]]:
    """The records that a change bears on, with whether they are files of their own."""
    card = game.card(change.target.get("card", ""))
    if card is not None:
        yield card.where, False
        for entry in game.decks:
            if entry.deck == change.target.get("deck") and game.card(entry.card) is card:
                yield entry.where, False
    mech = game.mechs.get(change.target.get("mech", ""))
    if mech is not None:
        yield mech.where, True


def _printed(game: Game, change: Change) -> tuple[str | None, tuple[str, ...]]:
    """The printed value that an erratum corrects, if any is held, and the fields there are."""
    target, name = change.target, change.field
    if "list" in target or "page" in target:
        return None, ()
    card = game.card(target.get("card", ""))
    if "deck" in target and card is not None:
        marks = [
            entry.mark if name == "mark" else str(entry.copies)
            for entry in game.decks
            if entry.deck == target["deck"] and game.card(entry.card) is card
        ]
        fields = ("mark", "copies")
        found = change.was if change.was in marks else "/".join(marks)
        return (found if name in fields else None), fields
    if card is not None:
        return (card.text(name) if name in card.fields else None), tuple(card.fields)
    mech = game.mechs.get(target.get("mech", ""))
    return _printed_on_sheet(mech, name) if mech is not None else (None, ())


def _printed_on_sheet(mech: Mech, name: str) -> tuple[str | None, tuple[str, ...]]:
    """A field of a mech by a path of names, such as ``frame.armour``."""
    sheet: Any = {"frame": mech.frame, "printed": mech.printed, "known": mech.known}
    sheet |= {"name": mech.name, "code": mech.code}
    value, allowed = sheet, ""
    for step in name.split("."):
        if not isinstance(value, Mapping) or step not in value:
            inner = value if isinstance(value, Mapping) else {}
            return None, tuple(allowed + str(key) for key in inner) or ("",)
        value, allowed = value[step], f"{allowed}{step}."
    return str(value), (name,)


def _same(was: str, printed: str) -> bool:
    """Whether a value is the printed one; 0 and no are printed as nothing or as 0."""
    nothing = ("", "0", "false")
    return was == printed or (was in nothing and printed in nothing)


def check_errata(game: Game, is_sound: IsSound) -> Iterator[Problem]:
    """Each change's field exists, and ``was`` is what the data holds as printed."""
    for erratum in game.errata:
        for change in erratum.changes:
            if not all(is_sound(place, file=file) for place, file in _targets(game, change)):
                continue
            printed, fields = _printed(game, change)
            if printed is None:
                if fields:
                    where = change.places.get("field", change.where)
                    message = f"There is no field {change.field!r} to correct here."
                    yield Problem(where, checks.REF, message, nearest(change.field, fields))
            elif not _same(change.was, printed):
                where = change.places.get("was", change.where)
                message = f"{erratum.id} corrects {change.was!r}, but the data holds {printed!r}."
                hint = "The data keeps the printed value; correct whichever is wrong."
                yield Problem(where, checks.WAS, message, hint)


def check_rooms(game: Game, is_sound: IsSound) -> Iterator[Problem]:
    """Each seat's mech has its variant, and its start square is on one of the room's boards."""
    for room in game.rooms.values():
        for seat in room.seats:
            if all(is_sound(b.where, file=True) for b in _boards(game, room)):
                yield from _check_start(game, room, seat)
            mech = game.mechs.get(seat.mech)
            if mech is None or not is_sound(mech.where, file=True):
                continue
            if seat.variant in game.variants and seat.variant not in mech.loadouts:
                message = f"{mech.code} has no loadout {seat.variant!r}."
                hint = nearest(seat.variant, mech.loadouts)
                where = seat.places.get("variant", seat.where)
                yield Problem(where, checks.REF, message, hint)


def _boards(game: Game, room: RoomPlan) -> list[Board]:
    return [game.boards[name] for name in room.boards if name in game.boards]


def _check_start(game: Game, room: RoomPlan, seat: Seat) -> Iterator[Problem]:
    boards = _boards(game, room)
    if seat.start is None or len(boards) < len(room.boards) or not all(b.rows for b in boards):
        return
    side, number = seat.start
    where = seat.places.get("start", seat.where)
    squares: dict[str, int] = {}
    for board in boards:
        for name, found in board.starts.items():
            squares[name] = squares.get(name, 0) + len(found)
    names = ", ".join(board.id for board in boards) or "(none)"
    if side not in squares:
        message = f"The boards of this room ({names}) have no start squares {side!r}."
        yield Problem(where, checks.REF, message, nearest(side, squares))
    elif number > squares[side]:
        message = f"{side} has {squares[side]} start squares on {names}; found number {number}."
        yield Problem(where, checks.VALUE, message, f"Allowed: 1 to {squares[side]}.")
