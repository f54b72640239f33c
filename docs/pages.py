"""Writes what is made from the program: ``python docs/pages.py``.

Pages of docs/, the schemas of source_data/schemas, and the first line of each game's YAML files.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml
from jinja2 import Environment, StrictUndefined

sys.path.insert(0, str(Path(__file__).parent.parent))

from exporter.checking.opened import open_game
from exporter.model import FaceStyle, Take
from exporter.plain import PLAIN_STYLES
from exporter.rules.kinds import KINDS
from exporter.schema.annotations import fields_of
from exporter.schema.json_schemas import kind_of, records, schema_files, with_comment
from exporter.source import game_folders
from exporter.source.offered import offered
from exporter.source.styles import declarations
from exporter.udonarium.verify_checks import CHECKS
from exporter.words import sentence

DOCS = Path(__file__).parent
GAMES = DOCS.parent / "source_data"
FACES = DOCS.parent / "templates" / "faces"

_VERIFY = """\
# What `verify` looks for

`exporter verify ROOM.zip …` reads any Udonarium zip, whoever made it, and holds it against what the
client does with one. The client is silent: it drops what it cannot use and says nothing. Every
fault is told with its place, what you would see, and how to mend it.

- **error**: the client breaks, drops or hides something; the exit status is 1.
- **warning**: hardly what anybody wants.
- **notice**: good to know.

With `--format json` the same comes as one document: a list of `problems`, each with `severity`,
`rule`, `file`, `line`, `column`, `message`, `hint` and `cites`, and a `summary` that counts them.
Lines and columns count from 1 (in a spreadsheet, `cell` names the sheet too); ids are permanent.
`docs/pages.py` writes this page.

