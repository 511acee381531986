"""The code of a Python program as mutation operators see it: places, statements and their scopes. Pure."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, cast

_MAX_ATTRIBUTES: Final = 12
_MAX_MEMBERS: Final = 12
_FILLING: Final = frozenset({
    "add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "remove", "update",
})  # fmt: skip

Function = ast.FunctionDef | ast.AsyncFunctionDef
_Node = ast.expr | ast.stmt | ast.keyword


@dataclass(frozen=True, slots=True)
class CodeRange:
    """The place of a piece of code, as in the syntax tree: rows from 1, columns in bytes from 0."""

    row: int
    byte: int
    end_row: int
    end_byte: int

    @classmethod
    def of(cls, node: _Node) -> CodeRange:
        return cls(node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0)

    def to(self, other: CodeRange) -> CodeRange:
        """Return the place from the end of this one to the start of another."""
        return CodeRange(self.end_row, self.end_byte, other.row, other.byte)

    def around(self, other: CodeRange) -> CodeRange:
        """Return the place from the start of this one to the end of another."""
        return CodeRange(self.row, self.byte, other.end_row, other.end_byte)

    def last(self, name: str) -> CodeRange:
        """Return the place of the name at its end."""
        return CodeRange(self.end_row, self.end_byte - len(name.encode()), self.end_row, self.end_byte)


class Code:
    """A program by its rows."""

    def __init__(self, text: str) -> None:
        self.text = text
        parts = [*re.split(r"(\r\n|\r|\n)", text), ""]
        self._rows = [row + end for row, end in zip(parts[::2], parts[1::2], strict=True)]

    def column(self, row: int, byte: int) -> int:
        """Return the column as edits count it: from 1, in characters."""
        line = self._rows[row - 1]
        return byte + 1 if line.isascii() else len(line.encode()[:byte].decode()) + 1

    def row(self, number: int) -> str:
        """Return a row, from 1, with its end."""
        return self._rows[number - 1]

    def at(self, place: CodeRange) -> str:
        """Return the code at a place."""
        rows = self._rows[place.row - 1 : place.end_row]
        rows[-1] = rows[-1][: self.column(place.end_row, place.end_byte) - 1]
        rows[0] = rows[0][self.column(place.row, place.byte) - 1 :]
        return "".join(rows)

    def of(self, node: _Node) -> str:
        return self.at(CodeRange.of(node))

    def before(self, node: _Node) -> str:
        """Return the code before a node on its row: the indentation of a statement."""
        return self.at(CodeRange(node.lineno, 0, node.lineno, node.col_offset))

    def operand(self, node: ast.expr) -> str:
        """Return the code of a node, in brackets if it needs them in another place."""
        whole = ast.Name | ast.Constant | ast.Call | ast.Attribute | ast.Subscript | ast.List | ast.Dict
        return self.of(node) if isinstance(node, whole) else f"({self.of(node)})"


def swapped(gap: str, old: str, new: str) -> str:
    """Return the text between two operands with another operator; brackets and comments stay."""
    operator = r"\s+".join(re.escape(word) for word in old.split())
    found = next((one for one in re.finditer(rf"#[^\r\n]*|{operator}", gap) if not one[0].startswith("#")), None)
    return gap if found is None else gap[: found.start()] + new + gap[found.end() :]


@dataclass(frozen=True, slots=True)
class NameScope:
    """The scope of a statement: the function around it.

    Attributes:
        name: name of the function.
        names: variables of the function and of those around it.
        feeds: for each variable, the variables that its values are computed from, directly or indirectly.
        attributes: attributes that the file reads or counts up and does not call, most frequent first.
        members: attributes of self that the file assigns.
        conditions: the conditions of the function around it, as code.
        helpers: functions and methods of the file with one argument that return something, as code: f, self.g.
        functions: the functions of the file by name, and the methods of its classes as self.NAME.
        imported: the names that the file imports.
        constants: the variables of the file outside functions and classes.
        siblings: the methods of the class around it.
        function: that function; None outside functions.
    """

    name: str = ""
    names: frozenset[str] = frozenset()
    feeds: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    attributes: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    helpers: tuple[str, ...] = ()
    functions: Mapping[str, Function] = field(default_factory=dict[str, Function])
    imported: frozenset[str] = frozenset()
    constants: tuple[str, ...] = ()
    siblings: tuple[Function, ...] = ()
    function: Function | None = None


def statements_of(tree: ast.Module) -> Iterator[tuple[ast.stmt, NameScope]]:
    """Yield every statement with its scope, outer ones first."""
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    counted = {node.target for node in ast.walk(tree) if isinstance(node, ast.AugAssign)}
    read = [node for node in found if (isinstance(node.ctx, ast.Load) and node not in called) or node in counted]
    often = Counter(sorted(node.attr for node in read))
    often.update(_properties(tree))
    attributes = [name for name, _ in often.most_common()]
    stored = [node for node in found if isinstance(node.ctx, ast.Store) and _is_self(node.value)]
    members = tuple(dict.fromkeys(node.attr for node in stored))
    functions = _functions(tree)
    scope = NameScope(
        attributes=tuple(attributes[:_MAX_ATTRIBUTES]),
        members=members if len(members) <= _MAX_MEMBERS else (),
        helpers=_helpers(functions),
        functions=functions,
        imported=_imported(tree),
        constants=_global_names(tree),
    )
    yield from _statements(tree.body, scope)


def _properties(tree: ast.Module) -> list[str]:
    """Return the properties of the classes, which are read like attributes."""
    functions = [node for node in ast.walk(tree) if isinstance(node, Function)]
    return [one.name for one in functions if any("property" in ast.unparse(mark) for mark in one.decorator_list)]


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _functions(tree: ast.Module) -> dict[str, Function]:
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    methods = {f"self.{one.name}": one for node in classes for one in node.body if isinstance(one, Function)}
    return methods | {one.name: one for one in tree.body if isinstance(one, Function)}


def _helpers(functions: Mapping[str, Function]) -> tuple[str, ...]:
    return tuple(
        name
        for name, one in functions.items()
        if not name.startswith("self.__") and _takes_and_returns(one, 1 + name.startswith("self."))
    )


def _takes_and_returns(function: Function, arguments: int) -> bool:
    """Tell whether a function needs so many arguments and returns a value."""
    needed = len(function.args.args) - len(function.args.defaults)
    is_plain = not function.decorator_list and not function.args.kwonlyargs and not function.args.posonlyargs
    returns = (node for node in ast.walk(function) if isinstance(node, ast.Return))
    return is_plain and needed == arguments and any(node.value is not None for node in returns)


def _imported(tree: ast.Module) -> frozenset[str]:
    found = [one for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom) for one in node.names]
    return frozenset(one.asname or one.name for one in found)


def _global_names(tree: ast.Module) -> tuple[str, ...]:
    targets = [target for one in tree.body if isinstance(one, ast.Assign) for target in one.targets]
    return tuple(dict.fromkeys(one.id for one in targets if isinstance(one, ast.Name)))


def _statements(body: list[ast.stmt], scope: NameScope) -> Iterator[tuple[ast.stmt, NameScope]]:
    for statement in body:
        yield statement, scope
        inner = scope
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            inner = replace(
                scope,
                name=statement.name,
                names=scope.names | _variables(statement),
                feeds=_feeds(statement),
                conditions=_conditions(statement),
                functions={**scope.functions, **{one.name: one for one in statement.body if isinstance(one, Function)}},
                function=statement,
            )
        elif isinstance(statement, ast.ClassDef):
            inner = replace(scope, siblings=tuple(one for one in statement.body if isinstance(one, Function)))
        for block in _blocks_of(statement):
            yield from _statements(block, inner)


def _blocks_of(node: ast.AST) -> list[list[ast.stmt]]:
    """Return the blocks directly below a node, from the top down."""
    blocks: list[list[ast.stmt]] = []
    for name, value in ast.iter_fields(node):
        below = cast("list[ast.AST]", value) if isinstance(value, list) else []
        if name in ("body", "orelse", "finalbody"):
            blocks.append([one for one in below if isinstance(one, ast.stmt)])
        elif name in ("handlers", "cases"):
            blocks += [block for one in below for block in _blocks_of(one)]
    return blocks


def _conditions(function: Function) -> tuple[str, ...]:
    nodes = ast.walk(function)
    tests = [node.test for node in nodes if isinstance(node, ast.If | ast.While | ast.IfExp)]
    return tuple(dict.fromkeys(ast.unparse(test) for test in tests if not isinstance(test, ast.Constant)))


def _feeds(function: Function) -> dict[str, frozenset[str]]:
    """Return the transitive sources of each variable's values."""
    direct: dict[str, set[str]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            read = {one.id for one in ast.walk(node.value) if isinstance(one, ast.Name)}
            for name in (one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)):
                direct.setdefault(name, set()).update(read)
    for _ in direct:
        for name, read in direct.items():
            direct[name] = read.union(*(direct.get(one, set()) for one in read))
    return {name: frozenset(read) for name, read in direct.items()}


