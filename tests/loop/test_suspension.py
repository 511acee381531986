"""Suspension: a run that waits for a person ends, costs nothing, and goes on with the person's decision."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted import PROMPT, Scripted, text

from jido_ai import SUSPEND
from jido_ai.errors import ConfigurationError, RunClaimedError
from jido_ai.loop.events import RunStopped
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.protocols import RunContext
from jido_ai.values import Budget, Candidate, Iteration, LoopConfig, ReflectionResult, StopReason, Usage

SEVERITIES = (0.9, 0.7, 0.5, 0.1)
CONFIG = LoopConfig(max_iterations=4, timeout_s=600.0)


@pytest.fixture(params=["process", "sqlite", "postgres"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], ReflexionMemory]:
    """Return a function that makes memories on one store."""
    if request.param == "process":
        store = InProcessStore()
        return lambda: ReflexionMemory(store=store)
    path = request.getfixturevalue("postgres") if request.param == "postgres" else tmp_path / "memory.db"
    return lambda: ReflexionMemory(path)


def piped(script: Scripted, memory: Any, **options: Any) -> Pipeline:
    config = options.pop("config", CONFIG)
    return Pipeline(script, script, script, memory, config, **options)


async def suspended(memory: Any, script: Scripted | None = None, **options: Any) -> ReflectionResult:
    """Run until the first revision waits for a person."""
    async with piped(script or Scripted(*SEVERITIES), memory, **{"approve": later, **options}) as pipeline:
        return await pipeline.run(PROMPT, run_id="r")


def later(revision: Candidate, iteration: Iteration, context: RunContext) -> Any:
    return SUSPEND


async def test_a_suspended_run_has_its_best_candidate_so_far_and_names_the_waiting_revision(memory: Any) -> None:
    result = await suspended(memory())
    assert result.stop_reason is StopReason.SUSPENDED
    assert not result.converged
    assert result.error is None
    assert result.best_candidate is not None
    assert result.best_candidate.content == text(0)
    async with memory() as known:
        recorded = await RunJournal(known).load("r")
    assert recorded.status == "suspended"
    assert recorded.waiting is not None
    assert recorded.waiting.candidate.content == text(1)
    assert result.evidence == {
        "revision": recorded.waiting.candidate.id,
        "revised_from": result.iterations[0].candidate.id,
    }


@pytest.mark.parametrize(
    ("decision", "contents"),
    [
        (True, [text(0), text(1), text(2), text(3)]),
        ("1:my own", [text(0), "1:my own", text(2), text(3)]),
        (Candidate("1:mine"), [text(0), "1:mine", text(2), text(3)]),
        (False, [text(0)]),
    ],
)
async def test_a_decision_answers_the_waiting_revision_and_the_run_continues(
    memory: Any, decision: Any, contents: list[str]
) -> None:
    script = Scripted(*SEVERITIES)
    await suspended(memory(), script)
    calls = len(script.calls)
    async with piped(script, memory()) as pipeline:
        result = await pipeline.resume("r", decision=decision)
    assert [one.candidate.content for one in result.iterations] == contents
    assert result.stop_reason is (StopReason.DECLINED if decision is False else StopReason.ACCEPTED)
    assert "generate" not in script.calls[calls:]
    assert "critique 0" not in script.calls[calls:]
    if decision is False:
        assert result.evidence == {"reasons": ["the revision was not approved"]}


async def test_three_suspensions_of_one_run_are_answered_one_after_the_other(memory: Any) -> None:
    script = Scripted(*SEVERITIES)
    result = await suspended(memory(), script)
    for waiting in (2, 3):
        async with piped(script, memory(), approve=later) as pipeline:
            result = await pipeline.resume("r", decision=True)
        assert (result.stop_reason, result.total_iterations) == (StopReason.SUSPENDED, waiting)
    async with piped(script, memory(), approve=later) as pipeline:
        result = await pipeline.resume("r", decision=True)
    assert result.accepted
    assert sorted(script.calls) == sorted(
        ["generate", *(f"critique {n}" for n in range(4)), *(f"revise {n}" for n in range(3))]
    )


async def test_a_suspended_run_without_a_decision_asks_again_or_is_returned_unchanged(memory: Any) -> None:
    script = Scripted(*SEVERITIES)
    before = await suspended(memory(), script)
    calls = list(script.calls)
    async with piped(script, memory()) as pipeline:  # nobody to ask
        again = await pipeline.resume("r")
        assert (again.stop_reason, again.evidence) == (before.stop_reason, before.evidence)
        assert await pipeline.run_or_resume(PROMPT, run_id="r") == again
    assert script.calls == calls
    async with piped(script, memory(), approve=lambda *_: True) as pipeline:
        assert (await pipeline.resume("r")).accepted


async def test_approve_of_a_call_is_asked_instead_of_the_pipelines() -> None:
    asked: list[str] = []

    def mine(revision: Candidate, iteration: Iteration, context: RunContext) -> bool:
        asked.append(revision.content)
        return True

    async with piped(Scripted(*SEVERITIES), True, approve=later) as pipeline:
        assert (await pipeline.run(PROMPT, run_id="one", approve=mine)).accepted
        assert asked == [text(1), text(2), text(3)]
        assert (await pipeline.run(PROMPT, run_id="two")).stop_reason is StopReason.SUSPENDED
        assert (await pipeline.resume("two", approve=mine)).accepted
        stream = [event async for event in pipeline.stream(PROMPT, run_id="three", approve=mine)]
        assert stream[-1].result.accepted
        handle = await pipeline.start(PROMPT, run_id="four", approve=mine)
        assert (await handle.result()).accepted


async def test_a_double_answer_is_refused_and_changes_nothing(memory: Any) -> None:
    await suspended(memory())
    script = Scripted(*SEVERITIES)
    script._judged["r"] = 1
    async with piped(script, memory()) as pipeline:
        first = await pipeline.resume("r", decision=True)
        calls = list(script.calls)
        for answer in (True, False, "1:late"):
            with pytest.raises(ConfigurationError, match="waits for no decision"):
                await pipeline.resume("r", decision=answer)
        assert script.calls == calls
        assert await pipeline.resume("r") == first


async def test_one_of_two_concurrent_answers_counts(memory: Any) -> None:
    await suspended(memory())
    scripts = [Scripted(*SEVERITIES), Scripted(*SEVERITIES)]
    async with piped(scripts[0], memory()) as one, piped(scripts[1], memory()) as two:
        outcomes = await asyncio.gather(
            one.resume("r", decision="1:one"), two.resume("r", decision="1:two"), return_exceptions=True
        )
    results = [one for one in outcomes if isinstance(one, ReflectionResult)]
    refusals = [one for one in outcomes if isinstance(one, RunClaimedError | ConfigurationError)]
    assert (len(results), len(refusals)) == (1, 1)
    calls = [call for script in scripts for call in script.calls]
    assert len(calls) == len(set(calls))


@pytest.mark.parametrize("reason", ["over", "interrupted"])
async def test_an_answer_to_a_run_that_is_not_waiting_is_refused(reason: str) -> None:
    async with piped(Scripted(*SEVERITIES), True) as pipeline:
        await pipeline.run(PROMPT, run_id="r")
        assert pipeline.memory is not None
        if reason == "interrupted":
            lines = await pipeline.memory.records("journal", key="r")
            await pipeline.memory.drop_records("journal", key="r")
            await pipeline.memory.append([line for line in lines if line.kind != "stopped"])
        with pytest.raises(ConfigurationError, match="waits for no decision"):
            await pipeline.resume("r", decision=True)


async def test_an_answer_of_another_type_is_refused_before_anything_is_read() -> None:
    async with piped(Scripted(*SEVERITIES), True) as pipeline:
        with pytest.raises(ConfigurationError, match="decision must be a bool, a str or a Candidate, got 1"):
            await pipeline.resume("unknown", decision=1)  # pyright: ignore[reportArgumentType]
        with pytest.raises(ConfigurationError, match="decision needs resume="):
            await pipeline.start(PROMPT, decision=True)


async def test_without_a_journal_a_suspension_is_an_error() -> None:
    for options in ({"memory": None}, {"memory": True, "journal": False}):
        result = await suspended(**options)
        assert result.stop_reason is StopReason.ERROR
        assert result.error is not None
        assert (result.error.kind, result.error.component) == ("ConfigurationError", "approve")
        assert result.best_candidate is not None


async def test_a_decision_is_written_before_it_counts(memory: Any) -> None:
    await suspended(memory())

    async with memory() as known:
        script = Scripted(*SEVERITIES)
        written: list[list[str]] = []

        async def look() -> None:
            written.append([record.kind for record in await known.records("journal", key="r")])

        script.at["critique 1"] = look
        script._judged["r"] = 1
        async with piped(script, known) as pipeline:
            await pipeline.resume("r", decision="1:changed")
    assert written[0][-2:] == ["resumed", "approved"]


async def test_a_refusal_is_kept_when_the_process_dies_before_the_run_ends(memory: Any) -> None:
    await suspended(memory())
    async with memory() as known:
        async with piped(Scripted(*SEVERITIES), known) as pipeline:
            await pipeline.resume("r", decision=False)
        lines = await known.records("journal", key="r")
        await known.drop_records("journal", key="r")
        await known.append([line for line in lines if not (line is lines[-1] and line.kind == "stopped")])
        script = Scripted(*SEVERITIES)
        async with piped(script, known, approve=later) as pipeline:
            result = await pipeline.resume("r")
    assert result.stop_reason is StopReason.DECLINED
    assert script.calls == []


async def test_a_suspended_run_teaches_nothing_until_it_ends() -> None:
    async with ReflexionMemory() as memory:
        script = Scripted(*SEVERITIES)
        await suspended(memory, script)
        assert await memory.count() == 0
        assert await memory.records("episodes") == []
        async with piped(script, memory) as pipeline:
            result = await pipeline.resume("r", decision=True)
        assert len(result.lessons_stored) == 1


async def test_the_other_lines_of_a_beam_are_judged_before_the_run_waits() -> None:
    config = LoopConfig(max_iterations=8, candidates=2, beam=2, timeout_s=600.0)
    severities = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.35, 0.1)

    def first_waits(revision: Candidate, iteration: Iteration, context: RunContext) -> Any:
        return SUSPEND if iteration.index == 0 else True

    class Drafts(Scripted):
        async def generate(self, prompt: str, context: RunContext) -> Any:
            return [text(0), text(1)]

        async def revise(self, candidate: Candidate, critique: Any, context: RunContext) -> Any:
            return text(int(candidate.content.partition(":")[0]) + 2)

    script = Drafts(*severities)
    async with piped(script, True, config=config, approve=first_waits) as pipeline:
        result = await pipeline.run(PROMPT, run_id="r")
        assert result.stop_reason is StopReason.SUSPENDED
        assert [one.candidate.content for one in result.iterations] == [text(0), text(1), text(3)]
        done = await pipeline.resume("r", decision=True, approve=lambda *_: True)
    assert text(2) in [one.candidate.content for one in done.iterations]


async def test_numbers_of_events_continue_across_suspensions(memory: Any) -> None:
    script = Scripted(*SEVERITIES)
    seen: list[int] = []
    async with piped(script, memory(), approve=later) as pipeline:
        seen += [event.seq async for event in pipeline.stream(PROMPT, run_id="r")]
    for _ in range(3):
        async with piped(script, memory(), approve=later) as pipeline:
            seen += [event.seq async for event in pipeline.stream_resumed("r", decision=True)]
    assert seen == list(range(1, len(seen) + 1))


async def test_a_resumption_that_is_cancelled_before_its_first_step_is_the_end_of_the_run() -> None:
    script, store = Scripted(*SEVERITIES), InProcessStore()
    await suspended(ReflexionMemory(store=store), script)
    async with piped(script, ReflexionMemory(store=store)) as pipeline:
        handle = await pipeline.start(resume="r", decision=True)
        await handle.cancel()
        cancelled = await handle.result()
        last = [event.seq async for event in handle.events()][-1]
        assert cancelled.stop_reason is StopReason.CANCELLED
        assert await pipeline.run_or_resume(PROMPT, run_id="r") == cancelled
        events = [event async for event in pipeline.stream_resumed("r", decision=True)]
    assert events[0].seq == last + 1
    assert isinstance(events[-1], RunStopped)
    assert events[-1].result.stop_reason is StopReason.ACCEPTED


async def test_components_can_see_the_remaining_budget() -> None:
    left: list[int | None] = []

    async def critique(candidate: Candidate, context: RunContext) -> Any:
        left.append(context.budget_left.max_calls)
        assert context.meter is not None
        context.meter.reserve().settle(Usage(calls=1))
        return 0.9

    config = LoopConfig(max_iterations=3, budget=Budget(max_calls=3), policy="adaptive", call_price=0.0)
    async with Pipeline(None, critique, lambda candidate, *_: candidate.content + "x" * 50, config=config) as pipeline:
        await pipeline.run(PROMPT, "draft")
    assert left[0] == 3
    assert left == sorted(left, reverse=True)


CHILD = """
import asyncio, sys
sys.path[:0] = sys.argv[3:]
from scripted import Scripted, PROMPT
from jido_ai import SUSPEND, LoopConfig, Pipeline

async def main(path, step):
    script = Scripted(0.9, 0.7, 0.5, 0.1)
    script._judged["r"] = step
    config = LoopConfig(max_iterations=4)
    async with Pipeline(script, script, script, path, config, approve=lambda *_: SUSPEND) as pipeline:
        result = await (pipeline.resume("r", decision=True) if step else pipeline.run(PROMPT, run_id="r"))
    print(result.stop_reason.value, result.total_iterations, *[call.replace(" ", "") for call in script.calls])

asyncio.run(main(sys.argv[1], int(sys.argv[2])))
"""


@pytest.mark.slow
async def test_three_suspensions_are_answered_in_three_processes(tmp_path: Path) -> None:
    said: list[str] = []
    for step in range(4):
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", CHILD, str(tmp_path / "memory.db"), str(step), *sys.path),
            stdout=asyncio.subprocess.PIPE,
        )
        out, _ = await child.communicate()
        said.append(out.decode().strip())
    assert said == [
        "suspended 1 generate critique0 revise0",
        "suspended 2 critique1 revise1",
        "suspended 3 critique2 revise2",
        "accepted 4 critique3",
    ]
