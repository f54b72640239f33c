"""What holds in every room of every game of this repository, seen in the planned rooms."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import shipped

from exporter.core.problems import Severity
from exporter.faces.card_faces import Face
from exporter.model import Game
from exporter.model.tabletop import (
    CardStack,
    Character,
    Data,
    DiceSymbol,
    Room,
    TableCard,
    Terrain,
    TextNote,
)
from exporter.rooms.footprints import footprint
from exporter.rooms.room_orders import RoomOrder, rooms_of_order
from exporter.rules.errata import corrected

SOURCE = Path(__file__).parent.parent / "source_data"
GAMES = sorted(path.parent.name for path in SOURCE.glob("*/game.yaml"))

ONE = "「シャッフル」→「すべて正位置にする」"
ALL = "「選択した山札」"
"""The client's menus, as its source has them."""


class PlannedFile(NamedTuple):
    """A room with the game it is of."""

    game: Game
    id: str
    room: Room[Face]


@cache
def game_of(name: str) -> Game:
    return corrected(shipped.printed(name))


@cache
def rooms_of(name: str, shuffle: str = "") -> tuple[PlannedFile, ...]:
    game = game_of(name)
    planned = shipped.planned(name, shuffle)
    return tuple(PlannedFile(game, id, found.room) for id, found in planned.items())


def every_room(shuffle: str = "") -> list[PlannedFile]:
    return [room for name in GAMES for room in rooms_of(name, shuffle)]


def entries(data: tuple[Data[Face], ...]) -> Iterator[str]:
    for entry in data:
        yield entry.name
        if isinstance(entry.value, str):
            yield entry.value
        yield from entries(entry.children)


def chat(room: Room[Face]) -> list[str]:
    return [message.text for tab in room.chat or () for message in tab.messages]


def texts(room: Room[Face]) -> Iterator[str]:
    """Everything that somebody reads in a room but on its pictures."""
    yield from (table.name for table in room.tables)
    yield from chat(room)
    for thing in (*room.pieces, *room.cards, *room.tables[0].objects):
        yield from texts_of(thing)


def texts_of(thing: Any) -> Iterator[str]:
    """What somebody reads of a thing that lies on the table."""
    yield thing.name
    yield from entries(thing.detail)
    if isinstance(thing, TextNote):
        yield from (thing.title, thing.text)
    if isinstance(thing, Character) and thing.palette:
        yield from thing.palette.text.splitlines()


def palettes(room: Room[Face]) -> Iterator[tuple[str, str]]:
    """The speaker and the line, of every line of every palette."""
    for piece in room.pieces:
        if isinstance(piece, Character) and piece.palette:
            yield from ((piece.name, line) for line in piece.palette.text.splitlines())


def to_shuffle(room: Room[Face]) -> list[str]:
    """The stacks that ask to be shuffled."""
    stacks = [piece for piece in room.pieces if isinstance(piece, CardStack) and piece.cards]
    return [stack.name for stack in stacks if any(ONE in text for text in entries(stack.detail))]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_card_falls_on_its_zone_and_every_room_opens_on_something(name: str) -> None:
    game = game_of(name)
    rooms = shipped.planned(name)
    found = {
        (id, problem.rule, problem.message)
        for id, room in rooms.items()
        for problem in room.problems
        if problem.severity is not Severity.NOTICE
    }
    assert not found
    assert [id for id in rooms if not game.rooms[id].opens_on] == []
    assert [id for id in rooms if game.rooms[id].partly_seen] in (
        [],
        ["box_base", "box_throne", "box_gifted", "free9"],
    )


@pytest.mark.parametrize("name", GAMES)
def test_every_stack_that_lies_face_down_says_what_it_is_for(name: str) -> None:
    for layout in game_of(name).layouts.values():
        for item in layout.items:
            if item.lay in ("stack", "stacks") and item.face_down:
                assert bool(item.draws_to) != item.store, (layout.id, item.name)


@pytest.mark.slow
def test_small_stacks_show_no_count_that_would_hide_them() -> None:
    for game, id, room in every_room():
        for piece in room.pieces:
            if isinstance(piece, CardStack) and piece.cards:
                large = max(card.size for card in piece.cards) > 1
                assert piece.shows_total is large, (game.id, id, piece.name)


