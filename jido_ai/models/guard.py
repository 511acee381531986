"""The guard that all models of one provider and address share: rate limits, concurrency, a breaker for each model.

Wrappers use a `Guard`. With a system, its state is in the `ModelGuard` actor, one supervised actor per system; without
one it is in the guard itself. The guard keeps the passes of calls in flight, and outlives restarts of the actor: a
restarted actor counts them, sends a single trial call first, and assumes that the rate limits are used up.
"""

from __future__ import annotations

import asyncio
import math
import secrets
from collections.abc import Callable
from contextlib import suppress
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
    NameTakenError,
)
from jido_ai.models.breaker import BreakerRules, Outcome
from jido_ai.models.providers.headers import RateLimits
from jido_ai.models.shared_guard import DOWN, SharedCalls, refusal
from jido_ai.models.shared_limits import (
    Answer,
    Call,
    PlaceState,
    SharedLimits,
    enter,
    held,
    is_open,
    leave,
    suspected,
)
from jido_ai.telemetry import Sink, TelemetryEvent, safe_sink
from jido_ai.text.redaction import redact

__all__ = ["Guard", "GuardLimits", "ModelGuard", "Pass", "Place", "WhenOpen", "guard_of"]

WhenOpen = Literal["wait", "fail"]
NAME: Final = "model-guard"
_TRIES: Final = 5
_SHOWN_CHARS: Final = 300
_TOKEN_SHARE: Final = 10.0
_UNUSED: Final = PlaceState()
_WHY: Final = {
    "room": "our limit on requests or tokens per minute is reached",
    "hold": "the provider asks to wait",
    "open": DOWN,
}
_LONGEST_HOLD_S: Final = 60.0
"""Longer waits that a provider asks for are cut to this."""


@dataclass(frozen=True, slots=True)
class Place:
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


@dataclass(frozen=True, slots=True, eq=False)
class Pass:
    """Permission for one call, returned with `leave`. Compared by identity.

    Attributes:
        call: what the limits here know of the call.
        shared: what other processes know of it; None if they share nothing.
    """

    place: Place
    limits: GuardLimits
    call: Call
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


