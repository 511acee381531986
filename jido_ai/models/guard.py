"""The guard: may this call start? Rate limits, concurrency, holds and breakers of all places, shared by their models.

Models that name no guard of their own share `GUARD`. A guard keeps the state of each event loop apart; several
processes share it through a store, all but the limit of concurrent calls.
"""

from __future__ import annotations

import asyncio
import math
import secrets
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Final, Literal, TypeVar
from weakref import WeakKeyDictionary

from jido_ai.errors import (
    CircuitOpenError,
    ConfigurationError,
    ModelError,
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitError,
    StoreError,
)
from jido_ai.models.limits import (
    Answer,
    BreakerRules,
    Change,
    LimitedCall,
    Outcome,
    PlaceState,
    SharedLimits,
    enter,
    held,
    is_open,
    leave,
)
from jido_ai.models.providers.headers import RateLimits
from jido_ai.telemetry import Sink, TelemetryEvent, safe_sink
from jido_ai.text.redaction import redact

T = TypeVar("T")
WhenOpen = Literal["wait", "fail"]
_CLOSING_S: Final = 5.0
_SHOWN_CHARS: Final = 300
_TOKEN_SHARE: Final = 10.0
_UNUSED: Final = PlaceState()
_DOWN: Final = "the provider failed too often"
_WHY: Final = {
    "room": "our limit on requests or tokens per minute is reached",
    "hold": "the provider asks to wait",
    "open": _DOWN,
}
_LONGEST_HOLD_S: Final = 60.0
"""Longer waits that a provider asks for are cut to this."""


@dataclass(frozen=True, slots=True)
class ProviderAddress:
    """The destination of calls, which has the rate limits."""

    provider: str
    base_url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardLimits:
    """Limits of calls to a place; None is no limit. Models with equal limits share them.

    Attributes:
        requests_per_minute, tokens_per_minute: at least 1. A tenth may be used at once, the rest evenly. A call
            with more tokens than a minute's limit waits longer; a cancelled call still counts.
        max_concurrency: concurrent calls, at least 1.
        breaker: rules of the circuit breaker of each model.

    Raises:
        ConfigurationError: a number is out of range.
    """

    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    max_concurrency: int | None = 256
    breaker: BreakerRules | None = field(default_factory=BreakerRules)

    def __post_init__(self) -> None:
        for name in ("requests_per_minute", "tokens_per_minute", "max_concurrency"):
            limit: object = getattr(self, name)
            if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
                raise ConfigurationError(f"{name} must be None or a whole number of at least 1, got {limit!r}")


@dataclass(slots=True, eq=False)
class Pass:
    """Permission for one call, returned with `leave`.

    Attributes:
        call: what the limits know of the call.
        slots: of concurrent calls; None is no limit.
        store: keeps the state of the place for several processes; None if it is kept here.
        failures: of the breaker when the call started; 0 before it starts, 1 while that is unknown.
        is_over: it was returned.
    """

    place: ProviderAddress
    call: LimitedCall
    slots: asyncio.Semaphore | None
    store: SharedLimits | None
    failures: int = 0
    is_over: bool = False


OnWait = Callable[[str, float], None]
"""Called before each wait with the reason and the seconds; infinity is until a probe ends."""


@dataclass(frozen=True, slots=True)
class _Failure:
    """The last failure of a model, for the errors of calls that are not made because of it."""

    message: str
    model: str | None
    status: int | None


@dataclass(slots=True)
class _Here:
    """The state of one event loop.

    Attributes:
        ids: of its calls; no other process has them.
    """

    ids: count[int] = field(default_factory=lambda: count(secrets.randbits(52)))
    places: dict[ProviderAddress, PlaceState] = field(default_factory=dict[ProviderAddress, PlaceState])
    slots: dict[tuple[ProviderAddress, int], asyncio.Semaphore] = field(
        default_factory=dict[tuple[ProviderAddress, int], asyncio.Semaphore]
    )
    changed: dict[ProviderAddress, asyncio.Event] = field(default_factory=dict[ProviderAddress, asyncio.Event])
    failures: dict[tuple[ProviderAddress, str], _Failure] = field(
        default_factory=dict[tuple[ProviderAddress, str], _Failure]
    )
    stores: list[SharedLimits] = field(default_factory=list[SharedLimits])
    writing: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])


