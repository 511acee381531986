"""Variable kinds: collections and numbers by their use."""

from __future__ import annotations

import ast

import pytest

from jido_ai.improve.repair.mutation import mutations
from jido_ai.improve.repair.program_code import Function
from jido_ai.improve.repair.variable_kinds import Kinds, kinds_of


def _kinds(body: str) -> Kinds:
    function = ast.parse(f"def f(a, b):\n    {body}\n").body[0]
    assert isinstance(function, Function)
    return kinds_of(function)


@pytest.mark.parametrize(
    "body",
    [
        "a[0]", "for x in a: pass", "b in a", "a.append(b)", "len(a)", "a = []", "a = ''", "a = set()",
        "[x for x in a]", "{x: 1 for x in a}", "sum(x for x in a)",
    ],
)  # fmt: skip
def test_a_variable_used_as_a_collection_is_a_collection(body: str) -> None:
    assert "a" in _kinds(body).collections


@pytest.mark.parametrize(
    "body", ["a = 0", "a += 1", "a - 1", "a / b", "range(a)", "for a in range(9): pass", "a = len(b)", "a // 2"]
)
def test_a_variable_used_as_a_number_is_a_number(body: str) -> None:
    assert "a" in _kinds(body).numbers


@pytest.mark.parametrize("body", ["a = 0; a = []", "return a", "a * 2", "a.b", "a < b", "a - b"])
def test_a_variable_of_either_kind_has_no_kind(body: str) -> None:
    assert _kinds(body).collections.isdisjoint({"a"})
    assert _kinds(body).numbers.isdisjoint({"a"})


def test_a_variable_is_replaced_by_one_of_its_kind() -> None:
    source = "def f(a, b):\n    n = len(a)\n    for c in b:\n        c.x()\n    return a[n - 1]\n"
    found = {one.after for one in mutations(source, {5: 1.0}) if one.operator == "variable"}
    assert "return b[n - 1]" in found
    assert found.isdisjoint({"return n[n - 1]", "return a[b - 1]"})
