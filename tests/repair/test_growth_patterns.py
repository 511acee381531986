"""Growth patterns and twin steps: a value is a part of what was meant; a statement is made of others of the file."""

from __future__ import annotations

import pytest

from jido_ai.repair import growth_patterns, twin_steps
from jido_ai.repair.mutation import mutations

PLAN = (
    "class A:\n    def __init__(self, x):\n        self.x = x\n\n    def length(self):\n        return max(self.x)\n\n"
    "    def f(self):\n        return min([], default=self.x[0])\n"
)
NESTED = "def f(a):\n    def one():\n        return a[0]\n\n    def two():\n        return a[1]\n\n    return one()\n"
LAMBDA = "def f(a):\n    g = []\n    for low in a:\n        g.append(lambda x: x > low)\n    return g\n"
MAP = (
    "class A:\n    def __init__(self):\n        self.back = {}\n\n    def f(self, key):\n"
    "        del self.x[self.back]\n        return key\n"
)
LINES = "def f(a):\n    b = [x for x in a if x]\n    return b, x.strip()\n"
MERGE = (
    "def f(a, b):\n    i = j = n = 0\n    while a[i] < b[j]:\n        i += 1\n        n += len(b) - j\n"
    "    return a[i:]\n"
)
READER = (
    "class A:\n    def __init__(self):\n        self.rest = b''\n\n    def f(self, data):\n"
    "        return data.split(b',')\n"
)
TRIES = "def f(used, i):\n    used[i] = True\n    g(i)\n    return used\n"
STOCK = (
    "class A:\n    def __init__(self):\n        self.stock = {}\n        self.kept = {}\n\n    def f(self, k):\n"
    "        self.stock[k] -= 1\n"
)
FENWICK = "def f(i):\n    i += i & -i\n    return i\n\n\ndef g(end):\n    end -= 1\n    return end\n"
CLOCK = (
    "class A:\n    def __init__(self):\n        self.at = 0\n\n    def f(self, clock):\n        now = clock()\n"
    "        self.n = now - self.at\n"
)
CHECKS = "def f(a):\n    if a > 1:\n        return 1\n    if a > 2:\n        return 2\n    return 3\n"
CASES = [
    ("grown", "def f(a, b):\n    g(len(a) + 1)\n    return a, b\n", 3, "return len(a) + 1, b"),
    ("grown", LINES, 2, "b = [x for x in a if x.strip()]"),
    ("accessor", PLAN, 9, "return min([], default=self.length())"),
    ("callee", NESTED, 8, "return two()"),
    ("combined", "def f(a, b, c):\n    return a + b + c\n", 2, "return a + max(b, c)"),
    ("combined", "def f(a, b):\n    return a + b\n", 2, "return min(a, b)"),
    ("bound", LAMBDA, 4, "g.append(lambda x, low=low: x > low)"),
    ("subscripted", MAP, 6, "del self.x[self.back[key]]"),
    ("ingredient", "def f(a, b):\n    c = a.x\n    return g(b)\n    h(b)\n", 3, "return g(a.x)"),
    ("listed", "def f(a):\n    return g(a)\n", 2, "return g([a])"),
    ("awaited", "async def f(a):\n    return a\n", 2, "return await a"),
    ("whole", "def f(a, b):\n    return a.endswith(b)\n", 2, "return (a == b)"),
    ("joined", READER, 6, "return (self.rest + data).split(b',')"),
    ("mirrored", MERGE, 5, "n += len(a) - i"),
    ("mirrored", MERGE, 6, "return a[i:] + b[j:]"),
    ("undo", TRIES, 3, "g(i); used[i] = False"),
    ("twin", STOCK, 7, "self.stock[k] -= 1; self.kept[k] -= 1"),
    ("twin", "def f(year, month):\n    month += 12\n    return year - 1\n", 2, "month += 12; year -= 1"),
    ("analog", FENWICK, 7, "end -= end & -end"),
    ("remember", CLOCK, 7, "self.n = now - self.at; self.at = now"),
    ("answer", "def f(a):\n    g(a)\n", 2, "g(a); return a"),
    ("swap", CHECKS, 2, "if a > 2: return 2; if a > 1: return 1"),
    ("swap", "def f(a):\n    g(a)\n    h(a)\n    k(a)\n", 2, "k(a); h(a); g(a)"),
    ("more", "def f(a, b):\n    key = a\n    return memo[key]\n", 2, "key = (a, b)"),
    ("fresh", "def f(a, b):\n    a |= b\n    return a\n", 2, "a = a | b"),
    ("absent", "def f(d, k):\n    if d.get(k):\n        return d[k]\n", 2, "if k in d:"),
    ("unused", "def f(a):\n    new = set()\n    new.add(a)\n    return a in a.seen\n", 4, "return a in new"),
    ("parameter", "GONE = object()\n\n\ndef f(a):\n    a[0] = None\n", 5, "a[0] = GONE"),
    ("rotate", "def f(a, i):\n    i += 1\n    return a[i % len(a)]\n", 2, "i = (i + 1) % len(a)"),
    ("throw", "def f(a):\n    for b in a:\n        yield f(b)\n", 3, "yield from f(b)"),
    ("keyed", "def f(a, k, v):\n    a[k] = [v]\n", 2, "a.setdefault(k, []).append(v)"),
    ("operand", "def f(a, n, end):\n    len(end)\n    return a[:n] + end.x\n", 3, "return a[:n - len(end)] + end.x"),
    ("element", "def f(word, n):\n    n += 1\n    return word[0]\n", 3, "return word[:n]"),
    ("unused", "def f(i, end):\n    i += 1\n    return i\n", 2, "i = end"),
    ("constant", "def f(a):\n    return a & 64\n", 2, "return a & 63"),
    ("off-by-one", "def f(a, n):\n    return a / n\n", 2, "return a / (n - 1)"),
    ("sign", "def f(a, b):\n    return a[0] + b\n", 2, "return -a[0] + b"),
    ("conjunct", "def f(a, b):\n    if a == b:\n        return 1\n", 2, "if a is not None and a == b:"),
    ("leave", "def f(a):\n    for b in a:\n        return b\n", 3, "if b is not None: return b"),
    ("member", "STEPS = [(0, 1), (1, 0), (1, 0)]\n", 1, "STEPS = [(0, 1), (1, 0), (-1, 0)]"),
    ("member", "QUOTE = '?'\n\n\ndef f(a):\n    return (a, '.')\n", 5, "return (a, '.', QUOTE)"),
    ("helper", "def f(a):\n    f(1)\n    f(2)\n    return g(a)\n", 4, "return f(g(a))"),
    ("without", "class A:\n    pass\n\n\ndef f(a, b):\n    return A(a, b)\n    h(b)\n", 6, "return A(a)"),
    ("early-return", "def f(a, b):\n    g(a)\n", 2, "if a == b: return; g(a)"),
    ("step", "def f(a, b):\n    best = {a: 0}\n    g(a)\n    return best\n", 3, "g(a); best[b] = a"),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "source", "line", "after"), CASES)
