"""The rows of the table of operators, one or two examples each."""

from __future__ import annotations

import ast

import pytest

from jido_ai.improve.repair.mutation import mutations
from jido_ai.improve.repair.operators import OPERATORS

NAMES = ("a", "b", "i", "n", "x", "y")


def changed(operator: str, line: str) -> set[str]:
    """Return the replacements of an operator for the one line in a function of a, b, i, n, x, y."""
    source = f"def f({', '.join(NAMES)}):\n    {line}\n"
    found = [one for one in mutations(source, {2: 1.0}) if one.operator == operator]
    return {one.apply(source).splitlines()[1].strip() for one in found}


@pytest.mark.parametrize(
    ("operator", "line", "expected"),
    [
        ("boundary", "return a < b", {"return a <= b"}),
        ("boundary", "return (a) >= (b)", {"return (a) > (b)"}),
        ("opposite", "return a == b", {"return a != b"}),
        ("opposite", "x = a if a is not b else y", {"x = a if a is b else y"}),
        ("opposite", "x = a if a in b else y", {"x = a if a not in b else y"}),
        ("opposite", "return a in b", set[str]()),
        ("opposite", "return a and b or x", {"return a or b or x", "return a and b and x"}),
        ("conjunct", "return a > b", {"return a < 0 or a > b"}),
        ("arithmetic", "return a + b", {"return a - b", "return a * b"}),
        ("arithmetic", "return a + 1", {"return a - 1"}),
        ("arithmetic", "return a // b", {"return a / b", "return a % b"}),
        ("arithmetic", "a += b", {"a -= b", "a *= b", "a = b"}),
        ("arithmetic", "a = b", {"a += b", "a -= b"}),
        ("constant", "return 0", {"return 1"}),
        ("constant", "return True", {"return False"}),
        ("constant", "return []", {f"return [{one}]" for one in ("[]", *NAMES)}),
        ("constant", "x = a % 25", {"x = a % 24", "x = a % 26"}),
        ("constant", "x = a * 60", set[str]()),
        ("constant", "x = min(a, 1023), 1024", {"x = min(a, 1022), 1024", "x = min(a, 1024), 1024"}),
        ("off-by-one", "return a[i]", {"return a[i + 1]", "return a[i - 1]"}),
        ("off-by-one", "return a[-i]", {"return a[-i - 1]"}),
        ("off-by-one", "x = a[i:7]", {"x = a[i + 1:7]", "x = a[i - 1:7]"}),
        ("off-by-one", "x = range(n)", {"x = range(n + 1)", "x = range(n - 1)"}),
        ("off-by-one", "x = a + 1", {"x = a"}),
        ("off-by-one", "x = f(n)", {"x = f(n + 1)", "x = f(n - 1)"}),
        (
            "off-by-one",
            "x = len(a) // b",
            {
                "x = (len(a) + 1) // b",
                "x = (len(a) - 1) // b",
                "x = len(a) // (b + 1)",
                "x = len(a) // (b - 1)",
            },
        ),
        ("order", "x = a - (b + 1)", {"x = (b + 1) - a"}),
        ("order", "x = f(a, b + 1)", {"x = f(b + 1, a)", "x = f(a, b) + 1"}),
        ("order", "return a, b", {"return b, a"}),
        ("order", "x = a[i][n]", {"x = a[n][i]"}),
        ("order", "x = f(a).m()", {"x = f(a.m())"}),
        ("order", "x = f(a.m(1))", {"x = f(a).m(1)"}),
        ("order", "x = f(a * b)", {"x = f(a) * b"}),
        ("counterpart", "x = min(a)", {"x = max(a)"}),
        ("counterpart", "a.append(b)", {"a.extend(b)", "a.add(b)", "a.appendleft(b)", "a.insert(0, b)"}),
        ("argument", "x = sorted(a)", {"x = sorted(a, reverse=True)"}),
        ("argument", "x = a.move_to_end(b, last=False)", {"x = a.move_to_end(b)"}),
        ("argument", "x = a.pop(0)", {"x = a.pop()"}),
        ("copied", "return a", {"return a.copy()", "return list(a)"}),
        ("copied", "x = [[0] * n] * i", {"x = [[0] * n for _ in range(i)]"}),
        ("copied", "a.clear()", {"a = []", "a = {}", "a = set()"}),
        ("element", "return a[0].b", {"return a[-1].b", "return a[0].b[::-1]"}),
        ("element", "x = a[1:] + b", {"x = a[:-1] + b", "x = a[:1] + b", "x = a[::-1] + b"}),
        ("element", "x = len(a)", {"x = len(a[0])"}),
        ("keyed", "a.setdefault(b, x)", {"a[b] = x"}),
        (
            "keyed",
            "a[b] = [x]",
            {"a[b] = a.get(b, 0) + [x]", "a.setdefault(b, [x])", "a.setdefault(b, []).append(x)"},
        ),
        ("parameter", "x = a * 3", {f"x = a * {one}" for one in NAMES}),
    ],
)
def test_an_operator_makes_these_changes(operator: str, line: str, expected: set[str]) -> None:
    assert changed(operator, line) == expected


