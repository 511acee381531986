"""Edits of calls: their functions and arguments, and values that pass through a call. Pure."""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import Final

from jido_ai.improve.repair.program_code import CodeRange
from jido_ai.improve.repair.site import Edits, Site, called_name, is_call_of

_FUNCTIONS: Final = ("sorted", "reversed", "abs", "int")
_ARGUMENTS: Final[dict[str, tuple[str, ...]]] = {
    "sorted": ("reverse=True",), "sort": ("reverse=True",), "popitem": ("last=False",), "pop": ("0", "-1"),
    "split": ("1",), "max": ("default=0",), "min": ("default=0",), "get": ("0", "[]"), "enumerate": ("1",),
}  # fmt: skip
_OPTIONAL: Final = {"split": 1, "rsplit": 1, "strip": 1, "lstrip": 1, "rstrip": 1, "round": 2, "pop": 1, "get": 2}
_PAIRS: Final = (
    ("min", "max"), ("any", "all"), ("append", "extend"), ("floor", "ceil"), ("startswith", "endswith"),
    ("lower", "upper"), ("find", "rfind"), ("index", "rindex"), ("lstrip", "rstrip"), ("lstrip", "strip"),
    ("rstrip", "strip"), ("add", "discard"), ("union", "intersection"), ("popleft", "pop"), ("keys", "values"),
    ("keys", "items"), ("values", "items"), ("ljust", "rjust"), ("split", "rsplit"), ("partition", "rpartition"),
    ("sum", "len"), ("sum", "max"), ("upper", "swapcase"), ("title", "capitalize"), ("match", "fullmatch"),
    ("match", "search"), ("search", "fullmatch"), ("weekday", "isoweekday"), ("isdigit", "isalnum"),
    ("isalpha", "isalnum"), ("isdigit", "isdecimal"), ("removeprefix", "removesuffix"), ("removeprefix", "lstrip"),
    ("removesuffix", "rstrip"), ("extend", "extendleft"), ("append", "appendleft"), ("append", "add"),
    ("remove", "discard"), ("heappush", "heappop"), ("difference", "intersection"), ("nlargest", "nsmallest"),
    ("bisect_left", "bisect_right"), ("combinations", "permutations"), ("permutations", "product"),
    ("setdefault", "get"), ("islower", "isupper"), ("zip", "zip_longest"), ("issubset", "issuperset"),
    ("floor", "round"), ("ceil", "round"), ("sqrt", "isqrt"), ("break", "continue"),
)  # fmt: skip
_OTHERS: Final = {
    name: [two if one == name else one for one, two in _PAIRS if name in (one, two)] for pair in _PAIRS for name in pair
}
_PLAIN: Final = ast.Name | ast.Attribute | ast.Subscript


def counterpart(site: Site) -> Edits:
    if isinstance(site.statement, ast.Break | ast.Continue):
        yield from ((CodeRange.of(site.statement), other) for other in _OTHERS[site.of(site.statement)])
    for node in site.nodes:
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        if isinstance(node, ast.Attribute) or name not in site.scope.names:  # a variable `index` is no function
            yield from ((CodeRange.of(node).last(name), other) for other in _OTHERS.get(name, ()))
        match node:
            case ast.Call(func=ast.Attribute(value=base, attr="append"), args=[one]):
                yield CodeRange.of(node), f"{site.of(base)}.insert(0, {site.of(one)})"
            case ast.Call(func=ast.Attribute(value=base, attr="insert"), args=[_, one]):
                yield CodeRange.of(node), f"{site.of(base)}.append({site.of(one)})"
            case _:
                pass


def argument(site: Site) -> Edits:
    """Add an optional argument, or leave one out."""
    for node in site.nodes:
        if not isinstance(node, ast.Call) or not site.of(node).endswith(")"):
            continue
        name, given = called_name(node), site.of(node)[:-1].rstrip().rstrip(",")
        keywords = {one.arg for one in node.keywords}
        for word in _ARGUMENTS.get(name, ()):
            if word.partition("=")[0] not in keywords and not (name == "pop" and node.args):
                yield CodeRange.of(node), f"{given}{'' if given.endswith('(') else ', '}{word})"
        several: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
        dropped: list[ast.expr | ast.keyword] = [*node.keywords] if len(several) > 1 else []
        dropped += node.args[-1:] if not keywords and _OPTIONAL.get(name) == len(node.args) else []
        for one in dropped:
            kept = ", ".join(site.of(other) for other in several if other is not one)
            yield CodeRange.of(node), f"{site.of(node.func)}({kept})"


