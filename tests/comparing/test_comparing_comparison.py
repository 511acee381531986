"""Comparison: rows, pairs, advice, Markdown and JSON, and the honesty of its intervals and p-values."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence

import pytest

from jido_ai.comparing.cases import Case, Hollow, Verdict
from jido_ai.comparing.comparison import Against, Comparison, holm, mcnemar
from jido_ai.comparing.tasks import Check, Task
from jido_ai.errors import ConfigurationError
from jido_ai.memory.effect import wilson


def tasks_of(count: int) -> list[Task]:
    return [Task(f"question {number}", [Check.exact("4")], id=f"t{number}") for number in range(count)]


def case(task: Task, strategy: str, *, passed: bool | None, **fields: object) -> Case:
    verdict = None if passed is None else Verdict(passed, "program")
    known: dict[str, object] = {
        "repeat": 0,
        "verdict": verdict,
        "answer": "4",
        "calls": 1,
        "prompt_tokens": 10,
        "completion_tokens": 5,
        "cost_usd": 0.001,
        "duration_s": 1.0,
    }
    return Case(task.key, strategy, **{**known, **fields})  # type: ignore[arg-type]


def compared(marks: Mapping[str, str], **fields: object) -> Comparison:
    """Return a comparison of strategies by their marks: "+" for a task that passed, "-" for one that did not."""
    tasks = tasks_of(len(next(iter(marks.values()))))
    cases = [
        case(task, name, passed=mark == "+", calls=1 if name == "single" else 4)
        for name, row in marks.items()
        for task, mark in zip(tasks, row, strict=True)
    ]
    return Comparison.of(cases, tasks=tasks, names=list(marks), baseline="single", **fields)  # type: ignore[arg-type]


GAIN = {"single": "+" * 10 + "-" * 20, "best-of-4": "+" * 12 + "-" * 18, "loop": "-" + "+" * 24 + "-" * 5}


def test_a_row_has_the_totals_and_the_interval_of_its_strategy() -> None:
    row = compared(GAIN).row("loop")
    assert (row.name, row.passed, row.total, row.calls, row.tokens) == ("loop", 24, 30, 120, 450)
    assert row.interval == wilson(24, 30)
    assert (row.cost_usd, row.p50_s, row.p95_s) == (pytest.approx(0.03), 1.0, 1.0)


def test_strategies_are_compared_in_pairs_with_the_baseline_and_adjusted_for_their_number() -> None:
    comparison = compared(GAIN)
    assert comparison.row("single").against is None
    best, loop = holm([mcnemar(2, 0), mcnemar(15, 1)])
    assert comparison.row("best-of-4").against == Against(2, 0, best)
    assert comparison.row("loop").against == (15, 1, loop)


def test_the_order_of_cases_does_not_matter() -> None:
    whole = compared(GAIN)
    cases = list(whole.cases)
    random.Random(3).shuffle(cases)
    again = Comparison.of(cases, tasks=tasks_of(30), names=list(GAIN), baseline="single")
    assert again == whole


def test_weights_count_in_the_number_of_passed_and_not_in_the_statistics() -> None:
    tasks = [Task(f"q{n}", [Check.exact("4")], weight=weight) for n, weight in enumerate((5.0, 1.0, 0.5))]
    cases = [case(task, "single", passed=n == 0) for n, task in enumerate(tasks)]
    [row] = Comparison.of(cases, tasks=tasks, names=["single"], baseline="single").rows
    assert (row.passed, row.total, row.weight) == (5.0, 3, 6.5)
    assert row.interval == wilson(1, 3)


def test_repeats_of_a_task_are_one_pair_and_one_attempt_of_the_interval() -> None:
    tasks = tasks_of(2)
    cases = [case(tasks[0], "single", passed=False, repeat=n) for n in range(3)]
    cases += [case(tasks[0], "loop", passed=n > 0, repeat=n) for n in range(3)]
    cases += [case(tasks[1], name, passed=True, repeat=n) for name in ("single", "loop") for n in range(3)]
    comparison = Comparison.of(cases, tasks=tasks, names=["single", "loop"], baseline="single")
    row = comparison.row("loop")
    assert (row.passed, row.total, row.against) == (5, 6, Against(1, 0, 1.0))
    assert row.interval == pytest.approx(wilson(5 / 3, 2))


def test_a_run_without_an_answer_is_not_passed_and_an_answer_that_could_not_be_judged_counts_nowhere() -> None:
    tasks = tasks_of(3)
    cases = [
        case(tasks[0], "single", passed=True),
        case(tasks[1], "single", passed=None, answer=None, error="ModelTimeoutError: too late"),
        case(tasks[2], "single", passed=None, error="the answer could not be judged: ToolError"),
        *(case(task, "loop", passed=True) for task in tasks),
    ]
    comparison = Comparison.of(cases, tasks=tasks, names=["single", "loop"], baseline="single")
    row = comparison.row("single")
    assert (row.passed, row.total, row.failed, row.unjudged, row.calls) == (1, 2, 1, 1, 3)
    assert comparison.row("loop").against == Against(1, 0, 1.0)
    assert "single: 1 run ended without an answer, counted as not passed" in comparison.to_markdown()
    assert "single: checks of 1 answer could not run; no total has them" in comparison.to_markdown()


def test_the_first_error_of_runs_and_checks_that_failed_is_shown() -> None:
    tasks = tasks_of(4)
    failed = [
        case(task, "single", passed=None, answer=None, error=f"ModelTimeoutError: {n} s | late")
        for n, task in enumerate(tasks[:2])
    ]
    unjudged = [case(task, "single", passed=None, error="ToolError: no pytest") for task in tasks[2:]]
    text = Comparison.of(failed + unjudged, tasks=tasks, names=["single"], baseline="single").to_markdown()
    assert "counted as not passed (for example ModelTimeoutError: 0 s \\| late)." in text
    assert "no total has them (for example ToolError: no pytest)." in text


def test_runs_that_an_error_ended_early_are_shown_though_they_have_an_answer() -> None:
    [task, other] = tasks_of(2)
    cut = {"stop_reason": "error", "error": "TruncatedError: cut off"}
    cases = [case(task, "single", passed=True), case(task, "loop", passed=False, **cut)]
    cases += [case(other, "loop", passed=True, stop_reason="budget", error="budget: nothing was judged")]
    text = Comparison.of(cases, tasks=[task, other], names=["single", "loop"], baseline="single").to_markdown()
    assert "loop: 1 run ended early by an error, with the answer that was there (for example TruncatedError:" in text
    assert "single: 1 run" not in text


def test_a_cost_is_unknown_if_one_price_is() -> None:
    [task] = tasks_of(1)
    cases = [case(task, "single", passed=True), case(task, "single", passed=True, repeat=1, cost_usd=None)]
    comparison = Comparison.of(cases, tasks=[task], names=["single"], baseline="single")
    assert comparison.rows[0].cost_usd is None
    assert "| unknown |" in comparison.to_markdown()


def test_every_total_shows_the_passes_by_a_judge_apart() -> None:
    tasks = tasks_of(3)
    opinion = Verdict(True, "judge", judge_calls=2, judge_tokens=300, judge_cost_usd=0.25)
    cases = [case(tasks[0], "single", passed=True), case(tasks[1], "single", passed=True, verdict=opinion)]
    cases.append(case(tasks[2], "single", passed=False))
    comparison = Comparison.of(cases, tasks=tasks, names=["single"], baseline="single")
    row = comparison.row("single")
    assert (row.passed, row.by_program, row.by_judge, row.calls) == (2, 1, 1, 3)
    text = comparison.to_markdown()
    assert "| strategy | passed | of them by a judge |" in text
    assert "Judges took 2 calls ($0.2500); no row has them." in text
    assert "by a judge" not in compared(GAIN).to_markdown()


# -- in words --------------------------------------------------------------------------------------


def test_a_strategy_that_is_better_beyond_chance_is_recommended_with_what_it_costs() -> None:
    assert compared(GAIN).recommendation == (
        "Use loop: on these 30 tasks it passed 24 of 30 where single passed 10 of 30 (gained 15, lost 1, p = 0.001), "
        "for 4.0 times the calls."
    )


@pytest.mark.parametrize(
    ("loop", "said"),
    [
        ("+" * 8 + "-" * 2, "One call is enough: no other strategy passed more tasks than single on these 10 tasks."),
        ("+" * 5 + "-" * 5, "One call is enough: no other strategy passed more tasks than single on these 10 tasks."),
        (
            "+" * 10,
            "One call is enough as far as these tasks tell: loop gained 2 and lost 0 on these 10 tasks, which may be "
            "chance; about 30 more tasks like these would tell.",
        ),
    ],
)
def test_one_call_is_enough_if_nothing_else_is_shown(loop: str, said: str) -> None:
    assert compared({"single": "+" * 8 + "--", "loop": loop}).recommendation == said


def test_a_baseline_that_takes_more_calls_is_named() -> None:
    tasks = tasks_of(4)
    cases = [case(task, "loop", passed=True, calls=4) for task in tasks]
    cases += [case(task, "single", passed=False) for task in tasks]
    comparison = Comparison.of(cases, tasks=tasks, names=["loop", "single"], baseline="loop")
    assert comparison.recommendation.startswith("Stay with loop: no other strategy passed more tasks")


def test_strategies_that_all_take_one_call_are_named_not_counted() -> None:
    tasks = tasks_of(3)
    cases = [case(task, name, passed=True) for task in tasks for name in ("short", "long")]
    comparison = Comparison.of(cases, tasks=tasks, names=["short", "long"], baseline="short")
    assert comparison.recommendation.startswith("Stay with short: no other strategy passed more tasks")


def test_nothing_is_recommended_if_no_strategy_passes_a_task() -> None:
    said = compared({"single": "---", "loop": "---"}).recommendation
    assert said == "Nothing can be recommended: no answer passed on these 3 tasks."
    assert compared({"single": "---", "loop": "--+"}).recommendation.startswith("Nothing is shown as far as")


def test_an_overview_has_the_rows_the_remarks_and_the_tasks_lost_without_answers() -> None:
    overview = compared(GAIN, stopped="the limit is reached").overview()
    assert [row["name"] for row in overview["rows"]] == ["single", "best-of-4", "loop"]
    assert overview["lost"] == [{"strategy": "loop", "tasks": [{"id": "t0", "prompt": "question 0"}], "of": 1}]
    assert any("loop is better than single beyond chance" in remark for remark in overview["remarks"])
    assert any("Stopped early" in remark for remark in overview["remarks"])
    assert json.dumps(overview)
    assert "cases" not in overview


def test_a_comparison_without_judged_answers_or_of_one_strategy_recommends_nothing() -> None:
    tasks = tasks_of(2)
    none = Comparison.of([], tasks=tasks, names=["single", "loop"], baseline="single", stopped="the limit is reached")
    assert none.recommendation == "Nothing can be recommended: no answer of single was judged."
    assert "Stopped early: the limit is reached." in none.to_markdown()
    assert "compare it with another strategy" in compared({"single": "++-"}).recommendation


def test_the_markdown_names_differences_shown_and_not_shown_lost_tasks_and_hollow_checks() -> None:
    hollow = [Hollow("an empty answer", ("t0", "t1", "t2"))]
    text = compared(GAIN, hollow=hollow, notes={"loop": "its critics are the checks"}).to_markdown()
    assert "| loop | 24 of 30 | 63 to 90 | +15 -1, p = 0.001 | 120 | 450 | $0.0300 | 1.0 s | 1.0 s |" in text
    assert "- loop is better than single beyond chance (p = 0.001)." in text
    assert "- best-of-4 is not shown to be better than single (p = 0.50): about 110 more tasks like these" in text
    assert "- loop lost 1 task: `t0` (question 0)" in text
    assert "- Checks of 3 tasks pass an empty answer: `t0` (question 0), `t1` (question 1), `t2` (question 2)" in text
    assert "- loop: its critics are the checks." in text


def test_the_markdown_counts_the_wrong_answers_that_judges_accepted() -> None:
    def told(*reasons: str) -> bool:
        tasks = tasks_of(len(reasons))
        cases = [case(task, "loop", passed=False, stop_reason=one) for task, one in zip(tasks, reasons, strict=True)]
        text = Comparison.of(cases, tasks=tasks, names=["loop"], baseline="loop").to_markdown()
        return f"- loop: its own judges accepted 3 of {len(reasons)} answers that failed; better ones may pay." in text

    assert told("accepted", "accepted", "accepted", "cycle")
    assert told("accepted", "accepted", "accepted", "cycle", "budget", "error")
    assert not told("accepted", "accepted", "cycle")
    assert not told("accepted", "accepted", "accepted", "cycle", "cycle", "cycle", "cycle")


def test_a_strategy_that_is_worse_beyond_chance_is_called_so() -> None:
    text = compared({"single": "+" * 20, "loop": "+" * 8 + "-" * 12}).to_markdown()
    assert "- loop is worse than single beyond chance" in text


def test_families_have_a_table_of_their_own() -> None:
    tasks = [Task(f"q{n}", [Check.exact("4")], metadata={"family": "ab"[n % 2]}) for n in range(4)]
    cases = [case(task, "single", passed=n < 3) for n, task in enumerate(tasks)]
    text = Comparison.of(cases, tasks=tasks, names=["single"], baseline="single").to_markdown()
    assert "| a | 2 of 2 |\n| b | 1 of 2 |" in text


def test_names_and_prompts_cannot_break_the_table() -> None:
    task = Task("a | b\n\n# `c`", [Check.exact("4")], id="x`|y")
    cases = [case(task, "single", passed=True), case(task, "my|loop\n", passed=False)]
    text = Comparison.of(cases, tasks=[task], names=["single", "my|loop\n"], baseline="single").to_markdown()
    assert "| my\\|loop |" in text
    assert "\n#" not in text
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert {line.replace("\\|", "").count("|") for line in rows} == {10}


# -- as JSON ---------------------------------------------------------------------------------------


def test_the_json_reads_back_and_has_the_rows_for_other_readers() -> None:
    comparison = compared(GAIN, hollow=[Hollow("a refusal", ("t1",))], run_id="r", notes={"loop": "noted"})
    told = json.loads(comparison.to_json())
    assert (told["version"], told["recommendation"]) == (1, comparison.recommendation)
    assert told["rows"][2]["against"] == {"gained": 15, "lost": 1, "p": pytest.approx(0.001, abs=1e-3)}
    assert len(told["cases"]) == 90
    assert Comparison.from_json(comparison.to_json()) == comparison


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not the JSON of a comparison"),
        ("[]", "not the JSON of a comparison"),
        ("{}", "need version 1 of a comparison, got None"),
        ('{"version": 2}', "need version 1 of a comparison, got 2"),
        ('{"version": 1, "names": ["a"]}', "not the JSON of a comparison: tasks"),
    ],
)
def test_json_that_is_no_comparison_is_refused(text: str, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said):
        Comparison.from_json(text)


def test_a_case_of_another_set_and_a_baseline_that_was_not_compared_are_refused() -> None:
    [task] = tasks_of(1)
    with pytest.raises(ConfigurationError, match="no task 't0' with strategy 'loop'"):
        Comparison.of([case(task, "loop", passed=True)], tasks=[task], names=["single"], baseline="single")
    with pytest.raises(ConfigurationError, match="baseline must be one of the strategies single"):
        Comparison.of([], tasks=[task], names=["single"], baseline="loop")


# -- in a test suite -------------------------------------------------------------------------------


def test_a_strategy_that_is_worse_beyond_chance_fails_an_assertion_with_the_figures() -> None:
    comparison = compared(GAIN)
    comparison.assert_not_worse("loop", than="single")
    comparison.assert_not_worse("single", than="best-of-4")
    with pytest.raises(AssertionError) as caught:
        comparison.assert_not_worse("single", than="loop")
    said = (
        "single is worse than loop on 30 tasks: it gained 1 and lost 15 (p = 5e-04, McNemar's exact test, below 0.05)"
    )
    assert str(caught.value).startswith(said)
    comparison.assert_not_worse("single", than="loop", alpha=0.0001)


def test_an_assertion_about_what_was_not_compared_is_refused() -> None:
    comparison = compared(GAIN)
    with pytest.raises(ConfigurationError, match="there is no strategy 'lop'; compared were single"):
        comparison.assert_not_worse("lop", than="single")
    with pytest.raises(ConfigurationError, match="alpha must be in"):
        comparison.assert_not_worse("loop", than="single", alpha=0.0)
    [task] = tasks_of(1)
    nothing = Comparison.of([case(task, "single", passed=True)], tasks=[task], names=["single", "a"], baseline="single")
    with pytest.raises(ConfigurationError, match="no task was judged under both"):
        nothing.assert_not_worse("a", than="single")


# -- honesty ---------------------------------------------------------------------------------------


def sets(rates: Mapping[str, float], tasks: int, count: int, seed: int) -> Sequence[Comparison]:
    """Return comparisons of simulated strategies that pass each task with a known rate."""
    chance = random.Random(seed)
    marks = (
        {name: "".join("+" if chance.random() < rate else "-" for _ in range(tasks)) for name, rate in rates.items()}
        for _ in range(count)
    )
    return [compared(one) for one in marks]


def test_intervals_cover_the_known_rates_and_differences_of_nothing_are_rarely_called_one() -> None:
    simulated = sets({"single": 0.6, "a": 0.6, "b": 0.6}, tasks=50, count=200, seed=11)
    covered = [row.interval[0] <= 0.6 <= row.interval[1] for one in simulated for row in one.rows]
    assert 0.93 <= sum(covered) / len(covered) <= 0.97
    called = [any(row.against is not None and row.against.p < 0.05 for row in one.rows) for one in simulated]
    assert sum(called) / len(called) <= 0.05


def test_a_large_difference_is_found_nearly_always() -> None:
    simulated = sets({"single": 0.4, "loop": 0.8}, tasks=60, count=50, seed=5)
    assert sum(one.recommendation.startswith("Use loop") for one in simulated) >= 48


@pytest.mark.parametrize(
    ("count", "told"), [(3, "on the 3 of 30 tasks that were judged"), (1, "on the 1 of 30 tasks that was judged")]
)
def test_a_stopped_comparison_tells_how_many_tasks_were_judged(count: int, told: str) -> None:
    tasks = tasks_of(30)
    cases = [case(task, name, passed=True) for task in tasks[:count] for name in ("single", "loop")]
    cases.append(case(tasks[count], "single", passed=None))
    names = ["single", "loop"]
    stopped = Comparison.of(cases, tasks=tasks, names=names, baseline="single", stopped="the limit is reached")
    assert told in stopped.recommendation
