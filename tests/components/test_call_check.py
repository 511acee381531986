"""Components that are called by hand: what is no context, candidate or critique is refused by one typed error."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from jido_ai.critics.criteria import DeterministicCritiquer, FallbackCritiquer
from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.critics.pytest_executor import PytestExecutor
from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.errors import ConfigurationError
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.protocols import RunContext
from jido_ai.reflection.reflector import Reflector
from jido_ai.revisers.chain_reviser import ChainReviser
from jido_ai.revisers.llm_reviser import LLMReviser
from jido_ai.revisers.targeted_reviser import TargetedReviser
from jido_ai.testing import ScriptedModel
from jido_ai.values import Candidate, CritiqueResult, Episode, Issue

GIVEN: dict[str, Any] = {
    "prompt": "task",
    "candidate": Candidate("import os\n"),
    "critique": CritiqueResult(severity=0.5, issues=(Issue("t", kind="test"), Issue("r", rule="F401"))),
    "context": RunContext("run", "task"),
}
GENERATE = ("prompt", "context")
CRITIQUE = ("candidate", "context")
REVISE = ("candidate", "critique", "context")


def calls(model: ScriptedModel) -> dict[str, tuple[Callable[..., Awaitable[object]], tuple[str, ...]]]:
    return {
        "LLMGenerator": (LLMGenerator(model).generate, GENERATE),
        "LLMGenerator of several": (LLMGenerator(model, n=2).generate, GENERATE),
        "LLMCritiquer": (LLMCritiquer(model).critique, CRITIQUE),
        "ToolCritiquer": (ToolCritiquer(["compile"], unsafe=True).critique, CRITIQUE),
        "DeterministicCritiquer": (DeterministicCritiquer().critique, CRITIQUE),
        "FallbackCritiquer": (FallbackCritiquer(LLMCritiquer(model)).critique, CRITIQUE),
        "PytestExecutor": (PytestExecutor(unsafe=True).run_tests, CRITIQUE),
        "LLMReviser": (LLMReviser(model).revise, REVISE),
        "ChainReviser": (ChainReviser([LLMReviser(model)]).revise, REVISE),
        "TargetedReviser": (TargetedReviser(unsafe=True).revise, REVISE),
    }


@pytest.mark.parametrize("junk", [None, {"prompt": "task"}])
async def test_wrong_arguments_of_a_component_are_refused_before_a_model_is_asked(junk: object) -> None:
    model = ScriptedModel([])
    for who, (call, names) in calls(model).items():
        for name in names:
            given = {**GIVEN, name: junk}
            with pytest.raises(ConfigurationError, match=f"^{name} must be a "):
                await call(*(given[each] for each in names))
                pytest.fail(f"{who} took {junk!r} for its {name}")
    assert not model.requests


async def test_an_object_with_the_fields_of_a_context_is_accepted() -> None:
    context = SimpleNamespace(prompt="task", lessons=(), meter=None, time_left_s=None)
    (written,) = await LLMGenerator(ScriptedModel(["a text"])).generate("task", cast("RunContext", context))
    assert written.content == "a text"
    judged = '{"severity": 0.5, "issues": ["vague"]}'
    critique = await LLMCritiquer(ScriptedModel([judged])).critique(written, cast("RunContext", context))
    assert critique.severity == 0.5
    better = '{"improved_response": "a better text", "changes_made": [], "parts_preserved": []}'
    revision = await LLMReviser(ScriptedModel([better])).revise(written, critique, cast("RunContext", context))
    assert revision.content == "a better text"
    reply = '{"lesson": "l"}'
    reflection = await Reflector(ScriptedModel([reply])).reflect(Episode("task"), (), cast("RunContext", context))
    assert reflection.lesson == "l"


async def test_a_reflector_needs_no_context_but_rejects_an_invalid_one() -> None:
    model, junk = ScriptedModel([]), object()
    with pytest.raises(ConfigurationError, match=r"^context must be"):
        await Reflector(model).reflect(Episode("task"), (), junk)  # type: ignore[arg-type]
    assert not model.requests
    assert (await Reflector().reflect(Episode("task"))).lesson
