"""The commands as somebody meets them who is new, in a hurry, or up to no good.

Whatever is wrong: every fault at once with its place, exit code 1 (2 for wrong usage), no
traceback, and what stood in the output folder is untouched.
"""

from __future__ import annotations

import errno
import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from commands import Ran, Run, runner
from PIL import Image
from small_game import GAME, change, write_sheets, write_small_game

from exporter.cli import console
from exporter.cli.main import exporter

LAYOUTS, TABLE, WEAPONS = (
    GAME + name for name in ("layouts.yaml", "rooms/table.yaml", "cards/weapons.csv")
)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Run:
    """Runs the program where the small game is; a traceback would be an error of the test."""
    write_small_game(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return runner(capsys)


@pytest.fixture
def old_output(tmp_path: Path) -> Path:
    """A room of an earlier day, which no failure may touch."""
    path = tmp_path / "output/small/table.zip"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"old")
    return path


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


# -- what works ----------------------------------------------------------------------------------


def test_build_says_what_it_made_where_and_how_to_open_it(run: Run) -> None:
    ran = run("build", "small")
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "output/small/box.zip  2.8 kB, 4 cards, 4 pictures",
        "output/small/table.zip  4.7 kB, 7 cards, 8 pictures",
        "Made 2 files; 11 pictures were newly painted.",
        "To play: open https://udonarium.app/ in a browser, and drag and drop a room zip onto the window."  # noqa: E501
        " exporter list shows how many players each room is for.",
    ]
    assert not ran.err
    assert run("verify", *ran.out.split()[0:1]).out == "1 zip, 0 problems.\n"


@pytest.mark.slow
def test_long_work_says_once_what_is_done_where_no_terminal_shows_it(
    run: Run, tmp_path: Path
) -> None:
    with (tmp_path / WEAPONS).open("a", encoding="utf-8") as cards:
        cards.writelines(f"X{number},札{number},字{number},1,base\n" for number in range(30))
    shutil.copytree(tmp_path / GAME, tmp_path / "source_data/other")
    change(tmp_path / "source_data/other/game.yaml", "id: small", "id: other")
    assert run("build", "small", "other").err == "Painting 41 pictures …\n"  # once
    assert not run("build", "small", "other").err
    change(tmp_path / WEAPONS, "字1,", "別1,")
    assert not run("build", "small").err
    job = "lay: cards\ncards: {kind: weapon}\ngrid: [3, 3]\n"
    write_sheets(tmp_path, **dict.fromkeys("abcde", job))
    assert run("print", "small").err == "Printing 5 sheets …\n"
    assert not run("print", "small", "--sheet", "a").err


def test_an_illegal_build_is_told_of_wherever_it_goes(run: Run, tmp_path: Path) -> None:
    rule = "id: A-1, title: 箱まで, status: checked, kind: copies, parameters: {field: copies}"
    (tmp_path / GAME / "rules.yaml").write_text(f"rules: [{{{rule}}}]\n", encoding="utf-8")
    write_sheets(tmp_path, mechs="lay: mechs\nface: sheet\n")
    build = "game: small\nname: Mine\nframe: {size: S}\nmounted: {arm: [Net, Net]}\n"
    (tmp_path / "mine.yaml").write_text(build, encoding="utf-8")
    for words in (
        "build small --loose mine.yaml",
        "build small --mech red1=mine.yaml --room table",
        "print small --mech mine.yaml",
    ):
        ran = run(*words.split())
        assert ran.code == 0
        assert ran.err.startswith("mine.yaml:4:22: warning A-1")


CHAT = "chat: [{name: main, messages: [a]}]\n"
VERSION = "version: {number: 1, day: 2026-01-31}\n"


@pytest.mark.slow
def test_a_game_without_a_version_is_told_that_its_messages_have_a_day_of_old(run: Run) -> None:
    change(Path("source_data/small/rooms/table.yaml"), "boards:", f"{CHAT}boards:")
    for command in ("build", "check"):
        ran = run(command, "small")
        assert ran.code == 0
        assert "small/game.yaml:1:1: notice VERSION" in ran.err
        assert "are dated 2000-01-01. Write `version: {number: 1, day:" in ran.err
    assert "VERSION" not in run("build", "small", "--loose", "AA").err
    change(Path("source_data/small/game.yaml"), "parts:", f"{VERSION}parts:")
    assert "VERSION" not in run("build", "small").err + run("check", "small").err


