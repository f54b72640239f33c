"""The workbench as a browser meets it: pages, cards that change, rooms, zips, builds."""

from __future__ import annotations

import io
import json
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import output_of
from fontTools.ttLib import TTFont
from PIL import Image
from small_game import change
from starlette.testclient import TestClient
from workbench import OWN, opened, post, small, with_sheet

import exporter
from exporter.core.messages import words
from exporter.faces.icons import find_icon

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "templates" / "web" / "static"

BUILD = {"name": "Mine", "frame": {"size": "S"}, "mounted": {"arm": ["Laser", "Sword"]}}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared_cache: None) -> Path:
    """The small game where it is worked on, with its templates beside it."""
    game = small(tmp_path)
    monkeypatch.chdir(tmp_path)
    return game


@pytest.fixture
def client(folder: Path) -> Iterator[TestClient]:
    """A page of a workbench over the small game."""
    with opened(folder) as found:
        yield found


def cards(client: TestClient) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/small/cards?lang=en").json()
    return found


def card(client: TestClient, name: str) -> dict[str, Any]:
    return next(one for one in cards(client)["list"] if one["id"] == name)


def lines(answer: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in answer.text.splitlines()]


def test_the_first_page_speaks_the_browsers_language(client: TestClient) -> None:
    for said, language in (("ja,en;q=0.8", "ja"), ("en-GB,ja;q=0.5", "en"), ("fr", "en")):
        answer = client.get("/", headers={"accept-language": said})
        assert answer.headers["location"] == f"/{language}/"
    assert 'href="/en/"' in client.get("/ja/").text
    assert 'href="/ja/small/cards"' in client.get("/en/small/cards").text


def test_every_page_has_its_words_in_both_languages() -> None:
    known = {language: words("workbench", language) for language in ("ja", "en")}
    assert known["ja"].keys() == known["en"].keys()
    scripts = "".join(path.read_text(encoding="utf-8") for path in STATIC.glob("*.js"))
    pages = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "templates" / "web").glob("*.j2")
    )
    said = set(re.findall(r'\bword\("([\w-]+)"', scripts)) | set(re.findall(r"words\.(\w+)", pages))
    assert len(said) > 50
    assert said <= known["en"].keys()
    for key, english in known["en"].items():
        blanks, theirs = (re.findall(r"\{(\w+)[:}]", text) for text in (english, known["ja"][key]))
        assert sorted(blanks) == sorted(theirs), key


def test_nothing_of_a_page_comes_from_elsewhere_or_stands_inline() -> None:
    for path in (ROOT / "templates" / "web").rglob("*"):
        if path.suffix in (".j2", ".js", ".css"):
            text = path.read_text(encoding="utf-8")
            assert not re.findall(r"https?://(?!www\.w3\.org)", text), path.name
            assert "innerHTML" not in text, path.name
            assert not re.search(
                r"\son\w+=\"|style=\"|<style|<script(?! type=\"module\" src)", text
            )


def test_a_card_shows_where_it_is_written_and_in_which_decks(client: TestClient) -> None:
    laser = card(client, "W1")
    assert laser["place"].endswith("weapons.csv:2")
    assert laser["decks"] == ["AA"]
    assert laser["fields"]["text"] == "もやす"
    face = client.get(f"/faces/{laser['front']}")
    assert face.headers["content-type"] in ("image/webp", "image/png")
    assert "immutable" in face.headers["cache-control"]
    heading = client.get("/api/small/card/W1?lang=en").json()["heading"]
    assert heading.startswith("W1 Laser")


def renewed(client: TestClient, before: int) -> None:
    """Wait until a saved file was seen."""
    for _ in range(100):
        if client.get("/api/small/head?lang=en").json()["stamp"] > before:
            return
        time.sleep(0.05)
    raise AssertionError("the saved file was not seen")


