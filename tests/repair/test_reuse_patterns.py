"""Reuse patterns and missing steps made of what the program has elsewhere."""

from __future__ import annotations

import ast

import pytest

from jido_ai.repair.mutation import OPERATORS, mutations
from jido_ai.repair.program_code import Function, unused_names

STORE = "class A:\n    def __init__(self):\n        self.d = {}\n        self.on = False\n\n"
BEST = "def f(a, k, v):\n    best = {}\n    if k not in best:\n        best[k] = v\n    return best\n"
CASES = [
    ("unused", "def f(a, b):\n    c = a\n    a += b\n    return a\n    g(b)\n", 3, "a = c"),
    ("unused", "def f(a, b):\n    return [a, a.c]\n", 2, "return [a, b]"),
    ("simple", "def f(a, year):\n    return year or f(a.year)\n    g(a)\n", 2, "return year or f(year)"),
    (
        "simple",
        STORE + "    def f(self, a):\n        return max(a, len(self.d)) if self.on else 0\n",
        7,
        "return max(a, self.on) if self.on else 0",
    ),
    ("flag", STORE + "    def f(self, a):\n        a = True\n        return a or self.on\n", 7, "a = self.on"),
    ("keyed", "def f(a, d):\n    d[a] = 1\n", 2, "d[a] = d.get(a, 0) + 1"),
    ("keyed", "def f(a, d):\n    d[a] = []\n", 2, "d.setdefault(a, [])"),
    ("keyed", "def f(a, d):\n    d.setdefault(a, 1)\n", 2, "d[a] = 1"),
    ("clamp", "def f(a, b):\n    return [(a, b)]\n", 2, "return [(a, min(b, a))]"),
    ("clamp", STORE + "    def f(self, a):\n        a = a + 1\n        return a\n", 7, "a = min(a + 1, len(self.d))"),
    (
        "start",
        "def f(a, d):\n    if a > d.get(a, (0, None))[0]:\n        return a\n",
        2,
        'if a > d.get(a, (float("-inf"), None))[0]:',
    ),
    ("receiver", "def f(a):\n    return a.isdigit()\n", 2, 'return a.removeprefix("-").isdigit()'),
    ("default", "def f(a, d):\n    return d.get(a) or 1\n", 2, "return d[a] if a in d else 1"),
    ("conjunct", BEST, 3, "if k not in best or v < best[k]:"),
    (
        "conjunct",
        STORE + "    def f(self, a):\n        if len(self.d) > 1:\n            return a\n",
        7,
        "if a not in self.d and len(self.d) > 1:",
    ),
    ("conjunct", "def f(a, b):\n    if a != b:\n        return 1\n", 2, "if a and a != b:"),
    ("operand", STORE + "    def f(self, a):\n        return len(a)\n", 7, "return len(a) - len(self.d)"),
    ("operand", "MARK = '* '\n\n\ndef f(a):\n    return f(a)\n", 5, "return f(a - len(MARK))"),
    ("operand", "def f(a):\n    if a:\n        return [a]\n    return a\n", 4, "return [a] + a"),
    ("bracket", "def f(a, b):\n    return f(a - b)\n", 2, "return f(a) - f(b)"),
    ("variable", "ONE = 1\nTWO = 2\n\n\ndef f(a):\n    return a * ONE\n", 6, "return a * TWO"),
    ("parameter", "ONE = 1\n\n\ndef f(a):\n    return a * 2\n", 5, "return a * ONE"),
    ("element", "def f(a, i):\n    return a[i] < len(a)\n", 2, "return a[i] < len(a[i])"),
    ("keyword", "def f(a):\n    return a.pop(1)\n", 2, "return a.pop(1, None)"),
    ("off-by-one", "def f(a):\n    return a // 12\n", 2, "return (a - 1) // 12"),
    ("step", STORE + "    def f(self, a):\n        return a\n", 7, "del self.d[a]; return a"),
    ("leave", "def f(a):\n    for b in a:\n        return b\n        g(b)\n", 3, "continue"),
    (
        "super",
        "class A(B):\n    def f(self, a):\n        self.a = a\n",
        3,
        "super().f(a); self.a = a",
    ),
    (
        "library",
        "import itertools\n\n\ndef f(a, b):\n    return zip(a, b)\n",
        5,
        'return itertools.zip_longest(a, b, fillvalue="")',
    ),
    ("library", "def f(a, b):\n    return zip(*b)\n", 2, "return zip(a, *b)"),
]


@pytest.mark.parametrize(("operator", "source", "line", "after"), CASES)
def test_what_is_there_already_proposes_the_fix(operator: str, source: str, line: int, after: str) -> None:
    assert after in {one.after for one in mutations(source, {line: 1.0}) if one.operator == operator}
    assert operator in OPERATORS


def test_a_method_that_is_only_named_is_exchanged_for_one_with_as_many_arguments() -> None:
    source = (
        "class A:\n    def g(self, n):\n        return 1\n\n    def h(self, n):\n        return 2\n\n"
        "    def f(self, a, b):\n        return max(a, key=self.g)\n"
    )
    found = {one.after for one in mutations(source, {9: 1.0}) if one.operator == "callee"}
    assert "return max(a, key=self.h)" in found
    assert "return max(a, key=self.f)" not in found


