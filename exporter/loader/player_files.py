"""Files of players' builds: which game one is for, its builds, and whose fault each problem is.

They are YAML documents, tables of many players' cards, builds as lines, plain lists of cards, or
saved rooms. Keys, headings and names may be spelled as people type them. The decks in them are
read by ``player_decks``.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from exporter.core import grouped
from exporter.core.names import Named, Names, index, is_called
from exporter.core.problems import (
    UNREADABLE,
    InvalidSource,
    Problem,
    SourceLocation,
    error_at,
    near_names,
    nearest,
    problem_at,
    stop_for_errors,
)
from exporter.core.reading_limits import PLAYERS, LimitExceeded, ProblemList, ReadingLimits
from exporter.core.source_files import (
    DOCUMENTS,
    MAX_BYTES,
    MAX_PLAYERS,
    SAVED_ROOM,
    TABLES,
    decode,
    inside,
    read_bytes,
)
from exporter.loader.card_tables import table_records
from exporter.loader.consistency import check_frame
from exporter.loader.game_folders import find_game
from exporter.loader.game_reader import check_ambiguous, known_names
from exporter.loader.load_context import LoadContext
from exporter.loader.picture_files import PICTURE_TYPES
from exporter.loader.player_decks import (
    DeckReader,
    first_kind,
    game_of_text,
)
from exporter.loader.tables import Record, Row, rows_of
from exporter.model import Build, Game, Pilot
from exporter.model.documents import Items, Table, place, read_documents, size_of, standing
from exporter.model.fields import number_of_copies
from exporter.model.forms import described, fields_of
from exporter.model.game_names import FRAME_KEY, OF_A_FRAME, headings, name_index, resolve_name
from exporter.model.mech import Waiver, WrittenSubmission
from exporter.model.tabletop import Room
from exporter.rooms.saved_benches import assemble_benches, benches_of, game_of_benches
from exporter.rules.project import Project
from exporter.rules.written_builds import game_of, is_code, other_version, read_line

# Of a file of builds.
MOST_BYTES = MAX_BYTES[".yaml"]

# Rows of a player's table: 10,000 decks have about 200,000.
MOST_ROWS = 500_000

# Of these, in which a table says the game that it is for.
FIRST_ROWS = 100

# Of a card in a row of a build's table.
MOST_COPIES = 100

# Faults of a table as a whole that each build in it gets.
MOST_SHARED = 3

_GAME = headings(("game",))
_ENTRY = headings(fields_of(WrittenSubmission).keys)
_PILOT = headings(fields_of(Pilot).keys)
_WAIVER = headings(fields_of(Waiver).keys)
_COPIES = headings(("copies",))
_OF_MAPPINGS = ("frame", "mounted", "cards", "decks")

# Columns of every table of builds or decks.
_IN_ROWS = ("game", "card", "copies", "regulation")


class ReadBuild(NamedTuple):
    """A build, and the lines of its file that are its own.

    The lines are asked for where something is wrong alone. Where it ``shares`` the file with
    others, as in a table, a fault in a line that is none's bears on it too: a row whose build is
    unknown may be any one's.
    """

    build: Build
    lines: Iterable[int]
    shares: bool = False


def read_builds(path: Path, game: Game) -> tuple[Build, ...]:
    """Read the builds of a file, each of them whole. Raises ``InvalidSource`` with all its
    faults."""
    builds, problems = _read_builds(path, game)
    stop_for_errors(problems)
    return tuple(builds)


def read_players_builds(project: Project, path: Path) -> tuple[list[Build], list[Problem]]:
    """Read the builds of a file as far as they can be read, and what is wrong with the file.

    Each build has those of the faults that keep it from being read whole. What could not be read
    of the game is not blamed on a build; neither is a frame, which is for the rules to judge.
    """
    return _read_builds(path, project.game, project)


def _read_builds(
    path: Path, game: Game, project: Project | None = None
) -> tuple[list[Build], list[Problem]]:
    """Read the builds of a file and its problems; without a project their frames are checked
    too."""
    if is_saved_room(str(path)):
        return builds_of_room(str(path), game)
    reading = _context(path)
    if project is not None:
        reading.incomplete |= project.incomplete
        reading.excluded |= project.excluded
    found = _read(reading, path, game)
    if project is not None:
        references = reading.references
        reading.references = [one for one in references if not one.sort.startswith(OF_A_FRAME)]
    reading.resolve(known_names(reading, game), partial(name_index, game))
    check_ambiguous(reading, game)
    for build in [one.build for one in found] if project is None else ():
        reading.problems += check_frame(game, build) if build.has_parts else ()
    each, problems = list(reading.problems), ProblemList()
    problems += each
    return list(_with_faults(found, each)), [*problems, *reading.notices]


def _context(path: Path) -> LoadContext:
    """Return a context that keeps every problem: each bears on a build."""
    problems = ProblemList(most=sys.maxsize)
    return LoadContext(path.parent, problems=problems, budget=ReadingLimits(PLAYERS))


def _with_faults(found: list[ReadBuild], problems: list[Problem]) -> Iterator[Build]:
    owners = {line: i for i, one in enumerate(found) for line in one.lines} if problems else {}
    own = grouped(problems, lambda problem: owners.get(problem.where.line))
    common = own.get(None, [])[:MOST_SHARED]
    for number, one in enumerate(found):
        unread = [*own.get(number, ()), *(common if one.shares else ())]
        yield replace(one.build, unread=tuple(unread))


def _read(reading: LoadContext, path: Path, game: Game) -> list[ReadBuild]:
    file = str(path)
    builds = BuildReader(reading, game, DeckReader(reading, game))
    found: list[ReadBuild] = []
    with reading.collect(file, "build"):
        if is_code(file):
            found = [ReadBuild(builds.of_line(file, place_of_line(file)), (0,))]
        elif file.lower().endswith(TABLES):
            found = builds.of_table(_file_records(reading, path), file)
        elif file.lower().endswith(DOCUMENTS):
            found = builds.of_documents(_text(path), file)
        else:
            text = _text(path)
            build = builds.decks.of_text(text, file)
            builds.check_game(build.game, SourceLocation(file, 1, 1))
            found = [ReadBuild(build, range(text.count("\n") + 2))]
    first = next(iter(reading.problems), None)
    if not found and first is None:
        reading.fault(SourceLocation(file), "SRC-FILE", "no-build-file")
    elif not found and first is not None and first.where.line:  # there is something there
        nameless = replace(_nameless(first.where), frame=_unread_frame(game, ()))
        found = [ReadBuild(nameless, (first.where.line,), shares=True)]
    return found


def _file_records(reading: LoadContext, path: Path) -> Iterable[Record]:
    """Return the records of a table of any sort. Raises ``InvalidSource`` and ``LimitExceeded``."""
    file = str(path)
    table = table_records(read_bytes(path, file, MAX_PLAYERS), file, reading.budget)
    for flaw in table.flaws.values():
        reading.add(flaw.problem)
    return table.records


def _text(path: Path) -> str:
    """Return the text of a file. Raises ``InvalidSource``."""
    return decode(read_bytes(path, str(path), MOST_BYTES), str(path))


def place_of_line(line: str) -> SourceLocation:
    """Return how problems call a build that is given as one line."""
    return SourceLocation(line if len(line) <= 24 else f"{line[:16]}…{line[-3:]}")


def named_game(path: Path) -> tuple[str, SourceLocation] | Problem:
    """Return the game that a file of builds says it is for and where, or why it says none."""
    where = SourceLocation(str(path), 1, 1)
    try:
        for number, (game, at) in enumerate(_named_games(path)):
            if game:
                return game, at
            where = where if number else at
    except InvalidSource as error:
        return error.problems[0]
    except LimitExceeded:
        pass  # the problem comes where the file is read
    return problem_at(where, "SRC-KEY", "file-not-say")


def find_named_game(named: tuple[str, SourceLocation] | Problem, sources: Sequence[Path]) -> Path:
    """Find the folder of the game that a file of builds is for, by what ``named_game`` gives of it.

    Raises ``InvalidSource`` at the place where the file says so, or should.
    """
    if isinstance(named, Problem):
        raise InvalidSource([named])
    game, where = named
    try:
        return find_game(game, sources)
    except InvalidSource as error:
        raise InvalidSource([replace(one, where=where) for one in error.problems]) from None


def _named_games(path: Path) -> Iterator[tuple[str, SourceLocation]]:
    """Yield which game each document or row says that it is for, and where it does or should.

    Raises ``InvalidSource`` and ``LimitExceeded``.
    """
    file, reading = str(path), _context(path)
    if is_saved_room(file):
        yield game_of_benches(_room(file)), SourceLocation(file)
    elif is_code(file):
        yield game_of(file), place_of_line(file)
    elif file.lower().endswith(TABLES):
        records = _with_names(_file_records(reading, path), _GAME)
        table = rows_of(islice(records, FIRST_ROWS), file, (), None)
        yield from ((row["game"], row.at("game")) for row in table.rows)
        if not table.complete:
            raise InvalidSource([table.problems[-1]])
    elif file.lower().endswith(DOCUMENTS):
        for value, where, _ in read_documents(_text(path), file):
            named = normalize_keys(reading, value, _GAME)
            if isinstance(named, Table):
                game = named.get("game")
                yield game if isinstance(game, str) else "", place(named, ["game"], where)
    else:
        yield game_of_text(_text(path)), SourceLocation(file, 1, 1)


def is_saved_room(file: str) -> bool:
    """Return whether a word names a zip, or after ``#`` a bench of one."""
    return file.partition("#")[0].lower().endswith(SAVED_ROOM)


