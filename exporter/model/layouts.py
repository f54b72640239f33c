"""Layouts: things that lie together, and the notes among them; rooms: seats, and the plans that put
them and layouts together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct, field

from exporter.core.messages import say
from exporter.model.boards import BOARD_PART
from exporter.model.cards import Selection
from exporter.model.shape import (
    ALONE,
    NUMBERS,
    CardField,
    Certainty,
    Count,
    Doc,
    FileId,
    Free,
    Id,
    Inner,
    Length,
    Naming,
    Ordinal,
    OwnKey,
    Pair,
    Record,
    Ref,
    Short,
    Size,
    Whole,
    Word,
    under,
    unless_filled_in,
)
from exporter.model.tabletop import PICTURE_FIELDS


class Line(Struct, frozen=True):
    """Lines of a note that are not the same on the table and on paper."""

    table: Annotated[
        str, Doc("for the notes of rooms, where people click", "ルームのメモ用。クリックする人へ")
    ] = ""
    paper: Annotated[
        str, Doc("for leaflets, where they have cards in hand", "説明書用。手元にカードがある人へ")
    ] = ""


class Note(Record, frozen=True, kw_only=True):
    """A page of text, such as a part of the quick start."""

    id: Annotated[Id, Doc("by which layouts and sheets name it", "配置やシートで呼ぶID")]
    title: Annotated[Word, Doc("of the note", "メモの題")]
    lines: Annotated[
        Annotated[tuple[str | Line, ...], ALONE],
        Doc(
            "up to 12 lines of 26 characters can be read on the table; a text, or a "
            "list whose entries are for table and paper alike, or `{table: …, paper: …}`",
            "卓で読めるのは26字で12行まで。文か、卓と紙に共通の行のリスト。違えるなら `"
            "{table: …, paper: …}`",
            "[山札は24枚。, {table: 右クリックで混ぜる。, paper: よく混ぜる。}]",
        ),
    ] = field(name="text")
    sample: Annotated[
        bool,
        Doc(
            "it is of samples, and goes where they are left out",
            "見本についてのメモ。見本を除くと一緒に消える",
        ),
    ] = False

    @property
    def text(self) -> str:
        """As it reads on the table."""
        return self._reads("table")

    @property
    def paper(self) -> str:
        """As it reads on paper."""
        return self._reads("paper")

    def _reads(self, medium: Literal["table", "paper"]) -> str:
        texts = [one if isinstance(one, str) else getattr(one, medium) for one in self.lines]
        return "\n".join(
            text for text, one in zip(texts, self.lines, strict=True) if text or one == ""
        )


def named_pictures(also: Mapping[str, Any]) -> Iterator[str]:
    """Return the names of pictures among what the client knows of a thing."""
    return (str(value) for name, value in also.items() if name in PICTURE_FIELDS)


# What a slider or a sheet shows: a figure, unless it is numbers.
_FIGURE = Ref(
    "figure", lambda text: () if "/" in text or text.isdecimal() else unless_filled_in(text)
)


class Item(Record, frozen=True, kw_only=True):
    """One thing of a layout; positions and sizes are in units from the layout's corner."""

    lay: Annotated[Literal[
        "mat", "board", "stack", "stacks", "pile", "cards", "frames", "sheet", "blank", "pawn",
        "piece", "dice", "mask", "note", "notes", "rulings",
    ], Doc(
        "what it is; a `pile` is an empty stack that cards are dropped on, `frames` a stack of "
        "cards for every frame, `blank` a flat card that shows a style of its `values` alone, "
        "`mask` covers the table",
        "何を置くか。`pile` はカードを重ねる空の山、`frames` は機体タイプごとのカードの山、"
        "`blank` は `values` だけを見せる平らな札、`mask` は卓をおおうマップマスク",
    )]  # fmt: skip
    at: Annotated[
        Pair | Literal["start"],
        Doc(
            "the place of its upper left corner; `start` is the seat's start square",
            "左上の位置。`start` は席の開始マス",
            [0, 0],
        ),
    ] = (0, 0)
    on: Annotated[
        tuple[Annotated[Word, Ref("board", unless_filled_in)], Word] | None,
        Doc(
            "a board and a space on it: it stands in its middle, moved by `at`",
            "マップとその上の場所。その真ん中に、`at` だけずらして置く",
            ["map", "a"],
        ),
    ] = None
    name: Annotated[
        str,
        Doc(
            "of the object, by default of a board its own; in `stacks` also `${count}` "
            "and the fields of the card",
            "物の名前。マップなら既定はマップの名前。`stacks` では `${count}` とカードの欄も使える",
        ),
    ] = ""
    size: Annotated[Size | None, Doc("width and depth", "幅と奥行き")] = None
    face: Annotated[
        str,
        Ref("face"),
        Doc(
            "face style; by default `mat`, `sheet`, `pawn` or `die`. A pawn in the style of its "
            "mech's card backs shows those",
            "絵柄のスタイル。既定は `mat`、`sheet`、`pawn`、`die`。"
            "機体のカードの裏のスタイルなら、コマはその裏を見せる",
        ),
    ] = ""
    back: Annotated[
        str, Ref("face"), Doc("face style of the other side", "裏側の絵柄のスタイル")
    ] = ""
    face_down: Annotated[
        bool,
        Doc(
            "they lie face down; only such are shuffled by `--shuffle`",
            "伏せて置く。`--shuffle` で混ぜるのは伏せた山だけ",
        ),
    ] = False
    draws_to: Annotated[
        str,
        Doc(
            "of a stack that people draw from: the zone of this layout where the client puts a "
            "drawn card, or `table`",
            "引く山から引いた札が落ちる所：この配置の置き場の名前か、`table`",
            "手札",
        ),
    ] = ""
    store: Annotated[
        bool,
        Doc(
            "of a stack that is kept for later: its sheet says how a card is taken out",
            "しまっておく山。札の出し方が説明に載る",
        ),
    ] = False
    deal: Annotated[
        tuple[Deal, ...],
        Doc(
            "of a stack: what it deals with `--shuffle`; without it all stays in the stack",
            "`--shuffle` のときに山から配る札。書かなければ全部山に残る",
            [{"each": "5"}],
        ),
    ] = ()
    leftover: Annotated[
        str,
        Doc(
            "the zone with a pile for what is left when it has dealt; by default it stays",
            "配ったあとの残りを移す、山のある置き場。書かなければそのまま残る",
        ),
    ] = ""
    zones: Annotated[
        Mapping[Word, Place],
        Doc(
            "of a mat: name → `[x, y, width, height]`, or with more to say `{at: […], for: hand}`",
            "マットの置き場：名前 → `[x, y, 幅, 奥行き]`。細かく書くなら `{at: […], for: hand}`",
        ),
    ] = {}
    cards: Annotated[Selection | None, Doc("which cards", "どのカードか")] = None
    by: Annotated[
        tuple[CardField, ...],
        Doc(
            "fields: `stacks` makes a stack of all cards that agree in them",
            "欄。`stacks` では、この欄が同じカードごとに山を作る",
        ),
    ] = ()
    step: Annotated[Pair, Doc("from one to the next of several", "次の1つまでの間隔")] = (0, 0)
    per_row: Annotated[
        Whole, Doc("so many beside one another, then below", "横に並べる数。それを超えたら下の段へ")
    ] = 0
    sliders: Annotated[
        Mapping[str, Annotated[Word, _FIGURE]],
        Doc(
            "label → figure, or `current/maximum`, as a slider",
            "見出し → 数値か `今/最大`。スライダーになる",
        ),
    ] = {}
    shows: Annotated[
        Mapping[str, Annotated[Word, _FIGURE]], Doc("label → figure or text", "見出し → 数値か文字")
    ] = {}
    asks: Annotated[
        Mapping[Word, Literal["name", "pilot"]],
        Doc(
            "of a piece: fields that people fill in, label → what it is of the build that lies on "
            "the mat of this layout; that of a `pilot` is called like the zone of the skills",
            "コマのシートに書きこんでもらう欄。見出し → この配置のマットで組む機体の何"
            "か。`pilot` の見出しは技能の置き場と同じ名前に",
        ),
    ] = {}
    palette: Annotated[str, Doc("the chat palette", "チャットパレット")] = ""
    card_lines: Annotated[
        Annotated[tuple[str, ...], ALONE],
        Doc(
            "a line of the palette for every one of `cards`, in parts: one whose "
            "`${…}` is empty or a dash is left out",
            "`cards` の1枚ごとのパレットの行。部分に分けて書くと、`${…}` が空か「-」の"
            "部分は省かれる",
        ),
    ] = ()
    skill_lines: Annotated[
        Annotated[tuple[str, ...], ALONE],
        Doc(
            "the same for every skill of the mech's pilots; `${pilot}` is who has it",
            "パイロットの技能ごとの同じ行。`${pilot}` が持ち主",
        ),
    ] = ()
    values: Annotated[
        Mapping[str, Free], Doc("what the template gets besides", "テンプレートに渡すほかの値")
    ] = {}
    board: Annotated[
        str, Ref("board", unless_filled_in), Doc("the board that is laid", "置くマップ")
    ] = ""
    square: Annotated[Length, Doc("the units of its squares", "1マスの長さ（単位の数で）")] = 2
    loose: Annotated[
        bool,
        Doc(
            "of a board: it is one flat piece, which people move, turn and join themselves",
            "マップを1枚の札にする。動かす・回す・つなぐのはプレイヤー",
        ),
    ] = False
    sides: Annotated[
        tuple[Word, ...], Meta(max_length=100), Doc("the names of a die's faces", "面の名前")
    ] = ()
    up: Annotated[str, Doc("the one that lies up", "上にする面")] = ""
    pictures: Annotated[
        Mapping[Word, Word],
        Doc(
            "of a die: side → its picture in `pictures/`, for a style with a window",
            "ダイスの面 → `pictures/` の絵。窓のあるスタイルで",
        ),
    ] = {}
    count: Annotated[
        Count,
        Doc(
            "how many of it; `${index}` in their names counts them",
            "いくつ置くか。名前の `${index}` が番号になる",
        ),
    ] = 1
    notes: Annotated[tuple[Annotated[Word, Ref("note")], ...], Doc("ids of notes", "メモのID")] = ()
    title: Annotated[str, Doc("of a note", "メモの題")] = ""
    text: Annotated[
        str, Doc("of a note; it also explains a stack", "メモの文。山では説明になる")
    ] = ""
    fontsize: Annotated[
        float, Meta(ge=0.1, le=100), Doc("of the letters of a note", "メモの字の大きさ")
    ] = 5
    rotate: Annotated[float, Meta(ge=-360, le=360), Doc("degrees", "角度（度）")] = 0
    detail: Annotated[
        Mapping[Word, Free],
        Doc(
            "what its sheet says besides: label → text, `[text]` of several lines, `[now, most]` "
            "for a slider, or a section of such",
            "シートに足すもの。見出し → 文、`[文]`（複数行）、`[今, 最大]`（スライダー）、"
            "またはそれらをまとめた区分",
            {"能力": {"HP": [12, 30], "武器": "剣"}},
        ),
    ] = {}
    also: Annotated[
        Mapping[Word, Free],
        Doc(
            "what the client knows of it besides, by the program's names: `z` (pixels of height), "
            "`locked`, `height`, `location`, `dicebot`; `picture` or `wall` is one of `pictures/`; "
            "`extra` are attributes of forks",
            "クライアントが持つほかの値。プログラムの名前で：`z`（高さ、ピクセル）、`locked`、"
            "`height`、`location`、`dicebot`。`picture` や `wall` は `pictures/` の絵、"
            "`extra` は派生版の属性",
            {"z": 50, "locked": "false"},
        ),
    ] = {}

    @property
    def style(self) -> str:
        """The style that it is shown in."""
        return self.face or STYLES[self.lay]

    @property
    def shown(self) -> Iterator[str]:
        """The names of pictures that it shows besides those of its style's values."""
        yield from self.pictures.values()
        yield from named_pictures(self.also)

    @property
    def lies_at(self) -> tuple[float, float]:
        """Its place in the layout; the corner for what stands on the start square."""
        return (0.0, 0.0) if isinstance(self.at, str) else self.at

    @property
    def field_sort(self) -> str:
        return self.cards.field_sort if self.cards else super().field_sort


