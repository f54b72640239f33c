"""Legal, illegal, or not judged: what is said of builds that could not be read whole, and which
regulation holds.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import commands
import pytest
import yaml
from click.testing import Result
from made_up_games import write
from small_game import change

from exporter.app.games import open_folder
from exporter.app.make_files import build_warnings, read_build_files
from exporter.core.problems import InvalidSource, Problem
from exporter.rules.report.check_report import check
from exporter.rules.report.verdicts import CheckOptions

RULES = """\
rules:
- {id: S-1, title: 枠, status: checked, kind: frame}
- {id: S-2, title: スロット, status: checked, kind: slots}
- {id: S-3, title: 箱の枚数, status: checked, kind: copies, parameters: {field: copies}}
- {id: S-4, title: 中古は2枚から, status: checked, kind: requires,
   parameters: {cards: name == 'Net', needs: name == 'Laser', named: a laser}}
"""
FIGURES = "- {name: arms, part: arm, terms: [{label: frame, value: arm}]}\n"
REGULATION = 'id: {0}\nversion: "1"\ntitle: {0}\n{1}\n'

SOUND = "game: small\nname: {name}\nframe: {{size: S}}\nmounted: {{arm: [Laser]}}\n"
LEGAL = SOUND.format(name="Sound")

Run = Callable[..., Result]


@pytest.fixture
def folder(small: Path) -> Path:
    """The small game with rules; the tests' builds lie beside its folder."""
    files = {
        "rules.yaml": RULES,
        "figures.yaml": FIGURES,
        "regulations/open.yaml": REGULATION.format("open", "default: true"),
        "regulations/cup.yaml": REGULATION.format("cup", "without: [S-3]"),
    }
    return write(small, files)


@pytest.fixture
def run(folder: Path) -> Run:
    def call(command: str, text: str, *options: str, name: str = "mine.yaml") -> Result:
        path = folder.parent.parent / name
        path.write_text(text, encoding="utf-8")
        return commands.run(command, path, "--source", folder.parent, "--lang", "en", *options)

    return call


def builds(run: Run, text: str, name: str = "mine.yaml") -> dict[str, Any]:
    """What JSON says of each build, by name."""
    document = json.loads(run("check", text, "--format", "json", name=name).stdout)
    return {build["name"]: build for build in document["builds"]}


UNREAD: dict[str, dict[str, list[str]]] = yaml.safe_load(
    (Path(__file__).parent / "unread_builds.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("cause", UNREAD["builds"])
def test_a_build_that_was_not_read_whole_is_not_called_legal(run: Run, cause: str) -> None:
    old, new, said = UNREAD["builds"][cause]
    text = SOUND.format(name="Mine").replace(old, new, 1)
    result = run("check", f"{text}---\n{LEGAL}", "-v")
    assert result.exit_code == 1
    mine, sound = result.stdout.split("Sound")[:2]
    assert mine.splitlines()[0].endswith("  not judged")
    assert said in mine, "the reason stands in the entry of the build"
    assert "arms 3" not in mine, "figures of half a build are no figures"
    assert sound.splitlines()[0].endswith("  legal")
    assert "2 builds: 1 legal, 1 not judged" in result.stdout
    assert said in result.stderr

    found = builds(run, f"{text}---\n{LEGAL}")
    assert found["Mine"]["legal"] is None
    assert [reason for reason in found["Mine"]["reasons"] if said in reason["message"]]
    assert found["Sound"]["legal"] is True
    assert found["Sound"]["reasons"] == []


def test_the_rest_of_a_file_that_is_no_yaml_is_one_build_that_was_not_judged(run: Run) -> None:
    result = run("check", f"{LEGAL}---\nname: Broken\nmounted: {{arm: [Laser\n---\n{LEGAL}")
    assert "Sound  S  open@1  legal" in result.stdout
    assert "2 builds: 1 legal, 1 not judged" in result.stdout


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mine.csv", "game,build,card,colour\n"),
        ("mine.csv", "game,bild,card\nsmall,Mine,Laser\n"),
        ("mine.csv", 'game,build,card\nsmall,Mine,"Laser\n'),
        ("mine.yaml", "game: small\nname: [\n"),
        ("mine.yaml", "- Laser\n"),
        ("mine.yaml", "game: small\nname: \0\n"),
        ("mine.csv", 'game,build,size,part,card\nsmall,Mine,S,arm,Laser\n,Other,,arm,"Laser\n'),
    ],
)
def test_a_file_that_gives_no_build_at_all_is_one_that_was_not_judged(
    run: Run, folder: Path, name: str, text: str
) -> None:
    result = run("check", text, str(folder), name=name)
    assert result.exit_code == 1
    assert "1 build: 0 legal, 1 not judged" in result.stdout
    assert f"{name}:" in result.stdout


TABLE = """\
game,build,size,part,card,copies,regulation
small,Mine,S,arm,Laser,1,
,Other,S,arm,Sword,1,
,Other,,arm,Laser,1,
"""