def test_a_saved_cell_changes_the_face_of_its_card(client: TestClient, folder: Path) -> None:
    before = cards(client)
    change(folder / "cards" / "weapons.csv", "もやす", "こがす")
    renewed(client, before["stamp"])
    after = cards(client)
    faces = [{one["id"]: one["front"] for one in found["list"]} for found in (before, after)]
    assert faces[0]["W1"] != faces[1]["W1"]  # others too, if sizes of texts became known meanwhile


@pytest.mark.slow
def test_a_game_that_comes_later_is_noticed(tmp_path: Path) -> None:
    game = small(tmp_path / "first")
    later = tmp_path / "later"
    with opened(find=lambda: [game, later] if later.exists() else [game]) as client:
        assert client.get("/api/later/head").status_code == 404
        shutil.copytree(game, tmp_path / "copy")
        (tmp_path / "copy").rename(later)
        for _ in range(100):
            if client.get("/api/later/head").is_success:
                break
            time.sleep(0.05)
        assert client.get("/api/later/head").json()["cards"]


@pytest.mark.slow
def test_templates_that_come_later_are_noticed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "templates").rename(tmp_path / "elsewhere")
    with opened(folder) as client:
        before = client.get("/api/small/head").json()["stamp"]
        (tmp_path / "elsewhere").rename(tmp_path / "templates")
        renewed(client, before)
        assert client.get(f"/faces/{card(client, 'W1')['front']}").is_success


@pytest.mark.slow
def test_a_fault_stands_at_its_card_and_goes_when_it_is_mended(
    client: TestClient, folder: Path
) -> None:
    before = cards(client)
    assert not before["problems"]
    change(folder / "cards" / "weapons.csv", "W2,Sword,きる,1", "W2,Sword,きる,one")
    renewed(client, before["stamp"])
    wrong = cards(client)
    (problem,) = [one for one in wrong["problems"] if one["severity"] == "error"]
    assert problem["place"].endswith("weapons.csv:3:13")
    assert "one" in problem["message"]
    change(folder / "cards" / "weapons.csv", "W2,Sword,きる,one", "W2,Sword,きる,1")
    renewed(client, wrong["stamp"])
    assert not cards(client)["problems"]


def test_fonts_of_pages_are_the_shipped_ones(client: TestClient) -> None:
    sheet = client.get("/static/workbench.css").text
    addresses = re.findall(r"/fonts/[\w-]+\.ttf", sheet)
    assert len(addresses) == 2
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200
        letters = TTFont(io.BytesIO(answer.content)).getBestCmap()
        assert {ord(letter) for letter in "もやすLaser合法鬱"} <= letters.keys()


@pytest.mark.parametrize(
    ("word", "found"), [("castle", "rpg:castle-flag"), ("船", "mdi:sail-boat")]
)
def test_icons_are_found_by_a_word_and_shown(client: TestClient, word: str, found: str) -> None:
    shown = client.get("/en/icons", params={"word": word}).text
    assert f'value="{found}" title="Copy"' in shown
    assert find_icon(found) in shown
    fonts = re.findall(r"/icons/[\w/-]+\.ttf", client.get("/static/workbench.css").text)
    letters = [TTFont(io.BytesIO(client.get(font).content)).getBestCmap() for font in fonts]
    assert any(ord(find_icon(found)) in some for some in letters)


def test_a_game_that_cannot_be_read_is_shown_with_its_faults(
    client: TestClient, folder: Path
) -> None:
    before = cards(client)
    change(folder / "game.yaml", "id: small", "id: [")
    renewed(client, before["stamp"])
    answer = client.get("/api/small/cards?lang=en")
    assert answer.status_code == 422
    assert answer.json()["problems"][0]["file"].endswith("game.yaml")
    assert client.get("/en/small/cards").status_code == 200


