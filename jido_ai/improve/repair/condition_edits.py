"""Edits of conditions: comparisons, `and` and `or`, and a second condition. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from jido_ai.improve.repair.program_code import CodeRange, swapped
from jido_ai.improve.repair.site import Edits, Site

_MOST_CONDITIONS: Final = 8
_SIGNS: Final[Mapping[type[ast.cmpop], str]] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_BOUNDARIES: Final = {"<": ("<=",), "<=": ("<",), ">": (">=",), ">=": (">",)}
_OPPOSITES: Final = {
    "<": (">",), ">": ("<",), "<=": (">=",), ">=": ("<=",), "==": ("!=",), "!=": ("==",),
}  # fmt: skip
_MEMBERSHIPS: Final = {"is": ("is not",), "is not": ("is",), "in": ("not in",), "not in": ("in",)}


def boundary(site: Site) -> Edits:
    yield from _with_other_signs(site, _BOUNDARIES)


def opposite(site: Site) -> Edits:
    is_answer = isinstance(site.statement, ast.Return) and isinstance(site.statement.value, ast.Compare)
    yield from _with_other_signs(site, {} if is_answer else _MEMBERSHIPS)  # a returned `in` is seldom wrong
    yield from _with_other_signs(site, _OPPOSITES)
    for node in site.nodes:
        if isinstance(node, ast.BoolOp):
            old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            for left, right in pairwise(node.values):
                gap = CodeRange.of(left).to(CodeRange.of(right))
                yield gap, swapped(site.at(gap), old, new)


def _with_other_signs(site: Site, others: Mapping[str, tuple[str, ...]]) -> Edits:
    for node in site.nodes:
        if isinstance(node, ast.Compare):
            for (left, right), op in zip(pairwise([node.left, *node.comparators]), node.ops, strict=True):
                gap, old = CodeRange.of(left).to(CodeRange.of(right)), _SIGNS[type(op)]
                for new in others.get(old, ()):
                    yield gap, swapped(site.at(gap), old, new)


def conjunct(site: Site) -> Edits:
    scope = site.scope
    for test in site.tests:
        place, code = CodeRange.of(test), site.of(test)
        inner = f"({code})" if isinstance(test, ast.BoolOp) else code
        named = [one.id for one in ast.walk(test) if isinstance(one, ast.Name) and one.id in scope.names]
        fields = [f"{name}.{one}" for name in dict.fromkeys(named) for one in scope.attributes]
        for other in (*scope.conditions[:_MOST_CONDITIONS], *fields):
            if other not in code:
                part = f"({other})" if re.search(r"\b(and|or)\b", other) else other
                yield place, f"{inner} and {part}"
                yield place, f"{inner} or {part}"
                if re.fullmatch(r"[\w.]+", other):
                    yield place, f"{inner} and not {part}"
        for node in ast.walk(test):
            match node:
                case ast.Compare(left=ast.Name(id=name), ops=[ast.Gt() | ast.GtE()]):
                    if name not in site.kinds.collections:
                        yield place, f"{name} < 0 or {inner}"
                case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), _]):
                    yield place, f"{inner} and {name}"
                case _:
                    pass
