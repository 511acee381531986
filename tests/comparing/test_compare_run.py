"""compare: shared first answers, equal limits, resumption, and errors."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from jido_ai.comparing.comparison import Comparison
from jido_ai.comparing.run import Progress, compare
from jido_ai.comparing.strategies import best_of, loop, self_refine, single
from jido_ai.comparing.tasks import Check, Task
from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.errors import (
    AuthenticationError,
    BadRequestError,
    ConfigurationError,
    ModelNotFoundError,
    ModelUnavailableError,
)
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import LoopNode
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.models.wrappers.with_limits import with_limits
from jido_ai.protocols import RunContext
from jido_ai.revisers.llm_reviser import LLMReviser
from jido_ai.testing import ScriptedModel
from jido_ai.values import (
    Candidate,
    Completion,
    CompletionRequest,
    CritiqueResult,
    Issue,
    LoopConfig,
    MemoryEntry,
    MemoryKind,
    Usage,
)

BAD = json.dumps(
    {"severity": 0.9, "issues": [{"message": "vague", "severity": 0.9}], "suggestions": [], "feedback": ""}
)
BETTER = "better"


def kind(request: CompletionRequest) -> str:
    """Return what is asked for: "answer", "critique" or "revision"."""
    if request.schema is not None:
        return "critique"
    return "revision" if re.search("<critique>|<findings>", request.messages[-1].content) else "answer"


def answered(request: CompletionRequest) -> str:
    """Answer by the kind of request; answers differ by their seed."""
    return {"answer": f"answer {request.seed}", "critique": BAD, "revision": BETTER}[kind(request)]


def scripted(reply: Callable[[CompletionRequest], Any] = answered, **identity: str) -> ScriptedModel:
    return ScriptedModel(reply, **identity)


def tasks(count: int, check: Check | None = None) -> list[Task]:
    return [Task(f"Say something about {name}.", [check or Check.exact("better")], id=name) for name in NAMES[:count]]


NAMES = ("apples", "bridges", "clouds", "doors", "engines", "forests", "gardens", "harbours")


def figures(comparison: Comparison) -> list[Any]:
    """Return all of a result but the times."""
    rows = [(row.name, row.passed, row.total, row.against, row.calls, row.tokens) for row in comparison.rows]
    cases = [(one.task_id, one.strategy, one.repeat, one.answer, one.calls, one.passed) for one in comparison.cases]
    return [rows, cases, comparison.recommendation]


# -- sharing and limits ------------------------------------------------------------------------------


def verdict(*, is_met: bool) -> str:
    """Return the reply of a judge of one criterion."""
    rest = {"kind": "x", "line": None, "quote": ""}
    one = {"criterion": 1, "met": is_met, "problem": "" if is_met else "bad", "severity": 0.9 * (not is_met), **rest}
    return json.dumps({"verdicts": [one], "suggestions": [], "feedback": ""})


async def test_the_first_answer_is_asked_for_once_and_counted_for_each_strategy() -> None:
    model = scripted()
    strategies = {"single": single(model), "best": best_of(model, 3), "loop": Pipeline(model, model, model)}
    result = await compare(tasks(2), strategies)
    plain = [request.messages[-1].content for request in model.requests if kind(request) == "answer"]
    assert plain.count("Say something about apples.") == 3  # three samples, of which the first is everybody's
    assert [row.calls for row in result.rows] == [2, 8, 8]
    assert result.row("single").tokens > 0


async def test_answers_of_repeats_and_of_different_models_are_not_shared() -> None:
    one, other = scripted(), scripted()
    result = await compare(tasks(1), {"single": single(one), "other": single(other)}, repeats=2)
    assert [len(model.requests) for model in (one, other)] == [2, 2]
    assert len({request.seed for request in one.requests}) == 2
    assert result.row("other").total == 2


async def test_a_model_by_two_objects_with_an_address_is_one_model() -> None:
    one, other = scripted(base_url="http://a.example"), scripted(base_url="http://a.example")
    await compare(tasks(2), {"single": single(one), "other": single(other)})
    assert len(one.requests) + len(other.requests) == 2


@pytest.mark.parametrize("limit", [1, 2, 4, 5])
async def test_no_strategy_makes_more_calls_than_the_limit(limit: int) -> None:
    model = scripted()
    config = LoopConfig(max_iterations=20, patience=20)
    strategies = {
        "single": single(model),
        "best-of-9": best_of(model, 9),
        "critic": best_of(model, 9, critic=model),
        "self-refine": self_refine(model),
        "loop": loop(model),
        "loop+memory": loop(model, memory=True),
        "pipeline": Pipeline(model, model, model, config=config),
        "graph": Graph(
            {"a": LoopNode("{prompt}", generator=model, critiquer=model, reviser=model, config=config)},
            inputs=["prompt"],
            output="a",
        ),
    }
    result = await compare(tasks(2), strategies, max_calls=limit)
    assert {case.calls for case in result.cases if case.strategy != "single"} == {limit} | (
        {4} if limit == 5 else set()
    )
    assert all(case.calls <= limit for case in result.cases)
    without = {case.strategy for case in result.cases if not case.answer}
    assert without == ({"graph"} if limit == 1 else set())  # an output that nobody judged is none


async def test_the_order_of_the_tasks_follows_from_the_seed() -> None:
    async def order(seed: int) -> list[str]:
        model = scripted()
        await compare(tasks(8), {"single": single(model)}, seed=seed, max_concurrency=1)
        return [request.messages[-1].content for request in model.requests]

    assert await order(1) == await order(1)
    assert await order(1) != await order(2)


async def test_progress_is_reported_after_each_case_with_the_time_left() -> None:
    told: list[Progress] = []
    await compare(tasks(3), {"single": single(scripted())}, progress=told.append)
    assert [one.done for one in told] == [0, 1, 2, 3]
    assert {one.total for one in told} == {3}
    assert told[0].left_s is None
    assert told[-1].left_s == 0.0
    assert told[-1].calls == 3


# -- going on ----------------------------------------------------------------------------------------


def five(model: ScriptedModel) -> dict[str, Any]:
    return {
        "single": single(model),
        "best": best_of(model, 3),
        "refine": self_refine(model),
        "loop": loop(model),
        "memory": loop(model, memory=True),
    }


async def test_a_comparison_that_was_cancelled_again_and_again_comes_to_the_same_result(tmp_path: Path) -> None:
    whole = scripted()
    expected = figures(await compare(tasks(4), five(whole), memory=tmp_path / "whole.db", run_id="r"))
    asked: list[str] = []
    runs: list[asyncio.Task[Comparison]] = []
    for stop_after in (3, 9, 5, 1_000):
        began = len(asked)

        async def reply(request: CompletionRequest, last: int = began + stop_after) -> str:
            if len(asked) == last:
                runs[-1].cancel()
                await asyncio.Event().wait()
            asked.append(request.model_dump_json(exclude={"timeout_s"}))
            return answered(request)

        runs.append(
            asyncio.create_task(
                compare(tasks(4), five(scripted(reply)), memory=tmp_path / "m.db", run_id="r", max_concurrency=1)
            )
        )
        with suppress(asyncio.CancelledError):
            assert figures(await runs[-1]) == expected
    assert [one.cancelled() for one in runs] == [True, True, True, False]
    assert len(asked) == len(set(asked)) == len(whole.requests)


async def test_a_finished_comparison_asks_nothing_again(tmp_path: Path) -> None:
    results: list[Comparison] = []
    for calls in (3 + 3 * 3, 0):
        model = scripted()
        strategies = {"single": single(model), "loop": Pipeline(model, model, model)}
        results.append(await compare(tasks(3), strategies, memory=tmp_path / "m.db", run_id="r"))
        assert len(model.requests) == calls
    assert results[0].to_json() == results[1].to_json()


async def test_other_checks_judge_the_kept_answers(tmp_path: Path) -> None:
    for check, passed, calls in ((Check.exact("no"), 0, 2), (Check.contains("answer"), 2, 0)):
        model = scripted()
        result = await compare(tasks(2, check), {"single": single(model)}, memory=tmp_path / "m.db", run_id="r")
        assert (result.row("single").passed, len(model.requests)) == (passed, calls)


def is_word(word: str) -> Check:
    return Check.function(lambda answer: answer == word)


def is_default(word: str) -> Check:
    return Check.function(lambda answer, wanted=word: answer == wanted)


@dataclass(slots=True)
class Is:
    word: str

    def __call__(self, answer: str) -> bool:
        return answer == self.word


CODES: tuple[Any, ...] = (lambda answer: answer.islower(), lambda answer: answer.isupper())
CHANGES: dict[str, tuple[Check, Check]] = {
    "closure": (is_word("better"), is_word("worse")),
    "default": (is_default("better"), is_default("worse")),
    "object": (Check.function(Is("better")), Check.function(Is("worse"))),
    "part": (Check.function(partial(str.__eq__, "better")), Check.function(partial(str.__eq__, "worse"))),
    "method": (Check.function("better".__eq__), Check.function("worse".__eq__)),
    "code": (Check.function(CODES[0]), Check.function(CODES[1])),
}


@pytest.mark.parametrize("change", CHANGES)
async def test_an_answer_is_judged_again_once_the_function_has_changed(tmp_path: Path, change: str) -> None:
    passed: list[float] = []
    for check in (*CHANGES[change], *CHANGES[change]):
        model = scripted(lambda _: "better", base_url="http://a.example")
        task = Task("Say better.", [check], id="a")
        result = await compare([task], {"single": single(model)}, memory=tmp_path / "m.db", run_id="r")
        passed.append(result.row("single").passed)
    assert passed == [1, 0, 1, 0]


@pytest.mark.parametrize("kind", ["rules", "command"])
async def test_an_answer_is_judged_again_once_the_file_of_a_check_has_changed(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "check.txt"
    check = Check.rules(path) if kind == "rules" else Check.command(["grep", "-q", "-f", str(path)])
    passed: list[float] = []
    for word in ("better", "worse"):
        path.write_text(f'[[rules]]\nname = "r"\nmust_match = "{word}"\nmessage = "m"\n' if kind == "rules" else word)
        model = scripted(lambda _: "better", base_url="http://a.example")
        result = await compare(tasks(1, check), {"single": single(model)}, memory=tmp_path / "m.db", run_id="r")
        passed.append(result.row("single").passed)
    assert passed == [1, 0]


async def test_another_judge_judges_the_kept_answer_again(tmp_path: Path) -> None:
    model = scripted(lambda _: "better", base_url="http://a.example")
    for name, passed, asked in (("lenient", 1, 1), ("strict", 0, 1), ("lenient", 1, 0)):
        judge = scripted(lambda _, passed=passed: verdict(is_met=bool(passed)), model=name, base_url="http://j.example")
        check = Check.judge(judge, "It is good.")
        result = await compare(tasks(1, check), {"single": single(model)}, memory=tmp_path / "m.db", run_id="r")
        assert (result.row("single").passed, len(judge.requests)) == (passed, asked)
    assert len(model.requests) == 1


async def test_a_judge_that_was_asked_once_is_counted_once_after_a_resume(tmp_path: Path) -> None:
    model = scripted(lambda _: "better", base_url="http://a.example")
    judge = scripted(lambda _: verdict(is_met=True), base_url="http://j.example")
    for strategies in ({"single": single(model)}, {"single": single(model), "best": best_of(model, 2)}):
        check = Check.judge(judge, "It is good.")
        result = await compare(tasks(1, check), strategies, memory=tmp_path / "m.db", run_id="r")
        assert sum(one.verdict.judge_calls for one in result.cases if one.verdict) == len(judge.requests) == 1
    assert "Judges took 1 call (" in result.to_markdown()


def test_the_identity_of_a_function_is_the_same_in_every_process() -> None:
    code = (
        "from jido_ai.comparing.judging import identity_of_check\n"
        "from jido_ai.comparing.tasks import Check\n"
        "def made(words):\n"
        "    def recursive(answer): return answer in {'a', 'b', 'c', 'd'} or answer in words or recursive(answer[1:])\n"
        "    return recursive\n"
        "print(identity_of_check(Check.function(made({'x', 'y', 'z'})), {}, None))"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, **seed}
        ).stdout
        for seed in ({"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2"})
    }
    assert len(told) == 1


async def test_more_tasks_and_strategies_ask_only_for_what_is_missing(tmp_path: Path) -> None:
    model = scripted(base_url="http://a.example")
    await compare(tasks(2), {"single": single(model)}, memory=tmp_path / "m.db", run_id="r")
    result = await compare(
        tasks(3), {"single": single(model), "best": best_of(model, 2)}, memory=tmp_path / "m.db", run_id="r"
    )
    assert len(model.requests) == 2 + 1 + 3 + 3  # a second sample, and the model's own verdict
    assert result.row("best").calls == 9


async def test_each_model_without_an_address_keeps_its_answers_when_strategies_are_reordered_or_added(
    tmp_path: Path,
) -> None:
    models = {name: scripted(lambda _, name=name: f"answer of {name}") for name in ("first", "second", "third")}
    for names in (("first", "second"), ("second", "first"), ("third", "second", "first")):
        strategies = {name: best_of(models[name], 2, picks="most_frequent") for name in names}
        result = await compare(tasks(2), strategies, max_calls=2, memory=tmp_path / "m.db", run_id="r", seed=len(names))
        assert {(case.strategy, case.answer) for case in result.cases} == {(one, f"answer of {one}") for one in names}
    assert {name: len(model.requests) for name, model in models.items()} == {"first": 8, "second": 8, "third": 4}


async def test_the_answers_of_a_shared_model_without_an_address_are_kept_under_the_first_name(tmp_path: Path) -> None:
    model = scripted()
    options: dict[str, Any] = {"memory": tmp_path / "m.db", "run_id": "r"}
    await compare(tasks(2), {"b": single(model), "a": single(model)}, **options)
    await compare(tasks(2), {"a": single(model), "c": single(model), "b": single(model)}, **options)
    assert len(model.requests) == 2


async def test_a_run_id_that_no_scope_has_room_for_is_refused(tmp_path: Path) -> None:
    model = scripted()
    strategies = {"learns": loop(model, memory=True)}
    with pytest.raises(ConfigurationError, match="at most 200 characters, got 201"):
        await compare(tasks(1), strategies, memory=tmp_path / "m.db", run_id="r" * 201)
    assert not model.requests
    result = await compare(tasks(1), strategies, memory=tmp_path / "m.db", run_id="r" * 200)
    assert result.row("learns").failed == 0


async def test_another_run_id_begins_anew(tmp_path: Path) -> None:
    model = scripted()
    for run_id in ("one", "two"):
        await compare(tasks(2), {"single": single(model)}, memory=tmp_path / "m.db", run_id=run_id)
    assert len(model.requests) == 4


@pytest.mark.parametrize("concurrency", [1, 4])
async def test_comparisons_of_one_id_share_the_work_and_have_the_same_result(tmp_path: Path, concurrency: int) -> None:
    are_two_at_it = asyncio.Event()

    async def reply(request: CompletionRequest) -> str:
        if sum(bool(model.requests) for model in models) > 1:
            are_two_at_it.set()
        await are_two_at_it.wait()
        return answered(request)

    whole = scripted()
    expected = figures(await compare(tasks(6), five(whole), repeats=2))
    models = [scripted(reply) for _ in range(3)]
    options: dict[str, Any] = {"repeats": 2, "run_id": "r", "max_concurrency": concurrency}
    found = await asyncio.gather(
        *(compare(tasks(6), five(model), memory=tmp_path / "m.db", **options) for model in models)
    )
    assert [figures(one) for one in found] == [expected] * 3
    asked = [request.model_dump_json(exclude={"timeout_s"}) for model in models for request in model.requests]
    assert len(asked) == len(set(asked)) == len(whole.requests)


async def test_a_case_that_a_cancelled_helper_had_begun_is_made_by_the_others(tmp_path: Path) -> None:
    helper: list[asyncio.Task[Comparison]] = []
    is_cancelled = asyncio.Event()

    async def reply(request: CompletionRequest) -> str:
        if len(gone.requests) == 5:
            helper[0].cancel()
            is_cancelled.set()
            await asyncio.Event().wait()
        return answered(request)

    async def reply_of_the_other(request: CompletionRequest) -> str:
        await is_cancelled.wait()
        return answered(request)

    whole, gone, left = scripted(), scripted(reply), scripted(reply_of_the_other)
    expected = figures(await compare(tasks(6), five(whole)))
    options: dict[str, Any] = {"memory": tmp_path / "m.db", "run_id": "r", "max_concurrency": 1}
    helper.append(asyncio.create_task(compare(tasks(6), five(gone), **options)))
    result = await compare(tasks(6), five(left), **options)
    with pytest.raises(asyncio.CancelledError):
        await helper[0]
    assert figures(result) == expected
    assert len(gone.requests) + len(left.requests) == len(whole.requests) + 1  # the call in flight


# -- errors ------------------------------------------------------------------------------------------


async def test_the_error_of_one_task_is_in_its_case_and_goes_away_later(tmp_path: Path) -> None:
    def failing(request: CompletionRequest) -> Any:
        is_bad = "bridges" in request.messages[-1].content
        return BadRequestError("too odd", provider="scripted") if is_bad else "better"

    result = await compare(tasks(3), {"single": single(scripted(failing))}, memory=tmp_path / "m.db", run_id="r")
    (case,) = [case for case in result.cases if case.task_id == "bridges"]
    assert case.answer is None
    assert case.verdict is None
    assert "too odd" in str(case.error)
    assert result.row("single").passed == 2
    model = scripted(lambda _: "better")
    result = await compare(tasks(3), {"single": single(model)}, memory=tmp_path / "m.db", run_id="r")
    assert result.row("single").passed == 3
    assert len(model.requests) == 1


@pytest.mark.parametrize("kind", [ModelNotFoundError, AuthenticationError])
async def test_a_model_that_cannot_be_used_ends_it_before_the_second_call(kind: type[Exception]) -> None:
    model = scripted(lambda _: kind("none", provider="scripted"))  # type: ignore[call-arg]
    with pytest.raises(kind):
        await compare(tasks(8), {"single": single(model), "loop": Pipeline(model, model, model)})
    assert len(model.requests) == 1


async def test_a_model_that_never_answers_ends_it_soon() -> None:
    model = scripted(lambda _: ModelUnavailableError("away", provider="scripted"))
    with pytest.raises(ModelUnavailableError):
        await compare(tasks(8), {"single": single(model), "best": best_of(model, 4)})
    assert len(model.requests) <= 4


async def test_a_check_function_that_raises_is_an_error_of_the_case() -> None:
    def check(_: str) -> bool:
        raise RuntimeError("broken check")

    result = await compare([Task("a", [Check.function(check)], id="a")], {"single": single(scripted())})
    assert "broken check" in str(result.cases[0].error)
    assert result.cases[0].is_unjudged


async def test_a_comparison_that_reaches_its_cost_limit_is_partial_and_can_be_continued(tmp_path: Path) -> None:
    def reply(request: CompletionRequest) -> Completion:
        return Completion(answered(request), usage=Usage(1, 10, 10, cost_usd=0.01))

    model = scripted(reply)
    options: dict[str, Any] = {"memory": tmp_path / "m.db", "run_id": "r", "max_concurrency": 1}
    some = await compare(tasks(8), {"single": single(model)}, max_cost_usd=0.05, **options)
    assert len(model.requests) == 5
    assert some.row("single").total == 5
    assert "$0.05" in str(some.stopped)
    whole = await compare(tasks(8), {"single": single(model)}, max_cost_usd=1.0, **options)
    assert whole.stopped is None
    assert whole.row("single").total == len(model.requests) == 8
    assert whole.row("single").cost_usd == pytest.approx(0.08)


async def test_a_limit_of_cost_needs_a_price_before_the_first_call() -> None:
    model = scripted()
    with pytest.raises(ConfigurationError, match="price"):
        await compare(tasks(1), {"single": single(with_limits(model))}, max_cost_usd=1.0)
    assert not model.requests


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"tasks": []}, "at least one task"),
        ({"strategies": {}}, "strategies"),
        ({"strategies": {"a": "gpt"}}, "'a'"),
        ({"strategies": {"": single(scripted())}}, "name"),
        ({"max_calls": 0}, "max_calls"),
        ({"max_calls": None}, "max_answer_usd"),
        ({"repeats": 0}, "repeats"),
        ({"seed": 1.5}, "seed"),
        ({"max_cost_usd": 0}, "max_cost_usd"),
        ({"critics": "tests"}, "critics"),
        ({"timeout_s": float("nan")}, "timeout_s"),
    ],
)
async def test_an_argument_that_can_never_work_is_refused_at_once(arguments: dict[str, Any], told: str) -> None:
    model = scripted()
    given = {"tasks": tasks(1), "strategies": {"single": single(model)}, **arguments}
    with pytest.raises(ConfigurationError, match=told):
        await compare(given.pop("tasks"), given.pop("strategies"), **given)
    assert not model.requests


# -- lessons -----------------------------------------------------------------------------------------


class _Learner:
    """Generates a bad answer, and revises it to a good one; notes which lessons it was offered for which prompt."""

    def __init__(self) -> None:
        self.offered: list[tuple[str, tuple[str, ...]]] = []

    async def generate(self, prompt: str, context: RunContext) -> str:
        self.offered.append((prompt, tuple(lesson.prompt for lesson in context.lessons)))
        return f"bad {prompt}"

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        is_bad = candidate.content.startswith("bad")
        return CritiqueResult(severity=0.9 if is_bad else 0.0, issues=[Issue("it is bad")] if is_bad else [])

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        return candidate.content.replace("bad", "good")


async def test_a_lesson_is_offered_to_other_tasks_and_never_to_its_own() -> None:
    learner = _Learner()
    same = "Write a function that parses a date of the form {}, and returns it"
    alike = [Task(same.format(name), [Check.contains("good")], id=name) for name in ("iso", "german", "us", "unix")]
    memory = ReflexionMemory(similarity="weighted")
    async with memory:
        pipeline = Pipeline(learner, learner, learner, memory)
        result = await compare(alike, {"loop": pipeline}, repeats=3, memory=memory, run_id="r")
    assert result.row("loop").passed == 12
    assert len(learner.offered) == 12
    assert sum(bool(lessons) for _, lessons in learner.offered) >= 9
    assert not [prompt for prompt, lessons in learner.offered if prompt in lessons]


async def test_a_lesson_of_a_try_that_was_killed_is_not_offered_to_its_own_task(tmp_path: Path) -> None:
    class Dying(_Learner):
        """Is gone after the first run has learned."""

        async def generate(self, prompt: str, context: RunContext) -> str:
            if len(self.offered) == 1:
                raise asyncio.CancelledError
            return await super().generate(prompt, context)

    prompts = (
        "Write a function that parses a date of the form iso",
        "Write a function that parses a date of the form us",
    )
    both = [Task(prompt, [Check.contains("good")], id=prompt[-3:]) for prompt in prompts]
    dying, learner = Dying(), _Learner()
    async with ReflexionMemory(tmp_path / "m.db", similarity="weighted") as memory:
        await compare(both, {"loop": Pipeline(dying, dying, dying, memory)}, memory=memory, run_id="r")
        kept = await memory.records("compared", key="r", kind="case")
        await memory.drop_records("compared", key="r")  # the cases are lost, the lessons are there
        assert kept
        await compare(both, {"loop": Pipeline(learner, learner, learner, memory)}, memory=memory, run_id="r")
    assert learner.offered
    assert not [prompt for prompt, lessons in learner.offered if prompt in lessons]


async def test_a_killed_try_leaves_the_merged_lesson_of_another_task() -> None:
    class Advising(_Learner):
        """Learns the same from each task."""

        async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
            given = {"kind": MemoryKind.SEMANTIC, "scope": context.scope, "evidence": (context.run_id,)}
            await memory.store(MemoryEntry(context.prompt, "it is bad", "the same advice", **given))
            return await super().revise(candidate, critique, context)

    async def lesson() -> MemoryEntry:
        (found,) = [one for one in await memory.list_entries() if one.correction == "the same advice"]
        return found

    first, second = tasks(2, Check.contains("good"))
    learner = Advising()
    async with ReflexionMemory(similarity="weighted") as memory:
        strategies = {"loop": Pipeline(learner, learner, learner, memory)}
        await compare([first, second], strategies, memory=memory, run_id="r")
        newest = (await lesson()).prompt
        before = set((await lesson()).evidence)
        await memory.drop_records("compared", key="r")  # the cases are lost, the lessons are there
        learner.offered.clear()
        again = next(task for task in (first, second) if task.prompt == newest)
        await compare([again], strategies, memory=memory, run_id="r")
        after = set((await lesson()).evidence)
    assert [len(before), len(after), len(before & after)] == [2, 2, 1]
    assert newest not in learner.offered[0][1]


# -- strategies --------------------------------------------------------------------------------------


async def test_an_oracle_picks_by_the_checks_and_is_called_one() -> None:
    model = scripted()
    third = Check.exact("answer 3")
    result = await compare(
        tasks(1, third), {"single": single(model), "oracle": best_of(model, 4, picks="checks")}, seed=0
    )
    assert result.row("oracle").passed == 1
    assert result.row("oracle").calls == 3
    assert "oracle" in result.notes["oracle"]
    assert "oracle" in result.to_markdown()


async def test_the_most_frequent_answer_is_picked_apart_from_white_space() -> None:
    said = {1: "no", 2: " yes", 3: "yes\n", 4: "maybe"}
    model = scripted(lambda request: said[request.seed or 0])
    result = await compare(tasks(1), {"best": best_of(model, 4)}, max_calls=4)
    assert str(result.cases[0].answer).strip() == "yes"


async def test_the_model_chooses_among_its_answers_if_a_call_is_left() -> None:
    model = scripted(lambda request: "Answer 2." if "Answer 1:" in request.messages[-1].content else f"a{request.seed}")
    result = await compare(tasks(1), {"best": best_of(model, 3)}, max_calls=4)
    assert (result.cases[0].answer, result.cases[0].calls) == ("a2", 4)


@pytest.mark.parametrize("reply", ["none of them", "7", "0"])
async def test_without_a_usable_verdict_the_most_frequent_answer_is_picked(reply: str) -> None:
    said = {1: "no", 2: "yes", 3: "yes"}
    model = scripted(
        lambda request: reply if "Answer 1:" in request.messages[-1].content else said.get(request.seed or 0, reply)
    )
    result = await compare(tasks(1), {"best": best_of(model, 3, picks="verdict")}, max_calls=9)
    assert result.cases[0].answer == "yes"


async def test_a_critic_that_is_a_function_picks_without_calls() -> None:
    def critic(candidate: Candidate, _: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.0 if candidate.content == "answer 2" else 0.5)

    result = await compare(tasks(1), {"best": best_of(scripted(), 4, critic=critic)})
    assert (result.cases[0].answer, result.cases[0].calls) == ("answer 2", 4)


@pytest.mark.parametrize(
    "options", [{"n": 0}, {"n": 101}, {"n": True}, {"n": 2, "picks": "best"}, {"n": 2, "picks": "critic"}]
)
def test_a_best_of_that_can_never_work_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        best_of(scripted(), **options)


async def test_the_checks_as_critics_judge_in_every_strategy_and_leave_pipelines_as_they_were() -> None:
    judged: list[str] = []

    def critic(candidate: Candidate, _: RunContext) -> CritiqueResult:
        judged.append(candidate.content)
        return CritiqueResult(severity=0.0)

    model = scripted(lambda request: "answer 1" if kind(request) == "answer" else BETTER)
    pipeline = Pipeline(LLMGenerator(model), critic, LLMReviser(model))
    strategies = {"single": single(model), "pipeline": pipeline, "loop": loop(model)}
    result = await compare(tasks(1), strategies, critics="checks")
    assert [row.passed for row in result.rows] == [0, 1, 1]
    assert not judged
    assert not [request for request in model.requests if kind(request) == "critique"]
    async with pipeline:
        await pipeline.run("a")
    assert judged


async def test_a_graph_with_several_inputs_is_refused() -> None:
    model = scripted()
    graph = Graph({"a": LoopNode("{x} {y}", generator=model, critiquer=model)}, inputs=["x", "y"], output="a")
    with pytest.raises(ConfigurationError, match="one input"):
        await compare(tasks(1), {"graph": graph})


async def test_a_pipeline_that_runs_is_used_and_stays_open() -> None:
    model = scripted()
    async with Pipeline(LLMGenerator(model), LLMCritiquer(model), LLMReviser(model)) as pipeline:
        await compare(tasks(2), {"loop": pipeline})
        assert (await pipeline.run("a")).iterations


async def test_the_text_to_improve_is_given_to_every_strategy() -> None:
    model = scripted()
    task = Task("Improve it.", [Check.exact("better")], initial_candidate="the text", id="a")
    await compare([task], {"single": single(model), "loop": Pipeline(model, model, model)})
    first = {kind(one): one.messages[-1].content for one in reversed(model.requests)}
    assert len(first) == 3
    assert all("the text" in text for text in first.values())
