"""Print sheets: jobs, the pieces they lay, page geometry, and the PDF and PNG files."""
