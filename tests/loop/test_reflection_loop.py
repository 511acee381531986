"""The loop: the order of events, the rules, the limits, the contents of a result, and the best candidate."""

from __future__ import annotations

import asyncio
import gc
import time
import weakref
from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted import PROMPT, Scripted, hang, nothing_left_behind, number, raising, settle, text

from jido_ai.critics.acceptance import History
from jido_ai.errors import BudgetExceededError, ConfigurationError, Declined
from jido_ai.loop.convergence import Decision, score_of
from jido_ai.loop.events import (
    CandidateGenerated,
    ComponentRestarted,
    Critiqued,
    Revised,
    RunEvent,
    RunStarted,
    RunStopped,
)
from jido_ai.loop.pipeline import Pipeline, reflect
from jido_ai.protocols import RunContext
from jido_ai.testing import virtual_run
from jido_ai.values import (
    SLACK,
    Budget,
    Candidate,
    CritiqueResult,
    Iteration,
    LoopConfig,
    ReflectionResult,
    Regenerate,
    Revise,
    Scope,
    StopReason,
    Usage,
    Verdict,
)

pytestmark = pytest.mark.virtual_clock


@pytest.fixture(autouse=True)
async def clean() -> AsyncGenerator[None]:
    async with nothing_left_behind():
        yield


def never(history: History, config: LoopConfig) -> None:
    """Never decide: only the limits end the run."""


async def run(script: Any, *, initial: Candidate | str | None = None, **config: Any) -> ReflectionResult:
    arguments: dict[str, Any] = {"generator": None if initial is not None else script}
    return await reflect(
        PROMPT, critiquer=script, reviser=script, config=LoopConfig(**config), initial_candidate=initial, **arguments
    )


async def events(script: Any, **config: Any) -> list[RunEvent]:
    async with Pipeline(script, script, script, config=LoopConfig(**config)) as pipeline:
        return [event async for event in pipeline.stream(PROMPT, run_id="run-1")]


# -- the order of events ---------------------------------------------------------------------------


@pytest.mark.rows("C1")
async def test_events_come_in_order_and_run_stopped_with_the_result_is_last() -> None:
    seen = await events(Scripted(0.9, 0.7, 0.1))
    kinds = [type(event) for event in seen]
    assert kinds == [RunStarted, CandidateGenerated, Critiqued, Revised, Critiqued, Revised, Critiqued, RunStopped]
    assert {event.run_id for event in seen} == {"run-1"}
    assert [event.iteration.index for event in seen if isinstance(event, Critiqued)] == [0, 1, 2]
    assert all(
        (event.candidate, event.critique) == (event.iteration.candidate, event.iteration.critique)
        for event in seen
        if isinstance(event, Critiqued)
    )
    last = seen[-1]
    assert isinstance(last, RunStopped)
    assert last.result.stop_reason is StopReason.ACCEPTED


@pytest.mark.rows("H41")
async def test_a_given_candidate_is_judged_first_and_nothing_is_generated() -> None:
    script = Scripted(0.1)
    result = await run(script, initial=Candidate(text(0), id="mine"))
    assert script.calls == ["critique 0"]
    assert result.best_candidate is not None
    assert result.best_candidate.id == "mine"


async def test_the_prompt_reaches_every_component_with_run_id_iteration_deadline_scope_and_metadata() -> None:
    script = Scripted(0.9, 0.1)
    async with Pipeline(script, script, script, config=LoopConfig(timeout_s=50.0)) as pipeline:
        await pipeline.run(PROMPT, run_id="r", scope=Scope("t", "p"), metadata={"k": 1})
    assert script.calls == ["generate", "critique 0", "revise 0", "critique 1"]
    assert [context.iteration for context in script.contexts] == [0, 0, 0, 1]
    for context in script.contexts:
        assert (context.prompt, context.run_id, context.scope) == (PROMPT, "r", Scope("t", "p"))
        assert context.metadata == {"k": 1}
        assert context.lessons == ()
        assert context.deadline == pytest.approx(50.0)


