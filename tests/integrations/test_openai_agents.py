"""A pipeline inside of the OpenAI Agents SDK, and its models and agents inside of a pipeline."""

from __future__ import annotations

import json
from typing import Any

import pytest
from integration_helpers import CONFIG, PROMPT, Parts, graphed, piped

pytest.importorskip("agents", reason="openai-agents is not installed: make test-integrations")

from agents import Agent, OutputGuardrailTripwireTriggered, Runner, RunState, SQLiteSession, set_tracing_disabled
from agents.testing import ModelStep, ScriptedModel, assistant_message
from frameworks.openai_agents import SPENT, calling, saying, told
from model_contract import *  # noqa: F403 - the suite

from jido_ai.errors import AuthenticationError, ConfigurationError, ModelError, RateLimitError
from jido_ai.integrations.openai_agents import (
    AgentGenerator,
    AgentReviser,
    AgentsModel,
    critique_guardrail,
    reflection_tool,
    run_until_accepted,
)
from jido_ai.loop.blocking_pipeline import BlockingPipeline
from jido_ai.loop.pipeline import Pipeline
from jido_ai.values import CompletionRequest, Message

set_tracing_disabled(True)


# -- in ----------------------------------------------------------------------------------------------


async def test_direct_and_inside_give_the_same_text_and_the_usage_reaches_the_agent() -> None:
    async with piped() as pipeline:
        direct = await pipeline.run(PROMPT)
        agent = Agent("writer", model=calling(), tools=[reflection_tool(pipeline)])
        result = await Runner.run(agent, "go")
    assert direct.best_candidate is not None
    assert told(result) == [direct.best_candidate.content] == ["v3"]
    assert result.context_wrapper.usage.requests == 2 + direct.usage.calls
    assert result.context_wrapper.usage.input_tokens == 14 + direct.usage.input_tokens


@pytest.mark.parametrize("make", [graphed, lambda parts: BlockingPipeline(piped(parts))])
async def test_a_graph_or_a_blocking_pipeline_can_replace_a_pipeline(make: Any) -> None:
    parts = Parts()
    served = make(parts)
    await Runner.run(Agent("writer", model=calling(), tools=[reflection_tool(served)]), "go")
    assert parts.calls[-1] == "critique v3"
    if isinstance(served, BlockingPipeline):
        served.close()


def decided(state: Any, interruption: Any, decision: str) -> None:
    if decision == "yes":
        state.approve(interruption)
    elif decision == "no":
        state.reject(interruption)
    else:
        state.reject(interruption, rejection_message=decision)


@pytest.mark.parametrize("saved", [False, True])
@pytest.mark.parametrize(
    "decisions", [["yes"] * 3, ["no"] * 3, ["v9"] * 3, ["yes", "no", "v9"], ["v9", "yes", "no"], ["no", "v9", "yes"]]
)
async def test_approval_three_times_by_interruptions_takes_a_yes_a_no_and_a_changed_text(
    decisions: list[str], saved: bool
) -> None:
    parts = Parts()
    async with piped(parts) as pipeline:
        tool = reflection_tool(pipeline, needs_approval=True)
        agent = Agent("writer", model=calling(calls=3), tools=[tool])
        result = await Runner.run(agent, "go")
        for number, decision in enumerate(decisions):
            assert parts.calls.count("generate") == decisions[:number].count("yes"), "nothing ran before the answer"
            (interruption,) = result.interruptions
            assert PROMPT in interruption.arguments
            state = result.to_state()
            if saved:
                state = await RunState.from_json(agent, json.loads(json.dumps(state.to_json())))
                (interruption,) = state.get_interruptions()
            decided(state, interruption, decision)
            result = await Runner.run(agent, state)
    assert (result.final_output, result.interruptions) == ("done", [])
    answers = {"yes": "v3", "v9": "v9"}
    for decision, answered in zip(decisions, told(result), strict=True):
        assert answered == answers.get(decision, answered)
        assert decision != "no" or "v3" not in answered
    assert parts.calls.count("generate") == decisions.count("yes")
    assert result.context_wrapper.usage.requests == 4 + 4 * decisions.count("yes")


async def test_approval_can_depend_on_the_task() -> None:
    async def asks(ctx: Any, arguments: Any, call_id: str) -> bool:
        return arguments["task"] != PROMPT

    async with piped() as pipeline:
        tool = reflection_tool(pipeline, needs_approval=asks)
        assert not (await Runner.run(Agent("writer", model=calling(), tools=[tool]), "go")).interruptions
        assert (await Runner.run(Agent("writer", model=calling("other"), tools=[tool]), "go")).interruptions


