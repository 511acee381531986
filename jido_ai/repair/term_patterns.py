"""Term patterns: what is missing in an index, a sum or a condition, and what stands in another order. Pure.

Each function proposes replacements like those of `revisers.fix_patterns`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Final

from jido_ai.repair.program_code import Code, Function, Place, Scope, conditions_of, names_before, own_nodes
from jido_ai.repair.variable_kinds import kinds_in, numbers_before

__all__ = ["COSTS", "PATTERNS", "terms_of"]

PATTERNS: Final = {
    "compound": "a compound assignment whose signs are the wrong way round: x =- 1 becomes x -= 1",
    "place": "an index with another term: x[j] becomes x[i + j] or x[1 - j]; a slice or a pair of indices moved by one",
    "flagged": "a condition joined with a variable that is True or False",
    "floor": "indices that are compared with their upper bounds are compared with 0, too",
    "power": "a power of two in place of its exponent",
    "begin": "range() from a variable on instead of from 0",
    "given": "a constant among arguments or in a tuple becomes a variable",
    "cycle": "a path from where its last element occurs first: path[path.index(x):] + [x]",
    "front": "insert(0, x) in place of append(x), or the other way round; one more before a list: [head, *rows]",
    "backwards": "an argument or a compared slice in reverse order",
    "from-end": "the last n elements, where n may be 0: x[max(len(x) - n, 0):] in place of x[-n:]",
    "another": "one more argument of min or max",
    "chain": "two calls of one method in the other order: x.replace(c, d).replace(a, b); min and max swapped",
}
"""The patterns and their replacements."""

COSTS: Final = {
    "compound": 1, "place": 7, "flagged": 8, "floor": 5, "power": 7, "begin": 6, "given": 6, "cycle": 6,
    "front": 6, "backwards": 7, "from-end": 5, "another": 7, "chain": 5,
}  # fmt: skip
"""Each stands in place of the number of characters that a change removes and adds."""

_MOST: Final = 6
_MOST_FLAGS: Final = 6
_PLAIN: Final = (ast.Name, ast.Attribute)
_RAISING: Final = (ast.LShift, ast.RShift, ast.Pow)
_Found = Iterator[tuple[str, Place, str]]


def terms_of(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    """Yield the name, the place and the code of the proposals for a statement without its block.

    Args:
        values: the values that it uses as a whole.
    """
    for pattern in _PATTERNS:
        yield from pattern(statement, values, scope, source)


# -- places ----------------------------------------------------------------------------------------


def _places(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        match node:
            case ast.Subscript(slice=ast.Name(id=index) as place) if index not in kinds_in(scope).collections:
                for name in [one for one in numbers_before(statement, scope) if one != index]:
                    yield from (("place", Place.of(place), f"{name} {sign} {index}") for sign in "+-")
                    yield "place", Place.of(place), f"{index} - {name}"
                yield "place", Place.of(place), f"1 - {index}"
                yield from (("place", Place.of(place), f"self.{one}") for one in scope.members[:_MOST])
            case ast.Subscript(slice=ast.Attribute() as place):
                yield "place", Place.of(place), f"1 - {source.of(place)}"
            case ast.Subscript(slice=ast.Slice(lower=lower, upper=upper, step=None) as place) if lower and upper:
                for step in (-1, 1):
                    yield "place", Place.of(place), f"{source.plus(lower, step)}:{source.plus(upper, step)}"
            case ast.Subscript(ctx=ast.Load(), slice=ast.Slice(lower=lower, upper=None, step=None) as place) if lower:
                ends = [one for one in numbers_before(statement, scope) if one != source.of(lower)]
                yield from (("place", Place.of(place), f"{source.of(lower)}:{end}") for end in ("-1", *ends))
            case ast.Subscript(ctx=ast.Load(), slice=ast.Slice(lower=None, upper=upper, step=None) as place) if upper:
                begins = [one for one in numbers_before(statement, scope) if one != source.of(upper)]
                yield from (("place", Place.of(place), f"{begin}:{source.of(upper)}") for begin in ("1", *begins))
            case ast.Subscript(slice=ast.Tuple(elts=parts) as place) if len(parts) > 1:
                if all(isinstance(one, ast.Name) for one in parts):
                    for step in (-1, 1):
                        yield "place", Place.of(place), ", ".join(source.plus(one, step) for one in parts)
            case _:
                pass


def _from_the_end(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        match node:
            case ast.Subscript(
                value=base, slice=ast.Slice(lower=ast.UnaryOp(op=ast.USub(), operand=number), upper=None, step=None)
            ) if not isinstance(number, ast.Constant):
                length = f"len({source.of(base)}) - {source.operand(number)}"
                yield "from-end", Place.of(node), f"{source.operand(base)}[max({length}, 0):]"
            case _:
                pass


def _cycles(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        match node:
            case ast.BinOp(left=ast.Name(id=path), op=ast.Add(), right=ast.List(elts=[last])):
                yield "cycle", Place.of(node.left), f"{path}[{path}.index({source.of(last)}):]"
            case _:
                pass


def _ranges(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        match node:
            case ast.Call(func=ast.Name(id="range"), args=[end]):
                for name in [one for one in numbers_before(statement, scope) if one != source.of(end)]:
                    yield "begin", Place.of(end), f"{name}, {source.of(end)}"
            case _:
                pass


# -- values ----------------------------------------------------------------------------------------


def _compounds(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    match statement:
        case ast.Assign(targets=[target], value=ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=number)):
            gap = Place.of(target).to(Place.of(number))
            if sign := re.fullmatch(r"\s*=([+-])\s*", source.at(gap)):
                yield "compound", gap, f" {sign[1]}= "
        case _:
            pass


def _powers(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if scope.function is None:
        return
    code = source.of(scope.function)
    forms = [form for form, mark in (("1 << {}", "1 <<"), ("2 ** {}", "2 **")) if mark in code]
    if not forms:
        return
    parts = [side for node in own_nodes(statement) if isinstance(node, ast.BinOp) for side in (node.left, node.right)]
    exponents = {
        node.right for node in own_nodes(statement) if isinstance(node, ast.BinOp) and isinstance(node.op, _RAISING)
    }
    for node in dict.fromkeys((*values, *parts)):
        if isinstance(node, ast.Name) and node not in exponents and node.id not in kinds_in(scope).collections:
            for form in forms:
                text = form.format(node.id)
                yield "power", Place.of(node), f"({text})" if node in parts else text


def _given(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        several: list[ast.expr] = []
        if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load):
            several = node.elts
        elif isinstance(node, ast.Call) and source.of(node.func).rpartition(".")[2] not in ("range", "get"):
            several = node.args
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.BinOp):
            several = [node.slice.right]
        for one in several:
            if isinstance(one, ast.Constant) and isinstance(one.value, int) and not isinstance(one.value, bool):
                yield from (("given", Place.of(one), name) for name in numbers_before(statement, scope))


def _another(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        match node:
            case ast.Call(func=ast.Name(id="min" | "max"), args=[first, _, *_] as args, keywords=[]):
                known = {source.of(one) for one in args}
                for name in [one for one in numbers_before(statement, scope) if one not in known]:
                    yield "another", Place.of(first), f"{name}, {source.of(first)}"
            case _:
                pass


# -- orders ----------------------------------------------------------------------------------------


def _fronts(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    gone_through = [statement.iter] if isinstance(statement, ast.For) else []
    for node in own_nodes(statement):
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            gone_through += [one.iter for one in node.generators]
    names = names_before(statement, scope, scope.function) if scope.function is not None else []
    for several in [one for one in gone_through if isinstance(one, _PLAIN)]:
        for name in [one for one in names if one != source.of(several) and one not in kinds_in(scope).numbers][:_MOST]:
            yield "front", Place.of(several), f"[{name}, *{source.of(several)}]"
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=base, attr="append"), args=[one]) as call):
            yield "front", Place.of(call), f"{source.of(base)}.insert(0, {source.of(one)})"
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=base, attr="insert"), args=[_, one]) as call):
            yield "front", Place.of(call), f"{source.of(base)}.append({source.of(one)})"
        case _:
            pass


def _backwards(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        several: list[ast.expr] = []
        if isinstance(node, ast.Call):
            several = node.args
        elif isinstance(node, ast.Compare):
            several = [one for one in (node.left, *node.comparators) if isinstance(one, ast.Subscript)]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            several = [one for one in (node.left, node.right) if source.of(one) in kinds_in(scope).collections]
        for one in several:
            is_slice = isinstance(one, ast.Subscript) and isinstance(one.slice, ast.Slice)
            if is_slice or (isinstance(one, _PLAIN) and source.of(one) not in kinds_in(scope).numbers):
                yield "backwards", Place.of(one), f"{source.of(one)}[::-1]"


def _chains(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Call(func=ast.Attribute(value=base, attr=first)) as inner, attr=second)
            ) if first == second:
                one, other = source.of(inner)[len(source.of(base)) :], source.of(node)[len(source.of(inner)) :]
                yield "chain", Place.of(node), f"{source.of(base)}{other}{one}"
            case ast.Call(func=ast.Name(id="min" | "max" as name) as func, args=args, keywords=[]):
                other = "min" if name == "max" else "max"
                for inner in [one.func for one in args if isinstance(one, ast.Call)]:
                    if source.of(inner) == other:
                        before = source.at(Place.of(func).to(Place.of(inner)))
                        yield "chain", Place.of(func).around(Place.of(inner)), f"{other}{before}{name}"
            case _:
                pass


# -- conditions ------------------------------------------------------------------------------------


def _flagged(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if scope.function is None:
        return
    flags = _flags(scope.function, scope.siblings)
    for test in conditions_of(statement):
        code = source.of(test)
        inner = f"({code})" if isinstance(test, ast.BoolOp) else code
        for flag in [one for one in flags if not re.search(rf"(?<![\w.]){re.escape(one)}\b", code)][:_MOST_FLAGS]:
            for sign in ("", "not "):
                yield "flagged", Place.of(test), f"{inner} and {sign}{flag}"
                yield "flagged", Place.of(test), f"{inner} or {sign}{flag}"


def _flags(function: Function, siblings: tuple[Function, ...]) -> list[str]:
    """Return the variables of a function, its arguments and the attributes of self that are True or False."""
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(named[len(named) - len(arguments.defaults) :], arguments.defaults, strict=True)]
    found = [one.arg for one, default in pairs if _is_truth(default)]
    for place in dict.fromkeys((function, *siblings)):
        for node in ast.walk(place):
            if isinstance(node, ast.Assign) and _is_truth(node.value):
                if isinstance(node.targets[0], ast.Name) and place is function:
                    found.append(node.targets[0].id)
                elif isinstance(node.targets[0], ast.Attribute):
                    found.append(ast.unparse(node.targets[0]))
    return list(dict.fromkeys(found))


def _is_truth(node: ast.expr) -> bool:
    is_constant = isinstance(node, ast.Compare) or (isinstance(node, ast.Constant) and isinstance(node.value, bool))
    return is_constant or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))


def _floors(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            bounded = [_is_bounded(one) for one in node.values]
            if sum(bounded) > 1:
                parts = zip(node.values, bounded, strict=True)
                yield (
                    "floor",
                    Place.of(node),
                    " and ".join(f"{'0 <= ' * is_one}{source.of(one)}" for one, is_one in parts),
                )


def _is_bounded(node: ast.expr) -> bool:
    return isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Lt | ast.LtE)


_PATTERNS: Final[tuple[Callable[[ast.stmt, list[ast.expr], Scope, Code], _Found], ...]] = (
    _compounds, _places, _flagged, _floors, _powers, _ranges, _given, _cycles, _fronts, _backwards, _from_the_end,
    _another, _chains,
)  # fmt: skip
