"""Each page from a click to a file, by mouse, by keyboard, by phone."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from small_game import FILES, change
from workbench import with_sheet

import exporter
from browser.looking import choose, count, fetch, reads, start_from, tab_to

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from browser.looking import Open

pytestmark = pytest.mark.browser

DUEL = Path(__file__).parents[2] / "docs" / "examples" / "duel60"
EMBRYO = Path(__file__).parents[2] / "source_data" / "embryo_machine"


def test_a_saved_cell_shows_on_its_card_and_the_page_stays(open_page: Open, small: Path) -> None:
    page = open_page(small, "/en/small/cards")
    page.locator("[data-card=W2] img.face[src^='/faces/']").wait_for()
    face = page.locator("[data-card=W1] img.face[src^='/faces/']")
    before = face.get_attribute("src")
    page.evaluate("window.stays = true")
    change(small / "cards" / "weapons.csv", "もやす", "こがす")
    changed = "before => document.querySelector('[data-card=W1] img.face').src.endsWith(before)"
    page.wait_for_function(f"before => !({changed})(before)", arg=before)
    assert face.get_attribute("src") != before
    assert page.evaluate("window.stays")
    change(small / "cards" / "weapons.csv", "きる,1", "きる,many")
    reads(page.locator("#problems"), r"weapons\.csv:3:13")
    change(small / "cards" / "weapons.csv", "きる,many", "きる,1")
    count(page.locator("#problems li"), 0)


def test_a_fault_of_a_template_stands_at_the_card_and_the_last_good_picture_stays(
    open_page: Open, small: Path
) -> None:
    page = open_page(small, "/en/small/cards")
    face = page.locator("[data-card=W1] img.face[src^='/faces/']")
    face.wait_for()
    page.wait_for_function("() => document.querySelector('[data-card=W1] img').naturalWidth === 40")
    good = face.get_attribute("src")
    template = small.parents[1] / "templates" / "faces" / "small" / "text.typ"
    change(template, "face(values) = {", "face(values) = {{")
    reads(page.locator("#problems"), r"text\.typ:\d+")
    reads(page.locator("[data-card=W1] .faults"), "unclosed delimiter")
    stale = page.locator("[data-card=W1] img.face.stale")
    stale.wait_for()
    assert stale.get_attribute("src") == good
    assert stale.evaluate("one => one.complete && one.naturalWidth === 40")
    page.locator("[data-card=W1]").click()
    page.locator("#large img.stale").first.wait_for()
    page.keyboard.press("Escape")
    change(template, "face(values) = {{", "face(values) = {")
    count(page.locator("#problems li"), 0)
    count(page.locator("#grid img.stale"), 0)
    assert face.get_attribute("src") == good


def test_a_verdict_is_grey_from_a_change_on_until_the_answer_comes(open_page: Open) -> None:
    page = open_page(EMBRYO, "/en/embryo_machine/build")
    start_from(page, "AG:basic")
    reads(page.locator("#state.legal"), "Legal")
    waiting: list[Route] = []
    page.route("**/judge?*", lambda route: waiting.append(route))
    page.locator("#name").fill("Other")
    page.locator("#name").blur()
    reads(page.locator("#state.waiting"), "Checking")
    count(page.locator("#state.legal"), 0)
    while not waiting:
        page.wait_for_timeout(50)
    waiting.pop().abort()
    reads(page.locator(".toast").first, ".")
    reads(page.locator("#state.waiting"), "Checking")
    page.unroute("**/judge?*")
    page.locator("#name").fill("Another")
    page.locator("#name").blur()
    reads(page.locator("#state.legal"), "Legal")


def test_new_drafts_are_chosen_from_a_menu_and_keys_alone_make_none(open_page: Open) -> None:
    page = open_page(EMBRYO, "/en/embryo_machine/build")
    drafts = page.locator("#which option")
    count(drafts, 1)
    opener = page.locator("#start-from")
    opener.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "ArrowDown", "Escape"):
        page.keyboard.press(key)
    count(drafts, 1)
    assert opener.evaluate("one => one === document.activeElement")
    assert opener.get_attribute("aria-expanded") == "false"
    page.keyboard.press("Enter")
    assert opener.get_attribute("aria-expanded") == "true"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    count(drafts, 2)


def test_on_a_phone_what_is_wrong_stands_above_what_filters(open_page: Open, small: Path) -> None:
    change(small / "cards" / "weapons.csv", "W1,", ",")
    page = open_page(small, "/en/small/cards", width=390, height=800)
    page.locator("#problems .problem").first.wait_for()
    wrong, search = page.locator("#problems").bounding_box(), page.locator("#search").bounding_box()
    assert wrong
    assert search
    assert wrong["y"] + wrong["height"] <= search["y"]


def test_on_a_phone_a_card_that_was_tapped_is_seen_where_it_went(open_page: Open) -> None:
    page = open_page(EMBRYO, "/ja/embryo_machine/build", width=390, height=844, language="ja")
    start_from(page, "アルギュロス 改")
    head = page.locator("#parts .part").first
    head.locator(".remove").tap()
    head.locator(".empty button").tap()
    count(page.locator(".waits.on"), 1)
    page.fill("#search", "B01")
    page.locator("#stock .card").tap()
    reads(page.locator(".toast").last, r"→ 頭 1/1")
    count(page.locator(".waits.on"), 0)  # the next one that is tapped asks where to
    place = head.bounding_box()
    assert place
    assert 0 <= place["y"] < 844


@pytest.mark.parametrize(("page_of", "sign"), [("print", ".empty"), ("build", "#state")])
def test_a_game_that_cannot_be_read_says_why_and_opens_once_it_is_mended(
    open_page: Open, small: Path, page_of: str, sign: str
) -> None:
    change(small / "game.yaml", "id: small", "id: [small")
    page = open_page(small, f"/en/small/{page_of}")
    reads(page.locator(".problems").first, r"game\.yaml")
    count(page.locator(".empty"), 0)
    change(small / "game.yaml", "id: [small", "id: small")
    page.locator(sign).wait_for()


def test_many_windows_of_one_browser_hear_of_what_is_saved(open_page: Open, small: Path) -> None:
    first = open_page(small, "/en/small/cards")
    windows = [first]
    for _ in range(8):  # more than the connections that a browser has to one address
        windows.append(first.context.new_page())
        windows[-1].goto(first.url, wait_until="domcontentloaded")
        reads(windows[-1].locator("#live"), "watching")
    first.close()  # whichever listened for all: another one does
    change(small / "cards" / "weapons.csv", "W1,", "W9,")
    for page in windows[1:]:
        count(page.locator("[data-card=W9]"), 1)


def test_a_search_finds_whatever_the_width_and_case(open_page: Open) -> None:
    page = open_page(EMBRYO, "/ja/embryo_machine/cards", language="ja")
    page.fill("#search", "らんす")
    reads(page.locator("#count"), r"^\d枚（全\d+枚）$")
    page.locator("#grid .card").first.click()
    reads(page.locator("#large-name"), "ランス")
    page.keyboard.press("Escape")
    page.fill("#search", "Ｂ０１")
    count(page.locator("#grid .card"), 1)


def test_one_steps_from_card_to_card_by_keys_and_by_a_button(open_page: Open, small: Path) -> None:
    page = open_page(small, "/en/small/cards")
    page.locator(".card").first.click()
    names = [page.locator("#large-name").inner_text()]
    for key in ("ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
        names.append(page.locator("#large-name").inner_text())
    page.focus("#large-next")
    for key in ("Enter", "Enter"):
        page.keyboard.press(key)
        names.append(page.locator("#large-name").inner_text())
    assert len(set(names)) == 3
    assert names == [*names[:3], *names[:2]]
    assert page.evaluate("document.activeElement.id") == "large-next"


def test_a_line_is_copied_where_the_browser_has_no_clipboard_for_pages(open_page: Open) -> None:
    """As on a phone, by the address of another machine."""
    page = open_page(EMBRYO, "/en/embryo_machine/build")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.click("#share")
    line = page.locator("#sheet .copyable code").first.inner_text()
    page.locator("#sheet .copyable button").first.click()
    reads(page.locator(".toast"), "opied")
    page.keyboard.press("Escape")
    page.focus("#name")
    page.keyboard.press("Control+a")
    page.keyboard.press("Control+v")
    assert page.input_value("#name") == line[:80]


def test_a_table_is_turned_and_seen_from_above(open_page: Open, small: Path) -> None:
    page = open_page(small, "/en/small/room#table")
    ground = page.locator(".ground-plane")
    page.locator(".thing").first.wait_for()
    opening = ground.evaluate("one => one.style.transform")
    assert "translateX(100px) rotateX(50deg) rotateZ(10deg)" in opening
    page.focus("#view")
    page.keyboard.press("ArrowLeft")
    assert "rotateZ(5deg)" in ground.evaluate("one => one.style.transform")
    page.get_by_role("button", name="From above").click()
    assert "rotateX(0deg)" in ground.evaluate("one => one.style.transform")
    page.keyboard.press("Escape")
    page.focus("#view")
    page.keyboard.press("0")
    assert ground.evaluate("one => one.style.transform") == opening


BUILD = """\
frame: {装甲: 軽, サイズ: SS, 座席: 単座}
mounted: {右腕: [スモールレーザー]}
"""


def test_sheets_are_seen_before_they_are_saved_and_are_the_command_lines(
    open_page: Open, small: Path
) -> None:
    with_sheet(small)
    page = open_page(small, "/en/small/print")
    reads(page.locator("#planned"), "2 pages in 1 file")
    page.locator("#choices summary").click()
    page.select_option("#print-backs", "none")
    reads(page.locator("#planned"), "1 page in 1 file")
    page.click("#make")
    page.locator(".page img").wait_for()
    page.wait_for_function("() => document.querySelector('.page img').naturalWidth > 300")
    page.locator("#looks").wait_for()
    fetched = fetch(page, lambda: page.locator(".save").click())
    order = exporter.PrintOrder(sheets=("cards",), backs="none")
    (made,) = exporter.print_sheets("small", "theirs", order).made
    assert Path(fetched.path()).read_bytes() == made.path.read_bytes()
    again = open_page(small, "/en/small/print" + page.url[page.url.index("#") :])
    reads(again.locator("#planned"), "1 page in 1 file")


def test_a_zip_that_is_dropped_is_drawn_with_what_is_wrong_at_its_object(
    open_page: Open, small: Path, tmp_path: Path
) -> None:
    (made,) = exporter.save_rooms("small", "theirs", exporter.RoomOrder(rooms=("table",))).made
    wrong = tmp_path / "wrong.zip"
    with zipfile.ZipFile(made.path) as ours, zipfile.ZipFile(wrong, "w") as theirs:
        for name in ours.namelist():
            far = b'location.x="9'
            theirs.writestr(name, ours.read(name).replace(b'location.x="', far, 1))
    page = open_page(small, "/en/verify")
    page.set_input_files("#zip", made.path)
    reads(page.locator("#state"), "no problems")
    page.set_input_files("#zip", wrong)
    reads(page.locator("#state"), "1 problem")
    reads(page.locator("details.object"), "UD-FAR-AWAY")
    page.locator("details.object button").click()
    assert page.locator(".thing.pointed").count() == 1
    (tmp_path / "no.zip").write_bytes(b"no zip at all")
    page.set_input_files("#zip", tmp_path / "no.zip")
    reads(page.locator("#state"), "1 problem")
    count(page.locator("#stage:visible"), 0)


TABLE = """\
名前,コスト,効果,枚数
火の矢,2,3ダメージ。,3
盾,1,2減らす。,2
"""


def test_a_game_is_begun_from_a_spreadsheet_and_watched(
    open_page: Open, small: Path, tmp_path: Path
) -> None:
    table = tmp_path / "竜の札.csv"
    table.write_text(TABLE, encoding="utf-8")
    page = open_page(small, "/en/new")
    page.set_input_files("#take-table", table)
    page.fill("#new-id", "dragons")
    page.click("#make")
    reads(page.locator("#made-folder"), "dragons was made")
    made = tmp_path / "source_data" / "dragons"
    exporter.game_from("dragons", str(table), "theirs", ja="竜の札", en="竜の札", language="en")
    theirs = tmp_path / "theirs" / "dragons"
    names = sorted(path.relative_to(theirs) for path in theirs.rglob("*") if path.is_file())
    assert sorted(path.relative_to(made) for path in made.rglob("*") if path.is_file()) == names
    for name in names:
        assert (made / name).read_bytes() == (theirs / name).read_bytes()
    page.click("#look")
    count(page.locator("#grid .card"), 2)
    change(made / "cards" / "竜の札.csv", "火の矢", "氷の矢")
    reads(page.locator("#grid .card").first, "氷の矢")
    page.goto(page.url.replace("dragons/cards", "new"), wait_until="domcontentloaded")
    page.set_input_files("#take-table", table)
    page.set_input_files("#take-pictures", {"name": "盾.tif", "mimeType": "", "buffer": b"x"})
    reads(page.locator(".unread"), "盾.tif")
    page.fill("#new-id", "dragons")
    reads(page.locator("#again"), "only its table and pictures are replaced")
    page.click("#make")
    reads(page.locator("#made-folder"), "brought into .*dragons")
    reads(page.locator("#made .lines"), "renamed, keeping the id: 氷の矢 → 火の矢")


def test_the_keyboard_alone_leads_from_an_empty_bench_to_a_zip(
    open_page: Open, tmp_path: Path
) -> None:
    page = open_page(EMBRYO, "/en/embryo_machine/build")
    reads(page.locator("#state"), "Legal")
    assert tab_to(page, "#parts .slot button") <= 25
    page.keyboard.press("Enter")
    tab_to(page, "#search")
    page.keyboard.type("B01")
    count(page.locator("#stock .card"), 1)
    tab_to(page, "#stock .card")
    page.keyboard.press("Enter")
    count(page.locator("#parts .slot:not(.empty)"), 1)
    page.keyboard.press("Control+z")
    count(page.locator("#parts .slot:not(.empty)"), 0)
    page.keyboard.press("Control+y")
    count(page.locator("#parts .slot:not(.empty)"), 1)
    tab_to(page, "#fill", back=True)
    page.keyboard.press("Enter")
    page.locator("#take").wait_for()
    page.keyboard.press("Enter")
    count(page.locator("#free"), 0)
    reads(page.locator("#state"), "Legal")
    tab_to(page, "#seat")
    page.keyboard.press("Enter")
    reads(page.locator(".seat .state"), "legal")
    tab_to(page, "#make")
    page.keyboard.press("Enter")
    page.locator("#save:focus").wait_for()
    fetch(page, lambda: page.keyboard.press("Enter")).save_as(tmp_path / "room.zip")
    assert exporter.verify(tmp_path / "room.zip") == ()


def test_a_host_seats_two_and_makes_the_zip_on_a_phone(open_page: Open, tmp_path: Path) -> None:
    page = open_page(EMBRYO, "/ja/embryo_machine/room#duel", width=390, height=844, language="ja")
    (mine,) = exporter.share("AG:kai", game="embryo_machine")
    page.fill("#paste", mine.line)
    count(page.locator(".seat .state.legal"), 1)
    builds = tmp_path / "mine.yaml"
    builds.write_text("name: 青\n" + BUILD, encoding="utf-8")
    page.set_input_files("#file-blue1", builds)
    count(page.locator(".seat .state.legal"), 2)
    button = page.locator("#make")
    place = button.bounding_box()
    assert place
    assert place["y"] + place["height"] <= 844
    button.tap()
    fetch(page, lambda: page.locator("#save").tap()).save_as(tmp_path / "duel.zip")
    assert exporter.verify(tmp_path / "duel.zip") == ()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_places_that_do_not_fit_are_dimmed_while_one_drags_and_say_why(open_page: Open) -> None:
    page = open_page(EMBRYO, "/en/embryo_machine/build")
    page.fill("#search", "ランス")
    card = page.locator("#stock .card", has_text=re.compile("^ランス")).first
    card.hover()
    page.mouse.down()
    head = page.locator("[data-part=頭]")
    head.hover()
    head.hover()
    reads(page.locator("[data-part=頭].no .why"), "cannot be mounted on 'head'")
    arm = page.locator("[data-part=右腕]:not(.no)")
    arm.hover()
    arm.hover()
    page.mouse.up()
    reads(page.locator("[data-part=右腕] .slot .name"), "ランス")
    reads(page.locator("#state"), "Legal")
    card.click()
    page.get_by_role("button", name="head 0/1").click()
    reads(page.locator("[data-part=頭] .wrong"), "cannot be mounted on 'head'")
    reads(page.locator("#state"), "1 fault")
    page.click("#suggest")
    page.click("#take")
    reads(page.locator("#state"), "Legal")


def test_free_slots_are_filled_and_two_drafts_compared(open_page: Open) -> None:
    page = open_page(EMBRYO, "/en/embryo_machine/build")
    start_from(page, "AG:basic")
    page.locator("#parts .remove").first.click()
    reads(page.locator("#free"), "1 empty slot")
    page.locator(".damage svg").wait_for()
    page.click("#fill")
    reads(page.locator("#sheet"), "1 card fills the empty slots")
    page.click("#take")
    count(page.locator("#parts .slot:not(.empty)"), 11)
    reads(page.locator("#state"), "Legal")
    start_from(page, "AG:kai")
    choose(page, "compare")
    count(page.locator("#sheet .damage .line.build-1"), 2)
    reads(page.locator("#sheet .compared"), "left leg")


def test_drafts_outlive_a_reload_and_are_saved_as_the_command_line_reads_them(
    open_page: Open, tmp_path: Path
) -> None:
    page = open_page(EMBRYO, "/en/embryo_machine/build")
    start_from(page, "アルギュロス basic")
    page.fill("#name", "槍 #1: <b>")
    page.press("#name", "Tab")
    page.reload(wait_until="domcontentloaded")
    reads(page.locator("#which option:checked"), "槍 #1: <b>")
    count(page.locator("#parts .slot:not(.empty)"), 11)
    fetched = fetch(page, lambda: choose(page, "save-yaml"))
    path = tmp_path / "mine.yaml"
    fetched.save_as(path)
    (report,) = exporter.check(path).reports
    assert [verdict.legal for verdict in report.builds if not verdict.printed] == [True]
    assert [v.build.name for v in report.builds if not v.printed] == ["槍 #1: <b>"]


def test_by_mouse_alone_from_an_empty_bench_to_a_zip_for_two_and_a_printed_deck(
    open_page: Open, tmp_path: Path
) -> None:
    page = open_page(EMBRYO, "/en/embryo_machine/build")
    reads(page.locator("#state"), "Legal")
    page.locator("[data-part=右腕] .empty button").first.click()
    page.locator("#stock [data-card=B01]").click()
    reads(page.locator("[data-part=右腕] .slot .name"), "スモールレーザー")
    page.locator("#stock .waits button").click()
    card = page.locator("#stock [data-card=B02]")
    card.drag_to(page.locator("[data-part=胴]"))
    reads(page.locator("[data-part=胴] .slot .name").first, "ミドルレーザー")
    page.click("#fill")
    page.click("#take")
    reads(page.locator("#state"), "Legal")
    count(page.locator("#fill"), 0)

    phone = open_page(EMBRYO, "/ja/embryo_machine/build", width=390, height=844, language="ja")
    start_from(phone, "アルギュロス 改")
    reads(phone.locator("#state"), "合法")
    phone.click("#share")
    line = phone.locator("#sheet .copyable code").first.inner_text()
    phone.context.close()

    page.click("#seat")
    reads(page.locator(".seat .state"), "legal")
    page.locator(".room-item", has_text="duel").first.click()
    page.locator("#seats select").first.wait_for()
    page.fill("#paste", line)
    count(page.locator(".seat .state.legal"), 1)
    page.locator("#seat-blue1").select_option(label="My mech")
    count(page.locator(".seat .state.legal"), 2)
    page.locator("#turn-0").click()
    reads(page.locator("#turn-0"), "180°")
    page.set_input_files(
        "#pawn-red1", EMBRYO.parents[1] / "docs" / "images" / "workbench-phone.jpg"
    )
    page.locator("#seats .pawn img[src^='blob:']").wait_for()
    page.locator("#making-more summary").click()
    reads(
        page.locator("#making-more code").first,
        r"--picture red1=workbench-phone.jpg --board \S+@180",
    )
    page.click("#make")
    fetch(page, lambda: page.click("#save")).save_as(tmp_path / "duel.zip")
    assert exporter.verify(tmp_path / "duel.zip") == ()
    reads(page.locator(".file .state"), "no problems")

    page.goto(page.url.partition("/room")[0] + "/build", wait_until="domcontentloaded")
    choose(page, "print")
    reads(page.locator(".taken"), "My mech")
    reads(page.locator("#planned"), "pages? in ")
    page.click("#make")
    fetched = fetch(page, lambda: page.locator(".save").first.click())
    assert Path(fetched.path()).read_bytes()[:5] == b"%PDF-"


def test_a_deck_is_put_together_seated_and_printed(open_page: Open, tmp_path: Path) -> None:
    page = open_page(DUEL, "/en/duel60/deck")
    page.fill("#search", "A01")
    card = page.locator("#stock .card")
    count(card, 1)
    card.click()
    card.press("Enter")
    card.press("Enter")
    card.press("-")
    reads(page.locator("[data-deck=main] .entry b"), "^2$")
    reads(page.locator("[data-deck=main] h3 .n"), "2/60")
    reads(page.locator("[data-deck=main]"), "has 2 cards; the rules say 60")
    reads(page.locator("#odds tbody"), "100%")
    page.keyboard.press("Control+z")
    reads(page.locator("[data-deck=main] .entry b"), "^3$")
    choose(page, "load")
    page.fill("#paste", (DUEL / "players" / "good.txt").read_text(encoding="utf-8"))
    page.locator("#sheet button.main").click()
    reads(page.locator("#state"), "Legal")
    fetched = fetch(page, lambda: choose(page, "save-yaml"))
    mine = tmp_path / "mine.yaml"
    fetched.save_as(mine)
    (report,) = exporter.check(mine, source=DUEL.parent).reports
    assert [verdict.legal for verdict in report.builds] == [True]
    page.click("#seat")
    reads(page.locator("#seat-p1 option:checked"), "火のデッキ")
    reads(page.locator(".seat .state"), "legal")
    page.click("#make")
    fetched = fetch(page, lambda: page.click("#save"))
    order = exporter.RoomOrder(rooms=("table",), mechs={"p1": str(mine)})
    (made,) = exporter.save_rooms(str(DUEL), tmp_path, order).made
    assert Path(fetched.path()).read_bytes() == made.path.read_bytes()
    page.go_back()
    choose(page, "print")
    reads(page.locator(".taken"), "火のデッキ")
    reads(page.locator("#planned"), "pages? in 1 file")


NOT_DRAWN = {"exclude": [[".ground-plane"]]}
"""A table in perspective is a picture; what it shows stands beside it when it is pointed at."""

PAGES = {
    "/en/": "#shelf .box-doors a",
    "/ja/small/cards": "#grid .card",
    "/en/small/cards#kind=weapon&view=table": ".cards-table",
    "/en/small/room": ".thing, #problems li",
    "/en/small/build": "#stock .card, .empty",
    "/en/small/print": "#making, .empty",
    "/ja/verify": "#zip",
    "/en/new": "#make",
    "/en/icons?word=castle": ".icons button",
}
"""With what is on each as soon as it is there."""


def clean(page: Page, of: str) -> None:
    """What is open on a page has no fault that axe knows."""
    from axe_playwright_python.sync_playwright import Axe

    found: list[dict[str, Any]] = Axe().run(page, context=NOT_DRAWN).response["violations"]
    assert not [(one["id"], [node["html"] for node in one["nodes"]]) for one in found], of


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault_on_a_page(open_page: Open, small: Path, scheme: str) -> None:
    for path, sign in PAGES.items():
        page = open_page(small, path, scheme=scheme)
        page.locator(sign).first.wait_for(state="attached")
        clean(page, path)


def test_axe_finds_no_fault_in_a_dialog_or_a_menu(open_page: Open) -> None:
    page = open_page(EMBRYO, "/en/embryo_machine/cards#text=B01")
    page.locator("#grid .card").first.click()
    page.locator("#large section").first.wait_for()
    clean(page, "a card")
    page.goto(page.url.partition("/cards")[0] + "/build", wait_until="domcontentloaded")
    page.click("#start-from")
    clean(page, "new")
    page.keyboard.press("Escape")
    start_from(page, "AG:kai")
    reads(page.locator("#state"), "Legal")
    page.click("#more")
    clean(page, "more")
    page.keyboard.press("Escape")
    page.locator("#parts .remove").first.click()
    dialogs: dict[str, Callable[[], None]] = {
        "load": lambda: choose(page, "load"),
        "share": lambda: page.click("#share"),
        "fill": lambda: page.click("#fill"),
        "where": lambda: page.locator("#stock .card").first.click(),
        "compare": lambda: choose(page, "compare"),
        "skills": lambda: page.locator(".pilot > button").click(),
    }
    page.get_by_role("button", name="Add a pilot").click()
    for name, open_it in dialogs.items():
        open_it()
        page.locator("#sheet[open] .sheet-inner").wait_for()
        page.wait_for_load_state("networkidle")
        clean(page, name)
        page.keyboard.press("Escape")


def test_axe_finds_no_fault_in_decks_printed_pages_and_a_page_that_is_not_there(
    open_page: Open, small: Path
) -> None:
    page = open_page(DUEL, "/en/duel60/deck")
    page.locator("#stock .card").first.wait_for()
    clean(page, "deck")
    choose(page, "load")
    page.locator("#sheet[open] .sheet-inner").wait_for()
    clean(page, "a deck to load")
    page.goto(page.url.replace("/deck", "/nothing"), wait_until="domcontentloaded")
    clean(page, "no page")
    with_sheet(small)
    page = open_page(small, "/en/small/print")
    page.click("#make")
    page.locator(".page").first.click()
    page.locator("#large[open] img").wait_for()
    clean(page, "a printed page")


SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>"


def test_a_strange_game_full_of_scripts_runs_nothing(open_page: Open, tmp_path: Path) -> None:
    for name, text in FILES.items():
        if name.endswith((".yaml", ".csv")) and name.startswith("source_data"):
            for word in ("小さなゲーム", "Laser", "もやす", "Alpha", "はじめに", "赤1", "野", "卓"):
                text = text.replace(word, f'"{SCRIPT}{word}"' if ".yaml" in name else SCRIPT + word)
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    game = tmp_path / "source_data" / "small"
    busy = {
        "/en/": "#shelf .box-doors a",
        "/en/small/cards": "#grid .card, #problems li",
        "/en/small/room#table": ".thing, #problems li",
        "/en/small/build": "#state, #bench-problems li",
    }
    for path_, sign in busy.items():
        page = open_page(game, path_)
        page.locator(sign).first.wait_for(state="attached")
        assert page.locator("script:not([src])").count() == 0
        assert page.locator("img[onerror]").count() == 0


def test_at_twice_the_size_nothing_is_cut_off(open_page: Open, small: Path) -> None:
    for path, sign in PAGES.items():
        page = open_page(small, path, width=683, height=384)  # 1366 at 200 %
        page.locator(sign).first.wait_for(state="attached")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
