"""Edits of values: elements, values kept by key, and expressions that the program has elsewhere. Pure.

Most of the code of a fix is in the program already: Martinez, Weimer, Monperrus, Do the Fix Ingredients Already Exist?
(2014).
"""

from __future__ import annotations

import ast
import builtins
from functools import lru_cache
from itertools import pairwise
from typing import Final

from jido_ai.improve.repair.program_code import Code, CodeRange
from jido_ai.improve.repair.site import Edits, Site, is_call_of
from jido_ai.text.python_tree import tree_of

_MOST: Final = 6
_LONGEST: Final = 60  # characters of an expression
_PLAIN: Final = ast.Name | ast.Attribute | ast.Subscript
_NOTHING: Final = frozenset({
    "append", "add", "extend", "insert", "remove", "discard", "update", "clear", "sort", "reverse", "appendleft",
})  # fmt: skip
"""Methods that return None."""


def element(site: Site) -> Edits:
    for node in site.nodes:
        match node:
            case ast.Subscript(ctx=ast.Load() | ast.Del(), slice=ast.Constant(value=0 | 1) as place):
                yield CodeRange.of(place), "-1"
            case ast.Subscript(ctx=ast.Load() | ast.Del(), slice=ast.UnaryOp(operand=ast.Constant(value=1)) as place):
                yield CodeRange.of(place), "0"
            case ast.Subscript(ctx=ast.Load(), slice=ast.Constant(value=str()) as place):
                keys = [one for one in _keys(site.code.text) if one != place.value]
                yield from ((CodeRange.of(place), f'"{one}"') for one in keys[:_MOST])
            case ast.Subscript(value=base, slice=ast.Slice(lower=lower, upper=upper, step=None) as place):
                begin, end = (site.of(one) if one is not None else "" for one in (lower, upper))
                cuts = [f"{begin}:", f":{end}"] if begin and end else [f"{end}:{begin}", "::-1"]
                if cut := {"1:": ":-1", ":-1": "1:", ":1": "-1:", "-1:": ":1"}.get(site.of(place)):
                    cuts.append(cut)
                yield from ((CodeRange.of(node), f"{site.operand(base)}[{cut}]") for cut in cuts)
            case ast.Call(args=[ast.Name(id=name) as given]) if is_call_of("len", node):
                yield CodeRange.of(given), f"{name}[0]"
            case ast.Set(elts=elts) | ast.List(elts=elts, ctx=ast.Load()) if len(elts) > 1 and _are_texts(elts):
                for one, after in pairwise(elts):
                    yield CodeRange(one.lineno, one.col_offset, after.lineno, after.col_offset), ""
                last, before = CodeRange.of(elts[-1]), CodeRange.of(elts[-2])
                yield CodeRange(before.end_row, before.end_byte, last.end_row, last.end_byte), ""
            case _:
                pass
    if isinstance(whole := site.whole, ast.Name | ast.Attribute | ast.Subscript):
        yield CodeRange.of(whole), f"{site.of(whole)}[::-1]"


@lru_cache(maxsize=4)
def _keys(text: str) -> tuple[str, ...]:
    """Return the names that a program uses as keys."""
    keys = (one.slice for one in ast.walk(tree_of(text)) if isinstance(one, ast.Subscript))
    texts = (one.value for one in keys if isinstance(one, ast.Constant) and isinstance(one.value, str))
    return tuple(dict.fromkeys(one for one in texts if one.isidentifier()))


def _are_texts(elements: list[ast.expr]) -> bool:
    return all(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in elements)


