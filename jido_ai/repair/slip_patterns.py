"""Slip patterns: everyday slips, and what was meant. Pure.

Each function proposes replacements like those of `revisers.fix_patterns`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Final

from jido_ai.repair.program_code import Code, Place, Scope, names_before, own_nodes
from jido_ai.repair.variable_kinds import kinds_in, kinds_of

__all__ = ["COSTS", "PATTERNS", "sides_of", "slips_of"]

PATTERNS: Final = {
    "divisor": "a quotient is 0 where its divisor is 0 or its collection empty",
    "without": "an optional argument is left out: split(' ') becomes split(), round(x, 2) becomes round(x)",
    "star": "a collection is given as several arguments: zip(*rows)",
    "prefix": "text += x becomes text = x + text; another text stands before a sum of texts",
    "percent": "a share in percent is divided by 100; hours or minutes are multiplied by 60",
    "likewise": "what is done with one variable, attribute or key is done with another one, too: int(h) * 60 + int(m)",
    "sides": "the other side: left and right, first and last, start and end, row and column",
    "cut": "a text that is cut has room for what is put behind it, or is left whole if it is short enough",
    "calendar": "the rule of leap years",
    "owner": "a variable becomes the attribute of its name of another variable: heir.key in place of key",
}
"""The patterns and their replacements."""

COSTS: Final = {
    "divisor": 7, "without": 4, "star": 4, "prefix": 6, "percent": 6, "likewise": 9, "sides": 5, "cut": 7,
    "calendar": 6, "owner": 5,
}  # fmt: skip
"""Each stands in place of the number of characters that a change removes and adds."""

_MOST: Final = 6
_MOST_LIKE: Final = 3
_PLAIN: Final = ast.Name | ast.Attribute | ast.Subscript
_SHARES: Final = re.compile(r"percent|pct|rate|discount|tax|interest|margin|share|fee", re.IGNORECASE)
_SPANS: Final = re.compile(r"hour|minute|^[hm]$|hrs?$|mins?$", re.IGNORECASE)
_OPTIONAL: Final = {"split": 1, "rsplit": 1, "strip": 1, "lstrip": 1, "rstrip": 1, "round": 2, "pop": 1, "get": 2}
_STARRED: Final = ("zip", "max", "min", "product", "chain", "print", "gcd", "lcm", "union")
_SIDES: Final = (
    ("left", "right"), ("first", "last"), ("head", "tail"), ("next", "prev"), ("next", "previous"), ("start", "end"),
    ("begin", "end"), ("low", "high"), ("lo", "hi"), ("x", "y"), ("row", "col"), ("rows", "cols"), ("row", "column"),
    ("rows", "columns"), ("width", "height"), ("source", "target"), ("top", "bottom"), ("key", "value"), ("i", "j"),
    ("minimum", "maximum"), ("lower", "upper"), ("before", "after"), ("old", "new"), ("old", "current"),
)  # fmt: skip
_Found = Iterator[tuple[str, Place, str]]


def slips_of(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    """Yield the name, the place and the code of the proposals for a statement without its block.

    Args:
        values: the values that it uses as a whole.
    """
    for pattern in _PATTERNS:
        yield from pattern(statement, values, scope, source)


# -- numbers ---------------------------------------------------------------------------------------


def _divided(statement: ast.stmt, values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    whole = statement.value if isinstance(statement, ast.Return | ast.Assign) else None
    inner = [one for one in values if isinstance(one, ast.BinOp | ast.Call)]
    for value in dict.fromkeys([whole, *inner]):
        if value is None:
            continue
        for node in ast.walk(value):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
                by = node.right
                if isinstance(by, ast.Call) and source.of(by.func) in ("len", "sum") and len(by.args) == 1:
                    by = by.args[0]
                if isinstance(by, _PLAIN | ast.Call):
                    for zero in ("0", "0.0"):
                        guarded = f"{source.of(value)} if {source.of(by)} else {zero}"
                        yield "divisor", Place.of(value), guarded if value is whole else f"({guarded})"


def _moved(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    """Add one to a returned call, a stored element or the size of a list, and take one away."""
    found: list[ast.expr] = []
    whole = statement.value if isinstance(statement, ast.Return | ast.Assign | ast.AugAssign) else None
    if isinstance(whole, ast.Call) or (isinstance(whole, ast.Subscript) and not isinstance(statement, ast.Return)):
        found.append(whole)
    found += [one for one in values if isinstance(one, ast.Call) and source.of(one.func) == scope.name]
    for node in own_nodes(statement):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and isinstance(node.left, ast.List):
            found.append(node.right)
    for node in dict.fromkeys(found):
        for step in ("+ 1", "- 1"):
            code = f"{source.operand(node)} {step}"
            yield "shift", Place.of(node), code if node in values else f"({code})"


def _shares(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if isinstance(node, _PLAIN) and isinstance(getattr(node, "ctx", None), ast.Load):
            word = source.of(node)
            last = re.split(r"\W+", word.rstrip("'\"])"))[-1]
            if _SHARES.search(last):
                yield "percent", Place.of(node), f"({word} / 100)"
            if _SPANS.search(last):
                yield "percent", Place.of(node), f"{word} * 60"
        elif isinstance(node, ast.Call) and source.of(node.func) == "int" and len(node.args) == 1:
            yield "percent", Place.of(node), f"{source.of(node)} * 60"
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and _SHARES.search(source.of(node)):
            yield "percent", Place.of(node), f"{source.of(node)} / 100"


def _leap_years(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if isinstance(node, ast.Compare | ast.BoolOp) and (
            found := re.fullmatch(r"(\w+(?:\.\w+)?) % 4 == 0(?: and .*)?", source.of(node))
        ):
            year = found[1]
            rule = f"{year} % 4 == 0 and ({year} % 100 != 0 or {year} % 400 == 0)"
            yield "calendar", Place.of(node), rule if node is getattr(statement, "value", None) else f"({rule})"


def _digits(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch("[0-9]", node.value):
            quote = source.of(node)[-1]
            for digit in (int(node.value) + 1, int(node.value) - 1):
                yield "literal", Place.of(node), f"{quote}{digit}{quote}"


def _started(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    value = statement.value if isinstance(statement, ast.Assign) else None
    if isinstance(value, ast.Constant) and isinstance(value.value, int) and scope.function is not None:
        kinds = kinds_of(scope.function)
        names = [one for one in names_before(statement, scope, scope.function) if one in kinds.collections]
        for name in names[:_MOST_LIKE]:
            for function in ("max", "min", "len", "sum"):
                yield "start", Place.of(value), f"{function}({name})"


# -- texts and collections -------------------------------------------------------------------------


def _left_out(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    gone_through = [statement.iter] if isinstance(statement, ast.For) else []
    for node in own_nodes(statement):
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            gone_through += [one.iter for one in node.generators]
    for one in gone_through:
        if isinstance(one, _PLAIN):
            yield "star", Place.of(one), f"zip(*{source.of(one)})"
    for node in own_nodes(statement):
        if not isinstance(node, ast.Call) or node.keywords:
            continue
        name = source.of(node.func).rpartition(".")[2]
        if _OPTIONAL.get(name) == len(node.args):
            kept = ", ".join(source.of(one) for one in node.args[:-1])
            yield "without", Place.of(node), f"{source.of(node.func)}({kept})"
        is_class = name[:1].isupper() and re.search(rf"^class {name}\b", source.text, re.MULTILINE) is not None
        if len(node.args) > 1 and (is_class or source.of(node.func) in scope.functions):
            kept = ", ".join(source.of(one) for one in node.args[:-1])
            yield "without", Place.of(node), f"{source.of(node.func)}({kept})"
        if name in _STARRED and len(node.args) == 1 and isinstance(node.args[0], _PLAIN | ast.Call):
            yield "star", Place.of(node.args[0]), f"*{source.of(node.args[0])}"
        if name == "round" and len(node.args) == 1:
            for digits in ("2", "1"):
                yield "extra", Place.of(node), f"{source.of(node)[:-1]}, {digits})"


def _of_each(statement: ast.stmt, values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in values:
        is_split = isinstance(node, ast.Call) and source.of(node.func).endswith("split")
        if is_split:
            code = source.of(node)
            yield "each", Place.of(node), f"[part.strip() for part in {code}]"
            yield "each", Place.of(node), f"[part for part in {code} if part]"
            yield "each", Place.of(node), f"[int(part) for part in {code}]"
    for node in own_nodes(statement):
        if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load) and len(node.elts) == 2:
            for method in ("strip", "lower"):
                codes = [source.of(one) for one in node.elts]
                new = [code if code.endswith(f".{method}()") else f"{code}.{method}()" for code in codes]
                if new != codes and all(isinstance(one, _PLAIN | ast.Call) for one in node.elts):
                    is_bare = source.of(node)[:1] != "("
                    yield "each", Place.of(node), ", ".join(new) if is_bare else f"({', '.join(new)})"


def _before(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
        target, value = source.of(statement.target), source.operand(statement.value)
        if not isinstance(statement.value, ast.Constant):
            yield "prefix", Place.of(statement), f"{target} = {value} + {target}"
    names = names_before(statement, scope, scope.function)[:_MOST] if scope.function is not None else []
    for node in own_nodes(statement):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and not isinstance(node.left, ast.BinOp):
            sides = (node.left, node.right)
            if any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in sides):
                code = source.of(node)
                for name in (one for one in names if one != source.of(node.left)):
                    yield "prefix", Place.of(node), f"{name} + {code}"


def _cut(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        match node:
            case ast.BinOp(
                left=ast.Subscript(value=text, slice=ast.Slice(lower=None, upper=ast.expr() as upper, step=None)),
                op=ast.Add(),
                right=ast.Constant(value=str()) | ast.Name() as right,
            ):
                end = getattr(right, "value", None)
                size = str(len(end)) if isinstance(end, str) else f"len({source.of(right)})"
                yield "cut", Place.of(upper), f"{source.operand(upper)} - {size}"
                whole = f"{source.of(text)} if len({source.of(text)}) <= {source.of(upper)} else {source.of(node)}"
                yield "cut", Place.of(node), whole if node is getattr(statement, "value", None) else f"({whole})"
            case _:
                pass


def _keyed(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    match statement:
        case ast.AugAssign(target=ast.Subscript(value=base, slice=key), op=ast.Add() | ast.Sub() as op, value=value):
            sign = "+" if isinstance(op, ast.Add) else "-"
            found = f"{source.of(base)}.get({source.of(key)}, 0)"
            yield (
                "keyed",
                Place.of(statement),
                f"{source.of(statement.target)} = {found} {sign} {source.operand(value)}",
            )
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Subscript() as place, attr=method))):
            if empty := {"append": "[]", "extend": "[]", "add": "set()", "update": "{}"}.get(method):
                code = f"{source.of(place.value)}.setdefault({source.of(place.slice)}, {empty})"
                yield "keyed", Place.of(place), code
        case _:
            pass


def _indexed(statement: ast.stmt, values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
            continue
        match node.slice:
            case ast.BinOp(op=ast.Add() | ast.Sub()) as place if isinstance(node.value, ast.Name | ast.Attribute):
                yield "rotate", Place.of(place), f"({source.of(place)}) % len({source.of(node.value)})"
            case ast.Slice(upper=ast.UnaryOp(op=ast.USub(), operand=ast.Name() as size), step=None):  # size may be 0
                end = f"len({source.of(node.value)}) - {source.of(size)}"
                upper = node.slice.upper
                if upper is not None:
                    yield "element", Place.of(upper), end
            case ast.Slice(lower=ast.Name() as lower, upper=ast.Name() | ast.Constant() as upper, step=None):
                yield "element", Place.of(upper), f"{source.of(lower)} + {source.of(upper)}"
            case _:
                pass
    for node in values:
        if isinstance(node, ast.Subscript | ast.Call) and not isinstance(statement, ast.For):
            for index in ("0", "1", "-1"):
                yield "element", Place.of(node), f"{source.of(node)}[{index}]"


# -- the same for another one ----------------------------------------------------------------------


def _likewise(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    names = names_before(statement, scope, scope.function)[:_MOST] if scope.function is not None else []
    keys = list(dict.fromkeys(re.findall(r"""\[("\w+"|'\w+')\]""", source.text)))
    comprehensions = [one for one in own_nodes(statement) if isinstance(one, ast.GeneratorExp | ast.ListComp)]
    several = [one.elt for one in comprehensions]
    for node in dict.fromkeys((*values, *several)):
        match node:
            case ast.Attribute(value=ast.Name() as base, attr=attr):
                others = [f"{source.of(base)}.{one}" for one in scope.attributes if one != attr]
            case ast.Subscript(value=ast.Name() as base, slice=ast.Constant(value=str())):
                others = [f"{source.of(base)}[{one}]" for one in keys if one != source.of(node.slice)]
            case _:
                continue
        for other in others[:_MOST]:
            for sign in ("*", "+", "-"):
                yield "likewise", Place.of(node), f"{source.of(node)} {sign} {other}"
    for node in own_nodes(statement):
        if (
            isinstance(node, ast.Call)
            and len(node.args) == 1
            and not node.keywords
            and isinstance(node.args[0], ast.Name)
        ):
            function, own = source.of(node.func), node.args[0].id
            if function in ("int", "float", "len", "abs", "str") or function in scope.helpers:
                whole = statement.value if isinstance(statement, ast.Return | ast.Assign) else None
                for name in [one for one in names if one != own][:_MOST_LIKE]:
                    if whole is not None and f"{function}({name})" not in source.of(whole):
                        yield "likewise", Place.of(whole), f"{source.of(whole)} + {function}({name})"


def _alike(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    """Do with one argument what is done with another one: f(a & m, b & m)."""
    for node in own_nodes(statement):
        if isinstance(node, ast.Call) and len(node.args) > 1 and isinstance(node.args[0], ast.Name):
            rest = source.of(node)[len(source.of(node.func)) + 1 + len(node.args[0].id) :]
            for one in own_nodes(statement):
                if isinstance(one, ast.BinOp) and isinstance(one.right, ast.Name) and one.right.id != node.args[0].id:
                    yield "likewise", Place.of(one.right), f"{source.of(node.func)}({one.right.id}{rest}"
        several = node.args if isinstance(node, ast.Call) else node.elts if isinstance(node, ast.Tuple) else []
        done = [one for one in several if isinstance(one, ast.BinOp)]
        for plain in [one for one in several if isinstance(one, _PLAIN) and done]:
            for one in done[:_MOST_LIKE]:
                rest = source.of(one)[len(source.of(one.left)) :]
                yield "likewise", Place.of(plain), f"{source.of(plain)}{rest}"


def _compared(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        match node:
            case ast.Compare(
                left=ast.Attribute(value=ast.Name() as one, attr=attr),
                ops=[op],
                comparators=[ast.Attribute(value=ast.Name() as other, attr=of_other) as right],
            ):
                sign = source.at(Place.of(node.left).to(Place.of(right)))
                if attr == of_other and isinstance(op, ast.Eq | ast.NotEq):
                    word = "and" if isinstance(op, ast.Eq) else "or"
                    known = dict.fromkeys((*scope.members, *scope.attributes))
                    for name in [name for name in known if name != attr][:_MOST]:
                        also = f"{one.id}.{name}{sign}{other.id}.{name}"
                        yield "likewise", Place.of(node), f"{source.of(node)} {word} {also}"
                elif attr != of_other:
                    also = f"{other.id}.{attr}{sign}{one.id}.{of_other}"
                    yield "overlap", Place.of(node), f"{source.of(node)} and {also}"
            case _:
                pass


def _owned(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if scope.function is None:
        return
    code = source.of(scope.function)
    for node in own_nodes(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in scope.names:
            owners = re.findall(rf"\b(?<!\.)(\w+)\.{re.escape(node.id)}\b(?!\()", code)
            for owner in list(dict.fromkeys(owners))[:_MOST_LIKE]:
                if owner != "self" and owner in scope.names:
                    yield "owner", Place.of(node), f"{owner}.{node.id}"


def sides_of(statement: ast.stmt, scope: Scope, source: Code) -> Iterator[tuple[Place, str]]:
    """Yield the places and the names of the other sides that a statement may mean."""
    for node in own_nodes(statement):
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        for one, other in (*_SIDES, *((other, one) for one, other in _SIDES)):
            new = _other_side(name, one, other)
            if new and (isinstance(node, ast.Attribute) or new in scope.names):
                yield Place.of(node).last(name), new


def _other_side(name: str, one: str, other: str) -> str:
    """Return the name with `other` in place of the word `one`; empty if it does not have it."""
    words = name.split("_")
    return "_".join(other if word == one else word for word in words) if one in words else ""


def _also_asked(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    test = statement.test if isinstance(statement, ast.If) else None
    if isinstance(statement, ast.Return) and isinstance(statement.value, ast.BoolOp | ast.Compare):
        test = statement.value
    if test is None:
        return
    code = source.of(test)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        lower = [one for one in test.values if isinstance(one, ast.Compare) and isinstance(one.left, ast.Name)]
        bounded = [one for one in lower if len(one.ops) == 1 and isinstance(one.ops[0], ast.Lt)]
        if len(bounded) > 1 and len(bounded) == len(test.values):
            yield "conjunct", Place.of(test), " and ".join(f"0 <= {source.of(one)}" for one in test.values)
    inner = f"({code})" if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else code
    kinds = kinds_in(scope)
    for node in ast.walk(test):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name() as asked)) | ast.Subscript(value=ast.Name() as asked):
                yield "conjunct", Place.of(test), f"not {asked.id} or {inner}"
            case ast.Compare(left=ast.Name(id=name), ops=[ast.Gt() | ast.GtE()]) if name not in kinds.collections:
                for sign in ("<", "<="):
                    yield "conjunct", Place.of(test), f"{name} {sign} 0 or {inner}"
            case _:
                pass


_PATTERNS: Final[tuple[Callable[[ast.stmt, list[ast.expr], Scope, Code], _Found], ...]] = (
    _divided, _moved, _shares, _leap_years, _left_out, _of_each, _before, _cut, _keyed, _indexed, _likewise, _compared,
    _also_asked, _digits, _started, _owned, _alike,
)  # fmt: skip
