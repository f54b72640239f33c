"""What an explanation is made of: headings with lines, their words, and what they draw on."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from exporter.core.messages import sentence
from exporter.model import (
    Game,
    Ruling,
)
from exporter.rules.kind import Rule
from exporter.rules.project import Project
from exporter.rules.rulebook import Rulebook


class Section(Struct, frozen=True):
    """A heading and its lines."""

    title: str
    lines: tuple[str, ...]


class Explanation(Struct, frozen=True):
    """What there is to say about one thing."""

    heading: str
    sections: tuple[Section, ...]


class Library(Struct, frozen=True):
    """An open game, and the language that it is explained in."""

    project: Project
    language: str

    @property
    def game(self) -> Game:
        """The game with its errata."""
        return self.project.corrected

    @property
    def book(self) -> Rulebook:
        """Its rules."""
        return self.project.book

    def word(self, key: str, **values: object) -> str:
        """A word of the explanations themselves."""
        return sentence("explanation", key, **values).in_language(self.language)

    def cites(self, keys: Iterable[str]) -> list[str]:
        """Sources with their titles and editions."""
        found = []
        for key in dict.fromkeys(keys):
            source = self.game.sources.get(key)
            edition = f" ({source.edition})" if source and source.edition else ""
            found.append(f"{source.in_language(self.language)}{edition}" if source else key)
        return found

    def titles(self, keys: Iterable[str]) -> str:
        """Sources by their titles, in one line."""
        known = self.game.sources
        return ", ".join(known[key].in_language(self.language) for key in keys if key in known)


def sections(*pairs: tuple[str, Iterable[str]]) -> tuple[Section, ...]:
    """Titles with lines as sections; those without a line are left out."""
    found = [Section(title, tuple(lines)) for title, lines in pairs]
    return tuple(section for section in found if section.lines)


def rule_lines(lib: Library, rules: Iterable[Rule]) -> list[str]:
    """Rules by id and title."""
    return [f"{rule.id} {rule.title.in_language(lib.language)}" for rule in rules]


def ruling_line(ruling: Ruling) -> str:
    """A ruling in one line."""
    return f"{ruling.id} {ruling.topic}: {ruling.ruling}"
