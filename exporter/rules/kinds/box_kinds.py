"""What the game consists of: its cards, mechs, boards, layouts, and how many play it; what lies in
a room, and who starts where."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Annotated, TypeAlias

from msgspec import Meta

from exporter.core import grouped
from exporter.core.problems import Problem, SourceLocation, problem_at
from exporter.model import Card, Game, Item, Seat, Selection
from exporter.model.fields import whole_number
from exporter.model.shape import Count, Doc, Ref, Shape, Whole, Word
from exporter.rules.figures import meets
from exporter.rules.kind import (
    Box,
    Expression,
    Fault,
    Rule,
    RuleKind,
    SeatedRoom,
    fault_at,
    listed_values,
    wrong_numbers,
)


class Stock(RuleKind[Box]):
    """Of the cards of the game that meet an expression there are so many in all, or so many for
    each value of a field: for each that is listed, or each number from one to another.

    ja: 式に当てはまるカードが、全部で、または欄の値ごとに、決まった枚数ある。値は、挙げたものか、
    数の範囲。
    """

    cards: Annotated[Expression, Doc("of the cards that count", "数えるカードの条件")]
    copies: Annotated[
        str,
        Ref("field"),
        Doc(
            "the field that says how many of a card there are; by default one",
            "1種類が何枚あるかの欄。なければ1枚",
        ),
    ] = ""
    total: Annotated[Whole | None, Doc("how many there are in all", "全部で何枚")] = None
    field: Annotated[str, Ref("column"), Doc("whose values count", "値を数える欄")] = ""
    values: Annotated[list[Word], Doc("the values", "値")] = []
    least: Annotated[Whole | None, Doc("the smallest number", "いちばん小さい数")] = None
    most: Annotated[Whole | None, Doc("the largest number", "いちばん大きい数")] = None
    each: Annotated[Whole, Doc("how many there are of each value", "値ごとに何枚")] = 1

    one_of = ("total", "field")
    examples = (
        "{cards: kind == 'hand', copies: printed, field: number, least: 1, most: 5, each: 2}",
        "{cards: kind == 'tower', copies: printed, total: 45}",
    )
    sentences = {
        "ja": {
            "stock": (
                "{field}が{value}の札が{found}枚です（正しくは{wanted}枚）。",
                "{field}の列か、枚数を直してください。",
            ),
            "stock-total": (
                "{title}：合わせて{found}枚あります（正しくは{wanted}枚）。",
                "枚数を直してください。",
            ),
        },
        "en": {
            "stock": (
                "{found:card has|cards have} {field} {value}; the rules say {wanted}.",
                "Correct the column {field}, or the number of copies.",
            ),
            "stock-total": (
                "{title}: {found:card|cards}; the rules say {wanted}.",
                "Correct the number of copies.",
            ),
        },
    }

    def applies(self, subject: Box, rule: Rule) -> bool:
        return bool(self._cards(subject, rule)) or self.total != 0

    def faults(self, subject: Box, rule: Rule) -> Iterator[Fault]:
        cards = self._cards(subject, rule)
        counts = {card.id: _copies(card, self.copies or "1") for card in cards}
        found, wanted = sum(counts.values()), listed_values(self.values, self.least, self.most)
        if self.total is not None and found != self.total:
            yield fault_at(
                self._place(cards, rule),
                "stock-total",
                title=rule.title,
                found=found,
                wanted=self.total,
            )
        groups: dict[str, list[Card]] = {value: [] for value in wanted if self.field}
        groups |= grouped(cards if self.field else (), lambda card: card.text(self.field))
        for value, alike in groups.items():
            found, each = sum(counts[card.id] for card in alike), self.each * (value in wanted)
            if found != each:
                yield fault_at(
                    self._place(alike or cards, rule),
                    "stock",
                    field=self.field,
                    value=value or "—",
                    found=found,
                    wanted=each,
                )

    def _cards(self, box: Box, rule: Rule) -> list[Card]:
        return [card for card in box.game.cards.values() if meets(card, self.cards, rule.where)]

    def _place(self, cards: list[Card], rule: Rule) -> SourceLocation:
        return cards[-1].at(self.copies or self.field or "id") if cards else rule.where

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        yield from super().parameter_problems(at)
        yield from wrong_numbers(at, self.least, self.most)


class Mechs(RuleKind[Box]):
    """A box has so many printed mechs, and each of them so many loadouts.

    ja: 箱に印刷された機体の数と、それぞれの搭載の数が決まっている。
    """

    edition: Annotated[Word, Ref("edition"), Doc("the box", "箱")]
    count: Annotated[Whole, Doc("how many mechs", "機体の数")]
    loadouts: Annotated[Whole | None, Doc("how many loadouts each has", "1機の搭載の数")] = None

    examples = ("{edition: base, count: 9, loadouts: 2}",)
    sentences = {
        "ja": {
            "mechs": (
                "「{box}」の機体は{found}機あります（{mechs}。正しくは{wanted}機）。",
                "機体の`edition`か数を直してください。",
            ),
            "loadouts": (
                "「{mech}」の構成は{found}種あります（正しくは{wanted}種）。",
                "構成を直してください。",
            ),
        },
        "en": {
            "mechs": (
                "{box!r} has {found:mech|mechs} ({mechs}); the rules say {wanted}.",
                "Correct their `edition`, or the number.",
            ),
            "loadouts": (
                "{mech!r} has {found:loadout|loadouts}; the rules say {wanted}.",
                "Correct them.",
            ),
        },
    }

    def faults(self, subject: Box, rule: Rule) -> Iterator[Fault]:
        mechs = [mech for mech in subject.game.mechs.values() if mech.edition == self.edition]
        if len(mechs) != self.count:
            box = subject.game.editions[self.edition].name
            codes = ", ".join(mech.code for mech in mechs) or "—"
            yield fault_at(
                subject.game.place("editions", self.edition, key=True),
                "mechs",
                box=box,
                found=len(mechs),
                mechs=codes,
                wanted=self.count,
            )
        for mech in mechs if self.loadouts is not None else ():
            if len(mech.loadouts) != self.loadouts:
                yield fault_at(
                    mech.where,
                    "loadouts",
                    mech=mech.name,
                    found=len(mech.loadouts),
                    wanted=self.loadouts,
                )


class Board(RuleKind[Box]):
    """A board has so many spaces, or cells, and columns and rows of them; and so many lines between
    two of its spaces.

    ja: マップの場所かマス、列、行の数が決まっている。2つの場所の間の線の数も。
    """

    board: Annotated[Word, Ref("board"), Doc("the board", "マップ")]
    spaces: Annotated[Whole | None, Doc("its spaces or cells", "場所かマスの数")] = None
    columns: Annotated[Whole | None, Doc("of a grid", "格子の")] = None
    rows: Annotated[Whole | None, Doc("of a grid", "格子の")] = None
    between: Annotated[list[Word], Meta(max_length=2), Doc("two spaces", "2つの場所")] = []
    lines: Annotated[
        Whole | None, Doc("how many lines join those two", "その2つをつなぐ線の数")
    ] = None

    one_of = ("spaces", "columns", "rows", "lines")
    examples = ("{board: field, columns: 3, rows: 5}", "{board: map, between: [a, b], lines: 2}")
    sentences = {
        "ja": {
            "board": (
                "「{board}」の{what}は{found}です（正しくは{wanted}）。",
                "マップを直してください。",
            )
        },
        "en": {
            "board": ("{board!r} has {found} {what}; the rules say {wanted}.", "Correct the board.")
        },
    }

    def faults(self, subject: Box, rule: Rule) -> Iterator[Fault]:
        board = subject.game.boards.get(self.board)
        if board is None:
            return
        joined = sum(set(link.between) == set(self.between) for link in board.links)
        for what, found, wanted in (
            ("spaces", len(board.cells) or len(board.spaces), self.spaces),
            ("columns", board.columns, self.columns),
            ("rows", board.rows, self.rows),
            (f"lines {'–'.join(self.between)}", joined, self.lines),
        ):
            if wanted is not None and found != wanted:
                yield fault_at(
                    board.where, "board", board=board.name, what=what, found=found, wanted=wanted
                )


class Laid(RuleKind[Box]):
    """An item of a layout is laid as the rulebook says: so many of it, sliders that begin so, on
    that space, with so many cards, of which a seat is dealt so many.

    ja: 配置のものが、ルールブックのとおりに置いてある：数、スライダーの始まり、場所、カードの枚数、
    席に配る枚数。
    """

    layout: Annotated[Word, Ref("layout"), Doc("where it lies", "置いてある配置")]
    item: Annotated[
        Word,
        Doc(
            "its name, as layouts.yaml has it, or the board that it stands on",
            "layouts.yaml での名前、または立っているマップ",
        ),
    ]
    count: Annotated[Count | None, Doc("how many of it", "いくつ")] = None
    sliders: Annotated[dict[str, Word], Doc("label → `current/maximum`", "見出し → `今/最大`")] = {}
    on: Annotated[str, Doc("the space of the board that it stands on", "立っているマスの名前")] = ""
    cards: Annotated[
        Whole | None,
        Doc(
            "how many cards it has, of a kind, by the values of `only`",
            "カードの枚数。種類と `only` の値で",
        ),
    ] = None
    of: Annotated[
        Expression | None, Doc("of those of its cards that count", "数えるカードの条件")
    ] = None
    deals: Annotated[str, Doc("how many cards each seat is dealt", "席ごとに配る枚数")] = ""

    one_of = ("count", "sliders", "on", "cards", "deals")
    examples = (
        "{layout: seat, item: 騎士, count: 2, sliders: {体力: 8/8}}",
        "{layout: supply, item: 山札, cards: 4, of: number == 7, deals: '5'}",
    )
    sentences = {
        "ja": {
            "laid": ("{item}の{what}は{found}です（正しくは{wanted}）。", "直してください。"),
            "not-laid": (
                "配置「{layout}」に{item}がありません。",
                "加えるか、規則の名前を直してください。",
            ),
        },
        "en": {
            "laid": ("{what} of {item}: found {found}; the rules say {wanted}.", "Correct it."),
            "not-laid": (
                "The layout {layout!r} has no {item}.",
                "Add it, or correct the name in the rule.",
            ),
        },
    }

    def faults(self, subject: Box, rule: Rule) -> Iterator[Fault]:
        layout = subject.game.layouts.get(self.layout)
        # An empty pile has its stack's name.
        items = [one for one in (layout.items if layout else ()) if one.lay != "pile"]
        items = [one for one in items if self.item in (one.name, one.on[0] if one.on else "")]
        if not items:
            yield fault_at(
                layout.where if layout else rule.where,
                "not-laid",
                layout=self.layout,
                item=self.item,
            )
        for item in items:
            for what, found, wanted, where in self._compared(item, subject.game):
                if wanted and found != wanted:
                    yield fault_at(
                        where, "laid", item=self.item, what=what, found=found, wanted=wanted
                    )

    def _compared(self, item: Item, game: Game) -> Iterator[tuple[str, str, str, SourceLocation]]:
        """Find what is laid, what should be if anything, and where that stands."""
        yield "count", str(item.count), str(self.count or ""), item.place("count")
        for label, value in self.sliders.items():
            yield label, item.sliders.get(label, "—"), value, item.place("sliders", label)
        yield "on", item.on[1] if item.on else "—", self.on, item.place("on", 1)
        if self.cards is not None:
            found = str(self._number_of_cards(item.cards, game)) if item.cards else "0"
            yield "cards", found, str(self.cards), item.place("cards")
        found = "・".join(deal.each for deal in item.deal) or "—"
        yield "deal", found, self.deals, item.place("deal", 0, "each")

    def _number_of_cards(self, selection: Selection, game: Game) -> int:
        """Count how many cards of the game a selection by kind and values comes to."""
        cards = [card for card in game.cards.values() if selection.kind and selection.suits(card)]
        if self.of is not None:
            cards = [card for card in cards if meets(card, self.of, card.where)]
        return sum(_copies(card, selection.copies) for card in cards)


def _copies(card: Card, copies: str) -> int:
    """Count how many of a card a selection lays: a number, or what a field of the card says."""
    number = whole_number(copies)
    value = card.get(copies) if number is None else number
    return value if isinstance(value, int) else 0


class Players(RuleKind[Box]):
    """So many play the game, by the `players` of game.yaml.

    ja: game.yaml の `players` は、決まった人数である。
    """

    least: Annotated[Whole, Doc("the fewest players", "下限の人数")]
    most: Annotated[Whole, Doc("the most players", "上限の人数")]

    examples = ("{least: 2, most: 4}",)
    sentences = {
        "ja": {
            "players": (
                "「{game}」のプレイ人数が{found}人になっています（正しくは{wanted}人）。",
                "直してください。",
            )
        },
        "en": {
            "players": ("{game!r} is for {found} players; the rules say {wanted}.", "Correct it.")
        },
    }

    def faults(self, subject: Box, rule: Rule) -> Iterator[Fault]:
        game, wanted = subject.game, (self.least, self.most)
        if game.players != wanted:
            yield fault_at(
                game.place("players"),
                "players",
                game=game.name,
                found=_span(game.players),
                wanted=_span(wanted),
            )

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        yield from wrong_numbers(at, self.least, self.most)


def _span(players: tuple[int, int]) -> str:
    least, most = players
    return str(least) if least == most else f"{least}–{most}"


Span: TypeAlias = tuple[Whole, Whole]
# A thing, what there is of it and should be, whether that is right, and where it stands.
_Compared: TypeAlias = tuple[str, int | str, str, bool, SourceLocation]


class SetupRow(Shape, omit_defaults=True):
    """For so many players, what there is."""

    players: Annotated[Span, Doc("`[least, most]`", "`[下限, 上限]`")]
    holds: Annotated[
        dict[str, Span],
        Doc(
            "`boards`, or a team whose seats count → `[least, most]`",
            "`boards` か、席を数えるチーム → `[下限, 上限]`",
        ),
    ] = {}
    values: Annotated[
        dict[Word, Word],
        Doc("word of the room's `values` → what it says", "ルームの `values` の語 → その値"),
    ] = {}
    teams: Annotated[
        Whole,
        Doc(
            "only where so many teams play; by default for any number",
            "この数のチームで遊ぶときだけ。なければいつでも",
        ),
    ] = 0


class Setup(RuleKind[SeatedRoom]):
    """By the number of players, a room has so many boards, or seats of a team, and values that
    say so. A room without a board is no game that is set up, and one without teams has none to
    count.

    ja: 人数ごとに、ルームのマップの数、チームの席の数、`values` の値が決まっている。マップのない
    ルームは準備のできたゲームではなく、チームのないルームには数えるものがない。
    """

    table: Annotated[
        list[SetupRow],
        Meta(examples=[[{"players": [2, 2], "holds": {"boards": [1, 1]}}]]),
        Doc(
            "rows of `players` and what a room `holds` for them",
            "`players` と、その人数のルームにあるもの `holds` の行",
        ),
    ]

    examples = (
        "{table: [{players: [2, 2], holds: {red: [1, 1], boards: [1, 2]}}]}",
        "{table: [{players: [4, 4], values: {hand: '6'}}]}",
    )
    sentences = {
        "ja": {
            "setup": (
                "{players}人のとき、{what}は{found}です（正しくは{allowed}）。",
                "{allowed}にしてください。",
            ),
        },
        "en": {
            "setup": (
                "With {players} players, {what} is {found}; the rules say {allowed}.",
                "Change it to that.",
            )
        },
    }

    def applies(self, subject: SeatedRoom, rule: Rule) -> bool:
        return any(True for _ in self._compared(subject))

    def faults(self, subject: SeatedRoom, rule: Rule) -> Iterator[Fault]:
        for what, found, allowed, is_right, where in self._compared(subject):
            if not is_right:
                yield fault_at(
                    where,
                    "setup",
                    players=len(subject.plan.seats),
                    what=what,
                    found=found,
                    allowed=allowed,
                )

    def _compared(self, subject: SeatedRoom) -> Iterator[_Compared]:
        """Find what the table says of a room."""
        game, plan = subject.game, subject.plan
        teams = Counter(seat.team for seat in plan.seats if seat.team)
        rows = [row for row in self.table if row.teams in (0, len(teams))]
        rows = [row for row in rows if row.players[0] <= len(plan.seats) <= row.players[1]]
        boards = sum(not game.boards[name].joint for name in plan.boards)
        for row in rows if plan.boards else ():
            for what, (fewest, highest) in row.holds.items():
                found = boards if what == "boards" else teams[what]
                allowed = str(fewest) if fewest == highest else f"{fewest}–{highest}"
                if teams or what not in game.teams:
                    name, is_right = str(game.teams.get(what, what)), fewest <= found <= highest
                    yield name, found, allowed, is_right, plan.where
        for row in rows:
            for word, text in row.values.items():
                value = plan.values.get(word, "—")
                yield word, value, text, value == text, plan.place("values", word)

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        for index, row in enumerate(self.table):
            if not row.holds and not row.values:
                yield problem_at(at("table", index), "SRC-KEY", "setup-of-nothing")


# A board by its place among those of a room, and the square on it.
Square: TypeAlias = tuple[int, float, float]


class Starts(RuleKind[SeatedRoom]):
    """Every seat that names a start has a start square of its own, side by side with its team.

    ja: 開始マスを言う席には、チームごとに並んだ、自分だけの開始マスがある。
    """

    sentences = {
        "ja": {
            "starts-none": (
                "「{seat}」の開始マスがありません: {found}。",
                "マップにある開始マスを選んでください。",
            ),
            "starts-same": (
                "「{seat}」の開始マスには「{other}」もいます。",
                "別の開始マスを選んでください。",
            ),
            "starts-apart": (
                "{team}の「{seat}」は味方と隣り合っていません。",
                "味方の隣の開始マスにしてください。",
            ),
        },
        "en": {
            "starts-none": ("{seat!r} has no start square: {found}.", "Choose one of the board's."),
            "starts-same": (
                "{seat!r} and {other!r} start on the same square.",
                "Choose another one.",
            ),
            "starts-apart": (
                "{seat!r} of {team} is not next to its team.",
                "Start beside the team.",
            ),
        },
    }

    def applies(self, subject: SeatedRoom, rule: Rule) -> bool:
        return any(seat.start is not None for seat in subject.plan.seats)

    def faults(self, subject: SeatedRoom, rule: Rule) -> Iterator[Fault]:
        taken: dict[Square, Seat] = {}
        for seat in subject.plan.seats:
            square = _square(subject, seat) if seat.start else None
            if seat.start and square is None:
                found = "・".join(map(str, seat.start))
                yield fault_at(seat.where, "starts-none", seat=seat.name, found=found)
            elif square in taken:
                yield fault_at(seat.where, "starts-same", seat=seat.name, other=taken[square].name)
            elif square:
                taken[square] = seat
        for team in dict.fromkeys(seat.team for seat in taken.values() if seat.team):
            squares = [square for square, seat in taken.items() if seat.team == team]
            reached = squares[:1]
            for square in reached:
                near = [other for other in squares if _adjacent(square, other)]
                reached += [other for other in near if other not in reached]
            for square in squares:
                if square not in reached:
                    name = str(subject.game.teams.get(team, team))
                    yield fault_at(
                        taken[square].where, "starts-apart", seat=taken[square].name, team=name
                    )


def _square(room: SeatedRoom, seat: Seat) -> Square | None:
    """Find a seat's start square; those of a side are numbered on from board to board."""
    side, number = seat.start or ("", 0)
    boards = [room.game.boards.get(name) for name in room.plan.boards]
    each = ((index, board) for index, board in enumerate(boards) if board)
    squares = [(index, *square) for index, board in each for square in board.starts.get(side, ())]
    return squares[number - 1] if 0 < number <= len(squares) else None


def _adjacent(one: Square, other: Square) -> bool:
    return one[0] == other[0] and abs(one[1] - other[1]) + abs(one[2] - other[2]) == 1
