"""A pipeline inside of pydantic-ai's agents, and its models and agents inside of a pipeline."""

from __future__ import annotations

from typing import Any

import pytest
from integration_helpers import CONFIG, PROMPT, Parts, graphed, lone, piped

pytest.importorskip("pydantic_ai", reason="pydantic-ai is not installed: make test-integrations")

from frameworks.pydantic_ai import MODEL, calling
from model_contract import *  # noqa: F403 - the suite
from pydantic import BaseModel
from pydantic_ai import (
    Agent,
    BinaryContent,
    DeferredToolRequests,
    Tool,
)
from pydantic_ai.exceptions import ModelHTTPError, UnexpectedModelBehavior
from pydantic_ai.messages import ModelRequest, ModelResponse, SystemPromptPart, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from jido_ai.errors import AuthenticationError, ComponentError, ModelError, RateLimitError
from jido_ai.integrations.pydantic_ai import (
    AgentCritiquer,
    AgentGenerator,
    AgentReviser,
    Lessons,
    PydanticModel,
    Reflect,
    output_validator,
    reflection_tool,
)
from jido_ai.loop.blocking_pipeline import BlockingPipeline
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.values import CompletionRequest, CritiqueResult, MemoryEntry, MemoryKind, Message

# -- in ----------------------------------------------------------------------------------------------


async def test_the_usage_of_the_pipeline_reaches_the_agent() -> None:
    alone = (await Agent(MODEL).run(PROMPT)).usage
    reflect = Reflect(piped())
    both = (await Agent(MODEL, capabilities=[reflect]).run(PROMPT)).usage
    await reflect.aclose()
    assert both.requests == alone.requests + 3
    assert both.input_tokens == alone.input_tokens + 30
    assert both.output_tokens == alone.output_tokens + 15


async def test_partial_outputs_of_a_stream_are_unchanged() -> None:
    parts = Parts()
    async with piped(parts) as pipeline, Agent(MODEL, capabilities=[Reflect(pipeline)]).run_stream(PROMPT) as stream:
        async for _ in stream.stream_output(debounce_by=None):
            pass
    assert parts.calls.count("critique v0") == 1


async def test_the_messages_of_an_agent_have_the_answer_and_not_the_draft() -> None:
    async with piped() as pipeline:
        result = await Agent(MODEL, capabilities=[Reflect(pipeline)]).run(PROMPT)
    assert [part.content for part in result.all_messages()[-1].parts if isinstance(part, TextPart)] == ["v3"]


async def test_the_answer_to_a_stream_leaves_earlier_turns_as_they_were() -> None:
    async with piped() as pipeline:
        agent = Agent(MODEL, capabilities=[Reflect(pipeline)])
        earlier = (await Agent(TestModel(custom_output_text="earlier")).run("Hello")).all_messages()
        async with agent.run_stream(PROMPT, message_history=earlier) as stream:
            assert await stream.get_output() == "v3"
    assert [part.content for part in earlier[-1].parts if isinstance(part, TextPart)] == ["earlier"]


