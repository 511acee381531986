"""The outcome that each critic of the product gives, and what a run makes of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.critics.output_critiquer import OutputCritiquer
from jido_ai.critics.panel import PanelCritiquer
from jido_ai.critics.scoring import critique_of_trace, verdict_of
from jido_ai.critics.text_critiquer import TextCritiquer
from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.loop.pipeline import Pipeline
from jido_ai.protocols import RunContext
from jido_ai.reflection.reflector import Reflector
from jido_ai.testing import ScriptedModel
from jido_ai.text.output_type import output_type
from jido_ai.values import Candidate, CritiqueResult, Episode, Event, LoopConfig

CONTEXT = RunContext(run_id="r", prompt="p")
FINE, NIT, BAD = ('{"severity": 0.0}', '{"severity": 0.2, "issues": ["a nit"]}', '{"severity": 0.9, "issues": ["bad"]}')


def model_critic(reply: str, **options: Any) -> LLMCritiquer:
    return LLMCritiquer(ScriptedModel([reply] * 9), **options)


def verdicts(*met: bool) -> str:
    told = [{"criterion": number, "met": one, "severity": 0.8} for number, one in enumerate(met, 1)]
    return json.dumps({"verdicts": told})


@pytest.mark.parametrize(
    ("critic", "text", "outcome"),
    [
        (model_critic(FINE), "x", "success"),
        (model_critic(NIT), "x", "failure"),
        (model_critic(BAD), "x", "failure"),
        (model_critic('{"severity": 0.5}'), "x", "failure"),
        (model_critic(verdicts(True, True), criteria=["short", "kind"]), "x", "success"),
        (model_critic(verdicts(True, False), criteria=["short", "kind"]), "x", "partial"),
        (model_critic(verdicts(False, False), criteria=["short", "kind"]), "x", "failure"),
        (TextCritiquer("json"), "{}", "success"),
        (TextCritiquer("json"), "{", "failure"),
        (ToolCritiquer(["ruff"]), "x = 1\n", "success"),
        (ToolCritiquer(["ruff"]), "def f(:\n", "failure"),
        (OutputCritiquer(output_type(int)), "1", "success"),
        (OutputCritiquer(output_type(int)), "one", "failure"),
        (PanelCritiquer([model_critic(FINE), TextCritiquer("json")]), "{}", "success"),
        (PanelCritiquer([model_critic(FINE), TextCritiquer("json")]), "{", "partial"),
        (PanelCritiquer([model_critic(BAD), TextCritiquer("json")]), "{", "failure"),
        (PanelCritiquer([lambda candidate, context: CritiqueResult(severity=0.0), model_critic(FINE)]), "x", "success"),
    ],
)
async def test_a_verdict_of_a_built_in_critic_has_an_outcome(critic: Any, text: str, outcome: str) -> None:
    assert (await critic.critique(Candidate(text), CONTEXT)).outcome == outcome


def test_an_outcome_is_partial_where_some_of_several_checks_hold() -> None:
    issue = {"severity": 0.9, "issues": ["a test failed"]}
    assert verdict_of(CritiqueResult(**issue, checks={"a": "passed", "b": "failed"})) == "partial"
    assert verdict_of(CritiqueResult(**issue, checks={"a": "skipped", "b": "failed"})) == "failure"


@pytest.mark.rows("R36", "R37", "R38", "R58")
@pytest.mark.parametrize(("mode", "reflections"), [("lite", 0), ("full", 1)])
@pytest.mark.parametrize(
    "critic",
    [
        model_critic(FINE),
        model_critic(NIT),  # accepted with an open finding: no failure in this run
        model_critic('{"reward": 0.9, "severity": 0.05}'),
        TextCritiquer("text"),
        [model_critic(FINE), TextCritiquer("text")],
        lambda candidate, context: CritiqueResult(severity=0.0),
    ],
)
async def test_mode_full_reflects_on_successes_of_the_usual_critics(critic: Any, mode: Any, reflections: int) -> None:
    async with Pipeline(critiquer=critic, reflector=True, mode=mode) as pipeline:
        result = await pipeline.run("p", "some text\n")
    assert result.accepted
    assert len(result.reflections) == reflections


@pytest.mark.rows("R10", "R11", "R12", "R59")
@pytest.mark.parametrize(
    ("reply", "outcome", "question"),
    [(BAD, "failure", "The attempt failed."), (FINE, "success", "The attempt succeeded. State what worked")],
)
async def test_the_reflecting_model_is_asked_about_the_outcome(reply: str, outcome: str, question: str) -> None:
    model = ScriptedModel(["Lesson: be brief"] * 3)
    critic = model_critic(reply)
    config = LoopConfig(max_iterations=1)
    async with Pipeline(None, critic, None, None, config, reflector=Reflector(model), mode="full") as pipeline:
        (reflection,) = (await pipeline.run("p", "text")).reflections
    asked = model.requests[0].messages[-1].content
    assert question in asked
    assert "outcome of the attempt:\n" in asked and outcome in asked
    assert reflection.importance == (0.7 if outcome == "failure" else 0.3)


async def test_a_success_by_the_findings_is_a_failure_where_the_run_asks_for_more() -> None:
    config = LoopConfig(max_iterations=1, severity_threshold=0.1)
    async with Pipeline(None, model_critic('{"severity": 0.2}'), None, True, config, reflector=True) as pipeline:
        result = await pipeline.run("p", "text")
        assert result.iterations[0].critique.outcome == "success"
        assert len(result.reflections) == 1


@pytest.mark.rows("R55")
@pytest.mark.parametrize("event", [Event("error_event", "Query timeout after 30 seconds"), Event("error_event")])
def test_a_trace_that_ends_with_an_error_event_is_no_success(event: Event) -> None:
    critique = critique_of_trace(Episode("fetch", events=(Event("tool_call", "x"), event)))
    assert (critique.outcome, critique.score) == ("error", 0.0)
    assert critique.issues[0].message
