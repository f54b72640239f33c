"""What a room opens on: the client's camera, the bare table that is added for it, and warnings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from small_game import change

from exporter.core.problems import InvalidSource
from exporter.faces.card_faces import Face
from exporter.loader.game_reader import read_game
from exporter.model.tabletop import TextNote
from exporter.rooms.footprints import Rectangle
from exporter.rooms.opening_view import WINDOWS, Goal, View, Window, margins, panels, shares
from exporter.rooms.room_orders import RoomOrder, plan_order
from exporter.rooms.room_planner import PlannedRoom
from exporter.rules.errata import corrected

MEASURED = Path(__file__).parent / "measured_views.json"
"""Window, table in cells, a point of it in pixels, and where the client 1.17.3 shows that."""


def test_points_are_shown_where_the_client_shows_them() -> None:
    measured = json.loads(MEASURED.read_text(encoding="utf-8"))
    assert len(measured) == 90
    for width, height, across, down, x, y, z, *shown in measured:
        point = View(Window(width, height), across * 50, down * 50).project(x, y, z)
        assert point == pytest.approx(shown, abs=0.1)


def test_the_panels_lie_where_the_client_opens_them() -> None:
    small, large = WINDOWS
    assert [tuple(panel) for panel in panels(small)] == [
        (0, 0, 100, 470), (100, 0, 500, 450), (100, 368, 700, 400),
    ]  # fmt: skip
    assert tuple(panels(large)[2]) == (100, 450, 700, 400)


def test_what_lies_under_a_panel_is_not_seen() -> None:
    view = View(WINDOWS[1], 3000, 3000)
    under = Rectangle(300, 1600, 50, 50)
    assert view.share(under, beside_panels=False) == 1
    assert view.share(under, beside_panels=True) == 0


def test_what_stands_in_front_hides_what_is_behind() -> None:
    view = View(WINDOWS[1], 3000, 3000)
    area = Rectangle(1000, 1300, 100, 100)
    assert view.share(area, beside_panels=True) == 1
    note: TextNote[Face] = TextNote(
        name="n", title="n", text="", width=10, height=12, x=1050, y=1450
    )
    in_front, behind = view.outline(note), view.outline(replace(note, y=1250))
    assert view.share(area, beside_panels=True, standing=[in_front]) == 0
    assert view.share(area, beside_panels=True, standing=[behind]) == 1


@pytest.mark.parametrize(("width", "height"), [(700, 1100), (750, 600), (1100, 600), (400, 400)])
def test_a_board_at_the_corner_of_a_table_is_seen_once_there_is_bare_table(
    width: int, height: int
) -> None:
    area = Rectangle(50, 50, width, height)
    size = (width // 50 + 20, height // 50 + 2)
    margin = margins((Goal("board", area, 0.9, beside_panels=True),), *size, 100)
    x, y = margin.moved((1, 1))
    moved = Rectangle(x * 50, y * 50, width, height)
    assert min(shares(moved, margin.size(*size), beside_panels=True)) >= 0.85


def test_a_table_never_becomes_longer_than_the_client_allows() -> None:
    margin = margins((Goal("board", Rectangle(50, 50, 700, 1100), 0.9),), 90, 95, 100)
    assert max(margin.size(90, 95)) <= 100


def opened(small: Path) -> PlannedRoom:
    return plan_order(corrected(read_game(small)), RoomOrder(rooms=("table",)))["table"]


def unseen(planned: PlannedRoom) -> list[str]:
    return [problem.message for problem in planned.problems if problem.rule == "UNSEEN"]


def test_bare_table_is_added_for_what_a_room_opens_on(small: Path) -> None:
    before = opened(small).room.tables[0]
    change(small / "rooms/table.yaml", "arrange:", "opens_on: board\narrange:")
    planned = opened(small)
    after = planned.room.tables[0]
    assert after.width * after.height > before.width * before.height
    assert not unseen(planned)


def test_what_cannot_be_seen_is_told_for_each_window(small: Path) -> None:
    change(small / "rooms/table.yaml", "arrange:", "square: 20\nopens_on: board\narrange:")
    told = unseen(opened(small))
    assert told[0].startswith("'table': in a window of 1366×768, only ")
    assert "of board can be seen at first (target: 75 %)" in told[0]


def test_the_first_seat_may_be_meant_and_nothing_else_that_is_not_arranged(small: Path) -> None:
    change(small / "rooms/table.yaml", "arrange:", "opens_on: seat\narrange:")
    assert not unseen(opened(small))
    change(small / "rooms/table.yaml", "opens_on: seat", "opens_on: rack")
    with pytest.raises(InvalidSource) as found:
        opened(small)
    assert "opens on" not in str(found.value)
    assert "should open on 'rack', the first of the bays, but no bays are arranged" in str(
        found.value
    )


def test_notes_of_the_table_are_a_tab_of_the_chat_too(small: Path) -> None:
    (small / "notes").mkdir(exist_ok=True)
    (small / "notes/rules.yaml").write_text(
        "- {id: b, title: 後, text: おわる。}\n"
        "- {id: a, title: 先, text: 'はじめる。${shuffle}'}\n",
        encoding="utf-8",
    )
    layouts = small / "layouts.yaml"
    text = layouts.read_text(encoding="utf-8")
    layouts.write_text(
        text.replace("  items:\n", "  items:\n    - {lay: notes, notes: [a, b]}\n", 1),
        encoding="utf-8",
    )
    room = small / "rooms/table.yaml"
    tabs = "chat:\n  - {name: メイン, messages: [ようこそ]}\n  - {name: 雑談}\n"
    plan = room.read_text(encoding="utf-8")
    if "chat:" not in plan:
        room.write_text(plan + tabs, encoding="utf-8")
    found = opened(small).room
    chat = {tab.name: [m.text for m in tab.messages] for tab in found.chat or ()}
    assert list(chat)[1] == "遊び方"
    assert [text.splitlines()[0] for text in chat["遊び方"]] == [
        "【後】",
        "【先】",
        "【卓での操作】",
    ]
    assert "シャッフル" in chat["遊び方"][1]
    assert len([piece for piece in found.pieces if isinstance(piece, TextNote)]) >= 2


def faces(planned: PlannedRoom) -> set[Face | None]:
    table = planned.room.tables[0]
    return {table.picture, table.background}


def test_a_table_with_a_surface_lies_before_it_and_not_in_a_void(small: Path) -> None:
    assert faces(opened(small)) == {None}
    change(small / "rooms/table.yaml", "arrange:", "surface: board\narrange:")
    planned = opened(small)
    assert len(faces(planned)) == 1
    # A veil is painted anew with every frame: a room took a fifth longer to load with it.
    assert planned.room.tables[0].background_filter == ""


def test_what_is_known_to_be_seen_in_part_is_not_told(small: Path) -> None:
    keys = "square: 20\nopens_on: board\npartly_seen: wide\narrange:"
    change(small / "rooms/table.yaml", "arrange:", keys)
    assert not unseen(opened(small))


def test_the_picture_of_a_large_table_is_no_larger_than_loads_quickly(small: Path) -> None:
    change(small / "rooms/table.yaml", "arrange:", "square: 40\nsurface: board\narrange:")
    picture = opened(small).room.tables[0].picture
    assert picture is not None
    assert picture.width * picture.height * picture.scale**2 <= 500_000
