"""MutantCheck: new and valid edits of a program."""

from __future__ import annotations

import ast

import pytest
from hypothesis import assume, given, settings
from hypothesis.strategies import DataObject, data, integers, sampled_from

from jido_ai.improve.repair.mutant_check import MutantCheck
from jido_ai.improve.repair.program_code import Function, unused_names
from jido_ai.text.edits import Edit, apply_edits

PROGRAM = '''\
"""A module."""
import functools

LIMIT = 3

@functools.cache
def counted(n):
    total = 0
    def add(k):
        nonlocal total
        total += k
    for k in range(n):
        if k > LIMIT:
            break
        add(k)
    return total

class Stack:
    size = 0

    def push(self, item):
        if item is None:
            return super().__init__()
        self.items = [*self.items, item]

    if LIMIT:
        async def pop(self):
            await self.wait()
            return self.items[-1]
'''
ROWS = PROGRAM.splitlines()
TEXTS = ("", "x", "0", "(", ")", ":", " and ", "not ", "return ", "await ", "yield ", "break", "\n", "\n    x = 1")


def is_valid(text: str) -> bool:
    try:
        compile(text, "<test>", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


def leaving(text: str) -> int:
    blocks = [getattr(node, name, []) for node in ast.walk(ast.parse(text)) for name in ("body", "orelse")]
    statements = [one for block in blocks if isinstance(block, list) for one in block[:-1]]
    return sum(isinstance(one, ast.Return | ast.Break) for one in statements)


READ = {"counted": {"n", "total", "k"}, "push": {"item"}, "pop": set()}


def forgets(text: str) -> bool:
    """Tell whether an outermost function no longer reads one of its variables."""
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, Function)]
    return any(READ.get(one.name, set()) & set(unused_names(one)) for one in functions)


@settings(max_examples=300, deadline=None)
@given(data())
def test_an_edit_is_judged_as_if_the_whole_program_were_compiled(drawn: DataObject) -> None:
    row = drawn.draw(integers(1, len(ROWS)))
    begin = drawn.draw(integers(0, len(ROWS[row - 1])))
    end = drawn.draw(integers(begin, len(ROWS[row - 1])))
    edit = Edit(row, begin + 1, row, end + 1, drawn.draw(sampled_from(TEXTS)))
    text = apply_edits(PROGRAM, [edit])
    assume(text != PROGRAM)
    is_fitting = is_valid(text) and leaving(text) <= leaving(PROGRAM) and not forgets(text)
    assert MutantCheck(PROGRAM)(edit) == is_fitting


@pytest.mark.parametrize(
    ("code", "wrong", "right"),
    [
        ("def f(a, b):\n    return a + b\n", "a + b", "a"),
        ("def f(a):\n    for b in a:\n        g(b)\n", "(b)", "(a)"),
        ("def f(a, b):\n    return [g(x) for x in a if b]\n", "g(x)", "g(a)"),
        ("class A:\n    def f(self, a):\n        b = a\n        return b\n", "return b", "return a"),
    ],
)
def test_an_edit_that_leaves_a_variable_unread_is_not_proposed(code: str, wrong: str, right: str) -> None:
    assert not MutantCheck(code)(edit_of(code, wrong, right))


@pytest.mark.parametrize(
    ("code", "wrong", "right"),
    [
        ("def f(a, b):\n    return a + a\n", "a + a", "a + b"),
        ("def f(a, b):\n    return a[b] + b\n", "a[b]", "a[0]"),
        ("def f(a):\n    return [g(x) for x in a]\n", "g(x)", "x"),
        ("def f(a):\n    for _ in a:\n        g(a)\n", "g(a)", "h(a)"),
        ("def f(a, n):\n    for i, b in a:\n        g(b, i)\n        n += 1\n    return n\n", "b, i", "b, n"),
        ("def f(a):\n    b = 1\n    return a\n", "return a", "return a + 1"),
    ],
)
def test_an_edit_that_leaves_no_variable_unread_is_one(code: str, wrong: str, right: str) -> None:
    assert MutantCheck(code)(edit_of(code, wrong, right))


def edit_of(code: str, wrong: str, right: str) -> Edit:
    row = code[: code.index(wrong)].count("\n") + 1
    column = code.splitlines()[row - 1].index(wrong) + 1
    return Edit(row, column, row, column + len(wrong), right)


def test_a_program_is_new_only_once() -> None:
    check = MutantCheck("def f(a):\n    return a + a\n")
    assert not check(Edit(2, 12, 2, 13, "a"))
    assert check(Edit(2, 12, 2, 13, "b"))
    assert not check(Edit(2, 12, 2, 17, "b + a"))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(("indent", "is_valid"), [("", False), ("    ", True), ("      ", False), ("        ", True)])
def test_a_row_that_leaves_its_function_is_judged_where_it_stands(indent: str, is_valid: bool, end: str) -> None:
    rows = ["class A:", "    if 1:", "        def f(self):", "            x = 1", "            y = 2", "    z = 3", ""]
    assert MutantCheck(end.join(rows))(Edit(4, 18, 5, 13, f"{end}{indent}")) == is_valid