class Layout(Record, frozen=True, kw_only=True):
    """Things that lie together; seats and supplies are layouts."""

    id: OwnKey
    size: Annotated[Size, Doc("the area it takes: `[18, 11]`", "場所の大きさ：`[18, 11]`", [18, 9])]
    items: Annotated[tuple[Item, ...], Doc("the things in it", "置くもの")] = ()


# How the client is used: one note for all games.
CONTROLS = "controls"


def note_on_client(language: str) -> Note:
    """Return the note on the client, which every game has: its id is that of ``CONTROLS``."""
    return Note(
        id=CONTROLS,
        title=say("table", language, "controls"),
        lines=(say("table", language, "controls-text"),),
    )


# Width and depth in units of a mat that says none.
MAT_SIZE = (2.0, 2.0)


# Where a card falls that is drawn to no zone.
BARE_TABLE = "table"


_Along: TypeAlias = Annotated[float, Meta(ge=0, le=10_000)]


class Zone(Struct, frozen=True):
    """A named place on a mat."""

    at: Annotated[
        tuple[_Along, _Along, Length, Length],
        Doc(
            "`[x, y, width, height]` in units from the mat's corner, within the mat",
            "マットの左上から数えた `[x, y, 幅, 奥行き]`。マットの内側に",
        ),
    ]
    serves: Annotated[
        Literal[
            "place", "hand", "draw", "discard", "removed", "aside", "play", "part", "frame", "pilot"
        ],
        Doc(
            "what lies there: cards in hand, those to be drawn, discarded, out of the game, set "
            "aside, just being played; or anything (`place`). On a mat where mechs are put "
            "together: what is mounted in the `part` of this name, the card of the `frame`, the "
            "skills of a `pilot`; `check` reads them in a saved room",
            "何を置く所か：手札、引く札、捨て札、ゲームから除いた札、よけておく札、今使"
            "っている札、なんでも（`place`）。機体を組むマットでは、この名前の部位に積"
            "む札（`part`）、機体タイプの札（`frame`）、パイロットの技能（`pilot`）。保"
            "存したルームを `check` が読む",
        ),
    ] = field(default="place", name="for")
    text: Annotated[str, Doc("a hint that is printed in it", "そこに印刷する説明")] = ""


