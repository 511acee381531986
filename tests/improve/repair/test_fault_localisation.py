"""Fault localisation: the lines that failing tests make suspicious."""

from __future__ import annotations

from jido_ai.improve.repair.fault_localisation import ochiai


def test_a_line_that_all_failing_and_no_passing_tests_run_is_certain() -> None:
    assert ochiai(failed=2, passed=0, all_failed=2) == 1.0


def test_a_line_that_no_failing_test_runs_is_beyond_suspicion() -> None:
    assert ochiai(failed=0, passed=3, all_failed=1) == 0.0


def test_the_coefficient_is_ochiais() -> None:
    assert ochiai(failed=1, passed=3, all_failed=4) == 0.25  # 1 / sqrt(4 * 4)