@pytest.mark.parametrize(
    ("operator", "line", "expected"),
    [
        ("wrap", "return a", {"return abs(a)", "return a.strip()", "return reversed(a)"}),
        ("wrap", "x = y", {"x = max(x, y)", "x = min(x, y)"}),
        ("factor", "return a + b", {"return (a + b) % n", "return a * n + b"}),
        ("operand", "return a", {"return a + b", "return a - b"}),
        ("parameter", "a[x] += 1", {"a[x] += a[y]", "a[x] += n"}),
    ],
)
def test_an_operator_makes_these_changes_among_others(operator: str, line: str, expected: set[str]) -> None:
    assert expected <= changed(operator, line)


FILE = """\
from copy import deepcopy

LIMIT = 9


def trimmed(text):
    return text.strip()


def joined(text):
    return LIMIT + len(text)


class Queue:
    def __init__(self):
        self.first = None
        self.last = None
        self.items = []
        self.undone = []
        self.is_open = False

    def put(self, item, size):
        self.items.append(item)
        if size > self.size(item) and not self.is_open:
            self.first = item.next
        return trimmed(item)

    def size(self, item):
        best = 0
        best = item.weight
        return best
"""


@pytest.mark.parametrize(
    ("operator", "line", "after"),
    [
        ("variable", "self.items.append(item)", "self.items.append(size)"),
        ("attribute", "self.items.append(item)", "self.undone.append(item)"),
        ("attribute", "return trimmed(item)", "return joined(item)"),
        ("attribute", "best = item.weight", "best = item.next"),
        ("copied", "best = item.weight", "best = deepcopy(item.weight)"),
        ("wrap", "best = item.weight", "best = trimmed(item.weight)"),
        ("value", "best = 0", "best = item.weight"),
        (
            "conjunct",
            "if size > self.size(item) and not self.is_open:",
            "if (size > self.size(item) and not self.is_open) and item.next:",
        ),
        ("parameter", "best = 0", "best = LIMIT"),
        ("step", "self.items.append(item)", "self.items.append(item); self.undone.clear()"),
        ("step", "self.first = item.next", "self.first = item.next; if self.first is None: self.last = None"),
        ("step", "best = 0", "item = sorted(item); best = 0"),
    ],
)
def test_an_operator_uses_what_the_file_has(operator: str, line: str, after: str) -> None:
    row = [one.strip() for one in FILE.splitlines()].index(line) + 1
    found = {one.after for one in mutations(FILE, {row: 1.0}, max_results=5_000) if one.operator == operator}
    assert after in found


def test_operations_on_two_variables_are_also_proposed_in_reverse() -> None:
    source = "def f(graph, one, other):\n    graph[one].add(other)\n"
    assert "graph[one].add(other); graph[other].add(one)" in {one.after for one in mutations(source, {2: 1.0})}


