"""What files are, by how their names end."""

DOCUMENTS = (".yaml", ".yml")
SPREADSHEETS = (".xlsx", ".ods")
TABLES = (".csv", ".tsv", *SPREADSHEETS)

PASTED = (".txt", ".dek", ".dec", ".ydk")
"""Plain lists."""

PLAYERS_FILES = (*DOCUMENTS, *TABLES, *PASTED)
"""Files of builds and decks."""

SAVED_ROOM = ".zip"
"""A room that the client saved; behind a ``#`` may stand one of its benches."""
