"""Edits of statements: a missing step, made of the names that are there. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from jido_ai.improve.repair.program_code import CodeRange
from jido_ai.improve.repair.site import Edits, Site
from jido_ai.improve.repair.variable_kinds import collections_of_self
from jido_ai.text.python_tree import first_step

_MOST_GIVEN: Final = 4
_PUTTING: Final = ("append", "add", "push", "appendleft")
_SIMPLE: Final = (ast.Expr, ast.Assign, ast.AugAssign)
_ENDS: Final = (("head", "tail"), ("first", "last"), ("front", "back"), ("front", "rear"), ("start", "end"))


def step(site: Site) -> Edits:
    if site.scope.function is None or site.code.before(site.statement).strip():  # not the first statement on its row
        return
    place, indent = CodeRange.of(site.statement), site.code.before(site.statement)
    begin = CodeRange(place.row, place.byte, place.row, place.byte)
    end = CodeRange(place.end_row, place.end_byte, place.end_row, place.end_byte)
    for text in _prepared(site):
        yield begin, f"{text}\n{indent}"
    if isinstance(site.statement, ast.Expr) and not isinstance(site.statement.value, ast.Constant):
        yield begin, "return "
    after = [*_emptied(site), *_mirrored(site)]
    for text in dict.fromkeys(after) if isinstance(site.statement, _SIMPLE) else ():
        if text not in site.of(site.statement):
            yield end, f"\n{text}".replace("\n", f"\n{indent}")


def _prepared(site: Site) -> Iterator[str]:
    """Yield the steps that prepare an argument, at the beginning of a function."""
    function = site.scope.function
    assert function is not None
    if site.statement is first_step(function):
        for name in [one.arg for one in function.args.args if one.arg not in ("self", "cls")][:_MOST_GIVEN]:
            if name not in site.kinds.numbers:
                yield from (f"{name} = {name}.{method}()" for method in ("lower", "strip"))
                yield from (f"{name} = {made}({name})" for made in ("sorted", "list"))


def _emptied(site: Site) -> Iterator[str]:
    """Yield the steps that empty a collection of self where another one is filled."""
    match site.statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Attribute(value=ast.Name(id="self")), attr=method))):
            if method in _PUTTING and site.scope.function is not None:
                done = site.of(site.scope.function)
                yield from (f"{one}.clear()" for one in collections_of_self(site.code.text) if f"{one}." not in done)
        case _:
            pass


def _mirrored(site: Site) -> Iterator[str]:
    """Yield the step with two variables exchanged, and the other end of a queue that becomes empty."""
    code, members = site.of(site.statement), site.scope.members
    names = [node.id for node in ast.walk(site.statement) if isinstance(node, ast.Name)]
    others = [one for one in dict.fromkeys(names) if one in site.scope.names]
    for key in dict.fromkeys(re.findall(r"\[(\w+)\]", code)):
        for other in [one for one in others if one != key and key in others and f"{one}[" not in code]:
            yield re.sub(rf"\b({key}|{other})\b", lambda found: other if found[0] == key else key, code)  # noqa: B023
    for one, other in (*_ENDS, *((other, one) for one, other in _ENDS)):
        ends = {name.strip("_"): name for name in members}
        if one in ends and other in ends and re.search(rf"self\.{ends[one]}\b", code):
            yield f"if self.{ends[one]} is None:\n    self.{ends[other]} = None"
