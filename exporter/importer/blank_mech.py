"""The file of a new mech, with values to fill in."""

from __future__ import annotations

import os
import re
from pathlib import Path

from exporter.app.games import (
    NameOrPath,
    folder_of,
)
from exporter.core.file_writer import write_whole
from exporter.core.problems import (
    COMMAND_LINE,
    Faults,
    SourceLocation,
    encodable,
    problem_at,
)
from exporter.core.shipped_files import shipped
from exporter.importer.starter import fill_template
from exporter.loader.game_reader import read_game
from exporter.model import (
    Build,
    Game,
)
from exporter.model.game_names import (
    frame_words,
    resolve_name,
    unknown,
)
from exporter.model.shape import FILE_ID
from exporter.rules.figures import (
    all_figures,
    slots_by_part,
)


def new_mech(
    game: NameOrPath,
    code: str,
    *,
    edition: str = "",
    language: str = "en",
    source: NameOrPath | None = None,
) -> Path:
    """Write ``mechs/<code>.yaml`` into a game's folder, with values to fill in; its path.

    A game of several editions needs to know which its is. ``language`` is that of its comments,
    ``ja`` or ``en``. Raises ``InvalidSource`` for a code that is taken or that none can have, for
    a game that has no mechs or is not the caller's own, and where figures of the game's first
    frame cannot be worked out.
    """
    home = folder_of(game, source)
    path = home / "mechs" / f"{code}.yaml"
    ours, here = shipped("source_data").resolve(), Path.cwd()
    is_ours = home.resolve().is_relative_to(ours) and not ours.is_relative_to(here)
    model = read_game(home)
    edition = check_new_mech(model, path, code, edition, is_ours=is_ours)
    frame = dict(model.frames[0].key) if model.frames else {}
    frame |= {key: words[0] for key, words in model.frame.options.items()}
    bare = Build(name="", frame=frame, mounted={})
    slots = slots_by_part(all_figures(model, bare).totals) if model.frames else {}
    text = fill_template(
        "mech.yaml",
        f"mechs/{code}.yaml",
        language,
        game=encodable(home.name),
        code=code,
        edition=edition,
        editions=[(key, box.name.in_language(language)) for key, box in model.editions.items()],
        frame=", ".join(f"{key}: {word}" for key, word in frame.items()),
        choices=[(key, ", ".join(words)) for key, words in frame_words(model).items()],
        figures=", ".join(f"{one.id}: 0" for one in model.figures if not one.part),
        source=next(iter(model.sources), "source"),
        variants=[(key, one.name.in_language(language)) for key, one in model.variants.items()],
        parts=[(part, slots.get(part)) for part in model.parts],
    )
    write_whole({path: text})
    return path


def check_new_mech(game: Game, path: Path, code: str, edition: str, *, is_ours: bool) -> str:
    """Find the edition of a new mech: the one that is named, or the only one that the game has.

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
        key = "no-code" if code else "no-name"
        faults.problems.append(problem_at(COMMAND_LINE, "NEW", key, code=code[:40]))
    elif os.path.lexists(path) or code.casefold() in map(str.casefold, game.mechs):
        where = SourceLocation(str(path))
        faults.problems.append(problem_at(where, "NEW", "has-mech", game=game.id, code=code))
    if not game.variants:
        faults.problems.append(problem_at(game.where, "NEW", "no-variants", game=game.id))
    if is_ours:
        faults.problems.append(problem_at(COMMAND_LINE, "NEW", "installed", game=game.id))
    faults.stop_if_any()
    return chosen
