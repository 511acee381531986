"""Value patterns: another value or call that serves the same purpose, and what is not there. Pure.

Each function proposes replacements like those of `revisers.fix_patterns`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Final

from jido_ai.repair.program_code import Code, Place, Scope, names_before, own_nodes
from jido_ai.repair.variable_kinds import collections_of_self, kinds_of

__all__ = ["COSTS", "PATTERNS", "values_of"]

PATTERNS: Final = {
    "branch": "the two values of a conditional expression swapped",
    "throw": "an exception that is returned is raised; what a recursive generator makes is yielded",
    "fresh": "a new collection in place of one that is emptied or grows while others keep it",
    "absent": "a value only if what it is read from is there: x.get(k) if x is not None else None; x or []; k not in d",
    "heap": "append and pop of a heap",
    "same": "a comparison of a thing with itself compares it with another one",
    "measured": "a length in place of a number: n += len(x), i % len(x); an attribute or key in place of True or False",
    "renamed": "a variable becomes another one in all places of a statement",
    "within": "an index is tested before it is used: i < len(x) and x[i]",
    "more": "a variable is one of the parts of a key; a factor plus or minus one; months counted from 0",
}
"""The patterns and their replacements."""

COSTS: Final = {
    "branch": 4, "throw": 3, "fresh": 5, "absent": 6, "heap": 5, "same": 3, "measured": 6, "renamed": 6, "within": 6,
    "more": 6,
}  # fmt: skip
"""Each stands in place of the number of characters that a change removes and adds."""

_MOST: Final = 6
_MOST_FIELDS: Final = 3
_PLAIN: Final = (ast.Name, ast.Attribute)
_Found = Iterator[tuple[str, Place, str]]


def values_of(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    """Yield the name, the place and the code of the proposals for a statement without its block.

    Args:
        values: the values that it uses as a whole.
    """
    for pattern in _PATTERNS:
        yield from pattern(statement, values, scope, source)


def _names(statement: ast.stmt, scope: Scope) -> list[str]:
    return names_before(statement, scope, scope.function)[:_MOST] if scope.function is not None else []


def _branches(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if isinstance(node, ast.IfExp):
            test = source.of(node.test)
            yield "branch", Place.of(node), f"{source.operand(node.orelse)} if {test} else {source.operand(node.body)}"


def _thrown(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    value = statement.value if isinstance(statement, ast.Return) else None
    if isinstance(value, ast.Call) and re.search(r"(Error|Exception)$", source.of(value.func)):
        yield "throw", Place.of(statement), f"raise {source.of(value)}"
    match statement:
        case ast.Expr(value=ast.Yield(value=ast.Call(func=ast.Name(id=called)) as made)) if called == scope.name:
            yield "throw", Place.of(statement), f"yield from {source.of(made)}"
        case _:
            pass
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) and scope.function is not None:
        own = scope.function.name
        is_recursive = source.of(statement.value.func) in (own, f"self.{own}")
        if is_recursive and any(isinstance(one, ast.Yield | ast.YieldFrom) for one in ast.walk(scope.function)):
            yield "throw", Place.of(statement), f"yield from {source.of(statement)}"


def _fresh(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    match statement:
        case ast.AugAssign(target=ast.Name(id=name), value=value) if not isinstance(value, ast.Constant):
            gap = source.at(Place.of(statement.target).to(Place.of(value)))
            is_list = scope.function is not None and name in kinds_of(scope.function).collections
            if sign := re.search(r"[|&+^-]" if is_list else r"[|&^]", gap):
                yield "fresh", Place.of(statement), f"{name} = {name} {sign[0]} {source.operand(value)}"
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name() | ast.Attribute() as base, attr="clear"))):
            yield from (
                ("fresh", Place.of(statement), f"{source.of(base)} = {empty}") for empty in ("[]", "{}", "set()")
            )
        case _:
            pass


def _absent(statement: ast.stmt, values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    whole = statement.value if isinstance(statement, ast.Return | ast.Assign) else None
    giver = whole.func.value if isinstance(whole, ast.Call) and isinstance(whole.func, ast.Attribute) else None
    if whole is not None and isinstance(giver, _PLAIN) and source.of(giver) != "self":
        yield "absent", Place.of(whole), f"{source.of(whole)} if {source.of(giver)} is not None else None"
        if source.of(whole).partition("(")[0].rpartition(".")[2] in ("pop", "popleft"):
            yield "absent", Place.of(whole), f"{source.of(whole)} if {source.of(giver)} else None"
    if isinstance(whole, _PLAIN):
        yield from (("absent", Place.of(whole), f"{source.of(whole)} or {empty}") for empty in ("[]", "{}", '""'))
    if isinstance(statement, ast.For) and isinstance(statement.iter, _PLAIN):
        yield "absent", Place.of(statement.iter), f"{source.of(statement.iter)} or []"
    for node in own_nodes(statement):
        match node:
            case ast.Compare(
                left=ast.Name(id=name), ops=[ast.Is() | ast.IsNot() as sign], comparators=[ast.Constant(value=None)]
            ):
                for base, key in re.findall(rf"\b{name} = ([\w.]+)\.get\(([\w.]+)\)", source.text)[:_MOST_FIELDS]:
                    word = "not in" if isinstance(sign, ast.Is) else "in"
                    yield "absent", Place.of(node), f"{key} {word} {base}"
            case ast.UnaryOp(
                op=ast.Not(), operand=ast.Call(func=ast.Attribute(value=base, attr="get"), args=[key, *_])
            ):
                yield "absent", Place.of(node), f"{source.of(key)} not in {source.of(base)}"
            case ast.Call(func=ast.Attribute(value=base, attr="get"), args=[key]) if node not in values:
                yield "absent", Place.of(node), f"{source.of(key)} in {source.of(base)}"
            case _:
                pass


def _heaps(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    push, pop = ("heappush", "heappop") if "heappush" in scope.imported else ("heapq.heappush", "heapq.heappop")
    if {"heapq", "heappush", "heappop"} & scope.imported:
        for node in own_nodes(statement):
            match node:
                case ast.Call(func=ast.Attribute(value=heap, attr="append"), args=[one]):
                    yield "heap", Place.of(node), f"{push}({source.of(heap)}, {source.of(one)})"
                case ast.Call(func=ast.Attribute(value=heap, attr="pop")):
                    yield "heap", Place.of(node), f"{pop}({source.of(heap)})"
                case _:
                    pass


def _same(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if not isinstance(node, ast.Compare) or len(node.ops) != 1:
            continue
        one, other = node.left, node.comparators[0]
        base = other.value if isinstance(other, ast.Attribute | ast.Subscript) else other
        if source.of(one) == source.of(other) and isinstance(base, ast.Name):
            for name in [name for name in _names(statement, scope) if name != base.id]:
                yield "same", Place.of(base), name


def _measured(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if scope.function is None:
        return
    kinds, names = kinds_of(scope.function), _names(statement, scope)
    collections = [one for one in names if one in kinds.collections]
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add | ast.Sub):
        target = source.of(statement.target)
        if isinstance(statement.value, ast.Name | ast.Constant):
            own = source.of(statement.value)
            lengths = [f"len({one})" for one in collections if f"{one}[{target}]" not in source.text]
            numbers = (
                [one for one in names if one not in collections] if isinstance(statement.value, ast.Constant) else []
            )
            for other in dict.fromkeys((*lengths, *numbers)):
                if other not in (own, target):
                    yield "measured", Place.of(statement.value), other
    whole = statement.value if isinstance(statement, ast.Assign) else None
    for part in whole.elts if isinstance(whole, ast.Tuple) else [whole]:
        if isinstance(part, ast.Constant) and part.value == 0 and not isinstance(part.value, bool):
            others = [one for one in names if one not in kinds.numbers]
            yield from (("measured", Place.of(part), f"len({one})") for one in others[:_MOST_FIELDS])
    for node in own_nodes(statement):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.right, _PLAIN):
            for one in [*collections, *collections_of_self(source.text)][:_MOST]:
                yield "measured", Place.of(node.right), f"len({one})"
    value = statement.value if isinstance(statement, ast.Return) else None
    if isinstance(value, ast.Constant) and isinstance(value.value, bool):
        keys = list(dict.fromkeys(re.findall(r"""\[("[^"\n]{1,12}"|'[^'\n]{1,12}')\]""", source.text)))
        for name in names[:_MOST_FIELDS]:
            yield from (("measured", Place.of(value), f"{name}.{one}") for one in scope.attributes[:_MOST])
            yield from (("measured", Place.of(value), f"{key} in {name}") for key in keys[:_MOST_FIELDS])


