"""What tests look for on a page, however long it takes to come."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Download, Locator, Page

    Open = Callable[..., Page]


def reads(found: Locator, text: str) -> None:
    from playwright.sync_api import expect

    expect(found).to_have_text(re.compile(text), timeout=60_000)


def count(found: Locator, number: int) -> None:
    from playwright.sync_api import expect

    expect(found).to_have_count(number, timeout=60_000)


def start_from(page: Page, said: str) -> None:
    """A new draft of a printed build, by its code or its name."""
    page.locator("#start-from").click()
    page.locator("#start-from-menu [role=menuitem]").filter(
        has=page.locator(f'xpath=self::*[@data-value="{said}" or normalize-space()="{said}"]')
    ).click()


def fetch(page: Page, click: Callable[[], None]) -> Download:
    """What a click saves."""
    with page.expect_download() as fetched:
        click()
    return fetched.value


def choose(page: Page, entry: str) -> None:
    """An entry of the menu of a draft."""
    page.click("#more")
    page.click(f"#{entry}")


def tab_to(page: Page, selector: str, *, back: bool = False) -> int:
    """Go on by the Tab key until something is in focus; how many steps that took."""
    for steps in range(1, 400):
        page.keyboard.press("Shift+Tab" if back else "Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return steps
    raise AssertionError(selector)
