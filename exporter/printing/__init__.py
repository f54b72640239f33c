"""Paper: print jobs, what they lay, the geometry of their pages, and the files they become."""
