"""A saved room meets newer data: what players did stays, what only data changed is taken over; or
it is made smaller.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from PIL import Image
from shipped import printed

from exporter.app.room_zips import RoomMerge, slim
from exporter.model.tabletop import (
    CardStack,
    Character,
    ChatPalette,
    GameTable,
    ImageFile,
    Room,
    TableCard,
    Terrain,
    TextNote,
    group,
    resource,
    text,
)
from exporter.udonarium import marks
from exporter.udonarium.document import Xml
from exporter.udonarium.read import open_to_edit
from exporter.udonarium.write import write_room

CARDS = ("lance", "shield", "rocket")


def card(name: str, damage: int, **more: Any) -> TableCard[str]:
    return TableCard(
        name=name,
        front=None,
        back=None,
        detail=(group("card", text("damage", str(damage)), text("effect", "none")),),
        extra=(("record", f"card {name}"), (marks.PLACE, f"red/seat/stack/card {name}")),
        **more,
    )


def room_of(
    damages: Sequence[int] = (3, 0, 4),
    copies: int = 2,
    rules: str = "Take a card.",
    armour: int = 5,
) -> Room[str]:
    """A room as data make it: a stack, a piece with a slider and a palette, a note, a block."""
    cards = [card(name, damage) for name, damage in zip(CARDS, damages, strict=True)]
    return Room(
        tables=(
            GameTable(
                name="table",
                selected=True,
                objects=(Terrain(name="hill", floor=None, extra=((marks.PLACE, "board/hill"),)),),
                extra=(("game", "small"),),
            ),
        ),
        pieces=(
            Character(
                name="Argyros",
                picture=None,
                x=600,
                detail=(group("figures", resource("armour", armour, armour)),),
                palette=ChatPalette(text=f"armour {armour}"),
                extra=((marks.PLACE, "red/seat/pawn"),),
            ),
            TextNote(
                name="rules", title="rules", text=rules, extra=((marks.PLACE, "notes/rules"),)
            ),
            CardStack(
                name="deck",
                x=100,
                y=100,
                cards=tuple(each for each in cards for _copy in range(copies)),
                extra=((marks.PLACE, "red/seat/stack"),),
            ),
        ),
    )


def xml_of(room: Room[str]) -> Xml:
    found = open_to_edit(_zip(room)).room
    assert found is not None
    return found


@cache
def _zip(room: Room[str]) -> bytes:
    return write_room(room, {}, "order", "1")


def merge(saved: Xml, new: Xml, **options: bool) -> list[tuple[str, str, str]]:
    """Bring ``saved`` up to date; returns the sort, name and field of each difference."""
    chosen = {"take_new": False, "remove": False, "keep_pictures": False} | options
    table = saved.find("game-table")
    assert table is not None
    bringing = RoomMerge(
        game=printed("wrath_of_god"),
        laid=marks.laid(table),
        own_pictures=frozenset(),
        changes=[],
        **chosen,
    )
    bringing.merge_room(saved, new)
    return [(one.sort, one.name, one.field) for one in bringing.changes]


def leaf(thing: Xml, name: str) -> Xml:
    return next(one for one in thing.iter("data") if one.get("name") == name)


def named(room: Xml, name: str) -> list[Xml]:
    words = ("common/title", "common/name")
    return [one for one in marks.things(room) if name in map(marks.fields(one).get, words)]


def plain(room: Xml) -> bytes:
    return etree.tostring(room)


def test_unchanged_data_change_nothing() -> None:
    saved = xml_of(room_of())
    before = plain(saved)
    assert merge(saved, xml_of(room_of())) == []
    assert plain(saved) == before


def test_a_changed_value_is_taken_on_every_copy_wherever_it_lies() -> None:
    saved = xml_of(room_of())
    drawn = named(saved, "lance")[0]
    drawn.set("location.x", "900")
    drawn.set("owner", "somebody")
    saved.append(drawn)
    found = merge(saved, xml_of(room_of(damages=(5, 0, 4))))
    assert found == [("changed", "lance", "detail/card/damage")] * 2
    assert [leaf(one, "damage").text for one in named(saved, "lance")] == ["5", "5"]
    assert (drawn.get("location.x"), drawn.get("owner")) == ("900", "somebody")


def test_what_both_changed_is_a_conflict_that_is_told_once() -> None:
    saved = xml_of(room_of())
    for one in named(saved, "lance"):
        leaf(one, "damage").text = "9"
    new = xml_of(room_of(damages=(5, 0, 4)))
    assert merge(saved, new) == [("conflict", "lance", "detail/card/damage")] * 2
    assert {leaf(one, "damage").text for one in named(saved, "lance")} == {"9"}
    assert merge(saved, new) == []


def test_a_conflict_is_decided_for_the_data_where_that_is_asked_for() -> None:
    saved = xml_of(room_of())
    leaf(named(saved, "lance")[0], "damage").text = "9"
    merge(saved, xml_of(room_of(damages=(5, 0, 4))), take_new=True)
    assert {leaf(one, "damage").text for one in named(saved, "lance")} == {"5"}


def test_a_slider_keeps_its_handle_when_its_end_moves() -> None:
    saved = xml_of(room_of())
    leaf(saved, "armour").set("currentValue", "1")
    merge(saved, xml_of(room_of(armour=7)))
    assert (leaf(saved, "armour").text, leaf(saved, "armour").get("currentValue")) == ("7", "1")
    assert saved.findtext(".//chat-palette") == "armour 7"


def test_a_further_copy_is_laid_beside_the_stack_and_on_nothing() -> None:
    saved = xml_of(room_of())
    assert merge(saved, xml_of(room_of(copies=3))) == [("added", name, "") for name in CARDS]
    laid = list(saved.iterchildren("card"))
    assert len({(one.get("location.x"), one.get("location.y")) for one in laid}) == 3
    assert all((one.get("location.x"), one.get("location.y")) != ("100", "100") for one in laid)
    assert merge(saved, xml_of(room_of(copies=3))) == []


def test_what_is_gone_from_the_data_stays_until_it_is_to_be_removed() -> None:
    saved = xml_of(room_of())
    new = xml_of(room_of(copies=1))
    kept = deepcopy(saved)
    assert merge(kept, new) == [("stays", name, "") for name in CARDS]
    assert len(named(kept, "lance")) == 2
    assert merge(saved, new, remove=True) == [("gone", name, "") for name in CARDS]
    assert len(named(saved, "lance")) == 1


def test_what_players_took_away_stays_away() -> None:
    saved = xml_of(room_of())
    note = named(saved, "rules")[0]
    saved.remove(note)
    assert merge(saved, xml_of(room_of(rules="Take two cards."))) == []
    assert not named(saved, "rules")


def test_the_list_of_changes_stands_on_one_note() -> None:
    saved = xml_of(room_of())
    merge(saved, xml_of(room_of(rules="Take two cards.")))
    merge(saved, xml_of(room_of(rules="Take three cards.")))
    notes = [one for one in saved.iter("text-note") if leaf(one, "title").text == "変更点"]
    assert len(notes) == 1


def test_what_another_program_wrote_stays() -> None:
    saved = xml_of(room_of())
    saved.append(etree.fromstring("<cut-in name='fanfare'/>"))
    named(saved, "lance")[0].set("isLock", "true")
    named(saved, "Argyros")[0].append(etree.fromstring("<buff-palette>x</buff-palette>"))
    merge(saved, xml_of(room_of(damages=(5, 0, 4), armour=7)))
    assert saved.find("cut-in") is not None
    assert saved.find(".//buff-palette") is not None
    assert saved.find(".//card[@isLock='true']") is not None


@pytest.mark.parametrize("letters", ["", "x", "!!", marks.packed_marks("deck 2")[:-3]])
def test_what_was_cut_off_is_not_read(letters: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        marks.unpacked(letters)


# -- any state of a table meets any change of data ------------------------------------------------


def moved(room: Xml, thing: Xml) -> None:
    thing.set("location.x", "1234")
    thing.set("rotate", "90")


def drawn(room: Xml, thing: Xml) -> None:
    if thing.tag == "card":
        room.append(thing)


def turned(room: Xml, thing: Xml) -> None:
    thing.set("state", "1")


def copied(room: Xml, thing: Xml) -> None:
    if thing.tag != "terrain":
        room.append(deepcopy(thing))


def deleted(room: Xml, thing: Xml) -> None:
    parent = thing.getparent()
    if parent is not None:
        parent.remove(thing)


def renamed(room: Xml, thing: Xml) -> None:
    leaf(thing, "title" if thing.tag == "text-note" else "name").text = "mine"


def edited(room: Xml, thing: Xml) -> None:
    for one in thing.iter("data"):
        if one.get("name") in ("damage", "armour", "text"):
            one.text = "77"


def slid(room: Xml, thing: Xml) -> None:
    for one in thing.iter("data"):
        if one.get("type") == "numberResource":
            one.set("currentValue", "2")


def noted(room: Xml, thing: Xml) -> None:
    sheet = thing.find("data")
    if sheet is not None:
        sheet.append(etree.fromstring('<data name="detail2"><data name="own">x</data></data>'))


DEEDS: tuple[Callable[[Xml, Xml], None], ...] = (
    moved, drawn, turned, copied, deleted, renamed, edited, slid, noted,
)  # fmt: skip

players = st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 20)), max_size=6)
data = st.fixed_dictionaries(
    {
        "damages": st.tuples(*[st.integers(0, 3)] * 3),
        "copies": st.integers(1, 3),
        "rules": st.sampled_from(["Take a card.", "Take two cards."]),
        "armour": st.integers(4, 6),
    }
)


def own_state(thing: Xml) -> tuple[Any, ...]:
    """What is the players' own of a thing: where and how it lies, and handles of its sliders."""
    names = ("location.x", "location.y", "posZ", "rotate", "state", "owner", "zindex")
    handles = (one.get("currentValue") for one in thing.iter("data"))
    return (*map(thing.get, names), *handles)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(players, data)
