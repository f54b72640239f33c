"""Rooms planned from plans: who sits where, where the board lies, what is wrong with a plan, and
of which data a room is.
"""

from __future__ import annotations

import datetime
import json
import re
from pathlib import Path
from typing import Any

import pytest
from made_up_games import write
from small_game import change

from exporter.core.problems import InvalidSource
from exporter.faces.card_faces import Face
from exporter.loader.game_reader import read_game
from exporter.model.tabletop import UNIT, Character, Room, Terrain
from exporter.rooms.room_orders import RoomOrder, rooms_of_order
from exporter.rules.errata import corrected

TABLE, FIELD, LAYOUTS = "rooms/table.yaml", "boards/field.yaml", "layouts.yaml"


def planned(small: Path, room: str = "table", **order: Any) -> Room[Face]:
    return rooms_of_order(corrected(read_game(small)), RoomOrder(rooms=(room,), **order))[room]


def told(small: Path, **order: Any) -> list[str]:
    """What is wrong with the planned table, without places."""
    with pytest.raises(InvalidSource) as found:
        planned(small, **order)
    return [f"{problem.where.file}: {problem.message}" for problem in found.value.problems]


def terrain(room: Room[Face]) -> list[Terrain[Face]]:
    return [thing for thing in room.tables[0].objects if isinstance(thing, Terrain)]


def pawn(room: Room[Face]) -> Character[Face]:
    (found,) = (piece for piece in room.pieces if isinstance(piece, Character))
    return found


def test_the_table_is_as_large_as_its_blocks_need(small: Path) -> None:
    """Left 8×8, the board 2×2 squares of 2 units, right 4×4; gaps and a margin of 1 unit each."""
    table = planned(small).tables[0]
    assert (table.width, table.height) == (1 + 8 + 1 + 4 + 1 + 4 + 1, 1 + 8 + 1)


def test_blocks_at_top_and_bottom_span_the_table(small: Path) -> None:
    change(small / TABLE, "left: [red1]", "top: [red1]")
    table = planned(small).tables[0]
    assert (table.width, table.height) == (1 + 4 + 1 + 4 + 1, 1 + 8 + 1 + 4 + 1)


def test_the_board_is_a_flat_picture_with_a_block_on_each_raised_square(small: Path) -> None:
    board, block = terrain(planned(small))
    assert (board.width, board.depth, board.height) == (4, 4, 0)
    assert (block.width, block.depth, block.height) == (2, 2, 0.5)
    assert (block.x - board.x, block.y - board.y) == (2 * UNIT, 0)
    assert board.locked
    assert block.locked


def test_a_block_shows_all_that_its_square_does(small: Path) -> None:
    more = 'colours: {plain: "#cc4444", sea: "#0000ff"}\ntexts: {"2,1": 塔}\nstarts:'
    change(small / FIELD, "starts:", more)
    change(small / FIELD, "[[1, 2]]", "[[1, 2], [2, 1]]")
    _board, block = terrain(planned(small))
    assert block.floor is not None
    values = json.loads(block.floor.values)
    assert values["colours"] == {"plain": "#cc4444"}
    assert (values["text"], values["start"]) == ("塔", "south")


def test_a_longer_board_needs_no_new_coordinates(small: Path) -> None:
    room = planned(small, boards=("field", "field"))
    assert room.tables[0].width == planned(small).tables[0].width + 4
    assert len(terrain(room)) == 1 + 2


def test_a_pawn_stands_in_the_middle_of_its_start_square_at_its_height(small: Path) -> None:
    board = terrain(planned(small))[0]
    low = pawn(planned(small))
    assert (low.x - board.x, low.y - board.y, low.z) == (0.5 * UNIT, 2.5 * UNIT, 0)
    change(small / FIELD, "[[1, 2]]", "[[2, 1]]")
    high = pawn(planned(small))
    assert (high.x - board.x, high.y - board.y, high.z) == (2.5 * UNIT, 0.5 * UNIT, 0.5 * UNIT)


