"""A stop rule ends a run under its own name; patience holds for both plateaus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jido_ai import ConfigurationError, CritiqueResult, LoopConfig, Pipeline, ReflexionMemory, StopReason, reflect_sync
from jido_ai.loop import Verdict
from jido_ai.loop.journal import RunJournal


def two_are_enough(history: Any, _: object) -> Verdict | None:
    return Verdict("two_are_enough", {"found": 2}) if len(history) == 2 else None


def longer(candidate: Any, *_: object) -> str:
    return candidate.content + " and a whole further sentence that says more"


def steady(step: float) -> Callable[..., CritiqueResult]:
    """Judge the first candidate with 0.9, and each later one by `step` better, with the same issue."""
    calls = iter(range(100))
    return lambda *_: CritiqueResult(severity=round(0.9 - step * next(calls), 2), issues=["too vague"])


async def test_a_run_ends_under_the_name_of_your_rule_and_its_record_knows_it() -> None:
    config = LoopConfig(stop_rules=(two_are_enough,), max_iterations=5)
    async with ReflexionMemory() as memory, Pipeline(None, steady(0), longer, memory=memory, config=config) as pipeline:
        result = await pipeline.run("Say it.", "A text.")
        assert (result.stop_reason, result.stopped_by, result.converged) == (StopReason.RULE, "two_are_enough", True)
        assert result.evidence == {"rule": "two_are_enough", "found": 2}
        assert str(result).splitlines()[-1].startswith("two_are_enough")
        recorded = await RunJournal(memory).load(result.run_id)
        assert recorded.result().stopped_by == "two_are_enough"


def test_a_name_of_a_built_in_reason_stays_one_and_what_is_no_name_is_refused() -> None:
    assert Verdict("cycle").reason is StopReason.CYCLE
    for wrong in ("", "Not A Name", 3):
        with pytest.raises(ConfigurationError, match="reason"):
            Verdict(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("reason", ["suspended", StopReason.ERROR])
def test_a_rule_that_would_suspend_a_run_or_call_it_failed_is_an_error_that_says_so(reason: Any) -> None:
    config = LoopConfig(stop_rules=(lambda *_: Verdict(reason),))
    result = reflect_sync("Say it.", initial_candidate="A text.", critiquer=steady(0), reviser=longer, config=config)
    assert result.stop_reason is StopReason.ERROR
    assert result.error is not None
    assert f"no rule can end a run as {str(reason)!r}" in result.error.message


@pytest.mark.parametrize(("patience", "iterations"), [(1, 2), (3, 4)])
def test_patience_allows_severities_that_fall_too_little(patience: int, iterations: int) -> None:
    config = LoopConfig(max_iterations=8, patience=patience)
    result = reflect_sync("Say it.", initial_candidate="A text.", critiquer=steady(0.03), reviser=longer, config=config)
    assert (result.stop_reason, result.total_iterations) == (StopReason.SEVERITY_PLATEAU, iterations)
    assert result.evidence["patience"] == patience


def test_a_fall_within_the_patience_continues_the_run() -> None:
    severities = iter([0.9, 0.88, 0.7, 0.68, 0.66])
    result = reflect_sync(
        "Say it.",
        initial_candidate="A text.",
        critiquer=lambda *_: CritiqueResult(severity=next(severities), issues=["too vague"]),
        reviser=longer,
        config=LoopConfig(max_iterations=8, patience=2),
    )
    assert (result.stop_reason, result.total_iterations) == (StopReason.SEVERITY_PLATEAU, 5)
    assert (result.evidence["severity_before"], result.evidence["severity"]) == (0.7, 0.66)


async def test_run_many_tells_its_progress(capsys: pytest.CaptureFixture[str]) -> None:
    told: list[tuple[int, int]] = []
    async with Pipeline(lambda *_: "text", lambda *_: CritiqueResult(severity=0.0)) as pipeline:
        await pipeline.run_many(["a", "b"], progress=lambda done, total: told.append((done, total)))
        assert told == [(1, 2), (2, 2)]
        assert capsys.readouterr().err == ""
        await pipeline.run_many(["a", "b"], progress=True)
    assert capsys.readouterr().err.endswith("2 of 2\n")
