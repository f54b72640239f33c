"""Reads game folders: YAML and CSV become a ``Game``, or every problem with its place."""

from exporter.source.folders import find_game, game_folders
from exporter.source.game import read_game

__all__ = ["find_game", "game_folders", "read_game"]
