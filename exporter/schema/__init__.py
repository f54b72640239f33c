"""The shapes of all data files, and how plain values are read into them.

``shape`` holds what shapes are made of; ``things``, ``rooms``, ``rules`` and ``sheets`` the shapes.
``annotations`` makes forms of these; ``forms`` read values and say all that is wrong with them;
``files`` makes JSON Schemas of them.
"""
