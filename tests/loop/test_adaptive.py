"""The adaptive policy: its decisions, its evidence and its choice of the best."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from judged_histories import CONFIG, configs, histories, iteration, panel, prices, tools, verdict

from jido_ai.critics.acceptance import History
from jido_ai.loop.adaptive import adaptive, best_by_evidence
from jido_ai.loop.convergence import score_of
from jido_ai.values import (
    SLACK,
    Candidate,
    CritiqueResult,
    Issue,
    Iteration,
    LoopConfig,
    Regenerate,
    Revise,
    StopReason,
    Usage,
    Verdict,
)

# -- always ----------------------------------------------------------------------------------------


@given(histories(), configs)
def test_the_same_history_gives_the_same_decision_and_is_not_changed(history: History, config: LoopConfig) -> None:
    before = [one.model_dump() for one in history]
    decision = adaptive(history, config)
    copies = tuple(Iteration.model_validate(one.model_dump()) for one in history)
    assert decision == adaptive(history, config) == adaptive(copies, config)
    assert [one.model_dump() for one in history] == before


@given(histories(), configs)
def test_picks_and_bases_are_judged_candidates(history: History, config: LoopConfig) -> None:
    decision = adaptive(history, config)
    assert not isinstance(decision, Regenerate)
    assert (decision.base if isinstance(decision, Revise) else decision.pick) in range(len(history))


@given(histories(), configs)
def test_a_run_continues_from_the_newest_candidate_or_from_the_best_after_a_fall(
    history: History, config: LoopConfig
) -> None:
    decision = adaptive(history, config)
    if isinstance(decision, Revise):
        best = best_by_evidence(history)
        fell = score_of(history[-1]) <= score_of(history[best]) - config.score_threshold + SLACK
        assert decision.base == (best if fell else len(history) - 1)


@given(histories(), configs, prices)
def test_a_higher_price_never_prolongs_a_run(history: History, config: LoopConfig, more: float) -> None:
    dearer = config.replace(call_price=config.call_price + more)
    if isinstance(adaptive(history, config), Verdict):
        assert isinstance(adaptive(history, dearer), Verdict)


@given(histories(), configs)
def test_a_verdict_is_one_of_three_and_its_figures_can_be_written_as_json(history: History, config: LoopConfig) -> None:
    decision = adaptive(history, config)
    if isinstance(decision, Verdict):
        assert decision.reason in (StopReason.ACCEPTED, StopReason.CYCLE, StopReason.NO_EXPECTED_GAIN)
        assert decision.reason.is_converged
        assert decision.evidence
        assert Verdict.model_validate(decision.model_dump(mode="json")) == decision


# -- stop ------------------------------------------------------------------------------------------


def test_an_accepted_candidate_ends_the_run_and_is_picked_even_if_an_earlier_one_scored_higher() -> None:
    history = (iteration(0, 0.9, severity=0.6), iteration(1, 0.8, "", severity=0.1))
    assert verdict(adaptive(history, CONFIG)).reason is StopReason.ACCEPTED
    assert verdict(adaptive(history, CONFIG)).pick == 1


def test_a_clean_verdict_of_the_tools_ends_the_run() -> None:
    history = (tools(), tools(1, 1.0, "", severity=0.0))
    for accept in ("severity", "clean"):
        decision = verdict(adaptive(history, CONFIG.replace(accept=accept)))
        assert (decision.reason, decision.pick) == (StopReason.ACCEPTED, 1)


def test_a_repeated_text_ends_the_run_with_the_best_candidate() -> None:
    history = (iteration(0, 0.5, "ab", text="one"), iteration(1, 0.6, "b"), iteration(2, 0.5, "ab", text="one"))
    assert verdict(adaptive(history, CONFIG)).reason is StopReason.CYCLE
    assert verdict(adaptive(history, CONFIG)).pick == 1


def test_a_severe_finding_that_survives_two_revisions_ends_the_run() -> None:
    history = tuple(iteration(index, 0.3, "a", severity=0.9) for index in range(3))
    assert isinstance(adaptive(history[:2], CONFIG), Revise)
    decision = verdict(adaptive(history, CONFIG))
    assert decision.reason is StopReason.NO_EXPECTED_GAIN
    assert decision.evidence["survived_revisions"] == 2


def test_a_severe_finding_of_a_tool_or_of_several_models_gets_a_third_revision() -> None:
    by_tool = tuple(tools(index, 0.3, "a", severity=0.9) for index in range(4))
    opinions = [CritiqueResult(score=0.3, source=source) for source in ("model:a", "model:b")]
    by_models = tuple(iteration(index, 0.3, "a", severity=0.9, source="panel", parts=opinions) for index in range(4))
    for history in (by_tool, by_models):
        assert adaptive(history[:3], CONFIG) == Revise(2)
        assert verdict(adaptive(history, CONFIG)).evidence["survived_revisions"] == 3


def test_a_new_finding_beside_the_survivor_continues_the_run() -> None:
    history = (*(iteration(index, 0.3, "a", severity=0.9) for index in range(2)), iteration(2, 0.3, "ab", severity=0.9))
    assert adaptive(history, CONFIG) == Revise(2)


def test_a_slightly_reworded_survivor_is_still_the_survivor() -> None:
    said = (
        "The claim about prices has no source",
        "The claim about prices has no source given",
        "The claims about prices have no source given",
    )
    history = tuple(
        Iteration(
            index,
            Candidate(f"text {index}", score=0.3),
            CritiqueResult(severity=0.9, score=0.3, issues=[Issue(words, severity=0.9)]),
            change=0.3 if index else None,
        )
        for index, words in enumerate(said)
    )
    assert verdict(adaptive(history, CONFIG)).evidence["survived_revisions"] == 2


def test_a_critic_without_findings_that_never_accepts_ends_the_run() -> None:
    assert verdict(adaptive((iteration(0, 0.9, ""),), CONFIG)).reason is StopReason.NO_EXPECTED_GAIN
    assert adaptive((iteration(0, 0.2, ""),), CONFIG) == Revise(0)


# -- the evidence ---------------------------------------------------------------------------------


def test_the_evidence_names_the_figures() -> None:
    evidence = verdict(adaptive((iteration(0, 0.9),), CONFIG)).evidence
    assert evidence["call_price"] == 0.01
    assert evidence["calls"] == 2
    assert evidence["price"] == pytest.approx(2 * 0.01 + 0.03)
    assert evidence["expected_gain"] < evidence["price"]
    assert (evidence["open_issues"], evidence["open_severity"]) == (1, 0.5)
    assert (evidence["score"], evidence["best_score"], evidence["base"]) == (0.9, 0.9, 0)
    assert (evidence["fix_rate"], evidence["trust"], evidence["survived_revisions"]) == (0.5, 1.0, 0)


def test_the_fix_rate_learns_from_what_the_revisions_closed() -> None:
    dear = CONFIG.replace(call_price=1.0)
    all_closed = (iteration(0, 0.5, "abcde"), iteration(1, 0.5, "v"))
    none_closed = (iteration(0, 0.5, "abcde"), iteration(1, 0.5, "abcde"))
    assert verdict(adaptive(all_closed, dear)).evidence["fix_rate"] == pytest.approx(10 / 15)
    assert verdict(adaptive(none_closed, dear)).evidence["fix_rate"] == pytest.approx(5 / 15)


def test_the_fix_rate_compares_a_revision_with_what_it_was_made_from() -> None:
    first, second = iteration(0, 0.5, "ab"), iteration(1, 0.2, "cd")
    third = iteration(2, 0.5, "ab", parent_id=first.candidate.id)
    evidence = verdict(adaptive((first, second, third), CONFIG.replace(call_price=1.0))).evidence
    assert evidence["fix_rate"] == pytest.approx((5 + 2 + 0) / (10 + 2 + 2))


def test_after_a_fall_it_continues_from_the_best() -> None:
    assert adaptive((iteration(0, 0.5, "a"), iteration(1, 0.3, "bc")), CONFIG) == Revise(0)
    assert adaptive((iteration(0, 0.5, "a"), iteration(1, 0.45, "bc")), CONFIG) == Revise(1)


def test_several_models_count_more_and_cost_more() -> None:
    dear = CONFIG.replace(call_price=1.0)
    one, three = (verdict(adaptive(panel(*models), dear)).evidence for models in (["model:a"], ["model:a"] * 3))
    assert three["trust"] == pytest.approx(3**0.5 * one["trust"])
    assert (one["calls"], three["calls"]) == (2, 4)


def test_the_next_revision_is_expected_to_need_the_calls_of_the_last_one() -> None:
    history = (iteration(), iteration(1, issues="b", usage=Usage(7)))
    assert verdict(adaptive(history, CONFIG.replace(call_price=1.0))).evidence["calls"] == 7


def test_without_paid_models_any_finding_continues_the_run() -> None:
    clean = CONFIG.replace(accept="clean", severity_threshold=1.0)
    assert adaptive((tools(0, 0.99, "a", severity=0.01),), clean) == Revise(0)
    assert isinstance(adaptive((iteration(0, 0.99, "a", severity=0.01),), clean), Verdict)


# -- the best --------------------------------------------------------------------------------------


def test_the_best_has_the_lowest_severity_from_tools_whatever_models_and_scores_say() -> None:
    severe = iteration(1, 0.2, "abc", severity=0.9)
    assert best_by_evidence((tools(0, 0.9, "a"), severe)) == 1
    assert best_by_evidence((tools(0, 0.9, "ab"), tools(1, 0.2, "a"))) == 1


def test_the_tools_of_a_panel_are_read_from_its_parts() -> None:
    failing = CritiqueResult(severity=0.8, source="tool:pytest", issues=[Issue("fails", severity=0.8)])
    passing = CritiqueResult(severity=0.0, source="tool:pytest")
    history = tuple(
        iteration(index, score, "", source="panel", parts=[part])
        for index, (score, part) in enumerate([(0.9, failing), (0.4, passing)])
    )
    assert best_by_evidence(history) == 1


def test_among_equal_severities_the_best_has_the_fewest_severe_findings() -> None:
    assert best_by_evidence((iteration(0, 0.9, "a", severity=0.7), iteration(1, 0.2, "abc", severity=0.6))) == 1


def test_among_equal_findings_the_best_has_the_highest_score_and_is_the_earliest_of_equals() -> None:
    scores = (0.5, 0.6, 0.6 + SLACK / 2, 0.3)
    assert best_by_evidence(tuple(iteration(index, score) for index, score in enumerate(scores))) == 1


def test_an_issue_without_severity_has_the_severity_of_its_critique() -> None:
    vague = CritiqueResult(severity=0.9, score=0.9, issues=["wrong"])
    history = (Iteration(0, Candidate("x", score=0.9), vague), iteration(1, 0.3, "a", severity=0.1))
    assert best_by_evidence(history) == 1


@given(histories())
def test_no_candidate_is_better_by_evidence_than_the_best(history: History) -> None:
    best = best_by_evidence(history)
    for index, one in enumerate(history):
        pair = (one, history[best]) if index < best else (history[best], one)
        assert pair[best_by_evidence(pair)] is history[best]


# -- speed -----------------------------------------------------------------------------------------


def calls_of(work: Callable[[], object]) -> int:
    """Return the number of function calls of `work`, including library calls; the same on every machine."""
    calls = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def long_run(iterations: int) -> History:
    letters = "abcdefghijklmnopqrst"
    found = [f"the {letter * 5} of paragraph {letter * 3} is not what was asked for" for letter in letters]
    return tuple(
        Iteration(
            index,
            Candidate(f"text {index}", score=0.5),
            CritiqueResult(severity=0.5, issues=[Issue(text, severity=0.2) for text in found[index % 3 :]]),
            change=0.2 if index else None,
        )
        for index in range(iterations)
    )


def test_the_cost_of_a_decision_is_linear_in_the_iterations() -> None:
    took = {}
    for iterations in (8, 32):
        history = long_run(iterations)
        adaptive(history, CONFIG)  # parsed texts are cached
        took[iterations] = calls_of(lambda: adaptive(history, CONFIG))  # noqa: B023 - called at once
    assert took[8] < 8 * 500
    assert took[32] < 4.5 * took[8]
