"""Plain values read into shapes, with everything that is wrong with them.

A form's ``read`` makes of what a file spells (``3``, ``true``) what a shape holds. Where it cannot,
it notes a ``Fault`` and gives a ``stand_in``, so that reading goes on and finds what is wrong
elsewhere. Stand-ins name nothing, so that they never echo.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from exporter.model.fields import truth, whole_number
from exporter.problems import UNREADABLE, as_written
from exporter.schema.shape import Shape, Short

T = TypeVar("T", covariant=True)

UNLIMITED = 1_000_000
"""No file holds more characters or entries."""

Path: TypeAlias = tuple[int | str, ...]

_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")


class Fault(Struct, kw_only=True):
    """Something wrong at ``path`` below the value that is read.

    A ``missing`` or ``unknown`` key is the last step of its path, a wrong ``key`` of a mapping too;
    ``words`` are those that may stand there, ``meant`` is the one that somebody will have meant.
    """

    path: Path
    sort: Literal["value", "key", "missing", "unknown"] = "value"
    found: Any = None
    allowed: str = ""
    words: Sequence[str] = ()
    meant: str = ""
    example: str = ""


class _Form(Protocol[T]):
    @property
    def allowed(self) -> str: ...

    def stand_in(self) -> T: ...


def _refused(form: _Form[T], value: Any, path: Path, faults: list[Fault], allowed: str = "") -> T:
    """Notes that ``value`` is none of ``form``, and gives a stand-in."""
    faults.append(Fault(path=path, found=value, allowed=allowed or form.allowed))
    return form.stand_in()


class Text(Struct, frozen=True):
    """A text of so many characters, or of a pattern that ``allowed`` describes."""

    least: int = 0
    most: int = UNLIMITED
    pattern: re.Pattern[str] | None = None
    allowed: str = "a text"

    def read(self, value: Any, path: Path, faults: list[Fault]) -> str:
        if not isinstance(value, str):
            wrong = "a text"
        elif len(value) < self.least:
            wrong = "a text that is not empty"
        elif len(value) > self.most:
            wrong = f"at most {self.most} characters"
        elif self.pattern is not None and not self.pattern.fullmatch(value):
            wrong = self.allowed
        else:
            return value if type(value) is str else str(value)
        return _refused(self, value, path, faults, wrong)

    def stand_in(self) -> str:
        return UNREADABLE


class Number(Struct, frozen=True):
    """A number within limits, whole or not."""

    whole: bool
    least: float
    most: float

    @property
    def allowed(self) -> str:
        return "a whole number, such as 3" if self.whole else "a number, such as 2.5"

    def read(self, value: Any, path: Path, faults: list[Fault]) -> float:
        number = self._number(value)
        if number is None:
            wrong = self.allowed
        elif number < self.least:
            wrong = f"at least {self.least:g}"
        elif number > self.most:
            wrong = f"at most {self.most:.10g}"
        else:
            return number
        return _refused(self, value, path, faults, wrong)

    def _number(self, value: Any) -> float | None:
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str):
            return None
        if self.whole:
            return whole_number(value)
        text = value.strip()
        return float(text) if _DECIMAL.fullmatch(text) else None

    def stand_in(self) -> float:
        return min(max(self.least, 1), self.most)


class Truth(Struct, frozen=True):
    """Yes or no."""

    allowed: str = "true or false"

    def read(self, value: Any, path: Path, faults: list[Fault]) -> bool:
        meant = truth(value) if isinstance(value, str) else value
        return meant if isinstance(meant, bool) else _refused(self, value, path, faults)

    def stand_in(self) -> bool:
        return False


class Choice(Struct, frozen=True):
    """One of some words."""

    words: tuple[str, ...]

    @property
    def allowed(self) -> str:
        return ", ".join(self.words) if len(self.words) > 1 else f"the word {self.words[0]}"

    def read(self, value: Any, path: Path, faults: list[Fault]) -> str:
        if isinstance(value, str) and value in self.words:
            return str(value)
        faults.append(Fault(path=path, found=value, allowed=self.allowed, words=self.words))
        return self.words[0]

    def stand_in(self) -> str:
        return self.words[0]


class Items(Struct, frozen=True):
    """A list of so many alike."""

    each: Form
    least: int = 0
    most: int = UNLIMITED
    allowed: str = "a list, such as [a, b]"

    def read(self, value: Any, path: Path, faults: list[Fault]) -> list[Any]:
        if not isinstance(value, list):
            return _refused(self, value, path, faults)
        if not self.least <= len(value) <= self.most:
            few = len(value) < self.least
            wrong = f"at least {self.least} entries" if few else f"{self.most} entries"
            faults.append(Fault(path=path, found=value, allowed=wrong))
            value = value[: self.most] if value else self.stand_in()
        each = self.each
        return [each.read(inner, (*path, index), faults) for index, inner in enumerate(value)]

    def stand_in(self) -> list[Any]:
        return [self.each.stand_in()] * self.least


class Row(Struct, frozen=True):
    """A list of a known length, each entry of its own form."""

    each: tuple[Form, ...]
    allowed: str = "a list, such as [1, 2]"

    def read(self, value: Any, path: Path, faults: list[Fault]) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple) or len(value) != len(self.each):
            wrong = f"{len(self.each)} entries" if isinstance(value, list | tuple) else ""
            return _refused(self, value, path, faults, wrong)
        pairs = enumerate(zip(self.each, value, strict=True))
        return tuple([form.read(inner, (*path, i), faults) for i, (form, inner) in pairs])

    def stand_in(self) -> tuple[Any, ...]:
        return tuple(form.stand_in() for form in self.each)


class Table(Struct, frozen=True):
    """A mapping whose keys are free; a faulty one is left out."""

    keys: Form
    values: Form
    allowed: str = "keys with values, such as {a: b}"

    def read(self, value: Any, path: Path, faults: list[Fault]) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            return _refused(self, value, path, faults)
        known = {}
        for key, inner in value.items():
            below = (*path, key)
            wrong: list[Fault] = []
            name = str(self.keys.read(key, below, wrong))
            for fault in wrong:
                fault.sort = "key"
            faults += wrong
            read = self.values.read(inner, below, faults)
            if not wrong:
                known[name] = read
        return known

    def stand_in(self) -> dict[str, Any]:
        return {}


class Key(Struct, frozen=True):
    """A key of a shape: what it holds, whether it must be given, what editors and docs say."""

    form: Form
    is_required: bool
    description: str = ""
    examples: tuple[Any, ...] = ()

    @property
    def example(self) -> str:
        return f"Example: {as_written(self.examples[0])}." if self.examples else ""


class Fields(Struct, frozen=True):
    """A mapping whose keys are those of a shape; those without a value count as left out."""

    shape: type[Shape]
    keys: Mapping[str, Key]
    allowed: str = "keys with values, such as {a: b}"

    def read(self, value: Any, path: Path, faults: list[Fault]) -> Any:
        if not isinstance(value, Mapping):
            return _refused(self, value, path, faults)
        found: dict[str, Any] = {}
        meant: set[str] = set()
        for name, inner in value.items():
            key = self.keys.get(name)
            if inner is None:
                continue
            if key is None:
                close = difflib.get_close_matches(name, self.keys, n=1, cutoff=0.5)
                meant.update(close)
                words, one = tuple(self.keys), "".join(close)
                faults.append(Fault(path=(*path, name), sort="unknown", words=words, meant=one))
                continue
            before = len(faults)
            found[name] = key.form.read(inner, (*path, name), faults)
            for fault in faults[before:]:
                if not any(isinstance(step, str) for step in fault.path[len(path) + 1 :]):
                    fault.example = key.example
        for name, key in self.keys.items():
            if key.is_required and name not in found:
                found[name] = key.form.stand_in()
                if name not in meant:
                    below = (*path, name)
                    faults.append(Fault(path=below, sort="missing", example=key.example))
        return self.shape(**found)

    def stand_in(self) -> Any:
        needed = {name: key for name, key in self.keys.items() if key.is_required}
        return self.shape(**{name: key.form.stand_in() for name, key in needed.items()})


class Either(Struct, frozen=True):
    """Whatever reads without a fault as one of some forms."""

    forms: tuple[Form, ...]

    @property
    def allowed(self) -> str:
        return ", or ".join(form.allowed for form in self.forms)

    def read(self, value: Any, path: Path, faults: list[Fault]) -> Any:
        for form in self.forms:
            wrong: list[Fault] = []
            read = form.read(value, path, wrong)
            if not wrong:
                return read
            if wrong[0].path != path:  # of this sort, with something wrong inside
                faults += wrong
                return read
        return _refused(self, value, path, faults)

    def stand_in(self) -> Any:
        return self.forms[0].stand_in()


class Anything(Struct, frozen=True):
    """Any value as it is."""

    allowed: str = "anything"

    def read(self, value: Any, path: Path, faults: list[Fault]) -> Any:
        return value

    def stand_in(self) -> Any:
        return UNREADABLE


class Completed(Struct, frozen=True):
    """A form that may be written shorter, as the value of its first key or entry."""

    short: Short
    form: Form

    @property
    def allowed(self) -> str:
        return self.form.allowed

    def read(self, value: Any, path: Path, faults: list[Fault]) -> Any:
        complete = self.short.complete(value)
        before = len(faults)
        read = self.form.read(complete, path, faults)
        if complete is not value:
            for fault in faults[before:]:
                fault.path = (*path, *fault.path[len(path) + 1 :])
        return read

    def stand_in(self) -> Any:
        return self.form.stand_in()


Form: TypeAlias = (
    Text | Number | Truth | Choice | Items | Row | Table | Fields | Either | Anything | Completed
)
