"""Texts of cards on paper: of one size for each kind, no line of one letter, nothing torn apart."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pypdfium2
import pytest
from commands import output_of, run
from small_game import things_game

from exporter.app.games import open_to_make
from exporter.core.shipped_files import template_folders
from exporter.faces.card_faces import Face, card_front
from exporter.faces.face_texts import fill_lines, shuffle_words
from exporter.loader.print_job_files import read_jobs, read_stationery
from exporter.model import DeckCard, Game
from exporter.render.batches import FILES, FacePage, PlacedFace, set_face_pages
from exporter.render.painter import RenderJob, prepare_render_job
from exporter.render.typesetter import open_compiler

GAMES = sorted(path.parent for path in Path("source_data").glob("*/game.yaml"))

Letter = tuple[str, float, float]
"""A letter with its lower edge and its size, in points."""


def fronts(game: Game) -> list[Face]:
    cards = (card for card in game.cards.values() if game.kinds[card.kind].front)
    return [card_front(game, DeckCard(card=card)) for card in cards]


def found_of(folder: Path, faces: list[Face], cache: Path | None = None) -> RenderJob:
    return prepare_render_job(faces, template_folders("faces"), folder, cache)


def pages(wanted: RenderJob, faces: list[Face]) -> Iterator[list[Letter]]:
    """The letters of each face as it is printed."""
    files = wanted.files | FILES
    _faces, pictures, _problems = wanted.drawable(faces)
    with open_compiler(files, pictures, wanted.fonts) as ready:
        alone = [FacePage(face.width, face.height, (PlacedFace(face),)) for face in faces]
        data, problems = set_face_pages(ready, alone, wanted.pictures, "")
    assert not problems
    with pypdfium2.PdfDocument(data) as pdf:
        yield from map(letters_of, pdf)


def letters_of(page: pypdfium2.PdfPage) -> list[Letter]:
    text = page.get_textpage()
    return [
        (
            text.get_text_range(at, 1),
            text.get_charbox(at, loose=True)[1],
            round(pypdfium2.raw.FPDFText_GetFontSize(text, at), 1),
        )
        for at in range(text.count_chars())
        if text.get_text_range(at, 1).strip()
    ]


def told(values: dict[str, object], field: str) -> list[str]:
    """The paragraphs that a face tells under a field, or in its lines, as far as they are plain."""
    texts = [values.get(field, "")]
    for each in values.values():
        entries = each if isinstance(each, list) else []
        texts += [entry.get(field, "") for entry in entries if isinstance(entry, dict)]
    whole = "\n".join(text for text in texts if isinstance(text, str))
    parts = whole.replace("\\n", "\n").split("\n")
    return ["".join(part.split()) for part in parts if not set(part) & set("[]{}*_|")]


def lines_of(letters: list[Letter], paragraph: str) -> tuple[list[str], set[float]] | None:
    """A paragraph as it stands on the page, line by line, and the sizes of its letters."""
    shown = "".join(letter for letter, _edge, _size in letters)
    start = shown.find(paragraph)
    if start < 0:
        return None
    lines: dict[float, str] = defaultdict(str)
    some = letters[start : start + len(paragraph)]
    for letter, edge, _size in some:
        near = next((each for each in lines if abs(each - edge) < 3), edge)
        lines[near] += letter
    return list(lines.values()), {size for _letter, _edge, size in some}


@pytest.mark.slow
@pytest.mark.parametrize("folder", GAMES, ids=lambda path: path.name)
def test_every_kind_has_one_size_of_text_and_no_line_of_one_letter(folder: Path) -> None:
    wanted = found_of(folder, fronts(open_to_make(folder).played))
    faces = list(wanted.sized.values())
    sizes: dict[tuple[str, str], set[float]] = defaultdict(set)
    alone, looked_at = [], 0
    for face, letters in zip(faces, pages(wanted, faces), strict=True) if faces else ():
        values = json.loads(face.values)
        for field, size in values["text_sizes"].items():
            for paragraph in told(values, field):
                found = lines_of(letters, paragraph)
                if not found or len(paragraph) < 4:
                    continue
                looked_at += 1
                lines, on_page = found
                assert face.size_group is not None
                # Embryo Machine's cards set a long effect smaller, so that the picture stays.
                is_long = folder.name == "embryo_machine" and len(str(values.get(field, ""))) > 50
                if is_long and max(on_page) < size:
                    continue
                sizes[face.size_group.name, field] |= on_page
                assert on_page == {size}, (face.name, field)
                if len(lines) > 1 and len(lines[-1].strip("、。，．」』）！？…")) < 2:
                    alone.append((face.name, lines))
    assert not alone
    assert all(len(found) == 1 for found in sizes.values())
    assert looked_at or not faces


@pytest.mark.slow
@pytest.mark.parametrize("game", ["cloudspire", "embryo_machine", "gimmick_lab"])
def test_a_leaflet_keeps_the_lines_of_its_notes_and_its_cover_ends_with_no_scrap(
    game: str, tmp_path: Path, pictures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(pictures))
    options = ["--sheet", "reference", "--out", str(tmp_path)]
    output_of("print", game, *options)
    data = open_to_make(Path("source_data", game)).played
    with pypdfium2.PdfDocument(tmp_path / game / "reference.pdf") as pdf:
        (letters,) = map(letters_of, pdf)
    job = read_jobs(Path("source_data", game), data, read_stationery(template_folders("sheets")))[
        "reference"
    ]
    notes = [data.notes[name] for name in job.notes]
    written = "\n".join(
        fill_lines(note.paper, shuffle_words("ja", "on-paper"), note.where) for note in notes
    )
    for line in ("".join(line.split()) for line in written.split("\n") if "[" not in line):
        found = lines_of(letters, line)
        assert found is not None, line
        assert len(found[0]) == 1, found
    notice = lines_of(letters, "".join(data.notice.ja.split()))
    assert notice is not None
    assert len(notice[0][-1]) >= 8


SHORT = "1枚引く。"
LONG = "カードを1枚引き、手札を1枚すてます。そうしたらまた引く人は、次の人に渡します。" * 5


def game_of(folder: Path, texts: dict[str, str], values: str = "", size: str = "") -> Game:
    rows = [(key, key, text, size if key == "甲" else "") for key, text in texts.items()]
    values = f"slots: {{title: name, text: text}}{values}"
    return things_game(folder, rows, values, fields=("text", "text_size"))


def sizes(folder: Path, game: Game, cache: Path | None = None) -> dict[str, set[float]]:
    """By card, the sizes of its text on paper."""
    asked = fronts(game)
    wanted = found_of(folder, asked, cache)
    faces = [wanted.sized.get(face, face) for face in asked]
    shown = {}
    for face, letters in zip(faces, pages(wanted, faces), strict=True):
        (paragraph,) = told(json.loads(face.values), "text")
        found = lines_of(letters, paragraph)
        assert found is not None
        shown[face.name[-1]] = found[1]
    return shown


def test_the_longest_text_decides_the_size_of_all_in_half_points(tmp_path: Path) -> None:
    game = game_of(tmp_path, {"甲": SHORT, "乙": LONG})
    found = sizes(tmp_path, game)
    assert found["甲"] == found["乙"]
    (size,) = found["甲"]
    assert size * 2 == int(size * 2)
    assert 6 <= size < 12


def test_a_row_alone_may_ask_for_another_size(tmp_path: Path) -> None:
    game = game_of(tmp_path, {"甲": LONG, "乙": SHORT, "丙": SHORT}, size="6.5")
    found = sizes(tmp_path, game)
    assert found["甲"] == {6.5}
    assert found["乙"] == found["丙"] == {14}


@pytest.mark.parametrize(
    ("values", "size"), [("text_size: 8.5", 8.5), ("text_size: {most: 9, least: 6}", 9)]
)
def test_a_style_says_the_size_or_its_limits(tmp_path: Path, values: str, size: float) -> None:
    game = game_of(tmp_path, {"甲": SHORT, "乙": SHORT * 3}, f", {values}")
    assert sizes(tmp_path, game) == {"甲": {size}, "乙": {size}}


def shown(folder: Path, text: str) -> list[str]:
    """The lines of a card's text on paper."""
    game = game_of(folder, {"甲": text})
    wanted = found_of(folder, fronts(game))
    (letters,) = pages(wanted, list(wanted.sized.values()))
    found = lines_of(letters, "".join(text.split()))
    assert found is not None
    return found[0]


