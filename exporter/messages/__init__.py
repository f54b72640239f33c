"""The catalogue of sentences, a file for each language; ``exporter.words`` reads it."""

from typing import Final

ENGLISH: Final = "en"
LANGUAGES: Final = ("en", "ja")
"""English first, which has every sentence."""
