"""Fix patterns: edits that real fixes make, of expressions and of statements."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers, sets

from jido_ai.repair.mutation import OPERATORS, mutations

CASES = [
    ("wrap", "def f(a):\n    return a\n", 2, "return a.lower()"),
    ("wrap", "def f(a):\n    b = a\n    return b\n", 2, "b = list(a)"),
    ("wrap", "def f(a, b):\n    a = b\n    return a\n", 2, "a = max(a, b)"),
    ("keyword", "def f(a):\n    return sorted(a)\n", 2, "return sorted(a, reverse=True)"),
    ("keyword", "def f(a):\n    return a.pop()\n", 2, "return a.pop(0)"),
    ("unwrap", "def f(a):\n    return f(a[1:])\n", 2, "return f(a)"),
    ("truth", "def f(a):\n    if a:\n        return 1\n", 2, "if a is not None:"),
    ("truth", "def f(a):\n    if not a:\n        return 1\n", 2, "if a is None:"),
    ("literal", "def f(a):\n    return []\n", 2, "return [()]"),
    ("field", "def f(a):\n    b = a.next\n    c = a\n    return b, c\n", 3, "c = a.next"),
    ("conjunct", "def f(a, b):\n    if b.ok:\n        a = b\n    return a is b\n", 4, "return a is b and b.ok"),
    ("operand", "def f(a, n):\n    return a\n", 2, "return a + n"),
    ("factor", "def f(a, n):\n    return a\n", 2, "return a / n"),
    ("aliasing", "def f(n):\n    return [[0]] * n\n", 2, "return [[0] for _ in range(n)]"),
    ("element", "def f(a):\n    return a[-1]\n", 2, "return a[0]"),
    ("loop", "def f(a):\n    if a:\n        a.pop()\n", 2, "while a:"),
    ("insert", "def f(a, b):\n    b.x = 1\n    return a\n", 3, "b.x = 1; return a"),
    ("update", "def f(a):\n    s = []\n    s.append(a)\n    f(a)\n    return s\n", 4, "f(a); s.pop()"),
    ("update", "def f(a):\n    n = 0\n    for b in a:\n        b.x()\n    return n\n", 4, "b.x(); n += 1"),
    (
        "step",
        "def f(a):\n    s = set()\n    for b in a:\n        if b in s:\n            return b\n",
        4,
        "s.add(b); if b in s:",
    ),
    ("prepare", "def f(a):\n    return a[::-1]\n", 2, "a = a.lower(); return a[::-1]"),
    ("prepare", "def f(a):\n    return 2 - a\n", 2, "a = abs(a); return 2 - a"),
    (
        "incomplete",
        "def f(a):\n    b = []\n    for c in a:\n        b.append(c)\n    return b\n",
        5,
        'if len(b) < len(a): raise ValueError("incomplete"); return b',
    ),
    (
        "forget",
        "class A:\n    def __init__(self):\n        self.a = []\n        self.b = []\n\n"
        "    def f(self, c):\n        self.a.append(c)\n",
        7,
        "self.a.append(c); self.b.clear()",
    ),
    ("step", "def f(a):\n    s = set(a)\n    for b in a:\n        b.x()\n    return s\n", 4, "b.x(); s.add(b)"),
    ("step", "def f(a):\n    s = []\n    for b in a:\n        b.x()\n    return s\n", 4, "b.x(); s.append(b)"),
    ("step", "def f(a):\n    s = {}\n    for b in a:\n        b.x()\n    return s\n", 4, "b.x(); s[b] = a"),
    ("step", "def f(a):\n    p = None\n    for b in a:\n        b.x(p)\n", 4, "b.x(p); p = b"),
    ("step", "def f(a, x):\n    for b in a:\n        if b > x:\n            c = b\n    return c\n", 4, "c = b; x = b"),
    (
        "step",
        "def f(a):\n    c, is_odd = 0, True\n    while a:\n        a.pop(is_odd)\n",
        4,
        "a.pop(is_odd); is_odd = not is_odd",
    ),
    ("slice", "def f(a, n):\n    for b in a:\n        b.x()\n", 2, "for b in a[n:]:"),
    ("slice", "def f(a, b):\n    return f(a[1:], b)\n", 2, "return f(a[1:], b[1:])"),
    ("result", "def f(a):\n    n = 0\n    for b in a:\n        n += b\n    return True\n", 5, "return n == 0"),
    ("result", "def f(a):\n    b = a.x()\n    return True\n", 3, "return not b"),
    ("result", "def f(a):\n    b = a.x()\n    return None\n", 3, "return b"),
    ("transplant", "def f(a, b, i):\n    a[i] = b[0] + 1\n    g(a, i)\n", 2, "b[0] = b[0] + 1"),
    ("bracket", "def f(a):\n    return round(a / 2)\n", 2, "return round(a) / 2"),
    ("bracket", "def f(a):\n    return round(a) / 2\n", 2, "return round(a / 2)"),
    ("wrap", "def f(a, b):\n    a = a + b\n    return a\n", 2, "a = max(0, a + b)"),
    ("operand", "def f(a, b):\n    return [a]\n", 2, "return b + [a]"),
    ("operand", "def f(a):\n    b = ''\n    b = str(a)\n    return b\n", 3, "b = str(a) + b"),
    ("factor", "def f(a, b):\n    return a + b\n", 2, "return (a + b) / 2"),
    (
        "step",
        "class A:\n    def __init__(self):\n        self.l = []\n\n    def f(self, a):\n        self.b = a\n",
        6,
        "self.l.clear(); self.b = a",
    ),
    ("element", "def f(a, n):\n    return a[:n]\n", 2, "return a[-n:]"),
    ("conjunct", "def f(a):\n    if a == 'x':\n        return 'y'\n", 2, "if a == 'x' or a == 'y':"),
    ("early-return", "def f(a, b):\n    x = 1\n    return x\n", 2, "if a == b: return 1; x = 1"),
    ("remove", "def f(a):\n    a.pop()\n    a.sort()\n    return a\n", 2, ""),
    ("level", "def f(a):\n    for b in a:\n        b.x()\n        return b\n", 2, ""),
    ("order", "def f(a):\n    a.x()\n    a.y()\n", 2, "a.y(); a.x()"),
    ("default", "def f(a, b):\n    return a[b]\n", 2, "return a.get(b, 0)"),
    ("default", "def f(a, b):\n    b.get(1, -1)\n    return a[b]\n", 3, "return a.get(b, -1)"),
    ("default", "def f(a, b):\n    return a or b\n", 2, "return a if a is not None else b"),
    ("default", "def f(a, b):\n    return a.get(1) or b\n", 2, "return a.get(1, b)"),
    ("helper", "def g(x):\n    return x\n\n\ndef f(a, b):\n    return a[b]\n", 6, "return a[g(b)]"),
    (
        "helper",
        "class A:\n    def g(self, x):\n        return x\n\n    def f(self, a):\n        self.n = a\n",
        6,
        "self.n = self.g(a)",
    ),
    ("helper", "import copy\n\n\ndef f(a):\n    return dict(a)\n", 5, "return copy.deepcopy(a)"),
    ("helper", "from copy import deepcopy\n\n\ndef f(a):\n    return a.copy()\n", 5, "return deepcopy(a)"),
    ("helper", "def f(a, k):\n    return groupby(a, key=k)\n", 2, "return groupby(sorted(a, key=k), key=k)"),
    ("parameter", "def f(a, sep=','):\n    return a.split(',')\n", 2, "return a.split(sep)"),
    ("clamp", "def f(a, n):\n    return a + 1\n", 2, "return min(a + 1, n)"),
    ("scale", "def f(a):\n    return a / 60 * 1000\n\n\ndef g(b):\n    return b\n", 6, "return b * 1000"),
    ("value", "def f(a):\n    n = 0\n    while n:\n        n = a[n]\n    return n\n", 2, "n = a[n]"),
    ("start", "def f(a):\n    best = 0\n    return best\n", 2, "best = a[0]"),
    ("start", "def f(a):\n    best = 0\n    return best\n", 2, 'best = float("-inf")'),
    ("receiver", "def f(a):\n    return a.lower()\n", 2, "return a.strip().lower()"),
    ("precedence", "def f(a, b, c):\n    return a + b * c\n", 2, "return (a + b) * c"),
    ("precedence", "def f(a, b, c):\n    return a * b - c\n", 2, "return a * (b - c)"),
    ("precedence", "def f(a, b, c):\n    return a + b if c else 0\n", 2, "return a + (b if c else 0)"),
    ("precedence", "def f(a, b, c):\n    return a and b or c\n", 2, "return a and (b or c)"),
    ("precedence", "def f(a, b, c):\n    return a or b and c\n", 2, "return (a or b) and c"),
    ("keyword", "def f(a, b):\n    a.pop(b, None)\n    g(b)\n", 2, "a.clear()"),
    ("insert", "def f(a):\n    if a:\n        a.x()\n    return a\n", 4, "if a: a.x(); return a"),
    ("leave", "def f(a):\n    for b in a:\n        break\n    return False\n", 3, "return True"),
    ("leave", "def f(a):\n    for b in a:\n        continue\n", 3, "return b"),
    ("else", "def f(a):\n    n = 0\n    for b in a:\n        if b:\n            n += 1\n    return n\n", 4, ""),
    (
        "borrow",
        "class A:\n    def g(self, k):\n        self.d.move(k)\n\n    def f(self, k):\n        return self.d[k]\n",
        6,
        "self.d.move(k); return self.d[k]",
    ),
    ("forward", "def f(a, skip=()):\n    return f(a.b)\n", 2, "return f(a.b, skip)"),
    (
        "forward",
        "def g(a, *, skip=()):\n    return a\n\n\ndef f(a, skip):\n    return g(a)\n",
        6,
        "return g(a, skip=skip)",
    ),
    ("bracket", "def f(a, b, c):\n    return f(a, b) + c\n", 2, "return f(a, b + c)"),
    ("bracket", "def f(a, b, c):\n    return f(a, b + c)\n", 2, "return f(a, b) + c"),
    ("sign", "def f(a, b):\n    if a < b:\n        return 1\n", 2, "if a < -b:"),
    ("off-by-one", "def f(a):\n    return None if a is None else a\n", 2, "return None if a is None else a - 1"),
    (
        "early-return",
        "def f(a):\n    if a > 9:\n        raise ValueError(a)\n    return a\n",
        4,
        "if a < 0: raise ValueError(a); return a",
    ),
    ("attribute", "def f(a, b):\n    a.n += 1\n    return b.m\n", 3, "return b.n"),
]


@pytest.mark.parametrize(("operator", "source", "line", "after"), CASES)
def test_a_pattern_proposes_the_fix(operator: str, source: str, line: int, after: str) -> None:
    found = [one for one in mutations(source, {line: 1.0}) if one.operator == operator]
    assert after in {one.after for one in found} or (found and not after)


def test_a_statement_leaves_the_loop() -> None:
    source = "def f(a):\n    for b in a:\n        b.x()\n        return b\n"
    texts = {one.apply(source) for one in mutations(source, {2: 1.0, 4: 1.0})}
    assert "def f(a):\n    for b in a:\n        b.x()\n    return b\n" in texts


def test_an_inserted_statement_keeps_the_indentation() -> None:
    source = "class A:\n    def f(self):\n        self.n = 1\n        if self.n:\n            self.g()\n"
    texts = {one.apply(source) for one in mutations(source, {5: 1.0})}
    assert f"{source}            self.n = 1\n" in texts


@pytest.mark.parametrize(
    ("source", "line", "never"),
    [
        ("def f(a):\n    a.pop()\n    return a\n", 2, "a.pop(); a.pop()"),
        ("def f(a):\n    s = []\n    s.append(a)\n    return s\n", 3, "s.append(a); s.pop()"),
        ("def f(a):\n    a.pop()\n    b = a.pop()\n    return b\n", 3, "a.pop(); b = a.pop()"),
        ("def f(a, b):\n    return a ** b\n", 2, "return a ** b - 1"),
        ("def f(a, n):\n    return a[n] + 1\n", 2, "return a[n] + n"),
        ("def f(a):\n    n = 1\n    return n + a\n", 2, "n = 1; n += 1"),
        ("def f(a):\n    return a + 1\n", 2, "return a + 0"),
        ("def f(a):\n    return a - 1\n", 2, "return a - 1 - 1"),
        ("def f(a):\n    return a + 1\n", 2, "return a + 1 - 1"),
        ("def f(a):\n    return a[-1]\n", 2, "return a[-0]"),
        ("def f(a):\n    b = 3\n    return a[2:b]\n", 3, "return a[None:b]"),
        ("def f(a):\n    return range(1, 9)\n", 2, "return range(9, 1)"),
        ("def f(a):\n    if a.issuperset(f):\n        return 1\n", 2, "if a.issuperset(f) is not None:"),
        ("def f(a):\n    return f(a)\n", 2, "return f(f(a))"),
        ("def f(a, b):\n    return max(a, b)\n", 2, "return max(a, a)"),
        ("def f(a, b):\n    return a < b\n", 2, "return b < b"),
        ("def f(a):\n    if a == 50:\n        return 0\n", 2, "if a == a:"),
        ("def f(a, b):\n    a.x = b\n", 2, "b = b"),
        ("def f(a, b):\n    return a and b\n", 2, "return b and b"),
        ("def f(a, b):\n    return (a - b) * a\n", 2, "return (a - b * a)"),
    ],
)
def test_what_nobody_writes_is_not_proposed(source: str, line: int, never: str) -> None:
    assert never not in {one.after for one in mutations(source, {line: 1.0})}


def test_an_else_does_what_the_function_does_elsewhere() -> None:
    source = "def f(a):\n    n = 0\n    for b in a:\n        if b:\n            n += 1\n    return n\n"
    texts = {one.apply(source) for one in mutations(source, {4: 1.0})}
    assert source.replace("n += 1\n", "n += 1\n        else:\n            n = 0\n") in texts


def test_no_step_is_borrowed_that_needs_names_of_the_other_method() -> None:
    source = "class A:\n    def g(self, k):\n        self.d.move(k)\n\n    def f(self, x):\n        return self.d[x]\n"
    assert not [one for one in mutations(source, {6: 1.0}) if one.operator == "borrow"]


def test_an_elif_is_as_suspicious_as_the_if_above_it_and_a_docstring_never_is() -> None:
    source = 'def f(a):\n    """Text."""\n    if a > 1:\n        a = 2\n    elif a > 0:\n        a = 3\n    return a\n'
    found = {one.line: one for one in mutations(source, {2: 1.0, 3: 0.5, 4: 0.1}, max_lines=2)}
    assert found.keys() >= {3, 5}
    assert found.keys().isdisjoint({2, 4})
    assert found[3].suspicion == found[5].suspicion == 0.5


def test_every_pattern_is_described() -> None:
    assert {operator for operator, *_ in CASES} <= set(OPERATORS)


@settings(deadline=None, max_examples=20)
@given(sets(integers(2, 5), min_size=1))
def test_edits_of_blocks_leave_a_valid_program(lines: set[int]) -> None:
    source = "def f(a):\n    for b in a:\n        b.x()\n        a.y(b)\n    return a\n"
    found = list(mutations(source, dict.fromkeys(lines, 1.0)))
    assert found
    for one in found:
        assert ast.parse(one.apply(source)).body


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_no_change_compares_the_identity_of_a_number_or_a_text() -> None:
    source = "def f(a):\n    if a is None:\n        return 1\n    return a is not True\n"
    found = {one.after for one in mutations(source, dict.fromkeys(range(1, 5), 1.0))}
    assert "if a is True:" in found
    assert not [line for line in found if " is 0" in line or ' is ""' in line]
