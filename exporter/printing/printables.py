"""Make the faces that print jobs lay: cards with backs, mech sheets, pawns, boards."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

from msgspec.structs import replace

from exporter.core import grouped
from exporter.core.problems import (
    COMMAND_LINE,
    Problem,
    each_of,
    error_at,
    nearest,
    notice_at,
    problem_at,
    stop_for,
)
from exporter.faces.board_faces import board_face, put_together
from exporter.faces.card_faces import (
    Face,
    back_values,
    canonical,
    card_back,
    card_front,
    face,
    front_values,
    loadout_face,
    style_of,
    styled_face,
)
from exporter.faces.face_texts import (
    fill_lines,
    shuffle_words,
    words_in_texts,
)
from exporter.faces.style_values import filled, replaced_within, taken
from exporter.model import (
    Card,
    Change,
    DeckCard,
    Erratum,
    FaceStyle,
    Game,
    Loadout,
)
from exporter.model.print_jobs import FaceGround, PrintOrder, SheetJob
from exporter.model.tabletop import CardStack, TableCard, Terrain
from exporter.printing.imposition import (
    Piece,
    Setting,
)
from exporter.printing.print_selection import (
    Kit,
    Printable,
    board_names,
    boards_of,
    chosen_cards,
    chosen_kits,
    job_cards,
    selected_cards,
)
from exporter.rooms.footprints import footprint
from exporter.rooms.room_orders import RoomOrder, rooms_of_order
from exporter.rules.errata import corrected

# The most pieces of one job; a larger number is taken for a typing error.
MOST_PIECES = 10_000

ALL = "all"
UNKNOWN = "unknown"


def card_pieces(
    stock: Printable, job: SheetJob, setting: Setting, errata: Sequence[str] | None = None
) -> list[Piece]:
    """Return every copy of every selected card, with its back and grounds.

    ``errata`` (ids) restricts this to cards whose faces these errata change. Raises
    ``InvalidSource`` above ``MOST_PIECES``.
    """
    game = stock.game
    cards = chosen_cards(stock, job)
    changed: dict[tuple[str, str, str], tuple[str, Face]] = {}
    if errata is not None:
        changed = changed_entries(stock, job, errata)
        cards = [(entry, kit) for entry, kit in cards if _key(entry) in changed]
    _check_copies(job, [entry for entry, _kit in cards])
    pieces = []
    for entry, kit in cards:
        front = card_front(game, entry)
        title, edition = kit.title if kit else "", game.editions.get(entry.card.text("edition"))
        is_of_mech = kit is not None and (kit.mech or kit.has_own_mech)
        note, printed = changed.get(_key(entry), ("", None))
        kind = game.kinds[entry.card.kind]
        has_back = setting.backs != "none" and kind.back
        back = card_back(game, entry) if has_back else None
        size = setting.size or (front.width, front.height)
        ground = partial(_ground, job.ground, size, setting.bleed)
        piece = Piece(
            front=front,
            back=back,
            front_ground=ground(game.faces[kind.front], front_values(game, entry), front),
            back_ground=back and ground(game.faces[kind.back], back_values(game, entry), back),
            group=title if is_of_mech or edition is None else str(edition.name),
            deck=(kit.code or kit.name) if kit else "",
            name=f"{entry.card.id}_{entry.card.name}",
            note=note,
            printed=printed,
            where=entry.card.where,
        )
        pieces += [piece] * entry.copies
    return pieces


def _key(entry: DeckCard) -> tuple[str, str, str]:
    return entry.deck, entry.card.id, entry.mark


def _check_copies(job: SheetJob, entries: Sequence[DeckCard]) -> None:
    count = sum(entry.copies for entry in entries)
    if count > MOST_PIECES:
        most = max(entries, key=lambda entry: entry.copies)
        raise error_at(
            job.where,
            "COPIES",
            "hold-pieces-allowed",
            job=job.id,
            count=count,
            most_pieces=MOST_PIECES,
            card=most.card.id,
            copies=most.copies,
        )


def chosen_errata(game: Game, order: PrintOrder) -> tuple[tuple[str, ...] | None, list[Problem]]:
    """Return the ids of the errata that an order selects, nothing where it is of none, and a notice
    for each without a date.

    Raises ``InvalidSource`` for unknown ids, naming the nearest.
    """
    if not order.is_of_errata:
        return None, []
    changed_by, since = order.changed_by, order.changed_since
    known = {erratum.id: erratum for erratum in game.errata}
    problems = [
        problem_at(COMMAND_LINE, "ERRATUM", "no-erratum", name=name, nearest=nearest(name, known))
        for name in changed_by
        if name not in known and name != ALL
    ]
    stop_for(problems)
    found = list(known) if ALL in changed_by else [name for name in known if name in changed_by]
    dated = [erratum for erratum in game.errata if since and erratum.date != UNKNOWN]
    found += [erratum.id for erratum in dated if erratum.date >= since]
    notices = [
        notice_at(erratum.where, "DATE", "no-known-date", erratum=erratum.id, since=since)
        for erratum in game.errata
        if since and erratum.date == UNKNOWN
    ]
    return tuple(dict.fromkeys(found)), notices


def changed_entries(
    stock: Printable, job: SheetJob, errata: Sequence[str]
) -> dict[tuple[str, str, str], tuple[str, Face]]:
    """Return the cards whose corrected face differs from the printed one, with a note and that one.

    Keys are deck, card id and corrected mark; the note names the errata and the card.
    """
    game = stock.printed
    chosen = tuple(erratum for erratum in game.errata if erratum.id in errata)
    layered = corrected(game, chosen)
    printed, changed = (
        _by_row(entry for entry, _kit, _names in job_cards(stock.of(layer), job))
        for layer in (game, layered)
    )
    found: dict[tuple[str, str, str], tuple[str, Face]] = {}
    touched = {
        change.card for erratum in chosen if erratum.medium == "card" for change in erratum.changes
    }
    now = _by_row(entry for entry, _kit, _names in job_cards(stock, job))
    for row, entry in now.items():
        if not touched & {entry.card.id, entry.card.name}:
            continue
        # An erratum may add a card to this job, or remove it.
        before = printed.get(row, replace(entry, card=game.cards[entry.card.id]))
        after = changed.get(row, replace(entry, card=layered.cards[entry.card.id]))
        old = card_front(game, before)
        if card_front(layered, after) != old:
            bearing = game.errata_of(entry.card, entry.deck)
            ids = [one.id for one in bearing if one in chosen and one.medium == "card"]
            found[_key(entry)] = f"{'・'.join(ids)} {entry.card.id} {entry.card.name}", old
    return found


def _by_row(entries: Iterable[DeckCard]) -> dict[tuple[str, str, int], DeckCard]:
    """Index cards by deck, id and the number of equal entries before."""
    found: dict[tuple[str, str, int], DeckCard] = {}
    before: Counter[tuple[str, str]] = Counter()
    for entry in entries:
        key = entry.deck, entry.card.id
        found[*key, before[key]] = entry
        before[key] += 1
    return found


def _values(game: Game, job: SheetJob, loadout: Loadout | None) -> dict[str, Any]:
    """Return the job's values with ``${…}`` in texts replaced by figures of the mech."""
    names: dict[str, str] = {}
    if loadout is not None:
        names = {name: str(value) for name, value in loadout.figures.items()}
        names |= {"mech": loadout.name, "code": loadout.code}
    return filled(style_of(game, job.face, job.where), job.values, names, job.spot)


