"""What our supervisors, registries and tasks do in the cases of benchmarks/actors/otp/outcomes.exs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from actor_helpers import Call, Plain, settle

from jido_ai.actors.actor import Actor
from jido_ai.actors.child_spec import Backoff, ChildSpec
from jido_ai.actors.children import StartChild, TerminateChild, WhichChildren
from jido_ai.actors.dynamic_supervisor import DynamicSupervisor
from jido_ai.actors.exit_reason import ExitReason, Shutdown
from jido_ai.actors.outcome import Ok
from jido_ai.actors.ref import ActorRef, Ignored
from jido_ai.actors.registry import Registry
from jido_ai.actors.relations import Exit
from jido_ai.actors.supervisor import Supervisor
from jido_ai.actors.system import ActorSystem
from jido_ai.actors.task_supervisor import TaskSupervisor
from jido_ai.errors import Ignore

OUTCOMES: dict[str, Callable[[ActorSystem], Awaitable[str]]] = {}


def outcome(case: str, *arguments: Any) -> Callable[[Any], Any]:
    """Keep a function as what happens in a case."""

    def keep(function: Any) -> Any:
        OUTCOMES[case] = lambda system: function(system, *arguments)
        return function

    return keep


class Child(Actor[Any]):
    """Notes its starts and its ends by a shutdown."""

    def __init__(self, log: list[str], name: str, moods: list[bool] | None = None) -> None:
        self.log, self.name, self.moods = log, name, moods

    async def on_start(self) -> None:
        if self.moods and self.moods[0]:
            raise ValueError("moody")
        self.log.append(f"+{self.name}")

    async def on_receive(self, message: Any) -> Any:
        if message == "leave":
            self.exit()
        elif message == "crash":
            raise ValueError("crash")

    async def on_stop(self, reason: ExitReason) -> None:
        if isinstance(reason, Shutdown):
            self.log.append(f"-{self.name}")


def child(log: list[str], name: str, moods: list[bool] | None = None, **more: Any) -> ChildSpec:
    return ChildSpec(id=name, start=(Child, (log, name, moods), {}), name=name, **more)


async def status(supervisor: ActorRef) -> str:
    return " ".join(f"{info.id}:{info.status}" for info in await supervisor.ask(WhichChildren()))


def find(system: ActorSystem, name: str) -> ActorRef:
    ref = system.whereis(name)
    assert ref is not None
    return ref


@outcome("a permanent child ends normally", "permanent", "leave")
@outcome("a transient child ends normally", "transient", "leave")
@outcome("a transient child crashes", "transient", "crash")
@outcome("a temporary child crashes", "temporary", "crash")
async def restart(system: ActorSystem, kind: Any, message: str) -> str:
    top = await system.spawn(Supervisor, [child([], "a", restart=kind)])
    find(system, "a").tell(message)
    await settle()
    return await status(top)


@outcome("the middle child of one_for_one crashes", "one_for_one")
@outcome("the middle child of rest_for_one crashes", "rest_for_one")
@outcome("the middle child of one_for_all crashes", "one_for_all")
async def strategy(system: ActorSystem, kind: Any) -> str:
    log: list[str] = []
    await system.spawn(Supervisor, [child(log, name) for name in "abc"], strategy=kind)
    log.clear()
    find(system, "b").tell("crash")
    await settle(60)
    return " ".join(log)


@outcome("a crash at intensity 0")
async def once(system: ActorSystem) -> str:
    top = await system.spawn(Supervisor, [child([], "a")], max_restarts=0)
    find(system, "a").tell("crash")
    reason = (await system.wait_down(top)).reason
    return ":shutdown" if isinstance(reason, Shutdown) else repr(reason)


@outcome("a significant child ends")
async def significant(system: ActorSystem) -> str:
    specs = [child([], "a", restart="transient", significant=True), child([], "b")]
    top = await system.spawn(Supervisor, specs, auto_shutdown="any_significant")
    find(system, "a").tell("leave")
    reason = (await system.wait_down(top)).reason
    return ":shutdown" if isinstance(reason, Shutdown) else repr(reason)


@outcome("a sub-supervisor gives up, permanent", "permanent")
@outcome("a sub-supervisor gives up, transient", "transient")
async def below(system: ActorSystem, kind: Any) -> str:
    start = (Supervisor, ([child([], "a")],), {"max_restarts": 0})
    top = await system.spawn(Supervisor, [ChildSpec(id="sub", start=start, restart=kind, type="supervisor")])
    find(system, "a").tell("crash")
    await settle(60)
    return await status(top)


@outcome("a restart of one_for_all fails and is terminated")
async def between(system: ActorSystem) -> str:
    moods = [False]
    moody = child([], "b", moods, backoff=Backoff(base_s=60.0, cap_s=60.0))
    specs = [child([], "a"), moody, child([], "c")]
    top = await system.spawn(Supervisor, specs, strategy="one_for_all", max_restarts=10)
    moods[0] = True
    find(system, "b").tell("crash")
    await settle(60)
    await top.ask(TerminateChild("b"))
    return await status(top)


class _Idle(Actor[Any]):
    async def on_start(self) -> None:
        raise Ignore


@outcome("a child of a dynamic supervisor ignores its start")
async def ignored(system: ActorSystem) -> str:
    top = await system.spawn(DynamicSupervisor)
    ref = await top.ask(StartChild(ChildSpec(id="idle", start=_Idle)))
    return "ignored" if isinstance(ref, Ignored) else repr(ref)


@outcome("a stranger crashes that is linked to a supervisor", Supervisor)
@outcome("a stranger crashes that is linked to a dynamic supervisor", DynamicSupervisor)
async def stranger(system: ActorSystem, kind: Any) -> str:
    top = await system.spawn(kind)
    other = await system.spawn(Plain)
    await other.ask(Call(lambda actor: actor.link(top)))
    other.kill()
    await settle()
    return "alive" if top.is_alive else "ended"


@outcome("the actor that started a supervisor with a link ends normally")
async def spawner(system: ActorSystem) -> str:
    owner = await system.spawn(Plain)
    top = await owner.ask(Call(lambda actor: actor.spawn_link(Supervisor)))
    await owner.stop()
    await settle()
    return "alive" if top.is_alive else "ended"


class _Member(Child):
    async def on_start(self) -> None:
        await super().on_start()
        await find(self.system, "names").register("me")  # type: ignore[attr-defined,arg-type]


@outcome("a registry is stopped normally")
async def registry(system: ActorSystem) -> str:
    log: list[str] = []
    member = ChildSpec(id="m", start=(_Member, (log, "m"), {}))
    await system.spawn(Supervisor, [ChildSpec(id="r", start=Registry, name="names"), member])
    names: Any = find(system, "names")
    await names.stop()
    await settle(60)
    return f"{' '.join(log)}; {len(names.lookup('me'))} entry"


async def _patient() -> None:
    await asyncio.Event().wait()


@outcome("a task is shut down that stops in time", _patient, 1.0)
@outcome("a task is shut down that does not stop in time", "stubborn", 0.02)
@outcome("a task is killed at once", "stubborn", "brutal_kill")
async def task(system: ActorSystem, work: Any, limit: Any) -> str:
    release = asyncio.Event()

    async def stubborn() -> None:
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                pass

    tasks: Any = await system.spawn(TaskSupervisor)
    running = tasks.async_nolink(stubborn if work == "stubborn" else work)
    await settle()
    answer = await running.shutdown(limit)
    release.set()
    if answer is None:
        return "none"
    return f"ok {answer.value}" if isinstance(answer, Ok) else f"exited {type(answer.reason).__name__.lower()}"


class _Watcher(Plain):
    trap_exit = True

    def __init__(self) -> None:
        self.log: list[str] = []

    async def on_receive(self, message: Any) -> Any:
        if isinstance(message, Call):
            return await super().on_receive(message)
        self.log.append("exit" if isinstance(message, Exit) else "down")
        return None


@outcome("a linked and monitored actor ends")
async def order(system: ActorSystem) -> str:
    watcher, other = await system.spawn(_Watcher), await system.spawn(Plain)
    await watcher.ask(Call(lambda actor: actor.monitor(other)))
    await watcher.ask(Call(lambda actor: actor.link(other)))
    other.kill()
    await settle()
    return " ".join(await watcher.ask(Call(lambda actor: actor.log)))
