"""Dynamic supervisors: no order, no unique ids, a limit on children, a parallel stop."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from actor_helpers import Crash, Plain, Probe, Stubborn, other_tasks, settle

from jido_ai.actors.actor import Actor
from jido_ai.actors.child_spec import Backoff, ChildSpec
from jido_ai.actors.children import (
    ChildCounts,
    CountChildren,
    DeleteChild,
    RestartChild,
    StartChild,
    TerminateChild,
    WhichChildren,
)
from jido_ai.actors.dynamic_supervisor import DynamicSupervisor
from jido_ai.actors.exit_reason import Shutdown
from jido_ai.actors.ref import ActorRef, Ignored
from jido_ai.actors.supervisor import Supervisor
from jido_ai.actors.system import ActorSystem
from jido_ai.errors import ConfigurationError, Ignore, MaxChildrenError, NotFoundError, StartError, SupervisorError
from jido_ai.telemetry import TelemetryEvent

pytestmark = pytest.mark.virtual_clock

SLOW = Backoff(base_s=1.0)


def quiet(_: TelemetryEvent) -> None:
    """Take an event and say nothing."""


async def add(supervisor: ActorRef, start: Any = Plain, **fields: Any) -> ActorRef:
    return await supervisor.ask(StartChild(ChildSpec(id=fields.pop("id", "worker"), start=start, **fields)))


async def counts(supervisor: ActorRef) -> ChildCounts:
    return await supervisor.ask(CountChildren())


async def test_ids_may_repeat_and_a_ref_says_which_is_meant() -> None:
    async with ActorSystem(sink=quiet) as system:
        supervisor = await system.spawn(DynamicSupervisor)
        one, other = await add(supervisor), await add(supervisor)
        with pytest.raises(SupervisorError, match="2 children"):
            await supervisor.ask(TerminateChild("worker"))
        await supervisor.ask(TerminateChild(one))
        assert not one.is_alive
        assert [info.ref for info in await supervisor.ask(WhichChildren())] == [other]
        await supervisor.ask(TerminateChild("worker"))
        for gone in (one, "worker"):
            with pytest.raises(NotFoundError):
                await supervisor.ask(TerminateChild(gone))


async def test_each_child_is_restarted_alone_by_its_own_rule() -> None:
    async with ActorSystem(sink=quiet) as system:
        supervisor = await system.spawn(DynamicSupervisor)
        refs = {restart: await add(supervisor, restart=restart) for restart in ("permanent", "transient", "temporary")}
        for ref in refs.values():
            ref.tell(Crash())
        await settle(60)
        assert {restart: ref.is_alive for restart, ref in refs.items()} == {
            "permanent": True,
            "transient": True,
            "temporary": False,
        }
        await refs["transient"].stop()
        assert await counts(supervisor) == ChildCounts(1, 1, 0, 1)  # a clean end removes a transient child


async def test_max_children_counts_those_being_restarted_too() -> None:
    async with ActorSystem(sink=quiet) as system:
        supervisor = await system.spawn(DynamicSupervisor, max_children=2)
        one = await add(supervisor, backoff=SLOW)
        await add(supervisor)
        for _ in range(2):
            one.kill()
            await settle()
        assert await counts(supervisor) == ChildCounts(2, 1, 0, 2)
        with pytest.raises(MaxChildrenError):
            await add(supervisor)
        await supervisor.ask(TerminateChild(one))
        await add(supervisor)


@pytest.mark.parametrize("max_children", [-1, 1.5, True, "many"])
async def test_a_wrong_max_children_is_refused(max_children: Any) -> None:
    async with ActorSystem() as system:
        with pytest.raises(ConfigurationError, match="max_children"):
            await system.spawn(DynamicSupervisor, max_children=max_children)


async def test_a_dynamic_supervisor_refuses_meaningless_requests_and_stays_alive() -> None:
    async with ActorSystem(sink=quiet) as system:
        supervisor = await system.spawn(DynamicSupervisor)
        with pytest.raises(ConfigurationError, match="significant"):
            await add(supervisor, restart="transient", significant=True)
        for request in (RestartChild("a"), DeleteChild("a")):
            with pytest.raises(SupervisorError):
                await supervisor.ask(request)
        for nonsense in ("nonsense", StartChild("nonsense")):  # type: ignore[arg-type]
            with pytest.raises(ConfigurationError):
                await supervisor.ask(nonsense)
        with pytest.raises(TypeError):
            DynamicSupervisor(auto_shutdown="any_significant")  # type: ignore[call-arg]
        assert supervisor.is_alive


async def test_the_ref_starts_and_terminates_children() -> None:
    async with ActorSystem(sink=quiet) as system:
        supervisor = await system.spawn(DynamicSupervisor)
        child = await supervisor.start_child(ChildSpec(id="a", start=Plain))
        assert await child.ask("here") == "here"
        await supervisor.terminate_child(child)
        assert not child.is_alive
        with pytest.raises(NotFoundError):
            await supervisor.terminate_child(child)


async def test_a_failed_or_ignored_start_leaves_nothing() -> None:
    class Broken(Actor):
        async def on_start(self) -> None:
            raise ValueError("broken")

    class Idle(Actor):
        async def on_start(self) -> None:
            raise Ignore

    async with ActorSystem(sink=quiet) as system:
        supervisor = await system.spawn(DynamicSupervisor)
        with pytest.raises(StartError):
            await add(supervisor, Broken)
        assert isinstance(await add(supervisor, Idle), Ignored)
        assert await counts(supervisor) == ChildCounts(0, 0, 0, 0)


async def test_children_are_stopped_in_parallel_each_within_its_limit() -> None:
    release = asyncio.Event()
    async with ActorSystem(sink=quiet) as system:
        supervisor = await system.spawn(DynamicSupervisor)
        for _ in range(100):
            (await add(supervisor, (Stubborn, (release,), {}), shutdown=2.0)).tell("work")
        await settle()
        await supervisor.stop(timeout_s=None)
        assert 2.0 <= asyncio.get_running_loop().time() <= 2.5
        release.set()


async def test_intensity_is_over_all_children() -> None:
    async with ActorSystem(sink=quiet) as system:
        supervisor = await system.spawn(DynamicSupervisor)
        refs = [await add(supervisor) for _ in range(5)]
        for ref in refs[:3]:
            ref.kill()
        await settle(60)
        assert all(ref.is_alive for ref in refs)
        down = asyncio.ensure_future(system.wait_down(supervisor))
        refs[3].kill()
        assert isinstance((await down).reason, Shutdown)
        assert not any(ref.is_alive for ref in refs)


async def test_a_failing_restart_is_tried_again_and_counts() -> None:
    starts: list[int] = []

    class Moody(Plain):
        async def on_start(self) -> None:
            starts.append(1)
            if len(starts) in (2, 3):
                raise ValueError("moody")

    async with ActorSystem(sink=quiet) as system:
        supervisor = await system.spawn(DynamicSupervisor)
        ref = await add(supervisor, Moody)
        ref.kill()
        assert await ref.ask("x", when_restarting="wait") == "x"
        assert len(starts) == 4


async def test_children_are_not_back_after_a_restart_of_the_supervisor() -> None:
    async with ActorSystem(sink=quiet) as system:
        supervisor = await system.spawn(ChildSpec(id="d", start=DynamicSupervisor, type="supervisor"))
        ref = await add(supervisor, name="worker")
        supervisor.kill()
        await settle(60)
        assert supervisor.is_alive
        assert not ref.is_alive
        assert await counts(supervisor) == ChildCounts(0, 0, 0, 0)
        await add(supervisor, name="worker")


async def test_a_killed_supervisor_below_is_restarted_when_the_names_of_its_children_are_free() -> None:
    class Lingering(Plain):
        async def on_stop(self, reason: object) -> None:
            await asyncio.sleep(3)

    async with ActorSystem(sink=quiet) as system:
        top = await system.spawn(DynamicSupervisor, max_restarts=1)
        children = [ChildSpec(id="lingering", name="lingering", start=Lingering)]
        inner = await add(top, (Supervisor, (children,), {}), type="supervisor")
        inner.kill()
        await asyncio.sleep(2.9)
        assert not inner.is_alive
        await asyncio.sleep(0.2)
        assert inner.is_alive
        assert system.whereis("lingering") is not None


async def test_ten_thousand_children_come_and_go() -> None:
    async with ActorSystem() as system:
        supervisor = await system.spawn(DynamicSupervisor)
        before = other_tasks()
        refs = [await add(supervisor, restart="temporary") for _ in range(10_000)]
        await asyncio.gather(*(ref.stop() for ref in refs[::2]))
        assert await counts(supervisor) == ChildCounts(5000, 5000, 0, 5000)
        for ref in refs[1::2]:
            await supervisor.ask(TerminateChild(ref))
        assert await counts(supervisor) == ChildCounts(0, 0, 0, 0)
        assert other_tasks() == before


@pytest.mark.parametrize("under", ["a dynamic supervisor", "the system"])
async def test_others_run_while_many_actors_are_stopped(under: str) -> None:
    system = ActorSystem(sink=quiet)
    await system.start()
    supervisor = await system.spawn(DynamicSupervisor)
    crowd = [await (add(supervisor) if under == "a dynamic supervisor" else system.spawn(Plain)) for _ in range(2_000)]
    at_once: list[int] = []

    async def watch() -> None:
        before = sum(ref.is_alive for ref in crowd)
        at_once.append(len(crowd) - before)
        while before:
            await asyncio.sleep(0)
            alive = sum(ref.is_alive for ref in crowd)
            at_once.append(before - alive)
            before = alive

    watcher = asyncio.create_task(watch())
    await system.stop()
    await watcher
    assert 0 < max(at_once) <= 256


async def test_a_spawn_that_is_cancelled_while_it_starts_leaves_no_actor_behind() -> None:
    log: list[Any] = []

    class Slow(Probe):
        async def on_start(self) -> None:
            await asyncio.sleep(10)
            await super().on_start()

    async with ActorSystem(sink=quiet) as system:
        before = other_tasks()
        starting = asyncio.create_task(system.spawn(Slow, log, name="slow"))
        await settle()
        starting.cancel()
        await settle()
        assert starting.cancelled()
        assert system.whereis("slow") is None
        assert other_tasks() == before
    assert log == []
