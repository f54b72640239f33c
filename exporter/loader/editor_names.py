"""What editors offer: the names and values that files may have, of any game or of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from exporter.core.shipped_files import template_folders
from exporter.faces.style_values import PLAIN_STYLES, declarations
from exporter.loader.print_job_files import read_stationery
from exporter.model import (
    FaceStyle,
    Game,
)
from exporter.model.json_schemas import Known

MOST_OFFERED = 400
"""Names of a sort that an editor offers; of more nobody reads the list."""


def offered(game: Game | None = None, folders: Sequence[Path] | None = None) -> Known:
    """Return what the files of a game may name, or what those of any game may.

    ``folders`` are those of face templates, by default the usual ones. Raises ``InvalidSource``.
    """
    shelf = template_folders("faces") if folders is None else folders
    templates = (
        path.relative_to(folder).as_posix() for folder in shelf for path in folder.rglob("*.typ")
    )
    # What is wrong with a template is a problem of the game that uses it.
    declared, _problems = declarations(sorted(set(templates)), shelf)
    styles: Mapping[str, FaceStyle] = game.faces if game else PLAIN_STYLES
    stationery = read_stationery(template_folders("sheets"))
    names = {"face": styles, "preset": stationery.presets, "paper": stationery.papers}
    return Known(
        takes={name: found.takes for name, found in declared.items()},
        styles={key: style.template for key, style in styles.items()},
        names={
            sort: list(ids)
            for sort, ids in {**names, **(_of_game(game) if game else {})}.items()
            if len(ids) <= MOST_OFFERED
        },
        of_game=game is not None,
    )


def _of_game(game: Game) -> dict[str, Mapping[str, object]]:
    """Return the names of what a game has, by sort."""
    return {
        "kind": game.kinds,
        "kind of deck": game.deck_kinds,
        "layout": game.layouts,
        "note": game.notes,
        "team": game.teams,
        "edition": game.editions,
        "variant": game.variants,
        "board": game.boards,
        "mech": game.mechs,
        "source": game.sources,
        "part": dict.fromkeys(game.parts),
        "figure": {figure.id: figure for figure in game.figures},
        "card": game.cards,
    }
