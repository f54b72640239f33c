"""The file of a new mech, with values to fill in."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from exporter.core.problems import (
    COMMAND_LINE,
    Faults,
    SourceLocation,
    problem_at,
)
from exporter.model import (
    Build,
    Game,
)
from exporter.model.called import (
    resolve_name,
    unknown,
)
from exporter.model.json_schemas import comment
from exporter.model.shape import FILE_ID
from exporter.rules.figures import (
    slots_by_part,
    totals,
)


def mech_file(
    template: str, game: Game, folder: str, code: str, edition: str, language: str
) -> str:
    """A commented file for ``mechs/``, sound as it stands; commands know the game by ``folder``.

    Raises ``InvalidSource`` where figures of the game's first frame cannot be worked out.
    """
    frame = dict(game.frames[0].key) if game.frames else {}
    frame |= {key: words[0] for key, words in game.frame.options.items()}
    slots = _slots(game, frame)
    environment = Environment(
        undefined=StrictUndefined, keep_trailing_newline=True, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(template).render(
        schema=comment("../../schemas", "mech").rstrip("\n"),
        say=lambda ja, en: ja if language == "ja" else en,
        game=folder,
        code=code,
        edition=edition,
        editions=[(key, box.name.in_language(language)) for key, box in game.editions.items()],
        frame=", ".join(f"{key}: {word}" for key, word in frame.items()),
        choices=[(key, ", ".join(words)) for key, words in _choices(game).items()],
        figures=", ".join(f"{one.id}: 0" for one in game.figures if not one.part),
        source=next(iter(game.sources), "source"),
        variants=[(key, one.name.in_language(language)) for key, one in game.variants.items()],
        parts=[(part, slots.get(part)) for part in game.parts],
    )


def _choices(game: Game) -> Mapping[str, list[str]]:
    """The words that may choose a frame, by key."""
    found: dict[str, dict[str, None]] = {}
    for frame in game.frames:
        for key, word in frame.key.items():
            found.setdefault(key, {})[word] = None
    return {key: list(words) for key, words in (found | dict(game.frame.options)).items()}


def _slots(game: Game, frame: Mapping[str, str]) -> Mapping[str, int]:
    if not game.frames:
        return {}
    return slots_by_part(totals(game, Build(name="", frame=frame, mounted={})))


def check_new_mech(game: Game, path: Path, code: str, edition: str, *, is_ours: bool) -> str:
    """The edition of a new mech: the one that is named, or the only one that the game has.

    Raises ``InvalidSource`` where the game can have no mech of this code, has one already, or has
    several editions and none of them is named. ``is_ours`` says that the game's folder is that
    inside the installed program.
    """
    faults = Faults()
    chosen = resolve_name(game, "edition", edition)
    if not edition and len(game.editions) == 1:
        (chosen,) = game.editions
    elif not edition and game.editions:
        first, *_ = names = list(game.editions)
        editions = ", ".join(names)
        faults.problems.append(
            problem_at(COMMAND_LINE, "NEW", "which-edition", editions=editions, first=first)
        )
    elif edition and chosen not in game.editions:
        faults.problems.append(unknown(game, "edition", edition, COMMAND_LINE, "NEW"))
    if not re.fullmatch(FILE_ID, code):
        faults.problems.append(problem_at(COMMAND_LINE, "NEW", "no-code", code=code[:40]))
    elif os.path.lexists(path) or code.casefold() in map(str.casefold, game.mechs):
        where = SourceLocation(str(path))
        faults.problems.append(problem_at(where, "NEW", "has-mech", game=game.id, code=code))
    if not game.variants:
        faults.problems.append(problem_at(game.where, "NEW", "no-variants", game=game.id))
    if is_ours:
        faults.problems.append(problem_at(COMMAND_LINE, "NEW", "installed", game=game.id))
    faults.stop_if_any()
    return chosen
