"""The floor: a check that the first candidate passed must pass in every later one, whatever the score."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis.strategies import booleans, floats, lists, sampled_from, tuples

from jido_ai.critics.acceptance import is_unusable
from jido_ai.loop.adaptive import adaptive
from jido_ai.loop.convergence import DOCUMENTED_RULES, StopRule, regression
from jido_ai.loop.floor import above_floor, broken_checks
from jido_ai.loop.policies import policy_of
from jido_ai.loop.regeneration import regenerate_or_revise
from jido_ai.values import Candidate, CritiqueResult, Issue, Iteration, LoopConfig, Revise, StopReason, Verdict

TESTS = ("t:a", "t:b", "t:c")
ENDS = lists(sampled_from(["passed", "failed", "skipped"]), min_size=3, max_size=3)
HISTORY = lists(tuples(floats(0.0, 1.0), floats(0.0, 1.0), ENDS), min_size=1, max_size=6)


def judged(source: str, index: int, severity: float, score: float, ends: list[str]) -> Iteration:
    critique = CritiqueResult(severity=severity, score=score, source=source, checks=dict(zip(TESTS, ends, strict=True)))
    return Iteration(index, Candidate(f"{index} {severity} {score}"), critique, change=0.5 if index else None)


def history_of(rows: list[tuple[float, float, list[str]]], source: str = "tool:t") -> tuple[Iteration, ...]:
    found = [judged(source, index, *row) for index, row in enumerate(rows)]
    broken = [broken_checks(found[0].critique, one.critique) for one in found]
    return tuple(one.replace(broken=names) for one, names in zip(found, broken, strict=True))


def is_below(first: Iteration, later: Iteration) -> bool:
    return any(
        end == "passed" and later.critique.checks[name] != "passed" for name, end in first.critique.checks.items()
    )


@settings(deadline=None)
@given(HISTORY, sampled_from(["documented", "adaptive"]), booleans(), sampled_from(["tool:t", "model:m"]))
def test_the_best_passes_all_checks_that_the_first_passed_in_every_policy(
    rows: list[tuple[float, float, list[str]]], policy: str, can_regenerate: bool, source: str
) -> None:
    history = history_of(rows, source)
    best = history[policy_of(LoopConfig(policy=policy), can_regenerate=can_regenerate).best(history)]
    assert not is_below(history[0], best)
    assert all(bool(one.broken) == is_below(history[0], one) for one in history)


@settings(deadline=None)
@given(
    HISTORY, sampled_from([(adaptive,), (regenerate_or_revise,), DOCUMENTED_RULES]), sampled_from(["tool:t", "model:m"])
)
def test_no_rule_accepts_picks_or_revises_a_candidate_below_the_floor(
    rows: list[tuple[float, float, list[str]]], rules: tuple[StopRule, ...], source: str
) -> None:
    history = history_of(rows, source)
    for rule in rules:
        match rule(history, LoopConfig()):
            case Verdict(reason=StopReason.ACCEPTED, pick=pick):
                assert not history[-1 if pick is None else pick].broken
            case Verdict(pick=int(pick)):
                assert not history[pick].broken
            case Revise(base=base):
                assert not history[base].broken
            case _:
                pass


KINDS = lists(tuples(floats(0.0, 1.0), sampled_from(["syntax", "cannot-run", "test", "style"])), min_size=1, max_size=6)


def scored(index: int, score: float, kind: str, source: str = "tool:t") -> Iteration:
    found = CritiqueResult(score=score, issues=[Issue("said", kind=kind, severity=0.3)], source=source)
    return Iteration(index, Candidate(f"{index} {score}"), found, change=0.5 if index else None)


@settings(deadline=None)
@given(KINDS, sampled_from(["documented", "adaptive"]), booleans(), sampled_from(["tool:t", "own"]))
def test_a_candidate_that_cannot_run_is_the_best_only_if_none_can(
    rows: list[tuple[float, str]], policy: str, can_regenerate: bool, source: str
) -> None:
    history = [scored(index, *row, source) for index, row in enumerate(rows)]
    best = policy_of(LoopConfig(policy=policy), can_regenerate=can_regenerate).best(history)
    assert not is_unusable(history[best]) or all(map(is_unusable, history))


def test_a_candidate_that_can_run_is_preferred_if_any_above_the_floor_can_run() -> None:
    broken, cannot, can = scored(0, 0.9, "style"), scored(1, 0.9, "syntax"), scored(2, 0.1, "test")
    broken = broken.model_copy(update={"broken": ("t:a",)})
    assert above_floor([broken, cannot, can]) == [2]
    assert above_floor([cannot, can]) == [1]
    assert above_floor([broken, cannot]) == [1]
    assert above_floor([cannot, cannot]) == [0, 1]
    assert above_floor([broken]) == [0]


def test_a_candidate_that_cannot_run_after_one_that_can_is_a_fall_at_any_score() -> None:
    low, high = scored(0, 0.1, "test"), scored(1, 0.9, "cannot-run")
    assert regression((low, high), LoopConfig()) == Revise(0)
    assert regression((scored(0, 0.9, "cannot-run"), scored(1, 0.1, "test")), LoopConfig()) is None
    assert regression((scored(0, 0.3, "syntax"), scored(1, 0.5, "syntax")), LoopConfig()) is None


def critique(*issues: Issue) -> CritiqueResult:
    return CritiqueResult(severity=0.5, issues=issues)


def issue(kind: str, source: str = "tool:pytest", rule: str = "test_a") -> Issue:
    return Issue(f"{rule} says no", kind=kind, source=source, rule=rule)


def test_a_missing_test_counts_as_broken() -> None:
    first = CritiqueResult(severity=0.0, checks={"t:a": "passed", "t:b": "failed"})
    assert broken_checks(first, CritiqueResult(severity=0.0, checks={})) == ("t:a",)


def test_findings_of_tools_that_report_no_checks_break_a_candidate_that_had_none() -> None:
    for kind in ("syntax", "test", "import", "timeout", "cannot-run"):
        assert broken_checks(critique(), critique(issue(kind))), kind
    assert broken_checks(critique(), critique(issue("error", "tool:mypy")))


def test_opinions_and_findings_that_are_not_checks_break_nothing() -> None:
    for one in (issue("style"), issue("error", "tool:ruff"), issue("test", "model:m"), issue("syntax", "unknown")):
        assert broken_checks(critique(), critique(one)) == ()


def test_a_finding_of_the_first_candidate_breaks_nothing_even_when_reworded() -> None:
    again = Issue("test_a says something else", kind="test", source="tool:pytest", rule="test_a")
    assert broken_checks(critique(issue("test")), critique(again)) == ()


def test_nothing_can_break_after_a_first_candidate_that_could_not_be_checked() -> None:
    assert broken_checks(critique(issue("syntax", "tool:compile")), critique(issue("test"))) == ()
    assert broken_checks(critique(issue("timeout")), critique(issue("test"))) == ()


@pytest.mark.parametrize(
    "program", ["def f():\n    return 1\n", "Here:\n```python\nimport os\n```\nand\n```\nls\n```\n"]
)
def test_a_text_that_no_longer_parses_is_never_the_best_whatever_its_critics_say(program: str) -> None:
    runs = Iteration(0, Candidate(program), CritiqueResult(severity=0.8, score=0.1, issues=["one", "two"]))
    breaks = Iteration(1, Candidate("def f(:\n    return 1\n"), CritiqueResult(severity=0.8, score=0.6, issues=["one"]))
    assert above_floor([runs, breaks]) == [0]
    prose = [one.replace(candidate=Candidate(text)) for one, text in ((runs, "A text."), (breaks, "Another."))]
    assert above_floor(prose) == [0, 1]
    shorter = breaks.replace(candidate=Candidate("x = 1\n"))
    assert above_floor([runs, shorter]) == [0, 1], "it parses, although nothing is defined in it any more"


@pytest.mark.parametrize(
    "text",
    [
        "return 1\n",
        "def f():\n    break\n",
        "def f():\n    nonlocal q\n",
        "import a\nawait a.b()\n",
        "def f(x, x): ...\n",
        "Here:\n```python\ndef f():\n    continue\n```\n",
    ],
)
def test_a_text_that_parses_but_does_not_compile_is_never_better_than_a_program(text: str) -> None:
    runs = Iteration(0, Candidate("def f():\n    return 1\n"), CritiqueResult(severity=0.8, score=0.1))
    breaks = Iteration(1, Candidate(text), CritiqueResult(severity=0.1, score=0.9))
    assert above_floor([runs, breaks]) == [0]
    assert above_floor([breaks, runs]) == [1]


def test_no_code_is_run_to_find_out_whether_a_text_is_a_program() -> None:
    runs = Iteration(0, Candidate("import os\nraise SystemExit(1)\n"), CritiqueResult(severity=0.8, score=0.1))
    assert above_floor([runs, runs.replace(candidate=Candidate("raise KeyError\n"))]) == [0, 1]
