"""Players' own builds and decks: YAML documents, tables of many players' cards, plain text, builds
as lines, saved rooms.

Keys, headings and names may be spelled as people type them, and called by their nicknames."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from exporter.core.names import Named, Names, index, is_called, normalized
from exporter.core.problems import (
    UNREADABLE,
    InvalidSource,
    Problem,
    SourceLocation,
    error_at,
    errors,
    near_names,
    nearest,
    problem_at,
)
from exporter.core.reading_limits import PLAYERS, LimitExceeded, ProblemList, ReadingLimits
from exporter.core.source_files import (
    DOCUMENTS,
    MAX_BYTES,
    MAX_PLAYERS,
    SAVED_ROOM,
    TABLES,
    Unreadable,
    decode,
    inside,
    read_bytes,
    too_large,
)
from exporter.loader.consistency import check_frame
from exporter.loader.game_folders import find_game
from exporter.loader.game_reader import check_ambiguous, known_names
from exporter.loader.load_context import LoadContext
from exporter.loader.pasted_lists import (
    cards_called,
    counted_card,
    deck_words,
    first_kind,
    game_of_text,
    pasted_lines,
)
from exporter.loader.tables import Record, Row, rows_of, table_records
from exporter.model import Build, DeckEntry, Field, Game, Pilot, Value
from exporter.model.cell_texts import number_of_copies
from exporter.model.document_places import Items, Table, place, standing
from exporter.model.fields import read_value
from exporter.model.forms import described, fields_of
from exporter.model.game_names import FRAME_KEY, OF_A_FRAME, headings, name_index, resolve_name
from exporter.model.mech import MOST_OF_A_CARD, CardList, Waiver, WrittenSubmission
from exporter.model.rule_records import Case
from exporter.model.tabletop import Room
from exporter.model.yaml_documents import read_documents
from exporter.rooms.saved_benches import benches_of, put_together
from exporter.rooms.saved_benches import game_of as game_of_benches
from exporter.rules.build_codes import CODE, game_of, is_code, other_version, read_line
from exporter.rules.figures import may_lie
from exporter.rules.project import Project

# What a command calls standard input.
INPUT = "-"

# Of a file of builds, and of standard input.
MOST_BYTES = MAX_BYTES[".yaml"]

# Rows of a player's table: 10,000 decks have about 200,000.
MOST_ROWS = 500_000

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
    if errors(problems):
        raise InvalidSource(problems)
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
    own: dict[int | None, list[Problem]] = {}
    for problem in problems:
        own.setdefault(owners.get(problem.where.line), []).append(problem)
    common = own.get(None, [])[:MOST_SHARED]
    for number, one in enumerate(found):
        unread = [*own.get(number, ()), *(common if one.shares else ())]
        yield replace(one.build, unread=tuple(unread))


def _read(reading: LoadContext, path: Path, game: Game) -> list[ReadBuild]:
    file = str(path)
    builds = BuildReader(reading, game)
    found: list[ReadBuild] = []
    try:
        if lines := lines_in(file):
            found = [ReadBuild(builds.of_line(*one), (one[1].line,)) for one in lines]
        elif file.lower().endswith(TABLES):
            found = builds.of_table(_file_records(reading, path), file)
        elif _is_document(text := _text(path), file):
            found = builds.of_documents(text, file)
        else:
            found = builds.of_text(text, file)
    except Unreadable as unreadable:
        reading.problems.append(unreadable.problem)
    except LimitExceeded as spent:
        reading.refuse(SourceLocation(file), "build", spent)
    first = next(iter(reading.problems), None)
    if not found and first is None:
        reading.fault(SourceLocation(file), "SRC-FILE", "no-build-file")
    elif not found and first is not None and first.where.line:  # there is something there
        nameless = replace(_nameless(first.where), frame=_unread_frame(game, ()))
        found = [ReadBuild(nameless, (first.where.line,), shares=True)]
    return found


def _file_records(reading: LoadContext, path: Path) -> Iterable[Record | Problem]:
    """Return the records of a table of any sort. Raises ``Unreadable`` and ``LimitExceeded``."""
    file = str(path)
    data = read_bytes(path, file, MAX_PLAYERS)
    records, flaws = table_records(data, file, reading.budget)
    for flaw in flaws:
        reading.add(flaw.problem)
    return records


@cache
def _read_input() -> bytes:
    """Read what standard input holds, once, or as much of it as shows that it is too large."""
    if sys.stdin is None:  # closed before the program began
        return b""
    stream = getattr(sys.stdin, "buffer", None)
    return sys.stdin.read().encode() if stream is None else bytes(stream.read(MOST_BYTES + 1))


def _text(path: Path) -> str:
    """Return the text of a file, or of standard input. Raises ``Unreadable``."""
    file = str(path)
    data = _read_input() if file == INPUT else read_bytes(path, file, MOST_BYTES)
    if len(data) > MOST_BYTES:
        raise too_large(INPUT, MOST_BYTES)
    return decode(data, file)


def _is_document(text: str, file: str) -> bool:
    """Return whether a text is YAML, by the ending of its file or, without one, by how it looks."""
    if file != INPUT:
        return file.lower().endswith(DOCUMENTS)
    try:
        return any(isinstance(value, Table) for value, _, _ in read_documents(text, file))
    except Unreadable:
        return False


def lines_in(thing: str) -> Sequence[tuple[str, SourceLocation]]:
    """Return the builds as lines that a word is, or that standard input has anywhere, and their
    places.

    Raises ``Unreadable``.
    """
    if is_code(thing):
        return [
            (thing, SourceLocation(thing if len(thing) <= 24 else f"{thing[:16]}…{thing[-3:]}"))
        ]
    text = _text(Path(INPUT)) if thing == INPUT else ""
    return [
        (found[0], SourceLocation(INPUT, number, found.start() + 1))
        for number, line in enumerate(text.splitlines(), 1)
        for found in CODE.finditer(line)
    ]


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
    file, reading = str(path), _context(path)
    if is_saved_room(file):
        yield game_of_benches(_room(file)), SourceLocation(file)
    elif lines := lines_in(file):
        yield from ((game_of(line), where) for line, where in lines)
    elif file.lower().endswith(TABLES):
        records = _with_names(_file_records(reading, path), _GAME)
        table = rows_of(records, file, (), None, MOST_ROWS)
        yield from ((row["game"], row.at("game")) for row in table.rows)
        if not table.complete:
            raise Unreadable(table.problems[-1])
    elif not _is_document(text := _text(path), file):
        yield game_of_text(text), SourceLocation(file, 1, 1)
    else:
        for value, where, _ in read_documents(text, file):
            named = normalize_keys(reading, value, _GAME)
            if isinstance(named, Table):
                game = named.get("game")
                yield game if isinstance(game, str) else "", place(named, ["game"], where)


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
        return [], [problem_at(where, "BENCH", "other-game", said=named, game=game.id)]
    builds, problems = put_together(game, room, path)
    if wanted:
        names = index(Named(bench.title) for bench in benches_of(game, room))
        titles = names.matches(wanted)
        bench = f"{path}#{titles[0]}" if len(titles) == 1 else ""
        builds = [build for build in builds if build.where.file == bench]
        if not bench:
            near = near_names(names, wanted)
            problems.append(problem_at(where, "BENCH", "no-such", name=wanted, nearest=near))
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
    """Reads the builds and decks of one file; ``words`` are what its decks may be called."""

    reading: LoadContext
    game: Game
    words: Mapping[str, str] = {}

    def __post_init__(self) -> None:
        self.words = deck_words(self.game)

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
        made = _Decks("", where)
        for deck, rows in build.decks.items():
            made.add(deck, None, where)
            for row in rows:
                given = {name: (str(text), where) for name, text in row.fields.items()}
                made.add(deck, self.with_values(row, given), where)
        return replace(build, decks=made.decks)

    def of_documents(self, text: str, file: str) -> list[ReadBuild]:
        """Return the builds of YAML, one a document."""
        reading = self.reading
        named: dict[str, SourceLocation] = {}
        found: list[tuple[Build, int]] = []
        try:
            for value, where, problems in read_documents(text, file):
                if value is not None:
                    size = value.size if isinstance(value, Table | Items) else 1
                    reading.budget.take("values", size)
                    reading.problems += problems
                    found.append((self._of_document(value, where, named), where.line))
        except Unreadable as unreadable:
            reading.problems.append(unreadable.problem)
            where = unreadable.problem.where
            found.append((_nameless(where), where.line))
        ends = [start for _, start in found[1:]] + [text.count("\n") + 2]
        each = zip(found, ends, strict=False)
        return [ReadBuild(build, range(start, end)) for (build, start), end in each]

    def _of_document(
        self, value: Any, where: SourceLocation, named: dict[str, SourceLocation]
    ) -> Build:
        reading, game = self.reading, self.game
        table = normalize_build(reading, game, value)
        found = reading.shape(WrittenSubmission, table, where, "build")
        if found is None:
            return _nameless(where)
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
        self._check_game(found.game, found.place("game"))
        name, at = found.name, found.place("name")
        if not name:
            reading.fault(at, "SRC-KEY", "build-no-name")
        elif name != UNREADABLE and name in named:
            words = {"found": described(name), "named": named[name]}
            reading.fault(at, "SRC-ID", "build-stands-already", **words)
        named.setdefault(name, at)
        build = found.build
        decks, places = self._decks_of_document(found)
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
            waivers=found.waivers,
        )

    def _check_game(self, name: str, where: SourceLocation) -> None:
        """Note a problem where somebody's file is for another game."""
        game = self.game
        called = (game.id, game.code or "", game.name.ja, game.name.en)
        if name not in ("", UNREADABLE) and not is_called(name, called):
            words = {"found": described(name), "game": game.id}
            self.reading.fault(where, "SRC-VALUE", "build-game", **words)

    def _picture_beside(self, name: str, where: SourceLocation) -> str:
        """Return the path of a picture beside a build; nothing, and a problem, where it leads
        elsewhere."""
        root = self.reading.root
        path = inside(root, name) if name else None
        if path is not None and path.is_file():
            return str(path)
        if name:
            near = nearest(name, sorted(each.name for each in root.iterdir()))
            self.reading.fault(where, "SRC-FILE", "no-picture-beside", name=name, nearest=near)
        return ""

    def _decks_of_document(
        self, found: WrittenSubmission
    ) -> tuple[dict[str, tuple[DeckEntry, ...]], dict[str, SourceLocation]]:
        """Return the decks of a document, and where they stand."""
        game, made = self.game, _Decks("", found.where)
        parts: list[tuple[str, CardList, tuple[str, ...]]] = []
        if found.cards_of_deck:
            where = found.place("deck") if found.deck else found.place("cards", key=True)
            parts.append((self.deck(found.deck, where), found.cards_of_deck, ("cards",)))
        for typed, each in found.decks.items():
            where = found.place("decks", typed, key=True)
            parts.append((self.deck(typed, where), each, ("decks", typed)))
        if parts and not game.takes_decks:
            where = found.place("cards" if found.cards_of_deck else "decks", key=True)
            self.reading.fault(where, "SRC-KEY", "no-decks-brought", game=game.id)
            return {"": ()}, {}
        keys = set(found.spot.spelled() or {})
        is_deck = not game.parts or bool({"deck", "cards", "decks"} & keys)
        is_mech = found.frame or found.mounted or found.pilots
        if game.takes_decks and is_deck and not (parts or is_mech):
            deck = self.deck(found.deck, found.place("deck")) if found.deck else ""
            made.add(deck or first_kind(game), None, found.place("cards", key=True))
        for deck, cards, path in parts:
            self._add_cards(made, deck, cards, partial(found.place, *path))
        return made.decks, made.places

    def decks_of_case(self, case: Case) -> Build:
        """Return the decks of a case; the cards that it makes up are not looked for."""
        made = _Decks(case.name, case.spot.place())
        for typed, cards in case.decks.items():
            of = partial(case.place, "decks", typed)
            self._add_cards(made, self.deck(typed, of(key=True)), cards, of, case.new_names)
        return made.build()

    def _add_cards(
        self,
        made: _Decks,
        deck: str,
        cards: CardList,
        of: Callable[..., SourceLocation],
        made_up: Collection[str] = (),
    ) -> None:
        """Add the cards of a document's deck, with what it says of each."""
        limits = Field(type="number", least=1, most=MOST_OF_A_CARD)
        at = of(key=True)
        made.add(deck, None, at)
        for typed, given in cards.items():
            copies = self._number(given.get("copies", "1"), limits, of(typed, "copies"), typed)
            where = of(typed, key=True)
            if typed in made_up:
                row: DeckEntry | None = DeckEntry(
                    deck=deck, card=typed, mark="", copies=copies, where=where
                )
            else:
                row = self.entry(deck, typed, copies, where)
                keys = [name for name in given if name != "copies"]
                own = {name: (given[name], of(typed, name, key=True)) for name in keys}
                row = self.with_values(row, own)
            made.add(deck, row, at)

    def _number(self, text: str, limits: Field, where: SourceLocation, name: str) -> int:
        """Return a number of copies; 0, and a problem, where it is unknown."""
        value = read_value(text, limits, where, name)
        if isinstance(value, Problem):
            self.reading.problems.append(value)
        return value if isinstance(value, int) else 0

    def deck(self, typed: str, where: SourceLocation) -> str:
        """Return the kind of deck that somebody names, or the only one there is."""
        if typed == UNREADABLE:
            return typed
        if not typed:
            alone = [kind for kind in self.game.deck_kinds.values() if not kind.beside]
            if len(alone) <= 1:
                return first_kind(self.game)
            names = ", ".join(f"{kind.id} ({kind.name})" for kind in alone)
            self.reading.fault(where, "SRC-KEY", "which-deck", decks=names)
            return UNREADABLE
        found = self.words.get(normalized(typed))
        if found is None:
            known = dict.fromkeys([*self.game.deck_kinds, *(row.deck for row in self.game.decks)])
            name, near = described(typed), nearest(typed, known)
            self.reading.fault(where, "SRC-REF", "no-deck-called", name=name, nearest=near)
        return found or UNREADABLE

    def entry(self, deck: str, typed: str, copies: int, where: SourceLocation) -> DeckEntry | None:
        """Return so many copies of what somebody typed, for a deck; a name that is no card's
        stays."""
        found = cards_called(self.game, typed)
        card = typed
        if not found:
            self.reading.refer("card", typed, where)
        if len(found) > 1:
            found = [one for one in found if may_lie(self.game.kind_of_deck(deck), one)] or found
        if len(found) > 1:
            name, ids = described(typed), ", ".join(one.id for one in found)
            self.reading.fault(where, "SRC-REF", "cards-of-one-name", name=name, cards=ids)
        elif found:
            card = found[0].id
        if typed == UNREADABLE or len(found) > 1 or deck == UNREADABLE or not copies:
            return None
        return DeckEntry(deck=deck, card=card, mark="", copies=copies, where=where)

    def with_values(
        self, row: DeckEntry | None, given: Mapping[str, tuple[str, SourceLocation]]
    ) -> DeckEntry | None:
        """Return a row with its fields in which printed decks differ: one of their values."""
        card = self.game.card(row.card) if row else None
        if row is None or card is None or not given:
            return row
        printed = self.game.printed_values(row.deck, card)
        fields: dict[str, Value] = {}
        for name, (text, where) in given.items():
            if name not in printed:
                near = nearest(name, printed)
                self.reading.fault(where, "SRC-KEY", "no-deck-field", field=name, nearest=near)
                continue
            value = read_value(text, self.game.kinds[card.kind].fields[name], where, name)
            if isinstance(value, Problem):
                self.reading.problems.append(value)
            elif value not in printed[name]:
                words = {"card": card.name, "field": name, "found": text}
                values = " / ".join(map(str, printed[name]))
                self.reading.fault(where, "SRC-VALUE", "not-printed", values=values, **words)
            else:
                fields[name] = value
        return replace(row, fields=fields)

    def of_table(self, table: Iterable[Record | Problem], file: str) -> list[ReadBuild]:
        """Return the builds or decks of a table: rows of one name are one.

        A blank name or game is that of the row above. Further columns of decks are the fields in
        which printed decks may differ.
        """
        reading, game = self.reading, self.game
        frame = name_index(game, FRAME_KEY).things
        every = (*_IN_ROWS, "build", "name", "deck", "part", "pilot", "skill")
        records = [*_with_names(table, headings(every, frame.values()))]
        header = records[0][0] if records and not isinstance(records[0], Problem) else []
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
                self._deck_of_rows(name, rows, own) if is_decks else self._build_of_rows(name, rows)
            )
            if not {owner, *_IN_ROWS, *more}.issuperset(header) and not is_decks:
                # The column that is unknown may be any that is not there.
                words = {**_unread_frame(game, header), **build.frame}
                build = replace(build, frame=words)
            game_name, where = self._common(rows, "game")
            self._check_game(game_name, where)
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
                words = {"column": column, "line": first.where.line}
                words |= {"found": described(row[column]), "found2": described(first[column])}
                self.reading.fault(row.at(column), "SRC-VALUE", "found-line-says", **words)
        return UNREADABLE if len(words) > 1 else first[column], first.at(column)

    def _deck_of_rows(self, name: str, rows: Sequence[Row], own: Sequence[str]) -> Build:
        """Return the deck of the rows that have one name; ``own`` are its further columns."""
        made = _Decks(name, rows[0].at("name"))
        limits = Field(type="number", least=1, most=MOST_OF_A_CARD)
        is_unknown = False  # which deck rows are for that name none
        for row in rows:
            at, typed = row.at("card"), row["deck"]
            if not typed and not self.game.deck_kinds:
                typed = next(iter(made.rows), "")
            if is_unknown and not typed:
                deck = UNREADABLE
            else:
                deck = self.deck(typed, row.at("deck") if typed else at)
                is_unknown = is_unknown or (not typed and deck == UNREADABLE)
            if not row["card"]:
                self.reading.fault(at, "SRC-VALUE", "row-no-card")
                continue
            copies = self._number(row["copies"] or "1", limits, row.at("copies"), "copies")
            entry = self.entry(deck, row["card"], copies, at)
            given = {name: (row[name], row.at(name)) for name in own if row[name]}
            made.add(deck, self.with_values(entry, given), at)
        return made.build()

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
        limits = Field(type="number", least=1, most=MOST_COPIES)
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
            copies = self._number(row["copies"] or "1", limits, row.at("copies"), "copies")
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

    def of_text(self, text: str, file: str) -> list[ReadBuild]:
        """Return the deck of a plain text; without a `name:` it is called as its file."""
        game, reading = self.game, self.reading
        start = SourceLocation(file, 1, 1)
        heads: dict[str, tuple[str, SourceLocation]] = {}
        made = _Decks(Path(file).stem, start)
        base = ""
        several = bool(game.deck_kinds) and not first_kind(game)
        for line in pasted_lines(text, game):
            where = SourceLocation(file, line.line, line.column)
            if line.head is not None:
                heads[line.head[0]] = line.head[1], where
                base = self.deck(line.head[1], where) if line.head[0] == "deck" else base
                continue
            deck = line.deck or base
            if not deck and several and not line.counted and not cards_called(game, line.name):
                deck = base = UNREADABLE  # perhaps the misspelt heading of one of several decks
            elif not deck:
                deck = self.deck("", where)
                base = deck if deck == UNREADABLE else base  # so that it is a problem once
            if 1 <= line.copies <= MOST_OF_A_CARD:
                made.add(deck, self.entry(deck, line.name, line.copies, where), where)
            else:
                words = {"found": line.copies, "most": MOST_OF_A_CARD}
                reading.fault(where, "SRC-VALUE", "copies-of-card", **words)
        made.name, made.where = heads.get("name", (made.name, made.where))
        regulation, made.places["regulation"] = heads.get("regulation", ("", made.where))
        game_name, _ = heads.get("game", ("", start))
        self._check_game(game_name, start)
        if not game.takes_decks:
            reading.fault(start, "SRC-FILE", "no-decks-brought", game=game.id)
        elif not made.rows:
            made.rows[first_kind(game)] = []
        build = replace(made.build(), game=game_name, regulation=regulation)
        return [ReadBuild(build, range(text.count("\n") + 2))]


