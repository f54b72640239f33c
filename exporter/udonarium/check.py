"""What a check is; the checks themselves stand in ``checks_files`` and ``checks_objects``."""

from __future__ import annotations

from msgspec import Struct

from exporter.problems import Severity

ERROR, WARNING, NOTICE = Severity.ERROR, Severity.WARNING, Severity.NOTICE


class Check(Struct, frozen=True):
    """One line of the check-list. ``sentence`` is the rule, ``effect`` what breaking it does."""

    severity: Severity
    sentence: str
    effect: str
    remedy: str
