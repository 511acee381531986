"""Agent Framework."""

from __future__ import annotations

from typing import Any

from agent_framework import (
    Agent,
    BaseChatClient,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FileCheckpointStorage,
    FunctionInvocationLayer,
    InMemoryCheckpointStorage,
    Message,
    ResponseStream,
    WorkflowBuilder,
    tool,
)
from frameworks.host import Host as Base
from frameworks.host import Turn
from integration_helpers import PROMPT

from jido_ai.integrations.agent_framework import ReflectionExecutor, ReflectionMiddleware

SPENT = {"input_token_count": 7, "output_token_count": 2, "total_token_count": 9}


class Client(FunctionInvocationLayer, BaseChatClient):
    """A chat client without a provider."""

    def __init__(self, text: Any = "well then", error: Exception | None = None) -> None:
        super().__init__()
        self.text, self.error = text, error
        self.asked: list[Any] = []

    def _inner_get_response(self, *, messages: Any, stream: bool, options: Any, **kwargs: Any) -> Any:
        self.asked.append((list(messages), options))
        text = '{"score": 7, "verdict": "accept"}' if "JSON" in messages[-1].text else self.text

        async def whole() -> ChatResponse:
            if self.error is not None:
                raise self.error
            return ChatResponse(messages=[Message("assistant", [text])], usage_details=dict(SPENT), response_id="r1")

        async def pieces() -> Any:
            for piece in text.partition(" "):
                if piece:
                    yield ChatResponseUpdate(contents=[Content.from_text(piece)], role="assistant")
            yield ChatResponseUpdate(contents=[Content.from_usage(dict(SPENT))], role="assistant")

        return ResponseStream(pieces(), finalizer=ChatResponse.from_updates) if stream else whole()


def flow(executor: ReflectionExecutor, **options: Any) -> Any:
    return WorkflowBuilder(start_executor=executor, name="flow", output_from=[executor], **options).build()


class Host(Base):
    column = "Agent Framework"
    keeps = "its files of checkpoints"

    async def open(self) -> None:
        self.storage: Any = FileCheckpointStorage("checkpoints") if self.database else InMemoryCheckpointStorage()

    def flow(self) -> Any:
        return flow(ReflectionExecutor(self.pipeline, approve=self.approve), checkpoint_storage=self.storage)

    async def ask(self, prompt: str = PROMPT) -> Turn:
        return await self._turn(await self.flow().run(prompt))

    async def answer(self, turn: Turn, decision: Any) -> Turn:
        name, checkpoint = turn.place
        return await self._turn(await self.flow().run(responses={name: decision}, checkpoint_id=checkpoint))

    async def go_on(self, turn: Turn) -> Turn:
        return await self._turn(await self.flow().run(checkpoint_id=turn.place[1]))

    async def _turn(self, result: Any) -> Turn:
        if requests := result.get_request_info_events():
            latest = await self.storage.get_latest(workflow_name="flow")
            return Turn(question=requests[0].data, place=(requests[0].request_id, latest.checkpoint_id))
        (text,) = result.get_outputs()
        return Turn(text)

    async def both(self) -> list[str | None]:
        sides = [ReflectionExecutor(self.pipeline, id=side, approve=self.approve) for side in ("left", "right")]
        start = Agent(Client("v0"), name="start")
        build = WorkflowBuilder(start_executor=start, output_from=sides).add_fan_out_edges(start, sides)
        workflow, outputs = build.build(), []
        result = await workflow.run(PROMPT)
        while requests := result.get_request_info_events():
            outputs += result.get_outputs()
            result = await workflow.run(responses={one.request_id: "yes" for one in requests})
        return [*outputs, *result.get_outputs()]

    async def streamed(self) -> tuple[int, str | None]:
        pieces = [event async for event in self.flow().run(PROMPT, stream=True)]
        return 0, [event.data for event in pieces if event.type == "output"][-1]

    async def after_messages(self) -> str | None:
        before = [Message("user", ["before"]), Message("assistant", ["so"]), Message("user", [PROMPT])]
        return (await self.flow().run(before)).get_outputs()[0]

    async def pending(self) -> str | None:
        @tool(approval_mode="always_require")
        def look() -> str:
            return "seen"

        call = Content.from_function_call("1", "look", arguments={})
        client = Client()
        client.text = call
        agent = Agent(client, tools=[look], middleware=[ReflectionMiddleware(self.pipeline)])
        response = await agent.run(PROMPT)
        assert response.user_input_requests
        return None
