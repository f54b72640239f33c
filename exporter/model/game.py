"""The whole of a game folder; errata as changes of printed values, and rulings."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from msgspec import Meta, field
from msgspec.structs import replace

from exporter.core import grouped
from exporter.core.messages import ENGLISH, JAPANESE, Translated, filled, words
from exporter.core.problems import (
    Problem,
    as_written,
    notice_at,
    problem_at,
    some,
)
from exporter.model.boards import (
    Board,
    WrittenBoard,
)
from exporter.model.cards import (
    Card,
    DeckCard,
    DeckEntry,
    DeckKind,
    Edition,
    Kind,
    Source,
)
from exporter.model.fields import Value
from exporter.model.layouts import (
    Item,
    Layout,
    Note,
    RoomPlan,
)
from exporter.model.mech import (
    Figure,
    Frame,
    Mech,
    Variant,
)
from exporter.model.shape import (
    TEXT,
    Count,
    Date,
    Day,
    Doc,
    File,
    FileId,
    Id,
    Name,
    Naming,
    Ordinal,
    Record,
    Ref,
    Short,
    Spelled,
    Text,
    Word,
    Wording,
    under,
)
from exporter.model.styles import (
    FaceStyle,
    Look,
    WrittenStyle,
)


class Change(Record, frozen=True, kw_only=True):
    """What an erratum changes; the first five keys say where."""

    targets: ClassVar = ("card", "deck", "mech", "list", "page")

    card: Annotated[
        str,
        Ref("card"),
        Doc(
            "the card that is corrected; with `deck`, a card in one deck",
            "訂正するカード。`deck` と書けば、そのデッキの中のカード",
        ),
    ] = ""
    deck: Annotated[
        str, Ref("mech"), Doc("the mech whose deck is corrected", "デッキを訂正する機体")
    ] = ""
    mech: Annotated[str, Ref("mech"), Doc("the mech that is corrected", "訂正する機体")] = ""
    list: Annotated[str, Doc("the printed list that is corrected", "訂正する、印刷された一覧")] = ""
    page: Annotated[str, Doc("the page that is corrected", "訂正するページ")] = ""
    field: Annotated[
        Word,
        Doc(
            "of a card; of a deck's row; of a mech by a path, `frame.armour`",
            "カードかデッキの行の欄。機体なら `frame.armour` のような道",
        ),
    ]
    was: Annotated[
        Spelled,
        Doc(
            "the printed value, which must be what the data hold",
            "印刷された値。データと同じでなければならない",
        ),
    ]
    now: Annotated[Spelled, Doc("the corrected value", "訂正後の値")]

    @property
    def target(self) -> Mapping[str, str]:
        """What is changed: a card, in a deck or anywhere, a mech, a list or a page."""
        return {sort: name for sort in self.targets if (name := getattr(self, sort))}


class Erratum(Record, frozen=True, kw_only=True):
    """A published correction, kept beside the printed value."""

    id: Annotated[Word, Doc("permanent", "変えないID")]
    edition: Annotated[str, Ref("edition"), Doc("the box", "箱")] = field(default="", name="set")
    medium: Annotated[
        Literal["card", "sheet", "list", "rulebook"],
        Doc("where it was printed", "印刷されている所"),
    ]
    changes: Annotated[
        tuple[Change, ...],
        Meta(min_length=1),
        Doc("what it changes, one or more", "直す所。いくつでも"),
    ]
    source: Annotated[Word, Ref("source"), Doc("a key of `sources.yaml`", "`sources.yaml` のキー")]
    date: Annotated[Date, Doc("the day, or `unknown`", "日付。わからなければ `unknown`")] = (
        "unknown"
    )
    note: Annotated[str, Doc("what it means", "どういう意味か")] = ""


class Ruling(Record, frozen=True, kw_only=True):
    """A question answered by the publisher."""

    id: Annotated[Word, Doc("permanent", "変えないID")]
    topic: Annotated[Word, Doc("what it is about", "何についてか")]
    ruling: Annotated[
        str,
        Meta(min_length=1),
        Doc("the answer, in the project's words", "このプロジェクトの言葉での答え"),
    ]
    cards: Annotated[
        tuple[Annotated[Word, Ref("card")], ...],
        Doc("the cards it is shown with", "一緒に見せるカード"),
    ] = ()
    rules: Annotated[tuple[Word, ...], Doc("the rules it bears on", "関わる規則")] = ()
    source: Annotated[
        str, Ref("source"), Doc("a key of `sources.yaml`", "`sources.yaml` のキー")
    ] = ""
    date: Annotated[Date, Doc("the day, or `unknown`", "日付。わからなければ `unknown`")] = (
        "unknown"
    )


class EnglishText(Record, frozen=True, kw_only=True):
    """A whole text of the data, such as a card's effect, and what it is in English."""

    ja: Annotated[str, Meta(min_length=1), Doc("as the data have it", "データにあるとおりの文")]
    en: Annotated[str, Meta(min_length=1), Doc("in English", "英語")]