def test_the_table_shows_each_piece_where_the_plan_has_it(client: TestClient) -> None:
    found = post(client, "/api/small/table?lang=en", {"room": "table"}).json()
    room = exporter.plan_rooms("source_data/small", exporter.RoomOrder(rooms=("table",)))["table"]
    lying = [(one["name"], one["x"], one["y"]) for one in found["things"]]
    assert [(p.name, p.x, p.y) for p in room.pieces] == lying[-len(room.pieces) :]
    assert len(lying) == len(room.pieces) + len(room.tables[0].objects)
    assert found["command"] == "exporter build small --room table"
    assert all(client.get(f"/faces/{one['picture']}").is_success for one in found["things"][-2:-1])


@pytest.mark.slow
@pytest.mark.parametrize("what", ["mech", "build", "picture"])
def test_the_zip_of_a_room_is_the_command_lines(
    client: TestClient, tmp_path: Path, what: str
) -> None:
    (tmp_path / "mine.yaml").write_text(
        post(client, "/api/small/write", {"draft": BUILD}).json()["text"], encoding="utf-8"
    )
    Image.new("RGB", (30, 50), "green").save("chara.png")
    picture = handed(client, "chara.png", Path("chara.png").read_bytes()).json()
    asked: dict[str, tuple[dict[str, object], str]] = {
        "mech": ({"mechs": {"red1": "AA:kai"}}, "--mech red1=AA:kai"),
        "build": ({"mechs": {"red1": BUILD}}, "--mech red1=mine.yaml"),
        "picture": ({"pictures": {"red1": picture}}, "--picture red1=chara.png"),
    }
    wish, words = {"room": "table", "shuffle": "friday"} | asked[what][0], asked[what][1]
    table = post(client, "/api/small/table?lang=en", wish).json()
    usual = post(client, "/api/small/table?lang=en", {"room": "table"}).json()
    assert table["things"] != usual["things"]
    assert table["seats"].get("red1", {"legal": True})["legal"] is True
    *told, last = lines(post(client, "/api/small/room?lang=en", wish))
    assert all(one["done"] <= one["total"] for one in told)
    (made,) = last["made"]["files"]
    assert made["verified"] == []
    ours = client.get(f"/made/{made['address']}")
    assert 'filename="table.zip"' in ours.headers["content-disposition"]
    words = f"build small --room table {words} --shuffle friday"
    output_of(*words.split(), "--out", "theirs")
    assert ours.content == (tmp_path / "theirs/small/table.zip").read_bytes()
    assert what == "build" or {*words.split()} == {*table["command"].split()[1:]}


def handed(client: TestClient, name: str, data: bytes) -> Any:
    return client.post(f"/api/picture?lang=en&name={name}", content=data, headers=OWN)


def test_what_is_no_picture_is_told_by_its_name(client: TestClient) -> None:
    answer = handed(client, "../chara.png", b"no picture")
    assert answer.status_code == 422
    assert [one["place"] for one in answer.json()["problems"]] == ["chara.png"]


def test_a_picture_that_was_forgotten_is_asked_for(client: TestClient) -> None:
    wish = {"room": "table", "pictures": {"red1": {"key": "gone.png", "name": "gone.png"}}}
    answer = post(client, "/api/small/table?lang=en", wish)
    assert (answer.status_code, answer.json()) == (409, {"missing": ["gone.png"]})
    assert post(client, "/api/small/room?lang=en", wish).status_code == 409


def test_a_build_and_its_picture_are_dropped_together(client: TestClient) -> None:
    text = "name: Mine\nframe: {size: S}\nmounted: {arm: [Laser]}\npicture: chara.png\n"
    alone = post(client, "/api/small/read?lang=en", {"text": text}).json()
    assert "chara.png" in alone["problems"][0]["message"]
    wish = {"text": text, "beside": ["chara.png", "..", "a/b\0", "x" * 199]}
    found = post(client, "/api/small/read?lang=en", wish).json()
    assert (found["problems"], found["drafts"][0]["picture"]) == ([], "chara.png")
    written = post(client, "/api/small/write", {"draft": found["drafts"][0]}).json()["text"]
    assert written.splitlines()[-1] == "picture: chara.png"


