"""The checker: figures with their terms, errata as layers, and the rules of a game."""
