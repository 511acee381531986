"""The choice among edits that pass all tests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis.strategies import floats, integers, lists

from jido_ai.repair.repair_choice import (
    Behaviour,
    Passing,
    best_repair,
    breaks,
    certainty,
    describe_choice,
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


def test_the_user_is_shown_an_input_on_which_the_edits_differ() -> None:
    edit = {"before": "a < b", "after": "a <= b"}
    told = describe_choice([edit | {"input": "f(`2`)\n", "chosen": "1", "other": "2"}, edit])
    assert "2 other edits also pass" in told
    assert "`f('2') ` gives `1`, and `2` with `a <= b`" in told
    assert "1 other edit also passes and does the same on all inputs tried" in describe_choice([edit])
    assert describe_choice([]) == ""


@given(lists(floats(0.001, 0.1), min_size=1, max_size=8), integers(1, 3))
def test_a_certainty_is_a_probability_and_never_rises_with_an_edit_of_another_line_that_passes(
    weights: list[float], failing: int
) -> None:
    several = [Passing(weight, line) for line, weight in enumerate(weights, 1)]
    sure = certainty(0, several, None, failing)
    assert 0.0 < sure < 1.0
    assert certainty(0, [*several, Passing(0.05, 100)], None, failing) <= sure


@given(lists(floats(0.001, 0.1), min_size=1, max_size=8))
def test_edits_of_one_line_are_one_place_and_do_not_make_each_other_less_certain(weights: list[float]) -> None:
    alone = certainty(0, [Passing(0.01, 7)], None, 1)
    assert certainty(0, [Passing(weight, 7) for weight in weights], None, 1) == pytest.approx(alone)


def test_an_edit_is_less_certain_the_more_probable_those_of_other_lines_are() -> None:
    certain = [certainty(0, [Passing(0.01, 7), Passing(weight, 8)], None, 1) for weight in (0.0001, 0.01, 0.04)]
    assert certain == pytest.approx([certain[0], certain[0] * 1.1 / 2, certain[0] * 1.1 / 3])


def test_an_edit_that_makes_several_failing_tests_pass_is_certain_whatever_else_passes() -> None:
    passing = [Passing(0.01, 7), Passing(0.04, 8)]
    assert certainty(0, passing, None, 2) > 0.75
    assert certainty(0, passing, None, 1) < 0.5


def test_an_edit_with_which_an_input_raises_a_slip_is_less_certain() -> None:
    before = behaviour(t_0="1")
    careful, breaking = Passing(0.01, 7, before), Passing(0.01, 8, {"t#0": (("raises", "IndexError"),)})
    assert certainty(0, [careful, breaking], before, 1) > 2 * certainty(1, [careful, breaking], before, 1)


def test_an_edit_whose_condition_the_tests_do_not_need_is_less_certain() -> None:
    needed, loose = Passing(0.01, 7), Passing(0.01, 8, share=0.25)
    assert certainty(0, [needed, loose], None, 1) == pytest.approx(2 * certainty(1, [needed, loose], None, 1))


def test_an_edit_breaks_what_raised_no_slip_before() -> None:
    before = {"t#1": (("f(1)", "2"),), "t#2": (("raises", "IndexError"),)}
    assert breaks({"t#1": (("raises", "IndexError"),), "t#2": (("raises", "IndexError"),)}, before)
    assert not breaks({"t#1": (("f(1)", "3"),), "t#2": (("raises", "KeyError"),)}, before)
    assert not breaks({"t#1": (("raises", "ValueError"),), "t#2": (("f(2)", "3"),)}, before)  # on purpose
    assert not breaks({"t#1": (("raises", "IndexError"),)}, None)