def test_boards_are_turned_and_laid_below_one_another(client: TestClient) -> None:
    (room,) = (
        one
        for one in client.get("/api/small/rooms?lang=en").json()["rooms"]
        if one["id"] == "table"
    )
    assert [seat["pawn"] for seat in room["seats"]] == [True]
    (board,) = client.get("/api/small/rooms?lang=en").json()["boards"]
    assert board["turns"] == ["90", "180", "270"]
    wish = {"room": "table", "boards": ["field@90", "field", "/field@180"]}
    found = post(client, "/api/small/table?lang=en", wish).json()
    assert found["command"].endswith("--board field@90+field/field@180")
    order = exporter.RoomOrder(rooms=("table",), boards=tuple(wish["boards"]))
    table = exporter.plan_rooms("source_data/small", order)["table"].tables[0]
    assert len(found["things"]) > len(table.objects) > 3


@pytest.mark.slow
def test_a_wish_that_nobody_can_fulfil_is_told_as_problems(client: TestClient) -> None:
    wish = {"room": "tabel", "boxes": ["more"]}
    answer = post(client, "/api/small/table?lang=en", wish)
    assert answer.status_code == 422
    assert {one["rule"] for one in answer.json()["problems"]} == {"ROOM", "BOXES"}
    assert {one["rule"] for one in lines(post(client, "/api/small/room", wish))[-1]["problems"]}


def test_a_folder_is_the_game_itself_whatever_other_games_are_called(
    folder: Path, tmp_path: Path
) -> None:
    mine = shutil.copytree(folder, tmp_path / "small")
    change(mine / "cards" / "weapons.csv", "Laser,もやす", "Laser,こがす")
    with opened(Path("small")) as client:
        assert card(client, "W1")["fields"]["text"] == "こがす"
        command = post(client, "/api/small/table", {"room": "table"}).json()["command"]
    assert command == f"exporter build {mine} --room table"


@pytest.mark.slow
def test_one_thing_is_made_to_drop_into_a_running_room(client: TestClient) -> None:
    for thing in ("AA:kai", "W1", BUILD):
        last = lines(post(client, "/api/small/loose?lang=en", {"thing": thing}))[-1]
        assert last["made"]["files"][0]["verified"] == []


@pytest.mark.parametrize("file", ["mine.yaml", "/etc/hosts.csv", "deck.txt", "C:\\x.yaml"])
def test_no_page_names_a_file_of_this_machine(client: TestClient, file: str) -> None:
    assert post(client, "/api/small/loose", {"thing": file}).status_code == 400
    for address in ("table", "room"):
        wish = {"room": "table", "mechs": {"red1": file}}
        assert post(client, f"/api/small/{address}", wish).status_code == 400
    for address in ("plan", "print", "looks"):
        assert post(client, f"/api/small/{address}", {"mechs": [file]}).status_code == 400


@pytest.mark.slow
def test_a_sheet_is_planned_shown_and_saved_as_the_command_line_saves_it(
    client: TestClient, folder: Path, tmp_path: Path
) -> None:
    with_sheet(folder)
    assert [one["id"] for one in client.get("/api/small/sheets").json()["sheets"]] == ["cards"]
    wish = {"sheets": ["cards"], "backs": "none", "gap": 2, "boxes": ["base"]}
    planned = post(client, "/api/small/plan?lang=en", wish).json()
    (page,) = planned["files"][0]["pages"]
    assert [one["place"].rpartition("/")[2] for one in page["spots"]] == [
        "weapons.csv:2",
        "weapons.csv:2",
        "weapons.csv:3",
    ]
    words = "print small --sheet cards --backs none --gap 2 --boxes base"
    last = lines(post(client, "/api/small/print?lang=en", wish))[-1]
    (made,) = last["made"]["files"]
    program = [sys.executable, "-m", "exporter", *words.split(), "--out", "theirs"]
    subprocess.run(program, check=True, capture_output=True)
    theirs = (tmp_path / "theirs" / "small" / "cards.pdf").read_bytes()
    assert client.get(f"/made/{made['address']}").content == theirs
    assert client.get(f"/pages/{made['address']}/1").content.startswith(b"\x89PNG")
    assert client.get(f"/pages/{made['address']}/2").status_code == 404
    assert post(client, "/api/small/looks", wish).json()["read"] == 2


