"""Twin steps: statements made of others of the file: undone, done with another name, or by analogy. Pure.

Each function proposes replacements like those of `revisers.block_fixes`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from jido_ai.repair.program_code import Code, Function, Place, Scope, names_before
from jido_ai.repair.variable_kinds import kinds_of

__all__ = ["COSTS", "PATTERNS", "twins_of"]

PATTERNS: Final = {
    "undo": "what is set or counted before a step is taken back after it: used[i] = False, depth -= 1",
    "twin": "what is done with one attribute of self is done with another one, too; with month += 12, year -= 1",
    "analog": "a step as elsewhere in the file, with the name that it has here: end -= end & -end",
    "remember": "an attribute of self that is read here, and set only at the beginning, is set to a variable",
    "answer": "a function that returns nothing returns a variable at its end",
    "swap": "two checks that return, or two steps with one between them, swapped",
}
"""The patterns and their replacements."""

COSTS: Final = {"undo": 9, "twin": 9, "analog": 8, "remember": 8, "answer": 6, "swap": 7}
"""Each stands in place of the number of characters that a change removes and adds."""

_MOST: Final = 6
_MOST_NAMES: Final = 4
_SIMPLE: Final = (ast.Expr, ast.Assign, ast.AugAssign)
_OPPOSITES: Final = {"+=": "-=", "-=": "+=", " = True": " = False", " = False": " = True"}
_Found = Iterator[tuple[str, Place, str]]


def twins_of(statement: ast.stmt, scope: Scope, function: Function, source: Code) -> _Found:
    """Yield the name, the place and the code of the proposals for a statement among its neighbours."""
    for pattern in _PATTERNS:
        yield from pattern(statement, scope, function, source)


def _after(statement: ast.stmt, text: str, source: Code) -> tuple[Place, str]:
    place = Place.of(statement)
    return Place(place.end_row, place.end_byte, place.end_row, place.end_byte), f"\n{source.before(statement)}{text}"


def _undone(statement: ast.stmt, _scope: Scope, function: Function, source: Code) -> _Found:
    if not isinstance(statement, _SIMPLE):
        return
    for done in ast.walk(function):
        if not isinstance(done, ast.Assign | ast.AugAssign) or done.lineno >= statement.lineno:
            continue
        code = source.of(done)
        for sign, opposite in _OPPOSITES.items():
            text = code.replace(sign, opposite, 1)
            if text != code and "\n" not in code and text not in source.of(function):
                yield "undo", *_after(statement, text, source)


def _twins(statement: ast.stmt, scope: Scope, function: Function, source: Code) -> _Found:
    code = source.of(statement)
    if not isinstance(statement, _SIMPLE) or "\n" in code:
        return
    used = re.findall(r"\bself\.(\w+)\b(?!\()", code)
    for name in dict.fromkeys(one for one in used if one in scope.members):
        for other in [one for one in scope.members if one not in used][:_MOST]:
            yield "twin", *_after(statement, re.sub(rf"\bself\.{name}\b", f"self.{other}", code), source)
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        arguments = [one.arg for one in function.args.args if one.arg in kinds_of(function).numbers]
        if statement.target.id in arguments:  # of month += 12, year -= 1
            for name in [one for one in arguments if one != statement.target.id][:_MOST]:
                yield from (("twin", *_after(statement, f"{name} {sign} 1", source)) for sign in ("+=", "-="))


def _analogs(statement: ast.stmt, scope: Scope, _function: Function, source: Code) -> _Found:
    if not isinstance(statement, ast.AugAssign) or not isinstance(statement.target, ast.Name):
        return
    own = statement.target.id
    for other in [one for function in scope.functions.values() for one in _counts(function)]:
        if isinstance(other.target, ast.Name) and other.target.id != own:
            value = re.sub(rf"\b{other.target.id}\b", own, source.of(other.value))
            if value not in (source.of(statement.value), source.of(other.value)):
                yield "analog", Place.of(statement.value), value


@lru_cache(maxsize=1024)
def _counts(function: Function) -> tuple[ast.AugAssign, ...]:
    """Return the statements of a function that count or add to something."""
    return tuple(node for node in ast.walk(function) if isinstance(node, ast.AugAssign))


def _remembered(statement: ast.stmt, scope: Scope, function: Function, source: Code) -> _Found:
    if not scope.siblings or statement is not function.body[-1] or function.name == "__init__":
        return
    own = source.of(function)
    for name in scope.members:
        sets = re.findall(rf"self\.{name} (?:[-+*/]?=) |self\.{name}, |, self\.{name} = ", source.text)
        if len(sets) == 1 and re.search(rf"self\.{name}\b", own):
            for value in names_before(statement, scope, function)[:_MOST_NAMES]:
                text = f"self.{name} = {value}"
                if isinstance(statement, ast.Return):
                    place = Place.of(statement)
                    begin = Place(place.row, place.byte, place.row, place.byte)
                    yield "remember", begin, f"{text}\n{source.before(statement)}"
                else:
                    yield "remember", *_after(statement, text, source)


def _answered(statement: ast.stmt, scope: Scope, function: Function, source: Code) -> _Found:
    if statement is not function.body[-1] or isinstance(statement, ast.Return | ast.Raise):
        return
    nodes = [node for node in ast.walk(function) if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom)]
    if not nodes and function.name != "__init__":
        for name in names_before(statement, scope, function)[:_MOST]:
            yield "answer", *_after(statement, f"return {name}", source)
        if scope.siblings:
            yield "answer", *_after(statement, "return self", source)


def _swapped(statement: ast.stmt, scope: Scope, _function: Function, source: Code) -> _Found:
    at = scope.block.index(statement)
    followers = scope.block[at + 1 : at + 3]
    if isinstance(statement, ast.If) and followers and isinstance(followers[0], ast.If):
        pair = statement, followers[0]
        if all(not one.orelse and isinstance(one.body[-1], ast.Return | ast.Raise | ast.Continue) for one in pair):
            yield "swap", *_exchanged(*pair, source)
    if len(followers) == 2 and all(isinstance(one, _SIMPLE) for one in (statement, *followers)):
        yield "swap", *_exchanged(statement, followers[1], source)


def _exchanged(one: ast.stmt, other: ast.stmt, source: Code) -> tuple[Place, str]:
    first, second = Place.of(one), Place.of(other)
    return first.around(second), source.of(other) + source.at(first.to(second)) + source.of(one)


_PATTERNS: Final[tuple[Callable[[ast.stmt, Scope, Function, Code], _Found], ...]] = (
    _undone, _twins, _analogs, _remembered, _answered, _swapped,
)  # fmt: skip
