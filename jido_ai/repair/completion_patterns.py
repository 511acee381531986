"""Completion patterns: a line does a part of what was meant. Pure.

Each function proposes replacements like those of `revisers.fix_patterns`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Final

from jido_ai.repair.program_code import Code, Place, Scope, is_in_loop, names_before, own_nodes
from jido_ai.repair.variable_kinds import kinds_of

__all__ = ["COSTS", "PATTERNS", "completions_of"]

PATTERNS: Final = {
    "companion": "a condition on one thing asks a second thing of it: another attribute, its value, that it is not all",
    "kept": "a value that is not found stays as it was: x = d.get(k, x)",
    "carry": "what goes with an assignment: second = first before first = x; a.y = b.y after a.x = b.x",
    "span": "a slice of one element in place of an element that may be missing: x[i:i + 1]",
    "labelled": "an element of a comprehension with the variable that it comes from: (name, x[name])",
    "reused": "a variable becomes an expression with it that the file uses elsewhere: round(x, 2), width(x)",
    "digits": "a number that is read digit by digit: n = n * 10 + d",
    "pairwise": "two comparisons become one of pairs: (a.year, a.month) < (b.year, b.month)",
    "instead": "a condition becomes another one of the same function",
    "number": "the text of a number becomes the number, or the other way round",
}
"""The patterns and their replacements."""

COSTS: Final = {
    "companion": 8,
    "kept": 5,
    "carry": 8,
    "span": 5,
    "labelled": 6,
    "reused": 8,
    "digits": 6,
    "pairwise": 6,
    "instead": 8,
    "number": 3,
}
"""Each stands in place of the number of characters that a change removes and adds."""

_MOST: Final = 6
_MOST_LIMITS: Final = 3
_PLAIN: Final = ast.Name | ast.Attribute
_NO_VALUE: Final = re.compile(
    r"(print|range|def|enumerate|zip|reversed|iter)\b|.*\.(append|add|remove|discard|extend|update)\("
)
"""Calls that stand elsewhere with a variable and are seldom meant in its place."""
_Found = Iterator[tuple[str, Place, str]]


def completions_of(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    """Yield the name, the place and the code of the proposals for a statement without its block.

    Args:
        values: the values that it uses as a whole.
    """
    for pattern in _PATTERNS:
        yield from pattern(statement, values, scope, source)


def _tests_of(statement: ast.stmt) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the parts of the conditions of a statement, each with its whole condition."""
    tests = [statement.test] if isinstance(statement, ast.If | ast.While) else []
    if isinstance(statement, ast.Return) and isinstance(statement.value, ast.Compare | ast.BoolOp | ast.Call):
        tests.append(statement.value)
    for node in own_nodes(statement):
        if isinstance(node, ast.IfExp):
            tests.append(node.test)
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            tests += [test for one in node.generators for test in one.ifs]
    for test in tests:
        for part in test.values if isinstance(test, ast.BoolOp) else [test]:
            yield part, test


def _companions(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    for part, test in _tests_of(statement):
        code, place = source.of(part), Place.of(part)
        is_alone = part is test

        def joined(word: str, also: str, code: str = code, is_alone: bool = is_alone) -> str:
            return f"{code} {word} {also}" if is_alone else f"({code} {word} {also})"

        match part.operand if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not) else part:
            case ast.Attribute(value=owner, attr=attr):
                others = [one for one in dict.fromkeys((*scope.members, *scope.attributes)) if one != attr]
                for also in [f"{sign}{source.of(owner)}.{other}" for other in others[:_MOST] for sign in ("", "not ")]:
                    yield "companion", place, joined("and", also)
                    yield "companion", place, joined("or", also)
            case ast.Call(
                func=ast.Attribute(value=text, attr="startswith" | "endswith"), args=[ast.Constant() as mark]
            ):
                yield "companion", place, joined("and", f"{source.of(text)} != {source.of(mark)}")
                yield "companion", place, joined("and", f"len({source.of(text)}) > 1")
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name() as value, _]):
                yield "companion", place, joined("and", value.id)
                yield "companion", place, joined("or", f"not {value.id}")
            case ast.Compare(left=key, ops=[ast.In()], comparators=[ast.Name() | ast.Attribute() as base]):
                yield from _of_what_is_found(f"{source.of(base)}[{source.of(key)}]", statement, scope, place, joined)
            case _:
                pass


def _of_what_is_found(
    found: str, statement: ast.stmt, scope: Scope, place: Place, joined: Callable[[str, str], str]
) -> _Found:
    """Ask something of the value that a condition finds in a mapping, too."""
    yield "companion", place, joined("and", found)
    yield "companion", place, joined("and", f"not {found}")
    if scope.function is None:
        return
    collections = kinds_of(scope.function).collections
    names = [one for one in names_before(statement, scope, scope.function) if one not in collections]
    for name in [one for one in names if one not in found][:_MOST_LIMITS]:
        for sign in ("<=", "<", ">=", ">", "=="):
            yield "companion", place, joined("and", f"{found} {sign} {name}")


