"""What may be wrong with files of data: values, keys, structure, cells, rows, files, pictures.

Files are bytes by their paths. A mutation changes them in place and says in one line what it did;
what it does follows from the given chance alone. What stands in other files of the same sort is
preferred to nonsense: it is nonsense in its new place, but only a look at the whole can tell.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
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
ODD_BYTES = (b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\x81", b"\r", b"\t", b'"', b":", b"- ", b"#")
NAMES = (
    "con.yaml", "new.yaml", "NEW.YAML", "名.csv", "a b.yaml", ".hidden", "x.json", "x", "ガ.yaml",
)  # fmt: skip


@dataclass(frozen=True)
class Spot:
    """A value in a YAML text; in a mapping it has a key, in a list none."""

    start: int
    end: int
    depth: int
    column: int
    owner: str
    node: yaml.Node
    key: yaml.Node | None = None
    flow: bool = False

    @property
    def name(self) -> str:
        """Its own key, or that of the list it is in."""
        return str(self.key.value) if isinstance(self.key, yaml.ScalarNode) else self.owner


@dataclass
class Pool:
    """What stands in any file of the games: values by key, keys and values by the file's sort."""

    values: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    pairs: dict[tuple[str, int], list[tuple[str, str]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    cells: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


def sort_of(path: str) -> str:
    """``rooms`` for all files of rooms, ``game.yaml`` for itself."""
    parts = PurePosixPath(path).parts
    return parts[-2] if len(parts) > 1 else parts[-1]


def flow(node: yaml.Node) -> str:
    """A value in one line."""
    if isinstance(node, yaml.MappingNode):
        return "{" + ", ".join(f"{flow(k)}: {flow(v)}" for k, v in node.value) + "}"
    if isinstance(node, yaml.SequenceNode):
        return "[" + ", ".join(map(flow, node.value)) + "]"
    text = str(node.value)
    is_plain = isinstance(node, yaml.ScalarNode) and node.style is None
    if is_plain and re.fullmatch(r"[\w.+-]*", text):
        return text
    return json.dumps(text, ensure_ascii=False)


def spots(text: str) -> list[Spot]:
    """All values of all documents of a text; none where it is no YAML."""
    try:
        roots = list(yaml.compose_all(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    except (yaml.YAMLError, ValueError):
        return []
    return [spot for root in roots if root is not None for spot in _spots(text, root, "", 0)]


def _spots(text: str, node: yaml.Node, owner: str, depth: int) -> Iterator[Spot]:
    if isinstance(node, yaml.MappingNode):
        inner = [(key, value) for key, value in node.value]
    elif isinstance(node, yaml.SequenceNode):
        inner = [(None, value) for value in node.value]
    else:
        return
    for key, value in inner:
        first = key or value
        start, end = value.start_mark.index, value.end_mark.index
        end = start + len(text[start:end].rstrip())
        spot = Spot(
            start, end, depth, first.start_mark.column, owner, value, key, bool(node.flow_style)
        )
        yield spot
        if depth < 20:
            yield from _spots(text, value, spot.name, depth + 1)


def pool_of(games: Iterable[Mapping[str, bytes]]) -> Pool:
    """What stands in all files of some games."""
    pool = Pool()
    for files in games:
        for path, data in files.items():
            if path.endswith(".yaml"):
                for spot in spots(data.decode()):
                    value = flow(spot.node)
                    if len(value) < 2000:
                        pool.values[spot.name].append(value)
                        if spot.key is not None:
                            pair = (flow(spot.key), value)
                            pool.pairs[sort_of(path), spot.depth].append(pair)
            elif path.endswith(".csv"):
                header, *rows = _table(data) or [[]]
                for row in rows:
                    for name, cell in zip(header, row, strict=False):
                        pool.cells[name].append(cell)
    return pool


def _table(data: bytes) -> list[list[str]]:
    with contextlib.suppress(csv.Error):
        return list(csv.reader(io.StringIO(data.decode("utf-8-sig", "replace"), newline="")))
    return []


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
            return self.file(files, path)
        if draw < 0.11:
            return self.characters(files, path)
        if path.endswith((".yaml", ".yml")):
            return self.yaml(files, path)
        if path.endswith(".csv"):
            return self.table(files, path)
        return self.picture(files, path)

    # YAML

    def yaml(self, files: Files, path: str) -> str:
        text = files[path].decode(errors="replace")
        found = spots(text)
        if not found:
            return self.characters(files, path)
        spot = self.one_of(found)
        way = self.one_of([self.value] * 10 + [self.key] * 2 + [self.lost] * 3 + [self.more] * 4)
        start, end, new = way(text, spot, sort_of(path), found)
        line = text.count("\n", 0, start) + 1
        files[path] = (text[:start] + new + text[end:]).encode(errors="surrogatepass")
        old, new = repr(text[start:end])[:90], repr(new)[:90]
        return f"{path}:{line} {way.__name__} of {spot.name!r}: {old} -> {new}"

    def value(self, text: str, spot: Spot, sort: str, found: list[Spot]) -> tuple[int, int, str]:
        """Another value: of the same key elsewhere, of another key, at a bound, or nonsense."""
        old = text[spot.start : spot.end]
        number = re.fullmatch(r"-?\d+(\.\d+)?", old)
        draw = self.chance.random()
        if number and draw < 0.5:
            by = self.one_of([str(float(old) + n).removesuffix(".0") for n in (1, -1, 0.5)])
            new = self.one_of(
                [by, f"-{old}", f"{old}0", f"{old}000", *self.one_of([NUMBERS, [by]])]
            )
        elif draw < 0.65:
            new = self.one_of(self.pool.values[spot.name] or TEXTS)
        elif draw < 0.75:
            new = flow(self.one_of(found).node)
        elif draw < 0.8:
            new = json.dumps(self.one_of(EXPRESSIONS))
        else:
            new = self.one_of(self.one_of([NUMBERS, TEXTS]))
        return spot.start, spot.end, f" {new}" if spot.start == spot.end else new

    def key(self, text: str, spot: Spot, sort: str, found: list[Spot]) -> tuple[int, int, str]:
        """Another key in a key's place."""
        if spot.key is None:
            return self.value(text, spot, sort, found)
        start, end = spot.key.start_mark.index, spot.key.end_mark.index
        others = [name for name, _ in self.pool.pairs[sort, spot.depth]]
        odd = [text[start : end - 1], "", "[a]", "~", "1", "true", "<<", "${name}", "字" * 300]
        return start, end, self.one_of([self.one_of(others or odd), self.one_of(odd)])

    def lost(self, text: str, spot: Spot, sort: str, found: list[Spot]) -> tuple[int, int, str]:
        """A pair or an item taken away."""
        start = spot.key.start_mark.index if spot.key is not None else spot.start
        end = spot.end
        if spot.flow:
            if after := re.match(r"\s*,\s*", text[end:]):
                end += after.end()
            elif before := re.search(r",\s*$", text[:start]):
                start = before.start()
        elif spot.key is None and (before := re.search(r"-\s+$", text[:start])):
            start = before.start()
        return start, end, ""

    def more(self, text: str, spot: Spot, sort: str, found: list[Spot]) -> tuple[int, int, str]:
        """A pair that stands in other files of the sort, or an item once more."""
        start = spot.key.start_mark.index if spot.key is not None else spot.start
        if spot.key is not None:
            name, value = self.one_of(self.pool.pairs[sort, spot.depth] or [("x", "1")])
            added = f"{name}: {value}"
        else:
            times = self.one_of([1, 1, 1, 30])
            separator = ", " if spot.flow else f"\n{' ' * max(spot.column - 2, 0)}- "
            added = separator.join([flow(spot.node)] * times)
        if spot.flow:
            return start, start, f"{added}, "
        gap = " " * spot.column if spot.key is not None else " " * max(spot.column - 2, 0) + "- "
        return start, start, f"{added}\n{gap}"

    # Tables

    def table(self, files: Files, path: str) -> str:
        rows = _table(files[path])
        if len(rows) < 2 or not rows[0]:
            return self.characters(files, path)
        way = self.one_of([self.cell] * 12 + [self.row] * 3 + [self.column] * 3)
        told = way(rows)
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows(rows)
        mark = "utf-8-sig" if files[path].startswith(b"\xef\xbb\xbf") else "utf-8"
        files[path] = text.getvalue().encode(mark, errors="surrogatepass")
        return f"{path} {way.__name__}: {told}"

    def cell(self, rows: list[list[str]]) -> str:
        line = self.chance.randrange(1, len(rows))
        column = self.chance.randrange(len(rows[0]))
        name = rows[0][column]
        row = rows[line]
        row += [""] * (column + 1 - len(row))
        old = row[column]
        odd = [
            *(NUMBERS if self.chance.random() < 0.5 else TEXTS[11:]),
            *("", f"{old}/{old}", f"{old}0", f"-{old}", old * 40, f" {old} ", f"{old}\n"),
        ]
        row[column] = self.one_of(self.one_of([odd, odd, self.pool.cells[name] or odd]))
        return f"line {line + 1} {name!r}: {old[:60]!r} -> {row[column][:60]!r}"

    def row(self, rows: list[list[str]]) -> str:
        line = self.chance.randrange(1, len(rows))
        draw = self.chance.randrange(6)
        if draw == 0:
            del rows[line]
            return f"line {line + 1} is gone"
        if draw == 1:
            rows.insert(line, list(rows[line]))
            return f"line {line + 1} twice"
        if draw == 2:
            rows[line] = rows[line][: self.chance.randrange(len(rows[line]) + 1)]
            return f"line {line + 1} has {len(rows[line])} cells"
        if draw == 3:
            rows[line] += ["x"] * self.one_of([1, 2, 300])
            return f"line {line + 1} has {len(rows[line])} cells"
        if draw == 4:
            del rows[1:]
            return "no row is left"
        rows[line] = rows[0]
        return f"line {line + 1} repeats the header"

    def column(self, rows: list[list[str]]) -> str:
        column = self.chance.randrange(len(rows[0]))
        name = rows[0][column]
        draw = self.chance.randrange(4)
        if draw == 0:
            for row in rows:
                del row[column : column + 1]
            return f"{name!r} is gone"
        if draw == 1:
            rows[0][column] = self.one_of([*self.pool.cells, name.upper(), f"{name} ", "", "1"])
            return f"{name!r} is called {rows[0][column]!r}"
        if draw == 2:
            other = self.chance.randrange(len(rows[0]))
            for row in rows[1:]:
                if max(column, other) < len(row):
                    row[column] = row[other]
            return f"{name!r} holds what {rows[0][other]!r} does"
        new = self.one_of(self.pool.cells)
        for row in rows:
            row.append(self.one_of(self.pool.cells[new] or [""]))
        rows[0][-1] = new
        return f"a column {new!r} more"

    # Files

    def characters(self, files: Files, path: str) -> str:
        """A few bytes lost, added or put elsewhere, wherever they stand."""
        data = files[path]
        at = self.chance.randrange(len(data) + 1)
        size = self.one_of([1, 1, 2, 10])
        new = self.one_of([b"", self.one_of(ODD_BYTES), data[at : at + size] * 2])
        files[path] = data[:at] + new + data[at + size :]
        line = data.count(b"\n", 0, at) + 1
        return f"{path}:{line} byte {at}: {data[at : at + size]!r} -> {new!r}"

    def file(self, files: Files, path: str) -> str:
        """A file missing, renamed, emptied, cut, of another's content, or none at all."""
        ways: dict[str, Callable[[bytes], bytes | None]] = {
            "is gone": lambda data: None,
            "is empty": lambda data: b"",
            "is cut": lambda data: data[: self.chance.randrange(len(data) + 1)],
            "is of another's content": lambda data: files[self.one_of(sorted(files))],
            "is a folder": lambda data: FOLDER,
            "leads out": lambda data: LEADS_OUT,
            "is UTF-16": lambda data: data.decode("utf-8", "replace").encode("utf-16"),
            "is cp932": lambda data: data.decode("utf-8", "replace").encode("cp932", "replace"),
            "is binary": lambda data: self.chance.randbytes(500),
            "is blank": lambda data: b" \n" * 1000,
            "is deep": lambda data: b"[" * 20_000,
        }
        draw = self.chance.random()
        if draw < 0.3:
            folder = self.one_of([str(PurePosixPath(path).parent), "rooms", "cards", "sheets", "."])
            new = str(PurePosixPath(folder) / self.one_of([*NAMES, PurePosixPath(path).name]))
            files[new] = files[path]
            if self.chance.random() < 0.6 and new != path:
                del files[path]
                return f"{path} is called {new}"
            return f"{path} also stands at {new}"
        if draw < 0.4:
            old = PurePosixPath(path).suffix
            path = str(
                PurePosixPath(path).with_suffix(self.one_of([".png", ".yaml", ".csv", ".xlsx"]))
            )
            files[path] = files.get(path, next(iter(files.values())))
            return f"{path} is a {old or 'nameless'}"
        way = self.one_of(sorted(ways))
        data = ways[way](files[path])
        if data is None:
            del files[path]
        else:
            files[path] = data
        return f"{path} {way}"

    def picture(self, files: Files, path: str) -> str:
        """A picture of another size, shape or kind, or broken."""
        sound = picture()
        kinds = {
            "is cut": sound[: self.chance.randrange(len(sound))],
            "has a broken byte": broken(sound, self.chance),
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
        way = self.one_of(sorted(kinds))
        files[path] = kinds[way]
        return f"{path} {way}"


def picture(kind: str = "png", size: tuple[int, int] = (63, 88), mode: str = "RGB") -> bytes:
    """A sound picture."""
    buffer = io.BytesIO()
    Image.new(mode, size).save(buffer, kind)
    return buffer.getvalue()


def broken(data: bytes, chance: Random) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 255]) + data[at + 1 :]
