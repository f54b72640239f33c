"""What a game writes of its rules: rules, mount patterns, regulations and cases.

Frozen values like those of ``exporter.model``; they are read only by commands that check or
explain, so that building a room never pays for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from exporter.model import (
    Build,
    Card,
)
from exporter.model.mech import (
    CardList,
    WrittenBuild,
)
from exporter.model.shape import (
    MOST,
    MOST_REPEATED,
    Certainty,
    Count,
    Date,
    Day,
    Doc,
    Free,
    Id,
    Inner,
    Naming,
    OwnKey,
    Record,
    Ref,
    Spelled,
    Text,
    Whole,
    Word,
    Wording,
)

Number: TypeAlias = Annotated[int, Meta(ge=-MOST, le=MOST)]
RuleId: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[A-Z0-9][A-Z0-9-]{0,31}$",
        examples=["AB-C01"],
        extra={"allowed": "rule-id"},
    ),
]
Parts: TypeAlias = tuple[Annotated[Word, Ref("part")], ...]
Rules: TypeAlias = tuple[Annotated[Word, Ref("rule")], ...]
Cited: TypeAlias = tuple[Annotated[Word, Ref("source")], ...]

Status: TypeAlias = Literal["checked", "by-hand", "not-yet"]


class WrittenRule(Record, frozen=True, kw_only=True, dict=True):
    """A rule; ``parameters`` have the shape that belongs to its kind."""

    shown_at: ClassVar = ("id",)

    id: Annotated[
        RuleId,
        Doc(
            "permanent; reports, waivers, rulings and cases name it",
            "変えないID。報告・見逃し・裁定・例がこれを使う",
        ),
    ]
    title: Annotated[Naming, Doc("the sentence as players say it", "プレイヤーの言葉での一文")]
    status: Annotated[
        Status,
        Doc(
            "`checked` has a `kind`; `by-hand` and `not-yet` have a `reason`",
            "`checked` なら `kind` を、`by-hand` と `not-yet` なら `reason` を書く",
        ),
    ]
    cites: Annotated[Cited, Doc("keys of `sources.yaml`", "`sources.yaml` のキー")] = ()
    certainty: Annotated[Certainty, Doc("how well the rule is known", "規則の確かさ")] = "stated"
    kind_name: Annotated[
        str,
        Doc(
            "how it is checked; see [rules.md](rules.md)",
            "調べ方。[rules.ja.md](rules.ja.md) を見る",
        ),
    ] = field(default="", name="kind")
    parameters: Annotated[Mapping[str, Any], Doc("what its kind needs", "その種類に要るもの")] = {}
    assumed: Annotated[
        tuple[Word, ...], Doc("parameters that no source states", "出典に書かれていないパラメータ")
    ] = ()
    text: Annotated[Text, Doc("what explains it further", "くわしい説明")] = Wording()
    says: Annotated[
        Text,
        Doc(
            "what is reported where it is broken, instead of its kind's own sentence; "
            "`{…}` are the blanks of that one",
            "違反のときに言う文。種類の文の代わりになり、`{…}` はその文と同じ",
        ),
    ] = Wording()
    reason: Annotated[Text, Doc("why it is not checked", "調べないわけ")] = Wording()


class Placement(Record, frozen=True, kw_only=True):
    """A mount pattern. What is empty sets no bounds."""

    id: OwnKey
    parts: Annotated[Parts, Doc("where it may lie", "積める所")] = ()
    sets: Annotated[
        tuple[Mapping[Annotated[str, Ref("part")], Count], ...],
        Doc("part → copies, sets that its copies fill whole", "部位 → 枚数。この組を丸ごと埋める"),
    ] = ()
    at_least: Annotated[Parts, Doc("one copy lies on one of these", "1枚はこのどれかに")] = ()
    at_most: Annotated[Whole, Doc("copies on any one part", "1つの部位の枚数の上限")] = 0
    frame: Annotated[str, Doc("a condition on the frame", "機体タイプについての条件")] = ""

    @property
    def whole(self) -> Placement:
        """With the parts of its sets, where it names no others."""
        in_sets = tuple(dict.fromkeys(part for one in self.sets for part in one))
        return replace(self, parts=self.parts or in_sets)

    @staticmethod
    def times(one: Mapping[str, int], counts: Mapping[str, int]) -> int | None:
        """Return how many times copies in parts fill a set; nothing where they do not fill it
        whole."""
        shares = {divmod(counts.get(part, 0), needed) for part, needed in one.items()}
        times, left = shares.pop() if len(shares) == 1 else (0, 1)
        return None if left else times


class RulesFile(Record, frozen=True, kw_only=True):
    """rules.yaml; the rules are read one by one."""

    placements: Annotated[
        Mapping[str, Placement],
        Doc("a word of a card → where such cards may lie", "カードの語 → そういうカードを積める所"),
    ] = {}
    rules: Annotated[tuple[Any, ...], Doc("the rules", "規則")] = ()


class Regulation(Record, frozen=True, kw_only=True):
    """A file of regulations/: one version of an event's limits."""

    shown_at: ClassVar = ("id",)

    id: Annotated[
        Id, Doc("of the regulation; its versions share it", "レギュレーションのID。版はみな同じID")
    ]
    version: Annotated[Word, Doc("of the regulation", "レギュレーションの版")]
    title: Annotated[Naming, Doc("as players say it", "プレイヤーの呼び方")]
    date: Annotated[
        Date,
        Doc(
            "the day since which it holds, or `unknown`", "この日から有効。わからなければ `unknown`"
        ),
    ] = "unknown"
    default: Annotated[bool, Doc("it holds where nobody names any", "何も指定しないときに使う")] = (
        False
    )
    predecessor: Annotated[str, Doc("the version before this one", "前の版")] = ""
    certainty: Annotated[Certainty, Doc("how well it is known", "どのくらい確かか")] = "stated"
    cites: Annotated[Cited, Doc("keys of `sources.yaml`", "`sources.yaml` のキー")] = ()
    without: Annotated[
        Rules, Doc("rules that do not hold under it", "このレギュレーションでは使わない規則")
    ] = ()
    parameters: Annotated[
        Mapping[str, Mapping[str, Any]],
        Doc("rule → parameters that it sets", "規則 → 変えるパラメータ"),
    ] = {}
    not_yet: Annotated[
        tuple[Naming, ...], Doc("clauses that are not checked", "調べていない条項")
    ] = ()
    note: Annotated[Text, Doc("remarks", "覚え書き")] = Wording()

    def __str__(self) -> str:
        return f"{self.id}@{self.version}" if self.id else ""