def test_a_context_takes_its_fields_in_the_order_of_the_contract() -> None:
    context = RunContext("r", PROMPT, 2, (), 9.0, Scope("t", "p"), {"k": 1})
    named = {"lessons": (), "deadline": 9.0, "scope": Scope("t", "p"), "metadata": {"k": 1}}
    assert context == RunContext(run_id="r", prompt=PROMPT, iteration=2, **named)  # type: ignore[arg-type]


async def test_the_first_of_several_generated_candidates_is_used() -> None:
    class Several(Scripted):
        async def generate(self, prompt: str, context: RunContext) -> list[Candidate | str]:
            return [Candidate(text(0), id="first"), text(1)]

    result = await run(Several(0.1))
    assert result.best_candidate is not None
    assert result.best_candidate.id == "first"


async def test_an_accepted_candidate_is_never_revised() -> None:
    script = Scripted(0.29, 0.0)
    result = await run(script)
    assert script.calls == ["generate", "critique 0"]
    assert (result.accepted, result.converged, result.iterations[0].revised) == (True, True, False)


async def test_a_candidate_is_judged_before_it_is_revised_and_asked_for_only_then() -> None:
    script = Scripted(0.9, 0.7, 0.5)
    await run(script, max_iterations=3)
    assert script.calls == ["generate", "critique 0", "revise 0", "critique 1", "revise 1", "critique 2"]


@pytest.mark.rows("H39", "H40")
@pytest.mark.parametrize("limit", [1, 2, 4])
async def test_max_iterations_is_how_many_candidates_are_judged_at_most(limit: int) -> None:
    script = Scripted(0.9, 0.7, 0.5, 0.31, 0.3)
    result = await run(script, max_iterations=limit, stop_rules=[never])
    assert (result.total_iterations, result.stop_reason) == (limit, StopReason.MAX_ITERATIONS)
    assert result.evidence == {"max_iterations": limit}
    assert not result.converged
    assert sum(call.startswith("revise") for call in script.calls) == limit - 1


async def test_a_rule_that_decides_at_the_limit_has_precedence() -> None:
    assert (await run(Scripted(0.1), max_iterations=1)).stop_reason is StopReason.ACCEPTED


# -- fields of an iteration ------------------------------------------------------------------------


@pytest.mark.rows("J13")
async def test_iterations_have_index_score_change_gain_and_parent() -> None:
    result = await run(Scripted(0.9, 0.7, 0.5), stop_rules=[never])
    first, second, third = result.iterations
    assert (first.index, first.change, first.gain, first.revised) == (0, None, None, True)
    assert first.candidate.score == pytest.approx(0.1)
    assert second.gain == pytest.approx(0.2)
    assert second.change is not None
    assert second.change > 0.9
    assert second.candidate.parent_id == first.candidate.id
    assert (third.index, third.revised) == (2, False)


async def test_a_candidates_own_score_counts_before_the_critiques() -> None:
    result = await run(Scripted(0.5), initial=Candidate(text(0), score=0.25), max_iterations=1)
    assert result.iterations[0].candidate.score == 0.25


async def test_a_revision_made_by_copying_does_not_keep_the_old_score_id_or_usage() -> None:
    usage = Usage(calls=1, input_tokens=5)

    def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate:
        return candidate.replace(content=text(1))

    result = await reflect(
        PROMPT,
        critiquer=Scripted(0.9, 0.4),
        reviser=revise,
        generator=lambda prompt, context: Candidate(text(0), id="first", metadata={"usage": usage}),
        config=LoopConfig(max_iterations=2),
    )
    first, second = (iteration.candidate for iteration in result.iterations)
    assert second.id != first.id == second.parent_id
    assert second.score == pytest.approx(0.6)
    assert result.usage == usage


