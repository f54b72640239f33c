"""Everything that can be wrong with a room zip: what it is, what people would see, how to mend it.

Error: the client breaks, drops or hides something. Warning: hardly wanted. Notice: good to know.
Facts: ``docs/udonarium-format.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.messages import sentence
from exporter.core.problems import Problem, Severity, SourceLocation
from exporter.core.reading_limits import ProblemList
from exporter.udonarium.document import UnreadableXml, Xml, XmlDocument, label, short

ERROR, WARNING, NOTICE = Severity.ERROR, Severity.WARNING, Severity.NOTICE

# Id → how much it weighs, in the order of the format's description. Ids are permanent.
CHECKS = {
    # -- the zip (format section 1) --
    "UD-FILE": ERROR,
    "UD-ZIP-NOT": ERROR,
    "UD-ZIP-EMPTY": ERROR,
    "UD-ZIP-TRUNCATED": ERROR,
    "UD-ZIP-ENCRYPTED": ERROR,
    "UD-ZIP-BOMB": ERROR,
    "UD-ROOM-LARGE": ERROR,
    "UD-ENTRY-DAMAGED": ERROR,
    "UD-ENTRY-SIZE": WARNING,
    "UD-ENTRY-METHOD": ERROR,
    "UD-ENTRY-DIRECTORY": NOTICE,
    "UD-ENTRY-ZIP": WARNING,
    "UD-ENTRY-OTHER": NOTICE,
    "UD-ENTRY-MARKUP": WARNING,
    "UD-ENTRY-VIDEO": ERROR,
    "UD-AUDIO-SIZE": ERROR,
    "UD-AUDIO-NOT-SAVED": NOTICE,
    "UD-NAME-UNSAFE": WARNING,
    "UD-NAME-TWICE": WARNING,
    # -- XML (sections 1 to 3) --
    "UD-XML-BROKEN": ERROR,
    "UD-XML-ENTITY": ERROR,
    "UD-XML-ENCODING": ERROR,
    "UD-ROOM-NONE": ERROR,
    "UD-ROOM-TWICE": ERROR,
    "UD-SETTINGS-TWICE": WARNING,
    "UD-LOOSE-LOST": ERROR,
    "UD-LOOSE-BESIDE": WARNING,
    "UD-ROOT-UNKNOWN": ERROR,
    "UD-SINGLETON": ERROR,
    "UD-TAG-UNKNOWN": ERROR,
    "UD-TAG-PLACE": ERROR,
    "UD-FORK": NOTICE,
    "UD-NUMBER": ERROR,
    "UD-BOOLEAN": ERROR,
    "UD-NULL": ERROR,
    "UD-VALUE-KIND": WARNING,
    "UD-FORK-VALUE": WARNING,
    "UD-ATTRIBUTE-NEWLINE": ERROR,
    "UD-ATTRIBUTE-BREAK": WARNING,
    "UD-ENTITY-TWICE": ERROR,
    "UD-LEAF-CDATA": ERROR,
    "UD-LEAF-COMMENT": ERROR,
    "UD-LEAF-MIXED": ERROR,
    "UD-TEXT-CONTROL": ERROR,
    "UD-TEXT-BLANK": WARNING,
    # -- images (sections 1 and 11) --
    "UD-IMAGE-SIZE": ERROR,
    "UD-IMAGE-RATIO": ERROR,
    "UD-IMAGE-BROKEN": ERROR,
    "UD-IMAGE-TRUNCATED": WARNING,
    "UD-IMAGE-HUGE": WARNING,
    "UD-IMAGE-UNSEEN": NOTICE,
    "UD-IMAGE-EXTENSION": WARNING,
    "UD-IMAGE-NAME": WARNING,
    "UD-IMAGE-CHANGED": ERROR,
    "UD-IMAGE-TWICE": WARNING,
    "UD-IMAGE-UNUSED": WARNING,
    "UD-REF-DEAD": ERROR,
    "UD-REF-CASE": ERROR,
    "UD-REF-EXTENSION": ERROR,
    "UD-REF-SPACE": ERROR,
    "UD-REF-TYPE": ERROR,
    "UD-REF-BACKGROUND": ERROR,
    "UD-REF-WEB": NOTICE,
    # -- sheets (section 4) --
    "UD-GROUP-NAME": ERROR,
    "UD-GROUP-MISSING": ERROR,
    "UD-GROUP-ORDER": WARNING,
    "UD-GROUP-TWICE": WARNING,
    "UD-GROUP-EMPTY": NOTICE,
    "UD-NAME-SHADOWED": ERROR,
    "UD-FIELD-NUMBER": ERROR,
    "UD-RESOURCE": WARNING,
    "UD-ICON": NOTICE,
    # -- tables (sections 5 to 7) --
    "UD-TABLE-NONE": ERROR,
    "UD-TABLE-UNSELECTED": WARNING,
    "UD-TABLE-SELECTED-TWICE": WARNING,
    "UD-TABLE-SIZE": WARNING,
    "UD-GRID-TYPE": ERROR,
    "UD-GRID-SIZE": WARNING,
    "UD-GRID-COLOR": WARNING,
    "UD-FILTER": WARNING,
    "UD-FAR-AWAY": NOTICE,
    "UD-LOCATION": WARNING,
    "UD-LOCATION-HIDDEN": ERROR,
    "UD-TERRAIN-OUTSIDE": ERROR,
    "UD-TERRAIN-UNLOCKED": WARNING,
    "UD-TERRAIN-MODE": WARNING,
    "UD-LOCK-NAME": ERROR,
    "UD-OPACITY": WARNING,
    # -- cards and dice (sections 7 and 8) --
    "UD-CARD-STATE": ERROR,
    "UD-CARD-SIDE": ERROR,
    "UD-CARD-OUTSIDE": ERROR,
    "UD-STACK-ROOT": ERROR,
    "UD-STACK-STATE": WARNING,
    "UD-OWNER": WARNING,
    "UD-DICE-NO-FACES": ERROR,
    "UD-DICE-FACE": ERROR,
    "UD-DICE-EXTRA": ERROR,
    "UD-DICE-FACE-TWICE": WARNING,
    # -- chat (sections 9 and 10) --
    "UD-CHAT-NO-TAB": ERROR,
    "UD-CHAT-ORDER": WARNING,
    "UD-CHAT-TIME": WARNING,
    "UD-CHAT-PRIVATE": WARNING,
    "UD-PALETTE-PLACE": ERROR,
    "UD-PALETTE-TWICE": WARNING,
    "UD-PALETTE-NAME": WARNING,
    "UD-PALETTE-SPACE": WARNING,
    "UD-PALETTE-END": NOTICE,
    "UD-SUMMARY-ORDER": WARNING,
    "UD-SUMMARY-COLUMN": ERROR,
}


def zip_problem(check: str, where: SourceLocation, key: str, **values: object) -> Problem:
    """Return what was found, with the effect and remedy that the check has for all of them."""
    return Problem(where, check, sentence(check, key, **values), CHECKS[check])


def unreadable(error: UnreadableXml, where: SourceLocation) -> Problem:
    """Return why the client ignores the entry at ``where``."""
    place = replace(where, line=error.line, column=error.column)
    return zip_problem(error.check, place, error.key, **error.values)


class Finding(Struct, frozen=True):
    """Something wrong: the check, the element to point at, and what was found.

    The sentence of the ``key`` has blanks for ``values``, in which an element stands for what it is
    called. Nothing is worded before somebody wants to read it: there may be very many.
    """

    check: str
    at: Xml
    key: str
    values: Mapping[str, str | int | Xml]


Finds: TypeAlias = Iterator[Finding]


def finding(check: str, at: Xml, key: str, **values: str | int | Xml) -> Finding:
    """Return what was found ``at`` an element; its sentence speaks of the ``object`` that this
    belongs to, unless another is given."""
    return Finding(check, at, key, {"object": at, **values})


def report_findings(problems: ProblemList, finds: Iterable[tuple[XmlDocument, Finding]]) -> None:
    """Add problems with words for what was found, and where, as far as it is reported."""
    for document, one in finds:
        if problems.wants(one.check):
            words = {name: _word(value) for name, value in one.values.items()}
            problems.keep(one.check, zip_problem(one.check, document.of(one.at), one.key, **words))


def _word(value: str | int | Xml) -> str | int:
    if isinstance(value, str):
        return short(value)
    return value if isinstance(value, int) else label(value)