@pytest.mark.parametrize("cause", UNREAD["rows"])
def test_a_row_that_was_not_read_bears_on_whom_it_may_belong_to(run: Run, cause: str) -> None:
    old, new, said, names = UNREAD["rows"][cause]
    assert TABLE.count(old) == 1
    found = builds(run, TABLE.replace(old, new), "mine.csv")
    unknown = [name for name, build in found.items() if build["legal"] is None]
    assert sorted(unknown) == names.split()
    assert {build["legal"] for build in found.values()} <= {True, None}
    for name in unknown:
        assert any(said in reason["message"] for reason in found[name]["reasons"])


@pytest.mark.parametrize("what", UNREAD["game"])
def test_a_fault_of_the_game_on_which_a_build_rests_keeps_it_from_being_judged(
    run: Run, folder: Path, what: str
) -> None:
    file, old, new, said = UNREAD["game"][what]
    change(folder / file, old, new)
    (mine,) = builds(run, SOUND.format(name="Mine")).values()
    assert mine["legal"] is None
    assert any(said in reason["message"] for reason in mine["reasons"]), mine["reasons"]


def test_a_fault_of_the_game_that_bears_on_no_build_leaves_builds_as_they_are(
    run: Run, folder: Path
) -> None:
    change(folder / "rooms" / "box.yaml", "players: [1, 2]", "players: [2, 1]")
    change(folder / "cards" / "weapons.csv", "Net,とめる,1", "Net,とめる,一")
    (mine,) = builds(run, SOUND.format(name="Mine")).values()
    assert mine["legal"] is True


def test_a_name_that_several_cards_have_is_no_name(run: Run, folder: Path) -> None:
    with (folder / "cards" / "weapons.csv").open("a", encoding="utf-8") as file:
        file.write("W4,Sword,きる,9,base\n")
    change(folder / "mechs" / "AA.yaml", "[Laser, Laser, Sword]", "[Laser, Laser, W2]")
    change(folder / "mechs" / "AA.yaml", "[Sword]", "[W2]")
    change(folder / "decks" / "mechs.csv", "AA,Sword", "AA,W2")
    (mine,) = builds(run, SOUND.format(name="Mine").replace("Laser", "Sword")).values()
    assert mine["legal"] is None
    assert "There are several cards called 'Sword': W2, W4" in mine["reasons"][0]["message"]


@pytest.mark.parametrize(
    ("mounted", "more", "legal", "faults"),
    [
        ("[Sword, Sword, Lazer]", "", False, ["S-3"]),  # no card could make one Sword of two
        ("[Laser, Sword, Laser, Lazer]", "", None, ["S-2"]),  # a card may add slots
        ("[Net, Lazer]", "", None, []),  # it may be the laser that the net requires
        ("[Sword, Sword]", "regulation: opne", None, ["S-2"][1:]),  # nobody knows its limits
        ("[Sword, Sword]", "regulation: [open]", None, []),
        ("[Sword, Sword, Lazer]", "waivers: [{rule: S-3, reason: ok}]", None, []),
        ("[Laser, Lazer]", "", None, []),
    ],
)
def test_what_is_unknown_excuses_what_it_might_undo_and_nothing_else(
    run: Run, mounted: str, more: str, legal: bool | None, faults: list[str]
) -> None:
    text = SOUND.format(name="Mine").replace("[Laser]", mounted) + more
    (mine,) = builds(run, text).values()
    assert mine["legal"] is legal
    assert [problem["rule"] for problem in mine["problems"]] == faults
    assert mine["reasons"] != []


def test_a_build_that_is_illegal_whatever_could_not_be_read_says_both(run: Run) -> None:
    text = SOUND.format(name="Mine").replace("[Laser]", "[Sword, Sword, Lazer]")
    result = run("check", text)
    assert "Mine  S  open@1  1 fault, not read completely\n" in result.stdout
    assert "\n1 build: 0 legal · Rules: " in result.stdout
    ja = run("check", text, "--lang", "ja").stdout
    assert "Mine  S  open@1  違反1件・読み取れない箇所1件\n" in ja


def test_words_of_a_frame_that_go_with_no_row_break_the_rule_that_says_so(
    run: Run, folder: Path
) -> None:
    change(folder / "game.yaml", "key: [size]\n  names: {size: Size}", "key: [size, kind]")
    (folder / "frames.csv").write_text("size,kind,arm\nS,a,3\nL,b,3\n", encoding="utf-8")
    change(folder / "mechs" / "AA.yaml", "{size: S}", "{size: S, kind: a}")
    text = SOUND.format(name="Mine").replace("{size: S}", "{size: S, kind: b}")
    (mine,) = builds(run, text).values()
    assert (mine["legal"], [one["rule"] for one in mine["problems"]]) == (False, ["S-1"])
    (mine,) = builds(run, text.replace("kind: b", "kind: c")).values()
    assert (mine["legal"], [one["rule"] for one in mine["reasons"]]) == (None, ["S-1"])


