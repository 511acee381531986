"""The guard that all models of one provider and address share: breaker, rate limits, concurrency.

Wrappers use a `Guard`. With a system, its state is in the `ModelGuard` actor, one supervised actor per system; without
one it is in the guard itself. The guard keeps the passes of calls in flight, and outlives restarts of the actor: a
restarted actor counts them, sends a single trial call first, and assumes that the rate limits are used up.
"""

from __future__ import annotations

import asyncio
import math
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Final, Literal, assert_never
from weakref import WeakKeyDictionary, ref

from jido_ai.actors.actor import Actor, Reply
from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.exit_reason import Shutdown
from jido_ai.actors.ref import ActorRef, Ask
from jido_ai.actors.system import ActorSystem
from jido_ai.errors import (
    ActorDeadError,
    ActorError,
    CallError,
    CircuitOpenError,
    ConfigurationError,
    JidoError,
    ModelError,
    ModelTimeoutError,
    NameTakenError,
    RateLimitError,
)
from jido_ai.models.breaker import Breaker, BreakerRules, Outcome, admit, ended, suspicious
from jido_ai.models.providers.headers import RateLimits
from jido_ai.models.rate import Rate, take
from jido_ai.models.shared_guard import DOWN, SharedCalls, refused_because
from jido_ai.models.shared_limits import Call, SharedLimits
from jido_ai.telemetry import Sink, TelemetryEvent, safe_sink
from jido_ai.text.redaction import redact

__all__ = ["Guard", "GuardLimits", "ModelGuard", "Pass", "Place", "WhenOpen", "guard_of"]

WhenOpen = Literal["wait", "fail"]
NAME: Final = "model-guard"
_TRIES: Final = 5
_SHOWN_CHARS: Final = 300
_TOKEN_SHARE: Final = 10.0
_LONGEST_HOLD_S: Final = 60.0
"""Longer waits that a provider asks for are cut to this."""


@dataclass(frozen=True, slots=True)
class Place:
    """The destination of calls: all models of a place are up or down together."""

    provider: str
    base_url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardLimits:
    """Limits of calls to a place; None is no limit. Models with equal limits share them.

    Attributes:
        requests_per_minute, tokens_per_minute: at least 1. A tenth may be used at once, the rest evenly. A call
            with more tokens than a minute's limit waits longer; a cancelled call still counts.
        max_concurrency: concurrent calls, at least 1.
        breaker: rules of the circuit breaker; models with equal rules share it.

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


@dataclass(frozen=True, slots=True, eq=False)
class Pass:
    """Permission for one call, returned with `leave`. Compared by identity.

    Attributes:
        shared: what other processes know of the call; None if they share nothing.
    """

    id: int
    place: Place
    limits: GuardLimits
    shared: Call | None = None


OnWait = Callable[[str, float], None]
"""Called before each wait with the reason and the seconds; infinity is until a probe ends."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The last failure of a place, for the errors of calls that are not made because of it."""

    message: str
    model: str | None
    status: int | None


# -- messages --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Enter(Ask[None]):
    """Admit a call. Answered when it may start; fails with a `ModelError` if it cannot within `time_left_s`."""

    pass_: Pass
    tokens: int
    when_open: WhenOpen
    time_left_s: float
    on_wait: OnWait


@dataclass(frozen=True, slots=True)
class Leave:
    """A call has ended. If the provider asks to wait, all calls to the place wait."""

    pass_: Pass
    outcome: Outcome
    hold_s: float = 0.0


@dataclass(frozen=True, slots=True)
class IsOpen(Ask[bool]):
    """Ask whether the breaker of a place is open."""

    pass_: Pass


@dataclass(frozen=True, slots=True)
class Said:
    """The rate limits in the headers of a response."""

    place: Place
    limits: RateLimits


# -- the state -------------------------------------------------------------------------------------


