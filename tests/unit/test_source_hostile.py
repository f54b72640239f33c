"""Whatever stands in a folder, reading it ends in a game or in problems, never otherwise."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_up_games import write
from source_specimen import FILES

from exporter.core.problems import InvalidSource, Problem
from exporter.loader.game_reader import read_game

few = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
names = st.sampled_from(sorted(FILES))


def faults(folder: Path) -> tuple[Problem, ...]:
    """What is wrong with a folder; anything but ``InvalidSource`` escapes."""
    try:
        read_game(folder)
    except InvalidSource as invalid:
        return invalid.problems
    return ()


def judge(name: str, content: bytes) -> None:
    """Reads the tiny game with one file's bytes exchanged; problems must have places."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = write(Path(temporary) / "tiny", FILES)
        (folder / name).write_bytes(content)
        for problem in faults(folder):
            assert problem.where.file.startswith("tiny/")
            assert problem.rule.startswith("SRC-")
            assert len(str(problem)) < 1000


@pytest.mark.slow
@few
@given(names, st.binary(max_size=200))
def test_random_bytes(name: str, content: bytes) -> None:
    judge(name, content)


@pytest.mark.slow
@few
@given(names, st.text(max_size=200))
def test_random_text(name: str, content: str) -> None:
    judge(name, content.encode("utf-8", "surrogatepass"))


@pytest.mark.slow
@settings(parent=few, max_examples=40)
@given(names, st.data())
def test_sound_files_with_a_piece_cut_out_or_put_in(name: str, data: st.DataObject) -> None:
    content = FILES[name]
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, min(len(content), start + 20)))
    pieces = ['"', "'", ":", ": ", "\n", "- ", "[", "]", "{", "}", ",", "&a ", "*a", "\t", "0", "#"]
    pieces += [
        "<<: ", "? ", "!x ", "|\n", "1e999", "~", "\r", "\x85", "\ufeff", "...", "---\n", "%",
    ]  # fmt: skip
    put = "".join(data.draw(st.lists(st.sampled_from(pieces), max_size=4)))
    judge(name, (content[:start] + put + content[end:]).encode())


@pytest.mark.slow
@few
@given(names, st.data())
def test_sound_files_with_lines_exchanged(name: str, data: st.DataObject) -> None:
    lines = FILES[name].splitlines(keepends=True)
    judge(name, "".join(data.draw(st.permutations(lines))).encode())


@pytest.mark.slow
@few
@given(names, names)
def test_files_in_the_place_of_others(name: str, other: str) -> None:
    judge(name, FILES[other].encode())
