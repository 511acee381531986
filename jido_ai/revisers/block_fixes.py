"""Block fixes: statements that real fixes insert, remove or move. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Final

from jido_ai.revisers.program_code import Change, Code, Place, Scope

__all__ = ["PATTERNS", "fixes_of"]

PATTERNS: Final = {
    "insert": "a statement of the same class or function once more, before or after another one",
    "update": "a missing step: NAME += 1, NAME.pop(), NAME.add(x), self.flag = True ...",
    "early-return": "a new `if`, on equality, emptiness or None, that returns or goes on with the next item",
    "remove": "a statement removed",
    "level": "a statement one level further out, or in the block before it",
    "order": "two neighbouring statements swapped",
}
"""The patterns and their replacements."""

_COSTS: Final = {"insert": 10, "update": 10, "early-return": 12, "remove": 7, "level": 6, "order": 7}
_MOST_COPIES: Final = 12
_MOST_NAMES: Final = 6
_STEPS: Final = {"append": "pop", "add": "discard", "push": "pop", "appendleft": "popleft"}
_Found = Iterator[tuple[str, Place, str]]


def fixes_of(statement: ast.stmt, scope: Scope, source: Code) -> Iterator[Change]:
    """Yield the proposals of all patterns for a statement among its neighbours."""
    if scope.function is None or source.before(statement).strip():  # another statement stands on the same row
        return
    for pattern in _PATTERNS:
        for name, place, after in pattern(statement, scope, scope.function, source):
            yield Change(name, place, after, cost=_COSTS[name])


_Function = ast.FunctionDef | ast.AsyncFunctionDef
_SIMPLE: Final = (ast.Expr, ast.Assign, ast.AugAssign, ast.Break, ast.Continue, ast.Return, ast.Delete)


def _is_step(statement: ast.stmt) -> bool:
    """Tell whether a statement changes something, so that it may be missing or too much."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Call)
    return isinstance(statement, ast.Assign | ast.AugAssign | ast.Break | ast.Continue | ast.Delete)


def _around(statement: ast.stmt, text: str, source: Code) -> Iterator[tuple[Place, str]]:
    """Yield the insertions of a text of one row, or of rows below it, before and after a statement."""
    place, indent = Place.of(statement), source.before(statement)
    rows = text.replace("\n", f"\n{indent}")
    yield Place(place.row, place.byte, place.row, place.byte), f"{rows}\n{indent}"
    if not isinstance(statement, ast.Return | ast.Break | ast.Continue | ast.Raise):
        yield Place(place.end_row, place.end_byte, place.end_row, place.end_byte), f"\n{indent}{rows}"


def _inserted(statement: ast.stmt, _scope: Scope, function: _Function, source: Code) -> _Found:
    steps = [one for one in ast.walk(function) if isinstance(one, ast.stmt) and _is_step(one)]
    copies = dict.fromkeys(source.of(one) for one in steps if not isinstance(one, ast.Break | ast.Continue))
    for text in list(copies)[:_MOST_COPIES]:
        if "\n" not in text and text != source.of(statement):
            for place, after in _around(statement, text, source):
                yield "insert", place, after


def _updated(statement: ast.stmt, scope: Scope, function: _Function, source: Code) -> _Found:
    texts: list[str] = []
    nodes = list(ast.walk(function))
    if isinstance(statement, _SIMPLE) or not _has_else(statement):
        for node in nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                base = source.of(node.func.value)
                if step := _STEPS.get(node.func.attr):
                    given = source.of(node.args[0]) if node.args and step == "discard" else ""
                    texts.append(f"{base}.{step}({given})")
        texts += [f"self.{name} = {value}" for name, value in _flags(source, scope)]
        texts += [f"{name} += 1" for name in _counters(function)]
    for text in dict.fromkeys(texts[:_MOST_COPIES]):
        for place, after in _around(statement, text, source):
            yield "update", place, after


def _has_else(statement: ast.stmt) -> bool:
    return bool(getattr(statement, "orelse", None))


def _flags(source: Code, scope: Scope) -> list[tuple[str, str]]:
    """Return the attributes of self that the file sets to True, False or None, with these values."""
    found = re.findall(r"self\.(\w+) = (True|False|None)\b", source.text)
    return [pair for pair in dict.fromkeys(found) if pair[0] in scope.members]


def _counters(function: _Function) -> list[str]:
    """Return the names that start as a whole number in a function and are counted nowhere else."""
    starts = [
        target.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, int)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    return list(dict.fromkeys(starts))


