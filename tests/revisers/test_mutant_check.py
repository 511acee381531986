"""MutantCheck: new and valid edits of a program."""

from __future__ import annotations

import ast

import pytest
from hypothesis import assume, given, settings
from hypothesis.strategies import DataObject, data, integers, sampled_from

from jido_ai.revisers.mutant_check import MutantCheck
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


@settings(max_examples=300, deadline=None)
@given(data())
def test_an_edit_is_judged_as_if_the_whole_program_were_compiled(drawn: DataObject) -> None:
    row = drawn.draw(integers(1, len(ROWS)))
    begin = drawn.draw(integers(0, len(ROWS[row - 1])))
    end = drawn.draw(integers(begin, len(ROWS[row - 1])))
    edit = Edit(row, begin + 1, row, end + 1, drawn.draw(sampled_from(TEXTS)))
    text = apply_edits(PROGRAM, [edit])
    assume(text != PROGRAM)
    assert MutantCheck(PROGRAM)(edit) == (is_valid(text) and leaving(text) <= leaving(PROGRAM))


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
