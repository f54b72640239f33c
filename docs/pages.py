"""Writes what is made from the program: ``python docs/pages.py``.

Pages of docs/, the schemas of source_data/schemas, and the first line of each game's YAML files.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import yaml
from jinja2 import Environment, StrictUndefined
from msgspec import Struct
from records import kind_of, records

sys.path.insert(0, str(Path(__file__).parent.parent))

from exporter.app.games import open_folder
from exporter.core.messages import (
    Translated,
    sentence,
)
from exporter.faces.style_values import PLAIN_STYLES, declarations
from exporter.loader.game_folders import game_folders
from exporter.model import (
    FaceStyle,
    Take,
)
from exporter.model.forms import fields_of
from exporter.model.json_schemas import (
    COMMENT,
    comment,
    schema_files,
)
from exporter.model.layouts import LAYS_WITH
from exporter.model.shape import (
    Doc,
    Wording,
    in_both_languages,
)
from exporter.rules.kinds import KINDS
from exporter.udonarium.verify_checks import CHECKS

DOCS = Path(__file__).parent
GAMES = DOCS.parent / "source_data"
FACES = DOCS.parent / "templates" / "faces"
MESSAGES = DOCS.parent / "exporter" / "core" / "messages"

_VERIFY = {
    "en": """\
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
""",
    "ja": """\
# `verify` が見るもの

`exporter verify ROOM.zip …` は、誰が作ったユドナリウムの zip でも読み、クライアントの動きと照らし
合わせます。クライアントは、使えないものを何も知らせずに捨てます。`verify` は1つ残らず、場所・
見え方・直し方を示します。

- **エラー**：クライアントが止まる、捨てる、隠す。終了コードは 1。
- **警告**：意図したものではない可能性が高い。
- **注意**：知っておくとよい。

`--format json` なら1つの文書になります：`problems` のリスト（それぞれ `severity`、`rule`、`file`、
`line`、`column`、`message`、`hint`、`cites`）と、数えた `summary`。行と桁は1から数え（表計算では
`cell` がシート名も示します）、ID は変わりません。`docs/pages.py` がこのページを作ります。

