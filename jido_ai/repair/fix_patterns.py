"""Fix patterns: replacements of an expression that real fixes make and single-token mutations do not reach. Pure.

Each function proposes `Change`s like those of `revisers.mutation_operators`, with a cost in place of the number of
characters, because a missing `.lower()` is no larger a slip than a missing `+ 1`. Source of the idea: fix templates as
in Kim, Nam, Song, Kim: Automatic Patch Generation Learned from Human-Written Patches (2013).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from jido_ai.repair import (
    completion_patterns,
    context_patterns,
    growth_patterns,
    idiom_patterns,
    key_patterns,
    reuse_patterns,
    slip_patterns,
    term_patterns,
    text_patterns,
    value_patterns,
)
from jido_ai.repair.program_code import Change, Code, Function, Place, Scope, names_before, own_nodes
from jido_ai.repair.variable_kinds import Kinds, collections_of_self, kinds_in, kinds_of, names_with_values

__all__ = ["PATTERNS", "fixes_of"]

PATTERNS: Final = {
    "wrap": "a value passed through strip, lower, copy, list, sorted, reversed, abs or len; a limit by max or min",
    "keyword": "an optional argument that changes what a call does: reverse=True, last=False, pop(0), clear() ...",
    "unwrap": "an expression becomes a part of it: without a method call, a slice, an attribute, a term or a condition",
    "unconditional": "a conditional expression becomes one of its two values",
    "truth": "`x` becomes `x is not None`, and `not x` becomes `x is None`",
    "literal": "another constant: one that the file uses, the neutral value of another operation, [()] for []",
    "field": "an attribute of a name in place of the name; an attribute of self in place of another",
    "conjunct": "a condition that the file uses elsewhere joined by `and` or `or`",
    "operand": "a variable or attribute of self as another term; another one in its place",
    "factor": "a variable or attribute of self as another factor, divisor or modulus; half of a value, its square",
    "aliasing": "`[[0] * n] * m` becomes a list of separate lists",
    "element": "the first in place of the last element; the length of the first element; a bound of a slice removed",
    "loop": "`if` and `while`, `if` and `elif`",
    "bracket": "a calculation done outside a call instead of on its argument, or the other way round",
    "slice": "only a part of what a loop or call goes through: rows[1:], rows[k:], rows[:k]",
    "result": "a returned constant becomes a variable, or tells whether one is empty or zero",
    "transplant": "an element in place of another one of the same statement: a[i] and b[j]",
    **reuse_patterns.PATTERNS,
    **idiom_patterns.PATTERNS,
    **text_patterns.PATTERNS,
    **context_patterns.PATTERNS,
    **slip_patterns.PATTERNS,
    **completion_patterns.PATTERNS,
    **value_patterns.PATTERNS,
    **growth_patterns.PATTERNS,
    **term_patterns.PATTERNS,
    **key_patterns.PATTERNS,
}
"""The patterns and their replacements."""

_COSTS: Final = {
    "wrap": 8, "keyword": 6, "unwrap": 7, "unconditional": 6, "truth": 5, "literal": 6, "field": 6, "conjunct": 10,
    "operand": 9, "factor": 9, "aliasing": 2, "element": 4, "loop": 7, "bracket": 5, "slice": 8, "result": 7,
    "transplant": 8,
    **reuse_patterns.COSTS,
    **idiom_patterns.COSTS,
    **text_patterns.COSTS,
    **context_patterns.COSTS,
    **slip_patterns.COSTS,
    **completion_patterns.COSTS,
    **value_patterns.COSTS,
    **growth_patterns.COSTS,
    **term_patterns.COSTS,
    **key_patterns.COSTS,
}  # fmt: skip
_METHODS: Final = ("strip", "lower", "copy")
_FUNCTIONS: Final = ("list", "sorted", "reversed", "abs", "set", "len")
_MODES: Final[dict[str, tuple[str, ...]]] = {
    "sorted": ("reverse=True",), "sort": ("reverse=True",), "popitem": ("last=False",), "pop": ("0", "-1"),
    "split": ("1",), "max": ("default=0",), "min": ("default=0",), "get": ("0", "[]"), "enumerate": ("1",),
}  # fmt: skip
_FORGETTING: Final = ("pop", "discard", "remove")
_MOST_TERMS: Final = 8
_MOST_CONDITIONS: Final = 8
_MOST_LITERALS: Final = 8
_MOST_PARTS: Final = 4
_THROUGH: Final = ("sum", "min", "max", "any", "all", "sorted", "enumerate", "zip", "list", "set", "reversed")
_NEVER_NONE: Final = re.compile(r"(is|has|start|end|any$|all$|len$|bool$|isinstance$|callable$)")


def fixes_of(statement: ast.stmt, scope: Scope, source: Code) -> Iterator[Change]:
    """Yield the proposals of all patterns for a statement without its block."""
    values = list(_values(statement))
    for pattern in _PATTERNS:
        for name, place, after in pattern(statement, values, scope, source):
            yield Change(name, place, after, cost=_COSTS[name])


_Found = Iterator[tuple[str, Place, str]]


def _values(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield the values that a statement uses as a whole: what it returns or assigns, arguments, compared values."""
    seen: set[ast.expr] = set()
    whole = statement.value if isinstance(statement, ast.Return | ast.Assign | ast.AugAssign) else None
    whole = statement.iter if isinstance(statement, ast.For) else whole
    found = [whole] if whole is not None else []
    for node in own_nodes(statement):
        if isinstance(node, ast.Call):
            found += [one for one in node.args if not isinstance(one, ast.Starred)]
        elif isinstance(node, ast.Compare):
            found += [node.left, *node.comparators]
        elif isinstance(node, ast.IfExp):
            found += [node.body, node.orelse]
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            found += [node.elt, *(one.iter for one in node.generators)]
        elif isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ast.Load):
            found += node.elts
    for node in found:
        parts = node.values[:1] if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) else []
        for one in (node, *parts):
            if one not in seen:
                seen.add(one)
                yield one


