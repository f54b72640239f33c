"""Looks: a designer's game in a family, with icons, pictures by code, a frame and a condition."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import typst
from click.testing import Result
from commands import output_of, run
from PIL import Image, ImageChops
from pypdfium2 import PdfDocument

from exporter.faces.card_faces import card_front
from exporter.faces.drawings import choose_pictures
from exporter.faces.icons import (
    colours_of_word,
    find_icon,
    icon_drawings,
    picture_words,
    with_icons,
)
from exporter.loader.game_reader import read_game
from exporter.model import DeckCard
from exporter.render.painter import prepare_render_job

CARDS = """\
id,name,faction,power,effect
sword,炎の剣士,王国,5,{mdi:sword} を得たら、カードを2枚引く。
wolf,森の狼,森,3,この戦闘の間、{rpg:shield} を1つ無視する。
castle,海の城,王国,0,
"""

GAME = """\
id: tiny
name: 小さなゲーム
players: [2, 2]
family: FAMILY
faces:
  hero: {like: card, values: {VALUES slots: {title: name, tag: faction, big: power, text: effect}}}
  place: {like: card, size: [88, 63]}
  hero_back: {like: card_back, values: {emblem: EMBLEM}}
kinds:
  hero:
    name: 英雄
    file: cards/heroes.csv
    fields: {faction: text, power: number, effect: text}
    front: hero
    front_fields: [faction, power, effect]
    back: hero_back
"""

FRAME = """\
<svg xmlns="http://www.w3.org/2000/svg" width="63mm" height="88mm" viewBox="0 0 63 88">
  <path fill="#804020" fill-rule="evenodd" d="M0 0H63V88H0zM5 14H58V48H5z"/>
  <rect id="slot-art" x="5" y="14" width="53" height="34" fill="none"/>
  <rect id="slot-title" x="7" y="4" width="40" height="9" fill="none"/>
  <rect id="slot-text" x="7" y="57" width="49" height="24" fill="none"/>
</svg>
"""

FACES = Path(__file__).parent.parent / "templates" / "faces"

FAMILIES = ("fantasy", "modern", "science-fiction", "tarot", "playing")


Paint = Callable[..., Result]


@pytest.fixture
def images(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Paint:
    """Paint the pictures of a small game in a family, with further values of its cards."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny" / "cards").mkdir(parents=True)
    (tmp_path / "tiny" / "frames").mkdir()
    (tmp_path / "tiny" / "sheets").mkdir()
    sheet = "id: cards\nname: カード\nlay: cards\ncards: {kind: hero}\n"
    (tmp_path / "tiny" / "sheets" / "cards.yaml").write_text(sheet, encoding="utf-8")
    (tmp_path / "tiny" / "frames" / "wood.svg").write_text(FRAME)

    def painted(
        family: str,
        values: str = "",
        cards: str = CARDS,
        emblem: str = "crown",
        tag: str = "faction",
    ) -> Result:
        game = GAME.replace("FAMILY", family).replace("VALUES", values).replace("EMBLEM", emblem)
        game = game.replace("tag: faction", f"tag: {tag}")
        (tmp_path / "tiny" / "game.yaml").write_text(game, encoding="utf-8")
        (tmp_path / "tiny" / "cards" / "heroes.csv").write_text(cards, encoding="utf-8")
        return run("build", "tiny", "--images", "out", "--format", "png", "--lang", "en")

    return painted


def colour_at(name: str, x: float, y: float) -> tuple[int, ...]:
    """The colour of a card's picture at shares of its width and height."""
    with Image.open(Path("out") / "tiny" / "cards" / f"{name}.png") as image:
        found = image.convert("RGB").getpixel((int(x * image.width), int(y * image.height)))
    assert isinstance(found, tuple)
    return tuple(map(int, found))


def is_white_along(name: str, y: float) -> bool:
    """Whether a line across a card's picture meets white; of a shaded picture, as good as white."""
    return any(min(colour_at(name, x / 100, y)) > 248 for x in range(100))


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_draws_a_game_without_any_art(images: Paint, family: str) -> None:
    result = images(family)
    assert result.exit_code == 0, result.output
    pictures = [Path("out/tiny/cards") / f"{name}.png" for name in ("sword", "wolf", "castle")]
    assert len({picture.read_bytes() for picture in pictures}) == 3


