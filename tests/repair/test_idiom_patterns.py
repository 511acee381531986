"""Idiom patterns: what Python and its library offer in place of what a line says."""

from __future__ import annotations

import pytest

from jido_ai.repair.idiom_patterns import COSTS, PATTERNS
from jido_ai.repair.mutation import mutations

SORTED = "def f(a):\n    return sorted(a, key=lambda p: (p[1], p[0]), reverse=True)\n"
KEYED = "def f(a):\n    return sorted(a, key=lambda p: p[1])\n"
TRIED = "def f(a):\n    try:\n        return int(a)\n    except KeyError:\n        return None\n"
POINT = (
    "class A:\n    def __init__(self, n):\n        self.n = n\n\n"
    "    def f(self, n):\n        n += 1\n        return n\n"
)
CASES = [
    ("exception", TRIED, 4, "except ValueError:"),
    ("exception", TRIED, 4, "except (KeyError, TypeError):"),
    ("exception", TRIED.replace("KeyError", "(KeyError, OSError)"), 4, "except (KeyError, OSError, ValueError):"),
    ("exception", "def f(a):\n    raise KeyError(a)\n", 2, "raise ValueError(a)"),
    ("exception", "class Odd(Exception):\n    pass\n\n\ndef f(a):\n    raise OddError\n", 6, "raise KeyError"),
    ("ordering", SORTED, 2, "return sorted(a, key=lambda p: (-p[1], p[0]))"),
    ("ordering", SORTED, 2, "return sorted(a, key=lambda p: (p[1], p[0]))"),
    ("ordering", KEYED, 2, "return sorted(a, key=lambda p: (p[1], p[0]))"),
    ("ordering", KEYED, 2, "return sorted(a, key=lambda p: (-p[1], p))"),
    ("ordering", KEYED.replace("p[1]", "(-p[1], p)"), 2, "return sorted(a, key=lambda p: p)"),
    ("ordering", "def f(a):\n    return sorted(a, key=len)\n", 2, "return sorted(a, key=lambda one: (-len(one), one))"),
    ("ordering", "def f(a):\n    a.sort()\n", 2, "a.sort(key=len)"),
    (
        "ordering",
        "class A:\n    name: str\n    age: int\n\n\ndef f(a):\n    return max(a, key=lambda p: p.age)\n",
        7,
        "return max(a, key=lambda p: (p.age, p.name))",
    ),
    ("each", "def f(a):\n    return tuple(a)\n", 2, "return tuple(map(int, a))"),
    ("each", "def f(a):\n    return ', '.join(a)\n", 2, "return ', '.join(map(str, a))"),
    ("convert", "def f(a):\n    b = a[0]\n    return b\n", 2, "b = int(a[0])"),
    ("convert", "def f(a, b):\n    return a / b\n", 2, "return round(a / b, 2)"),
    ("member", "def f(a):\n    return a in (1, 2)\n", 2, "return a == 2"),
    ("member", "def f(a):\n    return a in (bool, int)\n", 2, "return a is bool"),
    ("member", "def f(a):\n    return a in (1, 2, 3)\n", 2, "return a in (1, 3)"),
    ("member", "def f(a):\n    a.x('yes')\n    return a in ('a', 'b')\n", 3, "return a in ('a', 'b', 'yes')"),
    ("member", "def f(a):\n    return isinstance(a, int)\n", 2, "return isinstance(a, (int, float))"),
    ("argument", "def f(a, low):\n    return low or f(a.b, None)\n", 2, "return low or f(a.b, low)"),
    ("argument", "def f(a, low):\n    return f(a.b, low=None)\n", 2, "return f(a.b, low=low)"),
    ("capture", "def f(a):\n    if a:\n        f(a.b)\n    return None\n", 3, "return f(a.b)"),
    ("capture", "def f(a):\n    a.strip()\n    return a\n", 2, "a = a.strip()"),
    ("library", "def f(a):\n    return a.seconds\n", 2, "return int(a.total_seconds())"),
    ("library", "def f(a):\n    return timedelta(hours=a)\n", 2, "return timedelta(days=a)"),
    (
        "library",
        "from decimal import ROUND_HALF_UP\n\n\ndef f(a, b):\n    return a.quantize(b)\n",
        5,
        "return a.quantize(b, rounding=ROUND_HALF_UP)",
    ),
    ("library", "from math import ceil\n\n\ndef f(a):\n    return len(a)\n", 5, "return ceil(len(a))"),
    ("separate", "def f(a):\n    return dict.fromkeys(a, [])\n", 2, "return {one: [] for one in a}"),
    ("separate", "def f(a, b=[]):\n    b.append(a)\n    return b\n", 1, "def f(a, b=None): if b is None: b = []"),
    ("exchange", "def f(a, b, c):\n    a[b].append(c)\n", 2, "a[c].append(b)"),
    ("exchange", POINT.replace("self.n = n", "self.n = self.m + n"), 3, "self.m = self.n + n"),
    ("conditional", "def f(a, b):\n    n = 0\n    n += len(b)\n    return n\n", 3, "n += len(b) + (1 if a else 0)"),
    ("self", POINT.replace("return n", "return n + 1 or self.n"), 7, "return self.n + 1 or self.n"),
    ("self", POINT.replace("return n", "return self.n.x + n"), 7, "return n.x + n"),
    ("callee", "def g(a):\n    return a\n\n\ndef f(a):\n    return f(a)\n", 6, "return g(a)"),
    (
        "callee",
        "class A:\n    def g(self):\n        return 1\n\n    def h(self):\n        return 2\n\n"
        "    def f(self, a):\n        return a.g()\n",
        9,
        "return a.h()",
    ),
    (
        "callee",
        "class A:\n    def g(self):\n        return 1\n\n    def f(self):\n        return self.g\n",
        6,
        "return self.g()",
    ),
    ("filter", "def f(a):\n    return [b.x for b in a]\n", 2, "return [b.x for b in a if b is not None]"),
    ("filter", "def f(a, b):\n    if b > 1:\n        return {b for b in a}\n", 3, "return {b for b in a if b > 1}"),
    ("stride", "def f(a, n):\n    return range(0, len(a))\n", 2, "return range(0, len(a), n)"),
    ("stride", "def f(a):\n    return range(a)\n", 2, "return range(a - 1, -1, -1)"),
]


@pytest.mark.parametrize(("operator", "source", "line", "after"), CASES)
def test_an_idiom_proposes_the_fix(operator: str, source: str, line: int, after: str) -> None:
    assert after in {one.after for one in mutations(source, {line: 1.0}) if one.operator == operator}


def test_every_idiom_is_described_and_costs_something() -> None:
    assert {operator for operator, *_ in CASES} == set(PATTERNS) == set(COSTS)


def test_a_mutable_default_becomes_one_for_each_call() -> None:
    source = 'def f(a, b=[]):\n    """Text."""\n    b.append(a)\n    return b\n'
    wanted = 'def f(a, b=None):\n    """Text."""\n    if b is None:\n        b = []\n    b.append(a)\n    return b\n'
    assert wanted in {one.apply(source) for one in mutations(source, {1: 1.0})}


def test_a_method_that_needs_other_arguments_is_not_called_instead() -> None:
    source = "def g(a, b):\n    return a\n\n\ndef f(a):\n    return f(a)\n"
    assert not [one for one in mutations(source, {6: 1.0}) if one.operator == "callee"]


def test_a_property_gets_no_brackets() -> None:
    source = "class A:\n    @property\n    def g(self):\n        return 1\n\n    def f(self):\n        return self.g\n"
    assert "return self.g()" not in {one.after for one in mutations(source, {7: 1.0})}