def test_what_a_line_is_a_part_of_is_proposed(operator: str, source: str, line: int, after: str) -> None:
    assert (operator, after) in {(one.operator, one.after) for one in mutations(source, {line: 1.0})}


@pytest.mark.parametrize("module", [growth_patterns, twin_steps])
def test_every_pattern_has_a_cost_and_a_case(module: object) -> None:
    patterns = module.PATTERNS  # type: ignore[attr-defined]
    assert set(patterns) == set(module.COSTS)  # type: ignore[attr-defined]
    assert set(patterns) <= {operator for operator, *_ in CASES}


NOBODY = [
    ("def f(a):\n    return a * 2\n", 2, "return a * 1"),
    ("def f(a):\n    for i in range(a, 0, -1):\n        g(i)\n", 2, "for i in range(a, 0, -2):"),
    ("def f(index, best):\n    index = best\n    return index\n", 2, "rindex = best"),
    ("def f(done, a):\n    done.add(a)\n    return a\n", 3, "return done.add(a)"),
    ("def f(d, k):\n    if d.get(k):\n        return d[k]\n", 2, "if d.get(k) is not None:"),
    ("def f(a):\n    for i, x in enumerate(a):\n        g(i, x)\n    return h(a)\n", 4, "return h(enumerate(a))"),
    ("def f(t, a):\n    i = 0\n    i += 1\n    return t[i] == a\n", 3, "i += len(t)"),
]


@pytest.mark.parametrize(("source", "line", "after"), NOBODY)
def test_what_nobody_means_is_not_proposed(source: str, line: int, after: str) -> None:
    assert after not in {one.after for one in mutations(source, {line: 1.0})}
