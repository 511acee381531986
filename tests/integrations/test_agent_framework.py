"""A pipeline inside of agent-framework's workflows and agents, and its clients and agents inside of a pipeline."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from integration_helpers import CONFIG, PROMPT, USAGE, Parts, check_survival, graphed, lone, piped

pytest.importorskip("agent_framework", reason="agent-framework-core is not installed: make test-integrations")

from agent_framework import (
    Agent,
    FileCheckpointStorage,
    Message,
    WorkflowBuilder,
)
from frameworks.agent_framework import Client, flow
from model_contract import *  # noqa: F403 - the suite

from jido_ai.errors import AuthenticationError, ComponentError, ModelError, RateLimitError
from jido_ai.integrations.agent_framework import (
    AgentGenerator,
    AgentReviser,
    ChatClientModel,
    LessonsProvider,
    ReflectionExecutor,
    ReflectionMiddleware,
)
from jido_ai.loop.blocking_pipeline import BlockingPipeline
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.values import CompletionRequest, MemoryEntry
from jido_ai.values import Message as OurMessage

# -- in ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("message", [PROMPT, [Message("user", [PROMPT])]])
async def test_direct_and_inside_give_the_same_text_and_count(message: Any) -> None:
    parts, inside = Parts(), Parts()
    async with piped(parts) as direct, piped(inside) as pipeline:
        result = await direct.run(PROMPT)
        outputs = (await flow(ReflectionExecutor(pipeline)).run(message)).get_outputs()
    assert result.best_candidate is not None
    assert outputs == [result.best_candidate.content] == ["v3"]
    assert inside.calls == parts.calls


async def test_behind_an_agent_it_judges_the_answer_of_the_agent() -> None:
    parts = Parts()
    executor = ReflectionExecutor(piped(parts))
    writer = Agent(Client("v2"), name="writer")
    workflow = WorkflowBuilder(start_executor=writer, output_from=[executor]).add_edge(writer, executor).build()
    outputs = (await workflow.run(PROMPT)).get_outputs()
    await executor.close()
    assert outputs == ["v3"]
    assert parts.calls[0] == "critique v2"
    assert set(parts.seen) == {PROMPT}


async def test_a_failing_component_is_the_error_of_the_workflow_and_of_the_agent() -> None:
    async with piped(Parts(fail=ComponentError("broken", component="critiquer"))) as pipeline:
        with pytest.raises(ComponentError, match="broken"):
            await flow(ReflectionExecutor(pipeline)).run(PROMPT)
        with pytest.raises(ComponentError, match="broken"):
            await Agent(Client("v2"), middleware=[ReflectionMiddleware(pipeline)]).run(PROMPT)


@pytest.mark.parametrize("bad", ["", 5, {"a": 1, "b": 2}, {"decision": True, "revision_id": "another"}], ids=str)
async def test_a_response_that_cannot_be_used_gets_the_question_again(bad: Any) -> None:
    async with piped(memory=ReflexionMemory(store=InProcessStore())) as pipeline:
        workflow = flow(ReflectionExecutor(pipeline, approve=True))
        first = (await workflow.run(PROMPT)).get_request_info_events()[0]
        again = (await workflow.run(responses={first.request_id: bad})).get_request_info_events()[0]
        assert again.data["problem"]
        assert again.data["revision"] == first.data["revision"] == "v1"
        answer = {"decision": "yes", "revision_id": again.data["revision_id"]}
        second = (await workflow.run(responses={again.request_id: answer})).get_request_info_events()[0]
        assert second.data["revision"] == "v2"


async def test_a_workflow_restored_from_its_checkpoint_continues_the_run_in_flight(tmp_path: Path) -> None:
    parts, storage = Parts(hold=asyncio.Event()), FileCheckpointStorage(tmp_path)
    async with piped(parts, memory=ReflexionMemory(store=InProcessStore())) as pipeline:
        run = asyncio.create_task(flow(ReflectionExecutor(pipeline), checkpoint_storage=storage).run(PROMPT))
        await parts.begun.wait()
        run.cancel()
        await asyncio.wait({run})
        parts.hold = None
        latest = await storage.get_latest(workflow_name="flow")
        assert latest is not None
        again = flow(ReflectionExecutor(pipeline), checkpoint_storage=storage)
        result = await again.run(checkpoint_id=latest.checkpoint_id)
    assert result.get_outputs() == ["v3"]
    assert parts.calls.count("generate") == 1
    assert parts.calls.count("revise v0") == 2, "only the step in flight was repeated"


async def survive(pipeline: Pipeline, saved: str) -> str:
    storage = FileCheckpointStorage(saved)
    latest = await storage.get_latest(workflow_name="flow")
    given = {"message": PROMPT} if latest is None else {"checkpoint_id": latest.checkpoint_id}
    return (await flow(ReflectionExecutor(pipeline), checkpoint_storage=storage).run(**given)).get_outputs()[0]


@pytest.mark.parametrize("step", ["critique v0", "revise v1", "critique v3"])
def test_after_a_kill_only_the_step_in_flight_is_repeated(tmp_path: Path, step: str) -> None:
    check_survival("test_agent_framework", step, tmp_path)


async def test_middleware_revises_the_answer_of_an_agent_and_adds_its_usage() -> None:
    parts = Parts()
    async with piped(parts) as pipeline:
        agent = Agent(Client("v1"), middleware=[ReflectionMiddleware(pipeline)])
        response = await agent.run(PROMPT)
        streamed = await agent.run(PROMPT, stream=True).get_final_response()
    assert (response.text, streamed.text) == ("v3", "v3")
    for usage in (response.usage_details, streamed.usage_details):
        assert usage is not None
        assert usage["input_token_count"] == 7 + 2 * USAGE.input_tokens
        assert usage["output_token_count"] == 2 + 2 * USAGE.output_tokens


@pytest.mark.parametrize("stream", [False, True])
async def test_the_next_turn_of_a_session_sees_the_answer_and_not_the_draft(stream: bool) -> None:
    async with piped() as pipeline:
        agent = Agent(client := Client("v1"), middleware=[ReflectionMiddleware(pipeline)])
        session = agent.create_session()
        if stream:
            await agent.run(PROMPT, session=session, stream=True).get_final_response()
        else:
            await agent.run(PROMPT, session=session)
        await agent.run("and now?", session=session)
    assert [message.text for message in client.asked[-1][0]] == [PROMPT, "v3", "and now?"]


async def test_lessons_reach_the_instructions_of_an_agent() -> None:
    client = Client()
    async with ReflexionMemory(store=InProcessStore()) as memory:
        await memory.store(MemoryEntry(PROMPT, "guessed", "ask for the format"))
        await Agent(client, context_providers=[LessonsProvider(memory)]).run(PROMPT)
    assert "ask for the format" in str(client.asked[0][1].get("instructions")) + str(
        [message.text for message in client.asked[0][0]]
    )


async def test_a_blocking_pipeline_can_replace_a_pipeline() -> None:
    with BlockingPipeline(piped()) as blocking:
        assert (await flow(ReflectionExecutor(blocking)).run(PROMPT)).get_outputs() == ["v3"]


async def test_a_graph_can_replace_a_pipeline() -> None:
    executor, parts = ReflectionExecutor(graphed()), Parts()
    assert (await flow(executor).run(PROMPT)).get_outputs() == ["v3"]
    await executor.close()
    async with graphed(parts, judges=True) as graph:
        response = await Agent(Client("v2"), middleware=[ReflectionMiddleware(graph)]).run(PROMPT)
    assert response.text == "v3"
    assert parts.calls[0] == "critique v2"
    assert response.usage_details is not None
    assert response.usage_details["input_token_count"] == 7 + USAGE.input_tokens
    async with lone(parts := Parts()) as graph:
        response = await Agent(Client("v2"), middleware=[ReflectionMiddleware(graph)]).run(PROMPT)
    assert (response.text, parts.calls[0]) == ("v3", "critique v2"), "its only input is the answer"


# -- out ---------------------------------------------------------------------------------------------


@pytest.fixture(params=["agent_framework"])
def model(request: pytest.FixtureRequest) -> ChatClientModel:
    return ChatClientModel(Client())


@pytest.mark.parametrize(("status", "kind"), [(429, RateLimitError), (401, AuthenticationError), (418, ModelError)])
async def test_a_refusal_of_the_client_is_a_refusal_error_after_one_call(status: int, kind: type[Exception]) -> None:
    error = RuntimeError("no")
    error.status_code = status  # type: ignore[attr-defined]
    client = Client(error=error)
    with pytest.raises(kind):
        await ChatClientModel(client).complete(CompletionRequest((OurMessage("user", "hi"),)))
    assert len(client.asked) == 1


async def test_agents_can_generate_and_revise() -> None:
    parts, writer, fixer = Parts(), Client("v2"), Client("v3")
    generator, reviser = AgentGenerator(Agent(writer)), AgentReviser(Agent(fixer))
    async with Pipeline(generator, parts, reviser, config=CONFIG) as pipeline:
        result = await pipeline.run(PROMPT)
    assert result.best_candidate is not None
    assert result.best_candidate.content == "v3"
    assert (result.usage.calls, result.usage.input_tokens) == (2, 14)
