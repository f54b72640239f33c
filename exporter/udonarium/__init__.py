"""Udonarium's room zips, an edge: write them, read them back, and say what is wrong with one.

``write_room`` and ``write_loose`` take values of ``exporter.tabletop`` and give bytes; ``read_zip``
leads back; ``as_saved`` is what the client makes of a room; ``verify_zip`` looks at any zip,
also one this program did not make.
"""

from exporter.udonarium.check import Check
from exporter.udonarium.checks import CHECKS
from exporter.udonarium.read import RoomFile, read_zip
from exporter.udonarium.saved import as_saved
from exporter.udonarium.verify import verify_zip
from exporter.udonarium.write import write_loose, write_room

__all__ = [
    "CHECKS",
    "Check",
    "RoomFile",
    "as_saved",
    "read_zip",
    "verify_zip",
    "write_loose",
    "write_room",
]