@pytest.mark.parametrize(
    ("language", "said", "hint"),
    [
        ("ja", "「印刷するデッキ・種類・カード」", "「カードの間隔（mm）」6 か"),
        ("en", "“Only these decks, kinds or cards”", "“Gap, mm” 6"),
    ],
)
def test_a_page_names_its_own_fields_and_no_option_of_a_command(
    client: TestClient, folder: Path, language: str, said: str, hint: str
) -> None:
    with_sheet(folder)
    page = "id: page\nname: {ja: 調整, en: Page}\nlay: document\ndocument: calibration\n"
    (folder / "sheets" / "page.yaml").write_text(page, encoding="utf-8")
    wide = post(client, f"/api/small/plan?lang={language}", {"bleed": 3, "gap": 0}).json()
    assert hint in wide["problems"][0]["hint"]
    some = post(client, f"/api/small/plan?lang={language}", {"only": ["W1"]}).json()
    assert said in some["remarks"][0]
    assert "--" not in f"{wide['problems']} {some['remarks']}"


@pytest.mark.slow
def test_a_zip_is_looked_into_whoever_made_it(client: TestClient) -> None:
    last = lines(post(client, "/api/small/room", {"room": "table"}))[-1]
    data = client.get(f"/made/{last['made']['files'][0]['address']}").content
    found = client.post("/api/verify?lang=en&name=my room.zip", content=data, headers=OWN).json()
    assert (found["name"], found["problems"]) == ("my room.zip", [])
    assert (found["counts"]["table"], found["counts"]["card"]) == (1, 7)
    lying = [(one["kind"], one["name"]) for one in found["things"]]
    table = post(client, "/api/small/table", {"room": "table"}).json()
    assert lying == [(one["kind"], one["name"]) for one in table["things"]]
    pictures = {one["picture"] for one in found["things"] if one.get("picture")}
    shown = [client.get(picture) for picture in pictures]
    assert {one.headers["content-type"] for one in shown} <= {"image/webp", "image/png"}
    assert all(one.is_success for one in shown)


@pytest.mark.slow
def test_a_saved_room_is_brought_to_the_data_of_its_game(client: TestClient, folder: Path) -> None:
    last = lines(post(client, "/api/small/room", {"room": "table"}))[-1]
    saved = client.get(f"/made/{last['made']['files'][0]['address']}").content
    address = "/api/update?lang=en&name=saved.zip&game=small"
    same = client.post(address, content=saved, headers=OWN).json()
    assert same == {"lines": [], "name": "saved_updated.zip", "address": ""}
    change(folder / "cards" / "weapons.csv", "W2,Sword,きる", "W2,Sword,つく")
    found = client.post(address, content=saved, headers=OWN).json()
    assert "~ card Sword: 効果 きる → つく ×2" in found["lines"]
    new = client.get(f"/made/{found['address']}").content
    assert client.post(address, content=new, headers=OWN).json() == same
    refused = client.post(address, content=b"PK", headers=OWN)
    assert refused.status_code == 422
    assert refused.json()["problems"]


@pytest.mark.parametrize("data", [b"", b"PK", b"no zip", b"PK\x03\x04" + bytes(900)])
def test_what_is_no_zip_is_told_so(client: TestClient, data: bytes) -> None:
    found = client.post("/api/verify?lang=en&name=../../x", content=data, headers=OWN).json()
    assert found["problems"]
    assert "things" not in found
    assert found["name"] == "x.zip"


