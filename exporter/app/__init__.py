"""What the commands do, as functions: values in, values or files out. ``import exporter`` has them.

A game is its name, looked up as the commands do (``source``, ``./source_data``, the shipped ones),
or the path of its folder; several are any iterable of these. Lengths on paper are in millimetres,
positions on the table in units of 50 pixels, days written ``2026-01-31``. ``progress`` is
called with how much of the work is done, and of how much.

Where data or an order have faults, ``InvalidSource`` is raised with the ``problems`` of all games,
and no file is touched. A value that no command would take is a ``ValueError``. What every function
imports is imported when it is called: to begin costs nothing.
"""
