"""Nothing that a stranger brings costs more than it is worth: it is refused soon, in a sentence.

Each input is small to send and large to read. No process gets more than a gigabyte of addresses.
"""

from __future__ import annotations

import io
import os
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from corpus_rooms import sound_zip
from PIL import Image
from small_game import GAME, write_small_game
from spreadsheet_files import ROWS, ods, repeated, shared, written, xlsx

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.platform != "linux", reason="only Linux holds a process to its addresses"
    ),
]

RUN = """\
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
from exporter.cli.main import main
main()
"""


def run(folder: Path, *words: str) -> tuple[int, str]:
    """How a command ended that may take a gigabyte of addresses, and what it said."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    command = [sys.executable, "-c", RUN, *words]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    return done.returncode, done.stdout + done.stderr


# ---- zips


def room(inside: str) -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<room>{inside}</room>'.encode()


def zipped(*entries: tuple[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def over_one_kernel(count: int) -> bytes:
    """Entries of 31 MB each that all are the same bytes of the file."""
    data = zipped(("0.xml", b" " * 31_000_000))
    end = data.rindex(b"PK\5\6")
    (start,) = struct.unpack_from("<L", data, end + 16)
    entry = data[start:end]
    listed = b"".join(entry.replace(b"0.xml", f"{n:x}.xml".encode()) for n in range(count))
    told = struct.pack("<2HL", count, count, len(listed))
    return data[:start] + listed + data[end : end + 8] + told + data[end + 16 :]


def said_to_be_small(size: int) -> bytes:
    """An entry that is large, and of which the zip says twice that it has ten bytes."""
    data = bytearray(zipped(("data.xml", b" " * size)))
    end = data.rindex(b"PK\5\6")
    (start,) = struct.unpack_from("<L", data, end + 16)
    struct.pack_into("<L", data, start + 24, 10)
    struct.pack_into("<L", data, 22, 10)
    return bytes(data)


def cards(count: int) -> str:
    card = '<card identifier="c{n}"><data name="card"></data></card>'
    return "".join(card.replace("{n}", str(n)) for n in range(count))


ZIPS: dict[str, Callable[[], bytes]] = {
    "7 million empty tags": lambda: zipped(("data.xml", room("<a/>" * 7_000_000))),
    "16 entries over one kernel": lambda: over_one_kernel(16),
    "4 million cards": lambda: zipped(("data.xml", room("<card/>" * 4_000_000))),
    "10 bytes that are 800 MB": lambda: said_to_be_small(800_000_000),
    "40,000 attributes": lambda: zipped(
        ("data.xml", room("<card " + "".join(f'a{n}="" ' for n in range(40_000)) + "/>"))
    ),
    "150,000 equal ids": lambda: zipped(("data.xml", room('<card identifier="a"/>' * 150_000))),
    "60,000 cards": lambda: zipped(("data.xml", room(cards(60_000)))),
    "120,000 references": lambda: zipped(
        ("data.xml", room(f'<chat-palette dicebot="">{"{HP}" * 120_000}</chat-palette>'))
    ),
    "9 MB of line breaks": lambda: zipped(("data.xml", room(f'<card a="{chr(10) * 9_000_000}"/>'))),
}
HEAD = b"id,name,value,text,odd\n"
TABLES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "20 MB in 26,000 cells": ("xlsx", lambda: shared("x" * 20_000_000, 26_000)),
    "60 KB in 26 × 19,999 cells": ("xlsx", lambda: shared("x" * 60_000, 26 * 19_999)),
    "63 MB of cells": ("xlsx", lambda: xlsx(ROWS, "<row>" + "<c/>" * 15_000_000 + "</row>")),
    "63 MB of rows": ("xlsx", lambda: xlsx(ROWS, "<row/>" * 10_000_000)),
    "repeated cells": ("ods", lambda: ods(ROWS, repeated("x" * 60_000, 19_999))),
    "50,000 columns": (
        "csv",
        lambda: ("id,name,value,text,odd" + "".join(f",c{n}" for n in range(50_000))).encode(),
    ),
    "blank lines": ("csv", lambda: HEAD + b"\n" * 8_000_000),
    "wrong in each cell": (
        "csv",
        lambda: HEAD + b"".join(f"A{n},a,x,,maybe\n".encode() for n in range(20_000)),
    ),
    "wrong in each cell, never twice alike": (
        "csv",
        lambda: HEAD + b"".join(f"A{n},a,x{n},,maybe{n}\n".encode() for n in range(20_000)),
    ),
}
SPARSE = 20_000_000_000


def is_refused_soon(folder: Path, command: str, thing: str, told: str) -> None:
    """A command refuses a thing in a few words of its own."""
    code, said = run(folder, command, thing)
    assert code == 1, said[-2000:]
    assert "Traceback" not in said
    assert told in said
    assert said.count("\n") < 200


@pytest.mark.parametrize("name", ZIPS)
def test_a_zip_costs_no_more_than_it_is_worth(name: str, tmp_path: Path) -> None:
    (tmp_path / "room.zip").write_bytes(ZIPS[name]())
    is_refused_soon(tmp_path, "verify", "room.zip", "room.zip")


@pytest.mark.parametrize("name", TABLES)
def test_a_table_costs_no_more_than_it_is_worth(name: str, tmp_path: Path) -> None:
    suffix, make = TABLES[name]
    written(tmp_path / "source_data/small", make(), suffix)
    is_refused_soon(tmp_path, "check", "small", f"small/cards/things.{suffix}")


def test_a_sparse_file_of_20_gb_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "room.zip").write_bytes(sound_zip())
    os.truncate(tmp_path / "room.zip", SPARSE)
    is_refused_soon(tmp_path, "verify", "room.zip", "room.zip")
    os.truncate(written(tmp_path / "source_data/small", HEAD, "csv") / "cards/things.csv", SPARSE)
    is_refused_soon(tmp_path, "check", "small", "things.csv is larger than")


# ---- pictures and templates


def large_pictures(count: int) -> Iterator[bytes]:
    """PNG of 16 megapixels, no two the same."""
    stream = io.BytesIO()
    Image.new("L", (4000, 4000), 99).save(stream, "png")
    data, end = stream.getvalue()[:-12], stream.getvalue()[-12:]
    for number in range(count):
        text = b"tEXtnumber\0" + str(number).encode()
        note = struct.pack(">L", len(text) - 4) + text + struct.pack(">L", zlib.crc32(text))
        yield data + note + end


def test_300_large_pictures_are_looked_at_one_at_a_time(tmp_path: Path) -> None:
    write_small_game(tmp_path)
    folder = tmp_path / GAME
    (folder / "pictures").mkdir()
    with (folder / "cards/weapons.csv").open("a", encoding="utf-8") as cards:
        for number, data in enumerate(large_pictures(300)):
            (folder / f"pictures/P{number}.png").write_bytes(data)
            cards.write(f"P{number},Name{number},,1,base\n")
    code, said = run(tmp_path, "check", "small")
    assert code == 0, said[-2000:]


ENDLESS = "for a in range(90000) { for b in range(90000) { let c = a * b } }"


def test_the_user_may_allow_a_template_less_or_more(tmp_path: Path) -> None:
    write_small_game(tmp_path)
    (tmp_path / "templates/faces/small/text.typ").write_text(
        f"#let face(values) = {{ {ENDLESS} }}\n", encoding="utf-8"
    )
    for words in (["check", "small"], ["build", "small"], ["build", "small", "--images", "all"]):
        _code, said = run(tmp_path, *words, "--template-limits", "1", "400")
        assert "small/text.typ needs more than 1 s" in said, said[-2000:]