class ChangeList(Record, frozen=True, kw_only=True):
    """What a version of the data changed, as `diff --write` keeps it."""

    id: Annotated[
        FileId, Doc("the day of the version; it names the file", "版の日。ファイル名になる")
    ]
    version: Annotated[str, Doc("of the data with the changes", "変更後のデータの版")] = ""
    ja: Annotated[tuple[str, ...], Doc("lines in Japanese", "日本語の行")] = ()
    en: Annotated[tuple[str, ...], Doc("lines in English", "英語の行")] = ()


# The note of the newest changes.
CHANGES = "changes"


# The day of the messages of a game whose data have none.
UNDATED = "2000-01-01"


T = TypeVar("T")


class Version(Record, frozen=True, kw_only=True):
    """Which data these are."""

    number: Annotated[Word, Doc("of the data, in any form", "データの版。書き方は自由", "1")]
    day: Annotated[
        Day,
        Doc(
            "of their last change; rooms state that of an erratum or a ruling that is later",
            "最後に変えた日。エラッタやQ&Aの日付のほうが新しければ、ルームにはその日が載る",
        ),
    ]


class FrameRules(Record, frozen=True, kw_only=True):
    """Which columns of frames.csv choose a frame, their names in expressions, further choices."""

    key: Annotated[
        tuple[Word, ...],
        Doc(
            "the columns of `frames.csv` that choose a row: `[armour, size]`",
            "`frames.csv` の行を選ぶ列：`[armour, size]`",
        ),
    ] = ()
    names: Annotated[
        Mapping[str, Word],
        Doc("column or key → what it is called in expressions", "列かキー → 式の中での呼び名"),
    ] = {}
    options: Annotated[
        Mapping[str, tuple[Word, ...]],
        Doc(
            "what a build chooses besides: `{seats: [単座, 複座]}`",
            "ほかに選ぶもの：`{seats: [単座, 複座]}`",
        ),
    ] = {}


class Draws(Record, frozen=True, kw_only=True):
    """How cards are drawn, for `odds`."""

    hand: Annotated[
        str,
        Doc(
            "how many before the first turn: an expression over the figures",
            "最初の手番までに引く枚数。数値を使った式",
        ),
    ] = ""
    turn: Annotated[str, Doc("how many in each turn, likewise", "1手番に引く枚数。同じく式")] = ""
    discards: Annotated[
        bool,
        Doc(
            "the turns are rounds, and whoever draws a new hand has discarded the one before",
            "手番はラウンドで、前の手札を捨ててから新しい手札を引く",
        ),
    ] = False
    cards: Annotated[
        str,
        Doc(
            "a condition over a card's fields: only such cards lie in the deck that is drawn",
            "カードの欄についての条件。当てはまるカードだけが山札に入る",
        ),
    ] = ""