@pytest.mark.slow
def test_no_name_of_a_stack_is_wrong_once_a_card_was_taken_or_stacks_were_joined() -> None:
    """The client names joined stacks after the one that was dragged, and their texts are gone."""
    for game, id, room in every_room():
        stacks = [piece for piece in room.pieces if isinstance(piece, CardStack)]
        names = Counter(stack.name for stack in stacks)
        for stack in stacks:
            where = (game.id, id, stack.name)
            said = "".join(entries(stack.detail))
            assert not re.search(r"（\d+枚）", stack.name), where
            if stack.cards and "に重ね" in said:
                assert names[stack.name] > 1, where
            if "場所を入れ替え" in said:
                assert names[stack.name] > 1, where
                assert not re.search("捨て?札に、", said), where


@pytest.mark.slow
def test_no_line_of_a_palette_is_hollow_or_says_again_who_speaks() -> None:
    """Nor is it a command of other clients, ``:HP-1``, which Udonarium would only post."""
    rooms = every_room()
    assert len(rooms) == 66
    found = [(id, *said) for _, id, room in rooms for said in palettes(room)]
    assert len(found) > 500
    # Such as 射程-, or ダメージ with nothing behind it.
    hollow = re.compile(r"^:|(射程|ダメージ)\s*[-－]?(\s|$)|（）|\s$")
    assert not [each for each in found if hollow.search(each[2])]
    assert not [
        each
        for each in found
        if (named := each[2].partition("：")) and named[1] and named[0] in each[1]
    ]
    assert "バーニア（補助）" in {line for id, _speaker, line in found if id == "duel"}


def test_no_text_names_an_option_or_a_key_of_the_program() -> None:
    names = re.compile(r"(^|[^-])--[a-z]|@\d|\$\{|exporter|game\.yaml")
    found = [(id, text) for _, id, room in every_room() for text in texts(room)]
    assert not [text for text in found if names.search(text[1])]


def sort_of(thing: Any) -> str:
    return type(thing).__name__


def names_by_sort(game: Game, room: Room[Face]) -> dict[str, list[str]]:
    """The names of what lies in a room. A card has the name that is printed on it.

    Stacks of one name on one mat are one: their places tell which is which, also when they have
    changed places.
    """
    mats = [thing for thing in room.tables[0].objects if isinstance(thing, Terrain)]
    known: set[tuple[str, str]] = set()
    printed = {card.name for card in game.cards.values()}
    found: dict[str, list[str]] = {}
    for thing in (*room.pieces, *room.tables[0].objects):
        if isinstance(thing, CardStack):
            on = {mat.name for mat in mats if footprint(mat).holds(footprint(thing))}
            if any((thing.name, mat) in known for mat in on):
                continue
            known.update((thing.name, mat) for mat in on)
        if not isinstance(thing, TableCard) or thing.name not in printed:
            found.setdefault(sort_of(thing), []).append(thing.name)
    return found


def shared_names(game: Game, room: Room[Face]) -> dict[str, list[str]]:
    sorts = names_by_sort(game, room)
    shared = {
        sort: [name for name, count in Counter(names).items() if count > 1 or not name.strip()]
        for sort, names in sorts.items()
    }
    return {sort: names for sort, names in shared.items() if names}


@pytest.mark.slow
def test_every_name_in_a_room_can_be_told_from_every_other_of_its_sort() -> None:
    assert not {
        (game.id, id): shared
        for game, id, room in every_room()
        if (shared := shared_names(game, room))
    }


def test_a_mech_that_sits_in_two_seats_has_two_names() -> None:
    game = game_of("embryo_machine")
    order = RoomOrder(rooms=("duel",), mechs={"red1": "AG", "blue1": "AG"})
    assert not shared_names(game, rooms_of_order(game, order)["duel"])


