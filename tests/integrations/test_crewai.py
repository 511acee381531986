"""Guardrails, tools and flow steps of CrewAI made of our parts, and its LLMs inside of a pipeline."""

from __future__ import annotations

import asyncio
import os
from importlib.util import find_spec
from typing import Any

import pytest
from integration_helpers import PROMPT, TENANT, Parts, graphed, lone, piped

if find_spec("crewai") is None:
    pytest.skip("crewai is not installed: make test-integrations", allow_module_level=True)
os.environ.setdefault("CREWAI_DISABLE_TELEMETRY", "true")
os.environ.setdefault("OTEL_SDK_DISABLED", "true")  # only here: it would blind the tests of our own telemetry

from crewai import BaseLLM
from crewai.flow.flow import Flow, listen, start
from frameworks.crewai import Llm, crew
from model_contract import *  # noqa: F403 - the suite

from jido_ai.errors import AuthenticationError, ComponentError, ConfigurationError, ModelError, RateLimitError
from jido_ai.integrations.crewai import (
    CrewModel,
    critique_guardrail,
    reflection_guardrail,
    reflection_step,
    reflection_tool,
)
from jido_ai.loop.blocking_pipeline import BlockingPipeline
from jido_ai.values import CompletionRequest, Message

# -- in ----------------------------------------------------------------------------------------------


def test_a_guardrail_gives_the_best_candidate_as_the_output_of_the_task() -> None:
    parts = Parts()
    assert crew(reflection_guardrail(piped(parts))).kickoff().raw == "v3"
    assert parts.calls[0] == "critique v0"
    assert set(parts.seen) == {PROMPT}


def test_a_critique_as_guardrail_repeats_the_task_with_its_feedback() -> None:
    llm = Llm(model="scripted", asked=[])
    assert crew(critique_guardrail(Parts()), llm).kickoff().raw == "v3"
    assert "v2 is not good enough" in str(llm.asked[-1])


async def test_a_guardrail_works_beside_a_running_event_loop() -> None:
    assert (await crew(reflection_guardrail(piped())).kickoff_async()).raw == "v3"


def test_a_failing_component_is_the_error_of_the_crew() -> None:
    broken = Parts(fail=ComponentError("broken", component="critiquer"))
    for guardrail in (reflection_guardrail(piped(broken)), critique_guardrail(broken)):
        with pytest.raises(Exception, match="broken"):
            crew(guardrail).kickoff()


async def test_twenty_callers_see_their_own_context_everywhere() -> None:
    parts = Parts()
    async with piped(parts) as pipeline:
        tool = reflection_tool(pipeline)

        async def caller(name: str) -> None:
            TENANT.set(name)
            await asyncio.to_thread(tool.run, prompt=name)

        await asyncio.gather(*(asyncio.create_task(caller(f"tenant {i}")) for i in range(20)))
    assert parts.seen == {f"tenant {i}": {f"tenant {i}"} for i in range(20)}


async def test_a_step_of_a_flow_judges_the_output_of_the_step_before_it() -> None:
    parts = Parts()
    async with piped(parts) as pipeline:

        class Writing(Flow[dict]):  # type: ignore[type-arg]
            @start()
            def write(self) -> str:
                return "v2"

            judge = listen(write)(reflection_step(pipeline))

        assert await Writing().kickoff_async(inputs={"prompt": PROMPT}) == "v3"
    assert parts.calls[0] == "critique v2"
    assert set(parts.seen) == {PROMPT}


async def test_a_graph_can_replace_a_pipeline() -> None:
    assert (await crew(reflection_guardrail(graphed(judges=True))).kickoff_async()).raw == "v3"
    assert await asyncio.to_thread(reflection_tool(graphed()).run, prompt=PROMPT) == "v3"
    async with graphed() as graph:

        class Writing(Flow[dict]):  # type: ignore[type-arg]
            judge = start()(reflection_step(graph))

        assert await Writing().kickoff_async(inputs={"prompt": PROMPT}) == "v3"
    assert (await crew(reflection_guardrail(lone(parts := Parts()))).kickoff_async()).raw == "v3"
    assert parts.calls[0] == "critique v0", "its only input is the output"
    with pytest.raises(ConfigurationError, match="a Pipeline or a Graph"):
        reflection_tool(Parts())  # type: ignore[arg-type]


async def test_a_blocking_pipeline_can_replace_a_pipeline() -> None:
    with BlockingPipeline(piped()) as blocking:
        assert (await crew(reflection_guardrail(blocking)).kickoff_async()).raw == "v3"
        assert await asyncio.to_thread(crew(reflection_guardrail(blocking)).kickoff) is not None
        assert await asyncio.to_thread(reflection_tool(blocking).run, prompt=PROMPT) == "v3"

        class Writing(Flow[dict]):  # type: ignore[type-arg]
            judge = start()(reflection_step(blocking))

        assert await Writing().kickoff_async(inputs={"prompt": PROMPT}) == "v3"
    with BlockingPipeline(lone(parts := Parts())) as blocking:
        assert (await crew(reflection_guardrail(blocking)).kickoff_async()).raw == "v3"
    assert parts.calls[0] == "critique v0"


# -- out ---------------------------------------------------------------------------------------------


class Answering(BaseLLM):
    """An LLM that counts its tokens as those of CrewAI do."""

    def call(self, messages: Any, *args: Any, **options: Any) -> str:
        return self.answer(messages)

    def answer(self, messages: Any) -> str:
        self._track_token_usage_internal({"prompt_tokens": 7, "completion_tokens": 2})
        return '{"score": 7, "verdict": "accept"}' if "JSON" in str(messages[-1]) else "well then"


class AnsweringAsync(Answering):
    async def acall(self, messages: Any, *args: Any, **options: Any) -> str:
        await asyncio.sleep(0)
        return self.answer(messages)


@pytest.fixture(params=["crewai", "crewai, async"])
def model(request: pytest.FixtureRequest) -> CrewModel:
    return CrewModel((AnsweringAsync if "async" in request.param else Answering)(model="scripted"))


@pytest.mark.parametrize("kind", [Answering, AnsweringAsync])
async def test_each_call_counts_its_own_tokens_and_the_llm_those_of_all(kind: Any) -> None:
    llm = kind(model="scripted")
    one, two = CrewModel(llm), CrewModel(llm)
    request = CompletionRequest((Message("user", "hi"),))
    answers = await asyncio.gather(*(model.complete(request) for model in [one, two] * 10))
    assert {(answer.usage.input_tokens, answer.usage.output_tokens) for answer in answers} == {(7, 2)}
    assert llm.get_token_usage_summary().prompt_tokens == 20 * 7


async def test_an_llm_that_counts_no_tokens_answers_too() -> None:
    answer = await CrewModel(Llm(model="scripted", asked=[])).complete(CompletionRequest((Message("user", "hi"),)))
    assert (answer.text, answer.finish_reason, answer.usage.calls) == ("v0", "stop", 1)


@pytest.mark.parametrize(("status", "kind"), [(429, RateLimitError), (401, AuthenticationError), (418, ModelError)])
async def test_a_refusal_of_the_llm_is_a_refusal_error_after_one_call(status: int, kind: type[Exception]) -> None:
    error = RuntimeError("no")
    error.status_code = status  # type: ignore[attr-defined]
    llm = Llm(model="scripted", asked=[], error=error)
    with pytest.raises(kind):
        await CrewModel(llm).complete(CompletionRequest((Message("user", "hi"),)))
    assert len(llm.asked) == 1