| ID | | こうあるべき | そうでないと | 直し方 |
|---|---|---|---|---|
""",
}
_SEVERITIES = {"error": "エラー", "warning": "警告", "notice": "注意"}


def _cell(text: str) -> str:
    for character, written in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("|", "\\|")):
        text = text.replace(character, written)
    return text


_SAID = ("means", "effect", "remedy")


def verify_page(language: str = "en") -> str:
    """docs/verify.md: every check with its sentence."""
    weights = {} if language == "en" else _SEVERITIES
    rows = [
        (
            f"`{name}`",
            weights.get(str(severity), str(severity)),
            *(sentence(name, key).in_language(language) for key in _SAID),
        )
        for name, severity in CHECKS.items()
    ]
    lines = ["| " + " | ".join([row[0], *map(_cell, row[1:])]) + " |" for row in rows]
    return _VERIFY[language] + "\n".join(lines) + "\n"


def _says(text: Translated, language: str) -> str:
    """A sentence of a declaration, for a cell."""
    return text.in_language(language).replace("|", "\\|")


_KEY = {"en": "key", "ja": "キー"}


def _keys(language: str, record: str) -> str:
    """The keys of a record as a table, those that are needed in bold."""
    rows = [f"| {_KEY[language]} | |", "|---|---|"]
    for name, key in fields_of(records()[record]).keys.items():
        shown = f"**`{name}`**" if key.is_required else f"`{name}`"
        rows.append(f"| {shown} | {_says(key.doc, language)} |")
    return "\n".join(rows)


def _own_keys(lay: str) -> str:
    """The keys that only some things of a layout have, of one of them."""
    return " ".join(f"`{key}`" for key, lays in LAYS_WITH.items() if lay in lays)


def _problems(language: str, *areas: str) -> str:
    """Every id of problems that begins so, with what it means."""
    catalogue = json.loads((MESSAGES / "en.json").read_text(encoding="utf-8"))
    rows = [
        f"| `{name}` | {sentence(name, 'means').in_language(language)} |"
        for area in areas
        for name in catalogue
        if name.startswith(area)
    ]
    return "\n".join(["| id | |", "|---|---|", *rows])


def data_page(language: str = "en") -> str:
    """docs/data.md: every key of every file, in the words of the records."""
    problems = partial(_problems, language)
    keys = partial(_keys, language)
    return _filled("data", language, keys=keys, own_keys=_own_keys, problems=problems)


_HOLDS = {
    "en": {
        "text": "a text",
        "slot": "a field, or a word",
        "field": "a field",
        "cards": "a list field of `front_lists`",
        "colour": "a colour",
        "flag": "`true` or `false`",
        "list": "a list",
        "map": "keys with values",
        "or": "{} or {}",
        "between": "a number from {:g} to {:g}",
        "most": "{}, at most {:g}",
        "head": "| key | holds | |",
    },
    "ja": {
        "text": "文字",
        "slot": "欄か、言葉",
        "field": "欄",
        "cards": "`front_lists` の list の欄",
        "colour": "色",
        "flag": "`true` か `false`",
        "list": "リスト",
        "map": "キーと値",
        "or": "{}か{}",
        "between": "{:g}～{:g}の数",
        "most": "{}（{:g}まで）",
        "head": "| キー | 値 | |",
    },
}


def _holds(take: Take, words: Mapping[str, str]) -> str:
    """What may stand there, and its limits."""
    if take.sort == "words":
        *several, last = (f"`{word}`" for word in take.words)
        return words["or"].format(", ".join(several), last) if several else last
    if take.sort in ("number", "measure"):
        return words["between"].format(take.least, take.most)
    held = words[take.sort]
    return held if take.most is None else words["most"].format(held, take.most)


def _rows(takes: Mapping[str, Take], language: str, before: str = "") -> Iterator[str]:
    for name, take in takes.items():
        if take.sort == "keys":
            yield from _rows(take.keys, language, f"{before}{name}: ")
        elif take.sort != "given":
            held = _holds(take, _HOLDS[language])
            yield f"| `{before}{name}` | {held} | {_says(take.says, language)} |"


def head(language: str, template: str) -> dict[str, str]:
    """What a plain template says of itself: a ``text``, its ``keys``, and what is ``given``."""
    found, problems = declarations([f"plain/{template}.typ"])
    assert not problems
    declaration = found[f"plain/{template}.typ"]
    rows = list(_rows(declaration.takes, language))
    shown = {"en": "`{}` ({})", "ja": "`{}`（{}）"}[language]
    given = [
        shown.format(name, take.says.in_language(language))
        for name, take in declaration.takes.items()
        if take.sort == "given" and name != "picture"
    ]
    return {
        "text": declaration.says.in_language(language),
        "keys": "\n".join([_HOLDS[language]["head"], "|---|---|---|", *rows]) if rows else "",
        "given": {"en": ", ", "ja": "、"}[language].join(given),
    }


def plain_page(language: str = "en") -> str:
    """docs/plain-styles.md: what each plain template takes, with the lines of an example."""
    styles: dict[str, list[FaceStyle]] = {}
    for style in PLAIN_STYLES.values():
        styles.setdefault(Path(style.template).stem, []).append(style)
    examples = yaml.safe_load((DOCS / "plain.yaml").read_text(encoding="utf-8"))
    of_template = partial(head, language)
    return _filled("plain-styles", language, head=of_template, examples=examples, styles=styles)


_LET = re.compile(r"^((?:///.*\n)*)#let ([\w-]+)(\(?)", re.MULTILINE)
_CLOSED = {"(": ")", "[": "]", "{": "}"}
_SKIPPED = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|`[^`]*`', re.DOTALL)


class Helper(Struct, frozen=True):
    """A function, or a value without ``arguments``, and what its remark says of it."""

    name: str
    arguments: tuple[str, ...] | None
    says: Wording = Wording()

    @property
    def signature(self) -> str:
        return self.name if self.arguments is None else f"{self.name}({', '.join(self.arguments)})"


def helpers_in(text: str) -> dict[str, Helper]:
    """Find what a template file defines on its outermost level, by name."""
    found = {}
    for each in _LET.finditer(text):
        says = in_both_languages("\n".join(line[3:].strip() for line in each[1].splitlines()))
        arguments = tuple(_arguments(text[each.end() :])) if each[3] else None
        found[each[2]] = Helper(each[2], arguments, says)
    return found


def _arguments(text: str) -> Iterator[str]:
    """Yield what stands between commas up to the bracket that closes, in one line each."""
    depth, written = 0, ""
    for at, sign in _brackets(text):
        if sign in _CLOSED:
            depth += 1
        elif sign in _CLOSED.values():
            depth -= 1
        if depth < 0 or (depth == 0 and sign == ","):
            whole = " ".join(_without_remarks(text[len(written) : at]).split())
            if whole:
                yield whole
            written = text[: at + 1]
        if depth < 0:
            return


def _without_remarks(text: str) -> str:
    return _SKIPPED.sub(lambda found: "" if found[0].startswith("/") else found[0], text)


def _brackets(text: str) -> Iterator[tuple[int, str]]:
    """Yield brackets and commas outside of strings and remarks, with their offsets."""
    at = 0
    while at < len(text):
        skipped = _SKIPPED.match(text, at)
        if skipped:
            at = skipped.end()
            continue
        if text[at] in "()[]{},":
            yield at, text[at]
        at += 1


def faces_page(language: str = "en") -> str:
    """docs/faces.md: how looks of one's own are drawn, with what lib.typ has for that."""
    helpers = helpers_in((FACES / "lib.typ").read_text(encoding="utf-8"))
    rows = [
        f"| `{helper.signature}` | {_says(helper.says, language)} |"
        for helper in helpers.values()
        if helper.says.en
    ]
    table = "\n".join([{"en": "| function | |", "ja": "| 関数 | |"}[language], "|---|---|", *rows])
    return _filled("faces", language, helpers=table, problems=partial(_problems, language))


