"""Constructing: what there is to mount, and what the rules say of a build after each change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from exporter.app import face_pictures
from exporter.app.drafts import (
    Draft,
    compared,
    draft_line,
    draft_of,
    draft_text,
    drafts_text,
    entry_of,
    fill,
    mountable,
    one_more,
    read_drafts,
    skill_cards,
)
from exporter.core.problems import InvalidSource
from exporter.model import Build
from exporter.rules.project import Project
from exporter.rules.report.check_report import judge_build
from exporter.rules.report.suggesting import (
    step_text,
    suggestions,
)
from exporter.rules.report.verdicts import CheckOptions
from exporter.web.page_values import (
    cards_values,
    judged_values,
    problems_of,
    regulations_values,
    seated_values,
    titles,
)
from exporter.web.request_bodies import (
    BuildRequest,
    CompareRequest,
    DraftsRequest,
    TextRequest,
)
from exporter.web.requests import (
    answer,
    body_of,
    language_of,
    worked,
)
from exporter.web.sessions import (
    OpenGame,
    Sessions,
)


def routes(desk: Sessions) -> list[Route]:
    """The addresses of what this module does."""

    def of(work: Callable[[Project, BuildRequest, str], Any]) -> Callable[..., Any]:
        return partial(_asked, desk, work)

    return [
        Route("/api/{game}/parts", partial(parts, desk)),
        Route("/api/{game}/judge", of(judged), methods=["POST"]),
        Route("/api/{game}/fits", of(fits), methods=["POST"]),
        Route("/api/{game}/suggest", of(suggested), methods=["POST"]),
        Route("/api/{game}/fill", of(filled_up), methods=["POST"]),
        Route("/api/{game}/damage", partial(damage, desk), methods=["POST"]),
        Route("/api/{game}/sheet", partial(sheet, desk), methods=["POST"]),
        Route("/api/{game}/write", of(written), methods=["POST"]),
        Route("/api/{game}/drafts", partial(written_all, desk), methods=["POST"]),
        Route("/api/{game}/read", partial(read, desk), methods=["POST"]),
    ]


async def _asked(
    desk: Sessions, work: Callable[[Project, BuildRequest, str], Any], request: Request
) -> Response:
    """The answer to a question about one build."""
    asked, language = await body_of(request, BuildRequest), language_of(request)
    project = await asyncio.to_thread(desk.project, request.path_params["game"])
    try:
        return answer(await worked(work, project, asked, language))
    except InvalidSource as error:
        return answer({"problems": problems_of(error.problems, project, language)}, 422)


def _options(asked: BuildRequest) -> CheckOptions:
    return CheckOptions(regulation=asked.regulation, boxes=asked.boxes)


def parts(desk: Sessions, request: Request) -> Response:
    """Frames, parts, regulations, printed builds and cards of a game."""
    opened = desk.open_game(request.path_params["game"])
    return answer(_parts(opened, language_of(request)))


def _parts(opened: OpenGame, language: str) -> dict[str, Any]:
    project = opened.project
    game = project.corrected
    cards = set(mountable(project))
    skills = set(skill_cards(project))
    found = cards_values(opened, language)
    return {
        **found,
        **regulations_values(project, language),
        "boxes": seated_values(project, language)["boxes"],
        "list": [one for one in found["list"] if one["id"] in cards],
        "skills": [one for one in found["list"] if one["id"] in skills],
        "parts": list(game.parts),
        "frame_keys": list(game.frames[0].key) if game.frames else [],
        "frame_words": [dict(frame.key) for frame in game.frames],
        "frame_options": {key: list(words) for key, words in game.frame.options.items()},
        "frame_names": dict(game.frame.names),
        "figures": [
            {
                "id": figure.id,
                "name": figure.name.in_language(language),
                "unit": figure.unit,
                "part": figure.part,
            }
            for figure in game.figures
        ],
        "printed": [
            {
                "code": f"{mech.code}:{variant}",
                "name": f"{mech.name} {game.variants[variant].name.in_language(language)}",
                "draft": to_builtins(
                    replace(_printed(project, mech.code, variant), name=f"{mech.name} 2")
                ),
            }
            for mech in game.mechs.values()
            for variant in mech.loadouts
        ],
    }


def _printed(project: Project, code: str, variant: str) -> Draft:
    return draft_of(project.corrected.mechs[code].loadouts[variant])


def judged(project: Project, asked: BuildRequest, language: str) -> dict[str, Any]:
    """The verdict on a build: its problems, and its figures with their terms."""
    verdict = judge_build(project, entry_of(asked.draft), _options(asked))
    totals = verdict.totals or {}
    name, _, version = verdict.regulation.partition("@")
    known = project.book.regulations
    title = next((one.title.in_language(language) for one in known if one.id == name), name)
    return {
        **judged_values(verdict, project, language),
        "regulation": f"{title} {version}".strip(),
        "notices": problems_of(verdict.notices, project, language),
        "waived": [
            {**problems_of([problem], project, language)[0], "reason": waiver.reason}
            for problem, waiver in verdict.waived
        ],
        "slots": {total.figure.part: total.value for total in totals.values() if total.figure.part},
        "figures": [
            {
                "id": total.figure.id,
                "name": total.figure.name.in_language(language),
                "unit": total.figure.unit,
                "part": total.figure.part,
                "value": total.value,
                "terms": [
                    {
                        "label": term.label,
                        "value": term.value,
                        "sources": titles(project, term.cites),
                    }
                    for term in total.terms
                ],
            }
            for total in totals.values()
        ],
    }


def fits(project: Project, asked: BuildRequest, language: str) -> dict[str, Any]:
    """For a card, or for all that can be mounted: where it fits, and why not elsewhere."""
    cards = [asked.what] if asked.what else mountable(project)
    found = one_more(project, asked.draft, cards, _options(asked))
    if not asked.what:
        return {
            name: [part for part, fit in places.items() if not fit.against]
            for name, places in found.items()
        }
    return {
        part: {
            "against": problems_of(fit.against[:2], project, language),
            "wants": problems_of(fit.wants[:2], project, language),
        }
        for part, fit in found.get(asked.what, {}).items()
    }


def filled_up(project: Project, asked: BuildRequest, language: str) -> dict[str, Any]:
    """A way to fill the free slots, told as ways to mend are."""
    after, put = fill(project, asked.draft, _options(asked))
    steps = [step_text(project.game, step, language) for step in put]
    return {"legal": True, "ways": [{"changes": steps, "after": to_builtins(after)}] if put else []}


async def damage(desk: Sessions, request: Request) -> Response:
    """Damage by distance of some builds."""
    asked, language = await body_of(request, CompareRequest), language_of(request)
    project = await asyncio.to_thread(desk.project, request.path_params["game"])
    found = await worked(compared, project, asked.drafts, language)
    cards = project.corrected.cards
    lines = [
        {
            "situation": one.situation,
            "sums": [list(row) for row in one.sums],
            "each": [
                [{"id": card, "name": cards[card].name, "does": list(does)} for card, does in each]
                for each in (build.items() for build in one.each)
            ],
        }
        for one in found.damage
    ]
    return answer({"names": list(found.names), "damage": lines})


def suggested(project: Project, asked: BuildRequest, language: str) -> dict[str, Any]:
    """The changes that would make a build legal, and the build after each."""
    entry = entry_of(asked.draft)
    (suggestion,) = suggestions(project.game, project.book, [entry], _options(asked))
    ways = (suggestion.mending, *suggestion.others)
    return {
        "legal": suggestion.legal,
        "searched_all": suggestion.mending.searched_all,
        "clash": list(suggestion.clash),
        "ways": [
            {
                "changes": [step_text(project.game, change, language) for change in way.changes],
                "after": to_builtins(_after(asked.draft, way.build)),
            }
            for way in ways
            if way.changes is not None
        ],
    }


def _after(draft: Draft, build: Build) -> Draft:
    """The draft with what a way to mend it makes of its build."""
    return replace(
        draft_of(build),
        name=draft.name,
        mounted={part: cards for part, cards in build.mounted.items() if cards},
        regulation=draft.regulation,
        waivers=draft.waivers,
    )


async def sheet(desk: Sessions, request: Request) -> Response:
    """The face of a build's sheet, to see it beside; nothing where it cannot be drawn."""
    asked = await body_of(request, BuildRequest)
    opened = await asyncio.to_thread(desk.open_game, request.path_params["game"])
    project = opened.project

    def found() -> dict[str, Any]:
        face = face_pictures.build_sheet(project, asked.draft)
        if face is None:
            return {"front": ""}
        return {"front": opened.addresses([face]).get(face, ""), "ratio": face.width / face.height}

    return answer(await worked(found))


async def written_all(desk: Sessions, request: Request) -> Response:
    """Drafts as the text of one file."""
    asked = await body_of(request, DraftsRequest)
    project = await asyncio.to_thread(desk.project, request.path_params["game"])
    return answer({"text": await worked(drafts_text, project, asked.drafts)})


def written(project: Project, asked: BuildRequest, _language: str) -> dict[str, Any]:
    """A build as the text of its file, and as a line; none where it is too long for one."""
    try:
        line = draft_line(project, asked.draft)
    except InvalidSource:
        line = ""
    return {"text": draft_text(project, asked.draft), "line": line}


async def read(desk: Sessions, request: Request) -> Response:
    """The builds of a text that was pasted or dropped."""
    asked, language = await body_of(request, TextRequest), language_of(request)
    project = await asyncio.to_thread(desk.project, request.path_params["game"])
    text, name = asked.text, asked.name[-80:]
    drafts, problems = await worked(read_drafts, project, text, name, asked.beside)
    return answer(
        {"drafts": to_builtins(drafts), "problems": problems_of(problems, project, language)}
    )
