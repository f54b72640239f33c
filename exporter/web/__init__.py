"""The workbench: the whole tool as pages on one's own machine. ``exporter serve`` opens it.

An edge like the command line: it calls ``exporter.app`` and holds no rule and no layout. It serves
its own pages, faces that it handed out itself, and files that it made; nothing else.
"""
