"""The program's commands, called in the process of the tests."""

from __future__ import annotations

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
