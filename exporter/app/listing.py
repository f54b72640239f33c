"""What there is: a game's rooms, seats, cards, sheets, rules and samples, as values and text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from exporter.app.games import NameOrPath, Several, folder_of, folders_of, open_folder, stationery
from exporter.core import messages
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

# Rooms of more mechs say how long they load: seconds a mech, each with about 12 pictures of 3
# megapixels together, as measured in a browser.
MANY_MECHS, SECONDS_A_MECH = 9, 0.55


def _players(least: int, most: int) -> int | str:
    return least if least == most else f"{least}–{most}"


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
                "cards": dict(_copies(game, deck)),
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


def _copies(game: Game, deck: str) -> Counter[str]:
    """Return how many cards of each name a printed deck has; by id, where several have the name."""
    counts: Counter[str] = Counter()
    for entry in game.deck_cards(deck):
        counts[game.word(entry.card)] += entry.copies
    return counts


def _lines(listing: dict[str, Any], language: str) -> list[str]:
    say = partial(_said, language)
    names = {
        kind: Name(**name).in_language(language) for kind, name in listing["card_names"].items()
    }
    cards = ", ".join(f"{names[kind]} {count}" for kind, count in listing["cards"].items())
    notice = listing["notice_ja"] if language == "ja" else listing["notice"]
    lines = [f"  {notice}"] if notice else []
    pairs = (("cards", cards), ("boxes", ", ".join(listing["boxes"])))
    lines += [f"  {say(key)}: {text}" for key, text in pairs if text]
    below = {
        "rooms": [line for room in listing["rooms"] for line in _room(room, say)],
        "mechs": [_mech(mech, say) for mech in listing["mechs"]],
        "boards": [_board(board, say) for board in listing["boards"]],
        "sheets": [f"{sheet['id']:<12} {sheet['name']}" for sheet in listing["sheets"]],
    }
    for key, entries in below.items():
        lines += _section(say(key), entries)
    if any(listing["rules"].values()):
        lines.append(f"  {say('rules')}: {_counts(listing['rules'], language)}")
    samples = [f"{sort:<10} {' '.join(ids)}" for sort, ids in listing["samples"].items()]
    return lines + _section(say("samples"), samples)


def _section(title: str, entries: Sequence[str]) -> list[str]:
    return [f"  {title}:", *(f"    {entry}" for entry in entries)] if entries else []


def _room(room: dict[str, Any], say: Callable[..., str]) -> Iterator[str]:
    board = f", {say('boards')} {'+'.join(room['boards'])}" if room["boards"] else ""
    players = say("players", count=_players(*room["players"]))
    named = "" if players == room["name"] else f" · {players}"
    mechs = sum("=" in seat for seat in room["seats"])
    loads = say("loads", seconds=round(mechs * SECONDS_A_MECH)) if mechs > MANY_MECHS else ""
    yield f"{room['id']:<10} {room['name']}{named}{board}{loads}"
    if room["seats"]:
        names = room["seat_names"].values()
        seats = [
            seat if name in seat else say("seat", seat=seat, name=name)
            for seat, name in zip(room["seats"], names, strict=True)
        ]
        yield f"{'':<10} {say('seats')} {' '.join(seats)}"


def _mech(mech: dict[str, Any], say: Callable[..., str]) -> str:
    known = " ".join([*mech["variants"], *([f"({say('sample')})"] if mech["sample"] else [])])
    missing = say("unknown", names=", ".join(mech["unknown"])) if mech["unknown"] else ""
    return f"{mech['code']:<10} {mech['name']} · {known or missing}"


def _board(board: dict[str, Any], say: Callable[..., str]) -> str:
    kind = f" ({say('joint')})" if board["joint"] else ""
    return f"{board['id']:<10} {board['name']}{kind}"


_said = partial(messages.say, "listing")


def _counts(rules: dict[str, int], language: str) -> str:
    return ", ".join(_said(language, standing, count=count) for standing, count in rules.items())


def listing_lines(listings: Sequence[dict[str, Any]], whole: bool, language: str) -> list[str]:
    """Return two lines a game, or everything about it."""
    say = partial(_said, language)
    lines = []
    for listing in listings:
        rooms = ", ".join(room["id"] for room in listing["rooms"]) or say("no-rooms")
        players = say("players", count=_players(*listing["players"]))
        name = Name(**listing["name"]).in_language(language)
        lines.append(f"{listing['folder']}  {name} · {players} · {rooms}")
        if whole:
            lines += _lines(listing, language)
        else:
            sheets = ", ".join(sheet["id"] for sheet in listing["sheets"]) or say("none")
            parts = [f"{say('sheets')} {sheets}"]
            if any(listing["rules"].values()):
                parts.append(f"{say('rules')} {_counts(listing['rules'], language)}")
            samples = sum(len(ids) for ids in listing["samples"].values())
            parts += [say("sample-facts", count=samples)] if samples else []
            lines.append(f"  {' · '.join(parts)}")
    return lines


def decks_lines(listings: Sequence[dict[str, Any]], language: str) -> list[str]:
    """Return the decks that players bring, and those that are printed as lists which can be
    pasted."""
    say = partial(_said, language)
    lines = []
    for listing in listings:
        for kind in listing["deck_kinds"]:
            parts = [f"{kind['id']}  {kind['name']}"]
            parts += [say("deck-size", count=_players(*kind["size"]))] if kind["size"] else []
            parts += [say("beside", name=kind["beside"])] if kind["beside"] else []
            lines.append(" · ".join(parts))
        for deck in listing["decks"]:
            lines += ["", f"// {deck['deck']}", f"game: {listing['id']}"]
            lines += [f"deck: {deck['brought_as']}"] if deck["brought_as"] else []
            lines += [f"{copies} {card}" for card, copies in deck["cards"].items()]
        if not (listing["deck_kinds"] or listing["decks"]):
            lines.append(say("no-decks", name=listing["folder"]))
    return lines


def icon_lines(word: str, language: str) -> list[str]:
    """Return the names of icons for a word, or the nearest where there are none."""
    return search_icons(word) or [
        _said(language, "no-icons", word=word, nearest=nearest(word, icons_like(word)))
    ]