def test_words_stay_whole_where_a_line_has_room(tmp_path: Path) -> None:
    text = (
        "戦闘中：この攻撃をブーストしてよい。ハーピーをそれぞれ3マスまで移動する。"
        "次に、スナイパーライフルとグレネードランチャーを交換して、メックのバーニアを使う。"
    )
    lines = shown(tmp_path, text)
    assert len(lines) > 3
    for word in re.findall("[ァ-ヺー]{2,}|それぞれ|3マス|移動", text):
        assert any(word in line for line in lines), (word, lines)


def test_a_word_longer_than_a_line_is_broken(tmp_path: Path) -> None:
    lines = shown(tmp_path, f"この{'ブーストハーピー' * 9}を使う。")
    assert len(lines) > 2
    assert len(max(lines, key=len)) > 8


def test_readings_keep_lines_even(tmp_path: Path) -> None:
    text = "自分の場に機雷を置く。相手はその{機雷|きらい}を見ずに、次の手番で一つ取り除いてよい。"
    game = game_of(tmp_path, {"甲": text})
    wanted = found_of(tmp_path, fronts(game))
    (letters,) = pages(wanted, list(wanted.sized.values()))
    (size,) = {size for letter, _edge, size in letters if letter == "雷"}
    edges = sorted({round(edge, 1) for x, edge, s in letters if s == size and x in "のをに雷つ"})
    steps = {round(after - before, 1) for before, after in pairwise(edges)}
    assert len(edges) > 2
    assert max(steps) - min(steps) < 0.3