@pytest.mark.parametrize("name", ["duel", "team4", "team6", "team2x3", "free3", "free5", "free9"])
def test_a_mech_has_one_number_on_its_mat_its_pictures_and_its_chit(name: str) -> None:
    (room,) = (room for _, id, room in rooms_of("embryo_machine") if id == name)
    mats = {
        re.sub(r" プレイマット$", "", thing.name)
        for thing in room.tables[0].objects
        if isinstance(thing, Terrain) and thing.name.endswith(" プレイマット")
    }
    assert mats
    pawns = [p for p in room.pieces if isinstance(p, Character) and p.name != "進行"]
    discs = [
        p
        for p in room.pieces
        if isinstance(p, TableCard) and p.name.endswith("向き（裏は戦闘不能）")
    ]
    both: tuple[TableCard[Face] | Character[Face], ...] = (*pawns, *discs)
    for piece in both:
        face = piece.picture if isinstance(piece, Character) else piece.front
        assert face is not None
        values, seat = json.loads(face.values), piece.name.partition(" ")[0]
        assert seat in mats
        assert {"red": "赤", "blue": "青", "green": "緑"}.get(values.get("team"), "") in seat
        assert re.findall(r"\d+", seat) == [str(values["number"])]
    chits = {card.name for card in room.cards if "チーム" in card.name}
    numbers = {number for seat in mats for number in re.findall(r"\d+", seat)}
    assert {re.findall(r"\d+", chit)[0] for chit in chits} == numbers
    if name in ("duel", "team4", "team6"):
        assert {chit[0] for chit in chits} == {"赤", "青"}
        assert {f"{chit[0]}{re.findall(chr(92) + 'd+', chit)[0]}" for chit in chits} == mats


def test_no_room_holds_more_of_a_token_than_the_data_say() -> None:
    for game, id, room in every_room():
        lying = Counter(card.name for card in room.cards)
        for card in game.cards.values():
            copies = card.get("copies" if "copies" in card.fields else "printed")
            if card.kind in ("token", "chip", "worker") and isinstance(copies, int):
                assert lying[card.name] <= copies, (game.id, id, card.name)


def test_whoever_is_told_to_shuffle_is_told_to_set_the_cards_upright() -> None:
    asking = [(game, id, room) for game, id, room in every_room() if to_shuffle(room)]
    assert {game.id for game, _, _ in asking} == set(GAMES) - {"mech_arena_2013"}
    for game, id, room in asking:
        own = {note.title for note in game.notes.values()}
        notes = [p.text for p in room.pieces if isinstance(p, TextNote) and p.title in own]
        notes += [p.text for p in room.pieces if isinstance(p, TextNote) and "操作" in p.title]
        for read in (["\n".join(notes)] if len(notes) > 1 else [], chat(room)):
            whole = "\n".join(read)
            assert not read or ONE in whole, (game.id, id)
            if len(to_shuffle(room)) > 1 and len(notes) > 1:
                assert ALL in whole, (game.id, id)
    for game, id, room in every_room():
        for text in texts(room):
            assert text.count("「シャッフル」") == text.count(ONE), (game.id, id, text)


@pytest.mark.slow
def test_a_shuffled_room_says_so_and_asks_nobody_to_shuffle() -> None:
    for (game, id, before), (_, _, after) in zip(every_room(), every_room("a"), strict=True):
        assert not to_shuffle(after)
        said = [text for text in texts(after) if "シャッフルずみ" in text]
        assert len(said) >= len(to_shuffle(before)), (game.id, id)
        asking = (
            piece
            for piece in after.pieces
            if not (isinstance(piece, TextNote) and "操作" in piece.title)
            and not (isinstance(piece, CardStack) and not piece.cards)
            for text in texts_of(piece)
            if "「シャッフル」" in text
        )
        assert not list(asking)
        said = [text for text in chat(after) if "操作" not in text.splitlines()[0]]
        assert not [text for text in said if "「シャッフル」" in text or ALL in text]


def lines_of(text: str) -> int:
    """Lines of 26 characters, a long one counted as the client breaks it; a–z and 0–9 are less
    than two thirds as wide as others."""
    widths = (sum(0.65 if mark.isascii() else 1 for mark in line) for line in text.splitlines())
    return sum(max(math.ceil(width / 26), 1) for width in widths)


def test_notes_can_be_read_on_the_table() -> None:
    """At most 12 lines."""
    long = {
        (game.id, piece.title): lines
        for game, _, room in every_room()
        for piece in room.pieces
        if isinstance(piece, TextNote) and piece.width > 7.5 and piece.fontsize == 5
        for lines in [lines_of(piece.text)]
        if lines > 12
    }
    assert not long