class Guard:
    """Admits calls, first come, first served, with one pass per call."""

    def __init__(self) -> None:
        self._loops: WeakKeyDictionary[asyncio.AbstractEventLoop, _Here] = WeakKeyDictionary()

    @asynccontextmanager
    async def sharing(self, limits: SharedLimits) -> AsyncGenerator[None]:
        """Share breakers, rate limits and holds with other processes, for calls from this event loop."""
        here = self._here()
        here.stores.append(limits)
        try:
            yield
        finally:
            here.stores.remove(limits)
            if here.writing:
                await asyncio.wait(here.writing, timeout=_CLOSING_S)

    def enter_now(self, place: ProviderAddress, limits: GuardLimits, *, tokens: int, model: str = "") -> Pass | None:
        """Admit a call at once if the state is kept here and it need not wait; else return None: use `enter`."""
        here = self._here()
        slots = _slots(here, place, limits)
        if here.stores or (slots is not None and slots.locked()):
            return None
        call, now = _call(here, limits, tokens, model), asyncio.get_running_loop().time()
        state, answer = enter(
            here.places.get(place, _UNUSED),
            call,
            now,
            has_share=False,
            waits_when_open=False,
            time_left_s=math.inf,
            sees_ends=True,
        )
        if answer.word != "go":
            return None  # without its part of the limits
        here.places[place] = state
        if slots is not None:
            _acquire_now(slots)
        return Pass(place, call, slots, None)

    async def enter(
        self,
        place: ProviderAddress,
        limits: GuardLimits,
        *,
        tokens: int,
        when_open: WhenOpen,
        time_left_s: float,
        on_wait: OnWait = lambda why, wait_s: None,
        model: str = "",
    ) -> Pass:
        """Wait for a slot, for the rate limits and for the breaker, in this order.

        It may end shortly after `time_left_s`: waiting for a slot and the rate limits has no time limit here; the
        caller has one.

        Args:
            on_wait: called before each wait.
            model: each has a breaker of its own.

        Raises:
            RateLimitError, CircuitOpenError, ModelTimeoutError: the call cannot start within `time_left_s`, or, with
                when_open="fail", the breaker is open.
            ModelUnavailableError: the store of shared limits cannot be used.
        """
        here = self._here()
        deadline = asyncio.get_running_loop().time() + time_left_s
        slots = _slots(here, place, limits)
        if slots is not None:
            await slots.acquire()
        pass_ = Pass(place, _call(here, limits, tokens, model), slots, here.stores[-1] if here.stores else None)

        def waits(why: str, wait_s: float) -> None:
            failure = here.failures.get((place, model)) if why == "open" else None
            on_wait(_WHY[why] if failure is None else failure.message, wait_s)

        try:
            await _wait(here, pass_, waits_when_open=when_open == "wait", deadline=deadline, on_wait=waits)
        except BaseException as error:
            self.leave(pass_, "unknown")
            failure = here.failures.get((place, model))
            if isinstance(error, CircuitOpenError) and failure is not None:
                error.args = (f"{failure.message}; {error.message}",)
                error.model, error.status = failure.model, failure.status
            raise
        return pass_

    def leave(
        self,
        pass_: Pass,
        outcome: Outcome,
        *,
        hold_s: float = 0.0,
        failure: ModelError | None = None,
        sink: Sink | None = None,
    ) -> None:
        """Return a pass. Never waits; does nothing the second time.

        Args:
            hold_s: seconds that the provider asks to wait; all calls to the place are held for so long.
            failure: why the call failed; after an outage it is told to the calls that are not made.
            sink: receives provider.failed (the breaker opened), provider.recovered and limits.store_failed.
        """
        if pass_.is_over:
            return
        pass_.is_over = True
        here, place, call = self._here(), pass_.place, pass_.call
        if pass_.slots is not None:
            pass_.slots.release()
        if outcome == "answered":
            here.failures.pop((place, call.model), None)
        elif outcome == "outage" and failure is not None:
            said = redact(failure.message[: 10 * _SHOWN_CHARS])[:_SHOWN_CHARS]
            here.failures[place, call.model] = _Failure(said, failure.model, failure.status)
        has_failed = call.gate in here.places.get(place, _UNUSED).breakers if pass_.store is None else pass_.failures
        if not has_failed and outcome != "outage" and hold_s <= 0.0:
            return  # nothing to write

        def rule(state: PlaceState, now: float) -> tuple[PlaceState, tuple[bool, bool, int]]:
            after = leave(state, call, outcome, now, hold_s=min(hold_s, _LONGEST_HOLD_S))
            failures = 0 if call.gate not in after.breakers else after.breakers[call.gate].failures
            return after, (is_open(state, call), is_open(after, call), failures)

        def tell(change: tuple[bool, bool, int]) -> None:
            before, after, failures = change
            if before != after:
                name = "provider.failed" if after else "provider.recovered"
                named = {"model": call.model} if call.model else {}
                safe_sink(sink)(TelemetryEvent(name, {"provider": place.provider, **named, "failures": failures}))

        _write(here, place, pass_.store, rule, tell, sink=sink)

    async def is_open(self, pass_: Pass) -> bool:
        """True if the breaker of the call's model is open, after the ends of calls that were noted before."""
        here = self._here()
        if pass_.store is not None and here.writing:
            await asyncio.wait(here.writing)
        return await _changed(here, pass_.place, pass_.store, lambda state, _: (state, is_open(state, pass_.call)))

    def said(self, place: ProviderAddress, limits: RateLimits, *, sink: Sink | None = None) -> None:
        """Hold calls while the provider reports that nothing is left, until one request or some tokens are available.

        Providers report when a full period is available again; requests and tokens return evenly until then. Never
        waits.
        """
        hold_s = 0.0
        if limits.requests_remaining == 0 and limits.requests_reset_s is not None:
            hold_s = limits.requests_reset_s / max(1, limits.requests_limit or 1)
        if limits.tokens_remaining == 0 and limits.tokens_reset_s is not None:
            hold_s = max(hold_s, limits.tokens_reset_s / _TOKEN_SHARE)
        if hold_s <= 0.0:
            return

        def rule(state: PlaceState, now: float) -> tuple[PlaceState, None]:
            return held(state, now, min(hold_s, _LONGEST_HOLD_S)), None

        here = self._here()
        _write(here, place, here.stores[-1] if here.stores else None, rule, lambda _: None, sink=sink)

    def _here(self) -> _Here:
        loop = asyncio.get_running_loop()
        here = self._loops.get(loop)
        if here is None:
            for old in [one for one in self._loops if one.is_closed()]:  # which what waits in `here` may keep alive
                self._loops.pop(old, None)
            here = self._loops[loop] = _Here()
        return here


