"""Printed files, measured and read again by another program than the one that wrote them; colours
by published values.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from ctypes import c_float
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from commands import output_of
from msgspec.structs import replace
from PIL import Image, ImageChops
from pypdfium2 import raw

from exporter.app.make_files import Outlines, Result
from exporter.app.print_files import look, set_sheets, sheet_outline
from exporter.core.file_writer import write_whole
from exporter.core.problems import Faults, InvalidSource
from exporter.faces.card_faces import face
from exporter.loader.game_reader import read_game
from exporter.loader.print_job_files import read_jobs, read_stationery
from exporter.model import Game, Name
from exporter.model.print_jobs import PageBox, PrintOrder, SheetJob
from exporter.printing.colours import VISIONS, contrast, lab, lab_distance
from exporter.printing.imposition import Piece, piece_pages
from exporter.printing.pdf_sheets import Sources
from exporter.printing.print_checks import check_looks
from exporter.printing.print_plans import Plan, calibration_plans, chosen_setting, plans
from exporter.printing.sheet_pages import Page
from exporter.rules.errata import corrected
from exporter.rules.project import without_samples

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "source_data" / "embryo_machine"
TEMPLATES = ROOT / "templates"
MILLIMETRE = 25.4 / 72


STATIONERY = read_stationery([TEMPLATES / "sheets"])


@pytest.fixture(scope="module")
def game() -> Game:
    return without_samples(read_game(FOLDER))


class Shop:
    """Prints into a folder of its own, with what the other tests know of faces."""

    def __init__(self, game: Game, out: Path):
        self.game, self.out = game, out
        self.jobs = read_jobs(FOLDER, game, STATIONERY)

    def outlined(self, order: PrintOrder) -> Outlines[Plan]:
        """What the game is to become on paper."""
        found = plans(self.game, self.jobs, STATIONERY, order)
        return {FOLDER: sheet_outline(found, self.out / self.game.id, order)}

    def print(self, *sheets: str, **wishes: Any) -> Result:
        order = PrintOrder(sheets=sheets, **wishes)
        outlines = self.outlined(order)
        result = set_sheets(outlines, order)
        write_whole({path: data for made in result.made for path, data in made.files.items()})
        return replace(result, problems=(*outlines[FOLDER].notices, *result.problems))

    def one(self, *sheets: str, **wishes: Any) -> bytes:
        (made,) = self.print(*sheets, **wishes).made
        return made.path.read_bytes()

    def faults(self, *sheets: str, **wishes: Any) -> str:
        before = sorted(self.out.glob("*/*.pdf"))
        with pytest.raises(InvalidSource) as caught:
            self.print(*sheets, **wishes)
        assert sorted(self.out.glob("*/*.pdf")) == before
        return str(caught.value)


@pytest.fixture
def shop(game: Game, tmp_path: Path) -> Shop:
    return Shop(game, tmp_path)


@pytest.fixture(scope="module")
def cards(game: Game, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Two decks on nine-card pages; the last page is not full."""
    return Shop(game, tmp_path_factory.mktemp("cards")).one("cards", only=("AG", "AR"))


def pages(pdf: bytes) -> list[Any]:
    return list(pypdfium2.PdfDocument(pdf))


def boxes(pdf: bytes) -> list[list[tuple[float, ...]]]:
    """Left, bottom, right, top in mm of every card, by page: each is clipped to its box."""
    return [
        list(_outermost(page.obj.Contents.read_bytes()))
        for page in pikepdf.open(io.BytesIO(pdf)).pages
    ]


def _outermost(contents: bytes) -> Iterator[tuple[float, ...]]:
    found: list[tuple[float, ...]] = []
    for path in re.findall(rb"q ([\d. ml-]+)\nh\nW\nn", contents):
        numbers = [float(part) * MILLIMETRE for part in re.findall(rb"[\d.-]+", path)]
        xs, ys = numbers[::2], numbers[1::2]
        box = (min(xs), min(ys), max(xs), max(ys))
        is_page = box[2] - box[0] > 200  # that of lines and small print
        if not is_page and not any(_holds(other, box) for other in found):
            found.append(box)
            yield box