# A zone as people write it: its rectangle alone, or with what it is for.
Place: TypeAlias = Annotated[Zone, Short(under("at", list), NUMBERS)]


# The style of a thing that names none.
STYLES: Final[Mapping[str, str]] = {
    "mat": "mat", "piece": "pawn", "dice": "die", "sheet": "sheet", "pawn": "pawn",
    "blank": "sheet", "frames": "frame", "mask": "mat",
}  # fmt: skip


_STACKS = ("stack", "stacks", "frames")


_FIGURES = ("piece", "pawn")


# The keys that only some things have, with what is laid there: all things have the others.
LAYS_WITH: Final[Mapping[str, tuple[str, ...]]] = {
    "zones": ("mat",),
    "face": tuple(STYLES),
    "back": ("sheet", "blank"),
    "values": ("mat", "piece", "dice", "mask", "blank", "frames"),
    "face_down": ("stack", "stacks", "cards"),
    **dict.fromkeys(("draws_to", "store", "deal", "leftover"), _STACKS),
    "cards": ("stack", "stacks", "cards", *_FIGURES),
    "by": ("stacks",),
    **dict.fromkeys(
        ("step", "per_row"),
        ("stacks", "cards", "frames", "blank", "piece", "dice", "notes", "rulings"),
    ),
    **dict.fromkeys(("sliders", "shows", "asks", "palette", "card_lines", "skill_lines"), _FIGURES),
    **dict.fromkeys(("board", "square", "loose"), ("board",)),
    **dict.fromkeys(("sides", "up", "pictures"), ("dice",)),
    "count": ("frames", "blank", "piece", "dice"),
    "notes": ("notes",),
    "title": ("note", "rulings"),
    "text": ("note", "stack", "stacks", "pile", "sheet"),
    "fontsize": ("note", "notes", "rulings"),
}


