"""The pages of constructing builds and decks: what there is, what the rules say, the chances."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace
from starlette.routing import Route

from exporter.app import face_pictures
from exporter.app.drafts import (
    Draft,
    Line,
    Lines,
    build_of,
    draft_line,
    draft_of,
    draft_text,
    drafts_text,
    read_drafts,
)
from exporter.app.face_pictures import drawn_card_front
from exporter.core import sum_by_key
from exporter.core.problems import InvalidSource
from exporter.model import DeckCard, Figure
from exporter.model.game_names import frame_words
from exporter.rules.figures import may_lie
from exporter.rules.loadouts import built_loadout
from exporter.rules.report.chances import (
    deck_odds,
    drawn_copies,
)
from exporter.rules.report.comparing import compare
from exporter.rules.report.fits import fill_slots, mountable, one_more, skill_cards
from exporter.rules.report.suggesting import (
    step_text,
    suggestions,
)
from exporter.rules.report.verdicts import CheckOptions, judge_build, refuse_unknown_frame
from exporter.web.answers import (
    game_route,
    judged_values,
    named_values,
    problems_of,
    regulations_values,
    seated_values,
    titles,
)
from exporter.web.cards_page import cards_values
from exporter.web.sessions import (
    OpenGame,
    Sessions,
)

# Of a deck whose chances are counted: those of more take numbers of many thousand digits.
MOST_CARDS = 10_000


class BuildRequest(Struct, frozen=True, kw_only=True):
    """A build to judge: under which regulation, with which boxes; ``what`` is a card to mount."""

    draft: Draft
    regulation: Line = ""
    boxes: Lines = ()
    what: Line = ""

    @property
    def options(self) -> CheckOptions:
        """How it is judged."""
        return CheckOptions(regulation=self.regulation, boxes=self.boxes)


class CompareRequest(Struct, frozen=True):
    """Builds side by side."""

    drafts: Annotated[tuple[Draft, ...], Meta(max_length=6)]


class DraftsRequest(Struct, frozen=True):
    """All drafts of a browser."""

    drafts: Annotated[tuple[Draft, ...], Meta(max_length=1000)]


class TextRequest(Struct, frozen=True):
    """A text with builds, the name of the file it is from, and those of pictures beside it."""

    text: Annotated[str, Meta(max_length=250_000)]
    name: Line = "build.yaml"
    beside: Lines = ()


class OddsRequest(Struct, frozen=True, kw_only=True):
    """A deck of a draft, of which ``hand`` cards are drawn first and ``turn`` in each turn.

    What is left out is as the game says.
    """

    draft: Draft
    deck: Line
    hand: Annotated[int, Meta(ge=0, le=999)] | None = None
    turn: Annotated[int, Meta(ge=0, le=999)] | None = None


def routes(sessions: Sessions) -> list[Route]:
    """Give the addresses of what this module does."""
    return [
        game_route(sessions, "parts", build_parts),
        game_route(sessions, "judge", judged, BuildRequest),
        game_route(sessions, "fits", fits, BuildRequest),
        game_route(sessions, "suggest", suggested, BuildRequest),
        game_route(sessions, "fill", filled_up, BuildRequest),
        game_route(sessions, "damage", damage, CompareRequest),
        game_route(sessions, "sheet", sheet, BuildRequest),
        game_route(sessions, "write", written_build, BuildRequest),
        game_route(sessions, "drafts", written_all, DraftsRequest),
        game_route(sessions, "read", read_build, TextRequest),
        game_route(sessions, "pool", pool),
        game_route(sessions, "chances", chances, OddsRequest),
    ]


def build_parts(opened: OpenGame, language: str) -> dict[str, Any]:
    """Give frames, parts, regulations, printed builds and cards of a game."""
    project = opened.project
    game = project.corrected
    cards = {card.id for card in mountable(game, project.book)}
    skills = {card.id for card in skill_cards(game)}
    found = cards_values(opened, language)
    names = {name: one.name.in_language(language) for name, one in game.variants.items()}
    choices = (word for words in frame_words(game).values() for word in words)
    words = [*game.parts, *game.frame.names.values(), *game.frame.key, *choices]
    return {
        **found,
        **regulations_values(project, language),
        "boxes": seated_values(project, language)["boxes"],
        "list": [one for one in found["list"] if one["id"] in cards],
        "skills": [one for one in found["list"] if one["id"] in skills],
        "parts": game.parts,
        "frame_keys": list(game.frames[0].key) if game.frames else [],
        "frame_words": [frame.key for frame in game.frames],
        "frame_options": game.frame.options,
        "frame_names": game.frame.names,
        "labels": {word: game.label(word, language) for word in words},
        "figures": [
            {**named_values(figure, language, "part"), "unit": _unit(figure, language)}
            for figure in game.figures
        ],
        "printed": [
            {
                "code": f"{mech.code}:{variant}",
                "name": (name := f"{mech.name} {names[variant]}"),
                "draft": replace(draft_of(loadout), name=name),
            }
            for mech in game.mechs.values()
            for variant, loadout in mech.loadouts.items()
        ],
    }


def _unit(figure: Figure, language: str) -> str:
    """Give what a figure counts; a Japanese unit stands in Japanese alone, as the English name of
    a figure says it: ``ram cards``."""
    return figure.unit if language == "ja" or figure.unit.isascii() else ""


def judged(opened: OpenGame, asked: BuildRequest, language: str) -> dict[str, Any]:
    """Judge a build: give its problems, and its figures with their terms."""
    project = opened.project
    game = project.corrected
    verdict = judge_build(project, build_of(asked.draft), asked.options)
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
                **named_values(total.figure, language, "part"),
                "unit": _unit(total.figure, language),
                "value": total.value,
                "terms": [
                    {
                        "label": game.label(term.label, language),
                        "value": term.value,
                        "sources": titles(project, term.cites, language),
                    }
                    for term in total.terms
                ],
            }
            for total in totals.values()
        ],
    }


def fits(opened: OpenGame, asked: BuildRequest, language: str) -> dict[str, Any]:
    """Say where a card fits, or all that can be mounted, and why not elsewhere."""
    project = opened.project
    cards = [card.id for card in mountable(project.corrected, project.book)]
    build, chosen = build_of(asked.draft), [asked.what] if asked.what else cards
    found = one_more(project, build, chosen, asked.options)
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


def filled_up(opened: OpenGame, asked: BuildRequest, language: str) -> dict[str, Any]:
    """Give a way to fill the free slots, in the form of a fix."""
    project = opened.project
    build, put = fill_slots(project, build_of(asked.draft), asked.options)
    after = replace(asked.draft, mounted=build.mounted)
    steps = [step_text(project.game, step, language) for step in put]
    return {"legal": True, "ways": [{"changes": steps, "after": after}] if put else []}


def damage(opened: OpenGame, asked: CompareRequest, language: str) -> dict[str, Any]:
    """Give damage by distance of some builds."""
    project, game = opened.project, opened.project.played
    loadouts = [built_loadout(game, build_of(draft)) for draft in asked.drafts]
    found = compare(game, project.book, [draft.name for draft in asked.drafts], loadouts, language)
    cards = game.cards
    lines = [
        {
            "situation": one.situation,
            "sums": one.sums,
            "each": [
                [{"id": card, "name": cards[card].name, "does": does} for card, does in each]
                for each in (build.items() for build in one.each)
            ],
        }
        for one in found.damage
    ]
    return {"names": found.names, "damage": lines}


def suggested(opened: OpenGame, asked: BuildRequest, language: str) -> dict[str, Any]:
    """Give changes that make a build legal, and the build after each."""
    project = opened.project
    (suggestion,) = suggestions(project, [build_of(asked.draft)], asked.options)
    return {
        "legal": suggestion.legal,
        "searched_all": suggestion.mending.searched_all,
        "ways": [
            {
                "changes": [step_text(project.game, change, language) for change in way.changes],
                "after": replace(
                    draft_of(way.build),
                    name=asked.draft.name,
                    mounted={part: cards for part, cards in way.build.mounted.items() if cards},
                    regulation=asked.draft.regulation,
                    waivers=asked.draft.waivers,
                ),
            }
            for way in suggestion.ways
            if way.changes is not None
        ],
    }


def sheet(opened: OpenGame, asked: BuildRequest, _language: str) -> dict[str, Any]:
    """Give the face of a build's sheet, to see it beside; nothing where it cannot be drawn."""
    face = face_pictures.build_sheet(opened.project, asked.draft)
    if face is None:
        return {"front": ""}
    return {"front": opened.addresses([face]).get(face, ""), "ratio": face.width / face.height}


