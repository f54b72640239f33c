"""Faces: finished looks as values (template, values, size) that say nothing of pixels."""
