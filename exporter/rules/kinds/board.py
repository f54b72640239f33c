"""``board``: how many spaces a board has."""

from collections.abc import Callable, Iterator
from typing import Annotated

from msgspec import Meta

from exporter.core.problems import (
    Problem,
    SourceLocation,
    problem_at,
)
from exporter.model.shape import (
    Doc,
    Ref,
    Whole,
    Word,
)
from exporter.rules.kind import (
    Box,
    Fault,
    Rule,
    RuleKind,
)


class BoardSpaces(RuleKind[Box]):
    """A board has so many spaces, or cells, and columns and rows of them; and so many lines between
    two of its spaces.

    ja: 地図の場所かマス、列、行の数が決まっている。2つの場所の間の線の数も。
    """

    board: Annotated[Word, Ref("board"), Doc("the board", "地図")]
    spaces: Annotated[Whole | None, Doc("its spaces or cells", "場所かマスの数")] = None
    columns: Annotated[Whole | None, Doc("of a grid", "格子の")] = None
    rows: Annotated[Whole | None, Doc("of a grid", "格子の")] = None
    between: Annotated[list[Word], Meta(max_length=2), Doc("two spaces", "2つの場所")] = []
    lines: Annotated[
        Whole | None, Doc("how many lines join those two", "その2つをつなぐ線の数")
    ] = None

    examples = ("{board: field, columns: 3, rows: 5}", "{board: map, between: [a, b], lines: 2}")
    sentences = {
        "ja": {"board": ("{board}の{what}は{found}。決まりでは{wanted}。", "盤を直してください。")},
        "en": {
            "board": ("{board} has {found} {what}; by the rules {wanted}.", "Correct the board.")
        },
    }

    def faults(self, subject: Box, rule: Rule) -> Iterator[Fault]:
        board = subject.game.boards.get(self.board)
        if board is None:
            return
        joined = sum(
            {link.between[0], link.between[1]} == set(self.between) for link in board.links
        )
        spaces = len(board.cells) or len(board.spaces)
        for what, found, wanted in (
            ("spaces", spaces, self.spaces),
            ("columns", board.columns, self.columns),
            ("rows", board.rows, self.rows),
            (f"lines {'–'.join(self.between)}", joined, self.lines),
        ):
            if wanted is not None and found != wanted:
                values = {"board": board.name, "what": what, "found": found, "wanted": wanted}
                yield Fault(board.where, "board", values)

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        if (self.spaces, self.columns, self.rows, self.lines) == (None,) * 4:
            yield problem_at(at(), "SRC-KEY", "board-of-nothing")
