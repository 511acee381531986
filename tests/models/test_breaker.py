"""The breaker: closed, open, one probe at a time."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError
from jido_ai.models.limits import Breaker, BreakerRules, Outcome, admit, ended

RULES = BreakerRules(failures=3, probe_every_s=30.0)


def opened(now: float = 0.0) -> Breaker:
    breaker = Breaker()
    for call in range(3):
        breaker = ended(breaker, RULES, call, "outage", now)
    return breaker


def test_a_breaker_opens_after_a_number_of_failures_in_a_row() -> None:
    breaker = Breaker()
    for outcome in ("outage", "outage", "unknown", "answered", "outage", "unknown", "outage"):
        breaker = ended(breaker, RULES, 0, outcome, 0.0)  # type: ignore[arg-type]
        assert not breaker.is_open
        assert admit(breaker, RULES, 1, 0.0) == (breaker, 0.0)
    assert ended(breaker, RULES, 0, "outage", 0.0).is_open


@pytest.mark.rows("C40")
def test_half_a_minute_after_it_opened_one_probe_goes_and_the_others_wait_for_it() -> None:
    breaker = opened(now=10.0)
    assert admit(breaker, RULES, 7, 10.0) == (breaker, 30.0)
    assert admit(breaker, RULES, 7, 39.0)[1] == 1.0
    breaker, wait_s = admit(breaker, RULES, 7, 40.0)
    assert (wait_s, breaker.probe) == (0.0, 7)
    assert admit(breaker, RULES, 8, 100.0) == (breaker, math.inf)


@pytest.mark.rows("C40")
def test_the_answer_to_the_probe_closes_it() -> None:
    breaker, _ = admit(opened(), RULES, 7, 30.0)
    assert ended(breaker, RULES, 7, "answered", 31.0) == Breaker()


@pytest.mark.parametrize("outcome", ["outage", "unknown"])
def test_after_a_probe_that_failed_the_next_one_goes_half_a_minute_after_it_began(outcome: Outcome) -> None:
    breaker, _ = admit(opened(), RULES, 7, 30.0)
    breaker = ended(breaker, RULES, 7, outcome, 50.0)
    assert admit(breaker, RULES, 8, 50.0)[1] == 10.0
    assert admit(breaker, RULES, 8, 60.0)[1] == 0.0


@pytest.mark.parametrize("outcome", ["answered", "outage", "unknown"])
def test_calls_that_began_before_it_opened_change_nothing(outcome: Outcome) -> None:
    breaker = opened()
    assert ended(breaker, RULES, 99, outcome, 5.0) == breaker


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.floats(0.1, 40.0), st.booleans(), st.sampled_from(["answered", "outage", "unknown"]))))
def test_while_open_no_two_calls_go_within_half_a_minute(steps: list[tuple[float, bool, Outcome]]) -> None:
    breaker, now = opened(), 0.0
    probes: list[float] = []
    out: list[int] = []
    for number, (passed, asks, outcome) in enumerate(steps):
        now += passed
        if asks and breaker.is_open:
            breaker, wait_s = admit(breaker, RULES, number, now)
            assert wait_s >= 0.0
            if wait_s == 0.0:
                assert not out, "one probe at a time"
                probes.append(now)
                out.append(number)
        elif out:
            breaker = ended(breaker, RULES, out.pop(), outcome, now)
            if not breaker.is_open:
                break
    assert all(later - earlier >= 30.0 - 1e-9 for earlier, later in zip([0.0, *probes], probes, strict=False))


@pytest.mark.parametrize(
    "rules",
    [{"failures": 0}, {"failures": True}, {"failures": 1.5}, {"failures": "5"}, {"probe_every_s": 0.0},
     {"probe_every_s": float("nan")}, {"probe_every_s": "30"}],
)  # fmt: skip
def test_invalid_rules_are_refused(rules: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        BreakerRules(**rules)
