"""Plain values read into shapes, with everything that is wrong with them, in plain words.

A form's ``read`` makes of what a file spells (``3``, ``true``) what a shape holds. Where it cannot,
it notes a ``FormFault`` and gives a ``stand_in``, so that reading goes on and finds what is wrong
elsewhere. Stand-ins name nothing, so that they never echo. Its ``schema`` tells editors the same.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from inspect import getdoc
from threading import RLock
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin

from msgspec import Meta, Struct, field, structs

from exporter.core.messages import Sentence, asks, sentence
from exporter.core.problems import (
    UNREADABLE,
    Problem,
    as_written,
    listed,
    nearest,
    problem_at,
    quoted,
)
from exporter.model.documents import (
    NOWHERE,
    Document,
    Items,
    Path,
    Reference,
    Spot,
    Table,
    wide_sign,
)
from exporter.model.fields import half_width, truth, whole_number
from exporter.model.shape import (
    OF_CARDS,
    TEXT,
    Doc,
    File,
    Inner,
    Record,
    Ref,
    Short,
    in_both_languages,
)

S = TypeVar("S", bound=Struct)

# No file holds more characters or entries.
UNLIMITED = 1_000_000

# Faults of one document that are reported one by one.
MAX_FAULTS = 100

_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")

JsonSchema: TypeAlias = dict[str, Any]


class FormFault(Struct, kw_only=True):
    """Something wrong at ``path`` below the value that is read.

    A ``missing`` or ``unknown`` key is the last step of its path, a wrong ``key`` of a mapping too;
    ``words`` are those that may stand there, ``likely`` is the one that somebody will have meant.
    """

    path: Path
    sort: Literal["value", "key", "missing", "unknown"] = "value"
    found: Any = None
    allowed: Sentence = field(default_factory=lambda: asks("anything"))
    words: Sequence[str] = ()
    likely: str = ""
    example: Sentence | str = ""


class Findings(Struct):
    """What comes to light while a document is read: its faults, and what it refers to.

    With ``of_keys`` it is keys that refer.
    """

    document: Document = field(default_factory=lambda: NOWHERE)
    faults: list[FormFault] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    of_keys: bool = False

    def add(self, others: Findings) -> None:
        """Lets the findings of a part count."""
        self.faults += others.faults
        self.references += others.references


class Form(Struct, frozen=True):
    """How a value of a file is read, and what an editor lets stand there; this one takes any."""

    @property
    def allowed(self) -> Sentence:
        """What may stand there, for a message."""
        return asks("anything")

    def read(self, value: Any, path: Path, findings: Findings) -> Any:
        """Return what a shape holds for a value at a path."""
        return value

    def stand_in(self, spot: Spot) -> Any:
        """Return what goes on in the place of a value that could not be read."""
        return UNREADABLE

    def schema(self, defined: JsonSchema) -> JsonSchema:
        """Return it as JSON Schema; each record of it is ``defined`` once."""
        return {}

    def refuse(self, value: Any, path: Path, findings: Findings, **more: Any) -> Any:
        """Note that ``value`` is none of this form, and return a stand-in."""
        fault = FormFault(path=path, found=value, **{"allowed": self.allowed, **more})
        findings.faults.append(fault)
        return self.stand_in(Spot(findings.document, path))


class TextForm(Form, frozen=True):
    """A text of so many characters, or of a pattern that ``allowed`` describes.

    It may hold the name of something, by its ``ref``.
    """

    least: int | None = None
    most: int = UNLIMITED
    pattern: re.Pattern[str] | None = None
    allowed: Sentence = asks("text")
    ref: Ref | None = None

    def read(self, value: Any, path: Path, findings: Findings) -> str:
        if not isinstance(value, str):
            wrong = asks("text")
        elif len(value) < (self.least or 0):
            wrong = asks("some-text")
        elif len(value) > self.most:
            wrong = asks("most-characters", most=self.most)
        elif self.pattern is not None and not self.pattern.fullmatch(value):
            wrong = self.allowed
        else:
            text = value if type(value) is str else str(value)
            if self.ref is not None:
                where = Spot(findings.document).place(*path, key=findings.of_keys)
                names = self.ref.names(text)
                findings.references += (Reference(self.ref.sort, name, where) for name in names)
            return text
        return str(self.refuse(value, path, findings, allowed=wrong))

    def schema(self, defined: JsonSchema) -> JsonSchema:
        if self.pattern is not None:
            return {"type": "string", "pattern": self.pattern.pattern}
        return {**TEXT, **_limits("Length", self.least, self.most)}


class NumberForm(Form, frozen=True):
    """A number within limits, whole or not."""

    whole: bool
    least: float
    most: float
    wanted: Sentence | None = None

    @property
    def allowed(self) -> Sentence:
        return self.wanted or asks("whole-number-such" if self.whole else "number-such")

    def read(self, value: Any, path: Path, findings: Findings) -> float:
        number = self._number(value)
        if number is None:
            wrong = self.allowed
        elif number < self.least:
            wrong = asks("at-least", least=self.least)
        elif number > self.most:
            wrong = asks("at-most", most=self.most)
        else:
            return number
        return float(self.refuse(value, path, findings, allowed=wrong))

    def _number(self, value: Any) -> float | None:
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str):
            return None
        if self.whole:
            return whole_number(value)
        text = half_width(value).strip()
        return float(text) if _DECIMAL.fullmatch(text) else None

    def stand_in(self, spot: Spot) -> float:
        return min(max(self.least, 1), self.most)

    def schema(self, defined: JsonSchema) -> JsonSchema:
        limits = {"minimum": self.least, "maximum": self.most}
        return {"type": "integer" if self.whole else "number", **limits}


class BoolForm(Form, frozen=True):
    """Yes or no."""

    allowed: Sentence = asks("truth")

    def read(self, value: Any, path: Path, findings: Findings) -> bool:
        answer = truth(value) if isinstance(value, str) else value
        return answer if isinstance(answer, bool) else bool(self.refuse(value, path, findings))

    def stand_in(self, spot: Spot) -> bool:
        return False

    def schema(self, defined: JsonSchema) -> JsonSchema:
        return {"type": "boolean"}


class ChoiceForm(Form, frozen=True):
    """One of some words, or with ``or_none`` an empty text."""

    words: tuple[str, ...]
    or_none: bool = False

    @property
    def allowed(self) -> Sentence:
        return asks("words" if len(self.words) > 1 else "one-word", words=", ".join(self.words))

    def read(self, value: Any, path: Path, findings: Findings) -> str:
        if isinstance(value, str) and (value in self.words or (self.or_none and not value)):
            return str(value)
        return str(self.refuse(value, path, findings, words=self.words))

    def stand_in(self, spot: Spot) -> str:
        return "" if self.or_none else self.words[0]

    def schema(self, defined: JsonSchema) -> JsonSchema:
        return {"enum": list(self.words)}


def _check_length(form: ListForm | MapForm, value: Any, path: Path, findings: Findings) -> None:
    """Notes that there are too few or too many entries."""
    least = form.least or 0
    if not least <= len(value) <= form.most:
        key = "at-least-entries" if len(value) < least else "at-most-entries"
        wrong = asks(key, least=least, most=form.most)
        findings.faults.append(FormFault(path=path, found=value, allowed=wrong))


class ListForm(Form, frozen=True):
    """A list of so many alike, kept as a ``sort`` of sequence."""

    each: Form
    least: int | None = None
    most: int = UNLIMITED
    sort: type[list[Any]] | type[tuple[Any, ...]] = list
    allowed: Sentence = asks("list")

    def read(self, value: Any, path: Path, findings: Findings) -> Sequence[Any]:
        if not isinstance(value, list | tuple):
            return self.sort(self.refuse(value, path, findings))
        _check_length(self, value, path, findings)
        if not value:
            return self.stand_in(Spot(findings.document, path))
        each, value = self.each, value[: self.most]
        read = [each.read(inner, (*path, index), findings) for index, inner in enumerate(value)]
        return read if self.sort is list else tuple(read)

    def stand_in(self, spot: Spot) -> Sequence[Any]:
        return self.sort(self.each.stand_in(spot.at(index)) for index in range(self.least or 0))

    def schema(self, defined: JsonSchema) -> JsonSchema:
        limits = _limits("Items", self.least, self.most)
        return {"type": "array", "items": self.each.schema(defined), **limits}


class RowForm(Form, frozen=True):
    """A list of a known length, each entry of its own form; of it ``least`` must be given."""

    each: tuple[Form, ...]
    least: int | None = None
    allowed: Sentence = asks("row")

    def read(self, value: Any, path: Path, findings: Findings) -> Sequence[Any]:
        most = len(self.each)
        least = most if self.least is None else self.least
        if not isinstance(value, list | tuple):
            return tuple(self.refuse(value, path, findings))
        if not least <= len(value) <= most:
            length = asks("most-entries" if least == most else "at-most-entries", most=most)
            return tuple(self.refuse(value, path, findings, allowed=length))
        pairs = enumerate(zip(self.each, value, strict=False))
        return tuple([form.read(inner, (*path, i), findings) for i, (form, inner) in pairs])

    def stand_in(self, spot: Spot) -> tuple[Any, ...]:
        return tuple(form.stand_in(spot.at(index)) for index, form in enumerate(self.each))

    def schema(self, defined: JsonSchema) -> JsonSchema:
        entries = [form.schema(defined) for form in self.each]
        least = len(entries) if self.least is None else self.least
        limits = {"minItems": least, "maxItems": len(entries)}
        return {"type": "array", "prefixItems": entries, **limits}


class MapForm(Form, frozen=True):
    """A mapping of so many keys that are free; a faulty one is left out."""

    keys: Form
    values: Form
    least: int | None = None
    most: int = UNLIMITED
    allowed: Sentence = asks("keys")

    def read(self, value: Any, path: Path, findings: Findings) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            return dict(self.refuse(value, path, findings))
        _check_length(self, value, path, findings)
        known = {}
        for key, inner in value.items():
            below = (*path, key)
            own = Findings(findings.document, of_keys=True)
            name = str(self.keys.read(key, below, own))
            for fault in own.faults:
                fault.sort = "key"
            findings.add(own)
            read = self.values.read(inner, below, findings)
            if not own.faults:
                known[name] = read
        return known

    def stand_in(self, spot: Spot) -> dict[str, Any]:
        return {}

    def schema(self, defined: JsonSchema) -> JsonSchema:
        values, names = self.values.schema(defined), self.keys.schema(defined)
        free = {"propertyNames": names} if {"pattern", "enum"} & names.keys() else {}
        limits = _limits("Properties", self.least, self.most)
        return {"type": "object", "additionalProperties": values, **free, **limits}


class UnionForm(Form, frozen=True):
    """Whatever reads without a fault as one of some forms."""

    forms: tuple[Form, ...]

    @property
    def allowed(self) -> Sentence:
        allowed = (form.allowed for form in self.forms)
        return reduce(lambda one, other: asks("either", one=one, other=other), allowed)

    def read(self, value: Any, path: Path, findings: Findings) -> Any:
        for form in self.forms:
            own = Findings(findings.document, of_keys=findings.of_keys)
            read = form.read(value, path, own)
            if not own.faults or own.faults[0].path != path:  # if wrong, then somewhere inside
                findings.add(own)
                return read
        return self.refuse(value, path, findings)

    def stand_in(self, spot: Spot) -> Any:
        return self.forms[0].stand_in(spot)

    def schema(self, defined: JsonSchema) -> JsonSchema:
        return {"anyOf": [form.schema(defined) for form in self.forms]}


class WrappingForm(Form, frozen=True):
    """A form that does something more with what another reads."""

    form: Form

    @property
    def allowed(self) -> Sentence:
        return self.form.allowed

    def stand_in(self, spot: Spot) -> Any:
        return self.form.stand_in(spot)


class ShortForm(WrappingForm, frozen=True):
    """A form that may be written shorter, as the value of its first key or entry."""

    short: Short

    def read(self, value: Any, path: Path, findings: Findings) -> Any:
        complete = self.short.complete(value)
        before = len(findings.faults)
        read = self.form.read(complete, path, findings)
        if complete is not value:
            for fault in findings.faults[before:]:
                fault.path = (*path, *fault.path[len(path) + 1 :])
        return read

    def schema(self, defined: JsonSchema) -> JsonSchema:
        full, short = self.form.schema(defined), self.short.json_schema
        return {"anyOf": [short, full]} if short else full


class Key(Struct, frozen=True):
    """A key of a record: what it holds, whether it must be given, what editors and docs say.

    ``name`` is what the record itself calls it.
    """

    form: Form
    name: str
    is_required: bool
    doc: Doc = Doc("")
    shown: Any = None

    @property
    def example(self) -> Sentence | str:
        """How it may be written, for a message."""
        return "" if self.shown is None else sentence("example", "of", value=as_written(self.shown))

    def schema(self, defined: JsonSchema) -> JsonSchema:
        """Return it as JSON Schema."""
        doc = {"description": self.doc} if self.doc.en else {}
        example = {} if self.shown is None else {"examples": [self.shown]}
        return {**doc, **example, **self.form.schema(defined)}


class Fields(Form, frozen=True):
    """A mapping whose keys are those of a record; those without a value count as left out.

    ``own_key`` is the field that gets the key of the mapping around it, where there is one.
    """

    shape: type[Struct]
    keys: Mapping[str, Key]
    own_key: str = ""
    allowed: Sentence = asks("keys")

    def read(self, value: Any, path: Path, findings: Findings) -> Any:
        if not isinstance(value, Mapping):
            return self.refuse(value, path, findings)
        found: dict[str, Any] = {}
        likely: set[str] = set()
        before = len(findings.references)
        for name, inner in value.items():
            key = self.keys.get(name)
            if inner is None:
                continue
            if key is None:
                near = "".join(difflib.get_close_matches(name, self.keys, n=1, cutoff=0.5))
                at, words = (*path, name), tuple(self.keys)
                findings.faults.append(FormFault(path=at, sort="unknown", words=words, likely=near))
                likely.add(near)
                continue
            found[key.name] = self._value(key, inner, (*path, name), findings)
        spot = Spot(findings.document, path)
        for name, key in self.keys.items():
            if key.is_required and key.name not in found:
                found[key.name] = key.form.stand_in(spot.at(name))
                if name not in likely:
                    missing = FormFault(path=(*path, name), sort="missing", example=key.example)
                    findings.faults.append(missing)
        record = self._made(found, spot)
        if isinstance(record, Record):
            findings.references += record.refers()
            findings.references[before:] = [
                one._replace(sort=record.field_sort) if one.sort == OF_CARDS else one
                for one in findings.references[before:]
                if one.name not in record.made_up
            ]
        return record

    def _value(self, key: Key, value: Any, path: Path, findings: Findings) -> Any:
        """Return what stands at a key; its example goes with faults that are not at a key
        within."""
        before = len(findings.faults)
        read = key.form.read(value, path, findings)
        for fault in findings.faults[before:]:
            if not any(isinstance(step, str) for step in fault.path[len(path) :]):
                fault.example = key.example
        return read

    def _made(self, found: dict[str, Any], spot: Spot) -> Struct:
        if self.own_key:
            found[self.own_key] = spot.key
        return self.shape(**found, **({"spot": spot} if issubclass(self.shape, Record) else {}))

    def stand_in(self, spot: Spot) -> Struct:
        needed = [(name, key) for name, key in self.keys.items() if key.is_required]
        found = {key.name: key.form.stand_in(spot.at(name)) for name, key in needed}
        return self._made(found, spot)

    def schema(self, defined: JsonSchema) -> JsonSchema:
        name = self.shape.__name__
        if name not in defined:
            defined[name] = {}  # known before its keys are, which may hold it again
            defined[name] = self.whole_schema(defined)
        return {"$ref": f"#/$defs/{name}"}

    def whole_schema(self, defined: JsonSchema) -> JsonSchema:
        """Return its keys themselves, not where they are defined."""
        return {
            "type": "object",
            "description": in_both_languages(getdoc(self.shape) or ""),
            "properties": {name: key.schema(defined) for name, key in self.keys.items()},
            "required": [name for name, key in self.keys.items() if key.is_required],
            "additionalProperties": False,
        }


def _limits(of: str, least: int | None, most: int) -> JsonSchema:
    limits = {f"min{of}": least, f"max{of}": None if most == UNLIMITED else most}
    return {name: limit for name, limit in limits.items() if limit is not None}


# -- which form a record asks for -----------------------------------------------------------------

_FIELDS: dict[type[Struct], Fields] = {}
_MAKING = RLock()


def fields_of(shape: type[Struct]) -> Fields:
    """Return the form of a record, which may hold others of itself."""
    with _MAKING:
        if shape not in _FIELDS:
            keys: dict[str, Key] = {}
            each = [(field, _metas(field.type)) for field in structs.fields(shape)]
            inner = {f.name: m for f, metas in each for m in metas if isinstance(m, Inner)}
            own_key = "".join(name for name, meta in inner.items() if meta.own_key)
            _FIELDS[shape] = Fields(shape, keys, own_key)
            keys |= {f.encode_name: _key(f, metas) for f, metas in each if f.name not in inner}
        return _FIELDS[shape]


def files_of(game: type[Struct]) -> dict[str, File]:
    """Return the files of what a game holds, by its fields."""
    each = ((field.name, _metas(field.type)) for field in structs.fields(game))
    return {name: meta for name, metas in each for meta in metas if isinstance(meta, File)}


def _key(field: structs.FieldInfo, metas: Iterable[Any]) -> Key:
    doc, example = Doc(""), None
    for meta in metas:
        if isinstance(meta, Meta) and meta.examples:
            example = meta.examples[0]
        elif isinstance(meta, Doc):
            doc, example = meta, example if meta.example is None else meta.example
    return Key(form_of(field.type), field.name, field.required, doc, example)


def _metas(annotation: Any) -> tuple[Any, ...]:
    return annotation.__metadata__ if get_origin(annotation) is Annotated else ()


def form_of(annotation: Any) -> Form:
    """Return the form that an annotation of a record asks for."""
    metas = _metas(annotation)
    form = _bare_form(get_args(annotation)[0] if metas else annotation, metas)
    for meta in metas:
        if isinstance(meta, Short):
            form = ShortForm(form, meta)
    return form


def _bare_form(bare: Any, metas: Iterable[Any]) -> Form:
    names = ("ge", "le", "min_length", "max_length", "pattern", "extra")
    given = [
        (name, getattr(meta, name)) for meta in metas if isinstance(meta, Meta) for name in names
    ]
    limits = {name: limit for name, limit in given if limit is not None}
    lengths = limits.get("min_length"), limits.get("max_length", UNLIMITED)
    if bare is str:
        pattern = re.compile(limits["pattern"]) if "pattern" in limits else None
        allowed = asks(limits.get("extra", {}).get("allowed", "text"))
        ref = next((meta for meta in metas if isinstance(meta, Ref)), None)
        return TextForm(*lengths, pattern, allowed, ref)
    if bare in (int, float):
        if not {"ge", "le"} <= limits.keys():
            raise TypeError("A number in a record has a least and a most: Meta(ge=…, le=…).")
        return NumberForm(bare is int, limits["ge"], limits["le"])
    if bare in (bool, Any):
        return BoolForm() if bare is bool else Form()
    if isinstance(bare, type) and issubclass(bare, Struct):
        return fields_of(bare)
    return _made_of(bare, *lengths)


def _made_of(bare: Any, least: int | None, most: int) -> Form:
    """Return the form of a type that is made of others."""
    origin, inner = get_origin(bare), get_args(bare)
    if origin is Literal:
        return ChoiceForm(inner)
    if origin is list or inner[1:] == (Ellipsis,):
        sort = list if origin is list else tuple
        return ListForm(form_of(inner[0]), least, most, sort)
    if origin is tuple:
        return RowForm(tuple(map(form_of, inner)))
    if origin in (dict, Mapping):
        return MapForm(form_of(inner[0]), form_of(inner[1]))
    if origin in (Union, UnionType):
        arms = tuple(form_of(arm) for arm in inner if arm is not NoneType)
        return arms[0] if len(arms) == 1 else UnionForm(arms)
    raise TypeError(f"A record cannot hold {bare!r}.")


# -- documents, and their faults in plain words ---------------------------------------------------


def shaped(shape: type[S], document: Document) -> tuple[S, list[Problem], Sequence[Reference]]:
    """Return a document in its shape, what is wrong with it, and what it refers to."""
    findings = Findings(document)
    read: S = fields_of(shape).read(document.value, (), findings)
    faults = findings.faults
    problems = [problem_of(fault, document) for fault in faults[:MAX_FAULTS]]
    if len(faults) > MAX_FAULTS:
        problems.append(
            problem_at(
                document.where,
                "SRC-VALUE",
                "faults-first-shown",
                count=len(faults),
                max_faults=MAX_FAULTS,
            )
        )
    likely = {(*fault.path[:-1], fault.likely) for fault in faults if fault.likely}
    document.repaired = frozenset(likely | {fault.path for fault in faults})
    return read, problems, findings.references


def described(value: Any) -> Sentence | str:
    """Return what was found, short enough for a message."""
    if value is None:
        return sentence("found", "nothing")
    if isinstance(value, Mapping):
        return sentence("found", "keys", words=listed(value, 4)) if value else "{}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return sentence("found", "list", count=len(value))
    return quoted(str(value))


# What may stand where several things are to.
_COLLECTIONS = (
    "keys", "some-keys", "these-keys", "most-keys",
    "list", "row", "some-list", "most-list", "list-of",
)  # fmt: skip


def problem_of(fault: FormFault, document: Document) -> Problem:
    """Return what is wrong in a document, as people read it."""
    path, place = fault.path, Spot(document).place
    if fault.sort == "missing":
        at = place(*path[:-1])
        return problem_at(at, "SRC-KEY", "missing-key", name=path[-1], example=fault.example)
    at = place(*path, key=fault.sort != "value")
    if fault.sort == "unknown":
        name = str(path[-1])
        found, near = quoted(name), nearest(name, fault.words)
        return wide_sign(name, at, "\u3000") or problem_at(
            at, "SRC-KEY", "key-unknown", found=found, nearest=near
        )
    text = fault.found if isinstance(fault.found, str) and "\n" not in fault.found else ""
    if fault.allowed.key in _COLLECTIONS and (problem := wide_sign(text, at)):
        return problem
    near = nearest(str(fault.found), fault.words) if fault.words else fault.example
    if isinstance(near, Sentence) and near.key == "all":
        near = ""  # what is allowed names them already
    if isinstance(fault.found, Table | Items) and fault.allowed == asks("text"):
        near = sentence("example", "in-quotes")
    if not path and isinstance(fault.found, Items) and fault.allowed.key == "keys":
        near = sentence("example", "no-list")
    names = ["", *(step for step in path if isinstance(step, str))]
    called: Sentence | str = names[-1]
    if names[-1] and isinstance(path[-1], int):
        called = sentence("found", "entry", name=names[-1], number=path[-1] + 1)
    return problem_at(
        at,
        "SRC-VALUE",
        "value" if called else "whole-value",
        name=called,
        found=described(fault.found),
        allowed=fault.allowed,
        help=near,
    )