def test_a_call_in_a_coroutine_is_awaited_and_elsewhere_not() -> None:
    source = "async def f(a):\n    x = g(a).text\n    return x\n"
    found = {one.after for one in mutations(source, {2: 1.0}) if one.operator == "await"}
    assert found == {"x = (await g(a)).text"}
    assert not [one for one in mutations(source.removeprefix("async "), {2: 1.0}) if one.operator == "await"]


def test_a_value_grows_to_a_larger_expression_of_the_file() -> None:
    source = "def f(a, n):\n    total = n + len(a)\n    return n\n"
    found = {(one.operator, one.after) for one in mutations(source, {3: 1.0})}
    assert ("widen", "return n + len(a)") in found


def test_every_operator_made_at_least_one_percent_of_the_right_repairs() -> None:
    assert all(one.share >= 1.0 for one in OPERATORS.values())
    assert sum(one.share for one in OPERATORS.values()) == pytest.approx(90.0, abs=3.0)
    assert all(name == one.name for name, one in OPERATORS.items())


def test_a_variable_is_taken_for_any_other_of_the_same_function_and_none_of_another() -> None:
    source = "def g(z):\n    return z\n\n\ndef f(a, b):\n    c = a\n    return c\n    g(c)\n"
    found = {one.after for one in mutations(source, {7: 1.0}) if one.operator == "variable"}
    assert found == {"return a", "return b"}


def test_an_attribute_is_taken_for_another_that_the_file_reads_and_does_not_call() -> None:
    source = "def f(a):\n    a.go()\n    return a.left, a.right.size\n"
    found = {one.after for one in mutations(source, {3: 1.0}) if one.operator == "attribute"}
    assert "return a.right, a.right.size" in found
    assert "return a.left, a.right.left" in found
    assert not any("go" in one for one in found)


def test_an_endless_loop_can_get_a_variable_as_its_condition() -> None:
    found = {one.after for one in mutations("def f(a):\n    while True:\n        a.pop()\n", {2: 1.0})}
    assert "while a:" in found


def test_a_value_computed_from_a_variable_is_not_added_to_it() -> None:
    source = "def f(low, high, n):\n    middle = low + high\n    low = middle\n    high = n\n    return low\n"
    found = {one.after for one in mutations(source, {3: 1.0, 4: 1.0}) if one.operator == "arithmetic"}
    assert "high += n" in found
    assert "low += middle" not in found


def test_continue_becomes_break() -> None:
    source = "for a in b:\n    if a:\n        break\n"
    assert "continue" in {one.after for one in mutations(source, {3: 1.0})}


def test_nothing_is_counted_by_zero_or_taken_from_itself() -> None:
    source = "def f(a, b):\n    a -= 1\n    a -= b\n    return a\n"
    found = {one.after for one in mutations(source, {2: 1.0, 3: 1.0})}
    assert "a -= 2" in found
    assert {"a -= 0", "a -= a"}.isdisjoint(found)


def test_every_edit_leaves_the_rest_of_the_file_and_parses() -> None:
    found = list(mutations(FILE, dict.fromkeys(range(1, 32), 1.0), max_results=500))
    assert len(found) > 100
    lines = FILE.splitlines()
    for one in found:
        edited = one.apply(FILE)
        assert ast.dump(ast.parse(edited)) != ast.dump(ast.parse(FILE))
        assert edited.splitlines()[: one.line - 1] == lines[: one.line - 1]


@pytest.mark.parametrize(
    ("source", "edit"),
    [
        ("def f(x):\n    x\n", "    return x"),
        ("def f(x):\n    return x['a'] + g['b']\n", "    return x[\"b\"] + g['b']"),
        ("def f(a, b):\n    key = a\n    return cache[key]\n", "    key = (b, a)"),
    ],
    ids=["return", "another key", "an argument of a key"],
)
def test_a_step_that_is_forgotten_in_one_place_is_among_the_edits(source: str, edit: str) -> None:
    assert edit in {one.apply(source).splitlines()[1] for one in mutations(source, {2: 1.0})}
