"""A face: one finished look as a value — template, values, size — that says nothing of pixels.

Rooms and print sheets show the very same faces, so they cannot disagree. What is *not* among the
values a face gets does not change it: a card's note may be edited and nothing is painted anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from exporter.core.messages import ENGLISH
from exporter.core.problems import (
    SourceLocation,
    error_at,
    nearest,
)
from exporter.faces.drawings import choose_alone, choose_pictures
from exporter.faces.face_texts import folded
from exporter.faces.icons import ICON, ICON_VALUES, icons_like, is_unknown_icon
from exporter.faces.style_values import (
    PLAIN_STYLES,
    icons_in,
    is_measured,
    replaced_icons,
    replaced_within,
    taken,
    words_for_marks,
)
from exporter.model import (
    SAMPLE,
    Card,
    DeckCard,
    FaceStyle,
    Game,
    Kind,
    Loadout,
)

# Values as JSON, in the one form that makes equals equal.
canonical = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


class SizeGroup(Struct, frozen=True, eq=False):
    """Cards whose texts are of one size: those of one kind in one style, in all of a game's decks.

    ``name`` says which they are, ``faces`` gives them: the same for each card, whoever asks. Those
    of a series are told by their numbers, not by their pictures.
    """

    name: str
    faces: Callable[[], Sequence[Face]]
    is_series: bool = False


class Face(Struct, frozen=True, eq=False):
    """What a template draws from which values; two equal faces are painted once.

    ``template`` is a path below ``templates/faces``; ``values`` canonical JSON (see ``face``);
    ``width`` and ``height`` in millimetres; ``scale`` pixels of the screen picture to a millimetre;
    ``pictures`` the files of the game folder that the template shows. ``where`` is the row that
    a problem with this face is to be blamed on, ``name`` how a file of its own would be called, as
    folders and a name; both are no part of its identity, and neither is its ``size_group``:
    painting finds the size that it shares. ``brought`` are pictures that no folder has, by their
    names.
    """

    template: str
    values: str
    width: float
    height: float
    scale: float
    pictures: tuple[str, ...] = ()
    where: SourceLocation = SourceLocation()
    name: tuple[str, ...] = ()
    size_group: SizeGroup | None = None
    brought: Mapping[str, bytes] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Face) and (
            self.values == other.values
            and self.template == other.template
            and self.width == other.width
            and self.height == other.height
            and self.scale == other.scale
            and self.pictures == other.pictures
        )

    def __ne__(self, other: object) -> bool:
        """Negate ``==``; that of all records would hold, which knows no other equality."""
        return not self == other

    def __hash__(self) -> int:
        """Hash what tells nearly all faces apart: they are looked up a dozen times each."""
        return hash(self.values)


# The Japanese faces draw a straight quote as a closing one, and a curly apostrophe with a gap.
_OPENING = re.compile(r'(["\s(「（]|\\n)\\"(?=\w)')
_APOSTROPHE = re.compile("(?<=[A-Za-z])’(?=[A-Za-z])")


def face(
    template: str,
    values: Mapping[str, Any],
    size: tuple[float, float],
    *,
    scale: float,
    pictures: tuple[str, ...] = (),
    where: SourceLocation = SourceLocation(),
    name: tuple[str, ...] = (),
    size_group: SizeGroup | None = None,
) -> Face:
    """Return a face of ``size`` (millimetres), its values in the one order that makes equals
    equal."""
    width, height = size
    text = canonical({**values, "width": width, "height": height})
    return Face(
        template,
        _OPENING.sub(r"\1“", _APOSTROPHE.sub("'", text)),
        width,
        height,
        scale,
        pictures,
        where,
        name,
        size_group,
    )


def style_of(game: Game, name: str, where: SourceLocation) -> FaceStyle:
    """Return the face style called ``name``. Raises ``InvalidSource`` naming the nearest."""
    if name in game.faces:
        return game.faces[name]
    raise error_at(where, "FACE", "no-face-style", name=name, nearest=nearest(name, game.faces))


def styled_face(
    game: Game,
    style_id: str,
    values: Mapping[str, Any],
    *,
    where: SourceLocation,
    name: tuple[str, ...] = (),
    picture_of: str = "",
    also: tuple[str, ...] = (),
    size: tuple[float, float] | None = None,
    size_group: SizeGroup | None = None,
) -> Face:
    """Return a face in one of the game's styles: of ``values``, and those of the style, what it
    takes.

    The folder's own picture for ``picture_of`` is among them. Where the folder has the finished
    face, by its ``name`` or one of those that it has ``also``, that is all of it.
    """
    style = style_of(game, style_id, where)
    size, side = size or style.size, values.get("side", "")
    if scan := finished_of(game, name, picture_of, also):
        whole = face(FINISHED, {"picture": scan, "side": side}, size, scale=style.scale)
        return replace(whole, pictures=(scan,), where=where, name=name)
    own = {name: one for name, one in values.items() if one != "" or not is_measured(style, name)}
    everything = {**style.values, **own, "picture": game.pictures.get(picture_of, "")}
    window = art_of(game, style, everything)
    if window is not None and window.startswith(CLIENT):
        everything["address"] = window.removeprefix(CLIENT)
    elif window is not None:
        everything |= {"picture": "", "art": window}
    if game.language == ENGLISH:
        everything["in_english"] = True
    shown = taken(style.declaration, everything)
    takes = style.declaration.takes if style.declaration else {}
    if "shows" in takes and "shows" not in shown:
        shown["shows"] = choose_alone(takes["shows"].shows, shown)
    shown = replaced_icons(shown)
    has_look = "family" in takes
    names = ("picture", "art", "frame") if has_look else ("picture", "art")
    pictures = tuple(str(shown[name]) for name in names if shown.get(name))
    made = face(
        style.template,
        replaced_within(shown, words_for_marks(style, game.marks)),
        size,
        scale=style.scale,
        where=where,
        name=name,
        size_group=size_group,
    )
    named = [one for name in ICON_VALUES if isinstance(one := shown.get(name), str)]
    asked = [*(named if has_look else ()), *ICON.findall(made.values)]
    if unknown := next((name for name in asked if is_unknown_icon(name)), ""):
        raise error_at(
            where, "FACE", "no-icon", name=unknown, nearest=nearest(unknown, icons_like(unknown))
        )
    return replace(made, pictures=(*pictures, *icons_in(made.values, game.marks)))


def _side_of(kind: Kind, side: Literal["front", "back"]) -> str:
    """Return the face style of a side of a kind's cards. Raises ``InvalidSource`` where it has
    none."""
    style: str = getattr(kind, side)
    if style:
        return style
    example = "card" if side == "front" else "card_back"
    raise error_at(kind.where, "FACE", "kind-no-but", kind=kind.id, side=side, example=example)


def _fields(card: Card, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: card.get(name) for name in names}


def _listed(game: Game, card: Card, lists: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    """Find for each field that lists other cards what is shown of them."""
    found = {}
    for name, shown in lists.items():
        words = card.get(name)
        cards = map(game.card, words if isinstance(words, tuple) else ())
        found[name] = [_fields(other, shown) for other in cards if other is not None]
    return found


# What every card has besides its fields.
CARD_ITSELF = ("id", "name", "kind")


def names_shown(kind: Kind, side: Literal["front", "back"]) -> tuple[str, ...]:
    """Return the names of what there is to show of a card: those of its ``front_values``, or
    back."""
    if side == "back":
        return ("side", "deck", "silhouette", *kind.back_fields)
    return ("side", *CARD_ITSELF, *kind.front_fields, *kind.front_lists, "code", "mark")


# What a kind says of how its tables are read, which no face shows.
_OF_TABLES = ("heading", "ids", "repeats", "address")


def _of_kind(kind: Kind) -> dict[str, Any]:
    """Return the keys of a kind that are a text, a number or a truth, as a template may take
    them."""
    names = (name for name in kind.__struct_fields__ if name not in _OF_TABLES)
    each = {name: getattr(kind, name) for name in names}
    return {"of_kind": {k: one for k, one in each.items() if isinstance(one, str | int | float)}}


def front_values(game: Game, entry: DeckCard) -> dict[str, Any]:
    """Return what there is to show on the front of a card as it lies in somebody's deck."""
    card, kind = entry.card, game.kinds[entry.card.kind]
    values = {"side": "front", "kind": kind.id, "id": card.id, "name": card.name}
    values |= _fields(card, kind.front_fields) | _listed(game, card, kind.front_lists)
    mech = game.mechs.get(entry.deck)
    code = SAMPLE if mech is not None and mech.sample else entry.deck
    return values | {"code": code, "mark": entry.mark}


