"""Players' own builds and decks: YAML documents, a table of many players' cards, plain text.

Keys, headings and names may be spelled as people type them, and called by their nicknames."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from exporter.core.file_types import DOCUMENTS
from exporter.core.names import Names
from exporter.core.problems import (
    UNREADABLE,
    InvalidSource,
    Problem,
    Severity,
    SourceLocation,
)
from exporter.core.reading_limits import (
    PLAYERS,
    LimitExceeded,
    ProblemList,
    ReadingLimits,
)
from exporter.core.source_files import (
    MAX_BYTES,
    Unreadable,
    decode,
    read_bytes,
)
from exporter.loader.build_lines import (
    INPUT,
    build_of_line,
    lines_in,
    standard_input,
)
from exporter.loader.consistency import check_frame
from exporter.loader.deck_lists import COLUMNS as LIST_COLUMNS
from exporter.loader.deck_lists import (
    Lists,
    is_list,
    of_document,
    of_table,
    of_text,
)
from exporter.loader.game_folders import find_game
from exporter.loader.game_reader import (
    check_ambiguous,
    known_names,
)
from exporter.loader.load_context import LoadContext
from exporter.loader.name_resolution import (
    build_meant,
    headed,
    rows_meant,
    with_keys_meant,
)
from exporter.loader.pasted_lists import game_of_text
from exporter.loader.player_tables import (
    MOST_ROWS,
    ReadBuild,
    check_game,
    copies_in,
    grouped,
    is_table,
    once,
    picture_beside,
    read_of_rows,
    records_of,
    unread_frame,
    whole_record,
    with_doubts,
)
from exporter.loader.saved_rooms import (
    entries_of_room,
    game_of_room,
    is_saved_room,
)
from exporter.loader.tables import (
    Record,
    Row,
    rows_of,
)
from exporter.model import (
    Build,
    Game,
    Pilot,
)
from exporter.model.annotations import fields_of
from exporter.model.called import (
    FRAME_KEY,
    OF_A_FRAME,
    name_index,
)
from exporter.model.document_places import (
    Items,
    Table,
    place,
    standing,
)
from exporter.model.headings import headings
from exporter.model.player_builds import (
    Submission,
    WrittenSubmission,
)
from exporter.model.record_forms import described
from exporter.model.yaml_documents import read_documents
from exporter.rules.build_codes import game_of

COLUMNS = ("part", "card", "copies", "pilot", "skill", "regulation", "game")
MOST_COPIES = 100
"""Of a card in a row of a build's table."""

MOST_SHARED = 3
"""Faults of a table as a whole that are told of each build in it."""


def read_builds(path: Path, game: Game) -> tuple[Submission, ...]:
    """The builds of a file: YAML with one document a build, or CSV with one weapon a row.

    A row names its ``build`` and a ``card`` in a ``part`` (or without one), or a ``skill`` of a
    ``pilot``; the columns of the frame are filled in at least one row of each build.
    Raises ``InvalidSource`` with every fault of the file.
    """
    if is_saved_room(str(path)):
        of_room, problems = entries_of_room(str(path), game)
        if any(one.severity is Severity.ERROR for one in problems):
            raise InvalidSource(problems)
        return tuple(of_room)
    reading = _reading(path)
    entries = [read.entry for read in _read(reading, path, game)]
    reading.resolve(known_names(reading, game), partial(name_index, game))
    check_ambiguous(reading, game)
    for entry in entries:
        if entry.build.has_parts:
            reading.problems += check_frame(game, entry.build)
    if reading.problems:
        raise InvalidSource(reading.problems)
    return tuple(entries)


def read_entries(
    path: Path, game: Game, of_game: LoadContext
) -> tuple[list[Submission], list[Problem]]:
    """The builds of a file as far as they can be read, and what is wrong with the file.

    Each build has those of the faults that keep it from being read whole. What ``of_game`` could
    not read of the game is not held against a build; neither is a frame, which is for the rules to
    judge.
    """
    if is_saved_room(str(path)):
        return entries_of_room(str(path), game)
    reading = _reading(path)
    reading.incomplete |= of_game.incomplete
    reading.spoilt |= of_game.spoilt
    found = _read(reading, path, game)
    reading.references = [one for one in reading.references if not one.sort.startswith(OF_A_FRAME)]
    reading.resolve(known_names(reading, game), partial(name_index, game))
    check_ambiguous(reading, game)
    each = list(reading.problems)
    told = ProblemList()
    told += each
    return list(_with_faults(found, each)), list(told)


