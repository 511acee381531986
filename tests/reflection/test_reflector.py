"""Reflector: a model first, diagnosis if it fails, and no errors of its own."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

import pytest

from jido_ai.errors import (
    BudgetExceededError,
    ConfigurationError,
    ModelUnavailableError,
    ParseError,
    RateLimitError,
)
from jido_ai.models.prompts.reflection import ReflectionPrompt
from jido_ai.models.spending import Spending
from jido_ai.protocols import RunContext
from jido_ai.reflection import reflector as reflector_module
from jido_ai.reflection.reflector import Reflector
from jido_ai.testing import ScriptedModel
from jido_ai.values import Budget, Completion, CritiqueResult, Episode, ErrorClass, Event, Issue, Reflection

EPISODE = Episode("sort a list", outcome="failure", error="IndexError: list index out of range")
REPLY = json.dumps(
    {"root_cause": "c", "problem": "p", "lesson": "l", "confidence": 0.9, "importance": 0.6, "strategy": "", "tags": []}
)


@pytest.mark.rows("H38")
async def test_without_a_model_diagnosis_answers() -> None:
    reflection = await Reflector().reflect(EPISODE)
    assert (reflection.source, reflection.error_class) == ("fallback", ErrorClass.INDEX)
    assert reflection.importance == 0.7  # of a failure


@pytest.mark.parametrize(("issues", "at_once"), [(5, True), (500, False)])
async def test_many_errors_are_diagnosed_and_told_beside_the_event_loop(
    issues: int, at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []
    reflector = Reflector(ScriptedModel([REPLY]))
    for home, name in ((reflector_module, "diagnose"), (ReflectionPrompt, "messages")):
        work = getattr(home, name)

        def noted(*args: Any, work: Any = work) -> Any:
            threads.append(threading.get_ident())
            return work(*args)

        monkeypatch.setattr(home, name, noted)
    critique = CritiqueResult(severity=0.9, issues=tuple(Issue(f"row {n} has an unused name") for n in range(issues)))
    assert (await reflector.reflect(Episode("task", critique=critique, outcome="failure"))).lesson == "l"
    assert [thread == threading.get_ident() for thread in threads] == [at_once] * 2


@pytest.mark.rows("C4")
async def test_a_model_is_asked_with_a_schema() -> None:
    model = ScriptedModel([REPLY])
    reflection = await Reflector(model).reflect(EPISODE)
    assert (reflection.lesson, reflection.source, reflection.importance) == ("l", "llm", 0.6)
    assert reflection.error_class is ErrorClass.INDEX
    (request,) = model.requests
    assert (request.temperature, request.max_tokens) == (0.7, 1_000)
    assert request.schema is not None


async def test_a_reply_that_cannot_be_read_is_asked_for_once_more() -> None:
    model = ScriptedModel(["I am not sure.", REPLY])
    reflection = await Reflector(model).reflect(EPISODE)
    assert reflection.lesson == "l"
    assert reflection.metadata["asked_again"] is True


@pytest.mark.rows("H22", "C12", "R20")
@pytest.mark.parametrize(
    "replies",
    [
        [ModelUnavailableError("down", provider="scripted")],
        [RateLimitError("wait", provider="scripted")],
        ["nonsense", "more nonsense"],
        [Completion("half", finish_reason="length")] * 2,
        [Completion("no", finish_reason="refusal")],
        [RuntimeError("the client broke")],
        [ConnectionResetError("reset by peer")],
    ],
    ids=["down", "rate limit", "unreadable", "truncated", "refused", "broken", "reset"],
)
async def test_diagnosis_answers_however_the_model_fails(replies: list[Any]) -> None:
    reflector = Reflector(ScriptedModel(replies))
    reflection = await reflector.reflect(EPISODE)
    assert (reflection.source, reflection.error_class) == ("fallback", ErrorClass.INDEX)
    assert reflection.metadata["fell_back"]
    assert reflector.fallbacks == 1


@pytest.mark.rows("C12")
async def test_the_reply_of_the_model_is_kept() -> None:
    reflection = await Reflector(ScriptedModel(["nonsense", "more nonsense"])).reflect(EPISODE)
    assert reflection.raw == "more nonsense"


@pytest.mark.rows("R20")
@pytest.mark.parametrize(
    ("replies", "error"),
    [([ModelUnavailableError("down", provider="scripted")], ModelUnavailableError), (["x", "x"], ParseError)],
    ids=["down", "unreadable"],
)
async def test_a_strict_one_raises(replies: list[Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        await Reflector(ScriptedModel(replies), strict=True).reflect(EPISODE)


async def test_an_exhausted_budget_falls_back_to_diagnosis() -> None:
    model = ScriptedModel([REPLY])
    context = RunContext(run_id="r", prompt="p", meter=Spending(Budget(max_calls=0)))
    reflection = await Reflector(model).reflect(EPISODE, context=context)
    assert reflection.source == "fallback"
    assert model.requests == []
    with pytest.raises(BudgetExceededError):
        await Reflector(model, strict=True).reflect(EPISODE, context=context)


async def test_priors_go_out_and_lower_the_fallbacks_confidence() -> None:
    model = ScriptedModel([REPLY])
    prior = Reflection("try harder")
    await Reflector(model).reflect(EPISODE, [prior])
    assert "try harder" in model.requests[0].messages[-1].content
    assert (await Reflector().reflect(EPISODE, [prior, prior])).confidence == pytest.approx(0.54)


async def test_a_cancellation_is_not_swallowed() -> None:
    async def hang(request: Any) -> str:
        await asyncio.Event().wait()
        return ""

    task = asyncio.ensure_future(Reflector(ScriptedModel(hang)).reflect(EPISODE))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("events", [0, 10_000])
async def test_any_trace_can_be_reflected_on(events: int) -> None:
    episode = Episode("p", events=tuple(Event("system_event", "x" * 100) for _ in range(events)))
    assert (await Reflector(ScriptedModel([REPLY])).reflect(episode)).lesson == "l"


@pytest.mark.rows("H22")
@pytest.mark.parametrize("junk", [None, "text", {"prompt": "p"}])
async def test_only_an_episode_can_be_reflected_on(junk: Any) -> None:
    with pytest.raises(ConfigurationError, match="Episode"):
        await Reflector().reflect(junk)


@pytest.mark.parametrize("junk", [None, "text", ["text"], [None], 3])
async def test_only_reflections_can_be_priors(junk: Any) -> None:
    with pytest.raises(ConfigurationError, match="priors"):
        await Reflector().reflect(EPISODE, junk)


@pytest.mark.rows("C33")
async def test_the_reason_for_the_fallback_contains_no_secret() -> None:
    model = ScriptedModel([RuntimeError("refused with password=hunter2hunter2")])
    told = (await Reflector(model).reflect(EPISODE)).metadata["fell_back"]
    assert "RuntimeError" in told
    assert "hunter2" not in told


@pytest.mark.parametrize("bad", [{"depth": "deep"}, {"max_chars": 3}, {"template": "no task"}, {"temperature": -1.0}])
def test_a_setting_that_can_never_work_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        Reflector(ScriptedModel([]), **bad)
