"""A game from what somebody has: tables of cards, pictures, finished faces; and new folders."""
