"""Records of printing: paper, a game's jobs, shared papers and presets, and the print order.

Lengths are millimetres from the upper left corner. ``docs/print.md`` explains every key.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from exporter.model import (
    Build,
    Declaration,
    Selection,
)
from exporter.model.boards import (
    COMPOSITION,
    board_parts,
)
from exporter.model.shape import (
    NUMBERS,
    OF_CARDS,
    CardField,
    Count,
    Doc,
    FileId,
    Free,
    Id,
    Inner,
    Naming,
    OrderText,
    OrderTexts,
    OwnKey,
    Record,
    Ref,
    Short,
    Size,
    Text,
    Word,
    Wording,
)

TOLERANCE = 1e-6


class PageBox(NamedTuple):
    """A rectangle: upper left corner, width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Return the x of the right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Return the y of the lower edge."""
        return self.y + self.height

    def grown(self, left: float, top: float, right: float, bottom: float) -> PageBox:
        """Return the box with each side moved outwards by that much."""
        return PageBox(
            self.x - left, self.y - top, self.width + left + right, self.height + top + bottom
        )

    def holds(self, other: PageBox) -> bool:
        """Return whether ``other`` is inside, within ``TOLERANCE``."""
        return (
            other.x >= self.x - TOLERANCE
            and other.y >= self.y - TOLERANCE
            and other.right <= self.right + TOLERANCE
            and other.bottom <= self.bottom + TOLERANCE
        )


def around(boxes: Sequence[PageBox]) -> PageBox:
    """Return the smallest box that contains all ``boxes``."""
    x, y = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return PageBox(x, y, right - x, bottom - y)


class Paper(Record, frozen=True, kw_only=True):
    """A sheet of paper; ``margin`` is what a printer leaves white: top, right, bottom, left."""

    id: OwnKey
    size: Annotated[Size, Doc("width and height in millimetres", "幅と高さ（mm）", [210, 297])]
    margin: Annotated[tuple[float, float, float, float], Inner()] = (0, 0, 0, 0)

    @property
    def width(self) -> float:
        """Return the width in mm."""
        return self.size[0]

    @property
    def height(self) -> float:
        """Return the height in mm."""
        return self.size[1]

    @property
    def printable(self) -> PageBox:
        """Return the printable area: the paper without its margins."""
        top, right, bottom, left = self.margin
        return PageBox(left, top, self.width - left - right, self.height - top - bottom)

    def turned(self) -> Paper:
        """Return the same paper in the other orientation."""
        top, right, bottom, left = self.margin
        return replace(self, size=(self.height, self.width), margin=(left, top, right, bottom))


Edge: TypeAlias = Literal["long", "short"]


Backs: TypeAlias = Literal["none", "interleaved", "separate"]


Cut: TypeAlias = Literal["marks", "lines", "none"]


Lay: TypeAlias = Literal["cards", "mechs", "boards", "face", "pawns", "dial", "box", "document"]
Document: TypeAlias = Literal["list", "rulings", "leaflet", "forms", "calibration"]

Distance: TypeAlias = Annotated[float, Meta(ge=0, le=1000)]
CutLength: TypeAlias = Annotated[float, Meta(ge=1, le=1000)]
Shift: TypeAlias = Annotated[float, Meta(ge=-1000, le=1000)]
Pixels: TypeAlias = Annotated[int, Meta(ge=1, le=10_000)]


def _sides(value: Any) -> Any:
    """Expand one number (all sides) or two (vertical, horizontal) to top, right, bottom, left."""
    if isinstance(value, list):
        return value * 2 if len(value) == 2 else value
    return [value] * 4


Sides: TypeAlias = Annotated[
    tuple[Distance, Distance, Distance, Distance],
    Short(_sides, {"anyOf": [{"type": "number"}, NUMBERS]}),
]
Gap: TypeAlias = Annotated[
    tuple[Distance, Distance],
    Short(lambda gap: gap if isinstance(gap, list) else [gap] * 2, {"type": "number"}),
]


class FaceGround(Struct, frozen=True, kw_only=True):
    """The template of a face's ground and, where it is known, the declaration of its values."""

    template: str
    declaration: Declaration | None = None


