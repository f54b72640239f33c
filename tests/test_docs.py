"""The docs are held against the program: commands, checks, keys, links, pictures, the tiny game,
what players meet; and no game's word is in the code.
"""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import shipped
import yaml
from commands import output_of, run
from records import records

from exporter import model
from exporter.cli.main import exporter
from exporter.core.messages import sentence
from exporter.faces.style_values import declarations
from exporter.loader.game_folders import game_folders
from exporter.model import Game
from exporter.model.forms import Findings, fields_of
from exporter.model.shape import Name
from exporter.model.styles import values_form

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md")), ROOT / "benchmarks/results.md"]
README, JAPANESE = ROOT / "README.md", ROOT / "README.ja.md"
MOST_BYTES = 250_000

BUILD = ".venv/bin/pip install . && .venv/bin/exporter build embryo_machine"
TEST = ".venv/bin/pip install '.[test]' && .venv/bin/python -m pytest -n 2"


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def prose(page: Path) -> str:
    """A page without its blocks and inline pieces of code."""
    text = re.sub(r"^ *```.*?^ *```", "", read(page), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`]*`", "", text)


def links(page: Path) -> Iterator[str]:
    """What a page links to or shows inside this repository."""
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if not re.match(r"[a-z]+:", target):
            yield target


def anchors(page: Path) -> set[str]:
    """The names under which a page's headings can be linked to."""
    headings = re.findall(r"^#+ (.+)$", prose(page), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def script(name: str) -> ModuleType:
    """A script of docs/ as a module."""
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---- commands


@pytest.mark.parametrize("name", exporter.commands)
def test_every_command_says_what_it_does_and_stands_in_the_readme(name: str) -> None:
    command = exporter.commands[name]
    assert command.help
    assert f"exporter {name}" in read(README)
    assert f"exporter {name}" in read(JAPANESE)


@pytest.mark.parametrize("option", [o for p in exporter.commands["build"].params for o in p.opts])
def test_every_option_of_build_is_explained(option: str) -> None:
    if option.startswith("--"):
        assert option in read(DOCS / "embryo-machine.md")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_name_only_commands_and_options_that_exist(page: Path) -> None:
    for line in re.findall(r"(?:^|[\s`$/])exporter ([a-z].*)", read(page)):
        words = re.split(r"[`#&|]", line)[0].split()
        command = exporter.commands.get(words[0])
        if command is None:
            assert not re.search(rf"[`$/]exporter {words[0]}\b", read(page)), words[0]
            continue  # prose: "the exporter writes …"
        known = {name for option in command.params for name in option.opts}
        options = {word.partition("=")[0] for word in words if re.match(r"--[a-z]", word)}
        assert options <= known | {"--help"}


@pytest.mark.parametrize("command", [BUILD, TEST])
def test_both_readmes_have_the_two_commands_as_single_lines(command: str) -> None:
    for page in (README, JAPANESE):
        lines = read(page).splitlines()
        assert f"python3 -m venv .venv && {command}" in lines
        windows = command.replace("'", '"').replace(".venv/bin/", ".venv\\Scripts\\")
        assert f"py -m venv .venv && {windows}" in lines


def test_ci_runs_the_command_of_the_readme() -> None:
    assert TEST in read(ROOT / ".ci" / "run").replace("--quiet ", "")


def test_the_workflow_runs_the_steps_of_ci_on_the_python_that_is_promised() -> None:
    workflow = yaml.safe_load(read(ROOT / ".github" / "workflows" / "tests.yml"))["jobs"]["tests"]
    runs = " ".join(step.get("run", "") for step in workflow["steps"]).replace('"', "'")
    for line in re.findall(r"\.venv/bin/(.+)", read(ROOT / ".ci" / "run")):
        for command in line.split(" && .venv/bin/"):
            assert command in runs
    least = re.search(r'requires-python = ">=(.+)"', read(ROOT / "pyproject.toml"))
    assert least
    assert workflow["strategy"]["matrix"]["python"][0] == least[1]


# ---- links and pictures


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in links(page):
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), target


def test_the_readme_opens_with_a_picture_and_is_short() -> None:
    for page in (README, JAPANESE):
        assert len(read(page).splitlines()) <= 120
        first = next(line for line in read(page).splitlines() if line and not line.startswith("#"))
        assert first.startswith("![")


def test_every_picture_is_shown_and_small_enough_for_a_page() -> None:
    shown = {
        (page.parent / target).resolve()
        for page in PAGES
        for target in links(page)
        if "/images/" in f"/{target}"
    }
    pictures = set((DOCS / "images").iterdir())
    assert pictures == shown
    assert not [picture.name for picture in pictures if picture.stat().st_size > MOST_BYTES]


@pytest.mark.slow
def test_the_contact_sheets_can_be_made_anew_and_are_those_that_are_shown(game: Game) -> None:
    pictures = script("pictures")
    made = {
        *pictures.contact_sheets(game),
        *pictures.plain_sheets(),
        *pictures.ART_SHEETS,
        "quarter.webp",
        "sheet-to-room.webp",  # a table, cards, and the running client
    }
    assert made == {path.name for path in (DOCS / "images").glob("*.webp")}


# ---- what is written twice


@pytest.mark.slow
def test_pages_made_from_the_program_are_as_the_program_is_now() -> None:
    for name, page in script("pages").PAGES.items():
        assert read(DOCS / name) == page(), "run: python docs/pages.py"


LAID = fields_of(records()["Item"]).keys["lay"].form.words  # type: ignore[attr-defined]


def keys_of_data() -> set[str]:
    """Every key that a file of a game folder may have."""
    known = [record for record in records().values() if not issubclass(record, Name)]
    return {key for record in known for key in fields_of(record).keys}


def first_cells(page: Path) -> Iterator[str]:
    for line in read(page).splitlines():
        if line.startswith("|"):
            yield line.split("|")[1]


def test_every_key_of_the_data_is_explained() -> None:
    text = " ".join(first_cells(DOCS / "data.md")) + read(DOCS / "data.md")
    explained = set(re.findall(r"`(\w+)`", text))
    assert not sorted(keys_of_data() - explained), "add a line to docs/data.md"


def test_no_key_is_explained_that_is_gone() -> None:
    ids_and_things = re.compile(r"[A-Z]+-[A-Z]+")
    cells = [cell for cell in first_cells(DOCS / "data.md") if not ids_and_things.search(cell)]
    items = set(LAID)
    explained = {key for cell in cells for key in re.findall(r"`(\w+)`", cell)}
    assert not sorted(explained - keys_of_data() - items)


def test_everything_that_can_be_laid_is_explained() -> None:
    text = read(DOCS / "data.md")
    for word in LAID:
        assert re.search(rf"^\| `{word}` \|", text, flags=re.MULTILINE)


@pytest.mark.parametrize(("page", "area"), [("data.md", "SRC-"), ("faces.md", "FACE-|TEXT-SIZE")])
def test_problems_mean_in_the_docs_what_they_mean_in_the_program(page: str, area: str) -> None:
    rows = dict(re.findall(r"^\| `([A-Z]+-[A-Z]+)` \| (.+) \|$", read(DOCS / page), re.MULTILINE))
    catalogue = json.loads(read(ROOT / "exporter" / "core" / "messages" / "en.json"))
    ids = [one for one in catalogue if re.match(area, one)]
    assert rows == {one: sentence(one, "means").in_language("en") for one in ids}


def test_every_function_of_the_faces_library_is_explained() -> None:
    """With the signature that it has: the page is made of the library."""
    helpers = script("pages").helpers_in(read(FACES / "lib.typ"))
    told = [helper for helper in helpers.values() if helper.says.en]
    assert {"fitted", "squeezed", "vertical", "slot", "marked"} <= {one.name for one in told}
    assert not [one.name for one in told if f"| `{one.signature}` |" not in read(DOCS / "faces.md")]


# ---- in Japanese

IN_BOTH = ("data", "plain-styles", "faces", "rules", "print", "verify")


def coded_cells(page: Path) -> list[str]:
    """The code that a row of a page's tables begins with."""
    rows = [line.split("|")[1:2] for line in read(page).splitlines() if line.startswith("| ")]
    return [code for row in rows for code in re.findall(r"^ \**(`[^`]+`)\** $", row[0])]


@pytest.mark.parametrize("name", IN_BOTH)
def test_both_languages_tell_the_same_keys(name: str) -> None:
    english, japanese = (coded_cells(DOCS / f"{name}{end}.md") for end in ("", ".ja"))
    assert len(english) > 20
    assert japanese == english


@pytest.mark.parametrize(
    "name", sorted(page.name[:-6] for page in DOCS.glob("*.ja.md") if page.name != "adding.ja.md")
)
def test_both_languages_show_the_same_pictures_and_examples(name: str) -> None:
    pages = [read(DOCS / f"{name}{end}.md") for end in ("", ".ja")]
    pictures = [re.findall(r"\]\((images/[^)]+)\)", page) for page in pages]
    assert pictures[0] == pictures[1]
    for page in pages:
        for block in re.findall(r"^```yaml\n(.*?)^```", page, re.DOTALL | re.MULTILINE):
            list(yaml.safe_load_all(block))


def test_what_keys_are_for_is_told_in_japanese() -> None:
    """Beside the English, in the same declaration, and with the same keys and words of data."""
    said = list(script("pages").sentences())
    assert len(said) > 500
    assert not [each.en for each in said if not each.ja]
    lost = [
        (each.en, code)
        for each in said
        for code in re.findall(r"`([a-z_#.:]+)`", each.en)
        if code not in each.ja and "rules.md" not in code
    ]
    assert not lost


# ---- plain styles

FACES = ROOT / "templates" / "faces"
TEMPLATES = sorted(path.relative_to(FACES).as_posix() for path in FACES.glob("*/*.typ"))
DECLARED = declarations(TEMPLATES)[0]


def test_every_shipped_template_declares_what_it_takes() -> None:
    faces = {name for name in TEMPLATES if "#let face" in (FACES / name).read_text("utf-8")}
    assert DECLARED.keys() == faces  # others are parts of these
    for template, declaration in DECLARED.items():
        said = [(name, take.says) for name, take in declaration.takes.items()]
        assert all(says.in_language("en") for _name, says in said), (template, said)


CALLS = {
    "own-picture(values": ["picture"],
    "is-sample(values": ["certainty"],
    "art-window(": ["art", "fit", "focus"],
    "colour-for(values": ["colour", "colour_by", "colours"],
    "shown-figures(values": ["figures"],
    "shown-texts(values": ["text", "texts"],
    "text-sizes(values": ["text_size"],
}
"""Calls of functions elsewhere, with the values that these look at."""


def looked_at(template: str) -> set[str]:
    """The values that a template looks at, and what it is put together of beside it."""
    text = read(FACES / template)
    names = re.findall(r"\bvalues\.(?!at\b|len\b|push\b|zip\b)(\w+)", text)
    names += re.findall(r'(?:\bvalues\.at\(|shown\(values, )"(\w+)', text)
    for several in re.findall(r"first-of\(values, ([^)]*)\)", text):
        names += re.findall(r"\w+", several)
    for call, looks in CALLS.items():
        names += looks if call in text else []
    if template == "embryo/card.typ":
        names += looked_at("embryo/silhouettes.typ")
    return set(names) - {"width", "height"}


@pytest.mark.parametrize("template", sorted(DECLARED))
def test_a_template_declares_what_it_looks_at_and_nothing_else(template: str) -> None:
    """Otherwise a value would never reach it, or would tell alike faces apart."""
    takes = DECLARED[template].takes
    if DECLARED[template].like:  # and so takes what functions elsewhere look at
        return
    within = {key for take in takes.values() for key in take.keys}
    looked = looked_at(template)
    assert looked - {"slots"} <= {*takes, *within, "name"}
    if template not in ("gimmick_lab/flower.typ", "plain/tile.typ"):  # which look in other ways
        assert {name for name in takes if name != "slots"} <= looked


def keys_of(path: str, words: str) -> list[str]:
    """The words of a list, or the keys of a dictionary, in a part of a template."""
    block = re.search(rf"^#let {words} = \((.*?)\)$", read(FACES / path), re.DOTALL | re.MULTILINE)
    assert block
    named = re.findall(r"(?:^|[(,\s])([a-z][a-z0-9-]*): ", block[1])
    return named or re.findall(r'"([\w-]+)"', block[1])


DRAWN = [
    ("plain/look.typ", "outlines", "plain/card", "shape"),
    ("plain/look.typ", "outlines", "plain/token", "shape"),
    ("plain/look.typ", "textures", "plain/card", "texture"),
    ("plain/look.typ", "textures", "plain/back", "texture"),
    ("plain/look.typ", "textures", "plain/sheet", "texture"),
    ("plain/look.typ", "textures", "plain/surface", "texture"),
    ("plain/look.typ", "textures", "plain/board", "background"),
    ("plain/pawn.typ", "figures", "plain/pawn", "figure"),
    ("plain/pawn.typ", "figures", "plain/portrait", "figure"),
    ("embryo/silhouettes.typ", "families", "embryo/card", "family"),
]


@pytest.mark.parametrize(("path", "words", "template", "name"), DRAWN)
def test_a_template_takes_the_words_that_it_draws(
    path: str, words: str, template: str, name: str
) -> None:
    known = keys_of(path, words)
    assert len(known) > 5
    assert list(DECLARED[f"{template}.typ"].takes[name].words) == known


def test_what_plain_styles_take_stands_on_their_page() -> None:
    page = read(DOCS / "plain-styles.md")
    known = keys_of("plain/board.typ", "known")
    assert len(known) > 5
    assert not [word for word in known if f"`{word}`" not in page]


def plain_examples() -> Iterator[tuple[str, dict[str, Any]]]:
    """The values of every example, with the template that takes them."""
    for template, entry in yaml.safe_load(read(DOCS / "plain.yaml")).items():
        for _, look in script("pictures").looks(yaml.safe_load(entry.get("example", "faces: {}"))):
            yield template, look["values"]


def test_examples_of_plain_styles_have_only_values_that_are_taken() -> None:
    for template, values in plain_examples():
        findings = Findings()
        values_form(DECLARED[f"plain/{template}.typ"].takes).read(values, (), findings)
        assert not findings.faults


NOT_WORDS_OF_THE_TABLE = {
    "BAYS", "MAT_SIZE", "OWN_DECK", "Name", "BoardKind", "FieldType", "Shifts", "Side", "TakeType",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(set(model.__all__) - NOT_WORDS_OF_THE_TABLE))
def test_every_word_of_the_model_stands_in_the_vocabulary(name: str) -> None:
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
    listed = " ".join(first_cells(DOCS / "vocabulary.md"))
    assert re.search(rf"\b{words}\b", listed)


def test_the_program_refers_only_to_docs_that_exist() -> None:
    files = [
        path
        for folder in ("exporter", "templates", "source_data", "tests", "benchmarks")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".typ", ".yaml") and "_data" not in path.parts
    ]
    named = {name for path in files for name in re.findall(r"docs/[\w/-]+\.md", read(path))}
    assert not sorted(name for name in named if not (ROOT / name).exists())