def _reading(path: Path) -> LoadContext:
    """A reading that keeps every problem: each bears on a build."""
    return LoadContext(
        path.parent, problems=ProblemList(most=sys.maxsize), budget=ReadingLimits(PLAYERS)
    )


def _with_faults(found: list[ReadBuild], problems: list[Problem]) -> Iterator[Submission]:
    owners = {line: i for i, one in enumerate(found) for line in one.lines} if problems else {}
    own: dict[int | None, list[Problem]] = {}
    for problem in problems:
        own.setdefault(owners.get(problem.where.line), []).append(problem)
    nobodys = own.get(None, [])[:MOST_SHARED]
    for number, one in enumerate(found):
        unread = [*own.get(number, ()), *(nobodys if one.shares else ())]
        yield replace(one.entry, unread=tuple(unread))


def _read(reading: LoadContext, path: Path, game: Game) -> list[ReadBuild]:
    file = str(path)
    lists = Lists(reading, game)
    found: list[ReadBuild] = []
    try:
        lines = lines_in(file)
        text = _text(path, file) if not (lines or is_table(file)) else ""
        if lines:
            read = [(build_of_line(reading, game, *one), one[1]) for one in lines]
            found = [ReadBuild(entry or _nameless(at), (at.line,)) for entry, at in read]
        elif is_table(file):
            found = _from_table(lists, [*records_of(reading, path)], file)
        elif _is_document(text, file):
            found = _from_documents(lists, text, file)
        else:
            found = of_text(lists, text, file)
    except Unreadable as unreadable:
        reading.problems.append(unreadable.problem)
    except LimitExceeded as spent:
        reading.refuse(SourceLocation(file), "build", spent)
    if not found and not reading.problems:
        reading.fault(SourceLocation(file), "SRC-FILE", "no-build-file")
    first = next(iter(reading.problems), None)
    if not found and first is not None and first.where.line:  # there is something, whatever it is
        where = first.where
        found = [ReadBuild(_nameless(where), (where.line,), shares=True)]
    return found


def _text(path: Path, file: str) -> str:
    """The text of a file, or of standard input. Raises ``Unreadable``."""
    if file == INPUT:
        return standard_input()
    return decode(read_bytes(path, file, MAX_BYTES[".yaml"]), file)


def _is_document(text: str, file: str) -> bool:
    """Whether a text is YAML, by the ending of its file or, without one, by how it looks."""
    if file != INPUT:
        return file.lower().endswith(DOCUMENTS)
    try:
        return any(isinstance(value, Table) for value, _, _ in read_documents(text, file))
    except Unreadable:
        return False


def game_of_builds(path: Path) -> str:
    """The game that a file of builds is for; empty where it does not say so soundly."""
    try:
        return next((game for game, _ in said_games(path) if game), "")
    except (Unreadable, LimitExceeded):
        return ""


def find_game_said(path: Path, game: str, sources: Sequence[Path]) -> Path:
    """The folder of the game that a file of builds says it is for.

    Raises ``InvalidSource`` at the place where the file says so.
    """
    try:
        return find_game(game, sources)
    except InvalidSource as error:
        where = next(
            (where for said, where in said_games(path) if said == game), SourceLocation(str(path))
        )
        raise InvalidSource([replace(one, where=where) for one in error.problems]) from None


