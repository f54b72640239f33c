"""Cards: what their rows say, how they look, which decks and boxes they belong to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from exporter.core.problems import (
    InvalidSource,
    Problem,
    SourceLocation,
)
from exporter.model.fields import (
    Field,
    FieldType,
    Value,
    whole_number,
)
from exporter.model.shape import (
    ALONE,
    OF_CARDS,
    CardField,
    Doc,
    Length,
    Naming,
    Ordinal,
    OwnKey,
    Record,
    Ref,
    Short,
    Whole,
    Word,
    under,
    unless_filled_in,
)


class Source(Record, frozen=True, kw_only=True):
    """An entry of the bibliography; rules, figures and errata cite its key."""

    key: OwnKey
    title: Annotated[Word, Doc("of the source", "出典の題")]
    en: Annotated[str, Doc("its title in English", "英語の題")] = ""
    kind: Annotated[str, Doc("what it is, such as `rules`", "何か（`rules` など）")] = ""
    edition: Annotated[str, Doc("which printing", "どの刷りか")] = ""
    date: Annotated[str, Doc("when it appeared", "いつ出たか")] = ""
    found: Annotated[str, Doc("where it is to be found", "どこにあるか")] = field(
        default="", name="where"
    )

    def in_language(self, language: str) -> str:
        """Return what it is called in ``ja`` or ``en``; by its own title where it has no other."""
        return self.title if language == "ja" else self.en or self.title


# Of what every card or row of a deck has, beside the fields of a kind.
_LABELS = {"name": "名前", "mark": "デッキの印"}


class Kind(Record, frozen=True, kw_only=True):
    """A kind of card: its table, its fields, its two faces."""

    id: OwnKey
    name: Annotated[Naming, Doc("of the kind", "種類の名前")]
    file: Annotated[
        Word,
        Doc(
            "its table: `cards/weapons.csv`, or `.tsv`, `.xlsx`, `.ods`",
            "カードの表：`cards/weapons.csv`。`.tsv` `.xlsx` `.ods` も",
            "cards/weapons.csv",
        ),
    ]
    sheet: Annotated[
        Annotated[tuple[Word, ...], ALONE],
        Doc(
            "of a spreadsheet the sheet that is read, or several; otherwise the first",
            "表計算ファイルの、読むシート。いくつでも。なければ最初のシート",
        ),
    ] = ()
    files: Annotated[
        tuple[Word, ...],
        Doc(
            "further tables of the same columns; `cards/more.xlsx#Spells` is a sheet",
            "同じ列を持つ、ほかの表。`cards/more.xlsx#Spells` ならそのシート",
        ),
    ] = ()
    heading: Annotated[
        Ordinal,
        Doc(
            "the row in which the columns are named, where others stand above it",
            "見出しのある行。上に題名などがあるとき",
        ),
    ] = 1
    columns: Annotated[
        Mapping[str, Word],
        Doc(
            "heading → `id`, `name` or the field it is: `{名前: name, 枚数: copies}`",
            "見出し → `id`、`name`、または欄：`{名前: name, 枚数: copies}`",
        ),
    ] = {}
    ignore: Annotated[
        Annotated[tuple[str, ...], ALONE],
        Doc(
            "headings of columns that are not read; `''` is every column without a heading",
            "読まない列の見出し。`''` は見出しのない列すべて",
        ),
    ] = ()
    only: Annotated[
        Mapping[str, Annotated[tuple[str, ...], ALONE]],
        Doc(
            "heading → words: of a table that several kinds share, the rows that have one",
            "見出し → 言葉。いくつかの種類で分けあう表から、その言葉のある行だけを取る",
        ),
    ] = {}
    no_cards: Annotated[
        Annotated[tuple[str, ...], ALONE],
        Doc(
            "names of rows that are no cards; `''` is a row without a name, and a word of sums, "
            "such as total or 合計, one that has it in any column",
            "カードではない行の名前。`''` は名前のない行、合計などの言葉はどの列かにそれがある行",
        ),
    ] = ()
    repeats: Annotated[
        Annotated[tuple[Word, ...], ALONE],
        Doc(
            "headings of columns in which a blank cell says what stands above it",
            "空のセルが、すぐ上のセルと同じことを表す列の見出し",
        ),
    ] = ()
    named_by: Annotated[
        Annotated[tuple[Word, ...], ALONE],
        Doc(
            "headings whose words together name a card whose table has no names: `[suit, number]`",
            "名前の列のない表で、言葉を合わせて名前にする列の見出し：`[suit, number]`",
        ),
    ] = ()
    ids: Annotated[
        str,
        Doc(
            "a table `id,name` of the ids of cards whose table has none: `cards/deck.ids.csv`",
            "IDの列のない表のための、IDの表 `id,name`：`cards/deck.ids.csv`",
        ),
    ] = ""
    address: Annotated[
        str,
        Doc(
            "where `pull` fetches the table as CSV: the address of a published sheet",
            "`pull` が CSV を取りに行く先。公開したシートのアドレス",
        ),
    ] = ""
    fields: Annotated[
        Mapping[str, Annotated[Field, Short(under("type"), {"enum": list(get_args(FieldType))})]],
        Doc(
            "column → `text`, `number`, `flag` (`1` or nothing), `list` (joined by "
            "`/`), or more about it: `{type: number, most: 99}`",
            "列 → `text`、`number`、`flag`（`1` か空）、`list`（`/` で区切る）。細かく"
            "書くなら `{type: number, most: 99}`",
        ),
    ] = {}
    front: Annotated[
        str,
        Ref("face"),
        Doc(
            "face style; without one the kind is never laid on a table",
            "絵柄のスタイル。なければ卓には置けない",
        ),
    ] = ""
    front_fields: Annotated[tuple[CardField, ...], Doc("what the front shows", "表に出す欄")] = ()
    back: Annotated[str, Ref("face"), Doc("face style", "絵柄のスタイル")] = ""
    back_fields: Annotated[
        tuple[CardField, ...],
        Doc(
            "what the back shows; two cards whose `back_fields` agree have one back",
            "裏に出す欄。`back_fields` の同じカードは裏も同じになる",
        ),
    ] = ()
    front_lists: Annotated[
        Mapping[Annotated[str, Ref(OF_CARDS)], tuple[Annotated[Word, Ref("field")], ...]],
        Doc(
            "a list field that names other cards → what the front shows of those",
            "ほかのカードを挙げる list の欄 → そのカードの、表に出す欄",
        ),
    ] = {}
    listed_fields: Annotated[
        tuple[CardField, ...], Doc("what a mech sheet shows of it", "機体シートに出す欄")
    ] = ()
    size: Annotated[Length, Doc("its width on the table", "卓での幅")] = 2
    series: Annotated[
        bool,
        Doc(
            "`true`: cards of numbers or ranks, told by these; `print --looks` does not compare "
            "their pictures",
            "`true` なら、数や階級で見分ける札。`print --looks` は絵をくらべない",
        ),
    ] = False
    called: Annotated[
        tuple[CardField, ...],
        Doc(
            "the fields with other names by which people find a card: in another language; "
            "what a `list` field `aliases` holds always counts",
            "呼び名になる欄（別の言語での名前など）。`aliases` という `list` の欄はいつも数える",
        ),
    ] = ()
    detail: Annotated[
        Mapping[str, CardField],
        Doc(
            "label → field, for the sheet that the client shows beside a card; `section/label` "
            "stands in a section of its own",
            "見出し → 欄。クライアントがカードの横に出す説明。`区分/見出し` なら別の区分に出す",
        ),
    ] = {}
    reprints: Annotated[
        bool,
        Doc(
            "cards of one name are one card, printed several times: its name means any of them",
            "同じ名前のカードは何度刷られても1種類。名前で呼べばどれでもよい",
        ),
    ] = False
    deck_copies: Annotated[
        str,
        Ref(OF_CARDS),
        Doc(
            "the field with an expression over figures: how many every built deck gets",
            "数値を使った式のある欄。組んだデッキに何枚入るか",
        ),
    ] = ""

    def label_of(self, name: str) -> str:
        """Return what people call a field of its cards, or of their rows in decks."""
        field = self.fields.get(name)
        labels = {each: label for label, each in self.detail.items()} | _LABELS
        return (field.name if field else "") or labels.get(name, name)

    @property
    def field_sort(self) -> str:
        return f"field of {self.id}"


class Card(Struct, frozen=True, kw_only=True):
    """One row: what every copy of a card shares. ``fields`` hold the *printed* values.

    ``unknown`` are fields of a card of a player's deck that nobody can tell: whoever asks for one
    gets its problem.
    """

    id: str
    kind: str
    name: str
    fields: Mapping[str, Value]
    where: SourceLocation
    cells: Mapping[str, SourceLocation] = field(default_factory=dict)
    unknown: Mapping[str, Problem] = field(default_factory=dict)

    def get(self, name: str) -> Value:
        """Return the value of a field, or an empty text where the kind has no such field.

        Raises ``InvalidSource`` for an unknown one.
        """
        if name in ("id", "name", "kind"):
            return str(getattr(self, name))
        if name in self.unknown:
            raise InvalidSource([self.unknown[name]])
        return self.fields.get(name, "")

    def text(self, name: str) -> str:
        """Return a field as people read it: lists joined by ``/``, flags as ``1`` or nothing."""
        value = self.get(name)
        if isinstance(value, tuple):
            return "/".join(value)
        if isinstance(value, bool):
            return "1" if value else ""
        return str(value)

    def at(self, name: str) -> SourceLocation:
        """Return the cell that a problem with field ``name`` is to be shown at."""
        return self.cells.get(name, self.where)


class Edition(Record, frozen=True, kw_only=True):
    """A box: a set of cards that is owned or not."""

    id: OwnKey
    name: Annotated[Naming, Doc("of the box", "箱の名前")]
    requires: Annotated[
        tuple[Annotated[Word, Ref("edition")], ...],
        Doc("boxes that one must own too", "一緒に要る箱"),
    ] = ()


class DeckEntry(Struct, frozen=True, kw_only=True):
    """A row of a deck: so many copies of a card, with the mark on their corner.

    ``fields`` are those in which the card of this deck differs from the others; of a player's deck,
    what its file says of them.
    """

    deck: str
    card: str
    mark: str
    copies: int
    note: str = ""
    fields: Mapping[str, Value] = field(default_factory=dict)
    where: SourceLocation = SourceLocation()

    def of(self, card: Card) -> DeckCard:
        """Return the cards that this row puts into the deck; ``card`` is the one it names."""
        if self.fields:
            card = replace(card, fields={**card.fields, **self.fields})
        return DeckCard(card=card, copies=self.copies, deck=self.deck, mark=self.mark)


class DeckCard(Struct, frozen=True, kw_only=True):
    """One or more equal cards of somebody's deck, with what is printed in their corner."""

    card: Card
    copies: int = 1
    deck: str = ""
    mark: str = ""


