"""Players' own builds and decks: YAML documents, a table of many players' cards, plain text.

Keys, headings and names may be spelled as people type them, and called by their nicknames."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from exporter.core.file_types import (
    DOCUMENTS,
    SAVED_ROOM,
)
from exporter.core.names import (
    Named,
    Names,
    index,
)
from exporter.core.problems import (
    UNREADABLE,
    InvalidSource,
    Problem,
    SourceLocation,
    errors,
    near_names,
    problem_at,
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
    too_large,
)
from exporter.loader.consistency import check_frame
from exporter.loader.deck_lists import COLUMNS as LIST_COLUMNS
from exporter.loader.deck_lists import (
    List,
    Lists,
    deck_of_text,
    decks_of_document,
    decks_of_table,
    first_kind,
    game_of_text,
    is_list,
)
from exporter.loader.game_folders import find_game
from exporter.loader.game_reader import (
    check_ambiguous,
    known_names,
)
from exporter.loader.load_context import LoadContext
from exporter.loader.player_tables import (
    MOST_ROWS,
    ReadBuild,
    build_of_rows,
    check_game,
    common_value,
    copies_in,
    file_records,
    grouped,
    is_table,
    normalize_header,
    normalize_rows,
    picture_beside,
    unread_frame,
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
from exporter.model.called import (
    FRAME_KEY,
    OF_A_FRAME,
    name_index,
    resolve_name,
)
from exporter.model.document_places import (
    Items,
    Table,
    place,
    standing,
)
from exporter.model.forms import fields_of
from exporter.model.headings import headings
from exporter.model.mech import Waiver
from exporter.model.player_builds import WrittenSubmission
from exporter.model.record_forms import described
from exporter.model.spelling import number_of_copies
from exporter.model.tabletop import Room
from exporter.model.yaml_documents import read_documents
from exporter.rooms.saved_benches import (
    benches_of,
    put_together,
)
from exporter.rooms.saved_benches import (
    game_of as game_of_benches,
)
from exporter.rules.build_codes import (
    CODE,
    game_of,
    is_code,
    other_version,
    read_line,
)
from exporter.rules.project import Project

MOST_SHARED = 3
"""Faults of a table as a whole that each build in it gets."""


def read_builds(path: Path, game: Game) -> tuple[Build, ...]:
    """Read the builds of a file, each of them whole. Raises ``InvalidSource`` with all its
    faults."""
    entries, problems = _read_entries(path, game)
    if errors(problems):
        raise InvalidSource(problems)
    return tuple(entries)


def read_entries(project: Project, path: Path) -> tuple[list[Build], list[Problem]]:
    """Read the builds of a file as far as they can be read, and what is wrong with the file.

    It is YAML with one document a build, a table with one weapon or card a row, a plain list of
    cards, builds as lines or a saved room. Each build has those of the faults that keep it from
    being read whole. What could not be read of the game is not blamed on a build; neither is a
    frame, which is for the rules to judge.
    """
    return _read_entries(path, project.game, project)


def _read_entries(
    path: Path, game: Game, project: Project | None = None
) -> tuple[list[Build], list[Problem]]:
    """Read the builds of a file and its problems; without a project their frames are checked
    too."""
    if is_saved_room(str(path)):
        return entries_of_room(str(path), game)
    reading = _reading(path)
    if project is not None:
        reading.incomplete |= project.incomplete
        reading.excluded |= project.excluded
    found = _read(reading, path, game)
    if project is not None:
        references = reading.references
        reading.references = [one for one in references if not one.sort.startswith(OF_A_FRAME)]
    reading.resolve(known_names(reading, game), partial(name_index, game))
    check_ambiguous(reading, game)
    for build in [one.entry for one in found] if project is None else ():
        reading.problems += check_frame(game, build) if build.has_parts else ()
    each = list(reading.problems)
    problems = ProblemList()
    problems += each
    return list(_with_faults(found, each)), list(problems)


def _reading(path: Path) -> LoadContext:
    """Return a context that keeps every problem: each bears on a build."""
    return LoadContext(
        path.parent, problems=ProblemList(most=sys.maxsize), budget=ReadingLimits(PLAYERS)
    )


def _with_faults(found: list[ReadBuild], problems: list[Problem]) -> Iterator[Build]:
    owners = {line: i for i, one in enumerate(found) for line in one.lines} if problems else {}
    own: dict[int | None, list[Problem]] = {}
    for problem in problems:
        own.setdefault(owners.get(problem.where.line), []).append(problem)
    common = own.get(None, [])[:MOST_SHARED]
    for number, one in enumerate(found):
        unread = [*own.get(number, ()), *(common if one.shares else ())]
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
            found = _from_table(lists, [*file_records(reading, path)], file)
        elif _is_document(text, file):
            found = _from_documents(lists, text, file)
        else:
            found = deck_of_text(lists, text, file)
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
    """Return the text of a file, or of standard input. Raises ``Unreadable``."""
    if file == INPUT:
        return standard_input()
    return decode(read_bytes(path, file, MAX_BYTES[".yaml"]), file)


def _is_document(text: str, file: str) -> bool:
    """Return whether a text is YAML, by the ending of its file or, without one, by how it looks."""
    if file != INPUT:
        return file.lower().endswith(DOCUMENTS)
    try:
        return any(isinstance(value, Table) for value, _, _ in read_documents(text, file))
    except Unreadable:
        return False


def named_game(path: Path) -> tuple[str, SourceLocation] | Problem:
    """Return the game that a file of builds says it is for and where, or why it says none."""
    where = SourceLocation(str(path), 1, 1)
    try:
        for number, (game, at) in enumerate(_named_games(path)):
            if game:
                return game, at
            where = where if number else at
    except Unreadable as unreadable:
        return unreadable.problem
    except LimitExceeded:
        pass  # the problem comes where the file is read
    return problem_at(where, "SRC-KEY", "file-not-say")


def find_named_game(path: Path, sources: Sequence[Path]) -> Path:
    """Find the folder of the game that a file of builds says it is for.

    Raises ``InvalidSource`` at the place where the file says so, or should.
    """
    found = named_game(path)
    if isinstance(found, Problem):
        raise InvalidSource([found])
    try:
        return find_game(found[0], sources)
    except InvalidSource as error:
        raise InvalidSource([replace(one, where=found[1]) for one in error.problems]) from None


def _named_games(path: Path) -> Iterator[tuple[str, SourceLocation]]:
    """Yield which game each document or row says that it is for, and where it does or should.

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
        yield from _games_of(normalize_header(file_records(reading, path), _GAME))
        return
    text = _text(path, file)
    if not _is_document(text, file):
        yield game_of_text(text), SourceLocation(file, 1, 1)
        return
    for value, where, _ in read_documents(text, file):
        named = normalize_keys(reading, value, _GAME)
        if isinstance(named, Table):
            game = named.get("game")
            yield game if isinstance(game, str) else "", place(named, ["game"], where)


