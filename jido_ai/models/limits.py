"""May this call start? Rate limits, holds and the breaker of a place (a provider at an address), as one value. Pure.

A guard applies the rules to states of its own. Processes that share limits apply them to a JSON value in a store that
all of them reach: each reads it, applies a rule, and writes it back unless another has changed it meanwhile.

Rate limits are leaky buckets: a tenth of a minute's limit as a burst, the rest evenly. The breaker opens after too many
failures in a row; then calls wait, and every `probe_every_s` one of them goes as a probe, alone. The probe's answer
closes it. What calls that began earlier bring home while it is open changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, Protocol, TypeVar

from jido_ai.errors import ConfigurationError, describe
from jido_ai.text.numbers import is_number

T = TypeVar("T")
_LOOK_AGAIN_S: Final = 0.5
"""Longest pause between two looks, since nobody is told when another process changes the state."""
_PROBE_S: Final = 0.5
"""A call with less time than that for its probe fails at once, with the failure before: its deadline would hide it."""


# -- rates -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `per_minute` in any half-open minute, at least 1.

    Raises:
        ConfigurationError: below 1, or no whole number.
    """

    per_minute: int

    def __post_init__(self) -> None:
        if isinstance(self.per_minute, bool) or self.per_minute < 1:
            raise ConfigurationError(f"a limit per minute must be at least 1, got {self.per_minute!r}")

    @property
    def burst(self) -> int:
        """The number of calls that may start at once after a pause."""
        return max(1, self.per_minute // 10)

    @property
    def interval_s(self) -> float:
        """The seconds per call; with the burst, no minute has more than the limit."""
        return 60.0 / (self.per_minute - self.burst + 1)


def take(rate: Rate, empty_at: float, now: float, amount: int) -> tuple[float, float]:
    """Put `amount` into the bucket: return the seconds to wait before it counts as there, and when it will be empty.

    More than the burst waits until the bucket is so far ahead of it that the minute after holds no more than it may.

    Args:
        empty_at: when the bucket is empty as it is.
    """
    empty_at = max(empty_at, now) + amount * rate.interval_s
    return max(0.0, empty_at - rate.burst * rate.interval_s - now), empty_at


# -- the breaker -----------------------------------------------------------------------------------

Outcome = Literal["answered", "outage", "unknown"]
"""How a call ended: the provider answered (a refusal is an answer), it seems to be down, or this is unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakerRules:
    """When a breaker opens, and how often it probes.

    Attributes:
        failures: in a row that open it, at least 1.
        probe_every_s: from the opening to the first probe, and from the beginning of one probe to the next.

    Raises:
        ConfigurationError: a figure is out of range.

    Source: a probe every 30 s (SPEC C40).
    """

    failures: int = 5
    probe_every_s: float = 30.0

    def __post_init__(self) -> None:
        if isinstance(self.failures, bool) or not isinstance(self.failures, int) or self.failures < 1:
            raise ConfigurationError(f"failures must be a whole number of at least 1, got {describe(self.failures)}")
        if not is_number(self.probe_every_s) or self.probe_every_s <= 0.0:
            raise ConfigurationError(f"probe_every_s must be above 0 s and finite, got {describe(self.probe_every_s)}")


@dataclass(frozen=True, slots=True)
class Breaker:
    """The state of a breaker.

    Attributes:
        failures: in a row, while closed.
        next_probe: time of the next probe; None when it is closed.
        probe: the call that is out as a probe.
    """

    failures: int = 0
    next_probe: float | None = None
    probe: int | None = None

    @property
    def is_open(self) -> bool:
        """True while only probes go."""
        return self.next_probe is not None


def admit(breaker: Breaker, rules: BreakerRules, call: int, now: float) -> tuple[Breaker, float]:
    """Ask whether a call may go: 0.0 when it may, else the seconds until it is worth asking again.

    While a probe is out that is infinity: whatever ends the probe changes the breaker.
    """
    if breaker.next_probe is None:
        return breaker, 0.0
    if breaker.probe is not None:
        return breaker, math.inf
    if now < breaker.next_probe:
        return breaker, breaker.next_probe - now
    return replace(breaker, probe=call, next_probe=now + rules.probe_every_s), 0.0


def ended(breaker: Breaker, rules: BreakerRules, call: int, outcome: Outcome, now: float) -> Breaker:
    """Return the breaker after a call has ended. A probe with an unknown end counts as failed."""
    if breaker.is_open:
        if breaker.probe != call:
            return breaker
        return Breaker() if outcome == "answered" else replace(breaker, probe=None)
    if outcome != "outage":
        return breaker if outcome == "unknown" or not breaker.failures else Breaker()
    failures = breaker.failures + 1
    if failures < rules.failures:
        return replace(breaker, failures=failures)
    return Breaker(failures=failures, next_probe=now + rules.probe_every_s)


_CLOSED: Final = Breaker()


# -- both, for one place ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitedCall:
    """A call that wants to start.

    Attributes:
        id: unique among all processes.
        tokens: that it may use at most.
        requests_per_minute, tokens_per_minute: None is no limit. Calls with equal limits share them.
        breaker: None is no breaker. Calls to one model with equal rules share it.
        model: behind one address, a model that is down does not stop the others.
        gate: the key of the breaker; "" without one.
    """

    id: int
    tokens: int = 0
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    breaker: BreakerRules | None = None
    model: str = ""
    gate: str = field(init=False, default="")

    def __post_init__(self) -> None:
        if self.breaker is not None:
            gate = f"{self.breaker.failures} {self.breaker.probe_every_s!r} {self.model}"
            object.__setattr__(self, "gate", gate)

    @property
    def lane(self) -> str:
        """Return the key of the rate limits."""
        return f"{self.requests_per_minute} {self.tokens_per_minute}"


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
    call: LimitedCall,
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
    if not waits_when_open or needed_s + _PROBE_S > time_left_s:
        return state, Answer("open", until_probe_s, has_share=True, failures=after.failures)
    look_in_s = min(wait_s, longest_s)
    return state, Answer("wait", look_in_s, has_share=True, failures=after.failures, in_all_s=wait_s, why="open")


def held(state: PlaceState, now: float, seconds: float) -> PlaceState:
    """Return the state with all calls held for that long."""
    return replace(state, hold_until=max(state.hold_until, now + seconds)) if seconds > 0.0 else state


def leave(state: PlaceState, call: LimitedCall, outcome: Outcome, now: float, *, hold_s: float = 0.0) -> PlaceState:
    """Return the state after a call has ended; of a place that the provider asked to leave alone, with the hold."""
    state = held(state, now, hold_s)
    if call.breaker is None:
        return state
    before = state.breakers.get(call.gate, _CLOSED)
    return _with_breaker(state, call, ended(before, call.breaker, call.id, outcome, now))


def is_open(state: PlaceState, call: LimitedCall) -> bool:
    """True if the breaker is open."""
    return state.breakers.get(call.gate, _CLOSED).is_open


def _share(state: PlaceState, call: LimitedCall, now: float, time_left_s: float) -> tuple[PlaceState, float]:
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


def _with_breaker(state: PlaceState, call: LimitedCall, breaker: Breaker) -> PlaceState:
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