def test_two_pawns_cannot_start_on_one_square(small: Path) -> None:
    seat = "  red1: {name: 赤1, layout: seat, mech: AA, variant: basic, start: [south, 1]}\n"
    change(small / TABLE, seat, seat + seat.replace("red1", "red2"))
    change(small / TABLE, "left: [red1]", "left: [red1, red2]")
    assert told(small) == [
        "small/rooms/table.yaml: 'red2' and 'red1' start on the same square, south 1."
    ]


def test_boards_that_overlap_are_no_board(small: Path) -> None:
    joint = (small / FIELD).read_text(encoding="utf-8").replace("id: field", "id: j\njoint: true")
    (small / "boards/j.yaml").write_text(joint, encoding="utf-8")
    change(small / FIELD, "starts:", "notches: {left: [[2, 2]]}\nstarts:")
    (message,) = told(small, boards=("field", "j", "field"))
    assert "'field' overlaps a square of 'j'" in message


def test_faults_of_chat_and_layouts_are_told_together(small: Path) -> None:
    change(small / TABLE, "boards:", "chat: [{name: main, messages: ['${nobody}']}]\nboards:")
    change(small / LAYOUTS, "at: [0, 2]", "at: [0, 999]")
    change(small / LAYOUTS, "face: sheet}", "face: sheet, sliders: {HP: 2/x}}")
    assert told(small) == [
        "small/layouts.yaml: The slider 'HP' is set to '2/x', which is no figure of this game.",
        "small/layouts.yaml: はじめに would be more than 10 units off the table.",
        "small/rooms/table.yaml: There is no value for ${nobody}.",
    ]


def test_chat_and_inventory_are_the_clients_own_unless_the_plan_says_otherwise(
    small: Path,
) -> None:
    room = planned(small)
    assert room.chat is None
    assert room.inventory is None
    chat = "chat: [{name: main, messages: ['${game}の${room}']}]\ninventory: [HP]\nboards:"
    change(small / TABLE, "boards:", chat)
    room = planned(small)
    assert room.chat is not None
    assert room.inventory is not None
    assert room.chat[0].messages[0].text == "小さなゲームの卓"
    assert room.inventory.columns == ("HP",)


CHAT = "chat: [{name: main, messages: ['${game}', '${shuffle_all}', '山札は${shuffle}']}]\nboards:"


@pytest.mark.parametrize(
    ("version", "day"),
    [("version: {number: 3, day: 2026-02-28}\n", (2026, 2, 28)), ("", (2000, 1, 1))],
)
def test_messages_have_the_day_of_the_data(
    small: Path, version: str, day: tuple[int, int, int]
) -> None:
    change(small / "game.yaml", "parts:", f"{version}parts:")
    change(small / TABLE, "boards:", CHAT)
    (tab,) = planned(small).chat or ()
    times = [int(message.timestamp) for message in tab.messages]
    noon = datetime.datetime(*day, 12, tzinfo=datetime.UTC)
    assert times == [int(noon.timestamp() * 1000) + index for index in range(len(tab.messages))]
    digest = read_game(small).digest
    said = [f"データの版：3 (2026-02-28 · {digest})"] if version else []
    assert [message.text for message in tab.messages[3:]] == said


def test_a_message_that_says_nothing_is_left_out(small: Path) -> None:
    change(small / TABLE, "boards:", CHAT)
    (tab,) = planned(small, shuffle="a").chat or ()
    assert [message.text for message in tab.messages] == ["小さなゲーム", "山札はシャッフルずみ。"]


def test_raised_squares_have_names_of_their_own(small: Path) -> None:
    change(small / FIELD, ".0 .1", ".1 .1")
    assert [block.name for block in terrain(planned(small))] == [
        "野", "高度＋1（1列1行）", "高度＋1（2列1行）"
    ]  # fmt: skip


# ---- which data a room is of

