"""``verify_zip``: every fault of the corpus by its name alone, and nothing about a sound room."""

from __future__ import annotations

import contextlib
import io
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from corpus_faults import FAULTS
from corpus_rooms import (
    BACK,
    BOARD,
    FRONT,
    PAWN,
    Fault,
    Files,
    added,
    changed,
    edited,
    files_of,
    picture,
    reshaped,
    sound_room,
    sound_zip,
    with_picture,
    zipped,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.core.messages import sentence
from exporter.core.problems import InvalidSource, Severity, SourceLocation, counts
from exporter.model.tabletop import ImageFile
from exporter.udonarium.read import read_zip
from exporter.udonarium.verify import verify_zip
from exporter.udonarium.verify_checks import CHECKS
from exporter.udonarium.write import write_loose


def test_nothing_is_wrong_with_a_sound_room() -> None:
    assert verify_zip(sound_zip()) == ()


def test_nothing_is_wrong_with_a_deck_to_drop_into_a_running_room() -> None:
    room = sound_room()
    shown = {file.identifier: file for file in (picture(10), picture(20))}
    assert verify_zip(write_loose([p for p in room.pieces if p.name == "山札"], shown)) == ()


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(fault, marks=pytest.mark.slow if "megapixels" in str(fault) else ())
        for fault in FAULTS
    ],
    ids=str,
)
def test_each_fault_is_reported_once_and_nothing_else(fault: Fault) -> None:
    assert [problem.rule for problem in verify_zip(fault.make())] == [fault.rule]


def test_every_check_has_a_zip_that_breaks_it() -> None:
    # Writing refuses column names with spaces; in a zip they cannot be told from two columns.
    elsewhere = {"UD-FILE", "UD-SUMMARY-COLUMN"}
    assert set(CHECKS) - {fault.rule for fault in FAULTS} == elsewhere


@pytest.mark.parametrize("rule", CHECKS)
def test_a_check_says_what_is_right_what_happens_and_what_to_do(rule: str) -> None:
    assert re.fullmatch("UD-[A-Z]+(-[A-Z]+)*", rule)
    for key in ("means", "effect", "remedy"):
        assert sentence(rule, key).in_language("en").endswith(".")
        assert sentence(rule, key).in_language("ja").endswith("。")


def test_a_problem_names_the_zip_the_entry_the_line_the_column_and_the_object() -> None:
    problems = verify_zip(edited('state="0"', 'state="2"')(), "rooms/duel.zip")
    assert str(problems[0].where).startswith("rooms/duel.zip/data.xml:")
    line = problems[0].where.line
    source = dict(files_of(edited('state="0"', 'state="2"')()))["data.xml"].decode()
    assert source.split("\n")[line - 1][problems[0].where.column - 1 :].startswith("<card ")
    assert "card '場札'" in problems[0].message


def test_columns_count_characters_in_a_file_that_is_one_long_line() -> None:
    data = '<room><game-table name="一つ目の卓" selected="true"/><charakter/></room>'
    (problem,) = verify_zip(zipped([("data.xml", data.encode())]))
    assert problem.where == SourceLocation("zip/data.xml", 1, data.index("<charakter") + 1)


def test_an_image_that_is_there_twice_names_the_other_as_it_is_called_in_the_zip() -> None:
    (shown, data), *_ = [file for file in files_of(sound_zip()) if file[0].endswith(".png")]
    twice = added("again/other.png", data)()
    (problem,) = verify_zip(twice, "my/rooms/duel.zip")
    assert problem.where.file == "my/rooms/duel.zip/again/other.png"
    assert problem.message.startswith(f"{shown} is the same image.")


def test_independent_faults_are_all_reported_in_one_run() -> None:
    def change(root: Any) -> None:
        for path, name, text in (
            ("card", "state", "7"),
            ("dice-symbol", "face", "大吉"),
            ("game-table", "gridSize", "60"),
        ):
            root.find(path).set(name, text)

    rules = {problem.rule for problem in verify_zip(reshaped(change)())}
    assert rules == {"UD-CARD-STATE", "UD-DICE-FACE", "UD-GRID-SIZE"}


def test_a_missing_file_is_a_problem(tmp_path: Path) -> None:
    (problem,) = verify_zip(tmp_path / "room.zip")
    assert problem.rule == "UD-FILE"


def test_an_image_of_exactly_the_limit_is_accepted() -> None:
    board = picture(30)
    padded = ImageFile(board.data + bytes(2 * 1024 * 1024 - len(board.data)), "png")
    assert verify_zip(with_picture(padded)()) == ()