class _Gate:
    """The breaker of one place, and the end of the wait that the provider asked for."""

    def __init__(self, place: Place, rules: BreakerRules | None, breaker: Breaker, sink: Sink) -> None:
        self._place = place
        self._rules = rules
        self._sink = sink
        self.breaker = breaker
        self.hold_until = 0.0
        self._changed = asyncio.Event()

    def is_free(self, now: float) -> bool:
        """True if a call could start at once."""
        return not self.breaker.is_open and now >= self.hold_until

    async def admit(self, call: int, when_open: WhenOpen, deadline: float, on_wait: OnWait) -> None:
        """Wait until the call may start. Raises `RateLimitError` or `CircuitOpenError` if the deadline is earlier."""
        loop = asyncio.get_running_loop()
        while True:
            now = loop.time()
            wait_s = self.hold_until - now
            why = "the provider asks to wait"
            if wait_s > 0.0:
                if now + wait_s >= deadline:
                    raise RateLimitError(
                        f"the provider asks to wait {wait_s:.1f} s more, which is past the deadline",
                        provider=self._place.provider,
                        retry_after_s=wait_s,
                    )
            else:
                wait_s = 0.0
                if self._rules is not None:
                    self.breaker, wait_s = admit(self.breaker, self._rules, call, now)
                if wait_s <= 0.0:
                    return
                if when_open == "fail" or (math.isfinite(wait_s) and now + wait_s >= deadline):
                    raise self._refusal(now)
                why = DOWN
            on_wait(why, wait_s)
            try:
                async with asyncio.timeout(min(wait_s, max(0.0, deadline - now))):
                    await self._changed.wait()
            except TimeoutError:
                if loop.time() >= deadline:
                    raise self._refusal(loop.time()) from None

    def ended(self, call: int, outcome: Outcome) -> None:
        """Record the outcome of a call."""
        if self._rules is None:
            return
        now = asyncio.get_running_loop().time()
        before, self.breaker = self.breaker, ended(self.breaker, self._rules, call, outcome, now)
        if self.breaker is before:
            return
        if self.breaker.is_open != before.is_open:
            name = "provider.failed" if self.breaker.is_open else "provider.recovered"
            self._sink(TelemetryEvent(name, {"provider": self._place.provider, "failures": self.breaker.failures}))
        if self.breaker != before:
            self._wake()

    def hold(self, seconds: float) -> None:
        """Hold all calls for that long."""
        self.hold_until = max(self.hold_until, asyncio.get_running_loop().time() + seconds)

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    def _refusal(self, now: float) -> CircuitOpenError:
        retry_after_s = max(0.0, (self.breaker.next_probe or now) - now)
        return CircuitOpenError(
            refused_because(self.breaker.failures, retry_after_s),
            provider=self._place.provider,
            retry_after_s=retry_after_s,
        )


class _Lane:
    """The slots and the rate limits of one place and one set of limits; first come, first served."""

    def __init__(self, limits: GuardLimits, inside: int, *, is_suspicious: bool) -> None:
        most = limits.max_concurrency
        self.slots = None if most is None else asyncio.Semaphore(max(0, most - inside))
        now = asyncio.get_running_loop().time()
        self._buckets = [
            _Bucket(Rate(per_minute), counts, now, is_full=is_suspicious)
            for per_minute, counts in ((limits.requests_per_minute, "calls"), (limits.tokens_per_minute, "tokens"))
            if per_minute is not None
        ]

    def take_now(self, tokens: int) -> bool:
        """Take a slot and a share of the rate limits if both are free; return whether it did."""
        slots, buckets = self.slots, self._buckets
        if slots is not None and slots.locked():
            return False
        found = [bucket.wait_for(tokens) for bucket in buckets]
        if any(wait_s for wait_s, _ in found):
            return False
        for bucket, (_, empty_at) in zip(buckets, found, strict=True):
            bucket.empty_at = empty_at
        if slots is not None:
            _acquire_now(slots)
        return True

    async def take(self, tokens: int, deadline: float, on_wait: OnWait) -> bool:
        """Wait for the rate limits; return False at once if the wait exceeds the deadline. Needs a slot."""
        now = asyncio.get_running_loop().time()
        found = [(bucket, *bucket.wait_for(tokens)) for bucket in self._buckets]
        wait_s = max((wait_s for _, wait_s, _ in found), default=0.0)
        if wait_s and now + wait_s >= deadline:
            return False
        for bucket, _, empty_at in found:
            bucket.empty_at = empty_at
        if wait_s:
            on_wait("our limit on requests or tokens per minute is reached", wait_s)
            await asyncio.sleep(wait_s)
        return True


