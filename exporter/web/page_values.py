"""What pages show, as plain values: games, cards, verdicts, problems."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from exporter.app import face_pictures
from exporter.core.problems import (
    Problem,
    SourceLocation,
    errors,
    problem_values,
)
from exporter.faces.card_faces import Face
from exporter.model import (
    Card,
    DeckEntry,
)
from exporter.rules.project import Project
from exporter.rules.report.verdicts import Verdict
from exporter.web.pages import without_options
from exporter.web.sessions import OpenGame


def problems_of(
    problems: Iterable[Problem], project: Project | None, language: str
) -> list[dict[str, Any]]:
    """Problems with their place in words, and their sources by title, in the words of pages."""
    rules = project.book.rules if project is not None else {}
    found = []
    for problem in problems:
        rule, values = rules.get(problem.rule), problem_values(problem, language)
        found.append(
            {
                **values,
                "message": without_options(values["message"], language),
                "hint": without_options(values["hint"], language),
                "place": str(problem.where) if problem.where.file else "",
                "title": rule.title.in_language(language) if rule else "",
                "sources": titles(project, problem.cites),
            }
        )
    return found


def titles(project: Project | None, cites: Iterable[str]) -> list[str]:
    """Sources by their titles, as far as the game has them."""
    sources = project.game.sources if project is not None else {}
    return [sources[cite].title if cite in sources else cite for cite in cites]


def judged_values(verdict: Verdict, project: Project, language: str) -> dict[str, Any]:
    """Whether a build is legal, and what stands against it."""
    told = (*verdict.reasons, *verdict.problems)
    return {"legal": verdict.legal, "problems": problems_of(told, project, language)}


def game_values(opened: OpenGame, language: str) -> dict[str, Any]:
    """A game's head: what the pages about it need to know first."""
    project = opened.readable
    if project is None:
        return {
            "game": opened.name,
            "name": opened.name,
            "stamp": opened.stamp,
            "problems": problems_of(opened.problems, None, language),
        }
    game = project.corrected
    return {
        "game": opened.name,
        "id": game.id,
        "name": game.name.in_language(language),
        "notice": game.notice.in_language(language),
        "players": list(game.players),
        "stamp": opened.stamp,
        "cards": len(game.cards),
        "rooms": len(game.rooms),
        "mechs": len(game.mechs),
        "has": {
            "cards": any(kind.front for kind in game.kinds.values()),
            "rooms": bool(game.rooms),
            "frames": bool(game.frames),
            "decks": bool(game.deck_kinds),
        },
        "wrong": len(errors(opened.problems)),
    }