@pytest.mark.slow
def test_free_slots_are_filled_with_more_of_what_is_mounted(shared_cache: None) -> None:
    with opened(ROOT / "source_data" / "embryo_machine") as client:
        parts = client.get("/api/embryo_machine/parts?lang=en").json()
        (printed,) = [one["draft"] for one in parts["printed"] if one["code"] == "AG:basic"]
        draft = {**printed, "mounted": {**printed["mounted"], "頭": []}}
        found = post(client, "/api/embryo_machine/fill?lang=en", {"draft": draft}).json()
        (way,) = found["ways"]
        (step,) = way["changes"]
        assert step.endswith(" to head")
        judged = post(client, "/api/embryo_machine/judge", {"draft": way["after"]}).json()
        assert judged["legal"]
        again = post(client, "/api/embryo_machine/fill", {"draft": way["after"]}).json()
        assert again["ways"] == []
        lines = post(client, "/api/embryo_machine/damage", {"drafts": [draft, printed]}).json()
        assert max(lines["damage"][0]["sums"][1]) > 0


@pytest.fixture
def duel(shared_cache: None) -> Iterator[TestClient]:
    """A page of a workbench over a game to which players bring decks."""
    with opened(ROOT / "docs" / "examples" / "duel60") as found:
        yield found


@pytest.mark.slow
def test_a_deck_is_judged_at_its_cards_and_its_chances_are_told(duel: TestClient) -> None:
    pool = duel.get("/api/duel60/pool?lang=en").json()
    assert [kind["id"] for kind in pool["deck_kinds"]] == ["main", "side"]
    assert "T01" in pool["others"]
    draft = {"name": "D", "decks": {"main": {"A01": 8, "A02": 52}, "side": {}}}
    judged = post(duel, "/api/duel60/judge?lang=en", {"draft": draft}).json()
    assert judged["legal"] is False
    assert {one["cell"] for one in judged["problems"]} == {"decks.main.A01", "decks.main.A02"}
    asked = {"draft": draft, "deck": "main", "hand": 1, "turn": 1}
    found = post(duel, "/api/duel60/chances", asked).json()
    assert found["odds"][0]["by_turn"][0] == round(8 / 60, 4)
    suggested = post(duel, "/api/duel60/suggest?lang=en", {"draft": draft}).json()
    after = [way["after"] for way in suggested["ways"]]
    assert all(post(duel, "/api/duel60/judge", {"draft": one}).json()["legal"] for one in after)


def test_a_plain_list_of_cards_is_read_as_a_deck(duel: TestClient) -> None:
    text = (ROOT / "docs" / "examples" / "duel60" / "players" / "good.txt").read_text("utf-8")
    found = post(duel, "/api/duel60/read?lang=en", {"text": text, "name": "deck.txt"}).json()
    (draft,) = found["drafts"]
    assert sum(draft["decks"]["main"].values()) == 60
    line = post(duel, "/api/duel60/write", {"draft": draft}).json()["line"]
    again = post(duel, "/api/duel60/read", {"text": line}).json()["drafts"]
    assert [one["decks"] for one in again] == [draft["decks"]]


def hand(client: TestClient, name: str, data: bytes, **words: str) -> str:
    """Hand a file over; the tray that it is in."""
    given = {"name": name, "sort": "pictures", **words}
    answer = client.post("/api/handed", params=given, content=data, headers=OWN)
    return str(answer.json()["to"])


def picture() -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (63, 88), "#336699").save(stream, "PNG")
    return stream.getvalue()


