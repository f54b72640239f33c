"""A workbench over the small game, asked as a browser on the same machine asks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from small_game import write_small_game
from starlette.testclient import TestClient

from exporter.web.application import listening, server, workbench

HOST = "127.0.0.1:8765"
OWN = {"origin": f"http://{HOST}", "sec-fetch-site": "same-origin"}


TOKEN = "who-opened-it"


@contextmanager
def opened(
    *folders: Path,
    find: Callable[[], Iterable[Path]] | None = None,
    client: str = "127.0.0.1",
    host: str = HOST,
    token: str = TOKEN,
) -> Iterator[TestClient]:
    """A client of a workbench over games in some folders, which was opened by its address."""
    found_by = find or (lambda: folders)
    app, _sessions = workbench(found_by, [HOST, "192.0.2.7:8765"], TOKEN, "http://192.0.2.7:8765/")
    with TestClient(
        app, base_url=f"http://{host}", client=(client, 5000), follow_redirects=False
    ) as found:
        if token:
            found.cookies.set("workbench-8765", token)
        yield found


def small(folder: Path) -> Path:
    """The small game, written to a folder; where its data are."""
    write_small_game(folder)
    return folder / "source_data" / "small"


def with_sheet(folder: Path) -> None:
    """A sheet of all cards in the small game."""
    (folder / "sheets").mkdir()
    head = "id: cards\nname: {ja: カード, en: Cards}\nlay: cards\n"
    text = f"{head}cards: {{kind: weapon, copies: copies}}\n"
    (folder / "sheets/cards.yaml").write_text(text, encoding="utf-8")


def post(client: TestClient, path: str, body: object, **headers: str) -> Any:
    """The answer to what a page of ours sends."""
    return client.post(path, json=body, headers={**OWN, **headers})


@contextmanager
def running(*folders: Path) -> Iterator[tuple[str, int]]:
    """A workbench that really listens, and where it does."""
    sock = listening(0)
    found = server(lambda: folders, sock, TOKEN)
    thread = threading.Thread(target=found.run, kwargs={"sockets": [sock]})
    thread.start()
    try:
        yield sock.getsockname()
    finally:
        found.should_exit = True
        thread.join(10)
    assert not thread.is_alive()
