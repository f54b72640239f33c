"""Faces painted: Typst for layout, Pillow for pixels, a cache by everything they depend on."""

from exporter.paint.cache import cache_folder
from exporter.paint.painting import Painted, Progress, paint

__all__ = ["Painted", "Progress", "cache_folder", "paint"]