GUARD: Final = Guard()
"""The guard of all models that have no other."""


async def _wait(here: _Here, pass_: Pass, *, waits_when_open: bool, deadline: float, on_wait: OnWait) -> None:
    """Wait for the rate limits, for holds and for the breaker. Raises `ModelError`."""
    loop, call, is_local = asyncio.get_running_loop(), pass_.call, pass_.store is None
    has_share, told_until = False, 0.0

    def rule(state: PlaceState, now: float) -> tuple[PlaceState, Answer]:
        return enter(
            state,
            call,
            now,
            has_share=has_share,
            waits_when_open=waits_when_open,
            time_left_s=deadline - loop.time(),
            sees_ends=is_local,
        )

    while True:
        pass_.failures = 1  # it may be let in, as a probe, and never hear of it
        answer = await _changed(here, pass_.place, pass_.store, rule)
        pass_.failures = answer.failures if answer.word == "go" else 0
        if answer.word == "go":
            return
        if answer.word != "wait":
            raise _refusal(pass_.place.provider, answer)
        has_share, until = answer.has_share, loop.time() + answer.in_all_s
        if is_local or told_until + 1.0 < until < math.inf:  # others are looked at again and again
            told_until = until
            on_wait(answer.why, answer.in_all_s)
        if is_local and answer.why == "open":
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, min(answer.wait_s, deadline - loop.time()))):
                    await here.changed.setdefault(pass_.place, asyncio.Event()).wait()
        else:
            await asyncio.sleep(answer.wait_s)


