"""What strangers may not do: other sites, other devices, large bodies, slow senders."""

from __future__ import annotations

import contextlib
import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from workbench import OWN, TOKEN, opened, post, running, small

from exporter.web import guard
from exporter.web.cards_page import DATA


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the small game is."""
    folder = tmp_path_factory.mktemp("home")
    small(folder)
    return folder


@pytest.fixture(scope="module")
def client(home: Path) -> Iterator[TestClient]:
    """A workbench over the small game, asked by a page of its own."""
    with opened(home / "source_data" / "small") as found:
        yield found


def test_a_name_that_is_not_ours_is_refused(client: TestClient) -> None:
    """A stranger's name that leads to this machine, as in DNS rebinding."""
    for host in ("evil.example", "evil.example:8765", "127.0.0.1", "localhost:1", ""):
        answer = client.get("/ja/", headers={"host": host})
        assert answer.status_code == 421, host
    assert client.get("/ja/").status_code == 200


def test_pages_of_other_sites_can_neither_send_nor_read(client: TestClient) -> None:
    other = {"origin": "http://evil.example"}
    assert client.post("/api/small/table", json={"room": "table"}, headers=other).status_code == 403
    assert client.post("/api/small/table", json={"room": "table"}).status_code == 403
    assert client.get("/api/small/cards", headers=other).status_code == 403
    for site in ("cross-site", "same-site"):
        headers = {"sec-fetch-site": site}
        assert client.get("/api/small/cards", headers=headers).status_code == 403
    visit = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client.get("/ja/", headers=visit).status_code == 200


def test_every_answer_forbids_what_no_page_of_ours_needs(client: TestClient) -> None:
    for path in ("/ja/", "/static/base.js", "/nothing", "/api/small/cards", "/api/none/cards"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http:" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "set-cookie" not in headers


def test_a_body_is_refused_as_soon_as_it_is_too_large(client: TestClient) -> None:
    headers = {**OWN, "content-length": "1000000000"}
    told = client.post("/api/small/judge", content=b"{}", headers=headers)
    assert (told.status_code, told.headers["connection"]) == (413, "close")
    endless = (b" " * 1_000_000 for _ in range(3))
    assert client.post("/api/small/judge", content=endless, headers=OWN).status_code == 413


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b'{"draft":' * 20_000,
        b'{"draft": {"name": "' + b"x" * 5000 + b'"}}',
        b'{"draft": {"mounted": {"arm": [' + b'"a",' * 5000 + b'"a"]}}}',
        json.dumps({"draft": {"frame": {str(n): "x" for n in range(10_000)}}}).encode()[:200_000],
        b'{"draft": "\xff\xfe"}',
        b'{"draft": null}',
        b"NaN",
    ],
)
def test_bodies_that_no_page_sends_are_refused(client: TestClient, body: bytes) -> None:
    for address in ("judge", "fits", "suggest", "write", "table", "room", "loose", "read"):
        answer = client.post(f"/api/small/{address}", content=body, headers=OWN)
        assert 400 <= answer.status_code < 500, address


