"""Take the pictures of docs/workbench.md in the system's Chromium.

Run ``python docs/workbench_pictures.py``; it serves the games itself.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent))

from exporter.web.application import listening, server

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOME = Path(__file__).parent.parent
IMAGES = HOME / "docs" / "images"
GAMES = [HOME / "source_data" / "embryo_machine", HOME / "docs" / "examples" / "duel60"]
TABLE = "名前,コスト,効果,枚数\n火の矢,2,3ダメージ。,3\n盾,1,2減らす。,2\n竜,5,場に残る。,1\n"


WITHOUT = """folder => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    texts.currentNode.data = texts.currentNode.data.replace(folder, "source_data");
  }
  document.querySelector("#new-place").value = "";
  document.querySelector("#new-place").placeholder = "source_data";
}"""
# Shows no folder of the machine on which the picture is taken.


def start_from(page: Page, code: str) -> None:
    """Begin a draft of a printed mech."""
    page.click("#start-from")
    page.locator(f"[data-value='{code}']").click()
    page.locator("#state.legal").wait_for()


def room(page: Page, _folder: Path) -> None:
    """A duel on a turned board."""
    page.goto("/ja/embryo_machine/room#duel")
    page.locator("#turn-0").click()
    page.locator("#turn-0", has_text="180").wait_for()


def build(page: Page, _folder: Path) -> None:
    """A mech with one free slot."""
    page.goto("/ja/embryo_machine/build")
    start_from(page, "AG:kai")
    page.locator("#parts .remove").first.click()
    page.locator("#free").wait_for()


def phone(page: Page, _folder: Path) -> None:
    """The same mech, whole."""
    page.goto("/ja/embryo_machine/build")
    start_from(page, "AG:kai")


def deck(page: Page, _folder: Path) -> None:
    """A deck with too many of a card."""
    page.goto("/ja/duel60/deck")
    page.click("#more")
    page.click("#load")
    page.fill("#paste", (GAMES[1] / "players" / "good.txt").read_text(encoding="utf-8"))
    page.locator("#sheet button.main").click()
    page.locator("#state.legal").wait_for()
    page.locator("#stock .card").first.click()
    page.locator("#odds-hand").wait_for()


def paper(page: Page, _folder: Path) -> None:
    """Pages of one mech's deck."""
    page.goto("/ja/embryo_machine/print")
    page.select_option("#print-mech", value="AG:kai")
    page.locator("#planned", has_text="ページ").wait_for()
    page.click("#make")
    page.locator("#looks").wait_for()
    page.wait_for_function(
        "() => [...document.querySelectorAll('.page img')].slice(0, 4)"
        ".every(one => one.naturalWidth > 50)"
    )


def verify(page: Page, folder: Path) -> None:
    """A zip in which something lies far away."""
    import zipfile

    import exporter

    order = exporter.RoomOrder(rooms=("duel",))
    (made,) = exporter.save_rooms(str(GAMES[0]), folder, order).made
    far = folder / "somebodys_room.zip"
    with zipfile.ZipFile(made.path) as ours, zipfile.ZipFile(far, "w") as theirs:
        for name in ours.namelist():
            data = ours.read(name).replace(b'location.x="', b'location.x="9', 2)
            theirs.writestr(name, data)
    page.goto("/ja/verify")
    page.set_input_files("#zip", far)
    page.locator(".object").first.wait_for()


def new(page: Page, folder: Path) -> None:
    """A game made from a table."""
    table = folder / "竜の札.csv"
    table.write_text(TABLE, encoding="utf-8")
    page.goto("/ja/new")
    page.set_input_files("#take-table", table)
    page.fill("#new-id", "dragons")
    page.fill("#new-place", str(folder / "games"))
    page.click("#make")
    page.locator("#made-folder").wait_for()
    page.evaluate(WITHOUT, str(folder / "games"))
    page.evaluate("scrollTo(0, document.querySelector('#made').offsetTop - 40)")


PAGES: dict[str, tuple[int, int, Callable[[Any, Path], None]]] = {
    "room": (1366, 768, room),
    "build": (1366, 768, build),
    "deck": (1366, 768, deck),
    "print": (1366, 768, paper),
    "verify": (1366, 768, verify),
    "new": (1366, 768, new),
    "phone": (390, 844, phone),
}


def main() -> None:
    """Serve the games, open each page, and save what is seen."""
    sock = listening(8900)
    running = server(lambda: GAMES, sock, "token")
    thread = threading.Thread(target=running.run, kwargs={"sockets": [sock]})
    thread.start()
    address = f"http://127.0.0.1:{sock.getsockname()[1]}"
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, (width, height, act) in PAGES.items():
            context = browser.new_context(
                viewport={"width": width, "height": height},
                base_url=address,
                color_scheme="dark" if name == "phone" else "light",
                reduced_motion="reduce",
            )
            page = context.new_page()
            page.goto("/?token=token")
            act(page, Path(folder))
            page.wait_for_load_state("networkidle")
            page.wait_for_timeout(1500)
            page.screenshot(path=IMAGES / f"workbench-{name}.jpg", quality=82, type="jpeg")
            context.close()
        browser.close()
    running.should_exit = True
    thread.join()


if __name__ == "__main__":
    main()
