"""A day of faults in a moment, and floods: every ask ends, nothing is left behind, the same seed is the same day."""

from __future__ import annotations

import asyncio
import gc
import os
import random
import time
from collections import Counter
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest
from actor_helpers import Call, Crash, Plain, Probe, other_tasks, settle

from jido_ai.actors.actor import Actor
from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.children import CountChildren, StartChild, TerminateChild
from jido_ai.actors.dynamic_supervisor import DynamicSupervisor
from jido_ai.actors.exit_reason import ExitReason
from jido_ai.actors.mailbox import Bounded, BoundedQueue
from jido_ai.actors.supervisor import Supervisor
from jido_ai.actors.system import ActorSystem
from jido_ai.errors import ActorDeadError, ActorError, AskTimeoutError, MailboxFullError
from jido_ai.telemetry import TelemetryEvent
from jido_ai.testing import virtual_run

DAY_S = 24 * 3600.0


class Moody(Plain):
    """Starts and stops slowly now and then, and sometimes not at all."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice

    async def on_start(self) -> None:
        if self.dice.random() < 0.2:
            await asyncio.sleep(self.dice.random() * 3)
        if self.dice.random() < 0.1:
            raise ValueError("moody")

    async def on_stop(self, reason: ExitReason) -> None:
        if self.dice.random() < 0.2:
            await asyncio.sleep(self.dice.random() * 20)
        if self.dice.random() < 0.1:
            raise ValueError("moody")


def open_files() -> int:
    """Return how many files this process has open, where the system tells."""
    listing = Path("/proc/self/fd")
    return len(list(listing.iterdir())) if listing.is_dir() else 0


def a_day(seed: int) -> list[tuple[object, ...]]:
    """Live through 24 hours with a fault a minute; return what happened."""
    trace: list[tuple[object, ...]] = []
    dice = random.Random(seed)

    async def ask_for_ever(name: str, system: ActorSystem) -> None:
        while True:
            ref = system.whereis(name)
            if ref is not None:
                try:
                    await ref.ask("x", timeout_s=30.0, when_restarting="wait")
                except ActorError as error:
                    trace.append((loop_time(), "ask", name, type(error).__name__))
            await asyncio.sleep(97)

    def loop_time() -> float:
        return asyncio.get_running_loop().time()

    def sink(event: TelemetryEvent) -> None:
        trace.append((loop_time(), event.name, event.data.get("actor"), event.data.get("id")))

    async def main() -> None:
        workers = [ChildSpec(id=f"w{n}", name=f"w{n}", start=(Moody, (dice,), {})) for n in range(6)]
        groups: list[ChildSpec] = [
            ChildSpec(
                id=strategy,
                name=strategy,
                type="supervisor",
                start=(Supervisor, (workers[2 * n : 2 * n + 2],), {"strategy": strategy, "max_restarts": 20}),
            )
            for n, strategy in enumerate(("one_for_one", "rest_for_one", "one_for_all"))
        ]
        async with ActorSystem(sink=sink) as system:
            while system.whereis("top") is None:
                try:
                    await system.spawn(Supervisor, groups, max_restarts=1000, name="top")
                except ActorError:
                    continue  # moody at the very first start
            async with asyncio.TaskGroup() as group:
                askers = [group.create_task(ask_for_ever(f"w{n}", system)) for n in range(6)]
                while loop_time() < DAY_S:
                    await asyncio.sleep(60)
                    victim = dice.choice([*(spec.id for spec in workers), "one_for_one", "rest_for_one", "one_for_all"])
                    ref = system.whereis(victim)
                    if ref is None:
                        continue
                    match dice.choice(["kill", "crash", "stop", "hang"]):
                        case "kill":
                            ref.kill()
                        case "crash":
                            ref.tell(Crash())
                        case "stop":
                            await ref.stop(timeout_s=1.0)
                        case _:
                            ref.tell(Call(lambda _: asyncio.sleep(45)))
                for asker in askers:
                    asker.cancel()
            assert system.whereis("top") is not None
        assert not other_tasks()

    virtual_run(main())
    return trace


@pytest.mark.parametrize("seed", range(int(os.environ.get("JIDO_SEEDS", "3"))))  # 20 in CI
def test_24_hours_of_random_faults_leave_nothing_behind_and_a_seed_is_a_day(seed: int) -> None:
    files = open_files()
    trace = a_day(seed)
    assert len([entry for entry in trace if entry[1] == "actor.restarted"]) > 300
    assert a_day(seed) == trace
    assert open_files() == files


MILLION = 1_000_000
CAPACITY = 1000
MESSAGE_BYTES = 20_000


class Slow(Actor[Any]):
    """Takes a millisecond for each message, on the virtual clock; `every` more, and only one in so many takes that."""

    def __init__(self, every: int = 1) -> None:
        self.every = every
        self.handled = 0

    async def on_receive(self, message: Any) -> Any:
        if isinstance(message, bytes):
            self.handled += 1
        if self.handled % self.every == 0:
            await asyncio.sleep(0.001)
        return self.handled


class Memory:
    """How many bytes the process holds since a moment, by the system's own count; its own test skips without one."""

    STATM = Path("/proc/self/statm")

    def __init__(self) -> None:
        if not self.STATM.exists():
            pytest.skip("this system does not tell how much memory a process holds")
        gc.collect()
        self._before = self._resident()
        self.most = 0

    def _resident(self) -> int:
        return int(self.STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def look(self) -> int:
        now = self._resident() - self._before
        self.most = max(self.most, now)
        return now


def new_message() -> bytes:
    return bytes(MESSAGE_BYTES)


async def is_served_at_once(what: Awaitable[object]) -> None:
    """Await it; it must not wait behind what fills the mailbox."""
    began = asyncio.get_running_loop().time()
    await what
    assert asyncio.get_running_loop().time() - began <= 0.1


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.virtual_clock
@pytest.mark.parametrize("when_full", ["raise", "drop_oldest"])
async def test_a_million_tells_at_a_bounded_mailbox_take_no_more_memory_than_a_full_one(
    when_full: Any,
) -> None:
    memory = Memory()
    async with ActorSystem(sink=lambda _: None) as system:
        supervisor = await system.spawn(Supervisor)
        spec = ChildSpec(id="slow", start=Slow, mailbox=Bounded(CAPACITY, when_full), restart="temporary")
        ref = await supervisor.ask(StartChild(spec))
        linked, queue, actor = await system.spawn(Plain), ref.cell.queue, ref.cell.actor
        assert isinstance(queue, BoundedQueue)
        assert isinstance(actor, Slow)
        for _ in range(CAPACITY):
            ref.tell(new_message())
        full = memory.look()
        refused = 0
        for number in range(CAPACITY, MILLION):
            try:
                ref.tell(new_message())
            except MailboxFullError:
                refused += 1
            if number % 5000 == 0:
                memory.look()
                await asyncio.sleep(0.001)
        assert memory.most <= full + CAPACITY * MESSAGE_BYTES * 0.1
        assert (refused == 0) == (when_full == "drop_oldest")
        assert len(queue) >= CAPACITY - 1
        assert actor.handled + len(queue) + refused + queue.dropped in (MILLION, MILLION - 1)  # one is being taken
        await is_served_at_once(linked.ask(Call(lambda actor: actor.link(ref))))
        await is_served_at_once(supervisor.ask(TerminateChild("slow")))
        await is_served_at_once(system.wait_down(linked))  # the exit signal reached it
        assert not ref.is_alive


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.virtual_clock
async def test_a_million_offers_at_a_bounded_mailbox_wait_and_take_no_more_memory_than_a_full_one() -> None:
    memory, senders = Memory(), 20
    async with ActorSystem(sink=lambda _: None) as system:
        ref = await system.spawn(Slow, 100, mailbox=Bounded(CAPACITY, "wait"))
        queue, actor = ref.cell.queue, ref.cell.actor
        assert isinstance(queue, BoundedQueue)
        assert isinstance(actor, Slow)

        async def send(first: int) -> None:
            for number in range(first, MILLION, senders):
                await ref.offer(new_message())
                if number % 5000 == 0:
                    memory.look()

        async with asyncio.TaskGroup() as group:
            for sender in range(senders):
                group.create_task(send(sender))
            while len(queue) < CAPACITY:
                await asyncio.sleep(0)
            full = memory.look()
            with pytest.raises(MailboxFullError):
                ref.tell("refused")
            with pytest.raises(AskTimeoutError):
                await ref.ask("waits its turn", timeout_s=0.001)
            assert len(queue) == CAPACITY
            assert queue.waiting_for_room <= senders + 1
        assert memory.most <= full + CAPACITY * MESSAGE_BYTES * 0.1
        await ref.ask("last", timeout_s=None)
        assert actor.handled == MILLION

        crowd = [asyncio.create_task(ref.offer(new_message())) for _ in range(2 * CAPACITY)]
        await settle()
        assert len(queue) == CAPACITY
        waiting = queue.waiting_for_room
        assert waiting > 0
        await is_served_at_once(ref.stop())
        outcomes = await asyncio.gather(*crowd, return_exceptions=True)
        assert sum(isinstance(outcome, ActorDeadError) for outcome in outcomes) == waiting


@pytest.mark.virtual_clock
async def test_a_supervisor_with_a_full_mailbox_restarts_a_child_before_it_answers_queued_requests() -> None:
    asks: list[asyncio.Future[Any]] = []
    answered: list[int] = []

    class Child(Plain):
        async def on_start(self) -> None:
            answered.append(sum(asked.done() and asked.exception() is None for asked in asks))

    async with ActorSystem(sink=lambda _: None) as system:
        spec = ChildSpec(
            id="inner",
            name="inner",
            start=(Supervisor, ([ChildSpec(id="a", name="a", start=Child)],), {}),
            type="supervisor",
            mailbox=Bounded(CAPACITY, "drop_oldest"),
        )
        await system.spawn(Supervisor, [spec])
        supervisor, child = system.whereis("inner"), system.whereis("a")
        assert supervisor is not None
        assert child is not None
        asks.extend(asyncio.ensure_future(supervisor.ask(CountChildren())) for _ in range(3 * CAPACITY))
        child.kill()
        outcomes = await asyncio.gather(*asks, return_exceptions=True)
        assert answered == [0, 0]
        assert sum(isinstance(outcome, MailboxFullError) for outcome in outcomes) == 2 * CAPACITY


@pytest.mark.virtual_clock
async def test_thousands_of_kills_under_a_tree_end_every_ask_and_leave_nothing() -> None:
    dice = random.Random(7)
    before = other_tasks()
    async with ActorSystem(sink=lambda _: None) as system:
        supervisor = await system.spawn(DynamicSupervisor, max_restarts=10**6)
        refs = [await supervisor.ask(StartChild(ChildSpec(id="w", start=Plain))) for _ in range(1000)]
        outcomes: Counter[str] = Counter()

        async def call() -> None:
            for _ in range(50):
                try:
                    await dice.choice(refs).ask("x", timeout_s=1.0, when_restarting=dice.choice(["fail", "wait"]))
                    outcomes["reply"] += 1
                except AskTimeoutError:
                    outcomes["timeout"] += 1
                except ActorError:
                    outcomes["error"] += 1
                await asyncio.sleep(0.05)

        async with asyncio.TaskGroup() as group:
            for _ in range(100):
                group.create_task(call())
            for _ in range(3000):
                dice.choice(refs).kill()
                await asyncio.sleep(0.001)
        await asyncio.sleep(10)
        assert sum(outcomes.values()) == 5000
        assert outcomes["reply"] > 3000
        assert (await supervisor.ask(CountChildren())).active == 1000
        assert all(ref.is_alive for ref in refs)
    assert other_tasks() == before


@pytest.mark.virtual_clock
async def test_a_wall_clock_that_jumps_a_day_changes_no_deadline_and_no_intensity(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = time.time
    async with ActorSystem(sink=lambda _: None) as system:
        supervisor = await system.spawn(Supervisor, [ChildSpec(id="a", name="a", start=Probe)], max_restarts=2)
        for day in (1, -1, 0):
            monkeypatch.setattr(time, "time", lambda day=day: real() + day * DAY_S)
            assert supervisor.is_alive
            ref = system.whereis("a")
            assert ref is not None
            began = asyncio.get_running_loop().time()
            with pytest.raises(AskTimeoutError):
                await ref.ask(Call(lambda _: asyncio.sleep(1000)), timeout_s=0.1)
            assert 0.1 <= asyncio.get_running_loop().time() - began <= 0.15
            ref.kill()
            await asyncio.sleep(1)
        assert not supervisor.is_alive  # the third within 5 s


class _Deep(Actor[Any]):
    """Spawns one below itself, down to a depth."""

    async def on_receive(self, message: int) -> int:
        if message == 0:
            return 0
        child = await self.spawn_link(_Deep)
        return 1 + await child.ask(message - 1)


@pytest.mark.virtual_clock
async def test_a_chain_of_links_ends_as_one() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        before = other_tasks()
        ref = await system.spawn(_Deep)
        assert await ref.ask(300, timeout_s=None) == 300
        ref.kill()
        await asyncio.sleep(1)
        assert other_tasks() == before
