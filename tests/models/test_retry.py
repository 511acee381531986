"""Which errors are tried again, when, and what may have cost something."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jido_ai.errors import (
    AuthenticationError,
    BadRequestError,
    BudgetExceededError,
    CircuitOpenError,
    ConfigurationError,
    ContextLengthError,
    ModelError,
    ModelNotFoundError,
    ModelTimeoutError,
    ModelUnavailableError,
    QuotaError,
    RateLimitError,
    RefusalError,
    ReplyError,
)
from jido_ai.models import retry
from jido_ai.models.retry import (
    GiveUp,
    RetryPolicy,
    is_outage,
    is_retried,
    may_be_billed,
    next_wait,
    passing_failure,
    waits,
)
from jido_ai.text.redaction import redact

NOW = datetime(2026, 1, 1, tzinfo=UTC)
WHO: dict[str, Any] = {"provider": "openai", "model": "m"}
PASSING: list[ModelError] = [
    *(ModelUnavailableError("down", **WHO, status=status) for status in (408, 409, 425, 500, 502, 503, 504, 529)),
    RateLimitError("later", **WHO, status=429),
    ModelUnavailableError("connection reset", **WHO),
    ModelTimeoutError("late", **WHO),
]
LASTING: list[Exception] = [
    BadRequestError("no", **WHO, status=400),
    AuthenticationError("no", **WHO, status=401),
    AuthenticationError("no", **WHO, status=403),
    ModelNotFoundError("no", **WHO, status=404),
    QuotaError("no money", **WHO, status=429),
    ContextLengthError("long", **WHO),
    CircuitOpenError("open", **WHO),
    ReplyError("html", **WHO),
    ConfigurationError("no"),
    ValueError("no"),
]
chances = st.floats(0.0, 1.0, exclude_max=True)


def wait(
    error: BaseException, tries: int = 1, left_s: float = 1e6, chance: float = 0.5, **policy: Any
) -> float | GiveUp:
    return next_wait(RetryPolicy(**policy), error, tries=tries, time_left_s=left_s, chance=chance)


@pytest.mark.rows("C30", "C32")
@pytest.mark.parametrize("error", PASSING, ids=str)
def test_a_passing_error_is_tried_again_four_times_after_1_2_4_and_8_seconds(error: ModelError) -> None:
    assert [wait(error, tries) for tries in (1, 2, 3, 4)] == waits(RetryPolicy()) == [1.0, 2.0, 4.0, 8.0]
    assert wait(error, 5) == GiveUp("gave up after 5 tries")


@pytest.mark.rows("C32")
@pytest.mark.parametrize("error", LASTING, ids=repr)
def test_a_lasting_error_is_not_tried_again(error: Exception) -> None:
    assert not is_retried(error)
    assert wait(error) == GiveUp()


def test_an_error_that_was_given_up_is_not_tried_again() -> None:
    error = RateLimitError("later", **WHO)
    error.retryable = False
    assert wait(error) == GiveUp()


@pytest.mark.rows("C31")
@given(st.integers(1, 4), chances)
def test_jitter_is_at_most_a_fifth(tries: int, chance: float) -> None:
    seconds = wait(PASSING[0], tries, chance=chance)
    assert isinstance(seconds, float)
    assert 0.8 * 2 ** (tries - 1) <= seconds <= 1.2 * 2 ** (tries - 1)


@given(st.floats(0.0, 4_000.0), st.integers(1, 6), st.floats(0.0, 4_000.0), chances)
def test_a_wait_is_at_least_the_requested_one_and_never_past_cap_or_deadline(
    asked_s: float, tries: int, left_s: float, chance: float
) -> None:
    seconds = wait(RateLimitError("later", **WHO, retry_after_s=asked_s), tries, left_s, chance)
    if isinstance(seconds, GiveUp):
        assert tries > 4 or asked_s > 60.0 or max(asked_s, 0.8 * 2 ** (tries - 1)) >= left_s * 0.6
    else:
        assert asked_s <= seconds <= 60.0
        assert seconds < left_s


def test_a_wait_beyond_the_cap_or_the_deadline_is_an_error_with_the_wait() -> None:
    asked = RateLimitError("later", **WHO, retry_after_s=3_600.0)
    assert wait(asked) == GiveUp("asked to wait 3600 s, which is more than the longest wait of 60 s")
    given_up = wait(asked, left_s=10.0, longest_wait_s=4_000.0)
    assert isinstance(given_up, GiveUp)
    assert "10.0 s are left (asked to wait 3600 s)" in given_up.why


@pytest.mark.parametrize(
    "policy",
    [{"retries": -1}, {"retries": True}, {"jitter": 1.0}, {"first_wait_s": 0.0}, {"timeout_s": float("inf")},
     {"retries": 1.5}, {"retries": "4"}, {"jitter": "0.2"}, {"jitter": float("nan")}, {"first_wait_s": True}],
)  # fmt: skip
def test_an_invalid_policy_is_refused(policy: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        RetryPolicy(**policy)


def test_an_outage_is_no_answer_or_a_server_error_and_nothing_else() -> None:
    assert [error.status for error in PASSING if is_outage(error)] == [500, 502, 503, 504, 529, None, None]
    assert not any(is_outage(error) for error in LASTING)


def test_a_refused_call_is_free_and_one_of_unknown_outcome_is_not() -> None:
    free = [*PASSING[:-1], *LASTING[:7], ConfigurationError("no"), BudgetExceededError("max_calls", allowed=1, spent=1)]
    billed = [ModelTimeoutError("late", **WHO), ReplyError("html", **WHO), RefusalError("no", **WHO), ValueError()]
    assert not any(map(may_be_billed, free))
    assert all(map(may_be_billed, [*billed, asyncio.CancelledError()]))


def test_a_foreign_message_is_kept_without_secrets_and_only_its_beginning_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[int] = []
    monkeypatch.setattr(retry, "redact", lambda text: read.append(len(text)) or redact(text))
    error = ConnectionError("key sk-" + "a1b2c3d4" * 4 + " " + "x" * 1_000_000)
    said = str(passing_failure(error, **WHO, now=NOW))
    assert "ConnectionError: key [redacted]" in said
    assert len(said) < 1_000
    assert read[0] < 10_000  # a body of megabytes would hold up the event loop


def test_a_foreign_error_without_a_message_is_known_by_its_type() -> None:
    class Mute(ConnectionError):
        def __str__(self) -> str:
            raise RuntimeError("no words")

    assert isinstance(passing_failure(Mute(), **WHO, now=NOW), ModelUnavailableError)
