"""Growth patterns: a value is a part of what was meant, and the whole stands elsewhere in the program. Pure.

Each function proposes replacements like those of `revisers.fix_patterns`.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from jido_ai.repair.program_code import (
    Code,
    Function,
    Place,
    Scope,
    conditions_of,
    is_in_loop,
    names_before,
    own_nodes,
)
from jido_ai.repair.variable_kinds import collections_of_self, kinds_of
from jido_ai.text.python_tree import tree_of

__all__ = ["COSTS", "PATTERNS", "growths_of"]

PATTERNS: Final = {
    "grown": "a value becomes a larger expression of the file with it in it: (key,) and path + (key,)",
    "accessor": "a value becomes a call of a method without arguments, or of a function whose arguments are there",
    "combined": "the larger or smaller of two terms in place of their sum",
    "subscripted": "an element of a collection in place of the collection: x[key]",
    "ingredient": "another value that the same function uses",
    "listed": "a value becomes a list of one: [x]",
    "awaited": "a value of a coroutine is awaited",
    "whole": "a comparison in place of startswith or endswith",
    "joined": "a method of a sum instead of one term: (self.rest + data).split()",
    "mirrored": "the same of another collection and the place in it, or both: b[j:] and a[i:] + b[j:]",
    "bound": "a function that is made in a loop keeps the loop's variables: lambda x, low=low: ...",
}
"""The patterns and their replacements."""

COSTS: Final = {
    "grown": 8, "accessor": 8, "combined": 6, "bound": 5, "subscripted": 7, "ingredient": 9, "listed": 6, "awaited": 4,
    "whole": 5, "joined": 7, "mirrored": 8,
}  # fmt: skip
"""Each stands in place of the number of characters that a change removes and adds."""

_MOST: Final = 6
_MOST_KEYS: Final = 3
_MOST_INGREDIENTS: Final = 12
_LONGEST: Final = 60  # characters of an expression of the file
_PLAIN: Final = (ast.Name, ast.Attribute, ast.Subscript)
_NOTHING: Final = frozenset({
    "append", "add", "extend", "insert", "remove", "discard", "update", "clear", "sort", "reverse", "appendleft",
})  # fmt: skip
"""Methods that return None."""
_Found = Iterator[tuple[str, Place, str]]


def growths_of(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    """Yield the name, the place and the code of the proposals for a statement without its block.

    Args:
        values: the values that it uses as a whole.
    """
    for pattern in _PATTERNS:
        yield from pattern(statement, values, scope, source)


def _grown(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    own = source.of(statement)
    nodes = list(own_nodes(statement))
    bound = {one.id for one in nodes if isinstance(one, ast.Name)}
    known = {*bound, *scope.names, *scope.constants, *scope.imported, *scope.functions, *dir(builtins), "self", "cls"}
    tuples = [one for one in nodes if isinstance(one, ast.Tuple) and isinstance(one.ctx, ast.Load)]
    wholes = _wholes(source.text)
    for node in dict.fromkeys((*values, *conditions_of(statement), *tuples)):
        if isinstance(node, (*_PLAIN, ast.Call, ast.Tuple)):
            found = [one for one, names in wholes.get(source.of(node), ()) if one not in own and names <= known]
            for other in found[:_MOST]:
                yield "grown", Place.of(node), other


@lru_cache(maxsize=4)
def _wholes(text: str) -> dict[str, list[tuple[str, frozenset[str]]]]:
    """Return, for the code of an expression, the expressions that it is a part of, shortest first, and their names."""
    code, seen = Code(text), set[str]()
    found: dict[str, list[tuple[str, frozenset[str]]]] = {}
    nodes = [node for node in ast.walk(tree_of(text)) if isinstance(node, ast.Call | ast.BinOp | ast.Subscript)]
    for node in nodes:
        whole = code.of(node)
        is_read = isinstance(getattr(node, "ctx", None), ast.Load | None)
        if not is_read or _has_no_value(node) or len(whole) > _LONGEST or "\n" in whole or whole in seen:
            continue
        seen.add(whole)
        inner = [one for one in ast.walk(node) if one is not node and isinstance(one, ast.expr)]
        called = {one.func for one in (node, *inner) if isinstance(one, ast.Call)}
        names = frozenset(one.id for one in inner if isinstance(one, ast.Name))
        for part in {code.of(one) for one in inner if one not in called and not isinstance(one, ast.Constant)}:
            found.setdefault(part, []).append((whole, names))
    return {part: sorted(some, key=lambda one: len(one[0])) for part, some in found.items()}


def _has_no_value(node: ast.expr) -> bool:
    """Tell whether a call gives None, or what only a loop uses."""
    func = node.func if isinstance(node, ast.Call) else None
    is_of_loop = isinstance(func, ast.Name) and func.id in ("enumerate", "zip", "reversed", "iter", "print")
    return is_of_loop or (isinstance(func, ast.Attribute) and func.attr in _NOTHING)


def _accessors(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    calls = [one for one in _calls(scope) if one not in source.of(statement)][:_MOST]
    defaults = [one.value for node in own_nodes(statement) if isinstance(node, ast.Call) for one in node.keywords]
    for node in dict.fromkeys((*values, *defaults)):
        if isinstance(node, ast.Attribute | ast.Subscript | ast.Call) or node in defaults:
            own_arguments = source.of(node).partition("(")[2]
            for call in [one for one in calls if one.partition("(")[2] != own_arguments or own_arguments == ")"]:
                yield "accessor", Place.of(node), call


def _calls(scope: Scope) -> list[str]:
    """Return the calls of the file's functions whose needed arguments are variables of the same names here."""
    found: list[str] = []
    for name, function in scope.functions.items():
        arguments = [one.arg for one in function.args.args][name.startswith("self.") :]
        needed = arguments[: len(arguments) - len(function.args.defaults)]
        is_plain = not function.decorator_list and not function.args.kwonlyargs and not name.startswith("self.__")
        is_itself = name.removeprefix("self.") == scope.name and bool(needed)  # it would never end
        is_near = not name.startswith("self.") or bool(scope.siblings)
        if is_plain and is_near and not is_itself and set(needed) <= scope.names and _returns(function):
            found.append(f"{name}({', '.join(needed)})")
    return found