@pytest.mark.slow
def test_a_playing_card_is_the_same_after_half_a_turn(
    images: Paint, monkeypatch: pytest.MonkeyPatch
) -> None:
    slots = "{title: name, suit: faction, big: power}"
    game = GAME.replace("{title: name, tag: faction, big: power, text: effect}", slots)
    monkeypatch.setitem(globals(), "GAME", game.replace("power: number", "power: text"))
    names = [suit + rank for suit in "♠♥" for rank in ("4", "K")]
    rows = [f"{name},{name},{name[0]},{name[1]},\n" for name in names]
    result = images("playing", cards="id,name,faction,power,effect\n" + "".join(rows))
    assert result.exit_code == 0, result.output
    for name in names:
        with Image.open(Path("out") / "tiny" / "cards" / f"{name}.png") as image:
            grey = image.convert("L")
        # But for the edges of its lines.
        differing = ImageChops.difference(grey, grey.rotate(180)).point(lambda by: 255 * (by > 90))
        assert differing.histogram()[255] < 0.01 * grey.width * grey.height, name


@pytest.mark.slow
def test_kinds_of_one_colour_are_told_by_the_outline_of_their_badge(
    images: Paint,
) -> None:
    colours = 'colour_by: faction, colours: {王国: "#505050", 森: "#505050"},'
    assert images("fantasy", colours).exit_code == 0
    # Within a shield, outside a hexagon: the gold of a rim, or the plate below it.
    first, other = (sum(colour_at(name, 0.766, 0.049)) for name in ("sword", "wolf"))
    assert abs(first - other) > 120
    assert sum(colour_at("castle", 0.766, 0.049)) == first


@pytest.mark.slow
@pytest.mark.parametrize("shown", ["faction", "power"])
def test_a_word_in_a_field_chooses_colours(images: Paint, shown: str) -> None:
    looks = 'look_by: faction, looks: {王国: {ground: "#204080"}, 森: {ground: "#205020"}},'
    assert images("fantasy", looks, tag=shown).exit_code == 0
    (red, green, blue), (red2, green2, blue2) = (
        colour_at(n, 0.02, 0.98) for n in ("sword", "wolf")
    )
    assert blue > green > red
    assert green2 > max(red2, blue2)


@pytest.mark.slow
def test_a_drawing_is_the_frame_and_its_rectangles_hold_what_the_card_says(
    images: Paint,
) -> None:
    assert images("fantasy", "frame: frames/wood.svg,").exit_code == 0
    assert colour_at("castle", 0.5, 0.95) == (0x80, 0x40, 0x20)
    assert colour_at("castle", 0.5, 0.3) != (0x80, 0x40, 0x20)
    assert not is_white_along("castle", 0.505)
    figures = "frame: frames/wood.svg, paper: '#fffffe', figures: [[力, power]],"
    assert images("fantasy", figures).exit_code == 0
    assert is_white_along("castle", 0.505)
    low = '<rect id="slot-figures" x="5" y="49" width="20" height="7" fill="none"/>\n</svg>'
    Path("tiny/frames/wood.svg").write_text(FRAME.replace("</svg>", low))
    several = figures.replace("[力, power]", "[力, power], [技, power], [体, power]")
    assert images("fantasy", several).exit_code == 0
    assert is_white_along("castle", 50.5 / 88)
    assert not is_white_along("castle", 57.5 / 88)


def test_texts_in_a_frame_are_of_one_size_too(images: Paint) -> None:
    cards = CARDS.replace("引く。", "引く。" + "手札を1枚捨てて、となりの味方を守る。" * 4)
    assert images("fantasy", "frame: frames/wood.svg,", cards).exit_code == 0
    game = read_game(Path("tiny"))
    fronts = [card_front(game, DeckCard(card=card)) for card in game.cards.values()]
    faces = prepare_render_job(fronts, [FACES], Path("tiny"), None).faces
    sizes = {json.loads(face.values)["text_sizes"]["effect"] for face in faces}
    assert len(sizes) == 1


