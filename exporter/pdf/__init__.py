"""Pages of paper as PDF and PNG: Typst sets faces and texts, pikepdf puts them together."""

from exporter.pdf.assembly import Document, assembled
from exporter.pdf.forms import Forms, face_forms
from exporter.pdf.texts import typeset

__all__ = ["Document", "Forms", "assembled", "face_forms", "typeset"]
