"""What styles take: wrong values are told at their place, and the rest is no part of a face."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import shipped
from made_up_games import copied
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


STYLE = "values: {emblem: 宿}"


@pytest.mark.parametrize(
    ("wrong", "place", "words"),
    [
        ("{emblm: 宿}", "6:41", "The key 'emblm' cannot be used here. Did you mean 'emblem'?"),
        ("{color: green}", "6:41", "Did you mean 'colour'?"),
        ('{colour: "#12345"}', "6:49", "found '#12345'; allowed: a colour such as #2f7d7a"),
        ('{colour: "#abcd"}', "6:49", "found '#abcd'"),
        ("{colour: 4f7d3a}", "6:49", "found '4f7d3a'"),
        ("{colour: [red]}", "6:49", "found a list of 1"),
        ("{texture: strips}", "6:50", "Did you mean 'stripes'?"),
        ("{emblem: [宿]}", "6:49", "allowed: a text"),
        ("{lines: [x]}", "6:41", "The key 'lines' cannot be used here."),
    ],
)
def test_a_wrong_value_of_a_style_is_told_with_the_nearest(
    inn: Path, wrong: str, place: str, words: str
) -> None:
    change(inn, "game.yaml", STYLE, f"values: {wrong}")
    (problem,) = told(inn)
    assert problem.startswith(f"inn/game.yaml:{place}: error")
    assert words in problem


def test_a_colour_that_a_hash_makes_a_remark_is_told(inn: Path) -> None:
    change(
        inn,
        "game.yaml",
        "{like: card_back, values: {emblem: 宿}}",
        """
    like: card_back
    values:
      colour: #2f7d7a""",
    )
    (problem,) = told(inn)
    assert "colour: found nothing" in problem
    assert 'Put it in quotes: `colour: "#2f7d7a"`.' in problem


def test_values_that_a_style_is_like_are_those_of_its_template(inn: Path) -> None:
    """A style may be like another and have its own template: then it takes other values."""
    change(
        inn, "game.yaml", "kinds:\n",
        "  board: {like: dish, template: plain/sheet.typ, values: {shape: disc}}\nkinds:\n",
    )  # fmt: skip
    (problem,) = told(inn)
    assert "The key 'shape' cannot be used here." in problem  # but `slots.big` is only inherited


def _line(path: Path, part: str) -> int:
    lines = path.read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if part in line)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("figure: worker", "figure: wroker", "Did you mean 'worker'?"),
        ("zones: {皿: [0, 1, 2, 2]}", "zones: {皿: [3, 1, 2, 2]}", "beyond the mat of 4 × 3"),
        ("zones: {皿: [0, 1, 2, 2]}", "zones: {皿: [0, 1, 2]}", "皿: found a list of 3"),
        ("zones: {皿: [0, 1, 2, 2]}", "zones: {皿: {at: [0, 1, 2, 2], hint: 皿}}", "'hint'"),
        ("name: 昼,", "name: 昼, values: {colour: red},", "`values` cannot be used with"),
    ],
)
def test_a_wrong_value_of_a_thing_is_told_where_it_stands(
    inn: Path, old: str, new: str, words: str
) -> None:
    change(inn, "layouts.yaml", old, new)
    (problem,) = told(inn)
    line = _line(inn / "layouts.yaml", new)
    assert problem.startswith(f"inn/layouts.yaml:{line}:")
    assert words in problem


def test_a_value_that_is_filled_in_is_held_against_the_style_then(inn: Path) -> None:
    change(inn, "rooms/table.yaml", 'tint: "#2f7d7a"', 'tint: "#2f7"')
    (problem,) = told(inn)
    assert problem.startswith("inn/layouts.yaml:7:")
    assert (
        "colour: with its values filled in, this is '#2f7', but plain/pawn.typ takes a colour"
        in problem
    )


def test_a_wrong_cell_is_told_at_the_cell_once_for_each(inn: Path) -> None:
    change(inn, "cards/dishes.csv", "#8a5a3a", "#8a5a3")
    (problem,) = told(inn)
    assert problem.startswith("inn/cards/dishes.csv:2:")
    assert "colour: found '#8a5a3'" in problem


def test_a_column_of_another_type_than_the_style_takes_is_told(inn: Path) -> None:
    change(inn, "game.yaml", "colour: text", "colour: list")
    assert any("plain/card.typ takes a colour" in problem for problem in told(inn))