class Head(Record, frozen=True, kw_only=True):
    """game.yaml"""

    id: Annotated[
        FileId,
        Doc("of the game; builds name it", "ゲームのID。機体やデッキのファイルに書く", "my_game"),
    ]
    name: Annotated[Naming, Doc("of the game", "ゲームの名前")]
    code: Annotated[
        Annotated[
            str,
            Meta(
                pattern=r"^[a-z][a-z0-9]{0,7}$",
                extra={"allowed": "at most 8 of a–z and 0–9, the first a letter"},
            ),
        ]
        | None,
        Doc(
            "what the game is called in a build as one line, `em:…`; by default its id",
            "1行の機体（`em:…`）でのゲームの呼び名。なければID",
        ),
    ] = None
    players: Annotated[
        tuple[Count, Count], Doc("least and most: `[2, 4]`", "人数の下限と上限：`[2, 4]`", [2, 4])
    ]
    version: Annotated[
        Version | None,
        Doc(
            "number and day of the data; without it messages have a day of old",
            "データの版と日付。なければチャットの日付は昔の日になる",
        ),
    ] = None
    samples: Annotated[
        bool,
        Doc(
            "`false`: rooms and paper go without samples, as with `--without-samples`",
            "`false` なら、`--without-samples` と同じく見本を除く",
        ),
    ] = True
    notice: Annotated[
        Text,
        Doc(
            "that the data is unofficial, for whom it is; rooms post it to the chat",
            "非公式であること、誰のためのものか。ルームのチャットに載る",
        ),
    ] = Wording()
    needed: Annotated[
        Text,
        Doc(
            "what players must own besides, such as the box; on the page of `publish`",
            "ほかに持っている必要があるもの（製品など）。`publish` のページに載る",
        ),
    ] = Wording()
    price: Annotated[
        Text,
        Doc(
            "what that costs; on the page of `publish`",
            "その値段。`publish` のページに載る",
        ),
    ] = Wording()
    age: Annotated[
        Count | None,
        Doc(
            "the least age in years; on the page of `publish`",
            "対象年齢（何歳から）。`publish` のページに載る",
        ),
    ] = None
    minutes: Annotated[
        tuple[Ordinal, Ordinal] | None,
        Doc(
            "how long a game takes, from and to; on the page of `publish`",
            "プレイ時間（分）の下限と上限。`publish` のページに載る",
            [30, 45],
        ),
    ] = None
    credits: Annotated[
        tuple[str, ...], Doc("who made what, a line each", "誰が何を作ったか。1人1行")
    ] = ()
    marks: Annotated[
        Mapping[str, str],
        Doc(
            "how `[word]` reads: a text, or a drawing of the game's (`{energy: ◆, 木: "
            "icons/wood.svg}`), of which notes show the word; what has signs of its own, such as "
            "`{coin}`, `:sword:` or 🔊, needs no brackets",
            "`[語]` の読み方：文字か、ゲームの絵（`{energy: ◆, 木: icons/wood.svg}`。"
            "メモには語が出る）。`{coin}` `:sword:` 🔊 のように記号で書くものに角括弧は要らない",
        ),
    ] = {}
    parts: Annotated[
        tuple[Word, ...], Doc("the parts of a mech, in order", "機体の部位。この順に並ぶ")
    ] = ()
    frame: Annotated[FrameRules, Doc("how frames are chosen", "機体タイプの選び方")] = FrameRules()
    aliases: Annotated[
        Mapping[str, tuple[Word, ...]],
        Doc(
            "id or name of a part, mech, board, seat, box, word of a frame … → what players call "
            "it besides; those of cards stand in their own column",
            "部位・機体・マップ・席・箱・機体タイプの語などのIDか名前 → ほかの呼び名。カ"
            "ードの呼び名はカードの表の列に書く",
            {"body": ["torso"]},
        ),
    ] = {}
    readings: Annotated[
        Mapping[Word, Word],
        Doc(
            "words that stand in names of any sort → how they are said, several ways with `/` "
            "between them: whoever types a name by its sound, or part of it, finds it",
            "名前に出てくる語 → その読み。いくつもあれば `/` で区切る。読みのとおりに、"
            "また一部だけ読みで打った名前でも見つかる",
            {"移動": "いどう", "槍": "やり/そう"},
        ),
    ] = {}
    english: Annotated[
        Mapping[Word, Word],
        Doc(
            "words of the data → in English: parts, terms, units, grounds, labels, seats. Reports "
            "in English print them, and people may type them; what has an `en` needs none, and "
            "whole texts stand in `english.yaml`",
            "データの語 → 英語。部位、項、単位、地形、見出し、席など。英語の表示に使い、"
            "そのまま打つこともできる。`en` のあるものには要らない。文は `english.yaml` に書く",
            {"頭": "head"},
        ),
    ] = {}
    draws: Annotated[Draws, Doc("how cards are drawn", "カードの引き方")] = Draws()
    teams: Annotated[Mapping[str, Naming], Doc("id → name", "ID → 名前")] = {}
    editions: Annotated[Mapping[str, Edition], Doc("id → box", "ID → 箱")] = {}
    variants: Annotated[
        Mapping[Id, Variant], Doc("id → alternative loadout", "ID → 改などの別の搭載")
    ] = {}
    look: Annotated[
        Annotated[Look, Short(under("family"), TEXT)] | None,
        Doc(
            "the family of looks that all styles belong to, `fantasy`, or that with colours and a "
            "typeface of its own; without one they are plain",
            "スタイルすべての見た目（`fantasy` など）。色と書体も書ける。なければ標準の絵柄",
        ),
    ] = field(default=None, name="family")
    faces: Annotated[Mapping[str, WrittenStyle], Doc("id → face style", "ID → 絵柄のスタイル")] = {}
    kinds: Annotated[Mapping[str, Kind], Doc("id → kind of card", "ID → カードの種類")] = {}
    deck_kinds: Annotated[
        Mapping[Id, DeckKind],
        Doc("id → deck that a player brings", "ID → プレイヤーが持ち寄るデッキ"),
    ] = field(default_factory=dict, name="decks")


