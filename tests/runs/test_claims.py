"""Claims: a run has one owner; a second one is refused, and a dead one is replaced at once."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from scripted import PROMPT, Scripted, hang

from jido_ai.errors import ConfigurationError, RunClaimedError, StoreUnavailableError
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.runs.leases import is_void, let_go, new_claim
from jido_ai.values import LoopConfig, Scope, StopReason, utc_now
from jido_ai.values.record import Claim, Record

SEVERITIES = (0.9, 0.7, 0.5, 0.1)
CONFIG = LoopConfig(max_iterations=4, timeout_s=600.0)


@pytest.fixture(params=["process", "sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """Return the arguments of two memories on one store."""
    if request.param == "process":
        return {"store": InProcessStore()}
    return {"path": request.getfixturevalue("postgres") if request.param == "postgres" else tmp_path / "memory.db"}


@asynccontextmanager
async def in_flight(
    address: Any, step: str = "revise 0"
) -> AsyncIterator[tuple[Pipeline, Scripted, asyncio.Event, asyncio.Task[Any]]]:
    """Yield a pipeline whose run "r" waits in a step until the event is set."""
    reached, go_on = asyncio.Event(), asyncio.Event()

    async def stop_here() -> None:
        reached.set()
        await go_on.wait()

    script = Scripted(*SEVERITIES, at={step: stop_here})
    async with (
        ReflexionMemory(**address) as memory,
        Pipeline(script, script, script, memory, CONFIG) as pipeline,
        asyncio.TaskGroup() as group,
    ):
        run = group.create_task(pipeline.run(PROMPT, run_id="r"))
        await reached.wait()
        yield pipeline, script, go_on, run
        go_on.set()


async def is_unclaimed(memory: ReflexionMemory, run_id: str) -> bool:
    """Tell whether the store has no claim of a run, not even a void one."""
    mine = new_claim(run_id, Scope(), 60.0)
    let_go(mine)
    holder = await memory.claim(mine, lambda _: False)
    await memory.release(mine)
    return holder.token == mine.token


@pytest.mark.parametrize("step", ["generate", "critique 0", "revise 0"])
async def test_a_run_in_flight_is_refused_to_a_second_pipeline_and_nothing_is_called(address: Any, step: str) -> None:
    async with in_flight(address, step) as (_, script, go_on, run):
        other = Scripted(*SEVERITIES)
        async with ReflexionMemory(**address) as memory, Pipeline(other, other, other, memory, CONFIG) as pipeline:
            for attempt in (
                lambda: pipeline.resume("r"),
                lambda: pipeline.resume("r", Scope()),
                lambda: pipeline.run(PROMPT, run_id="r"),
                lambda: anext(pipeline.stream(PROMPT, run_id="r")),
                lambda: anext(pipeline.stream_resumed("r")),
            ):
                with pytest.raises(RunClaimedError) as refusal:
                    await attempt()
                assert refusal.value.run_id == "r"
                assert refusal.value.owner.endswith(f"(pid {os.getpid()})")
                assert utc_now() < refusal.value.expires_at < utc_now() + timedelta(hours=1)
            assert other.calls == []
            assert (await pipeline.run(PROMPT, run_id="r", scope=Scope("another"))).converged  # another run
            calls = list(other.calls)
            go_on.set()
            result = await run
            again = await pipeline.resume("r", Scope())
            assert again.best_candidate == result.best_candidate  # it is over: its result, and nothing is called
            assert other.calls == calls
    assert result.stop_reason is StopReason.ACCEPTED
    assert len(script.calls) == 8


async def test_a_run_in_flight_is_refused_to_its_own_pipeline(address: Any) -> None:
    async with in_flight(address) as (pipeline, script, _, _):
        for attempt in (lambda: pipeline.resume("r"), lambda: pipeline.run(PROMPT, run_id="r")):
            with pytest.raises(RunClaimedError, match="in flight"):
                await attempt()
        assert script.calls == ["generate", "critique 0", "revise 0"]


async def test_without_a_journal_a_run_id_is_refused_in_its_own_pipeline_as_before() -> None:
    script = Scripted(at={"generate": hang})
    async with Pipeline(script, script, script, config=CONFIG) as pipeline:
        run = asyncio.ensure_future(pipeline.run(PROMPT, run_id="r"))
        await asyncio.sleep(0)
        with pytest.raises(ConfigurationError, match="in flight"):
            await pipeline.run(PROMPT, run_id="r")
        run.cancel()
        await asyncio.wait({run})


async def test_one_of_many_concurrent_resumes_continues_the_run_and_each_step_is_done_once(address: Any) -> None:
    async with in_flight(address, "critique 1") as (first, before, _, run):
        run.cancel()
        await asyncio.wait({run})
        del first
    scripts = [Scripted(*SEVERITIES) for _ in range(4)]
    memories = [ReflexionMemory(**address) for _ in scripts]
    outcomes: list[Any] = []
    for memory in memories:
        await memory.open()
    try:
        pipelines = [Pipeline(one, one, one, memory, CONFIG) for one, memory in zip(scripts, memories, strict=True)]
        for pipeline in pipelines:
            await pipeline.__aenter__()
        outcomes = await asyncio.gather(*(one.resume("r") for one in pipelines), return_exceptions=True)
        for pipeline in pipelines:
            await pipeline.__aexit__(None, None, None)
    finally:
        for memory in memories:
            await memory.close()
    results = [one for one in outcomes if not isinstance(one, RunClaimedError)]
    assert [getattr(one, "stop_reason", one) for one in results] == [StopReason.ACCEPTED] * len(results)
    calls = [call for script in scripts for call in script.calls]
    assert sorted(calls) == sorted(set(calls))
    assert before.calls == ["generate", "critique 0", "revise 0", "critique 1"]


async def test_a_run_that_was_cancelled_or_failed_leaves_no_claim(address: Any) -> None:
    for ending in ("cancelled by its caller", "cancelled by its id", "closed"):
        async with in_flight(address) as (pipeline, _, _, run):
            if ending == "cancelled by its id":
                await pipeline.cancel("r")
                await run
            else:
                run.cancel()
                await asyncio.wait({run})
        script = Scripted(*SEVERITIES)
        async with ReflexionMemory(**address) as memory, Pipeline(script, script, script, memory, CONFIG) as other:
            assert await is_unclaimed(memory, "r"), ending
            del other


class Appears(InProcessStore):
    """Stores a run of another process in the moment in which its id is claimed."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[Record] = []

    async def claim(self, claim: Claim, is_void: Any) -> Claim:
        mine = await super().claim(claim, is_void)
        if self.lines:
            await self.append(self.lines)
            self.lines = []
        return mine