def test_a_ratio_of_exactly_256_is_accepted() -> None:
    assert verify_zip(with_picture(picture(1, (2, 512)))()) == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('name="卓"', 'name="A &amp; B"'),
        ('name="卓"', 'name="&amp;amp;lt;"'),
        ('rotate="0"', 'rotate="-1.5e2"'),
        ('location.x="250"', 'location.x="2000"'),
        ("1点与える。", "1点\n\n　与える。\n"),
        ('selected="true"', 'selected="true" memo="x"'),
        ("<room>", "<!-- a comment between elements --><room>"),
        ('location.name="table"', 'location.name="table" isDropShadow="true"'),
    ],
)
def test_what_the_client_tolerates_is_not_reported(old: str, new: str) -> None:
    assert verify_zip(edited(old, new)()) == ()


def test_folders_and_free_names_of_xml_and_a_byte_order_mark_are_fine() -> None:
    files = [
        (
            f"room/{name}" if name.endswith(".xml") else name,
            b"\xef\xbb\xbf" * name.endswith(".xml") + data,
        )
        for name, data in reversed(files_of(sound_zip()))
    ]
    assert verify_zip(zipped(files)) == ()
    assert read_zip(zipped(files)).room == sound_room()


def test_an_external_entity_is_not_followed() -> None:
    head = '<!DOCTYPE room [<!ENTITY x SYSTEM "file:///etc/hostname">]><room>&x;'
    data = edited("<room>", head)()
    assert {problem.rule for problem in verify_zip(data)} <= {"UD-XML-BROKEN", "UD-XML-ENTITY"}


def test_entities_that_multiply_are_not_unfolded() -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    data = f'<!DOCTYPE room [<!ENTITY l0 "ha">{laughs}]><room><a>&l11;</a></room>'
    assert [p.rule for p in verify_zip(zipped([("data.xml", data.encode())]))] == ["UD-XML-BROKEN"]


@pytest.mark.slow
@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_a_problem_and_never_an_exception(data: bytes) -> None:
    assert verify_zip(data)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(sound_zip()) - 1), st.integers(1, 255), st.integers(0, 40))
def test_a_damaged_zip_never_raises_anything_but_problems(at: int, flip: int, cut: int) -> None:
    data = bytearray(sound_zip())
    data[at] ^= flip
    damaged = bytes(data[: len(data) - cut])
    verify_zip(damaged)
    with contextlib.suppress(InvalidSource):
        read_zip(damaged)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(st.data())
def test_mutated_xml_never_raises_anything_but_problems(data: st.DataObject) -> None:
    files = dict(files_of(sound_zip()))
    source = files["data.xml"].decode()
    start = data.draw(st.integers(0, len(source)))
    length = data.draw(st.integers(0, 60))
    piece = data.draw(
        st.sampled_from(
            ["", "<", "</data>", "<data/>", '<card state="1"/>', "<node>", "&amp;", '"', "\0",
             "<!DOCTYPE x>", "<?x?>", "<!--", "]]>", ' a="b"', 'xmlns="u"', "<x:y/>"]
        )
    )  # fmt: skip
    files["data.xml"] = (source[:start] + piece + source[start + length :]).encode()
    broken = zipped(list(files.items()))
    verify_zip(broken)
    with contextlib.suppress(InvalidSource):
        read_zip(broken)


def test_a_zip_of_many_zips_is_not_followed_for_ever() -> None:
    data = sound_zip()
    for _ in range(8):
        data = zipped([("room.zip", data)])
    rules = [problem.rule for problem in verify_zip(data)]
    assert set(rules) <= {"UD-ENTRY-ZIP", "UD-ROOM-NONE"}


def test_unpacking_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("../evil.xml", "<room/>")
    verify_zip(buffer.getvalue())
    assert not list(tmp_path.parent.glob("evil*"))


# Each took minutes, when it was looked through anew for every one of them.
_MANY = {
    "spaces after a brace": ("<character><data name='character'/><chat-palette>{", " ", 2000,
                             "</chat-palette></character>"),
    "entries": ("<room><card><data name='card'>", "<data name='a'>x</data>", 6000,
                "</data></card></room>"),
    "entries in common": ("<room><card><data name='card'><data name='common'>",
                          "<data name='a'> </data>", 6000, "</data></data></card></room>"),
    "endless comments": ('<!DOCTYPE room [<!ENTITY x "', "<!--", 20_000,
                         '">]><room><card/></room>'),
    "endless sections": ("<room><card/>", "<![CDATA[\1]\1]\1>", 10_000, "</room>"),
}  # fmt: skip


