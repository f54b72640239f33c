"""The program's commands, called in the process of the tests."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner, Result

from exporter.cli.main import exporter


def run(*words: object, typed: str | None = None) -> Result:
    """How a command ended and what it said; a traceback is a fault of the program."""
    result = CliRunner().invoke(exporter, [str(word) for word in words], input=typed)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result


def output_of(*words: object) -> str:
    """What a command says that does all it was asked for."""
    result = run(*words)
    assert result.exit_code == 0, result.output
    return result.output


class Ran(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def told(self) -> list[str]:
        """The problems, one a line, without the count at the end."""
        return self.err.splitlines()[:-1]

    @property
    def errors(self) -> list[str]:
        """The errors, one a line."""
        return [line for line in self.err.splitlines() if " error " in line]

    @property
    def document(self) -> Any:
        """Standard output as one JSON document."""
        return json.loads(self.out)


Run = Callable[..., Ran]


def runner(capsys: Any) -> Run:
    """Runs the program as its script does; a traceback would be an error of the test."""

    def ran(*words: str) -> Ran:
        with pytest.raises(SystemExit) as end:
            exporter.main(list(words), prog_name="exporter")
        return Ran(int(end.value.code or 0), *capsys.readouterr())

    return ran