class ChangedRow(Struct, frozen=True, kw_only=True):
    """A changed row of a mech's printed deck."""

    card: Annotated[Word, Ref("card"), Doc("id or name", "IDか名前")]
    mark: Annotated[
        str,
        Doc(
            "of the row, where several have this card",
            "その行のマーク。このカードの行がいくつもあるとき",
        ),
    ] = ""
    copies: Annotated[
        Annotated[int, Meta(ge=0, le=MOST_REPEATED)] | None,
        Doc("instead of those printed", "印刷の枚数の代わりに"),
    ] = None


class SeatOfCase(Struct, frozen=True, kw_only=True):
    """A seat of a made-up room."""

    team: Annotated[str, Doc("of the player", "プレイヤーのチーム")] = ""
    start: Annotated[
        tuple[Word, Whole] | None,
        Doc("`[side, number]`: the start square", "`[側, 番号]`：開始マス"),
    ] = None


class RoomOfCase(Struct, frozen=True, kw_only=True):
    """A made-up room."""

    boards: Annotated[
        tuple[Annotated[Word, Ref("board")], ...],
        Doc("ids from left to right", "左から順に、マップのID"),
    ] = ()
    seats: Annotated[
        tuple[SeatOfCase, ...], Doc("one for every player", "プレイヤーごとに1つ")
    ] = ()
    values: Annotated[
        Mapping[str, str], Doc("word → text, for `${…}`", "語 → 文字。`${…}` に入る")
    ] = {}


