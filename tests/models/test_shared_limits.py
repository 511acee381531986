"""Limits that processes share: the rules, applied to one state by calls of any process."""

from __future__ import annotations

import json
from math import inf

from hypothesis import given
from hypothesis import strategies as st

from jido_ai.models.limits import Answer, Breaker, BreakerRules, LimitedCall, Outcome, PlaceState, is_open, leave
from jido_ai.models.limits import enter as ask

RULES = BreakerRules(failures=3, probe_every_s=30.0)
TIMES = st.floats(0.0, 1e9)
BREAKERS = st.builds(Breaker, st.integers(0, 9), st.none() | TIMES, st.none() | st.integers(0, 2**53))


def enter(
    state: PlaceState, call: LimitedCall, now: float, *, waits: bool = True, left: float = 1_000.0
) -> tuple[PlaceState, Answer]:
    """Ask for a call that has no share yet."""
    return ask(state, call, now, has_share=False, waits_when_open=waits, time_left_s=left)


def opened(now: float = 0.0) -> PlaceState:
    """Return a state with an open breaker."""
    state = PlaceState()
    for number in range(3):
        state = leave(state, LimitedCall(id=number, breaker=RULES), "outage", now)
    return state


def test_failures_of_any_process_open_the_breaker_for_all() -> None:
    state = opened()
    assert is_open(state, LimitedCall(id=99, breaker=RULES))
    assert enter(state, LimitedCall(id=99, breaker=RULES), 1.0)[1] == Answer(
        "wait", 0.5, has_share=True, failures=3, in_all_s=29.0, why="open"
    )
    assert enter(state, LimitedCall(id=99, breaker=RULES), 1.0, waits=False)[1].word == "open"
    assert enter(state, LimitedCall(id=99, breaker=RULES), 1.0, left=29.0)[1] == Answer("open", 29.0, True, 3)


def test_models_with_other_rules_or_without_a_breaker_are_not_affected() -> None:
    assert enter(opened(), LimitedCall(id=9, breaker=BreakerRules(failures=9)), 1.0)[1].word == "go"
    assert enter(opened(), LimitedCall(id=9), 1.0)[1].word == "go"


def test_one_probe_is_sent_for_all_processes_and_its_answer_closes_the_breaker() -> None:
    probe, other = LimitedCall(id=7, breaker=RULES), LimitedCall(id=8, breaker=RULES)
    state, answer = enter(opened(), probe, 30.0)
    assert answer.word == "go"
    state, answer = enter(state, other, 31.0)
    assert answer.word == "wait"
    state = leave(state, probe, "answered", 32.0)
    assert enter(state, other, 32.0)[1] == Answer("go", has_share=True)


def test_a_caller_that_sees_the_end_of_a_probe_waits_for_it_however_long_it_takes() -> None:
    probe, other = LimitedCall(id=7, breaker=RULES), LimitedCall(id=8, breaker=RULES)
    state, _ = enter(opened(), probe, 30.0)
    for now, left_s in ((31.0, 5.0), (90.0, 100.0)):
        _, answer = ask(state, other, now, has_share=True, waits_when_open=True, time_left_s=left_s, sees_ends=True)
        assert (answer.word, answer.wait_s) == ("wait", inf)
    assert ask(state, other, 31.0, has_share=True, waits_when_open=True, time_left_s=5.0)[1].word == "open"


def test_the_probe_of_a_process_that_died_is_over_when_the_next_one_is_due() -> None:
    state, _ = enter(opened(), LimitedCall(id=7, breaker=RULES), 30.0)
    assert enter(state, LimitedCall(id=8, breaker=RULES), 59.9)[1].word == "wait"
    state, answer = enter(state, LimitedCall(id=8, breaker=RULES), 60.0)
    assert answer.word == "go"
    assert is_open(leave(state, LimitedCall(id=7, breaker=RULES), "answered", 61.0), LimitedCall(id=8, breaker=RULES))


