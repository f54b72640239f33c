"""``write_room``: the bytes of the zip, the XML in it, and what it refuses; text and numbers as the
client reads them (format section 3).
"""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from corpus_rooms import BOARD, FRONT, IMAGES, card, files_of, picture, sound_room
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from exporter.core.problems import InvalidSource
from exporter.model.tabletop import (
    CardStack,
    Character,
    ChatTab,
    GameTable,
    ImageFile,
    Inventory,
    Room,
    Terrain,
    TextNote,
    text,
)
from exporter.udonarium import write
from exporter.udonarium.format import (
    ELEMENTS,
    KNOWN_TAGS,
    Element,
    decoded,
    decodes_by_chance,
    is_json,
    json_boolean,
    json_number,
    loose_number,
    twice_decodable,
)
from exporter.udonarium.write import write_loose, write_room

RNG = "{http://relaxng.org/ns/structure/1.0}"
SCHEMA = Path(__file__).parents[2] / "templates" / "udonarium" / "udonarium.rng"


def xml_of(*pieces: Any, **more: Any) -> str:
    room = Room(tables=(GameTable(name="卓", selected=True),), pieces=pieces, **more)
    return dict(files_of(write_room(room, IMAGES)))["data.xml"].decode()


def refused(room: Room[str], images: dict[str, ImageFile] = IMAGES) -> list[str]:
    with pytest.raises(InvalidSource) as caught:
        write_room(room, images)
    return [f"{problem.rule} {problem.message}" for problem in caught.value.problems]


# -- the zip --------------------------------------------------------------------------------------


def test_xml_comes_first_and_images_follow_in_the_order_of_their_identifiers() -> None:
    names = [name for name, _data in files_of(write_room(sound_room(), IMAGES))]
    images = sorted(f"{identifier}.png" for identifier in IMAGES)
    assert names == ["data.xml", "chat.xml", "summary.xml", *images]


def test_nothing_in_the_zip_depends_on_when_and_where_it_was_made() -> None:
    with zipfile.ZipFile(io.BytesIO(write_room(sound_room(), IMAGES))) as archive:
        for info in archive.infolist():
            assert info.date_time == (1980, 1, 1, 0, 0, 0)
            assert (info.create_system, info.external_attr >> 16) == (3, 0o100644)
            packed = info.filename.endswith(".xml")
            assert info.compress_type == (zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED)


def test_chat_and_columns_of_the_running_client_are_left_alone_unless_given() -> None:
    names = [name for name, _data in files_of(write_room(Room(), {}))]
    assert names == ["data.xml"]


def test_each_loose_object_is_an_entry_of_its_own() -> None:
    names = [name for name, _data in files_of(write_loose(sound_room().pieces, IMAGES))]
    assert names[:5] == ["1.xml", "2.xml", "3.xml", "4.xml", "5.xml"]


# -- the XML --------------------------------------------------------------------------------------


def test_the_first_card_of_a_stack_is_the_first_in_its_card_root() -> None:
    source = xml_of(CardStack(name="山札", cards=(card("上"), card("下"))))
    root = source[source.index('<node name="cardRoot">') : source.index("</node>")]
    assert root.index("上") < root.index("下")


def test_groups_come_in_the_order_image_common_detail_even_when_empty() -> None:
    source = xml_of(Character(name="駒", picture=None))
    assert re.findall('<data name="(image|common|detail)"', source) == ["image", "common", "detail"]


def test_every_picture_is_marked_as_one() -> None:
    source = xml_of(*sound_room().pieces)
    for identifier in IMAGES:
        for before in re.findall(f"(<[^<>]*>){identifier}", source):
            assert 'type="image"' in before


def test_text_is_escaped_once_and_its_spaces_are_kept() -> None:
    source = xml_of(TextNote(name="", title="", text='  <b> & "x"\n\n  y \n'))
    assert '<data name="text" type="note">  &lt;b&gt; &amp; &#34;x&#34;\n\n  y \n</data>' in source


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("A & B", "A &amp; B"),
        ("&lt;", "&amp;amp;lt;"),
        ("&amp;", "&amp;amp;amp;"),
        ("&nbsp;", "&amp;nbsp;"),
        ("a\nb\tc", "a&#10;b&#9;c"),
        ("a&#10;b", "a&amp;#10;b"),
        ("100% & more;", "100% &amp; more;"),
    ],
)
def test_an_attribute_is_escaped_twice_only_where_it_would_be_decoded_twice(
    name: str, written: str
) -> None:
    source = dict(files_of(write_room(Room(tables=(GameTable(name=name),)), {})))["data.xml"]
    assert f'<game-table name="{written}"' in source.decode()


@pytest.mark.parametrize(
    ("number", "written"),
    [(250.0, "250"), (0.5, "0.5"), (-3, "-3"), (1e22, "1e+22"), (1e-7, "1e-07"), (-0.0, "0")],
)
def test_numbers_are_written_as_json(number: float, written: str) -> None:
    assert f'rotate="{written}"' in xml_of(card("札", rotate=number))


def test_booleans_are_written_in_lower_case() -> None:
    table: GameTable[str] = GameTable(
        name="卓", objects=(Terrain(name="岩", floor=None, locked=False),)
    )
    source = dict(files_of(write_room(Room(tables=(table,)), {})))["data.xml"].decode()
    assert 'selected="false"' in source
    assert 'isLocked="false"' in source


def test_windows_line_ends_become_plain_ones() -> None:
    assert ">一\n二\n三</data>" in xml_of(TextNote(name="", title="", text="一\r\n二\r三"))