@pytest.mark.rows("H49")
async def test_the_duration_of_a_run_and_of_its_iterations_is_reported() -> None:
    script = Scripted(0.9, 0.1, at={"generate": lambda: asyncio.sleep(3), "revise 0": lambda: asyncio.sleep(2)})
    result = await run(script)
    assert [iteration.duration_s for iteration in result.iterations] == pytest.approx([3.0, 2.0])
    assert result.duration_s == pytest.approx(5.0)


async def test_usage_of_every_component_is_added_up_per_iteration_and_run() -> None:
    class Costly(Scripted):
        async def generate(self, prompt: str, context: RunContext) -> Any:
            return [Candidate(text(n), metadata={"usage": Usage(calls=1)}) for n in range(2)]

        async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
            critique = await super().critique(candidate, context)
            return critique.replace(metadata={"usage": {"calls": 1, "input_tokens": 10}})

        async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate:
            return Candidate(text(1), metadata={"usage": Usage(calls=1, output_tokens=7)})

    result = await run(Costly(0.9, 0.1))
    assert [iteration.usage.calls for iteration in result.iterations] == [3, 2]
    assert result.usage == Usage(calls=5, input_tokens=20, output_tokens=7)


@pytest.mark.rows("J17", "H49")
async def test_a_result_reads_back_from_json() -> None:
    result = await run(Scripted(0.9, 0.7, 0.1))
    assert ReflectionResult.model_validate_json(result.model_dump_json()) == result


@pytest.mark.rows("J18")
async def test_findings_list_fixed_and_open_issues() -> None:
    result = await run(Scripted(0.9, 0.7, 0.1))
    told = [(f.issue.message, f.status, f.first_iteration, f.last_iteration) for f in result.findings]
    assert told == [("a is wrong", "fixed", 0, 0), ("b is wrong", "fixed", 1, 1), ("c is wrong", "open", 2, 2)]
    assert [issue.message for issue in result.open_issues] == ["c is wrong"]


# -- the best --------------------------------------------------------------------------------------


async def test_adaptive_continues_while_it_pays_and_keeps_the_limits() -> None:
    result = await run(Scripted(0.9, 0.6, 0.5, 0.1), policy="adaptive", max_iterations=9)
    assert (result.stop_reason, result.total_iterations) == (StopReason.ACCEPTED, 4)
    limited = await run(Scripted(0.9, 0.6, 0.5, 0.4), policy="adaptive", max_iterations=3)
    assert (limited.stop_reason, limited.total_iterations) == (StopReason.MAX_ITERATIONS, 3)
    dear = await run(Scripted(0.9, 0.6), policy="adaptive", call_price=1.0)
    assert (dear.stop_reason, dear.total_iterations) == (StopReason.NO_EXPECTED_GAIN, 1)
    assert dear.evidence["price"] > dear.evidence["expected_gain"]


async def test_under_adaptive_a_run_at_its_limit_returns_the_best_by_evidence_too() -> None:
    class Flattered(Scripted):
        async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
            return (await super().critique(candidate, context)).replace(score=[0.6, 0.55][number(candidate)])

    for policy, best in (("adaptive", 1), ("documented", 0)):
        result = await run(Flattered(0.9, 0.6), policy=policy, max_iterations=2)
        assert result.best_candidate == result.iterations[best].candidate


@given(
    st.lists(st.integers(0, 10), min_size=1, max_size=6), st.integers(0, 4), st.sampled_from(["documented", "never"])
)
@settings(max_examples=40, deadline=None)
def test_the_best_is_judged_never_worse_than_the_first_and_the_earlier_of_equals(
    tenths: list[int], breaks_at: int, rules: str
) -> None:
    severities = [tenth / 10 for tenth in tenths]
    script = Scripted(*severities, at={f"revise {breaks_at}": raising(ValueError("broken"))})
    config: dict[str, Any] = {"stop_rules": [never]} if rules == "never" else {}
    result = virtual_run(run(script, max_iterations=len(severities), step_retries=0, **config))
    scores = [score_of(iteration) for iteration in result.iterations]
    candidates = [iteration.candidate for iteration in result.iterations]
    assert result.best_candidate in candidates
    best = candidates.index(result.best_candidate)
    assert scores[best] >= max(scores) - SLACK
    assert all(score < scores[best] for score in scores[:best])
    assert scores[best] >= scores[0]


