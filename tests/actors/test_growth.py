"""What one of many costs does not depend on how many there are. Counted are instructions, not seconds."""

from __future__ import annotations

import asyncio
import sys
import tracemalloc
from collections.abc import Awaitable, Callable
from types import FrameType
from typing import Any, Literal

import pytest
from actor_helpers import Call, Crash, Plain, settle

from jido_ai.actors.actor import Actor
from jido_ai.actors.child_spec import Backoff, ChildSpec
from jido_ai.actors.children import StartChild, TerminateChild, WhichChildren
from jido_ai.actors.dynamic_supervisor import DynamicSupervisor
from jido_ai.actors.exit_reason import Normal
from jido_ai.actors.ref import ActorRef
from jido_ai.actors.relations import Down, Exit, link, monitor
from jido_ai.actors.restart import Strategy, group_of
from jido_ai.actors.supervisor import Supervisor
from jido_ai.actors.system import ActorSystem

pytestmark = pytest.mark.virtual_clock

AT_ONCE = Backoff(base_s=0.0)
MANY_RESTARTS = 10**6


class Steps:
    """Counts the instructions of Python that are carried out inside of it."""

    def __init__(self) -> None:
        self.count = 0

    def __enter__(self) -> Steps:
        self._before = sys.gettrace()
        sys._getframe().f_trace_opcodes = True  # Python 3.12 traces instructions only if one frame asked before
        sys.settrace(self._begin)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._before)

    def _begin(self, frame: FrameType, event: str, arg: object) -> Any:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return self._note

    def _note(self, frame: FrameType, event: str, arg: object) -> Any:
        self.count += event == "opcode"
        return self._note


class Ears(Plain):
    """Takes the ends of linked actors as messages."""

    trap_exit = True


async def wait_down_at_once(system: ActorSystem, count: int) -> None:
    ref = await system.spawn(Plain)
    waits = [asyncio.ensure_future(system.wait_down(ref)) for _ in range(count)]
    await settle(2)
    await ref.stop()
    assert {down.reason for down in await asyncio.gather(*waits)} == {Normal()}


async def wait_down_and_give_up(system: ActorSystem, count: int) -> None:
    ref = await system.spawn(Plain)
    waits = [asyncio.ensure_future(system.wait_down(ref)) for _ in range(count)]
    await settle(2)
    for wait in waits:
        wait.cancel()
    await settle(2)
    assert not ref.cell.watchers


async def stop_at_once(system: ActorSystem, count: int) -> None:
    release = asyncio.Event()

    class Slow(Plain):
        async def on_stop(self, reason: object) -> None:
            await release.wait()

    ref = await system.spawn(Slow)
    stops = [asyncio.ensure_future(ref.stop()) for _ in range(count)]
    await settle(2)
    release.set()
    await asyncio.gather(*stops)


async def ask_many_from_one_handler(system: ActorSystem, count: int) -> None:
    other, asker = await system.spawn(Plain), await system.spawn(Plain)

    async def work(_: object) -> int:
        return len(await asyncio.gather(*(other.ask(number) for number in range(count))))

    assert await asker.ask(Call(work), timeout_s=None) == count


async def take_back_downs(system: ActorSystem, count: int) -> None:
    """Monitors of one that ends, each taken back while its Down waits behind many messages."""
    other, watcher = await system.spawn(Plain), await system.spawn(Plain)

    async def work(actor: Plain) -> None:
        handles = [actor.monitor(other) for _ in range(count)]
        for number in range(count):
            actor.ref.tell(number)
        other.kill()
        for handle in handles:
            actor.demonitor(handle)

    await watcher.ask(Call(work), timeout_s=None)
    assert await watcher.ask("after all", timeout_s=None) == "after all"


async def demonitor_after_each_down(system: ActorSystem, count: int) -> None:
    """The monitors are taken back one by one, in the handling of their Downs, with all others still waiting."""
    other = await system.spawn(Plain)
    done = asyncio.get_running_loop().create_future()

    class Tidy(Actor[Any]):
        async def on_receive(self, message: Any) -> None:
            if isinstance(message, Down):
                self.demonitor(message.handle)  # type: ignore[arg-type]
                self.left -= 1
                if self.left == 0:
                    done.set_result(None)
            else:
                self.left = count
                for _ in range(count):
                    self.monitor(other)
                other.kill()

    watcher = await system.spawn(Tidy)
    watcher.tell("go")
    await done


