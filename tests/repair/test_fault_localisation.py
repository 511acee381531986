"""Fault localisation: the lines that failing tests make suspicious."""

from __future__ import annotations

from hypothesis import given
from hypothesis.strategies import booleans, builds, frozensets, integers, just, lists

from jido_ai.repair.fault_localisation import Spectrum, independent_failures, ochiai, suspicious_lines


def test_a_line_that_all_failing_and_no_passing_tests_run_is_certain() -> None:
    assert ochiai(failed=2, passed=0, all_failed=2) == 1.0


def test_a_line_that_no_failing_test_runs_is_beyond_suspicion() -> None:
    assert ochiai(failed=0, passed=3, all_failed=1) == 0.0


def test_the_coefficient_is_ochiais() -> None:
    assert ochiai(failed=1, passed=3, all_failed=4) == 0.25  # 1 / sqrt(4 * 4)


def test_lines_come_most_suspicious_first_and_of_equals_the_upper_one() -> None:
    spectra = [
        Spectrum("a", True, frozenset({1, 2, 5, 4})),
        Spectrum("b", False, frozenset({1, 2, 3})),
        Spectrum("c", False, frozenset({1})),
    ]
    assert list(suspicious_lines(spectra)) == [4, 5, 2, 1]


@given(lists(builds(Spectrum, just("t"), booleans(), frozensets(integers(1, 9))), max_size=6))
def test_suspicion_is_in_0_to_1_and_only_of_lines_that_a_failing_test_ran(spectra: list[Spectrum]) -> None:
    found = suspicious_lines(spectra)
    assert set(found) == {line for one in spectra if one.failed for line in one.lines}
    assert all(0.0 < suspicion <= 1.0 for suspicion in found.values())


def failing(test: str, *lines: int) -> Spectrum:
    return Spectrum(test, failed=True, lines=frozenset(lines))


def test_failures_that_share_no_line_but_those_of_the_import_are_independent() -> None:
    spectra = [failing("a", 1, 2, 3), Spectrum("p", failed=False, lines=frozenset({3, 5})), failing("b", 1, 5)]
    assert independent_failures(spectra, frozenset({1})) == [frozenset("a"), frozenset("b")]
    assert independent_failures([*spectra, failing("c", 3, 5)], frozenset({1})) == [frozenset("abc")]
    assert independent_failures([*spectra, failing("c", 1)], frozenset({1})) == [frozenset("abc")], "from any line"