def _room(file: str) -> Room[str]:
    """Return the room of a zip. Raises ``InvalidSource``."""
    from exporter.udonarium.read import read_zip

    path = file.partition("#")[0]
    room = read_zip(Path(path), path).room
    if room is None:
        raise error_at(SourceLocation(path), "BENCH", "no-bench")
    return room


def builds_of_room(file: str, game: Game) -> tuple[list[Build], list[Problem]]:
    """Return the builds on the benches of a saved room, and what is wrong with it and with them."""
    path, _, wanted = file.partition("#")
    where = SourceLocation(path)
    try:
        room = _room(file)
    except InvalidSource as error:
        return [], list(error.problems)
    named = game_of_benches(room)
    if named not in ("", game.id):
        return [], [problem_at(where, "BENCH", "other-game", quote=named, game=game.id)]
    builds, problems = assemble_benches(game, room, path)
    if wanted:
        names = index(Named(bench.title) for bench in benches_of(game, room))
        titles = names.matches(wanted)
        bench = f"{path}#{titles[0]}" if len(titles) == 1 else ""
        builds = [build for build in builds if build.where.file == bench]
        if not bench:
            problems.append(
                problem_at(
                    where, "BENCH", "no-such", name=wanted, nearest=near_names(names, wanted)
                )
            )
        elif not builds:
            problems.append(problem_at(SourceLocation(bench), "BENCH", "empty", name=titles[0]))
    elif not builds and not problems:
        problems.append(problem_at(where, "BENCH", "nothing-on"))
    problems += [problem for build in builds for problem in build.unread]
    return builds, list(dict.fromkeys(problems))