@pytest.mark.slow
def test_an_edit_within_the_step_changes_one_face_and_beyond_it_is_told(tmp_path: Path) -> None:
    cache, texts = tmp_path / "cache", {"甲": SHORT, "乙": LONG, "丙": LONG[:-9]}

    def asked() -> tuple[dict[str, str], list[str]]:
        game = game_of(tmp_path / "small", texts)
        found = found_of(tmp_path / "small", fronts(game), cache)
        values = {face.name[-1]: face.values for face in found.sized.values()}
        return values, [str(problem) for problem in found.problems]

    before, told_first = asked()
    assert not told_first
    texts["甲"] = "2枚引く。"
    after, told_then = asked()
    assert [key for key in texts if before[key] != after[key]] == ["甲"]
    assert not told_then
    texts["丙"] = LONG * 2
    _values, (moved,) = asked()
    assert "things.csv:4" in moved
    assert "TEXT-SIZE" in moved


def test_a_room_and_another_share_the_size(tmp_path: Path) -> None:
    game = game_of(tmp_path, {"甲": SHORT, "乙": LONG})
    short, long = fronts(game)
    alone = found_of(tmp_path, [short]).sized[short]
    both = found_of(tmp_path, [short, long]).sized[short]
    assert alone == both


ROWS = {f"行{number:02}": "手札を1枚すて、山札から1枚引く。" * 5 for number in range(12)}
TALL = "一\\n" * 14
"""Short, but of many lines: not among those that are asked first."""


def by_row(found: RenderJob) -> dict[str, str]:
    return {face.name[-1]: face.values for face in found.sized.values()}


@pytest.mark.slow
def test_pictures_have_the_sizes_of_all_whatever_was_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for number, text in enumerate((SHORT, TALL)):
        game_of(tmp_path / "small", ROWS | {"高": text})
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        told = run("build", "small", "--images", "kept")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / f"empty{number}"))
        anew = run("build", "small", "--images", "anew")
        assert (told.exit_code, anew.exit_code) == (0, 0)
        assert ("TEXT-SIZE" in told.output, "TEXT-SIZE" in anew.output) == (text == TALL, False)
        kept, right = (
            {path.relative_to(name): path.read_bytes() for path in Path(name).rglob("*.*")}
            for name in ("kept", "anew")
        )
        assert kept == right


@pytest.mark.slow
def test_sizes_are_the_same_whatever_was_known(tmp_path: Path) -> None:
    """Also where the row that decided becomes shorter, and others were never asked for more."""
    cache, folder = tmp_path / "cache", tmp_path / "small"
    for text in (TALL, "一\\n" * 12, SHORT, LONG, SHORT):
        faces = fronts(game_of(folder, ROWS | {"高": text}))
        assert by_row(found_of(folder, faces, cache)) == by_row(found_of(folder, faces))
