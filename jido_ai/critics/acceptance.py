"""Acceptance: the rule `accepted`, which decides whether a candidate is good enough. Pure."""

from __future__ import annotations

from typing import Final

from jido_ai.critics.scoring import verdict_of
from jido_ai.values import SLACK, CritiqueResult, Issue, Iteration, LoopConfig, Outcome, StopReason, Verdict

_UNUSABLE: Final = frozenset({"syntax", "cannot-run"})


def of_output(critique: CritiqueResult) -> list[Issue]:
    """Return the findings of the run's output type: without any, the candidate is of that type."""
    return [issue for issue in critique.issues if issue.source == "output"]


def is_unusable(iteration: Iteration) -> bool:
    """Tell whether the candidate does not parse, cannot run, or is not of the run's output type.

    That is so if it has an issue of kind "syntax" or "cannot-run" or from the source "output", or if its checks that
    were not skipped all ended in an error, so that none ran. The opinions of models (source "model:...") do not count,
    nor do messages.
    """
    critique = iteration.critique
    if critique.checks and {end for end in critique.checks.values() if end != "skipped"} == {"error"}:
        return True
    for issue in critique.issues:
        if issue.source == "output":
            return True
        if issue.kind in _UNUSABLE and not (issue.source or critique.source).startswith("model:"):
            return True
    return False


History = tuple[Iteration, ...]


def accepted(history: History, config: LoopConfig) -> Verdict | None:
    """Stop when the newest candidate is good enough, above the floor, and can run (`is_unusable`).

    accept="severity": its severity is below `severity_threshold`. accept="clean": also, it has no issues.
    """
    if not history or not is_accepted(history[-1], config):
        return None
    critique = history[-1].critique
    evidence = {
        "severity": critique.severity,
        "severity_threshold": config.severity_threshold,
        "accept": config.accept,
        "open_issues": len(critique.issues),
    }
    return Verdict(StopReason.ACCEPTED, evidence)


def is_accepted(iteration: Iteration, config: LoopConfig) -> bool:
    """Tell whether a candidate is good enough: see `accepted`."""
    if iteration.broken or is_unusable(iteration):
        return False
    critique = iteration.critique
    is_good = critique.severity < config.severity_threshold - SLACK
    return is_good and not (config.accept == "clean" and critique.issues)


def judged_in_run(iteration: Iteration, config: LoopConfig) -> CritiqueResult:
    """Return the critique of an iteration with its outcome in a run: one that the run accepts is a success.

    An outcome that its findings do not explain stays: the critic knows more than them.
    """
    critique = iteration.critique
    derived = verdict_of(critique)
    if critique.outcome not in (None, derived):
        return critique
    if is_accepted(iteration, config):
        return critique.model_copy(update={"outcome": Outcome.SUCCESS})
    if critique.outcome is Outcome.SUCCESS:
        return critique.model_copy(update={"outcome": Outcome.FAILURE})
    return critique
