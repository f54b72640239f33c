"""Mechs: frames, figures, builds, what somebody plays with, and files of builds and decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, ClassVar, TypeAlias

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from exporter.core import sum_by_key
from exporter.core.problems import (
    Problem,
    SourceLocation,
)
from exporter.model.cards import (
    DeckCard,
    DeckEntry,
)
from exporter.model.documents import Reference
from exporter.model.shape import (
    MOST,
    MOST_EVER_REPEATED,
    Certainty,
    Doc,
    Free,
    Id,
    Name,
    Naming,
    OwnKey,
    Record,
    Ref,
    Short,
    Spelled,
    Whole,
    Word,
    under,
)


class Variant(Record, frozen=True, kw_only=True):
    """One of a mech's alternative loadouts, and the mark its cards carry."""

    id: OwnKey
    name: Annotated[Naming, Doc("of the variant", "改などの名前")]
    mark: Annotated[
        Word, Doc("what is printed on a card that the variant uses", "それが使うカードに印刷する印")
    ]


class Frame(Struct, frozen=True, kw_only=True):
    """A row of frames.csv: its key (armour, size …), its figures and its slots by part."""

    key: Mapping[str, str]
    figures: Mapping[str, int]
    slots: Mapping[str, int]
    where: SourceLocation


class Term(Record, frozen=True, kw_only=True):
    """One summand of a figure."""

    label: Annotated[Word, Doc("what the summand is called", "項の名前")]
    value: Annotated[
        Word,
        Doc(
            "an expression over the frame's names and the figures above: `基本 + 3`",
            "機体タイプの名前と、上に並ぶ数値を使った式：`基本 + 3`",
        ),
    ]
    each: Annotated[
        str,
        Ref("kind"),
        Doc(
            "a kind: a summand for each different mounted card of it, over its fields",
            "カードの種類。積んだカード1種類ごとに1つの項になり、その欄を使える",
        ),
    ] = ""
    cites: Annotated[
        tuple[Annotated[Word, Ref("source")], ...],
        Doc("keys of `sources.yaml`", "`sources.yaml` のキー"),
    ] = ()


class Figure(Record, frozen=True, kw_only=True):
    """A derived figure of a build as a list of terms."""

    id: Annotated[
        Word, Doc("of the figure; also its name in expressions", "数値の名前。式でもこの名前を使う")
    ] = field(name="name")
    en: Annotated[str, Doc("its name in English", "英語の名前")] = ""
    unit: Annotated[str, Doc("what it counts", "単位")] = ""
    minimum: Annotated[
        Annotated[int, Meta(ge=-MOST, le=MOST)] | None,
        Doc("it is never below", "これより小さくならない"),
    ] = None
    part: Annotated[
        str,
        Ref("part"),
        Doc("it is the number of slots of this part", "この部位のスロット数になる"),
    ] = ""
    terms: Annotated[tuple[Term, ...], Meta(min_length=1), Doc("its summands", "足し合わせる項")]

    @property
    def name(self) -> Name:
        """What people call it."""
        return Name(self.id, self.en)


class Pilot(Record, frozen=True, kw_only=True):
    """Who sits in a seat."""

    name: Annotated[Word, Doc("of the pilot", "パイロットの名前")]
    skills: Annotated[
        tuple[Annotated[Word, Ref("card")], ...],
        Doc("ids or names of their skills", "技能のIDか名前"),
    ] = ()


class Waiver(Record, frozen=True, kw_only=True):
    """A rule that is overlooked, and why."""

    shown_at: ClassVar = ("rule",)

    rule: Annotated[Word, Doc("its id", "規則のID")]
    reason: Annotated[Word, Doc("why it is overlooked", "見逃すわけ")]


