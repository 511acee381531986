"""Reflexion, Self-Refine with rounds, and functions as strategies of a comparison."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jido_ai import ConfigurationError
from jido_ai.learning import Check, Task, best_of, compare, reflexion, self_refine
from jido_ai.testing import ScriptedModel

TASKS = [Task("What is 2 + 2?", [Check.exact("4")])]


def asked(request: Any) -> str:
    return "\n".join(message.content for message in request.messages)


async def test_reflexion_writes_anew_with_its_reflections_until_the_checks_pass() -> None:
    def reply(request: Any) -> str:
        text = asked(request)
        if "You failed at a task" in text:
            return "I added one too many; count again."
        return "4" if "count again" in text else "5"

    model = ScriptedModel(reply)
    result = await compare(TASKS, {"reflexion": reflexion(model)}, critics="checks")
    assert [(case.passed, case.calls, case.stop_reason) for case in result.cases] == [(True, 3, "accepted")]
    assert "count again" in asked(model.requests[-1])


async def test_reflexion_shows_the_newest_three_reflections_and_stops_after_its_trials() -> None:
    notes = iter(range(100))
    model = ScriptedModel(lambda request: f"note {next(notes)}" if "You failed at a task" in asked(request) else "5")
    result = await compare(TASKS, {"reflexion": reflexion(model, 5)}, critics="checks", max_calls=20)
    assert [(case.passed, case.calls) for case in result.cases] == [(False, 9)]
    last = next(asked(request) for request in reversed(model.requests) if "Your reflections" in asked(request))
    assert [n for n in range(5) if f"note {n}" in last] == [1, 2, 3]


async def test_self_refine_revises_until_it_is_content_at_most_as_often_as_asked() -> None:
    answers = iter("56784")

    def reply(request: Any) -> str:
        if request.schema is None:
            return next(answers)
        bad = "\n4\n" not in asked(request)
        issues = [{"message": "wrong", "severity": 0.9, "kind": "wrong", "line": None, "quote": ""}] if bad else []
        return json.dumps({"issues": issues, "suggestions": [], "feedback": "", "severity": 0.9 if bad else 0.0})

    result = await compare(TASKS, {"self-refine": self_refine(ScriptedModel(reply), 4)}, max_calls=10)
    assert [(case.passed, case.calls) for case in result.cases] == [(True, 10)]


@pytest.mark.parametrize("is_async", [False, True])
async def test_a_plain_function_of_the_prompt_is_a_strategy(is_async: bool) -> None:
    def plain(prompt: str) -> str:
        return str(eval(prompt.removeprefix("What is ").rstrip("?")))

    async def later(prompt: str) -> str:
        return plain(prompt)

    result = await compare(TASKS, {"mine": later if is_async else plain})
    assert [case.answer for case in result.cases] == ["4"]


async def test_a_function_that_fails_is_a_run_without_an_answer() -> None:
    def broken(prompt: str) -> str:
        raise KeyError(prompt)

    result = await compare(TASKS, {"mine": broken})
    assert [(case.answer, case.stop_reason) for case in result.cases] == [(None, "error")]
    assert "KeyError" in (result.cases[0].error or "")


def test_counts_out_of_range_are_refused() -> None:
    for make in (
        lambda: reflexion("ollama:m", 0),
        lambda: self_refine("ollama:m", 100),
        lambda: best_of("ollama:m", True),
    ):
        with pytest.raises(ConfigurationError, match="must be a whole number"):
            make()


async def test_progress_true_draws_a_bar(capsys: pytest.CaptureFixture[str]) -> None:
    await compare(TASKS, {"mine": lambda _: "4"}, progress=True)
    assert capsys.readouterr().err.endswith("1 of 1\n")
