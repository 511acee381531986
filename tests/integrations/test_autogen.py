"""A pipeline inside of AutoGen's teams and runtime, and its clients and agents inside of a pipeline."""

from __future__ import annotations

import json

import pytest
from integration_helpers import CONFIG, PROMPT, USAGE, Parts, graphed, lone, piped

pytest.importorskip("autogen_agentchat", reason="autogen-agentchat is not installed: make test-integrations")

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.conditions import MaxMessageTermination
from autogen_agentchat.messages import StopMessage, TextMessage
from autogen_agentchat.teams import RoundRobinGroupChat
from autogen_core import AgentId, CancellationToken, SingleThreadedAgentRuntime
from autogen_core.memory import MemoryContent, MemoryMimeType
from autogen_core.models import RequestUsage
from frameworks.autogen import Client
from model_contract import *  # noqa: F403 - the suite

from jido_ai.errors import AuthenticationError, ComponentError, ConfigurationError, ModelError, RateLimitError
from jido_ai.integrations.autogen import (
    ChatAgentGenerator,
    ChatAgentReviser,
    ChatClientModel,
    LessonsMemory,
    ReflectionAgent,
    ReflectionReply,
    ReflectionRequest,
    ReflectionRoutedAgent,
)
from jido_ai.loop.blocking_pipeline import BlockingPipeline
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.values import CompletionRequest, Message

# -- in ----------------------------------------------------------------------------------------------


async def test_direct_and_inside_give_the_same_text_reason_and_count() -> None:
    async with piped() as pipeline:
        direct = await pipeline.run(PROMPT)
        message = (await ReflectionAgent("judge", pipeline).run(task=PROMPT)).messages[-1]
    assert direct.best_candidate is not None
    assert isinstance(message, TextMessage)
    assert message.content == direct.best_candidate.content == "v3"
    assert message.metadata["stop_reason"] == direct.stop_reason.value
    assert message.metadata["iterations"] == str(direct.total_iterations)
    assert message.models_usage == RequestUsage(
        prompt_tokens=4 * USAGE.input_tokens, completion_tokens=4 * USAGE.output_tokens
    )


async def test_in_a_team_it_judges_the_answer_of_the_agent_before_it() -> None:
    parts = Parts()
    judge = ReflectionAgent("judge", piped(parts), judges=True)
    writer = AssistantAgent("writer", Client("v2"))
    team = RoundRobinGroupChat([writer, judge], termination_condition=MaxMessageTermination(3))
    result = await team.run(task=PROMPT)
    await judge.close()
    assert result.messages[-1].to_text() == "v3"
    assert parts.calls[0] == "critique v2"
    assert set(parts.seen) == {PROMPT}


async def test_a_failing_component_is_the_error_of_the_agent_and_of_its_team() -> None:
    async with piped(Parts(fail=ComponentError("broken", component="critiquer"))) as pipeline:
        with pytest.raises(ComponentError, match="broken"):
            await ReflectionAgent("judge", pipeline).run(task=PROMPT)
        team = RoundRobinGroupChat([ReflectionAgent("judge", pipeline)], max_turns=1)
        with pytest.raises(RuntimeError, match="broken"):
            await team.run(task=PROMPT)


@pytest.mark.parametrize("messages", [[], ["I like tea"], ["yes"]], ids=str)
async def test_only_a_message_of_a_person_decides(messages: list[str]) -> None:
    async with piped(memory=ReflexionMemory(store=InProcessStore())) as pipeline:
        agent = ReflectionAgent("judge", pipeline, approve=True)
        question = json.loads((await agent.run(task=PROMPT)).messages[-1].to_text())
        said = [TextMessage(content=text, source="other") for text in messages]
        again = await agent.on_messages(said, CancellationToken())
        assert isinstance(again.chat_message, StopMessage)
        told = json.loads(again.chat_message.content)
        assert told.pop("problem")
        assert told == question
        assert json.loads((await agent.run(task="yes")).messages[-1].to_text())["revision"] == "v2"


async def test_the_names_of_people_can_be_given() -> None:
    async with piped(memory=ReflexionMemory(store=InProcessStore())) as pipeline:
        agent = ReflectionAgent("judge", pipeline, approve=True, people=["ada"])
        await agent.run(task=PROMPT)
        answered = await agent.on_messages([TextMessage(content="yes", source="ada")], CancellationToken())
        assert json.loads(answered.chat_message.to_text())["revision"] == "v2"
        with pytest.raises(ConfigurationError, match="people must be"):
            ReflectionAgent("judge", pipeline, people="ada")