def _renamed(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    """Propose another variable in all places of a statement, its target among them, or of a condition."""
    whole = statement.test if isinstance(statement, ast.If | ast.While) else statement
    is_simple = isinstance(whole, ast.expr | ast.Assign | ast.AugAssign | ast.Expr | ast.Return)
    if not is_simple or "\n" in source.of(whole):
        return
    found = [node.id for node in ast.walk(whole) if isinstance(node, ast.Name) and node.id in scope.names]
    code = source.of(whole)
    for name in dict.fromkeys(one for one in found if found.count(one) > 1):
        for other in [one for one in _names(statement, scope) if one not in found][:_MOST_FIELDS]:
            yield "renamed", Place.of(whole), re.sub(rf"(?<![\w.\"']){re.escape(name)}\b", other, code)


def _within(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    if not isinstance(statement, ast.If | ast.While):
        return
    test = statement.test
    for node in ast.walk(test):
        match node:
            case ast.Subscript(value=ast.Name() | ast.Attribute() as base, slice=ast.Name() | ast.BinOp() as index):
                inner = f"({source.of(test)})" if isinstance(test, ast.BoolOp) else source.of(test)
                place = source.of(index)
                if f"len({source.of(base)})" not in inner:
                    yield "within", Place.of(test), f"{place} < len({source.of(base)}) and {inner}"
                yield "within", Place.of(test), f"{place} >= 0 and {inner}"
            case _:
                pass


def _more(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    match statement:
        case ast.Assign(targets=[ast.Name(id=target)], value=ast.Name() | ast.Attribute() as value):
            if re.search(rf"\[{re.escape(target)}\]", source.text):  # it is a key
                for name in [one for one in _names(statement, scope) if one not in (target, source.of(value))]:
                    yield "more", Place.of(value), f"({source.of(value)}, {name})"
        case _:
            pass
    for node in own_nodes(statement):
        match node:
            case ast.Tuple(ctx=ast.Load(), elts=parts) if len(parts) > 1 and source.of(node).endswith(")"):
                known = [source.of(one) for one in parts]
                if all(isinstance(one, _PLAIN) for one in parts):
                    for name in [one for one in _names(statement, scope) if one not in known][:_MOST_FIELDS]:
                        yield "more", Place.of(node), f"{source.of(node)[:-1]}, {name})"
            case ast.BinOp(op=ast.Mult(), left=left, right=right):
                for side in [one for one in (left, right) if isinstance(one, _PLAIN)]:
                    yield from (("more", Place.of(side), f"({source.of(side)} {step})") for step in ("+ 1", "- 1"))
            case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=right):
                for side in [one for one in (left, right) if source.of(one).endswith("month")]:
                    yield "more", Place.of(side), f"{source.of(side)} - 1"
            case _:
                pass


_PATTERNS: Final[tuple[Callable[[ast.stmt, list[ast.expr], Scope, Code], _Found], ...]] = (
    _branches, _thrown, _fresh, _absent, _heaps, _same, _measured, _renamed, _within, _more,
)  # fmt: skip