def _nameless(where: SourceLocation) -> Build:
    """Return what stands for a build that cannot be read at all."""
    return Build(name=str(where), frame={}, mounted={}, where=where)


def _unread_frame(game: Game, known: Collection[str]) -> dict[str, str]:
    """Return the words of a frame that may stand where nobody looks for them."""
    return {word: UNREADABLE for word in name_index(game, FRAME_KEY).things if word not in known}


class BuildReader(Struct):
    """Reads the builds of one file, and its ``decks``."""

    reading: LoadContext
    game: Game
    decks: DeckReader

    def of_line(self, line: str, where: SourceLocation) -> Build:
        """Return the build of a line."""
        game, reading = self.game, self.reading
        try:
            build = read_line(game, line, where)
        except InvalidSource as error:
            reading.problems += error.problems
            return _nameless(where)
        names = [name for cards in build.mounted.values() for name in cards]
        names += [skill for pilot in build.pilots for skill in pilot.skills]
        names += [row.card for rows in build.decks.values() for row in rows]
        missing = [name for name in names if game.card(name) is None]
        missing += [part for part in build.mounted if part not in game.parts]
        if missing:
            reading.problems.append(other_version(game, line, where, missing))
        for key, word in build.frame.items():
            reading.refer(OF_A_FRAME + key, word, where)
        return replace(build, decks=self.decks.of_line(build, where))

    def of_documents(self, text: str, file: str) -> list[ReadBuild]:
        """Return the builds of YAML, one a document."""
        reading = self.reading
        named: dict[str, SourceLocation] = {}
        found: list[tuple[Build, int]] = []
        try:
            for value, where, problems in read_documents(text, file):
                if value is not None:
                    reading.budget.take("values", size_of(value))
                    reading.problems += problems
                    found.append((self._of_document(value, where, named), where.line))
        except InvalidSource as error:
            reading.problems += error.problems
            where = error.problems[0].where
            found.append((_nameless(where), where.line))
        ends = [start for _, start in found[1:]] + [text.count("\n") + 2]
        each = zip(found, ends, strict=False)
        return [ReadBuild(build, range(start, end)) for (build, start), end in each]

    def _of_document(
        self, value: Any, where: SourceLocation, named: dict[str, SourceLocation]
    ) -> Build:
        reading, game = self.reading, self.game
        if isinstance(value, Items):
            reading.fault(where, "SRC-KEY", "builds-listed")
            return _nameless(where)
        table = normalize_build(reading, game, value)
        found = reading.shape(WrittenSubmission, table, where)
        if (
            isinstance(table, Table)
            and not table.keys() <= fields_of(WrittenSubmission).keys.keys()
        ):
            # A key that is unknown may be any that is not there.
            asked = ["name"] if first_kind(game) or not game.deck_kinds else ["name", "deck"]
            unsaid: dict[str, Any] = {key: UNREADABLE for key in asked if key not in table}
            if "frame" not in table and (found.mounted or found.pilots):
                unsaid["frame"] = _unread_frame(game, ())
            found = replace(found, **unsaid)
        self.check_game(found.game, found.place("game"))
        name, at = found.name, found.place("name")
        if not name:
            reading.fault(at, "SRC-KEY", "build-no-name")
        elif name != UNREADABLE and name in named:
            reading.fault(
                at, "SRC-ID", "build-stands-already", found=described(name), named=named[name]
            )
        named.setdefault(name, at)
        build = found.build
        decks, places = self.decks.of_document(found)
        places |= {key: found.place(key) for key in ("regulation", "picture")}
        return replace(
            build,
            name=str(where) if name in ("", UNREADABLE) else name,
            decks=decks,
            picture=self._picture_beside(found.picture, places["picture"]),
            places={**build.places, **places},
            game=found.game,
            label=found.label,
            note=found.note,
            regulation=found.regulation,
            waivers=tuple(one for one in found.waivers if one.reason != UNREADABLE),
        )

    def check_game(self, name: str, where: SourceLocation) -> None:
        """Note a problem where somebody's file is for another game."""
        game = self.game
        called = (game.id, game.code or "", game.name.ja, game.name.en)
        if name not in ("", UNREADABLE) and not is_called(name, called):
            self.reading.fault(
                where, "SRC-VALUE", "build-game", found=described(name), game=game.id
            )

    def _picture_beside(self, name: str, where: SourceLocation) -> str:
        """Return the path of a picture beside a build; nothing, and a problem, where it leads
        elsewhere."""
        root = self.reading.root
        path = inside(root, name) if name else None
        if path is not None and path.is_file():
            return str(path)
        if name:
            pictures = (one.name for one in root.iterdir() if one.suffix.lower() in PICTURE_TYPES)
            self.reading.fault(
                where,
                "SRC-FILE",
                "no-picture-beside",
                name=name,
                nearest=nearest(name, sorted(pictures)),
            )
        return ""

    def of_table(self, table: Iterable[Record], file: str) -> list[ReadBuild]:
        """Return the builds or decks of a table: rows of one name are one.

        A blank name or game is that of the row above. Further columns of decks are the fields in
        which printed decks may differ.
        """
        reading, game = self.reading, self.game
        frame = name_index(game, FRAME_KEY).things
        every = (*_IN_ROWS, "build", "name", "deck", "part", "pilot", "skill")
        records = [*_with_names(table, headings(every, frame.values()))]
        header = records[0][0] if records else []
        is_decks = game.takes_decks and ("build" not in header or not game.parts)
        owner = "build" if "build" in header or not is_decks else "name"
        own = [name for name in game.deck_fields if name not in (*_IN_ROWS, "name", "deck")]
        more = ("deck", *own) if is_decks else ("part", "pilot", "skill", *frame)
        needed = ("card",) if is_decks else ("build", "part", "card")
        found = rows_of(records, file, needed, (owner, *_IN_ROWS, *more), MOST_ROWS)
        reading.problems += found.problems
        rows = found.rows if is_decks else _with_things(game, found.rows)
        name, named = Path(file).stem if is_decks and owner not in header else "", ""
        groups: dict[str, list[Row]] = {}
        for row in rows:
            name = row.cells.get(owner, "") or name
            if name:
                groups.setdefault(name, []).append(row)
            else:
                key = "row-no-deck" if is_decks else "row-names-no"
                reading.fault(row.at(owner), "SRC-VALUE", key)
        builds = []
        for name, rows in groups.items():
            build = (
                self.decks.of_rows(name, rows, own) if is_decks else self._build_of_rows(name, rows)
            )
            if not {owner, *_IN_ROWS, *more}.issuperset(header) and not is_decks:
                # The column that is unknown may be any that is not there.
                build = replace(build, frame={**_unread_frame(game, header), **build.frame})
            game_name, where = self._common(rows, "game")
            self.check_game(game_name, where)
            named = game_name or named
            regulation, of_regulation = self._common(rows, "regulation")
            # Cells of an unsound row may have shifted: its name counts if a sound one has it too.
            lines = _lines_of(rows if any(row.sound for row in rows) else [])
            places = {**build.places, "regulation": of_regulation}
            build = replace(build, game=named, regulation=regulation, places=places)
            builds.append(ReadBuild(build, lines, shares=True))
        return builds

    def _common(self, rows: Sequence[Row], column: str) -> tuple[str, SourceLocation]:
        """Return what the rows of a build say in a column; they may be silent but not disagree."""
        words = dict.fromkeys(row[column] for row in rows if row[column])
        if not words:
            return "", rows[0].where
        first = next(row for row in rows if row[column])
        for row in rows if len(words) > 1 else ():
            if row[column] not in ("", first[column]):
                self.reading.fault(
                    row.at(column),
                    "SRC-VALUE",
                    "found-line-says",
                    column=column,
                    line=first.where.line,
                    found=described(row[column]),
                    found2=described(first[column]),
                )
        return UNREADABLE if len(words) > 1 else first[column], first.at(column)

    def _build_of_rows(self, name: str, rows: Sequence[Row]) -> Build:
        """Return the construction of the rows that have one name."""
        reading = self.reading
        frame: dict[str, str] = {}
        places = {"frame": rows[0].where}
        for column in name_index(self.game, FRAME_KEY).things:
            value, where = self._common(rows, column)
            reading.refer(OF_A_FRAME + column, value, where)
            if value:
                frame[column] = value
                places["frame"] = where if len(frame) == 1 else places["frame"]
        mounted: dict[str, list[str]] = {}
        for row in rows:
            for column, sort in (("part", "part"), ("card", "card"), ("skill", "card")):
                reading.refer(sort, row[column], row.at(column))
            if not row["card"]:
                if row["copies"] and not (row["pilot"] or row["skill"]):
                    reading.fault(row.at("card"), "SRC-VALUE", "row-no-card")
                continue
            if not row["part"]:
                reading.fault(row.at("part"), "SRC-VALUE", "row-no-part")
                continue
            cards = mounted.setdefault(row["part"], [])
            places.setdefault(row["part"], row.at("part"))
            copies = self.decks.copies(row["copies"] or "1", row.at("copies"), most=MOST_COPIES)
            reading.budget.take("cells", copies)
            for _ in range(copies):
                cards.append(row["card"])
                places[f"{row['part']}.{len(cards)}"] = row.at("card")
        return Build(
            name=name,
            frame=frame,
            mounted={part: tuple(cards) for part, cards in mounted.items()},
            pilots=_pilots(name, rows, places),
            where=rows[0].at("build"),
            places=places,
        )


