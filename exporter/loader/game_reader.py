"""A whole game folder: game.yaml first, then everything that it makes readable."""

from __future__ import annotations

import datetime
import difflib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec.structs import asdict, replace

from exporter.core.problems import (
    UNREADABLE,
    InvalidSource,
    SourceLocation,
    error_at,
    nearest,
)
from exporter.faces.card_faces import CARD_ITSELF
from exporter.loader.board_files import board_of
from exporter.loader.card_tables import (
    read_cards,
    read_decks,
    read_frames,
)
from exporter.loader.consistency import (
    check_aliases,
    check_errata,
    check_frames,
    check_icons,
    check_marks,
    check_rooms,
    check_selections,
    check_targets,
)
from exporter.loader.layout_files import (
    check_players,
    read_rooms,
    with_bays,
    with_values,
)
from exporter.loader.load_context import LoadContext
from exporter.loader.picture_files import with_pictures
from exporter.loader.style_files import check_card_faces, check_items, check_pictures, read_styles
from exporter.model import (
    FaceStyle,
    Field,
    Game,
    Head,
    Kind,
    Note,
)
from exporter.model.forms import files_of
from exporter.model.game import CHANGES
from exporter.model.game_names import (
    FRAME_KEY,
    OF_A_FRAME,
    frame_words,
)
from exporter.model.layouts import CONTROLS

_PATTERNS = [file.pattern for file in files_of(Game).values()]
_FILES = ("game.yaml", "rules.yaml", "frames.csv", *(one for one in _PATTERNS if "/" not in one))
_FOLDERS = (
    *("cards", "cases", "decks", "finished", "icons", "pictures", "regulations", "sheets"),
    *(one.partition("/")[0] for one in _PATTERNS if "/" in one),
)


def read_game(folder: Path) -> Game:
    """Read the game that a folder holds. Only ``game.yaml`` is required.

    Raises ``InvalidSource`` with every independent fault of every file. The program's own
    templates and the contents of pictures are not looked at here.
    """
    game, reading = read_partial_game(folder)
    if game is None or reading.problems:
        raise InvalidSource(reading.problems)
    return game


def read_partial_game(folder: Path) -> tuple[Game | None, LoadContext]:
    """Read as much of a game as can be read, and its reading, which has the problems.

    Raises ``InvalidSource`` where there is no folder.
    """
    if not os.path.isdir(folder):
        key = "is-no-folder" if os.path.exists(folder) else "no-such-folder"
        raise error_at(SourceLocation(str(folder)), "SRC-FILE", key, folder=folder)
    reading = LoadContext(folder)
    head = reading.one(Head, "game.yaml", "game")
    return (_game(reading, head) if head is not None else None), reading


def _game(reading: LoadContext, head: Head) -> Game:
    reading.incomplete |= _incomplete_sorts(head)
    styles = read_styles(reading, head)
    records = _records(reading, head, styles.faces)
    check_players(reading, head)
    _check_version(reading, head)
    kinds = {key: _checked_kind(reading, kind) for key, kind in head.kinds.items()}
    readable = [kind for kind in kinds.values() if kind.file != UNREADABLE]
    if len(readable) < len(kinds):
        reading.incomplete.add("card")
    cards = read_cards(reading, readable, head.marks)
    game = Game(
        **{**asdict(head), "kinds": kinds, "faces": styles.faces},
        **records,
        cards=cards,
        frames=read_frames(reading, head),
        decks=read_decks(reading, head.variants.values(), kinds, cards),
    )
    if (changes := game.newest_changes) is not None:
        # They tell what texts of cards were: nothing is filled in there.
        lines = tuple(line.replace("${", "＄{") for line in changes.ja or changes.en)
        note = Note(id=CHANGES, title=game.says("changes"), lines=lines, spot=changes.spot)
        game = replace(game, notes={**game.notes, CHANGES: note})
    game = with_pictures(reading, game)
    _check_unread_files(reading, kinds.values())
    reading.resolve(known_names(reading, game))
    check_ambiguous(reading, game)
    if not reading.incomplete & {"frame", "key of a frame"}:
        reading.problems += list(check_frames(game))
    if not reading.incomplete & {"card", "deck", "mech", "kind", "variant"}:
        reading.problems += list(check_errata(game, reading))
    reading.problems += list(check_rooms(game, reading))
    if not reading.incomplete:
        reading.problems += list(check_aliases(game, reading))
    reading.problems += check_selections(game, (item.cards for item in game.laid))
    check_card_faces(reading, game, styles)
    check_items(reading, game)
    check_pictures(reading, game)
    reading.problems += check_marks(game)
    reading.problems += check_icons(game)
    return replace(game, notices=tuple(reading.notices), digest=reading.digest)


def _records(reading: LoadContext, head: Head, faces: Mapping[str, FaceStyle]) -> dict[str, Any]:
    """Return what stands in the files of a game's records, by the field that holds it."""
    files = files_of(Game)
    found = {name: reading.all(file) for name, file in files.items() if name != "rooms"}
    found["boards"] = [board_of(reading, board) for board in found["boards"]]
    found["layouts"] = [with_values(reading, one, faces) for one in found["layouts"]]
    layouts = {layout.id for layout in found["layouts"]}
    found["rooms"] = list(read_rooms(reading, layouts, head.variants))
    check_targets(reading, found["errata"])
    named = {name: reading.by_name(files[name], each) for name, each in found.items()}
    named["rooms"] = {key: with_bays(room, named["mechs"]) for key, room in named["rooms"].items()}
    in_order = {name for name, file in files.items() if file.is_list}
    return {name: tuple(one.values()) if name in in_order else one for name, one in named.items()}


