"""A small game with a template of its own, painted in a moment, for the tests of whole commands."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from exporter.loader.game_reader import read_game
from exporter.model import Game

FILES = {
    "templates/faces/small/text.typ": """\
#import "../lib.typ": fitted
#let face(values) = {
  let picture = values.at("picture", default: "")
  if picture != "" { image("/" + picture, width: 20mm, height: 30mm, fit: "cover") }
  fitted(20mm, 10mm, 3mm, values.at("text", default: ""), field: "text")
}
""",
    "source_data/small/game.yaml": """\
id: small
name: {ja: 小さなゲーム, en: Small}
players: [1, 2]
parts: [arm]
frame:
  key: [size]
  names: {size: Size}
editions:
  base: {name: 基本}
  more: {name: 拡張, requires: [base]}
variants:
  basic: {name: 基本, mark: ●}
  kai: {name: 改, mark: ◆}
faces:
  card: {template: small/text.typ, size: [20, 30], scale: 2}
  sheet: {template: small/text.typ, size: [30, 20], scale: 2}
  board: {template: small/text.typ, size: [20, 20], scale: 2}
  tile: {template: small/text.typ, size: [10, 10], scale: 2}
  wall: {template: small/text.typ, size: [10, 5], scale: 2}
kinds:
  weapon:
    name: 武器
    file: cards/weapons.csv
    fields: {text: text, copies: number, edition: text}
    front: card
    front_fields: [text]
    back: card
    series: true
    detail: {効果: text}
""",
    "source_data/small/cards/weapons.csv": """\
id,name,text,copies,edition
W1,Laser,もやす,2,base
W2,Sword,きる,1,base
W3,Net,とめる,1,more
""",
    "source_data/small/frames.csv": "size,arm\nS,3\n",
    "source_data/small/mechs/AA.yaml": """\
code: AA
name: Alpha
edition: base
frame: {size: S}
loadouts:
  basic: {mounted: {arm: [Laser, Laser, Sword]}}
  kai: {mounted: {arm: [Sword]}}
""",
    "source_data/small/decks/mechs.csv": """\
mech,card,mark,copies,note
AA,Laser,●,2,
AA,Sword,●◆,1,
""",
    "source_data/small/boards/field.yaml": """\
id: field
name: 野
legend: {".": plain, "#": none}
rows: [".0 .1", ".0 #0"]
starts: {south: [[1, 2]]}
""",
    "source_data/small/layouts.yaml": """\
seat:
  size: [8, 8]
  items:
    - {lay: stack, name: "${mech}", face_down: true, draws_to: table, cards: {deck: true}}
    - {lay: pawn, at: start, name: "${mech}", face: sheet}
supply:
  size: [4, 4]
  items:
    - {lay: cards, at: [0, 0], cards: {kind: weapon, copies: copies}}
    - {lay: note, at: [0, 2], title: はじめに, text: "${game}であそぶ。"}
loose:
  size: [8, 8]
  items:
    - {lay: stack, name: "${mech}", face_down: true, draws_to: table, cards: {deck: true}}
""",
    "source_data/small/rooms/table.yaml": """\
id: table
name: {ja: 卓, en: Table}
players: [1, 1]
boards: [field]
seats:
  red1: {name: 赤1, layout: seat, mech: AA, variant: basic, start: [south, 1]}
arrange: {left: [red1], centre: [board], right: [supply]}
""",
    "source_data/small/rooms/box.yaml": """\
id: box
name: {ja: 箱, en: Box}
players: [1, 2]
arrange: {centre: [supply]}
""",
}

GAME = "source_data/small/"


def write_small_game(folder: Path) -> None:
    """The game below ``folder``, where a command that runs there finds it."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


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