def head_values(opened: OpenGame, language: str) -> dict[str, Any]:
    """A game's head, and the faces of three of its cards."""
    found = game_values(opened, language)
    if opened.readable is None:
        return {**found, "wrong": len(errors(opened.problems)), "fan": []}
    cards, _problems = face_pictures.card_faces(opened.project)
    fronts = list(dict.fromkeys(card.front for card in cards if card.front is not None))
    sizes = Counter((face.width, face.height) for face in fronts if face.width < face.height)
    if sizes:
        usual = sizes.most_common(1)[0][0]
        fronts = [face for face in fronts if (face.width, face.height) == usual]
    fan = [fronts[len(fronts) * part // 20] for part in (3, 9, 15)] if fronts else []
    return {**found, "fan": [*dict.fromkeys(opened.addresses(fan).values())]}


def _entries(project: Project) -> dict[str, list[DeckEntry]]:
    """The rows of decks that each card has, by its id."""
    found: dict[str, list[DeckEntry]] = defaultdict(list)
    for entry in project.corrected.decks:
        if (card := project.corrected.card(entry.card)) is not None:
            found[card.id].append(entry)
    return found


def _lies(project: Project, entry: DeckEntry) -> str:
    """In which deck, with which mark and how many copies."""
    mech = project.corrected.mechs.get(entry.deck)
    name = mech.name if mech else entry.deck
    return f"{name} {entry.mark} ×{entry.copies}".replace("  ", " ")


def cards_values(opened: OpenGame, language: str) -> dict[str, Any]:
    """All cards with the addresses of their faces; what is wrong stands beside what it concerns."""
    project = opened.project
    game = project.corrected
    cards, unpaintable = face_pictures.card_faces(project)
    sides = (side for card in cards for side in (card.front, card.back) if side is not None)
    keys = opened.addresses(sides)
    painted = [problem for each in opened.painted.values() for problem in each]
    problems = sorted({*opened.problems, *unpaintable, *painted})
    at: dict[tuple[str, int, str], list[int]] = defaultdict(list)
    for number, problem in enumerate(problems):
        at[_row(problem.where)].append(number)
    number_of = {problem: number for number, problem in enumerate(problems)}

    def wrong(card: Card, front: Face | None) -> list[int]:
        faults = opened.painted.get(front, ()) if front is not None else ()
        own = [number_of[problem] for problem in faults]
        return sorted({*at.get(_row(card.where), ()), *own})

    entries = _entries(project)
    return {
        **game_values(opened, language),
        "kinds": [
            {
                "id": kind.id,
                "name": kind.name.in_language(language),
                "fields": {name: label for label, name in kind.detail.items()},
            }
            for kind in game.kinds.values()
        ],
        "decks": list(dict.fromkeys(entry.deck for entry in game.decks)),
        "deck_names": {code: mech.name for code, mech in game.mechs.items()},
        "problems": problems_of(problems, project, language),
        "list": [
            {
                "id": one.card.id,
                "name": one.card.name,
                "kind": one.card.kind,
                "front": keys.get(one.front, "") if one.front else "",
                "back": keys.get(one.back, "") if one.back else "",
                "ratio": one.front.width / one.front.height if one.front else 0.716,
                "fields": {name: text for name in one.card.fields if (text := one.card.text(name))},
                "decks": sorted({entry.deck for entry in entries[one.card.id]}),
                "lies": [_lies(project, entry) for entry in entries[one.card.id]],
                "place": str(one.card.where),
                "wrong": wrong(one.card, one.front),
            }
            for one in cards
        ],
    }


def _row(where: SourceLocation) -> tuple[str, int, str]:
    """The row in which a place is, with its sheet: rows of two sheets have the same numbers."""
    return where.file, where.line, where.cell.partition("!")[0]


def seated_values(project: Project, language: str) -> dict[str, Any]:
    """The printed mechs that can be seated or printed, and the boxes that somebody may own."""
    game = project.corrected
    return {
        "mechs": [
            {
                "code": mech.code,
                "name": mech.name,
                "box": mech.edition,
                "variants": [
                    {"id": name, "name": game.variants[name].name.in_language(language)}
                    for name in mech.loadouts
                ],
            }
            for mech in game.mechs.values()
            if mech.loadouts
        ],
        "boxes": [
            {"id": box.id, "name": box.name.in_language(language), "requires": list(box.requires)}
            for box in game.editions.values()
        ],
        "frames": bool(game.frames),
    }


def regulations_values(project: Project, language: str) -> dict[str, Any]:
    """The regulations under which something can be judged."""
    return {
        "regulations": [
            {"id": one.id, "title": one.title.in_language(language), "default": one.default}
            for one in project.book.regulations
        ]
    }


def made_values(made: Mapping[str, Any], address: Any, language: str) -> dict[str, Any]:
    """Files that were made, with where they are fetched."""
    return {
        "painted": made["painted"],
        "said": [without_options(one.in_language(language), language) for one in made["said"]],
        "problems": problems_of(made["problems"], None, language),
        "files": [
            {
                "name": one["path"].name,
                "address": address(one["path"]),
                "size": one["size"],
                "counts": one["counts"],
                "verified": problems_of(one["verified"], None, language),
            }
            for one in made["files"]
        ],
    }
