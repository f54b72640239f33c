"""Write → read → equal, also for rooms that the client itself has saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from corpus_rooms import IMAGES, files_of, sound_room, zipped
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace
from room_strategies import pieces, rooms, tables, terrains
from saved import as_saved

from exporter.model.tabletop import Room
from exporter.udonarium.read import read_zip
from exporter.udonarium.verify import verify_zip
from exporter.udonarium.write import write_loose, write_room

SPECIMENS = Path(__file__).parent / "specimens"
HARD = settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def test_a_room_reads_back_equal_with_its_pictures() -> None:
    found = read_zip(write_room(sound_room(), IMAGES))
    assert (found.room, found.images) == (sound_room(), IMAGES)


@pytest.mark.slow
@HARD
@given(rooms)
def test_any_room_with_hostile_texts_reads_back_equal(room: Room[str]) -> None:
    assert read_zip(write_room(room, IMAGES)).room == room


@HARD
@given(pieces | terrains | tables)
def test_anything_loose_reads_back_equal(thing: Any) -> None:
    assert read_zip(write_loose([thing, thing], IMAGES)).loose == (thing, thing)


def test_loose_things_keep_their_order_when_there_are_many() -> None:
    cards = [replace(sound_room().pieces[3], name=str(number)) for number in range(12)]
    assert [card.name for card in read_zip(write_loose(cards, IMAGES)).loose] == [
        str(number) for number in range(12)
    ]


def test_the_same_room_gives_the_same_bytes_whatever_the_order_of_images() -> None:
    backwards = dict(reversed(IMAGES.items()))
    assert write_room(sound_room(), IMAGES) == write_room(sound_room(), backwards)


@pytest.mark.parametrize("name", sorted(path.name for path in SPECIMENS.glob("*.zip")))
def test_what_the_client_saved_can_be_written_again(name: str) -> None:
    saved = read_zip(SPECIMENS / name)
    assert saved.room is not None
    again = read_zip(write_room(saved.room, saved.images))
    assert again == saved


@pytest.mark.parametrize("prefix", ["", "hostile-"])
def test_a_room_saved_by_the_client_is_the_room_that_went_in(prefix: str) -> None:
    """The specimens are real: 1.17.3 loaded each given room and saved it again.

    The hostile one was drawn from ``room_strategies`` and written by this program.
    """
    before = read_zip(SPECIMENS / f"{prefix}given.zip")
    after = read_zip(SPECIMENS / f"{prefix}saved.zip")
    assert before.room is not None
    assert after.room == as_saved(before.room)
    assert after.images.items() <= before.images.items()


def test_what_the_client_saves_of_a_sound_room_has_nothing_wrong_with_it() -> None:
    assert verify_zip(write_room(as_saved(sound_room()), IMAGES)) == ()


def test_what_other_programs_add_is_passed_over_but_for_attributes_of_objects() -> None:
    files = dict(files_of(write_room(sound_room(), IMAGES)))
    source = files["data.xml"].decode()
    for old, new in (
        ("<character ", '<character isDropShadow="true" '),
        ('<data name="職業">', '<data name="職業" sort="3">'),
        ("</character>", '<buff-palette dicebot="">+1</buff-palette></character>'),
        ("</room>", '<range name="扇"><data name="range">1</data></range></room>'),
        ('<data name="size">1', '<data name="altitude">2</data><data name="size" type="x">1'),
        ('<data name="detail">', '<data name="memo">m</data><data name="detail" open="1">'),
        ('<node name="cardRoot">', '<node name="cardRoot" top="1">'),
    ):
        assert old in source
        source = source.replace(old, new, 1)
    files["data.xml"] = source.encode()
    room = sound_room()
    hero, *others = room.pieces
    marked = replace(hero, extra=(("isDropShadow", "true"),))
    assert read_zip(zipped(list(files.items()))).room == replace(room, pieces=(marked, *others))


@pytest.mark.parametrize("name", ["given.zip", "saved.zip"])
def test_a_specimen_is_verified_without_surprise(name: str) -> None:
    """The room was made to hold odd things; only those are named."""
    rules = {problem.rule for problem in verify_zip(SPECIMENS / name)}
    assert rules <= {
        "UD-GROUP-EMPTY",
        "UD-GROUP-MISSING",
        "UD-IMAGE-UNUSED",
        "UD-PALETTE-END",
        "UD-TAG-UNKNOWN",
        "UD-TEXT-BLANK",
    }