async def test_after_a_fall_the_next_revision_starts_from_the_best() -> None:
    script = Scripted(0.5, 0.9, 0.1)
    result = await run(script)
    assert script.calls[2:] == ["revise 0", "critique 1", "revise 0", "critique 2"]
    assert result.iterations[2].candidate.parent_id == result.iterations[0].candidate.id
    assert result.iterations[2].gain == pytest.approx(0.4)
    assert [iteration.revised for iteration in result.iterations] == [True, False, False]


async def test_two_falls_in_a_row_end_the_run_with_the_best_candidate_so_far() -> None:
    result = await run(Scripted(0.5, 0.9, 0.8), max_iterations=10)
    assert (result.stop_reason, result.converged) == (StopReason.REGRESSION, True)
    assert result.best_candidate is not None
    assert result.best_candidate.content == text(0)


async def test_a_candidate_equal_to_an_earlier_one_ends_the_run_as_a_cycle() -> None:
    class Circling(Scripted):
        async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
            return text(1 - int(candidate.content[0]))

    result = await run(Circling(0.9, 0.5), max_iterations=10)
    assert (result.stop_reason, result.evidence) == (StopReason.CYCLE, {"iteration": 2, "equals": 0})


@pytest.mark.parametrize("severity", [0.3, 0.5, 1.0])
async def test_a_critic_that_always_says_the_same_of_new_texts_ends_the_run_by_a_rule(severity: float) -> None:
    class Stubborn(Scripted):
        async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
            await super().critique(candidate, context)
            return CritiqueResult(severity=severity, issues=["revise!"])

    result = await run(Stubborn(), max_iterations=100)
    assert result.stop_reason is StopReason.SEVERITY_PLATEAU
    assert result.total_iterations == 2


async def test_a_critic_that_alternates_ends_the_run_by_a_rule() -> None:
    result = await run(Scripted(*[0.4, 0.9] * 50), max_iterations=100)
    assert (result.stop_reason, result.total_iterations) == (StopReason.SCORE_PLATEAU, 3)


async def test_a_critic_that_alternates_faster_than_patience_is_ended_by_the_limit() -> None:
    result = await run(Scripted(*[0.4, 0.9] * 10), max_iterations=20, patience=3)
    assert (result.stop_reason, result.total_iterations) == (StopReason.MAX_ITERATIONS, 20)


# -- custom stop rules -----------------------------------------------------------------------------


async def test_a_verdict_names_reason_evidence_and_which_candidate_to_return() -> None:
    def rule(history: History, config: LoopConfig) -> Verdict | None:
        return Verdict(StopReason.NO_EXPECTED_GAIN, {"why": 1}, pick=1) if len(history) == 3 else None

    result = await run(Scripted(0.9, 0.7, 0.5), stop_rules=[rule])
    assert (result.stop_reason, result.evidence) == (StopReason.NO_EXPECTED_GAIN, {"why": 1})
    assert result.best_candidate is not None
    assert result.best_candidate.content == text(1)


async def test_revise_continues_from_the_iteration_it_names() -> None:
    script = Scripted(0.9, 0.7, 0.5)
    await run(script, stop_rules=[lambda history, config: Revise(0)])
    assert script.calls == ["generate", "critique 0", "revise 0", "critique 1", "revise 0", "critique 2"]


async def test_regenerate_makes_a_fresh_candidate() -> None:
    script = Scripted(0.9, 0.7)
    result = await run(script, max_iterations=2, stop_rules=[lambda history, config: Regenerate()])
    assert script.calls == ["generate", "critique 0", "generate", "critique 1"]
    assert (result.iterations[1].change, result.iterations[1].gain) == (None, None)


