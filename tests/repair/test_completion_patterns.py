"""Completion patterns: what a line does a part of."""

from __future__ import annotations

import pytest

from jido_ai.repair.completion_patterns import COSTS, PATTERNS
from jido_ai.repair.mutation import mutations

NODE = "class A:\n    def __init__(self):\n        self.size = 0\n        self.items = []\n\n"
LOOP = "def f(a):\n    best = last = 0\n    for x in a:\n        if x > best:\n            best = x\n    return last\n"
INDEXED = (
    NODE
    + "    def __getitem__(self, i):\n        return self.a[i]\n\n    def f(self, i):\n        return self.items[i]\n"
)
SIZED = NODE + "    def f(self):\n        if self.size:\n            return 1\n"
COPIED = "def f(a, b):\n    a.key = b.key\n    return a.count + a.key\n"
FOUND = "def f(a):\n    for x in a:\n        return g(x)\n    return None\n"
CASES = [
    ("companion", SIZED, 7, "if self.size or self.items:"),
    ("companion", SIZED, 7, "if self.size and not self.items:"),
    ("companion", 'def f(a):\n    if a.startswith("-"):\n        return 1\n', 2, 'if a.startswith("-") and a != "-":'),
    ("companion", "def f(a, b):\n    return b or a.endswith('-')\n", 2, "return b or (a.endswith('-') and a != '-')"),
    ("companion", "def f(a):\n    if isinstance(a, list):\n        return 1\n", 2, "if isinstance(a, list) and a:"),
    ("companion", "def f(a, b, n):\n    if a in b:\n        return n\n", 2, "if a in b and b[a] <= n:"),
    ("companion", "def f(a, b):\n    return a in b\n", 2, "return a in b and b[a]"),
    ("kept", "def f(d, k, b):\n    b = d.get(k)\n    return b\n", 2, "b = d.get(k, b)"),
    ("kept", "def f(a, b):\n    b = a\n    return b\n", 2, "b = a or b"),
    ("carry", LOOP, 5, "last = best best = x"),
    ("carry", COPIED, 2, "a.key = b.key a.count = b.count"),
    ("span", "def f(a, i):\n    return a[i + 1] == '.'\n", 2, "return a[i + 1:i + 2] == '.'"),
    ("span", "def f(a):\n    return a[0] == '.'\n", 2, "return a[:1] == '.'"),
    ("labelled", "def f(a):\n    return [g(a[k]) for k in a]\n", 2, "return [(k, g(a[k])) for k in a]"),
    ("reused", "def w(a):\n    return 1\n\n\ndef f(a):\n    return len(a)\n", 6, "return w(a)"),
    ("reused", "def f(a):\n    b = round(a, 2)\n    return b + abs(a)\n", 3, "return b + abs(round(a, 2))"),
    ("reused", INDEXED, 10, "return self[i]"),
    ("digits", "def f(a, n):\n    n = n + int(a)\n    return n\n", 2, "n = n * 10 + int(a)"),
    ("digits", "def f(a, n):\n    n += int(a)\n    return n\n", 2, "n = n * 10 + int(a)"),
    ("pairwise", "def f(a, b):\n    return a.y < b.y or a.m < b.m\n", 2, "return (a.y, a.m) < (b.y, b.m)"),
    ("instead", "def f(a, b):\n    if a > 1:\n        return 2\n    if b:\n        b = 3\n    g(b)\n", 4, "if a > 1:"),
    ("boolean", "def f(a, b):\n    return a < 0 or b < 0\n", 2, "return (a < 0) != (b < 0)"),
    ("sign", "def f(a, n):\n    return g(-a, n)\n", 2, "return g(-a, -n)"),
    ("sign", "def f(a):\n    a = -1\n    return a\n", 2, "a = -a"),
    ("ordering", "def f(a, key):\n    return sorted(a)\n", 2, "return sorted(a, key=key)"),
    ("field", NODE + "    def f(self, a, b):\n        return a in b\n        g(a)\n", 7, "return self.size in b"),
    ("number", "def f(a):\n    return a == '0'\n", 2, "return a == 0"),
    ("number", "def f(a):\n    return a == 7\n", 2, 'return a == "7"'),
    ("keyword", "def f(a, k):\n    a.move_to_end(k, last=False)\n", 2, "a.move_to_end(k)"),
    ("unconditional", "def f(a, b):\n    return a + [b] if b else a\n", 2, "return a + [b]"),
    ("leave", FOUND, 3, "found = g(x); if found is not None: return found"),
    ("leave", "def f(a):\n    for x in a:\n        return [x] if x else []\n", 3, "if x: return [x]"),
    ("leave", "def f(a):\n    for x in a:\n        return x > 1\n", 3, "if x > 1: return x > 1"),
    ("sign", "def f(a, n):\n    return f(a[1:], n)\n", 2, "return f(a[1:], -n)"),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "source", "line", "after"), CASES)
def test_what_a_line_does_a_part_of_is_completed(operator: str, source: str, line: int, after: str) -> None:
    assert (operator, after) in {(one.operator, one.after) for one in mutations(source, {line: 1.0})}


def test_every_pattern_has_a_cost_and_a_case() -> None:
    assert set(PATTERNS) == set(COSTS)
    assert set(PATTERNS) <= {operator for operator, *_ in CASES}
