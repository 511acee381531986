"""The kind of failure of a failing test."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis.strategies import text

from jido_ai.reflection.failure_kind import failure_kind, failure_tags
from jido_ai.values import Issue


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("assert False\n +  where False = f(1)", "truth"),
        ("assert not True", "truth"),
        ("assert True is False", "truth"),
        ("assert 3 == 4", "one-off"),
        ("assert -2.5 == 2.5", "sign"),
        ("assert 20.0 == 180", "number"),
        ("assert [2, 1] == [1, 2]", "order"),
        ("assert 'ba' == 'ab'\n  - ab", "order"),
        ("assert 'a' == 'b'", "text"),
        ("assert 'Lovelace' == 'Ada'", "text"),
        ("assert (1,) == (1, 2)", "length"),
        ("assert [1, 2] == [1, 3]", "elements"),
        ("assert {'a': 1} == {'a': 2}", "values"),
        ("assert {'a': 1} == {'b': 1}", "keys"),
        ("assert None == 3", "nothing"),
        ("assert 'a' == 1", "type"),
        (
            "assert f(2) == 3\nassert 2 == 3",
            "one-off",
        ),  # the line of the test has no literals, the one with the values has
    ],
)
def test_an_assertion_is_known_by_how_its_values_differ(said: str, kind: str) -> None:
    assert failure_kind("AssertionError", said) == f"AssertionError:{kind}"


@pytest.mark.parametrize("said", ["", "assert x == y", "assert [1, 2, ...", "it fails", "assert " + "(" * 500])
def test_a_failure_without_values_is_recognised_by_its_exception_alone(said: str) -> None:
    assert failure_kind("AssertionError", said) == "AssertionError"


def test_another_exception_is_its_own_kind() -> None:
    assert failure_kind("IndexError", "assert 1 == 2") == "IndexError"


def test_failing_tests_have_tags_by_their_kinds_each_once() -> None:
    issues = [
        Issue("test_a: assert 1 == 2", kind="test"),
        Issue("test_b: assert 5 == 4", kind="test"),
        Issue("test_c: IndexError: list index out of range", kind="test"),
        Issue("unused", kind="style"),
        Issue("pytest was killed", kind="timeout"),
    ]
    assert failure_tags(issues) == ("failure:AssertionError:one-off", "failure:IndexError", "failure:Timeout")


@given(text(max_size=60))
def test_any_message_has_a_kind(said: str) -> None:
    assert failure_kind("AssertionError", "assert " + said).startswith("AssertionError")
