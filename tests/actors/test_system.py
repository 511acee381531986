"""ActorSystem: the root of the tree, names, events; nothing is global."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from actor_helpers import Call, Crash, Plain, Probe, other_tasks, settle

from jido_ai.actors.actor import Actor
from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.children import StartChild
from jido_ai.actors.dynamic_supervisor import DynamicSupervisor
from jido_ai.actors.exit_reason import Killed, NoProc, Normal
from jido_ai.actors.mailbox import Bounded
from jido_ai.actors.relations import Down
from jido_ai.actors.supervisor import Supervisor
from jido_ai.actors.system import ActorSystem
from jido_ai.errors import ActorError, ConfigurationError, NameTakenError, StartError
from jido_ai.telemetry import TelemetryEvent
from jido_ai.testing import virtual_run

pytestmark = pytest.mark.virtual_clock


def quiet(_: TelemetryEvent) -> None:
    """Take an event and say nothing."""


async def test_leaving_the_system_stops_everything_in_reverse_and_leaves_no_task() -> None:
    log: list[Any] = []
    async with ActorSystem() as system:
        for tag in "abc":
            await system.spawn(Probe, log, tag)
        log.clear()
    assert [entry[0] for entry in log] == ["c", "b", "a"]
    assert not other_tasks()
    assert not system.is_running


async def test_leaving_by_an_error_stops_everything_too() -> None:
    with pytest.raises(ValueError, match="mine"):
        async with ActorSystem() as system:
            ref = await system.spawn(Plain)
            raise ValueError("mine")
    assert not ref.is_alive


async def test_a_system_that_does_not_run_spawns_nothing() -> None:
    system = ActorSystem()
    with pytest.raises(ActorError, match="not running"):
        await system.spawn(Plain)
    async with system:
        with pytest.raises(ActorError, match="already running"):
            await system.start()
    with pytest.raises(ActorError, match="not running"):
        await system.spawn(Plain)
    await system.stop()  # again: nothing to do
    async with system:  # and it can be started again
        assert await (await system.spawn(Plain, name="a")).ask("x") == "x"


async def test_two_systems_share_nothing() -> None:
    async with ActorSystem() as one, ActorSystem() as other:
        a, b = await one.spawn(Plain, name="same"), await other.spawn(Plain, name="same")
        assert one.whereis("same") is a
        assert other.whereis("same") is b


def test_two_event_loops_in_two_threads_do_not_see_each_other() -> None:
    both_run = threading.Barrier(2, timeout=30)

    async def life(answer: str) -> tuple[str, list[str], int]:
        events: list[TelemetryEvent] = []
        async with ActorSystem(sink=events.append) as system:
            ref = await system.spawn(Plain, name="same")
            await asyncio.to_thread(both_run.wait)
            assert system.whereis("same") is ref
            said = [await ref.ask(answer) for _ in range(200)]
            await asyncio.gather(ref.ask(Crash()), return_exceptions=True)  # while the other one asks
            await asyncio.to_thread(both_run.wait)
            return "".join(set(said)), [event.name for event in events], len(other_tasks())

    with ThreadPoolExecutor(2) as pool:
        lives = [pool.submit(asyncio.run, life(answer)) for answer in ("left", "right")]
        (left, *seen_left), (right, *seen_right) = (one.result(timeout=30) for one in lives)
    assert (left, right) == ("left", "right")
    assert seen_left == seen_right
    assert seen_left[0].count("actor.crashed") == 1


async def test_spawn_passes_positional_and_keyword_arguments_to_the_class() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Probe, ["x"], tag="mine", name="probe")
        assert await ref.ask(Call(lambda actor: (actor.log[0], actor.tag, actor.ref is ref))) == ("x", "mine", True)


async def test_a_constructor_that_raises_is_a_start_error_and_a_configuration_error_passes_as_itself() -> None:
    class Picky(Actor):
        def __init__(self, error: Exception) -> None:
            raise error

    async with ActorSystem() as system:
        with pytest.raises(StartError) as failure:
            await system.spawn(Picky, ValueError("no"))
        assert isinstance(failure.value.__cause__, ValueError)
        with pytest.raises(ConfigurationError):
            await system.spawn(Picky, ConfigurationError("no"))


@pytest.mark.parametrize("nonsense", [None, 7, Plain, object()])
async def test_a_factory_must_return_an_actor(nonsense: Any) -> None:
    async with ActorSystem(sink=quiet) as system:
        with pytest.raises(StartError, match="must return an Actor"):
            await system.spawn(ChildSpec(id="a", start=lambda: nonsense, name="a"))
        with pytest.raises(StartError, match="must return an Actor"):
            await system.spawn(lambda: nonsense, name="a")
        assert system.whereis("a") is None
        assert system.tree().children == ()


async def test_a_factory_that_is_a_coroutine_function_is_refused() -> None:
    async def factory() -> Actor:
        return Plain()

    async with ActorSystem(sink=quiet) as system:
        with pytest.raises(StartError, match="must return an Actor"):
            await system.spawn(ChildSpec(id="a", start=factory))


async def test_spawn_takes_no_other_arguments_with_a_child_spec() -> None:
    async with ActorSystem() as system:
        spec = ChildSpec(id="a", start=Plain)
        for more in ({"name": "b"}, {"mailbox": Bounded(1)}, {"x": 1}):
            with pytest.raises(ConfigurationError):
                await system.spawn(spec, **more)  # type: ignore[arg-type]
        with pytest.raises(ConfigurationError):
            await system.spawn("Plain")  # type: ignore[arg-type]


class Rude:
    """Cannot say what it is."""

    def __repr__(self) -> str:
        raise SystemExit


@pytest.mark.parametrize("junk", [7, "", b"a", ["a"], Rude()], ids=lambda junk: type(junk).__name__)
@pytest.mark.parametrize("argument", ["what", "name", "mailbox"])
async def test_an_argument_of_spawn_of_a_wrong_type_is_refused_by_its_name(argument: str, junk: Any) -> None:
    arguments: dict[str, Any] = {"what": Plain, argument: junk}
    async with ActorSystem() as system:
        with pytest.raises(ConfigurationError, match=rf"\b{argument}\b"):
            await system.spawn(**arguments)
        assert system.tree().children == ()


@pytest.mark.parametrize("argument", ["name", "sink", "max_restarts", "max_seconds", "watchdog_s"])
def test_an_argument_of_a_system_of_a_wrong_type_is_refused_by_its_name(argument: str) -> None:
    for junk in (b"junk", Rude()):
        with pytest.raises(ConfigurationError, match=rf"\b{argument}\b"):
            ActorSystem(**{argument: junk})  # type: ignore[arg-type]


@pytest.mark.parametrize("argument", ["children", "strategy", "max_restarts", "max_seconds", "auto_shutdown"])
def test_an_argument_of_a_supervisor_of_a_wrong_type_is_refused_by_its_name(argument: str) -> None:
    for junk in (7, ["junk"], Rude()):
        if argument.startswith("max") and junk == 7:
            continue
        with pytest.raises(ConfigurationError, match=rf"\b{argument}\b"):
            Supervisor(**{argument: junk})  # type: ignore[arg-type]


async def test_two_actors_may_not_own_one_name_and_the_refusal_shows_the_owner() -> None:
    async with ActorSystem(sink=quiet) as system:
        owner = await system.spawn(Plain, name="a")
        with pytest.raises(NameTakenError) as refusal:
            await system.spawn(Plain, name="a")
        assert refusal.value.ref is owner
        assert system.whereis("a") is owner
        owner.kill()
        assert system.whereis("a") is None  # in the same step
        assert (await system.spawn(Plain, name="a")).is_alive


async def test_a_name_is_taken_during_on_start_and_free_when_that_fails() -> None:
    class Slow(Plain):
        async def on_start(self) -> None:
            await asyncio.sleep(1)
            raise ValueError("late")

    async with ActorSystem(sink=quiet) as system:
        starting = asyncio.create_task(system.spawn(Slow, name="a"))
        await settle()
        with pytest.raises(NameTakenError):
            await system.spawn(Plain, name="a")
        with pytest.raises(StartError):
            await starting
        assert system.whereis("a") is None


async def test_wait_down_gives_the_reason_once_and_noproc_afterwards() -> None:
    async with ActorSystem(sink=quiet) as system:
        ref = await system.spawn(Plain)
        waiting = [asyncio.ensure_future(system.wait_down(ref)) for _ in range(2)]
        await settle()
        ref.kill()
        assert await asyncio.gather(*waiting) == [Down(ref, Killed())] * 2
        assert await system.wait_down(ref) == Down(ref, NoProc())


async def test_a_top_level_spec_that_crashes_too_often_is_given_up_alone() -> None:
    async with ActorSystem(sink=quiet, max_restarts=2) as system:
        loser = await system.spawn(ChildSpec(id="loser", start=Plain))
        other = await system.spawn(Plain)
        for _ in range(3):
            assert loser.is_alive
            loser.kill()
            await asyncio.sleep(0.5)
        assert not loser.is_alive
        assert await other.ask("x") == "x"


@pytest.mark.parametrize(("restarts", "seconds"), [(-1, 5.0), (True, 5.0), (1, 0), (1, float("inf"))])
def test_a_wrong_intensity_is_refused(restarts: Any, seconds: Any) -> None:
    with pytest.raises(ConfigurationError):
        ActorSystem(max_restarts=restarts, max_seconds=seconds)


async def test_events_report_starts_stops_restarts_and_crashes() -> None:
    events: list[TelemetryEvent] = []
    async with ActorSystem("mine", sink=events.append) as system:
        ref = await system.spawn(ChildSpec(id="a", start=Plain, name="a"))
        events.clear()
        ref.tell(Crash())
        await settle()
        await ref.stop(Normal())
    assert [event.name for event in events][:3] == ["actor.crashed", "actor.started", "actor.restarted"]
    assert events[0].data["actor"] == "a"
    assert events[0].data["system"] == "mine"
    assert "actor.stopped" in [event.name for event in events]


async def test_a_crash_is_logged_when_there_is_no_sink(caplog: pytest.LogCaptureFixture) -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Plain, name="a")
        ref.tell(Crash())
        await settle()
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "actor.crashed" in caplog.text


@pytest.mark.parametrize("junk", [3, "log", object()])
def test_a_sink_that_is_not_callable_is_refused(junk: Any) -> None:
    with pytest.raises(ConfigurationError, match="sink"):
        ActorSystem(sink=junk)


async def test_a_sink_that_raises_is_dropped_and_reported_once(caplog: pytest.LogCaptureFixture) -> None:
    def bad(_: TelemetryEvent) -> None:
        raise RuntimeError("bad sink")

    async with ActorSystem(sink=bad) as system:
        for _ in range(3):
            ref = await system.spawn(Plain)
            ref.kill()
    assert caplog.text.count("is not used again") == 1


async def test_the_tree_shows_names_kinds_and_the_number_of_queued_messages() -> None:
    async with ActorSystem("sys") as system:
        await system.spawn(Supervisor, [ChildSpec(id="a", start=Plain, name="a")], name="s")
        ref = system.whereis("a")
        assert ref is not None
        ref.tell("x")
        root = system.tree()
        assert [(node.name, node.kind, node.status, node.mailbox) for node in root.walk()] == [
            ("sys", "ActorSystem", "running", 0),
            ("s", "Supervisor", "running", 0),
            ("a", "Plain", "running", 1),
        ]
    assert system.tree().status == "stopped"


def test_a_loop_that_closes_ends_the_actors_with_it() -> None:
    log: list[Any] = []

    async def main() -> None:
        system = ActorSystem(sink=quiet)
        await system.start()
        await system.spawn(Probe, log)

    virtual_run(main())
    assert [entry[1] for entry in log] == ["start", "stop"]


async def test_the_dead_are_forgotten() -> None:
    async with ActorSystem(sink=quiet) as system:
        ref = await system.spawn(Plain)
        actor = weakref.ref(await ref.ask(Call(lambda actor: actor)))
        asked = asyncio.ensure_future(ref.ask(Crash()))
        await asyncio.gather(asked, return_exceptions=True)
        del ref, asked
        await asyncio.sleep(10)
        gc.collect()
        assert actor() is None


@pytest.mark.parametrize("end", ["stop", "kill", "exit", "supervisor"])
async def test_the_dead_leave_no_work_to_the_garbage_collector(end: str) -> None:
    async with ActorSystem(sink=quiet) as system:
        supervisor = await system.spawn(DynamicSupervisor)
        spec = ChildSpec(id="a", start=Plain, restart="temporary")
        ref = await (supervisor.ask(StartChild(spec)) if end == "supervisor" else system.spawn(Plain))
        incarnation, actor = weakref.ref(ref.cell.task), weakref.ref(ref.cell.actor)
        gc.disable()
        try:
            match end:
                case "stop":
                    await ref.stop()
                case "kill":
                    ref.kill()
                case "exit":
                    ref.tell(Call(lambda actor: actor.exit()))
                case _:
                    await supervisor.stop()
            await settle()
            assert not ref.is_alive
            assert actor() is None
            assert incarnation() is None
        finally:
            gc.enable()


async def test_stop_that_is_cancelled_can_be_called_again() -> None:
    class Slow(Plain):
        async def on_stop(self, reason: object) -> None:
            await asyncio.sleep(2)

    system = ActorSystem()
    await system.start()
    await system.spawn(Slow)
    stopping = asyncio.create_task(system.stop())
    await asyncio.sleep(1)
    stopping.cancel()
    await settle()
    assert system.is_running
    await system.stop()
    assert asyncio.get_running_loop().time() == 2
    assert not other_tasks()


def test_a_system_whose_event_loop_cancelled_all_tasks_can_start_in_another_one() -> None:
    system = ActorSystem("again")

    async def keep() -> None:
        async with system:
            await asyncio.Event().wait()

    async def main(kept: list[asyncio.Task[None]]) -> None:
        kept.append(asyncio.create_task(keep()))
        while not system.is_running:
            await asyncio.sleep(0)

    for _ in range(5):  # the order in which a loop cancels its tasks is not fixed
        asyncio.run(main([]))
    assert not system.is_running


async def test_the_tree_shows_how_many_messages_each_actor_has_handled() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        ref, idle = await system.spawn(Plain, name="busy"), await system.spawn(Plain, name="idle")
        for number in range(100):
            ref.tell(number)
        assert await ref.ask("last") == "last"
        await settle()
        counts = {node.name: node.messages for node in system.tree().walk()}
        assert counts[str(ref)] == 101
        assert counts[str(idle)] == 0