async def test_the_runtime_gets_a_reply_or_the_error() -> None:
    runtime = SingleThreadedAgentRuntime()
    async with piped() as good, piped(Parts(fail=ComponentError("broken", component="critiquer"))) as bad:
        await ReflectionRoutedAgent.register(runtime, "good", lambda: ReflectionRoutedAgent(good))
        await ReflectionRoutedAgent.register(runtime, "bad", lambda: ReflectionRoutedAgent(bad))
        runtime.start()
        reply = await runtime.send_message(ReflectionRequest(PROMPT), AgentId("good", "default"))
        with pytest.raises(ComponentError, match="broken"):
            await runtime.send_message(ReflectionRequest(PROMPT), AgentId("bad", "default"))
        await runtime.stop_when_idle()
    assert isinstance(reply, ReflectionReply)
    assert (reply.answer, reply.stop_reason) == ("v3", "accepted")
    assert json.loads(reply.report)["iterations"] == 4


async def test_lessons_reach_the_context_of_an_assistant() -> None:
    client = Client()
    async with ReflexionMemory(store=InProcessStore()) as memory:
        lessons = LessonsMemory(memory)
        await lessons.add(
            MemoryContent(content="ask for the format", mime_type=MemoryMimeType.TEXT, metadata={"prompt": PROMPT})
        )
        await AssistantAgent("writer", client, memory=[lessons]).run(task=PROMPT)
        assert (await lessons.query(PROMPT)).results[0].content == "ask for the format"
        await lessons.clear()
        assert (await lessons.query(PROMPT)).results == []
    assert any("ask for the format" in str(message.content) for message in client.asked[0])


async def test_a_blocking_pipeline_can_replace_a_pipeline() -> None:
    with BlockingPipeline(piped()) as blocking:
        result = await ReflectionAgent("editor", blocking).run(task=PROMPT)
    assert result.messages[-1].to_text() == "v3"


async def test_a_graph_can_replace_a_pipeline() -> None:
    runtime, parts = SingleThreadedAgentRuntime(), Parts()
    async with graphed(parts, judges=True) as judge, graphed() as graph:
        editor = ReflectionAgent("editor", judge, judges=True)
        team = RoundRobinGroupChat([AssistantAgent("writer", Client("v2")), editor], max_turns=2)
        result = await team.run(task=PROMPT)
        await ReflectionRoutedAgent.register(runtime, "graph", lambda: ReflectionRoutedAgent(graph))
        runtime.start()
        reply = await runtime.send_message(ReflectionRequest(PROMPT), AgentId("graph", "default"))
        await runtime.stop()
    assert (result.messages[-1].to_text(), parts.calls[0]) == ("v3", "critique v2")
    assert (reply.answer, reply.stop_reason, json.loads(reply.report)["iterations"]) == ("v3", "completed", 4)
    async with lone(parts := Parts()) as graph:
        editor = ReflectionAgent("editor", graph, judges=True)
        team = RoundRobinGroupChat([AssistantAgent("writer", Client("v2")), editor], max_turns=2)
        result = await team.run(task=PROMPT)
    assert (result.messages[-1].to_text(), parts.calls[0]) == ("v3", "critique v2"), "its only input is the draft"


# -- out ---------------------------------------------------------------------------------------------


@pytest.fixture(params=["autogen"])
def model(request: pytest.FixtureRequest) -> ChatClientModel:
    return ChatClientModel(Client())


@pytest.mark.parametrize(("status", "kind"), [(429, RateLimitError), (401, AuthenticationError), (418, ModelError)])
async def test_a_refusal_of_the_client_is_a_refusal_error_after_one_call(status: int, kind: type[Exception]) -> None:
    error = RuntimeError("no")
    error.status_code = status  # type: ignore[attr-defined]
    client = Client(error=error)
    with pytest.raises(kind):
        await ChatClientModel(client).complete(CompletionRequest((Message("user", "hi"),)))
    assert len(client.asked) == 1


async def test_assistants_can_generate_and_revise_and_remember_nothing_between_calls() -> None:
    parts, writer, fixer = Parts(), Client("v2"), Client("v3")
    generator = ChatAgentGenerator(AssistantAgent("writer", writer))
    reviser = ChatAgentReviser(AssistantAgent("fixer", fixer))
    async with Pipeline(generator, parts, reviser, config=CONFIG) as pipeline:
        results = await pipeline.run_many([f"{PROMPT} {i}" for i in range(5)])
    assert [result.best_candidate and result.best_candidate.content for result in results] == ["v3"] * 5
    assert {len(messages) for messages in writer.asked} == {2}, "the system message and the prompt"
    assert results[0].usage.calls == 2
    assert results[0].usage.input_tokens == 14