def _holds(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    (left, bottom, right, top), (x1, y1, x2, y2) = one, other
    return left - x1 < 0.1 and bottom - y1 < 0.1 and x2 - right < 0.1 and y2 - top < 0.1


def marks(page: Any) -> list[tuple[float, float, float, float]]:
    """Left, bottom, right, top in mm of every line to cut along, of which a path holds many."""
    paths = list(page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=1))
    return list(_lines(paths[-1]))


def _lines(path: Any) -> Iterator[tuple[float, float, float, float]]:
    matrix, x, y = path.get_matrix(), c_float(), c_float()
    start = (0.0, 0.0)
    for number in range(raw.FPDFPath_CountSegments(path)):
        segment = raw.FPDFPath_GetPathSegment(path, number)
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        end = tuple(side * MILLIMETRE for side in matrix.on_point(x.value, y.value))
        if raw.FPDFPathSegment_GetType(segment) != raw.FPDF_SEGMENT_MOVETO:
            (left, right), (bottom, top) = (sorted(sides) for sides in zip(start, end, strict=True))
            yield left, bottom, right, top
        start = end


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


def text_of(pdf: bytes) -> str:
    return squeezed("".join(page.get_textpage().get_text_bounded() for page in pages(pdf)))


@pytest.mark.slow
def test_every_card_measures_63_by_88_millimetres_and_marks_lie_outside(cards: bytes) -> None:
    for page, each in zip(pages(cards), boxes(cards), strict=True):
        assert page.get_size() == pytest.approx((210 / MILLIMETRE, 297 / MILLIMETRE), abs=0.01)
        lines = marks(page)
        assert lines
        for x1, y1, x2, y2 in each:
            assert (x2 - x1, y2 - y1) == pytest.approx((63, 88), abs=0.01)
            for left, bottom, right, top in lines:
                assert right <= x1 or left >= x2 or top <= y1 or bottom >= y2


@pytest.mark.slow
def test_trim_and_bleed_boxes_are_those_of_the_cards(shop: Shop) -> None:
    pdf = shop.one("cards", preset="shop", only=("B11",))
    page = pages(pdf)[0]
    left, bottom, right, top = (side * MILLIMETRE for side in page.get_trimbox())
    assert (right - left, top - bottom) == pytest.approx((63, 88), abs=0.01)
    assert page.get_bleedbox() == pytest.approx(page.get_mediabox(), abs=0.01)
    assert page.get_width() * MILLIMETRE == pytest.approx(69, abs=0.01)


@pytest.mark.parametrize("edge", ["long", pytest.param("short", marks=pytest.mark.slow)])
def test_fronts_and_backs_meet_on_full_pages_and_others(shop: Shop, edge: Any) -> None:
    pdf = shop.one("cards", only=("AG",), edge=edge, gap=(1, 1))
    sides = [sorted(each) for each in boxes(pdf)]
    assert {len(side) for side in sides} == {9, 8}
    for front, back in zip(sides[::2], sides[1::2], strict=True):
        if edge == "long":
            turned = [(210 - right, bottom, 210 - left, top) for left, bottom, right, top in back]
        else:
            turned = [(left, 297 - top, right, 297 - bottom) for left, bottom, right, top in back]
        for box, seen in zip(front, sorted(turned), strict=True):
            assert seen == pytest.approx(box, abs=0.01)


def test_all_text_of_every_card_is_found_again(game: Game, cards: bytes) -> None:
    text = text_of(cards)
    now = corrected(game)
    for entry in now.decks:
        card = now.card(entry.card)
        if card is None or entry.deck not in ("AG", "AR"):
            continue
        effect = re.split(r"\[[A-Za-z]+\]", squeezed(card.text("effect")))
        for part in (card.name, card.id, *effect):
            assert part in text, card


def font_names(pdf: pikepdf.Pdf) -> list[str]:
    """The fonts that a file holds, each of which has to be embedded as a subset."""
    fonts = [o for o in pdf.objects if isinstance(o, pikepdf.Dictionary) and o.get("/FontName")]
    names = []
    for font in fonts:
        assert {"/FontFile2", "/FontFile3"} & set(font.keys())
        tag, plus, name = str(font.FontName).partition("+")
        assert re.fullmatch(r"/[A-Z]{6}", tag), "a subset has a tag"
        assert plus
        names.append(name)
    return names


