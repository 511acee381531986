"""Mutations: small changes of a Python program, like those of a slip or its fix, in the order to try them. Pure.

`operators` lists the changes; the rest of the file stays byte for byte. Source of the idea: the competent
programmer hypothesis (DeMillo, Lipton, Sayward 1978), reversed as in Debroy and Wong: Using Mutation to Automatically
Suggest Fixes for Faulty Programs (2010).
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, takewhile
from math import exp
from typing import Final

from jido_ai.improve.repair.fstring_fields import placed_tree
from jido_ai.improve.repair.mutant_check import MutantCheck
from jido_ai.improve.repair.naturalness import Naturalness
from jido_ai.improve.repair.operators import OPERATORS, Operator
from jido_ai.improve.repair.program_code import Code, CodeRange, heads_of, statements_of
from jido_ai.improve.repair.site import Site
from jido_ai.text.edits import Edit, apply_edits
from jido_ai.text.python_tree import is_text, tree_of

_MAX_MUTATIONS: Final = 2_000
_MAX_PROPOSALS: Final = 20_000
_LONGEST: Final = 4_000  # characters of a statement; nobody looks for a slip in a longer one
_SHARING: Final = 0.7
"""1: an operator has the same weight in all, however many changes it proposes; 0: each of its changes has the same."""
_NATURAL: Final = 2.0
"""A change all of whose code stands elsewhere in the file is e^2 times as probable as one of new code."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change.

    Attributes:
        operator: one of `OPERATORS`.
        line: its line, from 1.
        before, after: the statement before and after the change; only the head of a statement with a block.
        size: number of characters removed and added.
        suspicion: suspicion of the line, from `suspicious_places`.
        weight: how probable the change is among those proposed with it, above 0; they sum to 1.
    """

    operator: str
    line: int
    before: str
    after: str
    size: int
    suspicion: float
    edit: Edit
    weight: float = 1.0

    def apply(self, source: str) -> str:
        """Return the program with the change applied."""
        return apply_edits(source, [self.edit])


def mutations(
    source: str,
    suspicion: Mapping[int, float],
    *,
    max_lines: int = 40,
    max_results: int = _MAX_MUTATIONS,
) -> Iterator[Mutation]:
    """Yield the changes of the most suspicious lines that leave the program valid, in the order to try them.

    The most probable ones first. Each operator is as probable as it is frequent among fixes, and shares that among the
    changes that it proposes: suspicious lines and small changes get more, and a change of an operator that fits few
    places is stronger evidence if it passes. Code that stands elsewhere in the file is more probable. On a tie, smaller
    ones come first.

    Args:
        suspicion: by line; other lines, and those after the first `max_lines`, are not changed. A statement is as
            suspicious as the most suspicious of its own lines.
        max_results: maximum number of changes; the first ones are yielded. Whether one leaves the program valid is
            found out when it is asked for.

    Raises:
        SyntaxError: `source` is not valid Python.
        RecursionError, MemoryError: `source` is nested too deeply.
    """
    lines = _changeable(tree_of(source), suspicion, max_lines)
    found: dict[Edit, Mutation] = {}
    for mutation in islice(_proposed(source, lines), _MAX_PROPOSALS):
        found.setdefault(mutation.edit, mutation)
    weighed = _weighed(source, list(found.values()))
    ranked = sorted(weighed, key=lambda one: (-one.weight, one.size, -one.suspicion))
    is_fitting = MutantCheck(source)
    return islice((one for one in ranked if is_fitting(one.edit)), max_results)


def _changeable(tree: ast.Module, suspicion: Mapping[int, float], most: int) -> dict[int, float]:
    """Return the most suspicious lines without docstrings and imports.

    An `elif` is at least as suspicious as the `if` above it: perhaps it should have been reached.
    """
    lines = dict(suspicion)
    for statement, _ in statements_of(tree):
        if is_text(statement) or isinstance(statement, ast.Import | ast.ImportFrom):
            for line in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1):
                lines.pop(line, None)
        elif isinstance(statement, ast.If) and len(statement.orelse) == 1 and isinstance(statement.orelse[0], ast.If):
            other = statement.orelse[0].lineno
            lines[other] = max(lines.get(other, 0.0), lines.get(statement.lineno, 0.0))
    return dict(sorted(lines.items(), key=lambda item: (-item[1], item[0]))[:most])


def _weighed(source: str, found: list[Mutation]) -> list[Mutation]:
    """Return the changes with their weights: each operator shares its own among its changes.

    The more changes an operator proposes, the more it has to share: at places that it fits its slips are more frequent,
    too.
    """
    naturalness = Naturalness(source)
    shares = [one.suspicion**3 / (4 + one.size) for one in found]  # suspicious lines and small changes have more
    sums: Counter[str] = Counter()
    for one, share in zip(found, shares, strict=True):
        sums[one.operator] += share  # pyright: ignore[reportArgumentType] - a counter of floats
    weights = [
        OPERATORS[one.operator].share
        * share
        / sums[one.operator] ** _SHARING
        * exp(_NATURAL * naturalness.of(one.before, one.after))
        for one, share in zip(found, shares, strict=True)
    ]
    whole = sum(weights)
    return [replace(one, weight=weight / whole) for one, weight in zip(found, weights, strict=True)]


def _proposed(source: str, lines: Mapping[int, float]) -> Iterator[Mutation]:
    code = Code(source)
    for statement, scope in statements_of(placed_tree(source)):
        heads = [
            (head.place, max((lines.get(line, 0.0) for line in head.lines), default=0.0))
            for head in heads_of(statement)
        ]
        if any(weight > 0.0 for _, weight in heads) and len(code.at(heads[0][0])) <= _LONGEST:
            site = Site(statement, scope, code)
            for operator in OPERATORS.values():
                for change in operator.edits(site):
                    begin = change[0].row, change[0].byte
                    head, weight = next((one for one in heads[::-1] if (one[0].row, one[0].byte) <= begin), heads[0])
                    if weight > 0.0:
                        yield _mutation(operator, change, head, weight, code)


def _mutation(
    operator: Operator, change: tuple[CodeRange, str], head: CodeRange, suspicion: float, code: Code
) -> Mutation:
    """Return the change of a statement's head, with its size computed from the head's code."""
    place, after = change
    before = code.at(place)
    size = len(before) + len(after) - 2 * _in_common(before, after)
    row, column = place.row, code.column(place.row, place.byte)
    edit = Edit(row, column, place.end_row, code.column(place.end_row, place.end_byte), after)
    is_below = (head.row, head.byte) <= (place.row, place.byte)
    begin = code.at(CodeRange(head.row, head.byte, place.row, place.byte)) if is_below else ""
    is_inside = (place.end_row, place.end_byte) <= (head.end_row, head.end_byte)
    tail = code.at(place.to(CodeRange(head.end_row, head.end_byte, head.end_row, head.end_byte))) if is_inside else ""
    mark = ";" if operator.is_of_statement else ""  # several statements in one row
    statement, replacement = (
        " ".join((begin + text.replace("\n", f"{mark}\n") + tail).replace(":;", ":").split()).removesuffix(";")
        for text in (before, after)
    )
    return Mutation(operator.name, row, statement, replacement, size, suspicion, edit)


def _in_common(one: str, other: str) -> int:
    """Return the number of characters in the common prefix and, of the rest, in the common suffix."""
    head = _same(one, other)
    return head + _same(one[head:][::-1], other[head:][::-1])


def _same(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


# -- lessons of repairs ----------------------------------------------------------------------------
