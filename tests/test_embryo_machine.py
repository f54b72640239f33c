"""What the rooms of Embryo Machine must hold, seen in the planned rooms."""

from __future__ import annotations

import itertools
import shutil
from collections import Counter
from pathlib import Path

import pytest
import shipped
from msgspec.structs import replace
from small_game import change

from exporter.app.games import stationery
from exporter.core.problems import InvalidSource
from exporter.faces.card_faces import Face
from exporter.loader.game_reader import read_game
from exporter.loader.print_job_files import read_jobs
from exporter.model import Build, Game
from exporter.model.print_jobs import PrintOrder
from exporter.model.tabletop import (
    CardStack,
    Character,
    Room,
    TableCard,
    Terrain,
    pictures,
)
from exporter.printing.print_selection import chosen_cards, stocked
from exporter.rooms.room_orders import RoomOrder, rooms_of_order
from exporter.rules.errata import corrected
from exporter.rules.loadouts import built_loadout, printed_loadout

FOLDER = Path(__file__).parent.parent / "source_data" / "embryo_machine"
CODES = ("AG", "AR", "BG", "HO", "HY", "LG", "LO", "TR", "ZB")


def playing_cards(game: Game, room: Room[Face]) -> list[TableCard[Face]]:
    names = {card.name for card in game.cards.values() if card.kind in ("weapon", "basic")}
    return [card for card in room.cards if card.name in names]


@pytest.fixture(scope="module")
def rooms() -> dict[str, Room[Face]]:
    return {name: found.room for name, found in shipped.planned().items()}


def test_the_play_of_the_official_page_is_in_the_rules() -> None:
    """Each sentence is checked or says why people watch it, and says where it comes from."""
    rules = shipped.opened().book.rules
    for name in ("EM-A01", *(f"EM-R{number}" for number in range(1, 36))):
        if name not in ("EM-R23", "EM-R24", "EM-R25"):
            rule = rules[name]
            assert rule.status == "checked" or (rule.status == "by-hand" and rule.reason.ja), name
            assert {"official-page", "official-qa", "builder-site"} & {*rule.cites}, name
    derived = {name for name, rule in rules.items() if rule.certainty == "derived"}
    assert {"EM-R9", "EM-R18", "EM-R35"} <= derived


@pytest.mark.parametrize("code", CODES)
def test_computed_figures_equal_the_printed_ones(game: Game, code: str) -> None:
    figures = printed_loadout(game, code).figures
    assert {name: figures[name] for name in game.mechs[code].printed} == game.mechs[code].printed
    for variant in ("basic", "kai"):  # deck and support together are the durability
        loadout = printed_loadout(game, code, variant)
        assert sum(entry.copies for entry in loadout.deck) == loadout.figures["耐久値"]


def test_decks_lie_face_down_and_support_cards_open(
    game: Game, rooms: dict[str, Room[Face]]
) -> None:
    room = rooms["duel"]
    decks = [p for p in room.pieces if isinstance(p, CardStack) and p.name.endswith("の札")]
    assert [bool(deck.cards) for deck in decks] == [True, False, False] * 2  # then two places
    assert all(card.face_down for deck in decks for card in deck.cards)
    singles = [p for p in room.pieces if isinstance(p, TableCard)]
    open_names = [c.name for c in singles if (card := game.card(c.name)) and card.kind == "weapon"]
    assert sorted(open_names) == sorted(["バーニア"] * 4 + ["ムーブセンサー"] * 2)


def test_rooms_show_the_corrected_values(game: Game, rooms: dict[str, Room[Face]]) -> None:
    shield = [e for e in printed_loadout(game, "AR", "kai").deck if e.card.name == "シールド"]
    assert [entry.mark for entry in shield] == ["●◆"]
    texts = {card.name: str(card.detail) for card in rooms["duel"].cards}
    assert "移動力5" in texts["移動5"]
    assert "EM-E02" in texts["移動5"]


SEATED = {"duel": 2, "free3": 3, "free5": 5, "free9": 9, "team2x3": 6, "team4": 4, "team6": 6}


def discs(room: Room[Face]) -> list[TableCard[Face]]:
    """The pieces of mechs on the map."""
    return [piece for piece in room.pieces if isinstance(piece, TableCard) and "向き" in piece.name]


@pytest.mark.parametrize("room", SEATED)
def test_every_disc_lies_on_a_start_square_of_its_own(
    rooms: dict[str, Room[Face]], room: str
) -> None:
    """Beside those of its team, and in a free-for-all beside nobody."""
    found = discs(rooms[room])
    assert len({(disc.x, disc.y) for disc in found}) == len(found) == SEATED[room]
    steps = {
        (one.name[0] == two.name[0], abs(one.x - two.x) + abs(one.y - two.y))
        for one, two in itertools.combinations(found, 2)
    }
    assert room == "duel" or min(steps)[1] > 100
    if room.startswith("team"):
        assert min(far for is_team, far in steps if is_team) == 100


