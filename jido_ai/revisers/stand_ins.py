"""Stand-ins: other values in place of the one that a repair changed, which nobody would mean there. Pure.

Tests that pass with some of them as well say little about the repair.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from jido_ai.revisers.fstring_fields import placed_tree
from jido_ai.revisers.program_code import Code, Place, Scope, names_before, own_nodes, statements_of
from jido_ai.text.edits import Edit, apply_edits

__all__ = ["StandIn", "stand_ins"]

_TRUTHS: Final = ("True", "False")
_CONSTANTS: Final = ("None", "0", "1", "-1", "2", '""', "[]")
_COMPARISONS: Final = ("<", "<=", ">", ">=", "==", "!=", "in", "not in")
_OPERATORS: Final = ("+", "-", "*", "//", "%")
_MOST_NAMES: Final = 8
_MOST_TEXTS: Final = 4


@dataclass(frozen=True, slots=True)
class StandIn:
    """The repaired program with another value.

    Attributes:
        is_other: the value is surely another one: not, perhaps, another way to write the same.
    """

    program: str
    is_other: bool


def stand_ins(source: str, edit: Edit) -> list[StandIn]:
    """Return the repaired program with each of up to some thirty values in place of the one that the repair changed.

    Args:
        source: a valid program, without the repair.
        edit: the repair.

    Returns:
        Nothing if the repair changed no value, but statements or what they assign to.
    """
    text = apply_edits(source, [edit])
    code, begin, end = Code(text), *_changed(source, edit)
    found: tuple[ast.expr, ast.stmt, Scope] | None = None
    for statement, scope in statements_of(placed_tree(text)):
        nodes = list(own_nodes(statement))
        functions = {node.func for node in nodes if isinstance(node, ast.Call)}
        for node in nodes:  # outer ones first
            place = Place.of(node)
            first = place.row, code.column(place.row, place.byte)
            last = place.end_row, code.column(place.end_row, place.end_byte)
            is_value = not isinstance(node, ast.Slice | ast.Starred) and node not in functions
            is_read = is_value and isinstance(getattr(node, "ctx", None), ast.Load | None)
            if first <= begin and end <= last and is_read:
                found = node, statement, scope
    if found is None or (isinstance(found[1], ast.Expr) and found[1].value is found[0]):
        return []
    place = Place.of(found[0])
    row, column = place.row, code.column(place.row, place.byte)
    end_row, end_column = place.end_row, code.column(place.end_row, place.end_byte)
    own, others = _shape(code.of(found[0])), dict[str, tuple[str, bool]]()
    for value, is_other in _values(*found, code):
        others.setdefault(_shape(value), (value, is_other))
    return [
        StandIn(apply_edits(text, [Edit(row, column, end_row, end_column, f"({value})")]), is_other)
        for shape, (value, is_other) in others.items()
        if own and shape not in ("", own)
    ]


def _shape(value: str) -> str:
    """Return the syntax tree of an expression as text; empty if it is none by itself, like a format in an f-string."""
    try:
        return ast.dump(ast.parse(f"({value})", mode="eval"))
    except SyntaxError:
        return ""


def _changed(source: str, edit: Edit) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return where the part of the new text begins and ends that the old one has not, in the program with it."""
    old = Code(source).at(_bytes_of(source, edit))
    new = edit.content
    head = _same(old, new)
    tail = _same(old[head:][::-1], new[head:][::-1])
    return _after(edit, new[:head]), _after(edit, new[: len(new) - tail])


def _bytes_of(source: str, edit: Edit) -> Place:
    code = Code(source)

    def byte(row: int, column: int) -> int:
        return len(code.row(row)[: column - 1].encode())

    return Place(edit.row, byte(edit.row, edit.column), edit.end_row, byte(edit.end_row, edit.end_column))


def _same(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _after(edit: Edit, text: str) -> tuple[int, int]:
    """Return the place behind a text that stands where an edit begins."""
    *rows, last = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return (edit.row + len(rows), len(last) + 1) if rows else (edit.row, edit.column + len(last))


def _values(node: ast.expr, statement: ast.stmt, scope: Scope, code: Code) -> Iterator[tuple[str, bool]]:
    """Yield what stands in for a value, and whether it is surely another one."""
    own = code.operand(node)
    others: list[str] = []
    alike: list[str] = []
    if isinstance(node, ast.Compare | ast.BoolOp) or node in _conditions(statement):
        others += _TRUTHS
    else:
        others += _CONSTANTS
        others += names_before(statement, scope, scope.function)[:_MOST_NAMES] if scope.function is not None else []
    match node:
        case ast.Compare(left=left, ops=[_], comparators=[right]):
            alike += [f"{code.operand(left)} {sign} {code.operand(right)}" for sign in _COMPARISONS]
        case ast.BinOp(left=left, right=right):
            alike += [f"{code.operand(left)} {sign} {code.operand(right)}" for sign in _OPERATORS]
            alike += [code.of(left), code.of(right)]
        case ast.BoolOp(values=values):
            alike += [code.of(one) for one in values]
        case ast.Call(func=function, args=arguments):
            alike += [code.of(one) for one in arguments if not isinstance(one, ast.Starred | ast.GeneratorExp)]
            alike += [code.of(function.value)] if isinstance(function, ast.Attribute) else []
        case ast.Constant(value=str()):
            others += [*scope.texts[:_MOST_TEXTS], f"{own} 'x'"]
        case _:
            pass
    is_number = isinstance(node, ast.Constant) and isinstance(node.value, int | float)
    if is_number or isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.BinOp):
        others += [f"{own} {step}" for step in ("+ 1", "- 1", "+ 3")]
    yield from ((value, True) for value in others)
    yield from ((value, False) for value in alike)


def _conditions(statement: ast.stmt) -> list[ast.expr]:
    """Return the conditions of a statement and their parts."""
    found = [statement.test] if isinstance(statement, ast.If | ast.While | ast.Assert) else []
    for node in own_nodes(statement):
        match node:
            case ast.IfExp(test=test):
                found.append(test)
            case ast.BoolOp(values=values):
                found += values
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                found.append(operand)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                found += [test for one in node.generators for test in one.ifs]
            case _:
                pass
    return found
