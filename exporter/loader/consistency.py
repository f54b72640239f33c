"""Checks of a whole game: whether its files agree with one another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from exporter.core.names import index
from exporter.core.problems import (
    Problem,
    SourceLocation,
    near_names,
    nearest,
    problem_at,
)
from exporter.faces.face_texts import (
    as_written,
    texts_within,
)
from exporter.faces.icons import (
    ICON,
    ICON_VALUES,
    colour_names,
    icons_like,
    is_colour,
    is_unknown_icon,
)
from exporter.faces.style_values import (
    MARK,
    is_drawn,
    is_letter,
)
from exporter.loader.card_tables import check_mark
from exporter.loader.load_context import LoadContext
from exporter.loader.style_files import item_styles
from exporter.model import (
    Board,
    Build,
    Card,
    Change,
    Erratum,
    FaceStyle,
    Field,
    Game,
    Item,
    Mech,
    Selection,
    Value,
)
from exporter.model.documents import Path
from exporter.model.fields import TEXT, read_value
from exporter.model.game_names import (
    name_index,
    sorts,
)
from exporter.model.shape import MOST_EVER_REPEATED
from exporter.rules.errata import entry_fields


def check_frame(game: Game, build: Build) -> Iterator[Problem]:
    """Check that the words that choose a build's frame are complete, and there is such a row."""
    rows = [tuple(frame.key.items()) for frame in game.frames]
    if not rows:
        return
    where = build.places.get("frame", build.where)
    wanted = [key for key, _ in rows[0]]
    missing = [key for key in wanted if key not in build.frame]
    if missing:
        yield problem_at(where, "SRC-KEY", "frame-missing", names=", ".join(missing))
        return
    chosen = tuple((key, build.frame[key]) for key in wanted)
    each_known = all(any(pair in row for row in rows) for pair in chosen)
    if each_known and chosen not in rows:
        yield problem_at(
            where, "SRC-REF", "no-frame-frames", words=" ".join(value for _, value in chosen)
        )


def check_frames(game: Game) -> Iterator[Problem]:
    """Check that each mech's frame is one of the frames; its single words are known already."""
    for mech in game.mechs.values():
        if not mech.is_sound("frame"):
            continue
        for build in list(mech.loadouts.values())[:1]:  # all loadouts share the frame
            yield from check_frame(game, build)


def check_aliases(game: Game, reading: LoadContext) -> Iterator[Problem]:
    """Check that whatever has nicknames is something that the game has."""
    for name in game.aliases:
        where = game.place("aliases", name, key=True)
        if reading.is_sound(where) and not any(
            name_index(game, sort).holds(name) for sort in sorts(game)
        ):
            known = (
                thing for sort in sorts(game) for thing in name_index(game, sort).things.values()
            )
            yield problem_at(
                where,
                "SRC-REF",
                "alias-of-nothing",
                name=name,
                nearest=near_names(index(known), name),
            )


def _changed_records(game: Game, change: Change) -> Iterator[tuple[SourceLocation, bool]]:
    """Yield the records that a change bears on, with whether they are files of their own."""
    card = game.card(change.card)
    if card is not None:
        yield card.where, False
        for entry in game.decks:
            if entry.deck == change.deck and game.card(entry.card) is card:
                yield entry.where, False
    mech = game.mechs.get(change.mech)
    if mech is not None:
        yield mech.where, True


_ANY_NUMBER = Field(type="number", least=-(10**15), most=10**15)


class _PrintedField(NamedTuple):
    """What the data hold of a field that an erratum corrects: texts as people read them, values.

    Without a ``field`` there is no such field, but perhaps ``others``.
    """

    field: Field | None = None
    texts: Sequence[str] = ()
    values: Sequence[Value] = ()
    others: Iterable[str] = ()


