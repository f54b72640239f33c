"""Checks of a whole room zip, whoever made it: those of ``verify_checks``, by ``verify_zip``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from exporter.core.problems import Problem, SourceLocation
from exporter.core.reading_limits import ROOM, LimitExceeded, ProblemList, ReadingLimits
from exporter.udonarium import format
from exporter.udonarium.archive import RefusedZip, ZipEntry, unpack
from exporter.udonarium.document import PLACED, UnreadableXml, XmlDocument, parse, tag_of
from exporter.udonarium.verify_checks import Finds, find, found, report, unreadable
from exporter.udonarium.verify_images import ZipPictures, check_references, references
from exporter.udonarium.verify_xml import (
    check_characters,
    check_markup,
    check_objects,
    check_room,
)

_MENTION = re.compile("(?<![0-9a-fA-F])[0-9a-fA-F]{64}")


def verify_zip(source: bytes | Path, name: str = "") -> tuple[Problem, ...]:
    """Return what is wrong with a room zip, sorted by place. Never raises for its content.

    Places are ``name/entry:line:column``; ``name`` is the path unless given. Of each check the
    first problems are problems, and how many more there are.
    """
    name = name or ("zip" if isinstance(source, bytes) else str(source))
    problems = ProblemList(lambda problem: problem.rule)
    try:
        _verify(source, name, problems)
    except RefusedZip as refused:
        problems.append(refused.problem)
    return tuple(sorted(set(problems)))


def _verify(source: bytes | Path, name: str, problems: ProblemList) -> None:
    budget = ReadingLimits(ROOM)
    documents: list[XmlDocument] = []
    pictures = ZipPictures(problems, budget)
    complete = True
    for entry in unpack(source, name, problems):
        problems += _check_entry(entry)
        if entry.is_image:
            pictures.add(entry)
        elif entry.is_xml and entry.data is None:
            complete = False
        elif entry.is_xml and entry.data is not None:
            try:
                documents.append(_parsed(entry, entry.data, budget))
            except UnreadableXml as error:
                # HTML and YAML are reported for being there; that they are no XML adds nothing.
                if entry.extension == "xml":
                    complete = False
                    problems.append(unreadable(error, entry.where))
    _check_roots(documents, complete, name, problems)
    known = [document for document in documents if tag_of(document.root) in format.ROOTS]
    for document in documents:
        problems += check_characters(document)
    for document in known:
        for check in (check_markup, check_objects, check_room):
            report(problems, ((document, one) for one in check(document)))
    mentioned = {m.lower() for document in documents for m in _MENTION.findall(document.text)}
    pictures.check_all(mentioned, complete and bool(documents))
    identifiers = {picture.identifier for picture in pictures.each}
    shown = (one for document in known for one in references(document, identifiers))
    report(problems, check_references(shown, pictures.each))


def _parsed(entry: ZipEntry, data: bytes, budget: ReadingLimits) -> XmlDocument:
    """Return an XML entry. Raises ``UnreadableXml``, and ``RefusedZip`` where the room holds too
    much."""
    try:
        document = parse(data, entry.where, budget)
        budget.take("pieces", sum(1 for _ in document.root.iter(*PLACED)))
    except LimitExceeded as spent:
        raise RefusedZip("UD-ROOM-LARGE", entry.where, "up", found=spent.sentence) from None
    return document


def _check_entry(entry: ZipEntry) -> Iterator[Problem]:
    kind = entry.extension
    if kind in format.MARKUP_EXTENSIONS:
        yield found("UD-ENTRY-MARKUP", entry.where, "file", kind=kind)
    elif kind in format.VIDEO_EXTENSIONS:
        yield found("UD-ENTRY-VIDEO", entry.where, "video")
    elif kind in format.AUDIO_EXTENSIONS:
        if entry.size > format.AUDIO_BYTES:
            yield found("UD-AUDIO-SIZE", entry.where, "bytes", size=entry.size)
        else:
            yield found("UD-AUDIO-NOT-SAVED", entry.where, "audio")


def _check_roots(
    documents: list[XmlDocument], complete: bool, name: str, problems: ProblemList
) -> None:
    tags = [tag_of(document.root) for document in documents]
    if complete and "room" not in tags and not set(tags) & format.LOOSE:
        problems.append(found("UD-ROOM-NONE", SourceLocation(name), "no-room-any"))
    last = {tag: index for index, tag in enumerate(tags)}
    for index, document in enumerate(documents):
        finds = _check_root(document, index, last, tags.count("room"))
        report(problems, ((document, one) for one in finds))


def _check_root(document: XmlDocument, index: int, last: dict[str, int], rooms: int) -> Finds:
    """Return ``last`` is where the last root of each tag stands among all of them."""
    root, tag = document.root, tag_of(document.root)
    if tag == "room" and index != last["room"]:
        yield find("UD-ROOM-TWICE", root, "one-rooms", count=rooms)
    elif tag in format.LOOSE and rooms:
        lost = index < last["room"] and tag != "chat-tab"
        check = "UD-LOOSE-LOST" if lost else "UD-LOOSE-BESIDE"
        yield find(check, root, "own-file")
    elif tag in ("chat-tab-list", "summary-setting") and index != last[tag]:
        yield find("UD-SETTINGS-TWICE", root, "another-after")
    elif tag not in format.ROOTS:
        fork, alone = tag in format.FORK_TAGS, tag in format.SINGLETONS
        check = "UD-FORK" if fork else "UD-SINGLETON" if alone else "UD-ROOT-UNKNOWN"
        yield find(check, root, "root")