def back_values(game: Game, entry: DeckCard) -> dict[str, Any]:
    """Return what there is to show on the back of a card; that a mech is a sample stands as its
    name."""
    kind, mech = game.kinds[entry.card.kind], game.mechs.get(entry.deck)
    values = {"side": "back", "deck": entry.deck} | _fields(entry.card, kind.back_fields)
    if mech is None:
        return values
    return values | {"silhouette": mech.silhouette} | ({"name": SAMPLE} if mech.sample else {})


def card_front(game: Game, entry: DeckCard) -> Face:
    """Return the front of a card as it lies in somebody's deck, with that deck's code and mark.

    Made once: rooms lay the same cards many times.
    """

    def front() -> Face:
        card, kind = entry.card, game.kinds[entry.card.kind]
        name: tuple[str, ...] = ("cards", card.id)
        if entry.deck:
            marks = (each.id for each in game.variants.values() if each.mark in entry.mark)
            name = ("decks", entry.deck, "-".join([card.id, *marks]))
        style = _side_of(kind, "front")
        chosen = _chosen_picture(game, kind, "front", card)
        return styled_face(
            game,
            style,
            front_values(game, entry) | _of_kind(kind) | chosen,
            where=card.where,
            name=name,
            picture_of=card.id,
            size_group=_size_group(game, kind),
        )

    return game.cached((card_front, entry.deck, entry.mark), front, of=entry.card)


