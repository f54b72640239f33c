"""The workbench in a real browser: from a click to a file, by mouse, by keyboard, by phone.

``.ci/browser`` runs these; elsewhere they are counted as not run.
"""
