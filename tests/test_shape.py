"""The shape of the program: imports point one way, edges are few, no game's word is in the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import shipped

from exporter.source.folders import game_folders

ROOT = Path(__file__).parent.parent
PROGRAM = ROOT / "exporter"
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PROGRAM.rglob("*.py"))
    if "_data" not in path.parts
}

# From the ground up; a module imports only from its own floor and those below.
FLOORS = (
    (
        "exporter.ending",
        "exporter.messages",
        "exporter.names",
        "exporter.patterns",
        "exporter.problems",
        "exporter.reading_budget",
        "exporter.sounds",
        "exporter.words",
    ),
    ("exporter.schema",),
    ("exporter.model", "exporter.tabletop"),
    ("exporter.schema.choices", "exporter.schema.values"),
    (
        "exporter.rules",
        "exporter.texts",
        "exporter.dates",
        "exporter.boards",
        "exporter.styles",
        "exporter.art",
        "exporter.face",
        "exporter.faces",
        "exporter.board_faces",
    ),
    ("exporter.rooms",),
    ("exporter.printing", "exporter.checking"),
    ("exporter.listing", "exporter.schema.json_schemas", "exporter.bringing"),
    ("exporter.installed", "exporter.places", "exporter.temporary"),
    (
        "exporter.cache",
        "exporter.writing",
        "exporter.plain",
        "exporter.source",
        "exporter.paint",
        "exporter.udonarium",
    ),
    (
        "exporter.printing.pdf",
        "exporter.checking.opened",
        "exporter.checking.asked",
        "exporter.checking.constructed",
        "exporter.checking.mended_files",
    ),
    ("exporter.checking.page",),
    ("exporter.beginning",),
    ("exporter.making",),
    ("exporter.build", "exporter.printing.output"),
    ("exporter.foreseen", "exporter.rehearsal"),
    ("exporter.door",),
    ("exporter.web",),
    ("exporter.cli",),
    ("exporter.__main__",),
)
FIRST_EDGE = 8  # what is above may touch files, clock and terminal
EDGES = tuple(name for floor in FLOORS[FIRST_EDGE:] for name in floor)
FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names}
CORE_LIBRARIES = {
    "__future__", "abc", "ast", "calendar", "collections", "contextlib", "contextvars", "difflib",
    "enum", "fractions", "functools", "hashlib", "heapq", "importlib", "inspect", "itertools",
    "jaconv", "json", "keyword", "math", "msgspec", "operator", "pkgutil", "re", "simpleeval",
    "string", "threading", "types", "typing", "unicodedata",
}  # fmt: skip


def floor_of(module: str) -> int:
    """The floor on which a module or the package that holds it stands; the whole offers all."""
    if module == "exporter":
        return len(FLOORS)
    while module not in FLOOR:
        module = module.rpartition(".")[0]
        assert module != "exporter", "it stands on no floor"
    return FLOOR[module]


@cache
def imports(path: Path) -> tuple[str, ...]:
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            inner = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name for name in inner if name in MODULES)


def is_edge(module: str) -> bool:
    return any(module == edge or module.startswith(edge + ".") for edge in EDGES)


OF_THE_WORKBENCH = {"starlette", "uvicorn", "watchfiles", "segno"}


def test_the_workbench_calls_the_door_and_holds_no_logic() -> None:
    """Its pages show what the door gives; of what lies below it needs the values alone."""
    values = (
        "exporter.door", "exporter.web", "exporter.problems", "exporter.model", "exporter.faces",
        "exporter.tabletop", "exporter.installed", "exporter.words", "exporter.checking.verdicts",
        "exporter.rooms.orders", "exporter.rooms.view", "exporter.rules.submissions",
        "exporter.ending",
    )  # fmt: skip
    for module, path in MODULES.items():
        ours = [name for name in imports(path) if name.startswith("exporter")]
        if module.startswith("exporter.web"):
            assert not [name for name in ours if not name.startswith(values)], module


def test_only_the_workbench_imports_what_it_alone_needs() -> None:
    for module, path in MODULES.items():
        if not module.startswith("exporter.web"):
            touched = {name.partition(".")[0] for name in imports(path)} & OF_THE_WORKBENCH
            assert not touched, module


def test_every_floor_is_of_modules_that_there_are() -> None:
    assert FLOOR.keys() <= MODULES.keys()


def test_imports_point_downwards() -> None:
    upwards = [
        (module, other)
        for module, path in MODULES.items()
        for other in imports(path)
        if other.startswith("exporter.") and floor_of(other) > floor_of(module)
    ]
    assert not upwards


def test_rules_know_nothing_of_rooms_and_rooms_nothing_of_rules() -> None:
    """Only ``rooms.orders`` joins the two: it turns wishes for mechs into loadouts."""
    for module, path in MODULES.items():
        if module.startswith("exporter.rules"):
            assert not [name for name in imports(path) if name.startswith("exporter.rooms")]
        if module.startswith("exporter.rooms") and module != "exporter.rooms.orders":
            assert not [name for name in imports(path) if name.startswith("exporter.rules")]


def test_only_edge_modules_touch_files_clock_terminal_and_libraries_that_do() -> None:
    touched = [
        (module, name)
        for module, path in MODULES.items()
        for name in imports(path)
        if not is_edge(module) and name.partition(".")[0] not in {"exporter", *CORE_LIBRARIES}
    ]
    assert not touched


# Words of the tool, or of the language, that happen to be words of a game's data too.
PLAIN_WORDS = {
    "aim", "ammo", "base", "basic", "board", "card", "cards", "deck", "effect", "front", "kind",
    "kinds", "mark", "mech", "move", "name", "none", "note", "number", "piece", "plate", "plain",
    "red", "blue", "round", "shape", "sheet", "size", "stack", "start", "status", "system", "team",
    "token", "weapon", "skill", "spent", "seal", "net", "frame", "pawn", "table", "setup",
    "hp", "dash", "fd", "文字",
}  # fmt: skip


def game_words() -> set[str]:
    """Every name that a game's data give to something, as whole words."""
    names: set[str] = set()
    for folder in game_folders([shipped.SOURCE]):
        game = shipped.printed(folder.name)
        names |= {game.id, game.name.ja, game.name.en}
        names |= {card.name for card in game.cards.values()} | set(game.cards)
        names |= {name for mech in game.mechs.values() for name in (mech.code, mech.name)}
        names |= {figure.id for figure in game.figures} | set(game.parts)
        names |= set(game.editions) | set(game.variants)
        names |= {
            text
            for edition in game.editions.values()
            for text in (edition.name.ja, edition.name.en)
        }
        names |= {board.name.ja for board in game.boards.values()}
    return {name for name in names if len(name) > 1 and name.lower() not in PLAIN_WORDS}


def whole_words(text: str, words: set[str]) -> set[str]:
    """Those of the words that stand in a text, with no letter before or after them."""
    found = set(re.findall(r"\w+", text))
    several = [word for word in words if not word.isidentifier() and word in text]
    return found | {w for w in several if re.search(rf"(?<!\w){re.escape(w)}(?!\w)", text)}


def test_no_word_of_a_game_stands_in_the_program() -> None:
    words = game_words()
    assert len(words) > 200
    shared = [
        *MODULES.values(),
        *(ROOT / "templates" / "udonarium").glob("*"),
        *(ROOT / "templates" / "faces" / "plain").glob("*.typ"),
        ROOT / "templates/faces/lib.typ",
    ]
    found = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in shared
        for word in words & whole_words(path.read_text(encoding="utf-8"), words)
    ]
    assert not found
