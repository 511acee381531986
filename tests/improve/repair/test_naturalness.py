"""Naturalness: the share of an edit's code that stands elsewhere in the file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis.strategies import text

from jido_ai.improve.repair.naturalness import Naturalness

SOURCE = """\
def f(d, key, value):
    if key in d.entries:  # known
        d.move(key)
    d.entries[key] = value
    return d.entries[key]
"""


@pytest.mark.parametrize(
    ("before", "after", "share"),
    [
        ("d.entries[key] = value", "d.move(key); d.entries[key] = value", 1.0),  # all of it is there
        ("if key in d.entries:", "if value in d.entries:", 0.0),  # neither `if value in` nor `value in d`
        ("return d.entries[key]", "return d.entries[value]", 0.0),
        ("return d.entries[key]", "return d.entries[key]", 0.0),  # nothing changes
    ],
)
def test_the_share_of_changed_code_that_stands_elsewhere(before: str, after: str, share: float) -> None:
    assert Naturalness(SOURCE).of(before, after) == share


def test_the_statement_itself_is_no_other_place() -> None:
    source, twice = "def f(a, b):\n    return a + b\n", "return a + b, a + b"
    assert Naturalness(source).of("return a + b", twice) == 0.0
    assert Naturalness(f"{source}\n\ndef g(a, b):\n    return a + b\n").of("return a + b", twice) > 0.0


@given(text(), text(), text())
def test_it_is_a_share_whatever_the_texts(source: str, before: str, after: str) -> None:
    assert 0.0 <= Naturalness(source).of(before, after) <= 1.0
