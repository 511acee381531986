"""The choice among edits that pass all tests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis.strategies import floats, lists

from jido_ai.improve.repair.repair_choice import (
    Behaviour,
    best_repair,
    breaks,
    differences,
)


def behaviour(**values: str) -> Behaviour:
    """Return what a program does: a value per probe, of test `t` unless the name says otherwise."""
    return {name.replace("_", "#"): ((f"f({name})", value),) for name, value in values.items()}


ORIGINAL = behaviour(t_0="1", t_1="2", u_0="9")
PASSED = frozenset({"t"})


def test_the_edit_that_agrees_with_the_original_near_passing_tests_is_chosen() -> None:
    faithful = behaviour(t_0="1", t_1="2", u_0="3")
    changing = behaviour(t_0="1", t_1="7", u_0="3")
    assert best_repair([changing, faithful], ORIGINAL, PASSED, [1.0, 1.0]) == 1
    assert best_repair([faithful, changing], ORIGINAL, PASSED, [1.0, 1.0]) == 0


def test_agreement_near_failing_tests_counts_for_nothing() -> None:
    one, other = behaviour(t_0="1", t_1="2", u_0="9"), behaviour(t_0="1", t_1="2", u_0="3")
    assert best_repair([one, other], ORIGINAL, PASSED, [1.0, 1.1]) == 1


def test_an_edit_that_crashes_where_the_original_did_not_is_not_chosen() -> None:
    crashing = {"t#0": (("f(1)", "1"),), "u#0": (("raises", "TypeError"),)}
    working = {"t#0": (("f(1)", "1"),), "u#0": (("f(2)", "3"),)}
    assert best_repair([crashing, working], {"t#0": (("f(1)", "1"),)}, PASSED, [1.0, 1.0]) == 1


def test_the_behaviour_of_most_edits_is_preferred() -> None:
    two = behaviour(t_0="1", u_0="2")
    three = behaviour(t_0="1", u_0="3")
    assert best_repair([two, three, three], behaviour(t_0="1"), PASSED, [1.0, 1.0, 1.0]) == 1


@given(lists(floats(0.01, 10.0), min_size=1, max_size=8))
def test_without_behaviours_the_most_probable_edit_is_chosen(weights: list[float]) -> None:
    assert weights[best_repair([None] * len(weights), None, PASSED, weights)] == max(weights)


@given(lists(floats(0.01, 10.0), min_size=1, max_size=8))
def test_the_most_probable_of_equivalent_edits_is_chosen(weights: list[float]) -> None:
    same = behaviour(t_0="1", t_1="2", u_0="3")
    assert weights[best_repair([same] * len(weights), ORIGINAL, PASSED, weights)] == pytest.approx(max(weights))


def test_differences_are_inputs_with_both_values_shortest_first() -> None:
    one = {"t#0": (("f(100)", "1"),), "t#1": (("f(2)", "5"),), "t#2": (("f(3)", "6"),)}
    other = {"t#0": (("f(100)", "2"),), "t#1": (("raises", "KeyError"),), "t#2": (("f(3)", "6"),)}
    assert [(one.code, one.chosen, one.other) for one in differences(one, other)] == [
        ("f(2)", "5", "raises KeyError"),
        ("f(100)", "1", "2"),
    ]


def test_an_edit_breaks_what_raised_no_slip_before() -> None:
    before = {"t#1": (("f(1)", "2"),), "t#2": (("raises", "IndexError"),)}
    assert breaks({"t#1": (("raises", "IndexError"),), "t#2": (("raises", "IndexError"),)}, before)
    assert not breaks({"t#1": (("f(1)", "3"),), "t#2": (("raises", "KeyError"),)}, before)
    assert not breaks({"t#1": (("raises", "ValueError"),), "t#2": (("f(2)", "3"),)}, before)  # on purpose
    assert not breaks({"t#1": (("raises", "IndexError"),)}, None)