@pytest.mark.parametrize("how", ["new", "resumed", "appears while it is claimed"])
async def test_a_caller_that_is_cancelled_at_any_moment_leaves_no_claim(how: str) -> None:
    script = Scripted(*SEVERITIES)
    async with ReflexionMemory() as memory, Pipeline(script, script, script, memory, CONFIG) as pipeline:
        await pipeline.run(PROMPT, run_id="r")
        lines = [replace(line, row=0) for line in await memory.records("journal", key="r")]
    for passes in count():
        store, script = Appears(), Scripted(*SEVERITIES)
        async with ReflexionMemory(store=store) as memory:
            if how == "resumed":
                await memory.append(lines[:3])
            elif how != "new":
                store.lines = lines
            async with Pipeline(script, script, script, memory, CONFIG) as pipeline:
                run = asyncio.ensure_future(pipeline.run_or_resume(PROMPT, run_id="r"))
                for _ in range(passes):
                    await asyncio.sleep(0)
                is_over = run.done()
                run.cancel()
                await asyncio.wait({run})
            assert await is_unclaimed(memory, "r"), passes
        if is_over:
            assert passes > 3
            return


async def test_the_claim_of_a_run_that_wrote_its_last_line_is_not_released_again() -> None:
    released: list[str] = []

    class Counts(InProcessStore):
        async def release(self, claim: Claim) -> None:
            released.append(claim.run_id)
            await super().release(claim)

    script = Scripted(*SEVERITIES)
    async with ReflexionMemory(store=Counts()) as memory:
        async with Pipeline(script, script, script, memory, CONFIG) as pipeline:
            assert (await pipeline.run(PROMPT, run_id="r")).accepted
        assert released == []
        assert await is_unclaimed(memory, "r")