@pytest.mark.parametrize(
    ("values", "cards", "told"),
    [
        ("icon: rpg:castel-flag,", CARDS, "There is no icon 'rpg:castel-flag'."),
        ("", CARDS.replace("mdi:sword", "mdi:swrd"), "There is no icon 'mdi:swrd'."),
        ("scene: forrest,", CARDS, "'forrest'"),
        ("frame: frames/wod.svg,", CARDS, "Did you mean 'wood.svg'?"),
        ("frame: frames/x.svg,", CARDS, "game.yaml:6:38: error SRC-FILE There is no file"),
        ("display: Regae One,", CARDS, "game.yaml:6:40: error FACE-TEMPLATE There is no typeface"),
    ],
)
def test_a_misspelt_name_is_told_with_the_nearest(
    images: Paint, values: str, cards: str, told: str
) -> None:
    result = images("fantasy", values, cards)
    assert (result.exit_code, told in result.output) == (1, True), result.output


def test_icons_have_names_with_or_without_their_set() -> None:
    assert find_icon("rpg:castle-flag") == find_icon("castle-flag") != ""
    assert find_icon("sail-boat") == find_icon("mdi:sail-boat") != ""
    assert find_icon("castel") == ""
    assert with_icons("a {mdi:sword} b {no:such}") == f"a {find_icon('mdi:sword')} b {{no:such}}"


def pictures(*cards: tuple[str, str], family: str = "fantasy", **more: Any) -> list[dict[str, str]]:
    """What the pictures of cards show, by name and kind."""
    slots = {"title": "name", "tag": "kind_of"}
    usual = {"slots": slots, "family": family, **more}
    return choose_pictures([{**usual, "name": name, "kind_of": kind} for name, kind in cards])


@pytest.mark.parametrize(
    ("name", "kind", "family", "drawing"),
    [
        # What is built is called after beasts and people, and is none; in olden times nothing is a
        # robot.
        ("Iron Basilisk", "Mech", "modern", "ground mech"),
        ("Smuggler", "Ship", "modern", "ground cog"),
        ("Clay Golem", "Monster", "fantasy", "people stone=#8f8a80=#6fd0c0 golem=#9a958a"),
        ("Torchlight", "Item", "fantasy", "tall firebrand"),
        # The last word that means something, of an English name what stands before "of".
        ("市電", "", "modern", "ground tram"),
        ("写真", "", "modern", "ground camera"),
        ("海の宝箱", "", "fantasy", "ground chest"),
        ("Birthday Cakes", "", "modern", "ground cake"),
        ("Train of the Night", "", "modern", "ground train"),
        ("Old Lighthouse 3", "", "fantasy", "ground beaconhouse"),
        ("Dire Wolf Pack", "Beast", "fantasy", "ground wolfhound=#8f96a3"),
        ("Ember Drake", "Beast", "fantasy", "tall dragon=#b5502c"),
        # Two words mean something else than the last of them; so do many.
        ("Hot Dogs", "", "modern", "ground hotdog"),
        ("Egg Waffle", "", "modern", "ground pancakes"),
        ("Police Station", "Location", "modern", "ground precinct"),
        ("Throwing Knives", "Weapon", "fantasy", "aloft kitchenknife"),
        ("Strawberries", "Crop", "modern", "ground strawberry"),
        # A hardship is no ship.
        ("Lighthouse Hardship", "", "fantasy", "ground beaconhouse"),
        ("Carousel", "", "modern", "tall ferriswheel"),
        # A company is of somebody.
        ("Company of Wolves", "", "fantasy", "ground wolfhound=#8f96a3"),
        # Among stars a freighter is no ship.
        ("Night Freighter", "Ship", "science-fiction", "aloft hauler"),
        # What 車 ends is no car.
        ("糸車", "", "tarot", "ground spinningwheel"),
        ("夜明け", "", "tarot", "ground sunrise"),
        ("時計塔", "", "tarot", "tall clocktower"),
        ("量産機ザルド", "機体", "science-fiction", "ground mech"),
        ("終電", "できごと", "modern", "ground commuter"),
        # A short word in kana is no piece of another.
        ("夜明けのバラード", "", "modern", "tall mic"),
        ("ドラムセット", "楽器", "modern", "ground drumset"),
        ("リストラ", "できごと", "modern", "ground papers"),
        # A side word that means something rather than any sight; but a place does not live.
        ("猫の集会", "できごと", "modern", "ground kitty=#8a8794"),
        ("狼たちのなわばり", "場所", "fantasy", "ground village"),
        # In olden times nothing is modern.
        ("名もない歌", "呪文", "fantasy", "tall harp"),
        ("名もない歌", "", "modern", "tall mic"),
        ("古城の門番", "仲間", "fantasy", "people cape armour=#8f9bab human helm spear shield"),
        ("警備員", "人", "fantasy", "people tunic=#2f4a7c human feather=#2f4a7c"),
        # In the colours of the name; silver alone is coins.
        ("銀の匙", "", "tarot", "ground plates=#b9c3d0"),
        ("赤竜ヴァルガ", "魔物", "fantasy", "tall dragon=#b03a34"),
        (
            *("黒騎士", "", "fantasy"),
            "people cape armour=#474a5a human visor=#474a5a great shield",
        ),
        ("Green Slime", "", "fantasy", "ground slime=#4f8a45"),
    ],
)
def test_a_name_is_about_its_longest_last_word_in_its_time_and_colours(
    name: str, kind: str, family: str, drawing: str
) -> None:
    assert pictures((name, kind), family=family)[0]["drawing"] == drawing


