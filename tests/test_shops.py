"""Cards for print shops: sizes, names and copies as the shop's page asks; PDF/X in CMYK."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from exporter.app.games import stationery
from exporter.app.print_files import print_sheets
from exporter.core.problems import InvalidSource
from exporter.loader.game_reader import read_game
from exporter.loader.print_job_files import read_jobs
from exporter.model.print_jobs import PrintOrder
from exporter.printing.print_plans import plans

GAME = "source_data/wrath_of_god"
MILLIMETRE = 72 / 25.4


def printed(out: Path, shop: str, game: str = GAME, **options: object) -> list[Path]:
    print_sheets([game], out, PrintOrder(shop=shop, **options))  # type: ignore[arg-type]
    return sorted(path for path in out.rglob("*") if path.is_file())


def boxes(page: pikepdf.Page) -> list[list[float]]:
    found = (page.obj[name] for name in ("/MediaBox", "/TrimBox", "/BleedBox"))
    return [[float(side) / MILLIMETRE for side in box] for box in found]


def black_texts(page: pikepdf.Page) -> int:
    """How many texts there are; each is in black ink alone, and nothing names another colour."""
    colours, texts = set[Sequence[float]](), 0
    for each in pikepdf.parse_content_stream(page):
        operator = str(each.operator)
        assert operator not in ("rg", "RG", "g", "G", "cs", "CS", "scn", "SCN", "gs")
        texts += operator in ("Tj", "TJ")
        if operator == "k":
            colours.add(tuple(map(float, list(each.operands))))
    assert colours <= {(0.0, 0.0, 0.0, 1.0)}
    return texts


def most_ink(path: Path, folder: Path) -> float:
    """The greatest sum of inks in per cent, as ghostscript sees it."""
    command = ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=tiff32nc", "-r100"]
    subprocess.run([*command, f"-sOutputFile={folder}/ink%03d.tif", str(path)], check=True)
    most = 0
    for tiff in folder.glob("ink*.tif"):
        inks = Image.open(io.BytesIO(tiff.read_bytes())).tobytes()
        most = max(most, *map(sum, zip(*(inks[at::4] for at in range(4)), strict=True)))
    return most / 2.55


def test_pictures_have_the_pixels_of_the_shop_and_a_table_says_how_many(tmp_path: Path) -> None:
    files = printed(tmp_path, "gamecrafter")
    pictures = [path for path in files if path.suffix == ".png"]
    assert {Image.open(io.BytesIO(path.read_bytes())).size for path in pictures} == {(825, 1125)}
    assert {path.name for path in pictures} >= {"K1_塔1_x9-front.png", "K1_塔1_x9-back.png"}
    (table,) = (path for path in files if path.suffix == ".csv")
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8-sig"))))
    assert {row["card"]: row["copies"] for row in rows}["K1_塔1"] == "9"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shop", "version", "page", "bleed", "count"),
    [
        pytest.param(
            "drivethrucards", "PDF/X-1a:2003", (69.85, 95.25), 3.175, 90, marks=pytest.mark.slow
        ),
        ("offset-x4", "PDF/X-4", (69, 94), 3, 10),
    ],
)
def test_a_file_for_a_press_has_inks_alone_and_exact_boxes(
    tmp_path: Path, shop: str, version: str, page: tuple[float, float], bleed: float, count: int
) -> None:
    (path,) = (path for path in printed(tmp_path, shop) if path.suffix == ".pdf")
    with pikepdf.open(path) as pdf:
        assert pdf.docinfo["/GTS_PDFXVersion"] == version
        assert len(pdf.pages) == count
        intent = pdf.Root.OutputIntents[0]
        assert intent.DestOutputProfile.N == 4
        for each in pdf.pages:
            width, height = page
            trim = [bleed, bleed, width - bleed, height - bleed]
            wanted = [[0, 0, *page], trim, [0, 0, *page]]
            for found, box in zip(boxes(each), wanted, strict=True):
                assert found == pytest.approx(box, abs=0.01)
            black_texts(each)
        items = [
            each for each in pdf.objects if isinstance(each, pikepdf.Dictionary | pikepdf.Stream)
        ]
        assert not any(key in each for each in items for key in ("/SMask", "/Group", "/ca"))
        assert {each.get("/ColorSpace", "/DeviceCMYK") for each in items} == {"/DeviceCMYK"}
    if shutil.which("gs"):
        assert most_ink(path, tmp_path) <= (240 if shop == "drivethrucards" else 300)


@pytest.mark.slow
def test_dark_texts_stay_letters(tmp_path: Path) -> None:
    game = "source_data/embryo_machine"  # effects in ink, on paper
    files = printed(tmp_path, "offset-x1a", game, sheets=("cards",), only=("AG",))
    (path,) = (path for path in files if path.suffix == ".pdf")
    with pikepdf.open(path) as pdf:
        assert sum(map(black_texts, pdf.pages)) > len(pdf.pages)


@pytest.mark.slow
def test_what_has_another_size_is_left_out_and_a_game_without_such_cards_says_so(
    tmp_path: Path,
) -> None:
    done = print_sheets([GAME], tmp_path, PrintOrder(shop="gamecrafter"))
    said = [line.in_language("en") for line in done.remarks]
    assert any("boards" in line for line in said)
    assert any("25×25 mm: 2" in line for line in said)
    with pytest.raises(InvalidSource, match=r"no cards of 63\.5×88\.9 mm"):
        printed(tmp_path, "gamecrafter", "source_data/mech_arena_2013")


def test_an_unknown_shop_and_what_a_shop_decides_are_problems(tmp_path: Path) -> None:
    with pytest.raises(InvalidSource) as caught:
        printed(tmp_path, "gamecraft", bleed=2)
    assert "Did you mean 'gamecrafter'?" in str(caught.value)
    assert "--bleed" in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_a_shop_has_a_file_for_each_of_several_mechs() -> None:
    folder = Path("source_data/embryo_machine")
    game, papers = read_game(folder), stationery()
    order = PrintOrder(shop="printplaygames", builds=("AG", "SI"))
    found = plans(game, read_jobs(folder, game, papers), papers, order)
    assert [plan.name for plan in found.files] == [
        "cards-printplaygames-AG",
        "cards-printplaygames-SI",
    ]