class _Decks(Struct):
    """The decks of one build as they are read: their rows, and where they stand."""

    name: str
    where: SourceLocation
    rows: dict[str, list[DeckEntry]] = field(default_factory=dict)
    places: dict[str, SourceLocation] = field(default_factory=dict)

    def add(self, deck: str, entry: DeckEntry | None, where: SourceLocation) -> None:
        """Add a row, or that there is one which could not be read."""
        if deck != UNREADABLE:
            self.places.setdefault(f"deck {deck}", where)
            self.rows.setdefault(deck, []).extend([entry] if entry else [])

    @property
    def decks(self) -> dict[str, tuple[DeckEntry, ...]]:
        """Its rows as a build has them."""
        return {deck: tuple(rows) for deck, rows in self.rows.items()}

    def build(self) -> Build:
        """Return them as a construction of nothing else."""
        parts: dict[str, Any] = {"frame": {}, "mounted": {}, "decks": self.decks}
        return Build(name=self.name, where=self.where, places=self.places, **parts)


def _lines_of(rows: Iterable[Row]) -> Iterator[int]:
    """Yield the lines of some rows; a quoted cell may make several of one."""
    for row in rows:
        last = max((place.line for place in row.places.values()), default=row.where.line)
        yield from range(row.where.line, last + 1)


