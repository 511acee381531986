"""What a host may pass by mistake is refused with one error, and what a run kept is freed with its last handle."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from typing import Any

import pytest

from jido_ai.errors import ConfigurationError
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import StepNode
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.runs.handle import RunHandle
from jido_ai.values import Candidate, CritiqueResult, MemoryEntry, Scope, utc_now
from jido_ai.values.record import Claim, Record

NO_TEXTS: list[Any] = [None, "", "  ", "\n", 3, b"run"]


async def generate(prompt: str, context: RunContext) -> str:
    return prompt


def upper(text: str) -> str:
    return text.upper()


def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
    return CritiqueResult(severity=0.0)


async def fail(candidate: Candidate, context: RunContext) -> CritiqueResult:
    raise ValueError("no")


async def wait(candidate: Candidate, context: RunContext) -> CritiqueResult:
    await asyncio.Event().wait()
    raise AssertionError


def pipeline() -> Pipeline:
    return Pipeline(generate, critique, memory=True)


def graph() -> Graph:
    return Graph({"a": StepNode(upper, inputs={"text": "{x}"})}, inputs=["x"], output="a", memory=True)


def calls_of(host: Any, bad: Any, given: Any) -> dict[str, Any]:
    return {
        "resume": lambda: host.resume(bad),
        "stream_resumed": lambda: anext(host.stream_resumed(bad)),
        "run_or_resume": lambda: host.run_or_resume(given, run_id=bad),
        "cancel": lambda: host.cancel(bad),
        "calls": lambda: host.calls(bad),
        **({} if bad is None else {"run": lambda: host.run(given, run_id=bad)}),
        **({} if bad is None else {"start": lambda: host.start(resume=bad)}),
    }


@pytest.mark.parametrize("bad", NO_TEXTS, ids=repr)
@pytest.mark.parametrize("make", [pipeline, graph])
async def test_an_id_that_is_blank_or_no_text_is_refused(make: Any, bad: Any) -> None:
    async with make() as host:
        for name, call in calls_of(host, bad, "q" if make is pipeline else {"x": "q"}).items():
            with pytest.raises(ConfigurationError, match="run_id must be a string that is not blank"):
                await call()
            assert not host.runs_in_flight(), name
        with pytest.raises(ConfigurationError, match="run_id"):
            host.handle(bad)


@pytest.mark.parametrize("bad", NO_TEXTS, ids=repr)
async def test_a_prompt_that_is_blank_or_no_text_is_refused(bad: Any) -> None:
    async with pipeline() as host:
        for call in (host.run, host.start, lambda prompt: anext(host.stream(prompt))):
            with pytest.raises(ConfigurationError, match="prompt must be a string that is not blank"):
                await call(bad)
        with pytest.raises(ConfigurationError, match="prompt must be a string that is not blank"):
            await host.run_many(["a", bad])


@pytest.mark.parametrize("bad", ["", " ", 3, b"yes"], ids=repr)
async def test_a_decision_that_is_blank_or_none_of_its_types_is_refused(bad: Any) -> None:
    async with pipeline() as host:
        await host.run("q", "a", run_id="one")
        with pytest.raises(ConfigurationError, match="decision must"):
            await host.resume("one", decision=bad)


def calls_with_an_id(memory: ReflexionMemory, bad: Any) -> list[Any]:
    return [
        lambda: memory.get(bad),
        lambda: memory.record_usage(bad, True),
        lambda: memory.link(bad, "kept", "similar"),
        lambda: memory.link("kept", bad, "similar"),
        lambda: memory.update(bad, lambda entry: entry),
        lambda: memory.forget(bad),
        lambda: memory.forget("kept", bad),
    ]


def calls_with_a_scope(memory: ReflexionMemory, bad: Any) -> list[Any]:
    return [
        lambda: memory.get("kept", scope=bad),
        lambda: memory.record_usage("kept", True, scope=bad),
        lambda: memory.link("kept", "kept", "similar", scope=bad),
        lambda: memory.update("kept", lambda entry: entry, scope=bad),
        lambda: memory.forget("kept", scope=bad),
        lambda: memory.clear(bad),
        lambda: memory.retrieve_similar("q", scope=bad),
        lambda: memory.retrieve_similar("q", 0, scope=bad),
        lambda: memory.count(bad),
        lambda: memory.list_entries(bad),
        lambda: anext(memory.entries(bad)),
        lambda: memory.records("notes", scope=bad),
        lambda: memory.summaries("notes", scope=bad),
        lambda: memory.drop_records("notes", scope=bad),
        lambda: memory.embed_pending(bad),
    ]


@pytest.mark.parametrize("path", [None, "lessons.db"])
@pytest.mark.parametrize("bad", [*NO_TEXTS, 0, ("kept",)], ids=repr)
async def test_a_memory_refuses_an_id_that_is_blank_or_no_text(path: str | None, bad: Any, tmp_path: Path) -> None:
    async with ReflexionMemory(path and tmp_path / path) as memory:
        await memory.store(MemoryEntry("q", "m", "c", id="kept"))
        for call in calls_with_an_id(memory, bad):
            with pytest.raises(ConfigurationError, match="id must be a string that is not blank"):
                await call()
        if bad is not None:
            for call in calls_with_a_scope(memory, bad):
                with pytest.raises(ConfigurationError, match="scope must be a Scope or None"):
                    await call()
            with pytest.raises(ConfigurationError, match="query must be of type MemoryQuery"):
                await memory.list_entries(where=bad)
        assert [entry.id for entry in await memory.list_entries()] == ["kept"]


@pytest.mark.parametrize("bad", [" ", "\n"], ids=repr)
async def test_an_entry_with_a_blank_id_is_not_stored(bad: str) -> None:
    async with ReflexionMemory() as memory:
        with pytest.raises(ConfigurationError, match="id must be a string that is not blank"):
            await memory.store(MemoryEntry("q", id=bad))
        assert await memory.count() == 0


@pytest.mark.parametrize("bad", NO_TEXTS, ids=repr)
async def test_a_memory_refuses_records_and_claims_of_another_type(bad: Any) -> None:
    async with ReflexionMemory() as memory:
        refused = [
            lambda: memory.append(bad),
            lambda: memory.claim(bad, lambda claim: True),
            lambda: memory.release(bad),
            lambda: memory.claim(
                Claim(run_id=bad, scope=Scope(), token="t", owner="o", expires_at=utc_now()), lambda claim: True
            ),
        ]
        if bad is not None:
            refused.append(lambda: memory.append([], claim=bad))
        if not isinstance(bad, str):
            refused += [
                lambda: memory.append([Record(log="notes", key=bad, data={})]),
                lambda: memory.append([Record(log="notes", key="k", kind=bad, data={})]),
            ]
        if isinstance(bad, int | bytes):
            refused += [lambda: memory.records("notes", key=bad), lambda: memory.drop_records("notes", key=bad)]
        for call in refused:
            with pytest.raises(ConfigurationError):
                await call()
        assert await memory.records("notes") == []


@pytest.mark.parametrize("bad", NO_TEXTS, ids=repr)
async def test_a_journal_refuses_an_id_that_is_blank_or_no_text_and_drops_nothing(bad: Any) -> None:
    async with pipeline() as host:
        await host.run("q", "a", run_id="one")
        assert host.journal is not None
        for call in (host.journal.forget, host.journal.records, host.journal.calls):
            with pytest.raises(ConfigurationError, match="run_id must be a string that is not blank"):
                await call(bad)
        with pytest.raises(ConfigurationError, match="run_id must be a string that is not blank"):
            await host.journal.has(bad, Scope())
        assert await host.journal.records("one")


@pytest.mark.parametrize("critic", [critique, fail, wait])
async def test_the_events_of_a_run_are_freed_with_its_last_handle(critic: Any) -> None:
    async def ended(handle: Any) -> None:
        async for _ in handle.events():
            break  # not read to the end
        if critic is wait:
            await handle.cancel()
        await handle.result()

    async with Pipeline(None, critic, memory=True) as host:
        for _ in range(6):
            await ended(await host.start("q", "a"))
        await host.run("q", "a") if critic is not wait else None
        kept = 6
        for _ in range(1000):  # until the last actor has ended
            await asyncio.sleep(0)
            kept = sum(isinstance(one, RunHandle) for one in gc.get_objects())
            if not kept:
                break
            gc.collect()
        assert not kept


async def test_under_another_kind_of_event_loop_the_error_says_so() -> None:
    host = pipeline()
    coroutine = host.__aenter__()
    with pytest.raises(ConfigurationError, match="no asyncio event loop"):
        await asyncio.to_thread(coroutine.send, None)  # as trio does: no loop of asyncio runs there