def test_the_last_line_names_errors_warnings_and_notices_apart(run: Run, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "room.zip", "w") as archive:
        archive.writestr("data.xml", '<room><game-table name="卓"/><cut-in/><a/><a/></room>')
    ran = run("verify", "room.zip")
    assert (ran.code, ran.out) == (1, "1 zip, 2 errors, 1 warning, 1 notice.\n")
    summary = run("verify", "room.zip", "--format", "json").document["summary"]
    assert summary == {"error": 2, "warning": 1, "notice": 1}


def test_single_mechs_and_pictures_alone(run: Run, tmp_path: Path) -> None:
    assert run("build", "small", "--loose", "AA:kai", "--loose", "AA").code == 0
    assert files(tmp_path / "output") == ["small/loose/AA-kai.zip", "small/loose/AA.zip"]
    told = run("build", "small", "--images", "pictures").out
    assert [name.partition(".")[0] for name in files(tmp_path / "pictures/small")] == [
        "backs/AA", "backs/card", "boards/field", "cards/W1", "cards/W2", "cards/W3",
        "decks/AA/W1-basic", "decks/AA/W2-basic-kai", "sheets/AA-basic", "tiles/plain-1",
        "tiles/wall-1",
    ]  # fmt: skip
    folders = [
        *("backs  2 pictures", "boards  1 picture", "cards  3 pictures"),
        *("decks/AA  2 pictures", "sheets  1 picture", "tiles  2 pictures"),
    ]
    assert re.sub(r"[0-9.]+ kB, ", "", told).splitlines() == [
        *(str(Path("pictures/small", folder)) for folder in folders),
        "Made 11 files; 8 pictures were newly painted.",
    ]


@pytest.mark.slow
def test_pictures_that_somebody_changed_are_written_again(run: Run) -> None:
    build = ("build", "small", "--images", "pictures")
    run(*build)
    before = {path: path.read_bytes() for path in Path("pictures").rglob("*.*")}
    spoilt, gone, *others = before
    spoilt.write_bytes(before[spoilt][:-1] + b"x")
    gone.unlink()
    assert f"(2 new or changed, {len(others)} unchanged)" in run(*build).out
    assert {path: path.read_bytes() for path in before} == before


def test_pictures_as_png_show_what_the_others_do(run: Run, tmp_path: Path) -> None:
    run("build", "small", "--images", "usual")
    assert run("build", "small", "--images", "png", "--format", "png").code == 0
    usual = {path.with_suffix(""): path for path in (tmp_path / "usual").rglob("*.*")}
    assert ".webp" in {path.suffix for path in usual.values()}
    for name, path in usual.items():
        png = tmp_path / "png" / name.relative_to(tmp_path / "usual").with_suffix(".png")
        assert png.read_bytes().startswith(b"\x89PNG")
        with Image.open(path) as one, Image.open(png) as other:
            assert other.format == "PNG"
            assert one.convert("RGBA").tobytes() == other.convert("RGBA").tobytes()
    assert len(files(tmp_path / "png")) == len(usual)


def test_two_builds_never_become_one_zip(run: Run, tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
        build = f"game: small\nname: {name}\nframe: {{size: S}}\n"
        (tmp_path / name / "mine.yaml").write_text(build, encoding="utf-8")
    zipped = Path("output/small/loose/mine.zip")
    assert run("build", "small", "--loose", "a/mine.yaml", "--loose", "b/mine.yaml").told == [
        f"command line: error SAME-FILE Two different things would be saved as {zipped} (capitals "
        "and small letters count as the same). Make one at a time, each with its own --out, or "
        "rename one."
    ]
    assert not (tmp_path / "output").exists()
    assert "Made 1 file" in run("build", "small", "--loose", "AA", "--loose", "AA").out


@pytest.mark.slow
def test_a_game_is_known_by_its_folder_and_writes_below_its_id(run: Run, tmp_path: Path) -> None:
    (tmp_path / "source_data/small").rename(tmp_path / "source_data/copy")
    assert "copy  Small · 1–2 players · box, table" in run("list").out
    assert run("build", "copy").code == 0
    assert files(tmp_path / "output") == ["small/box.zip", "small/table.zip"]


def test_a_game_named_twice_is_built_once(run: Run) -> None:
    assert "Made 2 files" in run("build", "small", GAME, "small").out


# -- wrong usage ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "build",
        "build small --all",
        "build small --mech red1=",
        "build small --mech AA --mech AA:kai",
        "build small --mech red1=AA --mech red1=AA:kai",
        "build small --loose AA --images pictures",
        "build small --loose AA --room table",
        "build small --format png",
        "build small --images pictures --format webp",
        "build small --source nowhere",
        "print",
        "print small --size 0",
        "print small --size 63x0",
        "print small --size 0.1",
        "print small --grid 3",
        "print small --gap x",
        "print small --changed-since soon",
        "verify",
        "list --format xml",
    ],
)
def test_wrong_usage_is_told_as_such(run: Run, words: str) -> None:
    ran = run(*words.split())
    assert ran.code == 2
    assert "Usage:" in ran.err
    assert not ran.out


