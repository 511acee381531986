"""The leaking bucket: no minute holds more than the limit, and not much less gets through."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError
from jido_ai.models.limits import Rate, take


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 300), st.lists(st.floats(0.0, 40.0), min_size=1, max_size=80))
def test_no_half_open_minute_has_more_calls_than_the_limit(limit: int, gaps: list[float]) -> None:
    now, empty_at = 0.0, 0.0
    gone: list[float] = []
    for gap in gaps:
        now += gap
        wait_s, empty_at = take(Rate(limit), empty_at, now, 1)
        gone.append(now + wait_s)
    assert gone == sorted(gone)
    assert max(sum(start <= time < start + 60.0 - 1e-6 for time in gone) for start in gone) <= limit


@pytest.mark.parametrize("limit", [1, 9, 10, 60, 1_000])
def test_a_steady_stream_gets_at_least_nine_tenths_of_the_limit(limit: int) -> None:
    empty_at = wait_s = 0.0
    for _ in range(10 * limit):
        wait_s, empty_at = take(Rate(limit), empty_at, 0.0, 1)
    assert 540.0 - 60.0 <= wait_s <= 600.0 / 0.9


@given(st.integers(10, 10_000), st.integers(1, 20_000))
def test_a_call_larger_than_the_burst_waits_for_its_share(limit: int, amount: int) -> None:
    rate = Rate(limit)
    wait_s, empty_at = take(rate, 0.0, 0.0, amount)
    assert wait_s == pytest.approx(max(0, amount - rate.burst) * rate.interval_s, abs=1e-6)
    assert empty_at == amount * rate.interval_s


@pytest.mark.parametrize("limit", [0, -1, True])
def test_an_invalid_limit_is_refused(limit: int) -> None:
    with pytest.raises(ConfigurationError):
        Rate(limit)