def _wrapped(statement: ast.stmt, values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    sought = _sought(statement)
    for node in values:
        if isinstance(node, ast.Constant | ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Lambda | ast.JoinedStr):
            continue
        place = Place.of(node)
        is_sum = isinstance(node, ast.BinOp)
        if not is_sum and not isinstance(node, ast.List | ast.Tuple | ast.Dict | ast.GeneratorExp):
            for method in _METHODS:
                yield "wrap", place, f"{source.operand(node)}.{method}()"
        for function in ("abs",) if is_sum else _FUNCTIONS:
            if not _calls(node, function) and node not in sought:
                yield "wrap", place, f"{function}({source.of(node)})"
        if isinstance(statement, ast.Return | ast.Assign) and node is statement.value and not is_sum:
            yield "wrap", place, f"{source.operand(node)}[::-1]"
            known = re.findall(r"\.[lr]?strip\(([^()\n]{1,20})\)", source.text)
            for marks in list(dict.fromkeys(known))[:_MOST_PARTS]:
                yield "wrap", place, f"{source.operand(node)}.strip({marks})"
                yield "wrap", place, f"{source.operand(node)}.rstrip({marks})"
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            terms = [one for one in (node.left, node.right) if isinstance(one, ast.Name | ast.Subscript)]
            for least in ("0", *(source.of(one) for one in terms if isinstance(node.op, ast.Add))):
                yield "wrap", place, f"max({least}, {source.of(node)})"
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name | ast.Attribute | ast.Subscript):
        target, value = source.of(statement.targets[0]), source.of(statement.value)
        for function in ("max", "min"):
            yield "wrap", Place.of(statement.value), f"{function}({target}, {value})"
        if isinstance(statement.value, ast.Tuple) and isinstance(statement.targets[0], ast.Subscript):
            for number, element in enumerate(statement.value.elts):
                for function in ("max", "min"):
                    yield "wrap", Place.of(element), f"{function}({target}[{number}], {source.of(element)})"


def _sought(statement: ast.stmt) -> set[ast.expr]:
    """Return the values that `in` looks up: nobody means a sorted or reversed one, or a calculation with them."""
    found = [node for node in own_nodes(statement) if isinstance(node, ast.Compare)]
    return {node.left for node in found if isinstance(node.ops[0], ast.In | ast.NotIn)}


