"""Journals that jido_ai of commit bea8a65 wrote: read and resumed from every line on, each run ends as it did then."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from jido_ai import SUSPEND, Graph, LoopNode, StepNode
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline
from jido_ai.loop.replayed_run import replay
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.values import (
    Budget,
    Candidate,
    CritiqueResult,
    Episode,
    LoopConfig,
    MemoryEntry,
    Reflection,
    ReflectionResult,
    StopReason,
    Usage,
)
from jido_ai.values.record import Record

JOURNALS = Path(__file__).parent / "journals"
PROMPT = "how would you parse a date?"
SEVERITIES = {
    **{"a0": 0.9, "a1": 0.7, "a2": 0.5, "a3": 0.1},
    **{"b0": 0.8, "b1": 0.6, "b2": 0.4, "b3": 0.35},
    **{"c0": 0.95, "c1": 0.9},
    **{"given": 0.85, "given1": 0.2, "given2": 0.6, "given3": 0.45},
}
BROKEN = {"given1"}
"""Its severity is good enough, but it fails a test that `given` passes."""


def name_of(candidate: Candidate) -> str:
    return candidate.content.partition(":")[0]


def text_of(name: str) -> str:
    return f"{name}:" + name[-1] * 40


class Author:
    """Writes, judges and revises by the text alone, so that a repeated step has the same outcome."""

    def __init__(self, fails_at: str = "", made: Sequence[str] = ()) -> None:
        self.calls: list[str] = []
        self.fails_at = fails_at
        self.drafts = [name for name in ("a0", "b0", "c0") if name not in made]

    async def generate(self, prompt: str, context: RunContext) -> list[str]:
        self.calls.append("generate")
        return [text_of(name) for name in self.drafts]

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        name = name_of(candidate)
        self.calls.append(f"critique {name}")
        return CritiqueResult(
            severity=SEVERITIES[name],
            issues=[f"{name} is wrong"],
            checks={"t:one": "failed" if name in BROKEN else "passed"},
            metadata={"usage": Usage(calls=1, output_tokens=10)},
        )

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        name = name_of(candidate)
        self.calls.append(f"revise {name}")
        if name == self.fails_at:
            raise RuntimeError("no")
        if name == "given" and context.setbacks:
            return text_of("given2")
        letter, count = name.rstrip("0123456789"), name.lstrip("abcdefghijklmnopqrstuvwxyz") or "0"
        return text_of(f"{letter}{int(count) + 1}")

    async def reflect(self, episode: Episode, priors: Sequence[Reflection], context: RunContext) -> Reflection:
        self.calls.append(f"reflect {name_of(episode.candidate)}")
        return Reflection(root_cause="haste", lesson=f"look at {name_of(episode.candidate)} again")


class Person:
    """Suspends the run at the first question, replaces the second revision, and refuses the third."""

    def __call__(self, revision: Candidate, before: Any, context: RunContext) -> Any:
        return {"a1": SUSPEND, "a2": text_of("b2"), "b3": False}[name_of(revision)]


@dataclass(frozen=True)
class Case:
    """The settings of a run, and its expected end.

    Attributes:
        contents: names of the judged candidates, in order.
        options: of the pipeline.
        fails_at: name of the candidate whose revision fails.
    """

    contents: str
    reason: StopReason
    evidence: dict[str, Any]
    config: LoopConfig = field(default_factory=lambda: LoopConfig(max_iterations=4))
    initial: str | None = None
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    fails_at: str = ""


CASES = {
    "accepted": Case(
        "a0 a1 a2 a3",
        StopReason.ACCEPTED,
        {"severity": 0.1, "severity_threshold": 0.3, "accept": "severity", "open_issues": 1},
    ),
    "reflections": Case(
        "a0 a1 a2 a3",
        StopReason.ACCEPTED,
        {"severity": 0.1, "severity_threshold": 0.3, "accept": "severity", "open_issues": 1},
        options={"reflector": True},
    ),
    "beam": Case(
        "a0 b0 c0 b1 a1 b2 a2",
        StopReason.MAX_ITERATIONS,
        {"max_iterations": 7, "oscillation": {"lowest": pytest.approx(0.3), "highest": 0.6}},
        LoopConfig(max_iterations=7, candidates=3, beam=2, patience=3),
    ),
    "floor": Case(
        "given given1 given2 given3",
        StopReason.MAX_ITERATIONS,
        {"max_iterations": 4, "oscillation": {"lowest": pytest.approx(0.15), "highest": 0.8}},
        LoopConfig(max_iterations=4, patience=3),
        initial="given",
    ),
    "approvals": Case(
        "a0 a1 b2",
        StopReason.DECLINED,
        {"reasons": ["the revision was not approved"]},
        options={"approve": Person()},
    ),
    "error": Case("a0 a1", StopReason.ERROR, {"attempts": 1}, LoopConfig(step_retries=0), fails_at="a1"),
    "budget": Case(
        "a0 a1",
        StopReason.BUDGET,
        {"limit": "max_calls", "max_calls": 2, "spent": 2, "wanted": 1},
        LoopConfig(max_iterations=4, budget=Budget(max_calls=2)),
    ),
}


def lines_of(name: str) -> list[Record]:
    """Return the lines of a kept journal."""
    kept = [json.loads(line) for line in (JOURNALS / f"{name}.jsonl").read_text("utf-8").splitlines()]
    return [Record(**{**line, "timestamp": datetime.fromisoformat(line["timestamp"])}) for line in kept]


def pipeline_of(case: Case, author: Author, memory: ReflexionMemory) -> Pipeline:
    options = {**case.options, **({"reflector": author} if "reflector" in case.options else {})}
    return Pipeline(author, author, author, memory, case.config, **options)


async def memory_with(lines: Sequence[Record]) -> ReflexionMemory:
    memory = await ReflexionMemory().__aenter__()
    await memory.store(MemoryEntry(PROMPT, "m", "c", id="memory_known"))
    await memory.append(lines)
    return memory


def prefixes() -> list[Any]:
    """Return every journal cut off after each of its lines, as a process leaves it that dies there."""
    return [
        pytest.param(name, count, id=f"{name}-{count}") for name in CASES for count in range(1, len(lines_of(name)) + 1)
    ]


def gist(result: ReflectionResult) -> tuple[Any, ...]:
    """Return what a result has in common with that of the same run without an interruption."""
    return (
        [
            (name_of(one.candidate), one.index, one.revised, one.change, one.gain, one.broken)
            for one in result.iterations
        ],
        [(one.critique.severity, one.critique.issues, one.critique.checks) for one in result.iterations],
        [(one.issue.message, one.status, one.first_iteration, one.last_iteration) for one in result.findings],
        [one.lesson for one in result.reflections],
        [lesson.correction for lesson in result.lessons_used],
        result.best_candidate and name_of(result.best_candidate),
        result.usage,
    )


@pytest.mark.parametrize("name", CASES)
async def test_a_kept_journal_gives_the_result_of_its_run(name: str) -> None:
    case = CASES[name]
    async with await memory_with(lines_of(name)) as memory:
        recorded = await RunJournal(memory).load("r")
        result = recorded.result()
        assert result is not None
        assert " ".join(name_of(one.candidate) for one in result.iterations) == case.contents
        assert (result.stop_reason, result.evidence) == (case.reason, case.evidence)
        assert recorded.events == EVENTS[name]
        if case.options or case.reason is StopReason.ERROR:
            return
        assert (await replay(recorded)).differences == ()


EVENTS = {"accepted": 11, "reflections": 14, "beam": 17, "floor": 11, "approvals": 11, "error": 7, "budget": 7}


@pytest.mark.parametrize(("name", "count"), prefixes())
async def test_a_kept_journal_resumes_from_any_line_and_ends_as_its_run_did(name: str, count: int) -> None:
    case, lines = CASES[name], lines_of(name)
    whole = (await loaded(lines)).result()
    assert whole is not None
    before = await loaded(lines[:count])
    made = [name_of(one.candidate) for one in (*before.iterations, *before.pending)]
    author = Author(case.fails_at, made)
    async with await memory_with(lines[:count]) as memory, pipeline_of(case, author, memory) as pipeline:
        result = await pipeline.resume("r")
        while result.stop_reason is StopReason.SUSPENDED:
            result = await pipeline.resume("r", decision=True)
        again = await RunJournal(memory).load("r")
    assert gist(result) == gist(whole)
    assert (result.stop_reason, result.evidence) == (case.reason, case.evidence)
    assert gist(again.result() or result) == gist(result)
    judged = {f"critique {name_of(one.candidate)}" for one in before.iterations}
    assert not judged.intersection(author.calls)
    assert ("generate" in author.calls) == (case.initial is None and len(made) < case.config.candidates)


async def loaded(lines: Sequence[Record]) -> Any:
    async with await memory_with(lines) as memory:
        return await RunJournal(memory).load("r")


OPTIONAL = {"started": ("prompt_sha256",), "stopped": ("events",)}


@pytest.mark.parametrize("name", CASES)
async def test_a_journal_of_an_older_version_lacks_digests_events_and_the_floor(name: str) -> None:
    lines = lines_of(name)
    for line in lines:
        data: Any = line.data
        for key in OPTIONAL.get(line.kind, ()):
            del data[key]
        data.get("config", {}).pop("floor", None)
    old, new = await loaded(lines), await loaded(lines_of(name))
    assert old.is_of(PROMPT, new.initial)
    assert old.events == new.events
    assert not any(one.broken for one in old.iterations)


async def test_a_line_of_a_later_version_is_skipped() -> None:
    lines = lines_of("accepted")
    later = Record(log="journal", key="r", kind="doubted", data={"slot": 0, "spent": Usage(calls=9).model_dump()})
    recorded = await loaded([*lines[:4], later, *lines[4:-1]])
    assert recorded.iterations == (await loaded(lines)).iterations
    assert (await loaded([*lines[:4], later])).spent.calls == 9


async def test_a_line_that_was_written_twice_counts_once() -> None:
    lines = lines_of("beam")
    twice = await loaded([line for line in lines for _ in range(2) if line.kind != "stopped"])
    once = await loaded(lines[:-1])
    assert (twice.iterations, twice.chains, twice.pending) == (once.iterations, once.chains, once.pending)


# -- a loop in a graph -----------------------------------------------------------------------------


def graph_of(author: Author, memory: ReflexionMemory) -> Graph:
    nodes = {
        "first": StepNode(lambda topic: f"{topic}!", inputs={"topic": "{topic}"}),
        "loop": LoopNode(
            "Write {first}", generator=author, critiquer=author, reviser=author, config=LoopConfig(max_iterations=4)
        ),
    }
    return Graph(nodes, inputs=["topic"], output="loop", memory=memory)


@pytest.mark.parametrize("count", range(2, 16))
async def test_a_kept_journal_of_a_graph_resumes_from_any_line_of_it_and_of_its_loop(count: int) -> None:
    author, lines = Author(), lines_of("graph")
    assert len(lines) == 15
    async with ReflexionMemory() as memory:
        await memory.append(lines[:count])
        async with graph_of(author, memory) as graph:
            result = await graph.resume("g")
    assert (result.status, result.output) == ("completed", text_of("a3"))
    loop = result.nodes["loop"].result
    assert [name_of(one.candidate) for one in loop.iterations] == ["a0", "a1", "a2", "a3"]
    judged = sum(line.kind == "judged" for line in lines[:count])
    assert sum(call.startswith("critique") for call in author.calls) == 4 - judged
