"""What has come to light so far while one game folder is being read."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, get_origin

from msgspec import Struct, field, msgpack

from exporter.core.messages import Sentence
from exporter.core.names import (
    Names,
)
from exporter.core.problems import (
    UNREADABLE,
    InvalidSource,
    Problem,
    Severity,
    SourceLocation,
    ambiguous_name,
    near_names,
    nearest,
    notice_at,
    problem_at,
    sort_called,
    unknown_name,
)
from exporter.core.reading_limits import (
    GAME,
    MOST_LISTED,
    LimitExceeded,
    ProblemList,
    ReadingLimits,
)
from exporter.core.source_files import (
    label,
    list_names,
    read_text,
)
from exporter.model.documents import (
    Document,
    Items,
    Quoted,
    Reference,
    Table,
    read_document,
    size_of,
    wide_sign,
)
from exporter.model.forms import (
    MAX_FAULTS,
    described,
    fields_of,
    shaped,
)
from exporter.model.shape import (
    File,
    Record,
)

S = TypeVar("S", bound=Struct)
T = TypeVar("T")
R = TypeVar("R", bound=Record)


def encode_quoted(value: Any) -> Any:
    """Return a text in quotes, which is no number whatever it looks like, as what it is."""
    if isinstance(value, Quoted):
        return "quoted", str(value)
    raise NotImplementedError(type(value).__name__)


class LoadContext(Struct):
    """One folder's reading: problems, notices and references so far.

    ``incomplete`` holds the sorts of which some could not be read; what names one of those is
    not blamed, so that one fault does not echo. ``excluded`` are single names, by sort, of records
    that were left out. ``contents`` are hashes of what the files say, by their names.
    """

    root: Path
    problems: ProblemList = field(default_factory=ProblemList)
    notices: list[Problem] = field(default_factory=list)
    budget: ReadingLimits = field(default_factory=lambda: ReadingLimits(GAME))
    references: list[Reference] = field(default_factory=list)
    incomplete: set[str] = field(default_factory=set)
    excluded: set[tuple[str, str]] = field(default_factory=set)
    contents: dict[str, bytes] = field(default_factory=dict)

    def note_content(self, name: str, content: Any) -> None:
        """Note what a file says, however it is written: with that the game's digest changes."""
        encoded = msgpack.encode(content, enc_hook=encode_quoted)
        self.contents[name] = hashlib.sha256(encoded).digest()

    @property
    def digest(self) -> str:
        """What was read so far, as a few letters that differ for anything else."""
        return hashlib.sha256(msgpack.encode(sorted(self.contents.items()))).hexdigest()[:6]

    def fault(self, where: SourceLocation, check: str, key: str, /, **values: Any) -> None:
        """Note a problem, as ``problem_at`` makes it."""
        self.problems.append(problem_at(where, check, key, **values))

    def notice(self, where: SourceLocation, check: str, key: str, /, **values: Any) -> None:
        """Note what is good to know."""
        self.notices.append(notice_at(where, check, key, **values))

    def add(self, found: Problem) -> None:
        """Note a problem, or what is good to know, once."""
        if found.severity != Severity.NOTICE:
            self.problems.append(found)
        elif found not in self.notices:
            self.notices.append(found)

    def refer(self, sort: str, name: str, where: SourceLocation) -> None:
        """Note that something is named, to be looked up once everything is read."""
        if name and name != UNREADABLE:
            self.references.append(Reference(sort, name, where))

    def refer_all(self, references: Iterable[Reference]) -> None:
        """Note all that something names."""
        for reference in references:
            self.refer(*reference)

    def label(self, relative: str) -> str:
        """Return how problems name a file of this folder."""
        return label(self.root, relative)

    def document(self, relative: str, sort: str) -> tuple[Any, SourceLocation] | None:
        """Return the value of a YAML file and its place; where it cannot be read, things of
        ``sort`` are incomplete from now on."""
        file = self.label(relative)
        with self.collect(file, sort):
            text = read_text(self.root, relative)
            self.budget.take("values", 0)  # nothing is read any more once there was too much
            value, where, problems = read_document(text, file)
            self.budget.take("values", size_of(value))
            self.note_content(relative, value)
            self.problems += problems
            return value, where
        return None

    def value_of(
        self, relative: str, sort: str, form: type = Table, *, or_empty: bool = False
    ) -> tuple[Any, SourceLocation] | None:
        """Return the value of a YAML file that is keys with values, or a list, and its place."""
        found = self.document(relative, sort)
        if found is None or isinstance(found[0], form) or (found[0] is None and or_empty):
            return found
        value, where = found
        key = "found-allowed-keys" if form is Table else "found-allowed-list"
        self.fault(where, "SRC-VALUE", key, found=described(value))
        self.incomplete.add(sort)
        return None

    @contextmanager
    def collect(self, file: str, sort: str) -> Iterator[None]:
        """Note why a file cannot be read, or that with it there is too much of something: then
        things of ``sort`` are incomplete."""
        try:
            yield
        except InvalidSource as error:
            self.problems += error.problems
            self.incomplete.add(sort)
        except LimitExceeded as spent:
            self.fault(SourceLocation(file), "SRC-FILE", "too-much-read", found=spent.sentence)
            self.incomplete.add(sort)

    def exists(self, relative: str) -> bool:
        """Return whether there is anything of this name, be it a good file or not."""
        return os.path.lexists(self.root / relative)

    def shape(self, shape: type[S], value: Any, where: SourceLocation, key: str = "") -> S:
        """Return a value in its shape; its problems are noted, and what it refers to."""
        result, problems, references = shaped(shape, Document(where, value, key))
        self.problems += problems
        self.refer_all(references)
        return result

    def one(self, shape: type[S], relative: str, sort: str) -> S | None:
        """Return a file that is one thing, such as a board."""
        found = self.value_of(relative, sort)
        return None if found is None else self.shape(shape, *found)

    def each(self, shape: type[S], folder: str, sort: str) -> list[S]:
        """Return the things of a folder in which every YAML file is one."""
        found = (self.one(shape, name, sort) for name in self.files(folder, sort))
        return [thing for thing in found if thing is not None]

    def entries(self, shape: type[S], relative: str, sort: str, form: type = Items) -> list[S]:
        """Return the entries of a file that is a list, or keys with values, until too many of them
        are faulty; no file, no entries."""
        there = self.exists(relative)
        found = self.value_of(relative, sort, form, or_empty=True) if there else None
        if found is None or found[0] is None:
            return []
        value, where = found
        if isinstance(value, Items):
            each = [(entry, at, "") for entry, at in zip(value, value.values_at, strict=True)]
        else:
            each = [(entry, value.keys_at[key], key) for key, entry in value.items()]
        most = len(self.problems) + MAX_FAULTS
        results: list[S] = []
        for entry, at, key in each:
            if len(self.problems) > most:
                self.fault(where, "SRC-VALUE", "more-faults-not", max_faults=MAX_FAULTS)
                self.incomplete.add(sort)
                break
            results.append(self.shape(shape, entry, at, key))
        return results

    def all(self, file: File) -> list[Any]:
        """Return every record of the files of a sort."""
        folder, several, _ = file.pattern.rpartition("/*")
        names = self.files(folder, file.sort) if several else [file.pattern]
        holds = get_origin(file.holds)
        found: list[Any] = []
        for name in names:
            if holds in (list, dict):
                form = Items if holds is list else Table
                found += self.entries(file.record, name, file.sort, form)
            elif (one := self.one(file.record, name, file.sort)) is not None:
                found.append(one)
        return found

    def names_in(self, folder: str, sort: str) -> list[str]:
        """Return the paths of a folder's entries by name; where they cannot be listed, things of
        ``sort`` are incomplete."""
        with self.collect(self.label(folder), sort):
            return list_names(self.root, folder)
        return []

    def files(self, folder: str, sort: str) -> list[str]:
        """Return the YAML files of a folder by name; others are problems."""
        names = []
        for name in self.names_in(folder, sort):
            if name.endswith(".yaml"):
                names.append(name)
            elif name.endswith((".yml", ".csv", ".json")):
                self.fault(
                    SourceLocation(self.label(name)), "SRC-FILE", "holds-yaml-files", folder=folder
                )
        return names

    def unique(self, sort: str, things: Iterable[tuple[str, SourceLocation, T]]) -> dict[str, T]:
        """Return things by id; a second one with the same id is a problem at its own place."""
        first: dict[str, SourceLocation] = {}
        found: dict[str, T] = {}
        for key, where, thing in things:
            if key == UNREADABLE:
                self.incomplete.add(sort)
            elif key in first:
                self.fault(
                    where,
                    "SRC-ID",
                    "stands-second-time-2",
                    sort=sort_called(sort),
                    found=described(key),
                    first=first[key],
                )
            else:
                first[key], found[key] = where, thing
        return found

    def by_name(self, file: File, records: Iterable[R]) -> dict[str, R]:
        """Return records of a sort of file by their first key, which names them, or by that
        around."""
        form = fields_of(file.record)
        key, first = next(iter(form.keys.items()))
        name, path = (form.own_key, ()) if form.own_key else (first.name, (key,))
        named = ((getattr(record, name), record.place(*path), record) for record in records)
        return self.unique(file.sort, named)

    def is_sound(self, where: SourceLocation, *, file: bool = False) -> bool:
        """Return whether no problem stands in a line so far, or in its whole file."""
        return not self.problems.stand_at(where, file=file)

    def resolve(
        self, known: Mapping[str, Iterable[str]], called: Callable[[str], Names] | None = None
    ) -> None:
        """Note a problem for each reference to something that is not ``known``.

        A sort that is not in ``known`` cannot be judged. Where players wrote the names, ``called``
        has what each sort is called by.
        """
        names = {sort: set(words) for sort, words in known.items() if sort not in self.incomplete}
        near: dict[tuple[str, str], Sentence | str] = {}
        for sort, name, where in self.references:
            if sort not in names or name in names[sort] or (sort, name) in self.excluded:
                continue
            of_sort = called(sort) if called is not None else None
            if (sort, name) not in near and len(near) < MOST_LISTED:
                few = near_names(of_sort, name) if of_sort and of_sort.things else ""
                near[sort, name] = few or nearest(name, names[sort])
            hint = near.get((sort, name), "")
            if of_sort is not None and of_sort.matches(name):
                self.problems.append(ambiguous_name(where, "SRC-REF", of_sort, name))
            elif problem := wide_sign(name, where, "、"):
                self.problems.append(problem)
            elif of_sort is not None:
                self.problems.append(unknown_name(where, "SRC-REF", sort, name, hint))
            else:
                self.fault(
                    where,
                    "SRC-REF",
                    "unknown",
                    sort=sort_called(sort),
                    found=described(name),
                    nearest=hint,
                )
