"""A new game: a folder of short commented files that does everything at once."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from commands import run

from exporter.loader.game_folders import game_folders
from exporter.loader.game_reader import read_game

ROOT = Path(__file__).parent.parent
SHIPPED = [folder.name for folder in game_folders([ROOT / "source_data"])]


JAPANESE = re.compile("[ぁ-んァ-ヶ一-龠]")


@pytest.fixture(autouse=True)
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared_cache: None) -> Path:
    """An empty folder in which a new user begins."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "board",
    [
        "hex",
        *(
            pytest.param(board, marks=pytest.mark.slow)
            for board in ("square", "graph", "ring", "track", "none")
        ),
    ],
)
def test_a_new_game_builds_checks_prints_and_verifies_at_once(board: str, somewhere: Path) -> None:
    made = run("new", "mine", "--board", board, "--players", "1-3")
    assert made.exit_code == 0, made.output
    assert run("check", "mine").exit_code == 0
    built = run("build", "mine")
    assert built.exit_code == 0, built.output
    zips = sorted((somewhere / "output" / "mine").glob("*.zip"))
    assert [path.stem for path in zips] == ["p1", "p2", "p3"]
    assert "0 problems" in run("verify", *map(str, zips)).output
    printed = run("print", "mine")
    assert printed.exit_code == 0, printed.output
    sheets = {path.stem for path in (somewhere / "output" / "mine").glob("*.pdf")}
    assert sheets >= {"cards", "reference"}
    assert bool(sheets & {"boards", "shared-a4"}) == (board != "none")


def test_it_is_about_a_dozen_short_commented_files(somewhere: Path) -> None:
    run("new", "mine")
    files = [path for path in (somewhere / "source_data" / "mine").rglob("*") if path.is_file()]
    assert 10 <= len(files) <= 15
    for path in files:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert len(lines) <= 60
        if path.suffix == ".yaml":
            assert lines[0].startswith("# yaml-language-server: $schema=../")
            schema = lines[0].partition("=")[2]
            assert (path.parent / schema).is_file()


def test_names_may_be_of_any_letters(somewhere: Path) -> None:
    name = '「だれか」の: "ゲーム" {1}'
    assert run("new", "mine", "--ja", name, "--en", "it's # 1").exit_code == 0
    game = read_game(somewhere / "source_data" / "mine")
    assert (game.name.ja, game.name.en) == (name, "it's # 1")


@pytest.mark.parametrize("like", SHIPPED)
@pytest.mark.slow
def test_a_game_like_another_is_that_game_under_its_own_name_and_as_sound(
    like: str, somewhere: Path
) -> None:
    assert run("new", "mine", "--like", like, "--ja", "わたしの").exit_code == 0
    mine, theirs = read_game(somewhere / "source_data" / "mine"), read_game(_shipped(like))
    assert (mine.id, mine.name.ja) == ("mine", "わたしの")
    assert mine.players == theirs.players
    assert list(mine.cards) == list(theirs.cards)
    assert list(mine.rooms) == list(theirs.rooms)
    assert run("check", "mine").exit_code == run("check", str(_shipped(like))).exit_code


_THEIRS = "id: theirs\nname: {ja: a, en: b}\nplayers: [1, 2]\nnotice: {ja: x, en: y}\n"


def _given(text: str, folder: Path) -> None:
    (folder / "theirs").mkdir()
    (folder / "theirs/game.yaml").write_text(text, encoding="utf-8")


def test_a_game_like_another_keeps_its_comments(somewhere: Path) -> None:
    head = "# a\nid: theirs # b\nname: # c\n  ja: 名 # {}\n  en: Name # d\n# e\n\n# f\n"
    _given(head + "players: # g\n  - 1\n  - 2 # h\n  # i\nnotice: {ja: x, en: y}\n", somewhere)
    made = run("new", "mine", "--like", "./theirs", "--players", "2-3")
    assert made.exit_code == 0, made.output
    copy = somewhere / "source_data/mine"
    assert (copy / "game.yaml").read_text(encoding="utf-8") == (
        "# a\nid: mine # b\nname: # c\n  {ja: mine, en: mine} # d\n# e\n\n# f\n"
        "players: # g\n  [2, 3] # h\n  # i\nnotice: {ja: x, en: y}\n"
    )
    assert read_game(copy).players == (2, 3)


