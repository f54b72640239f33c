"""Conditions and figures too small for a rule kind, written in data: ``切上(cards / 4)``.

An expression sees named whole numbers, texts and truths, and a few functions; Japanese names work.
Division is exact (``Fraction``), so that only a rounding with a name ever rounds. Whatever could
run long or wide is refused before it runs: attributes, subscripts, loops, powers, long texts.
"""

from __future__ import annotations

import ast
import math
import operator
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

from simpleeval import DEFAULT_OPERATORS, EvalWithCompoundTypes

from exporter.problems import InvalidSource, Problem, Where, nearest

Known: TypeAlias = int | Fraction | str | bool
"""What a name in an expression may stand for."""

LONGEST = 400
BIGGEST = 10**12

_ALLOWED = (
    ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.UAdd,
    ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod,
    ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn,
    ast.IfExp, ast.Call, ast.Name, ast.Load, ast.Constant, ast.Tuple,
)  # fmt: skip


def round_up(value: int | Fraction) -> int:
    """端数切上: the next whole number."""
    return math.ceil(value)


def round_down(value: int | Fraction) -> int:
    """端数切捨: the whole part."""
    return math.floor(value)


def first(words: str) -> str:
    """The first word of a list, which expressions see as ``shot/blade``."""
    if not isinstance(words, str):
        raise ValueError("first needs a list of words")
    return words.partition("/")[0]


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "切上": round_up,
    "切捨": round_down,
    "round_up": round_up,
    "round_down": round_down,
    "min": min,
    "max": max,
    "abs": abs,
    "first": first,
}


def _numbers(operator: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """An operator for numbers only: a text times a number, or with ``%``, grows without bound."""

    def apply(left: Any, right: Any) -> Any:
        if not (isinstance(left, int | Fraction) and isinstance(right, int | Fraction)):
            raise ValueError("only numbers can be reckoned with")
        return operator(left, right)

    return apply


_OPERATORS = {
    **DEFAULT_OPERATORS,
    ast.Add: _numbers(operator.add),
    ast.Div: _numbers(lambda left, right: Fraction(left) / Fraction(right)),
    ast.Mod: _numbers(operator.mod),
    ast.Mult: _numbers(operator.mul),
}
_EVALUATOR = EvalWithCompoundTypes(operators=_OPERATORS, functions=dict(FUNCTIONS), names={})
"""One for all, as it takes longer to make than to ask; it adds to the functions that it gets."""


@lru_cache(maxsize=4096)
def _parsed(text: str) -> ast.expr | str:
    """The tree of an expression, or what is wrong with it."""
    if len(text) > LONGEST:
        return f"it has {len(text)} characters, allowed are {LONGEST}"
    try:
        tree = ast.parse(text.strip(), mode="eval")
        nodes = list(ast.walk(tree))
    except SyntaxError as error:
        return f"it cannot be read at character {error.offset or 1}"
    except (RecursionError, MemoryError, ValueError):
        return "it is nested too deeply or holds an impossible character or number"
    for node in nodes:
        if not isinstance(node, _ALLOWED):
            return f"{type(node).__name__} is not allowed"
        if isinstance(node, ast.Call) and (not isinstance(node.func, ast.Name) or node.keywords):
            return "only the functions " + ", ".join(FUNCTIONS) + " can be called"
        if isinstance(node, ast.Constant) and not isinstance(node.value, int | str):
            return f"{node.value!r} is no whole number or text; write a fraction such as 1 / 2"
        value = node.value if isinstance(node, ast.Constant) else 0
        if isinstance(value, int) and abs(value) > BIGGEST:
            return f"a number is larger than {BIGGEST}"
    return tree.body


@lru_cache(maxsize=4096)
def _asked(text: str) -> tuple[str, ...]:
    tree = _parsed(text)
    if isinstance(tree, str):
        return ()
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return tuple(sorted(names - FUNCTIONS.keys()))


@lru_cache(maxsize=4096)
def names_in(text: str) -> frozenset[str]:
    """The names that an expression asks for; nothing where it cannot be read."""
    return frozenset(_asked(text))


@lru_cache(maxsize=65536)
def _value(
    text: str, values: tuple[Known, ...], _types: tuple[type, ...]
) -> tuple[Known | None, str]:
    """The value over the names asked for, or what is wrong; a field of builds repeats much.

    The types keep 1 and True apart, which are equal.
    """
    tree = _parsed(text)
    if isinstance(tree, str):
        return None, tree
    _EVALUATOR.names = dict(zip(_asked(text), values, strict=True))
    try:
        value: object = _EVALUATOR.eval(text, previously_parsed=tree)
    except ZeroDivisionError:
        return None, "it divides by zero"
    except RecursionError:
        return None, "it is nested too deeply"
    except Exception as error:
        # simpleeval raises whatever the operators raise; all of it is the writer's mistake.
        return None, str(error)[:200] or type(error).__name__
    if isinstance(value, int | Fraction) and not -BIGGEST <= value <= BIGGEST:
        return None, f"the result is larger than {BIGGEST}"
    if isinstance(value, int | Fraction | str):
        return value, ""
    return None, "it gives no number, text or truth"


def as_asked(name: str) -> str:
    """A name as an expression has it: Python reads ＨＰ as HP."""
    return unicodedata.normalize("NFKC", name)


def fault_of(text: str, known: Iterable[str] | None = None) -> tuple[str, str]:
    """What is wrong with an expression before it ever runs, and a hint; two empty texts if nothing.

    ``known`` are the names that it may ask for, if they are known.
    """
    tree = _parsed(text)
    if isinstance(tree, str):
        return tree, ""
    if known is not None:
        names = {as_asked(name) for name in known}
        for name in sorted(names_in(text) - names):
            return f"nothing is called {name!r} here", nearest(name, [*names, *FUNCTIONS])
    return "", ""


def evaluate(text: str, names: Mapping[str, Known], where: Where) -> Known:
    """The value of ``text`` over ``names``.

    Raises ``InvalidSource`` with one located problem for whatever is wrong with it.
    """
    asked, wrong, hint = _asked(text), "", ""
    if any(name not in names for name in asked):
        names = {**{as_asked(name): value for name, value in names.items()}, **names}
    try:
        values = tuple([names[name] for name in asked])
    except KeyError:
        wrong, hint = fault_of(text, names)
    else:
        value, wrong = _value(text, values, tuple(map(type, values)))
        if value is not None:
            return value
    raise InvalidSource([Problem(where, "EXPRESSION", f"{text[:60]!r}: {wrong}.", hint)])


def holds(text: str, names: Mapping[str, Known], where: Where) -> bool:
    """Whether a condition is true; an empty one always is. Raises ``InvalidSource``."""
    return not text or bool(evaluate(text, names, where))


def whole(text: str, names: Mapping[str, Known], where: Where) -> int:
    """The value of ``text`` as a whole number; a truth counts 1, a fraction is a problem."""
    value = evaluate(text, names, where)
    if isinstance(value, str) or value != int(value):
        message = f"{text[:60]!r} gives {value!s}, a whole number is needed."
        raise InvalidSource([Problem(where, "EXPRESSION", message, "Round it with 切上 or 切捨.")])
    return int(value)