GAME_YAML, WEAPONS, LAYOUTS = "game.yaml", "cards/weapons.csv", "layouts.yaml"
ERRATUM = (
    "- {id: E1, medium: card, source: s, date: DAY,\n"
    "   changes: [{card: W1, field: copies, was: 2, now: 3}]}\n"
)
RULING = "- {id: Q1, topic: Net, ruling: 1枚だけ。, cards: [W3], date: DAY}\n"
IN_ANOTHER_ORDER = ("W1,Laser,もやす,2,base\nW2,Sword,きる,1,base\n",
                    "W2,Sword,きる,1,base\nW1,Laser,もやす,2,base\n")  # fmt: skip


@pytest.fixture
def folder(small: Path) -> Path:
    change(small / GAME_YAML, "parts:", "version: {number: 3, day: 2026-02-28}\nparts:")
    (small / "pictures").mkdir()
    (small / "pictures/W1.png").write_bytes(b"\x89PNG" + bytes(99))
    return write(small, {"sources.yaml": "s: {title: S}\n"})


def stated(folder: Path) -> str:
    return read_game(folder).version_text


def test_a_version_has_number_day_and_digest(folder: Path) -> None:
    assert re.fullmatch(r"3 \(2026-02-28 · [0-9a-f]{6}\)", stated(folder))


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (WEAPONS, "もやす", "もえる"),
        (WEAPONS, *IN_ANOTHER_ORDER),
        (LAYOUTS, "at: [0, 2]", "at: [0, 3]"),
        (LAYOUTS, "title: はじめに", 'title: "はじめ"'),
        (GAME_YAML, "number: 3", "number: 4"),
        ("mechs/AA.yaml", "Alpha", "Alfa"),
        ("rooms/table.yaml", "name: {ja: 卓, en: Table}", "name: 卓"),
        ("frames.csv", "S,3", "S,4"),
        ("errata.yaml", "", ERRATUM.replace("DAY", "unknown")),
        ("rulings.yaml", "", RULING.replace("DAY", "unknown")),
        ("boards/other.yaml", "", "id: other\nname: O\nlegend: {\".\": plain}\nrows: [\".0\"]\n"),
    ],
)  # fmt: skip
def test_other_data_state_another_version(folder: Path, file: str, old: str, new: str) -> None:
    before = stated(folder)
    if old:
        change(folder / file, old, new)
    else:
        (folder / file).write_text(new, encoding="utf-8")
    assert stated(folder) != before


@pytest.mark.parametrize("data", [b"\x89PNG" + bytes(98) + b"1", b"\x89PNG" + bytes(98)])
def test_so_does_another_picture(folder: Path, data: bytes) -> None:
    before = stated(folder)
    (folder / "pictures/W1.png").write_bytes(data)
    assert stated(folder) != before


def test_how_files_are_written_and_where_they_lie_changes_nothing(folder: Path) -> None:
    before = stated(folder)
    for path in sorted(folder.rglob("*.yaml")):
        text = "# A remark.\n" + path.read_text(encoding="utf-8")
        path.write_bytes(text.replace("\n", "\r\n").encode())
    for path in sorted(folder.rglob("*.csv")):
        path.write_bytes(path.read_text(encoding="utf-8").replace("\n", "\r\n").encode("utf-8-sig"))
    drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'>\n</svg>\n"
    assert stated(folder.rename(folder.with_name("elsewhere"))) == before
    home = folder.with_name("elsewhere")
    (home / "pictures/W2.svg").write_bytes(drawing.encode())
    with_drawing = stated(home)
    (home / "pictures/W2.svg").write_bytes(drawing.replace("\n", "\r\n").encode())
    assert stated(home) == with_drawing != before


@pytest.mark.parametrize(("file", "text"), [("errata.yaml", ERRATUM), ("rulings.yaml", RULING)])
@pytest.mark.parametrize(
    ("day", "shown"), [("2026-11-22", "2026-11-22"), ("2020-01-01", "2026-02-28")]
)
def test_the_day_is_that_of_the_latest_change(
    folder: Path, file: str, text: str, day: str, shown: str
) -> None:
    (folder / file).write_text(text.replace("DAY", day), encoding="utf-8")
    assert f"3 ({shown} · " in stated(folder)
