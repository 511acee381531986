"""Context patterns: what the lines around a line do, and it does not."""

from __future__ import annotations

import pytest

from jido_ai.repair.context_patterns import COSTS, PATTERNS
from jido_ai.repair.mutation import mutations

TRIMMED = "def f(a, n):\n    b = a.strip('-')\n    return b[:n]\n"
SAME = "def f(a, b):\n    return [one for one in a if b in one.lower()]\n"
LEVELS = "LEVELS = ['low', 'high']\n\n\ndef f(a, b):\n    return a.level >= b\n"
STOPPED = "def f(a):\n    while a:\n        if not a[0]:\n            break\n        a.pop()\n    return a\n"
BUSY = "def f(a, b):\n    return a.start <= b.start < a.end\n"
TURN = "def f(a, first):\n    best = 0\n    for one in a:\n        best = max(best, one)\n    return a.index(best)\n"
GRID = "def f(a):\n    b = list(a)\n    return b\n"
CASES = [
    ("tail", TRIMMED, 3, "return b[:n].strip('-')"),
    ("tail", TRIMMED.replace("b[:n]", "b[:n] or a"), 3, "return b[:n].strip('-') or a"),
    ("tail", SAME, 2, "return [one for one in a if b.lower() in one.lower()]"),
    ("both", LEVELS, 5, "return LEVELS.index(a.level) >= LEVELS.index(b)"),
    ("both", LEVELS, 5, "return LEVELS[a.level] >= LEVELS[b]"),
    ("both", "def f(a, b):\n    return a == b\n", 2, "return a.lower() == b.lower()"),
    ("both", "def g(a):\n    return a\n\n\ndef f(a, b):\n    return a < b\n", 6, "return g(a) < g(b)"),
    ("extra", "def f(a, i):\n    return a.find('x')\n", 2, "return a.find('x', i)"),
    ("extra", "def f(a, i):\n    b = i * 2\n    return sum(a)\n", 3, "return sum(a, b)"),
    ("raised", STOPPED, 4, 'raise ValueError("cannot f")'),
    ("raised", f"class Stuck(Exception):\n    pass\n\n\n{STOPPED}", 8, 'raise Stuck("cannot f")'),
    ("raised", "def f(a):\n    if a:\n        return None\n    return a\n", 3, 'raise ValueError("cannot f")'),
    ("overlap", BUSY, 2, "return a.start < b.end and b.start < a.end"),
    ("overlap", BUSY.replace(".start", "[0]").replace(".end", "[1]"), 2, "return a[0] <= b[1] and b[0] <= a[1]"),
    ("rotate", TURN, 5, "return (first + a.index(best)) % len(a)"),
    ("copied", GRID, 2, "b = [list(row) for row in a]"),
    ("copied", GRID.replace("list(a)", "a[:]"), 2, "b = [list(row) for row in a]"),
    ("copied", GRID.replace("list(a)", "dict(a)"), 2, "b = {key: list(value) for key, value in a.items()}"),
    ("shift", "def f(a, n):\n    return ('x', n)\n", 2, "return ('x', n - 1)"),
    ("shift", "def f(a, n):\n    return a.cut(n)\n", 2, "return a.cut(n + 1)"),
    ("conjunct", "def f(a, b):\n    if callable(a):\n        return b\n", 2, "if callable(a) and callable(b):"),
    ("conjunct", "def f(a, b):\n    if 0 <= a < 9:\n        return b\n", 2, "if 0 <= a < 9 and 0 <= b < 9:"),
    ("element", "def f(a):\n    return a[1:]\n", 2, "return a[:-1]"),
    ("result", "def f(a, b):\n    if a > b:\n        return True\n    return a\n", 3, "return b"),
    ("operand", "def f(a, b):\n    a.append(b)\n    return sorted(a)\n", 3, "return sorted(a + [b])"),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "source", "line", "after"), CASES)
def test_every_pattern_proposes_such_a_change(operator: str, source: str, line: int, after: str) -> None:
    proposed = {(one.operator, one.after) for one in mutations(source, {line: 1.0})}
    assert (operator, after) in proposed


def test_every_pattern_has_a_description_a_cost_and_a_case() -> None:
    assert set(PATTERNS) == set(COSTS)
    assert set(PATTERNS) <= {operator for operator, *_ in CASES}


@pytest.mark.parametrize(
    ("operator", "source", "line"),
    [
        ("tail", "def f(a, n):\n    a.append(n)\n    return a\n", 3),  # it returns nothing
        ("overlap", "def f(a, b):\n    return 0 <= a < b\n", 2),
        ("raised", "def f(a):\n    return None\n", 2),  # then it always would
        ("shift", "def f(a):\n    a.sort()\n    return (a, 'x')\n", 3),
    ],
)
def test_a_pattern_leaves_alone_what_it_does_not_suit(operator: str, source: str, line: int) -> None:
    assert operator not in {one.operator for one in mutations(source, {line: 1.0})}
