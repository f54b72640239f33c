"""Conditions and figures too small for a rule kind, written in data: ``切上(cards / 4)``.

An expression sees named whole numbers, texts and truths, and a few functions; Japanese names work.
Division is exact (``Fraction``), so that only a rounding with a name ever rounds. Whatever could
run long or wide is refused before it runs: attributes, subscripts, loops, powers, long texts.
"""

from __future__ import annotations

import ast
import keyword
import math
import operator
import re
import threading
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

from simpleeval import DEFAULT_OPERATORS, EvalWithCompoundTypes

from exporter.core.messages import (
    Sentence,
    sentence,
)
from exporter.core.problems import (
    InvalidSource,
    Problem,
    SourceLocation,
    as_written,
    error_at,
    nearest,
    problem_at,
)

# What a name in an expression may stand for.
Known: TypeAlias = int | Fraction | str | bool

LONGEST = 400
BIGGEST = 10**12

_ALLOWED = (
    ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.UAdd,
    ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod,
    ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn,
    ast.IfExp, ast.Call, ast.Name, ast.Load, ast.Constant, ast.Tuple,
)  # fmt: skip


_SIGNS: Mapping[type[ast.AST], str] = {
    ast.Pow: "**", ast.LShift: "<<", ast.RShift: ">>", ast.BitOr: "|", ast.BitAnd: "&",
    ast.BitXor: "^", ast.MatMult: "@", ast.Invert: "~", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip


class _Refused(Exception):
    """What an expression asks for that there is not."""

    def __init__(self, key: str, **values: object) -> None:
        self.wrong = _wrong(key, **values)
        super().__init__(key)


def _wrong(key: str, **values: object) -> Sentence:
    kept = {
        name: value[:200] if isinstance(value, str) else value for name, value in values.items()
    }
    return sentence("in-expression", key, **kept)


def as_formula_text(value: object) -> str:
    """Write a value as data have it."""
    if isinstance(value, tuple):
        return f"({', '.join(map(as_formula_text, value))})"
    return as_written(value, quoted=True)


def _numbers(*values: object) -> bool:
    return all(isinstance(one, int | Fraction) for one in values)


def _alike(*values: object) -> bool:
    return _numbers(*values) or all(isinstance(one, str) for one in values)


def _contains(left: object, right: object) -> bool:
    return isinstance(right, tuple) or (isinstance(right, str) and isinstance(left, str))


def _operator(
    sign: str,
    apply: Callable[..., Any],
    fits: Callable[..., bool] = _numbers,
    wrong: str = "not-numbers",
) -> Callable[..., Any]:
    """Make an operator for values that fit: a text times a number, or with ``%``, would grow
    without bound."""

    def work(*values: Any) -> Any:
        if not fits(*values):
            written = [as_formula_text(one) for one in values]
            found = f" {sign} ".join(written) if written[1:] else f"{sign}{written[0]}"
            raise _Refused(wrong, found=found)
        return apply(*values)

    return work


def _function(
    name: str, wrong: str, fits: Callable[..., bool], apply: Callable[..., Any]
) -> Callable[..., Any]:
    """Make a function of values that fit, or of a list of these."""

    def call(*values: Any) -> Any:
        if len(values) == 1 and isinstance(values[0], tuple):
            values = values[0]
        if not fits(*values):
            found = ", ".join(map(as_formula_text, values)) or "()"
            raise _Refused(wrong, function=name, found=found)
        return apply(*values)

    return call


def _one_number(*values: object) -> bool:
    return len(values) == 1 and _numbers(*values)


def _some_alike(*values: object) -> bool:
    return bool(values) and _alike(*values)


def _words(*values: object) -> bool:
    """Say whether values are the words of a list, which expressions see as ``shot/blade``."""
    return len(values) == 1 and isinstance(values[0], str)


# 端数切上 is the next whole number, 端数切捨 the whole part.
FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    name: _function(name, wrong, fits, apply)
    for name, wrong, fits, apply in (
        ("切上", "a-number", _one_number, math.ceil),
        ("切捨", "a-number", _one_number, math.floor),
        ("round_up", "a-number", _one_number, math.ceil),
        ("round_down", "a-number", _one_number, math.floor),
        ("min", "all-alike", _some_alike, lambda *values: min(values)),
        ("max", "all-alike", _some_alike, lambda *values: max(values)),
        ("abs", "a-number", _one_number, abs),
        ("first", "a-list", _words, lambda text: text.split("/")[0]),
        ("words", "a-list", _words, lambda text: len(text.split("/")) if text else 0),
    )
}

