"""Sample mechs: legal, unlike each other, said to be samples, and gone where nobody wants them."""

from __future__ import annotations

import shutil
from collections import Counter
from itertools import combinations
from pathlib import Path

import msgspec
import pytest
import shipped
from commands import run
from msgspec.structs import replace

from exporter.app.games import open_folder
from exporter.core.problems import InvalidSource
from exporter.faces.card_faces import Face
from exporter.model import Game
from exporter.model.tabletop import Character, Room, pictures
from exporter.rooms.room_orders import RoomOrder, left_rooms, rooms_of_order
from exporter.rules.loadouts import printed_loadout
from exporter.rules.project import without_samples
from exporter.rules.report.check_report import check
from exporter.rules.report.verdicts import CheckOptions

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent.parent / "source_data" / "embryo_machine"
SAMPLES = [mech for mech in shipped.printed().mechs.values() if mech.sample]
EXPANSIONS = ("throne", "gifted")
PARTS = ("頭", "胴", "右腕", "左腕", "右脚", "左脚")
LOADOUTS = [(mech.code, variant) for mech in SAMPLES for variant in mech.loadouts]


@pytest.fixture(scope="module")
def planned(game: Game) -> dict[str, Room[Face]]:
    return rooms_of_order(game, RoomOrder())


@pytest.mark.parametrize("box", EXPANSIONS)
def test_each_expansion_has_six_to_nine_of_them(box: str) -> None:
    found = [mech for mech in SAMPLES if mech.edition == box]
    assert 6 <= len(found) <= 9
    assert all([*mech.loadouts] == ["basic", "kai"] for mech in found)
    assert len({mech.silhouette for mech in found}) == len({mech.colour for mech in found}) == 6
    assert all(mech.text and not mech.printed and not mech.sources for mech in found)


def test_they_are_legal_under_construct_and_no_printed_loadouts() -> None:
    opened = open_folder(FOLDER)
    builds = [replace(one, name=mech.name) for mech in SAMPLES for one in mech.loadouts.values()]
    for regulation, legal in (("construct", True), ("basic", False)):
        report = check(opened, builds, CheckOptions(regulation=regulation), own_data=False)
        verdicts = [one.legal for one in report.builds[-len(builds) :]]
        assert verdicts == [legal] * len(builds)


@pytest.mark.parametrize(("code", "variant"), LOADOUTS)
def test_all_slots_are_filled_mainly_with_cards_of_its_box(
    game: Game, code: str, variant: str
) -> None:
    loadout = printed_loadout(game, code, variant)
    mounted = loadout.build.mounted
    assert {part: len(mounted[part]) for part in PARTS} == {**loadout.slots}
    names = [game.card(name) for part in PARTS for name in mounted[part]]
    own = [card for card in names if card and card.text("edition") == game.mechs[code].edition]
    assert len(own) > len(names) / 2
    assert sum(entry.copies for entry in loadout.deck) == loadout.figures["耐久値"]
    # As in official loadouts: nothing in basic but the second seat; four with 改.
    seats = 2 if loadout.build.frame["seats"] == "複座" else 0
    assert loadout.figures["Aランク数"] == (seats if variant == "basic" else 4)


def test_no_two_mechs_share_more_than_two_thirds_of_their_cards(game: Game) -> None:
    decks: dict[tuple[str, str], Counter[str]] = {}
    for mech in game.mechs.values():
        for variant in mech.loadouts:
            deck = printed_loadout(game, mech.code, variant).deck
            decks[mech.code, variant] = Counter({entry.card.id: entry.copies for entry in deck})
    for (one, first), (two, second) in combinations(decks.items(), 2):
        if one[0] != two[0] and any(game.mechs[name].sample for name in (one[0], two[0])):
            shared = sum((first & second).values())
            assert shared * 3 <= min(first.total(), second.total()) * 2, (one, two)


