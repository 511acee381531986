"""Small changes of a Python program, as the ones a slip makes or undoes: mutation operators.

Each operator is a function from a node of the syntax tree to texts that may take its place; the rest of the file
stays byte for byte. Source of the idea: the competent programmer hypothesis (DeMillo, Lipton, Sayward 1978), turned
round as in Debroy and Wong: Using Mutation to Automatically Suggest Fixes for Faulty Programs (2010).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Final

from jido_ai.logic.text_edits import Edit, apply_edits
from jido_ai.values import MemoryEntry

__all__ = ["OPERATORS", "Mutation", "describe_repair", "failure_of", "mutations", "remembered_operators"]

OPERATORS: Final = {
    "boundary": "a comparison with or without equality: < and <=, > and >=",
    "comparison": "another comparison: == != < <= > >=, `is` and `is not`, `in` and `not in`",
    "arithmetic": "+ and -, and among * / // % **, also in += and its like",
    "boolean": "`and` and `or`",
    "negation": "a condition with `not`, or without it",
    "constant": "a whole number one up or down; True and False",
    "off-by-one": "an index, a bound or a size one up or down; a `+ 1` or `- 1` left out",
    "operands": "the two sides of - / // % ** changed over",
    "arguments": "two neighbouring arguments, or parts of a tuple, changed over",
    "variable": "another name of the same function",
    "complement": "of a share its rest: x of `x / c` becomes (c - x), a factor x becomes (1 - x)",
    "sign": "a minus put before a returned value, or taken away",
    "counterpart": "the other one of a pair: min and max, any and all, append and extend, break and continue ...",
}
"""The operators, and what each puts in the place of what."""

_COMPARISONS: Final[Mapping[type[ast.cmpop], str]] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
_BOUNDARIES: Final = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_ARITHMETIC: Final[Mapping[type[ast.operator], str]] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
}  # fmt: skip
_ADDING, _MULTIPLYING = ("+", "-"), ("*", "/", "//", "%", "**")
_PAIRS: Final = (
    ("min", "max"), ("any", "all"), ("append", "extend"), ("floor", "ceil"), ("startswith", "endswith"),
    ("lower", "upper"), ("find", "rfind"), ("index", "rindex"), ("lstrip", "rstrip"), ("lstrip", "strip"),
    ("rstrip", "strip"), ("add", "discard"), ("union", "intersection"), ("popleft", "pop"), ("keys", "values"),
    ("keys", "items"), ("values", "items"), ("ljust", "rjust"), ("split", "rsplit"), ("partition", "rpartition"),
)  # fmt: skip
_MAX_MUTATIONS: Final = 2_000
_FAVOUR: Final = 0.6


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change.

    Attributes:
        operator: one of `OPERATORS`.
        line: where it is, from 1.
        before, after: the statement as it was, and as it is then; of one with a block, only its head.
        size: how many characters go and come.
        suspicion: of the line, as `suspicious_lines` says.
    """

    operator: str
    line: int
    before: str
    after: str
    size: int
    suspicion: float
    edit: Edit

    def apply(self, source: str) -> str:
        """Return the program after the change."""
        return apply_edits(source, [self.edit])


def mutations(
    source: str, suspicion: Mapping[int, float], *, max_lines: int = 20, favoured: Collection[str] = ()
) -> list[Mutation]:
    """Return the changes of the most suspicious lines that leave the program valid, in the order they are worth trying.

    Small ones first, of equal size those of the more suspicious line, then from the top down. A change by one of the
    operators `favoured` counts as three fifths of its size: it comes before others as large, and not before much
    smaller ones, which fit the purpose more often (`benchmarks/bench_repair.py`).

    Args:
        suspicion: by line; lines that are not in it, or beyond the first `max_lines` of it, stay as they are. A
            statement is as suspicious as the most suspicious line of its own.

    Raises:
        SyntaxError: `source` is not Python.
    """
    tree, text = ast.parse(source), _Source(source)
    lines = dict(sorted(suspicion.items(), key=lambda item: (-item[1], item[0]))[:max_lines])
    found: dict[str, Mutation] = {}
    for statement, scope in _statements(tree.body, frozenset()):
        weight = max((lines.get(line, 0.0) for line in _own_lines(statement)), default=0.0)
        if weight <= 0.0:
            continue
        for change in _changes(statement, scope, text):
            mutation = text.mutation(change, statement, weight)
            mutated = mutation.apply(source)
            if mutated not in found and mutated != source and _is_valid(mutated):
                found[mutated] = mutation
            if len(found) >= _MAX_MUTATIONS:
                break
    worth = dict.fromkeys(favoured, _FAVOUR)
    return sorted(found.values(), key=lambda one: (one.size * worth.get(one.operator, 1.0), -one.suspicion))


