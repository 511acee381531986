"""Policies: the stop rules and the ranking of candidates that a configuration selects. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from jido_ai.loop.adaptive import adaptive, best_by_evidence
from jido_ai.loop.convergence import DOCUMENTED_RULES, StopRule, best_index, repairing
from jido_ai.loop.regeneration import best_by_opinion, regenerate_or_revise
from jido_ai.values import Iteration, LoopConfig


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules that decide a run.

    Attributes:
        rules: asked in order; the first decision counts.
        best: returns the position of the best candidate of a history that is not empty.
        learns_moves: how the moves of a run ended is kept for later runs.
    """

    rules: tuple[StopRule, ...]
    best: Callable[[Sequence[Iteration]], int]
    learns_moves: bool = False


_DOCUMENTED = Policy(DOCUMENTED_RULES, best_index)
_TYPED = Policy((*DOCUMENTED_RULES[:2], repairing, *DOCUMENTED_RULES[2:]), best_index)
_ADAPTIVE = Policy((adaptive,), best_by_evidence)
_REGENERATING = Policy((regenerate_or_revise,), best_by_opinion, learns_moves=True)


def rule_name(rule: StopRule) -> str:
    """Return the name of a rule in errors and in the journal."""
    return f"stop rule {getattr(rule, '__name__', type(rule).__name__)}"


def policy_of(config: LoopConfig, *, can_regenerate: bool = False, is_typed: bool = False) -> Policy:
    """Return the policy of a configuration. With custom stop rules, the best is the candidate with the highest score.

    Args:
        is_typed: answers have a type: the documented policy goes on while each revision leaves fewer of its findings.
        can_regenerate: the generator uses what was learnt from the attempts so far.
    """
    if config.stop_rules is not None:
        return Policy(config.stop_rules, best_index)
    if config.policy == "documented":
        return _TYPED if is_typed else _DOCUMENTED
    return _REGENERATING if can_regenerate else _ADAPTIVE
