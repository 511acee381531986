"""Term and key patterns: what is missing in an index, a sum or a condition, and what is kept by key or stale."""

from __future__ import annotations

import pytest

from jido_ai.repair import key_patterns, term_patterns
from jido_ai.repair.mutation import mutations

COLOURS = "def f(graph, colour, node):\n    for other in graph[node]:\n        colour[other] = 1\n"
RATES = "def f(rates, a, b, rate):\n    rates[a, b] = rate\n    rates[b, a] = rate\n"
STEPS = "def f(step, n):\n    for k in range(n):\n        step[k + 1] = k\n"
NESTED = "def f(holder, jobs, person):\n    holder[jobs] = person\n    return f(holder, jobs, person)\n"
LEVELS = "class A:\n    def f(self, a):\n        self.left = {}\n        self.left[a] += 1\n"
OWNERS = "class A:\n    def f(self, node):\n        self.at = 0\n        node = node.next\n        self.at = 1\n"
TASK = "@dataclass(order=True)\nclass Task:\n    due: int\n    payload: dict\n"
FLAG = "def f(text):\n    inside = False\n    for c in text:\n        if c == 'a':\n            inside = not inside\n"
CASES = [
    ("compound", "def f(a):\n    a.left =- 1\n", 2, "a.left -= 1"),
    ("compound", "def f(a, b):\n    a =+ b\n", 2, "a += b"),
    ("place", "def f(rows, i):\n    for j in rows:\n        rows[j] = 1\n", 3, "rows[i + j] = 1"),
    ("place", "def f(rows, i):\n    return rows[i]\n", 2, "return rows[1 - i]"),
    ("place", "def f(t, i):\n    return t[i:i + 2]\n", 2, "return t[i - 1:i + 1]"),
    ("place", "def f(rows, i, j):\n    return rows[i, j]\n", 2, "return rows[i - 1, j - 1]"),
    ("place", "def f(rows, i):\n    return rows[i:]\n", 2, "return rows[i:-1]"),
    ("place", LEVELS.replace("[a]", "[b]"), 4, "self.left[self.left] += 1"),
    ("hop", STEPS, 3, "step[k + 1] = step[k]"),
    ("hop", "PAIRS = {'(': ')'}\n\n\ndef f(a, b):\n    return a == b\n", 5, "return a == PAIRS[b]"),
    ("again", "def f(a, b):\n    c = a - b\n    b += c\n    return c * c\n", 4, "return c * (a - b)"),
    ("flagged", FLAG, 4, "if c == 'a' and not inside:"),
    ("flagged", "def f(a, strict=False):\n    if a == 1:\n        return a\n", 2, "if a == 1 or strict:"),
    ("floor", "def f(a, i, j):\n    return i < 3 and j < 4 and a[i]\n", 2, "return 0 <= i < 3 and 0 <= j < 4 and a[i]"),
    ("power", "def f(k):\n    n = 1 << k\n    return n - k\n", 3, "return n - (1 << k)"),
    ("opposite", COLOURS, 3, "colour[other] = 1 - colour[node]"),
    ("opposite", "def f(size, a, b):\n    size[a] += 1\n", 2, "size[a] += size[b]"),
    ("inverse", RATES, 3, "rates[b, a] = 1 / rate"),
    ("begin", "def f(n, k):\n    return range(n)\n", 2, "return range(k, n)"),
    ("given", "def f(a):\n    span = a.n\n    g(span)\n    return (3, 1)\n", 4, "return (3, span)"),
    ("cycle", "def f(path, a):\n    return path + [a]\n", 2, "return path[path.index(a):] + [a]"),
    ("front", "def f(a, b):\n    a.append(b)\n", 2, "a.insert(0, b)"),
    ("front", "def f(a, b):\n    a.insert(0, b)\n", 2, "a.append(b)"),
    ("backwards", "def f(a):\n    return g(a) + g(a)\n", 2, "return g(a) + g(a[::-1])"),
    ("backwards", "def f(a, b):\n    return a[:2] == b[:2]\n", 2, "return a[:2] == b[:2][::-1]"),
    ("from-end", "def f(a, n):\n    return a[-n:]\n", 2, "return a[max(len(a) - n, 0):]"),
    ("uncompared", f"from dataclasses import dataclass, field\n\n\n{TASK}", 7, "payload: dict = field(compare=False)"),
    ("another", "def f(a, b):\n    best = 0\n    return max(a, b)\n", 3, "return max(best, a, b)"),
    ("chain", "def f(a):\n    return a.replace('x', 'y').replace('z', 'x')\n", 2,
     "return a.replace('z', 'x').replace('x', 'y')"),
    ("chain", "def f(a, b, c):\n    return min(a, max(b, c))\n", 2, "return max(a, min(b, c))"),
    ("whose", OWNERS, 5, "node.at = 1"),
    ("taken", "class A:\n    def f(self, a):\n        return self.b[a]\n", 3, "return self.b.pop(a)"),
    ("zeroed", "def f(a):\n    a.n -= 1\n", 2, "a.n = 0"),
    ("items", "def f(**given):\n    return tuple(given)\n", 2, "return tuple(sorted(given.items()))"),
    ("ingredient", NESTED, 3, "return f(holder, jobs, holder[jobs])"),
    ("ingredient", "def f(a, b, c, d):\n    g((a, b))\n    return h((c, d))\n    g(c, d)\n", 3, "return h((a, b))"),
    ("subscripted", "def f(a, entry):\n    return a + entry\n", 2, "return a + entry[0]"),
    ("digits", "def f(text):\n    for c in text:\n        n = int(c)\n", 3, "n = n * 10 + int(c)"),
    ("measured", "def f(word):\n    line, n = [word], 0\n", 2, "line, n = [word], len(word)"),
    ("renamed", "def f(a, i, j):\n    if a[i] == i:\n        return i\n", 2, "if a[j] == j:"),
    ("absent", "class A:\n    def f(self):\n        self.a = self.b.popleft()\n", 3,
     "self.a = self.b.popleft() if self.b else None"),
    ("sign", "def f(heap, a, b):\n    heappush(heap, (a, b))\n", 2, "heappush(heap, (-a, b))"),
    ("sign", "def f(a, n):\n    return len(a) % n\n", 2, "return -len(a) % n"),
    ("sign", "def f(a):\n    return sum(log(b) for b in a)\n", 2, "return sum(-log(b) for b in a)"),
    ("sign", "def f(a):\n    return a[4:]\n", 2, "return a[-4:]"),
    ("off-by-one", "def f(a, n):\n    return a >> n & 1\n", 2, "return a >> (n - 1) & 1"),
    ("constant", "def f(a):\n    return a << 16\n", 2, "return a << 15"),
    ("constant", "def f(a):\n    return a % 25\n", 2, "return a % 26"),
    ("constant", "def f(a):\n    return a / 256\n", 2, "return a / 255"),
    ("comparison", "def f(a, b):\n    return a <= b\n", 2, "return a == b"),
    ("operands", "def f(a, b):\n    return b[0][1] + a[1][0]\n", 2, "return a[1][0] + b[0][1]"),
    ("likewise", "def f(a, b, m):\n    return g(a & m, b)\n", 2, "return g(a & m, b & m)"),
    ("star", "def f(rows):\n    for row in rows:\n        g(row)\n", 2, "for row in zip(*rows):"),
    ("ordering", "def f(a):\n    return sorted(a)\n", 2, "return sorted(a, key=lambda one: one[2])"),
    ("convert", "def f(a):\n    return a or 0\n", 2, "return int(a or 0)"),
    ("regex", "import re\n\n\ndef f(a):\n    return re.split(r'\\d+', a)\n", 5, "return re.split(r'(\\d+)', a)"),
    ("default", "def f(a, k):\n    return a[k]\n", 2, "return a.get(k)"),
    ("default", "def f(a, k):\n    return a.get(k, '')\n", 2, "return a.get(k, k)"),
    ("default", "def f(a, k):\n    return a[k] != '#'\n", 2, "return a.get(k, '#') != '#'"),
    ("keyed", "def f(a, k, v):\n    a[k] = v\n", 2, "a.setdefault(k, set()).update(v)"),
    ("clamp", "def f(a, b):\n    a += b\n", 2, "a = max(a, b)"),
    ("clamp", "def f(a, b):\n    return a * b\n", 2, "return max(0, a) * b"),
    ("factor", "def f(a, b):\n    return a * b\n", 2, "return (a * b) * 2"),
    ("operand", "class A:\n    def f(self):\n        self.at = self.clock()\n        self.n = 1\n", 3,
     "self.at = self.clock() + self.n"),
    ("overlap", "def f(a, b, c, d):\n    return a >= c and b <= d\n", 2, "return a < d and c < b"),
    ("member", "def f(c, quote, known):\n    return c in known\n    g(known)\n", 2, "return c == quote"),
    ("stride", "def f(a, n):\n    return range(a, n + 1)\n", 2, "return range(n, a - 1, -1)"),
    ("operand", "def f(path, key):\n    return g((key,))\n", 2, "return g(path + (key,))"),
    ("wrap", "def f(a, b):\n    return a if b else a + b\n", 2, "return abs(a) if b else a + b"),
    ("element", "def f(a):\n    del a[-1]\n", 2, "del a[0]"),
    ("arithmetic", "def f(a, b):\n    c = a ^ b\n    a += c\n", 3, "a ^= c"),
    ("arithmetic", "def f(a, b):\n    c = a ^ b\n    return c + a\n", 3, "return c ^ a"),
    ("arithmetic", "def f(a, b):\n    c = set()\n    c = g(a, b)\n", 3, "c |= g(a, b)"),
    ("sign", "class A:\n    def f(self):\n        self.a = DOWN\n", 3, "self.a = -self.a"),
    ("negation", "def f(a):\n    b = a.done\n", 2, "b = not a.done"),
    ("off-by-one", "def f(a, n):\n    return a ** n\n", 2, "return a ** (n - 1)"),
    ("operands", "def f(a, b, c):\n    return a // b * c\n", 2, "return a * c // b"),
    ("rounding", "def f(a, b):\n    return round(a / b)\n", 2, "return a // b"),
    ("guard", "def f(g, a):\n    if g and g(a):\n        return a\n", 2, "if g is None or g(a):"),
    ("taken", "def f(a, b):\n    return a[b]\n", 2, "return a.pop(b)"),
    ("items", "def f(**given):\n    return frozenset(given)\n", 2, "return frozenset(given.items())"),
    ("given", "def f(a, i, n):\n    return a[i - 1] + n\n", 2, "return a[i - n] + n"),
    ("flagged", "def f(a):\n    b = a > 1\n    return 3 if a else b\n", 3, "return 3 if a or b else b"),
    ("front", "def f(head, rows):\n    return [len(row) for row in rows] + head\n", 2,
     "return [len(row) for row in [head, *rows]] + head"),
    ("absent", "def f(d, k):\n    a = d.get(k)\n    if a is None:\n        return a\n", 3, "if k not in d:"),
    ("likewise", "def f(a, b, m):\n    return g(a, m) + b\n", 2, "return g(a, m) + g(b, m)"),
    ("rotate", "def f(a):\n    return zip(a, a[1:])\n", 2, "return zip(a, a[1:] + a[:1])"),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "source", "line", "after"), CASES)
def test_a_term_that_is_missing_is_proposed(operator: str, source: str, line: int, after: str) -> None:
    assert (operator, after) in {(one.operator, one.after) for one in mutations(source, {line: 1.0})}


@pytest.mark.parametrize("module", [term_patterns, key_patterns])
def test_every_pattern_has_a_cost_and_a_case(module: object) -> None:
    patterns = module.PATTERNS  # type: ignore[attr-defined]
    assert set(patterns) == set(module.COSTS)  # type: ignore[attr-defined]
    assert set(patterns) <= {operator for operator, *_ in CASES}
