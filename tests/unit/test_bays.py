"""A mech is one file: where it stands follows from the mechs there are."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import run
from made_up_games import write
from msgspec.structs import replace
from small_game import change

from exporter.importer.starter import check_new_mech
from exporter.loader.game_reader import read_game
from exporter.model.tabletop import CardStack, Room, TextNote
from exporter.udonarium.read import read_zip

HANGAR = """\
id: hangar
name: 格納庫
players: [1, 2]
bays: {editions: [base], layout: seat, unpublished: place}
arrange: {top: ["bays:kai"], centre: ["bays:unpublished"], bottom: ["bays:basic"]}
variants:
  hangar: {}
  racks: {bays: {layout: seat, unpublished: place}, arrange: {top: [bays]}}
  more: {bays: {editions: [more], layout: seat, unpublished: place}, arrange: {top: [bays]}}
"""
PLACE = """
place:
  size: [8, 2]
  items: [{lay: note, title: "${code} ${mech} is unpublished", text: "${note}", at: [0, 0]}]
"""
ANOTHER = """\
code: AB
name: Beta
edition: base
frame: {size: S}
loadouts:
  basic: {mounted: {arm: [Net]}}
"""
UNKNOWN = """\
code: AC
name: Gamma
edition: more
unknown: [frame, loadouts]
note: Nobody knows.
"""
FIGURES = "- {name: arms, part: arm, terms: [{label: frame, value: '3'}]}\n"


@pytest.fixture
def small(small: Path) -> Path:
    files = {"rooms/hangar.yaml": HANGAR, "mechs/AC.yaml": UNKNOWN, "figures.yaml": FIGURES}
    with (small / "layouts.yaml").open("a", encoding="utf-8") as file:
        file.write(PLACE)
    return write(small, files)


def build(*words: str) -> list[str]:
    result = run("build", "small", *words)
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


def room(name: str) -> Room[str]:
    found = read_zip(Path(f"output/small/{name}.zip").read_bytes()).room
    assert found is not None
    return found


def stacks(name: str) -> list[tuple[str, int]]:
    return [(one.name, len(one.cards)) for one in room(name).pieces if isinstance(one, CardStack)]


def test_the_hangar_of_a_box_holds_its_mechs_in_each_of_their_loadouts(small: Path) -> None:
    build("--room", "hangar")
    assert stacks("hangar") == [("Alpha", 1), ("Alpha", 3)]


def test_a_mech_is_one_file(small: Path) -> None:
    """Deck, bay and what is dropped into a room follow from it; nothing else is written."""
    (small / "mechs" / "AB.yaml").write_text(ANOTHER, encoding="utf-8")
    build("--room", "hangar", "--room", "racks")
    assert stacks("hangar") == [("Alpha", 1), ("Alpha", 3), ("Beta", 1)]
    assert stacks("racks") == [("Alpha", 3), ("Beta", 1)]
    build("--loose", "AB")
    assert run("check", "small").exit_code == 0


def test_a_mech_nobody_published_has_a_place_that_says_so(small: Path) -> None:
    build("--room", "racks", "--room", "hangar")
    notes = [(n.title, n.text) for n in room("racks").pieces if isinstance(n, TextNote)]
    assert notes == [("AC Gamma is unpublished", "Nobody knows.")]
    assert not [n for n in room("hangar").pieces if isinstance(n, TextNote)]  # of another box


def test_more_bays_than_fit_stand_in_further_rows(small: Path) -> None:
    for number in range(12):
        text = ANOTHER.replace("AB", f"B{number}").replace("Beta", f"Beta {number}")
        (small / "mechs" / f"B{number}.yaml").write_text(text, encoding="utf-8")
    build("--room", "racks")
    found = [one for one in room("racks").pieces if isinstance(one, CardStack)]
    assert len(found) == 13
    assert len({one.y for one in found}) == 2
    assert room("racks").tables[0].width <= 100


def test_rooms_whose_mechs_are_in_boxes_not_owned_are_left_out(small: Path) -> None:
    said = build("--boxes", "base")
    assert "Left out by --boxes base: rooms more." in said
    assert not Path("output/small/more.zip").exists()
    build("--room", "racks", "--boxes", "base")
    assert not [n for n in room("racks").pieces if isinstance(n, TextNote)]
    refused = run("build", "small", "--room", "more", "--boxes", "base")
    assert refused.exit_code == 1
    assert (
        "The room 'more' is for showing mechs, but the chosen boxes contain none." in refused.output
    )


def test_a_room_with_a_seat_for_a_mech_of_another_box_is_left_out_too(small: Path) -> None:
    change(small / "mechs" / "AA.yaml", "edition: base", "edition: more")
    said = build("--boxes", "base")
    assert "Left out by --boxes base: rooms hangar, racks, more, table." in said
    named = run("build", "small", "--boxes", "base", "--room", "table")
    assert (
        "'red1' plays 'Alpha', which comes in the box 'more'; that is not among the boxes you own"
        in named.output
    )


def test_bays_are_for_a_room_that_has_some_and_for_variants_there_are(small: Path) -> None:
    path = small / "rooms" / "hangar.yaml"
    change(path, '"bays:kai"', '"bays:kay"')
    change(small / "rooms" / "box.yaml", "[supply]", "[supply, bays]")
    told = run("build", "small").output
    assert "rooms/hangar.yaml:5:17: error SRC-REF There is no seat or layout 'bays:kay'." in told
    assert "rooms/box.yaml:4:28: error SRC-REF There is no seat or layout 'bays'." in told


def test_a_new_mech_is_a_sound_file_to_fill_in(small: Path) -> None:
    made = run("new-mech", "small", "XX", "--edition", "base", "--lang", "en")
    assert made.exit_code == 0, made.output
    path = small / "mechs" / "XX.yaml"
    text = path.read_text(encoding="utf-8")
    assert made.output.splitlines() == [
        str(path.relative_to(Path.cwd())),
        "Fill in its values, then run: exporter check small",
    ]
    assert "frame: {size: S}\n#   size: S\n" in text
    assert "      arm: []    # 3 at most\n" in text
    assert "edition: base    # its box: base 基本, more 拡張\n" in text
    assert list(read_game(small).mechs["XX"].loadouts) == ["basic", "kai"]
    assert run("check", "small").exit_code == 0
    build("--room", "hangar")
    change(path, "XX    #", "Xantha    #")
    path.write_text(path.read_text(encoding="utf-8").replace("[]", "[Sword]"))
    build("--room", "hangar")
    assert ("Xantha（見本）", 1) in stacks("hangar")


def test_its_comments_are_in_the_readers_language(small: Path) -> None:
    run("new-mech", "small", "XX", "--edition", "拡張", "--lang", "ja")
    text = (small / "mechs" / "XX.yaml").read_text(encoding="utf-8")
    assert "      arm: []    # 3枚まで\n" in text
    assert "name: XX    # 呼び名\n" in text
    assert "edition: more    # 入っている箱" in text


@pytest.mark.parametrize("code", ["AA", "aa", "a/b", "..", "x" * 65, "ゲーム"])
def test_a_code_that_is_taken_or_cannot_name_a_file_is_refused(code: str, small: Path) -> None:
    before = sorted(small.rglob("*"))
    assert run("new-mech", "small", code, "--edition", "base").exit_code == 1
    assert sorted(small.rglob("*")) == before


def test_a_new_mech_is_in_no_edition_that_nobody_named(small: Path) -> None:
    before = sorted(small.rglob("*"))
    asked = run("new-mech", "small", "XX", "--lang", "en")
    assert asked.exit_code == 1
    assert "The game has the boxes base, more, and none was given." in asked.output
    assert "--edition base" in asked.output
    unknown = run("new-mech", "small", "XX", "--edition", "mor", "--lang", "en")
    assert (unknown.exit_code, "'more'" in unknown.output) == (1, True)
    assert sorted(small.rglob("*")) == before
    game = read_game(small)
    alone = replace(game, editions={"base": game.editions["base"]})
    assert check_new_mech(alone, small / "mechs/XX.yaml", "XX", "", is_ours=False) == "base"


def test_the_games_inside_the_program_stay_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = run("new-mech", "embryo_machine", "XX")
    assert refused.exit_code == 1
    assert "exporter new my_embryo_machine --like embryo_machine" in refused.output
