"""What is different between two states of a game, as data or as rooms: `exporter diff`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct
from msgspec.structs import asdict

from exporter.app.games import NameOrPath, folder_of, open_to_make
from exporter.app.room_files import marked_zip
from exporter.core.file_writer import write_whole
from exporter.core.messages import sentence, words
from exporter.core.problems import Problem, SourceLocation, error_at, printable
from exporter.model import Change, Game
from exporter.model.game import CHANGES
from exporter.model.shape import Name
from exporter.rooms.room_orders import read_order_text
from exporter.rules.errata import corrected
from exporter.rules.project import Project
from exporter.udonarium import marks
from exporter.udonarium.document import Xml, attribute, element_children, tag_of
from exporter.udonarium.format import IDENTIFIER
from exporter.udonarium.read import ZipContents, open_to_edit


class ComparedRecord(Struct, frozen=True):
    """Something that is compared: its name for people and its fields as texts, by their paths."""

    name: str
    fields: Mapping[str, str]


class Difference(Struct, frozen=True):
    """A record that is different, in which field, and the errata that say so.

    ``sort`` is ``added``, ``gone``, ``changed`` or, in a saved room, ``stays``: the data no longer
    have it, and ``conflict``: players changed it too. ``field`` is a path; it is empty where it is
    of the whole record.
    """

    sort: str
    what: str
    name: str
    field: str = ""
    before: str = ""
    now: str = ""
    errata: tuple[str, ...] = ()


# What is compared, by its sort and id: ``("card", "k7")``.
Records = Mapping[tuple[str, str], ComparedRecord]


def diff(
    one: NameOrPath, other: NameOrPath, *, moves: bool = False, source: NameOrPath | None = None
) -> tuple[Difference, ...]:
    """Compare two games, two room zips, or a zip and what its game would make of it today.

    Pieces that lie elsewhere count with ``moves``. Raises ``InvalidSource``.
    """
    zips = [str(name).lower().endswith(".zip") for name in (one, other)]
    if not any(zips):
        games = [open_to_make(folder_of(name, source)).game for name in (one, other)]
        before, now = map(_game_records, games)
        return tuple(_differences(before, now, games[1]))
    rooms: list[Path | bytes] = [Path(one), Path(other)]
    if not all(zips):
        made = zips.index(False)
        rooms[made] = rebuild_room(Path((one, other)[1 - made]), (one, other)[made], source).data
    before, now = (_room_records(room, moves) for room in rooms)
    return tuple(_differences(before, now))


def changed_cards(
    old: NameOrPath, game: NameOrPath, source: NameOrPath | None = None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the ids of a game's cards that are new or other than in an old state of its data, and
    the names of those that are gone.

    Raises ``InvalidSource``.
    """
    before, now = (
        _game_records(open_to_make(folder_of(name, source)).game) for name in (old, game)
    )
    cards = [key for key in dict.fromkeys((*now, *before)) if key[0] == "card"]
    changed = [key[1] for key in cards if key in now and before.get(key) != now[key]]
    gone = [before[key].name for key in cards if key not in now]
    return tuple(changed), tuple(gone)


def _differences(before: Records, now: Records, game: Game | None = None) -> Iterator[Difference]:
    for key in dict.fromkeys((*before, *now)):
        old, new = before.get(key), now.get(key)
        if old is None or new is None:
            record = new or old
            assert record is not None
            yield Difference("added" if old is None else "gone", key[0], record.name)
            continue
        for field in dict.fromkeys((*old.fields, *new.fields)):
            texts = old.fields.get(field, ""), new.fields.get(field, "")
            if texts[0] != texts[1]:
                errata = errata_of(game, *key) if game else ()
                yield Difference("changed", key[0], new.name, field, *texts, errata)


def _game_records(game: Game) -> Records:
    """List what a game's data say, with errata laid over them."""
    found: dict[tuple[str, str], ComparedRecord] = {}
    played = corrected(game)
    for card in played.cards.values():
        kind = played.kinds[card.kind]
        texts = {kind.label_of(name): card.text(name) for name in card.fields}
        found["card", card.id] = ComparedRecord(
            f"{card.id} {card.name}", {**texts, "name": card.name}
        )
    count: Counter[str] = Counter()
    for row in played.decks:
        count[f"{row.deck} {row.card}"] += 1
        key = f"{row.deck} {row.card} {count[f'{row.deck} {row.card}']}"
        card_name = (found_card := played.card(row.card)) and found_card.name
        texts = dict(_texts({"copies": row.copies, "mark": row.mark, **row.fields}))
        found["deck", key] = ComparedRecord(f"{row.deck} {card_name or row.card}", texts)
    for sort, records in (
        ("mech", played.mechs), ("board", played.boards), ("note", played.notes),
        ("erratum", {one.id: one for one in game.errata}),
        ("ruling", {one.id: one for one in game.rulings}),
    ):  # fmt: skip
        for key, record in records.items():
            if (sort, key) == ("note", CHANGES):
                continue
            found[sort, key] = ComparedRecord(
                f"{key} {_name_of(record)}".strip(), dict(_texts(record))
            )
    return found


def _name_of(record: Any) -> str:
    names = (getattr(record, key, "") for key in ("name", "title", "note"))
    name = next(filter(None, names), "")
    return name.ja if isinstance(name, Name) else str(name)


