"""The catalogue of sentences, a file for each language; ``exporter.words`` reads it.

``docs.<language>.json`` has what keys, templates and kinds of rules say of themselves, by their
English sentence.
"""

from typing import Final

ENGLISH: Final = "en"
LANGUAGES: Final = ("en", "ja")
"""English first, which has every sentence."""