def test_a_pause_requested_by_the_provider_holds_all_calls() -> None:
    state = leave(PlaceState(), LimitedCall(id=1), "answered", 10.0, hold_s=5.0)
    assert enter(state, LimitedCall(id=2), 12.0)[1].word == "wait"
    assert enter(state, LimitedCall(id=2), 12.0, left=3.0)[1] == Answer("hold", 3.0, has_share=True)
    assert enter(state, LimitedCall(id=2), 15.0)[1].word == "go"


def test_a_call_without_time_for_its_turn_takes_no_share() -> None:
    call = LimitedCall(id=1, requests_per_minute=1)
    state, answer = enter(PlaceState(), call, 0.0)
    assert answer.word == "go"
    assert enter(state, call, 0.0, left=59.0) == (state, Answer("room", 60.0))


def test_a_share_is_taken_once() -> None:
    call = LimitedCall(id=1, requests_per_minute=1)
    state, _ = enter(PlaceState(), call, 0.0)
    state, answer = enter(state, call, 0.0)
    assert (answer.word, answer.wait_s, answer.has_share) == ("wait", 60.0, True)
    assert ask(state, call, 60.0, has_share=True, waits_when_open=True, time_left_s=9.0) == (
        state,
        Answer("go", has_share=True),
    )


@given(
    per_minute=st.integers(1, 40),
    pauses=st.lists(st.floats(0.0, 10.0), min_size=1, max_size=150),
)
def test_no_minute_holds_more_calls_of_all_processes_than_the_limit(per_minute: int, pauses: list[float]) -> None:
    state, now, starts = PlaceState(), 0.0, list[float]()
    for number, pause in enumerate(pauses):
        now += pause
        state, answer = enter(state, LimitedCall(id=number, requests_per_minute=per_minute), now, left=1e9)
        starts.append(now + answer.wait_s)
    starts.sort()
    for first, start in enumerate(starts):
        assert sum(start <= other < start + 60.0 - 1e-6 for other in starts[first:]) <= per_minute


@given(
    hold=TIMES,
    breakers=st.dictionaries(st.text(), BREAKERS),
    empty_at=st.dictionaries(st.text(), st.tuples(TIMES, TIMES)),
)
def test_a_state_is_the_same_after_a_trip_through_json(
    hold: float, breakers: dict[str, Breaker], empty_at: dict[str, tuple[float, float]]
) -> None:
    state = PlaceState(hold, breakers, empty_at)
    assert PlaceState.from_map(json.loads(json.dumps(state.to_map()))) == state


@given(outcomes=st.lists(st.sampled_from(["answered", "outage", "unknown"])))
def test_the_breaker_opens_after_three_outages_in_a_row_and_not_before(outcomes: list[Outcome]) -> None:
    state, in_a_row = PlaceState(), 0
    for number, outcome in enumerate(outcomes):
        state = leave(state, LimitedCall(id=number, breaker=RULES), outcome, 0.0)
        in_a_row = in_a_row + 1 if outcome == "outage" else 0 if outcome == "answered" else in_a_row
        if in_a_row == 3:
            assert is_open(state, LimitedCall(id=0, breaker=RULES))
            return
        assert not is_open(state, LimitedCall(id=0, breaker=RULES))


@given(
    st.dictionaries(st.text(), BREAKERS, max_size=3),
    st.sampled_from(("answered", "unknown")),
    st.none() | st.just(RULES),
    TIMES,
)
def test_a_call_that_is_no_outage_changes_nothing_where_its_model_has_not_failed(
    breakers: dict[str, Breaker], outcome: Outcome, rules: BreakerRules | None, now: float
) -> None:
    call = LimitedCall(id=1, breaker=rules, model="m")
    breakers.pop(call.gate, None)
    state = PlaceState(breakers=breakers)
    assert leave(state, call, outcome, now) is state
