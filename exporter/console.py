"""What the commands share: their common options, and how problems and results are told."""

from __future__ import annotations

import contextlib
import errno
import gc
import io
import json
import locale
import math
import os
import sys
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exporter.words import ENGLISH, LANGUAGES, sentence

if TYPE_CHECKING:
    from exporter.making import Made
    from exporter.problems import Problem

_FORM = "exporter.form"
_LANGUAGE = "exporter.language"


def _remembered(context: click.Context, _parameter: click.Parameter, form: str) -> str:
    """The format is kept where the whole program finds it, to tell problems in it too."""
    context.meta[_FORM] = form
    return form


GAMES = click.argument("games", metavar="GAME…", nargs=-1)
ALL = click.option("--all", "every", is_flag=True, help="Every game that is found.")
SOURCE = click.option(
    "--source",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A folder of games to look in first.",
)
OUT = click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("output"),
    show_default=True,
    help="Where the files go.",
)
WITHOUT_SAMPLES = click.option(
    "--without-samples", is_flag=True, help="Leave out what was made up: sample mechs and theirs."
)
FORMAT = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    callback=_remembered,
    help="Text for people, or one JSON document for programs.",
)


LANGUAGE = click.Option(["--lang"], type=click.Choice(LANGUAGES), expose_value=False)


def language() -> str:
    """The language of whoever called: ``--lang``, else ``EXPORTER_LANG``, else the locale's."""
    context = click.get_current_context(silent=True)
    chosen = context.meta.get(_LANGUAGE, "") if context else ""
    return chosen or _usual_language()


