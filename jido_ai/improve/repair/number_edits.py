"""Edits of numbers: constants, steps of one, operators, terms and factors. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Final

from jido_ai.improve.repair.program_code import CodeRange, swapped
from jido_ai.improve.repair.site import Edits, Site, called_name, is_call_of

_SURE: Final = 10  # a round number or a power of two from here on is not wrong by one
_UNITS: Final = (7, 10, 12, 24, 26, 30, 60, 64, 100, 255, 256, 360, 365, 1000)
_SIGNS: Final[Mapping[type[ast.operator], str]] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
_CONFUSED: Final = {
    "+": ("-", "*"), "-": ("+",), "*": ("/", "+"), "/": ("*", "//"), "//": ("/", "%"), "%": ("//",),
    "**": ("*",), "&": ("|",), "|": ("&",), "<<": (">>",), ">>": ("<<",),
}  # fmt: skip
_COUNTED: Final = ast.Name | ast.Attribute | ast.BinOp | ast.Subscript
_SCALING: Final = ast.Mult | ast.Div | ast.FloorDiv


# -- constants -------------------------------------------------------------------------------------


def constant(site: Site) -> Edits:
    sums = _operands_of(site, ast.Add | ast.Sub)
    never_zero = {*sums, *(node.operand for node in site.nodes if isinstance(node, ast.UnaryOp))}
    if isinstance(site.statement, ast.AugAssign):
        never_zero.add(site.statement.value)
    factors, divided = _operands_of(site, _SCALING), _operands_of(site, _SCALING | ast.Mod)
    shifts = _operands_of(site, ast.LShift | ast.RShift)
    for node in site.nodes:
        if isinstance(node, ast.List) and not node.elts and isinstance(site.statement, ast.Return):
            yield from ((CodeRange.of(node), f"[{one}]") for one in ("[]", *sorted(site.scope.names)))
        if not isinstance(node, ast.Constant) or not isinstance(node.value, int):
            continue
        if isinstance(node.value, bool):
            yield CodeRange.of(node), str(not node.value)
            continue
        near = (node.value + 1, node.value - 1)
        if node.value >= _SURE and node in divided:  # 12 months and 60 minutes are never 13 and 61
            near = tuple(one for one in near if one in _UNITS)
        elif node.value >= _SURE and node not in shifts and (node.value % 10 == 0 or node.value.bit_count() == 1):
            near = ()
        for number in near:
            is_pointless = number < 0 or (number in (0, 1) and node in factors)
            if not is_pointless and (number or node not in never_zero):
                yield CodeRange.of(node), str(number)


def _operands_of(site: Site, kind: object) -> set[ast.expr]:
    found = [node for node in site.nodes if isinstance(node, ast.BinOp) and isinstance(node.op, kind)]  # pyright: ignore[reportArgumentType]
    return {side for node in found for side in (node.left, node.right)}


# -- one more or less ------------------------------------------------------------------------------


def off_by_one(site: Site) -> Edits:
    match site.statement:
        case ast.Return(value=ast.BinOp(op=ast.Mult() | ast.Div() | ast.FloorDiv() | ast.Mod())):
            pass
        case ast.Return(value=value) | ast.Assign(targets=[ast.Name() | ast.Attribute()], value=value):
            is_returned = isinstance(site.statement, ast.Return) and isinstance(value, ast.Attribute | ast.BinOp)
            if value is not None and (is_returned or isinstance(value, ast.Name) or is_call_of("len", value)):
                yield from _around(value, site)
        case _:
            pass
    for node in site.nodes:
        for one in _countable(node, site):
            yield from _around(one, site)
        match node:
            case ast.BinOp(op=ast.Add() | ast.Sub(), right=ast.Constant(value=1)):
                yield CodeRange.of(node), site.of(node.left)
            case ast.BinOp(op=op, left=left, right=right):
                sides = [one for one in (left, right) if is_call_of("len", one)]
                if isinstance(op, ast.FloorDiv | ast.Mod) and not isinstance(left, ast.Constant) and left not in sides:
                    sides.append(left)
                if isinstance(op, ast.Div | ast.FloorDiv | ast.Pow | ast.LShift) and isinstance(right, ast.Name):
                    sides.append(right)
                for place, text in (edit for one in sides for edit in _around(one, site)):
                    yield place, f"({text})"
            case _:
                pass


def _countable(node: ast.expr, site: Site) -> Iterator[ast.expr]:
    """Yield the indices, bounds, arguments, elements and branches of a node that may be wrong by one."""
    match node:
        case ast.Subscript(slice=index):
            bounds = index.elts if isinstance(index, ast.Tuple) else [index]
            bounds = [index.lower, index.upper] if isinstance(index, ast.Slice) else bounds
            yield from (one for one in bounds if not isinstance(one, ast.Constant | ast.Slice | None))
        case ast.Call(func=ast.Name(id="range"), args=args):
            yield from (one for one in args if not isinstance(one, ast.Constant | ast.Starred | ast.UnaryOp))
        case ast.Call(args=several) | ast.Tuple(elts=several, ctx=ast.Load()) | ast.List(elts=several, ctx=ast.Load()):
            for one in several if not is_call_of("len", node) else ():
                is_sum = isinstance(one, ast.BinOp) and isinstance(one.op, ast.Add | ast.Sub)
                is_number = isinstance(one, ast.Name) and one.id not in site.kinds.collections
                if is_sum or is_number or called_name(one) in ("len", "int"):
                    yield one
        case ast.Compare(comparators=[right]) if not isinstance(right, ast.Constant):
            yield right
        case ast.IfExp(body=body, orelse=orelse):
            yield from (one for one in (body, orelse) if isinstance(one, ast.Name | ast.Attribute))
        case _:
            pass


def _around(node: ast.expr, site: Site) -> Edits:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):  # an index from the end
        if not isinstance(node.operand, ast.Constant):
            yield CodeRange.of(node), f"{site.of(node)} - 1"
    elif not _has_number(node):
        whole = site.of(node) if isinstance(node, ast.BinOp) else site.operand(node)
        yield from ((CodeRange.of(node), f"{whole} {step}") for step in ("+ 1", "- 1"))


def _has_number(node: ast.expr) -> bool:
    """Tell whether a sum has a number, which `constant` changes."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add | ast.Sub):
        return False
    return any(isinstance(term, ast.Constant) for term in (node.left, node.right))


