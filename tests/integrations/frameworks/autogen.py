"""AutoGen."""

from __future__ import annotations

import json
from typing import Any

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.messages import StopMessage, TextMessage, ToolCallSummaryMessage
from autogen_agentchat.teams import DiGraphBuilder, GraphFlow
from autogen_core import CancellationToken
from autogen_core.models import ChatCompletionClient, CreateResult, RequestUsage
from frameworks.host import Host as Base
from frameworks.host import NoSuchThing, Turn
from integration_helpers import PROMPT

from jido_ai.integrations.autogen import ReflectionAgent


class Client(ChatCompletionClient):
    """A client without a provider (AutoGen's own test client is in autogen-ext), which answers by the request."""

    def __init__(self, text: Any = "well then", error: Exception | None = None) -> None:
        self.text = text
        self.error = error
        self.asked: list[Any] = []

    async def create(self, messages: Any, **options: Any) -> CreateResult:
        self.asked.append(messages)
        if self.error is not None:
            raise self.error
        text = '{"score": 7, "verdict": "accept"}' if "JSON" in str(messages[-1].content) else self.text
        usage = RequestUsage(prompt_tokens=7, completion_tokens=2)
        return CreateResult(content=text, usage=usage, finish_reason="stop", cached=False)

    async def create_stream(self, messages: Any, **options: Any) -> Any:
        result = await self.create(messages)
        for piece in str(result.content).partition(" "):
            if piece:
                yield piece
        yield result

    async def close(self) -> None: ...

    def actual_usage(self) -> RequestUsage:
        return RequestUsage(prompt_tokens=0, completion_tokens=0)

    total_usage = actual_usage

    def count_tokens(self, messages: Any, **options: Any) -> int:
        return 0

    remaining_tokens = count_tokens

    @property
    def capabilities(self) -> Any:
        return self.model_info

    @property
    def model_info(self) -> Any:
        return {
            "vision": False,
            "function_calling": True,
            "json_output": False,
            "family": "unknown",
            "structured_output": False,
            "multiple_system_messages": True,
        }


class Host(Base):
    column = "AutoGen"
    keeps = "the state of the agent, which the caller keeps as JSON"

    async def ask(self, prompt: str = PROMPT) -> Turn:
        self.token = CancellationToken()
        agent = self.agent()
        return await self._turn(agent, await agent.run(task=prompt, cancellation_token=self.token))

    def agent(self, name: str = "judge") -> ReflectionAgent:
        return ReflectionAgent(name, self.pipeline, approve=self.approve)

    async def answer(self, turn: Turn, decision: Any) -> Turn:
        return await self._loaded(turn, task=decision)

    async def go_on(self, turn: Turn) -> Turn:
        return await self._loaded(turn)

    async def _loaded(self, turn: Turn, **given: Any) -> Turn:
        agent = self.agent()
        await agent.load_state(json.loads(turn.place))
        return await self._turn(agent, await agent.run(**given))

    async def _turn(self, agent: ReflectionAgent, result: Any) -> Turn:
        message = result.messages[-1]
        if isinstance(message, StopMessage):
            state = json.dumps(await agent.save_state())
            return Turn(question=json.loads(message.content), place=state)
        report = {"stop_reason": message.metadata["stop_reason"], "iterations": int(message.metadata["iterations"])}
        return Turn(message.content, report=report)

    async def both(self) -> list[str | None]:
        agents, flow = [ReflectionAgent(side, self.pipeline) for side in ("left", "right")], DiGraphBuilder()
        start = AssistantAgent("start", Client(PROMPT))
        flow.add_node(start)
        for agent in agents:
            flow.add_node(agent).add_edge(start, agent)
        team = GraphFlow([start, *agents], graph=flow.build())
        messages = (await team.run(task="go")).messages
        return [one.to_text() for one in messages if one.source in ("left", "right")]

    async def streamed(self) -> tuple[int, str | None]:
        pieces = [piece async for piece in self.agent().run_stream(task=PROMPT)]
        return 0, pieces[-1].messages[-1].to_text()

    async def after_messages(self) -> str | None:
        before = [TextMessage(content=text, source=source) for text, source in (("before", "user"), ("so", "other"))]
        given = [*before, TextMessage(content=PROMPT, source="user")]
        return (await self.agent().run(task=given)).messages[-1].to_text()

    async def pending(self) -> str | None:
        from autogen_core import FunctionCall

        def look() -> str:
            """Look."""
            return "seen"

        calls = [FunctionCall(id="1", name="look", arguments="{}")]
        result = await AssistantAgent("writer", Client(calls), tools=[look]).run(task=PROMPT)
        assert isinstance(result.messages[-1], ToolCallSummaryMessage)
        raise NoSuchThing("an agent has run its tools before its message reaches the next one")

    async def cancel(self, call: Any) -> None:
        self.token.cancel()
