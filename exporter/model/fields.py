"""What people write in cells, and the fields of cards that read it.

Tables, errata and the cards that cases make up are all read by ``read_value``, YAML's numbers and
truths by ``whole_number`` and ``truth``, so that the same word means the same wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated, Literal, TypeAlias
from unicodedata import normalize

from msgspec import Meta
from msgspec.structs import replace

from exporter.core.messages import (
    Sentence,
    sentence,
)
from exporter.core.problems import (
    Problem,
    SourceLocation,
    problem_at,
    quoted,
)
from exporter.model.shape import (
    MOST,
    MOST_EVER_REPEATED,
    MOST_REPEATED,
    Doc,
    Record,
)

YES = ("1", "true", "yes", "on", "はい")
NO = ("0", "false", "no", "off", "いいえ")

_WHOLE = re.compile(r"([+-]?)([0-9]+)(?:\.0*)?")
_HALF_WIDTH = str.maketrans("０１２３４５６７８９＋－．", "0123456789+-.")


def half_width(text: str) -> str:
    """Return digits and signs of numbers as a Japanese keyboard writes them, made plain."""
    return text.translate(_HALF_WIDTH)


def whole_number(text: str) -> int | None:
    """``3``, ``-3`` and ``３``, and ``3.0`` as spreadsheets may write it; nothing for another text.

    Digits without end are a number beyond every bound.
    """
    found = _WHOLE.fullmatch(half_width(text).replace("−", "-").strip())
    return None if found is None else int(found[1] + (found[2].lstrip("0")[:16] or "0"))


# What stands in the place of a name where a row sums others up, or where there is none.
SUMS = frozenset((
    "合計", "計", "小計", "総計", "集計", "平均", "total", "totals", "grand total", "sum",
    "subtotal", "average", "avg", "summe", "gesamt", "mittelwert", "(blank)", "(空白)",
))  # fmt: skip

_COPIES = re.compile(
    r"(?:[x×✕*] ?)?([0-9]+(?:\.0*)?) ?"
    r"(?:[x×✕]|枚|まい|部|個|张|매|cop(?:y|ies)|cards?)?",
    re.IGNORECASE,
)


def number_of_copies(text: str) -> int | None:
    """``4``, ``4枚``, ``④``, ``×4``, ``4x``, ``4 copies``; nothing for another text."""
    found = _COPIES.fullmatch(normalize("NFKC", text).strip())
    return whole_number(text if found is None else found[1])


def truth(text: str) -> bool | None:
    """Return whether a word means yes or no; nothing for another one."""
    word = text.strip().lower()
    number = whole_number(word)
    word = word if number is None else str(number)
    return True if word in YES else False if word in NO else None


_REMARK = re.compile(
    r"(?:[※■□◆◇▼▽▲△]|//|[#＃*＊]\s).*|【.*】|[-=_─━―－＝ー*~]{2,}(?:.*[-=_─━―－＝ー*~]{2,})?"
)


# Cells that say that nothing belongs there, not even what is written above.
DASHES = frozenset(("-", "–", "—", "―", "－", "ー"))

# Cells that stand for what is written above them.
_DITTO = frozenset(("〃", "″", "同上", "ditto"))


def with_dittos(cells: Sequence[str], above: Sequence[str]) -> list[str]:
    """The cells of a row, what stands ``above`` in the place of ``〃`` and ``同上``."""
    return [
        above[at] if cell in _DITTO and at < len(above) else cell for at, cell in enumerate(cells)
    ]


def is_sum(name: str) -> bool:
    """Return whether a row of this name sums others up."""
    return name.rstrip(":：").casefold() in SUMS


def is_hidden(heading: str) -> bool:
    """Return whether a heading says itself that its column is not to be read: ``#idea``."""
    return heading.startswith("#") and bool(heading[1:2].strip())


def is_remark(name: str, cells: Collection[str]) -> bool:
    """Return whether a row holds nothing but a remark, a heading or a line across."""
    filled = {cell for cell in cells if cell}
    return len(filled) == 1 < len(cells) and _REMARK.fullmatch(name) is not None