def mech_pieces(stock: Printable, job: SheetJob) -> list[Piece]:
    """Return a sheet for each selected mech or build; the back shows a mech's other loadout."""

    def piece(kit: Kit) -> Piece:
        loadout, other = kit.sides
        front = _loadout_face(stock.game, job, job.face, loadout)
        back = _loadout_face(stock.game, job, job.back or job.face, other) if other else None
        return Piece(front=front, back=back, where=loadout.build.where)

    return each_of(piece, chosen_kits(stock, with_sheet=True))


def _loadout_face(game: Game, job: SheetJob, style: str, loadout: Loadout) -> Face:
    more = {"team": "", "number": "", "certainty": loadout.build.certainty}
    return loadout_face(game, style, loadout, more | _values(game, job, loadout), job.where)


def pawn_faces(stock: Printable, job: SheetJob) -> list[Face]:
    """Return a pawn for each selected mech or build, with the loadout of its sheet's front."""
    return [
        _loadout_face(stock.game, job, job.face, kit.sides[0])
        for kit in chosen_kits(stock, with_sheet=True)
    ]


def single_face(game: Game, job: SheetJob) -> Face:
    """Return the face of a job that lays no cards, such as a form or a dial."""
    return styled_face(game, job.face, _values(game, job, None), where=job.where)