def test_pages_name_places_that_exist() -> None:
    place = re.compile(r"`((?:exporter|templates/udonarium|tests)/[\w/]+\.\w+)`")
    named = {(page.name, path) for page in PAGES for path in place.findall(read(page))}
    assert len(named) > 30
    assert not sorted(each for each in named if not (ROOT / each[1]).exists())
    row = re.compile(r"`(\w+)` in `((?:exporter|templates)/[\w/.-]+\.(?:py|typ))`")
    known = row.findall(read(ROOT / "CONTRIBUTING.md"))
    assert not [pair for pair in known if pair[0] not in read(ROOT / pair[1])]


# ---- the whole little game of CONTRIBUTING.md


def files_of(text: str) -> dict[str, str]:
    """The files that a page shows in full, below a line with nothing but their name."""
    return dict(re.findall(r"^`([\w/.]+)`\n\n```\w+\n(.*?)^```", text, re.DOTALL | re.MULTILINE))


def write(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which the test stands in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_the_game_in_contributing_builds_as_it_stands_there(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "cache"))
    text = read(ROOT / "CONTRIBUTING.md")
    files = files_of(text)
    assert len(files) == 5
    write(here, files)
    printed = re.search(r"^\$ exporter build higher\n(output.*?)^```", text, re.S | re.M)
    assert printed
    assert run("build", "higher").output == printed[1]


