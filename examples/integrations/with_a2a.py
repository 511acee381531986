"""Serve a pipeline as an A2A agent, and call it with the client of the SDK.

$ python examples/integrations/with_a2a.py
SUBMITTED
WORKING
WORKING 0.2: 'very' says nothing; 'really' says nothing
WORKING 0.6: 'really' says nothing
WORKING 1.0: no issues
answer: Supervisors are a good idea, useful.
COMPLETED
"""

import asyncio
import json

import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.helpers.proto_helpers import new_text_message
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import Role, SendMessageRequest, TaskState
from starlette.applications import Starlette

from jido_ai import Candidate, CritiqueResult, Pipeline, RunContext
from jido_ai.integrations.a2a import ReflectionExecutor, agent_card


def write(prompt: str, context: RunContext) -> str:  # your own model
    return "Supervisors are a very good idea, really useful."


def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
    issues = [f"{word!r} says nothing" for word in ("very", "really") if word in candidate.content]
    return CritiqueResult(severity=0.4 * len(issues), issues=issues)


def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
    word = "very " if "very" in candidate.content else "really "
    return candidate.content.replace(word, "")


def name(state: int) -> str:
    return TaskState.Name(state).removeprefix("TASK_STATE_")


async def main() -> None:
    card = agent_card(url="http://agent/", name="editor")
    async with Pipeline(write, judge, revise) as pipeline:
        handler = DefaultRequestHandler(ReflectionExecutor(pipeline), InMemoryTaskStore(), card)
        app = Starlette(routes=[*create_agent_card_routes(card), *create_jsonrpc_routes(handler, "/")])  # for uvicorn
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app)) as http:
            client = ClientFactory(ClientConfig(httpx_client=http)).create(card)
            request = SendMessageRequest(message=new_text_message("Praise supervisors.", role=Role.ROLE_USER))
            async for response in client.send_message(request):
                if response.HasField("task"):
                    print(name(response.task.status.state))
                elif response.HasField("artifact_update"):
                    print("answer:", response.artifact_update.artifact.parts[0].text)
                elif response.HasField("status_update"):
                    status = response.status_update.status
                    print(name(status.state), *(critique(part.text) for part in status.message.parts))


def critique(text: str) -> str:
    told = json.loads(text)
    return f"{told['score']:.1f}: {'; '.join(told['issues']) or 'no issues'}"


asyncio.run(main())
