"""Variable kinds: which variables of a function are collections or texts, which numbers, by their use. Pure.

What an edit puts in place of a variable should be of its kind: nobody subtracts a list from a number.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from jido_ai.repair.program_code import Function, Scope, names_before, own_nodes

__all__ = [
    "Kinds",
    "collections_of_self",
    "kinds_in",
    "kinds_of",
    "names_with_values",
    "needed_kinds",
    "numbers_before",
]

_OF_COLLECTIONS: Final = frozenset({
    "append", "appendleft", "extend", "insert", "pop", "popleft", "popitem", "clear", "remove", "discard", "get",
    "items", "keys", "values", "setdefault", "strip", "lstrip", "rstrip", "split", "lower", "upper", "startswith",
    "endswith", "join", "replace", "splitlines", "sort", "reverse", "add", "index", "find", "isdigit", "isspace",
})  # fmt: skip
_TAKING: Final = frozenset({
    "len", "sorted", "enumerate", "sum", "list", "set", "tuple", "dict", "any", "all", "reversed", "zip", "deque",
})  # fmt: skip
_WITH_VALUES: Final = frozenset({
    "len", "sorted", "sum", "list", "set", "tuple", "dict", "any", "all", "str", "int", "float", "bool", "abs", "round",
    "range", "enumerate", "zip", "reversed", "join", "strip", "lstrip", "rstrip", "lower", "upper", "split", "replace",
    "startswith", "endswith", "isdigit", "isinstance", "items", "keys", "values", "copy", "count", "index", "find",
})  # fmt: skip
_DISPLAYS: Final = (
    ast.List, ast.Dict, ast.Set, ast.Tuple, ast.ListComp, ast.SetComp, ast.DictComp, ast.JoinedStr,
)  # fmt: skip


_SELF: Final = re.compile(
    r"^[ \t]*(self\.\w+)(?:: [^=\n]+)? = (?:[\[{]|(?:\w+\.)?(?:list|dict|set|deque|defaultdict|OrderedDict|Counter)\()",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Kinds:
    """Names of variables that are surely of a kind; a variable in neither may be anything."""

    collections: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()


@lru_cache(maxsize=64)
def kinds_of(function: Function) -> Kinds:
    """Return the kinds of a function's variables; one that is used as both has none."""
    collections: set[str] = set()
    numbers: set[str] = set()
    for node in ast.walk(function):
        collections.update(_names(_collected(node)))
        numbers.update(_names(_counted(node)))
    return Kinds(frozenset(collections - numbers), frozenset(numbers - collections))


def kinds_in(scope: Scope) -> Kinds:
    """Return the kinds of the variables of the function around a statement; none outside functions."""
    return kinds_of(scope.function) if scope.function is not None else Kinds()


def numbers_before(statement: ast.stmt, scope: Scope, most: int = 6) -> list[str]:
    """Return the variables bound above a statement that may be numbers, the newest first, then the arguments."""
    if scope.function is None:
        return []
    collections = kinds_of(scope.function).collections
    return [one for one in names_before(statement, scope, scope.function) if one not in collections][:most]


def needed_kinds(statement: ast.stmt) -> tuple[set[ast.expr], set[ast.expr]]:
    """Return the expressions of a statement that stand where only a collection can, and where only a number can."""
    collections: set[ast.expr] = set()
    numbers: set[ast.expr] = set()
    for node in (statement, *own_nodes(statement)):
        collections.update(_collected(node, is_of_statement=False))
        numbers.update(_counted(node, is_of_statement=False))
    return collections, numbers


@lru_cache(maxsize=64)
def names_with_values(function: Function) -> frozenset[str]:
    """Return the variables of a function that are never None: all that it assigns to them is something else."""
    found: dict[str, bool] = {one.arg: False for one in ast.walk(function.args) if isinstance(one, ast.arg)}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            has_value = _has_value(node.value)
            pairs = [(target, has_value and isinstance(target, ast.Name)) for target in node.targets]
        elif isinstance(node, ast.For | ast.comprehension | ast.NamedExpr):
            pairs = [(node.target, False)]
        else:
            continue
        for target, is_sure in pairs:
            for one in ast.walk(target):
                if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                    found[one.id] = is_sure and found.get(one.id, True)
    return frozenset(name for name, is_sure in found.items() if is_sure)


def _has_value(node: ast.expr) -> bool:
    """Tell whether an expression can never be None."""
    match node:
        case ast.Constant(value=value):
            return value is not None
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return name in _WITH_VALUES
        case ast.Compare() | ast.BinOp() | ast.UnaryOp():
            return True
        case _:
            return isinstance(node, _DISPLAYS)


def collections_of_self(text: str) -> list[str]:
    """Return the attributes of self that a program sets to a collection, as code."""
    return list(dict.fromkeys(_SELF.findall(text)))


def _names(nodes: Iterator[ast.expr]) -> Iterator[str]:
    return (node.id for node in nodes if isinstance(node, ast.Name))


def _collected(node: ast.AST, *, is_of_statement: bool = True) -> Iterator[ast.expr]:
    """Yield the parts of a node that are collections or texts."""
    match node:
        case ast.Subscript(value=value):
            yield value
        case ast.For(iter=value) | ast.AsyncFor(iter=value) | ast.comprehension(iter=value):
            yield value
        case ast.ListComp(generators=generators) | ast.SetComp(generators=generators):
            yield from (one.iter for one in generators)
        case ast.GeneratorExp(generators=generators) | ast.DictComp(generators=generators):
            yield from (one.iter for one in generators)
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[value]):
            yield value
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _OF_COLLECTIONS:
            yield value
        case ast.Call(func=ast.Name(id=name), args=[value, *_]) if name in _TAKING:
            yield value
        case ast.Assign(targets=[target], value=value) if is_of_statement and isinstance(value, _DISPLAYS):
            yield target
        case ast.Assign(targets=[target], value=ast.Constant(value=str())) if is_of_statement:
            yield target
        case ast.Assign(targets=[target], value=ast.Call(func=ast.Name(id=name))) if is_of_statement:
            if name in ("list", "set", "dict", "sorted", "deque", "str", "tuple", "defaultdict", "Counter"):
                yield target
        case _:
            pass


def _counted(node: ast.AST, *, is_of_statement: bool = True) -> Iterator[ast.expr]:
    """Yield the parts of a node that are numbers."""
    match node:
        case ast.Call(func=ast.Name(id="range"), args=args):
            yield from args
        case ast.BinOp(left=left, op=op, right=ast.Constant(value=int() | float())) if not isinstance(op, ast.Mult):
            yield left
        case ast.BinOp(left=ast.Constant(value=int() | float()), op=op, right=right) if not isinstance(op, ast.Mult):
            yield right
        case ast.BinOp(left=left, op=ast.Div() | ast.FloorDiv() | ast.Pow(), right=right):
            yield left
            yield right
        case ast.Assign(targets=[target], value=ast.Constant(value=int() | float())) if is_of_statement:
            yield target
        case ast.Assign(targets=[target], value=ast.Call(func=ast.Name(id=name))) if is_of_statement:
            if name in ("len", "int", "float", "round", "abs", "sum"):
                yield target
        case ast.AugAssign(target=target, value=ast.Constant(value=int() | float())) if is_of_statement:
            yield target
        case ast.For(target=ast.Name() as target, iter=ast.Call(func=ast.Name(id="range"))) if is_of_statement:
            yield target
        case ast.For(target=ast.Tuple(elts=[target, _]), iter=ast.Call(func=ast.Name(id="enumerate"))):
            if is_of_statement:
                yield target
        case _:
            pass
