"""Outcome of one task under one strategy. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of the checks of one answer.

    Attributes:
        passed: whether all checks passed.
        by: "program", or "judge" if a model's opinion was among the checks.
        reasons: what is wrong by the checks that failed, in sentences, at most five of each check.
        judge_calls: calls of models that judged, in no total of a strategy.
        judge_tokens: of them all.
        judge_cost_usd: of them all; None if the price of one is unknown.
    """

    passed: bool
    by: str
    reasons: tuple[str, ...] = ()
    judge_calls: int = 0
    judge_tokens: int = 0
    judge_cost_usd: float | None = 0.0


@dataclass(frozen=True, slots=True)
class Case:
    """One answer: a task under a strategy.

    Attributes:
        task_id: of the task.
        strategy: its name.
        repeat: from 0.
        verdict: of the checks; None if the run failed before there was an answer, which counts as not passed, or if a
            check of the answer could not run, which counts as neither.
        answer: the text; None if there is none.
        calls: model calls made, the shared first answer counted for each strategy that uses it.
        prompt_tokens: of them all.
        completion_tokens: of them all.
        cost_usd: of them all; None if the price of one is unknown.
        duration_s: seconds from start to answer.
        stop_reason: why the run ended, as `StopReason` has it; None of a strategy that cannot say.
        error: kind and message of the error that ended the run; None without one.
        run_id: of the run in the journal; None if there is none.
    """

    task_id: str
    strategy: str
    repeat: int
    verdict: Verdict | None
    answer: str | None
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    duration_s: float
    stop_reason: str | None = None
    error: str | None = None
    run_id: str | None = None

    @property
    def passed(self) -> bool:
        """Whether there is an answer that passed all checks."""
        return self.verdict is not None and self.verdict.passed

    @property
    def is_unjudged(self) -> bool:
        """Whether there is an answer, and a check could not run."""
        return self.verdict is None and self.answer is not None


@dataclass(frozen=True, slots=True)
class Hollow:
    """An answer without content that passes checks.

    Attributes:
        answer: in words, as "an empty answer".
        task_ids: of the tasks whose checks it passes.
    """

    answer: str
    task_ids: tuple[str, ...]