def _lines_of(rows: Iterable[Row]) -> Iterator[int]:
    """Yield the lines of some rows; a quoted cell may make several of one."""
    for row in rows:
        last = max((place.line for place in row.places.values()), default=row.where.line)
        yield from range(row.where.line, last + 1)


def _pilots(name: str, rows: Iterable[Row], places: dict[str, SourceLocation]) -> tuple[Pilot, ...]:
    """Return who sits in a build of that name; the places of their skills are added."""
    of_pilots = (row for row in rows if row["pilot"] or row["skill"])
    skills = grouped(of_pilots, lambda row: row["pilot"] or name)
    pilots: list[Pilot] = []
    for number, (pilot, of) in enumerate(skills.items(), 1):
        known = [row for row in of if row["skill"]]
        places |= {f"pilots.{number}.{at}": row.at("skill") for at, row in enumerate(known, 1)}
        learnt = tuple(row["skill"] for row in known)
        pilots.append(Pilot(name=pilot, skills=learnt, spot=standing(of[0].at("skill"))))
    return tuple(pilots)


def _with_things(game: Game, rows: Iterable[Row]) -> Iterator[Row]:
    """Yield rows of a table of builds with names as the game has them."""
    sorts = {"part": "part", "card": "card", "skill": "card"}
    sorts |= {key: OF_A_FRAME + key for key in name_index(game, FRAME_KEY).things}

    @cache
    def resolved(column: str, word: str) -> str:
        return resolve_name(game, sorts[column], word) if column in sorts else word

    for row in rows:
        yield replace(row, cells={name: resolved(name, word) for name, word in row.cells.items()})


