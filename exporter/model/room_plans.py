"""Rooms: seats, and the plans that put them and layouts together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, field

from exporter.model.boards import board_id
from exporter.model.document_places import Reference
from exporter.model.shape import (
    Certainty,
    Count,
    Doc,
    FileId,
    Id,
    Inner,
    Length,
    Naming,
    Ordinal,
    OwnKey,
    Record,
    Ref,
    Whole,
    Word,
)

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
    bay: Annotated[str, Inner()] = ""
    """The mech that it follows from."""


BAYS = "bays"
"""The word in a plan's ``arrange`` for the seats that follow from mechs, also with a variant
behind a colon."""


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
        tuple[Word, ...],
        Doc(
            "ids from left to right; `A@180` is turned, `/C` begins a row below",
            "左からのID。`A@180` は回したもの、`/C` から下の段",
            ["A@180", "J2", "B", "/C"],
        ),
    ] = ()
    maps: Annotated[
        Mapping[Word, tuple[Word, ...]],
        Doc(
            "name → ids of boards: a table for each, of which people choose one while they play; "
            "instead of `boards`",
            "名前 → 地図のID。それぞれの卓になり、遊ぶときに選ぶ。`boards` の代わりに",
            {"荒野": ["A"], "荒野と市街": ["A", "B"]},
        ),
    ] = {}
    arrange: Annotated[
        Mapping[TableSide, tuple[Word, ...]],
        Doc(
            "side → seats, layouts, `board`, which is the composed board, and `bays`, or "
            "`bays:VARIANT`, each mech with that loadout; `front` is a second row below `bottom`",
            "辺 → 席、配置、`board`（つないだ地図）、`bays`（`bays:改` ならその搭載の"
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
            "why less of it is in sight than should be: then nothing is told of that",
            "見えるべきものが収まらないわけ。書けば、そのことは言われない",
        ),
    ] = ""
    gap: Annotated[float, Meta(ge=0, le=100), Doc("units between them", "間隔（単位）")] = 1
    row: Annotated[
        float,
        Meta(ge=1, le=98),
        Doc(
            "units that a row takes at most; what is more lies below",
            "1段の幅の上限（単位）。超えた分は下の段へ",
        ),
    ] = 98
    square: Annotated[
        Length, Doc("units of a square of the board", "地図の1マスの長さ（単位）")
    ] = 2
    level: Annotated[
        Length, Doc("units of height for each step of elevation", "高さ1段の厚み（単位）")
    ] = 0.5
    table: Annotated[str, Doc("the table's name", "卓の名前")] = ""
    surface: Annotated[
        str, Ref("face"), Doc("the face style of the table itself", "卓そのものの絵柄のスタイル")
    ] = ""
    grid: Annotated[
        Literal["", "none", "square", "hex columns", "hex rows"],
        Doc(
            "the client's grid; by default what fits the boards",
            "クライアントの格子。なければ地図に合うもの",
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

    def refers(self) -> Iterator[Reference]:
        """Boards, however they are turned."""
        for index, part in enumerate(self.boards):
            yield Reference("board", board_id(part), self.place("boards", index))
        for name, parts in self.maps.items():
            for index, part in enumerate(parts):
                yield Reference("board", board_id(part), self.place("maps", name, index))

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in their order."""
        return tuple(self.seats_by_id.values())

    @property
    def numbered_seats(self) -> tuple[Seat, ...]:
        """The seats of each layout by the numbers of their players, as people look for them."""
        layouts = [seat.layout for seat in self.seats]
        return tuple(sorted(self.seats, key=lambda one: (layouts.index(one.layout), one.number)))