def said_games(path: Path) -> Iterator[tuple[str, SourceLocation]]:
    """Which game each document or row says that it is for, and where it does or should.

    Raises ``Unreadable`` and ``LimitExceeded``.
    """
    file = str(path)
    reading = _reading(path)
    lines = lines_in(file)
    if is_saved_room(file):
        yield game_of_room(file), SourceLocation(file)
        return
    if lines:
        yield from ((game_of(line), where) for line, where in lines)
        return
    if is_table(file):
        yield from _games_of(headed(records_of(reading, path), _GAME))
        return
    text = _text(path, file)
    if not _is_document(text, file):
        yield game_of_text(text), SourceLocation(file, 1, 1)
        return
    for value, where, _ in read_documents(text, file):
        named = with_keys_meant(reading, value, _GAME)
        if isinstance(named, Table):
            game = named.get("game")
            yield game if isinstance(game, str) else "", place(named, ["game"], where)


_GAME = headings(("game",))


def _games_of(records: Iterable[Record | Problem]) -> Iterator[tuple[str, SourceLocation]]:
    """The cells of a table's column of games, no further than somebody asks.

    Raises ``Unreadable`` where the table ends in something that is no row.
    """
    each = map(whole_record, records)
    header, _ = next(each, ([], []))
    if "game" in header:
        index = header.index("game")
        for cells, places in each:
            yield cells[index] if index < len(cells) else "", places[min(index, len(places) - 1)]


def _from_documents(lists: Lists, text: str, file: str) -> list[ReadBuild]:
    reading = lists.reading
    named: dict[str, SourceLocation] = {}
    found: list[tuple[Submission, int]] = []
    try:
        for value, where, problems in read_documents(text, file):
            if value is not None:
                reading.budget.take("values", value.size if isinstance(value, Table | Items) else 1)
                reading.problems += problems
                found.append((_from_document(lists, value, where, named), where.line))
    except Unreadable as unreadable:
        reading.problems.append(unreadable.problem)
        where = unreadable.problem.where
        found.append((_nameless(where), where.line))
    ends = [start for _, start in found[1:]] + [text.count("\n") + 2]
    each = zip(found, ends, strict=False)
    return [ReadBuild(entry, range(start, end)) for (entry, start), end in each]


def _nameless(where: SourceLocation) -> Submission:
    """What stands for a build that cannot be read at all."""
    return Submission(build=Build(name=str(where), frame={}, mounted={}, where=where))


def _from_document(
    lists: Lists, value: Any, where: SourceLocation, named: dict[str, SourceLocation]
) -> Submission:
    reading, game = lists.reading, lists.game
    table = build_meant(reading, game, value)
    found = reading.shape(WrittenSubmission, table, where, "build")
    if found is None:
        return _nameless(where)
    if isinstance(table, Table) and not table.keys() <= fields_of(WrittenSubmission).keys.keys():
        found = with_doubts(game, found, table)
    check_game(reading, game, found.game, found.place("game"))
    _check_name(reading, named, found.name, found.place("name"))
    build = found.build
    decks, said = of_document(lists, found)
    said |= {key: found.place(key) for key in ("regulation", "weapons", "picture")}
    picture = picture_beside(reading, found.picture, said["picture"])
    name = str(where) if found.name in ("", UNREADABLE) else found.name
    return Submission(
        build=replace(
            build, name=name, decks=decks, picture=picture, places={**build.places, **said}
        ),
        game=found.game,
        label=found.label,
        note=found.note,
        regulation=found.regulation,
        waivers=found.waivers,
        loose=() if "" in decks and not game.parts else found.weapons,
    )


def _check_name(
    reading: LoadContext, named: dict[str, SourceLocation], name: str, where: SourceLocation
) -> None:
    if name == UNREADABLE:
        return
    if not name:
        reading.fault(where, "SRC-KEY", "build-no-name")
    elif name in named:
        reading.fault(
            where, "SRC-ID", "build-stands-already", found=described(name), named=named[name]
        )
    named.setdefault(name, where)


def table_headings(game: Game) -> Names:
    """What the headings of tables of builds and decks stand for."""
    own = name_index(game, FRAME_KEY).things.values()
    return headings(dict.fromkeys(("build", *COLUMNS, *LIST_COLUMNS)), own)