def test_nothing_of_the_players_is_lost(
    deeds: list[tuple[Callable[[Xml, Xml], None], int]], change: dict[str, Any]
) -> None:
    saved, new = xml_of(room_of()), xml_of(room_of(**change))
    for deed, number in deeds:
        things = list(marks.things(saved))
        if things:
            deed(saved, things[number % len(things)])
    things = list(marks.things(saved))
    states = list(map(own_state, things))
    texts = [marks.fields(thing) for thing in things]
    was = [marks.was_written(thing) for thing in things]
    merge(saved, new)
    here = list(marks.things(saved))
    assert [thing for thing in things if thing in here] == things
    assert list(map(own_state, things)) == states
    for thing, before, written in zip(things, texts, was, strict=True):
        now = marks.fields(thing)
        theirs = {
            field: value
            for field, value in before.items()
            if written.get(marks.short_digest(field), "") != marks.mark_digest(value)
        }
        assert {field: now.get(field) for field in theirs} == theirs
    once = plain(saved)
    assert merge(saved, new) == []
    assert plain(saved) == once


def picture(compression: int) -> ImageFile:
    """The same pixels in other bytes."""
    found = io.BytesIO()
    Image.radial_gradient("L").resize((2400, 2400)).save(found, "PNG", compress_level=compression)
    return ImageFile(found.getvalue(), "png")