def _chosen_picture(
    game: Game, kind: Kind, side: Literal["front", "back"], card: Card
) -> dict[str, Any]:
    """Return ``shows`` of a side of a card, chosen once for all cards of its kind.

    Backs with one title look the same.
    """
    style = style_of(game, _side_of(kind, side), card.where)
    if style.declaration is None or "art_place" not in style.declaration.takes:
        return {}
    slots = style.values.get("slots")
    title = str(slots.get("title", "name")) if isinstance(slots, Mapping) else "name"
    if side == "back" and title not in kind.back_fields:
        return {}

    def key(card: Card) -> str:
        return card.id if side == "front" else card.text(title)

    def pictures() -> dict[str, dict[str, Any]]:
        of_side = front_values if side == "front" else back_values
        values = {
            key(each): {**style.values, **of_side(game, DeckCard(card=each))}
            for each in game.cards_of(kind.id)
        }
        return dict(zip(values, choose_pictures(values.values()), strict=True))

    found = game.cached((_chosen_picture, kind.id, side), pictures).get(key(card))
    return {"shows": found} if found else {}


def _size_group(
    game: Game, kind: Kind, side: Literal["front", "back"] = "front"
) -> SizeGroup | None:
    """Return one side of all cards of a kind, as they are and as rows of decks change them; none
    where the style lets each text have a size of its own, or a back has no size to find."""
    style, of_side = (kind.front, card_front) if side == "front" else (kind.back, card_back)
    sizes = game.faces[style].values.get("text_size") if style in game.faces else None
    if sizes.get("each") if isinstance(sizes, Mapping) else side == "back":
        return None

    def faces() -> tuple[Face, ...]:
        entries = [DeckCard(card=card) for card in game.cards_of(kind.id)]
        entries += [row.of(card) for row, card in game.rows_of(kind.id)]
        return tuple(dict.fromkeys(of_side(game, entry) for entry in entries))

    def work() -> SizeGroup:
        name, is_series = f"{kind.id} {style}", kind.series or side == "back"
        return SizeGroup(name, lambda: game.cached((SizeGroup, kind.id, side), faces), is_series)

    return game.cached((_size_group, kind.id, side), work)


def card_back(game: Game, entry: DeckCard) -> Face:
    """Return the back of a card: the same for all cards of a deck whose ``back_fields`` agree."""
    kind = game.kinds[entry.card.kind]
    values, name = back_values(game, entry), ("backs", entry.deck or kind.back)
    also = (kind.id, kind.back)
    own = entry.card.id if folded(f"backs/{entry.card.id}") in game.finished else ""

    def work() -> Face:
        style, shown = _side_of(kind, "back"), values | _of_kind(kind)
        if kind.back_fields and kind.back in game.faces:
            shown |= _chosen_picture(game, kind, "back", entry.card)
        return styled_face(
            game,
            style,
            shown,
            where=kind.where,
            name=name,
            picture_of=own,
            also=also,
            size_group=_size_group(game, kind, "back") if kind.back_fields else None,
        )

    return game.cached((card_back, kind.id, own, *values.values()), work)


def loadout_face(
    game: Game, style: str, loadout: Loadout, more: Mapping[str, Any], where: SourceLocation
) -> Face:
    """Return a mech sheet or a pawn: what the style takes of the loadout, and ``more``."""
    values = loadout_values(game, loadout) | dict(more)
    shown = taken(style_of(game, style, where).declaration, values)
    variant = loadout.variant.id if loadout.variant else ""
    whose = f"{shown.get('team', '')}{shown.get('number', '')}"
    words = [loadout.code or loadout.name, variant, whose]
    return styled_face(
        game,
        style,
        values,
        where=loadout.build.where,
        name=(f"{style}s", "-".join(word for word in words if word)),
        picture_of=loadout.code,
    )


def brought_face(
    game: Game, style_id: str, picture: OwnPicture, where: SourceLocation, name: tuple[str, ...]
) -> Face:
    """Return a player's picture in the place of a face: as wide as the style's, as high as it
    is."""
    style = style_of(game, style_id, where)
    width = style.size[0]
    size = (width, round(width * picture.height / picture.width, 2))
    values = {"picture": picture.name, "side": ""}
    plain = face(FINISHED, values, size, scale=style.scale, pictures=(picture.name,))
    return replace(plain, where=where, name=name, brought={picture.name: picture.data})


