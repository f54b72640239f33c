"""Rooms of any shape with hostile texts, for the round trip."""

from __future__ import annotations

from types import UnionType
from typing import Any, Union, get_args, get_origin

from corpus_rooms import IMAGES
from hypothesis import strategies as st
from msgspec.structs import fields

from exporter.model.tabletop import (
    Attributes,
    Data,
    GameTable,
    Image,
    P,
    Piece,
    Room,
    Terrain,
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
CONTROLS = [chr(code) for code in range(32) if code not in (9, 10)]
texts = st.sampled_from(HOSTILE) | st.text(
    st.characters(
        exclude_categories=["Cs"], exclude_characters=[*CONTROLS, "\ufffd", "\ufffe", "\uffff"]
    ),
    max_size=12,
)
numbers = st.integers(-(10**6), 10**6) | st.floats(allow_nan=False, allow_infinity=False)
shown = st.sampled_from([None, *IMAGES]) | st.just("https://example.org/a.png?x=1&lt;y=<2>")
words = st.just("&lt;") | st.text("HPMP能力-_<&\"'", min_size=1, max_size=4)
extras = st.dictionaries(
    st.sampled_from(["foo", "isDropShadow", "x-y", "名"]), texts, max_size=2
).map(lambda found: tuple(found.items()))


def tuples(of: st.SearchStrategy[Any], most: int = 3) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(of, max_size=most).map(tuple)


leaves = st.builds(
    Data,
    name=texts,
    value=texts | st.builds(Image, picture=shown),
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
grids = st.sampled_from([-1, 0, 1, 2])
MADE: dict[Any, st.SearchStrategy[Any]] = {
    str: texts,
    int: numbers,
    float: numbers,
    bool: st.booleans(),
    type(None): st.none(),
    P | None: shown,
    Data: entries,
    Attributes: extras,
}
OWN: dict[str, st.SearchStrategy[Any]] = {"grid_type": grids, "columns": tuples(words)}
"""Fields that hold less than others of their type."""


def made(of: Any) -> st.SearchStrategy[Any]:
    """Values of a type, with all that they hold made up."""
    kind = get_origin(of) or of
    known = MADE.get(of, MADE.get(kind))
    if known is not None:
        return known
    if kind is tuple:
        return tuples(made(get_args(of)[0]))
    if kind in (Union, UnionType):
        return st.one_of(*map(made, get_args(of)))
    of_fields = {field.name: made(field.type) for field in fields(kind)}
    return st.builds(kind, **of_fields | {name: OWN[name] for name in OWN.keys() & of_fields})


terrains, tables, pieces, rooms = map(made, (Terrain, GameTable, Piece, Room))
