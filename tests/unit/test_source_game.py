"""A game is found by its name, and its folder becomes a game, or every independent fault of every
file with its place.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal
from unicodedata import normalize

import pytest
from made_up_games import write
from source_specimen import FILES, only_problem, problems, spoilt

from exporter.core.problems import InvalidSource, Problem, SourceLocation
from exporter.core.source_files import inside
from exporter.loader.game_folders import find_game, game_folders
from exporter.loader.game_reader import read_game

Form = Literal["NFC", "NFD"]
GAME, CARDS = "game.yaml", "cards/weapons.csv"


def test_a_sound_folder_is_read_whole(tmp_path: Path) -> None:
    game = read_game(spoilt(tmp_path))
    assert (game.id, str(game.name), game.players) == ("tiny", "小さなゲーム", (2, 4))
    assert list(game.cards) == ["W1", "W2"]
    assert game.cards["W2"].fields == {
        "kinds": ("strike", "ram"), "damage": 3, "energy": False, "effect": "Cuts."
    }  # fmt: skip
    assert game.cards["W2"].at("damage") == SourceLocation("tiny/cards/weapons.csv", 3, 21)
    assert game.frames[0].key == {"size": "S"}
    assert game.frames[0].figures == {"speed": 5}
    assert game.frames[0].slots == {"head": 1, "arm": 2}
    assert game.figures[0].terms[0].cites == ("book",)
    assert game.mechs["AA"].loadouts["basic"].mounted == {"head": ("Laser",), "arm": ("W2", "W2")}
    assert [(entry.card, entry.mark, entry.copies) for entry in game.decks] == [
        ("Laser", "●◆", 1), ("Sword", "●", 2)
    ]  # fmt: skip
    assert game.boards["field"].starts == {"south": ((0, 1), (1, 1))}
    assert [cell.elevation for cell in game.boards["field"].cells] == [0, 1, 0, -1, 0]
    assert game.layouts["seat"].items[1].at == "start"
    assert game.rooms["duel"].seats[0].start == ("south", 2)
    assert game.errata[0].changes[0].now == "3"
    assert game.rulings[0].cards == ("Sword",)
    assert game.notes["setup"].title == "準備"


def test_only_game_yaml_is_needed(tmp_path: Path) -> None:
    game = read_game(write(tmp_path, {"game.yaml": "id: a\nname: あ\nplayers: [1, 1]\n"}))
    assert not game.cards
    assert not game.rooms


def test_texts_keep_their_spelling(tmp_path: Path) -> None:
    game = read_game(spoilt(tmp_path, ("sources.yaml", "The book", "1:30")))
    assert (game.sources["book"].title, game.sources["book"].date) == ("1:30", "2019-01-02")


def test_free_values_are_numbers_unless_they_are_quoted(tmp_path: Path) -> None:
    values = 'scale: 6, values: {a: 1, b: "1", c: true, d: x, e: [0.5]}}'
    game = read_game(spoilt(tmp_path, (GAME, "scale: 6}", values)))
    assert game.faces["card"].values == {"a": 1, "b": "1", "c": True, "d": "x", "e": [0.5]}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp932"])
def test_tables_of_other_programs_are_read(tmp_path: Path, encoding: str) -> None:
    folder = spoilt(tmp_path, (CARDS, "Burns.", "燃える。"))
    text = (folder / CARDS).read_text(encoding="utf-8")
    (folder / CARDS).write_bytes(text.replace("\n", "\r\n").encode(encoding))
    card = read_game(folder).cards["W1"]
    assert card.text("effect") == "燃える。"
    assert card.at("name") == SourceLocation("tiny/cards/weapons.csv", 2, 4)


def test_ten_independent_faults_are_ten_problems_in_one_run(tmp_path: Path) -> None:
    folder = spoilt(
        tmp_path,
        (GAME, "teams:", "tems:"),
        (GAME, "scale: 6", "scale: big"),
        (CARDS, "2,1,Burns", "two,1,Burns"),
        (CARDS, "W2,Sword", "W2,Sword,"),
        ("sources.yaml", "date:", "dat:"),
        ("mechs/AA.yaml", "[Laser]", "[Lazer]"),
        ("boards/field.yaml", ".1", ".7"),
        ("layouts.yaml", "lay: stack", "lay: stak"),
        ("rooms/duel.yaml", "mech: AA", "mech: AB"),
        ("rulings.yaml", "topic: Swords", "topic: a: b"),
    )
    assert [text.split(": ")[0] for text in problems(folder)] == [
        "tiny/boards/field.yaml:5:5",
        "tiny/cards/weapons.csv:2:16",
        "tiny/cards/weapons.csv:3:25",
        "tiny/game.yaml:9:1",
        "tiny/game.yaml:17:58",
        "tiny/layouts.yaml:4:12",
        "tiny/mechs/AA.yaml:10:14",
        "tiny/rooms/duel.yaml:6:51",
        "tiny/rulings.yaml:2:11",
        "tiny/sources.yaml:1:25",
    ]


@pytest.mark.parametrize("file", sorted(FILES))
def test_an_unreadable_file_does_not_make_others_wrong(tmp_path: Path, file: str) -> None:
    folder = spoilt(tmp_path)
    (folder / file).write_bytes(b"a\xff\xff: \xfe\n")
    text = only_problem(folder)
    assert text.startswith(f"tiny/{file}:1: error SRC-TEXT ")


def test_a_seat_that_a_variant_leaves_empty_is_looked_at_too(tmp_path: Path) -> None:
    room = "rooms/duel.yaml"
    variant = FILES[room] + "variants:\n  alone: {arrange: {centre: [board]}}\n"
    folder = write(tmp_path / "tiny", {**FILES, room: variant.replace("mech: AA", "mech: AB")})
    assert "There is no mech 'AB'. Allowed: AA" in only_problem(folder)


def test_a_card_named_by_a_name_of_two_cards_is_asked_for_its_id(tmp_path: Path) -> None:
    folder = spoilt(tmp_path, (CARDS, "W2,Sword", "W3,Laser,shoot,1,,\nW2,Sword"))
    found = problems(folder)
    assert len(found) == 3  # the mech, the deck, the erratum
    assert all("W1, W3. Write the id instead of the name." in text for text in found)


def test_a_second_thing_with_one_id_names_the_first(tmp_path: Path) -> None:
    folder = write(spoilt(tmp_path), {"mechs/BB.yaml": FILES["mechs/AA.yaml"]})
    assert "the first is at tiny/mechs/AA.yaml:1:7" in only_problem(folder)


def test_files_that_nothing_reads_are_reported(tmp_path: Path) -> None:
    extra = {"erata.yaml": "", "cards/more.csv": "id,name\n", "mechs/BB.yml": "", "README.md": ""}
    found = problems(write(spoilt(tmp_path), extra))
    assert [text.split(": ")[0] for text in found] == [
        "tiny/cards/more.csv", "tiny/erata.yaml", "tiny/mechs/BB.yml"
    ]  # fmt: skip
    assert "Did you mean 'errata.yaml'?" in found[1]


def test_a_folder_whose_name_is_nearly_right_is_reported(tmp_path: Path) -> None:
    folder = spoilt(tmp_path)
    (folder / "mechs").rename(folder / "mech")
    assert any("Did you mean 'mechs'?" in text for text in problems(folder))


def test_a_folders_own_pictures_are_found_by_id(tmp_path: Path) -> None:
    extra = {"pictures/W1.png": "", "pictures/AA.webp": "", "pictures/.DS_Store": ""}
    game = read_game(write(spoilt(tmp_path), extra))
    assert game.pictures == {"AA": "pictures/AA.webp", "W1": "pictures/W1.png"}


def test_what_systems_leave_in_folders_is_passed_over(tmp_path: Path) -> None:
    names = ("pictures/Thumbs.db", "pictures/desktop.ini", "cards/Desktop.ini", "rooms/.x.yaml")
    assert not problems(write(spoilt(tmp_path), dict.fromkeys(names, "x")))


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("card_form", ["NFC", "NFD"])
def test_file_names_of_a_mac_are_the_same_names(
    tmp_path: Path, form: Form, card_form: Form
) -> None:
    """A zip made on a Mac has ガ in two pieces; so may a table that was saved there."""
    card = normalize(card_form, "ガ1")
    folder = spoilt(tmp_path, (CARDS, "W1,", f"{card},"), (GAME, "weapons.csv", "ガン.csv"))
    (folder / CARDS).rename(folder / normalize(form, "cards/ガン.csv"))
    write(folder, {normalize(form, "pictures/ガ1.png"): ""})
    game = read_game(folder)
    assert game.pictures == {card: "pictures/ガ1.png"}
    assert inside(folder, game.pictures[card]) == folder / normalize(form, "pictures/ガ1.png")


@pytest.mark.parametrize(
    ("name", "said"),
    [("W9.png", "Allowed: AA, W1"), ("W1.gif", "Allowed: .png"), ("AA.jpg", "already")],
)
def test_a_picture_of_nothing_or_of_a_wrong_type_is_reported(
    tmp_path: Path, name: str, said: str
) -> None:
    extra = {f"pictures/{name}": "", "pictures/AA.jpeg": ""}
    assert said in only_problem(write(spoilt(tmp_path), extra))


LINKS = pytest.mark.skipif(os.name == "nt", reason="Windows lets few people make links")


@LINKS
@pytest.mark.parametrize("name", ["mechs/AA.yaml", "pictures/W1.png", "game.yaml"])
def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path, name: str) -> None:
    folder = spoilt(tmp_path)
    outside = write(tmp_path, {"outside": FILES.get(name, "")}) / "outside"
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(outside)
    assert any("out of" in text or "does not lie" in text for text in problems(folder))


@LINKS
def test_a_link_to_itself_is_a_problem(tmp_path: Path) -> None:
    folder = spoilt(tmp_path)
    (folder / "rulings.yaml").unlink()
    (folder / "rulings.yaml").symlink_to("rulings.yaml")
    assert "SRC-FILE" in only_problem(folder)


def test_a_folder_in_a_files_place_and_a_file_in_a_folders(tmp_path: Path) -> None:
    folder = spoilt(tmp_path)
    (folder / "rulings.yaml").unlink()
    (folder / "rulings.yaml").mkdir()
    (folder / "pictures").write_text("")
    found = problems(folder)
    assert [text.split(": ")[0] for text in found] == ["tiny/pictures", "tiny/rulings.yaml"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_a_files_place_is_not_waited_for(tmp_path: Path) -> None:
    folder = spoilt(tmp_path)
    (folder / "rulings.yaml").unlink()
    os.mkfifo(folder / "rulings.yaml")
    assert "is a pipe or device, not a file that can be read" in only_problem(folder)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
@pytest.mark.skipif(
    getattr(os, "geteuid", lambda: 1)() == 0, reason="the superuser may read everything"
)
def test_a_file_that_may_not_be_read_is_a_problem(tmp_path: Path) -> None:
    folder = spoilt(tmp_path)
    (folder / "rulings.yaml").chmod(0)
    assert "You do not have permission to read" in only_problem(folder)


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    folder = spoilt(tmp_path)
    (folder / "rulings.yaml").write_bytes(b"# " + b"x" * 600_000)
    assert "larger than 512 KiB" in only_problem(folder)


@pytest.mark.parametrize(
    ("text", "said"), [("", "Found nothing"), ("- a\n", "Found a list"), ("a\n", "Found 'a'")]
)
def test_a_game_yaml_of_the_wrong_form_says_what_is_needed(
    tmp_path: Path, text: str, said: str
) -> None:
    assert said in only_problem(write(tmp_path, {"game.yaml": text}))


def test_a_missing_game_yaml_and_a_missing_folder_are_problems(tmp_path: Path) -> None:
    assert "There is no file" in only_problem(tmp_path)
    assert "does not exist" in only_problem(tmp_path / "nowhere")
    assert "is a file" in only_problem(write(tmp_path, {"x": ""}) / "x")


def test_faults_without_number_are_not_all_told(tmp_path: Path) -> None:
    folder = spoilt(tmp_path)
    (folder / "rulings.yaml").write_text("- {idd: 1}\n" * 9000)
    found = problems(folder)
    assert 50 < len(found) < 60
    assert any("not all are shown" in text for text in found)
    assert any("more like this" in text for text in found)


def test_a_game_that_holds_too_much_is_read_no_further(tmp_path: Path) -> None:
    folder = write(spoilt(tmp_path), {f"notes/{name}.yaml": "- a\n" * 40_000 for name in "abc"})
    said = "error SRC-FILE This is too much to read: more than 100,000 values."
    assert any(said in line for line in problems(folder))


def test_long_words_are_cut_short_in_messages(tmp_path: Path) -> None:
    folder = spoilt(tmp_path, ("mechs/AA.yaml", "head:", "h" * 900 + ":"))
    assert len(only_problem(folder)) < 200


def test_nul_characters_and_utf16_are_shown_with_their_place(tmp_path: Path) -> None:
    folder = spoilt(tmp_path, (CARDS, "Burns.", "Bu\0rns."))
    assert (
        "tiny/cards/weapons.csv:2:22: error SRC-TEXT This is not a text file: it contains a NUL"
        in only_problem(folder)
    )
    (folder / CARDS).write_bytes("id,name".encode("utf-16"))
    assert "UTF-16" in only_problem(folder)


# ---- a game is found

HEAD = {"game.yaml": "id: a\n"}


def fault(name: str, *sources: Path) -> Problem:
    with pytest.raises(InvalidSource) as caught:
        find_game(name, sources)
    (problem,) = caught.value.problems
    return problem


def test_the_first_source_that_has_a_game_wins(tmp_path: Path) -> None:
    for source, game in [("one", "chess"), ("two", "chess"), ("two", "go")]:
        write(tmp_path / source / game, HEAD)
    one, two = tmp_path / "one", tmp_path / "two"
    assert game_folders([one, two]) == [one / "chess", two / "go"]
    assert find_game("chess", [two, one]) == two / "chess"
    assert find_game("go", [one, two]) == two / "go"


def test_a_folder_is_taken_as_it_is(tmp_path: Path) -> None:
    folder = write(tmp_path / "mine", HEAD)
    assert find_game(str(folder), []) == folder


def test_an_unknown_name_hints_at_the_nearest(tmp_path: Path) -> None:
    write(tmp_path / "chess", HEAD)
    assert fault("ches", tmp_path).hint == "Did you mean 'chess'?"


def test_missing_sources_hold_no_games(tmp_path: Path) -> None:
    assert game_folders([tmp_path / "nowhere"]) == []
    assert "no games were found" in fault("chess", tmp_path / "nowhere").message


def test_a_folder_without_a_game_and_a_file_say_so(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "x.yaml").write_text("")
    assert "has no game.yaml" in fault(str(tmp_path / "empty")).message
    assert "a file" in fault(str(tmp_path / "x.yaml")).message


@pytest.mark.parametrize("name", ["", "a\0b", "x" * 5000, "../..", "~"])
def test_no_name_is_too_strange(name: str) -> None:
    assert fault(name).rule == "SRC-FILE"
