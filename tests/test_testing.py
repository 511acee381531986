"""The virtual clock: time jumps, and stands still while a thread or a subprocess is at work."""

from __future__ import annotations

import asyncio
import sys
import threading
from pathlib import Path

import aiosqlite
import pytest

from jido_ai.actors.actor import Actor
from jido_ai.actors.child_spec import ChildSpec
from jido_ai.errors import CallError, ConfigurationError, ModelUnavailableError
from jido_ai.telemetry import TelemetryEvent
from jido_ai.testing import DeadlockError, ScriptedModel, VirtualClockLoop, supervised, virtual_run
from jido_ai.values import Completion, CompletionRequest, Message, Usage

pytestmark = pytest.mark.virtual_clock


def now() -> float:
    return asyncio.get_running_loop().time()


async def test_ten_hours_of_sleeping_take_no_time() -> None:
    await asyncio.gather(*(asyncio.sleep(minute * 60) for minute in range(600)))  # a test may take a minute
    assert now() == 599 * 60


async def test_time_stands_still_while_something_is_ready() -> None:
    for _ in range(100):
        await asyncio.sleep(0)
    assert now() == 0.0


async def test_timers_fire_in_the_order_of_their_times() -> None:
    seen: list[int] = []
    loop = asyncio.get_running_loop()
    for delay_s in (3, 1, 2):
        loop.call_later(delay_s, seen.append, delay_s)
    await asyncio.sleep(4)
    assert seen == [1, 2, 3]


async def test_a_timeout_fires_at_its_time() -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(3600):
            await asyncio.Event().wait()
    assert now() == 3600


def test_a_deadlock_raises_and_says_who_waits_where() -> None:
    async def wait_for_ever() -> None:
        await asyncio.Event().wait()

    with pytest.raises(DeadlockError, match=r"deadlock, all tasks wait forever: .* at .*test_testing\.py:\d+"):
        virtual_run(wait_for_ever())


def test_tasks_are_cleaned_up_after_a_deadlock() -> None:
    cleaned: list[str] = []

    async def wait_for_ever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cleaned.append("done")

    with pytest.raises(DeadlockError):
        virtual_run(wait_for_ever())
    assert cleaned == ["done"]


async def test_time_stands_still_while_a_thread_works() -> None:
    may_end = threading.Event()
    threading.Timer(0.05, may_end.set).start()
    async with asyncio.timeout(0.001):
        assert await asyncio.to_thread(may_end.wait, 5.0)
    assert now() == 0.0


async def test_time_continues_once_the_thread_is_done() -> None:
    await asyncio.to_thread(lambda: None)
    await asyncio.sleep(100)
    assert now() == 100


async def test_time_stands_still_while_sqlite_works(tmp_path: Path) -> None:
    numbers = "with recursive c(x) as (select 1 union all select x + 1 from c where x < 100000) select sum(x) from c"
    async with (
        asyncio.timeout(0.001),
        aiosqlite.connect(tmp_path / "some.db") as database,
        database.execute(numbers) as cursor,
    ):
        assert await cursor.fetchone() == (5000050000,)
    assert now() == 0.0


async def test_an_idle_database_does_not_hold_up_time() -> None:
    async with aiosqlite.connect(":memory:"):
        await asyncio.sleep(1000)
    assert now() == 1000


async def test_time_stands_still_while_a_subprocess_runs() -> None:
    async with asyncio.timeout(0.001):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", "import time; time.sleep(0.05); print('done')", stdout=asyncio.subprocess.PIPE
        )
        assert (await process.communicate())[0] == b"done\n"
    assert process.returncode == 0
    await asyncio.sleep(10)
    assert now() == 10


async def test_a_shell_command_counts_as_a_subprocess() -> None:
    async with asyncio.timeout(0.001):
        process = await asyncio.create_subprocess_shell("exit 3")
        assert await process.wait() == 3


def test_a_process_that_hangs_can_be_given_up_after_patience_s() -> None:
    async def give_up() -> int | None:
        process = await asyncio.create_subprocess_exec("sleep", "1000")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(60):
                await process.wait()
        process.kill()
        return await process.wait()

    assert virtual_run(give_up(), patience_s=0.05) == -9


async def test_real_work_can_be_announced() -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualClockLoop)
    done = asyncio.Event()
    threading.Timer(0.05, loop.call_soon_threadsafe, [done.set]).start()
    with loop.real_work():
        async with asyncio.timeout(0.001):
            await done.wait()
    assert now() == 0.0


async def test_a_server_and_its_client_on_the_same_loop_take_no_time() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readline())
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(b"hello\n")
        assert await reader.readline() == b"hello\n"
        writer.close()
        await writer.wait_closed()


class Echo(Actor[str]):
    async def on_receive(self, message: str) -> str:
        if message == "crash":
            raise ValueError(message)
        return message


async def test_supervised_gives_a_system_with_its_children_running_under_their_ids() -> None:
    events: list[TelemetryEvent] = []
    async with supervised(ChildSpec(id="echo", start=Echo), sink=events.append) as system:
        echo = system.whereis("echo")
        assert echo is not None
        with pytest.raises(CallError):
            await echo.ask("crash")
        assert await echo.ask("hello", when_restarting="wait") == "hello"
    assert not echo.is_alive
    assert "actor.restarted" in [event.name for event in events]


# -- a scripted model ------------------------------------------------------------------------------

REQUEST = CompletionRequest((Message("user", "one two three"),))
DOWN = ModelUnavailableError("down", provider="scripted")


async def test_a_scripted_model_answers_in_order_and_keeps_its_requests() -> None:
    whole = Completion("whole", finish_reason="length")
    model = ScriptedModel(["a text", whole, DOWN, lambda request: request.messages[0].content, ("in ", "pieces")])
    first = await model.complete(REQUEST)
    assert (first.text, first.usage) == ("a text", Usage(1, 3, 2))
    assert await model.complete(REQUEST) is whole
    with pytest.raises(ModelUnavailableError, match="down"):
        await model.complete(REQUEST)
    assert (await model.complete(REQUEST)).text == "one two three"
    assert (await model.complete(REQUEST)).text == "in pieces"
    with pytest.raises(ConfigurationError, match="no reply for call 6"):
        await model.complete(REQUEST)
    assert model.requests == [REQUEST] * 6


async def test_a_function_is_the_script_of_every_call() -> None:
    async def echo(request: CompletionRequest) -> str:
        await asyncio.sleep(1)
        return request.messages[0].content.upper()

    model = ScriptedModel(echo)
    assert [(await model.complete(REQUEST)).text for _ in range(3)] == ["ONE TWO THREE"] * 3
    assert now() == 3.0


async def test_a_scripted_stream_yields_pieces_and_last_the_whole() -> None:
    model = ScriptedModel(["two words", ("a", "b"), ("a", DOWN)])
    assert [item async for item in model.stream(REQUEST)] == [
        "two ",
        "words",
        Completion("two words", model="scripted", usage=Usage(1, 3, 2)),
    ]
    pieces = [item async for item in model.stream(REQUEST)]
    assert pieces[:2] == ["a", "b"]
    assert isinstance(pieces[2], Completion)
    seen: list[object] = []
    with pytest.raises(ModelUnavailableError):
        async for item in model.stream(REQUEST):
            seen.append(item)
    assert seen == ["a"]