def _check_version(reading: LoadContext, head: Head) -> None:
    """Check that the day of the data is one of the calendar."""
    if head.version is None or not head.is_sound("version"):
        return
    try:
        datetime.date.fromisoformat(head.version.day)
    except ValueError:
        reading.fault(
            head.version.place("day"), "SRC-VALUE", "version-day-found", day=head.version.day
        )


def _incomplete_sorts(head: Head) -> set[str]:
    """Return the sorts of things of which game.yaml's faults leave some unknown."""
    sections = ("teams", "editions", "variants", "faces", "kinds")
    repaired = head.spot.document.repaired
    sorts = {name.removesuffix("s") for name in sections if (name,) in repaired}
    sorts |= {"field"} if "kind" in sorts else set()
    if not head.is_sound("parts"):
        sorts.add("part")
    if not head.is_sound("frame"):
        sorts |= {"frame", "key of a frame"}
    return sorts


_OF_TYPES = {"pattern": ("text", "list"), "least": ("number",), "most": ("number",)}


def _field(reading: LoadContext, name: str, field: Field) -> Field:
    """Return a field of a kind whose keys go with its type."""
    if not field.is_sound():  # no cell is blamed for what is wrong here
        return replace(field, **_UNBOUNDED)
    for key, types in _OF_TYPES.items():
        if getattr(field, key) is not None and field.type not in types:
            reading.fault(
                field.place(key, key=True),
                "SRC-KEY",
                "no",
                field=name,
                type=field.type,
                key=key,
                types=", ".join(types),
            )
    least, most = field.bounds
    if least <= most:
        return field
    reading.fault(
        field.place("least"), "SRC-VALUE", "least-more-most", field=name, least=least, most=most
    )
    return replace(field, **_UNBOUNDED)


_UNBOUNDED = {"pattern": None, "least": -(10**16), "most": 10**16}


def _checked_kind(reading: LoadContext, kind: Kind) -> Kind:
    """Return a kind, checked: its fields are not those that every card has."""
    for name in set(kind.fields) & set(CARD_ITSELF):
        reading.fault(
            kind.place("fields", name, key=True), "SRC-KEY", "every-card-anyway", name=name
        )
    if not kind.is_sound("fields"):
        reading.incomplete |= {"field", f"field of {kind.id}"}
    fields = {name: _field(reading, name, field) for name, field in kind.fields.items()}
    return replace(kind, fields=fields)


def _check_unread_files(reading: LoadContext, kinds: Iterable[Kind]) -> None:
    """Note files and folders whose name is so nearly right that somebody will expect them to be
    read."""
    files = {*_FILES, *(str(PurePosixPath(kind.file)) for kind in kinds)}
    for name in reading.names_in(".", "file"):
        path = PurePosixPath(name)
        where = SourceLocation(reading.label(path.name))
        if path.suffix in (".yaml", ".yml", ".csv") and path.name not in files:
            reading.fault(
                where, "SRC-FILE", "nothing-reads-file", nearest=nearest(path.name, _FILES)
            )
        elif not path.suffix and path.name not in _FOLDERS:
            close = difflib.get_close_matches(path.name, _FOLDERS, n=1, cutoff=0.75)
            if close and (reading.root / path).is_dir():
                reading.fault(where, "SRC-FILE", "nothing-reads-folder", close=close[0])


def known_names(reading: LoadContext, game: Game) -> dict[str, Iterable[str]]:
    """Return the names that may be referred to, by sort."""
    known: dict[str, Iterable[str]] = {
        "source": game.sources,
        "edition": game.editions,
        "variant": game.variants,
        "team": game.teams,
        "face": game.faces,
        "kind": game.kinds,
        "part": game.parts,
        "card": {*game.cards, *game.cards_by_name} - {""},
        "kind of deck": game.deck_kinds,
        "printed deck": game.printed_decks,
        "deck": {*game.printed_decks}
        | set(game.deck_kinds)
        | {m.code for m in game.mechs.values() if m.loadouts},
        "mech": game.mechs,
        "board": game.boards,
        "layout": game.layouts,
        "note": {*game.notes, CONTROLS},
        "field": {*CARD_ITSELF, *game.field_names},
    }
    for kind in game.kinds.values():
        known[f"field of {kind.id}"] = {*CARD_ITSELF, *kind.fields}
    if game.figures:
        known["figure"] = [figure.id for figure in game.figures]
    if "frame" not in reading.incomplete:
        words = frame_words(game)
        known[FRAME_KEY] = list(words)
        known |= {OF_A_FRAME + key: found for key, found in words.items()}
    return known


def check_ambiguous(reading: LoadContext, game: Game) -> None:
    """Note a problem where a card is named by a name that several cards have."""
    for sort, name, where in reading.references:
        named = game.cards_named.get(name, ()) if sort == "card" and name not in game.cards else ()
        if len(named) > 1:
            reading.fault(
                where,
                "SRC-REF",
                "name-several-cards",
                name=name,
                names=", ".join(card.id for card in named),
            )