def _is_valid(source: str) -> bool:
    try:
        compile(ast.parse(source), "<mutant>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


# -- what memory has to do with it -----------------------------------------------------------------

_REPAIRED = re.compile(r"mutation operator '([a-z-]+)' for (\w+)")


def failure_of(message: str) -> str:
    """Return the kind of a test's failure: the exception that its message names, else "AssertionError"."""
    found = re.search(r"\b([A-Z]\w*(?:Error|Exception|Warning|Iteration|Interrupt))\b", message)
    return found[1] if found else "AssertionError"


def describe_repair(mutation: Mutation, failure: str, tests: int) -> str:
    """Return in words what was done and who vouches for it; `remembered_operators` reads it again."""
    return (
        f"mutation operator '{mutation.operator}' for {failure}, line {mutation.line}: `{mutation.before}` became "
        f"`{mutation.after}`. Only the tests vouch for it: {tests} of {tests} pass"
    )


def remembered_operators(lessons: Iterable[MemoryEntry], failure: str) -> tuple[str, ...]:
    """Return the operators that mended such a failure, as the lessons tell; the most useful lesson's first."""
    told = [match for lesson in lessons for match in _REPAIRED.findall(lesson.correction)]
    return tuple(dict.fromkeys(name for name, kind in told if name in OPERATORS and kind == failure))


# -- the program -----------------------------------------------------------------------------------

_Node = ast.expr | ast.stmt


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a piece of code is, as the syntax tree counts: rows from 1, columns in bytes from 0."""

    row: int
    byte: int
    end_row: int
    end_byte: int

    @classmethod
    def of(cls, node: _Node) -> _Place:
        return cls(node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0)

    def to(self, other: _Place) -> _Place:
        """Return the place from the end of this one to the beginning of another."""
        return _Place(self.end_row, self.end_byte, other.row, other.byte)

    def last(self, name: str) -> _Place:
        """Return the place of the name that it ends with."""
        return _Place(self.end_row, self.end_byte - len(name.encode()), self.end_row, self.end_byte)


@dataclass(frozen=True, slots=True)
class _Change:
    """What an operator proposes."""

    operator: str
    place: _Place
    after: str


class _Source:
    """A program by its rows."""

    def __init__(self, text: str) -> None:
        self._rows = [*re.findall(r"[^\r\n]*(?:\r\n|\r|\n)", text), re.split(r"[\r\n]", text)[-1]]

    def column(self, row: int, byte: int) -> int:
        """Return the column as edits count: from 1, in characters."""
        line = self._rows[row - 1]
        return byte + 1 if line.isascii() else len(line.encode()[:byte].decode()) + 1

    def at(self, place: _Place) -> str:
        """Return the code at a place."""
        rows = self._rows[place.row - 1 : place.end_row]
        rows[-1] = rows[-1][: self.column(place.end_row, place.end_byte) - 1]
        rows[0] = rows[0][self.column(place.row, place.byte) - 1 :]
        return "".join(rows)

    def of(self, node: _Node) -> str:
        return self.at(_Place.of(node))

    def operand(self, node: ast.expr) -> str:
        """Return the code of a node, in brackets where it would fall apart in another place."""
        whole = ast.Name | ast.Constant | ast.Call | ast.Attribute | ast.Subscript | ast.List | ast.Dict
        return self.of(node) if isinstance(node, whole) else f"({self.of(node)})"

    def mutation(self, change: _Change, statement: ast.stmt, suspicion: float) -> Mutation:
        """Return the change of a statement with its size, told by the code of the statement's own lines."""
        place, before = change.place, self.at(change.place)
        size = len(before) + len(change.after) - 2 * _in_common(before, change.after)
        row, column = place.row, self.column(place.row, place.byte)
        edit = Edit(row, column, place.end_row, self.column(place.end_row, place.end_byte), change.after)
        whole = _Place.of(statement)
        end = (_Place.of(below) for below in _children(statement)[:1])
        last = next(((one.row, one.byte) for one in end), (whole.end_row, whole.end_byte))
        head = self.at(_Place(whole.row, whole.byte, place.row, place.byte))
        tail = self.at(_Place(place.end_row, place.end_byte, *last))
        told, then = (" ".join(f"{head}{text}{tail}".split()) for text in (before, change.after))
        return Mutation(change.operator, row, told, then, size, suspicion, edit)


def _in_common(one: str, other: str) -> int:
    """Return how many characters at the beginning, and of the rest at the end, are the same."""
    head = _same(one, other)
    return head + _same(one[head:][::-1], other[head:][::-1])


def _same(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _statements(body: Iterable[ast.stmt], names: frozenset[str]) -> Iterator[tuple[ast.stmt, frozenset[str]]]:
    """Yield every statement with the variables of its function and of those around it."""
    for statement in body:
        yield statement, names
        inner = names
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            inner = names | _variables(statement)
        yield from _statements(_children(statement), inner)


def _children(node: ast.AST) -> list[ast.stmt]:
    """Return the statements right below a node; those of handlers and cases, too."""
    found: list[ast.stmt] = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            found.append(child)
        elif isinstance(child, ast.excepthandler | ast.match_case):
            found += _children(child)
    return found


def _variables(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    bound = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    walked = (node for statement in function.body for node in ast.walk(statement))
    bound.update(node.id for node in walked if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return frozenset(bound - {"self", "cls"})


def _own_lines(statement: ast.stmt) -> range:
    """Return the lines of a statement without those of the block below it."""
    below = _children(statement)
    end = max(below[0].lineno - 1, statement.lineno) if below else statement.end_lineno or statement.lineno
    return range(statement.lineno, end + 1)


def _own_nodes(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions of a statement without those of the block below it, outer ones first."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
        if not isinstance(child, ast.stmt | ast.JoinedStr):  # inside an f-string places are not to be trusted
            yield from _own_nodes(child)


def _swapped(gap: str, old: str, new: str) -> str:
    """Return what is between two operands with another operator; brackets and comments stay."""
    operator = r"\s+".join(re.escape(word) for word in old.split())
    found = next((one for one in re.finditer(rf"#[^\r\n]*|{operator}", gap) if not one[0].startswith("#")), None)
    return gap if found is None else gap[: found.start()] + new + gap[found.end() :]


# -- operators -------------------------------------------------------------------------------------


def _changes(statement: ast.stmt, scope: frozenset[str], source: _Source) -> Iterator[_Change]:
    """Yield what every operator proposes for a statement."""
    for of_statement in (_loop_ends, _assignments, _returns, _conditions):
        yield from of_statement(statement, source)
    for node in _own_nodes(statement):
        for of_expression in _OF_EXPRESSIONS:
            yield from of_expression(node, source)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in scope:
            for other in sorted(scope - {node.id}):
                yield _Change("variable", _Place.of(node), other)


def _loop_ends(statement: ast.stmt, _source: _Source) -> Iterator[_Change]:
    if isinstance(statement, ast.Break | ast.Continue):
        other = "continue" if isinstance(statement, ast.Break) else "break"
        yield _Change("counterpart", _Place.of(statement), other)


def _assignments(statement: ast.stmt, source: _Source) -> Iterator[_Change]:
    if isinstance(statement, ast.AugAssign):
        gap, old = _Place.of(statement.target).to(_Place.of(statement.value)), _ARITHMETIC.get(type(statement.op))
        for new in _related(old):
            yield _Change("arithmetic", gap, _swapped(source.at(gap), f"{old}=", f"{new}="))
        if old == "+":
            yield _Change("arithmetic", gap, _swapped(source.at(gap), "+=", "="))
    elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name | ast.Subscript):
        gap = _Place.of(statement.targets[-1]).to(_Place.of(statement.value))
        yield _Change("arithmetic", gap, _swapped(source.at(gap), "=", "+="))
        if isinstance(statement.value, ast.Name) or _is_call_of("len", statement.value):
            yield from _one_up_or_down(statement.value, source)


def _returns(statement: ast.stmt, source: _Source) -> Iterator[_Change]:
    value = statement.value if isinstance(statement, ast.Return) else None
    if value is None or isinstance(value, ast.Constant | ast.UnaryOp | ast.Compare):
        return
    place, code = _Place.of(value), source.operand(value)
    yield _Change("sign", place, f"-{code}")
    if isinstance(value, ast.Call | ast.BoolOp | ast.Name):
        yield _Change("negation", place, f"not {code}")
    if isinstance(value, ast.Name | ast.Attribute | ast.BinOp) or _is_call_of("len", value):
        yield from _one_up_or_down(value, source)


def _conditions(statement: ast.stmt, source: _Source) -> Iterator[_Change]:
    tests = [statement.test] if isinstance(statement, ast.If | ast.While | ast.Assert) else []
    for node in _own_nodes(statement):
        tests += [node.test] if isinstance(node, ast.IfExp) else []
        comprehension = isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp)
        tests += [test for one in node.generators for test in one.ifs] if comprehension else []
    for test in tests:
        is_plain = isinstance(test, ast.Compare) and len(test.ops) == 1  # it has an opposite
        if not is_plain and not isinstance(test, ast.UnaryOp):
            yield _Change("negation", _Place.of(test), f"not {source.operand(test)}")


def _compared(node: ast.expr, source: _Source) -> Iterator[_Change]:
    if not isinstance(node, ast.Compare):
        return
    for (left, right), op in zip(pairwise([node.left, *node.comparators]), node.ops, strict=True):
        gap = _Place.of(left).to(_Place.of(right))
        code = source.at(gap)
        old = _COMPARISONS.get(type(op))
        for new in _COMPARISONS.values() if old else ():
            if new != old:
                operator = "boundary" if _BOUNDARIES.get(old or "") == new else "comparison"
                yield _Change(operator, gap, _swapped(code, old or "", new))
        for one, other in (("is not", "is"), ("not in", "in"), ("is", "is not"), ("in", "not in")):
            if " ".join(re.sub(r"#.*|[()\\]", " ", code).split()) == one:
                yield _Change("comparison", gap, _swapped(code, one, other))
        if not isinstance(right, ast.Constant):
            yield from _one_up_or_down(right, source)


def _calculated(node: ast.expr, source: _Source) -> Iterator[_Change]:
    if not isinstance(node, ast.BinOp) or (old := _ARITHMETIC.get(type(node.op))) is None:
        return
    gap = _Place.of(node.left).to(_Place.of(node.right))
    for new in _related(old):
        yield _Change("arithmetic", gap, _swapped(source.at(gap), old, new))
    for side in (node.left, node.right):
        if _is_call_of("len", side):
            for step in ("+ 1", "- 1"):
                yield _Change("off-by-one", _Place.of(side), f"({source.of(side)} {step})")
    left, right = source.operand(node.left), source.operand(node.right)
    if old not in ("+", "*"):
        yield _Change("operands", _Place.of(node), f"{right} {old} {left}")
    if old in _ADDING and isinstance(node.right, ast.Constant) and node.right.value == 1:
        yield _Change("off-by-one", _Place.of(node), source.of(node.left))
    if old == "-" and isinstance(node.left, ast.Constant):
        yield _Change("complement", _Place.of(node), right)
    whole = node.right if old == "/" and isinstance(node.right, ast.Constant) else None
    if whole is not None or old == "*":
        for factor in _factors(node.left if whole else node):
            if not isinstance(factor, ast.Constant):
                rest = f"({source.of(whole) if whole else 1} - {source.operand(factor)})"
                yield _Change("complement", _Place.of(factor), rest)


def _factors(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return [*_factors(node.left), *_factors(node.right)]
    return [node]


def _related(operator: str | None) -> list[str]:
    """Return the arithmetic operators that a slip may have put in the place of this one."""
    group = next((group for group in (_ADDING, _MULTIPLYING) if operator in group), ())
    return [other for other in group if other != operator]


def _joined(node: ast.expr, source: _Source) -> Iterator[_Change]:
    if isinstance(node, ast.BoolOp):
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in pairwise(node.values):
            gap = _Place.of(left).to(_Place.of(right))
            yield _Change("boolean", gap, _swapped(source.at(gap), old, new))


def _signed(node: ast.expr, source: _Source) -> Iterator[_Change]:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        operator = "negation" if isinstance(node.op, ast.Not) else "sign"
        yield _Change(operator, _Place.of(node), source.operand(node.operand))
    elif isinstance(node, ast.Lambda) and not isinstance(node.body, ast.Constant | ast.UnaryOp):
        yield _Change("sign", _Place.of(node.body), f"-{source.operand(node.body)}")


def _counted(node: ast.expr, _source: _Source) -> Iterator[_Change]:
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield _Change("constant", _Place.of(node), str(not node.value))
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        for number in (node.value + 1, node.value - 1):
            yield _Change("constant", _Place.of(node), str(number) if number >= 0 else f"({number})")


def _indexed(node: ast.expr, source: _Source) -> Iterator[_Change]:
    if isinstance(node, ast.Subscript):
        bounds = [node.slice.lower, node.slice.upper] if isinstance(node.slice, ast.Slice) else [node.slice]
        for bound in bounds:
            if bound is not None and not isinstance(bound, ast.Constant | ast.Tuple | ast.UnaryOp):
                yield from _one_up_or_down(bound, source)
        if isinstance(node.value, ast.Subscript):
            yield _changed_over(node.value.slice, node.slice, source)
    elif isinstance(node, ast.Call) and _is_call_of("range", node):
        for size in node.args:
            if not isinstance(size, ast.Constant | ast.Starred | ast.UnaryOp):
                yield from _one_up_or_down(size, source)


def _is_call_of(name: str, node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _one_up_or_down(node: ast.expr, source: _Source) -> Iterator[_Change]:
    whole = isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC
    for step in ("+ 1", "- 1"):
        yield _Change("off-by-one", _Place.of(node), f"{source.of(node) if whole else source.operand(node)} {step}")


def _ordered(node: ast.expr, source: _Source) -> Iterator[_Change]:
    several: list[ast.expr] = []
    if isinstance(node, ast.Call):
        several = node.args
    elif isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load):
        several = node.elts
    elif isinstance(node, ast.DictComp):
        several = [node.key, node.value]
    for one, other in pairwise(several):
        yield _changed_over(one, other, source)


def _changed_over(one: ast.expr, other: ast.expr, source: _Source) -> _Change:
    first, second = _Place.of(one), _Place.of(other)
    whole = _Place(first.row, first.byte, second.end_row, second.end_byte)
    return _Change("arguments", whole, source.at(second) + source.at(first.to(second)) + source.at(first))


def _paired(node: ast.expr, _source: _Source) -> Iterator[_Change]:
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
    for one, other in (*_PAIRS, *((other, one) for one, other in _PAIRS)):
        if name == one:
            yield _Change("counterpart", _Place.of(node).last(one), other)


_OF_EXPRESSIONS: Final[tuple[Callable[[ast.expr, _Source], Iterator[_Change]], ...]] = (
    _compared, _calculated, _joined, _signed, _counted, _indexed, _ordered, _paired,
)  # fmt: skip