def _acquire_now(slots: asyncio.Semaphore) -> None:
    """Take a free slot."""
    work = slots.acquire()
    try:
        work.send(None)
    except StopIteration:
        return
    work.close()
    raise AssertionError("it waits, although there was room")


class _Bucket:
    """The recent calls, or their tokens."""

    def __init__(self, rate: Rate, counts: str, now: float, *, is_full: bool) -> None:
        self._rate = rate
        self._counts_calls = counts == "calls"
        self.empty_at = now + rate.burst * rate.interval_s if is_full else now

    def wait_for(self, tokens: int) -> tuple[float, float]:
        """Return how long a call has to wait, and when the bucket is empty after it."""
        amount = 1 if self._counts_calls else tokens
        return take(self._rate, self.empty_at, asyncio.get_running_loop().time(), amount)


class _Keeper:
    """The gates and lanes of all places, on one event loop."""

    def __init__(self, inside: set[Pass], sink: Sink, *, is_suspicious: bool) -> None:
        self._everyone = inside
        self._inside = set(inside)  # passes counted by this incarnation
        self._newest: tuple[Place, GuardLimits, _Gate, _Lane] | None = None  # gate and lane of the previous call
        self._sink = sink
        self._is_suspicious = is_suspicious
        self._gates: dict[tuple[Place, BreakerRules | None], _Gate] = {}
        self._lanes: dict[tuple[Place, GuardLimits], _Lane] = {}

    def enter_now(self, pass_: Pass, tokens: int) -> bool:
        """Admit a call if it need not wait; return whether it did."""
        gate, lane = self._way(pass_)
        now = asyncio.get_running_loop().time()
        if not gate.is_free(now) or not lane.take_now(tokens):
            return False
        self._inside.add(pass_)
        self._everyone.add(pass_)
        return True

    async def enter(self, message: Enter) -> None:
        """Wait for a slot, for the rate limits and for the breaker, in this order."""
        pass_ = message.pass_
        deadline = asyncio.get_running_loop().time() + message.time_left_s
        if not await self._take(self._lane(pass_), message, deadline):
            raise ModelTimeoutError(
                "the limits on requests or tokens per minute leave no room before the call's deadline",
                provider=pass_.place.provider,
            )
        try:
            await self._gate(pass_).admit(pass_.id, message.when_open, deadline, message.on_wait)
        except BaseException:
            self._give_up(pass_)
            raise

    async def _take(self, lane: _Lane, message: Enter, deadline: float) -> bool:
        pass_ = message.pass_
        if lane.slots is not None:
            await lane.slots.acquire()
        self._inside.add(pass_)
        self._everyone.add(pass_)
        has_room = False
        try:
            has_room = await lane.take(message.tokens, deadline, message.on_wait)
        finally:
            if not has_room:
                self._give_up(pass_)
        return has_room

    def _give_up(self, pass_: Pass) -> None:
        self._everyone.discard(pass_)
        self.leave(pass_, "unknown", 0.0)

    def leave(self, pass_: Pass, outcome: Outcome, hold_s: float) -> None:
        """Take a pass back. Does nothing the second time."""
        gate, lane = self._way(pass_)
        if hold_s > 0.0:
            gate.hold(min(hold_s, _LONGEST_HOLD_S))
        if pass_ in self._inside:
            self._inside.discard(pass_)
            if lane.slots is not None:
                lane.slots.release()
            gate.ended(pass_.id, outcome)

    def is_open(self, pass_: Pass) -> bool:
        """True if the breaker is open."""
        return self._gate(pass_).breaker.is_open

    def said(self, message: Said) -> None:
        """Hold calls while the provider reports that nothing is left, until one request or some tokens are available.

        Providers report when a full period is available again; requests and tokens return evenly until then.
        """
        limits = message.limits
        hold_s = 0.0
        if limits.requests_remaining == 0 and limits.requests_reset_s is not None:
            hold_s = limits.requests_reset_s / max(1, limits.requests_limit or 1)
        if limits.tokens_remaining == 0 and limits.tokens_reset_s is not None:
            hold_s = max(hold_s, limits.tokens_reset_s / _TOKEN_SHARE)
        for (place, _), gate in self._gates.items():
            if place == message.place:
                gate.hold(min(hold_s, _LONGEST_HOLD_S))

    def _way(self, pass_: Pass) -> tuple[_Gate, _Lane]:
        """Return gate and lane of a pass; those of the previous pass are reused if they fit, which is faster."""
        newest = self._newest
        if newest is None or newest[0] is not pass_.place or newest[1] is not pass_.limits:
            newest = self._newest = (pass_.place, pass_.limits, self._gate(pass_), self._lane(pass_))
        return newest[2], newest[3]

    def _gate(self, pass_: Pass) -> _Gate:
        key = (pass_.place, pass_.limits.breaker)
        gate = self._gates.get(key)
        if gate is None:
            now = asyncio.get_running_loop().time()
            breaker = suspicious(now) if self._is_suspicious and key[1] is not None else Breaker()
            gate = self._gates[key] = _Gate(*key, breaker, self._sink)
        return gate

    def _lane(self, pass_: Pass) -> _Lane:
        key = (pass_.place, pass_.limits)
        lane = self._lanes.get(key)
        if lane is None:
            inside = sum((other.place, other.limits) == key for other in self._inside)
            lane = self._lanes[key] = _Lane(pass_.limits, inside, is_suspicious=self._is_suspicious)
        return lane


