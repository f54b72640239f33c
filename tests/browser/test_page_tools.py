"""What people of other tools would miss: odds, tables, a sheet beside, all drafts as one file."""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from small_game import write_small_game
from workbench import with_sheet

import exporter
from browser.looking import choose, count, fetch, reads, start_from

if TYPE_CHECKING:
    from browser.looking import Open

pytestmark = pytest.mark.browser

EMBRYO = Path(__file__).parents[2] / "source_data" / "embryo_machine"

DROP = """([text, name]) => {
  const dropped = new DataTransfer();
  dropped.items.add(new File([text], name));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true }));
}"""


def test_all_drafts_with_their_labels_and_notes_are_one_file_that_goes_to_another_browser(
    open_page: Open, tmp_path: Path
) -> None:
    page = open_page(EMBRYO, "/en/embryo_machine/build")
    start_from(page, "AG:basic")
    page.click("#remarks")
    page.fill("#label", "duels")
    page.press("#label", "Tab")
    page.fill("#note", "first: forward\n- and: keep the shield")
    page.press("#note", "Tab")
    start_from(page, "HO:kai")
    count(page.locator("#which optgroup[label=duels] option"), 1)
    mine = tmp_path / "mine.yaml"
    fetch(page, lambda: choose(page, "save-all")).save_as(mine)
    (report,) = exporter.check(mine).reports
    assert {v.build.name for v in report.builds if v.legal and not v.printed} >= {
        "アルギュロス basic",
        "フォルニッセ kai",
    }

    other = open_page(EMBRYO, "/en/embryo_machine/build")
    reads(other.locator("#state"), "Legal")
    other.evaluate(DROP, [mine.read_text(encoding="utf-8"), "mine.yaml"])
    count(other.locator("#which optgroup[label=duels] option"), 1)
    there = other.locator("#which option").count()
    other.select_option("#which", label="アルギュロス basic")
    assert other.input_value("#note") == "first: forward\n- and: keep the shield"
    count(other.locator("#parts .slot:not(.empty)"), 11)
    other.evaluate(DROP, [mine.read_text(encoding="utf-8"), "mine.yaml"])
    reads(other.locator("#toasts"), "3 drafts are already here")
    assert other.locator("#which option").count() == there


def test_damage_odds_a_hand_and_the_sheet_stand_beside_a_mech(open_page: Open) -> None:
    page = open_page(EMBRYO, "/en/embryo_machine/build")
    start_from(page, "AG:basic")
    page.click("#damage-open")
    lance = page.locator("#damage-table tr", has_text="ランス")
    reads(lance, r"^ランス ×200330000$")
    page.click("#draws > summary")
    reads(page.locator("#odds thead"), "in hand in each roundseen by round 1seen by round 2")
    reads(page.locator("#odds tbody tr", has_text="ランス"), "×254%54%88%100%100%")
    page.click("#draw-hand")
    count(page.locator(".drawn img.face"), 6)
    page.click("#draw-turn")
    count(page.locator(".drawn img.face"), 6)
    reads(page.locator("#draws [role=status]"), "^7 cards")
    page.click("#draw-turn")
    page.click("#draw-turn")
    count(page.locator(".drawn img.face"), 6)
    reads(page.locator("#draws [role=status]"), "^13 cards")
    page.click("#sheet-open")
    sheet = page.locator("#sheet-face[src^='/faces/']")
    sheet.wait_for()
    before = sheet.get_attribute("src")
    page.locator("[data-part=右腕] .remove").first.click()
    sheet.scroll_into_view_if_needed()
    page.wait_for_function(
        "before => document.querySelector('#sheet-face').getAttribute('src') !== before", arg=before
    )
    reads(page.locator("#damage-table tr", has_text="ランス"), r"^ランス0")


def test_skills_are_searched_and_filtered_as_cards_are(open_page: Open) -> None:
    page = open_page(EMBRYO, "/en/embryo_machine/build")
    page.get_by_role("button", name="Add a pilot").click()
    page.locator(".pilot > button").click()
    count(page.locator("#sheet .card"), 63)
    page.locator("#sheet select").first.select_option("B")
    page.fill("#skill-search", "こうそくはんのう")
    page.fill("#skill-search", "K02")
    page.locator("#sheet .card").click()
    reads(page.locator(".skill"), "高速反応Ⅰ")


def test_cards_stand_in_a_table_that_any_column_sorts(open_page: Open) -> None:
    page = open_page(EMBRYO, "/en/embryo_machine/cards#kind=weapon&view=table")
    rows = page.locator("#list tbody tr")
    count(rows, 153)
    page.get_by_role("button", name="damage", exact=True).click()
    page.get_by_role("button", name="damage").click()
    damage = page.locator("#list tbody tr td:nth-child(6)").all_inner_texts()
    numbers = [int(one) for one in damage if one.isdecimal()]
    assert numbers == sorted(numbers, reverse=True)
    assert len(set(numbers)) > 3
    page.reload(wait_until="domcontentloaded")
    count(rows, 153)
    assert page.locator("#list tbody tr td:nth-child(6)").all_inner_texts() == damage
    rows.first.locator("button").first.click()
    page.locator("#large-name").wait_for()


def test_all_pictures_are_files_of_one_zip(open_page: Open, small: Path, tmp_path: Path) -> None:
    page = open_page(small, "/en/small/cards")
    page.click("#images-make")
    path = Path(fetch(page, lambda: page.click("#images-save")).path())
    made = exporter.save_pictures("small", tmp_path / "theirs").made
    with zipfile.ZipFile(path) as ours:
        theirs = {
            one.path.relative_to(tmp_path / "theirs").as_posix(): one.path.read_bytes()
            for one in made
        }
        assert {name: ours.read(name) for name in ours.namelist()} == theirs


def test_a_folder_is_opened_from_the_first_page(
    open_page: Open, small: Path, tmp_path: Path
) -> None:
    write_small_game(tmp_path / "elsewhere")
    other = tmp_path / "elsewhere" / "source_data" / "small"
    shutil.move(other, tmp_path / "elsewhere" / "mine")
    page = open_page(small, "/en/")
    page.click("#folder-open")
    page.fill("#folder-path", str(tmp_path))
    page.locator("#folder button").click()
    reads(page.locator("#problems"), "has no game.yaml")
    page.fill("#folder-path", str(tmp_path / "elsewhere" / "mine"))
    page.locator("#folder button").click()
    page.locator("[data-card=W1]").wait_for()
    assert page.url.endswith("/mine/cards")


def test_cut_and_safe_lines_lie_over_a_page(open_page: Open, small: Path) -> None:
    with_sheet(small)
    page = open_page(small, "/en/small/print")
    reads(page.locator("#planned"), re.escape("2 pages in 1 file"))
    page.click("#make")
    page.locator(".page").first.click()
    page.locator("#large").wait_for()
    count(page.locator(".cut-line"), 0)
    page.check("#lines")
    page.locator(".cut-line").first.wait_for()
    assert page.locator(".cut-line").count() == page.locator(".safe-line").count()
    page.get_by_role("button", name="Next").click()
    page.locator(".cut-line").first.wait_for()
