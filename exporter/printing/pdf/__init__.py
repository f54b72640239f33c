"""Pages of paper as PDF and PNG: Typst sets faces and texts, pikepdf puts them together."""

from exporter.printing.pdf.form_objects import (
    Forms,
    face_forms,
)
from exporter.printing.pdf.pdf_assembly import (
    PdfInfo,
    assembled,
)
from exporter.printing.pdf.text_pages import typeset

__all__ = ["Forms", "PdfInfo", "assembled", "face_forms", "typeset"]