def _pilots(name: str, rows: Iterable[Row], places: dict[str, SourceLocation]) -> tuple[Pilot, ...]:
    """Return who sits in a build of that name; the places of their skills are added."""
    skills: dict[str, list[Row]] = {}
    for row in rows:
        if row["pilot"] or row["skill"]:
            skills.setdefault(row["pilot"] or name, []).append(row)
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


def _with_names(table: Iterable[Record | Problem], names: Names) -> Iterator[Record | Problem]:
    """Yield the records of a table, the first with the names of columns for its headings."""
    for number, record in enumerate(table):
        if number or isinstance(record, Problem):
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
    renamed.size = table.size
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
        if isinstance(cards, Items):
            _name_cards(game, cards)
    for cards in (value.get("cards"), *decks.values()):
        _number_copies(reading, _table(cards))
    return value


def _name_cards(game: Game, cards: Items) -> None:
    """Write the cards of a list as the game does, each as often as it says: ``axe×2``."""
    found: list[tuple[Any, SourceLocation]] = []
    for one, where in zip(cards, cards.values_at, strict=True):
        name, copies = counted_card(one, game) if isinstance(one, str) else (one, 1)
        if isinstance(name, str):
            name = resolve_name(game, "card", name)
        found += [(name, where)] * min(copies, MOST_COPIES)
    cards[:], cards.values_at[:] = [name for name, _ in found], [where for _, where in found]


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
