"""Calls that wait for limits which several processes share."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import Final, TypeVar

from jido_ai.errors import (
    CircuitOpenError,
    ModelError,
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitError,
    StoreError,
)
from jido_ai.models.breaker import Outcome
from jido_ai.models.shared_limits import (
    Answer,
    Call,
    Change,
    PlaceState,
    SharedLimits,
    enter,
    is_open,
    leave,
)
from jido_ai.telemetry import Sink, TelemetryEvent

__all__ = ["DOWN", "SharedCalls", "refusal"]

T = TypeVar("T")
_CLOSING_S: Final = 5.0
DOWN: Final = "the provider failed too often"
"""The reason for a wait while the breaker is open, if the failure is not known here."""


class SharedCalls:
    """The calls of one process to places whose limits are shared.

    Args:
        limits: keeps the states of the places.
        sink: receives provider.failed and provider.recovered from the process that noticed, and limits.store_failed.
    """

    def __init__(self, limits: SharedLimits, sink: Sink) -> None:
        self._limits = limits
        self._sink = sink
        self._failures: dict[int, int] = {}  # of the breaker when a call started
        self._leaving: set[asyncio.Task[None]] = set()

    async def enter(
        self,
        provider: str,
        base_url: str,
        call: Call,
        *,
        waits_when_open: bool,
        time_left_s: float,
        on_wait: Callable[[str, float], None] = lambda why, wait_s: None,
    ) -> None:
        """Wait until a call may start.

        Raises:
            RateLimitError, CircuitOpenError, ModelTimeoutError: it cannot start in time.
            ModelUnavailableError: the store of the limits cannot be used.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + time_left_s
        has_share = False
        told_until = 0.0

        def rule(state: PlaceState, now: float) -> tuple[PlaceState, Answer]:
            return enter(
                state,
                call,
                now,
                has_share=has_share,
                waits_when_open=waits_when_open,
                time_left_s=deadline - loop.time(),
            )

        while True:
            self._failures[call.id] = 1  # until it is known: its end must not be lost
            try:
                answer = await self._changed(provider, base_url, rule)
            except BaseException:
                self.leave(provider, base_url, call, "unknown")  # it may have been let in, as a probe
                raise
            if answer.word == "go":
                self._failures[call.id] = answer.failures
                return
            del self._failures[call.id]
            if answer.word != "wait":
                raise refusal(provider, answer)
            has_share = answer.has_share
            until = loop.time() + answer.in_all_s
            if told_until + 1.0 < until < math.inf:
                told_until = until
                on_wait(DOWN if answer.failures else "the limits that workers share are reached", answer.in_all_s)
            await asyncio.sleep(answer.wait_s)

    def leave(self, provider: str, base_url: str, call: Call, outcome: Outcome, hold_s: float = 0.0) -> None:
        """Note the end of a call. Never waits."""
        failures = self._failures.pop(call.id, None)
        if failures is None or (failures == 0 and outcome != "outage" and hold_s == 0.0):
            return
        task = asyncio.get_running_loop().create_task(self._leave(provider, base_url, call, outcome, hold_s))
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    async def is_open(self, provider: str, base_url: str, call: Call) -> bool:
        """True if the breaker is open, after the ends that were noted before."""
        if self._leaving:
            await asyncio.wait(self._leaving)

        def rule(state: PlaceState, now: float) -> tuple[PlaceState, bool]:
            del now
            return state, is_open(state, call)

        return await self._changed(provider, base_url, rule)

    async def close(self) -> None:
        """Wait until the ends of calls are written, at most five seconds."""
        if self._leaving:
            await asyncio.wait(self._leaving, timeout=_CLOSING_S)

    async def _leave(self, provider: str, base_url: str, call: Call, outcome: Outcome, hold_s: float) -> None:
        def rule(state: PlaceState, now: float) -> tuple[PlaceState, tuple[bool, bool]]:
            after = leave(state, call, outcome, now, hold_s=hold_s)
            return after, (is_open(state, call), is_open(after, call))

        try:
            before, after = await self._limits.change(provider, base_url, rule)
        except StoreError as error:  # a probe without an end is over at the time of the next one
            self._sink(TelemetryEvent("limits.store_failed", {"provider": provider, "error": type(error).__name__}))
            return
        if before != after:
            name = "provider.failed" if after else "provider.recovered"
            self._sink(TelemetryEvent(name, {"provider": provider, **({"model": call.model} if call.model else {})}))

    async def _changed(self, provider: str, base_url: str, rule: Change[T]) -> T:
        try:
            return await self._limits.change(provider, base_url, rule)
        except StoreError as error:
            text = f"the limits that workers share are out of reach: {error}"
            raise ModelUnavailableError(text, provider=provider) from error


def refusal(provider: str, answer: Answer) -> ModelError:
    """Return the error for a call that cannot start in time."""
    if answer.word == "room":
        text = "the limits on requests or tokens per minute leave no room before the call's deadline"
        return ModelTimeoutError(text, provider=provider)
    if answer.word == "hold":
        text = f"the provider asks to wait {answer.wait_s:.1f} s more, which is past the deadline"
        return RateLimitError(text, provider=provider, retry_after_s=answer.wait_s)
    text = f"the provider failed {answer.failures} times in a row; the next probe is in {answer.wait_s:.1f} s"
    return CircuitOpenError(text, provider=provider, retry_after_s=answer.wait_s)
