"""A new game's folder, from the starter files of templates/new or like another game; the file of
a new mech."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from msgspec import Struct

from exporter.app.games import (
    NameOrPath,
    folder_of,
)
from exporter.core.file_writer import write_whole
from exporter.core.messages import Translated
from exporter.core.problems import (
    COMMAND_LINE,
    Faults,
    SourceLocation,
    as_written,
    each_of,
    encodable,
    problem_at,
)
from exporter.core.shipped_files import shipped
from exporter.core.source_files import (
    TABLES,
    decode,
    label,
    read_bytes,
)
from exporter.importer import (
    BOARDS,
    COLOURS,
    MAX_SEATS,
    PLAYERS,
)
from exporter.loader.game_reader import read_game
from exporter.loader.picture_files import PICTURE_TYPES
from exporter.model import Build, Game
from exporter.model.game_names import frame_words, resolve_name, unknown
from exporter.model.json_schemas import comment, schema_files
from exporter.model.shape import FILE_ID, MOST_REPEATED
from exporter.render.own_pictures import MAX_BYTES
from exporter.rules.figures import all_figures, slots_by_part
from exporter.rules.kinds import KINDS

_MOST_CARDS = 5
_DECK = 20
_COPIED = (".yaml", *TABLES, *PICTURE_TYPES)


class NewGame(Struct, frozen=True):
    """A new game: its folder, the files in it by their paths there, the folder of the schemas.

    Where it was made from a table or pictures, ``report`` tells what was taken for what.
    """

    folder: Path
    files: tuple[str, ...]
    schemas: Path
    report: tuple[Translated, ...] = ()


class Facts(Struct, frozen=True):
    """What is known of a new game: its id, its names, how many play, and on what."""

    id: str
    ja: str
    en: str
    players: tuple[int, int]
    board: str = BOARDS[0]
    in_ja: bool = True


def new_game(
    name: str,
    out: NameOrPath = "source_data",
    *,
    ja: str = "",
    en: str = "",
    players: tuple[int, int] | None = None,
    board: str = "",
    like: NameOrPath = "",
    language: str = "en",
    source: NameOrPath | None = None,
) -> NewGame:
    """Write ``out/<name>``, a small game or a copy of the one it is ``like``, and JSON Schemas.

    ``players`` are the least and the most that play, by default 2 to 4 or those of the game it is
    like; ``board`` is a word of ``BOARDS``. ``language`` is that of comments, ``ja`` or ``en``.
    Raises ``InvalidSource`` where a folder cannot become this game, and ``ValueError`` for players
    and boards that no starter has.
    """
    if like and board:
        raise ValueError("A game that is like another has its boards.")
    if board and board not in BOARDS:
        raise ValueError(f"Found the board {board!r}; allowed: {', '.join(BOARDS)}.")
    check_player_range(players, is_like=bool(like))
    folder = Path(out) / name
    home = folder_of(like, source) if like else None
    model = read_game(home) if home else None
    default = model.players if model else PLAYERS
    facts = Facts(name, ja or name, en or name, players or default, board or BOARDS[0])
    check_new(folder, name, (facts.ja, facts.en))
    files = files_like(model, home, facts) if home and model else starter_files(facts, language)
    return write_game(folder, files, language)


def write_game(
    folder: Path, files: Mapping[str, bytes], language: str, report: Sequence[Translated] = ()
) -> NewGame:
    """Write a new game's folder; without a ``report`` it is to be written on by hand, and schemas
    for editors are written beside it where there are none.

    Raises ``InvalidSource``.
    """
    write_whole({folder / name: data for name, data in files.items()})
    schemas = folder.parent / "schemas"
    if not report and not schemas.exists():
        write_schemas(schemas, language=language)
    return NewGame(folder, tuple(sorted(files)), schemas, tuple(report))


def check_player_range(players: tuple[int, int] | None, *, is_like: bool = False) -> None:
    """Raise ``ValueError`` for numbers of players that no new game has.

    A game that is like another seats as many as that may.
    """
    most = MOST_REPEATED if is_like else MAX_SEATS
    if players and not 1 <= players[0] <= players[1] <= most:
        raise ValueError(f"The smaller number comes first; the starter seats {MAX_SEATS} players.")


def check_new(folder: Path, name: str, titles: Sequence[str]) -> None:
    """Raise ``InvalidSource`` where a folder cannot become a new game of this id and titles."""
    faults = Faults()
    if not re.fullmatch(FILE_ID, name):
        key = "cannot-name-game" if name else "no-name"
        faults.problems.append(problem_at(COMMAND_LINE, "NEW", key, facts=name[:40]))
    elif os.path.lexists(folder):
        faults.problems.append(
            problem_at(SourceLocation(str(folder)), "NEW", "something-name-already")
        )
    faults.problems += [
        problem_at(COMMAND_LINE, "NEW", "cannot-name-game-2", name=title[:40])
        for title in titles
        if len(title) > 200 or not title.isprintable()
    ]
    faults.stop_if_any()


def write_schemas(
    folder: NameOrPath,
    *,
    language: str = "en",
) -> tuple[str, ...]:
    """Write JSON Schemas of a game's files; their names.

    ``language`` is that of what keys are for, ``ja`` or ``en``. Raises ``InvalidSource``.
    """
    found = schema_files(KINDS, language)
    write_whole({Path(folder) / name: text.encode() for name, text in found.items()})
    return tuple(found)


def starter_files(facts: Facts, language: str) -> dict[str, bytes]:
    """Fill in the files of a small game, by their paths in its folder."""
    folder = shipped("templates") / "new" / "game"
    names = [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*.*"))]
    templates = {name: f"game/{name}" for name in names}
    if facts.board == "none":
        del templates["sheets/boards.yaml"]
    else:
        templates["boards/board.yaml"] = f"boards/{facts.board}.yaml"
    values = fact_values(facts)
    return {name: fill_template(templates[name], name, language, **values) for name in templates}


def fact_values(facts: Facts) -> dict[str, Any]:
    """Give what templates say of a game: texts are quoted as YAML and JSON both read them.

    There is a seat for every player, and a room for every number of players.
    """
    least, most = facts.players

    def word(en: str, ja: str) -> str:
        return ja if facts.in_ja else en

    called = word("Player {}", "{}番")
    seats = [
        {"id": f"p{number}", "name": called.format(number), "colour": COLOURS[number - 1]}
        for number in range(1, most + 1)
    ]
    rooms = []
    for count in range(least, most + 1):
        names = [f"p{number}" for number in range(1, count + 1)]
        left, right = ", ".join(names[::2]), ", ".join(names[1::2])
        cards = min(_MOST_CARDS, _DECK // count)
        rooms.append({"players": count, "cards": cards, "left": left, "right": right})
    return {
        "id": facts.id,
        "ja": json.dumps(facts.ja, ensure_ascii=False),
        "en": json.dumps(facts.en, ensure_ascii=False),
        "least": least,
        "most": most,
        "board": facts.board,
        "word": word,
        "seats": seats,
        "rooms": rooms,
    }


def files_like(game: Game, folder: Path, facts: Facts) -> dict[str, bytes]:
    """Copy another game's files under a new id and names, all else as it is.

    Raises ``InvalidSource`` where some cannot be read.
    """
    root, names = folder.resolve(), []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        hidden = any(part.startswith(".") for part in name.split("/"))
        inside = path.resolve().is_relative_to(root)
        if path.suffix.lower() in _COPIED and not hidden and inside and path.is_file():
            names.append(name)
    data = each_of(lambda name: read_bytes(folder / name, label(folder, name), MAX_BYTES), names)
    files = dict(zip(names, data, strict=True))
    head = decode(files["game.yaml"], "game.yaml")
    head = with_value(head, facts.id, "id")
    head = with_value(head, {"ja": facts.ja, "en": facts.en}, "name")
    if facts.players != game.players:
        head = with_value(head, facts.players, "players")
    files["game.yaml"] = head.encode()
    return files


def with_value(text: str, value: object, *keys: str) -> str:
    """Change what stands at keys within keys of a text of YAML; comments and all else stay."""
    node = node_at(text, *keys)
    end = len(text[: _end(node)].rstrip())
    return f"{text[: node.start_mark.index]}{as_written(value)}{text[end:]}"


def node_at(text: str, *keys: str) -> Any:
    """Find what stands at keys within keys of a text of YAML, if there is anything."""
    node: Any = yaml.compose(text, Loader=yaml.BaseLoader)
    for key in keys:
        pairs = node.value if isinstance(node, yaml.MappingNode) else ()
        node = next((inner for word, inner in pairs if word.value == key), None)
    return node


def _end(node: Any) -> int:
    """Find where a value's own text ends; YAML counts the comments below an indented one to it."""
    if isinstance(node, yaml.ScalarNode) or node.flow_style:
        end: int = node.end_mark.index
        return end
    last = node.value[-1]
    return _end(last[1] if isinstance(last, tuple) else last)