@lru_cache(maxsize=1024)
def _returns(function: Function) -> bool:
    return any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(function))


def _combined(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and not isinstance(node.right, ast.Constant):
            left, right = node.left, node.right
            if isinstance(left, ast.Constant):
                continue
            for function in ("max", "min"):
                if isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add):
                    text = f"{function}({source.of(left.right)}, {source.of(right)})"
                    yield "combined", Place.of(left.right).around(Place.of(right)), text
                else:
                    yield "combined", Place.of(node), f"{function}({source.of(left)}, {source.of(right)})"


def _bound(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if scope.function is None or not is_in_loop(statement, scope.function):
        return
    assigned = [
        one.id for one in ast.walk(scope.function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    ]
    for node in own_nodes(statement):
        if isinstance(node, ast.Lambda):
            own = {one.arg for one in node.args.args}
            read = [one.id for one in ast.walk(node.body) if isinstance(one, ast.Name)]
            kept = [one for one in dict.fromkeys(read) if one in assigned and one not in own]
            if kept and not node.args.defaults and not node.args.kwonlyargs:
                given = ", ".join([*(one.arg for one in node.args.args), *(f"{one}={one}" for one in kept)])
                yield "bound", Place.of(node), f"lambda {given}: {source.of(node.body)}"


def _subscripted(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if scope.function is None:
        return
    kinds = kinds_of(scope.function)
    keys = [one for one in names_before(statement, scope, scope.function) if one not in kinds.collections][:_MOST_KEYS]
    inside = [node.slice for node in own_nodes(statement) if isinstance(node, ast.Subscript)]
    for node in dict.fromkeys((*values, *inside)):
        if isinstance(node, ast.Name | ast.Attribute):
            code = source.of(node)
            if code in kinds.collections or code in collections_of_self(source.text):
                for key in [one for one in keys if one != code]:
                    yield "subscripted", Place.of(node), f"{code}[{key}]"
    for node in own_nodes(statement):
        match node:
            case ast.BinOp(op=ast.Add(), right=ast.Name(id=name) as term) if name not in kinds.numbers:
                yield from (("subscripted", Place.of(term), f"{name}[{key}]") for key in ("0", "-1"))
            case _:
                pass


def _ingredients(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if scope.function is None:
        return
    own = source.of(statement)
    found = [one for one in _used(scope.function, source) if one not in own][:_MOST_INGREDIENTS]
    for node in values:
        if isinstance(node, (*_PLAIN, ast.Call, ast.BinOp)):
            for other in found:
                yield "ingredient", Place.of(node), other
        elif isinstance(node, ast.Tuple):
            for other in [one for one in _tuples(scope.function, source) if one not in own]:
                yield "ingredient", Place.of(node), other


@lru_cache(maxsize=16)
def _used(function: Function, source: Code) -> tuple[str, ...]:
    """Return the attributes, elements, calls and calculations that a function uses, shortest first."""
    nodes = [
        node for node in ast.walk(function) if isinstance(node, (ast.Attribute, ast.Subscript, ast.Call, ast.BinOp))
    ]
    called = {node.func for node in nodes if isinstance(node, ast.Call)}
    stored = [node for node in nodes if isinstance(getattr(node, "ctx", None), ast.Store)]
    read = [node for node in nodes if isinstance(node, ast.Subscript) or node not in stored]
    found = dict.fromkeys(source.of(node) for node in read if node not in called and not _has_no_value(node))
    short = [one for one in found if len(one) <= _LONGEST and "\n" not in one]
    return tuple(sorted(short, key=len))


@lru_cache(maxsize=16)
def _tuples(function: Function, source: Code) -> tuple[str, ...]:
    """Return the pairs and tuples of variables that a function makes, unpacks or goes through."""
    nodes = [node for node in ast.walk(function) if isinstance(node, ast.Tuple) and len(node.elts) > 1]
    found = [", ".join(source.of(one) for one in node.elts) for node in nodes if _are_names(node)]
    return tuple(f"({one})" for one in dict.fromkeys(found))[:_MOST]


def _are_names(node: ast.Tuple) -> bool:
    return all(isinstance(one, ast.Name) for one in node.elts)


def _listed(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        for one in node.args if isinstance(node, ast.Call) else ():
            if isinstance(one, _PLAIN):
                yield "listed", Place.of(one), f"[{source.of(one)}]"


def _awaited(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if isinstance(scope.function, ast.AsyncFunctionDef):
        waited = {node.value for node in own_nodes(statement) if isinstance(node, ast.Await)}
        whole = [statement.value] if isinstance(statement, ast.Expr) else []
        for node in dict.fromkeys((*values, *whole)):
            if isinstance(node, ast.Name | ast.Call) and node not in waited:
                code = f"await {source.of(node)}"
                yield "awaited", Place.of(node), code if node is getattr(statement, "value", None) else f"({code})"


def _whole(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        match node:
            case ast.Call(func=ast.Attribute(value=text, attr="startswith" | "endswith"), args=[mark]):
                yield "whole", Place.of(node), f"({source.operand(text)} == {source.of(mark)})"
            case _:
                pass


def _joined(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name) as receiver)) if name in scope.names:
                for other in [f"self.{one}" for one in scope.members][:_MOST_KEYS]:
                    yield "joined", Place.of(receiver), f"({other} + {name})"
            case _:
                pass


def _mirrored(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if scope.function is None:
        return
    pairs = _places(scope.function)
    terms = [node.right for node in own_nodes(statement) if isinstance(node, ast.BinOp)]
    for node in dict.fromkeys((*values, *terms)):
        names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        for own, at in [one for one in pairs if names >= {*one}]:
            for other, index in [one for one in pairs if names.isdisjoint(one)]:
                text = re.sub(rf"\b{at}\b", index, re.sub(rf"\b{own}\b", other, source.of(node)))
                yield "mirrored", Place.of(node), text
                if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
                    yield "mirrored", Place.of(node), f"{source.of(node)} + {text}"


@lru_cache(maxsize=16)
def _places(function: Function) -> tuple[tuple[str, str], ...]:
    """Return the collections of a function with the variable that is a place in each."""
    found: dict[tuple[str, str], None] = {}
    for node in ast.walk(function):
        match node:
            case ast.Subscript(value=ast.Name(id=own), slice=ast.Name(id=at)):
                found.setdefault((own, at))
            case _:
                pass
    return tuple(found)


_PATTERNS: Final[tuple[Callable[[ast.stmt, list[ast.expr], Scope, Code], _Found], ...]] = (
    _grown, _accessors, _combined, _bound, _subscripted, _ingredients, _listed, _awaited, _whole, _joined, _mirrored,
)  # fmt: skip
