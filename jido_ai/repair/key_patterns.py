"""Key patterns: what is kept by key or by whom, what has changed since, and what is taken out. Pure.

Each function proposes replacements like those of `revisers.fix_patterns`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from jido_ai.repair.program_code import Code, Function, Place, Scope, own_nodes
from jido_ai.repair.variable_kinds import collections_of_self, kinds_in, numbers_before

__all__ = ["COSTS", "PATTERNS", "keys_of"]

PATTERNS: Final = {
    "hop": "what a mapping or list has for a value, in place of the value: step[k] in place of k",
    "again": "a variable becomes what it was computed from, which has changed since",
    "opposite": "a constant that is set by key becomes one that depends on another key: 1 - x[k], x[k] + 1",
    "inverse": "what is set for a pair is set for the opposite pair as its inverse: 1 / x, -x",
    "whose": "an attribute of self becomes that of a variable",
    "taken": "what is read by key is taken out, too: d.pop(k) in place of d[k]",
    "zeroed": "what is counted down or up is set to 0",
    "items": "keyword arguments with their values: sorted(kwargs.items())",
    "uncompared": "a field that does not count in comparisons: field(compare=False)",
}
"""The patterns and their replacements."""

COSTS: Final = {
    "hop": 7, "again": 7, "opposite": 7, "inverse": 6, "whose": 6, "taken": 6, "zeroed": 5, "items": 5,
    "uncompared": 5,
}  # fmt: skip
"""Each stands in place of the number of characters that a change removes and adds."""

_MOST_MAPPINGS: Final = 6
_PLAIN: Final = (ast.Name, ast.Attribute)
_Found = Iterator[tuple[str, Place, str]]


def keys_of(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    """Yield the name, the place and the code of the proposals for a statement without its block.

    Args:
        values: the values that it uses as a whole.
    """
    for pattern in _PATTERNS:
        yield from pattern(statement, values, scope, source)


def _hops(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    mappings = _mappings(scope, source)
    own = source.of(getattr(statement, "value", statement) or statement)  # without the target of an assignment
    parts = [side for node in own_nodes(statement) if isinstance(node, ast.BinOp) for side in (node.left, node.right)]
    indices = [node.slice for node in own_nodes(statement) if isinstance(node, ast.Subscript)]
    for node in dict.fromkeys((*values, *parts, *indices)):
        code = source.of(node)
        if isinstance(node, _PLAIN) and code not in kinds_in(scope).collections:
            for mapping in [one for one in mappings if one != code and f"{one}[{code}]" not in own]:
                if not re.search(rf"\b{re.escape(code)}\b", mapping):
                    yield "hop", Place.of(node), f"{mapping}[{code}]"


def _mappings(scope: Scope, source: Code) -> list[str]:
    """Return what the function indexes, also with two indices, and the attributes of self that are collections."""
    found = [one for function in scope.around for one in _indexed(function, source)]
    constants = [one for one in scope.constants if f"{one}[" in source.text or f"{one} = {{" in source.text]
    return list(dict.fromkeys([*found, *collections_of_self(source.text), *constants]))[:_MOST_MAPPINGS]


@lru_cache(maxsize=16)
def _indexed(function: Function, source: Code) -> tuple[str, ...]:
    nodes = [node for node in ast.walk(function) if isinstance(node, ast.Subscript)]
    plain = [node for node in nodes if not isinstance(node.slice, ast.Slice | ast.Constant)]
    bases = [node.value for node in plain if isinstance(node.value, (*_PLAIN, ast.Subscript))]
    return tuple(dict.fromkeys(source.of(one) for one in sorted(bases, key=lambda one: isinstance(one, ast.Subscript))))


def _again(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if scope.function is None:
        return
    known = _computed(scope.function, source)
    parts = [side for node in own_nodes(statement) if isinstance(node, ast.BinOp) for side in (node.left, node.right)]
    for node in dict.fromkeys((*values, *parts)):
        if isinstance(node, ast.Name) and node.id in known:
            yield "again", Place.of(node), f"({known[node.id]})" if node in parts else known[node.id]


@lru_cache(maxsize=16)
def _computed(function: Function, source: Code) -> dict[str, str]:
    """Return the code of the variables that a function sets once, to a calculation."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(node.value)
    calculated = {name: some[0] for name, some in found.items() if len(some) == 1 and isinstance(some[0], ast.BinOp)}
    return {name: source.of(one) for name, one in calculated.items() if "\n" not in source.of(one)}