@pytest.mark.parametrize(("code", "variant"), LOADOUTS)
def test_each_is_built_into_a_duel_and_says_that_it_is_a_sample(
    game: Game, code: str, variant: str
) -> None:
    order = RoomOrder(rooms=("duel",), mechs={"red1": f"{code}:{variant}"})
    room = rooms_of_order(game, order)["duel"]
    loadout = printed_loadout(game, code, variant)
    title = f"{game.mechs[code].name}（見本）"
    assert loadout.name == title
    (pawn,) = [one for one in room.pieces if isinstance(one, Character) and title in one.name]
    theirs = [card for card in room.cards if title in card.name]
    assert [card.name for card in theirs] == [
        f"赤1 {title} 機体シート", f"赤1 {title} 向き（裏は戦闘不能）",
    ]  # fmt: skip
    shown = [pawn.picture, *(face for card in theirs for face in (card.front, card.back))]
    values = [msgspec.json.decode(face.values) for face in shown if face is not None]
    assert len(values) == 5
    assert all(value["sample"] is True for value in values)
    drawn = Counter(card.name for card in room.cards)
    for entry in loadout.deck:
        assert drawn[entry.card.name] >= entry.copies


def test_skills_lie_as_cards_beside_the_mech_and_stand_on_sheet_and_pawn(
    planned: dict[str, Room[Face]], game: Game
) -> None:
    room = planned["gifted4"]
    texts = {card.name: card for card in room.cards if card.name in ("高速反応Ⅰ", "集中力")}
    assert len(texts) == 2
    held = [
        (one.name, one.detail, one.palette)
        for one in room.pieces
        if isinstance(one, Character) and "アンティフォナ" in one.name
    ]
    ((_name, detail, palette),) = held
    effect = game.cards_by_name["高速反応Ⅰ"].text("effect")
    (crew,) = [group for group in detail if group.name == "パイロット"]
    assert [(one.name, effect in str(one.value)) for one in crew.children] == [
        ("ヨナス・リンデ", True),
        ("マグダ・ヴェルト", False),
    ]
    assert palette is not None
    assert f"ヨナス・リンデの技能「高速反応Ⅰ」（消費）。 {effect}" in palette.text.splitlines()
    sheets = [card for card in room.cards if "アンティフォナ" in card.name]
    assert all(any(group.name == "パイロット" for group in card.detail) for card in sheets)


def said(room: Room[Face]) -> str:
    """All that is written in a room: its objects and what its pictures are made of."""
    shown = [face.values for face in pictures(room)]
    return "\n".join([str(msgspec.to_builtins(room, enc_hook=str)), *shown])


def test_without_samples_nothing_of_them_is_anywhere(game: Game) -> None:
    alone = without_samples(game)
    rooms = rooms_of_order(alone, RoomOrder())
    assert left_rooms(alone, RoomOrder()) == ("gifted4", "throne6")
    for name, room in rooms.items():
        text = said(room)
        assert "見本" not in text, name
        assert '"sample":true' not in text, name
        assert not [mech.name for mech in SAMPLES if mech.name in text], name
    assert "PREAMOR プレアモール：未公開" in said(rooms["hangar_throne"])
    assert "IGUANA イグアナ練習機：未公開" in said(rooms["hangar_gifted"])


def test_a_room_for_samples_is_refused_by_name_unless_others_sit_there(game: Game) -> None:
    alone = without_samples(game)
    with pytest.raises(
        InvalidSource, match="'シレンツィオ' is a sample, and --without-samples leaves samples out"
    ):
        rooms_of_order(alone, RoomOrder(rooms=("gifted4",)))
    seats = ("red1", "red2", "blue1", "blue2")
    others = dict(zip(seats, ("AG", "HO", "TR", "LO"), strict=True))
    room = rooms_of_order(alone, RoomOrder(rooms=("gifted4",), mechs=others))["gifted4"]
    assert "見本" not in said(room)


# ---- the commands


def test_build_and_print_leave_them_out_by_an_option_or_by_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared_cache: None
) -> None:
    shutil.copytree(FOLDER, tmp_path / "source_data" / "embryo_machine")
    monkeypatch.chdir(tmp_path)
    refused = run("build", "embryo_machine", "--loose", "EP", "--without-samples")
    assert refused.exit_code == 1
    assert "'エペルヴィエ' is a sample, and --without-samples leaves samples out." in refused.output
    printed = run(
        "print", "embryo_machine", "--sheet", "blank", "--only", "EP", "--without-samples"
    )
    assert "No sheet has anything called 'EP'" in printed.output
    head = tmp_path / "source_data" / "embryo_machine" / "game.yaml"
    text = head.read_text(encoding="utf-8").replace(
        "players: [2, 9]", "players: [2, 9]\nsamples: false", 1
    )
    head.write_text(text, encoding="utf-8")
    assert run("build", "embryo_machine", "--loose", "EP").exit_code == 1
    assert run("build", "embryo_machine", "--loose", "AG").exit_code == 0
