"""pydantic-ai: `Reflect` where it judges an agent's draft, `reflection_tool` where a person is asked."""

from __future__ import annotations

from typing import Any

from frameworks.host import Host as Base
from frameworks.host import Note, Turn
from integration_helpers import PROMPT
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, Tool, ToolApproved, ToolDenied
from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from jido_ai.integrations.pydantic_ai import Reflect, reflection_tool

MODEL = TestModel(custom_output_text="v0")


def calling(messages: list[Any], info: AgentInfo) -> ModelResponse:
    """Call the tool once, and answer with what it returns."""
    for part in messages[-1].parts:
        if isinstance(part, ToolReturnPart):
            return ModelResponse(parts=[TextPart(str(part.content))])
    return ModelResponse(parts=[ToolCallPart("reflect", {"task": PROMPT}, tool_call_id="call-1")])


def calling_twice(messages: list[Any], info: AgentInfo) -> ModelResponse:
    returned = [part.content for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
    if returned:
        return ModelResponse(parts=[TextPart(" ".join(returned))])
    return ModelResponse(parts=[ToolCallPart("reflect", {"task": PROMPT}, tool_call_id=f"call-{i}") for i in "12"])


class Host(Base):
    column = "pydantic-ai"
    decisions = Base.decisions | {"no": (["v1"], "no")}
    decided = "a refusal is told to the model"
    drafts = keeps_draft = True
    keeps = "the messages, which the caller keeps as JSON"

    async def open(self) -> None:
        self.reflect = None if self.asks else Reflect(self.pipeline)
        self.agent = self.judging(MODEL)

    def judging(self, model: Any, **options: Any) -> Any:
        if self.reflect is not None:
            return Agent(model, capabilities=[self.reflect], **options)
        tools = [reflection_tool(self.pipeline, approve=self.approve)]
        return Agent(FunctionModel(calling), tools=tools, output_type=[str, DeferredToolRequests])

    async def ask(self, prompt: str = PROMPT) -> Turn:
        return self._turn(await self.agent.run(prompt))

    async def answer(self, turn: Turn, decision: Any) -> Turn:
        messages, name, question = turn.place
        changed = {"task": PROMPT, "revision": decision}
        given: Any = {"yes": ToolApproved(), "no": ToolDenied("no")}.get(decision)
        given = given or ToolApproved(override_args=changed)
        results = DeferredToolResults(approvals={name: given}, metadata={name: question})
        history = ModelMessagesTypeAdapter.validate_json(messages)
        return self._turn(await self.agent.run(message_history=history, deferred_tool_results=results))

    async def go_on(self, turn: Turn) -> Turn:
        history = ModelMessagesTypeAdapter.validate_json(turn.place[0])
        return self._turn(await self.agent.run(message_history=history))

    def _turn(self, result: Any) -> Turn:
        if isinstance(result.output, DeferredToolRequests):
            (call,) = result.output.approvals
            question = result.output.metadata[call.tool_call_id]
            return Turn(question=question, place=(result.all_messages_json(), call.tool_call_id, question))
        return Turn(result.output)

    async def both(self) -> list[str | None]:
        tools = [reflection_tool(self.pipeline, approve=self.approve)]
        agent: Any = Agent(FunctionModel(calling_twice), tools=tools, output_type=[str, DeferredToolRequests])
        result = await agent.run("go")
        while isinstance(result.output, DeferredToolRequests):
            given = result.output.build_results(approve_all=True)
            result = await agent.run(message_history=result.all_messages(), deferred_tool_results=given)
        return result.output.split()

    async def streamed(self) -> tuple[int, str | None]:
        async with self.agent.run_stream(PROMPT) as stream:
            return 0, [piece async for piece in stream.stream_output(debounce_by=None)][-1]

    async def typed(self) -> Any:
        return (await self.judging(TestModel(custom_output_args={"text": "v0"}), output_type=Note).run(PROMPT)).output

    async def after_messages(self) -> str | None:
        before = await Agent(TestModel(custom_output_text="so")).run("before")
        return (await self.agent.run(PROMPT, message_history=before.all_messages())).output

    async def pending(self) -> str | None:
        def look() -> str:
            return "seen"

        tools = [Tool(look, requires_approval=True)]
        agent = self.judging(TestModel(), tools=tools, output_type=[str, DeferredToolRequests])
        assert isinstance((await agent.run(PROMPT)).output, DeferredToolRequests)
        return None