@pytest.mark.parametrize(
    "path",
    [
        *("/static/../../pyproject.toml", "/static/%2e%2e/%2e%2e/pyproject.toml"),
        *("/static//etc/passwd", "/fonts/../embryo/card.typ", "/faces/../../etc/passwd"),
        *("/faces/" + "0" * 64, "/made/x/../../etc/passwd", "/made/..%2f..%2fetc/passwd"),
        *("/api/..%2f..%2fetc/cards", "/api/small/card/..%2f..%2fgame.yaml", "/xx/small/cards"),
        *("/ja/none/cards", "/ja/small/nothing"),
        "/ja/small/cards?" + "&".join(f"a{n}=1" for n in range(10_000))[:60_000],
    ],
)
def test_paths_that_no_page_names_are_refused(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert 400 <= answer.status_code < 500
    assert b"root:" not in answer.content
    assert b"[project]" not in answer.content


def test_a_refusal_is_told_in_the_language_of_the_page_or_else_of_the_browser(
    client: TestClient,
) -> None:
    japanese = {"accept-language": "ja"}
    asked = [
        client.get("/ja/", headers={"host": "evil.example", **japanese}),
        client.get("/ja/none/cards"),
        client.get("/ja/small/nothing"),
        client.get("/ja/small/cards?" + "a" * 3000),
        client.get("/xx/small/cards", headers=japanese),
        client.get("/nothing/at/all/here", headers=japanese),
        client.get("/api/none/cards?lang=ja"),
        client.get("/faces/" + "0" * 64, headers=japanese),
        client.get("/made/x/y.zip", headers=japanese),
        client.delete("/ja/", headers=japanese),
        client.post("/ja/", headers={**OWN, **japanese}),
        client.post("/api/small/judge?lang=ja"),
        client.post("/api/small/judge?lang=ja", headers={"origin": "http://evil.example"}),
        client.post("/api/small/judge?lang=ja", headers={**OWN, "content-length": "1000000000"}),
        post(client, "/api/small/judge?lang=ja", []),
        post(client, "/api/small/table?lang=ja", {"room": "table", "mechs": {"red1": "/x"}}),
        post(client, "/api/small/loose?lang=ja", {"thing": "/x"}),
        post(client, "/api/small/open?lang=ja", {"file": "/etc/passwd"}),
    ]
    for answer in asked:
        assert 400 <= answer.status_code < 500
        assert re.search(r"[ぁ-ん]", answer.text), answer.url
        assert not re.search(r"[a-z]+ [a-z]+ [a-z]+", re.sub("（原文: .*）", "", answer.text))
    english = client.get("/en/small/nothing", headers=japanese).text
    assert english == "There is no such page.\n"


@pytest.mark.parametrize(
    "file", ["/etc/passwd", "../../../etc/passwd", "run.sh", "game.yaml/../../run.csv", "", "."]
)
def test_only_files_of_the_games_data_are_opened(
    client: TestClient, home: Path, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    started: list[object] = []
    monkeypatch.setattr("click.launch", started.append)
    monkeypatch.setattr("subprocess.Popen", lambda *words, **more: started.append(words))
    (home / "source_data" / "small" / "run.sh").write_text("exit", encoding="utf-8")
    (home / "source_data" / "run.csv").write_text("", encoding="utf-8")
    assert post(client, "/api/small/open", {"file": file}).status_code == 404
    assert not [words for words in started if "sys.path" not in str(words)]  # but our own worker
    assert not {".exe", ".bat", ".sh", ".py", ".lnk", ".html"} & set(DATA)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/begin", {"id": "mine", "of": "empty", "place": "~nobodyx/x"}),
        ("/api/begin", {"id": "mine", "of": "empty", "place": "/tmp/a\0b"}),
        ("/api/small/open", {"file": "cards/a\0b.csv"}),
        ("/api/small/open", {"file": "x" * 900}),
    ],
    ids=["no such home", "NUL in a place", "NUL in a file", "long file"],
)
def test_names_that_nothing_can_have_are_refused_in_a_sentence(
    client: TestClient, path: str, body: object
) -> None:
    answer = post(client, path, body)
    assert 400 <= answer.status_code < 500
    assert answer.text.rstrip().endswith(".")
    long = "/api/handed?name=" + "%F0%9F%98%80" * 80 + "/" + "x" * 900
    assert post(client, long, {}).status_code == 200, "handed over is whatever a file is called"


def test_pictures_are_painted_of_keys_that_were_given_out_alone(client: TestClient) -> None:
    keys = ["../../etc/passwd", "/etc/passwd", "a\0b", "0" * 64]
    assert post(client, "/api/paint", {"keys": keys}).status_code == 204


READS = {"judge": {"draft": {}}, "table": {"room": "table"}, "plan": {}, "looks": {}}
WRITES = ("open", "room", "loose", "print", "images")
WRITES_OF_NO_GAME = ("update", "begin", "folder", "handed", "picture", "verify")


