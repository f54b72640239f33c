"""What print jobs lay on paper: pieces with their backs, mech sheets, boards, rows of lists."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from exporter.boards import compose, find_boards
from exporter.faces import (
    Face,
    board_face,
    card_back,
    card_front,
    face,
    loadout_face,
    styled_face,
)
from exporter.model import Build, Card, Change, DeckCard, Erratum, Game, Item, Loadout, Mech
from exporter.printing.jobs import Ground, SheetJob
from exporter.printing.sheets import Piece
from exporter.problems import COMMAND_LINE, Faults, InvalidSource, Problem, Severity, nearest
from exporter.rooms.area import Area, selected
from exporter.rooms.orders import chosen_loadouts
from exporter.rules.errata import corrected
from exporter.rules.loadouts import printed_loadout, with_decks
from exporter.texts import fill

MOST_PIECES = 10_000
"""On one sheet: more than that is a slip of the pen."""

ALL = "all"
UNKNOWN = "unknown"


class Wanted(Struct, frozen=True):
    """Which of a job's pieces are printed: those that ``only`` names, those that errata change.

    Both empty: all of them. ``errata`` are ids.
    """

    only: tuple[str, ...] = ()
    errata: tuple[str, ...] | None = None


def deck_cards(game: Game, job: SheetJob) -> list[DeckCard]:
    """The cards that a job lays: of the printed decks, or those that it selects."""
    found: list[DeckCard] = []
    if job.decks:
        for entry in with_decks(game).decks:
            card = game.card(entry.card)
            if card is not None:
                found.append(entry.of(card))
    if job.cards is not None:
        area = Area(game=game, corner=(0, 0), editions=frozenset(game.editions))
        found += selected(area, Item(lay="cards", at=(0, 0), cards=job.cards, where=job.where))
    return found


def grounded(ground: Ground, shown: Face, size: tuple[float, float], bleed: float) -> Face:
    """The face that draws the ground of ``shown``, out to the bleed of a piece of ``size``."""
    values = json.loads(shown.values)
    taken = {name: values[name] for name in ground.takes if name in values}
    lying = (size[0] > size[1]) != (shown.width > shown.height)
    width, height = (size[1], size[0]) if lying else size
    whole = (width + 2 * bleed, height + 2 * bleed)
    return face(ground.template, taken, whole, scale=shown.scale, where=shown.where)


def card_pieces(
    game: Game,
    job: SheetJob,
    wanted: Wanted,
    size: tuple[float, float] | None,
    bleed: float,
    *,
    backs: bool,
) -> list[Piece]:
    """Every copy of every wanted card, with its back and its grounds.

    ``game`` is as printed: the errata are laid over it here.
    """
    now = corrected(game)
    entries = deck_cards(now, job)
    entries = [entry for entry in entries if is_named(wanted.only, _card_names(now, entry))]
    notes: dict[tuple[str, str, str], str] = {}
    if wanted.errata is not None:
        notes = changed_entries(game, job, wanted.errata)
        entries = [entry for entry in entries if _key(entry) in notes]
    _check_copies(job, entries)
    pieces = []
    for entry in entries:
        front = card_front(now, entry)
        has_back = backs and bool(now.kinds[entry.card.kind].back)
        back = card_back(now, entry) if has_back else None
        trim = size or (front.width, front.height)
        mech = now.mechs.get(entry.deck)
        piece = Piece(
            front=front,
            back=back,
            front_ground=grounded(job.ground, front, trim, bleed) if job.ground else None,
            back_ground=grounded(job.ground, back, trim, bleed) if job.ground and back else None,
            group=f"{entry.deck} {mech.name}" if mech else _box(now, entry.card),
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
        message = f"{job.id} would hold {count} pieces; allowed: at most {MOST_PIECES}."
        hint = f"Look for a wrong number of copies: {most.card.id} has {most.copies}."
        raise InvalidSource([Problem(job.where, "COPIES", message, hint)])


def is_named(only: Sequence[str], names: set[str]) -> bool:
    """Whether something is to be printed that goes by ``names``."""
    return not only or not names.isdisjoint(only)


def deck_names(game: Game, deck: str) -> set[str]:
    """What a printed deck goes by."""
    return {deck, game.mechs[deck].name} if deck in game.mechs else {deck}


def _card_names(game: Game, entry: DeckCard) -> set[str]:
    card = entry.card
    names = {card.id, card.name, card.kind, card.text("edition"), card.text("group")}
    return names | deck_names(game, entry.deck)


def _mech_names(mech: Mech) -> set[str]:
    return {mech.code, mech.name, mech.edition}


def _boards(game: Game, job: SheetJob) -> tuple[tuple[str, ...], ...]:
    """The boards of a job, each by its parts; by default all of the game, one by one."""
    return job.boards or tuple((name,) for name in game.boards)


def _board_names(parts: Sequence[str]) -> set[str]:
    return {"+".join(parts), *parts}


def check_only(game: Game, jobs: Iterable[SheetJob], only: Sequence[str]) -> list[Problem]:
    """A problem for each word of ``--only`` that names nothing that could be printed."""
    known = {*game.kinds, *game.editions}
    known.update(*(deck_names(game, entry.deck) for entry in with_decks(game).decks))
    known.update(*(_mech_names(mech) for mech in game.mechs.values()))
    cards = (DeckCard(card=card, copies=1) for card in game.cards.values())
    known.update(*(_card_names(game, card) for card in cards))
    known.update(*(_board_names(parts) for job in jobs for parts in _boards(game, job)))
    known.discard("")
    return [
        Problem(COMMAND_LINE, "ONLY", f"Nothing here is called {name!r}.", nearest(name, known))
        for name in only
        if name not in known
    ]


def chosen_errata(
    game: Game, changed_by: Sequence[str], since: str
) -> tuple[tuple[str, ...], list[Problem]]:
    """The ids of the errata that are asked for, and a notice for each that has no date.

    Raises ``InvalidSource`` for unknown ids, naming the nearest.
    """
    known = {erratum.id: erratum for erratum in game.errata}
    problems = [
        Problem(COMMAND_LINE, "ERRATUM", f"There is no erratum {name!r}.", nearest(name, known))
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
                message = f"{erratum.id} has no known date; it is not among those since {since}."
                hint = f"Print it with --changed-by {erratum.id}."
                notices.append(Problem(erratum.where, "DATE", message, hint, Severity.NOTICE))
            elif erratum.date >= since:
                found.append(erratum.id)
    return tuple(dict.fromkeys(found)), notices


def changed_entries(
    game: Game, job: SheetJob, errata: Sequence[str]
) -> dict[tuple[str, str, str], str]:
    """The cards whose corrected face differs from the printed one, and which errata say so.

    Keys are deck, card id and the corrected mark.
    """
    chosen = tuple(erratum for erratum in game.errata if erratum.id in errata)
    layered = corrected(game, chosen)
    printed, changed = _by_row(deck_cards(game, job)), _by_row(deck_cards(layered, job))
    found: dict[tuple[str, str, str], str] = {}
    touched = {
        change.target.get("card", "")
        for erratum in chosen
        for change in erratum.changes
        if change.medium == "card"
    }
    for row, entry in _by_row(deck_cards(corrected(game), job)).items():
        if not touched & {entry.card.id, entry.card.name}:
            continue
        # An erratum may bring a card to this job, or would take it away.
        before = printed.get(row, replace(entry, card=game.cards[entry.card.id]))
        after = changed.get(row, replace(entry, card=layered.cards[entry.card.id]))
        if card_front(layered, after) != card_front(game, before):
            ids = [erratum.id for erratum in chosen if _changes(erratum, entry)]
            found[_key(entry)] = f"{'・'.join(ids)} {entry.card.id} {entry.card.name}"
    return found


def _by_row(entries: Sequence[DeckCard]) -> dict[tuple[str, str, int], DeckCard]:
    """Cards by deck, id and how many such entries come before."""
    found: dict[tuple[str, str, int], DeckCard] = {}
    before: Counter[tuple[str, str]] = Counter()
    for entry in entries:
        key = entry.deck, entry.card.id
        found[*key, before[key]] = entry
        before[key] += 1
    return found


def _changes(erratum: Erratum, entry: DeckCard) -> bool:
    return any(_bears_on(change, entry.card, entry.deck) for change in erratum.changes)


def _bears_on(change: Change, card: Card, deck: str) -> bool:
    named = change.target.get("card") in (card.id, card.name)
    return change.medium == "card" and named and change.target.get("deck", deck) == deck


def _values(job: SheetJob, loadout: Loadout | None) -> dict[str, Any]:
    """The job's own values; ``${…}`` in texts stands for a figure of the mech."""
    names: dict[str, str] = {}
    if loadout is not None:
        names = {name: str(value) for name, value in loadout.figures.items()}
        names |= {"mech": loadout.name, "code": loadout.code}
    return {
        key: fill(value, names, job.where) if isinstance(value, str) else value
        for key, value in job.values.items()
    }


