"""Faces painted: Typst for layout, Pillow for pixels, a cache by everything they depend on."""
