"""TaskSupervisor: functions as supervised actors, linked or not, awaited or not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextvars import ContextVar
from typing import Any

import pytest
from actor_helpers import Call, Probe, other_tasks, settle

from jido_ai.actors.actor import Actor
from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.children import CountChildren, TerminateChild, WhichChildren
from jido_ai.actors.exit_reason import Crashed, Killed, Normal, Shutdown
from jido_ai.actors.outcome import Exited, Ok
from jido_ai.actors.ref import ActorRef
from jido_ai.actors.registry import Registry
from jido_ai.actors.relations import Down, Exit
from jido_ai.actors.supervisor import Supervisor
from jido_ai.actors.system import ActorSystem
from jido_ai.actors.task_supervisor import TaskSupervisor, TaskSupervisorRef
from jido_ai.errors import ActorDeadError, CallCycleError, CallError, ConfigurationError, MaxChildrenError
from jido_ai.telemetry import TelemetryEvent

pytestmark = pytest.mark.virtual_clock


def quiet(_: TelemetryEvent) -> None:
    """Take an event and say nothing."""


@pytest.fixture
async def system() -> AsyncIterator[ActorSystem]:
    async with ActorSystem(sink=quiet) as system:
        yield system


@pytest.fixture
async def tasks(system: ActorSystem) -> TaskSupervisorRef:
    return await system.spawn(TaskSupervisor)


async def double(number: int) -> int:
    return 2 * number


async def fail(*_: object) -> None:
    await asyncio.sleep(0)
    raise ValueError("failed on purpose")


async def forever(*_: object) -> None:
    await asyncio.Event().wait()


async def nap(seconds: float) -> str:
    await asyncio.sleep(seconds)
    return "rested"


class Caller(Actor[Any]):
    """Runs what it is told and keeps the other messages."""

    def __init__(self, *, trap_exit: bool = False) -> None:
        self.trap_exit = trap_exit
        self.log: list[Any] = []

    async def on_receive(self, message: Any) -> Any:
        if isinstance(message, Call):
            answer = message.work(self)
            return await answer if asyncio.iscoroutine(answer) else answer
        self.log.append(message)
        return None


async def log_of(ref: ActorRef) -> list[Any]:
    return await ref.ask(Call(lambda actor: actor.log))


# -- async and await -------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["async_", "async_nolink"])
async def test_await_returns_the_result_of_the_function(tasks: TaskSupervisorRef, method: str) -> None:
    start = getattr(tasks, method)
    assert await start(double, 4) == 8
    assert await start(lambda: 1 + 1) == 2
    assert await start(max, 1, 3, 2) == 3
    assert await start(asyncio.sleep, 0, "slept") == "slept"
    task = start(double, 1)
    assert await task == 2 and await task == 2


async def test_a_task_is_an_actor_of_its_own_that_ends_with_its_function(
    system: ActorSystem, tasks: TaskSupervisorRef
) -> None:
    registry = await system.spawn(Registry)
    gate = asyncio.Event()

    async def work() -> None:
        registry.register("task")
        await gate.wait()

    task = tasks.async_(work)
    await settle()
    assert registry.lookup("task") == ((task.ref, None),)
    assert [info.id for info in await tasks.ask(WhichChildren())] == ["work"]
    assert (await tasks.ask(CountChildren())).active == 1
    gate.set()
    assert await task is None
    assert not task.ref.is_alive and registry.count() == 0
    assert (await tasks.ask(CountChildren())).active == 0


async def test_the_context_of_the_caller_is_the_one_of_the_task(tasks: TaskSupervisorRef) -> None:
    variable: ContextVar[int] = ContextVar("variable", default=0)
    variable.set(5)
    assert await tasks.async_(variable.get) == 5


async def test_await_outside_of_actors_raises_the_error_of_the_task(tasks: TaskSupervisorRef) -> None:
    for start in (tasks.async_, tasks.async_nolink):
        with pytest.raises(CallError, match="fail crashed") as error:
            await start(fail)
        assert isinstance(error.value.__cause__, ValueError)
        task = start(forever)
        task.ref.kill()
        with pytest.raises(ActorDeadError) as dead:
            await task
        assert dead.value.reason == Killed()


async def test_an_error_that_nobody_awaits_is_not_reported_as_lost(
    tasks: TaskSupervisorRef, caplog: pytest.LogCaptureFixture
) -> None:
    tasks.async_nolink(fail)
    await settle()
    assert "never retrieved" not in caplog.text


async def test_a_cancelled_wait_leaves_the_task_alone(tasks: TaskSupervisorRef) -> None:
    task = tasks.async_(nap, 5)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(1):
            await task
    assert await task == "rested"


# -- links and monitors ----------------------------------------------------------------------------


async def test_a_linked_task_that_crashes_takes_its_caller_along(system: ActorSystem, tasks: Any) -> None:
    for waits in (True, False):
        caller = await system.spawn(Caller)
        start = Call(lambda _: tasks.async_(fail)) if not waits else Call(lambda _: _wait(tasks.async_(fail)))
        asked = caller.ask(start)
        down = await system.wait_down(caller)
        assert isinstance(down.reason, Crashed) and isinstance(down.reason.error, ValueError)
        if waits:
            with pytest.raises(ActorDeadError):
                await asked


async def _wait(task: Any) -> Any:
    return await task


async def test_a_caller_that_traps_exits_gets_a_message(system: ActorSystem, tasks: TaskSupervisorRef) -> None:
    caller = await system.spawn(Caller, trap_exit=True)
    task = await caller.ask(Call(lambda _: tasks.async_(fail)))
    await settle()
    (message,) = await log_of(caller)
    assert isinstance(message, Exit) and message.ref is task.ref and isinstance(message.reason, Crashed)
    with pytest.raises(CallError):
        await caller.ask(Call(lambda _: _wait(tasks.async_(fail))))


async def test_a_linked_task_ends_with_a_caller_that_crashes(system: ActorSystem, tasks: TaskSupervisorRef) -> None:
    caller = await system.spawn(Caller)
    linked = await caller.ask(Call(lambda _: tasks.async_(forever)))
    alone = await caller.ask(Call(lambda _: tasks.async_nolink(forever)))
    caller.kill()
    await settle()
    assert not linked.ref.is_alive and alone.ref.is_alive


@pytest.mark.parametrize("work", [fail, double])
async def test_an_unlinked_task_is_a_down(system: ActorSystem, tasks: TaskSupervisorRef, work: Any) -> None:
    caller = await system.spawn(Caller)
    task = await caller.ask(Call(lambda _: tasks.async_nolink(work, 1)))
    await settle()
    (message,) = await log_of(caller)
    assert isinstance(message, Down) and message.ref is task.ref
    assert message.reason == Normal() if work is double else isinstance(message.reason, Crashed)
    assert caller.is_alive


@pytest.mark.parametrize("how", ["await", "yield_", "shutdown"])
@pytest.mark.parametrize("work", [fail, double])
async def test_a_result_that_was_taken_is_no_down(system: ActorSystem, tasks: Any, work: Any, how: str) -> None:
    caller = await system.spawn(Caller)

    async def take(_: Any) -> None:
        task = tasks.async_nolink(work, 1)
        await settle()
        if how == "await":
            await asyncio.gather(_wait(task), return_exceptions=True)
        else:
            await getattr(task, how)()

    await caller.ask(Call(take))
    await settle()
    assert await log_of(caller) == []


async def test_a_task_that_asks_the_actor_that_awaits_it_is_refused(system: ActorSystem, tasks: Any) -> None:
    caller = await system.spawn(Caller)

    async def ask_back() -> Any:
        try:
            return await caller.ask("hello")
        except CallCycleError as error:
            return error

    for wait in (_wait, lambda task: task.yield_()):
        answer = await caller.ask(Call(lambda _, wait=wait: wait(tasks.async_(ask_back))))
        assert isinstance(answer.value if isinstance(answer, Ok) else answer, CallCycleError)


async def test_an_await_of_a_task_that_already_asks_the_caller_is_refused(system: ActorSystem, tasks: Any) -> None:
    caller = await system.spawn(Caller)

    async def ask_back() -> Any:
        return await caller.ask("hello")

    async def wait_late(_: Any) -> Any:
        task = tasks.async_nolink(ask_back)
        await settle()
        return await task

    with pytest.raises(CallError) as error:
        await caller.ask(Call(wait_late))
    assert isinstance(error.value.__cause__, CallCycleError)


# -- yield and shutdown ----------------------------------------------------------------------------


async def test_yield_returns_none_until_there_is_an_outcome(tasks: TaskSupervisorRef) -> None:
    task = tasks.async_(nap, 10)
    assert await task.yield_() is None
    assert await task.yield_(0) is None
    assert await task.yield_(6) == Ok("rested")
    assert await task.yield_(None) == Ok("rested")
    failed = tasks.async_nolink(fail)
    outcome = await failed.yield_()
    assert isinstance(outcome, Exited) and isinstance(outcome.reason, Crashed)
    for wrong in (-1, "5", True):
        with pytest.raises(ConfigurationError, match="timeout_s"):
            await task.yield_(wrong)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


async def test_shutdown_stops_a_task_and_returns_what_it_has_done(tasks: TaskSupervisorRef) -> None:
    running = tasks.async_(forever)
    await settle()
    assert await running.shutdown() is None
    assert await running.yield_() == Exited(Shutdown())
    done = tasks.async_(double, 2)
    await settle()
    assert await done.shutdown() == Ok(4)
    failed = tasks.async_nolink(fail)
    await settle()
    outcome = await failed.shutdown()
    assert isinstance(outcome, Exited) and isinstance(outcome.reason, Crashed)


async def test_shutdown_returns_a_result_that_is_finished_meanwhile(tasks: TaskSupervisorRef) -> None:
    async def finish() -> str:
        try:
            await forever()
        except asyncio.CancelledError:
            return "finished"
        return ""

    task = tasks.async_(finish)
    await settle()
    assert await task.shutdown() == Ok("finished")


@pytest.mark.parametrize(("limit", "outcome"), [(1.0, Exited(Killed())), (0, Exited(Killed())), ("brutal_kill", None)])
async def test_shutdown_kills_a_task_that_does_not_stop_and_tells_it(
    tasks: TaskSupervisorRef, limit: Any, outcome: Any
) -> None:
    release = asyncio.Event()

    async def stubborn() -> None:
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                pass

    task = tasks.async_(stubborn)
    await settle()
    assert await task.shutdown(limit) == outcome
    assert await task.yield_() == Exited(Killed())
    release.set()


async def test_shutdown_does_not_harm_the_caller(system: ActorSystem, tasks: TaskSupervisorRef) -> None:
    caller = await system.spawn(Caller)

    async def begin_and_stop(_: Any) -> str:
        task = tasks.async_(forever)
        await settle()
        await task.shutdown()
        await settle()
        return "alive"

    assert await caller.ask(Call(begin_and_stop)) == "alive"
    assert caller.is_alive


# -- children --------------------------------------------------------------------------------------


async def test_start_child_runs_a_function_once_and_harms_nobody(system: ActorSystem, tasks: Any) -> None:
    done: list[Any] = []
    caller = await system.spawn(Caller)
    ref = await caller.ask(Call(lambda _: tasks.start_child(done.append, 1)))
    assert isinstance(ref, ActorRef) and ref.label == "append"
    await caller.ask(Call(lambda _: tasks.start_child(fail)))
    await settle()
    assert done == [1] and caller.is_alive and tasks.is_alive
    assert await log_of(caller) == []
    assert (await tasks.ask(CountChildren())).specs == 0


async def test_start_child_restarts_what_it_is_asked_to(tasks: TaskSupervisorRef) -> None:
    runs: list[int] = []

    async def fails_once() -> None:
        runs.append(1)
        if len(runs) == 1:
            raise ValueError("failed on purpose")

    await tasks.start_child(fails_once, restart="transient")
    await settle()
    assert len(runs) == 2
    await tasks.start_child(fail, restart="transient")
    await asyncio.sleep(30)
    assert not tasks.is_alive  # more restarts than the intensity


@pytest.mark.parametrize("kind", ["async_", "start_child"])
async def test_max_children_counts_all_tasks(system: ActorSystem, kind: str) -> None:
    tasks = await system.spawn(TaskSupervisor, max_children=2)
    first = await tasks.start_child(forever)
    second = tasks.async_(forever)
    with pytest.raises(MaxChildrenError):
        await tasks.start_child(forever) if kind == "start_child" else tasks.async_(forever)
    await first.stop()
    third = tasks.async_nolink(double, 1)
    assert await third == 2
    assert await second.shutdown() is None
    with pytest.raises(ConfigurationError, match="max_children"):
        await system.spawn(TaskSupervisor, -1)


@pytest.mark.parametrize("how", ["async_", "async_nolink", "start_child", "async_stream"])
async def test_a_wrong_function_or_shutdown_is_refused(tasks: TaskSupervisorRef, how: str) -> None:
    with pytest.raises(ConfigurationError, match="function"):
        started = getattr(tasks, how)
        answer = started([1], 5, max_concurrency=1) if how == "async_stream" else started(5)
        if asyncio.iscoroutine(answer):
            await answer
    if how != "async_stream":
        with pytest.raises(ConfigurationError, match="shutdown"):
            answer = getattr(tasks, how)(double, 1, shutdown=-1)
            if asyncio.iscoroutine(answer):
                await answer


async def test_stopping_the_supervisor_stops_the_tasks_within_their_shutdown_times(system: ActorSystem) -> None:
    tasks = await system.spawn(TaskSupervisor)
    log: list[str] = []

    async def tidy(name: str, seconds: float) -> None:
        try:
            await forever()
        finally:
            await asyncio.sleep(seconds)
            log.append(name)

    quick = tasks.async_(tidy, "quick", 1)
    slow = tasks.async_(tidy, "slow", 9, shutdown=3.0)
    patient = await tasks.start_child(tidy, "patient", 20, shutdown="infinity")
    brutal = tasks.async_(forever, shutdown="brutal_kill")
    await settle()
    began = system.now()
    await tasks.stop(timeout_s=None)
    assert log[0] == "quick" and "patient" in log
    assert 20 <= system.now() - began < 21
    assert await quick.yield_() == Exited(Shutdown())
    assert await brutal.yield_() == Exited(Killed())
    assert await slow.yield_() == Exited(Killed())
    assert not patient.is_alive
    for start in (tasks.async_, tasks.async_nolink):
        with pytest.raises(ActorDeadError):
            start(double, 1)
    with pytest.raises(ActorDeadError):
        await tasks.start_child(double, 1)


async def test_a_killed_supervisor_takes_its_tasks_along_and_is_restarted_empty(system: ActorSystem) -> None:
    child = ChildSpec(id="tasks", start=TaskSupervisor, type="supervisor", name="tasks")
    await system.spawn(Supervisor, [child])
    tasks = system.whereis("tasks")
    assert isinstance(tasks, TaskSupervisorRef)
    running = tasks.async_(forever)
    await settle()
    tasks.kill()
    await settle(60)
    assert not running.ref.is_alive and tasks.is_alive
    assert (await tasks.ask(CountChildren())).specs == 0
    assert await tasks.async_(double, 3) == 6


async def test_a_task_can_be_terminated_by_its_ref(tasks: TaskSupervisorRef) -> None:
    one, other = tasks.async_(forever), tasks.async_(forever)
    await settle()
    await tasks.ask(TerminateChild(one.ref))
    assert await one.yield_() == Exited(Shutdown())
    assert other.ref.is_alive
    ref = await tasks.start_child(forever)
    await tasks.ask(TerminateChild(ref))
    assert not ref.is_alive


async def test_nothing_is_left_of_tasks_that_have_ended(system: ActorSystem) -> None:
    before = other_tasks()
    tasks = await system.spawn(TaskSupervisor)
    for _ in range(50):
        await tasks.async_(double, 1)
    await tasks.stop()
    await settle()
    assert other_tasks() == before


async def test_a_task_supervisor_has_a_place_in_the_tree(system: ActorSystem, tasks: TaskSupervisorRef) -> None:
    tasks.async_(forever)
    await system.spawn(Probe)
    (node, _) = system.tree().children
    assert (node.kind, [child.name for child in node.children]) == ("TaskSupervisor", ["forever"])
