"""MutantCheck: whether an edit of a Python program gives a new and valid one, parsed no further than its function."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Final, TypeGuard

from jido_ai.improve.repair.program_code import Code, CodeRange, Function, unused_names
from jido_ai.text.edits import Edit, apply_edits
from jido_ai.text.python_tree import CANDIDATE, tree_of

_MOST_NODES: Final = 64
_WORD: Final = re.compile(r"[^\W\d]\w*")
_ROW_END: Final = re.compile(r"\r\n|\r|\n")
_COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
_LEAVING: Final = (ast.Return, ast.Raise, ast.Break, ast.Continue)


class MutantCheck:
    """Tells whether an edit gives a valid program that none of the edits before it gave, nor the program itself.

    Python compiles a function as it would alone, so that only the outermost function around an edit is parsed: 1,000
    edits of a file of 35,000 characters took 25 s otherwise. An edit that adds statements which never run, compares a
    value with itself, or leaves a variable of a function unread that was read, gives none. Of 1,848 right edits of
    other people's slips the last rule loses 3.

    Args:
        source: the program.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: it is not valid Python, or nested too deeply.
    """

    def __init__(self, source: str) -> None:
        tree, code = tree_of(source), Code(source)
        rows = source.count("\n") + source.count("\r") + 1
        self._whole = _MutablePart(source, CodeRange(1, 0, rows + 1, 0), tree)
        self._functions = [part for part in (_part(code, one) for one in _functions(tree)) if part is not None]

    def __call__(self, edit: Edit) -> bool:
        return next((one for one in self._functions if one.has(edit)), self._whole).is_new_and_valid(edit)


class _MutablePart:
    """The program or one of its outermost functions.

    Args:
        text: its code; that of an indented one in a block of its own.
        place: its place in the program.
        tree: the tree of `text`.
        above: rows of `text` above it.
    """

    def __init__(self, text: str, place: CodeRange, tree: ast.Module, above: int = 0) -> None:
        self._text, self._place, self._above = text, place, above
        self._code = Code(text)
        self._indent = _indent(self._code.row(above + 1))
        self._seen = {text}
        self._pointless = _pointless(tree)
        self._read = _read(_function_of(tree))

    def has(self, edit: Edit) -> bool:
        """Tell whether an edit is in this part and leaves all its rows there: one that moves left may leave it."""
        if not (self._place.row <= edit.row and edit.end_row <= self._place.end_row):
            return False
        row, rows = edit.row + self._above + 1 - self._place.row, Code(self._applied(edit))
        touched = [rows.row(row + down) for down in range(len(_ROW_END.findall(edit.content)) + 1)]
        is_behind_head = edit.row == self._place.row and edit.column > self._indent
        return all(_indent(one) > self._indent for one in touched[is_behind_head:] if one.strip())

    def _applied(self, edit: Edit) -> str:
        down = self._above + 1 - self._place.row
        return apply_edits(self._text, [replace(edit, row=edit.row + down, end_row=edit.end_row + down)])

    def is_new_and_valid(self, edit: Edit) -> bool:
        text = self._applied(edit)
        if text in self._seen:
            return False
        self._seen.add(text)
        try:
            tree = tree_of(text)
            compile(tree, CANDIDATE, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
        if self._removes_a_variable(edit) and self._read & _unread(_function_of(tree)):
            return False
        return _pointless(tree) <= self._pointless

    def _removes_a_variable(self, edit: Edit) -> bool:
        """Tell whether an edit takes a variable of the function out of one of its places."""
        down = self._above + 1 - self._place.row
        rows = [self._code.row(row + down) for row in range(edit.row, edit.end_row + 1)]
        after = rows[0][: edit.column - 1] + edit.content + rows[-1][edit.end_column - 1 :]
        lost = Counter(_WORD.findall("".join(rows))) - Counter(_WORD.findall(after))
        return not self._read.isdisjoint(lost)


def _functions(tree: ast.Module) -> Iterator[Function]:
    """Yield the outermost functions, from the top down."""
    waiting: list[ast.stmt] = tree.body[::-1]
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, Function):
            yield statement
        else:
            waiting += [child for child in ast.iter_child_nodes(statement) if isinstance(child, ast.stmt)][::-1]


def _part(code: Code, function: Function) -> _MutablePart | None:
    """Return a function as a part; None if it does not stand alone, as after a form feed."""
    first = min([function.lineno, *(one.lineno for one in function.decorator_list)])
    place = CodeRange(first, 0, function.end_lineno or first, function.end_col_offset or 0)
    text = code.at(place)
    above = int(text[:1].isspace())
    text = "if 1:\n" * above + text
    try:
        return _MutablePart(text, place, tree_of(text), above)
    except SyntaxError:
        return None


def _function_of(tree: ast.Module) -> Function | None:
    """Return the function that a part consists of, which may stand in a block; None for a whole program."""
    first = tree.body[0] if len(tree.body) == 1 else None
    first = first.body[0] if isinstance(first, ast.If) and len(first.body) == 1 else first
    return first if isinstance(first, Function) else None


def _read(function: Function | None) -> frozenset[str]:
    """Return the variables that a function reads, without those that a loop sets beside others: i of i, x."""
    nodes = list(ast.walk(function)) if function is not None else []
    targets = [one.target for one in nodes if isinstance(one, ast.For | ast.AsyncFor | ast.comprehension)]
    beside = {name for one in targets if isinstance(one, ast.Tuple) for name in ast.walk(one)}
    stored = [one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
    free = {one.id for one in beside if isinstance(one, ast.Name)} | _unread(function)
    return frozenset([*stored, *(one.arg for one in nodes if isinstance(one, ast.arg))]) - free


def _unread(function: Function | None) -> frozenset[str]:
    """Return the variables that a function, or a comprehension in it, never reads."""
    if function is None:
        return frozenset()
    comprehensions = [one for one in ast.walk(function) if isinstance(one, _COMPREHENSIONS)]
    return frozenset([*unused_names(function), *(name for one in comprehensions for name in _unread_of(one))])


def _unread_of(node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Iterator[str]:
    targets = {one for part in node.generators for one in ast.walk(part.target)}
    read = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and one not in targets}
    for target in targets:
        if isinstance(target, ast.Name) and target.id not in read and not target.id.startswith("_"):
            yield target.id


def _pointless(tree: ast.AST) -> int:
    """Return how much of a program has no point: see `_never_run` and `_with_itself`."""
    nodes = list(ast.walk(tree))
    return _never_run(nodes) + sum(map(_with_itself, nodes))


def _never_run(nodes: list[ast.AST]) -> int:
    """Return the number of statements that follow a return, raise, break or continue in their block."""
    blocks: list[list[ast.AST]] = [
        block
        for node in nodes
        for _, block in ast.iter_fields(node)
        if isinstance(block, list) and isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case | ast.Module)
    ]
    return sum(isinstance(one, _LEAVING) for block in blocks for one in block[:-1])


def _with_itself(node: ast.AST) -> bool:
    """Tell whether a node compares a value with itself, joins or calculates it with itself, or puts it into itself."""
    together: list[ast.expr] = []
    if isinstance(node, ast.Compare):
        together = [node.left, *node.comparators]
    elif isinstance(node, ast.BoolOp):
        together = node.values
    elif isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Add | ast.Mult):
        together = [node.left, node.right]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
        together = node.args
    elif isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
        together = [target.value if _is_part(target, node.value) else target, node.value]
    elif isinstance(node, ast.AugAssign) and not isinstance(node.op, ast.Add | ast.Mult):
        together = [node.target, node.value]
    if len({type(one) for one in together}) == len(together):
        return False
    codes = [ast.dump(one).replace("ctx=Store()", "ctx=Load()") for one in together if _is_small(one)]
    return len(set(codes)) < len(codes)


def _is_part(target: ast.expr, value: ast.expr) -> TypeGuard[ast.Subscript]:
    """Tell whether an element of a variable or attribute is set to one: perhaps to all of it, as in `x[i] = x`."""
    return isinstance(target, ast.Subscript) and isinstance(value, ast.Name | ast.Attribute)


def _is_small(node: ast.expr) -> bool:
    """Tell whether a value is short enough to be compared: a long one may be nested too deeply."""
    return sum(1 for _ in islice(ast.walk(node), _MOST_NODES)) < _MOST_NODES


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip())