async def test_regenerate_without_a_generator_is_an_error() -> None:
    result = await run(Scripted(0.9), initial=text(0), stop_rules=[lambda history, config: Regenerate()])
    assert result.error is not None
    assert (result.stop_reason, result.error.kind) == (StopReason.ERROR, "ConfigurationError")


@pytest.mark.rows("J11")
async def test_the_first_rule_with_a_decision_wins() -> None:
    asked: list[int] = []

    def speaks(history: History, config: LoopConfig) -> Verdict:
        return Verdict(StopReason.BUDGET)

    def is_asked(number: int) -> Callable[[History, LoopConfig], Decision | None]:
        return lambda history, config: asked.append(number)

    result = await run(Scripted(0.0), stop_rules=[is_asked(1), speaks, is_asked(2)])
    assert result.stop_reason is StopReason.BUDGET
    assert asked == [1]


@pytest.mark.parametrize("answer", [True, "stop", Revise(5), Verdict(StopReason.CYCLE, pick=3), StopReason.ACCEPTED])
async def test_a_rule_that_returns_junk_ends_the_run_with_an_error_that_names_it(answer: object) -> None:
    def my_rule(history: History, config: LoopConfig) -> Any:
        return answer

    result = await run(Scripted(0.9), stop_rules=[my_rule])
    assert result.error is not None
    assert (result.stop_reason, result.error.component) == (StopReason.ERROR, "stop rule my_rule")
    assert result.total_iterations == 1


@pytest.mark.parametrize("error", [ZeroDivisionError(), TimeoutError("late")])
async def test_a_rule_that_raises_ends_the_run_with_an_error_and_its_best_judged_candidate(error: Exception) -> None:
    def my_rule(history: History, config: LoopConfig) -> None:
        raise error

    result = await run(Scripted(0.9), stop_rules=[my_rule])
    assert result.error is not None
    assert (result.error.kind, result.error.component) == (type(error).__name__, "stop rule my_rule")
    assert result.best_candidate is not None


async def test_an_unknown_policy_and_rules_that_cannot_be_called_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="policy"):
        LoopConfig(policy="clever")  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="stop_rules"):
        LoopConfig(stop_rules=["accepted"])  # type: ignore[list-item]


# -- limits and other ends -------------------------------------------------------------------------


async def test_a_reviser_that_declines_ends_the_run_with_its_reasons() -> None:
    script = Scripted(0.9, at={"revise 0": raising(Declined("no rule for F999", "nor for E1"))})
    result = await run(script)
    assert (result.stop_reason, result.converged, result.error) == (StopReason.DECLINED, False, None)
    assert result.evidence == {"reasons": ["no rule for F999", "nor for E1"]}
    assert script.calls.count("revise 0") == 1


async def test_the_reasons_of_a_declining_reviser_contain_no_secrets() -> None:
    script = Scripted(0.9, at={"revise 0": raising(Declined("no rule for sk-abcdefghijklmnopqrstuvwx" + "y" * 5_000))})
    (reason,) = (await run(script)).evidence["reasons"]
    assert reason.startswith("no rule for ")
    assert "sk-abc" not in reason
    assert len(reason) <= 2_000


async def test_without_a_reviser_a_candidate_is_judged_and_the_run_is_declined() -> None:
    result = await reflect(PROMPT, critiquer=Scripted(0.9), initial_candidate=text(0))
    assert (result.stop_reason, result.total_iterations) == (StopReason.DECLINED, 1)


@pytest.mark.rows("H42", "H51")
async def test_the_deadline_ends_the_run_with_its_best_judged_candidate() -> None:
    result = await run(Scripted(0.9, at={"revise 0": hang}), timeout_s=5.0)
    assert (result.stop_reason, result.evidence) == (StopReason.DEADLINE, {"timeout_s": 5.0})
    assert result.duration_s == pytest.approx(5.0, abs=0.1)
    assert result.best_candidate is not None
    assert (result.error and (result.error.kind, result.error.component)) == ("deadline", "loop")