@pytest.mark.parametrize(
    ("name", "kind", "is_person"),
    [
        ("Aldric the Oathbound", "Knight", True),
        ("Ysolde of the Frozen Lake", "Sorceress", True),
        ("両替商の娘", "人物", True),
        ("Captain Ilse Okoro", "Crew", True),
        ("Rag Picker and Candlemaker", "", True),
        ("Snowman", "", False),
        # Who is called after a thing is none.
        ("Thunder", "Hero", True),
        ("Otter Family", "Animal", False),
        ("King's Landing", "Place", False),
        ("Raven's Perch", "Place", False),
        ("Grey Wolf", "Companion", False),
    ],
)
def test_who_is_a_person_by_name_or_kind_is_drawn_as_one(
    name: str, kind: str, is_person: bool
) -> None:
    assert pictures((name, kind))[0]["drawing"].startswith("people ") is is_person


def test_nothing_is_drawn_twice_while_there_is_something_else() -> None:
    cards = [(f"名もない札{number}", kind) for number, kind in enumerate(["", "場所"] * 5)]
    shown = [one["drawing"] for one in pictures(*cards, ("鉄の剣", ""), ("石の剣", ""))]
    assert len({*shown}) == len(shown)


def test_what_a_name_means_is_drawn_again_rather_than_something_else() -> None:
    shown = pictures(*((f"Old Lighthouse {number}", "") for number in range(4)))
    assert {one["drawing"] for one in shown} == {"ground beaconhouse"}


@pytest.mark.parametrize("name", ["1", "?", "の", "of", "[x]("])
def test_a_name_without_a_word_shows_a_sight_of_its_family(name: str) -> None:
    (shown,) = pictures((name, ""))
    assert shown["drawing"]
    assert shown["scene"]


def test_a_further_card_changes_few_of_the_others() -> None:
    cards = [(f"名もない札{number}", ("", "場所")[number % 2]) for number in range(30)]
    before, after = pictures(*cards), pictures(("名もない城", "場所"), *cards)
    assert sum(one != other for one, other in zip(before, after[1:], strict=True)) < 8


