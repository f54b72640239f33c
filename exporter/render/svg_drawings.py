"""Check a game's own drawings (.svg) before the layout engine sees them."""

from __future__ import annotations

import io
import re

from lxml import etree

from exporter.core.problems import quoted

MAX_BYTES = 2 * 1024 * 1024
MAX_ELEMENTS = 50_000

_SVG = "{http://www.w3.org/2000/svg}"
_LINKS = ("href", "{http://www.w3.org/1999/xlink}href", "src")
_OUTSIDE = re.compile(r"url\(\s*['\"]?(?!\s*['\"]?#)|@import", re.IGNORECASE)
_NUMBER = re.compile(r"\s*([+-]?[0-9]*\.?[0-9]+)")
_USUAL = (100.0, 100.0)


def svg_fault(data: bytes) -> tuple[str, dict[str, object]] | None:
    """Return the key and values of the sentence why a drawing is not shown; None where it is."""
    if len(data) > MAX_BYTES:
        return "drawing-large", {"most": MAX_BYTES // 1024 // 1024}
    if b"<!ENTITY" in data or b"<!entity" in data:
        return "drawing-entities", {}
    try:
        for count, (_, element) in enumerate(_elements(data)):
            if count > MAX_ELEMENTS:
                return "drawing-elements", {"most": MAX_ELEMENTS}
            if found := _outside(element):
                return "drawing-outside", {"found": quoted(found)}
    except etree.XMLSyntaxError:
        return "no-drawing", {}
    return None if svg_size(data) else ("no-drawing", {})


def _elements(data: bytes) -> etree.iterparse[tuple[str, etree._Element]]:
    return etree.iterparse(
        io.BytesIO(data), resolve_entities=False, no_network=True, load_dtd=False
    )


def _outside(element: etree._Element) -> str:
    """Return what an element would fetch from elsewhere, or run."""
    if not isinstance(element.tag, str):
        return ""
    if element.tag in (f"{_SVG}script", f"{_SVG}foreignObject"):
        return element.tag.removeprefix(_SVG)
    for name, value in element.attrib.items():
        text = str(value).strip()
        if name in _LINKS and not text.startswith(("#", "data:image/")):
            if element.tag == f"{_SVG}a":
                continue
            return text
        if "url(" in text and _OUTSIDE.search(text):
            return text
    if element.tag == f"{_SVG}style" and _OUTSIDE.search(element.text or ""):
        return "style"
    return ""


def svg_size(data: bytes) -> tuple[float, float] | None:
    """Return width and height in its own units; None where it is no drawing."""
    try:
        root = etree.parse(
            io.BytesIO(data), etree.XMLParser(resolve_entities=False, no_network=True)
        ).getroot()
    except etree.XMLSyntaxError:
        return None
    if root.tag not in (f"{_SVG}svg", "svg"):
        return None
    box = str(root.get("viewBox") or "").replace(",", " ").split()
    found = box[2:] if len(box) == 4 else [root.get("width") or "", root.get("height") or ""]
    sides = [float(match[1]) for text in found if (match := _NUMBER.match(str(text)))]
    if min(sides, default=1) <= 0:
        return None
    if len(sides) != 2:
        return _USUAL if not box else None
    return sides[0], sides[1]