class _Keeper:
    """The states and the slots of all places, on one event loop; first come, first served."""

    def __init__(self, inside: set[Pass], sink: Sink, *, is_suspicious: bool) -> None:
        self._everyone = inside
        self._inside = set(inside)  # passes counted by this incarnation
        self._sink = sink
        self._is_suspicious = is_suspicious
        self._states: dict[Place, PlaceState] = {}
        self._changed: dict[Place, asyncio.Event] = {}  # of breakers
        self._all_slots: dict[tuple[Place, GuardLimits], asyncio.Semaphore] = {}

    def enter_now(self, pass_: Pass) -> bool:
        """Admit a call if it need not wait; return whether it did."""
        slots = self._slots(pass_)
        if slots is not None and slots.locked():
            return False
        state, answer = self._ask(pass_, has_share=False, waits=False, time_left_s=math.inf)
        if answer.word != "go":
            return False  # without its part of the limits
        self._states[pass_.place] = state
        if slots is not None:
            _acquire_now(slots)
        self._inside.add(pass_)
        self._everyone.add(pass_)
        return True

    async def enter(self, message: Enter) -> None:
        """Wait for a slot, for the rate limits and for the breaker, in this order. Raises `ModelError`."""
        pass_, loop = message.pass_, asyncio.get_running_loop()
        deadline = loop.time() + message.time_left_s
        slots = self._slots(pass_)
        if slots is not None:
            await slots.acquire()
        self._inside.add(pass_)
        self._everyone.add(pass_)
        has_share = False
        try:
            while True:
                left_s = deadline - loop.time()
                state, answer = self._ask(
                    pass_, has_share=has_share, waits=message.when_open == "wait", time_left_s=left_s
                )
                self._states[pass_.place] = state
                if answer.word == "go":
                    return
                if answer.word != "wait":
                    raise refusal(pass_.place.provider, answer)
                has_share = True
                message.on_wait(_WHY[answer.why], answer.in_all_s)
                if answer.why == "open":
                    await self._change(pass_.place, min(answer.wait_s, left_s))
                else:
                    await asyncio.sleep(answer.wait_s)
        except BaseException:
            self._everyone.discard(pass_)
            self.leave(pass_, "unknown", 0.0)
            raise

    def leave(self, pass_: Pass, outcome: Outcome, hold_s: float) -> None:
        """Take a pass back. Does nothing the second time, but for the hold."""
        place, call = pass_.place, pass_.call
        now = asyncio.get_running_loop().time()
        self.hold(place, hold_s)
        if pass_ not in self._inside:
            return
        self._inside.discard(pass_)
        slots = self._slots(pass_)
        if slots is not None:
            slots.release()
        before = self._state(pass_, now)
        after = self._states[place] = leave(before, call, outcome, now)
        if after is before:
            return
        if place in self._changed:
            self._changed.pop(place).set()
        if is_open(after, call) != is_open(before, call):
            name = "provider.failed" if is_open(after, call) else "provider.recovered"
            failures = after.breakers[call.gate].failures
            model = {"model": call.model} if call.model else {}
            self._sink(TelemetryEvent(name, {"provider": place.provider, **model, "failures": failures}))

    def is_open(self, pass_: Pass) -> bool:
        """True if the breaker is open."""
        return is_open(self._state(pass_, asyncio.get_running_loop().time()), pass_.call)

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
        self.hold(message.place, hold_s)

    def hold(self, place: Place, seconds: float) -> None:
        """Hold all calls to a place for that long, at most a minute."""
        if seconds > 0.0:
            now, state = asyncio.get_running_loop().time(), self._states.get(place, _UNUSED)
            self._states[place] = held(state, now, min(seconds, _LONGEST_HOLD_S))

    def _ask(self, pass_: Pass, *, has_share: bool, waits: bool, time_left_s: float) -> tuple[PlaceState, Answer]:
        now = asyncio.get_running_loop().time()
        return enter(
            self._state(pass_, now),
            pass_.call,
            now,
            has_share=has_share,
            waits_when_open=waits,
            time_left_s=time_left_s,
            sees_ends=True,
        )

    async def _change(self, place: Place, seconds: float) -> None:
        """Wait until a breaker of the place changes, at most that long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, seconds)):
                await self._changed.setdefault(place, asyncio.Event()).wait()

    def _state(self, pass_: Pass, now: float) -> PlaceState:
        state = self._states.get(pass_.place, _UNUSED)
        return suspected(state, pass_.call, now) if self._is_suspicious else state

    def _slots(self, pass_: Pass) -> asyncio.Semaphore | None:
        key, most = (pass_.place, pass_.limits), pass_.limits.max_concurrency
        if most is None:
            return None
        slots = self._all_slots.get(key)
        if slots is None:
            inside = sum((other.place, other.limits) == key for other in self._inside)
            slots = self._all_slots[key] = asyncio.Semaphore(max(0, most - inside))
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
                if self._waiting or not self._keeper.enter_now(message.pass_):
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
        self._failures: dict[tuple[Place, str], Failure] = {}  # newest of each model, since its last answer
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

    def enter_now(self, place: Place, limits: GuardLimits, *, tokens: int, model: str = "") -> Pass | None:
        """Admit a call at once if the state is local and it need not wait; else return None: use `enter`."""
        if self._system is not None or self._shared is not None:
            return None
        pass_ = Pass(place, limits, _call(next(self._ids), limits, tokens, model))
        return pass_ if self._keeper().enter_now(pass_) else None

    async def enter(
        self,
        place: Place,
        limits: GuardLimits,
        *,
        tokens: int,
        when_open: WhenOpen,
        time_left_s: float,
        on_wait: OnWait = lambda why, wait_s: None,
        model: str = "",
    ) -> Pass:
        """Wait until a call may start.

        The wait survives a crash of the actor. It may end shortly after `time_left_s`: waiting for a slot and the rate
        limits has no time limit here; the caller has one.

        Args:
            on_wait: called before each wait.
            model: each has a breaker of its own.

        Raises:
            RateLimitError, CircuitOpenError: the call cannot start within `time_left_s`, or, with when_open="fail", the
                breaker is open.
            ModelUnavailableError: the store of shared limits cannot be used.
            ActorError: the system is stopped, or the actor crashed repeatedly.
        """

        def waits(why: str, wait_s: float) -> None:
            failure = self._failures.get((place, model)) if why is DOWN else None
            on_wait(why if failure is None else failure.message, wait_s)

        shared, others = self._shared, None
        if shared is not None:  # only the slots stay here
            others = _call(secrets.randbits(53), limits, tokens, model)
            limits = replace(limits, requests_per_minute=None, tokens_per_minute=None, breaker=None)
        pass_ = Pass(place, limits, _call(next(self._ids), limits, tokens, model), others)
        message = Enter(pass_, when_open, time_left_s, waits)
        try:
            return await (self._enter(message) if shared is None else self._enter_shared(shared, message))
        except CircuitOpenError as error:
            failure = self._failures.get((place, model))
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
            self._failures.pop((pass_.place, pass_.call.model), None)
        elif outcome == "outage" and failure is not None:
            said = redact(failure.message[: 10 * _SHOWN_CHARS])[:_SHOWN_CHARS]
            self._failures[pass_.place, pass_.call.model] = Failure(said, failure.model, failure.status)
        self._inside.discard(pass_)
        if pass_.shared is not None and self._shared is not None:
            self._shared.leave(pass_.place.provider, pass_.place.base_url, pass_.shared, outcome, hold_s)
        if self._system is None:
            self._keeper().leave(pass_, outcome, hold_s)
        else:
            self._tell(Leave(pass_, outcome, hold_s))

    async def is_open(self, pass_: Pass) -> bool:
        """True if the breaker of the call's model is open now; False without a breaker."""
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


def _call(id: int, limits: GuardLimits, tokens: int, model: str) -> Call:
    return Call(
        id=id,
        tokens=tokens,
        requests_per_minute=limits.requests_per_minute,
        tokens_per_minute=limits.tokens_per_minute,
        breaker=limits.breaker,
        model=model,
    )


_guards: Final[WeakKeyDictionary[ActorSystem, Guard]] = WeakKeyDictionary()


def guard_of(system: ActorSystem) -> Guard:
    """Return the guard of a system; always the same one."""
    guard = _guards.get(system)
    if guard is None:
        guard = _guards[system] = Guard(system)
    return guard