def _opposites(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    match statement:
        case ast.Assign(
            targets=[ast.Subscript(value=base, slice=key)], value=ast.Constant(value=bool() | int()) as value
        ):
            for name in [one for one in numbers_before(statement, scope) if one != source.of(key)]:
                other = f"{source.of(base)}[{name}]"
                if isinstance(value.value, bool):
                    yield "opposite", Place.of(value), f"not {other}"
                else:
                    yield "opposite", Place.of(value), f"1 - {other}"
                    yield "opposite", Place.of(value), f"{other} + 1"
        case ast.AugAssign(target=ast.Subscript(value=base, slice=key), value=ast.Constant() as value):
            for name in [one for one in numbers_before(statement, scope) if one != source.of(key)]:
                yield "opposite", Place.of(value), f"{source.of(base)}[{name}]"
        case _:
            pass


def _inverses(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    match statement:
        case ast.Assign(targets=[ast.Subscript()], value=ast.Name() | ast.Attribute() as value):
            code = source.of(value)
            others = [one for one in scope.block if isinstance(one, ast.Assign) and one is not statement]
            if any(source.of(one.value) == code for one in others):
                yield "inverse", Place.of(value), f"1 / {code}"
                yield "inverse", Place.of(value), f"-{code}"
        case _:
            pass


def _whose(statement: ast.stmt, _values: list[ast.expr], scope: Scope, _source: Code) -> _Found:
    names = numbers_before(statement, scope)
    for node in ast.walk(statement) if not hasattr(statement, "body") else own_nodes(statement):
        match node:
            case ast.Attribute(value=ast.Name(id="self") as owner, attr=attr) if attr in scope.members:
                yield from (("whose", Place.of(owner), name) for name in names)
            case _:
                pass


def _taken(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        match node:
            case ast.Subscript(value=ast.Attribute() | ast.Name() as base, slice=key, ctx=ast.Load()) if not isinstance(
                key, ast.Slice | ast.Constant
            ):
                yield "taken", Place.of(node), f"{source.of(base)}.pop({source.of(key)})"
            case _:
                pass


def _zeroed(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    match statement:
        case ast.AugAssign(target=target, value=ast.Constant(value=int())):
            yield "zeroed", Place.of(statement), f"{source.of(target)} = 0"
        case _:
            pass


def _items(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    keywords = scope.function.args.kwarg if scope.function is not None else None
    for node in own_nodes(statement):
        match node:
            case ast.Call(func=func, args=[ast.Name(id=name) as given]) if keywords and name == keywords.arg:
                items = f"{name}.items()"
                yield "items", Place.of(given), items
                if source.of(func) != "sorted":
                    yield "items", Place.of(given), f"sorted({items})"
            case _:
                pass


def _uncompared(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if "field" in scope.imported and "order=True" in source.text and scope.function is None:
        match statement:
            case ast.AnnAssign(annotation=annotation, value=None):
                yield "uncompared", Place.of(annotation), f"{source.of(annotation)} = field(compare=False)"
            case _:
                pass


_PATTERNS: Final[tuple[Callable[[ast.stmt, list[ast.expr], Scope, Code], _Found], ...]] = (
    _hops, _again, _opposites, _inverses, _uncompared, _whose, _taken, _zeroed, _items,
)  # fmt: skip
