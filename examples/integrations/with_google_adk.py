"""Judge and revise what the first agent of a sequence wrote.

$ python examples/integrations/with_google_adk.py
writer: Supervisors are a very good idea, really useful.
editor: Supervisors are a good idea, useful.
accepted after 3 candidates
"""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.workflow import START, Workflow
from google.genai import types

from jido_ai import Candidate, CritiqueResult, Pipeline, RunContext
from jido_ai.integrations.google_adk import ReflectionAgent


class Llm(BaseLlm):  # your own model
    async def generate_content_async(self, llm_request, stream=False):
        yield LlmResponse(content=types.ModelContent("Supervisors are a very good idea, really useful."))


def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
    issues = [f"{word!r} says nothing" for word in ("very", "really") if word in candidate.content]
    return CritiqueResult(severity=0.4 * len(issues), issues=issues)


def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
    word = "very " if "very" in candidate.content else "really "
    return candidate.content.replace(word, "")


async def main() -> None:
    async with Pipeline(None, judge, revise) as pipeline:
        writer = LlmAgent(name="writer", model=Llm(model="offline"))
        editor = ReflectionAgent(name="editor", pipeline=pipeline, judges=True)
        runner = InMemoryRunner(node=Workflow(name="team", edges=[(START, writer, editor)]))
        session = await runner.session_service.create_session(app_name=runner.app_name, user_id="me")
        prompt = types.UserContent("Praise supervisors.")
        async for event in runner.run_async(user_id="me", session_id=session.id, new_message=prompt):
            print(f"{event.author}: {event.content.parts[0].text}")
        report = event.custom_metadata["jido"]
        print(report["stop_reason"], "after", report["iterations"], "candidates")


asyncio.run(main())
