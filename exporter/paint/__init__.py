"""Faces painted: Typst for layout, Pillow for pixels, a cache by everything they depend on."""

from exporter.cache import cache_folder
from exporter.paint.painting import Painted, Painting, Progress, begun, finished, paint
from exporter.paint.sought import Sought, sought

__all__ = [
    "Painted",
    "Painting",
    "Progress",
    "Sought",
    "begun",
    "cache_folder",
    "finished",
    "paint",
    "sought",
]
