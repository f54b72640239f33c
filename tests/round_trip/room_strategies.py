"""Rooms of any shape with hostile texts, for the round trip."""

from __future__ import annotations

from typing import Any

from corpus_rooms import IMAGES
from hypothesis import strategies as st

from exporter.model.tabletop import (
    CardStack,
    Character,
    ChatMessage,
    ChatPalette,
    ChatTab,
    Data,
    DiceFace,
    DiceSymbol,
    GameTable,
    Image,
    Inventory,
    Room,
    TableCard,
    TableMask,
    Terrain,
    TextNote,
)

HOSTILE = (
    "&lt; &amp;amp; &quot; &#10; &nbsp;",
    "<![CDATA[x]]> <!-- y --> <?z?> ]]>",
    "\"'<>&/\\ {{ x }} {% raw %} ${y}",
    " \t先頭と末尾 \n\n",
    "𠮷野家 🀄 é ‮abc",
    "imageIdentifier",
    "　",
    "",
)
texts = st.sampled_from(HOSTILE) | st.text(
    st.characters(
        exclude_categories=["Cs"],
        exclude_characters=[chr(code) for code in range(32) if code not in (9, 10)]
        + ["\ufffd", "\ufffe", "\uffff"],
    ),
    max_size=12,
)
numbers = st.integers(-(10**6), 10**6) | st.floats(allow_nan=False, allow_infinity=False)
sizes = numbers
pictures = st.sampled_from([None, *IMAGES]) | st.just("https://example.org/a.png?x=1&lt;y=<2>")
extras = st.dictionaries(
    st.sampled_from(["foo", "isDropShadow", "x-y", "名"]), texts, max_size=2
).map(lambda found: tuple(found.items()))
words = st.just("&lt;") | st.text("HPMP能力-_<&\"'", min_size=1, max_size=4)


def tuples(of: st.SearchStrategy[Any], most: int = 3) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(of, max_size=most).map(tuple)


leaves = st.builds(
    Data,
    name=texts,
    value=texts | st.builds(Image, picture=pictures),
    type=st.sampled_from(["", "note", "numberResource", "simpleNumber", "&lt;"]),
    current=texts,
).map(lambda data: data if isinstance(data.value, str) else Data(name=data.name, value=data.value))
entries = st.recursive(
    leaves,
    lambda below: st.builds(
        Data, name=texts, children=st.lists(below, min_size=1, max_size=3).map(tuple)
    ),
    max_leaves=6,
)
placed = {
    "name": texts,
    "x": numbers,
    "y": numbers,
    "z": numbers,
    "location": texts,
    "detail": tuples(entries),
    "extra": extras,
}
cards = st.builds(
    TableCard,
    **placed,
    front=pictures,
    back=pictures,
    size=sizes,
    face_down=st.booleans(),
    rotate=numbers,
    zindex=numbers,
    owner=texts,
)
stacks = st.builds(
    CardStack,
    **placed,
    cards=tuples(cards),
    rotate=numbers,
    zindex=numbers,
    owner=texts,
    shows_total=st.booleans(),
)
palettes = st.builds(ChatPalette, text=texts, dicebot=texts)
characters = st.builds(
    Character,
    **placed,
    picture=pictures,
    size=sizes,
    rotate=numbers,
    roll=numbers,
    palette=st.none() | palettes,
)
dice = st.builds(
    DiceSymbol,
    **placed,
    faces=tuples(st.builds(DiceFace, name=texts, picture=pictures)),
    face=texts,
    size=sizes,
    rotate=numbers,
    owner=texts,
)
notes = st.builds(
    TextNote,
    **placed,
    title=texts,
    text=texts,
    picture=pictures,
    width=sizes,
    height=sizes,
    fontsize=sizes,
    rotate=numbers,
    zindex=numbers,
    password=texts,
)
terrains = st.builds(
    Terrain,
    **placed,
    floor=pictures,
    wall=pictures,
    width=sizes,
    depth=sizes,
    height=sizes,
    locked=st.booleans(),
    shows_floor=st.booleans(),
    shows_wall=st.booleans(),
    rotate=numbers,
)
masks = st.builds(
    TableMask,
    **placed,
    picture=pictures,
    width=sizes,
    height=sizes,
    opacity=sizes,
    opacity_maximum=sizes,
    locked=st.booleans(),
)
tables = st.builds(
    GameTable,
    name=texts,
    width=numbers,
    height=numbers,
    grid_size=numbers,
    grid_type=st.sampled_from([-1, 0, 1, 2]),
    grid_color=texts,
    picture=pictures,
    background=pictures,
    background_filter=texts,
    selected=st.booleans(),
    objects=tuples(terrains | masks),
    extra=extras,
)
messages = st.builds(
    ChatMessage,
    speaker=texts,
    text=texts,
    timestamp=texts,
    sender=texts,
    tag=texts,
    picture=pictures,
)
tabs = st.builds(ChatTab, name=texts, messages=tuples(messages))
inventories = st.builds(Inventory, columns=tuples(words), sort_by=texts, ascending=st.booleans())
pieces = st.one_of(cards, stacks, characters, dice, notes)
rooms = st.builds(
    Room,
    tables=tuples(tables, 2),
    pieces=tuples(pieces),
    chat=st.none() | tuples(tabs, 2),
    inventory=st.none() | inventories,
)