def _texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text and number of a record by its path; places in files are no part of it."""
    if isinstance(value, SourceLocation):
        return
    if isinstance(value, Struct):
        value = asdict(value)
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if name not in ("where", "places", "spot"):
                yield from _texts(inner, f"{path}.{name}".lstrip("."))
    elif isinstance(value, (list, tuple)):
        if all(isinstance(one, str | int | float) for one in value):
            yield path, "/".join(map(str, value))
        else:
            for index, inner in enumerate(value, 1):
                yield from _texts(inner, f"{path}.{index}")
    elif value not in (None, ""):
        yield path, str(value)


def errata_of(game: Game, sort: str, which: str) -> tuple[str, ...]:
    """Find the errata that change the card, or the mech, of an id."""

    def changed(change: Change) -> str | None:
        card = game.card(change.card) if sort == "card" else None
        return card.id if card else change.target.get(sort)

    return tuple(one.id for one in game.errata if which in map(changed, one.changes))


def _room_records(source: Path | bytes, moves: bool) -> Records:
    room = open_to_edit(source).room
    if room is None:
        raise error_at(SourceLocation(str(source)), "UPDATE", "no-room")
    found: dict[tuple[str, str], ComparedRecord] = {}
    count: Counter[str] = Counter()
    for thing in marks.things(room):
        texts = marks.fields(thing)
        name = texts.get("common/title") or texts.get("common/name", "")
        place = marks.place_of(thing)[0] or f"{tag_of(thing)} {name}"
        count[place] += 1
        if moves:
            corner = (attribute(thing, axis) for axis in ("location.x", "location.y", "posZ"))
            texts["place"] = ", ".join(corner)
        found[tag_of(thing), f"{place} {count[place]}"] = ComparedRecord(name, texts)
    return found


def write_changes(
    game: NameOrPath, found: Sequence[Difference], source: NameOrPath | None = None
) -> Path:
    """Keep differences as ``changes/<day of the data>.yaml`` in a game's folder.

    Its rooms then say them, and its page. Raises ``InvalidSource``: data without a version.
    """
    project = open_to_make(folder_of(game, source))
    if project.game.version is None:
        raise error_at(project.game.where, "CHANGES", "no-version")
    day = project.game.day
    lines = {one: difference_lines(found, one) for one in ("ja", "en")}
    values = {"id": day, "version": project.game.version_text, **lines}
    text = yaml.safe_dump(values, allow_unicode=True, sort_keys=False, width=1000)
    path = project.folder / "changes" / f"{day}.yaml"
    write_whole({path: text.encode()})
    return path


class RebuiltRoom(Struct, frozen=True):
    """A saved room and its marked table, and what its game would make to the same order today.

    ``own_pictures`` are the seats whose pictures players brought.
    """

    contents: ZipContents
    room: Xml
    table: Xml
    project: Project
    own_pictures: frozenset[str]
    data: bytes
    problems: tuple[Problem, ...]


def rebuild_room(file: Path, game: NameOrPath, source: NameOrPath | None) -> RebuiltRoom:
    """Make a saved room again, to the order that it remembers, of the game that it states.

    Raises ``InvalidSource``: no room, another ``game``, no marks, or an order that cannot be read.
    """
    where = SourceLocation(str(file))
    contents = open_to_edit(file)
    room = contents.room
    things = () if room is None else element_children(room)
    tables = [one for one in things if attribute(one, marks.ORDER)]
    if room is None or not tables:
        raise error_at(where, "UPDATE", "no-marks")
    made_of = attribute(tables[0], marks.GAME)
    project = open_to_make(folder_of(game or made_of, source))
    if project.game.id != made_of:
        raise error_at(where, "UPDATE", "other-game", found=made_of, game=project.game.id)
    order, own_pictures = read_order_text(project.game, attribute(tables[0], marks.ORDER), where)
    project = project.with_samples(wanted=order.samples)
    data, problems = marked_zip(project, order)
    return RebuiltRoom(contents, room, tables[0], project, own_pictures, data, problems)


# Letters of a value in a list.
_LONGEST = 60


def difference_lines(found: Sequence[Difference], language: str) -> list[str]:
    """Write differences as lines for people, equal ones once with their count."""
    lines: Counter[str] = Counter()
    known = words("diff", language)
    for one in found:
        before, now = _short(one.before, one.now)
        word = one.field.rpartition("/")[2]
        is_ours = one.field.startswith(("common/", "image/")) or one.field in _TABLE_WORDS
        is_ours = is_ours and f"field-{word}" in known
        line = sentence(
            "diff",
            "field" if one.field and not (before or now) else "values" if one.field else "record",
            sign=sentence("diff", f"sign-{one.sort}"),
            what=sentence("diff", what) if (what := f"what-{one.what}") in known else one.what,
            name=one.name or "—",
            field=sentence("diff", f"field-{word}") if is_ours else word,
            before=before or "—",
            now=now or "—",
            errata=f" [{', '.join(one.errata)}]" if one.errata else "",
        )
        lines[printable(line.in_language(language))] += 1
    return [line + (f" ×{count}" if count > 1 else "") for line, count in lines.items()]


_TABLE_WORDS = (*marks.TABLE_FIELDS, marks.PALETTE)


def _short(*texts: str) -> list[str]:
    """Return values as people read them in a list; nothing where one is a picture or long."""
    lines = [text.replace("\n", " ") for text in texts]
    is_long = any(len(line) > _LONGEST or IDENTIFIER.fullmatch(line) for line in lines)
    return ["" for _ in lines] if is_long else lines
