"""Outcomes of tests, before and after."""

from __future__ import annotations

from hypothesis import given
from hypothesis.strategies import dictionaries, sampled_from

from jido_ai.tools.reports.outcomes import CUT, MOST_NAMED, LostTest, lost_tests

RAN = ["passed", "failed", "error", "xpassed"]
NAMES = sampled_from([f"t{file}.py::{test}" for file in "ab" for test in ("test_a", "test_b", "C::test_c")] + ["ta.py"])
OUTCOMES = dictionaries(NAMES, sampled_from([*RAN, "skipped", "xfailed"]))


def sentences(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return [one.sentence for one in lost_tests(before, after)]


def test_a_test_that_ran_before_and_is_now_skipped_expected_to_fail_or_missing_is_lost() -> None:
    before = {
        "tests/test_a.py::test_a": "passed",
        "tests/test_a.py::test_b": "failed",
        "tests/test_a.py::test_c": "error",
    }
    after = {
        "tests/test_a.py::test_b": "skipped",
        "tests/test_a.py::test_c": "xfailed",
        "tests/test_a.py::test_d": "passed",
    }
    assert sentences(before, after) == [
        "tests/test_a.py::test_a passed before and is missing now",
        "tests/test_a.py::test_b failed before and is skipped now",
        "tests/test_a.py::test_c failed with an error before and is expected to fail now",
    ]
    first = lost_tests(before, after)[0]
    assert first == LostTest("tests/test_a.py::test_a", "passed", "missing", first.sentence)


def test_only_tests_that_ran_before_can_be_lost() -> None:
    before = {"a::b": "skipped", "a::c": "xfailed", "a::d": "passed", "a::e": "xpassed", "a::f": "failed"}
    assert lost_tests(before, {"a::d": "failed", "a::e": "passed", "a::f": "error"}) == ()


def test_a_parametrised_test_whose_id_changed_is_missing_under_the_old_one() -> None:
    assert sentences({"a.py::t[1-2]": "passed"}, {"a.py::t[one-two]": "passed"}) == [
        "a.py::t[1-2] passed before and is missing now"
    ]


def test_a_file_that_can_be_collected_again_is_not_lost() -> None:
    assert lost_tests({"test_a.py": "error"}, {"test_a.py::test_b": "failed"}) == ()
    assert sentences({"test_a.py": "error"}, {"test_a.py::test_b": "skipped"}) == [
        "test_a.py failed with an error before and is skipped now"
    ]
    assert sentences({"test_a.py": "error"}, {"test_b.py::test_a": "passed"}) == [
        "test_a.py failed with an error before and is missing now"
    ]


def test_skipping_a_file_or_class_skips_its_tests() -> None:
    assert sentences({"test_a.py::C::test_b": "failed"}, {"test_a.py": "skipped"}) == [
        "test_a.py::C::test_b failed before and is skipped now"
    ]


def test_the_first_tests_of_a_removed_file_are_named_and_the_others_counted() -> None:
    before = {f"a.py::t{number}": "passed" for number in range(120)} | {"b.py::t": "passed"}
    lost = lost_tests(before, {"b.py::t": "passed"})
    assert len(lost) == MOST_NAMED + 1
    assert lost[-1].test == "a.py"
    assert lost[-1].sentence == "70 more tests of a.py ran before and are missing now"
    assert (
        len(lost_tests(before, {"b.py::t": "passed", "a.py::t0": "passed"})) == 119
    )  # it is collected, so each counts


def test_tests_after_the_end_of_cut_outcomes_are_unknown_and_not_lost() -> None:
    before = {"a::a": "passed", "a::b": "passed", "a::c": "passed"}
    assert [one.test for one in lost_tests(before, {"a::b": "passed", CUT: "cut"})] == ["a::a"]
    assert [one.test for one in lost_tests({**before, CUT: "cut"}, {"a::b": "passed"})] == ["a::a", "a::c"]


@given(OUTCOMES, OUTCOMES)
def test_lost_tests_ran_before_and_do_not_run_now(before: dict[str, str], after: dict[str, str]) -> None:
    lost = lost_tests(before, after)
    assert all(before[one.test] == one.before and one.before in RAN for one in lost)
    assert all(after.get(one.test) not in RAN for one in lost)
    assert {test for test in before if before[test] in RAN and after.get(test) in ("skipped", "xfailed")} <= {
        one.test for one in lost
    }
    assert lost_tests(before, before) == ()
