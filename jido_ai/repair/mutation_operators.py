"""Mutation operators: functions from a node of a Python syntax tree to possible replacements. Pure.

To add one, write a function that yields `Change`s, add it to `_OF_STATEMENTS` or `_OF_EXPRESSIONS`, and describe it in
`OPERATORS`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, pairwise
from typing import Final

from jido_ai.repair import block_fixes, fix_patterns, slip_patterns
from jido_ai.repair.program_code import Change, Code, Place, Scope, own_nodes
from jido_ai.repair.variable_kinds import kinds_in, needed_kinds

__all__ = ["OPERATORS", "changes_of"]

OPERATORS: Final = {
    "boundary": "a comparison with or without equality: < and <=, > and >=",
    "comparison": "another comparison: == != < <= > >=, `is` and `is not`, `in` and `not in`",
    "arithmetic": "+ and -, among * / // % **, among & | ^, << and >>, also in += and similar; = and +=",
    "boolean": "`and` and `or`",
    "negation": "a condition with `not`, or without it; a returned `in` or `is` with it, or without it",
    "constant": "an integer plus or minus one; True and False",
    "base-case": "`len(x) == 0` becomes `len(x) <= 1`, and similar; a returned empty list gets one element",
    "off-by-one": "an index, a bound or a size plus or minus one; a `+ 1` or `- 1` removed",
    "mirror": "an index from the end, `[-i]`, becomes `[-i - 1]`",
    "rounding": "a floor division rounds up instead of down; int and round",
    "operands": "the two sides of - / // % ** swapped, or two factors of a chain of * and /",
    "arguments": "two neighbouring arguments, or parts of a tuple, swapped",
    "variable": "another name of the same function; `while True` becomes `while NAME`",
    "attribute": "another attribute that the file reads",
    "call": "a call of one argument becomes its argument; a recursive argument has a variable subtracted",
    "guard": "a condition on NAME.something first tests whether NAME is None",
    "complement": "the complement of a share: x in `x / c` becomes (c - x), a factor x becomes (1 - x)",
    "sign": "a minus added to or removed from a returned or compared value or a sort key",
    "counterpart": "the other one of a pair: min and max, any and all, append and extend, break and continue ...",
    **fix_patterns.PATTERNS,
    **block_fixes.PATTERNS,
}
"""The operators and their replacements."""

_COMPARISONS: Final[Mapping[type[ast.cmpop], str]] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
_BOUNDARIES: Final = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_OPPOSITES: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "!=", "!=": "=="}
_STRANGE: Final = 20  # cost of a comparison that a person seldom means in place of another one
_MOST_CONSTANTS: Final = 12
_SURE: Final = 10  # a constant from here on is seldom wrong by one
_ARITHMETIC: Final[Mapping[type[ast.operator], str]] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
_HEAPED: Final = ("heappush", "heappushpop", "heapreplace")
_UNITS: Final = (7, 10, 12, 24, 26, 30, 60, 64, 100, 255, 256, 360, 365, 1000)
_TARGETS: Final = (ast.Name, ast.Attribute, ast.Subscript)
_ADDING: Final = ("+", "-")
_GROUPS: Final = (_ADDING, ("*", "/", "//", "%", "**"), ("&", "|", "^"), ("<<", ">>"))
_CROSSED: Final = {"+": ("*",), "*": ("+",), "-": ("//",), "//": ("-",)}
_CONFUSED: Final = frozenset({
    frozenset(pair.split())
    for pair in ("+ -", "* /", "/ //", "// %", "* **", "& |", "<< >>", "+ *", "- //")
})  # fmt: skip
_PAIRS: Final = (
    ("min", "max"), ("any", "all"), ("append", "extend"), ("floor", "ceil"), ("startswith", "endswith"),
    ("lower", "upper"), ("find", "rfind"), ("index", "rindex"), ("lstrip", "rstrip"), ("lstrip", "strip"),
    ("rstrip", "strip"), ("add", "discard"), ("union", "intersection"), ("popleft", "pop"), ("keys", "values"),
    ("keys", "items"), ("values", "items"), ("ljust", "rjust"), ("split", "rsplit"), ("partition", "rpartition"),
    ("sum", "len"), ("sum", "max"), ("upper", "swapcase"), ("title", "capitalize"), ("match", "fullmatch"),
    ("match", "search"), ("search", "fullmatch"), ("weekday", "isoweekday"), ("isdigit", "isalnum"),
    ("isalpha", "isalnum"), ("isdigit", "isdecimal"), ("removeprefix", "removesuffix"), ("removeprefix", "lstrip"),
    ("removesuffix", "rstrip"), ("extend", "extendleft"), ("append", "appendleft"), ("append", "add"),
    ("remove", "discard"), ("heappush", "heappop"), ("update", "intersection_update"),
    ("difference", "symmetric_difference"), ("difference", "intersection"), ("most_common", "elements"),
    ("nlargest", "nsmallest"), ("bisect_left", "bisect_right"), ("bisect_left", "insort"),
    ("combinations", "permutations"), ("permutations", "product"), ("combinations", "combinations_with_replacement"),
    ("setdefault", "get"), ("islower", "isupper"), ("zip", "zip_longest"), ("issubset", "issuperset"),
    ("floor", "round"), ("ceil", "round"), ("sqrt", "isqrt"), ("hour", "minute"), ("minute", "second"),
    ("day", "month"), ("month", "year"),
)  # fmt: skip


def _swapped(gap: str, old: str, new: str) -> str:
    """Return the text between two operands with another operator; brackets and comments stay."""
    operator = r"\s+".join(re.escape(word) for word in old.split())
    found = next((one for one in re.finditer(rf"#[^\r\n]*|{operator}", gap) if not one[0].startswith("#")), None)
    return gap if found is None else gap[: found.start()] + new + gap[found.end() :]


# -- operators -------------------------------------------------------------------------------------


def changes_of(statement: ast.stmt, scope: Scope, source: Code) -> Iterator[Change]:
    """Yield the proposals of all operators for a statement without its block."""
    for place, name in slip_patterns.sides_of(statement, scope, source):
        yield Change("sides", place, name, slip_patterns.COSTS["sides"])
    for of_statement in _OF_STATEMENTS:
        yield from of_statement(statement, scope, source)
    for node in own_nodes(statement):
        for of_expression in _OF_EXPRESSIONS:
            yield from of_expression(node, scope, source)
    yield from fix_patterns.fixes_of(statement, scope, source)
    yield from block_fixes.fixes_of(statement, scope, source)


def _loop_ends(statement: ast.stmt, _scope: Scope, _source: Code) -> Iterator[Change]:
    if isinstance(statement, ast.Break | ast.Continue):
        other = "continue" if isinstance(statement, ast.Break) else "break"
        yield Change("counterpart", Place.of(statement), other)


def _assignments(statement: ast.stmt, scope: Scope, source: Code) -> Iterator[Change]:
    if isinstance(statement, ast.AugAssign):
        gap, old = Place.of(statement.target).to(Place.of(statement.value)), _ARITHMETIC.get(type(statement.op))
        bitwise = ("^", "|") if old == "+" and "^" in source.text else ()
        for new in (*_related(old), *_CROSSED.get(old or "", ()), *bitwise):
            yield Change("arithmetic", gap, _swapped(source.at(gap), f"{old}=", f"{new}="), _cost_of(old, new))
        if old == "+":
            yield Change("arithmetic", gap, _swapped(source.at(gap), "+=", "="))
    elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], _TARGETS):
        gap = Place.of(statement.targets[-1]).to(Place.of(statement.value))
        is_neutral = isinstance(statement.value, ast.Constant) and not statement.value.value  # += 0 does nothing
        if not is_neutral and not _depends_on(
            statement.targets[0], statement.value, scope
        ):  # the summand is not the sum itself
            for sign in ("+=", "-=", *(("|=",) if "set" in source.text else ())):
                yield Change("arithmetic", gap, _swapped(source.at(gap), "=", sign))
        if isinstance(statement.targets[0], ast.Attribute) and isinstance(statement.value, ast.Name | ast.Constant):
            yield Change("sign", Place.of(statement.value), f"-{source.of(statement.targets[0])}")
        if isinstance(statement.value, ast.Attribute | ast.Name):
            yield Change("negation", Place.of(statement.value), f"not {source.of(statement.value)}", _STRANGE)
        if isinstance(statement.targets[0], ast.Name) and source.of(statement.value) in ("1", "-1"):
            yield Change("sign", Place.of(statement.value), f"-{statement.targets[0].id}")
        if isinstance(statement.value, ast.Name) or _is_call_of("len", statement.value):
            yield from _one_up_or_down(statement.value, source)


def _depends_on(target: ast.expr, value: ast.expr, scope: Scope) -> bool:
    """Tell whether a value is computed from the variable that it is assigned to."""
    names = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
    return isinstance(target, ast.Name) and any(target.id in {name, *scope.feeds.get(name, ())} for name in names)


def _returns(statement: ast.stmt, scope: Scope, source: Code) -> Iterator[Change]:
    value = statement.value if isinstance(statement, ast.Return) else None
    if isinstance(value, ast.List) and not value.elts:
        for element in ("[]", *sorted(scope.names)):
            yield Change("base-case", Place.of(value), f"[{element}]")
    if value is None or isinstance(value, ast.Constant | ast.UnaryOp | ast.Compare):
        return
    place, code = Place.of(value), source.operand(value)
    yield Change("sign", place, f"-{code}")
    if isinstance(value, ast.Call | ast.BoolOp | ast.Name):
        yield Change("negation", place, f"not {code}")
    is_product = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult | ast.Div | ast.Pow | ast.Mod)
    if (isinstance(value, ast.Name | ast.Attribute | ast.BinOp) and not is_product) or _is_call_of("len", value):
        yield from _one_up_or_down(value, source)


def _conditions(statement: ast.stmt, scope: Scope, source: Code) -> Iterator[Change]:
    tests = [statement.test] if isinstance(statement, ast.If | ast.While | ast.Assert) else []
    for node in own_nodes(statement):
        tests += [node.test] if isinstance(node, ast.IfExp) else []
        comprehension = isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp)
        tests += [test for one in node.generators for test in one.ifs] if comprehension else []
    for test in tests:
        if isinstance(test, ast.Constant) and test.value is True:
            yield from (Change("variable", Place.of(test), name) for name in sorted(scope.names))
            continue
        yield from _guards(test, source)
        is_plain = isinstance(test, ast.Compare) and len(test.ops) == 1  # it has an opposite
        if not is_plain and not isinstance(test, ast.UnaryOp):
            yield Change("negation", Place.of(test), f"not {source.operand(test)}")


def _guards(test: ast.expr, source: Code) -> Iterator[Change]:
    match test:
        case ast.BoolOp(op=ast.And(), values=[ast.Name(id=name), ast.Call(func=ast.Name(id=called)) as rest]):
            if name == called:  # of a function that may be missing
                yield Change("guard", Place.of(test), f"{name} is None or {source.of(rest)}")
        case _:
            pass
    read = (node.value for node in ast.walk(test) if isinstance(node, ast.Attribute | ast.Subscript))
    condition = f"({source.of(test)})" if isinstance(test, ast.BoolOp | ast.IfExp) else source.of(test)
    for name in dict.fromkeys(node.id for node in read if isinstance(node, ast.Name) and node.id != "self"):
        yield Change("guard", Place.of(test), f"{name} is not None and {condition}")
        yield Change("guard", Place.of(test), f"{name} is None or {condition}")


def _compared(node: ast.expr, scope: Scope, source: Code) -> Iterator[Change]:
    if not isinstance(node, ast.Compare):
        return
    is_answer = any(isinstance(one, ast.Return) and one.value is node for one in scope.block)  # seldom its opposite
    for (left, right), op in zip(pairwise([node.left, *node.comparators]), node.ops, strict=True):
        gap = Place.of(left).to(Place.of(right))
        code = source.at(gap)
        old = _COMPARISONS.get(type(op))
        is_limit = any(isinstance(one, ast.Constant) for one in (left, right))
        is_ordered = any(
            isinstance(one, ast.Constant | ast.UnaryOp | ast.BinOp) or _is_call_of("len", one) for one in (left, right)
        )
        for new in _COMPARISONS.values() if old else ():
            if new == old or (new in ("<", ">") and old in ("==", "!=") and not is_ordered):
                continue
            if not is_limit and old not in ("==", "!=") and new == "!=":  # a < b is seldom meant as a != b
                continue
            operator = "boundary" if _BOUNDARIES.get(old or "") == new else "comparison"
            is_usual = operator == "boundary" or new == _OPPOSITES.get(old or "") or (old == "==" and "=" in new)
            yield Change(operator, gap, _swapped(code, old or "", new), None if is_usual else _STRANGE)
        for one, other in (("is not", "is"), ("not in", "in"), ("is", "is not"), ("in", "not in")):
            if " ".join(re.sub(r"#.*|[()\\]", " ", code).split()) == one:
                operator, cost = ("negation", _STRANGE) if is_answer else ("comparison", None)
                yield Change(operator, gap, _swapped(code, one, other), cost)
        for side in (left, right):
            if isinstance(side, ast.Name | ast.Attribute):
                yield Change("sign", Place.of(side), f"-{source.of(side)}", _STRANGE)
        if not isinstance(right, ast.Constant):
            yield from _one_up_or_down(right, source)
        elif old == "==" and isinstance(left, ast.Name | ast.Call) and right.value in (0, 1):
            rest = Place.of(left).to(Place.of(right)).around(Place.of(right))
            yield Change("base-case", rest, _swapped(code, "==", "<=") + str(right.value + 1))


def _calculated(node: ast.expr, scope: Scope, source: Code) -> Iterator[Change]:
    if not isinstance(node, ast.BinOp) or (old := _ARITHMETIC.get(type(node.op))) is None:
        return
    gap = Place.of(node.left).to(Place.of(node.right))
    crossed = _CROSSED[old] if old in ("+", "*") and not isinstance(node.right, ast.Constant) else ()
    bitwise = ("^",) if old == "+" and "^" in source.text else ()
    for new in (*_related(old), *crossed, *bitwise):
        yield Change("arithmetic", gap, _swapped(source.at(gap), old, new), _cost_of(old, new))
    for side in (node.left, node.right):
        if _is_call_of("len", side):
            for step in ("+ 1", "- 1"):
                yield Change("off-by-one", Place.of(side), f"({source.of(side)} {step})")
    if old in ("//", "%") and not _has_number(node.left) and not isinstance(node.left, ast.Constant):
        for step in ("- 1", "+ 1"):
            if not _is_call_of("len", node.left):
                yield Change("off-by-one", Place.of(node.left), f"({source.of(node.left)} {step})")
    left, right = source.operand(node.left), source.operand(node.right)
    if old in ("/", "//") and isinstance(node.right, ast.Name):
        for step in ("- 1", "+ 1"):
            yield Change("off-by-one", Place.of(node.right), f"({source.of(node.right)} {step})")
    is_plain = isinstance(node.left, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
    if old in _ADDING and is_plain and not _is_sequence(node.right):
        yield Change("sign", Place.of(node.left), f"-{source.of(node.left)}")
    if old == "%" and isinstance(node.left, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
        yield Change("sign", Place.of(node.left), f"-{source.of(node.left)}")
    if old in ("<<", ">>", "**") and isinstance(node.right, ast.Name | ast.Attribute):
        for step in ("- 1", "+ 1"):
            yield Change("off-by-one", Place.of(node.right), f"({source.of(node.right)} {step})")
    if old not in ("+", "*") or (old == "+" and _is_joined(node, scope)):
        yield Change("operands", Place.of(node), f"{right} {old} {left}")
    for one, other in combinations(_row_of_factors(node), 2):
        first, second = Place.of(one), Place.of(other)
        between = source.at(first.to(second))
        yield Change("operands", first.around(second), source.operand(other) + between + source.operand(one))
    if old == "*" and isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.FloorDiv | ast.Div):
        sign, whole = _ARITHMETIC[type(node.left.op)], source.operand(node.left.right)
        yield Change("operands", Place.of(node), f"{source.operand(node.left.left)} * {right} {sign} {whole}")
    if old == "//":
        yield Change("rounding", Place.of(node), f"-(-{left} // {right})")
        yield Change("rounding", Place.of(node), f"round({left} / {right})")
        half = f"{left} + {right} // 2"
        yield Change("rounding", Place.of(node), f"({half}) // {right}")
    if old == "+" and isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.FloorDiv):
        parts = source.operand(node.left.left), source.operand(node.left.right)
        if isinstance(node.right, ast.Constant) and node.right.value == 1:
            yield Change("rounding", Place.of(node), f"-(-{parts[0]} // {parts[1]})")
    if old in _ADDING and isinstance(node.right, ast.Constant) and node.right.value == 1:
        yield Change("off-by-one", Place.of(node), source.of(node.left))
    if old == "-" and isinstance(node.left, ast.Constant):
        yield Change("complement", Place.of(node), right)
    whole = node.right if old == "/" and isinstance(node.right, ast.Constant) else None
    if whole is not None or old == "*":
        for factor in _factors(node.left if whole else node):
            if not isinstance(factor, ast.Constant):
                rest = f"({source.of(whole) if whole else 1} - {source.operand(factor)})"
                yield Change("complement", Place.of(factor), rest)


def _is_joined(node: ast.BinOp, scope: Scope) -> bool:
    """Tell whether a sum joins texts or lists, as far as can be seen: then the order of its terms matters."""
    given = {
        target.id
        for one in (ast.walk(scope.function) if scope.function is not None else ())
        if isinstance(one, ast.Assign) and _is_sequence(one.value)
        for target in one.targets
        if isinstance(target, ast.Name)
    }
    sides = (node.left, node.right)
    if all(isinstance(one, ast.Subscript) and isinstance(one.value, ast.Subscript) for one in sides):
        return True  # letters of a square
    return any(_is_sequence(one) or (isinstance(one, ast.Name) and one.id in given) for one in sides)


def _is_sequence(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    is_sliced = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)
    is_written = isinstance(node, ast.List | ast.ListComp | ast.Tuple | ast.JoinedStr)
    return is_sliced or is_written or _is_call_of("str", node)


def _row_of_factors(node: ast.expr) -> list[ast.expr]:
    """Return the factors and divisors of `a * b / c`; none unless both operators occur."""
    found: list[ast.expr] = []
    signs: set[type[ast.operator]] = set()
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div | ast.FloorDiv):
        found.insert(0, node.right)
        signs.add(type(node.op))
        node = node.left
    return found if len(signs) > 1 else []


def _factors(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return [*_factors(node.left), *_factors(node.right)]
    return [node]


def _related(operator: str | None) -> list[str]:
    """Return the arithmetic operators that may have been confused with this one."""
    group = next((group for group in _GROUPS if operator in group), ())
    return [other for other in group if other != operator]


def _cost_of(old: str | None, new: str) -> int | None:
    """Return the cost of another operator: high if a person seldom means one and writes the other."""
    return None if frozenset({old, new}) in _CONFUSED else _STRANGE


def _joined(node: ast.expr, _scope: Scope, source: Code) -> Iterator[Change]:
    if isinstance(node, ast.BoolOp):
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in pairwise(node.values):
            gap = Place.of(left).to(Place.of(right))
            are_ranges = all(isinstance(one, ast.Compare) and len(one.ops) == 2 for one in (left, right))
            cost = _STRANGE if are_ranges and old == "and" else None  # 0 <= x < a and 0 <= y < b: on a plane
            yield Change("boolean", gap, _swapped(source.at(gap), old, new), cost)
        if len(node.values) == 2 and all(isinstance(one, ast.Compare) for one in node.values):  # just one of both
            one, other = node.values
            either = f"({source.of(one)}) != ({source.of(other)})"
            yield Change("boolean", Place.of(node), either, _STRANGE)


def _signed(node: ast.expr, _scope: Scope, source: Code) -> Iterator[Change]:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        operator = "negation" if isinstance(node.op, ast.Not) else "sign"
        yield Change(operator, Place.of(node), source.operand(node.operand))
    elif isinstance(node, ast.Lambda):
        for key in node.body.elts if isinstance(node.body, ast.Tuple) else [node.body]:
            if not isinstance(key, ast.Constant | ast.UnaryOp | ast.Starred):
                yield Change("sign", Place.of(key), f"-{source.operand(key)}")
    elif isinstance(node, ast.ListComp | ast.GeneratorExp) and isinstance(
        node.elt, ast.Name | ast.Subscript | ast.Call
    ):
        yield Change("sign", Place.of(node.elt), f"-{source.of(node.elt)}")
    elif isinstance(node, ast.Call) and source.of(node.func).rpartition(".")[2] in _HEAPED and len(node.args) == 2:
        pushed = node.args[1]  # the heap is one of the least
        first = pushed.elts[0] if isinstance(pushed, ast.Tuple) and pushed.elts else pushed
        if not isinstance(first, ast.Constant | ast.UnaryOp | ast.Starred):
            yield Change("sign", Place.of(first), f"-{source.operand(first)}")


def _counted(statement: ast.stmt, _scope: Scope, source: Code) -> Iterator[Change]:
    nodes = list(own_nodes(statement))
    sums = [node for node in nodes if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)]
    never_zero = {part for node in sums for part in (node.left, node.right)}  # "unwrap" removes the term
    never_zero |= {node.operand for node in nodes if isinstance(node, ast.UnaryOp)}
    if isinstance(statement, ast.AugAssign):
        never_zero.add(statement.value)
    units = {
        part
        for node in nodes
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div | ast.FloorDiv | ast.Mod)
        for part in (node.left, node.right)
        if isinstance(part, ast.Constant) and isinstance(part.value, int | float) and part.value >= _SURE
    }  # 12 months and 60 minutes are never 13 and 61
    masks = {
        part
        for node in nodes
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd)
        for part in (node.left, node.right)
        if isinstance(part, ast.Constant) and isinstance(part.value, int) and part.value >= _SURE
    }
    factors = {
        part
        for node in nodes
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div | ast.FloorDiv)
        for part in (node.left, node.right)
    }
    shifts = {
        node.right for node in nodes if isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift | ast.RShift)
    }
    indices = {node.slice for node in nodes if isinstance(node, ast.Subscript)}
    negative = [node for node in nodes if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)]
    downward = {node.operand for node in negative if node not in indices}  # -1 is a step or a mark
    for node in nodes:
        if isinstance(node, ast.Call) and any(_is_negative(one) for one in node.args):  # the other direction
            for one in (one for one in node.args if isinstance(one, ast.Name)):
                yield Change("sign", Place.of(one), f"-{one.id}")
        if isinstance(node, ast.Tuple | ast.List) and any(isinstance(one, ast.UnaryOp) for one in ast.walk(statement)):
            for one in (one for one in node.elts if isinstance(one, ast.Constant) and one.value):
                if isinstance(one.value, int | float) and not isinstance(one.value, bool):
                    yield Change("sign", Place.of(one), f"-{source.of(one)}")
            if any(isinstance(one, ast.UnaryOp) for one in node.elts):  # a key with a part in descending order
                for one in node.elts:
                    if isinstance(one, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
                        yield Change("sign", Place.of(one), f"-{source.of(one)}")
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            yield Change("constant", Place.of(node), str(not node.value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, int) and node in masks:
            yield Change("constant", Place.of(node), str(node.value - 1))
        elif isinstance(node, ast.Constant) and node in units and (near := _units_near(node.value)):
            yield from (Change("constant", Place.of(node), str(number)) for number in near)
        elif isinstance(node, ast.Constant) and isinstance(node.value, int) and not _is_sure(node, units, shifts):
            for number in (node.value + 1, node.value - 1):
                cost = _STRANGE if node.value >= _SURE or number < 0 else None
                if (number or node not in never_zero) and not (number == 2 and node in downward):
                    if number in (0, 1) and node in factors:  # nobody multiplies by them
                        continue
                    yield Change("constant", Place.of(node), str(number) if number >= 0 else f"({number})", cost)


def _is_negative(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def _units_near(number: object) -> list[int]:
    """Return the usual units that differ from a factor or divisor by one; of the units, only 255 and 256 do."""
    return [unit for unit in _UNITS if abs(unit - number) == 1] if isinstance(number, int) else []


def _is_sure(node: ast.Constant, units: set[ast.Constant], shifts: set[ast.expr]) -> bool:
    """Tell whether a number is surely not wrong by one: a unit, a round number, a power of two that shifts nothing."""
    number = node.value
    assert isinstance(number, int)
    if node in shifts:
        return False
    return node in units or (number >= _SURE and (number % 10 == 0 or number & (number - 1) == 0))


def _indexed(node: ast.expr, _scope: Scope, source: Code) -> Iterator[Change]:
    if isinstance(node, ast.Subscript):
        for bound in _bounds(node.slice):
            if isinstance(bound, ast.UnaryOp) and isinstance(bound.op, ast.USub):
                if not isinstance(bound.operand, ast.Constant):
                    yield Change("mirror", Place.of(bound), f"{source.of(bound)} - 1")
            elif isinstance(node.slice, ast.Slice) and isinstance(bound, ast.Constant) and bound is node.slice.lower:
                yield Change("sign", Place.of(bound), f"-{source.of(bound)}")
            elif not isinstance(bound, ast.Constant | ast.Slice | ast.UnaryOp):
                yield from _one_up_or_down(bound, source)
        if isinstance(node.value, ast.Subscript):
            yield _changed_over(node.value.slice, node.slice, source)
    elif isinstance(node, ast.Call) and _is_call_of("range", node):
        for size in node.args:
            if not isinstance(size, ast.Constant | ast.Starred | ast.UnaryOp):
                yield from _one_up_or_down(size, source)


def _bounds(index: ast.expr) -> list[ast.expr]:
    """Return the bounds of a slice, the parts of a tuple, or else the index."""
    if isinstance(index, ast.Slice):
        return [bound for bound in (index.lower, index.upper) if bound is not None]
    return index.elts if isinstance(index, ast.Tuple) else [index]


def _is_call_of(name: str, node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _one_up_or_down(node: ast.expr, source: Code) -> Iterator[Change]:
    whole = isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC
    for step in ("+ 1", "- 1"):
        if not _has_number(node):
            yield Change("off-by-one", Place.of(node), f"{source.of(node) if whole else source.operand(node)} {step}")


def _has_number(node: ast.expr) -> bool:
    """Tell whether a sum ends in a number, which is one more or less with "constant", and goes with "unwrap"."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add | ast.Sub):
        return False
    terms = [node.left, node.right] if isinstance(node.op, ast.Add) else [node.right]
    return any(isinstance(term, ast.Constant) for term in terms)