def drawn_by(stream: pikepdf.Stream) -> Iterator[pikepdf.Object]:
    """The forms and pictures that a form draws."""
    resources = stream.get("/Resources", pikepdf.Dictionary())
    yield from dict(resources.get("/XObject", pikepdf.Dictionary()).items()).values()


def test_each_font_and_picture_is_embedded_once(cards: bytes) -> None:
    pdf = pikepdf.open(io.BytesIO(cards))
    names = font_names(pdf)
    assert names
    assert sorted(set(names)) == sorted(names)
    # A form may do no more than draw another: it is what that shows.
    kept = [
        (stream.read_raw_bytes(), *(one.read_raw_bytes() for one in drawn_by(stream)))
        for stream in pdf.objects
        if isinstance(stream, pikepdf.Stream) and stream.get("/Subtype") in ("/Form", "/Image")
    ]
    assert len(set(kept)) == len(kept)


def test_the_file_says_its_title_and_language_and_asks_not_to_be_scaled(cards: bytes) -> None:
    pdf = pikepdf.open(io.BytesIO(cards))
    assert str(pdf.docinfo["/Title"]) == "エムブリオマシン ボードゲーム 機体デッキ"
    assert str(pdf.Root.Lang) == "ja"
    assert str(pdf.Root.ViewerPreferences.PrintScaling) == "/None"
    assert str(pdf.Root.ViewerPreferences.Duplex) == "/DuplexFlipLongEdge"


@pytest.mark.slow
def test_every_card_of_the_nine_decks_is_printed(game: Game, shop: Shop) -> None:
    pdf = shop.one("cards", backs="none")
    assert sum(map(len, boxes(pdf))) == 239
    assert sum(entry.copies for entry in game.decks) == 239


def test_backs_come_in_a_file_of_their_own_where_that_is_asked(shop: Shop) -> None:
    made = shop.print("cards", only=("AG",), backs="separate").made
    assert [
        (printed.path.name, {name: n for n, name in printed.counts}["page"]) for printed in made
    ] == [("cards.pdf", 3), ("cards-backs.pdf", 3)]


@pytest.mark.slow
def test_changed_by_all_prints_exactly_the_cards_whose_faces_changed(
    game: Game, shop: Shop
) -> None:
    pdf = shop.one(changed_by=("all",), backs="none")
    text = text_of(pdf)
    moves = [
        e for e in game.decks if (c := game.card(e.card)) and c.id < "基08" and c.id[0] == "基"
    ]
    anchors = [e for e in game.decks if e.card == "アンカー"]
    sensors = [e for e in game.decks if e.card == "ムーブセンサー"]
    shields = [e for e in game.decks if e.card == "シールド" and e.deck == "AR"]
    hammers = game.cards["A41"].get("copies_in_box")
    assert isinstance(hammers, int)
    expected = hammers + sum(
        entry.copies for entries in (moves, anchors, sensors, shields) for entry in entries
    )
    assert sum(map(len, boxes(pdf))) == expected
    for erratum in ("EM-E01", "EM-E02", "EM-E03", "EM-E04", "EM-E11"):
        assert erratum in text
    assert "EM-E05" not in text


@pytest.mark.parametrize(
    ("erratum", "named", "largest"),
    [
        ("EM-E11", "A41チェーンハンマー", (10, 12)),  # the heading of a field
        ("EM-E04", "B21シールドAR", (20, 10)),  # the mark of one deck
    ],
)
def test_a_sticker_is_what_an_erratum_changes_and_names_its_card(
    shop: Shop, erratum: str, named: str, largest: tuple[float, float]
) -> None:
    pdf = shop.one(changed_by=(erratum,), stickers=True)
    assert text_of(pdf).endswith(f"{erratum}{named}")
    with pikepdf.open(io.BytesIO(pdf)) as document:
        (box,) = ([float(side) * MILLIMETRE for side in page.trimbox] for page in document.pages)
    left, bottom, right, top = box
    assert 3 < right - left <= largest[0]
    assert 3 < top - bottom <= largest[1]


@pytest.mark.parametrize(
    ("preset", "label"),
    [("labels-44", (8.4, 8.8, 48.3, 25.4)), ("labels-80", (7.14, 12.7, 44.45, 12.7))],
)
def test_a_sticker_on_a_ready_cut_label_fills_it(
    shop: Shop, preset: str, label: tuple[float, ...]
) -> None:
    pdf = shop.one(changed_by=("EM-E11",), stickers=True, preset=preset)
    with pikepdf.open(io.BytesIO(pdf)) as document:
        (page,) = document.pages
        left, bottom, right, top = (float(side) * MILLIMETRE for side in page.trimbox)
        height = float(page.mediabox[3]) * MILLIMETRE
    found = (left, height - top, right - left, top - bottom)
    assert found == pytest.approx(label, abs=0.01)


