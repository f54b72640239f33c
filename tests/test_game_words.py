"""No game's word is in the code: a game is data."""

from __future__ import annotations

import re
from pathlib import Path

import shipped

from exporter.loader.game_folders import game_folders

ROOT = Path(__file__).parent.parent
MODULES = sorted((ROOT / "exporter").rglob("*.py"))

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
        *(path for path in MODULES if "_data" not in path.parts),
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
