"""The syntax tree of Python text."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from jido_ai.text.python_tree import tree_of


def test_a_tree_is_made_again_after_a_collision_with_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    parse = ast.parse
    calls: list[str] = []

    def crossed_twice(source: str, _name: str) -> ast.Module:
        calls.append(source)
        if len(calls) < 3:
            raise SystemError("AST constructor recursion depth mismatch (before=174, after=23)")
        return parse(source)

    monkeypatch.setattr(ast, "parse", crossed_twice)
    assert ast.dump(tree_of("a = 1")) == ast.dump(parse("a = 1"))
    assert calls == ["a = 1"] * 3


def test_a_text_that_is_not_python_has_no_tree() -> None:
    with pytest.raises(SyntaxError):
        tree_of("a =")


def test_python_warnings_about_a_text_are_not_shown() -> None:
    text = "a = '\\d'; b = {1: 2}(3); c = 1 is 1"
    code = f"""
from jido_ai.improve.repair.mutation import mutations
from jido_ai.text.python_tree import tree_of
from jido_ai.text.syntax_repair import syntax_repairs
tree_of({text!r}), mutations({text!r}, {{1: 1.0}}), syntax_repairs({text!r} + ")")
"""
    made = subprocess.run([sys.executable, "-W", "always", "-c", code], capture_output=True, text=True, check=True)
    assert not made.stderr
