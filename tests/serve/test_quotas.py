"""Quotas: the windows of a minute and a day, and what counts in them."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from jido_ai.serve.problems import Problem
from jido_ai.serve.quotas import Cost, Quotas
from jido_ai.serve.tokens import Quota, Token

TODAY = date(2026, 3, 1)
YESTERDAY = TODAY - timedelta(days=1)


def token_with(id: str = "t", **quota: Any) -> Token:
    return Token(id=id, sha256="0" * 64, tenant="a", project="b", quota=Quota(**quota))


def admit(quotas: Quotas, token: Token, *, in_flight: int = 0, now: float = 0.0, day: date = TODAY) -> float | None:
    """Return None if the run may start; otherwise the seconds after which it may."""
    try:
        quotas.admit(token, in_flight=in_flight, now=now, day=day, until_midnight_s=3600.0)
    except Problem as problem:
        return problem.retry_after_s if problem.kind == "quota" else -1.0
    return None


def test_a_token_without_limits_may_always_start_a_run() -> None:
    quotas, token = Quotas(), token_with()
    quotas.spend("t", TODAY, Cost(10**9, 1e9))
    assert [admit(quotas, token, in_flight=10_000) for _ in range(100)] == [None] * 100


@pytest.mark.parametrize("most", [1, 2, 5])
def test_as_many_runs_as_allowed_may_be_in_flight(most: int) -> None:
    quotas, token = Quotas(), token_with(runs_at_once=most)
    assert admit(quotas, token, in_flight=most - 1) is None
    assert admit(quotas, token, in_flight=most) == 1


@pytest.mark.parametrize("most", [1, 3])
def test_a_start_counts_for_a_minute_exactly(most: int) -> None:
    quotas, token = Quotas(), token_with(runs_a_minute=most)
    assert [admit(quotas, token, now=100.0) for _ in range(most)] == [None] * most
    assert admit(quotas, token, now=130.0) == 30.0
    assert admit(quotas, token, now=159.5) == 0.5
    assert admit(quotas, token, now=160.0) is None


def test_a_refused_run_does_not_count_as_a_start() -> None:
    quotas, token = Quotas(), token_with(runs_a_minute=1, runs_at_once=1)
    assert admit(quotas, token, in_flight=1, now=0.0) == 1
    assert admit(quotas, token, now=0.0) is None
    assert admit(quotas, token, now=30.0) == 30.0
    assert admit(quotas, token, now=60.0) is None


@pytest.mark.parametrize(
    ("quota", "spent", "more"),
    [
        ({"tokens_a_day": 100}, {"tokens": 99}, {"tokens": 1}),
        ({"dollars_a_day": 0.5}, {"dollars": 0.25}, {"dollars": 0.25}),
    ],
    ids=["tokens", "dollars"],
)
def test_spending_of_a_day_is_refused_at_its_limit_until_midnight(
    quota: dict[str, Any], spent: dict[str, Any], more: dict[str, Any]
) -> None:
    quotas, token = Quotas(), token_with(**quota)
    quotas.spend("t", TODAY, Cost(**spent))
    assert admit(quotas, token) is None
    quotas.spend("t", TODAY, Cost(**more))
    assert admit(quotas, token) == 3600.0
    assert admit(quotas, token, day=TODAY + timedelta(days=1)) is None


@pytest.mark.parametrize("late", [YESTERDAY, YESTERDAY - timedelta(days=30)])
def test_a_run_of_an_earlier_day_that_ends_today_is_not_counted_today(late: date) -> None:
    quotas, token = Quotas(), token_with(tokens_a_day=100)
    quotas.spend("t", TODAY, Cost(1))
    quotas.spend("t", late, Cost(1_000))
    assert admit(quotas, token) is None
    quotas.spend("t", TODAY, Cost(99))
    assert admit(quotas, token) == 3600.0


def test_each_token_has_its_own_counts() -> None:
    quotas = Quotas()
    one, other = (token_with(id, runs_a_minute=1, tokens_a_day=5) for id in ("one", "other"))
    quotas.spend("one", TODAY, Cost(5))
    assert admit(quotas, one) == 3600.0
    assert admit(quotas, other) is None
    assert admit(quotas, other) == 60.0