@pytest.mark.slow
def test_only_who_opened_the_address_writes_and_everybody_reads(home: Path) -> None:
    """Another program on this machine can send whatever a browser sends but the cookie."""
    with opened(home / "source_data" / "small", token="") as stranger:
        pages = ("/ja/", "/ja/small/cards", "/ja/small/print", "/api/small/cards", "/ja/new")
        answers = [stranger.get(page) for page in pages]
        assert [answer.text for answer in answers if answer.status_code != 200] == []
        for path, body in READS.items():
            assert post(stranger, f"/api/small/{path}", body).status_code != 403, path
        writes = [f"small/{path}" for path in WRITES] + list(WRITES_OF_NO_GAME)
        for cookie in ("", "workbench-8765=guessed", "workbench-8765=", f"other={TOKEN}"):
            for path in writes:
                answer = post(stranger, f"/api/{path}", {}, cookie=cookie)
                assert answer.status_code == 403, path
                assert "exporter serve" in answer.text
        entered = stranger.get(f"/ja/small/cards?lang=ja&token={TOKEN}")
        assert entered.status_code == 303
        assert entered.headers["location"] == "/ja/small/cards?lang=ja"
        kept = entered.headers["set-cookie"].lower()
        assert "httponly" in kept
        assert "samesite=strict" in kept
        for path in writes:
            assert post(stranger, f"/api/{path}", {}).status_code != 403, path


def test_each_address_writes_or_is_known_to_read(client: TestClient) -> None:
    """A new address that takes a body is a write until it is listed here."""
    from starlette.routing import Route

    assert isinstance(client.app, guard.Guard)
    taking = {
        route.path.removeprefix("/api/").removeprefix("{game}/")
        for route in client.app.app.routes  # type: ignore[attr-defined]
        if isinstance(route, Route) and "POST" in (route.methods or ())
    }
    others = {"fits", "suggest", "fill", "damage", "sheet", "write", "drafts", "read", "chances"}
    assert taking == {*READS, *others, "paint", *WRITES, *WRITES_OF_NO_GAME}


def test_other_devices_look_and_construct_only(tmp_path: Path) -> None:
    game = small(tmp_path)
    headers = {"origin": "http://192.0.2.7:8765"}
    with opened(game, client="192.0.2.9", host="192.0.2.7:8765") as phone:
        assert phone.get("/ja/").status_code == 200
        assert phone.get("/api/small/cards").status_code == 200
        assert phone.get("/ja/small/cards").status_code == 200
        for path in ("/api/small/open", "/api/small/room", "/api/small/images", "/api/folder"):
            assert phone.post(path, json={}, headers=headers).status_code == 403, path
        assert phone.get("/made/a/b.zip").status_code == 403
    with opened(game, host="192.0.2.7:8765") as itself:
        assert itself.post("/api/small/room", json={}, headers=headers).status_code == 400


@pytest.fixture
def address(tmp_path: Path) -> Iterator[tuple[str, int]]:
    """A workbench that really listens."""
    with running(small(tmp_path)) as place:
        yield place


def said(place: tuple[str, int], *parts: bytes) -> bytes:
    """All that comes back of what is sent."""
    found = b""
    with socket.create_connection(place, 5) as connection:
        for part in parts:
            connection.sendall(part)
        with contextlib.suppress(ConnectionResetError):
            while chunk := connection.recv(65536):
                found += chunk
    return found


@pytest.mark.slow
def test_who_says_nothing_locks_nobody_out(address: tuple[str, int]) -> None:
    whole = b"GET /ja/ HTTP/1.1\r\nhost: 127.0.0.1:%d\r\nconnection: close\r\n\r\n" % address[1]
    with contextlib.ExitStack() as stack:
        for _ in range(300):
            stack.enter_context(socket.create_connection(address, 5))
        for _ in range(3):
            assert said(address, whole).startswith(b"HTTP/1.1 200")


def test_what_is_no_http_is_refused(address: tuple[str, int]) -> None:
    assert said(address, b"\x16\x03\x01\x02\x00\x01\r\n\r\n").startswith(b"HTTP/1.1 400")
    assert b"HTTP/1.1 2" not in said(address, b"GET / HTTP/1.1\r\na: " + b"x" * 200_000)