def _ordered(node: ast.expr, _scope: Scope, source: Code) -> Iterator[Change]:
    several: list[ast.expr] = []
    if isinstance(node, ast.Call):
        several = node.args
    elif isinstance(node, ast.Tuple) and (isinstance(node.ctx, ast.Load) or len(node.elts) == 2):
        several = node.elts
    elif isinstance(node, ast.DictComp):
        several = [node.key, node.value]
    for one, other in pairwise(several):
        if not isinstance(one, ast.Constant) or not isinstance(other, ast.Constant) or not _is_call_of("range", node):
            yield _changed_over(one, other, source)


def _changed_over(one: ast.expr, other: ast.expr, source: Code) -> Change:
    first, second = Place.of(one), Place.of(other)
    whole = Place(first.row, first.byte, second.end_row, second.end_byte)
    return Change("arguments", whole, source.at(second) + source.at(first.to(second)) + source.at(first))


def _paired(node: ast.expr, scope: Scope, _source: Code) -> Iterator[Change]:
    name = node.attr if isinstance(node, ast.Attribute) else None
    if isinstance(node, ast.Name) and node.id not in scope.names:  # a variable `index` is no function
        name = node.id
    for one, other in (*_PAIRS, *((other, one) for one, other in _PAIRS)):
        if name == one:
            yield Change("counterpart", Place.of(node).last(one), other)