class NoClaims(InProcessStore):
    """Cannot store claims."""

    async def claim(self, claim: Claim, is_void: Any) -> Claim:
        raise StoreUnavailableError("away")

    async def release(self, claim: Claim) -> None:
        raise StoreUnavailableError("away")


async def test_without_a_claim_a_new_run_continues_without_a_journal_and_a_resumed_one_is_refused() -> None:
    script = Scripted(*SEVERITIES)
    async with ReflexionMemory() as memory, Pipeline(script, script, script, memory, CONFIG) as pipeline:
        await pipeline.run(PROMPT, run_id="r")
        lines = await memory.records("journal", key="r")
    script = Scripted(*SEVERITIES)
    async with (
        ReflexionMemory(store=NoClaims()) as memory,
        Pipeline(script, script, script, memory, CONFIG) as pipeline,
    ):
        result = await pipeline.run(PROMPT, run_id="new")
        assert result.accepted
        assert result.error is not None
        assert (result.error.kind, result.error.component) == ("StoreUnavailableError", "journal")
        assert await memory.records("journal") == []
        await memory.append([replace(line, row=0) for line in lines if line.kind != "stopped"])
        with pytest.raises(StoreUnavailableError):
            await pipeline.resume("r")


# -- live owners -----------------------------------------------------------------------------------


def claim_of(**changes: Any) -> Claim:
    """Return a claim of this process with another owner."""
    mine = new_claim("r", Scope(), 60.0)
    let_go(mine)
    return replace(mine, token="another", owner=json.dumps({**json.loads(mine.owner), **changes}))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_claim_is_void_when_its_process_is_gone_and_not_before() -> None:
    assert is_void(claim_of())  # owned by this process, which has no such run
    assert not is_void(claim_of(pid=os.getppid(), start=start_of(os.getppid())))
    assert is_void(claim_of(pid=os.getppid(), start="1"))  # another process has the pid now
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    alive = claim_of(pid=child.pid, start=start_of(child.pid))
    assert not is_void(alive)
    assert is_void(alive, alive.expires_at)  # it gave no sign of life: it may be stopped
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert is_void(alive)  # before its parent looked after it
    child.communicate()
    assert is_void(alive)


@pytest.mark.parametrize("changes", [{"boot": "another"}, {"namespace": "another"}, {"pid": "x"}, {"pid": -1}])
def test_a_claim_of_another_machine_holds_until_it_expires(changes: dict[str, Any]) -> None:
    theirs = claim_of(**changes)
    assert not is_void(theirs)
    assert is_void(theirs, theirs.expires_at)


@pytest.mark.parametrize("owner", ["", "null", "[]", "{}", "no json", "[" * 100_000, '{"pid": 1}'])
def test_an_unreadable_owner_counts_as_one_of_another_machine(owner: str) -> None:
    theirs = replace(claim_of(), owner=owner)
    assert not is_void(theirs)
    assert is_void(theirs, theirs.expires_at)


def start_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]


# -- two processes ---------------------------------------------------------------------------------

ANOTHER = """
import asyncio, sys
from jido_ai import LoopConfig, Pipeline

async def generate(prompt, context):
    return "0:first"

async def critique(candidate, context):
    print("at it", flush=True)
    await asyncio.Event().wait()

async def main():
    async with Pipeline(generate, critique, None, sys.argv[1], LoopConfig(timeout_s=600.0)) as pipeline:
        await pipeline.run("how would you parse a date?", run_id="r")

asyncio.run(main())
"""