class Deal(Record, frozen=True, kw_only=True):
    """Cards that seats get: the seat that a stack lies in, or every seat of the room."""

    each: Annotated[
        Word,
        Doc(
            "how many cards a seat gets: a number, or a figure of its mech",
            "席ごとの枚数：数か、機体の数値",
        ),
    ]
    to: Annotated[
        str,
        Doc(
            "the zone of the seat where they lie; by default `draws_to`",
            "置く置き場。なければ `draws_to`",
        ),
    ] = ""
    holding: Annotated[
        Mapping[str, Word],
        Doc(
            "only seats that were dealt a card with these values before: `{side: light}`",
            "先にこの値の札を配られた席だけ：`{side: light}`",
        ),
    ] = {}
    face_up: Annotated[bool, Doc("they lie face up", "表向きに置く")] = False


Grid: TypeAlias = Literal["", "none", "square", "hex columns", "hex rows"]


TableSide: TypeAlias = Literal["top", "left", "centre", "right", "bottom", "front"]


class Seat(Record, frozen=True, kw_only=True):
    """A seat of a room: a layout, and the mech that sits there by default."""

    id: OwnKey
    name: Annotated[Word, Doc("as players read it", "プレイヤーに見せる名前")]
    layout: Annotated[Word, Ref("layout"), Doc("what is laid there", "置く配置")]
    team: Annotated[str, Ref("team"), Doc("of the player", "プレイヤーのチーム")] = ""
    mech: Annotated[
        str,
        Ref("mech"),
        Doc("who sits there unless `--mech` says otherwise", "`--mech` で変えないかぎり座る機体"),
    ] = ""
    variant: Annotated[str, Ref("variant"), Doc("which of its loadouts", "どの搭載か")] = ""
    start: Annotated[
        tuple[Word, Ordinal] | None,
        Doc("`[side, number]`: the start square", "`[側, 番号]`：開始マス", ["south", 2]),
    ] = None
    number: Annotated[Whole, Doc("the player's number", "プレイヤーの番号")] = 0
    rotate: Annotated[float, Meta(ge=-360, le=360), Doc("degrees", "角度（度）")] = 0
    values: Annotated[
        Mapping[str, str], Doc("word → text, for `${…}`", "語 → 文字。`${…}` に入る")
    ] = {}
    edition: Annotated[
        str,
        Ref("edition"),
        Doc(
            "it is there only where this box is owned (`--boxes`)",
            "この箱があるときだけある（`--boxes`）",
        ),
    ] = ""
    # The mech that it follows from.
    bay: Annotated[str, Inner()] = ""


