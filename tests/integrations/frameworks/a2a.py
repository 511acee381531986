"""A2A, over the real protocol without a network."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.helpers.proto_helpers import new_text_message
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import CancelTaskRequest, ListTasksRequest, Role, SendMessageRequest, TaskState
from frameworks.host import Host as Base
from frameworks.host import NoSuchThing, Turn
from integration_helpers import PROMPT
from starlette.applications import Starlette

from jido_ai.integrations.a2a import ReflectionExecutor, agent_card


@asynccontextmanager
async def served(executor: AgentExecutor, store: Any = None) -> AsyncGenerator[Any]:
    card = agent_card(url="http://test/", name="judge")
    handler = DefaultRequestHandler(executor, store or InMemoryTaskStore(), card)
    app = Starlette(routes=[*create_agent_card_routes(card), *create_jsonrpc_routes(handler, "/")])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as http:
        yield ClientFactory(ClientConfig(httpx_client=http)).create(card)
    left = [task for task in asyncio.all_tasks() if task.get_name().startswith(("producer:", "consumer:"))]
    for task in left:  # the handler has no end of its own, and its tasks must not be collected while they run
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)


async def told(client: Any, text: str = PROMPT, **ids: str) -> list[Any]:
    message = new_text_message(text, role=Role.ROLE_USER, **ids)
    return [response async for response in client.send_message(SendMessageRequest(message=message))]


def states(responses: list[Any]) -> list[str]:
    found = [one.status_update.status.state for one in responses if one.HasField("status_update")]
    return [TaskState.Name(state).removeprefix("TASK_STATE_") for state in found]


def answers(responses: list[Any]) -> list[str]:
    return [one.artifact_update.artifact.parts[0].text for one in responses if one.HasField("artifact_update")]


class TaskFailed(Exception):
    """The state of a task."""


class Host(Base):
    column = "A2A"

    async def open(self) -> None:
        store: Any = InMemoryTaskStore()
        if self.database:
            from a2a.server.tasks import DatabaseTaskStore
            from sqlalchemy.ext.asyncio import create_async_engine

            driver = "postgresql+asyncpg" if self.database.startswith("postgresql") else "sqlite+aiosqlite:///"
            address = self.database.removeprefix("postgresql")
            engine = create_async_engine(f"{driver}{address}")
            self.stack.push_async_callback(engine.dispose)
            store = DatabaseTaskStore(engine)
        self.client = await self.stack.enter_async_context(
            served(ReflectionExecutor(self.pipeline, approve=self.approve), store)
        )

    async def ask(self, prompt: str = PROMPT, **ids: str) -> Turn:
        return self._turn(await told(self.client, prompt, **ids))

    async def answer(self, turn: Turn, decision: Any) -> Turn:
        said = {"decision": decision, "revision_id": turn.question["revision_id"]} if turn.question else decision
        return self._turn(await told(self.client, json.dumps(said), **turn.place))

    async def go_on(self, turn: Turn) -> Turn:
        return self._turn(await told(self.client, " ", **turn.place))

    def _turn(self, responses: list[Any]) -> Turn:
        state, last = states(responses)[-1], responses[-1].status_update
        if state == "INPUT_REQUIRED":
            question = json.loads(last.status.message.parts[0].text)
            return Turn(question=question, place={"task_id": last.task_id, "context_id": last.context_id})
        if state == "FAILED":
            raise TaskFailed(last.status.message.parts[0].text)
        artifact = next(one.artifact_update.artifact for one in responses if one.HasField("artifact_update"))
        report = {"stop_reason": artifact.metadata["jido"]["stop_reason"]}
        return Turn(artifact.parts[0].text, report=report, place={"context_id": last.context_id})

    async def both(self) -> list[str | None]:
        turns = [await self.ask(), await self.ask()] if self.approve else await asyncio.gather(self.ask(), self.ask())
        while any(turn.question for turn in turns):
            turns = await asyncio.gather(
                *(self.answer(turn, "yes") if turn.question else self._same(turn) for turn in turns)
            )
        return [turn.text for turn in turns]

    async def _same(self, turn: Turn) -> Turn:
        return turn

    async def streamed(self) -> tuple[int, str | None]:
        responses = await told(self.client)
        return states(responses).count("WORKING") - 1, answers(responses)[-1]

    async def after_messages(self) -> str | None:
        before = await self.ask("before")
        return (await self.ask(PROMPT, **before.place)).text

    async def pending(self) -> str | None:
        raise NoSuchThing("a message has text, files and data, and no tool calls")

    async def cancel(self, call: Any) -> None:
        """Cancel the newest task."""
        (task,) = (await self.client.list_tasks(ListTasksRequest())).tasks
        await self.client.cancel_task(CancelTaskRequest(id=task.id))