# -- wishes that nobody can fulfil -----------------------------------------------------------------


@pytest.mark.parametrize("spoken", ["en", "ja"])
def test_an_unknown_command_is_told_with_the_nearest(run: Run, spoken: str) -> None:
    ran = run("--lang", spoken, "biuld", "small")
    assert ran.code == 2
    assert {"biuld", "build"} <= {*re.findall("[a-z]+", ran.err.splitlines()[-1])}


def test_all_impossible_wishes_are_told_at_once(run: Run, tmp_path: Path) -> None:
    wishes = "--mech red1=XX --mech rad1=AA --board Q+field --boxes base,mroe"
    assert run("build", "small", *wishes.split()) == Ran(
        1,
        "",
        "command line: error BOARD There is no board 'Q'. Allowed: field.\n"
        "command line: error BOXES 'small' has no box 'mroe'. Did you mean 'more'?\n"
        "command line: error MECH 'small' has no mech 'XX'. Allowed: AA Alpha.\n"
        "command line: error SEAT None of the chosen rooms (box, table) has a seat 'rad1'."
        " Did you mean 'red1'?\n"
        "4 errors.\n",
    )
    assert not (tmp_path / "output").exists()


@pytest.mark.parametrize(
    ("wishes", "told"),
    [
        ("--room tabel", "'small' has no room 'tabel'. Did you mean 'table'?"),
        ("--room box --board field", "None of the chosen rooms (box) has a board."),
        ("--boxes more", "The box '拡張' cannot be used without base. Give --boxes base,more."),
        ("--mech red1=AA:kia", "'small' has no variant 'kia'. Did you mean 'kai'?"),
        ("--mech red1=mine.yaml", "There is no file mine.yaml."),
        ("--loose AB", "'small' has no mech, card, deck or piece 'AB'. Allowed: AA, Alpha"),
    ],
)
def test_an_impossible_wish_is_told_with_a_remedy(run: Run, wishes: str, told: str) -> None:
    ran = run("build", "small", *wishes.split())
    assert ran.code == 1
    assert len(ran.told) == 1
    assert told in ran.told[0]


def test_a_mech_without_a_seat_sits_in_the_one_that_is_free(run: Run) -> None:
    made = []
    for wish in ("red1=AA:kai", "AA:kai"):
        assert run("build", "small", "--room", "table", "--mech", wish).code == 0
        made.append(Path("output/small/table.zip").read_bytes())
    assert made[0] == made[1]
    ran = run("build", "small", "--mech", "red1=AA", "--mech", "AA")
    assert ran.told == [
        "command line: error SEAT No seat is free for AA: --mech already fills red1."
        " Remove --mech AA, or the --mech of the seat it is for."
    ]


def test_what_is_in_a_box_not_owned_is_not_played(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        "game: small\nname: Mine\nframe: {size: S}\nmounted: {arm: [Net]}\n", encoding="utf-8"
    )
    wish = ("build", "small", "--room", "table", "--mech", "red1=mine.yaml")
    assert run(*wish).code == 0
    change(tmp_path / GAME / "game.yaml", "name: 拡張, requires: [base]", "name: 拡張")
    assert run(*wish, "--boxes", "base").told == [
        "command line: error BOXES 'red1' plays 'Net', which comes in the box 'more'; that is "
        "not among the boxes you own (--boxes). Choose another mech (--mech red1=CODE), or add "
        "that box to --boxes."
    ]
    printed = run("build", "small", "--room", "table", "--boxes", "more").told
    assert "'red1' plays 'Alpha', which comes in the box 'base'; that" in printed[0]


