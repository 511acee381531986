"""The syntax tree of Python text."""

from __future__ import annotations

import ast

import pytest

from jido_ai.text.python_tree import tree_of


def test_a_tree_that_crossed_that_of_another_thread_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    parse = ast.parse
    calls: list[str] = []

    def crossed_twice(source: str) -> ast.Module:
        calls.append(source)
        if len(calls) < 3:
            raise SystemError("AST constructor recursion depth mismatch (before=174, after=23)")
        return parse(source)

    monkeypatch.setattr(ast, "parse", crossed_twice)
    assert ast.dump(tree_of("a = 1")) == ast.dump(parse("a = 1"))
    assert calls == ["a = 1"] * 3


def test_what_is_no_python_has_no_tree() -> None:
    with pytest.raises(SyntaxError):
        tree_of("a =")