def board_faces(stock: Printable, job: SheetJob) -> list[tuple[str, Face]]:
    """Return the selected boards of a job at true scale, each with its name."""
    game = stock.game
    faces = []
    for parts in boards_of(game, job):
        if stock.order.takes(board_names(parts)):
            board = put_together(game.boards, parts, job.where)
            faces.append((game.named(board.name), board_face(game, job.face or board.face, board)))
    return faces


def mat_faces(game: Game, name: str) -> tuple[str, list[tuple[str, Face]]]:
    """Return a room's id, and its different mats with places for cards, each with its name.

    A mat is so large that every card on it has its place there; a bare one, that most of the
    room's have.
    """
    ((room, made),) = rooms_of_order(game, RoomOrder(rooms=(name,))).items()
    lying = [
        (footprint(piece), card.front.width / card.size)
        for piece in made.pieces
        for card in (piece.cards if isinstance(piece, CardStack) else (piece,))
        if isinstance(card, TableCard) and card.front
    ]
    faces: dict[Face, str] = {}
    usual = Counter(unit for _where, unit in lying).most_common(1)
    for thing in chain.from_iterable(table.objects for table in made.tables):
        if not isinstance(thing, Terrain) or thing.floor is None or not usual:
            continue
        values, place = json.loads(thing.floor.values), footprint(thing)
        unit = max((unit for at, unit in lying if place.holds(at)), default=usual[0][0])
        sides = {"width": round(thing.width * unit, 2), "height": round(thing.depth * unit, 2)}
        if values.get("zones"):
            encoded = canonical(values | sides)
            faces.setdefault(replace(thing.floor, values=encoded, **sides), thing.name)
    if not faces:
        raise error_at(COMMAND_LINE, "MATS", "no-mats", room=room, game=game.id)
    return room, [(title, mat) for mat, title in faces.items()]


def _ground(
    ground: FaceGround | None,
    size: tuple[float, float],
    bleed: float,
    style: FaceStyle,
    values: Mapping[str, Any],
    shown: Face,
) -> Face | None:
    """Return the ground of the face ``shown``, which is cut to ``size``: of a face whose template
    takes ``bleed`` the face itself, else that of the job's template, if it has one."""
    lying = (size[0] > size[1]) != (shown.width > shown.height)
    width, height = (size[1], size[0]) if lying else size
    whole = (width + 2 * bleed, height + 2 * bleed)
    own = style.declaration.takes if style.declaration and style.template == shown.template else {}
    if bleed and "bleed" in own:
        drawn = {**json.loads(shown.values), "bleed": bleed}
        wide = face(shown.template, drawn, whole, scale=shown.scale, pictures=shown.pictures)
        return replace(wide, where=shown.where, brought=shown.brought)
    if ground is None:
        return None
    drawn = taken(ground.declaration, {**style.values, **values})
    return face(ground.template, drawn, whole, scale=shown.scale, where=shown.where)


