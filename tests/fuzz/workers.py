"""Processes that try mutants: started anew, never forked, and ended where they hang."""

from __future__ import annotations

import multiprocessing
import tempfile
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from trials import Bench, Trial

MOST_TRIALS = 50
"""After so many a process is replaced, so that none costs more for what came before it."""


def tried(
    mutants: Iterable[tuple[str, int]],
    seed: int,
    workers: int = 1,
    cache: Path | None = None,
) -> Iterator[Trial]:
    """What came of each mutant, a sort and a number, as it comes.

    Without a ``cache`` that is there already each run has one of its own.
    """
    left = iter(mutants)
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        running: dict[Connection, tuple[BaseProcess, tuple[str, int], int]] = {}
        for _ in range(workers):
            _give(running, *_started(Path(name), seed, cache), 0, next(left, None))
        while running:
            for pipe in wait(list(running)):
                assert isinstance(pipe, Connection)
                process, mutant, count = running.pop(pipe)
                try:
                    yield pipe.recv()
                except EOFError:
                    process.join()
                    yield Trial(*mutant, violations=[_ended(process.exitcode)])
                    count = MOST_TRIALS
                if count >= MOST_TRIALS:
                    pipe.close()
                    process.join()
                    process, pipe, count = *_started(Path(name), seed, cache), 0
                _give(running, process, pipe, count, next(left, None))


def _give(
    running: dict[Connection, tuple[BaseProcess, tuple[str, int], int]],
    process: BaseProcess,
    pipe: Connection,
    count: int,
    mutant: tuple[str, int] | None,
) -> None:
    if mutant is None:
        pipe.close()
        process.join()
    else:
        pipe.send(mutant)
        running[pipe] = process, mutant, count + 1


def _started(folder: Path, seed: int, cache: Path | None) -> tuple[BaseProcess, Connection]:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_work, args=(there, folder, seed, cache), daemon=True)
    process.start()
    there.close()
    return process, here


def _work(pipe: Connection, folder: Path, seed: int, cache: Path | None) -> None:
    bench = Bench(folder, seed, cache)
    while True:
        try:
            mutant = pipe.recv()
        except EOFError:
            return
        pipe.send(bench.trial(*mutant))


def _ended(code: int | None) -> str:
    return "has no end, and was ended" if code == -27 else f"the process ended with {code}"