def _from_table(lists: Lists, records: list[Record | Problem], file: str) -> list[ReadBuild]:
    records = [*headed(records, table_headings(lists.game))]
    header = records[0][0] if records and not isinstance(records[0], Problem) else []
    if is_list(lists, header):
        return of_table(lists, records, header, file)
    return _from_rows(lists, records, header, file)


def _from_rows(
    lists: Lists, records: Sequence[Record | Problem], header: Sequence[str], file: str
) -> list[ReadBuild]:
    reading, game = lists.reading, lists.game
    words = list(name_index(game, FRAME_KEY).things)
    known = ("build", *words, *COLUMNS)
    doubtful = not {*known}.issuperset(header)
    table = rows_of(records, file, ("build", "card"), known, MOST_ROWS)
    reading.problems += table.problems
    groups = grouped(reading, rows_meant(game, table.rows), "build", "row-names-no")
    found, said = list[ReadBuild](), ""
    for name, rows in groups.items():
        entry = _from_group(reading, game, name, rows, words)
        if doubtful:  # the column that is unknown may be any that is not there
            frame = {**unread_frame(game, header), **entry.build.frame}
            loose = entry.loose if "part" in header else ()
            entry = replace(entry, build=replace(entry.build, frame=frame), loose=loose)
        said = entry.game or said  # a blank game, too, is that of the row above
        found.append(read_of_rows(replace(entry, game=said), rows))
    return found


def _from_group(
    reading: LoadContext, game: Game, name: str, rows: list[Row], words: list[str]
) -> Submission:
    frame: dict[str, str] = {}
    places: dict[str, SourceLocation] = {"frame": rows[0].where}
    for column in words:
        value, where = once(reading, rows, column)
        reading.refer(OF_A_FRAME + column, value, where)
        if value:
            frame[column] = value
            places["frame"] = where if len(frame) == 1 else places["frame"]
    game_name, where = once(reading, rows, "game")
    check_game(reading, game, game_name, where)
    mounted: dict[str, list[str]] = {}
    loose: list[str] = []
    for row in rows:
        for column in ("part", "card"):
            reading.refer(column, row[column], row.at(column))
        if not row["card"]:
            if row["copies"] and not (row["pilot"] or row["skill"]):
                reading.fault(row.at("card"), "SRC-VALUE", "row-no-card")
            continue
        cards = mounted.setdefault(row["part"], []) if row["part"] else loose
        if not row["part"]:
            places.setdefault("weapons", row.at("part"))
        copies = copies_in(reading, row, MOST_COPIES)
        reading.budget.take("cells", copies)
        for _ in range(copies):
            cards.append(row["card"])
            if row["part"]:
                places.setdefault(row["part"], row.at("part"))
                places[f"{row['part']}.{len(cards)}"] = row.at("card")
    pilots, of_skills = _pilots(reading, name, rows)
    regulation, of_regulation = once(reading, rows, "regulation")
    build = Build(
        name=name,
        frame=frame,
        mounted={part: tuple(cards) for part, cards in mounted.items()},
        pilots=pilots,
        where=rows[0].at("build"),
        places=places | of_skills | {"regulation": of_regulation},
    )
    return Submission(build=build, game=game_name, regulation=regulation, loose=tuple(loose))


def _pilots(
    reading: LoadContext, name: str, rows: list[Row]
) -> tuple[tuple[Pilot, ...], dict[str, SourceLocation]]:
    """Who sits in a build of that name, with the places of their skills."""
    skills: dict[str, list[tuple[str, SourceLocation]]] = {}
    for row in rows:
        reading.refer("card", row["skill"], row.at("skill"))
        if row["pilot"] or row["skill"]:
            skills.setdefault(row["pilot"] or name, []).append((row["skill"], row.at("skill")))
    pilots: list[Pilot] = []
    places: dict[str, SourceLocation] = {}
    for number, (pilot, found) in enumerate(skills.items(), 1):
        known = [(skill, where) for skill, where in found if skill]
        places |= {f"pilots.{number}.{i}": where for i, (_, where) in enumerate(known, 1)}
        learnt = tuple(skill for skill, _ in known)
        pilots.append(Pilot(name=pilot, skills=learnt, spot=standing(found[0][1])))
    return tuple(pilots), places
