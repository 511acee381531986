"""Thread actors: handlers that block, behind the same refs; actors adopted from pykka; and asks from threads."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from typing import Any

import pykka
import pytest
from actor_helpers import settle

from jido_ai.actors.actor import Actor
from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.exit_reason import Crashed, ExitReason, Killed, Normal
from jido_ai.actors.ref import ActorRef
from jido_ai.actors.system import ActorSystem
from jido_ai.actors.thread_actor import ThreadActor, ask_from_thread
from jido_ai.errors import ActorDeadError, ActorError, CallError, ConfigurationError, StartError
from jido_ai.telemetry import TelemetryEvent
from jido_ai.testing import supervised


def quiet(_: TelemetryEvent) -> None:
    """Take an event and say nothing."""


class Worker(ThreadActor[Any]):
    """Answers with the name of its thread; crashes, or calls what it is given."""

    expected_errors = (KeyError,)

    def __init__(self, log: list[Any] | None = None) -> None:
        self.log: list[Any] = [] if log is None else log

    def on_start(self) -> None:
        self.log.append(("start", threading.current_thread().name))

    def on_receive(self, message: Any) -> Any:
        if callable(message):
            return message()
        if isinstance(message, BaseException):
            raise message
        return threading.current_thread().name

    def on_stop(self, reason: ExitReason) -> None:
        self.log.append(("stop", reason))


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Any:
    yield
    assert pykka.ActorRegistry.get_all() == []


async def test_the_hooks_run_on_one_thread_that_is_not_the_loops() -> None:
    async with ActorSystem() as system:
        log: list[Any] = []
        ref = await system.spawn(Worker, log)
        names = {await ref.ask("who") for _ in range(5)}
        assert names == {log[0][1]}
        assert names != {threading.current_thread().name}
        await ref.stop()
        assert log[-1] == ("stop", Normal())


async def test_a_handler_that_blocks_does_not_hold_up_the_loop() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Worker)
        may_end = threading.Event()
        asked = asyncio.ensure_future(ref.ask(may_end.wait))
        await asyncio.sleep(0.01)
        assert not asked.done()
        may_end.set()
        assert await asked is True


@pytest.mark.virtual_clock
async def test_virtual_time_stands_still_while_a_thread_actor_works() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Worker)
        may_end = threading.Event()
        threading.Timer(0.05, may_end.set).start()
        assert await ref.ask(may_end.wait, timeout_s=0.001) is True


async def test_an_error_on_the_thread_is_a_crash_with_the_cause_chained_and_the_supervisor_restarts_it() -> None:
    async with supervised(ChildSpec(id="w", start=Worker), sink=quiet) as system:
        ref = system.whereis("w")
        assert ref is not None
        first = await ref.ask("who")
        for error in (ValueError("no"), StopIteration("odd")):
            with pytest.raises(CallError) as failure:
                await ref.ask(error, when_restarting="wait")
            assert failure.value.__cause__ is error or isinstance(failure.value.__cause__, RuntimeError)
        assert await ref.ask("who", when_restarting="wait") != first


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt()], ids=repr)
async def test_a_system_exit_on_the_thread_is_a_crash_of_its_actor_alone(error: BaseException) -> None:
    class Leaving(Worker):
        def on_start(self) -> None:
            raise error

    async with supervised(ChildSpec(id="w", start=Worker), sink=quiet) as system:
        other, ref = await system.spawn(Worker), system.whereis("w")
        assert ref is not None
        with pytest.raises(CallError) as failure:
            await ref.ask(error, when_restarting="wait")
        assert failure.value.__cause__ is error
        assert await ref.ask("who", when_restarting="wait") is not None
        with pytest.raises(StartError):
            await system.spawn(Leaving)
        assert await other.ask("who") is not None


async def test_an_error_that_no_future_accepts_is_a_crash_even_if_its_repr_raises() -> None:
    class Odd(StopIteration):
        def __repr__(self) -> str:
            raise SystemExit

        __str__ = __repr__

    async with ActorSystem(sink=quiet) as system:
        ref = await system.spawn(Worker)
        with pytest.raises(CallError) as failure:
            await ref.ask(Odd())
        assert str(failure.value.__cause__) == "the thread raised <Odd whose repr raises SystemExit>"


async def test_an_expected_error_answers_as_itself_and_the_actor_lives_on() -> None:
    async with ActorSystem(sink=quiet) as system:
        ref = await system.spawn(Worker)
        with pytest.raises(KeyError):
            await ref.ask(KeyError("x"))
        assert ref.is_alive


async def test_an_error_in_on_start_is_a_start_error_and_leaves_no_thread() -> None:
    class Broken(Worker):
        def on_start(self) -> None:
            raise ValueError("no")

    async with ActorSystem(sink=quiet) as system:
        with pytest.raises(StartError) as failure:
            await system.spawn(Broken)
        assert isinstance(failure.value.__cause__, ValueError)


async def test_async_hooks_of_a_thread_actor_are_refused() -> None:
    class Confused(ThreadActor[Any]):
        async def on_receive(self, message: Any) -> Any:
            return message

    async with ActorSystem(sink=quiet) as system:
        with pytest.raises(ConfigurationError, match="on_receive is async"):
            await system.spawn(Confused)
        with pytest.raises(ConfigurationError, match="on_receive is async"):
            await system.spawn(Confused, name="confused")
        assert system.whereis("confused") is None


async def test_a_stuck_thread_is_abandoned_at_the_limit_unregistered_and_reported_as_killed() -> None:
    events: list[TelemetryEvent] = []
    async with ActorSystem(sink=events.append) as system:
        ref = await system.spawn(Worker, name="w")
        began_work, stuck = threading.Event(), threading.Event()
        busy = asyncio.ensure_future(ref.ask(lambda: began_work.set() or stuck.wait(), timeout_s=None))
        down = asyncio.ensure_future(system.wait_down(ref))
        assert await asyncio.to_thread(began_work.wait, 5)
        async with asyncio.timeout(60):  # the thread is stuck for longer
            await ref.stop(timeout_s=0.05)
        assert (await down).reason == Killed()
        assert pykka.ActorRegistry.get_all() == []
        assert "actor.abandoned" in [event.name for event in events]
        with pytest.raises(ActorDeadError):
            await busy
        assert await (await system.spawn(Worker, name="w")).ask("who")
        stuck.set()


async def test_the_tree_shows_the_class_of_a_thread_actor() -> None:
    async with ActorSystem() as system:
        await system.spawn(Worker, name="w")
        assert [node.kind for node in system.tree().children] == ["Worker"]


# -- adopted actors --------------------------------------------------------------------------------


class Old(pykka.ThreadingActor):
    """A pykka actor as others have written it."""

    def on_receive(self, message: Any) -> Any:
        if isinstance(message, BaseException):
            raise message
        return ("old", message)


async def test_an_adopted_actor_answers_behind_our_ref() -> None:
    async with ActorSystem() as system:
        ref = system.adopt(Old.start(), name="old")
        assert system.whereis("old") is ref
        assert await ref.ask("x") == ("old", "x")


async def test_only_a_reference_of_pykka_is_adopted() -> None:
    async with ActorSystem() as system:
        with pytest.raises(ConfigurationError, match=r"pykka\.ActorRef"):
            system.adopt("other")  # type: ignore[arg-type]


async def test_the_errors_of_an_adopted_actor_reach_the_asker_and_it_lives_on() -> None:
    async with ActorSystem(sink=quiet) as system:
        ref = system.adopt(Old.start())
        with pytest.raises(ValueError, match="mine"):
            await ref.ask(ValueError("mine"))
        assert await ref.ask("x") == ("old", "x")


async def test_stop_stops_an_adopted_actor_in_pykka() -> None:
    async with ActorSystem() as system:
        old = Old.start()
        await system.adopt(old).stop()
        assert not old.is_alive()


async def test_an_adopted_actor_that_ends_in_pykka_ends_here() -> None:
    async with ActorSystem(sink=quiet) as system:
        for crash in (False, True):
            old = Old.start()
            ref = system.adopt(old)
            down = asyncio.ensure_future(system.wait_down(ref))
            await settle()
            if crash:
                ref.tell(ValueError("of a tell: pykka ends it"))
            else:
                old.stop(block=False)
            reason = (await down).reason
            assert isinstance(reason, Crashed if crash else Normal)


@pytest.mark.parametrize("start", [Old, (Old, (), {}), Old.start], ids=["class", "tuple", "factory"])
async def test_a_class_of_pykka_is_a_child_like_any_other(start: Any) -> None:
    async with supervised(ChildSpec(id="old", start=start), sink=quiet) as system:
        ref = system.whereis("old")
        assert ref is not None
        assert await ref.ask("x") == ("old", "x")
        ref.tell(ValueError("pykka ends an actor for an error of a tell"))
        async with asyncio.timeout(20):
            while (node := system.tree().children[0].children[0]).restarts == 0 or node.status != "running":
                await asyncio.sleep(0)
        assert await ref.ask("y", when_restarting="wait") == ("old", "y")


async def test_a_class_of_pykka_can_be_spawned() -> None:
    async with ActorSystem() as system:
        assert await (await system.spawn(Old)).ask("x") == ("old", "x")


async def test_an_adopted_actor_is_supervised_through_a_factory() -> None:
    async with ActorSystem(sink=quiet) as system:
        spec = ChildSpec(id="old", name="old", start=lambda: system.adopt(Old.start()))
        ref = await system.spawn(spec)
        assert await ref.ask("x") == ("old", "x")
        down = asyncio.ensure_future(system.wait_down(ref))
        ref.tell(ValueError("end"))
        assert isinstance((await down).reason, Crashed)
        assert await ref.ask("again", when_restarting="wait") == ("old", "again")
        assert len(pykka.ActorRegistry.get_all()) == 1
        assert len(system.tree().children) == 1


# -- asks from threads -------------------------------------------------------------------------------


class Doubler(Actor[Any]):
    """Answers with twice the message."""

    async def on_receive(self, message: Any) -> Any:
        return message * 2


class Customer(pykka.ThreadingActor):
    """Asks another actor what it is asked, and waits for the reply."""

    def __init__(self, ref: ActorRef[Any], **options: Any) -> None:
        super().__init__()
        self.ask = partial(ask_from_thread, ref, **options)

    def on_receive(self, message: Any) -> Any:
        return self.ask(message).get()


async def test_an_actor_of_pykkas_asks_one_of_ours() -> None:
    async with ActorSystem() as system:
        customer = await system.spawn(Customer, await system.spawn(Doubler))
        assert await customer.ask(21) == 42


@pytest.mark.parametrize("is_dead", [False, True])
async def test_an_asker_in_a_thread_gets_the_error_of_the_ask(is_dead: bool) -> None:
    async with ActorSystem(sink=quiet) as system:
        ref = await system.spawn(Doubler)
        if is_dead:
            await ref.stop()
        customer = await system.spawn(Customer, ref)
        with pytest.raises(ActorDeadError if is_dead else CallError):
            await customer.ask(None)  # cannot be doubled


@pytest.mark.parametrize("options", [{"timeout_s": -1.0}, {"when_restarting": "perhaps"}])
async def test_a_wrong_option_of_an_ask_from_a_thread_reaches_its_asker(options: dict[str, Any]) -> None:
    async with ActorSystem() as system:
        customer = await system.spawn(Customer, await system.spawn(Doubler), **options)
        with pytest.raises(ConfigurationError):
            await customer.ask(21)


async def test_an_ask_from_a_thread_is_refused_where_it_could_only_wait_for_itself() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Doubler)
        with pytest.raises(ActorError, match="wait for itself"):
            ask_from_thread(ref, 21)


def test_an_ask_from_a_thread_is_refused_once_the_event_loop_is_closed() -> None:
    async def spawned() -> ActorRef[Any]:
        async with ActorSystem() as system:
            return await system.spawn(Doubler)

    ref = asyncio.run(spawned())
    with pytest.raises(ActorError, match="closed"):
        ask_from_thread(ref, 21)