# -- faults of the data ----------------------------------------------------------------------------


def test_independent_faults_of_several_files_are_told_at_once(
    run: Run, tmp_path: Path, old_output: Path
) -> None:
    change(tmp_path / TABLE, "name: {ja: 卓", "nam: {ja: 卓")
    change(tmp_path / WEAPONS, "W3,Net,とめる,1,more", "W2,Net")
    change(tmp_path / LAYOUTS, "at: [0, 2]", "at: here")
    change(tmp_path / GAME / "mechs/AA.yaml", "arm: [Sword]", "arm: [Swrod]")
    ran = run("build", "small")
    assert ran.code == 1
    assert [line.split(" ")[0:3] for line in ran.told] == [
        ["small/cards/weapons.csv:4:", "error", "SRC-CSV"],
        ["small/cards/weapons.csv:4:1:", "error", "SRC-ID"],
        ["small/layouts.yaml:10:23:", "error", "SRC-VALUE"],
        ["small/mechs/AA.yaml:7:25:", "error", "SRC-REF"],
        ["small/rooms/table.yaml:2:1:", "error", "SRC-KEY"],
    ]
    assert old_output.read_bytes() == b"old"


@pytest.mark.slow
def test_faults_of_all_faces_are_told_at_their_rows(
    run: Run, tmp_path: Path, old_output: Path
) -> None:
    change(tmp_path / WEAPONS, "もやす", "もやす🐱")
    change(tmp_path / WEAPONS, "きる", "きる" * 300)
    pictures = tmp_path / GAME / "pictures"
    pictures.mkdir()
    Image.new("RGB", (200, 20)).save(pictures / "W3.png")
    Image.new("1", (9000, 9000)).save(pictures / "AA.png")
    (pictures / "field.png").write_bytes(b"no picture")
    expected = [
        ("small/cards/weapons.csv:2: error FACE-GLYPH ", "'🐱' (U+1F431)"),
        ("small/cards/weapons.csv:3: error FACE-OVERFLOW ", "text (600 characters)"),
        ("small/cards/weapons.csv:4: error FACE-PICTURE ", "200 × 20 pixels"),
        ("small/pictures/AA.png: error FACE-PICTURE ", "9000 × 9000 pixels"),
        ("small/pictures/field.png: error FACE-PICTURE ", "This cannot be read as a picture"),
    ]
    for command in ("check", "build"):
        for line, (place, words) in zip(run(command, "small").errors, expected, strict=True):
            assert line.startswith(place)
            assert words in line
    assert files(tmp_path / "output") == ["small/table.zip"]
    assert old_output.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        (TABLE, "boards:", "square: 1e9\nboards:", "table.yaml:4:9: error SRC-VALUE square"),
        (TABLE, "boards:", "gap: .nan\nboards:", "table.yaml:4:6: error SRC-VALUE gap"),
        (LAYOUTS, "copies: copies", "copies: '99999999'", "layouts.yaml:9:62: error SRC-VALUE"),
        (WEAPONS, "とめる,1", "とめる,100", "weapons.csv:4:12: error SRC-VALUE copies: found 100;"),
        (WEAPONS, "とめる,1", "とめる,999999999999", "weapons.csv:4:12: error SRC-VALUE"),
        (LAYOUTS, "はじめに", '"a\\u0007"', "layouts.yaml:10:38: error SRC-TEXT"),
        (WEAPONS, "Net", "N\x07et", "weapons.csv:4:5: error SRC-TEXT"),
    ],
)
def test_a_number_too_large_or_a_character_that_nothing_shows_is_told_where_it_stands(
    run: Run, tmp_path: Path, name: str, old: str, new: str, told: str
) -> None:
    change(tmp_path / name, old, new)
    ran = run("build", "small")
    assert ran.code == 1
    assert told in ran.told[0]


