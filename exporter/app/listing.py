"""What there is: a game's rooms, seats, cards, sheets, rules and samples, as values and text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from exporter.app.games import NameOrPath, Several, folder_of, folders_of, open_folder, stationery
from exporter.core import sum_by_key
from exporter.core.messages import say
from exporter.core.problems import Faults, Problem, nearest
from exporter.faces.icons import icons_like, search_icons
from exporter.loader.print_job_files import read_jobs
from exporter.model import (
    Card,
    Game,
    Name,
)
from exporter.model.print_jobs import SheetJob
from exporter.rules.project import Project
from exporter.rules.report.report_formats import filled_template
from exporter.rules.rulebook import (
    Rulebook,
    everything_in,
    used_rules,
)
from exporter.rules.written_builds import build_text, printed_deck


class Listed(Struct, frozen=True):
    """Games as plain values, those that ``exporter list --format json`` shows, and their faults."""

    games: tuple[dict[str, Any], ...]
    problems: tuple[Problem, ...]


def list_games(games: Several, *, source: NameOrPath | None = None, language: str = "ja") -> Listed:
    """Return what games have: rooms, seats, mechs, boards, sheets, rules and samples, by their ids,
    with their names in a language.

    Raises ``InvalidSource`` for what is no game; of one with faults, what can be read is listed.
    """
    papers, faults = stationery(), Faults()
    listings = []
    for folder in folders_of(games, source):
        with faults.collect():
            project = open_folder(folder)
            faults.problems += project.problems
            jobs = read_jobs(folder, project.game, papers).values()
            listings.append(game_listing(project, jobs, language))
    return Listed(tuple(listings), tuple(faults.problems))


def deck_text(game: NameOrPath, deck: str, *, source: NameOrPath | None = None) -> str:
    """Return a printed deck as the file of a player who brings it. Raises ``InvalidSource``."""
    found = open_folder(folder_of(game, source)).corrected
    return build_text(found, printed_deck(found, deck))


# Certainties of what nobody published.
NOT_PUBLISHED = ("sample", "assumed", "invented")


def _is_sample(card: Card) -> bool:
    """Return whether a card, or a field of it, says of itself that nobody published it."""
    marks = (name for name in card.fields if name.endswith("certainty"))
    return any(card.text(name).endswith(NOT_PUBLISHED) for name in marks)


def sample_facts(game: Game, book: Rulebook) -> dict[str, list[str]]:
    """Return the ids of what is labelled as made up or assumed, by sort; empty sorts are left
    out."""
    found = {
        "cards": [card.id for card in game.cards.values() if _is_sample(card)],
        "mechs": [
            mech.code
            for mech in game.mechs.values()
            if mech.sample
            or any(build.certainty in NOT_PUBLISHED for build in mech.loadouts.values())
        ],
        "boards": [board.id for board in game.boards.values() if board.certainty in NOT_PUBLISHED],
        "rooms": [room.id for room in game.rooms.values() if room.certainty in NOT_PUBLISHED],
        "rules": [rule.id for rule in book.rules.values() if rule.certainty in NOT_PUBLISHED],
    }
    return {sort: ids for sort, ids in found.items() if ids}


def game_listing(
    project: Project, sheets: Iterable[SheetJob] = (), language: str = "ja"
) -> dict[str, Any]:
    """Return a game as plain values, the same for text and JSON; commands know it by its folder's
    name."""
    game, book = project.game, project.book
    label = partial(game.label, language=language)
    looked = used_rules(everything_in(game, book.placements), book.rules.values())
    return {
        "id": game.id,
        "folder": project.folder.resolve().name,
        "name": {"ja": game.name.ja, "en": game.name.en},
        "players": list(game.players),
        "notice": game.notice.en or game.notice.ja,
        "notice_ja": game.notice.ja,
        "cards": dict(Counter(card.kind for card in game.cards.values())),
        "card_names": {
            kind.id: {"ja": kind.name.ja, "en": kind.name.en} for kind in game.kinds.values()
        },
        "boxes": list(game.editions),
        "rooms": [
            {
                "id": room.id,
                "name": label(room.name.ja),
                "players": list(room.players),
                "boards": list(room.boards),
                "seats": [
                    f"{seat.id}={seat.mech}:{seat.variant}" if seat.mech else seat.id
                    for seat in room.numbered_seats
                ],
                "seat_names": {seat.id: label(seat.name) for seat in room.numbered_seats},
            }
            for room in game.rooms.values()
        ],
        "mechs": [
            {
                "code": mech.code,
                "name": mech.name,
                "edition": mech.edition,
                "sample": mech.sample,
                "variants": list(mech.loadouts),
                "unknown": list(mech.unknown),
            }
            for mech in game.mechs.values()
        ],
        "deck_kinds": [
            {
                "id": kind.id,
                "name": label(kind.name.ja),
                "size": list(kind.size) if kind.size else None,
                "beside": kind.beside or None,
            }
            for kind in game.deck_kinds.values()
        ],
        "decks": [
            {
                "deck": deck,
                "brought_as": game.deck_as_brought(deck),
                # By id, where several cards have the name.
                "cards": dict(
                    sum_by_key((game.word(one.card), one.copies) for one in game.deck_cards(deck))
                ),
            }
            for deck in game.printed_decks
        ],
        "boards": [
            {"id": board.id, "name": label(board.name.ja), "joint": board.joint}
            for board in game.boards.values()
        ],
        "rules": {str(standing): count for standing, count in book.counts(looked).items()},
        "samples": sample_facts(game, book),
        "sheets": [
            {"id": job.id, "name": job.name.in_language(language), "lay": job.lay} for job in sheets
        ],
    }


def listing_text(
    listings: Sequence[dict[str, Any]], language: str, *, whole: bool = False, decks: bool = False
) -> str:
    """Return two lines a game, or everything about the ``whole`` of it, or its ``decks``: those
    that players bring, and those that are printed as lists which can be pasted."""
    return filled_template(
        "reports",
        "decks.txt.j2" if decks else "games.txt.j2",
        games=listings,
        whole=whole,
        language=language,
        say=partial(say, "listing", language),
        named=lambda name: Name(**name).in_language(language),
        span=lambda span: span[0] if span[0] == span[1] else f"{span[0]}–{span[1]}",
    )


def icon_lines(word: str, language: str) -> list[str]:
    """Return the names of icons for a word, or the nearest where there are none."""
    return search_icons(word) or [
        say("listing", language, "no-icons", word=word, nearest=nearest(word, icons_like(word)))
    ]
