"""Untested conditions: whether tests would pass with the condition of a repair always true or always false. Pure.

Such tests do not say what the condition should be, so that many wrong ones pass. Source of the idea: patches that only
remove behaviour, as in Qi, Long, Achour, Rinard: An Analysis of Patch Plausibility and Correctness (2015).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jido_ai.improve.repair.fstring_fields import placed_tree
from jido_ai.improve.repair.program_code import Code, CodeRange
from jido_ai.text.edits import Edit, apply_edits
from jido_ai.text.python_tree import tree_of

_Position = tuple[int, int]


def constant_conditions(text: str, edit: Edit) -> list[str]:
    """Return a repaired program with the condition that the repair changed replaced by True, and by False.

    Args:
        text: a valid program, with the repair.
        edit: the repair, by its place in the program before it.

    Returns:
        Nothing if the repair changed no condition.
    """
    begin, end = (edit.row, edit.column), _end_of(edit)
    code = Code(text)
    around: list[Edit] = []
    inside: list[Edit] = []
    for node in _conditions(placed_tree(text)):
        place = CodeRange.of(node)
        first = place.row, code.column(place.row, place.byte)
        last = place.end_row, code.column(place.end_row, place.end_byte)
        if first <= begin and end <= last:
            around.append(Edit(*first, *last, ""))
        elif begin <= first and last <= end:
            inside.append(Edit(*first, *last, ""))
    if around:
        changed = max(around, key=lambda one: ((one.row, one.column), (-one.end_row, -one.end_column)))  # the innermost
    elif inside:
        changed = min(inside, key=lambda one: ((one.row, one.column), (-one.end_row, -one.end_column)))
    else:
        return []
    place = changed.row, changed.column, changed.end_row, changed.end_column
    return [apply_edits(text, [Edit(*place, constant)]) for constant in ("True", "False")]


def removes_condition(before: str, after: str) -> bool:
    """Tell whether a program has fewer conditions after its repair: one of them is always true or false now.

    What `and` and `or` join counts as one condition less than its parts: x or y as much as x if x is not None else y.
    """
    return _number(tree_of(after)) < _number(tree_of(before))


def _number(tree: ast.AST) -> int:
    return sum(1 for _ in _parts(tree)) - sum(isinstance(node, ast.BoolOp) for node in ast.walk(tree))


def _end_of(edit: Edit) -> _Position:
    """Return where the new text ends, in the program with it."""
    *rows, last = edit.content.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return (edit.row + len(rows), len(last) + 1) if rows else (edit.row, edit.column + len(last))


def _conditions(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the conditions of statements and their parts, and all other comparisons."""
    yield from _parts(tree)
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.Compare | ast.BoolOp))


def _parts(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the conditions of statements, and what `and` and `or` join."""
    for node in ast.walk(tree):
        match node:
            case ast.If() | ast.While() | ast.IfExp():
                yield node.test
            case ast.comprehension():
                yield from node.ifs
            case ast.BoolOp():
                yield from node.values
            case _:
                pass
