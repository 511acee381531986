"""Refs: tell, ask, stop, kill, and what becomes of them between two incarnations."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from actor_helpers import Call, Crash, Plain, Probe, settle

from jido_ai.actors.actor import Actor
from jido_ai.actors.child_spec import Backoff, ChildSpec
from jido_ai.actors.children import StartChild, TerminateChild
from jido_ai.actors.dynamic_supervisor import DynamicSupervisor
from jido_ai.actors.exit_reason import Crashed, Killed, NoProc, Normal, Shutdown
from jido_ai.actors.ref import ActorRef, Ask
from jido_ai.actors.supervisor import Supervisor
from jido_ai.actors.system import ActorSystem
from jido_ai.errors import ActorDeadError, ActorError, AskTimeoutError, CallError, ConfigurationError, MailboxFullError
from jido_ai.telemetry import TelemetryEvent

pytestmark = pytest.mark.virtual_clock


def now() -> float:
    return asyncio.get_running_loop().time()


def quiet(_: TelemetryEvent) -> None:
    """Take an event and say nothing."""


@dataclass(frozen=True)
class Increment(Ask[int]):
    """Add `by` to a number."""

    by: int


class Counter(Actor[Increment]):
    """Counts."""

    def __init__(self, value: int = 0, *, step: int = 1) -> None:
        self._value = value
        self._step = step

    async def on_receive(self, message: Increment) -> int:
        self._value += message.by * self._step
        return self._value


async def test_an_ask_message_may_be_a_frozen_dataclass_and_its_answer_is_typed() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Counter, 10, step=2)
        value: int = await ref.ask(Increment(by=2))
        assert value == 14


# -- tell ------------------------------------------------------------------------------------------


async def test_a_tell_to_a_dead_actor_is_dropped_and_counted() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Plain)
        await ref.stop()
        ref.tell("x")
        ref.tell("y")
        assert system.dead_letters == 2


async def test_order_is_kept_per_pair_of_sender_and_receiver() -> None:
    async with ActorSystem() as system:
        log: list[Any] = []
        ref = await system.spawn(Probe, log)
        senders = [await system.spawn(Plain) for _ in range(3)]

        def work(sender: int) -> Call:
            return Call(lambda _: [ref.tell((sender, n)) for n in range(50)] and None)

        await asyncio.gather(*(sender.ask(work(n)) for n, sender in enumerate(senders)))
        await ref.ask("flush")
    for sender in range(3):
        mine = [entry[1][1] for entry in log if isinstance(entry[1], tuple) and entry[1][0] == sender]
        assert mine == list(range(50))


# -- ask -------------------------------------------------------------------------------------------


async def test_asking_the_dead_is_noproc_at_once() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Plain)
        await ref.stop()
        with pytest.raises(ActorDeadError) as failure:
            await ref.ask("x", timeout_s=None)
        assert failure.value.reason == NoProc()


async def test_the_default_timeout_is_5_seconds_and_does_not_hurt_the_server() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Plain)
        asked = ref.ask(Call(lambda _: asyncio.sleep(6, "late")))
        with pytest.raises(AskTimeoutError) as failure:
            await asked
        assert 5.0 <= now() <= 5.05
        assert failure.value.timeout_s == 5.0
        assert isinstance(failure.value, TimeoutError)
        assert await ref.ask("next") == "next"  # the late reply was dropped


async def test_timeout_none_waits() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Plain)
        assert await ref.ask(Call(lambda _: asyncio.sleep(10_000, "at last")), timeout_s=None) == "at last"


async def test_a_timeout_of_0_expires_unless_it_is_answered_at_once() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Plain)
        with pytest.raises(AskTimeoutError):
            await ref.ask(Call(lambda _: asyncio.sleep(1)), timeout_s=0)


@pytest.mark.parametrize("timeout_s", [-1, float("nan"), "5", 10**400, [1], {}])
async def test_a_wrong_timeout_is_a_configuration_error(timeout_s: Any) -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Plain)
        for call in (partial(ref.ask, "x"), ref.stop, partial(ref.offer, "x")):
            with pytest.raises(ConfigurationError, match="timeout_s must be"):
                await call(timeout_s=timeout_s)


@pytest.mark.parametrize("reason", ["normal", ValueError("x"), Normal, 0])
async def test_a_wrong_exit_reason_is_refused_and_ends_no_actor(reason: Any) -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Plain)
        with pytest.raises(ConfigurationError, match="reason must be a Normal"):
            await ref.stop(reason)
        with pytest.raises(CallError) as failure:
            await ref.ask(Call(lambda self: self.exit(reason)))
        assert isinstance(failure.value.__cause__, ConfigurationError)


async def test_when_restarting_is_fail_or_wait() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Plain)
        with pytest.raises(ConfigurationError, match="when_restarting"):
            await ref.ask("x", when_restarting="maybe")  # type: ignore[call-overload]


async def test_a_caller_that_expired_or_was_cancelled_is_skipped() -> None:
    async with ActorSystem() as system:
        log: list[Any] = []
        ref = await system.spawn(Probe, log)
        ref.tell(Call(lambda _: asyncio.sleep(10)))
        with pytest.raises(AskTimeoutError):
            await ref.ask("expired", timeout_s=1)
        cancelled = asyncio.ensure_future(ref.ask("cancelled"))
        await settle()
        cancelled.cancel()
        assert await ref.ask("asked", timeout_s=None) == "asked"
    assert [entry[1] for entry in log if isinstance(entry[1], str)] == ["start", "asked", "stop"]


async def test_the_death_of_the_target_ends_an_ask_at_once_with_its_reason() -> None:
    async with ActorSystem(sink=quiet) as system:
        ref = await system.spawn(Plain)
        asked = asyncio.ensure_future(ref.ask(Call(lambda _: asyncio.sleep(100)), timeout_s=None))
        await settle()
        ref.kill()
        with pytest.raises(ActorDeadError) as failure:
            await asked
        assert failure.value.reason == Killed()
        assert now() == 0


async def test_asks_in_sequence_leave_no_timer_and_no_task_behind() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Plain)
        for n in range(1000):
            await ref.ask(n)
        await asyncio.sleep(10)
        assert not system.asks.lanes


# -- stop and kill ---------------------------------------------------------------------------------


async def test_stop_returns_when_the_actor_is_gone_and_its_default_reason_is_normal() -> None:
    async with ActorSystem() as system:
        log: list[Any] = []
        ref = await system.spawn(Probe, log)
        await ref.stop()
        assert not ref.is_alive
        assert log[-1] == ("probe", "stop", Normal())


async def test_a_second_stop_returns_when_the_actor_is_gone_and_the_first_reason_counts() -> None:
    class Slow(Probe):
        async def on_stop(self, reason: Any) -> None:
            await super().on_stop(reason)
            await asyncio.sleep(2)

    async with ActorSystem() as system:
        log: list[Any] = []
        ref = await system.spawn(Slow, log)
        await asyncio.gather(ref.stop(Shutdown("one")), ref.stop(Shutdown("two")))
        assert now() == 2
        assert log[1:] == [("probe", "stop", Shutdown("one"))]
        await ref.stop()  # long gone: at once
        assert now() == 2


async def test_a_later_stop_can_shorten_the_time() -> None:
    class Slow(Plain):
        async def on_stop(self, reason: Any) -> None:
            await asyncio.sleep(1000)

    async with ActorSystem(sink=quiet) as system:
        ref = await system.spawn(Slow)
        patient = asyncio.create_task(ref.stop(timeout_s=None))
        await settle()
        await ref.stop(timeout_s=1.0)
        await patient
        assert 1.0 <= now() <= 1.05


async def test_stopping_oneself_is_refused_and_points_to_exit() -> None:
    async with ActorSystem(sink=quiet) as system:
        ref = await system.spawn(Plain)
        with pytest.raises(CallError) as failure:
            await ref.ask(Call(lambda actor: actor.ref.stop()))
        assert isinstance(failure.value.__cause__, ActorError)
        assert "self.exit" in str(failure.value.__cause__)


async def test_a_stop_that_is_cancelled_still_stops_the_actor() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Plain)
        stopping = asyncio.create_task(ref.stop())
        await asyncio.sleep(0)
        stopping.cancel()
        await settle()
        assert not ref.is_alive


@pytest.mark.parametrize("has_begun", [True, False])
async def test_stopping_a_crowd_of_idle_actors_with_gather_makes_no_task(has_begun: bool) -> None:
    async with ActorSystem() as system:
        refs = [await system.spawn(Plain) for _ in range(100)]
        if has_begun:
            await settle()
        before = len(asyncio.all_tasks())
        stops = asyncio.gather(*[ref.stop() for ref in refs])
        assert len(asyncio.all_tasks()) == before
        await stops
        assert not any(ref.is_alive for ref in refs)
        await settle()  # the stops are done before the tasks are
        assert len(asyncio.all_tasks()) == before - len(refs)


@pytest.mark.parametrize("has_begun", [True, False])
async def test_the_stop_of_an_idle_actor_can_be_awaited_in_every_way(has_begun: bool) -> None:
    async def in_a_group(stop: Coroutine[Any, Any, None]) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(stop)

    async def directly(stop: Coroutine[Any, Any, None]) -> None:
        assert await stop is None

    ways = [
        directly,
        asyncio.create_task,
        asyncio.ensure_future,
        asyncio.shield,
        lambda stop: asyncio.wait_for(stop, 1.0),
        in_a_group,
    ]
    async with ActorSystem() as system:
        for way in ways:
            ref = await system.spawn(Plain)
            if has_begun:
                await settle()
            task = ref.cell.task
            await way(ref.stop())
            assert not ref.is_alive
            assert task.done()
            await way(ref.stop())  # long gone


async def test_stop_before_the_first_step_works() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Plain)
        await ref.stop()
        assert not ref.is_alive


async def test_kill_before_the_first_step_works() -> None:
    async with ActorSystem(sink=quiet) as system:
        ref = await system.spawn(Plain)
        ref.kill()
        assert not ref.is_alive
        await settle()


async def test_stop_during_start_fails_the_start() -> None:
    class Slow(Plain):
        async def on_start(self) -> None:
            await asyncio.sleep(1000)

    async with ActorSystem(sink=quiet) as system:
        for end in ("stop", "kill"):
            starting = asyncio.create_task(system.spawn(Slow, name="slow"))
            await settle()
            ref = system.whereis("slow")
            assert ref is not None
            if end == "stop":
                await ref.stop()
            else:
                ref.kill()
            with pytest.raises(ActorError, match="slow did not start"):
                await starting
            assert system.whereis("slow") is None
        assert now() == 0


# -- between incarnations --------------------------------------------------------------------------


SLOW_BACKOFF = Backoff(base_s=1.0, cap_s=1.0)


async def crash_twice(ref: ActorRef) -> None:
    """Leave an actor waiting for its restart."""
    for _ in range(2):
        with pytest.raises(CallError):
            await ref.ask(Crash(), when_restarting="wait")
    await settle()
    assert not ref.is_alive


async def test_a_ref_survives_a_restart() -> None:
    async with ActorSystem(sink=quiet) as system:
        ref = await system.spawn(ChildSpec(id="a", start=Plain))
        with pytest.raises(CallError):
            await ref.ask(Crash())
        await settle()
        assert await ref.ask("again") == "again"


async def test_fail_fails_between_two_incarnations_and_wait_waits() -> None:
    async with ActorSystem(sink=quiet) as system:
        ref = await system.spawn(ChildSpec(id="a", start=Plain, backoff=SLOW_BACKOFF))
        await crash_twice(ref)
        with pytest.raises(ActorDeadError):
            await ref.ask("fails")
        assert await ref.ask("waits", when_restarting="wait") == "waits"
        assert 1.0 <= now() <= 1.05


async def test_wait_covers_the_moment_between_the_death_and_the_supervisors_notice() -> None:
    async with ActorSystem(sink=quiet) as system:
        ref = await system.spawn(ChildSpec(id="a", start=Plain))
        ref.kill()
        assert await ref.ask("waits", when_restarting="wait") == "waits"


async def test_wait_waits_for_a_slow_start_too() -> None:
    class Slow(Plain):
        async def on_start(self) -> None:
            await asyncio.sleep(1)

    async with ActorSystem(sink=quiet) as system:
        ref = await system.spawn(ChildSpec(id="a", start=Slow))
        ref.kill()
        await settle()
        assert await ref.ask("waits", when_restarting="wait") == "waits"


async def test_an_ask_that_waits_keeps_its_timeout() -> None:
    async with ActorSystem(sink=quiet) as system:
        ref = await system.spawn(ChildSpec(id="a", start=Plain, backoff=SLOW_BACKOFF))
        await crash_twice(ref)
        with pytest.raises(AskTimeoutError):
            await ref.ask("waits", when_restarting="wait", timeout_s=0.5)


async def test_asks_that_wait_for_a_restart_meet_the_bound_of_its_mailbox() -> None:
    from jido_ai.actors.mailbox import Bounded

    async with ActorSystem(sink=quiet) as system:
        spec = ChildSpec(id="a", start=Plain, backoff=SLOW_BACKOFF, mailbox=Bounded(1))
        ref = await system.spawn(spec)
        await crash_twice(ref)
        asks = [asyncio.ensure_future(ref.ask(n, when_restarting="wait")) for n in range(2)]
        outcomes = await asyncio.gather(*asks, return_exceptions=True)
        assert outcomes[0] == 0
        assert isinstance(outcomes[1], MailboxFullError)


async def waiting_ask(ref: ActorRef) -> asyncio.Future[Any]:
    """Ask for ever, across restarts."""
    asked = asyncio.ensure_future(ref.ask("for ever", when_restarting="wait", timeout_s=None))
    await settle()
    assert not asked.done()
    return asked


async def test_an_ask_that_waits_fails_when_the_supervisor_gives_up() -> None:
    async with ActorSystem(sink=quiet, max_restarts=1) as system:
        ref = await system.spawn(ChildSpec(id="a", start=Plain, backoff=SLOW_BACKOFF))
        await crash_twice(ref)
        with pytest.raises(ActorDeadError):
            await (await waiting_ask(ref))
        with pytest.raises(ActorDeadError):
            await ref.ask("x", when_restarting="wait", timeout_s=None)


async def test_an_ask_that_waits_fails_when_its_child_is_terminated() -> None:
    async with ActorSystem(sink=quiet) as system:
        supervisor = await system.spawn(Supervisor)
        ref = await supervisor.ask(StartChild(ChildSpec(id="a", start=Plain, backoff=SLOW_BACKOFF)))
        await crash_twice(ref)
        asked = await waiting_ask(ref)
        await supervisor.ask(TerminateChild("a"))
        with pytest.raises(ActorDeadError):
            await asked


@pytest.mark.parametrize("kind", [Supervisor, DynamicSupervisor])
@pytest.mark.parametrize("end", ["stop", "kill"])
async def test_an_ask_that_waits_fails_when_the_supervisor_ends_for_good(kind: Any, end: str) -> None:
    async with ActorSystem(sink=quiet) as system:
        supervisor = await system.spawn(kind)
        ref = await supervisor.ask(StartChild(ChildSpec(id="a", start=Plain, backoff=SLOW_BACKOFF)))
        living = await supervisor.ask(StartChild(ChildSpec(id="b", start=Plain)))
        await crash_twice(ref)
        asked = await waiting_ask(ref)
        if end == "stop":
            await supervisor.stop()
        else:
            supervisor.kill()
        with pytest.raises(ActorDeadError):
            await asked
        await settle()
        with pytest.raises(ActorDeadError):
            await living.ask("x", when_restarting="wait", timeout_s=None)


async def test_an_ask_that_waits_fails_when_the_system_stops() -> None:
    async with ActorSystem(sink=quiet) as system:
        ref = await system.spawn(ChildSpec(id="a", start=Plain, backoff=SLOW_BACKOFF))
        await crash_twice(ref)
        asked = await waiting_ask(ref)
    with pytest.raises(ActorDeadError):
        await asked


async def test_an_ask_that_waits_reaches_a_child_of_a_restarted_supervisor() -> None:
    async with ActorSystem(sink=quiet) as system:
        child = ChildSpec(id="c", start=Plain, name="c")
        supervisor = await system.spawn(ChildSpec(id="s", start=(Supervisor, ([child],), {}), type="supervisor"))
        ref = system.whereis("c")
        assert ref is not None
        supervisor.kill()
        assert await ref.ask("x", when_restarting="wait", timeout_s=None) == "x"
        assert system.whereis("c") is ref


async def test_an_ask_that_waits_survives_a_restart_of_the_supervisor_that_fails_at_first() -> None:
    fails = [False]

    class Moody(Plain):
        async def on_start(self) -> None:
            if fails[0]:
                fails[0] = False
                raise ValueError("moody")

    async with ActorSystem(sink=quiet) as system:
        children = [ChildSpec(id="moody", start=Moody), ChildSpec(id="c", start=Plain, name="c")]
        supervisor = await system.spawn(ChildSpec(id="s", start=(Supervisor, (children,), {}), type="supervisor"))
        ref = system.whereis("c")
        assert ref is not None
        fails[0] = True
        supervisor.kill()
        assert await ref.ask("x", when_restarting="wait", timeout_s=None) == "x"


async def test_wait_fails_at_once_where_no_restart_can_come() -> None:
    async with ActorSystem(sink=quiet) as system:
        for restart in ("temporary", "transient"):
            ref = await system.spawn(ChildSpec(id="a", start=Plain, restart=restart))  # type: ignore[arg-type]
            await ref.stop()
            await settle()
            with pytest.raises(ActorDeadError):
                await ref.ask("x", when_restarting="wait", timeout_s=None)


async def test_wait_fails_for_a_temporary_actor_that_dies_right_after_its_start() -> None:
    class Brief(Plain):
        async def on_start(self) -> None:
            self.exit()

    async with ActorSystem(sink=quiet) as system:
        ref = await system.spawn(Brief)
        await settle()
        with pytest.raises(ActorDeadError):
            await ref.ask("x", when_restarting="wait", timeout_s=None)


async def test_a_crash_on_a_message_reaches_only_its_sender_and_is_not_repeated() -> None:
    async with ActorSystem(sink=quiet) as system:
        log: list[Any] = []
        ref = await system.spawn(ChildSpec(id="a", start=(Probe, (log,), {})))
        ref.tell(Crash())
        await settle()
        assert await ref.ask("next") == "next"
        assert [entry[1] for entry in log].count("start") == 2
        reason = next(entry[2] for entry in log if entry[1] == "stop")
        assert isinstance(reason, Crashed)


async def test_an_actor_can_be_stopped_from_another_thread_in_its_own_loop() -> None:
    async with ActorSystem() as system:
        ref, other = await system.spawn(Plain), await system.spawn(Plain)
        loop = asyncio.get_running_loop()
        await asyncio.to_thread(lambda: asyncio.run_coroutine_threadsafe(ref.stop(), loop).result(timeout=10.0))
        assert not ref.is_alive
        with pytest.raises(ActorError, match="another event loop"):
            await asyncio.to_thread(asyncio.run, stopped(other))
        assert other.is_alive


async def stopped(ref: ActorRef) -> None:
    await ref.stop()
