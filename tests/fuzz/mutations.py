"""What may be wrong with files of data: values, keys, structure, cells, rows, files, pictures.

Files are bytes by their paths. A mutation changes them in place and says in one line what it did;
what it does follows from the given chance alone. What stands in other files of the same sort is
preferred to nonsense: it is nonsense in its new place, but only a look at the whole can tell.
"""

from __future__ import annotations

import contextlib
import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Iterator
from copy import deepcopy
from pathlib import PurePosixPath
from random import Random
from typing import Any, TypeAlias

import yaml
from PIL import Image

Files: TypeAlias = dict[str, bytes]

LEADS_OUT = b"<a link that leads out of the folder>"
FOLDER = b"<a folder in place of the file>"

NUMBERS = (
    *("0", "-0", "1", "-1", "2", "9", "10", "98", "99", "100", "101", "0.5", "-0.5", "0.001"),
    *("1000", "99999", "100000", "-99999", "-100000", "999999999", "1" + "0" * 400, "1e308"),
    *("1e999", ".nan", ".inf", "-.inf", "nan", "inf", "0x10", "1_000", "１２", "٣", "1:30"),
)
TEXTS = (
    *("", '""', "~", "true", "off", "[]", "{}", "[[]]", "[1, 2]", "{a: b}", "{x: {y: {z: 1}}}"),
    *('" "', '"\\t"', '"a\\nb"', '"\\0"', '"\\e[2J"', '"\\u202e"', '"\\ud800"', "名", "'#'", "¥"),
    *("a" * 5000, "字" * 500, "字 " * 2000, "../../etc/passwd", "/etc/passwd", "con", "a/b", "."),
    *("${name}", "${", "${x.y}", "{0}", "{}{}", "%s", "<b>", "]]>", "&amp;", "{漢字|かんじ}"),
    *('"#12345g"', '"#fff"', "rgb(1,2,3)", "2026-02-31", "*nowhere", "&a [*a]", "!!python/none x"),
)
EXPRESSIONS = (
    *("1/0", "1 // 0", "9**9**9**9", "'a'*10**9", "x", "1 if", "copies", "max()", "min(1)", "-"),
    *("(" * 300 + "1" + ")" * 300, "1" + "+1" * 3000, "not 1", "1 == 1", "1.5", "[1][2]", "a.b"),
    *("__import__('os')", "(lambda: 1)()", "10**400", "0.1*3", "round(1.5, -400)", "-(-(-1))"),
)
ODD = (NUMBERS, TEXTS, TEXTS, EXPRESSIONS)
ODD_BYTES = (b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\x81", b"\r", b"\t", b'"', b":", b"- ", b"#")
NAMES = (
    *("con.yaml", "new.yaml", "NEW.YAML", "名.csv", "a b.yaml", ".hidden", "x.json", "x"),
    *("ガ.yaml", "rooms/x.yaml", "cards/x.csv", "sheets/x.yaml", "x.png", "x.xlsx"),
)

Slot: TypeAlias = tuple[list[Any], int, str]
"""A list of items or of pairs, a place in it, and the key that the value belongs to."""


def slots(node: yaml.Node, owner: str = "", depth: int = 0) -> Iterator[Slot]:
    """All values of a YAML document, in whatever it is nested."""
    if isinstance(node, yaml.MappingNode | yaml.SequenceNode) and depth < 20:
        for index, item in enumerate(node.value):
            key, value = item if isinstance(item, tuple) else (None, item)
            name = str(key.value) if isinstance(key, yaml.ScalarNode) else owner
            yield node.value, index, name
            yield from slots(value, name, depth + 1)


def documents(data: bytes) -> list[yaml.Node]:
    """The documents of a file; none where it is no YAML."""
    with contextlib.suppress(yaml.YAMLError, ValueError):
        return [node for node in yaml.compose_all(data.decode(), yaml.SafeLoader) if node]
    return []


def node_of(text: str) -> yaml.Node:
    """A text as a value."""
    with contextlib.suppress(yaml.YAMLError):
        if node := yaml.compose(text, yaml.SafeLoader):
            return node
    return yaml.ScalarNode("tag:yaml.org,2002:str", text)


def rows_of(data: bytes) -> list[list[str]]:
    """The rows of a table; none where it is none."""
    with contextlib.suppress(csv.Error):
        return list(csv.reader(io.StringIO(data.decode("utf-8-sig", "replace"), newline="")))
    return []


def sort_of(path: str) -> str:
    """``rooms`` for all files of rooms, ``game.yaml`` for itself."""
    return PurePosixPath(path).parts[-2:][0]


class Pool:
    """What stands in any file of some games: values by key, pairs by sort of file, cells."""

    def __init__(self, games: Iterable[Files]) -> None:
        self.values: dict[str, list[yaml.Node]] = defaultdict(list)
        self.pairs: dict[str, list[tuple[yaml.Node, yaml.Node]]] = defaultdict(list)
        self.cells: dict[str, list[str]] = defaultdict(list)
        for path, data in (one for files in games for one in files.items()):
            if path.endswith(".yaml"):
                for items, index, name in (s for node in documents(data) for s in slots(node)):
                    if isinstance(items[index], tuple):
                        self.values[name].append(items[index][1])
                        self.pairs[sort_of(path)].append(items[index])
            elif path.endswith(".csv"):
                header, *rows = rows_of(data)
                for row in rows:
                    for name, cell in zip(header, row, strict=False):
                        self.cells[name].append(cell)


class Mutator:
    """Changes files by chance; ``pool`` is what it may take from elsewhere."""

    def __init__(self, pool: Pool, chance: Random) -> None:
        self.pool, self.chance = pool, chance

    def one_of(self, choices: Iterable[Any]) -> Any:
        return self.chance.choice(list(choices))

    def mutate(self, files: Files, paths: Iterable[str] | None = None) -> str:
        """Change one of ``paths``, by default of all files, at one place; says what and where."""
        path = self.one_of(sorted(paths or files))
        draw = self.chance.random()
        if draw < (0.08 if paths is None else 0.02):
            return f"{path} {self.file(files, path)}"
        done = ""
        if draw > 0.11 and path.endswith((".yaml", ".yml")):
            done = self.record(files, path)
        elif draw > 0.11 and path.endswith(".csv"):
            done = self.table(files, path)
        elif path.endswith(".png"):
            done = self.picture(files, path)
        return f"{path} {done or self.characters(files, path)}"

    def record(self, files: Files, path: str) -> str:
        """A value, a key, or the structure of a document."""
        roots = documents(files[path])
        found = [slot for root in roots for slot in slots(root)]
        if not found:
            return ""
        items, index, name = self.one_of(found)
        way = self.one_of(["value"] * 10 + ["key"] * 2 + ["lost"] * 3 + ["more"] * 4)
        pair = items[index] if isinstance(items[index], tuple) else None
        if way == "lost":
            del items[index]
        elif way == "more":
            new = self.one_of(self.pool.pairs[sort_of(path)] or [pair]) if pair else items[index]
            times = 1 if pair else self.one_of([1, 1, 1, 30])
            items[index:index] = [deepcopy(new) for _ in range(times)]
        elif way == "key" and pair:
            others = [key for key, _value in self.pool.pairs[sort_of(path)] or [pair]]
            odd = map(node_of, ("", "[a]", "~", "1", "true", "${name}", "字" * 300))
            items[index] = deepcopy(self.one_of([self.one_of(others), self.one_of(odd)])), pair[1]
        else:
            value = deepcopy(self.value(name, pair[1] if pair else items[index]))
            items[index] = (pair[0], value) if pair else value
            name += f" -> {str(value.value)[:90]}"
        text = yaml.serialize_all(roots, Dumper=yaml.SafeDumper, allow_unicode=True, width=99999)
        files[path] = str(text).encode(errors="surrogatepass")
        return f"{way} of {name!r}"

    def value(self, name: str, old: yaml.Node) -> yaml.Node:
        """Another value: a number beside it, of the same key elsewhere, or nonsense."""
        draw, text = self.chance.random(), str(old.value)
        if draw < 0.3 and text.lstrip("-").isdecimal():
            return node_of(self.one_of([str(int(text) + 1), str(int(text) - 1), f"{text}000"]))
        if draw < 0.6 and self.pool.values[name]:
            return self.chance.choice(self.pool.values[name])
        return node_of(self.one_of(self.one_of(ODD)))

    def table(self, files: Files, path: str) -> str:
        """A cell, a row or a column."""
        rows = rows_of(files[path])
        if len(rows) < 2 or not rows[0]:
            return ""
        way = self.one_of([self.cell] * 12 + [self.row] * 3 + [self.column] * 3)
        line, column = self.chance.randrange(1, len(rows)), self.chance.randrange(len(rows[0]))
        said = way(rows, line, column)
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows(rows)
        mark = "utf-8-sig" if files[path].startswith(b"\xef\xbb\xbf") else "utf-8"
        files[path] = text.getvalue().encode(mark, errors="surrogatepass")
        return f"line {line + 1}, column {rows[0][column : column + 1]}: {said[:90]}"

    def cell(self, rows: list[list[str]], line: int, column: int) -> str:
        row = rows[line]
        row += [""] * (column + 1 - len(row))
        old, known = row[column], self.pool.cells[rows[0][column]]
        odd = ["", f"{old}/{old}", f"{old}0", f"-{old}", old * 40, f" {old} ", f"{old}\n"]
        row[column] = self.one_of(self.one_of([odd, known or odd, *ODD]))
        return f"{old!r} -> {row[column]!r}"

    def row(self, rows: list[list[str]], line: int, column: int) -> str:
        ways: dict[str, list[list[str]]] = {
            "gone": [],
            "twice": [rows[line], rows[line]],
            "short": [rows[line][:column]],
            "long": [rows[line] + ["x"] * self.one_of([1, 2, 300])],
            "the header": [rows[0]],
        }
        way = self.one_of(ways)
        rows[line : line + 1] = ways[way]
        return str(way)

    def column(self, rows: list[list[str]], line: int, column: int) -> str:
        way, other = self.one_of(["gone", "named", "more"]), self.one_of(self.pool.cells)
        if way == "named":
            name = rows[0][column]
            rows[0][column] = self.one_of([other, name.upper(), f"{name} ", "", "1"])
        for row in rows if way != "named" else ():
            if way == "gone":
                del row[column : column + 1]
            else:
                row.append(other if row is rows[0] else self.one_of(self.pool.cells[other]))
        return str(way)

    def characters(self, files: Files, path: str) -> str:
        """A few bytes lost, added or put elsewhere, wherever they stand."""
        data = files[path]
        at = self.chance.randrange(len(data) + 1)
        old = data[at : at + self.one_of([1, 1, 2, 10])]
        new = self.one_of([b"", self.one_of(ODD_BYTES), old * 2])
        files[path] = data[:at] + new + data[at + len(old) :]
        return f"byte {at}: {old!r} -> {new!r}"

    def file(self, files: Files, path: str) -> str:
        """A file missing, renamed, emptied, cut, of another's content, or none at all."""
        data = files.pop(path)
        text = data.decode("utf-8", "replace")
        ways = {
            "is empty": b"",
            "is cut": data[: self.chance.randrange(len(data) + 1)],
            "is of another's content": files[self.one_of(sorted(files))],
            "is a folder": FOLDER,
            "leads out": LEADS_OUT,
            "is UTF-16": text.encode("utf-16"),
            "is cp932": text.encode("cp932", "replace"),
            "is binary": self.chance.randbytes(500),
            "is blank": b" \n" * 1000,
            "is deep": b"[" * 20_000,
        }
        way = self.one_of([*ways, "is gone", *["has another name"] * 4])
        if way == "has another name":
            files[str(PurePosixPath(path).parent / self.one_of(NAMES))] = data
        elif way in ways:
            files[path] = ways[way]
        return str(way)

    def picture(self, files: Files, path: str) -> str:
        """A picture of another size, shape or kind, or broken."""
        sound = picture()
        at = self.chance.randrange(len(sound))
        kinds = {
            "is cut": sound[:at],
            "has a broken byte": sound[:at] + bytes([sound[at] ^ 255]) + sound[at + 1 :],
            "is a text": b"picture",
            "is a GIF": picture("gif"),
            "is WebP": picture("webp"),
            "is 600 by 1": picture(size=(600, 1)),
            "is 1 by 1": picture(size=(1, 1)),
            "says 60000 by 60000": sound[:16] + b"\0\0\xea\x60" * 2 + sound[24:],
            "is SVG": b'<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>',
            "is CMYK": picture("jpeg", mode="CMYK"),
            "is of 16 bits": picture(mode="I;16"),
        }
        way = self.one_of(kinds)
        files[path] = kinds[way]
        return str(way)


def picture(kind: str = "png", size: tuple[int, int] = (63, 88), mode: str = "RGB") -> bytes:
    """A sound picture."""
    buffer = io.BytesIO()
    Image.new(mode, size).save(buffer, kind)
    return buffer.getvalue()