def test_a_mech_is_one_piece_on_the_map_and_its_figures_stand_on_the_mat(
    rooms: dict[str, Room[Face]],
) -> None:
    board, *_ = rooms["duel"].tables[0].objects
    assert isinstance(board, Terrain)
    pawns = [p for p in rooms["duel"].pieces if isinstance(p, Character) and p.name != "進行"]
    assert len(pawns) == len(discs(rooms["duel"])) == 2
    for pawn in pawns:
        assert pawn.y > board.y + board.depth * 50
    for disc in discs(rooms["duel"]):
        assert (disc.x - board.x) % 100 == (disc.y - board.y) % 100 == 0  # fills its square


@pytest.mark.parametrize(("room", "boards"), [("free3", "C+J1"), ("team6", "C+A")])
def test_boards_with_too_few_starts_are_told_and_more_boards_have_them(
    game: Game, room: str, boards: str
) -> None:
    with pytest.raises(InvalidSource, match="Square boards that are joined may have more"):
        rooms_of_order(game, RoomOrder(rooms=(room,), boards=("C",)))
    assert rooms_of_order(game, RoomOrder(rooms=(room,), boards=tuple(boards.split("+"))))


def test_boards_are_turned_and_laid_in_rows(game: Game) -> None:
    order = RoomOrder(rooms=("team6",), boards=("a＠180", "J2", "B", "/C"))
    board, *_ = rooms_of_order(game, order)["team6"].tables[0].objects
    assert isinstance(board, Terrain)
    assert board.name == "峡谷（180°）＋連結路・大＋廃都＋砂丘高地"
    assert (board.width, board.depth) == (28, 44)  # two boards of 7×11 squares, another below


@pytest.mark.slow
def test_a_room_may_say_itself_that_its_boards_are_turned(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "embryo_machine")
    change(tmp_path / "embryo_machine/rooms/team6.yaml", "[A, J2, B]", "[A@180, J2, B, /C]")
    game = corrected(read_game(tmp_path / "embryo_machine"))
    board, *_ = rooms_of_order(game, RoomOrder(rooms=("team6",)))["team6"].tables[0].objects
    assert board.name == "峡谷（180°）＋連結路・大＋廃都＋砂丘高地"
    change(tmp_path / "embryo_machine/rooms/team6.yaml", "/C]", "/X@180]")
    with pytest.raises(InvalidSource, match="There is no board 'X'"):
        read_game(tmp_path / "embryo_machine")


def laid_stacks(game: Game, room: str, **mechs: str) -> dict[str, int]:
    laid = rooms_of_order(game, RoomOrder(rooms=(room,), mechs=mechs))[room]
    return {p.name: len(p.cards) for p in laid.pieces if isinstance(p, CardStack)}


def test_mines_lie_in_the_supply_of_those_who_can_lay_them(game: Game) -> None:
    assert not [name for name in laid_stacks(game, "duel") if "機雷トークン" in name]
    assert "陸上機雷トークン（全20枚）" in laid_stacks(game, "duel", blue1="AR")


def test_teams_are_drawn_from_as_many_chits_as_there_are_players(game: Game) -> None:
    stacks = {room: laid_stacks(game, room) for room in SEATED}
    drawn = {room: found.get("チーム抽選（伏せて引く）", 0) for room, found in stacks.items()}
    assert drawn == {**dict.fromkeys(SEATED, 0), "duel": 2, "team4": 4, "team6": 6}


def test_pawns_carry_their_figures_and_a_palette_that_uses_them(
    rooms: dict[str, Room[Face]],
) -> None:
    pawn = next(
        p for p in rooms["duel"].pieces if isinstance(p, Character) and "アルギュロス" in p.name
    )
    fields = {field.name: field for field in pawn.detail[0].children}
    assert "耐久値" not in fields  # its destroyed cards count it
    assert fields["戦闘不能"].value == "18"
    assert not [field.name for field in fields.values() if field.type == "numberResource"]
    shown = [fields[name].value for name in ("移動値", "回避値", "イニシアチブ", "突撃", "被突撃")]
    assert shown == ["5", "6", "7", "6", "3"]
    assert pawn.palette is not None
    assert "{回避値}" in pawn.palette.text
    assert "ランス（白兵） 射程2～3 ダメージ3" in pawn.palette.text


@pytest.mark.parametrize(
    ("name", "boxes"), [("armoury", ["base"]), ("armoury_gifted", ["base", "throne", "gifted"])]
)
def test_an_armoury_holds_every_card_of_its_boxes_and_no_others(
    game: Game, rooms: dict[str, Room[Face]], name: str, boxes: list[str]
) -> None:
    cards = [card for card in game.cards.values() if card.text("edition") in ("", *boxes)]
    lying = {card.name for card in playing_cards(game, rooms[name])}
    assert lying == {card.name for card in cards if card.kind in ("weapon", "basic")}
    skills = {card.name for card in game.cards.values() if card.kind == "skill"}
    assert skills <= {card.name for card in rooms[name].cards} or name == "armoury"