def seeds_page() -> str:
    """docs/seeds.md: every count that a source document states, and the rule that asks it."""
    lines = [
        "# What source documents count, and which rule asks it",
        "",
        "<!-- Made by `python docs/pages.py` from docs/seeds.yaml and the games' rules. -->",
        "",
        "`check GAME` asks these of the shipped data, or `check GAME --cases` of rules of play and",
        "frames; `tests/test_seeds.py` breaks each row once and expects its rule to say so.",
    ]
    seeds = yaml.safe_load((DOCS / "seeds.yaml").read_text(encoding="utf-8"))
    for name, rows in seeds.items():
        opened = open_folder(GAMES / name)
        lines += ["", f"## {opened.game.name.ja}", "", "| stated | rule | |", "|---|---|---|"]
        for row in rows:
            rule = opened.book.rules[row["rule"]]
            lines.append(f"| {_cell(row['says'])} | `{rule.id}` | {_cell(rule.title.ja)} |")
    return "\n".join([*lines, "", *_NO_TABLE]) + "\n"


_NO_TABLE = (
    "Four of these ideas have no table: functional resources (関数的資源), refusal (拒否コスト),",
    "the empire of many peoples (多民族国家) and the meeple war (ミープル戦争). Of each the seed",
    "has one or two sentences: a way to count or to pay, but no pieces, turns, aim or end. A table",
    "would hold only what we made up, and nobody could tell from it whether the idea works. Their",
    "rules are checked on examples instead.",
)


