"""The language of the command line: which one it is, help texts, and what click says, in it."""

from __future__ import annotations

import locale
import os
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any

import click

from exporter.core.messages import ENGLISH, LANGUAGES, Sentence, sentence, words
from exporter.core.problems import nearest

_LANGUAGE = "exporter.language"

LANGUAGE = click.Option(["--lang"], type=click.Choice(LANGUAGES), expose_value=False)


def language() -> str:
    """Return the language of whoever called: ``--lang``, else ``EXPORTER_LANG``, else the
    locale's."""
    return _language_of(click.get_current_context(silent=True))


def _language_of(context: click.Context | None) -> str:
    chosen: str = context.meta.get(_LANGUAGE, "") if context else ""
    if chosen:
        return chosen
    names = ("EXPORTER_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
    usual = next(filter(None, map(os.environ.get, names)), None)
    if usual is None and os.name == "nt":
        usual = locale.getlocale()[0]
    return next((one for one in LANGUAGES if (usual or "").lower().startswith(one)), ENGLISH)


def _language_in(args: Sequence[str]) -> str:
    """Return what ``--lang`` says anywhere in a command line, before anybody has read it: what was
    understood last, so that a language that there is not is reported in the one before it."""
    options = "\0".join(args[: args.index("--")] if "--" in args else args)
    asked = re.findall(r"(?:^|\0)--lang(?:=|\0)([^\0]*)", options)
    return next((one for one in reversed(asked) if one in LANGUAGES), "")


def say(key: str, **values: object) -> str:
    """Return one of the answers of the command line, in the language of whoever called."""
    return say_of("answer", key, **values)


def say_of(of: str, key: str, **values: object) -> str:
    """Return a sentence of an id, in the language of whoever called."""
    return sentence(of, key, **values).in_language(language())


class Misused(click.UsageError):
    """A wrong command line, with a sentence of ``usage``."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(say_of("usage", key, **values), click.get_current_context(silent=True))


def refuse_misuse(found: Mapping[str, object]) -> None:
    """Raise ``Misused`` with the first sentence of ``usage`` that applies."""
    for key in filter(found.get, found):
        raise Misused(key)


class _TranslatedError(click.UsageError):
    """What click finds wrong, as a sentence of ``usage``; rare faults keep click's own words."""

    def __init__(self, error: click.UsageError) -> None:
        text, self.spoken = error.format_message(), _language_of(error.ctx)
        if not isinstance(error, Misused):
            text = _fault(error, text).in_language(self.spoken)
        super().__init__(text, error.ctx)

    def show(self, file: IO[Any] | None = None) -> None:
        if self.ctx is not None:
            with self.ctx.scope(cleanup=False):
                click.echo(self.ctx.get_usage(), file=file, err=True)
            hint = sentence("usage", "try", command=self.ctx.command_path)
            click.echo(f"{hint.in_language(self.spoken)}\n", file=file, err=True)
        error = sentence("usage", "error", quote=self.message)
        click.echo(error.in_language(self.spoken), file=file, err=True)


def _fault(error: click.UsageError, text: str) -> Sentence:
    param: click.Parameter | None = getattr(error, "param", None)
    name = param.get_error_hint(error.ctx).replace("'", "") if error.ctx and param else ""
    match error:
        case click.NoSuchOption():
            near = nearest(error.option_name, error.possibilities or ())
            return sentence("usage", "no-such-option", name=error.option_name, nearest=near)
        case click.MissingParameter():
            return sentence("usage", "missing", name=name)
        case click.BadParameter() if param and isinstance(param.type, click.Choice):
            return sentence("usage", "bad-choice", name=name, allowed=", ".join(param.type.choices))
        case click.BadParameter():
            return sentence("usage", "bad-value", name=name, quote=error.message)
        case click.BadOptionUsage():
            return sentence(
                "usage",
                "needs-value" if "requires" in text else "needs-no-value",
                name=error.option_name,
            )
    return sentence("usage", "wrong", quote=text)


def translated(error: click.UsageError) -> click.UsageError:
    """Return the same in the language of whoever called."""
    if isinstance(error, _TranslatedError) or type(error).__name__ == "NoArgsIsHelpError":
        return error
    return _TranslatedError(error)


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes; Japanese characters take two."""
    return sum(1 + (unicodedata.east_asian_width(mark) in "WF") for mark in text)


# Wide characters one by one, and what stands between them in words.
_WORDS = re.compile(r"[!-\u10ff\u2010-\u2e7f]+|.|\n")


def wrapped(text: str, columns: int) -> str:
    """Return a text with wide characters in lines of a width; others, click folds itself."""
    return "\n\n".join(_wrapped(paragraph, columns) for paragraph in text.split("\n\n"))


def _wrapped(text: str, columns: int) -> str:
    if width(text) == len(text):
        return text
    lines, line = [], ""
    for word in _WORDS.findall(text):
        if word == "\n" or (width(line + word) > columns and word not in "、。）」・：／"):
            lines.append(line.rstrip())
            line = ""
        line += word.strip("\n") if line else word.strip()
    return "\b\n" + "\n".join([*lines, line])


class _HelpFormatter(click.HelpFormatter):
    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        rows = list(rows)
        first = min(max(len(term) for term, _ in rows), col_max) + col_spacing
        lines = [(term, wrapped(text, self.width - first - 2)) for term, text in rows]
        super().write_dl(lines, col_max, col_spacing)

    def write_text(self, text: str) -> None:
        super().write_text(wrapped(text, self.width - self.current_indent))


class _Context(click.Context):
    formatter_class = _HelpFormatter


class Command(click.Command):
    """A command in the language of whoever called; its help texts are messages under ``help``.

    They go by its name and those of its parameters: ``build``, ``build.rooms``; ``any.source``
    serves all commands.
    """

    context_class = _Context

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.params.append(LANGUAGE)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # click's parser leaves it out, and so the language
            raise

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, prefix=f"{say_of('help', 'any.usage')} ")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(say_of("help", f"{self.name}"))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        known = words("help", language())
        rows = []
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if isinstance(param, click.Option) and record is not None:
                name = "help" if "--help" in param.opts else param.name
                text = known.get(f"{self.name}.{name}", known.get(f"any.{name}", ""))
                rows.append((record[0], f"{text}{_limits(param)}".strip()))
        with formatter.section(say_of("help", "any.options")):
            formatter.write_dl(rows)
        if example := known.get(f"{self.name}.example"):
            with formatter.section(known["any.example"]):
                formatter.write_text(f"\b\n{example}")

    def get_short_help_str(self, limit: int = 45) -> str:
        return say_of("help", f"{self.name}").partition("\n")[0]


def _limits(option: click.Option) -> str:
    """Return what a number may be, and what an option is by default."""
    notes = []
    if shown := option.show_default:
        value = shown if isinstance(shown, str) else option.default
        notes.append(say_of("help", "any.default", value=value))
    if isinstance(option.type, click.FloatRange | click.IntRange):
        notes.append(f"{option.type.min}<=x<={option.type.max}")
    return f"  [{'; '.join(notes)}]" if notes else ""


class CommandGroup(Command, click.Group):
    """A command of several, which are listed in its help."""

    command_class = Command
    groups: dict[str, list[str]]

    def add_group(self, title: str, *commands: click.Command) -> None:
        """Add commands that the help lists under a heading."""
        self.groups = {**getattr(self, "groups", {}), title: [str(one.name) for one in commands]}
        for command in commands:
            self.add_command(command)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_LANGUAGE] = _language_in(args)
        if any("\0" in word for word in args):  # a shell cannot give one, but a program can
            raise Misused("nul")
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.commands and not args[0].startswith("-"):
            near = nearest(args[0], self.commands)
            raise Misused("no-such-command", name=args[0], nearest=near)
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        for title, names in self.groups.items():
            rows = [(name, self.commands[name].get_short_help_str()) for name in names]
            with formatter.section(say_of("help", title)):
                formatter.write_dl(rows)