_GAME = headings(("game",))


def _games_of(records: Iterable[Record | Problem]) -> Iterator[tuple[str, SourceLocation]]:
    """Yield the cells of a table's column of games. Raises ``Unreadable`` at what is no row."""
    header: list[str] | None = None
    for record in records:
        if isinstance(record, Problem):
            raise Unreadable(record)
        cells, places = record
        if header is None:
            header = cells
        if "game" not in header:
            return
        at = header.index("game")
        if header is not cells:
            yield cells[at] if at < len(cells) else "", places[min(at, len(places) - 1)]


def _from_documents(lists: Lists, text: str, file: str) -> list[ReadBuild]:
    reading = lists.reading
    named: dict[str, SourceLocation] = {}
    found: list[tuple[Build, int]] = []
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


def _nameless(where: SourceLocation) -> Build:
    """Return what stands for a build that cannot be read at all."""
    return Build(name=str(where), frame={}, mounted={}, where=where)


def _from_document(
    lists: Lists, value: Any, where: SourceLocation, named: dict[str, SourceLocation]
) -> Build:
    reading, game = lists.reading, lists.game
    table = normalize_build(reading, game, value)
    found = reading.shape(WrittenSubmission, table, where, "build")
    if found is None:
        return _nameless(where)
    if isinstance(table, Table) and not table.keys() <= fields_of(WrittenSubmission).keys.keys():
        found = with_unknown_keys(game, found, table)
    check_game(reading, game, found.game, found.place("game"))
    _check_name(reading, named, found.name, found.place("name"))
    build = found.build
    decks, places = decks_of_document(lists, found)
    places |= {key: found.place(key) for key in ("regulation", "weapons", "picture")}
    picture = picture_beside(reading, found.picture, places["picture"])
    name = str(where) if found.name in ("", UNREADABLE) else found.name
    return replace(
        build,
        name=name,
        decks=decks,
        picture=picture,
        places={**build.places, **places},
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


def with_unknown_keys(game: Game, found: WrittenSubmission, table: Table) -> WrittenSubmission:
    """Return a document in which a key is unknown, so that no other is reported as missing: the
    unknown one may be any that is not there."""
    asked = ["name"] if first_kind(game) or not game.deck_kinds else ["name", "deck"]
    unsaid: dict[str, Any] = {key: UNREADABLE for key in asked if key not in table}
    if "frame" not in table and (found.mounted or found.weapons or found.pilots):
        unsaid["frame"] = unread_frame(game, ())
    return replace(found, **unsaid)


INPUT = "-"
"""What a command calls standard input."""


MOST_BYTES = MAX_BYTES[".yaml"]
"""Of standard input: as many as a file of builds may have."""


@cache
def _read_input() -> bytes:
    """Read what standard input holds, read once, or as much of it as shows that it is too large."""
    if sys.stdin is None:  # closed before the program began
        return b""
    stream = getattr(sys.stdin, "buffer", None)
    return sys.stdin.read().encode() if stream is None else bytes(stream.read(MOST_BYTES + 1))


def standard_input() -> str:
    """Return all that standard input holds. Raises ``Unreadable``."""
    data = _read_input()
    if len(data) > MOST_BYTES:
        raise too_large(INPUT, MOST_BYTES)
    return decode(data, INPUT)


def lines_in(thing: str) -> Sequence[tuple[str, SourceLocation]]:
    """Return the builds as lines that a word is, or that standard input has anywhere, and their
    places.

    Raises ``Unreadable``.
    """
    if is_code(thing):
        return [(thing, SourceLocation(shorten(thing)))]
    if thing != INPUT:
        return ()
    text = standard_input()
    return [
        (found[0], SourceLocation(INPUT, number, found.start() + 1))
        for number, line in enumerate(text.splitlines(), 1)
        for found in CODE.finditer(line)
    ]


def shorten(code: str) -> str:
    """Return as much of a line as people need to know it."""
    return code if len(code) <= 24 else f"{code[:16]}…{code[-3:]}"


def build_of_line(
    reading: LoadContext, game: Game, line: str, where: SourceLocation
) -> Build | None:
    """Return the build of a line, or nothing where it cannot be read at all."""
    try:
        build = read_line(game, line, where)
    except InvalidSource as error:
        reading.problems += error.problems
        return None
    names = [*build.loose, *(name for cards in build.mounted.values() for name in cards)]
    names += [skill for pilot in build.pilots for skill in pilot.skills]
    names += [row.card for rows in build.decks.values() for row in rows]
    missing = [name for name in names if game.card(name) is None]
    missing += [part for part in build.mounted if part not in game.parts]
    if missing:
        reading.problems.append(other_version(game, line, where, missing))
    for key, word in build.frame.items():
        reading.refer(OF_A_FRAME + key, word, where)
    lists = Lists(reading, game)
    made = List("", where)
    for deck, rows in build.decks.items():
        made.add(deck, None, where)
        for row in rows:
            given = {name: (str(text), where) for name, text in row.fields.items()}
            made.add(deck, lists.with_values(row, given), where)
    return replace(build, decks=made.decks)


def is_saved_room(file: str) -> bool:
    """Return whether a word names a zip, or after ``#`` a bench of one."""
    return _parts(file)[0].lower().endswith(SAVED_ROOM)


def _parts(file: str) -> tuple[str, str]:
    path, _, bench = file.partition("#")
    return path, bench


def _room(file: str) -> Room[str]:
    """Return the room of a zip. Raises ``InvalidSource``."""
    from exporter.udonarium.read import read_zip

    path = _parts(file)[0]
    room = read_zip(Path(path), path).room
    if room is None:
        raise InvalidSource([problem_at(SourceLocation(path), "BENCH", "no-bench")])
    return room


def game_of_room(file: str) -> str:
    """Return the game that a saved room was made of; empty where it does not say.

    Raises ``InvalidSource``.
    """
    return game_of_benches(_room(file))


def entries_of_room(file: str, game: Game) -> tuple[list[Build], list[Problem]]:
    """Return the builds on the benches of a saved room, and what is wrong with it and with them."""
    path, wanted = _parts(file)
    try:
        room = _room(file)
    except InvalidSource as error:
        return [], list(error.problems)
    named = game_of_benches(room)
    if named not in ("", game.id):
        return [], [
            problem_at(SourceLocation(path), "BENCH", "other-game", said=named, game=game.id)
        ]
    entries, problems = put_together(game, room, path)
    if wanted:
        entries, more = _on_bench(game, room, entries, path, wanted)
        problems += more
    elif not entries and not problems:
        problems.append(problem_at(SourceLocation(path), "BENCH", "nothing-on"))
    problems += [problem for entry in entries for problem in entry.unread]
    return entries, list(dict.fromkeys(problems))


def _on_bench(
    game: Game, room: Room[str], entries: list[Build], path: str, wanted: str
) -> tuple[list[Build], list[Problem]]:
    titles = [bench.title for bench in benches_of(game, room)]
    names = index(map(Named, titles))
    found_names = names.meant(wanted)
    if len(found_names) != 1:
        near = near_names(names, wanted)
        return [], [problem_at(SourceLocation(path), "BENCH", "no-such", name=wanted, nearest=near)]
    where = f"{path}#{found_names[0]}"
    found = [entry for entry in entries if entry.where.file == where]
    return found, [] if found else [
        problem_at(SourceLocation(where), "BENCH", "empty", name=found_names[0])
    ]


def normalize_keys(reading: LoadContext, table: Any, names: Names) -> Any:
    """Return a mapping whose keys are those that they stand for; whatever else is left as it is.

    Where a key may be several, a mapping under it decides for the one that holds mappings.
    """
    if not isinstance(table, Table):
        return table
    renamed = Table(table.where)
    renamed.size = table.size
    for key, value in table.items():
        meaning = _resolve_key(names, key, value)
        where = table.keys_at[key]
        if meaning in renamed:
            reading.fault(where, "SRC-KEY", "two-spellings", key=key, meaning=meaning)
            continue
        renamed[meaning] = value
        renamed.keys_at[meaning] = where
        renamed.values_at[meaning] = table.values_at[key]
    return renamed


_OF_MAPPINGS = ("frame", "mounted", "cards", "decks")


def _resolve_key(names: Names, key: str, value: object) -> str:
    found = names.meant(key)
    if len(found) > 1:
        found = [one for one in found if (one in _OF_MAPPINGS) == isinstance(value, Mapping)]
    return found[0] if len(found) == 1 else key


def normalize_build(reading: LoadContext, game: Game, value: Any) -> Any:
    """Return a document of a file of builds with its keys and names as the game has them."""
    value = normalize_keys(reading, value, _ENTRY)
    if not isinstance(value, Table):
        return value
    for key, names in (
        ("frame", name_index(game, FRAME_KEY)),
        ("mounted", name_index(game, "part")),
    ):
        if key in value:
            value[key] = normalize_keys(reading, value[key], names)
    frame, mounted = value.get("frame"), value.get("mounted")
    if isinstance(frame, Table):
        words = {key: word for key, word in frame.items() if isinstance(word, str)}
        frame.update(
            {key: resolve_name(game, OF_A_FRAME + key, word) for key, word in words.items()}
        )
    for cards in (*(mounted.values() if isinstance(mounted, Table) else ()), value.get("weapons")):
        _name_cards(game, cards)
    _number_copies(reading, value.get("cards"))
    decks = value.get("decks")
    for cards in decks.values() if isinstance(decks, Table) else ():
        _number_copies(reading, cards)
    for key, names in (("pilots", _PILOT), ("waivers", _WAIVER)):
        each = value.get(key)
        if isinstance(each, Items):
            each[:] = [normalize_keys(reading, one, names) for one in each]
            for one in each:
                _name_cards(game, one.get("skills") if isinstance(one, Table) else None)
    return value


_ENTRY = headings(fields_of(WrittenSubmission).keys)


_PILOT = headings(fields_of(Pilot).keys)


_WAIVER = headings(fields_of(Waiver).keys)


_COPIES = headings(("copies",))


def _number_copies(reading: LoadContext, cards: Any) -> None:
    """Return copies as numbers, whether they stand alone or beside what else a deck says of a
    card."""
    for name, one in cards.items() if isinstance(cards, Table) else ():
        cards[name] = normalize_keys(reading, one, _COPIES)
        holder, key = (cards[name], "copies") if isinstance(one, Table) else (cards, name)
        text = holder.get(key)
        count = number_of_copies(text) if isinstance(text, str) else None
        if count is not None:
            holder[key] = str(count)


def _name_cards(game: Game, cards: Any) -> None:
    if isinstance(cards, Items):
        cards[:] = [
            resolve_name(game, "card", one) if isinstance(one, str) else one for one in cards
        ]


def resolve_word(game: Game, sort: str, word: str) -> str:
    """Return what a key of a document, or the name of a part in it, stands for."""
    plain = word.strip("'\"")
    if sort == "part":
        return resolve_name(game, "part", plain)
    found = _ENTRY.meant(plain)
    return "frame" if "frame" in found else found[0] if len(found) == 1 else plain


COLUMNS = ("part", "card", "copies", "pilot", "skill", "regulation", "game")


MOST_COPIES = 100
"""Of a card in a row of a build's table."""


def table_headings(game: Game) -> Names:
    """Return what the headings of tables of builds and decks stand for."""
    own = name_index(game, FRAME_KEY).things.values()
    return headings(dict.fromkeys(("build", *COLUMNS, *LIST_COLUMNS)), own)


def _from_table(lists: Lists, records: list[Record | Problem], file: str) -> list[ReadBuild]:
    records = [*normalize_header(records, table_headings(lists.game))]
    header = records[0][0] if records and not isinstance(records[0], Problem) else []
    if is_list(lists.game, header):
        return decks_of_table(lists, records, header, file)
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
    groups = grouped(reading, normalize_rows(game, table.rows), "build", "row-names-no")
    found, game_name = list[ReadBuild](), ""
    for name, rows in groups.items():
        entry = _from_group(reading, game, name, rows, words)
        if doubtful:  # the column that is unknown may be any that is not there
            frame = {**unread_frame(game, header), **entry.frame}
            loose = entry.loose if "part" in header else ()
            entry = replace(entry, frame=frame, loose=loose)
        game_name = entry.game or game_name  # a blank game, too, is that of the row above
        found.append(build_of_rows(replace(entry, game=game_name), rows))
    return found


def _from_group(
    reading: LoadContext, game: Game, name: str, rows: list[Row], words: list[str]
) -> Build:
    frame: dict[str, str] = {}
    places: dict[str, SourceLocation] = {"frame": rows[0].where}
    for column in words:
        value, where = common_value(reading, rows, column)
        reading.refer(OF_A_FRAME + column, value, where)
        if value:
            frame[column] = value
            places["frame"] = where if len(frame) == 1 else places["frame"]
    game_name, where = common_value(reading, rows, "game")
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
    regulation, of_regulation = common_value(reading, rows, "regulation")
    return Build(
        name=name,
        frame=frame,
        mounted={part: tuple(cards) for part, cards in mounted.items()},
        pilots=pilots,
        where=rows[0].at("build"),
        places=places | of_skills | {"regulation": of_regulation},
        game=game_name,
        regulation=regulation,
        loose=tuple(loose),
    )


def _pilots(
    reading: LoadContext, name: str, rows: list[Row]
) -> tuple[tuple[Pilot, ...], dict[str, SourceLocation]]:
    """Return who sits in a build of that name, with the places of their skills."""
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