class Game(Head, frozen=True, kw_only=True, dict=True):
    """A whole game folder. Mappings keep the order of the files.

    ``pictures`` are files by the id of what they show, ``art`` all of them by their folded names,
    ``finished`` those that are a whole face by the folded path that ``--images`` gives it.
    ``digest`` are letters that change with anything that its files say.
    """

    faces: Mapping[str, FaceStyle]
    sources: Annotated[Mapping[str, Source], File("sources.yaml", "source", dict[str, Source])]
    cards: Mapping[str, Card]
    frames: tuple[Frame, ...]
    figures: Annotated[tuple[Figure, ...], File("figures.yaml", "figure", list[Figure])]
    mechs: Annotated[Mapping[str, Mech], File("mechs/*.yaml", "mech", Mech)]
    decks: tuple[DeckEntry, ...] = field(name="rows of decks")
    boards: Annotated[Mapping[str, Board], File("boards/*.yaml", "board", WrittenBoard)]
    notes: Annotated[Mapping[str, Note], File("notes/*.yaml", "note", list[Note])]
    layouts: Annotated[Mapping[str, Layout], File("layouts.yaml", "layout", dict[str, Layout])]
    rooms: Annotated[Mapping[str, RoomPlan], File("rooms/*.yaml", "room", RoomPlan)]
    errata: Annotated[tuple[Erratum, ...], File("errata.yaml", "erratum", list[Erratum])]
    rulings: Annotated[tuple[Ruling, ...], File("rulings.yaml", "ruling", list[Ruling])]
    english_texts: Annotated[
        tuple[EnglishText, ...], File("english.yaml", "English text", list[EnglishText])
    ] = ()
    changes: Annotated[Mapping[str, ChangeList], File("changes/*.yaml", "changes", ChangeList)] = (
        field(default_factory=dict)
    )
    pictures: Mapping[str, str] = field(default_factory=dict)
    # The samples that were left out: code → name.
    left_out: Mapping[str, str] = field(default_factory=dict)
    art: Mapping[str, str] = field(default_factory=dict)
    finished: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[Problem, ...] = ()
    digest: str = ""

    @property
    def day(self) -> str:
        """The latest day that the data give for themselves, an erratum or a ruling; that of
        messages."""
        if self.version is None:
            return UNDATED
        dates = [*(one.date for one in self.errata), *(one.date for one in self.rulings)]
        return max([self.version.day, *(day for day in dates if day != "unknown")])

    @property
    def version_text(self) -> str:
        """Number, day and digest of the data; empty where they have no version."""
        if self.version is None:
            return ""
        return f"{self.version.number} ({' · '.join(filter(None, (self.day, self.digest)))})"

    @property
    def data_line(self) -> str:
        """Which data a room is of, for its notes and its chat; empty where they have no version."""
        return self.says("version", version=self.version_text) if self.version else ""

    @property
    def undated(self) -> tuple[Problem, ...]:
        """A notice where the game's rooms have messages, and the data no day for them."""
        tabs = (tab for room in self.rooms.values() for tab in room.chat)
        if self.version or not any(tab.messages for tab in tabs):
            return ()
        return (notice_at(self.where, "VERSION", "data-no-version", day=UNDATED),)

    @property
    def newest_changes(self) -> ChangeList | None:
        """What the latest version changed, if it is kept."""
        return self.changes[max(self.changes)] if self.changes else None

    @property
    def _cached_values(self) -> dict[Hashable, Any]:
        kept: dict[Hashable, Any] = self.__dict__.setdefault("_cached_values", {})  # of all threads
        return kept

    def cached(self, key: Hashable, work: Callable[[], T], of: object = None) -> T:
        """Return what ``work`` gives, worked out once under ``key``, or once ``of`` each object: a
        game never changes, and much of it is asked for often."""
        key = (key, id(of))
        if key not in self._cached_values:
            # It is held: its id is its own while it lives. Of two threads the first one's counts.
            self._cached_values.setdefault(key, (work(), of))
        found: T = self._cached_values[key][0]
        return found

    @cached_property
    def language(self) -> str:
        """That of the cards, in which the game's rooms and its paper speak."""
        texts = chain.from_iterable(
            (card.name, *(text for text in card.fields.values() if isinstance(text, str)))
            for card in self.cards.values()
        )
        found = any(map(JAPANESE.search, texts if self.cards else (self.name.ja,)))
        return "ja" if found else ENGLISH

    def named(self, name: Name) -> str:
        """Return a name, or a text, in the language of the cards."""
        return name.in_language(self.language)

    @cached_property
    def _added_texts(self) -> Mapping[str, str]:
        return words("table", self.language)

    def says(self, key: str, /, **values: object) -> str:
        """Return a text that the program adds to the game's rooms and paper."""
        return filled(self._added_texts[key], values) if values else self._added_texts[key]

    def label(self, text: str, language: str) -> str:
        """Return a text of the data's words in a language: ``頭2・胴1`` is ``head 2, body 1``."""
        if language == "ja" or text.isascii():
            return text
        if text in self._english_texts:
            return self._english_texts[text]
        if "。" in text:  # sentences of the data stay as they are
            head, colon, rest = text.partition(": ")
            return f"{self.label(head, language)}{colon}{rest}" if colon else text
        known = self._english

        def word(one: re.Match[str]) -> str:
            found, before, after = known.get(one[0]), text[: one.start()], text[one.end() :]
            if found is None:
                return one[0]
            if not one[0].isalpha():
                return found
            return f"{' ' * before[-1:].isdecimal()}{found}{' ' * after[:1].isdecimal()}"

        return known.get(text) or self._words.sub(word, text)

    def in_both(self, value: object) -> object:
        """Return what fills a message's blank, where it is a text, with its words in both
        languages."""
        if isinstance(value, int | float | Translated):
            return value
        text = str(value)
        english = self.label(text, "en")
        return text if english == text else Name(text, english)

    @cached_property
    def _english(self) -> Mapping[str, str]:
        """What the data's words are in English, and Japanese brackets."""
        many = (self.editions, self.variants, self.kinds, self.deck_kinds, self.boards, self.rooms)
        named: list[Any] = [one for each in many for one in each.values()]
        names = [one.name for one in (self, *named, *self.figures)] + [*self.teams.values()]
        signs = {"・": ", ", "（": " (", "）": ")"}
        return {one.ja: one.en for one in names if one.en} | signs | dict(self.english)

    @cached_property
    def _english_texts(self) -> Mapping[str, str]:
        """What whole texts of the data are in English."""
        return {one.ja: one.en for one in self.english_texts}

    @cached_property
    def _words(self) -> re.Pattern[str]:
        """Names and words with signs or figures in them, as a whole; or other words, signs."""
        names = {one.name for many in (self.cards, self.mechs) for one in many.values()}
        names = {name for name in names | self._english.keys() if not name.isalpha()}
        kept = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
        return re.compile(rf"(?<![^\W\d])(?:{kept})(?![^\W\d]|(?<=×)\d)|[^\W\d]+|[・（）]")

    def card(self, name: str) -> Card | None:
        """Return the card with this id or, failing that, the first with this name."""
        return self.cards.get(name) or self.cards_by_name.get(name)

    @property
    def takes_decks(self) -> bool:
        """Whether players bring decks, and not mechs alone whose decks follow from them."""
        return bool(self.deck_kinds) or not self.frames

    def deck_as_brought(self, deck: str) -> str:
        """Return what a player who brings a printed deck calls it; nothing where nobody brings
        any."""
        kind = self.kind_of_deck(deck)
        return "" if not self.takes_decks else kind.id if kind else deck

    def kind_of_deck(self, deck: str) -> DeckKind | None:
        """Return the kind of deck that this is, by its own name or as one of those printed."""
        for kind in self.deck_kinds.values():
            if deck == kind.id or deck in kind.printed:
                return kind
        return None

    def cards_of(self, kind: str) -> list[Card]:
        """Return the cards of a kind."""
        return [card for card in self.cards.values() if card.kind == kind]

    def rows_of(self, kind: str) -> Iterator[tuple[DeckEntry, Card]]:
        """Yield rows of printed decks that give a card of a kind other fields, and that card."""
        for row in self.decks:
            card = self.card(row.card) if row.fields else None
            if card is not None and card.kind == kind:
                yield row, card

    @cached_property
    def printed_decks(self) -> Mapping[str, None]:
        """The printed decks by name, in the order of their rows."""
        return {row.deck: None for row in self.decks}

    @cached_property
    def field_names(self) -> Mapping[str, None]:
        """The fields of cards of all kinds."""
        return {name: None for kind in self.kinds.values() for name in kind.fields}

    @cached_property
    def laid(self) -> tuple[Item, ...]:
        """The things of all layouts."""
        return tuple(item for layout in self.layouts.values() for item in layout.items)

    def deck_cards(self, deck: str) -> tuple[DeckCard, ...]:
        """Return the cards of a printed deck, in the order of its rows: the same values each
        time."""

        def work() -> tuple[DeckCard, ...]:
            found = ((row, self.card(row.card)) for row in self.decks if row.deck == deck)
            return tuple(row.of(card) for row, card in found if card is not None)

        return self.cached(("deck", deck), work)

    @cached_property
    def deck_fields(self) -> Mapping[str, None]:
        """The fields of cards that rows of printed decks give, beside how many copies there are."""
        return {name: None for row in self.decks for name in row.fields}

    def printed_values(self, deck: str, card: Card) -> Mapping[str, Sequence[Value]]:
        """Return what such fields may hold for a card in a player's deck: what the printed deck of
        that name prints, or where this card is in none such, all printed decks."""

        def work() -> Mapping[str, Sequence[Value]]:
            kind = self.kind_of_deck(deck)
            printed = {deck, *(kind.printed if kind else ())}
            rows = [row for row in self.decks if self.card(row.card) is card]
            rows = [row for row in rows if row.deck in printed] or rows
            own = {name: value for name, value in card.fields.items() if name in self.deck_fields}
            each = [{**own, **row.fields} for row in rows] or [own]
            return {name: tuple({one[name]: None for one in each}) for name in each[0]}

        return self.cached(("printed values", deck), work, card)

    def brought_card(self, row: DeckEntry) -> Card | None:
        """Return the card of a row of a player's deck: what its file does not say of it is as
        printed.

        Fields that printed decks print differently are ``unknown``.
        """
        card = self.card(row.card)
        if card is None or not self.deck_fields:
            return card

        printed = self.printed_values(row.deck, card)
        unsaid = {name: values for name, values in printed.items() if name not in row.fields}
        fields = {**card.fields, **{name: values[0] for name, values in unsaid.items()}}
        differing = {name: values for name, values in unsaid.items() if len(values) > 1}
        if differing:
            decks = [each.deck for each in self.decks if self.card(each.card) is card]
            problem = _differing(row, card, differing, decks)
            unknown = dict.fromkeys(differing, problem)
            return replace(card, fields={**fields, **row.fields}, unknown=unknown)
        key = ("brought", row.deck, *row.fields.items())
        return self.cached(key, lambda: replace(card, fields={**fields, **row.fields}), card)

    @cached_property
    def cards_by_name(self) -> Mapping[str, Card]:
        """Cards by their names; of several alike, the first."""
        return {name: cards[0] for name, cards in self.cards_named.items()}

    def word(self, card: Card) -> str:
        """Return what tells a card from all others: its name, or its id where another has that
        name."""
        first, *others = self.cards_named.get(card.name, (None,))
        reprinted = self.kinds[card.kind].reprints
        is_told = first is not None and first.id == card.id
        is_told = is_told and all(reprinted and one.kind == card.kind for one in others)
        return card.name if is_told else card.id

    @cached_property
    def cards_named(self) -> Mapping[str, Sequence[Card]]:
        """Cards by their names."""
        return grouped(self.cards.values(), lambda card: card.name)

    def errata_of(self, card: Card, deck: str = "") -> tuple[Erratum, ...]:
        """Return the errata that bear on a card itself, or on its entry in one deck."""
        names = (card.id, card.name)
        return tuple(
            erratum
            for erratum in self.errata
            if any(
                change.card in names and (change.deck or deck) == deck for change in erratum.changes
            )
        )

    def rulings_of(self, card: Card) -> tuple[Ruling, ...]:
        """Return the rulings that bear on a card."""
        names = (card.id, card.name)
        return tuple(ruling for ruling in self.rulings if any(n in ruling.cards for n in names))


def _differing(
    row: DeckEntry, card: Card, differing: Mapping[str, Sequence[Value]], decks: Sequence[str]
) -> Problem:
    """Say that nobody can tell fields of a card in a player's deck."""
    fields = {name: values[0] for name, values in differing.items()}
    return problem_at(
        row.where,
        "DECK-VALUE",
        "differs",
        card=card.name,
        field=", ".join(
            f"{name} ({' / '.join(map(as_written, values))})" for name, values in differing.items()
        ),
        decks=some(list(dict.fromkeys(decks))),
        example=as_written({card.id: {"copies": row.copies, **row.fields, **fields}})[1:-1],
    )
