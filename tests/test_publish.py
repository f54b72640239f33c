"""The page that ``publish`` makes: what it says, and that everything it leads to is there."""

from __future__ import annotations

import zipfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from PIL import Image
from small_game import GAME, change, write_sheets, write_small_game

from exporter.app.publish import publish
from exporter.core.problems import InvalidSource

EMPTY = ("meta", "img", "br", "link", "input", "hr")
FACTS = """players: [1, 2]
needed: {ja: 製品版, en: The boxed game}
price: {ja: "2,000円", en: 2000 yen & postage}
age: 8
minutes: [20, 120]
notice: {ja: 非公式です。, en: <b>Unofficial.</b>}
"""


class Html(HTMLParser):
    """Reads a page: its elements and what they lead to; elements that do not close are a fault."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []
        self.text = page.read_text("utf-8")
        self.feed(self.text)
        assert not self.open, page

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        values = dict(attrs)
        assert tag != "img" or "alt" in values
        assert not any(name.startswith("on") for name in values)
        self.links += [values[name] or "" for name in ("href", "src") if name in values]
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, (tag, self.getpos())


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared_cache: None) -> Path:
    """The small game where it is worked on, with a sheet and all that a page says."""
    write_small_game(tmp_path)
    monkeypatch.chdir(tmp_path)
    change(tmp_path / GAME / "game.yaml", "players: [1, 2]\n", FACTS)
    write_sheets(tmp_path, cards="lay: cards\ncards: {kind: weapon}\n")
    return tmp_path


def test_every_link_of_both_pages_leads_to_a_file_and_nothing_needs_a_script(small: Path) -> None:
    publish("small", small / "site", with_index=True)
    for name in ("index.html", "en.html"):
        for page in (small / "site" / name, small / "site/small" / name):
            html = Html(page)
            assert "script" not in html.tags
            there = [one for one in html.links if one != "https://udonarium.app/"]
            assert all((page.parent / unquote(one)).is_file() for one in there), there
    links = [unquote(one) for one in html.links]
    assert {"rooms/table.zip", "rooms/box.zip", "sheets/cards.pdf", "../en.html"} <= {*links}
    assert any(one.startswith("pictures/") for one in links)
    assert zipfile.is_zipfile(small / "site/small/rooms/table.zip")


IN_JAPANESE = [
    *("小さなゲーム", "製品版", "2,000円", "8歳以上"),
    *("20～120分", "非公式です。", ">1人用<", ">1～2人用<"),
]
IN_ENGLISH = [
    *("Small", "The boxed game", "2000 yen &amp; postage", "8 and up"),
    *("20–120 minutes", "&lt;b&gt;Unofficial", "for 1 player<"),
]


def test_a_page_says_what_the_game_says_of_itself(small: Path) -> None:
    publish("small", small / "site")
    pages = (("index.html", "ja", IN_JAPANESE), ("en.html", "en", IN_ENGLISH))
    for name, language, texts in pages:
        text = (small / "site/small" / name).read_text("utf-8")
        assert f'<html lang="{language}">' in text
        assert [one for one in texts if one not in text] == []
    assert not (small / "site/index.html").exists(), "only --all lists games"


def test_a_page_says_what_the_latest_version_changed(small: Path) -> None:
    folder = small / GAME / "changes"
    folder.mkdir()
    for day, line in (("2026-01-31", "old"), ("2026-02-28", "<b>new</b>")):
        text = f"id: '{day}'\nversion: '{day}'\nja: [{line} ja]\nen: [{line} en]\n"
        (folder / f"{day}.yaml").write_text(text, encoding="utf-8")
    publish("small", small / "site")
    for name, title, language in (("index.html", "変更点", "ja"), ("en.html", "Changes", "en")):
        page = Html(small / "site/small" / name).text
        assert f"<h2>{title}</h2>" in page
        assert f"<li>&lt;b&gt;new&lt;/b&gt; {language}</li>" in page
        assert "old" not in page


def test_the_picture_of_a_room_shows_its_table(small: Path) -> None:
    publish("small", small / "site")
    with Image.open(small / "site/small/views/table.webp") as view:
        assert len(view.convert("RGB").getcolors(view.width * view.height) or ()) > 2
        assert view.width <= 960


@pytest.mark.slow
def test_the_same_data_give_the_same_page(small: Path) -> None:
    for folder in ("one", "two"):
        publish("small", small / folder)
    one, two = (
        {path.relative_to(small / name): path.read_bytes() for path in files}
        for name in ("one", "two")
        for files in [[path for path in (small / name).rglob("*") if path.is_file()]]
    )
    assert one == two


def test_of_a_faulty_game_nothing_is_written_and_every_fault_is_named_once(small: Path) -> None:
    change(small / GAME / "game.yaml", "age: 8", "age: young")
    with pytest.raises(InvalidSource) as refused:
        publish("small", small / "site")
    assert len(refused.value.problems) == 1
    assert not (small / "site").exists()