async def unlink_many(system: ActorSystem, count: int) -> None:
    others, ears = [await system.spawn(Plain) for _ in range(count)], await system.spawn(Ears)

    def work(actor: Plain) -> None:
        for other in others:
            actor.link(other)
        for other in others:
            other.kill()
        for other in others:
            actor.unlink(other)

    await ears.ask(Call(work), timeout_s=None)
    assert await ears.ask("after all", timeout_s=None) == "after all"


async def terminate_by_id(system: ActorSystem, count: int) -> None:
    supervisor = await system.spawn(DynamicSupervisor)
    for number in range(count):
        await supervisor.ask(StartChild(ChildSpec(f"c{number}", Plain)))
    for number in range(count):
        await supervisor.ask(TerminateChild(f"c{number}"))
    assert await supervisor.ask(WhichChildren()) == ()


async def terminate_by_ref(system: ActorSystem, count: int) -> None:
    supervisor = await system.spawn(Supervisor, [ChildSpec(f"c{number}", Plain) for number in range(count)])
    refs = [info.ref for info in await supervisor.ask(WhichChildren())]
    for ref in reversed(refs):
        assert ref is not None
        await supervisor.ask(TerminateChild(ref))


async def lose_significant_children(system: ActorSystem, count: int) -> None:
    children = [ChildSpec(f"c{number}", Plain, "transient", significant=True) for number in range(count)]
    supervisor = await system.spawn(Supervisor, children, auto_shutdown="all_significant")
    gone = asyncio.ensure_future(system.wait_down(supervisor))
    for info in await supervisor.ask(WhichChildren()):
        assert info.ref is not None
        assert supervisor.is_alive
        await info.ref.stop()
        await settle(4)
    await gone


async def kill_supervisors(system: ActorSystem, count: int) -> None:
    """Each leaves a child behind, which the one above has to wait for."""
    starts = 0
    all_again = asyncio.get_running_loop().create_future()

    class Leaf(Plain):
        async def on_start(self) -> None:
            nonlocal starts
            starts += 1
            if starts == 2 * count:
                all_again.set_result(None)

        async def on_stop(self, reason: object) -> None:
            await asyncio.sleep(1)

    inner: Any = (Supervisor, ([ChildSpec("leaf", Leaf)],), {})
    children = [ChildSpec(f"s{number}", inner, type="supervisor", backoff=AT_ONCE) for number in range(count)]
    supervisor = await system.spawn(Supervisor, children, max_restarts=MANY_RESTARTS)
    for info in await supervisor.ask(WhichChildren()):
        assert info.ref is not None
        info.ref.kill()
    await all_again


WORKS: list[Callable[[ActorSystem, int], Awaitable[None]]] = [
    wait_down_at_once,
    wait_down_and_give_up,
    stop_at_once,
    ask_many_from_one_handler,
    take_back_downs,
    demonitor_after_each_down,
    unlink_many,
    terminate_by_id,
    terminate_by_ref,
    lose_significant_children,
    kill_supervisors,
]


@pytest.mark.parametrize("work", WORKS, ids=lambda work: work.__name__)
async def test_ten_times_as_many_cost_ten_times_as_much(work: Callable[[ActorSystem, int], Awaitable[None]]) -> None:
    counts: list[float] = []
    for count in (30, 30, 300):  # the first warms up
        async with ActorSystem(sink=lambda _: None) as system:
            with Steps() as steps:
                await work(system, count)
        counts.append(steps.count / count)
    assert counts[2] <= 1.15 * counts[1]


# -- restarts --------------------------------------------------------------------------------------


