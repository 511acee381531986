"""A pipeline as an agent of A2A, and remote agents inside of a pipeline, over the real protocol without a network."""

# ruff: noqa: SIM117 - what is served is inside of what runs
from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from integration_helpers import CONFIG, PROMPT, Parts, graphed, piped

pytest.importorskip("a2a.server", reason="a2a-sdk is not installed: make test-integrations")

import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.helpers.proto_helpers import new_text_message
from a2a.server.context import ServerCallContext
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import Role, SendMessageRequest, TaskState
from frameworks.a2a import answers, served, states, told

from jido_ai.errors import (
    AuthenticationError,
    BadRequestError,
    ComponentError,
    ConfigurationError,
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitError,
)
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import StepNode
from jido_ai.integrations.a2a import A2ACritiquer, A2AGenerator, ReflectionExecutor, agent_card
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate

V0 = Candidate("v0")


async def test_a_failing_component_is_the_status_of_the_task_and_the_error_of_a_remote_part() -> None:
    async with piped(Parts(fail=ComponentError("broken", component="critiquer"))) as pipeline:
        async with served(ReflectionExecutor(pipeline)) as client:
            responses = await told(client)
            assert states(responses)[-1] == "FAILED"
            assert "broken" in responses[-1].status_update.status.message.parts[0].text
            with pytest.raises(ComponentError, match="FAILED"):
                await A2AGenerator(client).generate(PROMPT, None)  # type: ignore[arg-type]


async def asked(client: Any, responses: list[Any], text: str) -> tuple[list[Any], dict[str, Any]]:
    """Answer the question of a task, and return the next one."""
    last = responses[-1].status_update
    responses = await told(client, text, task_id=last.task_id, context_id=last.context_id)
    return responses, json.loads(responses[-1].status_update.status.message.parts[0].text)


@pytest.mark.parametrize("bad", [" ", '{"decision": true, "revision_id": "another"}'])
async def test_an_answer_that_cannot_be_used_gets_the_question_again(bad: str) -> None:
    async with piped(Parts(), memory=ReflexionMemory(store=InProcessStore())) as pipeline:
        async with served(ReflectionExecutor(pipeline, approve=True)) as client:
            responses = await told(client)
            first = json.loads(responses[-1].status_update.status.message.parts[0].text)
            responses, again = await asked(client, responses, bad)
            assert again.pop("problem")
            assert (states(responses)[-1], again) == ("INPUT_REQUIRED", first)
            answer = json.dumps({"decision": True, "revision_id": first["revision_id"]})
            responses, second = await asked(client, responses, answer)
            assert second["revision"] == "v2"


async def sent(handler: Any, text: str, found: list[Any] | None = None, **ids: str) -> list[Any]:
    """Send a message to a handler and return its events, as they come in `found`."""
    events = [] if found is None else found
    message = new_text_message(text, role=Role.ROLE_USER, **ids)
    async for event in handler.on_message_send_stream(SendMessageRequest(message=message), ServerCallContext()):
        events.append(event)
    return events


def state_of(task: Any) -> str:
    return TaskState.Name(task.status.state).removeprefix("TASK_STATE_")