class Build(Struct, frozen=True, kw_only=True):
    """What a player constructs: a frame, and card ids or names by part, in slot order; or
    ``decks``, their rows by the kind of deck.

    ``picture`` is the file of its pawn's. ``label`` and ``note`` are its author's. ``unread`` are
    the faults of its file that keep it from being read whole.
    """

    name: str
    frame: Mapping[str, str]
    mounted: Mapping[str, tuple[str, ...]]
    decks: Mapping[str, tuple[DeckEntry, ...]] = field(default_factory=dict)
    pilots: tuple[Pilot, ...] = ()
    game: str = ""
    regulation: str = ""
    waivers: tuple[Waiver, ...] = ()
    label: str = ""
    note: str = ""
    certainty: str = "stated"
    picture: str = ""
    where: SourceLocation = SourceLocation()
    places: Mapping[str, SourceLocation] = field(default_factory=dict)
    unread: tuple[Problem, ...] = ()

    @property
    def has_parts(self) -> bool:
        """Whether it is more than decks."""
        return not self.decks or bool(self.frame or self.mounted or self.pilots)

    @property
    def is_empty_deck(self) -> bool:
        """Whether it is decks alone, without a card."""
        return not self.has_parts and not any(self.decks.values())

    def copies_in(self, deck: str) -> Counter[str]:
        """Return how many of each card one of its decks has, by what the rows call it."""
        return sum_by_key((row.card, row.copies) for row in self.decks.get(deck, ()))

    def cards(self) -> Iterator[tuple[str, int, str, SourceLocation]]:
        """Yield what is mounted: part, slot from 0, id or name, and where it stands."""
        for part, cards in self.mounted.items():
            for slot, card in enumerate(cards):
                where = self.places.get(f"{part}.{slot + 1}") or self.places.get(part)
                yield part, slot, card, where or self.where

    def skills(self) -> Iterator[tuple[Pilot, str, SourceLocation]]:
        """Yield the skills of its pilots, by id or name, and where they stand."""
        for number, pilot in enumerate(self.pilots, 1):
            for index, skill in enumerate(pilot.skills):
                where = self.places.get(f"pilots.{number}.{index + 1}")
                yield pilot, skill, where or pilot.place("skills", index)


class Mounting(Record, frozen=True, kw_only=True):
    """Card ids or names by part, and pilots: what a file says of a construction."""

    mounted: Annotated[
        Mapping[Annotated[str, Ref("part")], tuple[Annotated[Word, Ref("card")], ...]],
        Doc(
            "part → card ids or names, in slot order",
            "部位 → カードのIDか名前。スロットの順に",
            {"body": ["sword"]},
        ),
    ] = {}
    pilots: Annotated[tuple[Pilot, ...], Doc("who sits in it", "乗っているパイロット")] = ()

    def on(
        self, frame: Mapping[str, str], at: SourceLocation, name: str, where: SourceLocation
    ) -> Build:
        """Return the construction on a frame; its ``places`` are the part, the part and slot
        (``胴.1``), and the frame, which is said ``at``."""
        places = {"frame": at}
        for part, cards in self.mounted.items():
            places[part] = self.place("mounted", part, key=True)
            for slot in range(len(cards)):
                places[f"{part}.{slot + 1}"] = self.place("mounted", part, slot)
        return Build(
            name=name,
            frame=frame,
            mounted=self.mounted,
            pilots=self.pilots,
            where=where,
            places=places,
        )


class PrintedLoadout(Mounting, frozen=True, kw_only=True):
    """One of a mech's loadouts: card ids or names by part."""

    certainty: Annotated[Certainty, Doc("of the placement", "搭載の確かさ")] = "stated"


def frame_references(record: Record, frame: Mapping[str, str]) -> Iterator[Reference]:
    """Yield the keys and values of what chooses a frame."""
    for key, value in frame.items():
        yield Reference("key of a frame", key, record.place("frame", key, key=True))
        yield Reference(f"frame with {key}", value, record.place("frame", key))


class Mech(Record, frozen=True, kw_only=True, dict=True):
    """A printed mech: its loadouts by variant, its printed figures."""

    code: Annotated[Id, Doc("permanent; `--mech` takes it", "変えない記号。`--mech` に書く")]
    name: Annotated[Word, Doc("of the mech", "機体の名前")]
    edition: Annotated[str, Ref("edition"), Doc("its box", "入っている箱")] = ""
    frame: Annotated[
        Mapping[str, Word], Doc("the words that choose its frame", "機体タイプを選ぶ語")
    ] = {}
    printed: Annotated[
        Mapping[Annotated[str, Ref("figure")], Whole],
        Doc(
            "figures as printed, to hold the computed ones against",
            "印刷されている数値。計算した値と突き合わせる",
        ),
    ] = {}
    printed_loadouts: Annotated[
        Mapping[Annotated[str, Ref("variant")], PrintedLoadout],
        Doc("variant → loadout", "基本・改など → 搭載"),
    ] = field(default_factory=dict, name="loadouts")
    silhouette: Annotated[str, Doc("the drawing that stands for it", "機体を表す絵")] = ""
    colour: Annotated[
        str,
        Meta(pattern=r"^(#[0-9a-f]{6})?$", extra={"allowed": "such as '#7a8f3a', in quotes"}),
        Doc("of that drawing", "その絵の色", "#7a8f3a"),
    ] = ""
    sample: Annotated[
        bool,
        Doc(
            "it is made up for these data, and says so (見本) wherever players meet it",
            "このデータのために作ったもの。出る所すべてに「見本」と書かれる",
        ),
    ] = False
    text: Annotated[
        str,
        Doc(
            "what it is like, in a line or two; beside its sheet in rooms",
            "どんな機体か、1〜2行で。ルームでシートの横に出る",
        ),
    ] = ""
    unknown: Annotated[
        tuple[Word, ...],
        Doc(
            "fields that nobody published: such a mech makes no room, and says why",
            "公表されていない欄。こういう機体はルームにならず、そのわけが出る",
        ),
    ] = ()
    known: Annotated[
        Mapping[str, Free],
        Doc("what else is public of it, in any form", "ほかに公表されていること。書き方は自由"),
    ] = {}
    note: Annotated[str, Doc("remarks", "覚え書き")] = ""
    sources: Annotated[
        tuple[Annotated[Word, Ref("source")], ...],
        Doc("keys of `sources.yaml`", "`sources.yaml` のキー"),
    ] = ()

    @cached_property
    def loadouts(self) -> Mapping[str, Build]:
        """Its loadouts as constructions, by variant."""
        at = self.place("frame")
        return {
            variant: replace(
                loadout.on(self.frame, at, self.name, self.place("loadouts", variant, key=True)),
                certainty=loadout.certainty,
            )
            for variant, loadout in self.printed_loadouts.items()
        }

    @property
    def title(self) -> str:
        """Its name as players read it: that of a sample says so."""
        return f"{self.name}（{SAMPLE}）" if self.sample else self.name

    def refers(self) -> Iterator[Reference]:
        """Return what chooses its frame."""
        return frame_references(self, self.frame)


