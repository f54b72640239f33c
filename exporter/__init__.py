"""Structured game data in; playable Udonarium rooms, print sheets and rule reports out.

What the commands do, programs call here: see ``exporter.app``, and docs/library.md.
"""

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:  # isort: off
    from exporter.rules.report.explanations import Explanation as Explanation
    from exporter.rules.report.suggesting import Suggestion as Suggestion
    from exporter.rules.report.verdicts import CheckOptions as CheckOptions
    from exporter.app.queries import (
        Checked as Checked,
        Listed as Listed,
        Suggested as Suggested,
        check as check,
        explain as explain,
        list_games as list_games,
        open_game as open_game,
        suggest as suggest,
        verify as verify,
    )
    from exporter.importer.blank_mech import new_mech as new_mech
    from exporter.importer.blank_tables import write_tables as write_tables
    from exporter.importer.fetch_table import pull as pull
    from exporter.importer.starter import (
        NewGame as NewGame,
        new_game as new_game,
        write_schemas as write_schemas,
    )
    from exporter.importer.wizard import game_from as game_from
    from exporter.app.build_questions import (
        Mended as Mended,
        Shared as Shared,
        compare as compare,
        fits as fits,
        odds as odds,
        share as share,
        write_mended as write_mended,
    )
    from exporter.app.arguments import find_games as find_games
    from exporter.app.print_files import (
        look_at_sheets as look_at_sheets,
        print_calibration as print_calibration,
        print_sheets as print_sheets,
    )
    from exporter.app.room_files import (
        plan_rooms as plan_rooms,
        room_zip as room_zip,
        save_loose as save_loose,
        save_pictures as save_pictures,
        save_rooms as save_rooms,
    )
    from exporter.rules.build_codes import read_line as read_line
    from exporter.rules.build_codes import write_line as write_line
    from exporter.rules.project import Project as Project
    from exporter.app.make_files import (
        Made as Made,
        Result as Result,
    )
    from exporter.model.print_jobs import PrintOrder as PrintOrder
    from exporter.core.problems import (
        InvalidSource as InvalidSource,
        Problem as Problem,
        Severity as Severity,
        SourceLocation as SourceLocation,
    )
    from exporter.rooms.room_orders import RoomOrder as RoomOrder
    from exporter.model.mech import Build as Build

_OFFERED = {
    "rules.report.explanations": ("Explanation",),
    "rules.report.suggesting": ("Suggestion",),
    "rules.report.verdicts": ("CheckOptions",),
    "app.queries": (
        "Checked", "Listed", "Suggested", "check", "explain", "list_games",
        "open_game", "suggest", "verify",
    ),
    "importer.blank_mech": ("new_mech",),
    "importer.blank_tables": ("write_tables",),
    "importer.fetch_table": ("pull",),
    "importer.starter": ("NewGame", "new_game", "write_schemas"),
    "importer.wizard": ("game_from",),
    "app.build_questions": (
        "Mended", "Shared", "compare", "fits", "odds", "share", "write_mended",
    ),
    "app.arguments": ("find_games",),
    "app.print_files": ("look_at_sheets", "print_calibration", "print_sheets"),
    "app.room_files": (
        "plan_rooms", "room_zip", "save_loose", "save_pictures", "save_rooms",
    ),
    "rules.build_codes": ("read_line", "write_line"),
    "rules.project": ("Project",),
    "app.make_files": ("Made", "Result"),
    "model.print_jobs": ("PrintOrder",),
    "core.problems": ("InvalidSource", "Problem", "Severity", "SourceLocation"),
    "rooms.room_orders": ("RoomOrder",),
    "model.mech": ("Build",),
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