def _returned_early(statement: ast.stmt, scope: Scope, function: _Function, source: Code) -> _Found:
    place, indent = Place.of(statement), source.before(statement)
    begin = Place(place.row, place.byte, place.row, place.byte)
    names = _names_before(statement, scope, function)[:_MOST_NAMES]
    nodes = list(ast.walk(function))
    given = [source.of(node.value) for node in nodes if isinstance(node, ast.Return) and node.value is not None]
    constants = [one for one in given if one in ("True", "False", "None", "0", "1", "[]", "{}", '""')]
    answers = list(dict.fromkeys([*constants, *(("False",) if constants == ["True"] else ())]))
    conditions = [f"{one} == {other}" for one, other in combinations(names, 2)]
    conditions += [condition for name in names for condition in (f"not {name}", f"{name} is None")]
    ends = [f"return {answer}" for answer in answers]
    if statement is function.body[0] or statement is function.body[-1]:
        ends += [f"return {one}" for one in ("0", "1", "[]", "None", *names[:2]) if one not in answers]
    is_in_loop = any(isinstance(node, ast.For | ast.While) and _is_in(statement, node) for node in nodes)
    ends += ["continue"] if is_in_loop else []
    for end in ends:
        for condition in conditions:
            yield "early-return", begin, f"if {condition}:\n{indent}    {end}\n{indent}"


def _is_in(statement: ast.stmt, loop: ast.For | ast.While) -> bool:
    return any(node is statement for below in loop.body for node in ast.walk(below))


def _names_before(statement: ast.stmt, scope: Scope, function: _Function) -> list[str]:
    """Return the variables bound above a statement, the newest first, then the arguments."""
    bound = [
        (node.lineno, node.id)
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.lineno < statement.lineno
    ]
    names = [name for _, name in sorted(bound, key=lambda one: -one[0])]
    arguments = [node.arg for node in function.args.args if node.arg not in ("self", "cls")]
    return [one for one in dict.fromkeys([*names, *arguments]) if one in scope.names]


def _removed(statement: ast.stmt, scope: Scope, _function: _Function, source: Code) -> _Found:
    if _is_step(statement) and len(scope.block) > 1:
        at = scope.block.index(statement)
        if at + 1 < len(scope.block):
            follower = Place.of(scope.block[at + 1])
            whole = Place.of(statement)
            yield "remove", Place(whole.row, whole.byte, follower.row, follower.byte), ""
        else:
            before = Place.of(scope.block[at - 1])
            whole = Place.of(statement)
            yield "remove", Place(before.end_row, before.end_byte, whole.end_row, whole.end_byte), ""
    elif isinstance(statement, ast.If) and not statement.orelse and len(statement.body) == 1:
        yield "remove", Place.of(statement), source.of(statement.body[0])


def _levelled(statement: ast.stmt, scope: Scope, _function: _Function, source: Code) -> _Found:
    """Move the last statement of a block out of it, or the first one after a block into it."""
    at = scope.block.index(statement)
    code, indent = source.of(statement), source.before(statement)
    if isinstance(statement, ast.For | ast.While | ast.If | ast.With) and not _has_else(statement):
        last = statement.body[-1]
        if isinstance(last, _SIMPLE) and len(statement.body) > 1 and "\n" not in source.of(last):
            gap = Place.of(statement.body[-2]).to(Place.of(last))
            yield "level", gap, f"\n{indent}"
        follower = scope.block[at + 1] if at + 1 < len(scope.block) else None
        if isinstance(follower, _SIMPLE) and "\n" not in source.of(follower):
            gap = Place.of(statement).to(Place.of(follower))
            yield "level", gap, f"\n{source.before(last)}"
    elif isinstance(statement, _SIMPLE) and "\n" not in code and at == len(scope.block) - 1 and at > 0:
        gap = Place.of(scope.block[at - 1]).to(Place.of(statement))
        if len(indent) >= 8:
            yield "level", gap, f"\n{indent[:-4]}"


def _ordered(statement: ast.stmt, scope: Scope, _function: _Function, source: Code) -> _Found:
    at = scope.block.index(statement)
    if at + 1 < len(scope.block):
        follower = scope.block[at + 1]
        if isinstance(statement, _SIMPLE) and isinstance(follower, _SIMPLE):
            one, other = Place.of(statement), Place.of(follower)
            gap = source.at(one.to(other))
            yield "order", one.around(other), source.of(follower) + gap + source.of(statement)


_PATTERNS: Final[tuple[Callable[[ast.stmt, Scope, _Function, Code], _Found], ...]] = (
    _inserted, _updated, _returned_early, _removed, _levelled, _ordered,
)  # fmt: skip
