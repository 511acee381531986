"""The watchdog names whoever blocks the event loop. Real threads and real time, but nothing waits for a fixed while."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from actor_helpers import Call, Plain

from jido_ai.actors.system import ActorSystem
from jido_ai.errors import ConfigurationError
from jido_ai.telemetry import TelemetryEvent


class _Named(logging.Handler):
    """Sets an event as soon as something is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = threading.Event()
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())
        self.seen.set()


@pytest.fixture
def named() -> Iterator[_Named]:
    handler = _Named()
    logging.getLogger("jido_ai").addHandler(handler)
    yield handler
    logging.getLogger("jido_ai").removeHandler(handler)


async def test_a_handler_that_blocks_the_loop_is_reported_with_its_message_and_the_duration(named: _Named) -> None:
    told = asyncio.Event()
    events: list[TelemetryEvent] = []

    def sink(event: TelemetryEvent) -> None:
        if event.name == "loop.blocked":
            events.append(event)
            told.set()

    async with ActorSystem(sink=sink, watchdog_s=0.02) as system:
        ref = await system.spawn(Plain, name="blocker")
        assert await ref.ask(Call(lambda _: named.seen.wait(60)), timeout_s=None)  # blocks until it has been named
        async with asyncio.timeout(60):
            await told.wait()
    assert "by blocker, which handles Call, at " in named.texts[0]
    data = events[0].data
    assert (data["actor"], data["message"]) == ("blocker", "Call")
    assert isinstance(data["blocked_s"], float)
    assert data["blocked_s"] >= 0.02


async def test_code_outside_of_actors_that_blocks_the_loop_is_reported_by_its_place(named: _Named) -> None:
    async with ActorSystem(watchdog_s=0.02):
        assert named.seen.wait(60)
    assert "by no actor" in named.texts[0]
    assert "threading.py" in named.texts[0]


async def test_the_watchdog_ends_with_its_system() -> None:
    async with ActorSystem(watchdog_s=0.001):
        dogs = [thread for thread in threading.enumerate() if thread.name == "jido-watchdog"]
        assert dogs
    for dog in dogs:
        await asyncio.to_thread(dog.join, 10)
        assert not dog.is_alive()


@pytest.mark.parametrize("watchdog_s", [0, -1, float("inf"), float("nan"), True])
def test_a_wrong_watchdog_s_is_refused(watchdog_s: Any) -> None:
    with pytest.raises(ConfigurationError, match="watchdog_s"):
        ActorSystem(watchdog_s=watchdog_s)
