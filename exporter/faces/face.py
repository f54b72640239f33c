"""What a face is; ``exporter.faces.card_faces`` makes them.

By itself, as the process that sets the templates of others needs nothing else of a game.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field

from exporter.core.problems import SourceLocation

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