def _filled(page: str, language: str, **words: object) -> str:
    name = f"{page}.md.j2" if language == "en" else f"{page}.{language}.md.j2"
    environment = Environment(
        undefined=StrictUndefined, keep_trailing_newline=True, trim_blocks=True
    )
    return environment.from_string((DOCS / name).read_text(encoding="utf-8")).render(**words)


_KINDS = {
    "en": {
        "head": "| kind | what it asks | `parameters`, by example |",
        "or": " or ",
        "none": "none",
        "parameters": "| kind | parameter | |",
    },
    "ja": {
        "head": "| 種類 | 調べること | `parameters` の例 |",
        "or": " か ",
        "none": "なし",
        "parameters": "| 種類 | パラメータ | |",
    },
}


def _kinds(language: str) -> str:
    """The kinds of rules as a table: what each asks, and its parameters by example."""
    words = _KINDS[language]
    rows = [words["head"], "|---|---|---|"]
    for name, kind in KINDS.items():
        examples = words["or"].join(f"`{one}`" for one in kind.examples) or words["none"]
        rows.append(f"| `{name}` | {paragraph(kind).in_language(language)} | {examples} |")
    return "\n".join(rows)


def paragraph(kind: type) -> Wording:
    """What a kind of rules asks, on one line."""
    return in_both_languages(inspect.getdoc(kind) or "")


def _parameters(language: str) -> str:
    """Every parameter of every kind of rule."""
    rows = [_KINDS[language]["parameters"], "|---|---|---|"]
    for name, kind in KINDS.items():
        for parameter, key in fields_of(kind).keys.items():
            shown = f"**`{parameter}`**" if key.is_required else f"`{parameter}`"
            rows.append(f"| `{name}` | {shown} | {_says(key.doc, language)} |")
    return "\n".join(rows)


def rules_page(language: str = "en") -> str:
    """docs/rules.md: how rules are written, and their kinds."""
    kinds, parameters = _kinds(language), _parameters(language)
    return _filled("rules", language, kinds=kinds, parameters=parameters)


_IN_BOTH: Mapping[str, Callable[[str], str]] = {
    "plain-styles": plain_page,
    "data": data_page,
    "rules": rules_page,
    "faces": faces_page,
    "verify": verify_page,
}

PAGES: Mapping[str, Callable[[], str]] = {
    **{f"{name}.md": partial(page, "en") for name, page in _IN_BOTH.items()},
    **{f"{name}.ja.md": partial(page, "ja") for name, page in _IN_BOTH.items()},
    "seeds.md": seeds_page,
}


def sentences() -> Iterator[Doc | Wording]:
    """What records, kinds of rules, plain templates and functions of lib.typ say of themselves."""
    for shape in (*records().values(), *KINDS.values()):
        yield from (key.doc for key in fields_of(shape).keys.values())
    yield from map(paragraph, KINDS.values())
    templates = [f"plain/{path.name}" for path in sorted((FACES / "plain").glob("*.typ"))]
    for declaration in declarations(templates)[0].values():
        yield declaration.says
        yield from _of_takes(declaration.takes)
    helpers = helpers_in((FACES / "lib.typ").read_text(encoding="utf-8"))
    yield from (helper.says for helper in helpers.values() if helper.says.en)


def _of_takes(takes: Mapping[str, Take]) -> Iterator[Wording]:
    for take in takes.values():
        if take.sort != "row":
            yield take.says
        yield from _of_takes(take.keys)


def with_comment(relative: str, text: str) -> str:
    """Return a file's text under its comment, by its path in a game's folder beside ``schemas``."""
    line, _, rest = text.partition("\n")
    up = "../" * (relative.count("/") + 1)
    body = rest if line.startswith(COMMENT) else text
    return f"{comment(f'{up}schemas', kind_of(relative))}\n{body}"


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
    for name, text in schema_files(KINDS).items():
        (GAMES / "schemas").mkdir(exist_ok=True)
        (GAMES / "schemas" / name).write_text(text, encoding="utf-8")
    for path, text in commented().items():
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
