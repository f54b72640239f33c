"""Structured game data in; playable Udonarium rooms, print sheets and rule reports out."""

__version__ = "0.1.0"