@pytest.mark.parametrize("name", ["../../W3", "a:b", "CON", "lpt1.x", "a."])
def test_an_id_that_no_system_could_write_names_no_file(
    run: Run, tmp_path: Path, name: str
) -> None:
    change(tmp_path / WEAPONS, "W3,", f"{name},")
    assert (
        f"{name!r} cannot be used as a file name." in run("build", "small", "--images", "p").told[0]
    )
    assert not list(tmp_path.rglob("*.webp"))


@pytest.mark.parametrize("name", ["con", "..", "a."])
def test_what_a_thing_is_called_names_a_file_on_every_system(run: Run, name: str) -> None:
    ran = run("build", "small", "--loose", "AA", "--name", name)
    assert f"{name!r} cannot be used as a file name." in ran.told[0]


def test_cards_of_a_deck_that_differ_in_a_field_have_a_picture_each(
    run: Run, tmp_path: Path
) -> None:
    deck = tmp_path / GAME / "decks/mechs.csv"
    deck.write_text(
        "mech,card,mark,copies,note,text\nAA,Laser,●,1,,甲\nAA,Laser,●,1,,乙\nAA,Sword,●◆,1,,\n",
        encoding="utf-8",
    )
    assert run("build", "small", "--images", "p").code == 0
    assert [Path(name).stem for name in files(tmp_path / "p/small/decks")] == [
        "W1-basic-2", "W1-basic", "W2-basic-kai"
    ]  # fmt: skip


# -- several games -----------------------------------------------------------------------------


def test_unknown_games_are_told_at_once(run: Run) -> None:
    told = run("build", "smal", "/nowhere", "templates").told
    assert [line.split(":")[0] for line in told] == ["/nowhere", "smal", "templates"]
    assert "Did you mean 'small'?" in told[1]


def test_with_one_broken_game_nothing_is_built_and_the_others_faults_are_told_too(
    run: Run, tmp_path: Path
) -> None:
    sources = tmp_path / "source_data"
    shutil.copytree(sources / "small", sources / "other")
    change(sources / "other/game.yaml", "id: small", "id: [")
    change(tmp_path / WEAPONS, "W3", "W2")
    told = run("build", "small", "other").told
    assert [line.split(":")[0] for line in told] == ["other/game.yaml", "small/cards/weapons.csv"]
    assert not (tmp_path / "output").exists()


def test_games_that_would_write_over_one_another_are_told(run: Run, tmp_path: Path) -> None:
    shutil.copytree(tmp_path / GAME, tmp_path / "source_data/other")
    (told,) = run("build", "small", "other").told
    assert "have the same id" in told
    assert not (tmp_path / "output").exists()


@pytest.mark.slow
def test_list_shows_the_sound_games_beside_a_broken_one(run: Run, tmp_path: Path) -> None:
    (tmp_path / "source_data/bad").mkdir()
    (tmp_path / "source_data/bad/game.yaml").write_text("id: [", encoding="utf-8")
    ran = run("list")
    assert ran.code == 1
    assert "bad/game.yaml:1:6: error SRC-YAML" in ran.err
    assert "small  Small" in ran.out
    document = run("list", "--format", "json").document
    assert "small" in [game["folder"] for game in document["games"]]
    assert [problem["file"] for problem in document["problems"]] == ["bad/game.yaml"]


# -- JSON, pipes, encodings, colours -----------------------------------------------------------


