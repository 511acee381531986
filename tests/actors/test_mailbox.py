"""Bounded mailboxes: raise, wait or drop the oldest; the runtime's own messages always get in."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import pytest
from actor_helpers import Call, Plain, Probe, settle

from jido_ai.actors.child_spec import Backoff, ChildSpec
from jido_ai.actors.exit_reason import Down, Killed
from jido_ai.actors.mailbox import Bounded, BoundedQueue
from jido_ai.actors.ref import ActorRef
from jido_ai.actors.supervisor import CountChildren, Supervisor
from jido_ai.actors.system import ActorSystem
from jido_ai.errors import ActorDeadError, AskTimeoutError, ConfigurationError, MailboxFullError

pytestmark = pytest.mark.virtual_clock

AT_ONCE = Backoff(base_s=0.0)


async def busy_probe(system: ActorSystem, bound: Bounded, log: list[Any]) -> tuple[ActorRef, asyncio.Event]:
    """Start an actor that handles a message until the event is set."""
    ref = await system.spawn(Probe, log, mailbox=bound)
    go_on = asyncio.Event()
    ref.tell(Call(lambda _: go_on.wait()))
    await settle()
    return ref, go_on


@pytest.mark.parametrize("capacity", [0, -1, 1.5, True, "10", None])
def test_a_capacity_is_a_whole_number_of_at_least_1(capacity: Any) -> None:
    with pytest.raises(ConfigurationError, match="capacity"):
        Bounded(capacity)


def test_when_full_is_one_of_three_and_raise_is_the_default() -> None:
    assert Bounded(1).when_full == "raise"
    with pytest.raises(ConfigurationError, match="when_full"):
        Bounded(1, "block")  # type: ignore[arg-type]


async def test_raise_refuses_tell_and_ask_and_the_running_message_is_not_counted() -> None:
    async with ActorSystem() as system:
        log: list[Any] = []
        ref, go_on = await busy_probe(system, Bounded(2), log)
        ref.tell(1)
        ref.tell(2)
        with pytest.raises(MailboxFullError):
            ref.tell(3)
        with pytest.raises(MailboxFullError):
            await ref.ask(3)
        with pytest.raises(MailboxFullError):
            await ref.ask(3, when_restarting="wait")
        go_on.set()
        await settle()
        assert await ref.ask(4) == 4
    assert [entry[1] for entry in log[1:4]] == [1, 2, 4]


async def test_drop_oldest_makes_room_counts_and_fails_a_dropped_ask_at_once() -> None:
    async with ActorSystem() as system:
        log: list[Any] = []
        ref, go_on = await busy_probe(system, Bounded(2, "drop_oldest"), log)
        oldest = ref.ask("oldest")
        ref.tell(1)
        ref.tell(2)
        with pytest.raises(MailboxFullError):
            await oldest
        assert isinstance(ref.cell.queue, BoundedQueue)
        assert ref.cell.queue.dropped == 1
        go_on.set()
        await settle()
    assert [entry[1] for entry in log[1:3]] == [1, 2]


async def test_an_offer_waits_for_room_in_a_mailbox_that_refuses_others() -> None:
    async with ActorSystem() as system:
        log: list[Any] = []
        ref, go_on = await busy_probe(system, Bounded(1), log)
        ref.tell(1)
        offered = asyncio.ensure_future(ref.offer(2))
        await settle()
        assert not offered.done()
        go_on.set()
        await offered
        await settle()
        assert [entry[1] for entry in log[1:]] == [1, 2]


async def test_an_offer_to_a_mailbox_that_drops_the_oldest_never_waits() -> None:
    async with ActorSystem() as system:
        log: list[Any] = []
        ref, go_on = await busy_probe(system, Bounded(1, "drop_oldest"), log)
        ref.tell(1)
        await ref.offer(2)
        go_on.set()
        await settle()
        assert [entry[1] for entry in log[1:]] == [2]


async def test_wait_lets_asks_and_offers_wait_in_order_and_refuses_tell() -> None:
    async with ActorSystem() as system:
        log: list[Any] = []
        ref, go_on = await busy_probe(system, Bounded(1, "wait"), log)
        ref.tell(1)
        with pytest.raises(MailboxFullError):
            ref.tell("refused")
        asked = asyncio.ensure_future(ref.ask(2))
        offered = asyncio.ensure_future(ref.offer(3))
        await settle()
        assert not offered.done()
        go_on.set()
        assert await asked == 2
        await offered
        await settle()
        assert [entry[1] for entry in log[1:4]] == [1, 2, 3]


async def test_an_ask_waits_for_room_within_its_limit_and_leaves_no_message_behind() -> None:
    async with ActorSystem() as system:
        log: list[Any] = []
        ref, go_on = await busy_probe(system, Bounded(1, "wait"), log)
        ref.tell(1)
        with pytest.raises(AskTimeoutError):
            await ref.ask("expired", timeout_s=1.0)
        with pytest.raises(TimeoutError):
            await ref.offer("expired", timeout_s=1.0)
        go_on.set()
        assert await ref.ask(2) == 2
        assert [entry[1] for entry in log[1:]] == [1, 2]


async def test_an_offer_has_room_at_once_when_there_is_some() -> None:
    async with ActorSystem() as system:
        log: list[Any] = []
        ref = await system.spawn(Probe, log, mailbox=Bounded(1, "wait"))
        await ref.offer(1)
        await settle()
        assert log[1:] == [("probe", 1)]


async def test_a_sender_waiting_for_room_fails_when_the_actor_ends() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        ref, _ = await busy_probe(system, Bounded(1, "wait"), [])
        ref.tell(1)
        waiting = [asyncio.ensure_future(ref.ask(2, timeout_s=None)), asyncio.ensure_future(ref.offer(3))]
        await settle()
        ref.kill()
        for future in waiting:
            with pytest.raises(ActorDeadError) as failure:
                await future
            assert failure.value.reason == Killed()


async def test_messages_of_the_runtime_get_into_a_full_mailbox() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        log: list[Any] = []
        ref = await system.spawn(Probe, log, mailbox=Bounded(1))
        other = await system.spawn(Plain)

        def work(actor: Probe) -> None:
            actor.monitor(other)
            actor.ref.tell("fills it")
            other.kill()

        await ref.ask(Call(work))
        await settle()
        assert [type(entry[1]).__name__ for entry in log[1:]] == ["str", "Down"]


async def test_a_supervisor_whose_mailbox_drops_what_is_oldest_hears_of_every_end() -> None:
    async with ActorSystem(sink=lambda _: None) as system:
        children = [ChildSpec(f"c{number}", Plain, name=f"c{number}", backoff=AT_ONCE) for number in range(5)]
        supervisor = await system.spawn(
            Supervisor, children, max_restarts=1_000, mailbox=Bounded(1, "drop_oldest"), name="sup"
        )
        for _ in range(3):
            for number in range(5):
                ref = system.whereis(f"c{number}")
                assert ref is not None
                ref.kill()
                for _ in range(3):
                    supervisor.tell(CountChildren())
            await settle(100)
            assert [system.whereis(f"c{number}") is None for number in range(5)] == [False] * 5


@pytest.mark.parametrize("order", ["before", "after", "between"])
async def test_the_oldest_message_of_a_sender_is_dropped(order: str) -> None:
    log: list[Any] = []
    async with ActorSystem(sink=lambda _: None) as system:
        others = [await system.spawn(Plain) for _ in range(3)]
        ref = await system.spawn(Probe, log, mailbox=Bounded(2, "drop_oldest"))

        def work(actor: Probe) -> None:
            for other in others:
                actor.monitor(other)
            sent = iter(range(6))
            if order != "before":
                actor.ref.tell(next(sent))
            for other in others:
                other.kill()
                if order == "between":
                    actor.ref.tell(next(sent))
            actor.handle_next("continue")
            for number in sent:
                actor.ref.tell(number)

        await ref.ask(Call(work))
        await settle()
        told = [entry[1] for entry in log[1:]]
        assert [message for message in told if not isinstance(message, Down)] == ["continue", 4, 5]
        assert sum(isinstance(message, Down) for message in told) == 3
        queue = ref.cell.queue
        assert isinstance(queue, BoundedQueue)
        assert queue.dropped == 4


@pytest.mark.parametrize("when_full", ["raise", "wait", "drop_oldest"])
async def test_messages_of_the_runtime_take_no_room(when_full: Literal["raise", "wait", "drop_oldest"]) -> None:
    log: list[Any] = []
    async with ActorSystem(sink=lambda _: None) as system:
        others = [await system.spawn(Plain) for _ in range(3)]
        ref = await system.spawn(Probe, log, mailbox=Bounded(2, when_full))

        def work(actor: Probe) -> None:
            handles = [actor.monitor(other) for other in others]
            for other in others:
                other.kill()
            actor.demonitor(handles[1])
            for number in range(2):
                actor.ref.tell(number)
            actor.handle_next("continue")
            if when_full != "drop_oldest":
                with pytest.raises(MailboxFullError):
                    actor.ref.tell("too many")

        await ref.ask(Call(work))
        await settle()
        told = [entry[1] for entry in log[1:]]
        assert [down.ref for down in told[1:3]] == others[::2]
        assert [told[0], *told[3:]] == ["continue", 0, 1]
        for number in range(2):  # as before
            ref.tell(number)
        await settle()
        assert [entry[1] for entry in log[-2:]] == [0, 1]


async def test_a_stop_is_served_at_once_by_a_full_mailbox() -> None:
    async with ActorSystem() as system:
        ref, _ = await busy_probe(system, Bounded(1), [])
        ref.tell(1)
        await ref.stop()
        assert asyncio.get_running_loop().time() == 0.0


async def test_asks_that_expired_while_they_waited_for_room_do_not_pile_up() -> None:
    async with ActorSystem() as system:
        ref, _ = await busy_probe(system, Bounded(1, "wait"), [])
        ref.tell(1)
        for _ in range(2000):
            with pytest.raises(AskTimeoutError):
                await ref.ask("x" * 10, timeout_s=0.1)
        assert isinstance(ref.cell.queue, BoundedQueue)
        assert ref.cell.queue.waiting_for_room < 1000
        await ref.stop()
