"""Edits of names: another variable, attribute or function, and a variable in place of a constant. Pure."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final

from jido_ai.improve.repair.program_code import CodeRange, Function, unused_names
from jido_ai.improve.repair.site import Edits, Site
from jido_ai.improve.repair.variable_kinds import needed_kinds

_MOST: Final = 6
_MOST_CONSTANTS: Final = 12
_MOST_FUNCTIONS: Final = 24


def variable(site: Site) -> Edits:
    scope, kinds = site.scope, site.kinds
    collections, numbers = needed_kinds(site.statement)
    if isinstance(site.statement, ast.While) and site.of(site.statement.test) == "True":
        yield from ((CodeRange.of(site.statement.test), name) for name in sorted(scope.names))
    for node in site.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in scope.names:
            others = scope.names - {node.id}
            others -= kinds.numbers if node in collections else frozenset()
            others -= kinds.collections if node in numbers else frozenset()
            yield from ((CodeRange.of(node), other) for other in sorted(others))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in scope.constants:
            others = [one for one in scope.constants if one != node.id][:_MOST_CONSTANTS]
            yield from ((CodeRange.of(node), other) for other in others)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in scope.imported:
            family = node.id[:2]  # ROUND_HALF_UP beside ROUND_HALF_EVEN, imported and used nowhere
            others = sorted(one for one in scope.imported if one != node.id and one.startswith(family))
            yield from ((CodeRange.of(node), other) for other in others if site.code.text.count(other) == 1)


def attribute(site: Site) -> Edits:
    scope = site.scope
    methods = {
        name.removeprefix("self."): one
        for name, one in scope.functions.items()
        if name.startswith("self.") and name[5] != "_"
    }
    functions = {name: one for name, one in scope.functions.items() if "." not in name}
    bases = {node.value for node in site.nodes if isinstance(node, ast.Attribute)}
    for node in site.nodes:
        match node:
            case ast.Attribute(ctx=ast.Load(), attr=attr) if attr in (*scope.attributes, *scope.members):
                known = dict.fromkeys((*scope.attributes, *(scope.members if site.of(node.value) == "self" else ())))
                yield from ((CodeRange.of(node).last(attr), other) for other in known if other != attr)
            case ast.Name(id=name, ctx=ast.Load()) if name in scope.names and node not in bases:
                yield from ((CodeRange.of(node), f"{name}.{one}") for one in scope.attributes)
            case ast.Call(func=ast.Name(id=name) as func, args=args) if name in functions:
                yield from ((CodeRange.of(func), other) for other in _like(functions, name, len(args)))
            case ast.Call(func=ast.Attribute(attr=attr) as func, args=args) if attr in methods:
                yield from ((CodeRange.of(func).last(attr), other) for other in _like(methods, attr, len(args) + 1))
            case _:
                pass


def _like(functions: Mapping[str, Function], name: str, arguments: int) -> list[str]:
    """Return the other functions that take so many arguments."""
    fitting = [other for other, one in functions.items() if other != name and _takes(one, arguments)]
    return fitting[:_MOST_FUNCTIONS]


def _takes(function: Function, arguments: int) -> bool:
    most = len(function.args.args)
    return most - len(function.args.defaults) <= arguments <= most and not function.decorator_list


def parameter(site: Site) -> Edits:
    scope = site.scope
    if scope.function is None:
        return
    given = [*scope.function.args.posonlyargs, *scope.function.args.args, *scope.function.args.kwonlyargs]
    names = [one.arg for one in given if one.arg not in ("self", "cls")] + [f"self.{one}" for one in scope.members]
    known = [*unused_names(scope.function)[:_MOST], *names[:_MOST], *scope.constants[:_MOST]]
    steps = {
        node.right for node in site.nodes if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
    }
    for node in site.nodes:
        if isinstance(node, ast.Constant) and not isinstance(node.value, bool) and node.value is not None:
            is_step = node in steps and node.value == 1  # `i + 1` is seldom meant as `i + size`
            yield from ((CodeRange.of(node), name) for name in (() if is_step else dict.fromkeys(known)))
    match site.statement:
        case ast.AugAssign(target=ast.Subscript(value=base, slice=key), value=ast.Constant() as value):
            for name in [one for one in site.terms if one != site.of(key)]:
                yield CodeRange.of(value), f"{site.of(base)}[{name}]"
        case _:
            pass
