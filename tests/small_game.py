"""A small game with a template of its own, painted in a moment, for the tests of whole commands."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Sequence
from pathlib import Path

from exporter.loader.game_reader import read_game
from exporter.model import Game

GAMES = Path(__file__).parent / "games"
GAME = "source_data/small/"


def files_of_game(name: str) -> dict[str, str]:
    """The texts of all files below a folder of ``tests/games``, by their paths in it."""
    paths = (path for path in sorted((GAMES / name).rglob("*")) if path.is_file())
    return {
        path.relative_to(GAMES / name).as_posix(): path.read_text(encoding="utf-8")
        for path in paths
    }


FILES = files_of_game("small")


def write_small_game(folder: Path) -> None:
    """The game below ``folder``, where a command that runs there finds it."""
    shutil.copytree(GAMES / "small", folder, dirs_exist_ok=True)


def write_sheets(folder: Path, **texts: str) -> None:
    """Sheets of the small game below ``folder``, by their ids."""
    for name, text in texts.items():
        path = folder / GAME / "sheets" / f"{name}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"id: {name}\nname: {name}\n{text}", encoding="utf-8")


THINGS = """\
id: small
name: 小
players: [1, 2]
marks: {marks}
faces:
  thing: {{like: {style}, values: {{{values}}}}}
kinds:
  thing:
    name: 物
    file: cards/things.csv
    fields: {{{fields}}}
    front: thing
    front_fields: [{front}]
    back: card_back
    detail: {{効果: {first}}}
"""


def things_game(
    folder: Path,
    rows: Sequence[Sequence[str]],
    values: str = "slots: {title: name, text: text}",
    *,
    style: str = "card",
    marks: str = "{}",
    fields: Sequence[str] = ("text",),
) -> Game:
    """A game in a folder of its own, of cards of one kind in a plain style."""
    (folder / "cards").mkdir(parents=True, exist_ok=True)
    head = THINGS.format(
        marks=marks,
        style=style,
        values=values,
        fields=", ".join(f"{field}: text" for field in fields),
        front=", ".join(fields),
        first=fields[0],
    )
    (folder / "game.yaml").write_text(head, encoding="utf-8")
    with (folder / "cards/things.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("id", "name", *fields), *rows])
    return read_game(folder)


def change(path: Path, old: str, new: str) -> None:
    """Exchange a text that stands in a file once."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path.name}"
    path.write_text(text.replace(old, new), encoding="utf-8")
