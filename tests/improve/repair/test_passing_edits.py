"""Rules for edits that pass."""

from __future__ import annotations

import ast

from jido_ai.improve.repair.mutation import mutations
from jido_ai.improve.repair.passing_edits import (
    PassingEdit,
    choice_test,
    is_vacuous,
    kinds_of_behaviour,
    plausible,
    siblings,
)


def edit(source: str, line: int, after: str) -> PassingEdit:
    """Return the edit that turns a line into `after`."""
    for one in mutations(source, {line: 1.0}):
        if after in one.apply(source):
            return PassingEdit("code.py", one, source, one.apply(source), ("test_it",))
    raise AssertionError(f"no edit gives {after!r}")


LOCK = (
    "class Lock:\n    def __init__(self):\n        self.held = False\n\n"
    "    def take(self):\n        self.held = True\n\n    def give(self):\n        self.held = False\n"
)


def test_an_edit_after_which_all_assignments_store_the_same_constant_is_vacuous() -> None:
    assert is_vacuous(edit(LOCK, 6, "def take(self):\n        self.held = False"))
    assert not is_vacuous(edit("def f(a):\n    b = 1\n    return a < b\n", 3, "a <= b"))


def test_an_edit_that_replaces_an_element_gives_way_to_one_that_removes_it() -> None:
    source = 'def moves(state):\n    return {"done", "new"}\n'
    removed = edit(source, 2, '{"done"}')
    replaced = edit(source, 2, '{"done", state}')
    assert plausible([replaced, removed]) == [removed]
    assert plausible([replaced]) == [replaced]


def test_an_edit_of_a_signature_gives_way_to_one_of_the_body() -> None:
    source = "def f(n=3):\n    return list(range(1, n))\n"
    signature, body = edit(source, 1, "n=4"), edit(source, 2, "range(1, n + 1)")
    assert plausible([signature, body]) == [body]
    assert plausible([signature]) == [signature]


def test_the_siblings_of_an_edit_are_the_other_way_at_equality() -> None:
    source = "def f(a, b):\n    return a == b\n"
    assert [one.text for one in siblings(edit("def f(a, b):\n    return a < b + 1\n", 2, "a < b\n"))] == [
        "def f(a, b):\n    return a <= b\n"
    ]
    assert siblings(edit(source, 2, "a != b")) == []


def test_edits_that_do_the_same_are_one_kind_and_others_have_an_input_on_which_they_differ() -> None:
    one = edit("def f(a, b):\n    return a < b\n", 2, "a <= b")
    same = {"t#0": (("f(1, 2)", "True"),)}
    other = {"t#0": (("f(1, 2)", "False"),)}
    kinds = kinds_of_behaviour(one, same, [one, one], [same, other])
    assert [value for _, value in kinds] == [("f(1, 2)", "True"), ("f(1, 2)", "False")]
    assert kinds_of_behaviour(one, None, [one], [None]) == [(one, None)]


def test_a_test_to_choose_by_is_python_for_values_exceptions_and_objects() -> None:
    for code, value, wanted in (
        ("x = [1]; page(x, 3)", "[2]", "assert page(x, 3) == [2]"),
        ("page([], 3)", "raises NoSuchPage", "with pytest.raises(NoSuchPage):"),
        ("page([], 3)", "<Page 3>", "assert repr(page([], 3)) == '<Page 3>'"),
    ):
        test = choice_test(code, value)
        ast.parse(test)
        assert wanted in test
    assert choice_test("a = [1]; with x: pass; y", "1") == ""