def written_build(opened: OpenGame, asked: BuildRequest, _language: str) -> dict[str, Any]:
    """Give a build as the text of its file, and as a line; none where it is too long for one."""
    try:
        line = draft_line(opened.project, asked.draft)
    except InvalidSource:
        line = ""
    return {"text": draft_text(opened.project, asked.draft), "line": line}


def written_all(opened: OpenGame, asked: DraftsRequest, _language: str) -> dict[str, Any]:
    """Give drafts as the text of one file."""
    return {"text": drafts_text(opened.project, asked.drafts)}


def read_build(opened: OpenGame, asked: TextRequest, language: str) -> dict[str, Any]:
    """Read the builds of a text that was pasted or dropped."""
    project = opened.project
    drafts, problems = read_drafts(project, asked.text, asked.name[-80:], asked.beside)
    return {"drafts": drafts, "problems": problems_of(problems, project, language)}


# -- decks ---------------------------------------------------------------------------------------


def pool(opened: OpenGame, language: str) -> dict[str, Any]:
    """Give the kinds of decks of a game, its cards, and printed decks to begin with."""
    project = opened.project
    game = project.corrected
    lying = {
        kind.id: [card.id for card in game.cards.values() if may_lie(kind, card)]
        for kind in game.deck_kinds.values()
    }
    found = cards_values(opened, language)
    some = {card for cards in lying.values() for card in cards}
    return {
        **found,
        **regulations_values(project, language),
        "boxes": seated_values(project, language)["boxes"],
        "list": [one for one in found["list"] if one["id"] in some],
        "others": {card.id: card.name for card in game.cards.values() if card.id not in some},
        "deck_kinds": [
            {**named_values(kind, language, "size", "beside"), "cards": lying[kind.id]}
            for kind in game.deck_kinds.values()
        ],
        "numbers": list(
            dict.fromkeys(
                name
                for kind in game.kinds.values()
                for name, one in kind.fields.items()
                if one.type == "number" and name != "copies"
            )
        ),
        "draws": bool(game.draws.hand and game.draws.turn),
        "printed": [
            {"code": deck, "name": deck, "draft": Draft(name=deck, decks={kind.id: copies})}
            for kind in game.deck_kinds.values()
            for deck in kind.printed
            for copies in [sum_by_key((row.card.id, row.copies) for row in game.deck_cards(deck))]
        ],
    }