def test_a_sticker_larger_than_a_label_is_cut_out(shop: Shop) -> None:
    pdf = shop.one(changed_by=("EM-E03",), stickers=True, preset="labels-80")
    assert "EM-E03B25ムーブセンサー" in text_of(pdf)


@pytest.mark.slow
def test_stickers_of_all_errata_take_a_few_pages(shop: Shop) -> None:
    pdf = shop.one(changed_by=("all",), stickers=True)
    assert len(pages(pdf)) < 3
    for erratum in ("EM-E01", "EM-E02", "EM-E03", "EM-E04", "EM-E11"):
        assert erratum in text_of(pdf)


def test_changed_since_names_the_errata_without_a_date(game: Game, shop: Shop) -> None:
    told = shop.faults(changed_since="2020-01-01")
    assert all(f"erratum {erratum.id} has no known date" in told for erratum in game.errata)
    dated = replace(game.errata[0], date="2021-05-01")
    shop.game = replace(game, errata=(dated, *game.errata[1:]))
    result = shop.print("cards", changed_since="2020-01-01")
    assert [problem.rule for problem in result.problems] == ["DATE"] * (len(game.errata) - 1)
    assert "アンカー" in text_of(result.made[0].path.read_bytes())


def rendered(page: Any, dpi: float) -> Image.Image:
    image: Image.Image = page.render(scale=dpi / 72).to_pil().convert("RGB")
    return image


@pytest.mark.slow
def test_tiles_put_together_give_the_board(shop: Shop) -> None:
    dpi, pixels = 254, 10  # ten pixels a millimetre
    poster = pages(shop.one("boards", only=("A",), poster="a2"))
    whole = rendered(poster[0], dpi)
    tiles = pages(shop.one("boards", only=("A",)))

    def windows(page: Any) -> tuple[int, int, int, int]:
        left, bottom, right, top = (side * MILLIMETRE for side in page.get_trimbox())
        height = page.get_height() * MILLIMETRE
        return tuple(round(side * pixels) for side in (left, height - top, right, height - bottom))

    board = whole.crop(windows(poster[0]))
    assert board.size == (2100, 3300)
    together = Image.new("RGB", board.size, "white")
    y = 0
    for tile in tiles:
        part = rendered(tile, dpi).crop(windows(tile))
        together.paste(part, (0, y))
        y += part.height - 10 * pixels
    difference = ImageChops.difference(board, together).convert("L")
    off = sum(difference.histogram()[48:])
    assert off <= 0.0005 * board.width * board.height