def order(site: Site) -> Edits:
    """Swap two neighbours, or what a call does first."""
    for node in site.nodes:
        several: list[ast.expr] = []
        match node:
            case ast.Call(args=args):
                several = args
            case ast.Tuple(ctx=ctx, elts=parts) if isinstance(ctx, ast.Load) or len(parts) == 2:
                several = parts
            case ast.DictComp(key=key, value=value):
                several = [key, value]
            case ast.Subscript(value=ast.Subscript(slice=first), slice=second):
                several = [first, second]
            case ast.BinOp(op=op, left=left, right=right) if not isinstance(
                op, ast.Add | ast.Mult | ast.BitAnd | ast.BitOr
            ):
                gap = site.at(CodeRange.of(left).to(CodeRange.of(right))).strip("()")
                yield CodeRange.of(node), f"{site.operand(right)}{gap}{site.operand(left)}"
            case _:
                pass
        for one, other in pairwise(several):
            are_constants = isinstance(one, ast.Constant) and isinstance(other, ast.Constant)
            if not are_constants or not is_call_of("range", node):
                first, second = CodeRange.of(one), CodeRange.of(other)
                yield first.around(second), site.of(other) + site.at(first.to(second)) + site.of(one)
        match node:  # f(x).m(...) and f(x.m(...))
            case ast.Call(func=ast.Attribute(value=ast.Call(args=[inner], keywords=[]) as outer)):
                tail = site.of(node)[len(site.of(outer)) :]
                yield CodeRange.of(node), f"{site.of(outer.func)}({site.operand(inner)}{tail})"
            case ast.Call(args=[ast.Call(func=ast.Attribute(value=inner)) as outer], keywords=[]):
                tail = site.of(outer)[len(site.of(inner)) :]
                yield CodeRange.of(node), f"{site.of(node.func)}({site.of(inner)}){tail}"
            case ast.Call(args=[*firsts, ast.BinOp(left=left, right=right)], keywords=[]):
                given = ", ".join(site.of(one) for one in (*firsts, left))
                sign = site.at(CodeRange.of(left).to(CodeRange.of(right)))
                yield CodeRange.of(node), f"{site.of(node.func)}({given}){sign}{site.operand(right)}"
            case _:
                pass


def wrap(site: Site) -> Edits:
    for node in site.values:
        if not isinstance(node, _PLAIN | ast.Call | ast.BinOp | ast.ListComp | ast.IfExp):
            continue
        place, code, is_sum = CodeRange.of(node), site.of(node), isinstance(node, ast.BinOp)
        if isinstance(node, _PLAIN | ast.Call):
            yield from ((place, f"{code}.{method}()") for method in ("strip", "lower"))
        for function in ("abs", "int") if is_sum else (*_FUNCTIONS, *site.scope.helpers):
            is_itself = function.removeprefix("self.") == site.scope.name
            if not is_itself and f"{function}(" not in code and node not in site.sought:
                yield place, f"{function}({code})"
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            yield place, f"max(0, {code})"
    match site.statement:
        case ast.Assign(targets=[ast.Subscript() as target], value=ast.Tuple(elts=parts)):
            limits = [(part, f"{site.of(target)}[{number}]") for number, part in enumerate(parts)]
        case ast.Assign(targets=[target], value=value) if isinstance(target, _PLAIN):
            limits = [(value, site.of(target))]
        case _:
            limits = []
    for value, limit in limits:
        yield from ((CodeRange.of(value), f"{function}({limit}, {site.of(value)})") for function in ("max", "min"))


def copied(site: Site) -> Edits:
    """Copy what would be shared."""
    scope = site.scope
    deep = "deepcopy" if "deepcopy" in scope.imported else "copy.deepcopy" if "copy" in scope.imported else ""
    for node in site.values:
        if isinstance(node, _PLAIN | ast.Call | ast.IfExp) and node not in site.sought:
            place, code = CodeRange.of(node), site.of(node)
            yield place, f"{site.operand(node)}.copy()"
            yield from ((place, f"{one}({code})") for one in ("list", deep) if one and called_name(node) != one)
    for node in site.nodes:
        match node:
            case ast.BinOp(op=ast.Mult(), left=ast.List(elts=[one]), right=number):
                if not isinstance(one, ast.Constant | ast.Name):  # these are safe to share
                    yield CodeRange.of(node), f"[{site.of(one)} for _ in range({site.of(number)})]"
            case _:
                pass
    match site.statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=base, attr="clear"))):
            yield from ((CodeRange.of(site.statement), f"{site.of(base)} = {empty}") for empty in ("[]", "{}", "set()"))
        case _:
            pass


def awaited(site: Site) -> Edits:
    """Wait for a call in a coroutine."""
    if not isinstance(site.scope.function, ast.AsyncFunctionDef):
        return
    waited = {node.value for node in site.nodes if isinstance(node, ast.Await)}
    inner = {node.value for node in site.nodes if isinstance(node, ast.Attribute | ast.Subscript)}
    for node in site.nodes:
        if isinstance(node, ast.Call) and node not in waited:
            yield CodeRange.of(node), f"(await {site.of(node)})" if node in inner else f"await {site.of(node)}"