def _printed_field(game: Game, change: Change) -> _PrintedField:
    """Return the printed value that an erratum corrects, if there is any, and the fields there
    are."""
    name, card, mech = change.field, game.card(change.card), game.mechs.get(change.mech)
    if change.list or change.page or not (card or mech):
        return _PrintedField()
    if card is None:
        return _printed_on_sheet(mech, name) if mech else _PrintedField()
    if not change.deck:
        field = game.kinds[card.kind].fields.get(name)
        return _PrintedField(field, (card.text(name),), (card.get(name),), card.fields)
    fields = entry_fields(game.kinds[card.kind])
    rows = (one for one in game.decks if one.deck == change.deck and game.card(one.card) is card)
    values = [getattr(row, name) for row in rows] if name in fields else []
    return _PrintedField(fields.get(name), [*map(str, values)], values, fields)


def _printed_on_sheet(mech: Mech, name: str) -> _PrintedField:
    """Return a field of a mech by a path of names, such as ``frame.armour``."""
    value: Any = {"frame": mech.frame, "printed": mech.printed, "known": mech.known}
    value |= {"name": mech.name, "code": mech.code}
    allowed = ""
    for step in name.split("."):
        if not isinstance(value, Mapping) or step not in value:
            inner = value if isinstance(value, Mapping) else {}
            return _PrintedField(others=tuple(allowed + str(key) for key in inner) or ("",))
        value, allowed = value[step], f"{allowed}{step}."
    if isinstance(value, bool):
        return _PrintedField(Field(type="flag"), (str(value).lower(),), (value,))
    if isinstance(value, int):
        return _PrintedField(_ANY_NUMBER, (str(value),), (value,))
    return _PrintedField(TEXT, (str(value),), (str(value),))


def check_errata(game: Game, reading: LoadContext) -> Iterator[Problem]:
    """Check that each change's field exists and can hold its values; ``was`` is what the data
    holds."""
    for erratum in game.errata:
        for change in erratum.changes:
            targets = _changed_records(game, change)
            if not all(reading.is_sound(place, file=file) for place, file in targets):
                continue
            printed = _printed_field(game, change)
            if printed.field is not None:
                yield from _check_values(game, erratum, change, printed.field, printed)
            elif printed.others:
                yield problem_at(
                    change.place("field"),
                    "SRC-REF",
                    "no-field-correct",
                    field=change.field,
                    nearest=nearest(change.field, printed.others),
                )


def _check_values(
    game: Game, erratum: Erratum, change: Change, field: Field, printed: _PrintedField
) -> Iterator[Problem]:
    values: dict[str, Value] = {}
    for key in ("was", "now"):
        where = change.place(key)
        value = read_value(getattr(change, key), field, where, change.field)
        if isinstance(value, Problem):
            yield value
        else:
            values[key] = value
    if "was" in values and values["was"] not in printed.values:
        yield problem_at(
            change.place("was"),
            "SRC-WAS",
            "corrects-but-data",
            erratum=erratum.id,
            was=change.was,
            value="/".join(printed.texts),
        )
    if change.deck and change.field == "mark":
        where = change.place("now")
        yield from check_mark(change.now, game.variants.values(), where)


def check_rooms(game: Game, reading: LoadContext) -> Iterator[Problem]:
    """Check that each seat's mech has its variant, and its start square is on one of the room's
    boards."""
    for room in game.rooms.values():
        boards = [game.boards[name] for name in room.boards if name in game.boards]
        whole = len(boards) == len(room.boards) and all(board.rows for board in boards)
        sound = whole and all(reading.is_sound(board.where, file=True) for board in boards)
        for seat in room.seats:
            if seat.start is not None and sound:
                yield from _check_start(boards, seat.start, seat.place("start"))
            mech = game.mechs.get(seat.mech)
            if mech is None or not reading.is_sound(mech.where, file=True):
                continue
            if seat.variant in game.variants and seat.variant not in mech.loadouts:
                yield problem_at(
                    seat.place("variant"),
                    "SRC-REF",
                    "no-loadout",
                    nearest=nearest(seat.variant, mech.loadouts),
                    code=mech.code,
                    variant=seat.variant,
                )


