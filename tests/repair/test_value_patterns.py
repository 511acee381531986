"""Value patterns and flow fixes: another value, and how statements follow each other."""

from __future__ import annotations

import pytest

from jido_ai.repair import flow_fixes, value_patterns
from jido_ai.repair.mutation import mutations

LIST = (
    "class A:\n    def __init__(self):\n        self._head = self._tail = None\n\n"
    "    def f(self):\n        self._head = self._head.next\n"
)
HEAP = "import heapq\n\n\ndef f(heap, one):\n    heap.append(one)\n"
TREE = "def f(tree):\n    for one in tree:\n        yield one\n        f(one)\n"
GUARD = "def f(a, n):\n    if n < 0:\n        return a\n    n -= 1\n    return a + n\n"
CASES = [
    ("branch", "def f(a):\n    return 'x' if a else 'y'\n", 2, "return 'y' if a else 'x'"),
    ("throw", "def f(a):\n    return ValueError(a)\n", 2, "raise ValueError(a)"),
    ("fresh", "def f(a):\n    a.clear()\n", 2, "a = []"),
    ("absent", "def f(a):\n    return a.get(1)\n", 2, "return a.get(1) if a is not None else None"),
    ("absent", "def f(a):\n    for b in a:\n        return b\n", 2, "for b in a or []:"),
    ("absent", "def f(d, k):\n    if not d.get(k):\n        return 1\n", 2, "if k not in d:"),
    ("absent", "def f(d, k):\n    if d.get(k):\n        return 1\n", 2, "if k in d:"),
    ("heap", HEAP, 5, "heapq.heappush(heap, one)"),
    ("throw", TREE, 4, "yield from f(one)"),
    ("same", "def f(self, other):\n    return self.x == self.x\n", 2, "return self.x == other.x"),
    ("measured", "def f(n, a):\n    n += 1\n    return n + len(a)\n", 2, "n += len(a)"),
    ("measured", "def f(n, a):\n    n += 1\n    return n + a\n", 2, "n += a"),
    ("measured", "def f(i, a, n):\n    return a[i % n]\n    g(n)\n", 2, "return a[i % len(a)]"),
    ("measured", "def f(node):\n    if node.end:\n        return True\n", 3, "return node.end"),
    ("measured", "def f(node):\n    node = node['$']\n    return True\n", 3, "return '$' in node"),
    ("renamed", "def f(a, b):\n    a = g(a, a)\n    return b\n    h(a)\n", 2, "b = g(b, b)"),
    ("within", "def f(a, i):\n    while a[i] == 1:\n        i += 1\n", 2, "while i < len(a) and a[i] == 1:"),
    ("more", "def f(a, b, c):\n    return (a, b)\n", 2, "return (a, b, c)"),
    ("more", "def f(a, b):\n    return a * b\n", 2, "return (a + 1) * b"),
    ("more", "def f(day, n):\n    return day.month + n\n", 2, "return day.month - 1 + n"),
    ("pass-on", "def f(a):\n    for b in a:\n        if b:\n            g(b)\n        h(b)\n", 4, "g(b); continue"),
    ("pass-on", "def f(a):\n    if a:\n        g(a)\n    h(a)\n", 2, "if a: g(a); else:"),
    ("nested", "def f(a, b):\n    for x in a:\n        for y in b:\n            g(x)\n", 2, "for y in b: for x in a"),
    ("nested", GUARD, 2, "n -= 1; if n < 0: return a"),
    ("mutual", "def f(g, a, b):\n    g[a].add(b)\n", 2, "g[a].add(b); g[b].add(a)"),
    ("mutual", LIST, 6, "self._head = self._head.next; if self._head is None: self._tail = None"),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "source", "line", "after"), CASES)
def test_another_value_or_order_is_proposed(operator: str, source: str, line: int, after: str) -> None:
    assert (operator, after) in {(one.operator, one.after) for one in mutations(source, {line: 1.0})}


@pytest.mark.parametrize("module", [value_patterns, flow_fixes])
def test_every_pattern_has_a_cost_and_a_case(module: object) -> None:
    patterns = module.PATTERNS  # type: ignore[attr-defined]
    assert set(patterns) == set(module.COSTS)  # type: ignore[attr-defined]
    assert set(patterns) <= {operator for operator, *_ in CASES}
