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

from jido_ai.improve.repair.program_code import Function, own_nodes

_OF_COLLECTIONS: Final = frozenset({
    "append", "appendleft", "extend", "insert", "pop", "popleft", "popitem", "clear", "remove", "discard", "get",
    "items", "keys", "values", "setdefault", "strip", "lstrip", "rstrip", "split", "lower", "upper", "startswith",
    "endswith", "join", "replace", "splitlines", "sort", "reverse", "add", "index", "find", "isdigit", "isspace",
})  # fmt: skip
_TAKING: Final = frozenset({
    "len", "sorted", "enumerate", "sum", "list", "set", "tuple", "dict", "any", "all", "reversed", "zip", "deque",
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


def needed_kinds(statement: ast.stmt) -> tuple[set[ast.expr], set[ast.expr]]:
    """Return the expressions of a statement that stand where only a collection can, and where only a number can."""
    collections: set[ast.expr] = set()
    numbers: set[ast.expr] = set()
    for node in (statement, *own_nodes(statement)):
        collections.update(_collected(node, is_of_statement=False))
        numbers.update(_counted(node, is_of_statement=False))
    return collections, numbers


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
