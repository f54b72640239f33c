"""Cards: what their rows say, how they look, which decks and boxes they belong to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct, field
from msgspec.structs import replace

from exporter.model.fields import Field, Value
from exporter.problems import Where
from exporter.schema.shape import Doc, Name, Naming, OwnKey, Record, Ref, Word


class Source(Record, frozen=True, kw_only=True):
    """An entry of the bibliography; rules, figures and errata cite its key."""

    key: OwnKey
    title: Annotated[Word, Doc("of the source")]
    kind: Annotated[str, Doc("what it is, such as `rules`")] = ""
    edition: Annotated[str, Doc("which printing")] = ""
    date: Annotated[str, Doc("when it appeared")] = ""
    found: Annotated[str, Doc("where it is to be found")] = field(default="", name="where")


class Kind(Struct, frozen=True, kw_only=True):
    """A kind of card: the fields its rows have, and its two faces.

    ``front`` and ``back`` name face styles (empty: the kind is never laid on a table), the
    ``…_fields`` what each of them shows, and ``listed_fields`` what a mech sheet shows of it.
    ``front_lists`` leads from a field that lists other cards to what the front shows of each.
    ``size`` is the width in units on the table; ``detail`` lists label → field for the sheet that
    the client shows beside a card. ``deck_copies`` names the field that holds, as an expression
    over figures, how many copies every built deck gets.
    """

    id: str
    name: Name
    file: str
    fields: Mapping[str, Field]
    front: str = ""
    front_fields: tuple[str, ...] = ()
    back: str = ""
    back_fields: tuple[str, ...] = ()
    front_lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    listed_fields: tuple[str, ...] = ()
    size: float = 2
    detail: Mapping[str, str] = field(default_factory=dict)
    deck_copies: str = ""
    where: Where = Where()


class Card(Struct, frozen=True, kw_only=True):
    """One row: what every copy of a card shares. ``fields`` hold the *printed* values."""

    id: str
    kind: str
    name: str
    fields: Mapping[str, Value]
    where: Where
    cells: Mapping[str, Where] = field(default_factory=dict)

    def get(self, name: str) -> Value:
        """The value of a field, or an empty text where the kind has no such field."""
        if name in ("id", "name", "kind"):
            return str(getattr(self, name))
        return self.fields.get(name, "")

    def text(self, name: str) -> str:
        """A field as people read it: lists joined by ``/``, flags as ``1`` or nothing."""
        value = self.get(name)
        if isinstance(value, tuple):
            return "/".join(value)
        if isinstance(value, bool):
            return "1" if value else ""
        return str(value)

    def at(self, name: str) -> Where:
        """The cell that a problem with field ``name`` is to be shown at."""
        return self.cells.get(name, self.where)


class Edition(Record, frozen=True, kw_only=True):
    """A box: a set of cards that is owned or not."""

    id: OwnKey
    name: Annotated[Naming, Doc("of the box")]
    requires: Annotated[
        tuple[Annotated[Word, Ref("edition")], ...], Doc("boxes that one must own too")
    ] = ()


class DeckEntry(Struct, frozen=True, kw_only=True):
    """A row of a printed deck: so many copies of a card, with the mark on their corner.

    ``fields`` are those in which the card of this deck differs from the others.
    """

    deck: str
    card: str
    mark: str
    copies: int
    note: str = ""
    fields: Mapping[str, Value] = field(default_factory=dict)
    where: Where = Where()

    def of(self, card: Card) -> DeckCard:
        """The cards that this row puts into the deck; ``card`` is the one it names."""
        if self.fields:
            card = replace(card, fields={**card.fields, **self.fields})
        return DeckCard(card=card, copies=self.copies, deck=self.deck, mark=self.mark)


class DeckCard(Struct, frozen=True, kw_only=True):
    """One or more equal cards of somebody's deck, with what is printed in their corner."""

    card: Card
    copies: int
    deck: str = ""
    mark: str = ""