_OPERATORS = {
    **DEFAULT_OPERATORS,
    ast.Add: _operator("+", operator.add),
    ast.Sub: _operator("-", operator.sub),
    ast.Mult: _operator("*", operator.mul),
    ast.Div: _operator("/", lambda left, right: Fraction(left) / Fraction(right)),
    ast.FloorDiv: _operator("//", operator.floordiv),
    ast.Mod: _operator("%", operator.mod),
    ast.USub: _operator("-", operator.neg),
    ast.UAdd: _operator("+", operator.pos),
    ast.Lt: _operator("<", operator.lt, _alike, "no-order"),
    ast.LtE: _operator("<=", operator.le, _alike, "no-order"),
    ast.Gt: _operator(">", operator.gt, _alike, "no-order"),
    ast.GtE: _operator(">=", operator.ge, _alike, "no-order"),
    ast.In: _operator("in", lambda left, right: left in right, _contains, "not-in"),
    ast.NotIn: _operator("not in", lambda left, right: left not in right, _contains, "not-in"),
}
# One for all, as it takes longer to make than to ask; it adds to the functions that it gets.
_EVALUATOR = EvalWithCompoundTypes(operators=_OPERATORS, functions=dict(FUNCTIONS), names={})
# It holds the names while it works: pages of the workbench are answered in several threads.
_EVALUATING = threading.Lock()


@lru_cache(maxsize=4096)
def _parsed(text: str) -> ast.expr | Sentence:
    """Parse an expression; return its tree, or what is wrong with it."""
    if len(text) > LONGEST:
        return _wrong("too-long", count=len(text), most=LONGEST)
    try:
        tree = _tree(text.strip())
        nodes = list(ast.walk(tree))
    except SyntaxError as error:
        return _wrong("unreadable", place=error.offset or 1)
    except (RecursionError, MemoryError, ValueError):
        return _wrong("impossible")
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    wrong = (_fault_in(node, text.strip(), id(node) in called) for node in nodes)
    return next(filter(None, wrong), tree.body)


_KEYWORD = re.compile(
    r"""'[^']*'|"[^"]*"|\b("""
    + "|".join(sorted({*keyword.kwlist} - {"and", "or", "not", "if", "else", "in"}))
    + r")\b"
)


def _tree(text: str) -> ast.Expression:
    """Parse a text in which a name may be a word of Python's own: a field called ``class``, which
    Python takes for a name in wide letters, and then for the same as in narrow ones.

    Raises ``SyntaxError``.
    """
    try:
        return ast.parse(text, mode="eval")
    except SyntaxError as error:
        try:
            return ast.parse(_KEYWORD.sub(_widened, text), mode="eval")
        except SyntaxError:
            raise error from None


def _widened(found: re.Match[str]) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) for sign in found[1]) if found[1] else found[0]


def _fault_in(node: ast.AST, text: str, called: bool) -> Sentence | None:
    """Find what is wrong with one node of an expression, if anything."""
    if type(node) in _SIGNS:
        return _wrong("sign", sign=_SIGNS[type(node)])
    if not isinstance(node, _ALLOWED):
        found = ast.get_source_segment(text, node)
        return _wrong("not-allowed" if found else "this-not-allowed", found=found)
    functions = ", ".join(FUNCTIONS)
    match node:
        case ast.Call(func, _, keywords) if keywords or not isinstance(func, ast.Name):
            return _wrong("functions", functions=functions)
        case ast.Name(name) if called and name not in FUNCTIONS:
            return _wrong("no-function", name=name, functions=functions)
        case ast.Name(name) if not called and name in FUNCTIONS:
            return _wrong("is-function", name=name)
        case ast.Constant(int(number)) if number > BIGGEST:
            return _wrong("number-too-large", most=BIGGEST)
        case ast.Constant(value) if not isinstance(value, int | str):
            return _wrong("no-whole-number", found=ast.get_source_segment(text, node) or value)
    return None


@lru_cache(maxsize=4096)
def names_in(text: str) -> frozenset[str]:
    """Find the names that an expression asks for; nothing where it cannot be read."""
    tree = _parsed(text)
    nodes = () if isinstance(tree, Sentence) else ast.walk(tree)
    return frozenset(node.id for node in nodes if isinstance(node, ast.Name)) - FUNCTIONS.keys()


def asks_only(text: str, names: Iterable[str]) -> bool:
    """Say whether an expression asks for some of these names alone."""
    return names_in(text) <= set(map(as_in_formulas, names))


@lru_cache(maxsize=4096)
def texts_for(text: str) -> Mapping[str, frozenset[str]]:
    """Find the names that an expression asks for, and the texts that it compares each with."""
    tree, found = _parsed(text), dict.fromkeys(names_in(text), frozenset[str]())
    for node in () if isinstance(tree, Sentence) else ast.walk(tree):
        if isinstance(node, ast.Compare):
            parts = list(ast.walk(node))
            constants = (one.value for one in parts if isinstance(one, ast.Constant))
            texts = frozenset(one for one in constants if isinstance(one, str))
            names = {one.id for one in parts if isinstance(one, ast.Name)}
            found |= {name: found[name] | texts for name in names & found.keys()}
    return found


