"""Checks of a whole room zip, whoever made it: ``verify_zip``. The checks are in ``checks``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from exporter.problems import Problem, Where
from exporter.udonarium import format
from exporter.udonarium.archive import Entry, unpack
from exporter.udonarium.checks import found
from exporter.udonarium.document import Document, Unreadable, parse, tag_of
from exporter.udonarium.look import label
from exporter.udonarium.verify_images import (
    check_files,
    check_references,
    identified,
    references,
)
from exporter.udonarium.verify_markup import check_characters, check_markup
from exporter.udonarium.verify_objects import check_objects
from exporter.udonarium.verify_room import check_room

_MENTION = re.compile("[0-9a-fA-F]{64}")


def verify_zip(source: bytes | Path, name: str = "") -> tuple[Problem, ...]:
    """Everything that is wrong with a room zip, sorted by place. Never raises for its content.

    Places are ``name/entry:line:column``; ``name`` is the path unless given.
    """
    name = name or ("zip" if isinstance(source, bytes) else str(source))
    unpacked = unpack(source, name)
    problems = list(unpacked.problems)
    if not unpacked.stopped:
        problems += _verify(unpacked.entries, name)
    return tuple(sorted(set(problems)))


def _verify(entries: list[Entry], name: str) -> Iterator[Problem]:
    documents: list[Document] = []
    complete = True
    for entry in entries:
        yield from _check_entry(entry)
        if not entry.is_xml:
            continue
        if entry.data is None:
            complete = False
            continue
        try:
            documents.append(parse(entry.data, entry.where))
        except Unreadable as error:
            # HTML and YAML are reported for being there; that they are no XML adds nothing.
            if entry.extension == "xml":
                complete = False
                yield error.problem(entry.where)
    yield from _check_roots(documents, complete, name)
    known = [document for document in documents if tag_of(document.root) in format.ROOTS]
    for document in documents:
        yield from check_characters(document)
    for document in known:
        yield from check_markup(document)
        yield from check_objects(document)
        yield from check_room(document)
    yield from _check_pictures(entries, documents, known, complete)


def _check_pictures(
    entries: list[Entry], documents: list[Document], known: list[Document], complete: bool
) -> Iterator[Problem]:
    pictures = identified(entries)
    identifiers = {picture.identifier for picture in pictures}
    mentioned = {m.lower() for document in documents for m in _MENTION.findall(document.text)}
    yield from check_files(pictures, mentioned, complete and bool(documents))
    shown = [r for document in known for r in references(document, identifiers)]
    yield from check_references(shown, pictures)


def _check_entry(entry: Entry) -> Iterator[Problem]:
    kind = entry.extension
    if kind in format.MARKUP_EXTENSIONS:
        yield found("UD-ENTRY-MARKUP", entry.where, f"It is a .{kind} file.")
    elif kind in format.VIDEO_EXTENSIONS:
        yield found("UD-ENTRY-VIDEO", entry.where, "It is a video.")
    elif kind in format.AUDIO_EXTENSIONS:
        if entry.size > format.AUDIO_BYTES:
            yield found("UD-AUDIO-SIZE", entry.where, f"It has {entry.size} bytes.")
        else:
            yield found("UD-AUDIO-NOT-SAVED", entry.where, "It is audio.")


def _check_roots(documents: list[Document], complete: bool, name: str) -> Iterator[Problem]:
    tags = [tag_of(document.root) for document in documents]
    rooms = [index for index, tag in enumerate(tags) if tag == "room"]
    if complete and not rooms and not set(tags) & format.LOOSE:
        yield found("UD-ROOM-NONE", Where(name), "There is no <room> in any XML file.")
    for index, (tag, document) in enumerate(zip(tags, documents, strict=True)):
        where = document.of(document.root)
        if tag == "room" and index != rooms[-1]:
            yield found("UD-ROOM-TWICE", where, f"There are {len(rooms)} rooms.")
        elif tag in format.LOOSE and rooms:
            lost = index < rooms[-1] and tag != "chat-tab"
            check = "UD-LOOSE-LOST" if lost else "UD-LOOSE-BESIDE"
            yield found(check, where, f"{label(document.root)} is a file of its own.")
        elif tag in ("chat-tab-list", "summary-setting") and tag in tags[index + 1 :]:
            yield found("UD-SETTINGS-TWICE", where, f"There is another <{tag}> after it.")
        elif tag not in format.ROOTS:
            yield _unknown_root(tag, document)


def _unknown_root(tag: str, document: Document) -> Problem:
    where = document.of(document.root)
    if tag in format.FORK_TAGS:
        return found("UD-FORK", where, f"The root is <{tag}>.")
    if tag in format.SINGLETONS:
        return found("UD-SINGLETON", where, f"The root is <{tag}>.")
    return found("UD-ROOT-UNKNOWN", where, f"The root is <{tag}>.")
