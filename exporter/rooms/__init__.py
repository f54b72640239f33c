"""Rooms: what is asked for, where it lies, and which of the client's objects it becomes."""
