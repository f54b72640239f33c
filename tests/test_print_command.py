"""The command ``print`` as people use it, with a small game of its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from click.testing import Result
from commands import run
from PIL import Image
from pypdfium2 import PdfDocument
from small_game import GAME, change, write_sheets, write_small_game

Print = Callable[..., Result]

SHEETS = {
    "cards": "lay: cards\ncards: {kind: weapon, copies: copies}\n",
    "boards": "lay: boards\n",
    "mechs": "lay: mechs\nface: sheet\n",
    "errata": "lay: document\ndocument: rulings\n",
    "boxes": "lay: box\n",
}


@pytest.fixture
def sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Print:
    """Prints from a folder that holds the small game with some sheets."""
    write_small_game(tmp_path)
    write_sheets(tmp_path, **SHEETS)
    monkeypatch.chdir(tmp_path)

    def printed(*arguments: str) -> Result:
        return run("print", "small", *arguments)

    return printed


@pytest.mark.slow
def test_a_look_says_how_many_faces_were_read_and_that_nothing_was_found(sheet: Print) -> None:
    result = sheet("--sheet", "cards", "--looks")
    assert (result.output, result.exit_code) == ("Checked 4 faces: no findings.\n", 0)


def test_a_look_at_a_sheet_without_faces_finds_nothing(sheet: Print) -> None:
    assert sheet("--sheet", "errata", "--looks").output == "Checked 0 faces: no findings.\n"


def test_pictures_of_pages_are_told_once_a_sheet(sheet: Print) -> None:
    told = sheet("--sheet", "cards", "--as", "png", "--dpi", "36").output.splitlines()
    assert len(told) == 2
    assert told[0].endswith("2 pages, 4 faces")


def test_a_folder_of_pages_holds_those_of_the_last_print_and_what_others_put_there(
    sheet: Print,
) -> None:
    folder = Path("output/small/cards")
    sheet("--sheet", "cards", "--grid", "1x1", "--as", "png", "--dpi", "36")
    assert len(list(folder.iterdir())) == 8
    (folder / "mine.png").touch()
    sheet("--sheet", "cards", "--as", "png", "--dpi", "36")
    assert sorted(path.name for path in folder.iterdir()) == ["001.png", "002.png", "mine.png"]


def names_of(result: Result) -> list[str]:
    """The sheets that were printed."""
    return re.findall(r"([\w-]+)\.pdf", result.output)


@pytest.mark.parametrize(
    ("name", "sheets"),
    [("AA", ["boxes", "cards", "mechs"]), ("Alpha", ["boxes", "cards", "mechs"]),
     ("field+end", ["boards"]), ("end", ["boards"]), ("W3", ["cards"])],
)  # fmt: skip
def test_only_what_is_named_is_printed_and_no_document_with_it(
    sheet: Print, name: str, sheets: list[str]
) -> None:
    change(Path(GAME, "sheets/cards.yaml"), "lay: cards\n", "lay: cards\ndecks: true\n")
    board = Path(GAME, "boards/field.yaml").read_text(encoding="utf-8")
    other = board.replace("id: field", "id: end").replace(".1", ".0")
    Path(GAME, "boards/end.yaml").write_text(other, encoding="utf-8")
    composed = Path(GAME, "sheets/boards.yaml")
    composed.write_text(composed.read_text() + "boards: [field+end]\n", encoding="utf-8")
    result = sheet("--only", name)
    assert names_of(result) == sheets, result.output


def test_a_deck_that_no_mech_has_may_be_named_and_its_box_says_so_once(sheet: Print) -> None:
    Path(GAME, "decks/main.csv").write_text("deck,card,copies\nmain,Net,2\n")
    assert names_of(sheet("--only", "main")) == ["boxes"]
    pdf = Path("output/small/boxes.pdf").read_bytes()
    text = PdfDocument(pdf)[0].get_textpage().get_text_bounded()
    assert text.count("main") == 4  # on two panels, a side and the lid


def test_a_game_without_sheets_of_mechs_says_so(sheet: Print) -> None:
    for name in ("mechs", "boxes"):
        Path(GAME, f"sheets/{name}.yaml").unlink()
    told = sheet("--mech", "AA").output
    assert "error OPTION None of the sheets of 'small' can use --mech." in told


def test_more_pieces_than_anybody_cuts_are_a_problem(sheet: Print) -> None:
    many = f"ids: [{', '.join(['W1'] * 11)}], copies: '999'"
    change(Path(GAME, "sheets/cards.yaml"), "kind: weapon, copies: copies", many)
    told = sheet("--sheet", "cards").output
    assert "cards.yaml:1:1: error COPIES The sheet cards would hold 10989 pieces" in told
    assert "'W1' has 999" in told


def test_one_length_is_no_size_of_a_card(sheet: Print) -> None:
    told = sheet("--sheet", "cards", "--size", "63")
    assert told.exit_code == 2
    assert "--size 63: write width and height, such as 63x88." in told.output


LONG = "とても長い題がここに続いてどこまでも終わらない" * 3
WORD = "Donaudampfschifffahrtsgesellschaftskapitaenswitwenrente"
MORE = {
    "list": "document: list\ncards: {kind: weapon}\nby: [edition]\n"
    "columns: [{title: NUMBERS, field: id, width: 7}, {title: 名前, field: name, width: 20}, "
    "{title: 効果, field: text}]\n",
    "forms": "document: forms\ncards: {kind: weapon}\ncolumns: [{title: 名前, field: name}]\n"
    "values: {heading: H, fields: [LABEL], lines: [LABEL], count: 3}\n",
    "leaflet": "document: leaflet\nnotes: [n]\n",
}


def rename(name: str) -> None:
    """A long name for the game, its jobs, a card, a board, a mech and a note, on more sheets."""
    change(Path(GAME, "game.yaml"), "小さなゲーム", name)
    change(Path(GAME, "cards/weapons.csv"), "W3,Net,", f"W3,{name},")
    change(Path(GAME, "boards/field.yaml"), "name: 野", f"name: {name}")
    change(Path(GAME, "mechs/AA.yaml"), "name: Alpha", f"name: {name}")
    Path(GAME, "notes").mkdir()
    Path(GAME, "notes/n.yaml").write_text(f"- {{id: n, title: {name}, text: {name}}}\n")
    for job, text in MORE.items():
        write_sheets(Path(), **{job: f"lay: document\n{text.replace('LABEL', name)}"})
    for path in Path(GAME, "sheets").iterdir():
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub("^name: .*$", f"name: {name}", text, flags=re.M), encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", [LONG, WORD, "WWWWWWWWW"])
def test_long_names_have_their_place_on_every_sheet(sheet: Print, name: str) -> None:
    rename(name)
    result = sheet()
    assert result.exit_code == 0, result.output
    assert {*MORE, "boxes", "errata", "mechs", "shared-a4"} == set(names_of(result))
    for path in Path("output/small").iterdir():
        found = ""
        for page in PdfDocument(path):
            width, height = page.get_size()
            text = page.get_textpage()
            found += text.get_text_bounded()
            for index in range(text.count_rects()):
                left, bottom, right, top = text.get_rect(index)
                assert min(left, bottom, width - right, height - top) >= 0, path.name
        if path.stem != "boxes":
            assert name in re.sub(r"[\s\u200b]", "", found), path.name


@pytest.mark.parametrize("job", ["boards", "mechs", "boxes", "errata", *MORE])
def test_paper_too_small_for_long_names_is_a_problem(sheet: Print, job: str) -> None:
    rename(LONG * 2)
    papers = Path("templates/sheets/papers.yaml")
    papers.parent.mkdir()
    papers.write_text("papers: {slip: {size: [42, 60]}}\n", encoding="utf-8")
    result = sheet("--sheet", job, "--paper", "slip")
    assert result.exit_code == 1
    assert re.search("OVERFLOW|TILES|PAPER", result.output)
    assert LONG[:12] in result.output or "slip" in result.output
    assert not Path("output").exists()


def test_a_text_longer_than_a_page_is_a_problem_with_its_row(sheet: Print) -> None:
    rename("名")
    change(Path(GAME, "cards/weapons.csv"), "W1,Laser", f"W1,{'長い' * 2000}")
    change(Path(GAME, "mechs/AA.yaml"), "[Laser, Laser, Sword]", "[Sword]")
    change(Path(GAME, "decks/mechs.csv"), "AA,Laser,●,2,\n", "")
    told = sheet("--sheet", "list").output
    assert "error SHEET-OVERFLOW The text “W1 長い長い" in told


def test_an_erratum_of_what_a_job_selects_by_moves_the_card(sheet: Print) -> None:
    change(
        Path(GAME, "sheets/cards.yaml"), "{kind: weapon,", "{kind: weapon, only: {edition: [base]},"
    )
    change(Path(GAME, "game.yaml"), "front_fields: [text]", "front_fields: [text, edition]")
    errata = "".join(
        f"- {{id: {name}, set: base, medium: card, source: s, date: unknown,\n"
        f"   changes: [{{card: {card}, field: edition, was: {was}, now: {now}}}]}}\n"
        for name, card, was, now in (("E1", "W3", "more", "base"), ("E2", "W1", "base", "more"))
    )
    Path(GAME, "errata.yaml").write_text(errata, encoding="utf-8")
    Path(GAME, "sources.yaml").write_text("s: {title: S, kind: web}\n")
    result = sheet("--changed-by", "all")
    assert result.exit_code == 0, result.output
    text = PdfDocument(Path("output/small/changed.pdf").read_bytes())[0].get_textpage()
    assert "E1 W3 Net" in text.get_text_bounded()
    assert "W1" not in text.get_text_bounded()


def test_saving_prints_pictures_of_ones_own_in_greys_once(sheet: Print) -> None:
    Path(GAME, "pictures").mkdir()
    for name, colour in (("W1.jpg", "red"), ("W2.png", "green")):
        Image.new("RGB", (200, 300), colour).save(Path(GAME, "pictures", name))
    sheet("--sheet", "cards", "--saving")
    with PdfDocument(Path("output/small/cards.pdf").read_bytes()) as document:
        red, green, blue = document[0].render().to_pil().convert("RGB").split()
    assert red.tobytes() == green.tobytes() == blue.tobytes()
    assert {level for _, level in red.getcolors()} >= {76, 75}
    with pikepdf.open("output/small/cards.pdf") as pdf:
        images = [
            each
            for each in pdf.objects
            if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Image"
        ]
    assert len(images) == 2
