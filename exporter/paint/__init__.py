"""Faces painted: Typst for layout, Pillow for pixels, a cache by everything they depend on."""

from exporter.cache import cache_folder
from exporter.paint.painting import Painted, Progress, Sought, paint, painted, sought

__all__ = ["Painted", "Progress", "Sought", "cache_folder", "paint", "painted", "sought"]