def repeats(cells: Sequence[str], header: Sequence[str]) -> bool:
    """Return whether a row says the headings once more."""
    same = [name for name, cell in zip(header, cells, strict=False) if name and name == cell]
    return len(same) > 1 and len(same) == sum(map(bool, cells))


# What a field of a card holds: a text, a whole number, a yes or no, or a list of words.
Value: TypeAlias = str | int | bool | tuple[str, ...]

FieldType: TypeAlias = Literal["text", "number", "flag", "list"]

# What an empty cell means.
EMPTY: Mapping[FieldType, Value] = {"text": "", "number": 0, "flag": False, "list": ()}


_SIGN = r"(?:[+−-]?[0-9]{1,5}|∞|[^\W\d_]+)"  # letters are words, and so are ① and ❺
_RANGE = rf"{_SIGN}(?:[～〜~–−-]{_SIGN})?"

# The patterns that a field may follow, by name; compiled where a field does.
PATTERNS: Mapping[str, str] = {
    "range": rf"[-–—−]?|{_RANGE}(?:/{_RANGE})*",
    "number": r"(?:[+−-]?[0-9]{1,9}(?:\.[0-9]{1,6})?)?",
}

# What a cell may hold.
_ALLOWED = {
    "flag": sentence("allowed", "flag"),
    "whole": sentence("allowed", "number"),
    **{name: sentence("allowed", f"like-{name}") for name in PATTERNS},
}

_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
# What a spreadsheet makes of 1-3, 1/3 or 2/2.
_DATE = (
    r"(?i:(?:[0-9]{4}[-/.年][0-9]{1,2}[-/.月][0-9]{1,2}日?"
    r"|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{4}"
    r"|(?:[0-9]{4}年)?[0-9]{1,2}月(?:[0-9]{1,2}日)?"
    rf"|[0-9]{{1,2}}[- /]{_MONTH}(?:[- /][0-9]{{2,4}})?|{_MONTH}[- /][0-9]{{1,4}})"
    r"(?: [0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)?)"
)

# What a spreadsheet leaves of a formula: its error, or the formula itself.
_FORMULA = re.compile(
    r"\A(?:#(?:REF!|N/A|VALUE!|NAME\?|DIV/0!|NUM!|NULL!|SPILL!|CALC!|ERROR!|FIELD!|BUSY!|CONNECT!)"
    r"|(?:Err|エラー)[:：]5[0-9]{2}"
    r"|=[A-Z][A-Z0-9.]{1,20}\(.*\)|=\$?[A-Z]{1,3}\$?[0-9]{1,6}(?:[&*/+^<>=-].*)?)\Z",
    re.DOTALL,
)

# What is left of letters that were read in another encoding than they were written in.
_GARBLED = re.compile(
    "(?:[縺繧繝][^\\x00-\\x7f]){2}|(?:[ã-é][¡-¿€‚-„†‡ˆ‰Š‹ŒŽ‘-•–—˜™š›œž]{1,2}){2}|â€[™œž“”¦]|Ã[¡-¿]"
)

# A ? by itself, where a cell, or an entry of one, holds nothing else.
_LOST = re.compile(r"(?:^|[|;/～〜])[ \u3000]*[?\ufffd]+[ \u3000]*(?=$|[|;/～〜])")

# What nobody wrote into a cell, by the key of the sentence that says so.
_SPOILT = {"formula-left": _FORMULA, "garbled": _GARBLED, "found-stands-sign": _LOST}


Bound: TypeAlias = Annotated[int, Meta(ge=-999_999_999, le=999_999_999)]