async def test_a_run_that_continues_without_a_prompt_has_the_newest_prompt_of_its_messages() -> None:
    calls = [ModelResponse(parts=[ToolCallPart("look", {})]), ModelResponse(parts=[TextPart("v0")])]

    def look() -> str:
        return "seen"

    async with piped() as pipeline:
        reflect = Reflect(pipeline)
        agent = Agent(
            FunctionModel(lambda messages, info: calls[len(messages) // 2]),
            tools=[Tool(look, requires_approval=True)],
            output_type=[str, DeferredToolRequests],
            capabilities=[reflect],
        )
        first = await agent.run(PROMPT)
        assert isinstance(first.output, DeferredToolRequests)
        results = first.output.build_results(approve_all=True)
        second = await agent.run(message_history=first.all_messages(), deferred_tool_results=results)
    assert second.output == "v3"
    assert reflect.last.prompt == PROMPT


@pytest.mark.parametrize("prompt", [None, [BinaryContent(b"x", media_type="image/png")]], ids=["none", "a picture"])
async def test_a_run_without_a_text_prompt_keeps_its_draft(prompt: Any) -> None:
    parts = Parts()
    history = None if prompt else [ModelRequest(parts=[SystemPromptPart("be kind")])]
    async with piped(parts) as pipeline:
        result = await Agent(MODEL, capabilities=[Reflect(pipeline)]).run(prompt, message_history=history)
    assert (result.output, parts.calls) == ("v0", [])


class Note(BaseModel):
    text: str


@pytest.mark.parametrize("good", ['{"text": "v1"}', "not JSON"])
async def test_a_typed_output_is_revised_and_stays_the_draft_if_the_answer_does_not_fit(good: str) -> None:
    async def judge(candidate: Any) -> CritiqueResult:
        return CritiqueResult(severity=0.0 if candidate.content == good else 0.9)

    async with Pipeline(lambda prompt: "", judge, lambda candidate, critique: good, config=CONFIG) as pipeline:
        agent = Agent(TestModel(custom_output_args={"text": "v0"}), output_type=Note, capabilities=[Reflect(pipeline)])
        result = await agent.run(PROMPT)
    revised = Note(text="v1" if good[0] == "{" else "v0")
    assert result.output == revised
    calls = [part for message in result.all_messages() for part in message.parts if isinstance(part, ToolCallPart)]
    assert calls[-1].args_as_dict() == revised.model_dump()


async def test_lessons_of_a_memory_are_instructions_of_the_agent() -> None:
    told: list[str] = []

    def reply(messages: list[Any], info: AgentInfo) -> ModelResponse:
        told.append(str(info.instructions))
        return ModelResponse(parts=[TextPart("ok")])

    async with ReflexionMemory(store=InProcessStore()) as memory:
        await memory.store(MemoryEntry(PROMPT, "guessed the format", "ask for the format", kind=MemoryKind.SEMANTIC))
        await Agent(FunctionModel(reply), capabilities=[Lessons(memory)]).run(PROMPT)
    assert "ask for the format" in told[0]


async def test_a_validator_retries_with_the_critique() -> None:
    told: list[str] = []

    def reply(messages: list[Any], info: AgentInfo) -> ModelResponse:
        last = messages[-1]
        assert isinstance(last, ModelRequest)
        told.append(str(last.parts[-1].content))
        return ModelResponse(parts=[TextPart(f"v{len(told) + 1}")])

    agent = Agent(FunctionModel(reply), retries=3)
    agent.output_validator(output_validator(Parts(), threshold=0.3))
    assert (await agent.run(PROMPT)).output == "v3"
    assert "v2 is not good enough" in told[1]


async def test_a_validator_whose_retries_are_spent_raises_as_pydantic_ai_does() -> None:
    agent = Agent(MODEL, retries=1)
    agent.output_validator(output_validator(Parts()))
    with pytest.raises(UnexpectedModelBehavior):
        await agent.run(PROMPT)


async def test_a_tool_runs_the_pipeline() -> None:
    async with piped() as pipeline:
        result = await Agent(FunctionModel(calling), tools=[reflection_tool(pipeline)]).run("go")
    assert result.output == "v3"
    assert result.usage.requests == 2 + 4


async def test_a_failing_component_is_the_error_of_the_agent() -> None:
    async with piped(Parts(fail=ComponentError("broken", component="critiquer"))) as pipeline:
        agent = Agent(FunctionModel(calling), tools=[reflection_tool(pipeline)])
        with pytest.raises(ComponentError, match="broken"):
            await agent.run("go")


async def test_a_blocking_pipeline_can_replace_a_pipeline() -> None:
    with BlockingPipeline(piped()) as blocking:
        assert (await Agent(MODEL, capabilities=[Reflect(blocking)]).run(PROMPT)).output == "v3"


async def test_a_graph_can_replace_a_pipeline() -> None:
    parts = Parts()
    async with graphed(parts, judges=True) as graph:
        reflect = Reflect(graph)
        result = await Agent(MODEL, capabilities=[reflect]).run(PROMPT)
    assert (result.output, reflect.last.status, parts.calls[0]) == ("v3", "completed", "critique v0")
    async with lone(parts := Parts()) as graph:
        assert (await Agent(MODEL, capabilities=[Reflect(graph)]).run(PROMPT)).output == "v3"
    assert parts.calls[0] == "critique v0", "its only input is the output"


# -- out ---------------------------------------------------------------------------------------------


def replying(messages: list[Any], info: AgentInfo) -> ModelResponse:
    asks_json = "JSON" in str(messages[-1].parts[-1].content)
    return ModelResponse(parts=[TextPart('{"score": 7, "verdict": "accept"}' if asks_json else "well then")])


async def streaming(messages: list[Any], info: AgentInfo) -> Any:
    for piece in replying(messages, info).parts[0].content.partition(" "):
        yield piece


@pytest.fixture(params=["pydantic-ai"])
def model(request: pytest.FixtureRequest) -> PydanticModel:
    return PydanticModel(FunctionModel(replying, stream_function=streaming))


@pytest.mark.parametrize(("status", "kind"), [(429, RateLimitError), (401, AuthenticationError), (418, ModelError)])
async def test_a_refusal_of_the_model_is_a_refusal_error_after_one_call(status: int, kind: type[Exception]) -> None:
    asked = []

    def refuse(messages: list[Any], info: AgentInfo) -> ModelResponse:
        asked.append(1)
        raise ModelHTTPError(status, "m", "no")

    with pytest.raises(kind):
        await PydanticModel(FunctionModel(refuse)).complete(CompletionRequest((Message("user", "hi"),)))
    assert len(asked) == 1


class Verdict(BaseModel):
    severity: float
    issues: list[str]


async def test_agents_can_generate_judge_and_revise() -> None:
    judge = Agent(TestModel(custom_output_args={"severity": 0.8, "issues": ["too short"]}), output_type=Verdict)
    told: list[str] = []

    def revise(messages: list[Any], info: AgentInfo) -> ModelResponse:
        told.append(str(messages[-1].parts[-1].content))
        return ModelResponse(parts=[TextPart("better")])

    parts = AgentGenerator(Agent(MODEL)), AgentCritiquer(judge), AgentReviser(Agent(FunctionModel(revise)))
    async with Pipeline(*parts, config=CONFIG.replace(max_iterations=2)) as pipeline:
        result = await pipeline.run(PROMPT)
    assert [iteration.candidate.content for iteration in result.iterations] == ["v0", "better"]
    assert isinstance(result.iterations[0].critique, CritiqueResult)
    assert "too short" in told[0]
    assert PROMPT in told[0]
    assert result.usage.calls == 4
