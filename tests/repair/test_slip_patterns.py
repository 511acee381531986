"""Slip patterns: everyday slips, and what was meant."""

from __future__ import annotations

import pytest

from jido_ai.repair.mutation import mutations
from jido_ai.repair.slip_patterns import COSTS, PATTERNS

CLOCK = "def f(text):\n    h, m = text.split(':')\n    return int(h) * 60\n"
EQUAL = (
    "class A:\n    def __init__(self, x, y):\n        self.x = x\n        self.y = y\n\n"
    "    def f(self, other):\n        return self.x == other.x\n"
)
ITEMS = "def g(one):\n    return one.quantity\n\n\ndef f(a):\n    return sum(one.price for one in a)\n"
CASES = [
    ("divisor", "def f(a, b):\n    return a / b\n", 2, "return a / b if b else 0"),
    ("divisor", "def f(a):\n    return sum(a) / len(a)\n", 2, "return sum(a) / len(a) if a else 0.0"),
    ("shift", "def f(a):\n    return max(f(a[0]), f(a[1]))\n", 2, "return max(f(a[0]), f(a[1])) + 1"),
    ("shift", "def f(a, i):\n    b = a[i]\n    return b\n", 2, "b = a[i] + 1"),
    ("shift", "def f(a, n):\n    return [0] * n\n", 2, "return [0] * (n + 1)"),
    ("percent", "def f(price, percent):\n    return price * percent\n", 2, "return price * percent / 100"),
    ("percent", "def f(price, rate):\n    return price * (1 + rate)\n", 2, "return price * (1 + (rate / 100))"),
    ("percent", "def f(hours, rest):\n    return hours + rest\n", 2, "return hours * 60 + rest"),
    ("calendar", "def f(y):\n    return y % 4 == 0\n", 2, "return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)"),
    ("without", "def f(a):\n    return a.split(' ')\n", 2, "return a.split()"),
    ("without", "def f(a):\n    return round(a, 2)\n", 2, "return round(a)"),
    ("extra", "def f(a):\n    return round(a)\n", 2, "return round(a, 2)"),
    ("star", "def f(a):\n    return list(zip(a))\n", 2, "return list(zip(*a))"),
    ("each", "def f(a):\n    return a.split(',')\n", 2, "return [part.strip() for part in a.split(',')]"),
    ("each", "def f(a, b):\n    return a, b\n", 2, "return a.strip(), b.strip()"),
    ("prefix", "def f(a, n):\n    a += str(n)\n    return a\n", 2, "a = str(n) + a"),
    ("prefix", "def f(a, b):\n    c = a + '.'\n    return c\n", 2, "c = b + a + '.'"),
    ("cut", "def f(a, n):\n    return a[:n] + '...'\n", 2, "return a[:n - 3] + '...'"),
    ("cut", "def f(a, n):\n    return a[:n] + '...'\n", 2, "return a if len(a) <= n else a[:n] + '...'"),
    ("keyed", "def f(d, k):\n    d[k] += 1\n", 2, "d[k] = d.get(k, 0) + 1"),
    ("keyed", "def f(d, k, v):\n    d[k].append(v)\n", 2, "d.setdefault(k, []).append(v)"),
    ("rotate", "def f(a, i):\n    return a[i + 1]\n", 2, "return a[(i + 1) % len(a)]"),
    ("element", "def f(a, i, n):\n    return a[i:n]\n", 2, "return a[i:i + n]"),
    ("element", "def f(a):\n    return a.top(1)[0]\n", 2, "return a.top(1)[0][0]"),
    ("likewise", CLOCK, 3, "return int(h) * 60 + int(m)"),
    ("likewise", ITEMS, 6, "return sum(one.price * one.quantity for one in a)"),
    ("likewise", "def f(a):\n    b = a['n']\n    return a['p']\n", 3, "return a['p'] * a['n']"),
    ("likewise", EQUAL, 7, "return self.x == other.x and self.y == other.y"),
    ("overlap", "def f(a, b):\n    return a.end > b.start\n", 2, "return a.end > b.start and b.end > a.start"),
    ("sides", "def f(a):\n    return f(a.left) + f(a.left)\n", 2, "return f(a.left) + f(a.right)"),
    ("sides", "def f(start_row, start_col):\n    return start_row + start_row\n", 2, "return start_row + start_col"),
    ("element", "def f(a, n):\n    return a[n:-n]\n", 2, "return a[n:len(a) - n]"),
    ("extra", "def f(a):\n    return a.find('-')\n", 2, "return a.find('-', 1)"),
    ("clamp", "def f(a, bins):\n    b = int(a)\n    return b\n", 2, "b = min(int(a), bins - 1)"),
    ("bracket", "def f(a):\n    return g(a).strip('+')\n", 2, "return g(a.strip('+'))"),
    ("bracket", "def f(a):\n    return g(a.strip('+'))\n", 2, "return g(a).strip('+')"),
    ("precedence", "def f(a, b, c):\n    return a + b * c // 100\n", 2, "return (a + b) * c // 100"),
    ("owner", "def f(key, a):\n    b = a.key\n    return b[key]\n", 3, "return b[a.key]"),
    ("literal", "def f(a):\n    return int(a or '0')\n", 2, "return int(a or '1')"),
    ("sign", "def f(a):\n    return (-a.points, a.difference)\n", 2, "return (-a.points, -a.difference)"),
    ("start", "def f(a):\n    low = 1\n    return low + sum(a)\n", 2, "low = max(a)"),
    ("conjunct", "def f(a):\n    if a.startswith('#'):\n        return 1\n", 2, "if not a or a.startswith('#'):"),
    ("conjunct", "def f(a, b):\n    if a > b:\n        raise ValueError\n", 2, "if a <= 0 or a > b:"),
    ("conjunct", "def f(a, b, n):\n    return a < n and b < n\n", 2, "return 0 <= a < n and 0 <= b < n"),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "source", "line", "after"), CASES)
def test_every_slip_has_what_was_meant(operator: str, source: str, line: int, after: str) -> None:
    assert (operator, after) in {(one.operator, one.after) for one in mutations(source, {line: 1.0})}


def test_every_pattern_has_a_description_a_cost_and_a_case() -> None:
    assert set(PATTERNS) == set(COSTS)
    assert set(PATTERNS) <= {operator for operator, *_ in CASES}


@pytest.mark.parametrize(
    ("operator", "source", "line"),
    [
        ("sides", "def f(left):\n    return left\n", 2),  # there is no variable `right`
        ("cut", "def f(a, n):\n    return a[:n]\n", 2),
        ("calendar", "def f(a):\n    return a % 5 == 0\n", 2),
        ("percent", "def f(a, b):\n    return a * b\n", 2),
    ],
)
def test_a_pattern_leaves_alone_what_it_does_not_suit(operator: str, source: str, line: int) -> None:
    assert operator not in {one.operator for one in mutations(source, {line: 1.0})}