def _kept(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    match statement:
        case ast.Assign(
            targets=[ast.Name() | ast.Attribute() as target],
            value=ast.Call(func=ast.Attribute(attr="get"), args=[_], keywords=[]) as call,
        ) if source.of(call).endswith(")"):
            yield "kept", Place.of(call), f"{source.of(call)[:-1]}, {source.of(target)})"
        case ast.Assign(targets=[ast.Name() | ast.Attribute() as target], value=ast.Name() as value):
            yield "kept", Place.of(value), f"{value.id} or {source.of(target)}"
            yield "kept", Place.of(value), f"{source.of(target)} or {value.id}"
        case _:
            pass


def _carried(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if scope.function is None or source.before(statement).strip():
        return
    place, indent = Place.of(statement), source.before(statement)
    begin = Place(place.row, place.byte, place.row, place.byte)
    end = Place(place.end_row, place.end_byte, place.end_row, place.end_byte)
    match statement:
        case ast.Assign(
            targets=[ast.Attribute(value=owner, attr=attr)], value=ast.Attribute(value=giver, attr=given)
        ) if attr == given:
            one, other = source.of(owner), source.of(giver)
            for name in [name for name in dict.fromkeys((*scope.attributes, *scope.members)) if name != attr][:_MOST]:
                yield "carry", end, f"\n{indent}{one}.{name} = {other}.{name}"
        case ast.Assign(targets=[ast.Name(id=best)], value=value) if statement not in scope.function.body:
            assigned = [
                node.id
                for node in ast.walk(scope.function)
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id != best
            ]
            used = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
            for name in [one for one in dict.fromkeys(assigned) if one not in used][:_MOST]:
                yield "carry", begin, f"{name} = {best}\n{indent}"
        case _:
            pass


def _spans(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        for side in [node.left, *node.comparators] if isinstance(node, ast.Compare) else ():
            if not isinstance(side, ast.Subscript):
                continue
            match side.slice:
                case ast.BinOp(op=ast.Add(), right=ast.Constant(value=int(step))) as index:
                    end = f"{source.of(index.left)} + {step + 1}"
                    yield "span", Place.of(index), f"{source.of(index)}:{end}"
                case ast.Name(id=index):
                    yield "span", Place.of(side.slice), f"{index}:{index} + 1"
                case ast.Constant(value=0):
                    yield "span", Place.of(side.slice), ":1"
                case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)):
                    yield "span", Place.of(side.slice), "-1:"
                case _:
                    pass


def _labelled(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp) and not isinstance(node.elt, ast.Tuple):
            names = [one.id for one in ast.walk(node.generators[0].target) if isinstance(one, ast.Name)]
            for name in [one for one in names if one != source.of(node.elt)][:2]:
                yield "labelled", Place.of(node.elt), f"({name}, {source.of(node.elt)})"
                yield "labelled", Place.of(node.elt), f"({source.of(node.elt)}, {name})"


def _reused(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    """Propose, for a variable or attribute, the calls of it elsewhere, and for a builtin function those of the file."""
    is_indexable = any(one.name == "__getitem__" for one in scope.siblings)
    for node in own_nodes(statement):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
            if node.func.id in ("len", "int", "float", "str", "sorted", "sum", "max", "min", "bool", "abs"):
                for helper in scope.helpers[:_MOST]:
                    if helper.removeprefix("self.") != scope.name:
                        yield "reused", Place.of(node.func), helper
        elif is_indexable and isinstance(node, ast.Subscript) and source.of(node.value).startswith("self."):
            yield "reused", Place.of(node.value), "self"
    code = source.of(statement)
    for node in values:
        if not isinstance(node, _PLAIN):
            continue
        name = source.of(node)
        used = re.findall(rf"(?<![\w.])[\w.]+\({re.escape(name)}(?:, [\w.]+)*\)", source.text)
        for other in list(dict.fromkeys(used))[:_MOST_LIMITS]:
            if other not in code and not _NO_VALUE.match(other):
                yield "reused", Place.of(node), other


def _numbers(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if not isinstance(node, ast.Constant):
            continue
        if isinstance(node.value, str) and re.fullmatch(r"-?[0-9]+", node.value):
            yield "number", Place.of(node), str(int(node.value))
        elif isinstance(node.value, int) and not isinstance(node.value, bool):
            yield "number", Place.of(node), f'"{source.of(node)}"'


def _read_by_digits(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    match statement:
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=ast.Call(func=ast.Name(id="int")) as digit):
            yield "digits", Place.of(statement), f"{name} = {name} * 10 + {source.of(digit)}"
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.BinOp(left=ast.Name(id=same), op=ast.Add(), right=ast.Call(func=ast.Name(id="int"))) as total,
        ) if name == same:
            yield "digits", Place.of(total.left), f"{name} * 10"
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="int"), args=[ast.Name()]) as digit
        ):
            if scope.function is not None and is_in_loop(statement, scope.function):
                yield "digits", Place.of(digit), f"{name} * 10 + {source.of(digit)}"
        case _:
            pass


def _in_pairs(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        match node:
            case ast.BoolOp(
                values=[
                    ast.Compare(left=one, ops=[op], comparators=[other]),
                    ast.Compare(left=second, ops=[_], comparators=[of_other]),
                ]
            ) if isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
                sign = source.at(Place.of(one).to(Place.of(other)))
                left = f"({source.of(one)}, {source.of(second)})"
                yield "pairwise", Place.of(node), f"{left}{sign}({source.of(other)}, {source.of(of_other)})"
            case _:
                pass


def _instead(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if isinstance(statement, ast.If | ast.While) and scope.function is not None:
        own = source.of(statement.test)
        tests = [one.test for one in ast.walk(scope.function) if isinstance(one, ast.If | ast.While)]
        for other in list(dict.fromkeys(source.of(one) for one in tests))[:_MOST]:
            if other != own and "\n" not in other:
                yield "instead", Place.of(statement.test), other


_PATTERNS: Final[tuple[Callable[[ast.stmt, list[ast.expr], Scope, Code], _Found], ...]] = (
    _companions, _kept, _carried, _spans, _labelled, _reused, _numbers, _read_by_digits, _in_pairs,
    _instead,
)  # fmt: skip
