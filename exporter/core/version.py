"""The version of this program: a mark in each room, and the number of a release."""

__version__ = "0.2.0"
