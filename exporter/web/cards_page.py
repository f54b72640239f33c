"""The page of cards: their faces, what is wrong with them, and their rows in one's own editor."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import click
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from exporter.app import face_pictures
from exporter.core.problems import SourceLocation
from exporter.model import DeckEntry
from exporter.rules.project import Project
from exporter.web.answers import (
    game_route,
    game_values,
    named_values,
    problems_of,
)
from exporter.web.requests import (
    RefusedRequest,
    answer,
    language_of,
)
from exporter.web.sessions import (
    OpenGame,
    Sessions,
)

# What an editor is opened for: no system runs a file with such a name.
DATA = (".csv", ".tsv", ".yaml", ".xlsx", ".ods", ".typ", ".png", ".jpg", ".webp")

# Editors that go to a line by ``--goto FILE:LINE``.
EDITORS = ("code", "codium", "cursor")


def routes(sessions: Sessions) -> list[Route]:
    """Give the addresses of what this module does."""
    return [
        game_route(sessions, "head", head_values),
        game_route(sessions, "cards", cards_values),
        Route("/api/{game}/card/{card:path}", partial(card, sessions)),
        game_route(sessions, "open", open_place, FilePlace),
    ]


def head_values(opened: OpenGame, language: str) -> dict[str, Any]:
    """Give a game's head, and the faces of three of its cards."""
    found = game_values(opened, language)
    if opened.readable is None:
        return {**found, "fan": []}
    cards, _problems = face_pictures.card_faces(opened.project)
    fronts = list(dict.fromkeys(card.front for card in cards if card.front is not None))
    fronts = [face for face in fronts if face.width < face.height] or fronts
    fan = [fronts[len(fronts) * part // 20] for part in (3, 9, 15)] if fronts else []
    return {**found, "fan": [*dict.fromkeys(opened.addresses(fan, quickly=True).values())]}


def cards_values(opened: OpenGame, language: str) -> dict[str, Any]:
    """Give all cards with the addresses of their faces; what is wrong, beside what it concerns."""
    project = opened.project
    game = project.corrected
    cards, unpaintable = face_pictures.card_faces(project)
    keys = opened.addresses(side for one in cards for side in (one.front, one.back) if side)
    sized = {face: opened.faces[key] for face, key in keys.items()}  # as they are painted
    painted = dict(opened.painted)  # more are painted meanwhile
    wrong = [problem for each in painted.values() for problem in each]
    problems = sorted({*opened.problems, *unpaintable, *wrong})
    at: dict[object, set[int]] = defaultdict(set)
    for number, problem in enumerate(problems):
        at[_row(problem.where)].add(number)
        for face, faults in painted.items():
            at[face] |= {number} if problem in faults else set()
    entries: dict[str, list[DeckEntry]] = defaultdict(list)
    for entry in game.decks:
        if (its := game.card(entry.card)) is not None:
            entries[its.id].append(entry)
    return {
        **game_values(opened, language),
        "kinds": [
            {
                **named_values(kind, language),
                "fields": {name: game.label(one, language) for one, name in kind.detail.items()},
            }
            for kind in game.kinds.values()
        ],
        "decks": list(game.printed_decks),
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
                "fields": {
                    name: game.label(text, language)
                    for name in one.card.fields
                    if (text := one.card.text(name))
                },
                "decks": sorted({entry.deck for entry in entries[one.card.id]}),
                "lies": [_lies(project, entry) for entry in entries[one.card.id]],
                "place": str(one.card.where),
                "wrong": sorted(
                    at[_row(one.card.where)] | at[sized.get(one.front) if one.front else None]
                ),
            }
            for one in cards
        ],
    }


def _lies(project: Project, entry: DeckEntry) -> str:
    """Say in which deck, with which mark and how many copies."""
    mech = project.corrected.mechs.get(entry.deck)
    name = mech.name if mech else entry.deck
    return f"{name} {entry.mark} ×{entry.copies}".replace("  ", " ")


def _row(where: SourceLocation) -> tuple[str, int, str]:
    """Return the row of a place, with its sheet: rows of two sheets have the same numbers."""
    return where.file, where.line, where.cell.partition("!")[0]


def card(sessions: Sessions, request: Request) -> Response:
    """Say what there is to say of one card."""
    from exporter.rules.report.explanations import GameTexts, explain

    project = sessions.project(request.path_params["game"])
    thing, language = request.path_params["card"], language_of(request)
    return answer(explain(GameTexts(project, language), thing))


class FilePlace(Struct, frozen=True):
    """A place in a file, as problems tell it."""

    file: Annotated[str, Meta(max_length=1000)]
    line: Annotated[int, Meta(ge=0)] = 0


def open_place(opened: OpenGame, place: FilePlace, _language: str) -> dict[str, bool]:
    """Open a file of a game: in an editor that goes to the line, or as the system does."""
    root = opened.project.folder.resolve()
    with contextlib.suppress(OSError, ValueError):  # no file can be called so
        for path in (Path(place.file).resolve(), (root / place.file).resolve()):
            if path.is_relative_to(root) and path.is_file() and path.suffix.lower() in DATA:
                return {"opened": _opened(path, place.line)}
    raise RefusedRequest(404, "no-data")


def _opened(path: Path, line: int) -> bool:
    for name in EDITORS:
        if program := shutil.which(name):
            subprocess.Popen([program, "--goto", f"{path}:{max(1, line)}"])
            return True
    return click.launch(str(path)) == 0