def _usual_language() -> str:
    """That of the surroundings; English where they name none that there is."""
    for name in ("EXPORTER_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return _known_language(value)
    return _known_language(locale.getlocale()[0] or "") if os.name == "nt" else ENGLISH


def _known_language(text: str) -> str:
    return next((one for one in LANGUAGES if text.lower().startswith(one)), ENGLISH)


def _asked_language(args: Sequence[str]) -> str:
    """What ``--lang`` says anywhere in a command line, before anybody has read it."""
    options = args[: args.index("--")] if "--" in args else args
    pairs = zip(options, [*options[1:], ""], strict=True)
    asked = [
        after if word == "--lang" else word[7:] for word, after in pairs if word[:6] == "--lang"
    ]
    return asked[-1] if asked and asked[-1] in LANGUAGES else ""


class Command(click.Command):
    """A command that speaks the language of whoever called."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.params.append(LANGUAGE)


class Watched(Command):
    """A command that does it all again whenever a file is saved, if it is asked to ``--watch``."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        help_ = "Do it again whenever a file is saved, until Ctrl+C."
        self.params.append(click.Option(["--watch"], is_flag=True, help=help_))

    def invoke(self, ctx: click.Context) -> Any:
        if not ctx.params.pop("watch"):
            return super().invoke(ctx)
        from exporter.problems import InvalidSource
        from exporter.web.watching import saves
        from exporter.words import words

        for _time in saves(_places(ctx.params)):
            try:
                super().invoke(ctx)
            except InvalidSource as error:
                _refuse(ctx, error.problems)
            except SystemExit as error:  # it was said why
                if isinstance(error.code, int) and error.code > 128:  # somebody ends it
                    return None
            click.echo(words("serve", language())["watching"], err=True)
        return None


def _places(params: Mapping[str, Any]) -> list[Path]:
    """The folders and files that a command is about. Raises ``InvalidSource``."""
    from exporter.door.answers import find_games
    from exporter.door.named import folders_of
    from exporter.source import is_build_file

    things = params.get("games") or params.get("things") or ()
    files = [Path(thing) for thing in things if is_build_file(thing)]
    games = [thing for thing in things if not is_build_file(thing)]
    source = params["source"]
    folders = folders_of(games, source) if games else [] if files else find_games(source)
    own = Path("templates")
    return [path for path in (*folders, *files, own) if path.exists()]


def _refuse(ctx: click.Context, problems: Sequence[Problem]) -> None:
    """Tell what is wrong in the form that was asked for."""
    if ctx.meta.get(_FORM) == "json":
        report_json(problems)
    else:
        report(problems)
        click.echo(f"{tally(problems)}.", err=True)


class Number(click.FloatRange):
    """A number between two bounds; ``nan`` is none, though it is outside of no range."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


def _allowed(
    context: click.Context, _parameter: click.Parameter, limits: tuple[float, float] | None
) -> None:
    if limits is not None:
        from exporter.paint.press import ALLOWED, Limits

        before = ALLOWED.set(Limits(*limits))
        context.call_on_close(lambda: ALLOWED.reset(before))


TEMPLATE_LIMITS = click.option(
    "--template-limits",
    type=(Number(1, 3600), Number(100, 64_000)),
    metavar="SECONDS MB",
    expose_value=False,
    callback=_allowed,
    help="What a template of your own may take for one batch of faces; by default 10 s, 500 MB.",
)


class Commands(click.Group):
    """Commands whose problems are told all at once, with exit code 1 and no traceback.

    What the system refuses outside the files that a command reads and writes, such as standard
    output on a full disk, is told too; of a closed pipe click makes a quiet end.
    """

    command_class = Command

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.params.append(LANGUAGE)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_LANGUAGE] = _asked_language(args)
        if any("\0" in word for word in args):  # a shell cannot give one, but a program can
            raise click.UsageError("A word of the command holds a NUL character.", ctx)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        from exporter.problems import InvalidSource

        try:
            return super().invoke(ctx)
        except InvalidSource as error:
            _refuse(ctx, error.problems)
            ctx.exit(1)
        except SystemExit as error:
            for note in getattr(error, "__notes__", ()):
                click.echo(note, err=True)
            raise
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise
            click.echo(f"error {error}", err=True)
            ctx.exit(1)


def prepare() -> None:
    """What a terminal or a pipe cannot show is written as an escape, and is no error.

    A command makes many values and little rubbish: looking for it less often saves a tenth.
    """
    gc.set_threshold(100_000, 50, 50)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def colours() -> bool | None:
    """No colours for who asks for none (https://no-color.org); else what the terminal can show."""
    return False if os.environ.get("NO_COLOR") else None


def counted(count: int, noun: str) -> str:
    """``1 file``, ``2 files``."""
    return f"{count} {noun}" if count == 1 else f"{count:,} {noun}s"


def tally(problems: Iterable[Problem]) -> str:
    """``2 errors, 1 warning``; a notice is no error."""
    from exporter.problems import counts

    found = [counted(count, word) for word, count in counts(problems).items() if count]
    return ", ".join(found) or "0 problems"


def words(text: str, separator: str = ",") -> tuple[str, ...]:
    """The words of an option's value; what separates them may be as wide as Japanese is."""
    text = text.translate(_WIDE)
    return tuple(word.strip() for word in text.split(separator) if word.strip())


_WIDE = str.maketrans("，、＋", ",,+")


def day(text: str, option: str) -> str:
    """A day that an option gives, as ``2026-01-31``; nothing stays nothing."""
    if not text:
        return ""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise click.UsageError(f"{option} {text}: write a day such as 2026-01-31.") from None


def shown_lines(text: str) -> str:
    """What is told of a game's data: a text in it steers no terminal."""
    from exporter.problems import shown

    return "\n".join(map(shown, text.split("\n")))


def table(lines: Sequence[str]) -> list[str]:
    """Lines with tabs as columns of equal width; Japanese characters are two wide."""

    def width(text: str) -> int:
        return sum(2 if unicodedata.east_asian_width(mark) in "WF" else 1 for mark in text)

    rows = [line.split("\t") for line in lines]
    columns = max(len(row) for row in rows)
    if columns == 1:
        return list(lines)
    widths = [max(width(row[i]) for row in rows if len(row) > i) for i in range(columns)]
    return [
        "  ".join(cell + " " * (widths[i] - width(cell)) for i, cell in enumerate(row)).rstrip()
        for row in rows
    ]


def report(problems: Iterable[Problem]) -> None:
    """Problems on standard error, one a line."""
    styles, spoken = {"error": "red", "warning": "yellow", "notice": "cyan"}, language()
    for problem in problems:
        word = str(problem.severity)
        text = problem.in_language(spoken)
        said = sentence("severity", word).in_language(spoken)
        coloured = click.style(said, fg=styles[word], bold=True)
        text = text.replace(f"{said} {problem.rule} ", f"{coloured} {problem.rule} ", 1)
        click.echo(text, err=True)


def report_json(problems: Sequence[Problem], **more: Any) -> None:
    """Problems and what was found, as the one JSON document on standard output."""
    from exporter.problems import counts, problem_values

    values = [problem_values(problem, language()) for problem in problems]
    echo_json({**more, "problems": values, "summary": counts(problems)})


def echo_json(document: Mapping[str, Any]) -> None:
    """A JSON document on standard output, with escapes for a pipe that is not Unicode."""
    encoding = getattr(sys.stdout, "encoding", None) or ""
    is_unicode = encoding.lower().startswith("utf")
    click.echo(json.dumps(document, ensure_ascii=not is_unicode, indent=2))


def tell_made(made: Iterable[Made]) -> None:
    """What was made: each file with its size and how much is in it."""
    for each in made:
        counts = (counted(count, noun) for count, noun in each.counts if count)
        click.echo(f"{each.path}  {', '.join((_size(each.size), *counts))}")


def tell_folders(made: Iterable[Made]) -> None:
    """Where many files of one sort were made: each folder, with their size and number."""
    folders: dict[Path, list[Made]] = {}
    for each in made:
        folders.setdefault(each.path.parent, []).append(each)
    for folder, some in sorted(folders.items()):
        size = _size(sum(each.size for each in some))
        click.echo(f"{folder}  {size}, {counted(len(some), 'picture')}")


def _size(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB" if size >= 1_000_000 else f"{size / 1000:.1f} kB"


def progress(what: str, noun: str, many: int) -> tuple[Any, Callable[[int, int], None]]:
    """A progress bar on a terminal; elsewhere one line, where there are ``many`` to wait for."""
    if not (sys.stderr and sys.stderr.isatty()):
        return contextlib.nullcontext(), _told_once(what, noun, many)
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task(what, visible=False)
    return bar, lambda done, total: bar.update(task, completed=done, total=total, visible=True)


def _told_once(what: str, noun: str, many: int) -> Callable[[int, int], None]:
    told = False

    def tell(_done: int, total: int) -> None:
        nonlocal told
        if not told and total >= many:
            click.echo(f"{what} {counted(total, noun)} …", err=True)
        told = True

    return tell