@pytest.mark.parametrize("words", ["verify nothing.zip", "verify .", "list nothing"])
def test_json_is_one_document_whatever_is_wrong(run: Run, words: str) -> None:
    ran = run(*words.split(), "--format", "json")
    assert ran.code == 1
    assert not ran.err
    (problem,) = ran.document["problems"]
    assert problem["severity"] == "error"
    assert problem["file"] == words.split()[1]
    assert problem["line"] is None


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp932", "utf-8"])
def test_japanese_passes_through_any_encoding(
    run: Run, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    pipe = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", pipe)
    console.prepare_terminal()
    assert run("list", "small").code == 0
    pipe.buffer.seek(0)
    pipe.buffer.truncate()
    assert run("list", "small", "--format", "json").code == 0
    document = json.loads(pipe.buffer.getvalue().decode(encoding))
    assert document["games"][0]["name"]["ja"] == "小さなゲーム"


@pytest.mark.slow
def test_a_reader_who_leaves_early_hears_no_traceback(run: Run, tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    words = [sys.executable, "-m", "exporter", "list", "small"]
    program = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with open(writer, "wb") as pipe:
        ended = subprocess.run(
            words, stdout=pipe, stderr=subprocess.PIPE, env=program, check=False, cwd=tmp_path
        )
    assert b"Traceback" not in ended.stderr
    assert ended.returncode == 1


# -- places that cannot be written, and interrupts ----------------------------------------------


def test_a_file_or_a_folder_in_the_way_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (told,) = run("build", "small", "--out", "file").told
    assert told.startswith(f"{Path('file/small')}: error WRITE Files cannot be written here")
    (tmp_path / "out/small/box.zip").mkdir(parents=True)
    (tmp_path / "out/small/table.zip").mkdir()
    lines = run("build", "small", "--out", "out").told
    assert [Path(line.split(":")[0]).name for line in lines] == ["box.zip", "table.zip"]
    assert not files(tmp_path / "out")


FULL = "the disk is full. Nothing was changed. Free some disk space, or choose another place."
CLOSED = f"{os.strerror(errno.EROFS)}. Nothing was changed. Choose another place."
REFUSED = f"{Path('output/small')}: error WRITE Files cannot be written here:"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, ""), f"{REFUSED} {FULL}\n1 error."),
        (OSError(errno.EROFS, os.strerror(errno.EROFS)), f"{REFUSED} {CLOSED}\n1 error."),
        (KeyboardInterrupt(), "Aborted!"),
    ],
    ids=["a full disk", "a closed disk", "an interrupt"],
)
def test_what_ends_the_writing_leaves_the_old_output_untouched(
    run: Run, monkeypatch: pytest.MonkeyPatch, old_output: Path, error: BaseException, said: str
) -> None:
    write = Path.write_bytes

    def end(path: Path, data: bytes) -> int:
        if path.suffix == ".part":
            raise error
        return write(path, data)

    monkeypatch.setattr("pathlib.Path.write_bytes", end)
    ran = run("build", "small")
    assert (ran.code, ran.err.strip()) == (1, said)
    assert files(Path("output")) == ["small/table.zip"]
    assert old_output.read_bytes() == b"old"


def test_a_word_with_a_nul_is_refused_by_every_command() -> None:
    for name in exporter.commands:
        made = CliRunner().invoke(exporter, [name, "a\0b"])
        assert made.exit_code == 2
        assert "An argument contains a NUL character." in made.stderr


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a system without a device that is full")
@pytest.mark.parametrize("words", [["--version"], ["list", "small"]])
def test_what_cannot_be_told_is_said_without_a_traceback(tmp_path: Path, words: list[str]) -> None:
    write_small_game(tmp_path)
    command = [sys.executable, "-m", "exporter", *words]
    with open("/dev/full", "w") as full:
        made = subprocess.run(command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True)
    assert made.returncode == 1
    assert made.stderr.startswith("error The result cannot be shown: No space left")
    assert made.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows closes no stream for another program")
@pytest.mark.parametrize("words", [["check", "-"], ["new"]])
def test_standard_input_that_is_closed_holds_nothing(tmp_path: Path, words: list[str]) -> None:
    command = [sys.executable, "-m", "exporter", *words]
    made = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *command], cwd=tmp_path, capture_output=True, text=True
    )
    assert made.returncode in (1, 2)
    assert "Traceback" not in made.stderr


# -- pictures at an address, and rooms that live on ---------------------------------------------


def test_pictures_at_an_address_lie_beside_the_zips_that_name_them(
    run: Run, tmp_path: Path
) -> None:
    assert run("build", "small", "--room", "table", "--images-at", "https://a.example/x").code == 0
    pictures = sorted((tmp_path / "output/small/images").iterdir())
    with zipfile.ZipFile(tmp_path / "output/small/table.zip") as archive:
        assert all(name.endswith(".xml") for name in archive.namelist())
        text = archive.read("data.xml").decode()
    assert pictures
    assert all(f"https://a.example/x/{picture.name}" in text for picture in pictures)


