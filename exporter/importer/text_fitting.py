"""A game from a table tried out: larger cards until every text fits, words for unknown signs."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Mapping, Sequence

from msgspec.structs import replace
from PIL import Image

from exporter.app.games import open_to_make
from exporter.core.cache import cache_folder
from exporter.core.file_writer import live_folder
from exporter.core.problems import (
    COMMAND_LINE,
    error_at,
)
from exporter.core.shipped_files import template_folders
from exporter.faces.card_faces import card_front
from exporter.faces.face_texts import with_readings
from exporter.faces.style_values import (
    MARK,
    is_letter,
)
from exporter.importer.card_kinds import CardKind
from exporter.importer.game_folder import (
    GameParts,
    game_files,
)
from exporter.importer.starter import Facts
from exporter.model import DeckCard
from exporter.render.glyphs import uncovered
from exporter.render.own_pictures import format_of
from exporter.render.painter import check_faces
from exporter.render.pixels import is_drawing
from exporter.render.render_jobs import find_render_jobs

_FEW = 8
"""Letters without a font that marks may stand for; more are a script."""


def fit_texts(parts: GameParts, facts: Facts, language: str) -> GameParts:
    """Choose looks in which every text fits, and marks for what no font has or what is in brackets.

    Raises ``InvalidSource`` where the game cannot be read, and for a script that no font has.
    """
    looks = {kind.id: kind.looks() for kind in parts.kinds}
    kinds = [replace(kind, look=next(looks[kind.id])) for kind in parts.kinds]
    marks = {mark: _in_brackets(mark) for mark in _marks_in(kinds)}
    parts = replace(parts, kinds=tuple(kinds), marks=marks)
    blank = {name: _blank(name) for name in parts.pictures}
    while True:
        files = game_files(facts, replace(parts, pictures=blank), language)
        full, signs = _try_faces(files, facts.id)
        letters = [sign for sign in signs if sign.isalpha()]
        if len(letters) > _FEW:
            some = " ".join(letters[:_FEW])
            raise error_at(COMMAND_LINE, "FROM", "no-letters", count=len(letters), names=some)
        if more := {sign: _name(sign) for sign in signs if sign not in parts.marks}:
            parts = replace(parts, marks={**parts.marks, **more})
            continue
        larger = {key: look for key in full if (look := next(looks[key], None))}
        if not larger:
            return parts
        kinds = [replace(kind, look=larger.get(kind.id, kind.look)) for kind in parts.kinds]
        parts = replace(parts, kinds=tuple(kinds))


def _blank(name: str) -> bytes:
    """Make a picture of nothing to stand for one: where a text stands does not depend on it."""
    if is_drawing(name):
        return b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
    stream = io.BytesIO()
    Image.new("L", (2, 2)).save(stream, format_of(name))
    return stream.getvalue()


def _marks_in(kinds: Sequence[CardKind]) -> list[str]:
    """Find words in brackets in cells: the game is to say how they read."""
    cells = (text for kind in kinds for each in kind.sheet.columns for text in each.values)
    texts = (with_readings(text, ()) for text in cells if "[" in text)
    found = dict.fromkeys(mark for text in texts for mark in MARK.findall(text))
    return [mark for mark in found if not is_letter(mark)]


def _name(sign: str) -> str:
    """Call a sign that no font has by the first word of its name."""
    words = unicodedata.name(sign, "?").lower().split()
    return _in_brackets(words[0])


def _in_brackets(word: str) -> str:
    """Put a word into the brackets of its script: Japanese ones part Latin words too far."""
    return f"({word})" if word.isascii() else f"〔{word}〕"


def _try_faces(files: Mapping[str, bytes], name: str) -> tuple[set[str], str]:
    """Find the kinds with a text that does not fit, or else the signs that no font has.

    Raises ``InvalidSource`` where the game cannot be read.
    """
    with live_folder() as temporary:
        for file, data in files.items():
            path = temporary / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        game = open_to_make(temporary / name).game
        faces = [card_front(game, DeckCard(card=card)) for card in game.cards.values()]
        folders = template_folders("faces")
        jobs = find_render_jobs(faces, folders, temporary / name, cache_folder())
        if signs := uncovered((face.values for face in faces), jobs.covered):
            return set(), signs
        problems = check_faces(jobs, ())
    places = {problem.where for problem in problems if problem.rule == "FACE-OVERFLOW"}
    return {card.kind for card in game.cards.values() if card.where in places}, ""
