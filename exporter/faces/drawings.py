"""Which picture a face of a family shows: what is drawn, where it stands, and who it is.

All of it follows from the words of a card, by ``templates/words.json``, once for all cards of a
kind. A *drawing* is how a thing stands and its parts, ``ground cog``, as templates draw it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final, TypeVar

from msgspec import Struct

from exporter.faces.icons import find_icon, icon_drawings, icon_names, picture_words

_T = TypeVar("_T")

_SPACE: Final = "science-fiction"

_NUMBERED: Final = ("tarot", "playing")

# Kinds that nothing shows that lives: the wolves' pass is a place.
_LIFELESS: Final = ("place", "building", "room", "food", "planet", "ship", "mech")

# Of these, kinds that are called after whom they are not: a ship Basilisk, a mech Ogre.
_MADE: Final = ("ship", "mech")

# Where nothing modern is shown.
_OLDEN: Final = ("fantasy", "tarot")

# Letters of the longest word that means something.
_LONGEST: Final = 24

_OF = re.compile(" (?:of|at|in|from|on|with|for) ")
_WORD = re.compile("[a-z]{3,}")
# What says nothing of its own at the end of a name: a number, a mark; of wolves that they are many.
_NO_WORD = re.compile(r"(?:[\s0-9!?.#+-]|の?群れ| (?:pack|herd|flock|swarm)\b)+$")
_KATAKANA, _HIRAGANA = re.compile("[ァ-ヺー]+$"), re.compile("[ぁ-んー]+")
_PARTICLES: Final = str.maketrans("", "", "のとをはがお")
_DIGIT, _LETTERS = re.compile("[0-9０-９]"), re.compile(r"[^\W\d_]{2}|[\u3040-\u9fff]")
# How English words of more than one end, and those of one.
_MANY: Final = (("s", ""), ("es", ""), ("ies", "y"), ("ves", "f"), ("ves", "fe"))
_BETWEEN = re.compile("[.,:;!]")
_HUE = re.compile("=[^ ]*")
_PART = re.compile("(?<= )[a-z]+")


class _FaceWords(Struct, frozen=True):
    """What a face says, by which its picture is chosen, and where it plays, its ``setting``;
    ``icon``, ``scene`` and ``sign`` are what it asks for itself."""

    name: str
    title: str
    tag: str
    kind: str
    suit: str
    setting: str
    icon: str
    scene: str
    sign: str


def choose_pictures(faces: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return what the picture of each face shows, by its values, as its template takes it.

    Nothing is drawn twice while a name, or a kind, means something else too; but what a name means
    is drawn again rather than what it does not mean. A further card changes few of the others.
    """
    asked = [_face_words(values) for values in faces]
    drawings = [_without_modern(one, _drawings(one)) for one in asked]
    used: Counter[str] = Counter()
    chosen: dict[int, str] = {}
    # What can be only one thing comes first.
    for nth in sorted(range(len(asked)), key=lambda nth: len(drawings[nth])):
        chosen[nth] = min(drawings[nth], key=lambda one: used[_HUE.sub("", one)])
        used[_HUE.sub("", chosen[nth])] += 1
    return [_shows(one, chosen[nth]) for nth, one in enumerate(asked)]


def _shows(face: _FaceWords, drawing: str) -> dict[str, Any]:
    """Return what a picture shows: its scene and its drawing, or the icon whose sign it bears."""
    words, title, is_sign = picture_words(), face.title.lower(), " " not in drawing
    if not (face.icon or is_sign):
        drawing = _coloured(drawing, title)
    name = f" {title} {face.tag.lower()} "
    found: dict[str, Any] = {"scene": _scene(face, drawing), "sign": _sign(face)}
    found["icon" if is_sign else "drawing"] = drawing
    found["who"] = " ".join(who for word, who in words["people"].items() if word in name)
    found["many"] = _first_match(f" {title} ", words["groups"]) if _is_person(drawing) else 0
    # A suit's word may be a thing; and what cards between numbers do.
    found["suit"] = icon_of_name(face.suit)
    found["means"] = icon_of_name(face.title) if face.setting == "playing" else ""
    return {name: one for name, one in found.items() if one}