def _calls(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _modes(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if not isinstance(node, ast.Call):
            continue
        func = node.func
        name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        code = source.of(node)
        if isinstance(func, ast.Attribute) and name in _FORGETTING and node.args:
            yield "keyword", Place.of(node), f"{source.of(func.value)}.clear()"
        if not code.endswith(")"):
            continue
        for word in _MODES.get(name, ()):
            key = word.partition("=")[0]
            if "=" in word and any(one.arg == key for one in node.keywords):
                continue
            if "=" not in word and name in ("pop",) and node.args:
                continue
            given = code[:-1].rstrip().rstrip(",")
            yield "keyword", Place.of(node), f"{given}{'' if given.endswith('(') else ', '}{word})"
        if name in ("pop", "next") and len(node.args) == 1:
            yield "keyword", Place.of(node), f"{code[:-1]}, None)"
        if len(node.args) + len(node.keywords) > 1:
            for word in (one for one in node.keywords if one.arg not in ("reverse", "key")):  # of "ordering"
                kept = [source.of(one) for one in (*node.args, *node.keywords) if one is not word]
                yield "keyword", Place.of(node), f"{source.of(func)}({', '.join(kept)})"
        if (name == "pop" and len(node.args) == 1) or (node.keywords and not node.args):
            yield "keyword", Place.of(node), f"{source.of(func)}()"


def _unwrapped(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        parts: list[ast.expr] = []
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            parts = [node.func.value] if not isinstance(statement, ast.Expr) else []
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            parts = [node.value]
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            is_self = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            parts = [] if is_self else [node.value]
        elif isinstance(node, ast.BinOp):
            parts = [] if isinstance(node.op, ast.Mod | ast.FloorDiv) else [node.left, node.right]
        elif isinstance(node, ast.BoolOp):
            parts = node.values
        elif isinstance(node, ast.IfExp):
            for part in (node.body, node.orelse):
                yield "unconditional", Place.of(node), source.of(part)
        elif isinstance(node, ast.Compare) and node is getattr(statement, "test", None):
            is_ordered = isinstance(node.left, ast.Name) and isinstance(node.ops[0], ast.Gt | ast.GtE)
            parts = [node.left] if is_ordered else []
        for part in parts:
            lost = [one for one in parts if one is not part and isinstance(node, ast.BinOp)]
            if not isinstance(part, ast.Constant) and not any(isinstance(one, ast.Call) and one.args for one in lost):
                yield "unwrap", Place.of(node), source.operand(part)


def _truths(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    sure = names_with_values(scope.function) if scope.function is not None else frozenset[str]()
    tests = [statement.test] if isinstance(statement, ast.If | ast.While) else []
    for node in own_nodes(statement):
        tests += [node.test] if isinstance(node, ast.IfExp) else []
        tests += node.values if isinstance(node, ast.BoolOp) else []
    for test in tests:
        asked = test.operand if isinstance(test, ast.UnaryOp) else test
        if isinstance(asked, ast.Name) and asked.id in sure:
            continue
        if _is_of_truth(asked, scope):
            continue
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            yield "truth", Place.of(test), f"{source.operand(test.operand)} is None"
        elif (found := _looked_up(test, source)) and found in source.text:
            continue  # "absent" asks whether it is there
        elif isinstance(test, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            yield "truth", Place.of(test), f"{source.operand(test)} is not None"


def _looked_up(test: ast.expr, source: Code) -> str:
    """Return base[key] for base.get(key); empty for other expressions."""
    match test:
        case ast.Call(func=ast.Attribute(value=base, attr="get"), args=[key], keywords=[]):
            return f"{source.of(base)}[{source.of(key)}]"
        case _:
            return ""


def _is_of_truth(test: ast.expr, scope: Scope) -> bool:
    """Tell whether a call answers True or False, by its name or what it returns: it is never None."""
    func = test.func if isinstance(test, ast.Call) else None
    name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
    function = scope.functions.get(name if isinstance(func, ast.Name) else f"self.{name}")
    nodes = ast.walk(function) if function is not None else ()
    answers = [node.value for node in nodes if isinstance(node, ast.Return)]
    return _NEVER_NONE.match(name) is not None or (bool(answers) and all(map(_is_condition, answers)))


def _is_condition(value: ast.expr | None) -> bool:
    match value:
        case ast.Compare() | ast.Constant(value=bool()) | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.BoolOp(values=values):
            return all(map(_is_condition, values))
        case _:
            return False


def _literals(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    nodes = list(own_nodes(statement))
    identical = {operand for node in nodes if isinstance(node, ast.Compare) for operand in _compared_by_identity(node)}
    bounds = {bound for node in nodes if isinstance(node, ast.Slice) for bound in (node.lower, node.upper, node.step)}
    for node in nodes:
        if isinstance(node, ast.List) and not node.elts and isinstance(node.ctx, ast.Load):
            for other in ("[()]", "[[]]", "None", '[""]', "[{}]"):
                yield "literal", Place.of(node), other
        elif isinstance(node, ast.Constant):
            others: tuple[str, ...] = ()
            if node.value is None:
                others = ("0", "[]", "False", "True", '""')
            elif isinstance(node.value, bool):
                others = ("None",)
            elif isinstance(node.value, int | float):
                others = ("None",) if node not in bounds else ()
                others = (*others, *(one for one in scope.numbers if one not in ("0", "1", "2")))
            elif isinstance(node.value, str):
                alike = [one for one in scope.texts if one[1:-1].isidentifier() == node.value.isidentifier()]
                others = tuple(one for one in ('""', '" "') if one != source.of(node))
                others = (*alike, *others) if node.value.isidentifier() else (*others, *alike)
            if node in identical:  # `is 0` is never meant: Python warns of it
                others = tuple(one for one in others if one in ("None", "True", "False"))
            for other in others[:_MOST_LITERALS]:
                if other != source.of(node):
                    yield "literal", Place.of(node), other


def _compared_by_identity(node: ast.Compare) -> Iterator[ast.expr]:
    for (left, right), op in zip(pairwise([node.left, *node.comparators]), node.ops, strict=True):
        if isinstance(op, ast.Is | ast.IsNot):
            yield left
            yield right


def _fields(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    inside = {node.value for node in own_nodes(statement) if isinstance(node, ast.Attribute)}
    for node in own_nodes(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in scope.names:
            if node not in inside:
                for name in scope.attributes:
                    yield "field", Place.of(node), f"{node.id}.{name}"
        elif isinstance(node, ast.Compare) and isinstance(node.left, ast.Name) and scope.siblings:
            for name in scope.members if isinstance(node.ops[0], ast.In | ast.NotIn) else ():
                if f"self.{name}" != source.of(node.comparators[0]):
                    yield "field", Place.of(node.left), f"self.{name}"
        elif (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
            and node.attr in scope.members
        ):
            for name in scope.members:
                if name != node.attr and (name not in scope.attributes or node.attr not in scope.attributes):
                    yield "field", Place.of(node).last(node.attr), name


def _conjuncts(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    tests: list[ast.expr] = [statement.test] if isinstance(statement, ast.If | ast.While) else []
    if isinstance(statement, ast.Return) and isinstance(statement.value, ast.Compare | ast.BoolOp | ast.Name):
        tests.append(statement.value)
    for node in own_nodes(statement):
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            tests += [test for one in node.generators for test in one.ifs]
    for test in tests:
        yield from _alternatives(test, scope, source)
        code = source.of(test)
        for part in dict.fromkeys((*_memberships(test, scope, source), *_truths_of(test, source))):
            if part not in code.split(" and "):
                yield "conjunct", Place.of(test), f"{part} and {f'({code})' if _is_or(test) else code}"
                if " == " in part:
                    yield "conjunct", Place.of(test), f"{part} or {code}"
        for node in ast.walk(test):
            match node:
                case ast.Compare(left=ast.Name() | ast.Attribute(), ops=[ast.Lt() | ast.LtE()]):
                    yield "conjunct", Place.of(node), f"0 <= {source.of(node)}"
                case _:
                    pass
        for name in _compared_names(test):
            inner = f"({code})" if _is_or(test) else code
            yield "conjunct", Place.of(test), f"{name} is not None and {inner}"
            yield "conjunct", Place.of(test), f"{name} and {inner}"
        for part in _improvements(test, scope, source):
            yield "conjunct", Place.of(test), f"{code} or {part}"
        named = [one.id for one in ast.walk(test) if isinstance(one, ast.Name) and one.id in scope.names]
        fields = [f"{name}.{one}" for name in dict.fromkeys(named) for one in scope.attributes]
        for other in (*scope.conditions[:_MOST_CONDITIONS], *fields):
            if other not in code:
                inner = f"({code})" if isinstance(test, ast.BoolOp) else code
                part = f"({other})" if re.search(r"\b(and|or)\b", other) else other
                yield "conjunct", Place.of(test), f"{inner} and {part}"
                yield "conjunct", Place.of(test), f"{inner} or {part}"
                if re.fullmatch(r"[\w.]+", other):
                    yield "conjunct", Place.of(test), f"{inner} and not {part}"


def _compared_names(test: ast.expr) -> list[str]:
    """Return the variables that a condition compares or looks for, which may be nothing."""
    sides = [
        one for node in ast.walk(test) if isinstance(node, ast.Compare) for one in (node.left, *node.comparators[:1])
    ]
    bases = [
        one.func.value if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) else one for one in sides
    ]
    return list(dict.fromkeys(one.id for one in bases if isinstance(one, ast.Name)))[:2]


def _is_or(test: ast.expr) -> bool:
    return isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or)


def _memberships(test: ast.expr, scope: Scope, source: Code) -> list[str]:
    """Return conditions on an argument being in a collection that a condition reads, or a variable being a constant."""
    named = dict.fromkeys(one.id for one in ast.walk(test) if isinstance(one, ast.Name) and one.id in scope.names)
    equal = [f"{name} == {constant}" for name in named for constant in scope.constants[:_MOST_PARTS]]
    read = [
        source.of(node.args[0])
        for node in ast.walk(test)
        if isinstance(node, ast.Call) and _calls(node, "len") and node.args
    ]
    given = [one for one in _parameters(scope)[:_MOST_PARTS] if one not in read]
    return [
        *(f"{one} {word} {name}" for name in dict.fromkeys(read) for one in given for word in ("not in", "in")),
        *equal,
    ]


def _truths_of(test: ast.expr, source: Code) -> list[str]:
    """Return the variables of comparisons, as conditions: they should be set before they are compared."""
    compared = [node for node in ast.walk(test) if isinstance(node, ast.Compare)]
    sides = [one for node in compared if not _is_counted(node) for one in (node.left, *node.comparators)]
    return [source.of(one) for one in sides if isinstance(one, ast.Name | ast.Attribute)]


def _is_counted(node: ast.Compare) -> bool:
    """Tell whether a comparison asks whether one is more than a number or a length: what it compares is set."""
    is_ordered = isinstance(node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)
    return is_ordered and any(isinstance(one, ast.Constant) or _calls(one, "len") for one in node.comparators)


def _improvements(test: ast.expr, scope: Scope, source: Code) -> Iterator[str]:
    """Yield, for `k not in best`, conditions under which a variable improves on best[k]."""
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotIn) and scope.function is not None:
        key, best = source.of(test.left), source.of(test.comparators[0])
        stored = re.findall(rf"{re.escape(f'{best}[{key}]')} = (\w+)", source.text)
        for name in dict.fromkeys(one for one in stored if one in scope.names):
            yield f"{name} < {best}[{key}]"
            yield f"{name} > {best}[{key}]"


def _alternatives(test: ast.expr, scope: Scope, source: Code) -> _Found:
    """Let a comparison with a constant allow another one of the same kind that the file uses."""
    code = source.of(test)
    for part in test.values if isinstance(test, ast.BoolOp) else [test]:
        if isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.Eq):
            value = part.comparators[0]
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                for other in scope.texts[:_MOST_LITERALS]:
                    if other not in code and repr(value.value) != other:
                        both = f"{source.of(part)} or {source.of(part.left)} == {other}"
                        yield "conjunct", Place.of(part), f"({both})" if part is not test else both


def _operands(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    kinds = kinds_in(scope)
    members = [f"self.{one}" for one in scope.members]
    names = names_before(statement, scope, scope.function) if scope.function is not None else []
    terms = [*(one for one in names if one not in kinds.collections), *members][:_MOST_TERMS]
    joined = [*(one for one in names if one not in kinds.numbers), *members][:_MOST_TERMS]
    sums = [node for node in own_nodes(statement) if isinstance(node, ast.BinOp)]
    parts = [part for node in sums for part in (node.left, node.right)]
    counts = [
        node
        for node in (*values, *parts)
        if isinstance(node, ast.Name | ast.Attribute | ast.BinOp | ast.Subscript) or _calls(node, "len")
    ]
    sought = _sought(statement)
    for cut in (node for node in own_nodes(statement) if isinstance(node, ast.Slice)):
        if isinstance(cut.upper, ast.Name | ast.Attribute):
            for term in _lengths(statement, scope, kinds, source):
                yield "operand", Place.of(cut.upper), f"{source.of(cut.upper)} - {term}"
    for node in (one for one in dict.fromkeys(counts) if one not in sought):
        code = source.of(node)
        lengths = _lengths(statement, scope, kinds, source) if not isinstance(node, ast.Subscript) else []
        is_joined = isinstance(node, ast.Name) and node.id in kinds.collections
        if _calls(node, "len"):
            for term in (one for one in lengths if one != code):
                yield "operand", Place.of(node), f"{code} - {term}"
                yield "operand", Place.of(node), f"{code} + {term}"
            continue
        for term in joined if is_joined else (*terms, *lengths):
            if is_joined:
                if term != code:
                    yield "operand", Place.of(node), f"({code} + {term})" if node in parts else f"{code} + {term}"
                continue
            if term == code:
                yield "factor", Place.of(node), f"{code} ** 2"
                continue
            if isinstance(node, ast.Attribute) and node.attr == term:  # nobody adds the year to day.year
                continue
            operand = source.operand(node)
            factor = operand if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Mult | ast.Div) else code
            for operator in ("+", "-"):
                yield (
                    "operand",
                    Place.of(node),
                    f"{code} {operator} {term}" if node not in parts else (f"({code} {operator} {term})"),
                )
            for operator in ("%",) if term in lengths else ("*", "/", "//", "%"):
                text = f"{factor} {operator} {term}"
                yield "factor", Place.of(node), text if node not in parts or operator == "*" else f"({text})"
        if node in values and isinstance(node, ast.BinOp):
            for operator in ("/", "//", "*"):
                yield "factor", Place.of(node), f"{source.operand(node)} {operator} 2"

    for node in dict.fromkeys((*values, *parts)):
        is_number = isinstance(node, ast.Call) and source.of(node.func) in ("sum", "int")
        if is_number or (isinstance(node, ast.Call) and not node.args and not node.keywords):  # clock()
            for term in terms:
                for sign in "+-" if is_number else "+":
                    text = f"{source.of(node)} {sign} {term}"
                    yield "operand", Place.of(node), text if node not in parts else f"({text})"
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
        target, value = source.of(statement.targets[0]), source.of(statement.value)
        yield "operand", Place.of(statement.value), f"{value} + {target}"
    if isinstance(statement, ast.AugAssign) and isinstance(statement.value, ast.Name):
        yield "operand", Place.of(statement.value), "1"
    if isinstance(statement, ast.Return) and isinstance(statement.value, ast.Name | ast.Call | ast.Subscript):
        for one in _displays(scope, source):
            yield "operand", Place.of(statement.value), f"{one} + {source.of(statement.value)}"
            yield "operand", Place.of(statement.value), f"{source.of(statement.value)} + {one}"
    for node in values:
        if isinstance(node, ast.List | ast.ListComp) or (isinstance(node, ast.Tuple) and len(node.elts) == 1):
            for name in [one for one in names if one not in kinds.numbers][:_MOST_TERMS]:
                yield "operand", Place.of(node), f"{name} + {source.of(node)}"
                yield "operand", Place.of(node), f"{source.of(node)} + {name}"


def _displays(scope: Scope, source: Code) -> list[str]:
    """Return the lists that the function returns elsewhere, written out."""
    nodes = ast.walk(scope.function) if scope.function is not None else ()
    values = [node.value for node in nodes if isinstance(node, ast.Return)]
    return list(dict.fromkeys(source.of(one) for one in values if isinstance(one, ast.List) and one.elts))[:_MOST_PARTS]


def _brackets(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        match node:  # f(x).m(...) and f(x.m(...))
            case ast.Call(func=ast.Attribute(value=ast.Call(args=[inner], keywords=[]) as outer)):
                tail = source.of(node)[len(source.of(outer)) :]
                yield "bracket", Place.of(node), f"{source.of(outer.func)}({source.operand(inner)}{tail})"
            case ast.Call(args=[ast.Call(func=ast.Attribute(value=inner)) as outer], keywords=[]):
                tail = source.of(outer)[len(source.of(inner)) :]
                yield "bracket", Place.of(node), f"{source.of(node.func)}({source.of(inner)}){tail}"
            case _:
                pass
        if isinstance(node, ast.Call) and node.args and not node.keywords and isinstance(node.args[-1], ast.BinOp):
            inner = node.args[-1]
            begin = source.at(Place(node.lineno, node.col_offset, inner.lineno, inner.col_offset))
            operator = source.at(Place.of(inner.left).to(Place.of(inner.right)))
            yield "bracket", Place.of(node), f"{begin}{source.of(inner.left)}){operator}{source.operand(inner.right)}"
            both = f"{begin}{source.of(inner.left)}){operator}{begin}{source.of(inner.right)})"
            yield "bracket", Place.of(node), both
        elif (
            isinstance(node, ast.BinOp)
            and isinstance(node.left, ast.Call)
            and node.left.args
            and not node.left.keywords
        ):
            last = node.left.args[-1]
            begin = source.at(Place(node.lineno, node.col_offset, last.lineno, last.col_offset))
            operator = source.at(Place.of(node.left).to(Place.of(node.right)))
            if begin.startswith(source.of(node.left.func)):
                yield "bracket", Place.of(node), f"{begin}{source.of(last)}{operator}{source.of(node.right)})"


def _lengths(statement: ast.stmt, scope: Scope, kinds: Kinds, source: Code) -> list[str]:
    """Return lengths that may be a term: those in the statement and, where it has one, of other collections."""
    found = [source.of(node) for node in own_nodes(statement) if _calls(node, "len")]
    collections = [*sorted(kinds.collections), *scope.constants]
    if found:
        collections += collections_of_self(source.text)
    return list(dict.fromkeys([*found, *(f"len({one})" for one in collections)]))[:_MOST_TERMS]


def _aliases(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult) or not isinstance(node.left, ast.List):
            continue
        elements = node.left.elts
        if len(elements) == 1 and not isinstance(elements[0], ast.Constant | ast.Name):  # these are safe to share
            inner, number = source.of(elements[0]), source.of(node.right)
            yield "aliasing", Place.of(node), f"[{inner} for _ in range({number})]"


def _elements(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load | ast.Del):
            place = node.slice
            if isinstance(place, ast.UnaryOp) and isinstance(place.operand, ast.Constant) and place.operand.value == 1:
                yield "element", Place.of(place), "0"
            elif isinstance(place, ast.Constant) and place.value in (0, 1):
                yield "element", Place.of(place), "-1"
            if isinstance(place, ast.Constant) and place.value in (0, -1) and scope.function is not None:
                kinds = kinds_of(scope.function)
                names = [one for one in names_before(statement, scope, scope.function) if one not in kinds.collections]
                for name in names[:_MOST_PARTS]:
                    yield "element", Place.of(place), f":{name}" if place.value == 0 else f"{name}:"
            if isinstance(place, ast.Slice):
                base = source.operand(node.value)
                lower = source.of(place.lower) if place.lower else ""
                upper = source.of(place.upper) if place.upper else ""
                if lower and upper:
                    yield "element", Place.of(node), f"{base}[{lower}:]"
                    yield "element", Place.of(node), f"{base}[:{upper}]"
                elif (lower or upper) and place.step is None:
                    yield "element", Place.of(node), f"{base}[{upper}:{lower}]"
                if place.step is None and isinstance(place.upper, ast.Name) and not lower:
                    yield "element", Place.of(node), f"{base}[-{upper}:]"
                if place.step is None and not (lower and upper):
                    yield "element", Place.of(node), f"{base}[::-1]"
        elif isinstance(node, ast.Call) and _calls(node, "len") and isinstance(node.args[0], ast.Name):
            name = source.of(node.args[0])
            known = re.findall(rf"\b{re.escape(name)}\[(\w+)\]", source.text)
            for index in list(dict.fromkeys(("0", *known)))[:_MOST_PARTS]:
                yield "element", Place.of(node.args[0]), f"{name}[{index}]"


def _loops(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    if isinstance(statement, ast.If | ast.While):
        begin = Place(statement.lineno, statement.col_offset, statement.test.lineno, statement.test.col_offset)
        word = source.at(begin)
        for old, new in (("if ", "while "), ("while ", "if "), ("elif ", "if "), ("if ", "elif ")):
            if word == old:
                yield "loop", begin, new


def _sliced(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    gone_through = [statement.iter] if isinstance(statement, ast.For) else []
    for node in own_nodes(statement):
        if isinstance(node, ast.comprehension):
            continue
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            gone_through += [one.iter for one in node.generators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            slices = [one.slice for one in node.args if isinstance(one, ast.Subscript)]
            cuts = [source.of(one) for one in slices if isinstance(one, ast.Slice)]
            plain = [one for one in node.args if isinstance(one, ast.Name)]
            for one in plain:
                for cut in dict.fromkeys(cuts):
                    yield "slice", Place.of(one), f"{one.id}[{cut}]"
            gone_through += plain if node.func.id in _THROUGH or node.func.id == scope.name else []
    for node in gone_through:
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            bounds = [name for name in _parameters(scope) if name != source.of(node)][:_MOST_PARTS]
            for cut in ("1:", ":-1", *(f"{name}:" for name in bounds), *(f":{name}" for name in bounds)):
                yield "slice", Place.of(node), f"{source.of(node)}[{cut}]"


def _parameters(scope: Scope) -> list[str]:
    given = scope.function.args.args if scope.function is not None else []
    return [one.arg for one in given if one.arg not in ("self", "cls")]


def _results(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    value = statement.value if isinstance(statement, ast.Return) else None
    if isinstance(value, ast.Constant) and scope.function is not None:
        own = scope.names & _assigned(scope.function)
        counted = {
            node.target.id
            for node in ast.walk(scope.function)
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
        }
        for name in sorted(own):
            if isinstance(value.value, bool):
                empty = f"{name} == 0" if name in counted else f"not {name}"
                yield "result", Place.of(value), empty if value.value else f"bool({name})"
            else:
                yield "result", Place.of(value), name


def _assigned(function: Function) -> set[str]:
    """Return the variables that a function assigns, without its arguments and those of loops."""
    found = [node for node in ast.walk(function) if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign)]
    targets = [one for node in found for one in (node.targets if isinstance(node, ast.Assign) else [node.target])]
    return {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}


def _transplanted(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    found = [node for node in own_nodes(statement) if isinstance(node, ast.Subscript)]
    codes = list(dict.fromkeys(source.of(node) for node in found))[:_MOST_PARTS]
    for node in found:
        for code in codes:
            if code not in source.of(node) and source.of(node) not in code:
                yield "transplant", Place.of(node), code


_PATTERNS: Final[tuple[Callable[[ast.stmt, list[ast.expr], Scope, Code], _Found], ...]] = (
    context_patterns.contexts_of, slip_patterns.slips_of, completion_patterns.completions_of, value_patterns.values_of,
    _wrapped, _modes, _unwrapped, _truths, _literals, _fields, _conjuncts, _operands, _brackets, _aliases, _elements,
    _loops, _sliced, _results, _transplanted, reuse_patterns.reuses_of, idiom_patterns.idioms_of,
    text_patterns.texts_of, growth_patterns.growths_of, term_patterns.terms_of,
    key_patterns.keys_of,
)  # fmt: skip
