"""Reuse patterns: what a program has elsewhere and a line of it lacks: helpers, defaults, parameters, limits. Pure.

Each function proposes replacements like those of `revisers.fix_patterns`. Source of the idea: most of the code of a fix
is already in the program, as in Martinez, Weimer, Monperrus: Do the Fix Ingredients Already Exist? (2014).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Final, cast

from jido_ai.repair.program_code import (
    Code,
    Function,
    Place,
    Scope,
    names_before,
    own_nodes,
    unread_members,
    unused_names,
)
from jido_ai.repair.variable_kinds import collections_of_self, kinds_of

__all__ = ["COSTS", "PATTERNS", "reuses_of"]

PATTERNS: Final = {
    "default": "d[k] becomes d.get(k, 0) or another default; `x or d` tests for None instead of truth",
    "helper": "a value passed through a function or method of the file, or through an imported one that is not used",
    "forward": "an optional argument of a function of the file gets the variable of its name",
    "parameter": "a constant becomes an argument of the function or an attribute of self",
    "unused": "a variable or argument that the function never reads, in place of a value",
    "simple": "a value becomes a variable, or what the statement assigns to",
    "flag": "True, False, None or a variable becomes an attribute of self",
    "keyed": "d[k] = v adds to the value of the key, keeps it, or counts it: get, setdefault, +=",
    "clamp": "a value limited by min or max to an argument or an attribute of self",
    "scale": "a value multiplied or divided by a constant of the file",
    "value": "another value that the same variable gets elsewhere",
    "start": "a starting value becomes the first element of an argument, or infinity",
    "receiver": "a method call on a value that is stripped or in lower case first",
    "precedence": "another order of two operations: (a + b) * c, a and (b or c), a + (b if c else d)",
}
"""The patterns and their replacements."""

COSTS: Final = {
    "unused": 6, "simple": 6, "flag": 6, "keyed": 7, "default": 7, "helper": 8, "forward": 5, "parameter": 5,
    "clamp": 9, "scale": 8, "value": 6, "start": 6, "receiver": 8, "precedence": 4,
}  # fmt: skip
"""Each stands in place of the number of characters that a change removes and adds."""

_DEFAULTS: Final = ("0", "None", "[]", '""', "False")
_MOST: Final = 6
_Found = Iterator[tuple[str, Place, str]]
_PLAIN: Final = ast.Name | ast.Attribute | ast.Subscript


def reuses_of(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    """Yield the name, the place and the code of the proposals for a statement without its block.

    Args:
        values: the values that it uses as a whole.
    """
    for pattern in _PATTERNS:
        yield from pattern(statement, values, scope, source)


def _defaults(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    known = tuple(dict.fromkeys((*scope.defaults, *_DEFAULTS)))[:_MOST]
    for node in own_nodes(statement):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and not isinstance(node.slice, ast.Slice):
            for default in known:
                yield "default", Place.of(node), f"{source.operand(node.value)}.get({source.of(node.slice)}, {default})"
            yield "default", Place.of(node), f"{source.operand(node.value)}.get({source.of(node.slice)})"
        elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and len(node.values) == 2:
            left, right = source.operand(node.values[0]), source.operand(node.values[1])
            yield "default", Place.of(node), f"{left} if {left} is not None else {right}"
            if re.fullmatch(r"[^()]+\.get\([^(),]+\)", left):
                yield "default", Place.of(node), f"{left[:-1]}, {right})"
                base, _, key = left[:-1].rpartition(".get(")
                yield "default", Place.of(node), f"{base}[{key}] if {key} in {base} else {right}"
        match node:
            case ast.Compare(left=ast.Subscript(value=base, slice=key) as left, comparators=[ast.Constant() as value]):
                text = f"{source.operand(base)}.get({source.of(key)}, {source.of(value)})"
                yield "default", Place.of(left), text
            case ast.Call(func=ast.Attribute(attr="get"), args=[key, ast.Constant() as default], keywords=[]):
                yield "default", Place.of(default), source.of(key)
            case _:
                pass


def _helpers(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    inside = [node.slice for node in own_nodes(statement) if isinstance(node, ast.Subscript)]
    calls = re.findall(rf"\b{scope.name}\(", source.of(scope.function)) if scope.function is not None else []
    is_recursive = len(calls) > 2  # its own name is the first
    for node in dict.fromkeys((*values, *inside)):
        if not isinstance(node, _PLAIN | ast.Call | ast.BinOp):
            continue
        code = source.of(node)
        for helper in scope.helpers:
            is_itself = helper.removeprefix("self.") == scope.name and not is_recursive
            if helper not in code and not is_itself:
                yield "helper", Place.of(node), f"{helper}({code})"
        for copying in _copied(node, scope, source):
            yield "helper", Place.of(node), copying
    for node in own_nodes(statement):
        if isinstance(node, ast.Call) and source.of(node.func) in ("groupby", "itertools.groupby") and node.args:
            given, *keys = [*node.args, *(one.value for one in node.keywords if one.arg == "key")]
            arguments = ", key=".join(source.of(one) for one in (given, *keys[:1]))
            yield "helper", Place.of(given), f"sorted({arguments})"


def _copied(node: ast.expr, scope: Scope, source: Code) -> Iterator[str]:
    """Yield deep copies of a value that is shared or copied flat, where the file imports `copy`."""
    if "copy" not in scope.imported and "deepcopy" not in scope.imported:
        return
    deep = "deepcopy" if "deepcopy" in scope.imported else "copy.deepcopy"
    is_flat = isinstance(node, ast.Call) and source.of(node.func) in ("dict", "list", "set", "copy.copy", "copy")
    if isinstance(node, ast.Call) and is_flat and len(node.args) == 1:
        yield f"{deep}({source.of(node.args[0])})"
    elif isinstance(node, ast.Call) and _method_of(node) == "copy" and isinstance(node.func, ast.Attribute):
        yield f"{deep}({source.of(node.func.value)})"
    elif isinstance(node, _PLAIN):
        yield f"{deep}({source.of(node)})"


def _forwarded(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if not isinstance(node, ast.Call) or (called := scope.functions.get(source.of(node.func))) is None:
            continue
        given = {one.arg for one in node.keywords}
        named = _arguments(called)
        optional = named[len(named) - len(called.args.defaults) - len(called.args.kwonlyargs) :]
        for name in [one for one in optional if one not in given and one in scope.names]:
            code = source.of(node)
            if named.index(name) >= len(node.args) and code.endswith(")"):
                is_next = named.index(name) == len(node.args) and name in [one.arg for one in called.args.args]
                comma = ", " if node.args or node.keywords else ""
                word = name if is_next and not node.keywords else f"{name}={name}"
                yield "forward", Place.of(node), f"{code[:-1]}{comma}{word})"


def _parameters(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if scope.function is None:
        return
    names = [*_arguments(scope.function), *(f"self.{one}" for one in scope.members)]
    unused = unused_names(scope.function)[:_MOST]
    nodes = list(own_nodes(statement))
    steps = {node.right for node in nodes if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)}
    for node in nodes:
        if isinstance(node, ast.Constant) and node.value is None:
            for name in scope.constants[:_MOST]:
                yield "parameter", Place.of(node), name
        elif isinstance(node, ast.Constant) and not isinstance(node.value, bool):
            equal = _with_default(scope.function, node.value)
            is_step = node in steps and node.value == 1  # `i + 1` is seldom meant as `i + size`
            for name in dict.fromkeys(
                (*equal, *unused, *(() if is_step else [*names[:_MOST], *scope.constants[:_MOST]]))
            ):
                yield "parameter", Place.of(node), name


def _clamped(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
        target, step = source.of(statement.target), source.operand(statement.value)
        limits = [f"len({one})" for one in collections_of_self(source.text)]
        for limit in [*limits, *(f"self.{one}" for one in scope.members if f"self.{one}" != target)][:_MOST]:
            yield "clamp", Place.of(statement), f"{target} = min({target} + {step}, {limit})"
        for function in ("max", "min"):
            yield "clamp", Place.of(statement), f"{target} = {function}({target}, {source.of(statement.value)})"
    if not isinstance(statement, ast.Assign | ast.Return) or scope.function is None or statement.value is None:
        return
    value = statement.value
    if not isinstance(value, _PLAIN | ast.BinOp | ast.Call):
        return
    code = source.of(value)
    for limit in [*_arguments(scope.function), *(f"self.{one}" for one in scope.members)][:_MOST]:
        if limit != code:
            for function in ("min", "max"):
                yield "clamp", Place.of(value), f"{function}({code}, {limit})"
    for limit in _arguments(scope.function)[:_MOST]:
        if limit != code and limit not in kinds_of(scope.function).collections:
            yield "clamp", Place.of(value), f"min({code}, {limit} - 1)"
    yield "clamp", Place.of(value), f"max({code}, 0)"
    yield "clamp", Place.of(value), f"max({code}, 1)"
    for limit in [f"len({one})" for one in collections_of_self(source.text)][:_MOST]:
        yield "clamp", Place.of(value), f"min({code}, {limit})"


def _limited(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    """Limit an argument or element by another variable, a factor by 0."""
    if scope.function is None:
        return
    kinds = kinds_of(scope.function)
    products = [node for node in own_nodes(statement) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)]
    for factor in [side for node in products for side in (node.left, node.right) if isinstance(side, ast.Name)]:
        yield "clamp", Place.of(factor), f"max(0, {factor.id})"
    others = [one for one in names_before(statement, scope, scope.function) if one not in kinds.collections][:_MOST]
    sums = [node for node in own_nodes(statement) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)]
    counted = [*values, *(part for node in sums for part in (node.left, node.right))]
    for node in (one for one in counted if isinstance(one, ast.Name) and one.id not in kinds.collections):
        for other in (one for one in others if one != node.id):
            for function in ("min", "max"):
                yield "clamp", Place.of(node), f"{function}({node.id}, {other})"


def _unused(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    names = list(dict.fromkeys(name for one in scope.around for name in unused_names(one)))[:_MOST]
    names += [f"self.{one}" for one in unread_members(scope, source.text)]
    for name in names:
        for node in values:
            if not isinstance(node, ast.Compare | ast.BoolOp | ast.Lambda):
                yield "unused", Place.of(node), name
        if isinstance(statement, ast.AugAssign):
            yield "unused", Place.of(statement), f"{source.of(statement.target)} = {name}"
        for node in own_nodes(statement):
            if isinstance(node, ast.Name) and node not in values and isinstance(node.ctx, ast.Load):
                yield "unused", Place.of(node), name


def _simple(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if scope.function is None:
        return
    names = names_before(statement, scope, scope.function)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    sums = [node for node in own_nodes(statement) if isinstance(node, ast.BinOp)]
    parts = [part for node in sums for part in (node.left, node.right) if not isinstance(part, ast.BinOp)]
    cuts = [node for node in own_nodes(statement) if isinstance(node, ast.Slice)]
    bounds = [one for node in cuts for one in (node.lower, node.upper) if one is not None]
    if isinstance(statement, ast.AugAssign) and isinstance(statement.value, ast.Constant):
        kinds = kinds_of(scope.function)
        for name in [one for one in names if one not in kinds.collections and one != source.of(statement.target)][:4]:
            yield "simple", Place.of(statement), f"{source.of(statement.target)} = {name}"
    for node in dict.fromkeys((*values, *parts, *bounds)):
        if isinstance(target, ast.Attribute | ast.Subscript) and isinstance(node, ast.Name) and node in values:
            yield "simple", Place.of(node), source.of(target)
        if isinstance(node, ast.Attribute | ast.Subscript | ast.Call | ast.BinOp):
            like = [node.attr] if isinstance(node, ast.Attribute) and node.attr in scope.names else []
            members = [f"self.{one}" for one in scope.members] if isinstance(node, ast.Call) else []
            own = (
                {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
                if isinstance(node, ast.BinOp)
                else set[str]()
            )
            for name in dict.fromkeys((*like, *names[:_MOST], *members[:_MOST])):
                if name not in own:  # "unwrap" makes a sum one of its terms
                    yield "simple", Place.of(node), name


def _flags(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    value = statement.value if isinstance(statement, ast.Assign | ast.Return) else None
    is_flag = isinstance(value, ast.Constant) and (value.value is None or isinstance(value.value, bool))
    is_truth = isinstance(value, ast.Constant) and isinstance(value.value, bool)
    if value is not None and (is_flag or isinstance(value, ast.Name)):
        target = source.of(statement.targets[0]) if isinstance(statement, ast.Assign) else ""
        if target and is_truth:
            yield "flag", Place.of(value), f"not {target}"
        for name in scope.members:
            if f"self.{name}" != target:
                yield "flag", Place.of(value), f"self.{name}"


def _keyed(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
        target = statement.targets[0]
        if isinstance(target.slice, ast.Slice):
            return
        base, key, value = source.of(target.value), source.of(target.slice), source.of(statement.value)
        yield "keyed", Place.of(statement.value), f"{base}.get({key}, 0) + {source.operand(statement.value)}"
        yield "keyed", Place.of(statement), f"{base}.setdefault({key}, {value})"
        match statement.value:
            case ast.List(elts=[one]):
                yield "keyed", Place.of(statement), f"{base}.setdefault({key}, []).append({source.of(one)})"
            case ast.Set(elts=[one]):
                yield "keyed", Place.of(statement), f"{base}.setdefault({key}, set()).add({source.of(one)})"
            case _:
                yield "keyed", Place.of(statement), f"{base}.setdefault({key}, []).append({value})"
                yield "keyed", Place.of(statement), f"{base}.setdefault({key}, []).extend({value})"
                yield "keyed", Place.of(statement), f"{base}.setdefault({key}, set()).update({value})"
        for function in ("max", "min"):
            yield "keyed", Place.of(statement.value), f"{function}({value}, {base}.get({key}, {value}))"
    for node in own_nodes(statement):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Subscript() as base, attr="update" | "extend"), args=[value]):
                if isinstance(statement, ast.Expr) and statement.value is node:
                    yield "keyed", Place.of(statement), f"{source.of(base)} = {source.of(value)}"
            case ast.Call(func=ast.Attribute(value=base, attr="setdefault"), args=[key, value]):
                if isinstance(statement, ast.Expr) and statement.value is node:
                    text = f"{source.of(base)}[{source.of(key)}] = {source.of(value)}"
                    yield "keyed", Place.of(statement), text
            case _:
                pass


def _scaled(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    products = [
        node for node in own_nodes(statement) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div)
    ]
    inner = {part for node in products for part in (node.left, node.right)}
    calls = [node for node in own_nodes(statement) if isinstance(node, ast.Call)]
    inner |= {one for node in calls if source.of(node.func) == "len" for one in node.args}
    counted = [node for node in (*products, *values) if isinstance(node, _PLAIN | ast.BinOp)]
    for node in (one for one in dict.fromkeys(counted) if one not in inner):
        is_product = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div)
        code = source.of(node) if is_product else source.operand(node)
        for number in [one for one in scope.numbers if one not in ("0", "1")][:_MOST]:
            yield "scale", Place.of(node), f"{code} * {number}"
            yield "scale", Place.of(node), f"{code} / {number}"


def _given_elsewhere(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if not isinstance(statement, ast.Assign) or scope.function is None:
        return
    target = source.of(statement.targets[0])
    places = dict.fromkeys((scope.function, *scope.siblings)) if "." in target else {scope.function: None}
    others = [
        source.of(node.value)
        for function in places
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and source.of(node.targets[0]) == target
    ]
    for other in dict.fromkeys(others):
        if other != source.of(statement.value) and "\n" not in other:
            yield "value", Place.of(statement.value), other


def _starts(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if scope.function is None:
        return
    whole = isinstance(statement, ast.Assign)
    calls = [node for node in own_nodes(statement) if _method_of(node) == "get"]
    given = {one for node in calls for argument in cast("ast.Call", node).args[1:] for one in ast.walk(argument)}
    for node in own_nodes(statement):
        if not whole and node not in given:
            continue
        if isinstance(node, ast.Constant) and (node.value is None or node.value in (0, 1, -1)):
            for name in _arguments(scope.function)[:_MOST] if whole else ():
                yield "start", Place.of(node), f"{name}[0]"
            yield "start", Place.of(node), 'float("inf")'
            yield "start", Place.of(node), 'float("-inf")'


def _receivers(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            receiver = node.func.value
            if isinstance(receiver, ast.Name | ast.Subscript) and source.of(receiver) != "self":
                for method in ("strip", "lower"):
                    if node.func.attr != method:
                        yield "receiver", Place.of(receiver), f"{source.of(receiver)}.{method}()"
                if node.func.attr in ("isdigit", "isdecimal", "isnumeric"):
                    yield "receiver", Place.of(receiver), f'{source.of(receiver)}.lstrip("-")'
                    yield "receiver", Place.of(receiver), f'{source.of(receiver)}.removeprefix("-")'
                    yield "receiver", Place.of(receiver), f'{source.of(receiver)}.replace(".", "", 1)'


def _precedences(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if isinstance(node, ast.BinOp):
            yield from _regrouped(node, source)
        elif isinstance(node, ast.IfExp) and isinstance(node.body, ast.BinOp):
            body = node.body
            operator = source.at(Place.of(body.left).to(Place.of(body.right)))
            rest = source.at(Place.of(body.right).around(Place.of(node.orelse)))
            yield "precedence", Place.of(node), f"{source.of(body.left)}{operator}({rest})"
        elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
            yield from _joined_first(node, source)


def _regrouped(node: ast.BinOp, source: Code) -> _Found:
    """Yield (a + b) * c for a + b * c, and a * (b + c) for a * b + c, with any two operators."""
    operator = _sign(node, source)
    if isinstance(node.right, ast.BinOp):
        inner = node.right
        between = _sign(inner, source)
        left = f"({source.operand(node.left)}{operator}{source.operand(inner.left)})"
        yield "precedence", Place.of(node), f"{left}{between}{source.operand(inner.right)}"
        first = inner
        while isinstance(first.left, ast.BinOp) and source.of(inner)[:1] != "(":
            first = first.left
        if first is not inner:  # (a + b) * c // d for a + b * c // d
            rest = source.at(Place(*_end(first.left), inner.end_lineno or 0, inner.end_col_offset or 0))
            yield "precedence", Place.of(node), f"({source.of(node.left)}{operator}{source.of(first.left)}){rest}"
    is_one = isinstance(node.left, ast.BinOp) and source.of(node.left.right) == "1"
    if isinstance(node.left, ast.BinOp) and not (is_one and isinstance(node.op, ast.Mod | ast.FloorDiv)):  # a + 1 % n
        inner = node.left
        between = _sign(inner, source)
        right = f"({source.operand(inner.right)}{operator}{source.operand(node.right)})"
        yield "precedence", Place.of(node), f"{source.operand(inner.left)}{between}{right}"


def _end(node: ast.expr) -> tuple[int, int]:
    return Place.of(node).end_row, Place.of(node).end_byte


def _sign(node: ast.BinOp, source: Code) -> str:
    """Return the operator between its operands, with the spaces, without the brackets around them."""
    return re.sub(r"[()]", "", source.at(Place.of(node.left).to(Place.of(node.right))))


def _joined_first(node: ast.BoolOp, source: Code) -> _Found:
    """Yield a and (b or c) for a and b or c, and (a or b) and c for a or b and c."""
    if len(node.values) != 2:
        return
    left, right = node.values
    if isinstance(left, ast.BoolOp):
        *firsts, last = [source.operand(one) for one in left.values]
        yield "precedence", Place.of(node), f"{' and '.join(firsts)} and ({last} or {source.of(right)})"
    if isinstance(right, ast.BoolOp):
        first, *others = [source.operand(one) for one in right.values]
        yield "precedence", Place.of(node), f"({source.of(left)} or {first}) and {' and '.join(others)}"


def _method_of(node: ast.expr) -> str:
    """Return the name of the method that a call calls; empty if the node is no such call."""
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""


def _arguments(function: Function) -> list[str]:
    given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return [one.arg for one in given if one.arg not in ("self", "cls")]


def _with_default(function: Function, value: object) -> list[str]:
    """Return the arguments whose default is that constant."""
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(named[len(named) - len(arguments.defaults) :], arguments.defaults, strict=True)]
    pairs += [pair for pair in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if pair[1] is not None]  # type: ignore[misc]
    return [one.arg for one, other in pairs if isinstance(other, ast.Constant) and other.value == value]


_PATTERNS: Final[tuple[Callable[[ast.stmt, list[ast.expr], Scope, Code], _Found], ...]] = (
    _defaults, _helpers, _forwarded, _parameters, _clamped, _scaled, _given_elsewhere, _starts, _receivers,
    _precedences, _limited, _unused, _simple, _flags, _keyed,
)  # fmt: skip