def mech_pieces(
    game: Game, job: SheetJob, only: Sequence[str], builds: Sequence[str | Build]
) -> list[Piece]:
    """Sheets of mechs, on each back the other loadout; of the given builds, or of all mechs."""
    faults = Faults()
    wishes: list[str | Build] = list(builds)
    if not wishes:
        wishes = [
            code
            for code, mech in game.mechs.items()
            if mech.loadouts and is_named(only, _mech_names(mech))
        ]
    pieces = []
    for wish in wishes:
        with faults.gathered():
            loadout, other = chosen_loadouts(game, wish)
            front = _loadout_face(game, job, job.face, loadout)
            back = _loadout_face(game, job, job.back or job.face, other) if other else None
            pieces.append(Piece(front=front, back=back, where=loadout.build.where))
    faults.stop_if_any()
    return pieces


def _loadout_face(game: Game, job: SheetJob, style: str, loadout: Loadout) -> Face:
    more = {"team": "", "number": "", "certainty": loadout.build.certainty}
    return loadout_face(game, style, loadout, more | _values(job, loadout), job.where)


def pawn_faces(game: Game, job: SheetJob, only: Sequence[str]) -> list[Face]:
    """A pawn for every mech that can be played, in the first of its loadouts."""
    faces = []
    for code, mech in game.mechs.items():
        if mech.loadouts and is_named(only, _mech_names(mech)):
            loadout = printed_loadout(game, code, next(iter(mech.loadouts)))
            faces.append(_loadout_face(game, job, job.face, loadout))
    return faces


