"""Stop rules: each at its thresholds, each a pure function, and their order."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jido_ai.critics.acceptance import History, accepted
from jido_ai.errors import ConfigurationError
from jido_ai.loop.convergence import (
    DOCUMENTED_RULES,
    Decision,
    best_index,
    cycle,
    has_plateaued,
    minimal_change,
    oscillation,
    regression,
    score_of,
    score_plateau,
    severity_plateau,
)
from jido_ai.values import (
    SLACK,
    Candidate,
    CritiqueResult,
    Issue,
    Iteration,
    LoopConfig,
    Revise,
    StopReason,
    Verdict,
)

TENTH = LoopConfig()
NEAR = SLACK / 2
OFF = SLACK * 10

units = st.floats(0, 1)
thresholds = st.floats(0.01, 1)


def iteration(
    index: int = 0, *, severity: float = 0.5, issues: str = "", text: str | None = None, **more: Any
) -> Iteration:
    critique = CritiqueResult(severity=severity, issues=list(issues))
    candidate = Candidate(text or f"text {index}", score=more.pop("score", 1.0 - severity))
    return Iteration(index, candidate, critique, **more)


def scored(*scores: float) -> History:
    return tuple(iteration(index, score=score, severity=1.0 - score) for index, score in enumerate(scores))


def reason(decision: Decision | None) -> StopReason | None:
    return decision.reason if isinstance(decision, Verdict) else None


@st.composite
def histories(draw: st.DrawFn) -> History:
    """Draw histories as the loop makes them, with few different values so that they repeat."""
    tenths = st.integers(0, 10).map(lambda tenth: tenth / 10)
    judged: list[Iteration] = []
    for index in range(draw(st.integers(1, 6))):
        score = draw(tenths)
        first = index == 0 or draw(st.booleans())
        judged.append(
            iteration(
                index,
                severity=draw(tenths),
                score=score,
                issues="".join(draw(st.lists(st.sampled_from("abc"), max_size=3))),
                text=draw(st.sampled_from("uvwxyz")),
                change=None if first else draw(tenths),
                gain=None if first else score - score_of(judged[-1]),
            )
        )
    return tuple(judged)


configs = st.builds(
    LoopConfig,
    severity_threshold=units,
    change_threshold=units,
    score_threshold=thresholds,
    patience=st.integers(1, 3),
    accept=st.sampled_from(["severity", "clean"]),
)


# -- every rule ------------------------------------------------------------------------------------


@pytest.mark.rows("J11")
@pytest.mark.parametrize("rule", DOCUMENTED_RULES, ids=lambda rule: rule.__name__)
@given(history=histories(), config=configs)
def test_a_rule_is_a_pure_function_whose_verdict_has_its_name_and_evidence(
    rule: Any, history: History, config: LoopConfig
) -> None:
    before = [one.model_dump() for one in history]
    decision = rule(history, config)
    assert decision == rule(history, config)
    assert [one.model_dump() for one in history] == before
    if isinstance(decision, Verdict):
        assert decision.reason.value == rule.__name__
        assert decision.reason.is_converged
        assert decision.evidence
        assert Verdict.model_validate(decision.model_dump(mode="json")) == decision
    elif decision is not None:
        assert rule is regression


@pytest.mark.parametrize("rule", DOCUMENTED_RULES[1:], ids=lambda rule: rule.__name__)
@given(config=configs, severity=units)
def test_only_accepted_decides_on_a_first_candidate(rule: Any, config: LoopConfig, severity: float) -> None:
    assert rule((iteration(severity=severity),), config) is None


@pytest.mark.parametrize("rule", DOCUMENTED_RULES, ids=lambda rule: rule.__name__)
def test_no_rule_decides_on_an_empty_history(rule: Any) -> None:
    assert rule((), TENTH) is None


# -- accepted --------------------------------------------------------------------------------------


@pytest.mark.rows("J3")
@pytest.mark.parametrize(("severity", "is_accepted"), [(0.3 - OFF, True), (0.3 - NEAR, False), (0.3, False)])
def test_accepted_means_severity_below_the_threshold(severity: float, is_accepted: bool) -> None:
    assert (accepted((iteration(severity=severity),), TENTH) is not None) == is_accepted


def test_accept_clean_requires_that_no_issue_is_open() -> None:
    clean = LoopConfig(accept="clean")
    assert accepted((iteration(severity=0.1, issues="a"),), TENTH) is not None
    assert accepted((iteration(severity=0.1, issues="a"),), clean) is None
    assert accepted((iteration(severity=0.1),), clean) is not None
    assert accepted((iteration(severity=0.9),), clean) is None


@given(histories(), configs)
def test_accepted_looks_at_the_newest_candidate_only(history: History, config: LoopConfig) -> None:
    assert accepted(history, config) == accepted(history[-1:], config)


@given(units, units, units)
def test_a_candidate_accepted_under_a_threshold_is_accepted_under_a_higher_one(
    severity: float, one: float, other: float
) -> None:
    low, high = sorted((one, other))
    history = (iteration(severity=severity),)
    if accepted(history, LoopConfig(severity_threshold=low)):
        assert accepted(history, LoopConfig(severity_threshold=high))


# -- cycle -----------------------------------------------------------------------------------------


@pytest.mark.rows("J12")
@given(histories())
def test_a_candidate_equal_to_any_earlier_one_is_a_cycle(history: History) -> None:
    earlier = [one.candidate.content for one in history[:-1]]
    decision = cycle(history, TENTH)
    assert (decision is not None) == (history[-1].candidate.content in earlier)
    if decision is not None:
        assert earlier[decision.evidence["equals"]] == history[-1].candidate.content


# -- regression ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("score", "falls"), [(0.5 - OFF, True), (0.5, True), (0.5 + NEAR, True), (0.5 + OFF, False)])
def test_a_score_below_the_best_by_the_threshold_or_more_is_a_fall(score: float, falls: bool) -> None:
    assert regression(scored(0.6, score), TENTH) == (Revise(0) if falls else None)


def test_after_a_fall_a_run_continues_from_the_best_candidate_or_the_earlier_of_equals() -> None:
    assert regression(scored(0.2, 0.6, 0.6, 0.1), TENTH) == Revise(1)


@pytest.mark.rows("J12")
@pytest.mark.parametrize("patience", [1, 2, 3])
def test_patience_and_one_falls_in_a_row_stop_the_run(patience: int) -> None:
    config = LoopConfig(patience=patience)
    falls = [0.3] * patience
    assert regression(scored(0.6, *falls), config) == Revise(0)
    assert reason(regression(scored(0.6, *falls, 0.2), config)) is StopReason.REGRESSION
    assert regression(scored(0.6, *falls, 0.6, 0.3), config) == Revise(0), "not in a row"


@given(histories(), configs)
def test_regression_agrees_with_a_model_of_it(history: History, config: LoopConfig) -> None:
    scores = [score_of(one) for one in history]
    fell = [
        bool(before) and max(before) - score >= config.score_threshold - SLACK
        for score, before in ((scores[index], scores[:index]) for index in range(len(scores)))
    ]
    in_a_row = next((count for count, fall in enumerate(reversed(fell)) if not fall), len(fell))
    decision = regression(history, config)
    if in_a_row == 0:
        assert decision is None
    elif in_a_row <= config.patience:
        assert decision == Revise(best_index(history))
    else:
        assert reason(decision) is StopReason.REGRESSION


# -- minimal change --------------------------------------------------------------------------------


@pytest.mark.rows("J12")
@pytest.mark.parametrize(
    ("change", "gain", "stops"),
    [
        (0.05, 0.0, True),
        (0.05, -0.05, True),
        (0.1 - OFF, 0.0, True),
        (0.1 - NEAR, 0.0, False),
        (0.1, 0.0, False),
        (0.0, 0.1, False),
        (0.0, 0.1 - NEAR, False),
        (0.0, 0.1 - OFF, True),
    ],
)
def test_a_change_below_the_threshold_without_a_gain_is_minimal(change: float, gain: float, stops: bool) -> None:
    history = (iteration(), iteration(1, change=change, gain=gain))
    assert (minimal_change(history, TENTH) is not None) == stops


def test_minimal_change_names_the_measure_of_the_change() -> None:
    for size, measure in ((20, "characters"), (20_000, "lines")):
        first = iteration(text="x" * size)
        revised = Candidate("x" * size + "y", score=0.5, parent_id=first.candidate.id)
        decision = minimal_change((first, Iteration(1, revised, first.critique, False, 0.01, 0.0)), TENTH)
        assert isinstance(decision, Verdict)
        assert decision.evidence["measured_on"] == measure


@given(units, st.floats(-1, 1), units, units)
def test_a_change_minimal_under_a_threshold_is_minimal_under_a_higher_one(
    change: float, gain: float, one: float, other: float
) -> None:
    low, high = sorted((one, other))
    history = (iteration(), iteration(1, change=change, gain=gain))
    if minimal_change(history, LoopConfig(change_threshold=low)):
        assert minimal_change(history, LoopConfig(change_threshold=high))


# -- plateaus --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("after", "stops"), [(0.4 - NEAR, False), (0.4, False), (0.4 + OFF, True), (0.9, True)])
def test_a_severity_not_lower_by_the_threshold_is_a_plateau(after: float, stops: bool) -> None:
    history = (iteration(severity=0.5), iteration(1, severity=after))
    assert (severity_plateau(history, TENTH) is not None) == stops


@pytest.mark.rows("J12")
def test_a_new_issue_rules_out_a_severity_plateau() -> None:
    assert severity_plateau((iteration(issues="a"), iteration(1, issues="ab")), TENTH) is None
    assert severity_plateau((iteration(issues="ab"), iteration(1, issues="a")), TENTH) is not None


def test_an_issue_whose_line_moved_is_not_new() -> None:
    def at(line: int) -> CritiqueResult:
        return CritiqueResult(severity=0.5, issues=[Issue(f"unused, line {line}", rule="F401")])

    history = tuple(Iteration(index, Candidate("x", score=0.5), at(index + 1)) for index in range(2))
    assert severity_plateau(history, TENTH) is not None


@pytest.mark.parametrize("rule", [minimal_change, severity_plateau])
def test_a_candidate_below_the_floor_is_no_standstill(rule: Any) -> None:
    for broken in ((), ("t:a",)):
        history = (iteration(), iteration(1, change=0.0, gain=0.0, broken=broken))
        assert (rule(history, TENTH) is None) == bool(broken)


@pytest.mark.parametrize("between", [0.1, 0.9])
def test_progress_is_measured_against_the_newest_candidate_above_the_floor(between: float) -> None:
    below = iteration(1, severity=between, broken=("t:a",))
    assert severity_plateau((iteration(), below, iteration(2)), TENTH) is not None
    assert severity_plateau((iteration(), below, iteration(2, severity=0.4)), TENTH) is None


@given(histories(), configs)
def test_severity_plateau_looks_at_the_newest_and_as_many_before_as_it_has_patience(
    history: History, config: LoopConfig
) -> None:
    assert severity_plateau(history, config) == severity_plateau(history[-1 - config.patience :], config)


@pytest.mark.rows("J12")
@pytest.mark.parametrize(
    ("scores", "patience", "stops"),
    [
        ((0.5, 0.55), 1, True),
        ((0.5, 0.6), 1, False),
        ((0.5, 0.6 - NEAR), 1, False),
        ((0.5, 0.6 - OFF), 1, True),
        ((0.5, 0.4), 1, False),
        ((0.5, 0.4 + OFF), 1, True),
        ((0.5, 0.55), 2, False),
        ((0.5, 0.55, 0.58), 2, True),
        ((0.5, 0.7, 0.75), 2, False),
        ((0.5, 0.3, 0.5), 2, False),
        ((0.5, 0.3, 0.5), 1, True),
    ],
)
def test_scores_with_neither_gain_nor_fall_for_the_patience_are_a_plateau(
    scores: tuple[float, ...], patience: int, stops: bool
) -> None:
    assert (score_plateau(scored(*scores), LoopConfig(patience=patience)) is not None) == stops
    assert has_plateaued(scores, patience=patience) == stops


@pytest.mark.rows("J12")
@pytest.mark.parametrize("rule", [minimal_change, severity_plateau, score_plateau])
def test_with_accept_clean_the_disappearance_of_findings_is_a_gain(rule: Any) -> None:
    clean = LoopConfig(accept="clean")
    fewer = (iteration(issues="ab"), iteration(1, issues="a", change=0.0, gain=0.0))
    other = (iteration(issues="ab"), iteration(1, issues="c", change=0.0, gain=0.0))
    assert rule(fewer, TENTH) is not None
    assert rule(fewer, clean) is None
    if rule is not severity_plateau:
        assert rule(other, clean) is not None


@given(st.lists(units, max_size=20), thresholds, thresholds, st.integers(1, 4))
def test_a_larger_threshold_never_turns_a_plateau_into_progress(
    scores: list[float], one: float, other: float, patience: int
) -> None:
    low, high = sorted((one, other))
    if has_plateaued(scores, patience=patience, threshold=low):
        assert has_plateaued(scores, patience=patience, threshold=high)


@given(st.lists(units, max_size=20), thresholds, st.integers(1, 4))
def test_more_patience_never_makes_a_plateau(scores: list[float], threshold: float, patience: int) -> None:
    if has_plateaued(scores, patience=patience + 1, threshold=threshold):
        assert has_plateaued(scores, patience=patience, threshold=threshold)


@given(st.lists(units, min_size=2, max_size=9), st.randoms())
def test_the_order_of_the_scores_before_the_newest_does_not_matter(scores: list[float], random: Any) -> None:
    *before, newest = scores
    shuffled = random.sample(before, len(before))
    assert has_plateaued([*before, newest]) == has_plateaued([*shuffled, newest])


@pytest.mark.parametrize(("patience", "threshold"), [(0, 0.1), (-1, 0.1), (1, 0.0), (1, 1.1), (1, float("nan"))])
def test_a_patience_or_threshold_out_of_range_is_rejected(patience: int, threshold: float) -> None:
    with pytest.raises(ConfigurationError, match="patience"):
        has_plateaued([0.5, 0.5], patience=patience, threshold=threshold)


# -- the best --------------------------------------------------------------------------------------


@given(histories())
def test_the_best_has_the_highest_score_and_is_the_earliest_of_equals(history: History) -> None:
    scores = [score_of(one) for one in history]
    assert best_index(history) == scores.index(max(scores))


def test_a_score_within_1e_9_of_the_best_is_a_tie() -> None:
    assert best_index(scored(0.5, 0.5 + NEAR)) == 0
    assert best_index(scored(0.5, 0.5 + OFF)) == 1


def test_a_candidates_own_score_counts_before_its_critiques() -> None:
    assert score_of(iteration(severity=0.5, score=0.9)) == 0.9
    assert score_of(Iteration(0, Candidate("x"), CritiqueResult(severity=0.4))) == pytest.approx(0.6)


# -- oscillation -----------------------------------------------------------------------------------


def test_scores_that_rise_and_fall_in_turn_are_named() -> None:
    assert oscillation([0.5, 0.2, 0.6, 0.1, 0.7], threshold=0.1) == {"lowest": 0.1, "highest": 0.7}


@pytest.mark.parametrize(
    "scores",
    [
        [],
        [0.2, 0.6, 0.2],  # too few
        [0.2, 0.6, 0.2, 0.25],  # the last step is small
        [0.1, 0.3, 0.5, 0.7],  # only rises
        [0.1, 0.5, 0.9, 0.2],  # rises twice
    ],
)
def test_other_scores_do_not_oscillate(scores: list[float]) -> None:
    assert oscillation(scores, threshold=0.1) is None
