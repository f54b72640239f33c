"""New games: from a small starter, like another game, or from tables and pictures."""

BOARDS = ("square", "hex", "graph", "ring", "track", "none")

# How many play a new game of which nothing is said.
PLAYERS = (2, 4)

# Seats for which the starter has places and colours; more are added by hand.
MAX_SEATS = 12

# Colours of seats, kinds of cards and their types.
COLOURS = (
    "#b4482f", "#2f6f8f", "#4f7d3a", "#b98620", "#a23b63", "#3d56a6",
    "#2d7a72", "#8a5a3a", "#5b6472", "#6a4f9e", "#8a7a20", "#3b3a36",
)  # fmt: skip