def test_a_page_marks_what_was_not_judged_and_says_why(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    text = SOUND.format(name="Mine").replace("Laser", "Lazer")
    run("check", f"{text}---\n{LEGAL}", "--report", str(page))
    rows = page.read_text(encoding="utf-8").split("<tr class=")[1:]
    assert [row.partition(">")[0] for row in rows] == ['"unknown"', '"legal"']
    assert "not judged" in rows[0]
    assert "There is no card &#39;Lazer&#39;." in rows[0]
    assert "2 builds: 1 legal, 1 not judged" in rows[1]


def test_suggest_answers_for_the_builds_that_it_could_read(run: Run) -> None:
    mend = SOUND.format(name="Mend").replace("[Laser]", "[Sword, Sword]")
    text = f"{SOUND.format(name='Mine').replace('Laser', 'Lazer')}---\n{mend}"
    result = run("suggest", text)
    assert result.exit_code == 1
    assert "Mine: not judged\n  " in result.stdout
    assert "There is no card 'Lazer'." in result.stdout.partition("Mend")[0]
    assert "Mend: legal after 1 change." in result.stdout
    mine, mended = json.loads(run("suggest", text, "--format", "json").stdout)["suggestions"]
    assert (mine["legal"], mine["changes"]) == (None, None)
    assert "Lazer" in mine["reasons"][0]["message"]
    assert mended["legal"] is True


def test_a_regulation_on_the_command_line_holds_whatever_a_build_names(run: Run) -> None:
    text = SOUND.format(name="Mine") + "regulation: opne\n"
    result = run("check", text, "--regulation", "cup")
    assert "Mine  S  cup@1  legal" in result.stdout
    assert "error REGULATION" in run("suggest", text, "--regulation", "cap").stderr


def written(folder: Path, more: str = "") -> str:
    path = folder.parent.parent / "mine.yaml"
    path.write_text(SOUND.format(name="Mine") + more, encoding="utf-8")
    return str(path)


def told(folder: Path, file: str) -> list[Problem]:
    project = open_folder(folder)
    return [*build_warnings(project, [file], read_build_files(project, [file]))]


def test_a_room_takes_a_build_that_nobody_can_judge_and_says_so(folder: Path) -> None:
    assert told(folder, written(folder)) == []
    found = told(folder, written(folder, "regulation: opne\n"))
    assert [(problem.severity, problem.rule) for problem in found] == [
        ("warning", "NOT-JUDGED"),
        ("warning", "REGULATION"),
    ]
    change(folder / "rules.yaml", "kind: copies", "kind: copeis")
    found = told(folder, written(folder))
    assert [problem.rule for problem in found] == ["NOT-JUDGED", "SRC-VALUE"]
    assert found[0].message == "Whether 'Mine' is legal cannot be judged; it is used as it is."


def test_a_frame_that_mounts_nothing_says_how_many_slots_are_free(run: Run) -> None:
    bare = "game: small\nname: Bare\nframe: {size: S}\n"
    (line,) = (one for one in run("check", bare).stdout.splitlines() if one.startswith("Bare"))
    assert line.split("  ")[1] == "S 3 free slots"
    (line,) = (one for one in run("check", LEGAL).stdout.splitlines() if one.startswith("Sound"))
    assert line.split("  ")[1] == "S"


def test_a_check_of_builds_is_a_line_for_each_and_one_of_counts(run: Run) -> None:
    """What was not looked at is counted there, and told in full with -v alone."""
    text = LEGAL + "---\n" + SOUND.format(name="Mine").replace("Laser", "Net")
    result = run("check", text)
    assert [line.split(" · ")[0] for line in result.stdout.splitlines()] == [
        "Sound  S  open@1  legal",
        "Mine  S  open@1  1 fault",
        "2 builds: 1 legal",
    ]
    whole = run("check", text, "-v").stdout
    assert "arms 3" in whole
    assert "\nregulation: open@1" in whole


# ---- regulations

SOURCE = Path(__file__).parent.parent.parent / "source_data"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SOURCE / "wrath_of_god", tmp_path / "wrath_of_god"))


def regulation(game: Path, version: str, more: str = "") -> None:
    text = f'id: cup\nversion: "{version}"\ntitle: 杯\n{more}\n'
    write(game, {f"regulations/cup-{version}.yaml": text})


@pytest.mark.parametrize(
    ("first", "second", "newest"),
    [
        ('predecessor: "2"\ndefault: true', 'predecessor: "1"', "none"),  # each follows the other
        ("default: true", "predecessor: nonsense", "1, 2"),
        ("", 'predecessor: "1"\ndefault: true', ""),  # the first may be lost
    ],
)
def test_one_version_of_a_regulation_is_the_newest(
    game: Path, first: str, second: str, newest: str
) -> None:
    if first:
        regulation(game, "1", first)
    regulation(game, "2", second)
    opened = open_folder(game)
    said = [problem.message.partition("of another. ")[2] for problem in opened.problems]
    assert said == ([f"Now: {newest}."] if newest else [])
    assert all(problem.where.file.endswith("cup-2.yaml") for problem in opened.problems)
    check(opened)


def test_without_a_default_one_has_to_be_named(game: Path) -> None:
    regulation(game, "1")
    opened = open_folder(game)
    with pytest.raises(InvalidSource, match="Choose one with --regulation: cup"):
        check(opened)
    assert check(opened, options=CheckOptions(regulation="cup")).passed