def _with_names(table: Iterable[Record], names: Names) -> Iterator[Record]:
    """Yield the records of a table, the first with the names of columns for its headings."""
    for number, record in enumerate(table):
        if number:
            yield record
        else:
            found = [(heading, names.matches(heading)) for heading in record[0]]
            yield [one[0] if one else heading for heading, one in found], record[1]


def normalize_keys(reading: LoadContext, table: Any, names: Names) -> Any:
    """Return a mapping whose keys are those that they stand for; whatever else is left as it is.

    Where a key may be several, a mapping under it decides for the one that holds mappings.
    """
    if not isinstance(table, Table):
        return table
    renamed = Table(table.where)
    for key, value in table.items():
        found, where = names.matches(key), table.keys_at[key]
        if len(found) > 1:
            found = [one for one in found if (one in _OF_MAPPINGS) == isinstance(value, Mapping)]
        meaning = found[0] if len(found) == 1 else key
        if meaning in renamed:
            reading.fault(where, "SRC-KEY", "two-spellings", key=key, meaning=meaning)
            continue
        renamed[meaning] = value
        renamed.keys_at[meaning] = where
        renamed.values_at[meaning] = table.values_at[key]
    return renamed


def normalize_build(reading: LoadContext, game: Game, value: Any) -> Any:
    """Return a document of a file of builds with its keys and names as the game has them."""
    value = normalize_keys(reading, value, _ENTRY)
    if not isinstance(value, Table):
        return value
    for key, sort in (("frame", FRAME_KEY), ("mounted", "part")):
        if key in value:
            value[key] = normalize_keys(reading, value[key], name_index(game, sort))
    frame, mounted, decks = (_table(value.get(key)) for key in ("frame", "mounted", "decks"))
    for key, word in frame.items():
        frame[key] = resolve_name(game, OF_A_FRAME + key, word) if isinstance(word, str) else word
    named = [*mounted.values()]
    for key, names in (("pilots", _PILOT), ("waivers", _WAIVER)):
        each = value.get(key)
        if isinstance(each, Items):
            each[:] = [normalize_keys(reading, one, names) for one in each]
            named += [one.get("skills") for one in each if isinstance(one, Table)]
    for cards in named:
        _name_cards(game, cards)
    for cards in (value.get("cards"), *decks.values()):
        _number_copies(reading, _table(cards))
    return value


def _name_cards(game: Game, cards: Any) -> None:
    """Write the cards of a list as the game does."""
    for at, card in enumerate(cards if isinstance(cards, Items) else ()):
        cards[at] = resolve_name(game, "card", card) if isinstance(card, str) else card


def _number_copies(reading: LoadContext, cards: Any) -> None:
    """Write copies as numbers, whether they stand alone or beside what else a deck says of a
    card."""
    for name, one in cards.items():
        cards[name] = normalize_keys(reading, one, _COPIES)
        holder, key = (cards[name], "copies") if isinstance(one, Table) else (cards, name)
        text = holder.get(key)
        count = number_of_copies(text) if isinstance(text, str) else None
        holder.update({} if count is None else {key: str(count)})


def _table(value: Any) -> Any:
    """Return a mapping that a document holds, or an empty one where it holds something else."""
    return value if isinstance(value, Table) else {}
