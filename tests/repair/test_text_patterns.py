"""Text patterns: another regular expression, format or separator."""

from __future__ import annotations

import ast

import pytest

from jido_ai.repair.mutation import mutations
from jido_ai.repair.text_patterns import COSTS, PATTERNS

PARSED = 'import re\n\n\ndef f(a):\n    return re.sub(r"[^a-z]", "-", a)\n'
CASES = [
    ("regex", PARSED, 5, 'return re.sub(r"[^a-z]+", "-", a)'),
    ("regex", PARSED, 5, 'return re.sub(r"[^a-zA-Z]", "-", a)'),
    ("regex", PARSED, 5, 'return re.sub(r"[^a-z]", "-", a, flags=re.IGNORECASE)'),
    ("regex", PARSED, 5, 'return re.sub(r"^[^a-z]", "-", a)'),
    ("regex", PARSED, 5, 'return re.sub(r"[^a-z]$", "-", a)'),
    ("regex", PARSED.replace("[^a-z]", r"\d+$"), 5, r'return re.sub(r"\d+", "-", a)'),
    ("regex", PARSED.replace("[^a-z]", r"a.b"), 5, r'return re.sub(r"a\.b", "-", a)'),
    ("regex", PARSED.replace("[^a-z]", r"<.*>"), 5, r'return re.sub(r"<.*?>", "-", a)'),
    ("format", 'def f(a):\n    return f"{a}:{a}"\n', 2, 'return f"{a}:{a:02d}"'),
    ("format", 'def f(a):\n    return f"{a:.1f} m"\n', 2, 'return f"{a:.2f} m"'),
    ("format", 'def f(a):\n    return f"{a:<5}"\n', 2, 'return f"{a:>5}"'),
    ("format", 'def f(a):\n    return f"{a:2}"\n', 2, 'return f"{a:02}"'),
    ("format", 'def f(a):\n    return f"{a!r:8}"\n', 2, 'return f"{a!r:9}"'),
    ("format", 'def f(a):\n    return f"{a:.2f}"\n', 2, 'return f"{a:,.2f}"'),
    ("spacing", 'def f(a):\n    return ",".join(a)\n', 2, 'return ", ".join(a)'),
    ("spacing", 'def f(a):\n    return a.split(", ")\n', 2, 'return a.split(",")'),
    ("spacing", "def f(a):\n    return a + 'x'\n", 2, r"return a + 'x\n'"),
    ("variable", 'def f(a, b):\n    return f"{a} of {a}"\n', 2, 'return f"{a} of {b}"'),
    ("arithmetic", 'def f(a):\n    return f"{a // 60:02}"\n', 2, 'return f"{a % 60:02}"'),
    ("constant", 'def f(a):\n    return f"{a[1]}"\n', 2, 'return f"{a[0]}"'),
    ("off-by-one", 'def f(a):\n    return f"ä {a + 1}"\n', 2, 'return f"ä {a}"'),
]


@pytest.mark.parametrize(("operator", "source", "line", "after"), CASES)
def test_a_text_is_changed(operator: str, source: str, line: int, after: str) -> None:
    assert after in {one.after for one in mutations(source, {line: 1.0}) if one.operator == operator}


def test_every_pattern_is_described_and_costs_something() -> None:
    assert {operator for operator, *_ in CASES} >= set(PATTERNS)
    assert set(PATTERNS) == set(COSTS)


def test_a_text_that_names_something_gets_no_spaces() -> None:
    source = 'def f(a):\n    return a["name"] == "x" and {"y": a.get("z")}\n'
    assert not [one for one in mutations(source, {2: 1.0}) if one.operator == "spacing"]


@pytest.mark.parametrize("text", ['f"{a:>{b}} {{a}} {a!r}"', "f'{a[0]:5}' f'{b}'", 'f"{a, b}"', 'f"{a=}"'])
def test_edits_inside_an_f_string_leave_a_valid_program(text: str) -> None:
    source = f"def f(a, b):\n    return {text}\n"
    found = list(mutations(source, {2: 1.0}))
    assert found
    for one in found:
        assert ast.parse(one.apply(source)).body