@lru_cache(maxsize=65536)
def _value(
    text: str, names: tuple[tuple[str, Known, type], ...]
) -> tuple[Known | None, Sentence | None]:
    """Work out the value over the names asked for, or what is wrong; a field of builds repeats
    much.

    The types keep 1 and True apart, which are equal.
    """
    tree = _parsed(text)
    if isinstance(tree, Sentence):
        return None, tree
    try:
        with _EVALUATING:
            _EVALUATOR.names = {name: value for name, value, _ in names}
            value: object = _EVALUATOR.eval(text, previously_parsed=tree)
    except ZeroDivisionError:
        return None, _wrong("divides-by-zero")
    except RecursionError:
        return None, _wrong("too-deep")
    except _Refused as error:
        return None, error.wrong
    except Exception:
        # simpleeval raises what it likes; all of it is the writer's mistake.
        return None, _wrong("impossible-to-work-out")
    if isinstance(value, int | Fraction) and not -BIGGEST <= value <= BIGGEST:
        return None, _wrong("result-too-large", most=BIGGEST)
    if isinstance(value, int | Fraction | str):
        return value, None
    return None, _wrong("no-value")


def as_in_formulas(name: str) -> str:
    """Write a name as an expression has it: Python reads ＨＰ as HP."""
    return unicodedata.normalize("NFKC", name)


def fault_of(text: str, known: Iterable[str] | None = None) -> Sentence | None:
    """Find what is wrong with an expression before it ever runs, if anything.

    ``known`` are the names that it may ask for, if they are known.
    """
    tree = _parsed(text)
    if isinstance(tree, Sentence):
        return tree
    if known is not None:
        names = {as_in_formulas(name) for name in known}
        for name in sorted(names_in(text) - names):
            return _wrong("unknown-name", name=name, nearest=nearest(name, [*names, *FUNCTIONS]))
    return None


def expression_problem(text: str, wrong: Sentence, where: SourceLocation) -> Problem:
    """Say that something is wrong with an expression, as ``fault_of`` has it."""
    return problem_at(where, "EXPRESSION", "wrong", text=text[:60], wrong=wrong)


def evaluate(text: str, names: Mapping[str, Known], where: SourceLocation) -> Known:
    """Work out the value of ``text`` over ``names``.

    Raises ``InvalidSource`` with one located problem for whatever is wrong with it.
    """
    asked, wrong = names_in(text), None
    if not asked <= names.keys():
        names = {**{as_in_formulas(name): value for name, value in names.items()}, **names}
    odd = sorted(
        one for one in asked & names.keys() if not isinstance(names[one], int | Fraction | str)
    )
    if not asked <= names.keys():
        wrong = fault_of(text, names)
    elif odd:
        wrong = _wrong("odd-name", name=odd[0], found=as_formula_text(names[odd[0]]))
    else:
        known = tuple([(name, names[name], type(names[name])) for name in asked])
        value, wrong = _value(text, known)
        if value is not None:
            return value
    raise InvalidSource([expression_problem(text, wrong or _wrong("no-value"), where)])


def difference(text: str, names: Mapping[str, Known], where: SourceLocation) -> Fraction | None:
    """Say by how much the first comparison that fails in ``a <= b <= c`` does; nothing where the
    text is no comparison of numbers, or they are equal. Raises ``InvalidSource``."""
    tree = _parsed(text)
    if not (isinstance(tree, ast.Compare) and all(type(sign) in _FAILING for sign in tree.ops)):
        return None
    sides = [evaluate(ast.unparse(side), names, where) for side in (tree.left, *tree.comparators)]
    for left, sign, right in zip(sides, tree.ops, sides[1:], strict=False):
        if isinstance(left, str) or isinstance(right, str):
            return None
        if _FAILING[type(sign)](left, right):
            return abs(Fraction(left) - Fraction(right)) or None
    return None


_FAILING: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.ge, ast.LtE: operator.gt, ast.Gt: operator.le, ast.GtE: operator.lt,
    ast.Eq: operator.ne,
}  # fmt: skip


def holds(text: str, names: Mapping[str, Known], where: SourceLocation) -> bool:
    """Say whether a condition is true; an empty one always is. Raises ``InvalidSource``."""
    return not text or bool(evaluate(text, names, where))


def whole(text: str, names: Mapping[str, Known], where: SourceLocation) -> int:
    """Work out the value of ``text`` as a whole number; a truth counts 1, a fraction is a
    problem."""
    value = evaluate(text, names, where)
    if isinstance(value, str) or value != int(value):
        key = "no-whole-number" if isinstance(value, str) else "fraction"
        raise error_at(where, "EXPRESSION", key, text=text[:60], found=as_formula_text(value))
    return int(value)
