"""Acceptance: the rule `accepted`, which decides whether a candidate is good enough. Pure."""

from __future__ import annotations

from jido_ai.values import SLACK, Iteration, LoopConfig, StopReason, Verdict

__all__ = ["History", "accepted", "is_broken"]


def is_broken(iteration: Iteration) -> bool:
    """Tell whether the iteration is below the floor."""
    return bool(iteration.broken)


History = tuple[Iteration, ...]


def accepted(history: History, config: LoopConfig) -> Verdict | None:
    """Stop when the newest candidate is good enough and above the floor.

    accept="severity": its severity is below `severity_threshold`. accept="clean": also, it has no issues.
    """
    if not history or is_broken(history[-1]):
        return None
    critique = history[-1].critique
    good = critique.severity < config.severity_threshold - SLACK
    if not good or (config.accept == "clean" and critique.has_issues):
        return None
    evidence = {
        "severity": critique.severity,
        "severity_threshold": config.severity_threshold,
        "accept": config.accept,
        "open_issues": len(critique.issues),
    }
    return Verdict(StopReason.ACCEPTED, evidence)
