"""Pictures that are handed over for the pawns of seats: looked at once, then known by their key."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

if TYPE_CHECKING:
    from exporter.app.face_pictures import OwnPicture

MOST_PICTURES, MOST_BYTES = 60, 128 * 1024 * 1024
"""That are kept; those that were not asked for longest are forgotten, and a page hands them over
again."""


class Handed(Struct):
    """Pictures by their keys."""

    pictures: OrderedDict[str, OwnPicture] = field(default_factory=OrderedDict)

    def keep(self, picture: OwnPicture) -> str:
        """Keep a picture; its key, which says what is in it."""
        key = Path(picture.name).name
        self.pictures[key] = picture
        self.pictures.move_to_end(key)
        while len(self.pictures) > MOST_PICTURES or self._size() > MOST_BYTES:
            self.pictures.popitem(last=False)
        return key

    def _size(self) -> int:
        return sum(len(one.data) for one in self.pictures.values())

    def missing(self, keys: Iterable[str]) -> list[str]:
        """Those of the keys that are not known, or not any more."""
        wanted = dict.fromkeys(keys)
        for key in wanted.keys() & self.pictures.keys():
            self.pictures.move_to_end(key)
        return [key for key in wanted if key not in self.pictures]