@pytest.mark.slow
def test_the_rulers_of_the_calibration_page_are_right(shop: Shop, tmp_path: Path) -> None:
    order = PrintOrder()
    planned = calibration_plans(shop.game, STATIONERY, order)
    outline = sheet_outline(planned, tmp_path / shop.game.id, order)
    (made,) = set_sheets({FOLDER: outline}, order).made
    front, back = pages(*made.files.values())
    dpi = 600
    dark = dark_in_row(rendered(front, dpi), round((297 / 2 + 0.5) / 25.4 * dpi))
    ticks = [group[len(group) // 2] for group in grouped(dark)]
    middle = 105 / 25.4 * dpi
    found = sorted(round((x - middle) / dpi * 25.4, 2) for x in ticks)
    steps = [b - a for a, b in pairwise(found)]
    assert len(steps) > 150
    assert all(abs(step - 1) <= 0.1 for step in steps)
    assert abs(found[0] + found[-1]) <= 0.1
    line = dark_in_row(rendered(back, dpi), 2000)
    assert abs(sum(line) / len(line) - middle) / dpi * 25.4 <= 0.1


def dark_in_row(image: Image.Image, row: int) -> list[int]:
    """The pixels of one row that are dark."""
    strip = image.convert("L").crop((0, row, image.width, row + 1))
    return [x for x, value in enumerate(strip.tobytes()) if value < 140]


def grouped(numbers: Sequence[int]) -> list[list[int]]:
    groups: list[list[int]] = []
    for number in numbers:
        if groups and number - groups[-1][-1] == 1:
            groups[-1].append(number)
        else:
            groups.append([number])
    return groups


def test_pages_become_pictures_of_the_asked_resolution(shop: Shop) -> None:
    (made,) = shop.print("rounds", form="png", dpi=100).made
    (page,) = made.path.iterdir()
    image = Image.open(page)
    assert image.size == (827, 1170)
    assert image.info["dpi"] == pytest.approx((100, 100), abs=0.1)
    assert min(image.convert("L").tobytes()) < 60


@pytest.mark.parametrize(
    ("sheet", "wish", "told"),
    [
        ("cards", {"preset": "home-a5"}, "Did you mean 'home-a4'?"),
        ("cards", {"paper": "a44"}, "There is no paper 'a44'. Did you mean"),
        ("cards", {"size": (400, 500)}, "does not fit on a4"),
        ("cards", {"bleed": 2}, "give --gap 4 or --bleed 0."),
        ("cards", {"grid": (4, 4)}, "3×3 do"),
        ("cards", {"only": ("AGG",)}, "No sheet has anything called 'AGG'. Did you mean 'AG'?"),
        ("cards", {"changed_by": ("EM-E99",)}, "There is no erratum 'EM-E99'."),
        ("card", {}, "Did you mean 'cards'?"),
        ("tokens", {"preset": "shop"}, "pieces of 63×88 mm, but these faces are 25×25 mm"),
        ("mechs", {"preset": "shop"}, "pieces of 63×88 mm, but these faces are 210×148 mm"),
        ("cards", {"preset": "half"}, "pieces of 44×63 mm, but these faces are 63×88 mm"),
        ("cards", {"preset": "namecards-10"}, "of 91×55 mm, but these faces are 63×88 mm"),
        ("cards", {"preset": "half"}, "--scale-to-fit"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_wrong_wish_is_a_clear_problem_and_writes_nothing(
    shop: Shop, sheet: str, wish: dict[str, Any], told: str
) -> None:
    assert told in shop.faults(sheet, **wish)


@pytest.mark.parametrize(
    ("sheet", "wishes", "sizes"),
    [
        ("cards", {"preset": "shop"}, {(63, 88)}),
        ("tokens", {}, {(25, 25)}),
        ("tokens", {"preset": "shop", "scale_to_fit": True}, {(63, 63)}),
        ("tokens", {"size": (20, 20)}, {(20, 20)}),
        ("mechs", {}, {(282.9, 199.4)}),
        ("cards", {"preset": "half", "scale_to_fit": True}, {(44, 61.5)}),
    ],
)
def test_nothing_is_scaled_to_a_preset_unless_asked(
    shop: Shop, sheet: str, wishes: dict[str, Any], sizes: set[tuple[float, float]]
) -> None:
    outlined = shop.outlined(PrintOrder(sheets=(sheet,), **wishes))
    (plan,) = (plan for _path, plan in outlined[FOLDER].files)
    boxes = [spot.box for page in plan.pages for spot in page.spots]
    assert {(round(box.width, 1), round(box.height, 1)) for box in boxes} == sizes


@pytest.mark.slow
def test_looks_measure_letters_as_they_are_printed(shop: Shop) -> None:
    wishes: dict[str, Any] = {"sheets": ("cards",), "only": ("突撃",)}
    small = look(shop.outlined(PrintOrder(**wishes, backs="none", size=(30, 42))))
    usual = look(shop.outlined(PrintOrder(**wishes)))
    assert "LOOK-SIZE" not in {problem.rule for problem in usual.problems}
    assert "LOOK-SIZE" in {problem.rule for problem in small.problems}


def test_with_any_preset_and_distances_cuts_and_bleeds_stay_on_the_paper() -> None:
    job = SheetJob(id="cards", name=Name("cards"), lay="cards")
    card = face("style/card.typ", {}, (63, 88), scale=1)
    pieces = [Piece(front=card, back=card)] * 10
    laid = 0
    for preset, bleed, moved, size in product(
        STATIONERY.presets, (0, 3, 5, 20), ((0, 0), (2, -2), (50, 0)), (None, (20, 20), (63, 63))
    ):
        gap = (2 * bleed, 2 * bleed)
        order = PrintOrder(
            preset=preset, bleed=bleed, gap=gap, offset=moved, size=size, scale_to_fit=True
        )
        setting = chosen_setting(job, order, STATIONERY)
        faults = Faults()
        pages: list[Page] = []
        with faults.collect():
            pages = piece_pages(setting, pieces, "title")
        assert {each.rule for each in faults.problems} <= {"BLEED", "OFFSET", "PAPER", "GRID"}
        laid += bool(pages)
        for page in pages:
            whole = PageBox(0, 0, page.width, page.height)
            for spot in page.spots:
                assert whole.holds(spot.bleed)
                assert spot.bleed.holds(spot.trim)
                assert spot.trim.holds(spot.box)
                shape = spot.box.width / spot.box.height
                assert pytest.approx(63 / 88) in (shape, 1 / shape)
    assert laid > 100


def test_a_card_kind_without_a_back_is_a_problem(shop: Shop) -> None:
    kinds = {name: replace(kind, back="") for name, kind in shop.game.kinds.items()}
    shop.game = replace(shop.game, kinds=kinds)
    assert "have no back to print" in shop.faults("cards", only=("AG",))


@pytest.mark.slow
def test_a_character_that_no_font_has_is_a_problem(shop: Shop) -> None:
    card = shop.game.cards["B01"]
    odd = replace(card, fields={**card.fields, "effect": "これは\U0001f9ffです。"})
    shop.game = replace(shop.game, cards={**shop.game.cards, "B01": odd})
    told = shop.faults("cards", only=("B01",))
    assert "U+1F9FF" in told
    assert "weapons.csv" in told


def test_a_character_of_no_font_is_told_in_documents_and_in_the_margin(shop: Shop) -> None:
    shop.game = replace(shop.game, name=replace(shop.game.name, ja="𠮷の駒"))
    told = shop.faults("errata")
    assert "errata.yaml" in told
    assert "'𠮷' (U+20BB7) of the text “𠮷の駒”" in told
    assert "margin of a sheet" in shop.faults("cards", only=("B01",))


def with_card(game: Game, card_id: str, **changes: Any) -> Game:
    card = game.cards[card_id]
    fields = {**card.fields, **{key: value for key, value in changes.items() if key != "name"}}
    changed = replace(card, name=changes.get("name", card.name), fields=fields)
    decks = tuple(
        replace(entry, card=card_id) if game.card(entry.card) is card else entry
        for entry in game.decks
    )
    return replace(game, cards={**game.cards, card_id: changed}, decks=decks)


def test_furigana_stand_beside_names_and_texts_and_are_found(shop: Shop) -> None:
    shop.game = with_card(
        shop.game, "B19", name="{陸上|りくじょう}{機雷|きらい}", effect="{自爆|じばく}する。"
    )
    page = pages(shop.one("cards", only=("B19",), backs="none"))[0]
    text = squeezed(page.get_textpage().get_text_bounded())
    for part in "陸上機雷":
        assert part in text
    assert "自爆" in text
    assert {*"りくじょうきらい"} <= {*text}
    assert "じばく" in text
    assert "{" not in text
    assert "|" not in text


@pytest.mark.slow
@pytest.mark.parametrize(
    "names",
    [("weapon_list", "errata"), pytest.param(("cards", "weapons"), marks=pytest.mark.slow)],
    ids=" ".join,
)
def test_no_line_begins_with_what_may_not_begin_one(shop: Shop, names: tuple[str, ...]) -> None:
    for made in shop.print(*names).made:
        for page in pages(made.path.read_bytes()):
            for line in page.get_textpage().get_text_bounded().splitlines():
                # A vertical name comes one character a line, or before one of the text beside it.
                words = [word for word in line.split() if len(word) > 1]
                if len("".join(words)) > 2:
                    assert (
                        words[0][0] not in "、。，．」』）】ーァィゥェォッャュョぁぃぅぇぉっゃゅょ"
                    )
                    assert line.strip()[-1] not in "「『（【"


@pytest.mark.slow
def test_brackets_and_commas_that_meet_do_not_touch(shop: Shop) -> None:
    effect = "「あ」、（い）。「『う』」"
    shop.game = with_card(shop.game, "B19", effect=effect)
    page = pages(shop.one("cards", only=("B19",), backs="none"))[0].get_textpage()
    start = page.get_text_range().index(effect)
    boxes = [page.get_charbox(start + number) for number in range(len(effect))]
    for (_, _, right, _), (left, _, _, _) in pairwise(boxes):
        assert left >= right


@pytest.fixture(scope="module")
def weapon_list(game: Game, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The texts of the pages of a list, without blanks."""
    found = pages(Shop(game, tmp_path_factory.mktemp("list")).one("weapon_list"))
    assert len(found) > 2
    return [squeezed(page.get_textpage().get_text_bounded()) for page in found]


@pytest.mark.slow
def test_a_row_of_a_list_stands_on_one_page_with_its_number(
    game: Game, weapon_list: list[str]
) -> None:
    for card in corrected(game).cards.values():
        if card.kind != "weapon":
            continue
        (page,) = [text for text in weapon_list if f"{card.id}{squeezed(card.name)}" in text]
        for part in re.split(r"\[[A-Za-z]+\]", squeezed(card.text("effect"))):
            assert part in page, card


@pytest.mark.slow
def test_the_heads_of_a_list_count_each_card_once(game: Game, weapon_list: list[str]) -> None:
    weapons = sum(card.kind == "weapon" for card in game.cards.values())
    counts = [int(count) for text in weapon_list for count in re.findall(r"(\d+)種番号", text)]
    assert sum(counts) == weapons
    assert all(re.match(r"[SAB]ランク", text) for text in weapon_list[1:])
    assert sum(text.count("つづき") for text in weapon_list) > 1


@pytest.mark.slow
def test_every_row_of_the_errata_names_its_erratum(game: Game, shop: Shop) -> None:
    text = text_of(shop.one("errata"))
    for erratum in game.errata:
        assert text.count(erratum.id) >= len(erratum.changes)


def ink(page: Any) -> float:
    """The share of a page's light that is not reflected."""
    histogram = rendered(page, 72).convert("L").histogram()
    return 1 - sum(level * count for level, count in enumerate(histogram)) / 255 / sum(histogram)


@pytest.mark.slow
def test_saving_takes_little_ink_and_loses_no_text(shop: Shop) -> None:
    usual = shop.one("cards", only=("AG",))
    spared = shop.one("cards", only=("AG",), saving=True)
    for before, after in zip(pages(usual), pages(spared), strict=True):
        assert ink(after) < 0.17
        assert ink(after) < ink(before)
        red, green, blue = rendered(after, 36).split()
        assert red.tobytes() == green.tobytes() == blue.tobytes()
    assert sum(map(ink, pages(spared))) < 0.4 * sum(map(ink, pages(usual)))
    assert text_of(spared) == text_of(usual)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "part"), [("unmatched_vol1", "arthur"), ("cloudspire", "E3"), ("gimmick_lab", "I03")]
)
def test_saving_draws_emblems_in_outline(name: str, part: str, tmp_path: Path) -> None:
    output_of("print", name, "--only", part, "--saving", "--out", tmp_path)
    for pdf in tmp_path.glob("*/*.pdf"):
        assert max(map(ink, pages(pdf.read_bytes()))) < 0.13


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sheet", "size"), [("cards", None), ("mechs", (200.0, 130.0))], ids=["ground", "edges"]
)
def test_nothing_white_shows_where_the_knife_slips(shop: Shop, sheet: str, size: Any) -> None:
    pdf = shop.one(sheet, only=("AG",), bleed=3, gap=(6, 6), size=size, grid=(1, 1), cut="none")
    page = pages(pdf)[0]
    image = rendered(page, 254)
    left, bottom, right, top = (side * MILLIMETRE for side in page.get_bleedbox())
    height = page.get_height() * MILLIMETRE
    edge = [round(side * 10) for side in (left, height - top, right, height - bottom)]
    inset = 10  # a millimetre within the bleed, two beyond the cut
    x1, y1, x2, y2 = edge[0] + inset, edge[1] + inset, edge[2] - inset, edge[3] - inset
    border = [image.getpixel((x, y)) for x in range(x1, x2, 7) for y in (y1, y2)]
    border += [image.getpixel((x, y)) for y in range(y1, y2, 7) for x in (x1, x2)]
    assert (255, 255, 255) not in border


def test_a_text_too_pale_or_too_small_and_looks_too_alike_are_found(tmp_path: Path) -> None:
    style = tmp_path / "faces" / "pale"
    style.mkdir(parents=True)
    (style / "card.typ").write_text(
        '#let face(values) = { set text(font: "BIZ UDPGothic")\n'
        ' place(text(size: 3mm, fill: rgb("#bbbbbb"), values.name))\n'
        " place(dy: 9mm, text(size: 1mm, values.small))\n"
        ' place(dy: 20mm, rect(width: 9mm, height: 9mm, fill: if values.team == "red" '
        '{ rgb("#c80000") } else { rgb("#007400") })) }\n',
        encoding="utf-8",
    )
    faces = [
        face("pale/card.typ", {"name": "名前", "small": "細字", "team": team}, (63, 88), scale=1)
        for team in ("red", "green")
    ]
    folders = (tmp_path / "faces", TEMPLATES / "faces")
    found = check_looks(dict.fromkeys(faces, 1.0), Sources(folders, None, tmp_path / "cache"))
    told = {problem.rule: problem.message for problem in found}
    assert "the contrast of name is 1.9" in told["LOOK-CONTRAST"]
    assert "small is printed at 1.00 mm" in told["LOOK-SIZE"]
    assert "team red and green are hard to tell apart in greyscale" in told["LOOK-APART"]
    assert not any("full colour" in problem.message for problem in found)


def test_a_deck_box_shows_the_back_of_its_cards(shop: Shop) -> None:
    (page,) = pages(shop.one("boxes", only=("AG",)))
    picture = rendered(page, 36).convert("L")
    assert sum(picture.histogram()[:64]) > 0.04 * picture.width * picture.height


@pytest.mark.parametrize("thickness", ["thick", 0, -1, [1]])
def test_a_thickness_that_is_no_length_is_told(shop: Shop, thickness: Any) -> None:
    shop.jobs = {**shop.jobs, "boxes": replace(shop.jobs["boxes"], values={"thickness": thickness})}
    assert "`thickness` under `values` in this sheet: found" in shop.faults("boxes")


def test_a_preset_of_ones_own_stands_beside_the_shipped_ones(tmp_path: Path) -> None:
    text = (
        "papers:\n  card: {size: [120, 160]}\npresets:\n  mine: {name: A, paper: card, margin: 4}\n"
    )
    (tmp_path / "papers.yaml").write_text(text, encoding="utf-8")
    known = read_stationery([tmp_path, TEMPLATES / "sheets"])
    assert known.presets["mine"].paper == "card"
    assert "home-a4" in known.presets


def test_every_fault_of_presets_is_told_with_its_place(tmp_path: Path) -> None:
    text = "presets:\n  a: {name: A, paper: a44}\n  b: {name: B, paper: a3, margin: wide}\n"
    (tmp_path / "papers.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidSource) as caught:
        read_stationery([tmp_path, TEMPLATES / "sheets"])
    assert [(p.where.line, p.rule) for p in caught.value.problems] == [
        (2, "SRC-REF"),
        (3, "SRC-VALUE"),
    ]


def test_a_file_of_several_decks_has_a_bookmark_for_each(cards: bytes) -> None:
    with pikepdf.open(io.BytesIO(cards)) as pdf, pdf.open_outline() as outline:
        titles = [item.title for item in outline.root]
    assert len(titles) > 1
    assert len(set(titles)) == len(titles)


BLACK, WHITE = (0, 0, 0), (255, 255, 255)
RED, GREEN = (200, 0, 0), (0, 116, 0)


def test_contrast_and_lightness_are_those_that_are_published() -> None:
    assert contrast(BLACK, WHITE) == contrast(WHITE, BLACK) == pytest.approx(21)
    assert contrast((0x76, 0x76, 0x76), WHITE) == pytest.approx(4.54, abs=0.01)
    assert lab(WHITE) == pytest.approx((100, 0, 0), abs=0.02)


def test_black_and_white_differ_for_every_eye_and_red_and_green_for_some() -> None:
    for vision in VISIONS:
        assert lab_distance(BLACK, WHITE, vision) == pytest.approx(100, abs=1)
    assert lab_distance(RED, GREEN, "deuteranopia") < 0.5 * lab_distance(RED, GREEN)
    assert lab_distance(RED, GREEN, "greyscale") < 5
