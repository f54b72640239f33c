"""What was said after printing: errata as changes of printed values, and rulings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, field

from exporter.schema.shape import Date, Doc, Record, Ref, Spelled, Word


class Change(Record, frozen=True, kw_only=True):
    """What an erratum changes; the first five keys say where."""

    targets: ClassVar = ("card", "deck", "mech", "list", "page")

    card: Annotated[
        str, Ref("card"), Doc("the card that is corrected; with `deck`, a card in one deck")
    ] = ""
    deck: Annotated[str, Ref("mech"), Doc("the mech whose deck is corrected")] = ""
    mech: Annotated[str, Ref("mech"), Doc("the mech that is corrected")] = ""
    list: Annotated[str, Doc("the printed list that is corrected")] = ""
    page: Annotated[str, Doc("the page that is corrected")] = ""
    field: Annotated[Word, Doc("of a card; of a deck's row; of a mech by a path, `frame.armour`")]
    was: Annotated[Spelled, Doc("the printed value, which must be what the data hold")]
    now: Annotated[Spelled, Doc("the corrected value")]

    @property
    def target(self) -> Mapping[str, str]:
        """What is changed: a card, in a deck or anywhere, a mech, a list or a page."""
        return {sort: name for sort in self.targets if (name := getattr(self, sort))}


class Erratum(Record, frozen=True, kw_only=True):
    """A published correction, kept beside the printed value."""

    id: Annotated[Word, Doc("permanent")]
    edition: Annotated[str, Ref("edition"), Doc("the box")] = field(default="", name="set")
    medium: Annotated[Literal["card", "sheet", "list", "rulebook"], Doc("where it was printed")]
    changes: Annotated[tuple[Change, ...], Meta(min_length=1), Doc("what it changes, one or more")]
    source: Annotated[Word, Ref("source"), Doc("a key of `sources.yaml`")]
    date: Annotated[Date, Doc("the day, or `unknown`")] = "unknown"
    note: Annotated[str, Doc("what it means")] = ""


class Ruling(Record, frozen=True, kw_only=True):
    """A question answered by the publisher."""

    id: Annotated[Word, Doc("permanent")]
    topic: Annotated[Word, Doc("what it is about")]
    ruling: Annotated[str, Meta(min_length=1), Doc("the answer, in the project's words")]
    cards: Annotated[
        tuple[Annotated[Word, Ref("card")], ...], Doc("the cards it is shown with")
    ] = ()
    rules: Annotated[tuple[Word, ...], Doc("the rules it bears on")] = ()
    source: Annotated[str, Ref("source"), Doc("a key of `sources.yaml`")] = ""
