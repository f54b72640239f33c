"""A new game begun: its folder of files, and the schemas by which editors help."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from exporter.app.arguments import (
    Named,
    folder_of,
)
from exporter.core.messages import Translated

MAX_SEATS = 12
"""Seats for which the starter has places and colours; more are added by hand."""
PLAYERS = (2, 4)
"""How many play a new game of which nothing is said."""

MOST_WORDS = 12
"""Different words of a field that a spreadsheet offers."""

BOARDS = ("square", "hex", "graph", "ring", "track", "none")


class Begun(Struct, frozen=True):
    """A new game: its folder, the files in it by their paths there, the folder of the schemas.

    ``said`` is what was taken for what, where it was made from a table or pictures.
    """

    folder: Path
    files: tuple[str, ...]
    schemas: Path
    said: tuple[Translated, ...] = ()


def new_game(
    name: str,
    out: Named = "source_data",
    *,
    ja: str = "",
    en: str = "",
    players: tuple[int, int] | None = None,
    board: str = "",
    like: Named = "",
    table: str = "csv",
    language: str = "en",
    source: Named | None = None,
) -> Begun:
    """Write ``out/<name>``, a small game or a copy of the one it is ``like``, and JSON Schemas.

    ``players`` are the least and the most that play, by default 2 to 4 or those of the game it is
    like; ``board`` is a word of ``BOARDS``; with the ``table`` ``xlsx`` the starter's cards are a
    spreadsheet whose cells are text. ``language`` is that of comments, ``ja`` or ``en``.
    Raises ``InvalidSource`` where a folder cannot become this game, and ``ValueError`` for players
    and boards that no starter has.
    """
    from exporter.core.shipped_files import shipped
    from exporter.importer import starter
    from exporter.loader import read_game

    _check(players, board, is_like=bool(like))
    folder = Path(out) / name
    home = folder_of(like, source) if like else None
    model = read_game(home) if home else None
    default = model.players if model else PLAYERS
    facts = starter.Facts(name, ja or name, en or name, players or default, board or BOARDS[0])
    starter.check_new(folder, facts)
    files = (
        starter.files_like(model, home, facts)
        if home and model
        else starter.starter_files(shipped("templates") / "new", facts, language)
    )
    if table == "xlsx" and not model:
        files = starter.with_spreadsheets(files)
    starter.write_folder(folder, files)
    schemas = Path(out) / "schemas"
    if not schemas.exists():
        write_schemas(schemas, language=language)
    return Begun(folder, tuple(sorted(files)), schemas)


def check_new_game(name: str, out: Named, *, ja: str = "", en: str = "") -> None:
    """Raises ``InvalidSource`` where ``out/<name>`` cannot become a new game."""
    from exporter.importer import starter

    facts = starter.Facts(name, ja or name, en or name, PLAYERS, BOARDS[0])
    starter.check_new(Path(out) / name, facts)


def new_mech(
    game: Named,
    code: str,
    *,
    edition: str = "",
    language: str = "en",
    source: Named | None = None,
) -> Path:
    """Write ``mechs/<code>.yaml`` into a game's folder, with values to fill in; its path.

    A game of several editions needs to know which its is. ``language`` is that of its comments,
    ``ja`` or ``en``. Raises ``InvalidSource`` for a code that
    is taken or that none can have, and for a game that has no mechs or is not the caller's own.
    """
    from exporter.core.file_writer import write_whole
    from exporter.core.problems import encodable
    from exporter.core.shipped_files import shipped
    from exporter.importer.blank_mech import (
        check_new_mech,
        mech_file,
    )
    from exporter.loader import read_game

    home = folder_of(game, source)
    path = home / "mechs" / f"{code}.yaml"
    ours, here = shipped("source_data").resolve(), Path.cwd()
    is_ours = home.resolve().is_relative_to(ours) and not ours.is_relative_to(here)
    model = read_game(home)
    edition = check_new_mech(model, path, code, edition, is_ours=is_ours)
    template = (shipped("templates") / "new" / "mech.yaml").read_text(encoding="utf-8")
    text = mech_file(template, model, encodable(home.name), code, edition, language)
    write_whole({path: text.encode()})
    return path


def are_players(least: int, most: int, *, is_like: bool = False) -> bool:
    """Whether a new game may be for so many; one that is like another seats them as that does."""
    from exporter.model.spelling import MOST_REPEATED

    return 1 <= least <= most <= (MOST_REPEATED if is_like else MAX_SEATS)


def _check(players: tuple[int, int] | None, board: str, *, is_like: bool) -> None:
    """Raises ``ValueError`` for what no new game has."""
    if is_like and board:
        raise ValueError("A game that is like another has its boards.")
    if board and board not in BOARDS:
        raise ValueError(f"Found the board {board!r}; allowed: {', '.join(BOARDS)}.")
    check_players(players, is_like=is_like)


def check_players(players: tuple[int, int] | None, *, is_like: bool = False) -> None:
    """Raises ``ValueError`` for numbers of players that no new game has."""
    if players and not are_players(*players, is_like=is_like):
        raise ValueError(f"The smaller number comes first; the starter seats {MAX_SEATS} players.")


def write_tables(
    game: Named, folder: Named, *, language: str = "en", source: Named | None = None
) -> tuple[str, ...]:
    """Write an empty spreadsheet for each kind of card of a game, ``folder/<kind>.xlsx``, with
    headings, hints and the words that stand in its fields to choose from; their names.

    ``language`` is that of the hints, ``ja`` or ``en``. Raises ``InvalidSource``.
    """
    from exporter.core.file_writer import write_whole
    from exporter.importer.blank_tables import (
        columns_of,
        workbook,
    )
    from exporter.loader import read_game

    model = read_game(folder_of(game, source))
    files = {}
    for kind in model.kinds.values():
        cards = [card for card in model.cards.values() if card.kind == kind.id]
        words = {}
        for name in kind.fields:
            found = dict.fromkeys(card.text(name) for card in cards if card.text(name))
            words[name] = tuple(found) if 1 < len(found) <= MOST_WORDS else ()
        name = kind.name.in_language(language)
        data = workbook(columns_of(kind, language, words), name=name)
        files[Path(folder) / f"{kind.id}.xlsx"] = data
    write_whole(files)
    return tuple(path.name for path in files)


def write_schemas(
    folder: Named,
    *,
    game: Named | None = None,
    language: str = "en",
    source: Named | None = None,
) -> tuple[str, ...]:
    """Write JSON Schemas of a game's files; their names.

    They offer what any game may have, with the values of every template that is found; of a
    ``game`` also its own styles and names. ``language`` is that of what keys are for, ``ja`` or
    ``en``. Raises ``InvalidSource``.
    """
    from exporter.core.file_writer import write_whole
    from exporter.loader import read_game
    from exporter.loader.editor_names import offered
    from exporter.model.json_schemas import schema_files
    from exporter.rules.kinds import KINDS

    model = None if game is None else read_game(folder_of(game, source))
    found = schema_files(offered(model), KINDS, language)
    write_whole({Path(folder) / name: text.encode() for name, text in found.items()})
    return tuple(found)