async def test_a_deadline_before_anything_was_judged_says_so() -> None:
    result = await run(Scripted(0.9, at={"generate": hang}), timeout_s=5.0)
    assert (result.stop_reason, result.best_candidate, result.iterations) == (StopReason.DEADLINE, None, ())
    assert result.error is not None
    assert "nothing was judged" in result.error.message
    assert f"timeout_s {result.evidence['timeout_s']}" in result.error.message


@pytest.mark.parametrize(
    ("budget", "limit"),
    [
        (Budget(max_calls=2), "max_calls"),
        (Budget(max_tokens=30), "max_tokens"),
        (Budget(max_cost_usd=0.2), "max_cost_usd"),
    ],
)
async def test_a_spent_budget_ends_the_run(budget: Budget, limit: str) -> None:
    class Costly(Scripted):
        async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
            usage = Usage(calls=1, input_tokens=10, output_tokens=5, cost_usd=0.1)
            return (await super().critique(candidate, context)).replace(metadata={"usage": usage})

    result = await run(Costly(0.9, 0.7, 0.5), budget=budget)
    assert (result.stop_reason, result.total_iterations) == (StopReason.BUDGET, 2)
    assert result.evidence["limit"] == limit


async def test_usage_settled_at_the_meter_counts_beside_reported_usage() -> None:
    class Metered(Scripted):
        async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
            assert context.meter is not None
            hold = context.meter.reserve(calls=1, tokens=20)
            hold.settle(Usage(calls=1, input_tokens=10, output_tokens=5))
            critique = await super().critique(candidate, context)
            return critique.replace(metadata={"usage": Usage(calls=2)})

    result = await run(Metered(0.9, 0.1))
    assert result.usage == Usage(calls=6, input_tokens=20, output_tokens=10)
    assert [iteration.usage.calls for iteration in result.iterations] == [3, 3]


@pytest.mark.parametrize("step", ["generate", "critique", "revise"])
async def test_a_call_beyond_the_budget_ends_the_run_with_its_result_so_far(step: str) -> None:
    spent = 0

    class Metered(Scripted):
        async def _begin(self, name: str, context: RunContext) -> None:
            nonlocal spent
            await super()._begin(name, context)
            if name.startswith(step):
                assert context.meter is not None
                context.meter.reserve().settle(Usage(calls=1))
                spent += 1

    result = await run(Metered(0.9, 0.7, 0.5, 0.2), budget=Budget(max_calls=0 if step == "generate" else 1))
    assert result.stop_reason is StopReason.BUDGET
    assert result.evidence["limit"] == "max_calls"
    assert spent == result.usage.calls == (0 if step == "generate" else 1)
    assert result.total_iterations == {"generate": 0, "critique": 1, "revise": 2}[step]
    assert (result.best_candidate is None) is (step == "generate")


async def test_the_tokens_that_a_candidate_reports_count_once() -> None:
    class Tells(Scripted):
        async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate:
            await super().revise(candidate, critique, context)
            if context.iteration == 0:
                return Candidate(text(1), tokens_used=60)
            if context.iteration == 1:
                return candidate.replace(content=text(2))  # with the tokens of its original
            context.meter.reserve().settle(Usage(1, 30, 10))  # type: ignore[union-attr]
            return Candidate(text(3), tokens_used=40)

    script = Tells(0.9, 0.8, 0.7, 0.6, 0.5)
    result = await run(script, max_iterations=5, stop_rules=(), budget=Budget(max_tokens=100))
    assert (result.stop_reason, result.total_iterations) == (StopReason.BUDGET, 4)
    assert result.usage == Usage(1, 30, 70)


