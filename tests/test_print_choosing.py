"""What ``print`` lays: decks, mechs, loadouts, boxes, cards and builds, and what is refused."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from click.testing import Result
from commands import run
from pypdfium2 import PdfDocument
from small_game import GAME, change, write_sheets, write_small_game

Print = Callable[..., Result]

SHEETS = {
    "cards": "lay: cards\ndecks: true\ncut: none\n",
    "spare": "lay: cards\ncards: {kind: weapon, only: {edition: [more]}}\ncut: none\n",
    "boards": "lay: boards\n",
    "mechs": 'lay: mechs\nface: sheet\nvalues: {text: "${mech}"}\ncut: none\n',
    "pawns": 'lay: pawns\nface: sheet\nvalues: {text: "${mech}"}\n',
    "boxes": "lay: box\n",
    "errata": "lay: document\ndocument: rulings\n",
}
BASIC = """\
  basic:
    name: 基本
    file: cards/basic.csv
    fields: {text: text, copies: text}
    deck_copies: copies
    front: card
    front_fields: [text]
    back: card
"""
BUILDS = """\
game: small
name: {name}
frame: {{size: S}}
mounted: {{arm: [{card}]}}
"""


@pytest.fixture
def sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Print:
    """Prints a small game of two boxes; its decks, one of no mech, hold a card of no box."""
    write_small_game(tmp_path)
    folder = tmp_path / GAME
    write_sheets(tmp_path, **SHEETS)
    with (folder / "game.yaml").open("a", encoding="utf-8") as game:
        game.write(BASIC)
    (folder / "cards/basic.csv").write_text("id,name,text,copies\nK1,Step,うごく,2\n")
    (folder / "mechs/BB.yaml").write_text(
        "code: BB\nname: Beta\nedition: more\nframe: {size: S}\n"
        "loadouts: {basic: {mounted: {arm: [Net]}}}\n"
    )
    (folder / "decks/mechs.csv").write_text(
        "mech,card,mark,copies\nAA,Laser,●,2\nAA,Sword,●◆,1\nAA,Step,●◆,3\nBB,Net,●,1\nBB,Step,●,1\n"
    )
    (folder / "decks/main.csv").write_text("deck,card,copies\nmain,Sword,1\nmain,Step,1\n")
    monkeypatch.chdir(tmp_path)

    def sheets_of(*arguments: str) -> Result:
        return run("print", "small", "--backs", "none", *arguments)

    return sheets_of


def printed(result: Result) -> list[str]:
    assert result.exit_code == 0, result.output
    return re.findall(r"([\w-]+)\.pdf", result.output)


def text_of(name: str) -> str:
    pdf = PdfDocument(Path(f"output/small/{name}.pdf").read_bytes())
    return "\n".join(page.get_textpage().get_text_bounded() for page in pdf)


def pieces(name: str = "cards") -> Counter[str]:
    """How often each text of a card stands on a sheet."""
    return Counter(re.findall("もやす|きる|とめる|うごく", text_of(name)))


def test_a_box_brings_whole_decks_with_the_cards_of_no_box(sheet: Print) -> None:
    assert printed(sheet("--only", "base")) == ["boxes", "cards", "mechs", "pawns"]
    # AA's deck, and of the deck of no mech what is of the box or of none.
    assert pieces() == {"もやす": 2, "きる": 2, "うごく": 4}
    assert "Beta" not in text_of("mechs")


def test_boxes_owned_leave_out_what_is_in_others_and_one_line_says_so(sheet: Print) -> None:
    result = sheet("--boxes", "base")
    assert printed(result) == ["boxes", "cards", "errata", "mechs", "shared-a4"]
    assert pieces() == {"もやす": 2, "きる": 2, "うごく": 4}
    said = "Left out by --boxes base: sheets spare; decks and mechs BB Beta."
    assert said in result.output.splitlines()


def test_what_is_turned_over_another_edge_shares_pages_of_its_own(sheet: Print) -> None:
    job = "lay: cards\ncards: {kind: weapon, only: {edition: [more]}}\nedge:"
    long, short = (f"{job} {edge}\n" for edge in ("long", "short"))
    write_sheets(Path(), a=long, b=long, c=short, d=short)
    assert printed(sheet("--sheet", "a,b,c,d")) == ["shared-a4", "shared-a4-short"]
    assert pieces("shared-a4") == pieces("shared-a4-short") == {"とめる": 2}


def test_a_box_that_needs_another_is_refused_as_it_is_by_build(sheet: Print) -> None:
    assert (
        "error BOXES The box '拡張' cannot be used without base. Give --boxes base,more."
        in sheet("--boxes", "more").output
    )


@pytest.mark.parametrize(
    ("option", "name", "files"),
    [
        ("--only", "AA:kai", ["boxes", "cards", "mechs", "pawns"]),
        ("--mech", "AA:kai", ["kit-AA-kai"]),
        ("--mech", "red-1＝AA:kai", ["kit-AA-kai"]),
    ],
)
def test_one_loadout_brings_its_own_cards_sheet_and_box(
    sheet: Print, option: str, name: str, files: list[str]
) -> None:
    assert printed(sheet(option, name)) == files
    assert sum((pieces(name) for name in files), Counter()) == {"きる": 1, "うごく": 3}
    assert "4枚" in text_of(files[0])


@pytest.mark.parametrize(("option", "name"), [("--only", "cards"), ("--mech", "kit-AA")])
def test_a_mech_brings_the_cards_of_all_its_loadouts(sheet: Print, option: str, name: str) -> None:
    result = sheet(option, "Alpha")
    assert name in printed(result)
    assert pieces(name) == {"もやす": 2, "きる": 1, "うごく": 3}
    assert f"Left out by {option} Alpha: sheets boards, errata, spare." in result.output


def test_a_build_brings_its_own_deck_sheet_pawn_and_box_in_one_file(sheet: Print) -> None:
    Path("mine.yaml").write_text(BUILDS.format(name="Mine", card="Sword, Sword"))
    assert printed(sheet("--mech", "mine.yaml")) == ["kit-Mine"]
    assert pieces("kit-Mine") == {"きる": 2, "うごく": 2}
    assert "Alpha" not in text_of("kit-Mine")
    with pikepdf.open("output/small/kit-Mine.pdf") as pdf, pdf.open_outline() as outline:
        titles = [item.title for item in outline.root]
        labels = [str(label.P) for label in pdf.Root.PageLabels.Nums[1::2]]
    assert {"boxes", "cards", "mechs", "pawns"} <= {title.split()[-1] for title in titles}
    assert [label.split()[-2:] for label in labels[:2]] == [["boxes", "1"], ["cards", "2"]]


def test_of_a_file_of_builds_one_may_be_named(sheet: Print) -> None:
    builds = [
        BUILDS.format(name=name, card=card) for name, card in (("One", "Sword"), ("Two", "Net"))
    ]
    Path("mine.yaml").write_text("---\n".join(builds))
    printed(sheet("--mech", "mine.yaml", "--only", "Two"))
    assert pieces("kit-One-Two") == {"とめる": 1, "うごく": 2}
    assert "One" not in text_of("kit-One-Two")


def test_a_build_of_a_box_not_owned_is_refused(sheet: Print) -> None:
    Path("mine.yaml").write_text(BUILDS.format(name="Mine", card="Net"))
    told = sheet("--mech", "mine.yaml", "--boxes", "base").output
    assert "error BOXES Mine uses 'Net', which comes in the box 'more'; that" in told


def test_a_card_alone_is_printed_alone(sheet: Print) -> None:
    assert printed(sheet("--only", "Laser")) == ["cards"]
    assert pieces() == {"もやす": 2}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--sheet errata --only AA", "--only cannot be used with the sheet 'errata' (rulings)."),
        ("--sheet spare --mech AA", "--mech cannot be used with the sheet 'spare' (cards)."),
        ("--sheet boards --mech AA", "--mech cannot be used with the sheet 'boards' (boards)."),
        ("--sheet boards --bleed 3", "--bleed cannot be used with the sheet 'boards' (boards)."),
        ("--sheet cards --poster a2", "--poster cannot be used with the sheet 'cards' (cards)."),
        (
            "--sheet mechs --changed-by all",
            "--changed-by cannot be used with the sheet 'mechs' (mechs).",
        ),
        ("--sheet errata --saving", "--saving cannot be used with the sheet 'errata' (rulings)."),
        ("--only AA,field --sheet cards", "'small' has nothing called 'field' on these sheets."),
        ("--only AA:kia", "No sheet has anything called 'AA:kia'. Did you mean 'AA:kai'?"),
        ("--mats duel --mech AA", "--mech cannot be used with the sheet 'mats' (boards)."),
        ("--mats dual", "'small' has no room 'dual'."),
        (
            "--calibrate --only AA",
            "--only cannot be used with the sheet 'calibration' (calibration).",
        ),
    ],
)
def test_an_option_that_a_sheet_cannot_follow_is_refused(
    sheet: Print, options: str, told: str
) -> None:
    change(Path(GAME, "sheets/boards.yaml"), "lay: boards\n", "lay: boards\nbacks: none\n")
    result = run("print", "small", *options.split())
    assert result.exit_code == 1
    assert told in result.output
    assert not Path("output").exists()


def test_sheets_that_are_printed_without_an_option_are_named(sheet: Print) -> None:
    told = sheet("--gap", "4", "--bleed", "2").output
    assert "Printed boards, boxes, errata, pawns without --gap, --bleed, --backs" in told


@pytest.mark.parametrize(
    ("game", "room", "sizes"),
    [
        # 20 units wide, of which a card of 63 mm takes two; a card of 63 mm takes 1.5 of 11 units,
        # on a bare mat too; 16.4 units of chips of 25 mm and events of 63 mm, 1.5 units wide.
        pytest.param(
            "embryo_machine", "duel", {"赤1 プレイマット": (630, 396.9)}, marks=pytest.mark.slow
        ),
        ("wrath_of_god", "p2", {"赤 の場": (462, 268.8), "中央の置き場": (756, 218.4)}),
        pytest.param("cloudspire", "p2", {"共通の置き場": (688.8, 394.8)}, marks=pytest.mark.slow),
    ],
)
def test_a_mat_is_as_large_as_the_cards_on_it_need(
    game: str, room: str, sizes: dict[str, tuple[float, float]], tmp_path: Path
) -> None:
    only = ",".join(sizes)
    command = ["print", f"source_data/{game}", "--mats", room, "--only", only]
    result = run(*command, "--out", tmp_path)
    assert result.exit_code == 0, result.output
    with PdfDocument(tmp_path / game / f"mats-{room}.pdf") as document:
        text = "\n".join(page.get_textpage().get_text_bounded() for page in document)
    found = [tuple(map(float, size)) for size in re.findall(r"できあがり (\S+)×(\S+) mm", text)]
    assert sorted(found) == sorted(sizes.values())


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("catalogue", "'catalogue' of 'gimmick_lab' has no mat with places for cards."),
        (
            "auction --only 赤の場",
            "No sheet has anything called '赤の場'. Did you mean '赤 の場'?",
        ),
        ("auction --sheet boards", "--mats prints the mats of a room alone"),
    ],
)
def test_mats_that_are_not_there_are_refused(options: str, told: str) -> None:
    result = run("print", "source_data/gimmick_lab", "--mats", *re.split(r" (?!の)", options))
    assert result.exit_code in (1, 2)
    assert told in result.output
