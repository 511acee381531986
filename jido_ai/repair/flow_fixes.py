"""Flow fixes: how statements follow each other, and what else one of them asks for. Pure.

Each function proposes replacements like those of `revisers.block_fixes`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Final

from jido_ai.repair.program_code import Code, Function, Place, Scope, is_in_loop

__all__ = ["COSTS", "PATTERNS", "flows_of"]

PATTERNS: Final = {
    "pass-on": "continue or return after the last statement of an `if`; the statement after an `if` in its `else`",
    "nested": "two loops, one in the other, swapped; a check and the statement after it swapped",
    "mutual": "what is done with a and b is done with b and a, too; the other end of what becomes empty",
}
"""The patterns and their replacements."""

COSTS: Final = {"pass-on": 7, "nested": 6, "mutual": 8}
"""Each stands in place of the number of characters that a change removes and adds."""

_SIMPLE: Final = (ast.Expr, ast.Assign, ast.AugAssign, ast.Return, ast.Delete)
_ENDS: Final = (("head", "tail"), ("first", "last"), ("front", "back"), ("front", "rear"), ("start", "end"))
_MOST_CHECKED: Final = 2
_Found = Iterator[tuple[str, Place, str]]


def flows_of(statement: ast.stmt, scope: Scope, function: Function, source: Code) -> _Found:
    """Yield the name, the place and the code of the proposals for a statement among its neighbours."""
    for pattern in _PATTERNS:
        yield from pattern(statement, scope, function, source)


def _after(statement: ast.stmt) -> Place:
    place = Place.of(statement)
    return Place(place.end_row, place.end_byte, place.end_row, place.end_byte)


def _passed_on(statement: ast.stmt, scope: Scope, function: Function, source: Code) -> _Found:
    at, indent = scope.block.index(statement), source.before(statement)
    is_last = at == len(scope.block) - 1 and statement not in function.body
    if is_last and isinstance(statement, ast.Expr | ast.Assign | ast.AugAssign):
        word = "continue" if is_in_loop(statement, function) else "return"
        yield "pass-on", _after(statement), f"\n{indent}{word}"
    if isinstance(statement, ast.If) and not statement.orelse and at + 1 < len(scope.block):
        follower, below = scope.block[at + 1], source.before(statement.body[0])
        if isinstance(follower, _SIMPLE) and "\n" not in source.of(follower) and not below.strip():
            gap = Place.of(statement).to(Place.of(follower))
            yield "pass-on", gap, f"\n{indent}else:\n{below}"


def _nested(statement: ast.stmt, scope: Scope, _function: Function, source: Code) -> _Found:
    match statement:
        case ast.For(target=target, iter=outer, body=[ast.For(target=second, iter=inner)]):
            names = {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
            if names.isdisjoint(node.id for node in ast.walk(inner) if isinstance(node, ast.Name)):
                heads = Place.of(target).around(Place.of(outer)), Place.of(second).around(Place.of(inner))
                between = source.at(heads[0].to(heads[1]))
                yield "nested", heads[0].around(heads[1]), source.at(heads[1]) + between + source.at(heads[0])
        case ast.If(orelse=[], body=body) if len(body) <= _MOST_CHECKED:
            at = scope.block.index(statement)
            follower = scope.block[at + 1] if at + 1 < len(scope.block) else None
            is_end = isinstance(body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)
            if is_end and isinstance(follower, ast.Expr | ast.Assign | ast.AugAssign | ast.Delete):
                one, other = Place.of(statement), Place.of(follower)
                text = source.of(follower) + source.at(one.to(other)) + source.of(statement)
                yield "nested", one.around(other), text
        case _:
            pass


def _mutual(statement: ast.stmt, scope: Scope, _function: Function, source: Code) -> _Found:
    code, indent = source.of(statement), source.before(statement)
    if not isinstance(statement, ast.Expr | ast.Assign | ast.AugAssign) or "\n" in code:
        return
    keys = [
        node.slice.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name)
    ]
    others = [node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and node.id in scope.names]
    for key in dict.fromkeys(keys):
        for other in [one for one in dict.fromkeys(others) if one != key and f"{one}[" not in code]:
            swapped = re.sub(rf"\b({key}|{other})\b", lambda found: other if found[0] == key else key, code)  # noqa: B023
            yield "mutual", _after(statement), f"\n{indent}{swapped}"
    for one, other in (*_ENDS, *((other, one) for one, other in _ENDS)):
        ends = [name for name in scope.members if name.strip("_") in (one, other)]
        first = next((name for name in ends if name.strip("_") == one), None)
        second = next((name for name in ends if name.strip("_") == other), None)
        if first and second and re.search(rf"self\.{first}\b.* = |= .*self\.{first}\b", code):
            check = f"if self.{first} is None:\n{indent}    self.{second} = None"
            yield "mutual", _after(statement), f"\n{indent}{check}"


_PATTERNS: Final[tuple[Callable[[ast.stmt, Scope, Function, Code], _Found], ...]] = (_passed_on, _nested, _mutual)
