"""Site: a statement without its block, and the names and values that operators look for around it. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from jido_ai.improve.repair.program_code import Code, CodeRange, NameScope, conditions_of, names_before, own_nodes
from jido_ai.improve.repair.variable_kinds import Kinds, collections_of_self, kinds_of

Edits = Iterator[tuple[CodeRange, str]]
"""Replacements: each a place and its new code."""

_MOST_TERMS: Final = 8


class Site:
    """A statement without its block, in its scope.

    Args:
        statement: may be changed, without the statements of its block.
        scope: the function around it, and what the file has.
        code: the program.

    Attributes:
        nodes: the expressions of the statement, outer ones first.
    """

    def __init__(self, statement: ast.stmt, scope: NameScope, code: Code) -> None:
        self.statement, self.scope, self.code = statement, scope, code
        self.nodes = tuple(own_nodes(statement))
        self.of, self.operand, self.at = code.of, code.operand, code.at

    @property
    def whole(self) -> ast.expr | None:
        """The value that the statement returns or assigns."""
        return self.statement.value if isinstance(self.statement, ast.Return | ast.Assign | ast.AugAssign) else None

    @cached_property
    def kinds(self) -> Kinds:
        return kinds_of(self.scope.function) if self.scope.function is not None else Kinds()

    @cached_property
    def names(self) -> list[str]:
        """The variables bound above the statement, the newest first, then the arguments."""
        return names_before(self.statement, self.scope, self.scope.function) if self.scope.function else []

    @cached_property
    def terms(self) -> list[str]:
        """The variables above and the attributes of self that may be numbers."""
        names = [one for one in self.names if one not in self.kinds.collections]
        return [*names, *(f"self.{one}" for one in self.scope.members)][:_MOST_TERMS]

    @cached_property
    def lengths(self) -> list[str]:
        """The lengths of the collections that are known."""
        known = [*sorted(self.kinds.collections), *self.scope.constants, *collections_of_self(self.code.text)]
        return [f"len({one})" for one in dict.fromkeys(known)][:_MOST_TERMS]

    @cached_property
    def parts(self) -> list[ast.expr]:
        """The operands of the statement's calculations."""
        return [side for node in self.nodes if isinstance(node, ast.BinOp) for side in (node.left, node.right)]

    @cached_property
    def sought(self) -> set[ast.expr]:
        """The values that `in` looks up: a sorted or reversed one, or a calculation with one, is never meant."""
        found = [node for node in self.nodes if isinstance(node, ast.Compare)]
        return {node.left for node in found if isinstance(node.ops[0], ast.In | ast.NotIn)}

    @cached_property
    def tests(self) -> list[ast.expr]:
        """The conditions of the statement, a returned one among them."""
        returned = self.statement.value if isinstance(self.statement, ast.Return) else None
        found = [returned] if isinstance(returned, ast.Compare | ast.BoolOp | ast.Name) else []
        return [*conditions_of(self.statement), *found]

    @cached_property
    def values(self) -> list[ast.expr]:
        """The values that the statement uses as a whole: returned, assigned and compared ones, arguments, elements."""
        found = [self.whole] if self.whole is not None else []
        if isinstance(self.statement, ast.For):
            found.append(self.statement.iter)
        for node in self.nodes:
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
        firsts = [one.values[0] for one in found if isinstance(one, ast.BoolOp) and isinstance(one.op, ast.Or)]
        return list(dict.fromkeys([*found, *firsts]))


def called_name(node: ast.AST) -> str:
    """Return the name of the function or method that a call calls; empty if the node is no such call."""
    func = node.func if isinstance(node, ast.Call) else None
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def is_call_of(name: str, node: ast.AST) -> bool:
    """Tell whether a node calls a function by that name."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
