"""YAML as editors read it, for the tests of schemas."""

from __future__ import annotations

import re

import yaml


class Editor(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML as editors read it: version 1.2, without dates and without yes and no."""


Editor.yaml_implicit_resolvers = {
    first: [(tag, expression) for tag, expression in found if not tag.endswith("timestamp")]
    for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Editor.yaml_implicit_resolvers = {
    first: [
        (tag, re.compile("true|false") if tag.endswith("bool") else expression)
        for tag, expression in found
    ]
    for first, found in Editor.yaml_implicit_resolvers.items()
}
