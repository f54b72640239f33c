"""Who sits in the seats of a room, and which seats the boxes that somebody owns leave."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from exporter.core.problems import (
    COMMAND_LINE,
    Faults,
    InvalidSource,
    Problem,
    error_at,
    problem_at,
    stop_for,
    warning_at,
)
from exporter.faces.card_faces import OwnPicture
from exporter.model import (
    OWN_DECK,
    Build,
    DeckCard,
    Game,
    Loadout,
    Mech,
    RoomPlan,
    Seat,
)
from exporter.model.game_names import (
    resolve_mech,
    resolve_name,
    unknown,
)
from exporter.rooms.area import (
    Area,
    Seating,
)
from exporter.rooms.laid_cards import player_deck
from exporter.rules.loadouts import (
    built_loadout,
    find_mech,
    find_variant,
    printed_loadout,
)
from exporter.rules.project import without_seats


def owned_editions(game: Game, boxes: Sequence[str]) -> frozenset[str]:
    """Return the editions owned, by default all. Raises ``InvalidSource`` for unknown ones and
    for those that need others."""
    problems = []
    boxes = [resolve_name(game, "edition", box) for box in boxes]
    for box in boxes:
        if box not in game.editions:
            problems.append(unknown(game, "edition", box, COMMAND_LINE, "BOXES"))
            continue
        missing = [name for name in game.editions[box].requires if name not in boxes]
        if missing:
            problems.append(
                problem_at(
                    COMMAND_LINE,
                    "BOXES",
                    "needs-too",
                    name=game.editions[box].name,
                    names=", ".join(missing),
                    names2=",".join([*missing, *boxes]),
                )
            )
    stop_for(problems)
    return frozenset(boxes or game.editions)


def chosen_loadouts(game: Game, choice: str | Build) -> tuple[Loadout, Loadout | None]:
    """Return a loadout and the other side of its sheet. Raises ``InvalidSource``."""
    if isinstance(choice, Build):
        return built_loadout(game, choice), None
    if not game.mechs:
        raise error_at(COMMAND_LINE, "MECH", "no-mechs", game=game.id, word=choice)
    code, _, variant_name = resolve_mech(game, choice).partition(":")
    try:
        mech, variant = find_mech(game, code), find_variant(game, variant_name)
    except InvalidSource as error:
        # What the data name was looked at when they were read: it is the order that names nothing.
        raise InvalidSource(replace(one, where=COMMAND_LINE) for one in error.problems) from None
    chosen = printed_loadout(game, code, variant_name)
    others = [name for name in mech.loadouts if name != variant.id]
    return chosen, printed_loadout(game, code, others[0]) if others else None


def seatings_of(
    game: Game,
    plan: RoomPlan,
    mechs: Mapping[str, str | Build],
    pictures: Mapping[str, str | OwnPicture],
    editions: frozenset[str],
    faults: Faults,
) -> dict[str, Seating]:
    """Return what sits in each seat of a plan, of the ``mechs`` and ``pictures`` that are asked for
    by seat; without those for which it cannot be found."""
    seatings: dict[str, Seating] = {}
    for seat in plan.seats:
        mech = mechs.get(seat.id, f"{seat.mech}:{seat.variant}" if seat.mech else "")
        with faults.collect():
            loadout, other = chosen_loadouts(game, mech) if mech else (None, None)
            picture = pictures.get(seat.id)
            own = picture if isinstance(picture, OwnPicture) else None
            seatings[seat.id] = Seating(seat, loadout, other, own)
            if own is not None and not has_pawn(game, seat):
                faults.problems.append(
                    problem_at(COMMAND_LINE, "SEAT", "no-pawn", seat=seat.id, layout=seat.layout)
                )
            if isinstance(mech, Build):
                faults.problems += not_laid(game, plan, seat, mech)
            if loadout is not None:
                faults.problems += (
                    problem_at(
                        COMMAND_LINE, "BOXES", "plays-box-2", seat=seat.id, name=name, box=box
                    )
                    for name, box in unowned(game, loadout.code, loadout.deck, editions)
                )
    return seatings


def has_pawn(game: Game, seat: Seat) -> bool:
    """Return whether there is something in a seat for a picture of a player's own."""
    items = game.layouts[seat.layout].items if seat.layout in game.layouts else ()
    return any(item.lay in ("pawn", "piece") for item in items)


