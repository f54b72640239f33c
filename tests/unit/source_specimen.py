"""A tiny game with one of everything, for the tests of reading; each test spoils a copy of it."""

from __future__ import annotations

from pathlib import Path

from exporter.core.problems import InvalidSource
from exporter.loader.game_reader import read_game

FILES = {
    "game.yaml": """\
id: tiny
name: {ja: 小さなゲーム, en: Tiny}
players: [2, 4]
parts: [head, arm]
frame:
  key: [size]
  names: {size: Size, speed: Speed}
  options: {seats: [one, two]}
teams:
  red: 赤
editions:
  base: {name: 基本}
variants:
  basic: {name: 基本, mark: ●}
  kai: {name: 改, mark: ◆}
faces:
  card: {template: tiny/card.typ, size: [63, 88], scale: 6}
kinds:
  weapon:
    name: 武器
    file: cards/weapons.csv
    front: card
    front_fields: [kinds, damage]
    fields: {kinds: list, damage: number, energy: flag, effect: text}
    detail: {効果: effect}
""",
    "cards/weapons.csv": """\
id,name,kinds,damage,energy,effect
W1,Laser,shoot,2,1,Burns.
W2,Sword,strike/ram,3,,Cuts.
""",
    "sources.yaml": """\
book: {title: The book, date: 2019-01-02}
""",
    "frames.csv": """\
size,speed,head,arm
S,5,1,2
L,3,1,3
""",
    "figures.yaml": """\
- name: Pace
  terms:
    - {label: frame, value: Speed, cites: [book]}
""",
    "mechs/AA.yaml": """\
code: AA
name: Alpha
edition: base
frame: {size: S, seats: one}
printed: {Pace: 5}
sources: [book]
loadouts:
  basic:
    mounted:
      head: [Laser]
      arm: [W2, W2]
""",
    "decks/mechs.csv": """\
mech,card,mark,copies,note
AA,Laser,●◆,1,
AA,Sword,●,2,
""",
    "boards/field.yaml": """\
id: field
name: 野
legend: {".": plain, "#": none}
rows:
  - ".0 .1 #0"
  - ".0 .- .0"
starts:
  south: [[1, 2], [2, 2]]
notches:
  right: [[3, 1]]
""",
    "notes/start.yaml": """\
- id: setup
  title: 準備
  text: はじめに。
""",
    "layouts.yaml": """\
seat:
  size: [18, 9]
  items:
    - lay: stack
      at: [1, 2.5]
      cards: {deck: true, only: {kinds: [shoot]}}
    - lay: pawn
      at: start
      face: card
      sliders: {Pace: Pace}
    - lay: notes
      at: [0, 0]
      notes: [setup]
""",
    "rooms/duel.yaml": """\
id: duel
name: {ja: 決闘, en: Duel}
players: [2, 2]
boards: [field]
seats:
  red1: {name: 赤1, team: red, layout: seat, mech: AA, variant: basic, start: [south, 2]}
arrange:
  left: [red1]
  centre: [board]
""",
    "errata.yaml": """\
- id: E1
  set: base
  medium: card
  source: book
  changes:
    - {card: Laser, field: damage, was: 2, now: 3}
    - {mech: AA, field: frame.size, was: S, now: L}
    - {deck: AA, card: Sword, field: mark, was: ●, now: ●◆}
""",
    "rulings.yaml": """\
- id: Q1
  topic: Swords
  ruling: They cut.
  cards: [Sword]
  source: book
""",
}


def write(folder: Path, files: dict[str, str]) -> Path:
    """Writes files below ``folder``."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def spoilt(folder: Path, *changes: tuple[str, str, str]) -> Path:
    """The tiny game with (file, old text, new text) exchanged; the old text stands there once."""
    files = dict(FILES)
    for name, old, new in changes:
        assert files[name].count(old) == 1, f"{old!r} stands {files[name].count(old)} times"
        files[name] = files[name].replace(old, new)
    return write(folder / "tiny", files)


def problems(folder: Path) -> list[str]:
    """All that is wrong with a folder, one text a problem; nothing if it is sound."""
    try:
        read_game(folder)
    except InvalidSource as invalid:
        return [str(problem) for problem in invalid.problems]
    return []


def only_problem(folder: Path) -> str:
    """The one problem of a folder."""
    found = problems(folder)
    assert len(found) == 1, "\n".join(found)
    return found[0]
