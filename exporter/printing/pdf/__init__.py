"""Pages of paper as PDF and PNG: Typst sets faces and texts, pikepdf puts them together."""