# -- the actor -------------------------------------------------------------------------------------


class _Home:
    """Holds the actor. Its child spec keeps it alive as long as the system has the actor; other references are weak."""

    __slots__ = ("__weakref__", "actor")

    def __init__(self) -> None:
        self.actor: ActorRef


class ModelGuard(Actor[Enter | Leave | IsOpen | Said]):
    """Holds the shared state of one system; see the module."""

    def __init__(self, guard: Guard, home: _Home) -> None:
        self._guard = guard
        self._home = home
        self._keeper: _Keeper
        self._waiting = 0

    async def on_start(self) -> None:
        self._keeper = self._guard.new_keeper(self._emit)

    async def on_receive(self, message: Enter | Leave | IsOpen | Said) -> bool | None:
        match message:
            case Enter():
                # After the waiting calls: their tasks may not have taken their share yet.
                if self._waiting or not self._keeper.enter_now(message.pass_, message.tokens):
                    self._waiting += 1
                    reply = self.defer_reply()
                    task = self.run_task(self._enter(message, reply))
                    task.add_done_callback(self._no_longer_waits)
                    reply.when_unwanted(task.cancel)
            case Leave(pass_, outcome, hold_s):
                self._keeper.leave(pass_, outcome, hold_s)
            case IsOpen(pass_):
                return self._keeper.is_open(pass_)
            case Said():
                self._keeper.said(message)
            case _:
                assert_never(message)
        return None

    async def _enter(self, message: Enter, reply: Reply) -> None:
        try:
            await self._keeper.enter(message)
        except JidoError as error:
            reply.fail(error)
            return
        if reply.is_wanted:
            reply.send(None)
        else:
            self._keeper.leave(message.pass_, "unknown", 0.0)

    def _no_longer_waits(self, _: object) -> None:
        self._waiting -= 1

    def _emit(self, event: TelemetryEvent) -> None:
        self.system.emit(event.name, **event.data)


# -- the handle ------------------------------------------------------------------------------------


