"""Marks in texts, such as ``[bomb]``: each is an icon on faces, and a text elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from exporter.core.problems import (
    Problem,
    SourceLocation,
    nearest,
    problem_at,
)
from exporter.faces.face_texts import (
    as_written,
    texts_within,
)
from exporter.faces.style_values import (
    MARK,
    is_drawn,
    is_letter,
)
from exporter.loader.layout_files import item_styles
from exporter.model import (
    Card,
    FaceStyle,
    Game,
    Kind,
)


def check_marks(game: Game) -> Iterator[Problem]:
    """A problem for each mark that would stand as it is written where players read."""
    for card in game.cards.values():
        yield from _of_card(game, card)
    for note in game.notes.values():
        yield from _texts(game, (note.title, note.text), note.where)
    for ruling in game.rulings:
        yield from _texts(game, (ruling.topic, ruling.ruling), ruling.where)
    for erratum in game.errata:
        shown = [text for change in erratum.changes for text in (change.was, change.now)]
        yield from _texts(game, shown, erratum.where)
    for style in game.faces.values():
        yield from _values(game, style.values, [style], style.where)
    for layout in game.layouts.values():
        for item in layout.items:
            styles = [game.faces[name] for name in item_styles(item) if name in game.faces]
            yield from _values(game, item.values, styles, item.where)
    for board in game.boards.values():
        styles = [game.faces[board.face]] if board.face in game.faces else []
        texts = [*board.texts.values(), *(space.label for space in board.spaces)]
        texts += [link.text for link in board.links]
        yield from _values(game, texts, styles, board.where)


def _of_card(game: Game, card: Card) -> Iterator[Problem]:
    """Of a card's name and fields, in all places where they are shown."""
    texts = {name: text for name in ("name", *card.fields) if "[" in (text := card.text(name))}
    if not texts:
        return
    kind = game.kinds[card.kind]
    for name, text in texts.items():
        if name == "name" or name in kind.detail.values():  # a text serves faces too
            yield from _texts(game, [text], card.at(name))
        else:
            yield from _values(game, text, _styles_showing(game, kind, name), card.at(name))


def _styles_showing(game: Game, kind: Kind, name: str) -> Iterator[FaceStyle]:
    """The styles of the faces that show a field of a kind."""
    for style, names in ((kind.front, kind.front_fields), (kind.back, kind.back_fields)):
        if style in game.faces and name in ("name", *names):
            yield game.faces[style]


def _texts(game: Game, texts: Any, where: SourceLocation) -> Iterator[Problem]:
    """Of texts that the client shows, where no icon can be drawn."""
    for mark in _marks(texts):
        if f"[{mark}]" not in as_written(game.marks) and not is_letter(mark):
            yield problem_at(
                where,
                "SRC-MARK",
                "no-text" if game.marks else "no-text-at-all",
                mark=mark,
                near=nearest(mark, game.marks),
            )


def _values(
    game: Game, values: Any, styles: Iterable[FaceStyle], where: SourceLocation
) -> Iterator[Problem]:
    """Of texts on faces: an icon of the style stands for a mark, or the game's text."""
    for style in styles:
        if style.declaration is None:  # it may draw whatever it likes
            continue
        for mark in _marks(values):
            if f"[{mark}]" not in as_written(game.marks) and not is_drawn(style, mark):
                yield problem_at(
                    where,
                    "SRC-MARK",
                    "nothing-drawn",
                    mark=mark,
                    template=style.template,
                    near=nearest(mark, [*game.marks, *style.declaration.marks]),
                )


def _marks(value: Any) -> Iterator[str]:
    """The marks in all texts of a value."""
    return (mark for text in texts_within(value) if "[" in text for mark in MARK.findall(text))