@pytest.mark.slow
@pytest.mark.parametrize("page", ["your-game.md", "your-game.ja.md"])
def test_the_game_in_your_game_is_whole(page: str, here: Path) -> None:
    text, pattern = read(DOCS / page), r"^\*\*`([\w/.]+)`\*\*.*?^```\w+\n(.*?)^```"
    write(here / "market", dict(re.findall(pattern, text, re.DOTALL | re.MULTILINE)))
    for command in ("build", "check", "print"):
        result = run(command, "market")
        assert result.exit_code == 0, result.output
        assert "market/" not in result.stderr, "nothing is told of its files"
    assert run("verify", "output/market/table.zip").exit_code == 0


def test_the_template_in_faces_draws_as_it_stands_there(here: Path) -> None:
    text = read(DOCS / "faces.md")
    (styles,) = re.findall(r"^```yaml\n(faces:.*?)^```", text, re.DOTALL | re.MULTILINE)
    head = "id: house\nname: {ja: 茶, en: Tea}\nplayers: [1, 1]\nnotice: {ja: 見本, en: Sample}\n"
    layout = "table:\n  size: [9, 4]\n  items: [{lay: cards, cards: {kind: tea}}]\n"
    room = "id: table\nname: {ja: 卓, en: Table}\nplayers: [1, 1]\narrange: {centre: [table]}\n"
    files = {
        "game.yaml": head + styles,
        "cards/tea.csv": "id,name,effect\nT1,ほうじ茶,カードを1枚引く。\n",
        "layouts.yaml": layout,
        "rooms/table.yaml": room,
    }
    write(here / "house", files)
    write(here, files_of(text))
    output_of("build", "house")