@pytest.mark.parametrize("name", ["armoury", "armoury_gifted"])
def test_the_armoury_has_enough_basic_cards_for_its_benches_and_all_printed_decks(
    game: Game, rooms: dict[str, Room[Face]], name: str
) -> None:
    lying = Counter(card.name for card in playing_cards(game, rooms[name]))
    printed: Counter[str] = Counter()
    for entry in game.decks:
        printed[entry.card] += entry.copies
    benches = sum(seat.layout == "bench" for seat in game.rooms[name].seats)
    for frame in game.frames:
        build = Build(name="x", frame={**frame.key, "seats": "単座"}, mounted={})
        for card in built_loadout(game, build).deck:
            assert lying[card.card.name] >= benches * card.copies, (frame.key, card.card.name)
            assert lying[card.card.name] >= printed[card.card.name]
    assert lying["プレート"] == 27


def test_the_sheet_of_a_build_of_ones_own_does_not_call_it_printed(game: Game) -> None:
    build = Build(name="私の機体", frame={"armour": "軽", "size": "S", "seats": "単座"}, mounted={})
    for regulation, said in (("", "自作の構成"), ("open", "open（自作の構成）")):
        order = RoomOrder(rooms=("duel",), mechs={"red1": replace(build, regulation=regulation)})
        room = rooms_of_order(game, order)["duel"]
        sheets = {p.name: str(p.detail) for p in room.pieces if p.name.endswith("機体シート")}
        assert f"レギュレーション：{said}" in sheets["赤1 私の機体 機体シート"]
        assert "レギュレーション：基本（印刷された構成）" in sheets["青2 フォルニッセ 機体シート"]


@pytest.mark.slow
def test_the_cards_of_a_box_that_is_added_lie_in_an_armoury_and_on_a_sheet(tmp_path: Path) -> None:
    folder = tmp_path / "embryo_machine"
    shutil.copytree(FOLDER, folder)
    named = folder / "game.yaml"
    text = named.read_text(encoding="utf-8")
    gifted = "  gifted: {name: {ja: Gifted, en: Gifted}, requires: [base, throne]}\n"
    assert gifted in text
    named.write_text(text.replace(gifted, gifted + "  fourth: {name: 4}\n"), encoding="utf-8")
    weapons = folder / "cards/weapons.csv"
    lines = weapons.read_text(encoding="utf-8-sig").splitlines()
    row = "X1,新しい槍,B,白兵,2～3,effective,3,,,腕,1,,1,fourth,deck,stated,1,,,spear,,,,,,,,,"
    weapons.write_text("\n".join([*lines, row, ""]), encoding="utf-8")
    printed = read_game(folder)
    assert printed.cards["X1"].text("edition") == "fourth"
    game = corrected(printed)
    room = rooms_of_order(game, RoomOrder(rooms=("armoury_gifted",)))["armoury_gifted"]
    assert "新しい槍" in {card.name for card in playing_cards(game, room)}
    job = read_jobs(folder, printed, stationery())["weapons"]
    cards = [entry.card.id for entry, _kit in chosen_cards(stocked(printed, PrintOrder()), job)]
    assert "X1" in cards
    assert "B14" not in cards


def test_a_mech_whose_figures_nobody_published_says_why(game: Game) -> None:
    with pytest.raises(InvalidSource, match="were never published"):
        rooms_of_order(game, RoomOrder(rooms=("duel",), mechs={"red1": "PREAMOR"}))


def test_a_changed_text_changes_exactly_the_faces_that_show_it(game: Game) -> None:
    card = game.cards["B17"]
    other = replace(card, fields={**card.fields, "effect": "別の文"})
    changed = replace(game, cards={**game.cards, "B17": other})
    before = set(pictures(rooms_of_order(game, RoomOrder(rooms=("duel",)))["duel"]))
    after = set(pictures(rooms_of_order(changed, RoomOrder(rooms=("duel",)))["duel"]))
    assert len(before - after) == len(after - before) == 1
    note = replace(card, fields={**card.fields, "note": "別の注"})
    noted = replace(game, cards={**game.cards, "B17": note})
    assert set(pictures(rooms_of_order(noted, RoomOrder(rooms=("duel",)))["duel"])) == before


def test_seats_are_named_to_a_host_by_the_numbers_of_their_players(game: Game) -> None:
    named = {
        room: [seat.name for seat in game.rooms[room].numbered_seats]
        for room in ("team4", "armoury")
    }
    assert named["team4"] == ["赤1", "青2", "赤3", "青4"]
    assert named["armoury"][3:5] == ["組立台4", "席1"]