@pytest.mark.parametrize(
    ("body", "unused"),
    [
        ("return a", ["b"]), ("c = a\n    return b", ["c"]), ("c = 0\n    c += a\n    return b", []),
        ("_c = a\n    return b", []), ("return [b for b in a]", []), ("return lambda: a", ["b"]),
    ],
)  # fmt: skip
def test_what_is_never_read_is_unused(body: str, unused: list[str]) -> None:
    function = ast.parse(f"def f(a, b):\n    {body}\n").body[0]
    assert isinstance(function, Function)
    assert list(unused_names(function)) == unused


@pytest.mark.parametrize(
    ("source", "line", "never"),
    [
        ("def f(a, b):\n    return a.x != b.y\n", 2, "return a.x < b.y"),
        ("def f(a, b):\n    return a < b\n", 2, "return a != b"),
        ("def f(a):\n    return a // 12\n", 2, "return a // 13"),
        ("def f(a):\n    return a[a % 7]\n", 2, "return a[a]"),
        ("def f(day, year):\n    return day.year\n", 2, "return day.year + year"),
        ("def f(a, d):\n    return d.get(a)\n", 2, "return d.get(a * len(d))"),
        ("def f(a, d, v):\n    if a not in d:\n        return v\n", 2, "if d.get(a) != v:"),
        ("class A:\n    def f(self):\n        return len(self.n)\n", 3, "return min(len(self.n), 1)"),
        ("def f(a, b):\n    return b.x - f(a, 1)\n", 2, "return b.x"),
    ],
)
def test_what_nobody_means_is_not_proposed(source: str, line: int, never: str) -> None:
    assert never not in {one.after for one in mutations(source, {line: 1.0})}


@pytest.mark.parametrize("number", [60, 1000, 1024])
def test_a_round_number_is_not_wrong_by_one(number: int) -> None:
    found = {one.after for one in mutations(f"def f(a):\n    return a[3] > {number}\n", {2: 1.0})}
    assert found.isdisjoint({f"return a[3] > {number + 1}", f"return a[3] > {number - 1}"})


def test_a_large_constant_is_seldom_wrong_by_one() -> None:
    found = {one.after: one for one in mutations("def f(a):\n    return a[3] > 27\n", {2: 1.0})}
    assert found["return a[4] > 27"].weight > 2 * found["return a[3] > 28"].weight


@pytest.mark.parametrize(
    ("source", "line", "after"),
    [
        ("def f(a, b, c):\n    return a + b * (c + 1)\n", 2, "return (a + b) * (c + 1)"),
        ("def f(a, b):\n    a.left = f(b, 1)\n    g(b)\n", 2, "a.left = f(a.left, 1)"),
        ("ON = 'on'\n\n\ndef f(a):\n    if a.x():\n        return 1\n", 5, "if a == ON or a.x():"),
        ("def f(a, b, c):\n    return (a - b) * c\n", 2, "return (min(a, c) - b) * c"),
        ("def f(a, d, v):\n    if a in d:\n        return v\n", 2, "if d.get(a) == v:"),
        (STORE + "    def f(self, a):\n        self.n = 0\n        return a\n", 8, "self.n += 1; return a"),
        (
            "from datetime import timedelta\n\n\ndef f(a, n):\n    return a.replace(day=a.day + n)\n",
            5,
            "return a + timedelta(days=n)",
        ),
        (
            "class A:\n    @property\n    def free(self):\n        return 1\n\n"
            "    def f(self):\n        return self.all\n",
            7,
            "return self.free",
        ),
        ("def f(a, b):\n    return (a - b).seconds\n", 2, "return int((a - b).total_seconds())"),
        ("STEPS = ((0, 1), (1, 1))\n", 1, "STEPS = ((0, 1), (1, 1), (1, -1))"),
        ("def f(a, b):\n    if a < len(b):\n        return 1\n", 2, "if 0 <= a < len(b):"),
        ("def f(a, d):\n    d[a].update(f(a))\n", 2, "d[a] = f(a)"),
        ("def f(a):\n    return a.strip('-')[:9]\n", 2, "return a.strip('-')[:9].rstrip('-')"),
        (STORE + "    def f(self, a):\n        self.n = a\n        a += 1\n", 8, "a = min(a + 1, len(self.d))"),
        ("def k(a):\n    return a\n\n\ndef f(a):\n    return max(a)\n", 6, "return max(a, key=k)"),
        ("def f(a, b):\n    return g(a + b)\n", 2, "return g(a + b - 1)"),
        ("def f(a, b):\n    return g(a[0] + b)\n    h(a)\n", 2, "return g(b + b)"),
        ("def f(a):\n    return a[1]\n", 2, "return a[-1]"),
    ],
)
def test_more_fixes_are_proposed(source: str, line: int, after: str) -> None:
    assert after in {one.after for one in mutations(source, {line: 1.0})}


def test_a_statement_moves_below_the_condition_after_it() -> None:
    source = "def f(a):\n    a.x = 1\n    if a.y:\n        return 0\n    return 1\n"
    texts = {one.apply(source) for one in mutations(source, {2: 1.0}) if one.operator == "order"}
    assert "def f(a):\n    if a.y:\n        return 0\n    a.x = 1\n    return 1\n" in texts


def test_a_method_that_calls_the_one_it_overrides_needs_no_second_call() -> None:
    source = "class A(B):\n    def f(self):\n        self.a = 1\n        super().f()\n"
    assert not [one for one in mutations(source, {3: 1.0, 4: 1.0}) if one.operator == "super"]


def test_a_sum_becomes_another_variable_and_none_deep_inside_it() -> None:
    found = {one.after for one in mutations("def f(a, b, c, d):\n    return g(a + b * c)\n    h(a, b, c)\n", {2: 1.0})}
    assert "return g(d)" in found
    assert "return g(c)" not in found
