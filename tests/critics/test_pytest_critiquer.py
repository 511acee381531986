"""The test-driven loop: tests judge the candidate, and every failed attempt has a lesson for the next."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.critics.pytest_critiquer import PytestCritiquer, PytestResult, driven_by_tests
from jido_ai.errors import ComponentError, ConfigurationError
from jido_ai.loop.pipeline import Pipeline
from jido_ai.protocols import RunContext
from jido_ai.reflection.evaluation import needs_reflection
from jido_ai.reflection.reflector import Reflector
from jido_ai.values import Candidate, CritiqueResult, LoopConfig, Outcome, ReflectionResult, StopReason

CONTEXT = RunContext(run_id="r", prompt="p")


def answering(answer: object) -> Any:
    """Return an executor that always returns the same results."""

    def run_tests(candidate: Candidate, context: RunContext) -> object:
        return answer

    return run_tests


def never_sure(results: Sequence[PytestResult]) -> float:
    return float("nan")


def half_sure(results: Sequence[PytestResult]) -> float:
    return 0.5


def judged(*results: object, **options: Any) -> CritiqueResult:
    return asyncio.run(PytestCritiquer(answering(results), **options).critique(Candidate("x"), CONTEXT))


# -- one judgement ---------------------------------------------------------------------------------


@pytest.mark.rows("H43", "H44", "H46")
def test_the_score_is_the_pass_rate_and_every_failed_test_is_an_issue() -> None:
    critique = judged(
        PytestResult("a", True),
        PytestResult("b", False, error="1 != 2"),
        PytestResult("c", True),
        PytestResult("d", True),
    )
    assert (critique.score, critique.severity, critique.outcome) == (0.75, 0.3, Outcome.FAILURE)
    (issue,) = critique.issues
    assert (issue.message, issue.rule, issue.kind) == ("[b] 1 != 2", "b", "test")
    assert critique.feedback == "1 of 4 tests failed:\n[b] 1 != 2"
    assert critique.metadata["pass_rate"] == 0.75
    assert [one["name"] for one in critique.metadata["test_results"]] == ["b", "a", "c", "d"]


def test_a_run_in_which_all_tests_passed_is_accepted() -> None:
    critique = judged(PytestResult("a", True), {"name": "b", "passed": True, "duration_s": 0.5})
    assert (critique.score, critique.severity, critique.issues, critique.outcome) == (1.0, 0.0, (), Outcome.SUCCESS)


@pytest.mark.rows("H46")
def test_a_failed_test_without_an_error_is_an_issue_noted_as_such_in_the_analysis() -> None:
    critique = judged(PytestResult("a", False))
    assert critique.issues[0].message == "[a] failed without a message"
    assert critique.feedback == "1 of 1 tests failed:\nno error was captured"


@pytest.mark.rows("H39", "H45")
@pytest.mark.parametrize(("confidence", "is_accepted"), [(0.95, True), (0.94, False), (half_sure, False)])
def test_a_passing_run_below_the_confidence_threshold_is_not_accepted(confidence: Any, is_accepted: bool) -> None:
    critique = judged(PytestResult("a", True), confidence=confidence)
    assert (critique.outcome is Outcome.SUCCESS) == is_accepted
    assert (critique.severity < 0.3) == is_accepted
    assert critique.score == 1.0


@pytest.mark.rows("H44")
def test_an_empty_test_run_is_not_a_success_unless_allowed() -> None:
    critique = judged()
    assert (critique.severity, critique.score, critique.outcome) == (1.0, 0.0, Outcome.ERROR)
    assert critique.issues[0].kind == "cannot-run"
    allowed = judged(allow_empty=True)
    assert (allowed.severity, allowed.score, allowed.outcome) == (0.0, 1.0, Outcome.SUCCESS)


@pytest.mark.rows("H45")
@given(st.lists(st.booleans(), min_size=1, max_size=40), st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_success_needs_all_tests_passed_and_enough_confidence(passed: list[bool], confidence: float) -> None:
    critique = judged(*(PytestResult(f"t{n}", ok) for n, ok in enumerate(passed)), confidence=confidence)
    assert critique.score == pytest.approx(sum(passed) / len(passed))
    is_success = all(passed) and confidence >= 0.95 - 1e-9
    assert (critique.outcome is Outcome.SUCCESS) == is_success
    assert critique.has_issues != is_success
    assert needs_reflection(critique) != is_success
    assert critique.severity >= 0.3 or is_success


def test_results_may_use_the_field_names_of_the_specification_and_none_for_no_text() -> None:
    row = {"name": "a", "passed": False, "output": None, "error": None, "duration": 0.5}
    (result,) = judged(row).metadata["test_results"]
    assert (result["error"], result["duration_s"]) == ("", 0.5)
    assert PytestResult("a", True, error=None).error == ""  # type: ignore[arg-type]


def test_ten_thousand_failures_with_errors_of_a_megabyte_stay_small() -> None:
    huge = PytestResult("t", False, error="x" * 1_000_000 + "\ud800")
    critique = judged(*[huge] * 10_000)
    assert len(critique.issues) == 1_000
    assert max(len(issue.message) for issue in critique.issues) <= 10_000
    assert len(critique.feedback or "") < 20_000
    assert critique.metadata["tests"] == 10_000


@pytest.mark.parametrize("answer", ["passed", 1, None, [1], [{"name": "a"}], [{"name": "a", "passed": "yes"}]])
async def test_an_answer_without_results_is_an_error(answer: object) -> None:
    with pytest.raises(ComponentError, match="a test executor must return"):
        await PytestCritiquer(answering(answer)).critique(Candidate("x"), CONTEXT)


@pytest.mark.parametrize("options", [{"confidence_threshold": 1.1}, {"confidence": float("nan")}, {"confidence": True}])
def test_a_pass_rate_out_of_range_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match=r"must be a number in \[0, 1\]"):
        PytestCritiquer(answering([]), **options)


async def test_an_invalid_confidence_is_a_component_error() -> None:
    critic = PytestCritiquer(answering([PytestResult("a", True)]), confidence=never_sure)
    with pytest.raises(ComponentError, match="the confidence must be a number"):
        await critic.critique(Candidate("x"), CONTEXT)


# -- the loop --------------------------------------------------------------------------------------


def run_tests(candidate: Candidate, context: RunContext) -> list[PytestResult]:
    """A candidate is the number of tests that it passes, of three."""
    return [PytestResult(f"t{n}", n < int(candidate.content), error=f"AssertionError: {n}") for n in range(3)]


class Writer:
    """Passes one more test with every revision; records the lessons it gets."""

    def __init__(self) -> None:
        self.lessons: list[int] = []

    async def generate(self, prompt: str, context: RunContext) -> str:
        self.lessons.append(len(context.lessons))
        return "0"

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        self.lessons.append(len(context.lessons))
        return str(int(candidate.content) + 1)


async def solve(config: LoopConfig, executor: Any = run_tests, **parts: Any) -> tuple[ReflectionResult, Writer]:
    writer = Writer()
    parts = {"generator": writer, "reviser": writer, "reflector": Reflector(), **parts}
    async with Pipeline(critiquer=PytestCritiquer(executor), config=config, **parts) as pipeline:
        return await pipeline.run("solve it"), writer


@pytest.mark.rows("H47")
async def test_a_loop_runs_until_all_tests_pass_and_gives_reflections_to_the_reviser() -> None:
    result, writer = await solve(driven_by_tests(max_attempts=5))
    assert (result.stop_reason, result.total_iterations) == (StopReason.ACCEPTED, 4)
    assert writer.lessons == [0, 1, 2, 3]
    assert len(result.reflections) == 3


@pytest.mark.parametrize("junk", ["x", None, False, 2.5])
def test_attempts_and_timeouts_must_be_numbers(junk: Any) -> None:
    with pytest.raises(ConfigurationError, match="max_iterations"):
        driven_by_tests(junk)
    if junk != 2.5:
        with pytest.raises(ConfigurationError, match="timeout_s"):
            driven_by_tests(3, junk)


@pytest.mark.rows("H39", "H40", "H50")
async def test_three_attempts_are_the_default_and_the_last_is_reflected_on_too() -> None:
    for config in (driven_by_tests(), driven_by_tests(0, -1.0)):
        result, _ = await solve(config)
        assert (result.stop_reason, result.total_iterations) == (StopReason.MAX_ITERATIONS, 3)
        assert len(result.reflections) == 3
        assert result.best_candidate is not None
        assert result.best_candidate.content == "2"
        assert result.iterations[-1].critique.metadata["pass_rate"] == pytest.approx(2 / 3)
    assert (config.timeout_s, config.accept) == (300.0, "clean")


@pytest.mark.rows("H48")
async def test_without_a_reviser_there_is_one_attempt_with_a_reflection() -> None:
    result, _ = await solve(driven_by_tests(), reviser=None)
    assert (result.stop_reason, result.total_iterations) == (StopReason.DECLINED, 1)
    assert len(result.reflections) == 1


@pytest.mark.rows("H51")
@pytest.mark.virtual_clock
async def test_a_timeout_keeps_the_best_attempt_so_far() -> None:
    async def slow(candidate: Candidate, context: RunContext) -> list[PytestResult]:
        if candidate.content == "2":
            await asyncio.sleep(1_000)
        return run_tests(candidate, context)

    result, _ = await solve(driven_by_tests(timeout_s=300.0), slow)
    assert (result.stop_reason, result.total_iterations) == (StopReason.DEADLINE, 2)
    assert result.best_candidate is not None
    assert result.best_candidate.content == "1"
    assert result.duration_s == pytest.approx(300.0)


@pytest.mark.rows("H52")
async def test_an_executor_that_fails_keeps_the_best_attempt_so_far() -> None:
    def broken(candidate: Candidate, context: RunContext) -> list[PytestResult]:
        if candidate.content == "1":
            raise RuntimeError("the runner is gone")
        return run_tests(candidate, context)

    result, _ = await solve(driven_by_tests(step_retries=0), broken)
    assert (result.stop_reason, result.total_iterations) == (StopReason.ERROR, 1)
    assert result.error is not None
    assert "the runner is gone" in result.error.message
    assert len(result.reflections) == 1


async def test_attempts_without_a_gain_do_not_end_the_loop_early() -> None:
    def stuck(candidate: Candidate, context: RunContext) -> list[PytestResult]:
        return [PytestResult("t", False, error="AssertionError")]

    result, _ = await solve(driven_by_tests(max_attempts=5), stuck)
    assert (result.stop_reason, result.total_iterations) == (StopReason.MAX_ITERATIONS, 5)