def chances(opened: OpenGame, asked: OddsRequest, _language: str) -> dict[str, Any]:
    """Give each card's chances, to have been seen and to be in hand, by turn.

    Of one of a draft's decks; or, where it is none, of the one that its mech brings. Raises
    ``InvalidSource`` where neither the game nor the page says how many are drawn, and for a frame
    that there is not.
    """
    project, build = opened.project, build_of(asked.draft)
    game, cards = project.corrected, tuple[DeckCard, ...]()
    figures: Mapping[str, int] = {}
    if asked.deck not in build.decks and build.has_parts:
        game = project.played
        refuse_unknown_frame(game, project.book, build)
        loadout = built_loadout(game, build)
        cards, figures = loadout.deck, loadout.figures
    elif sum(asked.draft.decks.get(asked.deck, {}).values()) <= MOST_CARDS:
        found = [(game.brought_card(row), row.copies) for row in build.decks.get(asked.deck, ())]
        cards = tuple(DeckCard(card=card, copies=n) for card, n in found if card is not None)
    drawn = drawn_copies(game, cards)
    if not drawn:
        return {"cards": 0, "odds": [], "pile": []}
    odds = deck_odds(game, build.name, cards, dict(figures), hand=asked.hand, turn=asked.turn)
    fronts = {card: drawn_card_front(project, project.corrected.cards[card]) for card in drawn}
    keys = opened.addresses(face for face in fronts.values() if face is not None)
    return {
        "cards": odds.cards,
        "hand": odds.hand,
        "turn": odds.turn,
        "turns": odds.turns,
        "discards": odds.discards,
        "hands": odds.hands,
        "pile": [
            {
                "id": card,
                "name": project.corrected.cards[card].name,
                "copies": copies,
                "front": keys.get(face, "") if face else "",
                "ratio": face.width / face.height if face else 0.716,
            }
            for card, copies, face in ((card, drawn[card], fronts[card]) for card in drawn)
        ],
        "odds": [
            {
                "name": one.name,
                "copies": one.copies,
                "by_turn": [round(float(one.by_draw[n]), 4) for n in odds.draws],
                "in_hand": [round(float(one.by_draw[n]), 4) for n in odds.hands],
            }
            for one in odds.odds
        ],
    }