class Case(Record, frozen=True, kw_only=True):
    """An example of what the rules say: exactly the rules in ``raises`` are broken in it.

    One of: ``build`` with ``claims`` about its figures, or with decks; ``mech`` with changed marks
    of its deck and changed printed figures, or a printed deck without a mech; ``room``; ``play``, a
    rule of play that is ``given`` a situation, with a ``claim`` about what comes of it; or only
    ``cards``, made up for the case.
    """

    shown_at: ClassVar = ("name",)

    name: Annotated[Word, Doc("what it shows, as a sentence", "何の例か、一文で")]
    about: Annotated[Rules, Doc("rules that it shows kept", "守られていることを見せる規則")] = ()
    raises: Annotated[
        Rules, Doc("exactly the rules that find fault", "違反を見つける規則。これで全部")
    ] = ()
    notices: Annotated[
        Rules | None,
        Doc("rules that give notice, where those matter", "注意を出す規則。大事なときだけ"),
    ] = None
    written_build: Annotated[WrittenBuild | None, Doc("a build that is checked", "調べる機体")] = (
        field(default=None, name="build")
    )
    decks: Annotated[
        Mapping[Word, CardList],
        Doc(
            "a player's decks that are checked, as in their file",
            "調べるデッキ。デッキのファイルと同じに書く",
        ),
    ] = {}
    claims: Annotated[
        Mapping[Annotated[str, Ref("figure")], Number],
        Doc("figure → the value the build is to have", "数値 → その機体の値"),
    ] = {}
    mech: Annotated[
        str, Ref("mech"), Doc("a mech whose printed deck is checked", "印刷デッキを調べる機体")
    ] = ""
    deck: Annotated[
        tuple[ChangedRow, ...], Doc("changed rows of that deck", "そのデッキの、変えた行")
    ] = ()
    room: Annotated[RoomOfCase | None, Doc("a made-up room", "作りもののルーム")] = None
    play: Annotated[str, Ref("rule"), Doc("the rule that is asked", "たずねる規則")] = ""
    given: Annotated[
        Mapping[str, Free], Doc("what is so in the situation of play", "遊びの状況")
    ] = {}
    claim: Annotated[Free, Doc("the answer the rule is to give", "規則の答え")] = None
    new_cards: Annotated[
        tuple[Mapping[str, Spelled], ...],
        Doc(
            "cards made up for the case: `id`, `kind`, `name` and fields",
            "例のために作ったカード：`id`、`kind`、`name` と欄",
        ),
    ] = field(default=(), name="cards")
    regulation: Annotated[str, Doc("the regulation it is held to", "従うレギュレーション")] = ""
    boxes: Annotated[
        tuple[Annotated[Word, Ref("edition")], ...], Doc("the boxes owned", "持っている箱")
    ] = ()
    on: Annotated[Day | None, Doc("the day that is asked about", "たずねる日")] = None
    parameters: Annotated[
        Mapping[str, Mapping[str, Any]],
        Doc("rule → parameters for this case", "規則 → この例でのパラメータ"),
    ] = {}
    build: Annotated[Build | None, Inner()] = field(default=None, name="brought")
    cards: Annotated[tuple[Card, ...], Inner()] = field(default=(), name="new")

    @property
    def broken(self) -> Set[str]:
        """The rules that are broken in it, those too that only give a notice."""
        return {*self.raises, *(self.notices or ())}

    @property
    def made_up(self) -> Set[str]:
        return {card.get(key, "") for card in self.new_cards for key in ("id", "name")}