def _face_words(values: Mapping[str, Any]) -> _FaceWords:
    looks, words = values.get("looks") or {}, values.get(values.get("look_by", ""))
    for word in words if isinstance(words, list | tuple) else [words]:
        values = {**values, **looks.get(str(word), {})}
    scene = _slot_text(values, "scene") or values.get("scene") or ""
    name = str(values.get("name") or values.get("deck") or "")
    return _FaceWords(
        name=name,
        title=_slot_text(values, "title", "name"),
        tag=(tag := _slot_text(values, "tag")),
        kind=tag or _word_among_figures(values),
        suit=_slot_text(values, "suit"),
        setting=_setting(values),
        icon=_slot_text(values, "icon") or values.get("icon") or "",
        scene=scene if isinstance(scene, str) else _one_of(scene, f"{name}s"),
        sign=values.get("tag_icon") or "",
    )


def _slot_text(values: Mapping[str, Any], slot: str, usual: str = "") -> str:
    """Return what a slot shows, as templates write it."""
    slots = values.get("slots")
    name = str(slots.get(slot, usual)) if isinstance(slots, Mapping) else usual
    found = values.get(name, name)
    if isinstance(found, list | tuple):
        return "・".join(map(str, found))
    return "" if found is None or found is False else str(found)


def _word_among_figures(values: Mapping[str, Any]) -> str:
    """Return the first figure of a card that is a word: it stands where nothing says the kind."""
    # Whether its family shows it there: tarot and playing do not.
    rows = () if values.get("family") in _NUMBERED else values.get("figures") or ()
    found = (str(values.get(row[1], row[1])) for row in rows)
    return next((one for one in found if _LETTERS.search(one) and not _DIGIT.search(one)), "")


