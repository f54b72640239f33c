"""Structured game data in; playable Udonarium rooms, print sheets and rule reports out.

What the commands do, programs call here: see ``exporter.app``, and docs/library.md.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # isort: off
    from exporter.core import __version__ as __version__
    from exporter.app.checks import (
        Checked as Checked,
        Mended as Mended,
        Suggested as Suggested,
        check as check,
        suggest as suggest,
        write_mended as write_mended,
    )
    from exporter.app.games import find_games as find_games
    from exporter.app.listing import Listed as Listed, list_games as list_games
    from exporter.app.make_files import Made as Made, Result as Result
    from exporter.app.print_files import (
        look_at_sheets as look_at_sheets,
        print_sheets as print_sheets,
    )
    from exporter.app.queries import (
        Shared as Shared,
        compare as compare,
        explain as explain,
        fits as fits,
        odds as odds,
        open_game as open_game,
        share as share,
        verify as verify,
    )
    from exporter.app.room_files import (
        plan_rooms as plan_rooms,
        room_zip as room_zip,
        save_loose as save_loose,
        save_pictures as save_pictures,
        save_rooms as save_rooms,
    )
    from exporter.core.problems import (
        InvalidSource as InvalidSource,
        Problem as Problem,
        Severity as Severity,
        SourceLocation as SourceLocation,
    )
    from exporter.importer.newer_table import pull as pull
    from exporter.importer.room_import import import_room as import_room
    from exporter.importer.starter import (
        NewGame as NewGame,
        new_game as new_game,
        new_mech as new_mech,
        write_schemas as write_schemas,
    )
    from exporter.importer.wizard import game_from as game_from
    from exporter.model.mech import Build as Build
    from exporter.model.print_jobs import PrintOrder as PrintOrder
    from exporter.rooms.room_orders import RoomOrder as RoomOrder
    from exporter.rules.written_builds import read_line as read_line, write_line as write_line
    from exporter.rules.project import Project as Project
    from exporter.rules.report.explanations import Explanation as Explanation
    from exporter.rules.report.suggesting import Suggestion as Suggestion
    from exporter.rules.report.verdicts import CheckOptions as CheckOptions

_OFFERED = {
    "core": ("__version__",),
    "app.checks": ("Checked", "Mended", "Suggested", "check", "suggest", "write_mended"),
    "app.games": ("find_games",),
    "app.listing": ("Listed", "list_games"),
    "app.make_files": ("Made", "Result"),
    "app.print_files": ("look_at_sheets", "print_sheets"),
    "app.queries": (
        "Shared", "compare", "explain", "fits", "odds", "open_game", "share", "verify",
    ),
    "app.room_files": ("plan_rooms", "room_zip", "save_loose", "save_pictures", "save_rooms"),
    "core.problems": ("InvalidSource", "Problem", "Severity", "SourceLocation"),
    "importer.newer_table": ("pull",),
    "importer.room_import": ("import_room",),
    "importer.starter": ("NewGame", "new_game", "new_mech", "write_schemas"),
    "importer.wizard": ("game_from",),
    "model.mech": ("Build",),
    "model.print_jobs": ("PrintOrder",),
    "rooms.room_orders": ("RoomOrder",),
    "rules.written_builds": ("read_line", "write_line"),
    "rules.project": ("Project",),
    "rules.report.explanations": ("Explanation",),
    "rules.report.suggesting": ("Suggestion",),
    "rules.report.verdicts": ("CheckOptions",),
}  # fmt: skip

_HOMES = {name: module for module, names in _OFFERED.items() for name in names}

if not TYPE_CHECKING:  # or every name would seem to be there

    def __getattr__(name):
        """What is offered, imported when it is first asked for."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)

    def __dir__():
        return sorted({*globals(), *_HOMES})
