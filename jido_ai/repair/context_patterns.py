"""Context patterns: what the lines around a line do, and it does not. Pure.

Each function proposes replacements like those of `revisers.fix_patterns`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from jido_ai.repair.program_code import Code, Place, Scope, names_before, own_nodes
from jido_ai.repair.variable_kinds import collections_of_self, kinds_of

__all__ = ["COSTS", "PATTERNS", "contexts_of"]

PATTERNS: Final = {
    "tail": "a method called as elsewhere in the file: .strip('-'); on one side of a comparison as on the other",
    "both": "both sides of a comparison passed through a function or a lookup of the file",
    "extra": "an optional argument of a method or function of the library: find(x, start), sum(x, start), round(x, n)",
    "raised": "break, continue or a returned constant becomes an exception",
    "overlap": "a test whether one range starts in another one becomes a test whether they overlap",
    "rotate": "a place in a collection counted from a variable, beginning again at its end: (i + start) % len(x)",
    "copied": "rows are copied, too, where a collection of them is: [list(row) for row in rows]",
    "shift": "an argument or element plus or minus one",
}
"""The patterns and their replacements."""

COSTS: Final = {
    "tail": 7, "both": 8, "extra": 6, "raised": 7, "overlap": 5, "rotate": 9, "copied": 5, "shift": 6,
}  # fmt: skip
"""Each stands in place of the number of characters that a change removes and adds."""

_MOST: Final = 6
_MOST_EXTRA: Final = 3
_PLAIN: Final = ast.Name | ast.Attribute | ast.Subscript
_TAIL: Final = re.compile(r"""[\w)\]]\.([a-z]\w*\((?:"[^"\n]{0,12}"|'[^'\n]{0,12}'|\w+)?\))""")
_NOT_TAILS: Final = (
    "append", "add", "pop", "get", "extend", "insert", "remove", "discard", "clear", "sort", "update", "keys", "values",
    "items", "copy", "join", "popleft", "appendleft", "setdefault", "reverse", "popitem", "startswith", "endswith",
)  # fmt: skip
_EXTRAS: Final = {
    "find": 1, "rfind": 1, "index": 1, "startswith": 1, "endswith": 1, "count": 1, "round": 1, "sum": 1, "int": 1,
    "randint": 1, "split": 1, "replace": 2, "enumerate": 1, "islice": 2, "range": 1,
}  # fmt: skip
"""How many arguments a call has to which another one may be added."""
_FLAT: Final = ("list", "copy", "copy.copy", "tuple")
_Found = Iterator[tuple[str, Place, str]]


def contexts_of(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    """Yield the name, the place and the code of the proposals for a statement without its block.

    Args:
        values: the values that it uses as a whole.
    """
    for pattern in _PATTERNS:
        yield from pattern(statement, values, scope, source)


# -- calls -----------------------------------------------------------------------------------------


def _tails(statement: ast.stmt, values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if isinstance(node, ast.Compare):
            for one, other in pairwise([node.left, *node.comparators]):
                for bare, called in ((one, other), (other, one)):
                    if isinstance(bare, _PLAIN) and (tail := _tail_of(called, source)):
                        yield "tail", Place.of(bare), f"{source.of(bare)}.{tail}"
    known = [one for one in _TAIL.findall(source.text) if one.partition("(")[0] not in _NOT_TAILS]
    for node in values:
        if isinstance(node, _PLAIN | ast.Call):
            code = source.of(node)
            for tail in list(dict.fromkeys(known))[:_MOST]:
                if f".{tail}" not in code and tail[:-1].partition("(")[2] != code:
                    yield "tail", Place.of(node), f"{code}.{tail}"


def _tail_of(node: ast.expr, source: Code) -> str:
    """Return the method and arguments of a call of a method; empty if the node is no such call."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return source.of(node)[len(source.of(node.func.value)) :].lstrip().removeprefix(".")
    return ""


def _both_sides(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    lookups = [f"{one}.index" for one in scope.constants[:_MOST]]
    functions = [*scope.helpers[:_MOST], *lookups, "len", "set", "sorted", "abs"]
    for node in own_nodes(statement):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and not isinstance(node.comparators[0], ast.Constant):
            one, other = node.left, node.comparators[0]
            if not isinstance(one, _PLAIN | ast.Call) or not isinstance(other, _PLAIN | ast.Call):
                continue
            sign = source.at(Place.of(one).to(Place.of(other)))
            for function in functions:
                yield "both", Place.of(node), f"{function}({source.of(one)}){sign}{function}({source.of(other)})"
            for table in scope.constants[:_MOST_EXTRA]:
                yield "both", Place.of(node), f"{table}[{source.of(one)}]{sign}{table}[{source.of(other)}]"
            for method in ("lower()", "strip()"):
                yield "both", Place.of(node), f"{source.of(one)}.{method}{sign}{source.of(other)}.{method}"


def _extras(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    names = names_before(statement, scope, scope.function)[:_MOST] if scope.function is not None else []
    for node in own_nodes(statement):
        if not isinstance(node, ast.Call) or node.keywords or not source.of(node).endswith(")"):
            continue
        func = node.func
        name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        if _EXTRAS.get(name) == len(node.args):
            code, given = source.of(node)[:-1].rstrip().rstrip(","), [source.of(one) for one in node.args]
            for one in ("1", *names) if name in ("find", "rfind", "index") else names:
                if one not in given and source.of(func).partition(".")[0] != one:
                    yield "extra", Place.of(node), f"{code}, {one})"


# -- ends ------------------------------------------------------------------------------------------


def _exceptions(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if scope.function is None:
        return
    is_constant = isinstance(statement, ast.Return) and (
        statement.value is None or isinstance(statement.value, ast.Constant | ast.Name)
    )
    if not is_constant and not isinstance(statement, ast.Break | ast.Continue | ast.Pass):
        return
    if statement in scope.function.body:
        return
    classes = re.findall(r"^class (\w+)\(\w*(?:Error|Exception)\w*\)", source.text, re.MULTILINE)
    known = re.findall(r"\braise (\w+)", source.text)
    for name in list(dict.fromkeys((*classes, *known, "ValueError")))[:_MOST_EXTRA]:
        yield "raised", Place.of(statement), f'raise {name}("{_words(scope.name)}")'


def _words(name: str) -> str:
    return f"cannot {name.strip('_').replace('_', ' ')}"


# -- values ----------------------------------------------------------------------------------------


def _overlaps(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if not isinstance(node, ast.Compare) or len(node.ops) != 2:
            continue
        begin, start, end = (source.of(one) for one in (node.left, *node.comparators))
        if (other_end := _counterpart(begin, end, start)) is not None:
            for sign in ("<", "<="):
                yield "overlap", Place.of(node), f"{begin} {sign} {other_end} and {start} {sign} {end}"


def _contained(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    """Let a range that lies in another one be one that overlaps it: a < d and c < b for a >= c and b <= d."""
    for node in own_nodes(statement):
        match node:
            case ast.BoolOp(
                op=ast.And(),
                values=[
                    ast.Compare(left=begin, ops=[ast.Gt() | ast.GtE()], comparators=[start]),
                    ast.Compare(left=end, ops=[ast.Lt() | ast.LtE()], comparators=[stop]),
                ],
            ):
                for sign in ("<", "<="):
                    text = f"{source.of(begin)} {sign} {source.of(stop)} and {source.of(start)} {sign} {source.of(end)}"
                    yield "overlap", Place.of(node), text
            case _:
                pass


def _counterpart(begin: str, end: str, start: str) -> str | None:
    """Return what is to `start` as `end` is to `begin`: b.end for a.start, a.end and b.start; None if there is none."""
    head = 0
    while head < min(len(begin), len(end)) and begin[head] == end[head]:
        head += 1
    head = max(begin.rfind(".", 0, head), begin.rfind("[", 0, head)) + 1
    if head and begin not in {end, start} and start.endswith(begin[head - 1 :]):
        return start[: len(start) - len(begin) + head] + end[head:]
    return None


def _rotated(statement: ast.stmt, values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    if scope.function is None:
        return
    kinds = kinds_of(scope.function)
    names = [one for one in names_before(statement, scope, scope.function) if one not in kinds.collections]
    collections = [*sorted(kinds.collections & scope.names), *collections_of_self(source.text)][:_MOST_EXTRA]
    inside = [node.slice for node in own_nodes(statement) if isinstance(node, ast.Subscript)]
    for node in dict.fromkeys((*values, *inside)):
        if isinstance(node, ast.Call) and source.of(node).partition("(")[0].endswith("index"):
            for one in collections:
                for name in names[:_MOST]:
                    yield "rotate", Place.of(node), f"({name} + {source.of(node)}) % len({one})"


def _closed(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    """Let neighbours be those of a ring: the last and the first one, too."""
    for node in own_nodes(statement):
        match node:
            case ast.Call(
                func=ast.Name(id="zip"),
                args=[first, ast.Subscript(value=again, slice=ast.Slice(lower=ast.Constant(value=1))) as rest],
            ) if source.of(first) == source.of(again):
                yield "rotate", Place.of(rest), f"{source.of(rest)} + {source.of(first)}[:1]"
            case _:
                pass


def _turned(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    """Count a place in a ring from its start, and from the beginning again at its end."""
    if "%" not in source.text or scope.function is None:
        return
    kinds = kinds_of(scope.function)
    collections = [*collections_of_self(source.text), *sorted(kinds.collections & scope.names)][:_MOST_EXTRA]
    match statement:
        case ast.AugAssign(op=ast.Add(), target=target, value=ast.Constant(value=1)):
            for one in collections:
                yield "rotate", Place.of(statement), f"{source.of(target)} = ({source.of(target)} + 1) % len({one})"
        case _:
            pass
    for node in own_nodes(statement):
        match node:
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id="self")) as base, slice=ast.Name() as index):
                for name in scope.members[:_MOST]:
                    if f"self.{name}" not in collections:
                        place = f"(self.{name} + {index.id}) % len({source.of(base)})"
                        yield "rotate", Place.of(index), place
            case _:
                pass


def _copies(statement: ast.stmt, values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in values:
        if not isinstance(node, ast.Call | ast.Subscript):
            continue
        flat: ast.expr | None = None
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr="copy"), args=[]):
                flat = value
            case ast.Call(args=[ast.Name() | ast.Attribute() as value]) if source.of(node.func) in _FLAT:
                flat = value
            case ast.Subscript(value=value, slice=ast.Slice(lower=None, upper=None, step=None)):
                flat = value
            case _:
                pass
        if flat is not None:
            yield "copied", Place.of(node), f"[list(row) for row in {source.of(flat)}]"
            yield "copied", Place.of(node), f"{{key: list(value) for key, value in {source.of(flat)}.items()}}"
        if isinstance(node, ast.Call) and source.of(node.func) == "dict" and len(node.args) == 1:
            name = source.of(node.args[0])
            yield "copied", Place.of(node), f"{{key: list(value) for key, value in {name}.items()}}"
            yield "copied", Place.of(node), f"{{key: dict(value) for key, value in {name}.items()}}"


def _shifted(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    kinds = kinds_of(scope.function) if scope.function is not None else None
    for node in own_nodes(statement):
        several: list[ast.expr] = []
        if isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ast.Load):
            several = node.elts
        elif isinstance(node, ast.Call) and source.of(node.func) not in ("range", "len", scope.name):
            several = node.args
        for one in several:
            is_number = isinstance(one, ast.Name) and (kinds is None or one.id not in kinds.collections)
            if is_number or (isinstance(one, ast.Call) and source.of(one.func) in ("len", "int")):
                yield "shift", Place.of(one), f"{source.of(one)} + 1"
                yield "shift", Place.of(one), f"{source.of(one)} - 1"


def _guarded(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    """Ask of another variable what a condition asks of one."""
    tests = [statement.test] if isinstance(statement, ast.If | ast.While) else []
    for node in own_nodes(statement):
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            tests += [test for one in node.generators for test in one.ifs]
    names = names_before(statement, scope, scope.function)[:_MOST] if scope.function is not None else []
    for test in tests:
        for part in test.values if isinstance(test, ast.BoolOp) else [test]:
            if (asked := _asked(part)) is None:
                continue
            code, own, whole = source.of(part), source.of(asked), source.of(test)
            begin = source.at(Place(part.lineno, part.col_offset, asked.lineno, asked.col_offset))
            rest = code[len(begin) + len(own) :]
            for name in (one for one in names if one != own):
                if f"{begin}{name}{rest}" not in whole:
                    inner = f"({whole})" if isinstance(test, ast.BoolOp) else whole
                    yield "conjunct", Place.of(test), f"{inner} and {begin}{name}{rest}"
                    yield "conjunct", Place.of(test), f"{inner} or {begin}{name}{rest}"


def _asked(part: ast.expr) -> ast.expr | None:
    """Return what a condition is about: the first argument, the receiver of a method, or what is compared."""
    match part:
        case ast.Call(func=ast.Name(), args=[first, *_]):
            return first
        case ast.Call(func=ast.Attribute(value=ast.Name() as value)):
            return value
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn() | ast.Is() | ast.IsNot()]):
            return left
        case ast.Compare(ops=[_, _], comparators=[middle, _]):
            return middle
        case _:
            return None


def _mirrored(statement: ast.stmt, _values: list[ast.expr], _scope: Scope, source: Code) -> _Found:
    for node in own_nodes(statement):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and node.slice.step is None:
            code = source.of(node.slice)
            if other := {"1:": ":-1", ":-1": "1:", ":1": "-1:", "-1:": ":1"}.get(code):
                yield "element", Place.of(node), f"{source.operand(node.value)}[{other}]"


def _answered(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    value = statement.value if isinstance(statement, ast.Return) else None
    if isinstance(value, ast.Constant) and scope.function is not None:
        for name in names_before(statement, scope, scope.function)[:_MOST]:
            yield "result", Place.of(value), name


def _lists_joined(statement: ast.stmt, _values: list[ast.expr], scope: Scope, source: Code) -> _Found:
    kinds = kinds_of(scope.function) if scope.function is not None else None
    if kinds is None or scope.function is None:
        return
    names = [one for one in names_before(statement, scope, scope.function) if one not in kinds.numbers]
    for node in own_nodes(statement):
        for one in node.args if isinstance(node, ast.Call) else ():
            if isinstance(one, ast.Name) and one.id in kinds.collections:
                for name in [other for other in names if other != one.id][:_MOST_EXTRA]:
                    yield "operand", Place.of(one), f"{one.id} + [{name}]"
                    yield "operand", Place.of(one), f"[{name}] + {one.id}"


_PATTERNS: Final[tuple[Callable[[ast.stmt, list[ast.expr], Scope, Code], _Found], ...]] = (
    _tails, _both_sides, _extras, _exceptions, _overlaps, _contained, _rotated, _turned, _copies, _shifted, _guarded,
    _mirrored, _answered, _lists_joined, _closed,
)  # fmt: skip
