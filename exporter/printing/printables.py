"""Make the faces that print jobs lay: cards with backs, mech sheets, pawns, boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from exporter.core.problems import (
    COMMAND_LINE,
    Faults,
    InvalidSource,
    Problem,
    Severity,
    error_at,
    nearest,
    problem_at,
)
from exporter.faces.board_codes import put_together
from exporter.faces.board_faces import board_face
from exporter.faces.card_faces import (
    Face,
    card_back,
    card_front,
    loadout_face,
    style_of,
    styled_face,
)
from exporter.faces.style_values import filled
from exporter.model import (
    Card,
    DeckCard,
    Erratum,
    Game,
    Loadout,
)
from exporter.model.print_jobs import SheetJob
from exporter.printing.bleed import card_grounds
from exporter.printing.imposition import (
    Piece,
    Setting,
)
from exporter.printing.print_selection import (
    Printable,
    board_names,
    boards_of,
    chosen_cards,
    chosen_kits,
    job_cards,
)
from exporter.rules.errata import corrected

MOST_PIECES = 10_000
"""The most pieces of one job; a larger number is taken for a typing error."""

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
    notes: dict[tuple[str, str, str], str] = {}
    if errata is not None:
        notes = changed_entries(stock, job, errata)
        cards = [(entry, kit) for entry, kit in cards if _key(entry) in notes]
    _check_copies(job, [entry for entry, _kit in cards])
    pieces = []
    for entry, kit in cards:
        front = card_front(game, entry)
        has_back = setting.backs != "none" and game.kinds[entry.card.kind].back
        back = card_back(game, entry) if has_back else None
        trim = setting.size or (front.width, front.height)
        grounds = card_grounds(game, job.ground, entry, (front, back), trim, setting.bleed)
        piece = Piece(
            front=front,
            back=back,
            front_ground=grounds[0],
            back_ground=grounds[1],
            group=kit.title if kit and kit.has_mech else _box(game, entry.card),
            note=notes.get(_key(entry), ""),
            where=entry.card.where,
        )
        pieces += [piece] * entry.copies
    return pieces


def _box(game: Game, card: Card) -> str:
    edition = game.editions.get(card.text("edition"))
    return str(edition.name) if edition else ""


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


def chosen_errata(
    game: Game, changed_by: Sequence[str], since: str
) -> tuple[tuple[str, ...], list[Problem]]:
    """Return the ids of the selected errata, and a notice for each without a date.

    ``changed_by`` has ids or ``all``, ``since`` is a date or empty. Raises ``InvalidSource`` for
    unknown ids, naming the nearest.
    """
    known = {erratum.id: erratum for erratum in game.errata}
    problems = [
        problem_at(COMMAND_LINE, "ERRATUM", "no-erratum", name=name, nearest=nearest(name, known))
        for name in changed_by
        if name not in known and name != ALL
    ]
    if problems:
        raise InvalidSource(problems)
    found = list(known) if ALL in changed_by else [name for name in known if name in changed_by]
    notices = []
    if since:
        for erratum in game.errata:
            if erratum.date == UNKNOWN:
                notices.append(
                    problem_at(
                        erratum.where,
                        "DATE",
                        "no-known-date",
                        severity=Severity.NOTICE,
                        erratum=erratum.id,
                        since=since,
                    )
                )
            elif erratum.date >= since:
                found.append(erratum.id)
    return tuple(dict.fromkeys(found)), notices


def changed_entries(
    stock: Printable, job: SheetJob, errata: Sequence[str]
) -> dict[tuple[str, str, str], str]:
    """Return the cards whose corrected face differs from the printed one, with a note.

    Keys are deck, card id and corrected mark; the note names the errata and the card.
    """
    game = stock.printed
    chosen = tuple(erratum for erratum in game.errata if erratum.id in errata)
    layered = corrected(game, chosen)
    printed, changed = (
        _by_row(entry for entry, _kit, _names in job_cards(stock.of(layer), job))
        for layer in (game, layered)
    )
    found: dict[tuple[str, str, str], str] = {}
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
        if card_front(layered, after) != card_front(game, before):
            ids = [erratum.id for erratum in chosen if _changes(erratum, entry)]
            found[_key(entry)] = f"{'・'.join(ids)} {entry.card.id} {entry.card.name}"
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


def _changes(erratum: Erratum, entry: DeckCard) -> bool:
    names = (entry.card.id, entry.card.name)
    return erratum.medium == "card" and any(
        change.card in names and (change.deck or entry.deck) == entry.deck
        for change in erratum.changes
    )


def _values(game: Game, job: SheetJob, loadout: Loadout | None) -> dict[str, Any]:
    """Return the job's values with ``${…}`` in texts replaced by figures of the mech."""
    names: dict[str, str] = {}
    if loadout is not None:
        names = {name: str(value) for name, value in loadout.figures.items()}
        names |= {"mech": loadout.name, "code": loadout.code}
    style = style_of(game, job.face, job.where)
    return filled(style, job.values, names, job.spot)


def mech_pieces(stock: Printable, job: SheetJob) -> list[Piece]:
    """Return a sheet for each selected mech or build; the back shows a mech's other loadout."""
    faults = Faults()
    pieces = []
    for kit in chosen_kits(stock, with_sheet=True):
        with faults.gathered():
            loadout, other = kit.sides
            front = _loadout_face(stock.game, job, job.face, loadout)
            back = _loadout_face(stock.game, job, job.back or job.face, other) if other else None
            pieces.append(Piece(front=front, back=back, where=loadout.build.where))
    faults.stop_if_any()
    return pieces


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
    """Return the selected boards of a job at true scale, each with its Japanese name."""
    game = stock.game
    faces = []
    for parts in boards_of(game, job):
        if stock.order.takes(board_names(parts)):
            board = put_together(game.boards, parts, job.where)
            faces.append((board.name.ja, board_face(game, job.face or board.face, board)))
    return faces
