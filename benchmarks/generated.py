"""A made-up game of any number of cards, as large as nobody would type one.

``write_game`` writes it, ``WAYS`` are its two looks: flat cards of a plain style, and cards with a
gradient, an icon and a text, drawn by a template of the game's own.
"""

from __future__ import annotations

from pathlib import Path

NAME = "generated"
WAYS = ("flat", "gradient")
ROOM = 300
"""Cards that lie in the game's room."""

SHEET_CARDS = 10_000
"""Cards that one sheet may hold: of a larger game it lays those of the room."""

TEMPLATE = """\
// takes:
//   name: {type: text, says: of the card}
//   cost: {type: number, says: in the corner}
//   effect: {type: text, says: what the card does}
#import "../lib.typ": *
#let (cream, brown) = (rgb("#fbf7ea"), rgb("#3b2a1a"))
#let star = "M50 4l9 26 26-16-14 27 27 9-27 9 14 27-26-16-9 26-9-26-26 16 14-27L2 50l27-9-14-27z"
#let svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>
<path d='" + star + "'/></svg>"
#let look = (radius: 2mm, fill: cream, stroke: 0.3mm + ink)
#let panel(height) = rect(width: 57mm, height: height, ..look)
#let face(values) = box(width: 63mm, height: 88mm, radius: 3mm, clip: true, {
  let ground = gradient.linear(rgb("#fdf3cf"), rgb("#c07b3a"), angle: 90deg)
  place(rect(width: 63mm, height: 88mm, fill: ground))
  place(dx: 18mm, dy: 18mm, drawing(svg, 27mm, 27mm, colour: brown))
  place(dx: 3mm, dy: 3mm, panel(11mm))
  place(dx: 5mm, dy: 5mm, face-text(6mm, weight: "bold", values.name))
  place(right, dx: -5mm, dy: 5mm, face-text(6mm, weight: "bold", str(values.cost)))
  place(dx: 3mm, dy: 50mm, panel(35mm))
  place(dx: 5mm, dy: 52mm, fitted(53mm, 31mm, 4.4mm, values.effect, field: "effect"))
})
"""

GAME = """\
id: generated
name: {{ja: 作った札, en: Generated cards}}
version: {{number: 1, day: 2026-01-01}}
players: [2, 2]
notice: {{ja: 試験のデータです。, en: Data for trials.}}
faces:
  card: {face}
  back: {{like: card_back, values: {{colour: "#2f6f8f", emblem: 札}}}}
kinds:
  card:
    name: {{ja: 札, en: card}}
    file: cards/cards.csv
    fields: {{cost: number, effect: text}}
    front: card
    front_fields: [cost, effect]
    back: back
    detail: {{コスト: cost, 効果: effect}}
"""
FACES = {
    "flat": "{like: card, values: {slots: {title: name, corner: cost, text: effect}}}",
    "gradient": "{template: generated/card.typ, size: [63, 88], scale: 6.35}",
}

LAYOUTS = """\
middle:
  size: [9, 4]
  items:
    - {lay: stack, name: 山札, at: [0, 0.5], face_down: true, cards: {deck: main}}
"""

TABLE = """\
id: table
name: {ja: 卓, en: Table}
players: [2, 2]
arrange: {centre: [middle]}
chat:
  - {name: メイン, messages: ["${notice}"]}
"""

SHEET = """\
id: cards
name: {{ja: 札, en: Cards}}
lay: cards
cards: {cards}
preset: home-a4
backs: none
"""

_SIGNS = (
    "山札手札捨て引く一枚二枚相手自分場に出す点数攻撃防御移動回復破壊選ぶ"
    "次の番まで無効にする好きな数だけ公開"
)


def effect(number: int) -> str:
    """Sixty characters that no other card has in this order."""
    start = number * 7 % len(_SIGNS)
    turned = (_SIGNS[start:] + _SIGNS[:start]) * 2
    return f"{turned[:28]}。{turned[number % 11 + 3 :][:28]}。{number}"


def write_game(folder: Path, count: int, way: str = "flat") -> Path:
    """The game with ``count`` cards below ``folder``/source_data, beside it the template it needs.

    Commands that run in ``folder`` find both.
    """
    game = folder / "source_data" / NAME
    rows = [f"C{n:05},札{n:05},{n % 10},{effect(n)}" for n in range(count)]
    deck = [f"main,C{n:05},1" for n in range(min(count, ROOM))]
    laid = "{kind: card}" if count <= SHEET_CARDS else "{deck: main}"
    files = {
        game / "game.yaml": GAME.format(face=FACES[way]),
        game / "layouts.yaml": LAYOUTS,
        game / "rooms/table.yaml": TABLE,
        game / "sheets/cards.yaml": SHEET.format(cards=laid),
        game / "cards/cards.csv": "\n".join(["id,name,cost,effect", *rows, ""]),
        game / "decks/decks.csv": "\n".join(["deck,card,copies", *deck, ""]),
    }
    if way == "gradient":
        files[folder / "templates/faces" / NAME / "card.typ"] = TEMPLATE
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return game


def change_one_row(game: Path, mark: str) -> None:
    """Another effect for the eighth card."""
    table = game / "cards" / "cards.csv"
    lines = table.read_text(encoding="utf-8").splitlines()
    lines[8] += mark
    table.write_text("\n".join([*lines, ""]), encoding="utf-8")
