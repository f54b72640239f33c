"""A game from what somebody has: tables of cards, a folder of pictures."""