def _check_start(
    boards: Sequence[Board], start: tuple[str, int], where: SourceLocation
) -> Iterator[Problem]:
    side, number = start
    squares: Counter[str] = Counter()
    for board in boards:
        squares.update({name: len(found) for name, found in board.starts.items()})
    names = ", ".join(board.id for board in boards) or "(none)"
    words: dict[str, Any] = {"side": side, "names": names}
    if side not in squares:
        yield problem_at(
            where, "SRC-REF", "boards-room-no", nearest=nearest(side, squares), **words
        )
    elif number > squares[side]:
        words |= {"squares": squares[side], "number": number}
        yield problem_at(where, "SRC-VALUE", "start-squares-found", **words)


def check_selections(game: Game, selections: Iterable[Selection | None]) -> Iterator[Problem]:
    """Check that no card is laid as often as too large a number says."""
    asked = {(one.kind, one.copies): None for one in selections if one and one.copies}
    for kind, name in asked:
        yield from check_repeated(game, name, kind)


def check_repeated(
    game: Game, name: str, kind: str = "", more: Iterable[Card] = ()
) -> Iterator[Problem]:
    """Check the values of a field by which something is repeated, of one kind of cards or of all;
    ``more`` are cards that a case makes up."""
    of_cases = ((card, card.get(name), card.at(name)) for card in more)
    for card, value, where in chain(_field_values(game, name), of_cases):
        field = game.kinds[card.kind].fields.get(name) if kind in ("", card.kind) else None
        if field is None or not isinstance(value, int) or value <= field.most_repeated:
            continue
        may_be_right = field.most is None and value <= MOST_EVER_REPEATED
        key = "repeated-often" if may_be_right else "repeated-too-often"
        yield problem_at(where, "SRC-VALUE", key, field=name, found=value, most=field.most_repeated)


def _field_values(game: Game, name: str) -> Iterator[tuple[Card, object, SourceLocation]]:
    """Yield each value that somebody gives to a field of a card, and its place."""
    for card in game.cards.values():
        yield card, card.fields.get(name), card.at(name)
    for entry in game.decks:
        named = game.card(entry.card)
        if named is not None and name in entry.fields:
            yield named, entry.fields[name], entry.where
    for change in (change for erratum in game.errata for change in erratum.changes):
        named = game.card(change.card)
        if named is not None and change.field == name and not change.target.keys() - {"card"}:
            field = game.kinds[named.kind].fields.get(name)
            where = change.place("now")
            if field is not None:
                yield named, read_value(change.now, field, where, name), where


def check_targets(reading: LoadContext, errata: Iterable[Erratum]) -> None:
    """Note a problem for each change that changes nothing."""
    for change in (change for erratum in errata for change in erratum.changes):
        if not change.target and all(change.is_sound(sort) for sort in change.targets):
            reading.fault(change.where, "SRC-KEY", "nothing-says-what")


def check_marks(game: Game) -> Iterator[Problem]:
    """Check that no mark stands as it is written where players read: on a face an icon of its style
    stands for it or the game's text, elsewhere only that."""
    written = as_written(game.marks)
    forms = [one for one in _FORMS if any(map(one.fullmatch, game.marks))]
    for value, styles, where in _shown_texts(game):
        texts = list(texts_within(value))
        yield from (
            problem for text in texts for problem in _sign_problems(text, forms, game.marks, where)
        )
        for mark in (mark for text in texts if "[" in text for mark in MARK.findall(text)):
            if f"[{mark}]" in written:
                continue
            if styles is None and not is_letter(mark):
                key = "no-text" if game.marks else "no-text-at-all"
                yield problem_at(where, "SRC-MARK", key, mark=mark, near=nearest(mark, game.marks))
            for style in styles or ():
                # A template that declares nothing may draw whatever it likes.
                if style.declaration is not None and not is_drawn(style, mark):
                    yield problem_at(
                        where,
                        "SRC-MARK",
                        "nothing-drawn",
                        mark=mark,
                        template=style.template,
                        near=nearest(mark, [*game.marks, *style.declaration.marks]),
                    )


# Icons as people write them, if the game has marks of the form: ``{coin}`` and ``:sword:``.
_FORMS = (
    re.compile(r"(?<!\$)\{[^{}|#:]{1,20}\}"),
    re.compile(r"(?<![0-9A-Za-z:]):[A-Za-z][\w-]{0,19}:"),
)
_TINT = re.compile(r"\{#([^ {}|]+) [^{}]*\}")