@pytest.mark.parametrize(("head", "piece", "count", "tail"), _MANY.values(), ids=_MANY)
def test_a_small_zip_that_unpacks_to_very_many_things_comes_to_an_end(
    head: str, piece: str, count: int, tail: str
) -> None:
    assert verify_zip(zipped([("data.xml", (head + piece * count + tail).encode())]))


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("{  力}", ["力"]),
        ("{力 }", ["力 "]),
        ("{ }", [" "]),
        ("{}", []),
        ("｛ Ａ ｝ {Ａ}", ["Ａ ", "Ａ"]),
    ],
)
def test_a_palette_names_what_the_client_looks_up(written: str, named: list[str]) -> None:
    sheet = '<data name="character"><data name="common"><data name="名前"/></data></data>'
    data = f"<character>{sheet}<chat-palette>{written}</chat-palette></character>"
    found = verify_zip(zipped([("data.xml", data.encode())]))
    messages = [p.message for p in found if p.rule == "UD-PALETTE-NAME"]
    assert sorted(re.findall("uses '(.*?)'", "".join(messages))) == sorted(named)


def test_the_first_of_two_faults_at_one_place_does_not_hide_the_second() -> None:
    data = added("x.xml", '<card-stack state="1"><data name="card"/></card-stack>')()
    rules = {problem.rule for problem in verify_zip(data)}
    assert {"UD-LOOSE-BESIDE", "UD-GROUP-NAME", "UD-STACK-ROOT"} <= rules


# -- saves of the forks ----------------------------------------------------------------------------

# What Lily gives to each character that it loads, and to its saves.
LILY_DETAIL = (
    '<data name="立ち絵位置">'
    '<data name="POS" type="numberResource" currentValue="0">11</data></data>'
    '<data name="コマ画像"><data name="ICON" type="numberResource" currentValue="0">0</data></data>'
)
LILY_SHEET = '<data name="buff"><data name="バフ/デバフ"></data></data>'
LILY_PALETTE = '<buff-palette dicebot="">マッスルベアー DB+2 3</buff-palette>'

# What With Fly does: a picture of its own for who stands there without one.
FLY_STAND = (
    '<stand-list position="5"><data name="stand"><data name="name"></data>'
    '<data name="imageIdentifier" type="image">stand_no_image</data></data></stand-list>'
)


def crowd(more: str, detail: str = "", sheet: str = "") -> bytes:
    """The sound room with eight more characters, all as a fork saves them."""

    def change(files: Files) -> Files:
        data = dict(files)
        text = data["data.xml"].decode()
        start, end = text.index("<character "), text.index("</character>") + len("</character>")
        character = text[start:end].replace("</character>", more + "</character>")
        character = character.replace('<data name="detail">', '<data name="detail">' + detail)
        character = re.sub("</data>(?=\\s*<chat-palette)", f"{sheet}</data>", character)
        data["data.xml"] = (text[:start] + character * 9 + text[end:]).encode()
        return list(data.items())

    return changed(change)()


def test_a_save_of_lily_has_no_problems_and_each_of_its_elements_is_noticed_once() -> None:
    saved = crowd(LILY_PALETTE, LILY_DETAIL, LILY_SHEET)
    files = [*files_of(saved), ("config.xml", b"<config></config>")]
    files.append(("imagetag.xml", b"<image-tag-list></image-tag-list>"))
    problems = verify_zip(zipped(files))
    assert [str(problem).split(" Udonarium itself")[0] for problem in problems] == [
        "zip/config.xml:1:1: notice UD-FORK The root element is config.",
        f"{problems[1].where}: notice UD-FORK There is <buff-palette> in character '勇者'"
        " and 8 more.",
        "zip/imagetag.xml:1:1: notice UD-FORK The root element is image-tag-list.",
    ]
    assert counts(problems) == {"error": 0, "warning": 0, "notice": 3}


def test_a_picture_that_with_fly_alone_has_is_not_missed_in_its_saves() -> None:
    (problem,) = verify_zip(crowd(FLY_STAND))
    assert "There is <stand-list> in character '勇者' and 8 more." in problem.message


def test_pictures_at_addresses_are_noticed_once_however_many_there_are() -> None:
    source = dict(files_of(sound_zip()))["data.xml"].decode()
    for number, file in enumerate((FRONT, BACK, BOARD, PAWN)):
        source = source.replace(file.identifier, f"https://example.org/{number}.webp")
    (problem,) = verify_zip(zipped([("data.xml", source.encode())]))
    shown = source.count("https://")
    assert (problem.rule, problem.severity) == ("UD-REF-WEB", Severity.NOTICE)
    assert problem.message.startswith(
        f"game-table '卓' and {shown - 1} more: the pictures are at addresses, the first is"
        " 'https://example.org/2.webp'."
    )


@pytest.mark.slow
def test_of_very_many_faults_of_a_kind_fifty_are_told_and_the_others_counted() -> None:
    problems = verify_zip(edited("</room>", "<charakter/>" * 90_000 + "</room>")())
    assert len(problems) == 51
    assert problems[-1].message == "… and 89,950 more like this."
    assert counts(problems)["error"] == 90_000
