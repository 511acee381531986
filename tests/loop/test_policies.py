"""The stop rules of a configuration, and its choice of the best."""

from __future__ import annotations

from jido_ai.loop.adaptive import adaptive
from jido_ai.loop.convergence import cycle
from jido_ai.loop.policies import policy_of
from jido_ai.loop.regeneration import regenerate_or_revise
from jido_ai.values import Candidate, CritiqueResult, Issue, Iteration, LoopConfig


def test_the_documented_rules_are_asked_in_their_order() -> None:
    names = ["accepted", "cycle", "regression", "minimal_change", "severity_plateau", "score_plateau"]
    assert [rule.__name__ for rule in policy_of(LoopConfig()).rules] == names


def test_stop_rules_replace_a_policy() -> None:
    assert policy_of(LoopConfig(stop_rules=[cycle], policy="adaptive"), can_regenerate=True).rules == (cycle,)
    assert policy_of(LoopConfig(stop_rules=[])).rules == ()


def test_the_adaptive_policy_begins_again_only_with_a_generator_that_uses_attempts() -> None:
    assert policy_of(LoopConfig(policy="adaptive")).rules == (adaptive,)
    assert policy_of(LoopConfig(policy="adaptive"), can_regenerate=True).rules == (regenerate_or_revise,)
    assert regenerate_or_revise not in policy_of(LoopConfig(), can_regenerate=True).rules


def test_the_best_is_by_evidence_under_adaptive_and_by_score_under_documented_and_custom_rules() -> None:
    severe = CritiqueResult(severity=0.9, issues=[Issue("wrong", severity=0.9)])
    history = (
        Iteration(0, Candidate("a", score=0.5), CritiqueResult(severity=0.5)),
        Iteration(1, Candidate("b", score=0.8), severe),
    )
    assert policy_of(LoopConfig(policy="adaptive")).best(history) == 0
    assert policy_of(LoopConfig()).best(history) == 1
    assert policy_of(LoopConfig(policy="adaptive", stop_rules=[adaptive])).best(history) == 1