@pytest.mark.slow
def test_a_picture_twice_is_kept_once_as_large_as_its_largest_card(tmp_path: Path) -> None:
    one, other, unused = picture(1), picture(9), ImageFile(b"nothing shows this", "png")
    cards = (
        TableCard(name="small", front=one.identifier, back=None, size=2),
        TableCard(name="large", front=other.identifier, back=None, size=6),
    )
    room = Room(tables=(GameTable(name="table", selected=True),), pieces=cards)
    path = tmp_path / "room.zip"
    path.write_bytes(write_room(room, {file.identifier: file for file in (one, other, unused)}))
    made = slim(path)
    assert (made.unused, made.doubles, made.scaled, made.packed) == (1, 1, 1, 0)
    assert len(made.data) < made.before
    (kept,) = open_to_edit(made.data).pictures.values()
    assert Image.open(io.BytesIO(kept)).width == 6 * 50 * 6


def test_a_picture_that_is_too_long_to_be_packed_stays(tmp_path: Path) -> None:
    stream = io.BytesIO()
    Image.new("RGB", (1, 17_000)).save(stream, "PNG")
    image = ImageFile(stream.getvalue(), "png")
    card = TableCard(name="long", front=image.identifier, back=None)
    path = tmp_path / "room.zip"
    path.write_bytes(write_room(Room(pieces=(card,)), {image.identifier: image}))
    assert open_to_edit(slim(path).data).pictures == {image.identifier: image.data}
