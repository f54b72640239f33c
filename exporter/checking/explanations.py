"""What an explanation is made of: headings with lines, their words, and what they draw on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from exporter.model import Game, Ruling
from exporter.rules.book import Rule, Rulebook
from exporter.rules.errata import corrected

_WORDS: Mapping[str, Mapping[str, str]] = {
    "ja": {
        "status": "状態",
        "sources": "出典",
        "rulings": "裁定",
        "cases": "例",
        "errata": "訂正",
        "parameters": "パラメータ",
        "assumed": "仮定",
        "checked": "検査する",
        "by-hand": "人が見る",
        "not-yet": "未対応",
        "reason": "理由",
        "figures": "数値",
        "printed": "印刷",
        "now": "訂正後",
        "placement": "搭載部位",
        "modifies": "変える数値",
        "terms": "項",
        "formula": "式",
        "breaks": "違反の例",
        "keeps": "守る例",
        "date": "日付",
        "unknown": "不明",
        "fields": "記載",
        "regulations": "レギュレーション",
        "without": "適用しない規則",
        "clauses": "読めていない条項",
        "missing": "公開されていないもの",
        "mounted": "搭載",
        "distance": "何マス先",
        "minimum": "最小",
        "modified-by": "変えるカード",
        "rules": "規則",
        "not-held": "ここでは適用しない",
        "certainty": "確かさ",
        "any": "どの部位でも",
        "sets": "組",
        "at_least": "1枚以上",
        "at_most": "1部位に{0}枚まで",
        "frame": "機体の条件",
        "unlimited": "以降も同じ",
        "relations": "ほかのカード",
    },
    "en": {
        "status": "status",
        "sources": "sources",
        "rulings": "rulings",
        "cases": "cases",
        "errata": "errata",
        "parameters": "parameters",
        "assumed": "assumed",
        "checked": "checked",
        "by-hand": "by hand",
        "not-yet": "not yet",
        "reason": "reason",
        "figures": "figures",
        "printed": "printed",
        "now": "corrected",
        "placement": "placement",
        "modifies": "modifies",
        "terms": "terms",
        "formula": "formula",
        "breaks": "breaks it",
        "keeps": "keeps it",
        "date": "date",
        "unknown": "unknown",
        "fields": "fields",
        "regulations": "regulations",
        "without": "rules that do not hold",
        "clauses": "clauses not read",
        "missing": "not published",
        "mounted": "mounted",
        "distance": "distance",
        "minimum": "minimum",
        "modified-by": "modified by",
        "rules": "rules",
        "not-held": "does not hold here",
        "certainty": "certainty",
        "any": "any part",
        "sets": "sets",
        "at_least": "one or more on",
        "at_most": "at most {0} a part",
        "frame": "frame",
        "unlimited": "and so on",
        "relations": "other cards",
    },
}


class Section(Struct, frozen=True):
    """A heading and its lines."""

    title: str
    lines: tuple[str, ...]


class Explanation(Struct, frozen=True):
    """What there is to say about one thing."""

    heading: str
    sections: tuple[Section, ...]


class Library(Struct, frozen=True):
    """What explanations draw on: the game as printed and as corrected, its rules, a language."""

    printed: Game
    game: Game
    book: Rulebook
    language: str

    def word(self, key: str) -> str:
        """A word of the explanations themselves."""
        return _WORDS[self.language][key]

    def cites(self, keys: Iterable[str]) -> list[str]:
        """Sources with their titles and editions."""
        found = []
        for key in dict.fromkeys(keys):
            source = self.game.sources.get(key)
            edition = f" ({source.edition})" if source and source.edition else ""
            found.append(f"{key}: {source.title}{edition}" if source else key)
        return found


def library(game: Game, book: Rulebook, language: str) -> Library:
    """A library over a game as it was read."""
    return Library(game, corrected(game), book, language)


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