@pytest.mark.parametrize("where", ["sqlite", "postgres"])
async def test_a_run_of_another_process_is_refused_until_that_process_is_killed(
    where: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    path = request.getfixturevalue("postgres") if where == "postgres" else str(tmp_path / "memory.db")
    other = await asyncio.create_subprocess_exec(sys.executable, "-c", ANOTHER, path, stdout=subprocess.PIPE)
    assert other.stdout is not None
    try:
        assert (await other.stdout.readline()).strip() == b"at it"
        script = Scripted(*SEVERITIES)
        async with Pipeline(script, script, script, path, CONFIG) as pipeline:
            for attempt in (lambda: pipeline.resume("r"), lambda: pipeline.run(PROMPT, run_id="r")):
                with pytest.raises(RunClaimedError) as refusal:
                    await attempt()
                assert refusal.value.owner.endswith(f"(pid {other.pid})")
            assert script.calls == []
            other.send_signal(signal.SIGSTOP)  # alive but stopped
            with pytest.raises(RunClaimedError):
                await pipeline.resume("r")
            other.kill()
            await other.wait()
            assert (await pipeline.resume("r")).accepted
            assert pipeline.memory is not None
            kinds = [record.kind for record in await RunJournal(pipeline.memory).records("r")]
        assert kinds.count("started") == kinds.count("resumed") == kinds.count("stopped") == 1
        assert script.calls[0] == "critique 0"
    finally:
        if other.returncode is None:
            other.kill()
            await other.wait()


# -- losing a claim --------------------------------------------------------------------------------


async def test_a_former_owner_writes_no_more_learns_nothing_and_its_run_ends(address: Any) -> None:
    async with in_flight(address) as (_, script, go_on, run):
        other = Scripted(*SEVERITIES)
        async with ReflexionMemory(**address) as memory, Pipeline(other, other, other, memory, CONFIG) as pipeline:
            theirs = replace(new_claim("r", Scope(), 60.0), owner="somebody else")
            taken = await memory.claim(theirs, lambda _: True)  # as if the lease of the first were over
            lines = await memory.records("journal", key="r")
            lessons, calls = await memory.count(), list(script.calls)
            go_on.set()
            result = await run
            assert result.stop_reason is StopReason.ERROR
            assert result.error is not None
            assert result.error.kind == "RunClaimedError"
            assert "somebody else" in result.error.message
            assert result.best_candidate is not None
            assert script.calls == calls  # only the call in flight
            assert await memory.records("journal", key="r") == lines
            assert await memory.count() == lessons
            let_go(theirs)
            await memory.release(taken)
            other._judged["r"] = 1  # it goes on with the second text
            assert (await pipeline.resume("r")).accepted


async def test_a_lease_is_renewed_while_the_event_loop_is_blocked(tmp_path: Path) -> None:
    script = Scripted(*SEVERITIES)
    expiries: list[str] = []

    def block() -> None:
        for _ in range(2):
            with closing(sqlite3.connect(tmp_path / "memory.db")) as db:
                expiries.append(db.execute("SELECT expires FROM claim").fetchone()[0])
            threading.Event().wait(0.5)

    async def critique(candidate: Any, context: Any) -> Any:
        if not expiries:
            block()
        return await script.critique(candidate, context)

    async with Pipeline(script, critique, script, tmp_path / "memory.db", CONFIG, lease_s=0.6) as pipeline:
        assert (await pipeline.run(PROMPT)).accepted
    assert expiries[1] > expiries[0]


@pytest.mark.parametrize("lease_s", [0, -1.0, float("nan"), float("inf"), True, "30"])
def test_a_lease_is_a_positive_number_of_seconds(lease_s: Any) -> None:
    with pytest.raises(ConfigurationError, match="lease_s must be a number of seconds above 0"):
        Pipeline(critiquer=lambda *_: 0.0, lease_s=lease_s)


async def test_a_last_line_counts_if_it_was_written_and_only_its_answer_was_lost(address: Any) -> None:
    async with ReflexionMemory(**address) as memory:
        store, append = memory._store, memory._store.append_claimed  # type: ignore[attr-defined]

        async def twice(records: Any, claim: Claim, *, release: bool = False) -> Any:
            if release:
                await append(records, claim, release=release)
            return await append(records, claim, release=release)

        store.append_claimed = twice  # type: ignore[attr-defined]
        script = Scripted(*SEVERITIES)
        async with Pipeline(script, script, script, memory, CONFIG) as pipeline:
            result = await pipeline.run(PROMPT, run_id="r")
            assert result.accepted
            assert result.error is None