def test_what_a_card_asks_for_itself_is_shown() -> None:
    (shown,) = pictures(("Old Lighthouse", "Place"), icon="crown", scene="cave", tag_icon="sword")
    assert (shown["scene"], shown["sign"]) == ("cave", "sword")
    assert shown.get("drawing") == icon_drawings()["rpg:crown"]
    looks: dict[str, Any] = {
        "looks": {"Place": {"icon": "anvil", "scene": "sea"}},
        "look_by": "kind_of",
    }
    (shown,) = pictures(("Old Lighthouse", "Place"), **looks)
    assert (shown["scene"], shown["drawing"]) == ("sea", icon_drawings()["rpg:anvil"])


@pytest.mark.parametrize(
    ("name", "kind", "family", "scene"),
    [
        ("Old Galleon", "", "fantasy", "sea"),
        ("Needle Interceptor", "Ship", "science-fiction", "space"),
        ("Ghost Ship", "", "fantasy", "nightsea"),
        ("Boiler Room", "", "modern", "cave"),
        ("Old Teapot", "", "fantasy", "hall dusk town"),
        ("Orbit of Mars", "", "tarot", "deck hangar colony street outpost machine space"),
    ],
)
def test_a_scene_suits_what_is_drawn_in_it(name: str, kind: str, family: str, scene: str) -> None:
    assert pictures((name, kind), family=family)[0]["scene"] in scene.split()