# What there is to show of a mech in a seat.
LOADOUT_NAMES = (
    "code", "name", "variant", "variant_name", "mark", "frame", "figures", "parts", "pilots",
    "silhouette", "own_colour", "certainty", "sample", "team", "number",
)  # fmt: skip


def loadout_values(game: Game, loadout: Loadout) -> dict[str, Any]:
    """Return what there is to show of a loadout."""
    build, variant = loadout.build, loadout.variant
    parts = []
    for part in game.parts:
        cards = [game.card(name) for name in build.mounted.get(part, ())]
        weapons = [
            {"id": card.id, "name": card.name} | _fields(card, game.kinds[card.kind].listed_fields)
            for card in cards
            if card is not None
        ]
        parts.append({"name": part, "slots": loadout.slots.get(part, 0), "weapons": weapons})
    skills = {
        name: card.name
        for pilot in build.pilots
        for name in pilot.skills
        if (card := game.card(name)) is not None
    }
    return {
        "code": loadout.code,
        "name": loadout.name,
        "variant": variant.id if variant else "",
        "variant_name": game.named(variant.name) if variant else "",
        "mark": variant.mark if variant else "",
        "frame": dict(build.frame),
        "figures": dict(loadout.figures),
        "parts": parts,
        "pilots": [
            {"name": pilot.name, "skills": [skills.get(name, name) for name in pilot.skills]}
            for pilot in build.pilots
        ],
        "silhouette": loadout.silhouette,
        "own_colour": loadout.colour,
        "certainty": build.certainty,
        "sample": loadout.sample,
    }


# The template of a face that is a picture and nothing else.
FINISHED = "plain/finished.typ"


# What stands in the place of a picture's name before an address, of what the client fetches itself.
CLIENT = "client:"


def picture_face(game: Game, name: str, where: SourceLocation) -> Face | None:
    """Return a picture of ``pictures/`` by itself, as it is; nothing for an empty name.

    Raises ``InvalidSource`` where there is none.
    """
    if not name:
        return None
    address = name.removeprefix(CLIENT) if name.startswith(CLIENT) else ""
    file = "" if address else picture_called(game, name)
    if not (address or file):
        raise error_at(where, "FACE", "no-such-picture", name=name, nearest=nearest(name, game.art))
    values = {"address": address} if address else {"art": file}
    style = PLAIN_STYLES["card"]
    return face(
        FINISHED,
        values,
        style.size,
        scale=style.scale,
        pictures=(file,) if file else (),
        where=where,
        name=("pieces", name),
    )


def client_address(face: Face) -> str:
    """Return the address of a picture that the client fetches itself; empty for what is painted."""
    return _value_of_finished(face, "address")


def whole_file(face: Face) -> str:
    """Return the file that a face is as it is; empty for what is painted."""
    return _value_of_finished(face, "art")


def _value_of_finished(face: Face, name: str) -> str:
    return str(json.loads(face.values).get(name, "")) if face.template == FINISHED else ""


class OwnPicture(Struct, frozen=True):
    """A picture that a player brings, which is none of the game's: its ``data`` under a ``name``
    that tells it from others, and its size in pixels."""

    name: str
    data: bytes
    width: int
    height: int


def finished_of(game: Game, name: tuple[str, ...], of: str, also: tuple[str, ...]) -> str:
    """Return the picture that is the whole of a face, if the folder has one."""
    if not game.finished or not name:
        return ""
    keys = ("/".join(name), *(f"{name[0]}/{other}" for other in (of, *also) if other))
    if name[0] == "decks":
        keys = (*keys, f"cards/{of}")
    return next((game.finished[key] for key in map(folded, keys) if key in game.finished), "")


def art_of(game: Game, style: FaceStyle, values: Mapping[str, Any]) -> str | None:
    """Return the picture in a style's art window; ``""`` where there is none, nothing without a
    window.

    The slot ``art`` names the field with the picture's name, or is the name itself; the field
    ``id`` is that of the card, whose picture is shown too where a field is empty.
    """
    slots = values.get("slots")
    word = slots.get("art") if isinstance(slots, Mapping) else None
    if not word or style.declaration is None or "art" not in style.declaration.takes:
        return None
    named = values.get(word, word)
    if isinstance(named, list | tuple):
        named = named[0] if named else ""
    if str(named).startswith(CLIENT):
        return str(named)
    return picture_called(game, str(named or values.get("id", "")))


def picture_called(game: Game, name: str) -> str:
    """Return the file in ``pictures/`` of this name, with or without its ending; nothing if none
    is."""
    last = name.replace("\\", "/").rpartition("/")[2]
    words = (last, last.rpartition(".")[0], folded(last), folded(last.rpartition(".")[0]))
    return next((game.art[word] for word in words if word and word in game.art), "")