def not_laid(game: Game, plan: RoomPlan, seat: Seat, build: Build) -> Iterator[Problem]:
    """Say that a player brings a deck to a seat that has no place for it. Raises
    ``InvalidSource``."""
    layout = game.layouts.get(seat.layout)
    if build.has_parts or layout is None:
        return
    loadout = built_loadout(game, build)
    area = Area(game, layout, seating=Seating(seat, loadout), words=plan.values)
    laid = [item.cards.deck for item in layout.items if item.cards and item.cards.deck]
    names = [area.fill(name, seat.where) for name in laid]
    if not any(name == OWN_DECK or player_deck(area, name) is not None for name in names):
        yield problem_at(
            COMMAND_LINE,
            "SEAT",
            "lays-no-deck",
            seat=seat.id,
            name=loadout.name,
            decks=", ".join(loadout.decks),
            layout=seat.layout,
            laid=", ".join(names) or "—",
        )


def owned_seats(plan: RoomPlan, unowned: Container[str], editions: Container[str]) -> RoomPlan:
    """Return a plan without the bays of mechs and without the seats of boxes that are not owned."""
    gone = {
        seat.id
        for seat in plan.seats
        if seat.bay in unowned or (seat.edition and seat.edition not in editions)
    }
    return without_seats(plan, gone)


def mechs_without_boxes(game: Game, editions: frozenset[str]) -> dict[str, tuple[str, ...]]:
    """Return the mechs of boxes owned that play cards of others, each with these boxes."""
    found = {}
    for code, mech in game.mechs.items():
        decks = [printed_loadout(game, code, name).deck for name in mech.loadouts]
        boxes = {box: None for deck in decks for _, box in unowned(game, code, deck, editions)}
        if boxes and is_owned(mech, editions):
            found[code] = tuple(boxes)
    return found


def bays_left_out(
    game: Game, plan: RoomPlan, lacking: Mapping[str, Sequence[str]]
) -> Iterator[Problem]:
    """Say that the bays of some mechs are left out, for want of the boxes that their cards are
    in."""
    gone = dict.fromkeys(seat.bay for seat in plan.seats if seat.bay in lacking)
    if gone:
        boxes = dict.fromkeys(box for code in gone for box in lacking[code])
        yield warning_at(
            COMMAND_LINE,
            "BOXES",
            "bays-left-out",
            room=plan.id,
            mechs=", ".join(game.mechs[code].name for code in gone),
            boxes=",".join(boxes),
        )


def is_owned(mech: Mech, editions: frozenset[str]) -> bool:
    return not mech.edition or mech.edition in editions


def can_be_laid(plan: RoomPlan, mechs: Container[str], chosen: Container[str]) -> bool:
    """Return whether every seat has its mech, and there is one of those that its bays are for."""
    is_for_some = plan.bays is None or any(seat.bay in mechs for seat in plan.seats)
    others = (seat for seat in plan.seats if seat.mech and not seat.bay)
    return is_for_some and all(seat.mech in mechs or seat.id in chosen for seat in others)


def unowned(
    game: Game, code: str, deck: Iterable[DeckCard], editions: frozenset[str]
) -> Iterator[tuple[str, str]]:
    """Yield the mech, or else the cards of a deck, that are in a box not owned: their name, its
    box."""
    mech = game.mechs.get(code)
    if mech is not None and not is_owned(mech, editions):
        yield mech.name, mech.edition
        return
    for entry in deck:
        box = entry.card.text("edition")
        if box and box not in editions:
            yield entry.card.name, box