def single_face(game: Game, job: SheetJob) -> Face:
    """The one face of a job that lays no cards, such as a sheet to fill in or a dial."""
    return styled_face(game, job.face, _values(job, None), where=job.where)


def board_faces(game: Game, job: SheetJob, only: Sequence[str]) -> dict[str, Face]:
    """The boards of a job at their true scale, by id."""
    faces = {}
    for parts in _boards(game, job):
        if is_named(only, _board_names(parts)):
            board = compose(find_boards(game.boards, parts, job.where))
            faces[board.id] = board_face(game, job.face or board.face, board)
    return faces


def document_values(game: Game, job: SheetJob) -> dict[str, Any]:
    """What a document's template gets of the game: rows, errata, rulings or notes."""
    words = {key: str(edition.name) for key, edition in game.editions.items()} | dict(job.words)
    values: dict[str, Any] = {
        "title": job.name.ja,
        "game": game.name.ja,
        "notice": game.notice.ja,
        "credits": list(game.credits),
        "icons": job.icons,
        "values": dict(job.values),
    }
    if job.columns:
        columns = [{"title": c.title, "width": c.width, "field": c.field} for c in job.columns]
        values |= {"columns": columns, "groups": _groups(game, job, words)}
    if job.notes:
        notes = [game.notes[name] for name in job.notes]
        values["notes"] = [{"title": note.title, "text": note.text} for note in notes]
    if job.document == "rulings":
        values["errata"] = [_erratum(game, erratum, words) for erratum in game.errata]
        values["rulings"] = [
            {"id": r.id, "topic": r.topic, "text": r.ruling, "cards": list(r.cards)}
            for r in game.rulings
        ]
    return values


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
                "field": words.get(change.field, change.field),
                "was": change.was or "なし",
                "now": change.now or "なし",
            }
            for change in erratum.changes
        ],
    }


def _named(game: Game, name: str, words: Mapping[str, str]) -> str:
    card, mech = game.cards.get(name), game.mechs.get(name)
    if card or mech:
        return f"{name} {card.name if card else mech.name if mech else ''}"
    return " ".join(words.get(part, part) for part in name.split(" "))


def _groups(game: Game, job: SheetJob, words: Mapping[str, str]) -> list[dict[str, Any]]:
    groups: dict[tuple[str, ...], list[list[str]]] = {}
    now = corrected(game)
    for entry in deck_cards(now, replace(job, decks=False)):
        card = entry.card
        key = tuple(_shown(card, name, words) for name in job.by)
        row = [_cell(card, column.field, words) for column in job.columns]
        groups.setdefault(key, []).append(row)
    return [{"heading": list(key), "rows": rows} for key, rows in groups.items()]


def _cell(card: Card, fields: str, words: Mapping[str, str]) -> str:
    """One or more fields, joined by ``+`` in the data; ``field=value`` in ``words`` renames."""
    return "".join(_shown(card, name, words) for name in fields.split("+"))


def _shown(card: Card, name: str, words: Mapping[str, str]) -> str:
    text = card.text(name)
    return words.get(f"{name}={text}", words.get(text, text) if text else "")
