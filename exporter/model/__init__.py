"""A game in its own words: what a folder of data says, once it has been read and found sound.

Frozen values without behaviour of their own beyond looking things up. Each remembers the place
it was read from, so that whatever is later found wrong can be shown there. The words are those of
``docs/vocabulary.md``.
"""

from exporter.model.amendments import (
    Change,
    Erratum,
    Ruling,
)
from exporter.model.boards import (
    Board,
    BoardKind,
    Cell,
    Link,
    Shifts,
    Space,
)
from exporter.model.cards import (
    OWN_DECK,
    Card,
    DeckCard,
    DeckEntry,
    DeckKind,
    Edition,
    Kind,
    Selection,
    Source,
)
from exporter.model.fields import (
    Field,
    FieldType,
    Value,
)
from exporter.model.game import (
    FrameRules,
    Game,
    Head,
    Version,
)
from exporter.model.layouts import (
    MAT_SIZE,
    Deal,
    Item,
    Layout,
    Note,
    Zone,
)
from exporter.model.mech import (
    SAMPLE,
    Build,
    Figure,
    Frame,
    Loadout,
    Mech,
    Mounting,
    Pilot,
    PrintedLoadout,
    Term,
    Variant,
)
from exporter.model.room_plans import (
    BAYS,
    Bays,
    RoomPlan,
    Seat,
    Tab,
)
from exporter.model.shape import Name
from exporter.model.styles import (
    Declaration,
    FaceStyle,
    Side,
    Take,
    TakeType,
    WrittenStyle,
)

__all__ = [
    "BAYS",
    "MAT_SIZE",
    "OWN_DECK",
    "SAMPLE",
    "Bays",
    "Board",
    "BoardKind",
    "Build",
    "Card",
    "Cell",
    "Change",
    "Deal",
    "DeckCard",
    "DeckEntry",
    "DeckKind",
    "Declaration",
    "Edition",
    "Erratum",
    "FaceStyle",
    "Field",
    "FieldType",
    "Figure",
    "Frame",
    "FrameRules",
    "Game",
    "Head",
    "Item",
    "Kind",
    "Layout",
    "Link",
    "Loadout",
    "Mech",
    "Mounting",
    "Name",
    "Note",
    "Pilot",
    "PrintedLoadout",
    "RoomPlan",
    "Ruling",
    "Seat",
    "Selection",
    "Shifts",
    "Side",
    "Source",
    "Space",
    "Tab",
    "Take",
    "TakeType",
    "Term",
    "Value",
    "Variant",
    "Version",
    "WrittenStyle",
    "Zone",
]
