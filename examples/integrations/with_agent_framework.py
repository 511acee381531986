"""Judge and revise what the agent of a workflow wrote.

$ python examples/integrations/with_agent_framework.py
answer: Supervisors are a good idea, useful.
"""

import asyncio

from agent_framework import (
    Agent,
    BaseChatClient,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FunctionInvocationLayer,
    Message,
    ResponseStream,
    WorkflowBuilder,
)

from jido_ai import Candidate, CritiqueResult, Pipeline, RunContext
from jido_ai.integrations.agent_framework import ReflectionExecutor


class Client(FunctionInvocationLayer, BaseChatClient):  # your own chat client
    def _inner_get_response(self, *, messages, stream, options, **kwargs):
        draft = "Supervisors are a very good idea, really useful."

        async def whole():
            return ChatResponse(messages=[Message("assistant", [draft])])

        async def pieces():
            yield ChatResponseUpdate(contents=[Content.from_text(draft)], role="assistant")

        return ResponseStream(pieces(), finalizer=ChatResponse.from_updates) if stream else whole()


def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
    issues = [f"{word!r} says nothing" for word in ("very", "really") if word in candidate.content]
    return CritiqueResult(severity=0.4 * len(issues), issues=issues)


def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
    word = "very " if "very" in candidate.content else "really "
    return candidate.content.replace(word, "")


async def main() -> None:
    async with Pipeline(None, judge, revise) as pipeline:
        writer, editor = Agent(Client(), name="writer"), ReflectionExecutor(pipeline, id="editor")
        workflow = WorkflowBuilder(start_executor=writer, output_from=[editor]).add_edge(writer, editor).build()
        result = await workflow.run("Praise supervisors.")
        print("answer:", *result.get_outputs())


asyncio.run(main())
