"""Breaker, rate limits and holds of a place (a provider at an address), as one value. Pure but for the protocol.

A guard applies the rules to states of its own. Processes that share limits apply them to a JSON value in a store that
all of them reach: each reads it, applies a rule, and writes it back unless another has changed it meanwhile.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, Protocol, TypeVar

from jido_ai.models.breaker import Breaker, BreakerRules, Outcome, admit, ended, suspicious
from jido_ai.models.rate import Rate, take

__all__ = [
    "Answer",
    "Call",
    "Change",
    "PlaceState",
    "SharedLimits",
    "enter",
    "held",
    "is_open",
    "leave",
    "suspected",
]

T = TypeVar("T")
_CLOSED: Final = Breaker()
_LOOK_AGAIN_S: Final = 0.5
"""Longest pause between two looks, since nobody is told when another process changes the state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call that wants to start.

    Attributes:
        id: unique among all processes.
        tokens: that it may use at most.
        requests_per_minute, tokens_per_minute: None is no limit. Calls with equal limits share them.
        breaker: None is no breaker. Calls to one model with equal rules share it.
        model: behind one address, a model that is down does not stop the others.
    """

    id: int
    tokens: int = 0
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    breaker: BreakerRules | None = None
    model: str = ""

    @property
    def lane(self) -> str:
        """Return the key of the rate limits."""
        return f"{self.requests_per_minute} {self.tokens_per_minute}"

    @property
    def gate(self) -> str:
        """Return the key of the breaker; "" without one."""
        return "" if self.breaker is None else f"{self.breaker.failures} {self.breaker.probe_every_s!r} {self.model}"


@dataclass(frozen=True, slots=True)
class PlaceState:
    """The shared state of a place. Times are seconds of the store's clock.

    Attributes:
        hold_until: no call starts before; the provider asked to wait.
        breakers: by their rules and model.
        empty_at: when the buckets of requests and tokens are empty, by the limits.
    """

    hold_until: float = 0.0
    breakers: Mapping[str, Breaker] = field(default_factory=dict[str, Breaker])
    empty_at: Mapping[str, tuple[float, float]] = field(default_factory=dict[str, tuple[float, float]])

    def to_map(self) -> dict[str, Any]:
        """Return the state as JSON values."""
        return {
            "hold_until": self.hold_until,
            "breakers": {key: [one.failures, one.next_probe, one.probe] for key, one in self.breakers.items()},
            "empty_at": {key: list(one) for key, one in self.empty_at.items()},
        }

    @classmethod
    def from_map(cls, values: Mapping[str, Any]) -> PlaceState:
        """Return the state that `to_map` wrote; without values, the state of a place before its first call.

        Raises:
            LookupError, TypeError, ValueError: something else wrote them.
        """
        return cls(
            hold_until=float(values.get("hold_until", 0.0)),
            breakers={key: _breaker(*one) for key, one in values.get("breakers", {}).items()},
            empty_at={key: (float(a), float(b)) for key, (a, b) in values.get("empty_at", {}).items()},
        )


def _breaker(failures: int, next_probe: float | None, probe: int | None) -> Breaker:
    return Breaker(int(failures), None if next_probe is None else float(next_probe), probe)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a call.

    Attributes:
        word: "go"; "wait" and ask again after `wait_s`; or refused, because the limits on requests and tokens leave
            no "room" before the deadline, the provider asked to "hold", or the breaker is "open".
        has_share: the call's part of the rate limits is taken, which happens once.
        failures: in a row, as the breaker has them.
        in_all_s: for "wait", the seconds until the call may start if nothing changes; infinity while a probe is out.
        why: for "wait", the word of the refusal if there were no time to wait.
    """

    word: Literal["go", "wait", "room", "hold", "open"]
    wait_s: float = 0.0
    has_share: bool = False
    failures: int = 0
    in_all_s: float = 0.0
    why: Literal["room", "hold", "open"] = "room"