def _named(statement: ast.stmt, scope: Scope, source: Code) -> Iterator[Change]:
    kinds = kinds_in(scope)
    collections, numbers = needed_kinds(statement)
    for node in own_nodes(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in scope.names:
            others = scope.names - {node.id}
            others -= kinds.numbers if node in collections else frozenset()
            others = sorted(others - kinds.collections if node in numbers else others)
            yield from (Change("variable", Place.of(node), other) for other in others)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in scope.constants:
            others = [one for one in scope.constants if one != node.id][:_MOST_CONSTANTS]
            yield from (Change("variable", Place.of(node), other) for other in others)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and node.attr in scope.attributes:
            place = Place.of(node).last(node.attr)
            yield from (Change("attribute", place, other) for other in scope.attributes if other != node.attr)


def _branches(node: ast.expr, _scope: Scope, source: Code) -> Iterator[Change]:
    if isinstance(node, ast.IfExp):
        for branch in (node.body, node.orelse):
            if isinstance(branch, ast.Name | ast.Attribute):
                yield from _one_up_or_down(branch, source)


def _summed(node: ast.expr, _scope: Scope, source: Code) -> Iterator[Change]:
    """Change an argument that is a sum by one."""
    for given in node.args if isinstance(node, ast.Call) and not _is_call_of("range", node) else ():
        if isinstance(given, ast.BinOp) and isinstance(given.op, ast.Add | ast.Sub):
            yield from _one_up_or_down(given, source)


def _called(node: ast.expr, scope: Scope, source: Code) -> Iterator[Change]:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
        return
    if len(node.args) == 1 and not isinstance(node.args[0], ast.Starred | ast.GeneratorExp):
        yield Change("call", Place.of(node), source.operand(node.args[0]))
    if node.func.id in ("int", "round") and len(node.args) == 1:
        other = "round" if node.func.id == "int" else "int"
        yield Change("rounding", Place.of(node.func), other)
        match node.args[0]:
            case ast.BinOp(left=whole, op=ast.Div(), right=part):
                yield Change("rounding", Place.of(node), f"{source.of(whole)} // {source.of(part)}")
            case _:
                pass
    if node.func.id == scope.name:
        for given in (one for one in node.args if isinstance(one, ast.Name)):
            yield from _one_up_or_down(given, source)
            yield Change("sign", Place.of(given), f"-{given.id}")
            for other in sorted(scope.names - {given.id}):
                yield Change("call", Place.of(given), f"{given.id} - {other}")


_OF_STATEMENTS: Final[tuple[Callable[[ast.stmt, Scope, Code], Iterator[Change]], ...]] = (
    _loop_ends, _assignments, _returns, _conditions, _counted, _named,
)  # fmt: skip
_OF_EXPRESSIONS: Final[tuple[Callable[[ast.expr, Scope, Code], Iterator[Change]], ...]] = (
    _compared, _calculated, _joined, _signed, _indexed, _ordered, _paired, _branches, _summed, _called,
)  # fmt: skip
