"""Find values that a template does not take, before it is given them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from exporter.core.problems import (
    Problem,
    problem_at,
)
from exporter.faces.card_faces import Face
from exporter.faces.template_declarations import declared_in
from exporter.model.forms import FormFault
from exporter.model.template_values import Reader
from exporter.render.template_files import Style


def refused(faces: Iterable[Face], styles: Mapping[str, Style]) -> dict[Face, Problem]:
    """Find faces with a value that their template does not take, each with its first fault.

    Such a value is told before it is drawn: large numbers make smears, or take all memory.
    """
    wanted = list(faces)
    used = {face.template for face in wanted} & styles.keys()
    paths = {template: styles[template].files[template] for template in used}
    declared, _told_when_read = declared_in(paths)
    problems: dict[Face, Problem] = {}
    sound: set[tuple[str, str, str | int | float]] = set()
    for face in wanted:
        takes = declared[face.template].takes if face.template in declared else {}
        for name, value in json.loads(face.values).items() if takes else ():
            plain = isinstance(value, str | int | float)
            if name not in takes or (plain and (face.template, name, value) in sound):
                continue
            reader = Reader()
            reader.value(takes[name], value, (name,))
            faults = [fault for fault in reader.faults if fault.sort != "unknown"]
            if faults:
                problems.setdefault(face, _refusal(face, faults[0]))
            elif plain:
                sound.add((face.template, name, value))
    return problems


def _refusal(face: Face, fault: FormFault) -> Problem:
    return problem_at(
        face.where,
        "FACE-VALUE",
        "found-takes",
        name=".".join(map(str, fault.path)),
        found=repr(fault.found),
        template=face.template,
        allowed=fault.allowed,
    )