# What a mech that was made up for the data is called wherever players meet it.
SAMPLE = "見本"


class Loadout(Struct, frozen=True, kw_only=True):
    """What somebody plays with, printed or built: figures, weapons by part, and the deck.

    ``code`` is empty for a build of a player's own. ``figures`` hold whole numbers by figure id;
    ``slots`` are those that count the slots of a part, by figures.yaml: those of the frame, and
    what mounted cards add. Of a player's own decks, ``decks`` has each by its kind; ``deck`` is
    the first.
    """

    name: str
    code: str
    variant: Variant | None
    build: Build
    figures: Mapping[str, int]
    slots: Mapping[str, int]
    deck: tuple[DeckCard, ...]
    decks: Mapping[str, tuple[DeckCard, ...]] = field(default_factory=dict)
    silhouette: str = ""
    colour: str = ""
    sample: bool = False
    text: str = ""


# Copies of a card in a player's deck.
MOST_OF_A_CARD = MOST_EVER_REPEATED

# How many copies of which card, and what it holds in fields in which printed decks differ.
CardList: TypeAlias = Mapping[
    Word,
    Annotated[
        Mapping[Word, Spelled],
        Short(under("copies"), {"type": "integer", "minimum": 1, "maximum": MOST_OF_A_CARD}),
    ],
]


class WrittenBuild(Mounting, frozen=True, kw_only=True):
    """A construction."""

    name: Annotated[str, Doc("of the build", "機体の名前")] = ""
    frame: Annotated[
        Mapping[str, Word], Doc("the words that choose its frame", "機体タイプを選ぶ語")
    ] = {}

    @property
    def build(self) -> Build:
        """It as rules look at it."""
        where = self.place("name") if self.name else self.where
        return self.on(self.frame, self.place("frame"), self.name, where)


class WrittenSubmission(WrittenBuild, frozen=True, kw_only=True):
    """A document of a build file."""

    game: Annotated[str, Doc("the game it is for", "どのゲームのものか")] = ""
    picture: Annotated[
        str,
        Doc(
            "a file beside this one: the picture of its pawn, `chara.png`",
            "コマの絵。このファイルの隣の `chara.png` など",
        ),
    ] = ""
    label: Annotated[str, Doc("a word of your own to sort builds by", "機体を分ける自分の言葉")] = (
        ""
    )
    note: Annotated[
        str,
        Doc("remarks of your own; no rule reads them", "自分用のメモ。規則は見ない"),
    ] = ""
    regulation: Annotated[str, Doc("the regulation it is held to", "従うレギュレーション")] = ""
    waivers: Annotated[tuple[Waiver, ...], Doc("rules that are overlooked", "見逃す規則")] = ()
    deck: Annotated[
        str,
        Doc(
            "which of the game's decks `cards` are, where there are several",
            "`cards` がどのデッキか。いくつもあるとき",
        ),
    ] = ""
    cards_of_deck: Annotated[
        CardList, Doc("a deck: card id or name → copies", "デッキ：カードのIDか名前 → 枚数")
    ] = field(default_factory=dict, name="cards")
    decks: Annotated[
        Mapping[Word, CardList],
        Doc("several decks: which one → card → copies", "いくつかのデッキ：どれか → カード → 枚数"),
    ] = {}

    def refers(self) -> Iterator[Reference]:
        """Return what chooses its frame."""
        return frame_references(self, self.frame)