# A number of cards stands for a least and a most of so many.
_EXACTLY = Short(lambda v: [v, v] if isinstance(v, str) else v, {"type": "integer"})


class DeckKind(Record, frozen=True, kw_only=True):
    """A deck that a player brings."""

    id: OwnKey
    name: Annotated[
        Naming,
        Doc(
            "of the deck; a line of it begins the deck in a plain list",
            "デッキの名前。デッキリストでこの名前の行が来たら、そこからこのデッキ",
        ),
    ]
    size: Annotated[
        Annotated[tuple[Whole, Whole], _EXACTLY] | None,
        Doc(
            "its cards, least and most: `[40, 60]`, or exactly: `60`",
            "枚数の下限と上限：`[40, 60]`。きっちりなら `60`",
            [40, 60],
        ),
    ] = None
    cards: Annotated[
        Annotated[str, Meta(min_length=1, max_length=400)] | None,
        Doc(
            "an expression over a card's fields: only such cards may lie in it",
            "カードの欄についての式。当てはまるカードだけを入れられる",
            "kind == 'unit'",
        ),
    ] = None
    beside: Annotated[
        str,
        Ref("kind of deck"),
        Doc(
            "the deck with which it is brought, as a side deck is; others are brought alone",
            "一緒に持ち寄るデッキ（サイドデッキの親）。なければ単独で持ち寄る",
        ),
    ] = ""
    printed: Annotated[
        tuple[Annotated[Word, Ref("printed deck")], ...],
        Doc("the decks of `decks/` that are such decks", "`decks/` のうち、このデッキにあたるもの"),
    ] = ()