def keyed(site: Site) -> Edits:
    """Add to the value of a key, keep it, or replace it; a key gets an argument that tells two calls apart."""
    function = site.scope.function
    match site.statement:
        case ast.Assign(targets=[ast.Name(id=key)], value=value) if function is not None and _is_key(key, function):
            named = {one.id for one in ast.walk(value) if isinstance(one, ast.Name)}
            for other in (one.arg for one in function.args.args if one.arg not in ("self", "cls", *named)):
                yield CodeRange.of(value), f"({other}, {site.of(value)})"
        case ast.Assign(targets=[ast.Subscript(value=base, slice=key)], value=value) if not isinstance(key, ast.Slice):
            name, found, new = site.of(base), site.of(key), site.of(value)
            one = site.of(value.elts[0]) if isinstance(value, ast.List) and len(value.elts) == 1 else new
            yield CodeRange.of(value), f"{name}.get({found}, 0) + {site.operand(value)}"
            yield CodeRange.of(site.statement), f"{name}.setdefault({found}, {new})"
            yield CodeRange.of(site.statement), f"{name}.setdefault({found}, []).append({one})"
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=base, attr="setdefault"), args=[key, value])):
            yield CodeRange.of(site.statement), f"{site.of(base)}[{site.of(key)}] = {site.of(value)}"
        case ast.AugAssign(target=ast.Subscript(value=base, slice=key), op=ast.Add(), value=value):
            added = f"{site.of(base)}.get({site.of(key)}, 0) + {site.operand(value)}"
            yield CodeRange.of(site.statement), f"{site.of(site.statement.target)} = {added}"
        case _:
            pass


def _is_key(name: str, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether a function looks a variable up in a collection."""
    keys = (one.slice for one in ast.walk(function) if isinstance(one, ast.Subscript))
    return any(isinstance(one, ast.Name) and one.id == name for one in keys)


# -- expressions of the program --------------------------------------------------------------------


def widen(site: Site) -> Edits:
    own, scope = site.of(site.statement), site.scope
    bound = {one.id for one in site.nodes if isinstance(one, ast.Name)}
    known = {*bound, *scope.names, *scope.constants, *scope.imported, *scope.functions, *dir(builtins), "self", "cls"}
    wholes = _wholes(site.code.text)
    for node in dict.fromkeys((*site.values, *site.tests)):
        if isinstance(node, _PLAIN | ast.Call | ast.Tuple):
            found = [one for one, names in wholes.get(site.of(node), ()) if one not in own and names <= known]
            yield from ((CodeRange.of(node), other) for other in found[:_MOST])


@lru_cache(maxsize=4)
def _wholes(text: str) -> dict[str, list[tuple[str, frozenset[str]]]]:
    """Return, for the code of an expression, the expressions that it is a part of, shortest first, and their names."""
    code, seen = Code(text), set[str]()
    found: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for node in ast.walk(tree_of(text)):
        if not isinstance(node, ast.Call | ast.BinOp | ast.Subscript) or not _is_value(node, code):
            continue
        whole = code.of(node)
        if whole in seen:
            continue
        seen.add(whole)
        inner = [one for one in ast.walk(node) if one is not node and isinstance(one, ast.expr)]
        called = {one.func for one in (node, *inner) if isinstance(one, ast.Call)}
        names = frozenset(one.id for one in inner if isinstance(one, ast.Name))
        for part in {code.of(one) for one in inner if one not in called and not isinstance(one, ast.Constant)}:
            found.setdefault(part, []).append((whole, names))
    return {part: sorted(some, key=lambda one: len(one[0])) for part, some in found.items()}


def _is_value(node: ast.expr, code: Code) -> bool:
    """Tell whether an expression has a value, and is short enough to be used elsewhere."""
    func = node.func if isinstance(node, ast.Call) else None
    is_of_loop = isinstance(func, ast.Name) and func.id in ("enumerate", "zip", "reversed", "iter", "print")
    has_none = isinstance(func, ast.Attribute) and func.attr in _NOTHING
    is_read = not isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
    text = code.of(node)
    return is_read and not is_of_loop and not has_none and len(text) <= _LONGEST and "\n" not in text


def value(site: Site) -> Edits:
    if isinstance(site.statement, ast.Assign) and site.scope.function is not None:
        target, own = site.of(site.statement.targets[0]), site.of(site.statement.value)
        functions = (site.scope.function, *site.scope.siblings) if "." in target else (site.scope.function,)
        nodes = [node for one in functions for node in ast.walk(one) if isinstance(node, ast.Assign)]
        others = dict.fromkeys(site.of(one.value) for one in nodes if site.of(one.targets[0]) == target)
        yield from ((CodeRange.of(site.statement.value), one) for one in others if one != own and "\n" not in one)