def test_numbers_of_a_job_have_bounds(inn: Path) -> None:
    sheet = inn / "sheets" / "dial.yaml"
    sheet.parent.mkdir()
    sheet.write_text(
        "id: dial\nname: 盤\nlay: dial\nface: dial\n"
        "values: {rounds: 100, first: 1000000, at: 0.6, aboven: 上}\n",
        encoding="utf-8",
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
    (inn / "pictures").mkdir()
    (inn / "pictures" / "D1.png").write_bytes(b"")
    (problem,) = told(inn)
    assert problem.startswith("inn/pictures/D1.png: error SRC-FILE This picture is not shown")


# ---- slots


def test_a_slot_whose_field_this_side_does_not_get_is_told(inn: Path) -> None:
    change(inn, "game.yaml", "back: dish_back", "back: dish")
    problems = told(inn)
    assert len(problems) == 3  # effect, name and price
    place = f"inn/game.yaml:{_line(inn / 'game.yaml', 'back: dish')}:11: error SRC-SLOT"
    (name,) = [one for one in problems if "the field 'name'" in one]
    assert name.startswith(f"{place} The back of dish shows the field 'name'")
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
    change(inn, "layouts.yaml", '{figure: worker, colour: "${tint}", letter: "${count}"}', "{}")
    assert any(
        "the field 'price', but there is no value for it on this line" in problem
        for problem in told(inn)
    )


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        ("emblem: 宿", "emblem: crwon", "6:41", "no icon 'crwon'. Did you mean 'crown'?"),
        ("{slots", "{tag_icon: rpg:swrod, slots", "5:34", "no icon 'rpg:swrod'"),
        ("{slots", "{looks: {汁: {icon: hamer}}, slots", "5:46", "Did you mean 'hammer'?"),
        ("{slots", "{icon: 火, slots", "", ""),
    ],
)
def test_an_icon_of_a_look_that_there_is_not_is_told_at_its_place(
    inn: Path, old: str, new: str, place: str, words: str
) -> None:
    change(inn, "game.yaml", "players: [1, 2]\n", "players: [1, 2]\nfamily: fantasy\n")
    change(inn, "game.yaml", old, new)
    if not words:
        read_game(inn)
        return
    with pytest.raises(InvalidSource) as caught:
        read_game(inn)
    assert words in str(caught.value)


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


@pytest.mark.parametrize(
    ("marks", "text", "nearest"),
    [
        ("{}", "[炎]で焼く。", ""),
        ("{炎: 火, 2: 弐}", "[炎々]で焼く。", "Did you mean '炎'?"),
        ("{}", "[2]皿。", ""),
    ],
)
def test_a_mark_that_nothing_stands_for_is_told(
    inn: Path, marks: str, text: str, nearest: str
) -> None:
    change(inn, "game.yaml", "id: inn\n", f"id: inn\nmarks: {marks}\n")
    change(inn, "cards/dishes.csv", "あたたまる。", text)
    (problem,) = told(inn)
    assert problem.startswith("inn/cards/dishes.csv:2:8: error SRC-MARK [")
    assert nearest in problem


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
    (inn / "notes").mkdir()
    (inn / "notes" / "rules.yaml").write_text(
        "- {id: a, title: 宿, text: '[炎]を払う。'}\n", encoding="utf-8"
    )
    (problem,) = told(inn)
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
    template = tmp_path / "templates" / "faces" / "inn" / "card.typ"
    template.parent.mkdir(parents=True)
    takes = "// A card.\n//\n// takes:\n//   of_kind: {type: given}\n"
    template.write_text(takes + "#let face(values) = []\n", encoding="utf-8")
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
    template = tmp_path / "templates" / "faces" / "inn" / "card.typ"
    template.parent.mkdir(parents=True)
    template.write_text("#let face(values) = []\n", encoding="utf-8")
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


def test_what_is_no_colour_is_told_where_it_stands(inn: Path) -> None:
    change(inn, "game.yaml", "{slots", "{colour_by: cook, colours: {甲: redd}, slots")
    change(inn, "game.yaml", "effect, colour]", "effect, colour, cook]")
    (problem,) = told(inn)
    assert "5:61: error SRC-VALUE 'redd' is no colour. Did you mean 'red'?" in problem


def test_a_word_of_colours_that_no_card_has_is_told(inn: Path) -> None:
    change(inn, "game.yaml", "{slots", "{colour_by: cook, colours: {甲乙: red}, slots")
    change(inn, "game.yaml", "effect, colour]", "effect, colour, cook]")
    (notice,) = read_game(inn).notices
    assert "No card of this kind has the word '甲乙'" in str(notice)


def test_a_cell_that_names_no_colour_is_told_once(inn: Path) -> None:
    text = (inn / "cards" / "dishes.csv").read_text(encoding="utf-8")
    rows = text.split("\n")
    at = rows[0].split(",").index("colour")
    cells = [row.split(",") for row in rows[1:] if row]
    table = [rows[0], *(",".join([*row[:at], "reddish", *row[at + 1 :]]) for row in cells)]
    (inn / "cards" / "dishes.csv").write_text("\n".join(table), encoding="utf-8")
    (notice,) = read_game(inn).notices
    assert "'reddish' is no name of a colour" in str(notice)