async def _changed(here: _Here, place: ProviderAddress, store: SharedLimits | None, rule: Change[T]) -> T:
    """Apply a rule to the state of a place, here or in the store. Raises `ModelUnavailableError`."""
    if store is None:
        return _changed_here(here, place, rule)
    try:
        return await store.change(place.provider, place.base_url, rule)
    except StoreError as error:
        text = f"the limits that workers share are out of reach: {error}"
        raise ModelUnavailableError(text, provider=place.provider) from error


def _changed_here(here: _Here, place: ProviderAddress, rule: Change[T]) -> T:
    before = here.places.get(place, _UNUSED)
    here.places[place], told = rule(before, asyncio.get_running_loop().time())
    if here.places[place].breakers is not before.breakers and place in here.changed:
        here.changed.pop(place).set()
    return told


def _write(
    here: _Here,
    place: ProviderAddress,
    store: SharedLimits | None,
    rule: Change[T],
    tell: Callable[[T], None],
    *,
    sink: Sink | None,
) -> None:
    """Apply a rule, in the store in the background: nobody waits for it."""
    if store is None:
        tell(_changed_here(here, place, rule))
        return

    async def write() -> None:
        try:
            told = await store.change(place.provider, place.base_url, rule)
        except StoreError as error:  # a probe without an end is over at the time of the next one
            facts = {"provider": place.provider, "error": type(error).__name__}
            safe_sink(sink)(TelemetryEvent("limits.store_failed", facts))
        else:
            tell(told)

    task = asyncio.get_running_loop().create_task(write())
    here.writing.add(task)
    task.add_done_callback(here.writing.discard)


def _slots(here: _Here, place: ProviderAddress, limits: GuardLimits) -> asyncio.Semaphore | None:
    most = limits.max_concurrency
    if most is None:
        return None
    slots = here.slots.get((place, most))
    if slots is None:
        slots = here.slots[place, most] = asyncio.Semaphore(most)
    return slots


def _acquire_now(slots: asyncio.Semaphore) -> None:
    """Take a free slot."""
    work = slots.acquire()
    try:
        work.send(None)
    except StopIteration:
        return
    work.close()
    raise AssertionError("it waits, although there was room")


def _call(here: _Here, limits: GuardLimits, tokens: int, model: str) -> LimitedCall:
    return LimitedCall(
        id=next(here.ids),
        tokens=tokens,
        requests_per_minute=limits.requests_per_minute,
        tokens_per_minute=limits.tokens_per_minute,
        breaker=limits.breaker,
        model=model,
    )


def _refusal(provider: str, answer: Answer) -> ModelError:
    """Return the error for a call that cannot start in time."""
    if answer.word == "room":
        text = "the limits on requests or tokens per minute leave no room before the call's deadline"
        return ModelTimeoutError(text, provider=provider)
    if answer.word == "hold":
        text = f"the provider asks to wait {answer.wait_s:.1f} s more, which is past the deadline"
        return RateLimitError(text, provider=provider, retry_after_s=answer.wait_s)
    text = f"the provider failed {answer.failures} times in a row; the next probe is in {answer.wait_s:.1f} s"
    return CircuitOpenError(text, provider=provider, retry_after_s=answer.wait_s)