class Field(Record, frozen=True, kw_only=True):
    """A field of a kind of card; its type alone may stand for it."""

    type: Annotated[
        FieldType,
        Doc(
            "`text`, `number`, `flag` (yes or no), `list` (joined by `/`)",
            "`text`、`number`、`flag`（はい・いいえ）、`list`（`/` で区切る）",
        ),
    ] = "text"
    name: Annotated[
        str,
        Doc(
            "what errata call it in rooms and on paper; by default its label in `detail`",
            "ルームと紙のエラッタでの呼び名。なければ `detail` の見出し",
        ),
    ] = ""
    pattern: Annotated[
        Literal["range", "number"] | None,
        Doc(
            "what a text, or each word of a list, looks like: a `range` is a number, "
            "sign or word (`2`, `⑤`, `∞`, `X`), or from–to (`1～3`), several joined by `/`; a date "
            "cell that a spreadsheet made of one is read as month-day, with a notice, a date "
            "written as text is a problem; a `number` is one (`2`, `0.5`), or nothing",
            "文字や list の語の形。`range` は数・記号・語（`2` `⑤` `∞` `X`）か範囲（`"
            "1～3`）で、`/` でいくつでも。表計算ソフトが日付に変えたセルは「月-日」と読"
            "んで知らせ、文字で書いた日付は誤りになる。`number` は数（`2` `0.5`）か空",
        ),
    ] = None
    least: Annotated[Bound | None, Doc("of a number; by default 0", "数の下限。なければ 0")] = None
    most: Annotated[
        Bound | None,
        Doc(
            "of a number; by default 99999, and 99 where something is repeated or sized by it",
            "数の上限。なければ 99999。くり返しや大きさに使う欄では 99",
        ),
    ] = None

    @property
    def bounds(self) -> tuple[int, int]:
        """Between which a number lies."""
        return self.least or 0, MOST if self.most is None else self.most

    @property
    def most_repeated(self) -> int:
        """The most where something is repeated or sized by it; a game's own bound counts."""
        return MOST_REPEATED if self.most is None else min(self.most, MOST_EVER_REPEATED)


TEXT = Field()
COPIES = Field(type="number", most=MOST_REPEATED)


def copies_of(fields: Mapping[str, Field]) -> Field:
    """Return how many of a card a row of a deck's table may hold; ``fields`` are those of its kind.

    A number field of the name ``copies`` may have another bound.
    """
    own = fields.get("copies")
    return COPIES if own is None or own.most is None else replace(COPIES, most=own.most_repeated)


def read_value(
    text: str, field: Field, where: SourceLocation, name: str, heading: str = ""
) -> Value | Problem:
    """Return a cell as its field has it; an empty one is ``""``, 0, no or nothing.

    A problem calls the field by its ``heading``, where it has one, else by its ``name``.
    """
    if field.type == "number":
        spelled = number_of_copies if name == "copies" else whole_number
        return _number(text, spelled, field, where, heading or name)
    name = heading or name
    if field.type == "flag":
        value = truth(text) if text else False
        return _refused(text, where, name, _ALLOWED["flag"]) if value is None else value
    for key, pattern in _SPOILT.items():
        if pattern.search(text):
            return problem_at(where, "SRC-CELL", key, field=name, found=quoted(text))
    text = half_width(text) if field.pattern else text
    words = tuple(word for word in (part.strip() for part in text.split("/")) if word)
    if field.pattern:
        form = PATTERNS[field.pattern]
        single = words if field.type == "list" else (text,)
        wrong = [word for word in single if is_date(word) or not re.fullmatch(form, word)]
        if wrong or is_date(text):
            found = text if is_date(text) else wrong[0]
            return _refused(found, where, name, _ALLOWED[field.pattern])
    return words if field.type == "list" else text


def is_date(text: str) -> bool:
    """Return whether a text is what a spreadsheet makes of 1-3 or 2/2."""
    return re.fullmatch(_DATE, text) is not None


def _number(
    text: str,
    spelled: Callable[[str], int | None],
    field: Field,
    where: SourceLocation,
    name: str,
) -> int | Problem:
    number = spelled(text) if text else 0
    if number is None:
        return _refused(text, where, name, _ALLOWED["whole"])
    least, most = field.bounds
    if least <= number <= most:
        return number
    key = "out-of-bounds" if field.most is not None else "out-of-own-bounds"
    return problem_at(
        where,
        "SRC-VALUE",
        "too-many-copies" if field is COPIES else key,
        field=name,
        found=quoted(text),
        least=least,
        most=most,
        bound="most" if number > most else "least",
        number=number,
    )


def _refused(text: str, where: SourceLocation, name: str, allowed: Sentence) -> Problem:
    if is_date(text):
        return problem_at(
            where,
            "SRC-CELL",
            "found-spreadsheet-made",
            field=name,
            found=quoted(text),
            allowed=allowed,
        )
    return problem_at(where, "SRC-VALUE", "cell", field=name, found=quoted(text), allowed=allowed)
