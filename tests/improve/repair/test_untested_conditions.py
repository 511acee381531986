"""Conditions of repairs that tests may not need."""

from __future__ import annotations

import ast

import pytest

from jido_ai.improve.repair.mutation import mutations
from jido_ai.improve.repair.untested_conditions import constant_conditions, removes_condition
from jido_ai.text.edits import Edit, apply_edits

CODE = "def f(a, b):\n    if a > 1 and b:\n        return [x for x in b if x < a]\n    return a == b\n"


@pytest.mark.parametrize(
    ("old", "new", "condition"),
    [
        ("a > 1", "a >= 1", "a >= 1"),
        ("> 1", "> 2", "a > 2"),
        ("x < a", "x <= a", "x <= a"),
        ("==", "!=", "a != b"),
        ("a > 1 and b", "a > 1 or b", "a > 1 or b"),
    ],
)
def test_the_innermost_condition_around_a_repair_becomes_true_and_false(old: str, new: str, condition: str) -> None:
    edit = edit_of(old, new)
    text = apply_edits(CODE, [edit])
    assert constant_conditions(text, edit) == [text.replace(condition, word, 1) for word in ("True", "False")]


def test_a_condition_that_a_repair_brings_is_meant_too() -> None:
    edit = Edit(4, 5, 4, 5, "if not b:\n        return 0\n    ")
    text = apply_edits(CODE, [edit])
    assert constant_conditions(text, edit) == [text.replace("not b", word) for word in ("True", "False")]


def test_a_repair_that_touches_no_condition_has_none() -> None:
    edit = edit_of("[x for", "[a for")
    assert constant_conditions(apply_edits(CODE, [edit]), edit) == []


def test_a_repair_with_fewer_conditions_removes_one() -> None:
    assert removes_condition(CODE, CODE.replace("a > 1 and b", "b"))
    assert removes_condition(CODE, CODE.replace(" if x < a", ""))
    assert not removes_condition(CODE, CODE.replace("a > 1", "a"))
    assert not removes_condition("a = b or 1\n", "a = b if b is not None else 1\n")


def test_no_edit_leaves_statements_that_never_run() -> None:
    code = (
        "def f(a):\n    if a:\n        return 1\n    for one in a:\n        if one:\n            break\n    return 2\n"
    )
    for one in mutations(code, dict.fromkeys(range(1, 8), 1.0)):
        for node in ast.walk(ast.parse(one.apply(code))):
            for _, block in ast.iter_fields(node):
                leaving = (ast.Return, ast.Continue, ast.Break)
                assert not isinstance(block, list) or not any(isinstance(each, leaving) for each in block[:-1]), one


def edit_of(old: str, new: str) -> Edit:
    """Return the edit that replaces a text that occurs once in a row."""
    row, line = next((row, line) for row, line in enumerate(CODE.splitlines(), 1) if old in line)
    return Edit(row, line.index(old) + 1, row, line.index(old) + 1 + len(old), new)