def enter(
    state: PlaceState,
    call: Call,
    now: float,
    *,
    has_share: bool,
    waits_when_open: bool,
    time_left_s: float,
    sees_ends: bool = False,
) -> tuple[PlaceState, Answer]:
    """Ask whether a call may start: first for its part of the rate limits, then for the hold and the breaker.

    Args:
        has_share: as in the previous answer to the same call.
        waits_when_open: False refuses at once while the breaker is open.
        sees_ends: the caller learns at once when a probe ends. If not, it looks again every half second, and a probe
            that has not ended when the next one is due is taken for lost, with its process.
    """
    longest_s = math.inf if sees_ends else _LOOK_AGAIN_S
    if not has_share:
        state, wait_s = _share(state, call, now, time_left_s)
        if wait_s >= time_left_s and wait_s > 0.0:
            return state, Answer("room", wait_s)
        if wait_s > 0.0:
            return state, Answer("wait", wait_s, has_share=True, in_all_s=wait_s)
    wait_s = state.hold_until - now
    if wait_s > 0.0:
        if wait_s >= time_left_s:
            return state, Answer("hold", wait_s, has_share=True)
        return state, Answer("wait", min(wait_s, longest_s), has_share=True, in_all_s=wait_s, why="hold")
    if call.breaker is None:
        return state, Answer("go", has_share=True)
    before = state.breakers.get(call.gate, _CLOSED)
    after, wait_s = admit(before if sees_ends else _living(before, now), call.breaker, call.id, now)
    state = _with_breaker(state, call, after)
    if wait_s <= 0.0:
        return state, Answer("go", has_share=True, failures=after.failures)
    until_probe_s = max(0.0, (after.next_probe or now) - now)
    needed_s = 0.0 if sees_ends and wait_s == math.inf else until_probe_s  # the probe may end at any time
    if not waits_when_open or needed_s >= time_left_s:
        return state, Answer("open", until_probe_s, has_share=True, failures=after.failures)
    look_in_s = min(wait_s, longest_s)
    return state, Answer("wait", look_in_s, has_share=True, failures=after.failures, in_all_s=wait_s, why="open")


def held(state: PlaceState, now: float, seconds: float) -> PlaceState:
    """Return the state with all calls held for that long."""
    return replace(state, hold_until=max(state.hold_until, now + seconds)) if seconds > 0.0 else state


def leave(state: PlaceState, call: Call, outcome: Outcome, now: float, *, hold_s: float = 0.0) -> PlaceState:
    """Return the state after a call has ended; of a place that the provider asked to leave alone, with the hold."""
    state = held(state, now, hold_s)
    if call.breaker is None:
        return state
    before = state.breakers.get(call.gate, _CLOSED)
    return _with_breaker(state, call, ended(before, call.breaker, call.id, outcome, now))


def suspected(state: PlaceState, call: Call, now: float) -> PlaceState:
    """Return the state for a call whose limits are new after a restart: used up, and a single call goes first."""
    if call.breaker is not None and call.gate not in state.breakers:
        state = replace(state, breakers={**state.breakers, call.gate: suspicious(now)})
    if call.lane not in state.empty_at:
        limits = (call.requests_per_minute, call.tokens_per_minute)
        rates = [None if limit is None else Rate(limit) for limit in limits]
        requests, tokens = (now if rate is None else now + rate.burst * rate.interval_s for rate in rates)
        state = replace(state, empty_at={**state.empty_at, call.lane: (requests, tokens)})
    return state


def is_open(state: PlaceState, call: Call) -> bool:
    """True if the breaker is open."""
    return state.breakers.get(call.gate, _CLOSED).is_open


def _share(state: PlaceState, call: Call, now: float, time_left_s: float) -> tuple[PlaceState, float]:
    """Take a call's part of the rate limits; return the wait. Takes nothing if the wait is too long."""
    if call.requests_per_minute is None and call.tokens_per_minute is None:
        return state, 0.0
    waits, emptied = list[float](), list[float]()
    empty_at = state.empty_at.get(call.lane, (0.0, 0.0))
    for per_minute, amount, at in zip(
        (call.requests_per_minute, call.tokens_per_minute), (1, call.tokens), empty_at, strict=True
    ):
        wait_s, at_after = (0.0, at) if per_minute is None else take(Rate(per_minute), at, now, amount)
        waits.append(wait_s)
        emptied.append(at_after)
    wait_s = max(waits)
    if wait_s >= time_left_s and wait_s > 0.0:
        return state, wait_s
    return replace(state, empty_at={**state.empty_at, call.lane: (emptied[0], emptied[1])}), wait_s


def _living(breaker: Breaker, now: float) -> Breaker:
    """Return a breaker without the probe of a process that died: when the next one is due, it is over."""
    is_over = breaker.probe is not None and breaker.next_probe is not None and now >= breaker.next_probe
    return replace(breaker, probe=None) if is_over else breaker


def _with_breaker(state: PlaceState, call: Call, breaker: Breaker) -> PlaceState:
    if breaker == state.breakers.get(call.gate, _CLOSED):
        return state
    return replace(state, breakers={**state.breakers, call.gate: breaker})


Change = Callable[[PlaceState, float], tuple[PlaceState, T]]
"""Of a state and the store's time: the state afterwards, and what the caller wants to know."""


class SharedLimits(Protocol):
    """Keeps the states of places for several processes."""

    def change(self, provider: str, base_url: str, rule: Change[T]) -> Awaitable[T]:
        """Apply a rule to the state of a place, and keep the result; the rule is applied again if another was faster.

        Raises:
            StoreError: the store cannot be reached, or has something else in this place.
        """
        ...