def _variables(function: Function) -> frozenset[str]:
    bound = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    walked = (node for statement in function.body for node in ast.walk(statement))
    bound.update(node.id for node in walked if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return frozenset(bound - {"self", "cls"})


@dataclass(frozen=True, slots=True)
class Head:
    """The code of a statement, handler or case without its block.

    Attributes:
        place: from its start (the first decorator, if it has any) to the start of its block, or to the end of a
            statement without one.
        lines: its own rows, without those of a block that starts on another row.
    """

    place: CodeRange
    lines: range


def heads_of(statement: ast.stmt) -> list[Head]:
    """Return the heads of a statement, from the top down: its own, then those of its handlers or cases."""
    heads = [_head(statement, _begin(statement), CodeRange.of(statement))]
    if isinstance(statement, ast.Try | ast.TryStar):
        heads += [_head(one, (one.lineno, one.col_offset), CodeRange.of(statement)) for one in statement.handlers]
    elif isinstance(statement, ast.Match):
        begins = ((one, (one.pattern.lineno, one.pattern.col_offset)) for one in statement.cases)
        heads += [_head(one, begin, CodeRange.of(statement)) for one, begin in begins]
    return heads


def _head(node: ast.AST, begin: tuple[int, int], whole: CodeRange) -> Head:
    below = [one for block in _blocks_of(node) for one in block]
    end = _begin(below[0]) if below else (whole.end_row, whole.end_byte)
    last_row = max(end[0] - 1, begin[0]) if below else end[0]
    return Head(CodeRange(*begin, *end), range(begin[0], last_row + 1))


def _begin(statement: ast.stmt) -> tuple[int, int]:
    """Return the row and byte where a statement starts: the `@` of the first decorator, if it has any."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and statement.decorator_list:
        return statement.decorator_list[0].lineno, statement.col_offset
    return statement.lineno, statement.col_offset


def names_before(statement: ast.stmt, scope: NameScope, function: Function) -> list[str]:
    """Return the variables bound above a statement, the newest first, then the arguments."""
    names = [name for row, name in _bound_names(function) if row < statement.lineno]
    arguments = [node.arg for node in function.args.args if node.arg not in ("self", "cls")]
    return [one for one in dict.fromkeys([*names, *arguments]) if one in scope.names]


@lru_cache(maxsize=64)
def _bound_names(function: Function) -> tuple[tuple[int, str], ...]:
    """Return the rows and names of what a function binds, the last row first."""
    of_comprehensions = {
        one for node in ast.walk(function) if isinstance(node, ast.comprehension) for one in ast.walk(node.target)
    }
    stored = [one for one in ast.walk(function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
    nodes = [one for one in stored if one not in of_comprehensions]
    return tuple(sorted(((one.lineno, one.id) for one in nodes), key=lambda one: -one[0]))


def _only_filled(statement: ast.stmt) -> Iterator[ast.Name]:
    """Yield the variables whose method changes them, and nothing uses what it returns."""
    for node in ast.walk(statement):
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name() as name, attr=method))) if (
                method in _FILLING
            ):
                yield name
            case _:
                pass


@lru_cache(maxsize=64)
def unused_names(function: Function) -> tuple[str, ...]:
    """Return the arguments and variables of a function that it never reads, without those that start with _.

    A variable that is only filled or emptied is not read.
    """
    nodes = [one for statement in function.body for one in ast.walk(statement) if isinstance(one, ast.Name)]
    arguments = [one.arg for one in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
    filled = {one for statement in function.body for one in _only_filled(statement) if one.id not in arguments}
    read = {one.id for one in nodes if isinstance(one.ctx, ast.Load) and one not in filled}
    counted = {
        one.target.id
        for one in ast.walk(function)
        if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name)
    }
    given = [*arguments, *(one.id for one in nodes if isinstance(one.ctx, ast.Store))]
    return tuple(one for one in dict.fromkeys(given) if one not in read | counted | {"self", "cls"} and one[0] != "_")


def conditions_of(statement: ast.stmt) -> list[ast.expr]:
    """Return the conditions of a statement, of its conditional expressions and of its comprehensions."""
    tests = [statement.test] if isinstance(statement, ast.If | ast.While) else []
    for node in own_nodes(statement):
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            tests += [test for one in node.generators for test in one.ifs]
        elif isinstance(node, ast.IfExp):
            tests.append(node.test)
    return tests


def own_nodes(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions of a statement without those of its block, outer ones first.

    Of an f-string, those in its fields: see `repair.fstring_fields`.
    """
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt) or (isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant)):
            continue
        if isinstance(child, ast.expr):
            yield child
        yield from own_nodes(child)
