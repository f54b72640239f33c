"""Faces become pictures and vectors: Typst for layout, Pillow for pixels, a picture cache."""