def document_values(stock: Printable, job: SheetJob) -> dict[str, Any]:
    """Return the values of a job's document. Raises ``InvalidSource`` for notes without a text."""
    game = stock.printed
    words = {key: str(edition.name) for key, edition in game.editions.items()} | dict(job.words)
    values: dict[str, Any] = {
        "title": game.named(job.name),
        "game": game.named(game.name),
        "notice": game.named(game.notice),
        "credits": [*game.credits, *(game.says("licences").split("\n") if game.look else ())],
        "icons": job.icons,
        "look": game.look.values if game.look else {},
        "folding": [game.says("fold"), game.says("fold-short-edge")],
        "values": dict(job.values),
    }
    if job.columns:
        columns = [{"title": c.title, "width": c.width, "field": c.field} for c in job.columns]
        values |= {"columns": columns, "groups": _groups(stock, job, words)}
    if job.notes:
        values["notes"] = [_note(game, name, job) for name in job.notes]
    if job.document == "rulings":
        values["errata"] = [_erratum(game, erratum, words) for erratum in game.errata]
        values["rulings"] = [
            {"id": r.id, "topic": r.topic, "text": r.ruling, "cards": list(r.cards)}
            for r in game.rulings
        ]
    if job.icons:
        return values
    # Without icons, marks such as [fire] become their texts, as in the client's notes.
    found: dict[str, Any] = replaced_within(values, words_in_texts(tuple(game.marks.items())))
    return found


def _note(game: Game, name: str, job: SheetJob) -> dict[str, Any]:
    note = game.notes.get(name)
    if note is None:  # the note on the client, which is no note of the game
        raise error_at(job.where, "NOTE", "note-of-client", note=repr(name))
    if not note.paper:
        raise error_at(job.where, "NOTE", "note-no-line", note=repr(note.id), file=note.where.file)
    return {
        "title": note.title,
        "text": fill_lines(note.paper, shuffle_words(game.language, "on-paper"), note.where),
    }


def _erratum(game: Game, erratum: Erratum, words: Mapping[str, str]) -> dict[str, Any]:
    return {
        "id": erratum.id,
        "set": words.get(erratum.edition, erratum.edition),
        "medium": words.get(erratum.medium, erratum.medium),
        "date": "" if erratum.date == UNKNOWN else erratum.date,
        "note": erratum.note,
        "changes": [
            {
                "target": " ".join(_named(game, name, words) for name in change.target.values()),
                "field": words.get(change.field) or _field(game, change),
                "was": change.was or "なし",
                "now": change.now or "なし",
            }
            for change in erratum.changes
        ],
    }


def _field(game: Game, change: Change) -> str:
    card = game.card(change.card)
    return game.kinds[card.kind].label_of(change.field) if card else change.field


def _named(game: Game, name: str, words: Mapping[str, str]) -> str:
    card, mech = game.cards.get(name), game.mechs.get(name)
    if card or mech:
        return f"{name} {card.name if card else mech.name if mech else ''}"
    return " ".join(words.get(part, part) for part in name.split(" "))


def _groups(stock: Printable, job: SheetJob, words: Mapping[str, str]) -> list[dict[str, Any]]:
    def texts(card: Card, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(_shown(card, name, words) for name in names)

    fields = [column.field.split("+") for column in job.columns]
    cards = (entry.card for entry in selected_cards(stock, job))
    return [
        {
            "heading": list(heading),
            "rows": [["".join(texts(card, names)) for names in fields] for card in alike],
        }
        for heading, alike in grouped(cards, lambda card: texts(card, job.by)).items()
    ]


def _shown(card: Card, name: str, words: Mapping[str, str]) -> str:
    text = card.text(name)
    return words.get(f"{name}={text}", words.get(text, text) if text else "")