_ENVIRONMENT = Environment(
    loader=FileSystemLoader(shipped("templates") / "new"),
    undefined=StrictUndefined,
    keep_trailing_newline=True,
    trim_blocks=True,
    lstrip_blocks=True,
)


def fill_template(template: str, path: str, language: str, **values: object) -> bytes:
    """Fill in a file of templates/new that is to lie at ``path`` in a game's folder.

    It may call ``schema(kind)`` for the line by which editors know its keys, and
    ``say(english, japanese)`` for a comment in the ``language``.
    """
    up = "../" * (path.count("/") + 1)

    def say(en: str, ja: str, **words: str) -> str:
        text = ja if language == "ja" else en
        return text.format_map(words) if words else text

    filled = _ENVIRONMENT.get_template(template).render(
        schema=lambda kind: comment(f"{up}schemas", kind), say=say, **values
    )
    return filled.encode()


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
        faults.problems.append(
            problem_at(
                COMMAND_LINE,
                "NEW",
                "which-edition",
                editions=", ".join(game.editions),
                first=next(iter(game.editions)),
            )
        )
    elif edition and chosen not in game.editions:
        faults.problems.append(unknown(game, "edition", edition, COMMAND_LINE, "NEW"))
    if not re.fullmatch(FILE_ID, code):
        key = "no-code" if code else "no-name"
        faults.problems.append(problem_at(COMMAND_LINE, "NEW", key, code=code[:40]))
    elif os.path.lexists(path) or code.casefold() in map(str.casefold, game.mechs):
        faults.problems.append(
            problem_at(SourceLocation(str(path)), "NEW", "has-mech", game=game.id, code=code)
        )
    if not game.variants:
        faults.problems.append(problem_at(game.where, "NEW", "no-variants", game=game.id))
    if is_ours:
        faults.problems.append(problem_at(COMMAND_LINE, "NEW", "installed", game=game.id))
    faults.stop_if_any()
    return chosen
