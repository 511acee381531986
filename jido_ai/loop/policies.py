"""Policies: the stop rules and the ranking of candidates that a configuration selects. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from jido_ai.loop.adaptive import adaptive, best_by_evidence
from jido_ai.loop.convergence import DOCUMENTED_RULES, StopRule, best_index
from jido_ai.values import Iteration, LoopConfig

__all__ = ["best_of", "rules_of"]

_RULES: Final[Mapping[str, tuple[StopRule, ...]]] = {"documented": DOCUMENTED_RULES, "adaptive": (adaptive,)}
_BEST: Final[Mapping[str, Callable[[Sequence[Iteration]], int]]] = {
    "documented": best_index,
    "adaptive": best_by_evidence,
}


def rules_of(config: LoopConfig) -> tuple[StopRule, ...]:
    """Return the stop rules of a configuration: its own, else its policy's."""
    return _RULES[config.policy] if config.stop_rules is None else config.stop_rules


def best_of(history: Sequence[Iteration], config: LoopConfig) -> int:
    """Return the position of the best candidate by the policy; with custom rules, the one with the highest score.

    The history must not be empty.
    """
    return _BEST[config.policy if config.stop_rules is None else "documented"](history)
