"""Paints the contact sheets of docs/images with the tool itself: ``python docs/pictures.py``.

``rooms.jpg``, ``game-*.jpg``, ``duel-card.jpg`` and ``sheet-to-room.webp`` show the running client,
``looks-*.jpg`` made-up cards of every family, and shipped games before and after their looks: not
made here.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import yaml
from PIL import Image

sys.path.insert(0, str(Path(__file__).parent.parent))

from exporter.core.cache import cache_folder
from exporter.core.file_writer import write_whole
from exporter.core.problems import SourceLocation
from exporter.faces.board_faces import (
    board_face,
    compose,
    tile_faces,
)
from exporter.faces.card_faces import (
    Face,
    card_back,
    card_front,
    face,
    loadout_face,
    styled_face,
)
from exporter.faces.style_values import PLAIN_STYLES
from exporter.importer.starter import (
    Facts,
    starter_files,
)
from exporter.loader.game_reader import read_game
from exporter.model import (
    Board,
    Build,
    Card,
    Cell,
    DeckCard,
    Game,
    Loadout,
    Pilot,
)
from exporter.model.tabletop import pictures
from exporter.render.painter import paint
from exporter.rooms.room_orders import RoomOrder, rooms_of_order
from exporter.rooms.seats import chosen_loadouts
from exporter.rules.errata import corrected

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
GAME = ROOT / "source_data" / "embryo_machine"
ART = ROOT / "docs" / "examples" / "garden"
TABLE = "#e9e4d8"
ART_SHEETS = {
    "plain-art.webp": (1, "RGB"),
    "plain-art-quarter.webp": (4, "RGB"),
    "plain-art-grey.webp": (2, "L"),
}
"""The sheet of plain styles with art: by what it is divided, and in which colours."""
GAP = 10
WIDTH = 1400
READ_WIDTH = 1000  # as wide as a page is read, so that a quarter is seen as a quarter

TWO_SEATS = Build(
    name="複座の例",
    frame={"armour": "重", "size": "L", "seats": "複座"},
    mounted={
        "頭": ("スモールレーザー",),
        "胴": ("シールド", "シールド"),
        "右腕": ("マシンガン", "マシンガン"),
        "左腕": ("マシンガン", "マシンガン"),
    },
    pilots=(Pilot(name="操縦手", skills=("K02",)), Pilot(name="砲手", skills=("K01",))),
    certainty="sample",
)

Sheet = Sequence[tuple[Sequence[Face], int]]
"""Groups of a contact sheet: faces, and their width in pixels; each group begins a new row."""


def one_of_each(cards: Iterable[Card]) -> list[Card]:
    """The first card of every kind and rank."""
    found: dict[object, Card] = {}
    for card in cards:
        found.setdefault((card.get("kinds"), card.get("rank")), card)
    return list(found.values())


def in_a_deck(game: Game, card: Card) -> DeckCard:
    """The card as a printed deck has it, or as one of no deck."""
    for entry in game.decks:
        if game.card(entry.card) is card:
            return DeckCard(card=card, copies=1, deck=entry.deck, mark=entry.mark)
    return DeckCard(card=card, copies=1)


def mech_face(game: Game, style: str, loadout: Loadout, team: str, number: int) -> Face:
    return loadout_face(game, style, loadout, {"team": team, "number": number}, SourceLocation())


def raised(game: Game, board: Board, terrain: str, elevation: int) -> Iterable[Face]:
    cell = Cell(column=-1, row=-1, terrain=terrain, elevation=elevation)
    return tile_faces(game, "tile", "wall", board, cell)


def contact_sheets(game: Game) -> dict[str, Sheet]:
    """Every kind of face, by the file that shows it."""
    kind = {name: [c for c in game.cards.values() if c.kind == name] for name in game.kinds}
    weapons = [card_front(game, in_a_deck(game, card)) for card in one_of_each(kind["weapon"])]
    basics = [card_front(game, in_a_deck(game, card)) for card in kind["basic"]]
    tokens = [card_front(game, DeckCard(card=card, copies=1)) for card in kind["token"]]
    backs = {
        card_back(game, DeckCard(card=kind["weapon"][0], copies=1, deck=deck)): 0
        for deck in ("", "AG", "HO", "HY", "LO", "ZB")
    }
    token_backs = {card_back(game, DeckCard(card=card, copies=1)): 0 for card in kind["token"]}
    sheets = [
        mech_face(game, "sheet", chosen_loadouts(game, wish)[0], team, number)
        for wish, team, number in (
            ("AG", "red", 1),
            ("ZB:kai", "blue", 2),
            ("HY", "red", 3),
            (TWO_SEATS, "blue", 4),
        )
    ]
    mechs = [chosen_loadouts(game, mech.code)[0] for mech in game.mechs.values() if mech.loadouts]
    pieces = [
        [mech_face(game, style, mech, team, number) for number, mech in enumerate(mechs, 1)]
        for style, team in (("pawn", "red"), ("disc", "blue"), ("wreck", "red"))
    ]
    rooms = rooms_of_order(game, RoomOrder(rooms=("duel", "armoury")))
    laid = dict.fromkeys(face for room in rooms.values() for face in pictures(room))
    mats = [face for face in laid if face.template.endswith("/mat.typ")]
    rounds = [face for face in laid if face.template.endswith("/disc.typ")]
    parts = [game.boards[name] for name in ("A", "J2", "B")]
    board = board_face(game, "board", compose(parts))
    tiles = [
        face
        for elevation in (1, 2)
        for terrain in ("plain", "forest", "water", "rubble", "desert")
        for face in raised(game, parts[0], terrain, elevation)
    ]
    tops = [face for face in tiles if face.height == face.width]
    walls = list(dict.fromkeys(face for face in tiles if face.height != face.width))
    return {
        "cards.webp": [(weapons, 163)],
        "basic.webp": [([*basics, *backs], 163)],
        "mechs.webp": [(sheets, 685)],
        "pieces.webp": [(row, 144) for row in pieces],
        "tokens.webp": [(tokens, 89), (list(token_backs), 89)],
        "boards.webp": [([board, mats[0]], 685), ([mats[-1], *rounds], 340), (tops + walls, 105)],
    }


def looks(example: dict[str, Any]) -> Iterable[tuple[str, dict[str, Any]]]:
    """What an example of docs/plain.yaml names, each with the item, style or job that it is."""
    yield from example.get("faces", {}).items()
    for item in example.get("items", ()):
        yield item.get("face", {"piece": "pawn", "dice": "die"}.get(item["lay"], item["lay"])), item
    if "items" not in example and "faces" not in example:
        yield example["face"], example


def plain_faces(entry: dict[str, Any]) -> Iterable[Face]:
    """The faces of an entry of docs/plain.yaml."""
    for name, look in looks(yaml.safe_load(entry.get("example", "faces: {}"))):
        style = PLAIN_STYLES[look.get("like", name)]
        size = tuple(side * (style.per_unit or 1) for side in look.get("size", style.size))
        fields = entry.get("fields", {}).get(name) or [
            {"value": side} for side in look.get("sides", [""])
        ]
        for values in fields:
            yield face(
                look.get("template", style.template),
                {"units": look.get("size"), **style.values, **look["values"], **values},
                size,
                scale=style.scale,
            )


def started_boards(folder: Path) -> dict[str, list[Face]]:
    """The boards that a new game begins with, and raised squares, as plain styles draw them."""
    faces, new = [], ROOT / "templates" / "new"
    for kind in sorted(path.stem for path in (new / "boards").iterdir()):
        facts = Facts(id=kind, ja=kind, en=kind, players=(2, 2), board=kind)
        files = starter_files(facts, "en")
        write_whole({folder / kind / name: data for name, data in files.items()})
        game = read_game(folder / kind)
        faces += [board_face(game, "board", board) for board in game.boards.values()]
    squares = read_game(folder / "square")
    tiles = [
        tile
        for terrain in ("plain", "forest", "water", "desert", "rubble", "mountain", "road")
        for tile in raised(squares, squares.boards["board"], terrain, 1)
    ]
    return {"board": faces, "tile": list(dict.fromkeys(tiles))}


def plain_sheets() -> dict[str, Sheet]:
    """A small contact sheet of every plain template, by the file that shows it."""
    entries = yaml.safe_load((ROOT / "docs" / "plain.yaml").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        faces = started_boards(Path(folder))
    for name, entry in entries.items():
        faces[name] = faces.get(name) or list(plain_faces(entry))
    return {
        f"plain-{name}.webp": [(faces[name], entry["width"])] for name, entry in entries.items()
    }


def art_sheet() -> Sheet:
    """Every plain style with a picture in its window, icons and mark-up, at full size."""
    game = read_game(ART)
    entries = [DeckCard(card=card, copies=1) for card in game.cards.values()]
    fronts = [card_front(game, entry) for entry in entries]
    shown = {"name": "庭", "english": "Garden", "text": "[木]と[水]を**1つずつ**置いて始めます。"}
    keeper = {**shown, "name": "庭師", "image": "fox", "english": "Keeper"}
    pond = {"slots": {"art": "pond"}, "colour": "#2f6f8f"}
    zones = {"手札": {"at": [0.3, 0.9, 5.4, 2.8], "for": "hand"}}
    mat = {**pond, "name": "青の場", "units": [6, 4], "zones": zones}
    others = [
        styled_face(game, style, values, where=SourceLocation())
        for style, values in (
            ("pawn", {"slots": {"art": "fox"}, "name": "きつね"}),
            ("disc", {"slots": {"art": "lantern"}}),
            ("die", {"value": "5", **pond}),
            ("die", {"value": "fox", "slots": {"art": "value"}}),
            ("dial", {"title": "体力", "rounds": 12, **pond}),
        )
    ]
    board = board_face(game, "board", game.boards["garden"])
    tops = list(raised(game, game.boards["garden"], "plain", 1))
    groups = [
        [*fronts[:3], card_back(game, entries[0])],
        [*fronts[3:], *others, tops[0]],
        [
            styled_face(game, "plan", shown, where=SourceLocation()),
            styled_face(game, "keeper", keeper, where=SourceLocation()),
        ],
        [board, styled_face(game, "mat", mat, where=SourceLocation(), size=(150, 100))],
    ]
    return [(group, 0) for group in groups]


def art_sheets() -> dict[str, Image.Image]:
    """That sheet as each of ``ART_SHEETS``."""
    sheet = art_sheet()
    full = painted([face for row, _width in sheet for face in row], ART)

    def reduced(share: int) -> Image.Image:
        rows = [[full[face].reduce(share) for face in row] for row, _width in sheet]
        return laid_out(rows, 2000 // share)

    return {name: reduced(share).convert(mode) for name, (share, mode) in ART_SHEETS.items()}


def laid_out(groups: Sequence[Sequence[Image.Image]], width: int) -> Image.Image:
    """Pictures in rows of ``width`` pixels at most; each group begins a new row."""
    places: list[tuple[Image.Image, tuple[int, int]]] = []
    x, y, deepest, widest = GAP, GAP, 0, 0
    for group in groups:
        for index, image in enumerate(group):
            if index == 0 or x + image.width + GAP > width:
                x, y, deepest = GAP, y + deepest + (GAP if deepest else 0), 0
            places.append((image, (x, y)))
            x, deepest = x + image.width + GAP, max(deepest, image.height)
            widest = max(widest, x)
    sheet = Image.new("RGB", (widest, y + deepest + GAP), TABLE)
    for image, place in places:
        sheet.paste(image, place, image)
    return sheet


def painted(faces: Iterable[Face], game: Path = GAME) -> dict[Face, Image.Image]:
    """The faces as pictures of their full size."""
    images = paint(faces, ROOT / "templates" / "faces", game, cache_folder()).images
    return {
        face: Image.open(io.BytesIO(image.data)).convert("RGBA") for face, image in images.items()
    }


def main() -> None:
    game = corrected(read_game(GAME))
    sheets, plain = contact_sheets(game), plain_sheets()
    faces = dict.fromkeys(face for sheet in sheets.values() for row, _ in sheet for face in row)
    small = [face for sheet in plain.values() for row, _ in sheet for face in row]
    full = painted([*faces, *small])
    IMAGES.mkdir(exist_ok=True)
    for name, sheet in {**sheets, **plain}.items():
        groups = [
            [
                full[face].resize(
                    (width, round(width * face.height / face.width)), Image.Resampling.LANCZOS
                )
                for face in row
            ]
            for row, width in sheet
        ]
        width = WIDTH if name in sheets else READ_WIDTH
        laid_out(groups, width).save(IMAGES / name, quality=74, method=6)
    for name, image in art_sheets().items():
        image.save(IMAGES / name, quality=74, method=6)
    alike: dict[str, list[Image.Image]] = {}
    for shown in faces:
        alike.setdefault(shown.template, []).append(full[shown].reduce(4))
    laid_out(list(alike.values()), READ_WIDTH).convert("L").save(
        IMAGES / "quarter.webp", quality=62, method=6
    )


if __name__ == "__main__":
    main()