class PaperLayout(Record, frozen=True, kw_only=True):
    """How a job lies on paper. What is left out is left to the preset, then to the program."""

    preset: Annotated[
        Annotated[str, Ref("preset")] | None,
        Doc("a printer or a stock of paper", "プリンターか用紙"),
    ] = None
    paper: Annotated[
        Annotated[str, Ref("paper")] | None,
        Doc("`a4`, `a3`, `letter` …", "`a4`、`a3`、`letter` など"),
    ] = None
    size: Annotated[
        tuple[CutLength, CutLength] | None,
        Doc("of the cut cards, in millimetres", "切ったカードの大きさ（mm）"),
    ] = None
    grid: Annotated[
        tuple[Count, Count] | None,
        Doc("columns and rows; otherwise as many as fit", "列と行。なければ入るだけ"),
    ] = None
    gap: Annotated[
        Gap | None,
        Doc(
            "between the cards, in millimetres; two numbers for across and down",
            "カードの間（mm）。2つ書けば横と縦",
        ),
    ] = None
    bleed: Annotated[
        Annotated[float, Meta(ge=0, le=20)] | None,
        Doc(
            "how far the ground reaches beyond the cut, in millimetres",
            "切り口の外へ地を伸ばす幅（mm）",
        ),
    ] = None
    cut: Annotated[Cut | None, Doc("lines to cut along", "切る線")] = None
    backs: Annotated[
        Backs | None,
        Doc(
            "where the backs come: after each front, in a file of their own, or nowhere",
            "裏の場所：表の次のページ、別のファイル、なし",
        ),
    ] = None
    edge: Annotated[
        Edge | None, Doc("the edge that the paper is turned on", "紙をひっくり返す辺")
    ] = None
    offset: Annotated[
        tuple[Shift, Shift] | None, Doc("shifts the backs, in millimetres", "裏をずらす量（mm）")
    ] = None
    overlap: Annotated[
        Annotated[float, Meta(ge=0, le=50)] | None,
        Doc("of the tiles of a board, in millimetres", "マップを分けるときの重なり（mm）"),
    ] = None

    @property
    def given(self) -> dict[str, Any]:
        """Return the keys that are given, with their values."""
        keys = {
            name: getattr(self, name) for name in PaperLayout.__struct_fields__ if name != "spot"
        }
        return {name: value for name, value in keys.items() if value is not None}


class Preset(PaperLayout, frozen=True, kw_only=True):
    """A preset: a layout with the margins of its printer, and what to say afterwards."""

    id: OwnKey
    name: Annotated[Naming, Doc("what people choose it by", "選ぶときの名前")]
    margin: Annotated[
        Sides,
        Doc(
            "what the printer leaves white, in millimetres",
            "プリンタが白く残す幅（mm）",
            [5, 4, 5, 4],
        ),
    ] = (
        0,
        0,
        0,
        0,
    )
    hint: Annotated[Text, Doc("what is said afterwards", "作ったあとに言うこと")] = Wording()