def _sign_problems(
    text: str, forms: Iterable[re.Pattern[str]], marks: Iterable[str], where: SourceLocation
) -> Iterator[Problem]:
    """Yield what a text has of signs and colours that there are not."""
    tints = {*_TINT.findall(text)} if "{#" in text else set()
    signs = {mark for form in forms for mark in form.findall(text)}
    unknown = [("no-such-sign", mark, marks) for mark in signs.difference(marks)]
    unknown += [
        ("no-colour", name, colour_names())
        for name in tints
        if not (is_colour(name) or is_colour(f"#{name}"))
    ]
    for key, mark, known in unknown:
        yield problem_at(where, "SRC-MARK", key, mark=mark, near=nearest(mark, known))


def check_icons(game: Game) -> Iterator[Problem]:
    """Check that what stands for an icon is the name of one."""
    for name, where in _icons(game):
        if "${" not in name and is_unknown_icon(name):
            yield problem_at(
                where, "FACE", "no-icon", name=name, nearest=nearest(name, icons_like(name))
            )


def _icons(game: Game) -> Iterator[tuple[str, SourceLocation]]:
    """Yield each icon's name in texts, marks, values of looks and cells of cards, with its
    place."""
    shown = [(value, where) for value, _styles, where in _shown_texts(game)]
    shown += [(word, game.place("marks", mark)) for mark, word in game.marks.items()]
    for value, where in shown:
        for text in texts_within(value):
            yield from ((name, where) for name in ICON.findall(text))
    looks = {
        key: style
        for key, style in game.faces.items()
        if style.declaration is not None and "family" in style.declaration.takes
    }
    things: list[FaceStyle | Item] = [*looks.values()]
    things += [item for item in game.laid if looks.keys() & item_styles(item)]
    for thing in things:
        for path, name in _icon_values(thing.values, ("values",)):
            if thing.spot.spelled(*path) is not None:  # and is not of the style that it is like
                yield name, thing.place(*path)
    for card in game.cards.values():
        kind = game.kinds[card.kind]
        if kind.front in looks:
            slots = looks[kind.front].values.get("slots", {})
            named = {*ICON_VALUES, slots.get("icon", "")}.intersection(kind.front_fields)
            yield from ((card.text(name), card.at(name)) for name in named)


def _icon_values(values: Mapping[str, Any], path: Path) -> Iterator[tuple[Path, str]]:
    """Yield what values at any depth have for icons, with the path to each; slots name fields."""
    for key, value in values.items():
        if isinstance(value, Mapping) and key != "slots":
            yield from _icon_values(value, (*path, key))
        elif isinstance(value, str) and key in ICON_VALUES:
            yield (*path, key), value


def _shown_texts(game: Game) -> Iterator[tuple[Any, list[FaceStyle] | None, SourceLocation]]:
    """Yield every text that players read, and the styles that show it; none where the client
    does, which draws no icons."""
    faces = game.faces
    for card in game.cards.values():
        kind = game.kinds[card.kind]
        for name in ("name", *card.fields):
            # A text that the client shows serves faces too.
            in_client = name == "name" or name in kind.detail.values()
            sides = ((kind.front, kind.front_fields), (kind.back, kind.back_fields))
            styles = [faces[one] for one, names in sides if one in faces and name in names]
            yield card.text(name), None if in_client else styles, card.at(name)
    for note in game.notes.values():
        yield (note.title, note.text), None, note.where
    for ruling in game.rulings:
        yield (ruling.topic, ruling.ruling), None, ruling.where
    for erratum in game.errata:
        changes = [text for change in erratum.changes for text in (change.was, change.now)]
        yield changes, None, erratum.where
    for style in faces.values():
        yield style.values, [style], style.where
    for item in game.laid:
        yield item.values, [faces[name] for name in item_styles(item) if name in faces], item.where
    for board in game.boards.values():
        texts = [*board.texts.values(), *(space.label for space in board.spaces)]
        texts += [link.text for link in board.links]
        yield texts, [faces[board.face]] if board.face in faces else [], board.where
