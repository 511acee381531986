"""Continue: work that runs after a start or a message, before any message that waits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from actor_helpers import settle

from jido_ai.actors.actor import Actor, Continue
from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.exit_reason import Crashed, ExitReason, Killed, Normal, Shutdown
from jido_ai.actors.mailbox import Bounded
from jido_ai.actors.system import ActorSystem
from jido_ai.actors.thread_actor import ThreadActor
from jido_ai.errors import ActorDeadError, CallError, ConfigurationError, StartError
from jido_ai.telemetry import TelemetryEvent

pytestmark = pytest.mark.virtual_clock


def quiet(_: TelemetryEvent) -> None:
    """Take an event and say nothing."""


@pytest.fixture
async def system() -> AsyncIterator[ActorSystem]:
    async with ActorSystem(sink=quiet) as system:
        yield system


class Worker(Actor[Any]):
    """Continues with `first` after its start, and with what a message `("continue", what, reply)` says."""

    expected_errors = (KeyError,)

    def __init__(self, log: list[Any], first: Any = None, act: Callable[[Any, Any], Any] | None = None) -> None:
        self.log = log
        self.first = first
        self.act = act

    async def on_start(self) -> Continue | None:
        self.log.append("start")
        return None if self.first is None else Continue(self.first)

    async def on_receive(self, message: Any) -> Any:
        self.log.append(message)
        match message:
            case ("continue", what):
                return Continue(what)
            case ("continue", what, reply):
                return Continue(what, reply=reply)
            case _:
                return message

    async def on_continue(self, what: Any) -> Any:
        self.log.append(("continued", what))
        if self.act is not None:
            answer = self.act(self, what)
            return await answer if asyncio.iscoroutine(answer) else answer
        return None

    async def on_stop(self, reason: ExitReason) -> None:
        self.log.append(type(reason))


async def test_a_start_continues_before_the_messages_that_came_meanwhile(system: ActorSystem) -> None:
    log: list[Any] = []
    gate = asyncio.Event()

    class Slow(Worker):
        async def on_start(self) -> Continue | None:
            self.ref.tell("waiting")
            await gate.wait()
            return Continue("rest")

    starting = asyncio.create_task(system.spawn(Slow, log))
    await settle()
    gate.set()
    ref = await starting
    await ref.ask("later")
    assert log == [("continued", "rest"), "waiting", "later"]


async def test_a_spawn_does_not_wait_for_the_continuation_of_a_start(system: ActorSystem) -> None:
    gate = asyncio.Event()
    log: list[Any] = []

    async def wait(actor: Worker, what: Any) -> None:
        await gate.wait()

    ref = await system.spawn(Worker, log, "rest", wait)
    asked = ref.ask("hello")
    await settle()
    assert log == ["start", ("continued", "rest")]
    gate.set()
    assert await asked == "hello"


async def test_a_message_continues_before_the_messages_that_wait(system: ActorSystem) -> None:
    log: list[Any] = []
    ref = await system.spawn(Worker, log)
    ref.tell(("continue", 1))
    ref.tell("waiting")
    await ref.ask("last")
    assert log == ["start", ("continue", 1), ("continued", 1), "waiting", "last"]


async def test_an_ask_is_answered_by_the_reply_of_the_continue_before_it_runs(system: ActorSystem) -> None:
    log: list[Any] = []
    gate = asyncio.Event()

    async def wait(actor: Worker, what: Any) -> None:
        await gate.wait()

    ref = await system.spawn(Worker, log, None, wait)
    assert await ref.ask(("continue", 1, "answer")) == "answer"
    gate.set()
    assert await ref.ask(("continue", 2)) is None
    assert await ref.ask("echo") == "echo"


async def test_a_deferred_reply_is_left_to_its_holder(system: ActorSystem) -> None:
    class Deferring(Actor[Any]):
        async def on_receive(self, message: Any) -> Any:
            self.later = self.defer_reply()
            return Continue(message, reply="not this")

        async def on_continue(self, what: Any) -> None:
            self.later.send(what)

    ref = await system.spawn(Deferring)
    assert await ref.ask("this") == "this"


async def test_a_continuation_may_continue(system: ActorSystem) -> None:
    log: list[Any] = []
    ref = await system.spawn(Worker, log, 3, lambda actor, what: Continue(what - 1) if what else None)
    await ref.ask("after")
    assert log == ["start", *(("continued", number) for number in (3, 2, 1, 0)), "after"]


async def test_an_endless_continuation_lets_others_run_and_can_be_stopped(system: ActorSystem) -> None:
    log: list[Any] = []
    ref = await system.spawn(Worker, log, 1, lambda actor, what: Continue(what + 1))
    await settle(3)
    seen = len(log)
    await settle(3)
    assert len(log) > seen
    await ref.stop()
    assert log[-1] is Normal


async def test_a_crash_in_a_continuation_is_one_of_the_actor_and_not_of_its_start(system: ActorSystem) -> None:
    log: list[Any] = []

    def crash(actor: Worker, what: Any) -> None:
        raise ValueError("crashed on purpose")

    ref = await system.spawn(Worker, log, "rest", crash)
    down = await system.wait_down(ref)
    assert log[:2] == ["start", ("continued", "rest")]
    assert not ref.is_alive and down.ref is ref


async def test_a_supervisor_restarts_an_actor_whose_continuation_crashes(system: ActorSystem) -> None:
    log: list[Any] = []

    def crash_once(actor: Worker, what: Any) -> None:
        if log.count("start") == 1:
            raise ValueError("crashed on purpose")

    ref = await system.spawn(ChildSpec(id="worker", start=(Worker, (log, "rest", crash_once), {})))
    await settle()
    assert await ref.ask("alive") == "alive"
    assert [entry for entry in log if entry == "start"] == ["start", "start"]


async def test_a_crash_after_an_ask_leaves_its_answer_and_fails_the_next_ones(system: ActorSystem) -> None:
    def crash(actor: Worker, what: Any) -> None:
        raise ValueError("crashed on purpose")

    ref = await system.spawn(Worker, [], None, crash)
    one, other = ref.ask(("continue", 1, "answer")), ref.ask("waiting")
    assert await one == "answer"
    with pytest.raises(ActorDeadError) as error:
        await other
    assert isinstance(error.value.reason, Crashed)


async def test_an_expected_error_leaves_the_actor_alive(system: ActorSystem) -> None:
    def fail(actor: Worker, what: Any) -> None:
        raise KeyError(what)

    for first in (None, "rest"):
        ref = await system.spawn(Worker, [], first, fail)
        ref.tell(("continue", 1))
        assert await ref.ask(("continue", 1, "answer")) == "answer"
        assert await ref.ask("alive") == "alive"


@pytest.mark.parametrize("end", ["stop", "kill"])
async def test_an_actor_can_be_ended_while_it_continues(system: ActorSystem, end: str) -> None:
    log: list[Any] = []

    async def wait(actor: Worker, what: Any) -> None:
        await asyncio.Event().wait()

    ref = await system.spawn(Worker, log, "rest", wait)
    waiting = ref.ask("waiting")
    await settle()
    await ref.stop(Shutdown()) if end == "stop" else ref.kill()
    with pytest.raises(ActorDeadError) as error:
        await waiting
    assert error.value.reason == (Shutdown() if end == "stop" else Killed())
    assert log == ["start", ("continued", "rest"), *([Shutdown] if end == "stop" else [])]


async def test_an_actor_that_has_called_exit_does_not_continue(system: ActorSystem) -> None:
    log: list[Any] = []

    class Leaving(Worker):
        async def on_receive(self, message: Any) -> Any:
            self.exit()
            return Continue(message, reply="answer")

    ref = await system.spawn(Leaving, log)
    assert await ref.ask(1) == "answer"
    await settle()
    assert log == ["start", Normal]


async def test_continue_without_on_continue_is_a_crash_that_says_so(system: ActorSystem) -> None:
    class Without(Actor[Any]):
        async def on_receive(self, message: Any) -> Any:
            return Continue(message)

    crashes: list[Any] = []
    async with ActorSystem(sink=lambda event: crashes.append(event.data.get("error"))) as observed:
        ref = await observed.spawn(Without)
        ref.tell(1)
        await settle()
        assert not ref.is_alive
    assert any("Without has no on_continue" in str(error) for error in crashes)


async def test_a_bounded_mailbox_does_not_stand_in_the_way(system: ActorSystem) -> None:
    log: list[Any] = []
    ref = await system.spawn(Worker, log, mailbox=Bounded(1))
    ref.tell(("continue", 1))
    await settle()
    assert log == ["start", ("continue", 1), ("continued", 1)]


async def test_a_continuation_may_ask_others_and_a_circle_is_refused(system: ActorSystem) -> None:
    errors: list[Any] = []

    async def ask_itself(actor: Worker, what: Any) -> None:
        try:
            await actor.ref.ask("hello")
        except Exception as error:
            errors.append(type(error).__name__)

    ref = await system.spawn(Worker, [], "rest", ask_itself)
    await ref.ask("after")
    assert errors == ["CallCycleError"]


async def test_a_failed_start_does_not_continue(system: ActorSystem) -> None:
    log: list[Any] = []

    class Failing(Worker):
        async def on_start(self) -> Continue | None:
            raise ValueError("no")

    with pytest.raises(StartError):
        await system.spawn(Failing, log, "rest")
    await settle()
    assert log == []


async def test_a_handler_that_crashes_does_not_continue(system: ActorSystem) -> None:
    class Crashing(Worker):
        async def on_receive(self, message: Any) -> Any:
            raise ValueError("no")

    log: list[Any] = []
    ref = await system.spawn(Crashing, log)
    with pytest.raises(CallError):
        await ref.ask(1)
    assert ("continued", 1) not in log


async def test_a_thread_actor_continues_on_its_thread() -> None:
    class OnThread(ThreadActor[Any]):
        def __init__(self) -> None:
            self.log: list[Any] = []

        def on_start(self) -> Any:
            return Continue("rest")

        def on_receive(self, message: Any) -> Any:
            return Continue(message, reply=tuple(self.log)) if message else self.log

        def on_continue(self, what: Any) -> None:
            self.log.append(what)

    async with ActorSystem(sink=quiet) as system:
        ref = await system.spawn(OnThread)
        assert await ref.ask("more") == ("rest",)
        assert await ref.ask(None) == ["rest", "more"]

        class Wrong(ThreadActor[Any]):
            async def on_continue(self, what: Any) -> None:
                pass

        with pytest.raises(ConfigurationError, match="on_continue"):
            await system.spawn(Wrong)


async def test_other_values_of_a_start_mean_nothing(system: ActorSystem) -> None:
    class Odd(Worker):
        async def on_start(self) -> Any:
            return False

    ref = await system.spawn(Odd, [])
    assert await ref.ask(1) == 1