def test_every_chat_tells_how_to_play_and_how_the_client_is_used() -> None:
    for game, id, room in every_room():
        standing = {
            f"【{piece.title}】"
            for piece in room.pieces
            if isinstance(piece, TextNote) and piece.title in {n.title for n in game.notes.values()}
        }
        if not standing:
            continue
        tabs = {tab.name: [m.text for m in tab.messages] for tab in room.chat or ()}
        titles = [text.splitlines()[0] for text in tabs["遊び方"]]
        assert titles[-1] == "【卓での操作】", (game.id, id)
        assert standing <= set(titles), (game.id, id)


def test_no_die_keeps_a_score() -> None:
    """A double click rolls a die: dice lie only where the game rolls them."""
    rolling = {"cloudspire", "mech_arena_2013"}
    with_dice = {
        game.id
        for game, _, room in every_room()
        if any(isinstance(piece, DiceSymbol) for piece in room.pieces)
    }
    assert with_dice == rolling


def test_every_thing_in_a_room_says_where_it_comes_from() -> None:
    for game, name, room in every_room():
        things = [*room.pieces, *(thing for table in room.tables for thing in table.objects)]
        things += room.cards
        silent = [thing.name for thing in things if "record" not in dict(thing.extra)]
        assert not silent, (game.id, name)
        for table in room.tables:
            said = dict(table.extra)
            assert (said["game"], said["room"]) == (game.id, name)
            assert game.version is None or said["version"] == game.version_text


def test_chat_and_the_note_of_the_table_say_which_data_a_room_is_of() -> None:
    for game, name, room in every_room():
        if game.version is not None and room.chat:
            texts = [message.text for tab in room.chat for message in tab.messages]
            assert [text for text in texts if "データの版：" in text], (game.id, name)
            notes = [p for p in room.pieces if isinstance(p, TextNote) and p.title == "卓での操作"]
            assert all(game.version_text in note.text for note in notes), (game.id, name)


def test_a_mech_of_the_arena_is_moved_from_its_shelf_to_a_seat_as_it_lies() -> None:
    """One selection and one drag: every shelf has the places of a seat's mat."""
    (box,) = (planned for planned in rooms_of("mech_arena_2013") if planned.id == "box")
    shelf_zones, seat_zones = (
        [zone.at for item in box.game.layouts[name].items for zone in item.zones.values()]
        for name in ("bay", "empty_seat")
    )
    assert shelf_zones == seat_zones[: len(shelf_zones)]
    mats = [thing for thing in box.room.tables[0].objects if isinstance(thing, Terrain)]
    shelves = {mat.name: footprint(mat) for mat in mats if mat.name.endswith("の棚")}
    assert len(shelves) == 7
    for card in box.game.cards.values():
        if card.kind == "mech":
            shelf, weapons = shelves[f"{card.name} の棚"], card.get("actions")
            lying = [piece for piece in box.room.pieces if shelf.holds(footprint(piece))]
            assert isinstance(weapons, tuple)
            assert Counter(piece.name for piece in lying) == Counter(
                [
                    card.name,
                    card.name,
                    *(found.name for w in weapons if (found := box.game.card(w))),
                ]
            )


def test_what_helps_in_the_forks_is_said_and_takes_nothing_away() -> None:
    """Sheets of seats are locked and shown wide, those of shelves can be taken; notes lie flat."""
    rooms = {room.id: room.room for room in rooms_of("embryo_machine")}
    (sheet, *_) = (dict(c.extra) for c in rooms["duel"].cards if "機体シート" in c.name)
    assert (sheet["isLock"], sheet["isLocked"], sheet["overViewWidth"]) == ("true", "true", "560")
    (shelved, *_) = (dict(c.extra) for c in rooms["box_base"].cards if "機体シート" in c.name)
    assert "isLock" not in shelved
    assert shelved["overViewWidth"] == "560"
    notes = {p.title: dict(p.extra) for p in rooms["duel"].pieces if isinstance(p, TextNote)}
    assert notes["1 準備"]["isUpright"] == "false"
    assert "isUpright" not in notes["エラッタとQ&A 1/4"]  # these stand too close to lie
    for _, _, room in every_room():
        locked = [card for card in room.cards if "isLock" in dict(card.extra)]
        assert all(card.size >= 4 and "seat" in dict(card.extra) for card in locked)