async def test_a_refused_budget_is_not_retried() -> None:
    script = Scripted(0.9, at={"critique 0": raising(BudgetExceededError("max_calls", allowed=1, spent=1, note="why"))})
    result = await run(script, step_retries=2)
    assert script.calls == ["generate", "critique 0"]
    assert result.evidence == {"limit": "max_calls", "max_calls": 1, "spent": 1, "note": "why"}


@settings(max_examples=40, deadline=None)
@given(
    limit=st.integers(0, 12),
    each=st.lists(st.integers(1, 4), min_size=3, max_size=3),
    fails=st.sets(st.integers(0, 12), max_size=4),
)
def test_the_number_of_calls_never_passes_the_budget(limit: int, each: list[int], fails: set[int]) -> None:
    calls = 0

    class Metered(Scripted):
        async def _begin(self, name: str, context: RunContext) -> None:
            await super()._begin(name, context)
            async with asyncio.TaskGroup() as group:
                for _ in range(each[("generate", "critique", "revise").index(name.split(maxsplit=1)[0])]):
                    group.create_task(self._call(context))

        async def _call(self, context: RunContext) -> None:
            nonlocal calls
            assert context.meter is not None
            hold = context.meter.reserve()
            calls += 1
            try:
                await asyncio.sleep(1)
                if calls in fails:
                    raise ValueError("after it was sent")
            finally:
                hold.settle(Usage(calls=1))

    async def main() -> ReflectionResult:
        return await run(Metered(0.9, 0.7, 0.5, 0.3, 0.1), max_iterations=5, budget=Budget(max_calls=limit))

    result = virtual_run(main())
    assert calls == result.usage.calls <= limit


@pytest.mark.parametrize("hidden", ["cause", "group"])
async def test_a_spent_budget_is_recognised_inside_another_error(hidden: str) -> None:
    spent = BudgetExceededError("max_calls", allowed=1, spent=1)
    error: Exception = ExceptionGroup("all failed", [ValueError("one"), spent])
    if hidden == "cause":
        error = ValueError("all failed")
        error.__cause__ = spent
    result = await run(Scripted(0.9, at={"revise 0": raising(error)}))
    assert (result.stop_reason, result.total_iterations) == (StopReason.BUDGET, 1)


@pytest.mark.parametrize("step", ["generate", "critique 0", "revise 0", "critique 1"])
async def test_a_failed_step_is_retried_and_reported(step: str) -> None:
    seen = await events(Scripted(0.9, 0.1, at={step: raising(ValueError("oops"))}))
    restarts = [event for event in seen if isinstance(event, ComponentRestarted)]
    component = {"generate": "generator", "critique": "critiquer", "revise": "reviser"}[step.split(maxsplit=1)[0]]
    assert restarts == [ComponentRestarted("run-1", component, 1, "oops")]
    last = seen[-1]
    assert isinstance(last, RunStopped)
    assert last.result.accepted


@pytest.mark.rows("H52")
@pytest.mark.parametrize("retries", [0, 1, 3])
async def test_a_step_is_retried_step_retries_times_and_then_the_run_ends(retries: int) -> None:
    class Broken(Scripted):
        async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Any:
            self.calls.append("revise")
            raise ValueError("oops")

    script = Broken(0.9)
    result = await run(script, step_retries=retries)
    assert script.calls.count("revise") == retries + 1
    assert (result.stop_reason, result.evidence) == (StopReason.ERROR, {"attempts": retries + 1})
    assert result.error is not None
    assert (result.error.kind, result.error.message, result.error.component) == ("ValueError", "oops", "reviser")
    assert result.best_candidate is not None


# -- size ------------------------------------------------------------------------------------------


async def longest_turn_s(work: Any) -> tuple[float, Any]:
    """Return the largest CPU time that the event loop's own thread spent in one turn while `work` was awaited.

    The garbage collector rests meanwhile: when it strikes, and on which thread, is not ours to say.
    """
    longest, task = 0.0, asyncio.ensure_future(work)
    gc.disable()
    try:
        while not task.done():
            began = time.thread_time()
            await asyncio.sleep(0)
            longest = max(longest, time.thread_time() - began)
    finally:
        gc.enable()
    return longest, task.result()