# Stands for the deck of the mech in the seat.
OWN_DECK = "own"


_OWN = Short(
    lambda value: (
        {"true": OWN_DECK, "false": ""}.get(value, value) if isinstance(value, str) else value
    ),
    {"type": "boolean"},
)


# A deck by its name, which that of a seat has not.
_PRINTED = Ref("deck", lambda deck: () if deck == OWN_DECK else unless_filled_in(deck))


# A field that says how many copies there are, where that is no number.
_COPIES = Ref(OF_CARDS, lambda text: unless_filled_in(text) if whole_number(text) is None else ())


class Selection(Record, frozen=True, kw_only=True):
    """Which cards: of a deck, by kind and field values, or one by one."""

    deck: Annotated[
        Annotated[str, _OWN],
        _PRINTED,
        Doc(
            "the deck of the mech in the seat (`true`), or a printed deck by its name",
            "席の機体のデッキ（`true`）か、印刷デッキの名前",
        ),
    ] = ""
    kind: Annotated[str, Ref("kind"), Doc("a kind of card", "カードの種類")] = ""
    only: Annotated[
        Mapping[Annotated[str, Ref(OF_CARDS)], tuple[str, ...]],
        Doc("field → values of which it must have one", "欄 → 値。どれかに当てはまるカードだけ"),
    ] = {}
    unless: Annotated[
        Mapping[Annotated[str, Ref(OF_CARDS)], tuple[str, ...]],
        Doc("field → values of which it must have none", "欄 → 値。どれかに当てはまるカードは除く"),
    ] = field(default_factory=dict, name="except")
    marks: Annotated[
        tuple[Annotated[str, Meta(max_length=20)], ...],
        Doc(
            "with `deck: true`: of the printed cards of the mech those with just these marks",
            "`deck: true` のとき：機体のカードのうち、印がちょうどこのもの",
            ["●◆"],
        ),
    ] = ()
    ids: Annotated[
        tuple[Annotated[Word, Ref("card", unless_filled_in)], ...],
        Doc("single cards by id or name", "カードを1枚ずつ。IDか名前"),
    ] = ()
    listed: Annotated[
        tuple[Word, ...],
        Meta(max_length=2),
        Doc(
            "`[card, field]`: the cards that a field of a card lists",
            "`[カード, 欄]`：そのカードの欄が挙げるカード",
        ),
    ] = ()
    pilots: Annotated[
        Literal["", "seat", "both"],
        Doc(
            "the skills of the pilots of the mech in the `seat`, or of `both` sides of its sheet",
            "席の機体のパイロットの技能（`seat`）、またはシートの両面の（`both`）",
        ),
    ] = ""
    copies: Annotated[
        Word, _COPIES, Doc("a number, or the field that holds it", "枚数か、枚数のある欄")
    ] = "1"
    used_by: Annotated[
        str,
        Ref(OF_CARDS),
        Doc(
            "the field that lists other cards: only what a card in the room has need of",
            "ほかのカードを挙げる欄。ルームのカードが必要とするものだけを置く",
        ),
    ] = ""

    @property
    def field_sort(self) -> str:
        return f"field of {self.kind}" if self.kind else "field"

    def suits(self, card: Card) -> bool:
        """Return whether a card is of the kind, and has the values that it must have and no
        other."""
        return (
            (not self.kind or card.kind == self.kind)
            and all(card.text(name) in values for name, values in self.only.items())
            and not any(card.text(name) in values for name, values in self.unless.items())
        )