class Shop(Record, frozen=True, kw_only=True):
    """A product of a print shop: cards of one size, and what its page asks of their files."""

    id: OwnKey
    name: Annotated[Naming, Doc("the shop and its product", "印刷所と商品")]
    size: Annotated[Size, Doc("of the cut card", "切ったカードの大きさ", [63, 88])]
    unit: Annotated[Literal["mm", "inch"], Doc("of all lengths here", "ここでの長さの単位")] = "mm"
    bleed: Annotated[Distance, Doc("beyond the cut", "塗り足し")]
    safe: Annotated[
        Distance,
        Doc("within the cut, without texts and frames", "文字や枠を置かない、切り口の内側"),
    ]
    form: Annotated[
        Literal["pdf", "png"],
        Doc("a file a deck, or a picture a side", "デッキごとに1ファイルか、面ごとに1枚の画像か"),
    ] = "pdf"
    pixels: Annotated[
        tuple[Pixels, Pixels] | None, Doc("of a picture", "画像のピクセル数", [825, 1125])
    ] = None
    order: Annotated[
        Literal["front-first", "back-first"], Doc("of the pages of a card", "カードのページの順")
    ] = "front-first"
    repeats: Annotated[bool, Doc("a page for every copy", "同じカードも枚数だけページにする")] = (
        False
    )
    colour: Annotated[
        Literal["rgb", "x1a", "x4"],
        Doc("or PDF/X-1a:2003, PDF/X-4 in CMYK", "RGBか、CMYKのPDF/X-1a:2003・PDF/X-4か"),
    ] = "rgb"
    ink: Annotated[
        Annotated[float, Meta(ge=240, le=400)],
        Doc("per cent of ink at most, of all four", "4色のインク総量の上限（％）"),
    ] = 300
    profile: Annotated[
        str,
        Doc(
            "an ICC file of your own, instead of the one of FOGRA39",
            "FOGRA39のかわりに使う、手もとのICCファイル",
        ),
    ] = ""
    page: Annotated[str, Doc("where the shop says so", "印刷所がそう書いているページ")]
    seen: Annotated[str, Doc("the day on which it was read", "それを読んだ日")]

    def length(self, value: float) -> float:
        """Return one of the lengths in mm."""
        return value * 25.4 if self.unit == "inch" else value

    @property
    def trim(self) -> tuple[float, float]:
        """Return the size of the cut card in mm."""
        return self.length(self.size[0]), self.length(self.size[1])

    @property
    def paper(self) -> Paper:
        """Return the page: the cut card and its bleed."""
        width, height = (side + 2 * self.length(self.bleed) for side in self.trim)
        return Paper(id=self.id, size=(width, height), spot=self.spot)


class Stationery(Record, frozen=True, kw_only=True):
    """The file of papers, presets and shops."""

    papers: Annotated[Mapping[Id, Paper], Doc("id → paper", "ID → 用紙")] = {}
    presets: Annotated[Mapping[Id, Preset], Doc("id → preset", "ID → 印刷の設定")] = {}
    shops: Annotated[
        Mapping[Id, Shop], Doc("id → product of a print shop", "ID → 印刷所の商品")
    ] = {}


class ListColumn(Struct, frozen=True):
    """A column of a list."""

    title: Annotated[str, Doc("its heading", "見出し")]
    field: Annotated[
        Word,
        Ref(OF_CARDS, lambda text: text.split("+")),
        Doc("its field; several joined by `+`", "欄。いくつかなら `+` でつなぐ"),
    ]
    width: Annotated[Distance, Doc("in millimetres, or none", "幅（mm）。なくてもよい")] = 0


