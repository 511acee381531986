"""Restart rules: pure, so they get properties and a model."""

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis.strategies import floats, integers, lists, sampled_from

from jido_ai.actors.exit_reason import Crashed, ExitReason, Killed, NoProc, Normal, Shutdown
from jido_ai.actors.restart import Strategy, group_of, intensity_exceeded, should_restart

SCHEDULES = int(os.environ.get("JIDO_SCHEDULES", "1000"))
CLEAN: tuple[ExitReason, ...] = (Normal(), Shutdown(), Shutdown("detail"))
CRASHES: tuple[ExitReason, ...] = (Crashed(ValueError()), Killed(), NoProc())


@pytest.mark.parametrize("reason", [*CLEAN, *CRASHES])
def test_a_permanent_child_is_always_restarted(reason: ExitReason) -> None:
    assert should_restart("permanent", reason)


@pytest.mark.parametrize("reason", CLEAN)
def test_a_transient_child_is_not_restarted_after_a_clean_end(reason: ExitReason) -> None:
    assert not should_restart("transient", reason)


@pytest.mark.parametrize("reason", CRASHES)
def test_a_transient_child_is_restarted_after_a_crash(reason: ExitReason) -> None:
    assert should_restart("transient", reason)


@pytest.mark.parametrize("reason", [*CLEAN, *CRASHES])
def test_a_temporary_child_is_never_restarted(reason: ExitReason) -> None:
    assert not should_restart("temporary", reason)


def test_crash_means_anything_but_normal_and_shutdown() -> None:
    assert [reason.is_crash for reason in CLEAN] == [False] * 3
    assert [reason.is_crash for reason in CRASHES] == [True] * 3


def test_no_attempts_never_exceed_the_intensity() -> None:
    assert not intensity_exceeded([], max_restarts=0, max_seconds=5.0)


def test_the_first_attempt_exceeds_a_max_restarts_of_0() -> None:
    assert intensity_exceeded([1.0], max_restarts=0, max_seconds=5.0)


def test_the_window_includes_both_its_ends() -> None:
    assert intensity_exceeded([0.0, 5.0], max_restarts=1, max_seconds=5.0)
    assert not intensity_exceeded([0.0, 5.25], max_restarts=1, max_seconds=5.0)


def exceeded_by_counting(attempts: Sequence[float], max_restarts: int, max_seconds: float) -> bool:
    """The rule as OTP words it: count the restarts of the last max_seconds, the newest included."""
    newest = attempts[-1]
    return len([time for time in attempts if newest - max_seconds <= time <= newest]) > max_restarts


@pytest.mark.timeout(60 + SCHEDULES / 50)
@settings(max_examples=SCHEDULES, deadline=None)
@given(lists(integers(0, 40), min_size=1, max_size=30), integers(0, 8), integers(1, 20))
def test_the_intensity_rule_is_exact_at_every_attempt_of_any_schedule(
    gaps: list[int], max_restarts: int, max_seconds: int
) -> None:
    times: list[float] = []
    for gap in gaps:  # quarters are exact in binary, so that boundaries are met
        times.append((times[-1] if times else 0.0) + gap / 4)
        rule = intensity_exceeded(times, max_restarts=max_restarts, max_seconds=float(max_seconds))
        assert rule == exceeded_by_counting(times, max_restarts, float(max_seconds))


@given(lists(floats(0, 100), min_size=1, max_size=20), integers(0, 5), floats(0.1, 50))
def test_a_higher_limit_never_exceeds_sooner(times: list[float], max_restarts: int, max_seconds: float) -> None:
    times.sort()
    strict = intensity_exceeded(times, max_restarts=max_restarts, max_seconds=max_seconds)
    assert strict or not intensity_exceeded(times, max_restarts=max_restarts + 1, max_seconds=max_seconds)


IDS = lists(sampled_from("abcdefghij"), min_size=1, unique=True)


@given(IDS, integers(0, 9))
def test_one_for_one_restarts_only_the_failed_one(ids: list[str], index: int) -> None:
    failed = ids[index % len(ids)]
    assert group_of("one_for_one", ids, failed) == (failed,)


@given(IDS, integers(0, 9))
def test_rest_for_one_restarts_the_failed_one_and_all_started_after_it(ids: list[str], index: int) -> None:
    failed = ids[index % len(ids)]
    group = group_of("rest_for_one", ids, failed)
    assert group[0] == failed
    assert (*ids[: ids.index(failed)], *group) == tuple(ids)


@given(IDS, integers(0, 9))
def test_one_for_all_restarts_all(ids: list[str], index: int) -> None:
    assert group_of("one_for_all", ids, ids[index % len(ids)]) == tuple(ids)


@given(IDS, integers(0, 9), sampled_from(["one_for_one", "rest_for_one", "one_for_all"]))
def test_a_group_contains_the_failed_child_and_keeps_the_start_order(
    ids: list[str], index: int, strategy: Strategy
) -> None:
    failed = ids[index % len(ids)]
    group = group_of(strategy, ids, failed)
    assert failed in group
    assert list(group) == [id_ for id_ in ids if id_ in group]
