"""What an actor promises: one message at a time, the crash rule, ties, and an orderly end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from actor_helpers import Call, Crash, Plain, Probe, Stubborn, other_tasks, settle

from jido_ai.actors.actor import Actor, Reply
from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.children import CountChildren, StartChild, TerminateChild
from jido_ai.actors.dynamic_supervisor import DynamicSupervisor
from jido_ai.actors.exit_reason import Crashed, ExitReason, IdleTimeout, Killed, NoProc, Normal, Shutdown
from jido_ai.actors.partition_supervisor import PartitionSupervisor
from jido_ai.actors.ref import ActorRef, Ignored
from jido_ai.actors.registry import Registry
from jido_ai.actors.relations import Down, Exit
from jido_ai.actors.supervisor import Supervisor
from jido_ai.actors.system import ActorSystem
from jido_ai.actors.task_supervisor import TaskSupervisor
from jido_ai.errors import (
    ActorDeadError,
    ActorError,
    CallCycleError,
    CallError,
    ConfigurationError,
    Ignore,
    StartError,
)
from jido_ai.telemetry import TelemetryEvent

pytestmark = pytest.mark.virtual_clock


def now() -> float:
    return asyncio.get_running_loop().time()


class Ears(Probe):
    """Takes the ends of linked actors as messages."""

    trap_exit = True


# -- one message at a time -------------------------------------------------------------------------


async def test_an_actor_handles_one_message_at_a_time_in_the_order_of_sending() -> None:
    running: list[int] = []
    seen: list[int] = []

    class Slow(Actor[int]):
        async def on_receive(self, message: int) -> int:
            running.append(message)
            assert len(running) == 1
            await asyncio.sleep(1)
            seen.append(running.pop())
            return message

    async with ActorSystem() as system:
        ref = await system.spawn(Slow)
        assert await asyncio.gather(*(ref.ask(n, timeout_s=None) for n in range(10))) == list(range(10))
    assert seen == list(range(10))


async def test_a_busy_actor_lets_others_run() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Plain)
        for n in range(50_000):
            ref.tell(n)
        turns = 0
        while len(ref.cell.queue):
            await asyncio.sleep(0)
            turns += 1
    assert turns >= 2


async def test_a_message_with_handle_next_goes_before_all_that_wait() -> None:
    async with ActorSystem() as system:
        log: list[Any] = []
        ref = await system.spawn(Probe, log)

        def work(actor: Probe) -> None:
            actor.ref.tell("waits")
            actor.handle_next("next")

        await ref.ask(Call(work))
        await ref.ask("last")
    assert log[1:4] == [("probe", "next"), ("probe", "waits"), ("probe", "last")]


async def test_handle_next_in_on_start_runs_before_any_queued_message() -> None:
    class Continues(Probe):
        async def on_start(self) -> None:
            self.handle_next("continue")
            await asyncio.sleep(1)

    async with ActorSystem() as system:
        log: list[Any] = []
        starting = asyncio.create_task(system.spawn(Continues, log, name="c"))
        await settle()
        early = system.whereis("c")
        assert early is not None
        early.tell("early")
        await (await starting).ask("late")
    assert [entry[1] for entry in log[:3]] == ["continue", "early", "late"]


# -- crash rule ------------------------------------------------------------------------------------


async def test_an_escaping_exception_ends_the_actor_and_fails_its_caller_with_the_cause_chained() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        ref = await system.spawn(Plain, name="plain")
        message = Crash()
        with pytest.raises(CallError) as failure:
            await ref.ask(message)
        assert isinstance(failure.value.__cause__, ValueError)
        assert isinstance(failure.value.reason, Crashed)
        assert failure.value.reason.error is failure.value.__cause__
        assert (failure.value.target, failure.value.message) == ("plain", message)
        assert not ref.is_alive


async def test_asks_queued_behind_a_crash_fail_with_its_reason() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        ref = await system.spawn(Plain)
        crash, behind = ref.ask(Crash()), ref.ask("behind")
        with pytest.raises(CallError):
            await crash
        with pytest.raises(ActorDeadError) as failure:
            await behind
        assert isinstance(failure.value.reason, Crashed)


async def test_an_expected_error_answers_as_itself_and_the_actor_lives_on() -> None:
    class Picky(Actor[str]):
        expected_errors = (KeyError,)

        async def on_receive(self, message: str) -> str:
            if message == "bad":
                raise KeyError(message)
            return message

    events: list[TelemetryEvent] = []
    async with ActorSystem(sink=events.append) as system:
        ref = await system.spawn(Picky)
        with pytest.raises(KeyError):
            await ref.ask("bad")
        ref.tell("bad")
        assert await ref.ask("good") == "good"
    assert [event.data["error"] for event in events if event.name == "actor.tell_failed"] == ["KeyError"]


async def test_an_exception_whose_str_and_repr_raise_is_reported_all_the_same() -> None:
    class Nasty(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no text")

        __repr__ = __str__

    def work(_: object) -> None:
        raise Nasty

    async with ActorSystem() as system:  # the default sink logs it
        ref = await system.spawn(Plain)
        with pytest.raises(CallError):
            await ref.ask(Call(work))
        assert not ref.is_alive


async def test_awaiting_something_that_was_cancelled_is_a_crash_and_not_a_hang() -> None:
    async def work(_: object) -> None:
        future = asyncio.get_running_loop().create_future()
        future.cancel()
        await future

    async with ActorSystem(sink=lambda _: None) as system:
        ref = await system.spawn(Plain)
        with pytest.raises(CallError):
            await ref.ask(Call(work))
        assert not ref.is_alive


# -- start -----------------------------------------------------------------------------------------


async def test_spawn_waits_for_on_start() -> None:
    class Slow(Plain):
        async def on_start(self) -> None:
            await asyncio.sleep(3)

    async with ActorSystem() as system:
        await system.spawn(Slow)
        assert now() == 3


async def test_raising_in_on_start_is_a_start_error_with_the_cause_chained() -> None:
    class Broken(Actor):
        async def on_start(self) -> None:
            raise ValueError("no")

    async with ActorSystem(sink=lambda _: None) as system:
        with pytest.raises(StartError) as failure:
            await system.spawn(Broken)
        assert failure.value.id == "Broken"
        assert isinstance(failure.value.__cause__, ValueError)


async def test_ignore_is_success_without_an_actor() -> None:
    class Idle(Actor):
        async def on_start(self) -> None:
            raise Ignore

    async with ActorSystem() as system:
        ref = await system.spawn(Idle, name="idle")
        assert isinstance(ref, Ignored)
        assert isinstance(await system.spawn(Idle), Ignored)
        assert not ref.is_alive
        assert system.whereis("idle") is None
        with pytest.raises(ActorDeadError):
            await ref.ask("hello")


async def test_a_subclass_need_not_call_super_init() -> None:
    class Own(Plain):
        def __init__(self) -> None:
            self.value = 1

    async with ActorSystem() as system:
        assert await (await system.spawn(Own)).ask("x") == "x"


def test_an_actor_that_does_not_run_says_so() -> None:
    with pytest.raises(ActorError, match="not running"):
        _ = Plain().ref


# -- stop ------------------------------------------------------------------------------------------


async def test_on_stop_runs_on_normal_stop_shutdown_and_crash() -> None:
    log: list[Any] = []
    async with ActorSystem(sink=lambda _: None) as system:
        for tag in ("normal", "shutdown", "crash"):
            ref = await system.spawn(Probe, log, tag)
            if tag == "crash":
                ref.tell(Crash())
                await system.wait_down(ref)
            else:
                await ref.stop(Normal() if tag == "normal" else Shutdown("why"))
    stops = {entry[0]: entry[2] for entry in log if entry[1] == "stop"}
    assert stops["normal"] == Normal()
    assert stops["shutdown"] == Shutdown("why")
    assert isinstance(stops["crash"], Crashed)


async def test_on_stop_does_not_run_on_kill() -> None:
    log: list[Any] = []
    async with ActorSystem(sink=lambda _: None) as system:
        ref = await system.spawn(Probe, log)
        ref.kill()
        assert not ref.is_alive
        await settle()
    assert log == [("probe", "start")]


async def test_on_stop_runs_when_a_link_ends_an_actor() -> None:
    log: list[Any] = []
    async with ActorSystem(sink=lambda _: None) as system:
        one, other = await system.spawn(Probe, log, "one"), await system.spawn(Plain)
        await one.ask(Call(lambda actor: actor.link(other)))
        other.kill()
        assert await system.wait_down(one) == Down(one, Killed())
    assert ("one", "stop", Killed()) in log


async def test_a_busy_handler_is_cancelled_at_once_by_stop() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Plain)
        busy = asyncio.ensure_future(ref.ask(Call(lambda _: asyncio.sleep(1000)), timeout_s=None))
        await settle()
        await ref.stop()
        assert now() == 0
        with pytest.raises(ActorDeadError) as failure:
            await busy
        assert failure.value.reason == Normal()


async def test_exit_ends_the_actor_after_the_message_with_its_answer_given() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Plain)
        first = ref.ask(Call(lambda actor: actor.exit(Shutdown("done")) or "answer"))
        behind = ref.ask("behind")
        assert await first == "answer"
        with pytest.raises(ActorDeadError) as failure:
            await behind
        assert failure.value.reason == Shutdown("done")


async def test_stop_cancels_a_handler_that_keeps_running_after_exit() -> None:
    async def work(actor: Plain) -> None:
        actor.exit()
        await asyncio.sleep(1000)

    async with ActorSystem() as system:
        ref = await system.spawn(Plain)
        ref.tell(Call(work))
        await settle()
        await ref.stop()
        assert now() == 0


async def test_an_error_in_on_stop_is_the_reason() -> None:
    class Clumsy(Plain):
        async def on_stop(self, reason: ExitReason) -> None:
            raise ValueError("clumsy")

    async with ActorSystem(sink=lambda _: None) as system:
        ref = await system.spawn(Clumsy)
        down = asyncio.ensure_future(system.wait_down(ref))
        await settle()
        await ref.stop()
        assert isinstance((await down).reason, Crashed)


async def test_an_on_stop_that_hangs_is_killed_at_the_limit() -> None:
    class Hanging(Plain):
        async def on_stop(self, reason: ExitReason) -> None:
            await asyncio.sleep(10_000)

    async with ActorSystem(sink=lambda _: None) as system:
        ref = await system.spawn(Hanging)
        down = asyncio.ensure_future(system.wait_down(ref))
        await settle()
        await ref.stop(timeout_s=2.0)
        assert 2.0 <= now() <= 2.0 + 0.5
        assert (await down).reason == Killed()


async def test_an_actor_that_swallows_cancellation_is_given_up_at_its_limit_and_never_comes_back() -> None:
    release = asyncio.Event()
    stopped: list[ExitReason] = []
    events: list[TelemetryEvent] = []
    faults: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))

    class StubbornToo(Stubborn):
        async def on_stop(self, reason: ExitReason) -> None:
            stopped.append(reason)

    async with ActorSystem(sink=events.append) as system:
        before = other_tasks()
        ref = await system.spawn(StubbornToo, release, name="stubborn")
        busy = asyncio.ensure_future(ref.ask("work", timeout_s=None))
        behind = asyncio.ensure_future(ref.ask("behind", timeout_s=None))
        await settle()
        await ref.stop(timeout_s=1.0)
        assert 1.0 <= now() <= 1.5
        assert not ref.is_alive
        for failed in (busy, behind):
            with pytest.raises(ActorDeadError) as failure:
                await failed
            assert failure.value.reason == Killed()
        assert "actor.abandoned" in [event.name for event in events]
        successor = await system.spawn(Plain, name="stubborn")
        release.set()
        await settle()
        assert system.whereis("stubborn") is successor
        assert stopped == []
        assert not ref.is_alive
        assert len(other_tasks() - before) == 1  # the successor's
    assert faults == []


async def test_a_killed_actor_that_swallows_the_cancellation_leaves_no_task_behind() -> None:
    release = asyncio.Event()
    async with ActorSystem(sink=lambda _: None) as system:
        before = other_tasks()
        ref = await system.spawn(Stubborn, release)
        ref.tell("work")
        await settle()
        ref.kill()
        await settle()
        release.set()
        await settle()
        assert other_tasks() == before


async def test_death_frees_the_name_fails_callers_and_notifies_watchers_in_one_step() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        ref = await system.spawn(Plain, name="one")
        asked = ref.ask("x")
        ref.kill()
        assert system.whereis("one") is None
        assert isinstance(asked, asyncio.Future)
        assert isinstance(asked.exception(), ActorDeadError)


async def test_on_stop_after_a_crash_is_limited_by_the_shutdown_of_the_spec() -> None:
    class Hanging(Plain):
        async def on_stop(self, reason: ExitReason) -> None:
            await asyncio.sleep(10_000)

    async with ActorSystem(sink=lambda _: None) as system:
        for limit_s in (5.0, 2.0):
            began = now()
            spec = ChildSpec(id="a", start=Hanging, restart="temporary", shutdown=limit_s)
            ref = await system.spawn(Hanging) if limit_s == 5.0 else await system.spawn(spec)
            down = asyncio.ensure_future(system.wait_down(ref))
            ref.tell(Crash())
            assert (await down).reason == Killed()
            assert limit_s <= now() - began <= limit_s + 0.5


async def test_an_owned_task_dies_with_an_actor_that_is_killed() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        ref = await system.spawn(Plain)
        task = await ref.ask(Call(lambda actor: [actor.run_task(asyncio.sleep(1000))]))
        ref.kill()
        await settle()
        assert task[0].cancelled()


async def test_an_actor_keeps_nothing_of_ended_actors_that_it_watched_or_was_watched_by() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        ears = await system.spawn(Ears)
        others = [await system.spawn(Plain) for _ in range(6)]
        for other in others[:2]:
            await ears.ask(Call(lambda actor, other=other: actor.monitor(other) and None))
        for other in others[2:4]:
            await other.ask(Call(lambda actor: actor.monitor(ears) and None))
        for other in others[4:]:
            await ears.ask(Call(lambda actor, other=other: actor.link(other)))
        ties = ears.cell.relations
        assert (len(ties.monitored or ()), len(ties.monitors or ()), len(ties.links or ())) == (2, 2, 2)
        for other in others:
            other.kill()
        await settle()
        assert not (ties.monitored or ties.monitors or ties.links)


NASTY_PLACES = ("on_start", "on_stop", "message", "tell", "expected", "owned")


class Worst(BaseException):
    """Not even an Exception."""


@pytest.mark.parametrize("fault", [RuntimeError, SystemExit, KeyboardInterrupt, asyncio.CancelledError, Worst])
@pytest.mark.parametrize("place", NASTY_PLACES)
async def test_an_exception_whose_str_raises_does_no_harm_wherever_it_comes_from(
    place: str, fault: type[BaseException]
) -> None:
    class Nasty(Exception):
        def __str__(self) -> str:
            raise fault("no text")

        __repr__ = __str__

    class Speaker(Plain):
        expected_errors = (Nasty,) if place == "expected" else ()

        async def on_start(self) -> None:
            if place == "on_start":
                raise Nasty

        async def on_stop(self, reason: ExitReason) -> None:
            if place == "on_stop":
                raise Nasty

    def work(actor: Speaker) -> None:
        if place == "owned":
            actor.run_task(fail())
        else:
            raise Nasty

    async def fail() -> None:
        raise Nasty

    async with ActorSystem() as system:  # the default sink logs it
        if place == "on_start":
            with pytest.raises(StartError) as failure:
                await system.spawn(Speaker)
            assert isinstance(failure.value.__cause__, Nasty)
            return
        ref = await system.spawn(ChildSpec(id="speaker", start=Speaker, restart="temporary"))
        down = asyncio.ensure_future(system.wait_down(ref))
        await settle()
        match place:
            case "on_stop":
                await ref.stop()
            case "message":
                with pytest.raises(CallError, match="speaker crashed on Call"):
                    await ref.ask(Call(work))
            case _:
                ref.tell(Call(work))
                await settle()
        if place == "expected":
            assert await ref.ask("still here") == "still here"
            down.cancel()
        else:
            assert isinstance((await down).reason, Crashed)


async def test_every_operation_on_a_dead_actor_has_one_harmless_outcome() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        log: list[Any] = []
        dead, watcher = await system.spawn(Plain, name="dead"), await system.spawn(Ears, log)
        handle = await watcher.ask(Call(lambda actor: actor.monitor(dead)))
        dead.kill()
        dead.tell("dropped")
        await dead.offer("dropped")
        assert system.dead_letters == 2
        for when_restarting in ("fail", "wait"):
            with pytest.raises(ActorDeadError) as failure:
                await dead.ask("x", timeout_s=None, when_restarting=when_restarting)  # type: ignore[call-overload]
            assert isinstance(failure.value.reason, NoProc)
        await dead.stop()
        dead.kill()
        assert (await system.wait_down(dead)).reason == NoProc()
        await watcher.ask(Call(lambda actor: [actor.demonitor(handle), actor.unlink(dead)]))
        log.clear()
        await watcher.ask(Call(lambda actor: [actor.monitor(dead), actor.link(dead)]))
        await watcher.ask("flush")
        assert [entry[1] for entry in log] == [Down(dead, NoProc()), Exit(dead, NoProc()), "flush"]
        assert now() == 0


async def test_an_actor_that_is_busy_for_long_reports_the_depth_of_its_mailbox() -> None:
    events: list[TelemetryEvent] = []
    async with ActorSystem(sink=events.append) as system:
        ref = await system.spawn(Plain, name="busy")
        for n in range(50_000):
            ref.tell(n)
        await ref.ask("last", timeout_s=None)
    depths = [event.data["depth"] for event in events if event.name == "mailbox.high_water"]
    assert depths
    assert depths == sorted(depths, reverse=True)
    assert 0 < depths[0] < 50_000  # type: ignore[operator]


# -- links and monitors ----------------------------------------------------------------------------


async def link(one: ActorRef, other: ActorRef) -> None:
    await one.ask(Call(lambda actor: actor.link(other)))


async def test_a_linked_actor_ends_with_the_same_reason() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        one, other = await system.spawn(Plain), await system.spawn(Plain)
        await link(one, other)
        other.tell(Crash())
        assert isinstance((await system.wait_down(one)).reason, Crashed)


async def test_a_normal_end_leaves_linked_actors_alone() -> None:
    async with ActorSystem() as system:
        one, other = await system.spawn(Plain), await system.spawn(Plain)
        await link(one, other)
        await other.stop()
        assert await one.ask("still here") == "still here"


async def test_links_go_both_ways() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        one, other = await system.spawn(Plain), await system.spawn(Plain)
        await link(one, other)
        one.kill()
        assert (await system.wait_down(other)).reason == Killed()


async def test_a_trapping_actor_gets_exits_as_messages_normal_ones_too() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        log: list[Any] = []
        ears = await system.spawn(Ears, log)
        one, other = await system.spawn(Plain), await system.spawn(Plain)
        await link(ears, one)
        await link(ears, other)
        await one.stop()
        other.kill()
        await ears.ask("flush")
        assert log[1:3] == [("probe", Exit(one, Normal())), ("probe", Exit(other, Killed()))]


async def test_linking_to_the_dead_delivers_noproc() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        log: list[Any] = []
        dead = await system.spawn(Plain)
        await dead.stop()
        ears, plain = await system.spawn(Ears, log), await system.spawn(Plain)
        await link(ears, dead)
        await ears.ask("flush")
        assert log[1] == ("probe", Exit(dead, NoProc()))
        down = asyncio.ensure_future(system.wait_down(plain))
        plain.tell(Call(lambda actor: actor.link(dead)))
        assert (await down).reason == NoProc()


@pytest.mark.parametrize("tie", ["link", "unlink", "monitor", "demonitor"])
@pytest.mark.parametrize("junk", [None, "other", 5])
async def test_links_and_monitors_refuse_anything_but_a_ref(tie: str, junk: object) -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        ref = await system.spawn(Plain)
        with pytest.raises(CallError) as caught:
            await ref.ask(Call(lambda actor: getattr(actor, tie)(junk)))
        assert isinstance(caught.value.__cause__, ConfigurationError)
        with pytest.raises(ConfigurationError, match="ref must be an ActorRef"):
            await system.wait_down(junk)  # type: ignore[arg-type]


async def test_unlink_removes_the_link_and_withdraws_a_queued_exit() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        log: list[Any] = []
        ears, other = await system.spawn(Ears, log), await system.spawn(Plain)

        def work(actor: Ears) -> None:
            actor.link(other)
            other.kill()
            actor.unlink(other)

        await ears.ask(Call(work))
        await ears.ask("flush")
        assert log == [("probe", "start"), ("probe", "flush")]


async def test_an_exit_from_a_link_keeps_its_reason_for_a_brutal_kill_child() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        one = await system.spawn(
            ChildSpec(id="one", start=Plain, shutdown="brutal_kill", restart="temporary"),
        )
        other = await system.spawn(Plain)
        await link(one, other)
        other.tell(Crash())
        assert isinstance((await system.wait_down(one)).reason, Crashed)


SUPERVISING = [
    (Supervisor, ([],)),
    (DynamicSupervisor, ()),
    (TaskSupervisor, ()),
    (PartitionSupervisor, (ChildSpec(id="part", start=Plain), 2)),
    (Registry, ()),
]


@pytest.mark.parametrize(("kind", "arguments"), SUPERVISING, ids=lambda value: getattr(value, "__name__", ""))
async def test_a_stranger_that_links_to_a_supervisor_does_not_take_it_along(kind: Any, arguments: Any) -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        supervisor = await system.spawn(kind, *arguments)
        for end in (Crash(), Call(lambda actor: actor.exit(Shutdown())), Call(lambda actor: actor.ref.kill())):
            stranger = await system.spawn(Plain)
            await stranger.ask(Call(lambda actor: actor.link(supervisor)))
            stranger.tell(end)
            await system.wait_down(stranger)
        await settle()
        assert supervisor.is_alive


@pytest.mark.parametrize(("kind", "arguments"), SUPERVISING, ids=lambda value: getattr(value, "__name__", ""))
@pytest.mark.parametrize("reason", [Normal(), Shutdown("done"), Killed()], ids=repr)
async def test_a_supervisor_that_is_spawned_with_a_link_ends_with_its_spawner(
    kind: Any, arguments: Any, reason: Any
) -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        spawner = await system.spawn(Plain)
        supervisor = await spawner.ask(Call(lambda actor: actor.spawn_link(kind, *arguments)))
        spawner.tell(Call(lambda actor: actor.exit(reason)))
        assert (await system.wait_down(supervisor)).reason in (reason, NoProc())
        assert not supervisor.is_alive


async def test_the_exit_of_an_actor_that_is_linked_and_monitored_comes_before_its_down() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        watcher = await system.spawn(Probe)
        other = await system.spawn(Plain)
        await watcher.ask(Call(lambda actor: setattr(actor, "trap_exit", True)))
        await watcher.ask(Call(lambda actor: actor.monitor(other)))
        await watcher.ask(Call(lambda actor: actor.link(other)))
        other.kill()
        await settle()
        log = await watcher.ask(Call(lambda actor: actor.log))
        assert [type(message) for _, message in log[1:]] == [Exit, Down]


async def test_spawn_link_starts_and_links() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        one = await system.spawn(Plain)
        child = await one.ask(Call(lambda actor: actor.spawn_link(Plain)))
        child.kill()
        assert (await system.wait_down(one)).reason == Killed()


async def test_monitors_are_stackable_and_each_gives_exactly_one_down() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        log: list[Any] = []
        watcher, other = await system.spawn(Probe, log), await system.spawn(Plain)
        for _ in range(3):
            await watcher.ask(Call(lambda actor: actor.monitor(other)))
        other.kill()
        await watcher.ask("flush")
        assert log[1:] == [("probe", Down(other, Killed()))] * 3 + [("probe", "flush")]
        assert watcher.is_alive  # one-way


async def test_a_monitor_on_the_dead_gives_down_noproc_at_once() -> None:
    async with ActorSystem() as system:
        log: list[Any] = []
        watcher, dead = await system.spawn(Probe, log), await system.spawn(Plain)
        await dead.stop()
        await watcher.ask(Call(lambda actor: actor.monitor(dead)))
        await watcher.ask("flush")
        assert log[1] == ("probe", Down(dead, NoProc()))


async def test_demonitor_leaves_nothing_behind() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        log: list[Any] = []
        watcher, other = await system.spawn(Probe, log), await system.spawn(Plain)

        def work(actor: Probe) -> None:
            kept, dropped = actor.monitor(other), actor.monitor(other)
            other.kill()
            actor.demonitor(dropped)
            assert kept is not dropped

        await watcher.ask(Call(work))
        await watcher.ask("flush")
        assert log[1:] == [("probe", Down(other, Killed())), ("probe", "flush")]


async def test_a_monitor_is_for_one_incarnation() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        log: list[Any] = []
        watcher, other = await system.spawn(Probe, log), await system.spawn(ChildSpec(id="o", start=Plain))
        await watcher.ask(Call(lambda actor: actor.monitor(other)))
        for _ in range(2):
            other.kill()
            await asyncio.sleep(1)
        assert await other.ask("alive again") == "alive again"
        assert [entry[1].reason for entry in log if isinstance(entry[1], Down)] == [Killed()]


# -- replies, owned tasks, idle timeout ------------------------------------------------------------


async def test_a_deferred_reply_can_be_sent_from_anywhere_and_does_not_block_the_mailbox() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Plain)
        replies: list[Reply] = []
        asked = asyncio.ensure_future(ref.ask(Call(lambda actor: replies.append(actor.defer_reply()))))
        assert await ref.ask("meanwhile") == "meanwhile"
        assert not asked.done()
        replies[0].send("later")
        assert await asked == "later"
        replies[0].send("too late")
        assert not replies[0].is_wanted


async def test_reply_returns_the_value_that_answers_the_message() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Plain)
        ask = Call(lambda actor: actor.reply(ask, "answer"))
        assert await ref.ask(ask) == "answer"


async def test_reply_fail_raises_that_error_in_the_asker() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Plain)
        with pytest.raises(KeyError, match="why"):
            await ref.ask(Call(lambda actor: actor.defer_reply().fail(KeyError("why"))))


async def test_a_deferred_reply_fails_when_the_actor_ends_unless_it_outlives_it() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        ref = await system.spawn(Plain)
        replies: list[Reply] = []

        def work(actor: Plain) -> None:
            replies.append(actor.defer_reply())

        fails, outlives = (asyncio.ensure_future(ref.ask(Call(work))) for _ in range(2))
        await settle()
        replies[1].outlive()
        ref.kill()
        with pytest.raises(ActorDeadError):
            await fails
        replies[1].send("from the grave")
        assert await outlives == "from the grave"


@pytest.mark.parametrize("error", [KeyError("why"), ValueError("why")], ids=["expected", "a crash"])
async def test_a_handler_that_raises_after_defer_reply_fails_the_ask_at_once(error: Exception) -> None:
    class Deferring(Plain):
        expected_errors = (KeyError,)

        async def on_receive(self, message: object) -> object:
            if message == "fail":
                self.defer_reply()
                raise error
            return message

    async with ActorSystem(sink=lambda _: None) as system:
        ref = await system.spawn(Deferring)
        with pytest.raises(KeyError if isinstance(error, KeyError) else CallError) as caught:
            await ref.ask("fail")
        assert caught.value is error or caught.value.__cause__ is error
        assert now() == 0
        assert ref.is_alive == isinstance(error, KeyError)


async def test_an_expected_error_leaves_an_outliving_deferred_reply_to_its_holder() -> None:
    class Handing(Plain):
        expected_errors = (KeyError,)

    async with ActorSystem(sink=lambda _: None) as system:
        ref = await system.spawn(Handing)
        replies: list[Reply] = []

        def work(actor: Plain) -> None:
            reply = actor.defer_reply()
            reply.outlive()
            replies.append(reply)
            raise KeyError("not for the asker")

        asked = asyncio.ensure_future(ref.ask(Call(work)))
        assert await ref.ask("meanwhile") == "meanwhile"
        replies[0].send("answered")
        assert await asked == "answered"


async def test_a_reply_after_the_callers_death_is_dropped() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Plain)
        replies: list[Reply] = []
        asked = asyncio.ensure_future(ref.ask(Call(lambda actor: replies.append(actor.defer_reply()))))
        await settle()
        asked.cancel()
        await settle()
        replies[0].send("nobody")
        assert await ref.ask("x") == "x"


async def test_an_owned_task_dies_with_its_actor() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Plain)
        task = await ref.ask(Call(lambda actor: [actor.run_task(asyncio.sleep(1000))]))
        await ref.stop()
        assert task[0].cancelled()
        assert now() == 0


async def test_an_error_of_an_owned_task_crashes_its_actor() -> None:
    async def fail() -> None:
        raise ValueError("task")

    async with ActorSystem(sink=lambda _: None) as system:
        for shutdown in (5.0, "brutal_kill"):
            ref = await system.spawn(ChildSpec(id="a", start=Plain, restart="temporary", shutdown=shutdown))  # type: ignore[arg-type]
            down = asyncio.ensure_future(system.wait_down(ref))
            ref.tell(Call(lambda actor: actor.run_task(fail()) and None))
            reason = (await down).reason
            assert isinstance(reason, Crashed)
            assert isinstance(reason.error, ValueError)


async def test_an_owned_task_may_ask_its_own_actor() -> None:
    async def work(actor: Plain) -> str:
        return await actor.ref.ask("hello")

    async with ActorSystem() as system:
        ref = await system.spawn(Plain)
        task = await ref.ask(Call(lambda actor: [actor.run_task(work(actor))]))
        assert await task[0] == "hello"


async def test_one_idle_timeout_comes_when_nothing_arrives() -> None:
    async with ActorSystem() as system:
        log: list[Any] = []
        ref = await system.spawn(Probe, log)
        await ref.ask(Call(lambda actor: actor.set_idle_timeout(10)))
        await asyncio.sleep(9)
        assert log == [("probe", "start")]
        await asyncio.sleep(100)
        assert log == [("probe", "start"), ("probe", IdleTimeout())]


async def test_any_message_cancels_the_idle_timeout() -> None:
    async with ActorSystem() as system:
        log: list[Any] = []
        ref = await system.spawn(Probe, log)
        await ref.ask(Call(lambda actor: actor.set_idle_timeout(10)))
        await asyncio.sleep(5)
        ref.tell("message")
        await asyncio.sleep(100)
        assert log == [("probe", "start"), ("probe", "message")]


async def test_an_idle_timeout_of_on_start_is_cancelled_by_a_message_that_is_there_already() -> None:
    class Impatient(Probe):
        async def on_start(self) -> None:
            self.set_idle_timeout(10)
            self.ref.tell("early")

    async with ActorSystem() as system:
        log: list[Any] = []
        await system.spawn(Impatient, log)
        await asyncio.sleep(100)
        assert log == [("probe", "early")]


async def test_an_idle_timeout_may_be_set_by_an_owned_task_of_an_idle_actor() -> None:
    async with ActorSystem() as system:
        log: list[Any] = []
        ref = await system.spawn(Probe, log)

        async def later(actor: Probe) -> None:
            await asyncio.sleep(1)
            actor.set_idle_timeout(10)

        await ref.ask(Call(lambda actor: actor.run_task(later(actor)) and None))
        await asyncio.sleep(100)
        assert log == [("probe", "start"), ("probe", IdleTimeout())]


async def test_an_idle_timeout_can_be_cancelled() -> None:
    async with ActorSystem() as system:
        log: list[Any] = []
        ref = await system.spawn(Probe, log)
        await ref.ask(Call(lambda actor: [actor.set_idle_timeout(seconds) for seconds in (10, None)]))
        await asyncio.sleep(100)
        assert log == [("probe", "start")]


# -- circles ---------------------------------------------------------------------------------------


async def test_a_circle_of_asks_is_refused_with_the_names_in_it() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        a, b, c = [await system.spawn(Plain, name=name) for name in "abc"]

        def ask(target: ActorRef, message: object) -> Call:
            return Call(lambda _: target.ask(message, timeout_s=None))

        with pytest.raises(CallError) as failure:
            await a.ask(ask(b, ask(c, ask(a, "round"))))
        error: BaseException = failure.value
        while not isinstance(error, CallCycleError):
            assert error.__cause__ is not None
            error = error.__cause__
        assert error.names == ("c", "a", "b")


async def test_asking_oneself_is_refused() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        a = await system.spawn(Plain, name="a")
        with pytest.raises(CallError) as failure:
            await a.ask(Call(lambda actor: actor.ref.ask("me", timeout_s=None)))
        assert isinstance(failure.value.__cause__, CallCycleError)
        assert failure.value.__cause__.names == ("a",)


async def test_on_start_may_not_ask_an_actor_that_waits_for_that_start() -> None:
    class Asks(Actor):
        def __init__(self, target: ActorRef) -> None:
            self.target = target

        async def on_start(self) -> None:
            await self.target.ask("hello", timeout_s=None)

    async with ActorSystem(sink=lambda _: None) as system:
        a = await system.spawn(Plain, name="a")
        with pytest.raises(CallError) as failure:
            await a.ask(Call(lambda actor: actor.system.spawn(Asks, actor.ref)), timeout_s=None)
        assert isinstance(failure.value.__cause__, StartError)
        assert isinstance(failure.value.__cause__.__cause__, CallCycleError)


async def test_two_who_ask_a_third_are_no_circle() -> None:
    async with ActorSystem() as system:
        a, b, c = [await system.spawn(Plain, name=name) for name in "abc"]
        work = Call(lambda _: c.ask("hello"))
        assert await asyncio.gather(a.ask(work), b.ask(work)) == ["hello", "hello"]


async def test_a_circle_through_a_supervisor_that_starts_a_child_is_refused() -> None:
    class Asks(Actor):
        def __init__(self, target: ActorRef) -> None:
            self.target = target

        async def on_start(self) -> None:
            await self.target.ask("hello", timeout_s=None)

    for kind in (Supervisor, DynamicSupervisor):
        async with ActorSystem(sink=lambda _: None) as system:
            a, supervisor = await system.spawn(Plain, name="a"), await system.spawn(kind, name="s")
            request = StartChild(ChildSpec(id="child", start=(Asks, (a,), {})))
            with pytest.raises(CallError) as failure:
                await a.ask(
                    Call(lambda _, to=supervisor, request=request: to.ask(request, timeout_s=None)), timeout_s=None
                )
            cycle = failure.value.__cause__
            assert isinstance(cycle, StartError)
            assert isinstance(cycle.__cause__, CallCycleError)
            assert cycle.__cause__.names == ("child", "a", "s")
            assert supervisor.is_alive
            assert now() == 0


@pytest.mark.parametrize("who", ["an actor", "a supervisor"])
async def test_on_stop_may_not_ask_an_actor_that_waits_for_that_stop(who: str) -> None:
    errors: list[BaseException] = []

    class Asks(Actor):
        target: ActorRef

        async def on_stop(self, reason: ExitReason) -> None:
            try:
                await self.target.ask(CountChildren(), timeout_s=None)
            except CallCycleError as error:
                errors.append(error)

    async with ActorSystem(sink=lambda _: None) as system:
        if who == "an actor":
            a, child = await system.spawn(Plain, name="a"), await system.spawn(Asks, name="child")
            Asks.target = a
            await a.ask(Call(lambda _: child.stop(timeout_s=None)), timeout_s=None)
        else:
            a = await system.spawn(Supervisor, [ChildSpec(id="child", start=Asks, name="child")], name="a")
            Asks.target = a
            await a.ask(TerminateChild("child"))
            assert a.is_alive
        assert now() == 0
    assert [error.names for error in errors] == [("child", "a")]  # type: ignore[attr-defined]