async def restart_costs(children: int, strategy: Strategy, from_end: int) -> tuple[int, int]:
    """Return the instructions and the bytes, at their peak, that one restart takes."""
    async with ActorSystem(sink=lambda _: None) as system:
        specs = [ChildSpec(f"c{number}", Plain, name=f"c{number}", backoff=AT_ONCE) for number in range(children)]
        await system.spawn(Supervisor, specs, strategy=strategy, max_restarts=MANY_RESTARTS)
        ref = system.whereis(f"c{children - from_end}")
        assert ref is not None

        async def restart() -> None:
            ref.tell(Crash())
            await settle()
            assert await ref.ask("again") == "again"

        for _ in range(3):
            await restart()
        with Steps() as steps:
            await restart()
        tracemalloc.start()
        try:
            await restart()
            before = tracemalloc.get_traced_memory()[0]
            tracemalloc.reset_peak()
            await restart()
            return steps.count, tracemalloc.get_traced_memory()[1] - before
        finally:
            tracemalloc.stop()


@pytest.mark.parametrize(("strategy", "from_end"), [("one_for_one", 25), ("rest_for_one", 1), ("rest_for_one", 20)])
async def test_the_cost_of_a_restart_does_not_depend_on_children_outside_of_its_group(
    strategy: Literal["one_for_one", "rest_for_one"], from_end: int
) -> None:
    few, many = await restart_costs(50, strategy, from_end), await restart_costs(2_000, strategy, from_end)
    assert abs(many[0] - few[0]) <= 100  # the clock may fall due at another step; 1,950 children more take thousands
    assert many[1] <= few[1] + 2_000  # a copy of all takes 16 kB


def test_a_group_is_found_from_its_end() -> None:
    class Ids(dict[str, None]):
        looked_at = 0

        def __reversed__(self) -> Any:
            for id_ in super().__reversed__():
                self.looked_at += 1
                yield id_

        def __iter__(self) -> Any:
            raise AssertionError("looks at all")

    ids = Ids((f"c{number}", None) for number in range(1_000))
    assert group_of("one_for_one", ids, "c3") == ("c3",)
    assert group_of("rest_for_one", ids, "c997") == ("c997", "c998", "c999")
    assert ids.looked_at == 3


# -- taking back -----------------------------------------------------------------------------------


async def test_only_withdrawn_notices_are_skipped() -> None:
    log: list[Any] = []

    class Logging(Ears):
        async def on_receive(self, message: Any) -> Any:
            if isinstance(message, Call):
                return await super().on_receive(message)
            log.append(message.ref if isinstance(message, Down | Exit) else message)
            return None

    async with ActorSystem(sink=lambda _: None) as system:
        one, two, three = [await system.spawn(Plain) for _ in range(3)]
        ears = await system.spawn(Logging)

        def work(actor: Plain) -> None:
            dropped, kept = actor.monitor(one), actor.monitor(one)
            for other in (two, three):
                actor.link(other)
            actor.ref.tell("first")
            for other in (one, two, three):
                other.kill()
            actor.demonitor(dropped)
            actor.unlink(two)
            actor.demonitor(dropped)
            actor.link(two)  # dead: an Exit at once, and this one is wanted
            actor.ref.tell("last")
            assert kept is not dropped

        await ears.ask(Call(work))
        await settle()
        assert log == ["first", one, three, two, "last"]
        assert not (ears.cell.relations.downs or ears.cell.relations.exits or ears.cell.attention)


async def test_an_exit_that_is_passed_on_to_oneself_is_handled() -> None:
    log: list[Any] = []

    class Putting(Ears):
        async def on_receive(self, message: Any) -> Any:
            if isinstance(message, Down | Exit) and len(log) < 2:
                log.append(message.ref)
                self.ref.tell(message)
                return None
            log.append(message if isinstance(message, str) else "again")
            return message

    async with ActorSystem(sink=lambda _: None) as system:
        other, ears = await system.spawn(Plain), await system.spawn(Putting)
        monitor(ears.cell, other)
        link(ears.cell, other)
        other.kill()
        await settle()
        assert log == [other, other, "again", "again"]
        assert await ears.ask("x") == "x"


async def test_watchers_are_notified_of_the_end_and_cancelled_ones_are_forgotten_at_once() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        ref: ActorRef = await system.spawn(Plain)
        waits = [asyncio.ensure_future(system.wait_down(ref)) for _ in range(100)]
        await settle(2)
        for wait in waits[1::2]:
            wait.cancel()
        await settle(2)
        assert len(ref.cell.watchers or ()) == 50
        ref.kill()
        assert [down.ref for down in await asyncio.gather(*waits[::2])] == [ref] * 50
