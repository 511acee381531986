"""Judge and revise what the writer of an AutoGen team wrote.

$ python examples/integrations/with_autogen.py
user: Praise supervisors.
writer: Supervisors are a very good idea, really useful.
editor: Supervisors are a good idea, useful.
"""

import asyncio

from autogen_agentchat.agents import BaseChatAgent
from autogen_agentchat.base import Response
from autogen_agentchat.messages import TextMessage
from autogen_agentchat.teams import RoundRobinGroupChat

from jido_ai import Candidate, CritiqueResult, Pipeline, RunContext
from jido_ai.integrations.autogen import ReflectionAgent


class Writer(BaseChatAgent):  # your own AssistantAgent, with its model
    produced_message_types = (TextMessage,)

    async def on_messages(self, messages, cancellation_token):
        draft = "Supervisors are a very good idea, really useful."
        return Response(chat_message=TextMessage(content=draft, source=self.name))

    async def on_reset(self, cancellation_token):
        pass


def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
    issues = [f"{word!r} says nothing" for word in ("very", "really") if word in candidate.content]
    return CritiqueResult(severity=0.4 * len(issues), issues=issues)


def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
    word = "very " if "very" in candidate.content else "really "
    return candidate.content.replace(word, "")


async def main() -> None:
    async with Pipeline(None, judge, revise) as pipeline:
        editor = ReflectionAgent("editor", pipeline, judges=True)
        team = RoundRobinGroupChat([Writer("writer", "Writes."), editor], max_turns=2)
        result = await team.run(task="Praise supervisors.")
        for message in result.messages:
            print(f"{message.source}: {message.to_text()}")


asyncio.run(main())