MODULES = sorted((ROOT / "exporter").rglob("*.py"))

# Words of the tool, or of the language, that happen to be words of a game's data too.
PLAIN_WORDS = {
    "aim", "ammo", "base", "basic", "board", "card", "cards", "deck", "effect", "front", "kind",
    "kinds", "mark", "mech", "move", "name", "none", "note", "number", "piece", "plate", "plain",
    "red", "blue", "round", "shape", "sheet", "size", "stack", "start", "status", "system", "team",
    "token", "weapon", "skill", "spent", "seal", "net", "frame", "pawn", "table", "setup",
    "hp", "dash", "fd", "shift", "文字",
}  # fmt: skip


def game_words() -> set[str]:
    """Every name that a game's data give to something, as whole words."""
    names: set[str] = set()
    for folder in game_folders([shipped.SOURCE]):
        game = shipped.printed(folder.name)
        names |= {game.id, game.name.ja, game.name.en}
        names |= {card.name for card in game.cards.values()} | set(game.cards)
        names |= {name for mech in game.mechs.values() for name in (mech.code, mech.name)}
        names |= {figure.id for figure in game.figures} | set(game.parts)
        names |= set(game.editions) | set(game.variants)
        names |= {
            text
            for edition in game.editions.values()
            for text in (edition.name.ja, edition.name.en)
        }
        names |= {board.name.ja for board in game.boards.values()}
    return {name for name in names if len(name) > 1 and name.lower() not in PLAIN_WORDS}


