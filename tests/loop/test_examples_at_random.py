"""Worked examples over products of features: policy, limits, hold-out, cuts, stores and doors."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from jido_ai import CritiqueResult, Graph, LoopConfig, LoopNode, MemoryEntry, Pipeline, ReflexionMemory
from jido_ai.loop.convergence import accepted
from jido_ai.memory.trials import TRIALS, trials_in
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, Regenerate, Scope

EARLIER, PROMPT = "name 3 red fruits in a list", "name 4 red fruits in a list"
SCOPE = Scope("tenant", "project")
CALLS = 4


def again(history: Any, config: LoopConfig) -> Any:
    return accepted(history, config) or Regenerate(with_findings=False)


@dataclass(frozen=True)
class Case:
    """One product of features.

    Attributes:
        passes_at: the sample that is good; none is above `CALLS`.
        copies_at: the sample that repeats the example's answer.
        fails_at: the calls of the generator that raise; the run is resumed after each.
    """

    policy: str
    shown: int
    holdout: int
    passes_at: int
    copies_at: int
    fails_at: frozenset[int]
    source: str
    learn_from: str
    in_file: bool
    door: str

    @property
    def knows(self) -> bool:
        return self.learn_from == "accepted" or (self.learn_from == "known" and not self.source.startswith("model:"))

    def answer(self, sample: int) -> str:
        """Return the text of a sample, counted from 1."""
        if sample == self.passes_at:
            return "good"
        return "apple, cherry, plum" if sample == self.copies_at else f"bad {sample}"


CASES = st.builds(
    Case,
    policy=st.sampled_from(["rule", "adaptive"]),
    shown=st.integers(0, 2),
    holdout=st.integers(0, 1),
    passes_at=st.integers(1, CALLS + 1),
    copies_at=st.integers(1, CALLS + 1),
    fails_at=st.frozensets(st.integers(1, CALLS + 2), max_size=2),
    source=st.sampled_from(["tool:ruff", "unknown", "model:m"]),
    learn_from=st.sampled_from(["known", "accepted", "nothing"]),
    in_file=st.booleans(),
    door=st.sampled_from(["pipeline", "graph"]),
)


class Writer:
    """Answers sample by sample; notes whether each was shown examples. Calls that fail are no samples."""

    def __init__(self, case: Case) -> None:
        self.case, self.calls, self.shown = case, 0, list[tuple[str, ...]]()

    async def generate(self, prompt: str, context: RunContext) -> str:
        examples = tuple([one.answer for one in context.examples])
        self.calls += 1
        if self.calls in self.case.fails_at:
            raise ConnectionError("down")
        self.shown.append(examples)
        return self.case.answer(len(self.shown))

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.0 if candidate.content == "good" else 0.9, source=self.case.source)


async def end_of(case: Case, memory: ReflexionMemory, writer: Writer) -> list[Any]:
    """Run to the end, through every cut; return the results, the last one whole."""
    how: dict[str, Any] = {"policy": "adaptive"} if case.policy == "adaptive" else {"stop_rules": (again,)}
    config = LoopConfig(CALLS, step_retries=0, call_price=0.0, **how)
    options = {"learn_from": case.learn_from, "max_examples_shown": case.shown, "holdout": float(case.holdout)}
    async with AsyncExitStack() as stack:
        if case.door == "pipeline":
            pipeline = await stack.enter_async_context(Pipeline(writer, writer, None, memory, config, **options))
            results = [await pipeline.run(PROMPT, run_id="run", scope=SCOPE, metadata={"task_type": "list"})]
            while results[-1].stop_reason.value == "error":
                results.append(await pipeline.resume("run", SCOPE))
            return results
        node = LoopNode(PROMPT, generator=writer, critiquer=writer, config=config, task_type="list", **options)
        graph = Graph({"a": node}, output="a", memory=memory)
        await stack.enter_async_context(graph)
        told = [await graph.run(run_id="run", scope=SCOPE)]
        while told[-1].status == "failed":
            told.append(await graph.resume("run", SCOPE))
        return [one.nodes["a"].result for one in told]


@given(CASES)
async def test_examples_are_shown_kept_and_counted_as_the_features_say(case: Case) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db" if case.in_file else None
        async with ReflexionMemory(path, similarity="weighted") as memory:
            kept = await memory.store(MemoryEntry(EARLIER, answer="apple, cherry, plum", scope=SCOPE, task_type="list"))
            writer = Writer(case)
            result = (await end_of(case, memory, writer))[-1]

            is_shown = case.shown > 0 and not case.holdout
            turns = [is_shown and number % 2 == 0 for number in range(len(writer.shown))]
            assert writer.shown == [(kept.answer,) if turn else () for turn in turns]
            if case.policy == "rule":  # the other one may give up
                assert len(turns) == min(case.passes_at, CALLS)
            passed = case.passes_at <= len(turns)
            assert result.converged is passed
            assert result.held_out is bool(case.holdout)
            assert result.examples_used == ((kept.id,) if is_shown else ())

            entries = [one for one in await memory.list_entries(SCOPE) if one.is_example and one.id != kept.id]
            assert [one.answer for one in entries] == ["good"] * (passed and case.knows)
            after = await memory.get(kept.id, scope=SCOPE)
            helped = passed and turns[case.passes_at - 1]
            assert (after.use_count, after.success_count) == (int(is_shown), int(helped))

            (trial,) = trials_in(await memory.records(TRIALS, scope=SCOPE))
            assert trial.held_out is bool(case.holdout)
            assert trial.passed is (case.passes_at == 1)
            assert trial.calls == (case.passes_at if passed else None)
            assert trial.found == (("examples",) if case.shown else ())