async def test_a_guardrail_trips_on_a_bad_output_and_carries_the_critique() -> None:
    agent = Agent("writer", model=saying("v0", "v3"), output_guardrails=[critique_guardrail(Parts())])
    with pytest.raises(OutputGuardrailTripwireTriggered) as caught:
        await Runner.run(agent, PROMPT)
    told = caught.value.guardrail_result.output.output_info
    assert told["issues"] == ["v0 is not good enough"]
    assert (await Runner.run(agent, PROMPT)).final_output == "v3"


async def test_a_run_continues_with_the_critique_until_it_is_accepted() -> None:
    model = saying("v0", "v1", "v3")
    done = await run_until_accepted(Agent("writer", model=model), PROMPT, Parts())
    assert (done.final_output, done.accepted, done.attempts) == ("v3", True, 3)
    assert done.usage.requests == 3
    assert "v1 is not good enough" in str(model.calls[-1].input)


async def test_a_session_keeps_each_message_of_the_attempts_once() -> None:
    model, session = saying("v0", "v1", "v3"), SQLiteSession("a")
    done = await run_until_accepted(Agent("writer", model=model), PROMPT, Parts(), session=session)
    assert done.final_output == "v3"
    assert [len(call.input) for call in model.calls] == [1, 3, 5]
    assert len(await session.get_items()) == 6


@pytest.mark.parametrize(
    ("option", "first"),
    [("conversation_id", None), ("previous_response_id", "before"), ("auto_previous_response_id", None)],
)
async def test_a_conversation_that_the_server_keeps_gets_only_the_new_message(option: str, first: str | None) -> None:
    steps = [ModelStep(output=[assistant_message(text)], response_id=f"to {text}") for text in ("v0", "v1", "v3")]
    model = ScriptedModel(steps)
    options: dict[str, Any] = {option: first or (option == "auto_previous_response_id") or "kept"}
    done = await run_until_accepted(Agent("writer", model=model), PROMPT, Parts(), **options)
    assert done.final_output == "v3"
    assert [len(call.input) for call in model.calls] == [1, 1, 1]
    assert ["is not good enough" in str(call.input) for call in model.calls] == [False, True, True]
    is_kept = option == "conversation_id"
    assert [call.conversation_id for call in model.calls] == ["kept" if is_kept else None] * 3
    assert [call.previous_response_id for call in model.calls] == ([None] * 3 if is_kept else [first, "to v0", "to v1"])


async def test_the_best_attempt_is_returned_when_all_are_used() -> None:
    done = await run_until_accepted(Agent("writer", model=saying("v2", "v1")), PROMPT, Parts(), max_attempts=2)
    assert (done.final_output, done.accepted, done.attempts) == ("v2", False, 2)
    with pytest.raises(ConfigurationError):
        await run_until_accepted(Agent("writer"), PROMPT, Parts(), max_attempts=0)


# -- out ---------------------------------------------------------------------------------------------


def responding(call: Any) -> Any:
    text = '{"score": 7, "verdict": "accept"}' if "JSON" in str(call.input) else "well then"
    return ModelStep(output=[assistant_message(text)], usage=SPENT)


@pytest.fixture(params=["openai-agents"])
def model(request: pytest.FixtureRequest) -> AgentsModel:
    return AgentsModel(ScriptedModel([ModelStep(responder=responding) for _ in range(40)]))


class Refused(Exception):
    def __init__(self, status: int) -> None:
        super().__init__("no")
        self.status_code = status


@pytest.mark.parametrize(("status", "kind"), [(429, RateLimitError), (401, AuthenticationError), (418, ModelError)])
async def test_a_refusal_of_the_model_is_a_refusal_error_after_one_call(status: int, kind: type[Exception]) -> None:
    refusing = ScriptedModel([Refused(status), Refused(status)])
    with pytest.raises(kind):
        await AgentsModel(refusing).complete(CompletionRequest((Message("user", "hi"),)))
    assert len(refusing.calls) == 1


async def test_agents_can_generate_and_revise() -> None:
    fixing = saying("v3")
    parts = Parts()
    generator = AgentGenerator(Agent("writer", model=saying("v2")))
    reviser = AgentReviser(Agent("fixer", model=fixing))
    async with Pipeline(generator, parts, reviser, config=CONFIG) as pipeline:
        result = await pipeline.run(PROMPT)
    assert result.best_candidate is not None
    assert result.best_candidate.content == "v3"
    assert result.usage.calls == 2
    assert result.usage.input_tokens == 14
    assert "v2 is not good enough" in str(fixing.calls[0].input)