# The word in a plan's ``arrange`` for the seats that follow from mechs, also with a variant
# behind a colon.
BAYS = "bays"


class Bays(Record, frozen=True, kw_only=True):
    """Seats that follow from the mechs there are: `bays` in `arrange` stands for all of them."""

    editions: Annotated[
        tuple[Annotated[Word, Ref("edition")], ...],
        Doc(
            "the mechs of these boxes; by default all there are",
            "この箱の機体。なければ全部",
            ["base"],
        ),
    ] = ()
    layout: Annotated[Word, Ref("layout"), Doc("what is laid for a mech", "機体ごとに置く配置")]
    unpublished: Annotated[
        str,
        Ref("layout"),
        Doc(
            "what is laid for a mech of which nobody published a loadout; its texts may say "
            "`${mech}`, `${code}` and `${note}`. Without it, such a mech has no place",
            "搭載が公表されていない機体に置く配置。`${mech}` `${code}` `${note}` を使え"
            "る。なければ、その機体の席はない",
        ),
    ] = ""


class RoomTable(Record, frozen=True, kw_only=True):
    """A table that is as large as it says, and what lies on it from its corner."""

    size: Annotated[Size, Doc("width and height in cells", "幅と高さ（マス）")]
    layouts: Annotated[
        tuple[Annotated[Word, Ref("layout")], ...],
        Doc("what belongs to this table alone", "この卓だけに置く配置"),
    ] = ()
    grid: Annotated[Grid, Doc("the client's grid", "クライアントの格子")] = ""
    also: Annotated[
        Mapping[Word, Free],
        Doc(
            "what the client knows of it besides; `picture` and `background` are of `pictures/`",
            "クライアントが持つほかの値。`picture` と `background` は `pictures/` の絵",
        ),
    ] = {}

    @property
    def shown(self) -> Iterator[str]:
        """The names of pictures that it shows."""
        return named_pictures(self.also)