@pytest.mark.slow
def test_a_game_is_begun_from_finished_pictures(client: TestClient, tmp_path: Path) -> None:
    to = hand(client, "faces/Dragon x3.png", picture())
    hand(client, "faces/back.png", picture(), to=to)
    wish = {"id": "faces", "name": "Faces", "of": "pictures", "handed": to, "players": [1, 3]}
    begun = post(client, "/api/begin?lang=en", wish).json()
    assert begun["folder"] == str(tmp_path / "source_data" / "faces")
    found = client.get(f"/api/{begun['game']}/cards").json()
    assert [one["name"] for one in found["list"]] == ["Dragon"]
    assert found["players"] == [1, 3]


@pytest.mark.parametrize("of", [{"of": "game", "like": "small"}, {"of": "empty", "board": "hex"}])
@pytest.mark.slow
def test_a_game_is_begun_like_another_or_small(
    client: TestClient, tmp_path: Path, of: dict[str, str]
) -> None:
    place = tmp_path / "elsewhere"
    wish = {"id": "mine", "name": "私のゲーム", "place": str(place), **of}
    begun = post(client, "/api/begin?lang=en", wish).json()
    assert sorted(begun["files"]) == sorted(
        path.relative_to(place / "mine").as_posix()
        for path in (place / "mine").rglob("*")
        if path.is_file()
    )
    found = client.get("/api/mine/cards?lang=en").json()
    assert found["name"] == "私のゲーム"
    assert not found["problems"]
    again = post(client, "/api/begin?lang=en", wish)
    assert (again.status_code, again.json()["problems"][0]["rule"]) == (422, "NEW")


@pytest.mark.slow
def test_a_newer_table_replaces_that_of_a_game_that_is_there(
    client: TestClient, tmp_path: Path
) -> None:
    table, told = "名前,効果,枚数\n火の矢,3ダメージ。,3\n盾,1減らす。,2\n", []
    for text in (table, table.replace("3ダメージ", "4ダメージ")):
        to = hand(client, "竜.csv", text.encode(), sort="table")
        wish = {"id": "dragons", "name": "竜", "of": "table", "handed": to}
        told.append(post(client, "/api/begin?lang=en", wish).json())
    assert [one["replaced"] for one in told] == [False, True]
    assert "1 card changed: 火の矢 (効果)" in told[1]["report"][0]
    assert "4ダメージ" in (tmp_path / "source_data/dragons/cards/竜.csv").read_text("utf-8")
    other = {**wish, "of": "empty"}
    (problem,) = post(client, "/api/begin?lang=en", other).json()["problems"]
    assert problem["message"] == "Something with this name exists already."
    assert "--in" not in problem["hint"]


def test_the_name_of_a_folder_that_cannot_be_is_told_as_such(client: TestClient) -> None:
    wish = {"id": "a:b", "name": "妖怪夜市", "of": "empty"}
    (problem,) = post(client, "/api/begin?lang=ja", wish).json()["problems"]
    assert problem["message"] == "「a:b」はフォルダ名に使えません。"


@pytest.mark.parametrize("name", ["../evil", "..", "a/b", "", "C:\\x", "."])
def test_a_new_game_goes_nowhere_else(client: TestClient, tmp_path: Path, name: str) -> None:
    before = {path for path in tmp_path.rglob("*") if "cache" not in str(path)}
    answer = post(client, "/api/begin?lang=en", {"id": name, "of": "empty"})
    assert answer.status_code == 422
    assert {path for path in tmp_path.rglob("*") if "cache" not in str(path)} == before


def test_what_is_handed_over_stays_in_its_tray(client: TestClient, tmp_path: Path) -> None:
    for name in ("../../../x.csv", "/etc/x.csv", "a\\..\\x.csv", "..", "con:x.csv"):
        to = hand(client, name, b"x", sort="table")
        wish = {"id": "mine", "of": "table", "handed": to}
        assert post(client, "/api/begin", wish).status_code == 422
    assert not list(tmp_path.rglob("x.csv"))
    for wish in ({"handed": "nothing"}, {"handed": hand(client, "a.png", b"")}):
        answer = post(client, "/api/begin", {"id": "mine", "of": "table", **wish})
        assert answer.status_code in (400, 404)


