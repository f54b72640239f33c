"""A real browser over workbenches: the system's Chromium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from workbench import TOKEN, running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    Open = Callable[..., Page]


@pytest.fixture(autouse=True, scope="session")
def asked_for(request: pytest.FixtureRequest) -> None:
    """Unless ``-m browser`` asks for them, they are counted as not run."""
    if "browser" not in request.config.option.markexpr:
        pytest.skip("needs a browser: .ci/browser runs it")


def chromium() -> str:
    """Chromium's path: ``$CHROMIUM``, or the system's."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), "")
    assert found, "no Chromium: install it, or set CHROMIUM to its path"
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Browser, shared_cache: None) -> Iterator[Open]:
    """Opens a page of a workbench over a game, in a browser of its own unless told otherwise.

    What no page may do fails the test: an error in a script, a request to elsewhere, an alert.
    """
    wrong: list[str] = []
    with ExitStack() as stack:
        addresses: dict[Path, str] = {}

        def opened(
            folder: Path,
            path: str,
            *,
            width: int = 1366,
            height: int = 768,
            language: str = "en",
            scheme: str = "light",
        ) -> Page:
            if folder not in addresses:
                host, port = stack.enter_context(running(folder))
                addresses[folder] = f"http://{host}:{port}"
            context = browser.new_context(
                viewport={"width": width, "height": height},
                locale=language,
                color_scheme="dark" if scheme == "dark" else "light",
                has_touch=width < 500,
                accept_downloads=True,
                reduced_motion="reduce",
            )
            stack.callback(context.close)
            page = context.new_page()
            page.goto(f"{addresses[folder]}/?token={TOKEN}", wait_until="commit")
            page.set_default_timeout(60_000)
            page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
            page.on("dialog", lambda dialog: wrong.append(f"dialog: {dialog.message}"))
            page.on(
                "console",
                lambda said: wrong.append(said.text) if "Content Security" in said.text else None,
            )
            page.on(
                "request",
                lambda asked: (
                    None
                    if asked.url.startswith((addresses[folder], "blob:"))
                    else wrong.append(f"elsewhere: {asked.url}")
                ),
            )
            page.goto(f"{addresses[folder]}{path}", wait_until="domcontentloaded")
            return page

        yield opened
    assert not wrong