class Tab(Record, frozen=True, kw_only=True):
    """A chat tab."""

    name: Annotated[Word, Doc("of the tab", "タブの名前")]
    messages: Annotated[
        tuple[str, ...], Doc("what stands in it to begin with", "最初から書いてある文")
    ] = ()


class RoomPlan(Record, frozen=True, kw_only=True):
    """A file of rooms/.

    With ``variants`` it stands for several rooms: each has the id of its entry, whose keys replace
    those of the file.
    """

    id: Annotated[FileId, Doc("of the room; it names the zip", "ルームのID。zip の名前になる")]
    name: Annotated[Naming, Doc("of the room", "ルームの名前")]
    players: Annotated[tuple[Count, Count], Doc("least and most", "下限と上限", [2, 2])]
    seats_by_id: Annotated[Mapping[Id, Seat], Doc("id → seat", "ID → 席")] = field(
        default_factory=dict, name="seats"
    )
    bays: Annotated[
        Bays | None,
        Doc(
            "a seat for every mech of some boxes: `{editions: [base], layout: bay}`",
            "いくつかの箱の機体すべてに1席ずつ：`{editions: [base], layout: bay}`",
        ),
    ] = None
    boards: Annotated[
        tuple[Annotated[Word, BOARD_PART], ...],
        Doc(
            "ids from left to right; `A@180` is turned, `/C` begins a row below",
            "左からのID。`A@180` は回したもの、`/C` から下の段",
            ["A@180", "J2", "B", "/C"],
        ),
    ] = ()
    maps: Annotated[
        Mapping[Word, tuple[Annotated[Word, BOARD_PART], ...]],
        Doc(
            "name → ids of boards: a table for each, of which people choose one while they play; "
            "instead of `boards`",
            "名前 → マップのID。それぞれの卓になり、遊ぶときに選ぶ。`boards` の代わりに",
            {"荒野": ["A"], "荒野と市街": ["A", "B"]},
        ),
    ] = {}
    arrange: Annotated[
        Mapping[TableSide, tuple[Word, ...]],
        Doc(
            "side → seats, layouts, `board`, which is the composed board, and `bays`, or "
            "`bays:VARIANT`, each mech with that loadout; `front` is a second row below `bottom`",
            "辺 → 席、配置、`board`（つないだマップ）、`bays`（`bays:改` ならその搭載の"
            "機体すべて）。`front` は `bottom` の下の2列目",
        ),
    ] = {}
    opens_on: Annotated[
        str,
        Doc(
            "what is seen first: `board`, `seat` (the first one), `rack` (the first of the bays), "
            "or a seat or layout of `arrange`; bare table is added for it",
            "最初に見せるもの：`board`、`seat`（最初の席）、`rack`（最初の格納席）、`ar"
            "range` の席や配置。そのために何もない卓を足す",
        ),
    ] = ""
    opening_note: Annotated[
        str,
        Doc(
            "lines of a note that stands where the room opens, the first of them its title; by "
            "default it says where the rules are read",
            "開いたときに見える所に立てるメモ。1行目が題。なければ、遊び方がどこにあるかを書く",
        ),
    ] = ""
    on_request: Annotated[
        bool,
        Doc(
            "it is built only where it is named, as others hold the same: `--room ID`",
            "名指ししたときだけ作る（同じものがほかのルームにあるため）：`--room ID`",
        ),
    ] = False
    partly_seen: Annotated[
        str,
        Doc(
            "why less of it is in sight than should be: then nothing is reported of that",
            "見えるべきものが収まらないわけ。書けば、そのことは言われない",
        ),
    ] = ""
    tables: Annotated[
        Mapping[Word, RoomTable],
        Doc(
            "name → a table of its own size, the first is seen; what is arranged then lies from "
            "the corner of each, wherever its layout says",
            "名前 → 大きさを決めた卓。最初のものが見える。並べる配置は、どの卓でも左上の角から置く",
        ),
    ] = {}
    gap: Annotated[float, Meta(ge=0, le=100), Doc("units between them", "間隔（単位）")] = 1
    row: Annotated[
        float,
        Meta(ge=1, le=198),
        Doc(
            "units that a row takes at most; what is more lies below",
            "1段の幅の上限（単位）。超えた分は下の段へ",
        ),
    ] = 98
    square: Annotated[
        Length, Doc("units of a square of the board", "マップの1マスの長さ（単位）")
    ] = 2
    level: Annotated[
        Length, Doc("units of height for each step of elevation", "高さ1段の厚み（単位）")
    ] = 0.5
    table: Annotated[str, Doc("the table's name", "卓の名前")] = ""
    surface: Annotated[
        str, Ref("face"), Doc("the face style of the table itself", "卓そのものの絵柄のスタイル")
    ] = ""
    grid: Annotated[
        Grid,
        Doc(
            "the client's grid; by default what fits the boards",
            "クライアントの格子。なければマップに合うもの",
        ),
    ] = ""
    values: Annotated[
        Mapping[str, str], Doc("word → text, for `${…}`", "語 → 文字。`${…}` に入る")
    ] = {}
    variants: Annotated[
        Mapping[Id, Any],
        Doc(
            "id → keys that replace those of the file: each makes a room of its own",
            "ID → ファイルのキーを置きかえるもの。それぞれ1つのルームになる",
        ),
    ] = {}
    chat: Annotated[tuple[Tab, ...], Doc("the chat's tabs", "チャットのタブ")] = ()
    inventory: Annotated[
        tuple[Word, ...],
        Doc("the columns of the client's inventory", "クライアントのインベントリの列"),
    ] = ()
    certainty: Annotated[Certainty, Doc("of the plan", "設計の確かさ")] = "stated"

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in their order."""
        return tuple(self.seats_by_id.values())

    @property
    def numbered_seats(self) -> tuple[Seat, ...]:
        """The seats of each layout by the numbers of their players, as people look for them."""
        layouts = [seat.layout for seat in self.seats]
        return tuple(sorted(self.seats, key=lambda one: (layouts.index(one.layout), one.number)))