def test_a_saved_room_is_updated_beside_itself(run: Run, tmp_path: Path) -> None:
    run("build", "small", "--room", "table")
    saved = tmp_path / "output/small/table.zip"
    before = saved.read_bytes()
    assert run("update", str(saved)).out == "The room is up to date; nothing was changed.\n"
    table = tmp_path / "source_data/small/game.yaml"
    assert not run("diff", str(saved), "small").out.startswith("~")
    change(table, "id: small", "id: small\n# read again")
    assert run("update", str(saved), "--out", str(saved)).code == 2
    assert saved.read_bytes() == before
    change(tmp_path / "source_data/small/cards/weapons.csv", "もやす,2", "もやす,1")
    kept = run("update", str(saved), "--dry-run").out
    assert "· (no longer in the data, kept in the room) card Laser\n" in kept
    assert "--remove takes them away" in kept
    assert "\n- card Laser\n" in "\n" + run("update", str(saved), "--dry-run", "--remove").out


def test_the_list_of_changes_is_kept_and_said_in_rooms(run: Run, tmp_path: Path) -> None:
    game = tmp_path / "source_data/small"
    shutil.copytree(game, tmp_path / "old")
    change(game / "cards/weapons.csv", "W2,Sword,きる", "W2,Sword,つく")
    refused = run("diff", "old", "small", "--write")
    assert refused.code == 1
    assert "error CHANGES" in refused.err
    assert not (game / "changes").exists()
    more = "players: [1, 2]\nversion: {number: 2, day: 2026-01-31}\n"
    change(game / "game.yaml", "players: [1, 2]\n", more)
    change(game / "rooms/table.yaml", "arrange:", "chat: [{name: 案内}]\narrange:")
    kept = run("diff", "old", "small", "--write")
    assert kept.out == (
        "~ card W2 Sword: 効果 きる → つく\n1 difference.\n"
        "Kept: source_data/small/changes/2026-01-31.yaml\n"
    )
    assert run("diff", "old", "small").out == kept.out.rpartition("Kept")[0]
    change(tmp_path / "old/cards/weapons.csv", "W3,", "W9,Bow,うつ,1,more\nW3,")
    changed = run("build", "small", "--changed-since", "old")
    assert changed.out.startswith("1 card is no longer in the data; the zips made here do not")
    loose = [path.name for path in (tmp_path / "output/small/loose").iterdir()]
    assert loose == ["W2.zip"]
    assert run("build", "small", "--changed-since", "small").out == "0 differences.\n"
    assert not (tmp_path / "output/small/table.zip").exists()
    run("build", "small", "--room", "table")
    with zipfile.ZipFile(tmp_path / "output/small/table.zip") as archive:
        chat = archive.read("chat.xml").decode()
    assert "【変更点】\n~ カード W2 Sword：効果 きる → つく<" in chat


@pytest.mark.slow
def test_a_room_becomes_a_game_of_its_own(run: Run, tmp_path: Path) -> None:
    run("build", "small", "--room", "table")
    brought = run("import", "output/small/table.zip", "brought", "--ja", "卓", "--en", "Table")
    assert brought.code == 0
    assert brought.out.splitlines()[-1] == "Try it: exporter build brought"
    assert run("build", "brought").code == 0
    assert run("import", "output/small/table.zip", "brought").code == 1
    assert run("check", "brought").code == 0


@pytest.mark.slow
def test_a_room_without_marks_and_a_zip_without_a_room_are_refused(
    run: Run, tmp_path: Path
) -> None:
    run("build", "small", "--loose", "AA")
    (loose,) = (tmp_path / "output/small/loose").iterdir()
    for command in ("update", "diff"):
        more = ("small",) if command == "diff" else ()
        ran = run(command, str(loose), *more)
        assert ran.code == 1
        assert "error UPDATE" in ran.err


@pytest.mark.slow
def test_a_zip_is_made_smaller_and_shows_the_same(run: Run, tmp_path: Path) -> None:
    run("build", "small", "--room", "table")
    saved = tmp_path / "output/small/table.zip"
    with zipfile.ZipFile(saved, "a") as archive:
        archive.writestr(f"{'0' * 64}.png", b"nothing shows this" * 99)
    assert run("slim", str(saved)).code == 0
    slim = tmp_path / "output/small/table_slim.zip"
    assert slim.stat().st_size < saved.stat().st_size
    assert "error" not in run("verify", str(slim)).err
