"""What headers say about waiting."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given, settings
from hypothesis.strategies import dictionaries, floats, sampled_from, text

from jido_ai.models.providers.headers import RateLimits, read_rate_limits, read_retry_after

NOW = datetime(2026, 11, 22, 5, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("1", 1.0),
        (" 30 ", 30.0),
        ("3600", 3600.0),
        ("0", 0.0),
        ("1.5", 1.5),
        ("-1", None),
        ("soon", None),
        ("", None),
        ("nan", None),
        ("inf", None),
        ("1e9", None),
        ("9" * 400, None),
        ("٣", None),
        ("Sun, 22 Nov 2026 05:01:00 GMT", 60.0),
        ("Sunday, 22-Nov-26 05:01:00 GMT", 60.0),
        ("Sun, 22 Nov 2026 04:59:00 GMT", 0.0),
        ("Sun, 99 Nov 2026 04:59:00 GMT", None),
    ],
)
def test_retry_after_is_a_number_of_seconds_or_a_date(value: str, seconds: float | None) -> None:
    assert read_retry_after({"retry-after": value}, NOW) == seconds


def test_a_date_counts_from_the_date_of_the_response_and_not_from_our_clock() -> None:
    headers = {"retry-after": "Sun, 22 Nov 2026 05:01:00 GMT", "date": "Sun, 22 Nov 2026 05:00:50 GMT"}
    assert read_retry_after(headers, NOW - timedelta(days=1)) == 10.0


def test_milliseconds_take_precedence_over_seconds() -> None:
    assert read_retry_after({"retry-after-ms": "250", "retry-after": "9"}, NOW) == 0.25


@given(floats(0, 10_000_000))
@settings(max_examples=100, deadline=None)
def test_any_date_to_come_is_waited_for(seconds: float) -> None:
    until = NOW + timedelta(seconds=int(seconds))
    assert read_retry_after({"retry-after": format_datetime(until, usegmt=True)}, NOW) == int(seconds)


NAMES = ["retry-after", "retry-after-ms", "date", "x-ratelimit-reset-requests", "x-ratelimit-limit-tokens"]


@given(dictionaries(sampled_from(NAMES), text(max_size=30)))
@settings(max_examples=300, deadline=None)
def test_any_header_gives_a_finite_number_of_at_least_zero_or_nothing(headers: dict[str, str]) -> None:
    wait = read_retry_after(headers, NOW)
    limits = read_rate_limits(headers, NOW) or RateLimits()
    for number in (wait, limits.requests_reset_s, limits.tokens_limit):
        assert number is None or (number >= 0 and math.isfinite(number))


def test_openais_headers_are_read() -> None:
    headers = {
        "x-ratelimit-limit-requests": "60",
        "x-ratelimit-remaining-requests": "59",
        "x-ratelimit-reset-requests": "1s",
        "x-ratelimit-limit-tokens": "150000",
        "x-ratelimit-remaining-tokens": "149984",
        "x-ratelimit-reset-tokens": "6m0.5s",
    }
    assert read_rate_limits(headers, NOW) == RateLimits(
        requests_limit=60,
        requests_remaining=59,
        requests_reset_s=1.0,
        tokens_limit=150_000,
        tokens_remaining=149_984,
        tokens_reset_s=360.5,
    )


def test_anthropics_headers_are_read() -> None:
    headers = {
        "anthropic-ratelimit-requests-limit": "50",
        "anthropic-ratelimit-requests-remaining": "0",
        "anthropic-ratelimit-requests-reset": "2026-11-22T05:00:30Z",
    }
    limits = read_rate_limits(headers, NOW)
    assert limits == RateLimits(requests_limit=50, requests_remaining=0, requests_reset_s=30.0)


@pytest.mark.parametrize(
    ("text", "seconds"), [("20ms", 0.02), ("1d2h", 93_600.0), ("2m", 120.0), ("7", 7.0), ("x", None)]
)
def test_durations_are_read_in_their_notation(text: str, seconds: float | None) -> None:
    limits = read_rate_limits({"x-ratelimit-reset-requests": text}, NOW)
    assert (limits.requests_reset_s if limits else None) == seconds


def test_empty_headers_give_nothing() -> None:
    assert read_rate_limits({"content-type": "text/html"}, NOW) is None
