"""Plain values read into shapes, with everything that is wrong with them.

A form's ``read`` makes of what a file spells (``3``, ``true``) what a shape holds. Where it cannot,
it notes a ``FormFault`` and gives a ``stand_in``, so that reading goes on and finds what is wrong
elsewhere. Stand-ins name nothing, so that they never echo.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from threading import RLock
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    Protocol,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
)

from msgspec import Meta, Struct, field, structs

from exporter.core.messages import (
    Sentence,
    asks,
    sentence,
)
from exporter.core.problems import (
    UNREADABLE,
    as_written,
)
from exporter.model.document_places import (
    NOWHERE,
    Document,
    Path,
    Reference,
    Spot,
)
from exporter.model.shape import (
    Doc,
    File,
    Inner,
    Record,
    Ref,
    Short,
)
from exporter.model.spelling import (
    half_width,
    truth,
    whole_number,
)

T = TypeVar("T", covariant=True)

UNLIMITED = 1_000_000
"""No file holds more characters or entries."""

_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")


class FormFault(Struct, kw_only=True):
    """Something wrong at ``path`` below the value that is read.

    A ``missing`` or ``unknown`` key is the last step of its path, a wrong ``key`` of a mapping too;
    ``words`` are those that may stand there, ``meant`` is the one that somebody will have meant.
    """

    path: Path
    sort: Literal["value", "key", "missing", "unknown"] = "value"
    found: Any = None
    allowed: Sentence = field(default_factory=lambda: asks("anything"))
    words: Sequence[str] = ()
    meant: str = ""
    example: Sentence | str = ""


class Findings(Struct):
    """What comes to light while a document is read: its faults, and what it refers to.

    With ``of_keys`` it is keys that refer.
    """

    document: Document = field(default_factory=lambda: NOWHERE)
    faults: list[FormFault] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    of_keys: bool = False

    def aside(self, *, of_keys: bool = False) -> Findings:
        """Findings in the same document that do not count yet."""
        return Findings(self.document, of_keys=of_keys)

    def refer(self, sort: str, name: str, path: Path) -> None:
        """Notes that something is named at ``path``."""
        where = Spot(self.document).place(*path, key=self.of_keys)
        self.references.append(Reference(sort, name, where))

    def add(self, others: Findings) -> None:
        """Lets the findings of a part count."""
        self.faults += others.faults
        self.references += others.references


class _Form(Protocol[T]):
    @property
    def allowed(self) -> Sentence: ...

    def stand_in(self, spot: Spot) -> T: ...


def _refused(
    form: _Form[T], value: Any, path: Path, findings: Findings, allowed: Sentence | None = None
) -> T:
    """Notes that ``value`` is none of ``form``, and gives a stand-in."""
    findings.faults.append(FormFault(path=path, found=value, allowed=allowed or form.allowed))
    return form.stand_in(Spot(findings.document, path))


class TextForm(Struct, frozen=True):
    """A text of so many characters, or of a pattern that ``allowed`` describes.

    It may be the name of something of the sort that it ``names``.
    """

    least: int = 0
    most: int = UNLIMITED
    pattern: re.Pattern[str] | None = None
    allowed: Sentence = asks("text")
    names: str = ""

    def read(self, value: Any, path: Path, findings: Findings) -> str:
        if not isinstance(value, str):
            wrong = asks("text")
        elif len(value) < self.least:
            wrong = asks("some-text")
        elif len(value) > self.most:
            wrong = asks("most-characters", most=self.most)
        elif self.pattern is not None and not self.pattern.fullmatch(value):
            wrong = self.allowed
        else:
            text = value if type(value) is str else str(value)
            if self.names:
                findings.refer(self.names, text, path)
            return text
        return _refused(self, value, path, findings, wrong)

    def stand_in(self, spot: Spot) -> str:
        return UNREADABLE


class NumberForm(Struct, frozen=True):
    """A number within limits, whole or not."""

    whole: bool
    least: float
    most: float

    @property
    def allowed(self) -> Sentence:
        return asks("whole-number-such" if self.whole else "number-such")

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
        return _refused(self, value, path, findings, wrong)

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


class Truth(Struct, frozen=True):
    """Yes or no."""

    allowed: Sentence = asks("truth")

    def read(self, value: Any, path: Path, findings: Findings) -> bool:
        meant = truth(value) if isinstance(value, str) else value
        return meant if isinstance(meant, bool) else _refused(self, value, path, findings)

    def stand_in(self, spot: Spot) -> bool:
        return False


class ChoiceForm(Struct, frozen=True):
    """One of some words."""

    words: tuple[str, ...]

    @property
    def allowed(self) -> Sentence:
        return asks("words" if len(self.words) > 1 else "one-word", words=", ".join(self.words))

    def read(self, value: Any, path: Path, findings: Findings) -> str:
        if isinstance(value, str) and value in self.words:
            return str(value)
        findings.faults.append(
            FormFault(path=path, found=value, allowed=self.allowed, words=self.words)
        )
        return self.words[0]

    def stand_in(self, spot: Spot) -> str:
        return self.words[0]


class ListForm(Struct, frozen=True):
    """A list of so many alike, kept as a ``sort`` of sequence."""

    each: Form
    least: int = 0
    most: int = UNLIMITED
    sort: type[list[Any]] | type[tuple[Any, ...]] = list
    allowed: Sentence = asks("list")

    def read(self, value: Any, path: Path, findings: Findings) -> Sequence[Any]:
        if not isinstance(value, list):
            return _refused(self, value, path, findings)
        if not self.least <= len(value) <= self.most:
            few = len(value) < self.least
            key = "least-entries" if few else "most-entries"
            wrong = asks(key, least=self.least, most=self.most)
            findings.faults.append(FormFault(path=path, found=value, allowed=wrong))
            if not value:
                return self.stand_in(Spot(findings.document, path))
            value = value[: self.most]
        each = self.each
        read = [each.read(inner, (*path, index), findings) for index, inner in enumerate(value)]
        return read if self.sort is list else tuple(read)

    def stand_in(self, spot: Spot) -> Sequence[Any]:
        return self.sort(self.each.stand_in(spot.at(index)) for index in range(self.least))


class RowForm(Struct, frozen=True):
    """A list of a known length, each entry of its own form."""

    each: tuple[Form, ...]
    allowed: Sentence = asks("row")

    def read(self, value: Any, path: Path, findings: Findings) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple) or len(value) != len(self.each):
            length = asks("most-entries", most=len(self.each))
            wrong = length if isinstance(value, list | tuple) else None
            return _refused(self, value, path, findings, wrong)
        pairs = enumerate(zip(self.each, value, strict=True))
        return tuple([form.read(inner, (*path, i), findings) for i, (form, inner) in pairs])

    def stand_in(self, spot: Spot) -> tuple[Any, ...]:
        return tuple(form.stand_in(spot.at(index)) for index, form in enumerate(self.each))


class MapForm(Struct, frozen=True):
    """A mapping whose keys are free; a faulty one is left out."""

    keys: Form
    values: Form
    allowed: Sentence = asks("keys")

    def read(self, value: Any, path: Path, findings: Findings) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            return _refused(self, value, path, findings)
        known = {}
        for key, inner in value.items():
            below = (*path, key)
            own = findings.aside(of_keys=True)
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
        return "" if self.shown is None else sentence("example", "of", value=as_written(self.shown))


class Fields(Struct, frozen=True):
    """A mapping whose keys are those of a record; those without a value count as left out.

    ``own_key`` is the field that gets the key of the mapping around it, where there is one.
    """

    shape: type[Struct]
    keys: Mapping[str, Key]
    own_key: str = ""
    allowed: Sentence = asks("keys")

    def read(self, value: Any, path: Path, findings: Findings) -> Any:
        if not isinstance(value, Mapping):
            return _refused(self, value, path, findings)
        found: dict[str, Any] = {}
        meant: set[str] = set()
        for name, inner in value.items():
            key = self.keys.get(name)
            if inner is None:
                continue
            if key is None:
                meant.add(self._unknown(name, path, findings))
                continue
            found[key.name] = self._value(key, inner, (*path, name), findings)
        spot = Spot(findings.document, path)
        for name, key in self.keys.items():
            if key.is_required and key.name not in found:
                found[key.name] = key.form.stand_in(spot.at(name))
                if name not in meant:
                    below = (*path, name)
                    fault = FormFault(path=below, sort="missing", example=key.example)
                    findings.faults.append(fault)
        record = self._made(found, spot)
        if isinstance(record, Record):
            findings.references += record.refers()
        return record

    def _value(self, key: Key, value: Any, path: Path, findings: Findings) -> Any:
        """What stands at a key; its example goes with faults that are not at a key within."""
        before = len(findings.faults)
        read = key.form.read(value, path, findings)
        for fault in findings.faults[before:]:
            if not any(isinstance(step, str) for step in fault.path[len(path) :]):
                fault.example = key.example
        return read

    def _unknown(self, name: str, path: Path, findings: Findings) -> str:
        """Notes a key that no such record has; the one that was meant, if any is near."""
        meant = "".join(difflib.get_close_matches(name, self.keys, n=1, cutoff=0.5))
        words = tuple(self.keys)
        findings.faults.append(
            FormFault(path=(*path, name), sort="unknown", words=words, meant=meant)
        )
        return meant

    def _made(self, found: dict[str, Any], spot: Spot) -> Struct:
        if self.own_key:
            found[self.own_key] = spot.key
        return self.shape(**found, **({"spot": spot} if issubclass(self.shape, Record) else {}))

    def stand_in(self, spot: Spot) -> Struct:
        needed = [(name, key) for name, key in self.keys.items() if key.is_required]
        found = {key.name: key.form.stand_in(spot.at(name)) for name, key in needed}
        return self._made(found, spot)


class Either(Struct, frozen=True):
    """Whatever reads without a fault as one of some forms."""

    forms: tuple[Form, ...]

    @property
    def allowed(self) -> Sentence:
        allowed = (form.allowed for form in self.forms)
        return reduce(lambda one, other: asks("either", one=one, other=other), allowed)

    def read(self, value: Any, path: Path, findings: Findings) -> Any:
        for form in self.forms:
            own = findings.aside(of_keys=findings.of_keys)
            read = form.read(value, path, own)
            if not own.faults or own.faults[0].path != path:  # if wrong, then somewhere inside
                findings.add(own)
                return read
        return _refused(self, value, path, findings)

    def stand_in(self, spot: Spot) -> Any:
        return self.forms[0].stand_in(spot)


class Anything(Struct, frozen=True):
    """Any value as it is."""

    allowed: Sentence = asks("anything")

    def read(self, value: Any, path: Path, findings: Findings) -> Any:
        return value

    def stand_in(self, spot: Spot) -> Any:
        return UNREADABLE


class Completed(Struct, frozen=True):
    """A form that may be written shorter, as the value of its first key or entry."""

    short: Short
    form: Form

    @property
    def allowed(self) -> Sentence:
        return self.form.allowed

    def read(self, value: Any, path: Path, findings: Findings) -> Any:
        complete = self.short.complete(value)
        before = len(findings.faults)
        read = self.form.read(complete, path, findings)
        if complete is not value:
            for fault in findings.faults[before:]:
                fault.path = (*path, *fault.path[len(path) + 1 :])
        return read

    def stand_in(self, spot: Spot) -> Any:
        return self.form.stand_in(spot)


Form: TypeAlias = (
    TextForm
    | NumberForm
    | Truth
    | ChoiceForm
    | ListForm
    | RowForm
    | MapForm
    | Fields
    | Either
    | Anything
    | Completed
)


_FIELDS: dict[type[Struct], Fields] = {}


_MAKING = RLock()


def fields_of(shape: type[Struct]) -> Fields:
    """The form of a record, which may hold others of itself."""
    with _MAKING:
        if shape not in _FIELDS:
            keys: dict[str, Key] = {}
            each = [(field, _metas(field.type)) for field in structs.fields(shape)]
            inner = [(f, meta) for f, metas in each for meta in metas if isinstance(meta, Inner)]
            own_key = "".join(field.name for field, meta in inner if meta.own_key)
            _FIELDS[shape] = Fields(shape, keys, own_key)
            kept = {field.name for field, _meta in inner}
            keys |= {f.encode_name: _key(f, metas) for f, metas in each if f.name not in kept}
        return _FIELDS[shape]


def files_of(game: type[Struct]) -> dict[str, File]:
    """The files of what a game holds, by its fields."""
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
    """The form that an annotation of a record asks for."""
    metas = _metas(annotation)
    form = _bare_form(get_args(annotation)[0] if metas else annotation, metas)
    for meta in metas:
        if isinstance(meta, Short):
            form = Completed(meta, form)
    return form


def _bare_form(bare: Any, metas: Iterable[Any]) -> Form:
    names = ("ge", "le", "min_length", "max_length", "pattern", "extra")
    given = [
        (name, getattr(meta, name)) for meta in metas if isinstance(meta, Meta) for name in names
    ]
    limits = {name: limit for name, limit in given if limit is not None}
    lengths = limits.get("min_length", 0), limits.get("max_length", UNLIMITED)
    if bare is str:
        pattern = re.compile(limits["pattern"]) if "pattern" in limits else None
        allowed = asks(limits.get("extra", {}).get("allowed", "text"))
        sort = "".join(meta.sort for meta in metas if isinstance(meta, Ref))
        return TextForm(*lengths, pattern, allowed, sort)
    if bare in (int, float):
        if not {"ge", "le"} <= limits.keys():
            raise TypeError("A number in a record has a least and a most: Meta(ge=…, le=…).")
        return NumberForm(bare is int, limits["ge"], limits["le"])
    if bare is bool:
        return Truth()
    if bare is Any:
        return Anything()
    if isinstance(bare, type) and issubclass(bare, Struct):
        return fields_of(bare)
    return _made_of(bare, lengths)


def _made_of(bare: Any, lengths: tuple[int, int]) -> Form:
    """The form of a type that is made of others."""
    origin, inner = get_origin(bare), get_args(bare)
    if origin is Literal:
        return ChoiceForm(inner)
    if origin is list or inner[1:] == (Ellipsis,):
        return ListForm(form_of(inner[0]), *lengths, list if origin is list else tuple)
    if origin is tuple:
        return RowForm(tuple(map(form_of, inner)))
    if origin in (dict, Mapping):
        return MapForm(form_of(inner[0]), form_of(inner[1]))
    if origin in (Union, UnionType):
        arms = tuple(form_of(arm) for arm in inner if arm is not NoneType)
        return arms[0] if len(arms) == 1 else Either(arms)
    raise TypeError(f"A record cannot hold {bare!r}.")