| id | | what should be | otherwise | remedy |
|---|---|---|---|---|
"""


def _cell(text: str) -> str:
    for character, written in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("|", "\\|")):
        text = text.replace(character, written)
    return text


_SAID = ("means", "effect", "remedy")


def verify_page() -> str:
    """docs/verify.md: every check with its sentence."""
    rows = [
        (f"`{name}`", str(severity), *(sentence(name, key).in_language("en") for key in _SAID))
        for name, severity in CHECKS.items()
    ]
    lines = ["| " + " | ".join([row[0], *map(_cell, row[1:])]) + " |" for row in rows]
    return _VERIFY + "\n".join(lines) + "\n"


def _keys(record: str) -> str:
    """The keys of a record as a table, those that are needed in bold."""
    rows = ["| key | |", "|---|---|"]
    for name, key in fields_of(records()[record]).keys.items():
        shown = f"**`{name}`**" if key.is_required else f"`{name}`"
        rows.append(f"| {shown} | {key.description.replace('|', chr(92) + '|')} |")
    return "\n".join(rows)


def data_page() -> str:
    """docs/data.md: every key of every file, in the words of the records."""
    return _filled("data.md.j2", keys=_keys)


_HOLDS = {
    "text": "a text",
    "slot": "a field, or a word",
    "field": "a field",
    "cards": "a list field of `front_lists`",
    "colour": "a colour",
    "flag": "`true` or `false`",
    "list": "a list",
    "map": "keys with values",
}


def _holds(take: Take) -> str:
    """What may stand there, and its limits."""
    if take.type == "words":
        *words, last = (f"`{word}`" for word in take.words)
        return f"{', '.join(words)} or {last}" if words else last
    if take.type in ("number", "measure"):
        return f"a number from {take.least:g} to {take.most:g}"
    most = "" if take.most is None else f", at most {take.most:g}"
    return _HOLDS[take.type] + most


def _rows(takes: Mapping[str, Take], before: str = "") -> Iterator[str]:
    for name, take in takes.items():
        if take.type == "keys":
            yield from _rows(take.keys, f"{before}{name}: ")
        elif take.type != "given":
            says = take.says.replace("|", "\\|")
            yield f"| `{before}{name}` | {_holds(take)} | {says} |"


def head(template: str) -> dict[str, str]:
    """What a plain template says of itself: a ``text``, its ``keys``, and what is ``given``."""
    found, problems = declarations([f"plain/{template}.typ"], [FACES])
    assert not problems
    declaration = found[f"plain/{template}.typ"]
    rows = list(_rows(declaration.takes))
    given = [
        f"`{name}` ({take.says})"
        for name, take in declaration.takes.items()
        if take.type == "given" and name != "picture"
    ]
    return {
        "text": declaration.says,
        "keys": "\n".join(["| key | holds | |", "|---|---|---|", *rows]) if rows else "",
        "given": ", ".join(given),
    }


def plain_page() -> str:
    """docs/plain-styles.md: what each plain template takes, with the lines of an example."""
    styles: dict[str, list[FaceStyle]] = {}
    for style in PLAIN_STYLES.values():
        styles.setdefault(Path(style.template).stem, []).append(style)
    examples = yaml.safe_load((DOCS / "plain.yaml").read_text(encoding="utf-8"))
    return _filled("plain-styles.md.j2", head=head, examples=examples, styles=styles)


def seeds_page() -> str:
    """docs/seeds.md: every count that a source document states, and the rule that asks it."""
    lines = [
        "# What source documents count, and which rule asks it",
        "",
        "<!-- Made by `python docs/pages.py` from docs/seeds.yaml and the games' rules. -->",
        "",
        "Plain `check GAME` asks these of the shipped data; `tests/test_seeds.py` breaks each row",
        "once and expects its rule to say so. *Play only* is what is counted while people play:",
        "formulas, which cases try, or what is seen at the table.",
    ]
    seeds = yaml.safe_load((DOCS / "seeds.yaml").read_text(encoding="utf-8"))
    for name, rows in seeds.items():
        opened = open_game(GAMES / name)
        asked = sum(row["rule"] != "play" for row in rows)
        lines += ["", f"## {opened.game.name.ja}", "", "| stated | rule | |", "|---|---|---|"]
        for row in rows:
            rule = opened.book.rules.get(row["rule"])
            title, key = (rule.title.ja, f"`{rule.id}`") if rule else ("", "play only")
            lines.append(f"| {_cell(row['says'])} | {key} | {_cell(title)} |")
        lines += ["", f"{asked} asked of the data, {len(rows) - asked} in play only."]
    return "\n".join(lines) + "\n"


def _filled(name: str, **words: object) -> str:
    environment = Environment(
        undefined=StrictUndefined, keep_trailing_newline=True, trim_blocks=True
    )
    return environment.from_string((DOCS / name).read_text(encoding="utf-8")).render(**words)


def _kinds() -> str:
    """The kinds of rules as a table: what each asks, and its parameters by example."""
    rows = ["| kind | what it asks | `parameters`, by example |", "|---|---|---|"]
    for name, kind in KINDS.items():
        examples = " or ".join(f"`{example}`" for example in kind.examples) or "none"
        rows.append(f"| `{name}` | {_paragraph(kind)} | {examples} |")
    return "\n".join(rows)


def _paragraph(kind: type) -> str:
    return " ".join((kind.__doc__ or "").split())


def _parameters() -> str:
    """Every parameter of every kind of rule."""
    rows = ["| kind | parameter | |", "|---|---|---|"]
    for name, kind in KINDS.items():
        for parameter, key in fields_of(kind).keys.items():
            shown = f"**`{parameter}`**" if key.is_required else f"`{parameter}`"
            rows.append(f"| `{name}` | {shown} | {key.description} |")
    return "\n".join(rows)


def rules_page() -> str:
    """docs/rules.md: how rules are written, and their kinds."""
    return _filled("rules.md.j2", kinds=_kinds(), parameters=_parameters())


PAGES = {
    "plain-styles.md": plain_page,
    "verify.md": verify_page,
    "data.md": data_page,
    "rules.md": rules_page,
    "seeds.md": seeds_page,
}


def commented() -> dict[Path, str]:
    """The games' YAML files with the line by which editors find their schemas."""
    texts = {}
    for folder in game_folders([GAMES]):
        for path in sorted(folder.rglob("*.yaml")):
            name = path.relative_to(folder).as_posix()
            if kind_of(name):
                texts[path] = with_comment(name, path.read_text(encoding="utf-8"))
    return texts


if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
    for name, text in schema_files(offered(folders=[FACES]), KINDS).items():
        (GAMES / "schemas").mkdir(exist_ok=True)
        (GAMES / "schemas" / name).write_text(text, encoding="utf-8")
    for path, text in commented().items():
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