def whole_words(text: str, words: set[str]) -> set[str]:
    """Those of the words that stand in a text, with no letter before or after them."""
    found = set(re.findall(r"\w+", text))
    several = [word for word in words if not word.isidentifier() and word in text]
    return found | {w for w in several if re.search(rf"(?<!\w){re.escape(w)}(?!\w)", text)}


def test_no_word_of_a_game_stands_in_the_program() -> None:
    words = game_words()
    assert len(words) > 200
    shared = [
        *(path for path in MODULES if "_data" not in path.parts),
        *(ROOT / "templates" / "udonarium").glob("*"),
        *(ROOT / "templates" / "sheets").glob("*"),
        *(ROOT / "templates" / "faces" / "plain").glob("*.typ"),
        ROOT / "templates/faces/lib.typ",
    ]
    found = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in shared
        for word in words & whole_words(path.read_text(encoding="utf-8"), words)
    ]
    assert not found


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [DOCS / "players.md", DOCS / "players.ja.md"], ids=lambda page: page.name
)
def test_the_page_for_players_shows_what_people_meet(
    page: Path, here: Path, shared_cache: None
) -> None:
    text = read(page)
    files = dict(re.findall(r"`([a-z]+\.(?:yaml|txt))`\n\n```\w+\n(.*?)```", text, flags=re.DOTALL))
    assert [*files] == ["mine.yaml", "fire.txt"]
    write(here, {**files, "docs/x": ""})
    (here / "docs/examples").symlink_to(DOCS / "examples")
    shown = re.findall(r"```console\n\$ exporter ([^\n]*)\n(.*?)```", text, flags=re.DOTALL)
    assert len(shown) == 9
    for words, expected in shown:
        told = run(*words.split()).stdout
        assert not [line for line in expected.splitlines() if line not in told], words
