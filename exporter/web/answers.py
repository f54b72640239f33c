"""What pages are answered about a game: its head, problems, verdicts, files that were made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from exporter.core.problems import (
    InvalidSource,
    Problem,
    errors,
    problem_values,
)
from exporter.rules.project import Project
from exporter.rules.report.verdicts import Verdict
from exporter.web.requests import (
    answer,
    body_of,
    in_thread,
    language_of,
    without_options,
)
from exporter.web.sessions import (
    OpenGame,
    Sessions,
)


def game_route(sessions: Sessions, name: str, work: Callable[..., Any], form: Any = None) -> Route:
    """Give the address of a question about a game.

    ``work`` gets the open game, the body as a ``form``, if there is one, and the language; it
    runs in a thread, and returns a value for JSON or a whole response.
    """

    async def endpoint(request: Request) -> Response:
        asked = [await body_of(request, form)] if form else []
        language = language_of(request)

        def answered() -> Response:
            game = sessions.open_game(request.path_params["game"])
            try:
                found = work(game, *asked, language)
            except InvalidSource as error:
                problems = problems_of(error.problems, game.readable, language)
                return answer({"problems": problems}, 422)
            known = "" if form else request.headers.get("if-none-match", "")
            return found if isinstance(found, Response) else answer(found, known=known)

        return await in_thread(answered)

    return Route(f"/api/{{game}}/{name}", endpoint, methods=["POST" if form else "GET"])


def problems_of(
    problems: Iterable[Problem], project: Project | None, language: str
) -> list[dict[str, Any]]:
    """Give problems with their place in words, and their sources by title, in words of pages."""
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
    """Give sources by their titles, as far as the game has them."""
    sources = project.game.sources if project is not None else {}
    return [sources[cite].title if cite in sources else cite for cite in cites]


def judged_values(verdict: Verdict, project: Project, language: str) -> dict[str, Any]:
    """Say whether a build is legal, and what stands against it."""
    found = (*verdict.reasons, *verdict.problems)
    return {"legal": verdict.legal, "problems": problems_of(found, project, language)}


def game_values(opened: OpenGame, language: str) -> dict[str, Any]:
    """Give a game's head: what the pages about it need to know first."""
    project = opened.readable
    if project is None:
        return {
            "game": opened.name,
            "name": opened.name,
            "stamp": opened.stamp,
            "problems": problems_of(opened.problems, None, language),
            "wrong": len(errors(opened.problems)),
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


def seated_values(project: Project, language: str) -> dict[str, Any]:
    """Give the printed mechs that can be seated or printed, and the boxes somebody may own."""
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
    """Give the regulations under which something can be judged."""
    return {
        "regulations": [
            {"id": one.id, "title": one.title.in_language(language), "default": one.default}
            for one in project.book.regulations
        ]
    }


def made_values(made: Mapping[str, Any], address: Any, language: str) -> dict[str, Any]:
    """Give files that were made, with where they are fetched."""
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