def _digest(text: str, most: int) -> int:
    """Return a number below ``most``, the same for the same text; as ``digest`` of lib.typ."""
    total = 7
    for letter in text:
        total = (total * 31 + ord(letter) * 17 + 3) % 1000003
    return (total * total + total // 7) % 1000003 % most


def _one_of(some: Sequence[str], text: str) -> str:
    return some[_digest(text, len(some))]


def _rotated(some: Sequence[str], text: str) -> list[str]:
    """Return some things in their order, beginning with the one that a text chooses."""
    first = _digest(text, len(some))
    return [*some[first:], *some[:first]]


def _first_match(text: str, table: Mapping[str, _T]) -> _T | None:
    """Return what the first word of a table that stands in a text means."""
    return next((found for word, found in table.items() if word in text), None)


def _setting(values: Mapping[str, Any]) -> str:
    """Return where a card plays: where its own words are of space, or its name and kind are of
    olden times, its picture is, whatever its family; among stars also where they are of woods and
    seas. Where one of the game's kinds is of space, so is what says nothing of a place."""
    words, family = picture_words(), str(values.get("family") or "fantasy")
    slots = (
        _slot_text(values, "title", "name"),
        *(_slot_text(values, slot) for slot in ("tag", "suit")),
    )
    name, text, kinds = (
        f" {_BETWEEN.sub(' ', ' '.join(map(str, some)).lower())} "
        for some in (slots, [_slot_text(values, "text")], values.get("colours") or ())
    )
    if any(word in name + text for word in words["space"]):
        return _SPACE
    tables = {"modern": ["olden"], _SPACE: ["olden", "earthly"]}.get(family, [])
    if any(word in name for table in tables for word in words[table]):
        return "fantasy"
    return _SPACE if any(word in kinds for word in words["space_kinds"]) else family


# ---- what is drawn


def _drawings(face: _FaceWords) -> list[str]:
    """Return what a card's picture may show, the aptest first: what it asks for, what its name or
    its kind means, or any sight of its family. A name without a space in it is that of an icon."""
    words, drawn, setting = picture_words(), icon_drawings(), face.setting
    if icon := face.icon:
        names = (icon, f"rpg:{icon}", f"mdi:{icon}")
        return [next((drawn[name] for name in names if name in drawn), icon)]
    found, is_whole = _meaning(face.title, setting)
    tag = f" {face.tag.lower()} "
    sort = _first_match(tag, words["sorts"])
    is_person = bool(found) and _is_person(found[0])
    lives = is_person or (bool(found) and _part(found[0]) in words["parts"]["living"])
    # No beast is a person, but a spirit of wings; who is called after a thing is none, as a hero
    # Thunder.
    is_person = is_person and not (sort == "beast" and " wings " in found[0])
    is_other = {"beast": is_person, "people": not lives}.get(sort or "", sort in _MADE and lives)
    if found and is_whole and not is_other:
        return found
    of_tag = [] if sort else _meaning(face.tag, setting)[0]
    # A knight of any name is a knight; but a companion may be a pack of wolves.
    if sort == "people" or (of_tag and _is_person(of_tag[0])):
        is_tame = lives and not any(word in tag for word in words["persons"])
        return found if is_person or is_tame else of_tag or _general("people", face)
    # A beast lives and is no person; a place does not live by a side word, an event may.
    fits = lives and not is_person if sort == "beast" else not (lives and sort in _LIFELESS)
    if found and fits:
        return found
    return list(dict.fromkeys([*of_tag, *_general(sort or "theme", face)]))


def _without_modern(face: _FaceWords, drawings: list[str]) -> list[str]:
    """Return drawings without what is modern where a card plays in olden times: an officer wears no
    cap there, a song is no microphone."""
    if face.icon or face.setting not in _OLDEN:
        return drawings
    olden: Mapping[str, str] = picture_words()["olden_parts"]
    # A part keeps its colours.
    each = (_PART.sub(lambda part: olden.get(part[0], part[0]), one) for one in drawings)
    return list(dict.fromkeys(" ".join(one.split()) for one in each))


def _meaning(text: str, setting: str) -> tuple[list[str], bool]:
    """Return the drawings of what a name is about, and whether its last word says so.

    That is the word that ends last of those that mean something, of these the longest: 市電 is a
    tram, though 電 is a battery; in English what stands before *of*: a witch of the fen.
    """
    weak = picture_words()["weak"]
    padded = " " + "  ".join(reversed(_OF.split(text.lower()))) + " "
    lengths = range(1, _LONGEST + 1)
    ends = {padded[end - long : end]: end for end in range(len(padded) + 1) for long in lengths}
    best, found = (0, 0), list[str]()
    for table in _tables(setting):
        for word in sorted(ends.keys() & table.keys()):
            end = ends[word]
            if _is_piece(word, padded[: end - len(word)], padded[end : end + 1]):
                continue
            end -= word.endswith(" ")
            # Of more than one it ends no sooner.
            end += padded.startswith("s ", end)
            rank = (1 if word in weak else end, len(word.strip()))
            if rank > best:
                best, found = rank, table[word]
    for match in _WORD.finditer(padded):
        # A side word, or whose something is: a raven's perch is a perch.
        is_weak = match[0] in weak or padded.startswith(("'s", "’s"), match.end())
        end = 1 if is_weak else match.end()
        if end > best[0] and (icons := _icons_of(match[0])):
            best, found = (end, 0), _drawn(icons, setting)
    if not found:
        found = [f"rpg:{word}" for word in _WORD.findall(padded) if f"rpg:{word}" in icon_names()]
    return found, best[0] >= len(_NO_WORD.sub("", padded))


def _is_piece(word: str, before: str, after: str) -> bool:
    """Return whether a word is a piece of another, by what is about it: there is no バラ in
    バラード, no トラ in リストラ; nor is 銀の a thing."""
    if after == "の" and word in picture_words()["hues"]:
        return True
    if _KATAKANA.fullmatch(word) and len(word) < 4:
        begun = _KATAKANA.search(before)
        if _KATAKANA.match(after):
            # A ドラム begins a ドラムセット.
            return bool(begun) or len(word) < 3
        return begun is not None and len(begun[0]) < 3
    is_short = len(word) < 3 and _HIRAGANA.fullmatch(word)
    return bool(is_short and _HIRAGANA.search((before[-1:] + after).translate(_PARTICLES)))


def _icons_of(word: str) -> Sequence[str]:
    """Return the icons that an English word means: a moonflower is a flower, knives are a knife."""
    english: Mapping[str, list[str]] = picture_words()["english"]
    ones = [word, *(word[: -len(many)] + one for many, one in _MANY if word.endswith(many))]
    ends = (one[at:] for one in ones for at in range(3, len(one) - 3))
    # A scholarship is no ship.
    ends = (end for end in ends if end not in picture_words()["no_ends"])
    return next((english[way] for way in chain(ones, ends) if way in english), ())


@lru_cache
def _tables(setting: str) -> list[Mapping[str, list[str]]]:
    """Return the words and their drawings where a card plays, the nearest first."""
    words = picture_words()
    own, usual, olden = (words["meanings"].get(name, {}) for name in (setting, "any", "olden"))
    icons = {word: _drawn(names, setting) for word, names in words["icons"].items()}
    is_new = setting in ("modern", _SPACE)
    return [own, usual, icons, olden] if is_new else [own, olden, usual, icons]


def _drawn(icons: Sequence[str], setting: str) -> list[str]:
    """Return the drawings of the first icons, or their names where they have none."""
    future = picture_words()["future"] if setting == _SPACE else {}
    drawn = icon_drawings()
    each = (future.get(icon) or [drawn[icon]] for icon in icons[:3] if icon in drawn)
    return list(dict.fromkeys(chain(*each))) or list(icons)


def _general(sort: str, face: _FaceWords) -> list[str]:
    some = picture_words()["some"][sort]
    return _rotated(some.get(face.setting, some["olden"]), face.name)


def _coloured(drawing: str, title: str) -> str:
    """Return a drawing in the colours of a name: an ember wolf is not as grey as others, a black
    knight is black."""
    words, name = picture_words(), f" {title} "
    stands, parts = drawing.split(" ", 1)
    mood = words["moods"] if _part(drawing) in words["parts"]["beasts"] else {}
    hue = (_first_match(name, mood) or [_first_match(name, words["hues"])])[0]
    for part, table in (("human", "heads"), ("world", "worlds")):
        parts = parts.replace(part, _first_match(title, words[table]) or part)
    if hue and _is_person(drawing):
        worn = "|".join(words["parts"]["worn"])
        parts = re.sub(rf"\b({worn})\b[^ ]*", rf"\1={hue}", parts)
    elif hue and " " not in parts:
        parts = f"{parts.partition('=')[0]}={hue}"
    return f"{stands} {parts}"


def _is_person(drawing: str) -> bool:
    return drawing.startswith("people ")


def _part(drawing: str) -> str:
    """Return the rearmost part of a drawing, without its colours."""
    return drawing.partition(" ")[2].partition(" ")[0].partition("=")[0]


# ---- where it is


def _scene(face: _FaceWords, drawing: str) -> str:
    """Return the scene that a card asks for, or its words mean, or its name chooses, as it suits
    what is drawn."""
    if face.scene:
        return face.scene
    words, setting = picture_words(), face.setting
    of_title = _scenes_of(face.title, setting)
    some = of_title or _scenes_of(face.tag, setting) or words["anywhere"][setting]
    scene = _one_of(some, f"{face.name}s")
    scene = str(words["instead"].get(setting, {}).get(scene, scene))
    part = _part(drawing)
    # What flies among stars has no land below it.
    if setting == _SPACE and drawing.startswith("aloft "):
        scene = "space"
    if not face.icon and setting != _SPACE and part in words["parts"]["beasts"]:
        scene = (_first_match(f" {face.title.lower()} ", words["moods"]) or ["", scene])[1]
    for group, places in words["scenes_of"].items():
        # What lies on a table is in a room, where its name does not say more.
        is_free = group == "indoors" and of_title and setting != "modern"
        if part in words["parts"][group] and not is_free:
            usual = places.get(setting, places["else"])
            scene = scene if not usual or scene in usual else _one_of(usual, face.name)
    # A street or a tree is in no room.
    inside = chain(*(words["parts"][group] for group in ("indoors", "rooms", "in_rooms")))
    if scene == "room" and part and not _is_person(drawing) and part not in inside:
        scene = _one_of(("city", "park", "town"), face.name)
    return scene


def _scenes_of(text: str, setting: str) -> list[str]:
    """Return the scenes that a text means, but those that there are not: no harbours among
    stars."""
    words = picture_words()
    english = (words["english_scenes"].get(word, ()) for word in _english_words(text))
    strange = words["elsewhere"].get(setting, ())
    some = (_first_match(text, words["scenes"]) or (), *english)
    here = ([scene for scene in one if scene not in strange] for one in some)
    return next(filter(None, here), [])


def _english_words(text: str) -> list[str]:
    """Return the words of an English name, those that it is about first: a night market, a witch of
    the fen."""
    parts = (re.findall("[a-z]+", part) for part in _OF.split(text.lower()))
    return [word for part in parts for word in reversed(part)]


# ---- signs


def _sign(face: _FaceWords) -> str:
    """Return the icon of a card's kind: its own, or what the word of its kind means."""
    words, kind = picture_words(), f" {face.kind.lower()} "
    future = words["future_kinds"] if face.setting == _SPACE else {}
    return (
        face.sign
        or _first_match(kind, future)
        or _first_match(kind, words["kinds"])
        or icon_of_name(face.kind)
    )


@lru_cache(maxsize=256)
def icon_of_name(name: str) -> str:
    """Return the icon that a name means: a word in it, of an English one its last word that is
    known; else nothing."""
    if found := _first_match(name, picture_words()["icons"]):
        return _one_of(found, name)
    icons = ([*_icons_of(word), f"rpg:{word}"][0] for word in _english_words(name))
    return next((icon for icon in icons if find_icon(icon)), "")


def choose_alone(what: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a face of its own shows, as its template says of ``shows``: a ``picture``; the
    ``icon`` that its title means, as an ``emblem`` of a back else any; the signs that the names of
    its ``zones`` or ``spaces`` mean."""
    match what:
        case "picture":
            return choose_pictures([values])[0]
        case "zones":
            return _signs(values.get("zones") or (), picture_words()["places"])
        case "spaces":
            spaces = (one for one in values.get("spaces") or () if isinstance(one, Mapping))
            return _signs((str(one.get("text") or "") for one in spaces), {})
    icon = icon_of_name(_slot_text(values, "title") or str(values.get("title") or ""))
    if what == "icon":
        return {"icon": icon}
    if not icon and values.get("family", "fantasy") not in _NUMBERED:
        deck = f"{values.get('deck', '')}{values.get('title', '')}"
        icon = _one_of(picture_words()["backs"], deck)
    return {"icon": icon, "setting": _setting({**values, "slots": {"title": "title"}})}


def _signs(names: Iterable[str], places: Mapping[str, str]) -> dict[str, Any]:
    """Return the icons of some names that mean one; those in ``places`` have no other."""
    found = {name: _first_match(name, places) for name in names if name}
    signs = {name: icon_of_name(name) if of is None else of for name, of in found.items()}
    return {"signs": {name: sign for name, sign in signs.items() if sign}}