# -- what is refused ------------------------------------------------------------------------------


def test_everything_that_cannot_be_written_is_said_at_once_with_the_object() -> None:
    room = Room(
        tables=(GameTable(name="卓", width=float("nan")),),
        pieces=(
            card("鐘\a"),
            card("遠い札", x=float("inf")),
            card("大きな札", size=10**400),
            Character(name="駒", picture="0" * 64, detail=(text("欄", "\ud800"),)),
        ),
        inventory=Inventory(columns=("移動 力",)),
    )
    found = refused(room)
    assert [line.split()[0] for line in found] == [
        "UD-NUMBER",
        "UD-NUMBER",
        "UD-NUMBER",
        "UD-REF-DEAD",
        "UD-SUMMARY-COLUMN",
        "UD-TEXT-CONTROL",
        "UD-TEXT-CONTROL",
    ]
    assert any("character '駒': a text contains U+D800." in line for line in found)
    assert any("card '遠い札': found 'inf' where a number is needed." in line for line in found)


def test_an_image_must_have_the_bytes_it_is_called_by() -> None:
    (found,) = refused(Room(), {FRONT.identifier: BOARD})
    assert found.startswith("UD-IMAGE-NAME")


def test_an_image_the_client_would_drop_is_refused() -> None:
    large = ImageFile(picture(1).data + bytes(2 * 1024 * 1024), "png")
    (found,) = refused(Room(), {large.identifier: large})
    assert found.startswith("UD-IMAGE-SIZE")


# -- one format, written once ---------------------------------------------------------------------


def schema_element(tag: str) -> etree._Element:
    for element in etree.parse(SCHEMA).iter(f"{RNG}element"):
        if element.get("name") == tag:
            return element
    raise AssertionError(f"udonarium.rng has no {tag}")


def test_the_schema_and_the_tables_know_the_same_elements() -> None:
    named = {element.get("name") for element in etree.parse(SCHEMA).iter(f"{RNG}element")}
    assert named - {None} == KNOWN_TAGS


@pytest.mark.parametrize("element", ELEMENTS.values(), ids=lambda element: element.tag)
def test_the_schema_and_the_tables_know_the_same_attributes(element: Element) -> None:
    found = schema_element(element.tag)
    place = [node for node in found.findall(f"{RNG}ref") if node.get("name") == "place"]
    attributes = [node for node in found.iter(f"{RNG}attribute") if node.get("name")]
    if element.tag == "chat-tab":  # The messages inside have their own.
        attributes = attributes[:1]
    if element.tag == "card-stack":  # So has the cardRoot.
        attributes = attributes[:-1]
    names = {node.get("name") for node in attributes}
    names |= {"location.name", "location.x", "location.y", "posZ"} if place else set()
    assert names == {row.name for row in element.attributes}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('rotate="0"', 'rotate="+5"'),
        ('isLocked="true"', 'isLocked="True"'),
        ('state="0"', 'state="2"'),
        ('<node name="cardRoot">', '<node name="cards">'),
        ("</room>", "<card/></room>"),
        (' roll="0"', ""),
    ],
)
def test_the_schema_refuses_what_stops_the_client(old: str, new: str) -> None:
    source = dict(files_of(write_room(sound_room(), IMAGES)))["data.xml"].decode()
    assert old in source
    broken = source.replace(old, new, 1)
    assert write.schema().validate(etree.fromstring(source.encode()))
    assert not write.schema().validate(etree.fromstring(broken.encode()))


def test_an_empty_chat_is_a_problem_of_the_room_and_not_of_the_writer() -> None:
    names = [name for name, _ in files_of(write_room(Room(chat=()), {}))]
    assert names == ["data.xml", "chat.xml"]
    assert write_room(Room(chat=(ChatTab(name="メイン"),)), {})


ENTITY_LIKE = st.text("&;<>\"'ampltguos#x10 ", max_size=20) | st.lists(
    st.sampled_from(["&", "amp;", "lt;", "&lt;", "&amp;", "&apos;", "a"]), max_size=6
).map("".join)


@settings(deadline=None)
@given(ENTITY_LIKE)
def test_what_was_escaped_twice_is_never_taken_for_a_mistake(text: str) -> None:
    assert decoded(twice_decodable(text)) == text
    assert not decodes_by_chance(twice_decodable(text))


@pytest.mark.parametrize(
    ("text", "number"),
    [("", 0), (" ", 0), ("+5", 5), (".5", 0.5), ("5.", 5), ("010", 10), ("0x1f", 31), ("1e2", 100)],
)
def test_a_sheet_reads_numbers_as_javascript_does(text: str, number: float) -> None:
    assert loose_number(text) == number


@pytest.mark.parametrize("text", ["abc", "10px", "１", "NaN", "0x", "1e999"])
def test_what_is_no_number_in_a_sheet(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        loose_number(text)


@pytest.mark.parametrize("text", ["", "True", "010", "+5", ".5", "5.", "NaN", "1e999", "１", "0x1"])
def test_what_stops_the_client_is_no_number(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        json_number(text)


def test_a_boolean_is_a_word_or_a_number() -> None:
    found = [json_boolean(text) for text in ("true", " false ", "1", "0")]
    assert found == [True, False, True, False]


@pytest.mark.parametrize(("text", "fine"), [("null", True), ("[" * 9000, False), ("NaN", False)])
def test_json_as_the_client_takes_it(text: str, fine: bool) -> None:
    assert is_json(text) is fine