@pytest.mark.slow
def test_a_bleed_carries_the_ground_on_and_says_nothing_twice(
    images: Paint,
) -> None:
    images("fantasy", "ground: '#204080',")
    output_of("print", "tiny", "--out", "paper", "--bleed", 3, "--gap", 6)
    with closing(PdfDocument(Path("paper") / "tiny" / "cards.pdf")) as document:
        page = document[0]
        assert page.get_textpage().get_text_bounded().count("炎の剣士") == 1
        picture = page.render(scale=2).to_pil().convert("RGB")
    blue = [x for x in range(picture.width) if _is_blue(picture.getpixel((x, picture.height // 4)))]
    # Three cards of 63 mm, and 3 mm at each of their sides, without a gap between them.
    assert (max(blue) - min(blue)) / 2 / 72 * 25.4 == pytest.approx(3 * 69, abs=2)


@pytest.mark.slow
def test_a_letter_on_a_back_is_shown_as_it_is(images: Paint) -> None:
    backs = []
    for emblem in ("crown", "R", "7"):
        images("fantasy", emblem=emblem)
        backs.append(Path("out/tiny/backs/hero_back.png").read_bytes())
    assert len({*backs}) == 3


def _is_blue(pixel: object) -> bool:
    red, _green, blue, *_ = pixel if isinstance(pixel, tuple) else (0, 0, 0)
    return bool(blue > red + 30)


@pytest.mark.slow
def test_looks_say_how_much_cards_differ_when_small(images: Paint) -> None:
    images("fantasy")
    told = output_of("print", "tiny", "--looks", "--lang", "en")
    assert "hero, seen small: the two most alike differ in" in told
    same = CARDS.replace("炎の剣士", "x").replace("森の狼", "x")
    images("fantasy", "icon: crown, scene: sea,", same)
    assert "LOOK-ALIKE" in output_of("print", "tiny", "--looks", "--lang", "en")


def test_the_words_for_icons_name_icons_and_scenes_that_there_are() -> None:
    words, looks = picture_words(), FACES / "looks"
    files = [(looks / name).read_text(encoding="utf-8") for name in ("labels.json", "figures.json")]
    labels = [[*json.loads(text).values()] for text in files]
    kinds = [*words["icons"].values(), *words["english"].values(), *labels]
    kinds += [[*words[table].values()] for table in ("kinds", "future_kinds")]
    named = {name for names in kinds for name in names} | {*words["backs"], *icon_drawings()}
    assert not [name for name in named if not find_icon(name)]
    scenes = (looks / "scenes.typ").read_text(encoding="utf-8")
    kinds = [*words["scenes"].values(), *words["anywhere"].values()]
    placed = {name for names in kinds for name in names}
    assert not [name for name in placed if f"  {name}: (sky:" not in scenes]


def test_the_words_mean_drawings_that_there_are() -> None:
    words, looks = picture_words(), FACES / "looks"
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(looks.glob("*.typ")))
    tables = [*words["meanings"].values(), words["future"], *words["some"].values()]
    drawings = {
        *icon_drawings().values(),
        *(one for t in tables for of in t.values() for one in of),
    }
    stands = {one.split()[0] for one in drawings}
    assert stands <= {"people", "ground", "tall", "wide", "aloft"}
    parts = {part.partition("=")[0] for one in drawings for part in one.split()[1:]}
    assert not sorted(part for part in parts if not re.search(rf"\b{part}: ", text))


@pytest.mark.parametrize(
    ("word", "colour"),
    [("森の民", "#4f7d3a"), ("Iron League", "#5b6472"), ("Suns", "#b98620"), ("Guild", "")],
)
def test_a_faction_has_the_colour_that_its_name_means(word: str, colour: str) -> None:
    assert colours_of_word(word)[:1] == [colour][: bool(colour)]


@pytest.mark.parametrize(("card", "said"), [("剣,炎の剣士", None), ("sword,Moon Stag", True)])
def test_a_game_in_english_is_set_in_latin_faces(
    images: Paint, card: str, said: bool | None
) -> None:
    images("tarot", cards=f"id,name,faction,power,effect\n{card},Forest,5,Draw a card.\n")
    game = read_game(Path("tiny"))
    (face,) = (card_front(game, DeckCard(card=card)) for card in game.cards.values())
    assert json.loads(face.values).get("in_english") is said


def drawn(call: str) -> Image.Image:
    """What a call of what all styles share draws, white on black."""
    page = '#import "/plain/board.typ": *\n#set page(width: auto, height: auto, margin: 0pt)\n#'
    compiler = typst.Compiler(root=FACES, font_paths=[FACES / "fonts"], ignore_system_fonts=True)
    made = compiler.compile((page + call).encode(), format="png")
    assert isinstance(made, bytes)
    with Image.open(io.BytesIO(made)) as image:
        return image.convert("L").point(lambda light: 255 * (light < 128))


@pytest.mark.parametrize("weight", ["regular", "bold"])
@pytest.mark.parametrize("font", ["sans", "mono", 'typeface("BIZ UDPGothic")'])
def test_less_or_equal_is_no_greater_or_equal(font: str, weight: str) -> None:
    for sign, at_the_tip in ("≤", 0), ("≥", -1):
        image = drawn(f'face-text(60pt, "{sign}", font: {font}, weight: "{weight}")')
        left, top, right, bottom = image.getbbox() or (0, 0, 0, 0)
        third = (right - left) // 3
        sides = [(left, top, left + third, bottom), (right - third, top, right, bottom)]
        above = [(image.crop(side).getbbox() or (0, 0))[1] for side in sides]
        assert above[at_the_tip] == max(above) > min(above) == 0


@pytest.mark.parametrize("sign", "+-−=÷")
def test_a_sign_of_a_figure_is_drawn_plainly_whatever_the_typeface(sign: str) -> None:
    plain, own = (
        drawn(f'face-text(60pt, "{sign}", font: {font}, weight: "bold")').tobytes()
        for font in ("sans", 'typeface("Reggae One")')
    )
    assert own == plain


@pytest.mark.parametrize("name", ["Vollkorn", "Cabin"])
def test_the_latin_faces_are_there(name: str) -> None:
    latin, plain = (
        drawn(f'face-text(60pt, "good", font: {font})').tobytes()
        for font in (f'typeface("{name}")', "sans")
    )
    assert latin != plain


@pytest.mark.parametrize(("text", "flavour"), [("> 3 hexes: miss.", False), ("> Miss.", True)])
def test_a_line_of_flavour_is_pale_and_a_comparison_is_not(text: str, flavour: bool) -> None:
    white = drawn(f'face-text(20pt, fill: white, paragraphs("{text}"))')
    assert (white.getbbox() is not None) == flavour


def test_a_start_of_a_board_is_called_by_its_whole_word() -> None:
    marks = (drawn(f'start-plate(40pt, "{word}")').tobytes() for word in ("we", "wes", "west"))
    assert len({*marks}) == 3