# -- calculations ----------------------------------------------------------------------------------


def arithmetic(site: Site) -> Edits:
    statement = site.statement
    for node in site.nodes:
        if isinstance(node, ast.BinOp) and (old := _SIGNS.get(type(node.op))):
            gap = CodeRange.of(node.left).to(CodeRange.of(node.right))
            for new in _CONFUSED.get(old, ()):
                if not isinstance(node.right, ast.Constant) or {old, new} != {"+", "*"}:
                    yield gap, swapped(site.at(gap), old, new)
    if isinstance(statement, ast.AugAssign) and (old := _SIGNS.get(type(statement.op))):
        gap = CodeRange.of(statement.target).to(CodeRange.of(statement.value))
        for new in (*_CONFUSED.get(old, ()), *(("",) if old == "+" else ())):
            yield gap, swapped(site.at(gap), f"{old}=", f"{new}=")
    elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], _COUNTED):
        gap = CodeRange.of(statement.targets[-1]).to(CodeRange.of(statement.value))
        is_neutral = isinstance(statement.value, ast.Constant) and not statement.value.value  # += 0 does nothing
        if not is_neutral and not _depends_on(statement.targets[0], statement.value, site):
            yield from ((gap, swapped(site.at(gap), "=", sign)) for sign in ("+=", "-="))


def _depends_on(target: ast.expr, value: ast.expr, site: Site) -> bool:
    """Tell whether a value is computed from the variable that it is assigned to."""
    names = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
    feeds = site.scope.feeds
    return isinstance(target, ast.Name) and any(target.id in {name, *feeds.get(name, ())} for name in names)


def operand(site: Site) -> Edits:
    for node in _calculated(site):
        code = site.of(node)
        for term in _terms(node, site):
            for text in (f"{code} + {term}", f"{code} - {term}"):
                yield CodeRange.of(node), f"({text})" if node in site.parts else text


def factor(site: Site) -> Edits:
    for node in _calculated(site):
        is_product = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div)
        code = site.of(node) if is_product else site.operand(node)
        for term in _terms(node, site):
            for sign in ("%",) if term in site.lengths else ("*", "/", "//", "%"):
                text = f"{code} {sign} {term}"
                yield CodeRange.of(node), text if node not in site.parts or sign == "*" else f"({text})"


def _terms(node: ast.expr, site: Site) -> list[str]:
    """Return the numbers that a value may be calculated with: not itself, a part of it, or its own attribute."""
    code = site.of(node)
    return [one for one in (*site.terms, *site.lengths) if not re.search(rf"\b{re.escape(one)}(?!\w)", code)]


def _calculated(site: Site) -> Iterator[ast.expr]:
    """Yield the values and operands that may be numbers."""
    for node in dict.fromkeys((*site.values, *site.parts)):
        is_collection = isinstance(node, ast.Name) and node.id in site.kinds.collections
        if isinstance(node, _COUNTED) and not is_collection and node not in site.sought:
            yield node
