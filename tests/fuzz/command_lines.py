"""Command lines of all commands: options of every kind, with values sound, odd and hostile."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from random import Random

import click

WORDS = (
    *("", " ", "-", "--", "a", "x" * 5000, "字" * 300, "../..", "a/b", "con", "\0", "\n", "\ud800"),
    *("0", "1", "-1", "99", "100000", "1e999", "nan", "inf", "1x1", "0x0", "3x4x5", "63x88", "１"),
    *("AA", "AA:kai", "AG", "AG:basic", "AA:", ":", "red1=AA", "red1=AA:kai", "red1=", "=AA", "=="),
    *("A+J2+B", "A", "+", "field", "all", "a,b", ",", "base", "more", "base,more"),
    *("a4", "a3", "a99", "letter", "home-a4", "konbini-a4", "cards", "boards", "mechs", "figures"),
    *("2026-01-31", "2026-02-31", "0001-01-01", "99999-01-01"),
    *("standard", "standard@1", "@", "x@y", "EM-E1", "EM-C1"),
    *("builds.yaml", "builds.csv", "none.yaml", "source_data", "red1=builds.yaml", "Laser", "W1"),
    *("${name}", "{0}", "%s", "\x1b[2J", "*", "2-4", "4-2", "1〜3", "攻撃力", "軽量化", "EM-R1"),
)
FOLDERS = ("out", "out/deeper/still", "builds.yaml", "builds.yaml/x", ".")
PLACES = (*FOLDERS, "", "x" * 300, "/dev/null/x")
GAMES = (*["small"] * 3, "wrath_of_god", "macelandia", "embryo_machine", "none", "schemas")
DEAR = {"--all", "--dpi"}
"""What makes a run long: rarely given."""
ENDLESS = {"serve", "--watch"}
"""What goes on until somebody ends it: never given."""


def command_line(
    program: click.Group, chance: Random, games: Mapping[str, Mapping[str, bytes]]
) -> list[str]:
    """Words for one run of the program."""
    names = sorted(program.commands.keys() - ENDLESS)
    name = chance.choice(names)
    command = program.commands[name]
    arguments: list[str] = []
    options: list[str] = []
    files = [PurePosixPath(path).stem for files in games.values() for path in files]
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            most = 3 if parameter.nargs < 0 else 1
            arguments += [_argument(name, chance) for _ in range(chance.choice([1, 1, 1, most]))]
        elif isinstance(parameter, click.Option) and ENDLESS.isdisjoint(parameter.opts):
            option = chance.choice(parameter.opts)
            if chance.random() < (0.03 if option in DEAR else 0.18):
                for _ in range(chance.choice([1, 1, 3]) if parameter.multiple else 1):
                    options += _option(option, parameter, chance, files)
    if name in ("build", "print") and "--out" not in options:
        options += ["--out", "out"]
    if chance.random() < 0.03:
        options.append(chance.choice(["--none", "-x", "--help", "--version", "-"]))
    return [name, *arguments, *options]


def _argument(command: str, chance: Random) -> str:
    if command == "schema":
        return chance.choice(PLACES)
    draw = chance.random()
    if draw < 0.6 and command not in ("new", "verify"):
        return chance.choice(GAMES)
    if draw < 0.8:
        return chance.choice(("builds.yaml", "builds.csv", "Laser", "mine", "own_game"))
    return chance.choice(WORDS)


def _option(option: str, parameter: click.Option, chance: Random, files: list[str]) -> list[str]:
    if parameter.is_flag:
        return [option]
    kind = parameter.type
    if isinstance(kind, click.Choice) and chance.random() < 0.9:
        return [option, chance.choice([str(one) for one in kind.choices])]
    if option == "--dpi" and chance.random() < 0.8:
        return [option, "36"]
    if option == "--source":
        return [option, chance.choice(["source_data", ".", "none", "builds.yaml"])]
    if isinstance(kind, click.Path):
        return [option, chance.choice(PLACES)]
    if isinstance(kind, click.FloatRange) and chance.random() < 0.7:
        least, most = kind.min or 0, kind.max or 0
        return [
            option,
            str(chance.choice([least, most, (least + most) / 2, 3, most + 1, least - 1])),
        ]
    return [option, chance.choice(WORDS if chance.random() < 0.7 else files)]
