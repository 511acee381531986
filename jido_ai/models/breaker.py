"""The circuit breaker: after too many failures in a row, only a probe is sent now and then. Pure.

Closed, calls go. After `failures` failures in a row it opens; calls wait, and every `probe_every_s` one of them goes as
a probe, alone. The probe's answer closes it. What calls that began earlier bring home while it is open changes nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

from jido_ai.errors import ConfigurationError, describe
from jido_ai.text.numbers import is_number

__all__ = ["Breaker", "BreakerRules", "Outcome", "admit", "ended", "suspicious"]

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


def suspicious(now: float) -> Breaker:
    """Return a new breaker: a single call goes first, and its result decides."""
    return Breaker(next_probe=now)


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
