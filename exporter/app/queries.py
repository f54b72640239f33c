"""Questions about games, builds and zips, and their answers as values."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from exporter.app.arguments import (
    Named,
    Several,
    day,
    folder_of,
    folders_of,
    names,
    path_of,
    stationery,
)
from exporter.core.messages import LANGUAGES
from exporter.core.problems import (
    Faults,
    InvalidSource,
    Problem,
    errors,
)

if TYPE_CHECKING:
    from exporter.app.dry_run import DryRun
    from exporter.app.project import Opened
    from exporter.model import Game
    from exporter.model.player_builds import Submission
    from exporter.rules.report.check_report import Report
    from exporter.rules.report.explanations import Explanation
    from exporter.rules.report.suggesting import Suggestion
    from exporter.rules.report.verdicts import Wish


class Checked(Struct, frozen=True):
    """A check of games and builds: a report a game, what planning met, and every problem once.

    The ``problems`` are sorted, with warnings and notices among them.
    """

    reports: tuple[Report, ...]
    rehearsals: tuple[DryRun, ...]
    problems: tuple[Problem, ...]
    submitted: tuple[tuple[Game, Submission], ...] = ()

    @property
    def passed(self) -> bool:
        """Whether there is no error; what could not be judged is one."""
        return not errors(self.problems)

    @property
    def texts(self) -> tuple[str, ...]:
        """The builds that could be read whole, each as a document of a file of builds."""
        from exporter.rules.written_builds import entry_text

        return tuple(entry_text(game, one) for game, one in self.submitted if not one.unread)


class Suggested(Struct, frozen=True):
    """A suggestion for each build that could be read, and what is wrong with the files."""

    suggestions: tuple[Suggestion, ...]
    problems: tuple[Problem, ...]

    @property
    def all_legal(self) -> bool:
        """Whether every build is legal, or would be once its suggestion is followed."""
        return not self.problems and all(one.legal for one in self.suggestions)


class Listed(Struct, frozen=True):
    """Games as plain values, those that ``exporter list --format json`` shows, and their faults."""

    games: tuple[dict[str, Any], ...]
    problems: tuple[Problem, ...]


def find_games(source: Named | None = None) -> list[Path]:
    """The folders of all games that are found, in the order of their names."""
    from exporter.loader.game_folders import chosen_games

    return chosen_games((), path_of(source))


def open_game(game: Named, *, source: Named | None = None) -> Opened:
    """A game with its rules and cases, as printed: ``game`` holds its cards, ``book`` its rules.

    Raises ``InvalidSource`` with every fault of every file.
    """
    from exporter.app import project as opened

    found = opened.open_game(folder_of(game, source), with_cases=True)
    if found.problems:
        raise InvalidSource(found.problems)
    return found


def list_games(games: Several, *, source: Named | None = None) -> Listed:
    """What games have: rooms, seats, mechs, boards, sheets, rules and samples, by their ids.

    Raises ``InvalidSource`` for what is no game; of one with faults, what can be read is listed.
    """
    from exporter.app.listing import game_listing
    from exporter.app.project import open_game
    from exporter.loader.print_job_files import read_jobs

    papers = stationery()
    faults = Faults()
    listings = []
    for folder in folders_of(games, source):
        with faults.gathered():
            opened = open_game(folder)
            faults.problems += opened.problems
            jobs = read_jobs(folder, opened.game, papers).values()
            name = folder.resolve().name
            listings.append(game_listing(opened.game, name, jobs, opened.book))
    return Listed(tuple(listings), tuple(faults.problems))


def deck_text(game: Named, deck: str, *, source: Named | None = None) -> str:
    """A printed deck as the file of a player who brings it. Raises ``InvalidSource``."""
    from exporter.app.project import open_game
    from exporter.rules.errata import corrected
    from exporter.rules.written_builds import (
        entry_text,
        printed_deck,
    )

    found = corrected(open_game(folder_of(game, source)).game)
    return entry_text(found, printed_deck(found, deck))


def check(
    things: Several,
    wish: Wish | None = None,
    *,
    source: Named | None = None,
    with_cases: bool = False,
    looks: bool = False,
    together: bool = False,
) -> Checked:
    """Hold games and players' builds against the rules, and plan all rooms and sheets.

    A thing is a game, or the path of a file of builds, ``.yaml`` or ``.csv``. With cases, what the
    games' own examples claim is tried; with ``looks``, what on paper is hard to read is told too;
    ``together``, that the boxes owned lack cards for all these builds at one table.
    Nothing is raised for faults of data or wishes: they are ``problems`` of the value.
    """
    from exporter.app.dry_run import with_rehearsal
    from exporter.app.lookups import asked
    from exporter.app.make_files import Gathered
    from exporter.app.print_files import usual_workroom
    from exporter.app.project import check as judged
    from exporter.rules.report.one_table import (
        loadouts_of,
        missing_cards,
    )

    wish = _wish(wish)
    found = asked(names(things), path_of(source), with_cases=with_cases)
    papers, room = stationery(), usual_workroom()
    faults = Faults()
    faults.problems += found.problems
    reports: list[Report] = []
    rehearsals: list[DryRun] = []
    submitted: list[tuple[Game, Submission]] = []
    for folder, game in found.games.items():
        entries, wrong = found.entries(folder)
        faults.problems += (*game.problems, *wrong)
        submitted += [(game.game, entry) for entry in entries]
        whole = folder in found.whole
        with faults.gathered():
            asked_for = of_boxes(game.game, wish)
            report = judged(game, entries, asked_for, own_data=whole, with_cases=with_cases)
            if game.sound:
                of_game = Gathered(folder, game.game)
                report, more = with_rehearsal(
                    report, of_game, papers, room, whole=whole, looks=looks
                )
                rehearsals += more
            reports.append(report)
            faults.problems += report.all_problems
            if together and game.sound:
                loadouts = loadouts_of(game.game, [entry.build for entry in entries])
                faults.problems += missing_cards(game.game, game.book, loadouts, asked_for.boxes)
    problems = tuple(sorted(set(faults.problems)))
    return Checked(tuple(reports), tuple(rehearsals), problems, tuple(submitted))


def explain(
    thing: Named,
    figure: str = "",
    *,
    given: Mapping[str, str] | None = None,
    game: Named = "",
    source: Named | None = None,
    language: str = "ja",
) -> tuple[Explanation, ...]:
    """Say why: a rule, card, mech, figure, erratum, ruling or regulation, or each build of a file.

    What is ``given`` is a situation, such as ``{"枚数": "3"}``, for a rule of play to say what
    comes of it. With a ``figure``, its terms for a mech or a build; for a card, its damage by
    distance. Where no ``game`` is named, it is looked for in all. Raises ``InvalidSource`` for
    what is nowhere, or in several games. ``language`` is ``ja`` or ``en``.
    """
    from exporter.app.lookups import explained

    _check_language(language)
    return explained(
        os.fspath(thing), figure, os.fspath(game), path_of(source), language, given or {}
    )


def suggest(things: Several, wish: Wish | None = None, *, source: Named | None = None) -> Suggested:
    """Find the smallest changes that make each build legal, moves before removals.

    A thing is a file of builds, or the game of those files that name none. Raises ``InvalidSource``
    for faults of games and wishes; those of files are ``problems`` of the value.
    """
    from exporter.app.lookups import asked
    from exporter.rules.report.suggesting import suggestions

    wish = _wish(wish)
    found = asked(names(things), path_of(source))
    faults = Faults()
    faults.problems += found.problems
    for game in found.games.values():
        faults.problems += game.problems
    faults.stop_if_any()
    suggested: list[Suggestion] = []
    problems: list[Problem] = []
    for folder, game in found.games.items():
        entries, wrong = found.entries(folder)
        problems += wrong
        with faults.gathered():
            asked_for = of_boxes(game.game, wish)
            suggested += suggestions(game.game, game.book, entries, asked_for)
    faults.stop_if_any()
    return Suggested(tuple(suggested), tuple(sorted(problems)))


def verify(zip: bytes | Named, name: str = "") -> tuple[Problem, ...]:
    """What Udonarium would drop, hide or stumble over in a room zip, by whomever, sorted by place.

    Places are ``name/entry:line:column``; ``name`` is the path unless given. Nothing is raised for
    what the zip holds.
    """
    from exporter.udonarium.verify import verify_zip

    return verify_zip(zip if isinstance(zip, bytes) else Path(zip), name)


def _wish(wish: Wish | None) -> Wish:
    """A wish whose day is one. Raises ``ValueError``."""
    from exporter.rules.report.verdicts import Wish

    wish = wish or Wish()
    return replace(wish, on=day(wish.on))


def _check_language(language: str) -> None:
    if language not in LANGUAGES:
        raise ValueError(f"Found the language {language!r}; allowed: {LANGUAGES}.")


def of_boxes(game: Game, wish: Wish | None) -> Wish:
    """A wish whose day is one, with the boxes as the game writes them. Raises ``ValueError``.

    Raises ``InvalidSource`` for boxes that are unknown, or need others.
    """
    from exporter.model.called import resolve_name
    from exporter.rooms.room_orders import owned_editions

    wish = _wish(wish)
    owned_editions(game, wish.boxes)
    return replace(wish, boxes=tuple(resolve_name(game, "edition", box) for box in wish.boxes))