def test_a_game_like_another_takes_its_large_and_its_drawn_pictures_along(somewhere: Path) -> None:
    _given(_THEIRS, somewhere)
    picture = somewhere / "theirs/art/big.png"
    picture.parent.mkdir()
    picture.write_bytes(bytes(9 * 1024 * 1024))
    (picture.parent / "sign.svg").write_text("<svg/>", encoding="utf-8")
    assert run("new", "mine", "--like", "./theirs").exit_code == 0
    assert (somewhere / "source_data/mine/art/big.png").stat().st_size == 9 * 1024 * 1024
    assert (somewhere / "source_data/mine/art/sign.svg").read_text(encoding="utf-8") == "<svg/>"
    with picture.open("wb") as file:
        file.truncate(65 * 1024 * 1024)
    made = run("new", "another", "--like", "./theirs")
    assert made.exit_code == 1
    assert "theirs/art/big.png: error SRC-FILE" in made.output
    assert not (somewhere / "source_data/another").exists()


def test_it_ends_with_where_to_read_on(somewhere: Path) -> None:
    said = run("new", "mine", "--in", "games").output.splitlines()[-1]
    assert (
        said
        == f"Then change a file and build again; {Path('games/schemas')} describes what each file may contain."  # noqa: E501
    )
    assert (somewhere / "games/schemas/game.json").is_file()


def _shipped(name: str) -> Path:
    return ROOT / "source_data" / name


def test_what_is_there_is_never_overwritten(somewhere: Path) -> None:
    run("new", "mine")
    mark = somewhere / "source_data" / "mine" / "game.yaml"
    mark.write_text("id: changed\n", encoding="utf-8")
    again = run("new", "mine")
    assert again.exit_code == 1
    assert "Something with this name exists already" in again.output
    assert mark.read_text(encoding="utf-8") == "id: changed\n"


@pytest.mark.parametrize("name", ["a/b", "..", "", "ゲーム", "x" * 65, "a\nb", "con", "COM1"])
def test_a_name_that_cannot_name_files_is_refused(name: str, somewhere: Path) -> None:
    assert run("new", name).exit_code == 1
    assert not (somewhere / "source_data").exists()


@pytest.mark.parametrize("players", ["0-2", "4-2", "many", "2-99"])
def test_players_are_a_span_that_the_starter_can_seat(players: str, somewhere: Path) -> None:
    assert run("new", "mine", "--players", players).exit_code == 2
    assert not (somewhere / "source_data").exists()


def test_without_a_terminal_nothing_is_asked() -> None:
    asked = run("new", typed="mine\n")
    assert asked.exit_code == 2
    assert "exporter new my_game" in asked.output


@pytest.mark.skipif(os.name == "nt", reason="Windows has terminals of another kind")
def test_on_a_terminal_what_is_missing_is_asked(somewhere: Path) -> None:
    import pty

    keyboard, terminal = pty.openpty()
    os.write(keyboard, "mine\nわたしの\n\n3\nring\n".encode())
    words = [sys.executable, "-m", "exporter", "new"]
    asked = subprocess.run(words, stdin=terminal, capture_output=True, text=True, check=False)
    assert asked.returncode == 0, asked.stderr
    game = read_game(somewhere / "source_data" / "mine")
    assert (game.name.ja, game.players) == ("わたしの", (3, 3))
    assert game.boards["board"].kind == "ring"


def test_where_nothing_can_be_written_nothing_is_left(somewhere: Path) -> None:
    (somewhere / "source_data").write_text("a file", encoding="utf-8")
    assert run("new", "mine").exit_code != 0
    assert sorted(path.name for path in somewhere.iterdir()) == ["source_data"]


def test_a_disk_that_is_full_keeps_no_empty_folder(
    somewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    made = run("new", "mine")
    assert (made.exit_code, "disk is full" in made.output) == (1, True)
    assert list(somewhere.iterdir()) == []


def _comments(folder: Path) -> list[tuple[str, str]]:
    """Every comment of a game's files, with its file; without the lines for editors."""
    found = []
    for path in sorted(folder.rglob("*.yaml")):
        for line in path.read_text(encoding="utf-8").splitlines()[1:]:
            comment = re.search(r"(?:^|\s)# (.+)$", line)
            if comment:
                found.append((path.name, comment[1]))
    return found


@pytest.mark.parametrize(
    "words",
    [
        *(["--board", board] for board in ("square", "hex", "graph", "ring", "track")),
        ["--from", "deck.csv"],
    ],
    ids=" ".join,
)
def test_comments_are_in_the_language_chosen(words: list[str], somewhere: Path) -> None:
    (somewhere / "deck.csv").write_text("Name,Cost,Text\nOak,2,Grow one.\nFir,3,Wait.\n", "utf-8")
    run("new", "english", *words, "--lang", "en")
    run("new", "japanese", *words, "--lang", "ja")
    english, japanese = (_comments(somewhere / "source_data" / g) for g in ("english", "japanese"))
    assert [file for file, _ in english] == [file for file, _ in japanese]
    assert len(english) > 5
    assert not [one for one in english if JAPANESE.search(one[1])]
    assert not [one for one in japanese if not JAPANESE.search(one[1])]
