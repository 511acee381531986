"""Stand-ins: other values in place of the one that a repair changed."""

from __future__ import annotations

import ast

import pytest

from jido_ai.revisers.stand_ins import stand_ins
from jido_ai.text.edits import Edit, apply_edits

CODE = "def f(a, b):\n    if a > 1:\n        return g(b, 1)\n    b += 1\n    a.sort()\n    return 'x'\n"


def edit_of(old: str, new: str) -> Edit:
    row = next(number for number, line in enumerate(CODE.split("\n"), 1) if old in line)
    column = CODE.split("\n")[row - 1].index(old) + 1
    return Edit(row, column, row, column + len(old), new)


def rows(edit: Edit) -> set[str]:
    """Return the changed row of each stand-in, without its indentation."""
    return {one.program.split("\n")[edit.row - 1].strip() for one in stand_ins(CODE, edit)}


@pytest.mark.parametrize(
    ("old", "new", "some"),
    [
        ("> 1", ">= 1", {"if (True):", "if (a < 1):", "if (a == 1):"}),
        ("g(b, 1)", "g(b, 2)", {"return g(b, (None))", "return g(b, (0))", "return g(b, (a))", "return g(b, (2 + 1))"}),
        ("g(b, 1)", "b + 1", {"return (b - 1)", "return (b)", "return ([])"}),
        ("g(b, 1)", "h(b)", {"return (None)", "return (b)"}),
        ("g(b, 1)", "b.h(a)", {"return (None)", "return (b)", "return (a)"}),
        ("'x'", "'y'", {"return (None)", "return ('y' 'x')"}),
    ],
)
def test_the_changed_value_and_no_other_is_replaced_by_what_nobody_means(old: str, new: str, some: set[str]) -> None:
    edit = edit_of(old, new)
    assert some <= rows(edit)
    repaired = apply_edits(CODE, [edit])
    assert repaired not in {one.program for one in stand_ins(CODE, edit)}
    for one in stand_ins(CODE, edit):
        ast.parse(one.program)


def test_constants_and_variables_are_surely_other_values_and_another_comparison_perhaps_the_same() -> None:
    found = {one.program.split("\n")[1].strip(): one.is_other for one in stand_ins(CODE, edit_of("> 1", ">= 1"))}
    assert found["if (True):"] is True
    assert found["if (a != 1):"] is False


@pytest.mark.parametrize(("old", "new"), [("a.sort()", "a.reverse()"), ("b += 1", "b -= 1"), ("b += 1", "a += 1")])
def test_a_repair_of_no_value_has_none(old: str, new: str) -> None:
    assert stand_ins(CODE, edit_of(old, new)) == []


def test_places_are_right_in_rows_with_characters_of_several_bytes() -> None:
    code = "def f(é):\n    return 'äöü' + é\n"
    found = stand_ins(code, Edit(2, 20, 2, 21, "é[0]"))
    assert "def f(é):\n    return 'äöü' + (None)\n" in {one.program for one in found}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a", "*a"),
        ("f'{a:>{w}}'", "f'{a:<{w}}'"),
        ("f'{a:>{w}}'", "f'{w:>{a}}'"),
        ("a, b", "a, *b"),
        ("a, b", "a, (b := 1)"),
    ],
)
def test_what_is_no_value_by_itself_raises_nothing(old: str, new: str) -> None:
    code = f"def f(a, b, w):\n    return g({old})\n"
    for one in stand_ins(code, Edit(2, 14, 2, 14 + len(old), new)):
        assert one.program.startswith("def f(a, b, w):\n    return ")
