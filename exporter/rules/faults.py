"""What a rule finds wrong, and how it is said in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from exporter.model import Card, Name
from exporter.problems import Problem, Severity, Where
from exporter.rules.book import Rule


class Spot(Struct, frozen=True):
    """A mounted card: its part, its slot (from 0), where the source says so."""

    part: str
    slot: int
    card: Card
    where: Where


class Fault(Struct, frozen=True):
    """One thing against a rule; ``text`` is a key of ``WORDING``, ``values`` fill its blanks.

    Whatever mends it moves or removes one of ``touches`` or adds ``missing``. With ``lack``,
    something absent would mend it: a build with names that cannot be read is not blamed for it.
    """

    where: Where
    text: str
    values: Mapping[str, object] = field(default_factory=dict)
    severity: Severity = Severity.ERROR
    touches: tuple[Spot, ...] = ()
    missing: Card | None = None
    lack: bool = False


STEADFAST: Final = (
    "frame", "place-part", "place-most", "copies", "limits-ban", "box", "kind", "pilots", "skills",
    "same-name",
)  # fmt: skip
"""Faults of a build that no further card could undo: others rest on what is absent, or on figures,
which any card may change."""

WORDING: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "slots": {
        "ja": ("{part}に{found}枚、スロットは{allowed}。", "{over}枚をほかの部位へ移すか、外す。"),
        "en": (
            "{part} holds {found} cards and has {allowed} slots.",
            "Move {over} elsewhere, or remove it.",
        ),
    },
    "empty-slots": {
        "ja": (
            "空きスロットがある: {parts}。",
            "違反ではない。デッキは{deck}枚、{figure}は{value}。",
        ),
        "en": (
            "There are empty slots: {parts}.",
            "This is legal. The deck has {deck} cards, {figure} is {value}.",
        ),
    },
    "frame": {
        "ja": ("{found}という機体タイプはない。", "{allowed}"),
        "en": ("There is no frame {found}.", "{allowed}"),
    },
    "place-part": {
        "ja": ("{card}は{part}に積めない。搭載部位は「{pattern}」。", "{allowed}へ移すか、外す。"),
        "en": (
            "{card} cannot be mounted on {part}; its placement is {pattern}.",
            "Move it to {allowed}, or remove it.",
        ),
    },
    "place-frame": {
        "ja": ("{card}はこの機体（{frame}）に積めない。搭載部位は「{pattern}」。", "外す。"),
        "en": (
            "{card} cannot be mounted on this frame ({frame}); its placement is {pattern}.",
            "Remove it.",
        ),
    },
    "place-sets": {
        "ja": (
            "{card}の搭載部位は「{pattern}」だが、{found}に積んでいる。",
            "1組は{allowed}。足りないところへ移すか加え、余りは外す。",
        ),
        "en": (
            "{card} is mounted {found}; its placement is {pattern}.",
            "One set is {allowed}: move or add what is short, remove what is over.",
        ),
    },
    "place-mixed": {
        "ja": (
            "{card}の搭載部位は「{pattern}」で、2通りを同時には使えない。いまは{found}。",
            "どちらかの組だけにする。",
        ),
        "en": (
            "{card} uses both alternatives of {pattern} at once: {found}.",
            "Keep only one of the two.",
        ),
    },
    "place-least": {
        "ja": ("{card}は{parts}に1枚もない。搭載部位は「{pattern}」。", "1枚を{parts}へ移す。"),
        "en": (
            "{card} has no copy on {parts}; its placement is {pattern}.",
            "Move one there.",
        ),
    },
    "place-most": {
        "ja": (
            "{card}が{part}に{found}枚。搭載部位は「{pattern}」、1部位に{allowed}枚まで。",
            "ほかの部位へ移すか、外す。",
        ),
        "en": (
            "{part} holds {found} {card}; by its placement {pattern} at most {allowed} a part.",
            "Move it elsewhere, or remove it.",
        ),
    },
    "together-part": {
        "ja": (
            "{card}は同じ部位に{needed}枚必要。{part}には{found}枚。",
            "同じ部位に集めるか、加えるか、外す。",
        ),
        "en": (
            "{card} needs {needed} in one part; {part} holds {found}.",
            "Bring them together, add one, or remove them.",
        ),
    },
    "together-all": {
        "ja": ("{card}は合わせて{needed}枚必要。いまは{found}枚。", "加えるか、外す。"),
        "en": ("{card} needs {needed} in all; there are {found}.", "Add one, or remove it."),
    },
    "exchange": {
        "ja": (
            "{card}は、合う武装の1枚と入れ替えて積む。{part}では、どの武装とも入れ替わっていない。"
            "{why}",
            "合う武装をそろえるか、{card}を移すか、外す。",
        ),
        "en": (
            "{card} takes the place of one card of a fitting weapon; on {part} it has taken "
            "none's. {why}",
            "Complete such a weapon, move {card}, or remove it.",
        ),
    },
    "copies": {
        "ja": ("{card}が{found}枚。{allowed}枚まで。", "{over}枚を外す。"),
        "en": ("There are {found} {card}; {allowed} are allowed.", "Remove {over}."),
    },
    "limits-ban": {
        "ja": ("{card}はこの大会で使えない。", "外す。"),
        "en": ("{card} is banned here.", "Remove it."),
    },
    "box": {
        "ja": ("{card}は「{box}」の{kind}。持っている箱は{owned}。", "箱を足すか、外す。"),
        "en": (
            "{card} belongs to the box {box}; owned: {owned}.",
            "Add the box, or remove it.",
        ),
    },
    "requires": {
        "ja": ("{card}には{needs}が必要。", "{needs}を加えるか、{card}を外す。"),
        "en": ("{card} requires {needs}.", "Add one, or remove {card}."),
    },
    "excludes": {
        "ja": ("{cards}は一緒に積めない（{within}）。", "どれか1枚だけにする。"),
        "en": ("{cards} exclude one another ({within}).", "Keep one of them."),
    },
    "budget": {
        "ja": ("{figure} {found}、上限は{allowed}。内訳: {terms}", "{over}減らす。"),
        "en": ("{figure} is {found}, the limit is {allowed}: {terms}", "Save {over}."),
    },
    "pilots": {
        "ja": ("パイロットが{found}人。席は{allowed}。", "{over}人減らす。"),
        "en": ("There are {found} pilots and {allowed} seats.", "Leave out {over}."),
    },
    "skills": {
        "ja": ("{pilot}の技能が{found}個。{allowed}個まで。", "{over}個減らす。"),
        "en": ("{pilot} has {found} skills; {allowed} are allowed.", "Remove {over}."),
    },
    "same-name": {
        "ja": ("{cards}は同じ名とみなす。{owner}は1つしか持てない。", "1つだけにする。"),
        "en": ("{cards} count as one; {owner} may have it once.", "Keep one."),
    },
    "kind": {
        "ja": ("{card}は{found}。ここに置けるのは{allowed}だけ。", "外すか、ほかの名に直す。"),
        "en": ("{card} is a {found}; only {allowed} can stand here.", "Remove or correct it."),
    },
    "printed-only": {
        "ja": (
            "{build}は、印刷されたどの構成とも同じでない。",
            "{nearest}が最も近い。違い: {difference}",
        ),
        "en": (
            "{build} equals no printed loadout.",
            "The nearest is {nearest}: {difference}",
        ),
    },
    "figure": {
        "ja": ("{figure}は{found}とあるが、計算では{value}。{total}", "数字か構成を直す。"),
        "en": (
            "{figure} is said to be {found}; it comes to {value}: {total}",
            "Correct the figure or the construction.",
        ),
    },
    "deck-size": {
        "ja": (
            "{deck}の印{mark}は{found}枚、{figure}は{value}。武装は{slots}スロットに{weapons}枚。"
            "{gap}",
            "{repairs}",
        ),
        "en": (
            "{deck} has {found} cards marked {mark}, {figure} is {value}: "
            "{weapons} weapons in {slots} slots. {gap}",
            "{repairs}",
        ),
    },
    "deck-number": {
        "ja": ("{deck}は{found}枚。決まりでは{value}枚。", "枚数を直す。"),
        "en": ("{deck} has {found} cards; by the rules {value}.", "Correct the copies."),
    },
    "deck-cards": {
        "ja": ("{deck}の印{mark}に{card}が{found}枚、決まりでは{allowed}枚。", "枚数か印を直す。"),
        "en": (
            "{deck} has {found} {card} marked {mark}; by the rules {allowed}.",
            "Correct the copies or the mark.",
        ),
    },
    "deck-loadout": {
        "ja": ("{deck}の印{mark}と{variant}の搭載が違う: {difference}", "どちらかを直す。"),
        "en": (
            "{deck}, mark {mark}: the deck and the {variant} loadout differ: {difference}",
            "Correct one of the two.",
        ),
    },
    "printed-copies": {
        "ja": ("全デッキを合わせると{card}が{found}枚、箱には{allowed}枚。", "上限か枚数を直す。"),
        "en": (
            "All printed decks together hold {found} {card}, the boxes {allowed}.",
            "Correct the limit or the decks.",
        ),
    },
    "setup": {
        "ja": ("{players}人で{what}は{found}。決まりでは{allowed}。", "{allowed}にする。"),
        "en": ("{players} players: {what} is {found}; by the rules {allowed}.", "Make it so."),
    },
    "starts-none": {
        "ja": ("{seat}の開始マスがない: {found}。", "地図にある開始マスを選ぶ。"),
        "en": ("{seat} has no start square: {found}.", "Choose one of the board's."),
    },
    "starts-same": {
        "ja": ("{seat}の開始マスには{other}もいる。", "別の開始マスを選ぶ。"),
        "en": ("{seat} and {other} start on the same square.", "Choose another one."),
    },
    "starts-apart": {
        "ja": ("{team}の{seat}は味方と隣り合っていない。", "味方の隣の開始マスにする。"),
        "en": ("{seat} of {team} is not next to its team.", "Start beside the team."),
    },
    "expression": {
        "ja": ("{what}：「{title}」が成り立たない（{condition}）。", "{values}"),
        "en": ("{what}: {title} does not hold ({condition}).", "{values}"),
    },
    "play": {
        "ja": ("{title}は{found}とあるが、規則では{value}。{terms}", ""),
        "en": ("{title} is said to be {found}; by the rule it is {value}. {terms}", ""),
    },
}
"""Message and hint of every fault; parts, cards and figures come in by their own names."""


def said(fault: Fault, rule: Rule, language: str) -> Problem:
    """A fault as a problem in ``ja`` or ``en``, stamped with its rule."""
    message, hint = WORDING[fault.text][language]
    values = {
        name: value.in_language(language) if isinstance(value, Name) else value
        for name, value in fault.values.items()
    }
    return Problem(
        fault.where,
        rule.id,
        message.format(**values).strip(),
        hint.format(**values).strip(),
        fault.severity,
        rule.cites,
    )
