"""The stop rules of a configuration, and its choice of the best."""

from __future__ import annotations

from jido_ai.loop.adaptive import adaptive
from jido_ai.loop.convergence import cycle
from jido_ai.loop.policies import best_of, rules_of
from jido_ai.values import Candidate, CritiqueResult, Issue, Iteration, LoopConfig


def test_the_documented_rules_are_asked_in_their_order() -> None:
    names = ["accepted", "cycle", "regression", "minimal_change", "severity_plateau", "score_plateau"]
    assert [rule.__name__ for rule in rules_of(LoopConfig())] == names


def test_stop_rules_replace_a_policy() -> None:
    assert rules_of(LoopConfig(stop_rules=[cycle], policy="adaptive")) == (cycle,)
    assert rules_of(LoopConfig(stop_rules=[])) == ()


def test_the_adaptive_policy_is_one_rule() -> None:
    assert rules_of(LoopConfig(policy="adaptive")) == (adaptive,)


def test_the_best_is_by_evidence_under_adaptive_and_by_score_under_documented_and_custom_rules() -> None:
    severe = CritiqueResult(severity=0.9, issues=[Issue("wrong", severity=0.9)])
    history = (
        Iteration(0, Candidate("a", score=0.5), CritiqueResult(severity=0.5)),
        Iteration(1, Candidate("b", score=0.8), severe),
    )
    assert best_of(history, LoopConfig(policy="adaptive")) == 0
    assert best_of(history, LoopConfig()) == 1
    assert best_of(history, LoopConfig(policy="adaptive", stop_rules=[adaptive])) == 1
