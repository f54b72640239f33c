"""What styles take: wrong values are told at their place, and the rest is no part of a face."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import shipped
from made_up_games import copied, write
from small_game import change as exchange

from exporter.core.problems import (
    InvalidSource,
)
from exporter.core.shipped_files import template_folders
from exporter.faces.card_faces import (
    Face,
    card_back,
    card_front,
    face,
)
from exporter.faces.style_values import read_declaration
from exporter.loader.game_reader import read_game
from exporter.loader.print_job_files import (
    read_jobs,
    read_stationery,
)
from exporter.model import (
    DeckCard,
    Game,
)
from exporter.model.tabletop import (
    CardStack,
    pictures,
)
from exporter.render.painter import paint
from exporter.rooms.picture_names import named_faces
from exporter.rooms.room_orders import RoomOrder, rooms_of_order

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def inn(tmp_path: Path) -> Path:
    """A small game of plain styles."""
    return copied("inn", tmp_path)


def change(inn: Path, file: str, old: str, new: str) -> None:
    exchange(inn / file, old, new)


def told(inn: Path) -> list[str]:
    """Every problem of reading the game, and of planning its rooms."""
    with pytest.raises(InvalidSource) as caught:
        rooms_of_order(read_game(inn), RoomOrder())
    return [str(problem) for problem in caught.value.problems]


def test_the_inn_is_in_order(inn: Path) -> None:
    assert rooms_of_order(read_game(inn), RoomOrder())


GAME, CARDS, LAYOUTS, ROOM = "game.yaml", "cards/dishes.csv", "layouts.yaml", "rooms/table.yaml"
STYLE = "values: {emblem: 宿}"
FIGURE = '{figure: worker, colour: "${tint}", letter: "${count}"}'


def test_numbers_of_a_job_have_bounds(inn: Path) -> None:
    values = "{rounds: 100, first: 1000000, at: 0.6, aboven: 上}"
    write(
        inn, {"sheets/dial.yaml": f"id: dial\nname: 盤\nlay: dial\nface: dial\nvalues: {values}\n"}
    )
    with pytest.raises(InvalidSource) as caught:
        read_jobs(inn, read_game(inn), read_stationery(template_folders("sheets")))
    found = "\n".join(map(str, caught.value.problems))
    assert "dial.yaml:5:18: error SRC-VALUE rounds: found '100'; allowed: at most 99." in found
    assert "first: found '1000000'" in found
    assert "at: found '0.6'" in found
    assert "Did you mean 'above'?" in found


def test_a_picture_that_its_style_does_not_show_is_told(inn: Path) -> None:
    change(inn, "game.yaml", "front: dish\n", "front: dish_back\n")
    (problem,) = told(write(inn, {"pictures/D1.png": ""}))
    assert problem.startswith("inn/pictures/D1.png: error SRC-FILE This picture is not shown")


# ---- slots


def test_a_slot_whose_field_this_side_does_not_get_is_told(inn: Path) -> None:
    change(inn, "game.yaml", "back: dish_back", "back: dish")
    problems = told(inn)
    assert len(problems) == 3  # effect, name and price
    (name,) = [one for one in problems if "the field 'name'" in one]
    assert name.startswith(
        "inn/game.yaml:14:11: error SRC-SLOT The back of dish shows the field 'name'"
    )
    assert "Add name to the kind's `back_fields`" in name


@pytest.mark.parametrize(
    ("word", "told_as"),
    [
        (
            "cook",
            "is not in the kind's `front_fields`. Add cook to the kind's `front_fields`",
        ),  # a field that is not shown
        ("prise", "Did you mean 'price'? To show the word itself, write it in quotes: \"prise\"."),
        ('"prise"', ""),
        ("名物", ""),
        ("値階", "Did you mean '値段'?"),
        ("階段", "Did you mean '値段'?"),
        ("Special", ""),
    ],
)
def test_a_word_in_a_slot_is_itself_unless_a_field_was_meant(
    inn: Path, word: str, told_as: str
) -> None:
    change(inn, "game.yaml", "tag: 料理", f"tag: {word}")
    change(inn, "game.yaml", "cook: text}", "cook: text, 値段: text}")
    change(inn, "game.yaml", "effect, colour]", "effect, colour, 値段]")
    if told_as:
        assert told_as in told(inn)[0]
    else:
        read_game(inn)


def test_a_piece_in_a_style_of_cards_has_to_bring_what_its_slots_show(inn: Path) -> None:
    change(inn, "layouts.yaml", "{lay: piece, name: 客,", "{lay: piece, face: dish, name: 客,")
    change(inn, "layouts.yaml", FIGURE, "{}")
    assert any(
        "the field 'price', but there is no value for it on this line" in problem
        for problem in told(inn)
    )


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        ("emblem: 宿", "emblem: crwon", "7:49", "no icon 'crwon'. Did you mean 'crown'?"),
        ("{slots", "{tag_icon: rpg:swrod, slots", "6:41", "no icon 'rpg:swrod'"),
        ("{slots", "{looks: {汁: {icon: hamer}}, slots", "6:49", "Did you mean 'hammer'?"),
        ("{slots", "{icon: 火, slots", "", ""),
    ],
)
def test_an_icon_of_a_look_that_there_is_not_is_told_at_its_place(
    inn: Path, old: str, new: str, place: str, words: str
) -> None:
    change(inn, "game.yaml", "players: [1, 2]\n", "players: [1, 2]\nfamily: fantasy\n")
    change(inn, "game.yaml", old, new)
    if words:
        assert any(f":{place}: " in problem and words in problem for problem in told(inn))
    else:
        read_game(inn)


def test_an_icon_of_a_card_and_of_a_mat_is_told_at_its_place(inn: Path) -> None:
    change(inn, "game.yaml", "players: [1, 2]\n", "players: [1, 2]\nfamily: fantasy\n")
    change(inn, "game.yaml", "cook: text}", "icon: text}")
    change(inn, "game.yaml", "effect, colour]", "effect, colour, icon]")
    change(inn, "cards/dishes.csv", "colour,cook", "colour,icon")
    change(inn, "cards/dishes.csv", "甲", "hamer")
    change(inn, "layouts.yaml", "values: {name: 膳}", "values: {name: 膳, icon: crwon}")
    card, mat = told(inn)
    assert card.startswith("inn/cards/dishes.csv:2:23: error FACE There is no icon 'hamer'.")
    assert mat.startswith("inn/layouts.yaml:6:65: error FACE There is no icon 'crwon'.")


# ---- marks


def test_a_mark_that_nothing_stands_for_is_told_with_the_nearest(inn: Path) -> None:
    change(inn, "game.yaml", "id: inn\n", "id: inn\nmarks: {炎: 火, 2: 弐}\n")
    change(inn, "cards/dishes.csv", "あたたまる。", "[炎々]で焼く。")
    (problem,) = told(inn)
    assert "Did you mean '炎'?" in problem


def test_a_mark_on_faces_alone_needs_an_icon_or_a_text(inn: Path) -> None:
    change(inn, "game.yaml", "    detail: {効果: effect}\n", "")
    change(inn, "cards/dishes.csv", "あたたまる。", "[炎]で焼く。")
    (problem,) = told(inn)
    assert "plain/card.typ does not draw the icon [炎], and there is no text for it." in problem


def test_the_text_of_a_mark_stands_on_faces_that_have_no_icon_for_it(inn: Path) -> None:
    change(inn, "game.yaml", "id: inn\n", "id: inn\nmarks: {炎: 火}\n")
    change(inn, "cards/dishes.csv", "あたたまる。", "[炎]と[P]で焼く。")
    game = read_game(inn)
    front = card_front(game, DeckCard(card=game.cards["D1"]))
    assert json.loads(front.values)["effect"] == "火と[P]で焼く。"


def test_a_mark_in_a_note_needs_a_text(inn: Path) -> None:
    (problem,) = told(
        write(inn, {"notes/rules.yaml": "- {id: a, title: 宿, text: '[炎]を払う。'}\n"})
    )
    assert "inn/notes/rules.yaml:1:3: error SRC-MARK [炎] counts as an icon" in problem


# ---- each look once


def every_face(game: Game) -> list[tuple[tuple[str, ...], Face]]:
    return named_faces(game, rooms_of_order(game, RoomOrder()).values() if game.rooms else ())


def fronts(game: Game) -> dict[tuple[str, ...], str]:
    return {name: face.values for name, face in every_face(game) if name[0] in ("cards", "decks")}


def test_a_card_of_two_decks_is_one_look_where_the_style_shows_no_deck(inn: Path) -> None:
    game = read_game(inn)
    assert fronts(game).keys() == {("cards", "D1"), ("cards", "D2")}
    room = rooms_of_order(game, RoomOrder())["table"]
    stacks = [piece for piece in room.pieces if isinstance(piece, CardStack)]
    assert len({card.front for stack in stacks for card in stack.cards}) == 2


def test_what_a_style_does_not_take_is_no_part_of_its_faces(inn: Path) -> None:
    game = read_game(inn)
    front = card_front(game, DeckCard(card=game.cards["D1"], copies=1, deck="noon", mark="●"))
    assert json.loads(front.values) == {
        "colour": "#8a5a3a", "effect": "あたたまる。", "height": 88, "name": "汁", "picture": "",
        "price": 1, "slots": {"title": "name", "big": "price", "tag": "料理", "text": "effect"},
        "width": 63,
    }  # fmt: skip
    back = card_back(game, DeckCard(card=game.cards["D1"], copies=1, deck="noon"))
    assert json.loads(back.values) == {"deck": "noon", "emblem": "宿", "height": 88, "width": 63}


def test_what_is_said_of_a_kind_reaches_a_template_that_takes_it(
    inn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    takes = "// A card.\n//\n// takes:\n//   of_kind: {type: given}\n"
    write(tmp_path, {"templates/faces/inn/card.typ": takes + "#let face(values) = []\n"})
    monkeypatch.chdir(tmp_path)
    change(inn, "game.yaml", "    front: dish\n", "    front: plate\n    size: 3\n")
    style = "faces:\n  plate: {template: inn/card.typ, size: [63, 88], scale: 4}\n"
    change(inn, "game.yaml", "faces:\n", style)
    game = read_game(inn)
    shown = json.loads(card_front(game, DeckCard(card=game.cards["D1"])).values)
    said = {"id": "dish", "file": "cards/dishes.csv", "front": "plate", "size": 3}
    assert shown["of_kind"].items() >= said.items()


def test_a_back_of_its_own_colour_is_one_look_for_all_decks(inn: Path) -> None:
    change(inn, "game.yaml", STYLE, 'values: {emblem: 宿, colour: "#2f7d7a"}')
    names = [name for name, _face in every_face(read_game(inn)) if name[0] == "backs"]
    assert names == [("backs", "dish_back")]


def test_a_template_that_declares_nothing_gets_everything(
    inn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    template = tmp_path / "templates/faces/inn/card.typ"
    write(tmp_path, {"templates/faces/inn/card.typ": "#let face(values) = []\n"})
    monkeypatch.chdir(tmp_path)
    change(inn, "game.yaml", "{like: card, ", "{like: card, template: inn/card.typ, ")
    change(inn, "game.yaml", "tag: 料理", "tagg: 料理")
    game = read_game(inn)
    front = card_front(game, DeckCard(card=game.cards["D1"], copies=1, deck="noon", mark="●"))
    values = json.loads(front.values)
    assert values.keys() >= {"id", "kind", "side", "code", "mark", "name", "price", "slots"}
    template.write_text("// takes:\n//   code: {type: given}\n" + template.read_text())
    assert any("'slots' cannot be used" in problem for problem in told(inn)), "it was read anew"


def test_a_deck_that_changes_a_card_has_its_own_look_and_the_bare_one_is_not_shown(
    inn: Path,
) -> None:
    (inn / "decks" / "decks.csv").write_text(
        "deck,card,copies,price\nnoon,汁,1,5\nnight,汁,2,7\nnight,飯,1,\n", encoding="utf-8"
    )
    looks = fronts(read_game(inn))
    assert looks.keys() == {("decks", "noon", "D1"), ("decks", "night", "D1"), ("cards", "D2")}
    assert '"price":5' in looks["decks", "noon", "D1"]


def test_every_picture_of_the_rooms_has_a_file(inn: Path) -> None:
    game = read_game(inn)
    found = every_face(game)
    laid = {face for room in rooms_of_order(game, RoomOrder()).values() for face in pictures(room)}
    assert laid <= {face for _name, face in found}
    assert [name for name, _face in found] == [
        ("cards", "D1"), ("cards", "D2"), ("backs", "dish_back"), ("backs", "noon"),
        ("backs", "night"), ("mats", "膳"), ("pieces", "客"),
    ]  # fmt: skip


def test_things_that_differ_in_their_index_alone_are_one_picture(inn: Path) -> None:
    dice = "    - {lay: dice, name: '賽 ${index}', sides: ['1'], count: 2}\n"
    change(inn, "layouts.yaml", "  items:\n", "  items:\n" + dice)
    change(inn, "layouts.yaml", "name: 客, values", "name: '客${index}', count: 3, values")
    found = [name for name, _face in every_face(read_game(inn))]
    assert [name for name in found if name[0] == "dice"] == [("dice", "賽", "1")]
    assert [name for name in found if name[0] == "pieces"] == [("pieces", "客")]


# ---- declarations


def test_a_template_is_read_without_being_run() -> None:
    text = "// A clock.\n//\n// takes:\n//   hour: number\n\n#let face(values) = while true {}\n"
    declaration, problems = read_declaration(text, "clock.typ")
    assert not problems
    assert declaration is not None
    assert declaration.says.en == "A clock."
    assert declaration.takes["hour"].type == "number"


@pytest.mark.parametrize(
    ("line", "place", "words"),
    [
        ("hour: nmuber", "clock.typ:4:12", "allowed: one of text, number"),
        ("hour: {tpye: number}", "clock.typ:4:13", "Did you mean 'type'?"),
        ("hour: {says: the hour}", "clock.typ:4:12", "one of type, words, keys"),
        ("hour: {type: number, most: many}", "clock.typ:4:33", "allowed: a number"),
        ("hour: [", "clock.typ:4:", "This is not valid YAML"),
    ],
)
def test_a_faulty_declaration_is_told_at_its_place(line: str, place: str, words: str) -> None:
    _, problems = read_declaration(f"// A clock.\n//\n// takes:\n//   {line}\n", "clock.typ")
    assert any(str(p).startswith(place) and words in str(p) for p in problems), problems


def test_a_value_beyond_its_bounds_is_never_drawn(tmp_path: Path) -> None:
    """Whatever way it came: errata and other tables than those of cards lead here too."""
    values = {"name": "x", "id": "x", "kinds": [], "range": "-", "damage": "-", "bombs": 100}
    smear = face("embryo/card.typ", values, (63, 88), scale=1)
    with pytest.raises(InvalidSource) as caught:
        paint([smear], ROOT / "templates" / "faces", None, None)
    (problem,) = caught.value.problems
    assert problem.rule == "FACE-VALUE"
    assert "bombs: found 100; embryo/card.typ takes at most 6." in problem.message
    assert dict(problem.values)["name"] == "bombs"


# ---- the shipped games


def test_hero_cards_have_their_names_on_their_backs() -> None:
    game = shipped.printed("unmatched_vol1")
    heroes = [card for card in game.cards.values() if card.kind == "hero"]
    assert heroes
    for card in heroes:
        back = card_back(game, DeckCard(card=card))
        assert json.loads(back.values)["name"] == card.name


@pytest.mark.slow
def test_pictures_of_a_game_whose_decks_change_their_cards_are_right() -> None:
    game = shipped.printed("unmatched_vol1")
    found = dict(every_face(game))
    changed = {entry.card for entry in game.decks if "boost" in entry.fields}
    assert changed
    assert not [name for name in found if name[0] == "cards" and name[1] in changed]
    assert {name[0] for name in found} == {
        "backs", "boards", "cards", "decks", "mats", "pieces", "tables",
    }  # fmt: skip


# ---- words that choose a colour


@pytest.mark.parametrize(
    ("colours", "said"),
    [
        ("{甲: redd}", "5:61: error SRC-VALUE 'redd' is no colour. Did you mean 'red'?"),
        ("{甲乙: red}", "No card of this kind has the word '甲乙'"),  # a notice
    ],
)
def test_a_wrong_colour_of_a_word_is_told(inn: Path, colours: str, said: str) -> None:
    change(inn, "game.yaml", "{slots", f"{{colour_by: cook, colours: {colours}, slots")
    change(inn, "game.yaml", "effect, colour]", "effect, colour, cook]")
    (found,) = told(inn) if "error" in said else map(str, read_game(inn).notices)
    assert said in found


def test_a_cell_that_names_no_colour_is_told_once(inn: Path) -> None:
    text = (inn / "cards/dishes.csv").read_text(encoding="utf-8")
    write(
        inn,
        {
            "cards/dishes.csv": text.replace("#8a5a3a", "reddish").replace(
                "満ちる。,", "満ちる。,reddish"
            )
        },
    )
    (notice,) = read_game(inn).notices
    assert "'reddish' is no name of a colour" in str(notice)
