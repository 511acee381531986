"""The syntax tree of a program with only true places inside its f-strings. Pure."""

from __future__ import annotations

import ast
import sys

from jido_ai.improve.repair.program_code import Code
from jido_ai.text.python_tree import tree_of


def placed_tree(source: str) -> ast.Module:
    """Return the tree of a program, where every expression inside an f-string has the place at which it stands.

    Before Python 3.12 a few places are wrong, as of `{a, b}`. F-strings with such a field have no fields in the tree.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: it is not valid Python, or nested too deeply.
    """
    tree = tree_of(source)
    if sys.version_info < (3, 12):
        code = Code(source)
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                fields = [one.value for one in node.values if isinstance(one, ast.FormattedValue)]
                node.values = node.values if all(_stands_there(one, code) for one in fields) else []
    return tree


def _stands_there(value: ast.expr, code: Code) -> bool:
    """Tell whether the code at the place of an expression is that expression."""
    try:
        (found,) = tree_of(f"({code.of(value)})").body
    except (SyntaxError, ValueError, IndexError):
        return False
    return isinstance(found, ast.Expr) and ast.dump(found.value) == ast.dump(value)