def test_a_file_of_builds_is_read_as_the_command_line_reads_it(client: TestClient) -> None:
    text = post(client, "/api/small/write", {"draft": BUILD}).json()["text"]
    found = post(client, "/api/small/read?lang=en", {"text": text, "name": "mine.yaml"}).json()
    (draft,) = found["drafts"]
    assert {key: draft[key] for key in BUILD} == BUILD
    wrong = text.replace("Laser", "Lasre")
    found = post(client, "/api/small/read?lang=en", {"text": wrong, "name": "mine.yaml"}).json()
    assert found["problems"][0]["place"].startswith("mine.yaml:")
    assert found["drafts"]


NASTY = [
    "<script>alert(1)</script>",
    "a: b # c",
    "'\"{[,",
    "名\n前",
    "- x",
    "",
    "2026-01-31",
    "\u202e",
]


@pytest.mark.parametrize("name", NASTY)
def test_whatever_a_build_is_called_its_text_is_read_back(client: TestClient, name: str) -> None:
    draft = {**BUILD, "name": name}
    text = post(client, "/api/small/write", {"draft": draft}).json()["text"]
    found = post(client, "/api/small/read", {"text": text, "name": "b.yaml"}).json()
    assert found["drafts"][0]["mounted"] == BUILD["mounted"]


def test_a_folder_is_opened_that_somebody_names_and_holds_a_game(
    client: TestClient, tmp_path: Path
) -> None:
    other = small(tmp_path / "elsewhere")
    for path in (str(other), f'"{other}"', str(other / "game.yaml")):
        assert post(client, "/api/folder", {"path": path}).json()["game"] == "small-2"
    assert client.get("/api/small-2/cards").json()["list"]
    for path in (
        "",
        ".",
        "small",
        "source_data/small",
        str(tmp_path),
        "\0",
        "~no_such_user/x",
        "/" + "x" * 900,
    ):
        answer = post(client, "/api/folder", {"path": path})
        assert answer.status_code == 422, path
        assert answer.json()["problems"][0]["hint"]


@pytest.mark.slow
def test_a_command_that_watches_does_it_again_when_a_file_is_saved(folder: Path) -> None:
    program = [sys.executable, "-m", "exporter", "check", str(folder), "--watch", "--lang", "en"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(program, stdout=quiet, stderr=subprocess.PIPE, text=True) as ran:
        assert ran.stderr is not None
        try:
            assert ran.stderr.readline().startswith("Watching")
            change(folder / "cards" / "weapons.csv", "W2,Sword,きる,1", "W2,Sword,きる,one")
            assert "weapons.csv:3:13" in ran.stderr.readline()
        finally:
            ran.send_signal(signal.SIGINT)
        assert ran.wait(60) in (0, 130)  # it waits already, or is still at it


def test_what_windows_is_to_double_click_is_as_windows_reads_it() -> None:
    data = (ROOT / "workbench.bat").read_bytes()
    assert all(line.endswith(b"\r") for line in data.split(b"\n")[:-1])
    before, _, after = data.partition(b"chcp 65001")
    assert before.isascii()
    assert not after.isascii()
    assert b'cd /d "%~dp0"' in after


@pytest.mark.skipif(sys.platform == "win32", reason="it is for other systems")
def test_what_others_are_to_double_click_finds_its_folder_from_anywhere(tmp_path: Path) -> None:
    home = tmp_path / "a folder 新しい"
    (home / ".venv" / "bin").mkdir(parents=True)
    shutil.copy(ROOT / "workbench.command", home)
    python = home / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    command = [str(home / "workbench.command"), "--help", "--lang", "en"]
    ran = subprocess.run(command, cwd="/", check=True, capture_output=True, text=True)
    assert "serve" in ran.stdout