class Guard:
    """Admits calls, with one pass per call.

    Args:
        system: the system of the actor; None keeps the state in this object.
        sink: receives events if there is no system: provider.failed (the breaker opened), provider.recovered.
    """

    def __init__(self, system: ActorSystem | None = None, *, sink: Sink | None = None) -> None:
        self._system = None if system is None else ref(system)
        self._sink: Sink = safe_sink(sink)
        self._ids = count(1)
        self._inside: set[Pass] = set()
        self._incarnations = 0
        self._own: tuple[asyncio.AbstractEventLoop, _Keeper] | None = None
        self._shared: SharedCalls | None = None
        self._failures: dict[Place, Failure] = {}  # newest of each place, since its last answer
        self._home: Callable[[], _Home | None] = lambda: None

    async def share(self, limits: SharedLimits | None) -> None:
        """Share breakers, rate limits and holds with other processes from the next call on; None ends that.

        The limit of concurrent calls stays with this guard.
        """
        before, self._shared = self._shared, None if limits is None else SharedCalls(limits, self._sink)
        if before is not None:
            await before.close()

    def new_keeper(self, sink: Sink) -> _Keeper:
        """Called by a starting incarnation of the actor."""
        self._incarnations += 1
        return _Keeper(self._inside, sink, is_suspicious=self._incarnations > 1)

    def enter_now(self, place: Place, limits: GuardLimits, *, tokens: int) -> Pass | None:
        """Admit a call at once if the state is local and it need not wait; else return None: use `enter`."""
        if self._system is not None or self._shared is not None:
            return None
        pass_ = Pass(next(self._ids), place, limits)
        return pass_ if self._keeper().enter_now(pass_, tokens) else None

    async def enter(
        self,
        place: Place,
        limits: GuardLimits,
        *,
        tokens: int,
        when_open: WhenOpen,
        time_left_s: float,
        on_wait: OnWait = lambda why, wait_s: None,
    ) -> Pass:
        """Wait until a call may start.

        The wait survives a crash of the actor. It may end shortly after `time_left_s`: waiting for a slot and the rate
        limits has no time limit here; the caller has one.

        Args:
            on_wait: called before each wait.

        Raises:
            RateLimitError, CircuitOpenError: the call cannot start within `time_left_s`, or, with when_open="fail", the
                breaker is open.
            ModelUnavailableError: the store of shared limits cannot be used.
            ActorError: the system is stopped, or the actor crashed repeatedly.
        """

        def waits(why: str, wait_s: float) -> None:
            failure = self._failures.get(place) if why is DOWN else None
            on_wait(why if failure is None else failure.message, wait_s)

        id, shared = next(self._ids), self._shared
        pass_ = Pass(id, place, limits) if shared is None else _local_pass(id, place, limits, tokens)
        message = Enter(pass_, tokens, when_open, time_left_s, waits)
        try:
            return await (self._enter(message) if shared is None else self._enter_shared(shared, message))
        except CircuitOpenError as error:
            failure = self._failures.get(place)
            if failure is not None:
                error.args = (f"{failure.message}; {error.message}",)
                error.model, error.status = failure.model, failure.status
            raise

    async def _enter_shared(self, shared: SharedCalls, message: Enter) -> Pass:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + message.time_left_s
        pass_ = await self._enter(message)
        assert pass_.shared is not None
        try:
            await shared.enter(
                pass_.place.provider,
                pass_.place.base_url,
                pass_.shared,
                waits_when_open=message.when_open == "wait",
                time_left_s=max(0.0, deadline - loop.time()),
                on_wait=message.on_wait,
            )
        except BaseException:
            self.leave(pass_, "unknown")
            raise
        return pass_

    async def _enter(self, message: Enter) -> Pass:
        pass_ = message.pass_
        if self._system is None:
            await self._keeper().enter(message)
            return pass_
        for attempt in range(_TRIES):
            reply: Any = (await self._ref()).ask(message, timeout_s=None, when_restarting="wait")
            try:
                await reply
            except (ActorDeadError, CallError) as error:
                if attempt == _TRIES - 1 or error.reason == Shutdown():
                    raise
                continue
            except asyncio.CancelledError:
                if reply.done() and not reply.cancelled() and reply.exception() is None:
                    self.leave(pass_, "unknown")  # granted just after the cancellation
                raise
            break
        return pass_

    def leave(self, pass_: Pass, outcome: Outcome, *, hold_s: float = 0.0, failure: ModelError | None = None) -> None:
        """Return a pass. Never waits.

        Args:
            hold_s: seconds that the provider asks to wait; all calls to the place are held for so long.
            failure: why the call failed; after an outage it is told to the calls that are not made.
        """
        if outcome == "answered":
            self._failures.pop(pass_.place, None)
        elif outcome == "outage" and failure is not None:
            said = redact(failure.message[: 10 * _SHOWN_CHARS])[:_SHOWN_CHARS]
            self._failures[pass_.place] = Failure(said, failure.model, failure.status)
        self._inside.discard(pass_)
        if pass_.shared is not None and self._shared is not None:
            self._shared.leave(pass_.place.provider, pass_.place.base_url, pass_.shared, outcome, hold_s)
        if self._system is None:
            self._keeper().leave(pass_, outcome, hold_s)
        else:
            self._tell(Leave(pass_, outcome, hold_s))

    async def is_open(self, pass_: Pass) -> bool:
        """True if the breaker of the call's place is open now; False without a breaker."""
        if pass_.shared is not None and self._shared is not None:
            return await self._shared.is_open(pass_.place.provider, pass_.place.base_url, pass_.shared)
        if self._system is None:
            return self._keeper().is_open(pass_)
        try:
            return await (await self._ref()).ask(IsOpen(pass_), when_restarting="wait")
        except ActorError:
            return False

    def said(self, place: Place, limits: RateLimits) -> None:
        """Apply the rate limits in the headers of a response. Never waits."""
        if self._system is None:
            self._keeper().said(Said(place, limits))
        else:
            self._tell(Said(place, limits))

    def _keeper(self) -> _Keeper:
        loop = asyncio.get_running_loop()
        if self._own is None or self._own[0] is not loop:
            self._own = (loop, _Keeper(self._inside, self._sink, is_suspicious=False))
        return self._own[1]

    def _tell(self, message: Leave | Said) -> None:
        home = self._home()
        if home is not None:
            home.actor.tell(message)

    async def _ref(self) -> ActorRef:
        """Return the actor; start one if none is running or restarting."""
        while True:
            home = self._home()
            if home is not None and (home.actor.is_alive or home.actor.may_restart):
                return home.actor
            system = None if self._system is None else self._system()
            if system is None:
                raise ActorError("the system that this model was wrapped with is gone")
            home = _Home()
            try:
                home.actor = await system.spawn(ChildSpec(id=NAME, start=(ModelGuard, (self, home), {}), name=NAME))
            except NameTakenError:  # another call started it
                await asyncio.sleep(0)
                continue
            self._home = ref(home)  # not the actor itself, which would keep its system in memory


def _local_pass(id: int, place: Place, limits: GuardLimits, tokens: int) -> Pass:
    """Return a pass that needs a slot here, and all else from the shared limits."""
    call = Call(
        id=secrets.randbits(53),
        tokens=tokens,
        requests_per_minute=limits.requests_per_minute,
        tokens_per_minute=limits.tokens_per_minute,
        breaker=limits.breaker,
    )
    own = replace(limits, requests_per_minute=None, tokens_per_minute=None, breaker=None)
    return Pass(id, place, own, call)


_guards: Final[WeakKeyDictionary[ActorSystem, Guard]] = WeakKeyDictionary()


def guard_of(system: ActorSystem) -> Guard:
    """Return the guard of a system; always the same one."""
    guard = _guards.get(system)
    if guard is None:
        guard = _guards[system] = Guard(system)
    return guard