@pytest.mark.parametrize(
    "make",
    [
        lambda index: "".join(f"{n * index}\n" for n in range(200_000)),
        lambda index: "x" * 2_000_000 + str(index),
        lambda index: "".join(chr(0x4E00 + n * (7 + index) % 20_000) for n in range(16_000)),
    ],
    ids=["many lines", "one line", "all characters"],
)
async def test_large_texts_do_not_block_the_event_loop(make: Callable[[int], str]) -> None:
    texts = [make(index) for index in range(3)]
    critiques = iter((0.9, 0.6, 0.3))

    async def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=next(critiques))

    async def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        return texts[texts.index(candidate.content) + 1]

    longest_s, result = await longest_turn_s(
        reflect(PROMPT, critiquer=critique, reviser=revise, initial_candidate=texts[0])
    )
    assert result.total_iterations == 3
    assert longest_s < 0.05, "below 10 ms on a quiet machine"


async def test_ten_thousand_issues_do_not_block_the_event_loop() -> None:
    def issues(index: int) -> list[str]:
        return [f"the name {word}{index} is not defined" for word in map(hex, range(10_000))]

    many = [CritiqueResult(severity=0.9 - index / 5, issues=issues(index)) for index in range(3)]
    script = Scripted()

    async def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        await script.critique(candidate, context)
        return many[int(candidate.content[0])]

    longest_s, result = await longest_turn_s(
        reflect(PROMPT, critiquer=critique, reviser=script, generator=script, config=LoopConfig(max_iterations=3))
    )
    assert result.total_iterations == 3
    assert longest_s < 0.05, "below 10 ms on a quiet machine"


async def test_a_hundred_iterations_run_and_read_back() -> None:
    script = Scripted(*(0.9 - index / 500 for index in range(100)))
    result = await run(script, max_iterations=100, stop_rules=[never])
    assert [iteration.index for iteration in result.iterations] == list(range(100))
    assert all(isinstance(iteration, Iteration) for iteration in result.iterations)


async def test_a_critic_that_alternates_runs_to_the_limit_and_the_swing_is_named() -> None:
    result = await run(Scripted(0.8, 0.4, 0.8, 0.4, 0.8), max_iterations=5, stop_rules=(never,))
    assert result.stop_reason == "max_iterations"
    assert result.evidence["oscillation"] == {"lowest": pytest.approx(0.2), "highest": pytest.approx(0.6)}


@pytest.mark.parametrize("limits", [{"max_iterations": 3}, {"max_iterations": 9, "patience": 2}, {"candidates": 2}])
async def test_a_finished_run_leaves_no_reference_cycles(limits: dict[str, Any]) -> None:
    script = Scripted(0.9, 0.8, 0.85, 0.9)
    async with Pipeline(script, script, script, config=LoopConfig(**limits)) as pipeline:
        await pipeline.run(PROMPT)
        gc.collect()
        gc.disable()
        try:
            best = weakref.ref((await pipeline.run(PROMPT)).iterations[0])
            await settle()
            assert best() is None
        finally:
            gc.enable()


@pytest.mark.parametrize(("step", "error"), [("revise 0", Declined("no")), ("critique 1", ValueError("broken"))])
async def test_a_kept_error_does_not_keep_its_run_in_memory(step: str, error: Exception) -> None:
    script = Scripted(0.9, 0.8, at={step: raising(error)})
    async with Pipeline(script, script, script, config=LoopConfig(max_iterations=3)) as pipeline:
        gc.collect()
        gc.disable()
        try:
            best = weakref.ref((await pipeline.run(PROMPT)).iterations[0])
            await settle()
            assert best() is None
            assert error.__traceback__ is not None  # the frame that raised it in the component
        finally:
            gc.enable()
