"""What records are declared with, and how plain values are read into them.

``shape`` holds the words of annotations, ``places`` documents and places in them; ``annotations``
makes forms of annotations, ``forms`` read values and say all that is wrong with them.
``json_schemas`` makes JSON Schemas. What a template takes is read by ``values``.
"""