@pytest.mark.parametrize(("approve", "has_memory"), [(True, True), (False, True), (False, False)])
async def test_a_message_to_a_task_that_is_working_decides_and_destroys_nothing(
    approve: bool, has_memory: bool
) -> None:
    parts, store, events = Parts(hold=asyncio.Event()), InMemoryTaskStore(), list[Any]()
    memory = ReflexionMemory(store=InProcessStore()) if has_memory else None
    async with piped(parts, memory=memory) as pipeline:
        card = agent_card(url="http://test/", name="judge")
        handler = DefaultRequestHandler(ReflectionExecutor(pipeline, approve=approve), store, card)
        working = asyncio.create_task(sent(handler, PROMPT, events))
        await parts.begun.wait()
        ids = {"task_id": events[0].id, "context_id": events[0].context_id}
        early = asyncio.create_task(sent(handler, "thanks, no hurry", **ids))
        for _ in range(100):
            await asyncio.sleep(0)
        assert parts.hold is not None
        parts.hold.set()
        await asyncio.gather(working, early)
        task = await store.get(ids["task_id"], ServerCallContext())
        if approve:
            assert task is not None
            question = json.loads(task.status.message.parts[0].text)
            assert (state_of(task), question["revision"], "problem" in question) == ("INPUT_REQUIRED", "v1", True)
            for _ in range(3):
                await sent(handler, "yes", **ids)
            task = await store.get(ids["task_id"], ServerCallContext())
        assert task is not None
        assert (state_of(task), [one.parts[0].text for one in task.artifacts]) == ("COMPLETED", ["v3"])
    assert parts.calls.count("generate") == 1


async def test_remote_agents_can_generate_and_criticise() -> None:
    class Critic:
        async def generate(self, prompt: str, context: Any) -> str:
            text = json.loads(prompt)["text"]
            return json.dumps({"severity": 0.0 if text == "v3" else 0.8, "issues": [] if text == "v3" else ["no"]})

    class Accept:
        async def critique(self, candidate: Any, context: Any) -> Any:
            from jido_ai.values import CritiqueResult

            return CritiqueResult.no_issues()

    parts = Parts()
    async with piped() as writer, Pipeline(Critic(), Accept()) as critic:
        async with served(ReflectionExecutor(writer)) as one, served(ReflectionExecutor(critic)) as two:
            async with Pipeline(A2AGenerator(one), A2ACritiquer(two), parts, config=CONFIG) as pipeline:
                result = await pipeline.run(PROMPT)
    assert result.best_candidate is not None
    assert (result.best_candidate.content, result.stop_reason.value) == ("v3", "accepted")


async def test_a_graph_can_replace_a_pipeline() -> None:
    async with served(ReflectionExecutor(graphed())) as client:
        responses = await told(client)
    assert answers(responses) == ["v3"]
    assert states(responses) == ["WORKING"] * 5 + ["COMPLETED"]
    step = StepNode(max, inputs={"a": "{a}", "b": "{b}"})
    with pytest.raises(ConfigurationError, match="its inputs are a, b"):
        ReflectionExecutor(Graph({"x": step}, inputs=["a", "b"], output="x"))


def refusing(answer: Any, *, streaming: bool) -> Any:
    """Return a client whose server answers each request so, and the requests it got."""
    card = agent_card(url="http://test/", name="judge")
    card.capabilities.streaming = streaming
    requests: list[Any] = []

    def answered(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(answer, headers={"Retry-After": "7"}, json={"error": "no"})

    http = httpx.AsyncClient(transport=httpx.MockTransport(answered))
    return ClientFactory(ClientConfig(httpx_client=http, streaming=streaming)).create(card), requests


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize("part", [A2AGenerator, A2ACritiquer])
@pytest.mark.parametrize(
    ("answer", "kind", "retryable"),
    [
        (429, RateLimitError, True),
        (503, ModelUnavailableError, True),
        (httpx.ConnectError("no"), ModelUnavailableError, True),
        (httpx.ReadTimeout("no"), ModelTimeoutError, True),
        (401, AuthenticationError, False),
        (400, BadRequestError, False),
    ],
)
async def test_a_refusal_of_the_server_is_a_refusal_error_after_one_call(
    part: Any, streaming: bool, answer: Any, kind: Any, retryable: bool
) -> None:
    client, requests = refusing(answer, streaming=streaming)
    context = RunContext("run", PROMPT)
    with pytest.raises(kind) as caught:
        await (part(client).generate(PROMPT, context) if part is A2AGenerator else part(client).critique(V0, context))
    assert (caught.value.retryable, len(requests)) == (retryable, 1)
    if answer == 429:
        assert caught.value.retry_after_s == 7
