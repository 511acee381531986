"""Outcome of one task under one strategy. Pure."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Case", "Verdict"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of the checks of one answer.

    Attributes:
        passed: whether all checks passed.
        by: "program", or "judge" if a model's opinion was among the checks.
        reasons: why each failed check failed, in a sentence.
    """

    passed: bool
    by: str
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One answer: a task under a strategy.

    Attributes:
        task_id: of the task.
        strategy: its name.
        repeat: from 0.
        verdict: of the checks; None if the run failed before there was an answer.
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