class SheetJob(PaperLayout, frozen=True, kw_only=True):
    """A file of sheets/: one print job."""

    id: Annotated[FileId, Doc("of the job; it names the file", "シートのID。ファイルの名前になる")]
    name: Annotated[
        Naming,
        Doc("stands on the margin and is the file's title", "余白に印刷され、ファイルの題になる"),
    ]
    lay: Annotated[Lay, Doc("what is laid", "何を並べるか")]
    decks: Annotated[
        bool,
        Doc(
            "every card of the printed decks, as often as they hold it",
            "印刷デッキのカードすべて。入っている枚数だけ",
        ),
    ] = False
    cards: Annotated[Selection | None, Doc("which cards", "どのカードか", {"kind": "card"})] = None
    ground_template: Annotated[
        str,
        Doc(
            "the template below `templates/faces` that draws a face's bleed",
            "塗り足しを描く `templates/faces` のテンプレート",
            "plain/ground.typ",
        ),
    ] = field(default="", name="ground")
    ground: Annotated[FaceGround | None, Inner()] = field(default=None, name="drawn")
    face: Annotated[
        str,
        Ref("face"),
        Doc("face style, for what has no kind of card", "種類のないものの絵柄のスタイル"),
    ] = ""
    back: Annotated[
        str, Ref("face"), Doc("face style of the other side", "裏側の絵柄のスタイル")
    ] = ""
    wanted_boards: Annotated[
        tuple[Annotated[str, COMPOSITION], ...],
        Doc(
            "boards, or compositions such as `A+J2+B`; otherwise all, one by one",
            "マップか、`A+J2+B` のようにつないだもの。なければ1枚ずつ全部",
        ),
    ] = field(default=(), name="boards")
    document: Annotated[
        Document | None,
        Doc(
            "`list`, `rulings`, `leaflet`, `forms`, `calibration` of `templates/sheets`",
            "`templates/sheets` の `list`、`rulings`、`leaflet`、`forms`、`calibration`",
        ),
    ] = None
    columns: Annotated[
        tuple[ListColumn, ...],
        Doc("of a list", "一覧の列", [{"title": "Card", "field": "name"}]),
    ] = ()
    by: Annotated[
        tuple[CardField, ...], Doc("the fields that a list is grouped by", "一覧をまとめる欄")
    ] = ()
    words: Annotated[
        Mapping[str, str],
        Doc(
            "how values read in lists: `rank=B: Bランク`, or `card: カード` anywhere",
            "一覧での読み方：`rank=B: Bランク`。どこでもなら `card: カード`",
        ),
    ] = {}
    notes: Annotated[
        tuple[Annotated[Word, Ref("note")], ...],
        Doc("notes of the game, for a `leaflet`", "`leaflet` に入れるメモ", ["start"]),
    ] = ()
    icons: Annotated[
        str,
        Doc(
            "the style's file that draws the marks in texts: `mine/icons.typ`",
            "文中の印を描くスタイルのファイル：`mine/icons.typ`",
        ),
    ] = ""
    values: Annotated[
        Mapping[str, Free],
        Doc(
            "what the face or document needs besides; `${…}` is a figure of the mech",
            "絵柄や文書に要るほかの値。`${…}` は機体の数値",
        ),
    ] = {}

    @property
    def boards(self) -> tuple[tuple[str, ...], ...]:
        """Return the parts of each board that the job lays."""
        return tuple(map(board_parts, self.wanted_boards))

    @property
    def field_sort(self) -> str:
        return self.cards.field_sort if self.cards else super().field_sort


class PrintOrder(PaperLayout, frozen=True, kw_only=True):
    """What to print and how. Empty fields mean every job, everything in it, its own settings.

    ``only`` has names of cards, kinds, decks, mechs, loadouts, boxes or boards; ``builds`` has
    mechs as ``CODE`` or ``CODE:VARIANT``, files of builds, and players' builds; ``boxes`` the boxes
    owned. ``stickers`` prints the parts of cards that errata change. ``samples=False`` leaves out
    made-up content. ``mats`` is a room whose mats are printed, and nothing else; ``calibrate``
    prints the page alone that shows by how far a printer is off.
    """

    sheets: OrderTexts = ()
    only: OrderTexts = ()
    changed_by: OrderTexts = ()
    changed_since: OrderText = ""
    builds: Annotated[tuple[OrderText | Build, ...], Meta(max_length=100)] = ()
    boxes: OrderTexts = ()
    poster: OrderText = ""
    scale_to_fit: bool = False
    stickers: bool = False
    saving: bool = False
    shop: OrderText = ""
    proof: bool = False
    mats: OrderText = ""
    calibrate: bool = False
    form: Literal["pdf", "png"] = "pdf"
    dpi: Annotated[int, Meta(ge=36, le=1200)] = 300
    samples: bool = True

    @property
    def is_of_errata(self) -> bool:
        """Return whether only cards that errata changed are printed."""
        return bool(self.changed_by or self.changed_since)

    def takes(self, names: Iterable[str]) -> bool:
        """Return whether ``only`` is empty or contains one of ``names``."""
        return not self.only or not set(self.only).isdisjoint(names)
