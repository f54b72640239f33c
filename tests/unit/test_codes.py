"""A build as one line: what it says, that nothing gets lost, and that no mistake is read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import shipped
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from exporter.core.problems import InvalidSource, SourceLocation
from exporter.loader.player_files import read_builds
from exporter.model import Build, Game, Pilot
from exporter.rules.written_builds import CODE, MOST_LETTERS, called_in_codes, read_line, write_line

SHIPPED = Path(__file__).parent.parent.parent / "source_data"
HERE = SourceLocation("here")


def game() -> Game:
    return shipped.printed()


def said(entry: Build) -> tuple[object, ...]:
    """What a line is to keep of a build."""
    build = entry
    mounted = {part: cards for part, cards in build.mounted.items() if cards}
    pilots = [(pilot.name, pilot.skills) for pilot in build.pilots]
    return build.name, dict(build.frame), mounted, pilots, entry.regulation


@st.composite
def entries(draw: st.DrawFn) -> Build:
    cards = st.sampled_from([key for key, card in game().cards.items() if card.kind == "weapon"])
    skills = st.sampled_from([key for key, card in game().cards.items() if card.kind == "skill"])
    names = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Co")), max_size=12)
    frame = draw(st.sampled_from(game().frames)).key
    seats = draw(st.sampled_from(["単座", "複座"]))
    lists = st.lists(cards, max_size=3).map(tuple)
    mounted = draw(st.dictionaries(st.sampled_from(game().parts), lists))
    pilot = st.builds(
        lambda name, own: Pilot(name=name or "甲", skills=tuple(own)),
        names,
        st.lists(skills, max_size=2),
    )
    return replace(
        Build(
            name=draw(names) or "無題",
            frame={**frame, "seats": seats},
            mounted=mounted,
            pilots=tuple(draw(st.lists(pilot, max_size=2))),
        ),
        regulation=draw(st.sampled_from(["", "tournament", "construct@1"])),
    )


def unnamed(entry: Build) -> Build:
    """The same build; who reads a line without a name calls it by where it stands."""
    pilots = tuple(replace(pilot, name="") for pilot in entry.pilots)
    return replace(entry, name=str(HERE), pilots=pilots)


@settings(max_examples=25, deadline=None)
@given(entries())
def test_a_build_comes_out_of_its_line_as_it_went_in(entry: Build) -> None:
    line = write_line(game(), entry)
    assert len(line) <= MOST_LETTERS
    assert re.fullmatch(r"em:[A-Za-z0-9:.-]+", line)
    assert CODE.fullmatch(line)
    back = read_line(game(), line, HERE)
    is_named = ":n." in line  # which it is not where it would be too long
    assert said(back) == said(entry if is_named else unnamed(entry))


ENTRY = Build(
    name="私の機体",
    frame={"armour": "中", "size": "M", "seats": "単座"},
    mounted={"胴": ("短距離ミサイル", "短距離ミサイル"), "右腕": ("B14", "B14")},
)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_one_wrong_sign_or_two_that_changed_places_are_noticed(data: st.DataObject) -> None:
    line = write_line(game(), ENTRY)
    place = data.draw(st.integers(3, len(line) - 1))
    sign = data.draw(st.sampled_from("abcxyz0189.:-"))
    swapped = line[: place - 1] + line[place] + line[place - 1] + line[place + 1 :]
    for wrong in (line[:place] + sign + line[place + 1 :], swapped, line[:place]):
        if wrong != line:
            with pytest.raises(InvalidSource):
                read_line(game(), wrong, HERE)


def test_an_older_line_means_the_same_after_a_card_was_added() -> None:
    line = write_line(game(), ENTRY)
    new = replace(game().cards["B14"], id="B00", name="新しいカード")
    larger = replace(game(), cards={"B00": new, **game().cards}, parts=("尾", *game().parts))
    assert said(read_line(larger, line, HERE)) == said(read_line(game(), line, HERE))


def test_a_name_too_long_is_left_out_and_a_build_too_large_refused() -> None:
    named = replace(ENTRY, name="長い名前" * 40)
    line = write_line(game(), named)
    assert len(line) <= MOST_LETTERS
    assert read_line(game(), line, HERE).mounted["右腕"] == ("B14", "B14")
    many = {"胴": tuple(key for key, card in game().cards.items() if card.kind == "weapon")}
    with pytest.raises(InvalidSource, match="the limit is 300"):
        write_line(game(), replace(ENTRY, mounted=many))


@pytest.mark.parametrize(
    ("number", "told"),
    [
        ("7", "version 7 of the data; in version 1, used here, there is no 'B99'"),
        (
            "1",
            "There is no 'B99' here. The code was made with different data of the same version 1.",
        ),
    ],
)
def test_a_line_of_other_data_says_what_it_cannot_find(
    number: str, told: str, tmp_path: Path
) -> None:
    newer = replace(game().cards["B14"], id="B99", name="未来の槍")
    version = game().version
    assert version is not None
    later = replace(
        game(), cards={**game().cards, "B99": newer}, version=replace(version, number=number)
    )
    build = replace(ENTRY, mounted={"右腕": ("B99",)})
    line = write_line(later, build)
    with pytest.raises(InvalidSource) as caught:
        read_builds(Path(line), game())
    (problem,) = caught.value.problems
    assert told in problem.message


def test_a_line_of_another_game_or_form_is_refused() -> None:
    line = write_line(game(), ENTRY)
    other = shipped.printed("macelandia")
    with pytest.raises(InvalidSource, match="is for 'em', but the game here is 'ml'"):
        read_line(other, line, HERE)
    with pytest.raises(InvalidSource, match="format 2; this program reads format 1"):
        read_line(game(), line.replace("em:1.", "em:2.", 1), HERE)


def test_every_game_is_called_otherwise_in_lines() -> None:
    names = [
        called_in_codes(shipped.printed(path.parent.name)) for path in SHIPPED.glob("*/game.yaml")
    ]
    assert len(set(names)) == len(names)
